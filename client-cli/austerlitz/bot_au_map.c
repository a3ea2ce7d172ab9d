/* client-cli/austerlitz/bot_au_map.c: steps, control, reach and trajectories on the map of
 * Austerlitz, as the bot reckons them from the printed map. */
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"

/* ---- who stands and controls where ---- */

static void count_control(struct bau *b, unsigned unit, int by)
{
    const struct bau_unit *u = &b->unit[unit];
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = bau_next(u->hex, d);
        if (to == HEX_NONE || !bau_controls(b, u->type, u->hex, d)) { continue; }
        b->held[u->side][to] = (uint8_t)(b->held[u->side][to] + by);
    }
}

void bau_put(struct bau *b, unsigned unit, unsigned hex)
{
    b->unit[unit].hex = (uint16_t)hex;
    b->at[hex] = (uint8_t)unit;
    count_control(b, unit, 1);
}

void bau_lift(struct bau *b, unsigned unit)
{
    b->at[b->unit[unit].hex] = BAU_NONE;
    count_control(b, unit, -1);
}

void bau_move(struct bau *b, unsigned unit, unsigned hex)
{
    if (b->unit[unit].hex == hex) { return; }
    bau_lift(b, unit);
    bau_put(b, unit, hex);
}

void bau_set_broken(struct bau *b, unsigned hex, bool broken)
{
    uint64_t bit = UINT64_C(1) << bau_hexes[hex].pond;
    uint64_t around = 0;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned n = bau_next(hex, d);
        if (n != HEX_NONE && b->at[n] != BAU_NONE) { around |= bau_bit(b->at[n]); }
    }
    for (uint64_t rest = around; rest != 0; rest &= rest - 1) {
        count_control(b, bau_first(rest), -1);
    }
    b->broken = broken ? b->broken | bit : b->broken & ~bit;
    for (uint64_t rest = around; rest != 0; rest &= rest - 1) {
        count_control(b, bau_first(rest), 1);
    }
}

/* ---- steps ---- */

unsigned bau_step_cost(const struct bau *b, unsigned type, unsigned hex, unsigned side)
{
    const struct bau_hex *from = &bau_hexes[hex];
    unsigned next = from->next[side];
    if (next == HEX_NONE || bau_is_broken(b, next)) { return BAU_NEVER; }
    const struct bau_hex *to = &bau_hexes[next];
    bool has_bridge = from->bridge[side] != BAU_NONE;
    bool bridged = has_bridge && (b->destroyed >> from->bridge[side] & 1U) == 0;
    if ((from->roads >> side & 1U) != 0 && (!has_bridge || bridged)) {
        return bau_tables.road_cost;
    }
    unsigned cost = bau_tables.hex_cost[to->terrain][type];
    unsigned across =
        bridged ? bau_tables.bridged_cost[type] : bau_tables.side_cost[from->side[side]][type];
    if (cost == BAU_NEVER || across == BAU_NEVER) { return BAU_NEVER; }
    bool climbs = (to->flags & BAU_HEIGHT) != 0 && (from->flags & BAU_HEIGHT) == 0;
    return cost + across + (climbs ? bau_tables.climb[type] : 0);
}

bool bau_is_helpless(unsigned type, unsigned hex)
{
    unsigned terrain = bau_hexes[hex].terrain;
    return type == BAU_ARTILLERY &&
           (terrain == BAU_FOREST || terrain == BAU_MARSH || terrain == BAU_VILLAGE);
}

bool bau_controls(const struct bau *b, unsigned type, unsigned hex, unsigned side)
{
    unsigned to = bau_next(hex, side);
    if (bau_is_helpless(type, hex) || bau_hexes[hex].side[side] == BAU_ESCARPMENT) { return false; }
    unsigned terrain = bau_hexes[to].terrain;
    return terrain != BAU_FOREST && terrain != BAU_VILLAGE && !bau_is_broken(b, to);
}

uint64_t bau_pairs(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    uint64_t found = 0;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = bau_next(u->hex, d);
        if (to == HEX_NONE || b->at[to] == BAU_NONE) { continue; }
        const struct bau_unit *o = &b->unit[b->at[to]];
        if (o->side != u->side && bau_controls(b, u->type, u->hex, d) &&
            bau_controls(b, o->type, to, hex_opposite(d))) {
            found |= bau_bit(b->at[to]);
        }
    }
    return found;
}

uint64_t bau_beside(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    uint64_t found = 0;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = bau_next(u->hex, d);
        if (to == HEX_NONE || b->at[to] == BAU_NONE) { continue; }
        if (b->unit[b->at[to]].side != u->side) { found |= bau_bit(b->at[to]); }
    }
    return found;
}

/* ---- trajectories ---- */

