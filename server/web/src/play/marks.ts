/** What the map shows of a decision, as pure functions of the view and of what is chosen. */
import type { AttackMark, ForcedMark, Marks, PathMark, RingKind, RoadUse } from "@/board/types";
import { roadsAlong, type Roads } from "@/play/graph";
import type { Nation, TownId, UnitId, View } from "@/types";

/** Units that an attack must have at the least, as the tab over the town says it (W4.9). */
export const ATTACK_MINIMUM = 3;

/** One order of the draft: blocks of one town that go one way. */
export interface MarchRow {
    id: string;
    from: TownId;
    path: TownId[];
    units: UnitId[];
    /** Those of them that are forced. */
    forced: UnitId[];
    army: Nation;
    order: number;
}

/** The drafted marches as rows, in the order of drafting; only units of these nations. */
export function rowsOf(view: View, nations: readonly Nation[]): MarchRow[] {
    const rows = new Map<string, MarchRow>();
    const all = Object.entries(view.board.marches ?? {}).sort(([, a], [, b]) => a.order - b.order);
    for (const [unit, march] of all) {
        const army = unit.slice(0, 2) as Nation;
        const from = view.board.units[unit]?.town;
        if (from === undefined || !nations.includes(army)) continue;
        const id = [from, ...march.path].join(" ");
        const row = rows.get(id) ?? { id, from, path: [...march.path], units: [], forced: [], army, order: march.order };
        row.units.push(unit);
        if (march.forced) row.forced.push(unit);
        rows.set(id, row);
    }
    return [...rows.values()];
}

/** Use and capacity of the fullest road of a way, for the pill of its row. */
export function tightest(
    roads: Roads | null,
    ledger: Readonly<Record<string, { used: number; left: number }>> | undefined,
    from: TownId,
    path: readonly TownId[],
): { used: number; cap: number } | null {
    if (roads === null) return null;
    let found: { used: number; cap: number } | null = null;
    for (const road of roadsAlong(roads, from, path)) {
        const use = ledger?.[road.id];
        if (use === undefined) continue;
        const cap = use.used + use.left;
        if (found === null || use.left < found.cap - found.used) found = { used: use.used, cap };
    }
    return found;
}

export interface MarchGiven {
    view: View;
    roads: Roads | null;
    rows: readonly MarchRow[];
    /** What an ally has drafted: shown, not touched. */
    allies?: readonly MarchRow[];
    editing: string | null;
    held: ReadonlySet<UnitId>;
    legal: ReadonlyMap<TownId, { forced: boolean; attack: boolean }>;
    choosable: readonly UnitId[];
    reach: (unit: UnitId, town: TownId) => { path: TownId[] } | undefined;
    capacity: Readonly<Record<string, { of: number; left: number }>>;
    /** The words of a die pill ("1–3"). */
    dieText: string;
}

/** The marks of the march: draft, what is held, where it may go, what that would attack. */
export function marchMarks(given: MarchGiven): Marks {
    const { view, rows, editing, held, legal } = given;
    const drafted = rows.flatMap((one) => one.units);
    const rings: Record<TownId, RingKind> = {};
    for (const town of Object.keys(view.board.attacks ?? {})) rings[town] = "attacked";
    for (const town of legal.keys()) rings[town] = "legal";
    const row = rows.find((one) => one.id === editing);
    if (row !== undefined) rings[row.path[row.path.length - 1] ?? ""] = "edited";
    return {
        rings,
        selected: held,
        choosable: new Set([...given.choosable, ...drafted]),
        legalTowns: new Set(legal.keys()),
        roadUse: marchRoads(given, row),
        paths: [...rows, ...(given.allies ?? [])].map((one) => pathOf(one, editing)),
        attacks: attackMarks(view),
        forced: forcedMarks(rows, given.dieText),
        ...(view.turn?.night ? { night: true } : {}),
    };
}

function pathOf(row: MarchRow, editing: string | null): PathMark {
    const kind = row.forced.length > 0 ? "forced" : row.id === editing ? "edited" : "draft";
    return { towns: [row.from, ...row.path], kind, army: row.army };
}

function forcedMarks(rows: readonly MarchRow[], text: string): ForcedMark[] {
    return rows.filter((row) => row.forced.length > 0).map((row) => ({ towns: [row.from, ...row.path], text }));
}

