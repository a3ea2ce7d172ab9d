/* server/store/lobby.c: SQL of the lobby. */
#include "server/store/lobby.h"

#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"
#include "server/store/outbox.h"

enum { INVITE_NOTICE_MS = 30000 }; /* for who sees the invitation at once */

/* ---- reading ---- */

static bool read_hash(sqlite3_stmt *stmt, int column, struct hash *out)
{
    size_t n = 0;
    const void *bytes = db_blob(stmt, column, &n);
    if (bytes == NULL || n != HASH_BYTES) { return false; }
    memcpy(out->bytes, bytes, HASH_BYTES);
    return true;
}

/* A match by key. */
static enum err read_match(struct db *db, struct lobby_row *row)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT id, game, rules, options, title, creator, access, spectators, reveal, by_hand,"
            " created_at, coalesce(started_at, 0), coalesce(ended_at, 0), state, revealed, result,"
            " secret, commitment, restored, pace_ms / 1000, clock, talk, delay"
            " FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, row->key);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    bool good = db_text_into(stmt, 0, row->id.text, sizeof row->id.text);
    good = db_text_into(stmt, 1, row->game, sizeof row->game) && good;
    row->rules = (uint32_t)db_int(stmt, 2);
    row->options = db_text_copy(stmt, 3);
    good = db_text_into(stmt, 4, row->title, sizeof row->title) && good;
    good = db_text_into(stmt, 5, row->creator.text, sizeof row->creator.text) && good;
    good = db_text_into(stmt, 6, row->access, sizeof row->access) && good;
    good = db_text_into(stmt, 7, row->spectators, sizeof row->spectators) && good;
    good = db_text_into(stmt, 8, row->reveal, sizeof row->reveal) && good;
    row->by_hand = db_int(stmt, 9) != 0;
    row->created_at = db_int(stmt, 10);
    row->started_at = db_int(stmt, 11);
    row->ended_at = db_int(stmt, 12);
    good = db_text_into(stmt, 13, row->state, sizeof row->state) && good;
    row->revealed = db_int(stmt, 14) != 0;
    if (!db_is_null(stmt, 15)) {
        row->result = db_text_copy(stmt, 15);
        good = good && row->result != NULL;
    }
    good = read_hash(stmt, 16, &row->secret) && good;
    good = read_hash(stmt, 17, &row->commit) && good;
    row->restored = (unsigned)db_int(stmt, 18);
    row->pace_s = db_int(stmt, 19);
    if (!db_is_null(stmt, 20)) {
        row->clock = db_text_copy(stmt, 20);
        good = good && row->clock != NULL;
    }
    row->talk = db_int(stmt, 21) != 0;
    row->delay = (unsigned)db_int(stmt, 22);
    db_end(stmt);
    accounts_read_name(db, row->creator.text, row->creator_name);
    return good && row->options != NULL ? ERR_OK : ERR_STORAGE_FAILED;
}

