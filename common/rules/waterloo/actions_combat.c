/* common/rules/waterloo/actions_combat.c: action forms of a combat turn and of a rout. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"

/* Bytes for fires and moves; retreats take what is left. */
enum { FIGHT_BYTES = 6000, ALIKE_MAX = 24 };

/* Units for which the same choices are open: targets as a set of units, or lanes as a set. */
struct alike {
    uint64_t units, choices;
};

static void add_alike(struct alike list[ALIKE_MAX], unsigned *n, unsigned unit, uint64_t choices)
{
    for (unsigned i = 0; i < *n; i++) {
        if (list[i].choices == choices) {
            list[i].units |= wl_bit(unit);
            return;
        }
    }
    if (*n < ALIKE_MAX) { list[(*n)++] = (struct alike){wl_bit(unit), choices}; }
}

static const char *town_id(const struct wl_offer *o, unsigned town)
{
    return wl_board(o->s)->map.town_ids[town];
}

/* ---- rout ---- */

/* W13.5: routes for all while there is room, the rest lost. */
void wl_offer_routs(struct wl_offer *o)
{
    uint64_t due = wl_own_routs(o->s, o->seat);
    for (uint64_t left = due; left != 0; left &= left - 1) {
        unsigned town = wl_first_bit(left);
        uint64_t units = wl_routed(o->s, town, o->seat);
        struct wl_paths paths;
        wl_paths_retreat(o->s, town, wl_side_of_seat(o->seat), &paths);
        for (unsigned order = 0; order < 2; order++) {
            wl_form_begin(o, "rout_routes");
            jw_key_str(o->out, "battle", town_id(o, town));
            bool free = wl_add_free_routes(o, &paths, town, units, FIGHT_BYTES);
            if (!free) {
                wl_write_fixed_routes(o->s, &paths, town, units, order != 0, "lost", o->out);
            }
            wl_form_end(o, order == 0 ? WL_FORMS_BYTES_MAX : FIGHT_BYTES);
            if (free || wl_paths_best(&paths, town) == 0) { break; }
        }
    }
}

/* ---- fire ---- */

/* W9: all units of the seat that may fire, with their targets. */
static void offer_fires(struct wl_offer *o, unsigned town)
{
    struct alike list[ALIKE_MAX];
    unsigned n = 0;
    uint64_t enemies = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_side(u) != wl_side_of_seat(o->seat) && wl_in_battle(o->s, town, u)) {
            enemies |= wl_bit(u);
        }
    }
    uint64_t own = wl_fighters_of_seat(o->s, o->seat, town, WL_NOWHERE);
    for (uint64_t left = own; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left);
        uint64_t targets = 0;
        if (wl_forbid_firing(o->s, town, u) != NULL) { continue; }
        for (uint64_t e = enemies; e != 0; e &= e - 1) {
            unsigned target = wl_first_bit(e);
            if (wl_forbid_fire(o->s, town, u, target) == NULL) { targets |= wl_bit(target); }
        }
        if (targets != 0) { add_alike(list, &n, u, targets); }
    }
    for (unsigned i = 0; i < n; i++) {
        wl_form_begin(o, "fire");
        jw_key_str(o->out, "battle", town_id(o, town));
        wl_key_units("unit", list[i].units, o->out);
        wl_key_units("target", list[i].choices, o->out);
        wl_form_end(o, FIGHT_BYTES);
    }
}

/* ---- moves ---- */

static void offer_move_of(struct wl_offer *o, unsigned town, unsigned kind, uint64_t units,
                          uint64_t lanes)
{
    wl_form_begin(o, "move");
    jw_key_str(o->out, "battle", town_id(o, town));
    wl_key_units("unit", units, o->out);
    jw_key_str(o->out, "kind", wl_kind_ids[kind]);
    if (lanes != 0) {
        jw_key_array(o->out, "to");
        for (uint64_t left = lanes; left != 0; left &= left - 1) {
            jw_int(o->out, wl_first_bit(left));
        }
        jw_array_end(o->out);
    }
    wl_form_end(o, FIGHT_BYTES);
}

/* W8: moves by kind, units with the same lanes open to them together. */
static void offer_moves(struct wl_offer *o, unsigned town)
{
    uint64_t own = wl_fighters_of_seat(o->s, o->seat, town, WL_NOWHERE);
    for (unsigned kind = 0; kind < WL_KINDS; kind++) {
        bool with_lane = kind == WL_REDEPLOY || kind == WL_FROM_RESERVE;
        struct alike list[ALIKE_MAX];
        unsigned n = 0;
        for (uint64_t left = own; left != 0; left &= left - 1) {
            unsigned u = wl_first_bit(left);
            uint64_t lanes = 0;
            for (unsigned to = with_lane ? 1 : 0; to <= (with_lane ? WL_LANES : 0U); to++) {
                if (wl_forbid_move(o->s, town, u, kind, to) == NULL) { lanes |= wl_bit(to); }
            }
            if (lanes != 0) { add_alike(list, &n, u, lanes); }
        }
        for (unsigned i = 0; i < n; i++) {
            offer_move_of(o, town, kind, list[i].units, with_lane ? list[i].choices : 0);
        }
    }
}

