/** The board as a table: every town with its units, its roads and what may be done there. */
import { useState } from "preact/hooks";
import { useMatch } from "@/play/context";
import { nationsOf, ownByTown } from "@/play/desk";
import { withPlaced } from "@/play/marks";
import { SetUpDesk } from "@/play/setup";
import { useMapPlay } from "@/play/state";
import type { BoardData, Nation, TownData, TownId, UnitId, View } from "@/types";
import { ArmyMark } from "@/ui/ArmyMark";
import { list, nationUnits, plain, t, townName, unitName } from "@/words";

export function ListView({ view: given }: { view: View }) {
    const { match } = useMatch();
    const { desk } = useMapPlay();
    const [all, setAll] = useState(false);
    const board = match.board.value;
    if (board === null) return null;
    const now = desk.value;
    const view = now instanceof SetUpDesk ? withPlaced(given, now.placed.value, nationsOf(given)) : given;
    const own = ownByTown(view, nationsOf(view));
    const shown = board.towns
        .filter((town) => all || view.board.towns[town.id] !== undefined || now.townActs(given, town.id).length > 0)
        .sort((a, b) => townName(a.id).localeCompare(townName(b.id)));
    return (
        <div class="list-view">
            <div class="list-head">
                <h2>{t("list.title")}</h2>
                <label class="check">
                    <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
                    <span>{t("list.all")}</span>
                </label>
            </div>
            {now instanceof SetUpDesk && <HandRow desk={now} />}
            <div class="list-scroll" tabIndex={0} role="region" aria-label={t("list.title")}>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t("list.town")}</th>
                            <th scope="col">{t("list.units")}</th>
                            <th scope="col">{t("list.roads")}</th>
                            <th scope="col">{t("list.acts")}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {shown.map((town) => (
                            <TownRow key={town.id} town={town} view={view} given={given} own={own.get(town.id) ?? []} board={board} />
                        ))}
                    </tbody>
                </table>
            </div>
        </div>
    );
}

function HandRow({ desk }: { desk: SetUpDesk }) {
    return (
        <p class="list-hand">
            {desk.hand.value.map((unit) => (
                <button key={unit} type="button" class="button" aria-pressed={desk.selected.value === unit} onClick={() => desk.choose(unit)}>
                    {unitName(unit, "full")}
                </button>
            ))}
        </p>
    );
}

interface TownRowProps {
    town: TownData;
    view: View;
    given: View;
    own: UnitId[];
    board: BoardData;
}

function TownRow({ town, view, given, own, board }: TownRowProps) {
    const { desk } = useMapPlay();
    const now = desk.value;
    const there = view.board.towns[town.id];
    const others = Object.entries(there?.units ?? {}).filter(([nation]) => !own.some((unit) => unit.startsWith(nation)));
    const acts = now.townActs(given, town.id);
    const attack = view.board.attacks?.[town.id];
    return (
        <tr>
            <th scope="row">{townName(town.id)}</th>
            <td>
                <ul class="list-units">
                    {own.map((unit) => (
                        <UnitLine key={unit} unit={unit} view={given} />
                    ))}
                    {others.map(([nation, n]) => (
                        <li key={nation}>
                            <ArmyMark army={nation as Nation} size={13} /> {nationUnits(n ?? 0, nation)}
                        </li>
                    ))}
                </ul>
            </td>
            <td>{roadWords(town.id, view, board)}</td>
            <td>
                {attack !== undefined && <p class="small">{t("list.attacked")}</p>}
                <span class="list-acts">
                    {acts.map((act) => (
                        <button key={act.label} type="button" class="button" aria-pressed={act.pressed} onClick={act.run}>
                            {act.label}
                            <span class="visually-hidden"> {townName(town.id)}</span>
                        </button>
                    ))}
                </span>
            </td>
        </tr>
    );
}

function UnitLine({ unit, view }: { unit: UnitId; view: View }) {
    const { desk } = useMapPlay();
    const acts = desk.value.unitActs(view, unit);
    const name = t("play.unit_short", { unit: unitName(unit, "full"), cv: view.board.units[unit]?.cv ?? 0 });
    return (
        <li>
            <ArmyMark army={unit.slice(0, 2) as Nation} size={13} />
            <span>{name}</span>
            {acts.map((act) => (
                <button key={act.label} type="button" class="button small-button" aria-pressed={act.pressed} onClick={act.run}>
                    {act.label}
                    <span class="visually-hidden"> {unitName(unit, "full")}</span>
                </button>
            ))}
        </li>
    );
}

/** "Ligny (4/6), Thuin": where the roads go, and the use of those that are used. */
function roadWords(town: TownId, view: View, board: BoardData): string {
    const roads = board.roads.filter((road) => road.a === town || road.b === town);
    const words = roads.map((road) => {
        const name = townName(road.a === town ? road.b : road.a);
        const use = view.board.roads?.[road.id];
        return use === undefined ? name : t("list.road", { town: name, used: use.used, cap: use.used + use.left });
    });
    return plain(list(words));
}
