/** The board while columns are formed: three zones, the reserve, and what is still in hand. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { nationUnits, sideName, t, townName, tt, unitName, type Token } from "@/words";
import type { TownId, UnitId } from "@/types";
import { useDrag, type Drop } from "./drag";
import { GroundPatterns } from "./Ground";
import { isFree } from "./keys";
import { Lane, PlaceButton, type ColumnNote } from "./Lanes";
import { place, useDeploying, type Deploying } from "./deploying";
import { zoneName } from "./names";
import { Blanks, Piece } from "./Piece";
import { countWords, EnemyReserve, reserveName, reserveSize } from "./Reserve";
import { lookingOn, SceneHolder, type SceneState } from "./scene";
import { laneWidth, useWidth } from "./BattleScene";
import { useMatch } from "@/play/context";
import type { Zone } from "./model";

const ONE_LANE = 640;
const zoneKeys: Record<string, Zone> = { "1": "1", "2": "2", "3": "3", "0": "reserve" };

function sceneOf(state: Deploying): SceneState {
    const { desk, live, men, shown } = state;
    const split = new Set(men.map((man) => man.id));
    const chosen = desk.selected.value[0];
    const pieces = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces, ...state.hand];
    return {
        ...lookingOn,
        live,
        selected: new Set(desk.selected.value),
        choosable: split,
        allies: new Set(live ? pieces.map((piece) => piece.id).filter((id) => !split.has(id)) : []),
        deedName: ({ zone, ground }) =>
            ground || !live || chosen === undefined || !split.has(chosen)
                ? undefined
                : t("battle.deploy.place", { unit: unitName(chosen, "full"), where: zoneName(zone) }),
        onPlace: ({ zone }) => chosen !== undefined && place(state, chosen, zone),
        onOwn: (unit) => desk.choose(desk.selected.value[0] === unit ? null : unit),
    };
}

/** How the enemy stands: known as counts once he has formed. */
function enemyWords({ shown }: Deploying): readonly Token[] {
    const counts = shown.lanes.map((lane) => lane.above.count);
    const side_t = sideName(shown.sides[shown.top]);
    if (counts.some((n) => n > 0)) {
        const [a, b, c] = counts;
        return tt(shown.own ? "battle.deploy.they_stand" : "battle.deploy.side_stands", { a: a ?? 0, b: b ?? 0, c: c ?? 0, side_t });
    }
    return shown.undeployed.above.count > 0 ? tt("battle.deploy.unformed", { n: shown.undeployed.above.count, side_t }) : [];
}

function useDeployKeys(state: Deploying | undefined): void {
    const now = useRef(state);
    now.current = state;
    useEffect(() => {
        const onKey = (event: KeyboardEvent): void => {
            const current = now.current;
            if (current === undefined || !current.live || !isFree(event)) return;
            if (pressKey(current, event.key.toLowerCase())) {
                event.preventDefault();
                event.stopPropagation();
            }
        };
        addEventListener("keydown", onKey);
        return () => removeEventListener("keydown", onKey);
    }, []);
}

function pressKey(state: Deploying, key: string): boolean {
    const { desk, hand, men } = state;
    const chosen = desk.selected.value[0];
    const zone = zoneKeys[key];
    if (zone !== undefined) {
        const unit = chosen ?? hand[0]?.id;
        if (unit === undefined) return false;
        place(state, unit, zone);
        return true;
    }
    const step = { arrowleft: -1, arrowright: 1, "[": -1, "]": 1 }[key];
    if (step !== undefined) {
        const order = standing(state).filter((unit) => men.some((man) => man.id === unit));
        const at = order.indexOf(chosen ?? "");
        const next = order[(at + step + order.length) % order.length];
        if (next !== undefined) desk.choose(next);
        return next !== undefined;
    }
    if (key === "q" && chosen !== undefined) {
        place(state, chosen, null);
        return true;
    }
    if (key === "escape" && chosen !== undefined) {
        desk.choose(null);
        return true;
    }
    return false;
}

/** All own units from the left: columns, reserve, hand. */
function standing({ shown, hand }: Deploying): UnitId[] {
    const pieces = [...shown.lanes.flatMap((lane) => lane.below.pieces), ...shown.reserve.below.pieces, ...hand];
    return pieces.map((piece) => piece.id);
}

