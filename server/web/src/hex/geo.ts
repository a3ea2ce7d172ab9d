/**
 * Flat-top hexes numbered CCRR: even columns stand half a hex further south (rule 2.1). Lengths are in
 * hexes: 1 is the way from a middle to the next, 522 m on the ground; y goes south.
 */
import type { Point } from "../board/geo";
import type { Hex } from "./types";

/** From the middle to a corner. */
export const radius = 1 / Math.sqrt(3);
/** From a column to the next. */
export const pitch = 1.5 * radius;

/** The ways out of a hex, clockwise from the north. */
export const ways = ["N", "NE", "SE", "S", "SW", "NW"] as const;
export type Way = (typeof ways)[number];

/** Corners clockwise from the north-west end of the north side; side w lies between corners w and w + 1. */
const corners: readonly Point[] = [4, 5, 0, 1, 2, 3].map((sixth) => ({ x: radius * Math.cos((sixth * Math.PI) / 3), y: radius * Math.sin((sixth * Math.PI) / 3) }));

export const columnOf = (hex: Hex): number => Number(hex.slice(0, 2));
export const rowOf = (hex: Hex): number => Number(hex.slice(2));

export interface Grid {
    columns: number;
    rows: number;
}

/** The number of a column and row; undefined off the board. */
export function hexAt(grid: Grid, column: number, row: number): Hex | undefined {
    if (column < 1 || row < 1 || column > grid.columns || row > grid.rows) return undefined;
    return String(column).padStart(2, "0") + String(row).padStart(2, "0");
}

/** All hexes of a board, column by column. */
export function allHexes(grid: Grid): Hex[] {
    const made: Hex[] = [];
    for (let column = 1; column <= grid.columns; column++) for (let row = 1; row <= grid.rows; row++) made.push(hexAt(grid, column, row)!);
    return made;
}

/** The middle of a column and row, on the board or beyond it. */
export function middleOf(column: number, row: number): Point {
    return { x: radius + (column - 1) * pitch, y: row - 0.5 + (column % 2 === 0 ? 0.5 : 0) };
}

export function centre(hex: Hex): Point {
    return middleOf(columnOf(hex), rowOf(hex));
}

/** Column and row of the hex on that side, also beyond the board. */
export function beside(column: number, row: number, way: Way): { column: number; row: number } {
    const low = column % 2 === 0 ? 1 : 0;
    switch (way) {
        case "N":
            return { column, row: row - 1 };
        case "NE":
            return { column: column + 1, row: row - 1 + low };
        case "SE":
            return { column: column + 1, row: row + low };
        case "S":
            return { column, row: row + 1 };
        case "SW":
            return { column: column - 1, row: row + low };
        case "NW":
            return { column: column - 1, row: row - 1 + low };
    }
}

/** The neighbour on that side; undefined beyond the edge. */
export function neighbour(grid: Grid, hex: Hex, way: Way): Hex | undefined {
    const { column, row } = beside(columnOf(hex), rowOf(hex), way);
    return hexAt(grid, column, row);
}

export function neighbours(grid: Grid, hex: Hex): Hex[] {
    return ways.map((way) => neighbour(grid, hex, way)).filter((next) => next !== undefined);
}

/** The way from a hex to its neighbour; undefined if they do not touch. */
export function wayTo(a: Hex, b: Hex): Way | undefined {
    const column = columnOf(a);
    const row = rowOf(a);
    return ways.find((way) => {
        const next = beside(column, row, way);
        return next.column === columnOf(b) && next.row === rowOf(b);
    });
}

/** The six corners of a hex, clockwise. */
export function cornersOf(hex: Hex): Point[] {
    const at = centre(hex);
    return corners.map((corner) => ({ x: at.x + corner.x, y: at.y + corner.y }));
}

/** The ends of the side on that way. */
export function sideOf(hex: Hex, way: Way): [Point, Point] {
    const all = cornersOf(hex);
    const at = ways.indexOf(way);
    return [all[at]!, all[(at + 1) % 6]!];
}

