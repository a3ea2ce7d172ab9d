/** Replay: the match as a viewer knew it, step by step, drawn in place of the newest view. */
import { signal, type Signal } from "@preact/signals";
import { isCalm } from "@/app/settings";
import { rpc } from "@/net/session";
import type { MatchContext } from "@/play/context";
import type { Step, View, Viewer } from "@/types";

export interface Playback {
    as: Viewer;
    /** Steps of that viewer, oldest first. */
    steps: Step[];
    /** Which of them is shown. */
    at: number;
    /** It goes on by itself, up to this step. */
    until: number | null;
    /** The map goes where something happens. */
    follow: boolean;
}

/** What is being replayed; null: the newest view is shown. */
export const playback: Signal<Playback | null> = signal(null);

const STEP_MS = 1400;
const CALM_STEP_MS = 2200;
const KEPT_VIEWS = 64;
const PAGE = 200;
const views = new Map<string, Promise<View>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Every step that a viewer was told, oldest first; the making of the match, step 0, has no view. */
async function stepsOf(match: string, as: Viewer): Promise<Step[]> {
    const steps: Step[] = [];
    let next: number | undefined = 0;
    while (next !== undefined) {
        const params: Record<string, unknown> = { match, as, from: next, limit: PAGE };
        const page: { steps: Step[]; next?: number } = await rpc.call("match.history", params);
        steps.push(...page.steps.filter((step) => step.seq > 0));
        next = page.next;
    }
    return steps;
}

function viewAt(context: MatchContext, as: Viewer, seq: number): Promise<View> {
    const key = `${context.match.id} ${as} ${seq}`;
    const known = views.get(key) ?? context.match.replay(seq, as);
    views.delete(key);
    views.set(key, known);
    known.catch(() => views.delete(key));
    const oldest = views.keys().next().value;
    if (views.size > KEPT_VIEWS && oldest !== undefined) views.delete(oldest);
    return known;
}

/** Opens the replay as a viewer, at a step (the last by default). */
export async function openReplay(context: MatchContext, as: Viewer, seq?: number): Promise<void> {
    const steps = await stepsOf(context.match.id, as);
    const at = seq === undefined ? steps.length - 1 : nearest(steps, seq);
    playback.value = { as, steps, at, until: null, follow: true };
    await show(context);
}

/** The last step at or before a seq. */
function nearest(steps: Step[], seq: number): number {
    let at = 0;
    steps.forEach((step, i) => {
        if (step.seq <= seq) at = i;
    });
    return at;
}

/** Shows step `at`; what came meanwhile for another step is dropped. */
export async function goTo(context: MatchContext, at: number): Promise<void> {
    const now = playback.value;
    if (now === null) return;
    playback.value = { ...now, at: Math.max(0, Math.min(at, now.steps.length - 1)) };
    await show(context);
}

async function show(context: MatchContext): Promise<void> {
    const now = playback.value;
    const step = now?.steps[now.at];
    if (now === null || step === undefined) return;
    const view = await viewAt(context, now.as, step.seq);
    const newest = playback.value;
    if (newest === null || newest.steps !== now.steps || newest.at !== now.at) return;
    context.shown.value = view;
    const town = now.follow ? (step.events.map(context.game.placeOf).find((one) => one !== null) ?? null) : null;
    if (town !== null) context.focus.value = { town, n: (context.focus.value?.n ?? 0) + 1 };
    const next = now.steps[now.at + 1];
    if (now.until !== null && next !== undefined) void viewAt(context, now.as, next.seq).catch(() => {});
}

/** The same match and moment as another viewer; after the reveal anybody. */
export async function lookAs(context: MatchContext, as: Viewer): Promise<void> {
    const now = playback.value;
    const moment = now?.steps[now.at]?.at;
    const steps = await stepsOf(context.match.id, as);
    let at = steps.length - 1;
    if (moment !== undefined) at = Math.max(0, steps.filter((step) => step.at <= moment).length - 1);
    playback.value = { as, steps, at, until: null, follow: now?.follow ?? true };
    await show(context);
}

/** Lets it go on by itself to `until` (the end by default), or stops it. */
export function run(context: MatchContext, until?: number): void {
    const now = playback.value;
    if (now === null) return;
    clearTimeout(timer);
    if (now.until !== null && until === undefined) {
        playback.value = { ...now, until: null };
        return;
    }
    const end = until ?? now.steps.length - 1;
    playback.value = { ...now, until: end, at: now.at >= end ? 0 : now.at };
    tick(context);
}

function tick(context: MatchContext): void {
    timer = setTimeout(
        () => {
            const now = playback.value;
            if (now === null || now.until === null) return;
            if (now.at >= now.until) {
                playback.value = { ...now, until: null };
                return;
            }
            void goTo(context, now.at + 1).then(
                () => tick(context),
                () => {},
            );
        },
        isCalm() ? CALM_STEP_MS : STEP_MS,
    );
}

/** Plays the steps after `from` up to `to`: what happened since the last visit. */
export async function playSteps(context: MatchContext, as: Viewer, from: number, to: number): Promise<void> {
    await openReplay(context, as, from);
    const now = playback.value;
    if (now === null) return;
    run(context, nearest(now.steps, to));
}

/** Back to the newest view. */
export function stopReplay(context: MatchContext): void {
    clearTimeout(timer);
    playback.value = null;
    context.shown.value = null;
}
