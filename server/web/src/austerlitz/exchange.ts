/** An exchange: whom the attacker loses against the defenders who fall. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type Hex, type HexMarks, type HexView } from "@/austerlitz/types";
import { hexOfName, unitName, wireName } from "@/austerlitz/units";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { t } from "@/words";

export class ExchangeDesk extends HexDesk {
    readonly kind = "aus.exchange";
    /** The losses to choose among, as hexes. */
    readonly sets: Signal<readonly (readonly Hex[])[]> = signal([]);
    readonly chosen: Signal<number> = signal(0);

    override viewed(view: View): void {
        const now = hexView(view);
        void this.asks.judged<{ sets: string[][] }>({ ask: "exchange" }).then((asked) => {
            if ("refusal" in asked) this.refuse("end", asked.refusal);
            else this.sets.value = asked.answer.sets.map((set) => set.map((name) => hexOfName(now, name) ?? name));
        }, () => {});
    }

    private lost(): readonly Hex[] {
        return this.sets.value[this.chosen.value] ?? [];
    }

    choose(at: number): void {
        const view = this.now();
        this.chosen.value = at;
        if (view !== null) announce(this.lost().map((hex) => unitName(view, hex)).join(", "));
    }

    /** A counter is pressed: the next set in which it is, or is not, lost. */
    press(hex: Hex): void {
        const wanted = !this.lost().includes(hex);
        const n = this.sets.value.length;
        for (let step = 1; step <= n; step++) {
            const at = (this.chosen.value + step) % n;
            if ((this.sets.value[at] ?? []).includes(hex) === wanted) return this.choose(at);
        }
    }

    marks(view: HexView): HexMarks {
        const may = new Set(this.sets.value.flat());
        return { ...planMarks(view, this.match.steps.value, undefined, false, this.rolling()), lost: this.lost(), choosable: may, legal: [...may].map((hex) => ({ hex, kind: "displace" as const })) };
    }

    handlers(): HexHandlers {
        return { onUnit: (hex) => this.press(hex) };
    }

    commit(view: View): Commit {
        const now = hexView(view);
        const lost = this.lost();
        return {
            label: t("aus.lose", { n: lost.length }),
            run: async () => {
                await this.send({ do: "exchange", losses: lost.map((hex) => wireName(now, hex)) });
            },
            ...(lost.length === 0 ? { why: [{ text: t("aus.asking") }] } : { note: t("aus.lose_note") }),
        };
    }

    override keys(): Key[] {
        return this.sets.value.slice(0, 9).map((_, i) => ({ key: String(i + 1), label: t("aus.set_n", { n: i + 1 }), run: () => this.choose(i) }));
    }

    hexActs(_view: HexView, hex: Hex): RowAct[] {
        if (!this.sets.value.some((set) => set.includes(hex))) return [];
        return [{ label: t("aus.act_lose"), pressed: this.lost().includes(hex), run: () => this.press(hex) }];
    }
}
