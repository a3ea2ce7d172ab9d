/** Austerlitz: the desk of the declaration, what it keeps for the seat, and what bears on a combat in words. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { signal } from "@preact/signals";
import en from "../../../schema/words/en.json";
import type { HexView } from "@/austerlitz/types";
import type { MatchStore } from "@/net/match";
import type { View } from "@/types";
import { type Answers, sheet, unit, viewOf } from "./fixtures/austerlitz";
import { settle } from "./fixtures/settle";

type Call = { method: string; params: Record<string, unknown> };
const line = vi.hoisted(() => ({ calls: [] as Call[], kept: { version: 0, actions: [] as unknown[] } }));

/** The server's side of match.draft: what is kept by version. */
vi.mock("@/net/session", async () => {
    const signals = await import("@preact/signals");
    return {
        account: signals.signal({ name: "Soult" }),
        online: signals.signal(true),
        rpc: {
            call: async (method: string, params: Record<string, unknown>) => {
                line.calls.push({ method, params });
                if (params["actions"] !== undefined) line.kept = { version: line.kept.version + 1, actions: params["actions"] as unknown[] };
                return structuredClone(line.kept);
            },
        },
        onReconnect: () => () => {},
    };
});
// There is no page to tell it on.
vi.mock("@/app/live", () => ({ announce: () => {} }));
vi.mock("@/app/settings", () => ({ isCalm: () => true }));

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
vi.stubGlobal("document", Object.assign(new EventTarget(), { documentElement: {} }));
vi.stubGlobal("window", new EventTarget());

const { DeclareDesk } = await import("@/austerlitz/declare");
const { draftsOf, keptAs } = await import("@/austerlitz/declared");
const { shapeOf } = await import("@/austerlitz/odds");
const { dieWords, weightWords } = await import("@/austerlitz/Terms");
const { Refusal } = await import("@/net/rpc");
const { plain, useCatalogue } = await import("@/words");

await useCatalogue("en", en);

/** A match that answers by a function, and keeps what was sent. */
function matchOf(view: View, answers: Answers): { match: MatchStore; sent: unknown[]; asked: Record<string, unknown>[] } {
    const sent: unknown[] = [];
    const asked: Record<string, unknown>[] = [];
    const match = {
        view: signal(view), board: signal(sheet), steps: signal([]), seat: signal(view.as), busy: signal(false),
        ask: (question: Record<string, unknown>) => {
            asked.push(question);
            const answer = answers(question);
            return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        },
        id: "m", onClose: () => {},
        actDraft: () => (sent.push(line.kept.actions[0]), Promise.resolve({})),
    };
    return { match: match as unknown as MatchStore, sent, asked };
}


beforeEach(() => {
    line.calls.length = 0;
    line.kept = { version: 0, actions: [] };
});

