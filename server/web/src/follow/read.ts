/** How far this reader has seen a match: its steps, kept in this browser. */
import { signal, type Signal } from "@preact/signals";

const marks: Signal<Record<string, number>> = signal({});

function load(key: string): number {
    const kept = marks.value[key];
    if (kept !== undefined) return kept;
    return Number(localStorage.getItem(key) ?? "-1");
}

function store(key: string, value: number): void {
    if (load(key) >= value) return;
    localStorage.setItem(key, String(value));
    marks.value = { ...marks.value, [key]: value };
}

/** Nobody looks at this tab. */
export function isAway(): boolean {
    return document.visibilityState === "hidden";
}

const stepKey = (match: string, viewer: string): string => `vedette.seen.${match}.${viewer}`;

/** The seq up to which this viewer has seen the match here; -1: never looked. */
export function seenUpTo(match: string, viewer: string): number {
    return load(stepKey(match, viewer));
}

export function markSeen(match: string, viewer: string, seq: number): void {
    store(stepKey(match, viewer), seq);
}
