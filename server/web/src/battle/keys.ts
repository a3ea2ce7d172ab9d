/** The keyboard of a battle: letters of the unit's card, brackets to walk the units, arrows to aim. */
import { useEffect, useRef } from "preact/hooks";
import { settings } from "@/app/settings";
import { announce } from "@/app/live";
import { t, unitName } from "@/words";
import { fireAt } from "./BattleScene";
import { oddsHead, oddsTail } from "./Aim";
import { chooseUnit, isCharge, type BattleState } from "./useBattle";

/** Keys are for the board: not while somebody types or a sheet is open. */
export function isFree(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
    const at = event.target;
    if (at instanceof Element && at.closest("input, textarea, select, [contenteditable], [role=dialog], [role=tablist]") !== null) return false;
    return settings.value.letterKeys || event.key.length > 1;
}

/** Says what the aim would come to. */
export function sayAim(state: BattleState, target: string): void {
    const unit = state.powers?.unit;
    if (unit === undefined) return;
    state.desk.oddsOf(state.shown.town, unit, target).then(
        (odds) =>
            announce(
                t("battle.say.aim", {
                    unit: unitName(target, "at"),
                    odds: oddsHead(odds, isCharge(state.view, state.shown, unit, odds)),
                    hits: oddsTail(odds),
                }),
            ),
        () => {},
    );
}

function walkUnits(state: BattleState, by: number): void {
    const { actors, desk } = state;
    if (actors.length === 0) return;
    const now = actors.indexOf(desk.selected.value[0] ?? "");
    const next = actors[now < 0 ? (by > 0 ? 0 : actors.length - 1) : (now + by + actors.length) % actors.length];
    if (next === undefined) return;
    chooseUnit(state, next);
    const lane = state.shown.lanes.find((one) => one.below.pieces.some((piece) => piece.id === next));
    if (lane !== undefined) desk.lane.value = lane.no;
}

function walkTargets(state: BattleState, by: number): void {
    const targets = state.powers?.targets ?? [];
    const now = targets.indexOf(state.desk.aim.value ?? "");
    const next = targets[(now + by + targets.length) % targets.length];
    if (next === undefined) return;
    state.desk.aim.value = next;
    sayAim(state, next);
}

/** Arrows choose the target while F was pressed, else they move the unit sideways. */
function onArrow(state: BattleState, key: string): boolean {
    const { desk, powers } = state;
    if (desk.aiming.value) {
        walkTargets(state, key === "arrowleft" || key === "arrowup" ? -1 : 1);
        return true;
    }
    const deed = powers?.deeds.find((one) => one.key === key);
    if (deed === undefined) return false;
    void desk.act(deed.action);
    return true;
}

function onEscape(state: BattleState): boolean {
    const { desk } = state;
    if (desk.aiming.value) desk.aiming.value = false;
    else if (desk.retreating.value !== null) desk.retreating.value = null;
    else if (desk.selected.value.length > 0) desk.choose(null);
    else return false;
    return true;
}

function beginFire(state: BattleState): boolean {
    const { desk, powers } = state;
    const first = powers?.targets[0];
    if (first === undefined) return false;
    desk.aiming.value = true;
    desk.aim.value = desk.aim.value ?? first;
    sayAim(state, desk.aim.value);
    return true;
}

/** Opens the retreat of those who are chosen. */
export function beginRetreat(state: BattleState, able: ReadonlySet<string>): boolean {
    const units = state.desk.selected.value.filter((unit) => able.has(unit));
    if (units.length === 0) return false;
    state.desk.retreating.value = units;
    return true;
}

/** Does what the key means now; false when it means nothing. */
export function press(state: BattleState, key: string, able: ReadonlySet<string>): boolean {
    const { desk, powers } = state;
    switch (key) {
        case "[":
        case "]":
            walkUnits(state, key === "[" ? -1 : 1);
            return true;
        case "escape":
            return onEscape(state);
        case "enter":
            if (!desk.aiming.value || desk.aim.value === null) return false;
            void fireAt(state, desk.aim.value);
            return true;
        case "f":
            return beginFire(state);
        case "r":
            return beginRetreat(state, able);
        case "arrowleft":
        case "arrowright":
        case "arrowup":
        case "arrowdown":
            return onArrow(state, key);
    }
    const deed = powers?.deeds.find((one) => one.key === key);
    if (deed === undefined) return false;
    void desk.act(deed.action);
    return true;
}

/** Listens while the battle is on the board. */
export function useBattleKeys(state: BattleState | undefined, able: ReadonlySet<string> = new Set()): void {
    const now = useRef({ state, able });
    now.current = { state, able };
    useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
            const { state: current, able: who } = now.current;
            if (current === undefined || !current.live || !isFree(event)) return;
            // Enter on a focused button is that button's.
            if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.closest("button, a") && !current.desk.aiming.value) return;
            if (press(current, event.key.toLowerCase(), who)) {
                event.preventDefault();
                event.stopPropagation();
            }
        };
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, []);
}
