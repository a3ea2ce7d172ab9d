/** Rules as they are read: numbers in the margin as anchors, names of rules as links. */
import type { ComponentChildren } from "preact";
import { RuleLink } from "@/ui/RuleLink";
import { letterOf, rulesPath, type RulesBlock } from "@/ui/rules";

interface RulesTextProps {
    game: string;
    blocks: RulesBlock[];
    /** Opens another rule. */
    onRule: (rule: string) => void;
    /** The rule that was asked for: it is marked. */
    marked?: string;
    /** The language of the text, where it is not the page's. */
    lang?: string;
    /** What the ids of headings begin with. */
    anchor?: string;
}

export function RulesText({ game, blocks, onRule, marked, lang, anchor = "rule" }: RulesTextProps) {
    return (
        <div class="rules-text" {...(lang === undefined ? {} : { lang })}>
            {blocks.map((block, i) => (
                <Block key={i} block={block} to={{ onRule, game, plain: letterOf(game) === "", anchor }} marked={marked} />
            ))}
        </div>
    );
}

/** Where the numbers of rules lead, and how they are written. */
interface Links {
    onRule: (rule: string) => void;
    game: string;
    plain: boolean;
    anchor: string;
}

function Block({ block, to, marked }: { block: RulesBlock; to: Links; marked: string | undefined }) {
    switch (block.kind) {
        case "heading": {
            const Level = block.level <= 1 ? "h2" : block.level === 2 ? "h3" : "h4";
            return <Level id={`${to.anchor}-${block.id}`}>{block.text}</Level>;
        }
        case "rule":
            return (
                <p class={block.id === marked ? "rules-rule marked" : "rules-rule"} id={`rule-${block.id}`}>
                    <span class="rules-number">{block.id}</span>
                    <span>{inline(block.text, to)}</span>
                </p>
            );
        case "list":
            return (
                <ul>
                    {block.items.map((item, i) => (
                        <li key={i}>{inline(item, to)}</li>
                    ))}
                </ul>
            );
        case "table":
            return <Table rows={block.rows} to={to} marked={marked} />;
        case "code":
            return <pre>{block.text}</pre>;
        default:
            return <p>{inline(block.text, to)}</p>;
    }
}

function Table({ rows, to, marked }: { rows: string[][]; to: Links; marked: string | undefined }) {
    const [head, ...body] = rows;
    const ruling = (row: string[]): { id?: string; class?: string } =>
        /^R\d+$/.test(row[0] ?? "") ? { id: `rule-${row[0]}`, ...(row[0] === marked ? { class: "marked" } : {}) } : {};
    return (
        <div class="rules-table">
            <table>
                <thead>
                    <tr>
                        {head?.map((cell, i) => (
                            <th key={i} scope="col">
                                {inline(cell, to)}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {body.map((row, i) => (
                        <tr key={i} {...ruling(row)}>
                            {row.map((cell, k) => (
                                <td key={k}>{k === 0 && "id" in ruling(row) ? cell : inline(cell, to)}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

const INLINE = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\[W?\d+(?:\.\d+)?\]|\bW\d+(?:\.\d+)?\b|\bR\d+\b)/;
/** Rules without a letter: only a number with a part names one. */
const INLINE_PLAIN = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\[\d+(?:\.\d+)?\]|(?<![\d.:/])\d{1,2}\.\d{1,2}(?!\d|[.:/]\d| km)|\bR\d+\b)/;
const NUMBER = /^\[?(W\d+(?:\.\d+)?|R\d+)\]?$/;
const NUMBER_PLAIN = /^\[?(\d+\.\d+|(?<=\[)\d+|R\d+)\]?$/;

/** Bold, italic, code and links to other rules; what is bold or italic may name rules too. */
function inline(text: string, to: Links): ComponentChildren {
    return text.split(to.plain ? INLINE_PLAIN : INLINE).map((part, i) => {
        if (part.startsWith("**")) return <strong key={i}>{inline(part.slice(2, -2), to)}</strong>;
        if (part.startsWith("*") && part.endsWith("*") && part.length > 2) return <em key={i}>{inline(part.slice(1, -1), to)}</em>;
        if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
        const rule = (to.plain ? NUMBER_PLAIN : NUMBER).exec(part)?.[1];
        return rule === undefined ? part : <RuleLink key={i} rule={rule} onOpen={to.onRule} href={rulesPath(to.game, rule)} />;
    });
}
