/** What the tab of a battle says, and whether it says it in red. */
import { t } from "@/words";
import type { TownId, View } from "@/types";
import { sideOf, tabOf, type TabState } from "./model";

/** A battle in a few words: its round, who has acted, what is still to do, how it ended. */
export function battleWords(view: View, town: TownId): string {
    const tab = tabOf(view, town);
    if (tab.routed !== undefined) return t(tab.due === "rout" ? "battle.due.rout" : "battle.tab.rout");
    if (tab.phase === "over") return overWords(view, tab);
    if (tab.phase === "deploy") return tab.todo > 0 ? t("battle.tab.deploy", { n: tab.todo }) : t("battle.tab.forming");
    if (tab.due === "must") return t("battle.due.must", { round: tab.round });
    return tab.of > 0 ? t("battle.tab.acted", { round: tab.round, n: tab.acted, of: tab.of }) : t("battle.tab.round", { round: tab.round });
}

function overWords(view: View, tab: TabState): string {
    const side = sideOf(view.as);
    if (tab.holder === undefined) return t("battle.tab.ended");
    if (side === undefined) return t("battle.tab.held", { side: tab.holder, n: tab.holding });
    return t(tab.holder === side ? "battle.tab.won" : "battle.tab.lost", { n: tab.holding });
}

/** Something waits for the viewer there: red, with sabres. */
export function isDue(view: View, town: TownId): boolean {
    const tab = tabOf(view, town);
    return tab.due !== null || (tab.phase === "fight" && tab.of > 0 && tab.acted === 0);
}
