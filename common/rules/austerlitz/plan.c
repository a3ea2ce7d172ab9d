/* common/rules/austerlitz/plan.c: what may and what must be declared (6.1 to 6.3, 8, 10.2). */
#include <string.h>

#include "common/rules/austerlitz/au.h"

/* ---- artillery ---- */

/* 8.5: whether a trajectory is stopped on its way. */
static bool is_blocked(const struct hex_path *path)
{
    unsigned first = path->hex[0], last = path->hex[path->len - 1];
    bool high = ((au_hexes[first].flags | au_hexes[last].flags) & AU_HEIGHT) != 0;
    for (unsigned i = 0; i + 1 < path->len; i++) {
        unsigned side = au_side_to(path->hex[i], path->hex[i + 1]);
        if (au_hexes[path->hex[i]].side[side] == AU_ESCARPMENT) { return true; }
        if (i == 0) { continue; }
        const struct au_hex *hex = &au_hexes[path->hex[i]];
        if (hex->terrain == AU_FOREST || hex->terrain == AU_VILLAGE) { return true; }
        if ((hex->flags & AU_HEIGHT) != 0 && !high) { return true; }
    }
    return false;
}

const char *au_forbid_shot(const struct state *s, unsigned unit, unsigned hex, unsigned min,
                           struct au_shot *out)
{
    unsigned from = s->unit[unit].hex;
    out->count = 0;
    out->free = 0;
    out->distance = (uint8_t)hex_distance(&au_grid, from, hex);
    if (au_type(unit) != AU_ARTILLERY) { return "8.1"; }
    if (au_is_helpless(s, unit)) { return "8.2"; }
    if (s->unit[unit].bridge != AU_NONE) { return "10.4"; }
    if (au_is_blind(s)) { return "11.3"; }
    bool high = (au_hexes[from].flags & AU_HEIGHT) != 0;
    unsigned range = high ? au_tables.range_height : au_tables.range;
    if (out->distance < min || out->distance > range) { return "8.3"; }
    unsigned max = sizeof out->path / sizeof out->path[0];
    unsigned n = hex_trajectories(&au_grid, from, hex, out->path, max);
    out->count = (uint8_t)(n < max ? n : max);
    for (unsigned i = 0; i < out->count; i++) {
        if (!is_blocked(&out->path[i])) { out->free |= (uint8_t)(1U << i); }
    }
    return out->free != 0 ? NULL : "8.5";
}

static bool can_shoot(const struct state *s, unsigned unit, unsigned hex, unsigned min)
{
    struct au_shot shot;
    return au_forbid_shot(s, unit, hex, min, &shot) == NULL;
}

/* 10.2. */
const char *au_forbid_ice_hex(const struct state *s, const struct au_now *now, unsigned side,
                              unsigned hex)
{
    if (!au_is_ice(s, hex)) { return "10.2"; }
    bool friend = now->at[hex] != AU_NONE && au_side(now->at[hex]) == side;
    return friend ? "10.2" : NULL;
}

/* ---- one entry ---- */

static bool is_adjacent_to_all(const struct state *s, unsigned unit, uint64_t others)
{
    for (uint64_t rest = others; rest != 0; rest &= rest - 1) {
        if (au_side_to(s->unit[unit].hex, s->unit[au_first(rest)].hex) == HEX_SIDES) {
            return false;
        }
    }
    return true;
}

static const char *forbid_ice_shot(const struct state *s, const struct au_now *now,
                                   unsigned attacker, const struct au_entry *entry)
{
    struct au_shot shot;
    unsigned unit = au_first(entry->bombard);
    if ((entry->bombard & ~au_army(s, attacker)) != 0) { return "6.3"; }
    if (au_type(unit) != AU_ARTILLERY) { return "8.1"; }
    const char *rule = au_forbid_ice_hex(s, now, attacker, entry->ice_hex);
    return rule != NULL ? rule : au_forbid_shot(s, unit, entry->ice_hex, 1, &shot);
}

