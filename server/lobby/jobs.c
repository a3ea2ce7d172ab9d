/* server/lobby/jobs.c: a call on its way: its turn, its reads, its commit, its answer. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"

enum { ANSWER_BYTES_MAX = 1 << 20 };

int64_t job_now_ms(const struct lobby *lobby)
{
    if (lobby->config.now_ms != NULL) { return lobby->config.now_ms(lobby->config.ctx); }
    return clock_now_ms();
}

void job_hash_params(const char *method, const cJSON *params, struct hash *out)
{
    struct hasher hasher;
    struct buf text;
    buf_init(&text, ANSWER_BYTES_MAX);
    jw_object_begin(&text);
    for (const cJSON *i = params->child; i != NULL; i = i->next) {
        if (strcmp(i->string, "action_id") == 0) { continue; }
        jw_key(&text, i->string);
        jw_value(&text, i);
    }
    jw_object_end(&text);
    hasher_begin(&hasher, NULL, "vedette1 params");
    hasher_part_str(&hasher, method);
    hasher_part(&hasher, text.data, text.len);
    hasher_end(&hasher, out);
    buf_finish(&text);
}

struct job *job_create(struct lobby *lobby, const struct lobby_call *call, const char *method)
{
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        struct why why;
        why_clear(&why);
        call->done(call->ctx, ERR_INTERNAL, &why, NULL, 0);
        return NULL;
    }
    job->lobby = lobby;
    job->call = *call;
    job->now = job_now_ms(lobby);
    job->invite_missing = -1;
    job->reseats = -1;
    why_clear(&job->why);
    buf_init(&job->text, ANSWER_BYTES_MAX);
    job_hash_params(method, call->params, &job->params);
    lobby->pending++;
    return job;
}

static void start_next(struct lobby *lobby, const char *key);

/* Frees the job and lets the next one of its key go. */
static void job_end(struct job *job)
{
    struct lobby *lobby = job->lobby;
    char key[JOB_KEY_BYTES];
    memcpy(key, job->key, sizeof key);
    for (struct job **at = &lobby->first; *at != NULL; at = &(*at)->next) {
        if (*at == job) {
            *at = job->next;
            break;
        }
    }
    if (job->has_row) { lobby_row_finish(&job->row); }
    buf_finish(&job->text);
    free(job->answer);
    free(job->insert);
    free(job->calendars);
    guests_finish(&job->guests);
    free(job->invite);
    free(job);
    lobby->pending--;
    if (key[0] != '\0') { start_next(lobby, key); }
}

void job_drop(struct job *job)
{
    job_end(job);
}

void job_fail(struct job *job, enum err err)
{
    assert(err != ERR_OK);
    job->call.done(job->call.ctx, err, &job->why, NULL, 0);
    job_end(job);
}

void job_answer(struct job *job)
{
    if (job->text.failed) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    job->call.done(job->call.ctx, ERR_OK, &job->why, buf_str(&job->text), job->text.len);
    job_end(job);
}

enum err job_read_params(struct job *job, const char *const *names)
{
    const cJSON *params = job->call.params;
    const char *match = NULL;
    enum err err = json_only(params, names, &job->why);
    if (err == ERR_OK && strcmp(names[0], "match") == 0) {
        err = json_read_str(params, "!match", 64, &match, &job->why);
        /* What cannot be an id is no match either. */
        if (err == ERR_OK && !match_id_read(match, &job->match)) { err = ERR_NOT_FOUND; }
    }
    if (err == ERR_OK) { err = json_read_str(params, "seat", 16, &job->seat, &job->why); }
    if (err == ERR_OK) { err = json_read_str(params, "code", 64, &job->code, &job->why); }
    if (err == ERR_OK) {
        err = json_read_str(params, "action_id", LOBBY_ACTION_ID_BYTES_MAX, &job->action_id,
                            &job->why);
    }
    if (err == ERR_OK && job->action_id != NULL && job->action_id[0] == '\0') {
        err = why_member(&job->why, "action_id", "An action_id may not be empty.");
    }
    return err;
}

