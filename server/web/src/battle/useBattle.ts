/** What board and panel of a battle both work out from the view and the desk. */
import { useEffect, useState } from "preact/hooks";
import { announce } from "@/app/live";
import { useMatch, viewToDraw, type MatchContext } from "@/play/context";
import { t, unitName } from "@/words";
import type { TownId, UnitId, View } from "@/types";
import { actors, powersOf, type Powers } from "./acts";
import { deskOf, type Desk, type Odds } from "./desk";
import { battleView, isArriving, spotOf, turnsOf, type BattleView } from "./model";

export interface BattleState {
    context: MatchContext;
    desk: Desk;
    view: View;
    shown: BattleView;
    /** The viewer may fire and move here now. */
    live: boolean;
    /** Own units that may still fire or move, in their order. */
    actors: UnitId[];
    /** The one unit that is chosen, with what it may do. */
    powers: Powers | null;
}

/** Undefined while there is no such battle. `settled`: as it stands now, not as it is drawn while dice roll. */
export function useBattle(town: TownId, settled = false): BattleState | undefined {
    const context = useMatch();
    const view = viewToDraw(context);
    const desk = deskOf(context.match);
    if (view === null) return undefined;
    const replay = context.shown.value !== null;
    const held = replay || settled ? undefined : desk.held.value[town];
    const shown = battleView(view, town, held);
    if (shown === undefined) return undefined;
    const live = !replay && view.prompt?.id === "combat" && context.match.myTurn.value && shown.battle.phase === "fight";
    const unit = desk.selected.value.length === 1 ? desk.selected.value[0] : undefined;
    // While dice roll nothing glows: what is possible then is shown with what they did.
    const powers = live && held === undefined && unit !== undefined ? powersOf(view.actions, shown, unit) : null;
    return { context, desk, view, shown, live, actors: live ? actors(view, shown) : [], powers };
}

/** The odds of the aim, null until the answer has come. */
export function useOdds(desk: Desk, town: TownId, unit: UnitId | undefined, target: UnitId | null): Odds | null {
    const [got, setGot] = useState<{ key: string; odds: Odds } | null>(null);
    const key = unit === undefined || target === null ? "" : `${desk.match.view.value?.seq ?? 0}/${town}/${unit}/${target}`;
    useEffect(() => {
        if (unit === undefined || target === null) return;
        let wanted = true;
        desk.oddsOf(town, unit, target).then(
            (odds) => wanted && setGot({ key, odds }),
            () => {},
        );
        return () => {
            wanted = false;
        };
    }, [key]);
    return got?.key === key ? got.odds : null;
}

/** Is this fire a charge: by cavalry in the turn after it advanced, doubled? */
export function isCharge(view: View, shown: BattleView, unit: UnitId, odds: Odds | null): boolean {
    const spot = spotOf(shown.battle, unit);
    const since = spot?.fighter.advanced_ct;
    if (spot === undefined || since === undefined || spot.fighter.type !== "cavalry") return false;
    return since === turnsOf(view, spot.side).begun - 1 && isArriving(view, spot.side, since) && odds?.hit_on !== 6;
}

/** Chooses a unit and says so; the first target is aimed at. */
export function chooseUnit(state: BattleState, unit: UnitId): void {
    state.desk.choose(unit);
    const powers = powersOf(state.view.actions, state.shown, unit);
    state.desk.aim.value = powers.targets[0] ?? null;
    const acts = [...powers.targets.map((target) => t("battle.say.target", { unit: unitName(target, "at") })), ...powers.deeds.map((deed) => deedWords(deed.id, deed.to))];
    announce(t("battle.say.chosen", { unit: unitName(unit, "full"), n: acts.length, acts: acts.join(t("battle.comma")) }));
}

/** What a button that does this says. */
export function deedWords(id: string, to?: number): string {
    return t(`battle.do.${id}`, { lane: to ?? 0 });
}