/** The side between two neighbours; undefined if they do not touch. */
export function sideBetween(a: Hex, b: Hex): [Point, Point] | undefined {
    const way = wayTo(a, b);
    return way && sideOf(a, way);
}

/** Steps from one hex to another. */
export function distance(a: Hex, b: Hex): number {
    const cube = (hex: Hex): { q: number; r: number } => {
        const column = columnOf(hex);
        return { q: column, r: rowOf(hex) - Math.ceil(column / 2) };
    };
    const [from, to] = [cube(a), cube(b)];
    const dq = to.q - from.q;
    const dr = to.r - from.r;
    return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** The hex under a point; undefined beyond the board. */
export function hexUnder(grid: Grid, p: Point): Hex | undefined {
    const guess = Math.round((p.x - radius) / pitch) + 1;
    let best: Hex | undefined;
    let bestDistance = Infinity;
    for (let column = guess - 1; column <= guess + 1; column++) {
        const row = Math.round(p.y + 0.5 - (column % 2 === 0 ? 0.5 : 0));
        const at = middleOf(column, row);
        const far = Math.hypot(at.x - p.x, at.y - p.y);
        if (far >= bestDistance) continue;
        bestDistance = far;
        best = hexAt(grid, column, row);
    }
    return best;
}

/** A corner or middle as a key: equal points of different hexes have equal keys. */
export function pointKey(p: Point): string {
    return `${Math.round(p.x * 60)},${Math.round(p.y * 60)}`;
}

/** The outlines of an area of hexes, each closed, with the area on the right hand (holes turn the other way). */
export function outlines(grid: Grid, area: ReadonlySet<Hex>): Point[][] {
    const from = new Map<string, { a: Point; b: Point }[]>();
    for (const hex of area) {
        for (const way of ways) {
            const next = neighbour(grid, hex, way);
            if (next !== undefined && area.has(next)) continue;
            const [a, b] = sideOf(hex, way);
            const key = pointKey(a);
            const list = from.get(key);
            if (list) list.push({ a, b });
            else from.set(key, [{ a, b }]);
        }
    }
    const loops: Point[][] = [];
    for (const [start, list] of from) {
        while (list.length > 0) {
            const loop: Point[] = [];
            let key = start;
            for (;;) {
                const edge = from.get(key)?.pop();
                if (!edge) break;
                loop.push(edge.a);
                key = pointKey(edge.b);
                if (key === start) break;
            }
            if (loop.length > 2) loops.push(loop);
        }
    }
    return loops;
}

/** Joins sides into lines: each goes on while exactly two sides meet, and ends at forks and springs. */
export function chains(sides: readonly (readonly [Point, Point])[]): Point[][] {
    const at = new Map<string, { point: Point; ends: number[] }>();
    const touch = (p: Point, side: number): void => {
        const key = pointKey(p);
        const found = at.get(key);
        if (found) found.ends.push(side);
        else at.set(key, { point: p, ends: [side] });
    };
    sides.forEach(([a, b], side) => {
        touch(a, side);
        touch(b, side);
    });
    const used = new Set<number>();
    const walk = (start: string, first: number): Point[] => {
        const line = [at.get(start)!.point];
        let key = start;
        let side: number | undefined = first;
        while (side !== undefined && !used.has(side)) {
            used.add(side);
            const [a, b]: readonly [Point, Point] = sides[side]!;
            key = pointKey(a) === key ? pointKey(b) : pointKey(a);
            const here: { point: Point; ends: number[] } = at.get(key)!;
            line.push(here.point);
            side = here.ends.length === 2 ? here.ends.find((end) => !used.has(end)) : undefined;
        }
        return line;
    };
    const lines: Point[][] = [];
    const begin = (key: string, ends: readonly number[]): void => {
        for (const side of ends) if (!used.has(side)) lines.push(walk(key, side));
    };
    for (const [key, { ends }] of at) if (ends.length !== 2) begin(key, ends);
    for (const [key, { ends }] of at) begin(key, ends);
    return lines;
}
