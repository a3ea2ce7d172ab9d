/** The march: the whole turn as a draft that the server keeps; every edit is a quiet action. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Marks } from "@/board/types";
import { Refusal } from "@/net/rpc";
import type { MatchStore } from "@/net/match";
import { nationsOf, ownByTown, sum, type Commit, type Desk, type Handlers, type Key, type Refused, type RowAct } from "@/play/desk";
import { roadsOf, waysOfLength } from "@/play/graph";
import { marchMarks, rowsOf, type MarchRow } from "@/play/marks";
import { Reaches } from "@/play/reach";
import type { Action, TownId, UnitId, View } from "@/types";
import { promptWords, refusalWords, t, townName, unitName, type Token } from "@/words";
import { announce } from "@/app/live";

type Item = { unit: UnitId; path: TownId[]; forced: boolean };

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
    /** Attacked towns where no pursuit fire is to be given. */
    readonly mercy: Signal<ReadonlySet<TownId>> = signal(new Set());
    /** Why the march could not end as it stands. */
    readonly endRefusal: Signal<Refusal | null> = signal(null);
    readonly sheet: Signal<boolean> = signal(false);
    readonly reaches: Reaches;
    private groupAt = -1;

    /** What is taken up: the edited row's blocks, else the selection. */
    readonly held: ReadonlySignal<ReadonlySet<UnitId>> = computed(() => {
        const row = this.row();
        return row === undefined ? this.selected.value : new Set(row.units);
    });

    constructor(private readonly match: MatchStore) {
        this.reaches = new Reaches(match);
    }

    rows(view: View | null = this.match.view.value): MarchRow[] {
        return view === null ? [] : rowsOf(view, nationsOf(view));
    }

    row(): MarchRow | undefined {
        const id = this.editing.value;
        return id === null ? undefined : this.rows().find((row) => row.id === id);
    }

    viewed(view: View): void {
        const own = [...ownByTown(view, nationsOf(view)).values()].flat();
        void this.reaches.refresh(view.seq, own).catch(() => {});
        void this.testEnd(view);
        const drafted = view.board.marches ?? {};
        const kept = [...this.selected.value].filter((unit) => view.board.units[unit] !== undefined && !(unit in drafted));
        if (kept.length !== this.selected.value.size) this.selected.value = new Set(kept);
    }

    private async testEnd(view: View): Promise<void> {
        if (Object.keys(view.board.marches ?? {}).length === 0) {
            this.endRefusal.value = null;
            return;
        }
        try {
            const refusal = await this.match.try({ do: "end_movement" });
            if (this.match.view.value?.seq === view.seq) this.endRefusal.value = refusal;
        } catch {
            this.endRefusal.value = null;
        }
    }

    headline(view: View): string {
        return promptWords(view).headline;
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
        return this.rows(view).length > 0;
    }

    marks(view: View): Marks {
        const board = this.match.board.value;
        const marchable = [...this.reaches.of.value].filter(([, reach]) => Object.keys(reach.towns).length > 0);
        return marchMarks({
            view,
            roads: board === null ? null : roadsOf(board.roads),
            rows: this.rows(view),
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
        return this.match.view.value?.board.units[unit]?.town ?? "";
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
        const view = this.match.view.value;
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
        return reach.rule ?? (next === undefined ? undefined : (await this.reaches.path(unit, [next])).rule);
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
        const view = this.match.view.value;
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
        await this.act(row.id, { do: "unmarch", units: [unit] });
        if (last && this.refused.value === null) {
            this.editing.value = null;
            this.selected.value = new Set([unit]);
        }
    }

    private async join(row: MarchRow, unit: UnitId): Promise<void> {
        const answer = await this.reaches.path(unit, row.path);
        const before = this.match.view.value?.board.marches?.[unit] !== undefined;
        const march: Action = { do: "march", marches: [{ unit, path: row.path, forced: answer.forced }] };
        await this.act(row.id, ...(before ? [{ do: "unmarch", units: [unit] } as Action, march] : [march]));
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
        const drafted = this.match.view.value?.board.marches ?? {};
        const again = items.map((item) => item.unit).filter((unit) => unit in drafted);
        const march: Action = { do: "march", marches: items };
        const done = await this.act(
            this.editing.value ?? "hand",
            ...(again.length > 0 ? [{ do: "unmarch", units: again } as Action, march] : [march]),
        );
        if (!done) return;
        const path = items[0]?.path ?? [];
        this.selected.value = new Set();
        this.editing.value = rowId(from, path);
        void this.findVariants();
        this.tell(items.length, from, path);
    }

    private tell(n: number, from: TownId, path: readonly TownId[]): void {
        const to = path[path.length - 1] ?? "";
        const attack = this.match.view.value?.board.attacks?.[to];
        announce(t("march.told", { n, from: townName(from), to: townName(to), attack: attack !== undefined, defenders: sum(attack?.defenders) }));
    }

    /** A way for each block, undefined if one has none. */
    private async items(units: readonly UnitId[], town: TownId, via: readonly TownId[]): Promise<Item[] | null> {
        if (via.length > 0) {
            const path = [...via, town];
            const answers = await Promise.all(units.map((unit) => this.reaches.path(unit, path)));
            if (answers.every((answer) => answer.ok)) {
                return units.map((unit, i) => ({ unit, path, forced: answers[i]?.forced ?? false }));
            }
        }
        const reach = await Promise.all(units.map((unit) => this.reaches.one(unit)));
        const ways = reach.map((one) => one.towns[town]);
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
                const answers = await Promise.all(row.units.map((unit) => this.reaches.path(unit, path)));
                return answers.every((answer) => answer.ok);
            }),
        );
        if (this.editing.value === row.id) this.variants.value = ways.filter((_, i) => open[i]).slice(0, 4);
    }

    /** The edited row takes another way of the same length. */
    async reroute(path: TownId[]): Promise<void> {
        const row = this.row();
        if (row === undefined) return;
        const answers = await Promise.all(row.units.map((unit) => this.reaches.path(unit, path)));
        await this.march(row.units.map((unit, i) => ({ unit, path, forced: answers[i]?.forced ?? false })), row.from);
    }

    async remove(id: string): Promise<void> {
        const row = this.rows().find((one) => one.id === id);
        if (row === undefined) return;
        if (this.editing.value === id) this.editing.value = null;
        await this.act(id, { do: "unmarch", units: row.units });
    }

    async clear(): Promise<void> {
        const units = this.rows().flatMap((row) => row.units);
        this.escape();
        if (units.length > 0) await this.act("hand", { do: "unmarch", units });
    }

    private refuse(at: string, refusal: Refusal): void {
        this.refused.value = { at, refusal };
    }

    private async act(at: string, ...actions: Action[]): Promise<boolean> {
        this.refused.value = null;
        try {
            await this.match.act(...actions);
            return true;
        } catch (error) {
            if (error instanceof Refusal) this.refuse(at, error);
            else throw error;
            return false;
        }
    }

    commit(view: View): Commit | null {
        const rows = this.rows(view);
        const units = rows.reduce((n, row) => n + row.units.length, 0);
        const attacks = Object.keys(view.board.attacks ?? {}).length;
        const label =
            attacks > 0 ? t("march.end_attack", { n: attacks }) : units > 0 ? t("march.end", { n: units }) : t("march.end_none");
        const refusal = this.endRefusal.value;
        const why = refusal === null || units === 0 ? {} : { why: refusalWords(wire(refusal)) };
        return { label, run: () => void (this.sheet.value = true), ...why };
    }

    /** Ends the march for good. */
    async end(): Promise<void> {
        const attacked = Object.keys(this.match.view.value?.board.attacks ?? {});
        const none = attacked.filter((town) => this.mercy.value.has(town));
        const pursuit = Object.fromEntries(none.map((town) => [town, "none" as const]));
        this.sheet.value = false;
        await this.act("end", none.length === 0 ? { do: "end_movement" } : { do: "end_movement", pursuit });
    }

    spare(town: TownId, on: boolean): void {
        const now = new Set(this.mercy.value);
        if (on) now.add(town);
        else now.delete(town);
        this.mercy.value = now;
    }

    nextGroup(): void {
        const view = this.match.view.value;
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

/** The id of a row: where it begins and which way it goes. */
export function rowId(from: TownId, path: readonly TownId[]): string {
    return [from, ...path].join(" ");
}

/** A refusal as the words want it. */
export function wire(refusal: Refusal): Parameters<typeof refusalWords>[0] {
    return { code: refusal.code, message: refusal.message, data: refusal.data };
}

function ruled(rule: string): Refusal {
    return new Refusal(6, rule, { kind: "illegal_action", rule });
}

function plainRule(rule: string): string {
    return refusalWords(wire(ruled(rule)))
        .map((token) => token.text)
        .join("");
}
