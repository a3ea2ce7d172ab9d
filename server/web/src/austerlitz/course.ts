/** What the steps of a match tell of its course: turns, losses, the hardest blows. */
import type { Side } from "@/austerlitz/types";
import type { TimeLine } from "@/play/games";
import type { Step } from "@/types";
import { t, turnName } from "@/words";

interface Loose {
    ev: string;
    turn?: number;
    side?: Side;
    P?: number;
    index?: number;
}

const TURNS = 12;
const GONE = ["eliminated", "left_map"];

function events(step: Step): Loose[] {
    return step.events as unknown as Loose[];
}

/** P of each side at the start and at the end of each turn that was begun. */
export function lossesByTurn(steps: readonly Step[]): Record<Side, number[]> {
    const now: Record<Side, number> = { french: 0, allied: 0 };
    const rows: Record<Side, number[]> = { french: [0], allied: [0] };
    const push = (): void => {
        for (const side of ["french", "allied"] as const) rows[side].push(now[side]);
    };
    for (const step of steps) {
        for (const event of events(step)) {
            if (event.ev === "turn") push();
            if (GONE.includes(event.ev) && event.side !== undefined && event.P !== undefined) now[event.side] = event.P;
        }
    }
    push();
    return rows;
}

export interface Blow {
    seq: number;
    turn: number;
    side: Side;
    lost: number;
    /** The army broke with it. */
    broke: boolean;
}

/** The steps in which an army lost most, in the order of time; one that broke it is always among them. */
export function turningPoints(steps: readonly Step[], most = 5): Blow[] {
    const before: Record<Side, number> = { french: 0, allied: 0 };
    const found: Blow[] = [];
    let turn = 1;
    for (const step of steps) {
        for (const event of events(step)) {
            if (event.ev === "turn" && event.turn !== undefined) turn = event.turn;
            if (GONE.includes(event.ev) && event.side !== undefined && event.P !== undefined) {
                const lost = event.P - before[event.side];
                before[event.side] = event.P;
                const last = found[found.length - 1];
                if (last?.seq === step.seq && last.side === event.side) last.lost += lost;
                else if (lost > 0) found.push({ seq: step.seq, turn, side: event.side, lost, broke: false });
            }
            const last = found[found.length - 1];
            if (event.ev === "demoralised" && last !== undefined) last.broke = true;
        }
    }
    const weight = (blow: Blow): number => blow.lost + (blow.broke ? 1000 : 0);
    return [...found].sort((a, b) => weight(b) - weight(a)).slice(0, most).sort((a, b) => a.seq - b.seq);
}

/** Twelve turns of one width; their steps share each. */
export function timeLine(steps: readonly Step[]): TimeLine {
    const turns: number[] = [];
    const fights = new Set<number>();
    let turn = 1;
    for (const step of steps) {
        for (const event of events(step)) {
            if (event.ev === "turn" && event.turn !== undefined) turn = event.turn;
            if (event.ev === "rolled") fights.add(turn);
        }
        turns.push(turn);
    }
    const spanOf = (n: number): [number, number] => [turns.indexOf(n), turns.lastIndexOf(n)];
    const place = (at: number): number => {
        const n = turns[at] ?? 1;
        const [first, last] = spanOf(n);
        return (n - 1 + (at - first + 1) / (last - first + 1)) / TURNS;
    };
    return {
        bands: Array.from({ length: TURNS }, (_, i) => ({
            key: String(i + 1),
            width: 1,
            look: i === TURNS - 1 ? "night" : "hour",
            head: t("aus.hour", { h: i + 7 }),
            reached: turns.includes(i + 1),
            fight: fights.has(i + 1),
        })),
        place,
        near: (wanted) => {
            let best = 0;
            steps.forEach((_, i) => {
                if (Math.abs(place(i) - wanted) < Math.abs(place(best) - wanted)) best = i;
            });
            return best;
        },
        when: (at) => turnName("austerlitz", { turn: turns[at] ?? 1 }),
    };
}
