/* server/lobby/accounts.c: accounts. Passwords are hashed in the pool, a few at once; all else is
 * reads and units of the store. */
#include "server/lobby/accounts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>
#include <uv.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/clock/spec.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/names.h"
#include "server/lobby/password.h"
#include "server/match/wants.h"
#include "server/store/accounts.h"
#include "server/store/desk.h"
#include "server/store/lobby.h"
#include "server/store/nonces.h"
#include "server/store/outbox.h"
#include "server/store/store.h"

enum { TOUCH_MS = 3600000 };

const char *const account_roles[] = {"admin", "referee", "organiser", NULL};

int64_t account_now_ms(void)
{
    return clock_now_ms();
}

/* --- the life of a call ------------------------------------------------------------------------
 */

/* A network as it is stored: nobody reads an address from it. */
static void note_network(struct account_job *job, const uint8_t network[NETWORK_PREFIX_BYTES])
{
    struct hasher hasher;
    struct hash hash;
    if (network[0] == 0) { return; }
    hasher_begin(&hasher, &job->accounts->network_key, "vedette1 network");
    hasher_part(&hasher, network, NETWORK_PREFIX_BYTES);
    hasher_end(&hasher, &hash);
    memcpy(job->network, hash.bytes, sizeof job->network);
    job->has_network = true;
}

static struct account_job *account_job_create(struct accounts *accounts,
                                              const struct accounts_call *call)
{
    struct account_job *job = calloc(1, sizeof *job);
    if (job == NULL) { return NULL; }
    job->accounts = accounts;
    if (call->session != NULL) { job->session = *call->session; }
    if (call->client != NULL) { snprintf(job->client, sizeof job->client, "%s", call->client); }
    note_network(job, call->network);
    job->params = call->params;
    job->done = call->done;
    job->ctx = call->ctx;
    job->now = account_now_ms();
    why_clear(&job->why);
    buf_init(&job->out, RESULT_BYTES_MAX);
    accounts->pending++;
    return job;
}

static void account_job_free(struct account_job *take_job)
{
    take_job->accounts->pending--;
    free(take_job->account.settings);
    for (unsigned i = 0; i < take_job->bot_count; i++) {
        free(take_job->bots[i].settings);
        sodium_memzero(&take_job->bots[i], sizeof take_job->bots[i]);
    }
    free(take_job->bots);
    buf_finish(&take_job->out);
    sodium_memzero(take_job, sizeof *take_job);
    free(take_job);
}

void account_job_end(struct account_job *take_job, enum err err)
{
    struct account_job *job = take_job;
    if (err == ERR_OK) { account_letters_send(job); }
    if (job->answered) {
        account_job_free(job);
        return;
    }
    if (err == ERR_OK) { err = job->refused; }
    if (err == ERR_OK && job->out.failed) { err = ERR_TOO_LARGE; }
    const bool signs_in = err == ERR_OK && job->makes_session;
    job->done(job->ctx, err, &job->why, signs_in ? &job->session : NULL,
              err == ERR_OK ? buf_str(&job->out) : NULL, err == ERR_OK ? job->out.len : 0);
    account_job_free(job);
}

struct account_job *account_job_begin(struct accounts *accounts)
{
    const struct accounts_call nobody = {0};
    return account_job_create(accounts, &nobody);
}

void account_job_drop(struct account_job *take_job)
{
    account_job_free(take_job);
}

/* No memory for a job. */
static void refuse(const struct accounts_call *call)
{
    struct why why;
    why_clear(&why);
    call->done(call->ctx, ERR_INTERNAL, &why, NULL, NULL, 0);
}

void account_job_read(struct account_job *job, store_op_fn *read, store_done_fn *done)
{
    store_read(job->accounts->config.store, read, job, NULL, done, job);
}

void account_job_write(struct account_job *job, store_op_fn *write, store_done_fn *done)
{
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) {
        account_job_end(job, ERR_STORAGE_FAILED);
        return;
    }
    store_unit_add(unit, write, job, NULL);
    store_commit(job->accounts->config.store, unit, done, job);
}

/* {} is the whole answer. */
void account_job_write_nothing(struct account_job *job)
{
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_object_end(&job->out);
}

void account_job_written(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    if (err == ERR_OK) { account_job_write_nothing(job); }
    account_job_end(job, err);
}

