/** The panel: the question, what rules ask, the draft, the one dark button, and the tabs below. */
import { Suspense } from "@/app/lazy";
import { follow } from "@/app/router";
import { online } from "@/net/session";
import { Claims } from "@/clock/Claims";
import { Due } from "@/clock/Due";
import { DraftPart } from "@/drafts/DraftPart";
import { HeldNotice } from "@/clock/HeldNotice";
import { useMatch, viewToDraw } from "@/play/context";
import { isOver } from "@/play/games";
import { isSheet, layout } from "@/play/layout";
import { Offers } from "@/play/Offers";
import { BattlePanel, FollowTabs, OverPanel, ProofNotice } from "@/play/parts";
import { Refused } from "@/play/Refused";
import { SheetHandle } from "@/play/SheetHandle";
import { usePlay } from "@/play/state";
import { Waiting } from "@/play/Waiting";
import type { View } from "@/types";
import { Rich, t } from "@/words";

export function Panel() {
    const { pane } = usePlay();
    const context = useMatch();
    const view = viewToDraw(context);
    const sheet = isSheet(layout.value);
    const { game } = context;
    if (view === null) return <EmptyPanel />;
    const other = pane.value !== "map" && (sheet || layout.value === "land");
    return (
        <aside class="panel" aria-label={t("play.panel")} id="panel">
            {sheet && <SheetHandle />}
            {other ? (
                <div class="panel-follow whole">
                    <Suspense fallback={null}>
                        <FollowTabs only={pane.value as "log" | "chat" | "armies"} />
                    </Suspense>
                </div>
            ) : (
                <Decision view={view} />
            )}
            {!sheet && !other && layout.value !== "land" && game.Below !== undefined && <game.Below view={view} />}
            {!sheet && !other && layout.value !== "land" && (
                <div class="panel-follow">
                    <Suspense fallback={null}>
                        <FollowTabs />
                    </Suspense>
                </div>
            )}
        </aside>
    );
}

/** The panel while the match is fetched: its three rules and nothing else. */
export function EmptyPanel() {
    return (
        <aside class="panel panel-empty" aria-label={t("play.panel")} aria-busy="true">
            <div class="panel-prompt" />
            <div class="panel-scroll" />
            <div class="panel-foot" />
            {!isSheet(layout.value) && <div class="panel-follow panel-follow-empty" />}
        </aside>
    );
}

function Decision({ view }: { view: View }) {
    const { desk } = usePlay();
    const { match, shown, game } = useMatch();
    const now = desk.value;
    const Body = game.bodies[now.kind];
    const replay = shown.value !== null;
    const over = match.view.value !== null && isOver(match.view.value);
    return (
        <>
            {isSheet(layout.value) && game.HeldPrompt !== undefined && game.isHeld?.(now) === true && !replay ? (
                <game.HeldPrompt view={view} />
            ) : (
                <Prompt view={over ? (match.view.value ?? view) : view} />
            )}
            <Suspense fallback={null}>
                <ProofNotice match={match.id} />
            </Suspense>
            {match.movedElsewhere.value !== null && now.draft?.refused.value == null && <Moved how={match.movedElsewhere.value} />}
            {!isSheet(layout.value) && <DraftPart />}
            <HeldNotice />
            <Claims />
            <Offers />
            {over ? (
                <div class="panel-scroll">
                    <Suspense fallback={null}>
                        <OverPanel />
                    </Suspense>
                </div>
            ) : game.whole.has(now.kind) && !replay ? (
                <BattlePart />
            ) : (
                <>
                    <div class={now.kind === "wait" || replay ? "panel-scroll slim" : "panel-scroll"}>
                        {isSheet(layout.value) && <DraftPart />}
                        {!replay && (Body === undefined ? <Waiting view={view} /> : <Body view={view} />)}
                    </div>
                    {!replay && <Foot view={view} />}
                </>
            )}
        </>
    );
}

function BattlePart() {
    const { scene } = useMatch();
    return (
        <Suspense fallback={<div class="panel-scroll" />}>
            <BattlePanel town={scene.value.kind === "battle" ? scene.value.town : null} />
        </Suspense>
    );
}

