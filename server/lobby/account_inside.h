/* server/lobby/account_inside.h: one call to the accounts on its way, shared by the files that
 * serve it. */
#ifndef VEDETTE_SERVER_LOBBY_ACCOUNT_INSIDE_H
#define VEDETTE_SERVER_LOBBY_ACCOUNT_INSIDE_H

#include <stdbool.h>

#include <uv.h>

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/base/why.h"
#include "server/lobby/accounts.h"
#include "server/lobby/names.h"
#include "server/store/accounts.h"
#include "server/store/audit.h"
#include "server/store/factors.h"
#include "server/store/nonces.h"
#include "server/store/store.h"

struct house_job;
struct passwords;

enum {
    CACHE_SLOTS = 1024, /* bearer tokens in memory */
    SETTINGS_BYTES_MAX = 8192,
    RESULT_BYTES_MAX = 32 << 20,
    ACCOUNT_NOTICES = 32, /* looked at together */
    ACCOUNT_LETTERS = 2   /* of one call */
};

struct cached {
    struct hash hash;
    struct session session; /* account "": empty */
};

struct accounts {
    struct accounts_config config;
    struct passwords *passwords;
    unsigned pending;
    struct accounts_stats stats;
    struct hash factor_key, network_key;
    struct account_notice notices[ACCOUNT_NOTICES];
    unsigned notice_count;
    uv_timer_t look; /* for notices, and once a day for what is too old */
    bool looking, closed;
    int64_t swept_at;
    struct cached cache[CACHE_SLOTS];
};

/* A mail that goes out once what it is about is stored. address "": none. */
struct account_letter {
    enum account_mail_kind kind;
    char address[FACTOR_ADDRESS_BYTES], language[17], other[FACTOR_ADDRESS_BYTES];
    char token[TOKEN_TEXT + 1];
};

/* One call on its way. What an operation on another thread needs is in it. */
struct account_job {
    struct accounts *accounts;
    struct session session; /* who asks; then who is signed in */
    const struct cJSON *params;
    accounts_done_fn *done;
    void *ctx;
    struct why why;
    enum err (*after_hash)(struct account_job *job);
    enum err (*after_proof)(struct account_job *job); /* account_job_prove */
    const char *proof;
    struct account_row account;
    struct token_row token;
    struct token_id gone;
    struct hash hash;
    struct hash commits[NONCES_AT_ONCE];
    unsigned commit_count;
    char folded[NAME_KEY_BYTES_MAX], skeleton[NAME_KEY_BYTES_MAX];
    char token_text[TOKEN_TEXT + 1];
    struct buf out;
    int64_t now;
    bool known, matches, all, on, makes_session;
    char new_password[ACCOUNT_PASSWORD_BYTES]; /* its hash */
    struct token_id ended[TOKENS_MAX];         /* with a new password */
    unsigned ended_count;
    bool answered;    /* done was called: what goes on is nobody's concern */
    enum err refused; /* by an operation that stored something all the same */
    struct account_letter letters[ACCOUNT_LETTERS];
    unsigned letter_count;
    char client[CLIENT_BYTES_MAX + 1];
    uint8_t network[NETWORK_BYTES]; /* hash of the caller's network */
    bool has_network;
    struct house_job *house;  /* account_house.c; NULL: a call of somebody's */
    struct account_row *bots; /* BOTS_MAX of them */
    unsigned bot_count;
};

/* How a call begins, in its own file: refuses, or goes on and ends by account_job_end. */
typedef enum err account_start_fn(struct account_job *job);

/* ---- accounts.c ---- */

int64_t account_now_ms(void);
/* A job of the daemon's own, ended by account_job_drop. NULL: no memory. */
struct account_job *account_job_begin(struct accounts *accounts);
void account_job_drop(struct account_job *take_job);
/* Answers and frees. */
void account_job_end(struct account_job *take_job, enum err err);
void account_job_read(struct account_job *job, store_op_fn *read, store_done_fn *done);
void account_job_write(struct account_job *job, store_op_fn *write, store_done_fn *done);
/* {} becomes the whole answer. */
void account_job_write_nothing(struct account_job *job);
/* Ends of reads and units: {} is the answer, or what the operation wrote to out. */
void account_job_written(void *ctx, enum err err);
void account_job_answered(void *ctx, enum err err);
/* Refuses any param. */
enum err account_job_no_params(struct account_job *job) VD_CHECKED;
/* Hashes password (hash NULL) or checks it against hash; goes on with after_hash. */
enum err account_job_hash(struct account_job *job, const char *password, const char *hash,
                          enum err (*after_hash)(struct account_job *job)) VD_CHECKED;
