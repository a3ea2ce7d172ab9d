/** Rows of a plan of routes: every unit with where it goes; a press on a row is for the next town pressed. */
import { printed } from "@/ui/oob";
import { Block } from "@/ui/Block";
import { stackUnit } from "@/play/units";
import type { Route, RoutePlan } from "@/play/routes";
import type { UnitId, View } from "@/types";
import { commas, t, townName, unitName } from "@/words";

interface RouteRowsProps {
    plan: RoutePlan;
    view: View;
    /** What a unit without a way is told to be. */
    strandedWord: string;
}

export function RouteRows({ plan, view, strandedWord }: RouteRowsProps) {
    return (
        <ul class="route-rows">
            {plan.units.map((unit) => (
                <RouteRow key={unit} unit={unit} plan={plan} view={view} strandedWord={strandedWord} />
            ))}
        </ul>
    );
}

function RouteRow({ unit, plan, view, strandedWord }: RouteRowsProps & { unit: UnitId }) {
    const route = plan.routes.value.get(unit);
    const chosen = plan.chosen.value.has(unit);
    const block = stackUnit(view, unit);
    const ways = plan.reaches.of.value.get(unit)?.towns ?? {};
    const none = Object.keys(ways).length === 0;
    return (
        <li class={chosen ? "route-row chosen" : "route-row"}>
            <button type="button" class="route-unit" aria-pressed={chosen} onClick={() => plan.choose(unit, true)}>
                <Block
                    army={block.army}
                    type={block.type}
                    cv={block.cv}
                    maxCv={printed[unit]?.cv ?? block.maxCv}
                    formation={block.formation ?? ""}
                    size={26}
                    state={chosen ? { selected: true } : {}}
                />
                <span class="route-name">
                    <b>{unitName(unit, "full")}</b>
                    <span class={route === undefined ? "route-to none" : "route-to"}>
                        {route === undefined ? (none ? t("routes.no_way") : strandedWord) : wayWords(route)}
                    </span>
                </span>
            </button>
            {chosen ? (
                <span class="chip choosing">{t("routes.choosing")}</span>
            ) : route === undefined ? null : (
                <span class={route.forced ? "chip forced" : "chip"}>{t("routes.towns", { n: route.path.length, forced: route.forced })}</span>
            )}
            <label class="visually-hidden" for={`way-${unit}`}>
                {t("routes.where", { unit: unitName(unit, "full") })}
            </label>
            <select id={`way-${unit}`} class="route-select" value={route?.path.join(" ") ?? ""} onChange={(event) => plan.set(unit, chosenWay(ways, event.currentTarget.value))}>
                <option value="">{strandedWord}</option>
                {Object.entries(ways).map(([town, way]) => (
                    <option key={town} value={way.path.join(" ")}>
                        {way.forced ? t("routes.to_forced", { town: townName(town) }) : townName(town)}
                    </option>
                ))}
            </select>
        </li>
    );
}

function chosenWay(ways: Readonly<Record<string, Route>>, path: string): Route | null {
    const found = Object.values(ways).find((way) => way.path.join(" ") === path);
    return found === undefined ? null : { path: found.path, forced: found.forced };
}

function wayWords(route: Route): string {
    const to = route.path[route.path.length - 1] ?? "";
    const via = commas(route.path.slice(0, -1).map((town) => townName(town)));
    return via === "" ? townName(to, "to") : t("routes.to_by", { town: townName(to, "to"), via });
}
