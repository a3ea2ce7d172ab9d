/* server/clock/clock.c: the transitions of a clock, and what comes next. */
#include "server/clock/clock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "server/clock/inside.h"

#define BIT(n) (UINT32_C(1) << (n))

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_asked(const struct clock *clock, unsigned seat)
{
    return (clock->asked & BIT(seat)) != 0;
}

/* Everything up to now is charged as it was. A seat whose event was not fired goes on from now. */
void clock_settle(struct clock *clock, const struct clock_spec *spec, int64_t now_ms)
{
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        if (!is_asked(clock, i)) { continue; }
        clock_run_seat(clock, spec, seat, now_ms);
    }
    clock->at_ms = later(clock->at_ms, now_ms);
}

/* After a transition: the deadlines from here. */
static void look_ahead(struct clock *clock, const struct clock_spec *spec)
{
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        seat->deadline_ms = ZONE_NEVER;
        if (!is_asked(clock, i)) { continue; }
        clock_pass_empty(clock, spec, seat); /* it may run only now, with nothing left */
        seat->deadline_ms = clock_due_ms(clock, spec, seat);
    }
}

enum err clock_begin(const struct clock_spec *spec, unsigned seats,
                     const struct clock_calendar *calendars, int64_t now_ms,
                     struct clock *out_clock)
{
    assert(seats >= 1 && seats <= CLOCK_SEATS_MAX);
    enum err err = ERR_OK;
    memset(out_clock, 0, sizeof *out_clock);
    out_clock->seats = seats;
    out_clock->began_ms = out_clock->at_ms = now_ms;
    for (unsigned i = 0; i < seats; i++) {
        struct clock_seat *seat = &out_clock->seat[i];
        clock_calendar_init(&seat->next);
        seat->zone = zone_utc();
        if (calendars != NULL) {
            seat->next = calendars[i];
            err = zone_find(seat->next.zone, &seat->zone);
            if (err != ERR_OK) { seat->zone = zone_utc(); }
        }
        seat->calendar = seat->next;
        seat->at_ms = now_ms;
        seat->bank_ms = spec->bank_ms;
        seat->vacation_day = INT32_MIN;
        seat->deadline_ms = ZONE_NEVER;
    }
    return err;
}

/* --- turns ------------------------------------------------------------------------------------ */

static void end_sitting(const struct clock_spec *spec, struct clock_seat *seat, bool earns,
                        int64_t now_ms)
{
    seat->stage = CLOCK_STANDS;
    seat->due = seat->vacation_told = false;
    clock_end_away(seat);
    seat->at_ms = now_ms;
    if (!earns || spec->increment_ms == 0) { return; }
    const int64_t full_ms = seat->bank_ms + spec->increment_ms;
    const int64_t max_ms = spec->bank_max_ms;
    /* What a grant put above the bound stays. */
    seat->bank_ms = max_ms == 0 || full_ms <= max_ms ? full_ms : later(seat->bank_ms, max_ms);
}

/* A sitting has the longest span of the phases it passes through. */
static void widen_span(const struct clock_spec *spec, struct clock_seat *seat, const char *phase)
{
    const int64_t span_ms = clock_spec_span_ms(spec, phase);
    if (span_ms <= seat->span_ms) { return; }
    const int64_t more_ms = span_ms - seat->span_ms;
    seat->span_ms = span_ms;
    if (seat->stage == CLOCK_SPAN) { seat->left_ms += more_ms; }
    if (seat->stage == CLOCK_FIXED || seat->stage == CLOCK_BANK) {
        seat->stage = CLOCK_SPAN;
        seat->left_ms = more_ms;
        seat->due = false;
    }
}

