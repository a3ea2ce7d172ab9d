/** Routes of a routed force: every unit with what it lost and where it goes; it comes before anything else. */
import { signal, type Signal } from "@preact/signals";
import type { Marks } from "@/board/types";
import { formsOf, unitsIn } from "@/net/forms";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { wire } from "@/play/wire";
import { routeMarks } from "@/play/marks";
import { RoutePlan } from "@/play/routes";
import type { TownId, UnitId, View } from "@/types";
import { promptWords, refusalWords, t, townName, type Token } from "@/words";

export class RoutDesk implements Desk {
    readonly kind = "rout_routes";
    readonly refused: Signal<Refused | null> = signal(null);
    readonly plan: Signal<RoutePlan | null> = signal(null);

    constructor(private readonly match: MatchStore) {}

    town(view: View): TownId {
        return view.prompt?.id === "rout_routes" ? view.prompt.battle : "";
    }

    viewed(view: View): void {
        const town = this.town(view);
        if (town === "") return;
        const form = formsOf(view.actions, "rout_routes", { battle: town })[0];
        const units = form === undefined ? [] : unitsIn([form.routes, form.lost]);
        const known = this.plan.value;
        if (known !== null && known.town === town && known.units.join() === units.join()) {
            void known.load(view.seq);
            return;
        }
        const plan = new RoutePlan(this.match, town, units, "rout");
        this.plan.value = plan;
        void plan.load(view.seq).then(() => {
            if (plan.routes.value.size === 0) plan.fill();
        });
    }

    headline(view: View): string {
        return promptWords(view).headline;
    }

    sentence(view: View): readonly Token[] {
        return promptWords(view).sentence;
    }

    about(view: View): TownId[] {
        return [this.town(view)];
    }

    overline(): { text: string; urgent?: boolean } {
        return { text: t("rout.overline"), urgent: true };
    }

    marks(view: View): Marks {
        const plan = this.plan.value;
        if (plan === null) return {};
        return routeMarks({
            view,
            roads: plan.roads,
            town: plan.town,
            kind: "rout",
            routes: plan.routes.value,
            chosen: plan.chosen.value,
            units: plan.units,
            legal: plan.legal(),
            capacity: plan.reaches.capacity.value,
            barred: [],
            dieText: t("march.die"),
        });
    }

    handlers(): Handlers {
        return planHandlers(() => this.plan.value);
    }

    commit(): Commit | null {
        const plan = this.plan.value;
        if (plan === null) return null;
        const lost = plan.stranded.value.length;
        const refusal = plan.refusal.value;
        return {
            label: lost > 0 ? t("rout.commit_lost", { n: lost }) : t("rout.commit", { town: townName(plan.town, "from") }),
            run: () => this.send(plan),
            ...(refusal instanceof Refusal ? { why: refusalWords(wire(refusal)) } : { note: t("respond.binds") }),
        };
    }

    private async send(plan: RoutePlan): Promise<void> {
        this.refused.value = null;
        try {
            await this.match.act(plan.action());
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = { at: "end", refusal: error };
        }
    }

    keys(): Key[] {
        return [{ key: "f", label: t("keys.fill_in"), run: () => this.plan.value?.fill() }];
    }

    townActs(_view: View, town: TownId): RowAct[] {
        const plan = this.plan.value;
        if (plan === null || !plan.legal().has(town)) return [];
        return [{ label: t("routes.act_here"), run: () => void plan.send(town) }];
    }

    unitActs(_view: View, unit: UnitId): RowAct[] {
        const plan = this.plan.value;
        if (plan === null || !plan.units.includes(unit)) return [];
        return [{ label: t("routes.act_choose"), run: () => plan.choose(unit, true), pressed: plan.chosen.value.has(unit) }];
    }

    escape(): void {
        if (this.plan.value !== null) this.plan.value.chosen.value = new Set();
        this.refused.value = null;
    }
}

/** What the map does for a plan of routes. */
export function planHandlers(planOf: () => RoutePlan | null): Handlers {
    const here = (unit: UnitId): boolean => planOf()?.units.includes(unit) ?? false;
    return {
        onBlock: (unit, how) => {
            if (here(unit)) planOf()?.choose(unit, how.shift);
        },
        onTown: (town) => void planOf()?.send(town),
        onStack: (town) => {
            const plan = planOf();
            if (plan !== null && plan.town === town) plan.chosen.value = new Set(plan.units);
            else plan?.send(town);
        },
        onDragBlocks: (units, town) => {
            const plan = planOf();
            if (plan === null) return;
            plan.chosen.value = new Set(units.filter(here));
            plan.send(town);
        },
        dragSet: (unit) => {
            const chosen = planOf()?.chosen.value;
            return chosen?.has(unit) ? [...chosen] : [unit];
        },
        dropReason: (units, town) => {
            const plan = planOf();
            const reached = units.every((unit) => plan?.reaches.of.value.get(unit)?.towns[town] !== undefined);
            return reached || plan?.town === town ? undefined : t("routes.not_there", { town: townName(town) });
        },
    };
}
