/**
 * Pointers, wheel and frames of the map. Panning and pinching move layers by transform alone; when a
 * gesture ends, whoever owns the map is told and lays out anew.
 */
import type { Point } from "./geo";
import { Tiles, type Brushes } from "./tiles";
import { View, wheelFactor, type Ground } from "./view";

export interface Parts {
    root: HTMLElement;
    still: HTMLElement;
    moving: HTMLElement;
}

/** What is drawn, and how. */
export interface Scene {
    ground: Ground;
    brushes: Brushes;
    /** Size of a block at a scale: what keeps its size while the map is zoomed follows it. */
    block: (k: number, narrow: boolean) => number;
}

/** Whoever owns the map; H is what may be hit on it. */
export interface Owner<H> {
    /** What lies under a point of the window; touch widens what is small. */
    hitAt(px: number, py: number, touch: boolean): H | undefined;
    /** Two taps on it are its own, they do not zoom. */
    ownsTaps(hit: H): boolean;
    onTap(hit: H | undefined, how: { shift: boolean; touch: boolean; double: boolean }): void;
    onHover(hit: H | undefined): void;
    /** May this be taken up? On touch a block that is not selected wants a short hold first. */
    drag(hit: H, touch: boolean): "no" | "now" | "hold";
    onDragStart(hit: H): void;
    onDragMove(px: number, py: number): void;
    onDragEnd(px: number, py: number): void;
    onDragCancel(): void;
    /** Every frame of a move: frame, minimap. */
    onFrame(view: View): void;
    /** The view has come to rest. */
    onSettle(view: View): void;
}

interface Press<H> {
    id: number;
    at: Point;
    now: Point;
    hit: H | undefined;
    touch: boolean;
    shift: boolean;
    mode: "wait" | "pan" | "drag" | "pinch";
    hold: number;
}

const slack = { mouse: 4, touch: 9 };
const holdTime = 230;

export class Engine<H> {
    readonly view: View;
    private readonly tiles: Tiles;
    private presses = new Map<number, Press<H>>();
    private frame = 0;
    private rest = 0;
    private moving = false;
    /** Scale at which the overlay was laid out. */
    private laid = 0;
    private lastTap = { time: 0, x: 0, y: 0 };
    private pinch = { distance: 0, x: 0, y: 0 };
    private stop: (() => void)[] = [];
    private narrow = false;
    private zoomed = false;

    constructor(
        private readonly parts: Parts,
        private readonly scene: Scene,
        private readonly owner: Owner<H>,
    ) {
        this.view = new View(scene.ground);
        this.tiles = new Tiles(parts.still, scene.brushes);
        this.listen();
    }

    dispose(): void {
        for (const stop of this.stop) stop();
        cancelAnimationFrame(this.frame);
        clearTimeout(this.rest);
        this.tiles.dispose();
    }

    /** Colours have changed. */
    repaint(): void {
        this.tiles.reset();
        this.tiles.show(this.view, false);
    }

    /** Tells at which scale the overlay stands. */
    setLaid(k: number, narrow: boolean): void {
        this.laid = k;
        this.narrow = narrow;
        this.apply();
    }

    resize(w: number, h: number): void {
        this.view.resize(w, h);
    }

    /** The view was set from outside: show it and lay out. */
    settle(): void {
        this.moving = false;
        this.schedule();
        this.finish();
    }

    /** A jump of the view by a factor about the middle of what is free, or a point. */
    zoomBy(factor: number, px?: number, py?: number): void {
        const free = this.view.free();
        this.view.zoom(factor, px ?? free.x + free.w / 2, py ?? free.y + free.h / 2);
        this.settle();
    }

    get dragging(): boolean {
        for (const press of this.presses.values()) if (press.mode === "drag") return true;
        return false;
    }

    /** Ends a drag without dropping. */
    cancelDrag(): boolean {
        let any = false;
        for (const press of this.presses.values()) {
            if (press.mode !== "drag") continue;
            press.mode = "wait";
            press.hit = undefined;
            any = true;
            this.owner.onDragCancel();
            this.presses.delete(press.id);
        }
        return any;
    }

