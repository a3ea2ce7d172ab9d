/* common/rules/waterloo/rout.c: rout (W13): attrition, routes answered later, and those with no
 * road left. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

uint64_t wl_routed(const struct state *s, unsigned town, unsigned seat)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_unit *unit = &s->unit[u];
        bool own = seat == WL_NONE || wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (unit->place == WL_ROUTED && unit->town == town && own) { set |= WL_BIT64(u); }
    }
    return set;
}

bool wl_owes_routes(const struct state *s, unsigned seat)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool routed = s->unit[u].place == WL_ROUTED;
        if (routed && wl_seat_of_nation(s, wl_nation(u)) == seat) { return true; }
    }
    return false;
}

bool wl_rout_is_pending(const struct state *s)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (s->unit[u].place == WL_ROUTED) { return true; }
    }
    return false;
}

unsigned wl_attrition(const struct state *s, unsigned town, unsigned unit)
{
    static const uint8_t by_type[WL_TYPES] = {
        [WL_INFANTRY] = 1, [WL_CAVALRY] = 0, [WL_FOOT_ARTILLERY] = 2, [WL_HORSE_ARTILLERY] = 1};
    if (wl_type(unit) == WL_CAVALRY) { return wl_faces_cavalry(s, town, unit); }
    return by_type[wl_type(unit)];
}

bool wl_test_rout(struct wl_call *c, unsigned town, unsigned battle_side)
{
    for (unsigned lane = 1; lane <= WL_LANES; lane++) {
        if (wl_column(c->s, town, battle_side, lane) == 0) {
            wl_rout(c, town, battle_side);
            return true;
        }
    }
    return false;
}

/* No unit waits for its routes any more: the battle that is over keeps nothing. */
static void close_rout(struct state *s, unsigned town)
{
    if (s->fight[town].rout_side == WL_NOBODY || wl_routed(s, town, WL_NONE) != 0) { return; }
    wl_reset_fight(&s->fight[town]);
    s->fight[town].phase = WL_BATTLE_OVER;
}

/* W13.3, W13.4: attrition by type, judged at this moment, then in the side's own combat turn those
 * that have moved or fired are lost, too. The rest wait for their routes (W13.6). */
void wl_rout(struct wl_call *c, unsigned town, unsigned battle_side)
{
    struct state *s = c->s;
    uint8_t lost[WL_UNITS] = {0};
    uint64_t units = 0;
    uint64_t reserve = 0;
    uint64_t held = 0;
    unsigned side = battle_side == WL_ATT ? wl_phasing(s) : wl_other(wl_phasing(s));
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!wl_in_battle(s, town, u) || wl_side(u) != side) { continue; }
        const struct wl_unit *unit = &s->unit[u];
        unsigned attrition = wl_attrition(s, town, u);
        lost[u] = (uint8_t)(attrition < unit->cv ? attrition : unit->cv);
        units |= WL_BIT64(u);
        if (unit->place == WL_RES) { reserve |= WL_BIT64(u); }
        if (s->ct_side == battle_side && (unit->fired || unit->moves > 0)) { held |= WL_BIT64(u); }
    }
    wl_tell_routed(c, town, side, units, reserve, lost);
    uint64_t dead = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if ((units & WL_BIT64(u)) == 0) { continue; }
        wl_take_up(s, u);
        (void)wl_lose(s, u, (held & WL_BIT64(u)) != 0 ? WL_NONE : lost[u], WL_GONE_ROUT);
        if (s->unit[u].gone != WL_ON_MAP) {
            dead |= WL_BIT64(u);
            continue;
        }
        s->unit[u].place = WL_ROUTED;
        s->unit[u].revealed = (reserve & WL_BIT64(u)) == 0;
    }
    wl_tell_eliminated_set(c, dead, WL_GONE_ROUT, town, TELL_BOTH);
    s->fight[town].rout_side = (uint8_t)battle_side;
    s->fight[town].enemy_towns = wl_held_towns(s, wl_other(side)) | WL_BIT64(town);
    wl_battle_over(c, town, wl_other(side));
    close_rout(s, town);
    events_seal(c->events);
}

