/** Waterloo in the lobby. */
import type { LobbyGame } from "@/lobby/game";
import { useBoard } from "@/lobby/data";
import { seatsOf, valueOf } from "@/lobby/options";
import { eve, Picture } from "@/lobby/Picture";
import { optionName } from "@/lobby/words";
import { SideMarks } from "@/ui/ArmyMark";
import { list, t, tt, type Token } from "@/words";

const WHOLE_TURNS = 24;

export const game: LobbyGame = {
    Picture: ({ view, ...size }) => {
        const board = useBoard("waterloo", view?.board.base ?? "real");
        return <Picture board={board} view={view === undefined && board !== null ? eve(board) : (view ?? null)} {...size} />;
    },
    SideMarks,
    tableArgs: (options) => {
        const turns = Number(options["turns"] ?? WHOLE_TURNS);
        return { morale: options["morale"] === true, command: options["command_control"] === true, turns, short: turns < WHOLE_TURNS };
    },
    inShort: (options) => {
        const rules = Object.entries(options).flatMap(([name, value]) => (value === true ? [optionName("waterloo", name)] : []));
        const { turns } = options;
        return typeof turns === "number" && turns < WHOLE_TURNS ? [...rules, t("lobby.turns", { n: turns })] : rules;
    },
    prose: (draft, about) => {
        const rules = Object.entries(about.options ?? {})
            .filter(([name, option]) => option.type === "boolean" && valueOf(draft, name, option) === true)
            .map(([name, option]) => [{ text: optionName(draft.game, name, option), bold: true } as Token]);
        const turns = Number(valueOf(draft, "turns", about.options?.["turns"]) ?? WHOLE_TURNS);
        const most = Number(about.options?.["turns"]?.["maximum"] ?? turns);
        return [
            tt("new.prose.seat", { seat: draft.seat, players: String(seatsOf(draft, about).length) }),
            tt("new.prose.rules", { n: rules.length, rules_t: list(rules) }),
            tt("new.prose.turns", { n: turns, whole: turns === most }),
        ];
    },
    asked: { option: "turns", values: [WHOLE_TURNS, 8], name: (n) => t("bot.length", { n: Number(n), short: n !== WHOLE_TURNS }) },
};
