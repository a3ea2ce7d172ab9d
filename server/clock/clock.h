/* server/clock/clock.h: the one deadline engine. A clock of a match is a pure thing: plain data,
 * changed by transitions that are told what time it is; it asks nobody, tells nobody, and knows no
 * game. What is shown as a deadline and what fires is computed by the same walk.
 *
 * Whose clock runs: the seats of a public mask (game->shown of the public, `waits_for`). A seat's
 * *sitting* lasts while its bit stays in the mask. In a sitting time is charged only while the
 * clock *runs*: not in a pause, in the pace of an interrupt, outside the days and hours of the
 * match, on a day of vacation, in the player's sleep window. What is charged goes to the sitting's
 * span (per_move_s, phases), with `at` to the fixed time after it, and then to the bank. When that
 * is empty the seat is out of time: late, grace, miss, and the steps of the ladder. The clock says
 * what is due; what it means for the match is the host's and the game's.
 *
 * How the host drives it (all times are ms since 1970):
 *   1. before any transition at `now`, and whenever its timer says: while clock_next says an event
 *      with at_ms <= now, clock_fire it and do what it says (a line, a notice, a push);
 *   2. after a line that the public was told of: clock_turn with the new mask;
 *   3. pauses, grants, calendars, a seat that changes hands: their functions;
 *   4. clock_pack goes into the unit of the store that holds the line; a failed commit drops the
 *      copy. struct clock may be copied by assignment.
 * After a restart: clock_unpack, clock_outage(from the last heartbeat, to now), then 1. */
#ifndef VEDETTE_SERVER_CLOCK_CLOCK_H
#define VEDETTE_SERVER_CLOCK_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/clock/spec.h"
#include "server/clock/zone.h"

struct buf;

/* No grant lifts a bank above it: a clock that could not run down for years would be none, and its
 * sums must fit. */
#define CLOCK_BANK_MS_MAX (INT64_C(366) * ZONE_DAY_MS * CLOCK_YEARS_MAX)

enum {
    CLOCK_SEATS_MAX = 3,
    CLOCK_PACK_VERSION = 3,
    CLOCK_PACK_BYTES_MAX = 2048,
    CLOCK_HELD_MAX = 8,   /* pauses and outages kept for the explanation: the newest */
    CLOCK_SPANS_MAX = 64, /* intervals of an explanation; more are cut, and it says so */
    CLOCK_AHEAD = 3       /* deadlines that are told ahead */
};

/* Where a seat's sitting stands. */
enum clock_stage {
    CLOCK_STANDS, /* not asked */
    CLOCK_SPAN,   /* the time of the sitting itself */
    CLOCK_FIXED,  /* used up; the fixed time of day is still ahead (`at`) */
    CLOCK_BANK,
    CLOCK_GRACE,  /* late */
    CLOCK_AGAIN,  /* after a miss that was forgiven */
    CLOCK_MISSED, /* after one that was not: the first step comes at the same instant */
    CLOCK_STEP    /* a step of the ladder is due: struct clock_seat.step */
};

/* What an interval of time is to a seat. The order is that of precedence. */
enum clock_span_kind {
    CLOCK_RUNS,
    CLOCK_PAUSE,
    CLOCK_PACE,
    CLOCK_DAY,      /* not one of the match's days */
    CLOCK_VACATION, /* of the seat, within its budget */
    CLOCK_HOURS,    /* outside the match's hours */
    CLOCK_SLEEP,
    CLOCK_OUTAGE, /* only in what has been */
    CLOCK_SPAN_KINDS
};

