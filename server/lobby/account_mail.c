/* server/lobby/account_mail.c: addresses of mail, and what is done by a token that was mailed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/password.h"
#include "server/store/store.h"

#define MINUTE_MS INT64_C(60000)

/* --- letters -----------------------------------------------------------------------------------
 */

void account_letter_add(struct account_job *job, enum account_mail_kind kind, const char *address,
                        const char *token, const char *other)
{
    if (job->accounts->config.mail == NULL || address[0] == '\0' ||
        job->letter_count == ACCOUNT_LETTERS) {
        return;
    }
    struct account_letter *letter = &job->letters[job->letter_count++];
    letter->kind = kind;
    snprintf(letter->address, sizeof letter->address, "%s", address);
    snprintf(letter->other, sizeof letter->other, "%s", other);
    snprintf(letter->token, sizeof letter->token, "%s", token);
    account_setting(&job->account, "language", letter->language, sizeof letter->language);
}

void account_letters_send(struct account_job *job)
{
    const struct accounts_config *config = &job->accounts->config;
    for (unsigned i = 0; i < job->letter_count; i++) {
        const struct account_letter *letter = &job->letters[i];
        const struct account_mail mail = {letter->kind,      letter->address, letter->language,
                                          job->account.name, letter->token,   letter->other};
        config->mail(config->ctx, &mail);
    }
    job->letter_count = 0;
}

void account_mailed_hash(const char *text, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 mailed");
    hasher_part_str(&hasher, text);
    hasher_end(&hasher, out);
}

