/** Offers that all seats must agree to: made, answered, withdrawn (match.offer, match.answer). */
import type { MatchStore } from "@/net/match";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import type { Seat } from "@/types";

export type OfferKind = "draw" | "abort" | "rewind" | "pause" | "resume" | "time" | "reopen";

export interface Offer {
    offer: number;
    what: OfferKind;
    seat: Seat;
    at: number;
    accepted: Seat[];
    awaits: Seat[];
    /** With time: who is given it, and how many seconds. */
    for?: Seat;
    s?: number;
    /** With resume: it is carried out then at the latest. */
    until?: number;
    lost?: { to: number; steps: number; learned: number[]; shown: number[] };
}

/** The open offers of a match, oldest first. */
export function offersOf(match: MatchStore): Offer[] {
    const summary = match.summary.value as { offers?: Offer[] } | null;
    return summary?.offers ?? [];
}

export async function offer(match: MatchStore, what: OfferKind, more: { to?: number; seat?: Seat; s?: number } = {}): Promise<void> {
    await rpc.call("match.offer", {
        match: match.id,
        as: match.as.value,
        what,
        ...more,
        action_id: newActionId(),
    });
    await match.refresh();
}

export async function answer(match: MatchStore, number: number, accept: boolean): Promise<void> {
    await rpc.call("match.answer", { match: match.id, as: match.as.value, offer: number, accept, action_id: newActionId() });
    await match.refresh();
}

/** How far back a step that everybody was told of is looked for. */
const LOOK_BACK = 40;

/** Offers to go back before the last step that everybody was told of: quiet steps since are no reason to refuse. */
export async function offerRewind(match: MatchStore): Promise<void> {
    const seq = match.view.value?.seq ?? 0;
    for (let to = seq - 1; ; to--) {
        try {
            await offer(match, "rewind", { to });
            return;
        } catch (error) {
            const quiet = error instanceof Refusal && error.kind === "conflict" && error.data.reason === "rewind";
            if (!quiet || to <= Math.max(0, seq - LOOK_BACK)) throw error;
        }
    }
}
