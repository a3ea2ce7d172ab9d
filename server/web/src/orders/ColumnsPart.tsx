/** A deployment: where each unit stands that is named, and where the rest goes. */
import { useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import { stackUnit } from "@/play/units";
import { Choice } from "@/orders/OrderEditor";
import { PLACES, RESTS, type Columns, type Do, type Place, type When } from "@/orders/types";
import { ownUnits } from "@/orders/units";
import type { UnitId } from "@/types";
import { Block } from "@/ui/Block";
import { t, townName, unitName } from "@/words";

interface ColumnsPartProps {
    when: When;
    act: Do;
    setDo: (part: { columns?: Columns | undefined; rest?: Do["rest"] | undefined }) => void;
}

const AT_FIRST = 8;

export function ColumnsPart({ when, act, setDo }: ColumnsPartProps) {
    const { match } = useMatch();
    const [all, setAll] = useState(false);
    const view = match.view.value;
    if (view === null) return null;
    const units = ownUnits(view, when.in);
    const placed = new Map<UnitId, Place>(PLACES.flatMap((place) => (act.columns?.[place] ?? []).map((unit) => [unit, place] as const)));
    const near = units.filter((unit) => placed.has(unit) || (when.in ?? []).includes(view.board.units[unit]?.town ?? ""));
    const shown = all ? units : near.length > 0 ? near : units.slice(0, AT_FIRST);
    const put = (unit: UnitId, place: Place | ""): void => {
        const next = Object.fromEntries(
            PLACES.map((one) => [one, [...(act.columns?.[one] ?? []).filter((other) => other !== unit), ...(one === place ? [unit] : [])]]).filter(([, list]) => (list as UnitId[]).length > 0),
        ) as Columns;
        setDo({ columns: next });
    };
    return (
        <div class="order-columns">
            <Choice
                label={t("orders.rest_label")}
                value={act.rest ?? (act.do === "deploy" || act.columns !== undefined ? "reserve" : "none")}
                values={act.do === "respond" ? (["none", ...RESTS] as const) : RESTS}
                say={(rest) => t(`orders.rests.${rest}`)}
                onChange={(rest) => setDo({ rest: rest === "none" ? undefined : rest, ...(rest === "none" ? { columns: undefined } : {}) })}
            />
            <p class="small">{t("orders.columns_note")}</p>
            <table class="order-units">
                <tbody>
                    {shown.map((unit) => {
                        const drawn = stackUnit(view, unit);
                        const town = view.board.units[unit]?.town;
                        return (
                            <tr key={unit}>
                                <th scope="row">
                                    <Block army={drawn.army} type={drawn.type} cv={drawn.cv} maxCv={drawn.maxCv} size={24} {...(drawn.formation === undefined ? {} : { formation: drawn.formation })} />
                                    <span>
                                        {unitName(unit, "full")}
                                        <small>{town === undefined ? "" : townName(town)}</small>
                                    </span>
                                </th>
                                <td>
                                    <div class="order-places" role="group" aria-label={unitName(unit, "full")}>
                                        {PLACES.map((place) => (
                                            <button
                                                key={place}
                                                type="button"
                                                class="button small-button"
                                                aria-pressed={placed.get(unit) === place}
                                                onClick={() => put(unit, placed.get(unit) === place ? "" : place)}
                                            >
                                                {t(`orders.place_short.${place}`)}
                                            </button>
                                        ))}
                                    </div>
                                </td>
                            </tr>
                        );
                    })}
                </tbody>
            </table>
            {shown.length < units.length && (
                <button type="button" class="button quiet" onClick={() => setAll(true)}>
                    {t("orders.all_units", { n: units.length })}
                </button>
            )}
        </div>
    );
}
