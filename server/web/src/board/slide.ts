/**
 * Blocks that have marched slide along their roads: own ones each, hidden ones as one pile. Nothing
 * here is timed by what a hidden block is.
 */
import type { Layout } from "./layout";
import { nations, type Nation } from "../ui/army";
import { h, render } from "preact";
import { HiddenPileArt } from "../ui/BlockArt";
import { pointAt, lengthOf, scaled } from "./curves";
import type { Point } from "./geo";
import { motionless } from "./stage";
import { lineThrough, type Sheet } from "./sheet";

const perRoad = 260;

/** The shortest way between two towns, at most three roads. */
export function shortest(sheet: Sheet, from: string, to: string): string[] | undefined {
    let edge: string[][] = [[from]];
    const seen = new Set([from]);
    for (let step = 0; step < 4; step++) {
        const next: string[][] = [];
        for (const way of edge) {
            const last = way[way.length - 1]!;
            if (last === to) return way;
            for (const road of sheet.towns.get(last)?.next ?? []) {
                if (seen.has(road.town)) continue;
                seen.add(road.town);
                next.push([...way, road.town]);
            }
        }
        edge = next;
    }
    return edge.find((way) => way[way.length - 1] === to);
}

/** Where along the way, as offsets from the end. */
function offsets(sheet: Sheet, way: readonly string[], k: number, from: Point, to: Point): Point[] {
    const line = scaled(lineThrough(sheet, way), k);
    const total = lengthOf(line);
    const points: Point[] = [{ x: from.x - to.x, y: from.y - to.y }];
    const end = line[line.length - 1]!;
    for (let i = 1; i < 8; i++) {
        const p = pointAt(line, (total * i) / 8);
        points.push({ x: p.x - end.x, y: p.y - end.y });
    }
    points.push({ x: 0, y: 0 });
    return points;
}

function middle(layout: Layout, sheet: Sheet, town: string): Point {
    const stack = layout.stacks.find((one) => one.town === town);
    if (stack) return { x: stack.box.x + stack.box.w / 2, y: stack.box.y + stack.box.h / 2 };
    const at = sheet.towns.get(town)!.at;
    return { x: at.x * layout.k, y: at.y * layout.k };
}

function townsOf(layout: Layout): Map<string, string> {
    const map = new Map<string, string>();
    for (const stack of layout.stacks) for (const { block } of stack.blocks) if (!block.ghost) map.set(block.id, stack.town);
    return map;
}

/** Plays the difference between two layouts at the same scale. */
export function slideBlocks(sheet: Sheet, before: Layout, after: Layout, root: HTMLElement, movers: SVGGElement): void {
    if (motionless()) return;
    const was = townsOf(before);
    for (const [id, town] of townsOf(after)) {
        const from = was.get(id);
        if (!from || from === town) continue;
        const node = root.querySelector<SVGGElement>(`[data-unit="${id}"] > .blk`);
        const way = shortest(sheet, from, town) ?? [from, town];
        if (!node) continue;
        const steps = offsets(sheet, way, after.k, middle(before, sheet, from), middle(after, sheet, town));
        node.animate(
            steps.map((p) => ({ transform: `translate(${p.x}px,${p.y}px)` })),
            { duration: Math.min(2, way.length - 1) * perRoad, easing: "cubic-bezier(.2,.7,.2,1)" },
        );
    }
    for (const army of nations) slidePiles(sheet, before, after, movers, army);
}

function counts(layout: Layout, army: Nation): Map<string, number> {
    const map = new Map<string, number>();
    for (const stack of layout.stacks) for (const { pile } of stack.piles) if (pile.army === army) map.set(stack.town, pile.count);
    return map;
}

/** Piles that shrank and piles that grew, matched by the shortest way. */
function slidePiles(sheet: Sheet, before: Layout, after: Layout, movers: SVGGElement, army: Nation): void {
    const old = counts(before, army);
    const now = counts(after, army);
    const less: { town: string; n: number }[] = [];
    for (const [town, n] of old) if (n > (now.get(town) ?? 0)) less.push({ town, n: n - (now.get(town) ?? 0) });
    for (const [town, n] of now) {
        let grown = n - (old.get(town) ?? 0);
        while (grown > 0) {
            const from = less
                .filter((one) => one.n > 0)
                .map((one) => ({ one, way: shortest(sheet, one.town, town) }))
                .filter((found) => found.way !== undefined)
                .sort((a, b) => a.way!.length - b.way!.length)[0];
            if (!from) break;
            const moved = Math.min(grown, from.one.n);
            from.one.n -= moved;
            grown -= moved;
            slidePile(sheet, before, after, movers, army, moved, from.way!);
        }
    }
}

function slidePile(sheet: Sheet, before: Layout, after: Layout, movers: SVGGElement, army: Nation, count: number, way: readonly string[]): void {
    const end = middle(after, sheet, way[way.length - 1]!);
    const steps = offsets(sheet, way, after.k, middle(before, sheet, way[0]!), end);
    const holder = document.createElementNS("http://www.w3.org/2000/svg", "g");
    const size = Math.round(after.s * 0.88);
    movers.append(holder);
    render(h(HiddenPileArt, { army, count, size }), holder);
    const place = (p: Point): { transform: string } => ({ transform: `translate(${end.x + p.x - size / 2}px,${end.y + p.y - size / 2}px)` });
    const animation = holder.animate(steps.map(place), { duration: Math.min(2, way.length - 1) * perRoad, easing: "cubic-bezier(.2,.7,.2,1)" });
    const done = (): void => {
        render(null, holder);
        holder.remove();
    };
    animation.onfinish = done;
    animation.oncancel = done;
}
