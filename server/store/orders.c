/* server/store/orders.c: SQL of standing orders and of answers that are shown later. */
#include "server/store/orders.h"

#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"

/* ---- reading ---- */

static enum err read_match(struct db *db, int64_t match, int64_t *out_pace_ms,
                           uint32_t *out_hand_overs)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT pace_ms, hand_overs FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    *out_pace_ms = db_int(stmt, 0);
    *out_hand_overs = (uint32_t)db_int(stmt, 1);
    db_end(stmt);
    return ERR_OK;
}

/* The row's text or seat was not to be had. */
static enum err leave_rows(sqlite3_stmt *stmt, struct db *db)
{
    db_end(stmt);
    return db_status(db, ERR_STORAGE_FAILED);
}

static enum err read_standing(struct db *db, int64_t match, const struct orders_reader *reader)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seat, version, at, orders FROM standing WHERE match = ?1");
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        struct standing_row row = {.seat = (unsigned)db_int(stmt, 0),
                                   .version = db_int(stmt, 1),
                                   .at = db_int(stmt, 2),
                                   .orders = db_text_copy(stmt, 3)};
        bool good = row.orders != NULL && row.seat < ROW_SEATS_MAX;
        good = good && reader->standing(reader->ctx, &row);
        free(row.orders);
        if (!good) { return leave_rows(stmt, db); }
    }
    return db_status(db, ERR_OK);
}

static enum err read_asked(struct db *db, int64_t match, const struct orders_reader *reader)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seat, what, at, by_hand FROM asked WHERE match = ?1");
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        unsigned seat = (unsigned)db_int(stmt, 0);
        const struct asked_row row = {.what = (uint64_t)db_int(stmt, 1),
                                      .at = db_int(stmt, 2),
                                      .by_hand = db_int(stmt, 3) != 0};
        if (seat >= ROW_SEATS_MAX || !reader->asked(reader->ctx, seat, &row)) {
            return leave_rows(stmt, db);
        }
    }
    return db_status(db, ERR_OK);
}

static enum err read_held(struct db *db, int64_t match, const struct orders_reader *reader)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT number, seat, at, due, version, entry, action FROM "
                                        "held WHERE match = ?1 ORDER BY number");
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        struct held_row row = {.number = (uint64_t)db_int(stmt, 0),
                               .seat = (unsigned)db_int(stmt, 1),
                               .at = db_int(stmt, 2),
                               .due = db_int(stmt, 3),
                               .version = db_int(stmt, 4),
                               .entry = (unsigned)db_int(stmt, 5),
                               .action = db_text_copy(stmt, 6)};
        bool good = row.action != NULL && row.seat < ROW_SEATS_MAX;
        good = good && reader->held(reader->ctx, &row);
        free(row.action);
        if (!good) { return leave_rows(stmt, db); }
    }
    return db_status(db, ERR_OK);
}

enum err orders_read(struct db *db, int64_t match, const struct orders_reader *reader,
                     int64_t *out_pace_ms, uint32_t *out_hand_overs)
{
    enum err err = read_match(db, match, out_pace_ms, out_hand_overs);
    if (err == ERR_OK) { err = read_standing(db, match, reader); }
    if (err == ERR_OK) { err = read_asked(db, match, reader); }
    return err == ERR_OK ? read_held(db, match, reader) : err;
}

enum err orders_read_fired(struct db *db, int64_t match, unsigned seat, unsigned limit,
                           fired_fn *fired, void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT n, seq, version, entry FROM fired WHERE match = ?1 "
                                        "AND seat = ?2 ORDER BY n DESC LIMIT ?3");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    db_bind_int(stmt, 3, limit);
    while (db_row(db, stmt)) {
        const struct fired_row row = {.n = (uint64_t)db_int(stmt, 0),
                                      .seq = (uint64_t)db_int(stmt, 1),
                                      .seat = seat,
                                      .version = db_int(stmt, 2),
                                      .entry = (unsigned)db_int(stmt, 3)};
        if (!fired(ctx, &row)) {
            db_end(stmt);
            break;
        }
    }
    return db_status(db, ERR_OK);
}

enum err orders_read_due(struct db *db, held_due_fn *due, void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT m.id, min(h.due) FROM held h JOIN match m ON m.key = h.match "
                       "WHERE m.state = 'running' GROUP BY h.match");
    while (db_row(db, stmt)) {
        struct match_id id;
        if (!match_id_read(db_text(stmt, 0), &id) || !due(ctx, &id, db_int(stmt, 1))) {
            return leave_rows(stmt, db);
        }
    }
    return db_status(db, ERR_OK);
}

/* ---- writing ---- */

