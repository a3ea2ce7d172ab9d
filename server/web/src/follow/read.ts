/** How far this reader has read: messages and steps, kept in this browser. */
import { signal, type Signal } from "@preact/signals";
import type { Message } from "@/types";

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

const talkKey = (match: string, channel: string): string => `vedette.read.${match}.${channel}`;

export function markRead(match: string, messages: readonly Message[]): void {
    for (const message of messages) store(talkKey(match, message.channel), message.n);
}

/** Messages of a channel that were not read here yet. */
export function unread(match: string, messages: readonly Message[], channel?: string): number {
    return messages.filter(
        (message) => (channel === undefined || message.channel === channel) && message.n > load(talkKey(match, message.channel)),
    ).length;
}

const stepKey = (match: string, viewer: string): string => `vedette.seen.${match}.${viewer}`;

/** The seq up to which this viewer has seen the match here; -1: never looked. */
export function seenUpTo(match: string, viewer: string): number {
    return load(stepKey(match, viewer));
}

export function markSeen(match: string, viewer: string, seq: number): void {
    store(stepKey(match, viewer), seq);
}