/* What an operation wrote to out is the answer. */
void account_job_answered(void *ctx, enum err err)
{
    account_job_end(ctx, err);
}

/* --- tokens ------------------------------------------------------------------------------------
 */

static void account_token_hash(const char *text, struct hash *out)
{
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 token");
    hasher_part_str(&hasher, text);
    hasher_end(&hasher, out);
}

static struct cached *cache_slot(struct accounts *accounts, const struct hash *hash)
{
    return &accounts->cache[(hash->bytes[0] | hash->bytes[1] << 8) % CACHE_SLOTS];
}

void account_cache_forget(struct accounts *accounts, const struct account_id *account,
                          const struct token_id *token)
{
    for (unsigned i = 0; i < CACHE_SLOTS; i++) {
        struct session *session = &accounts->cache[i].session;
        if (!account_id_same(&session->account, account)) { continue; }
        if (token != NULL && strcmp(session->token.text, token->text) != 0) { continue; }
        memset(session, 0, sizeof *session);
    }
}

/* Those that use the token must close. After the answer, so that it still goes out. */
void account_tell_revoked(struct accounts *accounts, const struct account_id *account,
                          const struct token_id *token)
{
    account_cache_forget(accounts, account, token);
    accounts->config.revoked(accounts->config.ctx, account, token);
}

/* A new token for job->account into job->token and job->token_text. */
void account_token_make(struct account_job *job, enum scope scope, const char *label,
                        int64_t expires_at)
{
    uint8_t bytes[TOKEN_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    b64_encode(job->token_text, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
    token_id_make(&job->token.id);
    account_token_hash(job->token_text, &job->token.hash);
    job->token.account = job->account.id;
    job->token.scope = (uint8_t)scope;
    snprintf(job->token.label, sizeof job->token.label, "%s", label);
    snprintf(job->token.client, sizeof job->token.client, "%s", job->client);
    job->token.created_at = job->now;
    job->token.used_at = job->now;
    job->token.expires_at = expires_at;
}

static void set_session(struct account_job *job)
{
    job->session.account = job->account.id;
    job->session.token = job->token.id;
    job->session.scope = job->token.scope;
    job->session.expires_at = job->token.expires_at;
    memcpy(job->session.name, job->account.name, sizeof job->session.name);
    static_assert(sizeof job->session.name == sizeof job->account.name, "names are as long");
}

void account_write_roles(uint8_t roles, struct buf *out)
{
    jw_key_array(out, "roles");
    for (unsigned i = 0; account_roles[i] != NULL; i++) {
        if ((roles >> i & 1U) != 0) { jw_str(out, account_roles[i]); }
    }
    jw_array_end(out);
}

void account_write_members(const struct account_row *row, bool secrets, struct buf *out)
{
    cJSON *settings = NULL;
    jw_key_str(out, "name", row->name);
    jw_key_int(out, "created_at", row->created_at);
    if (row->bot) { jw_key_bool(out, "bot", true); }
    if (row->roles != 0) { account_write_roles(row->roles, out); }
    if (row->settings != NULL &&
        json_parse(row->settings, strlen(row->settings), &settings) == ERR_OK) {
        for (const cJSON *i = settings->child; i != NULL; i = i->next) {
            jw_key(out, i->string);
            if (strcmp(i->string, "notices") == 0) {
                wants_write(out, i, secrets);
            } else {
                jw_value(out, i);
            }
        }
    }
    cJSON_Delete(settings);
}

void account_write(const struct account_row *row, struct buf *out)
{
    jw_object_begin(out);
    account_write_members(row, false, out);
    jw_object_end(out);
}

/* {account} or {account, token}, after a sign-in. */
static void write_signed_in(struct account_job *job, bool with_token)
{
    jw_object_begin(&job->out);
    jw_key(&job->out, "account");
    account_write(&job->account, &job->out);
    if (with_token) { jw_key_str(&job->out, "token", job->token_text); }
    jw_object_end(&job->out);
}

enum err account_op_insert_token(struct db *db, void *data)
{
    struct account_job *job = data;
    return accounts_insert_token(db, &job->token, TOKENS_MAX, &job->gone);
}

static void on_session_stored(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    struct account_id account = job->account.id;
    struct token_id gone = job->gone;
    if (err == ERR_CONFLICT && job->known) { err = ERR_BAD_CREDENTIALS; } /* deleted meanwhile */
    if (err == ERR_OK && job->refused != ERR_OK) {
        accounts->stats.failed++;
        account_job_end(job, ERR_OK);
        return;
    }
    if (err == ERR_CONFLICT) { err = why_conflict(&job->why, "name_taken", "That name is taken."); }
    if (err == ERR_OK) {
        set_session(job);
        job->makes_session = true;
        accounts->stats.signed_in++;
        write_signed_in(job, true);
    }
    account_job_end(job, err);
    if (err == ERR_OK && gone.text[0] != '\0') { account_tell_revoked(accounts, &account, &gone); }
}

/* --- passwords ---------------------------------------------------------------------------------
 */

/* A password was hashed or checked: job->account.password or job->matches. */
static void on_hashed(void *ctx, bool good, const char *hash)
{
    struct account_job *job = ctx;
    job->matches = good;
    if (hash != NULL) { snprintf(job->account.password, sizeof job->account.password, "%s", hash); }
    enum err err = job->after_hash(job);
    if (err != ERR_OK) { account_job_end(job, err); }
}

/* Hashes password (hash NULL) or checks it against hash; goes on with after_hash. */
enum err account_job_hash(struct account_job *job, const char *password, const char *hash,
                          enum err (*after_hash)(struct account_job *job))
{
    job->after_hash = after_hash;
    if (passwords_run(job->accounts->passwords, password, hash, on_hashed, job)) { return ERR_OK; }
    job->why.retry_after_ms = 2000;
    return why_text(&job->why, ERR_RATE_LIMITED, "Too many sign-ins at once: wait a little.");
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
        err = account_job_hash(job, json_get(job->params, job->proof)->valuestring,
                               job->account.password, job->after_proof);
    }
    if (err != ERR_OK) { account_job_end(job, err); }
}

enum err account_job_prove(struct account_job *job, const char *password_member,
                           enum err (*after_hash)(struct account_job *job))
{
    job->proof = password_member;
    job->after_proof = after_hash;
    account_job_read(job, op_read_self, on_self_read);
    return ERR_OK;
}

enum err account_read_password(const struct cJSON *params, const char *name, const char **out,
                               struct why *why)
{
    enum err err = json_read_str(params, name, PASSWORD_BYTES_MAX, out, why);
    if (err == ERR_OK && strlen(*out) < PASSWORD_BYTES_MIN) {
        return why_member(why, name + (name[0] == '!' ? 1 : 0), "A password has 8 to 256 bytes.");
    }
    return err;
}

/* --- settings ----------------------------------------------------------------------------------
 */

static bool text_of(const char *text, const char *extra)
{
    for (const char *p = text; *p != '\0'; p++) {
        const char c = *p;
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!plain && strchr(extra, c) == NULL) { return false; }
    }
    return true;
}

