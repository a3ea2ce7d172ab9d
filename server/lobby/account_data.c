/* server/lobby/account_data.c: all that is stored about a person, and its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/inside.h"
#include "server/store/accounts.h"
#include "server/store/desk.h"
#include "server/store/lobby.h"
#include "server/store/nonces.h"
#include "server/store/person.h"
#include "server/store/store.h"

enum { PLACES_MAX = 2048 }; /* open matches of an account; more than it may have */

/* --- account.export ----------------------------------------------------------------------------
 */

static enum err op_export(struct db *db, void *data)
{
    struct account_job *job = data;
    struct account_row row;
    enum err err = accounts_read_by_id(db, &job->session.account, &row);
    if (err != ERR_OK) { return err; }
    struct buf *out = &job->out;
    int64_t next = 0;
    buf_reset(out);
    jw_object_begin(out);
    jw_key(out, "account");
    jw_object_begin(out);
    account_write_members(&row, true, out);
    account_write_address(db, &row.id, out);
    account_write_factor(db, &row.id, out);
    jw_object_end(out);
    jw_key(out, "tokens");
    accounts_write_tokens(db, &row.id, &job->session.token, out);
    jw_key(out, "blocked");
    accounts_write_blocks(db, &row.id, out);
    jw_key(out, "seats");
    accounts_write_seats(db, &row.id, out);
    jw_key(out, "messages");
    accounts_write_messages(db, &row.id, out);
    jw_key(out, "nonces");
    nonces_write(db, &row.id, out);
    jw_key(out, "notes");
    desk_write_notes(db, &row.id, out);
    person_write(db, &row.id, out);
    jw_key(out, "audit");
    audit_write(db, &row.id, 0, AUDIT_ROWS_MAX, out, &next);
    jw_object_end(out);
    free(row.settings);
    return ERR_OK;
}

static enum err op_note_export(struct db *db, void *data)
{
    struct account_job *job = data;
    return account_audit(db, job, &job->session.account, "exported", AUDIT_SELF, NULL, NULL);
}

static void on_export_noted(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    if (err != ERR_OK) {
        account_job_end(job, err);
        return;
    }
    account_job_read(job, op_export, account_job_answered);
}

enum err account_start_export(struct account_job *job)
{
    enum err err = account_job_no_params(job);
    if (err == ERR_OK) { account_job_write(job, op_note_export, on_export_noted); }
    return err;
}

/* --- account.delete ----------------------------------------------------------------------------
 */

/* Open matches: seats become free, and what it made goes where nobody else sits. */
static enum err leave_open(struct db *db, const struct account_id *id, int64_t now)
{
    static _Thread_local struct account_place places[PLACES_MAX];
    const unsigned count = accounts_read_places(db, id, places, PLACES_MAX);
    enum err err = ERR_OK;
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        const struct account_place *place = &places[i];
        if (place->seat >= 0) {
            struct lobby_seat_write write = {
                .match = place->match, .at = now, .seat = (unsigned)place->seat, .account = *id};
            lobby_make_join_code(place->access, write.join_code);
            err = lobby_write_seat(db, &write);
        }
        if (err == ERR_OK && place->creator && !place->others) {
            struct lobby_state_write write = {.match = place->match, .at = now};
            err = lobby_write_state(db, &write);
        }
    }
    return err;
}

enum err account_erase(struct db *db, const struct account_id *id, int64_t now)
{
    enum err err = leave_open(db, id, now);
    return err != ERR_OK ? err : accounts_delete_row(db, id);
}

static enum err op_delete(struct db *db, void *data)
{
    struct account_job *job = data;
    const cJSON *code = json_get(job->params, "code");
    job->refused = account_check_code(db, job, code == NULL ? NULL : code->valuestring);
    if (job->refused != ERR_OK) {
        return job->refused == ERR_BAD_CREDENTIALS ? ERR_OK : job->refused;
    }
    account_job_write_nothing(job);
    return account_erase(db, &job->session.account, job->now);
}

/* Connections close behind the answer, and the account leaves its running matches. */
static void on_deleted(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    const struct account_id account = job->session.account;
    const bool done = err == ERR_OK && job->refused == ERR_OK;
    if (done) { account_cache_forget(accounts, &account, NULL); }
    account_job_end(job, err);
    if (!done) { return; }
    account_tell_revoked(accounts, &account, NULL);
    if (accounts->config.gone != NULL) { accounts->config.gone(accounts->config.ctx, &account); }
}

static enum err after_delete_hash(struct account_job *job)
{
    if (!job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    account_job_write(job, op_delete, on_deleted);
    return ERR_OK;
}

enum err account_start_delete(struct account_job *job)
{
    static const char *const names[] = {"code", "password", NULL};
    const char *password = NULL, *code = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_str(job->params, "!password", PASSWORD_BYTES_MAX, &password, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "code", CODE_BYTES_MAX, &code, &job->why);
    }
    return err != ERR_OK ? err : account_job_prove(job, "password", after_delete_hash);
}
