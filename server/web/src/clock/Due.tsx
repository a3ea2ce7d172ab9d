/** Under the question: whose time runs and when it is out, in the reader's zone, and the way to "why". */
import { serverNow, useTicking } from "@/clock/now";
import { asked, clockOf, span, urgencyOf } from "@/clock/state";
import { msOf, type MatchClock, type SeatClock } from "@/clock/types";
import { online } from "@/net/session";
import { useMatch } from "@/play/context";
import { isOver } from "@/play/games";
import { usePlay } from "@/play/state";
import type { Seat } from "@/types";
import { armyOf, deadline, Rich, t, tt } from "@/words";
import "@/clock/clock.css";

export function Due() {
    const { match } = useMatch();
    const { open } = usePlay();
    const clock = clockOf(match.summary.value);
    const view = match.view.value;
    if (clock === null || view === null || isOver(view)) return null;
    const seats = asked(clock);
    return (
        <div class="deadline" data-online={online.value}>
            <div class="deadline-lines">
                {seats.length === 0 && <p>{t("clock.why.nobody")}</p>}
                {seats.map(([code, seat]) => (
                    <Line key={code} code={code} seat={seat} clock={clock} own={match.mySeats.value.includes(code)} />
                ))}
            </div>
            <button type="button" class="link-button" aria-label={t("clock.due.why_label")} onClick={() => (open.value = "why")}>
                {t("clock.due.why")}
            </button>
        </div>
    );
}

function Line({ code, seat, clock, own }: { code: Seat; seat: SeatClock; clock: MatchClock; own: boolean }) {
    useTicking();
    const { match } = useMatch();
    const now = serverNow.value;
    const who = match.nameOf(code) ?? armyOf(match.view.value?.game, code);
    const stands = seat.state === "runs" ? "" : t("clock.due.state", { state: seat.state });
    return (
        <p data-urgency={urgencyOf(seat, clock.kind, now)}>
            {seat.deadline !== undefined && (
                <>
                    <Rich of={own ? tt("clock.due.own", { time: when(msOf(seat.deadline), clock, now) }) : tt("clock.due.other", { who, time: when(msOf(seat.deadline), clock, now) })} />
                    {seat.state === "runs" && bankFrom(seat, clock, now)}{" "}
                </>
            )}
            {stands !== "" && <span class="due-state">{seat.deadline === undefined && !own ? t("clock.seat", { who, face: stands }) : stands}</span>}
        </p>
    );
}

/** A deadline with its weekday, hour and zone; of a live match only how long. */
function when(at: number, clock: MatchClock, now: number): string {
    return clock.kind === "live" ? span(at - now) : deadline(at, undefined, true);
}

function bankFrom(seat: SeatClock, clock: MatchClock, now: number): string {
    if (seat.span_end === undefined || seat.deadline === undefined || clock.kind === "live") return "";
    const at = msOf(seat.span_end);
    return at <= now || at >= msOf(seat.deadline) ? "" : ` · ${t("clock.due.bank", { time: deadline(at) })}`;
}
