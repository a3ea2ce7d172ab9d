/** Which desk a view calls for. */
import type { MatchStore } from "@/net/match";
import type { Desk } from "@/play/desk";
import { AllotDesk, SupplyDesk } from "@/play/losses";
import { MarchDesk } from "@/play/march";
import { RespondDesk } from "@/play/respond";
import { RoutDesk } from "@/play/rout";
import { SetUpDesk } from "@/play/setup";
import { WatchDesk } from "@/play/watch";
import type { View } from "@/types";

/** What decides whether the desk that is open stays. */
export function deskKey(view: View, seat: string | null): string {
    if (view.state === "GAME_OVER") return "over";
    if (seat === null || view.as !== seat || !view.to_act.includes(seat as never)) return "wait";
    const id = view.prompt?.id ?? "wait";
    if (id === "deploy_defence" || id === "deploy_attack" || id === "combat") return "battle";
    return `${id} ${view.turn?.slot ?? 0} ${seat}`;
}

/** A desk for the view; the caller keeps it while deskKey stays the same. */
export function openDesk(match: MatchStore, view: View, key: string): Desk {
    switch (key.split(" ")[0]) {
        case "place_units":
            return new SetUpDesk(match, view);
        case "move":
            return new MarchDesk(match);
        case "respond":
            return new RespondDesk(match);
        case "allot":
            return new AllotDesk(match);
        case "rout_routes":
            return new RoutDesk(match);
        case "remove_units":
            return new SupplyDesk(match);
        case "battle":
            return new WatchDesk("battle");
        case "over":
            return new WatchDesk("over");
        default:
            return new WatchDesk("wait");
    }
}
