/* server/match/clocks.h: clocks in play: moved by the lines that the public is told of, stored in
 * the same unit as those, and told to everybody who watches.
 *
 * A match in memory has its newest clock beside its core. A flight that moves it carries what will
 * be stored and told; when it lands the time of the next event goes into matches->wakes, which all
 * matches are in whose clock may do something by itself, loaded or not (ladder.h). A failed commit
 * drops the clock with the core. What is shown follows from the public alone: a quiet line moves no
 * clock (DESIGN 4). */
#ifndef VEDETTE_SERVER_MATCH_CLOCKS_H
#define VEDETTE_SERVER_MATCH_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/clock/clock.h"
#include "server/store/clocks.h"

struct core;
struct core_step;
struct db;
struct flight;
struct match;
struct match_begin;
struct matches;
struct store_unit;

/* The newest clock of a match. */
struct play_clock {
    struct clock_spec spec;
    struct clock clock;
    uint64_t n;    /* the newest line that changed it */
    int64_t due;   /* its next event; 0: none */
    bool changed;  /* since it was last written into a flight */
    uint32_t bots; /* seats that bots hold */
};

enum { REVEAL_WAITS_MS = 2 * 86400000 }; /* an end on time may be taken back so long (DESIGN 4) */

/* --- its life beside the core ---------------------------------------------------------------- */

/* A new one, before the first line of the match; spec "" or NULL: the match has none.
 * INVALID_PARAMS: the spec is none. */
enum err clocks_create(struct match *match, const struct match_begin *begin,
                       int64_t now_ms) VD_CHECKED;
/* One that was stored, with its core. False: not one of ours (logged). */
bool clocks_install(struct match *match, const struct clock_row *row);
/* With its core. */
void clocks_drop(struct match *match);
/* Of the seats that everybody is shown to be waited for, those that in truth have done their part:
 * an ally who has ended a step of both. When the time of the other runs out it is told whose fault
 * it is, and these clocks stand from then on, until the match waits for them indeed. */
uint32_t clocks_idle(const struct match *match);
void clocks_excuse(struct match *match, uint32_t seats, int64_t at_ms);
/* The clock of a match that comes from another server, which it left at from_ms: what has passed
 * since is charged to nobody. row: spec and state, told "". core: after its last line. Within a
 * unit. INVALID_PARAMS: it is none. */
enum err clocks_carry(struct db *db, const struct core *core, int64_t key, struct clock_row *row,
                      int64_t from_ms, int64_t now_ms) VD_CHECKED;
/* What is wrong with the rows of the clock of a match whose log was played again to its end: NULL:
 * nothing. Static. */
const char *clocks_fault(const struct clock_row *row, const struct core *core);

/* --- with flights ---------------------------------------------------------------------------- */

/* A line was taken by the core: before its views are made. INTERNAL: memory. */
enum err clocks_note(struct matches *matches, struct flight *flight,
                     const struct core_step *step) VD_CHECKED;
/* All that is due at now_ms and makes no line happens; returns the time up to which the clock may
 * be moved: now_ms, or the instant before an event that makes a line. Then what is done now counts
 * as done in time: it was accepted before that line. flight may be NULL: no reminders then. */
int64_t clocks_settle(struct flight *flight, struct play_clock *play, int64_t now_ms);
/* Adds the newest clock to the unit, if it has changed. */
void clocks_send(struct matches *matches, struct match *match, struct flight *flight,
                 struct store_unit *unit);
/* The flight is durable: before its views go out, and after. */
void clocks_landed(struct matches *matches, struct match *match, struct flight *flight);
void clocks_tell(struct matches *matches, struct match *match, struct flight *flight);
/* The commit failed: the match is looked at again soon. */
void clocks_lost(struct matches *matches, struct match *match, struct flight *flight);
void clocks_forget(struct flight *flight);

/* Where a list of actions began, to be taken back as a whole. */
struct clock_mark {
    struct play_clock *play; /* a copy; NULL: no clock */
    char *shown;
    unsigned shown_count;
};
enum err clocks_mark(const struct match *match, const struct flight *flight,
                     struct clock_mark *out_mark) VD_CHECKED;
void clocks_rollback(struct match *match, struct flight *flight, struct clock_mark *mark);
void clocks_mark_finish(struct clock_mark *mark);

/* --- the loop's side ------------------------------------------------------------------------- */

/* The match is looked at then; the timer is set to the earliest. at_ms 0: not at all. */
void clocks_wake(struct matches *matches, const struct match *match, int64_t at_ms);
void clocks_init(struct matches *matches);
/* Before the store closes: the last heartbeat. Counts in matches->pending. */
void clocks_close(struct matches *matches);
#endif
