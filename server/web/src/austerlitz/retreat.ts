/**
 * Pushing back: the victor sends the loser's units one by one, where no hex is free over friends who make
 * room first; and the own battery that may fall back or stay.
 */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type Hex, type HexMarks, type HexView, type Tree } from "@/austerlitz/types";
import { hexName, unitName, wireName } from "@/austerlitz/units";
import type { MatchStore } from "@/net/match";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { t } from "@/words";

export class RetreatDesk extends HexDesk {
    /** The unit whose way is chosen. */
    readonly selected: Signal<Hex | null> = signal(null);
    /** Where each unit that has to go may be put, by its hex. */
    readonly trees: Signal<ReadonlyMap<Hex, Tree>> = signal(new Map());
    /** The hex it goes to, then those of the friends who make room. */
    readonly way: Signal<readonly Hex[]> = signal([]);

    constructor(
        match: MatchStore,
        readonly kind: "aus.retreat" | "aus.battery",
    ) {
        super(match);
    }

    /** Who has still to go or to choose. */
    units(view: HexView): Hex[] {
        const prompt = view.prompt;
        return prompt !== undefined && "units" in prompt ? prompt.units : [];
    }

    override viewed(view: View): void {
        const now = hexView(view);
        const units = this.units(now);
        this.way.value = [];
        this.trees.value = new Map();
        const kept = this.selected.peek();
        this.selected.value = kept !== null && units.includes(kept) ? kept : (units[0] ?? null);
        for (const hex of units) {
            void this.asks.judged<{ hexes: Tree }>({ ask: "retreats", unit: wireName(now, hex) as never }).then((asked) => {
                if ("refusal" in asked) this.refuse("end", asked.refusal);
                else if (this.match.view.peek() === view) this.trees.value = new Map(this.trees.peek()).set(hex, asked.answer.hexes);
            }, () => {});
        }
    }

    override escape(): void {
        this.way.value = [];
    }

    undo(): boolean {
        if (this.way.value.length === 0) return false;
        this.way.value = this.way.value.slice(0, -1);
        return true;
    }

    get canUndo(): boolean {
        return this.way.value.length > 0;
    }

    select(hex: Hex): void {
        const view = this.now();
        if (view === null || !this.units(view).includes(hex)) return;
        this.selected.value = hex;
        this.way.value = [];
        announce(unitName(view, hex));
    }

    private tree(): Tree | undefined {
        return this.selected.value === null ? undefined : this.trees.value.get(this.selected.value);
    }

    /** The hexes to choose among now: for the unit itself, then for the friend who stands where it goes. */
    options(): Hex[] {
        let at: Tree | undefined = this.tree();
        for (const hex of this.way.value) at = at?.[hex];
        return Object.keys(at ?? {}).sort();
    }

    /** Is the way whole: does its last hex stand free? */
    whole(): boolean {
        return this.way.value.length > 0 && this.options().length === 0;
    }

    /** It has no way: pushed, it is eliminated. */
    hopeless(): boolean {
        const tree = this.tree();
        return tree !== undefined && Object.keys(tree).length === 0;
    }

    to(hex: Hex): void {
        const view = this.now();
        if (view === null) return;
        if (this.way.value[this.way.value.length - 1] === hex && this.whole()) return void this.go();
        const from = this.options().includes(hex) ? this.way.value : [];
        if (from.length === 0 && !(hex in (this.tree() ?? {}))) return;
        this.way.value = [...from, hex];
        const friend = this.options().length > 0;
        announce(friend ? t("aus.chain_next", { unit: unitName(view, hex) }) : t("aus.goes_to", { place: hexName(hex) }));
    }

    private async go(stay = false): Promise<void> {
        const view = this.now();
        const at = this.selected.value;
        if (view === null || at === null) return;
        const [to, ...chain] = this.way.value;
        const unit = wireName(view, at);
        const way = { ...(to === undefined ? {} : { to }), ...(chain.length > 0 ? { chain } : {}) };
        await this.send(this.kind === "aus.battery" ? { do: "battery", unit, ...(stay ? { stay: true } : way) } : { do: "retreat", unit, ...way });
    }

