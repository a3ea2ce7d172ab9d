/** What of the ground a match can change, and the edges of the board. */
import type { JSX } from "preact";
import { memo } from "../ui/memo";
import { hexGrowth } from "./growth";
import { hexAt } from "./geo";
import { placed } from "./layout";
import { hexPath, r1 } from "./shapes";
import type { HexSheet } from "./sheet";
import type { Hex, HexMarks } from "./types";

/** Open water where the ice was, with a few floes. */
export const BrokenIce = memo(function BrokenIce(props: { hexes: readonly Hex[]; k: number }): JSX.Element {
    const { k } = props;
    return (
        <g>
            {props.hexes.map((hex) => {
                const at = placed(hex, k);
                const floe = (x: number, y: number, s: number): string => `M${r1(at.x + x * k)},${r1(at.y + y * k)}l${r1(s * k)},${r1(-0.4 * s * k)}l${r1(0.6 * s * k)},${r1(0.5 * s * k)}l${r1(-0.9 * s * k)},${r1(0.4 * s * k)}Z`;
                return (
                    <g key={hex}>
                        <path class="hex-broken" d={hexPath(hex, k, 0.05)} />
                        <path class="hex-broken-floe" d={`${floe(-0.3, -0.16, 0.14)}${floe(0.05, 0.24, 0.12)}${floe(0.12, -0.24, 0.1)}`} />
                    </g>
                );
            })}
        </g>
    );
});

interface BridgeProps {
    sheet: HexSheet;
    k: number;
    gone: readonly string[];
}

/** Half the length of a deck at 38 px a hex. */
const deck = 7;

/** Decks with flared parapets; of a destroyed one the ends stand, with water between them and a cross. */
export const BridgeArt = memo(function BridgeArt(props: BridgeProps): JSX.Element {
    const { k } = props;
    const g = hexGrowth(k);
    const half = deck * g;
    const flare = 2.8 * g;
    return (
        <g>
            {[...props.sheet.bridges.values()].map((bridge) => {
                const rail = (bridge.highway ? 4 : 3.2) * g;
                const gone = props.gone.includes(bridge.id);
                const rails = [-1, 1].map((side) => {
                    const y = r1(side * rail);
                    const out = r1(side * (rail + flare));
                    const whole = `M${r1(-half - flare)},${out}Q${r1(-half)},${y} ${r1(-half + flare)},${y}`;
                    const end = `M${r1(half + flare)},${out}Q${r1(half)},${y} ${r1(half - flare)},${y}`;
                    return gone ? whole + end : `${whole}H${r1(half - flare)}Q${r1(half)},${y} ${r1(half + flare)},${out}`;
                });
                return (
                    <g key={bridge.id} transform={`translate(${r1(bridge.at.x * k)},${r1(bridge.at.y * k)}) rotate(${r1((bridge.angle * 180) / Math.PI)})`}>
                        {gone ? (
                            <ellipse class="hex-bridge-gap" rx={r1(3.4 * g)} ry={r1(rail + 1.4 * g)} />
                        ) : (
                            <rect class="hex-bridge-deck" x={r1(-half)} y={r1(-rail)} width={r1(2 * half)} height={r1(2 * rail)} />
                        )}
                        <path class="hex-bridge-rail" d={rails.join("")} />
                        {gone && <path class="hex-bridge-gone" d={`M${r1(-4 * g)},${r1(-4 * g)}L${r1(4 * g)},${r1(4 * g)}M${r1(4 * g)},${r1(-4 * g)}L${r1(-4 * g)},${r1(4 * g)}`} />}
                    </g>
                );
            })}
        </g>
    );
});

