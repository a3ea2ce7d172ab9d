/** What the map is given: board data, the view, and marks that whoever uses the map lays over it. */
import type { Board } from "../types/gen/waterloo-view";
import type { Signal } from "@preact/signals";
import type { Nation } from "../ui/army";
import type { Rect } from "./geo";

export interface TownData {
    id: string;
    name: string;
    lat: number;
    lon: number;
    country?: string;
    zone?: string;
    supply?: string[];
    city?: boolean;
    /** Where the name stands best: "e", "s", "w", "n" or a corner; worth a bonus to the placement. */
    label?: string;
}

export interface RoadData {
    id: string;
    a: string;
    b: string;
    class: "major" | "minor";
    river?: boolean;
}

export interface RiverData {
    name: string;
    /** [latitude, longitude] */
    polyline: [number, number][];
}

/** The file that `game.get` names under `board`; only what drawing needs. */
export interface BoardData {
    towns: TownData[];
    roads: RoadData[];
    rivers?: RiverData[];
    border?: [number, number][];
    deployment_line?: [number, number][];
    extent?: { lat: [number, number]; lon: [number, number] };
    limits?: { road_units: { major: number; minor: number } };
    time_record?: { turn: number; date: string; part: string; night: boolean; side: "FR" | "AL" }[];
    historical_positions?: Record<string, unknown>;
}

/** Rings around a town (drawn round its stack, if one stands there). */
export type RingKind =
    | "selected" /* solid gold: what the panel speaks of */
    | "legal" /* dashed gold: may be chosen */
    | "attacked" /* red */
    | "edited" /* solid in the army's colour: target of the march being edited */
    | "closed"; /* greyed and crossed: may not be entered */

export interface RoadUse {
    road: string;
    used: number;
    cap: number;
    /** edited: army colour; draft: card; open: small and grey, room for the selection; full: dark; barred: a red bar, no figures. */
    kind: "edited" | "draft" | "open" | "full" | "barred";
    army?: Nation;
}

export interface PathMark {
    /** All towns from the first to the last. */
    towns: string[];
    kind: "edited" | "draft" | "forced" | "retreat" | "rout";
    army: Nation;
    label?: string;
}

export interface AttackMark {
    town: string;
    count: number;
    min: number;
}

/** A die pill where a forced march arrives ("1–3"). */
export interface ForcedMark {
    /** Pill stands by the last stretch of this path. */
    towns: string[];
    /** Text of the pill. */
    text: string;
}

/** A block as it would stand after the draft. */
export interface GhostMark {
    unit: string;
    town: string;
    cv?: number;
}

export interface Marks {
    rings?: Readonly<Record<string, RingKind>>;
    /** Own unit ids with a solid ring. */
    selected?: ReadonlySet<string>;
    /** Own unit ids that may be chosen now: a pointer over them, drag allowed. Without it none may be dragged. */
    choosable?: ReadonlySet<string>;
    /** Own unit ids shown dim (acted, not part of the question). */
    dim?: ReadonlySet<string>;
    /** Towns that a dragged or selected block may go to. */
    legalTowns?: ReadonlySet<string>;
    /** Small text at the ring of a legal town ("2/3" in the set-up). */
    counts?: Readonly<Record<string, { text: string; full?: boolean }>>;
    roadUse?: readonly RoadUse[];
    paths?: readonly PathMark[];
    attacks?: readonly AttackMark[];
    forced?: readonly ForcedMark[];
    ghosts?: readonly GhostMark[];
    /** Towns that may not be used: shown dim. */
    veiled?: ReadonlySet<string>;
    /** Set-up: the ground that stays open; all other ground is hatched over. By zone of the
     * board data or by country; "french" and "allied" name whose set-up it is. */
    veil?: "anglo" | "prussian" | "france" | "netherlands" | "french" | "allied";
    deploymentLine?: boolean;
    /** Town with the keyboard's focus from outside (typing a town's name). */
    focus?: string;
    /** Move the view so that this town is in the middle; a new n repeats it. */
    focusRequest?: { town: string; n: number } | { towns: readonly string[]; n: number };
    /** Night: the frame darkens. */
    night?: boolean;
    /** Towns where a battle is: crossed sabres at the stack. */
    battles?: readonly string[];
    /** An event being told (replay, log entry): towns to pulse once. */
    told?: readonly string[];
}

