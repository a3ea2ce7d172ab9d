/* server/match/reckon.c: match.clock: why this deadline, and what comes next. And the calendars of
 * who holds the seats. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/match/ladder.h"
#include "server/match/live.h"

/* --- match.clock -------------------------------------------------------------------------------
 */

struct reckoning {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    int64_t key;
    uint64_t landed;
    struct clock_row row;
};

static void reckoning_free(void *reckoning)
{
    struct reckoning *job = reckoning;
    clock_row_finish(&job->row);
    free(job);
}

static enum err reckoning_run(struct db *db, void *reckoning)
{
    struct reckoning *job = reckoning;
    return clocks_read(db, job->key, &job->row);
}

/* The answer into matches->text. */
static enum err write_reckoning(const struct reckoning *job, struct why *why)
{
    const struct match *match = job->match;
    struct buf *out = &job->matches->text;
    if (job->row.spec == NULL) { return why_conflict(why, "clock", "This match has no clock."); }
    struct match copy = {.id = match->id, .seats = match->seats};
    memcpy(copy.codes, match->codes, sizeof copy.codes);
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "match", match->id.text);
    if (job->row.told == NULL) {
        jw_key_raw(out, "spec", job->row.spec, strlen(job->row.spec));
        jw_object_end(out);
        return ERR_OK;
    }
    if (!clocks_install(&copy, &job->row)) { return ERR_STORAGE_FAILED; }
    const struct play_clock *play = copy.clock;
    const char *codes[SEATS_MAX];
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        codes[i] = match->codes[i];
    }
    int64_t now = matches_now(job->matches);
    now = now > play->clock.at_ms ? now : play->clock.at_ms;
    clock_write_why(&play->clock, &play->spec, codes, now, out);
    jw_object_end(out);
    clocks_drop(&copy);
    return out->failed ? ERR_INTERNAL : ERR_OK;
}

static void reckon(struct matches *matches, struct match *match, const struct match_call *call);

static void on_reckoned(void *ctx, enum err err)
{
    struct reckoning *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    struct why why;
    why_clear(&why);
    /* What was told since it was read must not be taken back by an older answer. */
    bool stale = err == ERR_OK && job->landed != match->offers_landed;
    if (stale) {
        reckon(matches, match, &job->call);
    } else {
        if (err == ERR_OK) { err = write_reckoning(job, &why); }
        if (err == ERR_OK) {
            done_ok(&job->call, matches->text.data, matches->text.len);
        } else {
            done_fail(&job->call, err, &why);
        }
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static void reckon(struct matches *matches, struct match *match, const struct match_call *call)
{
    struct reckoning *job = calloc(1, sizeof *job);
    if (job == NULL) {
        done_fail(call, ERR_INTERNAL, NULL);
        return;
    }
    job->matches = matches;
    job->match = match;
    job->call = *call;
    job->key = match->key;
    job->landed = match->offers_landed;
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, reckoning_run, job, reckoning_free, on_reckoned, job);
}

static bool run_clock(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", NULL};
    struct why why;
    unsigned viewer = 0;
    why_clear(&why);
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = match_viewer(match, &task->call.account, NULL, &viewer, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    reckon(matches, match, &task->call);
    return true;
}

void match_clock(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_clock);
}

/* --- calendars ---------------------------------------------------------------------------------
 */

/* The calendars of all seats of a match, read anew. */
struct dating {
    struct matches *matches;
    struct match_id id;
    struct account_id accounts[SEATS_MAX];
    char *settings[SEATS_MAX]; /* NULL: no such account */
};

static void dating_free(void *dating)
{
    struct dating *job = dating;
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        free(job->settings[i]);
    }
    free(job);
}

static enum err dating_run(struct db *db, void *dating)
{
    struct dating *job = dating;
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        free(job->settings[i]);
        job->settings[i] = NULL;
        if (account_is_nobody(&job->accounts[i])) { continue; }
        enum err err = clocks_read_settings(db, &job->accounts[i], &job->settings[i]);
        if (err != ERR_OK && err != ERR_NOT_FOUND) { return err; }
    }
    return ERR_OK;
}

bool match_calendar_of(const char *settings, struct clock_calendar *out)
{
    struct why why;
    cJSON *json = NULL;
    why_clear(&why);
    clock_calendar_init(out);
    if (settings == NULL) { return true; }
    if (json_parse(settings, strlen(settings), &json) != ERR_OK) { return false; }
    const cJSON *zone = json_get(json, "timezone");
    enum err err =
        clock_calendar_parse(cJSON_IsString(zone) ? zone->valuestring : NULL,
                             json_get(json, "sleep"), json_get(json, "vacation"), out, &why);
    cJSON_Delete(json);
    return err == ERR_OK;
}

