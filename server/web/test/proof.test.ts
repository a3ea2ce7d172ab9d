import { describe, expect, it } from "vitest";
import { ed25519 } from "@noble/curves/ed25519.js";
import { ascii, firstHead, fromBase64, hash, nonceCommitment, tagged, toBase64, u64 } from "../src/proof/bytes";
import { stream, verify, wellSigned } from "../src/proof/verify";

/* The vectors of schema/record.md section 9. */
const bytes = (from: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => from + i);
const hex = (data: Uint8Array): string => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const ID = ascii("k7mq2xw4ta");
const S = bytes(0);
const FR = bytes(0x40);
const AL = bytes(0x80);
const K = hash(tagged("vedette1 dice", ID, ascii("FR"), FR, ascii("AL"), AL), S);
const RECORD = `{"vedette":"record/1","match":"k7mq2xw4ta","game":"waterloo","rules":1,"options":{},"seats":["FR","AL"],"commit":"zHURalFL4V6aIzp6hWOyqXkeM5O18o9CYKgU4HLcS8Q","nonces":{"FR":"0AK1mVlGcug0K9p3soI3UjWOleP8h9T4iMk7UtJiiko","AL":"ncunEGGez4cnFHv8teAEon07pCstJcIrhcxOQ8bQbF0"},"at":1796000000000}
{"n":1,"at":1796000001000,"host":"begin"}
{"n":2,"at":1796000002000,"seat":"AL","nonce":"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8"}
{"n":3,"at":1796000003000,"seat":"AL","do":{"do":"place","placements":[{"town":"ghent","unit":"AD-A"}]}}
{"n":4,"at":1796000004000,"seat":"FR","nonce":"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8"}
{"n":5,"at":1796000005000,"seat":"FR","do":{"do":"end_movement"},"roll":1,"dice":[[6,[3,1,3]]]}
{"n":6,"at":1796000006000,"host":"end","how":"resign","seat":"AL","result":{"winners":["FR"]}}
{"key":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","head":"WBsZ-Xy5LU8ajSeYbwrdIi4WKheFEwP-iZIiCdwdY5M","marks":"33jtUHJPgE8i5jNOXKEBtTtBrLHDGAf9IIthMEttRQN1GhOWWBsZ-Xy5"}
`;
const RECEIPT = {
    match: "k7mq2xw4ta",
    viewer: "FR",
    seq: 4,
    chain: toBase64(Uint8Array.from("4503751a139655bdec3c0c5d0f232dbad22ad9c3a9a197a871b39e318c89de86".match(/../g) ?? [], (two) => parseInt(two, 16))),
    time: 1796000005000,
    signature: toBase64(Uint8Array.from("cfbe4e68ce74bfff45c9a869f8f00da5804adae6af67518e3ed04acfded33fe822ed3c5b1eca5e1d432f87257aced8e3b6fe33475239d0906ffa1338d2452908".match(/../g) ?? [], (two) => parseInt(two, 16))),
    key: toBase64(ed25519.getPublicKey(bytes(0x60))),
};