static enum err read_seats(struct db *db, struct lobby_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT s.seat, s.code, s.account, s.join_code, coalesce(a.bot, 0),"
                       " coalesce(json_extract(a.settings, '$.presence'), 1), s.owner,"
                       " coalesce(s.until, 0), s.vacant FROM seat s LEFT JOIN account a"
                       " ON a.id = s.account WHERE s.match = ?1 ORDER BY s.seat");
    db_bind_int(stmt, 1, row->key);
    bool good = true;
    while (db_row(db, stmt)) {
        if (db_int(stmt, 0) != (int64_t)row->seats || row->seats == ROW_SEATS_MAX) {
            good = false;
            continue;
        }
        struct lobby_seat *seat = &row->seat[row->seats++];
        good = db_text_into(stmt, 1, seat->code, sizeof seat->code) && good;
        (void)db_text_into(stmt, 2, seat->account.text, sizeof seat->account.text);
        (void)db_text_into(stmt, 3, seat->join_code, sizeof seat->join_code);
        seat->bot = db_int(stmt, 4) != 0;
        seat->hidden = db_int(stmt, 5) == 0;
        (void)db_text_into(stmt, 6, seat->owner.text, sizeof seat->owner.text);
        seat->until = db_int(stmt, 7);
        seat->vacant = db_int(stmt, 8) != 0;
    }
    for (unsigned i = 0; i < row->seats; i++) {
        struct lobby_seat *seat = &row->seat[i];
        if (seat->account.text[0] != '\0') {
            accounts_read_name(db, seat->account.text, seat->name);
        }
        if (seat->owner.text[0] != '\0') {
            accounts_read_name(db, seat->owner.text, seat->owner_name);
        }
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

static enum err read_asker(struct db *db, const struct account_id *asker, struct lobby_row *row)
{
    if (account_is_nobody(asker)) { return ERR_OK; }
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT (SELECT count(*) FROM invite WHERE match = ?1 AND account = ?2),"
                       " (SELECT count(*) FROM bar WHERE match = ?1 AND account = ?2)");
    db_bind_int(stmt, 1, row->key);
    db_bind_text(stmt, 2, asker->text);
    while (db_row(db, stmt)) {
        row->invited = db_int(stmt, 0) > 0;
        row->shut = db_int(stmt, 1) > 0;
    }
    return db_status(db, ERR_OK);
}

static enum err read_tip(struct db *db, struct lobby_row *row)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT viewers, begun FROM tip WHERE match = ?1");
    db_bind_int(stmt, 1, row->key);
    bool good = true;
    while (db_row(db, stmt)) {
        size_t n = 0;
        const void *bytes = db_blob(stmt, 0, &n);
        good = tip_read_viewers(bytes, n, row->tip);
        row->headed = good;
        row->begun = good && db_int(stmt, 1) != 0;
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

static enum err read_clock(struct db *db, struct lobby_row *row)
{
    if (row->clock == NULL) { return ERR_OK; }
    sqlite3_stmt *stmt = db_prepare(db, "SELECT told FROM clock WHERE match = ?1");
    db_bind_int(stmt, 1, row->key);
    bool good = true;
    while (db_row(db, stmt)) {
        row->clock_told = db_text_copy(stmt, 0);
        good = row->clock_told != NULL;
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

static enum err read_by_key(struct db *db, int64_t key, const struct account_id *asker,
                            struct lobby_row *row)
{
    memset(row, 0, sizeof *row);
    row->key = key;
    row->opened = -1;
    enum err err = read_match(db, row);
    if (err == ERR_OK) { err = read_seats(db, row); }
    if (err == ERR_OK) { err = read_asker(db, asker, row); }
    if (err == ERR_OK) { err = read_tip(db, row); }
    if (err == ERR_OK) { err = read_clock(db, row); }
    if (err != ERR_OK) { lobby_row_finish(row); }
    return err;
}

static enum err read_key(struct db *db, const struct match_id *id, int64_t *out_key)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT key FROM match WHERE id = ?1");
    enum err err = ERR_NOT_FOUND;
    db_bind_text(stmt, 1, id->text);
    while (db_row(db, stmt)) {
        *out_key = db_int(stmt, 0);
        err = ERR_OK;
    }
    return db_status(db, err);
}

enum err lobby_read_row(struct db *db, const struct match_id *id, const struct account_id *asker,
                        struct lobby_row *out_row)
{
    int64_t key = 0;
    enum err err = read_key(db, id, &key);
    return err == ERR_OK ? read_by_key(db, key, asker, out_row) : err;
}

enum err lobby_read_concerned(struct db *db, const struct match_id *id,
                              struct account_id *out_accounts, unsigned *out_count)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "WITH m (key, creator) AS (SELECT key, creator FROM match WHERE id = ?1)"
            " SELECT creator FROM m UNION SELECT s.account FROM seat s JOIN m ON s.match = m.key"
            " WHERE s.account IS NOT NULL"
            " UNION SELECT s.owner FROM seat s JOIN m ON s.match = m.key WHERE s.owner IS NOT NULL"
            " UNION SELECT i.account FROM invite i JOIN m ON i.match = m.key LIMIT ?2");
    db_bind_text(stmt, 1, id->text);
    db_bind_int(stmt, 2, LOBBY_CONCERNED_MAX);
    while (db_row(db, stmt)) {
        (void)db_text_into(stmt, 0, out_accounts[count].text, sizeof out_accounts[count].text);
        count++;
    }
    *out_count = count;
    return db_status(db, ERR_OK);
}