/* ---- retreat ---- */

/* W12: one unit, or all that may leave. */
static void offer_retreats(struct wl_offer *o, unsigned town)
{
    uint64_t units = 0, own = wl_fighters_of_seat(o->s, o->seat, town, WL_NOWHERE);
    for (uint64_t left = own; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left);
        if (wl_forbid_retreat(o->s, town, u) == NULL) { units |= wl_bit(u); }
    }
    if (units == 0) { return; }
    struct wl_paths paths;
    wl_paths_retreat(o->s, town, wl_side_of_seat(o->seat), &paths);
    if (wl_paths_best(&paths, town) == 0) { return; }
    wl_form_begin(o, "retreat");
    jw_key_str(o->out, "battle", town_id(o, town));
    jw_key_object(o->out, "routes");
    jw_key_array(o->out, "list");
    jw_array_begin(o->out);
    size_t empty = o->out->len;
    wl_add_items(o, &paths, town, units, true, 1, WL_FORMS_BYTES_MAX - 32);
    if (o->out->len == empty) {
        buf_cut(o->out, o->form_at);
        return;
    }
    jw_array_end(o->out);
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
    if (wl_count_bits(units) < 2) { return; }
    wl_form_begin(o, "retreat");
    jw_key_str(o->out, "battle", town_id(o, town));
    if (!wl_add_free_routes(o, &paths, town, units, WL_FORMS_BYTES_MAX - 32)) {
        wl_write_fixed_routes(o->s, &paths, town, units, false, NULL, o->out);
    }
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* ---- end of the combat turn ---- */

/* W11: units that may join the battle and are not kept for another one. */
static uint64_t joiners(const struct wl_offer *o, unsigned town, uint64_t not_these)
{
    uint64_t units = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_on_map(o->s, u) && (not_these >> u & 1U) == 0 &&
            wl_seat_of_nation(o->s, wl_nation(u)) == o->seat &&
            wl_forbid_reinforce(o->s, town, u) == NULL) {
            units |= wl_bit(u);
        }
    }
    return units;
}

/* W11.1: two of the French, or one of each Allied nation. */
static void write_joiners(struct wl_offer *o, unsigned town, uint64_t units)
{
    unsigned max = 0;
    jw_object_begin(o->out);
    jw_key_str(o->out, "battle", town_id(o, town));
    jw_key_object(o->out, "units");
    jw_key_array(o->out, "any_of");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        uint64_t of_nation = 0;
        for (uint64_t left = units; left != 0; left &= left - 1) {
            if (wl_nation(wl_first_bit(left)) == n) { of_nation |= left & -left; }
        }
        if (of_nation == 0) { continue; }
        if (wl_reinforce_max(n) == 1) {
            wl_write_units(of_nation, o->out);
            max++;
            continue;
        }
        for (uint64_t left = of_nation; left != 0; left &= left - 1) {
            jw_str(o->out, wl_unit_facts[wl_first_bit(left)].id);
        }
        unsigned have = wl_count_bits(of_nation);
        max += have < wl_reinforce_max(n) ? have : wl_reinforce_max(n);
    }
    jw_array_end(o->out);
    jw_key_int(o->out, "min", 1);
    jw_key_int(o->out, "max", max);
    jw_object_end(o->out);
    jw_object_end(o->out);
}

/* W7.3. A unit that could join two battles is offered to the first; with others below, to the last.
 */
static void offer_end(struct wl_offer *o, bool last_first)
{
    const unsigned towns = wl_board(o->s)->map.towns;
    uint64_t taken = 0;
    unsigned battles = 0;
    wl_form_begin(o, "end_combat_turn");
    size_t plain = o->out->len;
    jw_key_object(o->out, "reinforcements");
    jw_key_array(o->out, "any_of");
    for (unsigned i = 0; i < towns; i++) {
        unsigned t = last_first ? towns - 1 - i : i;
        if (o->s->fight[t].phase != WL_BATTLE) { continue; }
        uint64_t units = joiners(o, t, taken);
        if (units == 0) { continue; }
        taken |= units;
        battles++;
        write_joiners(o, t, units);
    }
    jw_array_end(o->out);
    jw_key_int(o->out, "min", 0);
    jw_key_int(o->out, "max", battles);
    jw_object_end(o->out);
    if (battles == 0) { buf_cut(o->out, plain); }
    if (last_first && battles < 2) {
        buf_cut(o->out, o->form_at);
        return;
    }
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* W7 to W12. */
void wl_offer_combat(struct wl_offer *o)
{
    if (wl_forbid_end_combat_turn(o->s, o->seat) == NULL) {
        offer_end(o, false);
        offer_end(o, true);
    }
    uint64_t battles = 0;
    for (unsigned t = 0; t < wl_board(o->s)->map.towns; t++) {
        if (o->s->fight[t].phase == WL_BATTLE) { battles |= wl_bit(t); }
    }
    for (uint64_t left = battles; left != 0; left &= left - 1) {
        offer_fires(o, wl_first_bit(left));
        offer_moves(o, wl_first_bit(left));
    }
    for (uint64_t left = battles; left != 0; left &= left - 1) {
        offer_retreats(o, wl_first_bit(left));
    }
}
