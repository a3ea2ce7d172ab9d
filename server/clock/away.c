/* server/clock/away.c: the player of a live match who is gone while he is asked; and a match that
 * goes on by correspondence. */
#include <assert.h>

#include "server/clock/inside.h"

#define BIT(n) (UINT32_C(1) << (n))

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void clock_end_away(struct clock_seat *seat)
{
    seat->away_ms = 0;
    seat->gone = false;
}

bool clock_may_be_away(const struct clock *clock, const struct clock_spec *spec, unsigned seat)
{
    const bool asked = (clock->asked & BIT(seat)) != 0;
    return spec->away_ms > 0 && asked && !clock->over && clock->pause_ms == 0 &&
           !clock->seat[seat].frozen;
}

int64_t clock_gone_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat)
{
    const int64_t since_ms = clock->seat[seat].away_ms;
    if (since_ms == 0 || !clock_may_be_away(clock, spec, seat)) { return ZONE_NEVER; }
    return since_ms + spec->away_ms;
}

uint32_t clock_away_claims(const struct clock *clock, const struct clock_spec *spec, unsigned seat)
{
    return clock->seat[seat].gone && clock_may_be_away(clock, spec, seat) ? spec->away_claims : 0;
}

bool clock_away(struct clock *clock, const struct clock_spec *spec, unsigned seat_index, bool away,
                int64_t now_ms)
{
    assert(seat_index < clock->seats);
    struct clock_seat *seat = &clock->seat[seat_index];
    if ((seat->away_ms != 0) == away) { return false; }
    if (away && !clock_may_be_away(clock, spec, seat_index)) { return false; }
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    clock_end_away(seat);
    if (away) { seat->away_ms = now_ms; }
    (void)clock_refresh(clock, spec, now_ms);
    return true;
}

/* The sitting has the longer span of both; nothing that was used comes back. */
static void convert_sitting(const struct clock *clock, const struct clock_spec *to,
                            struct clock_seat *seat)
{
    const int64_t more_ms = clock_spec_span_ms(to, clock->phase) - seat->span_ms;
    for (unsigned i = 0; i < CLOCK_REMINDERS_MAX; i++) {
        seat->reminded_ms[i] = 0;
    }
    if (more_ms > 0) {
        seat->span_ms += more_ms;
        seat->left_ms = seat->stage == CLOCK_SPAN ? seat->left_ms + more_ms : more_ms;
        seat->stage = CLOCK_SPAN;
        seat->due = false;
    } else if (seat->stage != CLOCK_SPAN && seat->bank_ms > 0) {
        seat->stage = CLOCK_BANK;
        seat->due = false;
    }
}

void clock_convert(struct clock *clock, const struct clock_spec *from, const struct clock_spec *to,
                   int64_t now_ms)
{
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, from, now_ms);
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        clock_end_away(seat);
        seat->bank_ms += to->bank_ms;
        seat->whole_ms += to->bank_ms;
        if ((clock->asked & BIT(i)) == 0) { continue; }
        if (seat->due) { seat->at_ms = now_ms; }
        convert_sitting(clock, to, seat);
    }
    (void)clock_refresh(clock, to, now_ms);
}
