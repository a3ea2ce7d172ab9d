/** A clock told as prose. */
import { specProse } from "@/clock/spec";
import type { ClockSpec } from "@/clock/types";
import { Rich, t } from "@/words";

export function SpecProse({ spec, game }: { spec: ClockSpec; game: string | undefined }) {
    return (
        <p class="told">
            {specProse(spec, game).map((sentence, i) => (
                <span key={i}>
                    <Rich of={sentence} />
                    {t("list.sentences")}
                </span>
            ))}
        </p>
    );
}
