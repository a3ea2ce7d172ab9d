/**
 * Paints the still part of the map into a canvas: paper, outline colour, relief, woods, rivers,
 * border, roads, crossings, towns. Depends on theme and scale alone, never on a match.
 */
import { lengthOf, pointAt } from "./curves";
import { project, type Point, type Rect } from "./geo";
import { fieldOf, hachures, stepOf, widths } from "./relief";
import type { Sheet, SheetRiver, SheetRoad, SheetTown } from "./sheet";
import { treesOf } from "./woods";

const tokens = {
    map: "#efe4c9",
    sepia: "#6b5233",
    river: "#57788a",
    "river-fill": "#a9c3c6",
    road: "#4b3620",
    "road-fill": "#f6eed8",
    "road-minor": "#6d5030",
    border: "#5a4632",
    woods: "#64773f",
    "wash-france": "#6f93c4",
    "wash-netherlands": "#cf8f72",
    "map-label": "#24190d",
} as const;

export type Ink = Record<keyof typeof tokens, string> & { dark: boolean };

/** The colours of the theme that is on, from the custom properties of the page. */
export function inkOf(element: Element): Ink {
    const style = getComputedStyle(element);
    const ink: Record<string, string> = {};
    for (const [name, fallback] of Object.entries(tokens)) ink[name] = style.getPropertyValue(`--${name}`).trim() || fallback;
    const dark = document.documentElement.dataset.theme === "bivouac";
    return { ...(ink as Record<keyof typeof tokens, string>), dark };
}

/** How much lines and signs grow with the scale. */
export function growth(k: number): number {
    return Math.max(0.72, Math.min(1.8, Math.pow(k / 9.5, 0.4)));
}

interface Brush {
    ctx: CanvasRenderingContext2D;
    k: number;
    /** Growth of lines and signs. */
    g: number;
    ink: Ink;
    /** What shows, in km, with room for what reaches in. */
    box: Rect;
}

function trace(brush: Brush, line: readonly Point[]): void {
    const { ctx, k } = brush;
    ctx.beginPath();
    for (let i = 0; i < line.length; i++) {
        const p = line[i]!;
        if (i === 0) ctx.moveTo(p.x * k, p.y * k);
        else ctx.lineTo(p.x * k, p.y * k);
    }
}

function visible(box: Rect, line: readonly Point[]): boolean {
    let x0 = Infinity;
    let y0 = Infinity;
    let x1 = -Infinity;
    let y1 = -Infinity;
    for (const p of line) {
        if (p.x < x0) x0 = p.x;
        if (p.x > x1) x1 = p.x;
        if (p.y < y0) y0 = p.y;
        if (p.y > y1) y1 = p.y;
    }
    return x1 >= box.x && x0 <= box.x + box.w && y1 >= box.y && y0 <= box.y + box.h;
}

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
        const x = tree.x * k;
        const y = tree.y * k;
        ctx.strokeStyle = ink.sepia;
        ctx.globalAlpha = ink.dark ? 0.2 : 0.26;
        ctx.beginPath();
        ctx.ellipse(x + s * 0.9, y + s * 1.3, s * 1.1, s * 0.28, 0, 0, Math.PI * 2);
        ctx.fillStyle = ink.sepia;
        ctx.fill();
        ctx.globalAlpha = ink.dark ? 0.55 : 0.62;
        ctx.strokeStyle = ink.woods;
        ctx.fillStyle = ink.map;
        ctx.beginPath();
        if (tree.conifer) {
            ctx.moveTo(x, y - s * 1.5);
            ctx.lineTo(x + s * 0.85, y + s * 0.9);
            ctx.lineTo(x - s * 0.85, y + s * 0.9);
            ctx.closePath();
        } else {
            ctx.moveTo(x - s, y + s * 0.6);
            ctx.bezierCurveTo(x - s * 1.5, y - s * 0.4, x - s * 0.7, y - s * 1.3, x - s * 0.1, y - s * 1.1);
            ctx.bezierCurveTo(x + s * 0.7, y - s * 1.5, x + s * 1.5, y - s * 0.3, x + s, y + s * 0.6);
            ctx.closePath();
        }
        ctx.fill();
        ctx.stroke();
        ctx.beginPath();
        ctx.moveTo(x, y + s * 0.6);
        ctx.lineTo(x, y + s * 1.4);
        for (const [a, b] of tree.conifer
            ? ([[0.25, -0.5], [0.45, 0.1], [0.62, 0.6]] as const)
            : ([[0.35, -0.7], [0.75, -0.35], [0.8, 0.15]] as const)) {
            ctx.moveTo(x + s * (a - (tree.conifer ? 0.2 : 0.35)), y + s * (b + 0.25));
            ctx.lineTo(x + s * a, y + s * b);
        }
        ctx.stroke();
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
    const { ctx, g, ink } = brush;
    ctx.save();
    ctx.lineJoin = "round";
    ctx.lineCap = "round";
    const all = sheet.rivers
        .filter((river) => visible(brush.box, river.line))
        .map((river) => ({ river, parts: reaches(river, rising.has(river.name)) }));
    const pass = (color: string, alpha: number, width: (w: number) => number): void => {
        ctx.strokeStyle = color;
        for (const { river, parts } of all) {
            ctx.globalAlpha = alpha;
            for (const part of parts) {
                ctx.lineWidth = Math.max(0.6, width(river.width * part.share * g));
                trace(brush, part.line);
                ctx.stroke();
            }
        }
    };
    pass(ink.river, 0.13, (w) => w + 7);
    pass(ink.river, 1, (w) => w + 1.5);
    pass(ink["river-fill"], 1, (w) => w - 0.4);
    ctx.setLineDash([15, 9, 5, 12]);
    ctx.strokeStyle = ink.river;
    ctx.globalAlpha = 0.75;
    ctx.lineWidth = 0.7;
    for (const { river } of all) {
        trace(brush, river.line);
        ctx.stroke();
    }
    ctx.restore();
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

function paintRoads(brush: Brush, roads: readonly SheetRoad[]): void {
    const { ctx, g, ink } = brush;
    ctx.save();
    ctx.lineCap = "butt";
    ctx.lineJoin = "round";
    for (const road of roads) {
        if (road.class === "major") continue;
        ctx.strokeStyle = ink.map;
        ctx.globalAlpha = 0.55;
        ctx.setLineDash([]);
        ctx.lineWidth = 3.4 * g;
        trace(brush, road.line);
        ctx.stroke();
        ctx.globalAlpha = 1;
        ctx.strokeStyle = ink["road-minor"];
        ctx.lineWidth = 1.35 * g;
        ctx.setLineDash([6 * g, 2.2 * g]);
        ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    const major = roads.filter((road) => road.class === "major");
    for (const [color, width] of [
        [ink.road, 4.8],
        [ink["road-fill"], 2.7],
    ] as const) {
        ctx.strokeStyle = color;
        ctx.lineWidth = width * g;
        for (const road of major) {
            trace(brush, road.line);
            ctx.stroke();
        }
    }
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
export function paint(ctx: CanvasRenderingContext2D, sheet: Sheet, ink: Ink, k: number, rect: Rect): void {
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
    paintRoads(brush, roads);
    paintCrossings(brush, sheet, roads);
    for (const town of townsIn(sheet, box)) paintTown(brush, town);
    ctx.restore();
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
