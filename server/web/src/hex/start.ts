/** What the hex map shows when it is opened. */
import { bounds, inflate, type Point } from "../board/geo";
import type { View } from "../board/view";
import { centre, distance } from "./geo";
import type { Hex, HexMarks, HexUnit, HexView, Side } from "./types";

/** So near, units look at each other. */
const contact = 3;

/** What the panel speaks of; else where the armies face each other: own units within three hexes of an enemy, or nearest to one, and these enemies; else all own; else all. */
export function theFighting(view: HexView, mine: readonly Side[], marks: HexMarks = {}): Hex[] {
    const asked = marks.combats?.find((combat) => combat.kind === "edited" || combat.kind === "hand");
    if (asked) return [...asked.contact, ...asked.bombard, ...asked.defenders, ...(asked.ice ? [asked.ice] : [])];
    const { units, hand } = view.board;
    const inHand = [...(hand?.contact ?? []), ...(hand?.bombard ?? []), ...(hand?.defenders ?? [])];
    if (inHand.length > 0) return inHand;
    const all = Object.entries(units);
    const own = (unit: HexUnit): boolean => (mine.length > 0 ? mine.includes(unit.side) : unit.side === "french");
    const pairs = all.flatMap(([a, one]) => (own(one) ? all.filter(([, other]) => other.side !== one.side).map(([b]) => ({ a, b, far: distance(a, b) })) : []));
    const near = Math.max(contact, Math.min(...pairs.map(({ far }) => far)) + 1);
    const hot = new Set(pairs.filter(({ far }) => far <= near).flatMap(({ a, b }) => [a, b]));
    if (hot.size > 0) return [...hot];
    const left = all.filter(([, unit]) => own(unit)).map(([hex]) => hex);
    return left.length > 0 ? left : all.map(([hex]) => hex);
}

/** Least size of a hex when a map is opened: one that reads, or on a small window one that a finger hits. */
function leastScale(view: View): number {
    return view.w < 700 ? 44 : 34;
}

/** Shows these hexes; of what does not fit at a size that reads, where most of them stand. */
export function showHexes(view: View, hexes: readonly Hex[], most = 46): void {
    const points: Point[] = hexes.map(centre);
    if (points.length === 0) {
        view.fit();
        return;
    }
    view.show(inflate(bounds(points), 1.4), most);
    if (view.k >= leastScale(view)) return;
    view.k = Math.min(view.most, leastScale(view));
    const free = view.free();
    const inView = (hex: Hex): Hex[] => hexes.filter((other) => Math.abs(centre(other).x - centre(hex).x) * view.k < free.w / 2 && Math.abs(centre(other).y - centre(hex).y) * view.k < free.h / 2);
    const thick = hexes.map(inView).reduce((best, one) => (one.length > best.length ? one : best));
    const box = bounds(thick.map(centre));
    view.centre({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
}
