/** Battles as tabs after the map; one that needs something says so. Alt 1 to 9 switch. */
import { useMatch } from "@/play/context";
import { layout } from "@/play/layout";
import type { TownId, View } from "@/types";
import { sideName, slot, t, townName } from "@/words";
import { battlesOf, tabOf, type TabState } from "@/battle/model";

/** Towns with a battle tab, in the order of the tabs. */
export function battleTowns(view: View): TownId[] {
    return battlesOf(view);
}

export function BattleTabs({ view }: { view: View }) {
    const { scene } = useMatch();
    const towns = battleTowns(view);
    if (towns.length === 0 || layout.value === "phone") return null;
    const now = scene.value;
    return (
        <nav class="battle-tabs" aria-label={t("play.battles")}>
            <button type="button" class="battle-tab" aria-current={now.kind === "map" ? "page" : undefined} onClick={() => (scene.value = { kind: "map" })}>
                <kbd>M</kbd> <b>{t("play.map")}</b>
            </button>
            {towns.map((town, i) => {
                const tab = tabOf(view, town);
                if (tab === undefined) return null;
                const current = now.kind === "battle" && now.town === town;
                return (
                    <button
                        key={town}
                        type="button"
                        class={tab.due ? "battle-tab due" : "battle-tab"}
                        aria-current={current ? "page" : undefined}
                        title={`Alt ${i + 1}`}
                        onClick={() => (scene.value = { kind: "battle", town })}
                    >
                        {tab.phase === "over" ? <Tick /> : <Sabres />}
                        <b>{townName(town)}</b>
                        <span class="tab-words">{tabWords(tab)}</span>
                    </button>
                );
            })}
            <span class="tabs-when">{view.turn === undefined ? "" : slot(view.turn)}</span>
        </nav>
    );
}

function tabWords(tab: TabState): string {
    if (tab.routed !== undefined) return t("play.battle_routed", { side_t: sideName(tab.routed) });
    if (tab.phase === "over") {
        return tab.holder === undefined ? t("play.battle_over") : t("play.battle_held", { side_t: sideName(tab.holder), n: tab.holding });
    }
    if (tab.phase === "deploy") return t("play.battle_deploy", { n: tab.todo });
    return t("play.battle_round", { n: tab.round, acted: tab.acted, of: tab.of });
}

export function Sabres() {
    return (
        <svg class="sabres" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2.5 2C4 7 8 11.5 13.2 13.4M13.5 2C12 7 8 11.5 2.8 13.4M10.6 13.9l1.2-2.9M5.4 13.9L4.2 11" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" />
        </svg>
    );
}

function Tick() {
    return (
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d="M2 7.5L5.5 11 12 3" fill="none" stroke="var(--ok)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
    );
}
