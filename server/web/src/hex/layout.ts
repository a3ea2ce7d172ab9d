/** Where names, numbers and odds stand at a scale; everything in px of the sheet. */
import { overlap, type Point, type Rect } from "../board/geo";
import { placeLabels, type Label, type LabelTown, type Obstacle, type Segment } from "../board/labels";
import { centre } from "./geo";
import type { HexSheet } from "./sheet";
import type { CombatMark, Hex, HexMarks } from "./types";

/** Share of a hex's height that a counter takes. */
export const counterShare = 0.92;

export interface Odds {
    n: number;
    rect: Rect;
    head: string;
    note: string | undefined;
    /** Where the label points: at a side of the defenders' counter. */
    tip: Point;
    from: "left" | "right" | "above" | "below";
}

export interface HexLayout {
    k: number;
    /** Edge of a counter. */
    s: number;
    names: (Label & { hill: boolean })[];
    odds: Odds[];
    /** The disc with a combat's number. */
    numbers: { n: number; at: Point; kind: CombatMark["kind"] }[];
}

export interface LayoutInput {
    sheet: HexSheet;
    /** Where counters stand. */
    units: Readonly<Record<Hex, unknown>>;
    marks: HexMarks;
    /** The combat whose odds show though it is not being edited. */
    spoken: number | undefined;
    k: number;
    /** What of the sheet shows and nothing covers. */
    window: Rect;
    /** What stands over the sheet, small map and buttons, in px of the sheet: odds keep off it. */
    covered?: readonly Rect[];
    name: (hex: Hex) => string;
    measure: (text: string, size: number, bold: boolean, sans?: boolean) => number;
    before: ReadonlyMap<string, string>;
}

const square = (at: Point, edge: number): Rect => ({ x: at.x - edge / 2, y: at.y - edge / 2, w: edge, h: edge });

export function placed(hex: Hex, k: number): Point {
    const at = centre(hex);
    return { x: at.x * k, y: at.y * k };
}

/** Size of names: 15.5 px from 34 px a hex on, smaller where the whole field shows. */
function nameSize(k: number): number {
    return k >= 34 ? 15.5 : k >= 26 ? 14 : k >= 18 ? 12.5 : 11;
}

/** Lines that names would rather not cross: every third point is near enough. */
function segmentsOf(sheet: HexSheet, k: number): Segment[] {
    const made: Segment[] = [];
    const add = (line: readonly Point[], cost: number): void => {
        for (let i = 0; i + 1 < line.length; i += 3) {
            const a = line[i]!;
            const b = line[Math.min(i + 3, line.length - 1)]!;
            made.push({ a: { x: a.x * k, y: a.y * k }, b: { x: b.x * k, y: b.y * k }, cost });
        }
    };
    for (const stream of sheet.streams) add(stream.line, 0.8);
    for (const road of sheet.roads) add(road.line, 1.3);
    for (const road of sheet.highways) add(road.line, 2.2);
    return made;
}

/** The label of a combat's odds beside its first defender: right, left, below or above, where it covers least. */
function placeOdds(input: LayoutInput, combat: CombatMark, s: number, counters: readonly Rect[], others: readonly Rect[]): Odds | undefined {
    const target = combat.ice ?? combat.defenders[0];
    if (!combat.odds || target === undefined) return undefined;
    const { head, note } = combat.odds;
    const { measure, window, k } = input;
    const w = Math.max(measure(head, 14, true, true), note === undefined ? 0 : measure(note, 12, false, true)) + 26;
    const h = note === undefined ? 30 : 46;
    const at = placed(target, k);
    // Who is out of sight has no label at the edge that points at nothing.
    if (at.x < window.x - s || at.y < window.y - s || at.x > window.x + window.w + s || at.y > window.y + window.h + s) return undefined;
    const half = s / 2 + 11;
    const choices: Odds[] = [
        { n: combat.n, head, note, from: "left", tip: { x: at.x + half - 7, y: at.y }, rect: { x: at.x + half, y: at.y - h / 2, w, h } },
        { n: combat.n, head, note, from: "right", tip: { x: at.x - half + 7, y: at.y }, rect: { x: at.x - half - w, y: at.y - h / 2, w, h } },
        { n: combat.n, head, note, from: "above", tip: { x: at.x, y: at.y + half - 7 }, rect: { x: at.x - w / 2, y: at.y + half, w, h } },
        { n: combat.n, head, note, from: "below", tip: { x: at.x, y: at.y - half + 7 }, rect: { x: at.x - w / 2, y: at.y - half - h, w, h } },
    ];
    const shift = (odds: Odds): void => {
        const { rect } = odds;
        if (odds.from === "above" || odds.from === "below") rect.x = Math.max(window.x + 4, Math.min(window.x + window.w - w - 4, rect.x));
        else rect.y = Math.max(window.y + 4, Math.min(window.y + window.h - h - 4, rect.y));
    };
    for (const odds of choices) shift(odds);
    const taking = [...combat.contact, ...combat.bombard, ...combat.defenders].map((hex) => square(placed(hex, k), s));
    const cost = ({ rect }: Odds): number => {
        const out = Math.max(0, window.x - rect.x) + Math.max(0, window.y - rect.y) + Math.max(0, rect.x + w - window.x - window.w) + Math.max(0, rect.y + h - window.y - window.h);
        const sum = (list: readonly Rect[], price: number): number => list.reduce((all, one) => all + price * overlap(rect, one), 0);
        return out * 60 + sum(taking, 4) + sum(counters, 1) + sum(others, 8) + sum(input.covered ?? [], 12);
    };
    return choices.reduce((best, one) => (cost(one) < cost(best) ? one : best));
}

