/**
 * Paints the still part of the map into a canvas: paper, outline colour, relief, woods, rivers,
 * border, roads, crossings, towns. Depends on theme and scale alone, never on a match.
 */
import { lengthOf, pointAt } from "./curves";
import { project, type Point, type Rect } from "./geo";
import { drawTree, growth, inkOf, strokeRoads, strokeWaters, trace, visible, type Brush, type Ink } from "./pen";
import { fieldOf, hachures, stepOf, widths } from "./relief";
import type { Sheet, SheetRiver, SheetRoad, SheetTown } from "./sheet";
import type { Brushes } from "./tiles";
import { treesOf } from "./woods";

/** Hand-tinted outline colour along the border: three strokes clipped to either country. */
function paintWash(brush: Brush, border: readonly Point[]): void {
    if (border.length < 2) return;
    const { ctx, k, g, ink } = brush;
    const far = 2000;
    const near = border.some((p, i) => {
        const q = border[Math.min(i + 1, border.length - 1)]!;
        return visible(brush.box, [p, q]);
    });
    const last = border[border.length - 1]!;
    const first = border[0]!;
    const side = (corners: readonly Point[], color: string, strength: number, fill: number): void => {
        ctx.save();
        trace(brush, border);
        for (const corner of corners) ctx.lineTo(corner.x * k, corner.y * k);
        ctx.closePath();
        ctx.clip();
        if (fill > 0) {
            ctx.globalAlpha = fill;
            ctx.fillStyle = color;
            ctx.fillRect(brush.box.x * k, brush.box.y * k, brush.box.w * k, brush.box.h * k);
        }
        if (!near) {
            ctx.restore();
            return;
        }
        ctx.strokeStyle = color;
        ctx.lineJoin = "round";
        for (const [width, alpha] of [
            [84, 0.03],
            [70, 0.04],
            [57, 0.05],
            [45, 0.055],
            [34, 0.06],
            [24, 0.07],
            [15, 0.08],
            [7, 0.1],
        ] as const) {
            ctx.globalAlpha = alpha * strength;
            ctx.lineWidth = width * Math.min(1.5, g);
            trace(brush, border);
            ctx.stroke();
        }
        ctx.restore();
    };
    side(
        [
            { x: last.x, y: far },
            { x: -far, y: far },
            { x: -far, y: first.y },
        ],
        ink["wash-france"],
        ink.dark ? 0.8 : 1.35,
        ink.dark ? 0.11 : 0.12,
    );
    side(
        [
            { x: far, y: last.y },
            { x: far, y: -far },
            { x: first.x, y: -far },
        ],
        ink["wash-netherlands"],
        ink.dark ? 0.5 : 0.95,
        0,
    );
}

function paintRelief(brush: Brush, sheet: Sheet): void {
    const { ctx, k, g, ink, box } = brush;
    const step = stepOf(k);
    const lists = hachures(fieldOf(sheet), step, box);
    ctx.save();
    ctx.strokeStyle = ink.sepia;
    ctx.globalAlpha = ink.dark ? 0.26 : 0.34;
    const thick = Math.max(0.85, Math.min(1.25, (k / step) * Math.min(1.1, g)));
    lists.forEach((list, at) => {
        if (list.length === 0) return;
        ctx.lineWidth = widths[at]! * thick;
        ctx.beginPath();
        for (let i = 0; i < list.length; i += 4) {
            ctx.moveTo(list[i]! * k, list[i + 1]! * k);
            ctx.lineTo(list[i + 2]! * k, list[i + 3]! * k);
        }
        ctx.stroke();
    });
    ctx.restore();
}

function paintTrees(brush: Brush, sheet: Sheet): void {
    const { ctx, k, g, ink, box } = brush;
    ctx.save();
    ctx.lineWidth = 0.85 * Math.min(1.3, g);
    ctx.lineJoin = "round";
    for (const tree of treesOf(sheet, project)) {
        if (tree.x < box.x || tree.x > box.x + box.w || tree.y < box.y || tree.y > box.y + box.h) continue;
        const s = 3.5 * tree.size * g;
        drawTree(ctx, ink, tree.x * k, tree.y * k, s, tree.conifer);
    }
    ctx.restore();
}

