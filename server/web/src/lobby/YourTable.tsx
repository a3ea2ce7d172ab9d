/** "Your table": every choice told again as prose. */
import { useMemo } from "preact/hooks";
import { settings } from "@/app/settings";
import { serverNow, useTicking } from "@/clock/now";
import { firstDeadline } from "@/clock/preview";
import { specProse } from "@/clock/spec";
import { spanWords } from "@/clock/state";
import type { ClockSpec } from "@/clock/types";
import { lobbyGame } from "@/lobby/game";
import { invited, seatsOf, type Draft } from "@/lobby/options";
import { account } from "@/net/session";
import type { GameAbout } from "@/types";
import { deadline, list, Rich, t, tt, type Token } from "@/words";

/** The sentences of a table, in order. */
export function tableProse(draft: Draft, about: GameAbout): Token[][] {
    const players = seatsOf(draft, about).length;
    const names = invited(draft).map((name) => [{ text: name, bold: true } as Token]);
    const closed = draft.access !== "open";
    const said = lobbyGame(draft.game)?.prose(draft, about) ?? [];
    said.push(
        closed && names.length > 0
            ? tt("new.prose.invited", { n: names.length, names: list(names) })
            : tt("new.prose.access", { access: draft.access, n: players - (draft.seat === "none" ? 0 : 1) }),
        tt("new.prose.watch", { watch: draft.access === "private" ? "none" : draft.spectators, delay: draft.delay, reveal: draft.reveal, game: draft.game }),
    );
    if (draft.start === "manual") said.push(tt("new.prose.manual"));
    said.push(...(draft.clock === null ? [tt("new.prose.no_clock")] : specProse(draft.clock, draft.game)));
    if (draft.pace > 0) said.push(tt("new.prose.pace", { span: spanWords(draft.pace) }));
    return said;
}

/** The first deadline that would result. */
function First({ clock }: { clock: ClockSpec }) {
    useTicking();
    const { sleep } = (account.value ?? {}) as { sleep?: { from: string; to: string } };
    const zone = settings.value.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
    const minute = Math.floor(serverNow.value / 60_000) * 60_000;
    const { span, out } = useMemo(() => firstDeadline(clock, minute, { zone, ...(sleep === undefined ? {} : { sleep }) }), [clock, minute, zone]);
    const live = clock.kind === "live" || span === minute;
    return <Rich of={live ? tt("new.clock.first_live", { out: deadline(out, undefined, true) }) : tt("new.clock.first", { span: deadline(span, undefined, true), out: deadline(out, undefined, true) })} />;
}

export function YourTable({ draft, about }: { draft: Draft; about: GameAbout }) {
    return (
        <>
            <p class="told">
                {tableProse(draft, about).map((sentence, i) => (
                    <span key={i}>
                        <Rich of={sentence} />
                        {t("list.sentences")}
                    </span>
                ))}
            </p>
            {draft.clock !== null && (
                <p class="small">
                    <First clock={draft.clock} />
                </p>
            )}
            <p class="small">{t("new.fair")}</p>
        </>
    );
}
