/* server/match/offering.h: an offer on its way, between offers.c and offers_time.c. */
#ifndef VEDETTE_SERVER_MATCH_OFFERING_H
#define VEDETTE_SERVER_MATCH_OFFERING_H

#include "server/match/live.h"

/* What a seat offers. */
struct offering {
    enum offer_what what;
    int64_t to;     /* rewind: the seat's own seq; -1: none */
    int to_seat;    /* time: who is given it; -1: none */
    int64_t ms;     /* time */
    uint64_t line;  /* reopen: the line before the end */
    uint32_t asked; /* whose yes it takes */
    int64_t until;  /* it is carried out then by itself; 0: it is not */
};

enum { RESUME_WAITS_MS = 86400000 }; /* a pause that a seat wants to end lasts no longer */

/* --- offers.c --- */
/* What the flight does to offers. NULL: memory. */
struct offer_change;
struct offer_change *offers_change(struct flight *flight);
/* Takes the offer out of the list. False: memory. */
bool offers_close(struct flight *flight, struct offer **at, enum offer_state state, int by);
/* How the match stood after that line is at hand in match->past_read, or could not be read
 * (out_err). False: it is being read. */
bool offers_past_is_there(const struct making *making, uint64_t line, enum err *out_err);

/* --- offers_time.c --- */
bool offer_is_of_time(enum offer_what what);
/* Members seat and s of an offer of time. */
enum err time_read(const struct making *making, const struct cJSON *params,
                   struct offering *offering, struct why *why) VD_CHECKED;
/* Whether it may be offered, whom it asks and until when. reopen: after offers_past_is_there.
 * CONFLICT "clock", "paused", "running", "pauses", "reopen". */
enum err time_judge(const struct making *making, struct offering *offering,
                    struct why *why) VD_CHECKED;
/* Whether it could be carried out now. */
enum err time_judge_yes(const struct making *making, const struct offer_row *row,
                        struct why *why) VD_CHECKED;
/* It happens: its lines. by: those who agreed. */
enum err time_carry_out(struct making *making, const struct offer_row *row, uint32_t by) VD_CHECKED;

#endif
