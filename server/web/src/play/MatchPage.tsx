/** The match page: follows one match and lays out bar, record, board and panel around it. */
import { effect, signal, useComputed, useSignalEffect, type Signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { pageTitle } from "@/app/banner";
import { announce } from "@/app/live";
import { Bar } from "@/app/Bar";
import { Suspense } from "@/app/lazy";
import { LinkStrip } from "@/app/LinkStrip";
import { watchClock } from "@/clock/alarm";
import { settings } from "@/app/settings";
import { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { account } from "@/net/session";
import { tellSeen } from "@/notices/seen";
import { MatchContextHolder, viewToDraw, type MatchContext, type Scene } from "@/play/context";
import type { Decision } from "@/play/desk";
import { gameHere, loadGame, type GameParts } from "@/play/games";
import { PlayFrame } from "@/play/PlayFrame";
import { EmptyPanel } from "@/play/Panel";
import { OpenTable, RuleSheet } from "@/play/parts";
import { PlayHolder, type OpenSheet, type Pane, type PlayState, type Stop } from "@/play/state";
import type { Seat, View, Viewer } from "@/types";
import { gameName } from "@/play/title";
import { commas, sideName, t } from "@/words";
import "@/play/play.css";
import "@/play/panel.css";

interface MatchPageProps {
    id: string;
    query: URLSearchParams;
}

export default function MatchPage({ id, query }: MatchPageProps) {
    const [round, setRound] = useState(0);
    const match = useMemo(() => new MatchStore(id), [id, round]);
    useEffect(() => {
        // The match is asked for once it is known who asks.
        let opened = false;
        const end = effect(() => {
            if (account.value === undefined || opened) return;
            opened = true;
            void match.open((query.get("as") as Viewer | null) ?? undefined);
        });
        const endClock = watchClock(match);
        return () => {
            end();
            endClock();
            match.close();
        };
    }, [match]);
    const status = match.status.value;
    const summary = match.summary.value;
    if (status === "failed") return <Lost />;
    // What this account may not know of yet may be opened by a link's code.
    if (status === "not_found") return <Table id={id} query={query} onBegun={() => setRound(round + 1)} />;
    if (summary?.state === "open") return <Table id={id} query={query} onBegun={() => setRound(round + 1)} />;
    return <Fetched match={match} />;
}

/** The match once its game's parts are here. */
function Fetched({ match }: { match: MatchStore }) {
    const game = match.summary.value?.game;
    const [parts, setParts] = useState<GameParts | null | undefined>(game === undefined ? undefined : gameHere(game));
    useEffect(() => {
        if (game === undefined || parts !== undefined) return;
        let here = true;
        loadGame(game).then(
            (got) => here && setParts(got ?? null),
            () => here && setParts(null),
        );
        return () => {
            here = false;
        };
    }, [game]);
    if (parts === null) return <Lost />;
    return parts === undefined ? <Loading late={0} /> : <Match match={match} game={parts} />;
}

function Lost() {
    return (
        <>
            <Bar />
            <LinkStrip />
            <main class="page-plain">
                <h1>{t("play.failed")}</h1>
                <p>
                    <a href="/">{t("app.lost.home")}</a>
                </p>
            </main>
        </>
    );
}

function Table({ id, query, onBegun }: MatchPageProps & { onBegun: () => void }) {
    return (
        <>
            <Bar />
            <LinkStrip />
            <main>
                <Suspense fallback={null}>
                    <OpenTable id={id} query={query} onBegun={onBegun} />
                </Suspense>
            </main>
        </>
    );
}

function Match({ match, game }: { match: MatchStore; game: GameParts }) {
    const rule = useMemo(() => signal<string | null>(null), [match]);
    const context = useMemo(() => makeContext(match, game, rule), [match]);
    const play = useMemo(() => makePlay(context), [match]);
    useSignalEffect(() => {
        const title = match.summary.value?.title ?? gameName(match.summary.value?.game);
        const view = match.view.value;
        pageTitle.value = match.myTurn.value && view !== null ? `${play.desk.value.headline(view)}, ${title}` : title;
    });
    useEffect(() => tellSeen(context), [context]);
    useEffect(() => {
        let end: (() => void) | undefined;
        let here = true;
        import("@/follow/tell").then(
            ({ tellSteps }) => {
                if (here) end = tellSteps(match, game);
            },
            () => {},
        );
        return () => {
            here = false;
            end?.();
        };
    }, [match]);
    const ready = useComputed(() => match.view.value !== null);
    // What a combat came to, and what was missed, is told from the steps: on a phone too, whose log is shut.
    useSignalEffect(() => {
        if (ready.value) void match.loadHistory().catch(() => {});
    });
    return (
        <MatchContextHolder.Provider value={context}>
            <PlayHolder.Provider value={play}>
                {ready.value ? (
                    <PlayFrame />
                ) : (
                    <Loading
                        late={match.as.value === "all" && match.status.value === "ready" ? (match.summary.value?.delay ?? 0) : 0}
                        waits={awaited(match).map((seat) => match.nameOf(seat) ?? sideName(seat))}
                    />
                )}
                {rule.value !== null && (
                    <Suspense fallback={null}>
                        <RuleSheet game={match.view.value?.game ?? "waterloo"} rule={rule.value} onRule={(next) => (rule.value = next)} onClose={() => (rule.value = null)} />
                    </Suspense>
                )}
            </PlayHolder.Provider>
        </MatchContextHolder.Provider>
    );
}

/** Seats whose share in the dice a match that begins with a deal still waits for. */
function awaited(match: MatchStore): Seat[] {
    const { state, nonces } = match.summary.value ?? {};
    if (state !== "running" || match.status.value !== "ready") return [];
    return (Object.entries(nonces ?? {}) as [Seat, string][]).filter(([, how]) => how === "awaited").map(([seat]) => seat);
}

/** The page at once, its paper empty. late: watchers so many turns behind, who are shown nothing yet; waits: whom the deal waits for. */
function Loading({ late, waits = [] }: { late: number; waits?: readonly string[] }) {
    return (
        <div class="play" data-scene="map">
            <Bar />
            <LinkStrip />
            <div class="play-middle">
                <main class="play-board" aria-busy={late === 0 && waits.length === 0}>
                    {waits.length > 0 ? (
                        <p class="play-not-yet told" role="status">
                            {t("play.awaits_nonces", { names: commas(waits) })}
                        </p>
                    ) : late === 0 ? (
                        <div class="board-empty" />
                    ) : (
                        <p class="play-not-yet told" role="status">
                            {t("play.looking_late", { n: late })}
                            {t("list.sentences")}
                            {t("play.not_yet")}
                        </p>
                    )}
                </main>
                <EmptyPanel />
            </div>
        </div>
    );
}

function makeContext(match: MatchStore, game: GameParts, rule: Signal<string | null>): MatchContext {
    return {
        match,
        game,
        scene: signal<Scene>({ kind: "map" }),
        focus: signal(null),
        shown: signal<View | null>(null),
        drafted: signal<View | null>(null),
        openRule: (wanted) => (rule.value = wanted),
    };
}

function makePlay(context: MatchContext): PlayState {
    const { match, game } = context;
    const desk = signal<Decision>(game.lookDesk(match));
    const planning = signal(false);
    const away = (): void => void (planning.value = false);
    let key = "";
    let seen: View | null = null;
    let first = true;
    effect(() => void (context.drafted.value = desk.value.drafted?.value ?? null));
    match.onClose(() => desk.peek().close?.());
    effect(() => {
        const view = match.view.value;
        const seat = match.seat.value;
        const next = view === null ? "" : game.deskKey(view, seat, planning.value);
        if (view === null || (view === seen && next === key)) return;
        seen = view;
        if (next !== key) {
            key = next;
            if (!next.startsWith("plan")) planning.value = false;
            desk.peek().close?.();
            desk.value = game.openDesk(match, view, next, away);
            game.turnTo?.(context, view, next);
            if (!first && next !== "wait") announce(desk.peek().headline(view));
        }
        first = false;
        desk.peek().viewed(view);
    });
    const play: PlayState = {
        context,
        desk,
        pane: signal<Pane>("map"),
        stop: signal<Stop>("half"),
        list: signal(settings.peek().listFirst),
        open: signal<OpenSheet | null>(null),
        planning,
        commit: () => {
            const view = viewToDraw(context);
            const button = view === null || context.shown.value !== null ? null : desk.value.commit(view);
            if (button !== null && button.why === undefined && !match.busy.value) void button.run();
        },
        undo: () => void undo(play),
    };
    return play;
}

/** One step back: on the desk itself, else of what the server keeps. */
async function undo(play: PlayState): Promise<void> {
    const { match } = play.context;
    const desk = play.desk.value;
    if (desk.undo?.() || match.view.value?.undo !== true) return;
    try {
        await match.undo();
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        desk.refused.value = { at: "end", refusal: error };
    }
}
