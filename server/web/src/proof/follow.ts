/** Keeps the proofs of one match while its page is open: header, heads, receipts, the seat's nonce. */
import { effect } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import { account, rpc } from "@/net/session";
import { keepHeader, keepHeads, keepReceipt, kept, type Receipt } from "@/proof/keep";
import { settle } from "@/proof/nonces";
import type { Step, Summary } from "@/types";

/** Begins; gives what ends it. */
export function followMatch(match: MatchStore): () => void {
    const ends = [followSummary(match), followHeads(match), followSittings(match)];
    return () => {
        for (const end of ends) end();
    };
}

/** The commitment and the header are kept from the first sight on; nonces that are held are opened. */
function followSummary(match: MatchStore): () => void {
    return effect(() => {
        const summary = match.summary.value;
        const who = account.value;
        if (summary === null) return;
        if (who && (summary.you?.length ?? 0) > 0) settle(who.name, summary).catch(() => {});
        else keepHeader(summary.match, summary.commit, summary.header).catch(() => {});
    });
}

/** Every head that comes is kept; the newest one held is compared with the server's history first. */
function followHeads(match: MatchStore): () => void {
    let checked = "";
    return effect(() => {
        const view = match.view.value;
        if (view === null) return;
        const first = checked !== view.as;
        checked = view.as;
        const work = first ? compareNewest(match.id, view.as) : Promise.resolve();
        work.then(() => keepHeads(match.id, view.as, [view])).catch(() => {});
    });
}

/** Does the server's history still hold the newest head that this browser was given? */
async function compareNewest(id: string, viewer: string): Promise<void> {
    const known = (await kept(id)).heads[viewer] ?? {};
    const newest = Math.max(-1, ...Object.keys(known).map(Number));
    if (newest < 0) return;
    const page = await rpc.call<{ steps: Step[] }>("match.history", { match: id, as: viewer, from: newest, limit: 1 });
    const step = page.steps[0];
    // A server that does not know the step any more shows it by a seq that stands lower: no head to compare.
    await keepHeads(id, viewer, step?.seq === newest ? [step] : [{ seq: newest, chain: "" }]);
}

/** When the seat's turn ends, and at the end of the match, a receipt is fetched. */
function followSittings(match: MatchStore): () => void {
    let before = false;
    return effect(() => {
        const now = match.myTurn.value;
        const over = match.summary.value?.state === "over";
        if ((before && !now) || (over && match.seat.value !== null)) fetchReceipt(match).catch(() => {});
        before = now;
    });
}

async function fetchReceipt(match: MatchStore): Promise<void> {
    const receipt = await rpc.call<Receipt>("match.receipt", { match: match.id, as: match.as.value });
    await keepReceipt(receipt);
}

/** The seat wants to act and its nonce is not open: opens it, or says that this browser does not hold it. */
export async function settleForAct(match: MatchStore): Promise<void> {
    const who = account.value;
    if (!who) return;
    const summary = await rpc.call<Summary>("match.get", { match: match.id });
    await settle(who.name, summary, { lost: true });
    await match.refresh();
}
