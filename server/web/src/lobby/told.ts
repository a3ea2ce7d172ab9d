/** The last thing that a match told a viewer, as a sentence for its card. */
import type { Step } from "@/types";
import { plain, sentence, type Event, type Scene, type Token, type Viewer } from "@/words";

/** Null where the step tells nothing that is worth a line. */
export function lastSentence(step: Step | null, viewer: Viewer, scene: Scene): Token[] | null {
    const events = step?.events ?? [];
    for (let i = events.length - 1; i >= 0; i--) {
        const event = events[i];
        if (event === undefined) continue;
        const told = sentence(event as unknown as Event, viewer, scene);
        const text = plain(told).trim();
        if (text !== "" && !text.startsWith("event.")) return told;
    }
    return null;
}
