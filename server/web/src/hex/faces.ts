/** Which face of a counter lies up. */
import type { Hex, HexUnit, HexView } from "./types";

/** Does it lie open for whoever looks at it? */
export function isOpen(unit: HexUnit): boolean {
    return unit.potential !== undefined;
}

/** Counters turned up for the combat in hand only: open ones of sides that the viewer does not command, and in the hand. */
export function shownNow(view: HexView, mine: readonly string[]): ReadonlySet<Hex> {
    const { hand, units } = view.board;
    const inHand = [...(hand?.contact ?? []), ...(hand?.bombard ?? []), ...(hand?.defenders ?? [])];
    return new Set(inHand.filter((hex) => units[hex] && isOpen(units[hex]) && !mine.includes(units[hex].side)));
}
