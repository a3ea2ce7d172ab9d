/** The whole sheet in a corner: where the armies stand, and which part the window shows. */
import type { ComponentChildren, JSX } from "preact";
import { nations, type Nation } from "../ui/army";
import { memo } from "../ui/memo";
import { t } from "@/words";
import { pathData } from "./curves";
import { MiniSheet } from "./MiniSheet";
import { sheetOf, type Sheet } from "./sheet";
import type { MiniMapProps } from "./types";
import "./board.css";

const far = 1000;

const Land = memo(function Land(props: { sheet: Sheet }): JSX.Element {
    const { sheet } = props;
    const first = sheet.border[0];
    const last = sheet.border[sheet.border.length - 1];
    return (
        <>
            {first && last && (
                <path class="mini-france" d={`${pathData(sheet.border)}L${last.x},${far}L${-far},${far}L${-far},${first.y}Z`} />
            )}
            {sheet.rivers.map((river) => (
                <path key={river.id} class="mini-river" d={pathData(river.line)} />
            ))}
            {[...sheet.roads.values()].map((road) => (
                <path key={road.id} class="mini-road" d={`M${pathData([road.line[0]!, road.line[road.line.length - 1]!]).slice(1)}`} />
            ))}
        </>
    );
});

/** Circles French, squares Anglo-Dutch, diamonds Prussian; area by count. */
export function MiniMark(props: { army: Nation; count: number; x: number; y: number; unit: number }): JSX.Element {
    const r = props.unit * (1.5 + Math.sqrt(props.count) * 1.35);
    const fill = { "--fill": `var(--mini-${props.army})` };
    if (props.army === "FR") return <circle class="mini-mark" style={fill} cx={props.x} cy={props.y} r={r} />;
    if (props.army === "AD") {
        const half = r * 0.886;
        return <rect class="mini-mark" style={fill} x={props.x - half} y={props.y - half} width={2 * half} height={2 * half} />;
    }
    const d = r * 1.25;
    return <path class="mini-mark" style={fill} d={`M${props.x},${props.y - d}L${props.x + d},${props.y}L${props.x},${props.y + d}L${props.x - d},${props.y}Z`} />;
}

/** The still or live small map. */
export function MiniMap(props: MiniMapProps): JSX.Element {
    const sheet = sheetOf(props.board);
    const draw = (unit: number): ComponentChildren => (
        <>
            <Land sheet={sheet} />
            {Object.entries(props.view.board.towns).flatMap(([town, here]) => {
                const at = sheet.towns.get(town)?.at;
                if (!at) return [];
                return nations
                    .filter((army) => (here.units[army] ?? 0) > 0)
                    .map((army, i) => (
                        <MiniMark key={`${town} ${army}`} army={army} count={here.units[army]!} x={at.x + i * 3 * unit} y={at.y} unit={unit} />
                    ));
            })}
        </>
    );
    return (
        <MiniSheet
            extent={sheet.extent}
            width={props.width ?? 214}
            height={props.height ?? 156}
            window={props.window}
            onMove={props.onMove}
            label={t("map.minimap")}
            draw={draw}
        />
    );
}
