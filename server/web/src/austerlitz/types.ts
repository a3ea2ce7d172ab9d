/** Types of an Austerlitz match: those made from schema/, under the names of the field. */
import type * as Ask from "@/types/gen/austerlitz-ask";
import type * as Game from "@/types/gen/austerlitz-view";
import type { Action, Form, View } from "@/types";
import type { Edge, Hex, Side } from "@/hex/types";

export type { Arm, Edge, Hex, HexBoardData, HexMapProps, HexMarks, Side } from "@/hex/types";

export type Unit = Game.Unit;
export type Board = Game.Board;
export type Entry = Game.Entry;
export type Hand = Game.Hand;
export type Prompt = Game.Prompt;
export type Turn = Game.AusterlitzViewPage["turn"];
export type State = Game.AusterlitzViewPage["state"];
export type Question = Ask.Question;
export type Box = "eliminated" | "withdrawn" | "vienna";

/** A view of an Austerlitz match: what one viewer knows at one seq. */
export interface HexView extends Omit<View, "state" | "turn" | "prompt" | "board"> {
    state: State;
    turn: Turn;
    prompt?: Prompt;
    board: Board;
}

/** The page knows views as Waterloo's; those of this game are what is meant here. */
export function hexView(view: View): HexView {
    return view as unknown as HexView;
}

/** An action of this game, as the page's store takes it. */
export function act(action: Record<string, unknown> & { do: string }): Action {
    return action as unknown as Action;
}

export interface Reach {
    hexes: Record<Hex, number>;
    /** The hex before, on a way that costs least. */
    from: Record<Hex, Hex>;
    exits: Partial<Record<Edge, Record<Hex, { cost: number; box: Box }>>>;
}

export interface MoveAnswer {
    legal: boolean;
    movement_points: number;
    cost?: number;
    step_costs?: number[];
    rule?: string;
}

/** A part of the die's modifier (6.7); 0: a rule takes it away. */
export interface Term {
    what: "fortified" | "forest" | "village" | "height" | "stream" | "bank" | "escarpment";
    die: number;
}

export interface Odds {
    /** Artillery that is lost without a die (8.2), by name. */
    no_die?: string[];
    modifier?: number;
    /** The defender whose terms count, of several the one with the lowest sum. */
    by?: Hex;
    terms?: Term[];
    attack?: number;
    defence?: number;
    odds?: string;
    row?: string;
    ice_shot?: true;
}

/** A tree of retreats: {} under a free hex, else where the friend there can go. */
export interface Tree {
    [hex: Hex]: Tree;
}

/** A combat as it is declared, by hexes: which of the attackers bombard follows from where they stand. */
export interface Draft {
    id: number;
    attackers: Hex[];
    defenders: Hex[];
    /** A shot at the ice there, by its one attacker. */
    ice?: Hex;
}

/** Forms of one act. */
export function formsFor(view: HexView, what: string): Form[] {
    return (view.actions ?? []).filter((form) => form.do === what);
}

export function otherSide(side: Side): Side {
    return side === "french" ? "allied" : "french";
}
