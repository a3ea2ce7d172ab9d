/** Napoléon à Austerlitz in words: counters on hexes, their combats, the tracks. A unit is told by its name
 * to those who may know it, to all others by side, type and hex. */
import { t as message, tt } from "../catalogue";
import type { Args, Token } from "../format";
import { hexPhrase, list, mark, sideName, unitOf } from "../names";
import type { HexForm } from "../names";
import { counts, isMap, items, number, text, texts, viewOf } from "../reader";
import type { Json } from "../reader";
import { say } from "../telling";
import type { Asked, GameWords, PromptWords, Telling } from "../telling";

const GAME = "austerlitz";

/** The side of a unit by its id: French counters begin with a figure, or are of the Guard or a corps. */
function sideOfUnit(id: string): string {
    return /^([0-9]|[AC]0|IC$|CG$|AG$)/.test(id) ? "french" : "allied";
}

function seatOf(side: string): string {
    return side === "french" ? "FR" : "AL";
}

function view(t: Telling, side: string): string {
    return viewOf(t.viewer, seatOf(side));
}

function hex(id: unknown, form: HexForm = "coded"): Token[] {
    return hexPhrase(GAME, text(id), form);
}

/** A unit: "the 1st Division of IV Corps (104)"; of one that is not known "an Allied battery", where
 * the sentence does not tell its hex with that. */
function unit(t: Telling, of: unknown, where: boolean, more = false): Token[] {
    if (typeof of === "string") {
        const own = view(t, sideOfUnit(of)) === "own";
        return tt("unit.coded", { unit_t: unitOf(GAME, of, own ? (more ? "more" : "own") : "the"), code: of });
    }
    const about = isMap(of) ? of : {};
    const mute = tt("unit.austerlitz.mute", { side: text(about.side), type: text(about.type) });
    const unit_t = mark(mute, { town: text(about.hex) });
    return where ? tt("unit.austerlitz.mute_at", { unit_t, in_t: hex(about.hex, "in") }) : unit_t;
}

function unitList(t: Telling, of: unknown): Token[] {
    const all = Array.isArray(of) ? (of as unknown[]) : [];
    return list(all.map((one, i) => unit(t, one, true, i > 0)));
}

function size(of: unknown): number {
    return Array.isArray(of) ? of.length : 0;
}

/** An event of one unit that goes from one hex to another. */
function step(t: Telling, key: string, to: unknown): void {
    say(t, key, { unit_t: unit(t, t.ev.unit, false), from_t: hex(t.ev.from, "from"), to_t: hex(to, "to") });
}

function moved(t: Telling): void {
    const path = texts(t.ev.path);
    // Who only steps off the map is told of by what follows.
    if (path.length > 0) step(t, "event.austerlitz.moved", path[path.length - 1]);
}

/** What an army has lost so far, and where it breaks. */
function track(t: Telling, side: string): void {
    say(t, "event.austerlitz.track", {
        view: view(t, side), side_t: sideName(side), lost: number(t.ev.P),
        breaks: typeof t.ev.D === "number", at: number(t.ev.D),
    });
}

function leftMap(t: Telling): void {
    say(t, "event.austerlitz.left_map", { unit_t: unit(t, t.ev.unit, true), box: text(t.ev.box) });
    if (text(t.ev.box) !== "vienna") track(t, text(t.ev.side));
}

function combat(t: Telling, index: string, entry: Json): void {
    const contact = size(entry.contact);
    const guns = size(entry.bombard);
    const args = { index, units_t: unitList(t, entry.contact), guns_t: unitList(t, entry.bombard), defenders_t: unitList(t, entry.defenders) };
    if (entry.hex !== undefined) say(t, "event.austerlitz.ice_shot", { index, unit_t: unit(t, entry.artillery, true), in_t: hex(entry.hex, "in") });
    else if (guns === 0) say(t, "event.austerlitz.combat", { ...args, n: contact });
    else if (contact === 0) say(t, "event.austerlitz.bombardment", { ...args, n: guns });
    else say(t, "event.austerlitz.combat_both", { ...args, n: contact });
}

function declared(t: Telling): void {
    const plan = Object.entries(isMap(t.ev.plan) ? t.ev.plan : {}).sort((a, b) => Number(a[0]) - Number(b[0]));
    say(t, "event.austerlitz.declared", { n: plan.length });
    for (const [index, entry] of plan) if (isMap(entry)) combat(t, index, entry);
}

function reveal(t: Telling): void {
    const units = items(t.ev.units).map((one) => tt("unit.with_potential", {
        unit_t: unit(t, text(one.id), false), potential: number(one.potential),
    }));
    say(t, "event.austerlitz.reveal", { index: number(t.ev.index), units_t: list(units) });
}

/** A figure with its sign, for a modifier. */
function signed(n: number): string {
    return n < 0 ? `−${-n}` : `+${n}`;
}

function rolled(t: Telling): void {
    const die = number(t.ev.die);
    say(t, "event.austerlitz.rolled", {
        index: number(t.ev.index), attack: number(t.ev.attack), defence: number(t.ev.defence),
        odds: text(t.ev.odds), row: text(t.ev.row), shifted: t.ev.row !== t.ev.odds,
        dice_t: [{ text: message("list.dice", { dice: String(die) }), dice: [die] }],
        modified: number(t.ev.modifier) !== 0, modifier: signed(number(t.ev.modifier)),
        final_die: number(t.ev.final_die), result: text(t.ev.result),
    });
}