bool clock_turn(struct clock *clock, const struct clock_spec *spec, const struct clock_ask *ask,
                int64_t now_ms)
{
    const char *phase = ask->phase != NULL ? ask->phase : "";
    const uint32_t mask = clock->over ? 0 : ask->mask & (BIT(clock->seats) - 1);
    const bool moved = strncmp(clock->phase, phase, sizeof clock->phase - 1) != 0;
    if (mask == clock->asked && !moved) { return false; }
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    const uint32_t before = clock->asked;
    clock->asked = mask;
    if (moved) { snprintf(clock->phase, sizeof clock->phase, "%s", phase); }
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        const bool was = (before & BIT(i)) != 0, is = (mask & BIT(i)) != 0;
        if (was && !is) { end_sitting(spec, seat, !ask->rewound, now_ms); }
        if (was && is && moved) { widen_span(spec, seat, clock->phase); }
        if (!was && is) {
            clock_sit(clock, spec, seat, (ask->pace & BIT(i)) != 0 ? ask->pace_ms : 0, now_ms);
        }
    }
    look_ahead(clock, spec);
    return true;
}

/* --- what stops it and makes it go on --------------------------------------------------------- */

/* Notes for the explanation that something stood; the oldest note goes. */
static void note_held(struct clock *clock, enum clock_span_kind kind, int seat, int64_t from_ms,
                      int64_t to_ms)
{
    if (clock->held_count == CLOCK_HELD_MAX) {
        memmove(clock->held, clock->held + 1, (CLOCK_HELD_MAX - 1) * sizeof clock->held[0]);
        clock->held_count--;
    }
    clock->held[clock->held_count++] = (struct clock_held){kind, (int8_t)seat, from_ms, to_ms};
}

static void end_held(struct clock *clock, enum clock_span_kind kind, int seat, int64_t to_ms)
{
    for (unsigned i = 0; i < clock->held_count; i++) {
        struct clock_held *held = &clock->held[i];
        if (held->kind == kind && held->seat == seat && held->to_ms == 0) { held->to_ms = to_ms; }
    }
}

enum err clock_pause(struct clock *clock, const struct clock_spec *spec, bool by_consent,
                     int64_t now_ms, struct why *why)
{
    if (clock->pause_ms != 0) {
        return why_conflict(why, "paused", "The clocks are paused already.");
    }
    if (by_consent && spec->pauses == CLOCK_PAUSES_NONE) {
        return why_conflict(why, "pauses", "This match allows no pauses.");
    }
    if (by_consent && spec->pauses == CLOCK_PAUSES_CAPPED &&
        clock->paused_ms >= spec->pause_cap_ms) {
        return why_conflict(why, "pauses", "All time for pauses is used up.");
    }
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    for (unsigned i = 0; i < clock->seats; i++) {
        clock_end_away(&clock->seat[i]);
    }
    clock->pause_ms = now_ms;
    clock->pause_counts = by_consent;
    note_held(clock, CLOCK_PAUSE, -1, now_ms, 0);
    look_ahead(clock, spec);
    return ERR_OK;
}

static void end_pause(struct clock *clock, const struct clock_spec *spec, int64_t now_ms)
{
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    if (clock->pause_counts) { clock->paused_ms += now_ms - clock->pause_ms; }
    clock->pause_ms = 0;
    end_held(clock, CLOCK_PAUSE, -1, now_ms);
    look_ahead(clock, spec);
}

enum err clock_resume(struct clock *clock, const struct clock_spec *spec, int64_t now_ms,
                      struct why *why)
{
    if (clock->pause_ms == 0) { return why_conflict(why, "running", "The clocks are not paused."); }
    end_pause(clock, spec, now_ms);
    return ERR_OK;
}

bool clock_freeze(struct clock *clock, const struct clock_spec *spec, unsigned seat, bool on,
                  int64_t now_ms)
{
    assert(seat < clock->seats);
    if (clock->seat[seat].frozen == on) { return false; }
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    clock->seat[seat].frozen = on;
    clock_end_away(&clock->seat[seat]);
    if (on) { note_held(clock, CLOCK_PAUSE, (int)seat, now_ms, 0); }
    if (!on) { end_held(clock, CLOCK_PAUSE, (int)seat, now_ms); }
    look_ahead(clock, spec);
    return true;
}

