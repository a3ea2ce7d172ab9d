/* server/clock/calendar.c: what a player says of his days, and what an instant is by the calendars
 * of match and player. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/clock/inside.h"

enum { DAY_MINUTES = 1440, EVERY_DAY = 0x7f, HOUR_MS = 3600000 };

/* --- calendars of players --------------------------------------------------------------------- */

void clock_calendar_init(struct clock_calendar *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->zone, "UTC", sizeof "UTC");
}

/* Digits only, so many. -1: it is not that. */
static int read_digits(const char *text, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9') { return -1; }
        value = value * 10 + text[i] - '0';
    }
    return value;
}

static bool read_date(const char *text, int32_t *out_day)
{
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-') { return false; }
    const int year = read_digits(text, 4), month = read_digits(text + 5, 2),
              day = read_digits(text + 8, 2);
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) { return false; }
    *out_day = (int32_t)zone_day_of_date(year, (unsigned)month, (unsigned)day);
    int64_t y = 0;
    unsigned m = 0, d = 0;
    zone_date_of_day(*out_day, &y, &m, &d);
    return d == (unsigned)day; /* the 31st of a short month is none */
}

static bool read_minute(const char *text, int16_t *out)
{
    if (strlen(text) != 5 || text[2] != ':') { return false; }
    const int hour = read_digits(text, 2), minute = read_digits(text + 3, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59) { return false; }
    *out = (int16_t)(hour * 60 + minute);
    return true;
}

static enum err read_sleep(const cJSON *sleep, struct clock_calendar *out, struct why *why)
{
    static const char *const names[] = {"from", "to", NULL};
    const char *from = NULL, *to = NULL;
    enum err err = json_only(sleep, names, why);
    if (err != ERR_OK) { return err; }
    err = json_read_str(sleep, "!from", 5, &from, why);
    if (err == ERR_OK) { err = json_read_str(sleep, "!to", 5, &to, why); }
    if (err != ERR_OK) { return err; }
    if (!read_minute(from, &out->sleep.from_min)) {
        return why_member(why, "from", "A time is written as \"HH:MM\".");
    }
    if (!read_minute(to, &out->sleep.to_min)) {
        return why_member(why, "to", "A time is written as \"HH:MM\".");
    }
    const int minutes = (out->sleep.to_min - out->sleep.from_min + DAY_MINUTES) % DAY_MINUTES;
    if (minutes == 0 || minutes > CLOCK_SLEEP_MIN_MAX) {
        return why_member(why, "to", "A night has up to ten hours.");
    }
    return ERR_OK;
}

static int compare_vacations(const void *a, const void *b)
{
    const int32_t *x = a, *y = b; /* first_day is the first member */
    return (*x > *y) - (*x < *y);
}

static enum err read_vacation(const cJSON *list, struct clock_calendar *out, struct why *why)
{
    static const char *const names[] = {"from", "to", NULL};
    if (!cJSON_IsArray(list)) { return why_member(why, "", "This member must be an array."); }
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        const char *from = NULL, *to = NULL;
        if (out->vacations == CLOCK_VACATIONS_MAX) {
            return why_member(why, "", "There are too many vacations.");
        }
        enum err err = json_only(i, names, why);
        if (err == ERR_OK) { err = json_read_str(i, "!from", 10, &from, why); }
        if (err == ERR_OK) { err = json_read_str(i, "!to", 10, &to, why); }
        if (err != ERR_OK) { return err; }
        int32_t first = 0, last = 0;
        if (!read_date(from, &first)) {
            return why_member(why, "from", "A day is written as \"YYYY-MM-DD\".");
        }
        if (!read_date(to, &last)) {
            return why_member(why, "to", "A day is written as \"YYYY-MM-DD\".");
        }
        if (last < first || last - first >= CLOCK_VACATION_DAYS_MAX) {
            return why_member(why, "to", "A vacation has at least a day, and at most a year.");
        }
        out->vacation[out->vacations].first_day = first;
        out->vacation[out->vacations++].last_day = last;
    }
    qsort(out->vacation, out->vacations, sizeof out->vacation[0], compare_vacations);
    for (unsigned i = 1; i < out->vacations; i++) {
        if (out->vacation[i].first_day <= out->vacation[i - 1].last_day) {
            return why_member(why, "", "Two vacations overlap.");
        }
    }
    return ERR_OK;
}

/* Puts the name of the setting before the member that was wrong in it. */
static enum err inside_of(enum err err, const char *setting, struct why *why)
{
    if (err == ERR_OK || why == NULL) { return err; }
    const struct why inner = *why;
    char path[2 * WHY_MEMBER_MAX];
    snprintf(path, sizeof path, "%s%s%s", setting, inner.member[0] == '\0' ? "" : ".",
             inner.member);
    return why_member(why, path, inner.text);
}