function eliminated(t: Telling): void {
    say(t, "event.austerlitz.eliminated", { units_t: unitList(t, t.ev.units), n: size(t.ev.units) });
    track(t, text(t.ev.side));
}

/** fog, night, or neither. */
function light(turn: Json): string {
    if (turn.fog === true || turn.turn === 1) return "fog";
    return turn.night === true || turn.turn === 12 ? "night" : "day";
}

/** "Turn 3, 09:00 to 10:00" of a view's turn or a turn event. */
function when(turn: object): string {
    const n = number((turn as Json).turn);
    return message("date.turn", { turn: n, hours_t: tt("date.hours", { from: n + 6, to: n + 7 }, false) });
}

function degree(of: Json): Token[] {
    return tt("degree.austerlitz", { degree: text(of.degree).replaceAll(" ", "_") }, false);
}

function over(t: Telling): void {
    say(t, "event.austerlitz.over", { winner: text(t.ev.winner), degree_t: degree(t.ev) });
    // Who left, and what was agreed, the host tells; the score decided nothing then.
    if (t.ev.resigned !== undefined || t.ev.agreed === true) return;
    for (const side of ["french", "allied"]) {
        const score = Object.fromEntries(counts(t.ev[side]));
        say(t, "event.austerlitz.score", { side_t: sideName(side), losses: score.losses ?? 0, points: score.points ?? 0 });
    }
    const encircled = texts(t.ev.encircled);
    if (encircled.length > 0) say(t, "event.austerlitz.encircled", { hexes_t: hexes(encircled) });
}

function hexes(of: readonly string[]): Token[] {
    return list(of.map((id) => hex(id)));
}

const kinds: GameWords["kinds"] = {
    moved,
    left_map: leftMap,
    bridge_destroyed: (t) => say(t, "event.austerlitz.bridge_destroyed", {
        unit_t: unit(t, t.ev.unit, true), bridge_t: tt(`place.austerlitz.${text(t.ev.bridge)}`),
    }),
    declared,
    dropped: (t) => say(t, "event.austerlitz.dropped", { index: number(t.ev.index), units_t: unitList(t, t.ev.units) }),
    void: (t) => say(t, "event.austerlitz.void", { index: number(t.ev.index) }),
    reveal,
    rolled,
    ice_broken: (t) => say(t, "event.austerlitz.ice_broken", { in_t: hex(t.ev.hex, "in") }),
    eliminated,
    displaced: (t) => step(t, "event.austerlitz.displaced", t.ev.to),
    stayed: (t) => say(t, "event.austerlitz.stayed", { unit_t: unit(t, t.ev.unit, true) }),
    advanced: (t) => step(t, "event.austerlitz.advanced", t.ev.to),
    held: (t) => say(t, "event.austerlitz.held", { index: number(t.ev.index) }),
    demoralised: (t) => say(t, "event.austerlitz.demoralised", { view: view(t, text(t.ev.side)), side_t: sideName(text(t.ev.side)) }),
    concealed: (t) => say(t, "event.austerlitz.concealed", { index: number(t.ev.index) }),
    turn: (t) => say(t, "event.austerlitz.turn", { slot_t: when(t.ev), light: light(t.ev) }),
    phase: (t) => say(t, "event.austerlitz.phase", {
        state: text(t.ev.state), view: view(t, text(t.ev.side)), side_t: sideName(text(t.ev.side)),
    }),
    over,
};

function argsOf(view: Asked, id: string, prompt: Json): Args {
    switch (id) {
        case "move": return { left: number(prompt.left), light: light((view.turn ?? {}) as Json) };
        case "resolve": return { pending: number(prompt.pending) };
        case "exchange": return { due: number(prompt.due) };
        case "retreat":
        case "battery": return { hexes_t: hexes(texts(prompt.units)), n: size(prompt.units) };
        case "advance": return { hexes_t: hexes(texts(prompt.hexes)) };
        default: return {};
    }
}

function ended(view: Asked): PromptWords | null {
    if (view.state !== "OVER") return null;
    const board = view.board as Json;
    const result = isMap(board.result) ? board.result : {};
    const score = (side: string): Record<string, number> => Object.fromEntries(counts(result[side]));
    const how = result.resigned !== undefined ? "resigned" : result.agreed === true ? "agreed" : "score";
    return {
        headline: message("prompt.austerlitz.over.headline", { winner: text(result.winner), degree_t: degree(result) }),
        sentence: tt("prompt.austerlitz.over.sentence", {
            how,
            french_losses: score("french").losses ?? 0, allied_losses: score("allied").losses ?? 0,
            french_points: score("french").points ?? 0, allied_points: score("allied").points ?? 0,
        }),
        button: message("prompt.game_over.button"),
    };
}

const words: GameWords = {
    kinds, infix: "austerlitz.", clockSteps: ["move", "combat"],
    side: (seat) => (seat === "FR" ? "french" : seat === "AL" ? "allied" : seat),
    when,
    argsOf,
    over: ended,
};
export default words;
