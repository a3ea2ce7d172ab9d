/** Which desk a view calls for. */
import type { MatchStore } from "@/net/match";
import type { Desk } from "@/play/desk";
import { AllotDesk, SupplyDesk } from "@/play/losses";
import { MarchDesk } from "@/play/march";
import { RespondDesk } from "@/play/respond";
import { RoutDesk } from "@/play/rout";
import { SetUpDesk } from "@/play/setup";
import { WatchDesk } from "@/play/watch";
import type { Seat, View } from "@/types";

/** What decides whether the desk that is open stays. */
export function deskKey(view: View, seat: string | null, planning = false): string {
    if (view.state === "GAME_OVER") return "over";
    if (seat === null || view.as !== seat) return "wait";
    if (!view.to_act.includes(seat as never)) return planning ? `plan ${seat}` : "wait";
    const id = view.prompt?.id ?? "wait";
    if (id === "deploy_defence" || id === "deploy_attack" || id === "combat") return "battle";
    return `${id} ${view.turn?.slot ?? 0} ${seat}`;
}

/** Has this seat a next turn of its own to think of while it waits? */
export function mayPlan(view: View, seat: string | null): boolean {
    const side = view.turn?.side;
    const setUp = plansSetUp(view);
    const waits = seat !== null && view.as === seat && !view.to_act.includes(seat as never) && view.state !== "GAME_OVER";
    if (waits && setUp) return seat === "FR";
    return waits && side !== undefined && (view.turn?.slot ?? 0) > 0 && (seat === "FR") !== (side === "FR");
}

/** Is it a set-up that may be planned now? The French set up when the Allies have (W2.1). */
export function plansSetUp(view: View): boolean {
    return view.state === "SETUP_ALLIED";
}

/** A desk for the view; the caller keeps it while deskKey stays the same. away: ends a plan. */
export function openDesk(match: MatchStore, view: View, key: string, away: () => void): Desk {
    switch (key.split(" ")[0]) {
        case "place_units":
            return new SetUpDesk(match, view);
        case "move":
            return new MarchDesk(match, view, view.as as Seat);
        case "plan":
            return plansSetUp(view) ? new SetUpDesk(match, view, away) : new MarchDesk(match, view, view.as as Seat, away);
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
