/**
 * Lays out all that lies over the sheet at one scale: stacks, rings, paths, badges, names. Pure sums;
 * positions are px of the sheet at scale k. Done again on a zoom step and when stacks or marks change.
 */
import type { Board } from "../types/gen/waterloo-view";
import { armyOf, printed } from "../ui/oob";
import type { Nation } from "../ui/army";
import { lengthOf, outside, pathData, pointAt, scaled } from "./curves";
import { contains, inflate, overlap, type Point, type Rect } from "./geo";
import { placeLabels, type Label, type LabelTown, type Obstacle, type Segment } from "./labels";
import { growth } from "./pen";
import { lineThrough, type Sheet } from "./sheet";
import { blockSize, placeStacks, standings, type Placed, type Standing } from "./stacks";
import type { Marks, PathMark, RingKind, RoadUse } from "./types";

export interface Ring {
    town: string;
    kind: RingKind;
    rect: Rect;
    army?: Nation;
}

export interface Arrow {
    d: string;
    points: Point[];
    head: { x: number; y: number; angle: number };
    width: number;
    kind: PathMark["kind"];
    army: Nation;
}

export interface Pill {
    road: string;
    rect: Rect;
    kind: RoadUse["kind"];
    text: string;
    army?: Nation;
    angle: number;
}

export interface Tab {
    town: string;
    rect: Rect;
    text: string;
    short: boolean;
}

export interface Layout {
    k: number;
    s: number;
    standings: ReadonlyMap<string, Standing>;
    stacks: Placed[];
    rings: Ring[];
    arrows: Arrow[];
    pills: Pill[];
    forced: { rect: Rect; text: string }[];
    tabs: Tab[];
    counts: { town: string; rect: Rect; text: string; full: boolean }[];
    /** Dotted lines from a stack to the town it had to leave. */
    leashes: { from: Point; to: Point }[];
    labels: Label[];
    /** What answers to a pointer: the ring or stack of each town, or its sign. */
    hits: { town: string; rect: Rect; stack: boolean }[];
}

export interface LayoutInput {
    sheet: Sheet;
    board: Board;
    /** Whose turn it is. */
    side?: "FR" | "AL";
    marks: Marks;
    k: number;
    narrow: boolean;
    /** The window in px of the sheet, for names near its edge. */
    window: Rect;
    before?: ReadonlyMap<string, string>;
    mine?: readonly Nation[];
    name: (town: string) => string;
    measure: (text: string, size: number, bold: boolean, sans?: boolean) => number;
    attackText: (count: number, min: number) => string;
}

const ringPad = 7;

/** Adds the ghosts of a draft to where they will stand. */
function withGhosts(list: Standing[], marks: Marks): Standing[] {
    if (!marks.ghosts?.length) return list;
    const by = new Map(list.map((standing) => [standing.town, { ...standing, open: [...standing.open] }]));
    for (const ghost of marks.ghosts) {
        const facts = printed[ghost.unit];
        if (!facts) continue;
        const at = by.get(ghost.town) ?? { town: ghost.town, open: [], piles: [] };
        at.open.push({
            id: ghost.unit,
            army: armyOf(ghost.unit),
            type: facts.type,
            cv: ghost.cv ?? facts.cv,
            maxCv: facts.cv,
            marked: false,
            ghost: true,
        });
        by.set(ghost.town, at);
    }
    return [...by.values()];
}

/** Attackers stand on their own side of the town, at the end of their roads. */
function withSides(list: readonly Standing[], input: LayoutInput): Standing[] {
    const { board, sheet, side } = input;
    return list.map((standing) => {
        const roads = board.attacks?.[standing.town]?.roads ?? board.battles?.[standing.town]?.roads;
        const town = sheet.towns.get(standing.town);
        if (!side || !town || !roads?.length) return standing;
        let south = 0;
        for (const id of roads) {
            const road = sheet.roads.get(id);
            const from = sheet.towns.get(road?.a === standing.town ? road.b : (road?.a ?? ""));
            if (from) south += (from.at.y - town.at.y) / Math.hypot(from.at.x - town.at.x, from.at.y - town.at.y);
        }
        const other = side === "FR" ? "AL" : "FR";
        return { ...standing, south: south >= 0 ? side : other };
    });
}

/** The space a stack takes with its edge. */
export function stackBody(stack: Placed): Rect {
    const { box, s } = stack;
    return { x: box.x, y: box.y, w: box.w + s * 0.08, h: box.h + s * 0.14 };
}

