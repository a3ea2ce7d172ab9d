/** What is read off a clock: how long is left, how urgent that is, and in how few letters it is told. */
import type { Seat, Summary } from "@/types";
import { msOf, type ClockKind, type MatchClock, type SeatClock } from "@/clock/types";
import { plain, t, tt } from "@/words";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** calm: over a day; near: under a day; urgent: under six hours; last: under ten minutes; over: the deadline is past. */
export type Urgency = "calm" | "near" | "urgent" | "last" | "over";

export const LAST_MS = 10 * MINUTE;

export function clockOf(match: Summary | null): MatchClock | null {
    return match?.clock ?? null;
}

export function seatClock(match: Summary | null, seat: Seat): SeatClock | null {
    return clockOf(match)?.seats[seat] ?? null;
}

/** Milliseconds until the deadline, null where there is none. */
export function leftOf(clock: SeatClock, now: number): number | null {
    return clock.deadline === undefined ? null : msOf(clock.deadline) - now;
}

export function urgencyOf(clock: SeatClock, kind: ClockKind, now: number): Urgency {
    if (clock.state === "out" || clock.state === "grace") return "over";
    const left = leftOf(clock, now);
    if (left === null) return "calm";
    if (left <= 0) return "over";
    // A game of two hours is not urgent from its first minute on.
    if (kind === "live") return left < LAST_MS ? "last" : "calm";
    return left < LAST_MS ? "last" : left < 6 * HOUR ? "urgent" : left < DAY ? "near" : "calm";
}

/** 1 d 21 h, 5 h 20 min, 14:32; `brief`: the largest unit alone. */
export function span(ms: number, brief = false): string {
    const left = Math.max(0, ms);
    const days = Math.floor(left / DAY);
    const hours = Math.floor(left / HOUR) % 24;
    const minutes = Math.floor(left / MINUTE) % 60;
    if (left >= 2 * DAY && brief) return t("clock.span.d", { d: days });
    if (left >= DAY) return t("clock.span.dh", { d: days, h: hours });
    if (left >= HOUR && brief) return t("clock.span.h", { h: hours });
    if (left >= HOUR) return t("clock.span.hm", { h: hours, m: minutes });
    const seconds = Math.floor(left / 1000) % 60;
    return `${minutes}:${String(seconds).padStart(2, "0")}`;
}

/** A span of a spec in words: three days, 12 hours, 30 minutes, 90 seconds. */
export function spanWords(s: number): string {
    const say = (unit: string, n: number): string => plain(tt(`clock.words.${unit}`, { n }, false));
    if (s > 0 && s % 86400 === 0) return say("days", s / 86400);
    if (s >= 3600 && s % 3600 === 0 && s < 86400) return say("hours", s / 3600);
    if (s >= 60 && s % 60 === 0 && s < 3600) return say("minutes", s / 60);
    const unit = s >= 86400 ? 86400 : s >= 3600 ? 3600 : s >= 60 ? 60 : 1;
    if (unit === 1) return say("seconds", s);
    return t("clock.words.and", { a: spanWords(s - (s % unit)), b: spanWords(s % unit) });
}

/** What stands beside a name in the bar: time left while it is asked, else the bank. */
export function faceOf(clock: SeatClock, now: number, brief = false): string {
    const left = leftOf(clock, now);
    if (clock.state === "stands" || clock.state === "over") {
        const bank = span(clock.bank_s * 1000, brief);
        return brief ? bank : t("clock.face.bank", { time: bank });
    }
    if (clock.state === "out" || clock.state === "grace") return t(`clock.face.${clock.state}`);
    if (clock.state !== "runs") return t(`clock.face.${clock.state}`);
    if (left === null) return "";
    return brief ? span(left, true) : t("clock.face.left", { time: span(left) });
}

/** Seats that the match waits for, each with its clock. */
export function asked(clock: MatchClock): [Seat, SeatClock][] {
    return (Object.entries(clock.seats) as [Seat, SeatClock][]).filter(([, one]) => one.state !== "stands" && one.state !== "over");
}
