/** How units and hexes are named, to the server and to the reader. */
import type { HexView, Hex, Side, Unit } from "@/austerlitz/types";
import { capital, hexPhrase, placeName, plain, t, tt, unitOf, type Token } from "@/words";

export const GAME = "austerlitz";

export function sideOfSeat(seat: string): Side | undefined {
    if (seat === "FR") return "french";
    return seat === "AL" ? "allied" : undefined;
}

export function seatOfSide(side: Side): "FR" | "AL" {
    return side === "french" ? "FR" : "AL";
}

/** The side that the viewer commands; undefined for who only looks. */
export function ownSide(view: HexView): Side | undefined {
    return sideOfSeat(view.as);
}

export function isInformed(view: HexView): boolean {
    return view.board.options.information !== "semi-blind";
}

export function isOwn(view: HexView, hex: Hex): boolean {
    const side = ownSide(view);
    return side !== undefined && view.board.units[hex]?.side === side;
}

export function isEnemy(view: HexView, hex: Hex): boolean {
    const side = ownSide(view);
    const unit = view.board.units[hex];
    return side !== undefined && unit !== undefined && unit.side !== side;
}

/** Own units by hex, in the order of the hexes. */
export function ownHexes(view: HexView): Hex[] {
    return Object.keys(view.board.units).filter((hex) => isOwn(view, hex)).sort();
}

/** The name by which an action or question calls the unit in a hex: in semi-blind play an enemy's is its hex. */
export function wireName(view: HexView, hex: Hex): string {
    const unit = view.board.units[hex];
    return unit?.id !== undefined && (isInformed(view) || isOwn(view, hex)) ? unit.id : hex;
}

/** The hex of a name in an action, form or answer. */
export function hexOfName(view: HexView, name: string): Hex | undefined {
    if (view.board.units[name] !== undefined) return name;
    return Object.entries(view.board.units).find(([, unit]) => unit.id === name)?.[0];
}

/** A unit in a sentence: "1st Division, IV Corps (104)"; one whose face is not known "Allied infantry". */
export function unitWords(unit: Unit): Token[] {
    if (unit.id !== undefined) return tt("unit.coded", { unit_t: unitOf(GAME, unit.id, "name"), code: unit.id });
    return tt("unit.austerlitz.mute", { side: unit.side, type: unit.type });
}

/** The same as text, with its hex where its face is not known. */
export function unitName(view: HexView, hex: Hex): string {
    const unit = view.board.units[hex];
    if (unit === undefined) return hexName(hex);
    const name = plain(unitWords(unit));
    return capital(unit.id === undefined ? plain(tt("unit.austerlitz.mute_at", { unit_t: unitWords(unit), in_t: hexPhrase(GAME, hex, "in") })) : name);
}

/** A hex by its place and number: "Pratzen (2517)", "2319". */
export function hexName(hex: Hex): string {
    return plain(hexPhrase(GAME, hex, "coded"));
}

/** What a screen reader hears of a counter: name, figures, where it stands. */
export function spokenUnit(view: HexView, hex: Hex): string {
    const unit = view.board.units[hex];
    if (unit === undefined) return hexName(hex);
    if (unit.potential === undefined) return unitName(view, hex);
    return t("aus.unit_label", { unit: unitName(view, hex), cv: unit.potential, mv: unit.movement, place: hexName(hex) });
}

/** The title of a combat: the place of the first defender, or its hex. */
export function combatTitle(hexes: readonly Hex[]): string {
    const named = hexes.find((hex) => placeName(GAME, hex) !== "");
    return named === undefined ? (hexes[0] ?? "") : placeName(GAME, named);
}
