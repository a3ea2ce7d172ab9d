/** Open offers as cards under the prompt. */
import { useState } from "preact/hooks";
import { spanWords } from "@/clock/state";
import { Refusal } from "@/net/rpc";
import { useMatch } from "@/play/context";
import { wire } from "@/play/wire";
import { answer, offersOf, type Offer } from "@/play/offers";
import { ago, armyOf, deadline, refusalText, t } from "@/words";

export function Offers() {
    const { match } = useMatch();
    const seat = match.seat.value;
    const open = offersOf(match);
    if (seat === null || open.length === 0) return null;
    return (
        <div class="offers" role="region" aria-label={t("offer.open")}>
            {open.map((one) => (
                <Card key={one.offer} one={one} own={one.seat === seat} due={one.awaits.includes(seat)} />
            ))}
        </div>
    );
}

/** Of an offer of time: to whom, and how much. */
function given(one: Offer, game: string | undefined): { side_t: string; span: string } {
    return { side_t: armyOf(game, one.for ?? ""), span: one.s === undefined ? "" : spanWords(one.s) };
}

function Card({ one, own, due }: { one: Offer; own: boolean; due: boolean }) {
    const { match } = useMatch();
    const [wrong, setWrong] = useState<string | null>(null);
    const say = (accept: boolean) => async (): Promise<void> => {
        try {
            await answer(match, one.offer, accept);
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal"));
        }
    };
    const who = match.nameOf(one.seat) ?? armyOf(match.view.value?.game, one.seat);
    return (
        <section class="offer card">
            <p class="told">{own ? t("offer.own", { what: one.what, ...given(one, match.view.value?.game) }) : t("offer.theirs", { who, what: one.what, ...given(one, match.view.value?.game) })}</p>
            <p class="small">
                {ago(one.at)}
                {one.until !== undefined && ` · ${t("offer.until", { time: deadline(one.until) })}`}
                {one.lost !== undefined && ` · ${t("offer.lost", { n: one.lost.steps, learned: one.lost.learned.length, shown: one.lost.shown.length })}`}
            </p>
            {wrong !== null && (
                <p class="refused" role="alert">
                    {wrong}
                </p>
            )}
            <p class="offer-acts">
                {due && (
                    <button type="button" class="button" onClick={() => void say(true)()}>
                        {t("offer.accept")}
                    </button>
                )}
                {((due && one.what !== "resume") || own) && (
                    <button type="button" class="button" onClick={() => void say(false)()}>
                        {t(own ? "offer.withdraw" : "offer.decline")}
                    </button>
                )}
            </p>
        </section>
    );
}
