/* tests/unit/clock_oracle.c */
#include "tests/unit/clock_oracle.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MINUTE_MS = 60000, MINUTES = ORACLE_DAYS * 1440, WALLS_MAX = 16, MATCH = 99 };

static struct wall {
    const char *zone;
    struct {
        int32_t day, minute, weekday; /* weekday 0: Monday */
    } at[MINUTES];
} * walls;
static unsigned walls_count;
static int64_t walls_from;

void oracle_prepare(int64_t from, const char *const *zones, unsigned count)
{
    assert(count <= WALLS_MAX && from % MINUTE_MS == 0);
    free(walls);
    walls = calloc(count, sizeof *walls);
    assert(walls != NULL);
    walls_from = from;
    walls_count = count;
    for (unsigned i = 0; i < count; i++) {
        walls[i].zone = zones[i];
        setenv("TZ", zones[i], 1);
        tzset();
        for (unsigned m = 0; m < MINUTES; m++) {
            const time_t at = (time_t)(from / 1000) + (time_t)m * 60;
            struct tm tm;
            localtime_r(&at, &tm);
            const time_t midnight = timegm(
                &(struct tm){.tm_year = tm.tm_year, .tm_mon = tm.tm_mon, .tm_mday = tm.tm_mday});
            walls[i].at[m].day = (int32_t)(midnight / 86400);
            walls[i].at[m].minute = tm.tm_hour * 60 + tm.tm_min;
            walls[i].at[m].weekday = (tm.tm_wday + 6) % 7;
        }
    }
    setenv("TZ", "UTC", 1);
    tzset();
}

static const struct wall *wall_of(const char *zone)
{
    for (unsigned i = 0; i < walls_count; i++) {
        if (strcmp(walls[i].zone, zone) == 0) { return &walls[i]; }
    }
    abort();
}

static unsigned minute_at(int64_t t)
{
    const int64_t m = (t - walls_from) / MINUTE_MS;
    assert(m >= 0 && m < MINUTES);
    return (unsigned)m;
}

/* --- what a moment is ------------------------------------------------------------------------- */

enum kind { RUNS, HELD, CLOSED };

static bool within(const struct clock_window *w, int minute)
{
    if (w->from_min == w->to_min) { return false; }
    if (w->from_min < w->to_min) { return w->from_min <= minute && minute < w->to_min; }
    return minute >= w->from_min || minute < w->to_min;
}

static int64_t pause_end(const struct oracle *o)
{
    if (!o->pause_on) { return INT64_MIN; }
    if (!o->pause_counts || o->spec->pauses != CLOCK_PAUSES_CAPPED) { return INT64_MAX; }
    const int64_t left = o->spec->pause_cap_ms - o->paused;
    return o->pause_at + (left > 0 ? left : 0);
}

static bool is_vacation(struct oracle *o, struct oracle_seat *s, bool spend)
{
    const int64_t today = wall_of(s->now.zone)->at[minute_at(o->t)].day;
    const int year = (int)((o->t - o->began) / (INT64_C(365) * 86400000));
    bool declared = false;
    for (unsigned i = 0; i < s->now.vacations; i++) {
        declared = declared ||
                   (s->now.vacation[i].first_day <= today && today <= s->now.vacation[i].last_day);
    }
    if (!declared || o->spec->vacation_days == 0) { return false; }
    if (s->vacation_day == today) { return true; }
    const int spent = s->vacation_year == year ? s->vacation_spent : 0;
    if (spent >= o->spec->vacation_days) { return false; }
    if (spend) {
        s->vacation_year = year;
        s->vacation_spent = spent + 1;
        s->vacation_day = today;
    }
    return true;
}

static enum kind kind_now(struct oracle *o, struct oracle_seat *s, bool spend)
{
    const struct clock_spec *spec = o->spec;
    const unsigned m = minute_at(o->t);
    const struct wall *match = wall_of(zone_name(spec->zone)), *own = wall_of(s->now.zone);
    if (s->frozen || o->t < pause_end(o)) { return HELD; }
    if (s->stage == O_STEP) { return RUNS; }
    if (o->t < s->pace_until) { return HELD; }
    if (spec->at_min < 0 && (spec->days >> match->at[m].weekday & 1) == 0) { return CLOSED; }
    if (is_vacation(o, s, spend)) { return HELD; }
    if (spec->hours.from_min != spec->hours.to_min && !within(&spec->hours, match->at[m].minute)) {
        return CLOSED;
    }
    return spec->sleep && within(&s->now.sleep, own->at[m].minute) ? CLOSED : RUNS;
}

