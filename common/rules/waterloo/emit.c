/* common/rules/waterloo/emit.c: the events of the position page, section 7, each to those who may
 * be told. */
#include "common/rules/waterloo/emit.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "common/rules/events.h"

enum { DICE_MAX = 2 * WL_UNITS, PURSUIT_HIT = 4 };

/* What the enemy is told of walks of one nation, start, path and `forced` (W20.3). */
struct group {
    const struct wl_walk *like;
    uint8_t nation, count, dice_n;
    uint8_t dice[WL_UNITS];
};
struct groups {
    unsigned n;
    struct group group[WL_UNITS];
};

/* ---- small writers ---- */

static struct buf *begin(struct wl_call *c, uint32_t viewers, const char *name)
{
    struct buf *buf = events_begin(c->events, viewers);
    jw_object_begin(buf);
    jw_key_str(buf, "ev", name);
    return buf;
}

static void end(struct wl_call *c, struct buf *buf)
{
    jw_object_end(buf);
    events_end(c->events);
}

static const char *unit_id(unsigned unit)
{
    return wl_unit_facts[unit].id;
}

static const char *town_id(const struct wl_call *c, unsigned town)
{
    return wl_board(c->s)->map.town_ids[town];
}

static void put_town(struct wl_call *c, struct buf *buf, const char *key, unsigned town)
{
    jw_key_str(buf, key, town_id(c, town));
}

static void put_seat(struct wl_call *c, struct buf *buf, unsigned seat)
{
    jw_key_str(buf, "seat", wl_seat_id(c->s, seat));
}

static void put_side(struct buf *buf, unsigned side)
{
    jw_key_str(buf, "side", wl_side_ids[side]);
}

static void put_units(struct buf *buf, const char *key, const struct wl_list *list)
{
    jw_key_array(buf, key);
    for (unsigned i = 0; i < list->n; i++) {
        jw_str(buf, unit_id(list->unit[i]));
    }
    jw_array_end(buf);
}

static void put_path(struct wl_call *c, struct buf *buf, const struct wl_walk *walk)
{
    put_town(c, buf, "from", walk->from);
    jw_key_array(buf, "path");
    for (unsigned i = 0; i < walk->route.len; i++) {
        jw_str(buf, town_id(c, walk->route.town[i]));
    }
    jw_array_end(buf);
    jw_key_bool(buf, "forced", walk->route.forced != 0);
}

static void put_walk(struct wl_call *c, struct buf *buf, const struct wl_walk *walk)
{
    jw_object_begin(buf);
    jw_key_str(buf, "unit", unit_id(walk->unit));
    put_path(c, buf, walk);
    jw_object_end(buf);
}

static void put_walks(struct wl_call *c, struct buf *buf, const char *key,
                      const struct wl_walks *walks)
{
    jw_key_array(buf, key);
    for (unsigned i = 0; i < walks->n; i++) {
        put_walk(c, buf, &walks->walk[i]);
    }
    jw_array_end(buf);
}

/* Counts by nation, without zeros, in ascending order of the ids. */
static void put_counts(struct buf *buf, const char *key, const unsigned counts[WL_NATIONS])
{
    static const uint8_t by_id[WL_NATIONS] = {WL_AD, WL_FR, WL_PR};
    jw_key_object(buf, key);
    for (unsigned i = 0; i < WL_NATIONS; i++) {
        unsigned nation = by_id[i];
        if (counts[nation] > 0) { jw_key_int(buf, wl_nation_ids[nation], counts[nation]); }
    }
    jw_object_end(buf);
}

static void put_set_counts(struct buf *buf, const char *key, uint64_t units)
{
    unsigned counts[WL_NATIONS] = {0};
    for (unsigned u = 0; u < WL_UNITS; u++) {
        counts[wl_nation(u)] += (unsigned)(units >> u & 1U);
    }
    put_counts(buf, key, counts);
}

static uint64_t set_of(const struct wl_list *list)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < list->n; i++) {
        set |= WL_BIT64(list->unit[i]);
    }
    return set;
}

/* {unit: value} for the units of the set, by id. */
static void put_values(struct buf *buf, const char *key, uint64_t units, const uint8_t *value)
{
    jw_key_object(buf, key);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((units & WL_BIT64(u)) != 0) { jw_key_int(buf, unit_id(u), value[u]); }
    }
    jw_object_end(buf);
}

