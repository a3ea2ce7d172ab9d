/** A still piece of a sheet in a canvas, painted anew when scale, place or theme change. */
import { useEffect, useRef, type MutableRef } from "preact/hooks";
import { useTheme } from "./theme";
import type { Brushes } from "./tiles";

/** For the canvas that shows `width` by `height` px of the sheet at scale k from (x, y) on. */
export function usePainted(brushes: Brushes, k: number, x: number, y: number, width: number, height: number): MutableRef<HTMLCanvasElement | null> {
    const canvas = useRef<HTMLCanvasElement | null>(null);
    const theme = useTheme();
    useEffect(() => {
        const node = canvas.current;
        const ctx = node?.getContext("2d", { alpha: false });
        if (!node || !ctx) return;
        const ratio = Math.min(2, Math.max(1.25, devicePixelRatio));
        node.width = Math.round(width * ratio);
        node.height = Math.round(height * ratio);
        ctx.scale(ratio, ratio);
        brushes(node)(ctx, k, { x, y, w: width, h: height });
    }, [brushes, k, x, y, width, height, theme]);
    return canvas;
}
