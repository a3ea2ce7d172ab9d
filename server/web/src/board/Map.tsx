/** The map of a match: parchment sheet, roads, names, blocks, paths and marks. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { signal, type Signal } from "@preact/signals";
import { t } from "@/words";
import { ensureDefs } from "../ui/defs";
import { nations } from "../ui/army";
import { DragGhost, type Drag } from "./Drag";
import type { Engine, Owner, Scene } from "./engine";
import { Cartouche, FrameArt, Legend, slideFrame } from "./Frame";
import { bounds, inflate, type Rect } from "./geo";
import { hitAt, viaTown, type Hit } from "./hits";
import { nearest, neighbour, type Arrow } from "./keys";
import { layOut, stackBody, type Layout } from "./layout";
import { Lettering } from "./Lettering";
import { measurer, useFonts } from "./measure";
import { MiniMap } from "./MiniMap";
import { labelOfUnit, languageNow, nameOfTown, spokenTown } from "./names";
import { Over } from "./Over";
import { sheetBrushes } from "./paint";
import { drawKey, layoutKey } from "./same";
import { sheetOf, type Sheet } from "./sheet";
import { slideBlocks } from "./slide";
import { forward, keyIsOurs, reveal, settledAt, stageKey, useDragEscape, useStable, useStage, type Settled } from "./stage";
import { blockSize, standings } from "./stacks";
import { theFighting } from "./start";
import { Tools } from "./Tools";
import type { BoardMapProps, Marks } from "./types";
import type { View } from "./view";
import "./board.css";

export type * from "./types";
export { MapPicture } from "./MapPicture";
export { MiniMap } from "./MiniMap";
export { RecordStrip, SlotSign } from "./RecordStrip";

const noMarks: Marks = {};
const coarse = typeof matchMedia === "function" ? matchMedia("(pointer: coarse)") : undefined;

/** The board, as one composite widget. */
export function BoardMap(props: BoardMapProps): JSX.Element {
    ensureDefs();
    const sheet = sheetOf(props.board);
    const given = props.marks ?? noMarks;
    const marks = useStable(given, drawKey(given));
    const board = useStable(props.view.board, JSON.stringify([props.view.board.towns, props.view.board.units, props.view.board.attacks, Object.keys(props.view.board.battles ?? {})]));
    const root = useRef<HTMLDivElement>(null);
    const still = useRef<HTMLDivElement>(null);
    const moving = useRef<HTMLDivElement>(null);
    const frame = useRef<HTMLElement | null>(null);
    const movers = useRef<SVGGElement>(null);
    const [settled, setSettled] = useState<Settled | undefined>(undefined);
    const [drag, setDrag] = useState<Drag | undefined>(undefined);
    const [fanned, setFanned] = useState<string | undefined>(undefined);
    const [current, setCurrent] = useState<string | undefined>(undefined);
    const [folded, setFolded] = useState(false);
    const shown = useMemo(() => signal<Rect | undefined>(undefined), []);
    const fonts = useFonts();
    const language = languageNow();
    const narrow = (settled?.width ?? 1000) < 700;

    const places = useRef(new Map<string, string>());
    const layout = useLayoutOf(props, sheet, marks, board, settled, narrow, fonts, language, places.current);
    const avoid = useMemo(() => (layout ? taken(layout) : []), [layout]);
    const owner = useOwner({ props, sheet, layout, drag, setDrag, fanned, setFanned, setCurrent, root, setSettled, shown, frame });

    const scene = useMemo(() => sceneOf(sheet), [sheet]);
    const engine = useStage({ root, still, moving, scene, owner: forward(owner), open: (view) => openView(view, sheet, owner.current.props), inset: props.inset, settled, narrow });
    useFocusRequest(engine, sheet, given.focusRequest);
    useEffect(() => {
        if (given.focus) setCurrent(given.focus);
    }, [given.focus]);

    const before = useRef<Layout | undefined>(undefined);
    useLayoutEffect(() => {
        if (!layout) return;
        const last = before.current;
        before.current = layout;
        if (last && last !== layout && last.k === layout.k && movers.current) slideBlocks(sheet, last, layout, moving.current!, movers.current);
    }, [layout]);

    useDragEscape(engine, drag !== undefined);

    const focusTown = current && sheet.towns.has(current) ? current : firstTown(sheet, props);
    const go = (town: string): void => {
        setCurrent(town);
        root.current?.querySelector<HTMLElement>(`button[data-town="${CSS.escape(town)}"]`)?.focus({ preventScroll: true });
        reveal(engine.current, sheet.towns.get(town)?.at);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const made = engine.current;
        if (!made || !keyIsOurs(event)) return;
        if (event.key.startsWith("Arrow")) {
            event.preventDefault();
            const next = neighbour(sheet, focusTown, event.key as Arrow);
            if (next) go(next);
        } else stageKey(made, root.current, event.key);
    };

    const classes = ["board-map", marks.night ? "board-night" : "", drag ? "board-dragging" : "", props.class ?? ""].filter(Boolean).join(" ");
    const whole = settled !== undefined && settled.k <= (engine.current?.view.full ?? 0) * 1.02 && settled.width >= 900;
    const showMini = props.minimap !== false && !whole && (settled?.width ?? 0) >= 820;
    return (
        <div ref={root} id="board" class={classes} role="application" aria-label={t("map.label")} tabIndex={-1} onKeyDown={onKeyDown} onFocus={(event) => event.target === root.current && go(focusTown)}>
            <div ref={still} class="board-still" aria-hidden="true" />
            <div ref={moving} class="board-moving">
                <svg class="board-svg" aria-hidden="true" focusable="false">
                    <defs>
                        <pattern id="board-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                            <path d="M0,3.5H7" />
                        </pattern>
                    </defs>
                    {layout && settled && (
                        <>
                            <Lettering sheet={sheet} k={layout.k} window={settled.window} language={`${language} ${fonts}`} avoid={avoid} />
                            <Over sheet={sheet} layout={layout} marks={marks} mine={props.mine} fanned={fanned} label={labelOfUnit} language={language} />
                        </>
                    )}
                    <g ref={movers} />
                </svg>
                {layout && <TownButtons props={props} sheet={sheet} layout={layout} current={focusTown} onFocus={setCurrent} />}
            </div>
            <FrameArt hold={(node) => (frame.current = node)} />
            {whole && (
                <>
                    <Legend major={props.board.limits?.road_units.major ?? 8} minor={props.board.limits?.road_units.minor ?? 6} line={marks.deploymentLine ?? false} />
                    <Cartouche title={t("map.title")} subtitle={t("map.subtitle")} caption={props.caption} />
                </>
            )}
            {showMini && (
                <Tools.Mini folded={folded} onFold={setFolded}>
                    <MiniMap
                        board={props.board}
                        view={{ board }}
                        window={shown}
                        onMove={(x, y) => {
                            engine.current?.view.centre({ x, y });
                            engine.current?.settle();
                        }}
                    />
                </Tools.Mini>
            )}
            <Tools.Zoom
                onZoom={(factor) => engine.current?.zoomBy(factor)}
                onFit={() => {
                    const made = engine.current;
                    if (!made) return;
                    if (narrow && made.view.k <= made.view.full * 1.02) openView(made.view, sheet, { ...props, start: "fighting" });
                    else made.view.fit();
                    made.settle();
                }}
                inset={props.inset}
                high={whole}
                small={narrow}
            />
            {drag && <DragGhost drag={drag} units={props.view.board.units} />}
        </div>
    );
}

