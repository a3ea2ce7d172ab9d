/** Lines of the map: smoothing, measuring, meeting. */
import type { Point } from "./geo";

/** A Catmull-Rom curve through the points, as a finer polyline. */
export function smooth(points: readonly Point[], steps = 6): Point[] {
    if (points.length < 3) return [...points];
    const made: Point[] = [];
    const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))]!;
    for (let i = 0; i < points.length - 1; i++) {
        const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        for (let s = 0; s < steps; s++) {
            const t = s / steps;
            const t2 = t * t;
            const t3 = t2 * t;
            const mix = (a: number, b: number, c: number, d: number): number =>
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t2 + (3 * b - a - 3 * c + d) * t3);
            made.push({ x: mix(p0.x, p1.x, p2.x, p3.x), y: mix(p0.y, p1.y, p2.y, p3.y) });
        }
    }
    made.push(at(points.length - 1));
    return made;
}

/** Where two segments meet, as shares of the first; undefined if they do not. */
export function meet(a: Point, b: Point, c: Point, d: Point): number | undefined {
    const rx = b.x - a.x;
    const ry = b.y - a.y;
    const sx = d.x - c.x;
    const sy = d.y - c.y;
    const cross = rx * sy - ry * sx;
    if (cross === 0) return undefined;
    const t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross;
    const u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross;
    return t >= 0 && t < 1 && u >= 0 && u < 1 ? t : undefined;
}

export interface Meeting {
    point: Point;
    /** Direction of the first line there. */
    angle: number;
    /** Distance along the first line. */
    along: number;
}

/** All points where two polylines meet, in the order of the first. */
export function meetings(line: readonly Point[], other: readonly Point[]): Meeting[] {
    const found: Meeting[] = [];
    let walked = 0;
    for (let i = 0; i + 1 < line.length; i++) {
        const a = line[i]!;
        const b = line[i + 1]!;
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        const [x0, x1] = a.x < b.x ? [a.x, b.x] : [b.x, a.x];
        const [y0, y1] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
        for (let j = 0; j + 1 < other.length; j++) {
            const c = other[j]!;
            const d = other[j + 1]!;
            if (Math.max(c.x, d.x) < x0 || Math.min(c.x, d.x) > x1 || Math.max(c.y, d.y) < y0 || Math.min(c.y, d.y) > y1) continue;
            const t = meet(a, b, c, d);
            if (t === undefined) continue;
            found.push({
                point: { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t },
                angle: Math.atan2(b.y - a.y, b.x - a.x),
                along: walked + length * t,
            });
        }
        walked += length;
    }
    return found.sort((p, q) => p.along - q.along);
}

/** A bow from a to b whose middle stands off the straight by `share` of its length (to the left if positive). */
export function bow(a: Point, b: Point, share: number, steps = 20): Point[] {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const cx = (a.x + b.x) / 2 + dy * share * 2;
    const cy = (a.y + b.y) / 2 - dx * share * 2;
    const made: Point[] = [];
    for (let i = 0; i <= steps; i++) {
        const t = i / steps;
        const u = 1 - t;
        made.push({ x: u * u * a.x + 2 * u * t * cx + t * t * b.x, y: u * u * a.y + 2 * u * t * cy + t * t * b.y });
    }
    return made;
}

export function lengthOf(line: readonly Point[]): number {
    let sum = 0;
    for (let i = 0; i + 1 < line.length; i++) sum += Math.hypot(line[i + 1]!.x - line[i]!.x, line[i + 1]!.y - line[i]!.y);
    return sum;
}

/** The point at a distance along the line, and the direction there. */
export function pointAt(line: readonly Point[], distance: number): Point & { angle: number } {
    let left = Math.max(0, distance);
    for (let i = 0; i + 1 < line.length; i++) {
        const a = line[i]!;
        const b = line[i + 1]!;
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        if (left <= length || i + 2 === line.length) {
            const t = length === 0 ? 0 : Math.min(1, left / length);
            return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, angle: Math.atan2(b.y - a.y, b.x - a.x) };
        }
        left -= length;
    }
    const only = line[0] ?? { x: 0, y: 0 };
    return { ...only, angle: 0 };
}

/** The line scaled by k. */
export function scaled(line: readonly Point[], k: number): Point[] {
    return line.map((p) => ({ x: p.x * k, y: p.y * k }));
}

/** A polyline as an SVG path. */
export function pathData(line: readonly Point[], k = 1): string {
    let text = "";
    for (let i = 0; i < line.length; i++) {
        const p = line[i]!;
        text += `${i === 0 ? "M" : "L"}${(p.x * k).toFixed(1)},${(p.y * k).toFixed(1)}`;
    }
    return text;
}

/** The pieces of a line that lie outside all the shapes given (a test for a point), finely cut. */
export function outside(line: readonly Point[], inside: (p: Point) => boolean, step = 2): Point[][] {
    const pieces: Point[][] = [];
    let piece: Point[] = [];
    const total = lengthOf(line);
    const count = Math.max(2, Math.ceil(total / step));
    for (let i = 0; i <= count; i++) {
        const p = pointAt(line, (total * i) / count);
        if (inside(p)) {
            if (piece.length > 1) pieces.push(piece);
            piece = [];
        } else {
            piece.push({ x: p.x, y: p.y });
        }
    }
    if (piece.length > 1) pieces.push(piece);
    return pieces;
}
