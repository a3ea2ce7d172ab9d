/* common/rules/austerlitz/terrain.c: what a step costs, what a unit controls, who can leave. */
#include <string.h>

#include "common/rules/austerlitz/au.h"

unsigned au_step_cost(const struct state *s, unsigned type, unsigned a, unsigned side)
{
    bool varies = (s->broken | s->destroyed) != 0 && (au_step_varies[a] >> side & 1U) != 0;
    return varies ? au_price_step(s, type, a, side) : au_step_costs[type][a][side];
}

unsigned au_price_step(const struct state *s, unsigned type, unsigned a, unsigned side)
{
    const struct au_hex *from = &au_hexes[a];
    unsigned b = au_next(a, side);
    if (b == HEX_NONE || au_is_broken(s, b)) { return AU_NEVER; } /* 10.3 */
    const struct au_hex *to = &au_hexes[b];
    bool has_bridge = from->bridge[side] != AU_NONE;
    bool bridged = has_bridge && (s->destroyed >> from->bridge[side] & 1U) == 0;
    bool road = (from->roads >> side & 1U) != 0 && (!has_bridge || bridged); /* 2.4 */
    if (road) { return au_tables.road_cost; }
    unsigned cost = au_tables.hex_cost[to->terrain][type];
    unsigned across =
        bridged ? au_tables.bridged_cost[type] : au_tables.side_cost[from->side[side]][type];
    if (cost == AU_NEVER || across == AU_NEVER) { return AU_NEVER; }
    bool climbs = (to->flags & AU_HEIGHT) != 0 && (from->flags & AU_HEIGHT) == 0;
    return cost + across + (climbs ? au_tables.climb[type] : 0);
}

/* 8.2: such hexes keep a battery from deploying. */
static bool hampers(unsigned hex)
{
    unsigned terrain = au_hexes[hex].terrain;
    return terrain == AU_FOREST || terrain == AU_MARSH || terrain == AU_VILLAGE;
}

bool au_is_helpless(const struct state *s, unsigned unit)
{
    return au_type(unit) == AU_ARTILLERY && hampers(s->unit[unit].hex);
}

bool au_may_attack(const struct state *s, unsigned unit)
{
    return !au_is_helpless(s, unit) && s->unit[unit].bridge == AU_NONE;
}

/* 5.2: control does not extend into forest, village or broken ice, nor across an escarpment. */
bool au_controls(const struct state *s, unsigned unit, unsigned a, unsigned side)
{
    if (au_type(unit) == AU_ARTILLERY && hampers(a)) { return false; }
    return (au_control_sides[a] >> side & 1U) != 0 && !au_is_broken(s, au_next(a, side));
}

bool au_mutual(const struct state *s, unsigned a, unsigned b)
{
    unsigned side = au_side_to(s->unit[a].hex, s->unit[b].hex);
    return side != HEX_SIDES && au_controls(s, a, s->unit[a].hex, side) &&
           au_controls(s, b, s->unit[b].hex, hex_opposite(side));
}

/* 11.2, 10.4. */
unsigned au_points(const struct state *s, unsigned unit, bool in_phase)
{
    enum { BRIDGE_PENALTY = 2 };
    unsigned points = au_tables.movement[au_type(unit)], less = 0;
    if (au_is_blind(s)) { less = au_tables.blind_penalty[s->demoralised == au_side(unit)]; }
    if (in_phase && s->unit[unit].bridge != AU_NONE) { less += BRIDGE_PENALTY; }
    return points > less ? points - less : 0;
}

unsigned au_exit_box(unsigned unit, unsigned hex, unsigned edge)
{
    if (!au_hex_is_at(hex, edge)) { return AU_ON_MAP; }
    if (au_side(unit) == AU_FRENCH) { return edge == AU_WEST ? AU_WITHDRAWN : AU_ELIMINATED; }
    if (edge != AU_WEST) { return AU_WITHDRAWN; }
    return (au_hexes[hex].flags & AU_VIENNA_EXIT) != 0 ? AU_VIENNA : AU_ELIMINATED;
}

/* R22: an edge hex where the army may leave without being lost. */
static bool is_way_out(unsigned side, unsigned hex)
{
    if (side == AU_FRENCH) { return au_hex_is_at(hex, AU_WEST); }
    return au_hex_is_at(hex, AU_EAST) || au_hex_is_at(hex, AU_NORTH) ||
           au_hex_is_at(hex, AU_SOUTH) || (au_hexes[hex].flags & AU_VIENNA_EXIT) != 0;
}

/* Hexes from which units of that type get out through hexes that are not the enemy's, found from
 * the edges inwards. */
static void find_open(const struct state *s, const struct au_now *now, unsigned side, unsigned type,
                      bool open[AU_HEXES])
{
    static const uint8_t bit[AU_SIDES] = {1U << AU_FRENCH, 1U << AU_ALLIED};
    uint16_t queue[AU_HEXES];
    unsigned head = 0, tail = 0;
    memset(open, 0, AU_HEXES * sizeof open[0]);
    for (unsigned hex = 0; hex < AU_HEXES; hex++) {
        bool taken = now->at[hex] != AU_NONE && au_side(now->at[hex]) != side;
        bool held = (now->control[hex] & bit[au_other(side)]) != 0;
        if (!taken && !held && is_way_out(side, hex)) {
            open[hex] = true;
            queue[tail++] = (uint16_t)hex;
        }
    }
    while (head < tail) {
        unsigned hex = queue[head++];
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned before = au_next(hex, d);
            if (before == HEX_NONE || open[before]) { continue; }
            bool taken = now->at[before] != AU_NONE && au_side(now->at[before]) != side;
            bool held = (now->control[before] & bit[au_other(side)]) != 0;
            if (taken || held || au_step_cost(s, type, before, hex_opposite(d)) == AU_NEVER) {
                continue;
            }
            open[before] = true;
            queue[tail++] = (uint16_t)before;
        }
    }
}

uint64_t au_encircled(const struct state *s, const struct au_now *now, unsigned side)
{
    uint64_t found = 0, army = au_army(s, side);
    for (unsigned type = 0; type < AU_TYPES; type++) {
        bool open[AU_HEXES];
        bool known = false;
        for (uint64_t rest = army; rest != 0; rest &= rest - 1) {
            unsigned u = au_first(rest), hex = s->unit[u].hex;
            if (au_type(u) != type || is_way_out(side, hex)) { continue; }
            if (!known) { find_open(s, now, side, type, open); }
            known = true;
            bool out = false;
            for (unsigned d = 0; d < HEX_SIDES && !out; d++) {
                unsigned to = au_next(hex, d);
                out = to != HEX_NONE && open[to] && au_step_cost(s, type, hex, d) != AU_NEVER;
            }
            if (!out) { found |= au_bit(u); }
        }
    }
    return found;
}
