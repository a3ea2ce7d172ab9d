/** Which language the page begins with, and its numbers and dates. */
import { expect, test } from "vitest";

import { ago, deadline, duration, preferredLanguage, slot, storyDate, t, useCatalogue } from "../src/words";
import fr from "../../../schema/words/fr.json";
import en from "../../../schema/words/en.json";
import ja from "../../../schema/words/ja.json";
import { format, parse, plain } from "../src/words/format";
import type { Locale } from "../src/words/format";

test("the browser's first language that we speak, unless one was chosen here", () => {
    expect(preferredLanguage(["de-AT", "fr-CA", "en"], null)).toBe("fr");
    expect(preferredLanguage(["zh-Hant-TW"], null)).toBe("zh");
    expect(preferredLanguage(["de"], null)).toBe("en");
    expect(preferredLanguage(["fr"], "ja")).toBe("ja");
    expect(preferredLanguage(["fr"], "tlh")).toBe("fr");
});

test("dates of the story and of the reader", () => {
    const noon = Date.UTC(2026, 11, 2, 17, 0);
    useCatalogue("fr", fr);
    expect(slot({ slot: 3 })).toBe("15 juin, nuit");
    expect(slot({ slot: 4, date: "1815-06-16", part: "morning" })).toBe("16 juin, matin");
    expect(storyDate("1815-06-16")).toBe("16 juin 1815");
    expect(deadline(noon, "Europe/Paris")).toMatch(/^mer\. 2 décembre.*18:00$/);
    useCatalogue("ja", ja);
    expect(slot({ slot: 24 })).toBe("6月22日・夜");
    useCatalogue("en", en);
    expect(slot({ slot: 0 })).toBe("Set-up");
    expect(deadline(noon, "Europe/London")).toMatch(/^Wed,? 2 December.*17:00$/);
    expect(duration(2 * 86400000 + 4 * 3600000)).toBe("2 days 4 h");
    expect(ago(noon - 5 * 60000, noon)).toBe("5 minutes ago");
    expect(t("error.rate_limited", { seconds: 1 })).toBe("Too many requests. Wait 1 second.");
});

function locale(code: string): Locale {
    const rules = new Intl.PluralRules(code);
    const numbers = new Intl.NumberFormat(code);
    return {
        language: code, plural: (n) => rules.select(n), number: (n) => numbers.format(n), spell: () => undefined,
    };
}

function filled(code: string, message: string, n: number): string {
    return plain(format(parse(message), { n, side_t: "the French", who: "anna" }, locale(code)));
}

/** The same examples as in tests/client/client_test.c: both readers of the grammar agree. */
test("the grammar of schema/words/README.md", () => {
    const plural = "{n, plural, =0 {none} one {# a} few {# b} many {# c} other {# d}}";
    expect(filled("en", plural, 0)).toBe("none");
    expect(filled("en", plural, 1)).toBe("1 a");
    expect(filled("en", plural, 2)).toBe("2 d");
    expect(filled("fr", "{n, plural, one {# a} other {# d}}", 0)).toBe("0 a");
    expect(filled("fr", "{n, plural, one {# a} other {# d}}", 1815)).toBe("1\u202f815 d");
    expect(filled("ja", plural, 1)).toBe("1 d");
    expect(filled("ru", plural, 21)).toBe("21 a");
    expect(filled("ru", plural, 11)).toBe("11 c");
    expect(filled("ru", plural, 3)).toBe("3 b");
    expect(filled("ru", plural, 12)).toBe("12 c");
    expect(filled("en", "{side_t} march. {side_t} and {who}. {who}", 1)).toBe("The French march. The French and anna. anna");
    expect(filled("en", "it''s '{'{n}'}' a' b <b>{who}</b>", 5)).toBe("it's {5} a' b anna");
    expect(filled("en", "{no_such, select, a {x} other {y}}{missing}", 1)).toBe("y");
    for (const wrong of ["{n", "{n, plural, one {x}}", "}", "<i>x</i>", "{n, date}", "{n, select, a {} a {} other {}}"]) {
        expect(() => parse(wrong), wrong).toThrow(SyntaxError);
    }
});
