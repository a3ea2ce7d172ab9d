/** Blocks: the props that the map, the battle board and the panels share. */
import type { JSX } from "preact";
import type { Nation, UnitType } from "./army";
import { BlockArt, HiddenPileArt } from "./BlockArt";

export interface BlockState {
    /** Solid gold ring. */
    selected?: boolean;
    /** Dashed gold ring: may be chosen. */
    legal?: boolean;
    /** Red ring: target. */
    target?: boolean;
    /** A red "no" disc; the text is its tooltip. */
    barred?: string;
    /** 62 % with a dashed outline: as it would stand after the draft. */
    ghost?: boolean;
    /** Retreat mark: round arrow disc. */
    marked?: boolean;
    /** In square: black frame with corner bastions. */
    square?: boolean;
    /** Just hit: red disc "−n". */
    hit?: number;
    /** Small tag under the block ("fired", "moved"). */
    acted?: string;
    /** May still act: a dot at the lower edge. */
    due?: boolean;
    /** Open but not own: thin white outline. */
    ally?: boolean;
    dim?: boolean;
}

export interface BlockProps {
    /** hidden: the army's colour and mark alone; type, formation, cv and state.marked are not looked at. */
    kind?: "own" | "hidden";
    army: Nation;
    type?: UnitType;
    /** The short label on the block, already in the reader's language ("Guard"). */
    formation?: string;
    cv?: number;
    maxCv?: number;
    /** Edge of the face in px. */
    size?: number;
    state?: BlockState;
    /** Accessible name; without one the drawing is hidden from screen readers. */
    label?: string;
    class?: string;
}

/** Room around the face for edge, shadow and rings, as a share of the face. */
const margin = { west: 0.12, north: 0.14, east: 0.26, south: 0.32 };

/** One block as a picture of its own (panels, battle board, hand). Wrap it in a button to make it do something. */
export function Block(props: BlockProps): JSX.Element {
    const size = props.size ?? 40;
    const tag = props.state?.acted ? 14 : 0;
    const west = Math.max(7, size * margin.west);
    const north = Math.max(9, size * margin.north);
    const width = size + west + Math.max(8, size * margin.east);
    const height = size + north + Math.max(10, size * margin.south) + tag;
    return (
        <svg
            class={`block ${props.class ?? ""}`}
            width={width}
            height={height}
            viewBox={`${-west} ${-north} ${width} ${height}`}
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <BlockArt {...props} size={size} />
        </svg>
    );
}

export interface HiddenPileProps {
    army: Nation;
    count: number;
    size?: number;
    state?: Pick<BlockState, "selected" | "legal" | "target" | "dim">;
    /** How many of them are under the retreat mark, told as a count ("2 marked"). */
    marked?: number;
    label?: string;
}

/** Hidden blocks of one army in one place: at most six shown, the disc tells how many there are. */
export function HiddenPile(props: HiddenPileProps): JSX.Element {
    const size = props.size ?? 34;
    const shown = Math.max(1, Math.min(6, props.count));
    const width = size + (shown - 1) * size * 0.36 + 8 + Math.max(14, size * 0.3);
    const height = size + 16 + size * 0.3;
    return (
        <svg
            class="block pile"
            width={width}
            height={height}
            viewBox={`-8 -14 ${width} ${height}`}
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <HiddenPileArt {...props} size={size} />
        </svg>
    );
}
