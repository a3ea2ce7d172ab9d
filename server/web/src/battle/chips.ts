/** The state of a lane in a few words, at the edge of whoever is threatened. */
import { formsOf, movesOf, targetsOf } from "@/net/forms";
import { sideName, t } from "@/words";
import type { View } from "@/types";
import { isArriving, turnsOf, type BattleView, type LaneView } from "./model";

export interface Chip {
    text: string;
    edge: "above" | "below";
    danger: boolean;
}

/** Nothing while columns are formed and after the end. */
export function chipOf(view: View, shown: BattleView, lane: LaneView): Chip | undefined {
    if (shown.battle.phase !== "fight") return undefined;
    if (lane.engagedBy === undefined) return openChip(view, shown, lane);
    const below = lane.engagedBy === shown.bottom;
    const danger = shown.own && !below;
    const who = shown.own ? (below ? "you" : "they") : "side";
    const more = below ? ownMore(view, shown, lane) : theirMore(view, shown, lane);
    const side = sideName(shown.sides[lane.engagedBy]);
    const text = more === undefined ? t(`battle.chip.${who}`, { side_t: side }) : t("battle.chip.join", { what: t(`battle.chip.${who}`, { side_t: side }), more: t(`battle.chip.${more}`) });
    return { text, edge: below ? "above" : "below", danger };
}

function openChip(view: View, shown: BattleView, lane: LaneView): Chip {
    const guns = lane.below.pieces.some((piece) => targetsOf(view.actions, shown.town, piece.id).length > 0);
    const open = t("battle.chip.open");
    return { text: guns ? t("battle.chip.join", { what: open, more: t("battle.chip.guns") }) : open, edge: "below", danger: false };
}

/** What the viewer's advanced units may do in their turn. */
function ownMore(view: View, shown: BattleView, lane: LaneView): string | undefined {
    const turn = turnsOf(view, shown.bottom).begun;
    const advanced = lane.below.pieces.filter((piece) => piece.advanced && targetsOf(view.actions, shown.town, piece.id).length > 0);
    if (advanced.length === 0) return undefined;
    const charge = advanced.some(
        ({ fighter }) =>
            fighter.type === "cavalry" && fighter.advanced_ct === turn - 1 && isArriving(view, shown.bottom, fighter.advanced_ct),
    );
    return charge ? "charge" : "fire";
}

/** What the forms leave to a column that is engaged. */
function theirMore(view: View, shown: BattleView, lane: LaneView): string | undefined {
    if (formsOf(view.actions, "end_combat_turn").length === 0) return undefined;
    const pieces = lane.below.pieces;
    const fires = (guns: boolean): boolean =>
        pieces.some((piece) => piece.fighter.type.endsWith("artillery") === guns && targetsOf(view.actions, shown.town, piece.id).length > 0);
    const square = pieces.some((piece) => movesOf(view.actions, shown.town, piece.id).some((move) => move.kind === "form_square"));
    const guns = fires(true);
    if (square) return guns ? "shot_or_square" : fires(false) ? "fire_or_square" : "square";
    return guns ? "shot" : fires(false) ? "fire" : undefined;
}
