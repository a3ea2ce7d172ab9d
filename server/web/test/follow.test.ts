import { beforeAll, describe, expect, it } from "vitest";
import en from "../../../schema/words/en.json";
import { Story, markOf, townOf } from "../src/follow/story";
import { battlesBySlot, curves, slotOfSteps, turningPoints } from "../src/follow/timeline";
import { useCatalogue } from "../src/words";
import type { BoardData, GameEvent, Step } from "../src/types";

beforeAll(() => useCatalogue("en", en as Record<string, string>));

const step = (seq: number, ...events: GameEvent[]): Step => ({ seq, chain: "", at: seq, events });
const turn = (slot: number, side: "FR" | "AL", night = false): GameEvent => ({ ev: "turn", slot, side, night });
const fell = (unit: string, town: string): GameEvent => ({ ev: "eliminated", unit, type: "infantry", why: "fire", town });
const record = [
    { turn: 1, date: "1815-06-15", part: "morning", night: false, side: "FR" },
    { turn: 2, date: "1815-06-15", part: "midday", night: false, side: "AL" },
] as BoardData["time_record"];

const steps: Step[] = [
    step(1, { ev: "setup_confirmed", seat: "AL" }),
    step(2, { ev: "setup_confirmed", seat: "FR" }, turn(1, "FR")),
    step(3, { ev: "marched", side: "FR", marches: [{ nation: "FR", from: "charleroi", path: ["ligny"], forced: false, count: 3 }] }),
    step(4, { ev: "revealed", battle: "ligny", units: {}, reserve: {} }),
    step(5, { ev: "combat_turn", side: "FR", ct: { side: "att", n: 1 } }),
    step(6, { ev: "fired", battle: "ligny", unit: "FR-A", target: "PR-A", dice: [6, 6, 1, 2], hit_on: 6, hits: 2, lost: 2 }),
    step(7, fell("PR-A", "ligny"), { ev: "routed", battle: "ligny", side: "AL", attrition: {}, reserve: {} }),
    step(8, turn(2, "AL")),
];

describe("the story", () => {
    it("has a heading for each turn and each combat turn of a battle", () => {
        const { entries } = new Story("FR").add(steps);
        const headings = entries.filter((entry) => entry.kind === "heading").map((entry) => entry.text);
        expect(headings).toEqual(["15 June, morning · the French", "Ligny · your turn 1", "15 June, midday · the Allies"]);
    });

    it("tells a step once, however often the history is handed over", () => {
        const story = new Story("public").add(steps.slice(0, 5));
        const n = story.add(steps.slice(0, 5)).entries.length;
        expect(story.entries.length).toBe(n);
        expect(story.add(steps).entries.length).toBeGreaterThan(n);
    });

    it("knows whose act it was and where", () => {
        const march = steps[2]!.events[0]!;
        expect(markOf(march)).toBe("FR");
        expect(townOf(march)).toBe("ligny");
        expect(markOf(fell("PR-A", "ligny"))).toBe("PR");
    });
});

describe("the timeline", () => {
    it("puts each step into its slot", () => {
        const spans = slotOfSteps(steps, record);
        expect(spans.map(({ slot, first, last, day }) => [slot, first, last, day])).toEqual([
            [0, 0, 0, null],
            [1, 1, 6, 15],
            [2, 7, 7, null],
        ]);
        expect([...battlesBySlot(steps)]).toEqual([1]);
    });

    it("counts the units left at each turn", () => {
        expect(curves(steps)).toEqual([
            { nation: "FR", left: [18, 18, 18, 18] },
            { nation: "AD", left: [14, 14, 14, 14] },
            { nation: "PR", left: [16, 16, 15, 15] },
        ]);
    });

    it("finds the hardest blow", () => {
        expect(turningPoints(steps)).toEqual([{ seq: 7, slot: 1, town: "ligny", lost: 1, routed: "AL" }]);
    });
});

describe("the slider", () => {
    it("gives each slot a band and finds every step again", async () => {
        const { placeOf, stepNear, SET_UP_SHARE } = await import("../src/follow/timeline");
        const spans = slotOfSteps(steps, record);
        const bands = 2 + SET_UP_SHARE;
        expect(placeOf(spans, 0, bands)).toBeCloseTo(SET_UP_SHARE / bands);
        expect(placeOf(spans, 6, bands)).toBeCloseTo((SET_UP_SHARE + 1) / bands);
        expect(placeOf(spans, 7, bands)).toBe(1);
        for (let i = 0; i < steps.length; i++) expect(stepNear(spans, steps.length, bands, placeOf(spans, i, bands))).toBe(i);
    });
});

describe("sounds", () => {
    it("dice and drums go before blocks", async () => {
        const { soundOf } = await import("../src/follow/sounds");
        expect(soundOf(steps[2]!)).toBe("block");
        expect(soundOf(steps[5]!)).toBe("dice");
        expect(soundOf(steps[7]!)).toBeUndefined();
        expect(soundOf(step(9, { ev: "marched", side: "FR", marches: [] }, { ev: "attacked", town: "ligny", side: "FR", roads: [], units: {} }))).toBe("drums");
    });
});
