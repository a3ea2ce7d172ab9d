/** What stands in each town as the viewer may see it, and where the stacks stand so that none covers another. */
import type { Board } from "../types/gen/waterloo-view";
import { byArm, nations, type Nation, type UnitType } from "../ui/army";
import { printed } from "../ui/oob";
import type { Rect } from "./geo";
import type { Sheet } from "./sheet";

export interface OpenBlock {
    id: string;
    army: Nation;
    type: UnitType;
    cv: number;
    maxCv: number;
    marked: boolean;
    ghost?: boolean;
}

export interface Pile {
    army: Nation;
    count: number;
    marked: number;
}

export interface Standing {
    town: string;
    open: OpenBlock[];
    piles: Pile[];
    /** Who stands to the south where both sides are: the attacker if he came from there. */
    south?: "FR" | "AL";
}

/** Sorts the view's board into towns: open blocks by id, all others as piles. */
export function standings(board: Pick<Board, "towns"> & Partial<Pick<Board, "units">>): Standing[] {
    const open = new Map<string, OpenBlock[]>();
    const knownMarked = new Map<string, number>();
    for (const [id, unit] of Object.entries(board.units ?? {})) {
        if (unit.town === undefined) continue;
        const list = open.get(unit.town) ?? [];
        const facts = printed[id];
        const army = id.slice(0, 2) as Nation;
        const marked = unit.marked_until !== undefined;
        list.push({ id, army, type: unit.type, cv: unit.cv, maxCv: facts?.cv ?? unit.cv, marked });
        open.set(unit.town, list);
        if (marked) knownMarked.set(`${unit.town} ${army}`, (knownMarked.get(`${unit.town} ${army}`) ?? 0) + 1);
    }
    const all: Standing[] = [];
    const towns = new Set([...Object.keys(board.towns), ...open.keys()]);
    for (const town of [...towns].sort()) {
        const blocks = (open.get(town) ?? []).sort((a, b) => nations.indexOf(a.army) - nations.indexOf(b.army) || byArm(a, b));
        const piles: Pile[] = [];
        const here = board.towns[town];
        for (const army of nations) {
            const known = blocks.filter((block) => block.army === army).length;
            const count = (here?.units[army] ?? 0) - known;
            const marked = (here?.marked?.[army] ?? 0) - (knownMarked.get(`${town} ${army}`) ?? 0);
            if (count > 0) piles.push({ army, count, marked: Math.max(0, marked) });
        }
        if (blocks.length > 0 || piles.length > 0) all.push({ town, open: blocks, piles });
    }
    return all;
}

export interface Placed {
    town: string;
    /** Face of each open block, relative to the box. */
    blocks: { block: OpenBlock; x: number; y: number }[];
    piles: { pile: Pile; x: number; y: number; w: number }[];
    /** Size of the open blocks and of the hidden ones. */
    s: number;
    hidden: number;
    /** The faces' box in px of the sheet. */
    box: Rect;
    /** How far it was pushed from its town. */
    off: number;
}

/** Width of a pile's faces. */
export function pileWidth(count: number, s: number): number {
    return s + (Math.max(1, Math.min(6, count)) - 1) * s * 0.36;
}

/** The size of own blocks at a scale: 33 at the full map, 40 in the campaign view, more when closer. */
export function blockSize(k: number, narrow: boolean): number {
    const anchors: [number, number][] = narrow
        ? [[2, 22], [4, 27], [6, 31], [8.8, 36], [12, 42], [20, 54], [40, 76]]
        : [[2, 20], [4, 27], [6.2, 33], [11, 40], [16, 52], [20, 62], [26, 72], [40, 92], [80, 120]];
    if (k <= anchors[0]![0]) return anchors[0]![1];
    for (let i = 0; i + 1 < anchors.length; i++) {
        const [k0, s0] = anchors[i]!;
        const [k1, s1] = anchors[i + 1]!;
        if (k <= k1) return Math.round(s0 + ((s1 - s0) * (k - k0)) / (k1 - k0));
    }
    return anchors[anchors.length - 1]![1];
}

