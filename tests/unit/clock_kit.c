/* tests/unit/clock_kit.c */
#include "tests/unit/clock_kit.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *text, size_t n)
{
    char digits[8] = "";
    ck_assert_uint_lt(n, sizeof digits);
    memcpy(digits, text, n);
    return atoi(digits);
}

int64_t kit_day(const char *text)
{
    return zone_day_of_date(number(text, 4), (unsigned)number(text + 5, 2),
                            (unsigned)number(text + 8, 2));
}

int64_t kit_ms(const char *text)
{
    const int64_t ms = text[19] == '.' ? number(text + 20, 3) : 0;
    return kit_day(text) * DAY + (int64_t)number(text + 11, 2) * HOUR +
           (int64_t)number(text + 14, 2) * MINUTE + (int64_t)number(text + 17, 2) * SECOND + ms;
}

const char *kit_text(int64_t at_ms)
{
    static char texts[8][ZONE_TIME_MAX];
    static unsigned next;
    char *text = texts[next++ % 8];
    if (at_ms == ZONE_NEVER) { return "never"; }
    zone_write_utc(at_ms, text);
    return text;
}

struct clock_spec kit_spec(const char *text, unsigned seats)
{
    struct clock_spec spec;
    struct why why;
    char json[2048];
    size_t n = 0;
    for (; text[n] != '\0' && n + 1 < sizeof json; n++) {
        json[n] = '"';
        if (text[n] != '\'') { json[n] = text[n]; }
    }
    why_clear(&why);
    const enum err err = clock_spec_read(json, n, seats, &spec, &why);
    ck_assert_msg(err == ERR_OK, "%s: %s %s", text, why.member, why.text);
    return spec;
}

struct clock_calendar kit_calendar(const char *zone, const char *sleep, const char *vacation)
{
    struct clock_calendar calendar;
    clock_calendar_init(&calendar);
    snprintf(calendar.zone, sizeof calendar.zone, "%s", zone);
    if (sleep[0] != '\0') {
        calendar.sleep.from_min = (int16_t)(number(sleep, 2) * 60 + number(sleep + 3, 2));
        calendar.sleep.to_min = (int16_t)(number(sleep + 6, 2) * 60 + number(sleep + 9, 2));
    }
    if (vacation[0] != '\0') {
        calendar.vacations = 1;
        calendar.vacation[0].first_day = (int32_t)kit_day(vacation);
        calendar.vacation[0].last_day = (int32_t)kit_day(vacation + 11);
    }
    return calendar;
}

struct clock kit_clock(const struct clock_spec *spec, unsigned seats, const char *at, uint32_t mask)
{
    struct clock clock;
    ck_assert_int_eq(clock_begin(spec, seats, NULL, kit_ms(at), &clock), ERR_OK);
    kit_turn(&clock, spec, mask, "", kit_ms(at));
    return clock;
}

void kit_turn(struct clock *clock, const struct clock_spec *spec, uint32_t mask, const char *phase,
              int64_t at_ms)
{
    (void)kit_fire(clock, spec, at_ms, NULL);
    (void)clock_turn(clock, spec, &(struct clock_ask){.mask = mask, .phase = phase}, at_ms);
}

unsigned kit_fire(struct clock *clock, const struct clock_spec *spec, int64_t at_ms,
                  struct clock_event *out)
{
    for (unsigned count = 0;; count++) {
        struct clock_event event;
        clock_next(clock, spec, &event);
        if (event.kind == CLOCK_EV_NONE || event.at_ms > at_ms) { return count; }
        clock_fire(clock, spec, &event);
        if (out != NULL) { *out = event; }
        ck_assert_uint_lt(count, 100000);
    }
}

struct clock_event kit_next(const struct clock *clock, const struct clock_spec *spec)
{
    struct clock_event event;
    clock_next(clock, spec, &event);
    return event;
}

void kit_expect_event(struct clock *clock, const struct clock_spec *spec,
                      enum clock_event_kind kind, const char *at)
{
    const struct clock_event event = kit_next(clock, spec);
    ck_assert_int_eq(event.kind, kind);
    assert_time(event.at_ms, at);
    clock_fire(clock, spec, &event);
}
