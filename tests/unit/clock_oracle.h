/* tests/unit/clock_oracle.h: the rules of server/clock/README.md again, the slow way: minute by
 * minute, by what the wall shows (libc), to check the engine against. Walls change between 0 and 4
 * o'clock: edges of windows and fixed times must lie elsewhere. */
#ifndef VEDETTE_TESTS_UNIT_CLOCK_ORACLE_H
#define VEDETTE_TESTS_UNIT_CLOCK_ORACLE_H

#include "server/clock/clock.h"

enum { ORACLE_DAYS = 120, ORACLE_EVENTS_MAX = 4096 };

enum oracle_stage { O_STANDS, O_SPAN, O_FIXED, O_BANK, O_GRACE, O_AGAIN, O_STEP };

struct oracle_seat {
    enum oracle_stage stage;
    bool frozen;
    int64_t bank, used;
    int64_t asked_at, pace_until, span, span_used; /* of the sitting */
    int64_t held, spent_at, spent_held;
    int64_t fixed_at; /* the last answer of a search; 0: search again */
    unsigned holds;   /* of this sitting */
    struct {
        int64_t from, to;
    } hold[4096];
    int64_t ladder_left;
    unsigned step;
    int misses, vacation_spent, vacation_year;
    int64_t vacation_day;
    struct clock_calendar now, next;
};

struct oracle_event {
    int64_t at;
    unsigned seat; /* 99: of the match */
    enum clock_event_kind kind;
};

struct oracle {
    const struct clock_spec *spec;
    unsigned seats;
    uint32_t asked;
    char phase[CLOCK_PHASE_NAME_MAX];
    int64_t began, t, pause_at, paused;
    bool pause_on, pause_counts, over;
    struct oracle_seat seat[CLOCK_SEATS_MAX];
    unsigned events;
    struct oracle_event event[ORACLE_EVENTS_MAX];
};

/* Fills the tables of walls from that instant (a whole minute) on. Changes TZ. */
void oracle_prepare(int64_t from, const char *const *zones, unsigned count);
void oracle_begin(struct oracle *o, const struct clock_spec *spec, unsigned seats,
                  const struct clock_calendar *calendars, int64_t t);
/* Time passes; what comes is noted in event[]. */
void oracle_advance(struct oracle *o, int64_t to);
void oracle_turn(struct oracle *o, const struct clock_ask *ask);
bool oracle_pause(struct oracle *o, bool by_consent);
bool oracle_resume(struct oracle *o);
void oracle_freeze(struct oracle *o, unsigned seat, bool on);
void oracle_outage(struct oracle *o, int64_t to);
void oracle_grant(struct oracle *o, unsigned seat, int64_t ms);
void oracle_calendar(struct oracle *o, unsigned seat, const struct clock_calendar *calendar);
/* The match goes on by spec, which is what o->spec points at from now on. */
void oracle_convert(struct oracle *o, const struct clock_spec *spec);
void oracle_seat_new(struct oracle *o, unsigned seat, const struct clock_calendar *calendar);

#endif
