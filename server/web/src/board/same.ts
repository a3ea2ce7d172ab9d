/** Keys by which marks that are equal are known to be, though whoever made them made them anew. */
import type { Marks } from "./types";

const plain = (_: string, value: unknown): unknown => (value instanceof Set ? [...value].sort() : value);

/** All that is drawn. */
export function drawKey(marks: Marks): string {
    const { focusRequest: _, choosable: __, legalTowns: ___, focus: ____, ...drawn } = marks;
    return JSON.stringify(drawn, plain);
}

/** All that moves something else: rings, paths, badges, ghosts. */
export function layoutKey(marks: Marks): string {
    const { rings, counts, roadUse, paths, attacks, forced, ghosts } = marks;
    return JSON.stringify([rings, counts, roadUse, paths, attacks, forced, ghosts], plain);
}
