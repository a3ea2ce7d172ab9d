/** "Sit down to play": the short ways to a match, each a row with what it is. */
import { useEffect } from "preact/hooks";
import { follow } from "@/app/router";
import { botName, loadGames, playable } from "@/lobby/data";
import { gameTitle } from "@/lobby/words";
import { t } from "@/words";

export function SitDown({ onBot }: { onBot: () => void }) {
    useEffect(() => void loadGames().catch(() => {}), []);
    return (
        <section class="sit-down card" aria-labelledby="sit-down">
            <h2 id="sit-down">{t("sit.title")}</h2>
            <p class="small">{t("sit.note")}</p>
            <button type="button" class="sit-row" onClick={onBot}>
                <span>
                    <strong>{t("sit.bot")}</strong>
                    <small>{botName.value === null ? t("sit.bot_none") : t("sit.bot_note", { name: botName.value })}</small>
                </span>
                <Chevron />
            </button>
            {playable.value.map((game) => (
                <GameRows key={game.game} game={game.game} counts={Object.keys((game.seats ?? {}) as object)} />
            ))}
            <a class="button primary" href="/new" onClick={follow}>
                {t("lobby.new_match")}
            </a>
        </section>
    );
}

function GameRows({ game, counts }: { game: string; counts: string[] }) {
    return (
        <>
            {counts.map((count) => (
                <a key={count} class="sit-row" href={counts.length > 1 ? `/new?game=${game}&players=${count}` : `/new?game=${game}`} onClick={follow}>
                    <span>
                        <strong>{t("sit.game", { game: gameTitle(game), players: count })}</strong>
                        <small>{t("sit.game_note", { game, players: count })}</small>
                    </span>
                    <Chevron />
                </a>
            ))}
        </>
    );
}

function Chevron() {
    return (
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
            <path d="M2 2l6 6-6 6" fill="none" stroke="var(--link)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
    );
}
