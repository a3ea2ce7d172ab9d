/** Names of towns, units, armies and dates as phrases: each stands in the catalogue with its forms. */
import { has, t, tt } from "./catalogue";
import { plain } from "./format";
import type { Token } from "./format";

/** How a town stands in a sentence: at it, from it, to it, on it (an attack), by way of it. */
export type TownForm = "name" | "in" | "from" | "to" | "on" | "by";
/** How a unit does: its name; as the one who acts; as the one fired at; as the reader's own, first of
 * a list or further on; whole with its arm; the few letters on its block. */
export type UnitForm = "name" | "the" | "at" | "own" | "more" | "full" | "short";
/** How a side or nation does: its name; of it; its adjective. */
export type SideForm = "name" | "of" | "adj";

/** The tokens with what their bold runs name added. */
export function mark(tokens: readonly Token[], add: Partial<Token>): Token[] {
    return tokens.map((token) => (token.bold ? { ...token, ...add } : token));
}

/** A town as a phrase with its name in bold; an unknown id stands for itself. */
export function townPhrase(id: string, form: TownForm = "name"): Token[] {
    if (!has(`place.${id}`)) return tt("place.unknown", { form, name: id });
    return mark(tt(`place.${id}`, { form }), { town: id });
}

/** How a hex stands in a sentence; coded: its place with the number behind, "Pratzen (2517)". */
export type HexForm = TownForm | "coded";

/** A hex of a game as a phrase: "at Pratzen (2517)", "at 2319"; form name: the place alone, or the number. */
export function hexPhrase(game: string, id: string, form: HexForm = "name"): Token[] {
    const key = `place.${game}.${id}`;
    return mark(has(key) ? tt(key, { form }) : tt("place.hex", { form, name: id }), { town: id });
}

/** The place at a hex ("Pratzen"), or what else the game's board names so (a stream, a pond); "" where there is none. */
export function placeName(game: string, id: string): string {
    return has(`place.${game}.${id}`) ? t(`place.${game}.${id}`, { form: "name" }) : "";
}

/** What a hex or its side is: clear, forest, marsh, village, pond, pond_broken, height, fortified, causeway, road, highway. */
export function terrainName(kind: string): string {
    return t(`terrain.${kind}`);
}

/** stream, bank, escarpment, bridge, bridge_destroyed. */
export function hexsideName(kind: string): string {
    return t(`hexside.${kind}`);
}

/** north, east, south, west. */
export function edgeName(edge: string): string {
    return t(`edge.${edge}`);
}

/** A unit of a game whose ids are its own: form name, the, own, more, full (with who leads it, or of what), leader. */
export function unitOf(game: string, id: string, form: UnitForm | "leader" = "name"): Token[] {
    const key = `unit.${game}.${id}`;
    return has(key) ? mark(tt(key, { form }), { unit: id }) : [{ text: id, bold: true, unit: id }];
}

/** A box beside the map: eliminated, withdrawn, vienna. */
export function boxName(game: string, box: string): string {
    return t(`box.${game}.${box}`);
}

/** A result of the game's table: AE, DR. */
export function resultName(game: string, result: string): string {
    return t(`result.${game}.${result}`);
}

/** A phase of the game's turn: allied_move. */
export function turnPhaseName(game: string, phase: string): string {
    return t(`phase.${game}.${phase}`);
}

/** A town's name alone: Ligny. */
export function townName(id: string, form: TownForm = "name"): string {
    return plain(townPhrase(id, form));
}

/** A unit as a phrase with its name in bold. */
export function unitPhrase(id: string, form: UnitForm = "name"): Token[] {
    if (!has(`unit.${id}`)) return [{ text: id, bold: true, unit: id }];
    return mark(tt(`unit.${id}`, { form }), { unit: id });
}

/** A unit's name alone: formation, and arm unless it is infantry ("Guard cavalry"); form full names
 * the arm always, short is what stands on the block. */
export function unitName(id: string, form: UnitForm = "name"): string {
    return plain(unitPhrase(id, form));
}

/** A formation by its key of the order of battle: oob.fr.i. */
export function formationName(key: string): string {
    return t(key);
}

/** infantry, cavalry, foot_artillery, horse_artillery. */
export function armName(arm: string): string {
    return t("arm.name", { arm });
}

/** A side, nation or seat: the French. */
export function sideName(side: string, form: SideForm = "name"): string {
    return t("side.name", { side, form });
}

/** The same for one of FR, AD, PR. */
export function nationName(nation: string, form: SideForm = "name"): string {
    return sideName(nation, form);
}

/** The same for a seat, followed by who sits there: Marie (the French). */
export function seatName(seat: string, account?: string): string {
    return account === undefined ? sideName(seat) : t("seat.of", { account, side: sideName(seat) });
}

/** Five French units. form object: as what a verb or preposition acts on. */
export function nationUnits(n: number, nation: string, form: "" | "object" = ""): string {
    return t("units.of", { n, nation, form });
}

/** Left, Centre, Right of a battle's lane 1, 2, 3. */
export function lane(n: number): string {
    return t("battle.lane", { lane: n });
}

/** A, B and C. */
export function list(items: readonly (readonly Token[] | string)[], sep = "list.and"): Token[] {
    const all = items.map((item) => (typeof item === "string" ? [{ text: item }] : [...item]));
    const last = all.pop();
    if (last === undefined) return tt("list.none");
    const first = all.shift();
    if (first === undefined) return last;
    let head = first;
    for (const item of all) head = tt("list.comma", { head, item });
    return tt(sep, { head, item: last });
}

/** A, B, C as text. */
export function commas(items: readonly string[]): string {
    return items.length === 0 ? "" : plain(list(items, "list.comma"));
}

/** A clause that stands for itself, with the stop that ends it. */
export function stopped(clause: string): string {
    return t("list.stop", { clause });
}

/** Namur → Wavre. */
export function path(towns: readonly string[]): Token[] {
    return towns.flatMap((id, i) => [
        ...(i > 0 ? [{ text: t("list.arrow") }] : []), ...townPhrase(id),
    ]);
}

const parts = ["morning", "midday", "night"];

/** "16 June, morning" of the turn of a view ("Set-up" before the first); without date and part what
 * the time record has for that slot: three a day from 15 June. */
export function slot(turn: { slot: number; date?: string; part?: string }): string {
    if (turn.slot === 0) return t("date.setup");
    const found = /^(\d+)-(\d+)-(\d+)$/.exec(turn.date ?? "");
    const day = found ? Number(found[3]) : 15 + Math.floor((turn.slot - 1) / 3);
    const part = turn.part ?? parts[(turn.slot - 1) % 3] ?? "";
    return t("date.slot", { month: found ? Number(found[2]) : 6, day, part });
}
