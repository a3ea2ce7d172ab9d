/* server/match/talk.h: channels of a match as the files of talk share them: who may read and write
 * which, when the one of two allies is open. */
#ifndef VEDETTE_SERVER_MATCH_TALK_H
#define VEDETTE_SERVER_MATCH_TALK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/match/live.h"
#include "server/store/talk.h"

/* --- side.c: the channel of two allies (Waterloo W18.2) --- */

/* Bit of each seat that has one. 0: the match has none. */
uint32_t side_seats(const struct match *match);
/* What is known of it, as member `side` of `talk`: {"open":true}, or {"open":false,"opens"?}; NULL:
 * the match must be loaded first, or has none. */
const char *side_state(const struct match *match);
/* Whether that says that it is open. */
bool side_is_open(const char *state);

/* --- talk.c --- */

/* What an account has to do with a channel. */
struct talk_place {
    enum talk_channel channel;
    int seat;       /* that it has or has lent; -1: none */
    uint32_t delay; /* it reads what was said at the table so many turns ago; 0: all of it */
};
/* Whether the account may read the channel. INVALID_PARAMS "channel": the match has no such one.
 * NOT_SIGNED_IN, FORBIDDEN, NOT_FOUND. */
enum err talk_judge(const struct matches *matches, const struct match *match,
                    const struct account_id *account, enum talk_channel channel,
                    struct talk_place *out_place, struct why *why) VD_CHECKED;
/* `channel` of params. */
enum err talk_read_channel(const struct cJSON *params, enum talk_channel *out_channel,
                           struct why *why) VD_CHECKED;

/* --- talk_read.c: member `talk` of a summary --- */
struct talk_summary {
    bool may[TALK_CHANNELS];
    struct talk_read read[TALK_CHANNELS];
    unsigned unread[TALK_CHANNELS];
};
/* On the loop: which channels the account may read. */
void talk_plan(const struct matches *matches, const struct match *match,
               const struct account_id *account, struct talk_summary *out);
/* On a reader's thread: how much of them is unread. */
enum err talk_summary_read(struct db *db, struct talk_summary *summary) VD_CHECKED;
void talk_summary_write(const struct match *match, const struct talk_summary *summary,
                        struct buf *out);

#endif
