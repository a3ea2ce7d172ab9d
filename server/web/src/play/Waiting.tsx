/** While somebody else must act: who, and what one may do meanwhile. */
import { useEffect } from "preact/hooks";
import { draftOf } from "@/drafts/store";
import { useMatch } from "@/play/context";
import { isOver } from "@/play/games";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { ago, armyOf, commas, t } from "@/words";

export function Waiting({ view }: { view: View }) {
    const { match, game } = useMatch();
    const { open } = usePlay();
    const names = view.waits_for.map((seat) => {
        const account = match.nameOf(seat);
        return account === undefined ? armyOf(view.game, seat) : t("play.player_of", { account, side: armyOf(view.game, seat) });
    });
    const since = match.steps.value[match.steps.value.length - 1]?.at;
    const playing = match.seat.value !== null && !isOver(view);
    return (
        <div class="waiting">
            {names.length > 0 && (
                <p class="told">
                    {t("play.waits_for", { names: commas(names) })}
                    {since !== undefined && <span class="small"> {ago(since)}</span>}
                </p>
            )}
            {game.Meanwhile !== undefined && <game.Meanwhile view={view} />}
            {game.mayPlan?.(view, match.seat.value) === true && <Plan what={game.plansWhat?.(view) ?? ""} />}
            {playing && game.orders && (
                <button type="button" class="button" onClick={() => (open.value = "orders")}>
                    {t("orders.leave")}
                </button>
            )}
        </div>
    );
}

/** The next own turn may be thought of while one waits; what is thought of is kept. */
function Plan({ what }: { what: "" | "_set_up" }) {
    const { match } = useMatch();
    const { planning } = usePlay();
    const seat = match.seat.value;
    const draft = seat === null ? null : draftOf(match, seat);
    useEffect(() => void draft?.load().catch(() => {}), [draft]);
    const kept = (draft?.actions.value.length ?? 0) > 0;
    return (
        <div class="waiting-plan">
            {kept && <p class="small">{t(`plan.kept${what}`)}</p>}
            <button type="button" class="button" onClick={() => (planning.value = true)}>
                {kept ? t("plan.go_on") : t(`plan.open${what}`)}
            </button>
        </div>
    );
}
