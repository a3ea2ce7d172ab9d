/** The panel of the declaration: a card for each combat, and who must still fight. */
import { CombatCard, OddsPart, type Fighter } from "@/austerlitz/Combat";
import { isWhole, type DeclareDesk } from "@/austerlitz/declare";
import { CounterButton } from "@/austerlitz/Faces";
import { shapeOf } from "@/austerlitz/odds";
import { hexView, type Draft, type Hex, type HexView } from "@/austerlitz/types";
import { hexName, isOwn, spokenUnit, unitName, unitWords } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { DraftState } from "@/drafts/DraftState";
import { useMatch } from "@/play/context";
import { Refused } from "@/play/Refused";
import type { View } from "@/types";
import { capital, hexPhrase, list, plain, Rich, t, tt } from "@/words";

export function DeclareBody({ view }: { view: View }) {
    const desk = useHexDesk<DeclareDesk>();
    const now = hexView(view);
    const drafts = desk.drafts.value;
    const owing = desk.owing();
    return (
        <div class="draft">
            {drafts.length > 0 && (
                <div class="panel-section-head">
                    <h3>{t("aus.plan")}</h3>
                    <span class="small">
                        <DraftState of={desk.draft} /> ·{" "}
                        <button type="button" class="link-button" onClick={() => desk.discard()}>
                            {t("march.clear")}
                        </button>
                    </span>
                </div>
            )}
            <Refused desk={desk} at="press" />
            <ol class="aus-plan" aria-label={t("aus.plan")}>
                {drafts.map((draft, i) => (
                    <DraftCard key={draft.id} n={i + 1} draft={draft} view={now} desk={desk} />
                ))}
            </ol>
            {owing.length > 0 && <Owing view={now} desk={desk} owing={owing} />}
            {drafts.length === 0 && owing.length === 0 && <p class="hint aus-pad">{t("aus.declare_hint")}</p>}
            {drafts.length > 0 && desk.editing.value !== null && (
                <p class="aus-acts aus-pad">
                    <button type="button" class="link-button" onClick={() => desk.edit(null)}>
                        {t("aus.new_combat")}
                    </button>
                </p>
            )}
        </div>
    );
}

function DraftCard({ n, draft, view, desk }: { n: number; draft: Draft; view: HexView; desk: DeclareDesk }) {
    const judged = desk.judged.value.get(draft.id);
    const edited = desk.editing.value === draft.id;
    const fighters = (hexes: readonly Hex[]): Fighter[] =>
        hexes.flatMap((hex) => {
            const unit = view.board.units[hex];
            if (unit === undefined) return [];
            const press = (): void => {
                if (!edited) desk.edit(draft.id);
                desk.press(hex);
            };
            return [{ key: hex, unit, label: t("aus.take_out", { unit: spokenUnit(view, hex) }), onPress: press }];
        });
    return (
        <CombatCard
            n={n}
            title={desk.title(draft)}
            attackers={fighters(draft.attackers)}
            defenders={fighters(draft.defenders)}
            {...(draft.ice === undefined ? {} : { ice: hexName(draft.ice) })}
            edited={edited}
            onChoose={() => desk.edit(edited ? null : draft.id)}
            onRemove={() => desk.remove(draft.id)}
        >
            <p class="aus-facts">{isWhole(draft) ? howWords(view, draft) : t(draft.attackers.length === 0 ? "aus.needs_attacker" : "aus.needs_target")}</p>
            {edited && !isWhole(draft) && <Targets view={view} desk={desk} />}
            {isWhole(draft) && judged !== undefined && <OddsPart judged={judged} view={view} shape={shapeOf(view, draft)} />}
            <Refused desk={desk} at={String(draft.id)} />
        </CombatCard>
    );
}

/** Whom the attacker may attack, as counters to press. */
function Targets({ view, desk }: { view: HexView; desk: DeclareDesk }) {
    const { attack, ice } = desk.targets.value;
    if (attack.length + ice.length === 0) return null;
    return (
        <p class="aus-counters" role="group" aria-label={t("aus.targets")}>
            {attack.map((hex) => (
                <CounterButton key={hex} view={view} hex={hex} size={28} onPress={() => desk.press(hex)} />
            ))}
            {ice.map((hex) => (
                <button key={hex} type="button" class="button small-button" onClick={() => desk.pressHex(hex)}>
                    {t("aus.ice_at", { place: hexName(hex) })}
                </button>
            ))}
        </p>
    );
}

/** "The 1st Division in contact, the battery bombards from 2419." */
function howWords(view: HexView, draft: Draft): string {
    const { contact, bombard, ice } = shapeOf(view, draft);
    const names = (hexes: readonly Hex[]): string => plain(list(hexes.map((hex) => unitWords(view.board.units[hex] ?? { side: "french", type: "infantry", movement: 6 }))));
    if (ice !== undefined) return capital(t("aus.fires_at_ice", { unit: names(bombard), n: bombard.length }));
    if (contact.length === 0) return capital(t("aus.bombards", { units: names(bombard), n: bombard.length }));
    return capital(t("aus.in_contact", { units: names(contact), n: contact.length, guns: names(bombard), g: bombard.length }));
}

/** Who must fight and is in no combat: both sides, with the reason. */
function Owing({ view, desk, owing }: { view: HexView; desk: DeclareDesk; owing: readonly { hex: Hex; enemy: Hex }[] }) {
    const { openRule, focus } = useMatch();
    // An enemy whose counterpart is named needs no line of its own.
    const named = new Set(owing.filter(({ hex }) => isOwn(view, hex)).map(({ hex }) => hex));
    const shown = owing.filter(({ hex, enemy }) => named.has(hex) || !named.has(enemy));
    return (
        <section aria-label={t("aus.owing")}>
            <div class="panel-section-head">
                <h3>{t("aus.owing")}</h3>
                <button type="button" class="link-button" onClick={() => desk.propose()}>
                    {t("aus.propose")}
                </button>
            </div>
            <ul class="aus-owing">
                {shown.map(({ hex, enemy }) => (
                    <li key={hex}>
                        <span class="aus-mark" aria-hidden="true">
                            !
                        </span>
                        <p>
                            <Rich
                                of={[
                                    ...tt("aus.owes", { unit_t: unitWords(view.board.units[hex] ?? view.board.units[enemy]!), in_t: hexPhrase("austerlitz", hex, "in"), enemy_t: unitWords(view.board.units[enemy] ?? view.board.units[hex]!), at_t: hexPhrase("austerlitz", enemy, "in") }),
                                    { text: " " },
                                    { text: "6.2", rule: "6.2" },
                                ]}
                                onRule={openRule}
                                onTown={(town) => (focus.value = { town, n: (focus.value?.n ?? 0) + 1 })}
                            />
                        </p>
                        {isOwn(view, hex) && (
                            <button
                                type="button"
                                class="button small-button"
                                aria-label={t("aus.let_fight", { unit: unitName(view, hex) })}
                                onClick={() => {
                                    desk.edit(null);
                                    desk.press(hex);
                                }}
                            >
                                {t("aus.fight")}
                            </button>
                        )}
                    </li>
                ))}
            </ul>
        </section>
    );
}
