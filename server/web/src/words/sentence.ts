/** Events as sentences, each told from where its reader stands: own side, enemy, spectator. Nothing is
 * told but what the event says to this viewer: the server has filtered it. What the host does is told here,
 * what a game does by its own file of games/. */
import { tt } from "./catalogue";
import type { Token } from "./format";
import { gameWords } from "./games";
import { number, text } from "./reader";
import type { Event, Json, Viewer } from "./reader";
import { bySeat, say } from "./telling";
import type { GameWords, Telling } from "./telling";

/** A span of time, to the minute. */
function span(s: number): Token[] {
    const minutes = Math.floor(s / 60) % 60;
    const hours = Math.floor(s / 3600) % 24;
    const days = Math.floor(s / 86400);
    if (days > 0) return tt("time.days_hours", { days, hours });
    return hours > 0 ? tt("time.hours_minutes", { hours, minutes }) : tt("time.minutes", { minutes });
}

/** What the host does, in every game. */
const ofHost: GameWords["kinds"] = {
    undone: (t) => say(t, "event.undone", bySeat(t)),
    left: (t) => say(t, "event.left", { ...bySeat(t), how: text(t.ev.how) }),
    match_ended: (t) => say(t, "event.match_ended", { ...bySeat(t), how: text(t.ev.how) }),
    rewound: (t) => say(t, "event.rewound"),
    ordered: (t) => say(t, "event.ordered", { by: text(t.ev.by) }),
    nonce: (t) => say(t, "event.nonce", { ...bySeat(t), lost: t.ev.lost === true }),
    restored: (t) => say(t, "event.restored"),
    paused: (t) => say(t, "event.paused", { ...bySeat(t), how: text(t.ev.how) }),
    resumed: (t) => say(t, "event.resumed", { ...bySeat(t), how: text(t.ev.how) }),
    granted: (t) => say(t, "event.granted", { ...bySeat(t), time_t: span(number(t.ev.s)) }),
    converted: (t) => say(t, "event.converted", bySeat(t)),
    late: (t) => say(t, "event.late", bySeat(t)),
    missed: (t) => say(t, "event.missed", bySeat(t)),
    looked: (t) => say(t, "event.looked", { reason: text(t.ev.reason) }),
    reopened: (t) => say(t, "event.reopened"),
    seat_changed: (t) => say(t, "event.seat_changed", { ...bySeat(t), how: text(t.ev.how) }),
    begun: (t) => say(t, "event.begun"),
    created: (t) => say(t, "event.created"),
};

/** The kinds of events of a game that have sentences, those of the host among them. */
export function kindsTold(game: string): string[] {
    return [...Object.keys(gameWords(game).kinds), ...Object.keys(ofHost)];
}

/** What an event is part of. */
export interface Scene {
    /** The game's name on the wire. */
    game: string | undefined;
    /** The board of the view that the event led to, for where battles are. */
    board?: object;
}

/** What an event tells this viewer, a sentence each; nothing where it says nothing (a pursuit without
 * losses). */
export function sentences(event: Event, viewer: Viewer, scene: Scene): Token[][] {
    const words = gameWords(scene.game);
    const t: Telling = { ev: event, viewer, board: (scene.board ?? {}) as Json, words, out: [] };
    const tell = words.kinds[event.ev] ?? ofHost[event.ev];
    if (tell === undefined) say(t, "event.unknown", { ev: event.ev });
    else tell(t);
    return t.out;
}

/** The same as one run of sentences. */
export function sentence(event: Event, viewer: Viewer, scene: Scene): Token[] {
    const gap = tt("list.sentences");
    return sentences(event, viewer, scene).flatMap((one, i) => (i > 0 ? [...gap, ...one] : one));
}
