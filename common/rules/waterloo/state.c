/* common/rules/waterloo/state.c: small questions about a state that all files of the folder ask. */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "common/rules/waterloo/wl.h"

/* No padding (game.h): every byte belongs to a member, so memcmp compares states. */
static_assert(sizeof(struct wl_route) == 4 + 2 * WL_PATH_MAX, "padding in a route");
static_assert(sizeof(struct wl_unit) == 24 + 14, "padding in a unit");
static_assert(sizeof(struct wl_fight) % 8 == 0, "padding after a fight");
static_assert(offsetof(struct wl_fight, spare) + 3 == sizeof(struct wl_fight),
              "padding in a fight");
static_assert(offsetof(struct state, spare) + 8 == sizeof(struct state), "padding in the state");

unsigned wl_find_unit(const char *id)
{
    unsigned low = 0;
    unsigned high = WL_UNITS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        unsigned unit = wl_unit_by_id_order[middle];
        int order = strcmp(wl_unit_facts[unit].id, id);
        if (order == 0) { return unit; }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return WL_NONE;
}

unsigned wl_seats(const struct state *s)
{
    return s->players == 3 ? 3 : 2;
}

const char *wl_seat_id(const struct state *s, unsigned seat)
{
    if (seat == 0) { return "FR"; }
    if (wl_seats(s) == 2) { return "AL"; }
    /* W18.9: whoever commands both nations is called as in a game of two. */
    unsigned ally = seat == 1 ? 2 : 1;
    bool alone = (s->departed >> ally & 1U) != 0 && (s->departed >> seat & 1U) == 0;
    if (alone) { return "AL"; }
    return seat == 1 ? "AD" : "PR";
}

unsigned wl_seat_of_nation(const struct state *s, unsigned nation)
{
    if (nation == WL_FR) { return 0; }
    if (wl_seats(s) == 2) { return 1; }
    unsigned seat = nation == WL_AD ? 1 : 2;
    unsigned ally = seat == 1 ? 2 : 1;
    bool handed_over = (s->departed >> seat & 1U) != 0 && (s->departed >> ally & 1U) == 0;
    return handed_over ? ally : seat;
}

unsigned wl_side_of_seat(unsigned seat)
{
    return seat == 0 ? WL_SIDE_FR : WL_SIDE_AL;
}

static uint32_t all_seats_of_side(const struct state *s, unsigned side)
{
    if (side == WL_SIDE_FR) { return 1U; }
    return wl_seats(s) == 3 ? 6U : 2U;
}

uint32_t wl_seats_of_side(const struct state *s, unsigned side)
{
    return all_seats_of_side(s, side) & ~(uint32_t)s->departed;
}

uint32_t wl_own_viewers(const struct state *s, unsigned side)
{
    return all_seats_of_side(s, side) | UINT32_C(1) << VIEWER_ALL;
}

uint32_t wl_enemy_viewers(const struct state *s, unsigned side)
{
    return all_seats_of_side(s, wl_other(side)) | UINT32_C(1) << VIEWER_PUBLIC;
}

uint32_t wl_all_viewers(const struct state *s)
{
    return wl_own_viewers(s, WL_SIDE_FR) | wl_enemy_viewers(s, WL_SIDE_FR);
}

unsigned wl_phasing(const struct state *s)
{
    return s->slot == 0 ? WL_SIDE_FR : wl_board(s)->slot[s->slot - 1].side;
}

bool wl_is_night(const struct state *s)
{
    return s->slot != 0 && wl_board(s)->slot[s->slot - 1].night != 0;
}

unsigned wl_battle_side_of(const struct state *s, unsigned unit)
{
    return wl_side(unit) == wl_phasing(s) ? WL_ATT : WL_DEF;
}

unsigned wl_count_side(const struct state *s, unsigned town, unsigned side)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        count += s->unit[u].town == town && wl_side(u) == side && wl_on_map(s, u);
    }
    return count;
}

unsigned wl_count_nation(const struct state *s, unsigned town, unsigned nation)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        count += s->unit[u].town == town && wl_nation(u) == nation && wl_on_map(s, u);
    }
    return count;
}

unsigned wl_left(const struct state *s, unsigned nation)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        count += wl_nation(u) == nation && wl_on_map(s, u);
    }
    return count;
}

uint64_t wl_towns_of_side(const struct state *s, unsigned side)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_side(u) == side && wl_on_map(s, u)) { set |= UINT64_C(1) << s->unit[u].town; }
    }
    return set;
}

unsigned wl_road_capacity(const struct wl_board *board, unsigned road)
{
    const struct pmap_road *r = &board->map.road[road];
    unsigned full = r->cls == WL_ROAD_MAJOR ? 8 : 6;          /* W4.6 */
    return (r->flags & WL_ROAD_RIVER) != 0 ? full / 2 : full; /* W4.7 */
}

void wl_reset_fight(struct wl_fight *fight)
{
    memset(fight, 0, sizeof *fight);
    for (unsigned lane = 0; lane < WL_LANES; lane++) {
        fight->lane[lane].engaged_by = WL_NOBODY;
    }
    fight->rout_side = WL_NOBODY;
}

/* The options, the base and the version of the rules stay; all else is as before the set-up. */
void wl_reset_state(struct state *s)
{
    struct state empty;
    memset(&empty, 0, sizeof empty);
    empty.rules = s->rules;
    empty.base = s->base;
    empty.players = s->players == 3 ? 3 : 2;
    empty.morale = s->morale;
    empty.command_control = s->command_control;
    unsigned slots = wl_boards[s->base].slots;
    empty.turns = s->turns == 0 || s->turns > slots ? (uint8_t)slots : s->turns;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        empty.unit[u].town = WL_NONE;
        empty.unit[u].cv = wl_unit_facts[u].cv;
        empty.unit[u].won_side = WL_NOBODY;
    }
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        wl_reset_fight(&empty.fight[t]);
    }
    empty.step = WL_SETUP_ALLIED;
    empty.pl_town = WL_NONE;
    empty.result_winner = WL_NONE;
    memcpy(s, &empty, sizeof empty);
}
