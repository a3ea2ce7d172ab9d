/** What a seat may do beside playing: offer a draw, an abort or a rewind, resign, see the keys. */
import { useEffect, useId, useState } from "preact/hooks";
import { follow } from "@/app/router";
import { clockOf, spanWords } from "@/clock/state";
import type { ClockKind } from "@/clock/types";
import { Refusal } from "@/net/rpc";
import { account } from "@/net/session";
import { useMatch } from "@/play/context";
import { isOver } from "@/play/games";
import { wire } from "@/play/wire";
import { offer, offerRewind, offersOf, type OfferKind } from "@/play/offers";
import { usePlay } from "@/play/state";
import type { Seat } from "@/types";
import { rulesPath } from "@/ui/rules";
import { Sheet } from "@/ui/Sheet";
import { armyOf, refusalText, t } from "@/words";

/** The second press to resign counts between so long and so long after the first. */
const RESIGN_AFTER_MS = 3000;
const RESIGN_WITHIN_MS = 13000;

export function MenuSheet({ onClose }: { onClose: () => void }) {
    const { match, game } = useMatch();
    const { list, open } = usePlay();
    const [wrong, setWrong] = useState<string | null>(null);
    const me = account.value?.name;
    const seats = Object.values(match.summary.value?.seats ?? {});
    const mayManage = match.summary.value?.state === "running" && me !== undefined && seats.some((seat) => seat?.account === me || seat?.lent?.by === me || seat?.kept_for === me);
    const playing = match.seat.value !== null && match.view.value !== null && !isOver(match.view.value);
    const run = async (work: () => Promise<void>): Promise<void> => {
        try {
            await work();
            onClose();
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal"));
        }
    };
    return (
        <Sheet title={t("menu.title")} onClose={onClose}>
            {wrong !== null && (
                <p class="refused" role="alert">
                    {wrong}
                </p>
            )}
            <div class="menu-list">
                <button
                    type="button"
                    class="button"
                    onClick={() => {
                        list.value = !list.value;
                        onClose();
                    }}
                >
                    {t(list.value ? "menu.map" : "menu.list")} <kbd>L</kbd>
                </button>
                {playing && game.orders && (
                    <button type="button" class="button" onClick={() => (open.value = "orders")}>
                        {t("orders.title")}
                    </button>
                )}
                {match.mySeats.value.length > 0 && (
                    <button type="button" class="button" onClick={() => (open.value = "notices")}>
                        {t("notices.match_title")}
                    </button>
                )}
                {mayManage && (
                    <button type="button" class="button" onClick={() => (open.value = "seat")}>
                        {t("seats.title")}
                    </button>
                )}
                <button type="button" class="button" onClick={() => (open.value = "keys")}>
                    {t("menu.keys")} <kbd>?</kbd>
                </button>
                <a class="button" href={rulesPath(match.view.value?.game ?? "waterloo")} onClick={follow}>
                    {t("bar.rules")}
                </a>
                <a class="button" href="/settings" onClick={follow}>
                    {t("menu.settings")}
                </a>
            </div>
            {playing && <Dealings run={run} />}
            {playing && <Resign run={run} />}
        </Sheet>
    );
}

type Run = (work: () => Promise<void>) => Promise<void>;

function Dealings({ run }: { run: Run }) {
    const { match } = useMatch();
    const clock = clockOf(match.summary.value);
    const mine = offersOf(match).filter((one) => one.seat === match.seat.value).map((one) => one.what);
    const seq = match.view.value?.seq ?? 0;
    const make = (what: OfferKind): void => void run(() => offer(match, what));
    return (
        <>
            <h3>{t("menu.offers")}</h3>
            <div class="menu-list">
                <button type="button" class="button" disabled={mine.includes("draw")} onClick={() => make("draw")}>
                    {t("menu.draw")}
                </button>
                <button type="button" class="button" disabled={mine.includes("abort")} onClick={() => make("abort")}>
                    {t("menu.abort")}
                </button>
                <button type="button" class="button" disabled={mine.includes("rewind") || seq < 2} onClick={() => void run(() => offerRewind(match))}>
                    {t("menu.rewind")}
                </button>
            </div>
            {clock !== null && <TimeOffers paused={clock.paused !== undefined} mine={mine} run={run} make={make} />}
            <p class="hint">{t("menu.offers_note")}</p>
        </>
    );
}

