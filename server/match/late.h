/* server/match/late.h: spectators who see the whole of a match some turns late (DESIGN 4).
 *
 * They are shown what VIEWER_ALL was told up to the line that began the turn so many turns ago, and
 * nothing that happened since: not by seq, chain, times, talk at the table, presence, clocks or
 * offers. It is played again from the log on a reader's thread, once for
 * each turn, whoever watches. Who looks is remembered (store/people.h), for he may have no seat in
 * the match any more; who has or had a seat does not look. */
#ifndef VEDETTE_SERVER_MATCH_LATE_H
#define VEDETTE_SERVER_MATCH_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/match/live.h"

enum { LATE_SEEN_MAX = 64 };

/* Of a match that has spectators who lag behind, as far as is known of it. */
struct late {
    bool known, reading; /* n is; it is being read */
    bool again;          /* a turn began meanwhile */
    bool failed;         /* it could not be read: who asked is told */
    uint64_t n;          /* the last line they are shown; 0: nothing yet */
    struct hash head;    /* after it */
    struct msg *view;    /* a whole match.view; NULL: none was asked for, or it is dropped */
    uint32_t view_at;    /* where in it the view stands */
    uint32_t watch_count;
    struct watch *watches;
    struct wait *waits;
    unsigned seen_count; /* who is known to have looked; more are asked of the store again */
    struct account_id seen[LATE_SEEN_MAX];
};

/* Whether the call is by a spectator who lags behind (and no referee who has a look). */
bool late_is(const struct match *match, const struct account_id *account,
             const struct cJSON *params);
/* Whether the account may watch so at all. NOT_SIGNED_IN, FORBIDDEN. */
enum err late_judge(const struct match *match, const struct account_id *account,
                    struct why *why) VD_CHECKED;

/* What match.view, history, replay, watch, unwatch and wait do for them: as task_fn. */
bool late_view(struct matches *matches, struct match *match, struct task *task);
bool late_watch(struct matches *matches, struct match *match, struct task *task);
bool late_unwatch(struct matches *matches, struct match *match, struct task *task);
bool late_wait(struct matches *matches, struct match *match, struct task *task);
/* Whether the last line that they are shown is known, and the account noted as one who looks.
 * False: out_done says whether the task is answered or kept elsewhere, or else is to be tried
 * again. */
bool late_ready(struct matches *matches, struct match *match, struct task *task, bool wants_view,
                bool *out_done);

/* Notes whether the step begins a turn. */
void late_note(struct match *match, const struct core *core, struct flight_step *step);
/* A core was loaded, or is gone. */
void late_loaded(struct match *match);
/* Adds the turns that the flight begins to its unit. */
void late_send(struct match *match, const struct flight *flight, struct store_unit *unit);
/* The flight is durable: they are shown more, or all. */
void late_landed(struct matches *matches, struct match *match, const struct flight *flight);

/* What they are owed, to who is ready again. */
void late_serve(struct matches *matches, struct watch *watch);
/* All of that account, or with NULL all of them; who watches is told. Waits end with err. */
void late_end(struct matches *matches, struct match *match, const struct account_id *account,
              enum err err);
/* Whether somebody watches or waits so, or it is being read. */
bool late_holds(const struct match *match);
uint32_t late_count(const struct match *match);
/* Lets the view go. */
void late_rest(struct match *match);
size_t late_bytes(const struct match *match);
void late_free(struct match *match);

#endif
