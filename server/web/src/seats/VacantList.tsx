/** Running matches with a seat that others may take: who left it, and the table's choices before one steps in. */
import { useState } from "preact/hooks";
import { go } from "@/app/router";
import { Consent, needsConsent } from "@/lobby/Consent";
import { changedTables } from "@/lobby/join";
import { columns, Rows, Seats } from "@/lobby/Rows";
import { TableTime } from "@/lobby/TableTime";
import { matchTitle, tableSentence, whoPlays } from "@/lobby/words";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { seatWhy } from "@/seats/why";
import type { Seat, Summary } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { armyOf, Rich, t } from "@/words";

/** The seats of a match that stand open. */
export function vacantSeats(match: Summary): Seat[] {
    return (Object.keys(match.seats) as Seat[]).filter((code) => match.seats[code]?.vacant === true);
}

export function VacantList({ matches }: { matches: Summary[] | null }) {
    const [taking, setTaking] = useState<{ match: Summary; seat: Seat } | null>(null);
    if (matches === null) return <div class="rows-wait" aria-busy="true" />;
    if (matches.length === 0) return <p class="rows-empty">{t("lobby.empty.vacant")}</p>;
    return (
        <>
            <Rows
                name={t("lobby.tab.vacant")}
                matches={matches}
                columns={[
                    columns.game(),
                    { id: "players", name: t("lobby.column.players"), cell: whoPlays },
                    { id: "free", name: t("lobby.column.free"), cell: (match) => <Seats game={match.game} codes={vacantSeats(match)} /> },
                    columns.clock(),
                ]}
                act={(match) =>
                    vacantSeats(match).map((seat) => (
                        <button key={seat} type="button" class="button" onClick={() => setTaking({ match, seat })}>
                            {t("seats.step_in")}
                            <span class="visually-hidden">
                                : {matchTitle(match)}, {armyOf(match.game, seat)}
                            </span>
                        </button>
                    ))
                }
            />
            {taking !== null && <TakeSheet match={taking.match} seat={taking.seat} onClose={() => setTaking(null)} />}
        </>
    );
}

function TakeSheet({ match, seat, onClose }: { match: Summary; seat: Seat; onClose: () => void }) {
    const [wrong, setWrong] = useState<string | null>(null);
    const [agreed, setAgreed] = useState(false);
    const take = async (): Promise<void> => {
        try {
            await rpc.call<Summary>("match.substitute", { match: match.match, seat, ...(agreed ? { consent: true } : {}), action_id: newActionId() });
            changedTables();
            go(`/match/${match.match}`);
        } catch (error) {
            setWrong(error instanceof Refusal ? seatWhy(error) : t("lobby.no_answer"));
        }
    };
    return (
        <Sheet
            title={t("seats.take_title", { side_t: armyOf(match.game, seat) })}
            onClose={onClose}
            foot={
                <>
                    <button type="button" class="button" onClick={onClose}>
                        {t("join.not_now")}
                    </button>
                    <button type="button" class="button primary" disabled={needsConsent(match) && !agreed} onClick={() => void take()}>
                        {t("seats.take", { side_t: armyOf(match.game, seat) })}
                    </button>
                </>
            }
        >
            <p class="told">
                {t("seats.take_note", { name: match.seats[seat]?.account ?? "" })} <Rich of={tableSentence(match)} />
            </p>
            <TableTime match={match} />
            <Consent match={match} given={agreed} onGive={setAgreed} />
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
        </Sheet>
    );
}
