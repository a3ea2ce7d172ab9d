/** Before one sits down at a table: its choices as one sentence, and which seat. */
import { useState } from "preact/hooks";
import { go } from "@/app/router";
import { Consent, needsConsent } from "@/lobby/Consent";
import { join, whyNot } from "@/lobby/join";
import { GamePicture } from "@/lobby/GamePicture";
import { SeatChoice } from "@/lobby/SeatChoice";
import { TableTime } from "@/lobby/TableTime";
import { freeSeats, matchTitle, tableSentence } from "@/lobby/words";
import type { Seat, Summary } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { armyOf, Rich, t } from "@/words";

export function JoinSheet({ match, onClose }: { match: Summary; onClose: () => void }) {
    const free = freeSeats(match);
    const [seat, setSeat] = useState<Seat | undefined>(free[0]);
    const [wrong, setWrong] = useState<string | null>(null);
    const [busy, setBusy] = useState(false);
    const [agreed, setAgreed] = useState(false);
    const barred = needsConsent(match) && !agreed;
    const sit = async (): Promise<void> => {
        setBusy(true);
        setWrong(null);
        try {
            await join(match.match, seat, undefined, agreed);
            go(`/match/${match.match}`);
        } catch (error) {
            setWrong(whyNot(error));
            setBusy(false);
        }
    };
    return (
        <Sheet
            title={t("join.title", { title: matchTitle(match) })}
            onClose={onClose}
            foot={
                <>
                    <button type="button" class="button" onClick={onClose}>
                        {t("join.not_now")}
                    </button>
                    <button type="button" class="button primary" disabled={busy || seat === undefined || barred} onClick={() => void sit()}>
                        {seat === undefined ? t("lobby.join") : t("join.sit", { side_t: armyOf(match.game, seat), n: free.length })}
                    </button>
                </>
            }
        >
            <GamePicture game={match.game} width={520} height={170} />
            <p class="told join-sentence">
                {t("join.host", { name: match.creator ?? "" })}
                {t("list.sentences")}
                <Rich of={tableSentence(match)} />
            </p>
            <TableTime match={match} />
            {free.length > 1 && <SeatChoice game={match.game} seats={free} chosen={seat} onChoose={setSeat} />}
            <Consent match={match} given={agreed} onGive={setAgreed} />
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
        </Sheet>
    );
}
