/** Woods: small engraved trees in clusters, well away from towns and roads. They mean nothing in the rules. */
import { lengthOf, pointAt } from "./curves";
import type { Point } from "./geo";
import { stream } from "./random";
import type { Sheet } from "./sheet";

export interface Tree extends Point {
    /** Size, 0.8 to 1.25. */
    size: number;
    conifer: boolean;
}

/** Forests of the country, as [latitude, longitude, radius km, trees, share of conifers]: Soignes first. */
const forests: readonly (readonly [number, number, number, number, number])[] = [
    [50.785, 4.44, 5.2, 30, 0],
    [50.77, 4.5, 4, 16, 0],
    [50.9, 4.57, 3, 7, 0],
    [50.655, 4.52, 2.4, 6, 0],
    [50.69, 3.7, 3, 8, 0],
    [50.51, 3.86, 3.4, 9, 0],
    [50.53, 4.14, 2.6, 6, 0],
    [50.47, 4.33, 2.8, 7, 0],
    [50.2, 3.98, 4, 12, 0],
    [50.21, 4.06, 3.6, 11, 0],
    [50.14, 4.35, 5, 15, 0.3],
    [50.09, 4.5, 5, 16, 0.4],
    [50.24, 4.65, 4, 12, 0.3],
    [50.35, 4.58, 3, 7, 0],
    [50.4, 5.02, 4.5, 13, 0.3],
    [50.35, 5.25, 5, 16, 0.5],
    [50.22, 5.02, 5, 15, 0.5],
    [50.15, 5.2, 6, 20, 0.7],
    [50.24, 5.38, 6, 20, 0.7],
    [50.38, 5.47, 6, 18, 0.6],
    [50.08, 4.93, 4, 12, 0.6],
    [50.02, 4.6, 4, 12, 0.5],
    [50.76, 5.05, 2.4, 5, 0],
    [50.95, 5.0, 3, 8, 0],
    [50.98, 5.3, 4.5, 12, 0.6],
    [50.4, 3.68, 3, 8, 0],
    [50.53, 5.03, 2.4, 5, 0],
    [50.05, 5.5, 7, 22, 0.7],
    [49.9, 4.9, 7, 20, 0.6],
];

/** Trees are kept off these by so much, in km at 9.5 px per km (16 px and 6 px). */
const offTown = 16 / 6;
const offRoad = 6 / 6;

function clear(sheet: Sheet, p: Point, roads: readonly Point[]): boolean {
    for (const town of sheet.towns.values()) if (Math.hypot(town.at.x - p.x, town.at.y - p.y) < offTown) return false;
    for (const q of roads) if (Math.abs(q.x - p.x) < offRoad * 1.3 && Math.hypot(q.x - p.x, q.y - p.y) < offRoad * 1.3) return false;
    for (const river of sheet.rivers) for (const q of river.line) if (Math.hypot(q.x - p.x, q.y - p.y) < 0.9) return false;
    return true;
}

const grown = new WeakMap<Sheet, Tree[]>();

/** The trees of a sheet from north to south, so that nearer ones stand in front. */
export function treesOf(sheet: Sheet, project: (lat: number, lon: number) => Point): Tree[] {
    const ready = grown.get(sheet);
    if (ready) return ready;
    const roads: Point[] = [];
    for (const road of sheet.roads.values()) {
        const total = lengthOf(road.line);
        for (let d = 0; d <= total; d += 0.7) roads.push(pointAt(road.line, d));
    }
    const next = stream(1815);
    const trees: Tree[] = [];
    const wanted = sheet.rivers.length > 0 ? forests : [];
    for (const [lat, lon, radius, count, conifers] of wanted) {
        const middle = project(lat, lon);
        for (let i = 0; i < count; i++) {
            const r = radius * Math.sqrt(next());
            const turn = next() * Math.PI * 2;
            const tree = {
                x: middle.x + r * Math.cos(turn) * 1.15,
                y: middle.y + r * Math.sin(turn) * 0.8,
                size: 0.8 + next() * 0.45,
                conifer: next() < conifers,
            };
            const crowded = trees.some((other) => Math.abs(other.x - tree.x) < 0.85 && Math.abs(other.y - tree.y) < 0.7);
            if (!crowded && clear(sheet, tree, roads)) trees.push(tree);
        }
    }
    trees.sort((a, b) => a.y - b.y);
    grown.set(sheet, trees);
    return trees;
}
