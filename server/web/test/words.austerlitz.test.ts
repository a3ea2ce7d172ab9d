/** Every event, prompt and refusal of Austerlitz reads whole in all languages, for every reader, whether a
 * unit is known or not. */
import { describe, expect, test } from "vitest";

import { plain, promptWords, refusalText, sentence, sentences, turnName, unitOf, useCatalogue } from "../src/words";
import type { Event, Language } from "../src/words";
import { kindsTold } from "../src/words/sentence";

import en from "../../../schema/words/en.json";
import fr from "../../../schema/words/fr.json";
import ja from "../../../schema/words/ja.json";
import ru from "../../../schema/words/ru.json";
import zh from "../../../schema/words/zh.json";
import oob from "../../../schema/games/austerlitz/oob.json";
import positionSchema from "../../../schema/games/austerlitz/position.schema.json";
import samples from "../../../tests/words/austerlitz_events.json";
import viewSchema from "../../../schema/games/austerlitz/view.schema.json";

type Json = Record<string, unknown>;

const codes: readonly Language[] = ["en", "fr", "ja", "ru", "zh"];
const catalogues: Record<Language, Record<string, string>> = { en, fr, ja, ru, zh };
const game = { game: "austerlitz" };
const mute = { side: "allied", type: "infantry", hex: "2319" };

function use(code: Language): void {
    useCatalogue(code, catalogues[code]);
}

/** One or more of each kind: known and unknown units, one and several, places with and without a name. */
const events = samples as unknown as Event[];

/** Words of English that no other language has. */
const ENGLISH = /\b(the|and|combat \d|from|hex|French|Allied|Allies|bridge|by|moves?|map|hour)\b/;

