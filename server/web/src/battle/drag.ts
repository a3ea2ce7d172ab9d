/** Blocks that are dragged over the battle board; every drag has a press that does the same. */
import { useEffect, useRef, type MutableRef } from "preact/hooks";
import type { UnitId } from "@/types";
import type { Place } from "./acts";

export type Drop = { place: Place } | { unit: UnitId };

export interface DragRules {
    /** Taken up: what is chosen, so that legal places glow. */
    onTake: (unit: UnitId) => void;
    /** May it be dropped there? */
    allows: (unit: UnitId, drop: Drop) => boolean;
    onDrop: (unit: UnitId, drop: Drop) => void;
    onOver?: (drop: Drop | null) => void;
}

const SLACK = 6;

function dropAt(x: number, y: number): { drop: Drop; element: HTMLElement }[] {
    const found: { drop: Drop; element: HTMLElement }[] = [];
    for (const element of document.elementsFromPoint(x, y)) {
        const unit = element.closest<HTMLElement>(".piece-enemy[data-unit]");
        if (unit !== null) found.push({ drop: { unit: unit.dataset.unit ?? "" }, element: unit });
        const place = element.closest<HTMLElement>("[data-place]");
        const id = place?.dataset.place;
        if (place !== null && id !== undefined)
            found.push({ drop: { place: { zone: id.replace("g", "") as Place["zone"], ground: id.endsWith("g") } }, element: place });
    }
    return found;
}

/** One drag, from press to drop; held while it lasts. */
class Drag {
    private ghost: HTMLElement | null = null;
    private over: HTMLElement | null = null;
    private drop: Drop | null = null;

    constructor(
        private readonly unit: UnitId,
        private readonly from: HTMLElement,
        private readonly start: { x: number; y: number },
        private readonly rules: MutableRef<DragRules>,
    ) {}

    get moving(): boolean {
        return this.ghost !== null;
    }

    move(x: number, y: number): void {
        if (this.ghost === null) {
            if (Math.hypot(x - this.start.x, y - this.start.y) < SLACK) return;
            this.rules.current.onTake(this.unit);
            this.ghost = this.makeGhost();
        }
        this.ghost.style.transform = `translate(${x}px, ${y}px) translate(-42%, -62%) rotate(-4deg)`;
        const hit = dropAt(x, y).find(({ drop }) => this.rules.current.allows(this.unit, drop));
        if (hit?.element === this.over) return;
        this.over?.classList.remove("drop-over");
        this.over = hit?.element ?? null;
        this.over?.classList.add("drop-over");
        this.drop = hit?.drop ?? null;
        this.rules.current.onOver?.(this.drop);
    }

    private makeGhost(): HTMLElement {
        const ghost = document.createElement("div");
        ghost.className = "drag-ghost";
        ghost.append(this.from.querySelector("svg")?.cloneNode(true) ?? "");
        document.body.append(ghost);
        this.from.classList.add("is-dragged");
        return ghost;
    }

    end(drop: boolean): void {
        this.over?.classList.remove("drop-over");
        this.from.classList.remove("is-dragged");
        this.ghost?.remove();
        if (this.moving) this.rules.current.onOver?.(null);
        if (drop && this.moving && this.drop !== null) this.rules.current.onDrop(this.unit, this.drop);
    }
}

/** Lets blocks marked data-drag within the element be dragged. */
export function useDrag(root: MutableRef<HTMLElement | null>, rules: DragRules): void {
    const current = useRef(rules);
    current.current = rules;
    useEffect(() => {
        const board = root.current;
        if (board === null) return;
        let drag: Drag | null = null;
        const down = (event: PointerEvent): void => {
            const from = (event.target as Element).closest<HTMLElement>("[data-drag]");
            if (from === null || event.button !== 0) return;
            drag = new Drag(from.dataset.unit ?? "", from, { x: event.clientX, y: event.clientY }, current);
        };
        const move = (event: PointerEvent): void => drag?.move(event.clientX, event.clientY);
        const end = (drop: boolean): void => {
            const ended = drag;
            drag = null;
            if (ended?.moving) addEventListener("click", swallow, { capture: true, once: true });
            setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
            ended?.end(drop);
        };
        const up = (): void => end(true);
        const cancel = (): void => end(false);
        const key = (event: KeyboardEvent): void => {
            if (event.key !== "Escape" || !drag?.moving) return;
            event.stopPropagation();
            end(false);
        };
        board.addEventListener("pointerdown", down);
        addEventListener("pointermove", move);
        addEventListener("pointerup", up);
        addEventListener("pointercancel", cancel);
        addEventListener("keydown", key, true);
        return () => {
            cancel();
            board.removeEventListener("pointerdown", down);
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", up);
            removeEventListener("pointercancel", cancel);
            removeEventListener("keydown", key, true);
        };
    }, []);
}

/** The click that follows a drag chose nothing. */
function swallow(event: Event): void {
    event.stopPropagation();
    event.preventDefault();
}
