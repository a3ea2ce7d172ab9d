/** What the lobby shows besides the own matches: open tables, running ones to watch, finished ones. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { refreshMineSoon } from "@/app/waiting";
import { seatClock } from "@/clock/state";
import { msOf } from "@/clock/types";
import { boardOf } from "@/net/match";
import { account, onReconnect, rpc } from "@/net/session";
import type { BoardData, GameAbout, Seat, Step, Summary, View } from "@/types";
import { has } from "@/words";

/** Open tables, newest first; null until they were asked for. */
export const openTables: Signal<Summary[] | null> = signal(null);
/** Running matches that anybody may watch. */
export const runningTables: Signal<Summary[] | null> = signal(null);
/** Running matches with a seat that others may take. */
export const vacantTables: Signal<Summary[] | null> = signal(null);
/** Finished matches: the account's own, or everybody's while nobody is signed in. */
export const finishedTables: Signal<Summary[] | null> = signal(null);
/** Where the list of finished matches goes on; null: it ends. */
export const finishedNext: Signal<string | null> = signal(null);
/** Bots that take invitations now. */
export const bots: Signal<Bot[]> = signal([]);

/** Of the bots that play a game (null: any) the one the page offers: the server's own that plays by plain sense goes first. */
export function botOf(game: string | null): Bot | null {
    const here = bots.value.filter((bot) => game === null || bot.games.includes(game));
    return here.find((bot) => bot.level !== undefined && bot.level !== "random") ?? here.find((bot) => bot.level === undefined) ?? here[0] ?? null;
}

/** The bot that is named where no game is chosen yet; null: none is here. */
export const offeredBot: ReadonlySignal<Bot | null> = computed(() => botOf(null));
export const botName: ReadonlySignal<string | null> = computed(() => offeredBot.value?.name ?? null);
/** Does the server seat bots of its own? */
export const ownBots: ReadonlySignal<boolean> = computed(() => bots.value.some((bot) => bot.level !== undefined));

export interface Bot {
    name: string;
    games: string[];
    /** Of the server's own: how it plays. match.bot seats it. */
    level?: string;
}

const EVERY_MS = 20000;
const SOON_MS = 200;
let asked = 0;
/** Whose finished matches are listed; "" everybody's. */
let listedFor = "";
let soon: ReturnType<typeof setTimeout> | undefined;

interface Listed {
    matches: Summary[];
    next?: string;
}

function list(filter: string, more: Record<string, unknown> = {}): Promise<Listed> {
    return rpc.call<Listed>("match.list", { filter, limit: 40, ...more });
}

function ownFinished(): Record<string, unknown> {
    const me = account.peek()?.name;
    return me === undefined ? {} : { player: me };
}

/** What was played to its end. */
function played(matches: Summary[]): Summary[] {
    return matches.filter((match) => match.state === "over");
}

/** Fetches the next page of finished matches. */
export async function moreFinished(): Promise<void> {
    const before = finishedNext.peek();
    if (before === null) return;
    const found = await list("finished", { ...ownFinished(), before });
    finishedTables.value = [...(finishedTables.peek() ?? []), ...played(found.matches)];
    finishedNext.value = found.next ?? null;
}

/** The newest page over what was fetched before: older pages stay. */
function takeFinished(found: Listed): void {
    const known = finishedTables.peek();
    const oldest = found.matches[found.matches.length - 1]?.match;
    const at = known?.findIndex((match) => match.match === oldest) ?? -1;
    const older = at < 0 ? [] : (known ?? []).slice(at + 1);
    finishedTables.value = [...played(found.matches), ...older];
    if (older.length === 0) finishedNext.value = found.next ?? null;
}

async function refreshLists(): Promise<void> {
    const mark = ++asked;
    const me = account.peek()?.name ?? "";
    if (me !== listedFor) finishedTables.value = null;
    listedFor = me;
    const [open, running, vacant, finished] = await Promise.all([list("open"), list("running"), list("vacant"), list("finished", ownFinished())]);
    if (mark !== asked) return;
    openTables.value = open.matches;
    runningTables.value = running.matches.filter((match) => match.spectators === "public" || match.spectators === "delayed");
    vacantTables.value = vacant.matches;
    takeFinished(finished);
}

async function refreshBots(): Promise<void> {
    try {
        bots.value = (await rpc.call<{ bots: Bot[] }>("account.bots")).bots;
    } catch {
        bots.value = [];
    }
}

