/** Rules as they are read: numbers in the margin as anchors, names of rules as links. */
import type { ComponentChildren } from "preact";
import type { RulesBlock } from "@/ui/rules";

interface RulesTextProps {
    blocks: RulesBlock[];
    /** Opens another rule. */
    onRule: (rule: string) => void;
    /** The rule that was asked for: it is marked. */
    marked?: string;
}

export function RulesText({ blocks, onRule, marked }: RulesTextProps) {
    return (
        <div class="rules-text" lang="en">
            {blocks.map((block, i) => (
                <Block key={i} block={block} onRule={onRule} marked={marked} />
            ))}
        </div>
    );
}

function Block({ block, onRule, marked }: { block: RulesBlock; onRule: (rule: string) => void; marked: string | undefined }) {
    switch (block.kind) {
        case "heading": {
            const Level = block.level <= 1 ? "h2" : block.level === 2 ? "h3" : "h4";
            return <Level id={`rule-${block.id}`}>{block.text}</Level>;
        }
        case "rule":
            return (
                <p class={block.id === marked ? "rules-rule marked" : "rules-rule"} id={`rule-${block.id}`}>
                    <span class="rules-number">{block.id}</span>
                    <span>{inline(block.text, onRule)}</span>
                </p>
            );
        case "list":
            return (
                <ul>
                    {block.items.map((item, i) => (
                        <li key={i}>{inline(item, onRule)}</li>
                    ))}
                </ul>
            );
        case "table":
            return <Table rows={block.rows} onRule={onRule} />;
        case "code":
            return <pre>{block.text}</pre>;
        default:
            return <p>{inline(block.text, onRule)}</p>;
    }
}

function Table({ rows, onRule }: { rows: string[][]; onRule: (rule: string) => void }) {
    const [head, ...body] = rows;
    return (
        <div class="rules-table">
            <table>
                <thead>
                    <tr>
                        {head?.map((cell, i) => (
                            <th key={i} scope="col">
                                {inline(cell, onRule)}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {body.map((row, i) => (
                        <tr key={i}>
                            {row.map((cell, k) => (
                                <td key={k}>{inline(cell, onRule)}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

const INLINE = /(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`|\bW\d+(?:\.\d+)?\b)/;

/** Bold, italic, code and links to other rules. */
function inline(text: string, onRule: (rule: string) => void): ComponentChildren {
    return text.split(INLINE).map((part, i) => {
        if (part.startsWith("**")) return <strong key={i}>{part.slice(2, -2)}</strong>;
        if (part.startsWith("*") && part.endsWith("*") && part.length > 2) return <em key={i}>{part.slice(1, -1)}</em>;
        if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
        if (/^W\d/.test(part)) {
            return (
                <button key={i} type="button" class="rule-link" onClick={() => onRule(part)}>
                    {part}
                </button>
            );
        }
        return part;
    });
}
