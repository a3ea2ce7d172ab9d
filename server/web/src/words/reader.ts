/** From where an event is read: which side is the reader's, which units are his own. */

/** An event as on the wire. */
export interface Event {
    ev: string;
    [member: string]: unknown;
}

/** Who reads: the member `as` of a view, a seat (FR, AL, AD, PR), public, or all. */
export type Viewer = string;

export type Json = Record<string, unknown>;

/** own: the reader's side did it; enemy: the other side did; other: the reader has no side. */
export type View = "own" | "enemy" | "other";

/** The side of a seat or nation. */
export function sideOf(code: string): "FR" | "AL" {
    return code === "FR" ? "FR" : "AL";
}

function isSeat(viewer: Viewer): boolean {
    return viewer === "FR" || viewer === "AL" || viewer === "AD" || viewer === "PR";
}

/** Where the reader stands to what a side has done. */
export function viewOf(viewer: Viewer, side: string): View {
    if (!isSeat(viewer)) return "other";
    return sideOf(viewer) === sideOf(side) ? "own" : "enemy";
}

/** Where the reader stands to what a seat has done: its ally is named like any other. */
export function viewOfSeat(viewer: Viewer, seat: string): View {
    if (viewer === seat) return "own";
    return viewOf(viewer, seat) === "enemy" ? "enemy" : "other";
}

/** Whether the reader commands that unit or nation, and not his ally. */
export function owns(viewer: Viewer, unitOrNation: string): boolean {
    const nation = unitOrNation.slice(0, 2);
    return viewer === nation || (viewer === "AL" && nation !== "FR");
}

export function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}

export function number(value: unknown): number {
    return typeof value === "number" ? value : 0;
}

export function items(value: unknown): Json[] {
    return Array.isArray(value) ? (value as Json[]) : [];
}

export function texts(value: unknown): string[] {
    return Array.isArray(value) ? value.filter((v): v is string => typeof v === "string") : [];
}

export function isMap(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A map of counts as pairs, without what is no number. */
export function counts(value: unknown): [string, number][] {
    if (!isMap(value)) return [];
    return Object.entries(value).filter((e): e is [string, number] => typeof e[1] === "number");
}
