/** The matches that wait for the account: for the count in the bar, the tab's title and the lobby. */
import { effect, signal, type Signal } from "@preact/signals";
import { account, onReconnect, rpc } from "@/net/session";
import type { Seat, Summary } from "@/types";

/** Own running and open matches, newest first. */
export const mine: Signal<Summary[]> = signal([]);
/** Those of them that wait for this account, tables that it is asked to among them. */
export const waiting: Signal<Summary[]> = signal([]);

/** The two above are what the server says, not what they began with. */
export const mineKnown: Signal<boolean> = signal(false);

/** Which of the account's seats does this match wait for? */
export function waitsForMe(match: Summary): Seat[] {
    const you = match.you ?? [];
    return match.state === "running" ? you.filter((seat) => match.waits_for?.includes(seat) ?? false) : [];
}

/** Asked to sit down at a table, and has not answered. */
export function isInvitation(match: Summary): boolean {
    return match.state === "open" && match.invited === true && (match.you ?? []).length === 0;
}

let asked = 0;

/** Asks for the own matches again. */
export async function refreshMine(): Promise<void> {
    if (!account.value) {
        mine.value = waiting.value = [];
        mineKnown.value = false;
        return;
    }
    const mark = ++asked;
    const result = await rpc.call<{ matches: Summary[] }>("match.list", { filter: "mine", limit: 100 });
    if (mark !== asked) return;
    mine.value = result.matches;
    waiting.value = result.matches.filter((match) => waitsForMe(match).length > 0 || isInvitation(match));
    mineKnown.value = true;
}

let soon: ReturnType<typeof setTimeout> | undefined;

/** Several pushes in a row lead to one question. */
export function refreshMineSoon(): void {
    clearTimeout(soon);
    soon = setTimeout(() => void refreshMine().catch(() => {}), mineKnown.peek() ? 150 : 0);
}

/** Begins to follow (called once). */
export function followMine(): void {
    effect(() => {
        if (account.value !== undefined) refreshMineSoon();
    });
    rpc.on("account.turn", refreshMineSoon);
    rpc.on("match.changed", refreshMineSoon);
    onReconnect(refreshMineSoon);
}
