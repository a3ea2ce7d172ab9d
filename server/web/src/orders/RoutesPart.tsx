/** A retreat or a flight: towns to make for, the best first; ways of single units; what happens to the others. */
import { useId, useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import { roadsOf } from "@/play/graph";
import { Choice } from "@/orders/OrderEditor";
import { TownsField } from "@/orders/TownsField";
import type { Do, OrderRoute, When } from "@/orders/types";
import { ownUnits } from "@/orders/units";
import type { TownId, UnitId, View } from "@/types";
import { Check } from "@/ui/Field";
import { commas, t, townName, unitName } from "@/words";

interface RoutesPartProps {
    when: When;
    act: Do;
    setDo: (part: { to?: TownId[] | undefined; routes?: OrderRoute[] | undefined; else?: Do["else"] | undefined }) => void;
}

const PATH_MOST = 3;

export function RoutesPart({ when, act, setDo }: RoutesPartProps) {
    const { match } = useMatch();
    const view = match.view.value;
    if (view === null) return null;
    const routes = act.routes ?? [];
    return (
        <div class="order-routes">
            <TownsField label={t("orders.make_for")} none={t("orders.make_for_none")} chosen={act.to ?? []} onChange={(to) => setDo({ to })} />
            <h4>{t("orders.single_routes")}</h4>
            <ul class="order-route-list">
                {routes.map((route, i) => (
                    <li key={route.unit}>
                        <RouteRow
                            route={route}
                            view={view}
                            onChange={(next) => setDo({ routes: routes.map((one, at) => (at === i ? next : one)) })}
                            onDrop={() => setDo({ routes: routes.filter((_, at) => at !== i) })}
                        />
                    </li>
                ))}
            </ul>
            <AddUnit units={ownUnits(view, when.in).filter((unit) => !routes.some((route) => route.unit === unit))} onAdd={(unit) => setDo({ routes: [...routes, { unit, path: firstStep(match.board.value?.roads ?? [], view, unit) }] })} />
            <Choice
                label={t("orders.others")}
                value={act.else ?? "none"}
                values={["none", "any", "ask"] as const}
                say={(how) => t(`orders.others.${how}`)}
                onChange={(how) => setDo({ else: how === "none" ? undefined : how })}
            />
        </div>
    );
}

/** A way begins with a road: the first by name until another is chosen. */
function firstStep(roads: Parameters<typeof roadsOf>[0], view: View, unit: UnitId): TownId[] {
    const next = [...roadsOf(roads).next(view.board.units[unit]?.town ?? "")].sort((a, b) => townName(a).localeCompare(townName(b)));
    return next.slice(0, 1);
}

function AddUnit({ units, onAdd }: { units: UnitId[]; onAdd: (unit: UnitId) => void }) {
    const id = useId();
    return (
        <div class="field">
            <label for={id} class="visually-hidden">
                {t("orders.add_route")}
            </label>
            <select id={id} value="" onChange={(event) => event.currentTarget.value !== "" && onAdd(event.currentTarget.value)}>
                <option value="">{t("orders.add_route")}</option>
                {units.map((unit) => (
                    <option key={unit} value={unit}>
                        {unitName(unit, "full")}
                    </option>
                ))}
            </select>
        </div>
    );
}

interface RouteRowProps {
    route: OrderRoute;
    view: View;
    onChange: (route: OrderRoute) => void;
    onDrop: () => void;
}

/** The way town by town: the next is one of those that a road leads to; the map does the same. */
function RouteRow({ route, view, onChange, onDrop }: RouteRowProps) {
    const { match } = useMatch();
    const [open, setOpen] = useState(route.path.length < 2);
    const roads = roadsOf(match.board.value?.roads ?? []);
    const from = view.board.units[route.unit]?.town ?? "";
    const last = route.path[route.path.length - 1] ?? from;
    const next = roads.next(last).filter((town) => town !== from && !route.path.includes(town));
    const name = unitName(route.unit, "full");
    const setPath = (path: TownId[]): void => {
        // A town taken out ends the way before it.
        const kept = route.path.findIndex((town, i) => path[i] !== town);
        onChange({ ...route, path: path.length < route.path.length && kept >= 0 ? route.path.slice(0, Math.max(1, kept)) : path });
    };
    return (
        <>
            <p class="order-route-head">
                <b>{name}</b> <span>{t("orders.way", { from: from === "" ? "" : townName(from), path: commas(route.path.map((town) => townName(town))) })}</span>
                <button type="button" class="button quiet small-button" aria-expanded={open} onClick={() => setOpen(!open)}>
                    {t("orders.edit")}
                    <span class="visually-hidden">: {name}</span>
                </button>
                <button type="button" class="row-x" aria-label={t("orders.drop_route", { unit: name })} onClick={onDrop}>
                    ×
                </button>
            </p>
            {open && (
                <>
                    <TownsField
                        label={t("orders.way_of", { unit: name })}
                        none={t("orders.way_none")}
                        chosen={route.path}
                        among={route.path.length >= PATH_MOST ? [] : next}
                        onChange={setPath}
                    />
                    <Check label={t("orders.forced")} checked={route.forced === true} onChange={(forced) => onChange(forced ? { ...route, forced } : { unit: route.unit, path: route.path })} />
                </>
            )}
        </>
    );
}
