/** Where a draft is: kept for the seat, on its way, or in this browser alone; and what it is worth when time is out. */
import type { DraftStore } from "@/drafts/store";
import { online } from "@/net/session";
import { useMatch } from "@/play/context";
import { t } from "@/words";

export function DraftState({ of }: { of: DraftStore }) {
    const { match } = useMatch();
    const state = of.state.value;
    const plays = match.summary.value?.clock_spec?.ladder?.draft === "play";
    if (state === "none" || of.conflict.value !== null) return null;
    const words = state === "kept" ? (plays ? "draft.kept_plays" : "draft.kept") : online.value ? "draft.keeping" : "draft.here";
    return (
        <span class="draft-state" data-state={state}>
            {t(words)}
        </span>
    );
}
