/** Phrases of the panel that are put together from the board. */
import type { Hex, HexBoardData } from "@/austerlitz/types";
import { terrainOf } from "@/austerlitz/zones";
import { commas, terrainName } from "@/words";

/** What the defenders stand on, but for clear ground: "village, height". */
export function terrainWords(board: HexBoardData, hexes: readonly Hex[], brokenIce: readonly Hex[]): string {
    const kinds = new Set(hexes.flatMap((hex) => terrainOf(board, hex, brokenIce)));
    kinds.delete("clear");
    return commas([...kinds].map(terrainName));
}

/** The hour at which a turn begins: 7 for the first. */
export function hourOf(turn: number): number {
    return turn + 6;
}