static bool was_held(const struct oracle_seat *s, int64_t t)
{
    for (unsigned i = 0; i < s->holds; i++) {
        if (s->hold[i].from < t && t <= s->hold[i].to && s->hold[i].from >= s->spent_at) {
            return true;
        }
    }
    return false;
}

/* From now to `to` it stands. */
static void hold(struct oracle *o, struct oracle_seat *s, int64_t to)
{
    s->held += to - o->t;
    s->fixed_at = 0;
    if (s->holds > 0 && s->hold[s->holds - 1].to == o->t && o->t != s->spent_at) {
        s->hold[s->holds - 1].to = to;
        return;
    }
    assert(s->holds < sizeof s->hold / sizeof s->hold[0]);
    s->hold[s->holds].from = o->t;
    s->hold[s->holds++].to = to;
}

/* The first minute from there on at which the wall of the match shows the fixed time of a day. */
static int64_t fixed_time(const struct oracle *o, struct oracle_seat *s)
{
    const struct wall *wall = wall_of(zone_name(o->spec->zone));
    int64_t from = s->spent_at + s->held - s->spent_held;
    const int64_t gap = s->asked_at + s->held + o->spec->min_gap_ms;
    if (gap > from) { from = gap; }
    if (s->fixed_at != 0) { return s->fixed_at; }
    int64_t t = (from + MINUTE_MS - 1) / MINUTE_MS * MINUTE_MS;
    while (wall->at[minute_at(t)].minute != o->spec->at_min ||
           (o->spec->days >> wall->at[minute_at(t)].weekday & 1) == 0 || was_held(s, t)) {
        t += MINUTE_MS;
    }
    s->fixed_at = t;
    return t;
}

/* --- how it goes on --------------------------------------------------------------------------- */

static void note(struct oracle *o, unsigned seat, enum clock_event_kind kind)
{
    assert(o->events < ORACLE_EVENTS_MAX);
    o->event[o->events++] = (struct oracle_event){o->t, seat, kind};
}

static int64_t left_of(const struct oracle *o, const struct oracle_seat *s)
{
    switch (s->stage) {
    case O_SPAN: return s->span - s->span_used;
    case O_BANK: return s->bank;
    case O_GRACE:
    case O_AGAIN: return s->ladder_left;
    case O_STEP: return o->spec->step[s->step].for_ms == 0 ? INT64_MAX : s->ladder_left;
    default: return INT64_MAX;
    }
}

static void out_of_time(struct oracle *o, unsigned seat);

static void climb(struct oracle *o, unsigned seat, unsigned step)
{
    struct oracle_seat *s = &o->seat[seat];
    s->stage = O_STEP;
    s->step = step;
    s->ladder_left = o->spec->step[step].for_ms;
    note(o, seat, CLOCK_EV_STEP);
}

static void miss(struct oracle *o, unsigned seat)
{
    struct oracle_seat *s = &o->seat[seat];
    s->misses++;
    note(o, seat, CLOCK_EV_MISS);
    if (s->misses > o->spec->misses) {
        climb(o, seat, 0);
    } else {
        s->stage = O_AGAIN;
        s->ladder_left = o->spec->again_ms;
    }
}

/* Nothing is left of what the stage counts. */
static void exhaust(struct oracle *o, unsigned seat)
{
    struct oracle_seat *s = &o->seat[seat];
    switch (s->stage) {
    case O_SPAN:
        if (o->spec->at_min >= 0) {
            s->stage = O_FIXED;
            s->fixed_at = 0;
            s->spent_at = o->t;
            s->spent_held = s->held;
        } else {
            s->stage = O_BANK;
            if (s->bank == 0) { out_of_time(o, seat); }
        }
        break;
    case O_BANK: out_of_time(o, seat); break;
    case O_GRACE:
    case O_AGAIN: miss(o, seat); break;
    case O_STEP: climb(o, seat, s->step + 1); break;
    default: abort();
    }
}

