/**
 * The board of a match as a small picture, as the viewer may see it: a sketch of roads, rivers and
 * armies at once, then what the map's own part draws: of a big one the engraved sheet.
 */
import { useMemo } from "preact/hooks";
import { lazy, Suspense } from "@/app/lazy";
import type { BoardData, View } from "@/types";
import { armyName, type Nation } from "@/ui/army";
import { MarkFigure } from "@/ui/ArmyMark";

/** From this size on the engraved sheet reads well; smaller pictures are drawn in few lines. */
const SHEET_FROM_PX = 500;
const SHEET_FROM_HEIGHT_PX = 380;

const Sheet = lazy(() => import("@/lobby/Engraved"));
const Small = lazy(() => import("@/lobby/Small"));

interface PictureProps {
    board: BoardData | null;
    view?: Pick<View, "board"> | null;
    width: number;
    height: number;
    /** Towns that must be in the picture; default those with units, else all. */
    crop?: readonly string[];
    label?: string;
}

type Towns = View["board"]["towns"];
type Point = readonly [number, number];

const KM_PER_DEGREE = 111.2;
const SQUEEZE = Math.cos((50.5 * Math.PI) / 180);
const MARGIN_KM = 9;
const NOBODY: Towns = {};
const NATIONS: readonly Nation[] = ["FR", "AD", "PR"];

/** Kilometres east and south of a corner far outside. */
function place(lat: number, lon: number): Point {
    return [(lon - 3) * KM_PER_DEGREE * SQUEEZE, (51.5 - lat) * KM_PER_DEGREE];
}

interface Frame {
    x: number;
    y: number;
    scale: number;
}

/** The part of the sheet that shows these points, in the shape of the picture. */
function frameOf(points: Point[], width: number, height: number): Frame {
    const xs = points.map((point) => point[0]);
    const ys = points.map((point) => point[1]);
    const left = Math.min(...xs) - MARGIN_KM;
    const right = Math.max(...xs) + MARGIN_KM;
    const top = Math.min(...ys) - MARGIN_KM;
    const bottom = Math.max(...ys) + MARGIN_KM;
    const scale = Math.min(width / (right - left), height / (bottom - top), width / 70);
    return {
        x: (left + right) / 2 - width / scale / 2,
        y: (top + bottom) / 2 - height / scale / 2,
        scale,
    };
}

const n1 = (value: number): string => value.toFixed(1);

function pathOf(points: Point[], to: (point: Point) => Point): string {
    return points
        .map((point, i) => {
            const [x, y] = to(point);
            return `${i === 0 ? "M" : "L"}${n1(x)},${n1(y)}`;
        })
        .join("");
}

/** A smooth line through points (Catmull-Rom). */
function smooth(points: Point[], to: (point: Point) => Point): string {
    const all = points.map(to);
    const at = (i: number): Point => all[Math.max(0, Math.min(all.length - 1, i))] ?? [0, 0];
    let line = `M${n1(at(0)[0])},${n1(at(0)[1])}`;
    for (let i = 0; i + 1 < all.length; i++) {
        const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        const one: Point = [b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6];
        const two: Point = [c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6];
        line += `C${n1(one[0])},${n1(one[1])} ${n1(two[0])},${n1(two[1])} ${n1(c[0])},${n1(c[1])}`;
    }
    return line;
}

/** A road bends a little to one side, always the same way for the same road. */
function bend(a: Point, b: Point, id: string): string {
    let seed = 7;
    for (const letter of id) seed = (seed * 31 + letter.charCodeAt(0)) % 997;
    const side = (seed % 2 === 0 ? 1 : -1) * (0.05 + (seed % 5) / 100);
    const mid: Point = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * side, (a[1] + b[1]) / 2 + (b[0] - a[0]) * side];
    return `M${n1(a[0])},${n1(a[1])}Q${n1(mid[0])},${n1(mid[1])} ${n1(b[0])},${n1(b[1])}`;
}

interface Pile {
    nation: Nation;
    count: number;
    x: number;
    y: number;
    size: number;
}

/** One tile for each army in a town, bigger for many; tiles that would touch step aside. */
function pilesOf(towns: Towns, spots: Map<string, Point>, unit: number): Pile[] {
    const piles: Pile[] = [];
    for (const [town, { units }] of Object.entries(towns)) {
        const spot = spots.get(town);
        if (spot === undefined) continue;
        const here = NATIONS.filter((nation) => (units[nation] ?? 0) > 0);
        here.forEach((nation, i) => {
            const count = units[nation] ?? 0;
            const size = unit * Math.min(1.5, 0.86 + count * 0.09);
            piles.push({ nation, count, size, x: spot[0] + (i - (here.length - 1) / 2) * size, y: spot[1] });
        });
    }
    for (let round = 0; round < 6; round++) {
        for (const [i, a] of piles.entries()) {
            for (const b of piles.slice(i + 1)) part(a, b);
        }
    }
    return piles.sort((a, b) => a.y - b.y);
}

function part(a: Pile, b: Pile): void {
    const room = (a.size + b.size) / 2 + 1.5;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    if (Math.abs(dx) >= room || Math.abs(dy) >= room) return;
    if (Math.abs(dx) >= Math.abs(dy)) {
        const push = ((room - Math.abs(dx)) / 2) * (dx < 0 ? -1 : 1);
        a.x -= push;
        b.x += push;
    } else {
        const push = ((room - Math.abs(dy)) / 2) * (dy < 0 ? -1 : 1);
        a.y -= push;
        b.y += push;
    }
}

