/** The time by the daemon's clock, as a signal that ticks while something on the page counts. */
import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { clockSkew } from "@/net/session";

const EVERY_MS = 1000;
const time = signal(Date.now());
let wanted = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
    time.value = Date.now() + untracked(() => clockSkew.value);
}

/** Milliseconds since 1970 by the daemon's clock: this machine's own may be wrong. */
export const serverNow: ReadonlySignal<number> = time;

effect(() => {
    clockSkew.value;
    tick();
});

/** Keeps the time ticking while the component is shown. */
export function useTicking(on = true): void {
    useEffect(() => {
        if (!on) return;
        tick();
        if (wanted++ === 0) timer = setInterval(tick, EVERY_MS);
        return () => {
            if (--wanted === 0) clearInterval(timer);
        };
    }, [on]);
}
