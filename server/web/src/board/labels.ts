/**
 * Where names stand. Each town tries seventeen places; what lies beneath costs, and the dearest are
 * moved until nothing improves. Names that still meet shrink by a pixel, then give way to the tooltip.
 */
import { contains, overlap, rectDistance, segmentHits, type Point, type Rect } from "./geo";

export interface LabelTown {
    id: string;
    at: Point;
    text: string;
    size: number;
    bold: boolean;
    /** Stack and ring of the town, or the sign itself: the name stands around this. */
    around: Rect;
    /** Higher keeps its name when two meet. */
    weight: number;
    prefer?: string;
}

export interface Obstacle {
    rect: Rect;
    /** Cost per px². */
    cost: number;
    /** Town it belongs to: the town's own name may stand close, not over it. */
    town?: string;
}

export interface Segment {
    a: Point;
    b: Point;
    cost: number;
}

export interface LabelInput {
    towns: readonly LabelTown[];
    obstacles: readonly Obstacle[];
    segments: readonly Segment[];
    frame: Rect;
    /** Where names stood before: staying there earns a little, so that a click does not shuffle the map. */
    before?: ReadonlyMap<string, string>;
    measure: (text: string, size: number, bold: boolean) => number;
}

export interface Label {
    id: string;
    text: string;
    size: number;
    bold: boolean;
    /** Box of the text; baseline at 0.76 of its height. */
    rect: Rect;
    /** No room: the name is in the tooltip alone. */
    hidden: boolean;
    place: string;
}

const gap = 5;

/** The seventeen places around a box, in order of liking. */
export function places(around: Rect, w: number, h: number): { name: string; rect: Rect }[] {
    const cx = around.x + around.w / 2;
    const cy = around.y + around.h / 2;
    const right = around.x + around.w + gap;
    const left = around.x - gap - w;
    const below = around.y + around.h + 1;
    const above = around.y - h - 1;
    const at = (name: string, x: number, y: number): { name: string; rect: Rect } => ({ name, rect: { x, y, w, h } });
    return [
        at("s", cx - w / 2, below),
        at("e", right, cy - h / 2),
        at("w", left, cy - h / 2),
        at("n", cx - w / 2, above),
        at("se", right - gap * 0.6, below - h * 0.35),
        at("sw", left + gap * 0.6, below - h * 0.35),
        at("ne", right - gap * 0.6, above + h * 0.35),
        at("nw", left + gap * 0.6, above + h * 0.35),
        at("s-e", around.x + around.w / 2, below),
        at("s-w", around.x + around.w / 2 - w, below),
        at("n-e", around.x + around.w / 2, above),
        at("n-w", around.x + around.w / 2 - w, above),
        at("e-n", right, cy - h * 1.1),
        at("e-s", right, cy + h * 0.1),
        at("w-n", left, cy - h * 1.1),
        at("w-s", left, cy + h * 0.1),
        at("s-s", cx - w / 2, below + h * 0.8),
    ];
}

interface Candidate {
    name: string;
    rect: Rect;
    cost: number;
}

/** Everything but the other names. */
function ownCost(input: LabelInput, town: LabelTown, name: string, rect: Rect): number {
    let cost = 0;
    for (const obstacle of input.obstacles) cost += obstacle.cost * overlap(rect, obstacle.rect);
    for (const segment of input.segments) {
        const { a, b } = segment;
        if (Math.max(a.x, b.x) < rect.x || Math.min(a.x, b.x) > rect.x + rect.w) continue;
        if (Math.max(a.y, b.y) < rect.y || Math.min(a.y, b.y) > rect.y + rect.h) continue;
        if (segmentHits(rect, a, b)) cost += segment.cost;
    }
    if (contains(input.frame, town.at)) cost += 20 * sticksOut(input.frame, rect);
    const own = rectDistance(rect, town.at);
    for (const other of input.towns) {
        if (other === town) continue;
        if (Math.abs(other.at.x - town.at.x) > 300 || Math.abs(other.at.y - town.at.y) > 200) continue;
        const near = rectDistance(rect, other.at);
        if (near < own + 7) cost += 2.2 * (own + 7 - near);
    }
    if (town.prefer === name) cost -= 60;
    if (input.before?.get(town.id) === name) cost -= 8;
    return cost;
}