static bool is_blocked(const struct hex_path *path)
{
    unsigned first = path->hex[0], last = path->hex[path->len - 1];
    bool high = ((bau_hexes[first].flags | bau_hexes[last].flags) & BAU_HEIGHT) != 0;
    for (unsigned i = 0; i + 1 < path->len; i++) {
        unsigned side = hex_side_to(&bau_grid, path->hex[i], path->hex[i + 1]);
        if (bau_hexes[path->hex[i]].side[side] == BAU_ESCARPMENT) { return true; }
        if (i == 0) { continue; }
        const struct bau_hex *hex = &bau_hexes[path->hex[i]];
        if (hex->terrain == BAU_FOREST || hex->terrain == BAU_VILLAGE) { return true; }
        if ((hex->flags & BAU_HEIGHT) != 0 && !high) { return true; }
    }
    return false;
}

bool bau_can_shoot(const struct bau *b, unsigned from, unsigned at, unsigned min)
{
    enum { PATHS = 8 };
    struct hex_path path[PATHS];
    if (b->blind || bau_is_helpless(BAU_ARTILLERY, from)) { return false; }
    bool high = (bau_hexes[from].flags & BAU_HEIGHT) != 0;
    unsigned range = high ? bau_tables.range_height : bau_tables.range;
    unsigned distance = hex_distance(&bau_grid, from, at);
    if (distance < min || distance > range) { return false; }
    unsigned n = hex_trajectories(&bau_grid, from, at, path, PATHS);
    for (unsigned i = 0; i < n && i < PATHS; i++) {
        if (!is_blocked(&path[i])) { return true; }
    }
    return false;
}

/* ---- ways ---- */

static bool has_free_hex(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = bau_next(u->hex, d);
        if (to != HEX_NONE && b->at[to] == BAU_NONE && b->held[bau_other(u->side)][to] == 0 &&
            bau_step_cost(b, u->type, u->hex, d) != BAU_NEVER) {
            return true;
        }
    }
    return false;
}

bool bau_has_way(const struct bau *b, unsigned unit)
{
    const struct bau_unit *u = &b->unit[unit];
    if (has_free_hex(b, unit)) { return true; }
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = bau_next(u->hex, d);
        if (to == HEX_NONE || b->at[to] == BAU_NONE || b->unit[b->at[to]].side != u->side ||
            b->held[bau_other(u->side)][to] != 0 ||
            bau_step_cost(b, u->type, u->hex, d) == BAU_NEVER) {
            continue;
        }
        if (has_free_hex(b, b->at[to])) { return true; }
    }
    return false;
}

/* ---- reach ---- */

enum { ENTER, LEAVE };

static unsigned supplement(const struct bau *b, const struct bau_unit *u, unsigned what)
{
    bool old_guard = b->guard_1805 && u->fact != BAU_NONE && bau_unit_facts[u->fact].guard != 0;
    return bau_tables.control_cost[old_guard ? 0 : b->situation][u->side][what];
}

unsigned bau_points(const struct bau *b, unsigned unit)
{
    enum { BRIDGE_PENALTY = 2 };
    const struct bau_unit *u = &b->unit[unit];
    unsigned points = bau_tables.movement[u->type];
    unsigned less = b->blind ? bau_tables.blind_penalty[b->demoralised == u->side] : 0;
    if (u->marked) { less += BRIDGE_PENALTY; }
    return points > less ? points - less : 0;
}

unsigned bau_exit_cost(const struct bau *b, unsigned unit, unsigned hex)
{
    const struct bau_unit *u = &b->unit[unit];
    bool held = b->held[bau_other(u->side)][hex] != 0;
    return bau_tables.exit_cost + (held ? supplement(b, u, LEAVE) : 0);
}

static unsigned reach_cost(const struct bau *b, const struct bau_unit *u, unsigned hex, unsigned d)
{
    unsigned to = bau_next(hex, d), enemy = bau_other(u->side);
    if (to == HEX_NONE) { return BAU_NEVER; }
    if (b->at[to] != BAU_NONE && b->unit[b->at[to]].side == enemy) { return BAU_NEVER; }
    bool from_held = b->held[enemy][hex] != 0, to_held = b->held[enemy][to] != 0;
    if (to_held && (from_held || u->marked)) { return BAU_NEVER; }
    unsigned cost = bau_step_cost(b, u->type, hex, d);
    if (cost == BAU_NEVER) { return BAU_NEVER; }
    return cost + (from_held ? supplement(b, u, LEAVE) : 0) +
           (to_held ? supplement(b, u, ENTER) : 0);
}

