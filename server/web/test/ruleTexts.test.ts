/** What players read as rules, in every language that has it: the same rules under the same numbers, with the same figures. */
import { describe, expect, test, vi } from "vitest";

import { readRules, ruleBlocks, type RulesBlock } from "../src/ui/rules";
import { TRANSLATED, leftOut, ruleText, textOf, type Kind } from "../src/ui/ruleTexts";

const files = import.meta.glob<string>("../../../schema/games/*/*.md", { query: "?raw", import: "default", eager: true });
const GAMES = ["austerlitz", "waterloo"];
const LANGUAGES = ["fr", "ja", "ru", "zh"] as const;

function fileOf(game: string, name: string): string {
    const text = files[`../../../schema/games/${game}/${name}.md`];
    if (text === undefined) throw new Error(`no ${game}/${name}.md`);
    return text;
}

/** What a block says, in one line. */
function said(block: RulesBlock): string {
    switch (block.kind) {
        case "list":
            return block.items.join(" ");
        case "table":
            return block.rows.map((row) => row.join(" ")).join(" ");
        default:
            return block.text;
    }
}

const NUMBERS = /\bW\d+(?:\.\d+)?|\bR\d+\b|(?<![\d.:/])\d{1,2}\.\d{1,2}(?!\d|[.:/]\d)|\[\d+\]/g;

/** The rules and rulings that a text names, sorted. */
function named(text: string): string[] {
    return [...text.matchAll(NUMBERS)].map(([number]) => number).sort();
}

/** The figures of a text, without the numbers of rules and what stands as code. */
function figures(text: string): string[] {
    return [...text.replaceAll(NUMBERS, " ").replaceAll(/`[^`]*`/g, " ").matchAll(/\d+/g)].map(([figure]) => figure);
}

/** Figures that English spells, and another language may write in digits (or the other way round). */
const SPELT: Readonly<Record<string, RegExp>> = {
    "0": /\b(no|none|nobody|nothing)\b/i,
    "1": /\b(one|once|first|single|alone|a|an|each|every|another|same|half|halved|whole)\b/i,
    "2": /\b(two|twice|second|both|double|doubled|doubling|half|halved|pairs?|neither|either|other)\b/i,
    "3": /\b(three|third|thirds|three-player|three-column)\b/i,
    "4": /\bfour\b/i,
    "5": /\b(five|fifth)\b/i,
    "6": /\b(six|six-sided|June)\b/i,
    "7": /\bseven\b/i,
    "8": /\beight\b/i,
    "12": /\b(twelve|December)\b/i,
    "19": /\bnineteen\b/i,
};

/** Figures of one text that the other has not, as often as they stand: what English spells may be left out or written. */
function strayFigures(english: string, other: string): string[] {
    const left = figures(other);
    const missing: string[] = [];
    for (const figure of figures(english)) {
        const at = left.indexOf(figure);
        if (at >= 0) left.splice(at, 1);
        else missing.push(`-${figure}`);
    }
    const plain = english.replaceAll(/`[^`]*`/g, " ");
    return [...missing, ...left.filter((figure) => !(SPELT[figure]?.test(plain) ?? false)).map((figure) => `+${figure}`)];
}

/** A text cut before each rule and heading: by number, what belongs to it. */
function pieces(blocks: RulesBlock[]): Map<string, RulesBlock[]> {
    const found = new Map<string, RulesBlock[]>();
    let at = "";
    for (const block of blocks) {
        if (block.kind === "rule" || block.kind === "heading") at = block.kind === "rule" ? block.id : `# ${block.level} ${/^W?\d/.test(block.id) ? block.id : found.size}`;
        if (found.has(at) && (block.kind === "rule" || block.kind === "heading")) throw new Error(`${at} stands twice`);
        found.set(at, [...(found.get(at) ?? []), block]);
    }
    return found;
}

function whole(blocks: RulesBlock[]): string {
    return blocks.map(said).join(" ");
}

/** French spaces and quotes (U+202F), and none of the mark that would break a line. */
function typography(language: string, text: string): string[] {
    const plain = text.replaceAll(/`[^`]*`/g, "");
    if (language === "fr") return plain.match(/.{0,12}(?:(?<![\u202f\d:|-])[;!?](?!\S)|(?<=[a-zé)\]*]):(?=\s)| [:;!?»]|« |'(?=[a-zé])).{0,8}/g) ?? [];
    if (language === "ja" || language === "zh") return plain.match(/.{0,8}(?<=[\u3040-\u9fff])[,;:?!()](?=[\u3040-\u9fff]).{0,8}/g) ?? [];
    return [];
}

test("the page knows which texts there are", () => {
    for (const game of GAMES) {
        for (const kind of ["guide", "rules"] as Kind[]) {
            const there = LANGUAGES.filter((language) => `../../../schema/games/${game}/${kind}.${language}.md` in files);
            expect([...(TRANSLATED[game]?.[kind] ?? [])].sort(), `${game} ${kind}`).toEqual(there);
        }
        expect(`../../../schema/games/${game}/guide.en.md` in files, game).toBe(true);
    }
});

describe.each(GAMES)("how to play %s", (game) => {
    const rules = readRules(fileOf(game, "rules"), game);
    const english = readRules(fileOf(game, "guide.en"), game);

    test("is of a length to be read, by headings, each part resting on rules that exist", () => {
        const text = whole(english).replaceAll(/\[[^\]]*\]/g, " ");
        const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length;
        expect(words).toBeGreaterThan(900);
        expect(words).toBeLessThan(1400);
        const links = named(whole(english)).map((number) => number.replaceAll(/[[\]]/g, ""));
        expect(links.length).toBeGreaterThan(50);
        const have = new Set(rules.flatMap((block) => (block.kind === "rule" || block.kind === "heading" ? [block.id] : [])));
        expect(links.filter((link) => !have.has(link))).toEqual([]);
    });

    test.each([...(TRANSLATED[game]?.guide ?? [])])("says the same in %s, rule by rule and figure by figure", (language) => {
        const file = fileOf(game, `guide.${language}`);
        const own = readRules(file, game);
        expect(own.map((block) => block.kind)).toEqual(english.map((block) => block.kind));
        own.forEach((block, i) => {
            const there = said(english[i] as RulesBlock);
            expect(named(said(block)), said(block)).toEqual(named(there));
            expect(strayFigures(there, said(block)), said(block)).toEqual([]);
        });
        expect(typography(language, file)).toEqual([]);
    });
});

describe.each(GAMES)("the rules of %s", (game) => {
    const english = readRules(fileOf(game, "rules"), game);

    test("begin with rules, and end with what is for those who write programs", () => {
        const titles = english.flatMap((block) => (block.kind === "heading" && block.level === 2 ? [block.text] : []));
        expect(titles[titles.length - 1]).toBe("About this text");
        expect(titles[0]).toMatch(/^W?1\.? Components$/);
        const before = english.slice(0, english.findIndex((block) => block.kind === "heading" && block.level === 2));
        expect(whole(before)).not.toMatch(/program|seed|\.json/);
    });

    test("a ruling can be opened, and a rule whose title is bold", () => {
        const [ruling] = ruleBlocks(english, "R7");
        expect(ruling?.kind === "table" ? ruling.rows.map(([first]) => first) : ruling).toEqual(["no.", "R7"]);
        if (game === "waterloo") expect(ruleBlocks(english, "W19.2")[0]).toMatchObject({ id: "W19.2", text: expect.stringMatching(/^\*\*Automatic steps\.\*\* The server answers/) });
    });

    test.each([...(TRANSLATED[game]?.rules ?? [])])("stand in %s under the same numbers, with the same figures", (language) => {
        const file = fileOf(game, `rules.${language}`);
        const own = pieces(readRules(file, game));
        const rest = new Set(leftOut(readRules(file, game), english));
        // The rulings and what is said about the text may stay in English; nothing else may.
        const sections = [...rest].flatMap((block) => (block.kind === "heading" && block.level === 2 ? [block.text] : []));
        expect(sections.filter((title) => !/Rulings$|^About this text$/.test(title))).toEqual([]);
        const there = pieces(english.filter((block) => !rest.has(block)));
        expect([...own.keys()]).toEqual([...there.keys()]);
        const wrong: string[] = [];
        for (const [id, blocks] of there) {
            const ours = own.get(id) ?? [];
            if (ours.map((block) => block.kind).join() !== blocks.map((block) => block.kind).join()) wrong.push(`${id}: ${ours.map((block) => block.kind).join()}`);
            blocks.forEach((block, i) => {
                const [a, b] = [said(block), ours[i] === undefined ? "" : said(ours[i])];
                const stray = strayFigures(a, b);
                if (stray.length > 0) wrong.push(`${id}: ${stray.join(" ")}`);
                if (named(a).join() !== named(b).join()) wrong.push(`${id}: names ${named(b).join()}, not ${named(a).join()}`);
                const codes = (text: string): string => [...text.matchAll(/`[^`]*`/g)].join();
                if (codes(a) !== codes(b)) wrong.push(`${id}: code ${codes(b)}`);
                const cells = (one: RulesBlock | undefined): string => (one?.kind === "table" ? one.rows.map((row) => row.length).join() : one?.kind === "list" ? String(one.items.length) : "");
                if (cells(block) !== cells(ours[i])) wrong.push(`${id}: a table or list of another shape`);
            });
        }
        expect(wrong).toEqual([]);
        expect(typography(language, file)).toEqual([]);
    });
});

