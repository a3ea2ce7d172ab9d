/** The deployment of a battle as a draft: who is in hand, what each zone has, what will be sent. */
import { announce } from "@/app/live";
import { formsOf } from "@/net/forms";
import { lane as laneName, t } from "@/words";
import type { Action, TownId, UnitId, View } from "@/types";
import { deskOf, type Desk } from "./desk";
import { battleView, type BattleView, type Piece, type Zone } from "./model";
import type { Draft, Man } from "./orders";
import { useMatch, viewToDraw } from "@/play/context";

export interface Deploying {
    desk: Desk;
    view: View;
    /** As it would stand after the draft. */
    shown: BattleView;
    /** The seat deploys here now. */
    live: boolean;
    men: Man[];
    draft: Draft;
    /** In hand, as they stand. */
    hand: Piece[];
    count: Record<Zone, number>;
    strength: Record<Zone, number>;
    /** Columns that have nobody yet. */
    needs: Zone[];
    ready: boolean;
}

interface Split {
    split: UnitId[];
    into: Partial<Record<Zone, { min?: number }>>;
}

/** Units that a seat has to spread over the columns, and how many each needs: as its form says. */
function splitOf(view: View, town: TownId): Split {
    const form = formsOf(view.actions, "deploy", { battle: town })[0];
    return (form?.columns as Split | undefined) ?? { split: [], into: {} };
}

/** The battle as it would stand with the drafted in their places. */
function withDraft(shown: BattleView, draft: Draft): BattleView {
    const placed = shown.undeployed.below.pieces.filter((piece) => draft[piece.id] !== undefined);
    const join = (force: { pieces: Piece[]; hidden: BattleView["reserve"]["below"]["hidden"]; count: number }, zone: Zone) => {
        const more = placed.filter((piece) => draft[piece.id] === zone);
        return { ...force, pieces: [...force.pieces, ...more], count: force.count + more.length };
    };
    return {
        ...shown,
        lanes: shown.lanes.map((lane) => ({ ...lane, below: join(lane.below, lane.no) })),
        reserve: { ...shown.reserve, below: join(shown.reserve.below, "reserve") },
    };
}

/** Undefined while there is no such battle, or its columns are turned up already. */
export function useDeploying(town: TownId): Deploying | undefined {
    const context = useMatch();
    const view = viewToDraw(context);
    const desk = deskOf(context.match);
    const plain = view === null ? undefined : battleView(view, town);
    if (view === null || plain === undefined || plain.battle.phase !== "deploy") return undefined;
    const { split, into } = context.shown.value === null ? splitOf(view, town) : { split: [], into: {} as Split["into"] };
    const live = split.length > 0;
    const draft = live ? (desk.deploy.value[town] ?? {}) : {};
    const shown = withDraft(plain, draft);
    // An ally forms his own.
    const hand = plain.undeployed.below.pieces.filter((piece) => draft[piece.id] === undefined && (!live || split.includes(piece.id)));
    const zones: Zone[] = ["1", "2", "3", "reserve"];
    const force = (zone: Zone): Piece[] =>
        zone === "reserve" ? shown.reserve.below.pieces : (shown.lanes.find((lane) => lane.no === zone)?.below.pieces ?? []);
    const table = (of: (pieces: Piece[]) => number) => Object.fromEntries(zones.map((zone) => [zone, of(force(zone))])) as Record<Zone, number>;
    const own = (zone: Zone): number => Object.values(draft).filter((one) => one === zone).length;
    const needs = live ? (["1", "2", "3"] as const).filter((zone) => own(zone) < (into[zone]?.min ?? 0)) : [];
    return {
        desk,
        view,
        shown,
        live,
        men: plain.undeployed.below.pieces
            .filter((piece) => split.includes(piece.id))
            .map(({ id, fighter }) => ({ id, type: fighter.type, cv: fighter.cv })),
        draft,
        hand,
        count: table((pieces) => pieces.length),
        strength: table((pieces) => pieces.reduce((sum, piece) => sum + piece.fighter.cv, 0)),
        needs,
        ready: live && needs.length === 0 && split.every((unit) => draft[unit] !== undefined),
    };
}

/** Puts a unit into a zone (null: back into the hand), chooses the next in hand and says how it stands. */
export function place(state: Deploying, unit: UnitId, zone: Zone | null): void {
    const { desk, shown, men } = state;
    if (!men.some((man) => man.id === unit)) return;
    const { [unit]: _before, ...rest } = state.draft;
    const draft: Draft = zone === null ? rest : { ...rest, [unit]: zone };
    setDraft(desk, shown.town, draft);
    const hand = state.hand.filter((piece) => piece.id !== unit);
    const next = state.hand[state.hand.findIndex((piece) => piece.id === unit) + 1] ?? hand[0];
    desk.choose(zone === null ? unit : (next?.id ?? unit));
    const left = men.filter((man) => draft[man.id] === undefined).length;
    const n = Object.values(draft).filter((one) => one === zone).length;
    const where = zone === null ? t("battle.zone.hand") : zone === "reserve" ? t("battle.zone.reserve") : laneName(Number(zone));
    announce(t("battle.say.placed", { where, n: zone === null ? left : n, left }));
}

export function setDraft(desk: Desk, town: TownId, draft: Draft): void {
    const before = desk.deploy.peek()[town] ?? {};
    desk.draftsBefore.push({ town, draft: before });
    desk.deploy.value = { ...desk.deploy.peek(), [town]: draft };
}

/** Takes back the last change of this battle's draft. */
export function undoDraft(desk: Desk, town: TownId): void {
    const at = desk.draftsBefore.map((one) => one.town).lastIndexOf(town);
    const before = desk.draftsBefore[at];
    if (before === undefined) return;
    desk.draftsBefore.splice(at, 1);
    desk.deploy.value = { ...desk.deploy.peek(), [town]: before.draft };
}

/** The action that a complete draft amounts to. */
export function deployAction(town: TownId, draft: Draft): Action {
    const of = (zone: Zone): UnitId[] => Object.keys(draft).filter((unit) => draft[unit] === zone).sort();
    return { do: "deploy", battle: town, columns: { "1": of("1"), "2": of("2"), "3": of("3"), reserve: of("reserve") } };
}
