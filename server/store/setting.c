/* server/store/setting.c: values of the daemon itself: the seeds of its keys. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "server/store/inside.h"

static_assert(STORE_SEED_BYTES == crypto_sign_SEEDBYTES, "Ed25519");

static bool read_seed(struct store *store, const char *name, uint8_t out[STORE_SEED_BYTES])
{
    size_t len = 0;
    sqlite3_stmt *stmt = db_prepare(&store->write_db, "SELECT value FROM setting WHERE name = ?1");
    db_bind_text(stmt, 1, name);
    if (!db_row(&store->write_db, stmt)) { return false; }
    const void *seed = db_blob(stmt, 0, &len);
    bool good = seed != NULL && len == STORE_SEED_BYTES;
    if (good) { memcpy(out, seed, len); }
    db_end(stmt);
    return good;
}

static enum err load_seed(struct store *store, const char *name, uint8_t out[STORE_SEED_BYTES],
                          char out_error[256])
{
    if (read_seed(store, name, out)) { return ERR_OK; }
    randombytes_buf(out, STORE_SEED_BYTES);
    sqlite3_stmt *stmt =
        db_prepare(&store->write_db, "INSERT INTO setting (name, value) VALUES (?1, ?2)");
    db_bind_text(stmt, 1, name);
    db_bind_blob(stmt, 2, out, STORE_SEED_BYTES);
    enum err err = db_run(&store->write_db, stmt);
    if (err == ERR_OK) { return ERR_OK; }
    snprintf(out_error, 256, "the database is damaged: it has no good %s", name);
    return ERR_STORAGE_FAILED;
}

enum err setting_load(struct store *store, char out_error[256])
{
    enum err err = load_seed(store, "receipt_seed", store->receipt_seed, out_error);
    if (err == ERR_OK) { err = load_seed(store, "notify_seed", store->notify_seed, out_error); }
    return err;
}

const uint8_t *store_receipt_seed(const struct store *store)
{
    return store->receipt_seed;
}

const uint8_t *store_notify_seed(const struct store *store)
{
    return store->notify_seed;
}
