/** The geometry of a board, worked out once from its data: everything in kilometres. */
import { border as beyondBorder, rivers as beyondRivers } from "./beyond";
import { bow, lengthOf, meetings, smooth, type Meeting } from "./curves";
import { bounds, project, projectAll, type Point, type Rect } from "./geo";
import { hashText } from "./random";
import type { BoardData, RoadData, TownData } from "./types";

export interface SheetTown extends TownData {
    at: Point;
    /** Its roads and the town at the other end of each. */
    next: { road: string; town: string }[];
}

export interface SheetRoad extends RoadData {
    /** From a to b. */
    line: Point[];
    length: number;
    /** Where it crosses rivers: one, or two for the few roads that lie across two. */
    crossings: Meeting[];
    cap: number;
}

export interface SheetRiver {
    name: string;
    id: string;
    /** Coarse, for distances. */
    coarse: Point[];
    line: Point[];
    width: number;
    /** How deep its valley is, and how wide (km). */
    depth: number;
    valley: number;
}

export interface Sheet {
    towns: ReadonlyMap<string, SheetTown>;
    roads: ReadonlyMap<string, SheetRoad>;
    rivers: SheetRiver[];
    border: Point[];
    deployment: Point[];
    /** The board's own extent. */
    extent: Rect;
    /** The box of all towns. */
    middle: Rect;
    /** Roads between two towns, either way round. */
    between: (a: string, b: string) => SheetRoad | undefined;
}

const courses: Record<string, { width: number; depth: number; valley: number }> = {
    Meuse: { width: 5.2, depth: 1.15, valley: 6 },
    Sambre: { width: 4, depth: 0.8, valley: 5 },
    Scheldt: { width: 4.6, depth: 0.22, valley: 6 },
    Dyle: { width: 3, depth: 0.5, valley: 5 },
    Senne: { width: 2.6, depth: 0.4, valley: 5 },
    Haine: { width: 2.7, depth: 0.38, valley: 5 },
    Dender: { width: 3, depth: 0.28, valley: 5 },
    Lys: { width: 3.4, depth: 0.18, valley: 5 },
};

function buildRivers(data: BoardData): SheetRiver[] {
    return (data.rivers ?? []).map((river) => {
        const more = beyondRivers[river.name];
        const coarse = projectAll([...(more?.before ?? []), ...river.polyline, ...(more?.after ?? [])]);
        return {
            name: river.name,
            id: river.name.toLowerCase(),
            coarse,
            line: smooth(coarse, 7),
            ...(courses[river.name] ?? { width: 3, depth: 0.3, valley: 5 }),
        };
    });
}

/** How far a road may bend so that it still meets the rivers as the data says: as far as wanted, less, straight. */
function bend(road: RoadData, a: Point, b: Point, rivers: readonly SheetRiver[]): { line: Point[]; crossings: Meeting[] } {
    const seed = hashText(road.id);
    const share = (0.05 + ((seed & 0xff) / 255) * 0.05) * (seed & 0x100 ? 1 : -1);
    const want = road.river ? 1 : 0;
    let spare: { line: Point[]; crossings: Meeting[] } | undefined;
    for (const factor of [1, -1, 0.6, -0.6, 0.3, -0.3, 0, 0.12, -0.12, 1.5, -1.5]) {
        const line = bow(a, b, (share * factor) / 2);
        const crossings = rivers.flatMap((river) => meetings(line, river.line));
        if (crossings.length === want) return { line, crossings };
        if (!spare && want > 0 && crossings.length > want) spare = { line, crossings };
    }
    return spare ?? { line: bow(a, b, 0), crossings: [] };
}

const built = new WeakMap<BoardData, Sheet>();

/** The sheet of a board; the same object for the same data. */
export function sheetOf(data: BoardData): Sheet {
    const ready = built.get(data);
    if (ready) return ready;
    const rivers = buildRivers(data);
    const towns = new Map<string, SheetTown>();
    for (const town of data.towns) towns.set(town.id, { ...town, at: project(town.lat, town.lon), next: [] });
    const roads = new Map<string, SheetRoad>();
    const ends = new Map<string, SheetRoad>();
    for (const road of data.roads) {
        const a = towns.get(road.a);
        const b = towns.get(road.b);
        if (!a || !b) continue;
        const shape = bend(road, a.at, b.at, rivers);
        const full = data.limits?.road_units[road.class] ?? (road.class === "major" ? 8 : 6);
        const made: SheetRoad = {
            ...road,
            ...shape,
            length: lengthOf(shape.line),
            cap: road.river ? Math.floor(full / 2) : full,
        };
        roads.set(road.id, made);
        ends.set(`${road.a} ${road.b}`, made);
        ends.set(`${road.b} ${road.a}`, made);
        a.next.push({ road: road.id, town: road.b });
        b.next.push({ road: road.id, town: road.a });
    }
    const hasBorder = (data.border?.length ?? 0) > 1;
    const border = hasBorder ? smooth(projectAll([...beyondBorder.before, ...data.border!, ...beyondBorder.after]), 6) : [];
    const middle = bounds([...towns.values()].map((town) => town.at));
    let extent: Rect;
    if (data.extent) {
        const nw = project(data.extent.lat[1], data.extent.lon[0]);
        const se = project(data.extent.lat[0], data.extent.lon[1]);
        extent = { x: nw.x, y: nw.y, w: se.x - nw.x, h: se.y - nw.y };
    } else {
        extent = { x: middle.x - 10, y: middle.y - 10, w: middle.w + 20, h: middle.h + 20 };
    }
    const sheet: Sheet = {
        towns,
        roads,
        rivers,
        border,
        deployment: smooth(projectAll(data.deployment_line ?? []), 6),
        extent,
        middle,
        between: (a, b) => ends.get(`${a} ${b}`),
    };
    built.set(data, sheet);
    return sheet;
}

/** The line from the first town to the last along the roads; a straight line where no road is known. */
export function lineThrough(sheet: Sheet, towns: readonly string[]): Point[] {
    const line: Point[] = [];
    for (let i = 0; i + 1 < towns.length; i++) {
        const from = towns[i]!;
        const to = towns[i + 1]!;
        const road = sheet.between(from, to);
        const a = sheet.towns.get(from)?.at;
        const b = sheet.towns.get(to)?.at;
        let part: Point[] = a && b ? [a, b] : [];
        if (road) part = road.a === from ? road.line : [...road.line].reverse();
        line.push(...(line.length > 0 ? part.slice(1) : part));
    }
    return line;
}
