/** The hex map of a match: engraved sheet, counters, paths, combats and marks. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { signal, type Signal } from "@preact/signals";
import { t } from "@/words";
import type { Engine, Owner, Scene } from "../board/engine";
import { Cartouche, FrameArt, slideFrame } from "../board/Frame";
import type { Rect } from "../board/geo";
import { measurer, useFonts } from "../board/measure";
import { forward, keyIsOurs, reveal, settledAt, stageKey, useDragEscape, useStable, useStage, type Settled } from "../board/stage";
import { Tools } from "../board/Tools";
import { band, type View } from "../board/view";
import { ensureDefs } from "../ui/defs";
import { DragGhost, type HexDrag } from "./Drag";
import { shownNow } from "./faces";
import { centre } from "./geo";
import { HexButtons } from "./Buttons";
import { Hover } from "./Hover";
import { hexHitAt, hexOf, viaHex, type HexHit } from "./hits";
import { isStep, stepFrom } from "./keys";
import { layOutHexes, type HexLayout } from "./layout";
import { HexLegend } from "./Legend";
import { HexMiniMap } from "./MiniMap";
import { languageNow, placeOf } from "./names";
import { Over } from "./Over";
import { hexBrushes } from "./paint";
import { hexSheetOf, type HexSheet } from "./sheet";
import { endSlides, slideCounters } from "./slide";
import { showHexes, theFighting } from "./start";
import type { Hex, HexMapProps, HexMarks, HexUnit, HexView } from "./types";
import "../board/board.css";
import "./hex.css";

export type * from "./types";
export { Counter, CounterArt, SideMark, SideTile } from "./Counter";
export { HexMiniMap } from "./MiniMap";
export { HexPicture } from "./Picture";

const noMarks: HexMarks = {};
/** Lengths of the frame's bars: two hexes. */
const bar = { x: 2, y: 2 };
/** Room beside the field that legend and cartouche want, px: the one covers nothing, the other no more than a corner. */
const besideRoom = 180;
const plain = (_: string, value: unknown): unknown => (value instanceof Set ? [...value].sort() : value);

/** All of the marks that is drawn. */
function drawKey(marks: HexMarks): string {
    const { focusRequest: _, choosable: __, focus: ___, ...drawn } = marks;
    return JSON.stringify(drawn, plain);
}

/** All of the marks that moves names and odds. */
function layoutKey(marks: HexMarks): string {
    const { combats, ghosts, urgent, legal } = marks;
    return JSON.stringify([combats, ghosts, Object.keys(urgent ?? {}), (legal ?? []).filter((mark) => mark.note !== undefined)]);
}

function sceneOf(sheet: HexSheet): Scene {
    return { ground: sheet, brushes: hexBrushes(sheet), block: () => 1 };
}

