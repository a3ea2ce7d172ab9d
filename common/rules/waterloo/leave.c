/* common/rules/waterloo/leave.c: a seat that resigns, is struck or loses by the clock (W18.9). */
#include <string.h>

#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

static void tell_held_back(struct wl_call *c)
{
    if (c->s->step == WL_RESPOND || c->s->step == WL_PURSUIT_LOSS) { wl_tell_cut_response(c); }
}

/* The other Allied seat goes on as AL with both nations. In a combat turn it is asked again only
 * for routes if it has ended (W18.4); a plan of marches, which binds nobody yet, it may make anew.
 */
static void hand_over(struct wl_call *c, unsigned left, unsigned stays)
{
    struct state *s = c->s;
    bool had_ended = (s->ended & WL_BIT(stays)) != 0;
    s->ended &= (uint8_t)~WL_BIT(left);
    switch ((enum wl_step)s->step) {
    case WL_SETUP_ALLIED: s->confirmed = 0; break;
    case WL_SETUP_FRENCH: s->confirmed = (uint8_t)WL_BIT(stays); break;
    case WL_MOVE:
        if (wl_phasing(s) != WL_SIDE_AL || !had_ended) { break; }
        s->ended = 0;
        for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
            s->fight[t].no_pursuit = 0;
        }
        wl_tell_end_withdrawn(c, stays);
        break;
    case WL_PURSUIT_LOSS:
        if ((s->pl_asked & WL_BIT(left)) != 0) {
            s->pl_asked = (uint8_t)WL_BIT(stays);
            s->pl_hits[stays] = (uint8_t)(s->pl_hits[stays] + s->pl_hits[left]);
            s->pl_hits[left] = 0;
        }
        wl_leave_response(c, left, stays);
        s->ended = 0; /* it ends anew: the answers are those of the whole force now */
        break;
    case WL_RESPOND: wl_leave_response(c, left, stays); break;
    case WL_DEPLOY_DEF:
    case WL_DEPLOY_ATT: wl_leave_deployment(s); break;
    case WL_COMBAT:
    case WL_SUPPLY:
    case WL_GAME_OVER:
    case WL_STEPS: break;
    }
    /* What the one who stays said of pursuit covers all units that are his now (W18.4). */
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        s->fight[t].no_pursuit &= (uint8_t)~WL_BIT(left);
    }
}

/* W18.9: the French, or all Allied seats, have left: the other side wins. */
enum err wl_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                  struct events *events)
{
    (void)how;
    struct why why;
    struct wl_call c = {.s = s, .dice = dice, .events = events, .why = &why, .seat = seat};
    if (s->step == WL_GAME_OVER) { return ERR_MATCH_OVER; }
    if (seat >= wl_seats(s) || (s->departed & WL_BIT(seat)) != 0) { return ERR_CONFLICT; }
    unsigned side = wl_side_of_seat(seat);
    s->departed |= (uint8_t)WL_BIT(seat);
    events_seal(events);
    if (wl_seats_of_side(s, side) == 0) {
        tell_held_back(&c);
        wl_game_over(&c, wl_other(side), WL_WHY_DEPARTED);
        return ERR_OK;
    }
    hand_over(&c, seat, seat == 1 ? 2 : 1);
    wl_settle_call(&c);
    return ERR_OK;
}

void wl_stop(struct state *s, struct events *events)
{
    struct why why;
    struct wl_call c = {.s = s, .events = events, .why = &why};
    if (s->step == WL_GAME_OVER) { return; }
    tell_held_back(&c);
    wl_game_over(&c, WL_NONE, WL_WHY_AGREED);
}