/* Stores a new token of that kind for job->account and writes the letter with it. */
static enum err mail_token(struct db *db, struct account_job *job, enum mailed_kind kind,
                           const char *address)
{
    struct mailed_token token = {.kind = kind, .account = job->account.id, .made_at = job->now};
    uint8_t bytes[TOKEN_BYTES];
    char text[TOKEN_TEXT + 1];
    randombytes_buf(bytes, sizeof bytes);
    b64_encode(text, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
    account_mailed_hash(text, &token.hash);
    snprintf(token.address, sizeof token.address, "%s", address);
    token.expires_at =
        job->now + MINUTE_MS * (kind == MAILED_CONFIRM ? CONFIRM_HOURS * 60 : RESET_MINUTES);
    enum err err = factors_insert_mailed(db, &token);
    if (err == ERR_OK) {
        account_letter_add(job, kind == MAILED_CONFIRM ? ACCOUNT_MAIL_CONFIRM : ACCOUNT_MAIL_RESET,
                           address, text, "");
    }
    sodium_memzero(text, sizeof text);
    return err;
}

/* --- addresses ---------------------------------------------------------------------------------
 */

void account_write_address(struct db *db, const struct account_id *id, struct buf *out)
{
    struct address address;
    if (factors_read_address(db, id, &address) != ERR_OK) { return; }
    jw_key_bool(out, "email_confirmed", address.confirmed_at != 0);
    if (address.next[0] != '\0') { jw_key_str(out, "email_new", address.next); }
}

enum err account_op_address(struct db *db, struct account_job *job, const struct account_row *row,
                            bool *out_keep)
{
    const char *given = json_get(job->params, "email")->valuestring;
    struct address address;
    char old[FACTOR_ADDRESS_BYTES];
    *out_keep = false;
    account_setting(row, "email", old, sizeof old);
    enum err err = factors_read_address(db, &row->id, &address);
    if (err != ERR_OK || (strcmp(old, given) == 0 && address.next[0] == '\0')) { return err; }
    const bool stands = address.confirmed_at != 0 && strcmp(old, given) != 0;
    if (stands && !job->matches) {
        return why_member(&job->why, "password",
                          "Another address in place of a confirmed one needs the password.");
    }
    job->letter_count = 0;
    address.next[0] = '\0';
    if (job->accounts->config.mail == NULL || given[0] == '\0') {
        if (stands) { account_letter_add(job, ACCOUNT_MAIL_CHANGED, old, "", given); }
        if (strcmp(old, given) != 0) { address.confirmed_at = 0; }
    } else if (stands) {
        *out_keep = true;
        snprintf(address.next, sizeof address.next, "%s", given);
        account_letter_add(job, ACCOUNT_MAIL_CHANGING, old, "", given);
    }
    err = factors_drop_mailed(db, &row->id, MAILED_CONFIRM);
    /* Whoever has the old address has no say any more. */
    if (err == ERR_OK) { err = factors_drop_mailed(db, &row->id, MAILED_RESET); }
    if (err == ERR_OK) { err = factors_set_address(db, &row->id, &address); }
    if (err == ERR_OK && given[0] != '\0' && strcmp(old, given) != 0 &&
        job->accounts->config.mail != NULL) {
        err = mail_token(db, job, MAILED_CONFIRM, given);
    }
    if (err == ERR_OK) {
        err = account_audit(db, job, &row->id, "email_set", AUDIT_SELF, NULL, NULL);
    }
    return err;
}

/* --- account.confirm ---------------------------------------------------------------------------
 */

/* settings with another address, into the store. */
static enum err set_email(struct db *db, struct account_job *job, const char *email)
{
    cJSON *settings = NULL;
    struct buf text;
    const char *stored = job->account.settings;
    if (stored == NULL || json_parse(stored, strlen(stored), &settings) != ERR_OK) {
        return ERR_INTERNAL;
    }
    cJSON_DeleteItemFromObjectCaseSensitive(settings, "email");
    buf_init(&text, SETTINGS_BYTES_MAX);
    enum err err = ERR_INTERNAL;
    if (cJSON_AddStringToObject(settings, "email", email) != NULL &&
        json_normalise(settings, NULL) == ERR_OK) {
        jw_value(&text, settings);
        err = text.failed ? ERR_TOO_LARGE
                          : accounts_update_settings(db, &job->account.id, buf_str(&text));
    }
    buf_finish(&text);
    cJSON_Delete(settings);
    return err;
}

static enum err no_token(struct account_job *job)
{
    (void)why_member(&job->why, "token", "There is no such token, or not any more.");
    return ERR_NOT_FOUND;
}

static enum err read_account(struct db *db, struct account_job *job, const struct account_id *id)
{
    free(job->account.settings);
    job->account.settings = NULL;
    return accounts_read_by_id(db, id, &job->account);
}

static enum err op_confirm(struct db *db, void *data)
{
    struct account_job *job = data;
    struct mailed_token token;
    struct address address;
    char old[FACTOR_ADDRESS_BYTES];
    enum err err = factors_read_mailed(db, &job->hash, MAILED_CONFIRM, job->now, &token);
    if (err == ERR_NOT_FOUND) { return no_token(job); }
    if (err == ERR_OK) { err = read_account(db, job, &token.account); }
    if (err == ERR_OK) { err = factors_read_address(db, &token.account, &address); }
    if (err != ERR_OK) { return err; }
    account_setting(&job->account, "email", old, sizeof old);
    job->letter_count = 0;
    if (strcmp(token.address, address.next) == 0) {
        account_letter_add(job, ACCOUNT_MAIL_CHANGED, old, "", token.address);
        err = set_email(db, job, token.address);
    } else if (strcmp(token.address, old) != 0) {
        return no_token(job);
    }
    address = (struct address){.confirmed_at = job->now};
    if (err == ERR_OK) { err = factors_set_address(db, &token.account, &address); }
    if (err == ERR_OK) { err = factors_drop_mailed(db, &token.account, MAILED_CONFIRM); }
    if (err == ERR_OK) {
        err = account_audit(db, job, &token.account, "email_confirmed", AUDIT_SELF, NULL, NULL);
    }
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_str(&job->out, "name", job->account.name);
    jw_key_str(&job->out, "email", token.address);
    jw_object_end(&job->out);
    return err;
}

/* The token once more. */
static enum err op_confirm_again(struct db *db, void *data)
{
    struct account_job *job = data;
    struct address address;
    char email[FACTOR_ADDRESS_BYTES];
    enum err err = read_account(db, job, &job->session.account);
    if (err == ERR_OK) { err = factors_read_address(db, &job->account.id, &address); }
    if (err != ERR_OK) { return err; }
    job->letter_count = 0;
    account_setting(&job->account, "email", email, sizeof email);
    const char *to = address.next[0] != '\0' ? address.next : email;
    if (to == email && (address.confirmed_at != 0 || email[0] == '\0')) {
        return why_conflict(&job->why, "confirmed", "No address waits to be confirmed.");
    }
    account_job_write_nothing(job);
    return mail_token(db, job, MAILED_CONFIRM, to);
}

static enum err read_mailed_text(struct account_job *job, const char **out)
{
    enum err err = json_read_str(job->params, "token", 128, out, &job->why);
    if (err == ERR_OK && *out != NULL) { account_mailed_hash(*out, &job->hash); }
    return err;
}

static enum err check_mail(struct account_job *job)
{
    if (job->accounts->config.mail != NULL) { return ERR_OK; }
    return why_conflict(&job->why, "no_mail", "This server sends no mail.");
}

enum err account_start_confirm(struct account_job *job)
{
    static const char *const names[] = {"token", NULL};
    const char *token = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = read_mailed_text(job, &token); }
    if (err != ERR_OK) { return err; }
    if (token != NULL) {
        account_job_write(job, op_confirm, account_job_answered);
        return ERR_OK;
    }
    if (account_is_nobody(&job->session.account)) { return ERR_NOT_SIGNED_IN; }
    if (job->session.scope != SCOPE_FULL) { return ERR_FORBIDDEN; }
    err = check_mail(job);
    if (err == ERR_OK) { account_job_write(job, op_confirm_again, account_job_answered); }
    return err;
}

