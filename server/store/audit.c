/* server/store/audit.c: SQL of audits, networks and notices of accounts. */
#include "server/store/audit.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/store/accounts.h"
#include "server/store/db.h"

#define DAY_MS INT64_C(86400000)

enum err audit_add(struct db *db, const struct account_id *account, const char *what,
                   const char *by, const char *detail, int64_t at)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "INSERT INTO audit (account, n, at, what, by, detail) SELECT ?1, coalesce(max(n), 0) + 1, "
        "?2, ?3, ?4, ?5 FROM audit WHERE account = ?1");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, at);
    db_bind_text(stmt, 3, what);
    db_bind_text(stmt, 4, by);
    db_bind_text(stmt, 5, detail == NULL ? "{}" : detail);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "DELETE FROM audit WHERE account = ?1 AND n <= (SELECT n FROM audit "
                          "WHERE account = ?1 ORDER BY n DESC LIMIT 1 OFFSET ?2)");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, AUDIT_ROWS_MAX);
    return db_run(db, stmt);
}

static void write_by(struct db *db, const char *by, struct buf *out)
{
    struct account_id id;
    char name[ACCOUNT_NAME_BYTES];
    if (account_id_read(by, &id)) {
        accounts_read_name(db, by, name);
        by = name;
    }
    jw_key_str(out, "by", by);
}

void audit_write(struct db *db, const struct account_id *account, int64_t before, unsigned limit,
                 struct buf *out, int64_t *out_next)
{
    unsigned count = 0;
    int64_t last = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT n, at, what, by, detail FROM audit WHERE account = ?1 "
                       "AND (?2 = 0 OR n < ?2) ORDER BY n DESC LIMIT ?3");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, before);
    db_bind_int(stmt, 3, limit);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        last = db_int(stmt, 0);
        jw_object_begin(out);
        jw_key_int(out, "n", last);
        jw_key_int(out, "at", db_int(stmt, 1));
        jw_key_str(out, "what", db_text(stmt, 2));
        write_by(db, db_text(stmt, 3), out);
        const char *detail = db_text(stmt, 4);
        if (strcmp(detail, "{}") != 0) { jw_key_raw(out, "detail", detail, strlen(detail)); }
        jw_object_end(out);
        count++;
    }
    jw_array_end(out);
    *out_next = count == limit ? last : 0;
}

void audit_each(struct db *db, const struct account_id *account,
                void (*row)(void *ctx, int64_t at, const char *what, const char *by,
                            const char *detail),
                void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT at, what, by, detail FROM audit WHERE account = ?1 ORDER BY n");
    db_bind_text(stmt, 1, account->text);
    while (db_row(db, stmt)) {
        struct account_id id;
        char name[ACCOUNT_NAME_BYTES];
        const char *by = db_text(stmt, 2);
        if (account_id_read(by, &id)) {
            accounts_read_name(db, by, name);
            by = name;
        }
        row(ctx, db_int(stmt, 0), db_text(stmt, 1), by, db_text(stmt, 3));
    }
}

static enum err run_with_time(struct db *db, sqlite3_stmt *stmt, int64_t time)
{
    db_bind_int(stmt, 1, time);
    return db_run(db, stmt);
}

enum err audit_sweep(struct db *db, int64_t now, int64_t unused_since)
{
    enum err err = run_with_time(db, db_prepare(db, "DELETE FROM audit WHERE at < ?1"),
                                 now - AUDIT_DAYS * DAY_MS);
    if (err == ERR_OK) {
        err = run_with_time(db, db_prepare(db, "DELETE FROM seen_network WHERE at < ?1"),
                            now - NETWORK_DAYS * DAY_MS);
    }
    if (err == ERR_OK) {
        err = run_with_time(db, db_prepare(db, "DELETE FROM mailed_token WHERE expires_at <= ?1"),
                            now);
    }
    if (err == ERR_OK) {
        err = run_with_time(db, db_prepare(db, "DELETE FROM token WHERE expires_at <= ?1"), now);
    }
    if (err == ERR_OK) {
        err = run_with_time(
            db, db_prepare(db, "DELETE FROM token WHERE scope = 3 AND used_at < ?1"), unused_since);
    }
    return err;
}

