/* server/match/look.c: referees' looks. */
#include "server/match/look.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/match/live.h"
#include "server/store/looks.h"

static_assert(LOOK_REASON_BYTES == LINE_REASON_BYTES_MAX + 1, "a reason and its NUL");

bool look_stands(const struct looks *looks, const struct account_id *account)
{
    if (account_is_nobody(account)) { return false; }
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        if (account_id_same(&looks->look[i].account, account)) { return true; }
    }
    return false;
}

bool looks_any(const struct looks *looks)
{
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        if (!account_is_nobody(&looks->look[i].account)) { return true; }
    }
    return false;
}

static void note_look(struct matches *matches, struct match *match,
                      const struct account_id *account, int64_t until)
{
    unsigned at = 0;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        if (account_id_same(&match->looks.look[i].account, account)) {
            at = i;
            break;
        }
        if (match->looks.look[i].until < match->looks.look[at].until) { at = i; }
    }
    match->looks.look[at].account = *account;
    match->looks.look[at].until = until;
    if (match->core != NULL) { match->core->say_all = true; }
    if (matches->looks_next == 0 || until < matches->looks_next) { matches->looks_next = until; }
}

/* --- one call ----------------------------------------------------------------------------------
 */

/* Until it goes on as a call of its method. */
struct looking {
    struct matches *matches;
    struct match *match; /* while it is held */
    struct match_call call;
    const struct cJSON *params;
    match_method_fn *method;
    struct match_id id;
    int64_t key, now, until;
    struct look_right right;
    bool read;
    char reason[LOOK_REASON_BYTES];
};

/* What the account may see by now it is shown, and nothing else. */
static bool go_on(struct looking *take_looking)
{
    struct looking looking = *take_looking;
    free(take_looking);
    looking.method(looking.matches, &looking.call, looking.params);
    return true;
}

static bool refuse(struct looking *take_looking, enum err err, const struct why *why)
{
    done_fail(&take_looking->call, err, why);
    free(take_looking);
    return true;
}

static task_fn run_look;

/* There is no such match, or it cannot be read. */
static void on_lost(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    (void)json;
    (void)n;
    (void)refuse(ctx, err, why);
}

static void start(struct looking *looking)
{
    const struct match_call call = {
        .account = looking->call.account, .done = on_lost, .ctx = looking};
    task_start_id(looking->matches, &call, &looking->id, NULL, run_look);
}

static enum err read_right(struct db *db, void *data)
{
    struct looking *looking = data;
    return looks_read_right(db, looking->key, &looking->call.account, looking->now,
                            &looking->right);
}

static void on_right(void *ctx, enum err err)
{
    struct looking *looking = ctx;
    struct matches *matches = looking->matches;
    struct match *match = looking->match;
    looking->match = NULL;
    looking->read = true;
    if (err != ERR_OK) {
        (void)refuse(looking, err, NULL);
    } else {
        start(looking);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static bool ask_right(struct looking *looking, struct match *match)
{
    struct matches *matches = looking->matches;
    looking->match = match;
    looking->key = match->key;
    looking->now = matches_now(matches);
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, read_right, looking, NULL, on_right, looking);
    return true;
}

/* The line is stored and told: now he is shown what he asked for. */
static void on_looked(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct looking *looking = ctx;
    (void)json;
    (void)n;
    if (err != ERR_OK) {
        (void)refuse(looking, err, why);
        return;
    }
    struct match *match = match_find(looking->matches, &looking->id);
    if (match != NULL) {
        note_look(looking->matches, match, &looking->call.account, looking->until);
    }
    (void)go_on(looking);
}

static struct look_write *make_write(const struct looking *looking, const struct match *match,
                                     int64_t at)
{
    struct look_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return NULL; }
    write->match = match->key;
    write->id = match->id;
    write->at = at;
    write->until = looking->until;
    write->account = looking->call.account;
    memcpy(write->reason, looking->reason, sizeof write->reason);
    return write;
}

