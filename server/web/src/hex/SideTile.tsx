/** The marks of the two sides, for counters, sentences and seats. */
import type { JSX } from "preact";
import { MarkFigure } from "../ui/ArmyMark";
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
    const size = props.size ?? 14;
    return (
        <svg
            class="army-mark"
            width={size}
            height={size}
            viewBox="-12 -12 24 24"
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <rect x="-12" y="-12" width="24" height="24" rx="3.4" fill={`var(--${paint[props.side]})`} />
            <rect x="-11.4" y="-11.4" width="22.8" height="22.8" rx="3" fill="none" stroke={`var(--${paint[props.side]}-dark)`} stroke-width="1.2" />
            <SideMark side={props.side} color="#fff8e8" />
        </svg>
    );
}
