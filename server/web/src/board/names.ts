/** Words on the map: names of towns, rivers and lands, and what a screen reader hears of a town. */
import { has, language, list, nationUnits, plain, t, townName, tt, unitPhrase } from "@/words";
import { printed } from "../ui/oob";
import type { Standing } from "./stacks";

/** A town's name in the reader's language; towns of a board without words keep their own. */
export function nameOfTown(id: string, own: string): string {
    return has(`place.${id}`) ? townName(id) : own;
}

export function nameOfRiver(id: string, own: string): string {
    return has(`river.${id}`) ? t(`river.${id}`) : own;
}

export function nameOfRegion(id: string): string {
    return has(`region.${id}`) ? t(`region.${id}`) : "";
}

/** The few letters on a block. */
export function labelOfUnit(id: string): string {
    const facts = printed[id];
    return facts ? t(`${facts.formation}.short`) : "";
}

/** The language now; layouts that measure words depend on it. */
export function languageNow(): string {
    return language();
}

/** "Charleroi: I Corps infantry at 4 and Imperial Guard cavalry at 2; four Prussian units". */
export function spokenTown(name: string, standing: Standing | undefined): string {
    if (!standing) return name;
    const parts: string[] = [];
    if (standing.open.length > 0) parts.push(plain(list(standing.open.map((block) => tt("unit.with_cv", { unit_t: unitPhrase(block.id, "full"), cv: block.cv })))));
    for (const pile of standing.piles) parts.push(nationUnits(pile.count, pile.army));
    return t("map.town.with", { town: name, units: parts.join("; ") });
}
