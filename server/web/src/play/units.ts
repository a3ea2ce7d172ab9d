/** Units of a view as the panels draw them. */
import { labelOfUnit } from "@/board/names";
import type { StackUnit } from "@/ui/Stack";
import { printed } from "@/ui/oob";
import type { BlockState } from "@/ui/Block";
import type { Nation, UnitId, View } from "@/types";
import { t, unitName } from "@/words";

/** A unit for Stack: what is printed on it, its strength now, and a name that a screen reader speaks. */
export function stackUnit(view: View, id: UnitId, state: BlockState = {}): StackUnit {
    const unit = view.board.units[id];
    const print = printed[id];
    const cv = unit?.cv ?? print?.cv ?? 1;
    const maxCv = print?.cv ?? cv;
    return {
        id,
        army: id.slice(0, 2) as Nation,
        type: unit?.type ?? print?.type ?? "infantry",
        cv,
        maxCv,
        formation: labelOfUnit(id),
        state: { ...(unit?.marked_until === undefined ? {} : { marked: true }), ...state },
        label: spoken(id, cv, maxCv),
    };
}

/** The spoken name; what stands on the block is part of it, so that it can be called by what is seen. */
function spoken(id: UnitId, cv: number, max: number): string {
    const full = unitName(id, "full");
    const short = labelOfUnit(id);
    const name = t("play.unit_label", { unit: full, cv, max });
    const words = full.split(/[^\p{L}\p{N}]+/u);
    const within = short.split(/[^\p{L}\p{N}]+/u).every((word) => words.includes(word));
    return within ? name : t("play.unit_called", { unit: name, short });
}
