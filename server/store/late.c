/* server/store/late.c: SQL of turns. */
#include "server/store/late.h"

#include "server/store/db.h"

enum err late_write_turn(struct db *db, void *late_turn_write)
{
    const struct late_turn_write *in = late_turn_write;
    if (in == NULL) { return ERR_STORAGE_FAILED; }
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO turn (match, turn, n)"
                       " SELECT ?1, coalesce(max(turn) + 1, 0), ?2 FROM turn WHERE match = ?1");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, (int64_t)in->n);
    return db_run(db, stmt);
}

enum err late_read_line(struct db *db, int64_t match, uint32_t delay, uint64_t *out_n,
                        int64_t *out_at)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT t.n, l.at FROM turn t JOIN line l ON l.match = t.match AND l.n = t.n"
                       " WHERE t.match = ?1 ORDER BY t.turn DESC LIMIT 1 OFFSET ?2");
    int64_t at = 0;
    *out_n = 0;
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, delay);
    while (db_row(db, stmt)) {
        *out_n = (uint64_t)db_int(stmt, 0);
        at = db_int(stmt, 1);
    }
    if (out_at != NULL) { *out_at = at; }
    return db_status(db, ERR_OK);
}
