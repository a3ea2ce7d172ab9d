/** The middle ground as an engraver draws it: level lines, tufts, a ridge of hachures along either edge. */
import type { JSX } from "preact";

const TILE = { width: 420, height: 300, ridge: 26 };

/** Numbers that look like chance and are the same on every screen. */
function numbers(seed: number): () => number {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

const fixed = (value: number): string => value.toFixed(1);

/** Level strokes, denser and longer than chance would have it in some bands. */
function levels(): string {
    const next = numbers(1815);
    let path = "";
    for (let y = 7; y < TILE.height; y += 5.5 + next() * 3) {
        for (let x = next() * 36; x < TILE.width - 20; ) {
            const length = Math.min(TILE.width - 6 - x, 14 + next() * next() * 110);
            const dip = (next() - 0.5) * 1.6;
            if (next() < 0.62) path += `M${fixed(x)},${fixed(y)}q${fixed(length / 2)},${fixed(dip)} ${fixed(length)},0`;
            x += length + 8 + next() * 34;
        }
    }
    return path;
}

/** A ridge: strokes down the slope, in tufts. */
function ridge(seed: number): string {
    const next = numbers(seed);
    let path = "";
    for (let x = 1; x < TILE.width; x += 2.1 + next() * 1.5) {
        const swell = 0.5 + 0.5 * Math.sin(x / 23 + seed) * Math.sin(x / 61);
        const length = 3 + swell * 9 + next() * 8;
        path += `M${fixed(x)},${fixed(next() * 2)}l${fixed((next() - 0.5) * 2.4)},${fixed(length)}`;
    }
    return path;
}

/** Grass: three blades from one foot. */
function grass(): string {
    const next = numbers(618);
    let path = "";
    for (let n = 0; n < 15; n++) {
        const [x, y] = [fixed(12 + next() * (TILE.width - 24)), fixed(14 + next() * (TILE.height - 24))];
        path += `M${x},${y}l-3,-4M${x},${y}v-5.4M${x},${y}l3,-4`;
    }
    return path;
}

const drawn = { levels: levels(), grass: grass(), ridge: ridge(3), farRidge: ridge(11) };

/** The patterns that all lanes use; stands once on the board. */
export function GroundPatterns(): JSX.Element {
    const stroke = (d: string, cls: string): JSX.Element => <path class={cls} d={d} fill="none" stroke-linecap="round" />;
    return (
        <svg class="ground-patterns" width="0" height="0" aria-hidden="true" focusable="false">
            <defs>
                <pattern id="ground-levels" width={TILE.width} height={TILE.height} patternUnits="userSpaceOnUse">
                    {stroke(drawn.levels, "ground-level")}
                    {stroke(drawn.grass, "ground-grass")}
                </pattern>
                <pattern id="ground-ridge" width={TILE.width} height={TILE.ridge} patternUnits="userSpaceOnUse">
                    {stroke(drawn.ridge, "ground-hachure")}
                </pattern>
                <pattern id="ground-ridge-far" width={TILE.width} height={TILE.ridge} patternUnits="userSpaceOnUse">
                    {stroke(drawn.farRidge, "ground-hachure")}
                </pattern>
            </defs>
        </svg>
    );
}

/** The picture behind a lane's middle ground. */
export function Ground(): JSX.Element {
    const layer = (cls: string, pattern: string): JSX.Element => (
        <svg class={cls} width="100%" height={cls === "ground-lines" ? "100%" : TILE.ridge} aria-hidden="true" focusable="false">
            <rect width="100%" height="100%" fill={`url(#${pattern})`} />
        </svg>
    );
    return (
        <div class="ground-art" aria-hidden="true">
            {layer("ground-lines", "ground-levels")}
            {layer("ground-ridge", "ground-ridge")}
            {layer("ground-ridge ground-ridge-below", "ground-ridge-far")}
        </div>
    );
}
