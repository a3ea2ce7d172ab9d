/* server/store/clocks.c: SQL of clocks. */
#include "server/store/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/log.h"
#include "server/store/db.h"

void clock_row_finish(struct clock_row *row)
{
    free(row->spec);
    free(row->told);
    free(row->shown);
    row->spec = NULL;
    row->told = NULL;
    row->shown = NULL;
}

/* The columns n, due, state, told from that one on. False: no memory, or no row of ours. */
static bool take_state(sqlite3_stmt *stmt, int from, struct clock_row *row)
{
    if (db_is_null(stmt, from)) { return true; }
    size_t n = 0;
    row->n = (uint64_t)db_int(stmt, from);
    row->due = db_int(stmt, from + 1);
    const void *bytes = db_blob(stmt, from + 2, &n);
    if (bytes == NULL || n > sizeof row->state) { return false; }
    memcpy(row->state, bytes, n);
    row->state_len = n;
    row->told = db_text_copy(stmt, from + 3);
    return row->told != NULL;
}

static enum err read_bots(struct db *db, int64_t match, uint32_t *out_bots)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT s.seat FROM seat s JOIN account a ON a.id = "
                                        "s.account WHERE s.match = ?1 AND a.bot <> 0");
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        int64_t seat = db_int(stmt, 0);
        if (seat >= 0 && seat < ROW_SEATS_MAX) { *out_bots |= UINT32_C(1) << seat; }
    }
    return db_status(db, ERR_OK);
}

enum err clocks_read(struct db *db, int64_t match, struct clock_row *out_row)
{
    memset(out_row, 0, sizeof *out_row);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT m.clock, c.n, coalesce(c.due, 0), c.state, c.told FROM match m "
                       "LEFT JOIN clock c ON c.match = m.key WHERE m.key = ?1");
    db_bind_int(stmt, 1, match);
    bool good = true;
    while (db_row(db, stmt)) {
        if (db_is_null(stmt, 0)) { continue; }
        out_row->spec = db_text_copy(stmt, 0);
        good = out_row->spec != NULL && take_state(stmt, 1, out_row) && good;
    }
    enum err err = db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
    if (err == ERR_OK && out_row->told != NULL) {
        err = clocks_read_shown(db, match, (uint64_t)INT64_MAX, &out_row->shown);
    }
    if (err == ERR_OK && out_row->spec != NULL) { err = read_bots(db, match, &out_row->bots); }
    if (err != ERR_OK) { clock_row_finish(out_row); }
    return err;
}

enum err clocks_read_shown(struct db *db, int64_t match, uint64_t n, char **out_view)
{
    *out_view = NULL;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT view FROM clock_shown WHERE match = ?1 AND n <= ?2 "
                                        "ORDER BY n DESC LIMIT 1");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)n);
    bool good = true;
    while (db_row(db, stmt)) {
        *out_view = db_text_copy(stmt, 0);
        good = *out_view != NULL;
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

enum err clocks_read_shown_at(struct db *db, int64_t match, uint64_t n, char **out_view)
{
    *out_view = NULL;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT view FROM clock_shown WHERE match = ?1 AND n = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)n);
    bool good = true;
    while (db_row(db, stmt)) {
        *out_view = db_text_copy(stmt, 0);
        good = *out_view != NULL;
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

enum err clocks_each_shown(struct db *db, int64_t match, clock_shown_fn *shown, void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT n, view FROM clock_shown WHERE match = ?1 ORDER BY n");
    db_bind_int(stmt, 1, match);
    bool go_on = true;
    while (db_row(db, stmt)) {
        go_on = go_on && shown(ctx, (uint64_t)db_int(stmt, 0), db_text(stmt, 1));
    }
    return db_status(db, ERR_OK);
}

static enum err write_shown(struct db *db, int64_t match, uint64_t n, const char *view)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO clock_shown (match, n, view) VALUES (?1, ?2, ?3)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)n);
    db_bind_text(stmt, 3, view);
    return db_run(db, stmt);
}

enum err clocks_write(struct db *db, void *clock_write)
{
    const struct clock_write *write = clock_write;
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO clock (match, n, due, state, told) VALUES (?1, ?2, ?3, ?4, ?5) "
                       "ON CONFLICT (match) DO UPDATE SET n = ?2, due = ?3, state = ?4, told = ?5");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)write->n);
    if (write->due > 0) {
        db_bind_int(stmt, 3, write->due);
    } else {
        db_bind_null(stmt, 3);
    }
    db_bind_blob(stmt, 4, write->state, write->state_len);
    db_bind_text(stmt, 5, write->told);
    enum err err = db_run(db, stmt);
    for (unsigned i = 0; err == ERR_OK && i < write->shown_count; i++) {
        err = write_shown(db, write->match, write->shown[i].n, write->shown[i].view);
    }
    return err;
}

