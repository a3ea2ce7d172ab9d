/** Where a draft is: kept for the seat, on its way, or in this browser alone. */
import type { DraftStore } from "@/drafts/store";
import { online } from "@/net/session";
import { t } from "@/words";

export function DraftState({ of }: { of: DraftStore }) {
    const state = of.state.value;
    if (state === "none" || of.conflict.value !== null) return null;
    const words = state === "kept" ? "draft.kept" : online.value ? "draft.keeping" : "draft.here";
    return (
        <span class="draft-state" data-state={state}>
            {t(words)}
        </span>
    );
}
