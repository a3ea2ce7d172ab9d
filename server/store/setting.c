/* server/store/setting.c: values of the daemon itself: the seed of the key that signs receipts. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "server/store/inside.h"

static_assert(STORE_SEED_BYTES == crypto_sign_SEEDBYTES, "Ed25519");

static bool read_seed(struct store *store)
{
    size_t len = 0;
    sqlite3_stmt *stmt =
        db_prepare(&store->write_db, "SELECT value FROM setting WHERE name = 'receipt_seed'");
    if (!db_row(&store->write_db, stmt)) { return false; }
    const void *seed = db_blob(stmt, 0, &len);
    bool good = seed != NULL && len == sizeof store->receipt_seed;
    if (good) { memcpy(store->receipt_seed, seed, len); }
    db_end(stmt);
    return good;
}

enum err setting_load(struct store *store, char out_error[256])
{
    if (read_seed(store)) { return ERR_OK; }
    randombytes_buf(store->receipt_seed, sizeof store->receipt_seed);
    sqlite3_stmt *stmt = db_prepare(
        &store->write_db, "INSERT INTO setting (name, value) VALUES ('receipt_seed', ?1)");
    db_bind_blob(stmt, 1, store->receipt_seed, sizeof store->receipt_seed);
    enum err err = db_run(&store->write_db, stmt);
    if (err == ERR_OK) { return ERR_OK; }
    snprintf(out_error, 256, "the database is damaged: it has no good key for receipts");
    return ERR_STORAGE_FAILED;
}

const uint8_t *store_receipt_seed(const struct store *store)
{
    return store->receipt_seed;
}