static enum err write_standing(struct db *db, int64_t match, const struct standing_row *row)
{
    if (row->orders == NULL || row->orders[0] == '\0') {
        sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM standing WHERE match = ?1 AND seat = ?2");
        db_bind_int(stmt, 1, match);
        db_bind_int(stmt, 2, row->seat);
        enum err err = db_run(db, stmt);
        if (err != ERR_OK) { return err; }
        stmt = db_prepare(db, "DELETE FROM fired WHERE match = ?1 AND seat = ?2");
        db_bind_int(stmt, 1, match);
        db_bind_int(stmt, 2, row->seat);
        return db_run(db, stmt);
    }
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT OR REPLACE INTO standing (match, seat, version, at, "
                       "orders) VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, row->seat);
    db_bind_int(stmt, 3, row->version);
    db_bind_int(stmt, 4, row->at);
    db_bind_text(stmt, 5, row->orders);
    return db_run(db, stmt);
}

static enum err write_asked(struct db *db, int64_t match, unsigned seat,
                            const struct asked_row *row)
{
    if (row->what == 0) {
        sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM asked WHERE match = ?1 AND seat = ?2");
        db_bind_int(stmt, 1, match);
        db_bind_int(stmt, 2, seat);
        return db_run(db, stmt);
    }
    sqlite3_stmt *stmt = db_prepare(db, "INSERT OR REPLACE INTO asked (match, seat, what, at, "
                                        "by_hand) VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    db_bind_int(stmt, 3, (int64_t)row->what);
    db_bind_int(stmt, 4, row->at);
    db_bind_int(stmt, 5, row->by_hand ? 1 : 0);
    return db_run(db, stmt);
}

static enum err clear_held(struct db *db, int64_t match)
{
    sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM held WHERE match = ?1");
    db_bind_int(stmt, 1, match);
    return db_run(db, stmt);
}

static enum err write_held(struct db *db, int64_t match, const struct held_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO held (match, number, seat, at, due, version, entry, action) "
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)row->number);
    db_bind_int(stmt, 3, row->seat);
    db_bind_int(stmt, 4, row->at);
    db_bind_int(stmt, 5, row->due);
    db_bind_int(stmt, 6, row->version);
    db_bind_int(stmt, 7, row->entry);
    db_bind_text(stmt, 8, row->action);
    return db_run(db, stmt);
}

static enum err write_fired(struct db *db, int64_t match, const struct fired_row *row)
{
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO fired (match, n, seat, seq, version, entry) "
                                        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)row->n);
    db_bind_int(stmt, 3, row->seat);
    db_bind_int(stmt, 4, (int64_t)row->seq);
    db_bind_int(stmt, 5, row->version);
    db_bind_int(stmt, 6, row->entry);
    return db_run(db, stmt);
}

static enum err count_hand_over(struct db *db, int64_t match)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE match SET hand_overs = hand_overs + 1 WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    return db_run(db, stmt);
}

static enum err write_carried(struct db *db, const struct orders_write *write)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE match SET pace_ms = ?2, hand_overs = ?3 WHERE key = ?1");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, write->pace_ms);
    db_bind_int(stmt, 3, write->hand_overs);
    return db_run(db, stmt);
}

enum err orders_write_run(struct db *db, void *orders_write)
{
    const struct orders_write *write = orders_write;
    enum err err = ERR_OK;
    for (size_t i = 0; err == ERR_OK && i < write->standing_count; i++) {
        err = write_standing(db, write->match, &write->standing[i]);
    }
    for (unsigned seat = 0; err == ERR_OK && seat < ROW_SEATS_MAX; seat++) {
        if ((write->asked_changed >> seat & 1U) == 0) { continue; }
        err = write_asked(db, write->match, seat, &write->asked[seat]);
    }
    if (err == ERR_OK && write->held_cleared) { err = clear_held(db, write->match); }
    for (size_t i = 0; err == ERR_OK && i < write->held_count; i++) {
        err = write_held(db, write->match, &write->held[i]);
    }
    for (size_t i = 0; err == ERR_OK && i < write->fired_count; i++) {
        err = write_fired(db, write->match, &write->fired[i]);
    }
    if (err == ERR_OK && write->hands_over) { err = count_hand_over(db, write->match); }
    if (err == ERR_OK && write->carries) { err = write_carried(db, write); }
    if (err == ERR_OK && write->action_id != NULL) {
        err = matches_write_answer(db, write->account, write->action_id, &write->params, write->at,
                                   write->answer);
    }
    return err;
}

void orders_write_free(void *orders_write)
{
    struct orders_write *write = orders_write;
    if (write == NULL) { return; }
    for (size_t i = 0; i < write->standing_count; i++) {
        free(write->standing[i].orders);
    }
    for (size_t i = 0; i < write->held_count; i++) {
        free(write->held[i].action);
    }
    free(write->held);
    free(write->fired);
    free(write->action_id);
    free(write->answer);
    free(write);
}
