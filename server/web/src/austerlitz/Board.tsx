/** What stands in the board's place: the hex map with the desk's marks, or the list of it. */
import { useMemo } from "preact/hooks";
import { HexMap } from "@/hex/Map";
import { ListView } from "@/austerlitz/ListView";
import { planMarks } from "@/austerlitz/planMarks";
import { hexView, type HexBoardData, type HexMarks } from "@/austerlitz/types";
import { placeOf } from "@/austerlitz/story";
import { ownHexes, ownSide } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { useMatch, viewToDraw } from "@/play/context";
import { isSheet, layout } from "@/play/layout";
import { heightAt } from "@/play/SheetHandle";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { sideName, t } from "@/words";

export function Board() {
    const context = useMatch();
    const { list } = usePlay();
    const view = viewToDraw(context);
    if (view === null || context.match.board.value === null) return <div class="board-empty" aria-busy={view !== null} />;
    return list.value ? <ListView view={view} /> : <MapPart view={view} />;
}

function MapPart({ view }: { view: View }) {
    const context = useMatch();
    const { stop } = usePlay();
    const desk = useHexDesk();
    const board = context.match.board.value as unknown as HexBoardData;
    const now = hexView(view);
    const replay = context.shown.value !== null;
    const focus = context.focus.value;
    const sheet = isSheet(layout.value);
    const small = layout.value === "mid" || layout.value === "land" || sheet;
    const own = ownSide(now);
    const mine = useMemo(() => (own === undefined ? [] : [own]), [own]);
    const marks: HexMarks = replay ? { ...planMarks(now, context.match.steps.value), told: view.events.map(placeOf).filter((hex) => hex !== null) } : desk.marks(now);
    const handlers = replay ? {} : desk.handlers(now);
    return (
        <HexMap
            board={board}
            view={now}
            marks={focus === null ? marks : { ...marks, focusRequest: { hexes: [focus.town], n: focus.n } }}
            mine={mine}
            {...handlers}
            start={layout.peek() === "phone" && own !== undefined && now.state === "MOVE" ? ownHexes(now) : "fighting"}
            minimap={!small}
            caption={t("aus.caption", { side: own === undefined ? "none" : sideName(own, "adj") })}
            inset={sheet ? { bottom: heightAt(stop.value === "high" ? "half" : stop.value, innerHeight), top: 40 } : {}}
            class="play-map"
        />
    );
}
