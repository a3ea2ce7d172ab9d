/** The engraved sheet as a big still picture, with piles of blocks and the names that everybody knows. */
import { useMemo } from "preact/hooks";
import { bounds } from "@/board/geo";
import { sheetBrushes } from "@/board/paint";
import { usePainted } from "@/board/painted";
import { sheetOf } from "@/board/sheet";
import { placeStacks, standings } from "@/board/stacks";
import type { MapPictureProps } from "@/board/types";
import { HiddenPileArt } from "@/ui/BlockArt";
import { townName } from "@/words";
import "@/board/board.css";

/** Towns that are named, and on which side where nothing stands in them. */
const NAMED = {
    brussels: "right", ghent: "right", waterloo: "left", "quatre-bras": "left", ligny: "right", charleroi: "right", namur: "right",
    liege: "left", wavre: "right", beaumont: "right", philippeville: "right", mons: "left",
} as const;
const SIDES = {
    left: { dx: -7, dy: 5, anchor: "end" },
    right: { dx: 7, dy: 15, anchor: "start" },
    below: { dx: 0, dy: 27, anchor: "middle" },
} as const;
const BLOCK_PX = 24;

export default function Engraved(props: MapPictureProps) {
    const { board, view, width, height, label } = props;
    const sheet = sheetOf(board);
    const { towns } = view.board;
    const points = (props.crop ?? Object.keys(towns)).map((town) => sheet.towns.get(town)?.at).filter((at) => at !== undefined);
    const box = points.length > 0 ? bounds(points) : sheet.middle;
    const k = Math.min(9, (width - 90) / Math.max(20, box.w), (height - 90) / Math.max(16, box.h));
    const x = (box.x + box.w / 2) * k - width / 2;
    const y = (box.y + box.h / 2) * k - height / 2;
    const brushes = useMemo(() => sheetBrushes(sheet), [sheet]);
    const canvas = usePainted(brushes, k, x, y, width, height);
    const stacks = placeStacks(sheet, standings({ towns }), k, BLOCK_PX);
    const names = Object.entries(NAMED).flatMap(([town, free]) => {
        const at = sheet.towns.get(town)?.at;
        return at === undefined ? [] : [{ town, x: at.x * k, y: at.y * k, ...SIDES[towns[town] === undefined ? free : "below"] }];
    });
    return (
        <div class="map-picture engraved" role={label ? "img" : undefined} aria-label={label} aria-hidden={label ? undefined : "true"}>
            <canvas ref={canvas} />
            <svg viewBox={`${x} ${y} ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
                {stacks.map((stack) =>
                    stack.piles.map(({ pile, x: px, y: py }) => (
                        <g key={`${stack.town} ${pile.army}`} transform={`translate(${stack.box.x + px},${stack.box.y + py})`}>
                            <HiddenPileArt army={pile.army} count={pile.count} size={stack.hidden} />
                        </g>
                    )),
                )}
                {names.map((name) => (
                    <text key={name.town} class="engraved-name" x={name.x + name.dx} y={name.y + name.dy} text-anchor={name.anchor}>
                        {townName(name.town)}
                    </text>
                ))}
            </svg>
        </div>
    );
}
