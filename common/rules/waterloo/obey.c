/* common/rules/waterloo/obey.c: what a caretaker does for an absent seat: always legal, never bold.
 * What a seat's own orders say is in obey_orders.c. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"
#include "common/rules/waterloo/orders.h"

static const char *town_id(const struct state *s, unsigned town)
{
    return wl_board(s)->map.town_ids[town];
}

static void begin(struct buf *out, const char *what)
{
    jw_object_begin(out);
    jw_key_str(out, "do", what);
}

/* W2.6: every unit without a town goes where fewest of its nation stand; then confirm. */
static void obey_setup(const struct state *s, unsigned seat, struct buf *out)
{
    if (wl_forbid_confirm(s, seat) == NULL) {
        begin(out, "confirm_setup");
        jw_object_end(out);
        return;
    }
    uint8_t count[WL_NATIONS][PMAP_TOWNS_MAX] = {0};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].town != WL_NONE) { count[wl_nation(u)][s->unit[u].town]++; }
    }
    begin(out, "place");
    jw_key_array(out, "placements");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unsigned n = wl_nation(u), best = WL_NONE;
        if (s->unit[u].town != WL_NONE || s->unit[u].cv == 0 || wl_seat_of_nation(s, n) != seat) {
            continue;
        }
        for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
            if (wl_forbid_place(s, u, t) != NULL) { continue; }
            if (best == WL_NONE || count[n][t] < count[n][best]) { best = t; }
        }
        if (best == WL_NONE) { continue; }
        count[n][best]++;
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[u].id);
        jw_key_str(out, "town", town_id(s, best));
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_object_end(out);
}

/* W4.15: the step ends without more marches; a plan that could not be carried out is taken back. */
static void obey_move(const struct state *s, unsigned seat, struct buf *out)
{
    if (wl_forbid_end_movement(s, seat) == NULL) {
        begin(out, "end_movement");
        jw_object_end(out);
        return;
    }
    uint64_t drafted = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].route.len != 0 && wl_seat_of_nation(s, wl_nation(u)) == seat) {
            drafted |= wl_bit(u);
        }
    }
    begin(out, "unmarch");
    wl_key_units("units", drafted, out);
    jw_object_end(out);
}

/* Members "routes" and rest: the strongest first while there is room, one town each. */
static void write_routes(const struct state *s, unsigned seat, unsigned town, uint64_t units,
                         const char *rest, struct buf *out)
{
    struct wl_paths paths;
    uint8_t list[WL_UNITS], goal[WL_UNITS];
    wl_paths_retreat(s, town, wl_side_of_seat(seat), &paths);
    unsigned n = wl_list_units(s, units, false, list);
    unsigned going = wl_assign_ways(&paths, town, n, goal);
    jw_key_array(out, "routes");
    for (unsigned i = 0; i < going; i++) {
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[list[i]].id);
        jw_key_array(out, "path");
        jw_str(out, town_id(s, goal[i]));
        jw_array_end(out);
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_key_array(out, rest);
    for (unsigned i = going; i < n; i++) {
        jw_str(out, wl_unit_facts[list[i]].id);
    }
    jw_array_end(out);
}

/* W5.2: stands where it may, gives way where it must. */
static void obey_response(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t due = wl_own_answers_due(s, seat);
    if (due == 0) {
        begin(out, "end_response");
        jw_object_end(out);
        return;
    }
    unsigned town = wl_first_bit(due);
    begin(out, "respond");
    jw_key_str(out, "town", town_id(s, town));
    if (wl_forbid_fight(s, town, seat) == NULL) {
        jw_key_str(out, "choice", "fight");
    } else {
        jw_key_str(out, "choice", "retreat");
        write_routes(s, seat, town, wl_contingent(s, town, seat), "stranded", out);
    }
    jw_object_end(out);
}

/* W5.9: one hit after the other on the strongest unit that may take it. */
static void obey_allot(const struct state *s, unsigned seat, struct buf *out)
{
    uint8_t lost[WL_UNITS] = {0};
    uint64_t units = s->pl_hits[seat] == 0 ? 0 : wl_allottable(s, seat);
    for (unsigned hit = 0; hit < s->pl_hits[seat]; hit++) {
        unsigned best = WL_NONE;
        for (uint64_t left = units; left != 0; left &= left - 1) {
            unsigned u = wl_first_bit(left);
            if (s->unit[u].cv == lost[u]) { continue; }
            if (best == WL_NONE || s->unit[u].cv - lost[u] > s->unit[best].cv - lost[best]) {
                best = u;
            }
        }
        if (best == WL_NONE) { break; }
        lost[best]++;
    }
    begin(out, "allot");
    jw_key_str(out, "town", town_id(s, s->pl_town));
    jw_key_array(out, "losses");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (lost[u] == 0) { continue; }
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[u].id);
        jw_key_int(out, "cv", lost[u]);
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_object_end(out);
}

/* W6.2: column after column in turn, those that must be filled first; every fourth to the reserve.
 */
static void obey_deploy(const struct state *s, unsigned seat, struct buf *out)
{
    static const char *const names[WL_LANES + 1] = {"1", "2", "3", "reserve"};
    uint64_t due = wl_own_deployments(s, seat), part[WL_LANES + 1] = {0};
    unsigned town = wl_first_bit(due), at_least = 0, k = 0, n = 0;
    unsigned order[WL_LANES + 1] = {0, 1, 2, 3};
    uint64_t units = wl_fighters_of_seat(s, seat, town, WL_UNDEPLOYED);
    unsigned needed = wl_columns_to_fill(s, town, seat, &at_least) >> 1; /* lane 1: bit 0 */
    for (unsigned must = 0; must < 2; must++) {
        for (unsigned lane = 0; lane < WL_LANES; lane++) {
            if ((needed >> lane & 1U) == 1 - must) { order[n++] = lane; }
        }
    }
    for (; units != 0; units &= units - 1) {
        part[order[k]] |= units & -units;
        k = (k + 1) % (WL_LANES + 1);
    }
    begin(out, "deploy");
    jw_key_str(out, "battle", town_id(s, town));
    jw_key_object(out, "columns");
    for (k = 0; k <= WL_LANES; k++) {
        wl_key_units(names[k], part[k], out);
    }
    jw_object_end(out);
    jw_object_end(out);
}

