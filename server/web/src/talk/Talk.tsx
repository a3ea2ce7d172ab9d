/** Talk: of the table, between allies while the rules let them confer, among those who look on. */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { isAway } from "@/follow/read";
import { Refusal } from "@/net/rpc";
import { useMatch } from "@/play/context";
import { channelsOf, markRead, mayTalk, mute, muted, type Channel, type May } from "@/talk/channels";
import { ReportSheet, type Accused } from "@/talk/ReportSheet";
import { Said } from "@/talk/Said";
import { refusalText, slot, t } from "@/words";
import "@/talk/talk.css";

const LENGTH_MAX = 2000;
const channel = signal<Channel>("table");

export function Talk() {
    const { match } = useMatch();
    const channels = channelsOf(match);
    const now = channels.includes(channel.value) ? channel.value : "table";
    const [refused, setRefused] = useState<string | null>(null);
    const [accused, setAccused] = useState<Accused | null>(null);
    const [quiet, setQuiet] = useState(() => muted(match.id));
    const list = useRef<HTMLDivElement>(null);
    useEffect(() => {
        setRefused(null);
        match.loadTalk(now).catch((error: unknown) => setRefused(wordsOf(error)));
    }, [match, now]);
    const messages = match.talk.value.filter((message) => message.channel === now);
    const last = messages[messages.length - 1]?.n ?? 0;
    useReading(now, last);
    useEffect(() => {
        const box = list.current?.closest<HTMLElement>(".follow-scroll");
        if (box) box.scrollTop = box.scrollHeight;
    }, [messages.length, now]);
    const act = async (work: () => Promise<void>): Promise<void> => {
        setRefused(null);
        try {
            await work();
            setQuiet(muted(match.id));
        } catch (error) {
            setRefused(wordsOf(error));
        }
    };
    const may = mayTalk(match, now);
    return (
        <div class="chat" ref={list}>
            {channels.length > 1 && <Channels all={channels} now={now} />}
            {now === "side" && <SideStrip may={may} />}
            <div class="chat-list" role="log" aria-label={t("chat.channel", { channel: now })} tabIndex={0}>
                {messages.length === 0 && refused === null && <p class="follow-empty">{t("chat.empty")}</p>}
                {messages.map((message) => (
                    <Said key={`${message.channel}${message.n}`} message={message} onReport={setAccused} onAct={(work) => void act(work)} />
                ))}
            </div>
            {quiet.length > 0 && (
                <ul class="chips chat-muted" aria-label={t("chat.muted")}>
                    {quiet.map((name) => (
                        <li key={name} class="chip">
                            {t("chat.muted_one", { name })}
                            <button type="button" class="chip-act" aria-label={t("chat.unmute", { name })} onClick={() => void act(() => mute(match, name, false))}>
                                ×
                            </button>
                        </li>
                    ))}
                </ul>
            )}
            {refused !== null && (
                <p class="notice wrong" role="alert">
                    {refused}
                </p>
            )}
            <Say channel={now} may={may} onRefused={setRefused} />
            {accused !== null && <ReportSheet accused={accused} onClose={() => setAccused(null)} />}
        </div>
    );
}

/** What is shown to a person counts as read: here, and on every other device. */
function useReading(now: Channel, last: number): void {
    const { match } = useMatch();
    const unread = match.unread.value[now] ?? 0;
    useEffect(() => {
        const read = (): void => {
            if (last > 0 && !isAway() && (match.unread.peek()[now] ?? 0) > 0) void markRead(match, now, last).catch(() => {});
        };
        read();
        document.addEventListener("visibilitychange", read);
        return () => document.removeEventListener("visibilitychange", read);
    }, [match, now, last, unread]);
}

function Channels({ all, now }: { all: Channel[]; now: Channel }) {
    const { match } = useMatch();
    return (
        <div class="chat-channels" role="group" aria-label={t("chat.channels")}>
            {all.map((one) => {
                const n = one === now ? 0 : (match.unread.value[one] ?? 0);
                return (
                    <button key={one} type="button" class="button quiet" aria-pressed={one === now} onClick={() => (channel.value = one)}>
                        {t("chat.channel", { channel: one })}
                        {n > 0 && (
                            <span class="chat-count" aria-label={t("chat.unread", { n })}>
                                {n}
                            </span>
                        )}
                    </button>
                );
            })}
        </div>
    );
}

/** Allies may confer, or when they may again (W18.2). */
function SideStrip({ may }: { may: May }) {
    const { openRule } = useMatch();
    const text = may.may ? t("chat.side_open") : may.why === "closed" ? closedWords(may) : "";
    if (text === "") return null;
    return (
        <p class="notice chat-side" data-open={may.may}>
            {text}{" "}
            <button type="button" class="rule-link" onClick={() => openRule("W18.2")}>
                W18.2
            </button>
        </p>
    );
}

function closedWords(may: Extract<May, { why: "closed" }>): string {
    return may.opens === undefined ? t("chat.side_never") : t("chat.side_closed", { when: slot(may.opens) });
}

function Say({ channel: where, may, onRefused }: { channel: Channel; may: May; onRefused: (text: string | null) => void }) {
    const { match } = useMatch();
    const [text, setText] = useState("");
    const barred = !may.may;
    const why = may.may ? "" : may.why === "closed" ? closedWords(may) : t(`chat.no.${may.why}`);
    const say = async (): Promise<void> => {
        const what = text.trim();
        if (what === "" || barred) return;
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
                disabled={barred}
                aria-label={t("chat.say")}
                aria-describedby={barred ? "say-why" : undefined}
                placeholder={barred ? "" : t("chat.say")}
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
            <button type="submit" class="button" aria-disabled={barred || text.trim() === ""}>
                {t("chat.send")}
            </button>
            {barred && (
                <p class="small chat-why" id="say-why">
                    {why}
                </p>
            )}
        </form>
    );
}

function wordsOf(error: unknown): string {
    return error instanceof Refusal ? refusalText(error) : t("error.internal");
}

