/* common/rules/waterloo/deploy.c: battle deployment (W6, W18.6). */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

/* The side that deploys now. */
static unsigned deploying_side(const struct state *s)
{
    unsigned phasing = wl_phasing(s);
    return s->step == WL_DEPLOY_ATT ? phasing : wl_other(phasing);
}

/* Units of the seat in the battle; not yet deployed or all. */
static unsigned count_units(const struct state *s, unsigned town, unsigned seat, bool undeployed)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        bool here = unit->town == town && wl_seat_of_nation(s, wl_nation(u)) == seat;
        count += here && unit->place != WL_NOWHERE && (!undeployed || unit->place == WL_UNDEPLOYED);
    }
    return count;
}

/* The ally that has units there, too; WL_NONE if there is none. */
static unsigned ally_there(const struct state *s, unsigned town, unsigned seat)
{
    for (unsigned other = 0; other < wl_seats(s); other++) {
        bool ally = other != seat && wl_side_of_seat(other) == wl_side_of_seat(seat);
        if (ally && count_units(s, town, other, false) > 0) { return other; }
    }
    return WL_NONE;
}

/* W18.6: the contingent with fewer units places first; a tie: the Prussians. */
static bool goes_first(const struct state *s, unsigned town, unsigned seat, unsigned ally)
{
    unsigned own = count_units(s, town, seat, false);
    unsigned others = count_units(s, town, ally, false);
    return own != others ? own < others : wl_seat_of_nation(s, WL_PR) == seat;
}

const char *wl_forbid_deploy(const struct state *s, unsigned town, unsigned seat)
{
    bool step = s->step == WL_DEPLOY_DEF || s->step == WL_DEPLOY_ATT;
    if (!step || s->fight[town].phase != WL_BATTLE) { return "W19"; }
    if (wl_side_of_seat(seat) != deploying_side(s)) { return "W19"; }
    if (count_units(s, town, seat, false) == 0) { return "W19"; }
    if (count_units(s, town, seat, true) == 0) { return "W6.3"; }
    unsigned ally = ally_there(s, town, seat);
    bool waits =
        ally != WL_NONE && count_units(s, town, ally, true) > 0 && !goes_first(s, town, seat, ally);
    return waits ? "W18.6" : NULL;
}

unsigned wl_columns_to_fill(const struct state *s, unsigned town, unsigned seat,
                            unsigned *out_at_least)
{
    unsigned own = wl_side_of_seat(seat) == wl_phasing(s) ? WL_ATT : WL_DEF;
    unsigned empty = 0;
    unsigned count = 0;
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        if (wl_column(s, town, own, lane) > 0) { continue; }
        empty |= WL_BIT(lane);
        count++;
    }
    unsigned ally = ally_there(s, town, seat);
    unsigned later = ally == WL_NONE ? 0 : count_units(s, town, ally, true);
    *out_at_least = count > later ? count - later : 0;
    return later == 0 ? empty : 0;
}

const char *wl_forbid_columns(const struct state *s, unsigned town, unsigned seat,
                              const unsigned columns[WL_LANES])
{
    unsigned at_least = 0;
    unsigned fill = wl_columns_to_fill(s, town, seat, &at_least);
    unsigned own = wl_side_of_seat(seat) == wl_phasing(s) ? WL_ATT : WL_DEF;
    unsigned filled = 0;
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        bool empty = wl_column(s, town, own, lane) == 0;
        bool given = columns[lane - 1] > 0;
        if ((fill & WL_BIT(lane)) != 0 && !given) { return "W6.2"; }
        filled += empty && given;
    }
    return filled < at_least ? "W18.6" : NULL;
}

/* W6.2, W6.3: each unit of the seat once, in a column or the reserve. */
enum err wl_act_deploy(struct wl_call *c)
{
    static const char *const names[] = {"battle", "columns", NULL};
    static const char *const column_names[] = {"1", "2", "3", "reserve", NULL};
    struct wl_list lists[WL_LANES + 1];
    const cJSON *columns = NULL;
    unsigned town = 0;
    uint64_t seen = 0;
    struct state *s = c->s;
    memset(lists, 0, sizeof lists);
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "battle", &town); }
    if (err == ERR_OK) { err = json_read_object(c->action, "!columns", &columns, c->why); }
    if (err == ERR_OK) { err = json_only(columns, column_names, c->why); }
    for (unsigned i = 0; i <= WL_LANES && err == ERR_OK; i++) {
        err = wl_read_units(c, columns, column_names[i], &seen, &lists[i]);
    }
    if (err != ERR_OK) { return err; }
    const char *rule = wl_forbid_deploy(s, town, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    uint64_t due = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool own = wl_seat_of_nation(s, wl_nation(u)) == c->seat;
        bool here = s->unit[u].town == town && s->unit[u].place == WL_UNDEPLOYED;
        if (own && here) { due |= WL_BIT64(u); }
    }
    if (seen != due) { return wl_refuse(c, "W6.2"); }
    unsigned counts[WL_LANES] = {lists[0].n, lists[1].n, lists[2].n};
    rule = wl_forbid_columns(s, town, c->seat, counts);
    if (rule != NULL) { return wl_refuse(c, rule); }
    for (unsigned i = 0; i <= WL_LANES; i++) {
        for (unsigned k = 0; k < lists[i].n; k++) {
            struct wl_unit *u = &s->unit[lists[i].unit[k]];
            u->place = i == WL_LANES ? WL_RES : WL_COL;
            u->lane = i == WL_LANES ? 0 : (uint8_t)(i + 1);
        }
    }
    wl_tell_deployed(c, town, c->seat, lists);
    return ERR_OK;
}

/* W6.3, W6.4: when the defender has deployed in all battles the attacker sees numbers; when both
 * have, all columns are turned up and the first combat turn begins. */
bool wl_settle_deployment(struct wl_call *c)
{
    struct state *s = c->s;
    unsigned side = deploying_side(s);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].place == WL_UNDEPLOYED && wl_side(u) == side) { return false; }
    }
    bool attacker = s->step == WL_DEPLOY_ATT;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_BATTLE) { continue; }
        if (attacker) {
            wl_tell_revealed(c, t);
        } else {
            wl_tell_deployed_counts(c, t);
        }
    }
    if (attacker) {
        wl_begin_combat(c);
    } else {
        wl_step_go(c, WL_DEPLOY_ATT);
    }
    return true;
}

/* W18.9: one ally has left: what was half deployed is deployed anew by the one who stays. */
void wl_leave_deployment(struct state *s)
{
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        bool half = false;
        unsigned side = deploying_side(s);
        for (unsigned u = 0; u < WL_UNITS; u++) {
            bool here = s->unit[u].town == t && wl_side(u) == side;
            half = half || (here && s->unit[u].place == WL_UNDEPLOYED);
        }
        for (unsigned u = 0; u < WL_UNITS && half; u++) {
            if (s->unit[u].town != t || wl_side(u) != side) { continue; }
            s->unit[u].place = WL_UNDEPLOYED;
            s->unit[u].lane = 0;
        }
    }
}
