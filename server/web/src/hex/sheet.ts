/** The geometry of a hex board, worked out once from its data; lengths in hexes. */
import { meetings, smooth } from "../board/curves";
import { bounds, inflate, type Point, type Rect } from "../board/geo";
import { allHexes, centre, chains, columnOf, cornersOf, outlines, pitch, pointKey, rowOf, sideBetween, type Grid } from "./geo";
import { cracksOf, housesOf, treesOf, tuftsOf, type Crack, type House, type Tree, type Tuft } from "./growth";
import type { BridgeData, Hex, HexBoardData, HexData, HexRoadData, PlaceData } from "./types";

/** A feature with the box it lies in. */
export interface Boxed {
    box: Rect;
}

export interface Line extends Boxed {
    line: Point[];
}

export interface Stream extends Line {
    name: string;
}

export interface Bridge extends BridgeData {
    at: Point;
    /** Direction of the road. */
    angle: number;
    highway: boolean;
}

export interface Pond extends Boxed {
    name: string;
    loops: Point[][];
}

export interface Village extends Boxed {
    hex: Hex;
    at: Point;
    fortified: boolean;
    houses: House[];
}

/** A hex as it is drawn. */
export interface Cell {
    hex: Hex;
    at: Point;
    corners: readonly Point[];
    /** Open ground, where grass is drawn. */
    clear: boolean;
    /** At the east or south edge: nobody else draws these sides. */
    last: boolean;
}

export interface HexSheet {
    grid: Grid;
    /** Hexes that are not plain clear ground. */
    ground: ReadonlyMap<Hex, HexData>;
    places: ReadonlyMap<Hex, PlaceData>;
    hexes: readonly Cell[];
    /** Outline of the board itself. */
    board: Point[];
    extent: Rect;
    middle: Rect;
    rim: number;
    most: number;
    heights: Line[];
    ponds: Pond[];
    banks: Line[];
    /** Steep shores: from a to b with the water on the right hand. */
    escarpments: (readonly [Point, Point])[];
    streams: Stream[];
    highways: Line[];
    roads: Line[];
    /** Dikes: the road of a pond hex that has one. */
    dikes: Line[];
    bridges: ReadonlyMap<string, Bridge>;
    villages: Village[];
    trees: Tree[];
    tufts: Tuft[];
    cracks: Crack[];
    /** The hexes where the Vienna road leaves. */
    vienna: readonly Hex[];
    /** Hexes at the edge with a road that leaves the board there, and the point where it does. */
    exits: ReadonlyMap<Hex, Point>;
}

const boxed = (line: Point[]): Line => ({ line, box: bounds(line) });

/** Draws each point of a line a share of the way to the middle of its neighbours: zigzags calm down. */
export function calm(line: readonly Point[], share: number): Point[] {
    return line.map((p, i) => {
        const before = line[i - 1];
        const after = line[i + 1];
        if (!before || !after) return p;
        return { x: p.x * (1 - share) + ((before.x + after.x) / 2) * share, y: p.y * (1 - share) + ((before.y + after.y) / 2) * share };
    });
}

/** A closed line with its corners cut, twice. */
function rounded(loop: readonly Point[]): Point[] {
    let line = loop;
    for (let round = 0; round < 2; round++) {
        line = line.flatMap((p, i) => {
            const q = line[(i + 1) % line.length]!;
            const cut = round === 0 ? 0.22 : 0.25;
            return [
                { x: p.x + (q.x - p.x) * cut, y: p.y + (q.y - p.y) * cut },
                { x: p.x + (q.x - p.x) * (1 - cut), y: p.y + (q.y - p.y) * (1 - cut) },
            ];
        });
    }
    return [...line];
}

function streamsOf(data: HexBoardData): Stream[] {
    const sides: [Point, Point][] = [];
    const nameAt = new Map<string, string>();
    for (const { a, b, kind, name } of data.hexsides) {
        const side = kind === "stream" ? sideBetween(a, b) : undefined;
        if (!side) continue;
        sides.push(side);
        nameAt.set(`${pointKey(side[0])} ${pointKey(side[1])}`, name ?? "");
        nameAt.set(`${pointKey(side[1])} ${pointKey(side[0])}`, name ?? "");
    }
    return chains(sides).map((corners) => {
        const name = nameAt.get(`${pointKey(corners[0]!)} ${pointKey(corners[1]!)}`) ?? "";
        return { ...boxed(smooth(calm(corners, 0.3))), name };
    });
}