static bool same_calendar(const struct clock_calendar *a, const struct clock_calendar *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The seat's calendar is that from now on; a vacation that begins or ends with it is told. */
static enum err set_calendar(struct making *making, unsigned seat,
                             const struct clock_calendar *calendar, int64_t now)
{
    struct match *match = making->match;
    struct play_clock *play = match->clock;
    struct core_step step;
    const struct clock_seat *clock = &play->clock.seat[seat];
    if (!clock->frozen && same_calendar(&clock->next, calendar)) { return ERR_OK; }
    int64_t at = clocks_settle(making->flight, play, now);
    /* A match that came from another server: now somebody sits there. */
    if (clock->frozen && clock_freeze(&play->clock, &play->spec, seat, false, at)) {
        play->changed = true;
    }
    if (clock_calendar_set(&play->clock, &play->spec, seat, calendar, at) != ERR_OK) {
        return ERR_OK; /* a zone that the system has no more: as it was */
    }
    play->changed = true;
    struct clock_event event;
    clock_next(&play->clock, &play->spec, &event);
    if (event.kind != CLOCK_EV_VACATION || event.seat != seat || event.at_ms > at) {
        return ERR_OK; /* or another comes first: the ladder tells it */
    }
    clock_fire(&play->clock, &play->spec, &event);
    const struct line_host act = {.host = clock->vacation_told ? "pause" : "resume",
                                  .to = -1,
                                  .how = "vacation",
                                  .seat = match->core->codes[seat],
                                  .ms = -1};
    enum err err = core_tell(match->core, &making->matches->scratch, &act, now, &step);
    return err == ERR_OK ? making_note(making, &step) : err;
}

/* What has become different of the calendars, as one flight. */
static void send_dates(struct matches *matches, struct match *match, struct task *task,
                       const struct dating *job)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    int64_t now = matches_now(matches);
    enum err err = making_open(&making, SEATS_MAX);
    if (err == ERR_OK) {
        making.flight->seat = -1;
        making.flight->call.done = NULL;
    }
    answer_begin(&matches->text);
    for (unsigned i = 0; err == ERR_OK && i < match->seats; i++) {
        struct clock_calendar calendar;
        bool same = account_id_same(&match->accounts[i], &job->accounts[i]);
        if (!same || !match_calendar_of(job->settings[i], &calendar)) { continue; }
        err = set_calendar(&making, i, &calendar, now);
    }
    if (err == ERR_OK && making.flight->step_count == 0 && !match->clock->changed) {
        making_drop(&making);
        return;
    }
    if (err == ERR_OK) {
        making.flight->told |= (UINT32_C(1) << match->seats) - 1U;
        making.flight->told |= UINT32_C(1) << VIEWER_PUBLIC;
        err = making_go(&making);
    }
    if (err != ERR_OK) {
        match->spoilt = true;
        making_drop(&making);
    }
}

static bool run_dates(struct matches *matches, struct match *match, struct task *task)
{
    struct dating *job = task->call.ctx;
    bool idle = match->frozen || matches->closing || match->next_n == 0 || match->over;
    if (!idle && (match->core == NULL || match->failing || match->spoilt)) {
        match_want_core(matches, match);
        return false;
    }
    if (!idle && match->clock != NULL && !match->core->over) {
        send_dates(matches, match, task, job);
    }
    dating_free(job);
    return true;
}

/* The match could not be had. */
static void on_not_dated(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)err;
    (void)why;
    (void)json;
    (void)n;
    dating_free(ctx);
}

static void on_dates_read(void *ctx, enum err err)
{
    struct dating *job = ctx;
    struct matches *matches = job->matches;
    if (err == ERR_OK && !matches->closing) {
        const struct match_call call = {.done = on_not_dated, .ctx = job};
        task_start_id(matches, &call, &job->id, NULL, run_dates);
    } else {
        dating_free(job);
    }
    matches_settled(matches);
}

void clocks_date(struct matches *matches, const struct match_id *id,
                 const struct account_id accounts[SEATS_MAX])
{
    struct dating *job = calloc(1, sizeof *job);
    if (job == NULL) { return; }
    job->matches = matches;
    job->id = *id;
    memcpy(job->accounts, accounts, sizeof job->accounts);
    matches->pending++;
    store_read(matches->config.store, dating_run, job, NULL, on_dates_read, job);
}

/* --- at the start
 * ---------------------------------------------------------------------------------
 */

/* Seats whose clock has another calendar than their account: it was set when the daemon went down.
 */
struct overdue {
    struct matches *matches;
    struct overdue_seat {
        struct match_id id;
        unsigned seat;
        struct account_id account;
    } * list;
    size_t count, cap;
};

