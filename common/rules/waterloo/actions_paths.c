/* common/rules/waterloo/actions_paths.c: path trees and routes for action forms, within the
 * capacity that is left. */
#include <assert.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"

bool wl_is_marked(const struct state *s, unsigned unit)
{
    return s->unit[unit].marked_until != 0 && s->unit[unit].marked_until >= s->slot;
}

uint64_t wl_units_of_seat(const struct state *s, unsigned seat, unsigned town)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].town == town && wl_on_map(s, u) &&
            wl_seat_of_nation(s, wl_nation(u)) == seat) {
            set |= wl_bit(u);
        }
    }
    return set;
}

uint64_t wl_fighters_of_seat(const struct state *s, unsigned seat, unsigned town, unsigned place)
{
    uint64_t set = wl_units_of_seat(s, seat, town);
    for (uint64_t left = set; left != 0; left &= left - 1) {
        unsigned u = wl_first_bit(left), at = s->unit[u].place;
        bool fits = place == WL_NOWHERE ? at != WL_NOWHERE : at == place;
        if (!fits) { set &= ~wl_bit(u); }
    }
    return set;
}

/* ---- ways ---- */

void wl_paths_march(const struct state *s, struct wl_paths *out)
{
    memset(out, 0, sizeof *out);
    out->board = wl_board(s);
    memset(out->first, 0xff, sizeof out->first);
    out->barred = wl_towns_of_side(s, wl_other(wl_phasing(s)));
    uint8_t used[PMAP_ROADS_MAX] = {0};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        for (unsigned i = 0; i < route->len; i++) {
            used[route->road[i]]++;
        }
    }
    for (unsigned r = 0; r < out->board->map.roads; r++) {
        unsigned capacity = wl_road_capacity(out->board, r);
        out->left[r] = (uint8_t)(capacity > used[r] ? capacity - used[r] : 0);
    }
}

void wl_paths_retreat(const struct state *s, unsigned town, unsigned side, struct wl_paths *out)
{
    struct wl_ways ways;
    wl_find_ways(s, town, side, &ways);
    memset(out, 0, sizeof *out);
    out->board = wl_board(s);
    out->barred = ways.closed;
    for (unsigned i = 0; i < out->board->map.degree[town]; i++) {
        if ((ways.out >> i & 1U) != 0) {
            wl_road_add(out->first, out->board->map.link[town][i].road);
        }
    }
    for (unsigned r = 0; r < out->board->map.roads; r++) {
        unsigned capacity = wl_road_capacity(out->board, r);
        out->left[r] = (uint8_t)(capacity > ways.used[r] ? capacity - ways.used[r] : 0);
    }
}

/* A path being followed: the towns already on it. */
struct trail {
    const struct wl_paths *paths;
    uint64_t visited;
    unsigned need;
    bool at_start;
};

/* The trail may go over this link. */
static bool may_step(const struct trail *trail, struct pmap_link link)
{
    const struct wl_paths *paths = trail->paths;
    return paths->left[link.road] >= trail->need &&
           ((trail->visited | paths->barred) >> link.town & 1U) == 0 &&
           (!trail->at_start || wl_road_in(paths->first, link.road));
}

static struct trail step_to(const struct trail *trail, unsigned town)
{
    struct trail next = *trail;
    next.visited |= wl_bit(town);
    next.at_start = false;
    return next;
}

/* Exactly len more towns can follow on the one the trail stands in. */
static bool can_go_on(const struct trail *trail, unsigned at, unsigned len)
{
    if (len == 0) { return true; }
    const struct pmap *map = &trail->paths->board->map;
    for (unsigned i = 0; i < map->degree[at]; i++) {
        struct pmap_link link = map->link[at][i];
        if (!may_step(trail, link)) { continue; }
        if (len > 1 && (trail->paths->last_only >> link.town & 1U) != 0) { continue; }
        struct trail next = step_to(trail, link.town);
        if (can_go_on(&next, link.town, len - 1)) { return true; }
    }
    return false;
}

bool wl_paths_reach(const struct wl_paths *paths, unsigned town, unsigned len, unsigned need)
{
    struct trail trail = {paths, wl_bit(town), need, true};
    return can_go_on(&trail, town, len);
}

