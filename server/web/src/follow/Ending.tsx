/** How a match of Waterloo went: how the armies melted, the turning points. */
import { curves, turningPoints, type Curve, type TurningPoint } from "@/follow/timeline";
import { useMatch } from "@/play/context";
import type { Nation } from "@/types";
import { SideMarks } from "@/ui/ArmyMark";
import { capital, nationName, slot, t, townName } from "@/words";
import "@/follow/follow.css";

const FALLS: Nation[] = ["FR", "AD", "PR"];

export function Ending({ toStep }: { toStep: (seq: number) => void }) {
    const { match } = useMatch();
    const steps = match.steps.value;
    const points = turningPoints(steps);
    return (
        <>
            <section aria-label={t("over.left")}>
                <h3>{t("over.left")}</h3>
                <Graph of={curves(steps)} falls={(nation) => match.view.value?.board.nations[nation]?.surrenders_at ?? 0} />
            </section>
            {points.length > 0 && (
                <section aria-label={t("over.points")}>
                    <h3>{t("over.points")}</h3>
                    <ul class="over-points">
                        {points.map((point) => (
                            <Point key={point.seq} point={point} onShow={() => toStep(point.seq)} />
                        ))}
                    </ul>
                </section>
            )}
        </>
    );
}

function Point({ point, onShow }: { point: TurningPoint; onShow: () => void }) {
    return (
        <li>
            <span class="over-when">{slot({ slot: point.slot })}</span>
            <button type="button" class="over-point" onClick={onShow}>
                {t("over.point", { town: townName(point.town), routed: point.routed ?? "none", lost: point.lost })}
            </button>
        </li>
    );
}

const WIDTH = 320;
const HEIGHT = 130;
const DASH: Record<Nation, string> = { FR: "", AD: "6 3", PR: "2 3" };

/** Units left by slot; lines differ in dash and end in the army's mark. */
function Graph({ of, falls }: { of: Curve[]; falls: (nation: Nation) => number }) {
    const slots = Math.max(2, ...of.map((curve) => curve.left.length));
    const x = (i: number): number => 8 + ((WIDTH - 40) * i) / (slots - 1);
    const y = (n: number): number => HEIGHT - 10 - ((HEIGHT - 20) * n) / 18;
    return (
        <>
            <svg class="over-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
                {[6, 12, 18].map((n) => (
                    <g key={n}>
                        <line x1="8" x2={WIDTH - 32} y1={y(n)} y2={y(n)} class="over-grid" />
                        <text x="0" y={y(n) - 3} class="over-figure">
                            {n}
                        </text>
                    </g>
                ))}
                {of.map(({ nation, left }) => {
                    const steps = left.map((n, i) => `${i === 0 ? `M${x(0)},${y(n)}` : `H${x(i)}V${y(n)}`}`).join("");
                    return <path key={nation} d={steps} class="over-curve" data-army={nation} stroke-dasharray={DASH[nation]} />;
                })}
            </svg>
            <ul class="over-legend">
                {FALLS.map((nation) => {
                    const left = of.find((curve) => curve.nation === nation)?.left;
                    return (
                        <li key={nation}>
                            <SideMarks side={nation} /> {capital(nationName(nation))} {t("armies.left", { n: left?.[left.length - 1] ?? 0, at: falls(nation) })}
                        </li>
                    );
                })}
            </ul>
        </>
    );
}