/* The games that a bot plays with whoever asks. */
static enum err check_plays(const struct cJSON *params, struct why *why)
{
    const cJSON *plays = NULL;
    enum err err = json_read_array(params, "plays", PLAYS_MAX, &plays, why);
    if (err != ERR_OK || plays == NULL) { return err; }
    for (const cJSON *i = plays->child; i != NULL; i = i->next) {
        if (!cJSON_IsString(i) || i->valuestring[0] == '\0' || strlen(i->valuestring) > 32 ||
            !text_of(i->valuestring, "-_")) {
            return why_member(why, "plays", "The games by their names, as waterloo.");
        }
    }
    return ERR_OK;
}

/* When the account sleeps and is away; {} and [] take it back. */
static enum err check_calendar(const struct cJSON *params, const char *timezone, struct why *why)
{
    struct clock_calendar calendar;
    const struct cJSON *sleep = NULL;
    const struct cJSON *vacation = NULL;
    enum err err = json_read_object(params, "sleep", &sleep, why);
    if (err == ERR_OK) {
        err = json_read_array(params, "vacation", CLOCK_VACATIONS_MAX, &vacation, why);
    }
    if (err != ERR_OK) { return err; }
    if (sleep != NULL && sleep->child == NULL) { sleep = NULL; }
    return clock_calendar_parse(timezone[0] == '\0' ? NULL : timezone, sleep, vacation, &calendar,
                                why);
}

