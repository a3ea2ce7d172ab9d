/** What every map needs of its page: an engine that lives with the sheet, the first view, insets, themes, keys that zoom. */
import { useEffect, useLayoutEffect, useRef, type MutableRef } from "preact/hooks";
import { Engine, type Owner, type Scene } from "./engine";
import { inflate, type Point, type Rect } from "./geo";
import { useTheme } from "./theme";
import type { Inset, View } from "./view";

/** The view at rest: what is laid out is laid out for this. */
export interface Settled {
    k: number;
    /** The window in px of the sheet at scale k. */
    window: Rect;
    width: number;
    height: number;
}

/** A view that has come to rest. */
export function settledAt(view: View): Settled {
    return { k: view.k, window: { x: -view.x, y: -view.y, w: view.w, h: view.h }, width: view.w, height: view.h };
}

/** Keeps the last value while its key stays the same, so that what is equal stays identical. */
export function useStable<T>(value: T, key: string): T {
    const kept = useRef({ value, key });
    if (kept.current.key !== key) kept.current = { value, key };
    return kept.current.value;
}

/** An inset with what is left out as 0. */
export function insetOf(inset: Partial<Inset> | undefined): Inset {
    return { top: inset?.top ?? 0, right: inset?.right ?? 0, bottom: inset?.bottom ?? 0, left: inset?.left ?? 0 };
}

export interface StageProps<H> {
    root: MutableRef<HTMLDivElement | null>;
    still: MutableRef<HTMLDivElement | null>;
    moving: MutableRef<HTMLDivElement | null>;
    /** Another scene is another engine. */
    scene: Scene;
    owner: Owner<H>;
    /** Sets the view when the window has got its first size. */
    open: (view: View) => void;
    inset: Partial<Inset> | undefined;
    settled: Settled | undefined;
    narrow: boolean;
}

/** The engine of a map; null until the page stands. */
export function useStage<H>(props: StageProps<H>): MutableRef<Engine<H> | null> {
    const engine = useRef<Engine<H> | null>(null);
    const live = useRef(props);
    live.current = props;
    const { scene, settled, narrow } = props;
    const theme = useTheme();
    useLayoutEffect(() => {
        const { root, still, moving, owner } = live.current;
        const made = new Engine({ root: root.current!, still: still.current!, moving: moving.current! }, scene, owner);
        engine.current = made;
        let first = true;
        const observer = new ResizeObserver(([entry]) => {
            const { width, height } = entry!.contentRect;
            if (width === 0 || height === 0) return;
            const middle = made.view.toSheet(made.view.free().x + made.view.free().w / 2, made.view.free().y + made.view.free().h / 2);
            made.view.inset = insetOf(live.current.inset);
            made.resize(width, height);
            if (first) live.current.open(made.view);
            else made.view.centre(middle);
            first = false;
            made.settle();
        });
        observer.observe(root.current!);
        return () => {
            observer.disconnect();
            made.dispose();
            engine.current = null;
        };
    }, [scene]);
    useLayoutEffect(() => {
        if (settled) engine.current?.setLaid(settled.k, narrow);
    }, [settled, narrow]);
    useEffect(() => engine.current?.repaint(), [theme]);
    const { inset } = props;
    useEffect(() => {
        const made = engine.current;
        if (!made || made.view.w === 0) return;
        made.view.inset = insetOf(inset);
        made.resize(made.view.w, made.view.h);
    }, [inset?.top, inset?.right, inset?.bottom, inset?.left]);
    return engine;
}

/** Moves the view just so far that a point of the sheet shows. */
export function reveal<H>(engine: Engine<H> | null, at: Point | undefined): void {
    if (!engine || !at) return;
    const { view } = engine;
    const free = inflate(view.free(), -46);
    const x = at.x * view.k + view.x;
    const y = at.y * view.k + view.y;
    const dx = x < free.x ? free.x - x : x > free.x + free.w ? free.x + free.w - x : 0;
    const dy = y < free.y ? free.y - y : y > free.y + free.h ? free.y + free.h - y : 0;
    if (dx === 0 && dy === 0) return;
    view.pan(dx, dy);
    engine.settle();
}

/** Keys that every map has: `+ − 0 Z`, Esc leaves. False if it is none of these. */
export function stageKey<H>(engine: Engine<H>, root: HTMLElement | null, key: string): boolean {
    if (key === "+" || key === "=") engine.zoomBy(1.4);
    else if (key === "-") engine.zoomBy(1 / 1.4);
    else if (key === "0" || key === "z" || key === "Z") {
        engine.view.fit();
        engine.settle();
    } else if (key === "Escape" && document.activeElement instanceof HTMLElement && root?.contains(document.activeElement)) {
        document.activeElement.blur();
    } else return false;
    return true;
}

/** May a key be the map's own: no modifier, and not typed in a control that stands over it. */
export function keyIsOurs(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey) return false;
    return !(event.target instanceof Element && event.target.closest("[data-board-ui]"));
}

/** Esc drops what is being dragged, wherever the focus is. */
export function useDragEscape<H>(engine: MutableRef<Engine<H> | null>, dragging: boolean): void {
    useEffect(() => {
        if (!dragging) return;
        const onKey = (event: KeyboardEvent): void => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            engine.current?.cancelDrag();
        };
        addEventListener("keydown", onKey, true);
        return () => removeEventListener("keydown", onKey, true);
    }, [dragging]);
}

/** The owner's handlers behind one object that never changes. */
export function forward<H>(owner: { current: Owner<H> }): Owner<H> {
    return {
        hitAt: (px, py, touch) => owner.current.hitAt(px, py, touch),
        ownsTaps: (hit) => owner.current.ownsTaps(hit),
        onTap: (hit, how) => owner.current.onTap(hit, how),
        onHover: (hit) => owner.current.onHover(hit),
        drag: (hit, touch) => owner.current.drag(hit, touch),
        onDragStart: (hit) => owner.current.onDragStart(hit),
        onDragMove: (px, py) => owner.current.onDragMove(px, py),
        onDragEnd: (px, py) => owner.current.onDragEnd(px, py),
        onDragCancel: () => owner.current.onDragCancel(),
        onFrame: (view) => owner.current.onFrame(view),
        onSettle: (view) => owner.current.onSettle(view),
    };
}

/** Has the reader asked that nothing moves, here or in the system. */
export function motionless(): boolean {
    return document.documentElement.dataset.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}
