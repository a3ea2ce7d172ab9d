import { describe, expect, it } from "vitest";
import { actionFor, fill, fits, formsOf, movesOf, offered, pathsIn, picks, routesIn, targetsOf, unitsIn } from "../src/net/forms";
import type { Form } from "../src/types";

const deploy = {
    do: "deploy",
    battle: "quatre-bras",
    columns: { split: ["AD-A", "AD-G", "PR-C", "PR-D"], into: { "1": { min: 1 }, "2": { min: 1 }, "3": { min: 1 }, reserve: {} } },
};

describe("fits", () => {
    it("takes one of a choice", () => {
        expect(fits(["a", "b"], "b")).toBe(true);
        expect(fits(["a", "b"], "c")).toBe(false);
        expect(fits(["a", "b"], ["a"])).toBe(false);
    });
    it("takes each of a list, in order", () => {
        expect(fits({ list: [["a", "b"], "c"] }, ["b", "c"])).toBe(true);
        expect(fits({ list: [["a", "b"], "c"] }, ["c", "b"])).toBe(false);
        expect(fits({ list: ["a"] }, [])).toBe(false);
    });
    it("takes min to max different ones in any order", () => {
        const form = { any_of: ["a", "b", "c"], min: 1, max: 2 };
        expect(fits(form, ["c", "a"])).toBe(true);
        expect(fits(form, ["a", "a"])).toBe(false);
        expect(fits(form, [])).toBe(false);
        expect(fits(form, ["a", "b", "c"])).toBe(false);
    });
    it("gives every value a form of its own where that can be done", () => {
        const form = { any_of: [["a", "b"], ["a"]], min: 2, max: 2 };
        expect(fits(form, ["a", "b"])).toBe(true);
        expect(fits(form, ["b", "a"])).toBe(true);
        expect(fits(form, ["b", "b"])).toBe(false);
    });
    it("takes a partition with its least numbers", () => {
        const action = { do: "deploy", battle: "quatre-bras", columns: { "1": ["AD-A"], "2": ["AD-G"], "3": ["PR-C", "PR-D"] } };
        expect(fits(deploy, action)).toBe(true);
        expect(fits(deploy, { ...action, columns: { ...action.columns, reserve: [] } })).toBe(true);
        expect(fits(deploy, { ...action, columns: { "1": ["AD-A"], "2": ["AD-G"], reserve: ["PR-C", "PR-D"] } })).toBe(false);
        expect(fits(deploy, { ...action, columns: { "1": ["AD-A"], "2": ["AD-G"], "3": ["PR-C"] } })).toBe(false);
        expect(fits(deploy, { ...action, columns: { "1": ["AD-A"], "2": ["AD-A"], "3": ["PR-C", "PR-D"] } })).toBe(false);
    });
    it("takes a path of the tree of the right length", () => {
        const form = { tree: { hal: { ath: {} }, wavre: {} }, min: 1, max: 2 };
        expect(fits(form, ["hal"])).toBe(true);
        expect(fits(form, ["hal", "ath"])).toBe(true);
        expect(fits(form, ["ath"])).toBe(false);
        expect(fits(form, [])).toBe(false);
        expect(fits({ ...form, min: 2 }, ["wavre"])).toBe(false);
    });
    it("takes an integer of a range", () => {
        expect(fits({ range: [1, 3] }, 3)).toBe(true);
        expect(fits({ range: [1, 3] }, 4)).toBe(false);
        expect(fits({ range: [1, 3] }, 1.5)).toBe(false);
    });
    it("wants every member of an object and no other", () => {
        const form = { do: "fire", unit: ["FR-A"], target: ["AD-A"] };
        expect(fits(form, { do: "fire", unit: "FR-A", target: "AD-A" })).toBe(true);
        expect(fits(form, { do: "fire", unit: "FR-A" })).toBe(false);
        expect(fits(form, { do: "fire", unit: "FR-A", target: "AD-A", more: 1 })).toBe(false);
    });
});