/** The board, as one composite widget. */
export function HexMap(props: HexMapProps): JSX.Element {
    ensureDefs();
    const sheet = hexSheetOf(props.board);
    const game = props.game ?? "austerlitz";
    const given = props.marks ?? noMarks;
    const marks = useStable(given, drawKey(given));
    const mine = useStable(props.mine ?? [], (props.mine ?? []).join());
    const view: HexView = useStable(props.view, JSON.stringify([props.view.turn, props.view.board]));
    const root = useRef<HTMLDivElement>(null);
    const still = useRef<HTMLDivElement>(null);
    const moving = useRef<HTMLDivElement>(null);
    const frame = useRef<HTMLElement | null>(null);
    const [settled, setSettled] = useState<Settled | undefined>(undefined);
    const [drag, setDrag] = useState<HexDrag | undefined>(undefined);
    const [current, setCurrent] = useState<Hex | undefined>(undefined);
    const [spoken, setSpoken] = useState<number | undefined>(undefined);
    const [folded, setFolded] = useState(false);
    const shown = useMemo(() => signal<Rect | undefined>(undefined), []);
    const hovered = useMemo(() => signal<Hex | undefined>(undefined), []);
    const fonts = useFonts();
    const language = languageNow();
    const narrow = (settled?.width ?? 1000) < 700;
    const covered = coveredBy(settled, props.minimap !== false && !folded, narrow);
    const layout = useLayout({ covered, sheet, game, view, marks, spoken, settled, inset: props.inset, fonts, language });
    const owner = useOwner({ props, sheet, marks: given, view, layout, drag, setDrag, setSpoken, root, setSettled, shown, hovered, frame });
    const scene = useMemo(() => sceneOf(sheet), [sheet]);
    const open = (made: View): void => {
        const start = props.start ?? "fighting";
        if (start === "fit") made.fit();
        else showHexes(made, start === "fighting" ? theFighting(view, mine, given) : start);
    };
    const engine = useStage<HexHit>({ root, still, moving, scene, owner: forward(owner), open, inset: props.inset, settled, narrow });
    useFocusRequest(engine, given.focusRequest);
    useEffect(() => {
        if (given.focus) setCurrent(given.focus);
    }, [given.focus]);
    useDragEscape(engine, drag !== undefined);
    useSlides(view.board.units, layout, marks, moving);

    const focusHex = current ?? firstHex(sheet, view, marks, mine);
    const go = (hex: Hex): void => {
        setCurrent(hex);
        root.current?.querySelector<HTMLElement>(`button[data-hex="${hex}"]`)?.focus({ preventScroll: true });
        reveal(engine.current, centre(hex));
    };
    const onKeyDown = (event: KeyboardEvent): void => {
        const made = engine.current;
        if (moving.current) endSlides(moving.current);
        if (!made || !keyIsOurs(event)) return;
        if (!isStep(event.key)) {
            stageKey(made, root.current, event.key);
            return;
        }
        event.preventDefault();
        const next = stepFrom(sheet.grid, focusHex, event.key);
        if (next) go(next);
    };
    const onFocusHex = (hex: Hex): void => {
        setCurrent(hex);
        setSpoken(combatAt(given, hex));
        props.onHoverHex?.(hex);
    };

    const { fog, night } = view.turn ?? {};
    const classes = ["board-map", "hex-map", fog ? "hex-fog" : "", night ? "board-night hex-night" : "", drag ? "board-dragging" : "", props.class ?? ""].filter(Boolean).join(" ");
    const whole = settled !== undefined && settled.k <= (engine.current?.view.full ?? 0) * 1.02 && settled.width >= 900;
    const showMini = props.minimap !== false && !whole && (settled?.width ?? 0) >= 820;
    return (
        <div
            ref={root}
            id="board"
            class={classes}
            role="application"
            aria-label={t("hex.label")}
            tabIndex={-1}
            onKeyDown={onKeyDown}
            onPointerDown={() => moving.current && endSlides(moving.current)}
            onFocus={(event) => event.target === root.current && go(focusHex)}
        >
            <div ref={still} class="board-still" aria-hidden="true" />
            <div class="hex-veil" aria-hidden="true" />
            <div ref={moving} class="board-moving">
                <svg class="board-svg" aria-hidden="true" focusable="false">
                    <defs>
                        <pattern id="hex-hatch" class="hex-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
                            <path d="M0,3.5H7" />
                        </pattern>
                    </defs>
                    {layout && <Over sheet={sheet} layout={layout} view={view} marks={marks} shown={shownNow(view, mine)} language={language} exitText={t("hex.exit.vienna")} mine={mine} />}
                    {layout && <Hover.Outline hovered={hovered} k={layout.k} />}
                </svg>
                {layout && (
                    <HexButtons
                        sheet={sheet}
                        game={game}
                        view={view}
                        marks={marks}
                        k={layout.k}
                        current={focusHex}
                        note={props.hexNote}
                        onFocus={onFocusHex}
                        onOpen={(hex, shift) => openHex(props, hex, { shift, keyboard: true })}
                    />
                )}
            </div>
            <FrameArt hold={(node) => (frame.current = node)} />
            <Hover.Readout hovered={hovered} sheet={sheet} game={game} view={view} note={props.hexNote} />
            {whole && settled.width - sheet.middle.w * settled.k >= 2 * besideRoom && (
                <>
                    <HexLegend />
                    <Cartouche title={t("hex.title")} subtitle={t("hex.subtitle")} caption={props.caption} />
                </>
            )}
            {showMini && (
                <Tools.Mini folded={folded} onFold={setFolded}>
                    <HexMiniMap
                        board={props.board}
                        view={view}
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
                    if (narrow && made.view.k <= made.view.full * 1.02) showHexes(made.view, theFighting(view, mine, given));
                    else made.view.fit();
                    made.settle();
                }}
                inset={props.inset}
                high={whole}
                small={narrow}
            />
            {drag && <DragGhost drag={drag} unit={view.board.units[drag.from]} />}
        </div>
    );
}

/** Enter, a click or a tap on a hex. */
function openHex(props: HexMapProps, hex: Hex, how: { shift: boolean; keyboard: boolean }): void {
    if (props.view.board.units[hex] && props.onUnit) props.onUnit(hex, how);
    else props.onHex?.(hex, how);
}

