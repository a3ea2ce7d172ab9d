/**
 * Paints the still part of the hex map into a canvas: paper, heights, streams, ponds, roads, villages,
 * woods, reeds, the grid and its numbers. Depends on theme and scale alone, never on a match.
 */
import type { Point, Rect } from "../board/geo";
import { hashCell } from "../board/random";
import { drawTree, inkOf, strokeRoads, strokeWaters, tokensOf, trace, visible, type Brush, type Ink } from "../board/pen";
import type { Brushes } from "../board/tiles";
import { hexGrowth } from "./growth";
import { columnOf, rowOf } from "./geo";
import type { Cell, HexSheet, Line, Village } from "./sheet";

/** Colours that only hex maps have; set in hex.css. */
const tokens = {
    "hex-high": "#dcc698",
    "hex-beyond": "#d9cba7",
    "hex-ice": "#c8d8da",
    "hex-shore": "#57788a",
    "hex-crack": "#f6fafa",
    "hex-cliff": "#3a2a18",
    "hex-house": "#a2493a",
    "hex-house-edge": "#5b2018",
    "hex-number": "#6f5d41",
    "hex-reed": "#57788a",
    "hex-crown": "#cfdca9",
    sans: "system-ui, sans-serif",
};

type HexInk = Ink & Record<keyof typeof tokens, string>;

interface HexBrush extends Brush {
    ink: HexInk;
}

/** From this scale on the hexes bear their numbers. */
export const numbersFrom = 40;
/** Smaller pictures do without the grid. */
const gridFrom = 14;
const numberSize = 10.5;

const meets = (a: Rect, b: Rect): boolean => a.x <= b.x + b.w && a.x + a.w >= b.x && a.y <= b.y + b.h && a.y + a.h >= b.y;

function seen<T extends { box: Rect }>(brush: Brush, features: readonly T[]): T[] {
    return features.filter((feature) => meets(feature.box, brush.box));
}

function near(brush: Brush, p: Point): boolean {
    const { box } = brush;
    return p.x >= box.x && p.x <= box.x + box.w && p.y >= box.y && p.y <= box.y + box.h;
}

/** Lays closed lines as one path. */
function area(brush: Brush, loops: readonly (readonly Point[])[]): void {
    const { ctx, k } = brush;
    ctx.beginPath();
    for (const loop of loops) {
        loop.forEach((p, i) => (i === 0 ? ctx.moveTo(p.x * k, p.y * k) : ctx.lineTo(p.x * k, p.y * k)));
        ctx.closePath();
    }
}

/** A few short strokes of the graver in open ground. */
function paintGrass(brush: HexBrush, hexes: readonly Cell[]): void {
    const { ctx, k, ink, g } = brush;
    ctx.strokeStyle = ink.sepia;
    ctx.globalAlpha = ink.dark ? 0.16 : 0.2;
    ctx.lineWidth = 0.8 * g;
    ctx.beginPath();
    for (const { hex, at, clear } of hexes) {
        if (!clear) continue;
        const [column, row] = [columnOf(hex), rowOf(hex)];
        for (let i = 0; i < 2; i++) {
            if (hashCell(column, row, 40 + i) < 0.3) continue;
            const x = at.x + (hashCell(column, row, 3 * i) - 0.5) * 0.8;
            const y = at.y + (hashCell(column, row, 3 * i + 1) - 0.5) * 0.76;
            const length = 0.1 + 0.16 * hashCell(column, row, 3 * i + 2);
            ctx.moveTo((x - length / 2) * k, y * k);
            ctx.lineTo((x + length / 2) * k, y * k);
        }
    }
    ctx.stroke();
}

const strokeWidths = [0.5, 0.75, 1, 1.25] as const;

