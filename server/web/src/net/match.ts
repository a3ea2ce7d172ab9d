/**
 * One match as this browser follows it: the newest view of one viewer, its history, its talk, and
 * the doors through which a seat acts. Everything shown on the match page reads these signals.
 */
import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { mergePatch } from "@/net/patch";
import { newActionId, Refusal } from "@/net/rpc";
import { account, onReconnect, rpc } from "@/net/session";
import type { Acted, Action, BoardData, GameAbout, Given, Message, Seat, Step, Summary, View, Viewer } from "@/types";

export type Status = "loading" | "ready" | "not_found" | "failed";

const HISTORY_PAGE = 200;
const boards = new Map<string, Promise<BoardData>>();
const abouts = new Map<string, Promise<GameAbout>>();

/** What the daemon says of a game, asked once. */
export function aboutGame(game: string): Promise<GameAbout> {
    const known = abouts.get(game) ?? rpc.call<GameAbout>("game.get", { game });
    abouts.set(game, known);
    known.catch(() => abouts.delete(game));
    return known;
}

/** The board data of a game; `fixture` is the small board that tests play on. */
export async function boardOf(game: string, base: "real" | "fixture" = "real"): Promise<BoardData> {
    const about = await aboutGame(game);
    const address = (base === "fixture" && about["fixture"]) || about.board;
    if (typeof address !== "string") throw new Error(`no board for ${game}`);
    const known = boards.get(address) ?? fetch(address).then((got) => got.json() as Promise<BoardData>);
    boards.set(address, known);
    known.catch(() => boards.delete(address));
    return known;
}

export class MatchStore {
    /** The newest view; null until the first has come. */
    readonly view: Signal<View | null> = signal(null);
    readonly summary: Signal<Summary | null> = signal(null);
    readonly board: Signal<BoardData | null> = signal(null);
    /** Steps of this viewer's history, by seq, without gaps from steps[0].seq to the newest. */
    readonly steps: Signal<Step[]> = signal([]);
    readonly talk: Signal<Message[]> = signal([]);
    /** Messages of others that were not read, by channel. */
    readonly unread: Signal<Record<string, number>> = signal({});
    readonly status: Signal<Status> = signal("loading");
    /** An act is on its way: buttons wait. */
    readonly busy: Signal<boolean> = signal(false);
    /** The view went on without this window: by another one of the same seat, or by its standing orders. */
    readonly movedElsewhere: Signal<null | "window" | "orders"> = signal(null);
    /** What the seat is asked amid another's turn in a match with a pace, and has answered that is not shown yet. */
    readonly given: Signal<Given | null> = signal(null);
    /** Who this page looks as. */
    readonly as: Signal<Viewer> = signal("public");
    /** Seats of the account that is signed in. */
    readonly mySeats: ReadonlySignal<Seat[]> = computed(() => this.summary.value?.you ?? []);
    /** The seat that this page acts for, null for a spectator. */
    readonly seat: ReadonlySignal<Seat | null> = computed(() =>
        this.mySeats.value.find((code) => code === this.as.value) ?? null,
    );
    /** May this page's seat act now? */
    readonly myTurn: ReadonlySignal<boolean> = computed(() => {
        const seat = this.seat.value;
        return seat !== null && (this.view.value?.to_act.includes(seat) ?? false);
    });

    /** The newest view as it was pushed; `view` may be ahead of it by answers that are held. */
    private base: View | null = null;
    /** Whose history is on its way. */
    private filling: Viewer | null = null;
    /** Channels that were read here. */
    private readonly loaded = new Set<Message["channel"]>();
    private readonly ends: (() => void)[] = [];
    private readonly heard = new Set<(step: Step) => void>();
    private expected = 0;

    /** When this page began to look: what is older was missed. */
    readonly openedAt = Date.now();

    constructor(readonly id: string) {}

    /** Begins to follow; what came before stays until close(). */
    async open(as?: Viewer): Promise<void> {
        this.ends.push(
            rpc.on("match.view", (push: { match: string; seq: number; view: View }) => {
                if (push.match === this.id && push.view.as === this.as.value) this.take(push.view);
            }),
            rpc.on("match.delta", (push: Delta) => this.takeDelta(push)),
            rpc.on("match.changed", (push: Changed) => {
                if (push.match === this.id) this.changed(push);
            }),
            rpc.on("match.said", (push: Message & { match: string }) => {
                if (push.match !== this.id) return;
                this.takeMessage(push);
                if (!this.isOwn(push)) this.unread.value = { ...this.unread.value, [push.channel]: (this.unread.value[push.channel] ?? 0) + 1 };
            }),
            onReconnect(() => void this.watch()),
        );
        try {
            await this.refresh();
            const seats = this.mySeats.value;
            this.as.value = as ?? seats[0] ?? this.looker();
            const state = this.summary.value?.state;
            if (state !== "open") await this.watch().catch(ifNotYet);
            this.status.value = "ready";
            import("@/proof/follow").then(
                (proof) => {
                    if (this.ends.length > 0) this.ends.push(proof.followMatch(this));
                },
                () => {}, // the line is gone; the next visit keeps them
            );
        } catch (error) {
            this.status.value = error instanceof Refusal && (error.kind === "not_found" || error.kind === "forbidden") ? "not_found" : "failed";
        }
    }

