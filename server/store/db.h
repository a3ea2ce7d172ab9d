/* server/store/db.h: one connection with its prepared statements, for the typed SQL files of this
 * folder. */
#ifndef VEDETTE_SERVER_STORE_DB_H
#define VEDETTE_SERVER_STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "common/base/err.h"

struct db;

/* The statement of that text, ready to bind: prepared once per connection and found again by the
 * text's address, so sql must be a string literal. Never NULL to the caller's harm: if it cannot be
 * prepared, that is logged, db_failed is set, and binding and stepping do nothing. */
sqlite3_stmt *db_prepare(struct db *db, const char *sql);

/* Parameters count from 1. Texts and blobs are borrowed until the statement has run. NULL text or
 * blob binds SQL NULL. */
void db_bind_int(sqlite3_stmt *stmt, int at, int64_t value);
void db_bind_text(sqlite3_stmt *stmt, int at, const char *text);
void db_bind_textn(sqlite3_stmt *stmt, int at, const char *text, size_t n);
void db_bind_blob(sqlite3_stmt *stmt, int at, const void *bytes, size_t n);
void db_bind_null(sqlite3_stmt *stmt, int at);

/* Runs a statement that gives no rows, and resets it. CONFLICT: a constraint forbids it (unique,
 * foreign key, check). STORAGE_FAILED: anything else; it sticks (db_failed). */
enum err db_run(struct db *db, sqlite3_stmt *stmt) VD_CHECKED;
/* Steps to the next row. False: no more rows, or it failed (db_failed); the statement is reset. To
 * leave a loop early call db_end. */
bool db_row(struct db *db, sqlite3_stmt *stmt);
void db_end(sqlite3_stmt *stmt);
/* Rows changed by the last db_run. */
int64_t db_changes(struct db *db);
int64_t db_last_rowid(struct db *db);
/* True when something failed since the operation began; then it must return STORAGE_FAILED (the
 * engine sees to it as well). */
bool db_failed(const struct db *db);
/* ERR_STORAGE_FAILED when db_failed, else otherwise. */
enum err db_status(const struct db *db, enum err otherwise);

/* Columns count from 0. Text and blob are borrowed until the next step. */
int64_t db_int(sqlite3_stmt *stmt, int column);
bool db_is_null(sqlite3_stmt *stmt, int column);
/* "" for NULL. */
const char *db_text(sqlite3_stmt *stmt, int column);
/* Bytes of a text or blob; out_n its length; NULL if none. */
const void *db_blob(sqlite3_stmt *stmt, int column, size_t *out_n);
/* A malloc'ed copy of the text, NULL when it is NULL or memory ran out. */
char *db_text_copy(sqlite3_stmt *stmt, int column);
/* Copies a text into out[size]. False: longer, or NULL; then out is "". */
bool db_text_into(sqlite3_stmt *stmt, int column, char *out, size_t size);

/* The connection itself, for what the above does not cover. */
sqlite3 *db_handle(struct db *db);

#endif