/** The tabs over attacked towns. */
export function attackMarks(view: View): AttackMark[] {
    return Object.entries(view.board.attacks ?? {}).map(([town, attack]) => ({
        town,
        count: Object.values(attack.attackers).reduce((n, one) => n + (one ?? 0), 0),
        min: ATTACK_MINIMUM,
    }));
}

function marchRoads(given: MarchGiven, row: MarchRow | undefined): RoadUse[] {
    const { view, roads, held, legal } = given;
    const army = view.turn?.side === "AL" ? undefined : ("FR" as const);
    const edited = new Set(row === undefined || roads === null ? [] : roadsAlong(roads, row.from, row.path).map((one) => one.id));
    const found = new Map<string, RoadUse>();
    for (const [road, use] of Object.entries(view.board.roads ?? {})) {
        const cap = use.used + use.left;
        const kind = edited.has(road) ? "edited" : use.left === 0 ? "full" : "draft";
        found.set(road, { road, used: use.used, cap, kind, ...armyFor(kind, row?.army ?? army) });
    }
    if (roads === null || held.size === 0) return [...found.values()];
    const unit = [...held][0] ?? "";
    const from = view.board.units[unit]?.town ?? "";
    for (const town of legal.keys()) {
        const first = given.reach(unit, town)?.path[0];
        const road = first === undefined ? undefined : roads.between(from, first);
        const room = road === undefined ? undefined : given.capacity[road.id];
        if (road === undefined || room === undefined || found.has(road.id)) continue;
        found.set(road.id, { road: road.id, used: room.of - room.left, cap: room.of, kind: "open" });
    }
    return [...found.values()];
}

function armyFor(kind: RoadUse["kind"], army: Nation | undefined): { army?: Nation } {
    return kind === "edited" && army !== undefined ? { army } : {};
}

export interface SetUpGiven {
    view: View;
    /** Where each unit stands in the draft of this page. */
    placed: ReadonlyMap<UnitId, TownId>;
    selected: UnitId | null;
    nations: readonly Nation[];
}

/** The view with the page's own set-up draft in it. */
export function withPlaced(view: View, placed: ReadonlyMap<UnitId, TownId>, nations: readonly Nation[]): View {
    const units: View["board"]["units"] = {};
    const towns: Record<TownId, { units: Partial<Record<Nation, number>> }> = {};
    for (const [town, there] of Object.entries(view.board.towns)) {
        const others = Object.entries(there.units).filter(([nation]) => !nations.includes(nation as Nation));
        if (others.length > 0) towns[town] = { ...there, units: Object.fromEntries(others) };
    }
    for (const [id, unit] of Object.entries(view.board.units)) {
        const nation = id.slice(0, 2) as Nation;
        if (!nations.includes(nation)) {
            units[id] = unit;
            continue;
        }
        const { town: _was, ...bare } = unit;
        const town = placed.get(id);
        units[id] = town === undefined ? bare : { ...bare, town };
        if (town !== undefined) {
            const there = towns[town] ?? { units: {} };
            towns[town] = { ...there, units: { ...there.units, [nation]: (there.units[nation] ?? 0) + 1 } };
        }
    }
    return { ...view, board: { ...view.board, units, towns: towns as View["board"]["towns"] } };
}

/** How many of a nation stand in a town of the draft. */
export function placedIn(placed: ReadonlyMap<UnitId, TownId>, nation: Nation, town: TownId): number {
    let n = 0;
    for (const [unit, at] of placed) if (at === town && unit.startsWith(nation)) n++;
    return n;
}

/** The marks of the set-up: where the chosen block may stand, how full its towns are, what is forbidden. */
export function setUpMarks(given: SetUpGiven): Marks {
    const { view, placed, selected, nations } = given;
    const setup = view.board.setup ?? {};
    const rings: Record<TownId, RingKind> = {};
    const counts: Record<TownId, { text: string; full?: boolean }> = {};
    const legalTowns = new Set<TownId>();
    const asked = selected === null ? nations : [selected.slice(0, 2) as Nation];
    for (const nation of nations) {
        const where = setup[nation];
        for (const town of where?.towns ?? []) {
            const n = placedIn(placed, nation, town);
            const max = where?.max ?? 0;
            const free = n < max || (selected !== null && placed.get(selected) === town);
            if (n > 0) counts[town] = { text: `${n}/${max}`, ...(n >= max ? { full: true } : {}) };
            if (selected !== null && asked.includes(nation) && free) {
                rings[town] = "legal";
                legalTowns.add(town);
            }
        }
    }
    const ground = groundOf(asked);
    return {
        rings,
        counts,
        legalTowns,
        selected: new Set(selected === null ? [] : [selected]),
        choosable: new Set(Object.keys(view.board.units).filter((unit) => nations.includes(unit.slice(0, 2) as Nation))),
        deploymentLine: true,
        ...(ground === undefined ? {} : { veil: ground }),
    };
}

