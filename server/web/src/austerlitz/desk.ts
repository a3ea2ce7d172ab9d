/** A desk on the hex map: one decision, what it marks there, and what a press on a hex or counter means. */
import { signal, type Signal } from "@preact/signals";
import { Asks } from "@/austerlitz/asks";
import { rollsOf } from "@/austerlitz/rolls";
import { act, hexView, type Hex, type HexMapProps, type HexMarks, type HexView } from "@/austerlitz/types";
import { Refusal } from "@/net/rpc";
import type { MatchStore } from "@/net/match";
import type { Commit, Decision, Key, Refused, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { sideOfSeat } from "@/austerlitz/units";
import { promptWords, t, type Token } from "@/words";

export type HexHandlers = Pick<
    HexMapProps,
    "onHex" | "onUnit" | "onBridge" | "onExit" | "onCombat" | "onDragUnit" | "onDragStart" | "dropReason" | "dropNote" | "hexNote" | "onHoverHex"
>;

/** What all desks of this game have in common. */
export abstract class HexDesk implements Decision {
    abstract readonly kind: string;
    readonly refused: Signal<Refused | null> = signal(null);
    protected readonly asks: Asks;

    constructor(protected readonly match: MatchStore) {
        this.asks = new Asks(match);
    }

    headline(view: View): string {
        return promptWords(view).headline;
    }

    sentence(view: View): readonly Token[] {
        return promptWords(view).sentence;
    }

    overline(view: View): { text: string } | undefined {
        const seat = view.as;
        if (seat === "public" || seat === "all" || view.to_act.length === 0) return undefined;
        const mine = view.to_act.includes(seat);
        return { text: t("aus.your_turn", { mine, state: view.state, side: sideOfSeat(seat) ?? "" }) };
    }

    abstract marks(view: HexView): HexMarks;
    abstract handlers(view: HexView): HexHandlers;
    abstract commit(view: View): Commit | null;
    /** What may be done with a hex or its unit, for the list. */
    abstract hexActs(view: HexView, hex: Hex): RowAct[];

    keys(_view: View): Key[] {
        return [];
    }

    viewed(_view: View): void {}

    escape(): void {}

    /** The combat whose die tumbles now. */
    protected rolling(): number | null {
        return rollsOf(this.match).rolling.value;
    }

    /** The newest view, in which presses are meant. */
    protected now(): HexView | null {
        const view = this.match.view.value;
        return view === null ? null : hexView(view);
    }

    /** Sends an action; what is refused is told at a row. */
    protected async send(action: Record<string, unknown> & { do: string }, at = "end"): Promise<boolean> {
        // A press too many while one is on its way is none.
        if (this.match.busy.peek()) return false;
        this.refused.value = null;
        try {
            await this.match.act(act(action));
            return true;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            this.refused.value = { at, refusal: error };
            return false;
        }
    }

    protected refuse(at: string, refusal: Refusal | null): void {
        this.refused.value = refusal === null ? null : { at, refusal };
    }
}

/** A refusal for what the page itself sees, with the rule that says so. */
export function ruled(rule: string): Refusal {
    return new Refusal(6, rule, { kind: "illegal_action", rule });
}

/** Why a press does nothing, in the page's own words, with the rule that says so. */
export function told(words: string, rule: string): Refusal {
    return new Refusal(6, words, { kind: "drop", reason: words, rule });
}
