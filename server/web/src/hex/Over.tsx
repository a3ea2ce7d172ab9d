/** What lies over the sheet: bridges, broken ice, shading, rings, counters, paths, combats, names. */
import type { JSX } from "preact";
import { memo } from "../ui/memo";
import { sideBetween } from "./geo";
import { CombatArt, OddsArt } from "./Combats";
import { CounterArt } from "./Counter";
import { BridgeArt, BridgeMarks, BrokenIce, EdgeArt } from "./Ground";
import type { HexLayout } from "./layout";
import { placed } from "./layout";
import { areaPath, arrow, dart, hexPath, r1, squarePath, turned, wayOut } from "./shapes";
import type { HexSheet } from "./sheet";
import type { Hex, HexMarks, HexView, LegalMark, PathMark, Side } from "./types";

/** From this many on, hexes that may be chosen are shaded as one area instead of ringed one by one. */
const manyLegal = 25;

function Shading(props: { sheet: HexSheet; marks: HexMarks; k: number }): JSX.Element {
    const { sheet, marks, k } = props;
    const moves = (marks.legal ?? []).filter((mark) => (mark.kind ?? "move") === "move").map((mark) => mark.hex);
    const reach = new Set([...(marks.reach ?? []), ...(moves.length >= manyLegal ? moves : [])]);
    const zones = marks.zones && marks.zones.length > 0 ? areaPath(sheet.grid, marks.zones, k) : undefined;
    const ground = reach.size > 0 ? areaPath(sheet.grid, reach, k) : undefined;
    return (
        <g>
            {ground && <path class="hex-reach" d={ground} fill-rule="evenodd" />}
            {zones && (
                <>
                    <path class="hex-zone" d={zones} fill-rule="evenodd" />
                    <path d={zones} fill="url(#hex-hatch)" fill-rule="evenodd" />
                    <path class="hex-zone-edge" d={zones} />
                </>
            )}
            {ground && <path class="hex-reach-edge" d={ground} />}
        </g>
    );
}

/** Dashes about a hex, or about the counter in it. */
function LegalArt(props: { mark: LegalMark; k: number; s: number; taken: boolean }): JSX.Element {
    const { mark, k, s } = props;
    const kind = mark.kind ?? "move";
    const d = props.taken ? squarePath(placed(mark.hex, k), s + 5, 5) : hexPath(mark.hex, k, 0.09);
    if (props.taken) {
        return (
            <g class={`hex-legal-${kind}`}>
                <path class="hex-legal-out" d={d} />
                <path class="hex-legal-line" d={d} />
            </g>
        );
    }
    return (
        <g class={`hex-legal-${kind}`}>
            <path class="hex-legal" d={d} />
            <path class="hex-legal-out" d={d} />
            <path class="hex-legal-line" d={d} />
        </g>
    );
}

/** The few letters in a hex that may be chosen; over a counter they stand at its foot. */
function NoteArt(props: { mark: LegalMark; k: number; s: number; taken: boolean }): JSX.Element {
    const { mark, k, s } = props;
    const at = placed(mark.hex, k);
    const note = mark.note ?? "";
    const w = Math.max(18, 9 + note.length * 7.4);
    const y = props.taken ? at.y + s * 0.5 : at.y + (k >= 34 ? k * 0.06 : 0);
    return (
        <g transform={`translate(${r1(at.x)},${r1(y)})`}>
            <g class="board-anchor">
                <rect class="hex-note-card" x={r1(-w / 2)} y="-9" width={r1(w)} height="18" rx="9" />
                <text class="hex-note" y="4.3" text-anchor="middle">
                    {note}
                </text>
            </g>
        </g>
    );
}

