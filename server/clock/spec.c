/* server/clock/spec.c: reading and writing what a clock is. */
#include "server/clock/spec.h"

#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/clock/inside.h"

enum {
    MINUTE_S = 60,
    HOUR_S = 3600,
    DAY_S = 86400,
    PER_MOVE_S_MAX = 60 * DAY_S,
    SHORT_S_MAX = 30 * DAY_S, /* increments, gaps, reminders, grace */
    LONG_S_MAX = 366 * DAY_S,
    LIVE_S_MAX = DAY_S,
    MISSES_MAX = 20,
    DAY_MINUTES = 1440,
    WEEKS = 52, /* of a year */
    EVERY_DAY = 0x7f,
    NAMES_BYTES_MAX = 16
};

static const char *const day_names[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
static const char *const do_names[CLOCK_DO_COUNT] = {
    [CLOCK_DO_CLAIM] = "claim", [CLOCK_DO_FORFEIT] = "forfeit",
    [CLOCK_DO_ANNUL] = "annul", [CLOCK_DO_SUBSTITUTE] = "substitute",
    [CLOCK_DO_ALLY] = "ally",   [CLOCK_DO_CARETAKER] = "caretaker",
};
static const char *const claim_names[] = {"win", "grant", "annul", "convert"}; /* bits in this
                                                                                  order */
static const char *const pause_names[] = {"none", "capped", "free"};
static const char *const kind_names[] = {"live", "correspondence"};
static const char *const draft_names[] = {"miss", "play"};

const char *clock_do_name(enum clock_do what)
{
    return what < CLOCK_DO_COUNT ? do_names[what] : "";
}

const char *clock_kind_name(enum clock_kind kind)
{
    return kind_names[kind];
}

/* The index of text among names, or -1. */
static int find_name(const char *const *names, unsigned count, const char *text)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) { return (int)i; }
    }
    return -1;
}

uint32_t clock_claim_bit(const char *name)
{
    const int i = find_name(claim_names, CLOCK_CLAIMS, name);
    return i < 0 ? 0 : UINT32_C(1) << i;
}

const char *clock_claim_name(unsigned i)
{
    return claim_names[i];
}

int64_t clock_spec_span_ms(const struct clock_spec *spec, const char *phase)
{
    for (unsigned i = 0; phase != NULL && i < spec->phases; i++) {
        if (strcmp(spec->phase[i].name, phase) == 0) { return spec->phase[i].span_ms; }
    }
    return spec->per_move_ms;
}

/* --- reading: an object, where it is, and what is wrong with it ------------------------------- */

struct reader {
    const cJSON *object;
    const char *path; /* "clock.ladder" */
    unsigned seats;
    struct why *why;
};

/* The error at a member of the reader's object. */
static enum err wrong(const struct reader *r, const char *member, const char *text)
{
    char path[2 * WHY_MEMBER_MAX];
    snprintf(path, sizeof path, "%s%s%s", r->path, member[0] == '\0' ? "" : ".", member);
    return why_member(r->why, path, text);
}

/* Puts the reader's path before what a json_read_.. noted. */
static enum err at_path(const struct reader *r, enum err err)
{
    if (err == ERR_OK || r->why == NULL) { return err; }
    const struct why inner = *r->why;
    return wrong(r, inner.member, inner.text);
}

/* Seconds, as ms. A member that is missing leaves *out as it is. */
static enum err read_s(const struct reader *r, const char *name, int64_t min, int64_t max,
                       int64_t *out_ms)
{
    int64_t s = *out_ms / 1000;
    const enum err err = at_path(r, json_read_int(r->object, name, min, max, &s, r->why));
    if (err == ERR_OK && json_get(r->object, name) != NULL) { *out_ms = s * 1000; }
    return err;
}

static enum err read_int(const struct reader *r, const char *name, int64_t min, int64_t max,
                         int32_t *out)
{
    int64_t n = *out;
    const enum err err = at_path(r, json_read_int(r->object, name, min, max, &n, r->why));
    if (err == ERR_OK) { *out = (int32_t)n; }
    return err;
}

/* One of a few words, by its index. */
static enum err read_word(const struct reader *r, const char *name, const char *const *names,
                          unsigned count, const char *text, int *out)
{
    const char *word = NULL;
    enum err err = at_path(r, json_read_str(r->object, name, NAMES_BYTES_MAX, &word, r->why));
    if (err != ERR_OK || word == NULL) { return err; }
    const int i = find_name(names, count, word);
    if (i < 0) { return wrong(r, name, text); }
    *out = i;
    return ERR_OK;
}

