/* server/store/people.c: SQL of the people of a match. */
#include "server/store/people.h"

#include <string.h>

#include "server/store/db.h"

/* The first column of the only row, or 0. */
static bool is_there(struct db *db, sqlite3_stmt *stmt, int64_t match,
                     const struct account_id *account)
{
    bool found = false;
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    while (db_row(db, stmt)) {
        found = db_int(stmt, 0) != 0;
    }
    return found;
}

enum err people_read_ties(struct db *db, int64_t match, const struct account_id *account,
                          struct people_ties *out_ties)
{
    memset(out_ties, 0, sizeof *out_ties);
    if (account_is_nobody(account)) { return ERR_OK; }
    out_ties->sits = is_there(db,
                              db_prepare(db, "SELECT count(*) FROM seat WHERE match = ?1 AND"
                                             " (account = ?2 OR owner = ?2)"),
                              match, account);
    out_ties->sat = is_there(
        db, db_prepare(db, "SELECT count(*) FROM holder WHERE match = ?1 AND account = ?2"), match,
        account);
    out_ties->late = is_there(
        db,
        db_prepare(db, "SELECT (SELECT count(*) FROM sight WHERE match = ?1 AND account = ?2)"
                       " + (SELECT count(*) FROM look WHERE match = ?1 AND account = ?2)"),
        match, account);
    out_ties->shut =
        is_there(db, db_prepare(db, "SELECT count(*) FROM bar WHERE match = ?1 AND account = ?2"),
                 match, account);
    out_ties->asked = is_there(
        db, db_prepare(db, "SELECT count(*) FROM invite WHERE match = ?1 AND account = ?2"), match,
        account);
    return db_status(db, ERR_OK);
}

/* ---- a seat changes hands ---- */

static enum err write_holder(struct db *db, const struct people_seat_write *in)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO holder (match, seat, account, since, until, how)"
                       " SELECT match, seat, account, coalesce(joined_at, 0), ?4, ?5 FROM seat"
                       " WHERE match = ?1 AND seat = ?2 AND account = ?3"
                       " ON CONFLICT DO UPDATE SET how = excluded.how");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->seat);
    db_bind_text(stmt, 3, in->before.text);
    db_bind_int(stmt, 4, in->at);
    db_bind_text(stmt, 5, in->how);
    return db_run(db, stmt);
}

/* Who lent a seat that is given to somebody else loses it as well. */
static enum err write_lost_owner(struct db *db, const struct people_seat_write *in)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO holder (match, seat, account, since, until, how)"
                       " SELECT match, seat, owner, coalesce(joined_at, 0), ?3, ?4 FROM seat"
                       " WHERE match = ?1 AND seat = ?2 AND owner IS NOT NULL"
                       " ON CONFLICT DO UPDATE SET how = excluded.how");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->seat);
    db_bind_int(stmt, 3, in->at);
    db_bind_text(stmt, 4, in->how);
    return db_run(db, stmt);
}

static enum err run_one(struct db *db, sqlite3_stmt *stmt)
{
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) != 1 ? ERR_CONFLICT : err;
}

static enum err write_vacant(struct db *db, const struct people_seat_write *in)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE seat SET vacant = ?4 WHERE match = ?1 AND seat = ?2"
                                        " AND account IS ?3");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->seat);
    db_bind_text(stmt, 3, in->before.text);
    db_bind_int(stmt, 4, in->vacant ? in->at : 0);
    return run_one(db, stmt);
}

#define SIDE_NOW "(SELECT coalesce(max(n), 0) FROM message WHERE match = ?1 AND channel = 'side')"

