/** Questions of match.ask, each asked once for a position. */
import { Refusal } from "@/net/rpc";
import type { MatchStore } from "@/net/match";
import type { Question } from "@/austerlitz/types";

export class Asks {
    private seq = -1;
    private known = new Map<string, Promise<unknown>>();

    constructor(private readonly match: MatchStore) {}

    /** The answer; throws the Refusal of a question that is refused. */
    ask<T>(question: Question): Promise<T> {
        const seq = this.match.view.peek()?.seq ?? 0;
        if (seq !== this.seq) {
            this.seq = seq;
            this.known = new Map();
        }
        const key = JSON.stringify(question);
        const known = this.known.get(key) ?? this.match.ask<T>(question as unknown as Record<string, unknown>);
        this.known.set(key, known);
        known.catch((error: unknown) => {
            // What was lost on the way is asked again; a refusal stays one.
            if (!(error instanceof Refusal)) this.known.delete(key);
        });
        return known as Promise<T>;
    }

    /** The answer or the refusal. */
    async judged<T>(question: Question): Promise<{ answer: T } | { refusal: Refusal }> {
        try {
            return { answer: await this.ask<T>(question) };
        } catch (error) {
            if (error instanceof Refusal) return { refusal: error };
            throw error;
        }
    }
}
