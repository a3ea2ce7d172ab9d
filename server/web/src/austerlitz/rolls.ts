/** The die of a combat that falls while the page looks on: it tumbles until it lies, a key or a tap ends that. */
import { signal, type Signal } from "@preact/signals";
import { isCalm } from "@/app/settings";
import type { MatchStore } from "@/net/match";

/** Tumble and settle, with a little time for a slow frame: the die ends by itself before. */
const ROLL_MS = 1000;

export class Rolls {
    /** The combat whose die tumbles now. */
    readonly rolling: Signal<number | null> = signal(null);
    private timer: ReturnType<typeof setTimeout> | undefined;
    private readonly ends: (() => void)[] = [];

    constructor(match: MatchStore) {
        const settle = (): void => this.settle();
        for (const event of ["keydown", "pointerdown"]) {
            addEventListener(event, settle, { capture: true });
            this.ends.push(() => removeEventListener(event, settle, { capture: true }));
        }
        this.ends.push(
            match.onStep((step) => {
                this.settle();
                const rolled = (step.events as unknown as { ev: string; index?: number }[]).filter((event) => event.ev === "rolled").pop();
                if (rolled?.index === undefined || isCalm()) return;
                this.rolling.value = rolled.index;
                this.timer = setTimeout(settle, ROLL_MS);
            }),
        );
        match.onClose(() => this.close());
    }

    /** The die lies, and its result is told. */
    settle(): void {
        clearTimeout(this.timer);
        this.rolling.value = null;
    }

    private close(): void {
        this.settle();
        for (const end of this.ends.splice(0)) end();
    }
}

const known = new WeakMap<MatchStore, Rolls>();

/** One for all parts of a match page; it ends with the page. */
export function rollsOf(match: MatchStore): Rolls {
    const have = known.get(match);
    if (have !== undefined) return have;
    const made = new Rolls(match);
    known.set(match, made);
    match.onClose(() => known.delete(match));
    return made;
}
