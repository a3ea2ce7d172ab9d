/**
 * The still layers as tiles of bitmap: painted once per scale and theme, moved by transform while
 * the map is panned, painted anew a few at a time after a zoom.
 */
import type { Rect } from "./geo";

const size = 256;

/** Paints what lies in `rect` (px of the whole sheet at scale k) into a canvas whose upper left corner is that of `rect`. */
export type Paint = (ctx: CanvasRenderingContext2D, k: number, rect: Rect) => void;
/** Takes up the colours that an element has now. */
export type Brushes = (element: Element) => Paint;

export interface Window {
    k: number;
    /** The sheet's origin in the window, px. */
    x: number;
    y: number;
    w: number;
    h: number;
}

interface Generation {
    k: number;
    layer: HTMLDivElement;
    tiles: Map<string, HTMLCanvasElement>;
    queue: { ix: number; iy: number; far: number }[];
}

export class Tiles {
    private now: Generation | undefined;
    private old: Generation | undefined;
    private paint: Paint | undefined;
    private frame = 0;
    private first = true;
    private moving = false;
    private window: Window = { k: 1, x: 0, y: 0, w: 0, h: 0 };

    constructor(
        private readonly host: HTMLElement,
        private readonly brushes: Brushes,
    ) {}

    /** Another theme: everything is painted again. */
    reset(): void {
        this.paint = undefined;
        if (this.now) this.renew(this.now.k);
    }

    /** Moves the layer to where the window is; while `moving` nothing is painted at a new scale. */
    show(window: Window, moving: boolean): void {
        this.window = window;
        this.moving = moving;
        if (!this.now || (!moving && Math.abs(this.now.k / window.k - 1) > 1e-6)) this.renew(window.k);
        this.place();
        if (!moving || this.now!.k === window.k) this.fill();
        else this.now!.queue = [];
    }

    dispose(): void {
        cancelAnimationFrame(this.frame);
        this.now?.layer.remove();
        this.old?.layer.remove();
    }

    private renew(k: number): void {
        // A scale that never came to show gives way; the one that shows stays until the next is ready.
        if (this.old && this.now) this.remove(this.now);
        else this.old = this.now;
        const layer = document.createElement("div");
        layer.className = "board-tiles";
        // Until all that shows is painted, the old scale stands in; then the two change places at once.
        if (this.old) layer.style.visibility = "hidden";
        this.host.append(layer);
        this.now = { k, layer, tiles: new Map(), queue: [] };
        this.place();
        this.fill();
    }

    private place(): void {
        for (const generation of [this.old, this.now]) {
            if (!generation) continue;
            const { x, y, k } = this.window;
            const ratio = k / generation.k;
            generation.layer.style.transform = `translate(${x}px,${y}px)` + (Math.abs(ratio - 1) > 1e-6 ? ` scale(${ratio})` : "");
        }
    }

    /** Queues the tiles that show, the middle first, and a rim around them. */
    private fill(): void {
        const now = this.now;
        if (!now || this.window.w === 0) return;
        const ratio = now.k / this.window.k;
        const x0 = -this.window.x * ratio;
        const y0 = -this.window.y * ratio;
        const x1 = x0 + this.window.w * ratio;
        const y1 = y0 + this.window.h * ratio;
        const rim = 200;
        const queue: Generation["queue"] = [];
        const wanted = new Set<string>();
        for (let iy = Math.floor((y0 - rim) / size); iy * size < y1 + rim; iy++) {
            for (let ix = Math.floor((x0 - rim) / size); ix * size < x1 + rim; ix++) {
                wanted.add(`${ix},${iy}`);
                if (now.tiles.has(`${ix},${iy}`)) continue;
                const seen = (ix + 1) * size > x0 && ix * size < x1 && (iy + 1) * size > y0 && iy * size < y1;
                const far = Math.hypot((ix + 0.5) * size - (x0 + x1) / 2, (iy + 0.5) * size - (y0 + y1) / 2);
                queue.push({ ix, iy, far: seen ? far : far + 1e6 });
            }
        }
        queue.sort((a, b) => a.far - b.far);
        now.queue = queue;
        if (now.tiles.size > 2 * wanted.size + 24) this.forget(now, wanted);
        if (queue.length > 0) this.soon();
        else this.dropOld();
    }

    private forget(generation: Generation, wanted: ReadonlySet<string>): void {
        for (const [key, tile] of generation.tiles) {
            if (wanted.has(key)) continue;
            tile.remove();
            tile.width = 0;
            generation.tiles.delete(key);
        }
    }

    private soon(): void {
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            this.work();
        });
    }

    private work(): void {
        const now = this.now;
        if (!now) return;
        // Nothing to look at yet: as fast as can be. At rest: most of a frame. While panned: little.
        const until = performance.now() + (this.first ? 60 : this.moving ? 5 : 14);
        do {
            const next = now.queue.shift();
            if (!next) break;
            this.make(now, next.ix, next.iy);
        } while (performance.now() < until);
        if (!now.queue.some((tile) => tile.far < 1e6)) {
            this.dropOld();
            this.first = false;
        }
        if (now.queue.length > 0) this.soon();
    }

    private dropOld(): void {
        if (this.now) this.now.layer.style.visibility = "";
        const old = this.old;
        if (!old) return;
        this.old = undefined;
        this.remove(old);
    }

    private remove(generation: Generation): void {
        generation.layer.remove();
        for (const tile of generation.tiles.values()) tile.width = 0;
    }

    private make(generation: Generation, ix: number, iy: number): void {
        this.paint ??= this.brushes(this.host);
        const ratio = Math.min(2, Math.max(1, window.devicePixelRatio || 1));
        const canvas = document.createElement("canvas");
        canvas.width = Math.round(size * ratio);
        canvas.height = Math.round(size * ratio);
        canvas.style.width = `${size}px`;
        canvas.style.height = `${size}px`;
        canvas.style.transform = `translate(${ix * size}px,${iy * size}px)`;
        const ctx = canvas.getContext("2d", { alpha: false });
        if (!ctx) return;
        ctx.scale(ratio, ratio);
        this.paint(ctx, generation.k, { x: ix * size, y: iy * size, w: size, h: size });
        generation.layer.append(canvas);
        generation.tiles.set(`${ix},${iy}`, canvas);
    }
}