/** The way of a move, off the board at its end if it goes there. */
function PathArt(props: { path: PathMark; k: number; s: number }): JSX.Element | null {
    const { path, k, s } = props;
    const points = path.hexes.map((hex) => placed(hex, k));
    if (path.exit) {
        const last = points[points.length - 1]!;
        const out = wayOut(path.exit);
        points.push({ x: last.x + out.x * k * 0.95, y: last.y + out.y * k * 0.95 });
    }
    if (points.length < 2) return null;
    const width = path.kind === "edited" || path.kind === "advance" ? 5 : 3.4;
    const size = width === 5 ? 17 : 14;
    const line = arrow(points, s * 0.36, path.exit ? 0 : k * 0.1, size);
    const dash = path.kind === "retreat" ? "2.5 6" : path.kind === "told" ? "9 5" : undefined;
    return (
        <g class={`hex-path hex-path-${path.side}`}>
            <path class="hex-path-casing" d={line.d} stroke-width={width + 4} />
            <path class="hex-path-casing" d={dart(size)} transform={turned(line.head)} stroke-width="4" />
            <path class="hex-path-line" d={line.d} stroke-width={width} stroke-dasharray={dash} stroke-linecap={dash?.startsWith("2.5") ? "round" : "butt"} />
            <path class="hex-path-head" d={dart(size)} transform={turned(line.head)} />
        </g>
    );
}

interface CountersProps {
    view: HexView;
    marks: HexMarks;
    k: number;
    s: number;
    shown: ReadonlySet<Hex>;
}

function Counters(props: CountersProps): JSX.Element {
    const { view, marks, k, s, shown } = props;
    const selected = new Set(marks.selected ?? []);
    const attacked = new Set(marks.attacked ?? []);
    const lost = new Set(marks.lost ?? []);
    const edited = (marks.combats ?? []).filter((combat) => combat.kind === "edited" || combat.kind === "hand");
    for (const combat of edited) {
        for (const hex of [...combat.contact, ...combat.bombard]) selected.add(hex);
        for (const hex of combat.defenders) attacked.add(hex);
    }
    // Southern counters lie over northern ones, and what is ringed over all, so that no ring is cut.
    const ringed = (hex: Hex): number => (selected.has(hex) || attacked.has(hex) ? 1 : 0);
    const order = Object.entries(view.board.units).sort(([a], [b]) => ringed(a) - ringed(b) || placed(a, 1).y - placed(b, 1).y || placed(a, 1).x - placed(b, 1).x);
    const corner = (hex: Hex): string => {
        const at = placed(hex, k);
        return `translate(${r1(at.x - s / 2)},${r1(at.y - s / 2)})`;
    };
    return (
        <g class="hex-counters">
            {order.map(([hex, unit]) => (
                <g key={hex} data-unit={hex} transform={corner(hex)}>
                    <g class="hex-slide">
                        <CounterArt
                            unit={unit}
                            size={s}
                            shown={shown.has(hex)}
                            selected={selected.has(hex)}
                            attacked={attacked.has(hex)}
                            dim={marks.dim?.has(hex) ?? false}
                            lost={lost.has(hex)}
                        />
                    </g>
                </g>
            ))}
            {(marks.ghosts ?? []).map(({ hex, unit }) => (
                <g key={`${hex} ghost`} transform={corner(hex)}>
                    <CounterArt unit={unit} size={s} ghost />
                </g>
            ))}
        </g>
    );
}

function Urgent(props: { hexes: readonly Hex[]; k: number; s: number }): JSX.Element {
    return (
        <g>
            {props.hexes.map((hex) => {
                const at = placed(hex, props.k);
                return (
                    <g key={hex} class="hex-urgent" transform={`translate(${r1(at.x - props.s * 0.48)},${r1(at.y - props.s * 0.48)})`}>
                        <g class="board-anchor">
                            <circle r="9" />
                            <path d="M0,-4.6V.8M0,4.2V4.3" />
                        </g>
                    </g>
                );
            })}
        </g>
    );
}

function Names(props: { layout: HexLayout }): JSX.Element {
    return (
        <g class="board-names">
            {props.layout.names.map((label) =>
                label.hidden ? null : (
                    <g key={label.id} transform={`translate(${r1(label.rect.x + label.rect.w / 2)},${r1(label.rect.y + label.rect.h * 0.76)})`}>
                        <text class={`board-anchor board-name ${label.hill ? "hex-hill" : ""}`} text-anchor="middle" font-size={label.size}>
                            {label.text}
                        </text>
                    </g>
                ),
            )}
        </g>
    );
}

