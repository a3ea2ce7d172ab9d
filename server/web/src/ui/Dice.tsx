/** Dice that tumble and land on the server's numbers. */
import type { JSX } from "preact";
import "./dice.css";

const pips: Record<number, [number, number][]> = {
    1: [[0, 0]],
    2: [[-1, -1], [1, 1]],
    3: [[-1, -1], [0, 0], [1, 1]],
    4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
    5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
    6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export interface DiceProps {
    /** The numbers that the server rolled, in order. */
    faces: readonly number[];
    /** Faces that hit: a number of them from the highest, or their places. */
    hits?: ReadonlySet<number> | ((face: number) => boolean);
    /** True while they tumble: 600 ms, then 300 ms to settle; any key or tap ends it (the owner sets it to false). */
    rolling?: boolean;
    size?: number;
    /** Spoken in place of the figures ("6, 2, 5. One hit."). */
    label?: string;
    onSettled?: () => void;
}

/** One die: a figure in place of pips when small. */
export function Die(props: { face: number; hit?: boolean; size?: number; figure?: boolean; turn?: number; onEnd?: () => void }): JSX.Element {
    const size = props.size ?? 30;
    const figure = props.figure ?? size < 20;
    return (
        <svg
            class={`die ${props.hit ? "die-hit" : ""} ${props.turn !== undefined ? `die-rolling die-turn-${props.turn % 4}` : ""}`}
            width={size}
            height={size}
            viewBox="-12 -12 24 24"
            aria-hidden="true"
            focusable="false"
            onAnimationEnd={props.onEnd}
        >
            <rect class="die-body" x="-11" y="-11" width="22" height="22" rx="4" />
            <path class="die-light" d="M-9.8,7V-7Q-9.8,-9.8 -7,-9.8H7" />
            {figure ? (
                <text y="5.4" text-anchor="middle" font-size="15" font-weight="700">
                    {props.face}
                </text>
            ) : (
                (pips[props.face] ?? []).map(([x, y]) => <circle key={`${x},${y}`} cx={x * 5.6} cy={y * 5.6} r="2.1" />)
            )}
        </svg>
    );
}

/** A throw of dice. */
export function Dice(props: DiceProps): JSX.Element {
    const { faces, hits } = props;
    const isHit = (face: number, at: number): boolean => (typeof hits === "function" ? hits(face) : (hits?.has(at) ?? false));
    const spoken = props.label ?? faces.join(", ");
    return (
        <span class="dice" role="img" aria-label={spoken}>
            {faces.map((face, at) => (
                <Die
                    key={at}
                    face={face}
                    hit={isHit(face, at)}
                    size={props.size}
                    turn={props.rolling ? at : undefined}
                    onEnd={props.rolling && at === faces.length - 1 ? props.onSettled : undefined}
                />
            ))}
        </span>
    );
}
