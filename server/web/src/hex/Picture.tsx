/** A still picture of the field or a part of it with the counters that stand there, for cards. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { bounds, inflate } from "../board/geo";
import { measurer, useFonts } from "../board/measure";
import { usePainted } from "../board/painted";
import { ensureDefs } from "../ui/defs";
import { centre } from "./geo";
import { SideMark } from "./Counter";
import { counterShare, layOutHexes, type HexLayout } from "./layout";
import { languageNow, placeOf } from "./names";
import { hexBrushes } from "./paint";
import { hexSheetOf, type HexSheet } from "./sheet";
import type { HexPictureProps } from "./types";
import "./hex.css";

/** Counters are never smaller than this, so that their marks read. */
const leastTile = 9;
const nobody: NonNullable<HexPictureProps["view"]>["board"]["units"] = {};

/** Names where they fit, by the rule of the map; those that do not fit are left out. */
function useNames(props: HexPictureProps, sheet: HexSheet, k: number): HexLayout["names"] {
    const fonts = useFonts();
    const language = languageNow();
    const units = props.view?.board.units ?? nobody;
    return useMemo(() => {
        if (!props.names) return [];
        const name = (hex: string): string => placeOf(sheet, props.game ?? "austerlitz", hex);
        const { names } = layOutHexes({ sheet, units, marks: {}, spoken: undefined, k, window: sheet.middle, name, measure: measurer(), before: new Map() });
        return names.filter((label) => !label.hidden);
    }, [sheet, units, props.names, k, fonts, language]);
}

export function HexPicture(props: HexPictureProps): JSX.Element {
    ensureDefs();
    const { board, width, height, label } = props;
    const sheet = hexSheetOf(board);
    const units = Object.entries(props.view?.board.units ?? {});
    const wanted = props.crop ?? units.map(([hex]) => hex);
    const box = wanted.length > 0 ? inflate(bounds(wanted.map(centre)), 1.2) : sheet.middle;
    const k = Math.min(38, Math.max(Math.min(width / box.w, height / box.h), width / sheet.middle.w, height / sheet.middle.h));
    // A picture is filled to its edges: it never looks beyond the board.
    const hold = (at: number, size: number, from: number, length: number): number => Math.max(from * k, Math.min((from + length) * k - size, at));
    const x = hold((box.x + box.w / 2) * k - width / 2, width, sheet.middle.x, sheet.middle.w);
    const y = hold((box.y + box.h / 2) * k - height / 2, height, sheet.middle.y, sheet.middle.h);
    const brushes = useMemo(() => hexBrushes(sheet), [sheet]);
    const canvas = usePainted(brushes, k, x, y, width, height);
    const s = Math.max(leastTile, counterShare * k);
    const names = useNames(props, sheet, k);
    return (
        <div class="map-picture hex-picture" role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : "true"} style={{ width: `${width}px`, aspectRatio: `${width} / ${height}` }}>
            <canvas ref={canvas} />
            <svg viewBox={`${x} ${y} ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
                {names.map((label) => (
                    <text key={label.id} class={`picture-name ${label.hill ? "hex-hill" : ""}`} x={label.rect.x + label.rect.w / 2} y={label.rect.y + label.rect.h * 0.76} text-anchor="middle" font-size={label.size}>
                        {label.text}
                    </text>
                ))}
                {units.map(([hex, { side }]) => {
                    const at = centre(hex);
                    return (
                        <g key={hex} class={`hex-counter hex-${side}`} transform={`translate(${at.x * k - s / 2},${at.y * k - s / 2})`}>
                            <rect class="hex-shadow" x="1" y="1.5" width={s} height={s} rx="1.6" />
                            <rect width={s} height={s} rx="1.6" fill="var(--army)" stroke="var(--army-dark)" />
                            <g transform={`translate(${s / 2},${s / 2}) scale(${s / 27})`}>
                                <SideMark side={side} color="#fff4dc" />
                            </g>
                        </g>
                    );
                })}
            </svg>
        </div>
    );
}