/* Hexes in the order of their cost: each is settled when its cost comes up. */
void bau_find_reach(const struct bau *b, unsigned unit, struct bau_reach *out)
{
    const struct bau_unit *u = &b->unit[unit];
    unsigned points = bau_points(b, unit), n = 0, enemy = bau_other(u->side);
    uint16_t met[BAU_HEXES];
    memset(out->cost, BAU_NEVER, sizeof out->cost);
    out->count = 0;
    out->cost[u->hex] = 0;
    out->from[u->hex] = HEX_NONE;
    met[n++] = u->hex;
    for (unsigned cost = 0; cost <= points; cost++) {
        for (unsigned i = 0; i < n; i++) {
            unsigned hex = met[i];
            if (out->cost[hex] != cost) { continue; }
            out->order[out->count++] = (uint16_t)hex;
            if (cost == points || (hex != u->hex && b->held[enemy][hex] != 0)) { continue; }
            for (unsigned d = 0; d < HEX_SIDES; d++) {
                unsigned step = reach_cost(b, u, hex, d);
                if (step == BAU_NEVER) { continue; }
                unsigned to = bau_next(hex, d), total = cost + step;
                if (total > points || total >= out->cost[to]) { continue; }
                if (out->cost[to] == BAU_NEVER) { met[n++] = (uint16_t)to; }
                out->cost[to] = (uint8_t)total;
                out->from[to] = (uint16_t)hex;
            }
        }
    }
}

/* Backwards from the goals, by rings of equal cost. */
void bau_find_distance(const struct bau *b, unsigned type, const struct bau_goal *goals,
                       unsigned count, uint8_t out[BAU_HEXES])
{
    enum { FAR = 250, STEP_MAX = 8, RINGS = 32 };
    static const uint16_t none = HEX_NONE;
    uint16_t next[BAU_HEXES], head[RINGS];
    bool settled[BAU_HEXES] = {false};
    unsigned waiting = 0;
    memset(out, FAR, BAU_HEXES);
    for (unsigned i = 0; i < RINGS; i++) {
        head[i] = none;
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned cost = goals[i].cost < RINGS - STEP_MAX ? goals[i].cost : RINGS - STEP_MAX - 1;
        if (out[goals[i].hex] != FAR) { continue; }
        out[goals[i].hex] = (uint8_t)cost;
        next[goals[i].hex] = head[cost];
        head[cost] = goals[i].hex;
        waiting++;
    }
    for (unsigned cost = 0; cost < FAR && waiting > 0; cost++) {
        uint16_t ring = head[cost % RINGS];
        head[cost % RINGS] = none;
        while (ring != none) {
            unsigned hex = ring;
            ring = next[hex];
            waiting--;
            if (settled[hex] || out[hex] != cost) { continue; }
            settled[hex] = true;
            for (unsigned d = 0; d < HEX_SIDES; d++) {
                unsigned before = bau_next(hex, d);
                if (before == HEX_NONE || settled[before]) { continue; }
                unsigned step = bau_step_cost(b, type, before, hex_opposite(d));
                if (step > STEP_MAX || cost + step >= out[before]) { continue; }
                /* It may stand in a later ring already: it is settled where it comes up first,
                 * and its place in that ring would be lost, so it is taken out by its cost. */
                if (out[before] != FAR) {
                    uint16_t *link = &head[out[before] % RINGS];
                    while (*link != none && *link != before) {
                        link = &next[*link];
                    }
                    if (*link == before) {
                        *link = next[before];
                        waiting--;
                    }
                }
                out[before] = (uint8_t)(cost + step);
                next[before] = head[out[before] % RINGS];
                head[out[before] % RINGS] = (uint16_t)before;
                waiting++;
            }
        }
    }
}

bool bau_finds_exit(const struct bau *b, unsigned unit, unsigned *out_hex)
{
    struct bau_reach reach;
    const struct bau_unit *u = &b->unit[unit];
    unsigned points = bau_points(b, unit);
    bau_find_reach(b, unit, &reach);
    for (unsigned i = 0; i < reach.count; i++) {
        unsigned hex = reach.order[i];
        bool stopped = hex != u->hex && b->held[bau_other(u->side)][hex] != 0;
        if ((bau_hexes[hex].flags & BAU_VIENNA_EXIT) != 0 && !stopped &&
            reach.cost[hex] + bau_exit_cost(b, unit, hex) <= points) {
            *out_hex = hex;
            return true;
        }
    }
    return false;
}

void bau_find_vienna(struct bau *b)
{
    struct bau_goal exits[BAU_EXITS_MAX];
    unsigned count = 0;
    for (unsigned hex = 0; hex < BAU_HEXES && count < BAU_EXITS_MAX; hex++) {
        if ((bau_hexes[hex].flags & BAU_VIENNA_EXIT) != 0) {
            exits[count++] = (struct bau_goal){(uint16_t)hex, 0};
        }
    }
    for (unsigned type = 0; type < BAU_TYPES; type++) {
        bau_find_distance(b, type, exits, count, b->to_vienna[type]);
    }
}
