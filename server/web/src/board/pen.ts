/** How the maps' sheets are drawn: colours of the theme, lines, trees, roads, waters. */
import type { Point, Rect } from "./geo";

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

/** Custom properties of the page as they are now, each with what stands in where the page has none. */
export function tokensOf<T extends Record<string, string>>(element: Element, fallbacks: T): Record<keyof T, string> {
    const style = getComputedStyle(element);
    const found: Record<string, string> = {};
    for (const [name, fallback] of Object.entries(fallbacks)) found[name] = style.getPropertyValue(`--${name}`).trim() || fallback;
    return found as Record<keyof T, string>;
}

/** The colours of the theme that is on, from the custom properties of the page. */
export function inkOf(element: Element): Ink {
    return { ...tokensOf(element, tokens), dark: document.documentElement.dataset.theme === "bivouac" };
}

/** How much lines and signs grow with the scale. */
export function growth(k: number): number {
    return Math.max(0.72, Math.min(1.8, Math.pow(k / 9.5, 0.4)));
}

/** What paints: a canvas, a scale, colours. */
export interface Brush {
    ctx: CanvasRenderingContext2D;
    k: number;
    /** Growth of lines and signs. */
    g: number;
    ink: Ink;
    /** What shows, in units of the sheet, with room for what reaches in. */
    box: Rect;
}

/** Lays a line (in units of the sheet) as the path. */
export function trace(brush: Brush, line: readonly Point[]): void {
    const { ctx, k } = brush;
    ctx.beginPath();
    for (let i = 0; i < line.length; i++) {
        const p = line[i]!;
        if (i === 0) ctx.moveTo(p.x * k, p.y * k);
        else ctx.lineTo(p.x * k, p.y * k);
    }
}

/** Does any of a line lie in the box? */
export function visible(box: Rect, line: readonly Point[]): boolean {
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

/** One engraved tree with its shadow, its crown `s` px about (x, y); the context's line width is the pen's. */
export function drawTree(ctx: CanvasRenderingContext2D, ink: Pick<Ink, "sepia" | "woods" | "map" | "dark">, x: number, y: number, s: number, conifer: boolean, strength = ink.dark ? 0.55 : 0.62): void {
    ctx.strokeStyle = ink.sepia;
    ctx.globalAlpha = ink.dark ? 0.2 : 0.26;
    ctx.beginPath();
    ctx.ellipse(x + s * 0.9, y + s * 1.3, s * 1.1, s * 0.28, 0, 0, Math.PI * 2);
    ctx.fillStyle = ink.sepia;
    ctx.fill();
    ctx.globalAlpha = strength;
    ctx.strokeStyle = ink.woods;
    ctx.fillStyle = ink.map;
    ctx.beginPath();
    if (conifer) {
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
    for (const [a, b] of conifer
        ? ([[0.25, -0.5], [0.45, 0.1], [0.62, 0.6]] as const)
        : ([[0.35, -0.7], [0.75, -0.35], [0.8, 0.15]] as const)) {
        ctx.moveTo(x + s * (a - (conifer ? 0.2 : 0.35)), y + s * (b + 0.25));
        ctx.lineTo(x + s * a, y + s * b);
    }
    ctx.stroke();
}

/** Roads: country roads as dashes on a pale bed, main roads as a double line. */
export function strokeRoads(brush: Brush, minor: readonly (readonly Point[])[], major: readonly (readonly Point[])[]): void {
    const { ctx, g, ink } = brush;
    ctx.save();
    ctx.lineCap = "butt";
    ctx.lineJoin = "round";
    for (const line of minor) {
        ctx.strokeStyle = ink.map;
        ctx.globalAlpha = 0.55;
        ctx.setLineDash([]);
        ctx.lineWidth = 3.4 * g;
        trace(brush, line);
        ctx.stroke();
        ctx.globalAlpha = 1;
        ctx.strokeStyle = ink["road-minor"];
        ctx.lineWidth = 1.35 * g;
        ctx.setLineDash([6 * g, 2.2 * g]);
        ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    for (const [color, width] of [
        [ink.road, 4.8],
        [ink["road-fill"], 2.7],
    ] as const) {
        ctx.strokeStyle = color;
        ctx.lineWidth = width * g;
        for (const line of major) {
            trace(brush, line);
            ctx.stroke();
        }
    }
    ctx.restore();
}

/** A river or stream: its parts with their share of its width. */
export interface Water {
    width: number;
    line: readonly Point[];
    parts: readonly { line: readonly Point[]; share: number }[];
}

/** Waters: a glow, dark banks, light water, one broken line of current. */
export function strokeWaters(brush: Brush, waters: readonly Water[]): void {
    const { ctx, g, ink } = brush;
    ctx.save();
    ctx.lineJoin = "round";
    ctx.lineCap = "round";
    const pass = (color: string, alpha: number, width: (w: number) => number): void => {
        ctx.strokeStyle = color;
        for (const water of waters) {
            ctx.globalAlpha = alpha;
            for (const part of water.parts) {
                ctx.lineWidth = Math.max(0.6, width(water.width * part.share * g));
                trace(brush, part.line);
                ctx.stroke();
            }
        }
    };
    const fine = Math.min(1, g / 0.72);
    pass(ink.river, 0.13, (w) => w + 7 * fine);
    pass(ink.river, 1, (w) => w + 1.5 * fine);
    pass(ink["river-fill"], 1, (w) => w - 0.4 * fine);
    if (fine < 0.6) {
        ctx.restore();
        return;
    }
    ctx.setLineDash([15, 9, 5, 12]);
    ctx.strokeStyle = ink.river;
    ctx.globalAlpha = 0.75;
    ctx.lineWidth = 0.7;
    for (const water of waters) {
        trace(brush, water.line);
        ctx.stroke();
    }
    ctx.restore();
}
