/** The number of a rule where it is named; it opens the rule's text. */
interface RuleLinkProps {
    rule: string;
    onOpen: (rule: string) => void;
    /** Where the rule stands. With it the number is a link amid the text, which may open elsewhere and breaks lines as text does. */
    href?: string;
}

export function RuleLink({ rule, onOpen, href }: RuleLinkProps) {
    if (href !== undefined) {
        return (
            <a class="rule-link" href={href} onClick={(event) => opens(event, () => onOpen(rule))}>
                {rule}
            </a>
        );
    }
    return (
        <button type="button" class="rule-link" onClick={() => onOpen(rule)}>
            {rule}
        </button>
    );
}

/** Opens here, unless a new tab or window was asked for. */
function opens(event: MouseEvent, open: () => void): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
}
