/* common/rules/austerlitz/emit.c: see emit.h. */
#include "common/rules/austerlitz/emit.h"

#include <stdio.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"

enum { GROUPS_MAX = 4 };
#define VIEWER_BIT(viewer) (UINT32_C(1) << (viewer))

/* Viewers that are told the same, and one of them to write it for. */
struct group {
    uint32_t viewers;
    unsigned viewer;
};

static const uint32_t everybody = VIEWER_BIT(AU_FRENCH) | VIEWER_BIT(AU_ALLIED) |
                                  VIEWER_BIT(VIEWER_PUBLIC) | VIEWER_BIT(VIEWER_ALL);

/* sides: bit per side of which units are named. */
static unsigned make_groups(const struct state *s, unsigned sides, struct group out[GROUPS_MAX])
{
    if (s->semi_blind == 0 || sides == 0) {
        out[0] = (struct group){everybody, VIEWER_ALL};
        return 1;
    }
    if (sides == 3) {
        static const unsigned viewers[GROUPS_MAX] = {AU_FRENCH, AU_ALLIED, VIEWER_PUBLIC,
                                                     VIEWER_ALL};
        for (unsigned i = 0; i < GROUPS_MAX; i++) {
            out[i] = (struct group){VIEWER_BIT(viewers[i]), viewers[i]};
        }
        return GROUPS_MAX;
    }
    unsigned owner = sides == 1 ? AU_FRENCH : AU_ALLIED, other = au_other(owner);
    out[0] = (struct group){VIEWER_BIT(owner) | VIEWER_BIT(VIEWER_ALL), owner};
    out[1] = (struct group){VIEWER_BIT(other) | VIEWER_BIT(VIEWER_PUBLIC), other};
    return 2;
}

/* 15.6: what moves a marker tells those who may not know the units of that side. */
static void reveal_to_others(const struct state *s, struct events *events, unsigned side)
{
    if (s->semi_blind == 0) { return; }
    events_reveal(events, VIEWER_BIT(au_other(side)) | VIEWER_BIT(VIEWER_PUBLIC));
    events_seal(events); /* what was told is not taken back */
}

static void reveal_to_all(const struct state *s, struct events *events)
{
    if (s->semi_blind == 0) { return; }
    events_reveal(events, everybody & ~VIEWER_BIT(VIEWER_ALL));
    events_seal(events);
}

static void write_hex(struct buf *out, unsigned hex)
{
    char text[HEX_TEXT];
    hex_text(&au_grid, hex, text);
    jw_str(out, text);
}

static void key_hex(struct buf *out, const char *name, unsigned hex)
{
    jw_key(out, name);
    write_hex(out, hex);
}

static unsigned sides_of(const struct au_refs *refs)
{
    unsigned sides = 0;
    for (unsigned i = 0; i < refs->n; i++) {
        sides |= 1U << au_side(refs->ref[i].unit);
    }
    return sides;
}

void au_make_refs(const struct state *s, uint64_t set, struct au_refs *out)
{
    uint8_t list[AU_UNITS];
    out->n = au_list_by_hex(s, set, list);
    for (unsigned i = 0; i < out->n; i++) {
        out->ref[i] = (struct au_ref){s->unit[list[i]].hex, list[i]};
    }
}

void au_write_ref(const struct state *s, unsigned viewer, struct au_ref ref, struct buf *out)
{
    unsigned side = au_side(ref.unit);
    if (au_knows(s, viewer, side)) {
        jw_str(out, au_unit_facts[ref.unit].id);
        return;
    }
    jw_object_begin(out);
    jw_key_str(out, "side", au_side_ids[side]);
    jw_key_str(out, "type", au_type_ids[au_type(ref.unit)]);
    key_hex(out, "hex", ref.hex);
    jw_object_end(out);
}

void au_write_refs(const struct state *s, unsigned viewer, const char *name,
                   const struct au_refs *refs, struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < refs->n; i++) {
        au_write_ref(s, viewer, refs->ref[i], out);
    }
    jw_array_end(out);
}

void au_write_track(const struct state *s, unsigned side, struct buf *out)
{
    jw_key_int(out, "P", au_sum_of(s, side, AU_ELIMINATED));
    if (s->demoralised == AU_NOBODY || s->demoralised == side) {
        jw_key_int(out, "D", (int64_t)au_tables.threshold[side] - au_sum_of(s, side, AU_WITHDRAWN));
    }
}

static void write_list(const struct state *s, unsigned viewer, const char *name, uint64_t set,
                       struct buf *out)
{
    struct au_refs refs;
    if (set == 0) { return; }
    au_make_refs(s, set, &refs);
    au_write_refs(s, viewer, name, &refs, out);
}

