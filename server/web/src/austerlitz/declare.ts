/**
 * Declaring the combats of a phase: built by pressing attackers and defenders, judged one by one, kept for the
 * seat as they are built (drafts/store.ts), and given all at once.
 */
import { effect, signal, untracked, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { draftsOf, keptAs } from "@/austerlitz/declared";
import { HexDesk, ruled, told, type HexHandlers } from "@/austerlitz/desk";
import { distance, within } from "@/austerlitz/grid";
import { judge, shapeOf, wireEntry, type Judged } from "@/austerlitz/odds";
import { formsFor, hexView, type Draft, type Hex, type HexBoardData, type HexMarks, type HexView } from "@/austerlitz/types";
import { combatTitle, hexOfName, isEnemy, isOwn, ownHexes, unitName, wireName } from "@/austerlitz/units";
import { draftOf, type DraftStore } from "@/drafts/store";
import type { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { Action, Seat, View } from "@/types";
import { refusalWords, t, tt, type Token } from "@/words";
import { wire } from "@/play/wire";

/** How far guns carry at most, from a height. */
const CARRY_MAX = 3;
const STEPS_BACK = 60;

type Side = "attackers" | "defenders";

export class DeclareDesk extends HexDesk {
    readonly kind = "aus.declare";
    readonly drafts: Signal<readonly Draft[]> = signal([]);
    readonly editing: Signal<number | null> = signal(null);
    /** What the server says of each combat, by its id. */
    readonly judged: Signal<ReadonlyMap<number, Judged>> = signal(new Map());
    /** Who must fight (6.2): each attacker's hex with those of its enemies. */
    readonly pairs: Signal<Readonly<Record<Hex, Hex[]>>> = signal({});
    /** Whom the edited combat's one attacker may attack, and where it may break the ice. */
    readonly targets: Signal<{ of: string; attack: Hex[]; ice: Hex[] }> = signal({ of: "", attack: [], ice: [] });
    readonly draft: DraftStore;
    /** Steps of the kept draft that are of another decision. */
    private readonly others: Signal<number> = signal(0);
    /** Combats of the kept draft that have lost somebody since. */
    private readonly short: Signal<number> = signal(0);
    private readonly history: Signal<readonly (readonly Draft[])[]> = signal([]);
    private serial = 0;
    /** The combat that was opened last. */
    private fresh = 0;
    private ends: (() => void)[] = [];
    private closed = false;

    constructor(match: MatchStore) {
        super(match);
        this.draft = draftOf(match, match.seat.peek() as Seat);
        void this.begin();
    }

    private async begin(): Promise<void> {
        await this.draft.load().catch(() => {});
        if (this.closed) return;
        let seen = this.draft.taken.peek();
        this.read();
        this.ends.push(
            effect(() => {
                const now = this.draft.taken.value;
                if (now === seen) return;
                seen = now;
                untracked(() => {
                    this.remember();
                    this.read();
                });
            }),
            // What a kept draft is worth is judged by the map as well, which may come after it.
            effect(() => {
                if (this.match.board.value !== null) untracked(() => this.show(this.drafts.peek()));
            }),
        );
    }

    close(): void {
        this.closed = true;
        for (const end of this.ends.splice(0)) end();
    }

    /** The draft as it is kept becomes what is shown. */
    private read(): void {
        const view = this.now();
        if (view === null) return;
        const { drafts, others, short } = draftsOf(view, this.draft.actions.peek());
        this.others.value = others;
        this.short.value = short;
        this.show(drafts.map((one) => ({ ...one, id: ++this.serial })));
    }

    foreign(): number {
        return this.others.value;
    }

    misfits(): number {
        const refused = this.drafts.value.filter((one) => this.judged.value.get(one.id)?.refusal !== undefined);
        return this.short.value + refused.length;
    }

    /** The kept draft is thrown away. */
    discard(): void {
        this.set([]);
    }

    steps(view: View, actions: readonly Action[]): string[] {
        const now = hexView(view);
        return draftsOf(now, actions).drafts.map((one, i) => t("aus.step_combat", { n: i + 1, place: this.title({ ...one, id: 0 }), units: one.attackers.length }));
    }

    override viewed(view: View): void {
        const now = hexView(view);
        void this.asks
            .judged<{ pairs: Record<Hex, Hex[]> }>({ ask: "obligations", side: now.turn.side })
            .then((asked) => {
                if ("answer" in asked) this.pairs.value = asked.answer.pairs;
            }, () => {});
        // What was drafted stays as far as its counters still stand there.
        const kept = this.drafts.peek().map((draft) => ({
            ...draft,
            attackers: draft.attackers.filter((hex) => isOwn(now, hex)),
            defenders: draft.defenders.filter((hex) => isEnemy(now, hex)),
        }));
        this.show(kept.filter((draft) => draft.attackers.length + draft.defenders.length > 0));
    }

    private remember(): void {
        this.history.value = [...this.history.peek().slice(1 - STEPS_BACK), this.drafts.peek()];
    }

    private set(drafts: readonly Draft[], step = true): void {
        if (step) this.remember();
        this.refused.value = null;
        this.others.value = 0;
        this.short.value = 0;
        this.show(drafts);
        const view = this.now();
        if (view !== null) this.draft.set(keptAs(view, drafts), view.seq);
    }

    private show(drafts: readonly Draft[]): void {
        this.drafts.value = drafts;
        if (!drafts.some((draft) => draft.id === this.editing.peek())) this.editing.value = drafts[drafts.length - 1]?.id ?? null;
        void this.judgeAll();
        void this.findTargets();
    }

    undo(): boolean {
        const before = this.history.peek();
        const last = before[before.length - 1];
        if (last === undefined) return false;
        this.history.value = before.slice(0, -1);
        this.set(last, false);
        return true;
    }

    get canUndo(): boolean {
        return this.history.value.length > 0;
    }

    begun(): boolean {
        return this.drafts.value.length > 0;
    }

    override escape(): void {
        this.editing.value = null;
    }

    private async judgeAll(): Promise<void> {
        const view = this.now();
        if (view === null) return;
        const drafts = this.drafts.peek();
        const board = this.match.board.peek() as unknown as HexBoardData | null;
        const found = await Promise.all(
            drafts.map(async (draft) => {
                if (!isWhole(draft)) return [draft.id, {}] as const;
                return [draft.id, await judge(this.asks, view, board, shapeOf(view, draft), view.turn.side)] as const;
            }),
        ).catch(() => null);
        if (found !== null && this.drafts.peek() === drafts) this.judged.value = new Map(found);
    }

    /** Whom the edited combat may still take in: each candidate is asked for as it would be declared. */
    private async findTargets(): Promise<void> {
        const view = this.now();
        const draft = this.edited();
        const of = JSON.stringify(draft ?? null);
        if (view === null || draft === undefined || draft.ice !== undefined || draft.attackers.length === 0) {
            this.targets.value = { of, attack: [], ice: [] };
            return;
        }
        const gun = draft.attackers.length === 1 && view.board.units[draft.attackers[0] ?? ""]?.type === "artillery" ? draft.attackers[0] : undefined;
        const near = (hex: Hex): boolean => draft.attackers.every((one) => distance(one, hex) === 1) || (gun !== undefined && distance(gun, hex) <= CARRY_MAX);
        const enemies = Object.keys(view.board.units).filter((hex) => isEnemy(view, hex) && near(hex) && !draft.defenders.includes(hex) && this.entryOf(hex) === undefined);
        const answers = await Promise.all(enemies.map((hex) => this.wouldDo(view, { ...draft, defenders: [...draft.defenders, hex] })));
        const attack = enemies.filter((_, i) => answers[i] === true);
        const ponds = gun === undefined || draft.defenders.length > 0 ? [] : this.ponds(view, gun);
        const ice = await Promise.all(ponds.map(async (hex) => ((await this.mayBreak(view, gun ?? "", hex)) ? hex : "")));
        if (this.closed || JSON.stringify(this.edited() ?? null) !== of) return;
        this.targets.value = { of, attack, ice: ice.filter(Boolean) };
        const lone = draft.id === this.fresh && draft.attackers.length === 1 && draft.defenders.length === 0;
        const refused = answers.find((answer) => answer instanceof Refusal);
        if (lone && attack.length + this.targets.value.ice.length === 0 && refused !== undefined && !answers.includes(null)) this.withdraw(draft, refused);
    }

    /** Whoever was taken up alone may attack nobody in reach: no combat is opened, and the rule that bars it is told. */
    private withdraw(draft: Draft, why: Refusal): void {
        this.history.value = this.history.peek().slice(0, -1);
        this.set(this.drafts.peek().filter((one) => one.id !== draft.id), false);
        this.refuse("press", why);
    }

    private ponds(view: HexView, gun: Hex): Hex[] {
        const board = this.match.board.peek() as unknown as HexBoardData | null;
        const pond = new Set(board?.hexes.filter((hex) => hex.terrain === "pond" && hex.causeway !== true).map((hex) => hex.id));
        return within(gun, CARRY_MAX).filter((hex) => pond.has(hex) && !view.board.broken_ice.includes(hex) && !isOwn(view, hex));
    }

    /** true: it could be declared; why not; null: the answer was lost on the way. */
    private async wouldDo(view: HexView, draft: Draft): Promise<true | Refusal | null> {
        const asked = await this.asks.judged<unknown>({ ask: "odds", ...wireEntry(view, shapeOf(view, draft)) } as never).catch(() => null);
        if (asked === null) return null;
        return "answer" in asked ? true : asked.refusal;
    }

    private async mayBreak(view: HexView, gun: Hex, hex: Hex): Promise<boolean> {
        const asked = await this.asks.judged<{ legal: boolean }>({ ask: "ice_shot", unit: wireName(view, gun) as never, hex }).catch(() => null);
        return asked !== null && "answer" in asked && asked.answer.legal;
    }

    edited(): Draft | undefined {
        const id = this.editing.value;
        return this.drafts.value.find((draft) => draft.id === id);
    }

    /** The combat that a counter takes part in. */
    entryOf(hex: Hex): Draft | undefined {
        return this.drafts.value.find((draft) => draft.attackers.includes(hex) || draft.defenders.includes(hex) || draft.ice === hex);
    }

    edit(id: number | null): void {
        this.editing.value = id;
        void this.findTargets();
    }

    remove(id: number): void {
        this.set(this.drafts.value.filter((draft) => draft.id !== id));
    }

    private change(draft: Draft): void {
        const empty = draft.attackers.length + draft.defenders.length === 0;
        this.set(empty ? this.drafts.value.filter((one) => one.id !== draft.id) : this.drafts.value.map((one) => (one.id === draft.id ? draft : one)));
    }

    private open(part: Pick<Draft, "attackers" | "defenders">): void {
        const draft: Draft = { id: ++this.serial, ...part };
        this.fresh = draft.id;
        this.editing.value = draft.id;
        this.set([...this.drafts.value, draft]);
    }

    /** A counter is pressed: into or out of the combat that is being made, or to the one that it is in. */
    press(hex: Hex): void {
        const view = this.now();
        if (view === null) return;
        const side = isOwn(view, hex) ? "attackers" : isEnemy(view, hex) ? "defenders" : null;
        if (side === null) return;
        this.refused.value = null;
        const entry = this.entryOf(hex);
        const draft = this.edited() ?? (entry === undefined ? this.taker(view, hex, side) : undefined);
        if (entry !== undefined && entry.id !== draft?.id) {
            this.edit(entry.id);
            return;
        }
        if (entry !== undefined && draft !== undefined) {
            const { ice: _, ...rest } = draft;
            this.change({ ...rest, [side]: draft[side].filter((one) => one !== hex) });
            announce(t("aus.out_of", { unit: unitName(view, hex) }));
            return;
        }
        if (draft !== undefined && this.joins(view, draft, hex, side)) this.join(draft, hex, side);
        else if (this.opposite(view, [hex], side)) this.open({ attackers: [], defenders: [], [side]: [hex] });
        else if (!this.elsewhere(view, hex, side)) return;
        announce(t("aus.into", { unit: unitName(view, hex), n: this.drafts.value.findIndex((one) => one.id === this.editing.value) + 1 }));
    }

    /** Where no combat is being made, one that still lacks its other side takes the counter in. */
    private taker(view: HexView, hex: Hex, side: Side): Draft | undefined {
        return this.drafts.value.find((one) => one[side].length === 0 && one.ice === undefined && this.joins(view, one, hex, side));
    }

    private join(draft: Draft, hex: Hex, side: Side): void {
        this.editing.value = draft.id;
        this.change({ ...draft, [side]: [...draft[side], hex].sort() });
    }

    /** Nobody is left whom it could meet: it joins a combat already made, or why it cannot fight is told. */
    private elsewhere(view: HexView, hex: Hex, side: Side): boolean {
        const made = this.drafts.value.find((one) => this.joins(view, one, hex, side));
        if (made !== undefined) {
            this.join(made, hex, side);
            return true;
        }
        const unit = unitName(view, hex);
        const gun = side === "attackers" && view.board.units[hex]?.type === "artillery";
        const how = side === "defenders" ? "enemy" : gun ? "gun" : "own";
        this.refuse("press", told(t("aus.no_enemy", { unit, how }), gun ? "8.3" : "6.3"));
        return false;
    }

    /** Can it be one combat? Contact attackers stand beside every defender; guns reach one. */
    private joins(view: HexView, draft: Draft, hex: Hex, side: Side): boolean {
        if (draft.ice !== undefined) return false;
        const others = draft[side === "attackers" ? "defenders" : "attackers"];
        if (others.length > 0) return others.every((other) => this.meets(view, hex, other, side));
        // Nobody is opposite yet: there must be somebody who can be, of them all.
        return this.opposite(view, [...draft[side], hex], side);
    }

    private meets(view: HexView, one: Hex, other: Hex, side: Side): boolean {
        const steps = distance(one, other);
        return steps === 1 || (steps <= CARRY_MAX && view.board.units[side === "attackers" ? one : other]?.type === "artillery");
    }

    /** Is there somebody free whom all of these could meet, or ice that their one gun might break? */
    private opposite(view: HexView, hexes: readonly Hex[], side: Side): boolean {
        const facing = Object.keys(view.board.units).filter((one) => (side === "attackers" ? isEnemy(view, one) : isOwn(view, one)) && this.entryOf(one) === undefined);
        if (facing.some((other) => hexes.every((one) => this.meets(view, one, other, side)))) return true;
        const [gun] = hexes;
        return hexes.length === 1 && gun !== undefined && side === "attackers" && view.board.units[gun]?.type === "artillery" && this.ponds(view, gun).length > 0;
    }

    /** A hex without a counter: the ice there is shot at, where the one gun in the edited combat may. */
    pressHex(hex: Hex): void {
        const draft = this.edited();
        if (draft === undefined) return;
        if (draft.ice === hex) {
            const { ice: _, ...rest } = draft;
            this.change(rest);
        } else if (this.targets.value.ice.includes(hex)) {
            this.change({ ...draft, defenders: [], ice: hex });
        } else if (draft.attackers.length > 0) {
            this.refuse(String(draft.id), ruled("10.2"));
        }
    }

    /** Who must fight and is in no combat yet, both sides, with one of their enemies. */
    owing(): { hex: Hex; enemy: Hex }[] {
        const found = new Map<Hex, Hex>();
        for (const [hex, enemies] of Object.entries(this.pairs.value)) {
            for (const enemy of enemies) {
                if (!found.has(hex)) found.set(hex, enemy);
                if (!found.has(enemy)) found.set(enemy, hex);
            }
        }
        return [...found]
            .filter(([hex]) => this.entryOf(hex) === undefined)
            .map(([hex, enemy]) => ({ hex, enemy }))
            .sort((a, b) => (a.hex < b.hex ? -1 : 1));
    }

    /** A plan that is legal as it stands, from the forms; what was drafted gives way to it. */
    propose(): void {
        const view = this.now();
        if (view === null) return;
        const plan = formsFor(view, "declare")[0]?.plan as { list?: FormEntry[] } | undefined;
        const hexes = (part: { list?: string[] } | undefined): Hex[] => (part?.list ?? []).map((name) => hexOfName(view, name) ?? "").filter(Boolean);
        const drafts = (plan?.list ?? []).map((entry): Draft => {
            const gun = entry.artillery === undefined ? [] : [hexOfName(view, entry.artillery) ?? ""];
            return {
                id: ++this.serial,
                attackers: [...hexes(entry.contact), ...hexes(entry.bombard), ...gun],
                defenders: hexes(entry.defenders),
                ...(entry.hex === undefined ? {} : { ice: entry.hex }),
            };
        });
        this.editing.value = drafts[0]?.id ?? null;
        this.set(drafts);
        announce(t("aus.proposed", { n: drafts.length }));
    }

    commit(view: View): Commit {
        const now = hexView(view);
        const drafts = this.drafts.value;
        const n = drafts.length;
        const why = this.why(now);
        return {
            label: t("aus.declare", { n }),
            run: () => this.give(now),
            ...(why === undefined ? { note: t("aus.declare_note") } : { why }),
        };
    }

    private async give(view: HexView): Promise<void> {
        this.refused.value = null;
        try {
            await this.draft.send(keptAs(view, this.drafts.value, true));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refuse("end", error);
        }
    }

    private why(view: HexView): readonly Token[] | undefined {
        const part = this.drafts.value.findIndex((draft) => !isWhole(draft));
        if (part >= 0) return [{ text: t("aus.half", { n: part + 1 }) }];
        const bad = this.drafts.value.find((draft) => this.judged.value.get(draft.id)?.refusal !== undefined);
        const refusal = bad === undefined ? undefined : this.judged.value.get(bad.id)?.refusal;
        if (refusal !== undefined) return refusalWords(wire(refusal), view.game);
        const owing = this.owing().length;
        return owing === 0 ? undefined : [...tt("aus.must_fight", { n: owing }), { text: " " }, { text: "6.2", rule: "6.2" }];
    }

    override keys(): Key[] {
        return [
            { key: "g", label: t("aus.key_owing"), run: () => this.nextOwing() },
            { key: "c", label: t("aus.key_combat"), run: () => this.nextEntry() },
            { key: "p", label: t("aus.key_propose"), run: () => this.propose() },
            ...(this.editing.value === null ? [] : [{ key: "Backspace", label: t("aus.key_remove"), run: () => this.remove(this.editing.value ?? 0) }]),
        ];
    }

    private nextOwing(): void {
        const view = this.now();
        const next = view === null ? undefined : this.owing().find((one) => isOwn(view, one.hex));
        if (next === undefined) return;
        this.editing.value = null;
        this.press(next.hex);
    }

    private nextEntry(): void {
        const ids = this.drafts.value.map((draft) => draft.id);
        const at = ids.indexOf(this.editing.value ?? -1);
        this.edit(ids[(at + 1) % ids.length] ?? null);
    }

    about(): Hex[] {
        return this.owing().map((one) => one.hex).slice(0, 1);
    }

    marks(view: HexView): HexMarks {
        const draft = this.edited();
        const targets = this.targets.value;
        const urgent = Object.fromEntries(this.owing().map(({ hex }) => [hex, t("aus.must_fight", { n: 1 })]));
        return {
            choosable: new Set(ownHexes(view).filter((hex) => this.entryOf(hex) !== undefined || this.opposite(view, [hex], "attackers"))),
            ...(draft === undefined ? {} : { selected: draft.attackers, attacked: draft.defenders }),
            legal: [
                ...targets.attack.map((hex) => ({ hex, kind: "attack" as const })),
                ...targets.ice.map((hex) => ({ hex, kind: "ice" as const })),
            ],
            combats: this.drafts.value.map((one, i) => {
                const shape = shapeOf(view, one);
                const head = this.oddsHead(one);
                return {
                    n: i + 1,
                    contact: shape.contact,
                    bombard: shape.bombard,
                    defenders: shape.defenders,
                    ...(shape.ice === undefined ? {} : { ice: shape.ice }),
                    side: view.turn.side,
                    kind: one.id === draft?.id ? ("edited" as const) : ("draft" as const),
                    ...(head === undefined ? {} : { odds: head }),
                };
            }),
            urgent,
        };
    }

    /** What stands at the defenders: "23 against ?", "11 against 4: 2:1". */
    private oddsHead(draft: Draft): { head: string; note?: string } | undefined {
        const judged = this.judged.value.get(draft.id);
        if (judged?.odds?.ice_shot === true) return { head: t("aus.ice_breaks") };
        if (judged?.odds?.row !== undefined) return { head: t("aus.against", { a: judged.odds.attack ?? 0, d: judged.odds.defence ?? 0 }), note: judged.odds.row };
        if (judged?.own === undefined) return undefined;
        return { head: t("aus.against_short", { a: judged.own }), note: t("aus.shown_when_rolled") };
    }

    handlers(view: HexView): HexHandlers {
        return {
            onUnit: (hex) => this.press(hex),
            onHex: (hex) => this.pressHex(hex),
            onCombat: (n) => this.edit(this.drafts.value[n - 1]?.id ?? null),
            onDragUnit: (from, to) => {
                if (this.entryOf(from) === undefined) this.press(from);
                if (isEnemy(view, to) && this.entryOf(to) === undefined) this.press(to);
                else if (!isEnemy(view, to)) this.pressHex(to);
            },
            dropReason: (_from, to) => (isEnemy(view, to) || this.targets.value.ice.includes(to) ? undefined : t("aus.no_target")),
            hexNote: (hex) => {
                if (this.targets.value.attack.includes(hex)) return t("aus.may_attack");
                return this.targets.value.ice.includes(hex) ? t("aus.may_break") : undefined;
            },
        };
    }

    hexActs(view: HexView, hex: Hex): RowAct[] {
        const acts: RowAct[] = [];
        const entry = this.entryOf(hex);
        const n = entry === undefined ? 0 : this.drafts.value.indexOf(entry) + 1;
        if (isOwn(view, hex)) acts.push({ label: entry === undefined ? t("aus.act_attack") : t("aus.act_in", { n }), pressed: entry !== undefined, run: () => this.press(hex) });
        else if (isEnemy(view, hex) && (entry !== undefined || this.targets.value.attack.includes(hex))) {
            acts.push({ label: entry === undefined ? t("aus.act_defend") : t("aus.act_in", { n }), pressed: entry !== undefined, run: () => this.press(hex) });
        }
        if (this.targets.value.ice.includes(hex)) acts.push({ label: t("aus.act_ice"), run: () => this.pressHex(hex) });
        return acts;
    }

    /** The enemies of the attacker who has to be met, as a title names them. */
    title(draft: Draft): string {
        return combatTitle(draft.ice !== undefined ? [draft.ice] : [...draft.defenders, ...draft.attackers]);
    }
}

interface FormEntry {
    contact?: { list?: string[] };
    bombard?: { list?: string[] };
    defenders?: { list?: string[] };
    artillery?: string;
    hex?: Hex;
}

/** Has it an attacker, and somebody or some ice to attack? */
export function isWhole(draft: Draft): boolean {
    return draft.attackers.length > 0 && (draft.defenders.length > 0 || draft.ice !== undefined);
}