unsigned wl_paths_best(const struct wl_paths *paths, unsigned town)
{
    struct trail trail = {paths, wl_bit(town), 1, true};
    unsigned best = 0;
    for (unsigned i = 0; i < paths->board->map.degree[town]; i++) {
        struct pmap_link link = paths->board->map.link[town][i];
        if (may_step(&trail, link) && paths->left[link.road] > best) {
            best = paths->left[link.road];
        }
    }
    return best;
}

/* Writes the branches below a town: all of at least min and at most max more towns. */
static void write_branches(const struct trail *trail, unsigned at, unsigned min, unsigned max,
                           struct buf *out)
{
    const struct pmap *map = &trail->paths->board->map;
    jw_object_begin(out);
    for (unsigned i = 0; max > 0 && i < map->degree[at]; i++) {
        struct pmap_link link = map->link[at][i];
        if (!may_step(trail, link)) { continue; }
        bool last = (trail->paths->last_only >> link.town & 1U) != 0;
        if (last && min > 1) { continue; }
        struct trail next = step_to(trail, link.town);
        if (min > 1 && !can_go_on(&next, link.town, min - 1)) { continue; }
        jw_key(out, map->town_ids[link.town]);
        write_branches(&next, link.town, min > 0 ? min - 1 : 0, last ? 0 : max - 1, out);
    }
    jw_object_end(out);
}

void wl_write_tree(const struct wl_paths *paths, unsigned town, unsigned min, unsigned max,
                   unsigned need, struct buf *out)
{
    struct trail trail = {paths, wl_bit(town), need, true};
    jw_object_begin(out);
    jw_key(out, "tree");
    write_branches(&trail, town, min, max, out);
    jw_key_int(out, "min", min);
    jw_key_int(out, "max", max);
    jw_object_end(out);
}

unsigned wl_assign_ways(struct wl_paths *paths, unsigned town, unsigned n, uint8_t *out_town)
{
    struct trail trail = {paths, wl_bit(town), 1, true};
    const struct pmap *map = &paths->board->map;
    unsigned given = 0, at = 0, tried = 0;
    memset(out_town, WL_NONE, n);
    /* Road after road in turn, so that not all crowd on the first. */
    while (given < n && tried < map->degree[town]) {
        struct pmap_link link = map->link[town][at];
        at = (at + 1) % map->degree[town];
        tried++;
        if (!may_step(&trail, link)) { continue; }
        paths->left[link.road]--;
        out_town[given++] = link.town;
        tried = 0;
    }
    return given;
}

/* ---- writing ---- */

unsigned wl_list_units(const struct state *s, uint64_t set, bool weakest_first,
                       uint8_t out_units[WL_UNITS])
{
    unsigned n = 0;
    for (unsigned step = 1; step <= 4; step++) {
        unsigned cv = weakest_first ? step : 5 - step;
        for (uint64_t left = set; left != 0; left &= left - 1) {
            unsigned u = wl_first_bit(left);
            if (s->unit[u].cv == cv) { out_units[n++] = (uint8_t)u; }
        }
    }
    return n;
}

void wl_write_units(uint64_t set, struct buf *out)
{
    jw_array_begin(out);
    for (; set != 0; set &= set - 1) {
        jw_str(out, wl_unit_facts[wl_first_bit(set)].id);
    }
    jw_array_end(out);
}

void wl_key_units(const char *name, uint64_t set, struct buf *out)
{
    jw_key(out, name);
    wl_write_units(set, out);
}

/* {"list": [..]} of ids that stand for themselves. */
static void key_fixed_units(const char *name, const uint8_t *units, unsigned n, struct buf *out)
{
    jw_key_object(out, name);
    jw_key_array(out, "list");
    for (unsigned i = 0; i < n; i++) {
        jw_str(out, wl_unit_facts[units[i]].id);
    }
    jw_array_end(out);
    jw_object_end(out);
}

