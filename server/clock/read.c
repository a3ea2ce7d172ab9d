/* server/clock/read.c: what is shown of a clock. */
#include <assert.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/clock/inside.h"

#define BIT(n) (UINT32_C(1) << (n))

static bool is_asked(const struct clock *clock, unsigned seat)
{
    return (clock->asked & BIT(seat)) != 0;
}

const char *clock_state_word(const struct clock *clock, const struct clock_spec *spec,
                             unsigned seat)
{
    return clock_word(clock, spec, &clock->seat[seat]);
}

/* The seat as it is at now_ms if nothing else happens. */
static struct clock_seat seat_at(const struct clock *clock, const struct clock_spec *spec,
                                 unsigned seat, int64_t now_ms)
{
    struct clock_seat look = clock->seat[seat];
    if (is_asked(clock, seat)) { clock_run_seat(clock, spec, &look, now_ms); }
    return look;
}

int64_t clock_bank_at_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                         int64_t now_ms)
{
    return seat_at(clock, spec, seat, now_ms).bank_ms;
}

int64_t clock_span_end_ms(const struct clock *clock, const struct clock_spec *spec, unsigned seat)
{
    struct clock_seat look = clock->seat[seat];
    const int64_t deadline_ms = look.deadline_ms;
    if (!is_asked(clock, seat) || deadline_ms == ZONE_NEVER) { return ZONE_NEVER; }
    if (look.stage != CLOCK_SPAN && look.stage != CLOCK_FIXED) { return ZONE_NEVER; }
    while (!look.due && (look.stage == CLOCK_SPAN || look.stage == CLOCK_FIXED)) {
        (void)clock_step_seat(clock, spec, &look, deadline_ms);
        if (look.at_ms >= deadline_ms) { break; }
    }
    return look.at_ms;
}

enum clock_do clock_step_due(const struct clock *clock, const struct clock_spec *spec,
                             unsigned seat)
{
    const struct clock_seat *s = &clock->seat[seat];
    return s->stage == CLOCK_STEP ? spec->step[s->step].what : CLOCK_DO_COUNT;
}

uint32_t clock_claims(const struct clock *clock, const struct clock_spec *spec, unsigned seat)
{
    const bool due = clock_step_due(clock, spec, seat) == CLOCK_DO_CLAIM;
    return (due ? spec->claims : 0) | clock_away_claims(clock, spec, seat);
}

/* --- why, and what comes ---------------------------------------------------------------------- */

/* Puts an interval behind the others; one that goes on with the last makes it longer. False: there
 * is no room. */
static bool add_span(struct clock_span *out, unsigned *count, unsigned max,
                     const struct clock_span *span)
{
    struct clock_span *last = *count > 0 ? &out[*count - 1] : NULL;
    if (last != NULL && last->kind == span->kind && last->to_ms == span->from_ms) {
        last->to_ms = span->to_ms;
        return true;
    }
    if (*count == max) { return false; }
    out[(*count)++] = *span;
    return true;
}

unsigned clock_explain(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                       int64_t now_ms, struct clock_span *out, unsigned max, bool *out_cut)
{
    unsigned count = 0;
    *out_cut = false;
    if (!is_asked(clock, seat)) { return 0; }
    struct clock_seat look = seat_at(clock, spec, seat, now_ms);
    const int64_t limit_ms = clock->seat[seat].deadline_ms;
    while (!look.due && look.at_ms < limit_ms) {
        const int64_t from_ms = look.at_ms;
        const struct segment segment = clock_step_seat(clock, spec, &look, limit_ms);
        const struct clock_span span = {segment.kind, from_ms, segment.until_ms, segment.zone};
        if (!add_span(out, &count, max, &span)) {
            *out_cut = true;
            break;
        }
    }
    return count;
}

static const char *event_name(const struct clock_event *event)
{
    switch (event->kind) {
    case CLOCK_EV_LATE: return "late";
    case CLOCK_EV_MISS: return "miss";
    default: return clock_do_name(event->what);
    }
}

/* Puts it in its place by time; the last falls off where there is no room. */
static unsigned put_ahead(struct clock_ahead out[CLOCK_AHEAD], unsigned count,
                          struct clock_ahead ahead)
{
    unsigned at = 0;
    while (at < count && out[at].at_ms <= ahead.at_ms) {
        at++;
    }
    if (at == CLOCK_AHEAD) { return count; }
    if (count < CLOCK_AHEAD) { count++; }
    for (unsigned i = count - 1; i > at; i--) {
        out[i] = out[i - 1];
    }
    out[at] = ahead;
    return count;
}

static unsigned ahead_if_asked(const struct clock *clock, const struct clock_spec *spec,
                               unsigned seat, int64_t now_ms, struct clock_ahead out[CLOCK_AHEAD])
{
    for (unsigned i = 0; i < CLOCK_AHEAD; i++) {
        struct clock_seat look = clock->seat[seat];
        const int64_t from_ms = now_ms + (int64_t)i * ZONE_DAY_MS;
        clock_sit(clock, spec, &look, 0, from_ms);
        out[i] = (struct clock_ahead){"asked", from_ms, clock_due_ms(clock, spec, &look)};
    }
    return out[0].at_ms == ZONE_NEVER ? 0 : CLOCK_AHEAD;
}

