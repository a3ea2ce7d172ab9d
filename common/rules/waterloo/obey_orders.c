/* common/rules/waterloo/obey_orders.c: the answer that a standing order gives, if it fits. It rests
 * on what the seat may know: its own units, and how many others stand where. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/offers.h"
#include "common/rules/waterloo/orders.h"

enum { ACTION_BYTES_MAX = 1 << 14 };

static const char *town_id(const struct state *s, unsigned town)
{
    return wl_board(s)->map.town_ids[town];
}

static void begin(struct buf *out, const char *what, const char *where, const char *town)
{
    jw_object_begin(out);
    jw_key_str(out, "do", what);
    jw_key_str(out, where, town);
}

/* The condition holds for an attack on that town, or the battle it has become. */
static bool fits_fight(const struct state *s, const struct wl_order *order, unsigned town)
{
    unsigned by = wl_count_side(s, town, wl_phasing(s));
    unsigned own = wl_count_side(s, town, wl_other(wl_phasing(s)));
    return (order->in >> town & 1U) != 0 && by >= order->by_min && by <= order->by_max &&
           own >= order->own_min && own <= order->own_max &&
           by * order->ratio_own >= own * order->ratio_by;
}

/* ---- ways out ---- */

/* A force that leaves a town: who goes where. */
struct leaving {
    const struct state *s;
    struct wl_ways ways;
    uint64_t left; /* those without a route yet */
    struct wl_order_route route[WL_UNITS];
    unsigned routes;
};

static void leaving_begin(struct leaving *l, const struct state *s, unsigned town, unsigned seat,
                          uint64_t units)
{
    memset(l, 0, sizeof *l);
    l->s = s;
    l->left = units;
    wl_find_ways(s, town, wl_side_of_seat(seat), &l->ways);
}

/* The unit goes so. False: it may not. */
static bool take_route(struct leaving *l, const struct wl_order_route *route)
{
    struct wl_route made;
    if (!wl_make_route(l->s, l->ways.town, route->town, route->len, route->forced != 0, &made) ||
        wl_forbid_route(&l->ways, route->unit, &made) != NULL) {
        return false;
    }
    wl_use_route(&l->ways, &made);
    l->route[l->routes++] = *route;
    l->left &= ~wl_bit(route->unit);
    return true;
}

/* Unforced to that town, by the shortest way. */
static bool go_to(struct leaving *l, unsigned unit, unsigned town)
{
    const struct pmap *map = &wl_board(l->s)->map;
    struct wl_order_route route = {.unit = (uint8_t)unit, .len = 1, .town = {(uint8_t)town}};
    if (take_route(l, &route)) { return true; }
    if (wl_march_length(unit) < 2) { return false; }
    route.len = 2;
    route.town[1] = (uint8_t)town;
    for (unsigned i = 0; i < map->degree[l->ways.town]; i++) {
        route.town[0] = map->link[l->ways.town][i].town;
        if (take_route(l, &route)) { return true; }
    }
    return false;
}

/* To whichever neighbour has a road open. */
static bool go_anywhere(struct leaving *l, unsigned unit)
{
    const struct pmap *map = &wl_board(l->s)->map;
    for (unsigned i = 0; i < map->degree[l->ways.town]; i++) {
        struct wl_order_route route = {
            .unit = (uint8_t)unit, .len = 1, .town = {map->link[l->ways.town][i].town}};
        if (take_route(l, &route)) { return true; }
    }
    return false;
}

/* W5.4, W13.5: who has no route stays behind, where no road is open any more. False: the order does
 * not provide for all of them. */
static bool leave_by_order(struct leaving *l, const struct wl_order *order)
{
    uint8_t list[WL_UNITS];
    for (unsigned i = 0; i < order->routes; i++) {
        bool here = (l->left >> order->route[i].unit & 1U) != 0;
        if (here && !take_route(l, &order->route[i]) && !order->any && wl_has_way(&l->ways)) {
            return false;
        }
    }
    unsigned n = wl_list_units(l->s, l->left, false, list);
    for (unsigned i = 0; i < n; i++) {
        bool gone = false;
        for (unsigned k = 0; k < order->to_count && !gone; k++) {
            gone = go_to(l, list[i], order->to[k]);
        }
        if (!gone && order->any) { (void)go_anywhere(l, list[i]); }
    }
    return l->left == 0 || !wl_has_way(&l->ways);
}

/* How many routes the unit may take, forced ones as well, that begin with that path; the last one
 * found is left in *out_last. */
