/** The frame of every small map. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Signal } from "@preact/signals";
import type { Rect } from "./geo";
import "./board.css";

export interface MiniSheetProps {
    /** The whole sheet, in its own units. */
    extent: Rect;
    width: number;
    height: number;
    /** What the big map shows, in the same units. */
    window: Rect | Signal<Rect | undefined> | undefined;
    onMove: ((x: number, y: number) => void) | undefined;
    label: string;
    /** What is drawn; a pixel is `unit` units of the sheet. */
    draw: (unit: number) => ComponentChildren;
}

/** A sheet in a corner: its paper, the window of the big map over it, and moving that by hand. */
export function MiniSheet(props: MiniSheetProps): JSX.Element {
    const { extent, width, height } = props;
    const scale = Math.min((width - 8) / extent.w, (height - 8) / extent.h);
    const w = width / scale;
    const h = height / scale;
    const x = extent.x + extent.w / 2 - w / 2;
    const y = extent.y + extent.h / 2 - h / 2;
    const move = (event: PointerEvent): void => {
        if (!props.onMove || !(event.currentTarget instanceof Element)) return;
        const box = event.currentTarget.getBoundingClientRect();
        props.onMove(x + ((event.clientX - box.left) / box.width) * w, y + ((event.clientY - box.top) / box.height) * h);
    };
    const holder = useRef<HTMLDivElement>(null);
    const shown = props.window;
    useEffect(() => {
        const node = holder.current;
        if (!node || !shown) return;
        // Set by hand: while the big map moves, one transform changes here and nothing is drawn.
        const put = (r: Rect | undefined): void => {
            if (!r) return;
            const w = `${(r.w * scale).toFixed(1)}px`;
            const h = `${(r.h * scale).toFixed(1)}px`;
            if (node.style.width !== w) node.style.width = w;
            if (node.style.height !== h) node.style.height = h;
            node.style.transform = `translate(${((r.x - x) * scale).toFixed(1)}px,${((r.y - y) * scale).toFixed(1)}px)`;
        };
        if (!("subscribe" in shown)) {
            put(shown);
            return;
        }
        return shown.subscribe(put);
    }, [shown, scale, x, y]);
    return (
        <div
            class="mini-holder"
            style={{ width: `${width}px`, height: `${height}px` }}
            onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                move(event);
            }}
            onPointerMove={(event) => event.buttons > 0 && move(event)}
        >
            <svg class="mini" width={width} height={height} viewBox={`${x} ${y} ${w} ${h}`} role="img" aria-label={props.label}>
                <rect class="mini-paper" x={x} y={y} width={w} height={h} />
                {props.draw(1 / scale)}
            </svg>
            {shown && <div ref={holder} class="mini-window" />}
        </div>
    );
}
