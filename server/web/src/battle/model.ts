/**
 * What a view says of a battle, put in the order in which it is drawn: the viewer's side below, lanes
 * by their numerals from the attacker's left. Nothing here decides what is legal.
 */
import type { Battle, BattleSide, Counts, Fighter, Group, LaneNo, Nation, Side, TownId, UnitId, View } from "@/types";

export const laneNumbers: readonly LaneNo[] = ["1", "2", "3"];
export type Zone = LaneNo | "reserve";

/** A unit that the viewer knows, in its place. */
export interface Piece {
    id: UnitId;
    nation: Nation;
    fighter: Fighter;
    /** It stands in the middle ground. */
    advanced: boolean;
}

/** One side of a lane or reserve: who is known, and how many of each nation are not. */
export interface Force {
    pieces: Piece[];
    hidden: [Nation, number][];
    count: number;
}

export interface LaneView {
    no: LaneNo;
    /** In columns and in the middle ground; `below` is the viewer's side. */
    above: Force;
    below: Force;
    engagedBy?: BattleSide;
    engagedCt?: number;
}

export interface BattleView {
    town: TownId;
    battle: Battle;
    /** Which battle side is drawn below: the viewer's own, the attacker's for those without one. */
    bottom: BattleSide;
    top: BattleSide;
    /** The viewer's side takes part; false for spectators. */
    own: boolean;
    sides: Record<BattleSide, Side>;
    /** From the left of the screen. */
    lanes: LaneView[];
    reserve: { above: Force; below: Force };
    undeployed: { above: Force; below: Force };
}

const nationOrder: readonly Nation[] = ["FR", "AD", "PR"];

/** The side of a viewer; undefined for spectators and for one who sees all. */
export function sideOf(as: string): Side | undefined {
    if (as === "FR") return "FR";
    return as === "AL" || as === "AD" || as === "PR" ? "AL" : undefined;
}

/** Who attacks: the side whose player turn it is. */
export function sidesOf(view: View): Record<BattleSide, Side> {
    const att = view.turn?.side ?? "FR";
    return { att, def: att === "FR" ? "AL" : "FR" };
}

export function nationOf(unit: UnitId): Nation {
    return unit.slice(0, 2) as Nation;
}

function countsOf(counts: Counts | undefined): [Nation, number][] {
    return nationOrder.filter((nation) => (counts?.[nation] ?? 0) > 0).map((nation) => [nation, counts?.[nation] ?? 0]);
}

/** Known units in the order in which blocks stand (infantry, cavalry, guns; stronger first), and the hidden. */
export function forceOf(group: Group | undefined): Force {
    const pieces = Object.entries((group?.units ?? {}) as Record<UnitId, Fighter>)
        .map(([id, fighter]) => ({ id, nation: nationOf(id), fighter, advanced: fighter.advanced_ct !== undefined }))
        .sort(byPlace);
    const hidden = countsOf(group?.hidden as Counts | undefined);
    return { pieces, hidden, count: pieces.length + hidden.reduce((n, [, of]) => n + of, 0) };
}

const arms = ["infantry", "cavalry", "foot_artillery", "horse_artillery"];

function byPlace(a: Piece, b: Piece): number {
    const arm = arms.indexOf(a.fighter.type) - arms.indexOf(b.fighter.type);
    return nationOrder.indexOf(a.nation) - nationOrder.indexOf(b.nation) || arm || (a.id < b.id ? -1 : 1);
}

/** A battle as it is drawn for the view's viewer; undefined when there is none in that town. */
export function battleView(view: View, town: TownId, battle?: Battle): BattleView | undefined {
    const shown = battle ?? (view.board.battles?.[town] as Battle | undefined);
    if (shown === undefined) return undefined;
    const sides = sidesOf(view);
    const side = sideOf(view.as);
    const bottom: BattleSide = side === undefined || sides.att === side ? "att" : "def";
    const top: BattleSide = bottom === "att" ? "def" : "att";
    const lane = (no: LaneNo): LaneView => {
        const data = shown.lanes?.[no];
        return {
            no,
            above: forceOf(data?.[top]),
            below: forceOf(data?.[bottom]),
            ...(data?.engaged_by === undefined ? {} : { engagedBy: data.engaged_by }),
            ...(data?.engaged_ct === undefined ? {} : { engagedCt: data.engaged_ct }),
        };
    };
    const both = (groups: Battle["reserve"]): { above: Force; below: Force } => ({
        above: forceOf(groups?.[top]),
        below: forceOf(groups?.[bottom]),
    });
    const order = bottom === "att" ? laneNumbers : [...laneNumbers].reverse();
    return {
        town,
        battle: shown,
        bottom,
        top,
        own: side !== undefined,
        sides,
        lanes: order.map(lane),
        reserve: both(shown.reserve),
        undeployed: both(shown.undeployed),
    };
}

/** The nation whose mark a side's columns carry: the one most of whose units stand there. */
export function markOf(side: Side, forces: readonly Force[]): Nation {
    if (side === "FR") return "FR";
    const n = { AD: 0, PR: 0 };
    for (const force of forces) {
        for (const piece of force.pieces) if (piece.nation !== "FR") n[piece.nation]++;
        for (const [nation, of] of force.hidden) if (nation !== "FR") n[nation] += of;
    }
    return n.PR > n.AD ? "PR" : "AD";
}