    close(): void {
        for (const end of this.ends) end();
        this.ends.length = 0;
        if (this.view.value !== null) rpc.call("match.unwatch", { match: this.id }, { once: true }).catch(() => {});
    }

    /** Runs when this match is followed no more. */
    onClose(told: () => void): void {
        this.ends.push(told);
    }

    /** Hears each new step as it comes (not those of history): animation, live region. */
    onStep(told: (step: Step) => void): () => void {
        this.heard.add(told);
        return () => this.heard.delete(told);
    }

    /** Who looks without a seat: late, where that is agreed, at everything; else at what all know. */
    private looker(): Viewer {
        const { spectators, state, revealed } = this.summary.value ?? {};
        return spectators === "delayed" && state === "running" && revealed !== true ? "all" : "public";
    }

    private changed(push: Changed): void {
        const { match, presence, watching, ...more } = push;
        const summary = this.summary.value;
        if (Object.keys(more).length === 0 && summary !== null && (presence ?? watching) !== undefined) {
            this.summary.value = { ...summary, ...(presence && { presence }), ...(watching !== undefined && { watching }) };
            return;
        }
        if (push.answer !== undefined) void this.loadHeld().catch(() => {});
        // What is shown late may begin to be shown.
        if (this.base === null && this.status.value === "ready" && this.summary.value?.state === "running") void this.watch().catch(() => {});
        if (push.unwatched !== undefined && push.unwatched === this.as.value) void this.turnedAway().catch(() => (this.status.value = "not_found"));
        else void this.refresh().catch(() => {});
    }

    /** The seat has changed hands: what this account may see now is looked at. */
    private async turnedAway(): Promise<void> {
        await this.refresh();
        const as = this.mySeats.value[0] ?? this.looker();
        if (as !== this.as.value) await this.lookAs(as);
        else await this.watch();
    }

    /** Answers that are held: the desk goes on from the view as it will be with them. */
    private async loadHeld(): Promise<void> {
        if (this.summary.value?.pace === undefined || this.seat.value === null) return;
        const got = await rpc.call<{ seq: number; answer?: Given; view?: View }>("match.held", { match: this.id, as: this.as.value });
        const base = this.base;
        if (base === null || got.seq !== base.seq) return;
        batch(() => {
            this.given.value = got.answer ?? null;
            this.view.value = got.view ?? base;
        });
    }

    /** Reads the summary again; a match that has begun meanwhile is watched. */
    async refresh(): Promise<void> {
        const before = this.summary.value?.state;
        const summary = await rpc.call<Summary>("match.get", { match: this.id });
        this.summary.value = summary;
        this.unread.value = { ...summary.talk?.unread };
        if (before === "open" && this.summary.value.state !== "open") {
            this.as.value = this.mySeats.value[0] ?? this.looker();
            await this.watch();
        }
    }

    /** Looks as another viewer (an own seat, public, or after the reveal anybody). */
    async lookAs(as: Viewer): Promise<void> {
        if (as === this.as.value) return;
        await rpc.call("match.unwatch", { match: this.id }, { once: true }).catch(() => {});
        batch(() => {
            this.as.value = as;
            this.drop();
        });
        await this.watch();
    }

    private drop(): void {
        this.base = null;
        this.view.value = null;
        this.given.value = null;
        this.steps.value = [];
    }

    private async watch(): Promise<void> {
        const have = this.base;
        const params: Record<string, unknown> = { match: this.id, as: this.as.value, delta: true };
        if (have !== null) params.seq = have.seq;
        try {
            await rpc.call("match.watch", params);
        } catch (error) {
            // A daemon restored from an older copy: begin afresh from what it has.
            if (!(error instanceof Refusal) || error.kind !== "stale_state") throw error;
            this.drop();
            await rpc.call("match.watch", { match: this.id, as: this.as.value, delta: true });
        }
        void this.loadHeld().catch(() => {});
    }

