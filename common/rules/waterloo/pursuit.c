/* common/rules/waterloo/pursuit.c: pursuit fire (W5.7-W5.9), allotting its hits (W18.5), and the
 * moves after it. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

enum { STAGE_A = 1, STAGE_B = 2, HIT_FROM = 4, CHOICE_RETREAT = 1 };

/* Retreating units of the town that can take a hit of the stage: with routes, in stage A mounted.
 * seat WL_NONE: of all contingents. */
static uint64_t takers(const struct state *s, unsigned town, unsigned seat, unsigned stage)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool own = seat == WL_NONE || wl_seat_of_nation(s, wl_nation(u)) == seat;
        bool goes = s->unit[u].town == town && s->unit[u].route.len > 0;
        if (own && goes && (stage == STAGE_B || wl_is_mounted(u))) { set |= WL_BIT64(u); }
    }
    return set;
}

static unsigned count(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

static unsigned total_cv(const struct state *s, uint64_t set)
{
    unsigned cv = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if ((set & WL_BIT64(u)) != 0) { cv += s->unit[u].cv; }
    }
    return cv;
}

/* W5.8, W4.15: the units that entered the town, but those whose seat stated none. */
static uint64_t firers(const struct state *s, unsigned town)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool here = s->unit[u].town == town && wl_side(u) == wl_phasing(s);
        unsigned seat = wl_seat_of_nation(s, wl_nation(u));
        if (here && (s->fight[town].no_pursuit & WL_BIT(seat)) == 0) { set |= WL_BIT64(u); }
    }
    return set;
}

/* W18.5: a contingent of one unit takes its share unasked; so do all when nothing is left to
 * choose. cv: what each unit takes. */
static void take_hits(struct wl_call *c, unsigned town, unsigned seat, unsigned stage,
                      const struct wl_list *list, const uint8_t *cv)
{
    struct state *s = c->s;
    uint64_t dead = 0;
    wl_tell_allotted(c, town, seat, list, cv);
    for (unsigned i = 0; i < list->n; i++) {
        unsigned u = list->unit[i];
        (void)wl_lose(s, u, cv[u], WL_GONE_PURSUIT);
        if (s->unit[u].gone == WL_ON_MAP) { continue; }
        s->unit[u].told.died_in = (uint8_t)stage;
        dead |= WL_BIT64(u);
    }
    wl_tell_eliminated_set(c, dead, WL_GONE_PURSUIT, town, TELL_OWN);
}

/* The server allots for the seat: the first units in order take what they can (there is no choice).
 */
static void take_unasked(struct wl_call *c, unsigned town, unsigned seat, unsigned stage,
                         unsigned hits)
{
    struct state *s = c->s;
    struct wl_list list = {0};
    uint8_t cv[WL_UNITS] = {0};
    uint64_t set = takers(s, town, seat, stage);
    if (set == 0 || hits == 0) { return; }
    for (unsigned i = 0; i < WL_UNITS && hits > 0; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((set & WL_BIT64(u)) == 0) { continue; }
        cv[u] = (uint8_t)(hits < s->unit[u].cv ? hits : s->unit[u].cv);
        hits -= cv[u];
        list.unit[list.n++] = (uint8_t)u;
    }
    wl_tell_automatic(c, seat, "allot", "town", town);
    take_hits(c, town, seat, stage, &list, cv);
}

/* W18.5: hits go in turn to the contingents, the one with more retreating units first (a tie: AD),
 * skipping one with no unit left that may take it. */
static void share_hits(const struct state *s, unsigned town, unsigned stage, unsigned hits,
                       unsigned share[SEATS_MAX])
{
    unsigned room[SEATS_MAX] = {0};
    unsigned order[SEATS_MAX];
    unsigned n = 0;
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        share[seat] = 0;
        room[seat] = total_cv(s, takers(s, town, seat, stage));
        if (takers(s, town, seat, STAGE_B) != 0) { order[n++] = seat; }
    }
    if (n == 2) {
        unsigned first = count(takers(s, town, order[0], STAGE_B));
        unsigned second = count(takers(s, town, order[1], STAGE_B));
        if (second > first) {
            unsigned seat = order[0];
            order[0] = order[1];
            order[1] = seat;
        }
    }
    for (unsigned i = 0, idle = 0; hits > 0 && n > 0 && idle < n; i = (i + 1) % n) {
        unsigned seat = order[i];
        if (share[seat] == room[seat]) {
            idle++;
            continue;
        }
        idle = 0;
        share[seat]++;
        hits--;
    }
}