/* ---- reading ---- */

static enum err read_names(struct db *db, struct job *job)
{
    struct account_row *row = malloc(sizeof *row);
    if (row == NULL) { return ERR_INTERNAL; }
    enum err err = ERR_OK;
    for (unsigned i = 0; i < job->invites && err == ERR_OK; i++) {
        err = accounts_read_by_folded(db, job->invite[i], row);
        if (err == ERR_NOT_FOUND) {
            job->invite_missing = (int)i;
            err = ERR_OK;
            break;
        }
        if (err != ERR_OK) { break; }
        free(row->settings);
        /* One who has blocked the creator hears nothing of it, and the creator nothing of that. */
        if (accounts_have_blocked(db, row->id.text, job->call.account.text)) { continue; }
        job->insert->invite[job->insert->invites++] = row->id;
    }
    free(row);
    return err;
}

/* For each seat one of the commitments that its account has in stock, should the match begin. */
static enum err read_nonces(struct db *db, struct job *job)
{
    const struct lobby_row *row = &job->row;
    enum err err = ERR_OK;
    int64_t spread = row->key + (int64_t)job->tries * 7;
    for (unsigned i = 0; i < row->seats && err == ERR_OK; i++) {
        if (row->seat[i].account.text[0] == '\0') { continue; }
        err = nonces_pick(db, &row->seat[i].account, spread + i, &job->nonces[i]);
    }
    if (err == ERR_OK && lobby_seat_of(row, &job->call.account) < 0) {
        err = nonces_pick(db, &job->call.account, spread, &job->own_nonce);
    }
    return err;
}

/* What became of the wish for a rematch, and who wants nothing of the caller. */
static enum err read_rematch(struct db *db, struct job *job)
{
    const struct account_id *account = &job->call.account;
    struct lobby_row row;
    for (unsigned i = 0; i < job->row.seats; i++) {
        const char *other = job->row.seat[i].account.text;
        job->shut_out[i] = other[0] != '\0' && accounts_have_blocked(db, other, account->text);
    }
    enum err err = lobby_read_rematch(db, job->row.key, &job->rematch);
    if (err != ERR_OK || job->rematch.text[0] == '\0') { return err; }
    err = lobby_read_row(db, &job->rematch, account, &row);
    if (err != ERR_OK) { return err; }
    job->sits_in_rematch = lobby_seat_of(&row, account) >= 0;
    bool open = strcmp(row.state, "open") == 0;
    job->shut_out_of_rematch = !job->sits_in_rematch && !(open && row.invited);
    lobby_row_finish(&row);
    return ERR_OK;
}

/* Runs on a reader's thread: all that decide will look at. */
static enum err op_read(struct db *db, void *data)
{
    struct job *job = data;
    const struct account_id *account = &job->call.account;
    enum err err = ERR_OK;
    if (job->action_id != NULL) {
        err = matches_read_answer(db, account, job->action_id, &job->answer_params, &job->answer);
        if (err == ERR_OK) { return ERR_OK; }
        if (err != ERR_NOT_FOUND) { return err; }
        err = ERR_OK;
    }
    if (job->match.text[0] != '\0') {
        err = lobby_read_row(db, &job->match, account, &job->row);
        job->has_row = err == ERR_OK;
        if (err == ERR_OK) {
            job->blocked = accounts_are_barred(db, job->row.key, account->text);
        }
    }
    if (err == ERR_OK && job->wants_count) {
        err = lobby_count_matches(db, account, job->lobby->config.matches_per_account, &job->count);
    }
    if (err == ERR_OK && job->wants_nonces) { err = read_nonces(db, job); }
    if (err == ERR_OK && job->wants_nonces) { err = timing_read(db, job); }
    if (err == ERR_OK && job->wants_nonces) { err = guests_read(db, job->row.key, &job->guests); }
    if (err == ERR_OK && job->wants_rematch) { err = read_rematch(db, job); }
    if (err == ERR_OK && job->invites > 0) { err = read_names(db, job); }
    if (err == ERR_OK && job->wants_bot) { err = seat_bot_read(db, job); }
    if (err == ERR_OK && job->wants_ties) { err = hands_read(db, job); }
    return err;
}

