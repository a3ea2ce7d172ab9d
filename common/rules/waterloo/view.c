/* common/rules/waterloo/view.c: what one viewer may know of a state (W20), and who acts as he may
 * see it. */
#include <assert.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"
#include "common/rules/waterloo/wl.h"

static const char *const place_ids[] = {
    [WL_UNDEPLOYED] = "undeployed", [WL_COL] = "column",    [WL_ADV] = "advanced",
    [WL_RES] = "reserve",           [WL_ROUTED] = "routed",
};
static const char *const battle_side_ids[] = {[WL_ATT] = "att", [WL_DEF] = "def"};
static const char *const lane_ids[WL_LANES] = {"1", "2", "3"};
static const char *const why_ids[WL_WHYS] = {"surrender", "time", "departed", "agreed"};

/* ---- who may know what ---- */

/* W18.3, W20.1: the side's own seats, both allies, and a viewer of all. */
static bool knows(const struct state *s, unsigned viewer, unsigned side)
{
    return (wl_own_viewers(s, side) >> viewer & 1U) != 0;
}

static bool is_setup(const struct state *s)
{
    return s->step == WL_SETUP_ALLIED || s->step == WL_SETUP_FRENCH;
}

static bool is_response(const struct state *s)
{
    return s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS;
}

static unsigned defender(const struct state *s)
{
    return wl_other(wl_phasing(s));
}

/* The defender's enemies see his units as they stood when the response step began (W20.5). */
static bool is_frozen(const struct state *s, unsigned viewer, unsigned side)
{
    return is_response(s) && side == defender(s) && !knows(s, viewer, side);
}

/* A placement is the placing side's own until all of its seats have confirmed (W2.6). Where a match
 * was left in the set-up (slot 0, over) that does not change: nobody else sees what was drafted. */
static bool sees_placement(const struct state *s, unsigned viewer, unsigned side)
{
    return s->slot != 0 || knows(s, viewer, side) ||
           (side == WL_SIDE_AL && s->step == WL_SETUP_FRENCH);
}

/* The town in which viewer sees the unit, counted or by id; WL_NONE: in none. */
static unsigned seen_town(const struct state *s, unsigned viewer, unsigned unit)
{
    unsigned side = wl_side(unit);
    if (is_frozen(s, viewer, side)) { return s->seen_town[unit]; }
    if (!wl_on_map(s, unit) || !sees_placement(s, viewer, side)) { return WL_NONE; }
    return s->unit[unit].town;
}

/* W12.11: a mark holds up to and with its slot. */
static bool seen_marked(const struct state *s, unsigned viewer, unsigned unit)
{
    if (is_frozen(s, viewer, wl_side(unit))) { return (s->seen_marked >> unit & 1U) != 0; }
    return s->unit[unit].marked_until != 0 && s->unit[unit].marked_until >= s->slot;
}

/* True when viewer has been told that the unit is out of the game. */
static bool seen_lost(const struct state *s, unsigned viewer, unsigned unit)
{
    if (s->unit[unit].gone == WL_ON_MAP) { return false; }
    return !is_frozen(s, viewer, wl_side(unit)) || s->seen_town[unit] == WL_NONE;
}

/* ---- small pieces ---- */

static void write_counts(const char *name, const uint8_t n[WL_NATIONS], struct buf *out)
{
    jw_key_object(out, name);
    for (unsigned k = 0; k < WL_NATIONS; k++) {
        if (n[k] != 0) { jw_key_int(out, wl_nation_ids[k], n[k]); }
    }
    jw_object_end(out);
}

static void write_seats(const struct state *s, const char *name, uint32_t seats, struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((seats >> seat & 1U) != 0) { jw_str(out, wl_seat_id(s, seat)); }
    }
    jw_array_end(out);
}

static void write_towns(const struct state *s, const char *name, uint64_t towns, struct buf *out)
{
    const struct pmap *map = &wl_board(s)->map;
    jw_key_array(out, name);
    for (unsigned t = 0; t < map->towns; t++) {
        if ((towns >> t & 1U) != 0) { jw_str(out, map->town_ids[t]); }
    }
    jw_array_end(out);
}

