/** Events as sentences, each told from where its reader stands: own side, enemy, spectator. */
import { tt } from "./catalogue";
import type { Token } from "./format";

/** An event as on the wire. */
export interface Event {
    ev: string;
    [member: string]: unknown;
}

/** Who reads: seat and side of the view (the member `as`); without a side a spectator. */
export interface Viewer {
    seat?: string;
    side?: "FR" | "AL";
}

/** What an event tells this viewer, a sentence each; nothing for what concerns him not. board: the
 * view's board, for names of accounts and nations; may be left out. */
export function sentences(event: Event, viewer: Viewer, board?: object): Token[][] {
    void viewer;
    void board;
    return [tt(`event.${event.ev}`)];
}

/** The same as one run of sentences. */
export function sentence(event: Event, viewer: Viewer, board?: object): Token[] {
    return sentences(event, viewer, board).flatMap((one, i) => (i > 0 ? [{ text: " " }, ...one] : one));
}
