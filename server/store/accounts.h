/* server/store/accounts.h: SQL of accounts, tokens and blocks. Run within a unit or a read of
 * store.h. */
#ifndef VEDETTE_SERVER_STORE_ACCOUNTS_H
#define VEDETTE_SERVER_STORE_ACCOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"

struct buf;
struct db;

enum {
    ACCOUNT_NAME_BYTES = 97,
    ACCOUNT_PASSWORD_BYTES = 128,
    TOKEN_LABEL_BYTES = 65,
    TOKEN_CLIENT_BYTES = 65,
    ACCOUNT_HOUSE_BYTES = 24,
    HOUSE_MATCHES_MAX = 60 /* that a bot of the daemon plays at once: it watches 64 */
};

enum account_role { ROLE_ADMIN = 1, ROLE_REFEREE = 2, ROLE_ORGANISER = 4 };

struct account_row {
    struct account_id id;
    char name[ACCOUNT_NAME_BYTES], password[ACCOUNT_PASSWORD_BYTES];
    bool bot;
    char house[ACCOUNT_HOUSE_BYTES]; /* "waterloo/1": the daemon made it and plays with it; "" */
    uint8_t roles;                   /* enum account_role, a bit each */
    int64_t disabled_at;             /* 0: it is not */
    int64_t created_at;
    char *settings; /* malloc'ed, the caller's; NULL: none */
};

struct token_row {
    struct token_id id;
    struct hash hash;
    struct account_id account;
    uint8_t scope;
    char label[TOKEN_LABEL_BYTES];
    char client[TOKEN_CLIENT_BYTES];         /* what the client called itself; "" */
    int64_t created_at, used_at, expires_at; /* expires_at 0: never */
};

/* All: NOT_FOUND when there is none; STORAGE_FAILED. */
enum err accounts_read_by_folded(struct db *db, const char *folded,
                                 struct account_row *out_row) VD_CHECKED;
enum err accounts_read_by_id(struct db *db, const struct account_id *id,
                             struct account_row *out_row) VD_CHECKED;
enum err accounts_read_token(struct db *db, const struct hash *hash,
                             struct token_row *out_row) VD_CHECKED;
/* The name to show of an account; "deleted player" when it is no more. */
void accounts_read_name(struct db *db, const char *account_id, char out[ACCOUNT_NAME_BYTES]);
/* Whether account has blocked the other. */
bool accounts_have_blocked(struct db *db, const char *account_id, const char *other_id);

/* Whether anybody who made the match (its key), sits in it or has lent a seat there has blocked the
 * account. */
bool accounts_are_barred(struct db *db, int64_t match, const char *account_id);

/* CONFLICT: the name is taken, or one that looks like it. */
enum err accounts_insert(struct db *db, const struct account_row *row, const char *folded,
                         const char *skeleton) VD_CHECKED;
enum err accounts_update_settings(struct db *db, const struct account_id *id,
                                  const char *settings) VD_CHECKED;
enum err accounts_update_password(struct db *db, const struct account_id *id,
                                  const char *password) VD_CHECKED;
/* disabled_at 0: it may sign in again. */
enum err accounts_set_disabled(struct db *db, const struct account_id *id,
                               int64_t disabled_at) VD_CHECKED;
enum err accounts_set_roles(struct db *db, const struct account_id *id, uint8_t roles) VD_CHECKED;
/* CONFLICT: the name is taken, or one that looks like it. */
enum err accounts_rename(struct db *db, const struct account_id *id, const char *name,
                         const char *folded, const char *skeleton) VD_CHECKED;
/* Goes with its tokens and blocks, the text of its messages, and its answers. */
enum err accounts_delete_row(struct db *db, const struct account_id *id) VD_CHECKED;
/* A place of an account in a match that is open. */
struct account_place {
    int64_t match;
    int seat;             /* -1: it only made the match */
    bool creator, others; /* others: somebody else sits in it */
    char access[16];
};
/* All of them up to max; returns how many. */
unsigned accounts_read_places(struct db *db, const struct account_id *id,
                              struct account_place *out_places, unsigned max);
/* Inserts a token; over max tokens the one used longest ago goes: out_gone ("" if none). */
enum err accounts_insert_token(struct db *db, const struct token_row *row, unsigned max,
                               struct token_id *out_gone) VD_CHECKED;
/* All tokens of the account but that one (NULL: all). out_gone: up to max of them. */
enum err accounts_delete_other_tokens(struct db *db, const struct account_id *account,
                                      const struct token_id *keep, struct token_id *out_gone,
                                      unsigned max, unsigned *out_count) VD_CHECKED;
/* NOT_FOUND: not a token of that account. id NULL: all of them, found or not. */
enum err accounts_delete_token(struct db *db, const struct account_id *account,
                               const struct token_id *id) VD_CHECKED;
enum err accounts_touch_token(struct db *db, const struct token_id *id, int64_t at) VD_CHECKED;
enum err accounts_set_block(struct db *db, const struct account_id *account,
                            const struct account_id *other, bool on, unsigned max,
                            int64_t at) VD_CHECKED;

/* Bots, oldest first, up to max, with their settings (malloc'ed, the caller's). Returns how many.
 */
unsigned accounts_read_bots(struct db *db, struct account_row *out_rows, unsigned max);

/* The account that the daemon made as that. NOT_FOUND. */
enum err accounts_read_house(struct db *db, const char *house,
                             struct account_row *out_row) VD_CHECKED;
/* Of the daemon's accounts with that policy ("waterloo") the one to sit in the match (its key): it
 * has no seat there, nor ever had one, and of these the least to do, less than
 * HOUSE_MATCHES_MAX. NOT_FOUND: none. */
enum err accounts_pick_house(struct db *db, const char *policy, int64_t match,
                             struct account_id *out_id) VD_CHECKED;
/* Whether the account sits in a match that is open or running, or is asked to one. */
bool accounts_is_busy(struct db *db, const struct account_id *id);
/* JSON arrays, as values. */
void accounts_write_tokens(struct db *db, const struct account_id *account,
                           const struct token_id *current, struct buf *out);
void accounts_write_blocks(struct db *db, const struct account_id *account, struct buf *out);
void accounts_write_seats(struct db *db, const struct account_id *account, struct buf *out);
void accounts_write_messages(struct db *db, const struct account_id *account, struct buf *out);
/* Matches of the account that are over. */
int64_t accounts_count_finished(struct db *db, const struct account_id *account);
/* One line an account by name: name, id, made at, bot or person. */
void accounts_each(struct db *db, void (*row)(void *ctx, const struct account_row *row), void *ctx);

#endif
