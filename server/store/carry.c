/* server/store/carry.c: SQL of matches that come from elsewhere. */
#include "server/store/carry.h"

#include <string.h>

#include "server/store/db.h"

enum err carry_read(struct db *db, int64_t match, struct carry_row *out_row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT title, spectators, reveal, created_at FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    bool good = db_text_into(stmt, 0, out_row->title, sizeof out_row->title);
    good = db_text_into(stmt, 1, out_row->spectators, sizeof out_row->spectators) && good;
    good = db_text_into(stmt, 2, out_row->reveal, sizeof out_row->reveal) && good;
    out_row->created_at = db_int(stmt, 3);
    db_end(stmt);
    return good ? ERR_OK : ERR_STORAGE_FAILED;
}

static enum err insert_seat(struct db *db, const struct carry_row *row, int64_t match, unsigned i)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO seat (match, seat, code, join_code, nonce_commit) "
                       "VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, i);
    db_bind_text(stmt, 3, row->codes[i]);
    db_bind_text(stmt, 4, row->join_codes[i]);
    if (row->has_commit[i]) {
        db_bind_blob(stmt, 5, row->nonce_commits[i].bytes, HASH_BYTES);
    } else {
        db_bind_null(stmt, 5);
    }
    return db_run(db, stmt);
}

enum err carry_insert(struct db *db, const struct carry_row *row, int64_t *out_key)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO match (id, game, rules, options, title, creator, access, spectators, "
            "reveal, created_at, started_at, state, secret, commitment) VALUES "
            "(?1, ?2, ?3, ?4, ?5, '', 'invite', ?6, ?7, ?8, ?9, 'running', ?10, ?11)");
    db_bind_text(stmt, 1, row->id.text);
    db_bind_text(stmt, 2, row->game);
    db_bind_int(stmt, 3, row->rules);
    db_bind_text(stmt, 4, row->options);
    db_bind_text(stmt, 5, row->title);
    /* Turns are not carried along: nobody watches late any more. */
    db_bind_text(stmt, 6, strcmp(row->spectators, "delayed") == 0 ? "none" : row->spectators);
    db_bind_text(stmt, 7, row->reveal);
    db_bind_int(stmt, 8, row->created_at);
    db_bind_int(stmt, 9, row->started_at);
    db_bind_blob(stmt, 10, row->secret.bytes, HASH_BYTES);
    db_bind_blob(stmt, 11, row->commit.bytes, HASH_BYTES);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    *out_key = db_last_rowid(db);
    for (unsigned i = 0; i < row->seats && err == ERR_OK; i++) {
        err = insert_seat(db, row, *out_key, i);
    }
    return err;
}

enum err carry_update_lines(struct db *db, const struct lines_write *write)
{
    enum err err = ERR_OK;
    for (size_t i = 0; i < write->line_count && err == ERR_OK; i++) {
        const struct line_row *line = &write->lines[i];
        sqlite3_stmt *stmt = db_prepare(
            db, "UPDATE line SET at = ?3, seat = ?4, told = ?5, sealed = ?6 WHERE match = ?1 AND "
                "n = ?2");
        db_bind_int(stmt, 1, write->match);
        db_bind_int(stmt, 2, (int64_t)line->n);
        db_bind_int(stmt, 3, line->at);
        db_bind_int(stmt, 4, line->seat);
        db_bind_int(stmt, 5, line->told);
        db_bind_int(stmt, 6, line->sealed ? 1 : 0);
        err = db_run(db, stmt);
    }
    return err;
}

enum err carry_write_restored(struct db *db, void *data)
{
    (void)data;
    enum err err =
        db_run(db, db_prepare(db, "UPDATE match SET restored = restored + 1 WHERE "
                                  "state = 'open' AND key NOT IN (SELECT match FROM tip)"));
    if (err != ERR_OK) { return err; }
    /* What a rewind would take back is another now. */
    err = db_run(db, db_prepare(db, "UPDATE offer SET state = 'void' WHERE state = 'open' AND "
                                    "what = 'rewind'"));
    if (err != ERR_OK) { return err; }
    return db_run(db, db_prepare(db, "DELETE FROM nonce_commit WHERE dealt = 0"));
}

enum err carry_ask_told(struct db *db, const struct match_id *match)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO account_notice (account, what) VALUES (?1, 'export')");
    db_bind_text(stmt, 1, match->text);
    return db_run(db, stmt);
}

bool carry_was_told(struct db *db, const struct match_id *match, uint64_t from_n)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT 1 FROM line JOIN match ON match.key = line.match WHERE match.id = ?1 AND"
            " line.n >= ?2 AND line.seat = -1 AND json_extract(line.body, '$.host') = 'look'");
    db_bind_text(stmt, 1, match->text);
    db_bind_int(stmt, 2, (int64_t)from_n);
    if (!db_row(db, stmt)) { return false; }
    db_end(stmt);
    return true;
}