/** Strokes across the outline of a height, longer and heavier where it faces south-east. */
function hachures(line: readonly Point[]): number[][] {
    const lists: number[][] = strokeWidths.map(() => []);
    const spacing = 0.052;
    let left = 0;
    for (let i = 0; i < line.length; i++) {
        const a = line[i]!;
        const b = line[(i + 1) % line.length]!;
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        if (length === 0) continue;
        const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
        for (; left < length; left += spacing) {
            const x = a.x + ux * left;
            const y = a.y + uy * left;
            const cell = [Math.round(x * 200), Math.round(y * 200)] as const;
            const chance = hashCell(cell[0], cell[1], 5);
            if (chance < 0.1) continue;
            const lean = (hashCell(cell[0], cell[1], 6) - 0.5) * 0.5;
            const [nx, ny] = [uy + ux * lean, -ux + uy * lean];
            const facing = (uy - ux) / Math.SQRT2;
            const out = (0.1 + 0.07 * chance) * (1 + 0.45 * facing);
            const inside = 0.05 + 0.05 * hashCell(cell[0], cell[1], 7);
            const heavy = Math.max(0, Math.min(0.999, 0.38 + 0.4 * facing + 0.3 * (chance - 0.5)));
            lists[Math.floor(heavy * strokeWidths.length)]!.push(x - nx * inside, y - ny * inside, x + nx * out, y + ny * out);
        }
        left -= length;
    }
    return lists;
}

const carved = new WeakMap<Line, number[][]>();

function paintHeights(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, ink } = brush;
    if (seen(brush, sheet.heights).length === 0) return;
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink["hex-high"];
    area(brush, sheet.heights.map((height) => height.line));
    ctx.fill();
}

/** The strokes lie over the grid. */
function paintHachures(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink, g } = brush;
    ctx.strokeStyle = ink.sepia;
    ctx.globalAlpha = ink.dark ? 0.62 : 0.66;
    ctx.lineCap = "butt";
    for (const height of seen(brush, sheet.heights)) {
        let lists = carved.get(height);
        if (!lists) carved.set(height, (lists = hachures(height.line)));
        lists.forEach((list, at) => {
            ctx.lineWidth = strokeWidths[at]! * g;
            ctx.beginPath();
            for (let i = 0; i < list.length; i += 4) {
                const [x, y] = [list[i]!, list[i + 1]!];
                if (!near(brush, { x, y })) continue;
                ctx.moveTo(x * k, y * k);
                ctx.lineTo(list[i + 2]! * k, list[i + 3]! * k);
            }
            ctx.stroke();
        });
    }
}

/** Each side once: the three in the west and north of every hex, and all of those at the edges. */
function paintGrid(brush: HexBrush, hexes: readonly Cell[]): void {
    const { ctx, k, ink } = brush;
    ctx.strokeStyle = ink.sepia;
    ctx.globalAlpha = ink.dark ? 0.3 : 0.36;
    ctx.lineWidth = 0.75;
    ctx.beginPath();
    for (const { corners: c, last } of hexes) {
        ctx.moveTo(c[4]!.x * k, c[4]!.y * k);
        for (const at of last ? [5, 0, 1, 2, 3, 4] : [5, 0, 1]) ctx.lineTo(c[at]!.x * k, c[at]!.y * k);
    }
    ctx.stroke();
}

function paintReeds(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink, g } = brush;
    ctx.strokeStyle = ink["hex-reed"];
    ctx.globalAlpha = 0.85;
    ctx.lineWidth = Math.min(1.1, 0.95 * g);
    ctx.beginPath();
    for (const tuft of sheet.tufts) {
        if (!near(brush, tuft)) continue;
        const s = 0.085 * tuft.size * k;
        const [x, y] = [tuft.x * k, tuft.y * k];
        ctx.moveTo(x - s * 1.15, y);
        ctx.lineTo(x + s * 1.15, y);
        for (let i = 0; i < tuft.blades; i++) {
            const share = tuft.blades === 1 ? 0 : (i / (tuft.blades - 1)) * 2 - 1;
            ctx.moveTo(x + share * s * 0.6, y);
            ctx.lineTo(x + share * s * 0.95, y - s * (1.5 - 0.6 * Math.abs(share)));
        }
    }
    ctx.stroke();
}

function paintTrees(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink, g } = brush;
    ctx.lineWidth = Math.min(1.2, 1.05 * g);
    ctx.lineJoin = "round";
    const crown = { ...ink, map: ink["hex-crown"] };
    for (const tree of sheet.trees) if (near(brush, tree)) drawTree(ctx, crown, tree.x * k, tree.y * k, 0.088 * tree.size * k, false, 0.9);
}