static void put_dice(struct buf *buf, const char *key, const uint8_t *dice, unsigned n)
{
    jw_key_array(buf, key);
    for (unsigned i = 0; i < n; i++) {
        jw_int(buf, dice[i]);
    }
    jw_array_end(buf);
}

static void sort_dice(uint8_t *dice, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        uint8_t die = dice[i];
        unsigned at = i;
        for (; at > 0 && dice[at - 1] > die; at--) {
            dice[at] = dice[at - 1];
        }
        dice[at] = die;
    }
}

/* ---- groups ---- */

/* By nation, start, path, forced. Within a side the order of nations is that of their ids. */
static int compare_walks(const struct wl_walk *a, const struct wl_walk *b)
{
    int order = (int)wl_nation(a->unit) - (int)wl_nation(b->unit);
    if (order == 0) { order = (int)a->from - (int)b->from; }
    for (unsigned i = 0; order == 0 && i < WL_PATH_MAX; i++) {
        int x = i < a->route.len ? a->route.town[i] : -1;
        int y = i < b->route.len ? b->route.town[i] : -1;
        order = x - y;
    }
    return order != 0 ? order : (int)a->route.forced - (int)b->route.forced;
}

static void add_to_groups(struct groups *groups, const struct wl_walk *walk)
{
    unsigned at = 0;
    int order = -1;
    while (at < groups->n && (order = compare_walks(groups->group[at].like, walk)) < 0) {
        at++;
    }
    struct group *group = &groups->group[at];
    if (at == groups->n || order != 0) {
        for (unsigned i = groups->n; i > at; i--) {
            groups->group[i] = groups->group[i - 1];
        }
        memset(group, 0, sizeof *group);
        group->like = walk;
        groups->n++;
    }
    group->count++;
    if (walk->die > 0) {
        group->dice[group->dice_n++] = walk->die;
        sort_dice(group->dice, group->dice_n);
    }
}

static void put_groups(struct wl_call *c, struct buf *buf, const char *key,
                       const struct groups *groups, bool dice)
{
    jw_key_array(buf, key);
    for (unsigned i = 0; i < groups->n; i++) {
        const struct group *group = &groups->group[i];
        jw_object_begin(buf);
        jw_key_str(buf, "nation", wl_nation_ids[wl_nation(group->like->unit)]);
        put_path(c, buf, group->like);
        jw_key_int(buf, "count", group->count);
        if (dice) { put_dice(buf, "dice", group->dice, group->dice_n); }
        jw_object_end(buf);
    }
    jw_array_end(buf);
}

/* Told of those walks that are in the set `units`, or with forced_only of the forced ones among
 * them. */
static void put_grouped(struct wl_call *c, struct buf *buf, const char *key,
                        const struct wl_walks *walks, uint64_t units, bool forced_only)
{
    struct groups groups;
    groups.n = 0;
    for (unsigned i = 0; i < walks->n; i++) {
        const struct wl_walk *walk = &walks->walk[i];
        bool in = (units & WL_BIT64(walk->unit)) != 0;
        if (in && (!forced_only || walk->route.forced)) { add_to_groups(&groups, walk); }
    }
    put_groups(c, buf, key, &groups, forced_only);
}

/* ---- set-up ---- */

void wl_tell_placed(struct wl_call *c, const struct wl_list *list, const uint8_t *towns)
{
    uint32_t own = wl_own_viewers(c->s, wl_side_of_seat(c->seat));
    struct buf *buf = begin(c, own, "placed");
    put_seat(c, buf, c->seat);
    jw_key_array(buf, "placements");
    for (unsigned i = 0; i < list->n; i++) {
        jw_object_begin(buf);
        jw_key_str(buf, "unit", unit_id(list->unit[i]));
        put_town(c, buf, "town", towns[i]);
        jw_object_end(buf);
    }
    jw_array_end(buf);
    end(c, buf);
}

static uint32_t viewers_of(const struct wl_call *c, unsigned side, unsigned who)
{
    uint32_t own = (who & TELL_OWN) != 0 ? wl_own_viewers(c->s, side) : 0;
    uint32_t enemy = (who & TELL_ENEMY) != 0 ? wl_enemy_viewers(c->s, side) : 0;
    return own | enemy;
}

void wl_tell_setup_confirmed(struct wl_call *c, unsigned seat, unsigned who)
{
    struct buf *buf = begin(c, viewers_of(c, wl_side_of_seat(seat), who), "setup_confirmed");
    put_seat(c, buf, seat);
    end(c, buf);
}

