/** The marks at which a clock that runs out is told to those who listen. */
const MARKS_MIN = [10, 5, 2, 1];

/** The marks that lie between two lefts, the lowest of them: null, none was passed. 0: time is out. */
export function markPassed(before: number | null, left: number): number | null {
    if (left <= 0) return before === null || before > 0 ? 0 : null;
    const passed = MARKS_MIN.filter((mark) => left <= mark * 60_000 && (before === null || before > mark * 60_000));
    return passed[passed.length - 1] ?? null;
}
