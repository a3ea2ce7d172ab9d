/* common/rules/waterloo/march.c: movement (W4): drafts, the plan, and how it is carried out. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

enum { ATTACK_MIN = 3, MARCH_DIE_BAD = 3 };

unsigned wl_march_length(unsigned unit)
{
    return wl_is_mounted(unit) ? 2 : 1;
}

bool wl_make_route(const struct state *s, unsigned from, const uint8_t *towns, unsigned len,
                   bool forced, struct wl_route *out_route)
{
    if (len == 0 || len > WL_PATH_MAX) { return false; }
    struct wl_route route = {.len = (uint8_t)len, .forced = forced};
    for (unsigned i = 0; i < len; i++) {
        uint8_t road = pmap_road_between(&wl_board(s)->map, (uint8_t)from, towns[i]);
        if (road == PMAP_NONE) { return false; }
        route.town[i] = towns[i];
        route.road[i] = road;
        from = towns[i];
    }
    *out_route = route;
    return true;
}

unsigned wl_drafted_on(const struct state *s, unsigned road)
{
    unsigned count = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        for (unsigned i = 0; i < route->len; i++) {
            count += route->road[i] == road;
        }
    }
    return count;
}

uint64_t wl_drafted_from(const struct state *s, unsigned nation)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_nation(u) == nation && s->unit[u].route.len > 0) {
            set |= WL_BIT64(s->unit[u].town);
        }
    }
    return set;
}

uint64_t wl_drafted_attacks(const struct state *s, unsigned seat)
{
    uint64_t enemies = wl_towns_of_side(s, wl_other(wl_phasing(s)));
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        bool own = seat == WL_NONE || wl_seat_of_nation(s, wl_nation(u)) == seat;
        if (own && route->len > 0) { set |= WL_BIT64(route->town[route->len - 1]); }
    }
    return set & enemies;
}

/* W4.4, W4.5: length, no town twice, forced exactly when it is longer than normal. */
static const char *forbid_length(const struct state *s, unsigned unit, const struct wl_route *route)
{
    unsigned normal = wl_march_length(unit);
    if (route->len > normal + 1) { return "W4.4"; }
    if ((route->forced != 0) != (route->len > normal)) { return "W4.5"; }
    uint64_t seen = WL_BIT64(s->unit[unit].town);
    for (unsigned i = 0; i < route->len; i++) {
        if ((seen & WL_BIT64(route->town[i])) != 0) { return "W4.5"; }
        seen |= WL_BIT64(route->town[i]);
    }
    return NULL;
}

/* W4.2: two groups of the French, one each of the Anglo-Dutch and the Prussians. */
static const char *forbid_group(const struct state *s, unsigned unit)
{
    unsigned nation = wl_nation(unit);
    uint64_t from = wl_drafted_from(s, nation) | WL_BIT64(s->unit[unit].town);
    unsigned max = nation == WL_FR ? 2 : 1;
    return (unsigned)__builtin_popcountll(from) > max ? "W4.2" : NULL;
}

/* W4.6, W4.7: a full road takes no more, both directions and all groups together. */
static const char *forbid_roads(const struct state *s, const struct wl_route *route)
{
    const struct wl_board *board = wl_board(s);
    for (unsigned i = 0; i < route->len; i++) {
        unsigned road = route->road[i];
        if (wl_drafted_on(s, road) >= wl_road_capacity(board, road)) {
            return (board->map.road[road].flags & WL_ROAD_RIVER) != 0 ? "W4.7" : "W4.6";
        }
    }
    return NULL;
}

const char *wl_forbid_march(const struct state *s, unsigned unit, const struct wl_route *route)
{
    const struct wl_unit *u = &s->unit[unit];
    if (u->marked_until >= s->slot) { return "W4.13"; }
    if (u->route.len > 0) { return "W4.5"; }
    const char *rule = forbid_length(s, unit, route);
    if (rule != NULL) { return rule; }
    if (wl_is_night(s) && route->forced) { return "W3.4"; }
    uint64_t enemies = wl_towns_of_side(s, wl_other(wl_side(unit)));
    for (unsigned i = 0; i < route->len; i++) {
        bool last = i + 1 == route->len;
        if ((enemies & WL_BIT64(route->town[i])) == 0) { continue; }
        if (!last) { return "W4.8"; }
        if (wl_is_night(s)) { return "W3.4"; }
    }
    rule = forbid_group(s, unit);
    return rule != NULL ? rule : forbid_roads(s, route);
}