void wl_tell_turn(struct wl_call *c)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "turn");
    jw_key_int(buf, "slot", c->s->slot);
    put_side(buf, wl_phasing(c->s));
    jw_key_bool(buf, "night", wl_is_night(c->s));
    end(c, buf);
}

/* ---- movement ---- */

void wl_tell_drafted(struct wl_call *c, const struct wl_walks *walks)
{
    uint32_t own = wl_own_viewers(c->s, wl_side_of_seat(c->seat));
    struct buf *buf = begin(c, own, "drafted");
    put_seat(c, buf, c->seat);
    put_walks(c, buf, "marches", walks);
    end(c, buf);
}

void wl_tell_undrafted(struct wl_call *c, const struct wl_list *list)
{
    uint32_t own = wl_own_viewers(c->s, wl_side_of_seat(c->seat));
    struct buf *buf = begin(c, own, "undrafted");
    put_seat(c, buf, c->seat);
    put_units(buf, "units", list);
    end(c, buf);
}

void wl_tell_ended(struct wl_call *c, unsigned seat)
{
    unsigned who = c->s->step == WL_COMBAT ? TELL_BOTH : TELL_OWN;
    struct buf *buf = begin(c, viewers_of(c, wl_side_of_seat(seat), who), "ended");
    put_seat(c, buf, seat);
    jw_key_str(buf, "step", wl_step_id(c->s->step));
    end(c, buf);
}

void wl_tell_end_withdrawn(struct wl_call *c, unsigned seat)
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, wl_side_of_seat(seat)), "end_withdrawn");
    put_seat(c, buf, seat);
    end(c, buf);
}

void wl_tell_automatic(struct wl_call *c, unsigned seat, const char *what, const char *key,
                       unsigned town)
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, wl_side_of_seat(seat)), "automatic");
    put_seat(c, buf, seat);
    jw_key_str(buf, "do", what);
    if (key != NULL) { put_town(c, buf, key, town); }
    end(c, buf);
}

void wl_tell_marched(struct wl_call *c, unsigned side, const struct wl_walks *walks)
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, side), "marched");
    put_side(buf, side);
    put_walks(c, buf, "marches", walks);
    end(c, buf);
    buf = begin(c, wl_enemy_viewers(c->s, side), "marched");
    put_side(buf, side);
    put_grouped(c, buf, "marches", walks, UINT64_MAX, false);
    end(c, buf);
}

void wl_tell_march_dice(struct wl_call *c, unsigned side, const struct wl_walks *walks,
                        unsigned who)
{
    unsigned lost = 0;
    for (unsigned i = 0; i < walks->n; i++) {
        lost += walks->walk[i].lost;
    }
    if ((who & TELL_OWN) != 0) {
        struct buf *buf = begin(c, wl_own_viewers(c->s, side), "march_dice");
        put_side(buf, side);
        jw_key_int(buf, "lost", lost);
        jw_key_array(buf, "dice");
        for (unsigned i = 0; i < walks->n; i++) {
            const struct wl_walk *walk = &walks->walk[i];
            if (!walk->route.forced) { continue; }
            jw_object_begin(buf);
            jw_key_str(buf, "unit", unit_id(walk->unit));
            jw_key_int(buf, "die", walk->die);
            jw_key_int(buf, "lost", walk->lost);
            jw_object_end(buf);
        }
        jw_array_end(buf);
        end(c, buf);
    }
    if ((who & TELL_ENEMY) != 0) {
        struct buf *buf = begin(c, wl_enemy_viewers(c->s, side), "march_dice");
        put_side(buf, side);
        jw_key_int(buf, "lost", lost);
        put_grouped(c, buf, "marches", walks, UINT64_MAX, true);
        end(c, buf);
        events_reveal(c->events, wl_enemy_viewers(c->s, side));
    }
}

