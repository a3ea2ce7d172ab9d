/** The texts of a game's rules, fetched as they are needed: the rules, and how to play, each in the languages that have it. */
import { readRules, ruleBlocks, type RulesBlock } from "@/ui/rules";
import { language, type Language } from "@/words";

export type Kind = "guide" | "rules";

/** Which texts there are beside the English ones (schema/games/GAME/KIND.LANGUAGE.md); a test compares this with the files. */
export const TRANSLATED: Readonly<Record<string, Readonly<Record<Kind, readonly Language[]>>>> = {
    waterloo: { guide: ["fr", "ja", "ru", "zh"], rules: ["fr", "ja", "ru", "zh"] },
    austerlitz: { guide: ["fr", "ja", "ru", "zh"], rules: ["fr", "ja", "ru", "zh"] },
};

/** A text as it is shown, and the language that it is in. */
export interface RulesText {
    language: Language;
    blocks: RulesBlock[];
}

const texts = new Map<string, Promise<RulesText>>();

/** A text in the language asked for, or in English where there is none in it; fetched once. */
export function textOf(game: string, kind: Kind, wanted: Language = language()): Promise<RulesText> {
    const has = TRANSLATED[game]?.[kind].includes(wanted) ?? false;
    const name = has ? `${kind}.${wanted}.md` : kind === "rules" ? "rules.md" : `${kind}.en.md`;
    const address = `/games/${game}/${name}`;
    const known = texts.get(address);
    if (known !== undefined) return known;
    const text = fetch(address)
        .then((got) => {
            if (!got.ok) throw new Error(`${address}: ${got.status}`);
            return got.text();
        })
        .then((markdown): RulesText => ({ language: has ? wanted : "en", blocks: readRules(markdown, game) }));
    texts.set(address, text);
    text.catch(() => texts.delete(address));
    return text;
}

/** The sections of the English text that a translation leaves out: the rulings, and where the text comes from. */
export function leftOut(own: RulesBlock[], english: RulesBlock[]): RulesBlock[] {
    const has = new Set(own.flatMap((block) => (block.kind === "heading" ? [block.id] : [])));
    let out = true;
    return english.filter((block) => {
        if (block.kind === "heading" && block.level <= 2) out = block.level === 2 && !has.has(block.id);
        return out;
    });
}

/** All of a game's rules for the reader: in his language what there is in it, then the rest in English. */
export async function allRules(game: string): Promise<{ own: RulesText; rest: RulesText | null }> {
    const [own, english] = await Promise.all([textOf(game, "rules"), textOf(game, "rules", "en")]);
    if (own.language === "en") return { own, rest: null };
    const rest = leftOut(own.blocks, english.blocks);
    return { own, rest: rest.length === 0 ? null : { language: "en", blocks: rest } };
}

/** One rule for the reader, in English where his language has none. */
export async function ruleText(game: string, rule: string): Promise<RulesText> {
    const own = await textOf(game, "rules");
    const blocks = ruleBlocks(own.blocks, rule);
    if (blocks.length > 0 || own.language === "en") return { language: own.language, blocks };
    const english = await textOf(game, "rules", "en");
    return { language: "en", blocks: ruleBlocks(english.blocks, rule) };
}
