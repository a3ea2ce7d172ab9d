/** The advance: who of the victor's units enters the hexes that the loser left. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type Hex, type HexMarks, type HexView } from "@/austerlitz/types";
import { hexName, hexOfName, unitName, wireName } from "@/austerlitz/units";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { t } from "@/words";

export class AdvanceDesk extends HexDesk {
    readonly kind = "aus.advance";
    /** Who may go where, both by hex. */
    readonly may: Signal<ReadonlyMap<Hex, readonly Hex[]>> = signal(new Map());
    readonly selected: Signal<Hex | null> = signal(null);
    readonly moves: Signal<ReadonlyMap<Hex, Hex>> = signal(new Map());

    override viewed(view: View): void {
        const now = hexView(view);
        this.moves.value = new Map();
        this.selected.value = null;
        void this.asks.judged<{ moves: Record<string, Hex[]> }>({ ask: "advances" }).then((asked) => {
            if ("refusal" in asked) return this.refuse("end", asked.refusal);
            const may = new Map<Hex, readonly Hex[]>();
            for (const [name, hexes] of Object.entries(asked.answer.moves)) {
                const at = hexOfName(now, name);
                if (at !== undefined && hexes.length > 0) may.set(at, hexes);
            }
            this.may.value = may;
            if (may.size === 1) this.selected.value = [...may.keys()][0] ?? null;
        }, () => {});
    }

    override escape(): void {
        this.selected.value = null;
    }

    undo(): boolean {
        if (this.moves.value.size === 0) return false;
        this.moves.value = new Map();
        return true;
    }

    get canUndo(): boolean {
        return this.moves.value.size > 0;
    }

    select(hex: Hex): void {
        const view = this.now();
        if (view === null || !this.may.value.has(hex)) return;
        if (this.selected.value === hex) {
            const moves = new Map(this.moves.value);
            moves.delete(hex);
            this.moves.value = moves;
            this.selected.value = null;
            return;
        }
        this.selected.value = hex;
        announce(unitName(view, hex));
    }

    /** The selected unit enters the hex; without one, the only unit that could. */
    to(hex: Hex): void {
        const view = this.now();
        const able = [...this.may.value].filter(([, hexes]) => hexes.includes(hex)).map(([unit]) => unit);
        const unit = this.selected.value ?? (able.length === 1 ? able[0] : undefined);
        if (view === null || unit === undefined || !able.includes(unit)) return;
        const moves = new Map([...this.moves.value].filter(([other, to]) => other !== unit && to !== hex));
        if (this.moves.value.get(unit) !== hex) moves.set(unit, hex);
        this.moves.value = moves;
        this.selected.value = null;
        announce(t("aus.advances", { unit: unitName(view, unit), place: hexName(hex) }));
    }

    /** Hexes that may be entered, by the selected unit or by anybody. */
    open(): Hex[] {
        const at = this.selected.value;
        const of = at === null ? [...this.may.value.values()].flat() : (this.may.value.get(at) ?? []);
        return [...new Set(of)].sort();
    }

    commit(view: View): Commit {
        const now = hexView(view);
        const moves = Object.fromEntries([...this.moves.value].map(([from, to]) => [wireName(now, from), to]));
        return {
            label: t("aus.advance", { n: this.moves.value.size }),
            run: async () => {
                await this.send({ do: "advance", moves });
            },
            note: t(this.moves.value.size === 0 ? "aus.advance_none" : "aus.advance_note"),
        };
    }

    override keys(): Key[] {
        const units = [...this.may.value.keys()];
        const step = (): void => {
            const at = units.indexOf(this.selected.value ?? "");
            const next = units[(at + 1) % units.length];
            if (next !== undefined && next !== this.selected.value) this.select(next);
        };
        return [
            ...(units.length > 0 ? [{ key: "g", label: t("aus.key_next"), run: step }] : []),
            ...this.open().slice(0, 9).map((hex, i) => ({ key: String(i + 1), label: t("aus.goes_to", { place: hexName(hex) }), run: () => this.to(hex) })),
        ];
    }

    about(view: View): Hex[] {
        const prompt = hexView(view).prompt;
        return prompt !== undefined && "hexes" in prompt ? prompt.hexes : [];
    }

    marks(view: HexView): HexMarks {
        const at = this.selected.value;
        const moves = [...this.moves.value];
        return {
            ...planMarks(view, this.match.steps.value, undefined, true),
            choosable: new Set(this.may.value.keys()),
            ...(at === null ? {} : { selected: [at] }),
            legal: this.open().map((hex, i) => ({ hex, kind: "displace" as const, note: String(i + 1) })),
            paths: moves.map(([from, to]) => ({ hexes: [from, to], side: view.board.units[from]?.side ?? view.turn.side, kind: "advance" as const })),
            ghosts: moves.flatMap(([from, hex]) => {
                const unit = view.board.units[from];
                return unit === undefined ? [] : [{ hex, unit }];
            }),
        };
    }

    handlers(): HexHandlers {
        const press = (hex: Hex): void => (this.may.value.has(hex) ? this.select(hex) : this.to(hex));
        return {
            onUnit: press,
            onHex: press,
            onDragStart: (hex) => {
                if (this.selected.value !== hex) this.select(hex);
            },
            onDragUnit: (from, to) => {
                this.selected.value = from;
                this.to(to);
            },
            dropReason: (from, to) => (this.may.value.get(from)?.includes(to) ? undefined : t("aus.not_there")),
            hexNote: (hex) => (this.open().includes(hex) ? t("aus.left_empty") : undefined),
        };
    }

    hexActs(_view: HexView, hex: Hex): RowAct[] {
        const acts: RowAct[] = [];
        if (this.may.value.has(hex)) acts.push({ label: t("aus.act_choose"), pressed: this.selected.value === hex || this.moves.value.has(hex), run: () => this.select(hex) });
        if (this.open().includes(hex)) acts.push({ label: t("aus.act_enter"), pressed: [...this.moves.value.values()].includes(hex), run: () => this.to(hex) });
        return acts;
    }
}