void wl_tell_attacked(struct wl_call *c, unsigned town)
{
    const struct state *s = c->s;
    unsigned side = wl_phasing(s);
    unsigned counts[WL_NATIONS] = {0};
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        bool attacks = (n == WL_FR) == (side == WL_SIDE_FR);
        if (attacks) { counts[n] = wl_count_nation(s, town, n); }
    }
    struct buf *buf = begin(c, wl_all_viewers(s), "attacked");
    put_town(c, buf, "town", town);
    put_side(buf, side);
    jw_key_array(buf, "roads");
    for (unsigned r = 0; r < wl_board(s)->map.roads; r++) {
        if (wl_road_in(s->fight[town].attack_roads, r)) {
            jw_str(buf, wl_board(s)->map.road_ids[r]);
        }
    }
    jw_array_end(buf);
    put_counts(buf, "units", counts);
    end(c, buf);
}

/* ---- response ---- */

static void put_answer(struct wl_call *c, struct buf *buf, unsigned town, unsigned seat)
{
    put_town(c, buf, "town", town);
    put_seat(c, buf, seat);
    put_side(buf, wl_side_of_seat(seat));
}

void wl_tell_fight_chosen(struct wl_call *c, unsigned town, unsigned seat, unsigned who)
{
    struct buf *buf = begin(c, viewers_of(c, wl_side_of_seat(seat), who), "fight_chosen");
    put_answer(c, buf, town, seat);
    end(c, buf);
}

void wl_tell_retreat_chosen(struct wl_call *c, unsigned town, unsigned seat,
                            const struct wl_walks *walks, const struct wl_list *stranded,
                            unsigned who)
{
    unsigned side = wl_side_of_seat(seat);
    if ((who & TELL_OWN) != 0) {
        struct buf *buf = begin(c, wl_own_viewers(c->s, side), "retreat_chosen");
        put_answer(c, buf, town, seat);
        put_walks(c, buf, "routes", walks);
        put_units(buf, "stranded", stranded);
        end(c, buf);
    }
    if ((who & TELL_ENEMY) != 0) {
        struct buf *buf = begin(c, wl_enemy_viewers(c->s, side), "retreat_chosen");
        put_answer(c, buf, town, seat);
        put_grouped(c, buf, "routes", walks, UINT64_MAX, false);
        put_set_counts(buf, "stranded", set_of(stranded));
        end(c, buf);
    }
}

void wl_tell_answer_void(struct wl_call *c, unsigned town, unsigned seat)
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, wl_side_of_seat(seat)), "answer_void");
    put_town(c, buf, "town", town);
    put_seat(c, buf, seat);
    end(c, buf);
}

/* The dice that a unit rolled in the stage. */
static unsigned pursuit_dice(const struct wl_told *told, unsigned stage, uint8_t dice[2])
{
    dice[0] = stage == 1 ? told->stage_a : told->stage_b[0];
    dice[1] = stage == 1 ? 0 : told->stage_b[1];
    return (dice[0] > 0 ? 1U : 0U) + (dice[1] > 0 ? 1U : 0U);
}

/* rolls: with the dice by unit, for the side that fired. */
static void tell_pursuit_to(struct wl_call *c, unsigned town, unsigned stage, uint32_t viewers,
                            bool rolls)
{
    const struct state *s = c->s;
    uint8_t all[DICE_MAX];
    uint8_t dice[2];
    unsigned n = 0;
    unsigned hits = 0;
    unsigned firer = wl_phasing(s);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_side(u) != firer || s->unit[u].town != town) { continue; }
        unsigned count = pursuit_dice(&s->unit[u].told, stage, dice);
        for (unsigned i = 0; i < count; i++) {
            hits += dice[i] >= PURSUIT_HIT;
            all[n++] = dice[i];
        }
    }
    sort_dice(all, n);
    struct buf *buf = begin(c, viewers, "pursuit");
    put_town(c, buf, "town", town);
    put_side(buf, firer);
    jw_key_str(buf, "stage", stage == 1 ? "A" : "B");
    put_dice(buf, "dice", all, n);
    jw_key_int(buf, "hits", hits);
    if (rolls) {
        jw_key_object(buf, "rolls");
        for (unsigned i = 0; i < WL_UNITS; i++) {
            unsigned u = wl_unit_by_id_order[i];
            if (wl_side(u) != firer || s->unit[u].town != town) { continue; }
            unsigned count = pursuit_dice(&s->unit[u].told, stage, dice);
            if (count > 0) { put_dice(buf, unit_id(u), dice, count); }
        }
        jw_object_end(buf);
    }
    end(c, buf);
}

