/** Why this deadline: what the clock does from now on and by which rule, what comes next, what was agreed. */
import { useEffect, useState } from "preact/hooks";
import { SpecProse } from "@/clock/SpecProse";
import { span } from "@/clock/state";
import { msOf, type Explained, type SeatExplained, type Stretch } from "@/clock/types";
import { Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { wire } from "@/play/wire";
import type { Seat } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { armyOf, dateTime, deadline, has, refusalText, t } from "@/words";

export default function WhySheet({ onClose }: { onClose: () => void }) {
    const { match } = useMatch();
    const [told, setTold] = useState<Explained | null>(null);
    const [wrong, setWrong] = useState<string | null>(null);
    const summary = match.summary.value;
    useEffect(() => {
        let here = true;
        rpc.call<Explained>("match.clock", { match: match.id }).then(
            (got) => here && setTold(got),
            (error: unknown) => here && setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal")),
        );
        return () => {
            here = false;
        };
    }, [match, summary]);
    return (
        <Sheet title={t("clock.why.title")} onClose={onClose} wide>
            {wrong !== null && (
                <p class="notice wrong" role="alert">
                    {wrong}
                </p>
            )}
            {told === null ? (
                <p class="why-wait" aria-busy={wrong === null}>
                    {wrong === null && t("clock.why.loading")}
                </p>
            ) : (
                <>
                    {(Object.entries(told.seats) as [Seat, SeatExplained][]).map(([code, seat]) => (
                        <SeatPart key={code} code={code} seat={seat} />
                    ))}
                    <h3>{t("clock.why.agreed")}</h3>
                    <SpecProse spec={told.spec} game={match.view.value?.game} />
                </>
            )}
        </Sheet>
    );
}

function SeatPart({ code, seat }: { code: Seat; seat: SeatExplained }) {
    const { match, game } = useMatch();
    const name = match.nameOf(code) ?? armyOf(match.view.value?.game, code);
    const why = seat.why ?? [];
    return (
        <section class="why-seat" aria-label={name}>
            <h3>
                <game.SideMarks side={code} size={16} /> {name}
                {seat.deadline !== undefined && <span class="why-due">{deadline(msOf(seat.deadline), undefined, true)}</span>}
            </h3>
            <p class="small">
                {seat.asked !== undefined && `${t("clock.why.asked", { time: deadline(msOf(seat.asked)) })} `}
                {t("clock.why.used", { used: span((seat.used_s ?? 0) * 1000), bank: span(seat.bank_s * 1000), misses: seat.misses ?? 0 })}
                {seat.vacation_days_left !== undefined && ` ${t("clock.why.vacation", { n: seat.vacation_days_left })}`}
            </p>
            {why.length > 0 && <Stretches all={why} cut={seat.cut === true} />}
            {(seat.next ?? []).length > 0 && <Next all={seat.next ?? []} />}
        </section>
    );
}

function Stretches({ all, cut }: { all: Stretch[]; cut: boolean }) {
    return (
        <div class="why-scroll">
            <table class="why-table">
                <thead>
                    <tr>
                        <th scope="col">{t("clock.why.from")}</th>
                        <th scope="col">{t("clock.why.to")}</th>
                        <th scope="col">{t("clock.why.what")}</th>
                    </tr>
                </thead>
                <tbody>
                    {all.map((one, i) => (
                        <tr key={i} data-kind={one.kind}>
                            <td>{deadline(msOf(one.from))}</td>
                            <td>{one.to === undefined ? t("clock.why.open") : deadline(msOf(one.to))}</td>
                            <td>
                                {kindWords(one.kind)}
                                {one.zone !== undefined && one.kind !== "runs" && <small> {one.zone}</small>}
                                {one.to !== undefined && <small> {span(msOf(one.to) - msOf(one.from))}</small>}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {cut && <p class="small">{t("clock.why.cut")}</p>}
        </div>
    );
}

function kindWords(kind: string): string {
    return has(`clock.why.kind.${kind}`) ? t(`clock.why.kind.${kind}`) : kind;
}

function Next({ all }: { all: NonNullable<SeatExplained["next"]> }) {
    const waits = all[0]?.if === "asked";
    return (
        <>
            <h4>{t(waits ? "clock.why.next_asked" : "clock.why.next")}</h4>
            <ol class="why-next">
                {all.map((one, i) => (
                    <li key={i}>
                        {one.if === "asked"
                            ? t("clock.next.asked", { from: dateTime(msOf(one.from ?? one.at)), at: deadline(msOf(one.at), undefined, true) })
                            : t("clock.next.line", { at: deadline(msOf(one.at), undefined, true), what: nextWords(one.if) })}
                    </li>
                ))}
            </ol>
        </>
    );
}

function nextWords(what: string): string {
    return has(`clock.next.${what}`) ? t(`clock.next.${what}`) : what;
}
