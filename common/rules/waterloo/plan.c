/* common/rules/waterloo/plan.c: the next march of a side, thought out in the enemy's turn; and the
 * set-up of the French, while the Allies set up. */
#include <string.h>

#include "common/rules/waterloo/flow.h"

/* The next slot of that side after this one; 0: there is none. */
static unsigned next_slot(const struct state *s, unsigned side)
{
    for (unsigned slot = s->slot + 1U; slot <= s->turns; slot++) {
        if (wl_board(s)->slot[slot - 1].side == side) { return slot; }
    }
    return 0;
}

/* The French see nothing of where the Allies stand before those have confirmed (W2.6); what they may
 * do with their own does not hang on it (W2.4). */
static bool plan_setup(struct state *s, unsigned seat)
{
    if (s->step != WL_SETUP_ALLIED || wl_side_of_seat(seat) != WL_SIDE_FR) { return false; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_nation(u) != WL_FR) { s->unit[u].town = WL_NONE; }
    }
    s->confirmed = (uint8_t)wl_seats_of_side(s, WL_SIDE_AL);
    s->step = WL_SETUP_FRENCH;
    return true;
}

/* The enemy, whose turn it is, hides nothing that stays: his drafts and statements go, where his
 * units stand is seen by all. What is hidden of an answer (W20.5) is the planner's own. */
bool wl_plan(struct state *s, unsigned seat)
{
    if (plan_setup(s, seat)) { return true; }
    unsigned side = wl_side_of_seat(seat);
    bool enemy_moves = s->slot != 0 && s->step >= WL_MOVE && s->step < WL_GAME_OVER &&
                       wl_phasing(s) != side;
    unsigned slot = enemy_moves ? next_slot(s, side) : 0;
    if (slot == 0 || (wl_seats_of_side(s, side) >> seat & 1U) == 0) { return false; }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_unit *unit = &s->unit[u];
        memset(&unit->route, 0, sizeof unit->route);
        memset(&unit->told, 0, sizeof unit->told);
        unit->advanced_ct = 0;
        unit->won_ct = 0;
        unit->won_side = WL_NOBODY;
        unit->place = WL_NOWHERE;
        unit->lane = unit->square = unit->fired = unit->moves = 0;
        unit->marched = unit->stranded = unit->revealed = 0;
    }
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        wl_reset_fight(&s->fight[t]);
    }
    memset(s->groups_used, 0, sizeof s->groups_used);
    memset(s->ledger_move, 0, sizeof s->ledger_move);
    memset(s->ledger_retreat, 0, sizeof s->ledger_retreat);
    memset(s->seen_town, 0, sizeof s->seen_town);
    memset(s->pl_hits, 0, sizeof s->pl_hits);
    memset(s->debt, 0, sizeof s->debt);
    s->seen_marked = 0;
    s->ct_n = 0;
    s->ct_side = s->round_over = 0;
    s->ended = 0;
    s->pl_town = WL_NONE;
    s->pl_stage = s->pl_asked = 0;
    s->slot = (uint8_t)slot;
    s->step = WL_MOVE;
    return true;
}