function Prompt({ view }: { view: View }) {
    const { desk } = usePlay();
    const { match, openRule, shown, game } = useMatch();
    const summary = match.summary.value;
    const now = desk.value;
    const over = now.overline?.(view) ?? { text: overline(view, summary?.state === "running" && summary.revealed !== true ? (summary.delay ?? 0) : 0) };
    // On a phone the room is the draft's once there is one.
    const begun = (isSheet(layout.value) || layout.value === "land") && now.begun?.(view) === true;
    const corner = game.corner(view);
    return (
        <div class="panel-prompt" id="prompt" tabIndex={-1}>
            <p class={over.urgent ? "overline urgent" : "overline"}>
                <span>{over.text}</span>
                {corner !== "" && <span class="turn-of">{corner}</span>}
            </p>
            <h2 class="headline">
                {view.turn?.night && !isOver(view) && <Moon />}
                {now.headline(view)}
            </h2>
            {!begun && (
                <p class="ask">
                    <Rich of={now.sentence(view)} onRule={openRule} /> <ShowMe view={view} />
                </p>
            )}
            {shown.value === null && <Due />}
            <game.Phases view={view} />
        </div>
    );
}

/** Moves the map to the towns that are spoken of. */
function ShowMe({ view }: { view: View }) {
    const { desk } = usePlay();
    const { focus, scene } = useMatch();
    const town = desk.value.about?.(view)[0];
    if (town === undefined || scene.value.kind !== "map") return null;
    return (
        <button type="button" class="link-button" onClick={() => (focus.value = { town, n: (focus.value?.n ?? 0) + 1 })}>
            {t("play.show_me")}
        </button>
    );
}

/** Whose question it is: "Your march · French". */
export function overline(view: View, late = 0): string {
    const seat = view.as;
    if (isOver(view)) return t("play.over");
    if (seat === "all" && late > 0) return t("play.looking_late", { n: late });
    if (seat === "public" || seat === "all") return t("play.looking");
    const mine = view.to_act.includes(seat);
    return t(mine ? "play.your_turn" : "play.you_wait", { side: seat, state: view.state });
}

function Moon() {
    return (
        <svg class="moon" width="20" height="20" viewBox="0 0 20 20" role="img" aria-label={t("play.night")}>
            <path d="M13.5 2.2A8 8 0 1 0 17.8 13 6.6 6.6 0 0 1 13.5 2.2z" fill="currentColor" />
        </svg>
    );
}

function Moved({ how }: { how: "window" | "orders" }) {
    const { match } = useMatch();
    return (
        <p class="notice panel-notice" role="status">
            {t(how === "orders" ? "orders.answered" : "play.moved_elsewhere")}{" "}
            <button type="button" class="button quiet" onClick={() => (match.movedElsewhere.value = null)}>
                {t("ui.close")}
            </button>
        </p>
    );
}

function Foot({ view }: { view: View }) {
    const { desk, commit, undo } = usePlay();
    const { match, openRule } = useMatch();
    const now = desk.value;
    const button = now.commit(view);
    const undoable = view.undo === true || (now.undo !== undefined && "canUndo" in now && (now as { canUndo: boolean }).canUndo);
    if (button === null) return null;
    const barred = button.why !== undefined || now.draft?.waits.value === true;
    const label = online.value || now.planning === true ? button.label : t("play.send_when_back");
    return (
        <div class="panel-foot">
            <Refused desk={now} at="end" />
            <div class="foot-row">
                <button
                    type="button"
                    class="button primary commit"
                    aria-disabled={barred || match.busy.value}
                    aria-describedby="commit-note"
                    onClick={() => !barred && commit()}
                >
                    {label}
                </button>
                {undoable && (
                    <button type="button" class="button icon-button undo" aria-label={t("play.undo")} title={t("play.undo")} onClick={undo}>
                        <UndoArrow />
                    </button>
                )}
            </div>
            <div class="foot-note" id="commit-note">
                {button.why !== undefined ? (
                    <span class="why">
                        <Rich of={button.why} onRule={openRule} />
                    </span>
                ) : (
                    <span>{button.note}</span>
                )}
                <span class="foot-keys" aria-hidden="true">
                    <kbd>Ctrl</kbd> <kbd>Enter</kbd>
                </span>
            </div>
        </div>
    );
}

export function UndoArrow() {
    return (
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path d="M6.5 3.5L3 7l3.5 3.5M3.4 7H11a3.8 3.8 0 0 1 0 7.6H8" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
    );
}

/** A link to sign in for those who only look. */
export function SignInLink() {
    return (
        <a href="/sign-in" onClick={follow}>
            {t("bar.sign_in")}
        </a>
    );
}
