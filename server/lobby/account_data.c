/* server/lobby/account_data.c: all that is stored about a person, and its end. */
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

static enum err op_export(struct db *db, void *data)
{
    struct account_job *job = data;
    struct account_row row;
    enum err err = accounts_read_by_id(db, &job->session.account, &row);
    if (err != ERR_OK) { return err; }
    struct buf *out = &job->out;
    buf_reset(out);
    jw_object_begin(out);
    jw_key(out, "account");
    account_write(&row, out);
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
    jw_object_end(out);
    free(row.settings);
    return ERR_OK;
}

enum err account_start_export(struct account_job *job)
{
    enum err err = account_job_no_params(job);
    if (err == ERR_OK) { account_job_read(job, op_export, account_job_answered); }
    return err;
}

static enum err op_delete(struct db *db, void *data)
{
    struct account_job *job = data;
    return accounts_delete_row(db, &job->session.account);
}

static enum err after_delete_hash(struct account_job *job)
{
    if (!job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    job->all = true;
    account_job_write(job, op_delete, account_job_revoked);
    return ERR_OK;
}

static enum err op_read_self(struct db *db, void *data)
{
    struct account_job *job = data;
    free(job->account.settings);
    job->account.settings = NULL;
    return accounts_read_by_id(db, &job->session.account, &job->account);
}

static void on_self_read(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    if (err == ERR_OK) {
        err = account_job_hash(job, json_get(job->params, "password")->valuestring,
                               job->account.password, after_delete_hash);
    }
    if (err != ERR_OK) { account_job_end(job, err); }
}

enum err account_start_delete(struct account_job *job)
{
    static const char *const names[] = {"password", NULL};
    const char *password = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_str(job->params, "!password", PASSWORD_BYTES_MAX, &password, &job->why);
    }
    if (err == ERR_OK) { account_job_read(job, op_read_self, on_self_read); }
    return err;
}
