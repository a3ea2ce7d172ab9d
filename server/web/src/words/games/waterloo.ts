/** Waterloo in words: blocks in towns, their marches and battles. */
import { has, t as message, tt } from "../catalogue";
import { plain } from "../format";
import type { Args, Token } from "../format";
import { list, nationUnits, sideName, slot, townPhrase, unitPhrase } from "../names";
import { armOf } from "../arms";
import { counts, isMap, items, number, owns, sideOf, text, texts, viewOf } from "../reader";
import type { Json } from "../reader";
import { bySeat, say } from "../telling";
import type { Asked, GameWords, PromptWords, Telling } from "../telling";

/** With the town before it while several battles go on. */
function sayAt(t: Telling, key: string, args: Args): void {
    const town = text(t.ev.battle);
    const several = isMap(t.board.battles) && Object.keys(t.board.battles).length > 1;
    if (several) t.out.push(tt("event.at", { town_t: townPhrase(town), what_t: tt(key, args, false) }));
    else t.out.push(tt(key, args));
}

function bySide(t: Telling, member = "side"): Args {
    const side = text(t.ev[member]);
    return { side_t: sideName(side), view: viewOf(t.viewer, side) };
}

/** Units by name: the reader's own are his, the first of a list says so; those of one name together. */
function unitList(t: Telling, ids: readonly string[], role: "the" | "name" = "the"): Token[] {
    const by = new Map<string, string[]>();
    for (const id of ids) {
        const name = plain(unitPhrase(id));
        by.set(name, [...(by.get(name) ?? []), id]);
    }
    const firsts = [...by.values()];
    return list(firsts.map((same, i) => {
        const id = same[0] ?? "";
        const own = role === "the" && owns(t.viewer, id);
        const begins = i === 0 || !owns(t.viewer, firsts[i - 1]?.[0] ?? "");
        const unit_t = unitPhrase(id, own ? (begins ? "own" : "more") : role);
        return same.length === 1 ? unit_t : tt("unit.times", { unit_t, n: same.length });
    }));
}

/** Units by number: five French units. */
function countList(of: unknown, form: "" | "object" = ""): Token[] {
    return list(counts(of).map(([nation, n]) => nationUnits(n, nation, form)));
}

function total(of: unknown): number {
    return counts(of).reduce((sum, [, n]) => sum + n, 0);
}

/** Units by name or by number, as the event has them. */
function either(t: Telling, of: unknown): { units_t: Token[]; n: number } {
    if (Array.isArray(of)) return { units_t: unitList(t, texts(of)), n: of.length };
    return { units_t: countList(of), n: total(of) };
}

function dice(values: unknown): Token[] {
    const all = Array.isArray(values) ? values.filter((v): v is number => typeof v === "number") : [];
    if (all.length === 0) return tt("list.none");
    return [{ text: message("list.dice", { dice: plain(list(all.map(String), "list.comma")) }), dice: all }];
}

/** "from Charleroi through Laneffe to Ligny" of an item or a group. */
function way(item: Json, from = ""): Token[] {
    const towns = texts(item.path);
    const through = towns.slice(0, -1).map((id) => townPhrase(id, "by"));
    return tt("way", {
        from_t: townPhrase(text(item.from) || from, "from"),
        via: through.length > 0,
        by_t: through.length > 0 ? list(through, "list.via") : "",
        to_t: townPhrase(towns[towns.length - 1] ?? "", "to"),
    });
}

function sameWay(a: Json, b: Json): boolean {
    return a.from === b.from && a.forced === b.forced &&
        JSON.stringify(a.path) === JSON.stringify(b.path) &&
        text(a.unit).slice(0, 2) === text(b.unit).slice(0, 2);
}

/** A sentence for each way: named units on the same way together, groups as they are. */
function ways(t: Telling, list_: unknown, key: string, more: Args = {}): void {
    const all = items(list_);
    all.forEach((item, i) => {
        const args = { ...more, way_t: way(item, text(t.ev.town)), forced: item.forced === true };
        if (typeof item.count === "number") {
            const units_t = nationUnits(item.count, text(item.nation));
            say(t, key, { ...args, units_t, n: item.count });
        } else if (!all.slice(0, i).some((before) => sameWay(before, item))) {
            const ids = all.filter((other) => sameWay(other, item)).map((other) => text(other.unit));
            say(t, key, { ...args, units_t: unitList(t, ids), n: ids.length });
        }
    });
}

/** A sentence for each entry of {unit: steps} that lost something. */
function attrition(t: Telling): void {
    for (const [unit, lost] of counts(t.ev.attrition)) {
        if (lost > 0) sayAt(t, "event.attrition", { unit_t: unitList(t, [unit]), lost });
    }
}