const SPANS: Record<ClockKind, number[]> = {
    live: [60, 300, 600, 1800],
    correspondence: [12 * 3600, 86400, 2 * 86400, 3 * 86400, 7 * 86400],
};

interface TimeProps {
    paused: boolean;
    mine: OfferKind[];
    run: Run;
    make: (what: OfferKind) => void;
}

/** A pause and its end, and time for a seat: for an opponent one gives it, for oneself one asks. */
function TimeOffers({ paused, mine, run, make }: TimeProps) {
    const { match } = useMatch();
    const spans = SPANS[clockOf(match.summary.value)?.kind ?? "correspondence"];
    const seats = Object.keys(match.summary.value?.seats ?? {}) as Seat[];
    const own = match.seat.value;
    const [to, setTo] = useState<Seat>(seats.find((seat) => seat !== own) ?? seats[0] ?? "FR");
    const [s, setS] = useState(spans[1] ?? 86400);
    const id = useId();
    return (
        <>
            <div class="menu-list">
                {paused ? (
                    <button type="button" class="button" disabled={mine.includes("resume")} onClick={() => make("resume")}>
                        {t("menu.resume")}
                    </button>
                ) : (
                    <button type="button" class="button" disabled={mine.includes("pause")} onClick={() => make("pause")}>
                        {t("menu.pause")}
                    </button>
                )}
            </div>
            <div class="menu-time">
                <label for={`${id}-to`}>{t("menu.time")}</label>
                <select id={`${id}-to`} value={to} onChange={(event) => setTo(event.currentTarget.value as Seat)}>
                    {seats.map((seat) => (
                        <option key={seat} value={seat}>
                            {seat === own ? t("menu.time_me") : (match.nameOf(seat) ?? armyOf(match.view.value?.game, seat))}
                        </option>
                    ))}
                </select>
                <label for={`${id}-s`} class="visually-hidden">
                    {t("menu.time_span")}
                </label>
                <select id={`${id}-s`} value={String(s)} onChange={(event) => setS(Number(event.currentTarget.value))}>
                    {spans.map((one) => (
                        <option key={one} value={String(one)}>
                            {spanWords(one)}
                        </option>
                    ))}
                </select>
                <button type="button" class="button" disabled={mine.includes("time")} onClick={() => void run(() => offer(match, "time", { seat: to, s }))}>
                    {t(to === own ? "menu.time_ask" : "menu.time_give")}
                </button>
            </div>
        </>
    );
}

function Resign({ run }: { run: Run }) {
    const { match } = useMatch();
    const [pressed, setPressed] = useState<number | null>(null);
    const [now, setNow] = useState(Date.now());
    useEffect(() => {
        if (pressed === null) return;
        const timer = setInterval(() => setNow(Date.now()), 250);
        return () => clearInterval(timer);
    }, [pressed]);
    const gone = pressed === null ? 0 : now - pressed;
    const late = gone > RESIGN_WITHIN_MS;
    const ready = pressed !== null && gone >= RESIGN_AFTER_MS && !late;
    const waits = pressed !== null && !ready && !late;
    const press = (): void => {
        if (ready) void run(() => match.resign());
        else if (!waits) {
            setNow(Date.now());
            setPressed(Date.now());
        }
    };
    return (
        <>
            <h3>{t("menu.end")}</h3>
            <button type="button" class="button danger" aria-disabled={waits} onClick={press}>
                {ready ? t("menu.resign_sure") : waits ? t("menu.resign_wait", { n: Math.ceil((RESIGN_AFTER_MS - gone) / 1000) }) : t("menu.resign")}
            </button>
            <p class="hint" role="status">
                {t("menu.resign_note")}
            </p>
        </>
    );
}
