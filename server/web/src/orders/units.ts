/** The own units that an order may name: those in its towns first, then the others. */
import { nationsOf } from "@/play/desk";
import type { TownId, UnitId, View } from "@/types";
import { unitName } from "@/words";

export function ownUnits(view: View, near: readonly TownId[] = []): UnitId[] {
    const nations: string[] = nationsOf(view);
    const all = Object.keys(view.board.units).filter((id) => nations.includes(id.slice(0, 2)));
    const here = (id: UnitId): number => (near.includes(view.board.units[id]?.town ?? "") ? 0 : 1);
    return all.sort((a, b) => here(a) - here(b) || unitName(a, "full").localeCompare(unitName(b, "full")));
}
