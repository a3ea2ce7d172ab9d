/* server/store/accounts.c: SQL of accounts. */
#include "server/store/accounts.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/store/db.h"
#include "server/store/person.h"

#define ACCOUNT_COLUMNS "id, name, password, bot, created_at, settings, house, roles, disabled_at"

static void copy_row(sqlite3_stmt *stmt, struct account_row *out)
{
    memset(out, 0, sizeof *out);
    (void)db_text_into(stmt, 0, out->id.text, sizeof out->id.text);
    (void)db_text_into(stmt, 1, out->name, sizeof out->name);
    (void)db_text_into(stmt, 2, out->password, sizeof out->password);
    out->bot = db_int(stmt, 3) != 0;
    out->created_at = db_int(stmt, 4);
    out->settings = db_text_copy(stmt, 5);
    (void)db_text_into(stmt, 6, out->house, sizeof out->house);
    out->roles = (uint8_t)db_int(stmt, 7);
    out->disabled_at = db_int(stmt, 8);
}

static enum err read_one(struct db *db, sqlite3_stmt *stmt, struct account_row *out_row)
{
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    copy_row(stmt, out_row);
    db_end(stmt);
    return ERR_OK;
}

enum err accounts_read_by_folded(struct db *db, const char *folded, struct account_row *out_row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE folded = ?1");
    db_bind_text(stmt, 1, folded);
    return read_one(db, stmt, out_row);
}

enum err accounts_read_by_id(struct db *db, const struct account_id *id,
                             struct account_row *out_row)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, id->text);
    return read_one(db, stmt, out_row);
}

enum err accounts_read_token(struct db *db, const struct hash *hash, struct token_row *out_row)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT id, account, scope, label, created_at, used_at, expires_at, client FROM token "
            "WHERE hash = ?1");
    db_bind_blob(stmt, 1, hash->bytes, HASH_BYTES);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    memset(out_row, 0, sizeof *out_row);
    out_row->hash = *hash;
    (void)db_text_into(stmt, 0, out_row->id.text, sizeof out_row->id.text);
    (void)db_text_into(stmt, 1, out_row->account.text, sizeof out_row->account.text);
    out_row->scope = (uint8_t)db_int(stmt, 2);
    (void)db_text_into(stmt, 3, out_row->label, sizeof out_row->label);
    out_row->created_at = db_int(stmt, 4);
    out_row->used_at = db_int(stmt, 5);
    out_row->expires_at = db_int(stmt, 6);
    (void)db_text_into(stmt, 7, out_row->client, sizeof out_row->client);
    db_end(stmt);
    return ERR_OK;
}

unsigned accounts_read_bots(struct db *db, struct account_row *out_rows, unsigned max)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT " ACCOUNT_COLUMNS
                                        " FROM account WHERE bot = 1 ORDER BY key LIMIT ?1");
    db_bind_int(stmt, 1, max);
    while (db_row(db, stmt)) {
        copy_row(stmt, &out_rows[count++]);
    }
    return count;
}

enum err accounts_read_house(struct db *db, const char *house, struct account_row *out_row)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT " ACCOUNT_COLUMNS " FROM account WHERE house = ?1");
    db_bind_text(stmt, 1, house);
    return read_one(db, stmt, out_row);
}

enum err accounts_pick_house(struct db *db, const char *policy, int64_t match,
                             struct account_id *out_id)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT a.id FROM account a WHERE a.house GLOB ?1 || '/*' AND a.disabled_at IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM seat s WHERE s.match = ?2 AND (s.account = a.id "
            "OR s.owner = a.id)) "
            "AND NOT EXISTS (SELECT 1 FROM holder h WHERE h.match = ?2 AND h.account = a.id) "
            "ORDER BY (SELECT count(*) FROM seat s JOIN match m ON m.key = s.match "
            "WHERE s.account = a.id AND m.state IN ('open', 'running')), a.house LIMIT 1");
    db_bind_text(stmt, 1, policy);
    db_bind_int(stmt, 2, match);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    (void)db_text_into(stmt, 0, out_id->text, sizeof out_id->text);
    db_end(stmt);
    return ERR_OK;
}

bool accounts_is_busy(struct db *db, const struct account_id *id)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT 1 FROM seat s JOIN match m ON m.key = s.match WHERE s.account = ?1 "
            "AND m.state IN ('open', 'running') UNION ALL "
            "SELECT 1 FROM invite i JOIN match m ON m.key = i.match WHERE i.account = ?1 "
            "AND m.state = 'open' LIMIT 1");
    db_bind_text(stmt, 1, id->text);
    const bool busy = db_row(db, stmt);
    if (busy) { db_end(stmt); }
    return busy;
}

