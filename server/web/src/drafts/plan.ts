/** What a draft leads to, as the server sees it without doing it (match.plan). */
import { effect } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { online, rpc } from "@/net/session";
import type { Action, View } from "@/types";

export interface Planned {
    seq: number;
    /** Another's turn: the seat's next one is thought of. */
    plan?: true;
    /** By the number of the action: why it is not taken. */
    refused: ReadonlyMap<number, Refusal>;
    answers: unknown[];
    /** The newest view with what the game's rules make of the draft. */
    view: View;
}

interface Answer {
    seq: number;
    plan?: true;
    refused?: Record<string, { code: number; kind: string; message: string; rule?: string; member?: string; reason?: string }>;
    answers?: unknown[];
    view: Partial<View>;
}

/** The result, or null when the line was lost before it came. */
export function whileOnline<T>(call: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
        const end = effect(() => {
            if (!online.value) resolve(null);
        });
        call.then(resolve, reject).finally(end);
    });
}

/**
 * Lays actions on the newest view and asks questions of what they lead to. null: there is no
 * connection, or the match has gone on (its view is on the way). Throws a Refusal.
 */
export async function planOf(match: MatchStore, actions: readonly Action[], questions: readonly object[] = []): Promise<Planned | null> {
    const view = match.view.value;
    if (view === null || !online.value) return null;
    try {
        const params = { match: match.id, as: match.as.value, seq: view.seq, actions, questions };
        const answer = await whileOnline(rpc.call<Answer>("match.plan", params, { once: true }));
        if (answer === null) return null;
        const refused = Object.entries(answer.refused ?? {}).map(([n, { code, message, ...data }]) => [Number(n), new Refusal(code, message, data)] as const);
        return {
            seq: answer.seq,
            ...(answer.plan === undefined ? {} : { plan: answer.plan }),
            refused: new Map(refused),
            answers: answer.answers ?? [],
            view: { ...view, ...answer.view },
        };
    } catch (error) {
        if (error instanceof Refusal && error.kind !== "stale_state" && error.kind !== "match_over") throw error;
        return null;
    }
}
