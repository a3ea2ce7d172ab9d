/** The card of a combat: who against whom, what is known of the odds, the die and what came of it. */
import type { ComponentChildren, JSX } from "preact";
import { Counter } from "@/hex/Counter";
import { throwsOf } from "@/austerlitz/oob";
import type { Judged, Shape } from "@/austerlitz/odds";
import type { Rolled } from "@/austerlitz/outcomes";
import { dieWords, Facts, ruled, signed, weightWords } from "@/austerlitz/Terms";
import type { HexBoardData, HexView, Unit } from "@/austerlitz/types";
import { unitWords } from "@/austerlitz/units";
import { useMatch } from "@/play/context";
import { Die } from "@/ui/Dice";
import { wire } from "@/play/wire";
import { capital, plain, refusalWords, resultName, Rich, t, type Token } from "@/words";

export interface Fighter {
    key: string;
    unit: Unit;
    shown?: boolean;
    /** Pressed on the card: out of the combat. */
    onPress?: () => void;
    label?: string;
}

interface CombatCardProps {
    n: number;
    title: string;
    attackers: readonly Fighter[];
    defenders: readonly Fighter[];
    /** The ice there is shot at. */
    ice?: string;
    edited?: boolean;
    done?: boolean;
    onChoose?: () => void;
    onRemove?: () => void;
    children?: ComponentChildren;
}

export function CombatCard(props: CombatCardProps): JSX.Element {
    const { n, title, edited, onChoose, onRemove } = props;
    const classes = ["aus-combat", edited === true ? "edited" : "", props.done === true ? "done" : ""].filter(Boolean).join(" ");
    return (
        <li class={classes}>
            <div class="row-head">
                <span class="row-n">{n}</span>
                {onChoose === undefined ? (
                    <p class="row-title">{title}</p>
                ) : (
                    <button type="button" class="row-title" aria-pressed={edited} onClick={onChoose}>
                        {title}
                    </button>
                )}
                {onRemove !== undefined && (
                    <button type="button" class="row-x" aria-label={t("aus.remove_n", { n })} onClick={onRemove}>
                        ×
                    </button>
                )}
            </div>
            <div class="aus-sides">
                {props.attackers.map((one) => (
                    <One key={one.key} of={one} />
                ))}
                <em class="aus-versus">{t("aus.versus")}</em>
                {props.ice !== undefined && <span class="aus-ice">{t("aus.ice_at", { place: props.ice })}</span>}
                {props.defenders.map((one) => (
                    <One key={one.key} of={one} />
                ))}
            </div>
            {props.children}
        </li>
    );
}

function One({ of }: { of: Fighter }) {
    const art = <Counter unit={of.unit} size={34} shown={of.shown === true} {...(of.onPress === undefined ? { label: of.label ?? capital(plain(unitWords(of.unit))) } : {})} />;
    if (of.onPress === undefined) return art;
    return (
        <button type="button" class="aus-counter" aria-pressed="true" title={of.label} onClick={of.onPress}>
            {art}
            <span class="visually-hidden">{of.label}</span>
        </button>
    );
}

interface OddsPartProps {
    judged: Judged;
    view: HexView;
    shape: Shape;
}

/** What is known of the odds: the row and its six throws, or what the other side may be; and what bears on them. */
export function OddsPart({ judged, view, shape }: OddsPartProps): JSX.Element | null {
    const { match, openRule } = useMatch();
    const { odds, refusal } = judged;
    if (refusal !== undefined) {
        return (
            <p class="refused" role="alert">
                <Rich of={refusalWords(wire(refusal), match.summary.value?.game)} onRule={openRule} />
            </p>
        );
    }
    if (odds === undefined) return null;
    if (odds.ice_shot === true) return <Facts lines={[ruled("aus.ice_shot_note", "10.2")]} />;
    const lost = odds.no_die?.length ?? 0;
    const board = match.board.value as unknown as HexBoardData | null;
    return (
        <div class="aus-odds">
            {lost > 0 && <Facts lines={[ruled("aus.no_die", "8.2", { n: lost })]} />}
            {odds.row !== undefined && <Known odds={odds} modifier={odds.modifier ?? 0} />}
            {judged.table !== undefined && <Table judged={judged} />}
            <Facts
                lines={[
                    ...dieWords(odds, shape.defenders.length),
                    ...weightWords(view, board, shape),
                    ...(view.board.demoralised === undefined ? [] : [ruled("aus.shifted", "6.6")]),
                ]}
            />
        </div>
    );
}

