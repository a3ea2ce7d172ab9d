/** The language of the page: which one, its catalogue (loaded alone), numbers and plurals. */
import { signal } from "@preact/signals";

import { format, parse, plain } from "./format";
import type { Args, Locale, Node, Token } from "./format";

export type Language = "en" | "fr" | "ja" | "ru" | "zh";

/** The languages there are, each by its own name. */
export const languages: readonly { code: Language; name: string }[] = [
    { code: "en", name: "English" },
    { code: "fr", name: "Français" },
    { code: "ja", name: "日本語" },
    { code: "ru", name: "Русский" },
    { code: "zh", name: "中文" },
];

interface Catalogue {
    code: Language;
    messages: Record<string, string>;
    parsed: Map<string, Node[]>;
    locale: Locale;
}

const loaders = import.meta.glob<{ default: Record<string, string> }>(
    "../../../../schema/words/*.json",
);
const remembered = "vedette.language";
const current = signal<Catalogue | null>(null);

/** The language shown now. Reading it in a component renders that again when it changes. */
export function language(): Language {
    return current.value?.code ?? "en";
}

function isLanguage(code: string | null | undefined): code is Language {
    return languages.some((l) => l.code === code);
}

/** The language to begin with: the one chosen on this device, else the browser's first that we speak. */
export function preferredLanguage(
    wanted: readonly string[] = navigator.languages,
    chosen: string | null = recall(),
): Language {
    if (isLanguage(chosen)) return chosen;
    for (const tag of wanted) {
        const code = tag.toLowerCase().split("-")[0];
        if (isLanguage(code)) return code;
    }
    return "en";
}

function recall(): string | null {
    try {
        return localStorage.getItem(remembered);
    } catch {
        return null;
    }
}

function makeLocale(code: Language, spell: Locale["spell"]): Locale {
    const rules = new Intl.PluralRules(code);
    const numbers = new Intl.NumberFormat(code);
    return {
        language: code,
        plural: (n) => rules.select(n),
        number: (n) => numbers.format(n),
        spell,
    };
}

/** Takes a catalogue as the current one. For tests and for the loader below. */
export function useCatalogue(code: Language, messages: Record<string, string>): void {
    const parsed = new Map<string, Node[]>();
    const bare = makeLocale(code, () => undefined);
    const spell = (n: number, form: string): string | undefined => {
        const words = messages["number.words"];
        if (words === undefined || !Number.isInteger(n) || n < 0 || n > 10) return undefined;
        return plain(format(parsedOf(parsed, "number.words", words), { n, form }, bare, false));
    };
    current.value = { code, messages, parsed, locale: makeLocale(code, spell) };
    if (typeof document !== "undefined") {
        document.documentElement.lang = code === "zh" ? "zh-Hans" : code;
    }
}

/** Loads a language, shows it, and keeps the choice on this device unless keep is false. */
export async function setLanguage(code: Language, keep = true): Promise<void> {
    const load = loaders[`../../../../schema/words/${code}.json`];
    if (load === undefined) throw new Error(`no catalogue ${code}`);
    const messages = (await load()).default;
    if (keep) {
        try {
            localStorage.setItem(remembered, code);
        } catch {
            /* a browser that keeps nothing begins with its own language again */
        }
    }
    useCatalogue(code, messages);
}

/** Shows the language of the account, where none was chosen on this device. */
export function followLanguage(code: string | undefined): void {
    if (isLanguage(code) && recall() === null && code !== current.peek()?.code) void setLanguage(code, false);
}

/** Loads the language to begin with; to be awaited before the first render. */
export async function startWords(): Promise<void> {
    await setLanguage(preferredLanguage(), false);
}

function parsedOf(parsed: Map<string, Node[]>, key: string, message: string): Node[] {
    let found = parsed.get(key);
    if (found === undefined) {
        found = parse(message);
        parsed.set(key, found);
    }
    return found;
}

/** Whether the catalogue has that key; for keys put together from ids. */
export function has(key: string): boolean {
    return current.value?.messages[key] !== undefined;
}

/** Keys of phrases, which stand within sentences. */
const phrases = /^(number|list|way|units|unit|place|side|oob|arm)\b/;

/** The message of a key filled in, as tokens; a key that there is not stands for itself. head: whether it
 * begins a sentence, so that a phrase at its head takes a capital; messages that are phrases do not. */
export function tt(key: string, args: Args = {}, head = !phrases.test(key)): Token[] {
    const c = current.value;
    const message = c?.messages[key];
    if (c === null || message === undefined) return [{ text: key }];
    return format(parsedOf(c.parsed, key, message), args, c.locale, head);
}

/** The message of a key filled in, as text. */
export function t(key: string, args: Args = {}): string {
    return plain(tt(key, args));
}
