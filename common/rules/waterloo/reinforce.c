/* common/rules/waterloo/reinforce.c: combat turns (W7): their beginning and end, reinforcements
 * (W11), idle battles. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

enum { IDLE_ROUNDS_MAX = 5 };

/* ---- reinforcements ---- */

unsigned wl_reinforce_max(unsigned nation)
{
    return nation == WL_FR ? 2 : 1;
}

/* Combat turns in the order in which they are played. */
static unsigned turn_index(unsigned battle_side, unsigned n)
{
    return 2 * n + (battle_side == WL_DEF);
}

const char *wl_forbid_reinforce(const struct state *s, unsigned town, unsigned unit)
{
    const struct wl_unit *u = &s->unit[unit];
    if (s->ct_side == WL_DEF && s->ct_n == 1) { return "W11.2"; }
    if (u->place != WL_NOWHERE || u->town == WL_NONE) { return "W11.3"; }
    uint8_t road = pmap_road_between(&wl_board(s)->map, u->town, (uint8_t)town);
    if (road == PMAP_NONE) { return "W11.3"; }
    if (u->marked_until >= s->slot) { return "W11.4"; }
    bool won = u->won_ct > 0;
    if (won && turn_index(u->won_side, u->won_ct) >= turn_index(s->ct_side, s->ct_n)) {
        return "W11.5";
    }
    return NULL;
}

/* One list of the action: units for one battle. */
static enum err read_bringing(struct wl_call *c, const cJSON *item, uint64_t *seen,
                              uint64_t *battles, unsigned *out_town, struct wl_list *out_list)
{
    static const char *const names[] = {"battle", "units", NULL};
    const struct state *s = c->s;
    unsigned count[WL_NATIONS] = {0};
    enum err err = wl_read_item(c, item, "reinforcements", names);
    if (err == ERR_OK) { err = wl_read_town(c, item, "battle", out_town); }
    if (err == ERR_OK) { err = wl_read_units(c, item, "!units", seen, out_list); }
    if (err != ERR_OK) { return err; }
    if (s->fight[*out_town].phase != WL_BATTLE) { return wl_refuse(c, "W19"); }
    if ((*battles & WL_BIT64(*out_town)) != 0) { return wl_refuse(c, "W19"); }
    *battles |= WL_BIT64(*out_town);
    for (unsigned i = 0; i < out_list->n; i++) {
        unsigned unit = out_list->unit[i];
        const char *rule = wl_forbid_reinforce(s, *out_town, unit);
        if (rule != NULL) { return wl_refuse(c, rule); }
        if (++count[wl_nation(unit)] > wl_reinforce_max(wl_nation(unit))) {
            return wl_refuse(c, "W11.1");
        }
    }
    return ERR_OK;
}

/* W11.6: hidden into the reserve; the attacker's road becomes an attack road. One event for each
 * town. */
static void bring(struct wl_call *c, unsigned town, const struct wl_list *list)
{
    struct state *s = c->s;
    unsigned side = wl_acting_side(s);
    for (unsigned from = 0; from < wl_board(s)->map.towns; from++) {
        struct wl_list group = {0};
        for (unsigned i = 0; i < list->n; i++) {
            unsigned unit = list->unit[i];
            if (s->unit[unit].town == from && from != town) {
                group.unit[group.n++] = (uint8_t)unit;
            }
        }
        if (group.n == 0) { continue; }
        if (s->ct_side == WL_ATT) {
            uint8_t road = pmap_road_between(&wl_board(s)->map, (uint8_t)from, (uint8_t)town);
            wl_road_add(s->fight[town].attack_roads, road);
        }
        wl_tell_reinforced(c, town, from, side, &group);
        for (unsigned i = 0; i < group.n; i++) {
            struct wl_unit *u = &s->unit[group.unit[i]];
            u->town = (uint8_t)town;
            u->place = WL_RES;
            u->won_ct = 0;
            u->won_side = WL_NOBODY;
        }
    }
}

/* ---- W7.7 ---- */

static bool can_fire(const struct state *s, unsigned town, unsigned unit)
{
    if (wl_forbid_firing(s, town, unit) != NULL) { return false; }
    for (unsigned target = 0; target < WL_UNITS; target++) {
        if (wl_forbid_fire(s, town, unit, target) == NULL) { return true; }
    }
    return false;
}

/* The seat's own units could fire, advance or retreat in that battle now. */
static bool can_act(const struct state *s, unsigned town, unsigned seat)
{
    struct wl_ways ways;
    wl_find_ways(s, town, wl_side_of_seat(seat), &ways);
    bool has_way = wl_has_way(&ways);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!wl_in_battle(s, town, u) || wl_seat_of_nation(s, wl_nation(u)) != seat) { continue; }
        if (wl_forbid_move(s, town, u, WL_ADVANCE, 0) == NULL) { return true; }
        if (has_way && wl_forbid_retreat(s, town, u) == NULL) { return true; }
        if (can_fire(s, town, u)) { return true; }
    }
    return false;
}

