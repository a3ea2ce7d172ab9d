/** What the words of a game are made of: how its events, questions, turns and seats are told. Each game is
 * a file of games/, named like it; games.ts finds it. */
import { tt } from "./catalogue";
import type { Args, Token } from "./format";
import { sideName } from "./names";
import { text, viewOfSeat } from "./reader";
import type { Event, Json, Viewer } from "./reader";

/** An event that is being told, and what was said of it so far. */
export interface Telling {
    ev: Event;
    viewer: Viewer;
    board: Json;
    words: GameWords;
    out: Token[][];
}

/** What a view must have for its prompt to be told; views of match.view have it. */
export interface Asked {
    state: string;
    to_act: readonly string[];
    waits_for: readonly string[];
    turn?: object;
    prompt?: object;
    board: object;
    as?: string;
    game?: string;
}

/** headline: the question in the imperative; sentence: what the rules ask; button: what the dark
 * button will do. */
export interface PromptWords {
    headline: string;
    sentence: Token[];
    button: string;
}

/** A game in words. */
export interface GameWords {
    /** One function a kind of event, which says what it tells. */
    kinds: Record<string, (t: Telling) => void>;
    /** What stands before the ids of its prompts, rules and steps of the clock in the keys of their messages:
     * "austerlitz." for prompt.austerlitz.move; "" for the first game. */
    infix: string;
    /** The steps of a turn that a clock may give a time of their own, by their names on the wire. */
    clockSteps: readonly string[];
    /** Which side a seat is, for side.name. */
    side(seat: string): string;
    /** When a turn is, of a view's turn or of a turn event: "16 June, morning". */
    when(turn: object): string;
    /** The arguments that the messages of a prompt take. */
    argsOf(view: Asked, id: string, prompt: Json): Args;
    /** The words of a match that is over, null while it is not. */
    over(view: Asked): PromptWords | null;
}

/** Says a message. */
export function say(t: Telling, key: string, args: Args = {}): void {
    t.out.push(tt(key, args));
}

/** The seat of an event as its reader stands to it. */
export function bySeat(t: Telling): Args {
    const seat = text(t.ev.seat);
    return { side_t: sideName(t.words.side(seat)), view: viewOfSeat(t.viewer, seat) };
}