function placed(t: Telling): void {
    const by = new Map<string, string[]>();
    for (const item of items(t.ev.placements)) {
        const town = text(item.town);
        by.set(town, [...(by.get(town) ?? []), text(item.unit)]);
    }
    for (const [town, ids] of by) {
        say(t, "event.placed", { units_t: unitList(t, ids), n: ids.length, in_t: townPhrase(town, "in") });
    }
}

function turn(t: Telling): void {
    const slot_t = slot({ slot: number(t.ev.slot) });
    say(t, "event.turn", { ...bySide(t), slot_t, night: t.ev.night === true });
}

function marched(t: Telling): void {
    if (items(t.ev.marches).length === 0) say(t, "event.marched.none", bySide(t));
    else ways(t, t.ev.marches, "event.marched");
}

function marchDice(t: Telling): void {
    for (const one of items(t.ev.dice)) {
        say(t, "event.march_dice.unit", {
            unit_t: unitList(t, [text(one.unit)]), dice_t: dice([one.die]), lost: number(one.lost),
        });
    }
    if (!Array.isArray(t.ev.marches)) return;
    for (const group of items(t.ev.marches)) {
        const units_t = nationUnits(number(group.count), text(group.nation));
        say(t, "event.march_dice.group", { units_t, way_t: way(group), dice_t: dice(group.dice) });
    }
    say(t, "event.march_dice.sum", { lost: number(t.ev.lost) });
}

function attacked(t: Telling): void {
    const town = text(t.ev.town);
    const view = viewOf(t.viewer, text(t.ev.side));
    // With three players it may be the ally who stands there: it is told as it is to all.
    const shared = t.viewer === "AD" || t.viewer === "PR";
    say(t, "event.attacked", {
        view: shared && view === "enemy" ? "other" : view, units_t: countList(t.ev.units),
        on_t: townPhrase(town, "on"), in_t: townPhrase(town, "in"), roads: texts(t.ev.roads).length,
    });
}

function stranded(t: Telling): void {
    const { units_t, n } = either(t, t.ev.stranded);
    if (n > 0) say(t, "event.stranded", { units_t, in_t: inTown(t) });
}

function inTown(t: Telling): Token[] {
    return townPhrase(text(t.ev.town) || text(t.ev.battle), "in");
}

function deployed(t: Telling): void {
    const columns = isMap(t.ev.columns) ? t.ev.columns : {};
    const args = { ...bySide(t), in_t: inTown(t) };
    if (Object.values(columns).some(Array.isArray)) {
        const names = (k: string): Token[] => unitList(t, texts(columns[k]), "name");
        say(t, "event.deployed.units", {
            ...args, left_t: names("1"), centre_t: names("2"), right_t: names("3"),
            reserve_t: names("reserve"),
        });
    } else {
        say(t, "event.deployed.counts", {
            ...args, left: total(columns["1"]), centre: total(columns["2"]), right: total(columns["3"]),
            reserve: total(columns.reserve),
        });
    }
}

function withCv(unit: string, cv: number): Token[] {
    return tt("unit.with_cv", { unit_t: unitPhrase(unit), cv });
}

function revealed(t: Telling): void {
    const units = isMap(t.ev.units) ? Object.entries(t.ev.units).filter((e): e is [string, Json] => isMap(e[1])) : [];
    say(t, "event.revealed", { in_t: inTown(t) });
    for (const lane of [1, 2, 3]) {
        const of = (side: string): Token[] => list(units
            .filter(([id, u]) => number(u.lane) === lane && sideOf(id.slice(0, 2)) === side)
            .map(([id, u]) => withCv(id, number(u.cv))));
        if (!units.some(([, u]) => number(u.lane) === lane)) continue;
        sayAt(t, "event.revealed.lane", { where_t: tt("list.lane", { lane }), french_t: of("FR"), allies_t: of("AL") });
    }
}

function combatTurn(t: Telling): void {
    const ct = isMap(t.ev.ct) ? t.ev.ct : {};
    say(t, "event.combat_turn", { ...bySide(t), n: number(ct.n) });
}

function fired(t: Telling): void {
    const unit = text(t.ev.unit);
    const target = text(t.ev.target);
    const double = number(t.ev.hit_on) === 5;
    const charge = double && armOf(unit) === "cavalry";
    sayAt(t, charge ? "event.charged" : "event.fired", {
        unit_t: unitList(t, [unit]), target_t: unitPhrase(target, charge ? "the" : "at"),
        mode: double ? "double" : "plain", dice_t: dice(t.ev.dice), hits: number(t.ev.hits),
    });
}

function morale(t: Telling): void {
    sayAt(t, "event.morale", {
        unit_t: unitList(t, [text(t.ev.unit)]), dice_t: dice([t.ev.die]), good: t.ev.good === true,
    });
}

