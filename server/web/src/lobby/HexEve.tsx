/** A board of hexes as a picture: of a match as its view has it, else of the counters where they begin. */
import { HexPicture } from "@/hex/Picture";
import type { HexBoardData, HexUnit, HexView } from "@/hex/types";
import { units } from "../../../../schema/games/austerlitz/oob.json";

interface HexEveProps {
    board: HexBoardData;
    /** null: not known yet; left out: the beginning. */
    view: HexView | null | undefined;
    width: number;
    height: number;
    label?: string;
}

const standing = units.map(({ start, side, type, movement }) => [start, { side, type, movement } as HexUnit]);
const begins: HexView = { board: { units: Object.fromEntries(standing) as Record<string, HexUnit>, broken_ice: [], destroyed_bridges: [] } };

export default function HexEve({ view, ...props }: HexEveProps) {
    return <HexPicture {...props} {...(view === null ? {} : { view: view ?? begins })} game="austerlitz" names={props.width >= 400} />;
}
