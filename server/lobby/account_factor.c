/* server/lobby/account_factor.c: the second factor of a sign-in (RFC 6238) and the codes that stand
 * in for it. */
#include <assert.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/totp.h"
#include "server/store/store.h"

static_assert((int)FACTOR_SEALED_BYTES == (int)TOTP_SEALED_BYTES, "what is sealed fits its column");

static void derive(const uint8_t *seed, const char *label, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, label);
    hasher_part(&hasher, seed, STORE_SEED_BYTES);
    hasher_end(&hasher, out);
}

void account_keys_derive(struct accounts *accounts)
{
    const uint8_t *seed = store_receipt_seed(accounts->config.store);
    derive(seed, "vedette1 factor", &accounts->factor_key);
    derive(seed, "vedette1 network", &accounts->network_key);
}

void account_write_factor(struct db *db, const struct account_id *id, struct buf *out)
{
    struct factor factor;
    if (factors_read(db, id, &factor) != ERR_OK) { return; }
    jw_key_bool(out, "totp", factor.on);
    if (factor.on) { jw_key_int(out, "recovery_left", factors_count_codes(db, id)); }
}

/* --- codes -------------------------------------------------------------------------------------
 */

static enum err refuse_code(struct account_job *job, const char *text)
{
    (void)why_conflict(&job->why, "code", text);
    return ERR_BAD_CREDENTIALS;
}

/* A code of the clock. */
static bool take_step(struct db *db, struct account_job *job, const struct factor *factor,
                      const char *code)
{
    uint8_t secret[TOTP_SECRET_BYTES];
    int64_t step = 0;
    if (!totp_open(&job->accounts->factor_key, factor->sealed, factor->len, secret)) {
        return false;
    }
    /* By the clock on the wall: the authenticator knows no other. */
    const bool good = totp_check(secret, code, (int64_t)time(NULL), factor->step, &step);
    sodium_memzero(secret, sizeof secret);
    return good && factors_set_step(db, &job->account.id, step) == ERR_OK;
}

static bool take_recovery(struct db *db, struct account_job *job, const char *code)
{
    struct hash hash;
    return recovery_hash(code, job->account.id.text, &hash) &&
           factors_use_code(db, &job->account.id, &hash, job->now) == ERR_OK &&
           account_audit(db, job, &job->account.id, "recovery_used", AUDIT_SELF, NULL, NULL) ==
               ERR_OK;
}

enum err account_check_code(struct db *db, struct account_job *job, const char *code)
{
    struct factor factor;
    enum err err = factors_read(db, &job->account.id, &factor);
    if (err != ERR_OK || !factor.on) { return err; }
    if (code == NULL || code[0] == '\0') {
        return refuse_code(job, "A code of the second factor is needed.");
    }
    if (take_step(db, job, &factor, code) || take_recovery(db, job, code)) { return ERR_OK; }
    err = account_audit(db, job, &job->account.id, "code_failed", AUDIT_SELF, NULL, NULL);
    return err != ERR_OK ? err : refuse_code(job, "That code is not good, or not any more.");
}

/* --- account.totp ------------------------------------------------------------------------------
 */

/* New recovery codes into the answer and the store. */
static enum err make_codes(struct db *db, struct account_job *job)
{
    struct hash hashes[RECOVERY_CODES];
    char code[RECOVERY_CHARS + 4];
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_array(&job->out, "recovery");
    for (unsigned i = 0; i < RECOVERY_CODES; i++) {
        recovery_make(code);
        if (!recovery_hash(code, job->account.id.text, &hashes[i])) { return ERR_INTERNAL; }
        jw_str(&job->out, code);
    }
    jw_array_end(&job->out);
    jw_object_end(&job->out);
    sodium_memzero(code, sizeof code);
    return factors_set_codes(db, &job->account.id, hashes, RECOVERY_CODES);
}

static enum err conflict(struct account_job *job, const char *text)
{
    return why_conflict(&job->why, "totp", text);
}

static enum err op_begin(struct db *db, void *data)
{
    struct account_job *job = data;
    struct factor factor;
    uint8_t secret[TOTP_SECRET_BYTES];
    enum err err = factors_read(db, &job->account.id, &factor);
    if (err != ERR_OK) { return err; }
    if (factor.on) { return conflict(job, "There is a second factor already."); }
    randombytes_buf(secret, sizeof secret);
    totp_seal(&job->accounts->factor_key, secret, factor.sealed);
    factor.len = TOTP_SEALED_BYTES;
    factor.step = 0;
    err = factors_set(db, &job->account.id, &factor);
    struct buf uri;
    buf_init(&uri, 1024);
    totp_uri(&uri, job->account.name, secret);
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key(&job->out, "secret");
    buf_append_char(&job->out, '"');
    base32_append(&job->out, secret, sizeof secret);
    buf_append_char(&job->out, '"');
    jw_key_str(&job->out, "uri", buf_str(&uri));
    jw_object_end(&job->out);
    sodium_memzero(secret, sizeof secret);
    buf_finish(&uri);
    return err;
}

