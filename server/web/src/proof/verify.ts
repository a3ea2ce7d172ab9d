/**
 * Verifies the record of a match in the browser: steps 1 to 5 and 7 of schema/record.md section 7.
 * Step 6 replays the lines with the rules, which no client has: `vedette verify` does that.
 */
import { chacha20 } from "@noble/ciphers/chacha.js";
import { ed25519 } from "@noble/curves/ed25519.js";
import { ascii, fromBase64, hash, nextHead, nonceCommitment, same, tagged, u64 } from "@/proof/bytes";
import type { Receipt } from "@/proof/keep";

export type CheckName = "form" | "chain" | "nonces" | "rolls" | "draws" | "receipts";

/** What was found: good, or the first check that fails and where. */
export interface Verdict {
    good: boolean;
    match: string;
    lines: number;
    rolls: number;
    receipts: number;
    /** Seats whose account gave no nonce, and seats that lost theirs. */
    waived: string[];
    lost: string[];
    failed?: { check: CheckName; at: number; why: string };
}

class Bad extends Error {
    constructor(
        readonly check: CheckName,
        readonly at: number,
        why: string,
    ) {
        super(why);
    }
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Line = { [name: string]: Json };
interface Header extends Line {
    match: string;
    seats: string[];
    commit: string;
    nonces: Record<string, string | null>;
}

const HEADER = "vedette match game rules options seats commit nonces at";
const ROLL = "( roll( dice)?( deal)?)?";
const SHAPES = [
    `n at host( to)?( how)?( seat)?( by)?( ms)?( reason)?( result)?${ROLL}`,
    "n at seat (nonce|lost|undo)",
    `n at seat( by)? do${ROLL}`,
].map((shape) => new RegExp(`^${shape}$`));

/** Proves a record, with the receipts that a client kept if any. Never throws on a bad record. */
export function verify(record: string, receipts: Receipt[] = []): Verdict {
    const verdict: Verdict = { good: false, match: "", lines: 0, rolls: 0, receipts: 0, waived: [], lost: [] };
    try {
        prove(record, receipts, verdict);
        verdict.good = true;
    } catch (error) {
        if (!(error instanceof Bad)) throw error;
        verdict.failed = { check: error.check, at: error.at, why: error.message };
    }
    return verdict;
}

function prove(record: string, receipts: Receipt[], verdict: Verdict): void {
    const { raws, lines, last } = readAll(record);
    const header = lines[0] as Header;
    const secret = fromBase64(last.key, 32);
    verdict.match = header.match;
    verdict.lines = lines.length;
    verdict.waived = header.seats.filter((seat) => header.nonces[seat] === null);
    const heads = checkChain(raws, header, secret, last);
    const nonces = checkNonces(lines, header, verdict);
    verdict.rolls = checkRolls(lines);
    checkDraws(lines, header, secret, nonces);
    checkReceipts(receipts, header, heads);
    verdict.receipts = receipts.length;
}

/* 1: the form of each line. */
function readAll(record: string): { raws: string[]; lines: Line[]; last: Line } {
    const raws = record.split("\n");
    const count = Math.max(raws.length - 2 + (raws[raws.length - 1] === "" ? 0 : 1), 0);
    const lines: Line[] = [];
    let at = 0;
    try {
        for (; at < count; at++) lines.push(readLine(raws[at] ?? "", at));
        const last = parse(raws[count] ?? "");
        const marks = typeof last.marks === "string" ? last.marks : "";
        const whole = Object.keys(last).join(" ") === "key head marks" && raws.length === count + 2;
        if (!whole || count === 0 || raws[count + 1] !== "" || marks.length !== 8 * count) throw new Error("no last line");
        fromBase64(last.key, 32);
        fromBase64(last.head, 32);
        for (let i = 0; i < count; i++) fromBase64(marks.slice(8 * i, 8 * i + 8), 6);
        return { raws: raws.slice(0, count), lines, last };
    } catch (error) {
        throw new Bad("form", at, error instanceof Error ? error.message : "unreadable");
    }
}

function parse(raw: string): Line {
    const line = JSON.parse(raw) as Line;
    if (line === null || typeof line !== "object" || Array.isArray(line)) throw new Error("no object");
    if (JSON.stringify(line) !== raw || raw.includes("\\u0000")) throw new Error("not written as it must be");
    return line;
}

function readLine(raw: string, n: number): Line {
    const line = parse(raw);
    const names = Object.keys(line).join(" ");
    if (n === 0) {
        const header = line as Header;
        const seats = Object.keys(header.nonces ?? {}).join();
        if (names !== HEADER || line.vedette !== "record/1" || seats !== header.seats.join()) throw new Error("no header");
        fromBase64(header.commit, 32);
        for (const commitment of Object.values(header.nonces)) if (commitment !== null) fromBase64(commitment, 32);
        return line;
    }
    if (line.n !== n || !SHAPES.some((shape) => shape.test(names))) throw new Error("no line of that number");
    if ("roll" in line !== ("dice" in line || "deal" in line)) throw new Error("a roll of nothing");
    for (const [name, low] of [["dice", 1], ["deal", 0]] as const) if (name in line) checkRuns(line[name] ?? null, low);
    if (!sortedWithin([line.do ?? null, line.options ?? null, line.result ?? null])) throw new Error("members out of order");
    if ("nonce" in line) fromBase64(line.nonce, 32);
    return line;
}

function checkRuns(runs: Json, low: number): asserts runs is [number, number[]][] {
    const isRun = (run: Json): boolean => {
        if (!Array.isArray(run) || run.length !== 2 || !Array.isArray(run[1]) || run[1].length === 0) return false;
        const n = run[0];
        if (typeof n !== "number" || n < 1 || n > 256) return false;
        return run[1].every((value) => Number.isInteger(value) && Number(value) >= low && Number(value) < low + n);
    };
    if (!Array.isArray(runs) || runs.length === 0 || !runs.every(isRun)) throw new Error("no dice");
}

function sortedWithin(value: Json): boolean {
    if (Array.isArray(value)) return value.every(sortedWithin);
    if (typeof value === "number") return Number.isSafeInteger(value);
    if (value === null || typeof value !== "object") return true;
    const names = Object.keys(value);
    return names.every((name, i) => i === 0 || (names[i - 1] ?? "") < name) && Object.values(value).every(sortedWithin);
}

/* 2: the heads against the marks, the commitment, the last head. */
function checkChain(raws: string[], header: Header, secret: Uint8Array, last: Line): Uint8Array[] {
    const match = ascii(header.match);
    const marks = String(last.marks);
    const heads: Uint8Array[] = [];
    let bad = raws.length;
    let head: Uint8Array = new Uint8Array(32);
    raws.forEach((raw, n) => {
        const salt = n === 0 ? new Uint8Array(0) : hash(tagged("vedette1 salt", match, u64(n)), secret);
        head = nextHead(head, salt, ascii(raw));
        heads.push(head);
        if (bad === raws.length && !same(head.slice(0, 6), fromBase64(marks.slice(8 * n, 8 * n + 8), 6))) bad = n;
    });
    const ends = same(head, fromBase64(last.head, 32));
    if (bad === 0 && !ends) throw new Bad("chain", 0, "the header");
    const commitment = hash(tagged("vedette1 commit", match, secret));
    if (!same(commitment, fromBase64(header.commit, 32))) throw new Bad("chain", raws.length, "the key");
    if (!ends || bad < raws.length) throw new Bad("chain", ends ? raws.length : bad, "a head, or a mark");
    return heads;
}

/* 3: each opened nonce against its commitment. */
function checkNonces(lines: Line[], header: Header, verdict: Verdict): Map<string, Uint8Array> {
    const open = new Map<string, Uint8Array>();
    for (const seat of verdict.waived) open.set(seat, new Uint8Array(0));
    const settled = (): boolean => header.seats.every((seat) => open.has(seat));
    lines.forEach((line, n) => {
        if ("roll" in line && !settled()) throw new Bad("nonces", n, "a draw before every nonce is settled");
        if (!("nonce" in line || "lost" in line)) return;
        const seat = String(line.seat);
        const commitment = header.nonces[seat];
        const given = "nonce" in line ? fromBase64(line.nonce, 32) : new Uint8Array(0);
        const fits =
            typeof commitment === "string" &&
            !open.has(seat) &&
            (given.length === 0 || same(nonceCommitment(given), fromBase64(commitment, 32)));
        if (!fits) throw new Bad("nonces", n, "not the nonce that was committed to");
        if (given.length === 0) verdict.lost.push(seat);
        open.set(seat, given);
    });
    return open;
}

/* 4: each roll is the next. */
function checkRolls(lines: Line[]): number {
    let next = 1;
    let seen = 0;
    lines.forEach((line, n) => {
        if (line.host === "restored") next += 2 ** 32;
        if (!("roll" in line)) return;
        if (line.roll !== next) throw new Bad("rolls", n, "not the next roll");
        next++;
        seen++;
    });
    return seen;
}

/* 5: each die and deal is what the stream gives. */
function checkDraws(lines: Line[], header: Header, secret: Uint8Array, nonces: Map<string, Uint8Array>): void {
    const seats = header.seats.flatMap((seat) => [ascii(seat), nonces.get(seat) ?? new Uint8Array(0)]);
    const key = hash(tagged("vedette1 dice", ascii(header.match), ...seats), secret);
    lines.forEach((line, n) => {
        for (const [name, lane, low] of [["dice", 1, 1], ["deal", 2, 0]] as const) {
            if (!(name in line)) continue;
            const draw = stream(key, lane, Number(line.roll));
            const runs = line[name] as [number, number[]][];
            const fits = runs.every(([faces, values]) => values.every((value) => value === low + draw(faces)));
            if (!fits) throw new Bad("draws", n, "not what the stream gives");
        }
    });
}

/** Draws from one lane of one roll: ChaCha20 keystream from block 0, bytes that would not be fair are passed over. */
export function stream(key: Uint8Array, lane: number, roll: number): (n: number) => number {
    const nonce = new Uint8Array(12);
    new DataView(nonce.buffer).setUint32(0, lane, true);
    nonce.set(u64(roll), 4);
    let bytes: Uint8Array = new Uint8Array(0);
    let at = 0;
    return (n) => {
        for (;;) {
            if (at === bytes.length) bytes = chacha20(key, nonce, new Uint8Array(bytes.length === 0 ? 64 : bytes.length * 2));
            const byte = bytes[at++] ?? 0;
            if (byte < 256 - (256 % n)) return byte % n;
        }
    };
}

/* 7: each receipt is a head of this chain, in order, and well signed. */
function checkReceipts(receipts: Receipt[], header: Header, heads: Uint8Array[]): void {
    const places: { viewer: string; seq: number; place: number }[] = [];
    receipts.forEach((receipt, i) => {
        if (receipt.match !== header.match || !wellSigned(receipt)) throw new Bad("receipts", i, "not well signed, or of another match");
        const head = fromBase64(receipt.chain, 32);
        const place = heads.findIndex((one) => same(one, head));
        if (place < 0) throw new Bad("receipts", i, "no head of this chain");
        const { viewer, seq } = receipt;
        const crossed = places.some((one) => one.viewer === viewer && Math.sign(one.seq - seq) !== Math.sign(one.place - place));
        if (crossed) throw new Bad("receipts", i, "out of order");
        places.push({ viewer, seq, place });
    });
}

/** Is a receipt signed by the key that it names? */
export function wellSigned(receipt: Receipt): boolean {
    const message = tagged(
        "vedette1 receipt",
        ascii(receipt.match),
        ascii(receipt.viewer),
        u64(receipt.seq),
        fromBase64(receipt.chain, 32),
        u64(receipt.time),
    );
    return ed25519.verify(fromBase64(receipt.signature, 64), message, fromBase64(receipt.key, 32));
}