void clock_outage(struct clock *clock, const struct clock_spec *spec, int64_t from_ms,
                  int64_t now_ms)
{
    from_ms = later(from_ms, clock->at_ms);
    for (unsigned i = 0; i < clock->seats; i++) {
        clock_end_away(&clock->seat[i]); /* no player took his connection away */
    }
    if (clock->over || now_ms <= from_ms) { return; }
    clock_settle(clock, spec, from_ms);
    const int64_t gap_ms = now_ms - from_ms;
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        if (!is_asked(clock, i)) { continue; }
        if (seat->due) { /* nothing was done about it: it is due now, and what follows counts from
                            then */
            seat->at_ms += gap_ms;
            continue;
        }
        clock_hold_seat(spec, seat, now_ms);
        if (seat->pace_ms > from_ms) { seat->pace_ms += gap_ms; }
    }
    if (clock->pause_ms != 0 && clock->pause_counts) { clock->paused_ms -= gap_ms; }
    clock->at_ms = now_ms;
    note_held(clock, CLOCK_OUTAGE, -1, from_ms, now_ms);
    look_ahead(clock, spec);
}

void clock_grant(struct clock *clock, const struct clock_spec *spec, unsigned seat_index,
                 int64_t ms, int64_t now_ms)
{
    assert(seat_index < clock->seats && ms > 0);
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    struct clock_seat *seat = &clock->seat[seat_index];
    const int64_t before_ms = seat->bank_ms;
    if (seat->bank_ms < CLOCK_BANK_MS_MAX) {
        seat->bank_ms = earlier(seat->bank_ms + ms, CLOCK_BANK_MS_MAX);
    }
    seat->whole_ms += seat->bank_ms - before_ms;
    if (seat->due || seat->stage == CLOCK_GRACE || seat->stage == CLOCK_AGAIN ||
        seat->stage == CLOCK_MISSED || seat->stage == CLOCK_STEP) {
        seat->stage = CLOCK_BANK;
        seat->due = false;
        seat->at_ms = now_ms;
    }
    look_ahead(clock, spec);
}

void clock_excuse(struct clock *clock, const struct clock_spec *spec, uint32_t seats,
                  int64_t now_ms)
{
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_seat *seat = &clock->seat[i];
        if ((seats & BIT(i)) == 0 || !is_asked(clock, i)) { continue; }
        seat->bank_ms = later(seat->bank_ms, earlier(seat->whole_ms, CLOCK_BANK_MS_MAX));
    }
    clock->excused |= seats;
    look_ahead(clock, spec);
}

enum err clock_calendar_set(struct clock *clock, const struct clock_spec *spec, unsigned seat_index,
                            const struct clock_calendar *calendar, int64_t now_ms)
{
    assert(seat_index < clock->seats);
    const struct zone *zone = NULL;
    if (zone_find(calendar->zone, &zone) != ERR_OK) { return ERR_INVALID_PARAMS; }
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    struct clock_seat *seat = &clock->seat[seat_index];
    seat->next = *calendar;
    seat->calendar.vacations = calendar->vacations;
    memcpy(seat->calendar.vacation, calendar->vacation, sizeof calendar->vacation);
    if (!is_asked(clock, seat_index)) {
        seat->calendar = *calendar;
        seat->zone = zone;
    }
    look_ahead(clock, spec);
    return ERR_OK;
}

void clock_seat_new(struct clock *clock, const struct clock_spec *spec, unsigned seat_index,
                    const struct clock_calendar *calendar, int64_t now_ms)
{
    assert(seat_index < clock->seats);
    now_ms = later(now_ms, clock->at_ms);
    clock_settle(clock, spec, now_ms);
    struct clock_seat *seat = &clock->seat[seat_index];
    if (seat->frozen) { end_held(clock, CLOCK_PAUSE, (int)seat_index, now_ms); }
    clock_calendar_init(&seat->next);
    if (calendar != NULL) { seat->next = *calendar; }
    seat->bank_ms = later(seat->bank_ms, spec->fresh_ms);
    seat->misses = 0;
    seat->frozen = false;
    clock_end_away(seat);
    seat->vacation_spent = 0;
    seat->vacation_day = INT32_MIN;
    if (is_asked(clock, seat_index)) {
        clock_sit(clock, spec, seat, 0, now_ms);
    } else {
        seat->calendar = seat->next;
        if (zone_find(seat->calendar.zone, &seat->zone) != ERR_OK) { seat->zone = zone_utc(); }
    }
    look_ahead(clock, spec);
}