/* An array of different words, as bits by their index. */
static enum err read_words(const struct reader *r, const char *name, const char *const *names,
                           unsigned count, const char *text, uint32_t *out)
{
    const cJSON *list = NULL;
    enum err err = at_path(r, json_read_array(r->object, name, count, &list, r->why));
    if (err != ERR_OK || list == NULL) { return err; }
    uint32_t bits = 0;
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        const int n = cJSON_IsString(i) ? find_name(names, count, i->valuestring) : -1;
        if (n < 0) { return wrong(r, name, text); }
        if ((bits >> n & 1U) != 0) { return wrong(r, name, "A word is there twice."); }
        bits |= UINT32_C(1) << n;
    }
    if (bits == 0) { return wrong(r, name, "At least one is needed."); }
    *out = bits;
    return ERR_OK;
}

/* "HH:MM" as a minute of the day; 24:00 only where it may be the end. -1: it is not that. */
static int read_minute(const char *text, bool end)
{
    static const char digits[] = "0123456789";
    if (strlen(text) != 5 || text[2] != ':') { return -1; }
    for (int i = 0; i < 5; i++) {
        if (i != 2 && strchr(digits, text[i]) == NULL) { return -1; }
    }
    const int hour = (text[0] - '0') * 10 + text[1] - '0';
    const int minute = (text[3] - '0') * 10 + text[4] - '0';
    if (hour == 24 && minute == 0 && end) { return DAY_MINUTES; }
    return hour < 24 && minute < 60 ? hour * 60 + minute : -1;
}

static int window_minutes(const struct clock_window *window)
{
    const int minutes = window->to_min - window->from_min;
    return minutes < 0 ? minutes + DAY_MINUTES : minutes;
}

/* --- parts of a spec -------------------------------------------------------------------------- */

static const struct clock_spec *defaults_of(enum clock_kind kind)
{
    static const struct clock_spec live = {
        .kind = CLOCK_LIVE,
        .bank_ms = 3600 * 1000,
        .increment_ms = 30 * 1000,
        .days = EVERY_DAY,
        .at_min = -1,
        .pauses = CLOCK_PAUSES_FREE,
        .steps = 1,
        .step = {{CLOCK_DO_CLAIM, 0}},
    };
    static const struct clock_spec correspondence = {
        .kind = CLOCK_CORRESPONDENCE,
        .bank_ms = INT64_C(10) * DAY_S * 1000,
        .per_move_ms = INT64_C(3) * DAY_S * 1000,
        .days = EVERY_DAY,
        .at_min = -1,
        .pauses = CLOCK_PAUSES_FREE,
        .reminders = 1,
        .remind_ms = {INT64_C(1) * DAY_S * 1000},
        .grace_ms = INT64_C(1) * DAY_S * 1000,
        .steps = 1,
        .step = {{CLOCK_DO_CLAIM, 0}},
    };
    return kind == CLOCK_LIVE ? &live : &correspondence;
}

static enum err read_times(const struct reader *r, struct clock_spec *spec)
{
    const bool live = spec->kind == CLOCK_LIVE;
    enum err err =
        read_s(r, "bank_s", live ? 1 : 0, live ? LIVE_S_MAX : LONG_S_MAX, &spec->bank_ms);
    if (err == ERR_OK) {
        err = read_s(r, "bank_max_s", spec->bank_ms / 1000, LONG_S_MAX, &spec->bank_max_ms);
        if (err == ERR_OK && json_get(r->object, "bank_max_s") != NULL && spec->bank_max_ms == 0) {
            err = wrong(r, "bank_max_s", "A bank that may hold nothing gets no increment.");
        }
    }
    if (err == ERR_OK) {
        err = read_s(r, "increment_s", 0, live ? HOUR_S : SHORT_S_MAX, &spec->increment_ms);
    }
    if (err == ERR_OK) {
        err = read_s(r, "per_move_s", 0, live ? LIVE_S_MAX : PER_MOVE_S_MAX, &spec->per_move_ms);
    }
    return err;
}

static bool is_phase_name(const char *name)
{
    return name[0] != '\0' && strlen(name) < CLOCK_PHASE_NAME_MAX &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name);
}

