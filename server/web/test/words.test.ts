/** Every event that the schema knows has its sentences in all languages and for every reader. */
import { beforeEach, describe, expect, test } from "vitest";

import { plain, promptWords, refusalText, sentence, sentences, t, townName, unitName, useCatalogue } from "../src/words";
import type { Event, Language } from "../src/words";
import { kindsTold } from "../src/words/sentence";

import en from "../../../schema/words/en.json";
import fr from "../../../schema/words/fr.json";
import ja from "../../../schema/words/ja.json";
import ru from "../../../schema/words/ru.json";
import zh from "../../../schema/words/zh.json";
import positionSchema from "../../../schema/games/waterloo/position.schema.json";
import viewSchema from "../../../schema/games/waterloo/view.schema.json";
import openrpcSchema from "../../../schema/openrpc.json";

type Json = Record<string, unknown>;

const codes: readonly Language[] = ["en", "fr", "ja", "ru", "zh"];
const catalogues: Record<Language, Record<string, string>> = { en, fr, ja, ru, zh };
const position = positionSchema as unknown as { $defs: Record<string, Json> };
const openrpc = openrpcSchema as unknown as { components: { schemas: Record<string, Json> } };
const waterloo = { game: "waterloo" };
const readers = ["FR", "AL", "AD", "PR", "public", "all"];

function use(code: Language): void {
    useCatalogue(code, catalogues[code]);
}

/** A value that fits a schema; n turns through its alternatives. */
function make(schema: Json, defs: Record<string, Json>, n: number, name = ""): unknown {
    if (typeof schema.$ref === "string") {
        return make(defs[schema.$ref.split("/").pop() ?? ""] ?? {}, defs, n, name);
    }
    if ("const" in schema) return schema.const;
    if (Array.isArray(schema.enum)) return schema.enum[n % schema.enum.length];
    const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
    if (choices) return make(choices[n % choices.length] ?? {}, defs, n, name);
    switch (schema.type) {
        case "boolean": return n % 2 === 0;
        case "integer": return Math.max(Number(schema.minimum ?? 0), Math.min(Number(schema.maximum ?? 9), 1 + (n % 5)));
        case "array": return Array.from({ length: 1 + (n % 2) }, (_, i) => make(schema.items as Json, defs, n + 2 * i, name));
        case "object": return object(schema, defs, n);
        default: return string(schema, n, name);
    }
}

function string(schema: Json, n: number, name: string): string {
    const pattern = String(schema.pattern ?? "");
    if (pattern.includes("FR-[A-R]")) return ["FR-A", "AD-C", "PR-P", "FR-H", "FR-C", "AD-K"][n % 6] ?? "";
    if (name === "kind") return kindsOfMove[n % kindsOfMove.length] ?? "";
    if (name === "type") return "cavalry";
    if (name === "road") return "charleroi-ligny";
    return ["ligny", "quatre-bras", "ath"][n % 3] ?? "";
}

const kindsOfMove = ["advance", "withdraw", "redeploy", "to_reserve", "from_reserve", "form_square", "break_square"];

function object(schema: Json, defs: Record<string, Json>, n: number): Json {
    const out: Json = {};
    const required = (schema.required ?? []) as string[];
    for (const [name, sub] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
        if (required.includes(name) || n % 3 !== 0) out[name] = make(sub, defs, n, name);
    }
    if (typeof schema.additionalProperties === "object") {
        const key = make((schema.propertyNames ?? { type: "string" }) as Json, defs, n);
        out[String(key)] = make(schema.additionalProperties as Json, defs, n);
    }
    return out;
}

const ofGame = (position.$defs.event as { oneOf: Json[] }).oneOf;
const ofHost = (openrpc.components.schemas.host_event as { oneOf: Json[] }).oneOf;

function kindOf(schema: Json): string {
    return String((schema.properties as Record<string, Json>).ev?.const);
}