/** Where the keyboard starts: what is selected, an own counter, any counter, else the first hex. */
function firstHex(sheet: HexSheet, view: HexView, marks: HexMarks, mine: readonly string[]): Hex {
    const counters = Object.entries(view.board.units);
    const own = counters.find(([, unit]) => mine.includes(unit.side)) ?? counters[0];
    return marks.selected?.[0] ?? own?.[0] ?? sheet.hexes[0]?.hex ?? "";
}

/** The combat in which the counter at a hex takes part. */
function combatAt(marks: HexMarks, hex: Hex | undefined): number | undefined {
    if (hex === undefined) return undefined;
    return marks.combats?.find((one) => one.kind !== "done" && (one.ice === hex || [...one.contact, ...one.bombard, ...one.defenders].includes(hex)))?.n;
}

function useFocusRequest(engine: { current: Engine<HexHit> | null }, request: HexMarks["focusRequest"]): void {
    useEffect(() => {
        const made = engine.current;
        if (!request || !made || made.view.w === 0 || request.hexes.length === 0) return;
        if (request.hexes.length === 1 && made.view.k >= 30) made.view.centre(centre(request.hexes[0]!));
        else showHexes(made.view, request.hexes, Math.max(46, made.view.k));
        made.settle();
    }, [request?.n]);
}

/** Slides counters when the board has changed at the same scale. */
function useSlides(units: Readonly<Record<Hex, HexUnit>>, layout: HexLayout | undefined, marks: HexMarks, moving: { current: HTMLElement | null }): void {
    const before = useRef<Readonly<Record<Hex, HexUnit>> | undefined>(undefined);
    useLayoutEffect(() => {
        const last = before.current;
        before.current = units;
        if (last && last !== units && layout && moving.current) slideCounters(moving.current, last, units, marks.paths ?? [], layout.k);
    }, [units]);
}

interface ToLayOut {
    covered: readonly Rect[];
    sheet: HexSheet;
    game: string;
    view: HexView;
    marks: HexMarks;
    spoken: number | undefined;
    settled: Settled | undefined;
    inset: HexMapProps["inset"];
    fonts: number;
    language: string;
}

/** The part of a window that no sheet covers, frame left out. */
function uncovered(window: Rect, inset: HexMapProps["inset"]): Rect {
    const [top, right, bottom, left] = [band + (inset?.top ?? 0), band + (inset?.right ?? 0), band + (inset?.bottom ?? 0), band + (inset?.left ?? 0)];
    return { x: window.x + left, y: window.y + top, w: Math.max(60, window.w - left - right), h: Math.max(60, window.h - top - bottom) };
}

/** Small map and buttons that stand over the window, as they are placed in board.css; px of the sheet. */
function coveredBy(settled: Settled | undefined, mini: boolean, narrow: boolean): Rect[] {
    if (settled === undefined) return [];
    const { window, width, height } = settled;
    const bottom = window.y + height - 28;
    const zoom = { x: window.x + width - 64, y: bottom - 112, w: 40, h: 112 };
    return [...(narrow ? [] : [zoom]), ...(mini && width >= 820 ? [{ x: window.x + 24, y: bottom - 200, w: 224, h: 200 }] : [])];
}

/** The layout, made anew only when something that it depends on has changed; the window matters to odds alone. */
function useLayout(given: ToLayOut): HexLayout | undefined {
    const { covered, sheet, game, view, marks, spoken, settled, inset, fonts, language } = given;
    const places = useRef(new Map<string, string>());
    const window = (marks.combats?.length ?? 0) > 0 ? settled : undefined;
    return useMemo(() => {
        if (!settled) return undefined;
        const made = layOutHexes({
            sheet,
            units: view.board.units,
            marks,
            spoken,
            k: settled.k,
            window: uncovered(settled.window, inset),
            covered,
            name: (hex) => placeOf(sheet, game, hex),
            measure: measurer(),
            before: places.current,
        });
        places.current = new Map(made.names.map((label) => [label.id, label.place]));
        return made;
    }, [sheet, game, view.board.units, layoutKey(marks), spoken, settled?.k, settled?.width, settled?.height, window, covered.length, JSON.stringify(inset ?? {}), fonts, language]);
}

interface Holding {
    props: HexMapProps;
    sheet: HexSheet;
    marks: HexMarks;
    view: HexView;
    layout: HexLayout | undefined;
    drag: HexDrag | undefined;
    setDrag: (drag: HexDrag | undefined) => void;
    setSpoken: (n: number | undefined) => void;
    setSettled: (settled: Settled) => void;
    shown: Signal<Rect | undefined>;
    hovered: Signal<Hex | undefined>;
    root: { current: HTMLDivElement | null };
    frame: { current: HTMLElement | null };
}