static void write_roads(const struct state *s, const char *name, const uint32_t roads[4],
                        struct buf *out)
{
    const struct pmap *map = &wl_board(s)->map;
    jw_key_array(out, name);
    for (unsigned r = 0; r < map->roads; r++) {
        if (wl_road_in(roads, r)) { jw_str(out, map->road_ids[r]); }
    }
    jw_array_end(out);
}

/* A road ledger: what is used and what is left (W4.6, W12.6). */
static void write_ledger(const struct state *s, const char *name,
                         const uint8_t used[PMAP_ROADS_MAX], struct buf *out)
{
    const struct wl_board *board = wl_board(s);
    jw_key_object(out, name);
    for (unsigned r = 0; r < board->map.roads; r++) {
        if (used[r] == 0) { continue; }
        unsigned capacity = wl_road_capacity(board, r);
        jw_key_object(out, board->map.road_ids[r]);
        jw_key_int(out, "used", used[r]);
        jw_key_int(out, "left", capacity > used[r] ? capacity - used[r] : 0);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_route(const struct state *s, unsigned unit, struct buf *out)
{
    const struct wl_route *route = &s->unit[unit].route;
    jw_key_object(out, wl_unit_facts[unit].id);
    jw_key_array(out, "path");
    for (unsigned i = 0; i < route->len; i++) {
        jw_str(out, wl_board(s)->map.town_ids[route->town[i]]);
    }
    jw_array_end(out);
    jw_key_bool(out, "forced", route->forced != 0);
    jw_key_int(out, "order", route->order);
    jw_object_end(out);
}

/* ---- who acts ---- */

/* W5.8, W12.7, W12.8: whether a unit could have left the attacked town when the step began: the
 * ledger was empty then, and the attacker does not move in the step. */
static bool had_way_out(const struct state *s, unsigned town)
{
    const struct pmap *map = &wl_board(s)->map;
    uint64_t enemies = wl_towns_of_side(s, wl_phasing(s));
    for (unsigned i = 0; i < map->degree[town]; i++) {
        struct pmap_link link = map->link[town][i];
        if (!wl_road_in(s->fight[town].attack_roads, link.road) &&
            (enemies >> link.town & 1U) == 0) {
            return true;
        }
    }
    return false;
}

/* Seats of the defender that had something to answer when the step began; those whose every answer
 * the server gave (W19.2: one or two units, no way out) had not. */
static uint32_t asked_in_response(const struct state *s)
{
    uint32_t seats = 0;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_ATTACKED) { continue; }
        uint32_t here = 0;
        unsigned count = 0;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_side(u) != defender(s) || s->seen_town[u] != t) { continue; }
            here |= UINT32_C(1) << wl_seat_of_nation(s, wl_nation(u));
            count++;
        }
        if (count > 2 || had_way_out(s, t)) { seats |= here; }
    }
    return seats;
}

/* Seats of that side with a unit that satisfies one of the conditions: may march, is in a battle.
 */
static uint32_t seats_with_units(const struct state *s, unsigned side, bool marching)
{
    uint32_t seats = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_side(u) != side || !wl_on_map(s, u)) { continue; }
        bool marked = s->unit[u].marked_until != 0 && s->unit[u].marked_until >= s->slot;
        if (marching ? !marked : s->unit[u].place != WL_NOWHERE) {
            seats |= UINT32_C(1) << wl_seat_of_nation(s, wl_nation(u));
        }
    }
    return seats;
}

/* W20.3: while seats of one side act where nobody else can, their enemy sees all of them as acting
 * that had anything to do when the step began, whichever has ended. */
