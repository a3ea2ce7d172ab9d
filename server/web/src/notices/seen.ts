/**
 * Tells the server what a person has seen, so that it need not be told by mail too. A tab that was left open counts for
 * nothing: the page must be visible and have the focus, show the newest view, and somebody must have touched it
 * within the last minute, or touch it then.
 */
import { effect } from "@preact/signals";
import { rpc } from "@/net/session";
import type { MatchContext } from "@/play/context";

const TOUCHED_WITHIN_MS = 60_000;
const LOOKS_MS = 1500;
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

export interface Attention {
    visible: boolean;
    focused: boolean;
    /** Milliseconds since somebody touched the page. */
    untouched: number;
    /** The newest view is what is shown, not one of a replay. */
    newest: boolean;
}

/** Is somebody looking at what is shown? */
export function looks({ visible, focused, untouched, newest }: Attention): boolean {
    return visible && focused && newest && untouched <= TOUCHED_WITHIN_MS;
}

/** Begins; gives what ends it. */
export function tellSeen(context: MatchContext): () => void {
    const { match, shown } = context;
    let touched = 0;
    let told = -1;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const now = (): Attention => ({
        visible: document.visibilityState === "visible",
        focused: document.hasFocus(),
        untouched: Date.now() - touched,
        newest: shown.peek() === null,
    });
    const tell = (): void => {
        timer = undefined;
        const seq = match.view.peek()?.seq ?? -1;
        if (match.seat.peek() === null || seq <= told || !looks(now())) return;
        told = seq;
        rpc.call("match.seen", { match: match.id, as: match.as.peek(), seq }, { once: true }).catch(() => {
            told = -1;
        });
    };
    const soon = (): void => {
        if (timer !== undefined || (match.view.peek()?.seq ?? -1) <= told) return;
        timer = setTimeout(tell, LOOKS_MS);
    };
    const touch = (): void => {
        touched = Date.now();
        soon();
    };
    for (const kind of TOUCHES) addEventListener(kind, touch, { passive: true, capture: true });
    addEventListener("focus", soon);
    const end = effect(() => {
        match.view.value;
        match.seat.value;
        shown.value;
        soon();
    });
    return () => {
        end();
        clearTimeout(timer);
        for (const kind of TOUCHES) removeEventListener(kind, touch, { capture: true });
        removeEventListener("focus", soon);
    };
}