static enum err read_phases(const struct reader *r, const char *const *names,
                            struct clock_spec *spec)
{
    const cJSON *phases = NULL;
    enum err err = at_path(r, json_read_object(r->object, "phases", &phases, r->why));
    if (err != ERR_OK || phases == NULL) { return err; }
    const struct reader inner = {phases, "clock.phases", r->seats, r->why};
    for (const cJSON *i = phases->child; i != NULL && err == ERR_OK; i = i->next) {
        bool known = names == NULL;
        for (const char *const *name = names; !known && *name != NULL; name++) {
            known = strcmp(*name, i->string) == 0;
        }
        if (!known || !is_phase_name(i->string)) {
            return wrong(&inner, i->string, "The game has no phase of that name.");
        }
        if (spec->phases == CLOCK_PHASES_MAX) {
            return wrong(r, "phases", "There are too many phases.");
        }
        int64_t span_ms = 0;
        err = read_s(&inner, i->string, 0, spec->kind == CLOCK_LIVE ? LIVE_S_MAX : PER_MOVE_S_MAX,
                     &span_ms);
        memcpy(spec->phase[spec->phases].name, i->string, strlen(i->string) + 1);
        spec->phase[spec->phases++].span_ms = span_ms;
    }
    if (err == ERR_OK && spec->phases == 0) {
        return wrong(r, "phases", "At least one phase is needed.");
    }
    return err;
}

static enum err read_hours(const struct reader *r, struct clock_spec *spec)
{
    const cJSON *hours = NULL;
    enum err err = at_path(r, json_read_array(r->object, "hours", 2, &hours, r->why));
    if (err != ERR_OK || hours == NULL) { return err; }
    const cJSON *from = hours->child, *to = from != NULL ? from->next : NULL;
    if (to == NULL || !cJSON_IsString(from) || !cJSON_IsString(to)) {
        return wrong(r, "hours", "Two times are needed: [\"08:00\", \"23:00\"].");
    }
    const int a = read_minute(from->valuestring, false), b = read_minute(to->valuestring, true);
    if (a < 0 || b < 0) { return wrong(r, "hours", "A time is written as \"HH:MM\"."); }
    spec->hours = (struct clock_window){(int16_t)a, (int16_t)b};
    if (window_minutes(&spec->hours) < 60) {
        return wrong(r, "hours", "The clock must run for at least an hour of a day.");
    }
    if (window_minutes(&spec->hours) == DAY_MINUTES) { spec->hours = (struct clock_window){0, 0}; }
    return ERR_OK;
}

/* On how many days of a week the clock runs. */
static int days_of_week(const struct clock_spec *spec)
{
    int days = 0;
    for (unsigned day = 0; day < 7; day++) {
        days += spec->at_min >= 0 || (spec->days >> day & 1) != 0 ? 1 : 0;
    }
    return days;
}

/* What only correspondence has: which hours count. */
static enum err read_calendar(const struct reader *r, struct clock_spec *spec)
{
    static const char *const only[] = {"zone",      "days",  "hours",        "at",
                                       "min_gap_s", "sleep", "vacation_days"};
    for (size_t i = 0; spec->kind == CLOCK_LIVE && i < sizeof only / sizeof only[0]; i++) {
        if (json_get(r->object, only[i]) != NULL) {
            return wrong(r, only[i], "A live clock has no calendar.");
        }
    }
    const char *zone = NULL, *at = NULL;
    uint32_t days = spec->days;
    enum err err = at_path(r, json_read_str(r->object, "zone", ZONE_NAME_MAX - 1, &zone, r->why));
    if (err == ERR_OK && zone != NULL && zone_find(zone, &spec->zone) != ERR_OK) {
        err = wrong(r, "zone", "There is no such time zone.");
    }
    if (err == ERR_OK) {
        err = read_words(r, "days", day_names, 7,
                         "A day is one of mon, tue, wed, thu, fri, sat, sun.", &days);
        spec->days = (uint8_t)days;
    }
    if (err == ERR_OK) { err = read_hours(r, spec); }
    if (err == ERR_OK) { err = at_path(r, json_read_str(r->object, "at", 5, &at, r->why)); }
    if (err == ERR_OK && at != NULL) {
        spec->at_min = (int16_t)read_minute(at, false);
        if (spec->at_min < 0) { err = wrong(r, "at", "A time is written as \"HH:MM\"."); }
        if (err == ERR_OK && json_get(r->object, "hours") != NULL) {
            err = wrong(r, "at", "Either a fixed time or hours, not both.");
        }
    }
    if (err == ERR_OK) { err = read_s(r, "min_gap_s", 0, SHORT_S_MAX, &spec->min_gap_ms); }
    if (err == ERR_OK && at == NULL && json_get(r->object, "min_gap_s") != NULL) {
        err = wrong(r, "min_gap_s", "It goes with a fixed time (at).");
    }
    if (err == ERR_OK && zone == NULL) {
        const char *by = json_get(r->object, "at") != NULL      ? "at"
                         : json_get(r->object, "days") != NULL  ? "days"
                         : json_get(r->object, "hours") != NULL ? "hours"
                                                                : NULL;
        if (by != NULL) { err = wrong(r, "zone", "Days and times of day need a time zone."); }
    }
    if (err == ERR_OK) {
        err = at_path(r, json_read_bool(r->object, "sleep", &spec->sleep, r->why));
    }
    if (err == ERR_OK && spec->sleep && spec->hours.from_min != spec->hours.to_min &&
        window_minutes(&spec->hours) < CLOCK_HOURS_WITH_SLEEP_MIN) {
        err = wrong(r, "hours", "With sleep the hours must be at least twelve.");
    }
    if (err == ERR_OK) {
        err = read_int(r, "vacation_days", 0, days_of_week(spec) * WEEKS / 2, &spec->vacation_days);
    }
    return err;
}