void wl_shown(const struct state *s, unsigned viewer, uint32_t *out_to_act, uint32_t *out_waits_for)
{
    uint32_t seen = 0;
    switch (s->step) {
    case WL_SETUP_ALLIED:
        if (!knows(s, viewer, WL_SIDE_AL)) { seen = wl_seats_of_side(s, WL_SIDE_AL); }
        break;
    case WL_MOVE:
        if (!knows(s, viewer, wl_phasing(s))) { seen = seats_with_units(s, wl_phasing(s), true); }
        break;
    case WL_RESPOND:
    case WL_PURSUIT_LOSS:
        if (!knows(s, viewer, defender(s))) { seen = asked_in_response(s); }
        break;
    case WL_DEPLOY_DEF:
        if (!knows(s, viewer, defender(s))) { seen = seats_with_units(s, defender(s), false); }
        break;
    case WL_DEPLOY_ATT:
        if (!knows(s, viewer, wl_phasing(s))) { seen = seats_with_units(s, wl_phasing(s), false); }
        break;
    default: break;
    }
    *out_to_act = seen != 0 ? seen : wl_to_act(s);
    *out_waits_for = seen != 0 ? seen : wl_waits_for(s);
}

/* ---- board: units, towns, nations ---- */

static void write_options(const struct state *s, struct buf *out)
{
    jw_key_str(out, "base", s->base == WL_BASE_REAL ? "real" : "fixture");
    jw_key_object(out, "options");
    jw_key_int(out, "players", s->players);
    jw_key_bool(out, "morale", s->morale != 0);
    jw_key_bool(out, "command_control", s->command_control != 0);
    jw_object_end(out);
    jw_key_object(out, "seats");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((s->departed >> seat & 1U) != 0) { continue; }
        jw_key_array(out, wl_seat_id(s, seat));
        for (unsigned n = 0; n < WL_NATIONS; n++) {
            if (wl_seat_of_nation(s, n) == seat) { jw_str(out, wl_nation_ids[n]); }
        }
        jw_array_end(out);
    }
    jw_object_end(out);
}

/* W16.1: the number at which each nation surrenders, and what it has left as far as viewer knows.
 */
static void write_nations(const struct state *s, unsigned viewer, struct buf *out)
{
    static const uint8_t surrenders_at[WL_NATIONS] = {[WL_FR] = 9, [WL_AD] = 7, [WL_PR] = 8};
    uint8_t left[WL_NATIONS] = {0};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!seen_lost(s, viewer, u)) { left[wl_nation(u)]++; }
    }
    jw_key_object(out, "nations");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        jw_key_object(out, wl_nation_ids[n]);
        jw_key_int(out, "left", left[n]);
        jw_key_int(out, "surrenders_at", surrenders_at[n]);
        if ((s->surrendered >> n & 1U) != 0) { jw_key_bool(out, "surrendered", true); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_town_counts(const struct state *s, unsigned viewer, struct buf *out)
{
    uint8_t units[PMAP_TOWNS_MAX][WL_NATIONS], marked[PMAP_TOWNS_MAX][WL_NATIONS];
    uint64_t any = 0, any_marked = 0;
    memset(units, 0, sizeof units);
    memset(marked, 0, sizeof marked);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unsigned town = seen_town(s, viewer, u);
        if (town == WL_NONE) { continue; }
        units[town][wl_nation(u)]++;
        any |= UINT64_C(1) << town;
        if (!seen_marked(s, viewer, u)) { continue; }
        marked[town][wl_nation(u)]++;
        any_marked |= UINT64_C(1) << town;
    }
    jw_key_object(out, "towns");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if ((any >> t & 1U) == 0) { continue; }
        jw_key_object(out, wl_board(s)->map.town_ids[t]);
        write_counts("units", units[t], out);
        if ((any_marked >> t & 1U) != 0) { write_counts("marked", marked[t], out); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_own_units(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "units");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        if (!knows(s, viewer, wl_side(u)) || unit->gone != WL_ON_MAP) { continue; }
        jw_key_object(out, wl_unit_facts[u].id);
        jw_key_str(out, "type", wl_type_ids[wl_type(u)]);
        jw_key_int(out, "cv", unit->cv);
        if (unit->town != WL_NONE) {
            jw_key_str(out, "town", wl_board(s)->map.town_ids[unit->town]);
        }
        if (seen_marked(s, viewer, u)) { jw_key_int(out, "marked_until", unit->marked_until); }
        if (unit->marched != 0) { jw_key_bool(out, "marched", true); }
        if (unit->place != WL_NOWHERE) { jw_key_str(out, "place", place_ids[unit->place]); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_lost(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "lost");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!seen_lost(s, viewer, u)) { continue; }
        jw_key_object(out, wl_unit_facts[u].id);
        jw_key_str(out, "type", wl_type_ids[wl_type(u)]);
        jw_key_str(out, "why", wl_gone_id(s->unit[u].gone));
        jw_object_end(out);
    }
    jw_object_end(out);
}