enum err lobby_read_rematch(struct db *db, int64_t key, struct match_id *out_id)
{
    memset(out_id, 0, sizeof *out_id);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT id FROM match WHERE rematch_of = ?1 AND state IN ('open', 'running')"
                       " ORDER BY key DESC LIMIT 1");
    db_bind_int(stmt, 1, key);
    while (db_row(db, stmt)) {
        (void)db_text_into(stmt, 0, out_id->text, sizeof out_id->text);
    }
    return db_status(db, ERR_OK);
}

void lobby_row_finish(struct lobby_row *row)
{
    free(row->options);
    free(row->result);
    free(row->clock);
    free(row->clock_told);
    row->clock = NULL;
    row->clock_told = NULL;
    row->options = NULL;
    row->result = NULL;
}

int lobby_seat_of(const struct lobby_row *row, const struct account_id *account)
{
    for (unsigned i = 0; i < row->seats; i++) {
        if (!account_is_nobody(account) && (account_id_same(&row->seat[i].account, account) ||
                                            account_id_same(&row->seat[i].owner, account))) {
            return (int)i;
        }
    }
    return -1;
}

bool lobby_may_know(const struct lobby_row *row, const struct account_id *account)
{
    bool hidden = strcmp(row->access, "private") == 0;
    if (strcmp(row->access, "open") == 0) { return true; }
    if (!hidden && strcmp(row->spectators, "none") != 0) { return true; }
    if (account_is_nobody(account)) { return false; }
    return row->invited || account_id_same(&row->creator, account) ||
           lobby_seat_of(row, account) >= 0;
}

/* ---- lists ---- */

/* ?1 the asker, ?2 below this key, ?3 the game, ?4 a player, ?5 how many; '' is any. */
#define LIST_HEAD(who) "SELECT m.key FROM match m WHERE m.key < ?2 AND (?3 = '' OR m.game = ?3)" who
#define LIST_TAIL      " ORDER BY m.key DESC LIMIT ?5"
#define IS_MINE                                                                                    \
    "m.creator = ?1 OR EXISTS (SELECT 1 FROM seat q WHERE q.match = m.key"                         \
    " AND (q.account = ?1 OR q.owner = ?1)) OR EXISTS (SELECT 1 FROM invite i WHERE i.match = "    \
    "m.key"                                                                                        \
    " AND i.account = ?1)"
#define IS_KNOWN                                                                                   \
    " AND (m.access = 'open' OR (m.access = 'invite' AND m.spectators <> 'none') OR " IS_MINE ")"

/* Who has blocked whoever made a match is not shown it among what he might join, nor the other way
 * round. */
#define NOT_BLOCKED                                                                                \
    " AND NOT EXISTS (SELECT 1 FROM block k WHERE k.account = ?1 AND k.blocked = m.creator)"       \
    " AND NOT EXISTS (SELECT 1 FROM block k WHERE k.account = m.creator AND k.blocked = ?1)"

/* state: "+" where matches are not to be found by it. What is finished is found by key: most
 * matches are, and the newest come first. */
