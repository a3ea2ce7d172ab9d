/** The marks that tell armies apart without colour: roundel, saltire, cross pattée. */
import type { ComponentChildren, JSX } from "preact";
import { armiesOf, armyName, type Nation } from "./army";
import "./block.css";

const pattee = "M-3.4,-9H3.4L1.5,-1.5L9,-3.4V3.4L1.5,1.5L3.4,9H-3.4L-1.5,1.5L-9,3.4V-3.4L-1.5,-1.5Z";

/** The bare figure in a field of 20 units about the origin, in the colour given. */
export function MarkFigure(props: { army: Nation; color: string; opacity?: number }): JSX.Element {
    const { color, opacity } = props;
    if (props.army === "FR") {
        return (
            <g fill="none" stroke={color} opacity={opacity}>
                <circle r="8" stroke-width="2.4" />
                <circle r="3" fill={color} stroke="none" />
            </g>
        );
    }
    if (props.army === "AD") {
        return (
            <path
                d="M-6.4,-6.4L6.4,6.4M-6.4,6.4L6.4,-6.4"
                stroke={color}
                opacity={opacity}
                stroke-width="3.6"
                stroke-linecap="square"
                fill="none"
            />
        );
    }
    return <path d={pattee} fill={color} opacity={opacity} />;
}

/** A small tile in a colour of tokens.css with a mark in it; with a label it is a picture, else decoration. */
export function MarkTile(props: {
    paint: string;
    size?: number | undefined;
    label?: string | undefined;
    class?: string | undefined;
    army?: Nation;
    children: ComponentChildren;
}): JSX.Element {
    const size = props.size ?? 14;
    return (
        <svg
            class={`army-mark ${props.class ?? ""}`}
            data-army={props.army}
            width={size}
            height={size}
            viewBox="-12 -12 24 24"
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <rect x="-12" y="-12" width="24" height="24" rx="3.4" fill={`var(--${props.paint})`} />
            <rect x="-11.4" y="-11.4" width="22.8" height="22.8" rx="3" fill="none" stroke={`var(--${props.paint}-dark)`} stroke-width="1.2" />
            {props.children}
        </svg>
    );
}

/** An army's colour and mark as a small tile, for sentences, seats and tables. */
export function ArmyMark(props: { army: Nation; size?: number; label?: string; class?: string }): JSX.Element {
    return (
        <MarkTile paint={armyName[props.army]} {...props}>
            <MarkFigure army={props.army} color={`var(--mark-${props.army}, #fff8e8)`} />
        </MarkTile>
    );
}

/** The marks of what a seat, side or nation commands at the start: the Allies together bear both. */
export function SideMarks({ side, size = 14 }: { side: string; size?: number }): JSX.Element {
    return (
        <span class="side-marks">
            {armiesOf(side).map((army) => (
                <ArmyMark key={army} army={army} size={size} />
            ))}
        </span>
    );
}
