/** One message, and what may be done about who said it. */
import { useState } from "preact/hooks";
import { newActionId } from "@/net/rpc";
import { account, rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { mute } from "@/talk/channels";
import type { Accused } from "@/talk/ReportSheet";
import type { Message, Seat } from "@/types";
import { armyOf, dateTime, t } from "@/words";

interface SaidProps {
    message: Message;
    onReport: (accused: Accused) => void;
    onAct: (work: () => Promise<void>) => void;
}

export function Said({ message, onReport, onAct }: SaidProps) {
    const { match, game } = useMatch();
    const army = armyOf(match.view.value?.game, message.from);
    const [open, setOpen] = useState(false);
    const watcher = message.channel === "watchers";
    const name = watcher ? message.from : match.nameOf(message.from as Seat);
    const mine = watcher ? message.from === account.value?.name : message.from === match.seat.value;
    const creator = account.value?.name !== undefined && match.summary.value?.creator === account.value.name;
    const kick = async (who: string): Promise<void> => {
        await rpc.call("match.kick", { match: match.id, name: who, action_id: newActionId() });
    };
    return (
        <div class={mine ? "chat-said mine" : "chat-said"}>
            <p class="chat-who">
                {!watcher && <game.SideMarks side={message.from} size={12} />} <b>{name ?? army}</b> <time>{dateTime(message.at)}</time>
                {!mine && match.signedIn && (
                    <button type="button" class="chat-more" aria-expanded={open} aria-label={t("chat.about", { name: name ?? army })} onClick={() => setOpen(!open)}>
                        <Dots />
                    </button>
                )}
            </p>
            {open && (
                <p class="chat-acts">
                    {name !== undefined && (
                        <button type="button" class="button small-button" onClick={() => onAct(() => mute(match, name, true))}>
                            {t("chat.mute")}
                        </button>
                    )}
                    <button type="button" class="button small-button" onClick={() => onReport({ name: name ?? army, channel: message.channel, n: message.n })}>
                        {t("chat.report")}
                    </button>
                    {watcher && creator && (
                        <button type="button" class="button small-button danger" onClick={() => onAct(() => kick(message.from))}>
                            {t("chat.kick")}
                        </button>
                    )}
                </p>
            )}
            <p class="chat-text" dir="auto">
                {message.text === "" ? <em>{t("chat.gone")}</em> : message.text}
            </p>
        </div>
    );
}

function Dots() {
    return (
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <circle cx="2.5" cy="7" r="1.4" fill="currentColor" />
            <circle cx="7" cy="7" r="1.4" fill="currentColor" />
            <circle cx="11.5" cy="7" r="1.4" fill="currentColor" />
        </svg>
    );
}