enum err clocks_write_spec(struct db *db, int64_t match, const char *spec)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE match SET clock = ?2 WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, spec);
    return db_run(db, stmt);
}

void clock_write_free(void *clock_write)
{
    struct clock_write *write = clock_write;
    if (write == NULL) { return; }
    for (unsigned i = 0; i < write->shown_count; i++) {
        free(write->shown[i].view);
    }
    free(write->told);
    free(write);
}

static bool read_codes(struct db *db, struct clock_wake *one)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT code FROM seat WHERE match = ?1 AND seat < 3 ORDER BY seat");
    db_bind_int(stmt, 1, one->key);
    bool good = true;
    while (db_row(db, stmt)) {
        if (one->seats == ROW_SEATS_MAX) { continue; }
        good = db_text_into(stmt, 0, one->codes[one->seats++], ROW_CODE_BYTES) && good;
    }
    return good && !db_failed(db);
}

enum err clocks_each(struct db *db, clock_wake_fn *wake, void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT m.id, m.key, coalesce(m.reveal_at, 0), m.clock, c.n, coalesce(c.due, 0), "
            "c.state, c.told, m.state "
            "FROM match m LEFT JOIN clock c ON c.match = m.key "
            "WHERE (m.state = 'running' AND c.n IS NOT NULL) OR m.reveal_at IS NOT NULL");
    bool good = true;
    while (db_row(db, stmt)) {
        struct clock_row row;
        struct clock_wake one;
        memset(&row, 0, sizeof row);
        memset(&one, 0, sizeof one);
        if (!good) { continue; }
        bool named = db_text_into(stmt, 0, one.id.text, sizeof one.id.text);
        one.key = db_int(stmt, 1);
        one.reveal_at = db_int(stmt, 2);
        bool running = strcmp(db_text(stmt, 8), "running") == 0;
        /* One match that cannot be read is no reason to start none. */
        bool sound = named && read_codes(db, &one);
        if (sound && running && !db_is_null(stmt, 3)) {
            row.spec = db_text_copy(stmt, 3);
            sound = row.spec != NULL && take_state(stmt, 4, &row);
            one.row = &row;
            one.due = row.due;
        }
        if (!sound) { log_event(LOG_ERROR, "clock_row_unreadable", "match=%s", one.id.text); }
        good = !sound || wake(ctx, &one);
        clock_row_finish(&row);
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

enum err clocks_read_beat(struct db *db, int64_t *out_at)
{
    *out_at = 0;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT at FROM heartbeat");
    while (db_row(db, stmt)) {
        *out_at = db_int(stmt, 0);
    }
    return db_status(db, ERR_OK);
}

enum err clocks_write_beat(struct db *db, void *at)
{
    const int64_t *now = at;
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO heartbeat (key, at) VALUES (1, ?1) "
                                        "ON CONFLICT (key) DO UPDATE SET at = ?1");
    db_bind_int(stmt, 1, *now);
    return db_run(db, stmt);
}

enum err clocks_write_reveal(struct db *db, void *reveal_write)
{
    const struct reveal_write *write = reveal_write;
    sqlite3_stmt *stmt =
        write->running
            ? db_prepare(db, "UPDATE match SET state = 'running', ended_at = NULL, result = NULL, "
                             "revealed = 0, reveal_at = ?2 WHERE key = ?1")
            : db_prepare(db, "UPDATE match SET revealed = ?2 IS NULL, reveal_at = ?2 "
                             "WHERE key = ?1 AND state IN ('over', 'aborted')");
    db_bind_int(stmt, 1, write->match);
    if (write->reveal_at > 0) {
        db_bind_int(stmt, 2, write->reveal_at);
    } else {
        db_bind_null(stmt, 2);
    }
    return db_run(db, stmt);
}

enum err clocks_read_settings(struct db *db, const struct account_id *account, char **out_settings)
{
    enum err err = ERR_NOT_FOUND;
    *out_settings = NULL;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT settings FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, account->text);
    while (db_row(db, stmt)) {
        *out_settings = db_text_copy(stmt, 0);
        err = *out_settings == NULL ? ERR_STORAGE_FAILED : ERR_OK;
    }
    return db_status(db, err);
}

enum err clocks_each_of(struct db *db, const struct account_id *account, clock_seat_fn *match,
                        void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT m.id, s.seat FROM seat s JOIN match m ON m.key = s.match "
                       "WHERE s.account = ?1 AND m.state = 'running' AND m.clock IS NOT NULL");
    db_bind_text(stmt, 1, account->text);
    bool good = true;
    while (db_row(db, stmt)) {
        struct match_id id;
        good = good && db_text_into(stmt, 0, id.text, sizeof id.text) &&
               match(ctx, &id, (unsigned)db_int(stmt, 1));
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}
