/* common/rules/austerlitz/move.c: where a unit may go in its movement phase (4, 5, 9, 10.4). */
#include <assert.h>
#include <string.h>

#include "common/rules/austerlitz/au.h"

enum { ENTER, LEAVE };

static bool is_held(const struct au_now *now, unsigned unit, unsigned hex)
{
    return (now->control[hex] >> au_other(au_side(unit)) & 1U) != 0;
}

/* 5.5, 14.2, 14.3. */
static unsigned supplement(const struct state *s, unsigned unit, unsigned what)
{
    bool old_guard = s->guard_1805 != 0 && au_unit_facts[unit].guard != 0;
    return au_tables.control_cost[old_guard ? 0 : s->situation][au_side(unit)][what];
}

unsigned au_exit_cost(const struct state *s, const struct au_now *now, unsigned unit, unsigned hex)
{
    return au_tables.exit_cost + (is_held(now, unit, hex) ? supplement(s, unit, LEAVE) : 0);
}

/* The step from a across side d: its cost with the supplements (4.3, 5.5). */
static unsigned full_cost(const struct state *s, const struct au_now *now, unsigned unit,
                          unsigned a, unsigned d)
{
    unsigned cost = au_step_cost(s, au_type(unit), a, d);
    if (cost == AU_NEVER) { return AU_NEVER; }
    if (is_held(now, unit, a)) { cost += supplement(s, unit, LEAVE); }
    unsigned b = au_next(a, d);
    return cost + (is_held(now, unit, b) ? supplement(s, unit, ENTER) : 0);
}

/* What forbids the step from a to b; stopped: the unit has just entered enemy control. */
static const char *forbid_step(const struct state *s, const struct au_now *now, unsigned unit,
                               unsigned a, unsigned b, bool stopped, bool marked)
{
    unsigned d = au_side_to(a, b);
    if (d == HEX_SIDES) { return "4.1"; }
    if (now->at[b] != AU_NONE && au_side(now->at[b]) != au_side(unit)) { return "4.4"; }
    if (au_is_broken(s, b)) { return "10.3"; }
    if (au_step_cost(s, au_type(unit), a, d) == AU_NEVER) { return "4.3"; }
    if (stopped) { return "5.3"; }
    if (!is_held(now, unit, b)) { return NULL; }
    if (is_held(now, unit, a)) { return "5.4"; }
    return marked ? "10.4" : NULL; /* R15 */
}

const char *au_forbid_move(const struct state *s, const struct au_now *now, unsigned unit,
                           const struct au_way *way, bool own_phase, struct au_costs *out_costs)
{
    unsigned at = s->unit[unit].hex, total = 0, count = 0;
    bool stopped = false, marked = own_phase && s->unit[unit].bridge != AU_NONE;
    if (!au_on_map(s, unit) || (own_phase && s->unit[unit].moved != 0)) { return "4.1"; }
    if (way->len == 0 && way->edge == AU_EDGES) { return "4.1"; }
    for (unsigned i = 0; i < way->len; i++) {
        unsigned to = way->hex[i];
        const char *rule = forbid_step(s, now, unit, at, to, stopped, marked);
        if (rule != NULL) { return rule; }
        unsigned cost = full_cost(s, now, unit, at, au_side_to(at, to));
        out_costs->step[count++] = (uint8_t)cost;
        total += cost;
        stopped = is_held(now, unit, to);
        at = to;
    }
    if (way->edge != AU_EDGES) {
        if (!au_hex_is_at(at, way->edge) || stopped) { return "9.4"; }
        unsigned cost = au_exit_cost(s, now, unit, at);
        out_costs->step[count++] = (uint8_t)cost;
        total += cost;
    } else if (now->at[at] != AU_NONE && now->at[at] != unit) {
        return "4.4"; /* R5 */
    }
    if (total > au_points(s, unit, own_phase)) { return "4.5"; }
    out_costs->count = (uint8_t)count;
    out_costs->total = total;
    return NULL;
}

const char *au_forbid_destroy(const struct state *s, const struct au_now *now, unsigned unit,
                              unsigned bridge)
{
    const struct au_bridge *b = &au_bridges[bridge];
    if ((s->destroyed >> bridge & 1U) != 0) { return "10.5"; }
    if (!au_on_map(s, unit) || s->unit[unit].moved != 0 || s->unit[unit].bridge != AU_NONE) {
        return "10.4";
    }
    if (s->unit[unit].hex != b->a && s->unit[unit].hex != b->b) { return "10.4"; }
    const uint16_t ends[2] = {b->a, b->b};
    for (unsigned i = 0; i < 2; i++) { /* R32 */
        bool taken = now->at[ends[i]] != AU_NONE && au_side(now->at[ends[i]]) != au_side(unit);
        if (taken || is_held(now, unit, ends[i])) { return "10.4"; }
    }
    return NULL;
}

