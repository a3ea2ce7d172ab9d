/**
 * The draft of one seat: what its player has composed and may still change. The server keeps it by
 * version for that seat alone (match.draft), this browser until the server has it; it is committed as
 * one action. Any game's desk may use it: what the actions mean is the desk's business.
 *
 * Nothing is lost: an edit that met another device's edit waits beside it until one is taken; what was
 * made on an older position stays, and says so; what was to be sent when the connection is back is sent
 * once, and only if the position is still the same.
 */
import { batch, effect, signal, untracked, type Signal } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import { newActionId, Refusal } from "@/net/rpc";
import { account, online, rpc } from "@/net/session";
import type { Action, Seat } from "@/types";

/** As the server tells of it. */
export interface Kept {
    version: number;
    actions: Action[];
    /** The seat's seq when it was kept. */
    seq?: number;
}

/** none: nothing is drafted; kept: the server has it; keeping: on its way; here: in this browser alone. */
export type DraftState = "none" | "kept" | "keeping" | "here";

const KEEP_AFTER_MS = 400;

export class DraftStore {
    /** What is composed, in the order in which it will be done. */
    readonly actions: Signal<readonly Action[]> = signal([]);
    readonly state: Signal<DraftState> = signal("none");
    /** What another window or device has kept, while what is here differs: one is to be taken. */
    readonly conflict: Signal<Kept | null> = signal(null);
    /** The seat's seq on which it was made; null: nothing is drafted. */
    readonly madeOn: Signal<number | null> = signal(null);
    /** Committed without a connection: it goes when that is back. */
    readonly waits: Signal<boolean> = signal(false);
    /** What kept a waiting commit from being sent, or a draft from being kept. */
    readonly refused: Signal<Refusal | null> = signal(null);
    /** Goes up when the draft became another one without its desk. */
    readonly taken: Signal<number> = signal(0);

    private version = 0;
    private waitsOn = 0;
    /** How often the connection was lost. */
    private cuts = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private flying: Promise<void> | null = null;
    private sending: Promise<void> | null = null;
    private loading: Promise<void> | null = null;
    private readonly ends: (() => void)[] = [];

    constructor(
        private readonly match: MatchStore,
        private readonly seat: Seat,
    ) {
        let before = true;
        this.ends.push(
            effect(() => {
                const now = online.value;
                if (!now) this.cuts++;
                if (now && !before) untracked(() => void this.back());
                before = now;
            }),
            listen(document, "visibilitychange", () => document.visibilityState === "visible" && void this.look()),
            listen(window, "focus", () => void this.look()),
            listen(window, "storage", (event) => (event as StorageEvent).key === this.key && void this.look()),
        );
    }

    close(): void {
        clearTimeout(this.timer);
        for (const end of this.ends.splice(0)) end();
        if (this.state.value === "here" && online.value) void this.keep();
    }

    /** Reads what is kept, once; what this browser had not yet handed over comes first. */
    load(): Promise<void> {
        this.loading ??= this.begin().catch((error: unknown) => {
            this.loading = null;
            if (error instanceof Refusal) throw error;
        });
        return this.loading;
    }

    private async begin(): Promise<void> {
        const kept = await this.read();
        // What was composed while this was read counts as composed here.
        const here = this.unsent();
        this.version = kept.version;
        if (here === null || same(here.actions, kept.actions)) {
            this.unsent(null);
            this.adopt(kept);
            return;
        }
        batch(() => {
            this.actions.value = here.actions;
            this.madeOn.value = here.seq ?? null;
            this.state.value = "here";
            if (here.version !== kept.version && kept.actions.length > 0) this.conflict.value = kept;
        });
        if (this.conflict.value === null) void this.keep();
    }

