/* common/rules/austerlitz/after.c: exchange, retreat, chains and advance (7). */
#include <string.h>

#include "common/rules/austerlitz/au.h"

/* Sides in ascending order of the hexes that lie across them. */
static const uint8_t ascending[HEX_SIDES] = {HEX_NW, HEX_SW, HEX_N, HEX_S, HEX_NE, HEX_SE};

/* 7.2 (a), (c), (d): whether a unit pushed across that side may stand there. */
static bool may_stand(const struct state *s, const struct au_now *now, unsigned unit, unsigned d)
{
    unsigned hex = s->unit[unit].hex, to = au_next(hex, d);
    if (to == HEX_NONE) { return false; }                                          /* 7.5 */
    if ((now->control[to] >> au_other(au_side(unit)) & 1U) != 0) { return false; } /* R19 */
    return au_step_cost(s, au_type(unit), hex, d) != AU_NEVER;
}

unsigned au_free_sides(const struct state *s, const struct au_now *now, unsigned unit)
{
    unsigned sides = 0;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        if (!may_stand(s, now, unit, d)) { continue; }
        if (now->at[au_next(s->unit[unit].hex, d)] == AU_NONE) { sides |= 1U << d; }
    }
    return sides;
}

/* The friend across that side who would have to make room, AU_NONE if it is no such hex. */
static unsigned friend_at(const struct state *s, const struct au_now *now, unsigned unit,
                          unsigned d)
{
    if (!may_stand(s, now, unit, d)) { return AU_NONE; }
    unsigned other = now->at[au_next(s->unit[unit].hex, d)];
    return other != AU_NONE && au_side(other) == au_side(unit) ? other : AU_NONE;
}

/* 7.3: can the unit be displaced, without the units of seen? A search over friends that have no
 * free hex themselves; the shortest way there passes nobody twice. */
static bool can_go(const struct state *s, const struct au_now *now, unsigned unit, uint64_t seen)
{
    uint8_t queue[AU_UNITS];
    unsigned head = 0, tail = 0;
    queue[tail++] = (uint8_t)unit;
    seen |= au_bit(unit);
    while (head < tail) {
        unsigned u = queue[head++];
        if (au_free_sides(s, now, u) != 0) { return true; }
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned other = friend_at(s, now, u, d);
            if (other == AU_NONE || (seen >> other & 1U) != 0) { continue; }
            seen |= au_bit(other);
            queue[tail++] = (uint8_t)other;
        }
    }
    return false;
}

unsigned au_chain_sides(const struct state *s, const struct au_now *now, unsigned unit,
                        uint64_t seen)
{
    unsigned sides = 0;
    seen |= au_bit(unit);
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned other = friend_at(s, now, unit, d);
        if (other == AU_NONE || (seen >> other & 1U) != 0) { continue; }
        if (can_go(s, now, other, seen)) { sides |= 1U << d; }
    }
    return sides;
}

/* A walk over all ways, the free hexes before any chain, each set ascending. budget: a bound on
 * the work in crowds that no battle knows. */
struct ways {
    const struct state *s;
    const struct au_now *now;
    struct au_chain *out, path;
    unsigned count, max, budget;
};

static void find_ways(struct ways *w, unsigned unit, uint64_t seen)
{
    unsigned free = au_free_sides(w->s, w->now, unit);
    unsigned sides = free != 0 ? free : au_chain_sides(w->s, w->now, unit, seen);
    for (unsigned i = 0; i < HEX_SIDES && w->count < w->max; i++) {
        unsigned d = ascending[i];
        if ((sides >> d & 1U) == 0) { continue; }
        unsigned to = au_next(w->s->unit[unit].hex, d);
        w->path.hex[w->path.len++] = (uint16_t)to;
        if (free != 0) {
            if (w->out != NULL) { w->out[w->count] = w->path; }
            w->count++;
        } else if (w->budget > 0) {
            w->budget--;
            find_ways(w, w->now->at[to], seen | au_bit(unit));
        }
        w->path.len--;
    }
}

enum { WAYS_BUDGET = 512 };

unsigned au_count_ways(const struct state *s, const struct au_now *now, unsigned unit, unsigned max)
{
    struct ways w = {.s = s, .now = now, .max = max, .budget = WAYS_BUDGET};
    find_ways(&w, unit, 0);
    return w.count;
}

unsigned au_list_ways(const struct state *s, const struct au_now *now, unsigned unit,
                      struct au_chain *out, unsigned max)
{
    struct ways w = {.s = s, .now = now, .out = out, .max = max, .budget = WAYS_BUDGET};
    find_ways(&w, unit, 0);
    return w.count;
}