void wl_tell_pursuit(struct wl_call *c, unsigned town, unsigned stage, unsigned who)
{
    unsigned firer = wl_phasing(c->s);
    uint32_t all = WL_BIT(VIEWER_ALL);
    uint32_t spectators = WL_BIT(VIEWER_PUBLIC);
    uint32_t firers = wl_own_viewers(c->s, firer) & ~all;
    uint32_t fired_at = wl_enemy_viewers(c->s, firer) & ~spectators;
    bool now = who == TELL_OWN;
    tell_pursuit_to(c, town, stage, now ? all : firers, true);
    tell_pursuit_to(c, town, stage, now ? fired_at : spectators, false);
    events_reveal(c->events, now ? fired_at : firers | spectators);
}

void wl_tell_allotted(struct wl_call *c, unsigned town, unsigned seat, const struct wl_list *list,
                      const uint8_t *cv)
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, wl_side_of_seat(seat)), "allotted");
    put_answer(c, buf, town, seat);
    jw_key_array(buf, "losses");
    for (unsigned i = 0; i < list->n; i++) {
        jw_object_begin(buf);
        jw_key_str(buf, "unit", unit_id(list->unit[i]));
        jw_key_int(buf, "cv", cv[list->unit[i]]);
        jw_object_end(buf);
    }
    jw_array_end(buf);
    end(c, buf);
}

static void put_retreat(struct wl_call *c, struct buf *buf, unsigned town, unsigned side,
                        enum wl_retreat_kind kind)
{
    static const char *const kinds[] = {"response", "battle", "rout"};
    put_town(c, buf, "town", town);
    jw_key_str(buf, "kind", kinds[kind]);
    put_side(buf, side);
}

static void put_attrition(struct buf *buf, const uint8_t *attrition)
{
    uint64_t units = 0;
    for (unsigned u = 0; attrition != NULL && u < WL_UNITS; u++) {
        if (attrition[u] > 0) { units |= WL_BIT64(u); }
    }
    if (units != 0) { put_values(buf, "attrition", units, attrition); }
}

void wl_tell_retreated(struct wl_call *c, unsigned town, unsigned side, enum wl_retreat_kind kind,
                       const struct wl_walks *walks, uint64_t revealed, const uint8_t *attrition,
                       unsigned who)
{
    if ((who & TELL_OWN) != 0) {
        struct buf *buf = begin(c, wl_own_viewers(c->s, side), "retreated");
        put_retreat(c, buf, town, side, kind);
        put_walks(c, buf, "routes", walks);
        put_attrition(buf, attrition);
        end(c, buf);
    }
    if ((who & TELL_ENEMY) == 0) { return; }
    struct buf *buf = begin(c, wl_enemy_viewers(c->s, side), "retreated");
    put_retreat(c, buf, town, side, kind);
    jw_key_array(buf, "routes");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        for (unsigned k = 0; k < walks->n && (revealed & WL_BIT64(u)) != 0; k++) {
            if (walks->walk[k].unit == u) { put_walk(c, buf, &walks->walk[k]); }
        }
    }
    jw_array_end(buf);
    put_grouped(c, buf, "hidden", walks, ~revealed, false);
    put_attrition(buf, attrition);
    end(c, buf);
}

/* ---- deployment ---- */

static const char *const column_ids[WL_LANES + 1] = {"1", "2", "3", "reserve"};

void wl_tell_deployed(struct wl_call *c, unsigned town, unsigned seat,
                      const struct wl_list columns[WL_LANES + 1])
{
    struct buf *buf = begin(c, wl_own_viewers(c->s, wl_side_of_seat(seat)), "deployed");
    put_town(c, buf, "battle", town);
    put_side(buf, wl_side_of_seat(seat));
    put_seat(c, buf, seat);
    jw_key_object(buf, "columns");
    for (unsigned i = 0; i <= WL_LANES; i++) {
        put_units(buf, column_ids[i], &columns[i]);
    }
    jw_object_end(buf);
    end(c, buf);
}

/* Units of a side in that place of a battle; lane 0: any. */
static uint64_t units_at(const struct state *s, unsigned town, unsigned side, unsigned place,
                         unsigned lane)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        bool here = unit->town == town && unit->place == place && wl_side(u) == side;
        if (here && (lane == 0 || unit->lane == lane)) { set |= WL_BIT64(u); }
    }
    return set;
}