/** Arrows off the board that may be chosen. */
function WaysOut(props: { exits: NonNullable<HexMarks["exits"]>; k: number }): JSX.Element {
    return (
        <g class="hex-way-out">
            {props.exits.map(({ hex, edge }) => {
                const at = placed(hex, props.k);
                const out = wayOut(edge);
                const head = { x: at.x + out.x * props.k * 1.14, y: at.y + out.y * props.k * 1.14, angle: Math.atan2(out.y, out.x) };
                return <path key={`${hex} ${edge}`} d={dart(Math.max(18, props.k * 0.56))} transform={turned(head)} />;
            })}
        </g>
    );
}

export interface OverProps {
    sheet: HexSheet;
    layout: HexLayout;
    view: HexView;
    marks: HexMarks;
    shown: ReadonlySet<Hex>;
    /** Words of the edges change with the language. */
    language: string;
    exitText: string;
    mine: readonly Side[];
}

/** All of it, in the order in which it lies. */
export const Over = memo(function Over(props: OverProps): JSX.Element {
    const { sheet, layout, view, marks, shown } = props;
    const { k, s } = layout;
    const { units, broken_ice: broken, destroyed_bridges: gone } = view.board;
    const legal = marks.legal ?? [];
    const moves = legal.filter((mark) => (mark.kind ?? "move") === "move").length;
    const ringed = legal.filter((mark) => (mark.kind ?? "move") !== "move" || moves < manyLegal);
    const hexsides = marks.hexsides ?? [];
    return (
        <>
            <EdgeArt sheet={sheet} k={k} exitText={props.exitText} />
            <BrokenIce hexes={broken} k={k} />
            <Shading sheet={sheet} marks={marks} k={k} />
            <BridgeArt sheet={sheet} k={k} gone={gone} />
            {ringed.filter((mark) => !units[mark.hex]).map((mark) => (
                <LegalArt key={`${mark.hex} ${mark.kind}`} mark={mark} k={k} s={s} taken={false} />
            ))}
            {hexsides.map(({ a, b }) => {
                const d = sidePath(a, b, k);
                return d === "" ? null : (
                    <g key={`${a} ${b}`}>
                        <path class="hex-hexside-out" d={d} />
                        <path class="hex-hexside" d={d} />
                    </g>
                );
            })}
            <Names layout={layout} />
            {(marks.paths ?? []).map((path, i) => (
                <PathArt key={i} path={path} k={k} s={s} />
            ))}
            <Counters view={view} marks={marks} k={k} s={s} shown={shown} />
            {ringed.filter((mark) => units[mark.hex]).map((mark) => (
                <LegalArt key={`${mark.hex} ${mark.kind}`} mark={mark} k={k} s={s} taken />
            ))}
            {legal.filter((mark) => mark.note !== undefined).map((mark) => (
                <NoteArt key={`${mark.hex} ${mark.kind}`} mark={mark} k={k} s={s} taken={units[mark.hex] !== undefined} />
            ))}
            {marks.bridges && <BridgeMarks sheet={sheet} k={k} marked={marks.bridges} />}
            <WaysOut exits={marks.exits ?? []} k={k} />
            {(marks.combats ?? []).map((combat) => (
                <CombatArt key={combat.n} combat={combat} k={k} s={s} />
            ))}
            {(marks.told ?? []).map((hex) => (
                <path key={hex} class="hex-told" d={hexPath(hex, k, -0.04)} />
            ))}
            <Urgent hexes={Object.keys(marks.urgent ?? {})} k={k} s={s} />
            <OddsArt layout={layout} />
        </>
    );
});

function sidePath(a: Hex, b: Hex, k: number): string {
    const side = sideBetween(a, b);
    if (!side) return "";
    const [p, q] = side;
    return `M${r1(p.x * k)},${r1(p.y * k)}L${r1(q.x * k)},${r1(q.y * k)}`;
}
