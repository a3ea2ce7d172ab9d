/** Bar, tabs, record, board and panel of a match that is under way, at every width. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { Suspense } from "@/app/lazy";
import { LinkStrip } from "@/app/LinkStrip";
import { follow } from "@/app/router";
import { BottomNav } from "@/play/BottomNav";
import { useMatch, viewToDraw } from "@/play/context";
import { isOver } from "@/play/games";
import { press } from "@/play/keyboard";
import { KeysSheet } from "@/play/KeysSheet";
import { isSheet, layout } from "@/play/layout";
import { MenuSheet } from "@/play/MenuSheet";
import { Panel } from "@/play/Panel";
import { MatchNoticesSheet, OrdersSheet, ReplayBar, SeatSheet, WhySheet } from "@/play/parts";
import { SeatsBar } from "@/play/SeatsBar";
import { heightAt } from "@/play/SheetHandle";
import { usePlay } from "@/play/state";
import { gameName } from "@/play/title";
import type { View } from "@/types";
import { rulesPath } from "@/ui/rules";
import { armyOf, commas, t } from "@/words";

export function PlayFrame() {
    const play = usePlay();
    const context = useMatch();
    const view = viewToDraw(context);
    const kind = layout.value;
    useEffect(() => {
        const heard = (event: KeyboardEvent): void => {
            if (press(event, play)) event.preventDefault();
        };
        addEventListener("keydown", heard);
        return () => removeEventListener("keydown", heard);
    }, [play]);
    if (view === null) return null;
    const phone = kind === "phone" || kind === "land" || kind === "sheet";
    const { Board, Record, Tabs, Extras, hasRecord } = context.game;
    const record = hasRecord(view) && context.scene.value.kind === "map";
    return (
        <div
            class="play"
            data-layout={kind}
            data-scene={context.scene.value.kind}
            data-night={view.turn?.night ? "yes" : undefined}
            style={{ "--sheet": `${useSheetHeight()}px` } as never}
        >
            <SkipLinks />
            {phone ? <PhoneBar view={view} /> : <WideBar view={view} />}
            <LinkStrip />
            {Tabs !== undefined && <Tabs view={view} />}
            {record && !phone && <Record view={view} form={kind === "mid" ? "days" : "full"} />}
            <div class="play-middle">
                {kind === "land" && <BottomNav view={view} />}
                <main class="play-board" id="board-part" tabIndex={-1} aria-label={t("play.board")}>
                    {phone && record && !play.list.value && <Record view={view} form="card" />}
                    <Board />
                    {(context.shown.value !== null || isOver(view)) && (
                        <Suspense fallback={null}>
                            <ReplayBar />
                        </Suspense>
                    )}
                </main>
                <Panel />
            </div>
            {isSheet(kind) && <BottomNav view={view} />}
            {Extras !== undefined && <Extras view={view} />}
            <Sheets />
        </div>
    );
}

/** Height of the sheet from below now, in px; 0 where the panel is at the side. */
export function useSheetHeight(): number {
    const { stop } = usePlay();
    const [height, setHeight] = useState(innerHeight);
    useEffect(() => {
        const heard = (): void => setHeight(innerHeight);
        addEventListener("resize", heard);
        return () => removeEventListener("resize", heard);
    }, []);
    return isSheet(layout.value) ? heightAt(stop.value, height) : 0;
}

function SkipLinks() {
    return (
        <div class="skip-links">
            <a href="#prompt">{t("play.skip_prompt")}</a>
            <a href="#board-part">{t("play.skip_board")}</a>
            <a href="#log">{t("play.skip_log")}</a>
        </div>
    );
}

function WideBar({ view }: { view: View }) {
    const { match } = useMatch();
    const { open } = usePlay();
    const summary = match.summary.value;
    return (
        <Bar
            rules={rulesPath(view.game)}
            title={
                <>
                    <strong>{gameName(view.game)}</strong>
                    {summary?.title !== undefined && <> · {summary.title}</>}
                    {summary?.rated === true && <> · {t("play.rated")}</>}
                    {(summary?.watching ?? 0) > 0 && <> · {t("play.watching", { n: summary?.watching ?? 0 })}</>}
                </>
            }
            middle={<SeatsBar view={view} />}
            right={
                <button type="button" class="bar-button" onClick={() => (open.value = "menu")}>
                    {t("play.menu")}
                </button>
            }
        />
    );
}

function PhoneBar({ view }: { view: View }) {
    const { match, scene, game } = useMatch();
    const { open, desk } = usePlay();
    const mine = match.myTurn.value;
    const words = scene.value.kind === "battle" ? game.sceneWords?.(view, scene.value.town) : undefined;
    const seats = commas(view.waits_for.map((seat) => match.nameOf(seat) ?? armyOf(view.game, seat)));
    return (
        <header class="bar bar-phone">
            <a class="bar-back" href="/" onClick={follow} aria-label={t("bar.lobby")}>
                <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                    <path d="M12.5 3.5L6 10l6.5 6.5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
                </svg>
            </a>
            <span class="bar-phone-title">
                <b>{words?.title ?? match.summary.value?.title ?? gameName(view.game)}</b>
                <span>{words !== undefined ? words.text : mine ? desk.value.headline(view) : seats === "" ? t("play.over") : t("play.waits_short", { names: seats })}</span>
            </span>
            <SeatsBar view={view} />
            <button type="button" class="bar-button dots" aria-label={t("play.menu")} onClick={() => (open.value = "menu")}>
                <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                    <circle cx="10" cy="4" r="1.8" fill="currentColor" />
                    <circle cx="10" cy="10" r="1.8" fill="currentColor" />
                    <circle cx="10" cy="16" r="1.8" fill="currentColor" />
                </svg>
            </button>
        </header>
    );
}

function Sheets() {
    const { open, desk } = usePlay();
    const { match, game } = useMatch();
    const close = (): void => void (open.value = null);
    const now = desk.value;
    const view = match.view.value;
    const DeskSheet = view === null ? null : (game.sheetOf?.(now, view) ?? null);
    if (DeskSheet !== null) return <DeskSheet />;
    switch (open.value) {
        case "keys":
            return <KeysSheet onClose={close} />;
        case "menu":
            return <MenuSheet onClose={close} />;
        case "town":
            return <game.PlaceSheet onClose={close} />;
        case "why":
            return (
                <Suspense fallback={null}>
                    <WhySheet onClose={close} />
                </Suspense>
            );
        case "orders":
            return (
                <Suspense fallback={null}>
                    <OrdersSheet onClose={close} />
                </Suspense>
            );
        case "seat":
            return (
                <Suspense fallback={null}>
                    <SeatSheet onClose={close} />
                </Suspense>
            );
        case "notices":
            return (
                <Suspense fallback={null}>
                    <MatchNoticesSheet onClose={close} />
                </Suspense>
            );
        default:
            return null;
    }
}
