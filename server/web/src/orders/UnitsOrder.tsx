/** Units in an order: pressed in turn, the first pressed goes first. */
import { useMatch } from "@/play/context";
import { stackUnit } from "@/play/units";
import { ownUnits } from "@/orders/units";
import type { UnitId } from "@/types";
import { Stack } from "@/ui/Stack";
import { t, unitName } from "@/words";

interface UnitsOrderProps {
    label: string;
    note: string;
    chosen: UnitId[];
    onChange: (units: UnitId[]) => void;
}

export function UnitsOrder({ label, note, chosen, onChange }: UnitsOrderProps) {
    const { match } = useMatch();
    const view = match.view.value;
    if (view === null) return null;
    const flip = (unit: UnitId): void => onChange(chosen.includes(unit) ? chosen.filter((one) => one !== unit) : [...chosen, unit]);
    const units = ownUnits(view).map((unit) => stackUnit(view, unit, { selected: chosen.includes(unit) }));
    return (
        <div class="field">
            <span class="label">{label}</span>
            <p class="small">{note}</p>
            {chosen.length > 0 && (
                <ol class="order-chosen">
                    {chosen.map((unit) => (
                        <li key={unit}>
                            {unitName(unit, "full")}
                            <button type="button" class="chip-act" aria-label={t("orders.drop_unit", { unit: unitName(unit, "full") })} onClick={() => flip(unit)}>
                                ×
                            </button>
                        </li>
                    ))}
                </ol>
            )}
            <Stack units={units} size={30} perRow={14} onBlock={flip} label={label} />
        </div>
    );
}