struct clock_seat {
    enum clock_stage stage;
    int64_t at_ms;         /* settled up to here; while an event is due, the instant of that */
    int64_t bank_ms;       /* left */
    int64_t whole_ms;      /* what the bank would be had this sitting taken nothing from it */
    int64_t used_ms;       /* charged and overdue time together: all the time it ran */
    int64_t asked_ms;      /* of this sitting, as all of the following */
    int64_t pace_ms;       /* until then the clock stands */
    int64_t span_ms;       /* that the sitting has */
    int64_t left_ms;       /* of the span; in grace, again and steps: of those */
    int64_t held_ms;       /* pauses, outages, pace and vacation since it was asked */
    int64_t spent_ms;      /* FIXED: when the span was used up */
    int64_t spent_held_ms; /* held_ms then */
    int64_t fixed_from_ms; /* no fixed time before that: one that came while it stood is none */
    bool due;              /* at_ms is the instant at which an event fires */
    bool frozen;           /* this seat is paused by itself (vacant, lent back ..) */
    bool vacation_told;    /* it was told that the clock stands for its vacation */
    int64_t away_ms;       /* asked, and its player is gone since then; 0: not that is known */
    bool gone;             /* he was so for the whole wait of `away` */
    uint8_t step;
    int32_t misses;
    int64_t reminded_ms[CLOCK_REMINDERS_MAX]; /* the deadline that was reminded of; 0: none */
    int32_t vacation_spent, vacation_year;    /* days of that year of the match */
    int32_t vacation_day;                     /* local day that was spent last; INT32_MIN: none */
    struct clock_calendar calendar, next;     /* zone and sleep change with the next sitting */
    const struct zone *zone;                  /* of calendar */
    int64_t deadline_ms; /* when the seat will be out of time; late: when that is a miss; later:
                          * when the next step comes. ZONE_NEVER: not now. Not stored */
};

struct clock_held {
    enum clock_span_kind kind; /* pause, outage */
    int8_t seat;               /* -1: all */
    int64_t from_ms, to_ms;    /* to_ms 0: still so */
};

struct clock {
    unsigned seats;
    bool over;
    uint32_t asked;   /* the mask of the last turn */
    uint32_t excused; /* the host's: shown as waited for, and not asked all the same */
    char phase[CLOCK_PHASE_NAME_MAX];
    int64_t began_ms, at_ms; /* at_ms: of the last transition */
    int64_t pause_ms;        /* since when all are paused; 0: they are not */
    bool pause_counts;       /* against the cap */
    int64_t paused_ms;       /* what pauses by consent took so far */
    unsigned held_count;
    struct clock_held held[CLOCK_HELD_MAX]; /* oldest first */
    struct clock_seat seat[CLOCK_SEATS_MAX];
};

/* --- transitions ------------------------------------------------------------------------------ */

/* A clock that nobody is asked by yet. calendars: one a seat, or NULL. seats: 1 ..
 * CLOCK_SEATS_MAX. INVALID_PARAMS: a calendar's zone is gone from the database (UTC is taken for it
 * if out_clock is used all the same). */
enum err clock_begin(const struct clock_spec *spec, unsigned seats,
                     const struct clock_calendar *calendars, int64_t now_ms,
                     struct clock *out_clock) VD_CHECKED;

struct clock_ask {
    uint32_t mask;     /* the public waits_for */
    const char *phase; /* the public name of the step; NULL or "": none */
    uint32_t pace;     /* those of mask whose sitting, if it begins now, is an interrupt.. */
    int64_t pace_ms;   /* ..and so does not run for so long. 0: the match has no pace */
    bool rewound;      /* the line was a rewind: sittings that end by it earn no increment */
};
/* The public was told of a line. Sittings end (increment) and begin. False: mask and phase are as
 * before, nothing changed and nothing need be stored. An undo is a turn like any other: what was
 * used is used. */
bool clock_turn(struct clock *clock, const struct clock_spec *spec, const struct clock_ask *ask,
                int64_t now_ms);

/* Everybody stands. by_consent: the spec's policy counts: CONFLICT "pauses" (none are allowed, or
 * the cap is used up). CONFLICT "paused": so it is. With a cap CLOCK_EV_RESUME ends it. */
enum err clock_pause(struct clock *clock, const struct clock_spec *spec, bool by_consent,
                     int64_t now_ms, struct why *why) VD_CHECKED;
/* CONFLICT "running": it was not paused. */
enum err clock_resume(struct clock *clock, const struct clock_spec *spec, int64_t now_ms,
                      struct why *why) VD_CHECKED;
/* One seat stands (it is vacant, say), or goes on; on top of a pause of all. False: so it was. */
bool clock_freeze(struct clock *clock, const struct clock_spec *spec, unsigned seat, bool on,
                  int64_t now_ms);
/* The daemon was away from from_ms (its last heartbeat; earlier than the last transition counts as
 * then) to now_ms: nobody is charged. An event that was due before from_ms and not fired is due so
 * much later. */
void clock_outage(struct clock *clock, const struct clock_spec *spec, int64_t from_ms,
                  int64_t now_ms);
/* More time in the bank, over bank_max_s too, up to CLOCK_BANK_MS_MAX. A seat that is late or past that goes back to its
 * bank; its misses stay. ms: 1 .. 366 days. */
