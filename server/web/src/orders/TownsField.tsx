/** Towns, in their order: pressed on the map, or added by name. */
import { useId, useState } from "preact/hooks";
import { BoardMap } from "@/board/Map";
import type { RingKind } from "@/board/types";
import { useMatch } from "@/play/context";
import { nationsOf } from "@/play/desk";
import { quietMarks } from "@/play/marks";
import type { TownId } from "@/types";
import { t, townName } from "@/words";

interface TownsFieldProps {
    label: string;
    /** What no town means. */
    none: string;
    chosen: TownId[];
    /** Towns that may be chosen; all of the board if left out. */
    among?: readonly TownId[];
    onChange: (towns: TownId[]) => void;
}

export function TownsField({ label, none, chosen, among, onChange }: TownsFieldProps) {
    const { match } = useMatch();
    const id = useId();
    const [map, setMap] = useState(false);
    const all = (among ?? (match.board.value?.towns ?? []).map((town) => town.id))
        .filter((town) => !chosen.includes(town))
        .sort((a, b) => townName(a).localeCompare(townName(b)));
    const flip = (town: TownId): void => onChange(chosen.includes(town) ? chosen.filter((one) => one !== town) : [...chosen, town]);
    return (
        <div class="field order-towns">
            <label for={id}>{label}</label>
            <ul class="chips">
                {chosen.length === 0 && <li class="small">{none}</li>}
                {chosen.map((town) => (
                    <li key={town} class="chip">
                        {townName(town)}
                        <button type="button" class="chip-act" aria-label={t("orders.drop_town", { town: townName(town) })} onClick={() => flip(town)}>
                            ×
                        </button>
                    </li>
                ))}
            </ul>
            <div class="order-line">
                <select id={id} value="" onChange={(event) => event.currentTarget.value !== "" && flip(event.currentTarget.value)}>
                    <option value="">{t("orders.add_town")}</option>
                    {all.map((town) => (
                        <option key={town} value={town}>
                            {townName(town)}
                        </option>
                    ))}
                </select>
                <button type="button" class="button" aria-expanded={map} onClick={() => setMap(!map)}>
                    {t(map ? "orders.map_off" : "orders.map_on")}
                </button>
            </div>
            {map && <Picker chosen={chosen} {...(among === undefined ? {} : { among })} onTown={flip} />}
        </div>
    );
}

function Picker({ chosen, among, onTown }: { chosen: TownId[]; among?: readonly TownId[]; onTown: (town: TownId) => void }) {
    const { match } = useMatch();
    const view = match.view.value;
    const board = match.board.value;
    if (view === null || board === null) return null;
    const rings: Record<string, RingKind> = {};
    for (const town of among ?? []) rings[town] = "legal";
    for (const town of chosen) rings[town] = "selected";
    const marks = { ...quietMarks(view), rings, attacks: [] };
    const press = (town: TownId): void => {
        if (among === undefined || among.includes(town) || chosen.includes(town)) onTown(town);
    };
    return (
        <div class="retreat-map">
            <BoardMap board={board as never} view={view} marks={marks} mine={nationsOf(view)} start={chosen.length > 0 ? chosen : "fighting"} onTown={press} onStack={press} onBlock={(unit) => {
                const town = view.board.units[unit]?.town;
                if (town !== undefined) press(town);
            }} />
        </div>
    );
}