/** Rings about bridges that may be chosen; crosses over those that the draft destroys. */
export const BridgeMarks = memo(function BridgeMarks(props: { sheet: HexSheet; k: number; marked: NonNullable<HexMarks["bridges"]> }): JSX.Element {
    const { k } = props;
    const r = deck * hexGrowth(k) + 6;
    return (
        <g>
            {Object.entries(props.marked).map(([id, mark]) => {
                const at = props.sheet.bridges.get(id)?.at;
                if (!at) return null;
                return (
                    <g key={id} class={`hex-bridge-${mark}`} transform={`translate(${r1(at.x * k)},${r1(at.y * k)})`}>
                        <circle class="hex-bridge-ring" r={r1(r)} />
                        <circle class="hex-bridge-ring-line" r={r1(r)} />
                        {mark === "draft" && <path class="hex-bridge-gone" d={`M${r1(-r * 0.4)},${r1(-r * 0.4)}L${r1(r * 0.4)},${r1(r * 0.4)}M${r1(r * 0.4)},${r1(-r * 0.4)}L${r1(-r * 0.4)},${r1(r * 0.4)}`} />}
                    </g>
                );
            })}
        </g>
    );
});

/** Where armies may leave: a dart at every other hex of an edge in the colour of the army that may, large ones at the Vienna road. */
export const EdgeArt = memo(function EdgeArt(props: { sheet: HexSheet; k: number; exitText: string }): JSX.Element {
    const { sheet, k } = props;
    const { columns, rows } = sheet.grid;
    const vienna = new Set(sheet.vienna);
    const s = Math.max(5, 0.2 * k);
    const small = (x: number, y: number, turn: number, side: string): JSX.Element => (
        <path key={`${x} ${y} ${turn}`} class={`hex-edge hex-edge-${side}`} d={`M${r1(-s * 0.55)},${r1(-s * 0.6)}L${r1(s * 0.45)},0L${r1(-s * 0.55)},${r1(s * 0.6)}Z`} transform={`translate(${r1(x)},${r1(y)}) rotate(${turn})`} />
    );
    const darts: JSX.Element[] = [];
    const off = 0.3 * k;
    for (let row = 1; row <= rows; row += 2) {
        const west = hexAt(sheet.grid, 1, row)!;
        const [w, e] = [placed(west, k), placed(hexAt(sheet.grid, columns, row)!, k)];
        if (!vienna.has(west)) darts.push(small(sheet.middle.x * k - off, w.y, 180, "french"));
        darts.push(small((sheet.middle.x + sheet.middle.w) * k + off, e.y, 0, "allied"));
    }
    for (let column = 2; column <= columns; column += 2) {
        const [n, p] = [placed(hexAt(sheet.grid, column, 1)!, k), placed(hexAt(sheet.grid, column, rows)!, k)];
        darts.push(small(n.x, sheet.middle.y * k - off, -90, "allied"));
        darts.push(small(p.x, (sheet.middle.y + sheet.middle.h) * k + off, 90, "allied"));
    }
    const places = sheet.vienna.map((hex) => placed(hex, k));
    const mid = places.reduce((sum, p) => sum + p.y, 0) / Math.max(1, places.length);
    const size = Math.max(9, 0.42 * k);
    return (
        <g>
            {darts}
            {places.map((p, i) => (
                <path
                    key={i}
                    class="hex-edge hex-edge-allied"
                    d={`M${r1(-size * 0.5)},${r1(-size * 0.2)}H${r1(size * 0.05)}V${r1(-size * 0.5)}L${r1(size * 0.6)},0L${r1(size * 0.05)},${r1(size * 0.5)}V${r1(size * 0.2)}H${r1(-size * 0.5)}Z`}
                    transform={`translate(${r1(sheet.middle.x * k - off)},${r1(p.y)}) rotate(180)`}
                />
            ))}
            {places.length > 0 && (
                <g transform={`translate(${r1(sheet.middle.x * k + 0.7 * k)},${r1(mid)})`}>
                    <text class="board-anchor board-name hex-exit" text-anchor="start" y="4">
                        {props.exitText}
                    </text>
                </g>
            )}
        </g>
    );
});