test("a text is fetched once, in the language that was asked for or in English where there is none", async () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (address: string) => {
        asked.push(address);
        return { ok: true, text: async () => "# Title\n\n1.1 One." };
    });
    expect(await textOf("austerlitz", "rules", "ja")).toMatchObject({ language: "ja", blocks: [{ kind: "heading" }, { kind: "rule", id: "1.1" }] });
    expect(await textOf("austerlitz", "guide", "en")).toMatchObject({ language: "en" });
    expect(await textOf("eylau", "guide", "ru")).toMatchObject({ language: "en" });
    expect(await textOf("eylau", "rules", "fr")).toMatchObject({ language: "en" });
    await textOf("eylau", "guide", "ru");
    expect(asked).toEqual(["/games/austerlitz/rules.ja.md", "/games/austerlitz/guide.en.md", "/games/eylau/guide.en.md", "/games/eylau/rules.md"]);
    expect((await ruleText("eylau", "1.1")).blocks).toHaveLength(1);
    vi.unstubAllGlobals();
});

test("figures that differ are found, and what English spells may be written", () => {
    expect(strayFigures("on 1–3 it loses 1 CV (W4.11)", "sur 1 à 3 elle perd 1 VC (W4.11)")).toEqual([]);
    expect(strayFigures("on 1–3 it loses 1 CV", "sur 1 à 4 elle perd 1 VC")).toEqual(["-3", "+4"]);
    expect(strayFigures("two towns", "2つの町")).toEqual([]);
    expect(strayFigures("two towns", "3つの町")).toEqual(["+3"]);
    expect(typography("fr", "une ville : deux")).toHaveLength(1);
    expect(typography("fr", "une ville\u202f: deux")).toEqual([]);
});
