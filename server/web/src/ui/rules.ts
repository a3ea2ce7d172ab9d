/** The rules text of a game, as the daemon serves it: numbered rules that refusals and prompts name. */

/** A piece of the text: a heading, a numbered rule, a paragraph, a list, a table. */
export type RulesBlock =
    | { kind: "heading"; level: number; text: string; id: string }
    | { kind: "rule"; id: string; text: string }
    | { kind: "text"; text: string }
    | { kind: "list"; items: string[] }
    | { kind: "table"; rows: string[][] }
    | { kind: "code"; text: string };

const RULE = /^\*\*(W\d+(?:\.\d+)?[a-z]?)\.?\*\*\.?\s+(.*)$/s;

/** Reads the subset of Markdown that the rules pages are written in. */
export function readRules(markdown: string): RulesBlock[] {
    const blocks: RulesBlock[] = [];
    const plain = markdown.replaceAll(/\s*\[seed [^\]]*\]/g, "").replaceAll(/^---$/gm, "");
    for (const part of plain.split(/\n{2,}/)) {
        const lines = part.split("\n").filter((line) => line.trim() !== "");
        if (lines.length > 0) readPart(lines, blocks);
    }
    return blocks;
}

function readPart(lines: string[], out: RulesBlock[]): void {
    const first = lines[0] ?? "";
    const heading = /^(#{1,4})\s+(.*)$/.exec(first);
    if (heading !== null) {
        const text = heading[2] ?? "";
        const number = /^W?(\d+)\b/.exec(text)?.[1];
        out.push({ kind: "heading", level: (heading[1] ?? "#").length, text, id: number === undefined ? slug(text) : `W${number}` });
        if (lines.length > 1) readPart(lines.slice(1), out);
    } else if (first.startsWith("|")) {
        const rows = lines.filter((line) => !/^\|[\s:|-]+\|?$/.test(line)).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
        out.push({ kind: "table", rows });
    } else if (first.startsWith("```")) {
        out.push({ kind: "code", text: lines.slice(1).filter((line) => !line.startsWith("```")).join("\n") });
    } else {
        readText(lines, out);
    }
}

/** Paragraphs and lists; a list item or paragraph that begins with a bold number is a rule. */
function readText(lines: string[], out: RulesBlock[]): void {
    let items: string[] = [];
    let text: string[] = [];
    const flush = (): void => {
        if (text.length > 0) pushText(text.join(" "), out);
        for (const item of items) pushItem(item, out);
        items = [];
        text = [];
    };
    for (const line of lines) {
        const item = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
        if (item !== null) {
            if (text.length > 0) flush();
            items.push(item[1] ?? "");
        } else if (items.length > 0 && /^\s/.test(line)) {
            items[items.length - 1] += ` ${line.trim()}`;
        } else {
            if (items.length > 0) flush();
            const starts = RULE.exec(line) !== null && text.length > 0;
            if (starts) flush();
            text.push(line.trim());
        }
    }
    flush();
}

/** Items in a row that are no rules make one list. */
function pushItem(item: string, out: RulesBlock[]): void {
    const last = out[out.length - 1];
    if (RULE.exec(item) !== null) pushText(item, out);
    else if (last?.kind === "list") last.items.push(item);
    else out.push({ kind: "list", items: [item] });
}

function pushText(text: string, out: RulesBlock[]): void {
    const rule = RULE.exec(text);
    if (rule === null) out.push({ kind: "text", text });
    else out.push({ kind: "rule", id: rule[1] ?? "", text: rule[2] ?? "" });
}

function slug(text: string): string {
    return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** The blocks to show for a rule number: the rule itself and what belongs to it, up to the next number. */
export function ruleBlocks(blocks: RulesBlock[], rule: string): RulesBlock[] {
    const at = blocks.findIndex((block) => block.kind === "rule" && block.id === rule);
    if (at >= 0) {
        const rest = blocks.slice(at + 1);
        const end = rest.findIndex((block) => block.kind === "rule" || block.kind === "heading");
        return [...blocks.slice(at, at + 1), ...rest.slice(0, end < 0 ? rest.length : end)];
    }
    const section = blocks.findIndex((block) => block.kind === "heading" && block.id === rule.split(".")[0]);
    if (section < 0) return [];
    const rest = blocks.slice(section + 1);
    const end = rest.findIndex((block) => block.kind === "heading" && block.level <= 2);
    return [...blocks.slice(section, section + 1), ...rest.slice(0, end < 0 ? rest.length : end)];
}

let text: Promise<RulesBlock[]> | undefined;

/** The rules of Waterloo, fetched once. */
export function waterlooRules(): Promise<RulesBlock[]> {
    text ??= fetch("/games/waterloo/rules.md")
        .then((got) => {
            if (!got.ok) throw new Error(`rules: ${got.status}`);
            return got.text();
        })
        .then(readRules);
    text.catch(() => (text = undefined));
    return text;
}