function noteOf(state: Deploying, zone: Zone): ColumnNote | undefined {
    if (!state.live) return undefined;
    const n = state.count[zone];
    const done = !state.needs.includes(zone);
    const text = done ? t("battle.deploy.column", { n, strength: state.strength[zone] }) : t("battle.deploy.needs");
    return { text, done, key: zone };
}

export function DeployScene({ town }: { town: TownId }): JSX.Element | null {
    const { match, shown: replay } = useMatch();
    const state = useDeploying(town);
    const root = useRef<HTMLDivElement>(null);
    const width = useWidth(root);
    useDeployKeys(state);
    const zoneOfDrop = (drop: Drop): Zone | null | undefined =>
        "unit" in drop || drop.place.ground ? undefined : (drop.place.zone as string) === "hand" ? null : drop.place.zone;
    useDrag(root, {
        onTake: (unit) => state?.desk.choose(unit),
        allows: (_unit, drop) => zoneOfDrop(drop) !== undefined,
        onDrop: (unit, drop) => {
            const zone = zoneOfDrop(drop);
            if (state !== undefined && zone !== undefined) place(state, unit, zone);
        },
    });
    if (state === undefined) return null;
    const { shown, view, desk } = state;
    const single = width < ONE_LANE;
    return (
        <SceneHolder.Provider value={sceneOf(state)}>
            <div class={`battle battle-deploy ${single ? "battle-single" : ""} ${state.live ? "is-live" : ""}`} ref={root} data-town={town} tabIndex={state.live ? undefined : 0} role="group" aria-label={t("battle.of", { town: townName(town) })}>
                <GroundPatterns />
                <EnemyReserve state={{ context: { match, shown: replay } as never, desk, view, shown, live: false, actors: [], powers: null }} note={enemyWords(state)} />
                <div class="lanes">
                    {shown.lanes.map((lane) => (
                        <Lane key={lane.no} view={view} shown={shown} lane={lane} width={single ? (width - 40) / 3 : laneWidth(width)} note={noteOf(state, lane.no)} />
                    ))}
                </div>
                <div class="deploy-foot">
                    <DeployReserve state={state} />
                    <Hand state={state} />
                </div>
                <aside class="deploy-help">
                    <p class="told">{t("battle.deploy.help")}</p>
                    <p class="small">{t("battle.deploy.help_more")}</p>
                </aside>
            </div>
        </SceneHolder.Provider>
    );
}

function DeployReserve({ state }: { state: Deploying }): JSX.Element {
    const { shown } = state;
    const force = shown.reserve.below;
    const name = reserveName(shown.sides[shown.bottom], shown.own);
    return (
        <section class="reserve reserve-own" aria-label={name}>
            <PlaceButton place={{ zone: "reserve", ground: false }} />
            <div class="reserve-head">
                <h3>{name}</h3>
                <p>{state.live ? t("battle.deploy.reserve_key") : countWords(force)}</p>
            </div>
            <div class="reserve-row">
                {force.pieces.map((piece) => (
                    <Piece key={piece.id} piece={piece} zone="reserve" size={reserveSize(force.count, innerWidth < 600)} own />
                ))}
                {force.hidden.map(([nation, n]) => (
                    <Blanks key={nation} nation={nation} count={n} size={reserveSize(n, innerWidth < 600)} label={nationUnits(n, nation)} />
                ))}
            </div>
        </section>
    );
}

/** Units that have no place yet; for those who only look: the force that has not formed. */
function Hand({ state }: { state: Deploying }): JSX.Element | null {
    const { shown, hand, men, live } = state;
    const blanks = shown.undeployed.below.hidden;
    const n = hand.length + blanks.reduce((sum, [, of]) => sum + of, 0);
    if (n === 0 && !live) return null;
    const size = n > 4 ? Math.min(40, reserveSize(n, innerWidth < 600)) : reserveSize(n, innerWidth < 600);
    return (
        <section class="battle-hand" data-place="hand" aria-label={t("battle.zone.hand")}>
            <div class="reserve-head">
                <h3>{live ? t("battle.deploy.hand") : t("battle.deploy.waiting")}</h3>
                <p>{live ? t("battle.deploy.hand_of", { n: hand.length, of: men.length }) : countWords(shown.undeployed.below)}</p>
            </div>
            <div class="reserve-row">
                {hand.map((piece) => (
                    <Piece key={piece.id} piece={piece} zone="reserve" size={size} own />
                ))}
                {blanks.map(([nation, of]) => (
                    <Blanks key={nation} nation={nation} count={of} size={size} label={nationUnits(of, nation)} />
                ))}
            </div>
        </section>
    );
}

