/**
 * Relief by hachures: valleys sink along the rivers, two octaves of noise rise to the south-east, and
 * where the ground slopes enough a stroke runs down it, heavier where it faces south-east.
 */
import type { Point } from "./geo";
import { hashCell, valueNoise } from "./random";
import type { Sheet, SheetRiver } from "./sheet";

/** Heights on a grid of the sheet and some land around it. */
export interface Field {
    x0: number;
    y0: number;
    cell: number;
    w: number;
    h: number;
    data: Float32Array;
}

const cell = 0.8;
const around = { west: 100, north: 110, east: 100, south: 170 };

/** Lowers the ground along one river. */
function carve(field: Field, river: SheetRiver): void {
    const reach = river.valley * 2.6;
    const near = new Float32Array(field.w * field.h).fill(Infinity);
    const line = river.coarse;
    for (let i = 0; i + 1 < line.length; i++) {
        const a = line[i]!;
        const b = line[i + 1]!;
        const ix0 = Math.max(0, Math.floor((Math.min(a.x, b.x) - reach - field.x0) / field.cell));
        const ix1 = Math.min(field.w - 1, Math.ceil((Math.max(a.x, b.x) + reach - field.x0) / field.cell));
        const iy0 = Math.max(0, Math.floor((Math.min(a.y, b.y) - reach - field.y0) / field.cell));
        const iy1 = Math.min(field.h - 1, Math.ceil((Math.max(a.y, b.y) + reach - field.y0) / field.cell));
        const dx = b.x - a.x;
        const dy = b.y - a.y;
        const length2 = dx * dx + dy * dy || 1;
        for (let iy = iy0; iy <= iy1; iy++) {
            const py = field.y0 + iy * field.cell - a.y;
            for (let ix = ix0; ix <= ix1; ix++) {
                const px = field.x0 + ix * field.cell - a.x;
                const t = Math.max(0, Math.min(1, (px * dx + py * dy) / length2));
                const ex = px - t * dx;
                const ey = py - t * dy;
                const d2 = ex * ex + ey * ey;
                const at = iy * field.w + ix;
                if (d2 < near[at]!) near[at] = d2;
            }
        }
    }
    const w2 = river.valley * river.valley;
    for (let at = 0; at < near.length; at++) {
        const d2 = near[at]!;
        if (d2 < reach * reach) field.data[at] = field.data[at]! - river.depth * Math.exp(-d2 / w2);
    }
}

/** How rough the ground is: flat Flanders, steep Ardennes. */
function roughness(sheet: Sheet, x: number, y: number): number {
    const east = (x - sheet.extent.x) / sheet.extent.w;
    const south = (y - sheet.extent.y) / sheet.extent.h;
    return 0.16 + 0.84 * Math.max(0, Math.min(1, 0.12 + 0.5 * east + 0.62 * south - 0.22));
}

const fields = new WeakMap<Sheet, Field>();

/** The heights of a sheet, worked out once. */
export function fieldOf(sheet: Sheet): Field {
    const ready = fields.get(sheet);
    if (ready) return ready;
    const x0 = sheet.extent.x - around.west;
    const y0 = sheet.extent.y - around.north;
    const w = Math.ceil((sheet.extent.w + around.west + around.east) / cell) + 1;
    const h = Math.ceil((sheet.extent.h + around.north + around.south) / cell) + 1;
    const field: Field = { x0, y0, cell, w, h, data: new Float32Array(w * h) };
    for (let iy = 0; iy < h; iy++) {
        const y = y0 + iy * cell;
        for (let ix = 0; ix < w; ix++) {
            const x = x0 + ix * cell;
            const rough = roughness(sheet, x, y);
            field.data[iy * w + ix] = rough * (1.5 * valueNoise(x / 11, y / 11, 11) + 0.85 * valueNoise(x / 4.6, y / 4.6, 23));
        }
    }
    for (const river of sheet.rivers) carve(field, river);
    fields.set(sheet, field);
    return field;
}

