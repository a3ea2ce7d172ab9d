/** Outlines and arrows as SVG paths; px of the sheet at scale k. */
import type { Point } from "../board/geo";
import { centre, cornersOf, outlines, type Grid } from "./geo";
import type { Edge, Hex } from "./types";

export const r1 = (value: number): number => Math.round(value * 10) / 10;

function closed(points: readonly Point[]): string {
    return `M${points.map((p) => `${r1(p.x)},${r1(p.y)}`).join("L")}Z`;
}

/** The outline of one hex, drawn in by a share of its size. */
export function hexPath(hex: Hex, k: number, inset = 0): string {
    const at = centre(hex);
    return closed(cornersOf(hex).map((p) => ({ x: (at.x + (p.x - at.x) * (1 - inset)) * k, y: (at.y + (p.y - at.y) * (1 - inset)) * k })));
}

/** A square about a point with rounded corners. */
export function squarePath(at: Point, edge: number, r: number): string {
    const [x, y, side] = [r1(at.x - edge / 2), r1(at.y - edge / 2), r1(edge - 2 * r)];
    return `M${r1(x + r)},${y}h${side}q${r},0 ${r},${r}v${side}q0,${r} ${-r},${r}h${-side}q${-r},0 ${-r},${-r}v${-side}q0,${-r} ${r},${-r}Z`;
}

/** The outline of an area of hexes, holes and all. */
export function areaPath(grid: Grid, hexes: Iterable<Hex>, k: number): string {
    return outlines(grid, new Set(hexes))
        .map((loop) => closed(loop.map((p) => ({ x: p.x * k, y: p.y * k }))))
        .join("");
}

const outward: Record<Edge | "vienna", Point> = { north: { x: 0, y: -1 }, east: { x: 1, y: 0 }, south: { x: 0, y: 1 }, west: { x: -1, y: 0 }, vienna: { x: -1, y: 0 } };

/** The direction off the board at an edge. */
export function wayOut(edge: Edge | "vienna"): Point {
    return outward[edge];
}

export interface Stroke {
    /** The line without its head. */
    d: string;
    head: Point & { angle: number };
}

/** An arrow through points: it leaves the first by `from` px and its tip stops `to` px before the last. */
export function arrow(points: readonly Point[], from: number, to: number, headSize: number): Stroke {
    const line = [...points];
    const towards = (a: Point, b: Point, by: number): Point => {
        const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        const share = Math.min(0.9, by / length);
        return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
    };
    const last = line.length - 1;
    line[0] = towards(points[0]!, points[1]!, from);
    const before = line[last - 1]!;
    const tip = towards(points[last]!, before, to);
    const angle = Math.atan2(points[last]!.y - before.y, points[last]!.x - before.x);
    line[last] = { x: tip.x - Math.cos(angle) * headSize * 0.7, y: tip.y - Math.sin(angle) * headSize * 0.7 };
    return { d: roundedPath(line, headSize * 0.9), head: { ...tip, angle } };
}

/** A polyline with its corners rounded by at most r px. */
export function roundedPath(points: readonly Point[], r: number): string {
    let d = `M${r1(points[0]!.x)},${r1(points[0]!.y)}`;
    for (let i = 1; i < points.length; i++) {
        const p = points[i]!;
        const next = points[i + 1];
        if (!next) {
            d += `L${r1(p.x)},${r1(p.y)}`;
            break;
        }
        const before = points[i - 1]!;
        const a = Math.hypot(p.x - before.x, p.y - before.y);
        const b = Math.hypot(next.x - p.x, next.y - p.y);
        const cut = Math.min(r, a / 2, b / 2);
        if (cut < 0.5) {
            d += `L${r1(p.x)},${r1(p.y)}`;
            continue;
        }
        d += `L${r1(p.x + ((before.x - p.x) * cut) / a)},${r1(p.y + ((before.y - p.y) * cut) / a)}Q${r1(p.x)},${r1(p.y)} ${r1(p.x + ((next.x - p.x) * cut) / b)},${r1(p.y + ((next.y - p.y) * cut) / b)}`;
    }
    return d;
}

/** A dart of `size` px with its tip at the origin, pointing east. */
export function dart(size: number): string {
    return `M0,0L${r1(-size)},${r1(-size * 0.5)}L${r1(-size * 0.74)},0L${r1(-size)},${r1(size * 0.5)}Z`;
}

export function turned(p: Point & { angle: number }): string {
    return `translate(${r1(p.x)},${r1(p.y)}) rotate(${r1((p.angle * 180) / Math.PI)})`;
}
