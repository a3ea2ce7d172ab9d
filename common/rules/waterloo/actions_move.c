/* common/rules/waterloo/actions_move.c: action forms of the movement and of the response step. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"

/* Bytes for forms of each kind, so that all kinds find room: attacks, approaches, then single units
 * and other marches; a group's least for single units. */
enum { ATTACK_BYTES = 2200, APPROACH_BYTES = 3400, MARCH_BYTES = 5600, SINGLE_BYTES = 160 };

/* Units of one nation in one town that may still be drafted (W4.1, W4.2, W4.13). */
struct group {
    uint64_t foot, mounted;
    uint8_t town, nation;
};
/* An enemy town that drafts enter: how many of them are sure to arrive (W4.9), and from where. */
struct plan {
    uint64_t from[PMAP_TOWNS_MAX];
    uint8_t sure[PMAP_TOWNS_MAX];
};

static void read_plan(const struct state *s, struct plan *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        if (route->len == 0) { continue; }
        unsigned goal = route->town[route->len - 1];
        out->from[goal] |= wl_bit(s->unit[u].town);
        if (s->unit[u].cv > 1 || route->forced == 0) { out->sure[goal]++; }
    }
}

/* W17.7: units of that town may join the attackers of goal. */
static bool may_join(const struct state *s, const struct plan *plan, unsigned town, unsigned goal)
{
    if (s->command_control == 0) { return true; }
    uint64_t near = pmap_neighbours(&wl_board(s)->map, (uint8_t)town) | wl_bit(town);
    return (plan->from[goal] & ~near) == 0;
}

static unsigned list_groups(const struct state *s, unsigned seat, struct group out[WL_UNITS])
{
    uint8_t index[WL_NATIONS][PMAP_TOWNS_MAX];
    uint64_t used[WL_NATIONS];
    unsigned n = 0;
    memset(index, WL_NONE, sizeof index);
    for (unsigned k = 0; k < WL_NATIONS; k++) {
        used[k] = wl_drafted_from(s, k);
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        unsigned nation = wl_nation(u), town = s->unit[u].town;
        if (!wl_on_map(s, u) || wl_side(u) != wl_phasing(s) || s->unit[u].route.len != 0 ||
            wl_is_marked(s, u) || wl_seat_of_nation(s, nation) != seat) {
            continue;
        }
        unsigned limit = nation == WL_FR ? 2 : 1; /* W4.2 */
        if ((used[nation] >> town & 1U) == 0 && wl_count_bits(used[nation]) >= limit) { continue; }
        if (index[nation][town] == WL_NONE) {
            index[nation][town] = (uint8_t)n;
            out[n++] = (struct group){0, 0, (uint8_t)town, (uint8_t)nation};
        }
        struct group *group = &out[index[nation][town]];
        *(wl_is_mounted(u) ? &group->mounted : &group->foot) |= wl_bit(u);
    }
    return n;
}

/* ---- marches ---- */

/* From min to max of the group's units by one road to the next town: into an enemy town (W4.9) or
 * anywhere else together. */
static void offer_together(struct wl_offer *o, const struct group *group, struct pmap_link link,
                           unsigned min, unsigned max, size_t bytes)
{
    uint64_t units = group->foot | group->mounted;
    size_t item = sizeof "{'unit':'AD-A','path':{'list':['']}}," +
                  strlen(wl_board(o->s)->map.town_ids[link.town]);
    if (o->out->len - o->start + item * wl_count_bits(units) >= bytes) { return; }
    wl_form_begin(o, "march");
    jw_key_object(o->out, "marches");
    jw_key_array(o->out, "any_of");
    for (uint64_t left = units; left != 0; left &= left - 1) {
        jw_object_begin(o->out);
        jw_key_str(o->out, "unit", wl_unit_facts[wl_first_bit(left)].id);
        jw_key_object(o->out, "path");
        jw_key_array(o->out, "list");
        jw_str(o->out, wl_board(o->s)->map.town_ids[link.town]);
        jw_array_end(o->out);
        jw_object_end(o->out);
        jw_object_end(o->out);
    }
    jw_array_end(o->out);
    jw_key_int(o->out, "min", min);
    jw_key_int(o->out, "max", max);
    jw_object_end(o->out);
    wl_form_end(o, bytes);
}

static void offer_attacks(struct wl_offer *o, const struct wl_paths *paths, const struct plan *plan,
                          const struct group *group)
{
    const struct pmap *map = &wl_board(o->s)->map;
    unsigned have = wl_count_bits(group->foot | group->mounted);
    for (unsigned i = 0; i < map->degree[group->town]; i++) {
        struct pmap_link link = map->link[group->town][i];
        unsigned room = paths->left[link.road], sure = plan->sure[link.town];
        unsigned min = sure >= 3 ? 1 : 3 - sure, max = have < room ? have : room;
        if ((paths->barred >> link.town & 1U) != 0 && max >= min &&
            may_join(o->s, plan, group->town, link.town)) {
            offer_together(o, group, link, min, max, ATTACK_BYTES);
        }
    }
}

