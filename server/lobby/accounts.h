/* server/lobby/accounts.h: accounts, sign-in, tokens, settings (PROTOCOL section 3). Loop thread
 * only. */
#ifndef VEDETTE_SERVER_LOBBY_ACCOUNTS_H
#define VEDETTE_SERVER_LOBBY_ACCOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/why.h"
#include "server/base/ids.h"

struct accounts;
struct cJSON;
struct store;
struct uv_loop_s;

enum {
    NAME_POINTS_MIN = 2,
    NAME_POINTS_MAX = 24,
    NAME_BYTES_MAX = 24 * 4,
    PASSWORD_BYTES_MIN = 8,
    PASSWORD_BYTES_MAX = 256,
    TOKEN_BYTES = 32,
    TOKEN_TEXT = 43,          /* base64url of TOKEN_BYTES */
    TOKENS_MAX = 50,          /* of one account; the one used longest ago makes room */
    HASHES_AT_ONCE = 2,       /* argon2id takes 19 MiB each */
    HASHES_WAITING_MAX = 256, /* more sign-ins at once are RATE_LIMITED */
    BLOCKS_MAX = 500,         /* accounts that one account blocks */
    BOTS_MAX = 256,           /* accounts of bots that account.bots looks at, oldest first */
    PLAYS_MAX = 16            /* games that a bot says it plays */
};

/* What a token may do, each more than the one before. FULL: a person who signed in. */
enum scope { SCOPE_READ, SCOPE_PLAY, SCOPE_ORGANISE, SCOPE_FULL };

/* Who is signed in. account "": nobody. */
struct session {
    struct account_id account;
    struct token_id token;
    uint8_t scope;
    int64_t expires_at; /* ms since 1970; 0: never */
    char name[NAME_BYTES_MAX + 1];
};

struct accounts_config {
    struct uv_loop_s *loop;
    struct store *store;
    void *ctx;
    /* That token (NULL: all of the account's) lost its worth: connections that use it must close.
     */
    void (*revoked)(void *ctx, const struct account_id *account, const struct token_id *token);
    /* Whether a connection is signed in as that account. NULL: none ever is. */
    bool (*is_here)(void *ctx, const struct account_id *account);
};

enum err accounts_create(const struct accounts_config *config,
                         struct accounts **out_accounts) VD_CHECKED;
/* When the store has closed and no call is under way. */
void accounts_destroy(struct accounts *take_accounts);

/* How a call ends: exactly once, on the loop, at once or later. ERR_OK: json[0..n-1]
 * is the result; session is who is signed in now (for register, login, resume), else NULL. All
 * borrowed. why is never NULL. */
typedef void accounts_done_fn(void *ctx, enum err err, const struct why *why,
                              const struct session *session, const char *json, size_t n);

/* A call: who asks (session->account "" if nobody; copied), its params in normal form, borrowed
 * until done. Members are checked here. client: how the client called itself, for the list of
 * tokens. */
struct accounts_call {
    const struct session *session;
    const struct cJSON *params;
    accounts_done_fn *done;
    void *ctx;
};
typedef void accounts_method_fn(struct accounts *accounts, const struct accounts_call *call);

/* {name, password, email?, language?, timezone?}: {account, token}. CONFLICT "name_taken": that
 * name or one that looks like it. INVALID_PARAMS: against the rules of names and passwords. */
accounts_method_fn accounts_register;
/* {name, password, code?}: {account, token}. BAD_CREDENTIALS, alike for unknown name and wrong
 * password, also in the time it takes. */
accounts_method_fn accounts_login;
/* {token}: {account}. BAD_CREDENTIALS: unknown, revoked or expired. */
accounts_method_fn accounts_resume;
/* {all?}: revokes the session's token, or all of the account's. */
accounts_method_fn accounts_logout;
accounts_method_fn accounts_get;
/* Any of {email, language, timezone, notifications, presence, plays}: the account. "" takes a
 * setting back. plays: of a bot, [games] in which it takes any invitation. */
accounts_method_fn accounts_set;
accounts_method_fn accounts_tokens;
/* {token_id}. NOT_FOUND: not one of this account's. */
accounts_method_fn accounts_revoke;
/* {label, scope, expires?: ms since 1970}: {token, token_id, ...}. */
accounts_method_fn accounts_token;
/* {name}: the public profile. */
accounts_method_fn accounts_profile;
/* {}: {bots: [{name, games}]}: bots that are here and take invitations. */
accounts_method_fn accounts_bots;
/* {name, on}. */
accounts_method_fn accounts_block;
/* {commits?, action_id?}: {stock}: how many commitments to nonces wait to be dealt (FAIRNESS 3).
 * CONFLICT "nonce": one of them was given before; TOO_LARGE: too many. */
accounts_method_fn accounts_nonces;
/* {}: all that is stored about the person. */
accounts_method_fn accounts_export;
/* {password}: the account goes; its seats stay with "deleted player". */
accounts_method_fn accounts_delete;

/* Looks up a bearer token: done as in resume, json empty. From memory if it was used lately; then
 * done is called before this returns. */
void accounts_bearer(struct accounts *accounts, const char *token, accounts_done_fn *done,
                     void *ctx);

/* Calls under way (password hashing, reads and writes). */
unsigned accounts_pending(const struct accounts *accounts);

struct accounts_stats {
    uint64_t registered, signed_in, failed, hashes, hashes_waiting;
};
void accounts_get_stats(const struct accounts *accounts, struct accounts_stats *out_stats);

/* For `vedetted account VERB [NAME]`, blocking, on a database that no daemon holds: list (a line an
 * account to write), create, password, delete. password NULL where none is needed.
 * out_error: a sentence. INVALID_PARAMS: wrong usage. */
enum err accounts_admin(const char *database, const char *verb, const char *name,
                        const char *password, void (*write)(void *ctx, const char *line), void *ctx,
                        char out_error[256]) VD_CHECKED;
bool accounts_admin_needs_password(const char *verb);

#endif
