import { describe, expect, it } from "vitest";
import data from "../../../schema/games/waterloo/board.json";
import russian from "../../../schema/words/ru.json";
import { hitAt, viaTown } from "../src/board/hits";
import { neighbour } from "../src/board/keys";
import { layoutKey, drawKey } from "../src/board/same";
import { overlap } from "../src/board/geo";
import { layOut, stackBody, type Layout, type LayoutInput } from "../src/board/layout";
import { guess } from "../src/board/measure";
import { sheetOf } from "../src/board/sheet";
import { shortest } from "../src/board/slide";
import { placeStacks, standings } from "../src/board/stacks";
import type { BoardData, Marks } from "../src/board/types";
import { View } from "../src/board/view";
import type { Board } from "../src/types/gen/waterloo-view";
import { printed } from "../src/ui/oob";

const sheet = sheetOf(data as unknown as BoardData);

/** Names as long as Russian makes them. */
function russianName(id: string): string {
    const message = (russian as Record<string, string>)[`place.${id}`] ?? id;
    return /other \{<b>([^<]+)<\/b>\}/.exec(message)?.[1] ?? id;
}

function board(own: Record<string, string>, others: Record<string, Record<string, number>>): Board {
    const towns: Record<string, { units: Record<string, number> }> = {};
    for (const [town, counts] of Object.entries(others)) towns[town] = { units: { ...counts } };
    const units: Record<string, unknown> = {};
    for (const [id, town] of Object.entries(own)) {
        const facts = printed[id]!;
        units[id] = { type: facts.type, cv: facts.cv, town };
        const here = (towns[town] ??= { units: {} });
        here.units[facts.army] = (here.units[facts.army] ?? 0) + 1;
    }
    return { base: "real", towns, units, lost: {} } as unknown as Board;
}

const others = {
    ninove: { AD: 1 }, brussels: { AD: 3 }, enghien: { AD: 2 }, waterloo: { AD: 2 }, nivelles: { AD: 2 }, mons: { AD: 1 }, "quatre-bras": { AD: 3 },
    wavre: { PR: 1 }, hannut: { PR: 1 }, perwez: { PR: 1 }, gembloux: { PR: 2 }, ligny: { PR: 4 }, namur: { PR: 4 }, huy: { PR: 2 }, liege: { PR: 1 },
};
const french = Object.keys(printed).filter((id) => id.startsWith("FR"));
const crowd = board(Object.fromEntries(french.map((id) => [id, "charleroi"])), others);
const spread = board(
    Object.fromEntries(french.map((id, at) => [id, ["charleroi", "charleroi", "fosses", "thuin", "laneffe", "philippeville"][at % 6]!])),
    others,
);

function input(of: Board, k: number, marks: Marks = {}): LayoutInput {
    return {
        sheet,
        board: of,
        marks,
        k,
        narrow: false,
        window: { x: -4000, y: -4000, w: 12000, h: 12000 },
        name: russianName,
        measure: guess,
        attackText: (count, min) => (count < min ? `${count}, нужно ${min - count}` : `${count} (мин. ${min})`),
    };
}

const busy: Marks = {
    rings: { "quatre-bras": "edited", ligny: "legal", binche: "legal", thuin: "legal", laneffe: "legal" },
    roadUse: [
        { road: "charleroi-quatre-bras", used: 5, cap: 8, kind: "edited", army: "FR" },
        { road: "ligny-charleroi", used: 4, cap: 6, kind: "draft" },
        { road: "binche-charleroi", used: 0, cap: 8, kind: "open" },
    ],
    paths: [
        { towns: ["charleroi", "quatre-bras"], kind: "edited", army: "FR" },
        { towns: ["laneffe", "charleroi", "ligny"], kind: "forced", army: "FR" },
    ],
    attacks: [{ town: "quatre-bras", count: 2, min: 3 }],
    forced: [{ towns: ["laneffe", "charleroi", "ligny"], text: "1–3" }],
};

function pairs<T>(list: readonly T[]): [T, T][] {
    return list.flatMap((a, i) => list.slice(i + 1).map((b): [T, T] => [a, b]));
}

function meetingNames(layout: Layout): string[] {
    const shown = layout.labels.filter((label) => !label.hidden);
    return pairs(shown)
        .filter(([a, b]) => overlap(a.rect, b.rect) > 0)
        .map(([a, b]) => `${a.id} ${b.id}`);
}