/** Where a unit of a battle stands: its lane or reserve, and on which side. */
export interface Spot {
    zone: Zone;
    side: BattleSide;
    fighter: Fighter;
    advanced: boolean;
}

/** Finds a known unit in a battle. */
export function spotOf(battle: Battle | undefined, unit: UnitId): Spot | undefined {
    for (const side of ["att", "def"] as const) {
        for (const no of laneNumbers) {
            const fighter = battle?.lanes?.[no]?.[side]?.units?.[unit] as Fighter | undefined;
            if (fighter) return { zone: no, side, fighter, advanced: fighter.advanced_ct !== undefined };
        }
        const fighter = battle?.reserve?.[side]?.units?.[unit] as Fighter | undefined;
        if (fighter) return { zone: "reserve", side, fighter, advanced: false };
    }
    return undefined;
}

/** Is a unit engaged (W7.5): advanced, or in a column that the enemy has advanced against? */
export function isEngaged(shown: BattleView, unit: UnitId): boolean {
    const spot = spotOf(shown.battle, unit);
    if (spot === undefined || spot.zone === "reserve") return false;
    const by = shown.battle.lanes?.[spot.zone]?.engaged_by;
    return by !== undefined && (spot.advanced || by !== spot.side);
}

/** How far a side is with its combat turns: the number it has begun, and the number it has ended. */
export function turnsOf(view: View, side: BattleSide): { begun: number; ended: number } {
    const ct = view.board.ct;
    if (ct === undefined) return { begun: 0, ended: 0 };
    const begun = side === "att" || ct.side === "def" ? ct.n : ct.n - 1;
    return { begun, ended: ct.side === side ? begun - 1 : begun };
}

/** Does an advanced unit stand in the part of the middle ground next to its own side (else in that beyond)? */
export function isArriving(view: View, side: BattleSide, advancedCt: number): boolean {
    return turnsOf(view, side).ended <= advancedCt;
}

/** The nations that the view's seat commands; none for those who look on. */
export function commanded(view: View): readonly Nation[] {
    return (view.board.seats as Record<string, Nation[] | undefined>)[view.as] ?? [];
}

/** Units that have acted in this combat turn, and all that are in the battle, of a side and these nations. */
export function actedOf(battle: Battle, side: BattleSide, of: readonly Nation[] = nationOrder): { acted: number; of: number } {
    const fighters = [...laneNumbers.map((no) => battle.lanes?.[no]?.[side]), battle.reserve?.[side]]
        .flatMap((group) => Object.entries((group?.units ?? {}) as Record<UnitId, Fighter>))
        .filter(([id]) => of.includes(nationOf(id)));
    return { acted: fighters.filter(([, one]) => one.fired || one.moves).length, of: fighters.length };
}

/** What a tab says of a battle. */
export interface TabState {
    phase: Battle["phase"];
    /** deploy: how many units the viewer still has to place there, 0 when it is not his turn. */
    todo: number;
    /** fight: the round, and who of the viewer's own have acted in it (of 0: it is not his turn). */
    round: number;
    acted: number;
    of: number;
    /** What must be done here by the viewer before the turn can go on: names its words, `battle.due.<due>`. */
    due: "deploy" | "must" | "rout" | null;
    /** over: the side that holds the town, and with how many. */
    holder?: Side;
    holding: number;
    /** over, and the routes of this side's rout are not given yet. */
    routed?: Side;
}

/** What the tab of a battle tells this viewer. */
export function tabOf(view: View, town: TownId): TabState {
    const shown = battleView(view, town);
    if (shown === undefined) return { phase: "over", todo: 0, round: 0, acted: 0, of: 0, due: null, holding: 0 };
    const { battle, bottom, own, sides } = shown;
    const mine = view.prompt?.id === "combat" && battle.phase === "fight";
    const { acted, of } = mine ? actedOf(battle, bottom, commanded(view)) : { acted: 0, of: 0 };
    const units = (view.board.towns[town]?.units ?? {}) as Counts;
    const french = units.FR ?? 0;
    const allied = (units.AD ?? 0) + (units.PR ?? 0);
    const over = battle.phase === "over";
    const due = dueOf(view, town);
    return {
        phase: battle.phase,
        todo: own && due === "deploy" ? shown.undeployed.below.pieces.filter((piece) => commanded(view).includes(piece.nation)).length : 0,
        round: view.board.ct?.n ?? 1,
        acted,
        of,
        due,
        ...(over && french + allied > 0 ? { holder: french > 0 ? ("FR" as const) : ("AL" as const) } : {}),
        holding: over ? Math.max(french, allied) : 0,
        ...(battle.rout === undefined ? {} : { routed: sides[battle.rout.side] }),
    };
}

/** What the prompt asks of this battle. */
function dueOf(view: View, town: TownId): TabState["due"] {
    const prompt = view.prompt;
    if (prompt === undefined) return null;
    if (prompt.id === "combat") return prompt.must_act?.includes(town) ? "must" : null;
    if (!("battles" in prompt) || !prompt.battles.includes(town)) return null;
    return prompt.id === "rout_routes" ? "rout" : "deploy";
}

/** The battles of a view, in the order of the alphabet. */
export function battlesOf(view: View): TownId[] {
    return Object.keys(view.board.battles ?? {}).sort();
}