    private listen(): void {
        const { root } = this.parts;
        const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void, options?: AddEventListenerOptions): void => {
            root.addEventListener(name, act as EventListener, options);
            this.stop.push(() => root.removeEventListener(name, act as EventListener));
        };
        on("pointerdown", (event) => this.down(event));
        on("pointermove", (event) => this.move(event));
        on("pointerup", (event) => this.up(event, false));
        on("pointercancel", (event) => this.up(event, true));
        on("pointerleave", () => this.presses.size === 0 && this.owner.onHover(undefined));
        on("wheel", (event) => this.wheel(event), { passive: false });
        on("contextmenu", (event) => this.presses.size > 0 && event.preventDefault());
    }

    private local(event: { clientX: number; clientY: number }): Point {
        const box = this.parts.root.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    private mine(event: Event): boolean {
        return !(event.target instanceof Element && event.target.closest("[data-board-ui]"));
    }

    private down(event: PointerEvent): void {
        if (!this.mine(event) || (event.pointerType === "mouse" && event.button !== 0)) return;
        const at = this.local(event);
        const touch = event.pointerType !== "mouse";
        const hit = this.owner.hitAt(at.x, at.y, touch);
        const press: Press<H> = { id: event.pointerId, at, now: at, hit, touch, shift: event.shiftKey, mode: "wait", hold: 0 };
        this.presses.set(event.pointerId, press);
        if (this.presses.size === 2) {
            this.cancelDrag();
            for (const other of this.presses.values()) {
                clearTimeout(other.hold);
                other.mode = "pinch";
            }
            this.pinch = this.span();
            return;
        }
        if (hit && touch && this.owner.drag(hit, true) === "hold") {
            press.hold = window.setTimeout(() => this.takeUp(press), holdTime);
        }
    }

    private takeUp(press: Press<H>): void {
        if (press.mode !== "wait" || !press.hit) return;
        press.mode = "drag";
        this.capture(press.id);
        this.owner.onHover(undefined);
        this.owner.onDragStart(press.hit);
        this.owner.onDragMove(press.now.x, press.now.y);
    }

    private capture(id: number): void {
        try {
            this.parts.root.setPointerCapture(id);
        } catch {
            // The pointer is gone already; its end will be reported.
        }
    }

    private span(): { distance: number; x: number; y: number } {
        const [a, b] = [...this.presses.values()];
        if (!a || !b) return { distance: 1, x: 0, y: 0 };
        return { distance: Math.hypot(a.now.x - b.now.x, a.now.y - b.now.y) || 1, x: (a.now.x + b.now.x) / 2, y: (a.now.y + b.now.y) / 2 };
    }

    private move(event: PointerEvent): void {
        const press = this.presses.get(event.pointerId);
        const at = this.local(event);
        if (!press) {
            if (event.pointerType === "mouse" && this.mine(event)) this.owner.onHover(this.owner.hitAt(at.x, at.y, false));
            return;
        }
        const dx = at.x - press.now.x;
        const dy = at.y - press.now.y;
        press.now = at;
        if (press.mode === "wait") {
            const far = Math.hypot(at.x - press.at.x, at.y - press.at.y);
            if (far < (press.touch ? slack.touch : slack.mouse)) return;
            clearTimeout(press.hold);
            if (press.hit && this.owner.drag(press.hit, press.touch) === "now") {
                this.takeUp(press);
                return;
            }
            press.mode = "pan";
            this.capture(press.id);
            this.owner.onHover(undefined);
            this.view.pan(at.x - press.at.x, at.y - press.at.y);
            this.begin();
        } else if (press.mode === "pan") {
            this.view.pan(dx, dy);
            this.begin();
        } else if (press.mode === "drag") {
            this.owner.onDragMove(at.x, at.y);
        } else {
            const now = this.span();
            this.view.pan(now.x - this.pinch.x, now.y - this.pinch.y);
            this.view.zoom(now.distance / this.pinch.distance, now.x, now.y);
            this.pinch = now;
            this.begin();
        }
    }

    private up(event: PointerEvent, cancelled: boolean): void {
        const press = this.presses.get(event.pointerId);
        if (!press) return;
        clearTimeout(press.hold);
        this.presses.delete(event.pointerId);
        if (press.mode === "drag") {
            if (cancelled) this.owner.onDragCancel();
            else this.owner.onDragEnd(press.now.x, press.now.y);
            return;
        }
        if (press.mode === "pinch") {
            for (const other of this.presses.values()) {
                other.mode = "pan";
                other.at = other.now;
            }
            if (this.presses.size === 0) this.finish();
            return;
        }
        if (press.mode === "pan") {
            this.finish();
            return;
        }
        if (cancelled) return;
        const now = performance.now();
        const near = Math.hypot(press.at.x - this.lastTap.x, press.at.y - this.lastTap.y) < 24;
        const double = now - this.lastTap.time < 320 && near;
        this.lastTap = { time: double ? 0 : now, x: press.at.x, y: press.at.y };
        if (double && (press.hit === undefined || !this.owner.ownsTaps(press.hit))) this.zoomBy(1.7, press.at.x, press.at.y);
        else this.owner.onTap(press.hit, { shift: press.shift || event.shiftKey, touch: press.touch, double });
    }

    private wheel(event: WheelEvent): void {
        if (!this.mine(event)) return;
        event.preventDefault();
        if (this.dragging) return;
        const at = this.local(event);
        this.view.zoom(wheelFactor(event), at.x, at.y);
        this.begin();
        clearTimeout(this.rest);
        this.rest = window.setTimeout(() => this.finish(), 140);
    }

    private begin(): void {
        this.moving = true;
        this.schedule();
    }

    private finish(): void {
        clearTimeout(this.rest);
        this.moving = false;
        this.schedule();
        this.owner.onSettle(this.view);
    }

    private schedule(): void {
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            this.apply();
        });
    }

    /** Puts all layers where the view says. */
    private apply(): void {
        const { view } = this;
        if (view.w === 0) return;
        const { moving } = this.parts;
        const ratio = this.laid > 0 ? view.k / this.laid : 1;
        const still = Math.abs(ratio - 1) < 1e-6;
        moving.style.transform = `translate(${view.x}px,${view.y}px)` + (still ? "" : ` scale(${ratio})`);
        if (still) {
            // A property that all inherit: touched only when it is there.
            if (this.zoomed) moving.style.removeProperty("--zs");
            this.zoomed = false;
        } else {
            this.zoomed = true;
            const { block } = this.scene;
            const want = block(view.k, this.narrow) / block(this.laid, this.narrow) / ratio;
            moving.style.setProperty("--zs", String(want));
        }
        this.tiles.show(view, this.moving);
        this.owner.onFrame(view);
    }
}
