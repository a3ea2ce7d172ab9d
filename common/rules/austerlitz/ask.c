/* common/rules/austerlitz/ask.c: questions that a viewer could answer himself (position.md, section
 * 4). */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/austerlitz/flow.h"
#include "common/rules/austerlitz/offers.h"

enum { TREE_HEXES_MAX = 400 };

/* One question. */
struct ask {
    const struct state *s;
    unsigned viewer;
    const cJSON *json;
    struct buf *out;
    struct why *why;
    struct au_now now;
};

static void key_name(const struct ask *a, unsigned unit)
{
    if (au_knows(a->s, a->viewer, au_side(unit))) {
        jw_key(a->out, au_unit_facts[unit].id);
    } else {
        au_key_hex_of(a->out, a->s->unit[unit].hex);
    }
}

/* The member unit, on the map. own: in semi-blind mode only those the viewer knows. */
static enum err find_unit(const struct ask *a, bool own, unsigned *out)
{
    struct au_name name;
    enum err err = au_read_name(a->s, a->viewer, json_get(a->json, "unit"), "unit", &name, a->why);
    if (err != ERR_OK) { return err; }
    unsigned unit = au_find_named(a->s, &a->now, a->viewer, name);
    if (unit == AU_NONE) { return au_refuse(a->why, "15.3"); }
    if (own && !au_knows(a->s, a->viewer, au_side(unit))) { return au_refuse(a->why, "15.3"); }
    if (!au_on_map(a->s, unit)) { return au_refuse(a->why, "9.1"); }
    *out = unit;
    return ERR_OK;
}

static bool in_own_phase(const struct state *s, unsigned unit)
{
    return s->step == AU_MOVE && s->side == au_side(unit);
}

static enum err ask_move(struct ask *a)
{
    struct au_way way;
    struct au_costs costs;
    unsigned unit = 0;
    enum err err = au_read_way(a->json, &way, a->why);
    if (err == ERR_OK) { err = find_unit(a, true, &unit); }
    if (err != ERR_OK) { return err; }
    bool own = in_own_phase(a->s, unit);
    const char *rule = au_forbid_move(a->s, &a->now, unit, &way, own, &costs);
    jw_object_begin(a->out);
    jw_key_bool(a->out, "legal", rule == NULL);
    jw_key_int(a->out, "movement_points", au_points(a->s, unit, own));
    if (rule != NULL) {
        jw_key_str(a->out, "rule", rule);
    } else {
        jw_key_int(a->out, "cost", costs.total);
        jw_key_array(a->out, "step_costs");
        for (unsigned i = 0; i < costs.count; i++) {
            jw_int(a->out, costs.step[i]);
        }
        jw_array_end(a->out);
    }
    jw_object_end(a->out);
    return ERR_OK;
}

/* By edge, by hex: what leaving there costs in all, and the box it leads to. */
static void write_exits(struct ask *a, const struct au_reach *reach, unsigned unit, unsigned points)
{
    unsigned enemy = 1U << au_other(au_side(unit)), from = a->s->unit[unit].hex;
    jw_key_object(a->out, "exits");
    for (unsigned edge = 0; edge < AU_EDGES; edge++) {
        bool begun = false;
        for (unsigned hex = 0; hex < AU_HEXES; hex++) {
            if (reach->cost[hex] == AU_NEVER || !au_hex_is_at(hex, edge)) { continue; }
            if (hex != from && (a->now.control[hex] & enemy) != 0) { continue; }
            unsigned cost = reach->cost[hex] + au_exit_cost(a->s, &a->now, unit, hex);
            if (cost > points) { continue; }
            if (!begun) { jw_key_object(a->out, au_edge_ids[edge]); }
            begun = true;
            au_key_hex_of(a->out, hex);
            jw_object_begin(a->out);
            jw_key_int(a->out, "cost", cost);
            jw_key_str(a->out, "box", au_place_ids[au_exit_box(unit, hex, edge)]);
            jw_object_end(a->out);
        }
        if (begun) { jw_object_end(a->out); }
    }
    jw_object_end(a->out);
}

/* By hex, friends' hexes on the way too: the hex before on a way that costs least. */
static void write_ways(struct ask *a, const struct au_reach *reach)
{
    jw_key_object(a->out, "from");
    for (unsigned hex = 0; hex < AU_HEXES; hex++) {
        if (reach->cost[hex] == AU_NEVER || reach->cost[hex] == 0) { continue; }
        au_key_hex_of(a->out, hex);
        au_write_hex(a->out, reach->from[hex]);
    }
    jw_object_end(a->out);
}

