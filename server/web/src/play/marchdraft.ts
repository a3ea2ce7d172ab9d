/**
 * The draft of a march: orders that are changed, tried on the server without a line of the log
 * (match.plan), kept for the seat (drafts/store.ts) and given all at once. In the enemy's turn it is a
 * plan for the next one. Where an ally marches in the same turn he must see it, as roads and attacks
 * are counted together: then every order is told at once.
 */
import { effect, signal, untracked, type Signal } from "@preact/signals";
import { planOf, type Planned } from "@/drafts/plan";
import { draftOf, type DraftStore } from "@/drafts/store";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { online } from "@/net/session";
import { roadsOf } from "@/play/graph";
import { actionsOf, endOf, follow, ordersOf, rowsOfOrders, withActions, withOrders, type Order } from "@/play/marching";
import { Reaches, type Capacity, type PathAnswer, type Reach } from "@/play/reach";
import type { Action, Nation, Seat, TownId, UnitId, View } from "@/types";

interface Past {
    orders: readonly Order[];
    mercy: ReadonlySet<TownId>;
}

const STEPS_BACK = 40;

export class MarchDraft {
    readonly orders: Signal<readonly Order[]> = signal([]);
    /** Attacked towns where no pursuit fire is to be given. */
    readonly mercy: Signal<ReadonlySet<TownId>> = signal(new Set());
    /** The newest view with the draft in it. */
    readonly drafted: Signal<View | null> = signal(null);
    /** Why a row is not taken, by the row's id. */
    readonly unfit: Signal<ReadonlyMap<string, Refusal>> = signal(new Map());
    /** Why the march could not end as it stands. */
    readonly endRefusal: Signal<Refusal | null> = signal(null);
    /** Steps of the kept draft that are of another decision. */
    readonly foreign: Signal<number> = signal(0);
    /** In the enemy's turn: no turn is left to plan for. */
    readonly none: Signal<boolean> = signal(false);
    readonly store: DraftStore;
    readonly reaches: Reaches;
    private readonly past: Signal<readonly Past[]> = signal([]);
    private base: readonly Order[] = [];
    private queue: Promise<unknown> = Promise.resolve();
    private readonly ends: (() => void)[] = [];
    private closed = false;

    constructor(
        private readonly match: MatchStore,
        seat: Seat,
        private readonly nations: readonly Nation[],
        readonly plan: boolean,
        private readonly shares: boolean,
    ) {
        this.store = draftOf(match, seat);
        this.reaches = new Reaches(match);
        void this.begin();
    }

    private async begin(): Promise<void> {
        await this.store.load().catch(() => {});
        if (this.closed) return;
        let seen = this.store.taken.peek();
        if (this.store.actions.peek().length > 0) this.read();
        this.ends.push(
            effect(() => {
                const now = this.store.taken.value;
                if (now === seen) return;
                seen = now;
                untracked(() => {
                    this.remember();
                    this.read();
                });
            }),
            effect(() => {
                if (online.value) untracked(() => void this.check().catch(() => {}));
            }),
        );
    }

    close(): void {
        this.closed = true;
        for (const end of this.ends.splice(0)) end();
    }

    /** The draft as it is kept becomes the one that is shown. */
    private read(): void {
        const { orders, mercy, foreign } = withActions(this.base, this.store.actions.value);
        this.foreign.value = foreign.length;
        this.mercy.value = new Set(mercy);
        this.put(orders);
        void this.check().catch(() => {});
    }

    viewed(view: View): void {
        const before = this.base;
        this.base = this.plan ? [] : ordersOf(view, this.nations);
        this.put(follow(before, this.base, this.orders.value));
        void this.check().catch(() => {});
    }

    private put(orders: readonly Order[]): void {
        const view = this.match.view.value;
        const board = this.match.board.value;
        this.orders.value = orders;
        if (view === null) return;
        // Of a plan the board is the one that was answered last; before that there is none.
        const on = this.plan ? this.drafted.value : view;
        if (on !== null) this.drafted.value = withOrders(on, orders, this.nations, board === null ? null : roadsOf(board.roads), this.reaches.capacity.value);
    }

    private from = (unit: UnitId): TownId => this.match.view.value?.board.units[unit]?.town ?? "";

    private marches(orders: readonly Order[] = this.orders.value): Action[] {
        return actionsOf(this.base, orders, this.from);
    }

    private end(): Action {
        const attacked = this.drafted.value?.board.attacks ?? {};
        return endOf([...this.mercy.value].filter((town) => town in attacked));
    }