static enum err read_pauses(const struct reader *r, struct clock_spec *spec)
{
    static const char *const names[] = {"policy", "cap_s", NULL};
    const cJSON *pauses = NULL;
    enum err err = at_path(r, json_read_object(r->object, "pauses", &pauses, r->why));
    if (err != ERR_OK || pauses == NULL) { return err; }
    const struct reader inner = {pauses, "clock.pauses", r->seats, r->why};
    int policy = -1;
    err = at_path(&inner, json_only(pauses, names, r->why));
    if (err == ERR_OK) {
        err = read_word(&inner, "policy", pause_names, 3, "It is one of none, capped, free.",
                        &policy);
    }
    if (err == ERR_OK && policy < 0) { err = wrong(&inner, "policy", "This member is missing."); }
    if (err == ERR_OK) { err = read_s(&inner, "cap_s", MINUTE_S, LONG_S_MAX, &spec->pause_cap_ms); }
    if (err == ERR_OK && (policy == CLOCK_PAUSES_CAPPED) != (spec->pause_cap_ms != 0)) {
        err = wrong(&inner, "cap_s", "It goes with the policy capped, which needs it.");
    }
    if (err == ERR_OK) { spec->pauses = (enum clock_pauses)policy; }
    return err;
}

/* --- the ladder ------------------------------------------------------------------------------- */

static enum err read_reminders(const struct reader *r, struct clock_spec *spec)
{
    const cJSON *list = NULL;
    enum err err =
        at_path(r, json_read_array(r->object, "remind_s", CLOCK_REMINDERS_MAX, &list, r->why));
    if (err != ERR_OK || list == NULL) { return err; }
    spec->reminders = 0;
    for (const cJSON *i = list->child; i != NULL; i = i->next) {
        const int64_t s = cJSON_IsNumber(i) ? json_int(i, 0) : 0;
        if (s < 1 || s > SHORT_S_MAX) {
            return wrong(r, "remind_s", "Each is a number of seconds, from 1 to thirty days.");
        }
        unsigned at = spec->reminders++; /* longest first */
        for (; at > 0 && spec->remind_ms[at - 1] < s * 1000; at--) {
            spec->remind_ms[at] = spec->remind_ms[at - 1];
        }
        if (at > 0 && spec->remind_ms[at - 1] == s * 1000) {
            return wrong(r, "remind_s", "A reminder is there twice.");
        }
        spec->remind_ms[at] = s * 1000;
    }
    return ERR_OK;
}

static bool is_last(enum clock_do what)
{
    return what == CLOCK_DO_FORFEIT || what == CLOCK_DO_ANNUL || what == CLOCK_DO_CARETAKER;
}

static enum err add_step(const struct reader *r, struct clock_spec *spec, int what, int64_t for_ms,
                         bool last)
{
    if (what < 0) {
        return wrong(r, "then",
                     "A step is one of claim, forfeit, annul, substitute, ally, caretaker.");
    }
    if (what == CLOCK_DO_ALLY && r->seats < 3) {
        return wrong(r, "then", "In a match of two there is no ally.");
    }
    for (unsigned i = 0; i < spec->steps; i++) {
        if (spec->step[i].what == (enum clock_do)what) {
            return wrong(r, "then", "A step is there twice.");
        }
    }
    if (!last && is_last((enum clock_do)what)) {
        return wrong(r, "then", "Nothing follows after forfeit, annul and caretaker.");
    }
    if (last != (for_ms == 0)) { return wrong(r, "then", "Each step but the last has for_s."); }
    spec->step[spec->steps++] = (struct clock_step){(enum clock_do)what, for_ms};
    return ERR_OK;
}

