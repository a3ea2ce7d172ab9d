/** The end of a match: what to do next, how it went, the proof. */
import { useEffect, useState } from "preact/hooks";
import { follow, go } from "@/app/router";
import { goTo, playback } from "@/follow/replay";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { wire } from "@/play/wire";
import { offer, offersOf } from "@/play/offers";
import type { Summary } from "@/types";
import { deadline, refusalText, t } from "@/words";
import "@/follow/follow.css";

export default function OverPanel() {
    const context = useMatch();
    const { match, game } = context;
    useEffect(() => void match.loadHistory().catch(() => {}), [match]);
    const to = (seq: number): void => {
        const now = playback.value;
        const at = now?.steps.findIndex((step) => step.seq === seq) ?? -1;
        if (at >= 0) void goTo(context, at);
    };
    return (
        <div class="over">
            <Acts />
            <Reopen />
            <game.Ending toStep={to} />
            {match.summary.value?.revealed === true && (
                <p class="over-proof">
                    <a href={`/verify/${match.id}`} onClick={follow}>
                        {t("over.prove")}
                    </a>
                    <span class="small">{t("over.prove_what")}</span>
                </p>
            )}
        </div>
    );
}

/** A rematch with seats changed, for those who played. */
function Acts() {
    const { match } = useMatch();
    const rematch = async (): Promise<void> => {
        try {
            const next = await rpc.call<Summary>("match.rematch", { match: match.id, action_id: newActionId() });
            go(`/match/${next.match}`);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            go("/new");
        }
    };
    return (
        <div class="over-acts">
            {match.mySeats.value.length > 0 && (
                <button type="button" class="button primary" onClick={() => void rematch()}>
                    {t("over.rematch")}
                </button>
            )}
            <a class="button" href="/" onClick={follow}>
                {t("bar.lobby")}
            </a>
        </div>
    );
}

/** An end on time alone may be taken back by all, until the match is opened. */
function Reopen() {
    const { match } = useMatch();
    const [wrong, setWrong] = useState<string | null>(null);
    const summary = match.summary.value;
    const seat = match.seat.value;
    const until = summary?.reveal_at;
    if (seat === null || until === undefined || summary?.revealed === true) return null;
    const asked = offersOf(match).some((one) => one.what === "reopen");
    const ask = async (): Promise<void> => {
        try {
            await offer(match, "reopen");
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal"));
        }
    };
    return (
        <section class="over-reopen">
            <p>{t("offer.reopen_note", { time: deadline(until, undefined, true) })}</p>
            {!asked && (
                <button type="button" class="button" onClick={() => void ask()}>
                    {t("offer.reopen")}
                </button>
            )}
            {wrong !== null && (
                <p class="refused" role="alert">
                    {wrong}
                </p>
            )}
        </section>
    );
}
