/* common/rules/waterloo/actions.c: action forms (PROTOCOL section 5): what a seat is offered, and
 * the prompt it is asked with. Every form asks the same predicates as apply (rules.h); movement and
 * combat have files of their own. */
#include <assert.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"

enum { PLACES_MAX = 6 }; /* units placed by one form of the set-up */

/* ---- what is due ---- */

uint64_t wl_own_routs(const struct state *s, unsigned seat)
{
    uint64_t towns = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].rout_side != WL_NOBODY && wl_routed(s, t, seat) != 0) {
            towns |= wl_bit(t);
        }
    }
    return towns;
}

uint64_t wl_own_deployments(const struct state *s, unsigned seat)
{
    uint64_t towns = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase == WL_BATTLE && wl_forbid_deploy(s, t, seat) == NULL) {
            towns |= wl_bit(t);
        }
    }
    return towns;
}

uint64_t wl_own_answers_due(const struct state *s, unsigned seat)
{
    uint64_t towns = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase == WL_ATTACKED && wl_owes_answer(s, t, seat)) { towns |= wl_bit(t); }
    }
    return towns;
}

/* ---- prompt ---- */

static void key_towns(const struct state *s, const char *name, uint64_t towns, struct buf *out)
{
    jw_key_array(out, name);
    for (; towns != 0; towns &= towns - 1) {
        jw_str(out, wl_board(s)->map.town_ids[wl_first_bit(towns)]);
    }
    jw_array_end(out);
}

static void prompt_battles(const struct state *s, const char *id, uint64_t towns, struct buf *out)
{
    jw_key_str(out, "id", id);
    if (towns != 0) {
        jw_key_str(out, "battle", wl_board(s)->map.town_ids[wl_first_bit(towns)]);
        key_towns(s, "battles", towns, out);
    }
}

static void prompt_setup(const struct state *s, unsigned seat, struct buf *out)
{
    unsigned unplaced = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unplaced += s->unit[u].town == WL_NONE && wl_seat_of_nation(s, wl_nation(u)) == seat;
    }
    jw_key_str(out, "id", "place_units");
    jw_key_int(out, "unplaced", unplaced);
}

static void prompt_response(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t due = wl_own_answers_due(s, seat), forced = 0;
    for (uint64_t left = due; left != 0; left &= left - 1) {
        unsigned t = wl_first_bit(left);
        if (wl_forbid_fight(s, t, seat) != NULL) { forced |= wl_bit(t); }
    }
    jw_key_str(out, "id", "respond");
    key_towns(s, "towns", due, out);
    if (forced != 0) { key_towns(s, "must_retreat", forced, out); }
}

/* W7.7: the battles that would be idle if the seat ended now are those in which it still may act.
 */
static void prompt_combat(const struct state *s, unsigned seat, struct buf *out)
{
    jw_key_str(out, "id", "combat");
    jw_key_str(out, "side", s->ct_side == WL_ATT ? "att" : "def");
    jw_key_int(out, "n", s->ct_n);
    if (wl_forbid_end_combat_turn(s, seat) == NULL) { return; }
    uint64_t idle = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        const struct wl_fight *fight = &s->fight[t];
        bool quiet =
            fight->phase == WL_BATTLE && fight->fired_last_round == 0 && fight->attacker_acted == 0;
        if (quiet && wl_fighters_of_seat(s, seat, t, WL_NOWHERE) != 0) { idle |= wl_bit(t); }
    }
    key_towns(s, "must_act", idle, out);
}

static void prompt_supply(const struct state *s, unsigned seat, struct buf *out)
{
    jw_key_str(out, "id", "remove_units");
    jw_key_object(out, "debt");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (s->debt[n] != 0 && wl_seat_of_nation(s, n) == seat) {
            jw_key_int(out, wl_nation_ids[n], s->debt[n]);
        }
    }
    jw_object_end(out);
}

