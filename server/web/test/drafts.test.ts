/** Drafts: a march as orders and as actions, and the store that keeps what is composed (drafts/store.ts). */
import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { roadsOf } from "@/play/graph";
import { actionsOf, endOf, follow, ordersOf, rowsOfOrders, withActions, withOrders, type Order } from "@/play/marching";
import { withPlacements } from "@/play/setup";
import type { Action, BoardData, View } from "@/types";
import boardJson from "../../../schema/games/waterloo/board.json";
import viewsJson from "./fixtures/play.json";

type Call = { method: string; params: Record<string, unknown> };
const line = vi.hoisted(() => ({ calls: [] as Call[], answer: (_call: Call): unknown => ({}) }));

vi.mock("@/net/session", async () => {
    const signals = await import("@preact/signals");
    return {
        account: signals.signal({ name: "Ney" }),
        online: signals.signal(true),
        rpc: {
            call: async (method: string, params: Record<string, unknown>) => {
                line.calls.push({ method, params });
                return line.answer({ method, params });
            },
        },
        onReconnect: () => () => {},
    };
});

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
});
vi.stubGlobal("document", new EventTarget());
vi.stubGlobal("window", new EventTarget());

const { draftOf } = await import("@/drafts/store");
const { online } = (await import("@/net/session")) as unknown as { online: { value: boolean } };
const { Refusal } = await import("@/net/rpc");

const board = boardJson as unknown as BoardData;
const views = viewsJson as unknown as { march: View; setup: View };
const roads = roadsOf(board.roads);
const from = (unit: string) => views.march.board.units[unit]?.town ?? "";
const order = (unit: string, ...path: string[]): Order => ({ unit, path, forced: false });

describe("a march as orders", () => {
    const base = ordersOf(views.march, ["FR"]);
    it("is what the server has noted, in the order of drafting", () => {
        expect(base.map(({ unit, path, forced }) => [unit, path.join(" "), forced])).toEqual([
            ["FR-B", "thuin charleroi", true],
            ["FR-C", "thuin charleroi", true],
            ["FR-G", "laneffe", false],
        ]);
    });
    it("goes to actions and back: what goes is taken back before anything marches, a march for every row", () => {
        const wanted = [base[0] as Order, order("FR-D", "thuin"), order("FR-H", "thuin"), order("FR-A", "maubeuge")];
        const actions = actionsOf(base, wanted, from);
        expect(actions.map((one) => one.do)).toEqual(["unmarch", "march", "march"]);
        expect(actions[0]).toEqual({ do: "unmarch", units: ["FR-C", "FR-G"] });
        const back = withActions(base, [...actions, endOf(["charleroi"])]);
        expect(back.orders).toEqual(wanted);
        expect(back.mercy).toEqual(["charleroi"]);
        expect(actionsOf(base, base, from)).toEqual([]);
    });
    it("keeps apart what is of another decision", () => {
        const place: Action = { do: "place", placements: [] };
        expect(withActions([], [place, { do: "march", marches: [{ unit: "FR-A", path: ["maubeuge"], forced: false }] }]).foreign).toEqual([place]);
        expect(withPlacements(new Map(), [{ do: "end_movement" }, { do: "place", placements: [{ unit: "FR-A", town: "solre" }] }])).toEqual({
            placed: new Map([["FR-A", "solre"]]),
            others: 1,
        });
    });
    it("a block ordered anew goes to the end of the order and the other way", () => {
        const again = withActions(base, [{ do: "march", marches: [{ unit: "FR-B", path: ["thuin"], forced: false }] }]).orders;
        expect(again.map((one) => one.unit)).toEqual(["FR-C", "FR-G", "FR-B"]);
        expect(again[2]?.path).toEqual(["thuin"]);
    });
    it("follows what another window ordered, and keeps what was ordered here", () => {
        const mine = [...base.slice(1), order("FR-D", "thuin")]; // FR-B was taken out here, FR-D added
        const now = [...base.slice(0, 2), order("FR-A", "maubeuge")]; // elsewhere FR-G was taken out, FR-A added
        expect(follow(base, now, mine).map((one) => one.unit)).toEqual(["FR-C", "FR-D", "FR-A"]);
    });
    it("has a row for a block that is no more, so that it can be seen and removed", () => {
        expect(rowsOfOrders(views.march, [order("FR-ZZ", "thuin")])).toMatchObject([{ from: "", path: ["thuin"], units: ["FR-ZZ"] }]);
    });
    it("is drawn by counting until the server is asked: roads, attacks, the minimum", () => {
        const three = ["FR-B", "FR-C", "FR-D"].map((unit) => ({ unit, path: ["thuin", "charleroi"], forced: true }));
        const drawn = withOrders(views.march, three, ["FR"], roads, { "thuin-charleroi": { of: 3, left: 3 } }).board;
        expect(drawn.roads?.["thuin-charleroi"]).toEqual({ used: 3, left: 0 });
        expect(drawn.attacks?.charleroi).toMatchObject({ attackers: { FR: 3 }, enough: true, roads: ["thuin-charleroi"] });
        expect(Object.keys(drawn.marches ?? {})).toEqual(["FR-B", "FR-C", "FR-D"]);
        // W4.9: with two it is too few; where nobody stands nothing is attacked.
        expect(withOrders(views.march, three.slice(1), ["FR"], roads, {}).board.attacks?.charleroi?.enough).toBe(false);
        expect(withOrders(views.march, [order("FR-G", "laneffe")], ["FR"], roads, {}).board.attacks).toEqual({});
    });
    it("agrees with what the rules wrote of the same march", () => {
        const { marches, roads: used, attacks } = withOrders(views.march, base, ["FR"], roads, {}).board;
        expect(marches).toEqual(views.march.board.marches);
        expect(used).toEqual(views.march.board.roads);
        expect(attacks).toEqual(views.march.board.attacks);
    });
});