#define LISTS(who, state)                                                                          \
    {                                                                                              \
        [LOBBY_OPEN] =                                                                             \
            LIST_HEAD(who) " AND " state "m.state = 'open' AND (m.access = 'open' OR " IS_MINE     \
                           ") AND EXISTS (SELECT 1 FROM seat f WHERE"                              \
                           " f.match = m.key AND f.account IS NULL)" NOT_BLOCKED LIST_TAIL,        \
        [LOBBY_MINE] =                                                                             \
            LIST_HEAD(who) " AND m.key IN (SELECT match FROM seat WHERE account = ?1"              \
                           " UNION SELECT match FROM seat WHERE owner = ?1"                        \
                           " UNION SELECT match FROM invite WHERE account = ?1"                    \
                           " UNION SELECT key FROM match WHERE creator = ?1)" LIST_TAIL,           \
        [LOBBY_RUNNING] = LIST_HEAD(who) " AND " state "m.state = 'running'" IS_KNOWN LIST_TAIL,   \
        [LOBBY_FINISHED] =                                                                         \
            LIST_HEAD(who) " AND +m.state IN ('over', 'aborted')" IS_KNOWN LIST_TAIL,              \
        [LOBBY_VACANT] = LIST_HEAD(who) " AND " state "m.state = 'running' AND m.key IN (SELECT"   \
                                        " match FROM seat WHERE vacant > 0) AND NOT EXISTS"        \
                                        " (SELECT 1 FROM bar b WHERE b.match = m.key AND"          \
                                        " b.account = ?1)" NOT_BLOCKED IS_KNOWN LIST_TAIL,         \
    }

/* Of one player only the matches in which he sits are looked at: there are few, and of all that a
 * host ever had there are many. */
static sqlite3_stmt *prepare_list(struct db *db, enum lobby_filter filter, bool of_one)
{
    static const char *const all[] = LISTS(" AND ?4 = ''", "");
    static const char *const one[] =
        LISTS(" AND m.key IN (SELECT match FROM seat WHERE account = ?4)", "+");
    return db_prepare(db, of_one ? one[filter] : all[filter]);
}
#undef LISTS
#undef LIST_HEAD
#undef LIST_TAIL
#undef IS_MINE
#undef IS_KNOWN
#undef NOT_BLOCKED

/* Where a list goes on. INVALID_PARAMS: there is no such match, or none that the asker may know of.
 */
static enum err read_before(struct db *db, const struct match_id *before,
                            const struct account_id *asker, int64_t *out_below)
{
    struct lobby_row row;
    enum err err = lobby_read_row(db, before, asker, &row);
    if (err != ERR_OK) { return err == ERR_NOT_FOUND ? ERR_INVALID_PARAMS : err; }
    *out_below = row.key;
    bool known = lobby_may_know(&row, asker);
    lobby_row_finish(&row);
    return known ? ERR_OK : ERR_INVALID_PARAMS;
}

enum err lobby_read_list(struct db *db, enum lobby_filter filter, const struct account_id *asker,
                         const char *game, const struct account_id *player,
                         const struct match_id *before, unsigned limit, struct lobby_row *out_rows,
                         unsigned *out_count)
{
    int64_t below = INT64_MAX;
    enum err err = before == NULL ? ERR_OK : read_before(db, before, asker, &below);
    if (err != ERR_OK) { return err; }
    unsigned count = 0;
    sqlite3_stmt *stmt = prepare_list(db, filter, player != NULL && player->text[0] != '\0');
    db_bind_text(stmt, 1, asker->text);
    db_bind_int(stmt, 2, below);
    db_bind_text(stmt, 3, game == NULL ? "" : game);
    db_bind_text(stmt, 4, player == NULL ? "" : player->text);
    db_bind_int(stmt, 5, limit);
    while (db_row(db, stmt)) {
        out_rows[count++].key = db_int(stmt, 0);
    }
    err = db_status(db, ERR_OK);
    unsigned done = 0;
    while (err == ERR_OK && done < count) {
        err = read_by_key(db, out_rows[done].key, asker, &out_rows[done]);
        if (err == ERR_OK) { done++; }
    }
    if (err != ERR_OK) {
        for (unsigned i = 0; i < done; i++) {
            lobby_row_finish(&out_rows[i]);
        }
        return err;
    }
    *out_count = count;
    return ERR_OK;
}

