import { beforeAll, describe, expect, it } from "vitest";
import words from "../../../schema/words/en.json";
import { actors, deedTo, powersOf, reinforcementsOf } from "../src/battle/acts";
import { chipOf } from "../src/battle/chips";
import { actedOf, battleView, isArriving, isEngaged, spotOf, tabOf, type BattleView } from "../src/battle/model";
import { apply, orderFrom, suggest, suggestions, type Man } from "../src/battle/orders";
import { battleWords, isDue } from "../src/battle/tabs";
import type { View } from "../src/types";
import { useCatalogue } from "../src/words";
import fixtures from "./fixtures/battles.json";

const views = fixtures as unknown as Record<"attacker" | "defender" | "watcher" | "deploying", View>;
const shown = (view: View, town = "waterloo"): BattleView => {
    const found = battleView(view, town);
    if (found === undefined) throw new Error(`no battle of ${town}`);
    return found;
};

beforeAll(() => useCatalogue("en", words));

describe("how a battle is laid out", () => {
    it("puts the viewer below and counts lanes from the attacker's left", () => {
        expect(shown(views.attacker).bottom).toBe("att");
        expect(shown(views.attacker).lanes.map((lane) => lane.no)).toEqual(["1", "2", "3"]);
        expect(shown(views.defender).bottom).toBe("def");
        expect(shown(views.defender).lanes.map((lane) => lane.no)).toEqual(["3", "2", "1"]);
        expect(shown(views.watcher).bottom).toBe("att");
        expect(shown(views.watcher).own).toBe(false);
    });
    it("knows who stands where", () => {
        const { battle } = shown(views.attacker);
        expect(spotOf(battle, "FR-H")).toMatchObject({ zone: "1", side: "att", advanced: true });
        expect(spotOf(battle, "AD-L")).toMatchObject({ zone: "2", side: "def", advanced: false });
        expect(spotOf(battle, "FR-C")).toMatchObject({ zone: "reserve", side: "att" });
        expect(spotOf(battle, "PR-A")).toBeUndefined();
    });
    it("tells hidden units as counts alone", () => {
        expect(shown(views.attacker).reserve.above).toEqual({ pieces: [], hidden: [["AD", 3], ["PR", 1]], count: 4 });
        expect(shown(views.watcher).reserve.below).toEqual({ pieces: [], hidden: [["FR", 3]], count: 3 });
    });
    it("keeps a unit in its first section through its owner's next combat turn (W7.4)", () => {
        // Advanced in turn 1: still arriving in the owner's turn 2, beyond the line once that has ended.
        expect(isArriving(views.attacker, "att", 1)).toBe(true);
        expect(isArriving(views.defender, "att", 1)).toBe(false);
        expect(isArriving(views.defender, "def", 1)).toBe(true);
    });
    it("calls engaged the advanced and those they face (W7.5)", () => {
        const here = shown(views.attacker);
        expect(isEngaged(here, "FR-H")).toBe(true);
        expect(isEngaged(here, "AD-K")).toBe(true);
        expect(isEngaged(here, "FR-E")).toBe(false);
        expect(isEngaged(here, "FR-F")).toBe(true);
        expect(isEngaged(here, "FR-A")).toBe(false);
        expect(isEngaged(here, "FR-C")).toBe(false);
    });
    it("says on the tab who has acted and what is to do", () => {
        expect(actedOf(shown(views.attacker).battle, "att")).toEqual({ acted: 1, of: 10 });
        expect(battleWords(views.attacker, "waterloo")).toBe("round 2, 1 of 10 acted");
        expect(battleWords(views.attacker, "wavre")).toBe("round 2, 0 of 4 acted");
        expect(isDue(views.attacker, "wavre")).toBe(true);
        expect(isDue(views.attacker, "waterloo")).toBe(false);
        expect(battleWords(views.watcher, "wavre")).toBe("round 2");
        expect(battleWords(views.deploying, "waterloo")).toBe("deploy 11");
        expect(tabOf(views.attacker, "hal").phase).toBe("over");
    });
});

