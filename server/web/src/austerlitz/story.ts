/** The history of a match as something to read: a heading for each phase, a line for each event. */
import { phaseName } from "@/austerlitz/Record";
import { printedOf } from "@/austerlitz/oob";
import { hourOf } from "@/austerlitz/words";
import type { Hex, Side } from "@/austerlitz/types";
import type { Entry, Reader } from "@/play/games";
import type { GameEvent, Step, Viewer } from "@/types";
import { sentences, t, type Token } from "@/words";

type Named = string | { side: Side; hex: Hex };

interface Loose {
    ev: string;
    turn?: number;
    state?: string;
    side?: Side;
    seat?: string;
    unit?: Named;
    units?: (Named | { hex: Hex })[];
    hex?: Hex;
    to?: Hex;
    from?: Hex;
    path?: Hex[];
    plan?: Record<string, { defenders?: Named[]; hex?: Hex }>;
    winner?: string;
}

/** What the side whose phase it is does, without its name in the event. */
const OF_THE_PHASE = new Set(["declared", "dropped", "void", "reveal", "rolled", "ice_broken", "held"]);

const SCENE = { game: "austerlitz" };

/** The hex that an event is about, to bring into sight. */
export function placeOf(event: GameEvent): Hex | null {
    const e = event as unknown as Loose;
    const unit = typeof e.unit === "object" ? e.unit.hex : undefined;
    const first = e.units?.find((one) => typeof one === "object");
    const met = Object.values(e.plan ?? {})
        .flatMap((entry) => [entry.hex, ...(entry.defenders ?? []).map((one) => (typeof one === "object" ? one.hex : undefined))])
        .find((hex) => hex !== undefined);
    return e.to ?? e.hex ?? e.path?.[e.path.length - 1] ?? e.from ?? unit ?? (typeof first === "object" ? first.hex : undefined) ?? met ?? null;
}

/** Whose act an event is: for the mark beside the line. */
export function markOf(event: GameEvent): string | null {
    const e = event as unknown as Loose;
    if (typeof e.unit === "string") return printedOf(e.unit)?.side ?? null;
    if (typeof e.unit === "object") return e.unit.side;
    return e.side ?? e.seat ?? (e.ev === "over" && e.winner !== "none" ? (e.winner ?? null) : null);
}

export class Story implements Reader {
    readonly entries: Entry[] = [];
    private turn = 1;
    private side: Side | null = null;
    private heading = "";
    private upTo = -1;

    constructor(readonly viewer: Viewer) {}

    add(steps: readonly Step[]): this {
        for (const step of steps) {
            if (step.seq <= this.upTo) continue;
            this.upTo = step.seq;
            step.events.forEach((event, i) => this.event(event, step.seq, `${step.seq}.${i}`));
        }
        return this;
    }

    private event(event: GameEvent, seq: number, key: string): void {
        const e = event as unknown as Loose;
        if (e.ev === "turn") this.turn = e.turn ?? this.turn;
        if (e.ev === "phase") {
            this.side = e.side ?? null;
            this.head(e, seq, key);
            return;
        }
        if (e.ev === "turn" && this.turn !== 1 && this.turn !== 12) return;
        const town = placeOf(event);
        sentences(event as never, this.viewer, SCENE).forEach((tokens, n) => {
            this.entries.push({ kind: "line", key: `${key}.${n}`, seq, mark: markOf(event) ?? (OF_THE_PHASE.has(e.ev) ? this.side : null), tokens, town });
        });
    }

    private head(e: Loose, seq: number, key: string): void {
        const at = (e.side === "allied" ? 0 : 2) + (e.state === "MOVE" ? 0 : 1);
        const text = `${t("aus.hour", { h: hourOf(this.turn) })} · ${phaseName(at)}`;
        if (text === this.heading) return;
        this.heading = text;
        this.entries.push({ kind: "heading", key: `h${key}`, text, seq });
    }
}

/** What a step tells, for who listens: a battery of moves says each, the faces of a combat before its die. */
export function spoken(steps: readonly Step[], viewer: Viewer): { text: string; urgent: boolean }[] {
    return steps.flatMap((step) =>
        step.events.flatMap((event) =>
            sentences(event as never, viewer, SCENE).map((tokens) => ({
                text: tokens.map((token) => token.text).join(""),
                urgent: String(event.ev) === "demoralised",
            })),
        ),
    );
}

export function told(event: GameEvent, viewer: Viewer): Token[][] {
    return sentences(event as never, viewer, SCENE);
}
