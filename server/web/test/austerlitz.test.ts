/** Austerlitz: where hexes lie, what is controlled, odds, and what the desks make of presses. */
import { beforeAll, describe, expect, it, vi } from "vitest";
import { signal } from "@preact/signals";
import en from "../../../schema/words/en.json";
import { AdvanceDesk } from "@/austerlitz/advance";
import { lossesByTurn, timeLine, turningPoints } from "@/austerlitz/course";
import { Asks } from "@/austerlitz/asks";
import { deskKey } from "@/austerlitz/desks";
import { ExchangeDesk } from "@/austerlitz/exchange";
import { distance, edgesAt, isChain, neighbours, within } from "@/austerlitz/grid";
import { MoveDesk } from "@/austerlitz/move";
import { possible, throwsOf } from "@/austerlitz/oob";
import { judge, weight } from "@/austerlitz/odds";
import { outcomes } from "@/austerlitz/outcomes";
import { RetreatDesk } from "@/austerlitz/retreat";
import { markOf, placeOf, Story } from "@/austerlitz/story";
import type { HexView, Unit } from "@/austerlitz/types";
import { hexOfName, wireName } from "@/austerlitz/units";
import { WatchDesk } from "@/austerlitz/watch";
import { controlled, terrainOf } from "@/austerlitz/zones";
import { Refusal } from "@/net/rpc";
import type { MatchStore } from "@/net/match";
import type { Step, View } from "@/types";
import { useCatalogue } from "@/words";
import { type Answers, sheet, unit, viewOf } from "./fixtures/austerlitz";
import { settle } from "./fixtures/settle";

// There is no page to tell it on.
vi.stubGlobal("addEventListener", () => {});
vi.mock("@/app/live", () => ({ announce: () => {} }));
vi.mock("@/app/settings", () => ({ isCalm: () => true }));
vi.mock("@/net/session", () => ({ account: { value: null }, online: { value: true }, onReconnect: () => () => {}, rpc: {} }));

/** A match that answers by a function, and keeps what was sent. */
function matchOf(view: View, answers: Answers): { match: MatchStore; sent: unknown[]; asked: Record<string, unknown>[] } {
    const sent: unknown[] = [];
    const asked: Record<string, unknown>[] = [];
    const match = {
        view: signal(view), board: signal(sheet), steps: signal([]), seat: signal(view.as), busy: signal(false), onStep: () => () => {}, onClose: () => {},
        ask: (question: Record<string, unknown>) => {
            asked.push(question);
            const answer = answers(question);
            return answer instanceof Refusal ? Promise.reject(answer) : Promise.resolve(answer);
        },
        act: (action: unknown) => (sent.push(action), Promise.resolve({})),
    };
    return { match: match as unknown as MatchStore, sent, asked };
}

beforeAll(() => useCatalogue("en", en));

describe("hexes", () => {
    it("have the neighbours of the board data's offsets", () => {
        expect(neighbours("2218")).toEqual(["2217", "2318", "2319", "2219", "2119", "2118"]);
        expect(neighbours("2318")).toEqual(["2317", "2417", "2418", "2319", "2218", "2217"]);
        expect(neighbours("0101")).toEqual(["0201", "0102"]);
    });
    it("are as far from each other as steps lead", () => {
        expect(distance("2519", "2220")).toBe(3);
        for (const one of neighbours("2218")) expect(distance("2218", one)).toBe(1);
        expect(within("2218", 2)).toHaveLength(18);
        expect(isChain(["2218", "2217", "2216"])).toBe(true);
        expect(isChain(["2218", "2216"])).toBe(false);
        expect(edgesAt("0134")).toEqual(["west", "south"]);
    });
});

describe("control", () => {
    it("goes out of villages but not into them, not across an escarpment, not from guns in a village", () => {
        const at = (hex: string, one: Unit): Set<string> => controlled(sheet, { units: { [hex]: one }, broken_ice: [] }, one.side);
        // Sokolnitz is a village: from outside it is not controlled, from inside control goes out.
        expect(at("1823", unit("french", "infantry")).has("1822")).toBe(false);
        expect(at("1822", unit("french", "infantry")).has("1823")).toBe(true);
        expect(at("1822", unit("french", "artillery")).size).toBe(0);
        const cliff = sheet.hexsides.find((side) => side.kind === "escarpment");
        expect(at(cliff!.a, unit("allied", "infantry")).has(cliff!.b)).toBe(false);
    });
    it("names the ground", () => {
        expect(terrainOf(sheet, "1725", [])).toEqual(["fortified"]);
        expect(terrainOf(sheet, "2218", [])).toEqual(["clear"]);
    });
});

