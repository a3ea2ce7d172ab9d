/** Declared combats: darts from the attackers into the defenders, dashed lines of the guns, numbers, odds. */
import type { JSX } from "preact";
import type { HexLayout, Odds } from "./layout";
import { placed } from "./layout";
import { arrow, dart, r1, turned } from "./shapes";
import type { CombatMark, Hex } from "./types";

/** Darts between neighbours: across the side that they share, into the defender. */
function Contact(props: { from: Hex; to: Hex; k: number }): JSX.Element {
    const { k } = props;
    const a = placed(props.from, k);
    const b = placed(props.to, k);
    const size = Math.max(11, 0.42 * k);
    const far = Math.hypot(b.x - a.x, b.y - a.y);
    const share = (0.5 * k + size * 0.3) / far;
    const head = { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, angle: Math.atan2(b.y - a.y, b.x - a.x) };
    return <path class="hex-arrow" d={`M0,0L${r1(-size)},${r1(-size * 0.62)}L${r1(-size * 0.8)},0L${r1(-size)},${r1(size * 0.62)}Z`} transform={turned(head)} />;
}

/** The trajectory of a battery. */
function Shot(props: { from: Hex; to: Hex; k: number; s: number; ice: boolean }): JSX.Element {
    const { k, s } = props;
    const width = Math.max(3, 0.1 * k);
    const size = Math.max(12, 0.38 * k);
    const line = arrow([placed(props.from, k), placed(props.to, k)], s * 0.5, props.ice ? 0 : s * 0.36, size);
    return (
        <g>
            <path class="hex-shot-casing" d={line.d} stroke-width={r1(width + 3)} />
            <path class="hex-shot" d={line.d} stroke-width={r1(width)} stroke-dasharray={`${r1(width * 1.5)} ${r1(width)}`} />
            <path class="hex-arrow" d={dart(size)} transform={turned(line.head)} />
        </g>
    );
}

export function CombatArt(props: { combat: CombatMark; k: number; s: number }): JSX.Element {
    const { combat, k, s } = props;
    const adjacent = (a: Hex, b: Hex): boolean => {
        const [p, q] = [placed(a, 1), placed(b, 1)];
        return Math.hypot(p.x - q.x, p.y - q.y) < 1.1;
    };
    const targets = combat.ice === undefined ? combat.defenders : [combat.ice];
    return (
        <g class={`hex-combat hex-combat-${combat.kind}`}>
            {combat.kind !== "done" &&
                combat.contact.flatMap((from) => combat.defenders.filter((to) => adjacent(from, to)).map((to) => <Contact key={`${from} ${to}`} from={from} to={to} k={k} />))}
            {combat.kind !== "done" &&
                combat.bombard.flatMap((from) => targets.map((to) => <Shot key={`${from} ${to}`} from={from} to={to} k={k} s={s} ice={combat.ice !== undefined} />))}
        </g>
    );
}

const tips: Record<Odds["from"], string> = { left: "M0,0L9,-6V6Z", right: "M0,0L-9,-6V6Z", above: "M0,0L-6,9H6Z", below: "M0,0L-6,-9H6Z" };

/** Numbers of the combats, and their odds as dark labels that point at the defender. */
export function OddsArt(props: { layout: HexLayout }): JSX.Element {
    return (
        <g>
            {props.layout.numbers.map(({ n, at, kind }) => (
                <g key={n} class={`hex-combat-${kind}`} transform={`translate(${r1(at.x)},${r1(at.y)})`}>
                    <g class="board-anchor hex-combat-n">
                        <circle r="9" />
                        <text y="4.3" text-anchor="middle">
                            {n}
                        </text>
                    </g>
                </g>
            ))}
            {props.layout.odds.map(({ n, rect, head, note, tip, from }) => (
                <g key={n} class="hex-odds">
                    <g transform={`translate(${r1(tip.x)},${r1(tip.y)})`}>
                        <g class="board-anchor">
                            <path d={tips[from]} />
                            <path d={`M${r1(rect.x - tip.x + 4)},${r1(rect.y - tip.y)}h${r1(rect.w - 8)}q4,0 4,4v${r1(rect.h - 8)}q0,4 -4,4h${r1(8 - rect.w)}q-4,0 -4,-4v${r1(8 - rect.h)}q0,-4 4,-4Z`} />
                            <text class="hex-odds-head" x={r1(rect.x + rect.w / 2 - tip.x)} y={r1(rect.y - tip.y + 20)} text-anchor="middle">
                                {head}
                            </text>
                            {note && (
                                <text class="hex-odds-note" x={r1(rect.x + rect.w / 2 - tip.x)} y={r1(rect.y - tip.y + 37)} text-anchor="middle">
                                    {note}
                                </text>
                            )}
                        </g>
                    </g>
                </g>
            ))}
        </g>
    );
}
