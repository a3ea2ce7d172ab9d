/** The rules of each game as the page reads them: every rule that a refusal names stands there by its number. */
import { describe, expect, test, vi } from "vitest";

import { readRules, ruleBlocks, rulesPath, type RulesBlock } from "../src/ui/rules";

import austerlitz from "../../../schema/games/austerlitz/rules.md?raw";
import waterloo from "../../../schema/games/waterloo/rules.md?raw";
import en from "../../../schema/words/en.json";

function rules(game: string): RulesBlock[] {
    return readRules(game === "waterloo" ? waterloo : austerlitz, game);
}

describe.each([
    ["waterloo", /^rule\.(W[\d.]+)$/],
    ["austerlitz", /^rule\.austerlitz\.(\d+\.\d+)$/],
])("the rules of %s", (game, key) => {
    const blocks = rules(game);

    test("every rule that refuses can be opened", () => {
        const named = Object.keys(en).flatMap((one) => key.exec(one)?.[1] ?? []);
        expect(named.length).toBeGreaterThan(20);
        expect(named.filter((rule) => ruleBlocks(blocks, rule).length === 0)).toEqual([]);
    });

    test("every number at the head of a rule is one", () => {
        const markdown = game === "waterloo" ? waterloo : austerlitz;
        const heads = [...markdown.matchAll(game === "waterloo" ? /^(?:- )?\*\*(W\d+\.\d+)/gm : /^(\d+\.\d+) /gm)].map(([, number]) => number);
        expect(heads.length).toBeGreaterThan(80);
        expect(blocks.flatMap((block) => (block.kind === "rule" ? [block.id] : []))).toEqual(heads);
    });

    test("no rule stands twice, and no citation of a source is left half", () => {
        const ids = blocks.flatMap((block) => (block.kind === "rule" ? [block.id] : []));
        expect(new Set(ids).size).toBe(ids.length);
        const text = JSON.stringify(blocks);
        expect(text).not.toMatch(/\[seed (?!D11\]`|\.\.\.\]`)/);
        expect(text).not.toMatch(/ is\)/);
    });
});

test("a rule of Austerlitz ends where the next begins, its table with it", () => {
    const blocks = rules("austerlitz");
    const [rule, ...rest] = ruleBlocks(blocks, "4.4");
    expect(rule).toEqual({ kind: "rule", id: "4.4", text: "A unit may pass through friends, never through an enemy. A move must end on a hex free of any unit." });
    expect(rest).toEqual([]);
    expect(ruleBlocks(blocks, "6.8").some((block) => block.kind === "table")).toBe(true);
    expect(ruleBlocks(blocks, "3").some((block) => block.kind === "rule" && block.id === "3.4")).toBe(true);
});

test("rules have addresses by game and number", async () => {
    vi.stubGlobal("location", { origin: "http://localhost", pathname: "/", search: "" });
    vi.stubGlobal("addEventListener", () => {});
    const { placeOf } = await import("../src/app/router");
    expect(rulesPath("austerlitz", "6.2")).toBe("/rules/austerlitz/6.2");
    expect(rulesPath("waterloo", "W5.2")).toBe("/rules/W5.2");
    expect(rulesPath("waterloo")).toBe("/rules");
    expect(placeOf("/rules/austerlitz/6.2")).toMatchObject({ page: "rules", game: "austerlitz", id: "6.2" });
    expect(placeOf("/rules/austerlitz")).toMatchObject({ page: "rules", game: "austerlitz" });
    expect(placeOf("/rules/W5.2")).toMatchObject({ page: "rules", id: "W5.2" });
    expect(placeOf("/rules").game).toBeUndefined();
});
