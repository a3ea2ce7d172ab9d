/* server/clock/pack.c: a clock as bytes, and back. */
#include <assert.h>
#include <string.h>

#include "server/clock/inside.h"

#define AMOUNT_MAX                                                                                 \
    (INT64_C(1) << 43) /* of ms, some 278 years: adding a few of them never overflows */

/* Bytes that are written or read in order. */
struct bytes {
    uint8_t *out;
    const uint8_t *in;
    size_t at, size;
    bool bad;
};

static void put(struct bytes *b, uint64_t value, size_t n)
{
    assert(b->at + n <= b->size);
    for (size_t i = 0; i < n; i++) {
        b->out[b->at++] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get(struct bytes *b, size_t n)
{
    uint64_t value = 0;
    if (b->bad || b->size - b->at < n) {
        b->bad = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)b->in[b->at++] << (8 * i);
    }
    return value;
}

static void put_ms(struct bytes *b, int64_t value)
{
    put(b, (uint64_t)value, 8);
}

/* An instant or an amount of time, which are never negative but where that is said. */
static int64_t get_ms_from(struct bytes *b, int64_t min)
{
    const int64_t value = (int64_t)get(b, 8);
    if (value < min || value > AMOUNT_MAX) { b->bad = true; }
    return b->bad ? 0 : value;
}

static int64_t get_ms(struct bytes *b)
{
    return get_ms_from(b, 0);
}

/* A number below max, of one byte. */
static unsigned get_below(struct bytes *b, unsigned max)
{
    const unsigned value = (unsigned)get(b, 1);
    if (value >= max) { b->bad = true; }
    return b->bad ? 0 : value;
}

static void put_text(struct bytes *b, const char *text)
{
    const size_t n = strlen(text);
    put(b, n, 1);
    for (size_t i = 0; i < n; i++) {
        put(b, (uint8_t)text[i], 1);
    }
}

static void get_text(struct bytes *b, char *out, size_t size)
{
    const size_t n = get_below(b, (unsigned)size);
    for (size_t i = 0; i < n; i++) {
        out[i] = (char)get(b, 1);
    }
    out[n] = '\0';
    if (strlen(out) != n) { b->bad = true; }
}

static void put_calendar(struct bytes *b, const struct clock_calendar *calendar)
{
    put_text(b, calendar->zone);
    put(b, (uint16_t)calendar->sleep.from_min, 2);
    put(b, (uint16_t)calendar->sleep.to_min, 2);
    put(b, calendar->vacations, 1);
    for (unsigned i = 0; i < calendar->vacations; i++) {
        put(b, (uint32_t)calendar->vacation[i].first_day, 4);
        put(b, (uint32_t)calendar->vacation[i].last_day, 4);
    }
}

static void get_calendar(struct bytes *b, struct clock_calendar *out)
{
    get_text(b, out->zone, sizeof out->zone);
    out->sleep.from_min = (int16_t)get(b, 2);
    out->sleep.to_min = (int16_t)get(b, 2);
    if (out->sleep.from_min < 0 || out->sleep.from_min >= 1440 || out->sleep.to_min < 0 ||
        out->sleep.to_min >= 1440) {
        b->bad = true;
    }
    out->vacations = get_below(b, CLOCK_VACATIONS_MAX + 1);
    for (unsigned i = 0; i < out->vacations; i++) {
        out->vacation[i].first_day = (int32_t)get(b, 4);
        out->vacation[i].last_day = (int32_t)get(b, 4);
    }
}

static void put_seat(struct bytes *b, const struct clock_seat *seat)
{
    const int64_t times[] = {seat->at_ms,         seat->bank_ms,      seat->used_ms,
                             seat->asked_ms,      seat->pace_ms,      seat->span_ms,
                             seat->left_ms,       seat->held_ms,      seat->spent_ms,
                             seat->spent_held_ms, seat->fixed_from_ms};
    put(b, (uint64_t)seat->stage, 1);
    put(b,
        (seat->due ? 1U : 0U) | (seat->frozen ? 2U : 0U) | (seat->gone ? 4U : 0U) |
            (seat->vacation_told ? 8U : 0U),
        1);
    put_ms(b, seat->away_ms);
    put_ms(b, seat->whole_ms);
    put(b, seat->step, 1);
    put(b, (uint32_t)seat->misses, 4);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        put_ms(b, times[i]);
    }
    for (unsigned i = 0; i < CLOCK_REMINDERS_MAX; i++) {
        put_ms(b, seat->reminded_ms[i]);
    }
    put(b, (uint32_t)seat->vacation_spent, 4);
    put(b, (uint32_t)seat->vacation_year, 4);
    put(b, (uint32_t)seat->vacation_day, 4);
    put_calendar(b, &seat->calendar);
    put_calendar(b, &seat->next);
}