/* Roads to the nearest town of the set, for every town; WL_NONE where no way leads there. */
static void measure(const struct state *s, uint64_t goals, uint8_t out_far[PMAP_TOWNS_MAX])
{
    const struct pmap *map = &wl_board(s)->map;
    uint8_t queue[PMAP_TOWNS_MAX];
    unsigned head = 0, tail = 0;
    memset(out_far, WL_NONE, PMAP_TOWNS_MAX);
    for (; goals != 0; goals &= goals - 1) {
        queue[tail++] = (uint8_t)wl_first_bit(goals);
        out_far[wl_first_bit(goals)] = 0;
    }
    while (head < tail) {
        unsigned at = queue[head++];
        for (unsigned i = 0; i < map->degree[at]; i++) {
            unsigned town = map->link[at][i].town;
            if (out_far[town] != WL_NONE) { continue; }
            out_far[town] = (uint8_t)(out_far[at] + 1);
            queue[tail++] = (uint8_t)town;
        }
    }
}

/* A group, or most of it, to a next town where no enemy stands; nearest: to that which lies nearest
 * to one, else to all others. */
static void offer_stacks(struct wl_offer *o, const struct wl_paths *paths,
                         const struct group *group, const uint8_t far[PMAP_TOWNS_MAX], bool nearest)
{
    const struct pmap *map = &wl_board(o->s)->map;
    unsigned have = wl_count_bits(group->foot | group->mounted), best = WL_NONE;
    if (have < 2) { return; }
    for (unsigned i = 0; i < map->degree[group->town]; i++) {
        struct pmap_link link = map->link[group->town][i];
        if ((paths->barred >> link.town & 1U) != 0 || paths->left[link.road] < 2) { continue; }
        if (best == WL_NONE || far[link.town] < far[map->link[group->town][best].town]) {
            best = i;
        }
    }
    for (unsigned i = 0; i < map->degree[group->town]; i++) {
        struct pmap_link link = map->link[group->town][i];
        unsigned room = paths->left[link.road], max = have < room ? have : room;
        bool open = (paths->barred >> link.town & 1U) == 0 && room >= 2;
        if (!open || (i == best) != nearest) { continue; }
        offer_together(o, group, link, (max + 1) / 2, max, nearest ? APPROACH_BYTES : MARCH_BYTES);
    }
}

/* Opens, as last towns of a path, the enemy towns that enough drafts enter already. */
static void open_attacks(const struct state *s, const struct plan *plan, unsigned town,
                         unsigned sure, struct wl_paths *paths)
{
    for (uint64_t left = paths->barred; left != 0; left &= left - 1) {
        unsigned goal = wl_first_bit(left);
        if (plan->sure[goal] < sure || !may_join(s, plan, town, goal)) { continue; }
        paths->barred &= ~wl_bit(goal);
        paths->last_only |= wl_bit(goal);
    }
}

/* One unit of the group, on any path: unforced ones into those enemy towns too that a sure third
 * unit makes ready for attack, forced ones only where three are sure without it (W4.9). */
