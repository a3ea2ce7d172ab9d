/* server/lobby/account_tokens.c: tokens: what an account signed in with, and tokens for bots and
 * scripts. */
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

static enum err op_delete_token(struct db *db, void *data)
{
    struct account_job *job = data;
    const struct account_id *id = &job->session.account;
    const bool own = strcmp(job->token.id.text, job->session.token.text) == 0;
    enum err err = accounts_delete_token(db, id, job->all ? NULL : &job->token.id);
    if (err != ERR_OK || (own && !job->all)) { return err; }
    return job->all ? account_audit(db, job, id, "signed_out_all", AUDIT_SELF, NULL, NULL)
                    : account_audit(db, job, id, "token_revoked", AUDIT_SELF, "token_id",
                                    job->token.id.text);
}

/* After the answer: whoever else uses what was revoked is closed. */
void account_job_revoked(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    const struct account_id account = job->session.account;
    const struct token_id token = job->token.id;
    const bool all = job->all;
    if (err == ERR_OK) { account_job_write_nothing(job); }
    if (err == ERR_OK) { account_cache_forget(accounts, &account, all ? NULL : &token); }
    account_job_end(job, err);
    if (err == ERR_OK) { account_tell_revoked(accounts, &account, all ? NULL : &token); }
}

enum err account_start_logout(struct account_job *job)
{
    static const char *const names[] = {"all", NULL};
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_bool(job->params, "all", &job->all, &job->why); }
    if (err != ERR_OK) { return err; }
    if (job->all && job->session.scope != SCOPE_FULL) { return ERR_FORBIDDEN; }
    job->token.id = job->session.token;
    account_job_write(job, op_delete_token, account_job_revoked);
    return ERR_OK;
}

enum err account_start_revoke(struct account_job *job)
{
    static const char *const names[] = {"token_id", NULL};
    const char *id = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "!token_id", 64, &id, &job->why); }
    if (err != ERR_OK) { return err; }
    if (!token_id_read(id, &job->token.id)) { return ERR_NOT_FOUND; }
    account_job_write(job, op_delete_token, account_job_revoked);
    return ERR_OK;
}

static enum err op_tokens(struct db *db, void *data)
{
    struct account_job *job = data;
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key(&job->out, "tokens");
    accounts_write_tokens(db, &job->session.account, &job->session.token, &job->out);
    jw_object_end(&job->out);
    return ERR_OK;
}

enum err account_start_tokens(struct account_job *job)
{
    enum err err = account_job_no_params(job);
    if (err == ERR_OK) { account_job_read(job, op_tokens, account_job_answered); }
    return err;
}

static enum err op_new_token(struct db *db, void *data)
{
    struct account_job *job = data;
    enum err err = account_op_insert_token(db, job);
    return err != ERR_OK ? err
                         : account_audit(db, job, &job->account.id, "token_made", AUDIT_SELF,
                                         "label", job->token.label);
}

static void on_token_stored(void *ctx, enum err err)
{
    static const char *const scopes[] = {"read", "play", "organise", "all"};
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    const struct account_id account = job->account.id;
    const struct token_id gone = job->gone;
    if (err == ERR_OK) {
        jw_object_begin(&job->out);
        jw_key_str(&job->out, "token", job->token_text);
        jw_key_str(&job->out, "token_id", job->token.id.text);
        jw_key_str(&job->out, "label", job->token.label);
        jw_key_str(&job->out, "scope", scopes[job->token.scope]);
        if (job->token.expires_at != 0) { jw_key_int(&job->out, "expires", job->token.expires_at); }
        jw_object_end(&job->out);
    }
    account_job_end(job, err);
    if (err == ERR_OK && gone.text[0] != '\0') { account_tell_revoked(accounts, &account, &gone); }
}

enum err account_start_token(struct account_job *job)
{
    static const char *const names[] = {"expires", "label", "scope", NULL};
    static const char *const scopes[] = {"read", "play", "organise"};
    const char *label = NULL, *scope_name = NULL;
    int64_t expires = 0;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_str(job->params, "!label", TOKEN_LABEL_BYTES - 1, &label, &job->why);
    }
    if (err == ERR_OK) { err = json_read_str(job->params, "!scope", 16, &scope_name, &job->why); }
    if (err == ERR_OK) {
        err =
            json_read_int(job->params, "expires", job->now + 1, JSON_INT_MAX, &expires, &job->why);
    }
    if (err != ERR_OK) { return err; }
    for (unsigned i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        if (strcmp(scope_name, scopes[i]) != 0) { continue; }
        job->account.id = job->session.account;
        account_token_make(job, (enum scope)i, label, expires);
        account_job_write(job, op_new_token, on_token_stored);
        return ERR_OK;
    }
    return why_member(&job->why, "scope", "A scope is read, play or organise.");
}
