/* common/rules/austerlitz/offers.h: what view, forms, answers and the caretaker share. */
#ifndef VEDETTE_COMMON_RULES_AUSTERLITZ_OFFERS_H
#define VEDETTE_COMMON_RULES_AUSTERLITZ_OFFERS_H

#include "common/rules/austerlitz/au.h"

/* view.c: a hex as a string, and as a key. */
void au_write_hex(struct buf *out, unsigned hex);
void au_key_hex_of(struct buf *out, unsigned hex);
/* A unit as the viewer names it in actions and questions (15.3). */
void au_write_name(const struct state *s, unsigned viewer, unsigned unit, struct buf *out);
/* Units whose faces are turned up (15.4). */
uint64_t au_revealed(const struct state *s);

/* actions.c: a plan as an action, or (form) as one that holds no choice. */
void au_write_plan(const struct state *s, unsigned seat, const struct au_entry *plan,
                   unsigned count, bool form, struct buf *out);
/* A set of own or enemy units as a list, by ascending hexes. */
void au_write_names(const struct state *s, unsigned seat, uint64_t set, bool form, struct buf *out);
/* The way out of a chain: members to and chain. */
void au_write_way(const struct au_chain *chain, bool form, struct buf *out);

#endif
