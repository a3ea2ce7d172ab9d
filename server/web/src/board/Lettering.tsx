/** Names of rivers along their course and of lands across the sheet: under everything that moves. */
import type { JSX } from "preact";
import { memo } from "../ui/memo";
import { regions } from "./beyond";
import { lengthOf, pathData, pointAt } from "./curves";
import { contains, inflate, project, type Point, type Rect } from "./geo";
import { measurer } from "./measure";
import { nameOfRegion, nameOfRiver } from "./names";
import { stretch } from "./paint";
import type { Sheet, SheetRiver } from "./sheet";

interface LetteringProps {
    sheet: Sheet;
    k: number;
    /** The window in px of the sheet; river names stand once per view. */
    window: Rect;
    language: string;
    /** Boxes where no river's name should stand. */
    avoid: readonly Rect[];
}

/** The line 6 px beside the river where its name runs, from left to right. */
function course(river: SheetRiver, props: LetteringProps, size: number, text: string): string | undefined {
    const { k } = props;
    const wanted = measurer()(text, size, false) * 1.06 + text.length * 2 + 8;
    const part = stretch(river.line, k, inflate(props.window, -24));
    if (!part || part.to - part.from < wanted * 1.15) return undefined;
    const line = river.line.map((p) => ({ x: p.x * k, y: p.y * k }));
    let best: Point[] | undefined;
    let bestCost = Infinity;
    const near = props.avoid.map((rect) => inflate(rect, size * 0.75 + 5));
    for (let from = part.from + 4; from + wanted < part.to; from += 14) {
        const points: (Point & { angle: number })[] = [];
        for (let d = 0; d <= wanted; d += 7) points.push(pointAt(line, from + d));
        const first = points[0]!;
        const last = points[points.length - 1]!;
        const direct = Math.hypot(last.x - first.x, last.y - first.y);
        const crooked = (wanted - direct) * 3;
        const steep = Math.abs(last.x - first.x) < direct * 0.35 ? 40 : 0;
        let covered = 0;
        for (const p of points) for (const rect of near) if (contains(rect, p)) covered += 120;
        for (const town of props.sheet.towns.values()) {
            for (const p of points) if (Math.abs(town.at.x * k - p.x) < 26 && Math.abs(town.at.y * k - p.y) < 22) covered += 14;
        }
        const middle = Math.abs(from + wanted / 2 - (part.from + part.to) / 2) * 0.04;
        const cost = crooked + steep + covered + middle;
        if (cost >= bestCost) continue;
        bestCost = cost;
        const back = last.x < first.x;
        const way = back ? [...points].reverse() : points;
        const off = river.width / 2 + 6;
        best = way.map((p) => {
            const angle = back ? p.angle + Math.PI : p.angle;
            return { x: p.x + Math.sin(angle) * off, y: p.y - Math.cos(angle) * off };
        });
    }
    return best && bestCost < 118 ? pathData(mellow(best)) : undefined;
}

/** Takes the kinks out of a base line, so that letters do not tumble. */
function mellow(line: readonly Point[]): Point[] {
    let now = [...line];
    for (let round = 0; round < 8; round++) {
        now = now.map((p, i) => {
            const a = now[i - 1];
            const b = now[i + 1];
            return a && b ? { x: (a.x + 2 * p.x + b.x) / 4, y: (a.y + 2 * p.y + b.y) / 4 } : p;
        });
    }
    return now;
}

export const Lettering = memo(function Lettering(props: LetteringProps): JSX.Element {
    const { sheet, k } = props;
    const grow = Math.max(0.75, Math.min(1.5, Math.pow(k / 8.5, 0.3)));
    const narrow = props.window.w < 600;
    return (
        <g class="board-lettering" aria-hidden="true">
            {sheet.border.length > 1 &&
                regions.map((region) => {
                    const text = nameOfRegion(region.id);
                    const at = project(region.lat, region.lon);
                    if (!text || (narrow && k < 4)) return null;
                    return (
                        <text
                            key={region.id}
                            class="board-region"
                            transform={`translate(${(at.x * k).toFixed(1)},${(at.y * k).toFixed(1)}) rotate(${region.turn})`}
                            font-size={Math.round(region.size * grow)}
                            text-anchor="middle"
                            style={{ letterSpacing: `${region.spread * grow}px` }}
                        >
                            {text}
                        </text>
                    );
                })}
            {sheet.rivers.map((river) => {
                if (lengthOf(river.line) === 0) return null;
                const text = nameOfRiver(river.id, river.name);
                const size = (river.width > 4.5 ? 16 : river.width > 3.5 ? 15 : 13.5) * Math.min(1.25, grow);
                const d = course(river, props, size, text);
                if (!d) return null;
                return (
                    <g key={river.id}>
                        <path id={`river-${river.id}`} d={d} fill="none" />
                        <text class="board-river" font-size={size}>
                            <textPath href={`#river-${river.id}`} startOffset="50%" text-anchor="middle">
                                {text}
                            </textPath>
                        </text>
                    </g>
                );
            })}
        </g>
    );
});
