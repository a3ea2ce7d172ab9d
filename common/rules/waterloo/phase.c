/* common/rules/waterloo/phase.c: what everybody may know of the step for clocks, notices and talk:
 * its name, whose decisions come in between, when the two allies may speak (W18.2). */
#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/flow.h"

/* W20.3: losses of a pursuit are a part of the response, for nobody but its side. */
const char *wl_phase(const struct state *s)
{
    static const char *const names[WL_STEPS] = {
        [WL_SETUP_ALLIED] = "set_up", [WL_SETUP_FRENCH] = "set_up",  [WL_MOVE] = "move",
        [WL_RESPOND] = "respond",     [WL_PURSUIT_LOSS] = "respond", [WL_DEPLOY_DEF] = "deploy",
        [WL_DEPLOY_ATT] = "deploy",   [WL_COMBAT] = "combat",        [WL_SUPPLY] = "supply",
        [WL_GAME_OVER] = "over",
    };
    return names[s->step];
}

/* W13.6: the routes of a rout that fell in the enemy's combat turn; W15.2: whoever owes units. */
uint32_t wl_interrupts(const struct state *s)
{
    uint32_t to_act = 0, waits_for = 0, routed = 0;
    wl_shown(s, VIEWER_PUBLIC, &to_act, &waits_for);
    switch (s->step) {
    case WL_RESPOND:
    case WL_PURSUIT_LOSS:
    case WL_DEPLOY_DEF: return to_act & wl_seats_of_side(s, wl_other(wl_phasing(s)));
    case WL_SUPPLY: return to_act;
    case WL_COMBAT:
        for (unsigned seat = 0; seat < wl_seats(s); seat++) {
            bool enemy = wl_side_of_seat(seat) != wl_acting_side(s);
            if (enemy && wl_owes_routes(s, seat)) { routed |= WL_BIT(seat); }
        }
        return routed;
    default: return 0;
    }
}

/* W19.1: the response with the deployment that follows is one sitting; each rout is asked for by
 * itself (W13.6), as bit of its town; no board has so many. */
uint64_t wl_asked(const struct state *s, unsigned seat)
{
    enum { ANSWER = 63, SUPPLY = 62 };
    if ((wl_interrupts(s) >> seat & 1U) == 0) { return 0; }
    if (s->step == WL_SUPPLY) { return WL_BIT64(SUPPLY); }
    if (s->step != WL_COMBAT) { return WL_BIT64(ANSWER); }
    uint64_t towns = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (wl_routed(s, t, seat) != 0) { towns |= WL_BIT64(t); }
    }
    return towns;
}

/* W18.1: the Allied seats of a game of three. */
uint32_t wl_allies(unsigned seats, unsigned seat)
{
    return seats == SEATS_MAX && seat > 0 ? (WL_BIT(1) | WL_BIT(2)) & ~WL_BIT(seat) : 0;
}

/* The slot of the time record, 0 in the set-up. */
uint32_t wl_turn(const struct state *s)
{
    return s->slot;
}

/* The channel of the two Allied seats, while both are there. */
static bool is_allied_pair(const struct state *s, unsigned seat_a, unsigned seat_b)
{
    uint32_t pair = WL_BIT(seat_a) | WL_BIT(seat_b);
    return wl_seats(s) == SEATS_MAX && pair == (WL_BIT(1) | WL_BIT(2)) && (s->departed & pair) == 0;
}

static bool is_allied_night(const struct state *s, unsigned slot)
{
    const struct wl_slot *at = &wl_board(s)->slot[slot - 1];
    return at->side == WL_SIDE_AL && at->night != 0;
}

/* W18.2; when the match is over there is nothing left to agree upon. */
bool wl_may_talk(const struct state *s, unsigned seat_a, unsigned seat_b)
{
    if (!is_allied_pair(s, seat_a, seat_b)) { return false; }
    if (s->step == WL_SETUP_ALLIED || s->step == WL_GAME_OVER) { return true; }
    return s->slot != 0 && is_allied_night(s, s->slot);
}

bool wl_next_talk(const struct state *s, unsigned seat_a, unsigned seat_b, struct buf *out_json)
{
    if (!is_allied_pair(s, seat_a, seat_b) || s->step == WL_GAME_OVER) { return false; }
    unsigned slot = s->slot + 1U;
    while (slot <= s->turns && !is_allied_night(s, slot)) {
        slot++;
    }
    if (slot > s->turns) { return false; }
    const struct wl_slot *at = &wl_board(s)->slot[slot - 1];
    jw_object_begin(out_json);
    jw_key_int(out_json, "slot", slot);
    if (at->date != NULL && at->date[0] != '\0') {
        jw_key_str(out_json, "date", at->date);
        jw_key_str(out_json, "part", at->part);
    }
    jw_key_str(out_json, "side", wl_side_ids[at->side]);
    jw_key_bool(out_json, "night", at->night != 0);
    jw_object_end(out_json);
    return true;
}
