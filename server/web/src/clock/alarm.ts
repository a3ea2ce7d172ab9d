/** Tells those who listen that their own clock runs out: at ten, five, two minutes and one, and when it is out. */
import { effect } from "@preact/signals";
import { announce } from "@/app/live";
import { serverNow } from "@/clock/now";
import { markPassed } from "@/clock/mark";
import { leftOf, seatClock } from "@/clock/state";
import { msOf } from "@/clock/types";
import type { MatchStore } from "@/net/match";
import { t } from "@/words";

/** Begins; gives what ends it. The time ticks while the bar shows a clock. */
export function watchClock(match: MatchStore): () => void {
    let before: number | null = null;
    let of: number | null = null;
    return effect(() => {
        const seat = match.seat.value;
        const clock = seat === null ? null : seatClock(match.summary.value, seat);
        const left = clock === null ? null : clock.state === "out" ? 0 : clock.state === "runs" ? leftOf(clock, serverNow.value) : null;
        if (clock === null || left === null) {
            before = of = null;
            return;
        }
        const end = clock.deadline === undefined ? of : msOf(clock.deadline);
        if (of !== end) before = null;
        of = end;
        const mark = markPassed(before, left);
        before = left;
        if (mark === 0) announce(t("clock.alarm_out"), "assertive");
        else if (mark !== null) announce(t("clock.alarm", { left: Math.max(1, Math.ceil(left / 60_000)) }), "assertive");
    });
}