enum err clock_calendar_parse(const char *zone, const cJSON *sleep, const cJSON *vacation,
                              struct clock_calendar *out, struct why *why)
{
    struct clock_calendar calendar;
    const struct zone *found = NULL;
    clock_calendar_init(&calendar);
    if (zone != NULL) {
        if (strlen(zone) >= sizeof calendar.zone || zone_find(zone, &found) != ERR_OK) {
            return why_member(why, "timezone", "There is no such time zone.");
        }
        memcpy(calendar.zone, zone, strlen(zone) + 1);
    }
    enum err err = ERR_OK;
    if (sleep != NULL) { err = inside_of(read_sleep(sleep, &calendar, why), "sleep", why); }
    if (err == ERR_OK && vacation != NULL) {
        err = inside_of(read_vacation(vacation, &calendar, why), "vacation", why);
    }
    if (err == ERR_OK) { *out = calendar; }
    return err;
}

static void write_minute(struct buf *out, const char *name, int minute)
{
    char text[8];
    snprintf(text, sizeof text, "%02d:%02d", minute / 60 % 100, minute % 60);
    jw_key_str(out, name, text);
}

static void write_date(struct buf *out, const char *name, int32_t day)
{
    int64_t year = 0;
    unsigned month = 0, of_month = 0;
    char text[16];
    zone_date_of_day(day, &year, &month, &of_month);
    snprintf(text, sizeof text, "%04d-%02u-%02u", (int)(year % 10000), month % 100, of_month % 100);
    jw_key_str(out, name, text);
}

void clock_calendar_write(const struct clock_calendar *calendar, struct buf *out)
{
    jw_key_str(out, "timezone", calendar->zone);
    if (calendar->sleep.from_min != calendar->sleep.to_min) {
        jw_key_object(out, "sleep");
        write_minute(out, "from", calendar->sleep.from_min);
        write_minute(out, "to", calendar->sleep.to_min);
        jw_object_end(out);
    }
    jw_key_array(out, "vacation");
    for (unsigned i = 0; i < calendar->vacations; i++) {
        jw_object_begin(out);
        write_date(out, "from", calendar->vacation[i].first_day);
        write_date(out, "to", calendar->vacation[i].last_day);
        jw_object_end(out);
    }
    jw_array_end(out);
}

/* --- what an instant is ----------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* When that local day begins, but after at_ms: a wall that is set back over midnight shows the end
 * of a day again. */
static int64_t day_begins_ms(const struct zone *zone, int64_t day, int64_t at_ms)
{
    const int64_t first_ms = zone_instant_ms(zone, day, 0, ZONE_FIRST);
    if (first_ms > at_ms) { return first_ms; }
    const int64_t last_ms = zone_instant_ms(zone, day, 0, ZONE_LAST);
    return last_ms > at_ms ? last_ms : at_ms + HOUR_MS;
}

/* Whether at_ms is in the window of some day, and until when that is so. */
static bool in_window(const struct zone *zone, const struct clock_window *window, int64_t at_ms,
                      int64_t *out_until_ms)
{
    const int64_t today = zone_day(zone, at_ms, NULL);
    const int64_t over = window->from_min > window->to_min ? 1 : 0;
    int64_t end_ms = INT64_MIN, start_ms = at_ms + INT64_C(24) * HOUR_MS;
    for (int64_t day = today - 1; day <= today + 1; day++) {
        const int64_t from_ms = zone_instant_ms(zone, day, window->from_min, ZONE_FIRST);
        const int64_t to_ms = zone_instant_ms(zone, day + over, window->to_min, ZONE_LAST);
        if (from_ms <= at_ms && at_ms < to_ms && to_ms > end_ms) { end_ms = to_ms; }
        if (from_ms > at_ms && from_ms < to_ms) { start_ms = earlier(start_ms, from_ms); }
    }
    *out_until_ms = end_ms != INT64_MIN ? end_ms : start_ms;
    return end_ms != INT64_MIN;
}

static bool runs_on(const struct clock_spec *spec, int64_t day)
{
    return (spec->days >> zone_weekday(day) & 1) != 0;
}

/* Whether it is one of the match's days, until the first that is not the same. */
static bool on_day(const struct clock_spec *spec, int64_t at_ms, int64_t *out_until_ms)
{
    const int64_t today = zone_day(spec->zone, at_ms, NULL);
    int64_t day = today + 1;
    while (runs_on(spec, day) == runs_on(spec, today) && day < today + 7) {
        day++;
    }
    *out_until_ms = day_begins_ms(spec->zone, day, at_ms);
    return runs_on(spec, today);
}