static void overdue_free(void *overdue)
{
    struct overdue *job = overdue;
    free(job->list);
    free(job);
}

static bool note_overdue(struct overdue *job, const struct match_row *row, unsigned seat)
{
    if (job->count == job->cap) {
        const size_t cap = job->cap == 0 ? 16 : job->cap * 2;
        struct overdue_seat *list = realloc(job->list, cap * sizeof *list);
        if (list == NULL) { return false; }
        job->list = list;
        job->cap = cap;
    }
    job->list[job->count++] = (struct overdue_seat){row->id, seat, row->accounts[seat]};
    return true;
}

struct overdue_read {
    struct overdue *job;
    struct db *db;
};

/* What cannot be read is found when the match is loaded. */
static bool on_running(void *ctx, const struct clock_wake *wake)
{
    struct overdue_read *read = ctx;
    struct match match = {.id = wake->id, .key = wake->key, .seats = (uint8_t)wake->seats};
    struct match_row row;
    bool good = true;
    if (wake->row == NULL || wake->row->told == NULL || !clocks_install(&match, wake->row)) {
        return true;
    }
    if (matches_read_row(read->db, &wake->id, false, &row) == ERR_OK) {
        for (unsigned i = 0; good && i < match.seats && i < row.seats; i++) {
            const struct clock_seat *clock = &match.clock->clock.seat[i];
            struct clock_calendar calendar;
            char *settings = NULL;
            if (account_is_nobody(&row.accounts[i])) { continue; }
            const bool told =
                clocks_read_settings(read->db, &row.accounts[i], &settings) == ERR_OK &&
                match_calendar_of(settings, &calendar);
            if (told && (clock->frozen || !same_calendar(&clock->next, &calendar))) {
                good = note_overdue(read->job, &row, i);
            }
            free(settings);
        }
        match_row_finish(&row);
    }
    clocks_drop(&match);
    return good;
}

static enum err overdue_run(struct db *db, void *overdue)
{
    struct overdue *job = overdue;
    struct overdue_read read = {.job = job, .db = db};
    job->count = 0;
    return clocks_each(db, on_running, &read);
}

static void on_overdue(void *ctx, enum err err)
{
    struct overdue *job = ctx;
    if (err != ERR_OK) { log_event(LOG_WARN, "calendars_not_read", "kind=%s", err_kind(err)); }
    for (size_t i = 0; err == ERR_OK && i < job->count; i++) {
        struct account_id accounts[SEATS_MAX];
        memset(accounts, 0, sizeof accounts);
        accounts[job->list[i].seat] = job->list[i].account;
        clocks_date(job->matches, &job->list[i].id, accounts);
    }
    matches_settled(job->matches);
}

void clocks_date_overdue(struct matches *matches)
{
    struct overdue *job = calloc(1, sizeof *job);
    if (job == NULL) { return; }
    job->matches = matches;
    matches->pending++;
    store_read(matches->config.store, overdue_run, job, overdue_free, on_overdue, job);
}

/* --- an account that says when it is away ------------------------------------------------------
 */

enum { OF_ACCOUNT_MAX = 512 };
struct of_account {
    struct matches *matches;
    struct account_id account;
    unsigned count;
    struct {
        struct match_id id;
        unsigned seat;
    } list[OF_ACCOUNT_MAX];
};

static bool on_match_of(void *ctx, const struct match_id *id, unsigned seat)
{
    struct of_account *job = ctx;
    if (job->count == OF_ACCOUNT_MAX || seat >= SEATS_MAX) { return true; }
    job->list[job->count].id = *id;
    job->list[job->count++].seat = seat;
    return true;
}

static enum err of_account_run(struct db *db, void *of_account)
{
    struct of_account *job = of_account;
    job->count = 0;
    return clocks_each_of(db, &job->account, on_match_of, job);
}

static void on_matches_of(void *ctx, enum err err)
{
    struct of_account *job = ctx;
    for (unsigned i = 0; err == ERR_OK && i < job->count; i++) {
        struct account_id accounts[SEATS_MAX];
        memset(accounts, 0, sizeof accounts);
        accounts[job->list[i].seat] = job->account;
        clocks_date(job->matches, &job->list[i].id, accounts);
    }
    matches_settled(job->matches);
}

void matches_calendar(struct matches *matches, const struct account_id *account)
{
    struct of_account *job = matches->closing ? NULL : calloc(1, sizeof *job);
    if (job == NULL) { return; }
    job->matches = matches;
    job->account = *account;
    matches->pending++;
    store_read(matches->config.store, of_account_run, job, free, on_matches_of, job);
}
