/** The end of a match: who won and why, how the armies melted, the turning points, the proof. */
import { useEffect, useState } from "preact/hooks";
import { follow, go } from "@/app/router";
import { goTo, playback } from "@/follow/replay";
import { curves, turningPoints, type Curve, type TurningPoint } from "@/follow/timeline";
import { newActionId, Refusal } from "@/net/rpc";
import { rpc } from "@/net/session";
import { useMatch } from "@/play/context";
import { wire } from "@/play/march";
import { offer, offersOf } from "@/play/offers";
import type { Nation, Summary } from "@/types";
import { SideMarks } from "@/ui/ArmyMark";
import { capital, deadline, nationName, refusalText, slot, t, townName } from "@/words";
import "@/follow/follow.css";

const FALLS: Nation[] = ["FR", "AD", "PR"];

export default function OverPanel() {
    const context = useMatch();
    const { match } = context;
    useEffect(() => void match.loadHistory().catch(() => {}), [match]);
    const steps = match.steps.value;
    const points = turningPoints(steps);
    const to = (seq: number): void => {
        const now = playback.value;
        const at = now?.steps.findIndex((step) => step.seq === seq) ?? -1;
        if (at >= 0) void goTo(context, at);
    };
    return (
        <div class="over">
            <Acts />
            <Reopen />
            <section aria-label={t("over.left")}>
                <h3>{t("over.left")}</h3>
                <Graph of={curves(steps)} falls={(nation) => match.view.value?.board.nations[nation]?.surrenders_at ?? 0} />
            </section>
            {points.length > 0 && (
                <section aria-label={t("over.points")}>
                    <h3>{t("over.points")}</h3>
                    <ul class="over-points">
                        {points.map((point) => (
                            <Point key={point.seq} point={point} onShow={() => to(point.seq)} />
                        ))}
                    </ul>
                </section>
            )}
            {match.summary.value?.revealed === true && (
                <p class="over-proof">
                    <a href={`/verify/${match.id}`} onClick={follow}>
                        {t("over.prove")}
                    </a>
                    <span class="small">{t("over.prove_what")}</span>
                </p>
            )}
        </div>
    );
}

/** A rematch with seats changed, for those who played. */
function Acts() {
    const { match } = useMatch();
    const rematch = async (): Promise<void> => {
        try {
            const next = await rpc.call<Summary>("match.rematch", { match: match.id, action_id: newActionId() });
            go(`/match/${next.match}`);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            go("/new");
        }
    };
    return (
        <div class="over-acts">
            {match.mySeats.value.length > 0 && (
                <button type="button" class="button primary" onClick={() => void rematch()}>
                    {t("over.rematch")}
                </button>
            )}
            <a class="button" href="/" onClick={follow}>
                {t("bar.lobby")}
            </a>
        </div>
    );
}

/** An end on time alone may be taken back by all, until the match is opened. */
function Reopen() {
    const { match } = useMatch();
    const [wrong, setWrong] = useState<string | null>(null);
    const summary = match.summary.value;
    const seat = match.seat.value;
    const until = summary?.reveal_at;
    if (seat === null || until === undefined || summary?.revealed === true) return null;
    const asked = offersOf(match).some((one) => one.what === "reopen");
    const ask = async (): Promise<void> => {
        try {
            await offer(match, "reopen");
        } catch (error) {
            setWrong(error instanceof Refusal ? refusalText(wire(error)) : t("error.internal"));
        }
    };
    return (
        <section class="over-reopen">
            <p>{t("offer.reopen_note", { time: deadline(until, undefined, true) })}</p>
            {!asked && (
                <button type="button" class="button" onClick={() => void ask()}>
                    {t("offer.reopen")}
                </button>
            )}
            {wrong !== null && (
                <p class="refused" role="alert">
                    {wrong}
                </p>
            )}
        </section>
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