function sign(sheet: Sheet, town: string, k: number): Rect {
    const at = sheet.towns.get(town)!;
    const r = (at.city || (at.supply?.length ?? 0) > 0 ? 11 : 6.5) * growth(k);
    return { x: at.at.x * k - r, y: at.at.y * k - r, w: 2 * r, h: 2 * r };
}

function ringRects(input: LayoutInput, stacks: ReadonlyMap<string, Placed>): Ring[] {
    const rings: Ring[] = [];
    const targets = new Map<string, Nation>();
    for (const path of input.marks.paths ?? []) {
        const last = path.towns[path.towns.length - 1];
        if (last && path.kind === "edited") targets.set(last, path.army);
    }
    for (const [town, kind] of Object.entries(input.marks.rings ?? {})) {
        if (!input.sheet.towns.has(town)) continue;
        const stack = stacks.get(town);
        const around = stack ? stackBody(stack) : sign(input.sheet, town, input.k);
        rings.push({ town, kind, rect: inflate(around, stack ? ringPad : 5), army: targets.get(town) ?? input.mine?.[0] });
    }
    return rings;
}

const strength: Record<PathMark["kind"], number> = { edited: 4, rout: 3, draft: 2, retreat: 2, forced: 1 };

/** The visible pieces of all paths, each stretch of road drawn once, by the strongest. */
function arrowsOf(input: LayoutInput, blocked: (p: Point) => boolean): { arrows: Arrow[]; last: ReadonlyMap<string, Point[]> } {
    const { sheet, k, marks } = input;
    const paths = marks.paths ?? [];
    const owner = new Map<string, PathMark>();
    for (const path of paths) {
        for (let i = 0; i + 1 < path.towns.length; i++) {
            const key = `${path.towns[i]} ${path.towns[i + 1]}`;
            const other = owner.get(key);
            if (!other || strength[path.kind] > strength[other.kind]) owner.set(key, path);
        }
    }
    const arrows: Arrow[] = [];
    const last = new Map<string, Point[]>();
    for (const path of paths) {
        let run: string[] = [];
        const flush = (): void => {
            if (run.length > 1) {
                const both = run.slice(1).some((town, i) => owner.has(`${town} ${run[i]}`));
                let line = scaled(lineThrough(sheet, run), k);
                if (both) line = shift(line, 6);
                for (const piece of outside(line, blocked)) {
                    if (lengthOf(piece) < 9) continue;
                    arrows.push(arrow(piece, path));
                    const key = path.towns.join(" ");
                    const longest = last.get(key);
                    if (!longest || lengthOf(piece) > lengthOf(longest)) last.set(key, piece);
                }
            }
            run = [];
        };
        for (let i = 0; i + 1 < path.towns.length; i++) {
            if (owner.get(`${path.towns[i]} ${path.towns[i + 1]}`) !== path) {
                flush();
                continue;
            }
            if (run.length === 0) run.push(path.towns[i]!);
            run.push(path.towns[i + 1]!);
        }
        flush();
    }
    return { arrows, last };
}

function shift(line: readonly Point[], by: number): Point[] {
    return line.map((p, i) => {
        const a = line[Math.max(0, i - 1)]!;
        const b = line[Math.min(line.length - 1, i + 1)]!;
        const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        return { x: p.x - ((b.y - a.y) / length) * by, y: p.y + ((b.x - a.x) / length) * by };
    });
}

function arrow(piece: readonly Point[], path: PathMark): Arrow {
    const width = path.kind === "edited" ? 5 : 3.2;
    const total = lengthOf(piece);
    const head = width === 5 ? 17 : 13;
    const tip = pointAt(piece, total);
    const body: Point[] = [];
    const until = Math.max(0, total - head * 0.7);
    const count = Math.max(2, Math.ceil(until / 6));
    for (let i = 0; i <= count; i++) body.push(pointAt(piece, (until * i) / count));
    const back = pointAt(piece, Math.max(0, total - head));
    return {
        d: pathData(body),
        points: body.filter((_, i) => i % 2 === 0 || i === body.length - 1),
        head: { x: tip.x, y: tip.y, angle: Math.atan2(tip.y - back.y, tip.x - back.x) },
        width,
        kind: path.kind,
        army: path.army,
    };
}

/** Of several rectangles the one that covers least of what is taken. */
function freest(choices: readonly Rect[], taken: readonly Rect[], step = 2): Rect {
    let best = choices[0]!;
    let bestCost = Infinity;
    choices.forEach((rect, at) => {
        const wide = inflate(rect, 2);
        const cost = taken.reduce((sum, other) => sum + overlap(wide, other), 0) + at * step;
        if (cost < bestCost) {
            best = rect;
            bestCost = cost;
        }
    });
    return best;
}