/* W2.2 to W2.4. */
static void write_setup(const struct state *s, struct buf *out)
{
    static const uint8_t zone_of[WL_NATIONS] = {WL_ZONE_FRANCE, WL_ZONE_ANGLO, WL_ZONE_PRUSSIAN};
    const struct wl_board *board = wl_board(s);
    jw_key_object(out, "setup");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if ((n == WL_FR) != (s->step == WL_SETUP_FRENCH)) { continue; }
        uint64_t towns = 0;
        for (unsigned t = 0; t < PMAP_TOWNS_MAX && t < board->map.towns; t++) {
            towns |= (uint64_t)(board->zone[t] == zone_of[n]) << t;
        }
        jw_key_object(out, wl_nation_ids[n]);
        jw_key_int(out, "max", wl_place_max(n));
        write_towns(s, "towns", towns, out);
        jw_object_end(out);
    }
    jw_object_end(out);
}

/* ---- board: movement and response ---- */

/* W4.2: towns that the phasing nations have moved out of, and how many they may. */
static void write_groups(const struct state *s, bool drafts, struct buf *out)
{
    jw_key_object(out, "groups");
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if ((n == WL_FR) != (wl_phasing(s) == WL_SIDE_FR)) { continue; }
        uint64_t used = s->groups_used[n];
        for (unsigned u = 0; drafts && u < WL_UNITS; u++) {
            if (wl_nation(u) == n && s->unit[u].route.len != 0) {
                used |= UINT64_C(1) << s->unit[u].town;
            }
        }
        jw_key_object(out, wl_nation_ids[n]);
        write_towns(s, "used", used, out);
        jw_key_int(out, "of", n == WL_FR ? 2 : 1);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_pursuit(const struct state *s, unsigned town, struct buf *out)
{
    unsigned none = s->fight[town].no_pursuit;
    if (none == 0) { return; }
    jw_key_object(out, "pursuit");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((none >> seat & 1U) != 0) { jw_key_str(out, wl_seat_id(s, seat), "none"); }
    }
    jw_object_end(out);
}

/* What the drafts so far would attack (W4.8), and whether by enough units (W4.9). */
static void write_planned_attack(const struct state *s, unsigned town, struct buf *out)
{
    uint8_t attackers[WL_NATIONS] = {0}, defenders[WL_NATIONS] = {0};
    uint32_t roads[4] = {0};
    unsigned sure = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        if (wl_side(u) != wl_phasing(s)) {
            if (wl_on_map(s, u) && s->unit[u].town == town) { defenders[wl_nation(u)]++; }
        } else if (route->len != 0 && route->town[route->len - 1] == town) {
            attackers[wl_nation(u)]++;
            wl_road_add(roads, route->road[route->len - 1]);
            sure += s->unit[u].cv > 1 || route->forced == 0;
        }
    }
    jw_key_object(out, wl_board(s)->map.town_ids[town]);
    write_counts("attackers", attackers, out);
    write_counts("defenders", defenders, out);
    write_roads(s, "roads", roads, out);
    jw_key_bool(out, "enough", sure >= 3);
    write_pursuit(s, town, out);
    jw_object_end(out);
}