    /** Lays the draft on the newest view; null: it could not be asked. */
    private async check(): Promise<ReadonlyMap<string, Refusal> | null> {
        const view = this.match.view.value;
        if (view === null) return null;
        const orders = this.orders.value;
        const marches = this.marches(orders);
        const own = Object.keys(view.board.units).filter((unit) => this.nations.includes(unit.slice(0, 2) as Nation) && view.board.units[unit]?.town !== undefined);
        const questions = [{ ask: "capacity" }, ...own.map((unit) => ({ ask: "reach", unit }))];
        let planned: Planned | null;
        try {
            planned = await planOf(this.match, this.plan ? marches : [...marches, this.end()], questions);
        } catch (error) {
            if (error instanceof Refusal && error.kind === "not_your_turn") this.none.value = this.plan;
            return null;
        }
        if (planned === null) return null;
        const unfit = this.unfitOf(view, marches, planned);
        if (orders === this.orders.value && this.match.view.value?.seq === planned.seq) {
            const [capacity, ...reach] = planned.answers as [{ roads: Capacity }, ...Reach[]];
            this.drafted.value = planned.view;
            this.unfit.value = unfit;
            this.endRefusal.value = planned.refused.get(marches.length) ?? null;
            this.reaches.put(new Map(own.map((unit, i) => [unit, reach[i] ?? { towns: {} }])), capacity.roads);
        }
        return unfit;
    }

    /** The rows of the marches that were refused. */
    private unfitOf(view: View, marches: readonly Action[], planned: Planned): Map<string, Refusal> {
        const unfit = new Map<string, Refusal>();
        marches.forEach((action, i) => {
            const refusal = planned.refused.get(i);
            if (refusal === undefined || action.do !== "march") return;
            for (const row of rowsOfOrders(view, action.marches.map((one) => ({ unit: one.unit, path: [...one.path], forced: one.forced ?? false })))) unfit.set(row.id, refusal);
        });
        return unfit;
    }

    /**
     * Changes the orders. Resolves to why it cannot be, and then all is as before; without a
     * connection it is looked at when that is back.
     */
    change(make: (orders: readonly Order[]) => readonly Order[]): Promise<Refusal | null> {
        const done = this.queue.then(() => this.changeNow(make));
        this.queue = done.catch(() => {});
        return done;
    }

    private async changeNow(make: (orders: readonly Order[]) => readonly Order[]): Promise<Refusal | null> {
        const before = this.orders.value;
        const had = this.unfit.value;
        const past: Past = { orders: before, mercy: this.mercy.value };
        this.put(make(before));
        const refusal = this.tells ? await this.tell() : await this.firstUnfit(had);
        if (refusal !== null) {
            this.put(before);
            await this.check();
            return refusal;
        }
        this.past.value = [...this.past.value.slice(1 - STEPS_BACK), past];
        this.foreign.value = 0;
        this.keep();
        return null;
    }

    private async firstUnfit(had: ReadonlyMap<string, Refusal>): Promise<Refusal | null> {
        const unfit = await this.check();
        for (const [row, refusal] of unfit ?? []) if (!had.has(row)) return refusal;
        return null;
    }

    /** Is an ally told of each order as it is given? Not of a plan, and not while there is no connection. */
    get tells(): boolean {
        return this.shares && !this.plan && online.value;
    }

    /** The ally sees it from now on. */
    private async tell(): Promise<Refusal | null> {
        const marches = this.marches();
        if (marches.length === 0) return null;
        try {
            await this.match.act(...marches);
            return null;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return error;
        }
    }

    private keep(): void {
        const seq = this.match.view.value?.seq ?? 0;
        const marches = this.tells ? [] : this.marches();
        this.store.set(marches.length === 0 && this.mercy.value.size === 0 ? [] : [...marches, this.end()], seq);
    }

    spare(town: TownId, on: boolean): void {
        const now = new Set(this.mercy.value);
        if (on) now.add(town);
        else now.delete(town);
        this.remember();
        this.mercy.value = now;
        this.keep();
    }

    private remember(): void {
        this.past.value = [...this.past.value.slice(1 - STEPS_BACK), { orders: this.orders.value, mercy: this.mercy.value }];
    }

    get canUndo(): boolean {
        return this.past.value.length > 0;
    }

    undo(): boolean {
        const last = this.past.value[this.past.value.length - 1];
        if (last === undefined) return false;
        this.past.value = this.past.value.slice(0, -1);
        this.queue = this.queue.then(async () => {
            this.mercy.value = last.mercy;
            this.put(last.orders);
            if (this.tells) await this.tell();
            await this.check();
            this.keep();
        });
        return true;
    }

    /** The kept draft is thrown away: what the server has noted of the march stays. */
    discard(): void {
        this.remember();
        this.mercy.value = new Set();
        this.foreign.value = 0;
        this.put(this.base);
        this.store.set([], this.match.view.value?.seq ?? 0);
        void this.check();
    }

    /** May it go this way with the rest of the draft as it is? */
    async path(unit: UnitId, path: readonly TownId[]): Promise<PathAnswer> {
        const planned = await planOf(this.match, this.marches(), [{ ask: "path", unit, path: [...path] }]);
        if (planned !== null) return planned.answers[0] as PathAnswer;
        const known = this.reaches.of.value.get(unit)?.towns[path[path.length - 1] ?? ""];
        const ok = known !== undefined && known.path.join() === path.join();
        return { ok, forced: ok && known.forced };
    }

    /** Done when nothing is being tried. */
    settled(): Promise<unknown> {
        return this.queue;
    }

    /** Ends the march for good, all of it as one action. Throws a Refusal; the draft stays then. */
    async send(): Promise<void> {
        await this.queue;
        await this.store.send([...this.marches(), this.end()]);
    }
}
