/** The march: the whole turn as a draft, given as one action; in the enemy's turn a plan of the next. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import type { Marks } from "@/board/types";
import type { DraftStore } from "@/drafts/store";
import { Refusal } from "@/net/rpc";
import type { MatchStore } from "@/net/match";
import { nationsOf, ownByTown, sum, type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { roadsOf, waysOfLength } from "@/play/graph";
import { MarchDraft } from "@/play/marchdraft";
import { ordersOf, rowsOfOrders, withActions, type Order } from "@/play/marching";
import { marchMarks, rowsOf, type MarchRow } from "@/play/marks";
import type { Reaches } from "@/play/reach";
import { wire } from "@/play/wire";
import type { Action, Seat, TownId, UnitId, View } from "@/types";
import { list, plain, promptWords, refusalWords, t, townName, tt, unitName, type Token } from "@/words";

type Item = Order;

export class MarchDesk implements Desk {
    readonly kind = "move";
    readonly refused: Signal<Refused | null> = signal(null);
    /** Blocks taken up that are in no row, all of one town. */
    readonly selected: Signal<ReadonlySet<UnitId>> = signal(new Set());
    /** The row being edited. */
    readonly editing: Signal<string | null> = signal(null);
    /** Ways of equal length for the row being edited. */
    readonly variants: Signal<TownId[][]> = signal([]);
    readonly forcedToo: Signal<boolean> = signal(true);
    readonly sheet: Signal<boolean> = signal(false);
    readonly orders: MarchDraft;
    private groupAt = -1;

    /** What is taken up: the edited row's blocks, else the selection. */
    readonly held: ReadonlySignal<ReadonlySet<UnitId>> = computed(() => {
        const row = this.row();
        return row === undefined ? this.selected.value : new Set(row.units);
    });

    /** plan: it is another's turn, and the next own march is thought of; away ends that. */
    constructor(
        private readonly match: MatchStore,
        view: View,
        seat: Seat,
        private readonly away?: () => void,
    ) {
        const allies = Object.keys(view.board.seats).length > 2 && !nationsOf(view).includes("FR");
        this.orders = new MarchDraft(match, seat, nationsOf(view), away !== undefined, allies);
    }

    get reaches(): Reaches {
        return this.orders.reaches;
    }

    get drafted(): ReadonlySignal<View | null> {
        return this.orders.drafted;
    }

    get draft(): DraftStore {
        return this.orders.store;
    }

    get planning(): boolean {
        return this.orders.plan;
    }

    get mercy(): ReadonlySignal<ReadonlySet<TownId>> {
        return this.orders.mercy;
    }

    get canUndo(): boolean {
        return this.orders.canUndo;
    }

    undo(): boolean {
        this.escape();
        return this.orders.undo();
    }

    close(): void {
        this.orders.close();
    }

    foreign(): number {
        return this.orders.foreign.value;
    }

    discard(): void {
        this.escape();
        this.orders.discard();
    }

    misfits(): number {
        return this.orders.unfit.value.size;
    }

    steps(view: View, actions: readonly Action[]): string[] {
        const base = this.orders.plan ? [] : ordersOf(view, nationsOf(view));
        return rowsOfOrders(view, withActions(base, actions).orders).map((row) => t("march.sheet_row", { row: rowTitle(row), n: row.units.length }));
    }

    /** The newest view with the draft in it. */
    private now(): View | null {
        return this.orders.drafted.value ?? this.match.view.value;
    }

    rows(view: View | null = this.now()): MarchRow[] {
        return view === null ? [] : rowsOfOrders(view, this.orders.orders.value);
    }

    row(): MarchRow | undefined {
        const id = this.editing.value;
        return id === null ? undefined : this.rows().find((row) => row.id === id);
    }

    viewed(view: View): void {
        this.orders.viewed(view);
        const drafted = this.now()?.board.marches ?? {};
        const kept = [...this.selected.value].filter((unit) => view.board.units[unit] !== undefined && !(unit in drafted));
        if (kept.length !== this.selected.value.size) this.selected.value = new Set(kept);
    }

    headline(view: View): string {
        if (this.planning) return t("plan.headline");
        // Beside an ally a seat has one town from the first (W4.2): not one more.
        const { as } = view;
        const group = as === "AD" || as === "PR" ? view.board.groups?.[as] : undefined;
        if (group !== undefined && group.of === 1 && group.used.length === 0) return t("march.one_town");
        return promptWords(view).headline;
    }

    overline(view: View): { text: string } {
        return { text: this.planning ? t("plan.overline", { side: view.as }) : t("play.your_turn", { side: view.as, state: view.state }) };
    }

    sentence(view: View): readonly Token[] {
        return promptWords(view).sentence;
    }

    /** Towns that what is held may go to, with each block's way. */
    legal(): Map<TownId, { forced: boolean; attack: boolean }> {
        const found = new Map<TownId, { forced: boolean; attack: boolean }>();
        const held = this.held.value;
        if (held.size === 0) return found;
        for (const [town, ways] of this.reaches.common(held)) {
            const forced = ways.some((way) => way.forced);
            if (forced && !this.forcedToo.value) continue;
            found.set(town, { forced, attack: ways.some((way) => way.attack === true) });
        }
        return found;
    }

    /** On a phone the room is the draft's once there is one. */
    begun(view: View): boolean {
        return this.planning || this.rows(view).length > 0;
    }

    marks(view: View): Marks {
        const board = this.match.board.value;
        const marchable = [...this.reaches.of.value].filter(([, reach]) => Object.keys(reach.towns).length > 0);
        return marchMarks({
            view,
            roads: board === null ? null : roadsOf(board.roads),
            rows: this.rows(view).filter((row) => row.from !== "" && !this.orders.unfit.value.has(row.id)),
            allies: rowsOf(view, (["FR", "AD", "PR"] as const).filter((nation) => !nationsOf(view).includes(nation))),
            editing: this.editing.value,
            held: this.held.value,
            legal: this.legal(),
            choosable: marchable.map(([unit]) => unit),
            reach: (unit, town) => this.reaches.of.value.get(unit)?.towns[town],
            capacity: this.reaches.capacity.value,
            dieText: t("march.die"),
        });
    }

    handlers(): Handlers {
        return {
            onBlock: (unit, how) => void (how.shift ? this.takeStack(this.townOf(unit)) : this.press(unit)),
            onStack: (town) => void this.takeStack(town),
            onTown: (town, how) => {
                if (this.held.value.size > 0) void this.send(town, []);
                else if (how.keyboard) void this.takeStack(town);
            },
            onDragBlocks: (units, town, via) => void this.drop(units, town, via),
            dragSet: (unit) => (this.held.value.has(unit) ? [...this.held.value] : [unit]),
            dropReason: (units, town) => this.dropReason(units, town),
            dropNote: (units, town) => this.dropNote(units, town),
            townNote: (town) => this.townNote(town),
        };
    }

    /** Has it a town that it may go to now? */
    mayMarch(unit: UnitId): boolean {
        return Object.keys(this.reaches.of.value.get(unit)?.towns ?? {}).length > 0;
    }

    private townOf(unit: UnitId): TownId {
        return this.now()?.board.units[unit]?.town ?? "";
    }

    private dropReason(units: readonly UnitId[], town: TownId): string | undefined {
        if (this.townOf(units[0] ?? "") === town) return undefined;
        const barred = units.find((unit) => this.reaches.of.value.get(unit)?.towns[town] === undefined);
        if (barred === undefined) return undefined;
        const rule = this.reaches.of.value.get(barred)?.rule;
        return rule === undefined ? t("march.too_far", { town: townName(town) }) : plainRule(rule);
    }

    private dropNote(units: readonly UnitId[], town: TownId): string | undefined {
        const ways = units.map((unit) => this.reaches.of.value.get(unit)?.towns[town]);
        const forced = ways.some((way) => way?.forced);
        const attack = ways.some((way) => way?.attack);
        return t("march.drop", { n: units.length, town: townName(town), forced, attack });
    }

    private townNote(town: TownId): string | undefined {
        const legal = this.legal().get(town);
        if (legal === undefined) return undefined;
        return t("march.town_note", { forced: legal.forced, attack: legal.attack });
    }

    /** A block was pressed: into or out of what is held. */
    async press(unit: UnitId): Promise<void> {
        const view = this.now();
        if (view === null || !nationsOf(view).includes(unit.slice(0, 2) as "FR")) return;
        const drafted = view.board.marches?.[unit];
        const row = this.row();
        this.refused.value = null;
        if (row !== undefined && row.from === this.townOf(unit)) {
            if (row.units.includes(unit)) await this.leave(row, unit);
            else await this.join(row, unit);
            return;
        }
        if (drafted !== undefined) {
            this.edit(this.rows().find((one) => one.units.includes(unit))?.id ?? null);
            return;
        }
        await this.toggle(unit);
    }

    /** What forbids this unit to march at all, asked of a road out of its town where the reach does not say. */
    private async barredBy(unit: UnitId): Promise<string | undefined> {
        const reach = this.reaches.of.value.get(unit);
        if (reach === undefined || this.mayMarch(unit)) return reach?.rule;
        const board = this.match.board.value;
        const next = board === null ? undefined : roadsOf(board.roads).next(this.townOf(unit))[0];
        return reach.rule ?? (next === undefined ? undefined : (await this.orders.path(unit, [next])).rule);
    }

    private async toggle(unit: UnitId): Promise<void> {
        const rule = await this.barredBy(unit);
        if (rule !== undefined) {
            this.refuse("hand", ruled(rule));
            return;
        }
        const here = this.townOf(unit);
        const kept = [...this.selected.value].filter((other) => this.townOf(other) === here && other !== unit);
        const had = this.selected.value.has(unit);
        this.editing.value = null;
        this.selected.value = new Set(had ? kept : [...kept, unit]);
        announce(t(had ? "march.left" : "march.taken", { unit: unitName(unit, "full"), n: this.selected.value.size }));
    }

    /** Takes up all that may march from a town. */
    async takeStack(town: TownId): Promise<void> {
        const view = this.now();
        if (view === null) return;
        const own = ownByTown(view, nationsOf(view)).get(town) ?? [];
        const free = own.filter((unit) => !(unit in (view.board.marches ?? {})));
        const able = free.filter((unit) => this.mayMarch(unit));
        this.refused.value = null;
        if (able.length === 0) {
            const rule = free[0] === undefined ? undefined : await this.barredBy(free[0]);
            if (rule !== undefined) this.refuse("hand", ruled(rule));
            return;
        }
        this.editing.value = null;
        const same = able.length === this.selected.value.size && able.every((unit) => this.selected.value.has(unit));
        this.selected.value = new Set(same ? [] : able);
        if (!same) announce(t("march.stack_taken", { n: able.length, town: townName(town) }));
    }

    edit(id: string | null): void {
        this.editing.value = id;
        this.selected.value = new Set();
        this.refused.value = null;
        this.variants.value = [];
        if (id !== null) void this.findVariants();
    }

    private async leave(row: MarchRow, unit: UnitId): Promise<void> {
        const last = row.units.length === 1;
        const done = await this.change(row.id, (orders) => orders.filter((one) => one.unit !== unit));
        if (last && done) {
            this.editing.value = null;
            this.selected.value = new Set([unit]);
        }
    }

    private async join(row: MarchRow, unit: UnitId): Promise<void> {
        const { forced } = await this.orders.path(unit, row.path);
        await this.change(row.id, withItems([{ unit, path: row.path, forced }]));
    }

    private async drop(units: UnitId[], town: TownId, via: TownId[]): Promise<void> {
        const from = this.townOf(units[0] ?? "");
        if (town === from) return;
        const held = this.held.value;
        if (!units.every((unit) => held.has(unit)) || units.length !== held.size) {
            this.editing.value = null;
            this.selected.value = new Set(units);
        }
        await this.send(town, via.filter((one) => one !== town && one !== from));
    }

    /** What is held marches there; `via`: towns that were dragged over. */
    async send(town: TownId, via: readonly TownId[]): Promise<void> {
        const held = [...this.held.value];
        const from = this.townOf(held[0] ?? "");
        this.refused.value = null;
        if (town === from) {
            this.escape();
            return;
        }
        const row = this.row();
        if (row !== undefined && via.length === 0 && row.path[row.path.length - 1] === town) return;
        const items = await this.items(held, town, via);
        if (items === null) {
            announce(t("march.too_far", { town: townName(town) }));
            return;
        }
        await this.march(items, from);
    }

    private async march(items: Item[], from: TownId): Promise<void> {
        const done = await this.change(this.editing.value ?? "hand", withItems(items));
        if (!done) return;
        const path = items[0]?.path ?? [];
        this.selected.value = new Set();
        this.editing.value = rowId(from, path);
        void this.findVariants();
        this.tell(items.length, from, path);
    }

    private tell(n: number, from: TownId, path: readonly TownId[]): void {
        const to = path[path.length - 1] ?? "";
        const attack = this.now()?.board.attacks?.[to];
        announce(t("march.told", { n, from: townName(from), to: townName(to), attack: attack !== undefined, defenders: sum(attack?.defenders) }));
    }

    /** A way for each block, undefined if one has none. */
    private async items(units: readonly UnitId[], town: TownId, via: readonly TownId[]): Promise<Item[] | null> {
        await this.orders.settled();
        if (via.length > 0) {
            const path = [...via, town];
            const answers = await Promise.all(units.map((unit) => this.orders.path(unit, path)));
            if (answers.every((answer) => answer.ok)) {
                return units.map((unit, i) => ({ unit, path, forced: answers[i]?.forced ?? false }));
            }
        }
        const ways = units.map((unit) => this.reaches.of.value.get(unit)?.towns[town]);
        if (ways.some((way) => way === undefined)) return null;
        return units.map((unit, i) => ({ unit, path: ways[i]?.path ?? [], forced: ways[i]?.forced ?? false }));
    }

    private async findVariants(): Promise<void> {
        const row = this.row();
        const board = this.match.board.value;
        if (row === undefined || board === null || row.path.length < 2) {
            this.variants.value = [];
            return;
        }
        const to = row.path[row.path.length - 1] ?? "";
        const ways = waysOfLength(roadsOf(board.roads), row.from, to, row.path.length);
        const open = await Promise.all(
            ways.map(async (path) => {
                if (path.join() === row.path.join()) return true;
                const answers = await Promise.all(row.units.map((unit) => this.orders.path(unit, path)));
                return answers.every((answer) => answer.ok);
            }),
        );
        if (this.editing.value === row.id) this.variants.value = ways.filter((_, i) => open[i]).slice(0, 4);
    }

    /** The edited row takes another way of the same length. */
    async reroute(path: TownId[]): Promise<void> {
        const row = this.row();
        if (row === undefined) return;
        const answers = await Promise.all(row.units.map((unit) => this.orders.path(unit, path)));
        await this.march(row.units.map((unit, i) => ({ unit, path, forced: answers[i]?.forced ?? false })), row.from);
    }

    async remove(id: string): Promise<void> {
        const row = this.rows().find((one) => one.id === id);
        if (row === undefined) return;
        if (this.editing.value === id) this.editing.value = null;
        await this.change(id, (orders) => orders.filter((one) => !row.units.includes(one.unit)));
    }

    async clear(): Promise<void> {
        this.escape();
        await this.change("hand", () => []);
    }

    private refuse(at: string, refusal: Refusal): void {
        this.refused.value = { at, refusal };
    }

    /** Changes the orders; false: it cannot be, and it is said why. */
    private async change(at: string, make: (orders: readonly Item[]) => readonly Item[]): Promise<boolean> {
        this.refused.value = null;
        const refusal = await this.orders.change(make);
        if (refusal !== null) this.refuse(at, refusal);
        return refusal === null;
    }

    commit(view: View): Commit | null {
        if (this.away !== undefined) return { label: t("plan.done"), run: this.away, note: t("plan.done_note") };
        const rows = this.rows(view);
        const units = rows.reduce((n, row) => n + row.units.length, 0);
        const attacks = Object.keys(view.board.attacks ?? {}).length;
        const label =
            attacks > 0 ? t("march.end_attack", { n: attacks }) : units > 0 ? t("march.end", { n: units }) : t("march.end_none");
        return { label, run: () => void (this.sheet.value = true), ...this.barred(units) };
    }

    /** Why the march may not end so. */
    private barred(units: number): Pick<Commit, "why"> {
        const unfit = this.misfits();
        if (unfit > 0) return { why: tt("draft.unfit", { n: unfit }) };
        const refusal = this.orders.endRefusal.value;
        return refusal === null || units === 0 ? {} : { why: refusalWords(wire(refusal)) };
    }

    /** Ends the march for good. */
    async end(): Promise<void> {
        this.sheet.value = false;
        this.refused.value = null;
        try {
            await this.orders.send();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refuse("end", error);
        }
    }

    spare(town: TownId, on: boolean): void {
        this.orders.spare(town, on);
    }

    nextGroup(): void {
        const view = this.now();
        if (view === null) return;
        const able = [...ownByTown(view, nationsOf(view))].filter(([, units]) =>
            units.some((unit) => this.mayMarch(unit)),
        );
        if (able.length === 0) return;
        this.groupAt = (this.groupAt + 1) % able.length;
        const town = able[this.groupAt]?.[0];
        if (town === undefined) return;
        this.selected.value = new Set();
        void this.takeStack(town);
    }

    keys(): Key[] {
        return [
            { key: "g", label: t("keys.group"), run: () => this.nextGroup() },
            { key: "f", label: t("keys.forced"), run: () => void (this.forcedToo.value = !this.forcedToo.value) },
            {
                key: "Backspace",
                label: t("keys.remove_row"),
                run: () => {
                    if (this.editing.value !== null) void this.remove(this.editing.value);
                },
            },
        ];
    }

    townActs(view: View, town: TownId): RowAct[] {
        const acts: RowAct[] = [];
        if (this.legal().has(town)) acts.push({ label: t("march.act_here"), run: () => void this.send(town, []) });
        const own = ownByTown(view, nationsOf(view)).get(town) ?? [];
        if (own.some((unit) => this.mayMarch(unit))) {
            acts.push({ label: t("march.act_all"), run: () => void this.takeStack(town) });
        }
        return acts;
    }

    unitActs(_view: View, unit: UnitId): RowAct[] {
        return [{ label: t("march.act_unit"), run: () => void this.press(unit), pressed: this.held.value.has(unit) }];
    }

    escape(): void {
        this.editing.value = null;
        this.selected.value = new Set();
        this.refused.value = null;
    }
}