/* How many networks the account is known from. */
static int64_t count_networks(struct db *db, const struct account_id *account)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT count(*) FROM seen_network WHERE account = ?1");
    db_bind_text(stmt, 1, account->text);
    if (!db_row(db, stmt)) { return 0; }
    const int64_t count = db_int(stmt, 0);
    db_end(stmt);
    return count;
}

enum err audit_see_network(struct db *db, const struct account_id *account,
                           const uint8_t network[NETWORK_BYTES], int64_t at, bool *out_new)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE seen_network SET at = ?3 WHERE account = ?1 AND network = ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_blob(stmt, 2, network, NETWORK_BYTES);
    db_bind_int(stmt, 3, at);
    *out_new = false;
    enum err err = db_run(db, stmt);
    if (err != ERR_OK || db_changes(db) > 0) { return err; }
    const int64_t others = count_networks(db, account);
    if (others >= NETWORKS_MAX) {
        stmt = db_prepare(db, "DELETE FROM seen_network WHERE account = ?1 AND network = (SELECT "
                              "network FROM seen_network WHERE account = ?1 ORDER BY at LIMIT 1)");
        db_bind_text(stmt, 1, account->text);
        err = db_run(db, stmt);
        if (err != ERR_OK) { return err; }
    }
    stmt = db_prepare(db, "INSERT INTO seen_network (account, network, at) VALUES (?1, ?2, ?3)");
    db_bind_text(stmt, 1, account->text);
    db_bind_blob(stmt, 2, network, NETWORK_BYTES);
    db_bind_int(stmt, 3, at);
    *out_new = others > 0;
    return db_run(db, stmt);
}

enum err audit_leave_notice(struct db *db, const struct account_id *account, const char *what)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO account_notice (account, what) VALUES (?1, ?2)");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, what);
    return db_run(db, stmt);
}

unsigned audit_read_notices(struct db *db, struct account_notice *out, unsigned max)
{
    unsigned count = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT key, account, what FROM account_notice ORDER BY key LIMIT ?1");
    db_bind_int(stmt, 1, max);
    while (db_row(db, stmt)) {
        struct account_notice *one = &out[count++];
        one->key = db_int(stmt, 0);
        (void)db_text_into(stmt, 1, one->account.text, sizeof one->account.text);
        (void)db_text_into(stmt, 2, one->what, sizeof one->what);
    }
    return count;
}

enum err audit_take_notices(struct db *db, int64_t up_to_key)
{
    return run_with_time(db, db_prepare(db, "DELETE FROM account_notice WHERE key <= ?1"),
                         up_to_key);
}

enum err audit_each_shared(struct db *db, void (*row)(void *ctx, const struct audit_shared *shared),
                           void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "SELECT m.id, m.state, s.code, t.code, a.name, b.name, max(min(p.at, q.at)) FROM match m"
        " JOIN seat s ON s.match = m.key JOIN seat t ON t.match = m.key AND t.seat > s.seat"
        " JOIN account a ON a.id = s.account AND a.bot = 0"
        " JOIN account b ON b.id = t.account AND b.bot = 0"
        " JOIN seen_network p ON p.account = a.id"
        " JOIN seen_network q ON q.account = b.id AND q.network = p.network"
        " WHERE m.state IN ('open', 'running')"
        " GROUP BY m.key, s.seat, t.seat ORDER BY m.key DESC, s.seat, t.seat");
    while (db_row(db, stmt)) {
        const struct audit_shared shared = {.match = db_text(stmt, 0),
                                            .state = db_text(stmt, 1),
                                            .code = {db_text(stmt, 2), db_text(stmt, 3)},
                                            .name = {db_text(stmt, 4), db_text(stmt, 5)},
                                            .at = db_int(stmt, 6)};
        row(ctx, &shared);
    }
    return db_status(db, ERR_OK);
}