void clock_grant(struct clock *clock, const struct clock_spec *spec, unsigned seat, int64_t ms,
                 int64_t now_ms);
/* The player's calendar is another. Vacation counts at once; zone and sleep from the next sitting
 * on, so nobody moves his night about. INVALID_PARAMS: there is no such zone (nothing changed). */
enum err clock_calendar_set(struct clock *clock, const struct clock_spec *spec, unsigned seat,
                            const struct clock_calendar *calendar, int64_t now_ms) VD_CHECKED;
/* Live, with `away`: the player of the seat is gone, or here (again). What is gone is counted from
 * now_ms on, while the seat is asked; a pause, an outage, the end of the sitting and his return end
 * it, and with it what the others may claim. False: so it was, or it does not count now. */
bool clock_away(struct clock *clock, const struct clock_spec *spec, unsigned seat, bool away,
                int64_t now_ms);
/* Whether it would count. */
bool clock_may_be_away(const struct clock *clock, const struct clock_spec *spec, unsigned seat);
/* The match goes on by another spec (clock_spec_convert). What was used is used; what is left of a
 * bank stays, and that of the new spec is added; a sitting under way has the longer span of both,
 * less what it took. A seat that was late or past that is so no more; its misses stay. */
void clock_convert(struct clock *clock, const struct clock_spec *from, const struct clock_spec *to,
                   int64_t now_ms);
/* It turns out that these have done their part, and others kept them waiting: from now on they are
 * not asked (mask), and what the sitting took from their banks is theirs again. All of it: since when
 * they had done is not told. */
void clock_excuse(struct clock *clock, const struct clock_spec *spec, uint32_t seats,
                  int64_t now_ms);
/* Somebody else holds the seat for good (substitute, ally, caretaker): a bank of at least fresh_s,
 * no misses, his calendar (NULL: none), and if it is asked a sitting afresh. */
void clock_seat_new(struct clock *clock, const struct clock_spec *spec, unsigned seat,
                    const struct clock_calendar *calendar, int64_t now_ms);
/* The match is over: nothing runs any more. */
void clock_stop(struct clock *clock, const struct clock_spec *spec, int64_t now_ms);
/* It goes on after all: a clock_turn follows. Whose bank is empty is given grant_s. */
void clock_reopen(struct clock *clock, const struct clock_spec *spec, int64_t now_ms);
/* The zone database is another from now_ms on (zones_refresh): what ran until then is settled, the
 * deadlines ahead are computed again. True: at least one is another than before. */
bool clock_refresh(struct clock *clock, const struct clock_spec *spec, int64_t now_ms);
/* Whether any of the zones that the clock hangs on is new (zone_is_new). */
bool clock_zones_new(const struct clock *clock, const struct clock_spec *spec);

/* --- what is due ------------------------------------------------------------------------------ */

enum clock_event_kind {
    CLOCK_EV_NONE,
    CLOCK_EV_EDGE,     /* the state word changes by itself (night, weekend, hours, pace) */
    CLOCK_EV_REMIND,   /* reminder `index` of the ladder */
    CLOCK_EV_BANK,     /* the span is used up, the bank runs from now on */
    CLOCK_EV_LATE,     /* out of time; grace begins. Never without a grace_s */
    CLOCK_EV_MISS,     /* grace is over: a miss is recorded. If it is forgiven again_s begins, else
                        * the first step comes at the same instant */
    CLOCK_EV_STEP,     /* step `index` of the ladder is due: `what` */
    CLOCK_EV_RESUME,   /* the cap of pauses is used up: all clocks run again */
    CLOCK_EV_VACATION, /* the clock of who is asked stands for his vacation, or does so no more;
                        * also where he is asked when it has begun: vacation_told says which */
    CLOCK_EV_AWAY      /* who is asked was gone for so long: what `away` gives is due */
};
struct clock_event {
    enum clock_event_kind kind;
    unsigned seat; /* not with RESUME */
    unsigned index;
    enum clock_do what;
    bool forgiven; /* MISS */
    int64_t at_ms;
};
/* The next thing that comes if nothing else happens: the earliest, of those at one instant in the
 * order of the seats. NONE: at_ms is ZONE_NEVER. */
void clock_next(const struct clock *clock, const struct clock_spec *spec,
                struct clock_event *out_event);