/** Where no river's name may run. */
function taken(layout: Layout): Rect[] {
    const names = layout.labels.filter((label) => !label.hidden).map((label) => label.rect);
    const badges = [...layout.pills, ...layout.forced, ...layout.tabs, ...layout.counts].map((badge) => badge.rect);
    return [...layout.stacks.map(stackBody), ...layout.rings.map((ring) => ring.rect), ...names, ...badges];
}

/** The engraved sheet, and blocks that keep their size. */
function sceneOf(sheet: Sheet): Scene {
    return { ground: sheet, brushes: sheetBrushes(sheet), block: blockSize };
}

/** The first view: the fighting, or what the owner wants. */
function openView(view: View, sheet: Sheet, props: BoardMapProps): void {
    const start = props.start ?? "fighting";
    const towns = start === "fit" ? undefined : start === "fighting" ? theFighting(sheet, props.view.board, props.mine ?? nations, (props.marks?.attacks ?? []).map((attack) => attack.town)) : start;
    const points = (towns ?? []).map((town) => sheet.towns.get(town)?.at).filter((p) => p !== undefined);
    if (points.length === 0) {
        view.fit();
        return;
    }
    const small = view.w < 900;
    view.show(inflate(bounds(points), 14), Math.max(view.full, small ? 8.6 : 11));
    if (!small || start === "fit") return;
    // A phone or tablet shows the heart of it in a size that can be touched, not all of it.
    view.k = Math.min(view.most, Math.max(view.k, 8.6));
    const middle = { x: points.reduce((sum, p) => sum + p.x, 0) / points.length, y: points.reduce((sum, p) => sum + p.y, 0) / points.length };
    view.centre(middle);
}