    private takeDelta(push: Delta): void {
        const have = this.base;
        if (push.match !== this.id || (push.as !== undefined && push.as !== this.as.value)) return;
        if (have === null || have.seq !== push.from) {
            if (have !== null && push.seq <= have.seq) return;
            void this.reload();
            return;
        }
        this.take(mergePatch(have, push.patch) as View);
    }

    private async reload(): Promise<void> {
        const view = await rpc.call<View>("match.view", { match: this.id, as: this.as.value });
        this.take(view);
    }

    private take(view: View): void {
        const before = this.base;
        if (before !== null && view.seq <= before.seq) return;
        this.base = view;
        const step: Step = { seq: view.seq, chain: view.chain, at: Date.now(), events: view.events };
        batch(() => {
            if (before !== null && this.isElsewhere(view)) {
                void this.tellElsewhere(view.seq);
            }
            this.view.value = view;
            if (this.given.value !== null) void this.loadHeld().catch(() => {});
            this.given.value = null;
            const steps = this.steps.value;
            const last = steps[steps.length - 1];
            if (last !== undefined && view.seq === last.seq + 1) this.steps.value = [...steps, step];
            else if (last !== undefined && view.seq > last.seq + 1) void this.fillSteps(last.seq + 1);
        });
        if (before !== null) for (const told of this.heard) told(step);
        void this.loadBoard(view);
    }

    /** Another window of the same seat acted: this one did not ask for what has come. */
    private isElsewhere(view: View): boolean {
        const seat = this.seat.value;
        // What ended the match, an own resignation too, is told as its end.
        if (seat === null || /OVER$/.test(view.state)) return false;
        return !this.busy.value && this.expected < view.seq && ownEvents(view, seat);
    }

    private async tellElsewhere(seq: number): Promise<void> {
        const standing = await rpc.call<{ fired?: { seq: number }[] }>("match.standing", { match: this.id, as: this.as.value }).catch(() => null);
        const fired = standing?.fired?.some((one) => one.seq === seq) ?? false;
        this.movedElsewhere.value = fired ? "orders" : "window";
    }

    private async loadBoard(view: View): Promise<void> {
        if (this.board.value === null) this.board.value = await boardOf(view.game, view.board.base);
    }

    /** Loads the whole history of this viewer, oldest first; asked for again while it comes, it comes once. */
    async loadHistory(): Promise<void> {
        const as = this.as.value;
        if (this.steps.value.length > 0 || this.filling === as) return;
        this.filling = as;
        try {
            await this.fillSteps(0);
        } finally {
            if (this.filling === as) this.filling = null;
        }
    }

    private async fillSteps(from: number): Promise<void> {
        let next: number | undefined = from;
        while (next !== undefined) {
            const as = this.as.value;
            // Without `from` the daemon gives the newest steps.
            const params: Record<string, unknown> = { match: this.id, as, from: next, limit: HISTORY_PAGE };
            const page: { steps: Step[]; next?: number } = await rpc.call("match.history", params);
            if (as !== this.as.value) return;
            const known = new Map(this.steps.value.map((step) => [step.seq, step]));
            for (const step of page.steps) known.set(step.seq, step);
            this.steps.value = [...known.values()].sort((a, b) => a.seq - b.seq);
            next = page.next;
        }
    }

    /** The view as it was at a seq, for the replay. */
    replay(seq: number, as: Viewer = this.as.value): Promise<View> {
        return rpc.call<View>("match.replay", { match: this.id, seq, as });
    }

    /**
     * Does actions, all or none, exactly once: a broken connection sends the same action_id again.
     * After a stale_state under an unchanged prompt it is sent again at once (PROTOCOL section 4).
     * Throws a Refusal.
     */
    act(...actions: Action[]): Promise<Acted> {
        return this.actWith(actions.length === 1 ? { action: actions[0] } : { actions });
    }

    /** Does the seat's draft of that version as one action. With seq: on that position or not at all. */
    actDraft(draft: number, seq?: number): Promise<Acted> {
        return this.actWith({ draft }, seq);
    }

    private actWith(what: Record<string, unknown>, seq?: number): Promise<Acted> {
        return this.alone(async () => {
            for (let tries = 0; ; tries++) {
                const view = this.view.value;
                if (view === null) throw new Error("no view yet");
                try {
                    return await this.change("match.act", { ...what, seq: seq ?? view.seq });
                } catch (error) {
                    if (tries > 1 || !(error instanceof Refusal)) throw error;
                    if (error.kind === "conflict" && error.data.reason === "nonce") {
                        await (await import("@/proof/follow")).settleForAct(this);
                    } else if (error.kind !== "stale_state" || seq !== undefined || !(await this.samePrompt(view))) {
                        throw error;
                    }
                }
            }
        });
    }

