/** The message grammar of schema/words (its README says it whole): a strict subset of ICU
 * MessageFormat, parsed once a message and filled in as pieces of text or of rich tokens. */

/** A run of a sentence. bold: set in bold; dice: pictures of dice with text as their name; town, unit,
 * rule, seat: the id that the run names, for links and focus. */
export interface Token {
    text: string;
    bold?: true;
    dice?: number[];
    town?: string;
    unit?: string;
    rule?: string;
}

/** What a message takes for an argument: a number, a text, or a phrase of tokens. */
export type Value = string | number | boolean | readonly Token[];
export type Args = Record<string, Value>;

/** A node of a parsed message. */
export type Node =
    | { kind: "text"; text: string }
    | { kind: "arg"; name: string }
    | { kind: "number"; name: string }
    | { kind: "spell"; name: string; form: string }
    | { kind: "hash" }
    | { kind: "bold"; body: Node[] }
    | { kind: "plural"; name: string; cases: Map<string, Node[]> }
    | { kind: "select"; name: string; cases: Map<string, Node[]> };

/** What the formatter needs of a language. */
export interface Locale {
    language: string;
    plural(n: number): string;
    number(n: number): string;
    /** The word of a number in that grammatical form ("" the plain one), undefined where it is written
     * in figures. */
    spell(n: number, form: string): string | undefined;
}

class Reader {
    at = 0;
    constructor(readonly text: string) {}

    fail(what: string): never {
        throw new SyntaxError(`${what} at ${this.at} of “${this.text}”`);
    }

    skip(): void {
        while (this.text[this.at] === " " || this.text[this.at] === "\n") this.at++;
    }

    take(c: string): boolean {
        if (!this.text.startsWith(c, this.at)) return false;
        this.at += c.length;
        return true;
    }

    word(): string {
        this.skip();
        const found = /^(=[0-9]+|[A-Za-z0-9_]+)/.exec(this.text.slice(this.at));
        if (found === null) this.fail("a name is missing");
        this.at += found[0].length;
        this.skip();
        return found[0];
    }
}

/** The text of a quotation, the reader standing behind its apostrophe: '' is an apostrophe, '{…' runs
 * to the next apostrophe, any other apostrophe stands for itself. */
function quoted(r: Reader): string {
    if (r.take("'")) return "'";
    if (!"{}#<".includes(r.text[r.at] ?? " ")) return "'";
    let out = "";
    for (;;) {
        if (r.at >= r.text.length) r.fail("a quotation has no end");
        if (r.take("''")) out += "'";
        else if (r.take("'")) return out;
        else out += r.text[r.at++];
    }
}

function nodes(r: Reader, depth: number, inPlural: boolean, end: string): Node[] {
    if (depth > 8) r.fail("nested too deeply");
    const out: Node[] = [];
    let text = "";
    const flush = (): void => {
        if (text !== "") out.push({ kind: "text", text });
        text = "";
    };
    while (!(end !== "" && r.text.startsWith(end, r.at))) {
        if (r.at >= r.text.length) {
            if (end === "") break;
            r.fail(`${end} is missing`);
        }
        if (r.take("'")) {
            text += quoted(r);
        } else if (r.take("<b>")) {
            flush();
            out.push({ kind: "bold", body: nodes(r, depth + 1, inPlural, "</b>") });
        } else if (r.take("{")) {
            flush();
            out.push(argument(r, depth, inPlural));
        } else if (inPlural && r.take("#")) {
            flush();
            out.push({ kind: "hash" });
        } else if (r.text[r.at] === "}" || r.text[r.at] === "<") {
            r.fail("a brace or bracket stands alone");
        } else {
            text += r.text[r.at++];
        }
    }
    r.at += end.length;
    flush();
    return out;
}

function argument(r: Reader, depth: number, inPlural: boolean): Node {
    const name = r.word();
    if (r.take("}")) return { kind: "arg", name };
    if (!r.take(",")) r.fail("a comma is missing");
    const kind = r.word();
    if (kind === "number") {
        if (!r.take("}")) r.fail("} is missing");
        return { kind, name };
    }
    if (kind === "spellout") {
        const form = r.take(",") ? r.word() : "";
        if (!r.take("}")) r.fail("} is missing");
        return { kind: "spell", name, form };
    }
    if (kind !== "plural" && kind !== "select") r.fail(`${kind} is no kind of argument`);
    if (!r.take(",")) r.fail("a comma is missing");
    const cases = new Map<string, Node[]>();
    for (r.skip(); !r.take("}"); r.skip()) {
        const key = r.word();
        if (!r.take("{")) r.fail("{ is missing");
        if (cases.has(key)) r.fail(`${key} stands twice`);
        cases.set(key, nodes(r, depth + 1, kind === "plural" || inPlural, "}"));
    }
    if (!cases.has("other")) r.fail("other is missing");
    return { kind, name, cases };
}