void clock_stop(struct clock *clock, const struct clock_spec *spec, int64_t now_ms)
{
    const struct clock_ask nobody = {.rewound = true, .phase = clock->phase};
    if (clock->pause_ms != 0) { end_pause(clock, spec, now_ms); }
    (void)clock_turn(clock, spec, &nobody, now_ms);
    clock->over = true;
    clock->at_ms = later(clock->at_ms, now_ms);
}

void clock_reopen(struct clock *clock, const struct clock_spec *spec, int64_t now_ms)
{
    if (!clock->over) { return; }
    clock->over = false;
    clock->at_ms = later(clock->at_ms, now_ms);
    for (unsigned i = 0; i < clock->seats; i++) {
        if (clock->seat[i].bank_ms == 0) { clock->seat[i].bank_ms = spec->grant_ms; }
    }
}

bool clock_refresh(struct clock *clock, const struct clock_spec *spec, int64_t now_ms)
{
    int64_t before[CLOCK_SEATS_MAX];
    bool changed = false;
    if (!clock->over && now_ms > clock->at_ms) { clock_settle(clock, spec, now_ms); }
    for (unsigned i = 0; i < clock->seats; i++) {
        before[i] = clock->seat[i].deadline_ms;
    }
    look_ahead(clock, spec);
    for (unsigned i = 0; i < clock->seats; i++) {
        changed = changed || before[i] != clock->seat[i].deadline_ms;
    }
    return changed;
}

bool clock_zones_new(const struct clock *clock, const struct clock_spec *spec)
{
    bool any = zone_is_new(spec->zone);
    for (unsigned i = 0; !any && i < clock->seats; i++) {
        const struct clock_seat *seat = &clock->seat[i];
        const struct zone *next = NULL;
        any = zone_is_new(seat->zone) ||
              (zone_find(seat->next.zone, &next) == ERR_OK && zone_is_new(next));
    }
    return any;
}

/* --- what is due ------------------------------------------------------------------------------ */

/* Whether reminder i is still to be sent for the deadline of the seat, and when. A deadline that
 * was moved is reminded of again only if it moved by the length of the reminder at least. */
static int64_t reminder_ms(const struct clock_spec *spec, const struct clock_seat *seat, unsigned i)
{
    const bool before_deadline =
        seat->stage == CLOCK_SPAN || seat->stage == CLOCK_FIXED || seat->stage == CLOCK_BANK;
    if (!before_deadline || seat->due || seat->deadline_ms == ZONE_NEVER) { return ZONE_NEVER; }
    const int64_t at_ms = seat->deadline_ms - spec->remind_ms[i];
    const bool sent =
        seat->reminded_ms[i] != 0 && seat->deadline_ms - seat->reminded_ms[i] < spec->remind_ms[i];
    return at_ms > seat->asked_ms && at_ms >= seat->at_ms && !sent ? at_ms : ZONE_NEVER;
}

static bool same_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Whether it is to be told that the seat's vacation holds its clock, or does so no more. While all
 * or it alone are paused nothing new is told. */
static bool vacation_turns(const struct clock_seat *seat, const char *word)
{
    return !same_word(word, "paused") && same_word(word, "vacation") != seat->vacation_told;
}

