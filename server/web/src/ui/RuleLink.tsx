/** The number of a rule where it is named; it opens the rule's text. */
interface RuleLinkProps {
    rule: string;
    onOpen: (rule: string) => void;
}

export function RuleLink({ rule, onOpen }: RuleLinkProps) {
    return (
        <button type="button" class="rule-link" onClick={() => onOpen(rule)}>
            {rule}
        </button>
    );
}