/* MOVE: the drafts of the phasing side, with what they use and attack; for that side alone. */
static void write_drafts(const struct state *s, struct buf *out)
{
    uint8_t used[PMAP_ROADS_MAX] = {0};
    uint64_t goals = 0;
    write_groups(s, true, out);
    jw_key_object(out, "marches");
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        if (route->len == 0) { continue; }
        write_route(s, u, out);
        for (unsigned i = 0; i < route->len; i++) {
            used[route->road[i]]++;
        }
        goals |= UINT64_C(1) << route->town[route->len - 1];
    }
    jw_object_end(out);
    write_ledger(s, "roads", used, out);
    goals &= wl_towns_of_side(s, defender(s));
    jw_key_object(out, "attacks");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if ((goals >> t & 1U) != 0) { write_planned_attack(s, t, out); }
    }
    jw_object_end(out);
}

/* The defender's answers in one town (W5.2 to W5.5), for his side alone. */
static void write_answers(const struct state *s, unsigned town, struct buf *out)
{
    const struct wl_fight *fight = &s->fight[town];
    jw_key_object(out, "answers");
    for (unsigned i = 0; i < fight->answers; i++) {
        const struct wl_answer *answer = &fight->answer[i];
        jw_key_object(out, wl_seat_id(s, answer->seat));
        jw_key_str(out, "choice", answer->choice == 0 ? "fight" : "retreat");
        jw_key_int(out, "order", i + 1);
        if (answer->automatic != 0) { jw_key_bool(out, "automatic", true); }
        bool routes = false, stranded = false;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (s->unit[u].town != town || wl_side(u) != defender(s) || !wl_on_map(s, u) ||
                wl_seat_of_nation(s, wl_nation(u)) != answer->seat) {
                continue;
            }
            routes = routes || s->unit[u].route.len != 0;
            stranded = stranded || s->unit[u].stranded != 0;
        }
        if (routes) { jw_key_object(out, "routes"); }
        for (unsigned u = 0; routes && u < WL_UNITS; u++) {
            if (s->unit[u].town == town && s->unit[u].route.len != 0 &&
                wl_seat_of_nation(s, wl_nation(u)) == answer->seat) {
                write_route(s, u, out);
            }
        }
        if (routes) { jw_object_end(out); }
        if (stranded) { jw_key_array(out, "stranded"); }
        for (unsigned u = 0; stranded && u < WL_UNITS; u++) {
            if (s->unit[u].town == town && s->unit[u].stranded != 0 &&
                wl_seat_of_nation(s, wl_nation(u)) == answer->seat) {
                jw_str(out, wl_unit_facts[u].id);
            }
        }
        if (stranded) { jw_array_end(out); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_attacks(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "attacks");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_ATTACKED) { continue; }
        uint8_t attackers[WL_NATIONS] = {0}, defenders[WL_NATIONS] = {0};
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (seen_town(s, viewer, u) != t) { continue; }
            uint8_t *count = wl_side(u) == wl_phasing(s) ? attackers : defenders;
            count[wl_nation(u)]++;
        }
        jw_key_object(out, wl_board(s)->map.town_ids[t]);
        write_counts("attackers", attackers, out);
        write_counts("defenders", defenders, out);
        write_roads(s, "roads", s->fight[t].attack_roads, out);
        if (knows(s, viewer, wl_phasing(s))) { write_pursuit(s, t, out); }
        if (knows(s, viewer, defender(s)) && s->fight[t].answers != 0) { write_answers(s, t, out); }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_pursuit_loss(const struct state *s, struct buf *out)
{
    jw_key_object(out, "pursuit_loss");
    jw_key_str(out, "town", wl_board(s)->map.town_ids[s->pl_town]);
    jw_key_str(out, "stage", s->pl_stage == 0 ? "A" : "B");
    jw_key_object(out, "hits");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((s->pl_asked >> seat & 1U) != 0) {
            jw_key_int(out, wl_seat_id(s, seat), s->pl_hits[seat]);
        }
    }
    jw_object_end(out);
    jw_object_end(out);
}

/* ---- board: battles ---- */

/* Where viewer sees the units of one battle. Index of a place: 0 undeployed, 1 to 3 the lanes, 4
 * the reserve, 5 the routed. */
enum { AT_UNDEPLOYED, AT_RESERVE = WL_LANES + 1, AT_ROUTED, AT_PLACES };
struct scene {
    uint64_t known[WL_NOBODY][AT_PLACES]; /* bit per unit that is shown by id */
    uint8_t hidden[WL_NOBODY][AT_PLACES][WL_NATIONS];
    uint8_t any[WL_NOBODY][AT_PLACES];
};

