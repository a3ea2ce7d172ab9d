/** What match.ask says of reach, paths and roads, asked once for each view. */
import { signal, type Signal } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import type { RoadId, TownId, UnitId } from "@/types";

export interface Way {
    path: TownId[];
    forced: boolean;
    attack?: true;
}

export interface Reach {
    /** What forbids it any way now. */
    rule?: string;
    towns: Record<TownId, Way>;
}

export interface PathAnswer {
    ok: boolean;
    forced: boolean;
    rule?: string;
}

export type Capacity = Record<RoadId, { of: number; left: number }>;

/** Answers for the view of one seq; a new seq begins afresh, the old answers stay until the new come. */
export class Reaches {
    readonly of: Signal<ReadonlyMap<UnitId, Reach>> = signal(new Map());
    readonly capacity: Signal<Capacity> = signal({});
    private seq = -1;
    private fresh: Promise<void> = Promise.resolve();
    private pending = new Map<UnitId, Promise<Reach>>();

    constructor(private readonly match: MatchStore) {}

    /** Asks for these units and the roads, if the view is a new one. */
    refresh(seq: number, units: readonly UnitId[]): Promise<void> {
        if (seq !== this.seq) {
            this.seq = seq;
            this.fresh = this.read(seq, units);
        }
        return this.fresh;
    }

    /** Answers that were had another way. */
    put(of: ReadonlyMap<UnitId, Reach>, capacity: Capacity): void {
        this.of.value = of;
        this.capacity.value = capacity;
    }

    private async read(seq: number, units: readonly UnitId[]): Promise<void> {
        this.pending = new Map();
        const roads = this.match.ask<{ roads: Capacity }>({ ask: "capacity" });
        const answers = await Promise.all(units.map(async (unit) => [unit, await this.one(unit)] as const));
        const capacity = await roads;
        if (seq !== this.seq) return;
        this.of.value = new Map(answers);
        this.capacity.value = capacity.roads;
    }

    /** The reach of one unit now. */
    one(unit: UnitId): Promise<Reach> {
        const known = this.pending.get(unit);
        if (known !== undefined) return known;
        const asked = this.match.ask<Reach>({ ask: "reach", unit });
        this.pending.set(unit, asked);
        return asked;
    }

    path(unit: UnitId, path: readonly TownId[]): Promise<PathAnswer> {
        return this.match.ask<PathAnswer>({ ask: "path", unit, path: [...path] });
    }

    /** Towns that all of these units can reach. */
    common(units: Iterable<UnitId>): Map<TownId, Way[]> {
        const all = [...units];
        const first = this.of.value.get(all[0] ?? "");
        const found = new Map<TownId, Way[]>();
        if (first === undefined) return found;
        for (const town of Object.keys(first.towns)) {
            const ways = all.map((unit) => this.of.value.get(unit)?.towns[town]);
            if (ways.every((way) => way !== undefined)) found.set(town, ways as Way[]);
        }
        return found;
    }
}
