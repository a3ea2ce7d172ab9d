/** Latitude and longitude to kilometres on the sheet: a plain projection, x scaled by cos 50.5°. */

export interface Point {
    x: number;
    y: number;
}

export interface Rect {
    x: number;
    y: number;
    w: number;
    h: number;
}

const kmLat = 111.2;
const kmLon = 111.32 * Math.cos((50.5 * Math.PI) / 180);

/** North-west corner of the sheet; kilometres count from here, y to the south. */
export const origin = { lat: 51.12, lon: 3.36 };

/** Kilometres of a twentieth of a degree, the bars of the frame. */
export const bar = { x: kmLon / 20, y: kmLat / 20 };

export function project(lat: number, lon: number): Point {
    return { x: (lon - origin.lon) * kmLon, y: (origin.lat - lat) * kmLat };
}

/** [latitude, longitude] pairs as points. */
export function projectAll(line: readonly (readonly [number, number])[]): Point[] {
    return line.map(([lat, lon]) => project(lat, lon));
}

export function overlap(a: Rect, b: Rect): number {
    const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
    const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
    return w > 0 && h > 0 ? w * h : 0;
}

export function inflate(r: Rect, by: number): Rect {
    return { x: r.x - by, y: r.y - by, w: r.w + 2 * by, h: r.h + 2 * by };
}

export function contains(r: Rect, p: Point): boolean {
    return p.x >= r.x && p.x <= r.x + r.w && p.y >= r.y && p.y <= r.y + r.h;
}

/** Distance from a rectangle, 0 inside. */
export function rectDistance(r: Rect, p: Point): number {
    const dx = Math.max(r.x - p.x, 0, p.x - r.x - r.w);
    const dy = Math.max(r.y - p.y, 0, p.y - r.y - r.h);
    return Math.hypot(dx, dy);
}

export function bounds(points: readonly Point[]): Rect {
    let x0 = Infinity;
    let y0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    for (const p of points) {
        x0 = Math.min(x0, p.x);
        y0 = Math.min(y0, p.y);
        x1 = Math.max(x1, p.x);
        y1 = Math.max(y1, p.y);
    }
    return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

/** Does the segment a-b touch the rectangle? */
export function segmentHits(r: Rect, a: Point, b: Point): boolean {
    let t0 = 0;
    let t1 = 1;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const clip = (p: number, q: number): boolean => {
        if (p === 0) return q >= 0;
        const t = q / p;
        if (p < 0) {
            if (t > t1) return false;
            if (t > t0) t0 = t;
        } else {
            if (t < t0) return false;
            if (t < t1) t1 = t;
        }
        return true;
    };
    return clip(-dx, a.x - r.x) && clip(dx, r.x + r.w - a.x) && clip(-dy, a.y - r.y) && clip(dy, r.y + r.h - a.y);
}
