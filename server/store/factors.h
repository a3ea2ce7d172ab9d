/* server/store/factors.h: SQL of what proves who somebody is beside the password: the second
 * factor, recovery codes, addresses, mailed tokens. Run within a unit or a read of store.h. */
#ifndef VEDETTE_SERVER_STORE_FACTORS_H
#define VEDETTE_SERVER_STORE_FACTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"

struct db;

enum { FACTOR_SEALED_BYTES = 60, FACTOR_ADDRESS_BYTES = 255 }; /* nonce 24, tag 16, secret 20 */

/* The second factor of an account. len 0: none, not even begun. */
struct factor {
    uint8_t sealed[FACTOR_SEALED_BYTES];
    size_t len;
    bool on;      /* confirmed: sign-ins need a code */
    int64_t step; /* of the last code taken */
};
/* NOT_FOUND: no such account. */
enum err factors_read(struct db *db, const struct account_id *id,
                      struct factor *out_factor) VD_CHECKED;
/* len 0 takes it away, with its recovery codes. */
enum err factors_set(struct db *db, const struct account_id *id,
                     const struct factor *factor) VD_CHECKED;
/* The step counts as used from now on. */
enum err factors_set_step(struct db *db, const struct account_id *id, int64_t step) VD_CHECKED;

/* In place of all that were there. */
enum err factors_set_codes(struct db *db, const struct account_id *id, const struct hash *hashes,
                           unsigned count) VD_CHECKED;
/* Uses one up. NOT_FOUND: not one of its codes, or used before. */
enum err factors_use_code(struct db *db, const struct account_id *id, const struct hash *hash,
                          int64_t at) VD_CHECKED;
unsigned factors_count_codes(struct db *db, const struct account_id *id);

/* The address of an account as it stands. */
struct address {
    int64_t confirmed_at;            /* of settings.email; 0: not confirmed */
    char next[FACTOR_ADDRESS_BYTES]; /* waits to be confirmed while the older one stands; "" */
};
enum err factors_read_address(struct db *db, const struct account_id *id,
                              struct address *out_address) VD_CHECKED;
enum err factors_set_address(struct db *db, const struct account_id *id,
                             const struct address *address) VD_CHECKED;

enum mailed_kind { MAILED_CONFIRM, MAILED_RESET };
struct mailed_token {
    struct hash hash;
    struct account_id account;
    enum mailed_kind kind;
    char address[FACTOR_ADDRESS_BYTES];
    int64_t made_at, expires_at;
};
/* Of a kind only the newest of an account is good. */
enum err factors_insert_mailed(struct db *db, const struct mailed_token *token) VD_CHECKED;
/* NOT_FOUND: no such token of that kind, or expired by now. */
enum err factors_read_mailed(struct db *db, const struct hash *hash, enum mailed_kind kind,
                             int64_t now, struct mailed_token *out_token) VD_CHECKED;
/* All of the account's of that kind are worth nothing from now on. */
enum err factors_drop_mailed(struct db *db, const struct account_id *id,
                             enum mailed_kind kind) VD_CHECKED;

#endif
