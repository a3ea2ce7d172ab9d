/**
 * The odds of a combat as far as the viewer may know them: from match.ask where both strengths are known,
 * else his own side's sum and a table of what the enemy may be.
 */
import type { Asks } from "@/austerlitz/asks";
import { distance } from "@/austerlitz/grid";
import { possible } from "@/austerlitz/oob";
import { terrainOf } from "@/austerlitz/zones";
import type { Draft, Hex, HexBoardData, HexView, Odds, Side, Unit } from "@/austerlitz/types";
import { wireName } from "@/austerlitz/units";
import type { Refusal } from "@/net/rpc";

/** A combat by hexes, with who of the attackers stands in contact. */
export interface Shape {
    contact: Hex[];
    bombard: Hex[];
    defenders: Hex[];
    ice?: Hex;
}

/** Attackers beside every defender are in contact; guns that are not bombard. */
export function shapeOf(view: HexView, draft: Draft): Shape {
    if (draft.ice !== undefined) return { contact: [], bombard: draft.attackers, defenders: [], ice: draft.ice };
    const afar = (hex: Hex): boolean =>
        view.board.units[hex]?.type === "artillery" && draft.defenders.length > 0 && !draft.defenders.every((one) => distance(hex, one) === 1);
    return {
        contact: draft.attackers.filter((hex) => !afar(hex)),
        bombard: draft.attackers.filter(afar),
        defenders: draft.defenders,
    };
}

/** A combat of the plan as an action names its units. */
export function wireEntry(view: HexView, shape: Shape): Record<string, unknown> {
    if (shape.ice !== undefined) return { artillery: wireName(view, shape.bombard[0] ?? ""), hex: shape.ice };
    const names = (hexes: readonly Hex[]): string[] => hexes.map((hex) => wireName(view, hex));
    return {
        ...(shape.contact.length > 0 ? { contact: names(shape.contact) } : {}),
        ...(shape.bombard.length > 0 ? { bombard: names(shape.bombard) } : {}),
        defenders: names(shape.defenders),
    };
}

/** What is known of a combat before the die. */
export interface Judged {
    refusal?: Refusal;
    odds?: Odds;
    /** Own side's sum where the other's is not known. */
    own?: number;
    /** The own side attacks. */
    attacks?: boolean;
    /** By what the unknown side may sum up to, neighbours of one row together. */
    table?: { from: number; to: number; row: string }[];
}

const SUMS_MAX = 40;

/** What a unit counts (6.4): guns in fog or at night half, in favour of nobody; works double a defender. */
export function weight(view: HexView, unit: Pick<Unit, "type">, potential: number, defends: boolean, fortified: boolean): number {
    const dim = view.turn.fog || view.turn.night;
    const halved = unit.type === "artillery" && dim ? (defends ? Math.ceil(potential / 2) : Math.floor(potential / 2)) : potential;
    return defends && fortified && unit.type !== "cavalry" ? halved * 2 : halved;
}

/** All sums of one possible figure each, in order. */
function sums(of: readonly number[][]): number[] {
    let found = new Set([0]);
    for (const values of of) found = new Set([...found].flatMap((sum) => values.map((value) => sum + value)));
    return [...found].filter((sum) => sum > 0).sort((a, b) => a - b).slice(0, SUMS_MAX);
}

/** Asks the server about a combat. attacker: whose combat phase it is. */
export async function judge(asks: Asks, view: HexView, board: HexBoardData | null, shape: Shape, attacker: Side): Promise<Judged> {
    if (shape.ice !== undefined) {
        const gun = shape.bombard[0] ?? "";
        const asked = await asks.judged<{ legal: boolean; rule?: string }>({ ask: "ice_shot", unit: wireName(view, gun) as never, hex: shape.ice });
        return "refusal" in asked ? { refusal: asked.refusal } : { odds: { ice_shot: true } };
    }
    const asked = await asks.judged<Odds>({ ask: "odds", ...wireEntry(view, shape) } as never);
    if ("refusal" in asked) return { refusal: asked.refusal };
    const odds = asked.answer;
    if (odds.row !== undefined || odds.ice_shot === true || board === null) return { odds };
    return { odds, ...(await whatIf(asks, view, board, shape, attacker, new Set(odds.no_die ?? []))) };
}

async function whatIf(asks: Asks, view: HexView, board: HexBoardData, shape: Shape, attacker: Side, gone: ReadonlySet<string>): Promise<Judged> {
    const figures = (hexes: readonly Hex[], defends: boolean): number[][] =>
        hexes
            .filter((hex) => !gone.has(wireName(view, hex)))
            .map((hex) => {
                const unit = view.board.units[hex];
                if (unit === undefined) return [0];
                const works = terrainOf(board, hex, view.board.broken_ice).includes("fortified");
                const values = unit.potential === undefined ? possible(unit.side, unit.type) : [unit.potential];
                return [...new Set(values.map((value) => weight(view, unit, value, defends, works)))];
            });
    const attack = figures([...shape.contact, ...shape.bombard], false);
    const defence = figures(shape.defenders, true);
    if (defence.length === 0) return {};
    const known = (all: readonly number[][]): number | undefined => {
        if (all.some((values) => values.length !== 1)) return undefined;
        return all.reduce((sum, values) => sum + (values[0] ?? 0), 0);
    };
    const own = known(attack) ?? known(defence);
    if (own === undefined || own === 0) return {};
    const attacks = known(attack) !== undefined;
    const rows = await Promise.all(
        sums(attacks ? defence : attack).map(async (sum) => {
            const row = await asks.ask<{ row: string }>({ ask: "row", attack: attacks ? own : sum, defence: attacks ? sum : own, attacker });
            return { from: sum, to: sum, row: row.row };
        }),
    );
    return { own, attacks, table: joined(rows) };
}

/** Neighbours of one row as one, where the table would grow too wide. */
function joined(rows: { from: number; to: number; row: string }[]): { from: number; to: number; row: string }[] {
    if (rows.length <= 5) return rows;
    const out: { from: number; to: number; row: string }[] = [];
    for (const row of rows) {
        const last = out[out.length - 1];
        if (last?.row === row.row) last.to = row.to;
        else out.push({ ...row });
    }
    return out;
}