    async stay(): Promise<void> {
        await this.go(true);
    }

    commit(view: View): Commit | null {
        const now = hexView(view);
        const at = this.selected.value;
        if (at === null) return null;
        const battery = this.kind === "aus.battery";
        const unit = unitName(now, at);
        if (this.whole()) {
            const place = hexName(this.way.value[0] ?? "");
            return { label: t(battery ? "aus.fall_back" : "aus.push", { place, unit }), run: () => this.go() };
        }
        if (battery && this.way.value.length === 0) return { label: t("aus.stay", { unit }), run: () => this.stay(), note: t("aus.or_fall_back") };
        if (this.hopeless()) return { label: t("aus.no_retreat", { unit }), run: () => this.go(), note: t("aus.no_retreat_note") };
        return { label: t("aus.push_where", { unit }), run: () => {}, why: [{ text: t(this.way.value.length > 0 ? "aus.choose_room" : "aus.choose_hex") }] };
    }

    override keys(view: View): Key[] {
        const units = this.units(hexView(view));
        const options = this.options();
        const step = (): void => {
            const at = units.indexOf(this.selected.value ?? "");
            const next = units[(at + 1) % units.length];
            if (next !== undefined) this.select(next);
        };
        return [
            ...(units.length > 1 ? [{ key: "g", label: t("aus.key_next"), run: step }] : []),
            ...options.slice(0, 9).map((hex, i) => ({ key: String(i + 1), label: t("aus.goes_to", { place: hexName(hex) }), run: () => this.to(hex) })),
            ...(this.way.value.length > 0 ? [{ key: "Backspace", label: t("aus.key_clear"), run: () => this.escape() }] : []),
        ];
    }

    about(view: View): Hex[] {
        return this.units(hexView(view)).slice(0, 1);
    }

    marks(view: HexView): HexMarks {
        const at = this.selected.value;
        const way = this.way.value;
        const moved = at === null ? undefined : view.board.units[at];
        const side = moved?.side ?? view.turn.side;
        const last = way[way.length - 1];
        return {
            ...planMarks(view, this.match.steps.value, undefined, true),
            choosable: new Set(this.units(view)),
            ...(at === null ? {} : { selected: [at] }),
            legal: this.options().map((hex, i) => ({ hex, kind: "displace" as const, note: String(i + 1) })),
            ...(at !== null && way.length > 0 ? { paths: [at, ...way].slice(0, -1).map((from, i) => ({ hexes: [from, way[i] ?? from], side, kind: "retreat" as const })) } : {}),
            ...(last !== undefined && moved !== undefined && this.whole() ? { told: [last] } : {}),
        };
    }

    handlers(view: HexView): HexHandlers {
        const press = (hex: Hex): void => {
            if (this.options().includes(hex) || this.way.value.includes(hex)) this.to(hex);
            else this.select(hex);
        };
        return {
            onUnit: press,
            onHex: press,
            onDragStart: (hex) => this.select(hex),
            onDragUnit: (_from, to) => this.to(to),
            dropReason: (_from, to) => (this.options().includes(to) ? undefined : t("aus.not_there")),
            hexNote: (hex) => (this.options().includes(hex) ? t(view.board.units[hex] === undefined ? "aus.free_hex" : "aus.chain_hex") : undefined),
        };
    }

    hexActs(view: HexView, hex: Hex): RowAct[] {
        const acts: RowAct[] = [];
        if (this.units(view).includes(hex)) acts.push({ label: t("aus.act_choose"), pressed: this.selected.value === hex, run: () => this.select(hex) });
        if (this.options().includes(hex)) acts.push({ label: t(view.board.units[hex] === undefined ? "aus.act_here" : "aus.act_chain"), run: () => this.to(hex) });
        return acts;
    }
}
