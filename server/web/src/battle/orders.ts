/**
 * Orders of battle: how a force is spread over three columns and a reserve, as a rule by arm and
 * strength, so that it fits whatever force stands there. Some are suggested, others the player keeps
 * in this browser.
 */
import type { ArmType, UnitId } from "@/types";
import type { Zone } from "./model";

export interface Man {
    id: UnitId;
    type: ArmType;
    cv: number;
}

export type Draft = Record<UnitId, Zone>;

/** A kept order: for each arm, the strongest first, the zone of each unit ("1", "2", "3", "r"). */
export interface Order {
    name: string;
    zones: Partial<Record<ArmType, string>>;
}

export type Suggestion = "centre" | "even" | "cavalry_left" | "hidden";
export const suggestions: readonly Suggestion[] = ["centre", "even", "cavalry_left", "hidden"];

const columns = ["1", "2", "3"] as const;
const armsInOrder: readonly ArmType[] = ["infantry", "cavalry", "foot_artillery", "horse_artillery"];
const letter: Record<Zone, string> = { "1": "1", "2": "2", "3": "3", reserve: "r" };
const zoneOf: Record<string, Zone> = { "1": "1", "2": "2", "3": "3", r: "reserve" };

const strongFirst = (a: Man, b: Man): number => b.cv - a.cv || (a.id < b.id ? -1 : 1);
const isGuns = (man: Man): boolean => man.type.endsWith("artillery");
const isMounted = (man: Man): boolean => man.type === "cavalry" || man.type === "horse_artillery";

function counts(draft: Draft): Record<Zone, number> {
    const n: Record<Zone, number> = { "1": 0, "2": 0, "3": 0, reserve: 0 };
    for (const zone of Object.values(draft)) n[zone]++;
    return n;
}

/** Gives every column somebody: from where most stand, foot before horse before guns. */
function fillColumns(men: readonly Man[], draft: Draft): Draft {
    const out = { ...draft };
    for (const column of columns) {
        const n = counts(out);
        if (n[column] > 0) continue;
        const rich = (["reserve", "2", "1", "3"] as const).filter((zone) => n[zone] > (zone === "reserve" ? 0 : 1));
        const from = [...rich].sort((a, b) => n[b] - n[a])[0];
        const who = men
            .filter((man) => out[man.id] === from)
            .sort((a, b) => armsInOrder.indexOf(a.type) - armsInOrder.indexOf(b.type) || strongFirst(a, b))[0];
        if (who !== undefined) out[who.id] = column;
    }
    return out;
}

/** Foot and horse in turn to the column that is weakest, so that strength is even. */
function spread(men: readonly Man[], draft: Draft, among: readonly Zone[] = columns): Draft {
    const out = { ...draft };
    const strength: Record<string, number> = {};
    for (const man of men) {
        const weakest = [...among].sort((a, b) => (strength[a] ?? 0) - (strength[b] ?? 0))[0] ?? "2";
        out[man.id] = weakest;
        strength[weakest] = (strength[weakest] ?? 0) + man.cv;
    }
    return out;
}

/** How many stay hidden where nothing else decides: a fifth of a large force. */
const held = (n: number): number => (n < 6 ? 0 : Math.floor(n / 5));

function even(men: readonly Man[]): Draft {
    const sorted = [...men].sort((a, b) => armsInOrder.indexOf(a.type) - armsInOrder.indexOf(b.type) || strongFirst(a, b));
    const cavalry = sorted.filter((man) => man.type === "cavalry");
    const back = [...cavalry, ...sorted.filter((man) => man.type === "infantry").reverse()].slice(0, held(men.length));
    const line = sorted.filter((man) => !back.includes(man));
    return spread(line, Object.fromEntries(back.map((man) => [man.id, "reserve" as Zone])));
}

function centre(men: readonly Man[]): Draft {
    const foot = men.filter((man) => man.type === "infantry").sort(strongFirst);
    const draft: Draft = {};
    for (const man of men) draft[man.id] = isGuns(man) ? "2" : "reserve";
    foot.forEach((man, at) => (draft[man.id] = (["2", "1", "3", "2"] as const)[at] ?? "reserve"));
    return draft;
}

function cavalryLeft(men: readonly Man[]): Draft {
    const foot = men.filter((man) => man.type === "infantry").sort(strongFirst);
    const draft: Draft = {};
    for (const man of men) draft[man.id] = isMounted(man) ? "1" : "2";
    foot.forEach((man, at) => (draft[man.id] = (["2", "3", "1"] as const)[at] ?? "reserve"));
    return draft;
}

function hidden(men: readonly Man[]): Draft {
    const draft: Draft = Object.fromEntries(men.map((man) => [man.id, "reserve" as Zone]));
    const front = [...men].sort((a, b) => armsInOrder.indexOf(a.type) - armsInOrder.indexOf(b.type) || strongFirst(a, b));
    columns.forEach((column, at) => {
        const man = front[at];
        if (man !== undefined) draft[man.id] = column;
    });
    return draft;
}

/** A suggested order laid over a force. */
export function suggest(what: Suggestion, men: readonly Man[]): Draft {
    const made = { centre, even, cavalry_left: cavalryLeft, hidden }[what](men);
    return fillColumns(men, made);
}

/** A kept order laid over a force: each arm by strength, stretched or shrunk to its number. */
export function apply(order: Order, men: readonly Man[]): Draft {
    const draft: Draft = {};
    for (const arm of armsInOrder) {
        const force = men.filter((man) => man.type === arm).sort(strongFirst);
        const zones = order.zones[arm] ?? "";
        force.forEach((man, at) => {
            const sign = zones[zones.length >= force.length ? at : Math.floor((at * zones.length) / force.length)];
            const zone = sign === undefined ? undefined : zoneOf[sign];
            if (zone !== undefined) draft[man.id] = zone;
        });
    }
    const rest = men.filter((man) => draft[man.id] === undefined);
    return fillColumns(men, { ...draft, ...spread(rest, {}) });
}

/** The rule that a draft amounts to. */
export function orderFrom(name: string, men: readonly Man[], draft: Draft): Order {
    const zones: Order["zones"] = {};
    for (const arm of armsInOrder) {
        const force = men.filter((man) => man.type === arm && draft[man.id] !== undefined).sort(strongFirst);
        if (force.length > 0) zones[arm] = force.map((man) => letter[draft[man.id] ?? "reserve"]).join("");
    }
    return { name, zones };
}

/** Do two drafts put everybody in the same place? */
export function same(a: Draft, b: Draft): boolean {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((id) => a[id] === b[id]);
}

const KEY = "vedette.orders.waterloo";

function isOrder(value: unknown): value is Order {
    return typeof value === "object" && value !== null && typeof (value as Order).name === "string" && typeof (value as Order).zones === "object";
}

/** Orders kept in this browser. */
export function keptOrders(): Order[] {
    try {
        const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(read) ? read.filter(isOrder) : [];
    } catch {
        return [];
    }
}

/** Keeps an order; one of the same name is replaced. Returns all. */
export function keepOrder(order: Order): Order[] {
    const all = [...keptOrders().filter((one) => one.name !== order.name), order];
    localStorage.setItem(KEY, JSON.stringify(all));
    return all;
}

export function forgetOrder(name: string): Order[] {
    const all = keptOrders().filter((one) => one.name !== name);
    localStorage.setItem(KEY, JSON.stringify(all));
    return all;
}
