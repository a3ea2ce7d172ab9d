/** Seeded numbers: the sheet is the same for everybody, always. */

/** A 32-bit hash of a text (FNV-1a with a last stir). */
export function hashText(text: string): number {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) {
        h ^= text.charCodeAt(i);
        h = Math.imul(h, 0x01000193);
    }
    return stir(h);
}

function stir(h: number): number {
    h ^= h >>> 16;
    h = Math.imul(h, 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
    return h >>> 0;
}

/** A number in [0, 1) for a cell of a grid. */
export function hashCell(ix: number, iy: number, seed: number): number {
    return stir(Math.imul(ix, 0x27d4eb2d) ^ Math.imul(iy, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1)) / 4294967296;
}

/** A stream of numbers in [0, 1). */
export function stream(seed: number): () => number {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        return stir(state) / 4294967296;
    };
}

/** Smooth value noise in [0, 1] with cells of size 1. */
export function valueNoise(x: number, y: number, seed: number): number {
    const ix = Math.floor(x);
    const iy = Math.floor(y);
    const fx = x - ix;
    const fy = y - iy;
    const u = fx * fx * (3 - 2 * fx);
    const v = fy * fy * (3 - 2 * fy);
    const top = hashCell(ix, iy, seed) * (1 - u) + hashCell(ix + 1, iy, seed) * u;
    const low = hashCell(ix, iy + 1, seed) * (1 - u) + hashCell(ix + 1, iy + 1, seed) * u;
    return top * (1 - v) + low * v;
}
