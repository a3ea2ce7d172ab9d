/** A table that has not begun: its choices, its seats, who is asked, and what one may do about it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { pageTitle } from "@/app/banner";
import { follow, go } from "@/app/router";
import { Consent, needsConsent } from "@/lobby/Consent";
import { ownBots, refreshListsSoon } from "@/lobby/data";
import { join, leave, seatBot, start, whyNot } from "@/lobby/join";
import { Links } from "@/lobby/Links";
import { Player } from "@/lobby/Rows";
import { TableTime } from "@/lobby/TableTime";
import { GameMarks, GamePicture } from "@/lobby/GamePicture";
import { freeSeats, matchTitle, sideTitle, tableSentence } from "@/lobby/words";
import { Refusal } from "@/net/rpc";
import { account, onReconnect, rpc } from "@/net/session";
import type { Seat, Summary } from "@/types";
import { rulesPath } from "@/ui/rules";
import { armyOf, Rich, t } from "@/words";
import "@/lobby/lobby.css";

interface OpenTableProps {
    id: string;
    query: URLSearchParams;
    /** Called once when the table's match has begun. */
    onBegun?: () => void;
}

const EVERY_MS = 10000;

/**
 * The code of a link stands behind the #, which goes into no log. It is kept while this window is
 * open, so that it is still there after signing in.
 */
export function codeOf(id: string, query: URLSearchParams): string | undefined {
    const key = `vedette.code.${id}`;
    const given = new URLSearchParams(location.hash.slice(1)).get("code") ?? query.get("code");
    try {
        if (given !== null) sessionStorage.setItem(key, given);
        return given ?? sessionStorage.getItem(key) ?? undefined;
    } catch {
        return given ?? undefined;
    }
}

export default function OpenTable({ id, query, onBegun }: OpenTableProps) {
    const [code] = useState(() => codeOf(id, query));
    const [match, setMatch] = useState<Summary | null>(null);
    const [lost, setLost] = useState(false);
    const wasOpen = useRef(false);
    const read = async (): Promise<void> => {
        try {
            setMatch(await rpc.call<Summary>("match.get", { match: id, ...(code === undefined ? {} : { code }) }));
            setLost(false);
        } catch (error) {
            if (error instanceof Refusal) setLost(true);
        }
    };
    useEffect(() => {
        const again = (): void => void read();
        const changed = (push: { match: string }): void => {
            if (push.match === id) again();
        };
        const ends = [
            account.subscribe(again),
            rpc.on("match.changed", changed),
            rpc.on("account.turn", changed),
            onReconnect(again),
        ];
        const timer = setInterval(again, EVERY_MS);
        return () => {
            clearInterval(timer);
            for (const end of ends) end();
        };
    }, [id, code]);
    useEffect(() => {
        if (match !== null) pageTitle.value = matchTitle(match);
        if (match?.state === "open") wasOpen.current = true;
        else if (match !== null && mayLook(match, wasOpen.current)) onBegun?.();
    }, [match]);
    const closed = match !== null && match.state !== "open" && !mayLook(match, wasOpen.current);
    if (closed && account.value) return <Closed match={match} />;
    if (lost || closed) return <NoSuchTable />;
    if (match === null) return <div class="table-page" aria-busy="true" />;
    return <Table match={match} code={code} onChange={setMatch} />;
}

/** A match under way is shown to who sits in it, and to who saw it begin here. */
function mayLook(match: Summary, wasOpen: boolean): boolean {
    return wasOpen || (match.you ?? []).length > 0;
}

/** A match that somebody reads of, perhaps led in once, and may not look at: who plays it. */
function Closed({ match }: { match: Summary }) {
    return (
        <div class="table-page">
            <div class="table-words">
                <h1>{matchTitle(match)}</h1>
                <p class="told">{t("table.closed")}</p>
                <ul class="table-seats">
                    {(Object.keys(match.seats) as Seat[]).map((seat) => (
                        <SeatRow key={seat} match={match} seat={seat} />
                    ))}
                </ul>
                <p class="table-acts">
                    <a class="button" href="/" onClick={follow}>
                        {t("app.lost.home")}
                    </a>
                </p>
            </div>
        </div>
    );
}

function NoSuchTable() {
    return (
        <div class="table-page">
            <div class="table-words">
                <h1>{t("table.lost")}</h1>
                <p class="told">{account.value ? t("table.lost_note") : t("table.lost_sign_in")}</p>
                <p class="table-acts">
                    {!account.value && (
                        <a class="button primary" href={signInAddress()} onClick={follow}>
                            {t("start.sign_in")}
                        </a>
                    )}
                    <a class="button" href="/" onClick={follow}>
                        {t("app.lost.home")}
                    </a>
                </p>
            </div>
        </div>
    );
}

/** Where one signs in to come back here. */
function signInAddress(fresh = false): string {
    return `/sign-in?${fresh ? "new=1&" : ""}then=${encodeURIComponent(location.pathname)}`;
}

