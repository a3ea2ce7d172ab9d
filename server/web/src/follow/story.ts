/** The history of a match as something to read: headings by turn and battle, a line for each event. */
import { sentences, slot, townName, sideName, t } from "@/words";
import type { Entry, Reader } from "@/play/games";
import type { GameEvent, Nation, Seat, Side, Step, TownId, Viewer } from "@/types";

export type Mark = Nation | Side | null;

type Loose = GameEvent & Record<string, unknown>;

const WATERLOO = { game: "waterloo" };

/** What is told by headings or by other events of its step. */
const SILENT = new Set(["turn", "combat_turn", "ended", "end_withdrawn"]);

/** The town that an event is about, to bring into sight. */
export function townOf(event: GameEvent): TownId | null {
    const e = event as Loose;
    for (const name of ["battle", "town", "from"]) if (typeof e[name] === "string") return e[name] as TownId;
    const first = [e.marches, e.routes].find(Array.isArray)?.[0] as { path?: TownId[] } | undefined;
    return first?.path?.[first.path.length - 1] ?? null;
}

/** What a march tells of whose it is. */
interface March {
    unit?: string;
    nation?: Nation;
}

/** Whose act an event is: for the army mark beside the line. */
export function markOf(event: GameEvent): Mark {
    const e = event as Loose;
    if (typeof e.unit === "string") return e.unit.slice(0, 2) as Nation;
    if (typeof e.nation === "string") return e.nation as Nation;
    const nations = new Set((Array.isArray(e.marches) ? (e.marches as March[]) : []).map((one) => one.nation ?? one.unit?.slice(0, 2)));
    const [nation] = nations;
    // Both Allied armies in one step bear both marks.
    if (nation !== undefined) return nations.size > 1 ? "AL" : (nation as Nation);
    const who = (e.side ?? e.seat ?? e.winner) as Seat | undefined;
    return who ?? null;
}

/** Reads steps, oldest first, into headings and lines. */
export class Story implements Reader {
    readonly entries: Entry[] = [];
    private combat: { side: Side; n: number } | null = null;
    private heading = "";
    private upTo = -1;

    constructor(readonly viewer: Viewer) {}

    /** Adds the steps that are newer than what is told already. */
    add(steps: readonly Step[]): this {
        for (const step of steps) {
            if (step.seq <= this.upTo) continue;
            this.upTo = step.seq;
            step.events.forEach((event, i) => this.event(event, step.seq, `${step.seq}.${i}`));
        }
        return this;
    }

    private event(event: GameEvent, seq: number, key: string): void {
        if (event.ev === "turn") {
            this.combat = null;
            this.head(`${slot(event)} · ${sideName(event.side)}`, seq, key);
            if (!event.night) return;
        }
        if (event.ev === "combat_turn") this.combat = { side: event.side, n: event.ct.n };
        if (SILENT.has(String(event.ev)) && event.ev !== "turn") return;
        const { battle } = event as Loose;
        if (typeof battle === "string" && this.combat !== null) this.headBattle(battle, seq, key);
        const town = townOf(event);
        sentences(event as never, this.viewer, WATERLOO).forEach((tokens, n) => {
            this.entries.push({ kind: "line", key: `${key}.${n}`, seq, mark: markOf(event), tokens, town });
        });
    }

    private headBattle(battle: string, seq: number, key: string): void {
        if (this.combat === null) return;
        const text = t("log.battle", { town: townName(battle), side: this.sideWord(this.combat.side), n: this.combat.n });
        this.head(text, seq, `${key}.b`);
    }

    private sideWord(side: Side): string {
        if (this.viewer === "public" || this.viewer === "all") return side;
        return (this.viewer === "FR") === (side === "FR") ? "own" : "enemy";
    }

    private head(text: string, seq: number, key: string): void {
        if (text === this.heading) return;
        this.heading = text;
        this.entries.push({ kind: "heading", key: `h${key}`, text, seq });
    }
}

/** Every sentence of some steps as plain lines, for what is read aloud. */
export function spoken(steps: readonly Step[], viewer: Viewer): { text: string; urgent: boolean }[] {
    return steps.flatMap((step) =>
        step.events
            .filter((event) => !SILENT.has(String(event.ev)) || event.ev === "turn")
            .flatMap((event) =>
                sentences(event as never, viewer, WATERLOO).map((tokens) => ({
                    text: tokens.map((token) => token.text).join(""),
                    urgent: event.ev === "attacked" || event.ev === "routed",
                })),
            ),
    );
}
