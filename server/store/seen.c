/* server/store/seen.c: which action ids may have an answer, in memory, so that a new one costs no
 * look-up.
 *
 * A Bloom filter with three bits an id: what it does not know was never stored; what it knows may
 * be, and the store is asked. Three million ids leave one in fifteen new ones to be looked up in
 * vain. */
#include <assert.h>
#include <string.h>

#include <sodium.h>

#include "server/store/inside.h"

enum { SEEN_LOAD_MAX = 3000000 };
static_assert((SEEN_BITS & (SEEN_BITS - 1)) == 0, "bits are taken by a mask");
static_assert(crypto_shorthash_BYTES == 8, "64 bits: 24 for each, from 0, 20 and 40 on");

static uint64_t hash_of(const struct store *store, const char *account, const char *action_id)
{
    uint8_t text[256];
    uint8_t out[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    size_t a = strnlen(account, 64) + 1; /* with its NUL between the two */
    size_t b = strnlen(action_id, sizeof text - a);
    memcpy(text, account, a);
    memcpy(text + a, action_id, b);
    (void)crypto_shorthash(out, text, a + b, store->seen_key);
    memcpy(&hash, out, sizeof hash);
    return hash;
}

static void add(struct store *store, const char *account, const char *action_id)
{
    uint64_t hash = hash_of(store, account, action_id);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t bit = hash >> (20 * i) & (SEEN_BITS - 1);
        store->seen[bit / 8] |= (uint8_t)(1U << bit % 8);
    }
}

void store_note_answer(struct store *store, const struct account_id *account, const char *action_id)
{
    add(store, account->text, action_id);
}

bool store_may_have_answer(const struct store *store, const struct account_id *account,
                           const char *action_id)
{
    uint64_t hash = hash_of(store, account->text, action_id);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t bit = hash >> (20 * i) & (SEEN_BITS - 1);
        if (((unsigned)store->seen[bit / 8] >> bit % 8 & 1U) == 0) { return false; }
    }
    return true;
}

void seen_load(struct store *store)
{
    struct db *db = &store->write_db;
    randombytes_buf(store->seen_key, sizeof store->seen_key);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT account, action_id FROM answer ORDER BY key DESC LIMIT ?1");
    db_bind_int(stmt, 1, SEEN_LOAD_MAX);
    while (db_row(db, stmt)) {
        add(store, db_text(stmt, 0), db_text(stmt, 1));
    }
}