unsigned clock_look_ahead(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                          int64_t now_ms, struct clock_ahead out[CLOCK_AHEAD])
{
    if (clock->over) { return 0; }
    if (!is_asked(clock, seat)) { return ahead_if_asked(clock, spec, seat, now_ms, out); }
    unsigned count = 0;
    struct clock_seat look = seat_at(clock, spec, seat, now_ms);
    const int64_t span_end_ms = clock_span_end_ms(clock, spec, seat);
    if (span_end_ms != ZONE_NEVER && span_end_ms > now_ms && look.bank_ms > 0) {
        out[count++] = (struct clock_ahead){"bank", 0, span_end_ms};
    }
    while (count < CLOCK_AHEAD) {
        const int64_t due_ms = clock_due_ms(clock, spec, &look);
        if (due_ms == ZONE_NEVER) { break; }
        clock_run_seat(clock, spec, &look, due_ms);
        const struct clock_event event = clock_due_event(spec, &look);
        out[count++] = (struct clock_ahead){event_name(&event), 0, due_ms};
        clock_pass_due(spec, &look);
    }
    const int64_t gone_ms = clock_gone_ms(clock, spec, seat);
    if (gone_ms != ZONE_NEVER && !look.gone) {
        count = put_ahead(out, count, (struct clock_ahead){"away", 0, gone_ms});
    }
    return count;
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void write_time(struct buf *out, const char *name, int64_t at_ms)
{
    char text[ZONE_TIME_MAX];
    if (at_ms == ZONE_NEVER) { return; }
    zone_write_utc(at_ms, text);
    jw_key_str(out, name, text);
}

/* Since when its player is gone, and from when on something follows. */
static void write_gone(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                       struct buf *out)
{
    const int64_t gone_ms = clock_gone_ms(clock, spec, seat);
    if (gone_ms == ZONE_NEVER) { return; }
    jw_key_object(out, "away");
    write_time(out, "since", clock->seat[seat].away_ms);
    write_time(out, "until", gone_ms);
    jw_object_end(out);
}

static void write_paused(const struct clock *clock, const struct clock_spec *spec, struct buf *out)
{
    if (clock->pause_ms == 0) { return; }
    jw_key_object(out, "paused");
    write_time(out, "since", clock->pause_ms);
    write_time(out, "until", clock_pause_end_ms(clock, spec));
    jw_object_end(out);
}

void clock_write_state(const struct clock *clock, const struct clock_spec *spec,
                       const char *const *codes, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "kind", clock_kind_name(spec->kind));
    write_time(out, "at", clock->at_ms);
    jw_key_object(out, "seats");
    for (unsigned i = 0; i < clock->seats; i++) {
        const struct clock_seat *seat = &clock->seat[i];
        jw_key_object(out, codes[i]);
        jw_key_int(out, "bank_s", clock_bank_at_ms(clock, spec, i, clock->at_ms) / 1000);
        jw_key_str(out, "state", clock_state_word(clock, spec, i));
        write_time(out, "span_end", clock_span_end_ms(clock, spec, i));
        write_time(out, "deadline", seat->deadline_ms);
        jw_key_int(out, "misses", seat->misses);
        write_gone(clock, spec, i, out);
        jw_object_end(out);
    }
    jw_object_end(out);
    write_paused(clock, spec, out);
    jw_object_end(out);
}

void clock_write_view(const struct clock *clock, const struct clock_spec *spec,
                      const char *const *codes, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "kind", clock_kind_name(spec->kind));
    for (unsigned i = 0; i < clock->seats; i++) {
        jw_key_object(out, codes[i]);
        jw_key_int(out, "bank_s", clock_bank_at_ms(clock, spec, i, clock->at_ms) / 1000);
        write_time(out, "deadline", clock->seat[i].deadline_ms);
        jw_object_end(out);
    }
    jw_object_end(out);
}

static const char *const span_names[CLOCK_SPAN_KINDS] = {
    [CLOCK_RUNS] = "runs",   [CLOCK_PAUSE] = "pause",       [CLOCK_PACE] = "pace",
    [CLOCK_DAY] = "day",     [CLOCK_VACATION] = "vacation", [CLOCK_HOURS] = "hours",
    [CLOCK_SLEEP] = "sleep", [CLOCK_OUTAGE] = "outage",
};