/** Where the keyboard starts: a town with own blocks, else the first. */
function firstTown(sheet: Sheet, props: BoardMapProps): string {
    const units = Object.values(props.view.board.units ?? {});
    const own = units.find((unit) => unit.town !== undefined && sheet.towns.has(unit.town))?.town;
    return own ?? [...sheet.towns.keys()][0] ?? "";
}

function useFocusRequest(engine: { current: Engine<Hit> | null }, sheet: Sheet, request: Marks["focusRequest"]): void {
    useEffect(() => {
        const made = engine.current;
        if (!request || !made || made.view.w === 0) return;
        const names = "town" in request ? [request.town] : request.towns;
        const points = names.map((town) => sheet.towns.get(town)?.at).filter((p) => p !== undefined);
        if (points.length === 0) return;
        const { view } = made;
        if (points.length === 1) {
            if (view.k < view.full * 1.35) view.k = Math.min(view.most, view.full * 1.7);
            view.centre(points[0]!);
        } else {
            view.show(inflate(bounds(points), 12), Math.max(view.k, view.full * 1.7));
        }
        made.settle();
    }, [request?.n]);
}

/** The layout, made anew only when something that it depends on has changed. */
function useLayoutOf(
    props: BoardMapProps,
    sheet: Sheet,
    marks: Marks,
    board: BoardMapProps["view"]["board"],
    settled: Settled | undefined,
    narrow: boolean,
    fonts: number,
    language: string,
    places: Map<string, string>,
): Layout | undefined {
    const key = layoutKey(marks);
    const mine = (props.mine ?? []).join();
    return useMemo(() => {
        if (!settled) return undefined;
        const made = layOut({
            sheet,
            board,
            side: props.view.turn?.side,
            marks,
            k: settled.k,
            narrow,
            window: inflate(settled.window, -16),
            before: places,
            mine: props.mine,
            name: (town) => nameOfTown(town, sheet.towns.get(town)?.name ?? town),
            measure: measurer(),
            attackText: (count, min) => (count < min ? t("map.attack.short", { count, needed: min - count }) : t("map.attack", { count, min })),
        });
        places.clear();
        for (const label of made.labels) places.set(label.id, label.place);
        return made;
    }, [sheet, board, key, settled?.k, settled?.width, settled?.height, narrow, fonts, language, mine]);
}

