/** Talk of the table and, where the seat has an ally, between allies. */
import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { isAway, markRead, unread } from "@/follow/read";
import { Refusal } from "@/net/rpc";
import { useMatch } from "@/play/context";
import type { Message } from "@/types";
import { SideMarks } from "@/ui/ArmyMark";
import { dateTime, refusalText, t } from "@/words";

type Channel = Message["channel"];
const LENGTH_MAX = 2000;
const channel = signal<Channel>("table");

/** The channels that this viewer may read. */
function channelsOf(seat: string | null, seats: number): Channel[] {
    if (seat === null) return ["table", "watchers"];
    return seats === 3 && seat !== "FR" ? ["table", "side"] : ["table"];
}

export function Chat() {
    const { match } = useMatch();
    const seat = match.seat.value;
    const summary = match.summary.value;
    const channels = channelsOf(seat, Object.keys(summary?.seats ?? {}).length);
    const now = channels.includes(channel.value) ? channel.value : "table";
    const [refused, setRefused] = useState<string | null>(null);
    const list = useRef<HTMLDivElement>(null);
    useEffect(() => {
        setRefused(null);
        match.loadTalk(now).catch((error: unknown) => setRefused(wordsOf(error)));
    }, [match, now]);
    const messages = match.talk.value.filter((message) => message.channel === now);
    useEffect(() => {
        if (!isAway()) markRead(match.id, messages);
        const box = list.current?.closest<HTMLElement>(".follow-scroll");
        if (box) box.scrollTop = box.scrollHeight;
    }, [messages.length, now]);
    return (
        <div class="chat" ref={list}>
            {channels.length > 1 && <Channels all={channels} now={now} />}
            <div class="chat-list" role="log" aria-label={t("follow.chat")} tabIndex={0}>
                {messages.length === 0 && refused === null && <p class="follow-empty">{t("chat.empty")}</p>}
                {messages.map((message) => (
                    <Said key={`${message.channel}${message.n}`} message={message} name={match.nameOf(message.from as never)} mine={message.from === seat} />
                ))}
            </div>
            {refused !== null && (
                <p class="notice wrong" role="alert">
                    {refused}
                </p>
            )}
            {(seat !== null || now === "watchers") && match.signedIn && <Say channel={now} onRefused={setRefused} />}
        </div>
    );
}

function Channels({ all, now }: { all: Channel[]; now: Channel }) {
    const { match } = useMatch();
    return (
        <div class="chat-channels" role="group" aria-label={t("chat.channels")}>
            {all.map((one) => (
                <button key={one} type="button" class="button quiet" aria-pressed={one === now} onClick={() => (channel.value = one)}>
                    {t("chat.channel", { channel: one })}
                    {unread(match.id, match.talk.value, one) > 0 && one !== now && " •"}
                </button>
            ))}
        </div>
    );
}

function Said({ message, name, mine }: { message: Message; name: string | undefined; mine: boolean }) {
    return (
        <div class={mine ? "chat-said mine" : "chat-said"}>
            <p class="chat-who">
                <SideMarks side={message.from} size={12} /> <b>{name ?? message.from}</b> <time>{dateTime(message.at)}</time>
            </p>
            <p class="chat-text" dir="auto">
                {message.text}
            </p>
        </div>
    );
}

function Say({ channel: where, onRefused }: { channel: Channel; onRefused: (text: string | null) => void }) {
    const { match } = useMatch();
    const [text, setText] = useState("");
    const say = async (): Promise<void> => {
        const what = text.trim();
        if (what === "") return;
        onRefused(null);
        try {
            await match.say(where, what);
            setText("");
        } catch (error) {
            onRefused(wordsOf(error));
        }
    };
    return (
        <form
            class="chat-say"
            onSubmit={(event) => {
                event.preventDefault();
                void say();
            }}
        >
            <textarea
                id="say"
                rows={2}
                maxLength={LENGTH_MAX}
                aria-label={t("chat.say")}
                placeholder={t("chat.say")}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
                onKeyDown={(event) => {
                    event.stopPropagation();
                    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
                        event.preventDefault();
                        void say();
                    }
                    if (event.key === "Escape") event.currentTarget.blur();
                }}
            />
            <button type="submit" class="button" aria-disabled={text.trim() === ""}>
                {t("chat.send")}
            </button>
        </form>
    );
}

function wordsOf(error: unknown): string {
    return error instanceof Refusal ? refusalText(error) : t("error.internal");
}