static void write_spans(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                        int64_t now_ms, struct buf *out)
{
    struct clock_span spans[CLOCK_SPANS_MAX];
    bool cut = false;
    const unsigned count = clock_explain(clock, spec, seat, now_ms, spans, CLOCK_SPANS_MAX, &cut);
    jw_key_array(out, "why");
    for (unsigned i = 0; i < count; i++) {
        const struct clock_span *span = &spans[i];
        jw_object_begin(out);
        write_time(out, "from", span->from_ms);
        write_time(out, "to", span->to_ms);
        jw_key_str(out, "kind", span_names[span->kind]);
        if (span->zone != NULL) {
            char offset[8];
            zone_write_offset(zone_offset_s(span->zone, span->from_ms, NULL), offset);
            jw_key_str(out, "zone", zone_name(span->zone));
            jw_key_str(out, "offset", offset);
        }
        jw_object_end(out);
    }
    jw_array_end(out);
    if (cut) { jw_key_bool(out, "cut", true); }
}

static void write_ahead(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                        int64_t now_ms, struct buf *out)
{
    struct clock_ahead ahead[CLOCK_AHEAD];
    const unsigned count = clock_look_ahead(clock, spec, seat, now_ms, ahead);
    jw_key_array(out, "next");
    for (unsigned i = 0; i < count; i++) {
        jw_object_begin(out);
        jw_key_str(out, "if", ahead[i].what);
        if (ahead[i].from_ms != 0) { write_time(out, "from", ahead[i].from_ms); }
        write_time(out, "at", ahead[i].at_ms);
        jw_object_end(out);
    }
    jw_array_end(out);
}

static void write_claims(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                         struct buf *out)
{
    const uint32_t claims = clock_claims(clock, spec, seat);
    jw_key_array(out, "claims");
    for (unsigned i = 0; i < CLOCK_CLAIMS; i++) {
        if ((claims >> i & 1U) != 0) { jw_str(out, clock_claim_name(i)); }
    }
    jw_array_end(out);
}

/* The fixed time that is ahead, as the wall of its zone shows it. */
static void write_fixed(const struct clock *clock, const struct clock_spec *spec, unsigned seat,
                        struct buf *out)
{
    const int64_t at_ms = clock_span_end_ms(clock, spec, seat);
    char offset[8];
    if (spec->at_min < 0 || at_ms == ZONE_NEVER) { return; }
    zone_write_offset(zone_offset_s(spec->zone, at_ms, NULL), offset);
    jw_key_object(out, "fixed");
    write_time(out, "at", at_ms);
    jw_key_str(out, "zone", zone_name(spec->zone));
    jw_key_str(out, "offset", offset);
    jw_object_end(out);
}

static void write_seat(const struct clock *clock, const struct clock_spec *spec, unsigned index,
                       int64_t now_ms, struct buf *out)
{
    const struct clock_seat now = seat_at(clock, spec, index, now_ms);
    const struct clock_seat *seat = &clock->seat[index];
    jw_key_int(out, "bank_s", now.bank_ms / 1000);
    jw_key_int(out, "used_s", now.used_ms / 1000);
    jw_key_str(out, "state", clock->over ? "over" : clock_word(clock, spec, &now));
    jw_key_int(out, "misses", seat->misses);
    if (is_asked(clock, index)) { write_time(out, "asked", seat->asked_ms); }
    write_time(out, "span_end", clock_span_end_ms(clock, spec, index));
    write_time(out, "deadline", seat->deadline_ms);
    write_fixed(clock, spec, index, out);
    if (spec->vacation_days > 0) {
        jw_key_int(out, "vacation_days_left", spec->vacation_days - now.vacation_spent);
    }
    if (spec->vacation_days > 0 || spec->sleep) {
        jw_key_str(out, "timezone", seat->calendar.zone);
    }
    write_spans(clock, spec, index, now_ms, out);
    write_ahead(clock, spec, index, now_ms, out);
    write_gone(clock, spec, index, out);
    write_claims(clock, spec, index, out);
}

static void write_held(const struct clock *clock, const char *const *codes, struct buf *out)
{
    jw_key_array(out, "held");
    for (unsigned i = 0; i < clock->held_count; i++) {
        const struct clock_held *held = &clock->held[i];
        jw_object_begin(out);
        write_time(out, "from", held->from_ms);
        if (held->to_ms != 0) { write_time(out, "to", held->to_ms); }
        jw_key_str(out, "kind", span_names[held->kind]);
        if (held->seat >= 0) { jw_key_str(out, "seat", codes[held->seat]); }
        jw_object_end(out);
    }
    jw_array_end(out);
}

void clock_write_why(const struct clock *clock, const struct clock_spec *spec,
                     const char *const *codes, int64_t now_ms, struct buf *out)
{
    if (now_ms < clock->at_ms) { now_ms = clock->at_ms; }
    write_time(out, "now", now_ms);
    jw_key_str(out, "kind", clock_kind_name(spec->kind));
    jw_key(out, "spec");
    clock_spec_write(spec, out);
    jw_key_object(out, "seats");
    for (unsigned i = 0; i < clock->seats; i++) {
        jw_key_object(out, codes[i]);
        write_seat(clock, spec, i, now_ms, out);
        jw_object_end(out);
    }
    jw_object_end(out);
    write_paused(clock, spec, out);
    write_held(clock, codes, out);
}