describe("odds", () => {
    it("know what a mute counter may be, and the throws of a row", () => {
        expect(possible("allied", "cavalry")).toEqual([3, 4, 5]);
        expect(throwsOf("2:1", 0)).toEqual(["AR", "AR", "EX", "DR", "DR", "DR"]);
        expect(throwsOf("2:1", -2)).toEqual(["AR", "AR", "AR", "AR", "EX", "DR"]);
    });
    it("halve guns in fog in the defender's favour, and double works but for cavalry", () => {
        const fog = viewOf({ turn: { turn: 1, of: 12, hours: "7-8", side: "allied", fog: true, night: false } } as never) as unknown as HexView;
        const day = viewOf() as unknown as HexView;
        expect(weight(fog, { type: "artillery" }, 3, false, false)).toBe(1);
        expect(weight(fog, { type: "artillery" }, 3, true, false)).toBe(2);
        expect(weight(day, { type: "infantry" }, 5, true, true)).toBe(10);
        expect(weight(day, { type: "cavalry" }, 4, true, true)).toBe(4);
    });
    it("of an unknown enemy are a table by what he may be, from the rows that the server gives", async () => {
        const view = viewOf({ units: { "2218": unit("french", "infantry", "104", 9), "2219": unit("allied", "cavalry") } });
        const { match, asked } = matchOf(view, (q) => (q.ask === "odds" ? { modifier: -1 } : { odds: "?", row: `${Math.floor(Number(q.attack) / Number(q.defence))}:1` }));
        const judged = await judge(new Asks(match), view as unknown as HexView, sheet, { contact: ["2218"], bombard: [], defenders: ["2219"] }, "french");
        expect(judged.own).toBe(9);
        expect(judged.table).toEqual([{ from: 3, to: 3, row: "3:1" }, { from: 4, to: 4, row: "2:1" }, { from: 5, to: 5, row: "1:1" }]);
        expect(asked[0]).toEqual({ ask: "odds", contact: ["104"], defenders: ["2219"] });
    });
    it("name no enemy by id where his face is turned up for a moment", () => {
        const view = viewOf({ units: { "2218": unit("french", "infantry", "104", 9), "2219": unit("allied", "cavalry", "K2", 4) } }) as unknown as HexView;
        expect(wireName(view, "2219")).toBe("2219");
        expect(wireName(view, "2218")).toBe("104");
        expect(hexOfName(view, "104")).toBe("2218");
        const open = { ...view, board: { ...view.board, options: { information: "informed" } } } as HexView;
        expect(wireName(open, "2219")).toBe("K2");
    });
});

describe("who waits", () => {
    const units = { "2218": unit("french", "infantry", "104", 9), "2319": unit("allied", "cavalry") };
    it("may look how far an own unit reaches, and orders nothing by it", async () => {
        const view = viewOf({ units, to_act: ["AL"], state: "MOVE" } as never);
        const { match, sent, asked } = matchOf(view, () => ({ hexes: { "2216": 2, "2118": 1 }, from: {}, exits: {} }));
        const desk = new WatchDesk(match, "wait");
        const now = view as unknown as HexView;
        desk.handlers(now).onUnit?.("2319", {} as never);
        expect([desk.selected.value, asked]).toEqual([null, []]);
        desk.handlers(now).onUnit?.("2218", {} as never);
        await settle();
        expect(asked).toEqual([{ ask: "reach", unit: "104" }]);
        expect(desk.marks(now)).toMatchObject({ selected: ["2218"], reach: ["2118", "2216"] });
        expect(desk.far()).toBe(2);
        desk.handlers(now).onUnit?.("2218", {} as never);
        expect(desk.selected.value).toBe(null);
        expect(sent).toEqual([]);
    });
    it("and who only looks on, or at the end, takes nothing up", () => {
        const view = viewOf({ units, as: "public" } as never) as unknown as HexView;
        const { match } = matchOf(view as unknown as View, () => ({}));
        expect(new WatchDesk(match, "wait").handlers(view)).toEqual({});
        expect(new WatchDesk(match, "over").handlers({ ...view, as: "FR" } as HexView)).toEqual({});
    });
});

