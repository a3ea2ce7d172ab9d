/** Bar, tabs, record, board and panel of a match that is under way, at every width. */
import { useEffect, useState } from "preact/hooks";
import { Bar } from "@/app/Bar";
import { Suspense } from "@/app/lazy";
import { LinkStrip } from "@/app/LinkStrip";
import { follow } from "@/app/router";
import { battleWords } from "@/battle/tabs";
import { RecordStrip } from "@/board/Map";
import { BattleTabs } from "@/play/BattleTabs";
import { BoardPart } from "@/play/BoardPart";
import { BottomNav } from "@/play/BottomNav";
import { useMatch, viewToDraw } from "@/play/context";
import { press } from "@/play/keyboard";
import { KeysSheet } from "@/play/KeysSheet";
import { isSheet, layout } from "@/play/layout";
import { MarchDesk } from "@/play/march";
import { MarchSheet } from "@/play/MarchSheet";
import { MenuSheet } from "@/play/MenuSheet";
import { Panel } from "@/play/Panel";
import { MatchNoticesSheet, OrdersSheet, ReplayBar, SeatSheet, WhySheet } from "@/play/parts";
import { SeatsBar } from "@/play/SeatsBar";
import { SetUpDesk } from "@/play/setup";
import { Carried, NameSheet } from "@/play/SetUpBody";
import { heightAt } from "@/play/SheetHandle";
import { usePlay } from "@/play/state";
import { TownSheet } from "@/play/TownSheet";
import type { View } from "@/types";
import { commas, sideName, t, townName } from "@/words";

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
    const setUp = (view.turn?.slot ?? 0) === 0;
    const record = !setUp && context.scene.value.kind === "map" && !phone;
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
            <BattleTabs view={view} />
            {record && <Record view={view} form={kind === "mid" ? "days" : "full"} />}
            <div class="play-middle">
                {kind === "land" && <BottomNav view={view} />}
                <main class="play-board" id="board-part" tabIndex={-1} aria-label={t("play.board")}>
                    {phone && !setUp && context.scene.value.kind === "map" && !play.list.value && <Record view={view} form="card" />}
                    <BoardPart />
                    {(context.shown.value !== null || view.state === "GAME_OVER") && (
                        <Suspense fallback={null}>
                            <ReplayBar />
                        </Suspense>
                    )}
                </main>
                <Panel />
            </div>
            {isSheet(kind) && <BottomNav view={view} />}
            <Carried view={view} />
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

function Record({ view, form }: { view: View; form: "full" | "days" | "card" }) {
    const { match } = useMatch();
    const turn = view.turn;
    if (turn === undefined) return null;
    const record = match.board.value?.time_record;
    return <RecordStrip turn={turn as never} nations={view.board.nations as never} form={form} {...(record === undefined ? {} : { record })} />;
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

function titleOf(title: string | undefined): string {
    return title ?? t("game.waterloo");
}

function WideBar({ view }: { view: View }) {
    const { match } = useMatch();
    const { open } = usePlay();
    const summary = match.summary.value;
    return (
        <Bar
            title={
                <>
                    <strong>{t("game.waterloo")}</strong>
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
    const { match, scene } = useMatch();
    const { open, desk } = usePlay();
    const mine = match.myTurn.value;
    const battle = scene.value.kind === "battle" ? scene.value.town : undefined;
    const seats = commas(view.waits_for.map((seat) => match.nameOf(seat) ?? sideName(seat)));
    return (
        <header class="bar bar-phone">
            <a class="bar-back" href="/" onClick={follow} aria-label={t("bar.lobby")}>
                <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                    <path d="M12.5 3.5L6 10l6.5 6.5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" />
                </svg>
            </a>
            <span class="bar-phone-title">
                <b>{battle === undefined ? titleOf(match.summary.value?.title) : t("battle.of", { town: townName(battle) })}</b>
                <span>{battle !== undefined ? battleWords(view, battle) : mine ? desk.value.headline(view) : seats === "" ? t("play.over") : t("play.waits_short", { names: seats })}</span>
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
    const { match } = useMatch();
    const close = (): void => void (open.value = null);
    const now = desk.value;
    const view = match.view.value;
    if (view !== null && now instanceof MarchDesk && now.sheet.value) return <MarchSheet desk={now} view={view} />;
    if (now instanceof SetUpDesk && now.naming.value) return <NameSheet desk={now} onClose={() => (now.naming.value = false)} />;
    switch (open.value) {
        case "keys":
            return <KeysSheet onClose={close} />;
        case "menu":
            return <MenuSheet onClose={close} />;
        case "town":
            return <TownSheet onClose={close} />;
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
