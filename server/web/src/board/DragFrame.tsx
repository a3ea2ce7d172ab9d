/** What is dragged follows the pointer: lifted, slightly turned, with a line on where it is. */
import type { ComponentChildren, JSX } from "preact";
import "./board.css";

export interface DragFrameProps {
    x: number;
    y: number;
    /** Size of what is lifted, px: its shadow. */
    width: number;
    height: number;
    note?: string | undefined;
    barred?: boolean | undefined;
    /** About the origin. */
    children: ComponentChildren;
}

export function DragFrame(props: DragFrameProps): JSX.Element {
    const { width, height, note } = props;
    return (
        <div class={`board-drag ${props.barred ? "board-drag-no" : ""}`} style={{ transform: `translate(${props.x}px,${props.y}px)` }} aria-hidden="true">
            <svg>
                <rect class="board-drag-shadow" x={-width / 2 + 7} y={-height / 2 + 12} width={width} height={height} rx="5" transform="rotate(-4)" />
                <g transform="rotate(-4)">{props.children}</g>
            </svg>
            {note && <span class="board-drag-note">{note}</span>}
        </div>
    );
}
