/** What the keyboard and a screen reader find of the hex map. Pointers are the engine's. */
import type { JSX } from "preact";
import { neighbours } from "./geo";
import { placed } from "./layout";
import { spokenHex } from "./names";
import type { HexSheet } from "./sheet";
import type { Hex, HexMapProps, HexMarks, HexView } from "./types";

interface ButtonsProps {
    sheet: HexSheet;
    game: string;
    view: HexView;
    marks: HexMarks;
    k: number;
    current: Hex;
    note: HexMapProps["hexNote"];
    onFocus: (hex: Hex) => void;
    onOpen: (hex: Hex, shift: boolean) => void;
}

/** One button each for the hex in focus, its neighbours, hexes with counters and hexes that may be chosen. */
export function HexButtons(props: ButtonsProps): JSX.Element {
    const { sheet, view, marks, k, current } = props;
    const hexes = new Set([current, ...neighbours(sheet.grid, current), ...Object.keys(view.board.units), ...(marks.legal ?? []).map((mark) => mark.hex)]);
    const edge = Math.max(28, k);
    return (
        <div class="board-towns">
            {[...hexes].sort().map((hex) => {
                const at = placed(hex, k);
                const spoken = spokenHex(sheet, props.game, view, marks, hex);
                const note = props.note?.(hex);
                return (
                    <button
                        key={hex}
                        type="button"
                        class="board-town"
                        data-hex={hex}
                        tabIndex={hex === current ? 0 : -1}
                        aria-label={note ? `${spoken}. ${note}` : spoken}
                        title={marks.urgent?.[hex]}
                        style={{ width: `${edge}px`, height: `${edge}px`, transform: `translate(${at.x - edge / 2}px,${at.y - edge / 2}px)` }}
                        onFocus={() => props.onFocus(hex)}
                        onClick={(event) => {
                            // With a pointer the engine has told of it already; this is Enter, Space or an aid.
                            if (event.detail === 0) props.onOpen(hex, event.shiftKey);
                        }}
                    />
                );
            })}
        </div>
    );
}
