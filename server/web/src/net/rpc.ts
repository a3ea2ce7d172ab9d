/**
 * One connection to the daemon: JSON-RPC 2.0 over a WebSocket that comes back by itself.
 *
 * A call made while there is no connection waits for one. A call that was in flight when the
 * connection broke is sent again when it is safe: it changes nothing, or it carries an action_id, so
 * that the daemon gives the first answer again and nothing is done twice.
 */
import { signal, type Signal } from "@preact/signals";
import type { Method } from "@/types/gen/methods";

/** What the daemon said no to: `kind` is the stable name to switch on. */
export class Refusal extends Error {
    constructor(
        readonly code: number,
        message: string,
        readonly data: RefusalData,
    ) {
        super(message);
        this.name = "Refusal";
    }
    get kind(): string {
        return this.data.kind;
    }
    get rule(): string | undefined {
        return this.data.rule;
    }
}

export interface RefusalData {
    kind: string;
    rule?: string;
    member?: string;
    reason?: string;
    seq?: number;
    retry_after_ms?: number;
}

export type Link =
    | { state: "connecting"; tries: number }
    | { state: "open" }
    | { state: "lost"; tries: number; nextTryAt: number }
    | { state: "closing"; backIn: number; nextTryAt: number };

type Params = Record<string, unknown>;
type Push = (params: never) => void;

interface Call {
    method: string;
    params: Params;
    resolve: (result: never) => void;
    reject: (error: Error) => void;
    sent: boolean;
    /** Lost with its connection rather than sent again. */
    once: boolean;
    before: boolean;
}

const BACKOFF_MS = [250, 500, 1000, 2000, 4000, 8000, 15000];
const PROBE_EVERY_MS = 20000;
const PROBE_WAITS_MS = 6000;

