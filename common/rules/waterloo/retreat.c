/* common/rules/waterloo/retreat.c: ways out of a town (W12.5-W12.9), retreat during battle (W12),
 * end of a battle (W14). */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/rules/waterloo/emit.h"
#include "common/rules/waterloo/flow.h"

/* W12.7: the attacker leaves by an attack road, the defender by any other. */
static bool may_be_first(const struct wl_fight *fight, bool attacker, unsigned road)
{
    return wl_road_in(fight->attack_roads, road) == attacker;
}

uint64_t wl_held_towns(const struct state *s, unsigned side)
{
    uint64_t set = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        bool holds = wl_side(u) == side && wl_on_map(s, u) && s->unit[u].place != WL_ROUTED;
        if (holds) { set |= WL_BIT64(s->unit[u].town); }
    }
    return set;
}

void wl_find_ways(const struct state *s, unsigned town, unsigned side, struct wl_ways *out_ways)
{
    const struct wl_fight *fight = &s->fight[town];
    const struct wl_board *board = wl_board(s);
    bool attacker = side == wl_phasing(s);
    out_ways->board = board;
    out_ways->town = (uint8_t)town;
    /* W12.8: a battle still going on holds an enemy, too. After a rout the towns count as they were
     * (W13.6); one into which an enemy has come since by a rout of his own is barred all the same.
     */
    out_ways->closed = wl_held_towns(s, wl_other(side)) | fight->enemy_towns;
    out_ways->out = 0;
    for (unsigned i = 0; i < board->map.degree[town]; i++) {
        if (may_be_first(fight, attacker, board->map.link[town][i].road)) {
            out_ways->out |= WL_BIT64(i);
        }
    }
    memcpy(out_ways->used, s->ledger_retreat[side], sizeof out_ways->used);
}

/* Units that the link may still take as a first road. */
static unsigned link_room(const struct wl_ways *ways, unsigned link)
{
    const struct pmap_link *l = &ways->board->map.link[ways->town][link];
    bool barred = (ways->out & WL_BIT64(link)) == 0 || (ways->closed & WL_BIT64(l->town)) != 0;
    unsigned capacity = wl_road_capacity(ways->board, l->road);
    return barred || ways->used[l->road] >= capacity ? 0 : capacity - ways->used[l->road];
}

unsigned wl_way_room(const struct wl_ways *ways)
{
    unsigned room = 0;
    for (unsigned i = 0; i < ways->board->map.degree[ways->town]; i++) {
        room += link_room(ways, i);
    }
    return room;
}

bool wl_has_way(const struct wl_ways *ways)
{
    return wl_way_room(ways) > 0;
}

/* W12.7 as a question about the first road of a route. */
static bool leaves_rightly(const struct wl_ways *ways, unsigned road)
{
    const struct pmap *map = &ways->board->map;
    for (unsigned i = 0; i < map->degree[ways->town]; i++) {
        if (map->link[ways->town][i].road == road) { return (ways->out & WL_BIT64(i)) != 0; }
    }
    return false;
}

const char *wl_forbid_route(const struct wl_ways *ways, unsigned unit, const struct wl_route *route)
{
    unsigned normal = wl_march_length(unit);
    if (route->len == 0 || route->len > normal + 1) { return "W12.5"; }
    if ((route->forced != 0) != (route->len > normal)) { return "W12.5"; }
    uint64_t seen = WL_BIT64(ways->town);
    for (unsigned i = 0; i < route->len; i++) {
        if ((seen & WL_BIT64(route->town[i])) != 0) { return "W12.5"; }
        seen |= WL_BIT64(route->town[i]);
    }
    if (!leaves_rightly(ways, route->road[0])) { return "W12.7"; }
    for (unsigned i = 0; i < route->len; i++) {
        if ((ways->closed & WL_BIT64(route->town[i])) != 0) { return "W12.8"; }
    }
    for (unsigned i = 0; i < route->len; i++) {
        unsigned road = route->road[i];
        if (ways->used[road] >= wl_road_capacity(ways->board, road)) { return "W12.6"; }
    }
    return NULL;
}

void wl_use_route(struct wl_ways *ways, const struct wl_route *route)
{
    for (unsigned i = 0; i < route->len; i++) {
        ways->used[route->road[i]]++;
    }
}

/* W12.5, W12.11: the units of the list stand already nowhere but on the map; they go, are marked,
 * and the forced ones roll (W4.11). */
void wl_walk(struct wl_call *c, unsigned town, unsigned side, enum wl_retreat_kind kind,
             struct wl_walks *walks, uint64_t revealed, const uint8_t *attrition, unsigned who)
{
    struct state *s = c->s;
    for (unsigned i = 0; i < walks->n; i++) {
        const struct wl_walk *walk = &walks->walk[i];
        struct wl_unit *u = &s->unit[walk->unit];
        u->town = walk->route.town[walk->route.len - 1];
        u->marked_until = (uint8_t)(s->slot + 1);
    }
    wl_tell_retreated(c, town, side, kind, walks, revealed, attrition, who);
    wl_roll_marches(c, side, walks, who);
}

/* ---- retreat in a combat turn ---- */

const char *wl_forbid_retreat(const struct state *s, unsigned town, unsigned unit)
{
    if (!wl_in_battle(s, town, unit)) { return "W12.1"; }
    if (s->ct_n == 1) { return "W12.2"; }
    if (s->unit[unit].fired || s->unit[unit].moves > 0) { return "W12.3"; }
    return wl_rout_is_pending(s) ? "W13.6" : NULL;
}

