/** Hits of pursuit fire and units owed for supply: counted presses on blocks. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Marks } from "@/board/types";
import { formsOf, unitsIn } from "@/net/forms";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { nationsOf, type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { quietMarks } from "@/play/marks";
import type { Action, GameEvent, Nation, TownId, UnitId, View } from "@/types";
import { list, plain, promptWords, t, tt, unitName, type Token } from "@/words";

abstract class CountDesk implements Desk {
    abstract readonly kind: string;
    readonly refused: Signal<Refused | null> = signal(null);
    /** What is taken so far: steps or whole units. */
    readonly taken: Signal<ReadonlyMap<UnitId, number>> = signal(new Map());
    readonly total: ReadonlySignal<number> = computed(() => [...this.taken.value.values()].reduce((n, one) => n + one, 0));

    constructor(protected readonly match: MatchStore) {}

    abstract asked(view: View): number;
    abstract may(view: View, unit: UnitId): boolean;
    protected abstract most(view: View, unit: UnitId): number;
    protected abstract where(view: View): TownId[];
    abstract commit(view: View): Commit | null;

    headline(view: View): string {
        return promptWords(view).headline;
    }

    sentence(view: View): readonly Token[] {
        return promptWords(view).sentence;
    }

    viewed(view: View): void {
        const kept = [...this.taken.value].filter(([unit]) => this.may(view, unit));
        if (kept.length !== this.taken.value.size) this.taken.value = new Map(kept);
    }

    /** One more of this unit; when it is full or all is taken, its share is given back. */
    press(view: View, unit: UnitId): void {
        if (!this.may(view, unit)) return;
        const has = this.taken.value.get(unit) ?? 0;
        if (has >= this.most(view, unit) || (this.room(view, unit) <= 0 && has > 0)) this.put(unit, 0);
        else if (this.room(view, unit) > 0) this.put(unit, has + 1);
    }

    protected room(view: View, _unit: UnitId): number {
        return this.asked(view) - this.total.value;
    }

    put(unit: UnitId, n: number): void {
        const next = new Map(this.taken.value);
        if (n <= 0) next.delete(unit);
        else next.set(unit, n);
        this.taken.value = next;
        this.refused.value = null;
    }

    marks(view: View): Marks {
        const quiet = quietMarks(view);
        const own = Object.keys(view.board.units).filter((unit) => this.may(view, unit));
        const towns = this.where(view);
        const dim = Object.entries(view.board.units)
            .filter(([unit, there]) => towns.includes(there.town ?? "") && !this.may(view, unit))
            .map(([unit]) => unit);
        return {
            ...quiet,
            attacks: [],
            selected: new Set(this.taken.value.keys()),
            choosable: new Set(own),
            dim: new Set(dim),
        };
    }

    handlers(view: View): Handlers {
        return { onBlock: (unit) => this.press(view, unit) };
    }

    keys(): Key[] {
        return [{ key: "Backspace", label: t("keys.give_back"), run: () => void (this.taken.value = new Map()) }];
    }

    townActs(): RowAct[] {
        return [];
    }

    unitActs(view: View, unit: UnitId): RowAct[] {
        if (!this.may(view, unit)) return [];
        const n = this.taken.value.get(unit) ?? 0;
        return [{ label: t("losses.act", { n }), run: () => this.press(view, unit), pressed: n > 0 }];
    }

    protected async act(action: Action): Promise<void> {
        this.refused.value = null;
        try {
            await this.match.act(action);
            this.taken.value = new Map();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = { at: "end", refusal: error };
        }
    }

    escape(): void {
        this.refused.value = null;
    }
}

/** Hits of pursuit fire, allotted by the side that retreats. */
export class AllotDesk extends CountDesk {
    readonly kind = "allot";

    asked(view: View): number {
        return view.prompt?.id === "allot" ? view.prompt.hits : 0;
    }

    about(view: View): TownId[] {
        return this.where(view);
    }

    /** Units that some form gives a hit to. */
    may(view: View, unit: UnitId): boolean {
        return this.able(view).has(unit);
    }

    private able(view: View): Set<UnitId> {
        const forms = formsOf(view.actions ?? [], "allot");
        return new Set(forms.flatMap((form) => unitsIn(form.losses)));
    }

    protected most(view: View, unit: UnitId): number {
        return view.board.units[unit]?.cv ?? 0;
    }

    protected where(view: View): TownId[] {
        return view.prompt?.id === "allot" ? [view.prompt.town] : [];
    }

    /** The dice of the newest pursuit fire that this view or its history tells of. */
    dice(view: View): number[] {
        return this.fire(view)?.dice ?? [];
    }

    /** How many of those dice hit. */
    hits(view: View): number {
        return this.fire(view)?.hits ?? 0;
    }

    private fire(view: View): { dice: number[]; hits: number } | undefined {
        const all = [...view.events, ...this.match.steps.value.slice(-3).flatMap((step) => step.events)];
        return all.find((event): event is Extract<GameEvent, { ev: "pursuit" }> => event.ev === "pursuit");
    }

    action(view: View): Action {
        const losses = [...this.taken.value].map(([unit, cv]) => ({ unit, cv }));
        return { do: "allot", town: this.where(view)[0] ?? "", losses };
    }

    commit(view: View): Commit {
        const left = this.asked(view) - this.total.value;
        return {
            label: t("allot.commit", { n: this.asked(view) }),
            run: () => this.act(this.action(view)),
            ...(left > 0 ? { why: tt("allot.left", { n: left }) } : { note: t("respond.binds") }),
        };
    }
}

/** Units removed for lost supply. */
export class SupplyDesk extends CountDesk {
    readonly kind = "remove_units";

    debt(view: View): Partial<Record<Nation, number>> {
        return view.prompt?.id === "remove_units" ? view.prompt.debt : {};
    }

    asked(view: View): number {
        return Object.values(this.debt(view)).reduce<number>((n, one) => n + (one ?? 0), 0);
    }

    may(view: View, unit: UnitId): boolean {
        const nation = unit.slice(0, 2) as Nation;
        return nationsOf(view).includes(nation) && (this.debt(view)[nation] ?? 0) > 0 && view.board.units[unit] !== undefined;
    }

    protected most(): number {
        return 1;
    }

    protected override room(view: View, unit: UnitId): number {
        const nation = unit.slice(0, 2) as Nation;
        const taken = [...this.taken.value.keys()].filter((one) => one.startsWith(nation)).length;
        return (this.debt(view)[nation] ?? 0) - taken;
    }

    protected where(view: View): TownId[] {
        return Object.keys(view.board.towns);
    }

    commit(view: View): Commit {
        const left = this.asked(view) - this.total.value;
        const units = [...this.taken.value.keys()];
        const names = plain(list(units.map((unit) => unitName(unit, "the"))));
        return {
            label: left > 0 ? t("supply.commit", { n: this.asked(view) }) : t("supply.commit_named", { units: names }),
            run: () => this.act({ do: "remove", units }),
            ...(left > 0 ? { why: tt("supply.left", { n: left }) } : { note: t("supply.seen") }),
        };
    }
}
