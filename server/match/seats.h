/* server/match/seats.h: seats of running matches change hands: offered, taken over, lent, given
 * back. All of it on the loop thread. */
#ifndef VEDETTE_SERVER_MATCH_SEATS_H
#define VEDETTE_SERVER_MATCH_SEATS_H

#include <stdint.h>

#include "server/match/match.h"

/* What becomes of a seat, by the word that its line has as "how". */
enum seat_how {
    SEAT_VACANT,     /* others may take it from now on; its holder keeps it till then */
    SEAT_SUBSTITUTE, /* another person has it, for good */
    SEAT_CARETAKER,  /* a bot keeps it until its holder takes it back, who goes on seeing its view */
    SEAT_LENT,       /* another person has it till a time; who lent it goes on seeing its view */
    SEAT_BACK,       /* lent or kept: whose it is has it again; vacant: it is offered no more */
    SEAT_HOWS
};
const char *seat_how_name(enum seat_how how);

/* Gives a seat of a running match to an account (its row in the store, its line `seat`, told to
 * everybody, and what take_with, a plain unit of the match, writes: all as one; NULL: nothing).
 * account "" with SEAT_VACANT and SEAT_BACK. until_ms: with SEAT_LENT, when it goes back (ms since
 * 1970), else 0. The caller has judged whether the account may have it; that it knows more of the
 * match than the public is looked at again when it is written, but for SEAT_BACK.
 *
 * What follows, once it is durable: the watches and waits of who may not see the seat's view any
 * more end (they are told by match.changed, member "unwatched"), the new holder gets account.turn
 * if the match waits for the seat, hooks.changed is called. A nonce that the seat has not opened
 * counts as lost (FAIRNESS 3: nobody else holds it); but a seat is lent only after it was opened.
 * Drafts and notes stay with the account that made them, and so do read marks.
 *
 * done: as match_done_fn, {"match","seat","how","seq","chain"} as the public is told. NOT_FOUND,
 * MATCH_OVER, CLOSING, STORAGE_FAILED; CONFLICT "not_started", "frozen", "seat" (it has another
 * seat, has left, is offered already or not, is lent already or not), "knows" (the account knows
 * more than the public), "nonce" (to be lent, not opened yet), "seat_changes" (another change is
 * under way). done may be NULL. */
void match_seat_give(struct matches *matches, const struct match_id *id, unsigned seat,
                     const struct account_id *account, enum seat_how how, int64_t until_ms,
                     struct store_unit *take_with, match_done_fn *done, void *ctx);

/* Whether others may take the seat at the moment, and till when it is lent (0: it is not). For a
 * match that is in memory; false: it is not known there. */
bool match_seat_stands(struct matches *matches, const struct match_id *id, unsigned seat,
                       bool *out_vacant, int64_t *out_until_ms);

/* Looks at the clock: seats whose loan is over go back. Runs by itself every two seconds; for who
 * moves the clock. */
void match_seats_look(struct matches *matches);

#endif