const char *wl_forbid_end_combat_turn(const struct state *s, unsigned seat)
{
    if (wl_owes_routes(s, seat)) { return "W13.6"; }
    if (s->ct_side != WL_ATT || s->ct_n == 1) { return NULL; }
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_fight *fight = &s->fight[t];
        bool idle = fight->phase == WL_BATTLE && !fight->fired_last_round && !fight->attacker_acted;
        if (idle && can_act(s, t, seat)) { return "W7.7"; }
    }
    return NULL;
}

enum err wl_act_end_combat_turn(struct wl_call *c)
{
    static const char *const names[] = {"reinforcements", NULL};
    const cJSON *items = NULL;
    uint64_t seen = 0;
    uint64_t battles = 0;
    struct wl_list list[WL_UNITS];
    unsigned town[WL_UNITS];
    unsigned n = 0;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) {
        err = json_read_array(c->action, "reinforcements", 100000, &items, c->why);
    }
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = items == NULL ? NULL : items->child; i != NULL; i = i->next) {
        struct wl_list one = {0};
        unsigned battle = 0;
        err = read_bringing(c, i, &seen, &battles, &battle, &one);
        if (err != ERR_OK) { return err; }
        if (one.n == 0) { continue; }
        list[n] = one; /* at most one a unit */
        town[n++] = battle;
    }
    const char *rule = wl_forbid_end_combat_turn(c->s, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    /* By battle, for the order of the list in the action shows nothing (W20.3). */
    for (unsigned t = 0; t < wl_board(c->s)->map.towns; t++) {
        for (unsigned i = 0; i < n; i++) {
            if (town[i] == t) { bring(c, t, &list[i]); }
        }
    }
    wl_end_seat(c, c->seat, false);
    return ERR_OK;
}

/* ---- from one combat turn to the next ---- */

static bool any_battle(const struct state *s)
{
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase == WL_BATTLE) { return true; }
    }
    return false;
}

/* W19.3, W12.6: what is of one combat turn alone begins anew. */
static void begin_turn(struct wl_call *c, unsigned battle_side, unsigned n)
{
    struct state *s = c->s;
    memset(s->ledger_retreat, 0, sizeof s->ledger_retreat);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        s->unit[u].fired = 0;
        s->unit[u].moves = 0;
    }
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        s->fight[t].attacker_acted = 0;
    }
    s->ended = 0;
    s->round_over = 0;
    s->ct_side = (uint8_t)battle_side;
    s->ct_n = (uint16_t)n;
    wl_step_go(c, WL_COMBAT);
    wl_tell_combat_turn(c);
}

void wl_begin_combat(struct wl_call *c)
{
    begin_turn(c, WL_ATT, 1);
}

/* W19.2: the seat owns no unit in a battle and none that could reinforce one. */
static bool has_part(const struct state *s, unsigned seat)
{
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_BATTLE) { continue; }
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (!wl_on_map(s, u) || wl_seat_of_nation(s, wl_nation(u)) != seat) { continue; }
            if (wl_in_battle(s, t, u) || wl_forbid_reinforce(s, t, u) == NULL) { return true; }
        }
    }
    return false;
}

static bool settle_ends(struct wl_call *c)
{
    struct state *s = c->s;
    uint32_t seats = wl_seats_of_side(s, wl_acting_side(s)) & ~(uint32_t)s->ended;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats & WL_BIT(seat)) == 0 || wl_owes_routes(s, seat)) { continue; }
        if (has_part(s, seat)) { continue; }
        wl_end_seat(c, seat, true);
        return true;
    }
    return false;
}

/* W7.7: the round is full. After the fifth without any fire the attacker routs. */
static void count_round(struct wl_call *c)
{
    struct state *s = c->s;
    s->round_over = 1;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        struct wl_fight *fight = &s->fight[t];
        if (fight->phase != WL_BATTLE) { continue; }
        fight->idle_rounds = fight->fired_this_round ? 0 : (uint8_t)(fight->idle_rounds + 1);
        fight->fired_last_round = fight->fired_this_round;
        fight->fired_this_round = 0;
        if (fight->idle_rounds >= IDLE_ROUNDS_MAX) { wl_rout(c, t, WL_ATT); }
    }
}

/* W7.1, W7.3, W13.6: the sides alternate; a combat turn passes when all routs are answered. */
bool wl_settle_combat(struct wl_call *c)
{
    struct state *s = c->s;
    if (wl_settle_routs(c) || settle_ends(c)) { return true; }
    uint32_t seats = wl_seats_of_side(s, wl_acting_side(s));
    if ((s->ended & seats) != seats) { return false; }
    bool due = false;
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        due = due || s->fight[t].test_due;
    }
    if (due) {
        wl_test_withdrawals(c);
        return true;
    }
    if (s->ct_side == WL_DEF && !s->round_over) {
        count_round(c);
        return true;
    }
    if (wl_rout_is_pending(s)) { return false; }
    if (!any_battle(s)) {
        wl_turn_end(c);
    } else if (s->ct_side == WL_ATT) {
        begin_turn(c, WL_DEF, s->ct_n);
    } else {
        begin_turn(c, WL_ATT, s->ct_n + 1U);
    }
    return true;
}