/* Refuses a setting that cannot be meant. */
static enum err check_settings(const struct cJSON *params, struct why *why)
{
    const char *email = "", *language = "", *timezone = "", *action_id = "x";
    const struct cJSON *notifications = NULL;
    bool presence = false;
    enum err err = json_read_str(params, "email", 254, &email, why);
    if (err == ERR_OK) { err = json_read_str(params, "language", 16, &language, why); }
    if (err == ERR_OK) { err = json_read_str(params, "timezone", 64, &timezone, why); }
    if (err == ERR_OK) { err = json_read_object(params, "notifications", &notifications, why); }
    if (err == ERR_OK) { err = json_read_bool(params, "presence", &presence, why); }
    if (err == ERR_OK) { err = json_read_str(params, "action_id", 64, &action_id, why); }
    if (err == ERR_OK) { err = check_plays(params, why); }
    if (err != ERR_OK) { return err; }
    const char *at = strchr(email, '@');
    if (email[0] != '\0' &&
        (at == NULL || at == email || at[1] == '\0' || strpbrk(email, " \t\r\n<>,;\"") != NULL ||
         strchr(at + 1, '@') != NULL)) {
        return why_member(why, "email", "That is not an address of mail.");
    }
    if (!text_of(language, "-")) { return why_member(why, "language", "A tag as en or pt-BR."); }
    if (!text_of(timezone, "/_+-")) {
        return why_member(why, "timezone", "A name as Europe/Brussels.");
    }
    err = check_calendar(params, timezone, why);
    if (err != ERR_OK) { return err; }
    if (action_id[0] == '\0') { return why_member(why, "action_id", "It must not be empty."); }
    return ERR_OK;
}

/* Settings as stored (NULL: none) with what params give anew, as text in normal form. keep_email:
 * but for the address. */
static enum err merge_settings(const char *stored, const struct cJSON *params, bool keep_email,
                               struct buf *out)
{
    static const char *const names[] = {"email",    "language", "notices", "notifications",
                                        "plays",    "presence", "sleep",   "timezone",
                                        "vacation", NULL};
    cJSON *old = NULL;
    if (stored != NULL && json_parse(stored, strlen(stored), &old) != ERR_OK) { old = NULL; }
    jw_object_begin(out);
    for (size_t i = 0; names[i] != NULL; i++) {
        const bool keep = keep_email && strcmp(names[i], "email") == 0;
        const cJSON *value = keep ? NULL : json_get(params, names[i]);
        if (value == NULL && old != NULL) { value = json_get(old, names[i]); }
        if (value == NULL || (cJSON_IsString(value) && value->valuestring[0] == '\0')) { continue; }
        bool list = cJSON_IsArray(value) || strcmp(names[i], "sleep") == 0;
        if (list && value->child == NULL) { continue; }
        jw_key(out, names[i]);
        if (strcmp(names[i], "notices") == 0) {
            wants_merge(out, json_get(old, "notices"), json_get(params, "notices"));
        } else {
            jw_value(out, value);
        }
    }
    jw_object_end(out);
    cJSON_Delete(old);
    return out->failed ? ERR_TOO_LARGE : ERR_OK;
}

/* --- register, login, resume -------------------------------------------------------------------
 */

static enum err op_register(struct db *db, void *data)
{
    struct account_job *job = data;
    bool keep = false;
    struct account_row blank = job->account;
    blank.settings = NULL; /* it has no address before this one */
    job->letter_count = 0;
    enum err err = accounts_insert(db, &job->account, job->folded, job->skeleton);
    if (err == ERR_OK) { err = account_op_insert_token(db, job); }
    if (err == ERR_OK) { err = account_audit_sign_in(db, job, "registered"); }
    if (err == ERR_OK && json_get(job->params, "email") != NULL) {
        err = account_op_address(db, job, &blank, &keep);
    }
    return err;
}

static enum err after_register_hash(struct account_job *job)
{
    if (!job->matches) { return ERR_INTERNAL; }
    account_id_make(&job->account.id);
    job->account.created_at = job->now;
    account_token_make(job, SCOPE_FULL, "", 0);
    job->accounts->stats.registered++;
    account_job_write(job, op_register, on_session_stored);
    return ERR_OK;
}

