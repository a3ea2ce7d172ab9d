/** The roster: own counters with figures and place; of an enemy that is not open what the order of battle tells. */
import { Counter, SideTile } from "@/hex/Counter";
import { possible, printed } from "@/austerlitz/oob";
import { SIDES, Tracks } from "@/austerlitz/Tracks";
import { hexView, type Arm, type Box, type Hex, type HexView, type Side, type Unit } from "@/austerlitz/types";
import { hexName, isInformed, ownSide, unitWords } from "@/austerlitz/units";
import { useMatch, viewToDraw } from "@/play/context";
import { isSheet, layout } from "@/play/layout";
import { armName, boxName, capital, plain, sideName, t } from "@/words";
import "@/follow/follow.css";

const ARMS: readonly Arm[] = ["infantry", "cavalry", "artillery"];
const BOXES: readonly Box[] = ["eliminated", "withdrawn", "vienna"];

export function Armies() {
    const view = viewToDraw(useMatch());
    if (view === null) return null;
    const now = hexView(view);
    const own = ownSide(now);
    const order = own === "allied" ? [...SIDES].reverse() : SIDES;
    return (
        <div class="armies aus-armies">
            {(isSheet(layout.value) || layout.value === "land") && <Tracks view={view} />}
            {order.map((side) => (
                <Army key={side} side={side} view={now} open={isInformed(now) || side === own || now.as === "all"} />
            ))}
        </div>
    );
}

function Army({ side, view, open }: { side: Side; view: HexView; open: boolean }) {
    const { focus, scene } = useMatch();
    const show = (hex: Hex): void => {
        scene.value = { kind: "map" };
        focus.value = { town: hex, n: (focus.value?.n ?? 0) + 1 };
    };
    const there = Object.entries(view.board.units).filter(([, unit]) => unit.side === side);
    return (
        <section aria-label={sideName(side)}>
            <h3 class="armies-head">
                <SideTile side={side} size={18} />
                <span>{capital(sideName(side))}</span>
                <span class="small">{t("aus.on_map", { n: there.length })}</span>
            </h3>
            {open ? (
                <ul class="armies-list">
                    {there.sort(byForce).map(([hex, unit]) => (
                        <li key={hex}>
                            <Counter unit={unit} size={26} />
                            <span>
                                {capital(plain(unitWords(unit)))}
                                <span class="small">{t("aus.figures", { cv: unit.potential ?? 0, mv: unit.movement })}</span>
                            </span>
                            <button type="button" class="button quiet" onClick={() => show(hex)}>
                                {hexName(hex)}
                            </button>
                        </li>
                    ))}
                </ul>
            ) : (
                <Mute side={side} units={there.map(([, unit]) => unit)} />
            )}
            <BoxList side={side} view={view} />
        </section>
    );
}

function byForce([, a]: [Hex, Unit], [, b]: [Hex, Unit]): number {
    const place = (unit: Unit): number => printed.findIndex((one) => one.id === unit.id);
    return place(a) - place(b);
}

/** A side whose faces are down: how many of each arm stand on the map, and what such counters may be. */
function Mute({ side, units }: { side: Side; units: readonly Unit[] }) {
    return (
        <>
            <p class="small">{t("armies.public")}</p>
            <table class="armies-table">
                <tbody>
                    {ARMS.map((arm) => (
                        <tr key={arm}>
                            <th scope="row">{capital(armName(arm))}</th>
                            <td>{units.filter((unit) => unit.type === arm).length}</td>
                            <td>{t("aus.potentials", { values: possible(side, arm).join(" ") })}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </>
    );
}

function BoxList({ side, view }: { side: Side; view: HexView }) {
    const boxes = view.board.boxes[side];
    const filled = BOXES.filter((box) => ARMS.some((arm) => (boxes[box]?.[arm] ?? 0) > 0));
    if (filled.length === 0) return null;
    return (
        <ul class="aus-boxes">
            {filled.map((box) => {
                const there = boxes[box];
                const counts = ARMS.filter((arm) => (there?.[arm] ?? 0) > 0).map((arm) => t("aus.of_arm", { n: there?.[arm] ?? 0, arm }));
                return (
                    <li key={box}>
                        <b>{boxName("austerlitz", box)}</b>: {there?.units === undefined ? counts.join(", ") : there.units.map((id) => plain(unitWords({ side, type: "infantry", movement: 6, id }))).join(", ")}
                    </li>
                );
            })}
        </ul>
    );
}