/* Does it, as of event->at_ms, however late the call. event: what clock_next said of this clock. */
void clock_fire(struct clock *clock, const struct clock_spec *spec,
                const struct clock_event *event);

/* --- what is shown ---------------------------------------------------------------------------- */

/* "runs", "stands" (not asked), "paused", "pace", "closed" (not in the days or hours of the match),
 * "vacation", "asleep", "grace" (late), "out" (a step is due), "over". At the last transition or
 * event. */
const char *clock_state_word(const struct clock *clock, const struct clock_spec *spec,
                             unsigned seat);
/* The bank as it is at now_ms (>= the last transition) if nothing else happens. */
int64_t clock_bank_at_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                         int64_t now_ms);
/* When the sitting's own span ends and the bank begins; ZONE_NEVER: it is past, or not now. */
int64_t clock_span_end_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat);
/* Which CLOCK_CLAIM_ bits the others may claim against the seat now: by the ladder, or because its
 * player is gone. */
uint32_t clock_claims(const struct clock *clock, const struct clock_spec *spec, unsigned seat);
/* Those of them that his being gone gives. */
uint32_t clock_away_claims(const struct clock *clock, const struct clock_spec *spec, unsigned seat);
/* When that is so, or was; ZONE_NEVER: he is not gone. */
int64_t clock_gone_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat);
/* The step that is due for the seat, or CLOCK_DO_COUNT. */
enum clock_do clock_step_due(const struct clock *clock, const struct clock_spec *spec,
                             unsigned seat);

struct clock_span {
    enum clock_span_kind kind;
    int64_t from_ms, to_ms;  /* to_ms ZONE_NEVER: no end is known */
    const struct zone *zone; /* of that rule; NULL: none has a part in it */
};
/* Why this deadline: the intervals from now_ms (>= the last transition) to the deadline, or to what
 * comes next where the seat is past it; without an end where it is paused. 0: it is not asked.
 * out_cut: there were more than max. */
unsigned clock_explain(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                       int64_t now_ms, struct clock_span *out, unsigned max, bool *out_cut);
/* The next deadlines. A seat that is asked: what comes if it does nothing ("bank", "late", "miss",
 * "claim", "substitute", ..). One that is not: "asked", the deadline it would have if it were asked
 * at from_ms (now, in one day, in two). */
struct clock_ahead {
    const char *what;       /* static */
    int64_t from_ms, at_ms; /* from_ms: only with "asked" */
};
unsigned clock_look_ahead(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                          int64_t now_ms, struct clock_ahead out[CLOCK_AHEAD]);

/* `clock` of match.get and match.changed: {"kind","seats":{CODE:{"bank_s","state","deadline"?,
 * "span_end"?,"misses","away"?:{"since","until"}}},"paused"?:{"since","until"?}}, as a value.
 * codes: of the seats. */
void clock_write_state(const struct clock *clock, const struct clock_spec *spec,
                       const char *const *codes, struct buf *out);
/* `clock` of a view (PROTOCOL 5): {"kind",CODE:{"bank_s","deadline"?}}. */
void clock_write_view(const struct clock *clock, const struct clock_spec *spec,
                      const char *const *codes, struct buf *out);
/* match.clock but for "match": {"now","kind","spec","seats":{CODE:{"bank_s","used_s","state",
 * "misses","asked"?,"span_end"?,"deadline"?,"fixed"?:{"at","zone","offset"},"timezone"?,"why":[{"from","to"?,"kind","zone"?,"offset"?}],"cut"?,
 * "next":[{"if","from"?,"at"}],"vacation_days_left"?,"away"?,"claims":[..]}},"paused"?,"held":[{"from",
 * "to"?,"kind","seat"?}]}: members without braces. */
void clock_write_why(const struct clock *clock, const struct clock_spec *spec,
                     const char *const *codes, int64_t now_ms, struct buf *out);

/* --- the store -------------------------------------------------------------------------------- */

/* The clock as bytes: a version first, little-endian, no pointers; the same clock gives the same
 * bytes. Returns their number, at most CLOCK_PACK_BYTES_MAX. */
size_t clock_pack(const struct clock *clock, uint8_t out[CLOCK_PACK_BYTES_MAX]);
/* INVALID_PARAMS: not bytes of clock_pack, or of a newer version. A zone that the database no
 * longer has is taken as UTC. */
enum err clock_unpack(const uint8_t *bytes, size_t n, const struct clock_spec *spec,
                      struct clock *out_clock) VD_CHECKED;

#endif
