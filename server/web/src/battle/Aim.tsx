/** The aim: a red dashed line from the firer to its target, and a dark label in its middle. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState, type MutableRef } from "preact/hooks";
import { t } from "@/words";
import type { UnitId } from "@/types";
import type { Odds } from "./desk";
import { expectation } from "./names";

interface AimProps {
    board: MutableRef<HTMLElement | null>;
    from: UnitId;
    to: UnitId;
    odds: Odds | null;
    charge: boolean;
    /** The firer stands in the middle ground. */
    advanced: boolean;
}

interface Line {
    x1: number;
    y1: number;
    x2: number;
    y2: number;
}

/** From the nearer edge of one block to that of the other. */
function lineBetween(board: HTMLElement, from: UnitId, to: UnitId): Line | null {
    const boxOf = (unit: UnitId): DOMRect | undefined =>
        board.querySelector(`[data-unit="${CSS.escape(unit)}"] svg`)?.getBoundingClientRect();
    const [a, b] = [boxOf(from), boxOf(to)];
    if (a === undefined || b === undefined) return null;
    const base = board.getBoundingClientRect();
    const up = b.top < a.top;
    const center = (box: DOMRect): number => box.left + box.width * 0.44 - base.left + board.scrollLeft;
    const edge = (box: DOMRect, top: boolean): number =>
        (top ? box.top + box.height * 0.06 : box.bottom - box.height * 0.12) - base.top + board.scrollTop;
    return { x1: center(a), y1: edge(a, up), x2: center(b), y2: edge(b, !up) };
}

const same = (a: Line | null, b: Line | null): boolean => JSON.stringify(a) === JSON.stringify(b);

export function Aim({ board, from, to, odds, charge, advanced }: AimProps): JSX.Element | null {
    const [line, setLine] = useState<Line | null>(null);
    const measure = (): void => {
        const next = board.current === null ? null : lineBetween(board.current, from, to);
        setLine((now) => (same(now, next) ? now : next));
    };
    useLayoutEffect(measure);
    useEffect(() => {
        const seen = new ResizeObserver(measure);
        if (board.current !== null) seen.observe(board.current);
        return () => seen.disconnect();
    }, [from, to]);
    if (line === null) return null;
    // The chip of a lane stands at one end of the line: the label keeps to the other.
    const along = (a: number, b: number): string => `${a + (b - a) * (advanced ? 0.42 : 0.6)}px`;
    const middle = { left: along(line.x1, line.x2), top: along(line.y1, line.y2) };
    return (
        <>
            <svg class="aim" aria-hidden="true" focusable="false">
                <defs>
                    <marker id="aim-head" viewBox="0 0 12 12" refX="9" refY="6" markerWidth="13" markerHeight="13" markerUnits="userSpaceOnUse" orient="auto">
                        <path class="aim-head" d="M1,1L11,6L1,11L3.4,6Z" />
                    </marker>
                </defs>
                <path class="aim-casing" d={`M${line.x1},${line.y1}L${line.x2},${line.y2}`} />
                <path class="aim-line" d={`M${line.x1},${line.y1}L${line.x2},${line.y2}`} marker-end="url(#aim-head)" />
            </svg>
            {odds && (
                <div class="aim-label" style={middle} aria-hidden="true">
                    <strong>{oddsHead(odds, charge)}</strong>
                    <span>{oddsTail(odds)}</span>
                </div>
            )}
        </>
    );
}

/** "Charge: 3 dice, 5–6 hit" */
export function oddsHead(odds: Odds, charge: boolean): string {
    return t("battle.aim.dice", { kind: charge ? "charge" : "fire", dice: odds.dice, five: odds.hit_on === 5 });
}

/** "about 1 hit; 30 % none" */
export function oddsTail(odds: Odds): string {
    return t("battle.aim.hits", expectation(odds));
}
