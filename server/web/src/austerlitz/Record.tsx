/** The hours of 2 December with fog and night, and the four phases of each. */
import type { JSX } from "preact";
import { hexView, type HexView, type Side, type Turn } from "@/austerlitz/types";
import { Losses } from "@/austerlitz/Tracks";
import { hourOf } from "@/austerlitz/words";
import type { RecordForm } from "@/play/games";
import type { View } from "@/types";
import { language, t, turnName, turnPhaseName } from "@/words";
import "@/board/record.css";

const TURNS = 12;
export const PHASES: readonly { side: Side; kind: "move" | "combat" }[] = [
    { side: "allied", kind: "move" },
    { side: "allied", kind: "combat" },
    { side: "french", kind: "move" },
    { side: "french", kind: "combat" },
];

/** Which of the four phases of a turn it is. */
export function phaseAt(view: Pick<HexView, "state" | "turn">): number {
    return (view.turn.side === "allied" ? 0 : 2) + (view.state === "MOVE" ? 0 : 1);
}

function dayWords(): string {
    return new Intl.DateTimeFormat(language() === "en" ? "en-GB" : language(), { day: "numeric", month: "long", timeZone: "UTC" }).format(Date.UTC(1805, 11, 2));
}

export function phaseName(at: number): string {
    const phase = PHASES[at] ?? PHASES[0]!;
    return turnPhaseName("austerlitz", `${phase.side}_${phase.kind}`);
}

function lightOf(turn: number): "fog" | "night" | "day" {
    return turn === 1 ? "fog" : turn === TURNS ? "night" : "day";
}

export function HourRecord({ view, form }: { view: View; form: RecordForm }): JSX.Element {
    const now = hexView(view);
    if (form === "card") {
        return (
            <div class="record record-card aus-record" role="group" aria-label={t("aus.record")}>
                <span class="record-now">
                    {t("aus.hour", { h: hourOf(now.turn.turn) })} · {now.state === "OVER" ? t("play.over") : phaseName(phaseAt(now))}
                </span>
                <Losses board={now.board} />
            </div>
        );
    }
    return (
        <div class={`record record-${form} aus-record`} role="group" aria-label={t("aus.record")}>
            {form === "full" && <span class="record-month">{dayWords()}</span>}
            <ol class="aus-hours">
                {Array.from({ length: TURNS }, (_, i) => (
                    <Hour key={i} n={i + 1} now={now.turn} />
                ))}
            </ol>
            {now.state !== "OVER" && <PhaseRow view={now} short={form !== "full"} />}
        </div>
    );
}

function Hour({ n, now }: { n: number; now: Turn }) {
    const light = lightOf(n);
    const spoken = turnName("austerlitz", { turn: n });
    const said = light === "day" ? spoken : `${spoken}, ${t(`aus.${light}`)}`;
    const where = n < now.turn ? "past" : n === now.turn ? "now" : "";
    return (
        <li class={`aus-hour ${where}`} data-light={light} title={said} aria-current={n === now.turn ? "step" : undefined}>
            <span class="board-unseen">{said}</span>
            <span aria-hidden="true">{t("aus.hour", { h: hourOf(n) })}</span>
        </li>
    );
}

function PhaseRow({ view, short }: { view: HexView; short: boolean }) {
    const at = phaseAt(view);
    return (
        <ol class="aus-phases" aria-label={t("play.phases")}>
            {PHASES.map((_, i) =>
                short && i !== at ? null : (
                    <li key={i} class={i === at ? "now" : i < at ? "past" : ""} aria-current={i === at ? "step" : undefined}>
                        {phaseName(i)}
                    </li>
                ),
            )}
        </ol>
    );
}