static void on_read(void *ctx, enum err err)
{
    struct job *job = ctx;
    if (err != ERR_OK) {
        job_fail(job, err);
    } else if (job->answer == NULL) {
        job->decide(job);
    } else if (memcmp(&job->params, &job->answer_params, sizeof job->params) != 0) {
        job_fail(job, why_conflict(&job->why, "action_id",
                                   "This action_id was used for something else."));
    } else if (job->answer[0] == '{') {
        buf_append_str(&job->text, job->answer);
        job_answer(job);
    } else if (match_id_read(job->answer, &job->match)) {
        job_summary(job); /* it was done, but the first answer never went out */
    } else {
        job_fail(job, ERR_INTERNAL);
    }
}

static void job_start(struct job *job)
{
    job->under_way = true;
    store_read(job->lobby->config.store, op_read, job, NULL, on_read, job);
}

void job_again(struct job *job)
{
    if (job->has_row) { lobby_row_finish(&job->row); }
    job->has_row = false;
    guests_finish(&job->guests);
    job->tries++;
    why_clear(&job->why);
    job_start(job);
}

static void start_next(struct lobby *lobby, const char *key)
{
    struct job *next = NULL;
    for (struct job *job = lobby->first; job != NULL; job = job->next) {
        if (strcmp(job->key, key) != 0) { continue; }
        if (job->under_way) { return; }
        if (next == NULL) { next = job; }
    }
    if (next != NULL) { job_start(next); }
}

void job_go(struct job *job, const char *key, void (*decide)(struct job *job))
{
    assert(strlen(key) < sizeof job->key);
    job->decide = decide;
    if (key[0] == '\0') {
        job_start(job);
        return;
    }
    memcpy(job->key, key, strlen(key) + 1);
    struct job **last = &job->lobby->first;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = job;
    start_next(job->lobby, job->key);
}

/* ---- writing and answering ---- */

static enum err op_no_memory(struct db *db, void *data)
{
    (void)db;
    (void)data;
    return ERR_INTERNAL;
}

void job_unit_add(struct store_unit *unit, enum err (*op)(struct db *db, void *data),
                  void *take_data)
{
    if (unit == NULL) {
        free(take_data);
    } else if (take_data == NULL) {
        store_unit_add(unit, op_no_memory, NULL, NULL);
    } else {
        store_unit_add(unit, op, take_data, free);
    }
}

void job_need_room(const struct job *job, struct store_unit *unit)
{
    struct lobby_room *room = calloc(1, sizeof *room);
    if (room != NULL) {
        room->account = job->call.account;
        room->most = job->lobby->config.matches_per_account;
    }
    job_unit_add(unit, lobby_need_room, room);
}

void job_note_answer(struct job *job, struct store_unit *unit)
{
    if (job->action_id == NULL) { return; }
    struct lobby_answer_write *write = calloc(1, sizeof *write);
    if (write != NULL) {
        write->account = job->call.account;
        write->match = job->match;
        write->params = job->params;
        write->at = job->now;
        memcpy(write->action_id, job->action_id, strlen(job->action_id) + 1);
    }
    store_note_answer(job->lobby->config.store, &job->call.account, job->action_id);
    job_unit_add(unit, lobby_write_answer, write);
}

enum err lobby_too_many(struct job *job)
{
    return why_text(&job->why, ERR_TOO_LARGE, "You have too many matches under way.");
}

