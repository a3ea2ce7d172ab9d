/** The words of each game, by its name on the wire: one file of games/ each. */
import type { GameWords } from "./telling";

const found = import.meta.glob<{ default: GameWords }>("./games/*.ts", { eager: true });
const games = new Map(Object.entries(found).map(([path, file]) => [path.slice("./games/".length, -".ts".length), file.default]));

/** A game that this page has no words for: what the host does is told, the rest by its name alone. */
const NONE: GameWords = {
    kinds: {}, infix: "",
    side: (seat) => seat, when: () => "", argsOf: () => ({}), over: () => null,
};

/** The words of a game; of one that there are none for those that say little. */
export function gameWords(game: string | undefined): GameWords {
    return games.get(game ?? "") ?? NONE;
}

/** The games that there are words for. */
export function gamesInWords(): string[] {
    return [...games.keys()];
}

/** Which side a seat of a game is, for sideName. */
export function seatSide(game: string | undefined, seat: string): string {
    return gameWords(game).side(seat);
}

/** When a turn of a game is, of a view's turn or a turn event: "16 June, morning", "Turn 3, 09:00 to 10:00". */
export function turnName(game: string | undefined, turn: object): string {
    return gameWords(game).when(turn);
}
