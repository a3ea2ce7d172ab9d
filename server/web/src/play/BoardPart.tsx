/** What stands in the board's place: the map with the desk's marks, the list of it, or a battle. */
import { useMemo } from "preact/hooks";
import { Suspense } from "@/app/lazy";
import { BoardMap } from "@/board/Map";
import { useMatch, viewToDraw } from "@/play/context";
import { nationsOf, ownByTown } from "@/play/desk";
import { isSheet, layout } from "@/play/layout";
import { ListView } from "@/play/ListView";
import { quietMarks } from "@/play/marks";
import { BattleScene } from "@/play/parts";
import { SetUpDesk } from "@/play/setup";
import { useMapPlay } from "@/play/state";
import { heightAt } from "@/play/SheetHandle";
import type { View } from "@/types";
import { sideName, t } from "@/words";

export function BoardPart() {
    const context = useMatch();
    const { list } = useMapPlay();
    const view = viewToDraw(context);
    const scene = context.scene.value;
    if (view === null) return <div class="board-empty" />;
    if (scene.kind === "battle" && view.board.battles?.[scene.town] !== undefined) {
        return (
            <Suspense fallback={<div class="board-empty" aria-busy="true" />}>
                <BattleScene town={scene.town} />
            </Suspense>
        );
    }
    return list.value ? <ListView view={view} /> : <MapPart view={view} />;
}

/** On a phone one begins with the own blocks before there is fighting: so much more does not fit. */
function startOf(view: View): string[] | undefined {
    const quiet = Object.keys(view.board.attacks ?? {}).length + Object.keys(view.board.battles ?? {}).length === 0;
    const own = [...ownByTown(view, nationsOf(view)).keys()];
    return layout.peek() === "phone" && view.state === "MOVE" && quiet && own.length > 0 ? own : undefined;
}

function MapPart({ view }: { view: View }) {
    const context = useMatch();
    const { desk, stop } = useMapPlay();
    const board = context.match.board.value;
    const replay = context.shown.value !== null;
    const now = desk.value;
    const drawn = !replay && now instanceof SetUpDesk ? now.drawn(view) : view;
    const marks = replay ? quietMarks(view) : now.marks(view);
    const focus = context.focus.value;
    const setUp = view.turn?.slot === 0;
    const mine = useMemo(() => nationsOf(view), [view]);
    const sheet = isSheet(layout.value);
    const small = layout.value === "mid" || layout.value === "land" || sheet;
    if (board === null) return <div class="board-empty" aria-busy="true" />;
    return (
        <BoardMap
            board={board as never}
            view={drawn}
            marks={focus === null ? marks : { ...marks, focusRequest: focus }}
            mine={mine}
            {...(replay ? {} : now.handlers(view))}
            start={setUp ? "fit" : (startOf(view) ?? "fighting")}
            minimap={!small && !setUp}
            {...(setUp && mine.length > 0 ? { caption: t("setup.caption", { side: sideName(view.as, "adj") }) } : {})}
            inset={sheet ? { bottom: heightAt(stop.value === "high" ? "half" : stop.value, innerHeight), top: setUp ? 0 : 40 } : {}}
            class="play-map"
        />
    );
}
