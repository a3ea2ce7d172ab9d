/* common/rules/waterloo/actions_move.c: action forms of the movement and of the response step. */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/rules/waterloo/offers.h"

/* Bytes for forms of each kind, so that all kinds find room: attacks, then plain marches, then all. */
enum { ATTACK_BYTES = 2600, PLAIN_BYTES = 6000 };

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
    for (unsigned k = 0; k < WL_NATIONS; k++) { used[k] = wl_drafted_from(s, k); }
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

/* W4.9: three or more of a group by one road into an enemy town. */
static void offer_attack(struct wl_offer *o, const struct group *group, struct pmap_link link,
                         unsigned min, unsigned max)
{
    uint64_t units = group->foot | group->mounted;
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
    wl_form_end(o, ATTACK_BYTES);
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
            offer_attack(o, group, link, min, max);
        }
    }
}

/* One unit of the set on any path of min to max towns. */
static void offer_single(struct wl_offer *o, const struct wl_paths *paths, unsigned town,
                         uint64_t units, unsigned min, unsigned max, size_t bytes)
{
    bool forced = min == max && units != 0 && min > wl_march_length(wl_first_bit(units));
    if (units == 0 || !wl_paths_reach(paths, town, min, 1)) { return; }
    wl_form_begin(o, "march");
    jw_key_object(o->out, "marches");
    jw_key_array(o->out, "list");
    jw_object_begin(o->out);
    wl_key_units("unit", units, o->out);
    jw_key(o->out, "path");
    wl_write_tree(paths, town, min, max, 1, o->out);
    if (forced) { jw_key_bool(o->out, "forced", true); }
    jw_object_end(o->out);
    jw_array_end(o->out);
    jw_object_end(o->out);
    wl_form_end(o, bytes);
}

/* Up to max units of the group, one town far, each where it likes: only over roads that would take
 * them all. */
static void offer_mass(struct wl_offer *o, const struct wl_paths *paths, const struct group *group)
{
    unsigned max = wl_paths_best(paths, group->town);
    uint64_t units = group->foot | group->mounted;
    if (max > wl_count_bits(units)) { max = wl_count_bits(units); }
    if (max < 2) { return; }
    wl_form_begin(o, "march");
    jw_key_object(o->out, "marches");
    jw_key_array(o->out, "any_of");
    for (; units != 0; units &= units - 1) {
        jw_object_begin(o->out);
        jw_key_str(o->out, "unit", wl_unit_facts[wl_first_bit(units)].id);
        jw_key(o->out, "path");
        wl_write_tree(paths, group->town, 1, 1, max, o->out);
        jw_object_end(o->out);
    }
    jw_array_end(o->out);
    jw_key_int(o->out, "min", 1);
    jw_key_int(o->out, "max", max);
    jw_object_end(o->out);
    wl_form_end(o, PLAIN_BYTES);
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

static void offer_unmarch(struct wl_offer *o, bool all)
{
    uint64_t drafted = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (o->s->unit[u].route.len != 0 && wl_seat_of_nation(o->s, wl_nation(u)) == o->seat) {
            drafted |= wl_bit(u);
        }
    }
    if (drafted == 0 || (all && wl_count_bits(drafted) == 1)) { return; }
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

/* W4, W18.4. The forms for new marches keep the plan such that the step may end (W4.9, W17.7); where it
 * may not all the same, taking drafts back always leads on. */
void wl_offer_move(struct wl_offer *o)
{
    struct group groups[WL_UNITS];
    struct wl_paths paths;
    struct plan plan;
    unsigned n = list_groups(o->s, o->seat, groups);
    wl_paths_march(o->s, &paths);
    read_plan(o->s, &plan);
    offer_end_movement(o);
    offer_unmarch(o, true);
    offer_unmarch(o, false);
    bool night = wl_is_night(o->s);
    for (unsigned i = 0; i < n && !night; i++) { offer_attacks(o, &paths, &plan, &groups[i]); }
    for (unsigned i = 0; i < n; i++) {
        struct wl_paths open = paths;
        if (!night) { open_attacks(o->s, &plan, groups[i].town, 2, &open); }
        offer_single(o, &open, groups[i].town, groups[i].foot, 1, 1, WL_FORMS_BYTES_MAX);
        offer_single(o, &open, groups[i].town, groups[i].mounted, 1, 2, PLAIN_BYTES);
    }
    for (unsigned i = 0; i < n; i++) { offer_mass(o, &paths, &groups[i]); }
    for (unsigned i = 0; i < n && !night; i++) { /* W3.4 */
        struct wl_paths open = paths;
        open_attacks(o->s, &plan, groups[i].town, 3, &open);
        offer_single(o, &open, groups[i].town, groups[i].foot, 2, 2, WL_FORMS_BYTES_MAX);
        offer_single(o, &open, groups[i].town, groups[i].mounted, 3, 3, WL_FORMS_BYTES_MAX);
    }
}

/* ---- response ---- */

static void begin_answer(struct wl_offer *o, unsigned town, const char *choice)
{
    wl_form_begin(o, "respond");
    jw_key_str(o->out, "town", wl_board(o->s)->map.town_ids[town]);
    jw_key_str(o->out, "choice", choice);
}

/* W5.2 to W5.5. For each town to be answered first what needs no room, then wider choices. */
void wl_offer_response(struct wl_offer *o)
{
    const struct state *s = o->s;
    unsigned side = wl_side_of_seat(o->seat);
    if (wl_forbid_end_response(s, o->seat) == NULL) {
        wl_form_begin(o, "end_response");
        wl_form_end(o, WL_FORMS_BYTES_MAX);
    }
    uint64_t due = wl_own_answers_due(s, o->seat);
    for (uint64_t left = due; left != 0; left &= left - 1) {
        unsigned town = wl_first_bit(left);
        struct wl_paths paths;
        if (wl_forbid_fight(s, town, o->seat) == NULL) {
            begin_answer(o, town, "fight");
            wl_form_end(o, WL_FORMS_BYTES_MAX);
        }
        wl_paths_retreat(s, town, side, &paths);
        begin_answer(o, town, "retreat");
        wl_write_fixed_routes(s, &paths, town, wl_contingent(s, town, o->seat), false, "stranded",
                              o->out);
        wl_form_end(o, WL_FORMS_BYTES_MAX);
    }
    for (uint64_t left = due; left != 0; left &= left - 1) {
        unsigned town = wl_first_bit(left);
        uint64_t units = wl_contingent(s, town, o->seat);
        struct wl_paths paths;
        wl_paths_retreat(s, town, side, &paths);
        begin_answer(o, town, "retreat");
        if (!wl_write_free_routes(&paths, town, units, false, o->out)) {
            /* No road takes them all: at least the other order of who may go. */
            wl_write_fixed_routes(s, &paths, town, units, true, "stranded", o->out);
        }
        wl_form_end(o, WL_FORMS_BYTES_MAX);
        begin_answer(o, town, "retreat");
        if (wl_write_free_routes(&paths, town, units, true, o->out)) {
            wl_form_end(o, WL_FORMS_BYTES_MAX);
        } else {
            buf_cut(o->out, o->form_at);
        }
    }
}
