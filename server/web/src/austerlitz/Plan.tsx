/** The declared plan as all may see it: what is pending, in hand, done, and what the dice said. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Asks } from "@/austerlitz/asks";
import { CombatCard, OddsPart, RolledPart, type Fighter } from "@/austerlitz/Combat";
import { isShown, toldUnit } from "@/austerlitz/Faces";
import { judge, type Judged } from "@/austerlitz/odds";
import { outcomes, planOf, type Outcome, type Told } from "@/austerlitz/outcomes";
import { rollsOf } from "@/austerlitz/rolls";
import { dieWords, Facts, ruled } from "@/austerlitz/Terms";
import { hexView, type Entry, type Hex, type HexBoardData, type HexView } from "@/austerlitz/types";
import { combatTitle, hexName, sideOfSeat, spokenUnit } from "@/austerlitz/units";
import { useMatch } from "@/play/context";
import type { View } from "@/types";
import { t, type Token } from "@/words";

interface PlanProps {
    view: View;
    /** The combat that a press would roll. */
    chosen?: number;
    onChoose?: (n: number) => void;
}

/** Combats pending first, then those done, each with what is known of it. */
export function Plan({ view, chosen, onChoose }: PlanProps): JSX.Element | null {
    const { match } = useMatch();
    const now = hexView(view);
    const steps = match.steps.value;
    const told = useMemo(() => outcomes(steps.filter((step) => step.seq <= view.seq)), [steps, view.seq]);
    const judged = useJudged(now, match.view.value?.seq === view.seq);
    const plan = planOf(now.board.plan);
    const seen = useRef(new Map<string, Token[][]>());
    for (const [n, { odds }] of judged) if (odds?.terms !== undefined) seen.current.set(`${now.turn.turn} ${now.turn.side} ${n}`, dieWords(odds, now.board.plan?.[String(n)]?.defenders?.length ?? 1));
    const hand = now.board.hand?.index;
    const pending = plan.filter(([n, entry]) => entry.status === "pending" && n !== hand);
    const done = plan.filter(([, entry]) => entry.status !== "pending");
    const inHand = plan.filter(([n]) => n === hand);
    if (plan.length === 0) return null;
    return (
        <ol class="aus-plan" aria-label={t("aus.plan")}>
            {[...inHand, ...pending, ...done].map(([n, entry]) => (
                <PlanCard
                    key={n}
                    n={n}
                    entry={entry}
                    view={now}
                    told={told.get(n)}
                    judged={judged.get(n)}
                    terms={seen.current.get(`${now.turn.turn} ${now.turn.side} ${n}`)}
                    edited={n === hand || n === chosen}
                    {...(onChoose !== undefined && entry.status === "pending" && n !== hand ? { onChoose: () => onChoose(n) } : {})}
                />
            ))}
        </ol>
    );
}

/** Odds of the pending combats, as far as the viewer's own seat may reckon them. */
function useJudged(view: HexView, live: boolean): ReadonlyMap<number, Judged> {
    const { match } = useMatch();
    const [found, setFound] = useState<ReadonlyMap<number, Judged>>(new Map());
    const asks = useMemo(() => new Asks(match), [match]);
    const board = match.board.value as unknown as HexBoardData | null;
    useEffect(() => {
        let here = true;
        const pending = planOf(view.board.plan).filter(([n, entry]) => entry.status === "pending" && n !== view.board.hand?.index && entry.ice === undefined);
        if (!live || pending.length === 0 || sideOfSeat(view.as) === undefined) {
            setFound(new Map());
            return;
        }
        const all = pending.map(async ([n, entry]) => {
            const shape = { contact: entry.contact ?? [], bombard: entry.bombard ?? [], defenders: entry.defenders ?? [] };
            return [n, await judge(asks, view, board, shape, view.turn.side)] as const;
        });
        Promise.all(all).then(
            (got) => here && setFound(new Map(got.filter(([, one]) => one.refusal === undefined))),
            () => {},
        );
        return () => {
            here = false;
        };
    }, [view.seq, live, board]);
    return found;
}

interface PlanCardProps {
    n: number;
    entry: Entry;
    view: HexView;
    told: Outcome | undefined;
    judged: Judged | undefined;
    /** What made the die's modifier, where it was seen before the die fell. */
    terms: Token[][] | undefined;
    edited: boolean;
    onChoose?: () => void;
}

function PlanCard({ n, entry, view, told, judged, terms, edited, onChoose }: PlanCardProps) {
    const { match } = useMatch();
    const rolls = rollsOf(match);
    const shape = { contact: entry.contact ?? [], bombard: entry.bombard ?? [], defenders: entry.defenders ?? [] };
    const pending = entry.status === "pending" && view.board.hand?.index !== n;
    const ice = entry.ice ?? told?.declared?.hex;
    const attackers = pending ? standing(view, [...(entry.contact ?? []), ...(entry.bombard ?? [])]) : asTold(told, "attackers");
    const defenders = pending ? standing(view, entry.defenders ?? []) : asTold(told, "defenders");
    const where = pending ? (entry.defenders ?? []) : hexesOf(told?.declared?.defenders ?? [], told);
    return (
        <CombatCard
            n={n}
            title={combatTitle(ice !== undefined ? [ice] : where)}
            attackers={attackers}
            defenders={defenders}
            {...(ice === undefined ? {} : { ice: hexName(ice) })}
            edited={edited}
            done={entry.status !== "pending"}
            {...(onChoose === undefined ? {} : { onChoose })}
        >
            {pending && judged !== undefined && <OddsPart judged={judged} view={view} shape={shape} />}
            {told?.rolled !== undefined && !pending && (
                <RolledPart rolled={told.rolled} rolling={rolls.rolling.value === n} onSettled={() => rolls.settle()} {...(terms === undefined ? {} : { terms })} />
            )}
            {told?.rolled !== undefined && !pending && rolls.rolling.value !== n && isSpared(told) && <Facts lines={[ruled("aus.battery_spared", "8.8")]} />}
            {entry.status === "void" && <p class="aus-facts">{t("aus.void")}</p>}
            {entry.status === "done" && told?.broken !== undefined && <p class="aus-facts">{t("aus.ice_broke")}</p>}
        </CombatCard>
    );
}

/** The die says that attackers are lost, and there were none but batteries from afar. */
function isSpared({ declared, rolled }: Outcome): boolean {
    const batteries = (declared?.bombard ?? []).length > 0 && (declared?.contact ?? []).length === 0;
    return batteries && (rolled?.result === "AE" || rolled?.result === "EX");
}

function standing(view: HexView, hexes: readonly Hex[]): Fighter[] {
    return hexes.flatMap((hex) => {
        const unit = view.board.units[hex];
        return unit === undefined ? [] : [{ key: hex, unit, shown: isShown(view, hex), label: spokenUnit(view, hex) }];
    });
}

function asTold(told: Outcome | undefined, side: "attackers" | "defenders"): Fighter[] {
    const declared = told?.declared;
    const gun = declared?.artillery === undefined ? [] : [declared.artillery];
    const all: Told[] = side === "attackers" ? [...(declared?.contact ?? []), ...(declared?.bombard ?? []), ...gun] : (declared?.defenders ?? []);
    return all.map((one, i) => {
        const unit = toldUnit(one, told?.faces);
        return { key: String(i), unit, shown: typeof one !== "string" && unit.potential !== undefined };
    });
}

function hexesOf(all: readonly Told[], told: Outcome | undefined): Hex[] {
    return all.map((one) => (typeof one === "string" ? (told?.faces?.find((face) => face.id === one)?.hex ?? "") : one.hex)).filter(Boolean);
}
