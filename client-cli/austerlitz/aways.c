/* client-cli/austerlitz/aways.c: the cheapest way of a unit of Austerlitz across the map, as a
 * player would count it (rules 4 and 5). The server has the last word. */
#include <string.h>

#include "client-cli/austerlitz/aview.h"

enum { NEVER = AV_NEVER };

/* 4.3: terrain and hexsides by infantry, cavalry, artillery. */
static const int terrain_cost[5][3] = {
    [AV_CLEAR] = {1, 1, 1},   [AV_FOREST] = {2, 3, NEVER}, [AV_MARSH] = {2, 3, NEVER},
    [AV_VILLAGE] = {1, 1, 1}, [AV_POND] = {1, 1, NEVER},
};
static const int hexside_cost[4][3] = {
    [AV_OPEN] = {0, 0, 0},
    [AV_STREAM] = {1, 1, 2},
    [AV_BANK] = {1, 1, NEVER},
    [AV_ESCARPMENT] = {2, 3, NEVER},
};

static int step_cost(const struct av_view *v, enum av_type type, unsigned a, unsigned side)
{
    const struct av_map *map = v->map;
    unsigned b = hex_neighbour(&map->grid, a, side);
    int bridge = map->bridge[a][side];
    bool whole = bridge != AV_NONE && (v->destroyed >> bridge & 1U) == 0;
    if (v->broken[b]) { return NEVER; }                                                 /* 10.3 */
    if ((map->road[a] >> side & 1U) != 0 && (bridge == AV_NONE || whole)) { return 1; } /* 2.4 */
    int over = terrain_cost[map->terrain[b]][type];
    int across = whole ? 0 : hexside_cost[map->side[a][side]][type];
    if (over == NEVER || across == NEVER) { return NEVER; }
    return over + across + (map->height[b] && !map->height[a] ? 1 : 0);
}

/* 5.5: what control adds at entering and leaving. */
static int supplement(const struct av_view *v, const struct av_unit *u, bool leaves)
{
    bool old = strcmp(v->situation, "1805") == 0 ||
               (v->guard_1805 &&
                (strcmp(u->id, "IC") == 0 || strcmp(u->id, "CG") == 0 || strcmp(u->id, "AG") == 0));
    bool cheap = u->side == AV_FRENCH ? old : strcmp(v->situation, "1813") == 0;
    return (cheap ? 0 : 1) + (leaves ? 1 : 0);
}

int av_points(const struct av_view *v, int unit)
{
    const struct av_unit *u = &v->unit[unit];
    int less = u->bridge == AV_NONE ? 0 : 2;
    if (v->fog || v->night) { less += v->demoralised == (int)u->side ? 2 : 1; }
    return u->movement > less ? u->movement - less : 0;
}

/* Takes the steps out of a hex that is settled. */
static void leave(const struct av_view *v, const struct av_unit *u, struct av_ways *w, unsigned hex)
{
    const struct hex_grid *grid = &v->map->grid;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = hex_neighbour(grid, hex, d);
        if (to == HEX_NONE) { continue; }
        int there = v->at[to];
        if (there != AV_NONE && v->unit[there].side != u->side) { continue; }    /* 4.4 */
        if (w->held[to] && (w->held[hex] || u->bridge != AV_NONE)) { continue; } /* 5.4, 10.4 */
        int cost = step_cost(v, u->type, hex, d);
        if (cost == NEVER) { continue; }
        cost += w->cost[hex] + (w->held[hex] ? supplement(v, u, true) : 0) +
                (w->held[to] ? supplement(v, u, false) : 0);
        if (cost >= w->cost[to]) { continue; }
        w->cost[to] = cost;
        w->from[to] = hex;
    }
}

void av_find_ways(const struct av_view *v, int unit, struct av_ways *out_ways)
{
    struct av_ways *w = out_ways;
    const struct av_unit *u = &v->unit[unit];
    unsigned count = hex_count(&v->map->grid);
    for (unsigned hex = 0; hex < count; hex++) {
        w->cost[hex] = NEVER;
        w->held[hex] = av_is_held(v, hex, u->side == AV_FRENCH ? AV_ALLIED : AV_FRENCH);
    }
    w->cost[u->hex] = 0;
    for (int cost = 0; cost < NEVER; cost++) { /* each step costs 1 at least */
        for (unsigned hex = 0; hex < count; hex++) {
            if (w->cost[hex] != cost) { continue; }
            if (hex != u->hex && w->held[hex]) { continue; } /* 5.3 */
            leave(v, u, w, hex);
        }
    }
}

bool av_way_to(const struct av_view *v, const struct av_ways *ways, int unit, unsigned to,
               struct av_way *out_way)
{
    unsigned start = v->unit[unit].hex;
    out_way->len = 0;
    if (to == start || ways->cost[to] >= NEVER) { return false; }
    for (unsigned hex = to; hex != start; hex = ways->from[hex]) {
        if (++out_way->len > AV_WAY_MAX) { return false; }
    }
    int i = out_way->len;
    for (unsigned hex = to; hex != start; hex = ways->from[hex]) {
        out_way->hex[--i] = hex;
    }
    return true;
}
