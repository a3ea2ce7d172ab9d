/** Where in the record a step lies, and what there is to draw of a whole match. */
import type { BoardData, Nation, Side, Step } from "@/types";

/** The steps that fall into one slot of the time record (slot 0: the set-up). */
export interface SlotSpan {
    slot: number;
    side: Side;
    night: boolean;
    /** Day of the month where a day begins, else null. */
    day: number | null;
    first: number;
    last: number;
}

export function slotOfSteps(steps: readonly Step[], record: BoardData["time_record"]): SlotSpan[] {
    const spans: SlotSpan[] = [{ slot: 0, side: "AL", night: false, day: null, first: 0, last: 0 }];
    steps.forEach((step, i) => {
        for (const event of step.events) {
            if (event.ev !== "turn") continue;
            const about = record.find((slot) => slot.turn === event.slot);
            const day = about?.part === "morning" ? Number(about.date.slice(8)) : null;
            spans.push({ slot: event.slot, side: event.side, night: event.night, day, first: i, last: i });
        }
        const span = spans[spans.length - 1];
        if (span !== undefined) span.last = i;
    });
    // A step that ends one turn and begins the next belongs to the next.
    spans.forEach((span, k) => {
        const next = spans[k + 1];
        if (next !== undefined) span.last = Math.max(span.first, next.first - 1);
    });
    return spans;
}

/** How wide the set-up is drawn beside a slot of the record. */
export const SET_UP_SHARE = 0.6;

/** Where step `at` stands on a line of bands, 0 to 1: each slot takes one band, its steps share it. */
export function placeOf(spans: readonly SlotSpan[], at: number, bands: number): number {
    const span = spans.find((one) => at >= one.first && at <= one.last) ?? spans[spans.length - 1];
    if (span === undefined) return 0;
    const within = (at - span.first + 1) / (span.last - span.first + 1);
    const start = span.slot === 0 ? 0 : SET_UP_SHARE + span.slot - 1;
    return Math.min(1, (start + within * (span.slot === 0 ? SET_UP_SHARE : 1)) / bands);
}

/** The step that stands nearest to a place on that line. */
export function stepNear(spans: readonly SlotSpan[], steps: number, bands: number, place: number): number {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < steps; i++) {
        const off = Math.abs(placeOf(spans, i, bands) - place);
        if (off < least) [best, least] = [i, off];
    }
    return best;
}

/** Slots in which a battle was fought. */
export function battlesBySlot(steps: readonly Step[]): Set<number> {
    const found = new Set<number>();
    let slot = 0;
    for (const step of steps) {
        for (const event of step.events) {
            if (event.ev === "turn") slot = event.slot;
            if (event.ev === "revealed") found.add(slot);
        }
    }
    return found;
}

export interface Curve {
    nation: Nation;
    /** Units left at the start of each slot, the first before the campaign. */
    left: number[];
}

const START: Record<Nation, number> = { FR: 18, AD: 14, PR: 16 };

/** Units left by slot, from the losses that were told. */
export function curves(steps: readonly Step[]): Curve[] {
    const now = { ...START };
    const rows: Record<Nation, number>[] = [{ ...now }];
    for (const step of steps) {
        for (const event of step.events) {
            if (event.ev === "eliminated") now[event.unit.slice(0, 2) as Nation]--;
            if (event.ev === "turn") rows.push({ ...now });
        }
    }
    rows.push({ ...now });
    return (["FR", "AD", "PR"] as const).map((nation) => ({ nation, left: rows.map((row) => row[nation]) }));
}

export interface TurningPoint {
    seq: number;
    slot: number;
    town: string;
    /** Units that fell in that slot's battle or rout there. */
    lost: number;
    routed: Side | null;
}

/** The hardest blows: routs first, then the bloodiest towns; at most `most`, in order of time. */
export function turningPoints(steps: readonly Step[], most = 4): TurningPoint[] {
    const found = new Map<string, TurningPoint>();
    let slot = 0;
    for (const step of steps) {
        for (const event of step.events) {
            if (event.ev === "turn") slot = event.slot;
            if (event.ev !== "eliminated" && event.ev !== "routed") continue;
            const town = event.ev === "routed" ? event.battle : event.town;
            const key = `${slot} ${town}`;
            const point = found.get(key) ?? { seq: step.seq, slot, town, lost: 0, routed: null };
            if (event.ev === "routed") {
                point.routed = event.side;
                point.seq = step.seq;
            } else {
                point.lost++;
            }
            found.set(key, point);
        }
    }
    const weight = (point: TurningPoint): number => point.lost + (point.routed === null ? 0 : 3);
    return [...found.values()]
        .sort((a, b) => weight(b) - weight(a))
        .slice(0, most)
        .sort((a, b) => a.seq - b.seq);
}