bool au_first_way(const struct state *s, const struct au_now *now, unsigned unit,
                  struct au_chain *out)
{
    return au_list_ways(s, now, unit, out, 1) == 1;
}

/* Whether the hexes of the chain are a way, step by step. */
static bool is_way(const struct state *s, const struct au_now *now, unsigned unit,
                   const struct au_chain *chain)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < chain->len; i++) {
        unsigned d = au_side_to(s->unit[unit].hex, chain->hex[i]);
        unsigned free = au_free_sides(s, now, unit);
        if (d == HEX_SIDES) { return false; }
        if (free != 0) { return (free >> d & 1U) != 0 && i + 1U == chain->len; }
        seen |= au_bit(unit);
        unsigned other = friend_at(s, now, unit, d);
        if (other == AU_NONE || (seen >> other & 1U) != 0) { return false; }
        unit = other;
    }
    return false;
}

const char *au_forbid_retreat(const struct state *s, const struct au_now *now, unsigned unit,
                              const struct au_chain *chain)
{
    bool can = can_go(s, now, unit, 0);
    if (chain->len == 0) { return can ? "7.2" : NULL; }
    if (!can) { return "7.4"; }
    if (is_way(s, now, unit, chain)) { return NULL; }
    unsigned to = chain->hex[0], there = now->at[to];
    bool friends = there != AU_NONE && there != unit && au_side(there) == au_side(unit);
    unsigned d = au_side_to(s->unit[unit].hex, to);
    bool free = d != HEX_SIDES && (au_free_sides(s, now, unit) >> d & 1U) != 0;
    return friends || free ? "7.3" : "7.2"; /* a free hex, but a chain with it */
}

/* ---- 7.6 ---- */

static unsigned sum_of(const struct state *s, uint64_t set)
{
    unsigned sum = 0;
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        sum += s->unit[au_first(rest)].potential;
    }
    return sum;
}

static bool has_none_to_spare(const struct state *s, uint64_t set, unsigned due)
{
    unsigned sum = sum_of(s, set);
    if (sum < due) { return false; }
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        if (sum - s->unit[au_first(rest)].potential >= due) { return false; }
    }
    return true;
}

/* Adds the sets that go on from set with units from list[at] on, in the order of their hexes. */
static unsigned add_sets(const struct state *s, const uint8_t *list, unsigned n, unsigned at,
                         uint64_t set, unsigned due, uint64_t out[AU_SETS_MAX], unsigned count)
{
    for (unsigned i = at; i < n; i++) {
        uint64_t larger = set | au_bit(list[i]);
        if (has_none_to_spare(s, larger, due)) {
            if (count < AU_SETS_MAX) { out[count++] = larger; }
        } else {
            count = add_sets(s, list, n, i + 1, larger, due, out, count);
        }
    }
    return count;
}

unsigned au_exchange_sets(const struct state *s, uint64_t out[AU_SETS_MAX])
{
    unsigned due = sum_of(s, s->hand.defenders);
    uint8_t list[AU_UNITS];
    if (sum_of(s, s->hand.contact) <= due) {
        out[0] = s->hand.contact;
        return 1;
    }
    unsigned n = au_list_by_hex(s, s->hand.contact, list);
    return add_sets(s, list, n, 0, 0, due, out, 0);
}

/* ---- 7.7 ---- */

/* Units of the victor that fought in contact (8.8: batteries that bombarded never advance). */
static uint64_t winners(const struct state *s)
{
    const struct au_hand *hand = &s->hand;
    unsigned victor = au_victor(s->side, hand->result);
    if (victor == AU_NOBODY || hand->contact == 0) { return 0; }
    return (victor == s->side ? hand->contact : hand->defenders) & au_army(s, victor);
}

unsigned au_advances_of(const struct state *s, const struct au_now *now, unsigned unit,
                        uint16_t out[HEX_SIDES])
{
    unsigned n = 0;
    if ((winners(s) >> unit & 1U) == 0) { return 0; }
    for (unsigned i = 0; i < s->hand.vacated_count; i++) {
        unsigned hex = s->hand.vacated[i], d = au_side_to(s->unit[unit].hex, hex);
        if (d == HEX_SIDES || now->at[hex] != AU_NONE) { continue; }
        if (au_step_cost(s, au_type(unit), s->unit[unit].hex, d) == AU_NEVER) { continue; }
        out[n++] = (uint16_t)hex;
    }
    return n;
}

bool au_can_advance(const struct state *s, const struct au_now *now)
{
    for (uint64_t rest = winners(s); rest != 0; rest &= rest - 1) {
        uint16_t to[HEX_SIDES];
        if (au_advances_of(s, now, au_first(rest), to) > 0) { return true; }
    }
    return false;
}