describe("the desk of a movement", () => {
    const units = { "2218": unit("french", "infantry", "104", 9), "2217": unit("french", "infantry", "204", 10), "2319": unit("allied", "cavalry") };
    const reach = {
        hexes: { "2216": 2, "2118": 1 }, from: { "2217": "2218", "2216": "2217", "2118": "2218" },
        exits: { west: { "0129": { cost: 6, box: "withdrawn" } } },
    };
    const answers: Answers = (q) => (q.ask === "reach" ? reach : { legal: true, movement_points: 6, cost: 2, step_costs: [1, 1] });
    const view = viewOf({ units, state: "MOVE", prompt: { id: "move", left: 2 }, actions: [{ do: "end_move" }] } as never);
    it("draws the cheapest way, past friends too, and sends it when it is pressed again", async () => {
        const { match, sent } = matchOf(view, answers);
        const desk = new MoveDesk(match);
        desk.viewed(view);
        await desk.pick("2218");
        await desk.to("2216");
        expect(desk.way.value?.path).toEqual(["2217", "2216"]);
        expect(desk.commit(view).label).toBe("Move to 2216");
        await desk.to("2216");
        expect(sent).toEqual([{ do: "move", unit: "104", path: ["2217", "2216"] }]);
        expect(desk.selected.value).toBeNull();
    });
    it("leaves by an edge, and says what a refused step is refused by", async () => {
        const { match, sent } = matchOf(view, answers);
        const desk = new MoveDesk(match);
        await desk.pick("2218");
        await desk.leave(desk.exits()[0]!);
        await desk.go();
        expect(sent[0]).toMatchObject({ do: "move", unit: "104", exit_edge: "west" });
        await desk.pick("2218");
        await desk.to("3030");
        expect(desk.refused.value?.refusal.rule).toBe("4.5");
    });
    it("is sent once, however often it is pressed while it is on its way", async () => {
        const view = viewOf({ units, state: "MOVE" } as never);
        const { match, sent } = matchOf(view, answers);
        const desk = new MoveDesk(match);
        desk.viewed(view);
        await desk.pick("2218");
        await desk.to("2216");
        match.busy.value = true;
        await desk.to("2216");
        expect(sent).toEqual([]);
        match.busy.value = false;
        await desk.to("2216");
        expect(sent).toHaveLength(1);
    });
    it("asks twice before it ends while counters have not moved", async () => {
        const { match, sent } = matchOf(view, answers);
        const desk = new MoveDesk(match);
        await desk.commit(view).run();
        expect(sent).toEqual([]);
        expect(desk.commit(view).label).toContain("2 units stay");
        await desk.commit(view).run();
        expect(sent).toEqual([{ do: "end_move" }]);
    });
    it("goes the way that was dragged where it may", async () => {
        const { match, sent } = matchOf(view, answers);
        const desk = new MoveDesk(match);
        await desk.drag("2218", "2216", ["2217"]);
        expect(sent).toEqual([{ do: "move", unit: "104", path: ["2217", "2216"] }]);
    });
});

