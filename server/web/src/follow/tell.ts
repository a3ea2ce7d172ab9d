/** Reads what happens aloud to those who listen: results politely, attacks and routs at once. */
import { announce } from "@/app/live";
import { spoken } from "@/follow/story";
import type { MatchStore } from "@/net/match";
import { t } from "@/words";

const MOST = 4;

/** Begins; gives what ends it. A long step is read as its first sentences, then "details in the log". */
export function tellSteps(match: MatchStore): () => void {
    return match.onStep((step) => {
        const lines = spoken([step], match.as.value);
        const shown = lines.slice(0, MOST).map((line) => line.text);
        if (lines.length > MOST) shown.push(t("log.more", { n: lines.length - MOST }));
        if (shown.length > 0) announce(shown.join(" "), lines.some((line) => line.urgent) ? "assertive" : "polite");
    });
}