/* The line, and with it who looked and why. */
static bool write_look(struct looking *looking, struct match *match)
{
    struct matches *matches = looking->matches;
    const int64_t at = matches_now(matches);
    looking->until = at + (int64_t)LOOK_MINUTES * 60000;
    struct flight *flight = flight_create(matches, match, 1);
    struct lines_write *lines = lines_write_create(1);
    struct store_unit *unit = store_unit_create(&match->id, 0);
    struct look_write *write = make_write(looking, match, at);
    const struct line_host act = {.host = "look", .to = -1, .reason = looking->reason, .ms = -1};
    struct core_step step;
    bool good = flight != NULL && lines != NULL && unit != NULL && write != NULL;
    if (good) {
        match->spoilt = core_tell(match->core, &matches->scratch, &act, at, &step) != ERR_OK ||
                        flight_note(matches, flight, &step, lines) != ERR_OK;
        if (!match->spoilt) { flight->answer = strdup("{}"); }
        match->spoilt = match->spoilt || flight->answer == NULL;
        good = !match->spoilt;
    }
    if (!good) {
        flight_destroy(flight);
        lines_write_free(lines);
        store_unit_destroy(unit);
        free(write);
        return refuse(looking, ERR_INTERNAL, NULL);
    }
    flight->call = (struct match_call){.done = on_looked, .ctx = looking};
    store_unit_add(unit, looks_write, write, free);
    flight_send(matches, match, flight, unit, lines);
    return true;
}

static bool refuse_tied(struct looking *looking)
{
    struct why why;
    why_clear(&why);
    return refuse(
        looking,
        why_text(&why, ERR_FORBIDDEN, "Who has or had a seat in a match does not referee it."),
        &why);
}

static bool run_look(struct matches *matches, struct match *match, struct task *task)
{
    struct looking *looking = task->call.ctx;
    const struct account_id *account = &looking->call.account;
    const int seat = match_seat_of(match, account);
    const bool open = match_is_revealed(match) && (seat >= 0 || !match->reveal_seats);
    if (open || !match->begun || match->frozen || look_stands(&match->looks, account)) {
        return go_on(looking);
    }
    if (!looking->read) { return ask_right(looking, match); }
    if (!looking->right.referee) { return go_on(looking); }
    if (looking->right.tied || seat >= 0) { return refuse_tied(looking); }
    if (looking->right.until > matches_now(matches)) {
        note_look(matches, match, account, looking->right.until);
        return go_on(looking);
    }
    if (matches->closing) { return refuse(looking, ERR_CLOSING, NULL); }
    if (match->core == NULL || match->failing || match->spoilt || !match->core->begun) {
        match_want_core(matches, match);
        return false;
    }
    if (match->core->over) { return go_on(looking); } /* the end is on its way to the disk */
    return write_look(looking, match);
}

void match_look(struct matches *matches, const struct match_call *call, const struct cJSON *params,
                const char *reason, match_method_fn *method)
{
    struct why why;
    const char *match = NULL, *as = NULL;
    why_clear(&why);
    struct looking *looking = calloc(1, sizeof *looking);
    enum err err = looking == NULL ? ERR_INTERNAL : ERR_OK;
    if (err == ERR_OK) { err = json_read_str(params, "!match", 64, &match, &why); }
    if (err == ERR_OK) { err = json_read_str(params, "as", ROW_CODE_BYTES, &as, &why); }
    if (err == ERR_OK && (as == NULL || strcmp(as, "all") != 0)) {
        err = why_member(&why, "reason", "A reason goes with as: all.");
    }
    if (err == ERR_OK && (reason[0] == '\0' || strlen(reason) > LINE_REASON_BYTES_MAX)) {
        err = why_member(&why, "reason", "Some words, 500 bytes at most.");
    }
    if (err == ERR_OK && !match_id_read(match, &looking->id)) { err = ERR_NOT_FOUND; }
    if (err != ERR_OK) {
        free(looking);
        done_fail(call, err, &why);
        return;
    }
    looking->matches = matches;
    looking->call = *call;
    looking->params = params;
    looking->method = method;
    memcpy(looking->reason, reason, strlen(reason) + 1);
    start(looking);
}

/* --- looks that are no call's
 * ---------------------------------------------------------------------
 */

