/** How a match went: the score, how the losses rose, the bloodiest combats. */
import type { JSX } from "preact";
import { SideTile } from "@/hex/Counter";
import { SIDES } from "@/austerlitz/Tracks";
import { lossesByTurn, turningPoints } from "@/austerlitz/course";
import { hexView, type Side } from "@/austerlitz/types";
import { hexName } from "@/austerlitz/units";
import { hourOf } from "@/austerlitz/words";
import { useMatch } from "@/play/context";
import { capital, sideName, t } from "@/words";
import "@/follow/follow.css";

export function Ending({ toStep }: { toStep: (seq: number) => void }): JSX.Element {
    const { match, openRule } = useMatch();
    const steps = match.steps.value;
    const view = match.view.value;
    const result = view === null ? undefined : hexView(view).board.result;
    const points = turningPoints(steps);
    return (
        <>
            {result !== undefined && (
                <section aria-label={t("aus.score")}>
                    <h3>{t("aus.score")}</h3>
                    <table class="aus-table aus-score">
                        <thead>
                            <tr>
                                <td />
                                <th scope="col">{t("aus.losses")}</th>
                                <th scope="col">{t("aus.points_head")}</th>
                            </tr>
                        </thead>
                        <tbody>
                            {SIDES.map((side) => (
                                <tr key={side}>
                                    <th scope="row">
                                        <SideTile side={side} size={14} /> {capital(sideName(side))}
                                    </th>
                                    <td>{result[side].losses}</td>
                                    <td>
                                        <b>{result[side].points}</b>
                                    </td>
                                </tr>
                            ))}
                        </tbody>
                    </table>
                    {result.encircled !== undefined && result.encircled.length > 0 && <p class="small">{t("aus.encircled", { hexes: result.encircled.map(hexName).join(", ") })}</p>}
                    <p class="small">
                        <button type="button" class="link-button" onClick={() => openRule("13.4")}>
                            {t("aus.how_counted")}
                        </button>
                    </p>
                </section>
            )}
            <section aria-label={t("aus.course")}>
                <h3>{t("aus.course")}</h3>
                <Graph of={lossesByTurn(steps)} />
            </section>
            {points.length > 0 && (
                <section aria-label={t("over.points")}>
                    <h3>{t("over.points")}</h3>
                    <ul class="over-points">
                        {points.map((point) => (
                            <li key={`${point.seq}.${point.side}`}>
                                <span class="over-when">{t("aus.hour", { h: hourOf(point.turn) })}</span>
                                <button type="button" class="over-point" onClick={() => toStep(point.seq)}>
                                    <SideTile side={point.side} size={13} /> {t("aus.blow", { lost: point.lost, broke: point.broke, side: point.side })}
                                </button>
                            </li>
                        ))}
                    </ul>
                </section>
            )}
        </>
    );
}

const WIDTH = 320;
const HEIGHT = 130;
const DASH: Record<Side, string> = { french: "", allied: "6 3" };

/** Losses by turn, rising; the broken line at 66 is where an army breaks. */
function Graph({ of }: { of: Record<Side, number[]> }) {
    const most = Math.max(66, ...of.french, ...of.allied);
    const turns = Math.max(2, of.french.length);
    const x = (i: number): number => 20 + ((WIDTH - 40) * i) / (turns - 1);
    const y = (n: number): number => HEIGHT - 10 - ((HEIGHT - 22) * n) / most;
    return (
        <>
            <svg class="over-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
                {[22, 44, 66].map((n) => (
                    <g key={n}>
                        <line x1="20" x2={WIDTH - 20} y1={y(n)} y2={y(n)} class="over-grid" />
                        <text x="0" y={y(n) + 4} class="over-figure">
                            {n}
                        </text>
                    </g>
                ))}
                {SIDES.map((side) => (
                    <path
                        key={side}
                        d={of[side].map((n, i) => (i === 0 ? `M${x(0)},${y(n)}` : `H${x(i)}V${y(n)}`)).join("")}
                        class={`aus-curve hex-${side}`}
                        stroke-dasharray={DASH[side]}
                    />
                ))}
            </svg>
            <ul class="over-legend">
                {SIDES.map((side) => (
                    <li key={side}>
                        <SideTile side={side} /> {capital(sideName(side))} {t("aus.lost_in_all", { n: of[side][of[side].length - 1] ?? 0 })}
                    </li>
                ))}
            </ul>
        </>
    );
}