function Known({ odds, modifier }: { odds: NonNullable<Judged["odds"]>; modifier: number }) {
    const row = odds.row ?? "";
    return (
        <>
            <p class="aus-facts">
                <b>{t("aus.against", { a: odds.attack ?? 0, d: odds.defence ?? 0 })}</b> {t("aus.row", { odds: odds.odds ?? row, row, shifted: row !== odds.odds })}
            </p>
            <table class="aus-table" aria-label={t("aus.throws", { row })}>
                <tbody>
                    <tr>
                        <th scope="row">{t("aus.die")}</th>
                        {[1, 2, 3, 4, 5, 6].map((die) => (
                            <td key={die}>{die}</td>
                        ))}
                    </tr>
                    <tr>
                        <th scope="row">{row}</th>
                        {throwsOf(row, modifier).map((result, i) => (
                            <td key={i}>
                                <abbr title={resultName("austerlitz", result)}>{result}</abbr>
                            </td>
                        ))}
                    </tr>
                </tbody>
            </table>
        </>
    );
}

/** "If it is 4, 5, 6, 7: 5:1, 4:1, 3:1, 3:1": from one's own figures and the order of battle alone. */
function Table({ judged }: { judged: Judged }) {
    return (
        <>
            <p class="aus-facts">
                <b>{t(judged.attacks === true ? "aus.against_unknown" : "aus.unknown_against", { a: judged.own ?? 0 })}</b>
            </p>
            <table class="aus-table">
                <tbody>
                    <tr>
                        <th scope="row">{t("aus.if_it_is")}</th>
                        {judged.table?.map((one) => (
                            <td key={one.from}>{one.from === one.to ? one.from : t("aus.range", { from: one.from, to: one.to })}</td>
                        ))}
                    </tr>
                    <tr>
                        <th scope="row">{t("aus.odds")}</th>
                        {judged.table?.map((one) => (
                            <td key={one.from}>
                                <b>{one.row}</b>
                            </td>
                        ))}
                    </tr>
                </tbody>
            </table>
        </>
    );
}

interface RolledPartProps {
    rolled: Rolled;
    /** The die is still tumbling: what it says is not told yet. */
    rolling?: boolean;
    onSettled?: () => void;
    /** What made its modifier, where it was seen before the die fell. */
    terms?: readonly (readonly Token[])[];
}

/** The die as it fell, and its result. */
export function RolledPart({ rolled, rolling = false, onSettled, terms }: RolledPartProps): JSX.Element {
    const { openRule } = useMatch();
    const modified = ruled("aus.die_modified", "6.7", { die: rolled.die, modifier: signed(rolled.modifier), final: rolled.final_die });
    return (
        <>
            <p class={rolling ? "aus-rolled is-rolling" : "aus-rolled"}>
                <Die key={String(rolling)} face={rolled.die} size={26} {...(rolling ? { turn: 0, ...(onSettled === undefined ? {} : { onEnd: onSettled }) } : {})} />
                <span>
                    <b>{t("aus.against", { a: rolled.attack, d: rolled.defence })}</b> {t("aus.row", { odds: rolled.odds, row: rolled.row, shifted: rolled.row !== rolled.odds })}
                    {". "}
                    <span class="aus-result">
                        {rolled.modifier !== 0 && <Rich of={modified} onRule={openRule} />} <b>{capital(resultName("austerlitz", rolled.result))}</b>
                    </span>
                </span>
            </p>
            {terms !== undefined && rolled.modifier !== 0 && <Facts lines={terms} />}
        </>
    );
}
