/** Matches as rows: one table with named columns, which on a phone becomes cards of lines. */
import type { ComponentChildren } from "preact";
import { specShort } from "@/clock/spec";
import type { Summary } from "@/types";
import { matchTitle, optionsInShort, freeSeats } from "@/lobby/words";
import { GameMarks } from "@/lobby/GamePicture";
import { armyOf, list, plain, t } from "@/words";

export interface Column {
    id: string;
    name: string;
    cell: (match: Summary) => ComponentChildren;
}

interface RowsProps {
    /** What the table is called. */
    name: string;
    matches: Summary[];
    columns: Column[];
    /** The last column: what can be done. */
    act: (match: Summary) => ComponentChildren;
}

export function Rows({ name, matches, columns, act }: RowsProps) {
    return (
        <table class="rows" aria-label={name}>
            <thead>
                <tr>
                    {columns.map((column) => (
                        <th key={column.id} scope="col">
                            {column.name}
                        </th>
                    ))}
                    <th scope="col">
                        <span class="visually-hidden">{t("lobby.column.act")}</span>
                    </th>
                </tr>
            </thead>
            <tbody>
                {matches.map((match) => (
                    <tr key={match.match}>
                        {columns.map((column, i) =>
                            i === 0 ? (
                                <th key={column.id} scope="row" class={`cell-${column.id}`}>
                                    {column.cell(match)}
                                </th>
                            ) : (
                                <td key={column.id} class={`cell-${column.id}`} data-name={column.name}>
                                    {column.cell(match)}
                                </td>
                            ),
                        )}
                        <td class="cell-act">{act(match)}</td>
                    </tr>
                ))}
            </tbody>
        </table>
    );
}

/** The army marks of seats, then their names. */
export function Seats({ game, codes }: { game: string; codes: string[] }) {
    return (
        <span class="seats">
            {codes.map((code) => (
                <GameMarks key={code} game={game} side={code} size={16} />
            ))}
            <span>{plain(list(codes.map((code) => armyOf(game, code)), "list.or"))}</span>
        </span>
    );
}

/** A name, and that it is a bot where it is one. */
export function Player({ name, bot }: { name: string; bot?: boolean }) {
    return (
        <>
            {name}
            {bot === true && <span class="bot-tag">{t("lobby.bot")}</span>}
        </>
    );
}

export const columns = {
    game: (): Column => ({ id: "game", name: t("lobby.column.match"), cell: (match) => matchTitle(match) }),
    host: (): Column => ({
        id: "host",
        name: t("lobby.column.host"),
        cell: (match) => <Player name={match.creator ?? ""} bot={isBot(match, match.creator)} />,
    }),
    free: (): Column => ({ id: "free", name: t("lobby.column.free"), cell: (match) => <Seats game={match.game} codes={freeSeats(match)} /> }),
    clock: (): Column => ({ id: "clock", name: t("new.clock"), cell: (match) => specShort(match.clock_spec) }),
    options: (): Column => ({ id: "options", name: t("lobby.column.options"), cell: optionsInShort }),
};

function isBot(match: Summary, name: string | undefined): boolean {
    return Object.values(match.seats).some((seat) => seat?.account === name && seat?.bot === true);
}