/* Version 1 knew nobody who is away, version 2 nothing of what a sitting took from a bank. */
static void get_seat(struct bytes *b, uint64_t version, const struct clock_spec *spec,
                     struct clock_seat *out)
{
    out->stage = (enum clock_stage)get_below(b, CLOCK_STEP + 1);
    const unsigned flags = get_below(b, version < 2 ? 4 : 16);
    out->due = (flags & 1U) != 0;
    out->frozen = (flags & 2U) != 0;
    out->gone = (flags & 4U) != 0;
    out->vacation_told = (flags & 8U) != 0;
    out->away_ms = version < 2 ? 0 : get_ms(b);
    out->whole_ms = version < 3 ? 0 : get_ms(b);
    out->step = (uint8_t)get_below(b, CLOCK_STEPS_MAX);
    out->misses = (int32_t)get(b, 4);
    int64_t *const times[] = {&out->at_ms,         &out->bank_ms,      &out->used_ms,
                              &out->asked_ms,      &out->pace_ms,      &out->span_ms,
                              &out->left_ms,       &out->held_ms,      &out->spent_ms,
                              &out->spent_held_ms, &out->fixed_from_ms};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        *times[i] = get_ms(b);
    }
    for (unsigned i = 0; i < CLOCK_REMINDERS_MAX; i++) {
        out->reminded_ms[i] = get_ms(b);
    }
    out->vacation_spent = (int32_t)get(b, 4);
    out->vacation_year = (int32_t)get(b, 4);
    out->vacation_day = (int32_t)get(b, 4);
    get_calendar(b, &out->calendar);
    get_calendar(b, &out->next);
    if (out->stage == CLOCK_STEP && out->step >= spec->steps) { b->bad = true; }
    if (out->stage == CLOCK_MISSED && !out->due) { b->bad = true; }
    if (out->gone && out->away_ms == 0) { b->bad = true; }
    if (b->bad || zone_find(out->calendar.zone, &out->zone) != ERR_OK) { out->zone = zone_utc(); }
}

size_t clock_pack(const struct clock *clock, uint8_t out[CLOCK_PACK_BYTES_MAX])
{
    struct bytes b = {.out = out, .size = CLOCK_PACK_BYTES_MAX};
    put(&b, CLOCK_PACK_VERSION, 1);
    put(&b, clock->seats, 1);
    put(&b, (clock->over ? 1U : 0U) | (clock->pause_counts ? 2U : 0U), 1);
    put(&b, clock->asked, 1);
    put(&b, clock->excused, 1);
    put_text(&b, clock->phase);
    put_ms(&b, clock->began_ms);
    put_ms(&b, clock->at_ms);
    put_ms(&b, clock->pause_ms);
    put_ms(&b, clock->paused_ms);
    put(&b, clock->held_count, 1);
    for (unsigned i = 0; i < clock->held_count; i++) {
        put(&b, (uint64_t)clock->held[i].kind, 1);
        put(&b, (uint8_t)(clock->held[i].seat + 1), 1);
        put_ms(&b, clock->held[i].from_ms);
        put_ms(&b, clock->held[i].to_ms);
    }
    for (unsigned i = 0; i < clock->seats; i++) {
        put_seat(&b, &clock->seat[i]);
    }
    return b.at;
}

enum err clock_unpack(const uint8_t *bytes, size_t n, const struct clock_spec *spec,
                      struct clock *out_clock)
{
    struct bytes b = {.in = bytes, .size = n};
    struct clock clock;
    memset(&clock, 0, sizeof clock);
    const uint64_t version = get(&b, 1);
    if (version < 1 || version > CLOCK_PACK_VERSION) { return ERR_INVALID_PARAMS; }
    clock.seats = get_below(&b, CLOCK_SEATS_MAX + 1);
    const unsigned flags = get_below(&b, 4);
    clock.over = (flags & 1U) != 0;
    clock.pause_counts = (flags & 2U) != 0;
    clock.asked = get_below(&b, 1U << clock.seats);
    clock.excused = version < 2 ? 0 : get_below(&b, 1U << clock.seats);
    get_text(&b, clock.phase, sizeof clock.phase);
    clock.began_ms = get_ms(&b);
    clock.at_ms = get_ms(&b);
    clock.pause_ms = get_ms(&b);
    clock.paused_ms = get_ms_from(&b, -AMOUNT_MAX); /* less what outages took */
    clock.held_count = get_below(&b, CLOCK_HELD_MAX + 1);
    for (unsigned i = 0; i < clock.held_count; i++) {
        clock.held[i].kind = (enum clock_span_kind)get_below(&b, CLOCK_SPAN_KINDS);
        clock.held[i].seat = (int8_t)((int)get_below(&b, clock.seats + 1) - 1);
        clock.held[i].from_ms = get_ms(&b);
        clock.held[i].to_ms = get_ms(&b);
    }
    for (unsigned i = 0; i < clock.seats; i++) {
        get_seat(&b, version, spec, &clock.seat[i]);
        const bool asked = (clock.asked >> i & 1U) != 0;
        if (asked == (clock.seat[i].stage == CLOCK_STANDS)) { b.bad = true; }
    }
    if (b.bad || b.at != n || clock.seats == 0) { return ERR_INVALID_PARAMS; }
    for (unsigned i = 0; version < 2 && i < clock.seats; i++) { /* it was told when it began */
        struct clock_seat *seat = &clock.seat[i];
        seat->vacation_told = strcmp(clock_word(&clock, spec, seat), "vacation") == 0;
    }
    (void)clock_refresh(&clock, spec, clock.at_ms);
    *out_clock = clock;
    return ERR_OK;
}