/** Lays out one town's blocks: open ones in rows, each pile on a line of its own. */
export function arrange(standing: Standing, s: number, perRow: number): Omit<Placed, "box" | "off"> & { w: number; h: number } {
    const hidden = Math.max(20, Math.round(s * 0.88));
    const pitch = s + (s < 30 ? 4 : 6);
    const rows: { blocks: OpenBlock[]; pile?: Pile; w: number; h: number; side: boolean }[] = [];
    for (const army of standing.south === "AL" ? (["FR", "AD", "PR"] as const) : (["AD", "PR", "FR"] as const)) {
        const side = army === "FR";
        const pile = standing.piles.find((p) => p.army === army);
        if (pile) rows.push({ blocks: [], pile, w: pileWidth(pile.count, hidden), h: hidden, side });
        const open = standing.open.filter((block) => block.army === army);
        if (open.length === 0) continue;
        const count = Math.ceil(open.length / perRow);
        const each = Math.ceil(open.length / count);
        for (let i = 0; i < open.length; i += each) {
            const blocks = open.slice(i, i + each);
            rows.push({ blocks, w: (blocks.length - 1) * pitch + s, h: s, side });
        }
    }
    const w = Math.max(...rows.map((row) => row.w));
    const placed: Omit<Placed, "box" | "off"> & { w: number; h: number } = { town: standing.town, blocks: [], piles: [], s, hidden, w, h: 0 };
    let y = 0;
    const edge = s * 0.13 + (s < 30 ? 3 : 5);
    let last: boolean | undefined;
    for (const row of rows) {
        const x = (w - row.w) / 2;
        // Enemies in one town keep a step apart.
        if (last !== undefined && last !== row.side) y += s * 0.22;
        last = row.side;
        if (row.pile) placed.piles.push({ pile: row.pile, x, y, w: row.w });
        row.blocks.forEach((block, at) => placed.blocks.push({ block, x: x + at * pitch, y }));
        y += row.h + edge;
    }
    placed.h = y - edge;
    return placed;
}

const apart = 5;

/** Stacks that would come within 5 px push each other apart along the axis of least overlap, the smaller moving more. */
export function pushApart(boxes: Rect[], rounds = 60): void {
    for (let round = 0; round < rounds; round++) {
        let moved = false;
        for (let i = 0; i < boxes.length; i++) {
            for (let j = i + 1; j < boxes.length; j++) {
                const a = boxes[i]!;
                const b = boxes[j]!;
                const ox = Math.min(a.x + a.w, b.x + b.w) + apart - Math.max(a.x, b.x);
                const oy = Math.min(a.y + a.h, b.y + b.h) + apart - Math.max(a.y, b.y);
                if (ox <= 0.01 || oy <= 0.01) continue;
                moved = true;
                const share = (b.w * b.h) / (a.w * a.h + b.w * b.h);
                if (ox < oy) {
                    const way = a.x + a.w / 2 <= b.x + b.w / 2 ? 1 : -1;
                    a.x -= way * ox * share;
                    b.x += way * ox * (1 - share);
                } else {
                    const way = a.y + a.h / 2 <= b.y + b.h / 2 ? 1 : -1;
                    a.y -= way * oy * share;
                    b.y += way * oy * (1 - share);
                }
            }
        }
        if (!moved) return;
    }
}

/** All stacks of a board at scale k, in px of the sheet; those in `ringed` keep room for a ring. */
export function placeStacks(sheet: Sheet, list: readonly Standing[], k: number, s: number, ringed: ReadonlySet<string> = new Set()): Placed[] {
    const known = list.filter((standing) => sheet.towns.has(standing.town));
    const lay = (perRow: (at: number) => number): Placed[] => {
        const raw = known.map((standing, at) => arrange(standing, s, perRow(at)));
        // Room on the right and below for edge and discs, so that these keep apart too.
        const disc = Math.max(7, s * 0.2);
        const rooms = raw.map((stack) => {
            const ring = ringed.has(stack.town) ? 7 : 0;
            return { ring, top: ring + (stack.piles.length > 0 ? disc * 0.7 : 2) };
        });
        const boxes = raw.map((stack, at) => {
            const town = sheet.towns.get(stack.town)!.at;
            const { ring, top } = rooms[at]!;
            return {
                x: town.x * k - stack.w / 2 - 1 - ring,
                y: town.y * k - stack.h / 2 - top,
                w: stack.w + s * 0.1 + 3 + 2 * ring,
                h: stack.h + top + s * 0.15 + 1 + ring,
            };
        });
        pushApart(boxes);
        return raw.map((stack, at) => {
            const { w, h, ...rest } = stack;
            const town = sheet.towns.get(stack.town)!.at;
            const { ring, top } = rooms[at]!;
            const box = { x: boxes[at]!.x + 1 + ring, y: boxes[at]!.y + top, w, h };
            const off = Math.hypot(box.x + w / 2 - town.x * k, box.y + h / 2 - town.y * k);
            return { ...rest, box, off };
        });
    };
    const wide = lay(() => 4);
    const crowded = wide.map((stack) => stack.off > s * 0.8 && stack.blocks.length > 2);
    if (!crowded.some(Boolean)) return wide;
    const narrow = lay((at) => (crowded[at] ? 2 : 4));
    const sum = (stacks: readonly Placed[]): number => stacks.reduce((total, stack) => total + stack.off, 0);
    return sum(narrow) < sum(wide) ? narrow : wide;
}