static void offer_single(struct wl_offer *o, const struct wl_paths *paths, const struct plan *plan,
                         const struct group *group, size_t bytes)
{
    bool night = wl_is_night(o->s); /* W3.4 */
    struct wl_paths open = *paths;
    wl_form_begin(o, "march");
    jw_key_object(o->out, "marches");
    jw_key_array(o->out, "list");
    jw_array_begin(o->out);
    size_t empty = o->out->len;
    if (!night) { open_attacks(o->s, plan, group->town, 2, &open); }
    wl_add_items(o, &open, group->town, group->foot | group->mounted, false, 1, bytes);
    if (!night) {
        open = *paths;
        open_attacks(o->s, plan, group->town, 3, &open);
        wl_add_item(o, &open, group->town, group->foot, 2, 2, 1, bytes);
        wl_add_item(o, &open, group->town, group->mounted, 3, 3, 1, bytes);
    }
    if (o->out->len == empty) {
        buf_cut(o->out, o->form_at);
        return;
    }
    jw_array_end(o->out);
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

static void offer_end_movement(struct wl_offer *o)
{
    if (wl_forbid_end_movement(o->s, o->seat) != NULL) { return; }
    wl_form_begin(o, "end_movement");
    uint64_t attacks = wl_drafted_attacks(o->s, o->seat);
    if (attacks != 0) { jw_key_object(o->out, "pursuit"); }
    for (uint64_t left = attacks; left != 0; left &= left - 1) {
        jw_key_array(o->out, wl_board(o->s)->map.town_ids[wl_first_bit(left)]);
        jw_str(o->out, "all");
        jw_str(o->out, "none");
        jw_array_end(o->out);
    }
    if (attacks != 0) { jw_object_end(o->out); }
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* Some drafts taken back; all of them where the step could not end otherwise. */
static void offer_unmarch(struct wl_offer *o, bool all)
{
    uint64_t drafted = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (o->s->unit[u].route.len != 0 && wl_seat_of_nation(o->s, wl_nation(u)) == o->seat) {
            drafted |= wl_bit(u);
        }
    }
    if (drafted == 0) { return; }
    wl_form_begin(o, "unmarch");
    jw_key_object(o->out, "units");
    wl_key_units(all ? "list" : "any_of", drafted, o->out);
    if (!all) {
        jw_key_int(o->out, "min", 1);
        jw_key_int(o->out, "max", wl_count_bits(drafted));
    }
    jw_object_end(o->out);
    wl_form_end(o, WL_FORMS_BYTES_MAX);
}

/* W4, W18.4. The forms for new marches keep the plan such that the step may end (W4.9, W17.7);
 * where it may not all the same, taking drafts back always leads on. */
void wl_offer_move(struct wl_offer *o)
{
    struct group groups[WL_UNITS];
    struct wl_paths paths;
    struct plan plan;
    unsigned n = list_groups(o->s, o->seat, groups);
    wl_paths_march(o->s, &paths);
    read_plan(o->s, &plan);
    offer_end_movement(o);
    offer_unmarch(o, false);
    if (wl_forbid_end_movement(o->s, o->seat) != NULL) { offer_unmarch(o, true); }
    uint8_t far[PMAP_TOWNS_MAX];
    measure(o->s, paths.barred, far);
    bool night = wl_is_night(o->s);
    for (unsigned i = 0; i < n && !night; i++) {
        offer_attacks(o, &paths, &plan, &groups[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        offer_stacks(o, &paths, &groups[i], far, true);
    }
    /* Each group its share, so that a group far down the list is not left without. */
    for (unsigned i = 0; i < n; i++) {
        size_t used = o->out->len - o->start;
        size_t share = used < MARCH_BYTES ? (MARCH_BYTES - used) / (n - i) : 0;
        size_t limit = used + (share > SINGLE_BYTES ? share : SINGLE_BYTES);
        offer_single(o, &paths, &plan, &groups[i],
                     limit < WL_FORMS_BYTES_MAX ? limit : WL_FORMS_BYTES_MAX);
    }
    for (unsigned i = 0; i < n; i++) {
        offer_stacks(o, &paths, &groups[i], far, false);
    }
}

/* ---- response ---- */

static void begin_answer(struct wl_offer *o, unsigned town, const char *choice)
{
    wl_form_begin(o, "respond");
    jw_key_str(o->out, "town", wl_board(o->s)->map.town_ids[town]);
    jw_key_str(o->out, "choice", choice);
}

/* A retreat with free choice of paths where the roads take the whole force, else with fixed ones.
 */
static void offer_leaving(struct wl_offer *o, unsigned town, size_t bytes)
{
    struct wl_paths paths;
    uint64_t units = wl_contingent(o->s, town, o->seat);
    wl_paths_retreat(o->s, town, wl_side_of_seat(o->seat), &paths);
    begin_answer(o, town, "retreat");
    bool free = wl_add_free_routes(o, &paths, town, units, bytes);
    if (!free) { wl_write_fixed_routes(o->s, &paths, town, units, false, "stranded", o->out); }
    wl_form_end(o, WL_FORMS_BYTES_MAX);
    if (free || wl_paths_best(&paths, town) == 0) { return; }
    begin_answer(o, town, "retreat"); /* the other order of who may go */
    wl_write_fixed_routes(o->s, &paths, town, units, true, "stranded", o->out);
    wl_form_end(o, bytes);
}

/* W5.2 to W5.5. Each town to be answered has its share of the bytes; what needs no room comes
 * first. */
void wl_offer_response(struct wl_offer *o)
{
    enum {
        FIXED_BYTES_MAX = 3000
    }; /* fixed routes of a whole side, kept free for the towns to come */
    const struct state *s = o->s;
    if (wl_forbid_end_response(s, o->seat) == NULL) {
        wl_form_begin(o, "end_response");
        wl_form_end(o, WL_FORMS_BYTES_MAX);
    }
    uint64_t due = wl_own_answers_due(s, o->seat);
    for (uint64_t left = due; left != 0; left &= left - 1) {
        unsigned town = wl_first_bit(left);
        if (wl_forbid_fight(s, town, o->seat) == NULL) {
            begin_answer(o, town, "fight");
            wl_form_end(o, WL_FORMS_BYTES_MAX);
        }
    }
    for (uint64_t left = due; left != 0; left &= left - 1) {
        size_t used = o->out->len - o->start;
        size_t kept = wl_count_bits(left) > 1 ? FIXED_BYTES_MAX : 0;
        size_t room = WL_FORMS_BYTES_MAX - kept > used ? WL_FORMS_BYTES_MAX - kept - used : 0;
        offer_leaving(o, wl_first_bit(left), used + room / wl_count_bits(left));
    }
}
