/** Looking on: another acts, the match is over, or it is replayed. */
import { HexDesk, type HexHandlers } from "@/austerlitz/desk";
import { planMarks } from "@/austerlitz/planMarks";
import type { HexMarks, HexView } from "@/austerlitz/types";
import type { MatchStore } from "@/net/match";
import type { Commit, RowAct } from "@/play/desk";

export class WatchDesk extends HexDesk {
    constructor(
        match: MatchStore,
        readonly kind: "wait" | "over",
    ) {
        super(match);
    }

    marks(view: HexView): HexMarks {
        return planMarks(view, this.match.steps.value, undefined, false, this.rolling());
    }

    handlers(): HexHandlers {
        return {};
    }

    commit(): Commit | null {
        return null;
    }

    hexActs(): RowAct[] {
        return [];
    }
}
