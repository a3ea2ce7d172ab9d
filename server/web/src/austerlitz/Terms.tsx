/** What bears on a combat, a line for each rule: the die's modifier term by term, works, fog and night, demoralisation. */
import type { JSX } from "preact";
import type { Shape } from "@/austerlitz/odds";
import type { Hex, HexBoardData, HexView, Odds, Term } from "@/austerlitz/types";
import { hexName } from "@/austerlitz/units";
import { terrainOf } from "@/austerlitz/zones";
import { useMatch } from "@/play/context";
import { capital, commas, hexsideName, Rich, t, terrainName, tt, type Token } from "@/words";

const SIDES: readonly string[] = ["stream", "bank", "escarpment"];

export function signed(n: number): string {
    return n < 0 ? `−${-n}` : n === 0 ? "0" : `+${n}`;
}

/** Words with the rule that says so. */
export function ruled(key: string, rule: string, args: Record<string, string | number | boolean> = {}): Token[] {
    return [...tt(key, args), { text: " " }, { text: rule, rule }];
}

function nameOf(term: Term): string {
    return SIDES.includes(term.what) ? hexsideName(term.what) : terrainName(term.what);
}

/** "Die −3: village −1, escarped bank −2. 6.7" and what rules take away. */
export function dieWords(odds: Odds, defenders: number): Token[][] {
    const { modifier, terms, by } = odds;
    if (modifier === undefined || terms === undefined) return [];
    const counted = terms.filter((term) => term.die !== 0);
    const lines: Token[][] = [];
    if (counted.length > 0) {
        const parts = commas(counted.map((term) => t("aus.term", { what: nameOf(term), die: signed(term.die) })));
        const place = defenders > 1 && by !== undefined ? hexName(by) : "";
        lines.push(ruled("aus.die_terms", "6.7", { modifier: signed(modifier), parts, several: place !== "", place }));
    } else lines.push(ruled("aus.die_plain", "6.7"));
    for (const term of terms) if (term.die === 0 && SIDES.includes(term.what)) lines.push(ruled("aus.term_cancelled", "8.7", { what: capital(nameOf(term)) }));
    return lines;
}

/** Works double who stands in them (6.4); guns count half in fog and at night (11.4). */
export function weightWords(view: HexView, board: HexBoardData | null, shape: Shape): Token[][] {
    const typeAt = (hex: Hex): string | undefined => view.board.units[hex]?.type;
    const worked = (hex: Hex): boolean => board !== null && typeAt(hex) !== "cavalry" && terrainOf(board, hex, view.board.broken_ice).includes("fortified");
    const works = shape.defenders.filter(worked);
    const guns = [...shape.contact, ...shape.defenders].some((hex) => typeAt(hex) === "artillery");
    const lines: Token[][] = [];
    if (works.length > 0) lines.push(ruled("aus.doubled", "6.4", { places: commas(works.map(hexName)) }));
    if (guns && (view.turn.fog || view.turn.night)) lines.push(ruled("aus.halved", "11.4", { night: view.turn.night }));
    return lines;
}

export function Facts({ lines }: { lines: readonly (readonly Token[])[] }): JSX.Element {
    const { openRule } = useMatch();
    return (
        <>
            {lines.map((line, i) => (
                <p key={i} class="aus-facts">
                    <Rich of={line} onRule={openRule} />
                </p>
            ))}
        </>
    );
}
