/**
 * The set-up: a draft that is kept for the seat (drafts/store.ts) and confirmed as one action. Blocks
 * that the server has placed before (a terminal client tells of each) stand there until they are moved.
 */
import { computed, effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import type { Marks } from "@/board/types";
import { planOf } from "@/drafts/plan";
import { draftOf, type DraftStore } from "@/drafts/store";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { nationsOf, type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { forget, save, saved, type Deployment, type Placement } from "@/play/deployments";
import { placedIn, setUpMarks, withPlaced } from "@/play/marks";
import type { Action, Nation, Seat, TownId, UnitId, View } from "@/types";
import { byArm } from "@/ui/army";
import { promptWords, t, townName, tt, unitName, type Token } from "@/words";

type Placed = ReadonlyMap<UnitId, TownId>;

function placedOf(view: View, nations: readonly Nation[]): Placed {
    const placed = new Map<UnitId, TownId>();
    for (const [id, unit] of Object.entries(view.board.units)) {
        if (unit.town !== undefined && nations.includes(id.slice(0, 2) as Nation)) placed.set(id, unit.town);
    }
    return placed;
}

export class SetUpDesk implements Desk {
    readonly kind = "place_units";
    readonly refused: Signal<Refused | null> = signal(null);
    readonly placed: Signal<Placed> = signal(new Map());
    readonly selected: Signal<UnitId | null> = signal(null);
    readonly used: Signal<string | null> = signal(null);
    readonly own: Signal<Deployment[]> = signal([]);
    /** The name of a deployment to keep is asked for. */
    readonly naming: Signal<boolean> = signal(false);
    /** A block of the hand that a pointer carries, for the ghost. */
    readonly carried: Signal<{ unit: UnitId; x: number; y: number; town: TownId | null } | null> = signal(null);
    readonly draft: DraftStore;
    /** A plan, while others set up: the view as it would be for the own set-up. */
    readonly drafted: Signal<View | null> = signal(null);
    private readonly before: Signal<{ placed: Placed; used: string | null }[]> = signal([]);
    private readonly others: Signal<number> = signal(0);
    /** Where the server has the blocks by what was done, drafts apart. */
    private base: Placed;
    private readonly nations: Nation[];
    private endTaken: (() => void) | undefined;
    private closed = false;

    readonly hand: ReadonlySignal<UnitId[]>;

    /** away: others set up, and the own set-up is thought of; it ends that. */
    constructor(
        private readonly match: MatchStore,
        view: View,
        private readonly away?: () => void,
    ) {
        this.nations = nationsOf(view);
        this.placed.value = this.base = placedOf(view, this.nations);
        this.draft = draftOf(match, view.as as Seat);
        void this.begin();
        this.own.value = saved(this.nations);
        this.hand = computed(() => {
            const board = this.now()?.board.units ?? {};
            const ids = Object.keys(board).filter((id) => this.mine(id) && !this.placed.value.has(id));
            const all = ids.flatMap((id) => (board[id] === undefined ? [] : [{ id, type: board[id].type, cv: board[id].cv }]));
            return all.sort((a, b) => (a.id.slice(0, 2) < b.id.slice(0, 2) ? -1 : a.id.slice(0, 2) > b.id.slice(0, 2) ? 1 : byArm(a, b))).map((one) => one.id);
        });
    }

    get planning(): boolean {
        return this.away !== undefined;
    }

    private now(): View | null {
        return this.drafted.value ?? this.match.view.value;
    }

    private mine(unit: UnitId): boolean {
        return this.nations.includes(unit.slice(0, 2) as Nation);
    }

    get total(): number {
        return Object.keys(this.now()?.board.units ?? {}).filter((unit) => this.mine(unit)).length;
    }

    private async begin(): Promise<void> {
        if (this.planning) void this.look();
        await this.draft.load().catch(() => {});
        if (this.closed) return;
        let seen = this.draft.taken.peek();
        this.read();
        this.endTaken = effect(() => {
            const now = this.draft.taken.value;
            if (now === seen) return;
            seen = now;
            untracked(() => {
                this.remember();
                this.read();
            });
        });
    }

    /** What the server says of the own set-up before it is asked for. */
    private async look(): Promise<void> {
        const planned = await planOf(this.match, []).catch(() => null);
        if (planned !== null) this.drafted.value = planned.view;
    }

    close(): void {
        this.closed = true;
        this.endTaken?.();
    }

    /** The draft as it is kept becomes what is shown. */
    private read(): void {
        const { placed, others } = withPlacements(this.base, this.draft.actions.value);
        this.others.value = others;
        this.placed.value = placed;
    }

    viewed(view: View): void {
        if (this.planning) return;
        const before = this.base;
        this.base = placedOf(view, this.nations);
        if (same(this.placed.value, before)) this.placed.value = this.base;
    }

    foreign(): number {
        return this.others.value;
    }

    discard(): void {
        this.remember();
        this.others.value = 0;
        this.placed.value = this.base;
        this.draft.set([], this.match.view.value?.seq ?? 0);
    }

    steps(_view: View, actions: readonly Action[]): string[] {
        const counts = new Map<TownId, number>();
        for (const town of withPlacements(this.base, actions).placed.values()) counts.set(town, (counts.get(town) ?? 0) + 1);
        return [...counts].map(([town, n]) => t("draft.step_town", { town: townName(town), n })).sort();
    }

    headline(view: View): string {
        return this.planning ? t("plan.open_set_up") : promptWords(view).headline;
    }

    overline(view: View): { text: string } {
        return { text: this.planning ? t("plan.overline", { side: view.as }) : t("play.your_turn", { side: view.as, state: view.state }) };
    }

    sentence(view: View): readonly Token[] {
        // The server knows of no draft: what is in hand is counted here.
        return promptWords({ ...view, prompt: { ...view.prompt, unplaced: this.hand.value.length } } as View).sentence;
    }

    drawn(view: View): View {
        return withPlaced(view, this.placed.value, this.nations);
    }

    marks(view: View): Marks {
        return setUpMarks({ view, placed: this.placed.value, selected: this.selected.value, nations: this.nations });
    }

    handlers(view: View): Handlers {
        return {
            onBlock: (unit) => this.choose(this.selected.value === unit ? null : unit),
            onTown: (town) => {
                if (this.selected.value !== null) this.place([this.selected.value], town);
            },
            onDragBlocks: (units, town) => this.place(units, town),
            dragSet: (unit) => [unit],
            dropReason: (units, town) => this.reason(view, units[0] ?? "", town),
            dropNote: (units, town) => this.note(view, units[0] ?? "", town),
            townNote: (town) => {
                const unit = this.selected.value;
                return unit === null || this.reason(view, unit, town) !== undefined ? undefined : this.note(view, unit, town);
            },
        };
    }

    choose(unit: UnitId | null): void {
        this.refused.value = null;
        this.selected.value = unit !== null && this.mine(unit) ? unit : null;
    }

    /** Why a block may not stand there, by what the view says of the set-up. */
    reason(view: View, unit: UnitId, town: TownId): string | undefined {
        const nation = unit.slice(0, 2) as Nation;
        const where = view.board.setup?.[nation];
        if (where === undefined) return undefined;
        if (!where.towns.includes(town)) return t("setup.not_there", { town: townName(town), nation });
        const n = placedIn(this.placed.value, nation, town);
        if (n >= where.max && this.placed.value.get(unit) !== town) {
            return t("setup.full", { town: townName(town), max: where.max });
        }
        return undefined;
    }

    note(view: View, unit: UnitId, town: TownId): string {
        const nation = unit.slice(0, 2) as Nation;
        const there = this.placed.value.get(unit) === town ? 0 : 1;
        const n = placedIn(this.placed.value, nation, town) + there;
        return t("setup.note", { town: townName(town), n, max: view.board.setup?.[nation]?.max ?? 0 });
    }

    place(units: readonly UnitId[], town: TownId): void {
        const view = this.now();
        const unit = units[0];
        if (view === null || unit === undefined || !this.mine(unit)) return;
        const reason = this.reason(view, unit, town);
        if (reason !== undefined) {
            this.shake(town, reason);
            return;
        }
        const next = new Map(this.placed.value);
        const fresh = !next.has(unit);
        next.set(unit, town);
        this.set(next, this.used.value);
        this.selected.value = fresh ? (this.hand.value[0] ?? null) : null;
        announce(t("setup.placed", {
            unit: unitName(unit, "full"), town: townName(town),
            n: placedIn(next, unit.slice(0, 2) as Nation, town), max: view.board.setup?.[unit.slice(0, 2) as Nation]?.max ?? 0,
            left: this.hand.value.length,
        }));
    }

    private shake(town: TownId, reason: string): void {
        this.refused.value = { at: town, refusal: new Refusal(6, reason, { kind: "drop", reason }) };
        announce(reason);
    }

    /** Back to hand. */
    takeBack(unit: UnitId): void {
        if (!this.placed.value.has(unit)) return;
        const next = new Map(this.placed.value);
        next.delete(unit);
        this.set(next, this.used.value);
        this.selected.value = unit;
    }

    use(deployment: Deployment): void {
        const next = new Map(Object.entries(deployment.placement).filter(([unit]) => this.mine(unit)));
        this.set(next, deployment.id);
        this.selected.value = this.hand.value[0] ?? null;
        announce(t("setup.used", { n: next.size }));
    }

    clear(): void {
        this.set(new Map(), null);
        this.selected.value = this.hand.value[0] ?? null;
    }

    /** Is this deployment the draft now, or the one it began from? */
    stateOf(deployment: Deployment): "now" | "changed" | null {
        if (this.used.value !== deployment.id) return null;
        const there = new Map(Object.entries(deployment.placement));
        return same(there, this.placed.value) ? "now" : "changed";
    }

    keep(name: string): void {
        const placement: Placement = Object.fromEntries(this.placed.value);
        this.own.value = save(this.nations, name, placement);
        this.used.value = this.own.value[0]?.id ?? null;
    }

    drop(id: string): void {
        this.own.value = forget(this.nations, id);
    }

    private remember(): void {
        this.before.value = [...this.before.value.slice(-40), { placed: this.placed.value, used: this.used.value }];
    }

    private set(next: Placed, used: string | null): void {
        this.remember();
        this.put(next, used);
    }

    private put(next: Placed, used: string | null): void {
        this.refused.value = null;
        this.others.value = 0;
        this.placed.value = next;
        this.used.value = used;
        this.draft.set(same(next, this.base) ? [] : this.actions(), this.match.view.value?.seq ?? 0);
    }

    undo(): boolean {
        const last = this.before.value[this.before.value.length - 1];
        if (last === undefined) return false;
        this.before.value = this.before.value.slice(0, -1);
        this.put(last.placed, last.used);
        return true;
    }

    get canUndo(): boolean {
        return this.before.value.length > 0;
    }

    /** What makes the set-up of what the server has; all of it there, it is confirmed as well. */
    private actions(): Action[] {
        const moved = [...this.placed.value].filter(([unit, town]) => this.base.get(unit) !== town);
        const placements = moved.map(([unit, town]) => ({ unit, town }));
        const place: Action[] = placements.length === 0 ? [] : [{ do: "place", placements }];
        return this.hand.value.length > 0 ? place : [...place, { do: "confirm_setup" }];
    }

    commit(): Commit | null {
        const left = this.hand.value.length;
        if (this.away !== undefined) return { label: t("plan.done"), run: this.away, note: t("plan.done_note") };
        return {
            label: t("setup.confirm"),
            run: () => this.confirm(),
            ...(left > 0 ? { why: tt("setup.left", { n: left }) } : { note: t("setup.confirm_note") }),
        };
    }

    private async confirm(): Promise<void> {
        this.refused.value = null;
        try {
            await this.draft.send(this.actions());
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = { at: "draft", refusal: error };
        }
    }

    keys(): Key[] {
        return [
            {
                key: "q",
                label: t("keys.take_back"),
                run: () => {
                    if (this.selected.value !== null) this.takeBack(this.selected.value);
                },
            },
            { key: "n", label: t("keys.next_in_hand"), run: () => this.nextInHand() },
        ];
    }

    nextInHand(): void {
        const hand = this.hand.value;
        const at = hand.indexOf(this.selected.value ?? "");
        this.choose(hand[(at + 1) % Math.max(1, hand.length)] ?? null);
        if (this.selected.value !== null) announce(unitName(this.selected.value, "full"));
    }

    townActs(view: View, town: TownId): RowAct[] {
        const unit = this.selected.value;
        if (unit === null || this.reason(view, unit, town) !== undefined) return [];
        return [{ label: t("setup.act_place", { unit: unitName(unit, "full") }), run: () => this.place([unit], town) }];
    }

    unitActs(_view: View, unit: UnitId): RowAct[] {
        const acts: RowAct[] = [{ label: t("setup.act_choose"), run: () => this.choose(unit), pressed: this.selected.value === unit }];
        if (this.placed.value.has(unit)) acts.push({ label: t("setup.act_back"), run: () => this.takeBack(unit) });
        return acts;
    }

    escape(): void {
        this.choose(null);
        this.carried.value = null;
    }
}

/** Where blocks stand with these actions done, and how many of the actions are of another decision. */
export function withPlacements(base: Placed, actions: readonly Action[]): { placed: Placed; others: number } {
    const placed = new Map(base);
    let others = 0;
    for (const action of actions) {
        if (action.do === "place") for (const { unit, town } of action.placements) placed.set(unit, town);
        else if (action.do !== "confirm_setup") others++;
    }
    return { placed, others };
}

function same(a: Placed, b: Placed): boolean {
    if (a.size !== b.size) return false;
    for (const [unit, town] of a) if (b.get(unit) !== town) return false;
    return true;
}
