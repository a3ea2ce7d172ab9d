/* server/match/late.c: spectators who see the whole of a match some turns late. */
#include "server/match/late.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/base/msg.h"
#include "server/match/load.h"
#include "server/store/late.h"
#include "server/store/people.h"

/* --- who is one ------------------------------------------------------------------------------- */

bool late_is(const struct match *match, const struct account_id *account,
             const struct cJSON *params)
{
    const cJSON *as = params == NULL ? NULL : json_get(params, "as");
    bool all = cJSON_IsString(as) && strcmp(as->valuestring, "all") == 0;
    if (match->guests.delay == 0 || match_seat_of(match, account) >= 0) { return false; }
    if (match_is_revealed(match) && !match->reveal_seats) { return false; }
    return !(all && look_stands(&match->looks, account));
}

enum err late_judge(const struct match *match, const struct account_id *account, struct why *why)
{
    if (match->guests.hidden && !guests_have(&match->guests, account)) {
        return why_text(why, ERR_NOT_FOUND, "There is no such match.");
    }
    if (account_is_nobody(account)) { return why_text(why, ERR_NOT_SIGNED_IN, "Sign in first."); }
    if (guests_shut_out(&match->guests, account)) {
        return why_text(why, ERR_FORBIDDEN, "You were shut out of this match.");
    }
    return guests_had_seat(&match->guests, account)
               ? why_text(why, ERR_FORBIDDEN, "Who had a seat in a match does not watch it late.")
               : ERR_OK;
}

/* `as` is all, or left out. */
static enum err read_as(const struct cJSON *params, struct why *why)
{
    const char *as = "all";
    enum err err = json_read_str(params, "as", ROW_CODE_BYTES, &as, why);
    if (err != ERR_OK || strcmp(as, "all") == 0) { return err; }
    return why_conflict(why, "delayed", "Spectators of this match see all of it, later.");
}

/* NULL: memory. */
static struct late *late_of(struct match *match)
{
    if (match->late == NULL) { match->late = calloc(1, sizeof *match->late); }
    return match->late;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct late_job {
    struct matches *matches;
    struct match *match;
    struct match_id id;
    const struct game *const *games;
    uint32_t delay;
    bool wants_view;
    /* out */
    uint64_t n;
    struct hash head;
    struct buf view; /* empty: none */
};

static void late_job_free(void *late_job)
{
    struct late_job *job = late_job;
    buf_finish(&job->view);
    free(job);
}

/* A snapshot at the line itself lacks what all were told by it. */
static bool is_before(void *ctx, const struct core *core)
{
    const struct late_job *job = ctx;
    return core->tip[VIEWER_ALL].seq < job->n;
}

static enum err play_view(struct db *db, struct late_job *job, const struct match_row *row)
{
    const struct game *game = load_find_game(job->games, row->game);
    if (game == NULL || row->rules < game->rules_first || row->rules > game->rules_now) {
        return ERR_CONFLICT;
    }
    struct load_play play = {
        .game = game, .row = row, .to = job->n, .all = true, .fit = is_before, .ctx = job};
    struct core *core = NULL;
    enum err err = load_play(db, &play, &core);
    if (err != ERR_OK) { return err == ERR_INTERNAL ? ERR_STORAGE_FAILED : err; }
    job->head = core->tip[VIEWER_ALL].head;
    buf_append_str(&job->view,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"match.view\",\"params\":{\"match\":\"");
    buf_append_str(&job->view, job->id.text);
    buf_append_str(&job->view, "\",\"seq\":");
    jw_int(&job->view, (int64_t)job->n);
    buf_append_str(&job->view, ",\"view\":");
    core_view(core, VIEWER_ALL, false, &job->view, NULL);
    buf_append_str(&job->view, "}}");
    core_destroy(core);
    return job->view.failed ? ERR_INTERNAL : ERR_OK;
}

static enum err late_run(struct db *db, void *late_job)
{
    struct late_job *job = late_job;
    struct match_row row;
    buf_reset(&job->view);
    enum err err = matches_read_row(db, &job->id, true, &row);
    if (err != ERR_OK) { return err; }
    err = late_read_line(db, row.key, job->delay, &job->n, NULL);
    if (err == ERR_OK && job->n > 0 && job->wants_view) { err = play_view(db, job, &row); }
    match_row_finish(&row);
    return err;
}

static void serve_all(struct matches *matches, struct match *match);

static void take_view(struct late *late, const struct late_job *job)
{
    static const char mark[] = ",\"view\":";
    msg_unref(late->view);
    late->view = NULL;
    if (job->view.len == 0) { return; }
    late->view = msg_create(job->view.data, job->view.len);
    if (late->view == NULL) { return; }
    const char *at = strstr(msg_text(late->view), mark);
    late->view_at = (uint32_t)(at - msg_text(late->view) + (ptrdiff_t)sizeof mark - 1);
    late->head = job->head;
}

static void on_late(void *ctx, enum err err)
{
    struct late_job *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    struct late *late = match->late;
    late->reading = false;
    late->failed = err != ERR_OK;
    if (err == ERR_OK) {
        if (job->view.len > 0 || late->n != job->n) { take_view(late, job); }
        late->n = job->n;
        late->known = !late->again;
    } else {
        log_event(LOG_ERROR, "late_view_failed", "match=%s kind=%s", match->id.text, err_kind(err));
    }
    late->again = false;
    if (err == ERR_OK) { serve_all(matches, match); }
    match_count_bytes(matches, match);
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static void read_start(struct matches *matches, struct match *match, bool wants_view)
{
    struct late *late = match->late;
    if (late->reading) { return; }
    struct late_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        late->failed = true;
        return;
    }
    job->matches = matches;
    job->match = match;
    job->id = match->id;
    job->games = matches->config.games;
    job->delay = match->guests.delay;
    job->wants_view = wants_view;
    buf_init(&job->view, 1U << 20);
    late->reading = true;
    late->again = false;
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, late_run, job, late_job_free, on_late, job);
}

