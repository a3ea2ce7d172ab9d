/** The seats in the bar: army marks, who sits there, whose move it is. */
import { Face } from "@/clock/Face";
import { clockOf } from "@/clock/state";
import { online } from "@/net/session";
import { useMatch } from "@/play/context";
import { isSheet, layout } from "@/play/layout";
import type { Seat, SeatState, View } from "@/types";
import { armyOf, t } from "@/words";

export function SeatsBar({ view }: { view: View | null }) {
    const { match, game } = useMatch();
    const seats = Object.entries(match.summary.value?.seats ?? {}) as [Seat, SeatState][];
    const here = match.mySeats.value;
    const clock = clockOf(match.summary.value);
    const brief = isSheet(layout.value) || layout.value === "land";
    const presence = (match.summary.value as { presence?: Partial<Record<Seat, "here" | "away">> } | null)?.presence ?? {};
    return (
        <>
            {seats.map(([seat, state]) => {
                const due = view?.waits_for.includes(seat) ?? false;
                const name = state.account ?? armyOf(match.summary.value?.game, seat);
                return (
                    <span
                        key={seat}
                        class={due ? "seat due" : "seat"}
                        title={t(due ? "play.seat_due" : "play.seat", { name, side: armyOf(match.summary.value?.game, seat) })}
                    >
                        <game.SeatMarks seat={seat} view={view} />
                        <b>{name}</b>
                        {clock?.seats[seat] !== undefined && <Face clock={clock} seat={clock.seats[seat]} brief={brief} />}
                        {presence[seat] !== undefined && <Here how={here.includes(seat) && online.value ? "here" : presence[seat]} />}
                        <span class="seat-note">
                            {here.includes(seat) && clock === null ? t("play.you") : state.kept_for !== undefined ? t("seats.for", { name: state.kept_for }) : state.bot ? t("play.bot") : state.lent !== undefined ? t("seats.for", { name: state.lent.by }) : state.vacant === true ? t("seats.vacant") : ""}
                            {due && <span class="visually-hidden"> {t("play.to_move")}</span>}
                        </span>
                    </span>
                );
            })}
        </>
    );
}

/** A full dot: somebody looks at the match for this seat now. */
function Here({ how }: { how: "here" | "away" }) {
    return <span class="here" data-here={how} role="img" aria-label={t(`play.presence_${how}`)} />;
}