/** On either side of a point of a road; a bar lies across it. */
function beside(p: Point & { angle: number }, w: number, h: number, kind: RoadUse["kind"]): Rect[] {
    if (kind === "barred") return [{ x: p.x - w / 2, y: p.y - h / 2, w, h }];
    const off = Math.abs(Math.sin(p.angle)) * (w / 2) + Math.abs(Math.cos(p.angle)) * (h / 2) + (kind === "edited" ? 8 : 6);
    return [1, -1].map((side) => ({ x: p.x + side * Math.sin(p.angle) * off - w / 2, y: p.y - side * Math.cos(p.angle) * off - h / 2, w, h }));
}

/** Where a road shows too little: on the rim of the ring or sign at either end, as near to the road as is free. */
function atRings(input: LayoutInput, road: { a: string; b: string }, rings: readonly Ring[], line: readonly Point[], w: number, h: number): Rect[] {
    const choices: { rect: Rect; far: number }[] = [];
    const middle = pointAt(line, lengthOf(line) / 2);
    for (const town of [road.b, road.a]) {
        const at = rings.find((ring) => ring.town === town)?.rect ?? inflate(sign(input.sheet, town, input.k), 4);
        for (const share of [0, 0.25, 0.5, 0.75, 1]) {
            for (const p of [
                { x: at.x + at.w * share, y: at.y - h * 0.2 },
                { x: at.x + at.w * share, y: at.y + at.h + h * 0.2 },
                { x: at.x - w * 0.3, y: at.y + at.h * share },
                { x: at.x + at.w + w * 0.3, y: at.y + at.h * share },
            ]) {
                choices.push({ rect: { x: p.x - w / 2, y: p.y - h / 2, w, h }, far: Math.hypot(p.x - middle.x, p.y - middle.y) });
            }
        }
    }
    return choices.sort((a, b) => a.far - b.far).map((one) => one.rect);
}

/** Road use beside the visible middle of each road. */
function pillsOf(input: LayoutInput, blocked: (p: Point) => boolean, taken: Rect[], rings: readonly Ring[]): Pill[] {
    const { sheet, k } = input;
    const pills: Pill[] = [];
    const order: Record<RoadUse["kind"], number> = { edited: 0, full: 1, draft: 2, barred: 3, open: 4 };
    for (const use of [...(input.marks.roadUse ?? [])].sort((a, b) => order[a.kind] - order[b.kind])) {
        const road = sheet.roads.get(use.road);
        if (!road) continue;
        const line = scaled(road.line, k);
        const text = use.kind === "barred" ? "" : `${use.used}/${use.cap}`;
        const small = use.kind === "open";
        const h = use.kind === "barred" ? 16 : small ? 17 : 21;
        const w = use.kind === "barred" ? 16 : input.measure(text, small ? 11 : 12.5, true, true) + (small ? 12 : 17);
        const pieces = outside(line, blocked).sort((a, b) => lengthOf(b) - lengthOf(a));
        const piece = pieces[0];
        const choices: Rect[] = [];
        let angle = 0;
        const total = piece ? lengthOf(piece) : 0;
        if (piece && total >= 14) {
            angle = pointAt(piece, total / 2).angle;
            for (const share of [0.5, 0.38, 0.62, 0.25, 0.75, 0.1, 0.9]) choices.push(...beside(pointAt(piece, total * share), w, h, use.kind));
        }
        if (use.kind !== "barred" || choices.length === 0) choices.push(...atRings(input, road, rings, line, w, h));
        const rect = freest(choices, taken, 1.5);
        taken.push(rect);
        pills.push({ road: use.road, rect, kind: use.kind, text, army: use.army, angle });
    }
    return pills;
}

