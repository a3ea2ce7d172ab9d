/** A match against a bot: which game and side, how long or how open, and it begins. */
import { useEffect, useState } from "preact/hooks";
import { go } from "@/app/router";
import { botOf, bots, loadGames, playable, refreshListsSoon } from "@/lobby/data";
import { lobbyGame } from "@/lobby/game";
import { create, seatBot, whyNot } from "@/lobby/join";
import { SeatChoice } from "@/lobby/SeatChoice";
import { gameTitle, optionName } from "@/lobby/words";
import type { Seat } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { t } from "@/words";

/** Games that this page has words for and somebody here plays, in the server's order. */
function gamesWithBots(): string[] {
    return playable.value.map((about) => about.game).filter((game) => botOf(game) !== null);
}

export function BotSheet({ onClose }: { onClose: () => void }) {
    const [wanted, setGame] = useState("waterloo");
    const [seat, setSeat] = useState<Seat>("FR");
    const [choice, setChoice] = useState<string | number | null>(null);
    const [level, setLevel] = useState<string | null>(null);
    const [busy, setBusy] = useState(false);
    const [wrong, setWrong] = useState<string | null>(null);
    useEffect(() => {
        refreshListsSoon();
        void loadGames().catch(() => {});
    }, []);
    const all = gamesWithBots();
    const game = all.includes(wanted) ? wanted : (all[0] ?? wanted);
    const bot = botOf(game);
    const levels = [...new Set(bots.value.flatMap((one) => (one.level !== undefined && one.games.includes(game) ? [one.level] : [])))];
    const chosen = level !== null && levels.includes(level) ? level : bot?.level;
    const asked = lobbyGame(game)?.asked;
    const value = asked?.values.find((one) => one === choice) ?? asked?.values[0];
    const begin = async (): Promise<void> => {
        if (bot === null) return;
        setBusy(true);
        setWrong(null);
        try {
            const own = chosen !== undefined;
            const options = asked === undefined || value === asked.values[0] ? {} : { [asked.option]: value };
            const match = await create({ game, options, seat, access: "invite", ...(own ? {} : { invite: [bot.name] }) });
            if (own) await seatBot(match.match, undefined, chosen);
            go(`/match/${match.match}`);
        } catch (error) {
            setWrong(whyNot(error));
            setBusy(false);
        }
    };
    return (
        <Sheet
            title={bot === null ? t("bot.title_none") : t("bot.title", { name: bot.name })}
            onClose={onClose}
            foot={
                <>
                    <button type="button" class="button" onClick={onClose}>
                        {t("join.not_now")}
                    </button>
                    {bot !== null && (
                        <button type="button" class="button primary" disabled={busy} onClick={() => void begin()}>
                            {t("bot.begin")}
                        </button>
                    )}
                </>
            }
        >
            {bot === null ? (
                <p class="told">{t("bot.none")}</p>
            ) : (
                <>
                    <p class="told">{t("bot.note", { name: bot.name })}</p>
                    {all.length > 1 && <Choice name={t("bot.game")} group="bot-game" values={all} value={game} say={gameTitle} onChoose={setGame} />}
                    <SeatChoice<Seat> game={game} seats={["FR", "AL"]} chosen={seat} onChoose={setSeat} />
                    <p class="small">{t(`bot.side.${game}`, { seat })}</p>
                    {asked !== undefined && value !== undefined && (
                        <Choice name={optionName(game, asked.option)} group="bot-option" values={asked.values} value={value} say={asked.name} onChoose={setChoice} />
                    )}
                    {levels.length > 1 && chosen !== undefined && (
                        <Choice
                            name={t("bot.level")}
                            group="bot-level"
                            values={levels}
                            value={chosen}
                            say={(one) => t("bot.level_name", { level: one === game ? "own" : one })}
                            onChoose={setLevel}
                        />
                    )}
                </>
            )}
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
        </Sheet>
    );
}

interface ChoiceProps<V extends string | number> {
    name: string;
    group: string;
    values: readonly V[];
    value: V;
    say: (value: V) => string;
    onChoose: (value: V) => void;
}

function Choice<V extends string | number>({ name, group, values, value, say, onChoose }: ChoiceProps<V>) {
    return (
        <fieldset class="seat-choice">
            <legend>{name}</legend>
            {values.map((one) => (
                <label key={one} class="seat-option" data-on={one === value}>
                    <input type="radio" name={group} checked={one === value} onChange={() => onChoose(one)} />
                    <span>{say(one)}</span>
                </label>
            ))}
        </fieldset>
    );
}
