/** What the reader likes: kept in this browser, applied to the root element at once. */
import { effect, signal, type Signal } from "@preact/signals";

export type Theme = "parchment" | "bivouac" | "system";
export type Palette = "standard" | "safe";
export type Motion = "system" | "reduced" | "full";

export interface Settings {
    theme: Theme;
    palette: Palette;
    motion: Motion;
    sounds: boolean;
    notifications: boolean;
    /** BCP 47 tag of a catalogue, "" follows the browser. */
    language: string;
    /** IANA zone, "" follows the browser. */
    timezone: string;
    /** Single-letter keys (WCAG 2.1.4 wants them to be switched off at will). */
    letterKeys: boolean;
    /** The list view of the board opens first (for those who listen). */
    listFirst: boolean;
}

const KEY = "vedette.settings";
const first: Settings = {
    theme: "system",
    palette: "standard",
    motion: "system",
    sounds: false,
    notifications: false,
    language: "",
    timezone: "",
    letterKeys: true,
    listFirst: false,
};

function stored(): Settings {
    try {
        return { ...first, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
    } catch {
        return first;
    }
}

export const settings: Signal<Settings> = signal(stored());

export function change(part: Partial<Settings>): void {
    settings.value = { ...settings.value, ...part };
    localStorage.setItem(KEY, JSON.stringify(settings.value));
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const systemDark = signal(dark.matches);
const systemCalm = signal(calm.matches);
dark.addEventListener("change", () => (systemDark.value = dark.matches));
calm.addEventListener("change", () => (systemCalm.value = calm.matches));

/** Should nothing move? */
export function isCalm(): boolean {
    const { motion } = settings.value;
    return motion === "reduced" || (motion === "system" && systemCalm.value);
}

/** The theme that is on. */
export function themeNow(): "parchment" | "bivouac" {
    const { theme } = settings.value;
    if (theme !== "system") return theme;
    return systemDark.value ? "bivouac" : "parchment";
}

effect(() => {
    const root = document.documentElement;
    root.dataset.theme = themeNow();
    root.dataset.palette = settings.value.palette;
    root.dataset.motion = isCalm() ? "reduced" : "full";
});

addEventListener("storage", (event) => {
    if (event.key === KEY) settings.value = stored();
});