void accounts_read_name(struct db *db, const char *account_id, char out[ACCOUNT_NAME_BYTES])
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT name FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, account_id);
    memcpy(out, "deleted player", sizeof "deleted player");
    if (!db_row(db, stmt)) { return; }
    (void)db_text_into(stmt, 0, out, ACCOUNT_NAME_BYTES);
    db_end(stmt);
}

bool accounts_have_blocked(struct db *db, const char *account_id, const char *other_id)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT 1 FROM block WHERE account = ?1 AND blocked = ?2");
    db_bind_text(stmt, 1, account_id);
    db_bind_text(stmt, 2, other_id);
    bool blocked = db_row(db, stmt);
    if (blocked) { db_end(stmt); }
    return blocked;
}

bool accounts_are_barred(struct db *db, int64_t match, const char *account_id)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT 1 FROM block b WHERE b.blocked = ?2 AND (b.account = (SELECT creator FROM match "
            "WHERE key = ?1) OR EXISTS (SELECT 1 FROM seat s WHERE s.match = ?1 AND "
            "(s.account = b.account OR s.owner = b.account))) LIMIT 1");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account_id);
    bool barred = db_row(db, stmt);
    if (barred) { db_end(stmt); }
    return barred;
}

enum err accounts_insert(struct db *db, const struct account_row *row, const char *folded,
                         const char *skeleton)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO account (id, name, skeleton, password, bot, created_at, settings, "
            "folded, house) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    db_bind_text(stmt, 1, row->id.text);
    db_bind_text(stmt, 2, row->name);
    db_bind_text(stmt, 3, skeleton);
    db_bind_text(stmt, 4, row->password);
    db_bind_int(stmt, 5, row->bot ? 1 : 0);
    db_bind_int(stmt, 6, row->created_at);
    db_bind_text(stmt, 7, row->settings == NULL ? "{}" : row->settings);
    db_bind_text(stmt, 8, folded);
    db_bind_text(stmt, 9, row->house[0] == '\0' ? NULL : row->house);
    return db_run(db, stmt);
}

static enum err update_text(struct db *db, sqlite3_stmt *stmt, const struct account_id *id,
                            const char *text)
{
    db_bind_text(stmt, 1, text);
    db_bind_text(stmt, 2, id->text);
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) == 0 ? ERR_NOT_FOUND : err;
}

enum err accounts_update_settings(struct db *db, const struct account_id *id, const char *settings)
{
    return update_text(db, db_prepare(db, "UPDATE account SET settings = ?1 WHERE id = ?2"), id,
                       settings);
}

enum err accounts_update_password(struct db *db, const struct account_id *id, const char *password)
{
    return update_text(db, db_prepare(db, "UPDATE account SET password = ?1 WHERE id = ?2"), id,
                       password);
}

static enum err changed_one(struct db *db, sqlite3_stmt *stmt)
{
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) == 0 ? ERR_NOT_FOUND : err;
}

enum err accounts_set_disabled(struct db *db, const struct account_id *id, int64_t disabled_at)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE account SET disabled_at = ?1 WHERE id = ?2");
    if (disabled_at != 0) {
        db_bind_int(stmt, 1, disabled_at);
    } else {
        db_bind_null(stmt, 1);
    }
    db_bind_text(stmt, 2, id->text);
    return changed_one(db, stmt);
}

enum err accounts_set_roles(struct db *db, const struct account_id *id, uint8_t roles)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE account SET roles = ?1 WHERE id = ?2");
    db_bind_int(stmt, 1, roles);
    db_bind_text(stmt, 2, id->text);
    return changed_one(db, stmt);
}

enum err accounts_rename(struct db *db, const struct account_id *id, const char *name,
                         const char *folded, const char *skeleton)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE account SET name = ?1, folded = ?2, skeleton = ?3 WHERE id = ?4");
    db_bind_text(stmt, 1, name);
    db_bind_text(stmt, 2, folded);
    db_bind_text(stmt, 3, skeleton);
    db_bind_text(stmt, 4, id->text);
    return changed_one(db, stmt);
}

static enum err run_with_id(struct db *db, sqlite3_stmt *stmt, const struct account_id *id)
{
    db_bind_text(stmt, 1, id->text);
    return db_run(db, stmt);
}