/** Line widths from the source: a river that rises on the sheet begins as a thread. */
function reaches(river: SheetRiver, rises: boolean): { line: Point[]; share: number }[] {
    if (!rises) return [{ line: river.line, share: 1 }];
    const parts: { line: Point[]; share: number }[] = [];
    const size = 6;
    let from = 0;
    while (from < river.line.length - 1) {
        const share = Math.min(1, 0.4 + from / 42);
        const to = share === 1 ? river.line.length - 1 : Math.min(river.line.length - 1, from + size);
        parts.push({ line: river.line.slice(from, to + 1), share });
        from = to;
    }
    return parts;
}

const rising = new Set(["Dender", "Senne", "Haine", "Dyle"]);

function paintRivers(brush: Brush, sheet: Sheet): void {
    const waters = sheet.rivers
        .filter((river) => visible(brush.box, river.line))
        .map((river) => ({ width: river.width, line: river.line, parts: reaches(river, rising.has(river.name)) }));
    strokeWaters(brush, waters);
}

function paintBorder(brush: Brush, border: readonly Point[]): void {
    if (border.length < 2) return;
    const { ctx, g, ink } = brush;
    ctx.save();
    ctx.strokeStyle = ink.border;
    ctx.globalAlpha = 0.85;
    ctx.lineWidth = 1.35 * g;
    ctx.setLineDash([9, 3.5, 1.6, 3.5]);
    trace(brush, border);
    ctx.stroke();
    ctx.restore();
}

/** A deck with two flared parapets across the water. */
function paintCrossings(brush: Brush, sheet: Sheet, roads: readonly SheetRoad[]): void {
    const { ctx, k, g, ink } = brush;
    for (const road of roads) {
        for (const crossing of road.crossings) {
            const river = sheet.rivers.find((r) => r.line.some((p) => Math.hypot(p.x - crossing.point.x, p.y - crossing.point.y) < 1.2));
            const half = ((river?.width ?? 3) * 0.5 + 3.4) * g;
            const deck = (road.class === "major" ? 2.4 : 1.7) * g;
            const rail = deck + 1.3 * g;
            const flare = 2.5 * g;
            ctx.save();
            ctx.translate(crossing.point.x * k, crossing.point.y * k);
            ctx.rotate(crossing.angle);
            ctx.fillStyle = ink["road-fill"];
            ctx.fillRect(-half - 1, -rail, 2 * half + 2, 2 * rail);
            ctx.strokeStyle = ink.road;
            if (road.class === "minor") {
                ctx.lineWidth = 1.2 * g;
                ctx.beginPath();
                ctx.moveTo(-half - 1, 0);
                ctx.lineTo(half + 1, 0);
                ctx.strokeStyle = ink["road-minor"];
                ctx.stroke();
                ctx.strokeStyle = ink.road;
            }
            ctx.lineWidth = 1.5 * g;
            ctx.lineCap = "round";
            ctx.beginPath();
            for (const side of [-1, 1]) {
                ctx.moveTo(-half - flare, side * (rail + flare));
                ctx.quadraticCurveTo(-half, side * rail, -half + flare, side * rail);
                ctx.lineTo(half - flare, side * rail);
                ctx.quadraticCurveTo(half, side * rail, half + flare, side * (rail + flare));
            }
            ctx.stroke();
            ctx.restore();
        }
    }
}

function paintFort(brush: Brush, x: number, y: number): void {
    const { ctx, g, ink } = brush;
    const points = 6;
    ctx.save();
    ctx.translate(x, y);
    ctx.beginPath();
    for (let i = 0; i < points * 2; i++) {
        const r = (i % 2 === 0 ? 10.5 : 5.8) * g;
        const turn = (i * Math.PI) / points - Math.PI / 2;
        if (i === 0) ctx.moveTo(r * Math.cos(turn), r * Math.sin(turn));
        else ctx.lineTo(r * Math.cos(turn), r * Math.sin(turn));
    }
    ctx.closePath();
    ctx.fillStyle = ink["road-fill"];
    ctx.strokeStyle = ink["map-label"];
    ctx.lineJoin = "miter";
    ctx.lineWidth = 1.7 * g;
    ctx.fill();
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(0, 0, 3.1 * g, 0, Math.PI * 2);
    ctx.fillStyle = "#a2281d";
    ctx.fill();
    ctx.restore();
}

