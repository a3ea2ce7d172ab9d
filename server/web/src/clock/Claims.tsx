/** What may be claimed against a seat whose time is out, or whose player is gone: cards under the question, each with two presses. */
import { useEffect, useState } from "preact/hooks";
import { stepsOf } from "@/clock/spec";
import { clockOf, spanWords } from "@/clock/state";
import { msOf, type Explained, type SeatClock } from "@/clock/types";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { wire } from "@/play/wire";
import type { Seat } from "@/types";
import { armyOf, deadline, refusalText, t } from "@/words";

export function Claims() {
    const { match } = useMatch();
    const clock = clockOf(match.summary.value);
    const seats = Object.entries(clock?.seats ?? {}) as [Seat, SeatClock][];
    const out = seats.filter(([, seat]) => seat.state === "out" || seat.away !== undefined).map(([code]) => code);
    const [told, setTold] = useState<Explained | null>(null);
    const mine = match.mySeats.value;
    const wanted = out.length > 0 && mine.length > 0;
    useEffect(() => {
        if (!wanted) return;
        let here = true;
        rpc.call<Explained>("match.clock", { match: match.id }).then(
            (got) => here && setTold(got),
            () => {},
        );
        return () => {
            here = false;
        };
    }, [match, clock, wanted]);
    if (!wanted) return null;
    return (
        <div class="offers" role="region" aria-label={t("offer.open")}>
            {out.map((code) =>
                mine.includes(code) ? clock?.seats[code]?.state === "out" && <Own key={code} /> : <Card key={code} code={code} told={told} away={clock?.seats[code]?.away} />,
            )}
        </div>
    );
}

function Own() {
    return (
        <section class="offer card">
            <p class="told">{t("claim.own")}</p>
        </section>
    );
}

interface CardProps {
    code: Seat;
    told: Explained | null;
    away: SeatClock["away"];
}

function Card({ code, told, away }: CardProps) {
    const { match } = useMatch();
    const [armed, setArmed] = useState<string | null>(null);
    const [wrong, setWrong] = useState<string | null>(null);
    const seat = told?.seats[code];
    const who = match.nameOf(code) ?? armyOf(match.view.value?.game, code);
    const claim = async (what: string): Promise<void> => {
        if (armed !== what) {
            setArmed(what);
            return;
        }
        setWrong(null);
        try {
            await rpc.call("match.claim", { match: match.id, as: match.as.value, what, seat: code, action_id: newActionId() });
            await match.refresh();
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal"));
            setArmed(null);
        }
    };
    // The ally's step of the ladder is his alone to take.
    const ally = stepsOf(told?.spec.ladder ?? {}).some((step) => step.do === "ally") && match.seat.value !== "FR" && code !== "FR";
    const out = match.summary.value?.clock?.seats[code]?.state === "out";
    const claims = [...(seat?.claims ?? []), ...(ally && out ? ["ally"] : [])];
    const converts = told?.spec.away?.then === "convert";
    const say = (what: string): string => t(`claim.${what}`, { span: spanWords(told?.spec.ladder?.grant_s ?? 0) });
    return (
        <section class="offer card">
            <p class="told">{t(out ? "claim.title" : "claim.away", { who })}</p>
            {away !== undefined && claims.length === 0 && (
                <p class="small">{t(converts ? "claim.away_converts" : "claim.away_wait", { time: deadline(msOf(away.until), undefined, true) })}</p>
            )}
            <p class="small">
                {out && seat?.deadline !== undefined && `${deadline(msOf(seat.deadline), undefined, true)} · `}
                {match.summary.value?.seats[code]?.vacant === true ? t("seats.vacant_note") : claims.length > 0 && t("claim.note")}
            </p>
            {wrong !== null && (
                <p class="refused" role="alert">
                    {wrong}
                </p>
            )}
            <p class="offer-acts">
                {claims.map((what) => (
                    <button key={what} type="button" class={what === "win" ? "button danger" : "button"} aria-live="polite" onClick={() => void claim(what)}>
                        {armed === what ? t("claim.sure", { what: say(what) }) : say(what)}
                    </button>
                ))}
            </p>
        </section>
    );
}
