/** The panel of a movement: the counter taken up with its way, ways off the map, bridges, who has not moved. */
import { useState } from "preact/hooks";
import { CounterAt, CounterButton } from "@/austerlitz/Faces";
import type { Exit, MoveDesk, Way } from "@/austerlitz/move";
import { hexView, type Hex, type HexBoardData, type HexView } from "@/austerlitz/types";
import { hexName, ownSide, unitName } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { terrainWords } from "@/austerlitz/words";
import { controlled } from "@/austerlitz/zones";
import { useMatch } from "@/play/context";
import { Refused } from "@/play/Refused";
import type { View } from "@/types";
import { edgeName, plain, Rich, t, tt } from "@/words";

export function MoveBody({ view }: { view: View }) {
    const desk = useHexDesk<MoveDesk>();
    const now = hexView(view);
    const at = desk.selected.value;
    const left = desk.left(now);
    return (
        <div class="draft">
            {at === null ? (
                <p class="hint aus-pad">{t("aus.move_hint")}</p>
            ) : (
                <Taken view={now} hex={at} desk={desk} />
            )}
            <Refused desk={desk} at="hand" />
            <Bridges view={now} desk={desk} />
            <section class="aus-left" aria-label={t("aus.not_moved")}>
                <h3 class="overline">{t("aus.not_moved_n", { n: left.length })}</h3>
                <p class="aus-counters">
                    {left.map((hex) => (
                        <CounterButton key={hex} view={now} hex={hex} size={28} pressed={hex === at} onPress={() => void desk.pick(hex)} />
                    ))}
                </p>
            </section>
        </div>
    );
}

function Taken({ view, hex, desk }: { view: HexView; hex: Hex; desk: MoveDesk }) {
    const way = desk.way.value;
    const n = Object.keys(desk.reach.value?.hexes ?? {}).length;
    return (
        <section class="aus-taken">
            <div class="aus-unit">
                <CounterAt view={view} hex={hex} size={40} />
                <div>
                    <p class="row-title">{unitName(view, hex)}</p>
                    <p class="small">{t("aus.stands", { place: hexName(hex), ground: groundOf(view, hex), reach: n })}</p>
                </div>
            </div>
            {way === null ? <p class="hint">{t("aus.way_hint")}</p> : <WayRow view={view} from={hex} way={way} />}
            <Exits desk={desk} />
        </section>
    );
}

function groundOf(view: HexView, hex: Hex): string {
    const { match } = useMatch();
    const board = match.board.value as unknown as HexBoardData | null;
    return board === null ? "" : terrainWords(board, [hex], view.board.broken_ice);
}

function WayRow({ view, from, way }: { view: HexView; from: Hex; way: Way }) {
    const { match, openRule } = useMatch();
    const end = way.path[way.path.length - 1] ?? from;
    const board = match.board.value as unknown as HexBoardData | null;
    const enemy = ownSide(view) === "french" ? "allied" : "french";
    const held = board !== null && way.exit === undefined && controlled(board, view.board, enemy).has(end);
    const told = way.told;
    return (
        <div class="aus-way" role="group" aria-label={t("aus.way")}>
            <p>
                <b>{hexName(from)}</b>
                {way.path.length > 1 && <span class="small"> {t("aus.by", { n: way.path.length - 1 })}</span>} → <b>{hexName(end)}</b>
                {way.exit !== undefined && <> → {edgeName(way.exit.edge)}</>}
                {told?.legal === true && <span class="pill">{t("aus.cost", { cost: told.cost ?? 0, of: told.movement_points })}</span>}
            </p>
            {told?.step_costs !== undefined && (
                <ol class="aus-steps" aria-label={t("aus.steps")}>
                    {told.step_costs.map((cost, i) => (
                        <li key={i}>
                            <span>{way.path[i] ?? (way.exit === undefined ? "" : edgeName(way.exit.edge))}</span> <b>{cost}</b>
                        </li>
                    ))}
                </ol>
            )}
            {held && (
                <p class="small">
                    <Rich of={[...tt("aus.enters_control"), { text: " " }, { text: "5.3", rule: "5.3" }]} onRule={openRule} />
                </p>
            )}
            {way.exit !== undefined && (
                <p class="small">
                    <Rich of={[...tt("aus.exit_note", { box: way.exit.box }), { text: " " }, { text: way.exit.box === "vienna" ? "9.5" : "9.3", rule: way.exit.box === "vienna" ? "9.5" : "9.3" }]} onRule={openRule} />
                </p>
            )}
        </div>
    );
}

const EXITS_SHOWN = 3;

/** Ways off the map: the cheapest first, by each edge. */
function Exits({ desk }: { desk: MoveDesk }) {
    const [all, setAll] = useState(false);
    const exits = desk.exits();
    if (exits.length === 0) return null;
    const now = desk.way.value;
    const shown = all ? exits : cheapestEach(exits).slice(0, EXITS_SHOWN);
    return (
        <div class="aus-exits" role="group" aria-label={t("aus.exits")}>
            {shown.map((exit) => (
                <button
                    key={exit.edge + exit.hex}
                    type="button"
                    class="button small-button"
                    aria-pressed={now?.exit?.edge === exit.edge && (now.path[now.path.length - 1] ?? desk.selected.value) === exit.hex}
                    onClick={() => void desk.leave(exit)}
                >
                    {t("aus.exit", { box: exit.box, edge: edgeName(exit.edge), hex: exit.hex, cost: exit.cost })}
                </button>
            ))}
            {!all && exits.length > shown.length && (
                <button type="button" class="link-button" onClick={() => setAll(true)}>
                    {t("aus.more_exits", { n: exits.length - shown.length })}
                </button>
            )}
        </div>
    );
}

function cheapestEach(exits: readonly Exit[]): Exit[] {
    return exits.filter((exit, i) => exits.findIndex((one) => one.edge === exit.edge && one.box === exit.box) === i);
}

/** Bridges that may be destroyed: of the counter taken up, else all. */
function Bridges({ view, desk }: { view: HexView; desk: MoveDesk }) {
    const { openRule } = useMatch();
    const all = desk.selected.value === null ? desk.bridges(view).map((one) => one.bridge) : desk.ownBridges(view);
    if (all.length === 0) return null;
    return (
        <section class="aus-bridges" aria-label={t("aus.bridges")}>
            <h3 class="overline">{t("aus.bridges")}</h3>
            <p class="aus-acts">
                {all.map((bridge) => (
                    <button key={bridge} type="button" class="button small-button" aria-pressed={desk.bridge.value === bridge} onClick={() => desk.chooseBridge(bridge)}>
                        {t("aus.destroy", { bridge: plain(tt(`place.austerlitz.${bridge}`)) })}
                    </button>
                ))}
            </p>
            {desk.bridge.value !== null && (
                <p class="small">
                    <Rich of={[...tt("aus.bridge_note"), { text: " " }, { text: "10.4", rule: "10.4" }]} onRule={openRule} />
                </p>
            )}
        </section>
    );
}
