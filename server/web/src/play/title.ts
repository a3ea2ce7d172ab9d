/** The name of a game, as the bar and the tab of the browser say it. */
import { has, t } from "@/words";

export function gameName(game: string | undefined): string {
    const key = `game.${game ?? ""}`;
    return has(key) ? t(key) : (game ?? "");
}
