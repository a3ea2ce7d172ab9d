/** Counters that have moved slide from where they stood, along their path if it is known. Nothing here is timed by what a counter hides. */
import { motionless } from "../board/stage";
import { centre } from "./geo";
import type { Hex, HexUnit, PathMark } from "./types";

const perHex = 90;
const atMost = 520;

type Units = Readonly<Record<Hex, HexUnit>>;

/** Which hexes' counters have come from which: same id, or side and type where there is but one that can be meant. */
export function movesBetween(before: Units, after: Units): { from: Hex; to: Hex }[] {
    const same = (a: HexUnit | undefined, b: HexUnit | undefined): boolean =>
        a !== undefined && b !== undefined && a.side === b.side && a.type === b.type && (a.id === b.id || a.id === undefined || b.id === undefined);
    const gone = Object.keys(before).filter((hex) => !same(before[hex], after[hex]));
    const come = Object.keys(after).filter((hex) => !same(after[hex], before[hex]));
    const moves: { from: Hex; to: Hex }[] = [];
    for (const to of come) {
        const from = gone.filter((hex) => same(before[hex], after[to]));
        const rivals = come.filter((hex) => from.some((one) => same(before[one], after[hex])));
        if (from.length === 1 && rivals.length === 1) moves.push({ from: from[0]!, to });
    }
    return moves;
}

/** Plays the difference between two boards at scale k. */
export function slideCounters(root: HTMLElement, before: Units, after: Units, paths: readonly PathMark[], k: number): void {
    if (motionless()) return;
    for (const { from, to } of movesBetween(before, after)) {
        const node = root.querySelector<SVGGElement>(`[data-unit="${to}"] > .hex-slide`);
        if (!node) continue;
        const told = paths.find((path) => path.hexes[0] === from && path.hexes[path.hexes.length - 1] === to);
        const way = told?.hexes ?? [from, to];
        const end = centre(to);
        const steps = way.map((hex) => {
            const at = centre(hex);
            return { transform: `translate(${(at.x - end.x) * k}px,${(at.y - end.y) * k}px)` };
        });
        node.animate(steps, { duration: Math.min(atMost, Math.max(260, perHex * (way.length - 1))), easing: "cubic-bezier(.2,.7,.2,1)" });
    }
}

/** A key or tap ends what still slides. */
export function endSlides(root: HTMLElement): void {
    for (const node of root.querySelectorAll(".hex-slide")) for (const animation of node.getAnimations()) animation.finish();
}
