/** Rules as they are read: numbers in the margin as anchors, names of rules as links. */
import type { ComponentChildren } from "preact";
import { letterOf, type RulesBlock } from "@/ui/rules";

interface RulesTextProps {
    game: string;
    blocks: RulesBlock[];
    /** Opens another rule. */
    onRule: (rule: string) => void;
    /** The rule that was asked for: it is marked. */
    marked?: string;
}

export function RulesText({ game, blocks, onRule, marked }: RulesTextProps) {
    return (
        <div class="rules-text" lang="en">
            {blocks.map((block, i) => (
                <Block key={i} block={block} to={{ onRule, plain: letterOf(game) === "" }} marked={marked} />
            ))}
        </div>
    );
}

/** Where the numbers of rules lead, and how they are written. */
interface Links {
    onRule: (rule: string) => void;
    plain: boolean;
}

function Block({ block, to, marked }: { block: RulesBlock; to: Links; marked: string | undefined }) {
    switch (block.kind) {
        case "heading": {
            const Level = block.level <= 1 ? "h2" : block.level === 2 ? "h3" : "h4";
            return <Level id={`rule-${block.id}`}>{block.text}</Level>;
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
            return <Table rows={block.rows} to={to} />;
        case "code":
            return <pre>{block.text}</pre>;
        default:
            return <p>{inline(block.text, to)}</p>;
    }
}

function Table({ rows, to }: { rows: string[][]; to: Links }) {
    const [head, ...body] = rows;
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
                        <tr key={i}>
                            {row.map((cell, k) => (
                                <td key={k}>{inline(cell, to)}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

const INLINE = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\bW\d+(?:\.\d+)?\b)/;
/** Rules without a letter: only a number with a part names one. */
const INLINE_PLAIN = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|(?<![\d.:/])\d{1,2}\.\d{1,2}(?!\d|[.:/]\d))/;

/** Bold, italic, code and links to other rules. */
function inline(text: string, to: Links): ComponentChildren {
    return text.split(to.plain ? INLINE_PLAIN : INLINE).map((part, i) => {
        if (part.startsWith("**")) return <strong key={i}>{part.slice(2, -2)}</strong>;
        if (part.startsWith("*") && part.endsWith("*") && part.length > 2) return <em key={i}>{part.slice(1, -1)}</em>;
        if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
        if (to.plain ? /^\d+\.\d+$/.test(part) : /^W\d/.test(part)) {
            return (
                <button key={i} type="button" class="rule-link" onClick={() => to.onRule(part)}>
                    {part}
                </button>
            );
        }
        return part;
    });
}