describe.each([6, 9.5, 14])("at %s px per km", (k) => {
    it.each([
        ["eighteen blocks in one town", crowd, {}],
        ["a campaign with a draft", spread, busy],
    ] as const)("names never overlap: %s", (_, of, marks) => {
        const layout = layOut(input(of, k, marks));
        expect(meetingNames(layout)).toEqual([]);
        // What is shown is not under a stack either.
        for (const label of layout.labels) {
            if (label.hidden) continue;
            const under = layout.stacks.reduce((sum, stack) => sum + overlap(label.rect, stackBody(stack)), 0);
            expect(under).toBeLessThan(label.rect.h * 1.3);
        }
    });

    it("shows nearly all names in a usual position", () => {
        const layout = layOut(input(spread, k));
        expect(layout.labels.filter((label) => label.hidden).length).toBeLessThanOrEqual(k < 8 ? 6 : 2);
    });

    it("stacks keep apart", () => {
        for (const of of [crowd, spread]) {
            const layout = layOut(input(of, k));
            const bodies = layout.stacks.map((stack) => stack.box);
            for (const [a, b] of pairs(bodies)) expect(overlap(a, b)).toBe(0);
        }
    });

    it("is the same every time", () => {
        expect(JSON.stringify(layOut(input(spread, k, busy)).labels)).toBe(JSON.stringify(layOut(input(spread, k, busy)).labels));
    });
});

describe("what a seat may know", () => {
    it("lays out hidden units by count alone: who they are or in which order makes no difference", () => {
        const one = board({ "FR-A": "mons" }, others);
        const two = JSON.parse(JSON.stringify(one)) as Board;
        two.towns = Object.fromEntries(Object.entries(two.towns).reverse()) as Board["towns"];
        expect(layOut(input(two, 9.5))).toEqual(layOut(input(one, 9.5)));
        const text = JSON.stringify(layOut(input(one, 9.5)).stacks.filter((stack) => stack.blocks.length === 0));
        expect(text).not.toMatch(/AD-[A-N]|PR-[A-P]/);
    });

    it("takes known blocks out of the count of hidden ones", () => {
        const of = board({ "FR-A": "mons", "FR-B": "mons" }, {});
        of.towns["mons"]!.units.FR = 5;
        of.towns["mons"]!.marked = { FR: 3 };
        of.units!["FR-A"]!.marked_until = 4;
        const [mons] = standings(of);
        expect(mons!.open.map((block) => block.id)).toEqual(["FR-A", "FR-B"]);
        expect(mons!.piles).toEqual([{ army: "FR", count: 3, marked: 2 }]);
    });

    it("sorts own blocks infantry, cavalry, foot, horse, the stronger first", () => {
        const of = board({ "FR-Q": "mons", "FR-K": "mons", "FR-E": "mons", "FR-P": "mons", "FR-H": "mons", "FR-A": "mons" }, {});
        expect(standings(of)[0]!.open.map((block) => block.id)).toEqual(["FR-A", "FR-E", "FR-H", "FR-K", "FR-P", "FR-Q"]);
    });

    it("stands attackers on the side from which they came", () => {
        const of = board({ "FR-A": "ligny", "FR-B": "ligny", "FR-C": "ligny" }, { ligny: { PR: 4 } });
        const rows = (side: "FR" | "AL", roads: string[]): { french: number; prussian: number } => {
            of.attacks = { ligny: { attackers: {}, defenders: {}, roads } };
            const stack = layOut({ ...input(of, 9.5), side }).stacks[0]!;
            return { french: stack.blocks[0]!.y, prussian: stack.piles[0]!.y };
        };
        const south = rows("FR", ["ligny-charleroi"]);
        expect(south.french).toBeGreaterThan(south.prussian);
        const north = rows("FR", ["ligny-quatre-bras"]);
        expect(north.french).toBeLessThan(north.prussian);
        const allies = rows("AL", ["ligny-quatre-bras"]);
        expect(allies.french).toBeGreaterThan(allies.prussian);
    });

    it("puts at most four in a row", () => {
        const placed = placeStacks(sheet, standings(crowd), 9.5, 38).find((stack) => stack.town === "charleroi")!;
        const rows = new Map<number, number>();
        for (const { y } of placed.blocks) rows.set(y, (rows.get(y) ?? 0) + 1);
        expect(Math.max(...rows.values())).toBeLessThanOrEqual(4);
        expect(placed.blocks).toHaveLength(18);
    });
});

