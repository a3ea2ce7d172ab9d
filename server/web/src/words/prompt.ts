/** What is asked, or whom the match waits for. */
import { has, t, tt } from "./catalogue";
import type { Args, Token } from "./format";
import { list, nationUnits, sideName, townPhrase } from "./names";
import { counts, isMap, number, text, texts } from "./reader";
import type { Json } from "./reader";

/** headline: the question in the imperative; sentence: what the rules ask; button: what the dark
 * button will do. */
export interface PromptWords {
    headline: string;
    sentence: Token[];
    button: string;
}

/** What a view must have for its prompt to be told; views of match.view have it. */
export interface Asked {
    state: string;
    to_act: readonly string[];
    waits_for: readonly string[];
    turn?: object;
    prompt?: object;
    board: object;
    as?: string;
}

function groupsLeft(board: Json): number {
    const groups = isMap(board.groups) ? Object.values(board.groups) : [];
    return groups.reduce((sum: number, g) => (
        isMap(g) ? sum + Math.max(0, number(g.of) - texts(g.used).length) : sum), 0);
}

function size(value: unknown): number {
    return isMap(value) ? Object.keys(value).length : 0;
}

function respond(prompt: Json, board: Json): Args {
    const towns = texts(prompt.towns);
    const town = towns[0] ?? "";
    const attacks = isMap(board.attacks) ? board.attacks : {};
    const attack = isMap(attacks[town]) ? attacks[town] : {};
    const attackers = counts(attack.attackers);
    return {
        towns: towns.length,
        in_t: townPhrase(town, "in"),
        forced: texts(prompt.must_retreat).includes(town),
        units_t: list(attackers.map(([nation, n]) => nationUnits(n, nation))),
        n: attackers.reduce((sum, [, n]) => sum + n, 0),
    };
}

/** The arguments that the messages of a prompt take. */
function argsOf(view: Asked, id: string, prompt: Json): Args {
    const board = view.board as Json;
    const place = text(prompt.battle) || text(prompt.town) || texts(prompt.must_act)[0] || "";
    const in_t = place === "" ? "" : townPhrase(place, "in");
    switch (id) {
        case "place_units": return { nation: view.as ?? view.to_act[0] ?? "", left: number(prompt.unplaced) };
        case "move": return {
            towns: groupsLeft(board), each: size(board.groups) > 1, attacks: size(board.attacks),
            night: (view.turn as { night?: boolean } | undefined)?.night === true,
        };
        case "respond": return respond(prompt, board);
        case "allot": return { in_t, hits: number(prompt.hits), stage: text(prompt.stage) };
        case "combat": return {
            in_t, must: place !== "", n: number(prompt.n), battles: size(board.battles),
        };
        case "remove_units": return {
            units_t: list(counts(prompt.debt).map(([nation, n]) => nationUnits(n, nation, "object"))),
        };
        default: return { in_t };
    }
}

function waiting(view: Asked): PromptWords {
    const who = view.waits_for.length > 0 ? view.waits_for : view.to_act;
    return {
        headline: t("prompt.wait.headline", {
            side_t: list(who.map((seat) => sideName(seat))), state: view.state,
        }),
        sentence: tt("prompt.wait.sentence"),
        button: t("prompt.wait.button"),
    };
}

/** The words of a view's prompt, for the seat that must act and for those who wait. */
export function promptWords(view: Asked): PromptWords {
    const board = view.board as Json;
    if (view.state === "GAME_OVER") {
        const result = isMap(board.result) ? board.result : {};
        const how = { winner: text(result.winner), why: text(result.why) };
        return {
            headline: t("prompt.game_over.headline", how),
            sentence: tt("prompt.game_over.sentence", how),
            button: t("prompt.game_over.button"),
        };
    }
    const prompt = view.prompt as Json | undefined;
    if (prompt === undefined) return waiting(view);
    const id = text(prompt.id);
    if (!has(`prompt.${id}.headline`)) {
        return { headline: t("prompt.other.headline"), sentence: [], button: t("prompt.wait.button") };
    }
    const args = argsOf(view, id, prompt);
    const all = id === "respond" && args.towns === 0;
    return {
        headline: t(`prompt.${id}.headline`, args),
        sentence: all ? [] : tt(`prompt.${id}.sentence`, args),
        button: t(`prompt.${id}.button`, args),
    };
}