/** A fresh id for a request that changes something (up to 64 bytes, PROTOCOL section 7). */
export function newActionId(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Rpc {
    /** State of the connection, for the strip under the bar. */
    readonly link: Signal<Link> = signal({ state: "connecting", tries: 0 });
    private socket: WebSocket | null = null;
    private ready = false;
    private nextId = 1;
    private readonly calls = new Map<number, Call>();
    private readonly pushes = new Map<string, Set<Push>>();
    private tries = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private probe: ReturnType<typeof setInterval> | undefined;
    private stopped = false;

    /**
     * `greet` runs on each new connection before anything else is sent (hello, resume); what it calls
     * must be called with `first: true`.
     */
    constructor(
        private readonly url: string,
        private readonly greet: (rpc: Rpc, again: boolean) => Promise<void>,
    ) {}

    start(): void {
        addEventListener("online", () => this.retryNow());
        addEventListener("offline", () => this.lose());
        document.addEventListener("visibilitychange", () => {
            if (document.visibilityState === "visible") this.retryNow();
        });
        this.open();
    }

    stop(): void {
        this.stopped = true;
        clearTimeout(this.timer);
        clearInterval(this.probe);
        this.socket?.close(1000);
    }

    /** Tries at once instead of waiting for the next try. */
    retryNow(): void {
        if (this.stopped || this.socket !== null) return;
        clearTimeout(this.timer);
        this.open();
    }

    /** Hears a push; gives what stops it. */
    on<T>(push: string, heard: (params: T) => void): () => void {
        const set = this.pushes.get(push) ?? new Set<Push>();
        this.pushes.set(push, set);
        set.add(heard as Push);
        return () => set.delete(heard as Push);
    }

    /**
     * Calls a method. `once`: rejects when the connection breaks under it (for what changes
     * something without an action_id); `first`: goes out before the greeting is done.
     */
    call<T>(method: Method, params: Params = {}, how: { once?: boolean; first?: boolean } = {}): Promise<T> {
        return new Promise<T>((resolve, reject) => {
            const id = this.nextId++;
            const call: Call = {
                method,
                params,
                resolve: resolve as (result: never) => void,
                reject,
                sent: false,
                once: how.once ?? false,
                before: how.first ?? false,
            };
            this.calls.set(id, call);
            this.send(id, call);
        });
    }

    private send(id: number, call: Call): void {
        if (this.socket?.readyState !== WebSocket.OPEN || !(this.ready || call.before)) return;
        call.sent = true;
        this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: call.method, params: call.params }));
    }

    private open(): void {
        if (this.stopped) return;
        this.link.value = { state: "connecting", tries: this.tries };
        const socket = new WebSocket(this.url, "vedette.v1");
        this.socket = socket;
        socket.onopen = () => void this.opened(socket);
        socket.onmessage = (message) => {
            if (this.socket === socket) this.heard(String(message.data));
        };
        socket.onclose = () => {
            if (this.socket === socket) this.closed();
        };
    }

    private async opened(socket: WebSocket): Promise<void> {
        const again = this.tries > 0 || this.probe !== undefined;
        try {
            await this.greet(this, again);
        } catch {
            if (this.socket === socket) socket.close();
            return;
        }
        if (this.socket !== socket) return;
        this.ready = true;
        this.tries = 0;
        this.link.value = { state: "open" };
        clearInterval(this.probe);
        this.probe = setInterval(() => this.probeOnce(socket), PROBE_EVERY_MS);
        for (const [id, call] of this.calls) if (!call.sent) this.send(id, call);
    }

    /** A dead line that TCP has not noticed is found by asking. */
    private probeOnce(socket: WebSocket): void {
        if (document.visibilityState === "hidden" || this.socket !== socket) return;
        const dead = setTimeout(() => this.lose(), PROBE_WAITS_MS);
        const done = (): void => clearTimeout(dead);
        this.call("server.hello", {}, { once: true }).then(done, done);
    }

    private lose(): void {
        const socket = this.socket;
        if (socket === null) return;
        socket.onclose = null;
        socket.close();
        this.closed();
    }

    private closed(): void {
        this.socket = null;
        this.ready = false;
        for (const [id, call] of this.calls) {
            if (call.before || (call.once && call.sent)) {
                this.calls.delete(id);
                call.reject(new Error("connection lost"));
            } else {
                call.sent = false;
            }
        }
        if (this.stopped) return;
        const planned = this.link.value.state === "closing" ? this.link.value : null;
        const wait = planned === null ? this.backoff() : planned.backIn * 1000;
        const nextTryAt = Date.now() + wait;
        this.tries++;
        this.link.value = planned ? { ...planned, nextTryAt } : { state: "lost", tries: this.tries, nextTryAt };
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.open(), wait);
    }

    private backoff(): number {
        const step = BACKOFF_MS[Math.min(this.tries, BACKOFF_MS.length - 1)] ?? 15000;
        return step * (0.75 + Math.random() / 2);
    }

    private heard(text: string): void {
        const answer = JSON.parse(text) as Incoming | Incoming[];
        for (const one of Array.isArray(answer) ? answer : [answer]) this.take(one);
    }

    private take(one: Incoming): void {
        if (one.method !== undefined) {
            if (one.method === "server.closing") this.closingSoon(one.params as { back_in_s?: number });
            for (const heard of this.pushes.get(one.method) ?? []) heard(one.params as never);
            return;
        }
        const call = this.calls.get(one.id ?? 0);
        if (call === undefined) return;
        this.calls.delete(one.id ?? 0);
        if (one.error !== undefined) {
            call.reject(new Refusal(one.error.code, one.error.message, one.error.data ?? { kind: "internal" }));
        } else {
            call.resolve(one.result as never);
        }
    }

    private closingSoon(params: { back_in_s?: number }): void {
        const backIn = params.back_in_s ?? 5;
        this.link.value = { state: "closing", backIn, nextTryAt: Date.now() + backIn * 1000 };
    }
}

interface Incoming {
    id?: number;
    method?: string;
    params?: unknown;
    result?: unknown;
    error?: { code: number; message: string; data?: RefusalData };
}