describe("pointers and keys", () => {
    const layout = layOut(input(spread, 9.5, busy));

    it("finds an own block where it stands, and the town where it is hidden", () => {
        const stack = layout.stacks.find((one) => one.town === "fosses")!;
        const { block, x, y } = stack.blocks[0]!;
        const at = { x: stack.box.x + x + 10, y: stack.box.y + y + 10 };
        expect(hitAt(sheet, layout, at, 28)).toEqual({ kind: "unit", id: block.id, town: "fosses" });
        const pile = layout.stacks.find((one) => one.town === "ligny")!;
        expect(hitAt(sheet, layout, { x: pile.box.x + 8, y: pile.box.y + 20 }, 28)).toEqual({ kind: "town", id: "ligny" });
    });

    it("gives towns 28 px to a pointer and 44 to a finger", () => {
        const town = sheet.towns.get("ciney")!.at;
        const off = (d: number): { x: number; y: number } => ({ x: town.x * 9.5 + d, y: town.y * 9.5 });
        expect(hitAt(sheet, layout, off(13), 28)).toEqual({ kind: "town", id: "ciney" });
        expect(hitAt(sheet, layout, off(-20), 28)).toBeUndefined();
        expect(hitAt(sheet, layout, off(-20), 44)).toEqual({ kind: "town", id: "ciney" });
    });

    it("goes along roads with the arrow keys", () => {
        expect(neighbour(sheet, "charleroi", "ArrowUp")).toBe("quatre-bras");
        expect(neighbour(sheet, "charleroi", "ArrowDown")).toBe("laneffe");
        expect(neighbour(sheet, "charleroi", "ArrowLeft")).toBe("binche");
        expect(neighbour(sheet, "ghent", "ArrowUp")).toBeUndefined();
    });

    it("collects the towns a drag has passed, and lets go of them on the way back", () => {
        const drag = { units: ["FR-A"], from: "charleroi", x: 0, y: 0, via: [] as string[], over: undefined };
        drag.via = viaTown(sheet, drag, "ligny");
        expect(drag.via).toEqual(["ligny"]);
        drag.via = viaTown(sheet, drag, "gembloux");
        expect(drag.via).toEqual(["ligny", "gembloux"]);
        expect(viaTown(sheet, drag, "ghent")).toEqual(["ligny", "gembloux"]);
        expect(viaTown(sheet, drag, "ligny")).toEqual(["ligny"]);
        expect(viaTown(sheet, drag, "charleroi")).toEqual([]);
    });

    it("finds the way a block has come", () => {
        expect(shortest(sheet, "laneffe", "ligny")).toEqual(["laneffe", "charleroi", "ligny"]);
    });
});

describe("the window", () => {
    it("keeps the point under the pointer where it is while it zooms, within 0.8 and 4 of the full view", () => {
        const view = new View({ extent: sheet.extent, middle: sheet.middle });
        view.resize(1064, 810);
        view.fit();
        expect(view.k).toBe(view.full);
        const before = view.toSheet(500, 400);
        view.zoom(2, 500, 400);
        const after = view.toSheet(500, 400);
        expect(after.x).toBeCloseTo(before.x, 0);
        expect(after.y).toBeCloseTo(before.y, 0);
        view.zoom(100, 500, 400);
        expect(view.k).toBeCloseTo(view.full * 4, 5);
        view.zoom(0.0001, 500, 400);
        expect(view.k).toBeCloseTo(view.full * 0.8, 5);
    });
});

describe("marks", () => {
    it("that are equal draw nothing anew; a selection moves nothing", () => {
        const again: Marks = { ...busy, selected: new Set(["FR-B", "FR-A"]) };
        expect(drawKey({ ...busy, selected: new Set(["FR-A", "FR-B"]) })).toBe(drawKey(again));
        expect(drawKey(busy)).not.toBe(drawKey(again));
        expect(layoutKey(busy)).toBe(layoutKey(again));
    });
});
