/** A seat's clock in the bar: always there, in figures of one width, grey while the line is gone. */
import { serverNow, useTicking } from "@/clock/now";
import { faceOf, urgencyOf } from "@/clock/state";
import type { MatchClock, SeatClock } from "@/clock/types";
import { online } from "@/net/session";
import { t } from "@/words";

interface FaceProps {
    clock: MatchClock;
    seat: SeatClock;
    /** The largest unit alone: on a phone there is room for no more. */
    brief?: boolean;
}

export function Face({ clock, seat, brief }: FaceProps) {
    useTicking();
    const now = serverNow.value;
    return (
        <span
            class={brief === true ? "clock-face brief" : "clock-face"}
            data-urgency={urgencyOf(seat, clock.kind, now)}
            data-state={seat.state}
            data-online={online.value}
            title={online.value ? undefined : t("clock.offline")}
        >
            {faceOf(seat, now, brief)}
        </span>
    );
}
