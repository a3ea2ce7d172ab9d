/** Addresses of the page: plain paths, so that links can be sent and the browser's back works. */
import { signal, type Signal } from "@preact/signals";

export const path: Signal<string> = signal(location.pathname + location.search);

addEventListener("popstate", () => {
    path.value = location.pathname + location.search;
});

/** Goes to an address within the page. */
export function go(to: string, how: { replace?: boolean } = {}): void {
    if (to === path.value) return;
    if (how.replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    path.value = to;
    scrollTo(0, 0);
}

/** For `onClick` of links: stays in the page unless a new tab or window was asked for. */
export function follow(event: MouseEvent): void {
    const link = (event.currentTarget as HTMLElement).closest("a");
    if (link === null || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target === "_blank") return;
    event.preventDefault();
    go(link.pathname + link.search);
}

export interface Place {
    page: "lobby" | "sign_in" | "new" | "match" | "settings" | "player" | "rules" | "verify" | "confirm" | "reset" | "lost";
    /** Match id, player name or rule number. */
    id?: string;
    /** Whose rules. */
    game?: string;
    query: URLSearchParams;
}

/** Reads an address: /, /sign-in, /new, /match/ID[?code=..&as=..], /settings, /player/NAME, /rules[/GAME][/W5.2], /verify[/ID], /confirm, /reset. */
export function placeOf(address: string): Place {
    const url = new URL(address, location.origin);
    const query = url.searchParams;
    const [first = "", second, third] = url.pathname.split("/").slice(1).map(decodeURIComponent);
    const id = second === undefined || second === "" ? {} : { id: second };
    switch (first) {
        case "":
            return { page: "lobby", query };
        case "sign-in":
            return { page: "sign_in", query };
        case "new":
            return { page: "new", query };
        case "settings":
        case "confirm":
        case "reset":
            return { page: first, query };
        case "match":
            return second ? { page: "match", ...id, query } : { page: "lost", query };
        case "player":
            return second ? { page: "player", ...id, query } : { page: "lost", query };
        case "rules":
            // Rules without a game are the first one's, as they have always been linked.
            if (second === undefined || second === "" || /^[WR]?\d/.test(second)) return { page: "rules", ...id, query };
            return { page: "rules", game: second, ...(third === undefined || third === "" ? {} : { id: third }), query };
        case "verify":
            return { page: "verify", ...id, query };
        default:
            return { page: "lost", query };
    }
}
