/** A refusal in the row or card it concerns, its rule one press away. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { useMatch } from "@/play/context";
import type { Decision } from "@/play/desk";
import { wire } from "@/play/wire";
import { refusalWords, Rich } from "@/words";

export function Refused({ desk, at }: { desk: Decision; at: string | readonly string[] }) {
    const { match, openRule } = useMatch();
    const line = useRef<HTMLParagraphElement>(null);
    const refused = desk.refused.value;
    const here = refused !== null && (typeof at === "string" ? refused.at === at : at.includes(refused.at));
    // At once: a moment later it would take the focus from a sheet that was opened meanwhile.
    useLayoutEffect(() => {
        if (here) line.current?.focus({ preventScroll: false });
    }, [refused]);
    if (!here || refused === null) return null;
    const { refusal } = refused;
    const own = [{ text: refusal.message }, ...(refusal.rule === undefined ? [] : [{ text: " " }, { text: refusal.rule, rule: refusal.rule }])];
    const reason = refusal.kind === "drop" ? own : refusalWords(wire(refusal), match.summary.value?.game);
    return (
        <p class="refused" role="alert" tabIndex={-1} ref={line}>
            <Rich of={reason} onRule={openRule} />
        </p>
    );
}