static void out_of_time(struct oracle *o, unsigned seat)
{
    struct oracle_seat *s = &o->seat[seat];
    if (o->spec->grace_ms == 0) {
        miss(o, seat);
        return;
    }
    s->stage = O_GRACE;
    s->ladder_left = o->spec->grace_ms;
    note(o, seat, CLOCK_EV_LATE);
}

/* What comes at this very moment. */
static void settle(struct oracle *o)
{
    if (o->pause_on && pause_end(o) <= o->t) {
        note(o, MATCH, CLOCK_EV_RESUME);
        o->paused += o->t - o->pause_at;
        o->pause_on = false;
    }
    for (unsigned i = 0; i < o->seats; i++) {
        struct oracle_seat *s = &o->seat[i];
        bool again = s->stage != O_STANDS;
        while (again) {
            const enum kind kind = kind_now(o, s, false);
            again = false;
            if (s->stage == O_FIXED && kind != HELD && fixed_time(o, s) <= o->t) {
                s->stage = O_BANK;
                again = true;
                if (s->bank == 0) { out_of_time(o, i); }
            } else if (kind == RUNS && left_of(o, s) == 0) {
                exhaust(o, i);
                again = true;
            }
        }
    }
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The next moment at which anything may change. */
static int64_t next_moment(struct oracle *o, int64_t to)
{
    int64_t next = sooner(to, o->t / MINUTE_MS * MINUTE_MS + MINUTE_MS);
    if (pause_end(o) > o->t) { next = sooner(next, pause_end(o)); }
    for (unsigned i = 0; i < o->seats; i++) {
        struct oracle_seat *s = &o->seat[i];
        if (s->stage == O_STANDS) { continue; }
        if (s->pace_until > o->t) { next = sooner(next, s->pace_until); }
        if (kind_now(o, s, true) == RUNS && left_of(o, s) != INT64_MAX) {
            next = sooner(next, o->t + left_of(o, s));
        }
    }
    return next;
}

void oracle_advance(struct oracle *o, int64_t to)
{
    settle(o);
    while (o->t < to) {
        const int64_t next = next_moment(o, to), dt = next - o->t;
        for (unsigned i = 0; i < o->seats; i++) {
            struct oracle_seat *s = &o->seat[i];
            if (s->stage == O_STANDS) { continue; }
            const enum kind kind = kind_now(o, s, false);
            if (kind == HELD) { hold(o, s, next); }
            if (kind != RUNS) { continue; }
            if (s->stage != O_STEP) { s->used += dt; }
            if (s->stage == O_SPAN) { s->span_used += dt; }
            if (s->stage == O_BANK) { s->bank -= dt; }
            if (s->stage >= O_GRACE) { s->ladder_left -= dt; }
        }
        o->t = next;
        settle(o);
    }
}

/* --- what people do --------------------------------------------------------------------------- */

void oracle_begin(struct oracle *o, const struct clock_spec *spec, unsigned seats,
                  const struct clock_calendar *calendars, int64_t t)
{
    memset(o, 0, sizeof *o);
    o->spec = spec;
    o->seats = seats;
    o->began = o->t = t;
    for (unsigned i = 0; i < seats; i++) {
        o->seat[i].bank = spec->bank_ms;
        o->seat[i].now = o->seat[i].next = calendars[i];
        o->seat[i].vacation_day = INT32_MIN;
    }
}

static int64_t span_of(const struct oracle *o, const char *phase)
{
    for (unsigned i = 0; i < o->spec->phases; i++) {
        if (strcmp(o->spec->phase[i].name, phase) == 0) { return o->spec->phase[i].span_ms; }
    }
    return o->spec->per_move_ms;
}

static void sit(struct oracle *o, unsigned seat, int64_t pace)
{
    struct oracle_seat *s = &o->seat[seat];
    s->now = s->next;
    s->stage = O_SPAN;
    s->asked_at = o->t;
    s->pace_until = o->t + pace;
    s->span = span_of(o, o->phase);
    s->span_used = s->held = s->spent_at = s->spent_held = s->fixed_at = 0;
    s->holds = 0;
}

void oracle_turn(struct oracle *o, const struct clock_ask *ask)
{
    const bool moved = strcmp(o->phase, ask->phase) != 0;
    const uint32_t before = o->asked, mask = o->over ? 0 : ask->mask;
    if (before == mask && !moved) { return; }
    snprintf(o->phase, sizeof o->phase, "%s", ask->phase);
    o->asked = mask;
    for (unsigned i = 0; i < o->seats; i++) {
        struct oracle_seat *s = &o->seat[i];
        const bool was = (before >> i & 1) != 0, is = (mask >> i & 1) != 0;
        if (was && !is) {
            s->stage = O_STANDS;
            if (!ask->rewound) {
                const int64_t top = o->spec->bank_max_ms == 0 ? INT64_MAX : o->spec->bank_max_ms;
                if (s->bank < top) { s->bank = sooner(s->bank + o->spec->increment_ms, top); }
            }
        } else if (!was && is) {
            sit(o, i, (ask->pace >> i & 1) != 0 ? ask->pace_ms : 0);
        } else if (is && span_of(o, o->phase) > s->span) {
            s->span = span_of(o, o->phase);
            if (s->stage == O_FIXED || s->stage == O_BANK) { s->stage = O_SPAN; }
        }
    }
    settle(o);
}

bool oracle_pause(struct oracle *o, bool by_consent)
{
    if (o->pause_on) { return false; }
    if (by_consent &&
        (o->spec->pauses == CLOCK_PAUSES_NONE ||
         (o->spec->pauses == CLOCK_PAUSES_CAPPED && o->paused >= o->spec->pause_cap_ms))) {
        return false;
    }
    o->pause_on = true;
    o->pause_counts = by_consent;
    o->pause_at = o->t;
    return true;
}

bool oracle_resume(struct oracle *o)
{
    if (!o->pause_on) { return false; }
    if (o->pause_counts) { o->paused += o->t - o->pause_at; }
    o->pause_on = false;
    settle(o);
    return true;
}

void oracle_freeze(struct oracle *o, unsigned seat, bool on)
{
    o->seat[seat].frozen = on;
    settle(o);
}

void oracle_outage(struct oracle *o, int64_t to)
{
    const int64_t gap = to - o->t;
    for (unsigned i = 0; i < o->seats; i++) {
        struct oracle_seat *s = &o->seat[i];
        if (s->stage == O_STANDS) { continue; }
        hold(o, s, to);
        if (s->pace_until > o->t) { s->pace_until += gap; }
    }
    if (o->pause_on && o->pause_counts) { o->paused -= gap; }
    o->t = to;
    settle(o);
}

void oracle_grant(struct oracle *o, unsigned seat, int64_t ms)
{
    struct oracle_seat *s = &o->seat[seat];
    s->bank += ms;
    if (s->stage >= O_GRACE) { s->stage = O_BANK; }
    settle(o);
}

void oracle_calendar(struct oracle *o, unsigned seat, const struct clock_calendar *calendar)
{
    struct oracle_seat *s = &o->seat[seat];
    s->next = *calendar;
    if (s->stage == O_STANDS) { s->now = *calendar; }
    s->now.vacations = calendar->vacations;
    memcpy(s->now.vacation, calendar->vacation, sizeof calendar->vacation);
    settle(o);
}

void oracle_convert(struct oracle *o, const struct clock_spec *spec)
{
    o->spec = spec;
    for (unsigned i = 0; i < o->seats; i++) {
        struct oracle_seat *s = &o->seat[i];
        const int64_t span = span_of(o, o->phase);
        s->bank += spec->bank_ms;
        if (s->stage == O_STANDS) { continue; }
        if (span > s->span) {
            if (s->stage != O_SPAN) { s->span_used = s->span; } /* all that it had is used */
            s->span = span;
            s->stage = O_SPAN;
        } else if (s->stage != O_SPAN && s->bank > 0) {
            s->stage = O_BANK;
        }
    }
    settle(o);
}

void oracle_seat_new(struct oracle *o, unsigned seat, const struct clock_calendar *calendar)
{
    struct oracle_seat *s = &o->seat[seat];
    s->next = *calendar;
    if (s->bank < o->spec->fresh_ms) { s->bank = o->spec->fresh_ms; }
    s->misses = 0;
    s->frozen = false;
    s->vacation_spent = 0;
    s->vacation_day = INT32_MIN;
    if (s->stage == O_STANDS) {
        s->now = s->next;
    } else {
        sit(o, seat, 0);
    }
    settle(o);
}
