/** The rules text of a game, as the daemon serves it: numbered rules that refusals and prompts name. */

/** A piece of the text: a heading, a numbered rule, a paragraph, a list, a table. */
export type RulesBlock =
    | { kind: "heading"; level: number; text: string; id: string }
    | { kind: "rule"; id: string; text: string }
    | { kind: "text"; text: string }
    | { kind: "list"; items: string[] }
    | { kind: "table"; rows: string[][] }
    | { kind: "code"; text: string };

/** How a game numbers its rules: the letter before the numbers of the first game's, none elsewhere. */
const LETTER: Readonly<Record<string, string>> = { waterloo: "W" };

export function letterOf(game: string): string {
    return LETTER[game] ?? "";
}

/** A bold number with its letter, or a number at the head of a line. */
function patternOf(letter: string): RegExp {
    return letter === "" ? /^(\d+\.\d+[a-z]?)\s+(.*)$/s : /^\*\*(W\d+(?:\.\d+)?[a-z]?)(?:\.?\*\*\.?\s+|\.?\s+(?=[^*]+\*\*))(.*)$/s;
}

/** The text without its citations of the source; one that is part of its sentence names the place there. */
function uncited(markdown: string): string {
    const cited = /(`?)(\s*)\[seed ([^\]]*)\]/g;
    return markdown.replaceAll(cited, (whole: string, code: string, gap: string, where: string, at: number) => {
        const before = markdown.slice(0, at + code.length);
        const after = markdown.slice(at + whole.length);
        const spoken = /^ [a-z]/.test(after) && /(?:[.*:]|\b(?:as|and|but))$/.test(before.trimEnd());
        if (code === "`") return whole;
        return spoken || (/\b(?:is|than)$/.test(before) && after.startsWith(")")) ? `${gap}${where} of the text` : "";
    });
}

/** Reads the subset of Markdown that the rules pages are written in. */
export function readRules(markdown: string, game = "waterloo"): RulesBlock[] {
    const blocks: RulesBlock[] = [];
    const letter = letterOf(game);
    const text = letter === "" ? uncited(markdown) : markdown.replaceAll(/[^\S\n]*\[seed [^\]]*\]/g, "");
    for (const part of text.replaceAll(/^---$/gm, "").split(/\n{2,}/)) {
        const lines = part.split("\n").filter((line) => line.trim() !== "");
        if (lines.length > 0) readPart(lines, blocks, letter);
    }
    return blocks;
}

function readPart(lines: string[], out: RulesBlock[], letter: string): void {
    const first = lines[0] ?? "";
    const heading = /^(#{1,4})\s+(.*)$/.exec(first);
    if (heading !== null) {
        const text = heading[2] ?? "";
        const number = /^W?(\d+)\b/.exec(text)?.[1];
        out.push({ kind: "heading", level: (heading[1] ?? "#").length, text, id: number === undefined ? slug(text) : `${letter}${number}` });
        if (lines.length > 1) readPart(lines.slice(1), out, letter);
    } else if (first.startsWith("|")) {
        const rows = lines.filter((line) => !/^\|[\s:|-]+\|?$/.test(line)).map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|")));
        out.push({ kind: "table", rows });
    } else if (first.startsWith("```")) {
        out.push({ kind: "code", text: lines.slice(1).filter((line) => !line.startsWith("```")).join("\n") });
    } else {
        readText(lines, out, patternOf(letter));
    }
}

/** Paragraphs and lists; a list item or paragraph that begins with a bold number is a rule. */
function readText(lines: string[], out: RulesBlock[], pattern: RegExp): void {
    let items: string[] = [];
    let text: string[] = [];
    const flush = (): void => {
        if (text.length > 0) pushText(text.join(" "), out, pattern);
        for (const item of items) pushItem(item, out, pattern);
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
            const starts = pattern.exec(line) !== null && text.length > 0;
            if (starts) flush();
            text.push(line.trim());
        }
    }
    flush();
}

/** Items in a row that are no rules make one list. */
function pushItem(item: string, out: RulesBlock[], pattern: RegExp): void {
    const last = out[out.length - 1];
    if (pattern.exec(item) !== null) pushText(item, out, pattern);
    else if (last?.kind === "list") last.items.push(item);
    else out.push({ kind: "list", items: [item] });
}

function pushText(text: string, out: RulesBlock[], pattern: RegExp): void {
    const rule = pattern.exec(text);
    if (rule === null) out.push({ kind: "text", text });
    else out.push({ kind: "rule", id: rule[1] ?? "", text: titled(rule[0], rule[2] ?? "") });
}

/** A rule whose title stands in bold with its number keeps the title bold. */
function titled(whole: string, text: string): string {
    return /^\*\*W[\d.]+[a-z]?\.?\s/.test(whole) ? `**${text}` : text;
}

function slug(text: string): string {
    return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");
}

/** The blocks to show for a rule number: the rule itself and what belongs to it, up to the next number. */
export function ruleBlocks(blocks: RulesBlock[], rule: string): RulesBlock[] {
    const at = blocks.findIndex((block) => block.kind === "rule" && block.id === rule);
    if (at >= 0) {
        const rest = blocks.slice(at + 1);
        const end = rest.findIndex((block) => block.kind === "rule" || block.kind === "heading");
        return [...blocks.slice(at, at + 1), ...rest.slice(0, end < 0 ? rest.length : end)];
    }
    const ruling = rulingOf(blocks, rule);
    if (ruling !== null) return [ruling];
    const section = blocks.findIndex((block) => block.kind === "heading" && block.id === rule.split(".")[0]);
    if (section < 0) return [];
    const rest = blocks.slice(section + 1);
    const end = rest.findIndex((block) => block.kind === "heading" && block.level <= 2);
    return [...blocks.slice(section, section + 1), ...rest.slice(0, end < 0 ? rest.length : end)];
}

/** A ruling (R7) is a row of its table: shown below the head of it. */
function rulingOf(blocks: RulesBlock[], rule: string): RulesBlock | null {
    if (!/^R\d+$/.test(rule)) return null;
    for (const block of blocks) {
        const row = block.kind === "table" ? block.rows.find(([first]) => first === rule) : undefined;
        if (block.kind === "table" && row !== undefined) return { kind: "table", rows: [block.rows[0] ?? [], row] };
    }
    return null;
}

/** The address of a game's rules, or of one of them. */
export function rulesPath(game: string, rule?: string): string {
    const parts = ["rules", ...(letterOf(game) === "" ? [game] : []), ...(rule === undefined ? [] : [rule])];
    return `/${parts.join("/")}`;
}