enum err lobby_count_matches(struct db *db, const struct account_id *account, unsigned limit,
                             unsigned *out_count)
{
    unsigned count = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM (SELECT 1 FROM match WHERE creator = ?1 AND state IN"
                       " ('open', 'running') LIMIT ?2)");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, limit);
    while (db_row(db, stmt)) {
        count += (unsigned)db_int(stmt, 0);
    }
    stmt =
        db_prepare(db, "SELECT count(*) FROM (SELECT 1 FROM seat s JOIN match m ON m.key = s.match"
                       " WHERE (s.account = ?1 OR s.owner = ?1)"
                       " AND m.state IN ('open', 'running')"
                       " AND m.creator <> ?1 LIMIT ?2)");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, limit);
    while (db_row(db, stmt)) {
        count += (unsigned)db_int(stmt, 0);
    }
    *out_count = count;
    return db_status(db, ERR_OK);
}

/* ---- writing ---- */

static const char *text_or_null(const char *text)
{
    return text[0] == '\0' ? NULL : text;
}

static enum err insert_match(struct db *db, const struct lobby_insert *in)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "INSERT INTO match (id, game, rules, options, title, creator, access, spectators,"
        " reveal, by_hand, created_at, state, secret, commitment, rematch_of, pace_ms,"
        " clock, talk, delay) VALUES"
        " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'open', ?12, ?13, ?14, ?15 * 1000, ?16,"
        " ?17, ?18)");
    db_bind_text(stmt, 1, in->id.text);
    db_bind_text(stmt, 2, in->game);
    db_bind_int(stmt, 3, in->rules);
    db_bind_textn(stmt, 4, in->options, in->options_len);
    db_bind_text(stmt, 5, in->title);
    db_bind_text(stmt, 6, in->creator.text);
    db_bind_text(stmt, 7, in->access);
    db_bind_text(stmt, 8, in->spectators);
    db_bind_text(stmt, 9, in->reveal);
    db_bind_int(stmt, 10, in->by_hand);
    db_bind_int(stmt, 11, in->at);
    db_bind_blob(stmt, 12, in->secret.bytes, HASH_BYTES);
    db_bind_blob(stmt, 13, in->commit.bytes, HASH_BYTES);
    if (in->rematch_of != 0) { db_bind_int(stmt, 14, in->rematch_of); }
    db_bind_int(stmt, 15, in->pace_s);
    db_bind_text(stmt, 16, text_or_null(in->clock));
    db_bind_int(stmt, 17, in->talk ? 1 : 0);
    db_bind_int(stmt, 18, in->delay);
    return db_run(db, stmt);
}

static enum err insert_seat(struct db *db, const struct lobby_insert *in, int64_t key, unsigned at)
{
    const struct lobby_seat *seat = &in->seat[at];
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO seat (match, seat, code, account, joined_at, join_code)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    db_bind_int(stmt, 1, key);
    db_bind_int(stmt, 2, at);
    db_bind_text(stmt, 3, seat->code);
    db_bind_text(stmt, 4, text_or_null(seat->account.text));
    if (seat->account.text[0] != '\0') { db_bind_int(stmt, 5, in->at); }
    db_bind_text(stmt, 6, text_or_null(seat->join_code));
    return db_run(db, stmt);
}

/* Whoever is asked is told, unless he hears nothing of who asks. */
static enum err insert_invite(struct db *db, const struct lobby_insert *in, int64_t key, unsigned i)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT OR IGNORE INTO invite (match, account) VALUES (?1, ?2)");
    db_bind_int(stmt, 1, key);
    db_bind_text(stmt, 2, in->invite[i].text);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK || accounts_have_blocked(db, in->invite[i].text, in->creator.text)) {
        return err;
    }
    struct notice_add add = {.account = in->invite[i],
                             .match = key,
                             .kind = NOTICE_INVITED,
                             .seat = -1,
                             .at = in->at,
                             .due = in->at + INVITE_NOTICE_MS};
    return notice_add_run(db, &add);
}