/** Where a road leaves the board beyond this edge hex. */
function beyond(grid: Grid, hex: Hex): Point | undefined {
    const at = centre(hex);
    if (columnOf(hex) === 1) return { x: at.x - pitch, y: at.y };
    if (columnOf(hex) === grid.columns) return { x: at.x + pitch, y: at.y };
    if (rowOf(hex) === 1) return { x: at.x, y: at.y - 1 };
    if (rowOf(hex) === grid.rows) return { x: at.x, y: at.y + 1 };
    return undefined;
}

const linkKey = (a: Hex, b: Hex): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/** Where each hex's roads run: through the middle where they fork, end or come into a village, else a calmer line. */
function roadPoints(data: HexBoardData, ground: ReadonlyMap<Hex, HexData>): (hex: Hex) => Point {
    const links = new Map<Hex, Set<Hex>>();
    for (const { hexes } of data.roads) {
        for (let i = 0; i + 1 < hexes.length; i++) {
            const [a, b] = [hexes[i]!, hexes[i + 1]!];
            links.set(a, (links.get(a) ?? new Set<Hex>()).add(b));
            links.set(b, (links.get(b) ?? new Set<Hex>()).add(a));
        }
    }
    return (hex) => {
        const at = centre(hex);
        const [a, b, more] = [...(links.get(hex) ?? [])];
        if (!a || !b || more || ground.get(hex)?.terrain === "village") return at;
        return calm([centre(a), at, centre(b)], 0.32)[1]!;
    };
}

interface Roads {
    highways: Line[];
    roads: Line[];
    dikes: Line[];
    exits: Map<Hex, Point>;
    /** The curve of each link. */
    link: Map<string, { line: Point[]; highway: boolean }>;
}

const perLink = 6;

/** Curves of all roads; a stretch that two of them share is drawn once. */
function roadsOf(data: HexBoardData, ground: ReadonlyMap<Hex, HexData>): Roads {
    const made: Roads = { highways: [], roads: [], dikes: [], exits: new Map(), link: new Map() };
    const pointOf = roadPoints(data, ground);
    const first = (road: HexRoadData): number => (road.class === "highway" ? 0 : 1);
    for (const road of [...data.roads].sort((a, b) => first(a) - first(b))) {
        const hexes: (Hex | undefined)[] = [...road.hexes];
        const points = road.hexes.map(pointOf);
        const open = (hex: Hex): Point | undefined => {
            const end = beyond(data.grid, hex);
            if (end) made.exits.set(hex, end);
            return end;
        };
        const before = open(road.hexes[0]!);
        const after = open(road.hexes[road.hexes.length - 1]!);
        if (before) {
            points.unshift(before);
            hexes.unshift(undefined);
        }
        if (after) {
            points.push(after);
            hexes.push(undefined);
        }
        const curve = smooth(points, perLink);
        let run: Point[] = [];
        const close = (): void => {
            if (run.length > 1) (road.class === "highway" ? made.highways : made.roads).push(boxed(run));
            run = [];
        };
        for (let i = 0; i + 1 < hexes.length; i++) {
            const key = linkKey(hexes[i] ?? "", hexes[i + 1] ?? "");
            if (made.link.has(key)) {
                close();
                continue;
            }
            const part = points.length < 3 ? curve : curve.slice(i * perLink, (i + 1) * perLink + 1);
            made.link.set(key, { line: part, highway: road.class === "highway" });
            run = run.length === 0 ? part : [...run, ...part.slice(1)];
        }
        close();
    }
    for (const [key, { line }] of made.link) {
        const dike = key.split(" ").filter((hex) => ground.get(hex)?.causeway);
        if (dike.length > 0) made.dikes.push(boxed(line));
    }
    return made;
}

