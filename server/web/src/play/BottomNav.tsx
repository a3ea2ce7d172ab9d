/** A phone's bottom navigation; on a phone lying down the same five entries are a rail. */
import type { JSX } from "preact";
import { unreadOf } from "@/net/match";
import { useMatch } from "@/play/context";
import { usePlay, type Pane } from "@/play/state";
import type { View } from "@/types";
import { t } from "@/words";

const ICONS: Record<string, JSX.Element> = {
    map: <path d="M3 5.5l5-2 6 2 5-2v13l-5 2-6-2-5 2zM8 3.5v13M14 5.5v13" />,
    battles: <path d="M4 3c1.5 6 6 11.5 13 14.5M18 3c-1.5 6-6 11.5-13 14.5M14.5 18l1.6-3.4M7.5 18l-1.6-3.4" />,
    log: <path d="M4 3h14v16H4zM8 7.5h6M8 11h6M8 14.5h6" />,
    chat: <path d="M3 4h16v11H10l-4 4v-4H3z" />,
    armies: <path d="M3 5h16v12H3zM3 5l16 12M19 5L3 17" />,
};

export function BottomNav({ view }: { view: View }) {
    const { scene, match, game } = useMatch();
    const unread = unreadOf(match.unread.value);
    const { pane, stop } = usePlay();
    const towns = game.scenes?.(view) ?? [];
    const battle = scene.value.kind === "battle";
    const show = (next: Pane): void => {
        pane.value = next;
        stop.value = next === "map" ? "half" : "high";
        if (next === "map") scene.value = { kind: "map" };
    };
    const nextBattle = (): void => {
        const at = scene.value.kind === "battle" ? towns.indexOf(scene.value.town) : -1;
        const town = towns[(at + 1) % towns.length];
        pane.value = "map";
        stop.value = "half";
        if (town !== undefined) scene.value = { kind: "battle", town };
    };
    const entries: [string, boolean, () => void][] = [
        ["map", pane.value === "map" && !battle, () => show("map")],
        ...(game.scenes === undefined ? [] : [["battles", pane.value === "map" && battle, nextBattle] as [string, boolean, () => void]]),
        ["log", pane.value === "log", () => show("log")],
        ["chat", pane.value === "chat", () => show("chat")],
        ["armies", pane.value === "armies", () => show("armies")],
    ];
    return (
        <nav class="bottom-nav" aria-label={t("play.nav")}>
            {entries.map(([id, on, press]) => (
                <button key={id} type="button" aria-current={on ? "page" : undefined} disabled={id === "battles" && towns.length === 0} onClick={press}>
                    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round">
                        {ICONS[id]}
                    </svg>
                    <span>{t(`play.nav_${id}`)}</span>
                    {id === "chat" && unread > 0 && (
                        <span class="nav-count" aria-label={t("chat.unread", { n: unread })}>
                            {unread}
                        </span>
                    )}
                    {id === "battles" && towns.length > 0 && <span class="nav-count">{towns.length}</span>}
                </button>
            ))}
        </nav>
    );
}
