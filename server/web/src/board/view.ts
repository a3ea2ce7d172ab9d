/** Which part of the sheet the window shows, and how wheel, pinch and drag change it. */
import { inflate, type Point, type Rect } from "./geo";

export interface Inset {
    top: number;
    right: number;
    bottom: number;
    left: number;
}

/** Width of the frame's band. */
export const band = 13;

/** What a view moves over, in the units of its sheet. */
export interface Ground {
    /** The board's own extent. */
    extent: Rect;
    /** The box of all that matters: a phone's full view shows this. */
    middle: Rect;
    /** Room left around the middle. */
    rim?: number;
    /** The greatest scale is this at least, however small the full view is. */
    most?: number;
}

/** Scale and offset of the sheet in a window; pure sums, no page. */
export class View {
    k = 6;
    x = 0;
    y = 0;
    w = 0;
    h = 0;
    inset: Inset = { top: 0, right: 0, bottom: 0, left: 0 };
    /** Scale of the full view. */
    full = 6;

    readonly extent: Rect;
    private readonly heart: Rect;
    private readonly atLeast: number;

    constructor(ground: Ground) {
        this.extent = ground.extent;
        this.heart = inflate(ground.middle, ground.rim ?? 8);
        this.atLeast = ground.most ?? 18;
    }

    /** The part of the window that nothing covers. */
    free(): Rect {
        const { inset } = this;
        return {
            x: band + inset.left,
            y: band + inset.top,
            w: Math.max(40, this.w - 2 * band - inset.left - inset.right),
            h: Math.max(40, this.h - 2 * band - inset.top - inset.bottom),
        };
    }

    get least(): number {
        return this.full * 0.8;
    }

    get most(): number {
        return Math.max(this.full * 4, this.atLeast);
    }

    /** A window of another size: the full view is worked out anew. */
    resize(w: number, h: number): void {
        this.w = w;
        this.h = h;
        const free = this.free();
        const whole = Math.min(free.w / this.extent.w, free.h / this.extent.h);
        const towns = Math.min(free.w / this.heart.w, free.h / this.heart.h);
        this.full = free.w < 600 ? towns : Math.max(whole, Math.min(towns, whole * 1.06));
    }

    /** Shows this box (km) in the free part of the window, at most at scale `most`. */
    show(box: Rect, most = this.most): void {
        const free = this.free();
        const k = Math.min(free.w / box.w, free.h / box.h, most);
        this.k = Math.max(this.least, Math.min(this.most, k));
        this.centre({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
    }

    fit(): void {
        const wide = this.free().w >= 600;
        const box = wide ? this.extent : this.heart;
        this.k = this.full;
        this.centre({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
    }

    centre(p: Point): void {
        const free = this.free();
        this.x = free.x + free.w / 2 - p.x * this.k;
        this.y = free.y + free.h / 2 - p.y * this.k;
        this.clamp();
    }

    pan(dx: number, dy: number): void {
        this.x += dx;
        this.y += dy;
        this.clamp();
    }

    /** Zooms by a factor about a point of the window. */
    zoom(factor: number, px: number, py: number): void {
        const k = Math.max(this.least, Math.min(this.most, this.k * factor));
        const ratio = k / this.k;
        this.x = px - (px - this.x) * ratio;
        this.y = py - (py - this.y) * ratio;
        this.k = k;
        this.clamp();
    }

    /** The middle of the free window stays on the sheet; what is smaller than the window cannot leave it. */
    private clamp(): void {
        const free = this.free();
        const hold = (at: number, from: number, size: number, a: number, length: number): number => {
            const first = a * this.k;
            const last = (a + length) * this.k;
            const slack = Math.max(0, size * 0.42);
            const low = from + size - last - slack;
            const high = from - first + slack;
            return low <= high ? Math.max(low, Math.min(high, at)) : (low + high) / 2;
        };
        this.x = hold(this.x, free.x, free.w, this.extent.x, this.extent.w);
        this.y = hold(this.y, free.y, free.h, this.extent.y, this.extent.h);
        const ratio = typeof devicePixelRatio === "number" && devicePixelRatio > 0 ? devicePixelRatio : 1;
        this.x = Math.round(this.x * ratio) / ratio;
        this.y = Math.round(this.y * ratio) / ratio;
    }

    /** A point of the window on the sheet, km. */
    toSheet(px: number, py: number): Point {
        return { x: (px - this.x) / this.k, y: (py - this.y) / this.k };
    }

    /** The window on the sheet, km. */
    window(): Rect {
        return { x: -this.x / this.k, y: -this.y / this.k, w: this.w / this.k, h: this.h / this.k };
    }
}

/** The factor of a turn of the wheel (or a pinch on a trackpad, which comes with ctrl). */
export function wheelFactor(event: WheelEvent): number {
    const unit = event.deltaMode === 1 ? 0.05 : event.deltaMode === 2 ? 1 : 0.002;
    return Math.pow(2, -event.deltaY * unit * (event.ctrlKey ? 8 : 1));
}