/** The slope at a point, per km: which way is down is minus this. */
export function slopeAt(field: Field, x: number, y: number): Point {
    const right = field.x0 + field.w * field.cell;
    const low = field.y0 + field.h * field.cell;
    if (x < field.x0 + 1 || y < field.y0 + 1 || x > right - 2 || y > low - 2) return { x: 0, y: 0 };
    const fx = Math.max(1, Math.min(field.w - 3, (x - field.x0) / field.cell));
    const fy = Math.max(1, Math.min(field.h - 3, (y - field.y0) / field.cell));
    const ix = Math.floor(fx);
    const iy = Math.floor(fy);
    const u = fx - ix;
    const v = fy - iy;
    const at = iy * field.w + ix;
    const d = field.data;
    const mix = (p: number, q: number, r: number, s: number): number => (p * (1 - u) + q * u) * (1 - v) + (r * (1 - u) + s * u) * v;
    const w = field.w;
    const gx = mix(d[at + 1]! - d[at - 1]!, d[at + 2]! - d[at]!, d[at + w + 1]! - d[at + w - 1]!, d[at + w + 2]! - d[at + w]!);
    const gy = mix(d[at + w]! - d[at - w]!, d[at + w + 1]! - d[at - w + 1]!, d[at + 2 * w]! - d[at]!, d[at + 2 * w + 1]! - d[at + 1]!);
    return { x: gx / (2 * field.cell), y: gy / (2 * field.cell) };
}

/** Strokes as x, y, x', y' in px at the scale given, sorted into classes of width. */
export const widths = [0.45, 0.62, 0.8, 1, 1.25] as const;

/** The scale at which strokes are seeded: the nearest step below, so that they stand still between steps. */
export const steps = [1.8, 2.7, 4, 6, 9.5, 14, 21, 31, 46, 68] as const;

export function stepOf(k: number): number {
    let found: number = steps[0];
    for (const step of steps) if (k >= step * 0.92) found = step;
    return found;
}

/**
 * The strokes whose origin lies in a box (km), one list per class of width; coordinates in km. The
 * same for every caller: each stroke is seeded by its own cell of the step's grid.
 */
export function hachures(field: Field, step: number, box: { x: number; y: number; w: number; h: number }): number[][] {
    const grid = 5 / step;
    const lists: number[][] = widths.map(() => []);
    const ix0 = Math.floor(box.x / grid);
    const ix1 = Math.ceil((box.x + box.w) / grid);
    const iy0 = Math.floor(box.y / grid);
    const iy1 = Math.ceil((box.y + box.h) / grid);
    const seed = Math.round(step * 10);
    for (let iy = iy0; iy < iy1; iy++) {
        for (let ix = ix0; ix < ix1; ix++) {
            const x = (ix + hashCell(ix, iy, seed)) * grid;
            const y = (iy + hashCell(ix, iy, seed + 1)) * grid;
            const g = slopeAt(field, x, y);
            const slope = Math.hypot(g.x, g.y);
            const chance = hashCell(ix, iy, seed + 2);
            if (slope < 0.028 + chance * 0.05) continue;
            const strength = Math.min(1, (slope - 0.028) / 0.2);
            const reach = (2.5 + 6.5 * strength * (0.75 + 0.5 * chance)) / step / 2;
            const wobble = (hashCell(ix, iy, seed + 3) - 0.5) * 0.3;
            const ux = -g.x / slope;
            const uy = -g.y / slope;
            const dx = (ux - uy * wobble) * reach;
            const dy = (uy + ux * wobble) * reach;
            const facing = (ux + uy) / Math.SQRT2;
            const heavy = Math.max(0, Math.min(0.999, 0.16 + 0.42 * strength + 0.34 * facing));
            lists[Math.floor(heavy * widths.length)]!.push(x - dx, y - dy, x + dx, y + dy);
        }
    }
    return lists;
}
