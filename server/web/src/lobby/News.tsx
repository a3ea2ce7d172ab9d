/** "While you were away": the last thing told in each of the own matches. */
import { follow } from "@/app/router";
import { mine } from "@/app/waiting";
import { useLook } from "@/lobby/data";
import { lastSentence } from "@/lobby/told";
import { matchTitle } from "@/lobby/words";
import type { Summary } from "@/types";
import { ago, plain, t } from "@/words";

const SHOWN = 5;

export function News() {
    const mineRunning = mine.value.filter((match) => match.state === "running" && (match.you ?? []).length > 0);
    if (mineRunning.length === 0) return null;
    return (
        <section class="news" aria-labelledby="news">
            <h2 id="news">{t("lobby.news")}</h2>
            <ul>
                {mineRunning.slice(0, SHOWN).map((match) => (
                    <Line key={match.match} match={match} />
                ))}
            </ul>
        </section>
    );
}

function Line({ match }: { match: Summary }) {
    const seat = match.you?.[0] ?? "FR";
    const look = useLook(match, seat);
    const told = look === null ? null : lastSentence(look.last, seat, { game: match.game, board: look.view.board });
    if (told === null) return null;
    return (
        <li>
            <a href={`/match/${match.match}`} onClick={follow}>
                {matchTitle(match)}
            </a>{" "}
            <span class="told">{plain(told)}</span>{" "}
            {look?.last != null && <small>{ago(look.last.at)}</small>}
        </li>
    );
}