static enum err start_register(struct account_job *job)
{
    static const char *const names[] = {"bot",      "email",    "language", "name",
                                        "password", "timezone", NULL};
    const char *name = NULL, *password = NULL;
    struct buf settings;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "!name", 1024, &name, &job->why); }
    if (err == ERR_OK) {
        err = account_read_password(job->params, "!password", &password, &job->why);
    }
    if (err == ERR_OK) { err = json_read_bool(job->params, "bot", &job->account.bot, &job->why); }
    if (err == ERR_OK) { err = check_settings(job->params, &job->why); }
    if (err == ERR_OK) {
        err = name_read(name, job->account.name, sizeof job->account.name, &job->why);
    }
    if (err == ERR_OK && (name_fold(job->account.name, job->folded) != ERR_OK ||
                          name_skeleton(job->account.name, job->skeleton) != ERR_OK)) {
        err = why_member(&job->why, "name", "That name cannot be told from others.");
    }
    if (err != ERR_OK) { return err; }
    buf_init(&settings, SETTINGS_BYTES_MAX);
    err = merge_settings(NULL, job->params, false, &settings);
    size_t n = 0;
    job->account.settings = buf_take(&settings, &n);
    if (err != ERR_OK) { return err; }
    return account_job_hash(job, password, NULL, after_register_hash);
}

static enum err op_read_by_name(struct db *db, void *data)
{
    struct account_job *job = data;
    free(job->account.settings);
    job->account.settings = NULL;
    enum err err = accounts_read_by_folded(db, job->folded, &job->account);
    job->known = err == ERR_OK;
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

/* The password was right. A code that is not good leaves its trace, and no token. */
static enum err op_login(struct db *db, void *data)
{
    struct account_job *job = data;
    const cJSON *code = json_get(job->params, "code");
    job->letter_count = 0;
    job->refused = account_check_code(db, job, code == NULL ? NULL : code->valuestring);
    if (job->refused == ERR_BAD_CREDENTIALS) { return ERR_OK; }
    if (job->refused != ERR_OK) { return job->refused; }
    enum err err = account_op_insert_token(db, job);
    return err != ERR_OK ? err : account_audit_sign_in(db, job, "signed_in");
}

static enum err after_login_hash(struct account_job *job)
{
    if (!job->known || !job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    if (job->account.disabled_at != 0) {
        (void)why_conflict(&job->why, "disabled", "This account was disabled.");
        return ERR_FORBIDDEN;
    }
    account_token_make(job, SCOPE_FULL, "", 0);
    account_job_write(job, op_login, on_session_stored);
    return ERR_OK;
}

/* An unknown name costs the same hash as a known one. */
static void on_login_read(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    if (err == ERR_OK) {
        const char *password = json_get(job->params, "password")->valuestring;
        err = account_job_hash(job, password,
                               job->known ? job->account.password
                                          : passwords_dummy(job->accounts->passwords),
                               after_login_hash);
    }
    if (err != ERR_OK) { account_job_end(job, err); }
}

static enum err start_login(struct account_job *job)
{
    static const char *const names[] = {"code", "name", "password", NULL};
    const char *name = NULL, *password = NULL, *code = NULL;
    struct why unused;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "!name", 1024, &name, &job->why); }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "!password", PASSWORD_BYTES_MAX, &password, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "code", CODE_BYTES_MAX, &code, &job->why);
    }
    if (err != ERR_OK) { return err; }
    /* A name that cannot be is an unknown one: "" is nobody's. */
    if (name_read(name, job->account.name, sizeof job->account.name, &unused) != ERR_OK ||
        name_fold(job->account.name, job->folded) != ERR_OK) {
        job->folded[0] = '\0';
    }
    account_job_read(job, op_read_by_name, on_login_read);
    return ERR_OK;
}

