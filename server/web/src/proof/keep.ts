/**
 * What this browser keeps so that a match can be proven to it later: the header, the heads that it was
 * given, signed receipts, and the server's key (schema/record.md sections 5 and 6). IndexedDB holds it,
 * a match an entry.
 */
import { get, update } from "idb-keyval";
import { signal, type Signal } from "@preact/signals";

export interface Receipt {
    match: string;
    viewer: string;
    seq: number;
    chain: string;
    time: number;
    signature: string;
    key: string;
}

export interface Kept {
    /** The server's commitment as it was first shown. */
    commit?: string;
    /** Line 0, once it was seen. */
    header?: string;
    /** viewer -> seq -> head. */
    heads: Record<string, Record<number, string>>;
    receipts: Receipt[];
}

/** Something does not go on from what this browser holds. */
export interface Warning {
    match: string;
    kind: "commit" | "header" | "chain" | "key";
}

/** Shown on the page until it is left: they are rare and grave. */
export const warnings: Signal<Warning[]> = signal([]);

const RECEIPTS_MAX = 256;
const entry = (match: string): string => `match.${match}`;
const nothing = (): Kept => ({ heads: {}, receipts: [] });

function warn(match: string, kind: Warning["kind"]): void {
    if (warnings.value.some((one) => one.match === match && one.kind === kind)) return;
    warnings.value = [...warnings.value, { match, kind }];
}

export async function kept(match: string): Promise<Kept> {
    return (await get<Kept>(entry(match))) ?? nothing();
}

/** Keeps commitment and header as first shown; false (and a warning) when they are others now. */
export async function keepHeader(match: string, commit: string | undefined, header: string | undefined): Promise<boolean> {
    let wrong: Warning["kind"] | null = null;
    await update<Kept>(entry(match), (old) => {
        const now = old ?? nothing();
        wrong = null;
        if (commit !== undefined) {
            if (now.commit !== undefined && now.commit !== commit) wrong = "commit";
            now.commit ??= commit;
        }
        if (header !== undefined) {
            if (now.header !== undefined && now.header !== header) wrong = "header";
            if ((JSON.parse(header) as { commit?: string }).commit !== now.commit) wrong = "commit";
            now.header ??= header;
        }
        return now;
    });
    if (wrong !== null) warn(match, wrong);
    return wrong === null;
}

/** Keeps heads that a viewer was given; another head under a known seq is warned of, the old one stays. */
export async function keepHeads(match: string, viewer: string, heads: { seq: number; chain: string }[]): Promise<boolean> {
    let good = true;
    await update<Kept>(entry(match), (old) => {
        const now = old ?? nothing();
        const known = (now.heads[viewer] ??= {});
        good = true;
        for (const { seq, chain } of heads) {
            if (known[seq] !== undefined && known[seq] !== chain) good = false;
            known[seq] ??= chain;
        }
        return now;
    });
    if (!good) warn(match, "chain");
    return good;
}

/** Keeps a receipt; one by another key than the first of this server is warned of. */
export async function keepReceipt(receipt: Receipt): Promise<void> {
    await update<Kept>(entry(receipt.match), (old) => {
        const now = old ?? nothing();
        const has = now.receipts.some((one) => one.viewer === receipt.viewer && one.chain === receipt.chain);
        if (!has) now.receipts = [...now.receipts, receipt].slice(-RECEIPTS_MAX);
        return now;
    });
    if (!(await pinKey(receipt.key))) warn(receipt.match, "key");
}

/** The key that this server signs with, kept from the first time on; false when it is another now. */
export async function pinKey(key: string): Promise<boolean> {
    let good = true;
    await update<string>("server.key", (old) => {
        good = old === undefined || old === key;
        return old ?? key;
    });
    return good;
}
