/** Roads as the board data gives them: which road joins two towns, and ways of equal length. */
import type { RoadData } from "@/types";

export interface Roads {
    /** The road between two towns, undefined where there is none. */
    between: (a: string, b: string) => RoadData | undefined;
    /** Towns at the other ends of a town's roads. */
    next: (town: string) => readonly string[];
}

const built = new WeakMap<readonly RoadData[], Roads>();

/** The roads of a board, looked up by their ends. */
export function roadsOf(roads: readonly RoadData[]): Roads {
    const known = built.get(roads);
    if (known !== undefined) return known;
    const byEnds = new Map<string, RoadData>();
    const ends = new Map<string, string[]>();
    for (const road of roads) {
        byEnds.set(`${road.a} ${road.b}`, road);
        byEnds.set(`${road.b} ${road.a}`, road);
        ends.set(road.a, [...(ends.get(road.a) ?? []), road.b]);
        ends.set(road.b, [...(ends.get(road.b) ?? []), road.a]);
    }
    const made: Roads = {
        between: (a, b) => byEnds.get(`${a} ${b}`),
        next: (town) => ends.get(town) ?? [],
    };
    built.set(roads, made);
    return made;
}

/** The roads that a path takes; `path` leaves out the town where it begins. */
export function roadsAlong(roads: Roads, from: string, path: readonly string[]): RoadData[] {
    const all: RoadData[] = [];
    let at = from;
    for (const town of path) {
        const road = roads.between(at, town);
        if (road !== undefined) all.push(road);
        at = town;
    }
    return all;
}

/** All ways of exactly that many roads between two towns that pass no town twice. */
export function waysOfLength(roads: Roads, from: string, to: string, length: number): string[][] {
    const found: string[][] = [];
    const walk = (at: string, passed: string[]): void => {
        if (passed.length === length) {
            if (at === to) found.push(passed);
            return;
        }
        for (const next of roads.next(at)) {
            if (next !== from && !passed.includes(next) && (next !== to || passed.length === length - 1)) {
                walk(next, [...passed, next]);
            }
        }
    };
    walk(from, []);
    return found;
}