/* --- account.reset -----------------------------------------------------------------------------
 */

/* Whoever it is has been answered: here it is only found out whether there is something to mail. */
static enum err op_ask_reset(struct db *db, void *data)
{
    struct account_job *job = data;
    struct address address;
    char email[FACTOR_ADDRESS_BYTES];
    free(job->account.settings);
    job->account.settings = NULL;
    job->letter_count = 0;
    enum err err = accounts_read_by_folded(db, job->folded, &job->account);
    if (err == ERR_NOT_FOUND) { return ERR_OK; }
    if (err == ERR_OK) { err = factors_read_address(db, &job->account.id, &address); }
    if (err != ERR_OK || address.confirmed_at == 0 || job->account.disabled_at != 0) { return err; }
    account_setting(&job->account, "email", email, sizeof email);
    err = mail_token(db, job, MAILED_RESET, email);
    return err != ERR_OK
               ? err
               : account_audit(db, job, &job->account.id, "reset_asked", AUDIT_SELF, NULL, NULL);
}

static enum err start_asking(struct account_job *job, const char *name)
{
    struct why unused;
    enum err err = check_mail(job);
    if (err != ERR_OK) { return err; }
    if (name_read(name, job->account.name, sizeof job->account.name, &unused) != ERR_OK ||
        name_fold(job->account.name, job->folded) != ERR_OK) {
        job->folded[0] = '\0';
    }
    /* Answered before anything is looked up: neither the answer nor its time tells of the name. */
    account_job_write_nothing(job);
    job->done(job->ctx, ERR_OK, &job->why, NULL, buf_str(&job->out), job->out.len);
    job->answered = true;
    job->params = NULL;
    account_job_write(job, op_ask_reset, account_job_answered);
    return ERR_OK;
}

/* A new password, from which on nothing of the old sign-ins is worth anything. */
static enum err store_password(struct db *db, struct account_job *job, const char *hash,
                               const struct token_id *keep, const char *what)
{
    struct address address;
    char email[FACTOR_ADDRESS_BYTES];
    enum err err = accounts_update_password(db, &job->account.id, hash);
    if (err == ERR_OK) {
        err = accounts_delete_other_tokens(db, &job->account.id, keep, job->ended, TOKENS_MAX,
                                           &job->ended_count);
    }
    if (err == ERR_OK) { err = factors_drop_mailed(db, &job->account.id, MAILED_RESET); }
    if (err == ERR_OK) {
        err = account_audit(db, job, &job->account.id, what, AUDIT_SELF, NULL, NULL);
    }
    if (err == ERR_OK) { err = factors_read_address(db, &job->account.id, &address); }
    if (err == ERR_OK && address.confirmed_at != 0) {
        account_setting(&job->account, "email", email, sizeof email);
        account_letter_add(job, ACCOUNT_MAIL_PASSWORD, email, "", "");
    }
    account_job_write_nothing(job);
    return err;
}

/* job->account.password holds the new hash. */
static enum err op_reset(struct db *db, void *data)
{
    struct account_job *job = data;
    struct mailed_token token;
    char hash[ACCOUNT_PASSWORD_BYTES];
    const cJSON *code = json_get(job->params, "code");
    memcpy(hash, job->new_password, sizeof hash);
    job->letter_count = 0;
    enum err err = factors_read_mailed(db, &job->hash, MAILED_RESET, job->now, &token);
    if (err == ERR_NOT_FOUND) { return no_token(job); }
    if (err == ERR_OK) { err = read_account(db, job, &token.account); }
    if (err == ERR_OK && job->account.disabled_at != 0) { return no_token(job); }
    if (err != ERR_OK) { return err; }
    /* The letter box stands in for the password, never for the second factor. */
    job->refused = account_check_code(db, job, code == NULL ? NULL : code->valuestring);
    if (job->refused != ERR_OK) {
        return job->refused == ERR_BAD_CREDENTIALS ? ERR_OK : job->refused;
    }
    return store_password(db, job, hash, NULL, "reset");
}