void wl_write_prompt(const struct state *s, unsigned seat, struct buf *out)
{
    uint64_t routs = s->step == WL_COMBAT ? wl_own_routs(s, seat) : 0;
    jw_key_object(out, "prompt");
    switch (s->step) {
    case WL_SETUP_ALLIED:
    case WL_SETUP_FRENCH: prompt_setup(s, seat, out); break;
    case WL_MOVE: jw_key_str(out, "id", "move"); break;
    case WL_RESPOND: prompt_response(s, seat, out); break;
    case WL_PURSUIT_LOSS:
        jw_key_str(out, "id", "allot");
        jw_key_str(out, "town", wl_board(s)->map.town_ids[s->pl_town]);
        jw_key_str(out, "stage", s->pl_stage == 0 ? "A" : "B");
        jw_key_int(out, "hits", s->pl_hits[seat]);
        break;
    case WL_DEPLOY_DEF:
        prompt_battles(s, "deploy_defence", wl_own_deployments(s, seat), out);
        break;
    case WL_DEPLOY_ATT: prompt_battles(s, "deploy_attack", wl_own_deployments(s, seat), out); break;
    case WL_COMBAT:
        if (routs != 0) {
            prompt_battles(s, "rout_routes", routs, out);
        } else {
            prompt_combat(s, seat, out);
        }
        break;
    case WL_SUPPLY: prompt_supply(s, seat, out); break;
    default: break;
    }
    jw_object_end(out);
}

/* ---- set-up ---- */

/* Towns in which at least room more units of the nation may start (W2.2 to W2.4). */
static uint64_t towns_with_room(const struct state *s, unsigned nation, unsigned unit,
                                unsigned room)
{
    uint64_t towns = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (wl_forbid_place(s, unit, t) == NULL &&
            wl_count_nation(s, t, nation) + room <= wl_place_max(nation)) {
            towns |= wl_bit(t);
        }
    }
    return towns;
}

/* One form that places count units at once: the k-th item picks from every count-th unit, so no
 * unit is named twice, and each of the towns has room for them all. */
static void offer_places(struct wl_offer *o, uint64_t units, uint64_t towns, unsigned count)
{
    uint64_t slice[PLACES_MAX] = {0};
    unsigned k = 0;
    for (uint64_t left = units; left != 0; left &= left - 1) {
        slice[k] |= left & -left;
        k = (k + 1) % count;
    }
    wl_form_begin(o, "place");
    jw_key_object(o->out, "placements");
    jw_key_array(o->out, "list");
    for (k = 0; k < count; k++) {
        jw_object_begin(o->out);
        wl_key_units("unit", slice[k], o->out);
        key_towns(o->s, "town", towns, o->out);
        jw_object_end(o->out);
    }
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* Those of the towns that a road joins to a town of another zone, where the war will begin; all of
 * them if there is none. */
static uint64_t front_of(const struct state *s, uint64_t towns)
{
    const struct wl_board *board = wl_board(s);
    uint64_t front = 0;
    for (uint64_t left = towns; left != 0; left &= left - 1) {
        unsigned t = wl_first_bit(left);
        for (unsigned i = 0; i < board->map.degree[t]; i++) {
            if (board->zone[board->map.link[t][i].town] != board->zone[t]) { front |= wl_bit(t); }
        }
    }
    return front != 0 ? front : towns;
}

/* Forms that put count units in one town together, each for another town. Which, goes round as the
 * set-up fills up. */
static void offer_stacks(struct wl_offer *o, uint64_t units, uint64_t towns, unsigned count)
{
    enum { STACKS = 4 };
    uint64_t front = front_of(o->s, towns);
    unsigned n = wl_count_bits(front), skip = wl_count_bits(units) * 5 % n;
    for (; skip > 0; skip--) {
        front &= front - 1;
    }
    for (unsigned i = 0; i < STACKS && front != 0; i++, front &= front - 1) {
        offer_places(o, units, front & -front, count);
    }
}

/* W2.6: places for the units that have none; when all have one, confirm or move one about. */
void wl_offer_setup(struct wl_offer *o)
{
    if (wl_forbid_confirm(o->s, o->seat) == NULL) {
        wl_form_begin(o, "confirm_setup");
        wl_form_end(o, WL_FORMS_BYTES_MAX);
    }
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        bool acting = (n == WL_FR) == (o->s->step == WL_SETUP_FRENCH);
        if (!acting || wl_seat_of_nation(o->s, n) != o->seat) { continue; }
        uint64_t unplaced = 0, all = 0;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_nation(u) != n || o->s->unit[u].cv == 0) { continue; }
            all |= wl_bit(u);
            if (o->s->unit[u].town == WL_NONE) { unplaced |= wl_bit(u); }
        }
        if (all == 0) { continue; }
        uint64_t units = unplaced != 0 ? unplaced : all;
        uint64_t towns = towns_with_room(o->s, n, wl_first_bit(units), 1);
        if (towns != 0) { offer_places(o, units, towns, 1); }
        unsigned count = wl_place_max(n) < PLACES_MAX ? wl_place_max(n) : PLACES_MAX;
        if (count > wl_count_bits(unplaced)) { count = wl_count_bits(unplaced); }
        if (count < 2) { continue; }
        towns = towns_with_room(o->s, n, wl_first_bit(unplaced), count);
        if (towns == 0) { continue; }
        offer_places(o, unplaced, towns, count);
        offer_stacks(o, unplaced, towns, count);
    }
}