void wl_draft(struct state *s, unsigned unit, const struct wl_route *route)
{
    unsigned order = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        order += s->unit[u].route.len > 0;
    }
    s->unit[unit].route = *route;
    s->unit[unit].route.order = (uint16_t)order;
}

/* W4.10: a unit drafted anew goes to the end (W19.5), so those behind it close up. */
void wl_undraft(struct state *s, unsigned unit)
{
    unsigned order = s->unit[unit].route.order;
    memset(&s->unit[unit].route, 0, sizeof s->unit[unit].route);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_route *route = &s->unit[u].route;
        if (route->len > 0 && route->order > order) { route->order--; }
    }
}

/* W4.9: three units that are sure to arrive. W17.7: from towns joined by a road. */
static const char *forbid_attack(const struct state *s, unsigned town)
{
    unsigned sure = 0;
    uint64_t from = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        const struct wl_route *route = &s->unit[u].route;
        if (route->len == 0 || route->town[route->len - 1] != town) { continue; }
        sure += !(route->forced && s->unit[u].cv == 1);
        from |= WL_BIT64(s->unit[u].town);
    }
    if (sure < ATTACK_MIN) { return "W4.9"; }
    if (!s->command_control) { return NULL; }
    for (unsigned a = 0; a < PMAP_TOWNS_MAX; a++) {
        if ((from & WL_BIT64(a)) == 0) { continue; }
        uint64_t joined = pmap_neighbours(&wl_board(s)->map, (uint8_t)a) | WL_BIT64(a);
        if ((from & ~joined) != 0) { return "W17.7"; }
    }
    return NULL;
}

const char *wl_forbid_end_movement(const struct state *s, unsigned seat)
{
    uint64_t attacks = wl_drafted_attacks(s, seat);
    for (unsigned t = 0; attacks != 0; t++, attacks >>= 1) {
        const char *rule = (attacks & 1) != 0 ? forbid_attack(s, t) : NULL;
        if (rule != NULL) { return rule; }
    }
    return NULL;
}

void wl_withdraw_ends(struct wl_call *c)
{
    struct state *s = c->s;
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        if ((s->ended & WL_BIT(seat)) == 0 || wl_forbid_end_movement(s, seat) == NULL) { continue; }
        s->ended &= (uint8_t)~WL_BIT(seat);
        for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
            s->fight[t].no_pursuit &= (uint8_t)~WL_BIT(seat);
        }
        wl_tell_end_withdrawn(c, seat);
    }
}

enum err wl_act_march(struct wl_call *c)
{
    static const char *const names[] = {"marches", NULL};
    static const struct wl_walk_rules rules = {"W4.4", NULL, WL_NONE};
    struct wl_walks walks = {0};
    uint64_t seen = 0;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_walks(c, c->action, "!marches", &rules, &seen, &walks); }
    if (err != ERR_OK) { return err; }
    if (walks.n == 0) { return wl_refuse(c, "W19"); }
    for (unsigned i = 0; i < walks.n; i++) {
        const char *rule = wl_forbid_march(c->s, walks.walk[i].unit, &walks.walk[i].route);
        if (rule != NULL) { return wl_refuse(c, rule); }
        wl_draft(c->s, walks.walk[i].unit, &walks.walk[i].route);
    }
    wl_tell_drafted(c, &walks);
    wl_withdraw_ends(c);
    return ERR_OK;
}

enum err wl_act_unmarch(struct wl_call *c)
{
    static const char *const names[] = {"units", NULL};
    struct wl_list list = {0};
    uint64_t seen = 0;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_units(c, c->action, "!units", &seen, &list); }
    if (err != ERR_OK) { return err; }
    if (list.n == 0) { return wl_refuse(c, "W19"); }
    for (unsigned i = 0; i < list.n; i++) {
        if (c->s->unit[list.unit[i]].route.len == 0) { return wl_refuse(c, "W4.10"); }
        wl_undraft(c->s, list.unit[i]);
    }
    wl_tell_undrafted(c, &list);
    wl_withdraw_ends(c);
    return ERR_OK;
}

