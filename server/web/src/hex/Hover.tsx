/** The hex under the pointer: its outline, and a line on what it is. Drawn by themselves, so that a moving pointer draws nothing else. */
import type { JSX } from "preact";
import type { Signal } from "@preact/signals";
import { groundOf, placeOf } from "./names";
import { hexPath } from "./shapes";
import type { HexSheet } from "./sheet";
import type { Hex, HexMapProps, HexView } from "./types";

function Outline(props: { hovered: Signal<Hex | undefined>; k: number }): JSX.Element | null {
    const hex = props.hovered.value;
    return hex === undefined ? null : <path class="hex-hover" d={hexPath(hex, props.k)} />;
}

interface ReadoutProps {
    hovered: Signal<Hex | undefined>;
    sheet: HexSheet;
    game: string;
    view: HexView;
    note: HexMapProps["hexNote"];
}

function Readout(props: ReadoutProps): JSX.Element | null {
    const hex = props.hovered.value;
    if (hex === undefined) return null;
    const place = placeOf(props.sheet, props.game, hex);
    const note = props.note?.(hex);
    return (
        <div class="hex-readout" aria-hidden="true">
            <b>{hex}</b> {[place, groundOf(props.sheet, props.view, hex), note].filter(Boolean).join(" · ")}
        </div>
    );
}

export const Hover = { Outline, Readout };
