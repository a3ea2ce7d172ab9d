/** On a phone what is held takes the prompt's place: the order, its blocks to tap, what it needs. */
import { sum } from "@/play/desk";
import { rowTitle, type MarchDesk } from "@/play/march";
import { HeldBlocks } from "@/play/MarchBody";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { t, townName } from "@/words";

export function HeldPrompt({ view }: { view: View }) {
    const desk = usePlay().desk.value as MarchDesk;
    const row = desk.row();
    const town = row?.from ?? view.board.units[[...desk.held.value][0] ?? ""]?.town ?? "";
    const attack = row === undefined ? undefined : view.board.attacks?.[row.path[row.path.length - 1] ?? ""];
    return (
        <div class="panel-prompt held-prompt" id="prompt" tabIndex={-1}>
            <h2 class="headline">{row === undefined ? t("march.held", { n: desk.held.value.size, town: townName(town, "in") }) : rowTitle(row)}</h2>
            <p class="ask">
                {row === undefined
                    ? t("march.tap_town")
                    : attack === undefined
                      ? t("march.edit_hint")
                      : t("march.tap_attack", { n: sum(attack.attackers), defenders: sum(attack.defenders), enough: attack.enough !== false })}
            </p>
            <HeldBlocks desk={desk} view={view} town={town} size={46} />
        </div>
    );
}