enum err accounts_delete_row(struct db *db, const struct account_id *id)
{
    enum err err = run_with_id(db, db_prepare(db, "DELETE FROM account WHERE id = ?1"), id);
    if (err == ERR_OK && db_changes(db) == 0) { return ERR_NOT_FOUND; }
    return err == ERR_OK ? person_erase(db, id) : err;
}

unsigned accounts_read_places(struct db *db, const struct account_id *id,
                              struct account_place *out_places, unsigned max)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT m.key, m.access, m.creator = ?1, "
            "(SELECT s.seat FROM seat s WHERE s.match = m.key AND s.account = ?1), "
            "EXISTS (SELECT 1 FROM seat s WHERE s.match = m.key AND s.account <> ?1) FROM match m "
            "WHERE m.state = 'open' AND (m.creator = ?1 OR m.key IN "
            "(SELECT match FROM seat WHERE account = ?1)) LIMIT ?2");
    db_bind_text(stmt, 1, id->text);
    db_bind_int(stmt, 2, max);
    while (db_row(db, stmt)) {
        struct account_place *place = &out_places[count++];
        place->match = db_int(stmt, 0);
        (void)db_text_into(stmt, 1, place->access, sizeof place->access);
        place->creator = db_int(stmt, 2) != 0;
        place->seat = db_is_null(stmt, 3) ? -1 : (int)db_int(stmt, 3);
        place->others = db_int(stmt, 4) != 0;
    }
    return count;
}

enum err accounts_insert_token(struct db *db, const struct token_row *row, unsigned max,
                               struct token_id *out_gone)
{
    out_gone->text[0] = '\0';
    sqlite3_stmt *old = db_prepare(db, "SELECT id FROM token WHERE account = ?1 "
                                       "ORDER BY used_at DESC, key DESC LIMIT 1 OFFSET ?2");
    db_bind_text(old, 1, row->account.text);
    db_bind_int(old, 2, (int64_t)max - 1);
    if (db_row(db, old)) {
        (void)db_text_into(old, 0, out_gone->text, sizeof out_gone->text);
        db_end(old);
        enum err gone = accounts_delete_token(db, &row->account, out_gone);
        if (gone != ERR_OK) { return gone; }
    }
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO token (id, hash, account, scope, label, created_at, used_at, expires_at, "
            "client) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    db_bind_text(stmt, 1, row->id.text);
    db_bind_blob(stmt, 2, row->hash.bytes, HASH_BYTES);
    db_bind_text(stmt, 3, row->account.text);
    db_bind_int(stmt, 4, row->scope);
    db_bind_text(stmt, 5, row->label);
    db_bind_int(stmt, 6, row->created_at);
    db_bind_int(stmt, 7, row->used_at);
    if (row->expires_at > 0) {
        db_bind_int(stmt, 8, row->expires_at);
    } else {
        db_bind_null(stmt, 8);
    }
    db_bind_text(stmt, 9, row->client);
    return db_run(db, stmt);
}

enum err accounts_delete_other_tokens(struct db *db, const struct account_id *account,
                                      const struct token_id *keep, struct token_id *out_gone,
                                      unsigned max, unsigned *out_count)
{
    const char *kept = keep == NULL ? "" : keep->text;
    unsigned count = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT id FROM token WHERE account = ?1 AND id <> ?2 LIMIT ?3");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, kept);
    db_bind_int(stmt, 3, max);
    while (db_row(db, stmt)) {
        (void)db_text_into(stmt, 0, out_gone[count].text, sizeof out_gone[count].text);
        count++;
    }
    stmt = db_prepare(db, "DELETE FROM token WHERE account = ?1 AND id <> ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, kept);
    *out_count = count;
    return db_run(db, stmt);
}

enum err accounts_delete_token(struct db *db, const struct account_id *account,
                               const struct token_id *id)
{
    if (id == NULL) {
        return run_with_id(db, db_prepare(db, "DELETE FROM token WHERE account = ?1"), account);
    }
    sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM token WHERE account = ?1 AND id = ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, id->text);
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) == 0 ? ERR_NOT_FOUND : err;
}

enum err accounts_touch_token(struct db *db, const struct token_id *id, int64_t at)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE token SET used_at = ?1 WHERE id = ?2");
    db_bind_int(stmt, 1, at);
    db_bind_text(stmt, 2, id->text);
    return db_run(db, stmt);
}

