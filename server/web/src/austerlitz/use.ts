/** The open desk as one of the hex map; only within this game's parts. */
import type { HexDesk } from "@/austerlitz/desk";
import { usePlay } from "@/play/state";

export function useHexDesk<D extends HexDesk = HexDesk>(): D {
    return usePlay().desk.value as D;
}