describe("the desks after a combat", () => {
    const units = { "2218": unit("french", "infantry", "104", 9), "2219": unit("allied", "infantry"), "2220": unit("allied", "cavalry") };
    it("push back over a friend who makes room", async () => {
        const view = viewOf({ units, state: "RETREAT", prompt: { id: "retreat", units: ["2219"] } } as never);
        const { match, sent } = matchOf(view, () => ({ hexes: { "2220": { "2221": {} } } }));
        const desk = new RetreatDesk(match, "aus.retreat");
        desk.viewed(view);
        await settle();
        expect(desk.options()).toEqual(["2220"]);
        desk.to("2220");
        expect(desk.whole()).toBe(false);
        expect(desk.commit(view)?.why).toBeDefined();
        desk.to("2221");
        await desk.commit(view)?.run();
        expect(sent).toEqual([{ do: "retreat", unit: "2219", to: "2220", chain: ["2221"] }]);
    });
    it("send nobody to a hex where there is no way", async () => {
        const view = viewOf({ units, state: "RETREAT", prompt: { id: "retreat", units: ["2219"] } } as never);
        const { match, sent } = matchOf(view, () => ({ hexes: {} }));
        const desk = new RetreatDesk(match, "aus.retreat");
        desk.viewed(view);
        await settle();
        expect(desk.hopeless()).toBe(true);
        await desk.commit(view)?.run();
        expect(sent).toEqual([{ do: "retreat", unit: "2219" }]);
    });
    it("let a battery stay", async () => {
        const guns = { "2218": unit("french", "artillery", "A04", 4) };
        const view = viewOf({ units: guns, state: "BATTERY", prompt: { id: "battery", units: ["2218"] } } as never);
        const { match, sent } = matchOf(view, () => ({ hexes: { "2217": {} } }));
        const desk = new RetreatDesk(match, "aus.battery");
        desk.viewed(view);
        await settle();
        await desk.commit(view)?.run();
        expect(sent).toEqual([{ do: "battery", unit: "A04", stay: true }]);
    });
    it("choose among the sets of an exchange by pressing a counter", async () => {
        const two = { ...units, "2318": unit("french", "infantry", "204", 10) };
        const view = viewOf({ units: two, state: "EXCHANGE", prompt: { id: "exchange", due: 9 } } as never);
        const { match, sent } = matchOf(view, () => ({ sets: [["104"], ["204"]] }));
        const desk = new ExchangeDesk(match);
        desk.viewed(view);
        await settle();
        desk.press("2318");
        await desk.commit(view).run();
        expect(sent).toEqual([{ do: "exchange", losses: ["204"] }]);
    });
    it("advance into what was left, or not at all", async () => {
        const view = viewOf({ units, state: "ADVANCE", prompt: { id: "advance", hexes: ["2219"] } } as never);
        const { match, sent } = matchOf(view, () => ({ moves: { "104": ["2219"] } }));
        const desk = new AdvanceDesk(match);
        desk.viewed(view);
        await settle();
        await desk.commit(view).run();
        desk.to("2219");
        await desk.commit(view).run();
        expect(sent).toEqual([{ do: "advance", moves: {} }, { do: "advance", moves: { "104": "2219" } }]);
    });
});

describe("what is told", () => {
    const steps = [
        { seq: 1, at: 0, events: [{ ev: "phase", state: "DECLARE", side: "french" }] },
        { seq: 2, at: 0, events: [{ ev: "declared", plan: { "1": { contact: ["104"], defenders: [{ side: "allied", type: "cavalry", hex: "2219" }] } } }] },
        { seq: 3, at: 0, events: [
            { ev: "reveal", index: 1, units: [{ hex: "2219", id: "K2", name: "x", potential: 4 }] },
            { ev: "rolled", index: 1, attack: 9, defence: 4, odds: "2:1", row: "2:1", die: 6, modifier: 0, final_die: 6, result: "DR" },
            { ev: "eliminated", side: "allied", units: [{ side: "allied", type: "cavalry", hex: "2219" }], P: 4 },
        ] },
        { seq: 4, at: 0, events: [{ ev: "turn", turn: 2 }, { ev: "phase", state: "MOVE", side: "allied" }] },
    ] as unknown as Step[];
    it("is a heading for each phase and a line for each event", () => {
        const entries = new Story("FR").add(steps).entries;
        expect(entries[0]).toMatchObject({ kind: "heading", text: "7h · French combat" });
        expect(entries.filter((one) => one.kind === "heading").map((one) => one.kind === "heading" && one.text)).toEqual(["7h · French combat", "8h · Allied move"]);
        expect(placeOf(steps[1]!.events[0]!)).toBe("2219");
        expect(markOf(steps[2]!.events[2]!)).toBe("allied");
    });
    it("is kept for the combats of the phase", () => {
        expect(outcomes(steps).get(1)).toMatchObject({ rolled: { result: "DR" }, faces: [{ id: "K2" }] });
    });
    it("makes the course of the match", () => {
        expect(lossesByTurn(steps)).toEqual({ french: [0, 0, 0], allied: [0, 4, 4] });
        expect(turningPoints(steps)).toEqual([{ seq: 3, turn: 1, side: "allied", lost: 4, broke: false }]);
        const line = timeLine(steps);
        expect(line.bands.filter((band) => band.reached)).toHaveLength(2);
        expect(line.near(line.place(2))).toBe(2);
        expect(line.bands[0]?.fight).toBe(true);
    });
    it("opens a desk for each question", () => {
        expect(deskKey(viewOf(), "FR")).toBe("DECLARE 3 FR 0");
        expect(deskKey(viewOf(), "AL")).toBe("wait");
        expect(deskKey(viewOf({ state: "OVER" } as never), "FR")).toBe("over");
    });
});
