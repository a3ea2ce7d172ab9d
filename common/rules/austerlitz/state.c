/* common/rules/austerlitz/state.c: small questions about a state that all files of the folder ask.
 */
#include <assert.h>
#include <string.h>

#include "common/rules/austerlitz/au.h"

/* No padding (game.h): every byte belongs to a member, so memcmp compares states. */
static_assert(sizeof(struct au_unit) == 8, "padding in a unit");
static_assert(sizeof(struct au_entry) == 32, "padding in an entry");
static_assert(sizeof(struct au_hand) == 5 * 8 + 2 * AU_VACATED_MAX + 8, "padding in the hand");
static_assert(offsetof(struct state, spare) + 5 == sizeof(struct state), "padding in the state");

const char *const au_step_ids[AU_STEPS] = {"MOVE",    "DECLARE", "RESOLVE", "EXCHANGE",
                                           "RETREAT", "BATTERY", "ADVANCE", "OVER"};
const char *const au_place_ids[AU_PLACES] = {"map", "eliminated", "withdrawn", "vienna", "aside"};
const char *const au_status_ids[AU_STATUSES] = {"pending", "done", "void"};
const char *const au_result_ids[AU_RESULTS] = {"AE", "AR", "EX", "DR", "DE", "no_die"};
const char *const au_edge_ids[AU_EDGES] = {"west", "east", "north", "south"};
const char *const au_seat_ids[AU_SIDES] = {"FR", "AL"};

uint64_t au_army(const struct state *s, unsigned side)
{
    uint64_t army = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (au_on_map(s, u)) { army |= au_bit(u); }
    }
    return army & au_side_set(side);
}

unsigned au_find_unit(const char *id)
{
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (strcmp(au_unit_facts[u].id, id) == 0) { return u; }
    }
    return AU_NONE;
}

unsigned au_find_bridge(const char *id)
{
    for (unsigned b = 0; b < au_bridge_count; b++) {
        if (strcmp(au_bridges[b].id, id) == 0) { return b; }
    }
    return AU_NONE;
}

unsigned au_victor(unsigned attacker, unsigned result)
{
    switch (result) {
    case AU_DR:
    case AU_DE:
    case AU_NO_DIE: return attacker;
    case AU_AE:
    case AU_AR: return au_other(attacker);
    default: return AU_NOBODY;
    }
}

unsigned au_actor(const struct state *s)
{
    switch (s->step) {
    case AU_OVER: return AU_NOBODY;
    case AU_RETREAT:
    case AU_ADVANCE: return au_victor(s->side, s->hand.result);
    default: return s->side;
    }
}

unsigned au_sum_of(const struct state *s, unsigned side, unsigned place)
{
    unsigned sum = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (au_side(u) == side && s->unit[u].place == place) { sum += s->unit[u].potential; }
    }
    return sum;
}

bool au_knows(const struct state *s, unsigned viewer, unsigned side)
{
    return s->semi_blind == 0 || viewer == VIEWER_ALL || viewer == side;
}

void au_reset_state(struct state *s)
{
    struct state start;
    memset(&start, 0, sizeof start);
    start.rules = s->rules;
    start.semi_blind = s->semi_blind;
    start.situation = s->situation;
    start.guard_1805 = s->guard_1805;
    start.dealt = s->dealt;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        start.unit[u].hex = au_unit_facts[u].start;
        start.unit[u].potential = au_unit_facts[u].combat;
        start.unit[u].bridge = AU_NONE;
    }
    for (unsigned i = 0; i < AU_PLAN_MAX; i++) {
        start.plan[i].ice_hex = HEX_NONE;
    }
    start.turn = 1;
    start.step = AU_MOVE;
    start.side = AU_ALLIED; /* 3.1 */
    start.demoralised = AU_NOBODY;
    start.resigned = AU_NOBODY;
    memcpy(s, &start, sizeof start);
}

void au_remove(struct state *s, unsigned unit, unsigned place)
{
    s->unit[unit].hex = HEX_NONE;
    s->unit[unit].place = (uint8_t)place;
    s->unit[unit].moved = 0;
    s->unit[unit].bridge = AU_NONE;
}

unsigned au_list_by_hex(const struct state *s, uint64_t set, uint8_t out[AU_UNITS])
{
    unsigned n = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest), k = n++;
        for (; k > 0 && s->unit[out[k - 1]].hex > s->unit[u].hex; k--) {
            out[k] = out[k - 1];
        }
        out[k] = (uint8_t)u;
    }
    return n;
}

void au_unit_list_by_id(uint64_t set, uint8_t out[AU_UNITS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < AU_UNITS; i++) {
        unsigned u = au_unit_by_id_order[i];
        if ((set >> u & 1U) != 0) { out[n++] = (uint8_t)u; }
    }
}

void au_see(const struct state *s, struct au_now *now)
{
    memset(now->at, AU_NONE, sizeof now->at);
    memset(now->control, 0, sizeof now->control);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (!au_on_map(s, u)) { continue; }
        unsigned hex = s->unit[u].hex;
        now->at[hex] = (uint8_t)u;
        now->control[hex] |= (uint8_t)(1U << (AU_STANDS + au_side(u)));
        if (au_is_helpless(s, u)) { continue; }
        for (unsigned sides = au_control_sides[hex]; sides != 0; sides &= sides - 1) {
            unsigned to = au_next(hex, au_first(sides));
            if (!au_is_broken(s, to)) { now->control[to] |= (uint8_t)(1U << au_side(u)); }
        }
    }
}
