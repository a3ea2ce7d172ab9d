/** The clock of a table and its pace as prose, read before one sits down. */
import { specProse } from "@/clock/spec";
import { spanWords } from "@/clock/state";
import type { Summary } from "@/types";
import { Rich, t, tt } from "@/words";

export function TableTime({ match }: { match: Summary }) {
    const said = match.clock_spec === undefined ? [tt("new.prose.no_clock")] : specProse(match.clock_spec, match.game);
    if (match.pace !== undefined) said.push(tt("new.prose.pace", { span: spanWords(match.pace) }));
    return (
        <p class="table-time">
            {said.map((sentence, i) => (
                <span key={i}>
                    <Rich of={sentence} />
                    {t("list.sentences")}
                </span>
            ))}
        </p>
    );
}