static enum err read_then(const struct reader *r, struct clock_spec *spec)
{
    static const char *const names[] = {"do", "for_s", NULL};
    const cJSON *then = json_get(r->object, "then");
    if (then == NULL) { return ERR_OK; }
    spec->steps = 0;
    if (cJSON_IsString(then)) {
        return add_step(r, spec, find_name(do_names, CLOCK_DO_COUNT, then->valuestring), 0, true);
    }
    const cJSON *list = NULL;
    enum err err = at_path(r, json_read_array(r->object, "then", CLOCK_STEPS_MAX, &list, r->why));
    if (err != ERR_OK) { return err; }
    for (const cJSON *i = list->child; i != NULL && err == ERR_OK; i = i->next) {
        const struct reader inner = {i, "clock.ladder.then", r->seats, r->why};
        int what = -1;
        int64_t for_ms = 0;
        err = at_path(&inner, json_only(i, names, r->why));
        if (err == ERR_OK) {
            err = read_word(&inner, "do", do_names, CLOCK_DO_COUNT,
                            "It is one of claim, forfeit, annul, substitute, ally, caretaker.",
                            &what);
        }
        if (err == ERR_OK) { err = read_s(&inner, "for_s", MINUTE_S, LONG_S_MAX, &for_ms); }
        if (err == ERR_OK) { err = add_step(r, spec, what, for_ms, i->next == NULL); }
    }
    if (err == ERR_OK && spec->steps == 0) {
        err = wrong(r, "then", "At least one step is needed.");
    }
    return err;
}

