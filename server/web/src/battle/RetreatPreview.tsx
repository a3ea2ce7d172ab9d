/** "If it retreats": where the nearest open road would lead the chosen unit, and what it would cost. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { MapPicture } from "@/board/MapPicture";
import { Rich, t, townName, tt } from "@/words";
import type { TownId } from "@/types";
import { nationOf } from "./model";
import type { BattleState } from "./useBattle";

interface Way {
    path: TownId[];
    forced: boolean;
}

interface Reach {
    rule?: string;
    /** Strength lost before it leaves. */
    loss?: number;
    towns: Record<TownId, Way>;
}

/** The answer for this unit in this position; undefined until it has come. */
function useReach(state: BattleState, unit: string): Reach | undefined {
    const [got, setGot] = useState<{ key: string; reach: Reach } | null>(null);
    const key = `${state.view.seq}/${unit}`;
    useEffect(() => {
        let wanted = true;
        state.context.match.ask<Reach>({ ask: "reach", unit }).then(
            (reach) => wanted && setGot({ key, reach }),
            () => {},
        );
        return () => {
            wanted = false;
        };
    }, [key]);
    return got?.key === key ? got.reach : undefined;
}

/** The shortest way, unforced before forced. */
function nearest(reach: Reach): Way | undefined {
    return Object.values(reach.towns).sort((a, b) => Number(a.forced) - Number(b.forced) || a.path.length - b.path.length)[0];
}

export function RetreatPreview({ state, unit }: { state: BattleState; unit: string }): JSX.Element | null {
    const reach = useReach(state, unit);
    const board = state.context.match.board.value;
    const way = reach === undefined ? undefined : nearest(reach);
    const to = way?.path[way.path.length - 1];
    if (reach === undefined || way === undefined || to === undefined || board === null) return null;
    const from = state.shown.town;
    const around = neighbours(board.roads, from);
    const words = t("battle.retreat.preview", { to_t: townName(to, "to"), n: way.path.length, forced: way.forced });
    return (
        <section class="retreat-preview">
            <div class="retreat-preview-head">
                <h3>{t("battle.retreat.if")}</h3>
                <span class="small">{t("battle.retreat.open", { n: Object.keys(reach.towns).length })}</span>
            </div>
            <MapPicture
                board={board as never}
                view={{ board: { towns: {} } } as never}
                crop={[from, to, ...around]}
                width={342}
                height={136}
                route={{ towns: [from, ...way.path], army: nationOf(unit) }}
                names={[from, to]}
                label={words}
            />
            <p class="small">
                {words} <Rich of={tt("battle.retreat.loss", { n: reach.loss ?? 0 })} />
            </p>
        </section>
    );
}

function neighbours(roads: readonly { a: TownId; b: TownId }[], town: TownId): TownId[] {
    return roads.filter((road) => road.a === town || road.b === town).map((road) => (road.a === town ? road.b : road.a));
}
