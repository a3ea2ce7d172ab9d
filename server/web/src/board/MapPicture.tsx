/** A still picture of a part of the map with what stands there, for cards. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { HiddenPileArt } from "../ui/BlockArt";
import { armyName, type Nation } from "../ui/army";
import { townName } from "@/words";
import { pathData } from "./curves";
import { bounds } from "./geo";
import { inkOf, paint } from "./paint";
import { lineThrough, sheetOf, type Sheet } from "./sheet";
import { placeStacks, standings } from "./stacks";
import type { MapPictureProps } from "./types";
import { useTheme } from "./theme";
import "./board.css";

/** Paints the same sheet as the big map; blocks are piles, whoever looks. */
export function MapPicture(props: MapPictureProps): JSX.Element {
    const { width, height } = props;
    const canvas = useRef<HTMLCanvasElement>(null);
    const theme = useTheme();
    const sheet = sheetOf(props.board);
    const wanted = props.crop ?? Object.keys(props.view.board.towns);
    const points = wanted.map((town) => sheet.towns.get(town)?.at).filter((p) => p !== undefined);
    const box = points.length > 0 ? bounds(points) : sheet.middle;
    const k = Math.min(9, width / (box.w + 34), height / (box.h + 30));
    const x = (box.x + box.w / 2) * k - width / 2;
    const y = (box.y + box.h / 2) * k - height / 2;
    useEffect(() => {
        const node = canvas.current;
        const ctx = node?.getContext("2d", { alpha: false });
        if (!node || !ctx) return;
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        node.width = Math.round(width * ratio);
        node.height = Math.round(height * ratio);
        ctx.scale(ratio, ratio);
        paint(ctx, sheet, inkOf(node), k, { x, y, w: width, h: height });
    }, [sheet, k, x, y, width, height, theme]);
    const s = k > 4.5 ? 22 : k > 3 ? 18 : 15;
    const list = standings({ towns: props.view.board.towns });
    const stacks = placeStacks(sheet, list, k, s);
    return (
        <div
            class="map-picture"
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            style={{ width: `${width}px`, height: `${height}px` }}
        >
            <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />
            <svg width={width} height={height} viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true" focusable="false">
                {stacks.map((stack) =>
                    stack.piles.map(({ pile, x: px, y: py }) => (
                        <g key={`${stack.town} ${pile.army}`} transform={`translate(${stack.box.x + px},${stack.box.y + py})`}>
                            <HiddenPileArt army={pile.army} count={pile.count} size={stack.hidden} />
                        </g>
                    )),
                )}
                {props.route && <RouteLine sheet={sheet} k={k} towns={props.route.towns} army={props.route.army} />}
                {props.names?.map((town) => (
                    <TownLabel key={town} sheet={sheet} k={k} town={town} />
                ))}
            </svg>
        </div>
    );
}

/** The way of a force: from the ring it leaves to the one it comes to. */
function RouteLine(props: { sheet: Sheet; k: number; towns: readonly string[]; army: Nation }): JSX.Element | null {
    const { sheet, k, towns } = props;
    const line = lineThrough(sheet, towns);
    const last = line[line.length - 1];
    if (line.length < 2 || last === undefined) return null;
    const d = pathData(line, k);
    const color = `var(--path-${props.army}, var(--${armyName[props.army]}))`;
    return (
        <g fill="none" stroke-linecap="round" stroke-linejoin="round">
            <path d={d} stroke="var(--map-halo)" stroke-width="8" />
            <path d={d} stroke={color} stroke-width="4.5" />
            <circle cx={last.x * k} cy={last.y * k} r="9" fill="var(--gold-fill)" stroke="var(--ink)" stroke-width="1.4" />
            <circle cx={last.x * k} cy={last.y * k} r="3" fill="var(--ink)" />
        </g>
    );
}

/** A town's name beside its ring, on a halo of paper. */
function TownLabel(props: { sheet: Sheet; k: number; town: string }): JSX.Element | null {
    const at = props.sheet.towns.get(props.town)?.at;
    if (at === undefined) return null;
    return (
        <text
            x={at.x * props.k + 12}
            y={at.y * props.k + 4}
            fill="var(--map-label)"
            stroke="var(--map-halo)"
            stroke-width="3.4"
            paint-order="stroke"
            font-family="var(--serif)"
            font-size="14.5"
        >
            {townName(props.town)}
        </text>
    );
}
