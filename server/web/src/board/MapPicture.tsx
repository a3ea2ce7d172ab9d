/** A still picture of a part of the map with what stands there, for cards. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { HiddenPileArt } from "../ui/BlockArt";
import { bounds } from "./geo";
import { inkOf, paint } from "./paint";
import { sheetOf } from "./sheet";
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
            </svg>
        </div>
    );
}
