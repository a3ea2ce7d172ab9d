/** "Since you were here": how much went on, played back step by step if the reader likes. */
import { useEffect, useState } from "preact/hooks";
import { playSteps } from "@/follow/replay";
import { isAway, markSeen, seenUpTo } from "@/follow/read";
import { useMatch } from "@/play/context";
import { sentences, t } from "@/words";

export function Away() {
    const context = useMatch();
    const { match } = context;
    const as = match.as.value;
    const view = match.view.value;
    const [from] = useState(() => seenUpTo(match.id, as));
    const [open, setOpen] = useState(true);
    const newest = view?.seq ?? -1;
    const missed = from < 0 ? [] : match.steps.value.filter((step) => step.seq > from && step.at < context.match.openedAt);
    const n = missed.reduce((sum, step) => sum + step.events.reduce((told, event) => told + sentences(event as never, as, { game: view?.game }).length, 0), 0);
    const shows = open && n > 0 && context.shown.value === null;
    useEffect(() => {
        if (newest >= 0 && !shows && !isAway()) markSeen(match.id, as, newest);
    }, [newest, shows]);
    if (!shows) return null;
    const done = (): void => {
        setOpen(false);
        markSeen(match.id, as, newest);
    };
    return (
        <div class="away card" role="status">
            <p>{t("away.since", { n })}</p>
            <div class="away-acts">
                <button
                    type="button"
                    class="button"
                    onClick={() => {
                        done();
                        void playSteps(context, as, from, newest);
                    }}
                >
                    {t("away.play")}
                </button>
                <button type="button" class="button quiet" onClick={done}>
                    {t("away.skip")}
                </button>
            </div>
        </div>
    );
}
