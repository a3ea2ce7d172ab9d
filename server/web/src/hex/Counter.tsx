/** Counters: open with head, symbol and figures, or mute in the army's colour; measures as on a card of 56. */
import type { JSX } from "preact";
import { ensureDefs } from "../ui/defs";
import { memo } from "../ui/memo";
import { SymbolFigure } from "../ui/SymbolFigure";
import { isOpen } from "./faces";
import { SideMark } from "./SideTile";
import type { Arm, CounterProps, HexUnit } from "./types";
import "./hex.css";

export { SideMark, SideTile } from "./SideTile";

const card = 56;
/** Smaller than this a card bears its symbol and potential alone. */
const small = 25;

/** The symbol of an arm: its field in one colour, its figure in the other. */
export function ArmFigure(props: { arm: Arm; field: string; figure: string }): JSX.Element {
    return <SymbolFigure type={props.arm === "artillery" ? "foot_artillery" : props.arm} field={props.field} figure={props.figure} />;
}

function OpenFace(props: { unit: HexUnit; tiny: boolean }): JSX.Element {
    const { unit, tiny } = props;
    const ink = "var(--label-ink, #2a1f14)";
    return (
        <>
            <rect width={card} height={card} rx="3.2" fill="#f6eedb" stroke="var(--army-dark)" />
            {tiny ? (
                <>
                    <g transform="translate(28,18) scale(1.62)">
                        <ArmFigure arm={unit.type} field="var(--army-head)" figure="#fff8e6" />
                    </g>
                    <text x="28" y="52" text-anchor="middle" font-weight="800" font-size="23" fill={ink}>
                        {unit.potential}
                    </text>
                </>
            ) : (
                <>
                    <path d="M3.2,1H52.8Q55,1 55,3.2V16.1H1V3.2Q1,1 3.2,1Z" fill="var(--army-head)" />
                    <text x="28" y="12.9" text-anchor="middle" font-weight="700" font-size="13.2" fill="#fff8e6">
                        {unit.id}
                    </text>
                    <g transform="translate(28,27.2) scale(1.18)">
                        <ArmFigure arm={unit.type} field="var(--army-head)" figure="#fff8e6" />
                    </g>
                    <text class="hex-figures" x="28" y="52.2" text-anchor="middle" font-weight="800" font-size="16.6" fill={ink}>
                        {`${unit.potential}–${unit.movement}`}
                    </text>
                </>
            )}
        </>
    );
}

function MuteFace(props: { unit: HexUnit; tiny: boolean }): JSX.Element {
    const { unit, tiny } = props;
    return (
        <>
            <rect width={card} height={card} rx="3.2" fill="var(--army)" stroke="var(--army-dark)" />
            <rect class="hex-pattern" width={card} height={card} rx="3.2" fill="url(#vd-lines)" />
            <path d="M1.2,53V3Q1.2,1.2 3,1.2H53" stroke="#fff" stroke-opacity=".4" fill="none" />
            <g transform={tiny ? "translate(28,21) scale(1.75)" : "translate(28,22.4) scale(1.46)"}>
                <ArmFigure arm={unit.type} field="var(--army-dark)" figure="#fff4dc" />
            </g>
            <g transform={`translate(28,45.9) scale(${tiny ? 0.86 : 0.9})`} opacity=".94">
                <SideMark side={unit.side} color="#fff4dc" />
            </g>
        </>
    );
}

/** Discs at the corners: an eye for what is turned up, an arrow for what has moved, a broken arch for what has blown up a bridge. */
function Discs(props: { unit: HexUnit; shown: boolean }): JSX.Element {
    const { unit } = props;
    return (
        <>
            {props.shown && (
                <g class="hex-disc" transform="translate(54,2)">
                    <circle r="8" />
                    <ellipse rx="4.8" ry="3" />
                    <circle class="hex-dot" r="1.6" />
                </g>
            )}
            {unit.moved && (
                <g class="hex-disc" transform="translate(53,53)">
                    <circle r="7.4" />
                    <path d="M-3.8,0H3.2M.4,-3L3.6,0L.4,3" />
                </g>
            )}
            {unit.destroyed_bridge && (
                <g class="hex-disc" transform="translate(3,53)">
                    <circle r="7.4" />
                    <path d="M-5,2.6Q-4.4,-2.4 -1.4,-2.8M5,2.6Q4.4,-2.4 1.4,-2.8M-1.8,.6L1.8,4.2M1.8,.6L-1.8,4.2" />
                </g>
            )}
        </>
    );
}

export interface CounterArtProps extends Omit<CounterProps, "label"> {}

/** The drawing, for use inside an SVG; its upper left corner is the origin. */
export const CounterArt = memo(function CounterArt(props: CounterArtProps): JSX.Element {
    const { unit, size } = props;
    const tiny = size < small;
    const ring = props.attacked ? "attacked" : props.selected ? "selected" : undefined;
    return (
        <g class={`hex-counter hex-${unit.side} ${props.dim ? "hex-dim" : ""} ${props.ghost ? "hex-ghost" : ""}`} transform={`scale(${(size / card).toFixed(4)})`}>
            {!props.ghost && (
                <>
                    <rect class="hex-shadow" x="2" y="3" width={card} height={card} rx="3.2" />
                    <rect x=".8" y="1.6" width={card} height={card} rx="3.2" fill="var(--army-dark)" />
                </>
            )}
            {isOpen(unit) ? <OpenFace unit={unit} tiny={tiny} /> : <MuteFace unit={unit} tiny={tiny} />}
            <rect class="hex-bevel" x=".5" y=".5" width={card - 1} height={card - 1} rx="3" />
            {props.ghost && <rect class="hex-ghost-line" x="-1" y="-1" width={card + 2} height={card + 2} rx="4" />}
            {props.lost && <path class="hex-lost" d="M4,4L52,52M52,4L4,52" />}
            {ring && (
                <g class={`hex-ring hex-ring-${ring}`}>
                    <rect class="hex-ring-out" x="-3" y="-3" width={card + 6} height={card + 6} rx="5" />
                    <rect class="hex-ring-line" x="-3" y="-3" width={card + 6} height={card + 6} rx="5" />
                </g>
            )}
            <Discs unit={unit} shown={props.shown ?? false} />
        </g>
    );
});

/** A counter as a picture of its own, for panels and lists. */
export function Counter(props: CounterProps): JSX.Element {
    ensureDefs();
    const { size, label, ...art } = props;
    const rim = Math.ceil(size * 0.14);
    const whole = size + 2 * rim;
    return (
        <svg
            class="hex-counter-picture"
            width={whole}
            height={whole}
            viewBox={`${-rim} ${-rim} ${whole} ${whole}`}
            style={{ margin: `${-rim}px` }}
            role={label ? "img" : undefined}
            aria-label={label}
            aria-hidden={label ? undefined : "true"}
            focusable="false"
        >
            <CounterArt {...art} size={size} />
        </svg>
    );
}
