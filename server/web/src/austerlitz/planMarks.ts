/** Marks of the declared plan: what all may see of it, whoever has to act. */
import type { HexMarks, HexView } from "@/austerlitz/types";
import { outcomes, planOf } from "@/austerlitz/outcomes";
import type { Step } from "@/types";
import { t } from "@/words";

/** The combats pending, the one in hand, and with it the hexes that it left empty. chosen: the one that a press would take;
 * rolling: the one whose die has not come to lie; quiet: no figures at the defenders, where hexes beside them are to choose from. */
export function planMarks(view: HexView, steps: readonly Step[], chosen?: number, quiet = false, rolling: number | null = null): HexMarks {
    const hand = view.board.hand;
    const told = outcomes(steps);
    const combats = planOf(view.board.plan)
        .filter(([, entry]) => entry.status === "pending")
        .map(([n, entry]) => {
            const inHand = hand?.index === n;
            const rolled = told.get(n)?.rolled;
            const units = inHand && hand !== undefined ? hand : entry;
            return {
                n,
                contact: units.contact ?? [],
                bombard: units.bombard ?? [],
                defenders: units.defenders ?? [],
                ...(entry.ice === undefined ? {} : { ice: entry.ice }),
                side: view.turn.side,
                kind: inHand ? ("hand" as const) : n === chosen ? ("edited" as const) : ("pending" as const),
                ...(inHand && rolled !== undefined && !quiet ? { odds: { head: t("aus.against", { a: rolled.attack, d: rolled.defence }), note: n === rolling ? rolled.row : `${rolled.row} · ${rolled.result}` } } : {}),
            };
        });
    return { combats };
}
