/** Austerlitz's parts of the match page: counters on hexes, combats declared together, twelve hours. */
import { Armies } from "@/austerlitz/Armies";
import { Board } from "@/austerlitz/Board";
import { bodies } from "@/austerlitz/bodies";
import { timeLine } from "@/austerlitz/course";
import { deskKey, openDesk } from "@/austerlitz/desks";
import { Ending } from "@/austerlitz/Ending";
import { PlaceSheet } from "@/austerlitz/PlaceSheet";
import { Plan } from "@/austerlitz/Plan";
import { HourRecord, phaseAt, PHASES, phaseName } from "@/austerlitz/Record";
import { placeOf, spoken, Story, told } from "@/austerlitz/story";
import { Tracks } from "@/austerlitz/Tracks";
import { hexView, type Side } from "@/austerlitz/types";
import { sideOfSeat, unitName } from "@/austerlitz/units";
import { WatchDesk } from "@/austerlitz/watch";
import { SideTile } from "@/hex/Counter";
import { isOver, type GameParts } from "@/play/games";
import { isSheet, layout } from "@/play/layout";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { sideName, t } from "@/words";
import "@/austerlitz/austerlitz.css";

function SideMarks({ side, size = 14 }: { side: string; size?: number }) {
    const of = (sideOfSeat(side) ?? side) as Side;
    if (of !== "french" && of !== "allied") return null;
    return <SideTile side={of} size={size} />;
}

/** Where the record is short of room, the phases stand in the prompt. */
function Phases({ view }: { view: View }) {
    const now = hexView(view);
    const at = phaseAt(now);
    if (now.state === "OVER" || layout.value === "wide" || layout.value === "desk") return null;
    return (
        <ol class="phases aus-steps-of-turn" aria-label={t("play.phases")}>
            {PHASES.map((_, i) => (
                <li key={i} class={i === at ? "now" : i < at ? "past" : ""} aria-current={i === at ? "step" : undefined}>
                    {phaseName(i)}
                </li>
            ))}
        </ol>
    );
}

/** The own counter that is looked at while another acts. */
function Looked({ view }: { view: View }) {
    const { desk } = usePlay();
    const now = desk.value;
    if (!(now instanceof WatchDesk) || now.kind !== "wait" || sideOfSeat(view.as) === undefined) return null;
    const at = now.selected.value;
    if (at === null || now.reach.value === null) return <p class="hint">{t("aus.look_hint")}</p>;
    return (
        <p class="told">
            {t("aus.taken", { unit: unitName(hexView(view), at), n: now.far() })} <span class="small">{t("aus.look_note")}</span>
        </p>
    );
}

/** What the other has declared and the dice have said, for who waits. */
function Meanwhile({ view }: { view: View }) {
    return (
        <>
            <Looked view={view} />
            <Plan view={view} />
            {(isSheet(layout.value) || layout.value === "land") && <Tracks view={view} />}
        </>
    );
}

export const parts: GameParts = {
    deskKey,
    openDesk,
    lookDesk: (match) => new WatchDesk(match, "wait"),
    Board,
    bodies,
    whole: new Set(),
    Record: HourRecord,
    hasRecord: () => true,
    Phases,
    corner: (view) => {
        const { information, situation, strengths, guard_1805: guard } = hexView(view).board.options;
        return t("aus.corner", { information: information ?? "informed", situation: situation ?? "1805", dealt: strengths === "dealt", guard: guard === true });
    },
    // The score of a match that is over says the same.
    Below: ({ view }) => (isOver(view) ? null : <Tracks view={view} />),
    PlaceSheet,
    Meanwhile,
    orders: false,
    Armies,
    Ending,
    SideMarks,
    SeatMarks: ({ seat }) => <SideTile side={sideOfSeat(seat) ?? "french"} size={15} label={sideName(seat)} />,
    reader: (viewer) => new Story(viewer),
    spoken,
    sentences: told,
    placeOf,
    timeLine,
};
