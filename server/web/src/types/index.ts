/**
 * The types that the page works with, by the names of the field. They come from schema/ (./gen, made
 * at build time); here they are only gathered, and the parts that the wire leaves open to a game
 * are filled in with Waterloo's.
 */
import type * as Position from "./gen/waterloo-position";
import type * as Waterloo from "./gen/waterloo-view";
import type * as Wire from "./gen/wire";
import type { ClockSpec, MatchClock } from "@/clock/types";

export type Seat = Waterloo.Seat;
export type Side = Waterloo.Side;
export type Nation = Waterloo.Nation;
export type ArmType = Waterloo.Type;
export type BattleSide = Waterloo.BattleSide;
export type UnitId = string;
export type TownId = string;
export type RoadId = string;
export type LaneNo = "1" | "2" | "3";
export type Counts = Partial<Record<Nation, number>>;

export type Prompt = Waterloo.Prompt;
export type Board = Waterloo.Board;
export type OwnUnit = Waterloo.OwnUnit;
export type March = Waterloo.March;
export type Attack = Waterloo.Attack;
export type Battle = Waterloo.Battle;
export type Lane = Waterloo.Lane;
export type Group = Waterloo.Group;
export type Fighter = Waterloo.Fighter;
export type Turn = NonNullable<Waterloo.WaterlooViewPage["turn"]>;
export type StateName = NonNullable<Waterloo.WaterlooViewPage["state"]>;

/** An action of Waterloo as the rules name it (W19). */
export type Action = Position.Action;
export type HostEvent = Wire.HostEvent;
/** What a step told this viewer: an event of the game or of the host. */
export type GameEvent = Position.Event | HostEvent;

/** A view of a Waterloo match: what one viewer knows at one seq. */
export interface View extends Omit<Wire.View, "turn" | "prompt" | "board" | "actions" | "events" | "state" | "to_act" | "waits_for" | "result"> {
    state: StateName;
    turn?: Turn;
    prompt?: Prompt;
    board: Board;
    actions?: Form[];
    to_act: Seat[];
    waits_for: Seat[];
    events: GameEvent[];
    result?: Result;
}

export interface Result {
    winners?: Seat[];
    why?: string;
    [member: string]: unknown;
}

/** A step of the history. */
export interface Step extends Omit<Wire.Step, "events"> {
    events: GameEvent[];
}

export interface Acted extends Omit<Wire.Acted, "events"> {
    events: GameEvent[];
}

/** An action form (what may be picked): see schema/games/waterloo/forms.schema.json. */
export type Form = { do: string; [member: string]: unknown };

export type Viewer = Wire.Viewer;
export type Summary = Omit<Wire.Summary, "options" | "result" | "you" | "clock" | "clock_spec"> & {
    options: Record<string, unknown>;
    result?: Result;
    you?: Seat[];
    clock?: MatchClock;
    clock_spec?: ClockSpec;
};
export type Given = Wire.Given;
export type SeatState = Wire.SeatState;
export type Account = Wire.Account & Record<string, unknown>;
export type Message = Wire.Message;
export type GameAbout = Wire.Game & { options?: Record<string, OptionAbout>; seats?: unknown };
export interface OptionAbout {
    type?: string;
    default?: unknown;
    title?: string;
    meaning?: string;
    values?: unknown[];
    [member: string]: unknown;
}
export type TokenRow = Wire.TokenRow;

/** The board data of Waterloo (schema/games/waterloo/board.json), as far as the page draws it. */
export interface BoardData {
    towns: TownData[];
    roads: RoadData[];
    rivers: { name: string; polyline: [number, number][] }[];
    border: [number, number][];
    deployment_line: [number, number][];
    time_record: { turn: number; date: string; part: string; night: boolean; side: Side }[];
    historical_positions: Record<string, unknown>;
    extent: { lat: [number, number]; lon: [number, number] };
    limits: { road_units: { major: number; minor: number }; river: string };
    [member: string]: unknown;
}

export interface TownData {
    id: TownId;
    name: string;
    lat: number;
    lon: number;
    country: string;
    zone: string;
    city?: boolean;
    supply?: Nation[];
    [member: string]: unknown;
}

export interface RoadData {
    id: RoadId;
    a: TownId;
    b: TownId;
    class: "major" | "minor";
    river?: boolean;
    [member: string]: unknown;
}
