/** Clocks: what is read off them, specs in prose, the first deadline that results. */
import { describe, expect, it } from "vitest";
import en from "../../../schema/words/en.json";
import fr from "../../../schema/words/fr.json";
import ru from "../../../schema/words/ru.json";
import { markPassed } from "@/clock/mark";
import { firstDeadline, offsetOf } from "@/clock/preview";
import { fitting, presetOf, PRESETS, specProse, specShort, usualSpec, withPreset, zoned } from "@/clock/spec";
import { faceOf, span, spanWords, urgencyOf } from "@/clock/state";
import type { ClockSpec, SeatClock } from "@/clock/types";
import { useCatalogue } from "../src/words/catalogue";
import { plain } from "../src/words/format";

useCatalogue("en", en);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);
const tell = (spec: ClockSpec): string => specProse(spec).map(plain).join(" ");

describe("a clock's face", () => {
    it("tells the two largest units, and seconds in the last hour", () => {
        expect(span(DAY + 21 * HOUR + 59 * MINUTE)).toBe("1 d 21 h");
        expect(span(5 * HOUR + 20 * MINUTE)).toBe("5 h 20 min");
        expect(span(14 * MINUTE + 32_000)).toBe("14:32");
        expect(span(-5)).toBe("0:00");
        expect(span(2 * DAY + 23 * HOUR, true)).toBe("2 d");
        expect(span(DAY + 21 * HOUR, true)).toBe("1 d 21 h");
    });
    it("shows what is left while it runs, the bank while it stands, and why it stands", () => {
        const clock: SeatClock = { bank_s: 2 * 86400 + 7 * 3600, state: "runs", deadline: "2026-12-02T18:00:00Z" };
        const now = at("2026-11-30T21:00:00Z");
        expect(faceOf(clock, now)).toBe("1 d 21 h left");
        expect(faceOf({ ...clock, state: "stands" }, now)).toBe("bank 2 d 7 h");
        expect(faceOf({ ...clock, state: "asleep" }, now)).toBe("night");
        expect(faceOf({ ...clock, state: "grace" }, now)).toBe("late");
        expect(faceOf({ ...clock, state: "out" }, now)).toBe("time out");
    });
    it("is urgent under six hours by correspondence, under ten minutes live", () => {
        const due = (left: number): SeatClock => ({ bank_s: 0, state: "runs", deadline: 1_000_000_000_000 + left });
        const now = 1_000_000_000_000;
        expect(urgencyOf(due(25 * HOUR), "correspondence", now)).toBe("calm");
        expect(urgencyOf(due(23 * HOUR), "correspondence", now)).toBe("near");
        expect(urgencyOf(due(5 * HOUR), "correspondence", now)).toBe("urgent");
        expect(urgencyOf(due(9 * MINUTE), "correspondence", now)).toBe("last");
        expect(urgencyOf(due(HOUR), "live", now)).toBe("calm");
        expect(urgencyOf(due(9 * MINUTE), "live", now)).toBe("last");
        expect(urgencyOf(due(-1), "live", now)).toBe("over");
    });
    it("calls at ten, five, two minutes and one, once each, and when it is out", () => {
        expect(markPassed(null, 11 * MINUTE)).toBe(null);
        expect(markPassed(11 * MINUTE, 10 * MINUTE)).toBe(10);
        expect(markPassed(10 * MINUTE, 10 * MINUTE - 1000)).toBe(null);
        expect(markPassed(6 * MINUTE, 90_000)).toBe(2);
        expect(markPassed(null, 30_000)).toBe(1);
        expect(markPassed(1000, 0)).toBe(0);
        expect(markPassed(0, -1000)).toBe(null);
    });
});

