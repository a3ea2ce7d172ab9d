/** Declaring the combats of a phase: built by pressing attackers and defenders, judged one by one, sent all at once. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, ruled, type HexHandlers } from "@/austerlitz/desk";
import { distance, within } from "@/austerlitz/grid";
import { judge, shapeOf, wireEntry, type Judged } from "@/austerlitz/odds";
import { formsFor, hexView, type Draft, type Hex, type HexBoardData, type HexMarks, type HexView } from "@/austerlitz/types";
import { combatTitle, hexOfName, isEnemy, isOwn, ownHexes, unitName, wireName } from "@/austerlitz/units";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { refusalWords, t, tt, type Token } from "@/words";
import { wire } from "@/play/wire";

/** How far guns carry at most, from a height. */
const CARRY_MAX = 3;

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
    private serial = 0;
    private history: (readonly Draft[])[] = [];

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
        this.set(kept.filter((draft) => draft.attackers.length + draft.defenders.length > 0), false);
    }

    private set(drafts: readonly Draft[], step = true): void {
        if (step) this.history.push(this.drafts.peek());
        this.refused.value = null;
        this.drafts.value = drafts;
        if (!drafts.some((draft) => draft.id === this.editing.peek())) this.editing.value = drafts[drafts.length - 1]?.id ?? null;
        void this.judgeAll();
        void this.findTargets();
    }

    undo(): boolean {
        const before = this.history.pop();
        if (before === undefined) return false;
        this.set(before, false);
        return true;
    }

    get canUndo(): boolean {
        return this.drafts.value.length > 0 && this.history.length > 0;
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
        const attack = await Promise.all(enemies.map(async (hex) => ((await this.wouldDo(view, { ...draft, defenders: [...draft.defenders, hex] })) ? hex : "")));
        const ponds = gun === undefined || draft.defenders.length > 0 ? [] : this.ponds(view, gun);
        const ice = await Promise.all(ponds.map(async (hex) => ((await this.mayBreak(view, gun ?? "", hex)) ? hex : "")));
        if (JSON.stringify(this.edited() ?? null) !== of) return;
        this.targets.value = { of, attack: attack.filter(Boolean), ice: ice.filter(Boolean) };
    }

    private ponds(view: HexView, gun: Hex): Hex[] {
        const board = this.match.board.peek() as unknown as HexBoardData | null;
        const pond = new Set(board?.hexes.filter((hex) => hex.terrain === "pond" && hex.causeway !== true).map((hex) => hex.id));
        return within(gun, CARRY_MAX).filter((hex) => pond.has(hex) && !view.board.broken_ice.includes(hex) && !isOwn(view, hex));
    }

    private async wouldDo(view: HexView, draft: Draft): Promise<boolean> {
        const asked = await this.asks.judged<unknown>({ ask: "odds", ...wireEntry(view, shapeOf(view, draft)) } as never).catch(() => null);
        return asked !== null && "answer" in asked;
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

    private begin(part: Pick<Draft, "attackers" | "defenders">): void {
        const draft: Draft = { id: ++this.serial, ...part };
        this.editing.value = draft.id;
        this.set([...this.drafts.value, draft]);
    }

    /** A counter is pressed: into or out of the combat that is being made, or to the one that it is in. */
    press(hex: Hex): void {
        const view = this.now();
        if (view === null) return;
        const side = isOwn(view, hex) ? "attackers" : isEnemy(view, hex) ? "defenders" : null;
        if (side === null) return;
        const entry = this.entryOf(hex);
        // Where none is being made, one that still lacks its other side takes the counter in.
        const lacking = (one: Draft): boolean => one[side].length === 0 && one.ice === undefined;
        const draft = this.edited() ?? (entry === undefined ? this.drafts.value.find((one) => lacking(one) && this.joins(view, one, hex, side)) : undefined);
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
        if (draft === undefined || !this.joins(view, draft, hex, side)) this.begin({ attackers: [], defenders: [], [side]: [hex] });
        else {
            this.editing.value = draft.id;
            this.change({ ...draft, [side]: [...draft[side], hex].sort() });
        }
        announce(t("aus.into", { unit: unitName(view, hex), n: this.drafts.value.findIndex((one) => one.id === this.editing.value) + 1 }));
    }

    /** Can it be one combat? Contact attackers stand beside every defender; guns reach one. */
    private joins(view: HexView, draft: Draft, hex: Hex, side: "attackers" | "defenders"): boolean {
        if (draft.ice !== undefined) return false;
        const others = side === "attackers" ? draft.defenders : draft.attackers;
        const gun = (one: Hex): boolean => view.board.units[one]?.type === "artillery";
        const meets = (one: Hex, other: Hex): boolean => {
            const steps = distance(one, other);
            return steps === 1 || (steps <= CARRY_MAX && gun(side === "attackers" ? one : other));
        };
        if (others.length > 0) return others.every((other) => meets(hex, other));
        // Nobody is opposite yet: there must be somebody who can be, of them all.
        const opposite = Object.keys(view.board.units).filter((one) => (side === "attackers" ? isEnemy(view, one) : isOwn(view, one)) && this.entryOf(one) === undefined);
        return opposite.some((other) => [...draft[side], hex].every((one) => meets(one, other)));
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
            run: async () => {
                await this.send({ do: "declare", plan: drafts.map((draft) => wireEntry(now, shapeOf(now, draft))) });
            },
            ...(why === undefined ? { note: t("aus.declare_note") } : { why }),
        };
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
            choosable: new Set(ownHexes(view)),
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
