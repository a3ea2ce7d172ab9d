/** The answer to an attack: fight or retreat, town by town; a retreat binds when it is sent. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import type { Marks } from "@/board/types";
import { formsOf } from "@/net/forms";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { nationsOf, ownByTown, type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { wire } from "@/play/wire";
import { quietMarks, routeMarks } from "@/play/marks";
import { RoutePlan } from "@/play/routes";
import type { Action, TownId, UnitId, View } from "@/types";
import { promptWords, refusalWords, t, townName, type Token } from "@/words";

export type Choice = "fight" | "retreat";

export class RespondDesk implements Desk {
    readonly kind = "respond";
    readonly refused: Signal<Refused | null> = signal(null);
    readonly choices: Signal<Readonly<Record<TownId, Choice>>> = signal({});
    /** The town that the panel and the map speak of. */
    readonly at: Signal<TownId | null> = signal(null);
    private endedAt = -1;
    private readonly plans = new Map<TownId, RoutePlan>();

    constructor(private readonly match: MatchStore) {}

    /** Towns still to be answered. */
    towns(view: View): TownId[] {
        return view.prompt?.id === "respond" ? [...view.prompt.towns] : [];
    }

    mustRetreat(view: View, town: TownId): boolean {
        return view.prompt?.id === "respond" && (view.prompt.must_retreat ?? []).includes(town);
    }

    /** May this town be answered so, as the forms say? */
    offered(view: View, town: TownId, choice: Choice): boolean {
        return formsOf(view.actions ?? [], "respond", { town, choice }).length > 0;
    }

    viewed(view: View): void {
        this.endWhenDone(view);
        const towns = this.towns(view);
        if (this.at.value === null || !towns.includes(this.at.value)) {
            this.at.value = towns[0] ?? null;
            if (towns[0] !== undefined) this.tell(view, towns[0]);
        }
        for (const town of towns) {
            if (this.mustRetreat(view, town) && this.choices.value[town] === undefined) this.choose(town, "retreat");
            void this.plan(view, town).load(view.seq);
        }
    }

    /** The last answer is given and binds: with two players nothing is left to choose, so the step ends. */
    private endWhenDone(view: View): void {
        if (view.prompt?.id !== "respond" || view.prompt.towns.length > 0 || view.board.options.players !== 2) return;
        if (this.endedAt === view.seq || formsOf(view.actions, "end_response").length === 0) return;
        this.endedAt = view.seq;
        void this.act("end", { do: "end_response" });
    }

    private tell(view: View, town: TownId): void {
        const attack = view.board.attacks?.[town];
        const n = Object.values(attack?.attackers ?? {}).reduce<number>((all, one) => all + (one ?? 0), 0);
        announce(t("respond.attacked", { town: townName(town), n }), "assertive");
    }

    plan(view: View, town: TownId): RoutePlan {
        const units = ownByTown(view, nationsOf(view)).get(town) ?? [];
        const known = this.plans.get(town);
        if (known !== undefined && known.units.join() === units.join()) return known;
        const made = new RoutePlan(this.match, town, units, "respond");
        this.plans.set(town, made);
        return made;
    }

    choose(town: TownId, choice: Choice): void {
        this.refused.value = null;
        this.at.value = town;
        this.choices.value = { ...this.choices.value, [town]: choice };
        const view = this.match.view.value;
        if (view === null || choice !== "retreat") return;
        const plan = this.plan(view, town);
        if (plan.routes.value.size > 0) return;
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
        return this.at.value === null ? this.towns(view) : [this.at.value];
    }

    overline(): { text: string; urgent?: boolean } {
        return { text: t("respond.overline"), urgent: true };
    }

    private active(view: View): RoutePlan | null {
        const town = this.at.value;
        return town !== null && this.choices.value[town] === "retreat" && this.towns(view).includes(town) ? this.plan(view, town) : null;
    }

    marks(view: View): Marks {
        const plan = this.active(view);
        const quiet = quietMarks(view);
        if (plan === null) return { ...quiet, attacks: [] };
        const marks = routeMarks({
            view,
            roads: plan.roads,
            town: plan.town,
            kind: "retreat",
            routes: plan.routes.value,
            chosen: plan.chosen.value,
            units: plan.units,
            legal: plan.legal(),
            capacity: plan.reaches.capacity.value,
            barred: view.board.attacks?.[plan.town]?.roads ?? [],
            dieText: t("march.die"),
        });
        return { ...marks, rings: { ...quiet.rings, ...marks.rings, [plan.town]: "attacked" } };
    }

    handlers(view: View): Handlers {
        return {
            onBlock: (unit, how) => this.press(view, unit, how.shift),
            onStack: (town) => this.pressTown(view, town),
            onTown: (town) => this.pressTown(view, town),
            onDragBlocks: (units, town) => {
                const plan = this.active(view);
                if (plan === null) return;
                plan.chosen.value = new Set(units.filter((unit) => plan.units.includes(unit)));
                plan.send(town);
            },
            dragSet: (unit) => {
                const chosen = this.active(view)?.chosen.value;
                return chosen?.has(unit) ? [...chosen] : [unit];
            },
            dropReason: (units, town) => {
                const plan = this.active(view);
                const reached = units.every((unit) => plan?.reaches.of.value.get(unit)?.towns[town] !== undefined);
                return reached || plan?.town === town ? undefined : t("routes.not_there", { town: townName(town) });
            },
        };
    }

    private press(view: View, unit: UnitId, add: boolean): void {
        const town = view.board.units[unit]?.town;
        if (town === undefined || !this.towns(view).includes(town)) return;
        if (this.at.value !== town) this.at.value = town;
        this.active(view)?.choose(unit, add);
    }

    private pressTown(view: View, town: TownId): void {
        const plan = this.active(view);
        if (plan !== null && plan.chosen.value.size > 0 && plan.legal().has(town)) plan.send(town);
        else if (this.towns(view).includes(town)) this.at.value = town;
    }

    commit(view: View): Commit | null {
        const towns = this.towns(view);
        const town = this.at.value;
        if (towns.length === 0 || town === null) {
            return { label: t("respond.end"), run: () => this.act("end", { do: "end_response" }) };
        }
        const choice = this.choices.value[town];
        if (choice === undefined) {
            return { label: t("respond.answer", { town: townName(town) }), run: () => {}, why: [{ text: t("respond.choose_first") }] };
        }
        if (choice === "fight") {
            return {
                label: t("respond.fight_at", { town: townName(town, "in") }),
                run: () => this.act(town, { do: "respond", town, choice }),
                note: t("respond.binds"),
            };
        }
        const plan = this.plan(view, town);
        const refusal = plan.refusal.value;
        return {
            label: t("respond.retreat_from", { town: townName(town, "from") }),
            run: () => this.act(town, plan.action()),
            ...(refusal instanceof Refusal ? { why: refusalWords(wire(refusal)) } : { note: t("respond.dice_fall") }),
        };
    }

    private async act(at: string, action: Action): Promise<void> {
        this.refused.value = null;
        try {
            await this.match.act(action);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = { at, refusal: error };
        }
    }

    keys(view: View): Key[] {
        const town = this.at.value;
        const choose = (choice: Choice): void => {
            if (town !== null && this.offered(view, town, choice)) this.choose(town, choice);
        };
        return [
            { key: "1", label: t("keys.fight"), run: () => choose("fight") },
            { key: "2", label: t("keys.retreat"), run: () => choose("retreat") },
            { key: "f", label: t("keys.fill_in"), run: () => this.active(view)?.fill() },
        ];
    }

    townActs(view: View, town: TownId): RowAct[] {
        const acts: RowAct[] = [];
        if (this.active(view)?.legal().has(town)) acts.push({ label: t("routes.act_here"), run: () => this.pressTown(view, town) });
        if (this.towns(view).includes(town)) {
            for (const choice of ["fight", "retreat"] as const) {
                if (!this.offered(view, town, choice)) continue;
                acts.push({ label: t(`respond.${choice}`), run: () => this.choose(town, choice), pressed: this.choices.value[town] === choice });
            }
        }
        return acts;
    }

    unitActs(view: View, unit: UnitId): RowAct[] {
        const plan = this.active(view);
        if (plan === null || !plan.units.includes(unit)) return [];
        return [{ label: t("routes.act_choose"), run: () => plan.choose(unit, true), pressed: plan.chosen.value.has(unit) }];
    }

    escape(): void {
        const view = this.match.view.value;
        if (view !== null) {
            const plan = this.active(view);
            if (plan !== null) plan.chosen.value = new Set();
        }
        this.refused.value = null;
    }
}
