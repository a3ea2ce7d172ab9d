/** The battle board, in the map's place: reserves, columns, middle ground, dice. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TownId } from "@/types";
import { useMatch, viewToDraw } from "@/play/context";
import { refusalText, t, townName, unitName } from "@/words";
import { Aim } from "./Aim";
import { deedTo, retreaters, type Place } from "./acts";
import { deskOf, thrownIn } from "./desk";
import { DeployScene } from "./DeployScene";
import { useDrag } from "./drag";
import { GroundPatterns } from "./Ground";
import { useBattleKeys } from "./keys";
import { Lane } from "./Lanes";
import { LaneTiles } from "./LaneTiles";
import { OverScene } from "./OverScene";
import { useReasons } from "./reasons";
import { commanded, spotOf } from "./model";
import { EnemyReserve, OwnReserve } from "./Reserve";
import { SceneHolder, type SceneState } from "./scene";
import { chooseUnit, deedWords, isCharge, useBattle, useOdds, type BattleState } from "./useBattle";
import "./battle.css";

/** Below this width of the board one lane is shown at a time. */
const ONE_LANE = 640;

export default function BattleScene({ town }: { town: TownId }): JSX.Element {
    const context = useMatch();
    const view = viewToDraw(context);
    const desk = deskOf(context.match);
    const battle = view?.board.battles?.[town];
    if (view === null || battle === undefined) return <NoBattle town={town} />;
    const held = context.shown.value === null ? desk.held.value[town] : undefined;
    const phase = held?.phase ?? battle.phase;
    if (phase === "deploy") return <DeployScene key={town} town={town} />;
    if (phase === "over") return <OverScene key={town} town={town} />;
    return <FightScene key={town} town={town} />;
}

function NoBattle({ town }: { town: TownId }): JSX.Element {
    return (
        <div class="battle battle-none">
            <p class="told">{t("battle.none", { in_t: townName(town, "in") })}</p>
        </div>
    );
}

/** The width of an element as it is laid out. */
export function useWidth(of: { current: HTMLElement | null }, first = 1064): number {
    const [width, setWidth] = useState(first);
    useLayoutEffect(() => {
        const board = of.current;
        if (board === null) return;
        const measure = (): void => setWidth(board.clientWidth);
        measure();
        const seen = new ResizeObserver(measure);
        seen.observe(board);
        return () => seen.disconnect();
    }, []);
    return width;
}

/** Lane width on a board: three beside each other, or one. */
export function laneWidth(board: number): number {
    return board < ONE_LANE ? board - 24 : (board - 64) / 3;
}

/** Ends rolling dice with the next key or press, wherever it falls. */
function useSettling(state: BattleState | undefined): void {
    const desk = state?.desk;
    useEffect(() => {
        if (desk === undefined) return;
        const end = (): void => desk.settle();
        addEventListener("keydown", end, true);
        addEventListener("pointerdown", end, true);
        return () => {
            removeEventListener("keydown", end, true);
            removeEventListener("pointerdown", end, true);
        };
    }, [desk]);
}

/** Whoever plays by keyboard stays at the unit that acted, though its target is no button any more. */
function useKeptFocus(root: { current: HTMLElement | null }, state: BattleState | undefined): void {
    const unit = state?.desk.selected.value[0];
    useEffect(() => {
        if (unit === undefined || document.activeElement !== document.body) return;
        root.current?.querySelector<HTMLElement>(`button[data-unit="${CSS.escape(unit)}"]`)?.focus({ preventScroll: true });
    }, [state?.view.seq, unit]);
}

/** What pieces and places read, made from the view and the desk. */
function sceneOf(state: BattleState, barred: ReadonlyMap<string, string>): SceneState {
    const { desk, shown, powers, live, view } = state;
    const mine = commanded(view);
    const able = new Set(state.actors);
    const pieces = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces];
    const due = pieces.filter((piece) => able.has(piece.id) && !piece.fighter.fired && !piece.fighter.moves).map((piece) => piece.id);
    const allies = pieces.filter((piece) => shown.own && !mine.includes(piece.nation)).map((piece) => piece.id);
    const ownIds = pieces.map((piece) => piece.id).filter((id) => !allies.includes(id));
    return {
        live,
        selectable: false,
        selected: new Set(desk.retreating.value ?? desk.selected.value),
        targets: new Set(powers?.targets ?? []),
        aim: desk.aim.value,
        barred,
        choosable: new Set(ownIds),
        due: new Set(due),
        allies: new Set(allies),
        hits: desk.hits.value,
        turning: !desk.turning.value.has(shown.town) ? "none" : shown.own ? "enemy" : "all",
        deedName: (place) => {
            const deed = powers === null ? undefined : deedTo(powers, shown, place);
            return deed === undefined || powers === null
                ? undefined
                : t("battle.place", { what: deedWords(deed.id, deed.to), unit: unitName(powers.unit) });
        },
        onPlace: (place) => void doPlace(state, place),
        onOwn: (unit, event) => pressOwn(state, unit, event.shiftKey),
        onTarget: (unit, event) => pressTarget(state, unit, event),
        onHover: (unit) => {
            if (unit === null || (powers?.targets.includes(unit) ?? false)) desk.aim.value = unit;
        },
    };
}

async function doPlace(state: BattleState, place: Place): Promise<void> {
    const { powers, shown, desk } = state;
    const deed = powers === null ? undefined : deedTo(powers, shown, place);
    if (deed !== undefined) await desk.act(deed.action);
}