static int64_t longer(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool has_step(const struct clock_spec *spec, enum clock_do what)
{
    for (unsigned i = 0; i < spec->steps; i++) {
        if (spec->step[i].what == what) { return true; }
    }
    return false;
}

static enum err read_after(const struct reader *r, struct clock_spec *spec)
{
    const int64_t minute_ms = MINUTE_S * 1000;
    if (spec->misses > 0) {
        spec->again_ms = longer(longer(spec->per_move_ms, spec->grace_ms), minute_ms);
    }
    if (has_step(spec, CLOCK_DO_CLAIM)) {
        spec->claims = CLOCK_CLAIM_WIN | CLOCK_CLAIM_GRANT | CLOCK_CLAIM_ANNUL;
    } else if (json_get(r->object, "claims") != NULL) {
        return wrong(r, "claims", "It goes with the step claim.");
    }
    if (spec->misses == 0 && json_get(r->object, "again_s") != NULL) {
        return wrong(r, "again_s", "It goes with misses that are forgiven.");
    }
    enum err err = read_s(r, "again_s", MINUTE_S, PER_MOVE_S_MAX, &spec->again_ms);
    if (err == ERR_OK) {
        err = read_words(r, "claims", claim_names, 3, "A claim is one of win, grant, annul.",
                         &spec->claims);
    }
    spec->grant_ms = longer(longer(spec->per_move_ms, spec->bank_ms), minute_ms);
    if (err == ERR_OK && (spec->claims & CLOCK_CLAIM_GRANT) == 0 &&
        json_get(r->object, "grant_s") != NULL) {
        err = wrong(r, "grant_s", "It goes with the claim grant.");
    }
    if (err == ERR_OK) { err = read_s(r, "grant_s", MINUTE_S, LONG_S_MAX, &spec->grant_ms); }
    spec->fresh_ms = spec->bank_ms;
    if (err == ERR_OK) { err = read_s(r, "fresh_s", 0, LONG_S_MAX, &spec->fresh_ms); }
    return err;
}

static enum err read_ladder(const struct reader *outer, struct clock_spec *spec)
{
    static const char *const names[] = {"remind_s", "grace_s", "misses",  "again_s", "then",
                                        "claims",   "grant_s", "fresh_s", "draft",   NULL};
    cJSON none = {.type = cJSON_Object};
    const cJSON *ladder = NULL;
    enum err err = at_path(outer, json_read_object(outer->object, "ladder", &ladder, outer->why));
    if (err != ERR_OK) { return err; }
    const struct reader r = {ladder != NULL ? ladder : &none, "clock.ladder", outer->seats,
                             outer->why};
    int draft = 0;
    err = at_path(&r, json_only(r.object, names, r.why));
    if (err == ERR_OK) { err = read_reminders(&r, spec); }
    if (err == ERR_OK) { err = read_s(&r, "grace_s", 0, SHORT_S_MAX, &spec->grace_ms); }
    if (err == ERR_OK) { err = read_int(&r, "misses", 0, MISSES_MAX, &spec->misses); }
    if (err == ERR_OK) { err = read_then(&r, spec); }
    if (err == ERR_OK) { err = read_after(&r, spec); }
    if (err == ERR_OK) {
        err = read_word(&r, "draft", draft_names, 2, "It is miss or play.", &draft);
        spec->draft_plays = draft == 1;
    }
    return err;
}

/* --- a live match whose player is gone -------------------------------------------------------- */

enum { AWAY_S_MIN = 30 };
static const char *const away_names[] = {"win", "annul", "convert"};
static const uint32_t away_bits[] = {CLOCK_CLAIM_WIN, CLOCK_CLAIM_ANNUL, CLOCK_CLAIM_CONVERT};

static enum err read_becomes(const struct reader *outer, struct clock_spec *spec)
{
    static const char *const names[] = {"bank_s", "per_move_s", NULL};
    const struct clock_spec *usual = defaults_of(CLOCK_CORRESPONDENCE);
    const cJSON *becomes = NULL;
    enum err err = at_path(outer, json_read_object(outer->object, "becomes", &becomes, outer->why));
    spec->becomes_bank_ms = usual->bank_ms;
    spec->becomes_per_move_ms = usual->per_move_ms;
    if (err != ERR_OK || becomes == NULL) { return err; }
    const struct reader r = {becomes, "clock.away.becomes", outer->seats, outer->why};
    err = at_path(&r, json_only(becomes, names, r.why));
    if (err == ERR_OK) { err = read_s(&r, "bank_s", 0, LONG_S_MAX, &spec->becomes_bank_ms); }
    if (err == ERR_OK) {
        err = read_s(&r, "per_move_s", 0, PER_MOVE_S_MAX, &spec->becomes_per_move_ms);
    }
    if (err == ERR_OK && spec->becomes_bank_ms == 0 && spec->becomes_per_move_ms == 0) {
        err = wrong(&r, "bank_s", "Without bank and time for a move nobody could play.");
    }
    return err;
}

static enum err read_away_claims(const struct reader *r, bool converts, struct clock_spec *spec)
{
    uint32_t bits = (UINT32_C(1) << 3) - 1;
    if (converts && json_get(r->object, "claims") != NULL) {
        return wrong(r, "claims", "Where the match is converted by itself nothing is claimed.");
    }
    const enum err err =
        read_words(r, "claims", away_names, 3, "A claim is one of win, annul, convert.", &bits);
    for (unsigned i = 0; err == ERR_OK && !converts && i < 3; i++) {
        if ((bits >> i & 1U) != 0) { spec->away_claims |= away_bits[i]; }
    }
    return err;
}

static enum err read_away(const struct reader *outer, struct clock_spec *spec)
{
    static const char *const names[] = {"after_s", "claims", "then", "becomes", NULL};
    static const char *const thens[] = {"claim", "convert"};
    const cJSON *away = NULL;
    enum err err = at_path(outer, json_read_object(outer->object, "away", &away, outer->why));
    if (err != ERR_OK || away == NULL) { return err; }
    if (spec->kind != CLOCK_LIVE) {
        return wrong(outer, "away", "By correspondence nobody has to be here.");
    }
    const struct reader r = {away, "clock.away", outer->seats, outer->why};
    int then = 0;
    err = at_path(&r, json_only(away, names, r.why));
    if (err == ERR_OK && json_get(away, "after_s") == NULL) {
        err = wrong(&r, "after_s", "This member is missing.");
    }
    if (err == ERR_OK) { err = read_s(&r, "after_s", AWAY_S_MIN, LIVE_S_MAX, &spec->away_ms); }
    if (err == ERR_OK) { err = read_word(&r, "then", thens, 2, "It is claim or convert.", &then); }
    if (err == ERR_OK) { err = read_away_claims(&r, then == 1, spec); }
    if (err == ERR_OK) { err = read_becomes(&r, spec); }
    const bool becomes = then == 1 || (spec->away_claims & CLOCK_CLAIM_CONVERT) != 0;
    if (err == ERR_OK && !becomes && json_get(away, "becomes") != NULL) {
        err = wrong(&r, "becomes", "It goes with convert, as a claim or by itself.");
    }
    return err;
}

void clock_spec_convert(const struct clock_spec *spec, struct clock_spec *out_spec)
{
    const struct clock_spec *usual = defaults_of(CLOCK_CORRESPONDENCE);
    struct clock_spec to = *spec;
    to.kind = CLOCK_CORRESPONDENCE;
    to.bank_ms = spec->becomes_bank_ms;
    to.per_move_ms = spec->becomes_per_move_ms;
    to.bank_max_ms = to.increment_ms = 0;
    to.phases = 0;
    to.reminders = usual->reminders;
    memcpy(to.remind_ms, usual->remind_ms, sizeof to.remind_ms);
    to.grace_ms = longer(spec->grace_ms, usual->grace_ms);
    to.fresh_ms = to.bank_ms;
    to.grant_ms = longer(longer(to.per_move_ms, to.bank_ms), MINUTE_S * 1000);
    if (to.misses > 0) { to.again_ms = longer(to.again_ms, longer(to.per_move_ms, to.grace_ms)); }
    to.away_ms = to.becomes_bank_ms = to.becomes_per_move_ms = 0;
    to.away_claims = 0;
    *out_spec = to;
}

static void write_away(const struct clock_spec *spec, struct buf *out)
{
    const bool converts = spec->away_claims == 0;
    if (spec->away_ms == 0) { return; }
    jw_key_object(out, "away");
    jw_key_int(out, "after_s", spec->away_ms / 1000);
    jw_key_str(out, "then", converts ? "convert" : "claim");
    if (!converts) {
        jw_key_array(out, "claims");
        for (unsigned i = 0; i < 3; i++) {
            if ((spec->away_claims & away_bits[i]) != 0) { jw_str(out, away_names[i]); }
        }
        jw_array_end(out);
    }
    if (converts || (spec->away_claims & CLOCK_CLAIM_CONVERT) != 0) {
        jw_key_object(out, "becomes");
        jw_key_int(out, "bank_s", spec->becomes_bank_ms / 1000);
        jw_key_int(out, "per_move_s", spec->becomes_per_move_ms / 1000);
        jw_object_end(out);
    }
    jw_object_end(out);
}

/* --- the whole -------------------------------------------------------------------------------- */

/* How long it may take at most until all time is used up, in ms, whatever the calendars say. */
static double longest_ms(const struct clock_spec *spec)
{
    int64_t span_ms = spec->per_move_ms;
    for (unsigned i = 0; i < spec->phases; i++) {
        span_ms = longer(span_ms, spec->phase[i].span_ms);
    }
    const int hours = window_minutes(&spec->hours);
    const int of_day = (hours == 0 ? DAY_MINUTES : hours) - (spec->sleep ? CLOCK_SLEEP_MIN_MAX : 0);
    const double running =
        (double)(longer(spec->bank_ms, longer(spec->bank_max_ms, spec->fresh_ms)) + span_ms +
                 spec->grace_ms + spec->again_ms);
    const double days = days_of_week(spec) * WEEKS;
    return running * DAY_MINUTES / of_day * 7 * WEEKS / (days - spec->vacation_days);
}

enum err clock_spec_parse(const cJSON *json, unsigned seats, const char *const *phases,
                          struct clock_spec *out_spec, struct why *why)
{
    static const char *const names[] = {
        "kind",          "bank_s", "bank_max_s", "increment_s", "per_move_s", "phases",
        "zone",          "days",   "hours",      "at",          "min_gap_s",  "sleep",
        "vacation_days", "pauses", "ladder",     "away",        NULL};
    const struct reader r = {json, "clock", seats, why};
    int kind = -1;
    enum err err = at_path(&r, json_only(json, names, why));
    if (err == ERR_OK) {
        err = read_word(&r, "kind", kind_names, 2, "It is live or correspondence.", &kind);
    }
    if (err == ERR_OK && kind < 0) { err = wrong(&r, "kind", "This member is missing."); }
    if (err != ERR_OK) { return err; }
    struct clock_spec spec = *defaults_of((enum clock_kind)kind);
    spec.zone = zone_utc();
    err = read_times(&r, &spec);
    if (err == ERR_OK) { err = read_phases(&r, phases, &spec); }
    if (err == ERR_OK) { err = read_calendar(&r, &spec); }
    if (err == ERR_OK) { err = read_pauses(&r, &spec); }
    if (err == ERR_OK) { err = read_ladder(&r, &spec); }
    if (err == ERR_OK) { err = read_away(&r, &spec); }
    if (err == ERR_OK && spec.bank_ms == 0 && spec.per_move_ms == 0) {
        err = wrong(&r, "bank_s", "Without bank and time for a move nobody could play.");
    }
    if (err == ERR_OK && longest_ms(&spec) > (double)CLOCK_YEARS_MAX * 365 * DAY_S * 1000) {
        err = wrong(&r, "bank_s", "With these days and hours it would take years to run out.");
    }
    if (err == ERR_OK) { *out_spec = spec; }
    return err;
}

enum err clock_spec_read(const char *text, size_t n, unsigned seats, struct clock_spec *out_spec,
                         struct why *why)
{
    cJSON *json = NULL;
    if (json_parse(text, n, &json) != ERR_OK) { return why_member(why, "clock", "It is no JSON."); }
    enum err err = json_normalise(json, why);
    if (err == ERR_OK) { err = clock_spec_parse(json, seats, NULL, out_spec, why); }
    cJSON_Delete(json);
    return err;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_minute(struct buf *out, int minute)
{
    char text[8];
    snprintf(text, sizeof text, "%02d:%02d", minute / 60 % 100, minute % 60);
    jw_str(out, text);
}

static void write_bits(struct buf *out, const char *name, const char *const *names, unsigned count,
                       uint32_t bits)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < count; i++) {
        if ((bits >> i & 1U) != 0) { jw_str(out, names[i]); }
    }
    jw_array_end(out);
}

