/** Keys of the match page: what is pressed anywhere but in a field or a sheet. */
import { go } from "@/app/router";
import { settings } from "@/app/settings";
import { waiting } from "@/app/waiting";
import type { PlayState } from "@/play/state";

/** Is somebody typing, so that no key may act? */
export function isTyping(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable) return true;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "submit", "range"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Acts on a key; true when it was one of the page's. */
export function press(event: KeyboardEvent, play: PlayState): boolean {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector("[role=dialog]") !== null) return false;
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
        play.commit();
        return true;
    }
    if (event.altKey && /^[1-9]$/.test(event.key)) return tab(Number(event.key), play);
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") return escape(play);
    const letter = event.key.length === 1;
    if (letter && !settings.value.letterKeys) return false;
    return desk(event, play) || page(event, play);
}

function tab(n: number, play: PlayState): boolean {
    const view = play.context.match.view.value;
    const town = view === null ? undefined : play.context.game.scenes?.(view)[n - 1];
    if (town === undefined) return false;
    play.context.scene.value = { kind: "battle", town };
    return true;
}

function escape(play: PlayState): boolean {
    play.desk.value.escape();
    return false;
}

function desk(event: KeyboardEvent, play: PlayState): boolean {
    const { match, scene, shown } = play.context;
    const view = match.view.value;
    if (view === null || shown.value !== null || scene.value.kind !== "map") return false;
    const wanted = event.key.toLowerCase();
    const key = play.desk.value.keys(view).find((one) => one.key.toLowerCase() === wanted);
    key?.run();
    return key !== undefined;
}

function page(event: KeyboardEvent, play: PlayState): boolean {
    switch (event.key.toLowerCase()) {
        case "?":
            play.open.value = "keys";
            return true;
        case "l":
            play.list.value = !play.list.value;
            return true;
        case "m":
            play.context.scene.value = { kind: "map" };
            return true;
        case "t":
            play.open.value = "town";
            return true;
        case "u":
            play.undo();
            return true;
        case "p":
            return plan(play);
        case "n":
            return nextWaiting(play);
        case "/":
            return say();
        default:
            return false;
    }
}

/** The next own turn is thought of while one waits, and put aside again. */
function plan(play: PlayState): boolean {
    const { match, game, shown } = play.context;
    const view = match.view.value;
    const may = view !== null && shown.value === null && game.mayPlan?.(view, match.seat.value) === true;
    if (may) play.planning.value = !play.planning.value;
    return may;
}

function nextWaiting(play: PlayState): boolean {
    const next = waiting.value.find((match) => match.match !== play.context.match.id);
    if (next !== undefined) go(`/match/${next.match}`);
    return next !== undefined;
}

function say(): boolean {
    const field = document.querySelector<HTMLElement>("#say");
    field?.focus();
    return field !== null;
}