interface Holding {
    props: BoardMapProps;
    sheet: Sheet;
    layout: Layout | undefined;
    drag: Drag | undefined;
    setDrag: (drag: Drag | undefined) => void;
    fanned: string | undefined;
    setFanned: (town: string | undefined) => void;
    setCurrent: (town: string) => void;
    setSettled: (settled: Settled) => void;
    shown: Signal<Rect | undefined>;
    root: { current: HTMLDivElement | null };
    frame: { current: HTMLElement | null };
}

/** Handlers that see the newest props, whenever they were given to the engine. */
function useOwner(now: Holding): { current: Owner<Hit> & { props: BoardMapProps } } {
    const live = useRef(now);
    live.current = now;
    const hovered = useRef<string | undefined>(undefined);
    const timer = useRef(0);
    const made = useRef<Owner<Hit> & { props: BoardMapProps }>(undefined as unknown as Owner<Hit> & { props: BoardMapProps });
    const sheetPoint = (px: number, py: number): { x: number; y: number } => ({ x: px - viewNow.current.x, y: py - viewNow.current.y });
    const viewNow = useRef({ x: 0, y: 0, k: 1 });
    made.current = {
        props: now.props,
        hitAt(px, py, touch) {
            const { layout, fanned, sheet } = live.current;
            if (!layout) return undefined;
            const p = sheetPoint(px, py);
            const ratio = layout.k / viewNow.current.k;
            return hitAt(sheet, layout, { x: p.x * ratio, y: p.y * ratio }, touch ? 44 : 28, fanned, live.current.props.marks?.legalTowns);
        },
        ownsTaps: (hit) => hit.kind === "unit",
        onTap(hit, how) {
            const { props, layout, setFanned } = live.current;
            if (!hit) {
                setFanned(undefined);
                return;
            }
            if (how.touch && hit.kind !== "road") setFanned(fannable(layout, hit.kind === "unit" ? hit.town : hit.id));
            if (hit.kind === "road") props.onRoad?.(hit.id);
            else if (hit.kind === "town") {
                if (props.onStack && (how.shift || (hit.name && ownStack(props, hit.id)))) props.onStack(hit.id);
                else props.onTown?.(hit.id, { shift: how.shift, keyboard: false });
            } else if (how.shift && props.onStack) props.onStack(hit.town);
            else if (props.onBlock) props.onBlock(hit.id, { shift: how.shift });
            else props.onTown?.(hit.town, { shift: how.shift, keyboard: false });
        },
        onHover(hit) {
            const { props, root, setFanned, fanned, layout } = live.current;
            const town = hit?.kind === "unit" ? hit.town : hit?.kind === "town" ? hit.id : undefined;
            const list = root.current?.classList;
            const may = hit?.kind === "unit" && (props.marks?.choosable?.has(hit.id) ?? false);
            list?.toggle("board-over-unit", may);
            list?.toggle("board-over-town", hit !== undefined && !may);
            if (town === hovered.current) return;
            hovered.current = town;
            props.onHoverTown?.(town);
            clearTimeout(timer.current);
            if (fanned && fanned !== town) setFanned(undefined);
            const wanted = town && fannable(layout, town);
            if (wanted) timer.current = window.setTimeout(() => setFanned(wanted), 380);
        },
        drag(hit, touch) {
            const { props } = live.current;
            if (hit.kind !== "unit" || !props.onDragBlocks || !props.marks?.choosable?.has(hit.id)) return "no";
            return !touch || props.marks.selected?.has(hit.id) ? "now" : "hold";
        },
        onDragStart(hit) {
            if (hit.kind !== "unit") return;
            const { props, setDrag, setFanned } = live.current;
            clearTimeout(timer.current);
            setFanned(undefined);
            const selected = props.marks?.selected;
            const units = props.dragSet?.(hit.id) ?? (selected?.has(hit.id) ? [...selected] : [hit.id]);
            setDrag({ units, from: hit.town, x: 0, y: 0, via: [], over: undefined });
        },
        onDragMove(px, py) {
            const { props, setDrag, drag, sheet, layout } = live.current;
            if (!drag || !layout) return;
            const hit = this.hitAt(px, py, true);
            const over = hit?.kind === "unit" ? hit.town : hit?.kind === "town" ? hit.id : undefined;
            const via = viaTown(sheet, drag, over);
            const target = over !== drag.from || via.length > 0 ? over : undefined;
            const reason = target ? props.dropReason?.(drag.units, target) : undefined;
            const note = target ? (reason ?? props.dropNote?.(drag.units, target)) : undefined;
            if (target !== drag.over) props.onHoverTown?.(target);
            const next = { ...drag, x: px, y: py, via, over: target, note, barred: reason !== undefined };
            live.current.drag = next;
            setDrag(next);
        },
        onDragEnd() {
            const { props, setDrag, drag } = live.current;
            setDrag(undefined);
            props.onHoverTown?.(undefined);
            if (!drag?.over || drag.barred) return;
            const passed = drag.via.filter((town) => town !== drag.over && town !== drag.from);
            props.onDragBlocks?.(drag.units, drag.over, passed);
        },
        onDragCancel() {
            live.current.setDrag(undefined);
            live.current.props.onHoverTown?.(undefined);
        },
        onFrame(view) {
            viewNow.current = { x: view.x, y: view.y, k: view.k };
            if (live.current.frame.current) slideFrame(live.current.frame.current, view);
            live.current.shown.value = view.window();
        },
        onSettle(view) {
            viewNow.current = { x: view.x, y: view.y, k: view.k };
            live.current.shown.value = view.window();
            live.current.setSettled(settledAt(view));
        },
    };
    return made;
}