/* The token by its hash, and its account. */
static enum err op_read_token(struct db *db, void *data)
{
    struct account_job *job = data;
    enum err err = accounts_read_token(db, &job->hash, &job->token);
    if (err == ERR_OK) {
        free(job->account.settings);
        job->account.settings = NULL;
        err = accounts_read_by_id(db, &job->token.account, &job->account);
    }
    job->known = err == ERR_OK;
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

struct touch {
    struct token_id id;
    int64_t at;
};

static enum err op_touch(struct db *db, void *data)
{
    const struct touch *touch = data;
    enum err err = accounts_touch_token(db, &touch->id, touch->at);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

/* Notes that the token is in use, to the hour; nobody waits for it. */
static void touch_token(struct accounts *accounts, const struct token_row *token, int64_t now)
{
    if (now - token->used_at < TOUCH_MS) { return; }
    struct touch *touch = malloc(sizeof *touch);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (touch == NULL || unit == NULL) {
        free(touch);
        store_unit_destroy(unit);
        return;
    }
    *touch = (struct touch){token->id, now};
    store_unit_add(unit, op_touch, touch, free);
    store_commit(accounts->config.store, unit, NULL, NULL);
}

static void on_token_read(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    struct accounts *accounts = job->accounts;
    const bool expired = job->token.expires_at != 0 && job->token.expires_at <= job->now;
    const bool out = expired || job->account.disabled_at != 0;
    if (err == ERR_OK && (!job->known || out)) {
        accounts->stats.failed++;
        err = why_text(&job->why, ERR_BAD_CREDENTIALS, "The token is not known.");
    }
    if (err == ERR_OK) {
        set_session(job);
        job->makes_session = true;
        struct cached *slot = cache_slot(accounts, &job->hash);
        slot->hash = job->hash;
        slot->session = job->session;
        touch_token(accounts, &job->token, job->now);
        write_signed_in(job, false);
    }
    account_job_end(job, err);
}

static enum err start_resume(struct account_job *job)
{
    static const char *const names[] = {"token", NULL};
    const char *token = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_str(job->params, "!token", 128, &token, &job->why); }
    if (err != ERR_OK) { return err; }
    account_token_hash(token, &job->hash);
    account_job_read(job, op_read_token, on_token_read);
    return ERR_OK;
}

void accounts_bearer(struct accounts *accounts, const char *token, accounts_done_fn *done,
                     void *ctx)
{
    struct accounts_call call = {.done = done, .ctx = ctx};
    struct hash hash;
    account_token_hash(token, &hash);
    struct cached *slot = cache_slot(accounts, &hash);
    struct session session = slot->session;
    if (!account_is_nobody(&session.account) &&
        sodium_memcmp(slot->hash.bytes, hash.bytes, HASH_BYTES) == 0 &&
        (session.expires_at == 0 || session.expires_at > account_now_ms())) {
        struct why why;
        why_clear(&why);
        done(ctx, ERR_OK, &why, &session, "", 0);
        return;
    }
    struct account_job *job = account_job_create(accounts, &call);
    if (job == NULL) {
        refuse(&call);
        return;
    }
    job->hash = hash;
    account_job_read(job, op_read_token, on_token_read);
}

/* --- the account's own -------------------------------------------------------------------------
 */

void account_setting(const struct account_row *row, const char *name, char *out, size_t size)
{
    cJSON *settings = NULL;
    out[0] = '\0';
    if (row->settings == NULL ||
        json_parse(row->settings, strlen(row->settings), &settings) != ERR_OK) {
        return;
    }
    const cJSON *value = json_get(settings, name);
    if (cJSON_IsString(value) && strlen(value->valuestring) < size) {
        memcpy(out, value->valuestring, strlen(value->valuestring) + 1);
    }
    cJSON_Delete(settings);
}

enum err account_job_no_params(struct account_job *job)
{
    static const char *const names[] = {NULL};
    return json_only(job->params, names, &job->why);
}

/* job->account, with its settings, as its owner sees it. */
static void write_own(struct db *db, struct account_job *job)
{
    const struct account_row *row = &job->account;
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    account_write_members(row, job->session.scope == SCOPE_FULL, &job->out);
    account_write_address(db, &row->id, &job->out);
    account_write_factor(db, &row->id, &job->out);
    jw_key(&job->out, "blocked");
    accounts_write_blocks(db, &row->id, &job->out);
    jw_object_end(&job->out);
}

static enum err op_get(struct db *db, void *data)
{
    enum err err = op_read_self(db, data);
    if (err == ERR_OK) { write_own(db, data); }
    return err;
}

static enum err start_get(struct account_job *job)
{
    enum err err = account_job_no_params(job);
    if (err == ERR_OK) { account_job_read(job, op_get, account_job_answered); }
    return err;
}

/* Runs on the writer: two changes at once do not lose one of them. */
static enum err op_set(struct db *db, void *data)
{
    struct account_job *job = data;
    struct account_row *row = &job->account;
    struct buf merged;
    bool keep = false;
    job->letter_count = 0;
    enum err err = op_read_self(db, job);
    if (err != ERR_OK) { return err; }
    if (!row->bot && json_get(job->params, "plays") != NULL) {
        return why_member(&job->why, "plays", "That is for bots to say.");
    }
    if (json_get(job->params, "email") != NULL) { err = account_op_address(db, job, row, &keep); }
    if (err != ERR_OK) { return err; }
    buf_init(&merged, SETTINGS_BYTES_MAX);
    err = merge_settings(row->settings, job->params, keep, &merged);
    if (err == ERR_OK) { err = accounts_update_settings(db, &row->id, buf_str(&merged)); }
    /* Addresses that are set anew are tried anew. */
    if (err == ERR_OK && json_get(job->params, "notices") != NULL) {
        err = outbox_forget_endpoints(db, &row->id);
    }
    if (err == ERR_OK) {
        size_t n = 0;
        free(row->settings);
        row->settings = buf_take(&merged, &n);
        write_own(db, job);
    }
    buf_finish(&merged);
    return err;
}

static enum err after_set_hash(struct account_job *job)
{
    if (!job->matches) {
        job->accounts->stats.failed++;
        return ERR_BAD_CREDENTIALS;
    }
    account_job_write(job, op_set, account_job_answered);
    return ERR_OK;
}

static enum err start_set(struct account_job *job)
{
    static const char *const names[] = {"action_id",     "email",    "language", "notices",
                                        "notifications", "password", "plays",    "presence",
                                        "sleep",         "timezone", "vacation", NULL};
    const char *password = NULL;
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = check_settings(job->params, &job->why); }
    const cJSON *notices = json_get(job->params, "notices");
    if (err == ERR_OK && notices != NULL) {
        err = wants_check(notices, job->accounts->config.private_hosts, &job->why);
    }
    if (err == ERR_OK) {
        err = json_read_str(job->params, "password", PASSWORD_BYTES_MAX, &password, &job->why);
    }
    if (err != ERR_OK) { return err; }
    if (password != NULL) { return account_job_prove(job, "password", after_set_hash); }
    account_job_write(job, op_set, account_job_answered);
    return ERR_OK;
}

