/** The board as a table: every hex that matters now, its ground, who stands there, what may be done. */
import { useState } from "preact/hooks";
import { CounterAt } from "@/austerlitz/Faces";
import { hexView, type Hex, type HexBoardData, type HexView } from "@/austerlitz/types";
import { hexName, isOwn, unitName } from "@/austerlitz/units";
import { useHexDesk } from "@/austerlitz/use";
import { terrainWords } from "@/austerlitz/words";
import { useMatch } from "@/play/context";
import type { View } from "@/types";
import { t } from "@/words";

type Show = "acts" | "units" | "all";

export function ListView({ view: given }: { view: View }) {
    const { match } = useMatch();
    const desk = useHexDesk();
    const [show, setShow] = useState<Show>("units");
    const board = match.board.value as unknown as HexBoardData | null;
    if (board === null) return null;
    const view = hexView(given);
    const replay = match.view.value !== given;
    const acts = (hex: Hex) => (replay ? [] : desk.hexActs(view, hex));
    const marks = replay ? {} : desk.marks(view);
    const places = show === "all" ? board.places.map((place) => place.hex) : [];
    const open = [...(marks.legal ?? []).map((mark) => mark.hex), ...(marks.exits ?? []).map((exit) => exit.hex)];
    const all = [...new Set([...Object.keys(view.board.units), ...open, ...places])].filter((hex) => show !== "acts" || acts(hex).length > 0);
    // What is in hand stands first, then what is open to it, then what else may be done.
    const inHand = new Set([...(marks.selected ?? []), ...(marks.attacked ?? [])]);
    const legal = new Set(open);
    const rank = (hex: Hex): number => (inHand.has(hex) ? 0 : legal.has(hex) ? 1 : acts(hex).length > 0 && isOwn(view, hex) ? 2 : acts(hex).length > 0 ? 3 : 4);
    const rows = all.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return (
        <div class="list-view">
            <div class="list-head">
                <h2>{t("list.title")}</h2>
                <label>
                    <span class="visually-hidden">{t("aus.list_show")}</span>
                    <select value={show} onChange={(event) => setShow(event.currentTarget.value as Show)}>
                        {(["acts", "units", "all"] as const).map((one) => (
                            <option key={one} value={one}>
                                {t(`aus.list_${one}`)}
                            </option>
                        ))}
                    </select>
                </label>
            </div>
            <div class="list-scroll" tabIndex={0} role="region" aria-label={t("list.title")}>
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{t("aus.list_hex")}</th>
                            <th scope="col">{t("list.units")}</th>
                            <th scope="col">{t("aus.list_ground")}</th>
                            <th scope="col">{t("list.acts")}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {rows.map((hex) => (
                            <Row key={hex} hex={hex} view={view} board={board} urgent={marks.urgent?.[hex]} acts={acts(hex)} />
                        ))}
                    </tbody>
                </table>
            </div>
        </div>
    );
}

interface RowProps {
    hex: Hex;
    view: HexView;
    board: HexBoardData;
    urgent: string | undefined;
    acts: ReturnType<ReturnType<typeof useHexDesk>["hexActs"]>;
}

function Row({ hex, view, board, urgent, acts }: RowProps) {
    const unit = view.board.units[hex];
    return (
        <tr data-hex-row={hex}>
            <th scope="row">{hexName(hex)}</th>
            <td>
                {unit !== undefined && (
                    <span class="aus-list-unit">
                        <CounterAt view={view} hex={hex} size={26} />
                        <span>
                            {unitName(view, hex)}
                            {unit.potential !== undefined && <span class="small"> {t("aus.figures", { cv: unit.potential, mv: unit.movement })}</span>}
                            {unit.moved === true && <span class="small"> {t("aus.has_moved")}</span>}
                        </span>
                    </span>
                )}
                {urgent !== undefined && <p class="refused">{urgent}</p>}
            </td>
            <td>{terrainWords(board, [hex], view.board.broken_ice)}</td>
            <td>
                <span class="list-acts">
                    {acts.map((act) => (
                        <button key={act.label} type="button" class="button" aria-pressed={act.pressed} onClick={act.run}>
                            {act.label}
                            <span class="visually-hidden"> {unit === undefined ? hexName(hex) : unitName(view, hex)}</span>
                        </button>
                    ))}
                </span>
            </td>
        </tr>
    );
}
