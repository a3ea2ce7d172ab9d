/** The grip of the sheet from below: drag it, press it, or use the arrows; it stops at three heights. */
import { useRef } from "preact/hooks";
import { usePlay, type Stop } from "@/play/state";
import { t } from "@/words";

const STOPS: readonly Stop[] = ["low", "half", "high"];
const SHARE: Record<Stop, (height: number) => number> = {
    low: () => 112,
    half: (height) => height * 0.45,
    high: (height) => height * 0.9,
};

/** Height of the sheet at a stop, in px, for a page that high. */
export function heightAt(stop: Stop, height: number): number {
    return Math.round(SHARE[stop](height));
}

export function SheetHandle() {
    const { stop } = usePlay();
    const from = useRef<{ y: number; moved: boolean } | null>(null);
    const step = (by: number): void => {
        const at = STOPS.indexOf(stop.value) + by;
        stop.value = STOPS[Math.max(0, Math.min(2, at))] ?? "half";
    };
    return (
        <button
            type="button"
            class="sheet-handle"
            aria-label={t(stop.value === "high" ? "play.sheet_down" : "play.sheet_up")}
            onPointerDown={(event) => {
                from.current = { y: event.clientY, moved: false };
                event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
                const start = from.current;
                if (start === null || Math.abs(event.clientY - start.y) < 36) return;
                step(event.clientY < start.y ? 1 : -1);
                from.current = { y: event.clientY, moved: true };
            }}
            onPointerUp={() => setTimeout(() => (from.current = null))}
            onClick={() => {
                if (from.current?.moved) return;
                stop.value = stop.value === "low" ? "half" : stop.value === "half" ? "high" : "low";
            }}
            onKeyDown={(event) => {
                if (event.key === "ArrowUp") step(1);
                else if (event.key === "ArrowDown") step(-1);
                else return;
                event.preventDefault();
            }}
        >
            <span class="grip" />
        </button>
    );
}
