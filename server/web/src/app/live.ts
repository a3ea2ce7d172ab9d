/**
 * What a screen reader is told: two live regions, one polite, one assertive. A burst of sentences
 * within a moment is read as one.
 */
const GATHER_MS = 80;
const queues = { polite: [] as string[], assertive: [] as string[] };
const timers: Partial<Record<"polite" | "assertive", ReturnType<typeof setTimeout>>> = {};

function region(kind: "polite" | "assertive"): HTMLElement {
    const id = `live-${kind}`;
    const known = document.getElementById(id);
    if (known !== null) return known;
    const made = document.createElement("div");
    made.id = id;
    made.className = "visually-hidden";
    made.setAttribute("aria-live", kind);
    made.setAttribute("role", kind === "polite" ? "status" : "alert");
    document.body.append(made);
    return made;
}

/** Tells a sentence to those who listen. */
export function announce(sentence: string, kind: "polite" | "assertive" = "polite"): void {
    queues[kind].push(sentence);
    clearTimeout(timers[kind]);
    timers[kind] = setTimeout(() => {
        region(kind).textContent = queues[kind].splice(0).join(" ");
    }, GATHER_MS);
}