static unsigned count_routes(const struct state *s, const struct wl_ways *ways,
                             struct wl_order_route *path, struct wl_order_route *out_last)
{
    const struct pmap *map = &wl_board(s)->map;
    unsigned at = path->len == 0 ? ways->town : path->town[path->len - 1], count = 0;
    if (path->len >= WL_PATH_MAX || path->len > wl_march_length(path->unit)) { return 0; }
    for (unsigned i = 0; i < map->degree[at]; i++) {
        struct wl_order_route next = *path;
        struct wl_route made;
        next.town[next.len++] = map->link[at][i].town;
        next.forced = next.len > wl_march_length(next.unit);
        if (wl_make_route(s, ways->town, next.town, next.len, next.forced != 0, &made) &&
            wl_forbid_route(ways, next.unit, &made) == NULL) {
            *out_last = next;
            count++;
        }
        count += count_routes(s, ways, &next, out_last);
    }
    return count;
}

/* One answer alone is legal: each unit has one way, and the roads take them all. */
static bool leave_only_so(struct leaving *l)
{
    const struct wl_ways empty = l->ways;
    for (uint64_t units = l->left; units != 0; units &= units - 1) {
        struct wl_order_route path = {.unit = (uint8_t)wl_first_bit(units)}, only = path;
        if (count_routes(l->s, &empty, &path, &only) != 1 || !take_route(l, &only)) {
            return false;
        }
    }
    return true;
}

static void write_leaving(const struct leaving *l, const char *rest, struct buf *out)
{
    jw_key_array(out, "routes");
    for (unsigned i = 0; i < l->routes; i++) {
        const struct wl_order_route *route = &l->route[i];
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[route->unit].id);
        jw_key_array(out, "path");
        for (unsigned k = 0; k < route->len; k++) {
            jw_str(out, town_id(l->s, route->town[k]));
        }
        jw_array_end(out);
        if (route->forced != 0) { jw_key_bool(out, "forced", true); }
        jw_object_end(out);
    }
    jw_array_end(out);
    wl_key_units(rest, l->left, out);
    jw_object_end(out);
}

/* ---- response ---- */

static bool answer_town(const struct state *s, unsigned seat, const struct wl_order *order,
                        unsigned town, struct buf *out)
{
    bool only = order->when == WL_WHEN_FORCED;
    if (!only && (order->when != WL_WHEN_ATTACKED || !fits_fight(s, order, town))) { return false; }
    bool may_fight = wl_forbid_fight(s, town, seat) == NULL;
    if (order->does == WL_DO_FIGHT) {
        if (!may_fight) { return false; }
        begin(out, "respond", "town", town_id(s, town));
        jw_key_str(out, "choice", "fight");
        jw_object_end(out);
        return true;
    }
    struct leaving l;
    leaving_begin(&l, s, town, seat, wl_contingent(s, town, seat));
    if (only ? may_fight || !leave_only_so(&l) : !leave_by_order(&l, order)) { return false; }
    begin(out, "respond", "town", town_id(s, town));
    jw_key_str(out, "choice", "retreat");
    write_leaving(&l, "stranded", out);
    return true;
}

static bool obey_response(const struct state *s, unsigned seat, const struct wl_order *order,
                          struct buf *out)
{
    for (uint64_t due = wl_own_answers_due(s, seat); due != 0; due &= due - 1) {
        if (answer_town(s, seat, order, wl_first_bit(due), out)) { return true; }
    }
    return false;
}

/* ---- losses of a pursuit ---- */

/* Hits that the unit may still take, down to CV keep. */
static unsigned take_hits(const struct state *s, unsigned unit, unsigned keep, unsigned hits,
                          uint8_t lost[WL_UNITS])
{
    unsigned room = s->unit[unit].cv - lost[unit];
    room = room > keep ? room - keep : 0;
    unsigned taken = hits < room ? hits : room;
    lost[unit] = (uint8_t)(lost[unit] + taken);
    return hits - taken;
}

/* Those that the order names pay first, in its order, then the strongest. */
static void share_hits(const struct state *s, unsigned seat, const struct wl_order *order,
                       uint8_t lost[WL_UNITS])
{
    uint64_t left = wl_allottable(s, seat);
    uint8_t list[2 * WL_UNITS];
    unsigned n = 0, hits = s->pl_hits[seat];
    for (unsigned i = 0; i < order->unit_count; i++) {
        if ((left >> order->unit[i] & 1U) == 0) { continue; }
        list[n++] = order->unit[i];
        left &= ~wl_bit(order->unit[i]);
    }
    n += wl_list_units(s, left, false, list + n);
    for (unsigned keep = order->spare ? 2 : 1; keep-- > 0;) {
        for (unsigned i = 0; i < n && hits > 0; i++) {
            hits = take_hits(s, list[i], keep, hits, lost);
        }
    }
}