void wl_tell_deployed_counts(struct wl_call *c, unsigned town)
{
    unsigned side = wl_other(wl_phasing(c->s));
    struct buf *buf = begin(c, wl_enemy_viewers(c->s, side), "deployed");
    put_town(c, buf, "battle", town);
    put_side(buf, side);
    jw_key_object(buf, "columns");
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        put_set_counts(buf, column_ids[lane - 1], units_at(c->s, town, side, WL_COL, lane));
    }
    put_set_counts(buf, "reserve", units_at(c->s, town, side, WL_RES, 0));
    jw_object_end(buf);
    end(c, buf);
}

void wl_tell_revealed(struct wl_call *c, unsigned town)
{
    const struct state *s = c->s;
    struct buf *buf = begin(c, wl_all_viewers(s), "revealed");
    put_town(c, buf, "battle", town);
    jw_key_object(buf, "units");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if (s->unit[u].town != town || s->unit[u].place != WL_COL) { continue; }
        jw_key_object(buf, unit_id(u));
        jw_key_str(buf, "type", wl_type_ids[wl_type(u)]);
        jw_key_int(buf, "cv", s->unit[u].cv);
        jw_key_int(buf, "lane", s->unit[u].lane);
        jw_object_end(buf);
    }
    jw_object_end(buf);
    put_set_counts(buf, "reserve",
                   units_at(s, town, WL_SIDE_FR, WL_RES, 0) |
                       units_at(s, town, WL_SIDE_AL, WL_RES, 0));
    end(c, buf);
    events_reveal(c->events, wl_all_viewers(s));
}

/* ---- battle ---- */

void wl_tell_combat_turn(struct wl_call *c)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "combat_turn");
    put_side(buf, wl_acting_side(c->s));
    jw_key_object(buf, "ct");
    jw_key_str(buf, "side", c->s->ct_side == WL_ATT ? "att" : "def");
    jw_key_int(buf, "n", c->s->ct_n);
    jw_object_end(buf);
    end(c, buf);
}

void wl_tell_fired(struct wl_call *c, unsigned town, unsigned unit, unsigned target,
                   const uint8_t *dice, unsigned n, unsigned hit_on, unsigned hits, unsigned lost)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "fired");
    put_town(c, buf, "battle", town);
    jw_key_str(buf, "unit", unit_id(unit));
    jw_key_str(buf, "target", unit_id(target));
    put_dice(buf, "dice", dice, n);
    jw_key_int(buf, "hit_on", hit_on);
    jw_key_int(buf, "hits", hits);
    jw_key_int(buf, "lost", lost);
    end(c, buf);
}

void wl_tell_morale(struct wl_call *c, unsigned town, unsigned unit, unsigned die, bool good)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "morale");
    put_town(c, buf, "battle", town);
    jw_key_str(buf, "unit", unit_id(unit));
    jw_key_int(buf, "die", die);
    jw_key_bool(buf, "good", good);
    end(c, buf);
}

void wl_tell_moved(struct wl_call *c, unsigned town, unsigned unit, enum wl_kind kind,
                   unsigned from, unsigned to)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "moved");
    put_town(c, buf, "battle", town);
    jw_key_str(buf, "unit", unit_id(unit));
    jw_key_str(buf, "kind", wl_kind_ids[kind]);
    if (from != 0) { jw_key_int(buf, "from", from); }
    if (to != 0) { jw_key_int(buf, "to", to); }
    if (kind == WL_FROM_RESERVE) {
        jw_key_str(buf, "type", wl_type_ids[wl_type(unit)]);
        jw_key_int(buf, "cv", c->s->unit[unit].cv);
    }
    end(c, buf);
    if (kind == WL_FROM_RESERVE) {
        events_seal(c->events);
        events_reveal(c->events, wl_enemy_viewers(c->s, wl_side(unit)));
    }
}

void wl_tell_routed(struct wl_call *c, unsigned town, unsigned side, uint64_t units,
                    uint64_t in_reserve, const uint8_t *lost)
{
    for (unsigned enemy = 0; enemy < 2; enemy++) {
        uint32_t viewers = enemy ? wl_enemy_viewers(c->s, side) : wl_own_viewers(c->s, side);
        struct buf *buf = begin(c, viewers, "routed");
        put_town(c, buf, "battle", town);
        put_side(buf, side);
        put_values(buf, "attrition", enemy ? units & ~in_reserve : units, lost);
        put_set_counts(buf, "reserve", in_reserve);
        end(c, buf);
    }
}