function pressOwn(state: BattleState, unit: string, more: boolean): void {
    const { desk } = state;
    const leaving = desk.retreating.value;
    if (leaving !== null) {
        desk.retreating.value = leaving.includes(unit) ? leaving.filter((one) => one !== unit) : [...leaving, unit];
        return;
    }
    if (more && desk.selected.value.length > 0) {
        const chosen = desk.selected.value;
        desk.selected.value = chosen.includes(unit) ? chosen.filter((one) => one !== unit) : [...chosen, unit];
        desk.aim.value = null;
    } else if (desk.selected.value[0] === unit && desk.selected.value.length === 1) desk.choose(null);
    else chooseUnit(state, unit);
}

/** A mouse has seen the odds while it hovered; a finger sees them first and fires with the second tap. */
function pressTarget(state: BattleState, target: string, event: MouseEvent): void {
    const { desk, powers } = state;
    if (powers === null) return;
    const touch = (event as PointerEvent).pointerType === "touch";
    if (touch && desk.aim.value !== target) desk.aim.value = target;
    else void fireAt(state, target);
}

/** Fires the chosen unit at a target. */
export async function fireAt(state: BattleState, target: string): Promise<void> {
    const { powers, desk, shown } = state;
    if (powers === null || !powers.targets.includes(target)) return;
    await desk.act({ do: "fire", battle: shown.town, unit: powers.unit, target });
}

function FightScene({ town }: { town: TownId }): JSX.Element | null {
    const { match } = useMatch();
    const state = useBattle(town);
    const root = useRef<HTMLDivElement>(null);
    const width = useWidth(root);
    const reasons = useReasons(state);
    useSettling(state);
    useKeptFocus(root, state);
    useBattleKeys(state, state?.live ? retreaters(state.view, town) : undefined);
    const firing = state?.powers?.unit;
    const target = state?.desk.aim.value ?? null;
    const odds = useOdds(deskOf(match), town, firing, target);
    const barred = new Map([...reasons.barred].map(([unit, rule]) => [unit, ruleText(rule)]));
    const scene = state === undefined ? undefined : sceneOf(state, barred);
    useDrag(root, {
        onTake: (unit) => state && state.desk.retreating.value === null && state.powers?.unit !== unit && chooseUnit(state, unit),
        allows: (unit, drop) => {
            if (state?.powers?.unit !== unit) return false;
            return "unit" in drop ? state.powers.targets.includes(drop.unit) : deedTo(state.powers, state.shown, drop.place) !== undefined;
        },
        onOver: (drop) => state && drop && "unit" in drop && scene?.onHover(drop.unit),
        onDrop: (_unit, drop) => state && void ("unit" in drop ? fireAt(state, drop.unit) : doPlace(state, drop.place)),
    });
    if (state === undefined || scene === undefined) return null;
    const { view, shown, desk, context } = state;
    const thrown = context.shown.value === null ? desk.thrown.value : thrownIn(view.events, [view], false);
    const single = width < ONE_LANE;
    const lanes = single ? shown.lanes.filter((lane) => lane.no === desk.lane.value) : shown.lanes;
    return (
        <SceneHolder.Provider value={scene}>
            <div class={`battle battle-fight ${single ? "battle-single" : ""} ${scene.live ? "is-live" : ""}`} ref={root} data-town={town} tabIndex={scene.live ? undefined : 0} role="group" aria-label={t("battle.of", { town: townName(town) })}>
                <GroundPatterns />
                {single && <LaneTiles state={state} />}
                <EnemyReserve state={state} />
                <div class="lanes" {...(single ? swipe(state) : {})}>
                    {lanes.map((lane) => (
                        <Lane key={lane.no} view={view} shown={shown} lane={lane} width={laneWidth(width)} thrown={thrown[`${town}/${lane.no}`]} />
                    ))}
                </div>
                <OwnReserve state={state} />
                {firing !== undefined && target !== null && (
                    <Aim board={root} from={firing} to={target} odds={odds} charge={isCharge(view, shown, firing, odds)} advanced={spotOf(shown.battle, firing)?.advanced ?? false} />
                )}
            </div>
        </SceneHolder.Provider>
    );
}

/** The text of a rule, as a refusal says it. */
export function ruleText(rule: string): string {
    return refusalText({ message: "", data: { kind: "illegal_action", rule } });
}

/** A finger's stroke outlasts a render. */
const stroke: { start: { x: number; y: number } | null } = { start: null };

/** A sideways stroke shows the next lane. */
function swipe(state: BattleState): Pick<JSX.HTMLAttributes<HTMLDivElement>, "onTouchStart" | "onTouchEnd"> {
    return {
        onTouchStart: (event) => {
            const touch = event.touches[0];
            const onBlock = (event.target as Element).closest("[data-drag]") !== null;
            stroke.start = touch === undefined || onBlock ? null : { x: touch.clientX, y: touch.clientY };
        },
        onTouchEnd: (event) => {
            const touch = event.changedTouches[0];
            const { start } = stroke;
            stroke.start = null;
            if (start === null || touch === undefined) return;
            const [dx, dy] = [touch.clientX - start.x, touch.clientY - start.y];
            if (Math.abs(dx) < 48 || Math.abs(dy) > Math.abs(dx) * 0.7) return;
            const order = state.shown.lanes.map((lane) => lane.no);
            const next = order[order.indexOf(state.desk.lane.value) + (dx < 0 ? 1 : -1)];
            if (next !== undefined) state.desk.lane.value = next;
        },
    };
}