static const char *forbid_batch(struct wl_call *c, unsigned town, const struct wl_walks *walks)
{
    struct state *s = c->s;
    unsigned side = wl_acting_side(s);
    struct wl_ways ways;
    wl_find_ways(s, town, side, &ways);
    for (unsigned i = 0; i < walks->n; i++) {
        const struct wl_walk *walk = &walks->walk[i];
        const char *rule = wl_forbid_retreat(s, town, walk->unit);
        if (rule == NULL) { rule = wl_forbid_route(&ways, walk->unit, &walk->route); }
        if (rule != NULL) { return rule; }
        wl_use_route(&ways, &walk->route);
    }
    memcpy(s->ledger_retreat[side], ways.used, sizeof ways.used);
    return NULL;
}

/* W18.7: units of two seats stand on that side of the battle. */
static bool is_joint(const struct state *s, unsigned town, unsigned side)
{
    uint32_t seats = 0;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_in_battle(s, town, u) && wl_side(u) == side) {
            seats |= WL_BIT(wl_seat_of_nation(s, wl_nation(u)));
        }
    }
    return (seats & (seats - 1)) != 0;
}

/* W12.12, W14.1: all units of the acting side are gone: a withdrawal. */
static bool test_withdrawal(struct wl_call *c, unsigned town)
{
    struct state *s = c->s;
    unsigned side = wl_acting_side(s);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (wl_in_battle(s, town, u) && wl_side(u) == side) { return false; }
    }
    wl_battle_over(c, town, wl_other(side));
    return true;
}

void wl_test_withdrawals(struct wl_call *c)
{
    for (unsigned t = 0; t < wl_board(c->s)->map.towns; t++) {
        if (!c->s->fight[t].test_due) { continue; }
        c->s->fight[t].test_due = 0;
        (void)wl_test_rout(c, t, c->s->ct_side);
    }
}

/* W12.4: attrition before they leave, judged before any unit of the batch leaves; then they go. */
static void take_batch(struct wl_call *c, unsigned town, struct wl_walks *walks)
{
    struct state *s = c->s;
    uint8_t attrition[WL_UNITS] = {0};
    uint64_t revealed = 0;
    uint64_t dead = 0;
    unsigned kept = 0;
    for (unsigned i = 0; i < walks->n; i++) {
        unsigned u = walks->walk[i].unit;
        if (s->unit[u].place != WL_RES) { revealed |= WL_BIT64(u); }
        if (wl_faces_troops(s, town, u)) { attrition[u] = (uint8_t)wl_attrition(s, town, u); }
    }
    for (unsigned i = 0; i < walks->n; i++) {
        unsigned u = walks->walk[i].unit;
        wl_take_up(s, u);
        attrition[u] = (uint8_t)wl_lose(s, u, attrition[u], WL_GONE_RETREAT);
        if (s->unit[u].gone != WL_ON_MAP) {
            dead |= WL_BIT64(u);
        } else {
            walks->walk[kept++] = walks->walk[i];
        }
    }
    walks->n = kept;
    wl_tell_eliminated_set(c, dead, WL_GONE_RETREAT, town, TELL_BOTH);
    wl_walk(c, town, wl_acting_side(s), WL_BY_BATTLE, walks, revealed, attrition, TELL_BOTH);
}

enum err wl_act_retreat(struct wl_call *c)
{
    static const char *const names[] = {"battle", "routes", NULL};
    struct wl_walks walks = {0};
    uint64_t seen = 0;
    unsigned town = 0;
    struct state *s = c->s;
    enum err err = wl_read_only(c, names);
    if (err == ERR_OK) { err = wl_read_town(c, c->action, "battle", &town); }
    const struct wl_walk_rules rules = {"W12.5", "W12.1", town};
    if (err == ERR_OK) { err = wl_read_walks(c, c->action, "!routes", &rules, &seen, &walks); }
    if (err != ERR_OK) { return err; }
    if (s->fight[town].phase != WL_BATTLE || walks.n == 0) { return wl_refuse(c, "W19"); }
    const char *rule = forbid_batch(c, town, &walks);
    if (rule != NULL) { return wl_refuse(c, rule); }
    if (s->ct_side == WL_ATT) { s->fight[town].attacker_acted = 1; }
    bool joint = is_joint(s, town, wl_acting_side(s));
    take_batch(c, town, &walks);
    if (test_withdrawal(c, town)) { return ERR_OK; }
    /* W18.7: with both nations there an empty column waits for the ally, who may leave or fill it.
     */
    if (joint || s->fight[town].test_due) {
        s->fight[town].test_due = 1;
    } else {
        (void)wl_test_rout(c, town, s->ct_side);
    }
    return ERR_OK;
}

/* ---- W14 ---- */

void wl_battle_over(struct wl_call *c, unsigned town, unsigned winner_side)
{
    struct state *s = c->s;
    struct wl_fight *fight = &s->fight[town];
    struct wl_fight over;
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (!wl_in_battle(s, town, u) || wl_side(u) != winner_side) { continue; }
        wl_take_up(s, u);
        s->unit[u].won_ct = s->ct_n;
        s->unit[u].won_side = s->ct_side;
    }
    wl_reset_fight(&over);
    over.phase = WL_BATTLE_OVER;
    over.rout_side = fight->rout_side;
    over.enemy_towns = fight->enemy_towns;
    if (over.rout_side != WL_NOBODY) {
        memcpy(over.attack_roads, fight->attack_roads, sizeof over.attack_roads);
    }
    *fight = over;
    wl_tell_battle_over(c, town, winner_side);
}
