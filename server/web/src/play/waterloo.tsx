/** Waterloo's parts of the match page: towns and roads, battle boards, six days of marches. */
import { t, slot, townName, sentences, sideName } from "@/words";
import { WaterlooRecord } from "@/play/WaterlooRecord";
import { battleKeys } from "@/battle/keylist";
import { battlesOf } from "@/battle/model";
import { battleWords } from "@/battle/tabs";
import { Armies } from "@/follow/Armies";
import { Ending } from "@/follow/Ending";
import { spoken, Story, townOf } from "@/follow/story";
import { battlesBySlot, placeOf, SET_UP_SHARE, slotOfSteps, stepNear } from "@/follow/timeline";
import { BattleTabs } from "@/play/BattleTabs";
import { BoardPart } from "@/play/BoardPart";
import { bodies } from "@/play/bodies";
import type { MatchContext } from "@/play/context";
import { deskKey, mayPlan, openDesk, plansSetUp } from "@/play/desks";
import type { GameParts, TimeLine } from "@/play/games";
import { HeldPrompt } from "@/play/HeldPrompt";
import { MarchDesk } from "@/play/march";
import { MarchSheetHolder, Meanwhile, NamingHolder } from "@/play/holders";
import { Phases } from "@/play/Phases";
import { SetUpDesk } from "@/play/setup";
import { Carried } from "@/play/SetUpBody";
import { TownSheet } from "@/play/TownSheet";
import { WatchDesk } from "@/play/watch";
import type { BoardData, Nation, Seat, Step, View } from "@/types";
import { ArmyMark, SideMarks } from "@/ui/ArmyMark";

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

/** The nations a seat commands; before the first view those it begins with. */
function seatNations(seat: Seat, view: View | null): readonly Nation[] {
    return view?.board.seats[seat] ?? (seat === "AL" ? ["AD", "PR"] : [seat]);
}

function SeatMarks({ seat, view }: { seat: Seat; view: View | null }) {
    return (
        <>
            {seatNations(seat, view).map((nation) => (
                <ArmyMark key={nation} army={nation} size={15} label={sideName(nation)} />
            ))}
        </>
    );
}

/** The slots of the record as bands of one width, the set-up before them. */
function timeLine(steps: readonly Step[], board: BoardData | null): TimeLine {
    const record = board?.time_record ?? [];
    const spans = slotOfSteps(steps, record);
    const fights = battlesBySlot(steps);
    const wide = record.length + SET_UP_SHARE;
    return {
        bands: [
            { key: "set", width: SET_UP_SHARE, look: "set", reached: true, fight: false },
            ...record.map((one) => ({
                key: String(one.turn),
                width: 1,
                look: one.night ? "night" : one.side,
                ...(one.part === "morning" ? { head: String(Number(one.date.slice(8))) } : {}),
                reached: spans.some((span) => span.slot === one.turn),
                fight: fights.has(one.turn),
            })),
        ],
        place: (at) => placeOf(spans, at, wide),
        near: (place) => stepNear(spans, steps.length, wide, place),
        when: (at) => {
            const span = spans.find((one) => at >= one.first && at <= one.last);
            return span === undefined ? "" : slot({ slot: span.slot });
        },
    };
}

const isSetUp = (view: View): boolean => (view.turn?.slot ?? 0) === 0;

export const parts: GameParts = {
    deskKey,
    openDesk,
    mayPlan,
    plansWhat: (view) => (plansSetUp(view) ? "_set_up" : ""),
    lookDesk: () => new WatchDesk("wait"),
    turnTo,
    Board: BoardPart,
    bodies,
    whole: new Set(["battle"]),
    Record: WaterlooRecord,
    hasRecord: (view) => !isSetUp(view),
    Phases,
    corner: (view) => (view.turn === undefined || isSetUp(view) ? "" : t("play.turn_of", { n: view.turn.slot, of: view.turn.of })),
    HeldPrompt,
    isHeld: (desk) => desk instanceof MarchDesk && desk.held.value.size > 0,
    Tabs: BattleTabs,
    scenes: battlesOf,
    sceneWords: (view, town) => ({ title: t("battle.of", { town: townName(town) }), text: battleWords(view, town) }),
    Extras: Carried,
    sheetOf: (desk) => {
        if (desk instanceof MarchDesk && desk.sheet.value) return MarchSheetHolder;
        return desk instanceof SetUpDesk && desk.naming.value ? NamingHolder : null;
    },
    PlaceSheet: TownSheet,
    sceneKeys: battleKeys,
    Meanwhile,
    orders: true,
    Armies,
    Ending,
    SideMarks,
    SeatMarks,
    reader: (viewer) => new Story(viewer),
    spoken,
    sentences: (event, viewer) => sentences(event as never, viewer, { game: "waterloo" }),
    placeOf: townOf,
    timeLine,
};
