/** The card of the chosen unit: what it is, what it may do as buttons, why the obvious is missing. */
import type { ComponentChildren, JSX } from "preact";
import { Block } from "@/ui/Block";
import { printed } from "@/ui/oob";
import { capital, refusalWords, Rich, t, tt, unitName, type Token } from "@/words";
import { beginRetreat, sayAim } from "./keys";
import { fireAt } from "./BattleScene";
import { oddsHead, oddsTail } from "./Aim";
import { blockLabel, zoneName } from "./names";
import { spotOf } from "./model";
import { retreaters, type Deed } from "./acts";
import { RetreatPreview } from "./RetreatPreview";
import { useReasons } from "./reasons";
import { deedWords, isCharge, useOdds, type BattleState } from "./useBattle";

/** How a key is written on a button. */
export function keyLabel(key: string): string {
    return { arrowleft: "←", arrowright: "→", esc: "Esc" }[key] ?? key.toUpperCase();
}

interface ActButtonProps {
    keyName?: string;
    pressed?: boolean;
    danger?: boolean;
    class?: string;
    onClick: () => void;
    children: ComponentChildren;
}

/** A button of the card: words, and the letter that does the same. */
export function ActButton({ keyName, pressed, danger, class: more, onClick, children }: ActButtonProps): JSX.Element {
    return (
        <button
            type="button"
            class={`button deed ${danger ? "deed-danger" : ""} ${more ?? ""}`}
            aria-pressed={pressed}
            aria-keyshortcuts={keyName === undefined || keyName === "" ? undefined : ariaKey(keyName)}
            onClick={onClick}
        >
            <span>{children}</span>
            {keyName && <kbd aria-hidden="true">{keyLabel(keyName)}</kbd>}
        </button>
    );
}

const ariaKey = (key: string): string => ({ arrowleft: "ArrowLeft", arrowright: "ArrowRight", esc: "Escape" })[key] ?? key.toUpperCase();

export function UnitCard({ state }: { state: BattleState }): JSX.Element | null {
    const { desk, shown, powers, context } = state;
    const reasons = useReasons(state);
    const target = desk.aim.value;
    const odds = useOdds(desk, shown.town, powers?.unit, target);
    if (powers === null) return null;
    const { unit } = powers;
    const spot = spotOf(shown.battle, unit);
    if (spot === undefined) return null;
    const { fighter } = spot;
    const known = printed[unit];
    const idle = powers.targets.length === 0 && powers.deeds.length === 0;
    const done = idle && (fighter.fired !== undefined || fighter.moves !== undefined);
    return (
        <section class="unit-card" aria-label={t("battle.card")}>
            <div class="unit-card-head">
                <Block
                    army={known?.army ?? "FR"}
                    type={fighter.type}
                    cv={fighter.cv}
                    maxCv={known?.cv ?? fighter.cv}
                    formation={blockLabel(unit)}
                    size={76}
                    state={{ ...(fighter.square ? { square: true } : {}) }}
                />
                <div class="unit-card-facts">
                    <p class="unit-card-name">{capital(unitName(unit, "full"))}</p>
                    <p>{t("battle.card.strength", { cv: fighter.cv, of: known?.cv ?? fighter.cv })} {placeWords(state)}</p>
                    {odds && target && (
                        <p class="unit-card-odds">
                            {oddsHead(odds, isCharge(state.view, shown, unit, odds))}; {oddsTail(odds)}
                        </p>
                    )}
                    {powers.targets.length > 0 && <Barred rules={[...reasons.barred]} openRule={context.openRule} />}
                </div>
            </div>
            {!done && reasons.fire !== undefined && <Why lead="battle.why.fire" rule={reasons.fire} openRule={context.openRule} />}
            {!done && reasons.advance !== undefined && reasons.advance !== reasons.fire && <Why lead="battle.why.advance" rule={reasons.advance} openRule={context.openRule} />}
            {idle && <p class="small">{t(done ? "battle.card.done" : "battle.card.nothing")}</p>}
            <div class="deeds">
                {target !== null && powers.targets.includes(target) && (
                    <ActButton keyName="f" pressed={desk.aiming.value} danger onClick={() => void fireAt(state, target)}>
                        {t("battle.do.fire", { unit_t: unitName(target, "at") })}
                    </ActButton>
                )}
                {powers.deeds.map((deed) => (
                    <DeedButton key={`${deed.id}${deed.to ?? ""}`} deed={deed} state={state} />
                ))}
                {powers.retreat && (
                    <ActButton keyName="r" onClick={() => beginRetreat(state, retreaters(state.view, shown.town))}>
                        {t("battle.do.retreat")}
                    </ActButton>
                )}
                <ActButton keyName="esc" class="deed-leave" onClick={() => desk.choose(null)}>
                    {t("battle.do.leave")}
                </ActButton>
            </div>
            {powers.targets.length > 1 && <Targets state={state} />}
            {powers.retreat && <RetreatPreview state={state} unit={unit} />}
        </section>
    );
}

/** "On the left, advanced in turn 1." */
function placeWords({ shown, powers }: BattleState): string {
    const spot = powers === null ? undefined : spotOf(shown.battle, powers.unit);
    if (spot === undefined) return "";
    const place = spot.advanced
        ? t("battle.card.advanced", { n: spot.fighter.advanced_ct ?? 0 })
        : capital(t("battle.card.in", { zone: zoneName(spot.zone) }));
    return spot.fighter.square ? `${place} ${t("battle.card.square")}` : place;
}

function DeedButton({ deed, state }: { deed: Deed; state: BattleState }): JSX.Element {
    return (
        <ActButton keyName={deed.key} onClick={() => void state.desk.act(deed.action)}>
            {capital(deedWords(deed.id, deed.to))}
        </ActButton>
    );
}

/** Whom it may aim at: the click way of choosing a target, and that of a keyboard. */
function Targets({ state }: { state: BattleState }): JSX.Element {
    const { desk, powers } = state;
    return (
        <div class="targets" role="group" aria-label={t("battle.targets")}>
            {powers?.targets.map((target) => (
                <button
                    key={target}
                    type="button"
                    class="button target"
                    aria-pressed={desk.aim.value === target}
                    onClick={() => {
                        desk.aim.value = target;
                        sayAim(state, target);
                    }}
                >
                    {unitName(target, "full")}
                </button>
            ))}
        </div>
    );
}

/** A rule's refusal in one line, its number opening its text. */
export function ruleWords(rule: string): Token[] {
    return refusalWords({ message: "", data: { kind: "illegal_action", rule } });
}

function Why(props: { lead: string; rule: string; openRule: (rule: string) => void }): JSX.Element {
    return (
        <p class="why-not">
            {t(props.lead)} <Rich of={ruleWords(props.rule)} onRule={props.openRule} />
        </p>
    );
}

/** "Not at King's German Legion W9.8" */
function Barred(props: { rules: [string, string][]; openRule: (rule: string) => void }): JSX.Element {
    return (
        <>
            {props.rules.map(([unit, rule]) => (
                <p key={unit} class="why-not">
                    <Rich of={tt("battle.why.not_at", { unit_t: unitName(unit, "at") })} />{" "}
                    <Rich of={[{ text: rule, rule }]} onRule={props.openRule} />
                </p>
            ))}
        </>
    );
}