function Tile({ pile }: { pile: Pile }) {
    const half = pile.size / 2;
    const name = armyName[pile.nation];
    return (
        <g transform={`translate(${n1(pile.x)},${n1(pile.y)})`}>
            <rect x={-half + 1} y={-half + 1.8} width={pile.size} height={pile.size} rx="2.4" fill="rgb(50 32 12 / .3)" />
            <rect x={-half} y={-half} width={pile.size} height={pile.size} rx="2.4" fill={`var(--${name}-dark)`} />
            <rect x={-half + 0.8} y={-half + 0.8} width={pile.size - 1.6} height={pile.size - 1.9} rx="1.8" fill={`var(--${name})`} />
            <g transform={`scale(${(pile.size / 30).toFixed(3)})`}>
                <MarkFigure army={pile.nation} color={`var(--mark-${pile.nation}, #fff8e8)`} />
            </g>
        </g>
    );
}

/** What of the picture changes only with board, crop and size. */
function Land({ board, to, width, height }: { board: BoardData; to: (point: Point) => Point; width: number; height: number }) {
    const border = board.border.map(([lat, lon]) => place(lat, lon));
    const towns = new Map(board.towns.map((town) => [town.id, to(place(town.lat, town.lon))]));
    const first = border[0] ?? [0, 0];
    const last = border[border.length - 1] ?? [0, 0];
    const below: Point[] = [[last[0] + 200, last[1]], [last[0] + 200, 900], [first[0] - 200, 900], [first[0] - 200, first[1]]];
    return (
        <>
            <rect width={width} height={height} fill="var(--map)" />
            <path d={pathOf([...border, ...below], to) + "Z"} fill="var(--wash-france)" opacity=".22" />
            <path d={smooth(border, to)} fill="none" stroke="var(--border)" stroke-width="1.1" stroke-dasharray="5 2.5 1 2.5" opacity=".8" />
            {board.rivers.map((river) => (
                <path
                    key={river.name}
                    d={smooth(river.polyline.map(([lat, lon]) => place(lat, lon)), to)}
                    fill="none"
                    stroke="var(--river)"
                    stroke-width="1.9"
                    stroke-linecap="round"
                />
            ))}
            {board.roads.map((road) => {
                const a = towns.get(road.a);
                const b = towns.get(road.b);
                if (a === undefined || b === undefined) return null;
                const major = road.class === "major";
                return (
                    <path
                        key={road.id}
                        d={bend(a, b, road.id)}
                        fill="none"
                        stroke={major ? "var(--road)" : "var(--road-minor)"}
                        stroke-width={major ? 1.3 : 0.8}
                        opacity={major ? 0.85 : 0.6}
                    />
                );
            })}
            {[...towns].map(([id, [x, y]]) => (
                <circle key={id} cx={n1(x)} cy={n1(y)} r="1.7" fill="var(--map)" stroke="var(--road)" stroke-width=".9" />
            ))}
        </>
    );
}

export function Picture(props: PictureProps) {
    const { board, view, width, height, crop, label } = props;
    const named = label === undefined ? {} : { label };
    const Drawn = width >= SHEET_FROM_PX && height >= SHEET_FROM_HEIGHT_PX ? Sheet : Small;
    return (
        <div class="picture" style={{ aspectRatio: `${width} / ${height}` }}>
            {board !== null && (
                <Suspense fallback={<Sketch {...props} />}>
                    <Drawn
                        board={board}
                        view={{ board: { towns: view?.board.towns ?? NOBODY } }}
                        width={width}
                        height={height}
                        {...(crop === undefined ? {} : { crop })}
                        {...named}
                    />
                </Suspense>
            )}
        </div>
    );
}

function Sketch({ board, view, width, height, crop, label }: PictureProps) {
    const towns = view?.board.towns ?? NOBODY;
    const wanted = crop ?? Object.keys(towns);
    const key = wanted.join(" ");
    const sheet = useMemo(() => {
        if (board === null) return null;
        const all = new Map(board.towns.map((town) => [town.id, place(town.lat, town.lon)]));
        const points = wanted.length === 0 ? [...all.values()] : wanted.map((id) => all.get(id) ?? ([0, 0] as Point));
        const frame = frameOf(points, width, height);
        const to = ([x, y]: Point): Point => [(x - frame.x) * frame.scale, (y - frame.y) * frame.scale];
        const spots = new Map([...all].map(([id, point]) => [id, to(point)]));
        return { to, spots };
    }, [board, key, width, height]);
    if (board === null || sheet === null) return null;
    return (
        <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="xMidYMid slice"
            role={label === undefined ? undefined : "img"}
            aria-label={label}
            aria-hidden={label === undefined ? "true" : undefined}
            focusable="false"
        >
            <Land board={board} to={sheet.to} width={width} height={height} />
            {pilesOf(towns, sheet.spots, width / 17).map((pile, i) => (
                <Tile key={i} pile={pile} />
            ))}
        </svg>
    );
}

/** Where the armies stood on the eve of the campaign: for pictures of matches that have not begun. */
export function eve(board: BoardData): Pick<View, "board"> {
    const towns: Towns = {};
    for (const nation of NATIONS) {
        const places = board.historical_positions[nation] as Record<string, unknown[]> | undefined;
        for (const [town, corps] of Object.entries(places ?? {})) {
            const units = (towns[town] ??= { units: {} }).units;
            units[nation] = corps.length;
        }
    }
    return { board: { towns } as View["board"] };
}
