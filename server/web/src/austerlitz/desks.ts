/** Which desk a view calls for. */
import { AdvanceDesk } from "@/austerlitz/advance";
import { DeclareDesk } from "@/austerlitz/declare";
import { ExchangeDesk } from "@/austerlitz/exchange";
import { MoveDesk } from "@/austerlitz/move";
import { ResolveDesk } from "@/austerlitz/resolve";
import { RetreatDesk } from "@/austerlitz/retreat";
import { WatchDesk } from "@/austerlitz/watch";
import { hexView } from "@/austerlitz/types";
import type { HexDesk } from "@/austerlitz/desk";
import type { MatchStore } from "@/net/match";
import type { Seat, View } from "@/types";

/** What decides whether the desk that is open stays: the question, the turn, the combat in hand. */
export function deskKey(view: View, seat: Seat | null): string {
    const now = hexView(view);
    if (now.state === "OVER") return "over";
    if (seat === null || view.as !== seat || !view.to_act.includes(seat)) return "wait";
    return `${now.state} ${now.turn.turn} ${seat} ${now.board.hand?.index ?? 0}`;
}

export function openDesk(match: MatchStore, _view: View, key: string): HexDesk {
    switch (key.split(" ")[0]) {
        case "MOVE":
            return new MoveDesk(match);
        case "DECLARE":
            return new DeclareDesk(match);
        case "RESOLVE":
            return new ResolveDesk(match);
        case "EXCHANGE":
            return new ExchangeDesk(match);
        case "RETREAT":
            return new RetreatDesk(match, "aus.retreat");
        case "BATTERY":
            return new RetreatDesk(match, "aus.battery");
        case "ADVANCE":
            return new AdvanceDesk(match);
        case "over":
            return new WatchDesk(match, "over");
        default:
            return new WatchDesk(match, "wait");
    }
}