/* A new token for job->account into job->token and job->token_text. */
void account_token_make(struct account_job *job, enum scope scope, const char *label,
                        int64_t expires_at);
/* Operation: inserts job->token; over TOKENS_MAX another goes: job->gone. */
enum err account_op_insert_token(struct db *db, void *job);
void account_cache_forget(struct accounts *accounts, const struct account_id *account,
                          const struct token_id *token);
/* Those that use the token (NULL: any of the account) must close. After the answer, so that it
 * still goes out. */
void account_tell_revoked(struct accounts *accounts, const struct account_id *account,
                          const struct token_id *token);
/* The roles by bit, NULL-ended; and the member roles. */
extern const char *const account_roles[];
void account_write_roles(uint8_t roles, struct buf *out);
/* An account as its owner sees it; the members without braces. secrets: with those of notices. */
void account_write_members(const struct account_row *row, bool secrets, struct buf *out);
void account_write(const struct account_row *row, struct buf *out);

/* NULL unless the text has 8 to 256 bytes. */
enum err account_read_password(const struct cJSON *params, const char *name, const char **out,
                               struct why *why) VD_CHECKED;
/* Reads the row of the session's account into job->account, then hashes params' member of that name
 * against its password and goes on with after_hash (job->matches). */
enum err account_job_prove(struct account_job *job, const char *password_member,
                           enum err (*after_hash)(struct account_job *job)) VD_CHECKED;
/* A text of the settings; "" if none. */
void account_setting(const struct account_row *row, const char *name, char *out, size_t size);

/* ---- account_audit.c ---- */

account_start_fn account_start_audit;
/* Operations' part: a row of what the job's caller did to its account. detail: NULL, or one member:
 * its name and its text. */
enum err account_audit(struct db *db, const struct account_job *job, const struct account_id *id,
                       const char *what, const char *by, const char *member,
                       const char *text) VD_CHECKED;
/* A sign-in of job->account is stored: its network and its row. */
enum err account_audit_sign_in(struct db *db, struct account_job *job, const char *how) VD_CHECKED;
/* Begins to look for notices. */
void account_look_start(struct accounts *accounts);

/* ---- account_factor.c ---- */

account_start_fn account_start_totp;
void account_keys_derive(struct accounts *accounts);
/* Operation's part: whether code (NULL: none) is what job->account (its id) asks of a sign-in. OK:
 * good, and used up, or none is asked. BAD_CREDENTIALS (why->reason "code"): missing or wrong; a
 * wrong one is in the audit, so the unit must be stored. */
enum err account_check_code(struct db *db, struct account_job *job, const char *code) VD_CHECKED;
/* The members totp and recovery_left of account.get. */
void account_write_factor(struct db *db, const struct account_id *id, struct buf *out);

/* ---- account_mail.c ---- */

account_start_fn account_start_confirm, account_start_reset, account_start_password;
/* The hash under which a mailed token is stored. */
void account_mailed_hash(const char *text, struct hash *out);
/* A letter to the job's account, to be sent when the job's unit is stored. */
void account_letter_add(struct account_job *job, enum account_mail_kind kind, const char *address,
                        const char *token, const char *other);
void account_letters_send(struct account_job *job);
/* Operation's part of account.register and account.set: job->params have an address. What becomes
 * of it: *out_keep: the older one stays in the settings for the time being. row: the account as it
 * stands; its address in settings. */
enum err account_op_address(struct db *db, struct account_job *job, const struct account_row *row,
                            bool *out_keep) VD_CHECKED;
/* The members email_confirmed and email_new of account.get. */
void account_write_address(struct db *db, const struct account_id *id, struct buf *out);

/* ---- account_tokens.c ---- */

account_start_fn account_start_logout, account_start_revoke, account_start_tokens,
    account_start_token;
/* After a unit that took back job->token.id, or with job->all all of the session's account: the
 * answer, then whoever else uses what was revoked is closed. */
void account_job_revoked(void *ctx, enum err err);

/* ---- account_others.c ---- */

account_start_fn account_start_profile, account_start_block, account_start_bots;

/* ---- account_nonces.c ---- */

account_start_fn account_start_nonces;

/* ---- account_data.c ---- */

account_start_fn account_start_export, account_start_delete;
/* Operation's part: the account leaves its open matches and goes, with all that is its own. */
enum err account_erase(struct db *db, const struct account_id *id, int64_t now) VD_CHECKED;

#endif