static void nobody_waits(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    char *reason = ctx;
    (void)why;
    (void)json;
    (void)n;
    if (err != ERR_OK) { log_event(LOG_WARN, "look_not_told", "kind=%s", err_kind(err)); }
    free(reason);
}

static enum err make_look(struct making *making, const char *reason)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    const struct line_host act = {.host = "look", .to = -1, .reason = reason, .ms = -1};
    struct core_step step;
    enum err err = making_open(making, 1);
    if (err != ERR_OK) { return err; }
    making->flight->seat = -1;
    answer_begin(&matches->text);
    err = core_tell(match->core, &matches->scratch, &act, matches_now(matches), &step);
    if (err == ERR_OK) { err = making_note(making, &step); }
    return err == ERR_OK ? making_go(making) : err;
}

static bool run_tell(struct matches *matches, struct match *match, struct task *task)
{
    struct making making = {.matches = matches, .match = match, .task = task};
    if (match->frozen) { return task_fail(task, ERR_CONFLICT, NULL); }
    if (matches->closing) { return task_fail(task, ERR_CLOSING, NULL); }
    if (!match->begun || match->over) { return task_fail(task, ERR_MATCH_OVER, NULL); }
    if (match->core == NULL || match->failing || match->spoilt) {
        match_want_core(matches, match);
        return false;
    }
    if (match->core->over) { return task_fail(task, ERR_MATCH_OVER, NULL); }
    const enum err err = make_look(&making, task->call.ctx);
    if (err == ERR_OK) { return true; } /* answered when it has landed */
    match->spoilt = true;
    making_drop(&making);
    return task_fail(task, err, NULL);
}

void match_tell_look(struct matches *matches, const struct match_id *id, const char *reason)
{
    const struct match_call call = {.done = nobody_waits, .ctx = strdup(reason)};
    if (call.ctx == NULL) { return; }
    task_start_id(matches, &call, id, NULL, run_tell);
}

/* --- the end of looks --------------------------------------------------------------------------
 */

/* Takes away the looks that are over, or all of that account. True: one was. */
static bool drop_looks(struct match *match, int64_t now, const struct account_id *account)
{
    bool any = false;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        struct account_id *who = &match->looks.look[i].account;
        if (account_is_nobody(who)) { continue; }
        bool over = match->looks.look[i].until <= now;
        if (!over && (account == NULL || !account_id_same(who, account))) { continue; }
        memset(&match->looks.look[i], 0, sizeof match->looks.look[i]);
        any = true;
    }
    return any;
}

static int64_t next_end(const struct match *match)
{
    int64_t next = INT64_MAX;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        const int64_t until = match->looks.look[i].until;
        if (until != 0 && until < next) { next = until; }
    }
    return next;
}

/* One match at a time: whoever is told may call again, and matches come and go. */
static struct match *find_dropped(struct matches *matches, int64_t now,
                                  const struct account_id *account, int64_t *out_next)
{
    *out_next = INT64_MAX;
    for (size_t i = 0; i < matches->bucket_count; i++) {
        for (struct match *match = matches->buckets[i]; match != NULL; match = match->hash_next) {
            if (!looks_any(&match->looks)) { continue; }
            if (drop_looks(match, now, account)) { return match; }
            if (next_end(match) < *out_next) { *out_next = next_end(match); }
        }
    }
    return NULL;
}

static void drop_everywhere(struct matches *matches, const struct account_id *account)
{
    const int64_t now = matches_now(matches);
    int64_t next = 0;
    for (;;) {
        struct match *match = find_dropped(matches, now, account, &next);
        if (match == NULL) { break; }
        if (!match_is_revealed(match)) { watches_end_lookers(matches, match); }
    }
    matches->looks_next = next == INT64_MAX ? 0 : next;
}

void looks_sweep(struct matches *matches)
{
    if (matches->looks_next == 0 || matches_now(matches) < matches->looks_next) { return; }
    drop_everywhere(matches, NULL);
}

void match_looks_forget(struct matches *matches, const struct account_id *account)
{
    drop_everywhere(matches, account);
}
