/* server/match/drafts.h: where the match says so, a saved draft is played when its seat's grace is
 * over, before that would be a miss. */
#ifndef VEDETTE_SERVER_MATCH_DRAFTS_H
#define VEDETTE_SERVER_MATCH_DRAFTS_H

#include <stdbool.h>

struct clock_event;
struct match;
struct matches;

/* Before a miss. True: the seat's draft is being tried, and the match is looked at again when that
 * is done. False: there is nothing to wait for; it is tried once for a deadline. */
bool drafts_try(struct matches *matches, struct match *match, const struct clock_event *event);

#endif
