/* server/lobby/account_inside.h: one call to the accounts on its way, shared by the files that
 * serve it. */
#ifndef VEDETTE_SERVER_LOBBY_ACCOUNT_INSIDE_H
#define VEDETTE_SERVER_LOBBY_ACCOUNT_INSIDE_H

#include <stdbool.h>

#include "common/base/buf.h"
#include "common/base/hash.h"
#include "common/base/why.h"
#include "server/lobby/accounts.h"
#include "server/lobby/names.h"
#include "server/store/accounts.h"
#include "server/store/nonces.h"
#include "server/store/store.h"

struct passwords;

enum {
    CACHE_SLOTS = 1024, /* bearer tokens in memory */
    SETTINGS_BYTES_MAX = 8192,
    RESULT_BYTES_MAX = 32 << 20
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
    struct cached cache[CACHE_SLOTS];
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
    struct account_row *bots; /* BOTS_MAX of them */
    unsigned bot_count;
};

/* How a call begins, in its own file: refuses, or goes on and ends by account_job_end. */
typedef enum err account_start_fn(struct account_job *job);

/* ---- accounts.c ---- */

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
/* An account as its owner sees it. */
void account_write(const struct account_row *row, struct buf *out);

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

#endif