/* The seat's routed units of the battle go by these walks; those in `lost` are lost. */
static void answer_rout(struct wl_call *c, unsigned town, unsigned side, struct wl_walks *walks,
                        uint64_t lost)
{
    struct state *s = c->s;
    uint64_t revealed = 0;
    for (unsigned i = 0; i < walks->n; i++) {
        struct wl_unit *u = &s->unit[walks->walk[i].unit];
        if (u->revealed) { revealed |= WL_BIT64(walks->walk[i].unit); }
        u->place = WL_NOWHERE;
        u->revealed = 0;
        for (unsigned k = 0; k < walks->walk[i].route.len; k++) {
            s->ledger_retreat[side][walks->walk[i].route.road[k]]++;
        }
    }
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if ((lost & WL_BIT64(u)) != 0) { wl_eliminate(s, u, WL_GONE_ROUT); }
    }
    wl_tell_eliminated_set(c, lost, WL_GONE_ROUT, town, TELL_BOTH);
    if (walks->n > 0) { wl_walk(c, town, side, WL_BY_ROUT, walks, revealed, NULL, TELL_BOTH); }
    close_rout(s, town);
}

/* W13.2, W13.5: all routed units of the seat are named once, with a route or as lost; none is lost
 * while a road is left. */
enum err wl_act_rout_routes(struct wl_call *c)
{
    static const char *const names[] = {"battle", "lost", "routes", NULL};
    struct wl_walks walks = {0};
    struct wl_list lost = {0};
    uint64_t seen = 0;
    unsigned town = 0;
    struct state *s = c->s;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "battle", &town); }
    const struct wl_walk_rules rules = {"W12.5", "W13.5", town};
    if (err == ERR_OK) { err = wl_read_walks(c, c->action, "routes", &rules, &seen, &walks); }
    if (err == ERR_OK) { err = wl_read_units(c, c->action, "lost", &seen, &lost); }
    if (err != ERR_OK) { return err; }
    uint64_t due = wl_routed(s, town, c->seat);
    if (due == 0) { return wl_refuse(c, "W19"); }
    if (seen != due) { return wl_refuse(c, "W13.5"); }
    unsigned side = wl_side_of_seat(c->seat);
    struct wl_ways ways;
    wl_find_ways(s, town, side, &ways);
    for (unsigned i = 0; i < walks.n; i++) {
        const char *rule = wl_forbid_route(&ways, walks.walk[i].unit, &walks.walk[i].route);
        if (rule != NULL) { return wl_refuse(c, rule); }
        wl_use_route(&ways, &walks.walk[i].route);
    }
    if (lost.n > 0 && wl_has_way(&ways)) { return wl_refuse(c, "W13.5"); }
    uint64_t gone = 0;
    for (unsigned i = 0; i < lost.n; i++) {
        gone |= WL_BIT64(lost.unit[i]);
    }
    answer_rout(c, town, side, &walks, gone);
    return ERR_OK;
}

/* W19.2: a rout with no road out left. Whether there is one is public. */
bool wl_settle_routs(struct wl_call *c)
{
    struct state *s = c->s;
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].rout_side == WL_NOBODY) { continue; }
        unsigned phasing = wl_phasing(s);
        unsigned side = s->fight[t].rout_side == WL_ATT ? phasing : wl_other(phasing);
        struct wl_ways ways;
        wl_find_ways(s, t, side, &ways);
        if (wl_has_way(&ways)) { continue; }
        for (unsigned seat = 0; seat < wl_seats(s); seat++) {
            uint64_t due = wl_routed(s, t, seat);
            if (due == 0) { continue; }
            struct wl_walks none = {0};
            wl_tell_automatic(c, seat, "rout_routes", "battle", t);
            answer_rout(c, t, side, &none, due);
        }
        return true;
    }
    return false;
}