describe("a spec in words", () => {
    it("says in order what will happen", () => {
        expect(tell(usualSpec("correspondence"))).toBe(
            "Each move may take three days; what it takes longer comes out of a bank of four days. A player’s own night does not count. " +
                "14 days of vacation a year do not count either. Pauses are by consent. A reminder goes out one day, six hours before. " +
                "When time is out, a respite of one day runs. Then the others may claim the win, give more time or annul the match.",
        );
        expect(tell({ kind: "live", bank_s: 3600, increment_s: 30, ladder: { then: "forfeit" } })).toBe(
            "Each side has one hour for the whole match. Each move adds 30 seconds. Pauses are by consent. When time is out, the match is lost by the clock.",
        );
    });
    it("tells days and hours with their zone, and the steps of a ladder one after another", () => {
        const spec: ClockSpec = {
            kind: "correspondence", per_move_s: 7200, bank_s: 43200, days: ["mon", "tue", "wed", "thu", "fri"], hours: ["18:00", "23:00"], zone: "Europe/Brussels",
            pauses: { policy: "capped", cap_s: 604800 },
            ladder: { grace_s: 0, misses: 1, again_s: 86400, then: [{ do: "substitute", for_s: 259200 }, { do: "caretaker" }] },
        };
        const said = tell(spec);
        expect(said).toContain("The clock runs Monday to Friday between 18:00 and 23:00 alone (Europe/Brussels).");
        expect(said).toContain("Pauses are by consent, together no longer than seven days.");
        expect(said).toContain("One miss is forgiven, each with one day more.");
        expect(said).toMatch(/Then anybody may take the seat\. If it stands so for three days, a bot takes the seat\.$/i);
    });
    it("reads whole in other languages", () => {
        for (const [code, words] of [["fr", fr], ["ru", ru]] as const) {
            useCatalogue(code, words);
            for (const kind of ["live", "correspondence"] as const) {
                const said = tell(usualSpec(kind));
                expect(said).not.toMatch(/[{}]|undefined|clock\./);
                expect(said.length).toBeGreaterThan(60);
            }
        }
        useCatalogue("en", en);
    });
    it("is short in a column", () => {
        expect(specShort(undefined)).toBe("no clock");
        expect(specShort({ kind: "correspondence", per_move_s: 3 * 86400, bank_s: 0 })).toBe("three days a move");
        expect(specShort({ kind: "live", bank_s: 3600, increment_s: 30 })).toBe("live, 60 min + 30 s");
        expect(spanWords(90_000)).toBe("one day one hour");
    });
    it("says what the ladder gives: after a forgiven miss, by a claim of time, to who takes over", () => {
        const spec: ClockSpec = {
            kind: "correspondence", increment_s: 3600, bank_max_s: 8 * 86400,
            ladder: { misses: 1, again_s: 2 * 86400, grant_s: 86400, fresh_s: 3 * 86400, then: [{ do: "claim", for_s: 86400 }, { do: "substitute" }] },
        };
        const said = tell(spec);
        for (const part of [
            "Each move adds one hour, up to eight days.", "One miss is forgiven, each with two days more.", "More time is one day.",
            "Who takes over the seat has a bank of three days at least.",
        ]) expect(said).toContain(part);
        expect(tell({ ...spec, ladder: { ...spec.ladder, fresh_s: 0 } })).toContain("has what is left of its bank");
        for (const [code, words] of [["fr", fr], ["ru", ru]] as const) {
            useCatalogue(code, words);
            expect(tell(spec)).not.toMatch(/clock\.|\{|undefined/);
        }
        useCatalogue("en", en);
    });
    it("keeps nothing that means nothing beside the rest", () => {
        const ladder = { misses: 0, again_s: 60, grant_s: 60, fresh_s: 60, claims: ["win"] as const, then: "forfeit" as const };
        expect(fitting({ kind: "correspondence", bank_max_s: 86400, ladder: { ...ladder, claims: [...ladder.claims] } })).toEqual({
            kind: "correspondence", ladder: { misses: 0, then: "forfeit" },
        });
        // The bound of a bank is at least the bank.
        expect(fitting({ kind: "live", bank_s: 7200, bank_max_s: 3600 })).toEqual({ kind: "live", bank_s: 7200, bank_max_s: 7200 });
        expect(fitting({ kind: "live", ladder: { grant_s: 60, then: "claim", claims: ["grant"] } }).ladder?.grant_s).toBe(60);
        expect(fitting({ kind: "live", ladder: { grant_s: 60, then: "claim", claims: ["win"] } }).ladder?.grant_s).toBeUndefined();
    });
    it("knows its preset again, and a zone is there exactly where one is needed", () => {
        for (const kind of ["live", "correspondence"] as const) {
            for (const name of Object.keys(PRESETS[kind])) expect(presetOf(withPreset(usualSpec(kind), name, "Asia/Tokyo"))).toBe(name);
        }
        const evenings = withPreset(usualSpec("correspondence"), "evenings", "Asia/Tokyo");
        expect(evenings.zone).toBe("Asia/Tokyo");
        expect(withPreset(evenings, "steady", "Asia/Tokyo").zone).toBe(undefined);
        expect(zoned({ kind: "live", zone: "UTC" }, "UTC").zone).toBe(undefined);
    });
});

describe("the first deadline", () => {
    const own = { zone: "Europe/Brussels" };
    it("is so long after now without windows", () => {
        const now = at("2026-11-30T12:00:00Z");
        const got = firstDeadline({ kind: "correspondence", per_move_s: 3 * 86400, bank_s: 4 * 86400 }, now, own);
        expect(new Date(got.span).toISOString()).toBe("2026-12-03T12:00:00.000Z");
        expect(new Date(got.out).toISOString()).toBe("2026-12-07T12:00:00.000Z");
    });
    it("counts evenings of weekdays alone", () => {
        // Friday 20:00 in Brussels: three hours that evening, two more on Monday, half of a bank of six.
        const spec: ClockSpec = { kind: "correspondence", per_move_s: 5 * 3600, bank_s: 6 * 3600, zone: "Europe/Brussels", days: ["mon", "tue", "wed", "thu", "fri"], hours: ["18:00", "23:00"] };
        const got = firstDeadline(spec, at("2026-12-04T19:00:00Z"), own);
        expect(new Date(got.span).toISOString()).toBe("2026-12-07T19:00:00.000Z");
        expect(new Date(got.out).toISOString()).toBe("2026-12-08T20:00:00.000Z");
    });
    it("leaves out the player's night, in his zone, also when clocks change", () => {
        // The night of 28 to 29 March 2026 has 23:00 to 07:00 with the change between: seven hours.
        const spec: ClockSpec = { kind: "correspondence", per_move_s: 4 * 3600, bank_s: 0, sleep: true };
        const got = firstDeadline(spec, at("2026-03-28T20:00:00Z"), { zone: "Europe/Brussels", sleep: { from: "23:00", to: "07:00" } });
        expect(new Date(got.span).toISOString()).toBe("2026-03-29T07:00:00.000Z");
    });
    it("ends at the fixed hour that is not before, on an allowed day", () => {
        const spec: ClockSpec = { kind: "correspondence", per_move_s: 86400, bank_s: 0, zone: "Europe/Brussels", at: "21:00", min_gap_s: 43200 };
        expect(new Date(firstDeadline(spec, at("2026-11-30T12:00:00Z"), own).span).toISOString()).toBe("2026-12-01T20:00:00.000Z");
        const sundays: ClockSpec = { ...spec, days: ["sun"], per_move_s: 0 };
        expect(new Date(firstDeadline(sundays, at("2026-11-30T12:00:00Z"), own).span).toISOString()).toBe("2026-12-06T20:00:00.000Z");
    });
    it("knows the offsets of zones", () => {
        expect(offsetOf("Asia/Kathmandu", at("2026-06-01T00:00:00Z"))).toBe(5.75 * HOUR);
        expect(offsetOf("Europe/Brussels", at("2026-12-01T00:00:00Z"))).toBe(HOUR);
        expect(offsetOf("Europe/Brussels", at("2026-06-01T00:00:00Z"))).toBe(2 * HOUR);
    });
});
