/** The map of a match: parchment sheet, roads, names, blocks, paths and marks. */
import type { JSX } from "preact";
import type { BoardMapProps } from "./types";

export type * from "./types";

/** The board, as one composite widget. */
export function BoardMap(props: BoardMapProps): JSX.Element {
    return <div class={`board-map ${props.class ?? ""}`} />;
}