static unsigned place_index(const struct wl_unit *unit)
{
    switch (unit->place) {
    case WL_COL:
    case WL_ADV: return unit->lane;
    case WL_RES: return AT_RESERVE;
    case WL_ROUTED: return AT_ROUTED;
    default: return AT_UNDEPLOYED;
    }
}

/* W20.1: what viewer sees of one unit in a battle. True: by id; false: as one of a count. The place
 * may be less than it truly is: a deployment is shown when it is complete (W6.3, W6.4). */
static bool see_fighter(const struct state *s, unsigned viewer, unsigned u, unsigned *out_at)
{
    const struct wl_unit *unit = &s->unit[u];
    *out_at = place_index(unit);
    if (knows(s, viewer, wl_side(u))) { return true; }
    switch (s->step) {
    case WL_DEPLOY_DEF: *out_at = AT_UNDEPLOYED; return false;
    case WL_DEPLOY_ATT:
        if (wl_side(u) == wl_phasing(s)) { *out_at = AT_UNDEPLOYED; }
        return false;
    default:
        if (unit->place == WL_ROUTED) { return unit->revealed != 0; }
        return unit->place == WL_COL || unit->place == WL_ADV;
    }
}

static void look(const struct state *s, unsigned viewer, unsigned town, struct scene *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].town != town || s->unit[u].place == WL_NOWHERE || !wl_on_map(s, u)) {
            continue;
        }
        unsigned side = wl_battle_side_of(s, u), at = AT_UNDEPLOYED;
        if (see_fighter(s, viewer, u, &at)) {
            out->known[side][at] |= UINT64_C(1) << u;
        } else {
            out->hidden[side][at][wl_nation(u)]++;
        }
        out->any[side][at] = 1;
    }
}

static void write_fighter(const struct state *s, unsigned u, struct buf *out)
{
    const struct wl_unit *unit = &s->unit[u];
    jw_key_object(out, wl_unit_facts[u].id);
    jw_key_str(out, "type", wl_type_ids[wl_type(u)]);
    jw_key_int(out, "cv", unit->cv);
    if (unit->place == WL_ADV) { jw_key_int(out, "advanced_ct", unit->advanced_ct); }
    if (unit->square != 0) { jw_key_bool(out, "square", true); }
    if (unit->fired != 0) { jw_key_bool(out, "fired", true); }
    if (unit->moves != 0) { jw_key_int(out, "moves", unit->moves); }
    jw_object_end(out);
}

static void write_group(const struct state *s, const char *name, const struct scene *scene,
                        unsigned side, unsigned at, struct buf *out)
{
    jw_key_object(out, name);
    uint64_t known = scene->known[side][at];
    if (known != 0) {
        jw_key_object(out, "units");
        for (unsigned i = 0; i < WL_UNITS; i++) {
            unsigned u = wl_unit_by_id_order[i];
            if ((known >> u & 1U) != 0) { write_fighter(s, u, out); }
        }
        jw_object_end(out);
    }
    const uint8_t *hidden = scene->hidden[side][at];
    if (hidden[WL_FR] + hidden[WL_AD] + hidden[WL_PR] != 0) { write_counts("hidden", hidden, out); }
    jw_object_end(out);
}

static void write_both(const struct state *s, const char *name, const struct scene *scene,
                       unsigned at, struct buf *out)
{
    if (scene->any[WL_ATT][at] + scene->any[WL_DEF][at] == 0) { return; }
    jw_key_object(out, name);
    for (unsigned side = 0; side < WL_NOBODY; side++) {
        if (scene->any[side][at] != 0) {
            write_group(s, battle_side_ids[side], scene, side, at, out);
        }
    }
    jw_object_end(out);
}

