/** The clock of a match as the wire has it: of the summary, of match.clock, and the spec it keeps to. */
import type { Seat } from "@/types";

/**
 * stands: the seat is not asked; runs: it is, and time is charged; grace: time is over, a respite runs; out: a
 * step of the ladder is due; the others say why the clock of a seat that is asked stands.
 */
export type ClockState = "runs" | "stands" | "paused" | "pace" | "closed" | "vacation" | "asleep" | "grace" | "out" | "over";

/** An instant: milliseconds since 1970, or RFC 3339. */
export type Instant = number | string;

export interface SeatClock {
    bank_s: number;
    state: ClockState;
    /** When the seat will be out of time. */
    deadline?: Instant;
    /** When the sitting's own span ends and the bank begins. */
    span_end?: Instant;
    misses?: number;
    /** Its player is gone while it is asked; from until on something follows. */
    away?: { since: Instant; until: Instant };
}

export type ClockKind = "live" | "correspondence";

/** Same for all viewers: it follows what the public is shown. */
export interface MatchClock {
    kind: ClockKind;
    seats: Partial<Record<Seat, SeatClock>>;
    paused?: { since: Instant; until?: Instant };
}

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

/** Steps that a ladder may end with. */
export const STEPS = ["claim", "forfeit", "annul", "substitute", "ally", "caretaker"] as const;
export type StepWord = (typeof STEPS)[number];
export interface LadderStep {
    do: StepWord;
    /** How long before the next; the last is for good. */
    for_s?: number;
}

export const CLAIMS = ["win", "grant", "annul"] as const;
export type ClaimWord = (typeof CLAIMS)[number];

export interface Ladder {
    /** Reminders, so long before the deadline. */
    remind_s?: number[];
    grace_s?: number;
    /** So many misses are forgiven, each followed by again_s. */
    misses?: number;
    again_s?: number;
    then?: StepWord | LadderStep[];
    claims?: ClaimWord[];
    grant_s?: number;
    fresh_s?: number;
    draft?: "miss" | "play";
}

export const AWAY_CLAIMS = ["win", "annul", "convert"] as const;

/** Live: what follows when the player of a seat that is asked is gone. */
export interface Away {
    after_s: number;
    then?: "claim" | "convert";
    claims?: (typeof AWAY_CLAIMS)[number][];
    becomes?: { bank_s?: number; per_move_s?: number };
}

/** What match.create takes as `clock`. */
export interface ClockSpec {
    kind: ClockKind;
    bank_s?: number;
    bank_max_s?: number;
    increment_s?: number;
    per_move_s?: number;
    phases?: Record<string, number>;
    zone?: string;
    days?: Day[];
    hours?: [string, string];
    at?: string;
    min_gap_s?: number;
    sleep?: boolean;
    vacation_days?: number;
    pauses?: { policy: "none" | "capped" | "free"; cap_s?: number };
    ladder?: Ladder;
    away?: Away;
}

/** A stretch of the reckoning: what the clock did or will do, and by which rule. */
export interface Stretch {
    from: Instant;
    to?: Instant;
    kind: string;
    zone?: string;
    offset?: string | number;
}

export interface SeatExplained extends Omit<SeatClock, "state"> {
    state?: ClockState;
    used_s?: number;
    asked?: Instant;
    why?: Stretch[];
    /** There were more stretches than are told. */
    cut?: boolean;
    next?: { if: string; from?: Instant; at: Instant }[];
    vacation_days_left?: number;
    claims?: string[];
}

/** match.clock: why this deadline, and the next three. */
export interface Explained {
    match: string;
    now: Instant;
    kind: ClockKind;
    spec: ClockSpec;
    seats: Partial<Record<Seat, SeatExplained>>;
    paused?: { since: Instant; until?: Instant };
    held?: (Stretch & { seat?: Seat })[];
}

export function msOf(instant: Instant): number {
    return typeof instant === "number" ? instant : Date.parse(instant);
}