function tabsOf(input: LayoutInput, rings: readonly Ring[], taken: Rect[], stacks: ReadonlyMap<string, Placed>): Tab[] {
    const tabs: Tab[] = [];
    for (const attack of input.marks.attacks ?? []) {
        if (!input.sheet.towns.has(attack.town)) continue;
        const stack = stacks.get(attack.town);
        const around = rings.find((ring) => ring.town === attack.town)?.rect ?? (stack ? stackBody(stack) : sign(input.sheet, attack.town, input.k));
        const text = input.attackText(attack.count, attack.min);
        const h = 22;
        const w = input.measure(text, 13, true, true) + 42;
        const rect = freest(
            [
                { x: around.x - 3, y: around.y - h, w, h },
                { x: around.x + around.w + 3 - w, y: around.y - h, w, h },
                { x: around.x + around.w / 2 - w / 2, y: around.y - h, w, h },
                { x: around.x - w * 0.4, y: around.y - h, w, h },
                { x: around.x + around.w - w * 0.6, y: around.y - h, w, h },
                { x: around.x - 3, y: around.y - h - 4, w, h },
                { x: around.x - w + 12, y: around.y - h + 6, w, h },
                { x: around.x + around.w - 12, y: around.y - h + 6, w, h },
                { x: around.x - w, y: around.y + 4, w, h },
                { x: around.x - w, y: around.y + around.h - h - 2, w, h },
                { x: around.x + around.w, y: around.y + 6, w, h },
                { x: around.x + around.w, y: around.y + around.h - h - 2, w, h },
                { x: around.x - 3, y: around.y + around.h, w, h },
                { x: around.x + around.w + 3 - w, y: around.y + around.h, w, h },
            ],
            taken.filter((rect) => !contains(inflate(around, 4), { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2 })),
            9,
        );
        taken.push(rect);
        tabs.push({ town: attack.town, rect, text, short: attack.count < attack.min });
    }
    return tabs;
}

function forcedOf(input: LayoutInput, last: ReadonlyMap<string, Point[]>, taken: Rect[]): { rect: Rect; text: string }[] {
    return (input.marks.forced ?? []).map((mark) => {
        const piece = last.get(mark.towns.join(" ")) ?? scaled(lineThrough(input.sheet, mark.towns.slice(-2)), input.k);
        const h = 22;
        const w = input.measure(mark.text, 12.5, true, true) + 39;
        const total = lengthOf(piece);
        const choices: Rect[] = [];
        for (const share of [0.5, 0.75, 0.3]) {
            const p = pointAt(piece, total * share);
            const off = Math.abs(Math.sin(p.angle)) * (w / 2) + Math.abs(Math.cos(p.angle)) * (h / 2) + 9;
            for (const side of [-1, 1]) {
                choices.push({ x: p.x + side * Math.sin(p.angle) * off - w / 2, y: p.y - side * Math.cos(p.angle) * off - h / 2, w, h });
            }
        }
        const rect = freest(choices, taken);
        taken.push(rect);
        return { rect, text: mark.text };
    });
}

/** Font size of a town's name at a scale. */
export function nameSize(k: number, bold: boolean): number {
    const grow = Math.max(0.82, Math.min(1.75, Math.pow(k / 8.5, 0.32)));
    return Math.round((bold ? 19 : 15.5) * grow * 2) / 2;
}

function labelsOf(input: LayoutInput, layout: Omit<Layout, "labels" | "hits">, stacks: ReadonlyMap<string, Placed>): Label[] {
    const { sheet, k } = input;
    const rings = new Map(layout.rings.map((ring) => [ring.town, ring.rect]));
    const obstacles: Obstacle[] = [];
    for (const stack of layout.stacks) {
        obstacles.push({ rect: stackBody(stack), cost: 0.6, town: stack.town });
        for (const { pile, x, y, w } of stack.piles) {
            if (pile.count < 2) continue;
            const r = Math.max(9, stack.hidden * 0.21);
            obstacles.push({ rect: { x: stack.box.x + x + w - r, y: stack.box.y + y - r, w: 2 * r, h: 2 * r }, cost: 0.6 });
        }
    }
    for (const ring of layout.rings) obstacles.push({ rect: ring.rect, cost: 0.6 });
    for (const pill of layout.pills) obstacles.push({ rect: pill.rect, cost: 0.6 });
    for (const pill of layout.forced) obstacles.push({ rect: pill.rect, cost: 0.6 });
    for (const tab of layout.tabs) obstacles.push({ rect: tab.rect, cost: 0.6 });
    for (const count of layout.counts) obstacles.push({ rect: count.rect, cost: 0.6 });
    for (const arrowMark of layout.arrows) {
        const { x, y } = arrowMark.head;
        obstacles.push({ rect: { x: x - 9, y: y - 9, w: 18, h: 18 }, cost: 0.6 });
    }
    const towns: LabelTown[] = [];
    for (const town of sheet.towns.values()) {
        const stack = stacks.get(town.id);
        if (!stack) obstacles.push({ rect: inflate(sign(sheet, town.id, k), -2), cost: 1.2, town: town.id });
        const bold = town.city === true;
        const at = { x: town.at.x * k, y: town.at.y * k };
        towns.push({
            id: town.id,
            at: stack ? { x: stack.box.x + stack.box.w / 2, y: stack.box.y + stack.box.h / 2 } : at,
            text: input.name(town.id),
            size: nameSize(k, bold),
            bold,
            around: rings.get(town.id) ?? (stack ? stackBody(stack) : sign(sheet, town.id, k)),
            weight: (stack ? 4 : 0) + (rings.has(town.id) ? 2 : 0) + (bold ? 3 : 0),
            prefer: town.label,
        });
    }
    const segments: Segment[] = [];
    for (const { points } of layout.arrows) {
        for (let i = 0; i + 1 < points.length; i++) segments.push({ a: points[i]!, b: points[i + 1]!, cost: 26 });
    }
    const cut = (line: readonly Point[], every: number, cost: number): void => {
        for (let i = 0; i < line.length - 1; i += every) {
            const a = line[i]!;
            const b = line[Math.min(line.length - 1, i + every)]!;
            segments.push({ a: { x: a.x * k, y: a.y * k }, b: { x: b.x * k, y: b.y * k }, cost });
        }
    };
    for (const road of sheet.roads.values()) cut(road.line, 4, road.class === "major" ? 2.2 : 1.3);
    for (const river of sheet.rivers) cut(river.line, 4, 0.8);
    return placeLabels({ towns, obstacles, segments, frame: input.window, before: input.before, measure: input.measure });
}

