/* server/store/nonces.h: SQL of the commitments to nonces that accounts have in stock (FAIRNESS 3).
 * Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_NONCES_H
#define VEDETTE_SERVER_STORE_NONCES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"

struct buf;
struct db;

enum { NONCES_AT_ONCE = 16, NONCES_STOCK_MAX = 64 };

/* How many commitments the account has that were not dealt yet. */
enum err nonces_count(struct db *db, const struct account_id *account,
                      unsigned *out_stock) VD_CHECKED;
/* Adds them all. CONFLICT: the account has given one of them before, or twice now. TOO_LARGE: more
 * than NONCES_STOCK_MAX would be in stock. */
enum err nonces_add(struct db *db, const struct account_id *account, const struct hash *commits,
                    unsigned count, unsigned *out_stock) VD_CHECKED;

/* All commitments that the account has given, a JSON array, as a value. */
void nonces_write(struct db *db, const struct account_id *account, struct buf *out);

struct nonce_pick {
    int64_t key; /* 0: none in stock */
    struct hash commit;
};
/* One of the account's stock, to be dealt by what is written next; which one hangs on spread, so
 * that matches that begin at once seldom reach for the same. */
enum err nonces_pick(struct db *db, const struct account_id *account, int64_t spread,
                     struct nonce_pick *out_pick) VD_CHECKED;

#endif
