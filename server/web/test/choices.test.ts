/** What is chosen here for the account too: whenever it is chosen, the account gets it (account/choices.ts). */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settle as settled } from "./fixtures/settle";

vi.mock("@/words", () => ({ setLanguage: async () => {} }));

type Said = { id: number; method: string; params: Record<string, unknown> };
type Answer = { result: unknown } | { error: { code: number; message: string; data: Record<string, unknown> } };

/** A socket that the test answers for: nothing comes back before it says so. */
class Line extends EventTarget {
    static readonly OPEN = 1;
    static all: Line[] = [];
    readyState = 0;
    said: Said[] = [];
    onopen?: () => void;
    onclose?: () => void;
    onmessage?: (message: { data: string }) => void;
    constructor() {
        super();
        Line.all.push(this);
    }
    send(text: string): void {
        this.said.push(JSON.parse(text) as Said);
    }
    close(): void {
        this.readyState = 3;
        this.onclose?.();
    }
    begin(): void {
        this.readyState = Line.OPEN;
        this.onopen?.();
    }
    /** Answers the first call of that method that has no answer yet. */
    async answer(method: string, answer: Answer): Promise<void> {
        await waitFor(() => expect(this.said.map((one) => one.method)).toContain(method));
        const at = this.said.findIndex((one) => one.method === method);
        const [call] = this.said.splice(at, 1);
        this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", id: call?.id, ...answer }) });
        await settled();
    }
    asked(method: string): Record<string, unknown>[] {
        return this.said.filter((one) => one.method === method).map((one) => one.params);
    }
}

const waitFor = (holds: () => void): Promise<void> => vi.waitFor(holds, { timeout: 30000 });
const hello = { result: { name: "vedetted", version: "1", protocol: "1", games: [], limits: {}, time: 0 } };
const ney = { result: { account: { name: "Ney", language: "en" } } };
const no = (kind: string, more = {}): Answer => ({ error: { code: 1, message: kind, data: { kind, ...more } } });

const stored = new Map<string, string>();

async function page() {
    vi.resetModules();
    Line.all = [];
    const session = await import("@/net/session");
    const choices = await import("@/account/choices");
    const end = choices.followChoices();
    session.rpc.start();
    ends.push(end, () => session.rpc.stop());
    return { ...session, ...choices, line: () => Line.all[Line.all.length - 1] as Line };
}

const ends: (() => void)[] = [];

beforeEach(() => {
    stored.clear();
    stored.set("vedette.token", "secret");
    vi.stubGlobal("localStorage", {
        getItem: (key: string) => stored.get(key) ?? null,
        setItem: (key: string, value: string) => void stored.set(key, value),
        removeItem: (key: string) => void stored.delete(key),
    });
    const quiet = { matches: false, addEventListener: () => {} };
    vi.stubGlobal("matchMedia", () => quiet);
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("location", { protocol: "http:", host: "here", reload: () => {} });
    vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "hidden", documentElement: { dataset: {}, lang: "" } }));
    vi.stubGlobal("WebSocket", Line);
});