enum err lobby_write_insert(struct db *db, void *lobby_insert)
{
    const struct lobby_insert *in = lobby_insert;
    enum err err = insert_match(db, in);
    if (err != ERR_OK) { return err; }
    int64_t key = db_last_rowid(db);
    for (unsigned i = 0; i < in->seats && err == ERR_OK; i++) {
        err = insert_seat(db, in, key, i);
    }
    for (unsigned i = 0; i < in->invites && err == ERR_OK; i++) {
        err = insert_invite(db, in, key, i);
    }
    return err;
}

/* CONFLICT unless the statement changed exactly one row. */
static enum err run_one(struct db *db, sqlite3_stmt *stmt)
{
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) != 1 ? ERR_CONFLICT : err;
}

enum err lobby_write_seat(struct db *db, void *lobby_seat_write)
{
    const struct lobby_seat_write *in = lobby_seat_write;
    sqlite3_stmt *stmt =
        in->take ? db_prepare(db, "UPDATE seat SET account = ?3, joined_at = ?4, join_code = ?5"
                                  " WHERE match = ?1 AND seat = ?2 AND account IS NULL")
                 : db_prepare(db, "UPDATE seat SET account = NULL, joined_at = NULL, join_code = ?5"
                                  " WHERE match = ?1 AND seat = ?2 AND account = ?3");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->seat);
    db_bind_text(stmt, 3, in->account.text);
    if (in->take) { db_bind_int(stmt, 4, in->at); }
    db_bind_text(stmt, 5, text_or_null(in->join_code));
    return run_one(db, stmt);
}

enum err lobby_need_room(struct db *db, void *lobby_room)
{
    const struct lobby_room *in = lobby_room;
    unsigned count = 0;
    enum err err = lobby_count_matches(db, &in->account, in->most, &count);
    return err == ERR_OK && count >= in->most ? ERR_TOO_LARGE : err;
}

enum err lobby_write_state(struct db *db, void *lobby_state_write)
{
    const struct lobby_state_write *in = lobby_state_write;
    sqlite3_stmt *stmt = in->running
                             ? db_prepare(db, "UPDATE match SET state = 'running', started_at = ?2"
                                              " WHERE key = ?1 AND state = 'open'")
                             : db_prepare(db, "UPDATE match SET state = 'aborted', ended_at = ?2"
                                              " WHERE key = ?1 AND state = 'open'");
    db_bind_int(stmt, 1, in->match);
    db_bind_int(stmt, 2, in->at);
    return run_one(db, stmt);
}

enum err lobby_write_expired(struct db *db, int64_t before, int64_t at)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE match SET state = 'aborted', ended_at = ?2 WHERE"
                                        " state = 'open' AND created_at <= ?1");
    db_bind_int(stmt, 1, before);
    db_bind_int(stmt, 2, at);
    return db_run(db, stmt);
}

enum err lobby_write_answer(struct db *db, void *lobby_answer_write)
{
    const struct lobby_answer_write *in = lobby_answer_write;
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO answer (account, action_id, params, at, body)"
                                        " VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_text(stmt, 1, in->account.text);
    db_bind_text(stmt, 2, in->action_id);
    db_bind_blob(stmt, 3, in->params.bytes, HASH_BYTES);
    db_bind_int(stmt, 4, in->at);
    db_bind_text(stmt, 5, in->match.text);
    return db_run(db, stmt);
}

enum err lobby_fill_answer(struct db *db, void *lobby_answer_fill)
{
    const struct lobby_answer_fill *in = lobby_answer_fill;
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE answer SET body = ?3 WHERE account = ?1 AND action_id = ?2");
    db_bind_text(stmt, 1, in->account.text);
    db_bind_text(stmt, 2, in->action_id);
    db_bind_textn(stmt, 3, in->body, in->len);
    return db_run(db, stmt);
}