/* W7.7: an attacker who may not end yet fires, else advances; false: he can do neither there. */
static bool act_in_battle(const struct state *s, unsigned seat, unsigned town, struct buf *out)
{
    uint64_t own = wl_fighters_of_seat(s, seat, town, WL_NOWHERE);
    for (uint64_t left = own; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left);
        if (wl_forbid_firing(s, town, u) != NULL) { continue; }
        for (unsigned target = 0; target < WL_UNITS; target++) {
            if (!wl_in_battle(s, town, target) || wl_side(target) == wl_side(u) ||
                wl_forbid_fire(s, town, u, target) != NULL) {
                continue;
            }
            begin(out, "fire");
            jw_key_str(out, "battle", town_id(s, town));
            jw_key_str(out, "unit", wl_unit_facts[u].id);
            jw_key_str(out, "target", wl_unit_facts[target].id);
            jw_object_end(out);
            return true;
        }
    }
    for (uint64_t left = own; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left);
        if (wl_forbid_move(s, town, u, WL_ADVANCE, 0) != NULL) { continue; }
        begin(out, "move");
        jw_key_str(out, "battle", town_id(s, town));
        jw_key_str(out, "unit", wl_unit_facts[u].id);
        jw_key_str(out, "kind", wl_kind_ids[WL_ADVANCE]);
        jw_object_end(out);
        return true;
    }
    return false;
}

/* A unit that may leave a battle leaves it: the last thing that W7.7 accepts. */
static bool leave_battle(const struct state *s, unsigned seat, unsigned town, struct buf *out)
{
    uint64_t own = wl_fighters_of_seat(s, seat, town, WL_NOWHERE);
    for (uint64_t left = own; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left);
        struct wl_paths paths;
        uint8_t goal = WL_NONE;
        if (wl_forbid_retreat(s, town, u) != NULL) { continue; }
        wl_paths_retreat(s, town, wl_side_of_seat(seat), &paths);
        if (wl_assign_ways(&paths, town, 1, &goal) == 0) { return false; }
        begin(out, "retreat");
        jw_key_str(out, "battle", town_id(s, town));
        jw_key_array(out, "routes");
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[u].id);
        jw_key_array(out, "path");
        jw_str(out, town_id(s, goal));
        jw_array_end(out);
        jw_object_end(out);
        jw_array_end(out);
        jw_object_end(out);
        return true;
    }
    return false;
}

static bool obey_combat(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t routs = wl_own_routs(s, seat);
    if (routs != 0) {
        unsigned town = wl_first_bit(routs);
        begin(out, "rout_routes");
        jw_key_str(out, "battle", town_id(s, town));
        write_routes(s, seat, town, wl_routed(s, town, seat), "lost", out);
        jw_object_end(out);
        return true;
    }
    if (wl_forbid_end_combat_turn(s, seat) == NULL) {
        begin(out, "end_combat_turn");
        jw_object_end(out);
        return true;
    }
    bool (*const ways[])(const struct state *, unsigned, unsigned, struct buf *) = {act_in_battle,
                                                                                    leave_battle};
    for (unsigned way = 0; way < 2; way++) {
        for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
            /* Only where the battle holds up the end: elsewhere nothing is to be gained. */
            if (s->fight[t].phase != WL_BATTLE || s->fight[t].fired_last_round != 0 ||
                s->fight[t].attacker_acted != 0) {
                continue;
            }
            if (ways[way](s, seat, t, out)) { return true; }
        }
    }
    return false;
}

/* W15.2: the weakest of each nation. */
static void obey_supply(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t units = 0;
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (s->debt[n] == 0 || wl_seat_of_nation(s, n) != seat) { continue; }
        uint64_t all = 0;
        uint8_t list[WL_UNITS];
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_nation(u) == n && wl_on_map(s, u)) { all |= wl_bit(u); }
        }
        unsigned count = wl_list_units(s, all, true, list);
        for (unsigned i = 0; i < s->debt[n] && i < count; i++) {
            units |= wl_bit(list[i]);
        }
    }
    begin(out, "remove");
    wl_key_units("units", units, out);
    jw_object_end(out);
}

enum err wl_obey(const struct state *s, unsigned seat, const struct cJSON *orders,
                 struct buf *out_action)
{
    if (orders != NULL) { return wl_obey_orders(s, seat, orders, out_action); }
    if ((wl_to_act(s) >> seat & 1U) == 0) { return ERR_NOT_FOUND; }
    switch (s->step) {
    case WL_SETUP_ALLIED:
    case WL_SETUP_FRENCH: obey_setup(s, seat, out_action); break;
    case WL_MOVE: obey_move(s, seat, out_action); break;
    case WL_RESPOND: obey_response(s, seat, out_action); break;
    case WL_PURSUIT_LOSS: obey_allot(s, seat, out_action); break;
    case WL_DEPLOY_DEF:
    case WL_DEPLOY_ATT: obey_deploy(s, seat, out_action); break;
    case WL_COMBAT:
        if (!obey_combat(s, seat, out_action)) { return ERR_NOT_FOUND; }
        break;
    case WL_SUPPLY: obey_supply(s, seat, out_action); break;
    default: return ERR_NOT_FOUND;
    }
    return ERR_OK;
}