/** Does its name stand for own blocks that may be chosen, rather than for a place to go to? */
function ownStack(props: BoardMapProps, town: string): boolean {
    const { marks } = props;
    if (marks?.legalTowns?.has(town) || marks?.rings?.[town] === "legal") return false;
    return Object.entries(props.view.board.units ?? {}).some(([id, unit]) => unit.town === town && (marks?.choosable?.has(id) ?? false));
}

/** A stack worth fanning: own blocks, small on the screen. */
function fannable(layout: Layout | undefined, town: string): string | undefined {
    const stack = layout?.stacks.find((one) => one.town === town);
    return stack && stack.blocks.length > 1 && stack.s < 46 ? town : undefined;
}

/** One button a town: what the keyboard and a screen reader find. Pointers are the engine's. */
function TownButtons(given: { props: BoardMapProps; sheet: Sheet; layout: Layout; current: string; onFocus: (town: string) => void }): JSX.Element {
    const { props, sheet, layout } = given;
    const least = coarse?.matches ? 44 : 28;
    const shown = new Map(standings(props.view.board).map((standing) => [standing.town, standing]));
    return (
        <div class="board-towns">
            {layout.hits.map(({ town, rect }) => {
                const w = Math.max(least, rect.w);
                const h = Math.max(least, rect.h);
                const name = nameOfTown(town, sheet.towns.get(town)?.name ?? town);
                const note = props.townNote?.(town);
                const spoken = spokenTown(name, shown.get(town));
                return (
                    <button
                        key={town}
                        type="button"
                        class="board-town"
                        data-town={town}
                        tabIndex={town === given.current ? 0 : -1}
                        aria-label={note ? `${spoken}. ${note}` : spoken}
                        title={layout.labels.find((label) => label.id === town)?.hidden ? name : undefined}
                        style={{ width: `${w}px`, height: `${h}px`, transform: `translate(${rect.x + rect.w / 2 - w / 2}px,${rect.y + rect.h / 2 - h / 2}px)` }}
                        onFocus={() => given.onFocus(town)}
                        onClick={(event) => {
                            // With a pointer the engine has told of it already; this is Enter, Space or an aid.
                            if (event.detail === 0) props.onTown?.(town, { shift: event.shiftKey, keyboard: true });
                        }}
                    />
                );
            })}
        </div>
    );
}

export type { Hit };
export { nearest };