describe("what a unit may do", () => {
    const deeds = (view: View, unit: string): string[] =>
        powersOf(view.actions, shown(view), unit).deeds.map((deed) => `${deed.key} ${deed.id}${deed.to ?? ""}`);
    it("reads targets and deeds from the forms, with their keys", () => {
        expect(powersOf(views.attacker.actions, shown(views.attacker), "FR-H").targets).toEqual(["AD-K"]);
        expect(deeds(views.attacker, "FR-H")).toEqual(["w withdraw"]);
        expect(deeds(views.attacker, "FR-A")).toEqual(["a advance", "arrowleft redeploy1", "arrowright redeploy3", "0 to_reserve", "s form_square"]);
        expect(deeds(views.attacker, "FR-C")).toEqual(["1 from_reserve1", "2 from_reserve2", "3 from_reserve3"]);
        expect(deeds(views.attacker, "FR-N")).toEqual([]);
    });
    it("turns the arrows with the board", () => {
        expect(deeds(views.defender, "AD-L")).toEqual(["arrowleft redeploy3", "arrowright redeploy1", "0 to_reserve"]);
    });
    it("finds what a press on a place does", () => {
        const here = shown(views.attacker);
        const of = (unit: string) => powersOf(views.attacker.actions, here, unit);
        expect(deedTo(of("FR-A"), here, { zone: "2", ground: true })?.id).toBe("advance");
        expect(deedTo(of("FR-A"), here, { zone: "1", ground: true })).toBeUndefined();
        expect(deedTo(of("FR-A"), here, { zone: "3", ground: false })?.action).toEqual({ do: "move", battle: "waterloo", unit: "FR-A", kind: "redeploy", to: 3 });
        expect(deedTo(of("FR-H"), here, { zone: "1", ground: false })?.id).toBe("withdraw");
        expect(deedTo(of("FR-A"), here, { zone: "reserve", ground: false })?.id).toBe("to_reserve");
    });
    it("lists those who may act, and those who wait outside", () => {
        expect(actors(views.attacker, shown(views.attacker))).toEqual(["FR-E", "FR-H", "FR-A", "FR-O", "FR-F", "FR-Q", "FR-C", "FR-I", "FR-L"]);
        expect(reinforcementsOf(views.attacker.actions)).toEqual([{ battle: "waterloo", units: ["FR-K", "FR-P", "FR-R"], max: 2 }]);
    });
    it("says in a chip what the lane is", () => {
        const chips = (view: View) => shown(view).lanes.map((lane) => chipOf(view, shown(view), lane));
        expect(chips(views.attacker).map((chip) => [chip?.text, chip?.edge, chip?.danger])).toEqual([
            ["You engage · charge this turn", "above", false],
            ["Open ground · artillery may fire", "below", false],
            ["They engage · one shot, or form square", "below", true],
        ]);
        expect(chips(views.watcher).map((chip) => [chip?.text, chip?.danger])).toEqual([
            ["The French engage", false],
            ["Open ground", false],
            ["The Allies engage", false],
        ]);
    });
});

describe("orders of battle", () => {
    const arms = ["infantry", "cavalry", "foot_artillery", "horse_artillery"] as const;
    const force = (n: number): Man[] => Array.from({ length: n }, (_, at) => ({ id: `FR-${String.fromCharCode(65 + at)}`, type: arms[(at * 7) % 4] ?? "infantry", cv: 1 + (at % 4) }));
    const counts = (draft: Record<string, string>): number[] => ["1", "2", "3"].map((zone) => Object.values(draft).filter((one) => one === zone).length);
    it("give every column somebody and every unit a place, whatever the force", () => {
        for (let n = 3; n <= 18; n++)
            for (const what of suggestions) {
                const draft = suggest(what, force(n));
                expect(Object.keys(draft)).toHaveLength(n);
                expect(Math.min(...counts(draft)), `${what} of ${n}`).toBeGreaterThan(0);
            }
    });
    it("hide all but three in the order that hides everything", () => {
        expect(counts(suggest("hidden", force(11)))).toEqual([1, 1, 1]);
    });
    it("spread strength evenly: no column is two strong units ahead of another", () => {
        const men = force(12);
        const draft = suggest("even", men);
        const strength = ["1", "2", "3"].map((zone) => men.filter((man) => draft[man.id] === zone).reduce((sum, man) => sum + man.cv, 0));
        expect(Math.max(...strength) - Math.min(...strength)).toBeLessThanOrEqual(4);
    });
    it("are kept as a rule: the same force comes back as it was, another one has nobody left over", () => {
        const men = force(9);
        const draft = suggest("cavalry_left", men);
        const order = orderFrom("mine", men, draft);
        const again = apply(order, men);
        for (const arm of arms) {
            const sorted = men.filter((man) => man.type === arm);
            const zones = (of: Record<string, string>): string => sorted.map((man) => of[man.id]).sort().join();
            expect(zones(again)).toBe(zones(draft));
        }
        for (let n = 3; n <= 18; n++) {
            const other = apply(order, force(n));
            expect(Object.keys(other)).toHaveLength(n);
            expect(Math.min(...counts(other))).toBeGreaterThan(0);
        }
    });
});