function bridgesOf(data: HexBoardData, roads: Roads, streams: readonly Stream[]): Map<string, Bridge> {
    const made = new Map<string, Bridge>();
    for (const bridge of data.bridges) {
        const side = sideBetween(bridge.a, bridge.b);
        const link = roads.link.get(linkKey(bridge.a, bridge.b));
        if (!side) continue;
        const [p, q] = side;
        const from = centre(bridge.a);
        const to = centre(bridge.b);
        const found = link && streams.flatMap((stream) => meetings(link.line, stream.line))[0];
        made.set(bridge.id, {
            ...bridge,
            at: found?.point ?? { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 },
            angle: found?.angle ?? Math.atan2(to.y - from.y, to.x - from.x),
            highway: link?.highway ?? false,
        });
    }
    return made;
}

function pondsOf(data: HexBoardData): Pond[] {
    const byName = new Map<string, Set<Hex>>();
    for (const { id, terrain, pond } of data.hexes) {
        if (terrain !== "pond") continue;
        byName.set(pond ?? "", (byName.get(pond ?? "") ?? new Set<Hex>()).add(id));
    }
    return [...byName].map(([name, hexes]) => {
        const loops = outlines(data.grid, hexes);
        return { name, loops, box: bounds(loops.flat()) };
    });
}

/** Shores that are no cliff, as lines; and cliffs, water on the right. */
function shoresOf(data: HexBoardData, ground: ReadonlyMap<Hex, HexData>): { banks: Line[]; escarpments: (readonly [Point, Point])[] } {
    const banks: [Point, Point][] = [];
    const escarpments: (readonly [Point, Point])[] = [];
    for (const { a, b, kind } of data.hexsides) {
        const water = ground.get(a)?.terrain === "pond" ? a : b;
        const side = sideBetween(water, water === a ? b : a);
        if (!side) continue;
        if (kind === "bank") banks.push(side);
        if (kind === "escarpment") escarpments.push(side);
    }
    return { banks: chains(banks).map(boxed), escarpments };
}

function build(data: HexBoardData): HexSheet {
    const grid: Grid = { columns: data.grid.columns, rows: data.grid.rows };
    const ground = new Map(data.hexes.map((hex) => [hex.id, hex]));
    const hexes = allHexes(grid).map((hex) => ({
        hex,
        at: centre(hex),
        corners: cornersOf(hex),
        clear: (ground.get(hex)?.terrain ?? "clear") === "clear",
        last: columnOf(hex) === grid.columns || rowOf(hex) === grid.rows,
    }));
    const middle = bounds(hexes.flatMap((cell) => cell.corners));
    const streams = streamsOf(data);
    const roads = roadsOf(data, ground);
    const high = new Set(data.hexes.filter((hex) => hex.height).map((hex) => hex.id));
    const built = data.hexes.filter((hex) => hex.terrain === "village" || hex.fortified);
    const houseless = { x: 0.48, y: 0.48 };
    return {
        grid,
        ground,
        places: new Map(data.places.map((place) => [place.hex, place])),
        hexes,
        board: outlines(grid, new Set(allHexes(grid)))[0] ?? [],
        extent: inflate(middle, 0.6),
        middle,
        rim: 0.45,
        most: 92,
        heights: outlines(grid, high).map((loop) => boxed(rounded(loop))),
        ponds: pondsOf(data),
        ...shoresOf(data, ground),
        streams,
        highways: roads.highways,
        roads: roads.roads,
        dikes: roads.dikes,
        bridges: bridgesOf(data, roads, streams),
        villages: built.map((hex) => {
            const at = centre(hex.id);
            const box = { x: at.x - houseless.x, y: at.y - houseless.y, w: 2 * houseless.x, h: 2 * houseless.y };
            return { hex: hex.id, at, box, fortified: hex.fortified ?? false, houses: hex.terrain === "village" ? housesOf(hex.id) : [] };
        }),
        trees: data.hexes.filter((hex) => hex.terrain === "forest").flatMap((hex) => treesOf(hex.id)),
        tufts: data.hexes.filter((hex) => hex.terrain === "marsh").flatMap((hex) => tuftsOf(hex.id)),
        cracks: data.hexes.filter((hex) => hex.terrain === "pond").flatMap((hex) => cracksOf(hex.id)),
        vienna: data.vienna_exits.hexes,
        exits: roads.exits,
    };
}

const sheets = new WeakMap<HexBoardData, HexSheet>();

/** The sheet of a board, worked out once. */
export function hexSheetOf(data: HexBoardData): HexSheet {
    let sheet = sheets.get(data);
    if (!sheet) sheets.set(data, (sheet = build(data)));
    return sheet;
}
