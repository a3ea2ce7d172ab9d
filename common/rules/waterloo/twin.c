/* common/rules/waterloo/twin.c: another state that one viewer cannot tell from this one (DESIGN
 * section 4). */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/wl.h"

/* W20.1: the viewer knows the unit by id: its side's secrets are his, or it is turned up, or out of
 * the game (the last also where he has not been told yet: its name is bound to what he will be). */
static bool is_known(const struct state *s, unsigned viewer, unsigned u)
{
    const struct wl_unit *unit = &s->unit[u];
    if ((wl_own_viewers(s, wl_side(u)) >> viewer & 1U) != 0 || unit->gone != WL_ON_MAP) {
        return true;
    }
    if (unit->place == WL_ROUTED) { return unit->revealed != 0; }
    return s->step == WL_COMBAT && (unit->place == WL_COL || unit->place == WL_ADV);
}

/* What the piece has done or will do this turn that only a unit of its own speed could. */
static bool is_bound_to_speed(const struct wl_unit *unit)
{
    static const struct wl_told nothing;
    return unit->route.len != 0 || unit->marched != 0 ||
           memcmp(&unit->told, &nothing, sizeof nothing) != 0;
}

/* What stands under the name of u could stand under the name of v: a piece keeps its CV, and what
 * it has done must have been possible for what it is now. */
static bool may_be(const struct state *s, unsigned u, unsigned v)
{
    const struct wl_unit *piece = &s->unit[u];
    if (piece->cv > wl_unit_facts[v].cv) { return false; }
    if (is_bound_to_speed(piece) && wl_is_mounted(u) != wl_is_mounted(v)) { return false; }
    bool acted = piece->fired != 0 || piece->moves != 0 || piece->square != 0;
    return !acted || wl_type(u) == wl_type(v);
}

static void swap(struct state *s, uint8_t piece[WL_UNITS], unsigned u, unsigned v)
{
    struct wl_unit unit = s->unit[u];
    s->unit[u] = s->unit[v];
    s->unit[v] = unit;
    uint8_t town = s->seen_town[u];
    s->seen_town[u] = s->seen_town[v];
    s->seen_town[v] = town;
    uint64_t differ = (s->seen_marked >> u ^ s->seen_marked >> v) & 1U;
    s->seen_marked ^= differ << u | differ << v;
    uint8_t name = piece[u];
    piece[u] = piece[v];
    piece[v] = name;
}

/* A piece that has nothing pending that its strength decides may be of any strength (W1.7). */
static void draw_strength(struct state *s, unsigned u, struct dice *dice)
{
    struct wl_unit *unit = &s->unit[u];
    bool pending =
        unit->route.len != 0 || s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS || s->slot == 0;
    if (pending || dice_draw(dice, LANE_MASK, 3) != 0) { return; }
    unit->cv = (uint8_t)(1 + dice_draw(dice, LANE_MASK, wl_unit_facts[u].cv));
}

/* R74: in which order unforced marches were drafted, or stand in an answer, shows nothing. Those of
 * one list (all drafts; one answer) change places in it; forced ones keep theirs, for their dice.
 */
static void draw_order(struct state *s, unsigned viewer, struct dice *dice)
{
    for (unsigned u = 0; u < WL_UNITS; u++) {
        uint8_t list[WL_UNITS];
        unsigned n = 0;
        for (unsigned v = u; v < WL_UNITS; v++) {
            const struct wl_unit *one = &s->unit[u], *other = &s->unit[v];
            bool drafts = other->route.len != 0 && other->route.forced == 0 &&
                          one->route.len != 0 && one->route.forced == 0;
            bool together = wl_side(u) == wl_side(v) &&
                            (s->step == WL_MOVE ||
                             (one->town == other->town && wl_seat_of_nation(s, wl_nation(u)) ==
                                                              wl_seat_of_nation(s, wl_nation(v))));
            if (drafts && together && !is_known(s, viewer, v)) { list[n++] = (uint8_t)v; }
        }
        if (n < 2 || list[0] != u) { continue; }
        struct wl_unit *a = &s->unit[u], *b = &s->unit[list[dice_draw(dice, LANE_MASK, n)]];
        uint16_t order = a->route.order;
        a->route.order = b->route.order;
        b->route.order = order;
    }
}

/* W4.15: what an attacker stated of pursuit is his own until it is used, in a town where nobody has
 * answered yet. */
static void draw_pursuit(struct state *s, unsigned viewer, struct dice *dice)
{
    unsigned attacker = wl_phasing(s);
    bool response = s->step == WL_RESPOND || s->step == WL_PURSUIT_LOSS;
    if (!response || (wl_own_viewers(s, attacker) >> viewer & 1U) != 0) { return; }
    for (unsigned t = 0; t < wl_board(s)->map.towns; t++) {
        if (s->fight[t].phase != WL_ATTACKED || s->fight[t].answers != 0) { continue; }
        uint32_t seats = 0;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            bool attacks = s->unit[u].town == t && wl_side(u) == attacker;
            if (attacks) { seats |= UINT32_C(1) << wl_seat_of_nation(s, wl_nation(u)); }
        }
        for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
            bool other = (seats >> seat & 1U) != 0 && dice_draw(dice, LANE_MASK, 2) != 0;
            if (other) { s->fight[t].no_pursuit ^= (uint8_t)(1U << seat); }
        }
    }
}

/* Hidden pieces of a nation change names with each other, wherever they stand: counts by town,
 * marks, drafts, reserves and deployments stay where they are, under other names. */
void wl_twin(const struct state *s, unsigned viewer, struct dice *dice, struct state *out_twin,
             struct buf *out_names)
{
    struct state twin = *s;
    uint8_t piece[WL_UNITS]; /* whose piece of s stands here under this name */
    for (unsigned u = 0; u < WL_UNITS; u++) {
        piece[u] = (uint8_t)u;
    }
    for (unsigned n = 0; n < WL_NATIONS; n++) {
        uint8_t hidden[WL_UNITS];
        unsigned count = 0;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_nation(u) == n && !is_known(s, viewer, u)) { hidden[count++] = (uint8_t)u; }
        }
        for (unsigned i = 2 * count; i > 1; i--) {
            unsigned u = hidden[i % count], v = hidden[dice_draw(dice, LANE_MASK, count)];
            if (u != v && may_be(&twin, u, v) && may_be(&twin, v, u)) { swap(&twin, piece, u, v); }
        }
        for (unsigned i = 0; i < count; i++) {
            draw_strength(&twin, hidden[i], dice);
        }
    }
    draw_order(&twin, viewer, dice);
    draw_pursuit(&twin, viewer, dice);
    const char *names[WL_UNITS];
    memset(names, 0, sizeof names);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        names[piece[u]] = wl_unit_facts[u].id;
    }
    jw_object_begin(out_names);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        if (names[u] != wl_unit_facts[u].id) {
            jw_key_str(out_names, wl_unit_facts[u].id, names[u]);
        }
    }
    jw_object_end(out_names);
    *out_twin = twin;
}