afterEach(() => {
    for (const end of ends.splice(0)) end();
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

describe("what is chosen for the account", () => {
    it("goes to the account when it was chosen while signing in was under way", async () => {
        const { chooseZone, line, account } = await page();
        line().begin();
        chooseZone("Asia/Tokyo");
        await line().answer("server.hello", hello);
        expect(line().asked("account.set")).toEqual([]);
        await line().answer("account.resume", ney);
        expect(line().asked("account.set")).toEqual([{ timezone: "Asia/Tokyo" }]);
        await line().answer("account.set", { result: { name: "Ney", timezone: "Asia/Tokyo" } });
        expect(account.value?.["timezone"]).toBe("Asia/Tokyo");
        expect(stored.has("vedette.unsent")).toBe(false);
        expect(line().asked("account.set")).toEqual([]);
    });

    it("goes to the account before what is asked of it next", async () => {
        const { chooseZone, line, rpc } = await page();
        line().begin();
        chooseZone("Asia/Tokyo");
        const email = rpc.call("account.set", { email: "ney@example.org" });
        email.catch(() => {});
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        expect(line().asked("account.set")).toHaveLength(2);
        expect(line().asked("account.set")).toContainEqual({ timezone: "Asia/Tokyo" });
    });

    it("is sent again when the line broke under it, and the last choice counts", async () => {
        const { chooseZone, line } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        chooseZone("Asia/Tokyo");
        expect(line().asked("account.set")).toEqual([{ timezone: "Asia/Tokyo" }]);
        const before = line();
        before.close();
        await settled();
        chooseZone("Asia/Seoul");
        await waitFor(() => expect(line()).not.toBe(before));
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        await waitFor(() => expect(line().asked("account.set").at(-1)).toEqual({ timezone: "Asia/Seoul" }));
        await line().answer("account.set", { result: { name: "Ney", timezone: "Asia/Seoul" } });
        expect(stored.has("vedette.unsent")).toBe(false);
    });

    it("outlives the page: the next one sends it", async () => {
        const first = await page();
        first.line().begin();
        await first.line().answer("server.hello", hello);
        first.chooseZone("Asia/Tokyo");
        expect(JSON.parse(stored.get("vedette.unsent") ?? "{}")).toEqual({ timezone: "Asia/Tokyo" });
        const { line } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        expect(line().asked("account.set")).toEqual([{ timezone: "Asia/Tokyo" }]);
    });

    it("is sent anew when it was changed while it was on its way", async () => {
        const { chooseZone, chooseLanguage, line } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        chooseZone("Asia/Tokyo");
        chooseZone("Asia/Seoul");
        await chooseLanguage("fr");
        await line().answer("account.set", { result: { name: "Ney", timezone: "Asia/Tokyo" } });
        const then = line().asked("account.set")[0];
        await line().answer("account.set", { result: { name: "Ney" } });
        const last = line().asked("account.set")[0];
        expect([then, last]).toEqual(expect.arrayContaining([{ timezone: "Asia/Seoul" }, { language: "fr" }]));
    });

    it("stays with this browser when nobody is signed in, and does not reach who signs in next", async () => {
        const { chooseZone, line, account, forget, login } = await page();
        line().begin();
        chooseZone("Asia/Tokyo");
        await line().answer("server.hello", hello);
        await line().answer("account.resume", no("not_signed_in"));
        expect(account.value).toBe(null);
        chooseZone("Asia/Seoul");
        forget();
        const entered = login("Blücher", "marschall vorwärts");
        await line().answer("account.login", { result: { account: { name: "Blücher" }, token: "other" } });
        await entered;
        expect(line().asked("account.set")).toEqual([]);
    });

    it("goes to the account that is being signed in to", async () => {
        stored.delete("vedette.token");
        const { chooseZone, line, login } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        const entered = login("Ney", "correct horse");
        chooseZone("Asia/Tokyo");
        await line().answer("account.login", { result: { account: { name: "Ney" }, token: "other" } });
        await entered;
        expect(line().asked("account.set")).toEqual([{ timezone: "Asia/Tokyo" }]);
    });

    it("that is refused is told, and not sent for ever", async () => {
        const { chooseZone, line, choiceFailed } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        chooseZone("Moon/Tycho");
        await line().answer("account.set", no("bad_request", { member: "timezone" }));
        expect(choiceFailed.value).toMatchObject({ data: { member: "timezone" } });
        expect(stored.has("vedette.unsent")).toBe(false);
        chooseZone("Asia/Tokyo");
        expect(choiceFailed.value).toBe(null);
    });

    it("that came too soon after others is sent when there is room again", async () => {
        const { chooseZone, line, choiceFailed } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        chooseZone("Asia/Tokyo");
        await line().answer("account.set", no("rate_limited", { retry_after_ms: 20 }));
        expect(choiceFailed.value).toBe(null);
        await waitFor(() => expect(line().asked("account.set")).toEqual([{ timezone: "Asia/Tokyo" }]));
    });
});

describe("signing out", () => {
    it("is done though the line broke under it", async () => {
        const { line, logout, account } = await page();
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", ney);
        const before = line();
        const out = logout();
        before.close();
        await waitFor(() => expect(line()).not.toBe(before));
        line().begin();
        await line().answer("server.hello", hello);
        await line().answer("account.resume", no("not_signed_in"));
        await line().answer("account.logout", no("not_signed_in"));
        await out;
        expect(account.value).toBe(null);
        expect(stored.has("vedette.token")).toBe(false);
    });
});