/* W5.9, W19.2: the hits of a stage. True: nothing is to be asked. */
static bool settle_hits(struct wl_call *c, unsigned town, unsigned stage, unsigned hits)
{
    struct state *s = c->s;
    unsigned share[SEATS_MAX] = {0};
    if (hits == 0) { return true; }
    share_hits(s, town, stage, hits, share);
    bool all = hits >= total_cv(s, takers(s, town, WL_NONE, stage));
    uint32_t asked = 0;
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        unsigned retreating = count(takers(s, town, seat, STAGE_B));
        if (all || retreating == 1) {
            take_unasked(c, town, seat, stage, share[seat]);
        } else if (retreating > 1) {
            asked |= WL_BIT(seat);
        }
    }
    if (asked == 0) { return true; }
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        s->pl_hits[seat] = (asked & WL_BIT(seat)) != 0 ? (uint8_t)share[seat] : 0;
    }
    s->pl_town = (uint8_t)town;
    s->pl_stage = stage == STAGE_A ? 0 : 1;
    s->pl_asked = (uint8_t)asked;
    return false;
}

/* W5.8, stage A: mounted attackers, one die each, until the mounted units are all hit away. Returns
 * the hits. */
static unsigned fire_stage_a(struct wl_call *c, unsigned town, uint64_t fire, unsigned needed)
{
    struct state *s = c->s;
    unsigned hits = 0;
    for (unsigned i = 0; i < WL_UNITS && hits < needed; i++) {
        unsigned u = wl_unit_by_id_order[i];
        if ((fire & WL_BIT64(u)) == 0 || !wl_is_mounted(u)) { continue; }
        s->unit[u].told.stage_a = (uint8_t)dice_die(c->dice, 6);
        hits += s->unit[u].told.stage_a >= HIT_FROM;
    }
    return hits;
}

/* W5.8, stage B: all that have not fired, foot one die and mounted two. */
static unsigned fire_stage_b(struct wl_call *c, unsigned town, uint64_t fire, bool *out_fired)
{
    struct state *s = c->s;
    unsigned hits = 0;
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        struct wl_told *told = &s->unit[u].told;
        if ((fire & WL_BIT64(u)) == 0 || told->stage_a > 0) { continue; }
        unsigned dice = wl_is_mounted(u) ? 2 : 1;
        for (unsigned k = 0; k < dice; k++) {
            told->stage_b[k] = (uint8_t)dice_die(c->dice, 6);
            hits += told->stage_b[k] >= HIT_FROM;
        }
        *out_fired = true;
    }
    return hits;
}

/* W5.8: both stages. True: all hits are taken, the survivors may move. */
static bool fire(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    uint64_t fire_set = firers(s, town);
    uint64_t mounted = takers(s, town, WL_NONE, STAGE_A);
    if (takers(s, town, WL_NONE, STAGE_B) == 0) { return true; }
    if (mounted != 0) {
        bool any = false;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            any = any || ((fire_set & WL_BIT64(u)) != 0 && wl_is_mounted(u));
        }
        if (!any) { return true; }
        unsigned needed = total_cv(s, mounted);
        unsigned hits = fire_stage_a(c, town, fire_set, needed);
        wl_tell_pursuit(c, town, STAGE_A, TELL_OWN);
        bool done = settle_hits(c, town, STAGE_A, hits);
        if (!done || hits < needed) { return done; }
        if (takers(s, town, WL_NONE, STAGE_B) == 0) { return true; }
    }
    bool fired = false;
    unsigned hits = fire_stage_b(c, town, fire_set, &fired);
    if (!fired) { return true; }
    wl_tell_pursuit(c, town, STAGE_B, TELL_OWN);
    return settle_hits(c, town, STAGE_B, hits);
}

/* The routes of one contingent in the order in which they were given. */
static void take_routes(struct state *s, unsigned town, unsigned seat, struct wl_walks *walks)
{
    uint64_t set = takers(s, town, seat, STAGE_B);
    for (unsigned order = 0; set != 0; order++) {
        for (unsigned u = 0; u < WL_UNITS; u++) {
            struct wl_unit *unit = &s->unit[u];
            if ((set & WL_BIT64(u)) == 0 || unit->route.order != order) { continue; }
            struct wl_walk *walk = &walks->walk[walks->n++];
            walk->unit = (uint8_t)u;
            walk->from = (uint8_t)town;
            walk->route = unit->route;
            memset(&unit->route, 0, sizeof unit->route);
            set &= ~WL_BIT64(u);
        }
    }
}