/** Handlers that see the newest props, whenever they were given to the engine. */
function useOwner(now: Holding): { current: Owner<HexHit> } {
    const live = useRef(now);
    live.current = now;
    const viewNow = useRef({ x: 0, y: 0, k: 1 });
    const made = useRef<Owner<HexHit> | undefined>(undefined);
    made.current ??= ownerOf(live, viewNow);
    return made as { current: Owner<HexHit> };
}

function ownerOf(live: { current: Holding }, viewNow: { current: { x: number; y: number; k: number } }): Owner<HexHit> {
    const hitAt = (px: number, py: number, touch: boolean): HexHit | undefined => {
        const { layout, sheet, marks, view, props } = live.current;
        if (!layout) return undefined;
        const ratio = layout.k / viewNow.current.k;
        const p = { x: (px - viewNow.current.x) * ratio, y: (py - viewNow.current.y) * ratio };
        return hexHitAt({ sheet, layout, marks, units: view.board.units, touch, combats: props.onCombat !== undefined }, p);
    };
    const hover = (hex: Hex | undefined): void => {
        const { hovered, marks, setSpoken, props } = live.current;
        if (hovered.peek() === hex) return;
        hovered.value = hex;
        setSpoken(combatAt(marks, hex));
        props.onHoverHex?.(hex);
    };
    const settle = (view: View): void => {
        viewNow.current = { x: view.x, y: view.y, k: view.k };
        live.current.shown.value = view.window();
    };
    return {
        hitAt,
        ownsTaps: (hit) => hit.kind !== "hex" || live.current.marks.legal?.some((mark) => mark.hex === hit.hex) === true,
        onTap(hit, how) {
            const { props } = live.current;
            if (!hit) return;
            if (hit.kind === "combat") props.onCombat?.(hit.n);
            else if (hit.kind === "bridge") props.onBridge?.(hit.bridge);
            else if (hit.kind === "side") props.onHexside?.(hit.a, hit.b);
            else if (hit.kind === "exit") props.onExit?.(hit.hex, hit.edge);
            else openHex(props, hit.hex, { shift: how.shift, keyboard: false });
        },
        onHover(hit) {
            const { marks, root } = live.current;
            const list = root.current?.classList;
            const hex = hexOf(hit);
            const may = hit?.kind === "unit" && (marks.choosable?.has(hit.hex) ?? false);
            const target = hit !== undefined && (hit.kind !== "hex" && hit.kind !== "unit" ? true : (marks.legal?.some((mark) => mark.hex === hex) ?? false));
            list?.toggle("board-over-unit", may || target);
            hover(hex);
        },
        drag(hit, touch) {
            const { props, marks } = live.current;
            if (hit.kind !== "unit" || !props.onDragUnit || !marks.choosable?.has(hit.hex)) return "no";
            return !touch || marks.selected?.includes(hit.hex) ? "now" : "hold";
        },
        onDragStart(hit) {
            if (hit.kind !== "unit") return;
            live.current.props.onDragStart?.(hit.hex);
            live.current.setDrag({ from: hit.hex, x: 0, y: 0, via: [], over: undefined, note: undefined, barred: false });
        },
        onDragMove(px, py) {
            const { props, setDrag, drag } = live.current;
            if (!drag) return;
            const hex = hexOf(hitAt(px, py, false));
            const via = viaHex(drag.from, drag.via, hex);
            const over = hex === drag.from && via.length === 0 ? undefined : hex;
            const reason = over ? props.dropReason?.(drag.from, over) : undefined;
            const note = over ? (reason ?? props.dropNote?.(drag.from, over)) : undefined;
            const next: HexDrag = { ...drag, x: px, y: py, via, over, note, barred: reason !== undefined };
            live.current.drag = next;
            setDrag(next);
            hover(over);
        },
        onDragEnd() {
            const { props, setDrag, drag } = live.current;
            setDrag(undefined);
            hover(undefined);
            if (!drag?.over || drag.barred) return;
            props.onDragUnit?.(drag.from, drag.over, drag.via.filter((hex) => hex !== drag.over && hex !== drag.from));
        },
        onDragCancel() {
            live.current.setDrag(undefined);
            hover(undefined);
        },
        onFrame(view) {
            settle(view);
            if (live.current.frame.current) slideFrame(live.current.frame.current, view, bar);
        },
        onSettle(view) {
            settle(view);
            live.current.setSettled(settledAt(view));
        },
    };
}
