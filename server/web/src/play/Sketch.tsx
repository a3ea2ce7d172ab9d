/** A deployment as a small sketch: rivers, and a sign for the blocks of each town, larger where more stand. */
import { projectAll, project, bounds } from "@/board/geo";
import type { Placement } from "@/play/deployments";
import type { BoardData, Nation } from "@/types";
import { armyName } from "@/ui/army";

const WIDTH = 84;
const HEIGHT = 60;

export function Sketch({ board, placement }: { board: BoardData; placement: Placement }) {
    const towns = new Map(board.towns.map((town) => [town.id, project(town.lat, town.lon)]));
    const all = bounds([...towns.values()]);
    const scale = Math.min((WIDTH - 8) / all.w, (HEIGHT - 8) / all.h);
    const x = (km: number): number => (km - all.x) * scale + (WIDTH - all.w * scale) / 2;
    const y = (km: number): number => (km - all.y) * scale + (HEIGHT - all.h * scale) / 2;
    const line = (points: { x: number; y: number }[]): string => points.map((p) => `${x(p.x).toFixed(1)},${y(p.y).toFixed(1)}`).join(" ");
    const counts = new Map<string, { town: string; nation: Nation; n: number }>();
    for (const [unit, town] of Object.entries(placement)) {
        const nation = unit.slice(0, 2) as Nation;
        const id = `${town} ${nation}`;
        counts.set(id, { town, nation, n: (counts.get(id)?.n ?? 0) + 1 });
    }
    return (
        <svg class="sketch" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
            <rect width={WIDTH} height={HEIGHT} fill="var(--map)" />
            <polyline points={line(projectAll(board.border))} fill="none" stroke="var(--border)" stroke-width="0.8" stroke-dasharray="3 2" />
            {board.rivers.map((river) => (
                <polyline key={river.name} points={line(projectAll(river.polyline))} fill="none" stroke="var(--river)" stroke-width="1" />
            ))}
            {[...counts.values()].map(({ town, nation, n }) => {
                const at = towns.get(town);
                return at === undefined ? null : <Sign key={`${town}${nation}`} nation={nation} x={x(at.x)} y={y(at.y)} r={2 + Math.sqrt(n) * 0.9} />;
            })}
        </svg>
    );
}

function Sign({ nation, x, y, r }: { nation: Nation; x: number; y: number; r: number }) {
    const fill = `var(--${armyName[nation]})`;
    if (nation === "FR") return <circle cx={x} cy={y} r={r} fill={fill} />;
    const turn = nation === "PR" ? `rotate(45 ${x} ${y})` : undefined;
    return <rect x={x - r * 0.85} y={y - r * 0.85} width={r * 1.7} height={r * 1.7} fill={fill} transform={turn} />;
}