describe("the store of a draft", () => {
    const march: Action[] = [{ do: "march", marches: [{ unit: "FR-A", path: ["maubeuge"], forced: false }] }];
    const other: Action[] = [{ do: "march", marches: [{ unit: "FR-G", path: ["laneffe"], forced: false }] }];
    let server = { version: 0, actions: [] as Action[], seq: 7 };
    let seq = 7;
    let acted: { version: number; seq: number | undefined }[] = [];
    let closes: (() => void)[] = [];

    function table() {
        const match = {
            id: `m${Math.random()}`,
            view: signal({ seq }),
            onClose: (told: () => void) => closes.push(told),
            actDraft: async (version: number, on?: number) => {
                if (version !== server.version) throw new Refusal(4, "", { kind: "conflict", reason: "version" });
                if (on !== undefined && on !== seq) throw new Refusal(5, "", { kind: "stale_state", seq });
                acted.push({ version, seq: on });
                server = { version: version + 1, actions: [], seq };
            },
        };
        return draftOf(match as never, "FR");
    }

    const quiet = () => vi.advanceTimersByTimeAsync(1000);

    beforeEach(() => {
        vi.useFakeTimers();
        server = { version: 0, actions: [], seq: 7 };
        seq = 7;
        acted = [];
        line.calls.length = 0;
        stored.clear();
        online.value = true;
        line.answer = ({ method, params }) => {
            if (method !== "match.draft") throw new Error(method);
            if (params.actions === undefined) return { ...server };
            if (params.version !== server.version) throw new Refusal(4, "", { kind: "conflict", reason: "version" });
            server = { version: server.version + 1, actions: params.actions as Action[], seq };
            return { ...server };
        };
    });
    afterEach(() => {
        for (const end of closes.splice(0)) end();
        vi.useRealTimers();
    });

    it("keeps what is composed once the hand rests, and says so", async () => {
        const store = table();
        await store.load();
        store.set(march, 7);
        store.set([...march, ...other], 7);
        expect(store.state.value).toBe("here");
        expect(stored.size).toBe(1);
        await quiet();
        expect([server.version, server.actions.length, store.state.value]).toEqual([1, 2, "kept"]);
        expect(stored.size).toBe(0);
        store.set([], 7);
        await quiet();
        expect([server.actions, store.state.value]).toEqual([[], "none"]);
    });
    it("is sent once, though the button is pressed twice before it is kept", async () => {
        const store = table();
        await store.load();
        const both = Promise.all([store.send(march), store.send(march)]);
        await quiet();
        await both;
        expect([acted.length, server.actions, store.state.value, store.conflict.value]).toEqual([1, [], "none", null]);
    });
    it("keeps what was composed while the kept draft was still being read", async () => {
        const store = table();
        const loading = store.load();
        store.set(march, 7);
        await loading;
        await quiet();
        expect([server.actions, store.actions.value, store.state.value]).toEqual([march, march, "kept"]);
    });
    it("hands over after a reload what the browser had not handed over", async () => {
        const before = table();
        await before.load();
        online.value = false;
        before.set(march, 7);
        await quiet();
        expect(server.version).toBe(0);
        const key = [...stored.keys()][0] ?? "";
        const after = table();
        stored.set(key.replace(/m0\.\d+/, (after as unknown as { match: { id: string } }).match.id), stored.get(key) ?? "");
        online.value = true;
        await after.load();
        await quiet();
        expect([server.actions, after.state.value]).toEqual([march, "kept"]);
    });
    it("lays two drafts beside each other, and loses neither", async () => {
        const store = table();
        await store.load();
        server = { version: 1, actions: other, seq: 7 };
        store.set(march, 7);
        await quiet();
        expect(store.conflict.value?.actions).toEqual(other);
        expect([store.actions.value, server.actions]).toEqual([march, other]);
        store.take("mine");
        await quiet();
        expect([server.version, server.actions]).toEqual([2, march]);
        server = { version: 3, actions: other, seq: 7 };
        store.set([...march, ...march], 7);
        await quiet();
        store.take("theirs");
        expect([store.actions.value, store.taken.value, store.conflict.value]).toEqual([other, 1, null]);
    });
    it("is no conflict when the other one is the same or was thrown away", async () => {
        const store = table();
        await store.load();
        server = { version: 4, actions: [{ marches: [{ forced: false, path: ["maubeuge"], unit: "FR-A" }], do: "march" }] as Action[], seq: 7 };
        store.set(march, 7);
        await quiet();
        expect([store.conflict.value, store.state.value, server.version]).toEqual([null, "kept", 4]);
        server = { version: 5, actions: [], seq: 7 };
        store.set(other, 7);
        await quiet();
        expect([store.conflict.value, server.version, server.actions]).toEqual([null, 6, other]);
    });
    it("does not take what it read before an edit for newer than the edit", async () => {
        const store = table();
        await store.load();
        store.set(march, 7);
        await quiet();
        server = { version: 2, actions: [], seq: 7 };
        let answer: ((kept: unknown) => void) | undefined;
        const keeps = line.answer;
        line.answer = (call) => (call.params.actions === undefined ? new Promise((done) => (answer = done)) : keeps(call));
        const looked = store.look();
        store.set(other, 7);
        server = { version: 1, actions: march, seq: 7 };
        await quiet();
        answer?.({ version: 7, actions: [], seq: 7 });
        await looked;
        expect([store.actions.value, server.version, server.actions]).toEqual([other, 2, other]);
    });
    it("commits the version that it has kept, and is empty then", async () => {
        const store = table();
        await store.load();
        store.set(march, 7);
        await store.send([...march, { do: "end_movement" }]);
        expect(acted).toEqual([{ version: 1, seq: undefined }]);
        expect([store.actions.value, store.state.value]).toEqual([[], "none"]);
    });
    it("is not given when the server does not keep it, nor on another position after the line was lost", async () => {
        const store = table();
        await store.load();
        store.set(march, 7);
        await quiet();
        const keeps = line.answer;
        line.answer = (call) => {
            if (call.params.actions !== undefined) throw new Refusal(9, "", { kind: "too_large" });
            return keeps(call);
        };
        await store.send(other);
        expect([acted.length, store.refused.value?.kind, store.actions.value]).toEqual([0, "too_large", other]);
        line.answer = (call) => {
            if (call.params.actions !== undefined) {
                online.value = false;
                seq = 8;
                online.value = true;
            }
            return keeps(call);
        };
        await expect(store.send([...other, ...march])).rejects.toMatchObject({ data: { kind: "stale_state" } });
        expect([acted.length, store.actions.value.length]).toEqual([0, 2]);
    });
    it("without a connection waits, and is sent once when that is back", async () => {
        const store = table();
        await store.load();
        online.value = false;
        await store.send(march);
        expect([store.waits.value, acted.length]).toEqual([true, 0]);
        online.value = true;
        await quiet();
        expect(acted).toEqual([{ version: 1, seq: 7 }]);
        online.value = false;
        online.value = true;
        await quiet();
        expect(acted.length).toBe(1);
    });
    it("is not sent on another position, after an edit, or when it was taken back", async () => {
        const store = table();
        await store.load();
        online.value = false;
        await store.send(march);
        seq = 8;
        online.value = true;
        await quiet();
        expect([acted.length, store.refused.value?.kind, server.actions]).toEqual([0, "stale_state", march]);
        seq = 7;
        for (const undo of [() => store.takeBack(), () => store.set(other, 7)]) {
            online.value = false;
            await store.send(march);
            undo();
            online.value = true;
            await quiet();
            expect(acted.length).toBe(0);
        }
    });
});