/* ---- pursuit losses ---- */

/* One fixed way to take the hits: units in turn from the first-th on, each all it can take. */
static void offer_losses(struct wl_offer *o, const uint8_t *units, unsigned n, unsigned first,
                         unsigned hits)
{
    wl_form_begin(o, "allot");
    jw_key_str(o->out, "town", wl_board(o->s)->map.town_ids[o->s->pl_town]);
    jw_key_object(o->out, "losses");
    jw_key_array(o->out, "list");
    for (unsigned i = 0; i < n && hits > 0; i++) {
        unsigned u = units[(first + i) % n], cv = o->s->unit[u].cv;
        unsigned lost = cv < hits ? cv : hits;
        jw_object_begin(o->out);
        jw_key_str(o->out, "unit", wl_unit_facts[u].id);
        jw_key_int(o->out, "cv", lost);
        jw_object_end(o->out);
        hits -= lost;
    }
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* One hit each on as many different units. */
static void offer_spread_losses(struct wl_offer *o, uint64_t units, unsigned hits)
{
    wl_form_begin(o, "allot");
    jw_key_str(o->out, "town", wl_board(o->s)->map.town_ids[o->s->pl_town]);
    jw_key_object(o->out, "losses");
    jw_key_array(o->out, "any_of");
    for (; units != 0; units &= units - 1) {
        jw_object_begin(o->out);
        jw_key_str(o->out, "unit", wl_unit_facts[wl_first_bit(units)].id);
        jw_key_int(o->out, "cv", 1);
        jw_object_end(o->out);
    }
    jw_array_end(o->out);
    jw_key_int(o->out, "min", hits);
    jw_key_int(o->out, "max", hits);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

uint64_t wl_allottable(const struct state *s, unsigned seat)
{
    uint64_t units = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_on_map(s, u) && wl_seat_of_nation(s, wl_nation(u)) == seat &&
            wl_forbid_allot(s, seat, u, 1) == NULL) {
            units |= wl_bit(u);
        }
    }
    return units;
}

/* W5.9. */
void wl_offer_allot(struct wl_offer *o)
{
    uint8_t units[WL_UNITS];
    unsigned hits = o->s->pl_hits[o->seat];
    uint64_t set = hits == 0 ? 0 : wl_allottable(o->s, o->seat);
    unsigned n = wl_list_units(o->s, set, true, units);
    if (hits == 0) {
        offer_losses(o, units, 0, 0, 0);
        return;
    }
    if (hits <= n) { offer_spread_losses(o, set, hits); }
    for (unsigned first = 0; first < n && first < 8; first++) {
        offer_losses(o, units, n, first, hits);
    }
}