static void on_committed(void *ctx, enum err err)
{
    struct job *job = ctx;
    if (err == ERR_OK) {
        if (job->reseats >= 0) {
            match_seat_taken(job->lobby->config.matches, &job->match, (unsigned)job->reseats,
                             &job->call.account);
        }
        if (job->shuts != 0) {
            match_shut_out(job->lobby->config.matches, &job->match, &job->person, job->shuts > 0);
        }
        job_summary(job);
    } else if (err == ERR_CONFLICT) {
        job_fail(job,
                 why_conflict(&job->why, "action_id",
                              "This action_id was used, or the match has changed: try again."));
    } else {
        job_fail(job, err == ERR_TOO_LARGE ? lobby_too_many(job) : err);
    }
}

void job_commit(struct job *job, struct store_unit *take_unit)
{
    if (take_unit == NULL) {
        job_fail(job, ERR_INTERNAL);
        return;
    }
    job_note_answer(job, take_unit);
    store_commit(job->lobby->config.store, take_unit, on_committed, job);
}

void job_commit_insert(struct job *job)
{
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    job->match = job->insert->id;
    job_need_room(job, unit);
    job_unit_add(unit, lobby_write_insert, job->insert);
    job->insert = NULL;
    job_commit(job, unit);
}

/* The change is stored; only its answer for repeats may be missing, and then they get a new one. */
static void on_filled(void *ctx, enum err err)
{
    struct job *job = ctx;
    if (err != ERR_OK) { log_event(LOG_WARN, "answer_not_kept", "match=%s", job->match.text); }
    job_answer(job);
}

static void keep_answer(struct job *job)
{
    jw_object_end(&job->text);
    struct lobby_answer_fill *fill = NULL;
    struct store_unit *unit = NULL;
    if (job->action_id != NULL && !job->text.failed) {
        fill = malloc(sizeof *fill + job->text.len);
        unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    }
    if (fill == NULL || unit == NULL) {
        free(fill);
        store_unit_destroy(unit);
        job_answer(job);
        return;
    }
    fill->account = job->call.account;
    memcpy(fill->action_id, job->action_id, strlen(job->action_id) + 1);
    fill->len = job->text.len;
    memcpy(fill->body, job->text.data, job->text.len);
    store_unit_add(unit, lobby_fill_answer, fill, free);
    store_commit(job->lobby->config.store, unit, on_filled, job);
}

static void on_live(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct job *job = ctx;
    (void)why;
    if (err == ERR_OK) {
        jw_raw(&job->text, json, n);
    } else if (err == ERR_NOT_FOUND || err == ERR_FORBIDDEN) {
        summary_write_tip(&job->text, &job->row, &job->call.account);
    } else {
        job->why = *why;
        job_fail(job, err);
        return;
    }
    keep_answer(job);
}

static void on_row(void *ctx, enum err err)
{
    struct job *job = ctx;
    if (err != ERR_OK) {
        job_fail(job, err);
        return;
    }
    job->row.opened = lobby_seat_of_code(job);
    jw_object_begin(&job->text);
    summary_write(&job->text, &job->row, &job->call.account);
    presence_write(job->lobby, &job->text, &job->row, &job->call.account);
    if (job->changes) { lobby_tell(job->lobby, &job->match); }
    if (!job->row.headed) {
        summary_write_tip(&job->text, &job->row, &job->call.account);
        summary_write_talk(&job->text, &job->row, NULL);
        keep_answer(job);
        return;
    }
    struct match_call live = {.account = job->call.account, .done = on_live, .ctx = job};
    match_live(job->lobby->config.matches, &live, &job->match);
}

static enum err op_read_row(struct db *db, void *data)
{
    struct job *job = data;
    enum err err = lobby_read_row(db, &job->match, &job->call.account, &job->row);
    job->has_row = err == ERR_OK;
    return err;
}

void job_summary(struct job *job)
{
    if (job->has_row) { lobby_row_finish(&job->row); }
    job->has_row = false;
    store_read(job->lobby->config.store, op_read_row, job, NULL, on_row, job);
}