function paintStreams(brush: HexBrush, sheet: HexSheet): void {
    strokeWaters(
        brush,
        sheet.streams.filter((stream) => meets(stream.box, brush.box) && visible(brush.box, stream.line)).map(({ line }) => ({ width: 4.6, line, parts: [{ line, share: 1 }] })),
    );
}

function paintPonds(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink, g } = brush;
    const ponds = seen(brush, sheet.ponds);
    if (ponds.length === 0) return;
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink["hex-ice"];
    for (const pond of ponds) {
        area(brush, pond.loops);
        ctx.fill();
    }
    ctx.strokeStyle = ink["hex-crack"];
    ctx.lineWidth = 1.1 * g;
    ctx.lineJoin = "round";
    ctx.beginPath();
    for (const { line } of sheet.cracks) {
        if (!visible(brush.box, line)) continue;
        line.forEach((p, i) => (i === 0 ? ctx.moveTo(p.x * k, p.y * k) : ctx.lineTo(p.x * k, p.y * k)));
    }
    ctx.stroke();
}

/** Banks as a line, cliffs as a line with teeth towards the water. */
function paintShores(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink, g } = brush;
    ctx.globalAlpha = 1;
    ctx.lineJoin = "round";
    ctx.lineCap = "round";
    ctx.strokeStyle = ink["hex-shore"];
    ctx.lineWidth = 2.2 * g;
    for (const bank of seen(brush, sheet.banks)) {
        trace(brush, bank.line);
        ctx.stroke();
    }
    const cliffs = sheet.escarpments.filter((side) => visible(brush.box, side));
    if (cliffs.length === 0) return;
    ctx.strokeStyle = ink["hex-cliff"];
    ctx.lineWidth = 2.6 * g;
    for (const side of cliffs) {
        trace(brush, side);
        ctx.stroke();
    }
    ctx.lineCap = "butt";
    ctx.lineWidth = 1.35 * g;
    ctx.beginPath();
    for (const [a, b] of cliffs) {
        const length = Math.hypot(b.x - a.x, b.y - a.y);
        const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
        const teeth = 8;
        for (let i = 0; i < teeth; i++) {
            const at = (length * (i + 0.5)) / teeth;
            const [x, y] = [a.x + ux * at, a.y + uy * at];
            ctx.moveTo(x * k, y * k);
            ctx.lineTo((x - uy * 0.15) * k, (y + ux * 0.15) * k);
        }
    }
    ctx.stroke();
}

/** The dike that bears a road across a pond. */
function paintDikes(brush: HexBrush, sheet: HexSheet): void {
    const { ctx, k, ink } = brush;
    const dikes = seen(brush, sheet.dikes);
    if (dikes.length === 0) return;
    ctx.save();
    area(brush, sheet.ponds.flatMap((pond) => pond.loops));
    ctx.clip();
    ctx.lineCap = "butt";
    ctx.globalAlpha = 1;
    for (const dike of dikes) {
        for (const [color, width] of [
            [ink["hex-shore"], 0.36],
            [ink.map, 0.29],
        ] as const) {
            ctx.strokeStyle = color;
            ctx.lineWidth = width * k;
            trace(brush, dike.line);
            ctx.stroke();
        }
    }
    ctx.restore();
}

/** A dashed hexagon with a point at each corner, as works thrown up about the houses. */
function paintWorks(brush: HexBrush, village: Village): void {
    const { ctx, k, ink, g } = brush;
    ctx.globalAlpha = 1;
    ctx.strokeStyle = ink["map-label"];
    ctx.lineWidth = 2 * g;
    ctx.setLineDash([4.2 * g, 2.2 * g]);
    ctx.lineJoin = "miter";
    ctx.beginPath();
    for (let i = 0; i < 24; i++) {
        // Each bastion: two flanks, a point between them.
        const corner = Math.floor(i / 4);
        const [turn, r] = ([[-0.24, 0.38], [-0.13, 0.385], [0, 0.47], [0.13, 0.385]] as const)[i % 4]!;
        const at = (corner * Math.PI) / 3 + turn;
        const x = (village.at.x + Math.cos(at) * r) * k;
        const y = (village.at.y + Math.sin(at) * r) * k;
        if (i === 0) ctx.moveTo(x, y);
        else ctx.lineTo(x, y);
    }
    ctx.closePath();
    ctx.stroke();
    ctx.setLineDash([]);
}

