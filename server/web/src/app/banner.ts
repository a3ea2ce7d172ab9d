/** Tab title and favicon tell whose turn it is; a notification does when the reader allowed it. */
import { effect, signal, type Signal } from "@preact/signals";
import { settings } from "@/app/settings";
import { waiting } from "@/app/waiting";
import type { Summary } from "@/types";
import { t } from "@/words";

/** What the page shown is called; the parts set it. */
export const pageTitle: Signal<string> = signal("");

const ICONS = { calm: "/favicon.svg", waiting: "/favicon-waiting.svg" };

function setIcon(address: string): void {
    const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (link !== null && link.getAttribute("href") !== address) link.href = address;
}

/** Begins to follow (called once). */
export function followTurn(): void {
    effect(() => {
        const n = waiting.value.length;
        const title = pageTitle.value === "" ? "Vedette" : `${pageTitle.value} · Vedette`;
        document.title = n > 0 ? `● ${title}` : title;
        setIcon(n > 0 ? ICONS.waiting : ICONS.calm);
    });
    let known: Set<string> | null = null;
    effect(() => {
        const now = new Set(waiting.value.map((match) => match.match));
        const fresh = known === null ? [] : waiting.value.filter((match) => !known?.has(match.match));
        known = now;
        for (const match of fresh) notify(match);
    });
}

/** A notification tells no more than that the match waits: it is read by whoever looks at the screen. */
function notify(match: Summary): void {
    const wanted = settings.peek().notifications && document.visibilityState === "hidden";
    if (!wanted || !("Notification" in window) || Notification.permission !== "granted") return;
    const note = new Notification(t("notify.title"), {
        body: match.title ?? t("notify.body"),
        tag: match.match,
        icon: "/favicon.svg",
    });
    note.onclick = () => {
        focus();
        location.assign(`/match/${match.match}`);
    };
}