describe("the desk of the declaration", () => {
    const units = {
        "2218": unit("french", "infantry", "104", 9), "2119": unit("french", "infantry", "204", 10), "2220": unit("french", "artillery", "A04", 4),
        "2219": unit("allied", "infantry"), "2319": unit("allied", "cavalry"), "2018": unit("french", "cavalry", "C04", 2),
        "2017": unit("allied", "infantry"),
    };
    const answers: Answers = (q) => {
        if (q.ask === "obligations") return { pairs: { "2218": ["2219"] } };
        if (q.ask === "odds") return { modifier: 0 };
        if (q.ask === "row") return { odds: "1:1", row: "1:1" };
        return { legal: false, distance: 1 };
    };
    it("builds combats by presses, finds who bombards, and declares all at once", async () => {
        const view = viewOf({ units });
        const { match, sent } = matchOf(view, answers);
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        await settle();
        expect(desk.owing().map((one) => one.hex)).toEqual(["2218", "2219"]);
        expect(desk.commit(view).why).toBeDefined();
        desk.press("2218");
        desk.press("2219");
        await settle();
        expect(desk.owing()).toEqual([]);
        desk.press("2119");
        expect(desk.edited()?.attackers).toEqual(["2119", "2218"]);
        await settle();
        expect(desk.commit(view).why).toBeUndefined();
        await desk.commit(view).run();
        expect(sent).toEqual([{ do: "declare", plan: [{ contact: ["204", "104"], defenders: ["2219"] }] }]);
    });
    it("guns beside the defender are in contact, further off they bombard", () => {
        const view = viewOf({ units }) as unknown as HexView;
        expect(shapeOf(view, { id: 1, attackers: ["2218", "2220"], defenders: ["2219"] })).toEqual({ contact: ["2218", "2220"], bombard: [], defenders: ["2219"] });
        const far = viewOf({ units: { ...units, "2217": unit("allied", "infantry") } }) as unknown as HexView;
        expect(shapeOf(far, { id: 1, attackers: ["2218", "2220"], defenders: ["2217"] })).toMatchObject({ contact: ["2218"], bombard: ["2220"] });
    });
    it("begins another combat for whom the open one cannot take in, and steps back", async () => {
        const view = viewOf({ units });
        const { match } = matchOf(view, answers);
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        desk.press("2218");
        desk.press("2219");
        desk.press("2018");
        expect(desk.drafts.value.map((one) => one.attackers)).toEqual([["2218"], ["2018"]]);
        expect(desk.undo()).toBe(true);
        expect(desk.drafts.value).toHaveLength(1);
        desk.press("2219");
        expect(desk.drafts.value[0]?.defenders).toEqual([]);
        await settle();
    });
    it("keeps the draft when a newer view comes, without what is gone", () => {
        const view = viewOf({ units });
        const { match } = matchOf(view, answers);
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        desk.press("2218");
        desk.press("2219");
        const { "2219": _, ...rest } = units;
        const next = viewOf({ units: rest, seq: 6 } as never);
        (match.view as { value: View }).value = next;
        desk.viewed(next);
        expect(desk.drafts.value).toEqual([{ id: 1, attackers: ["2218"], defenders: [] }]);
    });
    it("takes a plan from the forms", () => {
        const view = viewOf({ units, actions: [{ do: "declare", plan: { list: [{ contact: { list: ["104"] }, defenders: { list: ["2219"] } }] } }] } as never);
        const { match } = matchOf(view, answers);
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        desk.propose();
        expect(desk.drafts.value).toEqual([{ id: 1, attackers: ["2218"], defenders: ["2219"] }]);
    });
    it("keeps what is built for the seat, half combats too, and shows it again after a reload", async () => {
        const view = viewOf({ units });
        const { match } = matchOf(view, answers);
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        await settle();
        desk.press("2218");
        desk.press("2219");
        desk.press("2018");
        await settle();
        await desk.draft.flush();
        expect(line.kept.actions).toEqual([{ do: "declare", plan: [{ contact: ["104"], defenders: ["2219"] }, { contact: ["C04"] }] }]);
        const again = new DeclareDesk(matchOf(view, answers).match);
        again.viewed(view);
        await settle();
        expect(again.drafts.value.map(({ attackers, defenders }) => [attackers, defenders])).toEqual([[["2218"], ["2219"]], [["2018"], []]]);
        expect(again.misfits()).toBe(0);
        again.discard();
        await again.draft.flush();
        expect(line.kept.actions).toEqual([]);
        expect(again.undo()).toBe(true);
        expect(again.drafts.value).toHaveLength(2);
    });
    it("judges a kept draft by the map too, which may come after it", async () => {
        const view = viewOf({ units });
        line.kept = { version: 3, actions: [{ do: "declare", plan: [{ contact: ["104"], defenders: ["2219"] }] }] };
        const { match } = matchOf(view, answers);
        (match.board as { value: unknown }).value = null;
        const desk = new DeclareDesk(match);
        desk.viewed(view);
        await settle();
        expect([...desk.judged.value.values()][0]?.table).toBeUndefined();
        (match.board as { value: unknown }).value = sheet;
        await settle();
        expect([...desk.judged.value.values()][0]?.table?.length).toBeGreaterThan(0);
        desk.close();
    });
    it("counts who is gone from a kept draft, and what is of another decision", () => {
        const view = viewOf({ units }) as unknown as HexView;
        const read = draftsOf(view, [{ do: "declare", plan: [{ contact: ["104", "305"], defenders: ["2219"] }, { artillery: "A04", hex: "1920" }, { contact: ["305"], defenders: ["0101"] }] }, { do: "move" }] as never);
        expect(read).toEqual({ drafts: [{ attackers: ["2218"], defenders: ["2219"] }, { attackers: ["2220"], defenders: [], ice: "1920" }], others: 1, short: 2 });
        expect(keptAs(view, [{ id: 1, ...read.drafts[1]! }])).toEqual([{ do: "declare", plan: [{ artillery: "A04", hex: "1920" }] }]);
        expect(keptAs(view, [])).toEqual([]);
        expect(keptAs(view, [], true)).toEqual([{ do: "declare", plan: [] }]);
    });
    it("opens no combat for whom no enemy is in reach, and says by which rule", async () => {
        const alone = { ...units, "0505": unit("french", "infantry", "305", 8), "4040": unit("allied", "infantry") };
        const view = viewOf({ units: alone });
        const desk = new DeclareDesk(matchOf(view, answers).match);
        desk.viewed(view);
        await settle();
        desk.press("0505");
        expect(desk.drafts.value).toEqual([]);
        expect(desk.refused.value).toMatchObject({ at: "press", refusal: { rule: "6.3" } });
        expect(desk.refused.value?.refusal.message).toContain("no enemy stands beside it");
        desk.press("4040");
        expect(desk.drafts.value).toEqual([]);
        expect(desk.refused.value?.refusal.message).toContain("none of your units");
        // Whom it could fight is in a combat that is made: it goes there.
        desk.press("2218");
        desk.press("2219");
        desk.edit(null);
        desk.press("2119");
        expect(desk.drafts.value).toMatchObject([{ attackers: ["2119", "2218"], defenders: ["2219"] }]);
        expect(desk.marks(view as unknown as HexView).choosable?.has("0505")).toBe(false);
    });
    it("takes a combat back for whom the server lets attack nobody, and tells its rule", async () => {
        const view = viewOf({ units });
        const barred: Answers = (q) => (q["ask"] === "odds" ? new Refusal(6, "no", { kind: "illegal_action", rule: "10.4" }) : answers(q));
        const desk = new DeclareDesk(matchOf(view, barred).match);
        desk.viewed(view);
        await settle();
        desk.press("2218");
        expect(desk.drafts.value).toHaveLength(1);
        await settle();
        expect(desk.drafts.value).toEqual([]);
        expect(desk.canUndo).toBe(false);
        expect(desk.refused.value).toMatchObject({ at: "press", refusal: { rule: "10.4" } });
    });
});

