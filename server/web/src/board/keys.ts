/** The board by keyboard: arrows go along roads to the nearest town in that direction. */
import type { Sheet } from "./sheet";

export type Arrow = "ArrowUp" | "ArrowRight" | "ArrowDown" | "ArrowLeft";

const ways: Record<Arrow, number> = { ArrowRight: 0, ArrowDown: Math.PI / 2, ArrowLeft: Math.PI, ArrowUp: -Math.PI / 2 };

/** The neighbour by road that lies best in a direction; undefined if none lies within 80° of it. */
export function neighbour(sheet: Sheet, from: string, arrow: Arrow): string | undefined {
    const town = sheet.towns.get(from);
    if (!town) return undefined;
    let best: string | undefined;
    let bestCost = Infinity;
    for (const next of town.next) {
        const other = sheet.towns.get(next.town);
        if (!other) continue;
        const dx = other.at.x - town.at.x;
        const dy = other.at.y - town.at.y;
        let turn = Math.abs(Math.atan2(dy, dx) - ways[arrow]);
        if (turn > Math.PI) turn = 2 * Math.PI - turn;
        if (turn > (80 * Math.PI) / 180) continue;
        const cost = turn * 30 + Math.hypot(dx, dy) * 0.2;
        if (cost < bestCost) {
            best = next.town;
            bestCost = cost;
        }
    }
    return best;
}

/** The town nearest to a point of the sheet (km). */
export function nearest(sheet: Sheet, x: number, y: number): string | undefined {
    let best: string | undefined;
    let bestDistance = Infinity;
    for (const town of sheet.towns.values()) {
        const distance = Math.hypot(town.at.x - x, town.at.y - y);
        if (distance < bestDistance) {
            best = town.id;
            bestDistance = distance;
        }
    }
    return best;
}