/* W5.9: nothing to choose. */
static bool allots_only_so(const struct state *s, unsigned seat)
{
    return s->pl_hits[seat] == 0 || wl_count_bits(wl_allottable(s, seat)) < 2;
}

static bool obey_allot(const struct state *s, unsigned seat, const struct wl_order *order,
                       struct buf *out)
{
    bool only = order->when == WL_WHEN_FORCED;
    bool fits = only ? allots_only_so(s, seat)
                     : order->when == WL_WHEN_PURSUED && (order->in >> s->pl_town & 1U) != 0;
    if (!fits) { return false; }
    uint8_t lost[WL_UNITS] = {0};
    share_hits(s, seat, order, lost);
    begin(out, "allot", "town", town_id(s, s->pl_town));
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
    return true;
}

/* ---- deployment ---- */

/* The column of fewest units, of those that must have one first; by own units and those of an ally
 * that are there. */
static unsigned thinnest(const uint64_t part[WL_PUT_RESERVE + 1], unsigned empty)
{
    unsigned best = 0;
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        if (empty != 0 && (empty >> lane & 1U) == 0) { continue; }
        if (best == 0 || wl_count_bits(part[lane]) < wl_count_bits(part[best])) { best = lane; }
    }
    return best;
}

/* Lanes in which neither the seat nor its ally has a unit. */
static unsigned empty_lanes(const struct state *s, unsigned town, unsigned seat,
                            const uint64_t part[WL_PUT_RESERVE + 1])
{
    unsigned own = wl_side_of_seat(seat) == wl_phasing(s) ? WL_ATT : WL_DEF, set = 0;
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        if (part[lane] == 0 && wl_column(s, town, own, lane) == 0) { set |= 1U << lane; }
    }
    return set;
}

/* W6.2: units that the order does not name, and if need be those it keeps in reserve, fill what
 * would be empty. */
static bool share_units(const struct state *s, unsigned town, unsigned seat,
                        const struct wl_order *order, uint64_t part[WL_PUT_RESERVE + 1])
{
    uint64_t units = wl_fighters_of_seat(s, seat, town, WL_UNDEPLOYED), rest = 0;
    uint8_t list[WL_UNITS];
    for (uint64_t left = units; left != 0; left &= left - 1) {
        unsigned put = order->put[wl_first_bit(left)];
        *(put == WL_PUT_NOWHERE ? &rest : &part[put]) |= left & -left;
    }
    if (rest != 0 && order->rest == WL_PUT_ASK) { return false; }
    unsigned n = wl_list_units(s, rest, false, list);
    for (unsigned i = 0; i < n; i++) {
        unsigned empty = empty_lanes(s, town, seat, part);
        bool fills = empty != 0 || order->rest == WL_PUT_SPREAD;
        part[fills ? thinnest(part, empty) : order->rest] |= wl_bit(list[i]);
    }
    n = wl_list_units(s, part[WL_PUT_RESERVE], false, list);
    for (unsigned i = 0; i < n; i++) {
        unsigned empty = empty_lanes(s, town, seat, part);
        if (empty == 0) { break; }
        part[WL_PUT_RESERVE] &= ~wl_bit(list[i]);
        part[thinnest(part, empty)] |= wl_bit(list[i]);
    }
    return true;
}

static bool obey_deploy(const struct state *s, unsigned seat, const struct wl_order *order,
                        struct buf *out)
{
    static const char *const names[] = {NULL, "1", "2", "3", "reserve"};
    if (!order->deploys) { return false; }
    for (uint64_t due = wl_own_deployments(s, seat); due != 0; due &= due - 1) {
        unsigned town = wl_first_bit(due);
        uint64_t part[WL_PUT_RESERVE + 1] = {0};
        if (!fits_fight(s, order, town) || !share_units(s, town, seat, order, part)) { continue; }
        begin(out, "deploy", "battle", town_id(s, town));
        jw_key_object(out, "columns");
        for (unsigned i = 1; i <= WL_PUT_RESERVE; i++) {
            wl_key_units(names[i], part[i], out);
        }
        jw_object_end(out);
        jw_object_end(out);
        return true;
    }
    return false;
}

/* ---- rout ---- */

