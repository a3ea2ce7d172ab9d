/* common/rules/austerlitz/emit.h: the events of a line (position.md, section 3), each written once
 * for every group of viewers that is told the same. */
#ifndef VEDETTE_COMMON_RULES_AUSTERLITZ_EMIT_H
#define VEDETTE_COMMON_RULES_AUSTERLITZ_EMIT_H

#include "common/rules/austerlitz/au.h"

/* A unit and the hex where it stood just before. */
struct au_ref {
    uint16_t hex;
    uint8_t unit;
};
struct au_refs {
    struct au_ref ref[AU_UNITS];
    unsigned n;
};
/* The units of a set, in ascending order of the hexes where they stand now. */
void au_make_refs(const struct state *s, uint64_t set, struct au_refs *out);
/* 15.3: the id for those who may know it, else side, type and hex. */
void au_write_ref(const struct state *s, unsigned viewer, struct au_ref ref, struct buf *out);
void au_write_refs(const struct state *s, unsigned viewer, const char *name,
                   const struct au_refs *refs, struct buf *out);
/* Members P and D (no D where 12.3 removed the marker). */
void au_write_track(const struct state *s, unsigned side, struct buf *out);
/* An entry as it is shown to viewer: units where they stand now, no empty lists. */
void au_write_entry(const struct state *s, unsigned viewer, const struct au_entry *entry,
                    struct buf *out);

void au_tell_moved(const struct state *s, struct events *events, struct au_ref unit,
                   const struct au_way *way);
void au_tell_left(const struct state *s, struct events *events, struct au_ref unit, unsigned box);
void au_tell_bridge(const struct state *s, struct events *events, unsigned unit, unsigned bridge);
void au_tell_declared(const struct state *s, struct events *events);
void au_tell_dropped(const struct state *s, struct events *events, unsigned index,
                     uint64_t dropped);
/* void, concealed, held (the victor does not advance): an event with an index alone. */
void au_tell_index(const struct state *s, struct events *events, const char *ev, unsigned index);
void au_tell_reveal(const struct state *s, struct events *events, unsigned index, uint64_t units);
struct au_roll {
    unsigned index, attack, defence, odds, row, die, final_die, result;
    int modifier;
};
void au_tell_rolled(const struct state *s, struct events *events, const struct au_roll *roll);
void au_tell_ice(const struct state *s, struct events *events, unsigned index, unsigned hex);
void au_tell_eliminated(const struct state *s, struct events *events, unsigned side,
                        const struct au_refs *units);
/* displaced, advanced. */
void au_tell_step(const struct state *s, struct events *events, const char *ev, struct au_ref unit,
                  unsigned to);
void au_tell_stayed(const struct state *s, struct events *events, unsigned unit);
void au_tell_demoralised(const struct state *s, struct events *events);
void au_tell_turn(const struct state *s, struct events *events);
void au_tell_phase(const struct state *s, struct events *events);
void au_tell_over(const struct state *s, struct events *events);

#endif