/** By how many px a name leaves the frame. */
function sticksOut(frame: Rect, rect: Rect): number {
    return (
        Math.max(0, frame.x - rect.x) +
        Math.max(0, frame.y - rect.y) +
        Math.max(0, rect.x + rect.w - frame.x - frame.w) +
        Math.max(0, rect.y + rect.h - frame.y - frame.h)
    );
}

function candidates(input: LabelInput, town: LabelTown, size: number): Candidate[] {
    const w = input.measure(town.text, size, town.bold) + 4;
    const h = size * 1.16;
    return places(town.around, w, h).map(({ name, rect }, at) => ({ name, rect, cost: ownCost(input, town, name, rect) + at * 0.35 }));
}

/** Finds a place for every name. */
export function placeLabels(input: LabelInput): Label[] {
    const { towns } = input;
    const sizes = towns.map((town) => town.size);
    const choices = towns.map((town, at) => candidates(input, town, sizes[at]!));
    const chosen = choices.map((list) => list.reduce((best, one) => (one.cost < best.cost ? one : best)));
    const nameCost = (rect: Rect, self: number): number => {
        let cost = 0;
        for (let i = 0; i < chosen.length; i++) if (i !== self) cost += 3 * overlap(rect, chosen[i]!.rect);
        return cost;
    };
    const improve = (rounds: number): void => {
        for (let round = 0; round < rounds; round++) {
            let better = false;
            for (let i = 0; i < towns.length; i++) {
                let best = chosen[i]!;
                let bestCost = best.cost + nameCost(best.rect, i);
                for (const one of choices[i]!) {
                    if (one.cost >= bestCost) continue;
                    const cost = one.cost + nameCost(one.rect, i);
                    if (cost < bestCost - 1e-6) {
                        best = one;
                        bestCost = cost;
                    }
                }
                if (best !== chosen[i]) {
                    chosen[i] = best;
                    better = true;
                }
            }
            if (!better) return;
        }
    };
    improve(12);
    // Still meeting something: one pixel smaller, once more.
    const blocked = (at: number): boolean => covered(input, chosen[at]!.rect) > 10 || nameCost(chosen[at]!.rect, at) > 0;
    let shrunk = false;
    for (let i = 0; i < towns.length; i++) {
        if (!blocked(i)) continue;
        sizes[i] = sizes[i]! - 1;
        choices[i] = candidates(input, towns[i]!, sizes[i]!);
        chosen[i] = choices[i]!.find((one) => one.name === chosen[i]!.name)!;
        shrunk = true;
    }
    if (shrunk) improve(12);
    return settle(input, sizes, chosen);
}

/** Area that stacks and badges take of a name. */
function covered(input: LabelInput, rect: Rect): number {
    let area = 0;
    for (const obstacle of input.obstacles) area += overlap(rect, obstacle.rect);
    return area;
}

/** Names that meet something still are left to the tooltip, the less weighty first. */
function settle(input: LabelInput, sizes: readonly number[], chosen: readonly Candidate[]): Label[] {
    const order = input.towns.map((_, at) => at).sort((a, b) => input.towns[b]!.weight - input.towns[a]!.weight || chosen[a]!.cost - chosen[b]!.cost);
    const kept: Rect[] = [];
    const labels: Label[] = [];
    for (const at of order) {
        const town = input.towns[at]!;
        const one = chosen[at]!;
        const hidden = covered(input, one.rect) > one.rect.h * 1.2 || kept.some((rect) => overlap(rect, one.rect) > 0);
        if (!hidden) kept.push(one.rect);
        labels.push({ id: town.id, text: town.text, size: sizes[at]!, bold: town.bold, rect: one.rect, hidden, place: one.name });
    }
    return labels;
}