const char *au_forbid_entry(const struct state *s, const struct au_now *now, unsigned attacker,
                            const struct au_entry *entry)
{
    if (entry->ice_hex != HEX_NONE) { return forbid_ice_shot(s, now, attacker, entry); }
    uint64_t own = au_army(s, attacker), enemy = au_army(s, au_other(attacker));
    if ((entry->contact | entry->bombard) == 0 || entry->defenders == 0) { return "6.3"; }
    if (((entry->contact | entry->bombard) & ~own) != 0 || (entry->defenders & ~enemy) != 0) {
        return "6.3";
    }
    for (uint64_t rest = entry->contact; rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        if (au_is_helpless(s, u)) { return "8.2"; }
        if (!au_may_attack(s, u)) { return "10.4"; }
        if (!is_adjacent_to_all(s, u, entry->defenders)) { return "6.3"; }
    }
    if (entry->bombard == 0) { return NULL; }
    if (au_count(entry->defenders) != 1) { return "6.3"; }
    unsigned target = s->unit[au_first(entry->defenders)].hex;
    for (uint64_t rest = entry->bombard; rest != 0; rest &= rest - 1) {
        struct au_shot shot;
        const char *rule = au_forbid_shot(s, au_first(rest), target, au_tables.range_min, &shot);
        if (rule != NULL) { return rule; }
    }
    return NULL;
}

/* ---- the whole plan ---- */

uint64_t au_pairs(const struct state *s, const struct au_now *now, unsigned unit)
{
    uint64_t found = 0;
    unsigned hex = s->unit[unit].hex;
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = au_next(hex, d);
        if (to == HEX_NONE || now->at[to] == AU_NONE) { continue; }
        unsigned other = now->at[to];
        if (au_side(other) != au_side(unit) && au_mutual(s, unit, other)) {
            found |= au_bit(other);
        }
    }
    return found;
}

/* The units an entry makes fight; an ice shot counts the unit in its hex (10.2). */
static uint64_t units_of(const struct au_now *now, const struct au_entry *entry)
{
    uint64_t units = entry->contact | entry->bombard | entry->defenders;
    if (entry->ice_hex != HEX_NONE && now->at[entry->ice_hex] != AU_NONE) {
        units |= au_bit(now->at[entry->ice_hex]);
    }
    return units;
}

/* 8.4, R14: a battery in mutual control does not bombard over its enemy's head. */
static bool shoots_away(const struct state *s, const struct au_now *now,
                        const struct au_entry *entry)
{
    for (uint64_t rest = entry->bombard; rest != 0; rest &= rest - 1) {
        uint64_t pairs = au_pairs(s, now, au_first(rest));
        if (pairs == 0) { continue; }
        unsigned there = entry->ice_hex != HEX_NONE ? now->at[entry->ice_hex] : AU_NONE;
        if (there == AU_NONE || (pairs >> there & 1U) == 0) { return true; }
    }
    return false;
}

const char *au_forbid_plan(const struct state *s, const struct au_now *now, unsigned attacker,
                           const struct au_entry *plan, unsigned count)
{
    uint64_t fights = 0;
    bool twice = false;
    for (unsigned i = 0; i < count; i++) {
        const char *rule = au_forbid_entry(s, now, attacker, &plan[i]);
        if (rule != NULL) { return rule; }
        uint64_t contact = plan[i].contact & plan[i].bombard;
        twice = twice || contact != 0 || (fights & units_of(now, &plan[i])) != 0;
        fights |= units_of(now, &plan[i]);
    }
    if (twice) { return "6.3"; }
    for (unsigned i = 0; i < count; i++) {
        if (shoots_away(s, now, &plan[i])) { return "8.4"; }
    }
    for (uint64_t rest = au_army(s, attacker); rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        if (!au_may_attack(s, u)) { continue; }
        uint64_t pairs = au_pairs(s, now, u);
        bool owes = pairs != 0 && ((pairs | au_bit(u)) & ~fights) != 0;
        if (owes) { return "6.2"; }
    }
    return NULL;
}

static bool can_bombard_any(const struct state *s, const struct au_now *now, unsigned unit)
{
    if (au_type(unit) != AU_ARTILLERY || au_is_blind(s)) { return false; }
    uint64_t enemy = au_army(s, au_other(au_side(unit)));
    for (uint64_t rest = enemy; rest != 0; rest &= rest - 1) {
        if (can_shoot(s, unit, s->unit[au_first(rest)].hex, au_tables.range_min)) { return true; }
    }
    for (unsigned i = 0; i < au_pond_count; i++) {
        unsigned hex = au_ponds[i];
        if (au_forbid_ice_hex(s, now, au_side(unit), hex) == NULL && can_shoot(s, unit, hex, 1)) {
            return true;
        }
    }
    return false;
}