function paintTown(brush: Brush, town: SheetTown): void {
    const { ctx, k, g, ink } = brush;
    const x = town.at.x * k;
    const y = town.at.y * k;
    if ((town.supply?.length ?? 0) > 0 || town.city) {
        paintFort(brush, x, y);
        return;
    }
    ctx.save();
    ctx.beginPath();
    ctx.arc(x, y, 5.1 * g, 0, Math.PI * 2);
    ctx.fillStyle = ink["road-fill"];
    ctx.strokeStyle = ink["map-label"];
    ctx.lineWidth = 1.7 * g;
    ctx.fill();
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x, y, 1.9 * g, 0, Math.PI * 2);
    ctx.fillStyle = ink["map-label"];
    ctx.fill();
    ctx.restore();
}

/** Supply sources of the French are the towns of their base: drawn as forts when the data say so. */
function townsIn(sheet: Sheet, box: Rect): SheetTown[] {
    return [...sheet.towns.values()].filter(
        (town) => town.at.x >= box.x && town.at.x <= box.x + box.w && town.at.y >= box.y && town.at.y <= box.y + box.h,
    );
}

/**
 * Paints what lies in `rect` (px of the whole sheet at scale k, upper left corner of the canvas).
 * The context's transform must already take CSS px to device px.
 */
function paint(ctx: CanvasRenderingContext2D, sheet: Sheet, ink: Ink, k: number, rect: Rect): void {
    const reach = 70;
    const box = { x: (rect.x - reach) / k, y: (rect.y - reach) / k, w: (rect.w + 2 * reach) / k, h: (rect.h + 2 * reach) / k };
    const near = { x: (rect.x - 12) / k, y: (rect.y - 12) / k, w: (rect.w + 24) / k, h: (rect.h + 24) / k };
    const brush: Brush = { ctx, k, g: growth(k), ink, box };
    ctx.save();
    ctx.fillStyle = ink.map;
    ctx.fillRect(0, 0, rect.w, rect.h);
    ctx.translate(-rect.x, -rect.y);
    paintWash(brush, sheet.border);
    paintRelief({ ...brush, box: near }, sheet);
    paintTrees(brush, sheet);
    paintRivers(brush, sheet);
    paintBorder(brush, sheet.border);
    const roads = [...sheet.roads.values()].filter((road) => visible(box, road.line));
    const lines = (kind: SheetRoad["class"]): Point[][] => roads.filter((road) => road.class === kind).map((road) => road.line);
    strokeRoads(brush, lines("minor"), lines("major"));
    paintCrossings(brush, sheet, roads);
    for (const town of townsIn(sheet, box)) paintTown(brush, town);
    ctx.restore();
}

/** The pens of a sheet. */
export function sheetBrushes(sheet: Sheet): Brushes {
    return (element) => {
        const ink = inkOf(element);
        return (ctx, k, rect) => paint(ctx, sheet, ink, k, rect);
    };
}

/** Where along a river its name may stand: the middle of its longest stretch inside a window (px at scale k). */
export function stretch(line: readonly Point[], k: number, window: Rect): { from: number; to: number } | undefined {
    const total = lengthOf(line) * k;
    let best: { from: number; to: number } | undefined;
    let from = -1;
    const step = 8;
    for (let d = 0; d <= total; d += step) {
        const p = pointAt(line, d / k);
        const x = p.x * k;
        const y = p.y * k;
        const inside = x > window.x && x < window.x + window.w && y > window.y && y < window.y + window.h;
        if (inside && from < 0) from = d;
        if ((!inside || d + step > total) && from >= 0) {
            if (!best || d - from > best.to - best.from) best = { from, to: d };
            from = -1;
        }
    }
    return best;
}
