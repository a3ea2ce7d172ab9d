/** Nations, arms, and what the armies are called in style sheets and symbols. */

export type Nation = "FR" | "AD" | "PR";
export type UnitType = "infantry" | "cavalry" | "foot_artillery" | "horse_artillery";

/** The custom properties of an army begin with this (`--french`, `--french-dark`, ...). */
export const armyName: Record<Nation, "french" | "anglo-dutch" | "prussian"> = {
    FR: "french",
    AD: "anglo-dutch",
    PR: "prussian",
};

/** The armies that a seat or side commands at the start. */
export function armiesOf(side: string): Nation[] {
    if (side === "AL") return ["AD", "PR"];
    return side === "FR" || side === "AD" || side === "PR" ? [side] : [];
}

export const nations: readonly Nation[] = ["FR", "AD", "PR"];

/** The order in which blocks of a stack stand: by arm, then the stronger first, then by id. */
const arms: Record<UnitType, number> = { infantry: 0, cavalry: 1, foot_artillery: 2, horse_artillery: 3 };

export interface Ranked {
    id: string;
    type: UnitType;
    cv: number;
}

/** Compares two units of one stack. */
export function byArm(a: Ranked, b: Ranked): number {
    return arms[a.type] - arms[b.type] || b.cv - a.cv || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
