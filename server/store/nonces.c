/* server/store/nonces.c: SQL of stocks of nonces. */
#include "server/store/nonces.h"

#include <string.h>

#include "common/base/jsonw.h"
#include "server/store/db.h"

enum err nonces_count(struct db *db, const struct account_id *account, unsigned *out_stock)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM nonce_commit WHERE account = ?1 AND dealt = 0");
    db_bind_text(stmt, 1, account->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    *out_stock = (unsigned)db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

enum err nonces_add(struct db *db, const struct account_id *account, const struct hash *commits,
                    unsigned count, unsigned *out_stock)
{
    unsigned stock = 0;
    enum err err = nonces_count(db, account, &stock);
    if (err == ERR_OK && stock + count > NONCES_STOCK_MAX) { err = ERR_TOO_LARGE; }
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        sqlite3_stmt *stmt =
            db_prepare(db, "INSERT INTO nonce_commit (account, commitment) VALUES (?1, ?2)");
        db_bind_text(stmt, 1, account->text);
        db_bind_blob(stmt, 2, commits[i].bytes, HASH_BYTES);
        err = db_run(db, stmt);
    }
    if (err == ERR_OK) { *out_stock = stock + count; }
    return err;
}

void nonces_write(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT commitment FROM nonce_commit WHERE account = ?1 ORDER BY key");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        size_t n = 0;
        const void *bytes = db_blob(stmt, 0, &n);
        if (bytes != NULL) { jw_b64(out, bytes, n); }
    }
    jw_array_end(out);
}

enum err nonces_pick(struct db *db, const struct account_id *account, int64_t spread,
                     struct nonce_pick *out_pick)
{
    unsigned stock = 0;
    memset(out_pick, 0, sizeof *out_pick);
    enum err err = nonces_count(db, account, &stock);
    if (err != ERR_OK || stock == 0) { return err; }
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT key, commitment FROM nonce_commit WHERE account = ?1 AND dealt = 0 "
                       "ORDER BY key LIMIT 1 OFFSET ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, (int64_t)((uint64_t)spread % stock));
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    size_t n = 0;
    const void *bytes = db_blob(stmt, 1, &n);
    if (bytes != NULL && n == HASH_BYTES) {
        out_pick->key = db_int(stmt, 0);
        memcpy(out_pick->commit.bytes, bytes, HASH_BYTES);
    }
    db_end(stmt);
    return out_pick->key != 0 ? ERR_OK : ERR_STORAGE_FAILED;
}