static sqlite3_stmt *prepare_seat(struct db *db, const char *how)
{
    if (strcmp(how, "lent") == 0) {
        return db_prepare(db, "UPDATE seat SET account = ?4, owner = ?5, until = ?6, vacant = 0,"
                              " joined_at = ?7, owner_after = side_after, side_after = " SIDE_NOW
                              " WHERE match = ?1 AND seat = ?2 AND account = ?3 AND owner IS NULL");
    }
    if (strcmp(how, "back") == 0) {
        return db_prepare(db, "UPDATE seat SET account = ?4, owner = NULL, until = NULL,"
                              " vacant = 0, joined_at = ?7, side_after = owner_after"
                              " WHERE match = ?1 AND seat = ?2 AND account = ?3 AND owner = ?4"
                              " AND ?5 IS NULL AND ?6 IS NULL");
    }
    if (strcmp(how, "caretaker") == 0) {
        return db_prepare(db, "UPDATE seat SET account = ?4, owner = ?5, until = NULL, vacant = 0,"
                              " joined_at = ?7, owner_after = iif(owner IS NULL, side_after,"
                              " owner_after), side_after = " SIDE_NOW
                              " WHERE match = ?1 AND seat = ?2 AND account = ?3 AND ?6 IS NULL");
    }
    return db_prepare(db, "UPDATE seat SET account = ?4, owner = NULL, until = NULL, vacant = 0,"
                          " joined_at = ?7, side_after = " SIDE_NOW
                          " WHERE match = ?1 AND seat = ?2 AND account = ?3"
                          " AND ?5 IS NULL AND ?6 IS NULL");
}
#undef SIDE_NOW

static enum err write_seat(struct db *db, const struct people_seat_write *in)
{
    sqlite3_stmt *stmt = prepare_seat(db, in->how);
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->seat);
    db_bind_text(stmt, 3, in->before.text);
    db_bind_text(stmt, 4, in->after.text);
    db_bind_text(stmt, 5, in->owner.text[0] == '\0' ? NULL : in->owner.text);
    if (in->until != 0) {
        db_bind_int(stmt, 6, in->until);
    } else {
        db_bind_null(stmt, 6);
    }
    db_bind_int(stmt, 7, in->at);
    return run_one(db, stmt);
}

enum err people_write_seat(struct db *db, void *people_seat_write)
{
    struct people_seat_write *in = people_seat_write;
    in->knows = false;
    if (in->after.text[0] == '\0') { return write_vacant(db, in); }
    bool back = strcmp(in->how, "back") == 0;
    struct people_ties ties;
    enum err err = people_read_ties(db, in->match, &in->after, &ties);
    if (err == ERR_OK && !back && (ties.sits || ties.sat || ties.late)) {
        in->knows = true;
        return ERR_CONFLICT;
    }
    /* Who lends a seat has not lost it, nor has he for whom a caretaker keeps it. */
    bool kept = strcmp(in->how, "lent") == 0 || strcmp(in->how, "caretaker") == 0;
    bool keeps = kept && account_id_same(&in->owner, &in->before);
    if (err == ERR_OK && !kept && !back) { err = write_lost_owner(db, in); }
    if (err == ERR_OK && !keeps) { err = write_holder(db, in); }
    return err == ERR_OK ? write_seat(db, in) : err;
}

enum err people_write_over(struct db *db, int64_t match, int64_t at)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO holder (match, seat, account, since, until, how)"
                       " SELECT match, seat, account, coalesce(joined_at, 0), ?2, 'back' FROM seat"
                       " WHERE match = ?1 AND owner IS NOT NULL"
                       " ON CONFLICT DO UPDATE SET how = excluded.how");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, at);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    if (db_changes(db) > 0) {
        stmt = db_prepare(db, "UPDATE seat SET account = owner, owner = NULL, until = NULL,"
                              " side_after = owner_after WHERE match = ?1 AND owner IS NOT NULL");
        db_bind_int(stmt, 1, match);
        err = db_run(db, stmt);
        if (err != ERR_OK) { return err; }
    }
    stmt = db_prepare(db, "UPDATE seat SET vacant = 0 WHERE match = ?1 AND vacant > 0");
    db_bind_int(stmt, 1, match);
    return db_run(db, stmt);
}

enum err people_write_sight(struct db *db, void *people_sight_write)
{
    const struct people_sight_write *in = people_sight_write;
    struct people_ties ties;
    enum err err = people_read_ties(db, in->match, &in->account, &ties);
    if (err != ERR_OK || ties.late) { return err; }
    if (ties.sits || ties.sat) { return ERR_CONFLICT; }
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO sight (match, account, at) VALUES (?1, ?2, ?3)");
    db_bind_int(stmt, 1, in->match);
    db_bind_text(stmt, 2, in->account.text);
    db_bind_int(stmt, 3, in->at);
    return db_run(db, stmt);
}

