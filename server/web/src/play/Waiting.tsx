/** While somebody else must act: who, and what one may do meanwhile. */
import { useMatch } from "@/play/context";
import { usePlay } from "@/play/state";
import type { View } from "@/types";
import { ago, commas, sideName, t, townName } from "@/words";

export function Waiting({ view }: { view: View }) {
    const { match, scene } = useMatch();
    const { open } = usePlay();
    const battles = Object.entries(view.board.battles ?? {}).filter(([, battle]) => battle.phase !== "over");
    const names = view.waits_for.map((seat) => {
        const account = match.nameOf(seat);
        return account === undefined ? sideName(seat) : t("play.player_of", { account, side: sideName(seat) });
    });
    const since = match.steps.value[match.steps.value.length - 1]?.at;
    const playing = match.seat.value !== null && view.state !== "GAME_OVER";
    return (
        <div class="waiting">
            {names.length > 0 && (
                <p class="told">
                    {t("play.waits_for", { names: commas(names) })}
                    {since !== undefined && <span class="small"> {ago(since)}</span>}
                </p>
            )}
            {battles.map(([town]) => (
                <button key={town} type="button" class="button" onClick={() => (scene.value = { kind: "battle", town })}>
                    {t("play.see_battle", { town: townName(town, "in") })}
                </button>
            ))}
            {playing && (
                <button type="button" class="button" onClick={() => (open.value = "orders")}>
                    {t("orders.leave")}
                </button>
            )}
        </div>
    );
}