describe("what bears on a combat", () => {
    const told = (lines: { text: string }[][]): string[] => lines.map((line) => plain(line as never));
    it("is the die's modifier term by term, each with its rule", () => {
        expect(told(dieWords({ modifier: -3, by: "2325", terms: [{ what: "village", die: -1 }, { what: "escarpment", die: -2 }] }, 1))).toEqual(["Die −3: village −1, escarped bank −2. 6.7"]);
        expect(told(dieWords({ modifier: 0, by: "1822", terms: [{ what: "fortified", die: 0 }, { what: "stream", die: 0 }] }, 1))).toEqual([
            "The die counts as it falls. 6.7", "Stream: artillery in the attack takes it away. 8.7",
        ]);
        expect(told(dieWords({ modifier: -1, by: "2218", terms: [{ what: "height", die: -1 }] }, 2))).toEqual(["Die −1: height −1, for 2218, the lowest of the defenders. 6.7"]);
        expect(dieWords({ ice_shot: true }, 1)).toEqual([]);
    });
    it("is fog, which halves guns in contact, and works, which double who is not cavalry", () => {
        const units = { "1823": unit("allied", "artillery"), "1822": unit("french", "infantry", "304", 9) };
        const fog = viewOf({ units, turn: { turn: 1, of: 12, hours: "7-8", side: "allied", fog: true, night: false } } as never) as unknown as HexView;
        const shape = { contact: ["1823"], bombard: [], defenders: ["1822"] };
        expect(told(weightWords(fog, sheet, shape))).toEqual(["Works double the defence: Sokolnitz (1822). 6.4", "Fog: guns count half, rounded down for the attacker, up for the defender. 11.4"]);
        const day = { ...fog, turn: { ...fog.turn, fog: false } };
        expect(told(weightWords(day, sheet, shape))).toHaveLength(1);
        expect(told(weightWords(fog, sheet, { ...shape, contact: [], defenders: ["1823"] }))).toHaveLength(1);
    });
});