const samples: [string, Event][] = [
    ...ofGame.flatMap((schema) => Array.from({ length: 14 }, (_, n): [string, Event] => (
        [kindOf(schema), make(schema, position.$defs, n) as Event]))),
    ...ofHost.flatMap((schema) => Array.from({ length: 14 }, (_, n): [string, Event] => (
        [kindOf(schema), make(schema, openrpc.components.schemas, n) as Event]))),
];

describe("sentences", () => {
    test("every event of the schema is told, and nothing else is", () => {
        const known = new Set([...ofGame, ...ofHost].map(kindOf));
        const told = kindsTold("waterloo");
        expect([...known].filter((kind) => !told.includes(kind))).toEqual([]);
    });

    test.each(codes)("in %s every event reads whole for every reader", (code) => {
        use(code);
        for (const [kind, event] of samples) {
            for (const reader of readers) {
                for (const one of sentences(event, reader, { game: "waterloo", board: { battles: { ligny: {}, wavre: {} } } })) {
                    const text = plain(one);
                    const what = `${code} ${kind} ${reader}: ${text} ${JSON.stringify(event)}`;
                    expect(text, what).not.toMatch(/[{}]|event\.|undefined|NaN|<b>|  |\bnull\b/);
                    expect(text, what).not.toMatch(/\b(FR|AD|PR)-[A-R]\b/);
                    expect(text, what).toMatch(/[.。…]$/);
                    expect(text[0], what).toBe(text[0]?.toUpperCase());
                }
            }
        }
    });

    test("a group of the enemy is told by number, one's own units by name", () => {
        use("en");
        const groups = { ev: "marched", side: "FR", marches: [
            { nation: "FR", from: "charleroi", path: ["quatre-bras"], forced: false, count: 5 }] };
        expect(plain(sentence(groups, "AL", waterloo))).toBe("Five French units march from Charleroi to Quatre Bras.");
        const named = { ev: "marched", side: "FR", marches: [
            { unit: "FR-D", from: "laneffe", path: ["charleroi", "ligny"], forced: true }] };
        expect(plain(sentence(named, "FR", waterloo)))
            .toBe("Your Reserve Corps forces its march from Laneffe through Charleroi to Ligny.");
        expect(plain(sentence(named, "all", waterloo)))
            .toBe("The Reserve Corps forces its march from Laneffe through Charleroi to Ligny.");
    });

    test("units of one name are told together", () => {
        const out = { ev: "undrafted", seat: "FR", units: ["FR-I", "FR-A", "FR-J", "FR-M"] };
        use("en");
        expect(plain(sentence(out, "FR", waterloo))).toBe("Order withdrawn: Reserve Cavalry (three units) and I Corps.");
        use("ru");
        expect(plain(sentence(out, "FR", waterloo))).toBe("Приказ отменён: резервная кавалерия (три части) и 1-й корпус.");
    });

    test("words for numbers up to ten, figures above", () => {
        use("ru");
        const march = (count: number): string => plain(sentence({ ev: "marched", side: "FR", marches: [
            { nation: "FR", from: "charleroi", path: ["ligny"], forced: false, count }] }, "AL", waterloo));
        expect(march(1)).toBe("Одна французская часть идёт из Шарлеруа в Линьи.");
        expect(march(2)).toBe("Две французские части идут из Шарлеруа в Линьи.");
        expect(march(5)).toBe("Пять французских частей идут из Шарлеруа в Линьи.");
        expect(march(12)).toBe("12 французских частей идут из Шарлеруа в Линьи.");
    });

    test("both sides read an attack from where they stand", () => {
        use("en");
        const attack = { ev: "attacked", town: "quatre-bras", side: "FR", roads: ["a", "b"], units: { FR: 5 } };
        expect(plain(sentence(attack, "FR", waterloo))).toBe("Your attack on Quatre Bras: five French units by two roads.");
        expect(plain(sentence(attack, "AL", waterloo))).toBe("You are attacked at Quatre Bras: five French units by two roads.");
        // With three players it may be the ally who stands there.
        expect(plain(sentence(attack, "AD", waterloo))).toBe("Attack on Quatre Bras: five French units by two roads.");
        expect(plain(sentence(attack, "public", waterloo))).toBe("Attack on Quatre Bras: five French units by two roads.");
    });

    test("dice are pictures with their figures as text, names are bold and carry their ids", () => {
        use("en");
        const fire = { ev: "fired", battle: "waterloo", unit: "FR-H", target: "AD-K", dice: [5, 6, 1], hit_on: 5, hits: 2, lost: 2 };
        const tokens = sentence(fire, "FR", waterloo);
        expect(plain(tokens)).toBe("Your Guard cavalry charges British I Corps artillery: (5, 6, 1) two hits.");
        expect(tokens.find((token) => token.dice)).toEqual({ text: "(5, 6, 1)", dice: [5, 6, 1] });
        expect(tokens.find((token) => token.unit === "FR-H")).toEqual({ text: "Guard cavalry", bold: true, unit: "FR-H" });
    });

    test("with several battles each sentence names its town", () => {
        use("en");
        const square = { ev: "moved", battle: "wavre", unit: "AD-C", kind: "form_square", from: 2 };
        expect(plain(sentence(square, "FR", { game: "waterloo", board: { battles: { wavre: {} } } }))).toBe("The King’s German Legion forms square.");
        expect(plain(sentence(square, "FR", { game: "waterloo", board: { battles: { wavre: {}, ligny: {} } } })))
            .toBe("Wavre: the King’s German Legion forms square.");
    });
});

