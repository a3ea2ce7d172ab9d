/** In a match with a pace: until when an answer is held, and how much has been given so far. */
import { serverNow, useTicking } from "@/clock/now";
import { useMatch } from "@/play/context";
import { deadline, t } from "@/words";

export function HeldNotice() {
    const { match } = useMatch();
    const given = match.given.value;
    useTicking(given !== null);
    if (given === null || match.seat.value === null) return null;
    const past = given.until <= serverNow.value;
    if (past && given.given.length === 0) return null;
    return (
        <p class="notice panel-notice held-notice" role="status">
            {t("pace.held", { time: deadline(given.until, undefined, true), n: given.given.length, past })}
        </p>
    );
}
