/** What the pieces and lanes of a battle board read: who is chosen, what glows, what answers a press. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { UnitId } from "@/types";
import type { Place } from "./acts";

export interface SceneState {
    /** The viewer may act: presses do something. */
    live: boolean;
    /** Own units may be chosen even where they can do nothing (their card says why). */
    selectable: boolean;
    selected: ReadonlySet<UnitId>;
    /** Enemies that the chosen unit may fire at. */
    targets: ReadonlySet<UnitId>;
    aim: UnitId | null;
    /** Enemies that it may not fire at though they stand there, with the reason. */
    barred: ReadonlyMap<UnitId, string>;
    choosable: ReadonlySet<UnitId>;
    /** Own units that have not acted and still may. */
    due: ReadonlySet<UnitId>;
    allies: ReadonlySet<UnitId>;
    hits: Readonly<Record<UnitId, number>>;
    /** Columns are turned up just now: those of the enemy, or of both to who knew neither. */
    turning: "none" | "enemy" | "all";
    /** Does this place answer a press of the chosen unit, and what would that do? */
    deedName: (place: Place) => string | undefined;
    onPlace: (place: Place) => void;
    onOwn: (unit: UnitId, event: MouseEvent) => void;
    onTarget: (unit: UnitId, event: MouseEvent) => void;
    onHover: (unit: UnitId | null) => void;
}

const none: SceneState = {
    live: false,
    selectable: false,
    selected: new Set(),
    targets: new Set(),
    aim: null,
    barred: new Map(),
    choosable: new Set(),
    due: new Set(),
    allies: new Set(),
    hits: {},
    turning: "none",
    deedName: () => undefined,
    onPlace: () => {},
    onOwn: () => {},
    onTarget: () => {},
    onHover: () => {},
};

export const SceneHolder = createContext<SceneState>(none);
export const lookingOn: SceneState = none;

export function useScene(): SceneState {
    return useContext(SceneHolder);
}