/* The connections of the tokens that ended close behind the answer. */
static void on_password_stored(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    const struct account_id account = job->account.id;
    const unsigned count = err == ERR_OK && job->refused == ERR_OK ? job->ended_count : 0;
    struct token_id ended[TOKENS_MAX];
    memcpy(ended, job->ended, sizeof ended);
    if (count > 0) { account_cache_forget(accounts, &account, NULL); }
    account_job_end(job, err);
    for (unsigned i = 0; i < count; i++) {
        account_tell_revoked(accounts, &account, &ended[i]);
    }
}

static enum err after_reset_hash(struct account_job *job)
{
    if (!job->matches) { return ERR_INTERNAL; }
    memcpy(job->new_password, job->account.password, sizeof job->new_password);
    account_job_write(job, op_reset, on_password_stored);
    return ERR_OK;
}

/* A token that is none costs no hash. */
static enum err op_find_reset(struct db *db, void *data)
{
    struct account_job *job = data;
    struct mailed_token token;
    enum err err = factors_read_mailed(db, &job->hash, MAILED_RESET, job->now, &token);
    return err == ERR_NOT_FOUND ? no_token(job) : err;
}

static void on_reset_found(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    if (err == ERR_OK) {
        err = account_job_hash(job, json_get(job->params, "password")->valuestring, NULL,
                               after_reset_hash);
    }
    if (err != ERR_OK) { account_job_end(job, err); }
}

enum err account_start_reset(struct account_job *job)
{
    static const char *const names[] = {"code", "name", "password", "token", NULL};
    const char *name = NULL, *token = NULL, *password = NULL, *code = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "name", 1024, &name, &job->why); }
    if (err == ERR_OK) { err = read_mailed_text(job, &token); }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "code", CODE_BYTES_MAX, &code, &job->why);
    }
    if (err != ERR_OK) { return err; }
    if ((name != NULL) == (token != NULL)) {
        return why_member(&job->why, "token", "Either a name, or a token with a password.");
    }
    if (name != NULL) {
        if (json_get(job->params, "password") != NULL || code != NULL) {
            return why_member(&job->why, "password", "It goes with the token.");
        }
        return start_asking(job, name);
    }
    err = account_read_password(job->params, "!password", &password, &job->why);
    if (err == ERR_OK) { account_job_read(job, op_find_reset, on_reset_found); }
    return err;
}

/* --- account.password --------------------------------------------------------------------------
 */

static enum err op_password(struct db *db, void *data)
{
    struct account_job *job = data;
    const cJSON *code = json_get(job->params, "code");
    char hash[ACCOUNT_PASSWORD_BYTES];
    memcpy(hash, job->new_password, sizeof hash);
    job->letter_count = 0;
    enum err err = read_account(db, job, &job->session.account);
    if (err != ERR_OK) { return err; }
    job->refused = account_check_code(db, job, code == NULL ? NULL : code->valuestring);
    if (job->refused != ERR_OK) {
        return job->refused == ERR_BAD_CREDENTIALS ? ERR_OK : job->refused;
    }
    return store_password(db, job, hash, &job->session.token, "password_changed");
}

static enum err after_new_hash(struct account_job *job)
{
    if (!job->matches) { return ERR_INTERNAL; }
    memcpy(job->new_password, job->account.password, sizeof job->new_password);
    account_job_write(job, op_password, on_password_stored);
    return ERR_OK;
}

static enum err after_old_hash(struct account_job *job)
{
    if (!job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    return account_job_hash(job, json_get(job->params, "password")->valuestring, NULL,
                            after_new_hash);
}

enum err account_start_password(struct account_job *job)
{
    static const char *const names[] = {"code", "old", "password", NULL};
    const char *old = NULL, *password = NULL, *code = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) {
        err = json_read_str(job->params, "!old", PASSWORD_BYTES_MAX, &old, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "code", CODE_BYTES_MAX, &code, &job->why);
    }
    if (err == ERR_OK) {
        err = account_read_password(job->params, "!password", &password, &job->why);
    }
    return err != ERR_OK ? err : account_job_prove(job, "old", after_old_hash);
}
