/* server/lobby/account_nonces.c: commitments to nonces in stock (FAIRNESS 3). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/names.h"
#include "server/store/accounts.h"
#include "server/store/desk.h"
#include "server/store/lobby.h"
#include "server/store/nonces.h"
#include "server/store/store.h"

static enum err write_stock(struct account_job *job, unsigned stock)
{
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_int(&job->out, "stock", stock);
    jw_object_end(&job->out);
    return job->out.failed ? ERR_INTERNAL : ERR_OK;
}

static enum err op_count_nonces(struct db *db, void *data)
{
    struct account_job *job = data;
    unsigned stock = 0;
    enum err err = nonces_count(db, &job->session.account, &stock);
    return err != ERR_OK ? err : write_stock(job, stock);
}

/* The answer to the action_id, if it has one already; NOT_FOUND: none. */
static enum err repeat_nonces(struct db *db, struct account_job *job, const char *action_id)
{
    struct hash params;
    char *body = NULL;
    enum err err = matches_read_answer(db, &job->session.account, action_id, &params, &body);
    if (err != ERR_OK) { return err; }
    if (memcmp(&params, &job->hash, sizeof params) != 0) {
        err = why_conflict(&job->why, "action_id", "This action_id was used for something else.");
    } else {
        buf_reset(&job->out);
        buf_append_str(&job->out, body);
    }
    free(body);
    return err;
}

static enum err keep_nonces(struct db *db, struct account_job *job, const char *action_id)
{
    struct lobby_answer_write note = {
        .account = job->session.account, .params = job->hash, .at = job->now};
    memcpy(note.action_id, action_id, strlen(action_id) + 1);
    enum err err = lobby_write_answer(db, &note);
    if (err != ERR_OK) { return err; }
    struct lobby_answer_fill *fill = malloc(sizeof *fill + job->out.len);
    if (fill == NULL) { return ERR_INTERNAL; }
    fill->account = job->session.account;
    memcpy(fill->action_id, action_id, strlen(action_id) + 1);
    fill->len = job->out.len;
    memcpy(fill->body, job->out.data, job->out.len);
    err = lobby_fill_answer(db, fill);
    free(fill);
    return err;
}

static enum err op_add_nonces(struct db *db, void *data)
{
    struct account_job *job = data;
    const cJSON *id = json_get(job->params, "action_id");
    enum err err = id == NULL ? ERR_NOT_FOUND : repeat_nonces(db, job, id->valuestring);
    if (err != ERR_NOT_FOUND) { return err; }
    unsigned stock = 0;
    err = nonces_add(db, &job->session.account, job->commits, job->commit_count, &stock);
    if (err == ERR_CONFLICT) {
        return why_conflict(&job->why, "nonce", "You have given one of these before.");
    }
    if (err == ERR_TOO_LARGE) {
        return why_text(&job->why, ERR_TOO_LARGE, "That would be too many in stock.");
    }
    if (err == ERR_OK) { err = write_stock(job, stock); }
    if (err == ERR_OK && id != NULL) { err = keep_nonces(db, job, id->valuestring); }
    return err;
}

static enum err read_commits(struct account_job *job)
{
    const cJSON *list = NULL;
    enum err err = json_read_array(job->params, "commits", NONCES_AT_ONCE, &list, &job->why);
    if (err != ERR_OK || list == NULL) { return err; }
    if (list->child == NULL) { return why_member(&job->why, "commits", "The list is empty."); }
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (!cJSON_IsString(item) ||
            !b64_decode(item->valuestring, job->commits[job->commit_count].bytes, HASH_BYTES)) {
            return why_member(&job->why, "commits", "A commitment is 32 bytes as base64url.");
        }
        job->commit_count++;
    }
    hash_bytes(job->commits, job->commit_count * sizeof job->commits[0], &job->hash);
    return ERR_OK;
}

enum err account_start_nonces(struct account_job *job)
{
    static const char *const names[] = {"action_id", "commits", NULL};
    const char *action_id = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "action_id", 64, &action_id, &job->why); }
    if (err == ERR_OK && action_id != NULL && action_id[0] == '\0') {
        err = why_member(&job->why, "action_id", "An action_id may not be empty.");
    }
    if (err == ERR_OK) { err = read_commits(job); }
    if (err != ERR_OK) { return err; }
    if (job->commit_count == 0) {
        account_job_read(job, op_count_nonces, account_job_answered);
        return ERR_OK;
    }
    if (action_id != NULL) {
        store_note_answer(job->accounts->config.store, &job->session.account, action_id);
    }
    account_job_write(job, op_add_nonces, account_job_answered);
    return ERR_OK;
}
