/** Standing orders in words, and what the server says no to. */
import { describe, expect, it } from "vitest";
import en from "../../../schema/words/en.json";
import fr from "../../../schema/words/fr.json";
import ja from "../../../schema/words/ja.json";
import ru from "../../../schema/words/ru.json";
import zh from "../../../schema/words/zh.json";
import { Refusal } from "@/net/rpc";
import { faultOf } from "@/orders/fault";
import { doFor, POLICIES, WHENS, type Order } from "@/orders/types";
import { memberWords, orderWords } from "@/orders/words";
import { useCatalogue } from "../src/words/catalogue";
import { plain } from "../src/words/format";

const tell = (order: Order): string => plain(orderWords(order));

describe("an order in words", () => {
    useCatalogue("en", en);
    it("says when, where, against how many, and what then", () => {
        useCatalogue("en", en);
        const order: Order = {
            when: { is: "attacked", in: ["ligny", "quatre-bras"], by: { min: 3 }, ratio: [2, 1] },
            do: { do: "respond", choice: "fight", columns: { "1": ["FR-A"], reserve: ["FR-C"] }, rest: "spread" },
        };
        expect(tell(order)).toMatch(
            /^Attacked at Ligny or at Quatre Bras, by at least three and at odds of 2 to 1 or worse: fight; on the left I Corps.*; in reserve .*; the rest spread evenly\.$/,
        );
        expect(tell({ when: { is: "routed" }, do: { do: "rout_routes", to: ["wavre", "brussels"], else: "any" } })).toBe(
            "A rout: flee; towards Wavre, Brussels; the others by any road.",
        );
        expect(tell({ when: { is: "attacked", own: { max: 2 } }, do: { do: "respond", choice: "retreat", routes: [{ unit: "AD-G", path: ["wavre"], forced: true }] } })).toContain(
            "with at most two of mine: retreat; ",
        );
    });
    it("reads whole for every kind and policy in every language", () => {
        for (const [code, words] of [["en", en], ["fr", fr], ["ja", ja], ["ru", ru], ["zh", zh]] as const) {
            useCatalogue(code, words);
            for (const order of [...Object.values(POLICIES), ...WHENS.map((is) => ({ when: { is }, do: doFor(is) }))]) {
                expect(tell(order)).not.toMatch(/[{}]|undefined|orders\./);
            }
        }
        useCatalogue("en", en);
    });
});

describe("a refused list", () => {
    const refused = (member: string): Refusal => new Refusal(-32602, "No.", { kind: "invalid_params", member });
    it("names the entry and the member", () => {
        useCatalogue("en", en);
        expect(faultOf(refused("orders[3].do.columns"))).toMatchObject({ at: 3, member: "do.columns" });
        expect(faultOf(refused("orders[0].when"))).toMatchObject({ at: 0, member: "when" });
        expect(faultOf(refused("orders"))).toMatchObject({ at: -1, member: "orders" });
        expect(memberWords("do.columns[2]")).toBe("Columns");
        expect(memberWords("do.routes[1].path")).toBe("Ways");
        expect(memberWords("when.by.min")).toBe("Condition");
    });
});