function moved(t: Telling): void {
    const key = `event.${text(t.ev.kind)}`;
    sayAt(t, has(key) ? key : "event.redeploy", {
        unit_t: unitList(t, [text(t.ev.unit)]), lane: number(t.ev.to) || number(t.ev.from),
        cv: number(t.ev.cv),
    });
}

function routed(t: Telling): void {
    say(t, "event.routed", { ...bySide(t), in_t: inTown(t) });
    attrition(t);
    const n = total(t.ev.reserve);
    if (n > 0) say(t, "event.routed.reserve", { units_t: countList(t.ev.reserve), n });
}

function battleOver(t: Telling): void {
    const left = counts(t.ev.survivors);
    const named = left.some(([id]) => id.length > 2);
    say(t, "event.battle_over", {
        ...bySide(t, "winner"), in_t: inTown(t),
        units_t: named ? list(left.map(([id, cv]) => withCv(id, cv))) : countList(t.ev.survivors, "object"),
    });
}

function reinforced(t: Telling): void {
    say(t, "event.reinforced", {
        ...either(t, t.ev.units), from_t: townPhrase(text(t.ev.from), "from"),
        to_t: townPhrase(text(t.ev.battle), "to"),
    });
}

function eliminated(t: Telling): void {
    say(t, "event.eliminated", {
        unit_t: unitList(t, [text(t.ev.unit)]), why: text(t.ev.why), place: text(t.ev.town) !== "",
        in_t: inTown(t),
    });
}

function automatic(t: Telling): void {
    const town = text(t.ev.town) || text(t.ev.battle);
    say(t, "event.automatic", { place: town !== "", town_t: townPhrase(town) });
}

function surrendered(t: Telling): void {
    const left = number(t.ev.left);
    say(t, "event.surrendered", {
        side_t: sideName(text(t.ev.nation)), left, units_t: nationUnits(left, text(t.ev.nation)),
    });
}

/** One function a kind; `deployed` and its like tell what their event gives them. */
const kinds: GameWords["kinds"] = {
    placed,
    setup_confirmed: (t) => say(t, "event.setup_confirmed", bySeat(t)),
    turn,
    drafted: (t) => ways(t, t.ev.marches, "event.drafted"),
    undrafted: (t) => say(t, "event.undrafted", { units_t: unitList(t, texts(t.ev.units), "name") }),
    ended: (t) => say(t, "event.ended", { ...bySeat(t), step: text(t.ev.step) }),
    end_withdrawn: (t) => say(t, "event.end_withdrawn", bySeat(t)),
    automatic,
    marched,
    march_dice: marchDice,
    attacked,
    fight_chosen: (t) => say(t, "event.fight_chosen", { ...bySeat(t), in_t: inTown(t) }),
    retreat_chosen: (t) => { ways(t, t.ev.routes, "event.retreat_chosen"); stranded(t); },
    answer_void: (t) => say(t, "event.answer_void", { ...bySeat(t), in_t: inTown(t) }),
    pursuit: (t) => say(t, "event.pursuit", {
        view: viewOf(t.viewer, text(t.ev.side)), in_t: inTown(t), stage: text(t.ev.stage),
        dice_t: dice(t.ev.dice), hits: number(t.ev.hits),
    }),
    allotted: (t) => items(t.ev.losses).forEach((one) => say(t, "event.allotted", {
        unit_t: unitList(t, [text(one.unit)]), lost: number(one.cv),
    })),
    retreated: (t) => {
        attrition(t);
        ways(t, t.ev.routes, "event.retreated", { kind: text(t.ev.kind) });
        ways(t, t.ev.hidden, "event.retreated", { kind: text(t.ev.kind) });
    },
    deployed,
    revealed,
    combat_turn: combatTurn,
    fired,
    morale,
    moved,
    routed,
    battle_over: battleOver,
    reinforced,
    supply_due: (t) => say(t, "event.supply_due", { units_t: countList(t.ev.debt) }),
    supply_removed: (t) => {
        const ids = texts(t.ev.units);
        say(t, "event.supply_removed", { units_t: unitList(t, ids), n: ids.length });
    },
    eliminated,
    surrendered,
    game_over: (t) => say(t, "event.game_over", { winner: text(t.ev.winner), why: text(t.ev.why) }),
};

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

function over(view: Asked): PromptWords | null {
    if (view.state !== "GAME_OVER") return null;
    const board = view.board as Json;
    const result = isMap(board.result) ? board.result : {};
    const how = { winner: text(result.winner), why: text(result.why) };
    return {
        headline: message("prompt.game_over.headline", how),
        sentence: tt("prompt.game_over.sentence", how),
        button: message("prompt.game_over.button"),
    };
}

const words: GameWords = {
    kinds, infix: "", clockSteps: ["set_up", "move", "respond", "deploy", "combat", "supply"],
    side: (seat) => seat,
    when: (turn) => slot(turn as Parameters<typeof slot>[0]),
    argsOf,
    over,
};
export default words;
