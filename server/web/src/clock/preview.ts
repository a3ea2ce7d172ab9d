/**
 * The first deadline that a spec results in, for the page where it is chosen. The daemon reckons for itself: this
 * one is to the quarter of an hour, and knows neither vacations nor pauses.
 */
import { DAY_S } from "@/clock/spec";
import { DAYS, type ClockSpec } from "@/clock/types";

const STEP_MS = 15 * 60_000;
const MOST_STEPS = 4 * 24 * 400;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

/** Milliseconds that a zone is east of Greenwich then. */
export function offsetOf(zone: string, at: number): number {
    const hour = Math.floor(at / 3_600_000) * 3_600_000;
    const key = `${zone} ${hour}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    let format = formats.get(zone);
    if (format === undefined) {
        format = new Intl.DateTimeFormat("en-GB", {
            timeZone: zone, year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", hourCycle: "h23",
        });
        formats.set(zone, format);
    }
    const part = Object.fromEntries(format.formatToParts(hour).map(({ type, value }) => [type, Number(value)]));
    const local = Date.UTC(part["year"] ?? 0, (part["month"] ?? 1) - 1, part["day"] ?? 1, part["hour"] ?? 0, part["minute"] ?? 0);
    offsets.set(key, local - hour);
    return local - hour;
}

function minuteOf(text: string): number {
    const [hours, minutes] = text.split(":").map(Number);
    return (hours ?? 0) * 60 + (minutes ?? 0);
}

function within(minute: number, from: number, to: number): boolean {
    return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** Does the clock run then? sleep: the player's window in his zone. */
function runs(spec: ClockSpec, at: number, own: Own): boolean {
    const zone = spec.zone ?? "UTC";
    const local = at + offsetOf(zone, at);
    const minute = Math.floor(local / 60_000) % 1440;
    const weekday = DAYS[(Math.floor(local / 86_400_000) + 3) % 7];
    if (spec.days !== undefined && weekday !== undefined && !spec.days.includes(weekday)) return false;
    if (spec.hours !== undefined && !within(minute, minuteOf(spec.hours[0]), minuteOf(spec.hours[1]))) return false;
    if (spec.sleep === true && own.sleep !== undefined) {
        const mine = Math.floor((at + offsetOf(own.zone, at)) / 60_000) % 1440;
        if (within(mine, minuteOf(own.sleep.from), minuteOf(own.sleep.to))) return false;
    }
    return true;
}

export interface Own {
    zone: string;
    sleep?: { from: string; to: string };
}

/** When so much running time from then on is used up. */
function after(spec: ClockSpec, from: number, ms: number, own: Own): number {
    let left = ms;
    let at = from;
    for (let i = 0; i < MOST_STEPS && left > 0; i++) {
        const step = Math.min(STEP_MS - (at % STEP_MS), STEP_MS);
        if (runs(spec, at, own)) {
            if (left <= step) return at + left;
            left -= step;
        }
        at += step;
    }
    return at;
}

/** The first allowed day's fixed hour that is not before. */
function fixed(spec: ClockSpec, notBefore: number): number {
    const zone = spec.zone ?? "UTC";
    const minute = minuteOf(spec.at ?? "00:00");
    for (let day = 0; day < 400; day++) {
        const local = notBefore + offsetOf(zone, notBefore);
        const midnight = Math.floor(local / 86_400_000 + day) * 86_400_000 + minute * 60_000;
        const at = midnight - offsetOf(zone, midnight - offsetOf(zone, midnight));
        const weekday = DAYS[(Math.floor(midnight / 86_400_000) + 3) % 7];
        const allowed = spec.days === undefined || (weekday !== undefined && spec.days.includes(weekday));
        if (allowed && at >= notBefore) return at;
    }
    return notBefore;
}

/** span: when the time of the move itself is used up; out: when the bank is too. */
export function firstDeadline(spec: ClockSpec, now: number, own: Own): { span: number; out: number } {
    const move = (spec.phases?.["set_up"] ?? spec.per_move_s ?? (spec.kind === "live" ? 0 : 3 * DAY_S)) * 1000;
    let span = after(spec, now, move, own);
    if (spec.at !== undefined) span = fixed(spec, Math.max(span, now + (spec.min_gap_s ?? 0) * 1000));
    const bank = (spec.bank_s ?? (spec.kind === "live" ? 3600 : 10 * DAY_S)) * 1000;
    return { span, out: after(spec, span, bank, own) };
}
