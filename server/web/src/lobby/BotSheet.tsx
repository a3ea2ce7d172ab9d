/** A match against a bot: which side, how long, and it begins. */
import { useEffect, useState } from "preact/hooks";
import { go } from "@/app/router";
import { botName, bots, offeredBot, refreshListsSoon } from "@/lobby/data";
import { create, seatBot, whyNot } from "@/lobby/join";
import { SeatChoice } from "@/lobby/SeatChoice";
import { optionName } from "@/lobby/words";
import type { Seat } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { t } from "@/words";

const SHORT_TURNS = 8;
const WHOLE_TURNS = 24;

export function BotSheet({ onClose }: { onClose: () => void }) {
    const [seat, setSeat] = useState<Seat>("FR");
    const [short, setShort] = useState(false);
    const levels = [...new Set(bots.value.flatMap((one) => (one.level === undefined ? [] : [one.level])))];
    const [level, setLevel] = useState("waterloo");
    const [busy, setBusy] = useState(false);
    const [wrong, setWrong] = useState<string | null>(null);
    const bot = botName.value;
    useEffect(refreshListsSoon, []);
    const begin = async (): Promise<void> => {
        if (bot === null) return;
        setBusy(true);
        setWrong(null);
        try {
            const options = short ? { turns: SHORT_TURNS } : {};
            const own = offeredBot.value?.level !== undefined;
            const match = await create({ game: "waterloo", options, seat, access: "invite", ...(own ? {} : { invite: [bot] }) });
            if (own) await seatBot(match.match, undefined, level);
            go(`/match/${match.match}`);
        } catch (error) {
            setWrong(whyNot(error));
            setBusy(false);
        }
    };
    return (
        <Sheet
            title={bot === null ? t("bot.title_none") : t("bot.title", { name: bot })}
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
                    <p class="told">{t("bot.note", { name: bot })}</p>
                    <SeatChoice<Seat> seats={["FR", "AL"]} chosen={seat} onChoose={setSeat} />
                    <p class="small">{t("bot.side", { seat })}</p>
                    <fieldset class="seat-choice">
                        <legend>{optionName("waterloo", "turns")}</legend>
                        {[false, true].map((one) => (
                            <label key={String(one)} class="seat-option" data-on={one === short}>
                                <input type="radio" name="bot-length" checked={one === short} onChange={() => setShort(one)} />
                                <span>{t("bot.length", { n: one ? SHORT_TURNS : WHOLE_TURNS, short: one })}</span>
                            </label>
                        ))}
                    </fieldset>
                    {levels.length > 1 && (
                        <fieldset class="seat-choice">
                            <legend>{t("bot.level")}</legend>
                            {levels.map((one) => (
                                <label key={one} class="seat-option" data-on={one === level}>
                                    <input type="radio" name="bot-level" checked={one === level} onChange={() => setLevel(one)} />
                                    <span>{t("bot.level_name", { level: one })}</span>
                                </label>
                            ))}
                        </fieldset>
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
