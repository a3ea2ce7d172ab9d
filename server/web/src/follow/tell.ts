/** Tells what happens to those who listen: sentences for screen readers, sounds for whoever wants them. */
import { effect } from "@preact/signals";
import { announce } from "@/app/live";
import { play } from "@/app/sounds";
import { soundOf } from "@/follow/sounds";
import type { MatchStore } from "@/net/match";
import type { GameParts } from "@/play/games";
import { t } from "@/words";

const MOST = 4;

/** Begins; gives what ends it. A long step is read as its first sentences, then "details in the log". */
export function tellSteps(match: MatchStore, game: Pick<GameParts, "spoken">): () => void {
    const ends = [
        match.onStep((step) => {
            const lines = game.spoken([step], match.as.value);
            const shown = lines.slice(0, MOST).map((line) => line.text);
            if (lines.length > MOST) shown.push(t("log.more", { n: lines.length - MOST }));
            if (shown.length > 0) announce(shown.join(" "), lines.some((line) => line.urgent) ? "assertive" : "polite");
            const sound = soundOf(step);
            if (sound !== undefined) play(sound);
        }),
        tellTurn(match),
    ];
    return () => {
        for (const end of ends) end();
    };
}

/** Two notes when the turn comes to this seat while the page is open. */
function tellTurn(match: MatchStore): () => void {
    let before: boolean | undefined;
    return effect(() => {
        const now = match.myTurn.value;
        if (before === false && now && match.view.peek() !== null) play("turn");
        before = match.view.value === null ? undefined : now;
    });
}
