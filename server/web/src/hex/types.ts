/** What the hex map is given: board data, the view, and marks that whoever uses the map lays over it. */
import type { Signal } from "@preact/signals";
import type { Rect } from "../board/geo";

/** Number of a hex as printed, CCRR. It names the unit that stands there too: a hex holds at most one. */
export type Hex = string;
/** Edges of the board where units may leave. */
export type Edge = "north" | "east" | "south" | "west";
/** The side of a unit; each has its colour and mark in hex.css and Counter.tsx. */
export type Side = "french" | "allied";
export type Arm = "infantry" | "cavalry" | "artillery";
export type Terrain = "clear" | "forest" | "marsh" | "village" | "pond";

export interface HexData {
    id: Hex;
    terrain: Terrain;
    height?: boolean;
    fortified?: boolean;
    causeway?: boolean;
    names?: string[];
    pond?: string;
}

export interface HexsideData {
    a: Hex;
    b: Hex;
    kind: "stream" | "bank" | "escarpment";
    name?: string;
}

export interface HexRoadData {
    name: string;
    class: "highway" | "road";
    hexes: Hex[];
}

export interface BridgeData {
    id: string;
    a: Hex;
    b: Hex;
}

export interface PlaceData {
    name: string;
    kind: "village" | "hill" | "landmark";
    hex: Hex;
}

/** The file that `game.get` names under `board`; only what drawing needs. */
export interface HexBoardData {
    grid: { columns: number; rows: number };
    hexes: HexData[];
    hexsides: HexsideData[];
    roads: HexRoadData[];
    bridges: BridgeData[];
    places: PlaceData[];
    vienna_exits: { hexes: Hex[] };
}

/** A counter. With id and potential it lies open, without them mute: type and army alone. */
export interface HexUnit {
    side: Side;
    type: Arm;
    movement: number;
    id?: string;
    name?: string;
    potential?: number;
    moved?: true;
    destroyed_bridge?: string;
}

/** Of the view only what is drawn; the whole view of the game fits. */
export interface HexView {
    turn?: { fog?: boolean; night?: boolean };
    board: {
        units: Readonly<Record<Hex, HexUnit>>;
        broken_ice: readonly Hex[];
        destroyed_bridges: readonly string[];
        /** The combat in hand: its counters are turned up for the time being and bear an eye. */
        hand?: { contact?: readonly Hex[]; bombard?: readonly Hex[]; defenders?: readonly Hex[] };
    };
}

/** A hex that may be chosen. */
export interface LegalMark {
    hex: Hex;
    /** move: gold dashes; attack: red dashes; ice: blue dashes with a crack; displace: gold dashes, for retreats and advances. */
    kind?: "move" | "attack" | "ice" | "displace";
    /** A few letters in the hex: the cost of the way. */
    note?: string;
}

/** The way of a move; the last hex bears the arrow's head. */
export interface PathMark {
    /** All hexes, from where the unit stands. */
    hexes: readonly Hex[];
    side: Side;
    /** edited: the one being drawn, thick; draft: others not sent yet; told: of an event; retreat: dotted; advance: short and thick. */
    kind: "edited" | "draft" | "told" | "retreat" | "advance";
    /** Goes off the board here. */
    exit?: Edge | "vienna";
}

/** A combat: arrows from the attackers to the defenders, dashed straight lines from the guns. */
export interface CombatMark {
    /** Its number, as the panel numbers them. */
    n: number;
    contact: readonly Hex[];
    bombard: readonly Hex[];
    defenders: readonly Hex[];
    /** A shot on the ice: `bombard` is the battery, this the hex. */
    ice?: Hex;
    side: Side;
    /** edited: full colour, counters ringed, odds shown; draft or pending: quieter; hand: being resolved; done: a grey number alone. */
    kind: "edited" | "draft" | "pending" | "hand" | "done";
    /** Told at the defenders: "23 against ?" and a line under it. Shown when edited, in hand, hovered or focused. */
    odds?: { head: string; note?: string };
}

/** A counter as it would stand after the draft. */
export interface GhostMark {
    hex: Hex;
    unit: HexUnit;
}

