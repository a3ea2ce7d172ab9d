/** A march as orders that may still change: from a draft's actions and back, and drawn on a view. */
import type { Capacity } from "@/play/reach";
import { roadsAlong, type Roads } from "@/play/graph";
import { ATTACK_MINIMUM, type MarchRow } from "@/play/marks";
import type { Action, Attack, March, Nation, TownId, UnitId, View } from "@/types";

/** Where a block is to go. */
export interface Order {
    unit: UnitId;
    path: TownId[];
    forced: boolean;
}

/** A draft of a march, as its actions tell of it. */
export interface Marching {
    orders: Order[];
    /** Attacked towns where no pursuit fire is to be given. */
    mercy: TownId[];
    /** Actions that are of another decision. */
    foreign: Action[];
}

/** What the server has noted of these nations' marches, in the order of drafting. */
export function ordersOf(view: View, nations: readonly Nation[]): Order[] {
    return Object.entries(view.board.marches ?? {})
        .filter(([unit]) => nations.includes(unit.slice(0, 2) as Nation))
        .sort(([, a], [, b]) => a.order - b.order)
        .map(([unit, { path, forced }]) => ({ unit, path: [...path], forced }));
}

/** Orders with these actions done. */
export function withActions(before: readonly Order[], actions: readonly Action[]): Marching {
    let orders = [...before];
    let mercy: TownId[] = [];
    const foreign: Action[] = [];
    for (const action of actions) {
        if (action.do === "march") {
            const fresh = action.marches.map(({ unit, path, forced }) => ({ unit, path: [...path], forced: forced ?? false }));
            orders = [...orders.filter((one) => !fresh.some(({ unit }) => unit === one.unit)), ...fresh];
        } else if (action.do === "unmarch") {
            orders = orders.filter((one) => !action.units.includes(one.unit));
        } else if (action.do === "end_movement") {
            mercy = Object.keys(action.pursuit ?? {}).filter((town) => action.pursuit?.[town] === "none");
        } else {
            foreign.push(action);
        }
    }
    return { orders, mercy, foreign };
}

function alike(a: Order, b: Order): boolean {
    return a.unit === b.unit && a.forced === b.forced && a.path.join() === b.path.join();
}

/**
 * Orders after what the server has noted changed from `before` to `now` without them (another window, a
 * terminal, a step back): what came is added, what went goes, what was ordered here since stays.
 */
export function follow(before: readonly Order[], now: readonly Order[], orders: readonly Order[]): Order[] {
    const has = (list: readonly Order[], one: Order): boolean => list.some((other) => alike(one, other));
    const stays = orders.filter((one) => has(now, one) || !has(before, one));
    const came = now.filter((one) => !has(before, one) && !stays.some(({ unit }) => unit === one.unit));
    return [...stays, ...came];
}

/** The actions that make `orders` of `base`: what goes is taken back first, then a march for every row. */
export function actionsOf(base: readonly Order[], orders: readonly Order[], nameOf: (unit: UnitId) => TownId): Action[] {
    const gone = base.filter((one) => !orders.some((other) => alike(one, other))).map(({ unit }) => unit);
    const rows = new Map<string, Order[]>();
    for (const one of orders) {
        if (base.some((other) => alike(one, other))) continue;
        const row = [nameOf(one.unit), ...one.path].join(" ");
        rows.set(row, [...(rows.get(row) ?? []), one]);
    }
    const marches = [...rows.values()].map((row): Action => ({ do: "march", marches: row.map(({ unit, path, forced }) => ({ unit, path: [...path] as never, forced })) }));
    return gone.length === 0 ? marches : [{ do: "unmarch", units: gone } as Action, ...marches];
}

/** The end of the march, as the last of its actions. */
export function endOf(mercy: Iterable<TownId>): Action {
    const towns = [...mercy];
    if (towns.length === 0) return { do: "end_movement" };
    return { do: "end_movement", pursuit: Object.fromEntries(towns.map((town) => [town, "none" as const])) };
}

/** Orders as rows: blocks of one town that go one way. A block that is no more stands in "". */
export function rowsOfOrders(view: View, orders: readonly Order[]): MarchRow[] {
    const rows = new Map<string, MarchRow>();
    orders.forEach(({ unit, path, forced }, order) => {
        const from = view.board.units[unit]?.town ?? "";
        const id = [from, ...path].join(" ");
        const row = rows.get(id) ?? { id, from, path: [...path], units: [], forced: [], army: unit.slice(0, 2) as Nation, order };
        row.units.push(unit);
        if (forced) row.forced.push(unit);
        rows.set(id, row);
    });
    return [...rows.values()];
}

/**
 * A view with these orders in it, by counting what it shows: until the server has been asked, and
 * where it cannot be. The others' marches stay as they are.
 */
export function withOrders(view: View, orders: readonly Order[], nations: readonly Nation[], roads: Roads | null, capacity: Capacity): View {
    const others = Object.entries(view.board.marches ?? {}).filter(([unit]) => !nations.includes(unit.slice(0, 2) as Nation));
    const marches: Record<UnitId, March> = Object.fromEntries(others);
    for (const { unit, path, forced } of orders) {
        if (view.board.units[unit]?.town === undefined) continue;
        marches[unit] = { path: [...path] as March["path"], forced, order: Object.keys(marches).length };
    }
    return { ...view, board: { ...view.board, marches, roads: used(view, marches, roads, capacity), attacks: attacked(view, marches, roads, nations) } };
}

function used(view: View, marches: Readonly<Record<UnitId, March>>, roads: Roads | null, capacity: Capacity): View["board"]["roads"] {
    const counts = new Map<string, number>();
    if (roads === null) return {};
    for (const [unit, { path }] of Object.entries(marches)) {
        for (const road of roadsAlong(roads, view.board.units[unit]?.town ?? "", path)) counts.set(road.id, (counts.get(road.id) ?? 0) + 1);
    }
    const found: NonNullable<View["board"]["roads"]> = {};
    for (const [road, n] of counts) {
        const known = view.board.roads?.[road];
        const of = capacity[road]?.of ?? (known === undefined ? undefined : known.used + known.left);
        if (of !== undefined) found[road] = { used: n, left: Math.max(0, of - n) };
    }
    return found;
}

function attacked(view: View, marches: Readonly<Record<UnitId, March>>, roads: Roads | null, nations: readonly Nation[]): Record<TownId, Attack> {
    const french = nations.includes("FR");
    const found: Record<TownId, Attack> = {};
    for (const [unit, { path }] of Object.entries(marches)) {
        const town = path[path.length - 1] ?? "";
        const there = Object.entries(view.board.towns[town]?.units ?? {}).filter(([nation]) => (nation === "FR") !== french);
        if (there.length === 0) continue;
        const known = found[town] ?? { attackers: {}, defenders: Object.fromEntries(there), roads: [] };
        const nation = unit.slice(0, 2) as Nation;
        known.attackers[nation] = (known.attackers[nation] ?? 0) + 1;
        const last = roads === null ? undefined : roadsAlong(roads, view.board.units[unit]?.town ?? "", path).pop()?.id;
        if (last !== undefined && !known.roads.includes(last)) known.roads = [...known.roads, last].sort();
        known.enough = Object.values(known.attackers).reduce((all, n) => all + (n ?? 0), 0) >= ATTACK_MINIMUM;
        found[town] = known;
    }
    return found;
}