export interface BoardMapProps {
    board: BoardData;
    /** Of the turn only whose it is: attackers stand on the side from which they came. */
    view: { board: Board; turn?: { side: "FR" | "AL" } };
    marks?: Marks;
    /** Nations whose blocks this viewer commands; open blocks of others get the ally's outline. */
    mine?: readonly Nation[];
    /** A town was clicked, tapped, or opened by Enter. */
    onTown?: (town: string, how: { shift: boolean; keyboard: boolean }) => void;
    /** An own block was clicked or tapped. */
    onBlock?: (unit: string, how: { shift: boolean }) => void;
    /** The stack's name or pile was clicked with all its own units meant (Shift click on a block does it too). */
    onStack?: (town: string) => void;
    /** A road (its pill or its line near the middle) was clicked; used for barring and choosing routes. */
    onRoad?: (road: string) => void;
    /** Own blocks were dropped on a town; `via` are the towns dragged over on the way, in order. */
    onDragBlocks?: (units: string[], town: string, via: string[]) => void;
    /** Which units go along when this one is taken up; default: the selection if it is of it, else itself. */
    dragSet?: (unit: string) => string[];
    /** Why a drop there would be refused; shown under the ghost while it hovers. Undefined: legal. */
    dropReason?: (units: string[], town: string) => string | undefined;
    /** A line under the ghost over a legal town ("Nivelles 1 of 3"). */
    dropNote?: (units: string[], town: string) => string | undefined;
    /** Spoken name of a town, after its own name and units (what may be done there). */
    townNote?: (town: string) => string | undefined;
    /** Called when a pointer or the keyboard comes to a town, for previews; undefined when it leaves. */
    onHoverTown?: (town: string | undefined) => void;
    /** First view: all, or the fighting (default), or these towns. */
    start?: "fit" | "fighting" | readonly string[];
    minimap?: boolean;
    /** Cartouche's third line ("Allied set-up"); the cartouche and the legend show at full view only. */
    caption?: string;
    /** Inset in px that a sheet or card covers (phones), so that fit and focus use what is free. */
    inset?: { top?: number; right?: number; bottom?: number; left?: number };
    class?: string;
}

export interface MapPictureProps {
    board: BoardData;
    view: { board: Pick<Board, "towns"> };
    /** Towns that must be in the picture; default those with units. */
    crop?: readonly string[];
    width: number;
    height: number;
    label?: string;
    /** A way from the first town to the last, drawn over the sheet in the army's colour. */
    route?: { towns: readonly string[]; army: Nation };
    /** Towns whose names are written; none by default. */
    names?: readonly string[];
}

export interface MiniMapProps {
    board: BoardData;
    view: { board: Pick<Board, "towns"> };
    /** What the big map shows, in km from the sheet's north-west corner. */
    window?: Rect | Signal<Rect | undefined>;
    onMove?: (x: number, y: number) => void;
    width?: number;
    height?: number;
}

export interface RecordStripProps {
    turn: { slot: number; of: number; night: boolean; side: "FR" | "AL"; date?: string; part?: string };
    /** From the board data; default the calendar of June 1815. */
    record?: BoardData["time_record"];
    /** Units left and where each army falls; shown at the right. */
    nations?: Readonly<Record<Nation, { left: number; surrenders_at: number; surrendered?: true }>>;
    /** full: month and days; days: day numbers only; card: one line (phones). */
    form?: "full" | "days" | "card";
    /** Replay: choose a slot. */
    onSlot?: (slot: number) => void;
}
