/** The end of a combat turn: one sheet over all battles, with reinforcements, the unacted, warnings. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import type { Refusal } from "@/net/rpc";
import { Sheet } from "@/ui/Sheet";
import { armName, refusalWords, Rich, t, tt, townName, unitName } from "@/words";
import type { Action, TownId, UnitId, View } from "@/types";
import { actors, reinforcementsOf, type Offered } from "./acts";
import { fighting, RefusedLine } from "./BattlePanel";
import type { Desk } from "./desk";
import { battleView } from "./model";
import { unitLabel } from "./names";
import { UnitBlock } from "./Reserve";

/** The action that ends the turn with the drafted reinforcements. */
export function endAction(drafts: Readonly<Record<TownId, UnitId[]>>): Action {
    const reinforcements = Object.entries(drafts)
        .filter(([, units]) => units.length > 0)
        .map(([battle, units]) => ({ battle, units }));
    return reinforcements.length > 0 ? { do: "end_combat_turn", reinforcements } : { do: "end_combat_turn" };
}

/** What the server would say to the turn ended like this; undefined while it is asked. */
function useTry(desk: Desk, action: Action, key: string): Refusal | null | undefined {
    const [got, setGot] = useState<{ key: string; refusal: Refusal | null } | null>(null);
    useEffect(() => {
        let wanted = true;
        desk.match.try(action).then(
            (refusal) => wanted && setGot({ key, refusal }),
            () => {},
        );
        return () => {
            wanted = false;
        };
    }, [key]);
    return got?.key === key ? got.refusal : undefined;
}

export function EndTurn({ view, desk }: { view: View; desk: Desk }): JSX.Element {
    const { openRule } = useMatch();
    const drafts = desk.reinforce.value;
    const action = endAction(drafts);
    const refusal = useTry(desk, action, `${view.seq}/${JSON.stringify(action)}`);
    const close = (): void => {
        desk.ending.value = false;
    };
    const end = async (): Promise<void> => {
        if (refusal === null && (await desk.act(action))) close();
    };
    const towns = fighting(view);
    const offered = reinforcementsOf(view.actions);
    return (
        <Sheet
            wide={towns.length > 1}
            title={t("battle.end.title", { n: view.board.ct?.n ?? 1 })}
            onClose={close}
            foot={
                <>
                    <button type="button" class="button" onClick={close}>
                        {t("battle.end.back")}
                    </button>
                    <button type="button" class="button primary" autofocus aria-disabled={refusal !== null || desk.match.busy.value} onClick={() => void end()}>
                        {t("battle.end.button", { n: towns.length })}
                    </button>
                </>
            }
        >
            <ul class="end-rows">
                {towns.map((town) => (
                    <EndRow key={town} town={town} view={view} desk={desk} offered={offered.find((one) => one.battle === town)} />
                ))}
            </ul>
            {refusal && (
                <p class="refused" role="alert">
                    <Rich of={refusalWords({ code: refusal.code, message: refusal.message, data: refusal.data })} onRule={openRule} />
                </p>
            )}
            <RefusedLine desk={desk} />
        </Sheet>
    );
}

interface EndRowProps {
    town: TownId;
    view: View;
    desk: Desk;
    offered: Offered | undefined;
}

function EndRow({ town, view, desk, offered }: EndRowProps): JSX.Element {
    const { scene, openRule } = useMatch();
    const shown = battleView(view, town);
    const able = shown === undefined ? [] : actors(view, shown);
    const must = view.prompt?.id === "combat" && (view.prompt.must_act?.includes(town) ?? false);
    const idle = shown?.battle.idle_rounds ?? 0;
    const look = (): void => {
        desk.ending.value = false;
        scene.value = { kind: "battle", town };
        const first = able[0];
        if (first !== undefined) desk.choose(first);
    };
    return (
        <li class={`end-row ${must ? "is-due" : ""}`}>
            <div class="end-row-head">
                <h3>{townName(town)}</h3>
                <span class="small">{able.length > 0 ? t("battle.end.unacted", { n: able.length }) : t("battle.end.all_acted")}</span>
                {able.length > 0 && (
                    <button type="button" class="button quiet" onClick={look}>
                        {t("battle.end.look")}
                    </button>
                )}
            </div>
            {must && (
                <p class="refused">
                    {t("battle.end.must")} <Rich of={[{ text: "W7.7", rule: "W7.7" }]} onRule={openRule} />
                </p>
            )}
            {idle > 0 && (
                <p class="warn">
                    <Rich of={tt("battle.end.idle_rounds", { n: idle, left: 5 - idle })} /> <Rich of={[{ text: "W7.7", rule: "W7.7" }]} onRule={openRule} />
                </p>
            )}
            {able.length > 0 && (
                <div class="end-units" aria-hidden="true">
                    {able.slice(0, 12).map((unit) => (
                        <UnitBlock key={unit} unit={unit} cv={view.board.units[unit]?.cv} size={26} />
                    ))}
                </div>
            )}
            {offered && <Slots view={view} desk={desk} offered={offered} />}
        </li>
    );
}

function Slots({ view, desk, offered }: { view: View; desk: Desk; offered: Offered }): JSX.Element {
    const chosen = desk.reinforce.value[offered.battle] ?? [];
    const elsewhere = Object.entries(desk.reinforce.value).flatMap(([town, units]) => (town === offered.battle ? [] : units));
    const toggle = (unit: UnitId): void => {
        const next = chosen.includes(unit) ? chosen.filter((one) => one !== unit) : [...chosen, unit];
        desk.reinforce.value = { ...desk.reinforce.value, [offered.battle]: next };
    };
    return (
        <div class="slots">
            <p class="overline">{t("battle.reinforce.slot", { n: chosen.length, of: offered.max })}</p>
            <ul class="slot-units">
                {offered.units
                    .filter((unit) => !elsewhere.includes(unit))
                    .map((unit) => (
                        <li key={unit}>
                            <button
                                type="button"
                                class="button slot-unit"
                                aria-pressed={chosen.includes(unit)}
                                title={t("battle.reinforce.toggle", { unit: unitLabel(view, unit), town: townName(offered.battle) })}
                                onClick={() => toggle(unit)}
                            >
                                <UnitBlock unit={unit} cv={view.board.units[unit]?.cv} size={40} selected={chosen.includes(unit)} />
                                <span>
                                    <b>{unitName(unit)}</b>
                                    <br />
                                    <span class="small">
                                        {t("battle.reinforce.from", { from_t: townName(view.board.units[unit]?.town ?? "", "from"), arm: armName(view.board.units[unit]?.type ?? "infantry") })}
                                    </span>
                                </span>
                            </button>
                        </li>
                    ))}
            </ul>
        </div>
    );
}
