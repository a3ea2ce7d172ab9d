/** What stands on single hexes, seeded by their numbers: houses, trees, reeds, cracks in the ice. They mean nothing beyond the hex's terrain. */
import type { Point } from "../board/geo";
import { hashText, stream } from "../board/random";
import { centre } from "./geo";
import type { Hex } from "./types";

export interface House extends Point {
    w: number;
    h: number;
    turn: number;
}

export interface Tree extends Point {
    size: number;
}

export interface Tuft extends Point {
    size: number;
    blades: number;
}

export interface Crack {
    hex: Hex;
    line: Point[];
}

/** How much lines grow with the scale: full size at 38 px a hex. */
export function hexGrowth(k: number): number {
    return Math.max(0.3, Math.min(1.5, Math.pow(k / 38, 0.55)));
}

const seeded = (what: string, hex: Hex): (() => number) => stream(hashText(`${what} ${hex}`));

/** Places about a middle, well apart, sorted from the north. */
function scatter(hex: Hex, random: () => number, count: number, reach: { x: number; y: number }, apart: number): Point[] {
    const at = centre(hex);
    const made: Point[] = [];
    for (let tries = 0; made.length < count && tries < count * 30; tries++) {
        const turn = random() * Math.PI * 2;
        const far = Math.sqrt(random());
        const p = { x: at.x + Math.cos(turn) * far * reach.x, y: at.y + Math.sin(turn) * far * reach.y };
        if (made.every((q) => Math.hypot((p.x - q.x) * 0.8, p.y - q.y) > apart)) made.push(p);
    }
    return made.sort((p, q) => p.y - q.y);
}

/** Houses to both sides of the street. */
export function housesOf(hex: Hex): House[] {
    const random = seeded("village", hex);
    return scatter(hex, random, 7, { x: 0.31, y: 0.24 }, 0.145).map((p) => ({
        ...p,
        w: 0.12 + random() * 0.05,
        h: 0.095 + random() * 0.03,
        turn: (random() - 0.5) * 0.9,
    }));
}

export function treesOf(hex: Hex): Tree[] {
    const random = seeded("forest", hex);
    return scatter(hex, random, 7, { x: 0.4, y: 0.34 }, 0.19).map((p) => ({ ...p, size: 0.85 + random() * 0.4 }));
}

export function tuftsOf(hex: Hex): Tuft[] {
    const random = seeded("marsh", hex);
    return scatter(hex, random, 8, { x: 0.44, y: 0.38 }, 0.17).map((p) => ({ ...p, size: 0.8 + random() * 0.5, blades: 3 + Math.floor(random() * 3) }));
}

/** A crack or two: a jagged line with a branch. */
export function cracksOf(hex: Hex): Crack[] {
    const random = seeded("ice", hex);
    const at = centre(hex);
    const made: Crack[] = [];
    const count = 1 + Math.floor(random() * 2);
    for (let i = 0; i < count; i++) {
        const turn = -0.9 + random() * 1.1;
        let p = { x: at.x + (random() - 0.6) * 0.5, y: at.y + (random() - 0.5) * 0.6 };
        const line = [p];
        for (let step = 0; step < 4; step++) {
            const bend = turn + (step % 2 === 0 ? 0.55 : -0.75) + (random() - 0.5) * 0.3;
            const far = 0.07 + random() * 0.09;
            p = { x: p.x + Math.cos(bend) * far, y: p.y + Math.sin(bend) * far };
            line.push(p);
        }
        made.push({ hex, line });
        const fork = line[2]!;
        const aside = turn + (random() < 0.5 ? 1.3 : -1.3);
        made.push({ hex, line: [fork, { x: fork.x + Math.cos(aside) * 0.11, y: fork.y + Math.sin(aside) * 0.11 }] });
    }
    return made;
}
