/** Where hexes lie: 44 columns of 34, flat tops, even columns half a hex further south. */
import type { Edge, Hex } from "@/hex/types";

export const COLUMNS = 44;
export const ROWS = 34;

/** North, north-east, south-east, south, south-west, north-west; columns and rows to go. */
const ODD: readonly (readonly [number, number])[] = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 0], [-1, -1]];
const EVEN: readonly (readonly [number, number])[] = [[0, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];

export function hexOf(column: number, row: number): Hex | undefined {
    if (column < 1 || column > COLUMNS || row < 1 || row > ROWS) return undefined;
    return String(column).padStart(2, "0") + String(row).padStart(2, "0");
}

export function columnOf(hex: Hex): number {
    return Number(hex.slice(0, 2));
}

export function rowOf(hex: Hex): number {
    return Number(hex.slice(2));
}

/** The hexes beside one, clockwise from the north; fewer at the edge. */
export function neighbours(hex: Hex): Hex[] {
    const column = columnOf(hex);
    const row = rowOf(hex);
    return (column % 2 === 1 ? ODD : EVEN).map(([dc, dr]) => hexOf(column + dc, row + dr)).filter((one) => one !== undefined);
}

/** Steps from one hex to another. */
export function distance(a: Hex, b: Hex): number {
    const cube = (hex: Hex): [number, number, number] => {
        const x = columnOf(hex) - 1;
        const z = rowOf(hex) - 1 - (x - (x % 2)) / 2;
        return [x, z, -x - z];
    };
    const [ax, az, ay] = cube(a);
    const [bx, bz, by] = cube(b);
    return Math.max(Math.abs(ax - bx), Math.abs(az - bz), Math.abs(ay - by));
}

/** All hexes at most so far away, without the middle. */
export function within(middle: Hex, steps: number): Hex[] {
    const found: Hex[] = [];
    for (let column = columnOf(middle) - steps; column <= columnOf(middle) + steps; column++) {
        for (let row = rowOf(middle) - steps - 1; row <= rowOf(middle) + steps + 1; row++) {
            const hex = hexOf(column, row);
            if (hex !== undefined && hex !== middle && distance(middle, hex) <= steps) found.push(hex);
        }
    }
    return found;
}

/** The edges that a hex lies at. */
export function edgesAt(hex: Hex): Edge[] {
    const at: Edge[] = [];
    if (columnOf(hex) === 1) at.push("west");
    if (columnOf(hex) === COLUMNS) at.push("east");
    if (rowOf(hex) === 1) at.push("north");
    if (rowOf(hex) === ROWS) at.push("south");
    return at;
}

/** Hexes in the order of their numbers. */
export function sorted(hexes: Iterable<Hex>): Hex[] {
    return [...new Set(hexes)].sort();
}

/** Is each the neighbour of the one before it? */
export function isChain(hexes: readonly Hex[]): boolean {
    return hexes.every((hex, i) => i === 0 || distance(hexes[i - 1] ?? "", hex) === 1);
}
