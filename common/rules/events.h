/* common/rules/events.h: what a line made happen, each event for a set of viewers, already
 * filtered. */
#ifndef VEDETTE_COMMON_RULES_EVENTS_H
#define VEDETTE_COMMON_RULES_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"

enum { EVENTS_MAX = 2048, EVENTS_BYTES_MAX = 1 << 20 };

/* One event: JSON text [at, at + len) of events.text, told to viewers (bit 1 << viewer). */
struct event {
    uint32_t viewers, at, len;
};

/* Kept by the host and used again for every line; a game only appends. */
struct events {
    struct buf text;
    struct event *list;
    size_t count, cap;
    uint32_t told;    /* union of the viewers of all events */
    uint32_t reveals; /* viewers that were told something hidden (STYLE 4: ends a twin pair) */
    bool sealed;      /* no undo past this line (DESIGN 4); the host adds: it drew */
    bool failed;      /* over a bound or out of memory: the line must be refused */
};

void events_init(struct events *events);
void events_finish(struct events *events);
/* Forgets all events, keeps the memory. */
void events_reset(struct events *events);

/* Begins an event for the viewers in that mask; the game writes one JSON object to the buffer it
 * gets and calls events_end. viewers 0: the event is written but told to nobody. */
struct buf *events_begin(struct events *events, uint32_t viewers);
void events_end(struct events *events);
/* Marks the line as one that cannot be undone. */
void events_seal(struct events *events);
/* Marks the line as one that tells these viewers something hidden. */
void events_reveal(struct events *events, uint32_t viewers);

/* Writes the events told to viewer as a JSON array. */
void events_write(const struct events *events, unsigned viewer, struct buf *out);

#endif
