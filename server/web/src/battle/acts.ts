/**
 * What a unit may do in a battle, as the view's action forms say it: the buttons of its card, with
 * their letters, and the places on the board that answer a press or a drop.
 */
import { actionFor, choices, formsOf, movesOf, targetsOf, unitsIn } from "@/net/forms";
import type { Action, Form, TownId, UnitId, View } from "@/types";
import type { BattleView, Zone } from "./model";

/** Where a press or a drop lands: a lane's column, its middle ground, the reserve. */
export type Place = { zone: Zone; ground: boolean };

export interface Deed {
    /** Names the words of the button: `battle.do.<id>`. */
    id: "advance" | "withdraw" | "redeploy" | "to_reserve" | "from_reserve" | "form_square" | "break_square";
    /** The key that does it (compared with KeyboardEvent.key in lower case). */
    key: string;
    /** The lane it leads to, where one may be chosen. */
    to?: 1 | 2 | 3;
    action: Action;
}

export interface Powers {
    unit: UnitId;
    targets: UnitId[];
    deeds: Deed[];
    retreat: boolean;
}

const letters: Partial<Record<Deed["id"], string>> = {
    advance: "a",
    withdraw: "w",
    to_reserve: "0",
    form_square: "s",
    break_square: "s",
};

/** What this unit may do now. */
export function powersOf(forms: readonly Form[] | undefined, shown: BattleView, unit: UnitId): Powers {
    const battle = shown.town;
    const deeds: Deed[] = [];
    for (const move of movesOf(forms, battle, unit)) {
        const id = move.kind as Deed["id"];
        const lanes: (number | undefined)[] = move.to.length > 0 ? move.to : [undefined];
        for (const to of lanes) {
            const wish = { do: "move", battle, unit, kind: id, ...(to === undefined ? {} : { to }) };
            const action = actionFor(forms, wish);
            if (action === null) continue;
            const key = letters[id] ?? keyOf(shown, unit, id, to);
            deeds.push({ id, key, action, ...(to === undefined ? {} : { to: to as 1 | 2 | 3 }) });
        }
    }
    return {
        unit,
        targets: targetsOf(forms, battle, unit),
        deeds: deeds.sort((a, b) => order(shown, a) - order(shown, b)),
        retreat: formsOf(forms, "retreat", { battle }).some((form) => unitsIn(form).includes(unit)),
    };
}

const kinds: Deed["id"][] = ["advance", "withdraw", "redeploy", "from_reserve", "to_reserve", "form_square", "break_square"];

/** As they stand on the screen: by kind, then lanes from the left. */
function order(shown: BattleView, deed: Deed): number {
    return kinds.indexOf(deed.id) * 10 + (deed.to === undefined ? 0 : columnAt(shown, deed.to));
}

/** The place of a lane on the screen, from the left. */
function columnAt(shown: BattleView, lane: number): number {
    return shown.lanes.findIndex((one) => one.no === String(lane));
}

function keyOf(shown: BattleView, unit: UnitId, id: Deed["id"], to: number | undefined): string {
    if (to === undefined) return "";
    if (id === "from_reserve") return String(to);
    const at = shown.lanes.findIndex((lane) => lane.below.pieces.some((piece) => piece.id === unit));
    return columnAt(shown, to) < at ? "arrowleft" : "arrowright";
}

/** Does it have anything to do? */
export function canAct(powers: Powers): boolean {
    return powers.targets.length > 0 || powers.deeds.length > 0;
}

/** The deed that leads to this place of the board. */
export function deedTo(powers: Powers, shown: BattleView, place: Place): Deed | undefined {
    const at = shown.lanes.find((lane) => lane.below.pieces.some((piece) => piece.id === powers.unit));
    return powers.deeds.find((deed) => {
        switch (deed.id) {
            case "advance":
                return place.ground && place.zone === at?.no;
            case "withdraw":
                return !place.ground && place.zone === at?.no;
            case "redeploy":
            case "from_reserve":
                return !place.ground && place.zone === String(deed.to);
            case "to_reserve":
                return place.zone === "reserve";
            default:
                return false;
        }
    });
}

/** Own units of a battle that may still fire or move, as they stand: lanes from the left, then the reserve. */
export function actors(view: View, shown: BattleView): UnitId[] {
    const forms = view.actions;
    if (forms === undefined) return [];
    const able = new Set<UnitId>();
    for (const what of ["fire", "move"])
        for (const form of formsOf(forms, what, { battle: shown.town })) for (const unit of choices(form.unit)) able.add(unit as UnitId);
    const standing = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces];
    return standing.map((piece) => piece.id).filter((id) => able.has(id));
}

/** Own units that a form of retreat names. */
export function retreaters(view: View, town: TownId): Set<UnitId> {
    return new Set(formsOf(view.actions, "retreat", { battle: town }).flatMap(unitsIn));
}

export interface Offered {
    battle: TownId;
    units: UnitId[];
    max: number;
}

/** Units that wait to reinforce, battle by battle, and how many may come at once. */
export function reinforcementsOf(forms: readonly Form[] | undefined): Offered[] {
    const end = formsOf(forms, "end_combat_turn")[0]?.reinforcements as { any_of?: unknown[] } | undefined;
    const found = new Map<TownId, Offered>();
    for (const item of end?.any_of ?? []) {
        const { battle, units } = item as { battle: TownId; units: { any_of?: unknown[]; list?: unknown[]; max?: number } };
        const known = found.get(battle) ?? { battle, units: [], max: 0 };
        for (const unit of unitsIn(units)) if (!known.units.includes(unit)) known.units.push(unit);
        known.max = Math.max(known.max, units.max ?? units.list?.length ?? 0);
        found.set(battle, known);
    }
    return [...found.values()];
}
