/** What lies under a pointer on the hex map. */
import { contains, inflate, type Point } from "../board/geo";
import { hexUnder, sideBetween, wayTo } from "./geo";
import { placed, type HexLayout } from "./layout";
import type { HexSheet } from "./sheet";
import type { Edge, Hex, HexMarks, HexUnit } from "./types";
import { wayOut } from "./shapes";

export type HexHit =
    | { kind: "hex"; hex: Hex }
    | { kind: "unit"; hex: Hex }
    | { kind: "bridge"; bridge: string }
    | { kind: "side"; a: Hex; b: Hex }
    | { kind: "exit"; hex: Hex; edge: Edge | "vienna" }
    | { kind: "combat"; n: number };

/** The hex that a hit speaks of; undefined for what is no hex. */
export function hexOf(hit: HexHit | undefined): Hex | undefined {
    return hit !== undefined && (hit.kind === "hex" || hit.kind === "unit" || hit.kind === "exit") ? hit.hex : undefined;
}

export interface Aim {
    sheet: HexSheet;
    layout: HexLayout;
    marks: HexMarks;
    units: Readonly<Record<Hex, HexUnit>>;
    touch: boolean;
    /** May a combat be opened by its odds or number; else they are seen through. */
    combats: boolean;
}

function distanceTo(a: Point, b: Point, p: Point): number {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const share = Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(a.x + dx * share - p.x, a.y + dy * share - p.y);
}

/** What is smaller than a hex: odds, exits, bridges, hexsides. */
function smallAt(aim: Aim, p: Point): HexHit | undefined {
    const { layout, marks, sheet, touch } = aim;
    const { k, s } = layout;
    const reach = touch ? 22 : 13;
    for (const odds of aim.combats ? layout.odds : []) if (contains(odds.rect, p)) return { kind: "combat", n: odds.n };
    for (const { n, at } of aim.combats ? layout.numbers : []) if (Math.hypot(at.x - p.x, at.y - p.y) <= (touch ? 16 : 11)) return { kind: "combat", n };
    for (const { hex, edge } of marks.exits ?? []) {
        const at = placed(hex, k);
        const out = wayOut(edge);
        const box = inflate({ x: at.x + out.x * k * 0.86, y: at.y + out.y * k * 0.86, w: 0, h: 0 }, Math.max(reach, 0.3 * k));
        if (contains(box, p)) return { kind: "exit", hex, edge };
    }
    for (const [id, bridge] of sheet.bridges) {
        if (marks.bridges?.[id] && Math.hypot(bridge.at.x * k - p.x, bridge.at.y * k - p.y) <= Math.max(reach, 0.3 * s)) return { kind: "bridge", bridge: id };
    }
    for (const { a, b, kind } of marks.hexsides ?? []) {
        const side = kind === "legal" ? sideBetween(a, b) : undefined;
        if (side && distanceTo({ x: side[0].x * k, y: side[0].y * k }, { x: side[1].x * k, y: side[1].y * k }, p) <= reach * 0.8) return { kind: "side", a, b };
    }
    return undefined;
}

/** On a touch screen, where hexes are smaller than a fingertip: the nearest hex that means something. */
function fingerAt(aim: Aim, p: Point): Hex | undefined {
    const { layout, marks } = aim;
    let best: Hex | undefined;
    let bestDistance = 22;
    for (const hex of [...(marks.legal ?? []).map((mark) => mark.hex), ...(marks.choosable ?? []), ...(marks.selected ?? [])]) {
        const at = placed(hex, layout.k);
        const far = Math.hypot(at.x - p.x, at.y - p.y);
        if (far < bestDistance) [best, bestDistance] = [hex, far];
    }
    return best;
}

/** The topmost thing at a point (px of the sheet at the layout's scale). */
export function hexHitAt(aim: Aim, p: Point): HexHit | undefined {
    const small = smallAt(aim, p);
    if (small) return small;
    const { layout, sheet, units, touch } = aim;
    const hex = (touch && layout.k < 40 ? fingerAt(aim, p) : undefined) ?? hexUnder(sheet.grid, { x: p.x / layout.k, y: p.y / layout.k });
    if (hex === undefined) return undefined;
    return units[hex] ? { kind: "unit", hex } : { kind: "hex", hex };
}

/** The hexes that a drag has passed, in order, while each next one touches the last; going back takes it off. */
export function viaHex(from: Hex, via: readonly Hex[], over: Hex | undefined): Hex[] {
    if (over === undefined) return [...via];
    const last = via[via.length - 1] ?? from;
    if (over === last) return [...via];
    if (over === from) return [];
    const at = via.indexOf(over);
    if (at >= 0) return via.slice(0, at + 1);
    return wayTo(last, over) ? [...via, over] : [...via];
}
