/** What follows the pointer while blocks are dragged. */
import type { JSX } from "preact";
import { BlockArt } from "../ui/BlockArt";
import { armyOf, printed } from "../ui/oob";
import { byArm } from "../ui/army";
import type { Board } from "../types/gen/waterloo-view";
import { DragFrame } from "./DragFrame";
import { labelOfUnit } from "./names";

export interface Drag {
    units: string[];
    /** Where they were taken up; nowhere for blocks from the hand. */
    from: string | undefined;
    x: number;
    y: number;
    /** Towns dragged over, each a neighbour of the one before. */
    via: string[];
    over: string | undefined;
    note?: string;
    barred?: boolean;
}

/** Up to six of the blocks, lifted and slightly turned, with a line on where they are. */
export function DragGhost(props: { drag: Drag; units: Board["units"] }): JSX.Element | null {
    const { drag } = props;
    if (drag.x === 0 && drag.y === 0) return null;
    const blocks = drag.units
        .flatMap((id) => {
            const facts = printed[id];
            const cv = props.units?.[id]?.cv ?? facts?.cv ?? 0;
            return facts ? [{ id, army: armyOf(id), type: facts.type, cv, maxCv: facts.cv }] : [];
        })
        .sort(byArm);
    const s = 46;
    const shown = blocks.slice(0, 6);
    const width = s + (shown.length - 1) * s * 0.4;
    return (
        <DragFrame {...drag} width={width} height={s}>
            {shown.map((block, at) => (
                <g key={block.id} transform={`translate(${-width / 2 + at * s * 0.4},${-s / 2})`}>
                    <BlockArt
                        army={block.army}
                        type={block.type}
                        cv={block.cv}
                        maxCv={block.maxCv}
                        formation={labelOfUnit(block.id)}
                        size={s}
                        state={{ selected: at === shown.length - 1 }}
                    />
                </g>
            ))}
        </DragFrame>
    );
}