void wl_write_fixed_routes(const struct state *s, const struct wl_paths *paths, unsigned town,
                           uint64_t units, bool weakest_first, const char *rest, struct buf *out)
{
    struct wl_paths own = *paths;
    uint8_t list[WL_UNITS], goal[WL_UNITS];
    unsigned n = wl_list_units(s, units, weakest_first, list);
    unsigned going = wl_assign_ways(&own, town, n, goal);
    jw_key_object(out, "routes");
    jw_key_array(out, "list");
    for (unsigned i = 0; i < going; i++) {
        jw_object_begin(out);
        jw_key_str(out, "unit", wl_unit_facts[list[i]].id);
        jw_key_object(out, "path");
        jw_key_array(out, "list");
        jw_str(out, paths->board->map.town_ids[goal[i]]);
        jw_array_end(out);
        jw_object_end(out);
        jw_object_end(out);
    }
    jw_array_end(out);
    jw_object_end(out);
    if (going < n && rest != NULL) { key_fixed_units(rest, list + going, n - going, out); }
}

/* ---- lists of forms ---- */

void wl_form_begin(struct wl_offer *o, const char *what)
{
    o->form_at = o->out->len;
    jw_object_begin(o->out);
    jw_key_str(o->out, "do", what);
}

bool wl_form_end(struct wl_offer *o, size_t bytes)
{
    jw_object_end(o->out);
    if (o->out->len - o->start < bytes || o->out->failed) { return true; }
    buf_cut(o->out, o->form_at);
    return false;
}

/* ---- choices of items ---- */

void wl_add_item(struct wl_offer *o, const struct wl_paths *paths, unsigned town, uint64_t units,
                 unsigned min, unsigned max, unsigned need, size_t bytes)
{
    enum { ITEM_BYTES_MIN = 56 }; /* the least one takes: not begun for nothing */
    if (o->out->len - o->start + ITEM_BYTES_MIN * min >= bytes) { return; }
    if (units == 0 || !wl_paths_reach(paths, town, min, need)) { return; }
    size_t before = o->out->len;
    unsigned first = wl_first_bit(units);
    jw_object_begin(o->out);
    if ((units & (units - 1)) == 0) {
        jw_key_str(o->out, "unit", wl_unit_facts[first].id);
    } else {
        wl_key_units("unit", units, o->out);
    }
    jw_key(o->out, "path");
    wl_write_tree(paths, town, min, max, need, o->out);
    if (min > wl_march_length(first)) { jw_key_bool(o->out, "forced", true); }
    jw_object_end(o->out);
    if (o->out->len - o->start >= bytes) { buf_cut(o->out, before); }
}

void wl_add_items(struct wl_offer *o, const struct wl_paths *paths, unsigned town, uint64_t units,
                  bool far, unsigned need, size_t bytes)
{
    uint64_t foot = 0;
    for (uint64_t left = units; left != 0; left &= left - 1) {
        if (!wl_is_mounted(wl_first_bit(left))) { foot |= left & -left; }
    }
    wl_add_item(o, paths, town, foot, 1, 1, need, bytes);
    wl_add_item(o, paths, town, units & ~foot, 1, 2, need, bytes);
    if (!far) { return; }
    wl_add_item(o, paths, town, foot, 2, 2, need, bytes);
    wl_add_item(o, paths, town, units & ~foot, 3, 3, need, bytes);
}

bool wl_add_free_routes(struct wl_offer *o, const struct wl_paths *paths, unsigned town,
                        uint64_t units, size_t bytes)
{
    unsigned n = wl_count_bits(units);
    if (!wl_paths_reach(paths, town, 1, n)) { return false; }
    size_t before = o->out->len;
    for (unsigned far = 2; far-- > 0;) { /* with forced marches, or else without */
        bool full = false;
        jw_key_object(o->out, "routes");
        jw_key_array(o->out, "list");
        for (uint64_t left = units; left != 0 && !full; left &= left - 1) {
            jw_array_begin(o->out);
            size_t empty = o->out->len;
            wl_add_items(o, paths, town, left & -left, far != 0, n, bytes);
            full = o->out->len == empty || o->out->len - o->start + 8 >= bytes;
            jw_array_end(o->out);
        }
        jw_array_end(o->out);
        jw_object_end(o->out);
        if (!full) { return true; }
        buf_cut(o->out, before);
    }
    return false;
}
