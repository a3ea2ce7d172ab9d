/* server/store/factors.c: SQL of second factors, addresses and mailed tokens. */
#include "server/store/factors.h"

#include <string.h>

#include "server/store/db.h"

static const char *const kinds[] = {[MAILED_CONFIRM] = "confirm", [MAILED_RESET] = "reset"};

static enum err changed_one(struct db *db, sqlite3_stmt *stmt)
{
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) == 0 ? ERR_NOT_FOUND : err;
}

enum err factors_read(struct db *db, const struct account_id *id, struct factor *out_factor)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT totp, totp_on, totp_step FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, id->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    memset(out_factor, 0, sizeof *out_factor);
    size_t n = 0;
    const void *sealed = db_blob(stmt, 0, &n);
    if (sealed != NULL && n > 0 && n <= sizeof out_factor->sealed) {
        memcpy(out_factor->sealed, sealed, n);
        out_factor->len = n;
        out_factor->on = db_int(stmt, 1) != 0;
    }
    out_factor->step = db_int(stmt, 2);
    db_end(stmt);
    return ERR_OK;
}

enum err factors_set(struct db *db, const struct account_id *id, const struct factor *factor)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE account SET totp = ?1, totp_on = ?2, totp_step = ?3 WHERE id = ?4");
    db_bind_blob(stmt, 1, factor->len == 0 ? NULL : factor->sealed, factor->len);
    db_bind_int(stmt, 2, factor->on ? 1 : 0);
    db_bind_int(stmt, 3, factor->step);
    db_bind_text(stmt, 4, id->text);
    enum err err = changed_one(db, stmt);
    return err == ERR_OK && factor->len == 0 ? factors_set_codes(db, id, NULL, 0) : err;
}

enum err factors_set_step(struct db *db, const struct account_id *id, int64_t step)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE account SET totp_step = ?1 WHERE id = ?2");
    db_bind_int(stmt, 1, step);
    db_bind_text(stmt, 2, id->text);
    return changed_one(db, stmt);
}

enum err factors_set_codes(struct db *db, const struct account_id *id, const struct hash *hashes,
                           unsigned count)
{
    sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM recovery_code WHERE account = ?1");
    db_bind_text(stmt, 1, id->text);
    enum err err = db_run(db, stmt);
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        stmt = db_prepare(db, "INSERT INTO recovery_code (hash, account) VALUES (?1, ?2)");
        db_bind_blob(stmt, 1, hashes[i].bytes, HASH_BYTES);
        db_bind_text(stmt, 2, id->text);
        err = db_run(db, stmt);
    }
    return err;
}

enum err factors_use_code(struct db *db, const struct account_id *id, const struct hash *hash,
                          int64_t at)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE recovery_code SET used_at = ?3 WHERE hash = ?1 AND "
                                        "account = ?2 AND used_at IS NULL");
    db_bind_blob(stmt, 1, hash->bytes, HASH_BYTES);
    db_bind_text(stmt, 2, id->text);
    db_bind_int(stmt, 3, at);
    return changed_one(db, stmt);
}

unsigned factors_count_codes(struct db *db, const struct account_id *id)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM recovery_code WHERE account = ?1 AND used_at IS NULL");
    db_bind_text(stmt, 1, id->text);
    if (!db_row(db, stmt)) { return 0; }
    const unsigned count = (unsigned)db_int(stmt, 0);
    db_end(stmt);
    return count;
}

enum err factors_read_address(struct db *db, const struct account_id *id,
                              struct address *out_address)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT email_confirmed_at, email_new FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, id->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    memset(out_address, 0, sizeof *out_address);
    out_address->confirmed_at = db_int(stmt, 0);
    (void)db_text_into(stmt, 1, out_address->next, sizeof out_address->next);
    db_end(stmt);
    return ERR_OK;
}

enum err factors_set_address(struct db *db, const struct account_id *id,
                             const struct address *address)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE account SET email_confirmed_at = ?1, email_new = ?2 WHERE id = ?3");
    if (address->confirmed_at != 0) {
        db_bind_int(stmt, 1, address->confirmed_at);
    } else {
        db_bind_null(stmt, 1);
    }
    db_bind_text(stmt, 2, address->next[0] == '\0' ? NULL : address->next);
    db_bind_text(stmt, 3, id->text);
    return changed_one(db, stmt);
}

enum err factors_insert_mailed(struct db *db, const struct mailed_token *token)
{
    enum err err = factors_drop_mailed(db, &token->account, token->kind);
    if (err != ERR_OK) { return err; }
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO mailed_token (hash, account, kind, address, "
                                        "made_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    db_bind_blob(stmt, 1, token->hash.bytes, HASH_BYTES);
    db_bind_text(stmt, 2, token->account.text);
    db_bind_text(stmt, 3, kinds[token->kind]);
    db_bind_text(stmt, 4, token->address);
    db_bind_int(stmt, 5, token->made_at);
    db_bind_int(stmt, 6, token->expires_at);
    return db_run(db, stmt);
}

enum err factors_read_mailed(struct db *db, const struct hash *hash, enum mailed_kind kind,
                             int64_t now, struct mailed_token *out_token)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT account, address, made_at, expires_at FROM mailed_token "
                       "WHERE hash = ?1 AND kind = ?2 AND expires_at > ?3");
    db_bind_blob(stmt, 1, hash->bytes, HASH_BYTES);
    db_bind_text(stmt, 2, kinds[kind]);
    db_bind_int(stmt, 3, now);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    memset(out_token, 0, sizeof *out_token);
    out_token->hash = *hash;
    out_token->kind = kind;
    (void)db_text_into(stmt, 0, out_token->account.text, sizeof out_token->account.text);
    (void)db_text_into(stmt, 1, out_token->address, sizeof out_token->address);
    out_token->made_at = db_int(stmt, 2);
    out_token->expires_at = db_int(stmt, 3);
    db_end(stmt);
    return ERR_OK;
}

enum err factors_drop_mailed(struct db *db, const struct account_id *id, enum mailed_kind kind)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "DELETE FROM mailed_token WHERE account = ?1 AND kind = ?2");
    db_bind_text(stmt, 1, id->text);
    db_bind_text(stmt, 2, kinds[kind]);
    return db_run(db, stmt);
}
