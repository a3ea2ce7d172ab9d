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
    SIGN_IN_DAYS = 180,       /* a sign-in not used for so long ends */
    CONFIRM_HOURS = 48,       /* how long a mailed token for an address is good */
    RESET_MINUTES = 60,       /* and one for a new password */
    CODE_BYTES_MAX = 32,      /* of a one-time or recovery code */
    NETWORK_PREFIX_BYTES = 8, /* of struct accounts_call */
    CLIENT_BYTES_MAX = 64,
    BOTS_MAX = 256, /* accounts of bots that account.bots looks at, oldest first */
    PLAYS_MAX = 16  /* games that a bot says it plays */
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

/* A mail to a person about the account, in the words of account.mail.* (schema/words). */
enum account_mail_kind {
    ACCOUNT_MAIL_CONFIRM,  /* token: for account.confirm */
    ACCOUNT_MAIL_RESET,    /* token: for account.reset */
    ACCOUNT_MAIL_CHANGING, /* to the old address: other is to take its place */
    ACCOUNT_MAIL_CHANGED,  /* to the old address: other took its place; "": none */
    ACCOUNT_MAIL_PASSWORD, /* the password was changed, all sign-ins ended */
    ACCOUNT_MAIL_FACTOR,   /* the second factor was switched off */
    ACCOUNT_MAIL_NETWORK,  /* a sign-in from a network not seen before */
    ACCOUNT_MAILS
};
/* All borrowed; other and token "" where there is none. */
struct account_mail {
    enum account_mail_kind kind;
    const char *address, *language, *name, *token, *other;
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
    /* Sends a mail about what is stored. NULL: this server sends none; then addresses are kept as
     * they are given, never confirmed, and account.reset is refused. */
    void (*mail)(void *ctx, const struct account_mail *mail);
    /* Looks every second for what an administrator's command did to the same file, and every hour
     * takes away what is too old, and closes tables that stood open for too long. */
    bool looks;
    /* The account is no more: it leaves its running matches. NULL: it has none. */
    void (*gone)(void *ctx, const struct account_id *account);
    /* The account may have other roles than before: what they gave is to be asked for anew. May be
     * NULL. */
    void (*role)(void *ctx, const struct account_id *account);
    /* A command takes the match away: its seats must be told. May be NULL. */
    void (*exported)(void *ctx, const struct match_id *match);
    /* Webhooks may go by http and to private addresses. */
    bool private_hosts;
};

enum err accounts_create(const struct accounts_config *config,
                         struct accounts **out_accounts) VD_CHECKED;
/* No more looks at the store by itself. Before the store closes; the loop runs once more after. */
void accounts_close(struct accounts *accounts);
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
    const char *client;                    /* NULL: it did not say */
    uint8_t network[NETWORK_PREFIX_BYTES]; /* of the caller's address: 4 or 6, then its first
                                              3 or 6 bytes; all 0: not known */
};
typedef void accounts_method_fn(struct accounts *accounts, const struct accounts_call *call);

/* {name, password, email?, language?, timezone?}: {account, token}. CONFLICT "name_taken": that
 * name or one that looks like it. INVALID_PARAMS: against the rules of names and passwords. */
accounts_method_fn accounts_register;
/* {name, password, code?}: {account, token}. BAD_CREDENTIALS, alike for unknown name and wrong
 * password, also in the time it takes. Where the password is right and the account has a second
 * factor: BAD_CREDENTIALS "code" unless code is one not yet used. FORBIDDEN "disabled". */
accounts_method_fn accounts_login;
/* {token}: {account}. BAD_CREDENTIALS: unknown, revoked or expired. */
accounts_method_fn accounts_resume;
/* {token}: {name, email}: the address that the token was mailed to is confirmed. NOT_FOUND: no such
 * token, or not any more. Without a token, signed in: {}: it is mailed again. CONFLICT "no_mail",
 * "confirmed". */
accounts_method_fn accounts_confirm;
/* {name}: {}, alike and at once whether there is such an account: a token is mailed to its
 * confirmed address. {token, password, code?}: {}: a new password; all tokens end. NOT_FOUND,
 * BAD_CREDENTIALS "code", CONFLICT "no_mail". */
accounts_method_fn accounts_reset;
/* {old, password, code?}: {}: a new password; all other tokens end. */
accounts_method_fn accounts_password;
/* {do: "begin", password}: {secret, uri}; {do: "confirm", code}: {recovery: [codes]}; {do: "codes",
 * password, code}: {recovery} anew; {do: "off", password, code}: {}. CONFLICT "totp": not in that
 * state. */
accounts_method_fn accounts_totp;
/* {before?, limit?}: {entries, next?}: what happened to the account, newest first. */
accounts_method_fn accounts_audit;
/* {all?}: revokes the session's token, or all of the account's. */
accounts_method_fn accounts_logout;
accounts_method_fn accounts_get;
/* Any of {email, language, timezone, notices, notifications, presence, plays, sleep, vacation}: the
 * account. "" takes a setting back. plays: of a bot, [games] in which it takes any invitation. */
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
/* {password, code?}: the account goes; its seats stay with "deleted player". */
accounts_method_fn accounts_delete;

/* Looks up a bearer token: done as in resume, json empty. From memory if it was used lately; then
 * done is called before this returns. */
void accounts_bearer(struct accounts *accounts, const char *token, accounts_done_fn *done,
                     void *ctx);

/* An account of the daemon's own: house "waterloo/1" names it for good, it is called name (or,
 * where somebody has that, name-2 ...) and says that it plays those games (NULL-ended, living on;
 * NULL: none). It is made where there is none; a new token of scope play takes the place of its
 * older ones. done, exactly once, on the loop: busy: it sits in a match that is not over, or is
 * asked to one. */
typedef void accounts_house_done_fn(void *ctx, enum err err, const struct account_id *account,
                                    const char *name, const char *token, bool busy);
void accounts_house(struct accounts *accounts, const char *house, const char *name,
                    const char *const *plays, accounts_house_done_fn *done, void *ctx);

/* Calls under way (password hashing, reads and writes). */
unsigned accounts_pending(const struct accounts *accounts);

struct accounts_stats {
    uint64_t registered, signed_in, failed, hashes, hashes_waiting;
};
void accounts_get_stats(const struct accounts *accounts, struct accounts_stats *out_stats);

#endif
