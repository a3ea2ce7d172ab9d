/* server/store/offers.c: SQL of offers. */
#include "server/store/offers.h"

#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"

static const char *const whats[OFFER_WHATS] = {"draw",   "abort", "rewind", "pause",
                                               "resume", "time",  "reopen"};
static const char *const states[] = {"open", "carried_out", "declined", "withdrawn", "void"};

const char *offer_what_name(enum offer_what what)
{
    return whats[what];
}

const char *offer_state_name(enum offer_state state)
{
    return states[state];
}

/* The row under the statement. False: it is none of ours. */
static bool read_row(sqlite3_stmt *stmt, struct offer_row *row)
{
    memset(row, 0, sizeof *row);
    row->number = (uint64_t)db_int(stmt, 0);
    unsigned what = 0;
    while (what < OFFER_WHATS && strcmp(whats[what], db_text(stmt, 1)) != 0) {
        what++;
    }
    row->what = (enum offer_what)what;
    int64_t seat = db_int(stmt, 2);
    row->seat = (unsigned)seat;
    row->at = db_int(stmt, 3);
    row->asked = (uint32_t)db_int(stmt, 4);
    row->accepted = (uint32_t)db_int(stmt, 5);
    row->line = (uint64_t)db_int(stmt, 6);
    row->to_seat = db_is_null(stmt, 8) ? -1 : (int)db_int(stmt, 8);
    row->ms = db_int(stmt, 9);
    row->until = db_int(stmt, 10);
    if (row->to_seat >= ROW_SEATS_MAX) { return false; }
    return what < OFFER_WHATS && seat >= 0 && seat < ROW_SEATS_MAX;
}

static enum err read_next(struct db *db, int64_t match, uint64_t *out_next)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT coalesce(max(offer), 0) + 1 FROM offer WHERE match = ?1");
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return ERR_STORAGE_FAILED; }
    *out_next = (uint64_t)db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

enum err offers_read_open(struct db *db, int64_t match, offer_fn *offer, void *ctx,
                          uint64_t *out_next)
{
    enum err err = read_next(db, match, out_next);
    if (err != ERR_OK || *out_next == 1) { return err; }
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT offer, what, seat, at, asked, accepted, line, lost, to_seat, "
                       "coalesce(ms, 0), coalesce(until, 0) FROM offer "
                       "WHERE match = ?1 AND state = 'open' ORDER BY offer");
    db_bind_int(stmt, 1, match);
    while (err == ERR_OK && db_row(db, stmt)) {
        struct offer_row row;
        bool good = read_row(stmt, &row);
        if (good && !db_is_null(stmt, 7)) {
            row.lost = db_text_copy(stmt, 7);
            good = row.lost != NULL;
        }
        good = good && offer(ctx, &row);
        free(row.lost);
        if (!good) {
            db_end(stmt);
            err = ERR_STORAGE_FAILED;
        }
    }
    return db_status(db, err);
}

static enum err insert_row(struct db *db, const struct offer_write *write)
{
    const struct offer_row *row = &write->row;
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO offer (match, offer, what, seat, at, asked, accepted, line, lost, state, "
            "to_seat, ms, until) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'open', ?10, ?11, ?12)");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)row->number);
    db_bind_text(stmt, 3, whats[row->what]);
    db_bind_int(stmt, 4, row->seat);
    db_bind_int(stmt, 5, row->at);
    db_bind_int(stmt, 6, row->asked);
    db_bind_int(stmt, 7, row->accepted);
    if (row->what == OFFER_REWIND || row->what == OFFER_REOPEN) {
        db_bind_int(stmt, 8, (int64_t)row->line);
    } else {
        db_bind_null(stmt, 8);
    }
    db_bind_text(stmt, 9, row->lost);
    if (row->what == OFFER_TIME) {
        db_bind_int(stmt, 10, row->to_seat);
        db_bind_int(stmt, 11, row->ms);
    } else {
        db_bind_null(stmt, 10);
        db_bind_null(stmt, 11);
    }
    if (row->until > 0) {
        db_bind_int(stmt, 12, row->until);
    } else {
        db_bind_null(stmt, 12);
    }
    return db_run(db, stmt);
}

static enum err write_accepted(struct db *db, const struct offer_write *write)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE offer SET accepted = ?3 WHERE match = ?1 AND "
                                        "offer = ?2 AND state = 'open'");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)write->row.number);
    db_bind_int(stmt, 3, write->row.accepted);
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) != 1 ? ERR_CONFLICT : err;
}

static enum err close_one(struct db *db, const struct offer_write *write, unsigned i)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE offer SET state = ?3, closed_at = ?4, closed_by = ?5 "
                       "WHERE match = ?1 AND offer = ?2 AND state = 'open'");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)write->closes[i].number);
    db_bind_text(stmt, 3, states[write->closes[i].state]);
    db_bind_int(stmt, 4, write->at);
    if (write->closes[i].by >= 0) {
        db_bind_int(stmt, 5, write->closes[i].by);
    } else {
        db_bind_null(stmt, 5);
    }
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) != 1 ? ERR_CONFLICT : err;
}

enum err offers_write(struct db *db, void *offer_write)
{
    const struct offer_write *write = offer_write;
    enum err err = write->is_new ? insert_row(db, write) : ERR_OK;
    if (err == ERR_OK && write->accepts) { err = write_accepted(db, write); }
    for (unsigned i = 0; err == ERR_OK && i < write->close_count; i++) {
        err = close_one(db, write, i);
    }
    if (err == ERR_OK && write->action_id != NULL) {
        err = matches_write_answer(db, write->account, write->action_id, &write->params, write->at,
                                   write->answer);
    }
    return err;
}

void offer_write_free(void *offer_write)
{
    struct offer_write *write = offer_write;
    if (write == NULL) { return; }
    free(write->row.lost);
    free(write->action_id);
    free(write->answer);
    free(write);
}

enum err offers_read_host_lines(struct db *db, int64_t match, uint64_t to, match_line_fn *line,
                                void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT n, body FROM line WHERE match = ?1 AND seat = -1 AND n <= ?2 ORDER BY n");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, to > INT64_MAX ? INT64_MAX : (int64_t)to);
    while (db_row(db, stmt)) {
        size_t len = 0;
        const char *body = db_blob(stmt, 1, &len);
        enum err err =
            body == NULL ? ERR_STORAGE_FAILED : line(ctx, (uint64_t)db_int(stmt, 0), body, len, 0);
        if (err != ERR_OK) {
            db_end(stmt);
            return err;
        }
    }
    return db_status(db, ERR_OK);
}
