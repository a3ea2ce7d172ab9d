/* server/clock/inside.h: what the files of this folder share. */
#ifndef VEDETTE_SERVER_CLOCK_INSIDE_H
#define VEDETTE_SERVER_CLOCK_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/clock/clock.h"

/* Static words. */
const char *clock_kind_name(enum clock_kind kind);
const char *clock_claim_name(unsigned bit);

/* A stretch of time that is of one kind to a seat. */
struct segment {
    enum clock_span_kind kind;
    int64_t until_ms; /* at least; ZONE_NEVER: no end is known */
    const struct zone *zone;
};
/* What the time at seat->at_ms is to the seat. Spends a day of its vacation where one begins. */
struct segment clock_segment(const struct clock *clock, const struct clock_spec *spec,
                             struct clock_seat *seat);
/* Whether the clock runs on that local day and, with it, the first fixed time (`at`) that is not
 * before at_ms. */
int64_t clock_fixed_ms(const struct clock_spec *spec, int64_t at_ms);

/* Goes on with the seat to limit_ms, to the end of the segment, or to where the stage of its
 * sitting changes, whichever comes first. Needs an asked seat that is not due. */
struct segment clock_step_seat(const struct clock *clock, const struct clock_spec *spec,
                               struct clock_seat *seat, int64_t limit_ms);
/* Everything up to now_ms is charged as it was; a seat whose event was not fired stays due. */
void clock_settle(struct clock *clock, const struct clock_spec *spec, int64_t now_ms);
/* Goes on to limit_ms or to where the seat is due. */
void clock_run_seat(const struct clock *clock, const struct clock_spec *spec,
                    struct clock_seat *seat, int64_t limit_ms);
/* When the seat will be due if nothing else happens; ZONE_NEVER. */
int64_t clock_due_ms(const struct clock *clock, const struct clock_spec *spec,
                     const struct clock_seat *seat);
/* The seat stands from seat->at_ms to to_ms. */
void clock_hold_seat(const struct clock_spec *spec, struct clock_seat *seat, int64_t to_ms);
/* Where nothing is left at the beginning of time that runs: on to the next stage. */
void clock_pass_empty(const struct clock *clock, const struct clock_spec *spec,
                      struct clock_seat *seat);
/* What the seat is due for: LATE, MISS or STEP. */
struct clock_event clock_due_event(const struct clock_spec *spec, const struct clock_seat *seat);
/* That is so now, at seat->at_ms. */
void clock_pass_due(const struct clock_spec *spec, struct clock_seat *seat);
/* The state word of the seat at seat->at_ms. */
const char *clock_word(const struct clock *clock, const struct clock_spec *spec,
                       const struct clock_seat *seat);
/* Until when a pause of all lasts at most. */
int64_t clock_pause_end_ms(const struct clock *clock, const struct clock_spec *spec);
/* The player of the seat is here, as far as is known. */
void clock_end_away(struct clock_seat *seat);
/* A sitting of the seat begins. */
void clock_sit(const struct clock *clock, const struct clock_spec *spec, struct clock_seat *seat,
               int64_t pace_ms, int64_t now_ms);

#endif