/* --- who has looked --------------------------------------------------------------------------- */

struct sight {
    struct matches *matches;
    struct match *match;
    struct people_sight_write write;
    struct task *again;
};

static enum err sight_run(struct db *db, void *sight)
{
    struct sight *seen = sight;
    return people_write_sight(db, &seen->write);
}

static bool has_looked(const struct late *late, const struct account_id *account)
{
    for (unsigned i = 0; i < late->seen_count && i < LATE_SEEN_MAX; i++) {
        if (account_id_same(&late->seen[i], account)) { return true; }
    }
    return false;
}

static void on_sight(void *ctx, enum err err)
{
    struct sight *sight = ctx;
    struct matches *matches = sight->matches;
    struct match *match = sight->match;
    struct task *task = sight->again;
    struct why why;
    why_clear(&why);
    if (err == ERR_OK) {
        match->late->seen[match->late->seen_count++ % LATE_SEEN_MAX] = sight->write.account;
        task_keep(matches, match, task);
    } else {
        if (err == ERR_CONFLICT) {
            err =
                why_text(&why, ERR_FORBIDDEN, "Who has a seat in a match does not watch it late.");
        }
        (void)task_fail(task, err, &why);
        free(task);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* Notes that the account looks, and tries the task again; or fails it. Either way it is seen to. */
static void note_sight(struct matches *matches, struct match *match, struct task *task)
{
    struct sight *sight = calloc(1, sizeof *sight);
    struct task *again = malloc(sizeof *again);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (sight == NULL || again == NULL || unit == NULL) {
        free(sight);
        free(again);
        store_unit_destroy(unit);
        (void)task_fail(task, ERR_INTERNAL, NULL);
        return;
    }
    *again = *task;
    sight->matches = matches;
    sight->match = match;
    sight->again = again;
    sight->write =
        (struct people_sight_write){match->key, matches_now(matches), task->call.account};
    store_unit_add(unit, sight_run, sight, free);
    match->holds++;
    matches->pending++;
    store_commit(matches->config.store, unit, on_sight, sight);
}

bool late_ready(struct matches *matches, struct match *match, struct task *task, bool wants_view,
                bool *out_done)
{
    struct why why;
    why_clear(&why);
    *out_done = true;
    enum err err = late_judge(match, &task->call.account, &why);
    if (err == ERR_OK) { err = read_as(task->params, &why); }
    struct late *late = err == ERR_OK ? late_of(match) : NULL;
    if (err == ERR_OK && late == NULL) { err = ERR_INTERNAL; }
    if (err == ERR_OK && late->failed && !late->reading) {
        late->failed = false;
        err = match->frozen ? why_conflict(&why, "frozen", "This server lacks the match's rules.")
                            : ERR_STORAGE_FAILED;
    }
    if (err != ERR_OK) {
        (void)task_fail(task, err, &why);
        return false;
    }
    if (!match->begun) { return true; }
    if (!late->known || (wants_view && late->n > 0 && late->view == NULL)) {
        read_start(matches, match, wants_view);
        *out_done = false;
        return false;
    }
    if (late->n == 0 || has_looked(late, &task->call.account)) { return true; }
    note_sight(matches, match, task);
    return false;
}

/* --- calls ------------------------------------------------------------------------------------ */

static bool refuse_early(struct match *match, struct task *task)
{
    struct why why;
    why_clear(&why);
    enum err err = match->begun
                       ? why_conflict(&why, "not_yet", "Spectators are shown nothing of it yet.")
                       : why_conflict(&why, "not_started", "The match has not begun.");
    return task_fail(task, err, &why);
}

static const char *view_text_of(const struct late *late, size_t *out_len)
{
    *out_len = late->view->len - late->view_at - 2U;
    return msg_text(late->view) + late->view_at;
}

bool late_view(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", "actions", NULL};
    struct why why;
    why_clear(&why);
    bool done = false;
    enum err err = json_only(task->params, names, &why);
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (!late_ready(matches, match, task, true, &done)) { return done; }
    if (!match->begun || match->late->n == 0) { return refuse_early(match, task); }
    size_t len = 0;
    struct msg *msg = msg_ref(match->late->view);
    const char *text = view_text_of(match->late, &len);
    done_ok(&task->call, text, len);
    msg_unref(msg);
    return true;
}

void late_serve(struct matches *matches, struct watch *watch)
{
    struct match *match = watch->match;
    struct late *late = match->late;
    if (!late->known || late->view == NULL || watch->seq >= late->n) { return; }
    const struct match_hooks *hooks = &matches->config.hooks;
    if (hooks->push(hooks->ctx, watch->client, &match->id, VIEWER_ALL, PUSH_VIEW, late->view)) {
        watch->seq = late->n;
        watch->has_seq = true;
    }
}

/* Who has come to have a seat is shown nothing more. */
static void drop_seated(struct matches *matches, struct match *match)
{
    struct watch *next = NULL;
    for (struct watch *watch = match->late->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (late_is(match, &watch->account, NULL)) { continue; }
        watch_tell_ended(matches, watch);
        watch_end(matches, watch);
    }
}

/* All get what they lack, once there is a view; who waits too. */
static void serve_all(struct matches *matches, struct match *match)
{
    struct late *late = match->late;
    drop_seated(matches, match);
    if (!late->known) {
        if (late->watches != NULL || late->waits != NULL) { read_start(matches, match, true); }
        return;
    }
    if (late->n > 0 && late->view == NULL && (late->watches != NULL || late->waits != NULL)) {
        read_start(matches, match, true);
        return;
    }
    for (struct watch *watch = late->watches; watch != NULL; watch = watch->next) {
        late_serve(matches, watch);
    }
    struct wait *after = NULL;
    for (struct wait *wait = late->waits; wait != NULL; wait = after) {
        after = wait->next;
        if (late->view == NULL || late->n <= wait->after) { continue; }
        size_t len = 0;
        struct msg *msg = msg_ref(late->view);
        const char *text = view_text_of(late, &len);
        wait_answer(matches, wait, text, len);
        msg_unref(msg);
        /* The callback may have ended others: begin again at the front. */
        after = late->waits;
    }
}

static struct watch *find_own(const struct late *late, const struct match_client *client)
{
    struct watch *watch = late->watches;
    while (watch != NULL && watch->client != client) {
        watch = watch->next;
    }
    return watch;
}

static void reply_watch(const struct match *match, const struct match_call *call, bool unchanged)
{
    const struct late *late = match->late;
    struct hash none;
    struct buf out;
    memset(&none, 0, sizeof none);
    buf_init(&out, 512);
    jw_object_begin(&out);
    jw_key_str(&out, "match", match->id.text);
    jw_key_str(&out, "as", "all");
    jw_key_int(&out, "seq", match->begun ? (int64_t)late->n : 0);
    const struct hash *head = match->begun && late->n > 0 ? &late->head : &none;
    jw_key_b64(&out, "chain", head->bytes, HASH_BYTES);
    if (unchanged) { jw_key_bool(&out, "unchanged", true); }
    jw_object_end(&out);
    if (out.failed) {
        done_fail(call, ERR_INTERNAL, NULL);
    } else {
        done_ok(call, out.data, out.len);
    }
    buf_finish(&out);
}

bool late_watch(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", "delta", "actions", "seq", NULL};
    struct why why;
    why_clear(&why);
    int64_t seq = -1;
    bool unused = false;
    bool done = false;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_bool(task->params, "delta", &unused, &why); }
    if (err == ERR_OK) { err = json_read_bool(task->params, "actions", &unused, &why); }
    if (err == ERR_OK) { err = json_read_int(task->params, "seq", 0, JSON_INT_MAX, &seq, &why); }
    struct match_client *client = task->call.client;
    if (err == ERR_OK && client == NULL) {
        err = why_text(&why, ERR_FORBIDDEN, "Pushes exist on WebSocket alone; use match.wait.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (!late_ready(matches, match, task, true, &done)) { return done; }
    struct late *late = match->late;
    if (seq > (int64_t)late->n) {
        err = why_text(&why, ERR_STALE_STATE, "No such seq yet.");
        why.seq = (int64_t)late->n;
        return task_fail(task, err, &why);
    }
    struct watch *watch = find_own(late, client);
    if (watch != NULL) { watch_end(matches, watch); }
    if (client->watch_count >= MATCH_CLIENT_WATCHES_MAX ||
        match->watch_count >= MATCH_WATCHERS_MAX) {
        return task_text(task, ERR_TOO_LARGE, "Too many watchers.");
    }
    watch = watch_add(matches, match, &task->call, VIEWER_ALL, PLAIN, false, true);
    if (watch == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    bool unchanged = match->begun && seq >= 0 && (uint64_t)seq == late->n && late->n > 0;
    watch->seq = seq < 0 ? 0 : (uint64_t)seq;
    reply_watch(match, &task->call, unchanged);
    /* The reply may have led to the end of the connection, and so of the watch. */
    if (match->begun) { serve_all(matches, match); }
    return true;
}

bool late_unwatch(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", NULL};
    struct why why;
    why_clear(&why);
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = read_as(task->params, &why); }
    struct watch *watch =
        err == ERR_OK && match->late != NULL ? find_own(match->late, task->call.client) : NULL;
    if (watch != NULL) { watch_end(matches, watch); }
    if (err == ERR_OK && watch == NULL) { err = late_judge(match, &task->call.account, &why); }
    if (err == ERR_OK || err == ERR_FORBIDDEN || err == ERR_NOT_SIGNED_IN) {
        done_ok(&task->call, "{}", 2);
        return true;
    }
    return task_fail(task, err, &why);
}

bool late_wait(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "after", "as", "timeout_s", "actions", NULL};
    struct why why;
    why_clear(&why);
    int64_t after = 0;
    int64_t timeout_s = 30;
    bool unused = false;
    bool done = false;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) {
        err = json_read_int(task->params, "!after", 0, JSON_INT_MAX, &after, &why);
    }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "timeout_s", 0, MATCH_WAIT_S_MAX, &timeout_s, &why);
    }
    if (err == ERR_OK) { err = json_read_bool(task->params, "actions", &unused, &why); }
    if (err == ERR_OK && task->call.client == NULL) {
        err = why_text(&why, ERR_FORBIDDEN, "There is no connection to wait on.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (!late_ready(matches, match, task, true, &done)) { return done; }
    struct late *late = match->late;
    if (match->begun && (uint64_t)after > late->n) {
        err = why_text(&why, ERR_STALE_STATE, "No such seq yet.");
        why.seq = (int64_t)late->n;
        return task_fail(task, err, &why);
    }
    if (match->begun && (uint64_t)after < late->n) {
        size_t len = 0;
        struct msg *msg = msg_ref(late->view);
        const char *text = view_text_of(late, &len);
        done_ok(&task->call, text, len);
        msg_unref(msg);
        return true;
    }
    if (task->call.client->wait_count >= MATCH_CLIENT_WAITS_MAX) {
        return task_text(task, ERR_TOO_LARGE, "Too many waits on one connection.");
    }
    if (matches->closing) { timeout_s = 0; }
    return wait_add(matches, match, task, VIEWER_ALL, PLAIN, true, (uint64_t)after,
                    (uint64_t)timeout_s * 1000);
}

/* --- turns ------------------------------------------------------------------------------------ */

void late_note(struct match *match, const struct core *core, struct flight_step *step)
{
    const struct game *game = core->game;
    if (match->guests.delay == 0 || game->turn == NULL || !core->begun) { return; }
    uint32_t turn = game->turn(core->state);
    /* A rewind goes back: the turns that are played anew count again. */
    step->turns = match->turn == UINT32_MAX || turn > match->turn;
    match->turn = turn;
}

void late_loaded(struct match *match)
{
    const struct core *core = match->core;
    bool has = core != NULL && core->begun && core->game->turn != NULL;
    match->turn = has ? core->game->turn(core->state) : UINT32_MAX;
}

void late_send(struct match *match, const struct flight *flight, struct store_unit *unit)
{
    for (uint32_t i = 0; i < flight->step_count; i++) {
        if (!flight->steps[i].turns) { continue; }
        struct late_turn_write *write = calloc(1, sizeof *write);
        if (write != NULL) { *write = (struct late_turn_write){match->key, flight->steps[i].n}; }
        store_unit_add(unit, late_write_turn, write, free);
    }
}

void late_landed(struct matches *matches, struct match *match, const struct flight *flight)
{
    struct late *late = match->late;
    bool turns = false;
    for (uint32_t i = 0; i < flight->step_count; i++) {
        turns = turns || flight->steps[i].turns;
    }
    if (late == NULL) { return; }
    if (match_is_revealed(match) && !match->reveal_seats) {
        /* All of it is open now, to be watched as by everybody. */
        late_end(matches, match, NULL, ERR_OK);
        return;
    }
    if (!turns) { return; }
    late->known = false;
    late->again = late->reading;
    if (!late->reading) { serve_all(matches, match); }
}

/* --- the end ---------------------------------------------------------------------------------- */

void late_end(struct matches *matches, struct match *match, const struct account_id *account,
              enum err err)
{
    struct late *late = match->late;
    if (late == NULL) { return; }
    struct watch *next = NULL;
    for (struct watch *watch = late->watches; watch != NULL; watch = next) {
        next = watch->next;
        if (account != NULL && !account_id_same(&watch->account, account)) { continue; }
        watch_tell_ended(matches, watch);
        watch_end(matches, watch);
    }
    match->holds++;
    struct wait *after = NULL;
    for (struct wait *wait = late->waits; wait != NULL; wait = after) {
        after = wait->next;
        if (account != NULL && !account_id_same(&wait->call.account, account)) { continue; }
        wait_end(matches, wait, err);
        after = late->waits;
    }
    match->holds--;
}

uint32_t late_count(const struct match *match)
{
    return match->late == NULL ? 0 : match->late->watch_count;
}

bool late_holds(const struct match *match)
{
    const struct late *late = match->late;
    return late != NULL && (late->watches != NULL || late->waits != NULL || late->reading);
}

void late_rest(struct match *match)
{
    if (match->late == NULL) { return; }
    msg_unref(match->late->view);
    match->late->view = NULL;
}

size_t late_bytes(const struct match *match)
{
    const struct late *late = match->late;
    if (late == NULL) { return 0; }
    return sizeof *late + (late->view == NULL ? 0 : late->view->len + 48U);
}

void late_free(struct match *match)
{
    late_rest(match);
    free(match->late);
    match->late = NULL;
}
