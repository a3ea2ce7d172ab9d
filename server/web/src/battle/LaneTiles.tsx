/** On a phone: three tiles with a tiny picture of each lane; one lane is open below. */
import type { JSX } from "preact";
import { lane as laneName, t } from "@/words";
import { armyName } from "@/ui/army";
import { nationOf, type Force, type LaneView, type Piece } from "./model";
import { useScene } from "./scene";
import type { BattleState } from "./useBattle";
import type { LaneNo, Nation } from "@/types";

/** What a tile tells of: something is due in that lane. */
export function isDue(state: BattleState, lane: LaneView, due: ReadonlySet<string>): boolean {
    return state.live && lane.engagedBy === state.shown.top && lane.below.pieces.some((piece) => due.has(piece.id));
}

export function LaneTiles({ state }: { state: BattleState }): JSX.Element {
    const scene = useScene();
    return (
        <LaneTileRow
            lanes={state.shown.lanes}
            chosen={state.desk.lane.value}
            onChoose={(no) => (state.desk.lane.value = no)}
            isDue={(lane) => isDue(state, lane, scene.due)}
        />
    );
}

interface RowProps {
    lanes: readonly LaneView[];
    chosen: LaneNo;
    onChoose: (no: LaneNo) => void;
    isDue: (lane: LaneView) => boolean;
}

export function LaneTileRow({ lanes, chosen, onChoose, isDue: due }: RowProps): JSX.Element {
    return (
        <div class="lane-tiles" role="group" aria-label={t("battle.lanes")}>
            {lanes.map((lane) => (
                <button
                    key={lane.no}
                    type="button"
                    class="lane-tile"
                    aria-pressed={lane.no === chosen}
                    aria-label={due(lane) ? t("battle.lane_due", { lane: laneName(Number(lane.no)) }) : laneName(Number(lane.no))}
                    onClick={() => onChoose(lane.no)}
                >
                    <Schematic lane={lane} />
                    <span class="lane-tile-name" aria-hidden="true">
                        {laneName(Number(lane.no))}
                        {due(lane) && <b class="lane-tile-due"> !</b>}
                    </span>
                </button>
            ))}
        </div>
    );
}

/** Rows of squares, one a unit: enemy column, advanced of both, own column. */
function Schematic({ lane }: { lane: LaneView }): JSX.Element {
    const advanced = (force: Force, yes: boolean): Nation[] => [
        ...force.pieces.filter((piece: Piece) => piece.advanced === yes).map((piece) => nationOf(piece.id)),
        ...(yes ? [] : force.hidden.flatMap(([nation, n]) => Array.from({ length: n }, () => nation))),
    ];
    const rows = [advanced(lane.above, false), advanced(lane.above, true), advanced(lane.below, true), advanced(lane.below, false)];
    const middle = rows[1]!.length + rows[2]!.length;
    return (
        <svg class="schematic" viewBox="-34 0 68 44" width="68" height="44" aria-hidden="true" focusable="false">
            {rows.map((row, at) => row.map((nation, n) => <Dot key={`${at}/${n}`} nation={nation} n={n} of={row.length} y={[0, 12, 23, 35][at]!} />))}
            {middle === 0 && <circle cx="0" cy="22" r="1.2" fill="var(--ink-3)" />}
        </svg>
    );
}

function Dot({ nation, n, of, y }: { nation: Nation; n: number; of: number; y: number }): JSX.Element {
    const pitch = Math.min(11, 64 / of);
    return <rect x={(n - (of - 1) / 2) * pitch - 4.5} y={y} width={Math.min(9, pitch - 1)} height="9" rx="2" fill={`var(--${armyName[nation]})`} />;
}
