/** The hex map by keyboard: each key goes to a neighbour. */
import { columnOf, neighbour, type Grid, type Way } from "./geo";
import type { Hex } from "./types";

/** Left and right keep the row; Home, Page Up, End and Page Down go aslant, as they lie on a number pad. */
function wayOf(key: string, hex: Hex): Way | undefined {
    const even = columnOf(hex) % 2 === 0;
    switch (key) {
        case "ArrowUp":
            return "N";
        case "ArrowDown":
            return "S";
        case "ArrowRight":
            return even ? "NE" : "SE";
        case "ArrowLeft":
            return even ? "NW" : "SW";
        case "Home":
            return "NW";
        case "PageUp":
            return "NE";
        case "End":
            return "SW";
        case "PageDown":
            return "SE";
        default:
            return undefined;
    }
}

/** Is it a key that goes to a neighbour. */
export function isStep(key: string): boolean {
    return wayOf(key, "0101") !== undefined;
}

/** The hex where a key leads; undefined beyond the edge or for other keys. */
export function stepFrom(grid: Grid, hex: Hex, key: string): Hex | undefined {
    const way = wayOf(key, hex);
    return way && neighbour(grid, hex, way);
}
