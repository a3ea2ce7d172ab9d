/** Real time in the reader's zone, and dates of the story. */
import { language, t } from "./catalogue";

let readerZone: string | undefined;

/** The zone that the reader chose (IANA); "" is that of the browser. */
export function useZone(zone: string): void {
    readerZone = zone === "" ? undefined : zone;
}

const kept = new Map<string, Intl.DateTimeFormat>();

function dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const code = language() === "en" ? "en-GB" : language();
    const id = code + JSON.stringify(options);
    let found = kept.get(id);
    if (found === undefined) {
        found = new Intl.DateTimeFormat(code, options);
        kept.set(id, found);
    }
    return found;
}

/** Day and hour, in the reader's zone or the one named: 2 December, 18:00. */
export function dateTime(ms: number, zone?: string): string {
    return dates({ day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", timeZone: zone ?? readerZone })
        .format(ms);
}

/** A deadline, always with its weekday: Wed 2 December, 18:00; `named`: with the zone, CET. */
export function deadline(ms: number, zone?: string, named = false): string {
    return dates({
        weekday: "short", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit",
        timeZone: zone ?? readerZone, ...(named ? { timeZoneName: "short" } : {}),
    }).format(ms);
}

/** A day of the calendar, given as YYYY-MM-DD: Wed 2 December. */
export function day(date: string): string {
    const [year, month, day_] = date.split("-").map(Number);
    return dates({ weekday: "short", day: "numeric", month: "long", timeZone: "UTC" }).format(Date.UTC(year ?? 2000, (month ?? 1) - 1, day_ ?? 1));
}

/** How long: 2 days 4 h; the two largest units, minutes at the least. */
export function duration(ms: number): string {
    const minutes = Math.max(0, Math.floor(ms / 60000));
    const days = Math.floor(minutes / 1440);
    const hours = Math.floor(minutes / 60) % 24;
    if (days > 0) return t("time.days_hours", { days, hours });
    if (hours > 0) return t("time.hours_minutes", { hours, minutes: minutes % 60 });
    return t("time.minutes", { minutes });
}

/** How long ago: 5 minutes ago, yesterday. */
export function ago(ms: number, now = Date.now()): string {
    const seconds = Math.round((ms - now) / 1000);
    const steps: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86400], ["hour", 3600], ["minute", 60]];
    const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
    for (const [unit, size] of steps) {
        if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
    }
    return format.format(Math.trunc(seconds), "second");
}

/** A day with its year, in the reader's zone or the one named: 30 November 2026. */
export function longDate(ms: number, zone?: string): string {
    return dates({ dateStyle: "long", timeZone: zone ?? readerZone }).format(ms);
}

/** A date of the story with its year: 16 June 1815. */
export function storyDate(date: string): string {
    const [year, month, day] = date.split("-").map(Number);
    return dates({ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
        .format(Date.UTC(year ?? 1815, (month ?? 6) - 1, day ?? 1));
}
