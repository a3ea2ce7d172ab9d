/** Words of the hex map: places, what a screen reader hears of a hex, exits. */
import { language, placeName, t, terrainName } from "@/words";
import type { Hex, HexMarks, HexUnit, HexView } from "./types";
import { isOpen } from "./faces";
import type { HexSheet } from "./sheet";

/** The place at a hex in the reader's language; boards without words keep their own names. "" where there is none. */
export function placeOf(sheet: HexSheet, game: string, hex: Hex): string {
    return placeName(game, hex) || (sheet.places.get(hex)?.name ?? "");
}

/** "Sokolnitz, 1822", or the number alone. */
export function nameOfHex(sheet: HexSheet, game: string, hex: Hex): string {
    const place = placeOf(sheet, game, hex);
    return place === "" ? hex : t("hex.named", { place, hex });
}

/** What the ground of a hex is: "frozen pond, causeway". */
export function groundOf(sheet: HexSheet, view: HexView, hex: Hex): string {
    const ground = sheet.ground.get(hex);
    const kinds: string[] = [view.board.broken_ice.includes(hex) ? "pond_broken" : (ground?.terrain ?? "clear")];
    if (ground?.height) kinds.push("height");
    if (ground?.fortified) kinds.push("fortified");
    if (ground?.causeway) kinds.push("causeway");
    return kinds.map(terrainName).join(", ");
}

/** "French infantry 104, 9–6" or "Allied infantry". */
export function unitText(unit: HexUnit): string {
    const what = t(`hex.unit.${unit.side}.${unit.type}`);
    const parts = [isOpen(unit) ? t("hex.unit.open", { what, id: unit.id ?? "", potential: unit.potential ?? 0, movement: unit.movement }) : what];
    if (unit.moved) parts.push(t("hex.state.moved"));
    if (unit.destroyed_bridge) parts.push(t("hex.state.destroyer"));
    return parts.join(", ");
}

function statesOf(marks: HexMarks, hex: Hex): string[] {
    const parts: string[] = [];
    if (marks.selected?.includes(hex)) parts.push(t("hex.state.selected"));
    const legal = marks.legal?.find((mark) => mark.hex === hex);
    if (legal) parts.push(legal.note ? t("hex.state.legal_note", { note: legal.note }) : t("hex.state.legal"));
    if (marks.zones?.includes(hex)) parts.push(t("hex.state.zone"));
    if (marks.attacked?.includes(hex)) parts.push(t("hex.state.attacked"));
    const urgent = marks.urgent?.[hex];
    if (urgent) parts.push(urgent);
    return parts;
}

/** All that is heard of a hex: name, ground, unit, marks. */
export function spokenHex(sheet: HexSheet, game: string, view: HexView, marks: HexMarks, hex: Hex): string {
    const unit = view.board.units[hex];
    const parts = [groundOf(sheet, view, hex)];
    if (unit) parts.push(unitText(unit));
    parts.push(...statesOf(marks, hex));
    return t("hex.spoken", { name: nameOfHex(sheet, game, hex), what: parts.join("; ") });
}

/** The language now; layouts that measure words depend on it. */
export function languageNow(): string {
    return language();
}