/* ---- deployment ---- */

static void offer_columns(struct wl_offer *o, unsigned town, uint64_t units, unsigned needed)
{
    static const char *const lanes[WL_LANES] = {"1", "2", "3"};
    wl_form_begin(o, "deploy");
    jw_key_str(o->out, "battle", wl_board(o->s)->map.town_ids[town]);
    jw_key_object(o->out, "columns");
    wl_key_units("split", units, o->out);
    jw_key_object(o->out, "into");
    for (unsigned k = 0; k < WL_LANES; k++) {
        jw_key_object(o->out, lanes[k]);
        if ((needed >> k & 1U) != 0) { jw_key_int(o->out, "min", 1); }
        jw_object_end(o->out);
    }
    jw_key_object(o->out, "reserve");
    jw_object_end(o->out);
    jw_object_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* W6.2, W18.6: any division of the units that leaves no column empty that the seat has to fill.
 * Where it may leave some to its ally there is a form for each first column. */
void wl_offer_deploy(struct wl_offer *o)
{
    for (uint64_t left = wl_own_deployments(o->s, o->seat); left != 0; left &= left - 1) {
        unsigned town = wl_first_bit(left), at_least = 0;
        uint64_t units = wl_fighters_of_seat(o->s, o->seat, town, WL_UNDEPLOYED);
        unsigned needed =
            wl_columns_to_fill(o->s, town, o->seat, &at_least) >> 1; /* lane 1: bit 0 */
        unsigned have = wl_count_bits(needed);
        if (have >= at_least) {
            offer_columns(o, town, units, needed);
            continue;
        }
        for (unsigned first = 0; first < WL_LANES; first++) {
            unsigned mins = needed, count = have;
            for (unsigned i = 0; i < WL_LANES && count < at_least; i++) {
                unsigned lane = 1U << (first + i) % WL_LANES;
                count += (mins & lane) == 0;
                mins |= lane;
            }
            offer_columns(o, town, units, mins);
        }
    }
}

/* ---- supply ---- */

/* W15.2: the exact number of each nation. Two or more of one nation are picked from separate
 * halves, so that none is named twice. */
void wl_offer_supply(struct wl_offer *o)
{
    wl_form_begin(o, "remove");
    jw_key_object(o->out, "units");
    jw_key_array(o->out, "list");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        unsigned debt = o->s->debt[n], k = 0;
        if (debt == 0 || wl_seat_of_nation(o->s, n) != o->seat) { continue; }
        uint64_t part[4] = {0};
        assert(debt <= 4);
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_nation(u) != n || !wl_on_map(o->s, u)) { continue; }
            part[k] |= wl_bit(u);
            k = (k + 1) % debt;
        }
        for (k = 0; k < debt; k++) {
            wl_write_units(part[k], o->out);
        }
    }
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* ---- the whole ---- */

void wl_actions(const struct state *s, unsigned seat, struct buf *out)
{
    jw_array_begin(out);
    struct wl_offer o = {s, seat, out, out->len - 1, 0};
    if ((wl_to_act(s) >> seat & 1U) != 0) {
        switch (s->step) {
        case WL_SETUP_ALLIED:
        case WL_SETUP_FRENCH: wl_offer_setup(&o); break;
        case WL_MOVE: wl_offer_move(&o); break;
        case WL_RESPOND: wl_offer_response(&o); break;
        case WL_PURSUIT_LOSS: wl_offer_allot(&o); break;
        case WL_DEPLOY_DEF:
        case WL_DEPLOY_ATT: wl_offer_deploy(&o); break;
        case WL_COMBAT:
            if (wl_own_routs(s, seat) != 0) {
                wl_offer_routs(&o);
            } else {
                wl_offer_combat(&o);
            }
            break;
        case WL_SUPPLY: wl_offer_supply(&o); break;
        default: break;
        }
    }
    jw_array_end(out);
}
