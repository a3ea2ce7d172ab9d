/** Standing orders of Waterloo as the wire has them (schema/games/waterloo/orders.schema.json). */
import type { TownId, UnitId } from "@/types";

export const WHENS = ["attacked", "defending", "pursued", "routed", "supply", "forced"] as const;
export type WhenKind = (typeof WHENS)[number];

export interface Count {
    min?: number;
    max?: number;
}

export interface When {
    is: WhenKind;
    in?: TownId[];
    by?: Count;
    own?: Count;
    ratio?: [number, number];
}

export const PLACES = ["1", "2", "3", "reserve"] as const;
export type Place = (typeof PLACES)[number];
export const RESTS = ["reserve", "spread", "1", "2", "3", "ask"] as const;
export type Rest = (typeof RESTS)[number];
export type Columns = Partial<Record<Place, UnitId[]>>;
export interface OrderRoute {
    unit: UnitId;
    path: TownId[];
    forced?: boolean;
}

export type DoKind = "respond" | "deploy" | "allot" | "rout_routes" | "remove" | "only";

export interface Do {
    do: DoKind;
    choice?: "fight" | "retreat";
    columns?: Columns;
    rest?: Rest;
    routes?: OrderRoute[];
    to?: TownId[];
    else?: "any" | "ask";
    units?: UnitId[];
    spare?: boolean;
}

export interface Order {
    when: When;
    do: Do;
}

/** An order that answered: which entry of which version, and the step it became. */
export interface Fired {
    seq: number;
    version: number;
    entry: number;
}

export interface Standing {
    version: number;
    orders: Order[];
    fired?: Fired[];
}

/** The act that answers a kind of decision, before anything is said of it. */
export function doFor(is: WhenKind): Do {
    switch (is) {
        case "attacked":
            return { do: "respond", choice: "fight" };
        case "defending":
            return { do: "deploy", rest: "spread" };
        case "pursued":
            return { do: "allot" };
        case "routed":
            return { do: "rout_routes" };
        case "supply":
            return { do: "remove" };
        case "forced":
            return { do: "only" };
    }
}

/** May this kind of decision be of certain towns? */
export function hasTowns(is: WhenKind): boolean {
    return is !== "supply" && is !== "forced";
}

/** Does it depend on how many there are? */
export function hasCounts(is: WhenKind): boolean {
    return is === "attacked" || is === "defending";
}

/** Policies that fit any match: what most players say first. */
export const POLICIES: Record<string, Order> = {
    outnumbered: { when: { is: "attacked", ratio: [2, 1] }, do: { do: "respond", choice: "retreat" } },
    fight: { when: { is: "attacked" }, do: { do: "respond", choice: "fight", rest: "spread" } },
    deploy: { when: { is: "defending" }, do: { do: "deploy", rest: "spread" } },
    losses: { when: { is: "pursued" }, do: { do: "allot" } },
    rout: { when: { is: "routed" }, do: { do: "rout_routes" } },
    supply: { when: { is: "supply" }, do: { do: "remove" } },
    forced: { when: { is: "forced" }, do: { do: "only" } },
};