/* ---- who is let in ---- */

enum err people_write_bar(struct db *db, void *people_bar_write)
{
    const struct people_bar_write *in = people_bar_write;
    sqlite3_stmt *stmt =
        in->on ? db_prepare(db, "INSERT INTO bar (match, account, at) VALUES (?1, ?2, ?3)"
                                " ON CONFLICT DO NOTHING")
               : db_prepare(db,
                            "DELETE FROM bar WHERE match = ?1 AND account = ?2 AND ?3 IS NOT NULL");
    db_bind_int(stmt, 1, in->match);
    db_bind_text(stmt, 2, in->account.text);
    db_bind_int(stmt, 3, in->at);
    return db_run(db, stmt);
}

enum err people_read_house(struct db *db, int64_t match, struct people_house *out_house)
{
    memset(out_house, 0, sizeof *out_house);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT access = 'private', talk, iif(spectators = 'delayed', delay, 0)"
                       " FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    out_house->hidden = db_int(stmt, 0) != 0;
    out_house->talk = db_int(stmt, 1) != 0;
    out_house->delay = (uint32_t)db_int(stmt, 2);
    db_end(stmt);
    return ERR_OK;
}

#define GUESTS                                                                                     \
    " FROM bar WHERE match = ?1 UNION ALL"                                                         \
    " SELECT i.account, 0 FROM invite i JOIN match m ON m.key = i.match"                           \
    " WHERE i.match = ?1 AND m.access = 'private' UNION ALL"                                       \
    " SELECT creator, 0 FROM match WHERE key = ?1 AND access = 'private' UNION ALL"                \
    " SELECT account, 2 FROM (SELECT DISTINCT account FROM holder WHERE match = ?1)"

enum err people_count_guests(struct db *db, int64_t match, size_t *out_count)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT count(*) FROM (SELECT account, 1" GUESTS ")");
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    *out_count = (size_t)db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

enum err people_read_guests(struct db *db, int64_t match, people_guest_fn *each, void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT account, 1" GUESTS);
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        struct account_id account;
        (void)db_text_into(stmt, 0, account.text, sizeof account.text);
        if (!each(ctx, &account, (int)db_int(stmt, 1))) {
            db_end(stmt);
            break;
        }
    }
    return db_status(db, ERR_OK);
}

#undef GUESTS

/* ---- loans that end ---- */

enum err people_read_lent(struct db *db, int64_t until, people_lent_fn *each, void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT m.id, s.seat, s.until FROM seat s JOIN match m ON m.key = s.match"
                       " WHERE s.until <= ?1 AND +m.state = 'running' ORDER BY s.until");
    db_bind_int(stmt, 1, until);
    while (db_row(db, stmt)) {
        struct match_id id;
        (void)db_text_into(stmt, 0, id.text, sizeof id.text);
        if (!each(ctx, &id, (unsigned)db_int(stmt, 1), db_int(stmt, 2))) {
            db_end(stmt);
            break;
        }
    }
    return db_status(db, ERR_OK);
}

enum err people_read_next_until(struct db *db, int64_t *out_until)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT min(s.until) FROM seat s JOIN match m ON m.key = s.match"
                       " WHERE s.until IS NOT NULL AND +m.state = 'running'");
    *out_until = INT64_MAX;
    while (db_row(db, stmt)) {
        if (!db_is_null(stmt, 0)) { *out_until = db_int(stmt, 0); }
    }
    return db_status(db, ERR_OK);
}

/* ---- accounts that go ---- */

unsigned people_read_departed(struct db *db, struct people_departed *out, unsigned max)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT m.id, s.seat, s.account FROM match m JOIN seat s ON s.match = m.key "
            "WHERE m.state = 'running' AND s.account IS NOT NULL AND s.vacant = 0 AND NOT EXISTS "
            "(SELECT 1 FROM account a WHERE a.id = s.account) LIMIT ?1");
    db_bind_int(stmt, 1, max);
    while (db_row(db, stmt)) {
        (void)db_text_into(stmt, 0, out[count].match.text, sizeof out[count].match.text);
        out[count].seat = (unsigned)db_int(stmt, 1);
        (void)db_text_into(stmt, 2, out[count].account.text, sizeof out[count].account.text);
        count++;
    }
    return count;
}
