/** What the lobby knows of a game besides its words: one file of games/ each, named like the game. */
import type { ComponentType } from "preact";
import type { Draft } from "@/lobby/options";
import type { GameAbout, View } from "@/types";
import type { Args, Token } from "@/words";

export interface GamePictureProps {
    /** What stands on the board: the view of a match, null while it is fetched; left out: as it begins. */
    view?: View | null;
    width: number;
    height: number;
    label?: string;
}

export interface LobbyGame {
    /** The board of a match, or of one that is to begin, as a picture. */
    Picture: ComponentType<GamePictureProps>;
    /** The marks of the armies of a seat. */
    SideMarks: ComponentType<{ side: string; size?: number }>;
    /** Its own arguments of the message table.GAME. */
    tableArgs: (options: Record<string, unknown>) => Args;
    /** What is not as usual, in a word or two each. */
    inShort: (options: Record<string, unknown>) => string[];
    /** The table in prose: who leads whom, which rules, how long. */
    prose: (draft: Draft, about: GameAbout) => Token[][];
    /** Does an option change nothing as the others stand? */
    isIdle?: (option: string, value: (name: string) => unknown) => boolean;
    /** What is asked before a match with a bot begins: one option of few values, the usual one first. */
    asked?: { option: string; values: readonly (string | number)[]; name: (value: string | number) => string };
}

const found = import.meta.glob<{ game: LobbyGame }>("./games/*.tsx", { eager: true });
const games = new Map(Object.entries(found).map(([path, file]) => [path.slice("./games/".length, -".tsx".length), file.game]));

/** The lobby's part of a game; undefined of one that this page does not know. */
export function lobbyGame(game: string): LobbyGame | undefined {
    return games.get(game);
}
