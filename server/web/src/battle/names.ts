/** How pieces, lanes and odds are called: for buttons, labels and those who listen. */
import { printed } from "@/ui/oob";
import { capital, lane, t, unitName } from "@/words";
import type { UnitId } from "@/types";
import type { Odds } from "./desk";
import type { Piece, Zone } from "./model";

/** The few letters on a block. */
export function blockLabel(unit: UnitId): string {
    return t(`${printed[unit]?.formation ?? "oob.fr.i"}.short`);
}

/** Left, Centre, Right or reserve. */
export function zoneName(zone: Zone): string {
    return zone === "reserve" ? t("battle.zone.reserve") : lane(Number(zone));
}

/** "Imperial Guard infantry, strength 3 of 4, left, in square, fired". */
export function pieceName(piece: Piece, zone: Zone | undefined, more: readonly string[] = []): string {
    const { fighter } = piece;
    const parts = [
        t("battle.piece", { unit: capital(unitName(piece.id, "full")), cv: fighter.cv, of: printed[piece.id]?.cv ?? fighter.cv }),
        zone === undefined ? "" : zoneName(zone),
        piece.advanced ? t("battle.tag.advanced") : "",
        fighter.square ? t("battle.tag.square") : "",
        actedTag(piece) ?? "",
        ...more,
    ];
    return parts.filter((part) => part !== "").join(t("battle.comma"));
}

/** What the tag under a block says. */
export function actedTag(piece: Piece): string | undefined {
    const { fired, moves } = piece.fighter;
    if (fired && moves) return t("battle.tag.both");
    if (fired) return t("battle.tag.fired");
    return moves ? t("battle.tag.moved") : undefined;
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** What odds come to: hits to be expected, and the chance of none, in per cent. */
export function expectation(odds: Odds): { mean: number; none: number } {
    const all = odds.ways.reduce((sum, ways) => sum + ways, 0);
    const mean = odds.ways.reduce((sum, ways, hits) => sum + ways * Math.min(hits, odds.cv), 0) / all;
    return { mean: oneDecimal(mean), none: Math.round(((odds.ways[0] ?? 0) / all) * 100) };
}

/** "Imperial Guard infantry, strength 3 of 4" of an own unit anywhere. */
export function unitLabel(view: { board: { units: Record<UnitId, { cv: number } | undefined> } }, unit: UnitId): string {
    const of = printed[unit]?.cv ?? 1;
    return t("battle.piece", { unit: capital(unitName(unit, "full")), cv: view.board.units[unit]?.cv ?? of, of });
}
