/** Who leaves a battle: units are chosen here or on the board, then their roads. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { RetreatPicker } from "@/play/RetreatPicker";
import { Rich, t, tt } from "@/words";
import type { UnitId } from "@/types";
import { retreaters } from "./acts";
import { isEngaged, type BattleView } from "./model";
import { unitLabel } from "./names";
import { UnitBlock } from "./Reserve";
import { ActButton } from "./UnitCard";
import type { BattleState } from "./useBattle";

/** Columns that would be empty when these units leave while others stay. */
export function emptied(shown: BattleView, leaving: ReadonlySet<UnitId>): number[] {
    const all = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces];
    if (all.every((piece) => leaving.has(piece.id))) return [];
    return shown.lanes
        .filter((lane) => lane.below.count > 0 && lane.below.hidden.length === 0 && lane.below.pieces.every((piece) => leaving.has(piece.id)))
        .map((lane) => Number(lane.no));
}

/** The red line under the choice; undefined when nothing routs. */
function warningOf(shown: BattleView, leaving: ReadonlySet<UnitId>): string | undefined {
    const [first, ...more] = emptied(shown, leaving);
    if (first === undefined) return undefined;
    return more.length > 0 ? t("battle.retreat.empties_all") : t("battle.retreat.empties", { lane: first });
}

export function RetreatPanel({ state, units }: { state: BattleState; units: readonly UnitId[] }): JSX.Element {
    const { desk, shown, view, context } = state;
    const [roads, setRoads] = useState(false);
    const able = retreaters(view, shown.town);
    const pieces = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces].filter((piece) => able.has(piece.id));
    const leaving = new Set(units);
    const warning = warningOf(shown, leaving);
    const engaged = pieces.filter((piece) => leaving.has(piece.id) && isEngaged(shown, piece.id));
    const stop = (): void => {
        desk.retreating.value = null;
    };
    const toggle = (unit: UnitId): void => {
        desk.retreating.value = leaving.has(unit) ? units.filter((one) => one !== unit) : [...units, unit];
    };
    return (
        <section class="retreat" aria-label={t("battle.retreat.title")}>
            <h3>{t("battle.retreat.title")}</h3>
            <p class="small">{t("battle.retreat.how")}</p>
            <div class="choose-row">
                {pieces.map((piece) => (
                    <button
                        key={piece.id}
                        type="button"
                        class="stack-block"
                        aria-pressed={leaving.has(piece.id)}
                        title={unitLabel(view, piece.id)}
                        onClick={() => toggle(piece.id)}
                    >
                        <UnitBlock unit={piece.id} cv={piece.fighter.cv} size={40} selected={leaving.has(piece.id)} />
                        <span class="visually-hidden">{unitLabel(view, piece.id)}</span>
                    </button>
                ))}
            </div>
            <p class="small">
                <Rich of={tt(engaged.length > 0 ? "battle.retreat.engaged" : "battle.retreat.free", { n: engaged.length })} />{" "}
                {engaged.length > 0 && <Rich of={[{ text: "W12.4", rule: "W12.4" }]} onRule={context.openRule} />}
            </p>
            {warning && <p class="refused">{warning}</p>}
            <div class="deeds">
                <ActButton onClick={() => units.length > 0 && setRoads(true)}>{t("battle.retreat.roads", { n: units.length })}</ActButton>
                <ActButton keyName="esc" onClick={stop}>
                    {t("battle.retreat.stop")}
                </ActButton>
            </div>
            {roads && (
                <RetreatPicker
                    town={shown.town}
                    units={units}
                    kind="retreat"
                    onDone={stop}
                    onCancel={() => setRoads(false)}
                    {...(warning === undefined ? {} : { warning })}
                />
            )}
        </section>
    );
}
