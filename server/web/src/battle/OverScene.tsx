/** A battle that is over: how it stood last, who holds the town, who fled. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { capital, nationUnits, sentences, sideName, t, Rich, townName, type Token } from "@/words";
import type { Battle, GameEvent, TownId } from "@/types";
import { useMatch, viewToDraw } from "@/play/context";
import { deskOf, thrownIn } from "./desk";
import { GroundPatterns } from "./Ground";
import { Lane } from "./Lanes";
import { battleView, forceOf, tabOf, type BattleView } from "./model";
import { Blanks, Piece } from "./Piece";
import { lookingOn, SceneHolder } from "./scene";
import { laneWidth, useWidth } from "./BattleScene";
import type { View } from "@/types";

/** What the steps at hand tell of the end: rout, outcome. */
function endWords(view: View, town: TownId, steps: readonly { seq: number; events: GameEvent[] }[]): Token[][] {
    const told: Token[][] = [];
    for (let at = steps.length - 1; at >= 0 && steps.length - at < 120; at--) {
        const step = steps[at];
        if (step === undefined || step.seq > view.seq) continue;
        const here = step.events.filter(
            (event) => (event.ev === "routed" || event.ev === "battle_over") && "battle" in event && event.battle === town,
        );
        if (here.length > 0) {
            for (const event of here) told.push(...sentences(event as never, view.as, view).slice(0, 1));
            break;
        }
        if (step.events.some((event) => event.ev === "turn")) break;
    }
    return told;
}

function headline(view: View, shown: BattleView): string {
    const rout = shown.battle.rout;
    const town = { in_t: townName(shown.town, "in") };
    if (rout !== undefined) {
        const own = shown.own && rout.side === shown.bottom;
        return own ? t("battle.over.own_rout", town) : t("battle.over.rout", { ...town, side_t: sideName(shown.sides[rout.side]) });
    }
    const state = tabOf(view, shown.town);
    if (state.holder === undefined) return t("battle.over.plain", town);
    return t("battle.over.held", { ...town, side_t: sideName(state.holder), n: state.holding });
}

/** How it stood before its end, read from the history by a page that did not see it. */
function useLastStand(town: TownId, view: View | null): void {
    const { match, shown } = useMatch();
    const desk = deskOf(match);
    const steps = match.steps.value;
    const end = [...steps].reverse().find((step) =>
        step.events.some((event) => (event.ev === "battle_over" || event.ev === "routed") && event.battle === town),
    );
    const turn = [...steps].reverse().find((step) => step.events.some((event) => event.ev === "turn"));
    const seq = end !== undefined && (turn === undefined || end.seq > turn.seq) ? end.seq : undefined;
    useEffect(() => {
        if (seq === undefined || view === null || shown.value !== null || desk.ended.peek()[town] !== undefined) return;
        match.replay(seq - 1).then(
            (before) => {
                const battle = before.board.battles?.[town] as Battle | undefined;
                if (battle?.phase !== "fight") return;
                desk.thrown.value = { ...thrownIn(end?.events ?? [], [before], false), ...desk.thrown.peek() };
                desk.ended.value = { ...desk.ended.peek(), [town]: battle };
            },
            () => {},
        );
    }, [seq, view === null]);
}

export function OverScene({ town }: { town: TownId }): JSX.Element | null {
    const context = useMatch();
    const view = viewToDraw(context);
    const desk = deskOf(context.match);
    const root = useRef<HTMLDivElement>(null);
    const width = useWidth(root);
    useLastStand(town, view);
    const shown = view === null ? undefined : battleView(view, town);
    if (view === null || shown === undefined) return null;
    const last = context.shown.value === null ? desk.ended.value[town] : undefined;
    const stood = last === undefined ? undefined : battleView(view, town, last);
    const steps = context.match.steps.value;
    const told = endWords(view, town, steps.length > 0 ? steps : [{ seq: view.seq, events: view.events }]);
    const rout = shown.battle.rout;
    return (
        <SceneHolder.Provider value={lookingOn}>
            <div class={`battle battle-over ${width < 640 ? "battle-single" : ""}`} ref={root} data-town={town} tabIndex={0} role="group" aria-label={t("battle.of", { town: townName(town) })}>
                <GroundPatterns />
                <section class="over-card" role="status">
                    <h2>{capital(headline(view, shown))}</h2>
                    {told.map((words, at) => (
                        <p class="told" key={at}>
                            <Rich of={words} />
                        </p>
                    ))}
                    {rout !== undefined && <p class="small">{waitWords(view, shown)}</p>}
                    {rout !== undefined && <Fled shown={shown} />}
                </section>
                {stood !== undefined && (
                    <>
                        <p class="over-before overline">{t("battle.over.before")}</p>
                        <div class="lanes lanes-before">
                            {stood.lanes.map((lane) => (
                                <Lane
                                    key={lane.no}
                                    view={view}
                                    shown={stood}
                                    lane={lane}
                                    width={laneWidth(width)}
                                    thrown={desk.thrown.value[`${town}/${lane.no}`]}
                                />
                            ))}
                        </div>
                    </>
                )}
            </div>
        </SceneHolder.Provider>
    );
}

/** Whom the routes of the rout are asked of. */
function waitWords(view: View, shown: BattleView): string {
    const rout = shown.battle.rout;
    if (rout === undefined) return "";
    const own = shown.own && rout.side === shown.bottom;
    if (own) return t(view.prompt?.id === "rout_routes" ? "battle.over.choose_routes" : "battle.over.ally_routes");
    return view.prompt?.id === "combat" ? t("battle.over.wait_acting") : t("battle.over.wait");
}

/** The routed force that still waits for its roads. */
function Fled({ shown }: { shown: BattleView }): JSX.Element {
    const force = forceOf(shown.battle.rout?.force);
    const own = shown.own && shown.battle.rout?.side === shown.bottom;
    return (
        <div class="reserve-row over-fled">
            {force.pieces.map((piece) => (
                <Piece key={piece.id} piece={piece} zone="reserve" size={50} own={own} />
            ))}
            {force.hidden.map(([nation, n]) => (
                <Blanks key={nation} nation={nation} count={n} size={50} label={nationUnits(n, nation)} />
            ))}
        </div>
    );
}