/* W5.6, W18.5: the survivors move, contingents in the order in which they answered. */
void wl_walk_answers(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    struct wl_fight *fight = &s->fight[town];
    struct wl_walks walks = {0};
    for (unsigned i = 0; i < fight->answers; i++) {
        struct wl_answer *answer = &fight->answer[i];
        /* Whoever fights has no routes, but for one who took over both nations amid the losses
         * (W18.9): the part that was leaving still leaves. */
        if (answer->choice == CHOICE_RETREAT) { answer->walked = 1; }
        take_routes(s, town, answer->seat, &walks);
    }
    if (walks.n == 0) { return; }
    unsigned side = wl_other(wl_phasing(s));
    wl_walk(c, town, side, WL_BY_RESPONSE, &walks, 0, NULL, TELL_OWN);
    for (unsigned i = 0; i < walks.n; i++) {
        s->unit[walks.walk[i].unit].told.die = walks.walk[i].die;
    }
}

/* The ranks of the routes left close up, so that a state is the same however it came about. */
void wl_close_ranks(struct state *s, unsigned town)
{
    for (unsigned seat = 0; seat < wl_seats(s); seat++) {
        uint64_t set = takers(s, town, seat, STAGE_B);
        unsigned rank = 0;
        for (unsigned order = 0; set != 0; order++) {
            for (unsigned u = 0; u < WL_UNITS; u++) {
                struct wl_route *route = &s->unit[u].route;
                if ((set & WL_BIT64(u)) == 0 || route->order != order) { continue; }
                route->order = (uint16_t)rank++;
                set &= ~WL_BIT64(u);
            }
        }
    }
}

/* Whoever retreats sees whether he is fired at, also when no die falls: no mounted attacker, or
 * none that fires. So it seals always (W20.5); a list or an undo would else try it out for nothing.
 */
void wl_pursue(struct wl_call *c, unsigned town)
{
    if (takers(c->s, town, WL_NONE, STAGE_B) != 0) { events_seal(c->events); }
    if (fire(c, town)) {
        wl_walk_answers(c, town);
    } else {
        wl_close_ranks(c->s, town);
        wl_step_go(c, WL_PURSUIT_LOSS);
    }
}

const char *wl_forbid_allot(const struct state *s, unsigned seat, unsigned unit, unsigned cv)
{
    unsigned stage = s->pl_stage == 0 ? STAGE_A : STAGE_B;
    bool may = (takers(s, s->pl_town, seat, stage) & WL_BIT64(unit)) != 0;
    return may && cv >= 1 && cv <= s->unit[unit].cv ? NULL : "W5.9";
}

enum err wl_act_allot(struct wl_call *c)
{
    static const char *const names[] = {"losses", "town", NULL};
    static const char *const item_names[] = {"cv", "unit", NULL};
    const cJSON *losses = NULL;
    struct wl_list list = {0};
    uint8_t cv[WL_UNITS] = {0};
    uint64_t seen = 0;
    unsigned sum = 0;
    unsigned town = 0;
    struct state *s = c->s;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "town", &town); }
    if (err == ERR_OK) { err = json_read_array(c->action, "!losses", 100000, &losses, c->why); }
    if (err != ERR_OK) { return err; }
    if (town != s->pl_town) { return wl_refuse(c, "W19"); }
    for (const cJSON *i = losses->child; i != NULL; i = i->next) {
        int64_t loss = 0;
        unsigned unit = 0;
        err = wl_read_item(c, i, "losses", item_names);
        if (err == ERR_OK) { err = wl_read_unit(c, json_get(i, "unit"), "unit", &unit); }
        if (err == ERR_OK) { err = json_read_int(i, "!cv", 1, 4, &loss, c->why); }
        if (err != ERR_OK) { return err; }
        if ((seen & WL_BIT64(unit)) != 0) { return wl_refuse(c, "W19"); }
        const char *rule = wl_forbid_allot(s, c->seat, unit, (unsigned)loss);
        if (rule != NULL) { return wl_refuse(c, rule); }
        seen |= WL_BIT64(unit);
        cv[unit] = (uint8_t)loss;
        list.unit[list.n++] = (uint8_t)unit;
        sum += (unsigned)loss;
    }
    if (sum != s->pl_hits[c->seat]) { return wl_refuse(c, "W5.9"); }
    take_hits(c, town, c->seat, s->pl_stage == 0 ? STAGE_A : STAGE_B, &list, cv);
    s->pl_asked &= (uint8_t)~WL_BIT(c->seat);
    s->pl_hits[c->seat] = 0;
    if (s->pl_asked != 0) {
        wl_close_ranks(s, town);
        return ERR_OK;
    }
    s->pl_town = WL_NONE;
    s->pl_stage = 0;
    wl_step_go(c, WL_RESPOND);
    wl_walk_answers(c, town);
    return ERR_OK;
}