bool au_can_declare(const struct state *s, const struct au_now *now, unsigned attacker)
{
    for (uint64_t rest = au_army(s, attacker); rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        if (!au_may_attack(s, u)) { continue; }
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned to = au_next(s->unit[u].hex, d);
            if (to != HEX_NONE && now->at[to] != AU_NONE && au_side(now->at[to]) != attacker) {
                return true;
            }
        }
        if (can_bombard_any(s, now, u)) { return true; }
    }
    return false;
}

/* ---- the least plan (R7) ---- */

/* Mutual control as a graph: attackers and defenders in the order of their hexes. */
enum { JOINED = 254 };
struct graph {
    uint8_t unit[2][AU_UNITS];
    unsigned n[2];
    uint64_t edge[AU_UNITS]; /* of attacker i: bit per defender */
    uint8_t mate[AU_UNITS];  /* of defender j: its attacker, AU_NONE */
};

/* An augmenting path from attacker i (Kuhn). */
static bool augment(struct graph *g, unsigned i, uint64_t *seen)
{
    for (unsigned j = 0; j < g->n[1]; j++) {
        if ((g->edge[i] >> j & 1U) == 0 || (*seen >> j & 1U) != 0) { continue; }
        *seen |= UINT64_C(1) << j;
        if (g->mate[j] == AU_NONE || augment(g, g->mate[j], seen)) {
            g->mate[j] = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static void make_graph(const struct state *s, const struct au_now *now, unsigned attacker,
                       struct graph *g)
{
    uint64_t sets[2] = {0, 0}, pairs[AU_UNITS];
    memset(g, 0, sizeof *g);
    memset(g->mate, AU_NONE, sizeof g->mate);
    for (uint64_t rest = au_army(s, attacker); rest != 0; rest &= rest - 1) {
        unsigned u = au_first(rest);
        pairs[u] = au_may_attack(s, u) ? au_pairs(s, now, u) : 0;
        if (pairs[u] != 0) { sets[0] |= au_bit(u); }
        sets[1] |= pairs[u];
    }
    for (unsigned k = 0; k < 2; k++) {
        g->n[k] = au_list_by_hex(s, sets[k], g->unit[k]);
    }
    for (unsigned i = 0; i < g->n[0]; i++) {
        for (unsigned j = 0; j < g->n[1]; j++) {
            bool edge = (pairs[g->unit[0][i]] >> g->unit[1][j] & 1U) != 0;
            if (edge) { g->edge[i] |= UINT64_C(1) << j; }
        }
    }
}

/* A greatest matching, and everybody else joined to a pair: since no path could be lengthened, no
 * pair gets company at both ends, so each entry is one against several or several against one. */
unsigned au_least_plan(const struct state *s, const struct au_now *now, unsigned attacker,
                       struct au_entry out[AU_PLAN_MAX])
{
    struct graph g;
    unsigned count = 0;
    uint8_t entry_of[2][AU_UNITS]; /* of matched ones; JOINED: in somebody else's */
    make_graph(s, now, attacker, &g);
    for (unsigned i = 0; i < g.n[0]; i++) {
        uint64_t seen = 0;
        (void)augment(&g, i, &seen);
    }
    memset(entry_of, AU_NONE, sizeof entry_of);
    for (unsigned j = 0; j < g.n[1]; j++) {
        if (g.mate[j] == AU_NONE) { continue; }
        memset(&out[count], 0, sizeof out[count]);
        out[count].ice_hex = HEX_NONE;
        out[count].contact = au_bit(g.unit[0][g.mate[j]]);
        out[count].defenders = au_bit(g.unit[1][j]);
        entry_of[0][g.mate[j]] = entry_of[1][j] = (uint8_t)count++;
    }
    unsigned pairs = count;
    for (unsigned i = 0; i < g.n[0]; i++) {
        for (unsigned j = 0; j < g.n[1]; j++) {
            bool edge = (g.edge[i] >> j & 1U) != 0;
            if (!edge || (entry_of[0][i] == AU_NONE) == (entry_of[1][j] == AU_NONE)) { continue; }
            if (entry_of[0][i] == AU_NONE && entry_of[1][j] < pairs) {
                out[entry_of[1][j]].contact |= au_bit(g.unit[0][i]);
                entry_of[0][i] = JOINED;
            } else if (entry_of[1][j] == AU_NONE && entry_of[0][i] < pairs) {
                out[entry_of[0][i]].defenders |= au_bit(g.unit[1][j]);
                entry_of[1][j] = JOINED;
            }
        }
    }
    return count;
}
