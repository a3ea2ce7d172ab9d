/* tests/unit/clock_kit.h: times as text, specs that must be good, for the tests of server/clock. */
#ifndef VEDETTE_TESTS_UNIT_CLOCK_KIT_H
#define VEDETTE_TESTS_UNIT_CLOCK_KIT_H

#include <stdint.h>

#include "server/clock/clock.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE };
#define DAY (INT64_C(24) * HOUR)

/* "2026-03-29T01:00:00Z", with ".123" before the Z if need be, as ms. */
int64_t kit_ms(const char *text);
/* "2026-03-29" as days since 1970. */
int64_t kit_day(const char *text);
/* In a buffer of its own; up to eight at once. */
const char *kit_text(int64_t at_ms);
/* The spec, which must be good. ' stands for ". */
struct clock_spec kit_spec(const char *text, unsigned seats);
/* Zone, night ("23:00-07:00" or "") and vacation ("2026-03-29/2026-04-02" or ""). */
struct clock_calendar kit_calendar(const char *zone, const char *sleep, const char *vacation);
/* A clock that begins at that time, and asks those of mask. */
struct clock kit_clock(const struct clock_spec *spec, unsigned seats, const char *at,
                       uint32_t mask);
/* Another turn. */
void kit_turn(struct clock *clock, const struct clock_spec *spec, uint32_t mask, const char *phase,
              int64_t at_ms);
/* Fires what is due up to at_ms, returns how many; out: the last. */
unsigned kit_fire(struct clock *clock, const struct clock_spec *spec, int64_t at_ms,
                  struct clock_event *out);

/* What the clock does next. */
struct clock_event kit_next(const struct clock *clock, const struct clock_spec *spec);
/* The next event is that one, and at that time; fires it. */
void kit_expect_event(struct clock *clock, const struct clock_spec *spec,
                      enum clock_event_kind kind, const char *at);

/* Both as text, so that a failure can be read. */
#define assert_time(got, want) ck_assert_str_eq(kit_text(got), want)

#endif