/** Reads a message; throws a SyntaxError that says where it is wrong. */
export function parse(message: string): Node[] {
    return nodes(new Reader(message), 0, false, "");
}

/** Collects tokens, joining plain text, and knows whether a sentence begins here. */
class Writer {
    readonly out: Token[] = [];
    bold = false;

    /** head: whether a sentence begins with what is written first. */
    constructor(private readonly head: boolean) {}

    private begins(): boolean {
        const before = this.out.map((t) => (t.dice ? "0" : t.text)).join("");
        return before === "" ? this.head : /([.?!…] |[。？！])$/.test(before);
    }

    text(text: string): void {
        if (text === "") return;
        const last = this.out[this.out.length - 1];
        if (last && isPlain(last) && (last.bold === true) === this.bold) last.text += text;
        else this.out.push(this.bold ? { text, bold: true } : { text });
    }

    /** A phrase: it takes a capital where a sentence begins. */
    phrase(tokens: readonly Token[]): void {
        let first = this.begins();
        for (const token of tokens) {
            if (token.text === "" && !token.dice) continue;
            const text = first ? capital(token.text) : token.text;
            first = false;
            if (isPlain(token) && !token.bold) this.text(text);
            else this.out.push({ ...token, text });
        }
    }
}

function isPlain(token: Token): boolean {
    return !token.dice && !token.town && !token.unit && !token.rule;
}

/** The text with its first letter as a capital. */
export function capital(text: string): string {
    const first = String.fromCodePoint(text.codePointAt(0) ?? 32);
    return text === "" ? "" : first.toUpperCase() + text.slice(first.length);
}

function isPhrase(name: string): boolean {
    return name.endsWith("_t");
}

function fill(w: Writer, list: Node[], args: Args, locale: Locale, hash: number): void {
    for (const node of list) {
        if (node.kind === "text") {
            w.text(node.text);
        } else if (node.kind === "hash") {
            w.text(locale.number(hash));
        } else if (node.kind === "bold") {
            const before = w.bold;
            w.bold = true;
            fill(w, node.body, args, locale, hash);
            w.bold = before;
        } else if (node.kind === "plural" || node.kind === "select") {
            choose(w, node, args, locale, hash);
        } else {
            value(w, node, args[node.name], locale);
        }
    }
}

function value(
    w: Writer,
    node: Extract<Node, { name: string }>,
    given: Value | undefined,
    locale: Locale,
): void {
    if (given === undefined) return;
    if (typeof given === "object") {
        if (isPhrase(node.name)) w.phrase(given);
        else given.forEach((token) => w.out.push({ ...token }));
        return;
    }
    if (node.kind === "number") {
        w.text(locale.number(Number(given)));
    } else if (node.kind === "spell") {
        const spelt = locale.spell(Number(given), node.form) ?? locale.number(Number(given));
        w.phrase([{ text: spelt }]);
    } else if (isPhrase(node.name)) {
        w.phrase([{ text: String(given) }]);
    } else {
        w.text(String(given));
    }
}

function choose(
    w: Writer,
    node: Extract<Node, { cases: Map<string, Node[]> }>,
    args: Args,
    locale: Locale,
    hash: number,
): void {
    const given = args[node.name];
    let found: Node[] | undefined;
    if (node.kind === "plural") {
        const n = Number(given ?? 0);
        found = node.cases.get(`=${n}`) ?? node.cases.get(locale.plural(n));
        fill(w, found ?? node.cases.get("other") ?? [], args, locale, n);
    } else {
        found = node.cases.get(String(given ?? ""));
        fill(w, found ?? node.cases.get("other") ?? [], args, locale, hash);
    }
}

/** A parsed message with its arguments filled in, as tokens. head: whether it begins a sentence, so that
 * a phrase at its head takes a capital. */
export function format(message: Node[], args: Args, locale: Locale, head = true): Token[] {
    const w = new Writer(head);
    fill(w, message, args, locale, 0);
    return w.out;
}

/** The tokens' text alone. */
export function plain(tokens: readonly Token[]): string {
    return tokens.map((token) => token.text).join("");
}
