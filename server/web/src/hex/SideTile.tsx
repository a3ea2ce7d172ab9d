/** The marks of the two sides, for counters, sentences and seats. */
import type { JSX } from "preact";
import { MarkFigure, MarkTile } from "../ui/ArmyMark";
import type { Side } from "./types";

/** Whose colours of tokens.css a side bears. */
const paint: Record<Side, string> = { french: "french", allied: "anglo-dutch" };

/** The mark of a side in a field of 20 units: roundel, upright cross. */
export function SideMark(props: { side: Side; color: string }): JSX.Element {
    if (props.side === "french") return <MarkFigure army="FR" color={props.color} />;
    return <path d="M0,-8V8M-8,0H8" stroke={props.color} stroke-width="3" stroke-linecap="square" fill="none" />;
}

/** A side's colour and mark as a small tile, for sentences and tables. */
export function SideTile(props: { side: Side; size?: number; label?: string }): JSX.Element {
    return (
        <MarkTile paint={paint[props.side]} size={props.size} label={props.label}>
            <SideMark side={props.side} color="#fff8e8" />
        </MarkTile>
    );
}
