/** What came of the combats of the phase that is going on, read from the steps that this viewer was told. */
import type { Hex } from "@/austerlitz/types";
import type { Step } from "@/types";

export interface Rolled {
    attack: number;
    defence: number;
    odds: string;
    row: string;
    die: number;
    modifier: number;
    final_die: number;
    result: string;
}

export interface Face {
    hex: Hex;
    id: string;
    name: string;
    potential: number;
}

/** Who stood in a combat as it was declared: an id, or what is known of a mute counter. */
export type Told = string | { side: "french" | "allied"; type: "infantry" | "cavalry" | "artillery"; hex: Hex };

export interface Declared {
    contact?: Told[];
    bombard?: Told[];
    defenders?: Told[];
    artillery?: Told;
    hex?: Hex;
}

export interface Outcome {
    declared?: Declared;
    rolled?: Rolled;
    faces?: Face[];
    broken?: Hex;
    void?: boolean;
}

interface Loose {
    ev: string;
    index?: number;
    plan?: Record<string, Declared>;
    units?: Face[];
    hex?: Hex;
}

/** By the number of the combat, since the last declaration. */
export function outcomes(steps: readonly Step[]): Map<number, Outcome> {
    const found = new Map<number, Outcome>();
    const at = (index: number | undefined): Outcome => {
        const have = found.get(index ?? 0) ?? {};
        found.set(index ?? 0, have);
        return have;
    };
    for (const step of steps) {
        for (const event of step.events as unknown as Loose[]) {
            if (event.ev === "declared") {
                found.clear();
                for (const [index, entry] of Object.entries(event.plan ?? {})) at(Number(index)).declared = entry;
            } else if (event.ev === "rolled") at(event.index).rolled = event as unknown as Rolled;
            else if (event.ev === "reveal") at(event.index).faces = event.units ?? [];
            else if (event.ev === "void") at(event.index).void = true;
            else if (event.ev === "ice_broken" && event.hex !== undefined) at(event.index).broken = event.hex;
        }
    }
    return found;
}

/** The combats of a view's plan by number. */
export function planOf<E>(plan: Readonly<Record<string, E>> | undefined): [number, E][] {
    return Object.entries(plan ?? {}).map(([index, entry]): [number, E] => [Number(index), entry]).sort(([a], [b]) => a - b);
}