/** Orders in which these blocks go this way instead of where they went. */
function withItems(items: readonly Item[]) {
    return (orders: readonly Item[]): Item[] => [...orders.filter((one) => !items.some(({ unit }) => unit === one.unit)), ...items];
}

/** "Laneffe by Charleroi to Ligny". */
export function rowTitle(row: Pick<MarchRow, "from" | "path" | "units">): string {
    const to = row.path[row.path.length - 1] ?? "";
    const via = row.path.slice(0, -1);
    if (row.from === "") return t("march.row_lost", { units: plain(list(row.units.map((unit) => unitName(unit)))), to: townName(to) });
    if (via.length === 0) return t("march.row", { from: townName(row.from), to: townName(to) });
    return t("march.row_via", { from: townName(row.from), to: townName(to), via: plain(list(via.map((town) => townName(town)))) });
}

/** The id of a row: where it begins and which way it goes. */
export function rowId(from: TownId, path: readonly TownId[]): string {
    return [from, ...path].join(" ");
}

/** A refusal as the words want it. */
function ruled(rule: string): Refusal {
    return new Refusal(6, rule, { kind: "illegal_action", rule });
}

function plainRule(rule: string): string {
    return refusalWords(wire(ruled(rule)))
        .map((token) => token.text)
        .join("");
}