interface TableProps {
    match: Summary;
    code: string | undefined;
    onChange: (match: Summary) => void;
}

function Table({ match, code, onChange }: TableProps) {
    const me = account.value?.name;
    const mySeat = match.you?.[0];
    const creator = me !== undefined && match.creator === me;
    const free = freeSeats(match);
    const mine = seatsForMe(match, code);
    const [wrong, setWrong] = useState<string | null>(null);
    const [busy, setBusy] = useState(false);
    const [agreed, setAgreed] = useState(false);
    const barred = needsConsent(match) && !agreed;
    const act = async (work: () => Promise<unknown>): Promise<void> => {
        setBusy(true);
        setWrong(null);
        try {
            await work();
        } catch (error) {
            setWrong(whyNot(error));
        } finally {
            setBusy(false);
        }
    };
    useEffect(refreshListsSoon, []);
    const sit = (seat: Seat): void =>
        void act(async () => {
            onChange(await join(match.match, seat, code, agreed));
        });
    return (
        <div class="table-page">
            <div class="table-words">
                <p class="overline">{t("table.overline", { creator })}</p>
                <h1>{matchTitle(match)}</h1>
                <p class="told">
                    <Rich of={tableSentence(match)} />
                </p>
                <TableTime match={match} />
                {mySeat === undefined && !creator && <Consent match={match} given={agreed} onGive={setAgreed} />}
                <ul class="table-seats">
                    {(Object.keys(match.seats) as Seat[]).map((seat) => (
                        <SeatRow key={seat} match={match} seat={seat}>
                            {mySeat === undefined && me !== undefined && mine.includes(seat) && (
                                <button type="button" class="button primary" disabled={busy || barred} onClick={() => sit(seat)}>
                                    {t("table.sit", { side_t: armyOf(match.game, seat) })}
                                </button>
                            )}
                            {ownBots.value && free.includes(seat) && (mySeat !== undefined || creator) && (
                                <button type="button" class="button" disabled={busy} onClick={() => void act(async () => onChange(await seatBot(match.match, seat)))}>
                                    {t("table.seat_bot")}
                                    <span class="visually-hidden">: {sideTitle(match.game, seat)}</span>
                                </button>
                            )}
                        </SeatRow>
                    ))}
                </ul>
                {wrong !== null && (
                    <p class="notice wrong" role="alert">
                        {wrong}
                    </p>
                )}
                {me === undefined && <SignInFirst />}
                <p class="table-acts" role="status">
                    {free.length > 0 && mySeat !== undefined && <span class="told">{t("table.waiting", { n: free.length })}</span>}
                </p>
                {creator && free.length > 0 && <Links match={match} />}
                <p class="table-acts">
                    {creator && free.length === 0 && match.start === "manual" && (
                        <button type="button" class="button primary" disabled={busy} onClick={() => void act(async () => onChange(await start(match.match)))}>
                            {t("table.start")}
                        </button>
                    )}
                    {(mySeat !== undefined || creator) && (
                        <button type="button" class="button" disabled={busy} onClick={() => void act(() => leave(match.match))}>
                            {creator ? t("table.withdraw") : t("table.leave")}
                        </button>
                    )}
                    <a class="button quiet" href={rulesPath(match.game)} onClick={follow}>
                        {t("new.read_rules")}
                    </a>
                    <button type="button" class="button quiet" onClick={() => go("/")}>
                        {t("bar.lobby")}
                    </button>
                </p>
            </div>
            <div class="table-map card">
                <GamePicture game={match.game} width={520} height={420} label={t("start.map")} />
            </div>
        </div>
    );
}

/** The seats that this reader may take: a code opens the one it is of, other free ones are for the invited. */
function seatsForMe(match: Summary, code: string | undefined): Seat[] {
    const free = freeSeats(match);
    if (code === undefined || match.invited === true || match.access === "open") return free;
    return free.filter((seat) => match.seats[seat]?.code === code);
}

function SeatRow({ match, seat, children }: { match: Summary; seat: Seat; children?: preact.ComponentChildren }) {
    const who = match.seats[seat];
    return (
        <li>
            <GameMarks game={match.game} side={seat} size={20} />
            <span class="table-side">{sideTitle(match.game, seat)}</span>
            <span class="table-who">
                {who?.account === undefined ? (
                    <em>{t("lobby.nobody_yet")}</em>
                ) : (
                    <Player name={who.account} {...(who.bot === undefined ? {} : { bot: who.bot })} />
                )}
            </span>
            {children}
        </li>
    );
}

function SignInFirst() {
    return (
        <p class="table-acts">
            <a class="button primary" href={signInAddress(true)} onClick={follow}>
                {t("table.register_first")}
            </a>
            <a class="button" href={signInAddress()} onClick={follow}>
                {t("start.sign_in")}
            </a>
        </p>
    );
}
