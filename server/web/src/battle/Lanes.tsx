/** The three lanes: enemy column above, middle ground, own column below. */
import type { JSX } from "preact";
import { MarkFigure } from "@/ui/ArmyMark";
import { armyName } from "@/ui/army";
import { lane as laneName, nationUnits, t } from "@/words";
import type { Nation } from "@/types";
import { Ground } from "./Ground";
import { LaneDice } from "./LaneDice";
import { Blanks, Piece } from "./Piece";
import { chipOf, type Chip } from "./chips";
import { isArriving, markOf, type BattleView, type Force, type LaneView, type Piece as PieceOf } from "./model";
import { useScene } from "./scene";
import type { Place } from "./acts";
import type { Throw } from "./desk";
import type { View } from "@/types";

const numerals = { "1": "I", "2": "II", "3": "III" } as const;

/** Edge of the blocks of a row: 76 in a lane of 333, less with four or more in a column. */
export function blockSize(laneWidth: number, count: number, most = 128): number {
    if (laneWidth < 180) return count <= 4 ? 34 : 27;
    const base = Math.max(44, Math.min(most, laneWidth * (innerWidth < 600 ? 0.155 : 0.228)));
    const share = count <= 3 ? 1 : count === 4 ? 0.81 : count <= 8 ? 0.72 : 0.58;
    return Math.round(base * share);
}

/** The line under a column while it is formed: how many, how strong, which key. */
export interface ColumnNote {
    text: string;
    done: boolean;
    key?: string;
}

interface LaneProps {
    view: View;
    shown: BattleView;
    lane: LaneView;
    width: number;
    thrown?: Throw;
    note?: ColumnNote;
}

export function Lane({ view, shown, lane, width, thrown, note }: LaneProps): JSX.Element {
    const name = laneName(Number(lane.no));
    return (
        <section class={`lane ${lane.engagedBy ? "lane-engaged" : ""}`} data-lane={lane.no} aria-label={t("battle.lane_of", { lane: name })}>
            <Column shown={shown} lane={lane} force={lane.above} width={width} own={false}>
                <h3 class="lane-name">
                    <span class="lane-number">{numerals[lane.no]}</span> <em>{name}</em>
                </h3>
            </Column>
            <Middle view={view} shown={shown} lane={lane} width={width} thrown={thrown} />
            <Column shown={shown} lane={lane} force={lane.below} width={width} own note={note} />
        </section>
    );
}

interface ColumnProps {
    shown: BattleView;
    lane: LaneView;
    force: Force;
    width: number;
    own: boolean;
    note?: ColumnNote;
    children?: JSX.Element;
}

function Column({ shown, lane, force, width, own, note, children }: ColumnProps): JSX.Element {
    const side = shown.sides[own ? shown.bottom : shown.top];
    const forces = shown.lanes.map((one) => (own ? one.below : one.above));
    const army = markOf(side, [...forces, own ? shown.undeployed.below : shown.undeployed.above]);
    const standing = force.pieces.filter((piece) => !piece.advanced);
    const hidden = force.hidden.reduce((n, [, of]) => n + of, 0);
    const size = blockSize(width, standing.length + hidden, shown.battle.phase === "deploy" ? (innerHeight > 1100 ? 96 : 66) : innerHeight > 1100 ? 128 : 84);
    const at = shown.lanes.indexOf(lane) * 3;
    return (
        <div class={`column ${own ? "column-own" : "column-enemy"}`} data-army={army} style={{ "--army": `var(--${armyName[army]})` }}>
            {children}
            {standing.length + hidden < 3 && <ArmyWater army={army} />}
            {own && <PlaceButton place={{ zone: lane.no, ground: false }} />}
            <div class="column-row">
                {standing.map((piece, n) => (
                    <Piece key={piece.id} piece={piece} zone={lane.no} size={size} own={own} at={at + n} />
                ))}
                {force.hidden.map(([nation, count]) => (
                    <Blanks key={nation} nation={nation} count={count} size={size} label={nationUnits(count, nation)} />
                ))}
            </div>
            {note && (
                <p class={`column-note ${note.done ? "is-done" : ""}`}>
                    <span>{note.text}</span>
                    {note.key && <span class="column-key">{t("battle.key", { key: note.key })}</span>}
                </p>
            )}
        </div>
    );
}