static void write_calendar(const struct clock_spec *spec, struct buf *out)
{
    jw_key_str(out, "zone", zone_name(spec->zone));
    if (spec->days != EVERY_DAY) { write_bits(out, "days", day_names, 7, spec->days); }
    if (spec->hours.from_min != spec->hours.to_min) {
        jw_key_array(out, "hours");
        write_minute(out, spec->hours.from_min);
        write_minute(out, spec->hours.to_min);
        jw_array_end(out);
    }
    if (spec->at_min >= 0) {
        jw_key(out, "at");
        write_minute(out, spec->at_min);
        jw_key_int(out, "min_gap_s", spec->min_gap_ms / 1000);
    }
    jw_key_bool(out, "sleep", spec->sleep);
    jw_key_int(out, "vacation_days", spec->vacation_days);
}

static void write_ladder(const struct clock_spec *spec, struct buf *out)
{
    jw_key_object(out, "ladder");
    jw_key_array(out, "remind_s");
    for (unsigned i = 0; i < spec->reminders; i++) {
        jw_int(out, spec->remind_ms[i] / 1000);
    }
    jw_array_end(out);
    jw_key_int(out, "grace_s", spec->grace_ms / 1000);
    jw_key_int(out, "misses", spec->misses);
    if (spec->misses > 0) { jw_key_int(out, "again_s", spec->again_ms / 1000); }
    jw_key_array(out, "then");
    for (unsigned i = 0; i < spec->steps; i++) {
        jw_object_begin(out);
        jw_key_str(out, "do", do_names[spec->step[i].what]);
        if (spec->step[i].for_ms != 0) { jw_key_int(out, "for_s", spec->step[i].for_ms / 1000); }
        jw_object_end(out);
    }
    jw_array_end(out);
    if (spec->claims != 0) { write_bits(out, "claims", claim_names, 3, spec->claims); }
    if ((spec->claims & CLOCK_CLAIM_GRANT) != 0) {
        jw_key_int(out, "grant_s", spec->grant_ms / 1000);
    }
    jw_key_int(out, "fresh_s", spec->fresh_ms / 1000);
    jw_key_str(out, "draft", draft_names[spec->draft_plays ? 1 : 0]);
    jw_object_end(out);
}

void clock_spec_write(const struct clock_spec *spec, struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "kind", kind_names[spec->kind]);
    jw_key_int(out, "bank_s", spec->bank_ms / 1000);
    if (spec->bank_max_ms != 0) { jw_key_int(out, "bank_max_s", spec->bank_max_ms / 1000); }
    jw_key_int(out, "increment_s", spec->increment_ms / 1000);
    jw_key_int(out, "per_move_s", spec->per_move_ms / 1000);
    if (spec->phases > 0) {
        jw_key_object(out, "phases");
        for (unsigned i = 0; i < spec->phases; i++) {
            jw_key_int(out, spec->phase[i].name, spec->phase[i].span_ms / 1000);
        }
        jw_object_end(out);
    }
    if (spec->kind == CLOCK_CORRESPONDENCE) { write_calendar(spec, out); }
    jw_key_object(out, "pauses");
    jw_key_str(out, "policy", pause_names[spec->pauses]);
    if (spec->pause_cap_ms != 0) { jw_key_int(out, "cap_s", spec->pause_cap_ms / 1000); }
    jw_object_end(out);
    write_ladder(spec, out);
    write_away(spec, out);
    jw_object_end(out);
}
