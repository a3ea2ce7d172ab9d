/**
 * The panel under the prompt's headline while battles are on: the chosen unit's card, retreats, the
 * orders of a deployment; and the one dark button.
 */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useMatch, viewToDraw } from "@/play/context";
import { online } from "@/net/session";
import { list, plain, refusalWords, Rich, t, townName, type Token } from "@/words";
import type { Battle, TownId, View } from "@/types";
import { actedOf, battlesOf, battleView, commanded } from "./model";
import { DeployPanel } from "./DeployPanel";
import { deskOf, type Desk } from "./desk";
import { EndTurn } from "./EndTurn";
import { RetreatPanel } from "./RetreatPanel";
import { UnitBlock } from "./Reserve";
import { UnitCard } from "./UnitCard";
import { chooseUnit, useBattle, type BattleState } from "./useBattle";
import { actors } from "./acts";
import { unitLabel } from "./names";
import { battleWords } from "./tabs";

export default function BattlePanel({ town }: { town: TownId | null }): JSX.Element | null {
    const context = useMatch();
    const view = viewToDraw(context);
    if (view === null) return null;
    const prompt = view.prompt?.id;
    if (prompt === "deploy_defence" || prompt === "deploy_attack") return <DeployPanel town={town} view={view} />;
    if (prompt === "combat") return <CombatPanel town={town} view={view} />;
    return (
        <div class="panel-scroll">
            <BattleList view={view} open={town} />
        </div>
    );
}

function CombatPanel({ town, view }: { town: TownId | null; view: View }): JSX.Element {
    const { match } = useMatch();
    const desk = deskOf(match);
    const state = useBattle(town ?? "", true);
    const leaving = desk.retreating.value;
    return (
        <>
            <div class="panel-scroll battle-panel">
                {state === undefined || state.shown.battle.phase !== "fight" ? (
                    <BattleList view={view} open={town} />
                ) : leaving !== null && state.live ? (
                    <RetreatPanel state={state} units={leaving} />
                ) : state.powers !== null ? (
                    <UnitCard state={state} />
                ) : (
                    <Choose state={state} />
                )}
                <RefusedLine desk={desk} />
            </div>
            <Foot desk={desk} label={t("battle.end.button", { n: fighting(view).length })} onPress={() => (desk.ending.value = true)} undo={view.undo === true}>
                {idleWords(view)}
            </Foot>
            {desk.ending.value && <EndTurn view={view} desk={desk} />}
        </>
    );
}

/** Battles that go on. */
export function fighting(view: View): TownId[] {
    return battlesOf(view).filter((town) => (view.board.battles?.[town] as Battle | undefined)?.phase === "fight");
}

/** "9 units at Waterloo and 4 at Wavre have not acted." */
export function idleWords(view: View): string {
    const idle = fighting(view)
        .map((town) => ({ town, shown: battleView(view, town) }))
        .map(({ town, shown }) => {
            const { acted, of } = shown === undefined ? { acted: 0, of: 0 } : actedOf(shown.battle, shown.bottom, commanded(view));
            return { town, n: of - acted };
        })
        .filter(({ n }) => n > 0)
        .map(({ town, n }) => t("battle.end.idle_at", { n, in_t: townName(town, "in") }));
    return idle.length === 0 ? t("battle.end.all_acted") : t("battle.end.idle", { list: plain(list(idle)) });
}

interface FootProps {
    desk: Desk;
    label: string;
    onPress: () => void;
    /** Something can be taken back. */
    undo: boolean;
    onUndo?: () => void;
    /** Why the button cannot be pressed now. */
    why?: readonly Token[];
    children?: ComponentChildren;
}

/** The dark button with what stands under it. */
export function Foot({ desk, label, onPress, undo, onUndo, why, children }: FootProps): JSX.Element {
    const { match } = desk;
    const { openRule } = useMatch();
    const barred = why !== undefined;
    useCtrlEnter(() => !barred && onPress());
    return (
        <div class="panel-foot">
            <div class="foot-row">
                <button
                    type="button"
                    class="button primary commit"
                    aria-disabled={barred || match.busy.value}
                    aria-describedby="commit-note"
                    onClick={() => !barred && onPress()}
                >
                    {online.value ? label : t("play.send_when_back")}
                </button>
                <button
                    type="button"
                    class="button icon-button undo"
                    aria-label={t("play.undo")}
                    title={t("play.undo")}
                    disabled={!undo || match.busy.value}
                    onClick={onUndo ?? (() => void desk.undo())}
                >
                    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
                        <path d="M6.5 3.5L3 7l3.5 3.5M3.4 7H11a3.8 3.8 0 0 1 0 7.6H8" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" />
                    </svg>
                </button>
            </div>
            <div class="foot-note" id="commit-note">
                {barred ? (
                    <span class="why">
                        <Rich of={why} onRule={openRule} />
                    </span>
                ) : (
                    <span>{children}</span>
                )}
            </div>
        </div>
    );
}

/** Ctrl and Enter press the dark button from anywhere but a sheet. */
function useCtrlEnter(press: () => void): void {
    const now = useRef(press);
    now.current = press;
    useEffect(() => {
        const heard = (event: KeyboardEvent): void => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || document.querySelector("[role=dialog]") !== null) return;
            event.preventDefault();
            now.current();
        };
        addEventListener("keydown", heard);
        return () => removeEventListener("keydown", heard);
    }, []);
}

/** What was refused last, with its rule. */
export function RefusedLine({ desk }: { desk: Desk }): JSX.Element | null {
    const { openRule } = useMatch();
    const refusal = desk.refusal.value;
    if (refusal === null) return null;
    return (
        <p class="refused" role="alert">
            <Rich of={refusalWords({ code: refusal.code, message: refusal.message, data: refusal.data })} onRule={openRule} />
        </p>
    );
}

/** Nobody is chosen: who may still act, as a row of blocks. */
function Choose({ state }: { state: BattleState }): JSX.Element {
    const { view, shown } = state;
    const able = actors(view, shown);
    return (
        <section class="choose">
            <h3>{able.length > 0 ? t("battle.choose") : t("battle.choose.none")}</h3>
            <div class="choose-row">
                {able.map((unit) => (
                    <button key={unit} type="button" class="stack-block" title={unitLabel(view, unit)} onClick={() => chooseUnit(state, unit)}>
                        <UnitBlock unit={unit} cv={view.board.units[unit]?.cv} size={40} />
                        <span class="visually-hidden">{unitLabel(view, unit)}</span>
                    </button>
                ))}
            </div>
            <p class="small keys-line">
                <kbd>[</kbd> <kbd>]</kbd> {t("battle.choose.keys")}
            </p>
        </section>
    );
}

/** The battles of this turn, each one press away. */
export function BattleList({ view, open }: { view: View; open: TownId | null }): JSX.Element {
    const { scene } = useMatch();
    return (
        <ul class="battle-list">
            {battlesOf(view).map((town) => (
                <li key={town}>
                    <button
                        type="button"
                        class="button battle-open"
                        aria-current={town === open ? "true" : undefined}
                        onClick={() => (scene.value = { kind: "battle", town })}
                    >
                        <span class="battle-open-name">{townName(town)}</span>
                        <span class="small">{battleWords(view, town)}</span>
                    </button>
                </li>
            ))}
        </ul>
    );
}
