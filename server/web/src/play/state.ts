/** What the parts of the match page share beyond the match itself: the desk, sheets that are open, stops. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { MatchContext } from "@/play/context";
import type { Decision, Desk } from "@/play/desk";

/** What the bottom navigation of a phone shows. */
export type Pane = "map" | "log" | "chat" | "armies";
/** The three stops of the sheet from below. */
export type Stop = "low" | "half" | "high";

/** Sheets over the match page, one at a time. */
export type OpenSheet = "keys" | "menu" | "town" | "why" | "orders" | "seat" | "notices";

export interface PlayState {
    context: MatchContext;
    desk: ReadonlySignal<Decision>;
    pane: Signal<Pane>;
    stop: Signal<Stop>;
    list: Signal<boolean>;
    open: Signal<OpenSheet | null>;
    /** While one waits: the next own turn is thought of. */
    planning: Signal<boolean>;
    /** A request of the map, as the context's focus, for several towns. */
    commit: () => void;
    undo: () => void;
}

export const PlayHolder = createContext<PlayState | null>(null);

export function usePlay(): PlayState {
    const state = useContext(PlayHolder);
    if (state === null) throw new Error("outside a match page");
    return state;
}

/** The same with the desk as the map of Waterloo has it; only within that game's parts. */
export function useMapPlay(): PlayState & { desk: ReadonlySignal<Desk> } {
    return usePlay() as PlayState & { desk: ReadonlySignal<Desk> };
}
