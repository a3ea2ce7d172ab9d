/** Resolving: which of the declared combats is rolled next. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planOf } from "@/austerlitz/outcomes";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type Entry, type Hex, type HexMarks, type HexView } from "@/austerlitz/types";
import { combatTitle } from "@/austerlitz/units";
import type { Commit, Key, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { t } from "@/words";

export class ResolveDesk extends HexDesk {
    readonly kind = "aus.resolve";
    readonly chosen: Signal<number | null> = signal(null);

    pending(view: HexView): [number, Entry][] {
        return planOf(view.board.plan).filter(([, entry]) => entry.status === "pending");
    }

    /** The chosen combat, else the first that is pending. */
    at(view: HexView): number | undefined {
        const pending = this.pending(view).map(([n]) => n);
        const chosen = this.chosen.value;
        return chosen !== null && pending.includes(chosen) ? chosen : pending[0];
    }

    choose(n: number): void {
        this.chosen.value = n;
        announce(t("aus.combat_n", { n }));
    }

    marks(view: HexView): HexMarks {
        return planMarks(view, this.match.steps.value, this.at(view), false, this.rolling());
    }

    private of(view: HexView, hex: Hex): number | undefined {
        return this.pending(view).find(([, entry]) => [...(entry.contact ?? []), ...(entry.bombard ?? []), ...(entry.defenders ?? []), entry.ice].includes(hex))?.[0];
    }

    private press(view: HexView, hex: Hex): void {
        const n = this.of(view, hex);
        if (n !== undefined) this.choose(n);
    }

    handlers(view: HexView): HexHandlers {
        return {
            onUnit: (hex) => this.press(view, hex),
            onHex: (hex) => this.press(view, hex),
            onCombat: (n) => this.choose(n),
        };
    }

    commit(view: View): Commit | null {
        const now = hexView(view);
        const n = this.at(now);
        const entry = now.board.plan?.[String(n)];
        if (n === undefined || entry === undefined) return null;
        const title = combatTitle(entry.ice !== undefined ? [entry.ice] : (entry.defenders ?? []));
        return {
            label: entry.ice === undefined ? t("aus.roll", { n, place: title }) : t("aus.fire_ice", { n, place: title }),
            run: async () => {
                await this.send({ do: "resolve", index: n });
            },
            note: entry.ice === undefined ? t("aus.roll_note") : t("aus.ice_note"),
        };
    }

    override keys(view: View): Key[] {
        const now = hexView(view);
        const pending = this.pending(now).map(([n]) => n);
        return pending.slice(0, 9).map((n) => ({ key: String(n), label: t("aus.combat_n", { n }), run: () => this.choose(n) }));
    }

    hexActs(view: HexView, hex: Hex): RowAct[] {
        const n = this.of(view, hex);
        return n === undefined ? [] : [{ label: t("aus.combat_n", { n }), pressed: this.at(view) === n, run: () => this.choose(n) }];
    }
}