void au_write_entry(const struct state *s, unsigned viewer, const struct au_entry *entry,
                    struct buf *out)
{
    jw_object_begin(out);
    if (entry->ice_hex != HEX_NONE) {
        unsigned unit = au_first(entry->bombard);
        jw_key(out, "artillery");
        au_write_ref(s, viewer, (struct au_ref){s->unit[unit].hex, (uint8_t)unit}, out);
        key_hex(out, "hex", entry->ice_hex);
    } else {
        write_list(s, viewer, "contact", entry->contact, out);
        write_list(s, viewer, "bombard", entry->bombard, out);
        write_list(s, viewer, "defenders", entry->defenders, out);
    }
    jw_object_end(out);
}

/* ---- events that name one unit ---- */

/* An event on its way to each group in turn. */
struct telling {
    struct events *events;
    const char *ev;
    struct group group[GROUPS_MAX];
    unsigned n, at, viewer;
    struct buf *out;
};

/* sides: as of make_groups. */
static struct telling tell(const struct state *s, struct events *events, const char *ev,
                           unsigned sides)
{
    struct telling t = {.events = events, .ev = ev};
    t.n = make_groups(s, sides, t.group);
    return t;
}

/* Ends the event of the last group and begins that of the next; false: all have been told. */
static bool tell_next(struct telling *t)
{
    if (t->out != NULL) {
        jw_object_end(t->out);
        events_end(t->events);
    }
    if (t->at == t->n) { return false; }
    const struct group *group = &t->group[t->at++];
    t->viewer = group->viewer;
    t->out = events_begin(t->events, group->viewers);
    jw_object_begin(t->out);
    jw_key_str(t->out, "ev", t->ev);
    return true;
}

static unsigned side_bit(struct au_ref ref)
{
    return 1U << au_side(ref.unit);
}

static void key_ref(const struct state *s, unsigned viewer, struct au_ref ref, struct buf *out)
{
    jw_key(out, "unit");
    au_write_ref(s, viewer, ref, out);
}

void au_tell_moved(const struct state *s, struct events *events, struct au_ref unit,
                   const struct au_way *way)
{
    struct telling t = tell(s, events, "moved", side_bit(unit));
    while (tell_next(&t)) {
        key_ref(s, t.viewer, unit, t.out);
        key_hex(t.out, "from", unit.hex);
        jw_key_array(t.out, "path");
        for (unsigned i = 0; i < way->len; i++) {
            write_hex(t.out, way->hex[i]);
        }
        jw_array_end(t.out);
        if (way->edge != AU_EDGES) { jw_key_str(t.out, "exit_edge", au_edge_ids[way->edge]); }
    }
}

void au_tell_left(const struct state *s, struct events *events, struct au_ref unit, unsigned box)
{
    if (box != AU_VIENNA) { reveal_to_others(s, events, au_side(unit.unit)); }
    struct telling t = tell(s, events, "left_map", side_bit(unit));
    while (tell_next(&t)) {
        key_ref(s, t.viewer, unit, t.out);
        jw_key_str(t.out, "side", au_side_ids[au_side(unit.unit)]);
        jw_key_str(t.out, "box", au_place_ids[box]);
        au_write_track(s, au_side(unit.unit), t.out);
    }
}

void au_tell_bridge(const struct state *s, struct events *events, unsigned unit, unsigned bridge)
{
    struct au_ref ref = {s->unit[unit].hex, (uint8_t)unit};
    struct telling t = tell(s, events, "bridge_destroyed", side_bit(ref));
    while (tell_next(&t)) {
        key_ref(s, t.viewer, ref, t.out);
        jw_key_str(t.out, "bridge", au_bridges[bridge].id);
    }
}

void au_tell_step(const struct state *s, struct events *events, const char *ev, struct au_ref unit,
                  unsigned to)
{
    struct telling t = tell(s, events, ev, side_bit(unit));
    while (tell_next(&t)) {
        key_ref(s, t.viewer, unit, t.out);
        key_hex(t.out, "from", unit.hex);
        key_hex(t.out, "to", to);
    }
}

void au_tell_stayed(const struct state *s, struct events *events, unsigned unit)
{
    struct au_ref ref = {s->unit[unit].hex, (uint8_t)unit};
    struct telling t = tell(s, events, "stayed", side_bit(ref));
    while (tell_next(&t)) {
        key_ref(s, t.viewer, ref, t.out);
    }
}

/* ---- events of combat ---- */

static void key_number(struct buf *out, unsigned number)
{
    char name[12];
    (void)snprintf(name, sizeof name, "%u", number);
    jw_key(out, name);
}

void au_tell_declared(const struct state *s, struct events *events)
{
    struct telling t = tell(s, events, "declared", s->plan_count == 0 ? 0 : 3);
    while (tell_next(&t)) {
        jw_key_object(t.out, "plan");
        for (unsigned i = 0; i < s->plan_count; i++) {
            key_number(t.out, i + 1);
            au_write_entry(s, t.viewer, &s->plan[i], t.out);
        }
        jw_object_end(t.out);
    }
}

void au_tell_dropped(const struct state *s, struct events *events, unsigned index, uint64_t dropped)
{
    struct au_refs refs;
    au_make_refs(s, dropped, &refs);
    struct telling t = tell(s, events, "dropped", sides_of(&refs));
    while (tell_next(&t)) {
        jw_key_int(t.out, "index", index);
        au_write_refs(s, t.viewer, "units", &refs, t.out);
    }
}

