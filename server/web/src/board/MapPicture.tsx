/** A still picture of a part of the map with what stands there, for cards. */
import type { JSX } from "preact";
import { armyName, nations, type Nation } from "../ui/army";
import { MarkFigure } from "../ui/ArmyMark";
import { memo } from "../ui/memo";
import { pathData } from "./curves";
import { bounds, type Rect } from "./geo";
import { sheetOf, type Sheet } from "./sheet";
import { pushApart } from "./stacks";
import type { MapPictureProps } from "./types";
import "./board.css";

const far = 1000;

/** Land, water and roads as a few long paths; px at scale k. */
const Land = memo(function Land(props: { sheet: Sheet; k: number }): JSX.Element {
    const { sheet, k } = props;
    const first = sheet.border[0];
    const last = sheet.border[sheet.border.length - 1];
    const roads = [...sheet.roads.values()];
    const lines = (kind: "major" | "minor"): string => roads.filter((road) => road.class === kind).map((road) => pathData(road.line, k)).join("");
    return (
        <>
            {first && last && (
                <path class="picture-france" d={`${pathData(sheet.border, k)}L${last.x * k},${far * k}L${-far * k},${far * k}L${-far * k},${first.y * k}Z`} />
            )}
            <path class="picture-minor" d={lines("minor")} />
            <path class="picture-major" d={lines("major")} />
            {sheet.rivers.map((river) => (
                <path key={river.id} class="picture-river" d={pathData(river.line, k)} stroke-width={Math.max(1.3, river.width * 0.42)} />
            ))}
        </>
    );
});

interface Tile {
    army: Nation;
    box: Rect;
    key: string;
}

/** A tile for every army in every town, larger for more units, pushed apart. */
function tilesOf(sheet: Sheet, towns: MapPictureProps["view"]["board"]["towns"], k: number): Tile[] {
    const tiles: Tile[] = [];
    for (const [town, here] of Object.entries(towns).sort(([a], [b]) => (a < b ? -1 : 1))) {
        const at = sheet.towns.get(town)?.at;
        if (!at) continue;
        for (const army of nations) {
            const count = here.units[army] ?? 0;
            if (count === 0) continue;
            const size = Math.round(Math.min(24, 12 + Math.sqrt(count) * 3.4));
            tiles.push({ army, key: `${town} ${army}`, box: { x: at.x * k - size / 2 + tiles.length * 0.01, y: at.y * k - size / 2, w: size, h: size } });
        }
    }
    // The push keeps 5 px between boxes; here they may stand side by side.
    const boxes = tiles.map(({ box }) => ({ x: box.x + 2.5, y: box.y + 2.5, w: box.w - 5, h: box.h - 5 }));
    pushApart(boxes);
    return tiles.map((tile, at) => ({ ...tile, box: { ...tile.box, x: boxes[at]!.x - 2.5, y: boxes[at]!.y - 2.5 } }));
}

/** The map small: who stands where, by mark and size. */
export function MapPicture(props: MapPictureProps): JSX.Element {
    const { width, height } = props;
    const sheet = sheetOf(props.board);
    const wanted = props.crop ?? Object.keys(props.view.board.towns);
    const points = wanted.map((town) => sheet.towns.get(town)?.at).filter((p) => p !== undefined);
    const box = points.length > 0 ? bounds(points) : sheet.middle;
    const k = Math.min(6, (width - 34) / Math.max(20, box.w), (height - 34) / Math.max(16, box.h));
    const x = (box.x + box.w / 2) * k - width / 2;
    const y = (box.y + box.h / 2) * k - height / 2;
    return (
        <svg
            class="map-picture"
            width={width}
            height={height}
            viewBox={`${x} ${y} ${width} ${height}`}
            preserveAspectRatio="xMidYMid slice"
            role={props.label ? "img" : undefined}
            aria-label={props.label}
            aria-hidden={props.label ? undefined : "true"}
            focusable="false"
        >
            <rect class="picture-paper" x={x} y={y} width={width} height={height} />
            <Land sheet={sheet} k={k} />
            {tilesOf(sheet, props.view.board.towns, k).map(({ army, box: tile, key }) => (
                <g key={key} transform={`translate(${tile.x.toFixed(1)},${tile.y.toFixed(1)})`}>
                    <rect class="picture-shadow" x="1.2" y="1.8" width={tile.w} height={tile.h} rx="3" />
                    <rect width={tile.w} height={tile.h} rx="3" fill={`var(--${armyName[army]})`} stroke={`var(--${armyName[army]}-dark)`} />
                    <g transform={`translate(${tile.w / 2},${tile.h / 2}) scale(${tile.w / 26})`}>
                        <MarkFigure army={army} color={`var(--mark-${army}, #fff8e8)`} />
                    </g>
                </g>
            ))}
        </svg>
    );
}
