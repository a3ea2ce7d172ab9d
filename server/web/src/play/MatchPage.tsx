/** The match page: follows one match and lays out bar, record, board and panel around it. */
import { effect, signal, useComputed, useSignalEffect, type Signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { pageTitle } from "@/app/banner";
import { announce } from "@/app/live";
import { Bar } from "@/app/Bar";
import { Suspense } from "@/app/lazy";
import { LinkStrip } from "@/app/LinkStrip";
import { battlesOf } from "@/battle/model";
import { watchClock } from "@/clock/alarm";
import { settings } from "@/app/settings";
import { MatchStore } from "@/net/match";
import { Refusal } from "@/net/rpc";
import { account } from "@/net/session";
import { tellSeen } from "@/notices/seen";
import { BoardPart } from "@/play/BoardPart";
import { MatchContextHolder, type MatchContext, type Scene } from "@/play/context";
import type { Desk } from "@/play/desk";
import { deskKey, openDesk } from "@/play/desks";
import { PlayFrame } from "@/play/PlayFrame";
import { EmptyPanel } from "@/play/Panel";
import { OpenTable, RuleSheet } from "@/play/parts";
import { PlayHolder, type OpenSheet, type Pane, type PlayState, type Stop } from "@/play/state";
import { WatchDesk } from "@/play/watch";
import type { View, Viewer } from "@/types";
import { t } from "@/words";
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
        let endTelling: (() => void) | undefined;
        let here = true;
        import("@/follow/tell").then(
            ({ tellSteps }) => {
                if (here) endTelling = tellSteps(match);
            },
            () => {},
        );
        const end = effect(() => {
            if (account.value === undefined || opened) return;
            opened = true;
            void match.open((query.get("as") as Viewer | null) ?? undefined);
        });
        const endClock = watchClock(match);
        return () => {
            here = false;
            end();
            endClock();
            endTelling?.();
            match.close();
        };
    }, [match]);
    const status = match.status.value;
    const summary = match.summary.value;
    if (status === "failed") return <Lost />;
    // What this account may not know of yet may be opened by a link's code.
    if (status === "not_found") return <Table id={id} query={query} onBegun={() => setRound(round + 1)} />;
    if (summary?.state === "open") return <Table id={id} query={query} onBegun={() => setRound(round + 1)} />;
    return <Match match={match} />;
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

function Match({ match }: { match: MatchStore }) {
    const rule = useMemo(() => signal<string | null>(null), [match]);
    const context = useMemo(() => makeContext(match, rule), [match]);
    const play = useMemo(() => makePlay(context), [match]);
    useSignalEffect(() => {
        const title = match.summary.value?.title ?? t("game.waterloo");
        const view = match.view.value;
        pageTitle.value = match.myTurn.value && view !== null ? `${play.desk.value.headline(view)}, ${title}` : title;
    });
    useEffect(() => tellSeen(context), [context]);
    const ready = useComputed(() => match.view.value !== null);
    return (
        <MatchContextHolder.Provider value={context}>
            <PlayHolder.Provider value={play}>
                {ready.value ? <PlayFrame /> : <Loading late={match.as.value === "all" && match.status.value === "ready" ? (match.summary.value?.delay ?? 0) : 0} />}
                {rule.value !== null && (
                    <Suspense fallback={null}>
                        <RuleSheet rule={rule.value} onRule={(next) => (rule.value = next)} onClose={() => (rule.value = null)} />
                    </Suspense>
                )}
            </PlayHolder.Provider>
        </MatchContextHolder.Provider>
    );
}

/** The page at once, its paper empty. late: watchers so many turns behind, who are shown nothing yet. */
function Loading({ late }: { late: number }) {
    return (
        <div class="play" data-scene="map">
            <Bar />
            <LinkStrip />
            <div class="play-middle">
                <main class="play-board" aria-busy={late === 0}>
                    {late === 0 ? (
                        <BoardPart />
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

function makeContext(match: MatchStore, rule: Signal<string | null>): MatchContext {
    return {
        match,
        scene: signal<Scene>({ kind: "map" }),
        focus: signal(null),
        shown: signal<View | null>(null),
        openRule: (wanted) => (rule.value = wanted),
    };
}

function makePlay(context: MatchContext): PlayState {
    const { match } = context;
    const desk = signal<Desk>(new WatchDesk("wait"));
    let key = "";
    let seen: View | null = null;
    let first = true;
    effect(() => {
        const view = match.view.value;
        const seat = match.seat.value;
        if (view === null || view === seen) return;
        seen = view;
        const next = deskKey(view, seat);
        if (next !== key) {
            key = next;
            desk.value = openDesk(match, view, next);
            turnTo(context, view, next);
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
        commit: () => {
            const view = match.view.value;
            const button = view === null || context.shown.value !== null ? null : desk.value.commit(view);
            if (button !== null && button.why === undefined && !match.busy.value) void button.run();
        },
        undo: () => void undo(play),
    };
    return play;
}

/** A question that has come is shown where it is answered; who waits keeps looking where he looks. */
function turnTo(context: MatchContext, view: View, key: string): void {
    if (key === "wait" || key === "over") return;
    if (key !== "battle") {
        context.scene.value = { kind: "map" };
        return;
    }
    const prompt = view.prompt;
    const battles = battlesOf(view).filter((town) => view.board.battles?.[town]?.phase !== "over");
    const asked = prompt !== undefined && "battle" in prompt ? prompt.battle : battles[0];
    if (asked !== undefined) context.scene.value = { kind: "battle", town: asked };
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
