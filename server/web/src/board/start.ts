/** Where the fighting is: what the map shows when it is opened. */
import type { Board } from "../types/gen/waterloo-view";
import { nations, type Nation } from "../ui/army";
import type { Sheet } from "./sheet";

const french = (army: Nation): boolean => army === "FR";

/** Battles, attacks and what is marked as one, with their neighbours; else where the sides stand within two roads of each other; else all own. */
export function theFighting(sheet: Sheet, board: Board, mine: readonly Nation[], marked: readonly string[] = []): string[] {
    const hot = new Set([...Object.keys(board.battles ?? {}), ...Object.keys(board.attacks ?? {}), ...marked]);
    const holds = (town: string, side: boolean): boolean => nations.some((army) => french(army) === side && (board.towns[town]?.units[army] ?? 0) > 0);
    if (hot.size === 0) {
        for (const town of Object.keys(board.towns)) {
            if (!holds(town, true)) continue;
            for (const first of sheet.towns.get(town)?.next ?? []) {
                const second = sheet.towns.get(first.town)?.next ?? [];
                for (const other of [first.town, ...second.map((next) => next.town)]) {
                    if (!holds(other, false)) continue;
                    hot.add(town);
                    hot.add(other);
                }
            }
        }
    } else {
        for (const town of [...hot]) for (const next of sheet.towns.get(town)?.next ?? []) if (board.towns[next.town]) hot.add(next.town);
    }
    if (hot.size > 0) return [...hot];
    return Object.entries(board.towns)
        .filter(([, here]) => mine.some((army) => (here.units[army] ?? 0) > 0))
        .map(([town]) => town);
}
