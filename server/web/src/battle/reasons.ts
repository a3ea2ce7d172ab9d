/** Why the obvious is missing: asked of the server, never worked out here. */
import { useEffect, useState } from "preact/hooks";
import type { TownId, UnitId } from "@/types";
import { spotOf, type Piece } from "./model";
import type { BattleState } from "./useBattle";

export interface Reasons {
    /** Enemies of the lane that may not be fired at, with the rule. */
    barred: ReadonlyMap<UnitId, string>;
    /** The rule that keeps it from firing at all, or from advancing. */
    fire?: string;
    advance?: string;
}

const nothing: Reasons = { barred: new Map() };

/** Enemies that stand in the lane of a unit, the advanced first. */
function facing(state: BattleState, unit: UnitId): Piece[] {
    const lane = state.shown.lanes.find((one) => one.below.pieces.some((piece) => piece.id === unit));
    const enemies = lane?.above.pieces ?? [];
    return [...enemies.filter((piece) => piece.advanced), ...enemies.filter((piece) => !piece.advanced)];
}

/** The rule that forbids an advance, "" when nothing does. */
async function whyNoAdvance(state: BattleState, town: TownId, unit: UnitId): Promise<string> {
    const refusal = await state.context.match.try({ do: "move", battle: town, unit, kind: "advance" });
    return refusal?.data?.rule ?? "";
}

async function explain(state: BattleState, unit: UnitId): Promise<Reasons> {
    const { shown, desk, powers } = state;
    const spot = spotOf(shown.battle, unit);
    if (spot === undefined || powers === null || spot.zone === "reserve") return nothing;
    const barred = new Map<UnitId, string>();
    for (const enemy of facing(state, unit)) {
        if (powers.targets.includes(enemy.id)) continue;
        const odds = await desk.oddsOf(shown.town, unit, enemy.id);
        if (!odds.ok && odds.rule !== undefined) barred.set(enemy.id, odds.rule);
    }
    const fire = powers.targets.length === 0 ? [...barred.values()][0] : undefined;
    const mayAdvance = powers.deeds.some((deed) => deed.id === "advance");
    const guns = spot.fighter.type.endsWith("artillery");
    const advance = mayAdvance || spot.advanced || guns ? "" : await whyNoAdvance(state, shown.town, unit);
    return {
        barred: powers.targets.length > 0 ? barred : new Map(),
        ...(fire === undefined ? {} : { fire }),
        ...(advance === "" ? {} : { advance }),
    };
}

/** Reasons for the chosen unit; empty until the answers have come. */
export function useReasons(state: BattleState | undefined): Reasons {
    const [got, setGot] = useState<{ key: string; reasons: Reasons } | null>(null);
    const unit = state?.powers?.unit;
    const key = state === undefined || unit === undefined ? "" : `${state.view.seq}/${state.shown.town}/${unit}`;
    useEffect(() => {
        if (state === undefined || unit === undefined) return;
        let wanted = true;
        explain(state, unit).then(
            (reasons) => wanted && setGot({ key, reasons }),
            () => {},
        );
        return () => {
            wanted = false;
        };
    }, [key]);
    return got?.key === key ? got.reasons : nothing;
}