/** Asks for the lists again in a moment; several wishes in a row are one question. */
export function refreshListsSoon(): void {
    clearTimeout(soon);
    soon = setTimeout(() => {
        void refreshLists().catch(() => {});
        void refreshBots();
    }, SOON_MS);
}

/** Keeps the lists fresh while a page that shows them is open. */
export function useLists(): void {
    useEffect(() => {
        refreshListsSoon();
        refreshMineSoon();
        const ends = [
            rpc.on("account.turn", refreshListsSoon),
            rpc.on("match.changed", refreshListsSoon),
            onReconnect(refreshListsSoon),
            account.subscribe(refreshListsSoon),
        ];
        const timer = setInterval(() => {
            if (document.visibilityState === "visible") refreshListsSoon();
        }, EVERY_MS);
        return () => {
            clearInterval(timer);
            for (const end of ends) end();
        };
    }, []);
}

/** The games that this server has. */
export const games: Signal<GameAbout[]> = signal([]);

/** Those of them that this page has words for. */
export const playable: ReadonlySignal<GameAbout[]> = computed(() => games.value.filter((game) => has(`game.${game.game}.title`)));

export async function loadGames(): Promise<void> {
    if (games.value.length > 0) return;
    games.value = (await rpc.call<{ games: GameAbout[] }>("game.list")).games;
}

/** The board of a game, once it has come. */
export function useBoard(game: string, base: "real" | "fixture" = "real"): BoardData | null {
    const [board, setBoard] = useState<BoardData | null>(null);
    useEffect(() => {
        let on = true;
        boardOf(game, base).then(
            (got) => on && setBoard(got),
            () => {},
        );
        return () => {
            on = false;
        };
    }, [game, base]);
    return board;
}

/** A view for a picture, the last step that told something, and since when it stands so. */
export interface Look {
    view: View;
    last: Step | null;
    since: number;
}

const looks = new Map<string, Look>();

async function look(match: Summary, as: Seat | "public"): Promise<Look> {
    const [view, history] = await Promise.all([
        rpc.call<View>("match.view", { match: match.match, as, actions: false }),
        rpc.call<{ steps: Step[] }>("match.history", { match: match.match, as, limit: 6 }),
    ]);
    const { steps } = history;
    const told = steps.filter((step) => step.events.length > 0);
    return { view, last: told[told.length - 1] ?? null, since: steps[steps.length - 1]?.at ?? match.started_at ?? 0 };
}

function lookId(match: Summary, as: Seat | "public"): string {
    return `${match.match} ${as} ${match.seq ?? 0}`;
}

/** The matches by deadline, then by how long they have waited, the longest first; null until that is known. */
export function useLongestFirst(matches: Summary[], seatOf: (match: Summary) => Seat): Summary[] | null {
    const ids = matches.map((match) => lookId(match, seatOf(match)));
    const [, setKnown] = useState(0);
    useEffect(() => {
        let on = true;
        const asked = matches.map((match, i) => {
            const known = looks.has(ids[i] ?? "");
            return known ? undefined : look(match, seatOf(match)).then((got) => looks.set(ids[i] ?? "", got));
        });
        Promise.allSettled(asked).then(() => on && setKnown((n) => n + 1));
        return () => {
            on = false;
        };
    }, [ids.join()]);
    const since = (match: Summary): number => looks.get(lookId(match, seatOf(match)))?.since ?? match.started_at ?? 0;
    const due = (match: Summary): number => {
        const deadline = seatClock(match, seatOf(match))?.deadline;
        return deadline === undefined ? Infinity : msOf(deadline);
    };
    const urgent = (a: Summary, b: Summary): number => (due(a) === due(b) ? since(a) - since(b) : due(a) - due(b));
    return ids.every((id) => looks.has(id)) ? [...matches].sort(urgent) : null;
}

/** How a match looks to a seat now; null while it is asked for. */
export function useLook(match: Summary, as: Seat | "public"): Look | null {
    const id = lookId(match, as);
    const [now, setNow] = useState<Look | null>(looks.get(id) ?? null);
    useEffect(() => {
        const known = looks.get(id);
        if (known !== undefined) {
            setNow(known);
            return;
        }
        let on = true;
        look(match, as).then(
            (got) => {
                looks.set(id, got);
                if (on) setNow(got);
            },
            () => {},
        );
        return () => {
            on = false;
        };
    }, [id]);
    return now;
}