function paintVillage(brush: HexBrush, village: Village): void {
    const { ctx, k, ink, g } = brush;
    if (village.fortified) paintWorks(brush, village);
    ctx.globalAlpha = 1;
    ctx.fillStyle = ink["hex-house"];
    ctx.strokeStyle = ink["hex-house-edge"];
    ctx.lineWidth = Math.min(1, 0.8 * g);
    const share = village.fortified ? 0.8 : 1;
    for (const house of village.houses) {
        ctx.save();
        ctx.translate((village.at.x + (house.x - village.at.x) * share) * k, (village.at.y + (house.y - village.at.y) * share) * k);
        ctx.rotate(house.turn);
        ctx.fillRect((-house.w / 2) * k, (-house.h / 2) * k, house.w * k, house.h * k);
        ctx.strokeRect((-house.w / 2) * k, (-house.h / 2) * k, house.w * k, house.h * k);
        ctx.restore();
    }
}

function paintNumbers(brush: HexBrush, hexes: readonly Cell[]): void {
    const { ctx, k, ink } = brush;
    if (k < numbersFrom) return;
    ctx.globalAlpha = 0.55;
    ctx.fillStyle = ink["hex-number"];
    ctx.font = `${numberSize}px ${ink.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    for (const { hex, at } of hexes) {
        ctx.fillText(hex, at.x * k, (at.y - 0.5) * k + numberSize + 1.5);
    }
}

/**
 * Paints what lies in `rect` (px of the whole sheet at scale k, upper left corner of the canvas).
 * The context's transform must already take CSS px to device px.
 */
function paint(ctx: CanvasRenderingContext2D, sheet: HexSheet, ink: HexInk, k: number, rect: Rect): void {
    const reach = 0.5 * k + 12;
    const box = { x: (rect.x - reach) / k, y: (rect.y - reach) / k, w: (rect.w + 2 * reach) / k, h: (rect.h + 2 * reach) / k };
    const brush: HexBrush = { ctx, k, g: hexGrowth(k), ink, box };
    const hexes = sheet.hexes.filter(({ at }) => near(brush, at));
    ctx.save();
    ctx.fillStyle = ink["hex-beyond"];
    ctx.fillRect(0, 0, rect.w, rect.h);
    ctx.translate(-rect.x, -rect.y);
    ctx.save();
    area(brush, [sheet.board]);
    ctx.fillStyle = ink.map;
    ctx.fill();
    ctx.clip();
    if (k >= gridFrom) paintGrass(brush, hexes);
    paintHeights(brush, sheet);
    paintStreams(brush, sheet);
    paintPonds(brush, sheet);
    paintDikes(brush, sheet);
    if (k >= gridFrom) paintGrid(brush, hexes);
    paintShores(brush, sheet);
    paintHachures(brush, sheet);
    paintReeds(brush, sheet);
    ctx.globalAlpha = 1;
    strokeRoads(brush, seen(brush, sheet.roads).map((road) => road.line), seen(brush, sheet.highways).map((road) => road.line));
    paintTrees(brush, sheet);
    paintNumbers(brush, hexes);
    for (const village of seen(brush, sheet.villages)) paintVillage(brush, village);
    ctx.restore();
    ctx.globalAlpha = 0.9;
    ctx.strokeStyle = ink.road;
    ctx.lineWidth = 1.6;
    area(brush, [sheet.board]);
    ctx.stroke();
    ctx.restore();
}

/** The pens of a sheet. */
export function hexBrushes(sheet: HexSheet): Brushes {
    return (element) => {
        const ink: HexInk = { ...inkOf(element), ...tokensOf(element, tokens) };
        return (ctx, k, rect) => paint(ctx, sheet, ink, k, rect);
    };
}
