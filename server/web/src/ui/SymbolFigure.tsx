/** The four type symbols, the same in every game. */
import type { JSX } from "preact";
import type { UnitType } from "./army";

const cavalry = "M-12,8L12,-8V8Z";

/** A symbol in a field of 24 by 16 about the origin: its field in one colour, its figure in the other. */
export function SymbolFigure(props: { type: UnitType; field: string; figure: string }): JSX.Element {
    const { type, field, figure } = props;
    const mounted = type === "cavalry" || type === "horse_artillery";
    return (
        <>
            <rect x="-12" y="-8" width="24" height="16" rx="1" fill={mounted ? figure : field} />
            {type === "infantry" && <path d="M-11.4,-7.6L11.4,7.6M-11.4,7.6L11.4,-7.6" stroke={figure} stroke-width="1.9" fill="none" />}
            {mounted && <path d={cavalry} fill={field} />}
            {type === "foot_artillery" && <circle r="4.7" fill={figure} />}
            {type === "horse_artillery" && (
                <>
                    <circle r="4.9" fill={figure} stroke={field} stroke-width="2" />
                    <circle r="1.7" fill={field} />
                </>
            )}
            <rect x="-12" y="-8" width="24" height="16" rx="1" fill="none" stroke={field} stroke-width="1.6" />
        </>
    );
}