describe("names, prompts, refusals", () => {
    beforeEach(() => use("fr"));

    test("French contracts its articles", () => {
        expect(townName("quatre-bras", "from")).toBe("des Quatre-Bras");
        expect(townName("ath", "from")).toBe("d’Ath");
        expect(unitName("FR-H", "at")).toBe("sur la cavalerie de la Garde");
    });

    test.each(codes)("in %s every refusal that the game gives has its sentence", (code) => {
        use(code);
        const rules = Object.keys(catalogues.en).filter((key) => key.startsWith("rule.W"));
        expect(rules.length).toBeGreaterThan(50);
        for (const key of rules) {
            const rule = key.slice(5);
            const error = { message: "no", data: { kind: "illegal_action", rule } };
            expect(refusalText(error)).toBe(`${catalogues[code][key]} ${rule}`);
        }
        const kinds = ((openrpc.components.schemas.error as Json).properties as Record<string, Json>);
        const data = kinds.data as { properties: { kind: { enum: string[] } } };
        for (const kind of data.properties.kind.enum) {
            const text = refusalText({ message: "no", data: { kind, retry_after_ms: 1500, member: "x" } });
            expect(text, kind).not.toMatch(/^error\.|[{}]/);
        }
    });

    test.each(codes)("in %s every prompt of the schema has headline, sentence and button", (code) => {
        use(code);
        const defs = (viewSchema as unknown as { $defs: Record<string, Json> }).$defs;
        for (const schema of (defs.prompt as unknown as { oneOf: Json[] }).oneOf) {
            for (let n = 0; n < 4; n++) {
                const prompt = make(schema, defs, n) as { id: string };
                const board = { attacks: { ligny: { attackers: { FR: 4 } } }, battles: { ligny: {} } };
                const told = promptWords({ game: "waterloo", state: "MOVE", to_act: ["FR"], waits_for: ["FR"], as: "FR", prompt, board });
                expect(told.headline, prompt.id).not.toMatch(/^prompt\.|[{}]|undefined|^$/);
                expect(told.button, prompt.id).not.toMatch(/^prompt\.|[{}]|undefined|^$/);
                expect(plain(told.sentence), prompt.id).not.toMatch(/prompt\.|[{}]|undefined/);
            }
        }
    });

    test("who waits is told for whom", () => {
        use("en");
        const told = promptWords({ state: "RESPOND", to_act: ["AL"], waits_for: ["AL"], board: {}, as: "FR" });
        expect(told.headline).toBe("The Allies answer the attack");
    });

    test("an unknown key stands for itself", () => {
        expect(t("no.such")).toBe("no.such");
    });
});
