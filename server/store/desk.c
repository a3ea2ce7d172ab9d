/* server/store/desk.c: SQL of notebooks and drafts. */
#include "server/store/desk.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/store/db.h"

enum err desk_read_note(struct db *db, int64_t match, const struct account_id *account,
                        char **out_text, int64_t *out_at)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT text, at FROM note WHERE match = ?1 AND account = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    *out_text = db_text_copy(stmt, 0);
    *out_at = db_int(stmt, 1);
    db_end(stmt);
    return *out_text != NULL ? ERR_OK : ERR_INTERNAL;
}

enum err desk_write_note(struct db *db, int64_t match, const struct account_id *account,
                         const char *text, int64_t at)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO note (match, account, text, at) VALUES (?1, ?2, ?3, ?4)"
                       " ON CONFLICT DO UPDATE SET text = excluded.text, at = excluded.at");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_text(stmt, 3, text);
    db_bind_int(stmt, 4, at);
    return db_run(db, stmt);
}

enum err desk_read_draft(struct db *db, int64_t match, const struct account_id *account,
                         struct desk_draft *out_draft, char **out_actions)
{
    memset(out_draft, 0, sizeof *out_draft);
    *out_actions = NULL;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT version, seq, actions FROM draft WHERE match = ?1 AND account = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    out_draft->version = db_int(stmt, 0);
    out_draft->seq = db_int(stmt, 1);
    *out_actions = db_text_copy(stmt, 2);
    out_draft->actions = *out_actions;
    db_end(stmt);
    return out_draft->actions != NULL ? ERR_OK : ERR_INTERNAL;
}

enum err desk_write_draft(struct db *db, int64_t match, const struct account_id *account,
                          const struct desk_draft *draft)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO draft (match, account, version, seq, actions) VALUES (?1, ?2, ?3, ?4, ?5)"
            " ON CONFLICT DO UPDATE SET version = excluded.version, seq = excluded.seq,"
            " actions = excluded.actions");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_int(stmt, 3, draft->version);
    db_bind_int(stmt, 4, draft->seq);
    db_bind_text(stmt, 5, draft->actions);
    return db_run(db, stmt);
}

enum err desk_spend_draft(struct db *db, int64_t match, const struct account_id *account,
                          int64_t version)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE draft SET version = version + 1, actions = '[]' "
                                        "WHERE match = ?1 AND account = ?2 AND version = ?3");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_int(stmt, 3, version);
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) != 1 ? ERR_CONFLICT : err;
}

void desk_write_notes(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT match.id, note.text, note.at FROM note JOIN match"
                       " ON match.key = note.match WHERE note.account = ?1 ORDER BY note.at");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        jw_object_begin(out);
        jw_key_str(out, "match", db_text(stmt, 0));
        jw_key_str(out, "text", db_text(stmt, 1));
        jw_key_int(out, "at", db_int(stmt, 2));
        jw_object_end(out);
    }
    jw_array_end(out);
}