/* What a search for the reach of a unit is about. into: by what stands at a hex and controls it
 * (au_now), what that adds to a step there; AU_NEVER: no such step. */
enum { INTO = 1 << (AU_STANDS + AU_SIDES) };
struct search {
    const struct state *s;
    const struct au_now *now;
    unsigned unit, points;
    bool changed; /* there are steps that do not cost what is printed */
    uint8_t into[INTO];
};

/* stuck: no step into enemy control. */
static void fill_into(struct search *search, bool stuck)
{
    const unsigned other = au_other(au_side(search->unit));
    const uint8_t enter = stuck ? AU_NEVER : (uint8_t)supplement(search->s, search->unit, ENTER);
    for (unsigned i = 0; i < INTO; i++) {
        bool stands = (i >> AU_STANDS >> other & 1U) != 0, holds = (i >> other & 1U) != 0;
        search->into[i] = stands ? AU_NEVER : holds ? enter : 0;
    }
}

/* A cheaper way to a hex. */
static void meet(struct au_reach *out, unsigned hex, unsigned from, unsigned side, unsigned cost)
{
    if (out->cost[hex] == AU_NEVER) {
        out->place[hex] = (uint16_t)out->met_count;
        out->met[out->met_count++] = (uint16_t)hex;
    }
    unsigned place = out->place[hex];
    out->cost[hex] = (uint8_t)cost;
    out->from[hex] = (uint16_t)from;
    out->across[hex] = (uint8_t)side;
    out->due[cost][place / 64] |= UINT64_C(1) << place % 64;
}

/* The steps from a hex, which cost that much at least. */
static void spread(const struct search *search, unsigned hex, unsigned before, struct au_reach *out)
{
    const unsigned type = au_type(search->unit), points = search->points;
    const uint8_t *control = search->now->control;
    uint8_t step[HEX_SIDES];
    memcpy(step, au_step_costs[type][hex], sizeof step);
    unsigned varies = search->changed ? au_step_varies[hex] : 0;
    for (; varies != 0; varies &= varies - 1) {
        unsigned d = au_first(varies);
        step[d] = (uint8_t)au_price_step(search->s, type, hex, d);
    }
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned next = au_next(hex, d), to = next < AU_HEXES ? next : hex; /* off: AU_NEVER */
        unsigned total = before + step[d] + search->into[control[to]];
        unsigned best = out->cost[to] <= points ? out->cost[to] : points + 1;
        if (total < best) { meet(out, to, hex, d, total); }
    }
}

/* Hexes in the order of their cost, which at each step is at least 1; those of the same cost as
 * they were first met. */
void au_find_reach(const struct state *s, const struct au_now *now, unsigned unit, bool own_phase,
                   struct au_reach *out)
{
    memset(out->cost, AU_NEVER, sizeof out->cost);
    out->count = 0;
    out->met_count = 0;
    if (!au_on_map(s, unit) || (own_phase && s->unit[unit].moved != 0)) { return; }
    struct search search = {
        .s = s,
        .now = now,
        .unit = unit,
        .points = au_points(s, unit, own_phase),
        .changed = (s->broken | s->destroyed) != 0,
    };
    const unsigned points = search.points, from = s->unit[unit].hex;
    assert(points <= AU_POINTS_MAX);
    memset(out->due, 0, (points + 1) * sizeof out->due[0]);
    meet(out, from, HEX_NONE, HEX_SIDES, 0);
    /* Only there may it come from enemy control; after it, none stops it but what it enters (5.3).
     */
    bool marked = own_phase && s->unit[unit].bridge != AU_NONE, held = is_held(now, unit, from);
    fill_into(&search, marked || held);
    out->order[out->count++] = (uint16_t)from;
    if (points > 0) { spread(&search, from, held ? supplement(s, unit, LEAVE) : 0, out); }
    if (held) { fill_into(&search, marked); }
    for (unsigned cost = 1; cost <= points; cost++) {
        for (unsigned word = 0; word * 64 < out->met_count; word++) {
            for (uint64_t rest = out->due[cost][word]; rest != 0; rest &= rest - 1) {
                unsigned hex = out->met[word * 64 + au_first(rest)];
                if (out->cost[hex] != cost) { continue; }
                out->order[out->count++] = (uint16_t)hex;
                if (cost < points && !is_held(now, unit, hex)) { spread(&search, hex, cost, out); }
            }
        }
    }
}