    /** The desk has composed this, on the position of that seq; [] throws the draft away. */
    set(actions: readonly Action[], seq: number): void {
        if (same(actions, this.actions.value) && this.state.value !== "none") return;
        if (actions.length === 0 && this.state.value === "none") return;
        batch(() => {
            this.actions.value = actions;
            this.madeOn.value = seq;
            this.state.value = "here";
            this.waits.value = false;
            this.refused.value = null;
        });
        this.unsent({ version: this.version, actions: [...actions], seq });
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.keep(), KEEP_AFTER_MS);
    }

    /** It was looked at on this position: it counts as made on it. */
    confirm(seq: number): void {
        if (this.actions.value.length === 0) return;
        batch(() => {
            this.madeOn.value = seq;
            this.state.value = "here";
            this.refused.value = null;
        });
        void this.keep();
    }

    /** Of two drafts one is taken; the desk is told, so that a step back brings the other. */
    take(which: "mine" | "theirs"): void {
        const theirs = this.conflict.value;
        if (theirs === null) return;
        this.conflict.value = null;
        this.version = theirs.version;
        if (which === "mine") {
            void this.keep();
            return;
        }
        this.unsent(null);
        this.adopt(theirs);
        this.taken.value++;
    }

    /**
     * Does these actions as one, and the draft is spent. Without a connection it is noted, and done
     * when that is back. Throws a Refusal; the draft stays then.
     */
    send(actions: readonly Action[]): Promise<void> {
        // Asked twice before it is done it is done once.
        this.sending ??= this.sendOnce(actions).finally(() => (this.sending = null));
        return this.sending;
    }

    private async sendOnce(actions: readonly Action[]): Promise<void> {
        const seq = this.match.view.value?.seq ?? 0;
        await this.load();
        this.set(actions, seq);
        if (!online.value) {
            this.waitsOn = seq;
            this.waits.value = true;
            return;
        }
        const cuts = this.cuts;
        await this.flush();
        // What the server does not have cannot be done; why is said beside it.
        if (this.state.value !== "kept") return;
        try {
            // The match may have gone on while the line was gone: then it is for the player to look.
            await this.spend(cuts === this.cuts ? undefined : seq);
        } catch (error) {
            if (!(error instanceof Refusal) || error.kind !== "conflict" || error.data.reason !== "version") throw error;
            this.state.value = "here";
            await this.meet();
            void this.keep();
        }
    }

    /** What was to be sent when the connection is back is not. */
    takeBack(): void {
        this.waits.value = false;
    }

    /** Keeps at once what is not kept yet. */
    async flush(): Promise<void> {
        clearTimeout(this.timer);
        await this.flying;
        await this.keep();
    }

    private async spend(seq?: number): Promise<void> {
        await this.match.actDraft(this.version, seq);
        this.version++;
        this.unsent(null);
        this.adopt({ version: this.version, actions: [] });
    }

    private async back(): Promise<void> {
        if (!this.waits.value) {
            await this.look();
            return;
        }
        this.waits.value = false;
        try {
            await this.flush();
            if (this.state.value === "kept") await this.spend(this.waitsOn);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = error;
        }
    }

    /** Has another window or device kept another draft meanwhile? */
    async look(): Promise<void> {
        if (!online.value || this.loading === null || this.conflict.value !== null || this.flying !== null) return;
        if (this.state.value === "here") {
            await this.keep();
            return;
        }
        const { version } = this;
        const before = this.actions.value;
        const kept = await this.read().catch(() => null);
        // What was composed or kept here meanwhile is newer than what was read.
        const still = version === this.version && before === this.actions.value && (this.state.value === "kept" || this.state.value === "none");
        if (kept === null || kept.version === version || !still) return;
        const other = !same(kept.actions, this.actions.value);
        this.adopt(kept);
        if (other) this.taken.value++;
    }

    private adopt(kept: Kept): void {
        batch(() => {
            this.version = kept.version;
            this.actions.value = kept.actions;
            this.madeOn.value = kept.actions.length === 0 ? null : (kept.seq ?? null);
            this.state.value = kept.actions.length === 0 ? "none" : "kept";
            this.conflict.value = null;
            this.waits.value = false;
        });
    }

    private keep(): Promise<void> {
        this.flying ??= this.hand().finally(() => (this.flying = null));
        return this.flying;
    }

    /** Hands over what is here until nothing is left to hand over. */
    private async hand(): Promise<void> {
        while (this.state.value === "here" && this.conflict.value === null && online.value) {
            const what = this.actions.value;
            this.state.value = "keeping";
            try {
                const kept = await rpc.call<Kept>("match.draft", {
                    match: this.match.id, as: this.seat, version: this.version, actions: what, action_id: newActionId(),
                });
                this.version = kept.version;
                if (this.actions.value === what) {
                    this.unsent(null);
                    this.state.value = what.length === 0 ? "none" : "kept";
                }
            } catch (error) {
                this.state.value = "here";
                if (!(error instanceof Refusal)) return;
                if (error.kind !== "conflict" || error.data.reason !== "version") {
                    this.refused.value = error;
                    return;
                }
                await this.meet();
            }
        }
    }

    /** Another version is there: the same in words, nothing, or one that is shown beside this. */
    private async meet(): Promise<void> {
        const theirs = await this.read();
        if (same(theirs.actions, this.actions.value)) {
            this.unsent(null);
            this.adopt(theirs);
        } else if (theirs.actions.length === 0) {
            this.version = theirs.version;
        } else {
            this.conflict.value = theirs;
        }
    }

    private read(): Promise<Kept> {
        return rpc.call<Kept>("match.draft", { match: this.match.id, as: this.seat });
    }

    private get key(): string {
        return `vedette.draft.${account.value?.name ?? ""}.${this.match.id}.${this.seat}`;
    }

    /** What this browser has that the server has not; with a value: keeps it, null: forgets it. */
    private unsent(value?: Kept | null): Kept | null {
        try {
            if (value === null) localStorage.removeItem(this.key);
            else if (value !== undefined) localStorage.setItem(this.key, JSON.stringify(value));
            const text = localStorage.getItem(this.key);
            return text === null ? null : (JSON.parse(text) as Kept);
        } catch {
            return null; // a browser that keeps nothing: the server does
        }
    }
}

const stores = new WeakMap<MatchStore, Map<Seat, DraftStore>>();

/** The draft of a seat, one for all desks of a match page; it ends with the page. */
export function draftOf(match: MatchStore, seat: Seat): DraftStore {
    const known = stores.get(match) ?? new Map<Seat, DraftStore>();
    stores.set(match, known);
    const store = known.get(seat) ?? new DraftStore(match, seat);
    if (!known.has(seat)) match.onClose(() => (known.delete(seat), store.close()));
    known.set(seat, store);
    return store;
}

function same(a: readonly Action[], b: readonly Action[]): boolean {
    return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

/** With the members of objects in one order, as the server keeps them. */
function sorted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]));
}

function listen(target: EventTarget, event: string, heard: (event: Event) => void): () => void {
    target.addEventListener(event, heard);
    return () => target.removeEventListener(event, heard);
}
