/** What a new match may be: the game's options, and what this daemon offers for the table. */
import { usualSpec } from "@/clock/spec";
import type { ClockSpec } from "@/clock/types";
import { hello } from "@/net/session";
import type { GameAbout, OptionAbout } from "@/types";

/** The choices of match.create besides the game's own. */
export interface Offers {
    access: string[];
    spectators: string[];
    reveal: string[];
    start: string[];
}

/** What every daemon of this protocol offers; hello says when it is more, or less. */
const ALWAYS: Offers = { access: ["open", "invite"], spectators: ["none", "public"], reveal: ["end"], start: ["full"] };

export function offers(): Offers {
    const said = (hello.value as { matches?: Partial<Offers> } | null)?.matches;
    return { ...ALWAYS, ...said };
}

/** A table as it is being laid. */
export interface Draft {
    game: string;
    /** Values of the game's options, by name; those left out stand at their default. */
    options: Record<string, unknown>;
    /** A seat's code, "lot", or "none" (the maker does not play). */
    seat: string;
    access: string;
    spectators: string;
    reveal: string;
    start: string;
    invite: string[];
    /** A name that is typed and not yet added: it is asked as well. */
    typed: string;
    title: string;
    /** null: no clock. */
    clock: ClockSpec | null;
    /** Seconds for which an answer to an interrupt is held; 0: it is shown at once. */
    pace: number;
    /** With spectators "delayed": how many turns late. */
    delay: number;
    /** Watchers may talk among themselves. */
    talk: boolean;
}

/** What a table is before its maker says otherwise. */
export const FIRST = {
    seat: "FR", access: "open", spectators: "public", reveal: "end", start: "full", invite: [], typed: "", title: "",
    clock: usualSpec("correspondence"), pace: 0, delay: 2, talk: true,
} satisfies Partial<Draft> as Partial<Draft> & Omit<Draft, "game" | "options">;

/** Everybody who is asked. */
export function invited(draft: Draft): string[] {
    const typed = draft.typed.trim();
    return typed === "" || draft.invite.includes(typed) ? draft.invite : [...draft.invite, typed];
}

/** The value an option has in the draft. */
export function valueOf(draft: Draft, name: string, about: OptionAbout | undefined): unknown {
    return draft.options[name] ?? about?.default;
}

/** The seats of the table as its options stand. */
export function seatsOf(draft: Draft, about: GameAbout): string[] {
    const sets = (about.seats ?? {}) as Record<string, string[]>;
    const count = String(valueOf(draft, "players", about.options?.["players"]) ?? Object.keys(sets)[0]);
    return sets[count] ?? Object.values(sets)[0] ?? [];
}

/** The parameters of match.create; by lot means that this browser draws one of the seats. */
export function paramsOf(draft: Draft, about: GameAbout): Record<string, unknown> {
    const seats = seatsOf(draft, about);
    const drawn = seats[(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % Math.max(1, seats.length)];
    const seat = draft.seat === "lot" ? drawn : draft.seat === "none" ? undefined : draft.seat;
    return {
        game: draft.game,
        options: draft.options,
        ...(seat === undefined ? {} : { seat }),
        access: draft.access,
        spectators: draft.access === "private" ? "none" : draft.spectators,
        reveal: draft.reveal,
        start: draft.start,
        ...(draft.clock === null ? {} : { clock: draft.clock }),
        ...(draft.pace === 0 ? {} : { pace: draft.pace }),
        ...watching(draft),
        ...(draft.title.trim() === "" ? {} : { title: draft.title.trim() }),
        ...(invited(draft).length === 0 || draft.access === "open" ? {} : { invite: invited(draft) }),
    };
}

/** Who looks on, and what he may: nothing where nobody does. */
function watching(draft: Draft): Record<string, unknown> {
    if (draft.access === "private" || draft.spectators === "none") return {};
    return { ...(draft.talk ? {} : { talk: false }), ...(draft.spectators === "delayed" ? { delay: draft.delay } : {}) };
}

const KEY = "vedette.usual";

/** The options that the maker keeps for the next time. */
export function usual(): Partial<Draft> {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Draft>;
    } catch {
        return {};
    }
}

export function keepUsual(draft: Draft): void {
    const { game: _game, invite: _invite, typed: _typed, title: _title, ...kept } = draft;
    localStorage.setItem(KEY, JSON.stringify(kept));
}
