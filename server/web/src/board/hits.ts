/** What lies under a pointer. */
import { contains, inflate, rectDistance, type Point } from "./geo";
import type { Drag } from "./Drag";
import type { Layout } from "./layout";
import type { Sheet } from "./sheet";
import type { Placed } from "./stacks";

export type Hit = { kind: "unit"; id: string; town: string } | { kind: "town"; id: string; /** Its name was hit, not the place. */ name?: true } | { kind: "road"; id: string };

/** A point as a fanned stack sees it: fans are a quarter larger about their middle. */
function inFan(stack: Placed, p: Point): Point {
    const cx = stack.box.x + stack.box.w / 2;
    const cy = stack.box.y + stack.box.h / 2;
    return { x: cx + (p.x - cx) / 1.25, y: cy + (p.y - cy) / 1.25 };
}

function blockAt(stack: Placed, p: Point): string | undefined {
    const { s, box } = stack;
    for (let i = stack.blocks.length - 1; i >= 0; i--) {
        const { block, x, y } = stack.blocks[i]!;
        if (block.ghost) continue;
        if (contains({ x: box.x + x - 2, y: box.y + y - 2, w: s + 5, h: s + s * 0.13 + 3 }, p)) return block.id;
    }
    return undefined;
}

/** The town among these whose own place is under the point: a tall stack of a neighbour does not hide where one may go. */
function legalAt(sheet: Sheet, layout: Layout, p: Point, least: number, legal: ReadonlySet<string>): string | undefined {
    let best: string | undefined;
    let bestDistance = least / 2;
    for (const town of legal) {
        const at = sheet.towns.get(town)?.at;
        if (!at) continue;
        const distance = Math.hypot(at.x * layout.k - p.x, at.y * layout.k - p.y);
        if (distance <= bestDistance) [best, bestDistance] = [town, distance];
    }
    return best;
}

/** The topmost thing at a point (px of the sheet): a block (but where a legal town lies under that of another, the town), a road's pill, else the town that is near enough. */
export function hitAt(sheet: Sheet, layout: Layout, p: Point, least: number, fanned?: string, legal?: ReadonlySet<string>): Hit | undefined {
    const aimed = legal && legalAt(sheet, layout, p, least, legal);
    const unitOf = (id: string, town: string): Hit => (aimed && aimed !== town ? { kind: "town", id: aimed } : { kind: "unit", id, town });
    const open = fanned ? layout.stacks.find((stack) => stack.town === fanned) : undefined;
    if (open) {
        const id = blockAt(open, inFan(open, p));
        if (id) return unitOf(id, open.town);
    }
    for (const stack of layout.stacks) {
        const id = blockAt(stack, p);
        if (id) return unitOf(id, stack.town);
    }
    for (const pill of layout.pills) if (contains(inflate(pill.rect, 3), p)) return { kind: "road", id: pill.road };
    let best: string | undefined;
    let bestDistance = Infinity;
    for (const { town, rect } of layout.hits) {
        const room = { x: Math.max(0, (least - rect.w) / 2), y: Math.max(0, (least - rect.h) / 2) };
        const box = { x: rect.x - room.x, y: rect.y - room.y, w: rect.w + 2 * room.x, h: rect.h + 2 * room.y };
        if (!contains(box, p)) continue;
        const at = sheet.towns.get(town)!.at;
        const distance = rectDistance(rect, p) + 0.02 * Math.hypot(at.x * layout.k - p.x, at.y * layout.k - p.y);
        if (distance < bestDistance) {
            best = town;
            bestDistance = distance;
        }
    }
    if (best) return { kind: "town", id: best };
    for (const tab of layout.tabs) if (contains(tab.rect, p)) return { kind: "town", id: tab.town };
    for (const label of layout.labels) if (!label.hidden && contains(label.rect, p)) return { kind: "town", id: label.id, name: true };
    return undefined;
}

/** The towns a drag has passed, in order, while each next one is a neighbour of the last; going back takes it off. */
export function viaTown(sheet: Sheet, drag: Drag, over: string | undefined): string[] {
    const via = drag.via;
    if (over === undefined) return via;
    const last = via[via.length - 1] ?? drag.from;
    if (over === last) return via;
    if (over === drag.from) return [];
    const at = via.indexOf(over);
    if (at >= 0) return via.slice(0, at + 1);
    if (last !== undefined && sheet.between(last, over)) return [...via, over];
    return via;
}