export interface HexMarks {
    /** Solid gold ring: what the panel speaks of. */
    selected?: readonly Hex[];
    /** Counters that may be chosen now: a pointer over them; with onDragUnit they may be dragged. */
    choosable?: ReadonlySet<Hex>;
    /** Counters shown dim: acted, not part of the question. */
    dim?: ReadonlySet<Hex>;
    /** Hexes that may be chosen now. */
    legal?: readonly LegalMark[];
    /** Shading of the ground that the selected unit can reach. */
    reach?: readonly Hex[];
    /** Hatching of the ground that the enemy controls. */
    zones?: readonly Hex[];
    paths?: readonly PathMark[];
    combats?: readonly CombatMark[];
    /** Red "!" at the counter, with its reason as tooltip and spoken note. */
    urgent?: Readonly<Record<Hex, string>>;
    /** Counters turned over to attack: red ring. */
    attacked?: readonly Hex[];
    /** Counters whose owner loses them in the draft (exchange): struck through. */
    lost?: readonly Hex[];
    /** Bridges that may be chosen, or will be destroyed by the draft. */
    bridges?: Readonly<Record<string, "legal" | "draft">>;
    /** Hexsides to show: those that weigh in the combat spoken of. */
    hexsides?: readonly { a: Hex; b: Hex; kind?: "legal" | "told" }[];
    ghosts?: readonly GhostMark[];
    /** An event being told (replay, log entry): hexes to pulse once. */
    told?: readonly Hex[];
    /** Exits that may be chosen: an arrow off the edge at this hex. */
    exits?: readonly { hex: Hex; edge: Edge | "vienna" }[];
    /** Hex with the keyboard's focus from outside (typing a place's name). */
    focus?: Hex;
    /** Move the view so that these hexes show, one in the middle; a new n repeats it. */
    focusRequest?: { hexes: readonly Hex[]; n: number };
}

export interface How {
    shift: boolean;
    keyboard: boolean;
}

export interface HexMapProps {
    /** Whose words name the places: "austerlitz", the default. */
    game?: string;
    board: HexBoardData;
    view: HexView;
    marks?: HexMarks;
    /** The sides that this viewer commands; empty for spectators. */
    mine?: readonly Side[];
    /** A hex was clicked, tapped, or opened by Enter (a hex with a unit too, if onUnit is not given). */
    onHex?: (hex: Hex, how: How) => void;
    /** A counter was clicked or tapped, or its hex opened by Enter. */
    onUnit?: (hex: Hex, how: How) => void;
    /** A bridge of marks.bridges was clicked. */
    onBridge?: (bridge: string) => void;
    /** A hexside of marks.hexsides with kind "legal" was clicked. */
    onHexside?: (a: Hex, b: Hex) => void;
    /** An exit of marks.exits was clicked. */
    onExit?: (hex: Hex, edge: Edge | "vienna") => void;
    /** The number or the tooltip of a combat was clicked. */
    onCombat?: (n: number) => void;
    /** A counter of marks.choosable was dropped on a hex; `via`: the hexes dragged over, in order, both ends left out. */
    onDragUnit?: (from: Hex, to: Hex, via: Hex[]) => void;
    /** A counter was taken up to be dragged. */
    onDragStart?: (from: Hex) => void;
    /** Why a drop there would be refused; shown under the ghost. Undefined: legal. */
    dropReason?: (from: Hex, to: Hex) => string | undefined;
    /** A line under the ghost over a hex where it may drop ("4 of 6 points"). */
    dropNote?: (from: Hex, to: Hex) => string | undefined;
    /** Spoken after a hex's own name (what may be done there); the tooltip of the hex too. */
    hexNote?: (hex: Hex) => string | undefined;
    /** Called when a pointer or the keyboard comes to a hex, for previews; undefined when it leaves. */
    onHoverHex?: (hex: Hex | undefined) => void;
    /** First view: all, the fighting (default), or these hexes. */
    start?: "fit" | "fighting" | readonly Hex[];
    minimap?: boolean;
    /** Cartouche's third line; the cartouche shows at full view only. */
    caption?: string;
    /** Inset in px that a sheet or card covers (phones), so that fit and focus use what is free. */
    inset?: { top?: number; right?: number; bottom?: number; left?: number };
    class?: string;
}

export interface HexPictureProps {
    game?: string;
    board: HexBoardData;
    /** Counters are drawn as the viewer may see them; without a view the bare ground. */
    view?: { board: { units: Readonly<Record<Hex, Pick<HexUnit, "side">>> } };
    /** Hexes that must be in the picture; default those with units, else all. */
    crop?: readonly Hex[];
    width: number;
    height: number;
    /** What a screen reader hears; without it the picture is decoration. */
    label?: string;
    /** Villages and hills by name; none by default. */
    names?: boolean;
}

export interface HexMiniMapProps {
    board: HexBoardData;
    view: { board: { units: Readonly<Record<Hex, Pick<HexUnit, "side">>> } };
    /** What the big map shows, in hexes from the sheet's north-west corner. */
    window?: Rect | Signal<Rect | undefined>;
    onMove?: (x: number, y: number) => void;
    width?: number;
    height?: number;
}

export interface CounterProps {
    unit: HexUnit;
    /** Edge of the card, px. */
    size: number;
    /** Open faces bear an eye while they are turned up for a combat only. */
    shown?: boolean;
    selected?: boolean;
    dim?: boolean;
    ghost?: boolean;
    attacked?: boolean;
    lost?: boolean;
    /** What a screen reader hears; without it the counter is decoration. */
    label?: string;
}
