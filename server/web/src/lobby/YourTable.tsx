/** "Your table": every choice told again as prose. */
import { seatsOf, valueOf, type Draft } from "@/lobby/options";
import { optionName } from "@/lobby/words";
import type { GameAbout } from "@/types";
import { list, Rich, t, tt, type Token } from "@/words";

/** The sentences of a table, in order. */
export function tableProse(draft: Draft, about: GameAbout): Token[][] {
    const players = seatsOf(draft, about).length;
    const rules = Object.entries(about.options ?? {})
        .filter(([name, option]) => option.type === "boolean" && valueOf(draft, name, option) === true)
        .map(([name, option]) => [{ text: optionName(draft.game, name, option), bold: true } as Token]);
    const turns = Number(valueOf(draft, "turns", about.options?.["turns"]) ?? 0);
    const most = Number(about.options?.["turns"]?.["maximum"] ?? turns);
    const names = draft.invite.map((name) => [{ text: name, bold: true } as Token]);
    const closed = draft.access !== "open";
    const said = [
        tt("new.prose.seat", { seat: draft.seat, players: String(players) }),
        tt("new.prose.rules", { n: rules.length, rules_t: list(rules) }),
    ];
    if (turns > 0) said.push(tt("new.prose.turns", { n: turns, whole: turns === most }));
    said.push(
        closed && names.length > 0
            ? tt("new.prose.invited", { n: names.length, names: list(names) })
            : tt("new.prose.access", { access: draft.access, n: players - (draft.seat === "none" ? 0 : 1) }),
        tt("new.prose.watch", { watch: draft.access === "private" ? "none" : draft.spectators, reveal: draft.reveal }),
    );
    if (draft.start === "manual") said.push(tt("new.prose.manual"));
    return said;
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
            <p class="small">{t("new.fair")}</p>
        </>
    );
}
