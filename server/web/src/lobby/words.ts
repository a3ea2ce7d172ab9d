/** Matches in words: who plays whom, which choices a table has, what a match waits for. */
import type { OptionAbout, Seat, Summary } from "@/types";
import { lobbyGame } from "@/lobby/game";
import { armyOf, capital, has, list, plain, t, tt, type Token } from "@/words";

/** Which side a seat fights for: in a match of three the two Allies are one. */
function campOf(seat: string): string {
    return seat === "FR" ? "FR" : "AL";
}

/** What a game is called in the reader's language. */
export function gameTitle(game: string): string {
    return has(`game.${game}.title`) ? t(`game.${game}.title`) : game;
}

/** What a match is called: its own title, else the game, with the number of players if it is not two. */
export function matchTitle(match: Summary): string {
    if (match.title) return match.title;
    const seats = Object.keys(match.seats).length;
    const game = gameTitle(match.game);
    return seats === 2 ? game : t("lobby.title_players", { game, n: seats });
}

/** Codes of the seats that nobody has taken. */
export function freeSeats(match: Summary): Seat[] {
    return (Object.keys(match.seats) as Seat[]).filter((code) => match.seats[code]?.account === undefined);
}

/** Who sits there: the name, or that the seat is free. */
function sitter(match: Summary, seat: Seat): string {
    return match.seats[seat]?.account ?? t("lobby.nobody_yet");
}

/** "you against Tomasz", "you with Aleksei, against Hôa"; for others "Claire against Tomasz". */
export function whoPlays(match: Summary): string {
    const seats = Object.keys(match.seats) as Seat[];
    const mine = match.you?.[0];
    const names = (of: Seat[]): string => plain(list(of.map((seat) => sitter(match, seat))));
    if (mine === undefined) {
        const french = seats.filter((seat) => campOf(seat) === "FR");
        const allied = seats.filter((seat) => campOf(seat) !== "FR");
        return t("lobby.versus", { a: names(french), b: names(allied) });
    }
    const friends = seats.filter((seat) => seat !== mine && campOf(seat) === campOf(mine));
    const enemies = seats.filter((seat) => campOf(seat) !== campOf(mine));
    return friends.length === 0
        ? t("lobby.you_against", { names: names(enemies) })
        : t("lobby.you_with", { friends: names(friends), enemies: names(enemies) });
}

/** The name of an option of a game. */
export function optionName(game: string, option: string, about?: OptionAbout): string {
    return has(`option.${game}.${option}.name`) ? t(`option.${game}.${option}.name`) : (about?.title ?? option);
}

/** What an option does to play: our sentence, or the daemon's own where the catalogue has none. */
export function optionMeaning(game: string, option: string, about?: OptionAbout): string {
    return has(`option.${game}.${option}.meaning`) ? t(`option.${game}.${option}.meaning`) : (about?.meaning ?? "");
}

/** The optional rules in short, for a column: "Morale, Command Control", "none". */
export function optionsInShort(match: Summary): string {
    const words = lobbyGame(match.game)?.inShort(match.options) ?? [];
    return words.length === 0 ? t("lobby.no_options") : plain(list(words, "list.comma"));
}

/** All choices of a table as one sentence: read before one sits down at it. */
export function tableSentence(match: Summary): Token[] {
    return tt(`table.${match.game}`, {
        ...lobbyGame(match.game)?.tableArgs(match.options),
        players: String(Object.keys(match.seats).length),
        watch: match.spectators ?? "none",
        delay: match.delay ?? 0,
        reveal: match.reveal ?? "end",
    });
}

/** What is on the card's button: the one verb of the match's prompt. */
export function verbOf(prompt: string | undefined): string {
    return t("lobby.verb", { prompt: prompt ?? "wait" });
}

/** The French, the Allies: at the head of a button or row. */
export function sideTitle(game: string, seat: string): string {
    return capital(armyOf(game, seat));
}