/* Whether the day is one of the seat's vacation, and its budget has it. Spends it. */
static bool on_vacation(const struct clock *clock, const struct clock_spec *spec,
                        struct clock_seat *seat, int64_t *out_until_ms)
{
    const struct clock_calendar *calendar = &seat->calendar;
    const int64_t today = zone_day(seat->zone, seat->at_ms, NULL);
    unsigned i = 0;
    while (i < calendar->vacations && calendar->vacation[i].last_day < today) {
        i++;
    }
    *out_until_ms = ZONE_NEVER;
    if (i == calendar->vacations) { return false; }
    if (calendar->vacation[i].first_day > today) {
        *out_until_ms = day_begins_ms(seat->zone, calendar->vacation[i].first_day, seat->at_ms);
        return false;
    }
    *out_until_ms = day_begins_ms(seat->zone, today + 1, seat->at_ms);
    if (seat->vacation_day == (int32_t)today) { return true; }
    const int64_t year = (seat->at_ms - clock->began_ms) / (INT64_C(365) * ZONE_DAY_MS);
    if (seat->vacation_year != (int32_t)year) {
        seat->vacation_year = (int32_t)year;
        seat->vacation_spent = 0;
    }
    if (seat->vacation_spent >= spec->vacation_days) { return false; }
    seat->vacation_spent++;
    seat->vacation_day = (int32_t)today;
    return true;
}

int64_t clock_pause_end_ms(const struct clock *clock, const struct clock_spec *spec)
{
    if (clock->pause_ms == 0) { return INT64_MIN; }
    if (!clock->pause_counts || spec->pauses != CLOCK_PAUSES_CAPPED) { return ZONE_NEVER; }
    const int64_t left_ms = spec->pause_cap_ms - clock->paused_ms;
    return clock->pause_ms + (left_ms > 0 ? left_ms : 0);
}

struct segment clock_segment(const struct clock *clock, const struct clock_spec *spec,
                             struct clock_seat *seat)
{
    const int64_t at_ms = seat->at_ms, pause_end_ms = clock_pause_end_ms(clock, spec);
    struct segment segment = {CLOCK_RUNS, ZONE_NEVER, NULL};
    int64_t until_ms = ZONE_NEVER;
    if (seat->frozen) { return (struct segment){CLOCK_PAUSE, ZONE_NEVER, NULL}; }
    if (at_ms < pause_end_ms) { return (struct segment){CLOCK_PAUSE, pause_end_ms, NULL}; }
    if (seat->stage == CLOCK_STEP) { return segment; } /* no longer a matter of the player's days */
    if (at_ms < seat->pace_ms) { return (struct segment){CLOCK_PACE, seat->pace_ms, NULL}; }
    if (spec->days != EVERY_DAY && spec->at_min < 0) {
        if (!on_day(spec, at_ms, &until_ms)) {
            return (struct segment){CLOCK_DAY, until_ms, spec->zone};
        }
        segment = (struct segment){CLOCK_RUNS, until_ms, spec->zone};
    }
    if (spec->vacation_days > 0 && seat->calendar.vacations > 0) {
        if (on_vacation(clock, spec, seat, &until_ms)) {
            return (struct segment){CLOCK_VACATION, earlier(until_ms, segment.until_ms),
                                    seat->zone};
        }
        segment.until_ms = earlier(segment.until_ms, until_ms);
    }
    if (spec->hours.from_min != spec->hours.to_min) {
        if (!in_window(spec->zone, &spec->hours, at_ms, &until_ms)) {
            return (struct segment){CLOCK_HOURS, earlier(until_ms, segment.until_ms), spec->zone};
        }
        segment = (struct segment){CLOCK_RUNS, earlier(until_ms, segment.until_ms), spec->zone};
    }
    if (spec->sleep && seat->calendar.sleep.from_min != seat->calendar.sleep.to_min) {
        if (in_window(seat->zone, &seat->calendar.sleep, at_ms, &until_ms)) {
            return (struct segment){CLOCK_SLEEP, earlier(until_ms, segment.until_ms), seat->zone};
        }
        segment.until_ms = earlier(segment.until_ms, until_ms);
    }
    return segment;
}

int64_t clock_fixed_ms(const struct clock_spec *spec, int64_t at_ms)
{
    int64_t day = zone_day(spec->zone, at_ms, NULL) - 1;
    for (;; day++) {
        if (!runs_on(spec, day)) { continue; }
        const int64_t fixed_ms = zone_instant_ms(spec->zone, day, spec->at_min, ZONE_LAST);
        if (fixed_ms >= at_ms) { return fixed_ms; }
    }
}
