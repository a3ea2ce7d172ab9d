/** Looking on: another acts, the match is over, or it is replayed. Who waits may look how far his units reach. */
import { signal, type Signal } from "@preact/signals";
import { announce } from "@/app/live";
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type Hex, type HexBoardData, type HexMarks, type HexView, type Reach } from "@/austerlitz/types";
import { hexName, isOwn, ownHexes, ownSide, unitName, wireName } from "@/austerlitz/units";
import { controlled } from "@/austerlitz/zones";
import type { MatchStore } from "@/net/match";
import type { Commit, RowAct } from "@/play/desk";
import type { View } from "@/types";
import { t } from "@/words";

export class WatchDesk extends HexDesk {
    /** The own counter that is looked at, and its reach as the board stands; nothing can be ordered. */
    readonly selected: Signal<Hex | null> = signal(null);
    readonly reach: Signal<Reach | null> = signal(null);

    constructor(
        match: MatchStore,
        readonly kind: "wait" | "over",
    ) {
        super(match);
    }

    override viewed(view: View): void {
        const now = hexView(view);
        const at = this.selected.peek();
        if (at === null) return;
        if (isOwn(now, at)) void this.askReach(now, at);
        else this.drop();
    }

    override escape(): void {
        this.drop();
    }

    begun(): boolean {
        return this.selected.value !== null;
    }

    private drop(): void {
        this.selected.value = null;
        this.reach.value = null;
    }

    /** Takes a counter up to look at, or puts it down. */
    async look(hex: Hex): Promise<void> {
        const view = this.now();
        if (view === null || this.kind === "over" || !isOwn(view, hex)) return;
        const again = this.selected.peek() === hex;
        this.drop();
        if (again) return;
        this.selected.value = hex;
        await this.askReach(view, hex);
        if (this.selected.peek() === hex) announce(t("aus.taken", { unit: unitName(view, hex), n: this.far() }));
    }

    /** How many hexes lie within its reach. */
    far(): number {
        return Object.keys(this.reach.value?.hexes ?? {}).length;
    }

    private async askReach(view: HexView, hex: Hex): Promise<void> {
        const asked = await this.asks.judged<Reach>({ ask: "reach", unit: wireName(view, hex) as never }).catch(() => null);
        if (this.selected.peek() !== hex) return;
        if (asked !== null && "answer" in asked) this.reach.value = asked.answer;
        else this.drop();
    }

    marks(view: HexView): HexMarks {
        const plan = planMarks(view, this.match.steps.value, undefined, false, this.rolling());
        const side = ownSide(view);
        if (this.kind === "over" || side === undefined) return plan;
        const at = this.selected.value;
        const board = this.match.board.value as unknown as HexBoardData | null;
        const enemy = side === "french" ? "allied" : "french";
        return {
            ...plan,
            choosable: new Set(ownHexes(view)),
            ...(at === null ? {} : { selected: [at], reach: Object.keys(this.reach.value?.hexes ?? {}) }),
            ...(at === null || board === null ? {} : { zones: [...controlled(board, view.board, enemy)] }),
        };
    }

    handlers(view: HexView): HexHandlers {
        if (this.kind === "over" || ownSide(view) === undefined) return {};
        return {
            onUnit: (hex) => void this.look(hex),
            hexNote: (hex) => {
                const cost = this.reach.value?.hexes[hex];
                const at = this.selected.value;
                return cost === undefined || at === null ? undefined : t("aus.points", { cost, place: hexName(hex), unit: unitName(view, at) });
            },
        };
    }

    commit(): Commit | null {
        return null;
    }

    hexActs(view: HexView, hex: Hex): RowAct[] {
        if (this.kind === "over" || !isOwn(view, hex)) return [];
        return [{ label: t("aus.act_look"), pressed: this.selected.value === hex, run: () => void this.look(hex) }];
    }
}