/* W4.15: for each town that the seat attacks, whether pursuit fire would be given. */
enum err wl_act_end_movement(struct wl_call *c)
{
    static const char *const names[] = {"pursuit", NULL};
    const cJSON *pursuit = NULL;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = json_read_object(c->action, "pursuit", &pursuit, c->why); }
    if (err != ERR_OK) { return err; }
    uint64_t attacks = wl_drafted_attacks(c->s, c->seat);
    for (const cJSON *i = pursuit == NULL ? NULL : pursuit->child; i != NULL; i = i->next) {
        bool none = cJSON_IsString(i) && strcmp(i->valuestring, "none") == 0;
        if (!none && !(cJSON_IsString(i) && strcmp(i->valuestring, "all") == 0)) {
            return why_member(c->why, "pursuit", "Each town takes \"all\" or \"none\".");
        }
        unsigned town = pmap_town(&wl_board(c->s)->map, i->string);
        if (town == PMAP_NONE) { return wl_refuse(c, "W19"); }
        if ((attacks & WL_BIT64(town)) == 0) { return wl_refuse(c, "W4.15"); }
        if (none) { c->s->fight[town].no_pursuit |= (uint8_t)WL_BIT(c->seat); }
    }
    const char *rule = wl_forbid_end_movement(c->s, c->seat);
    if (rule != NULL) { return wl_refuse(c, rule); }
    wl_end_seat(c, c->seat, false);
    return ERR_OK;
}

void wl_roll_marches(struct wl_call *c, unsigned side, struct wl_walks *walks, unsigned who)
{
    bool rolled = false;
    uint64_t dead = 0;
    for (unsigned i = 0; i < walks->n; i++) {
        struct wl_walk *walk = &walks->walk[i];
        if (!walk->route.forced) { continue; }
        rolled = true;
        walk->die = (uint8_t)dice_die(c->dice, 6);
        if (walk->die > MARCH_DIE_BAD) { continue; }
        walk->lost = (uint8_t)wl_lose(c->s, walk->unit, 1, WL_GONE_MARCH);
        if (c->s->unit[walk->unit].gone != WL_ON_MAP) { dead |= WL_BIT64(walk->unit); }
    }
    if (!rolled) { return; }
    wl_tell_march_dice(c, side, walks, who);
    for (unsigned i = 0; i < WL_UNITS && dead != 0; i++) {
        unsigned unit = wl_unit_by_id_order[i];
        if ((dead & WL_BIT64(unit)) == 0) { continue; }
        for (unsigned k = 0; k < walks->n; k++) {
            const struct wl_walk *walk = &walks->walk[k];
            if (walk->unit != unit) { continue; }
            wl_tell_eliminated(c, unit, WL_GONE_MARCH, walk->route.town[walk->route.len - 1], who);
        }
    }
}

/* All drafts in the order of drafting; the units stand where they began. */
static void take_drafts(struct state *s, struct wl_walks *walks)
{
    memset(walks, 0, sizeof *walks);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        struct wl_route *route = &s->unit[u].route;
        if (route->len == 0) { continue; }
        struct wl_walk *walk = &walks->walk[route->order];
        walk->unit = (uint8_t)u;
        walk->from = s->unit[u].town;
        walk->route = *route;
        memset(route, 0, sizeof *route);
        walks->n++;
    }
}

/* W4.11, W5.1: units move, the ledger and the groups are noted, dice are rolled, attacks stand. */
void wl_carry_out_marches(struct wl_call *c)
{
    struct state *s = c->s;
    unsigned side = wl_phasing(s);
    uint64_t enemies = wl_towns_of_side(s, wl_other(side));
    uint64_t attacked = 0;
    struct wl_walks walks;
    take_drafts(s, &walks);
    for (unsigned i = 0; i < walks.n; i++) {
        const struct wl_walk *walk = &walks.walk[i];
        unsigned last = walk->route.len - 1U;
        unsigned to = walk->route.town[last];
        s->groups_used[wl_nation(walk->unit)] |= WL_BIT64(walk->from);
        for (unsigned k = 0; k <= last; k++) {
            s->ledger_move[walk->route.road[k]]++;
        }
        s->unit[walk->unit].marched = 1;
        s->unit[walk->unit].town = (uint8_t)to;
        if ((enemies & WL_BIT64(to)) == 0) { continue; }
        wl_road_add(s->fight[to].attack_roads, walk->route.road[last]);
        attacked |= WL_BIT64(to);
    }
    wl_tell_marched(c, side, &walks);
    wl_roll_marches(c, side, &walks, TELL_BOTH);
    for (unsigned t = 0; t < PMAP_TOWNS_MAX; t++) {
        if ((attacked & WL_BIT64(t)) == 0) { continue; }
        s->fight[t].phase = WL_ATTACKED;
        wl_tell_attacked(c, t);
    }
    if (attacked == 0) {
        wl_turn_end(c);
    } else {
        wl_step_go(c, WL_RESPOND);
        wl_begin_response(c);
    }
}
