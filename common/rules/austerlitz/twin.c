/* common/rules/austerlitz/twin.c: another state that a viewer must not be able to tell from this
 * one (15). */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/austerlitz/offers.h"

/* Boxes whose sums the tracks show (15.6); the map and the Vienna box show none. */
static unsigned track_of(const struct state *s, unsigned unit)
{
    unsigned place = s->unit[unit].place;
    return place == AU_ELIMINATED || place == AU_WITHDRAWN ? place : AU_ON_MAP;
}

static uint64_t swap_bits(uint64_t set, unsigned u, unsigned v)
{
    uint64_t differ = (set >> u ^ set >> v) & 1U;
    return set ^ (differ << u | differ << v);
}

/* The counters u and v change places, whatever they do there; what is printed on them stays. */
static void swap_counters(struct state *s, uint8_t piece[AU_UNITS], unsigned u, unsigned v)
{
    struct au_unit unit = s->unit[u];
    s->unit[u] = s->unit[v];
    s->unit[v] = unit;
    if (s->dealt == 0) {
        s->unit[u].potential = au_unit_facts[u].combat;
        s->unit[v].potential = au_unit_facts[v].combat;
    }
    for (unsigned i = 0; i < s->plan_count; i++) {
        s->plan[i].contact = swap_bits(s->plan[i].contact, u, v);
        s->plan[i].bombard = swap_bits(s->plan[i].bombard, u, v);
        s->plan[i].defenders = swap_bits(s->plan[i].defenders, u, v);
    }
    s->hand.contact = swap_bits(s->hand.contact, u, v);
    s->hand.bombard = swap_bits(s->hand.bombard, u, v);
    s->hand.defenders = swap_bits(s->hand.defenders, u, v);
    uint8_t name = piece[u];
    piece[u] = piece[v];
    piece[v] = name;
}

/* Hidden counters of an army and type change places with each other, so that no marker moves; with
 * dealt strengths the potentials do, too. */
static void mix(struct state *s, const uint8_t *hidden, unsigned n, struct dice *dice,
                uint8_t piece[AU_UNITS])
{
    for (unsigned i = 3 * n; i > 1; i--) {
        unsigned u = hidden[i % n], v = hidden[dice_draw(dice, LANE_MASK, n)];
        bool same = track_of(s, u) == track_of(s, v) || s->dealt != 0 ||
                    s->unit[u].potential == s->unit[v].potential;
        if (u != v && same) { swap_counters(s, piece, u, v); }
    }
    for (unsigned i = 3 * n; i > 1 && s->dealt != 0; i--) {
        unsigned u = hidden[i % n], v = hidden[dice_draw(dice, LANE_MASK, n)];
        if (track_of(s, u) != track_of(s, v)) { continue; }
        uint8_t potential = s->unit[u].potential;
        s->unit[u].potential = s->unit[v].potential;
        s->unit[v].potential = potential;
    }
}

void au_twin(const struct state *s, unsigned viewer, struct dice *dice, struct state *out_twin,
             struct buf *out_names)
{
    struct state twin = *s;
    uint8_t piece[AU_UNITS]; /* whose counter of s stands here under this name */
    const char *names[AU_UNITS];
    uint64_t shown = au_revealed(s);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        piece[u] = (uint8_t)u;
    }
    for (unsigned side = 0; side < AU_SIDES; side++) {
        for (unsigned type = 0; type < AU_TYPES && !au_knows(s, viewer, side); type++) {
            uint8_t hidden[AU_UNITS];
            unsigned n = 0;
            for (unsigned u = 0; u < AU_UNITS; u++) {
                bool one = au_side(u) == side && au_type(u) == type &&
                           s->unit[u].place != AU_ASIDE && (shown >> u & 1U) == 0;
                if (one) { hidden[n++] = (uint8_t)u; }
            }
            if (n > 1) { mix(&twin, hidden, n, dice, piece); }
        }
    }
    for (unsigned u = 0; u < AU_UNITS; u++) {
        names[piece[u]] = au_unit_facts[u].id;
    }
    jw_object_begin(out_names);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        if (names[u] != au_unit_facts[u].id) {
            jw_key_str(out_names, au_unit_facts[u].id, names[u]);
        }
    }
    jw_object_end(out_names);
    *out_twin = twin;
}
