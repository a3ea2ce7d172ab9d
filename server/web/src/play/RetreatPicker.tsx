/** Routes of units that leave a battle: a map and a row for each; the battle board opens it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { BoardMap } from "@/board/Map";
import { Refusal } from "@/net/rpc";
import { useMatch } from "@/play/context";
import { nationsOf } from "@/play/desk";
import { wire } from "@/play/wire";
import { routeMarks } from "@/play/marks";
import { RouteRows } from "@/play/RouteRows";
import { RoutePlan } from "@/play/routes";
import { planHandlers } from "@/play/rout";
import type { TownId, UnitId } from "@/types";
import { Sheet } from "@/ui/Sheet";
import { refusalWords, Rich, t, townName } from "@/words";

interface RetreatPickerProps {
    /** The battle's town. */
    town: TownId;
    units: readonly UnitId[];
    kind: "retreat";
    onDone: () => void;
    onCancel: () => void;
    /** Said above the button ("This empties your centre: the rest routs."). */
    warning?: string;
}

export function RetreatPicker({ town, units, onDone, onCancel, warning }: RetreatPickerProps) {
    const { match, openRule } = useMatch();
    const plan = useMemo(() => new RoutePlan(match, town, units, "retreat"), [town, units.join()]);
    const [refused, setRefused] = useState<Refusal | null>(null);
    const view = match.view.value;
    const board = match.board.value;
    useEffect(() => {
        if (view === null) return;
        void plan.load(view.seq).then(() => {
            if (plan.routes.value.size === 0) plan.fill();
        });
    }, [plan, view?.seq]);
    if (view === null || board === null) return null;
    const refusal = refused ?? plan.refusal.value ?? null;
    const marks = routeMarks({
        view,
        roads: plan.roads,
        town,
        kind: "retreat",
        routes: plan.routes.value,
        chosen: plan.chosen.value,
        units: plan.units,
        legal: plan.legal(),
        capacity: plan.reaches.capacity.value,
        barred: [],
        dieText: t("march.die"),
    });
    const send = async (): Promise<void> => {
        try {
            await match.act(plan.action());
            onDone();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setRefused(error);
        }
    };
    const stay = plan.stranded.value.length;
    return (
        <Sheet
            wide
            title={t("routes.retreat_title", { town: townName(town, "from") })}
            onClose={onCancel}
            foot={
                <>
                    <button type="button" class="button" onClick={onCancel}>
                        {t("routes.cancel")}
                    </button>
                    <button type="button" class="button primary" aria-disabled={plan.routes.value.size === 0 || refusal !== null} onClick={() => void send()}>
                        {t("routes.retreat_do", { n: plan.routes.value.size })}
                    </button>
                </>
            }
        >
            <div class="retreat-map">
                <BoardMap board={board as never} view={view} marks={marks} mine={nationsOf(view)} {...planHandlers(() => plan)} start={[town]} />
            </div>
            <RouteRows plan={plan} view={view} strandedWord={t("routes.stays")} />
            {stay > 0 && <p class="hint">{t("routes.stay_n", { n: stay })}</p>}
            {warning !== undefined && <p class="row-forced">{warning}</p>}
            {refusal !== null && (
                <p class="refused" role="alert">
                    <Rich of={refusalWords(wire(refusal))} onRule={openRule} />
                </p>
            )}
        </Sheet>
    );
}
