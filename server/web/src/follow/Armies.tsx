/** The roster: own units with strength and place; of the enemy what the order of battle and the dead tell. */
import { useMatch, viewToDraw } from "@/play/context";
import { SideMarks } from "@/ui/ArmyMark";
import { Block } from "@/ui/Block";
import { printed } from "@/ui/oob";
import type { Board, Nation, OwnUnit, UnitId } from "@/types";
import { armName, capital, nationName, t, townName, unitName } from "@/words";

const NATIONS: Nation[] = ["FR", "AD", "PR"];

export function Armies() {
    const context = useMatch();
    const view = viewToDraw(context);
    if (view === null) return null;
    const own = NATIONS.filter((nation) => Object.keys(view.board.units).some((unit) => unit.startsWith(nation)));
    const others = NATIONS.filter((nation) => !own.includes(nation));
    return (
        <div class="armies">
            {own.map((nation) => (
                <Own key={nation} nation={nation} board={view.board} />
            ))}
            {others.map((nation) => (
                <Other key={nation} nation={nation} board={view.board} />
            ))}
        </div>
    );
}

function Head({ nation, board }: { nation: Nation; board: Board }) {
    const about = board.nations[nation];
    return (
        <h3 class="armies-head">
            <SideMarks side={nation} size={18} />
            <span>{capital(nationName(nation))}</span>
            <span class="small">{about === undefined ? "" : about.surrendered ? t("armies.surrendered") : t("armies.left", { n: about.left, at: about.surrenders_at })}</span>
        </h3>
    );
}

function Own({ nation, board }: { nation: Nation; board: Board }) {
    const { focus, scene } = useMatch();
    const units = idsOf(nation);
    const show = (town: string): void => {
        scene.value = { kind: "map" };
        focus.value = { town, n: (focus.value?.n ?? 0) + 1 };
    };
    return (
        <section aria-label={nationName(nation)}>
            <Head nation={nation} board={board} />
            <ul class="armies-list">
                {units.map((id) => {
                    const unit = board.units[id];
                    return unit === undefined ? <Lost key={id} id={id} board={board} /> : <Present key={id} id={id} unit={unit} onShow={show} />;
                })}
            </ul>
        </section>
    );
}

function Present({ id, unit, onShow }: { id: UnitId; unit: OwnUnit; onShow: (town: string) => void }) {
    const max = printed[id]?.cv ?? unit.cv;
    const { town } = unit;
    return (
        <li>
            <Block army={id.slice(0, 2) as Nation} type={unit.type} formation={unitName(id, "short")} cv={unit.cv} maxCv={max} size={26} />
            <span>
                {unitName(id, "full")}
                <span class="small">{t("armies.strength", { cv: unit.cv, max })}</span>
            </span>
            {town === undefined ? (
                <span class="small">{t("armies.unplaced")}</span>
            ) : (
                <button type="button" class="button quiet" onClick={() => onShow(town)}>
                    {townName(town)}
                </button>
            )}
        </li>
    );
}

function Lost({ id, board }: { id: UnitId; board: Board }) {
    const lost = board.lost[id];
    return (
        <li class="armies-lost">
            <span aria-hidden="true" class="armies-cross">
                ✕
            </span>
            <span>
                {unitName(id, "full")}
                <span class="small">{lost === undefined ? "" : t("armies.why", { why: lost.why })}</span>
            </span>
        </li>
    );
}

/** The enemy: what its army had by arm and strength at the start, and who is gone. */
function Other({ nation, board }: { nation: Nation; board: Board }) {
    const units = idsOf(nation);
    const gone = units.filter((id) => board.lost[id] !== undefined);
    const arms = ["infantry", "cavalry", "foot_artillery", "horse_artillery"] as const;
    return (
        <section aria-label={nationName(nation)}>
            <Head nation={nation} board={board} />
            <p class="small">{t("armies.public")}</p>
            <table class="armies-table">
                <tbody>
                    {arms.map((arm) => {
                        const all = units.filter((id) => printed[id]?.type === arm);
                        return (
                            <tr key={arm}>
                                <th scope="row">{armName(arm)}</th>
                                <td>{all.map((id) => printed[id]?.cv).sort().reverse().join(" ")}</td>
                            </tr>
                        );
                    })}
                </tbody>
            </table>
            {gone.length > 0 && (
                <ul class="armies-list">
                    {gone.map((id) => (
                        <Lost key={id} id={id} board={board} />
                    ))}
                </ul>
            )}
        </section>
    );
}

function idsOf(nation: Nation): UnitId[] {
    return Object.keys(printed).filter((id) => id.startsWith(nation));
}