describe("sentences", () => {
    const kinds = (positionSchema.$defs.event.oneOf as unknown as { properties: { ev: { const: string } } }[]).map((one) => one.properties.ev.const);

    test("every event of the schema is told, and sampled here", () => {
        const told = kindsTold("austerlitz");
        expect(kinds.filter((kind) => !told.includes(kind))).toEqual([]);
        expect(kinds.filter((kind) => !events.some((event) => event.ev === kind))).toEqual([]);
    });

    test.each(codes)("in %s every event reads whole for every reader", (code) => {
        use(code);
        for (const event of events) {
            for (const reader of ["FR", "AL", "public", "all"]) {
                for (const one of sentences(event, reader, game)) {
                    const text = plain(one);
                    const what = `${code} ${reader}: ${text} ${JSON.stringify(event)}`;
                    expect(text, what).not.toMatch(/[{}]|event\.\w|unit\.\w|place\.\w|undefined|NaN|<b>|  |\bnull\b|\[object/);
                    expect(text, what).toMatch(/[.。]$/);
                    expect(text[0], what).toBe(text[0]?.toUpperCase());
                    if (code !== "en") expect(text.replaceAll(/combat (\d)/gi, "$1"), what).not.toMatch(ENGLISH);
                }
            }
        }
    });

    const says = (event: Event, reader: string): string => plain(sentence(event, reader, game));

    test("a unit is told by name to who may know it, by type and hex to the others", () => {
        use("en");
        expect(says({ ev: "moved", unit: "104", from: "2214", path: ["2215", "2517"] }, "FR"))
            .toBe("Your 1st Division of IV Corps (104) moves from 2214 to Pratzen (2517).");
        expect(says({ ev: "moved", unit: "104", from: "2214", path: ["2215", "2517"] }, "AL"))
            .toBe("The 1st Division of IV Corps (104) moves from 2214 to Pratzen (2517).");
        expect(says({ ev: "moved", unit: mute, from: "2319", path: ["2320"] }, "FR"))
            .toBe("An Allied infantry unit moves from 2319 to 2320.");
        expect(says({ ev: "eliminated", side: "allied", units: [mute], P: 29 }, "FR"))
            .toBe("An Allied infantry unit at 2319 is eliminated. The Allies have lost 29 in all.");
        expect(says({ ev: "eliminated", side: "allied", units: ["D1", "D2"], P: 29 }, "AL"))
            .toBe("Your first line of the 1st Column (D1) and second line of the 1st Column (D2) are eliminated. You have lost 29 in all.");
        use("fr");
        expect(says({ ev: "moved", unit: "U1", from: "2811", path: ["1025"] }, "public"))
            .toBe("La cavalerie russe d’Ouvarov (U1) va de Blasowitz (2811) à Otmarau (1025).");
        use("ja");
        expect(says({ ev: "moved", unit: mute, from: "2319", path: ["2517"] }, "FR")).toBe("連合軍の歩兵、2319からプラッツェン（2517）へ移動。");
        use("ru");
        expect(says({ ev: "moved", unit: "104", from: "1725", path: ["2319"] }, "FR"))
            .toBe("Ваша 1-я дивизия 4-го корпуса (104) идёт из Тельница (1725) на 2319.");
        use("zh");
        expect(says({ ev: "moved", unit: mute, from: "2319", path: ["2517"] }, "FR")).toBe("俄奥联军的步兵自2319往普拉岑（2517）移动。");
    });

    test("a die is a picture, the row after demoralisation and the modified die are told", () => {
        use("en");
        const tokens = sentence(events.find((event) => event.ev === "rolled" && event.modifier === -2) ?? { ev: "" }, "FR", game);
        expect(plain(tokens)).toBe("Combat 1: 8 against 5 is 1:1, 2:1 by demoralisation. (3) (−2, so 1): the attacker retreats.");
        expect(tokens.find((token) => token.dice)?.dice).toEqual([3]);
    });

    test("a plan is told combat by combat, in the order of their numbers", () => {
        use("en");
        const plan = events.find((event) => event.ev === "declared" && Object.keys(event.plan as object).length > 0) ?? { ev: "" };
        expect(sentences(plan, "FR", game).map(plain)).toEqual([
            "Four combats are declared.",
            "Combat 1: your 1st Division of IV Corps (104) and 2nd Division of IV Corps (204) attack an Allied infantry unit at 2319, under the fire of your IV Corps artillery (A04).",
            "Combat 2: your 3rd Division of IV Corps (304) attacks the first line of the 1st Column (D1) and the second line of the 1st Column (D2).",
            "Combat 3: a French battery at Pratzen (2517) bombards an Allied infantry unit at 2319.",
            "Combat 10: your V Corps artillery (A05) fires at the ice at 1926.",
        ]);
    });

    test("the seats have this game's names", () => {
        use("fr");
        expect(says({ ev: "undone", seat: "AL" }, "FR")).toBe("Les Austro-Russes reprennent un coup.");
        expect(turnName("austerlitz", { turn: 3 })).toBe("Tour 3, de 9 h à 10 h");
    });
});

describe("prompts, refusals, units", () => {
    test.each(codes)("in %s every prompt and the end have their words", (code) => {
        use(code);
        const base = { game: "austerlitz", to_act: ["FR"], waits_for: ["FR"], as: "FR", board: {}, turn: { turn: 12, night: true } };
        const prompts: Json[] = [
            { id: "move", left: 0 }, { id: "move", left: 23 }, { id: "declare" }, { id: "resolve", pending: 3 }, { id: "exchange", due: 9 },
            { id: "retreat", units: ["2319", "2517"] }, { id: "battery", units: ["2219"] }, { id: "advance", hexes: ["2319"] },
        ];
        const known = (viewSchema.$defs.prompt.oneOf as unknown as { properties: { id: { const: string } } }[]).map((one) => one.properties.id.const);
        expect(known.filter((id) => !prompts.some((prompt) => prompt.id === id))).toEqual([]);
        const result = { degree: "great victory", winner: "allied", french: { losses: 3, points: 0 }, allied: { losses: 1, points: 2 } };
        for (const told of [
            ...prompts.map((prompt) => promptWords({ ...base, state: "MOVE", prompt })),
            ...["MOVE", "DECLARE", "RESOLVE", "EXCHANGE", "RETREAT", "BATTERY", "ADVANCE"].map((state) => promptWords({ ...base, as: "AL", state })),
            promptWords({ ...base, state: "OVER", board: { result } }),
        ]) {
            const text = [told.headline, plain(told.sentence), told.button].join(" | ");
            expect(text).not.toMatch(/prompt\.|[{}]|undefined|place\./);
            for (const part of text.split(" | ")) expect(part, text).not.toBe("");
        }
    });

    test.each(codes)("in %s every refusal names its reason", (code) => {
        use(code);
        const rules = Object.keys(en).filter((key) => key.startsWith("rule.austerlitz."));
        expect(rules.length).toBe(29);
        for (const key of rules) {
            const rule = key.slice("rule.austerlitz.".length);
            expect(refusalText({ message: "", data: { kind: "illegal_action", rule } }, "austerlitz")).toBe(`${catalogues[code][key]} ${rule}`);
        }
    });

    test.each(codes)("in %s no two units have one name", (code) => {
        use(code);
        const names = oob.units.map((unit) => plain(unitOf("austerlitz", unit.id)));
        expect(new Set(names).size).toBe(52);
        expect(names.filter((name) => oob.units.some((unit) => unit.id === name))).toEqual([]);
    });
});
