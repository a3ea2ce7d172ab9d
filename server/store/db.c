/* server/store/db.c: prepared statements by the address of their text, binding, stepping. */
#include "server/store/db.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "server/store/inside.h"

static void db_fail(struct db *db, const char *what)
{
    int code = sqlite3_extended_errcode(db->sqlite);
    if (!db->failed) {
        db->failed = true;
        db->code = code;
        log_event(LOG_ERROR, "store_failed", "code=%d what=%s text=\"%s\"", code, what,
                  sqlite3_errmsg(db->sqlite));
    }
}

sqlite3_stmt *db_prepare(struct db *db, const char *sql)
{
    size_t at = ((uintptr_t)sql >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 55;
    while (db->statements[at].sql != NULL) {
        if (db->statements[at].sql == sql) { return db->statements[at].stmt; }
        at = (at + 1) % DB_STATEMENTS;
    }
    assert(db->statement_count < DB_STATEMENTS * 3 / 4);
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v3(db->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (code != SQLITE_OK) {
        db_fail(db, "prepare");
        return NULL;
    }
    db->statements[at].sql = sql;
    db->statements[at].stmt = stmt;
    db->statement_count++;
    return stmt;
}

void db_bind_int(sqlite3_stmt *stmt, int at, int64_t value)
{
    if (stmt != NULL) { (void)sqlite3_bind_int64(stmt, at, value); }
}

void db_bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    db_bind_textn(stmt, at, text, text == NULL ? 0 : strlen(text));
}

void db_bind_textn(sqlite3_stmt *stmt, int at, const char *text, size_t n)
{
    if (stmt != NULL) { (void)sqlite3_bind_text64(stmt, at, text, n, SQLITE_STATIC, SQLITE_UTF8); }
}

void db_bind_blob(sqlite3_stmt *stmt, int at, const void *bytes, size_t n)
{
    if (stmt != NULL) { (void)sqlite3_bind_blob64(stmt, at, bytes, n, SQLITE_STATIC); }
}

void db_bind_null(sqlite3_stmt *stmt, int at)
{
    if (stmt != NULL) { (void)sqlite3_bind_null(stmt, at); }
}

/* Ready for the next use; values that were borrowed are let go. */
void db_end(sqlite3_stmt *stmt)
{
    if (stmt == NULL) { return; }
    (void)sqlite3_reset(stmt);
    (void)sqlite3_clear_bindings(stmt);
}

enum err db_run(struct db *db, sqlite3_stmt *stmt)
{
    if (stmt == NULL || db->failed) {
        db_end(stmt);
        return ERR_STORAGE_FAILED;
    }
    int code = sqlite3_step(stmt);
    enum err err = ERR_OK;
    if ((code & 0xFF) == SQLITE_CONSTRAINT) {
        err = ERR_CONFLICT;
    } else if (code != SQLITE_DONE && code != SQLITE_ROW) {
        db_fail(db, "step");
        err = ERR_STORAGE_FAILED;
    }
    db_end(stmt);
    return err;
}

bool db_row(struct db *db, sqlite3_stmt *stmt)
{
    if (stmt == NULL || db->failed) {
        db_end(stmt);
        return false;
    }
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW) { return true; }
    if (code != SQLITE_DONE) { db_fail(db, "row"); }
    db_end(stmt);
    return false;
}

int64_t db_changes(struct db *db)
{
    return sqlite3_changes64(db->sqlite);
}

int64_t db_last_rowid(struct db *db)
{
    return sqlite3_last_insert_rowid(db->sqlite);
}

bool db_failed(const struct db *db)
{
    return db->failed;
}

enum err db_status(const struct db *db, enum err otherwise)
{
    return db->failed ? ERR_STORAGE_FAILED : otherwise;
}

int64_t db_int(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_int64(stmt, column);
}

bool db_is_null(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

const char *db_text(sqlite3_stmt *stmt, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);
    return text == NULL ? "" : (const char *)text;
}

const void *db_blob(sqlite3_stmt *stmt, int column, size_t *out_n)
{
    const void *bytes = sqlite3_column_blob(stmt, column);
    *out_n = (size_t)sqlite3_column_bytes(stmt, column);
    return bytes;
}

char *db_text_copy(sqlite3_stmt *stmt, int column)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    return text == NULL ? NULL : strdup(text);
}

bool db_text_into(sqlite3_stmt *stmt, int column, char *out, size_t size)
{
    const char *text = (const char *)sqlite3_column_text(stmt, column);
    size_t n = (size_t)sqlite3_column_bytes(stmt, column);
    if (text == NULL || n >= size) {
        out[0] = '\0';
        return false;
    }
    memcpy(out, text, n + 1);
    return true;
}

sqlite3 *db_handle(struct db *db)
{
    return db->sqlite;
}

int db_exec(struct db *db, const char *sql)
{
    int code = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? SQLITE_OK : sqlite3_extended_errcode(db->sqlite);
}

void db_forget(struct db *db)
{
    db->failed = false;
    db->code = SQLITE_OK;
}

void db_close(struct db *db)
{
    for (unsigned i = 0; i < DB_STATEMENTS; i++) {
        (void)sqlite3_finalize(db->statements[i].stmt);
    }
    (void)sqlite3_close(db->sqlite);
    memset(db, 0, sizeof *db);
}