static enum err ask_reach(struct ask *a)
{
    struct au_reach reach;
    unsigned unit = 0;
    enum err err = find_unit(a, true, &unit);
    if (err != ERR_OK) { return err; }
    bool own = in_own_phase(a->s, unit);
    au_find_reach(a->s, &a->now, unit, own, &reach);
    jw_object_begin(a->out);
    jw_key_object(a->out, "hexes");
    for (unsigned hex = 0; hex < AU_HEXES; hex++) {
        if (reach.cost[hex] == AU_NEVER || a->now.at[hex] != AU_NONE) { continue; }
        au_key_hex_of(a->out, hex);
        jw_int(a->out, reach.cost[hex]);
    }
    jw_object_end(a->out);
    write_ways(a, &reach);
    write_exits(a, &reach, unit, au_points(a->s, unit, own));
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_row(struct ask *a)
{
    int64_t attack = 0, defence = 0;
    unsigned attacker = 0;
    enum err err = json_read_int(a->json, "!attack", 1, 1000, &attack, a->why);
    if (err == ERR_OK) { err = json_read_int(a->json, "!defence", 1, 1000, &defence, a->why); }
    if (err == ERR_OK) { err = au_read_side(a->json, "attacker", &attacker, a->why); }
    if (err != ERR_OK) { return err; }
    unsigned odds = au_odds_row((unsigned)attack, (unsigned)defence);
    jw_object_begin(a->out);
    jw_key_str(a->out, "odds", au_row_ids[odds]);
    jw_key_str(a->out, "row", au_row_ids[au_shift_row(a->s, attacker, odds)]);
    jw_object_end(a->out);
    return ERR_OK;
}

static void write_term(struct ask *a, const char *what, int die)
{
    jw_object_begin(a->out);
    jw_key_str(a->out, "what", what);
    jw_key_int(a->out, "die", die);
    jw_object_end(a->out);
}

/* What the die's modifier is made of (6.7), with what counts nothing because a rule says so. */
static void write_terms(struct ask *a, const struct au_die *die)
{
    static const char *const sides[AU_HEXSIDES] = {"", "stream", "bank", "escarpment"};
    jw_key(a->out, "by");
    au_write_hex(a->out, die->hex);
    jw_key_array(a->out, "terms");
    if (die->fortified) { write_term(a, "fortified", 0); }
    if (die->ground != 0) {
        write_term(a, au_terrain_ids[au_hexes[die->hex].terrain], die->ground);
    }
    if (die->height != 0) { write_term(a, "height", die->height); }
    if (die->side != AU_OPEN) { write_term(a, sides[die->side], die->across); }
    jw_array_end(a->out);
}

static void write_odds(struct ask *a, const struct au_entry *entry)
{
    const struct state *s = a->s;
    uint64_t helpless = au_helpless_of(s, entry->defenders);
    uint64_t left = entry->defenders & ~helpless;
    jw_object_begin(a->out);
    if (au_ice_of(s, entry->bombard, entry->defenders) != HEX_NONE) {
        jw_key_bool(a->out, "ice_shot", true);
        jw_object_end(a->out);
        return;
    }
    if (helpless != 0) {
        jw_key(a->out, "no_die");
        au_write_names(s, a->viewer, helpless, false, a->out);
    }
    if (left != 0) {
        struct au_die die = au_die_of(s, entry->contact, entry->bombard, left);
        jw_key_int(a->out, "modifier", die.sum);
        write_terms(a, &die);
    }
    bool knows = au_knows(s, a->viewer, AU_FRENCH) && au_knows(s, a->viewer, AU_ALLIED);
    if (left != 0 && knows) { /* 15.8: else not before the die */
        unsigned attack = au_attack_total(s, entry->contact, entry->bombard);
        unsigned defence = au_defence_total(s, left), odds = au_odds_row(attack, defence);
        jw_key_int(a->out, "attack", attack);
        jw_key_int(a->out, "defence", defence);
        jw_key_str(a->out, "odds", au_row_ids[odds]);
        jw_key_str(a->out, "row", au_row_ids[au_shift_row(s, s->side, odds)]);
    }
    jw_object_end(a->out);
}

static enum err ask_odds(struct ask *a)
{
    struct au_action action;
    struct au_entry entry;
    memset(&action, 0, sizeof action);
    enum err err = au_read_entry(a->s, a->viewer, a->json, &action, a->why);
    if (err != ERR_OK) { return err; }
    if (!au_find_entry(a->s, &a->now, a->viewer, &action, 0, &entry)) {
        return au_refuse(a->why, "15.3");
    }
    const char *rule = au_forbid_entry(a->s, &a->now, a->s->side, &entry);
    if (rule != NULL) { return au_refuse(a->why, rule); }
    write_odds(a, &entry);
    return ERR_OK;
}

/* 7.2, 7.3 as a tree; false: it has too many hexes to be told. */
static bool write_tree(struct ask *a, unsigned unit, uint64_t seen, unsigned *budget)
{
    static const uint8_t ascending[HEX_SIDES] = {HEX_NW, HEX_SW, HEX_N, HEX_S, HEX_NE, HEX_SE};
    unsigned free = au_free_sides(a->s, &a->now, unit);
    unsigned sides = free != 0 ? free : au_chain_sides(a->s, &a->now, unit, seen);
    jw_object_begin(a->out);
    for (unsigned i = 0; i < HEX_SIDES; i++) {
        if ((sides >> ascending[i] & 1U) == 0) { continue; }
        unsigned to = au_next(a->s->unit[unit].hex, ascending[i]);
        if (*budget == 0) { return false; }
        (*budget)--;
        au_key_hex_of(a->out, to);
        if (free != 0) {
            jw_object_begin(a->out);
            jw_object_end(a->out);
        } else if (!write_tree(a, a->now.at[to], seen | au_bit(unit), budget)) {
            return false;
        }
    }
    jw_object_end(a->out);
    return true;
}

static enum err ask_retreats(struct ask *a)
{
    unsigned unit = 0, budget = TREE_HEXES_MAX;
    enum err err = find_unit(a, false, &unit);
    if (err != ERR_OK) { return err; }
    jw_object_begin(a->out);
    jw_key(a->out, "hexes");
    if (!write_tree(a, unit, 0, &budget)) {
        return why_text(a->why, ERR_TOO_LARGE, "There are too many ways to list.");
    }
    jw_object_end(a->out);
    return ERR_OK;
}

static void write_paths(struct ask *a, const char *name, const struct au_shot *shot, bool free)
{
    jw_key_array(a->out, name);
    for (unsigned i = 0; i < shot->count; i++) {
        if (free && (shot->free >> i & 1U) == 0) { continue; }
        jw_array_begin(a->out);
        for (unsigned k = 0; k < shot->path[i].len; k++) {
            au_write_hex(a->out, shot->path[i].hex[k]);
        }
        jw_array_end(a->out);
    }
    jw_array_end(a->out);
}

static enum err ask_shot(struct ask *a, bool ice)
{
    struct au_shot shot;
    unsigned unit = 0;
    uint16_t hex = 0;
    enum err err = au_read_hex(json_get(a->json, "hex"), "hex", &hex, a->why);
    if (err == ERR_OK) { err = find_unit(a, false, &unit); }
    if (err != ERR_OK) { return err; }
    const char *rule = au_forbid_shot(a->s, unit, hex, ice ? 1 : au_tables.range_min, &shot);
    bool artillery = au_type(unit) == AU_ARTILLERY;
    const char *no_ice = au_forbid_ice_hex(a->s, &a->now, au_side(unit), hex);
    if (ice && artillery && no_ice != NULL) {
        rule = no_ice;
        shot.count = 0;
    }
    jw_object_begin(a->out);
    jw_key_bool(a->out, "legal", rule == NULL);
    jw_key_int(a->out, "distance", shot.distance);
    if (rule != NULL) { jw_key_str(a->out, "rule", rule); }
    if (shot.count > 0) {
        write_paths(a, "trajectories", &shot, false);
        write_paths(a, "free", &shot, true);
    }
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_bombard(struct ask *a)
{
    return ask_shot(a, false);
}

static enum err ask_ice_shot(struct ask *a)
{
    return ask_shot(a, true);
}

static void write_hexes(struct ask *a, uint64_t set)
{
    uint8_t list[AU_UNITS];
    unsigned n = au_list_by_hex(a->s, set, list);
    jw_array_begin(a->out);
    for (unsigned i = 0; i < n; i++) {
        au_write_hex(a->out, a->s->unit[list[i]].hex);
    }
    jw_array_end(a->out);
}

/* 6.2. */
static enum err ask_obligations(struct ask *a)
{
    uint8_t list[AU_UNITS];
    unsigned side = 0;
    enum err err = au_read_side(a->json, "side", &side, a->why);
    if (err != ERR_OK) { return err; }
    unsigned n = au_list_by_hex(a->s, au_army(a->s, side), list);
    jw_object_begin(a->out);
    jw_key_object(a->out, "pairs");
    for (unsigned i = 0; i < n; i++) {
        uint64_t pairs = au_pairs(a->s, &a->now, list[i]);
        bool owes = a->s->side != side || au_may_attack(a->s, list[i]);
        if (pairs == 0 || !owes) { continue; }
        au_key_hex_of(a->out, a->s->unit[list[i]].hex);
        write_hexes(a, pairs);
    }
    jw_object_end(a->out);
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_control(struct ask *a)
{
    uint16_t hex = 0;
    unsigned side = 0;
    uint64_t by = 0;
    enum err err = au_read_hex(json_get(a->json, "hex"), "hex", &hex, a->why);
    if (err == ERR_OK) { err = au_read_side(a->json, "side", &side, a->why); }
    if (err != ERR_OK) { return err; }
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned from = au_next(hex, d), unit = from == HEX_NONE ? AU_NONE : a->now.at[from];
        if (unit == AU_NONE || au_side(unit) != side) { continue; }
        if (au_controls(a->s, unit, from, hex_opposite(d))) { by |= au_bit(unit); }
    }
    jw_object_begin(a->out);
    jw_key_bool(a->out, "controlled", by != 0);
    jw_key(a->out, "by");
    write_hexes(a, by);
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_exchange(struct ask *a)
{
    uint64_t sets[AU_SETS_MAX];
    if (a->s->step != AU_EXCHANGE) { return au_refuse(a->why, "3"); }
    unsigned n = au_exchange_sets(a->s, sets);
    jw_object_begin(a->out);
    jw_key_array(a->out, "sets");
    for (unsigned i = 0; i < n; i++) {
        au_write_names(a->s, a->viewer, sets[i], false, a->out);
    }
    jw_array_end(a->out);
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_advances(struct ask *a)
{
    uint8_t list[AU_UNITS];
    if (a->s->step != AU_ADVANCE) { return au_refuse(a->why, "3"); }
    unsigned n = au_list_by_hex(a->s, au_army(a->s, au_actor(a->s)), list);
    jw_object_begin(a->out);
    jw_key_object(a->out, "moves");
    for (unsigned i = 0; i < n; i++) {
        uint16_t to[HEX_SIDES];
        unsigned ways = au_advances_of(a->s, &a->now, list[i], to);
        if (ways == 0) { continue; }
        key_name(a, list[i]);
        jw_array_begin(a->out);
        for (unsigned k = 0; k < ways; k++) {
            au_write_hex(a->out, to[k]);
        }
        jw_array_end(a->out);
    }
    jw_object_end(a->out);
    jw_object_end(a->out);
    return ERR_OK;
}

static enum err ask_encircled(struct ask *a)
{
    unsigned side = 0;
    enum err err = au_read_side(a->json, "side", &side, a->why);
    if (err != ERR_OK) { return err; }
    jw_object_begin(a->out);
    jw_key(a->out, "hexes");
    write_hexes(a, a->s->demoralised == side ? au_encircled(a->s, &a->now, side) : 0);
    jw_object_end(a->out);
    return ERR_OK;
}

typedef enum err ask_fn(struct ask *a);

static const struct {
    const char *name;
    ask_fn *run;
    const char *members[6];
} questions[] = {
    {"move", ask_move, {"ask", "exit_edge", "path", "unit"}},
    {"reach", ask_reach, {"ask", "unit"}},
    {"row", ask_row, {"ask", "attack", "attacker", "defence"}},
    {"odds", ask_odds, {"ask", "bombard", "contact", "defenders"}},
    {"retreats", ask_retreats, {"ask", "unit"}},
    {"bombard", ask_bombard, {"ask", "hex", "unit"}},
    {"ice_shot", ask_ice_shot, {"ask", "hex", "unit"}},
    {"obligations", ask_obligations, {"ask", "side"}},
    {"control", ask_control, {"ask", "hex", "side"}},
    {"exchange", ask_exchange, {"ask"}},
    {"advances", ask_advances, {"ask"}},
    {"encircled", ask_encircled, {"ask", "side"}},
};

enum err au_ask(const struct state *s, unsigned viewer, const cJSON *question, struct buf *out_json,
                struct why *why)
{
    struct ask a = {.s = s, .viewer = viewer, .json = question, .out = out_json, .why = why};
    const char *name = "";
    enum err err = json_read_str(question, "!ask", 32, &name, why);
    if (err != ERR_OK) { return err; }
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        if (strcmp(questions[i].name, name) != 0) { continue; }
        err = json_only(question, questions[i].members, why);
        if (err != ERR_OK) { return err; }
        au_see(s, &a.now);
        size_t before = out_json->len;
        err = questions[i].run(&a);
        if (err != ERR_OK && !out_json->failed) { buf_cut(out_json, before); }
        return err;
    }
    return why_member(why, "ask", "There is no such question.");
}
