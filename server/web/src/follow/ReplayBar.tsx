/** The bar under the board: step, play, the time record as a slider, whose eyes, and the sentence. */
import { useEffect } from "preact/hooks";
import { goTo, lookAs, openReplay, playback, run, stopReplay, type Playback } from "@/follow/replay";
import { useMatch } from "@/play/context";
import { isOver, type Band as BandOf, type GameParts } from "@/play/games";
import type { Seat, Viewer } from "@/types";
import { armyOf, capital, plain, t } from "@/words";
import "@/follow/follow.css";

export default function ReplayBar() {
    const context = useMatch();
    const { match } = context;
    const now = playback.value;
    const over = match.summary.value?.state === "over" || (match.view.value !== null && isOver(match.view.value));
    useEffect(() => {
        if (playback.value === null && over) void openReplay(context, match.as.value).catch(() => {});
        return () => stopReplay(context);
    }, [over]);
    useReplayKeys(context);
    if (now === null) return null;
    const revealed = match.summary.value?.revealed === true;
    return (
        <section class="replay" aria-label={t("replay.name")}>
            <div class="replay-row">
                <Buttons now={now} />
                <Timeline now={now} />
                {!over && (
                    <button type="button" class="button" onClick={() => stopReplay(context)}>
                        {t("replay.close")}
                    </button>
                )}
            </div>
            <div class="replay-row">
                <p class="replay-told told" aria-live="polite">
                    {toldAt(now, context.game)}
                </p>
                <span class="small replay-count">{t("replay.count", { n: now.at + 1, of: now.steps.length })}</span>
            </div>
            {revealed && <Eyes now={now} seats={Object.keys(match.summary.value?.seats ?? {}) as Seat[]} onLook={(as) => void lookAs(context, as)} />}
        </section>
    );
}

/** The log line of the step that is shown. */
function toldAt(now: Playback, game: GameParts): string {
    const step = now.steps[now.at];
    if (step === undefined) return "";
    const told = step.events.flatMap((event) => game.sentences(event, now.as)).map(plain);
    return capital(told.slice(0, 3).join(" "));
}

function Buttons({ now }: { now: Playback }) {
    const context = useMatch();
    const last = now.steps.length - 1;
    const playing = now.until !== null;
    return (
        <div class="replay-buttons">
            <button type="button" class="button icon-button" aria-label={t("replay.first")} onClick={() => void goTo(context, 0)}>
                <Sign d="M4 3v12M14 3L7 9l7 6z" />
            </button>
            <button type="button" class="button icon-button" aria-label={t("replay.back")} onClick={() => void goTo(context, now.at - 1)}>
                <Sign d="M12 3L5 9l7 6z" />
            </button>
            <button type="button" class="button primary icon-button" aria-label={t(playing ? "replay.pause" : "replay.play")} onClick={() => run(context)}>
                <Sign d={playing ? "M5 3h3v12H5zM10 3h3v12h-3z" : "M5 3l9 6-9 6z"} />
            </button>
            <button type="button" class="button icon-button" aria-label={t("replay.on")} onClick={() => void goTo(context, now.at + 1)}>
                <Sign d="M6 3l7 6-7 6z" />
            </button>
            <button type="button" class="button icon-button" aria-label={t("replay.last")} onClick={() => void goTo(context, last)}>
                <Sign d="M14 3v12M4 3l7 6-7 6z" />
            </button>
        </div>
    );
}

function Sign({ d }: { d: string }) {
    return (
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path d={d} fill="currentColor" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
        </svg>
    );
}

const SLIDER = 1000;

/** The turns as bands, sabres under those with battles; a slider lies over them. */
function Timeline({ now }: { now: Playback }) {
    const context = useMatch();
    const line = context.game.timeLine(now.steps, context.match.board.value);
    const input = (value: number): void => {
        void goTo(context, line.near(value / SLIDER));
    };
    const keys = (event: KeyboardEvent): void => {
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key];
        event.stopPropagation();
        if (by === undefined) return;
        event.preventDefault();
        void goTo(context, now.at + by);
    };
    return (
        <div class="replay-line">
            <div class="replay-slots" aria-hidden="true">
                {line.bands.map((band) => (
                    <Band key={band.key} about={band} />
                ))}
            </div>
            <input
                type="range"
                min={0}
                max={SLIDER}
                value={Math.round(line.place(now.at) * SLIDER)}
                aria-label={t("replay.slider")}
                aria-valuetext={`${line.when(now.at)}, ${t("replay.count", { n: now.at + 1, of: now.steps.length })}`}
                onInput={(event) => input(Number(event.currentTarget.value))}
                onKeyDown={keys}
            />
        </div>
    );
}

function Band({ about }: { about: BandOf }) {
    return (
        <span class={about.reached ? "replay-slot" : "replay-slot ahead"} data-side={about.look} style={about.width === 1 ? undefined : { flexGrow: about.width }}>
            {about.head !== undefined && <span class="replay-day">{about.head}</span>}
            {about.fight && (
                <svg class="replay-fight" width="10" height="10" viewBox="0 0 10 10">
                    <path d="M1 1l8 8M9 1L1 9" stroke="currentColor" stroke-width="1.6" />
                </svg>
            )}
        </span>
    );
}

/** After the reveal: as any side knew it, as watchers saw it, or everything. */
function Eyes({ now, seats, onLook }: { now: Playback; seats: Seat[]; onLook: (as: Viewer) => void }) {
    const { match, game } = useMatch();
    const all: Viewer[] = [...seats, "public", "all"];
    return (
        <div class="replay-eyes" role="group" aria-label={t("replay.eyes")}>
            {all.map((as) => (
                <button key={as} type="button" class="button" aria-pressed={now.as === as} onClick={() => onLook(as)}>
                    {as !== "public" && as !== "all" && <game.SideMarks side={as} />}
                    {as === "public" ? t("replay.as_public") : as === "all" ? t("replay.as_all") : t("replay.as_seat", { side: armyOf(match.view.value?.game, as) })}
                </button>
            ))}
        </div>
    );
}

/** Arrows step, space plays, while the replay is open. */
function useReplayKeys(context: ReturnType<typeof useMatch>): void {
    useEffect(() => {
        const heard = (event: KeyboardEvent): void => {
            const now = playback.value;
            const typing = (event.target as HTMLElement | null)?.closest("input, textarea, select, button, [role=dialog], [role=application]");
            if (now === null || typing || event.ctrlKey || event.metaKey || event.altKey) return;
            if (event.key === "ArrowLeft") void goTo(context, now.at - 1);
            else if (event.key === "ArrowRight") void goTo(context, now.at + 1);
            else if (event.key === " ") run(context);
            else if (event.key === "Escape" && context.match.summary.value?.state !== "over") stopReplay(context);
            else return;
            event.preventDefault();
        };
        addEventListener("keydown", heard);
        return () => removeEventListener("keydown", heard);
    }, [context]);
}
