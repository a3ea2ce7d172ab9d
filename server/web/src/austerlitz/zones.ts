/** Which hexes a side controls (5.2), to be shown; what may be entered the server says. */
import { neighbours } from "@/austerlitz/grid";
import type { Board, Hex, HexBoardData, Side } from "@/austerlitz/types";

interface Ground {
    terrain: Map<Hex, string>;
    escarped: Set<string>;
}

const known = new WeakMap<HexBoardData, Ground>();

function groundOf(board: HexBoardData): Ground {
    const have = known.get(board);
    if (have !== undefined) return have;
    const made: Ground = {
        terrain: new Map(board.hexes.map((hex) => [hex.id, hex.terrain])),
        escarped: new Set(board.hexsides.filter((side) => side.kind === "escarpment").flatMap(({ a, b }) => [a + b, b + a])),
    };
    known.set(board, made);
    return made;
}

/** Forest and villages are not controlled from outside, nor broken ice, nor what lies beyond an escarpment. */
export function controlled(board: HexBoardData, now: Pick<Board, "units" | "broken_ice">, side: Side): Set<Hex> {
    const { terrain, escarped } = groundOf(board);
    const found = new Set<Hex>();
    for (const [hex, unit] of Object.entries(now.units)) {
        const here = terrain.get(hex) ?? "clear";
        const mute = unit.type === "artillery" && ["forest", "marsh", "village"].includes(here);
        if (unit.side !== side || mute) continue;
        for (const next of neighbours(hex)) {
            const there = terrain.get(next) ?? "clear";
            if (there === "forest" || there === "village" || now.broken_ice.includes(next) || escarped.has(hex + next)) continue;
            found.add(next);
        }
    }
    return found;
}

/** What a hex is, for words: its terrain, the village's works, height. */
export function terrainOf(board: HexBoardData, hex: Hex, brokenIce: readonly Hex[]): string[] {
    const about = board.hexes.find((one) => one.id === hex);
    if (about === undefined) return ["clear"];
    const ground = about.terrain === "pond" && brokenIce.includes(hex) ? "pond_broken" : about.terrain;
    const kinds = about.fortified === true ? ["fortified"] : [ground];
    if (about.causeway === true) kinds.push("causeway");
    if (about.height === true) kinds.push("height");
    return kinds.length > 1 && kinds[0] === "clear" ? kinds.slice(1) : kinds;
}
