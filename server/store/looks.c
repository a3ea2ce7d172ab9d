/* server/store/looks.c: SQL of referees' looks. */
#include "server/store/looks.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/store/accounts.h"
#include "server/store/audit.h"
#include "server/store/db.h"
#include "server/store/people.h"

enum err looks_read_right(struct db *db, int64_t match, const struct account_id *account,
                          int64_t now, struct look_right *out_right)
{
    struct account_row row;
    struct people_ties ties;
    memset(out_right, 0, sizeof *out_right);
    enum err err = accounts_read_by_id(db, account, &row);
    if (err != ERR_OK) { return err == ERR_NOT_FOUND ? ERR_OK : err; }
    out_right->referee = (row.roles & ROLE_REFEREE) != 0 && row.disabled_at == 0;
    free(row.settings);
    err = people_read_ties(db, match, account, &ties);
    if (err != ERR_OK) { return err; }
    out_right->tied = ties.sits || ties.sat;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT max(until) FROM look WHERE match = ?1 AND account = ?2 "
                       "AND until > ?3");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_int(stmt, 3, now);
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    out_right->until = db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

static enum err write_audit(struct db *db, const struct look_write *look)
{
    struct buf detail;
    buf_init(&detail, 8192);
    jw_object_begin(&detail);
    jw_key_str(&detail, "match", look->id.text);
    jw_key_str(&detail, "reason", look->reason);
    jw_object_end(&detail);
    enum err err = detail.failed ? ERR_INTERNAL
                                 : audit_add(db, &look->account, "look", AUDIT_SELF,
                                             buf_str(&detail), look->at);
    buf_finish(&detail);
    return err;
}

enum err looks_write(struct db *db, void *look_write)
{
    const struct look_write *look = look_write;
    sqlite3_stmt *stmt = db_prepare(db, "INSERT OR REPLACE INTO look (match, account, at, until, "
                                        "reason) VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_int(stmt, 1, look->match);
    db_bind_text(stmt, 2, look->account.text);
    db_bind_int(stmt, 3, look->at);
    db_bind_int(stmt, 4, look->until);
    db_bind_text(stmt, 5, look->reason);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "INSERT OR IGNORE INTO sight (match, account, at) VALUES (?1, ?2, ?3)");
    db_bind_int(stmt, 1, look->match);
    db_bind_text(stmt, 2, look->account.text);
    db_bind_int(stmt, 3, look->at);
    err = db_run(db, stmt);
    return err == ERR_OK ? write_audit(db, look) : err;
}
