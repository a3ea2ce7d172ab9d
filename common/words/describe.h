/* common/words/describe.h: events and dates in sentences. */
#ifndef VEDETTE_COMMON_WORDS_DESCRIBE_H
#define VEDETTE_COMMON_WORDS_DESCRIBE_H

#include <cjson/cJSON.h>

#include "common/words/board.h"

struct buf;

/* A line (ended by '\n') for each thing that events, an array as on the wire, tell a viewer: a seat
 * (told of its own as such), public, all; NULL: nobody's. */
void describe_events_to(struct buf *out, const cJSON *events, const struct board *board,
                        const char *viewer);
/* The same for nobody. */
void describe_events(struct buf *out, const cJSON *events, const struct board *board);
/* "15 June, morning" of a date as the board has it (1815-06-15). */
void describe_date(struct buf *out, const char *date, const char *part);
/* The same of a view, "Set-up" before the first. */
void describe_slot(struct buf *out, const cJSON *view);

#endif