/* The first code of a secret that was only begun. */
static enum err op_confirm(struct db *db, void *data)
{
    struct account_job *job = data;
    struct factor factor;
    enum err err = factors_read(db, &job->account.id, &factor);
    if (err != ERR_OK) { return err; }
    if (factor.on || factor.len == 0) { return conflict(job, "None was begun."); }
    if (!take_step(db, job, &factor, json_get(job->params, "code")->valuestring)) {
        return refuse_code(job, "That is not the code of the new secret.");
    }
    err = factors_read(db, &job->account.id, &factor);
    factor.on = true;
    if (err == ERR_OK) { err = factors_set(db, &job->account.id, &factor); }
    if (err == ERR_OK) { err = make_codes(db, job); }
    return err != ERR_OK
               ? err
               : account_audit(db, job, &job->account.id, "totp_on", AUDIT_SELF, NULL, NULL);
}

/* What needs a code of a factor that is on. What follows only where it was good. */
static enum err check_on(struct db *db, struct account_job *job)
{
    struct factor factor;
    enum err err = factors_read(db, &job->account.id, &factor);
    if (err == ERR_OK && !factor.on) { err = conflict(job, "There is no second factor."); }
    if (err != ERR_OK) { return err; }
    job->refused = account_check_code(db, job, json_get(job->params, "code")->valuestring);
    return job->refused == ERR_BAD_CREDENTIALS ? ERR_OK : job->refused;
}

static enum err op_codes(struct db *db, void *data)
{
    struct account_job *job = data;
    enum err err = check_on(db, job);
    if (err != ERR_OK || job->refused != ERR_OK) { return err; }
    err = make_codes(db, job);
    return err != ERR_OK
               ? err
               : account_audit(db, job, &job->account.id, "recovery_made", AUDIT_SELF, NULL, NULL);
}

static enum err op_off(struct db *db, void *data)
{
    static const struct factor none = {0};
    struct account_job *job = data;
    struct address address;
    char email[FACTOR_ADDRESS_BYTES];
    enum err err = check_on(db, job);
    if (err != ERR_OK || job->refused != ERR_OK) { return err; }
    err = factors_set(db, &job->account.id, &none);
    if (err == ERR_OK) { err = factors_read_address(db, &job->account.id, &address); }
    if (err == ERR_OK && address.confirmed_at != 0) {
        account_setting(&job->account, "email", email, sizeof email);
        account_letter_add(job, ACCOUNT_MAIL_FACTOR, email, "", "");
    }
    account_job_write_nothing(job);
    return err != ERR_OK
               ? err
               : account_audit(db, job, &job->account.id, "totp_off", AUDIT_SELF, NULL, NULL);
}

static const struct act {
    const char *name;
    store_op_fn *run;
    bool password, code;
} acts[] = {
    {"begin", op_begin, true, false},
    {"confirm", op_confirm, false, true},
    {"codes", op_codes, true, true},
    {"off", op_off, true, true},
};

static const struct act *find_act(const char *name)
{
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(acts[i].name, name) == 0) { return &acts[i]; }
    }
    return NULL;
}

static enum err after_totp_hash(struct account_job *job)
{
    const struct act *act = find_act(json_get(job->params, "do")->valuestring);
    if (act->password && !job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    account_job_write(job, act->run, account_job_answered);
    return ERR_OK;
}

enum err account_start_totp(struct account_job *job)
{
    static const char *const names[] = {"code", "do", "password", NULL};
    const char *name = NULL, *password = NULL, *code = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "!do", 16, &name, &job->why); }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "password", PASSWORD_BYTES_MAX, &password, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "code", CODE_BYTES_MAX, &code, &job->why);
    }
    if (err != ERR_OK) { return err; }
    const struct act *act = find_act(name);
    if (act == NULL) { return why_member(&job->why, "do", "begin, confirm, codes or off."); }
    if (act->code != (code != NULL)) {
        return why_member(&job->why, "code", act->code ? "It is missing." : "None is needed here.");
    }
    if (act->password != (password != NULL)) {
        return why_member(&job->why, "password",
                          act->password ? "It is missing." : "None is needed here.");
    }
    if (act->password) { return account_job_prove(job, "password", after_totp_hash); }
    job->account.id = job->session.account;
    account_job_write(job, act->run, account_job_answered);
    return ERR_OK;
}
