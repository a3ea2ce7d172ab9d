/** Who leads the seat: lent for a time, called back, offered to a substitute. Every change is a line that all see. */
import { useId, useState } from "preact/hooks";
import { newActionId, Refusal } from "@/net/rpc";
import { account, rpc } from "@/net/session";
import type { Method } from "@/types/gen/methods";
import { useMatch } from "@/play/context";
import type { Seat } from "@/types";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { armyOf, dateTime, deadline, t } from "@/words";
import { seatWhy } from "@/seats/why";

const DAY_MS = 86_400_000;
const LENT_MOST_DAYS = 90;

/** The seats that this account holds, has lent to somebody, or that a caretaker keeps for it. */
export function seatsToManage(
    seats: Record<string, { account?: string; lent?: { by: string }; kept_for?: string }>,
    me: string | undefined,
): Seat[] {
    const mine = (seat: (typeof seats)[string] | undefined) => seat?.account === me || seat?.lent?.by === me || seat?.kept_for === me;
    return (Object.keys(seats) as Seat[]).filter((code) => me !== undefined && mine(seats[code]));
}

export default function SeatSheet({ onClose }: { onClose: () => void }) {
    const { match } = useMatch();
    const me = account.value?.name;
    const seats = match.summary.value?.seats ?? {};
    return (
        <Sheet title={t("seats.title")} onClose={onClose}>
            {seatsToManage(seats as never, me).map((code) => (
                <SeatPart key={code} code={code} />
            ))}
        </Sheet>
    );
}

function SeatPart({ code }: { code: Seat }) {
    const { match } = useMatch();
    const me = account.value?.name;
    const seat = match.summary.value?.seats[code];
    const [wrong, setWrong] = useState<string | null>(null);
    const [said, setSaid] = useState<string | null>(null);
    const act = async (method: Method, params: Record<string, unknown>, done: string): Promise<void> => {
        setWrong(null);
        setSaid(null);
        try {
            await rpc.call(method, { match: match.id, seat: code, ...params, action_id: newActionId() });
            await match.refresh();
            setSaid(done);
        } catch (error) {
            setWrong(error instanceof Refusal ? seatWhy(error) : t("error.internal"));
        }
    };
    const lent = seat?.lent;
    return (
        <section class="seat-part">
            <h3>{armyOf(match.view.value?.game, code)}</h3>
            {lent !== undefined ? (
                <>
                    <p class="told">
                        {lent.by === me ? t("seats.lent_to", { name: seat?.account ?? "", time: deadline(lent.until) }) : t("seats.lent_by", { name: lent.by, time: deadline(lent.until) })}
                    </p>
                    <button type="button" class="button" onClick={() => void act("match.recall", {}, t("seats.recalled"))}>
                        {t(lent.by === me ? "seats.recall" : "seats.give_back")}
                    </button>
                </>
            ) : seat?.kept_for === me && me !== undefined ? (
                <>
                    <p class="told">{t("seats.kept_by", { name: seat?.account ?? "" })}</p>
                    <button type="button" class="button" onClick={() => void act("match.recall", {}, t("seats.recalled"))}>
                        {t("seats.recall")}
                    </button>
                </>
            ) : (
                <>
                    <Lend onLend={(name, until) => void act("match.lend", { name, until }, t("seats.lent", { name }))} />
                    <h4>{t("seats.vacate_title")}</h4>
                    <p class="small">{t(seat?.vacant === true ? "seats.vacant_note" : "seats.vacate_note")}</p>
                    <button
                        type="button"
                        class={seat?.vacant === true ? "button" : "button danger"}
                        onClick={() => void act("match.vacate", seat?.vacant === true ? { on: false } : {}, t(seat?.vacant === true ? "seats.kept" : "seats.vacated"))}
                    >
                        {t(seat?.vacant === true ? "seats.keep" : "seats.vacate")}
                    </button>
                </>
            )}
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
            {said !== null && (
                <p class="notice good" role="status">
                    {said}
                </p>
            )}
        </section>
    );
}

function Lend({ onLend }: { onLend: (name: string, until: number) => void }) {
    const id = useId();
    const [name, setName] = useState("");
    const [days, setDays] = useState(7);
    const [wrong, setWrong] = useState<string | null>(null);
    const until = Date.now() + days * DAY_MS;
    return (
        <form
            onSubmit={(event) => {
                event.preventDefault();
                if (name.trim() === "") setWrong(t("seats.lend_name_missing"));
                else {
                    setWrong(null);
                    onLend(name.trim(), until);
                }
            }}
        >
            <h4>{t("seats.lend_title")}</h4>
            <p class="small">{t("seats.lend_note")}</p>
            <Field label={t("seats.lend_name")} value={name} autocomplete="off" {...(wrong === null ? {} : { wrong })} onInput={setName} />
            <div class="field">
                <label for={id}>{t("seats.lend_days")}</label>
                <select id={id} value={String(days)} onChange={(event) => setDays(Number(event.currentTarget.value))}>
                    {[1, 2, 3, 5, 7, 10, 14, 21, 30, 60, LENT_MOST_DAYS].map((n) => (
                        <option key={n} value={String(n)}>
                            {t("clock.words.days", { n })}
                        </option>
                    ))}
                </select>
                <span class="hint">{t("seats.lend_until", { time: dateTime(until) })}</span>
            </div>
            <button type="submit" class="button">
                {t("seats.lend")}
            </button>
        </form>
    );
}