    private async samePrompt(before: View): Promise<boolean> {
        const now = await rpc.call<View>("match.view", { match: this.id, as: this.as.value });
        this.take(now);
        return JSON.stringify(now.prompt) === JSON.stringify(before.prompt);
    }

    private async change(method: "match.act" | "match.undo", params: Record<string, unknown>): Promise<Acted> {
        const acted = await rpc.call<Acted>(method, {
            match: this.id,
            as: this.as.value,
            action_id: newActionId(),
            ...params,
        });
        this.expected = Math.max(this.expected, acted.seq);
        if (acted.held !== undefined) await this.loadHeld();
        return acted;
    }

    private async alone<T>(work: () => Promise<T>): Promise<T> {
        this.busy.value = true;
        try {
            return await work();
        } finally {
            this.busy.value = false;
        }
    }

    /** Would these be accepted? Resolves to null or to the Refusal; nothing changes, nothing is rolled. */
    async try(...actions: Action[]): Promise<Refusal | null> {
        const seq = this.view.value?.seq ?? 0;
        const what = actions.length === 1 ? { action: actions[0] } : { actions };
        try {
            await rpc.call("match.try", { match: this.id, as: this.as.value, seq, ...what });
            return null;
        } catch (error) {
            if (error instanceof Refusal) return error;
            throw error;
        }
    }

    /** What this viewer could work out by itself: reach, path, capacity, odds. */
    async ask<T>(question: Record<string, unknown>): Promise<T> {
        const result = await rpc.call<{ answer: T }>("match.ask", { match: this.id, as: this.as.value, question });
        return result.answer;
    }

    undo(): Promise<Acted> {
        return this.alone(() => this.change("match.undo", { seq: this.view.value?.seq ?? 0 }));
    }

    async resign(): Promise<void> {
        this.summary.value = await rpc.call<Summary>("match.resign", { match: this.id, as: this.as.value }, { once: true });
    }

    async say(channel: Message["channel"], text: string): Promise<void> {
        const said = await rpc.call<Message>("match.say", { match: this.id, channel, text, action_id: newActionId() });
        this.takeMessage({ ...said, channel });
    }

    async loadTalk(channel: Message["channel"]): Promise<void> {
        this.loaded.add(channel);
        const result = await rpc.call<{ messages: Message[] }>("match.talk", { match: this.id, channel, limit: HISTORY_PAGE });
        for (const message of result.messages) this.takeMessage({ ...message, channel });
    }

    private isOwn(message: Message): boolean {
        return message.channel === "watchers" ? message.from === account.value?.name : message.from === this.seat.value;
    }

    /** After a mute: what was said is read afresh. */
    async readTalkAgain(): Promise<void> {
        this.talk.value = [];
        for (const channel of this.loaded) await this.loadTalk(channel);
        await this.refresh();
    }

    private takeMessage(message: Message): void {
        const same = (one: Message): boolean => one.channel === message.channel && one.n === message.n;
        if (this.talk.value.some(same)) return;
        this.talk.value = [...this.talk.value, message].sort((a, b) => a.at - b.at || a.n - b.n);
    }

    /** The name of the account in a seat, undefined while the seat is free. */
    nameOf(seat: Seat): string | undefined {
        return this.summary.value?.seats[seat]?.account;
    }

    /** Is somebody signed in who could take part? */
    get signedIn(): boolean {
        return account.value !== null && account.value !== undefined;
    }
}

interface Changed {
    match: string;
    presence?: Partial<Record<Seat, "here" | "away">>;
    watching?: number;
    unwatched?: Viewer;
    answer?: Given;
}

interface Delta {
    match: string;
    as?: Viewer;
    from: number;
    seq: number;
    patch: unknown;
}

/** Watchers that are late are shown nothing before the first of the turns that they may see. */
function ifNotYet(error: unknown): void {
    if (!(error instanceof Refusal) || error.data.reason !== "not_yet") throw error;
}

/** What names a seat without its player having acted: the share in the dice, clocks, who sits there. */
const OF_THE_HOST = ["nonce", "paused", "resumed", "granted", "converted", "late", "missed", "seat_changed", "left"];

/** Did this seat's player act in the step that the view tells of? */
function ownEvents(view: View, seat: Seat): boolean {
    return view.events.some((event) => !OF_THE_HOST.includes(String(event.ev)) && "seat" in event && event.seat === seat);
}

/** All unread messages together. */
export function unreadOf(by: Readonly<Record<string, number>>): number {
    return Object.values(by).reduce((all, n) => all + n, 0);
}
