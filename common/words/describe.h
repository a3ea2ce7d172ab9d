/* common/words/describe.h: events and dates in sentences. */
#ifndef VEDETTE_COMMON_WORDS_DESCRIBE_H
#define VEDETTE_COMMON_WORDS_DESCRIBE_H

#include <cjson/cJSON.h>

#include "common/words/board.h"

struct buf;

/* A line (ended by '\n') for each thing that events of a game, an array as on the wire, tell a
 * viewer: a seat (told of its own as such), public, all; NULL: nobody's. board: of towns, NULL for
 * a game that has none. Of a game without words here only what the host did is told. */
void describe_events_of(struct buf *out, const cJSON *events, const char *game,
                        const struct board *board, const char *viewer);
/* The same of Waterloo. */
void describe_events_to(struct buf *out, const cJSON *events, const struct board *board,
                        const char *viewer);
/* The same for nobody. */
void describe_events(struct buf *out, const cJSON *events, const struct board *board);
/* "15 June, morning" of a date as the board has it (1815-06-15). */
void describe_date(struct buf *out, const char *date, const char *part);
/* When the turn of a view of that game is, "Set-up" before the first: "Turn 3, 09:00 to 10:00". */
void describe_turn(struct buf *out, const char *game, const cJSON *view);
/* The same of Waterloo. */
void describe_slot(struct buf *out, const cJSON *view);
/* A seat by its army, as that game calls it. */
void describe_side(struct buf *out, const char *game, const char *seat);

#endif
