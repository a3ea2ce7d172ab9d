/** What follows the pointer while a counter is dragged. */
import type { JSX } from "preact";
import { DragFrame } from "../board/DragFrame";
import { CounterArt } from "./Counter";
import type { Hex, HexUnit } from "./types";

export interface HexDrag {
    from: Hex;
    x: number;
    y: number;
    /** Hexes dragged over, each a neighbour of the one before; the last may be where the pointer is. */
    via: Hex[];
    over: Hex | undefined;
    note: string | undefined;
    barred: boolean;
}

const size = 44;

/** The counter, lifted and slightly turned, with a line on where it is. */
export function DragGhost(props: { drag: HexDrag; unit: HexUnit | undefined }): JSX.Element | null {
    const { drag, unit } = props;
    if (!unit || (drag.x === 0 && drag.y === 0)) return null;
    return (
        <DragFrame {...drag} width={size} height={size}>
            <g transform={`translate(${-size / 2},${-size / 2})`}>
                <CounterArt unit={unit} size={size} selected />
            </g>
        </DragFrame>
    );
}
