/** The reserves: the enemy's as blanks by army, one's own with the slot for reinforcements. */
import type { JSX } from "preact";
import { Block } from "@/ui/Block";
import { printed } from "@/ui/oob";
import { capital, list, nationUnits, plain, Rich, sentence, sideName, t, townName, type Token } from "@/words";
import type { GameEvent, Nation, Side, TownId, UnitId } from "@/types";
import { reinforcementsOf, type Offered } from "./acts";
import { PlaceButton } from "./Lanes";
import { blockLabel } from "./names";
import { Blanks, Piece } from "./Piece";
import { useScene } from "./scene";
import type { Force } from "./model";
import type { BattleState } from "./useBattle";

/** "3 Anglo-Dutch, 1 Prussian" */
export function countWords(force: Force): string {
    const counts = new Map<Nation, number>(force.hidden);
    for (const piece of force.pieces) counts.set(piece.nation, (counts.get(piece.nation) ?? 0) + 1);
    if (counts.size === 0) return t("battle.reserve.empty");
    return [...counts].map(([nation, n]) => t("battle.reserve.count", { n, nation })).join(t("battle.comma"));
}

export function reserveName(side: Side, own: boolean): string {
    return own ? t("battle.reserve.own") : t("battle.reserve.of", { side });
}

/** Edge of the blocks of a reserve, less when many stand there. */
export function reserveSize(count: number, narrow: boolean): number {
    if (narrow) return count <= 3 ? 38 : count <= 5 ? 32 : 26;
    return count <= 8 ? 50 : count <= 12 ? 40 : 32;
}

export function EnemyReserve({ state, note }: { state: BattleState; note?: readonly Token[] }): JSX.Element {
    const { shown } = state;
    const force = shown.reserve.above;
    const told = note ?? lastArrival(state);
    const size = reserveSize(force.count, innerWidth < 600);
    return (
        <section class="reserve reserve-enemy" aria-label={reserveName(shown.sides[shown.top], false)}>
            <div class="reserve-head">
                <h3>{reserveName(shown.sides[shown.top], false)}</h3>
                <p>{countWords(force)}</p>
            </div>
            <div class="reserve-row">
                {force.pieces.map((piece) => (
                    <Piece key={piece.id} piece={piece} zone="reserve" size={size} own={false} />
                ))}
                {force.hidden.map(([nation, count]) => (
                    <Blanks key={nation} nation={nation} count={count} size={size} label={nationUnits(count, nation)} />
                ))}
            </div>
            {told.length > 0 && (
                <p class="reserve-told">
                    <Rich of={told} />
                </p>
            )}
        </section>
    );
}

type Came = Extract<GameEvent, { ev: "reinforced" }>;

/** The last that the enemy brought up, as far as this page has the history. */
function lastArrival({ context, view, shown }: BattleState): Token[] {
    const enemy = shown.sides[shown.top];
    const steps = context.match.steps.value;
    for (let at = steps.length - 1; at >= 0 && steps.length - at < 80; at--) {
        const step = steps[at];
        if (step === undefined || step.seq > view.seq) continue;
        const turn = step.events.some((event) => event.ev === "turn");
        const came = step.events.find(
            (event): event is Came => event.ev === "reinforced" && event.battle === shown.town && event.side === enemy,
        );
        if (came !== undefined) return sentence(came, view.as, view);
        if (turn) break;
    }
    return [];
}

export function OwnReserve({ state }: { state: BattleState }): JSX.Element {
    const { shown } = state;
    const force = shown.reserve.below;
    const name = reserveName(shown.sides[shown.bottom], shown.own);
    const size = reserveSize(force.count, innerWidth < 600);
    return (
        <section class="reserve reserve-own" aria-label={name}>
            <PlaceButton place={{ zone: "reserve", ground: false }} />
            <div class="reserve-head">
                <h3>{name}</h3>
                <p>{shown.own ? t("battle.reserve.hidden", { n: force.count }) : countWords(force)}</p>
            </div>
            <div class="reserve-row">
                {force.pieces.map((piece) => (
                    <Piece key={piece.id} piece={piece} zone="reserve" size={size} own />
                ))}
                {force.hidden.map(([nation, count]) => (
                    <Blanks key={nation} nation={nation} count={count} size={size} label={nationUnits(count, nation)} />
                ))}
            </div>
            {state.live && <ReinforcementSlot state={state} />}
        </section>
    );
}

/** Who may come, per battle: from the form that ends the turn. */
export function offeredTo(state: BattleState, town: TownId): Offered | undefined {
    return reinforcementsOf(state.view.actions).find((one) => one.battle === town);
}

/** Towns in which these units stand. */
export function townsOf(state: BattleState, units: readonly UnitId[]): string {
    const towns = [...new Set(units.map((unit) => state.view.board.units[unit]?.town ?? ""))].filter((town) => town !== "");
    return plain(list(towns.map((town) => townName(town, "in"))));
}

function ReinforcementSlot({ state }: { state: BattleState }): JSX.Element | null {
    const scene = useScene();
    const { desk, shown } = state;
    const offered = offeredTo(state, shown.town);
    if (offered === undefined || !scene.live) return null;
    const drafted = desk.reinforce.value[shown.town] ?? [];
    const n = offered.units.length;
    return (
        <button type="button" class="reinforcements" onClick={() => (desk.ending.value = true)}>
            {drafted.length > 0 && (
                <span class="reinforcements-row" aria-hidden="true">
                    {drafted.map((unit) => (
                        <UnitBlock key={unit} unit={unit} cv={state.view.board.units[unit]?.cv} size={34} ghost />
                    ))}
                </span>
            )}
            <strong>{t("battle.reinforce.slot", { n: drafted.length, of: offered.max })}</strong>
            <span>{capital(t("battle.reinforce.wait", { n, in_t: townsOf(state, offered.units) }))}</span>
        </button>
    );
}

/** An own block in lists and slots. */
export function UnitBlock(props: { unit: UnitId; cv?: number | undefined; size: number; ghost?: boolean; selected?: boolean }): JSX.Element {
    const known = printed[props.unit];
    return (
        <Block
            army={known?.army ?? "FR"}
            type={known?.type ?? "infantry"}
            cv={props.cv ?? known?.cv ?? 1}
            maxCv={known?.cv ?? 1}
            formation={blockLabel(props.unit)}
            size={props.size}
            state={{ ...(props.ghost ? { ghost: true } : {}), ...(props.selected ? { selected: true } : {}) }}
        />
    );
}

/** "the Allies" with a capital. */
export function sideWords(side: Side): string {
    return capital(sideName(side));
}