void wl_tell_battle_over(struct wl_call *c, unsigned town, unsigned winner_side)
{
    const struct state *s = c->s;
    uint8_t cv[WL_UNITS];
    uint64_t units = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        cv[u] = s->unit[u].cv;
        bool here = wl_on_map(s, u) && s->unit[u].town == town && wl_side(u) == winner_side;
        if (here) { units |= WL_BIT64(u); }
    }
    for (unsigned enemy = 0; enemy < 2; enemy++) {
        uint32_t own = wl_own_viewers(s, winner_side);
        struct buf *buf = begin(c, enemy ? wl_enemy_viewers(s, winner_side) : own, "battle_over");
        put_town(c, buf, "battle", town);
        jw_key_str(buf, "winner", wl_side_ids[winner_side]);
        if (enemy) {
            put_set_counts(buf, "survivors", units);
        } else {
            put_values(buf, "survivors", units, cv);
        }
        end(c, buf);
    }
}

void wl_tell_reinforced(struct wl_call *c, unsigned town, unsigned from, unsigned side,
                        const struct wl_list *list)
{
    for (unsigned enemy = 0; enemy < 2; enemy++) {
        uint32_t viewers = enemy ? wl_enemy_viewers(c->s, side) : wl_own_viewers(c->s, side);
        struct buf *buf = begin(c, viewers, "reinforced");
        put_town(c, buf, "battle", town);
        put_town(c, buf, "from", from);
        put_side(buf, side);
        if (enemy) {
            put_set_counts(buf, "units", set_of(list));
        } else {
            put_units(buf, "units", list);
        }
        end(c, buf);
    }
}

/* ---- supply and the end ---- */

void wl_tell_supply_due(struct wl_call *c)
{
    unsigned counts[WL_NATIONS];
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        counts[n] = c->s->debt[n];
    }
    struct buf *buf = begin(c, wl_all_viewers(c->s), "supply_due");
    put_counts(buf, "debt", counts);
    end(c, buf);
}

/* The order of the list in the action shows nothing (R74): the units stand by their ids. */
void wl_tell_supply_removed(struct wl_call *c, unsigned seat, const struct wl_list *list)
{
    uint64_t units = set_of(list);
    struct buf *buf = begin(c, wl_all_viewers(c->s), "supply_removed");
    put_seat(c, buf, seat);
    jw_key_array(buf, "units");
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((units & WL_BIT64(u)) != 0) { jw_str(buf, unit_id(u)); }
    }
    jw_array_end(buf);
    end(c, buf);
}

void wl_tell_eliminated(struct wl_call *c, unsigned unit, unsigned cause, unsigned town,
                        unsigned who)
{
    unsigned side = wl_side(unit);
    struct buf *buf = begin(c, viewers_of(c, side, who), "eliminated");
    jw_key_str(buf, "unit", unit_id(unit));
    jw_key_str(buf, "type", wl_type_ids[wl_type(unit)]);
    jw_key_str(buf, "why", wl_gone_id(cause));
    put_town(c, buf, "town", town);
    end(c, buf);
    if ((who & TELL_ENEMY) != 0) {
        events_seal(c->events);
        events_reveal(c->events, wl_enemy_viewers(c->s, side));
    }
}

void wl_tell_eliminated_set(struct wl_call *c, uint64_t units, unsigned cause, unsigned town,
                            unsigned who)
{
    for (unsigned i = 0; i < WL_UNITS && units != 0; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((units & WL_BIT64(u)) == 0) { continue; }
        wl_tell_eliminated(c, u, cause, town, who);
        units &= ~WL_BIT64(u);
    }
}

void wl_tell_surrendered(struct wl_call *c, unsigned nation, unsigned left)
{
    struct buf *buf = begin(c, wl_all_viewers(c->s), "surrendered");
    jw_key_str(buf, "nation", wl_nation_ids[nation]);
    jw_key_int(buf, "left", left);
    end(c, buf);
    events_reveal(c->events, wl_all_viewers(c->s));
}

void wl_tell_game_over(struct wl_call *c)
{
    static const char *const whys[] = {"surrender", "time", "departed"};
    struct buf *buf = begin(c, wl_all_viewers(c->s), "game_over");
    jw_key_str(buf, "winner", wl_side_ids[c->s->result_winner]);
    jw_key_str(buf, "why", whys[c->s->result_why]);
    end(c, buf);
    events_seal(c->events);
    events_reveal(c->events, wl_all_viewers(c->s));
}
