/** The list of orders as it is edited here: read from the server, kept there by its version, never half. */
import { signal, type Signal } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { faultOf, type Fault } from "@/orders/fault";
import type { Fired, Order, Standing } from "@/orders/types";

export class OrdersDraft {
    readonly list: Signal<Order[]> = signal([]);
    readonly fired: Signal<Fired[]> = signal([]);
    readonly ready: Signal<boolean> = signal(false);
    readonly fault: Signal<Fault | null> = signal(null);
    /** What another device kept meanwhile; null: nothing. */
    readonly theirs: Signal<Standing | null> = signal(null);
    readonly dirty: Signal<boolean> = signal(false);
    readonly saved: Signal<boolean> = signal(false);
    private version = 0;

    constructor(private readonly match: MatchStore) {}

    private call(params: Record<string, unknown>): Promise<Standing> {
        return rpc.call<Standing>("match.standing", { match: this.match.id, as: this.match.as.value, ...params });
    }

    async load(): Promise<void> {
        try {
            this.take(await this.call({}));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.fault.value = { at: -1, member: "", refusal: error };
        }
        this.ready.value = true;
    }

    private take(standing: Standing): void {
        this.version = standing.version;
        this.list.value = standing.orders;
        this.fired.value = standing.fired ?? this.fired.value;
        this.dirty.value = false;
        this.theirs.value = null;
        this.fault.value = null;
    }

    set(list: Order[]): void {
        this.list.value = list;
        this.dirty.value = true;
        this.saved.value = false;
        this.fault.value = null;
    }

    replace(at: number, order: Order): void {
        this.set(this.list.value.map((one, i) => (i === at ? order : one)));
    }

    remove(at: number): void {
        this.set(this.list.value.filter((_, i) => i !== at));
    }

    /** Moves an order up (-1) or down (1); gives where it stands then. */
    move(at: number, by: number): number {
        const to = at + by;
        const next = [...this.list.value];
        const [one] = next.splice(at, 1);
        if (one === undefined || to < 0 || to > next.length) return at;
        next.splice(to, 0, one);
        this.set(next);
        return to;
    }

    add(order: Order): number {
        this.set([...this.list.value, order]);
        return this.list.value.length - 1;
    }

    /** Keeps the list on the server; false: it was refused, `fault` or `theirs` says why. */
    async save(): Promise<boolean> {
        this.fault.value = null;
        try {
            const kept = await this.call({ version: this.version, orders: this.list.value, action_id: newActionId() });
            this.take(kept);
            this.saved.value = true;
            return true;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            if (error.kind === "conflict" && error.data.reason === "version") this.theirs.value = await this.call({});
            else this.fault.value = faultOf(error);
            return false;
        }
    }

    /** Another device's list in place of this one. */
    takeTheirs(): void {
        if (this.theirs.value !== null) this.take(this.theirs.value);
    }

    /** This list in place of another device's: what is saved next is over its version. */
    keepMine(): void {
        if (this.theirs.value === null) return;
        this.version = this.theirs.value.version;
        this.theirs.value = null;
        this.dirty.value = true;
    }
}
