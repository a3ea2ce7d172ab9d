/** Bytes, base64url and the hashes of schema/record.md section 2. */
import { blake2b } from "@noble/hashes/blake2.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** base64url without padding. */
export function toBase64(bytes: Uint8Array): string {
    let text = "";
    for (let i = 0; i < bytes.length; i += 3) {
        const three = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
        const letters = Math.min(bytes.length - i, 3) + 1;
        for (let k = 0; k < letters; k++) text += LETTERS[(three >> (18 - 6 * k)) & 63];
    }
    return text;
}

/** The bytes of base64url text of exactly that size; throws on anything else, spare bits included. */
export function fromBase64(text: unknown, size: number): Uint8Array {
    if (typeof text !== "string") throw new Error("no text");
    const bytes = new Uint8Array(size);
    let bits = 0;
    let held = 0;
    let at = 0;
    for (const letter of text) {
        const value = LETTERS.indexOf(letter);
        if (value < 0) throw new Error("no base64url");
        held = ((held << 6) | value) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            if (at === size) throw new Error(`more than ${size} bytes`);
            bytes[at++] = (held >> bits) & 255;
        }
    }
    if (at !== size || toBase64(bytes) !== text) throw new Error(`not ${size} bytes of base64url`);
    return bytes;
}

export const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

/** 8 bytes, little-endian. */
export function u64(value: number): Uint8Array {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
    return bytes;
}

/** T(label, parts...): the label, a zero byte, and each part after its length. */
export function tagged(label: string, ...parts: Uint8Array[]): Uint8Array {
    const head = ascii(label);
    const bytes = new Uint8Array(head.length + 1 + parts.reduce((sum, part) => sum + 4 + part.length, 0));
    const view = new DataView(bytes.buffer);
    bytes.set(head);
    let at = head.length + 1;
    for (const part of parts) {
        view.setUint32(at, part.length, true);
        bytes.set(part, at + 4);
        at += 4 + part.length;
    }
    return bytes;
}

/** H(x): BLAKE2b with 32 bytes; with a key, MAC(key, x). */
export function hash(data: Uint8Array, key?: Uint8Array): Uint8Array {
    return blake2b(data, key === undefined ? { dkLen: 32 } : { dkLen: 32, key });
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** The commitment to a nonce. */
export function nonceCommitment(nonce: Uint8Array): Uint8Array {
    return hash(tagged("vedette1 nonce", nonce));
}

/** The head after a line. */
export function nextHead(before: Uint8Array, salt: Uint8Array, line: Uint8Array): Uint8Array {
    return hash(tagged("vedette1 line", before, salt, line));
}

/** The head after line 0, whose salt is empty: any client can check it. */
export function firstHead(header: string): Uint8Array {
    return nextHead(new Uint8Array(32), new Uint8Array(0), ascii(header));
}
