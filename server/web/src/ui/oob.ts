/**
 * The order of battle: what is printed on the blocks. Formations are given by the ids under which
 * the words of all languages know them (`oob.fr.i`, and `oob.fr.i.short` for the block's label).
 */
import type { Nation, UnitType } from "./army";

export interface Printed {
    army: Nation;
    type: UnitType;
    /** Strength at the start. */
    cv: number;
    /** Key of the formation's name; with `.short` after it, of the label on the block. */
    formation: string;
}

const shorthand: Record<Nation, string> = {
    FR: "A4i:fr.i B4i:fr.iii C4i:fr.guard D4i:fr.reserve E3i:fr.ii F3i:fr.ii G3i:fr.iv H3c:fr.guard " +
        "I3c:fr.reserve_cavalry J3c:fr.reserve_cavalry K2c:fr.right_wing L2c:fr.left_wing " +
        "M2c:fr.reserve_cavalry N3f:fr.left_wing O3f:fr.guard P2f:fr.right_wing Q2h:fr.guard R2h:fr.reserve_cavalry",
    AD: "A4i:ad.british_i B4i:ad.british_ii C4i:ad.kgl D3i:ad.dutch_i E3i:ad.dutch_ii F3i:ad.british_reserve " +
        "G3c:ad.british_heavy H3c:ad.british_light I2c:ad.kgl_cavalry J2c:ad.dutch_cavalry K2f:ad.british_i " +
        "L2f:ad.british_ii M2f:ad.british_iii N2h:ad.british_reserve",
    PR: "A3i:fr.i B3i:fr.i C3i:fr.ii D3i:fr.ii E3i:fr.iii F3i:fr.iv G2i:fr.iii H2i:fr.iv I2c:fr.i J2c:fr.ii " +
        "K2c:fr.iii L2c:fr.iv M3f:fr.i N2f:fr.ii O2f:fr.iii P2h:pr.reserve",
};

const letters: Record<string, UnitType> = {
    i: "infantry",
    c: "cavalry",
    f: "foot_artillery",
    h: "horse_artillery",
};

function build(): Record<string, Printed> {
    const all: Record<string, Printed> = {};
    for (const army of ["FR", "AD", "PR"] as const) {
        for (const entry of shorthand[army].split(" ")) {
            const match = /^([A-R])(\d)([icfh]):(.+)$/.exec(entry);
            if (!match) throw new Error(`order of battle: ${entry}`);
            const [, letter, cv, type, formation] = match;
            all[`${army}-${letter}`] = {
                army,
                type: letters[type!]!,
                cv: Number(cv),
                formation: `oob.${formation}`,
            };
        }
    }
    return all;
}

/** Every unit of the game by its id ("FR-A"). */
export const printed: Readonly<Record<string, Printed>> = build();

/** The army a unit id belongs to. */
export function armyOf(unit: string): Nation {
    return unit.slice(0, 2) as Nation;
}
