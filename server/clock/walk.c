/* server/clock/walk.c: how time passes for a seat that is asked. Everything that is charged, shown
 * or fired goes through clock_step_seat. */
#include <assert.h>

#include "server/clock/inside.h"

/* No clock that is wound up runs longer (CLOCK_YEARS_MAX, and what stands in between). */
#define HORIZON_MS (INT64_C(366) * ZONE_DAY_MS * (CLOCK_YEARS_MAX + 2))

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What is left of what the stage counts down while the clock runs; NULL: it counts nothing. */
static int64_t *counted(struct clock_seat *seat)
{
    switch (seat->stage) {
    case CLOCK_BANK: return &seat->bank_ms;
    case CLOCK_SPAN:
    case CLOCK_GRACE:
    case CLOCK_AGAIN:
    case CLOCK_STEP: return &seat->left_ms;
    default: return NULL;
    }
}

/* Nothing more comes after the last step. */
static bool counts_for_good(const struct clock_spec *spec, const struct clock_seat *seat)
{
    return seat->stage == CLOCK_STEP && spec->step[seat->step].for_ms == 0;
}

/* Where the fixed time of this sitting is: not before its span was used up, nor within the gap of
 * being asked, both moved by what stood since, nor while it stood. */
static int64_t fixed_at_ms(const struct clock_spec *spec, const struct clock_seat *seat)
{
    const int64_t spent_ms = seat->spent_ms + seat->held_ms - seat->spent_held_ms;
    const int64_t gap_ms = seat->asked_ms + seat->held_ms + spec->min_gap_ms;
    return clock_fixed_ms(spec, later(later(spent_ms, gap_ms), seat->fixed_from_ms));
}

void clock_hold_seat(const struct clock_spec *spec, struct clock_seat *seat, int64_t to_ms)
{
    seat->held_ms += to_ms - seat->at_ms;
    seat->at_ms = to_ms;
    if (seat->stage == CLOCK_FIXED && fixed_at_ms(spec, seat) <= to_ms) {
        seat->fixed_from_ms = to_ms + 1;
    }
}

static void enter_bank(struct clock_seat *seat)
{
    seat->stage = CLOCK_BANK;
    seat->due = seat->bank_ms == 0;
}

/* The stage has counted down to nothing at seat->at_ms. */
static void pass_stage(const struct clock_spec *spec, struct clock_seat *seat)
{
    if (seat->stage == CLOCK_SPAN && spec->at_min >= 0) {
        seat->stage = CLOCK_FIXED;
        seat->spent_ms = seat->at_ms;
        seat->spent_held_ms = seat->held_ms;
        seat->fixed_from_ms = 0;
        if (fixed_at_ms(spec, seat) <= seat->at_ms) { enter_bank(seat); }
    } else if (seat->stage == CLOCK_SPAN || seat->stage == CLOCK_FIXED) {
        enter_bank(seat);
    } else {
        seat->due = true;
    }
}

/* Whether the clock of the seat is held at seat->at_ms. */
static bool stands(const struct clock *clock, const struct clock_spec *spec,
                   const struct clock_seat *seat)
{
    struct clock_seat look = *seat;
    const enum clock_span_kind kind = clock_segment(clock, spec, &look).kind;
    return kind == CLOCK_PAUSE || kind == CLOCK_PACE || kind == CLOCK_VACATION;
}

void clock_pass_empty(const struct clock *clock, const struct clock_spec *spec,
                      struct clock_seat *seat)
{
    const int64_t *left_ms = counted(seat);
    if (seat->due || left_ms == NULL || *left_ms > 0 || counts_for_good(spec, seat)) { return; }
    struct clock_seat look = *seat;
    if (clock_segment(clock, spec, &look).kind == CLOCK_RUNS) { pass_stage(spec, seat); }
}

struct segment clock_step_seat(const struct clock *clock, const struct clock_spec *spec,
                               struct clock_seat *seat, int64_t limit_ms)
{
    assert(!seat->due && seat->stage != CLOCK_STANDS && seat->stage != CLOCK_MISSED);
    struct segment segment = clock_segment(clock, spec, seat);
    const bool held =
        segment.kind == CLOCK_PAUSE || segment.kind == CLOCK_PACE || segment.kind == CLOCK_VACATION;
    const bool runs = segment.kind == CLOCK_RUNS;
    const int64_t from_ms = seat->at_ms;
    int64_t to_ms = earlier(segment.until_ms, limit_ms), fixed_ms = ZONE_NEVER;
    int64_t *left_ms = runs && !counts_for_good(spec, seat) ? counted(seat) : NULL;
    if (left_ms != NULL) { to_ms = earlier(to_ms, from_ms + *left_ms); }
    if (seat->stage == CLOCK_FIXED && !held) {
        fixed_ms = fixed_at_ms(spec, seat);
        to_ms = later(earlier(to_ms, fixed_ms), from_ms);
    }
    if (to_ms == ZONE_NEVER) { /* it stays so for ever */
        seat->at_ms = to_ms;
        return segment;
    }
    if (left_ms != NULL) { *left_ms -= to_ms - from_ms; }
    if (held) { clock_hold_seat(spec, seat, to_ms); }
    if (runs && seat->stage != CLOCK_STEP) { seat->used_ms += to_ms - from_ms; }
    seat->at_ms = to_ms;
    segment.until_ms = to_ms;
    /* A fixed time at which a vacation begins comes while the clock stands. */
    const bool fixed = to_ms >= fixed_ms && !stands(clock, spec, seat);
    if ((left_ms != NULL && *left_ms == 0) || fixed) {
        pass_stage(spec, seat);
    } else if (!runs) {
        clock_pass_empty(clock, spec, seat);
    }
    return segment;
}

