/** The way into the replay from the log of a match that is under way. */
import { openReplay } from "@/follow/replay";
import { useMatch } from "@/play/context";
import { t } from "@/words";

export function ReplayStart() {
    const context = useMatch();
    const steps = context.match.steps.value.length;
    if (steps < 2 || context.shown.value !== null || context.match.summary.value?.state === "over") return null;
    return (
        <button type="button" class="button quiet replay-start" onClick={() => void openReplay(context, context.match.as.value, 0)}>
            {t("replay.open")}
        </button>
    );
}