/** The large pale mark of a column's army. */
function ArmyWater({ army }: { army: Nation }): JSX.Element {
    return (
        <svg class="army-water" viewBox="-12 -12 24 24" aria-hidden="true" focusable="false">
            <MarkFigure army={army} color="var(--army)" />
        </svg>
    );
}

/** A place that the chosen unit may go to: it answers a press anywhere within. */
export function PlaceButton({ place }: { place: Place }): JSX.Element {
    const scene = useScene();
    const id = `${place.zone}${place.ground ? "g" : ""}`;
    const name = scene.live ? scene.deedName(place) : undefined;
    if (name === undefined) return <span class="place" data-place={id} aria-hidden="true" />;
    return (
        <button type="button" class="place place-open" data-place={id} aria-label={name} title={name} onClick={() => scene.onPlace(place)} />
    );
}

/** Where the advanced of a side stand: next to their own column while they arrive, beyond the line after. */
function halves(view: View, shown: BattleView, lane: LaneView): { upper: [PieceOf, boolean][]; lower: [PieceOf, boolean][] } {
    const upper: [PieceOf, boolean][] = [];
    const lower: [PieceOf, boolean][] = [];
    for (const own of [false, true]) {
        const side = own ? shown.bottom : shown.top;
        for (const piece of (own ? lane.below : lane.above).pieces) {
            if (!piece.advanced) continue;
            const near = isArriving(view, side, piece.fighter.advanced_ct ?? 0);
            (near === own ? lower : upper).push([piece, own]);
        }
    }
    return { upper, lower };
}

function Middle({ view, shown, lane, width, thrown }: Omit<LaneProps, "note">): JSX.Element {
    const { upper, lower } = halves(view, shown, lane);
    const chip = chipOf(view, shown, lane);
    const engaged = lane.engagedBy !== undefined;
    const below = lane.engagedBy === shown.bottom;
    const most = blockSize(width, Math.max(upper.length, lower.length), innerHeight > 1100 ? 120 : 82);
    // Where a chip stands too, blocks give it room.
    const crowded = (edge: Chip["edge"]): boolean => chip?.edge === edge;
    const row = (pieces: [PieceOf, boolean][], size: number): JSX.Element => (
        <div class="ground-row">
            {pieces.map(([piece, own]) => (
                <Piece key={piece.id} piece={piece} zone={lane.no} size={size} own={own} />
            ))}
        </div>
    );
    // Dice land where nobody stands.
    const dice = thrown && <LaneDice thrown={thrown} view={view} />;
    const free = upper.length <= lower.length ? "upper" : "lower";
    return (
        <div class="ground">
            <Ground />
            <PlaceButton place={{ zone: lane.no, ground: true }} />
            <div class={`ground-half ground-upper ${engaged && crowded("above") ? "has-chip" : ""}`}>
                {engaged && <span class="ground-part">{t(below ? "battle.ground.engaged" : "battle.ground.advance")}</span>}
                {chip?.edge === "above" && <ChipTag chip={chip} />}
                {row(upper, crowded("above") ? Math.round(most * 0.8) : most)}
                {engaged && free === "upper" && dice}
            </div>
            {engaged && <div class="ground-line" aria-hidden="true" />}
            {!engaged && dice}
            <div class={`ground-half ground-lower ${engaged && crowded("below") ? "has-chip" : ""}`}>
                {engaged && free === "lower" && dice}
                {row(lower, crowded("below") ? Math.round(most * 0.8) : most)}
                {chip?.edge === "below" && <ChipTag chip={chip} />}
                {engaged && <span class="ground-part">{t(below ? "battle.ground.advance" : "battle.ground.engaged")}</span>}
            </div>
        </div>
    );
}

function ChipTag({ chip }: { chip: Chip }): JSX.Element {
    return <span class={`lane-chip ${chip.danger ? "lane-chip-danger" : ""}`}>{chip.text}</span>;
}