/* --- the doors ---------------------------------------------------------------------------------
 */

static void run(struct accounts *accounts, const struct accounts_call *call,
                enum err (*start)(struct account_job *job))
{
    struct account_job *job = account_job_create(accounts, call);
    if (job == NULL) {
        refuse(call);
        return;
    }
    enum err err = start(job);
    if (err != ERR_OK) { account_job_end(job, err); }
}

#define DOOR(name)    DOOR_AT(name, start_##name)
#define DOOR_TO(name) DOOR_AT(name, account_start_##name)
#define DOOR_AT(name, start)                                                                       \
    void accounts_##name(struct accounts *accounts, const struct accounts_call *call)              \
    {                                                                                              \
        run(accounts, call, start);                                                                \
    }
DOOR(register)
DOOR(login)
DOOR(resume)
DOOR_TO(confirm)
DOOR_TO(reset)
DOOR_TO(password)
DOOR_TO(totp)
DOOR_TO(audit)
DOOR_TO(logout)
DOOR(get)
DOOR(set)
DOOR_TO(tokens)
DOOR_TO(revoke)
DOOR_TO(token)
DOOR_TO(profile)
DOOR_TO(block)
DOOR_TO(bots)
DOOR_TO(nonces)
DOOR_TO(export)
DOOR_TO(delete)
#undef DOOR
#undef DOOR_TO
#undef DOOR_AT

enum err accounts_create(const struct accounts_config *config, struct accounts **out_accounts)
{
    struct accounts *accounts = calloc(1, sizeof *accounts);
    if (accounts == NULL) { return ERR_INTERNAL; }
    accounts->config = *config;
    accounts->passwords = passwords_create(config->loop);
    if (accounts->passwords == NULL) {
        free(accounts);
        return ERR_INTERNAL;
    }
    account_keys_derive(accounts);
    account_look_start(accounts);
    *out_accounts = accounts;
    return ERR_OK;
}

void accounts_destroy(struct accounts *take_accounts)
{
    if (take_accounts == NULL) { return; }
    assert(take_accounts->pending == 0 && take_accounts->closed);
    passwords_destroy(take_accounts->passwords);
    free(take_accounts);
}

unsigned accounts_pending(const struct accounts *accounts)
{
    return accounts->pending;
}

void accounts_get_stats(const struct accounts *accounts, struct accounts_stats *out_stats)
{
    *out_stats = accounts->stats;
    passwords_stats(accounts->passwords, &out_stats->hashes, &out_stats->hashes_waiting);
}