/** Where the number of a combat stands: the lower right corner of its first defender; of a shot on the ice, of its hex. */
function numberAt(combat: CombatMark, k: number, s: number): Point | undefined {
    const target = combat.ice ?? combat.defenders[0];
    if (target === undefined) return undefined;
    const at = placed(target, k);
    return { x: at.x + s * 0.47, y: at.y + s * 0.42 };
}

export function layOutHexes(input: LayoutInput): HexLayout {
    const { sheet, k, marks } = input;
    const s = counterShare * k;
    const counters = [...Object.keys(input.units), ...(marks.ghosts ?? []).map((ghost) => ghost.hex)].map((hex) => square(placed(hex, k), s));
    const odds: Odds[] = [];
    const numbers: HexLayout["numbers"] = [];
    for (const combat of marks.combats ?? []) {
        const open = combat.kind === "edited" || combat.kind === "hand" || combat.n === input.spoken;
        const made = open ? placeOdds(input, combat, s, counters, odds.map((one) => one.rect)) : undefined;
        if (made) odds.push(made);
        const at = numberAt(combat, k, s);
        if (at) numbers.push({ n: combat.n, at, kind: combat.kind });
    }
    const size = nameSize(k);
    const hills = new Set<Hex>();
    const towns: LabelTown[] = [...sheet.places.values()].map((place) => {
        const at = placed(place.hex, k);
        const hill = place.kind === "hill";
        if (hill) hills.add(place.hex);
        const taken = input.units[place.hex] !== undefined;
        const around = taken ? square(at, s + 2) : hill ? { x: at.x, y: at.y - size * 0.6 - 1, w: 0, h: 0 } : square(at, 0.66 * k);
        return { id: place.hex, at, text: input.name(place.hex), size: hill ? size + 0.5 : size, bold: false, around, weight: hill ? 1 : 2 };
    });
    const obstacles: Obstacle[] = [
        ...counters.map((rect) => ({ rect, cost: 0.6 })),
        ...odds.map(({ rect }) => ({ rect, cost: 3 })),
        ...numbers.map(({ at }) => ({ rect: square(at, 20), cost: 0.6 })),
        ...Object.keys(marks.urgent ?? {}).map((hex) => ({ rect: square({ x: placed(hex, k).x - s * 0.48, y: placed(hex, k).y - s * 0.48 }, 20), cost: 0.6 })),
        ...(marks.legal ?? []).filter((mark) => mark.note !== undefined).map((mark) => ({ rect: square(placed(mark.hex, k), 22), cost: 0.6 })),
    ];
    for (const village of sheet.villages) obstacles.push({ rect: square({ x: village.at.x * k, y: village.at.y * k }, 0.5 * k), cost: 0.4, town: village.hex });
    const { middle } = sheet;
    const frame = { x: middle.x * k, y: middle.y * k, w: middle.w * k, h: middle.h * k };
    const labels = placeLabels({ towns, obstacles, segments: segmentsOf(sheet, k), frame, before: input.before, measure: input.measure });
    return { k, s, names: labels.map((label) => ({ ...label, hill: hills.has(label.id) })), odds, numbers };
}
