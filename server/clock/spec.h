/* server/clock/spec.h: what a match's clock is, as data: `clock` of match.create, its one normal
 * form; and what a player's calendar is. Pure.
 *
 * {"kind": "live" | "correspondence",   must be there; all else has a default, written out in the
 *                                       normal form
 *  "bank_s": N           each seat's bank at the start. live 1 .. 86400 (3600); correspondence
 *                        0 .. 366 days (10 days)
 *  "bank_max_s": N       no increment lifts the bank above it; >= bank_s (absent: no bound)
 *  "increment_s": N      added to the bank at the end of each sitting. live 0 .. 3600 (30),
 *                        correspondence 0 .. 30 days (0)
 *  "per_move_s": N       each sitting may take so long before the bank runs. live 0 .. 86400 (0);
 *                        correspondence 0 .. 60 days (3 days)
 *  "phases": {PHASE: N}  the same for a sitting in that phase of the game (1 .. CLOCK_PHASES_MAX);
 * a sitting has the longest span of the phases it passes through
 *  -- only with correspondence:
 *  "zone": NAME          of days, hours and at; must be there with any of them (else "UTC")
 *  "days": ["mon", ..]   the clock runs on these weekdays alone
 *  "hours": [FROM, TO]   the clock runs between these times of the day alone: "HH:MM", TO may be
 *                        "24:00", or before FROM: then over midnight. At least one hour long
 *  "at": "HH:MM"         a sitting's span ends at that time of an allowed day: the first one not
 *                        before the span is used up. Not together with hours
 *  "min_gap_s": N        with at: nor is that sooner than so long after being asked (0 .. 30 days,
 * 0) "sleep": bool         the clock stands in the player's own sleep window (false); hours must
 * then be at least CLOCK_HOURS_WITH_SLEEP_MIN minutes long "vacation_days": N    so many days in
 * each year of the match may stand because the player is on vacation, 0 .. 366 (0)
 *  -- both again:
 *  "pauses": {"policy": "none" | "capped" | "free", "cap_s": N}    ("free") by consent; cap_s, with
 *                        "capped" alone and then needed: of all pauses together, 60 .. 366 days
 *  "ladder": {           what follows when a seat is out of time
 *    "remind_s": [N, ..] so long before the deadline, up to CLOCK_REMINDERS_MAX different ones of 1
 * s
 *                        .. 30 days (correspondence [86400], live [])
 *    "grace_s": N        then, before it is a miss, 0 .. 30 days (correspondence 86400, live 0)
 *    "misses": N         so many misses of a seat are forgiven, 0 .. 20 (0)
 *    "again_s": N        with misses: what a seat has after a forgiven one, 60 .. 60 days (the
 *                        longer of per_move_s and grace_s, at least 60)
 *    "then": WORD or [{"do": WORD, "for_s": N}, .., {"do": WORD}]   ("claim") what is due at the
 *                        next miss; up to CLOCK_STEPS_MAX steps, each for so long (60 .. 366 days)
 *                        before the next, the last for good; no step twice. claim, forfeit, annul,
 *                        substitute (anybody may take the seat), ally (three seats: the ally may),
 *                        caretaker (a bot takes it). Nothing follows forfeit, annul and caretaker
 *    "claims": [..]      with a step claim: which of win, grant, annul the others may claim (all)
 *    "grant_s": N        with grant: how much it gives, 60 .. 366 days (the longer of bank_s and
 *                        per_move_s, at least 60)
 *    "fresh_s": N        the bank of who takes over a seat is at least that, 0 .. 366 days (bank_s)
 *    "draft": "miss" | "play"   ("miss") what a saved draft is worth when grace is over: nothing,
 *                        or it is played
 *  }}
 * Whoever cannot move for ever is not a clock: running down everything must be possible within
 * CLOCK_YEARS_MAX years whatever the calendars say, else `bank_s` is refused. */
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
enum { CLOCK_CLAIM_WIN = 1, CLOCK_CLAIM_GRANT = 2, CLOCK_CLAIM_ANNUL = 4 };

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
/* What a sitting in that phase ("" or NULL: none) may take before the bank runs. */
int64_t clock_spec_span_ms(const struct clock_spec *spec, const char *phase);
/* "claim", "forfeit", ... static. */
const char *clock_do_name(enum clock_do what);
/* The bit of "win", "grant", "annul"; 0: no such claim. */
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