describe("picks and fill", () => {
    it("every pick fits its form", () => {
        const forms: unknown[] = [
            deploy,
            { any_of: [{ battle: "wavre", units: { any_of: ["FR-A", "FR-B"], min: 1, max: 2 } }], min: 0, max: 1 },
            { list: [{ unit: ["FR-A", "FR-B"], path: { tree: { hal: { ath: {} } }, min: 1, max: 2 } }] },
            { range: [2, 4] },
        ];
        for (const form of forms) {
            const all = [...picks(form)];
            expect(all.length).toBeGreaterThan(0);
            for (const one of all) expect(fits(form, one)).toBe(true);
            expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length);
            expect(fits(form, fill(form))).toBe(true);
        }
    });
    it("counts partitions: four units, none of three columns empty", () => {
        // 3-column surjections of 4: 36; one of the four in reserve and the rest one each: 4 * 6.
        expect([...picks(deploy)]).toHaveLength(36 + 24);
    });
    it("fills in what a wish leaves open and refuses what no pick has", () => {
        const form = { do: "move", battle: "wavre", unit: ["FR-A", "FR-B"], kind: "redeploy", to: [1, 3] };
        expect(fill(form, { do: "move", unit: "FR-B", to: 3 })).toEqual({ do: "move", battle: "wavre", unit: "FR-B", kind: "redeploy", to: 3 });
        expect(fill(form, { do: "move", unit: "FR-C" })).toBeNull();
        expect(fill(form, { do: "move", target: "AD-A" })).toBeNull();
    });
    it("places wishes of a free order", () => {
        const form = { any_of: [{ battle: "a", units: ["x"] }, { battle: "b", units: ["y"] }], min: 0, max: 2 };
        expect(fill(form, [{ battle: "b" }])).toEqual([{ battle: "b", units: "y" }]);
        expect(fill(form, [])).toEqual([]);
        expect(fill(form, [{ battle: "c" }])).toBeNull();
    });
});

describe("what a unit may do", () => {
    const forms: Form[] = [
        { do: "fire", battle: "wavre", unit: ["FR-A", "FR-H"], target: ["AD-A", "AD-K"] },
        { do: "fire", battle: "wavre", unit: ["FR-H"], target: ["AD-B"] },
        { do: "fire", battle: "hal", unit: ["FR-A"], target: ["PR-A"] },
        { do: "move", battle: "wavre", unit: ["FR-A"], kind: "redeploy", to: [2] },
        { do: "move", battle: "wavre", unit: ["FR-A"], kind: "advance" },
        { do: "retreat", battle: "wavre", routes: { any_of: [{ unit: ["FR-A", "FR-H"], path: { tree: { hal: { ath: {} }, ligny: {} }, min: 1, max: 1 } }], min: 1, max: 1 } },
        { do: "end_combat_turn" },
    ];
    it("lists targets of this battle alone", () => {
        expect(targetsOf(forms, "wavre", "FR-H")).toEqual(["AD-A", "AD-K", "AD-B"]);
        expect(targetsOf(forms, "wavre", "FR-B")).toEqual([]);
        expect(targetsOf(undefined, "wavre", "FR-H")).toEqual([]);
    });
    it("lists moves by kind", () => {
        expect(movesOf(forms, "wavre", "FR-A")).toEqual([
            { kind: "redeploy", to: [2] },
            { kind: "advance", to: [] },
        ]);
    });
    it("makes an action from a wish, and knows its own", () => {
        const action = actionFor(forms, { do: "fire", battle: "wavre", unit: "FR-H", target: "AD-B" });
        expect(action).toEqual({ do: "fire", battle: "wavre", unit: "FR-H", target: "AD-B" });
        expect(offered(forms, action)).toBe(true);
        expect(offered(forms, { do: "fire", battle: "wavre", unit: "FR-A", target: "AD-B" })).toBe(false);
        expect(actionFor(forms, { do: "end_combat_turn" })).toEqual({ do: "end_combat_turn" });
    });
    it("finds routes and units in items", () => {
        const [retreat] = formsOf(forms, "retreat", { battle: "wavre" });
        expect(routesIn(retreat?.routes)).toEqual([
            { unit: "FR-A", path: ["hal"], forced: false },
            { unit: "FR-A", path: ["ligny"], forced: false },
            { unit: "FR-H", path: ["hal"], forced: false },
            { unit: "FR-H", path: ["ligny"], forced: false },
        ]);
        expect(unitsIn(retreat).sort()).toEqual(["FR-A", "FR-H"]);
        expect(pathsIn({ list: ["hal", "ath"] })).toEqual([["hal", "ath"]]);
    });
});