enum err accounts_set_block(struct db *db, const struct account_id *account,
                            const struct account_id *other, bool on, unsigned max, int64_t at)
{
    if (!on) {
        sqlite3_stmt *stmt =
            db_prepare(db, "DELETE FROM block WHERE account = ?1 AND blocked = ?2");
        db_bind_text(stmt, 1, account->text);
        db_bind_text(stmt, 2, other->text);
        return db_run(db, stmt);
    }
    sqlite3_stmt *count = db_prepare(db, "SELECT count(*) FROM block WHERE account = ?1");
    db_bind_text(count, 1, account->text);
    if (!db_row(db, count)) { return db_status(db, ERR_STORAGE_FAILED); }
    const int64_t have = db_int(count, 0);
    db_end(count);
    if (have >= (int64_t)max) { return ERR_TOO_LARGE; }
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT OR IGNORE INTO block (account, blocked, at) VALUES (?1, ?2, ?3)");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, other->text);
    db_bind_int(stmt, 3, at);
    return db_run(db, stmt);
}

void accounts_write_tokens(struct db *db, const struct account_id *account,
                           const struct token_id *current, struct buf *out)
{
    static const char *const scopes[] = {"read", "play", "organise", "all"};
    sqlite3_stmt *stmt = db_prepare(db, "SELECT id, scope, label, created_at, used_at, expires_at, "
                                        "client FROM token WHERE account = ?1 ORDER BY key");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        jw_object_begin(out);
        jw_key_str(out, "token_id", db_text(stmt, 0));
        jw_key_str(out, "scope", scopes[db_int(stmt, 1) & 3]);
        if (db_text(stmt, 2)[0] != '\0') { jw_key_str(out, "label", db_text(stmt, 2)); }
        jw_key_bool(out, "current", strcmp(db_text(stmt, 0), current->text) == 0);
        jw_key_int(out, "created_at", db_int(stmt, 3));
        jw_key_int(out, "used_at", db_int(stmt, 4));
        if (!db_is_null(stmt, 5)) { jw_key_int(out, "expires", db_int(stmt, 5)); }
        if (db_text(stmt, 6)[0] != '\0') { jw_key_str(out, "client", db_text(stmt, 6)); }
        jw_object_end(out);
    }
    jw_array_end(out);
}

void accounts_write_blocks(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT account.name FROM block JOIN account ON account.id = block.blocked "
                       "WHERE block.account = ?1 ORDER BY account.name");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        jw_str(out, db_text(stmt, 0));
    }
    jw_array_end(out);
}

void accounts_write_seats(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT match.id, match.game, seat.code, match.state FROM seat "
            "JOIN match ON match.key = seat.match WHERE seat.account = ?1 ORDER BY match.key");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        jw_object_begin(out);
        jw_key_str(out, "match", db_text(stmt, 0));
        jw_key_str(out, "game", db_text(stmt, 1));
        jw_key_str(out, "seat", db_text(stmt, 2));
        jw_key_str(out, "state", db_text(stmt, 3));
        jw_object_end(out);
    }
    jw_array_end(out);
}

void accounts_write_messages(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "SELECT match.id, message.channel, message.n, message.at, message.text FROM message "
        "JOIN match ON match.key = message.match WHERE message.account = ?1 ORDER BY message.key");
    db_bind_text(stmt, 1, account->text);
    jw_array_begin(out);
    while (db_row(db, stmt)) {
        jw_object_begin(out);
        jw_key_str(out, "match", db_text(stmt, 0));
        jw_key_str(out, "channel", db_text(stmt, 1));
        jw_key_int(out, "n", db_int(stmt, 2));
        jw_key_int(out, "at", db_int(stmt, 3));
        jw_key_str(out, "text", db_text(stmt, 4));
        jw_object_end(out);
    }
    jw_array_end(out);
}

int64_t accounts_count_finished(struct db *db, const struct account_id *account)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT count(DISTINCT match.key) FROM seat JOIN match ON match.key = seat.match "
            "WHERE seat.account = ?1 AND match.state = 'over'");
    db_bind_text(stmt, 1, account->text);
    if (!db_row(db, stmt)) { return 0; }
    const int64_t n = db_int(stmt, 0);
    db_end(stmt);
    return n;
}

void accounts_each(struct db *db, void (*row)(void *ctx, const struct account_row *row), void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT " ACCOUNT_COLUMNS " FROM account ORDER BY name");
    while (db_row(db, stmt)) {
        struct account_row one;
        copy_row(stmt, &one);
        row(ctx, &one);
        free(one.settings);
    }
}
