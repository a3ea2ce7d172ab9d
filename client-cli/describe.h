/* client-cli/describe.h: events, prompts and views in sentences. */
#ifndef VEDETTE_CLIENT_CLI_DESCRIBE_H
#define VEDETTE_CLIENT_CLI_DESCRIBE_H

#include <cjson/cJSON.h>

#include "client-cli/board.h"
#include "client-cli/wview.h"

struct buf;

/* A line (ended by '\n') for each thing that events, an array as on the wire, tell a viewer: a seat
 * (told of its own as such), public, all; NULL: nobody's. */
void describe_events_to(struct buf *out, const cJSON *events, const struct board *board,
                        const char *viewer);
/* The same for nobody. */
void describe_events(struct buf *out, const cJSON *events, const struct board *board);
/* What is asked of the seat now, or whom the match waits for; lines ended by '\n'. */
void describe_prompt(struct buf *out, const struct wv *wv);
/* The position of a view: what stands where, drafts, battles. */
void describe_position(struct buf *out, const cJSON *view, const struct board *board);
/* The position and what is asked, for `show` and the plain mode. */
void describe_view(struct buf *out, const cJSON *view, const struct board *board);
/* The battle of a town as text lines. */
void describe_battle(struct buf *out, const struct wv *wv, const struct wv_battle *battle);
/* "15 June, morning" of a date as the board has it (1815-06-15). */
void describe_date(struct buf *out, const char *date, const char *part);
/* The same of a view, "Set-up" before the first. */
void describe_slot(struct buf *out, const cJSON *view);

#endif
