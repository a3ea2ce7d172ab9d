/** Deployments: suggested ones from the board data, and those that a player keeps in this browser. */
import type { BoardData, Nation, TownId, UnitId } from "@/types";

export type Placement = Record<UnitId, TownId>;

export interface Deployment {
    id: string;
    /** A name of the player's own, or a key of the catalogue with `suggested`. */
    name: string;
    suggested?: true;
    /** A key of the catalogue that says where a suggested one stands. */
    note?: string;
    /** When it was saved, in milliseconds. */
    at?: number;
    placement: Placement;
}

/**
 * Which blocks the corps of the board data's historical positions are made of. Formations that the
 * data do not place stand where the fewest blocks of their army are, within what the set-up allows.
 */
const CORPS: Record<Nation, Record<string, string>> = {
    FR: {
        "I Corps": "FR-A FR-L FR-N",
        "II Corps": "FR-E FR-F",
        "III Corps": "FR-B",
        "IV Corps": "FR-G FR-K FR-P",
        "VI Corps": "FR-D",
        "Imperial Guard": "FR-C FR-H FR-O FR-Q",
        "II and III Cavalry Corps": "FR-I FR-J FR-M FR-R",
    },
    AD: { Reserve: "AD-F AD-N AD-M", "I Corps": "AD-A AD-K AD-D", Cavalry: "AD-G AD-H AD-I", "II Corps": "AD-B AD-L AD-C" },
    PR: {
        "I Corps": "PR-A PR-B PR-I PR-M",
        "II Corps": "PR-C PR-D PR-J PR-N",
        "III Corps": "PR-E PR-G PR-K PR-O",
        "IV Corps": "PR-F PR-H PR-L PR-P",
    },
};

/** Towns where blocks stand that the data place nowhere. */
const OTHERS: Record<Nation, Record<string, string>> = {
    FR: {},
    AD: { nivelles: "AD-E", mons: "AD-J" },
    PR: {},
};

/** The historical quarters of these nations, as far as the board data know them. */
export function historical(board: BoardData, nations: readonly Nation[]): Placement {
    const placement: Placement = {};
    const place = (units: string, town: string): void => {
        for (const unit of units.split(" ")) if (unit !== "") placement[unit] = town;
    };
    for (const nation of nations) {
        const towns = board.historical_positions[nation];
        if (typeof towns !== "object" || towns === null) continue;
        for (const [town, corps] of Object.entries(towns as Record<string, string[]>)) {
            for (const one of corps) place(CORPS[nation][one] ?? "", town);
        }
        for (const [town, units] of Object.entries(OTHERS[nation])) place(units, town);
    }
    return placement;
}

/** A second suggestion for each army: well forward, near the frontier. */
const FORWARD: Record<Nation, Record<string, string>> = {
    FR: {
        beaumont: "FR-A FR-B FR-C FR-E FR-F FR-H FR-L FR-N FR-O FR-Q",
        philippeville: "FR-D FR-G FR-I FR-J FR-K FR-M FR-P FR-R",
    },
    AD: {
        mons: "AD-A AD-K AD-J",
        soignies: "AD-D AD-B AD-L",
        nivelles: "AD-C AD-E AD-I",
        "quatre-bras": "AD-F AD-G AD-N",
        waterloo: "AD-H AD-M",
    },
    PR: {
        charleroi: "PR-A PR-B PR-I PR-M",
        ligny: "PR-C PR-D PR-J PR-N",
        namur: "PR-E PR-G PR-K PR-O",
        gembloux: "PR-F PR-H PR-L PR-P",
    },
};

/** All suggestions for these nations; names are keys of the catalogue. */
export function suggested(board: BoardData, nations: readonly Nation[]): Deployment[] {
    const forward: Placement = {};
    for (const nation of nations) {
        for (const [town, units] of Object.entries(FORWARD[nation])) {
            for (const unit of units.split(" ")) forward[unit] = town;
        }
    }
    return [
        { id: "historical", name: "setup.historical", suggested: true, note: "setup.historical_note", placement: historical(board, nations) },
        { id: "forward", name: "setup.forward", suggested: true, note: "setup.forward_note", placement: forward },
    ];
}

function keyOf(nations: readonly Nation[]): string {
    return `vedette.deployments.waterloo.${[...nations].sort().join("-")}`;
}

/** The deployments kept in this browser for these nations, newest first. */
export function saved(nations: readonly Nation[]): Deployment[] {
    try {
        const all: unknown = JSON.parse(localStorage.getItem(keyOf(nations)) ?? "[]");
        return Array.isArray(all) ? (all as Deployment[]).filter((one) => typeof one.name === "string" && typeof one.placement === "object") : [];
    } catch {
        return [];
    }
}

/** Keeps a deployment; one of the same name is replaced. */
export function save(nations: readonly Nation[], name: string, placement: Placement): Deployment[] {
    const others = saved(nations).filter((one) => one.name !== name);
    const all = [{ id: `own-${Date.now()}`, name, at: Date.now(), placement }, ...others].slice(0, 30);
    localStorage.setItem(keyOf(nations), JSON.stringify(all));
    return all;
}

export function forget(nations: readonly Nation[], id: string): Deployment[] {
    const all = saved(nations).filter((one) => one.id !== id);
    localStorage.setItem(keyOf(nations), JSON.stringify(all));
    return all;
}
