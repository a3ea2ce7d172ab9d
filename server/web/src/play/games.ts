/**
 * The games that a match page can show. Each gives its parts from a chunk of its own, fetched when the
 * first match of that game is opened; everything else on the page is the same for all of them. A new game
 * adds a folder with its parts, and a line here.
 */
import type { ComponentType } from "preact";
import type { MatchStore } from "@/net/match";
import type { MatchContext } from "@/play/context";
import type { Decision } from "@/play/desk";
import type { BoardData, GameEvent, Seat, Step, View, Viewer } from "@/types";
import type { Token } from "@/words";

/** A line or heading of the log. */
export type Entry =
    | { kind: "heading"; key: string; text: string; seq: number }
    | { kind: "line"; key: string; seq: number; mark: string | null; tokens: readonly Token[]; town: string | null };

/** Reads steps, oldest first, into headings and lines for one viewer. */
export interface Reader {
    readonly entries: readonly Entry[];
    add: (steps: readonly Step[]) => Reader;
}

/** A part of the line of time under a replay: a turn, say. */
export interface Band {
    key: string;
    /** Share of the line. */
    width: number;
    /** How it looks: a side, "night", "set". */
    look: string;
    /** A day or hour that stands at its head. */
    head?: string;
    reached: boolean;
    fight: boolean;
}

/** A replay's steps laid out along its bands. */
export interface TimeLine {
    bands: readonly Band[];
    /** Where a step stands, 0 to 1. */
    place: (at: number) => number;
    /** The step nearest to a place. */
    near: (place: number) => number;
    /** When a step was. */
    when: (at: number) => string;
}

/** How the record above the board, or the card over it on phones, is drawn. */
export type RecordForm = "full" | "days" | "card";

export interface GameParts {
    /** What decides whether the desk that is open stays: "wait" while others act, "over" at the end. */
    deskKey: (view: View, seat: Seat | null, planning: boolean) => string;
    /** away: puts a plan of the next turn aside again. */
    openDesk: (match: MatchStore, view: View, key: string, away: () => void) => Decision;
    /** Has a seat that waits a next turn to plan? The key of such a desk begins with "plan". */
    /** What there is to plan, in words: the key behind "plan.open", "plan.kept". */
    plansWhat?: (view: View) => "" | "_set_up";
    mayPlan?: (view: View, seat: Seat | null) => boolean;
    /** A desk for who only looks. */
    lookDesk: (match: MatchStore) => Decision;
    /** A question that has come is shown where it is answered. */
    turnTo?: (context: MatchContext, view: View, key: string) => void;
    /** What stands in the board's place. */
    Board: ComponentType;
    /** What the panel shows for each kind of desk, between the question and the dark button. */
    bodies: Readonly<Record<string, ComponentType<{ view: View }>>>;
    /** Kinds of desks whose body has buttons of its own and takes the panel whole. */
    whole: ReadonlySet<string>;
    Record: ComponentType<{ view: View; form: RecordForm }>;
    /** Is there a record to show now? */
    hasRecord: (view: View) => boolean;
    /** The steps of a turn, in the prompt; nothing where the record has them. */
    Phases: ComponentType<{ view: View }>;
    /** In the prompt's corner: which turn, which options. */
    corner: (view: View) => string;
    /** What takes the prompt's place on a phone, null: the prompt itself. */
    HeldPrompt?: ComponentType<{ view: View }>;
    isHeld?: (desk: Decision) => boolean;
    /** Tabs below the bar, for boards of their own. */
    Tabs?: ComponentType<{ view: View }>;
    /** Places that have a board of their own now, in the order of the tabs. */
    scenes?: (view: View) => readonly string[];
    /** What the bar of a phone says of such a board. */
    sceneWords?: (view: View, scene: string) => { title: string; text: string };
    /** Sheets of the game's desks, and what is carried by a pointer. */
    Extras?: ComponentType<{ view: View }>;
    /** Is a sheet of the open desk shown, before which the others step back? */
    sheetOf?: (desk: Decision, view: View) => ComponentType | null;
    /** Between the dark button and the tabs, where there is room: how near the armies are to their end, say. */
    Below?: ComponentType<{ view: View }>;
    /** Typing the name of a place. */
    PlaceSheet: ComponentType<{ onClose: () => void }>;
    /** Keys of a board of its own, while that is shown. */
    sceneKeys?: (context: MatchContext) => readonly { key: string; label: string }[];
    /** Further lines for who waits: battles to look at, what the other has declared. */
    Meanwhile?: ComponentType<{ view: View }>;
    /** Has it standing orders? */
    orders: boolean;
    Armies: ComponentType;
    /** What the end of a match shows of its course; toStep takes the replay there. */
    Ending: ComponentType<{ toStep: (seq: number) => void }>;
    /** The marks of the armies of a seat or side. */
    SideMarks: ComponentType<{ side: string; size?: number }>;
    /** The marks in the bar of what a seat commands now. */
    SeatMarks: ComponentType<{ seat: Seat; view: View | null }>;
    reader: (viewer: Viewer) => Reader;
    /** Sentences of steps as plain lines, for what is read aloud. */
    spoken: (steps: readonly Step[], viewer: Viewer) => { text: string; urgent: boolean }[];
    /** What a step tells, as the replay says it. */
    sentences: (event: GameEvent, viewer: Viewer) => readonly (readonly Token[])[];
    /** The town or hex that an event is about. */
    placeOf: (event: GameEvent) => string | null;
    timeLine: (steps: readonly Step[], board: BoardData | null) => TimeLine;
}

const loaders: Readonly<Record<string, () => Promise<{ parts: GameParts }>>> = {
    waterloo: () => import("@/play/waterloo"),
    austerlitz: () => import("@/austerlitz/parts"),
};

const loaded = new Map<string, GameParts>();

/** The parts of a game if they are here already. */
export function gameHere(game: string): GameParts | undefined {
    return loaded.get(game);
}

/** Fetches the parts of a game; undefined: this page does not know it. */
export async function loadGame(game: string): Promise<GameParts | undefined> {
    const known = loaded.get(game);
    if (known !== undefined) return known;
    const { parts } = (await loaders[game]?.()) ?? {};
    if (parts !== undefined) loaded.set(game, parts);
    return parts;
}

/** Is the match at its end? */
export function isOver(view: View): boolean {
    return /OVER$/.test(view.state);
}
