/** What the order of battle and the tables tell everybody: figures for the eye, never what is legal. */
import { units } from "../../../../schema/games/austerlitz/oob.json";
import { crt } from "../../../../schema/games/austerlitz/tables.json";
import type { Arm, Side } from "@/hex/types";

export interface Printed {
    id: string;
    side: Side;
    type: Arm;
    combat: number;
    force: string;
}

export const printed: readonly Printed[] = units as readonly Printed[];

const byId = new Map(printed.map((unit) => [unit.id, unit]));

export function printedOf(id: string): Printed | undefined {
    return byId.get(id);
}

/** Potentials that a mute counter of that army and type may have, the smallest first, each once. */
export function possible(side: Side, type: Arm): number[] {
    const all = printed.filter((unit) => unit.side === side && unit.type === type).map((unit) => unit.combat);
    return [...new Set(all)].sort((a, b) => a - b);
}

const results = crt.results as Readonly<Record<string, readonly string[]>>;

/** The result of each throw of the die on a row of the table, the modifier counted. */
export function throwsOf(row: string, modifier: number): string[] {
    const line = results[row] ?? [];
    return [1, 2, 3, 4, 5, 6].map((die) => line[Math.min(6, Math.max(1, die + modifier)) - 1] ?? "");
}
