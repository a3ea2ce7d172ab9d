/** How wide words are in the fonts of the map, and when these have come. */
import { useEffect, useState } from "preact/hooks";

let context: CanvasRenderingContext2D | null | undefined;
let serif = "";
let sans = "";
const widths = new Map<string, number>();

/** Measures a text in px; without a page it guesses. */
export function measurer(): (text: string, size: number, bold: boolean, useSans?: boolean) => number {
    if (typeof document === "undefined") return guess;
    context ??= document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.documentElement);
    serif = style.getPropertyValue("--serif").trim() || "Georgia, serif";
    sans = style.getPropertyValue("--sans").trim() || "system-ui, sans-serif";
    return (text, size, bold, useSans) => {
        if (!context) return guess(text, size, bold);
        const key = `${text}\n${bold}${useSans}`;
        let unit = widths.get(key);
        if (unit === undefined) {
            context.font = `${bold ? 700 : 400} 100px ${useSans ? sans : serif}`;
            unit = context.measureText(text).width / 100;
            widths.set(key, unit);
        }
        return unit * size;
    };
}

/** A rough width, on the wide side. */
export function guess(text: string, size: number, bold: boolean): number {
    let units = 0;
    for (const letter of text) units += letter > "\u2e7f" ? 1 : /[\u0400-\u04ff]/.test(letter) ? 0.58 : /[MWmw]/.test(letter) ? 0.78 : 0.48;
    return units * size * (bold ? 1.06 : 1);
}

/** Goes up when fonts have come and words must be measured again. */
export function useFonts(): number {
    const [count, setCount] = useState(0);
    useEffect(() => {
        let live = true;
        const fonts = document.fonts;
        const again = (): void => {
            if (!live) return;
            widths.clear();
            setCount((n) => n + 1);
        };
        void Promise.all([fonts.load('16px "EB Garamond"'), fonts.load('bold 16px "EB Garamond"')]).then(again, again);
        fonts.addEventListener("loadingdone", again);
        return () => {
            live = false;
            fonts.removeEventListener("loadingdone", again);
        };
    }, []);
    return count;
}
