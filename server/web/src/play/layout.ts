/** How the page is laid out at this size: one signal that everything on it reads. */
import { signal, type Signal } from "@preact/signals";

/** wide: from 1800; desk: from 1200; mid: from 900; sheet: from 600; phone: below; land: a phone lying down. */
export type Layout = "wide" | "desk" | "mid" | "sheet" | "phone" | "land";

function now(): Layout {
    const { innerWidth: w, innerHeight: h } = window;
    if (h < 500 && w >= 560) return "land";
    if (w >= 1800) return "wide";
    if (w >= 1200) return "desk";
    if (w >= 900) return "mid";
    return w >= 600 ? "sheet" : "phone";
}

export const layout: Signal<Layout> = signal(now());

addEventListener("resize", () => {
    layout.value = now();
});

/** Does the panel lie over the map as a sheet from below? */
export function isSheet(kind: Layout): boolean {
    return kind === "sheet" || kind === "phone";
}
