/** How near each army is to breaking: its losses rise from the left, its withdrawals bring the end nearer. */
import type { JSX } from "preact";
import { SideTile } from "@/hex/Counter";
import { hexView, type Board, type Side } from "@/austerlitz/types";
import type { View } from "@/types";
import { capital, Rich, sideName, t, tt } from "@/words";
import { useMatch } from "@/play/context";

export const SIDES: readonly Side[] = ["french", "allied"];
const LAST_BOX = 66;
const TICK = 11;

/** Both armies in a line, for the card over a phone's map. */
export function Losses({ board }: { board: Board }): JSX.Element {
    return (
        <ul class="record-left">
            {SIDES.map((side) => {
                const { P, D } = board.tracks[side];
                const spoken = lossWords(board, side);
                return (
                    <li key={side} title={spoken} class={D !== undefined && D - P <= TICK ? "record-near" : ""}>
                        <SideTile side={side} size={16} />
                        <span class="board-unseen">{spoken}</span>
                        <strong aria-hidden="true">{P}</strong>
                    </li>
                );
            })}
        </ul>
    );
}

function lossWords(board: Board, side: Side): string {
    const { P, D } = board.tracks[side];
    const how = board.demoralised === side ? "demoralised" : D === undefined ? "safe" : "breaks";
    return t("aus.lost_breaks", { lost: P, at: D ?? LAST_BOX, how });
}

export function Tracks({ view }: { view: View }): JSX.Element {
    const { board } = hexView(view);
    const { openRule } = useMatch();
    return (
        <section class="aus-tracks" aria-label={t("aus.tracks")}>
            {SIDES.map((side) => (
                <Track key={side} side={side} board={board} />
            ))}
            {board.demoralised !== undefined && (
                <p class="small">
                    <Rich of={[...tt("aus.demoralised", { side: board.demoralised }), { text: " " }, { text: "12.6", rule: "12.6" }]} onRule={openRule} />
                </p>
            )}
        </section>
    );
}

function Track({ side, board }: { side: Side; board: Board }) {
    const { P, D } = board.tracks[side];
    const share = (n: number): number => Math.max(0, Math.min(100, (100 * n) / LAST_BOX));
    return (
        <div class="aus-track" data-side={side}>
            <p>
                <SideTile side={side} size={14} /> <b>{capital(sideName(side))}</b>
                <span>{lossWords(board, side)}</span>
            </p>
            <div class={`aus-bar hex-${side}`} aria-hidden="true">
                <span class="aus-lost" style={{ width: `${share(P)}%` }} />
                {Array.from({ length: LAST_BOX / TICK - 1 }, (_, i) => (
                    <i key={i} style={{ left: `${share((i + 1) * TICK)}%` }} />
                ))}
                <span class="aus-p" style={{ left: `${share(P)}%` }} />
                {D !== undefined && <span class="aus-d" style={{ left: `${share(D)}%` }} />}
            </div>
        </div>
    );
}