void clock_run_seat(const struct clock *clock, const struct clock_spec *spec,
                    struct clock_seat *seat, int64_t limit_ms)
{
    if (seat->stage == CLOCK_STANDS || seat->stage == CLOCK_MISSED) { return; }
    while (!seat->due && seat->at_ms < limit_ms) {
        (void)clock_step_seat(clock, spec, seat, limit_ms);
    }
}

int64_t clock_due_ms(const struct clock *clock, const struct clock_spec *spec,
                     const struct clock_seat *seat)
{
    if (seat->stage == CLOCK_STANDS || counts_for_good(spec, seat)) { return ZONE_NEVER; }
    if (seat->frozen || clock_pause_end_ms(clock, spec) == ZONE_NEVER) {
        return seat->due ? seat->at_ms : ZONE_NEVER;
    }
    struct clock_seat look = *seat;
    clock_run_seat(clock, spec, &look, seat->at_ms + HORIZON_MS);
    return look.due ? look.at_ms : ZONE_NEVER;
}

struct clock_event clock_due_event(const struct clock_spec *spec, const struct clock_seat *seat)
{
    struct clock_event event = {.kind = CLOCK_EV_MISS, .at_ms = seat->at_ms};
    if (seat->stage == CLOCK_BANK && spec->grace_ms > 0) {
        event.kind = CLOCK_EV_LATE;
    } else if (seat->stage == CLOCK_MISSED || seat->stage == CLOCK_STEP) {
        event.kind = CLOCK_EV_STEP;
        event.index = seat->stage == CLOCK_MISSED ? 0 : seat->step + 1U;
        event.what = spec->step[event.index].what;
    } else {
        event.forgiven = seat->misses < spec->misses;
    }
    return event;
}

void clock_pass_due(const struct clock_spec *spec, struct clock_seat *seat)
{
    const struct clock_event event = clock_due_event(spec, seat);
    seat->due = false;
    if (event.kind == CLOCK_EV_LATE) {
        seat->stage = CLOCK_GRACE;
        seat->left_ms = spec->grace_ms;
    } else if (event.kind == CLOCK_EV_STEP) {
        seat->stage = CLOCK_STEP;
        seat->step = (uint8_t)event.index;
        seat->left_ms = spec->step[event.index].for_ms;
    } else {
        seat->misses++;
        seat->stage = event.forgiven ? CLOCK_AGAIN : CLOCK_MISSED;
        seat->left_ms = event.forgiven ? spec->again_ms : 0;
        seat->due = !event.forgiven;
    }
}

const char *clock_word(const struct clock *clock, const struct clock_spec *spec,
                       const struct clock_seat *seat)
{
    static const char *const words[CLOCK_SPAN_KINDS] = {
        [CLOCK_RUNS] = "runs",         [CLOCK_PAUSE] = "paused",  [CLOCK_PACE] = "pace",
        [CLOCK_DAY] = "closed",        [CLOCK_HOURS] = "closed",  [CLOCK_SLEEP] = "asleep",
        [CLOCK_VACATION] = "vacation", [CLOCK_OUTAGE] = "paused",
    };
    if (clock->over) { return "over"; }
    if (seat->stage == CLOCK_STANDS) { return "stands"; }
    struct clock_seat look = *seat;
    const enum clock_span_kind kind = clock_segment(clock, spec, &look).kind;
    if (kind == CLOCK_PAUSE) { return words[kind]; }
    if (seat->stage == CLOCK_STEP || seat->stage == CLOCK_MISSED) { return "out"; }
    if (seat->stage == CLOCK_GRACE || seat->stage == CLOCK_AGAIN) { return "grace"; }
    return words[kind];
}

void clock_sit(const struct clock *clock, const struct clock_spec *spec, struct clock_seat *seat,
               int64_t pace_ms, int64_t now_ms)
{
    const struct zone *zone = NULL;
    seat->calendar = seat->next;
    seat->zone = zone_find(seat->calendar.zone, &zone) == ERR_OK ? zone : zone_utc();
    seat->stage = CLOCK_SPAN;
    seat->due = seat->vacation_told = false;
    seat->at_ms = seat->asked_ms = now_ms;
    seat->pace_ms = pace_ms > 0 ? now_ms + pace_ms : 0;
    seat->span_ms = seat->left_ms = clock_spec_span_ms(spec, clock->phase);
    seat->held_ms = seat->spent_ms = seat->spent_held_ms = seat->fixed_from_ms = 0;
    seat->whole_ms = seat->bank_ms;
    seat->step = 0;
    clock_end_away(seat);
    for (unsigned i = 0; i < CLOCK_REMINDERS_MAX; i++) {
        seat->reminded_ms[i] = 0;
    }
    clock_pass_empty(clock, spec, seat);
}
