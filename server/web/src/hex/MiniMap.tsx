/** The whole field in a corner: where the armies stand, and which part the window shows. */
import type { ComponentChildren, JSX } from "preact";
import { t } from "@/words";
import { pathData } from "../board/curves";
import { MiniSheet } from "../board/MiniSheet";
import { memo } from "../ui/memo";
import { centre } from "./geo";
import { hexSheetOf, type HexSheet } from "./sheet";
import type { HexMiniMapProps } from "./types";
import "./hex.css";

const Land = memo(function Land(props: { sheet: HexSheet }): JSX.Element {
    const { sheet } = props;
    const lines = (list: readonly { line: readonly { x: number; y: number }[] }[]): string => list.map(({ line }) => fine(line)).join("");
    return (
        <>
            <path class="mini-high" d={sheet.heights.map(({ line }) => `${fine(line)}Z`).join("")} fill-rule="evenodd" />
            <path class="mini-pond" d={sheet.ponds.flatMap((pond) => pond.loops.map((loop) => `${fine(loop)}Z`)).join("")} fill-rule="evenodd" />
            <path class="mini-river" d={lines(sheet.streams)} />
            <path class="mini-road" d={lines(sheet.roads)} />
            <path class="mini-road" d={lines(sheet.highways)} style="stroke-width:1.3px" />
        </>
    );
});

/** The path of a line whose unit is a hex. */
function fine(line: readonly { x: number; y: number }[]): string {
    return pathData(line.map((p) => ({ x: p.x * 10, y: p.y * 10 })));
}

/** French circles, Allied squares. */
export function HexMiniMap(props: HexMiniMapProps): JSX.Element {
    const sheet = hexSheetOf(props.board);
    const draw = (unit: number): ComponentChildren => (
        <>
            <g transform="scale(.1)">
                <Land sheet={sheet} />
            </g>
            {Object.entries(props.view.board.units).map(([hex, { side }]) => {
                const at = centre(hex);
                const r = 2.7 * unit;
                return side === "french" ? (
                    <circle key={hex} class="mini-mark mini-french" cx={at.x} cy={at.y} r={r} />
                ) : (
                    <rect key={hex} class="mini-mark mini-allied" x={at.x - r * 0.9} y={at.y - r * 0.9} width={r * 1.8} height={r * 1.8} />
                );
            })}
        </>
    );
    return <MiniSheet extent={sheet.extent} width={props.width ?? 214} height={props.height ?? 190} window={props.window} onMove={props.onMove} label={t("map.minimap")} draw={draw} />;
}
