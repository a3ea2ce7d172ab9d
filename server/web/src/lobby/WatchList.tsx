/** Matches that anybody may look at. */
import { follow } from "@/app/router";
import { asked } from "@/clock/state";
import { msOf } from "@/clock/types";
import { columns, Rows, type Column } from "@/lobby/Rows";
import { matchTitle, whoPlays } from "@/lobby/words";
import type { Summary } from "@/types";
import { ago, armyOf, deadline, t } from "@/words";

interface WatchListProps {
    matches: Summary[] | null;
    empty: string;
}

export function WatchList({ matches, empty }: WatchListProps) {
    if (matches === null) return <div class="rows-wait" aria-busy="true" />;
    if (matches.length === 0) return <p class="rows-empty">{empty}</p>;
    return (
        <Rows
            name={t("lobby.tab.watch")}
            matches={matches}
            columns={[columns.game(), players(), columns.options(), state()]}
            act={(match) => (
                <a class="button" href={`/match/${match.match}`} onClick={follow}>
                    {verb(match)}
                    <span class="visually-hidden">: {matchTitle(match)}</span>
                </a>
            )}
        />
    );
}

/** Whoever sits in a match does not watch it. */
function verb(match: Summary): string {
    if (match.state !== "running") return t("lobby.replay");
    return (match.you ?? []).length > 0 ? t("lobby.look") : t("lobby.watch");
}

export function players(): Column {
    return { id: "players", name: t("lobby.column.players"), cell: whoPlays };
}

/** Since when it runs, or who won. */
export function state(): Column {
    return {
        id: "state",
        name: t("lobby.column.state"),
        cell: (match) => {
            if (match.state === "over") return outcome(match);
            if (match.state === "open") return t("lobby.waits_players");
            const [seat, clock] = match.clock === undefined ? [] : (asked(match.clock)[0] ?? []);
            if (seat !== undefined && clock?.deadline !== undefined) {
                return t("clock.due.row", { who: match.seats[seat]?.account ?? armyOf(match.game, seat), time: deadline(msOf(clock.deadline)) });
            }
            return match.started_at === undefined ? "" : t("lobby.since", { ago: ago(match.started_at) });
        },
    };
}

/** "The Allies won", with your own sitting told as such. */
export function outcome(match: Summary): string {
    const winners = match.result?.winners ?? [];
    const mine = match.you?.[0];
    if (winners.length === 0) return t("lobby.no_winner");
    if (mine !== undefined) return winners.includes(mine) ? t("lobby.you_won") : t("lobby.you_lost");
    const side = winners.includes("FR") ? "FR" : "AL";
    return t("lobby.won", { side_t: armyOf(match.game, side) });
}