static void write_lanes(const struct state *s, unsigned town, const struct scene *scene,
                        struct buf *out)
{
    jw_key_object(out, "lanes");
    for (unsigned k = 0; k < WL_LANES; k++) {
        const struct wl_lane *lane = &s->fight[town].lane[k];
        jw_key_object(out, lane_ids[k]);
        for (unsigned side = 0; side < WL_NOBODY; side++) {
            if (scene->any[side][k + 1] != 0) {
                write_group(s, battle_side_ids[side], scene, side, k + 1, out);
            }
        }
        if (lane->engaged_by != WL_NOBODY) {
            jw_key_str(out, "engaged_by", battle_side_ids[lane->engaged_by]);
            jw_key_int(out, "engaged_ct", lane->engaged_ct);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_battle(const struct state *s, unsigned viewer, unsigned town, struct buf *out)
{
    const struct wl_fight *fight = &s->fight[town];
    struct scene scene;
    look(s, viewer, town, &scene);
    jw_key_object(out, wl_board(s)->map.town_ids[town]);
    bool over = fight->phase == WL_BATTLE_OVER, fighting = !over && s->step == WL_COMBAT;
    jw_key_str(out, "phase", over ? "over" : fighting ? "fight" : "deploy");
    if (!over || fight->rout_side != WL_NOBODY) {
        write_roads(s, "roads", fight->attack_roads, out);
    }
    if (!over) {
        write_lanes(s, town, &scene, out);
        write_both(s, "reserve", &scene, AT_RESERVE, out);
        write_both(s, "undeployed", &scene, AT_UNDEPLOYED, out);
        if (fight->idle_rounds != 0) { jw_key_int(out, "idle_rounds", fight->idle_rounds); }
        if (fight->fired_this_round != 0) { jw_key_bool(out, "fired", true); }
    }
    if (fight->rout_side != WL_NOBODY) {
        jw_key_object(out, "rout");
        jw_key_str(out, "side", battle_side_ids[fight->rout_side]);
        write_group(s, "force", &scene, fight->rout_side, AT_ROUTED, out);
        write_towns(s, "closed", fight->enemy_towns, out);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_battles(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "battles");
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        unsigned phase = s->fight[t].phase;
        if (phase == WL_BATTLE || phase == WL_BATTLE_OVER) { write_battle(s, viewer, t, out); }
    }
    jw_object_end(out);
}

/* ---- the whole ---- */

static void write_turn(const struct state *s, struct buf *out)
{
    jw_key_object(out, "turn");
    jw_key_int(out, "slot", s->slot);
    jw_key_int(out, "of", s->turns);
    unsigned side = s->step == WL_SETUP_ALLIED ? WL_SIDE_AL : WL_SIDE_FR;
    if (s->slot != 0) {
        const struct wl_slot *slot = &wl_board(s)->slot[s->slot - 1];
        if (slot->date != NULL && slot->date[0] != '\0') {
            jw_key_str(out, "date", slot->date);
            jw_key_str(out, "part", slot->part);
        }
        side = slot->side;
    }
    jw_key_str(out, "side", wl_side_ids[side]);
    jw_key_bool(out, "night", wl_is_night(s));
    jw_object_end(out);
}

/* Seats of the acting side that are done with the step, as far as viewer may see it (W20.3). */
static uint32_t seen_done(const struct state *s, unsigned viewer)
{
    switch (s->step) {
    case WL_SETUP_ALLIED: return knows(s, viewer, WL_SIDE_AL) ? s->confirmed & ~1U : 0;
    case WL_MOVE: return knows(s, viewer, wl_phasing(s)) ? s->ended : 0;
    case WL_RESPOND:
    case WL_PURSUIT_LOSS: return knows(s, viewer, defender(s)) ? s->ended : 0;
    case WL_COMBAT: return s->ended;
    default: return 0;
    }
}

static void write_result(const struct state *s, struct buf *out)
{
    if (s->step != WL_GAME_OVER) { return; }
    jw_key_object(out, "result");
    if (s->result_winner < WL_SIDES) { jw_key_str(out, "winner", wl_side_ids[s->result_winner]); }
    jw_key_str(out, "why", why_ids[s->result_why]);
    jw_object_end(out);
}

/* W20.1: of the movement step the phasing side sees its drafts, its enemy nothing; later both see
 * what was carried out. */
static void write_movement(const struct state *s, unsigned viewer, struct buf *out)
{
    if (is_setup(s) || s->step == WL_GAME_OVER) { return; }
    if (s->step == WL_MOVE) {
        if (knows(s, viewer, wl_phasing(s))) { write_drafts(s, out); }
        return;
    }
    write_groups(s, false, out);
    write_ledger(s, "roads", s->ledger_move, out);
    if (s->step == WL_SUPPLY) { return; }
    jw_key_object(out, "retreat_roads");
    for (unsigned side = 0; side < WL_SIDES; side++) {
        if (!is_response(s) || knows(s, viewer, defender(s))) {
            write_ledger(s, wl_side_ids[side], s->ledger_retreat[side], out);
        }
    }
    jw_object_end(out);
}

static void write_board(const struct state *s, unsigned viewer, struct buf *out)
{
    jw_key_object(out, "board");
    write_options(s, out);
    write_nations(s, viewer, out);
    write_town_counts(s, viewer, out);
    write_own_units(s, viewer, out);
    write_lost(s, viewer, out);
    if (is_setup(s)) { write_setup(s, out); }
    uint32_t done = seen_done(s, viewer);
    if (done != 0) { write_seats(s, "done", done, out); }
    write_movement(s, viewer, out);
    if (is_response(s)) { write_attacks(s, viewer, out); }
    if (s->step == WL_PURSUIT_LOSS && knows(s, viewer, defender(s))) { write_pursuit_loss(s, out); }
    if (s->step == WL_COMBAT) {
        unsigned side = s->ct_side == WL_ATT ? wl_phasing(s) : defender(s);
        jw_key_object(out, "ct");
        jw_key_str(out, "side", battle_side_ids[s->ct_side]);
        jw_key_int(out, "n", s->ct_n);
        jw_key_str(out, "of", wl_side_ids[side]);
        jw_object_end(out);
    }
    if (s->step == WL_DEPLOY_DEF || s->step == WL_DEPLOY_ATT || s->step == WL_COMBAT) {
        write_battles(s, viewer, out);
    }
    if (s->step == WL_SUPPLY) { write_counts("debt", s->debt, out); }
    write_result(s, out);
    jw_object_end(out);
}

void wl_view(const struct state *s, unsigned viewer, struct buf *out)
{
    uint32_t to_act = 0, waits_for = 0;
    wl_shown(s, viewer, &to_act, &waits_for);
    bool frozen = s->step == WL_PURSUIT_LOSS && !knows(s, viewer, defender(s));
    jw_key_str(out, "state", wl_step_id(frozen ? WL_RESPOND : s->step));
    write_turn(s, out);
    write_seats(s, "to_act", to_act, out);
    write_seats(s, "waits_for", waits_for, out);
    if (viewer < wl_seats(s) && (wl_to_act(s) >> viewer & 1U) != 0) {
        wl_write_prompt(s, viewer, out);
    }
    write_board(s, viewer, out);
}

/* Winners, and a point for each of them; a seat that left the winning side has none (W18.9). */
void wl_result(const struct state *s, struct buf *out)
{
    static const char *const seats_of_two[] = {"FR", "AL"}, *const seats_of_three[] = {"FR", "AD",
                                                                                       "PR"};
    const char *const *codes = wl_seats(s) == 2 ? seats_of_two : seats_of_three;
    uint32_t winners = 0;
    jw_object_begin(out);
    if (s->result_winner < WL_SIDES) {
        winners = wl_seats_of_side(s, s->result_winner);
        jw_key_str(out, "winner", wl_side_ids[s->result_winner]);
    }
    if (s->step == WL_GAME_OVER) { jw_key_str(out, "why", why_ids[s->result_why]); }
    jw_key_array(out, "winners");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        if ((winners >> seat & 1U) != 0) { jw_str(out, codes[seat]); }
    }
    jw_array_end(out);
    jw_key_object(out, "points");
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        jw_key_int(out, codes[seat], winners >> seat & 1U);
    }
    jw_object_end(out);
    jw_object_end(out);
}
