/** The words of each game, by its name on the wire: one file of games/ each. */
import { has, t } from "./catalogue";
import { sideName } from "./names";
import type { SideForm } from "./names";
import type { GameWords } from "./telling";

const found = import.meta.glob<{ default: GameWords }>("./games/*.ts", { eager: true });
const games = new Map(Object.entries(found).map(([path, file]) => [path.slice("./games/".length, -".ts".length), file.default]));

/** A game that this page has no words for: what the host does is told, the rest by its name alone. */
const NONE: GameWords = {
    kinds: {}, infix: "", clockSteps: [],
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

/** A seat by its army, as its game calls it: the French, les Austro-Russes. */
export function armyOf(game: string | undefined, seat: string, form: SideForm = "name"): string {
    return sideName(seatSide(game, seat), form);
}

/** The steps of its turn that a clock may time on their own. */
export function clockSteps(game: string | undefined): readonly string[] {
    return gameWords(game).clockSteps;
}

/** What a step of the clock of a game is called. */
export function phaseOf(game: string | undefined, phase: string): string {
    const own = `clock.phase.${gameWords(game).infix}${phase}`;
    return has(own) ? t(own) : phase;
}

/** When a turn of a game is, of a view's turn or a turn event: "16 June, morning", "Turn 3, 09:00 to 10:00". */
export function turnName(game: string | undefined, turn: object): string {
    return gameWords(game).when(turn);
}