/* What comes next for one seat. */
static struct clock_event next_of(const struct clock *clock, const struct clock_spec *spec,
                                  unsigned index)
{
    const struct clock_seat *seat = &clock->seat[index];
    struct clock_event event = {.kind = CLOCK_EV_NONE, .at_ms = ZONE_NEVER};
    if (!is_asked(clock, index)) { return event; }
    if (seat->due) { return clock_due_event(spec, seat); }
    for (unsigned i = 0; i < spec->reminders; i++) {
        const int64_t at_ms = reminder_ms(spec, seat, i);
        if (at_ms < event.at_ms) {
            event = (struct clock_event){.kind = CLOCK_EV_REMIND, .index = i, .at_ms = at_ms};
        }
    }
    struct clock_seat look = *seat;
    const char *word = clock_word(clock, spec, &look);
    if (vacation_turns(seat, word)) {
        return (struct clock_event){.kind = CLOCK_EV_VACATION, .at_ms = seat->at_ms};
    }
    const bool own_time = (seat->stage == CLOCK_SPAN && (seat->span_ms > 0 || spec->at_min >= 0)) ||
                          seat->stage == CLOCK_FIXED;
    /* Up to the reminder; what comes at the same instant comes before it. */
    while (look.at_ms < event.at_ms) {
        (void)clock_step_seat(clock, spec, &look, event.at_ms);
        if (look.at_ms == ZONE_NEVER) { break; }
        if (look.due) { return clock_due_event(spec, &look); }
        if (own_time && look.stage == CLOCK_BANK) {
            return (struct clock_event){.kind = CLOCK_EV_BANK, .at_ms = look.at_ms};
        }
        const char *next = clock_word(clock, spec, &look);
        if (!same_word(word, next)) {
            const bool turns = vacation_turns(seat, next);
            return (struct clock_event){.kind = turns ? CLOCK_EV_VACATION : CLOCK_EV_EDGE,
                                        .at_ms = look.at_ms};
        }
    }
    return event;
}

void clock_next(const struct clock *clock, const struct clock_spec *spec,
                struct clock_event *out_event)
{
    struct clock_event best = {.kind = CLOCK_EV_NONE, .at_ms = ZONE_NEVER};
    const int64_t pause_end_ms = clock_pause_end_ms(clock, spec);
    if (pause_end_ms != INT64_MIN && pause_end_ms != ZONE_NEVER) {
        best = (struct clock_event){.kind = CLOCK_EV_RESUME, .at_ms = pause_end_ms};
    }
    for (unsigned i = 0; i < clock->seats; i++) {
        struct clock_event event = next_of(clock, spec, i);
        event.seat = i;
        if (event.kind != CLOCK_EV_NONE && event.at_ms < best.at_ms) { best = event; }
        const int64_t gone_ms = clock->seat[i].gone ? ZONE_NEVER : clock_gone_ms(clock, spec, i);
        if (gone_ms < best.at_ms) {
            best = (struct clock_event){.kind = CLOCK_EV_AWAY, .seat = i, .at_ms = gone_ms};
        }
    }
    *out_event = best;
}

void clock_fire(struct clock *clock, const struct clock_spec *spec, const struct clock_event *event)
{
    if (event->kind == CLOCK_EV_NONE) { return; }
    if (event->kind == CLOCK_EV_RESUME) {
        end_pause(clock, spec, event->at_ms);
        return;
    }
    struct clock_seat *seat = &clock->seat[event->seat];
    clock_run_seat(clock, spec, seat, event->at_ms);
    clock->at_ms = later(clock->at_ms, event->at_ms);
    if (event->kind == CLOCK_EV_AWAY) {
        seat->gone = true;
    } else if (event->kind == CLOCK_EV_VACATION) {
        seat->vacation_told = same_word(clock_word(clock, spec, seat), "vacation");
    } else if (event->kind == CLOCK_EV_REMIND) {
        seat->reminded_ms[event->index] = seat->deadline_ms;
    } else if (seat->due && event->kind != CLOCK_EV_EDGE && event->kind != CLOCK_EV_BANK) {
        clock_pass_due(spec, seat);
        clock_pass_empty(clock, spec, seat);
    }
    look_ahead(clock, spec);
}