static bool obey_rout(const struct state *s, unsigned seat, const struct wl_order *order,
                      struct buf *out)
{
    bool only = order->when == WL_WHEN_FORCED;
    if (!only && order->when != WL_WHEN_ROUTED) { return false; }
    for (uint64_t due = wl_own_routs(s, seat); due != 0; due &= due - 1) {
        unsigned town = wl_first_bit(due);
        struct leaving l;
        if ((order->in >> town & 1U) == 0) { continue; }
        leaving_begin(&l, s, town, seat, wl_routed(s, town, seat));
        if (only ? !leave_only_so(&l) : !leave_by_order(&l, order)) { continue; }
        begin(out, "rout_routes", "battle", town_id(s, town));
        write_leaving(&l, "lost", out);
        return true;
    }
    return false;
}

/* ---- supply ---- */

/* Units of the nation that pay: first those that the order names. False: they are not enough. */
static bool pay_debt(const struct state *s, unsigned nation, const struct wl_order *order,
                     uint64_t *units)
{
    unsigned owed = s->debt[nation];
    uint64_t left = 0;
    uint8_t list[WL_UNITS];
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_nation(u) == nation && wl_on_map(s, u)) { left |= wl_bit(u); }
    }
    for (unsigned i = 0; i < order->unit_count && owed > 0; i++) {
        if ((left >> order->unit[i] & 1U) == 0) { continue; }
        *units |= wl_bit(order->unit[i]);
        left &= ~wl_bit(order->unit[i]);
        owed--;
    }
    if (owed > 0 && !order->any) { return false; }
    unsigned n = wl_list_units(s, left, true, list);
    for (unsigned i = 0; i < n && owed > 0; i++, owed--) {
        *units |= wl_bit(list[i]);
    }
    return owed == 0;
}

static bool obey_supply(const struct state *s, unsigned seat, const struct wl_order *order,
                        struct buf *out)
{
    uint64_t units = 0;
    if (order->when != WL_WHEN_SUPPLY) { return false; }
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        if (s->debt[n] == 0 || wl_seat_of_nation(s, n) != seat) { continue; }
        if (!pay_debt(s, n, order, &units)) { return false; }
    }
    jw_object_begin(out);
    jw_key_str(out, "do", "remove");
    wl_key_units("units", units, out);
    jw_object_end(out);
    return true;
}

/* ---- all of them ---- */

static bool obey_one(const struct state *s, unsigned seat, const struct wl_order *order,
                     struct buf *out)
{
    switch (s->step) {
    case WL_RESPOND: return obey_response(s, seat, order, out);
    case WL_PURSUIT_LOSS: return obey_allot(s, seat, order, out);
    case WL_DEPLOY_DEF: return obey_deploy(s, seat, order, out);
    case WL_COMBAT: return obey_rout(s, seat, order, out);
    case WL_SUPPLY: return obey_supply(s, seat, order, out);
    default: return false;
    }
}

/* The rules have the last word. No die decides whether an action is legal. */
static bool is_legal(const struct state *s, unsigned seat, const struct buf *text)
{
    static const struct hash none = {{0}};
    struct state copy;
    struct dice dice;
    struct events events;
    struct why why;
    cJSON *action = NULL;
    if (text->failed || json_parse(text->data, text->len, &action) != ERR_OK) { return false; }
    memcpy(&copy, s, sizeof copy);
    dice_init(&dice, &none, &none, 1, 1);
    events_init(&events);
    bool legal = json_normalise(action, &why) == ERR_OK &&
                 wl_apply(&copy, seat, action, &dice, &events, &why) == ERR_OK;
    events_finish(&events);
    cJSON_Delete(action);
    return legal;
}

/* PROTOCOL 8: decisions of one's own turn are nobody's but one's own. When every town is answered
 * nothing is left to be said but that. */
enum err wl_obey_orders(const struct state *s, unsigned seat, const struct cJSON *orders,
                        struct buf *out_action)
{
    if ((wl_interrupts(s) >> seat & 1U) == 0 || (wl_to_act(s) >> seat & 1U) == 0) {
        return ERR_NOT_FOUND;
    }
    struct buf text;
    bool found = false;
    buf_init(&text, ACTION_BYTES_MAX);
    if (s->step == WL_RESPOND && orders->child != NULL && wl_own_answers_due(s, seat) == 0) {
        buf_append_str(&text, "{\"do\":\"end_response\"}");
        found = is_legal(s, seat, &text);
    }
    for (const cJSON *i = orders->child; i != NULL && !found; i = i->next) {
        struct wl_order order;
        buf_reset(&text);
        if (wl_read_order(s, seat, i, &order, NULL) != ERR_OK) { continue; }
        found = obey_one(s, seat, &order, &text) && is_legal(s, seat, &text);
    }
    if (found) { buf_append(out_action, text.data, text.len); }
    buf_finish(&text);
    return found ? ERR_OK : ERR_NOT_FOUND;
}
