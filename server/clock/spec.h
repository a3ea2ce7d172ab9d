/* server/clock/spec.h: what a match's clock is, as data: `clock` of match.create, and its one
 * normal form; and what a player's calendar is. Pure. The grammar with its defaults and bounds, and
 * what each member means, is in the README of this folder. */
#ifndef VEDETTE_SERVER_CLOCK_SPEC_H
#define VEDETTE_SERVER_CLOCK_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/clock/zone.h"

struct buf;
struct cJSON;

enum {
    CLOCK_PHASES_MAX = 8,
    CLOCK_PHASE_NAME_MAX = 24, /* bytes with the NUL */
    CLOCK_REMINDERS_MAX = 4,
    CLOCK_STEPS_MAX = 4,
    CLOCK_YEARS_MAX = 5,
    CLOCK_VACATIONS_MAX = 16,
    CLOCK_VACATION_DAYS_MAX = 366,   /* of one */
    CLOCK_SLEEP_MIN_MAX = 600,       /* minutes of a sleep window */
    CLOCK_HOURS_WITH_SLEEP_MIN = 720 /* minutes */
};

enum clock_kind { CLOCK_LIVE, CLOCK_CORRESPONDENCE };
enum clock_pauses { CLOCK_PAUSES_NONE, CLOCK_PAUSES_CAPPED, CLOCK_PAUSES_FREE };
enum clock_do {
    CLOCK_DO_CLAIM,
    CLOCK_DO_FORFEIT,
    CLOCK_DO_ANNUL,
    CLOCK_DO_SUBSTITUTE,
    CLOCK_DO_ALLY,
    CLOCK_DO_CARETAKER,
    CLOCK_DO_COUNT
};
/* Bits of what may be claimed. */
enum {
    CLOCK_CLAIM_WIN = 1,
    CLOCK_CLAIM_GRANT = 2,
    CLOCK_CLAIM_ANNUL = 4,
    CLOCK_CLAIM_CONVERT = 8, /* the match goes on by correspondence; with `away` alone */
    CLOCK_CLAIMS = 4
};

/* A stretch of every local day, in minutes of the day; from > to: over midnight. from == to: none.
 */
struct clock_window {
    int16_t from_min, to_min;
};

struct clock_step {
    enum clock_do what;
    int64_t for_ms; /* 0: for good */
};

/* A spec, read. Plain data. */
struct clock_spec {
    enum clock_kind kind;
    int64_t bank_ms, bank_max_ms; /* bank_max_ms 0: no bound */
    int64_t increment_ms, per_move_ms, min_gap_ms;
    unsigned phases;
    struct {
        char name[CLOCK_PHASE_NAME_MAX];
        int64_t span_ms;
    } phase[CLOCK_PHASES_MAX];
    const struct zone *zone;
    uint8_t days; /* bit 0: Monday .. ; 0x7f: every day */
    struct clock_window hours;
    int16_t at_min; /* -1: none */
    bool sleep, draft_plays;
    int32_t vacation_days;
    enum clock_pauses pauses;
    int64_t pause_cap_ms;
    unsigned reminders;
    int64_t remind_ms[CLOCK_REMINDERS_MAX]; /* longest first */
    int64_t grace_ms, again_ms, grant_ms, fresh_ms;
    int32_t misses;
    unsigned steps;
    struct clock_step step[CLOCK_STEPS_MAX];
    uint32_t claims; /* CLOCK_CLAIM_ bits */
    /* Live, `away`: what follows when the player of an asked seat is gone. away_ms 0: nothing. */
    int64_t away_ms;
    uint32_t away_claims; /* 0: it becomes correspondence by itself */
    int64_t becomes_bank_ms, becomes_per_move_ms;
};

/* Reads a spec as match.create is given it (or the normal form again). seats: of the match, 2 or 3.
 * phases: names that the game has, ended by NULL (NULL: any well-formed name).
 * INVALID_PARAMS, why->member: the path of the member that is wrong ("clock.ladder.grace_s").
 * json: parsed and normalised (json_normalise), borrowed. */
enum err clock_spec_parse(const struct cJSON *json, unsigned seats, const char *const *phases,
                          struct clock_spec *out_spec, struct why *why) VD_CHECKED;
/* The same from the text of the normal form. INVALID_PARAMS also where it is no JSON. */
enum err clock_spec_read(const char *text, size_t n, unsigned seats, struct clock_spec *out_spec,
                         struct why *why) VD_CHECKED;
/* The one normal form: every member that has a meaning here is there, defaults too, in a fixed
 * order. clock_spec_parse of it gives the same spec. A JSON object, appended as a value. */
void clock_spec_write(const struct clock_spec *spec, struct buf *out);
/* What a live match with `away` becomes when it is converted: correspondence, with the ladder it
 * had, a day of grace at least, and a reminder. */
void clock_spec_convert(const struct clock_spec *spec, struct clock_spec *out_spec);
/* What a sitting in that phase ("" or NULL: none) may take before the bank runs. */
int64_t clock_spec_span_ms(const struct clock_spec *spec, const char *phase);
/* "claim", "forfeit", ... static. */
const char *clock_do_name(enum clock_do what);
/* The bit of "win", "grant", "annul", "convert"; 0: no such claim. */
uint32_t clock_claim_bit(const char *name);

/* What a player says of himself: his zone, when he sleeps, which days he is away. Plain data. */
struct clock_calendar {
    char zone[ZONE_NAME_MAX];
    struct clock_window sleep;
    unsigned vacations;
    struct {
        int32_t first_day, last_day; /* local days since 1970, both included; sorted, apart */
    } vacation[CLOCK_VACATIONS_MAX];
};
/* Universal time, no sleep, no vacation. */
void clock_calendar_init(struct clock_calendar *out);
/* From the settings of an account, each of which may be missing (NULL): its zone; sleep {"from":
 * "HH:MM", "to": "HH:MM"}, up to CLOCK_SLEEP_MIN_MAX minutes; vacation [{"from": "YYYY-MM-DD",
 * "to": "YYYY-MM-DD"}, ..], days included, each of up to CLOCK_VACATION_DAYS_MAX, in any order, not
 * overlapping. INVALID_PARAMS: why->member "timezone", "sleep", "sleep.from", "vacation", ... */
enum err clock_calendar_parse(const char *zone, const struct cJSON *sleep,
                              const struct cJSON *vacation, struct clock_calendar *out,
                              struct why *why) VD_CHECKED;
/* Members "timezone", "sleep" (where there is one) and "vacation" (an array), without braces. */
void clock_calendar_write(const struct clock_calendar *calendar, struct buf *out);

#endif