export interface RouteGiven {
    view: View;
    roads: Roads | null;
    town: TownId;
    kind: "retreat" | "rout";
    routes: ReadonlyMap<UnitId, { path: TownId[]; forced: boolean }>;
    chosen: ReadonlySet<UnitId>;
    units: readonly UnitId[];
    legal: ReadonlySet<TownId>;
    /** Room of roads before these routes. */
    capacity: Readonly<Record<string, { of: number; left: number }>>;
    /** Roads that bar the way from the town. */
    barred: readonly string[];
    dieText: string;
}

/** How many of these routes use each road. */
export function usedBy(
    roads: Roads | null,
    from: TownId,
    routes: Iterable<{ path: readonly TownId[] }>,
): Map<string, number> {
    const used = new Map<string, number>();
    if (roads === null) return used;
    for (const { path } of routes) {
        for (const road of roadsAlong(roads, from, path)) used.set(road.id, (used.get(road.id) ?? 0) + 1);
    }
    return used;
}

/** The marks of retreat and rout routes: where each goes, room on the roads, roads and towns that are closed. */
export function routeMarks(given: RouteGiven): Marks {
    const { view, town, routes, chosen, legal } = given;
    const rings: Record<TownId, RingKind> = {};
    for (const other of [...Object.keys(view.board.attacks ?? {}), ...Object.keys(view.board.battles ?? {})]) {
        if (other !== town && view.board.battles?.[other]?.phase !== "over") rings[other] = "closed";
    }
    for (const one of legal) rings[one] = "legal";
    rings[town] = "attacked";
    const groups = new Map<string, { path: TownId[]; forced: boolean; army: Nation }>();
    for (const [unit, route] of routes) {
        groups.set(route.path.join(" "), { ...route, army: unit.slice(0, 2) as Nation });
    }
    const ways = [...groups.values()];
    const forced = ways.filter((way) => way.forced).map((way) => ({ towns: [town, ...way.path], text: given.dieText }));
    return {
        rings,
        selected: chosen,
        choosable: new Set(given.units),
        legalTowns: new Set(legal),
        paths: ways.map((way) => ({ towns: [town, ...way.path], kind: given.kind, army: way.army })),
        roadUse: routeRoads(given, ways[0]?.army),
        forced,
    };
}

function routeRoads(given: RouteGiven, army: Nation | undefined): RoadUse[] {
    const found: RoadUse[] = given.barred.map((road) => ({ road, used: 0, cap: 0, kind: "barred" as const }));
    for (const [road, n] of usedBy(given.roads, given.town, given.routes.values())) {
        const room = given.capacity[road];
        if (room === undefined) continue;
        const used = room.of - room.left + n;
        found.push({ road, used, cap: room.of, kind: used > room.of ? "full" : "edited", ...(army ? { army } : {}) });
    }
    return found;
}

/** What stands out while one waits or looks: attacks, battles, the night. */
export function quietMarks(view: View): Marks {
    const rings: Record<TownId, RingKind> = {};
    for (const town of Object.keys(view.board.attacks ?? {})) rings[town] = "attacked";
    const battles = Object.entries(view.board.battles ?? {})
        .filter(([, battle]) => battle.phase !== "over")
        .map(([town]) => town);
    for (const town of battles) rings[town] = "attacked";
    return { rings, battles, attacks: attackMarks(view), ...(view.turn?.night ? { night: true } : {}) };
}

/** The ground that stays open in the set-up for blocks of these nations. */
function groundOf(nations: readonly Nation[]): Marks["veil"] {
    const [first, second] = nations;
    if (first === undefined) return undefined;
    if (first === "FR") return "france";
    if (second !== undefined) return "netherlands";
    return first === "AD" ? "anglo" : "prussian";
}
