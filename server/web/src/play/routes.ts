/** A plan of routes out of one town: retreat before combat, in battle, and after a rout. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { usedBy } from "@/play/marks";
import { roadsAlong, roadsOf, type Roads } from "@/play/graph";
import { Reaches } from "@/play/reach";
import type { Action, TownId, UnitId } from "@/types";

export interface Route {
    path: TownId[];
    forced: boolean;
}

export type RouteKind = "respond" | "retreat" | "rout";

export class RoutePlan {
    readonly routes: Signal<ReadonlyMap<UnitId, Route>> = signal(new Map());
    /** Units that the next press on a town is for. */
    readonly chosen: Signal<ReadonlySet<UnitId>> = signal(new Set());
    /** What match.try says of the plan as it stands; undefined while it is asked. */
    readonly refusal: Signal<Refusal | null | undefined> = signal(undefined);
    readonly reaches: Reaches;
    readonly stranded: ReadonlySignal<UnitId[]>;
    private asked = 0;

    constructor(
        readonly match: MatchStore,
        readonly town: TownId,
        readonly units: readonly UnitId[],
        readonly kind: RouteKind,
    ) {
        this.reaches = new Reaches(match);
        this.stranded = computed(() => this.units.filter((unit) => !this.routes.value.has(unit)));
    }

    get roads(): Roads | null {
        const board = this.match.board.value;
        return board === null ? null : roadsOf(board.roads);
    }

    /** Asks where the units may go; done when the board is there, too. */
    async load(seq: number): Promise<void> {
        await this.reaches.refresh(seq, this.units);
        const { board } = this.match;
        if (board.value !== null) return;
        await new Promise<void>((done) => {
            const end = board.subscribe((now) => {
                if (now === null) return;
                done();
                queueMicrotask(() => end());
            });
        });
    }

    /** Towns that the chosen units can all reach. */
    legal(): Set<TownId> {
        if (this.chosen.value.size === 0) return new Set();
        return new Set(this.reaches.common(this.chosen.value).keys());
    }

    choose(unit: UnitId, add: boolean): void {
        const now = new Set(add ? this.chosen.value : []);
        if (this.chosen.value.has(unit)) now.delete(unit);
        else now.add(unit);
        this.chosen.value = now;
    }

    /** The chosen units go to that town. */
    send(town: TownId): boolean {
        const next = new Map(this.routes.value);
        let any = false;
        for (const unit of this.chosen.value) {
            const way = this.reaches.of.value.get(unit)?.towns[town];
            if (way === undefined) continue;
            next.set(unit, { path: way.path, forced: way.forced });
            any = true;
        }
        if (!any) return false;
        this.routes.value = next;
        const left = this.stranded.value[0];
        this.chosen.value = new Set(left === undefined ? [] : [left]);
        this.test();
        return true;
    }

    set(unit: UnitId, route: Route | null): void {
        const next = new Map(this.routes.value);
        if (route === null) next.delete(unit);
        else next.set(unit, route);
        this.routes.value = next;
        this.test();
    }

    clear(): void {
        this.routes.value = new Map();
        this.chosen.value = new Set();
        this.test();
    }

    /** Room on a road after the plan. */
    private roomAfter(plan: ReadonlyMap<UnitId, Route>, path: readonly TownId[]): number {
        const roads = this.roads;
        if (roads === null) return 0;
        const used = usedBy(roads, this.town, plan.values());
        const room = roadsAlong(roads, this.town, path).map(
            (road) => (this.reaches.capacity.value[road.id]?.left ?? 0) - (used.get(road.id) ?? 0),
        );
        return Math.min(...room);
    }

    /** Proposes the shortest way for each unit: unforced, where the roads still have room. */
    fill(): void {
        const plan = new Map<UnitId, Route>();
        const ways = (unit: UnitId): [TownId, Route][] =>
            Object.entries(this.reaches.of.value.get(unit)?.towns ?? {}).filter(([, way]) => !way.forced);
        const first = [...this.units].sort((a, b) => ways(a).length - ways(b).length);
        for (const unit of first) {
            const open = ways(unit)
                .map(([, way]) => ({ path: way.path, forced: false, room: this.roomAfter(plan, way.path) }))
                .filter((way) => way.room > 0)
                .sort((a, b) => a.path.length - b.path.length || b.room - a.room);
            const best = open[0];
            if (best !== undefined) plan.set(unit, { path: best.path, forced: false });
        }
        this.routes.value = plan;
        this.chosen.value = new Set();
        this.test();
    }

    action(): Action {
        const routes = [...this.routes.value].map(([unit, route]) => ({ unit, path: route.path, forced: route.forced }));
        const stranded = [...this.stranded.value];
        if (this.kind === "respond") return { do: "respond", town: this.town, choice: "retreat", routes, stranded };
        if (this.kind === "rout") return { do: "rout_routes", battle: this.town, routes, lost: stranded };
        return { do: "retreat", battle: this.town, routes };
    }

    /** Asks whether the plan would be taken as it stands. */
    test(): void {
        const mark = ++this.asked;
        this.refusal.value = undefined;
        if (this.kind === "retreat" && this.routes.value.size === 0) return;
        this.match.try(this.action()).then(
            (refusal) => {
                if (mark === this.asked) this.refusal.value = refusal;
            },
            () => {},
        );
    }

    /** Routes grouped by way, for rows and paths. */
    groups(): { path: TownId[]; forced: boolean; units: UnitId[] }[] {
        const found = new Map<string, { path: TownId[]; forced: boolean; units: UnitId[] }>();
        for (const [unit, route] of this.routes.value) {
            const id = route.path.join(" ");
            const group = found.get(id) ?? { path: route.path, forced: route.forced, units: [] };
            group.units.push(unit);
            found.set(id, group);
        }
        return [...found.values()];
    }
}