describe("the vectors of schema/record.md", () => {
    it("commitments and keys", () => {
        expect(hex(hash(tagged("vedette1 commit", ID, S)))).toBe("cc75116a514be15e9a233a7a8563b2a9791e3393b5f28f4260a814e072dc4bc4");
        expect(hex(nonceCommitment(FR))).toBe("d002b599594672e8342bda77b2823752358e95e3fc87d4f888c93b52d2628a4a");
        expect(hex(nonceCommitment(AL))).toBe("9dcba710619ecf8727147bfcb5e004a27d3ba42b2d25c22b85cc4e43c6d06c5d");
        expect(hex(K)).toBe("8c9a3057ff9d180f82c9ff2c5f58cb18a94a28440ef9de85bd7d6a66e6f1e2d1");
        const waived = hash(tagged("vedette1 dice", ID, ascii("FR"), FR, ascii("AL"), new Uint8Array(0)), S);
        expect(hex(waived)).toBe("ffb7ba78848bd94a49c7bb2b504dad3f053510eae8d3279c9002557b6b6f4909");
        expect(hex(hash(tagged("vedette1 salt", ID, u64(5)), S))).toBe("53545fdeb06ff5dc92f1f955fd7569af4e632331bbbe2fccc0380c1d98e84fd4");
        expect(hex(ed25519.getPublicKey(bytes(0x60)))).toBe("174553b456dddfc6908ecab1c101fe6ab21e2baa0617795b7d43a63482993fd5");
    });

    it("draws", () => {
        const dice = (roll: number, n: number, faces = 6): number[] => {
            const draw = stream(K, 1, roll);
            return Array.from({ length: n }, () => 1 + draw(faces));
        };
        expect(dice(1, 12)).toEqual([3, 1, 3, 6, 2, 1, 6, 1, 1, 4, 5, 2]);
        expect(dice(2, 12)).toEqual([3, 4, 6, 1, 6, 6, 6, 3, 6, 1, 4, 1]);
        expect(dice(7, 200).slice(190)).toEqual([6, 4, 4, 3, 2, 4, 4, 6, 4, 6]);
        const mixed = stream(K, 1, 2);
        expect([10, 10, 10, 10, 10, 10, 6, 6, 6].map((n) => 1 + mixed(n))).toEqual([3, 10, 6, 3, 6, 10, 6, 3, 6]);
        const deal = stream(K, 2, 1);
        const cards = Array.from({ length: 12 }, (_, i) => i + 1);
        for (let i = 11; i > 0; i--) {
            const j = deal(i + 1);
            [cards[i], cards[j]] = [cards[j] ?? 0, cards[i] ?? 0];
        }
        expect(cards).toEqual([5, 3, 10, 2, 7, 6, 8, 12, 1, 11, 4, 9]);
    });

    it("the first head needs the header alone", () => {
        expect(hex(firstHead(RECORD.split("\n")[0] ?? ""))).toBe("df78ed50724f581c0043d33dfeec8309edad27eb7984a1c5a646a373008671bb");
    });

    it("the record and its receipt hold", () => {
        expect(wellSigned(RECEIPT)).toBe(true);
        const verdict = verify(RECORD, [RECEIPT]);
        expect(verdict).toMatchObject({ good: true, match: "k7mq2xw4ta", lines: 7, rolls: 1, receipts: 1, waived: [], lost: [] });
    });
});

describe("a record that was changed", () => {
    it("fails wherever one byte is another", () => {
        for (let i = 0; i < RECORD.length; i++) {
            const other = RECORD[i] === "1" ? "2" : "1";
            const verdict = verify(RECORD.slice(0, i) + other + RECORD.slice(i + 1));
            expect(verdict.good, `byte ${i}`).toBe(false);
        }
        expect(verify(RECORD.slice(0, -1)).good).toBe(false);
        expect(verify(`${RECORD}\n`).good).toBe(false);
        expect(verify("").good).toBe(false);
    });

    it("is found at its line", () => {
        const action = verify(RECORD.replace("ghent", "namur"));
        expect(action.failed).toMatchObject({ check: "chain", at: 3 });
        const die = verify(RECORD.replace("[3,1,3]", "[3,1,4]"));
        expect(die.failed).toMatchObject({ check: "chain", at: 5 });
    });

    it("passes without a receipt and fails with one when the holder of the key forged it", () => {
        const forged = forge(RECORD.replace('"at":1796000003000', '"at":1796000003001'));
        expect(verify(forged).good).toBe(true);
        expect(verify(forged, [RECEIPT]).failed).toMatchObject({ check: "receipts", at: 0 });
        const dice = forge(RECORD.replace("[3,1,3]", "[3,1,4]"));
        expect(verify(dice).failed).toMatchObject({ check: "draws", at: 5 });
        const nonce = forge(RECORD.replace("gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8", toBase64(bytes(0x81))));
        expect(verify(nonce).failed).toMatchObject({ check: "nonces", at: 2 });
        const roll = forge(RECORD.replace('"roll":1', '"roll":2'));
        expect(verify(roll).failed).toMatchObject({ check: "rolls", at: 5 });
    });
});

/** Writes head and marks anew, as one who holds the key can. */
function forge(record: string): string {
    const raws = record.split("\n").slice(0, -2);
    let head: Uint8Array = new Uint8Array(32);
    let marks = "";
    raws.forEach((raw, n) => {
        const salt = n === 0 ? new Uint8Array(0) : hash(tagged("vedette1 salt", ID, u64(n)), S);
        head = hash(tagged("vedette1 line", head, salt, ascii(raw)));
        marks += toBase64(head.slice(0, 6));
    });
    return `${raws.join("\n")}\n${JSON.stringify({ key: toBase64(S), head: toBase64(head), marks })}\n`;
}

describe("base64url", () => {
    it("takes what it writes and nothing else", () => {
        for (const size of [0, 1, 2, 3, 6, 32, 64]) {
            const data = Uint8Array.from({ length: size }, (_, i) => (i * 167 + 91 * size) & 255);
            expect(fromBase64(toBase64(data), size)).toEqual(data);
        }
        for (const wrong of ["", "A", "AAAA=", "AAAAAAA", "AAAAAAA+", "AAAAAAAAA"]) expect(() => fromBase64(wrong, 6)).toThrow();
        expect(() => fromBase64("AB", 1)).toThrow();
    });
});
