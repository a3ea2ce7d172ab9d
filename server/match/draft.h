/* server/match/draft.h: a seat's draft (server/lobby/desk.c) that is committed as one action. */
#ifndef VEDETTE_SERVER_MATCH_DRAFT_H
#define VEDETTE_SERVER_MATCH_DRAFT_H

#include <stdbool.h>

#include "common/base/err.h"

struct cJSON;
struct making;
struct why;

/* Member "draft" of match.act is there. */
bool draft_is_named(const struct cJSON *params);
/* The actions of the draft of that version. False: they are being read, and the task is run again
 * with them, or answered: CONFLICT "version" (it was changed meanwhile), INVALID_PARAMS "draft" (it
 * is empty). */
bool draft_is_there(struct making *making, const struct cJSON **out_first, unsigned *out_count);
/* With the lines that it becomes it is empty, and its version one more. A unit that finds another
 * version then is not stored. */
enum err draft_spend(struct making *making) VD_CHECKED;

#endif