void au_tell_index(const struct state *s, struct events *events, const char *ev, unsigned index)
{
    struct telling t = tell(s, events, ev, 0);
    while (tell_next(&t)) {
        jw_key_int(t.out, "index", index);
    }
}

/* 15.4. */
void au_tell_reveal(const struct state *s, struct events *events, unsigned index, uint64_t units)
{
    struct au_refs refs;
    au_make_refs(s, units, &refs);
    reveal_to_all(s, events);
    struct telling t = tell(s, events, "reveal", 0);
    while (tell_next(&t)) {
        jw_key_int(t.out, "index", index);
        jw_key_array(t.out, "units");
        for (unsigned i = 0; i < refs.n; i++) {
            const struct au_unit_fact *fact = &au_unit_facts[refs.ref[i].unit];
            jw_object_begin(t.out);
            key_hex(t.out, "hex", refs.ref[i].hex);
            jw_key_str(t.out, "id", fact->id);
            jw_key_str(t.out, "name", fact->name);
            jw_key_int(t.out, "potential", s->unit[refs.ref[i].unit].potential);
            jw_object_end(t.out);
        }
        jw_array_end(t.out);
    }
}

void au_tell_rolled(const struct state *s, struct events *events, const struct au_roll *roll)
{
    reveal_to_all(s, events);
    struct telling t = tell(s, events, "rolled", 0);
    while (tell_next(&t)) {
        jw_key_int(t.out, "index", roll->index);
        jw_key_int(t.out, "attack", roll->attack);
        jw_key_int(t.out, "defence", roll->defence);
        jw_key_str(t.out, "odds", au_row_ids[roll->odds]);
        jw_key_str(t.out, "row", au_row_ids[roll->row]);
        jw_key_int(t.out, "die", roll->die);
        jw_key_int(t.out, "modifier", roll->modifier);
        jw_key_int(t.out, "final_die", roll->final_die);
        jw_key_str(t.out, "result", au_result_ids[roll->result]);
    }
}

void au_tell_ice(const struct state *s, struct events *events, unsigned index, unsigned hex)
{
    struct telling t = tell(s, events, "ice_broken", 0);
    while (tell_next(&t)) {
        jw_key_int(t.out, "index", index);
        key_hex(t.out, "hex", hex);
    }
}

void au_tell_eliminated(const struct state *s, struct events *events, unsigned side,
                        const struct au_refs *units)
{
    reveal_to_others(s, events, side);
    struct telling t = tell(s, events, "eliminated", sides_of(units));
    while (tell_next(&t)) {
        jw_key_str(t.out, "side", au_side_ids[side]);
        au_write_refs(s, t.viewer, "units", units, t.out);
        jw_key_int(t.out, "P", au_sum_of(s, side, AU_ELIMINATED));
    }
}

void au_tell_demoralised(const struct state *s, struct events *events)
{
    reveal_to_others(s, events, s->demoralised);
    struct telling t = tell(s, events, "demoralised", 0);
    while (tell_next(&t)) {
        jw_key_str(t.out, "side", au_side_ids[s->demoralised]);
    }
}

/* ---- the course of play ---- */

void au_tell_turn(const struct state *s, struct events *events)
{
    struct telling t = tell(s, events, "turn", 0);
    while (tell_next(&t)) {
        jw_key_int(t.out, "turn", s->turn);
    }
}

void au_tell_phase(const struct state *s, struct events *events)
{
    struct telling t = tell(s, events, "phase", 0);
    while (tell_next(&t)) {
        jw_key_str(t.out, "state", au_step_ids[s->step]);
        jw_key_str(t.out, "side", au_side_ids[s->side]);
    }
}

static const char *name_of(unsigned side)
{
    return side < AU_SIDES ? au_side_ids[side] : "none";
}

void au_tell_over(const struct state *s, struct events *events)
{
    struct au_score score;
    struct au_refs refs;
    au_score(s, &score);
    au_make_refs(s, score.encircled, &refs);
    reveal_to_all(s, events);
    struct telling t = tell(s, events, "over", 0);
    while (tell_next(&t)) {
        for (unsigned side = 0; side < AU_SIDES; side++) {
            jw_key_object(t.out, au_side_ids[side]);
            jw_key_int(t.out, "losses", score.losses[side]);
            jw_key_int(t.out, "points", score.points[side]);
            jw_object_end(t.out);
        }
        jw_key_str(t.out, "winner", name_of(score.winner));
        jw_key_str(t.out, "degree", au_tables.degree[score.degree]);
        jw_key_array(t.out, "encircled");
        for (unsigned i = 0; i < refs.n; i++) {
            write_hex(t.out, refs.ref[i].hex);
        }
        jw_array_end(t.out);
        if (s->resigned != AU_NOBODY) { jw_key_str(t.out, "resigned", au_side_ids[s->resigned]); }
        if (s->agreed != 0) { jw_key_bool(t.out, "agreed", true); }
    }
}
