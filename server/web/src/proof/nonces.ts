/**
 * Nonces: this browser's own part in the dice (schema/record.md section 3). It keeps sixteen in stock
 * at the server as commitments, and opens one only after it has stored a header with the server's
 * commitment as first shown and a commitment of its own in it that it never opened.
 */
import { get, update } from "idb-keyval";
import { fromBase64, nonceCommitment, toBase64 } from "@/proof/bytes";
import { keepHeader } from "@/proof/keep";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import type { Seat, Summary } from "@/types";

const STOCK = 16;

interface Nonce {
    nonce: string;
    /** The match it was opened for. */
    match?: string;
}

/** commitment -> nonce, of one account. */
type Stock = Record<string, Nonce>;
const entry = (account: string): string => `nonces.${account}`;

/** One tab at a time, where the browser can. */
function alone<T>(work: () => Promise<T>): Promise<T> {
    return "locks" in navigator ? (navigator.locks.request("vedette.nonces", work) as Promise<T>) : work();
}

/** Fills the account's stock at the server up to sixteen; nonces are kept before their commitments go out. */
export function fillStock(account: string): Promise<void> {
    return alone(async () => {
        const { stock } = await rpc.call<{ stock: number }>("account.nonces");
        const fresh: Stock = {};
        for (let i = stock; i < STOCK; i++) {
            const nonce = crypto.getRandomValues(new Uint8Array(32));
            fresh[toBase64(nonceCommitment(nonce))] = { nonce: toBase64(nonce) };
        }
        const commits = Object.keys(fresh);
        if (commits.length === 0) return;
        await update<Stock>(entry(account), (old) => ({ ...old, ...fresh }));
        await rpc.call("account.nonces", { commits, action_id: newActionId() });
    });
}

/**
 * Does what is due for the seats of the account in a match: opens nonces that this browser holds. With
 * `lost`, says of the others that they are lost, so that the seat can act.
 */
export function settle(account: string, match: Summary, how: { lost?: boolean } = {}): Promise<void> {
    return alone(async () => {
        const { header, commit, nonces } = match;
        const good = await keepHeader(match.match, commit, header);
        if (header === undefined || nonces === undefined || !good) return;
        for (const seat of match.you ?? []) {
            if (nonces[seat] === "awaited") await settleSeat(account, match.match, header, seat, how.lost ?? false);
        }
    });
}

async function settleSeat(account: string, match: string, header: string, seat: Seat, lost: boolean): Promise<void> {
    const commitment = (JSON.parse(header) as { nonces: Record<string, string | null> }).nonces[seat];
    if (typeof commitment !== "string") return;
    const held = (await get<Stock>(entry(account)))?.[commitment];
    const usable = held !== undefined && (held.match === undefined || held.match === match);
    if (!usable && !lost) return;
    if (usable) {
        // Marked before it is sent: opened for this match alone, whatever happens on the way.
        await update<Stock>(entry(account), (old) => ({ ...old, [commitment]: { ...held, match } }));
    }
    const what = usable ? { nonce: held.nonce } : { lost: true };
    try {
        await rpc.call("match.nonce", { match, as: seat, action_id: newActionId(), ...what });
    } catch (error) {
        // Settled meanwhile by another window or device: nothing is left to do.
        if (!(error instanceof Refusal) || error.kind !== "conflict") throw error;
    }
}

/** Does a nonce fit a commitment? For tests and for those who look into it. */
export function fitsCommitment(nonce: string, commitment: string): boolean {
    return toBase64(nonceCommitment(fromBase64(nonce, 32))) === commitment;
}