/** The whole layout. */
export function layOut(input: LayoutInput): Layout {
    const { sheet, k, marks } = input;
    const s = blockSize(k, input.narrow);
    const list = withSides(withGhosts(standings(input.board), marks), input);
    const attacked = new Set(Object.entries(marks.rings ?? {}).flatMap(([town, kind]) => (kind === "attacked" ? [town] : [])));
    const stacks = placeStacks(sheet, list, k, s, attacked);
    const byTown = new Map(stacks.map((stack) => [stack.town, stack]));
    const rings = ringRects(input, byTown);
    const ringed = new Map(rings.map((ring) => [ring.town, ring.rect]));
    const bodies = stacks.map((stack) => ({ town: stack.town, rect: ringed.get(stack.town) ?? inflate(stackBody(stack), 3) }));
    const walls = [...bodies.map((body) => body.rect), ...rings.filter((ring) => !byTown.has(ring.town)).map((ring) => ring.rect)];
    const blocked = (p: Point): boolean => walls.some((rect) => contains(rect, p));
    const { arrows, last } = arrowsOf(input, blocked);
    const taken: Rect[] = stacks.map((stack) => stackBody(stack));
    for (const stack of stacks) {
        for (const { pile, x, y, w } of stack.piles) {
            if (pile.count > 1) taken.push({ x: stack.box.x + x + w - 10, y: stack.box.y + y - 10, w: 20, h: 20 });
        }
    }
    for (const ring of rings) taken.push(ring.rect);
    for (const { points, head } of arrows) {
        for (const p of points) taken.push({ x: p.x - 4, y: p.y - 4, w: 8, h: 8 });
        taken.push({ x: head.x - 9, y: head.y - 9, w: 18, h: 18 });
    }
    const counts = Object.entries(marks.counts ?? {})
        .filter(([town]) => sheet.towns.has(town))
        .map(([town, count]) => {
            const stack = byTown.get(town);
            const around = ringed.get(town) ?? (stack ? stackBody(stack) : sign(sheet, town, k));
            const small = s < 30;
            const w = input.measure(count.text, small ? 10.5 : 12, true, true) + (small ? 9 : 14);
            const h = small ? 15 : 19;
            return { town, rect: { x: around.x + around.w - w * (small ? 0.45 : 0.55), y: around.y - h * (small ? 0.75 : 0.53), w, h }, text: count.text, full: count.full ?? false };
        });
    for (const count of counts) taken.push(count.rect);
    const tabs = tabsOf(input, rings, taken, byTown);
    const forced = forcedOf(input, last, taken);
    const pills = pillsOf(input, blocked, taken, rings);
    const leashes = stacks
        .filter((stack) => !contains(inflate(stack.box, 2), { x: sheet.towns.get(stack.town)!.at.x * k, y: sheet.towns.get(stack.town)!.at.y * k }))
        .map((stack) => {
            const at = sheet.towns.get(stack.town)!.at;
            return { from: { x: stack.box.x + stack.box.w / 2, y: stack.box.y + stack.box.h / 2 }, to: { x: at.x * k, y: at.y * k } };
        });
    const rest = { k, s, standings: new Map(list.map((standing) => [standing.town, standing])), stacks, rings, arrows, pills, forced, tabs, counts, leashes };
    const hits = [...sheet.towns.keys()].map((town) => {
        const stack = byTown.get(town);
        return { town, rect: ringed.get(town) ?? (stack ? stackBody(stack) : sign(sheet, town, k)), stack: stack !== undefined };
    });
    return { ...rest, labels: labelsOf(input, rest, byTown), hits };
}
