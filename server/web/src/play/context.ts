/**
 * What the parts of the match page share: the match, the seat's side of it, what is chosen and
 * where the eye should go. "play" makes it, the battle board, the log and the panels read it.
 */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Signal } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import type { GameParts } from "@/play/games";
import type { TownId, View } from "@/types";

/** What fills the board's place. */
export type Scene = { kind: "map" } | { kind: "battle"; town: TownId };

export interface MatchContext {
    match: MatchStore;
    /** What the match's game draws and asks. */
    game: GameParts;
    scene: Signal<Scene>;
    /** Ask the map to bring a town (or hex) into sight; n counts up so that the same town can be asked for again. */
    focus: Signal<{ town: TownId; n: number } | null>;
    /** While replaying: the view shown instead of the newest, read-only. */
    shown: Signal<View | null>;
    /** The newest view with the draft of the desk in it; null: nothing is drafted on the map. */
    drafted: Signal<View | null>;
    /** Opens the text of a rule over the board. */
    openRule: (rule: string) => void;
}

export const MatchContextHolder = createContext<MatchContext | null>(null);

/** The context; only within the match page. */
export function useMatch(): MatchContext {
    const context = useContext(MatchContextHolder);
    if (context === null) throw new Error("outside a match page");
    return context;
}

/** The view to draw: that of the replay, else the newest with what is drafted. */
export function viewToDraw(context: MatchContext): View | null {
    return context.shown.value ?? context.drafted.value ?? context.match.view.value;
}
