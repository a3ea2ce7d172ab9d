/* server/store/delivery.c: SQL of notices on their way. */
#include "server/store/delivery.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/store/db.h"

/* --- notices ---------------------------------------------------------------------------------- */

#define NOTICE_COLUMNS                                                                             \
    "notice.key, notice.account, coalesce(notice.match, 0), coalesce(match.id, ''), notice.kind,"  \
    " notice.seat, notice.number, notice.seq, notice.at, notice.due, notice.data"
enum { NOTICE_COLUMN_COUNT = 11 };

/* Columns from the first one of NOTICE_COLUMNS. False: it is none of ours. */
static bool read_notice(sqlite3_stmt *stmt, int at, struct notice_row *row)
{
    memset(row, 0, sizeof *row);
    row->key = db_int(stmt, at);
    (void)db_text_into(stmt, at + 1, row->account.text, sizeof row->account.text);
    row->match = db_int(stmt, at + 2);
    (void)db_text_into(stmt, at + 3, row->id.text, sizeof row->id.text);
    row->seat = (int)db_int(stmt, at + 5);
    row->number = (uint64_t)db_int(stmt, at + 6);
    row->seq = (uint64_t)db_int(stmt, at + 7);
    row->at = db_int(stmt, at + 8);
    row->due = db_int(stmt, at + 9);
    (void)db_text_into(stmt, at + 10, row->data, sizeof row->data);
    return notice_kind_read(db_text(stmt, at + 4), &row->kind);
}

unsigned notices_read_due(struct db *db, int64_t now, unsigned max, struct notice_row *out_rows)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT " NOTICE_COLUMNS " FROM notice LEFT JOIN match ON match.key = notice.match"
            " WHERE notice.state = 'waiting' AND notice.due <= ?1 ORDER BY notice.due LIMIT ?2");
    db_bind_int(stmt, 1, now);
    db_bind_int(stmt, 2, max);
    while (db_row(db, stmt)) {
        if (read_notice(stmt, 0, &out_rows[count])) { count++; }
    }
    return count;
}

enum err notices_set_state(struct db *db, int64_t key, const char *state)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE notice SET state = ?2 WHERE key = ?1");
    db_bind_int(stmt, 1, key);
    db_bind_text(stmt, 2, state);
    return db_run(db, stmt);
}

/* One number, or otherwise where there is no row. */
static int64_t read_number(struct db *db, sqlite3_stmt *stmt, int64_t otherwise)
{
    if (!db_row(db, stmt)) { return otherwise; }
    int64_t value = db_is_null(stmt, 0) ? otherwise : db_int(stmt, 0);
    db_end(stmt);
    return value;
}

static bool holds_seat(struct db *db, const struct notice_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT account = ?3 FROM seat WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, row->seat);
    db_bind_text(stmt, 3, row->account.text);
    return read_number(db, stmt, 0) != 0;
}

static bool match_is(struct db *db, const struct notice_row *row, const char *state)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT state = ?2 FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, row->match);
    db_bind_text(stmt, 2, state);
    return read_number(db, stmt, 0) != 0;
}

/* Whether a sitting of that seat runs, and, number not 0, is that one. */
static bool sits(struct db *db, const struct notice_row *row, int64_t seat, uint64_t number)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT number FROM sitting WHERE match = ?1 AND seat = ?2 AND runs = 1");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, seat);
    int64_t found = read_number(db, stmt, -1);
    return found >= 0 && (number == 0 || (uint64_t)found == number);
}

/* Whether the match's clock has it that the seat's player is gone. */
static bool is_gone(struct db *db, const struct notice_row *row, int64_t seat)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT json_extract(clock.told, '$.seats.' || seat.code || '.away') IS NOT NULL"
            " FROM clock JOIN seat ON seat.match = clock.match WHERE clock.match = ?1 AND"
            " seat.seat = ?2");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, seat);
    return read_number(db, stmt, 0) != 0;
}

/* Whether the seat has had its turn, of which it is told by itself. */
static bool has_sat(struct db *db, const struct notice_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT number > 0 FROM sitting WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, row->seat);
    return read_number(db, stmt, 0) != 0;
}

/* Whether the seat is still asked by the offer. */
static bool is_asked(struct db *db, const struct notice_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT state = 'open' AND (asked & ~accepted) >> ?3 & 1 FROM offer"
                       " WHERE match = ?1 AND offer = ?2");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, (int64_t)row->number);
    db_bind_int(stmt, 3, row->seat);
    return read_number(db, stmt, 0) != 0;
}

static bool is_invited(struct db *db, const struct notice_row *row)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT count(*) FROM invite WHERE match = ?1 AND account = ?2 AND NOT EXISTS (SELECT 1"
            " FROM seat WHERE seat.match = ?1 AND seat.account = ?2)");
    db_bind_int(stmt, 1, row->match);
    db_bind_text(stmt, 2, row->account.text);
    return read_number(db, stmt, 0) != 0;
}

/* Whom a claim is about, by the code in its data. */
static int64_t seat_told_of(struct db *db, const struct notice_row *row)
{
    cJSON *data = NULL;
    int64_t seat = -1;
    if (json_parse(row->data, strlen(row->data), &data) != ERR_OK) { return -1; }
    const cJSON *code = json_get(data, "seat");
    if (cJSON_IsString(code)) {
        sqlite3_stmt *stmt = db_prepare(db, "SELECT seat FROM seat WHERE match = ?1 AND code = ?2");
        db_bind_int(stmt, 1, row->match);
        db_bind_text(stmt, 2, code->valuestring);
        seat = read_number(db, stmt, -1);
    }
    cJSON_Delete(data);
    return seat;
}

/* Whether the account has read the message that calls it, by channel and n in its data. */
static bool has_read(struct db *db, const struct notice_row *row)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT n >= json_extract(?3, '$.n') FROM read_mark WHERE match = ?1 AND account = ?2"
            " AND channel = json_extract(?3, '$.channel')");
    db_bind_int(stmt, 1, row->match);
    db_bind_text(stmt, 2, row->account.text);
    db_bind_text(stmt, 3, row->data);
    return read_number(db, stmt, 0) != 0;
}

bool notice_is_stale(struct db *db, const struct notice_row *row)
{
    if (row->seat >= 0 && !holds_seat(db, row)) { return true; }
    switch (row->kind) {
    case NOTICE_TURN: return !sits(db, row, row->seat, row->number);
    case NOTICE_LATE:
    case NOTICE_REMINDER: return !sits(db, row, row->seat, 0);
    case NOTICE_CLAIM:
        if (strstr(row->data, "\"away\"") != NULL && !is_gone(db, row, seat_told_of(db, row))) {
            return true;
        }
        return !match_is(db, row, "running") || !sits(db, row, seat_told_of(db, row), 0);
    case NOTICE_AWAY: return !is_gone(db, row, row->seat);
    case NOTICE_MENTION: return has_read(db, row);
    case NOTICE_OFFER: return !is_asked(db, row);
    case NOTICE_BEGUN: return !match_is(db, row, "running") || has_sat(db, row);
    case NOTICE_MISSED:
    case NOTICE_CONVERTED:
    case NOTICE_VACANT: return !match_is(db, row, "running");
    case NOTICE_OVER: return match_is(db, row, "running");
    case NOTICE_INVITED: return !match_is(db, row, "open") || !is_invited(db, row);
    case NOTICE_DEAD:
    case NOTICE_TEST:
    case NOTICE_KINDS: break;
    }
    return false;
}

bool notices_has_since(struct db *db, const struct account_id *account, enum notice_kind kind,
                       int64_t since)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM notice WHERE account = ?1 AND kind = ?2 AND at > ?3");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, notice_kind_name(kind));
    db_bind_int(stmt, 3, since);
    return read_number(db, stmt, 0) != 0;
}

bool notice_was_seen(struct db *db, const struct notice_row *row)
{
    /* What a player has seen and not yet acted upon he is reminded of all the same. */
    if (row->seat < 0 || (row->kind != NOTICE_TURN && row->kind != NOTICE_BEGUN &&
                          row->kind != NOTICE_OVER && row->kind != NOTICE_OFFER)) {
        return false;
    }
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seq >= ?4 AND at >= ?5 FROM seen WHERE match = ?1 AND account = ?2"
                       " AND seat = ?3");
    db_bind_int(stmt, 1, row->match);
    db_bind_text(stmt, 2, row->account.text);
    db_bind_int(stmt, 3, row->seat);
    db_bind_int(stmt, 4, (int64_t)row->seq);
    db_bind_int(stmt, 5, row->at);
    return read_number(db, stmt, 0) != 0;
}

uint64_t notice_since(struct db *db, const struct notice_row *row)
{
    cJSON *data = NULL;
    int64_t since = -1;
    if (json_parse(row->data, strlen(row->data), &data) == ERR_OK) {
        since = json_int(json_get(data, "since"), -1);
        cJSON_Delete(data);
    }
    if (since >= 0) { return (uint64_t)since; }
    sqlite3_stmt *stmt = db_prepare(db, "SELECT ended FROM sitting WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, row->match);
    db_bind_int(stmt, 2, row->seat);
    return (uint64_t)read_number(db, stmt, 0);
}

void outbox_read_title(struct db *db, int64_t match, char *out, size_t size)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT title FROM match WHERE key = ?1");
    out[0] = '\0';
    db_bind_int(stmt, 1, match);
    if (!db_row(db, stmt)) { return; }
    (void)db_text_into(stmt, 0, out, size);
    db_end(stmt);
}

void outbox_read_creator(struct db *db, int64_t match, char out[ACCOUNT_NAME_BYTES])
{
    char id[ACCOUNT_ID_CHARS + 1] = "";
    sqlite3_stmt *stmt = db_prepare(db, "SELECT creator FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    if (db_row(db, stmt)) {
        (void)db_text_into(stmt, 0, id, sizeof id);
        db_end(stmt);
    }
    accounts_read_name(db, id, out);
}

enum err outbox_drop_push(struct db *db, const struct account_id *account, const char *endpoint)
{
    struct notice_account row;
    struct buf out;
    cJSON *settings = NULL;
    enum err err = notices_read_account(db, account, &row);
    if (err != ERR_OK) { return err == ERR_NOT_FOUND ? ERR_OK : err; }
    err = json_parse(row.settings, strlen(row.settings), &settings);
    buf_init(&out, 65536);
    cJSON *notices = cJSON_GetObjectItemCaseSensitive(settings, "notices");
    cJSON *push = cJSON_GetObjectItemCaseSensitive(notices, "push");
    for (cJSON *i = push == NULL ? NULL : push->child, *next = NULL; i != NULL; i = next) {
        const cJSON *where = json_get(i, "endpoint");
        next = i->next;
        if (!cJSON_IsString(where) || strcmp(where->valuestring, endpoint) != 0) { continue; }
        cJSON_Delete(cJSON_DetachItemViaPointer(push, i));
    }
    if (push != NULL && push->child == NULL) {
        cJSON_DeleteItemFromObjectCaseSensitive(notices, "push");
    }
    if (err == ERR_OK) {
        jw_value(&out, settings);
        err = out.failed ? ERR_INTERNAL : accounts_update_settings(db, account, buf_str(&out));
    }
    cJSON_Delete(settings);
    free(row.settings);
    buf_finish(&out);
    return err;
}

bool outbox_is_paced(struct db *db, int64_t match)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT pace_ms > 0 FROM match WHERE key = ?1");
    db_bind_int(stmt, 1, match);
    return read_number(db, stmt, 0) != 0;
}

enum err notices_read_account(struct db *db, const struct account_id *account,
                              struct notice_account *out_account)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT settings, email_confirmed_at IS NOT NULL, disabled_at IS NOT NULL"
                       " FROM account WHERE id = ?1");
    db_bind_text(stmt, 1, account->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    out_account->settings = db_text_copy(stmt, 0);
    out_account->confirmed = db_int(stmt, 1) != 0;
    out_account->disabled = db_int(stmt, 2) != 0;
    db_end(stmt);
    return out_account->settings != NULL ? ERR_OK : ERR_INTERNAL;
}

/* --- deliveries ------------------------------------------------------------------------------- */

enum err deliveries_insert(struct db *db, const struct delivery_row *row, int64_t next)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO delivery (id, notice, account, channel, target, state, next) VALUES"
            " (?1, ?2, ?3, ?4, ?5, 'waiting', ?6) ON CONFLICT DO NOTHING");
    db_bind_text(stmt, 1, row->id);
    db_bind_int(stmt, 2, row->notice.key);
    db_bind_text(stmt, 3, row->notice.account.text);
    db_bind_text(stmt, 4, row->channel);
    db_bind_text(stmt, 5, row->target);
    db_bind_int(stmt, 6, next);
    return db_run(db, stmt);
}

#define DELIVERY_COLUMNS                                                                           \
    ", delivery.key, delivery.id, delivery.channel, delivery.target, delivery.attempts,"           \
    " notice.state = 'stale' FROM delivery JOIN notice ON notice.key = delivery.notice LEFT JOIN"  \
    " match ON match.key = notice.match"

static bool read_delivery(sqlite3_stmt *stmt, struct delivery_row *row)
{
    memset(row, 0, sizeof *row);
    const int at = NOTICE_COLUMN_COUNT;
    row->key = db_int(stmt, at);
    (void)db_text_into(stmt, at + 1, row->id, sizeof row->id);
    (void)db_text_into(stmt, at + 2, row->channel, sizeof row->channel);
    (void)db_text_into(stmt, at + 3, row->target, sizeof row->target);
    row->attempts = (unsigned)db_int(stmt, at + 4);
    row->dropped = db_int(stmt, at + 5) != 0;
    return read_notice(stmt, 0, &row->notice);
}

static bool is_busy(const int64_t *busy, size_t busy_count, int64_t key)
{
    for (size_t i = 0; i < busy_count; i++) {
        if (busy[i] == key) { return true; }
    }
    return false;
}

unsigned deliveries_read_due(struct db *db, int64_t now, const int64_t *busy, size_t busy_count,
                             unsigned max, struct delivery_row *out_rows)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT " NOTICE_COLUMNS DELIVERY_COLUMNS
            " WHERE delivery.state = 'waiting' AND delivery.next <= ?1 ORDER BY delivery.next"
            " LIMIT ?2");
    db_bind_int(stmt, 1, now);
    db_bind_int(stmt, 2, (int64_t)(max + busy_count));
    while (db_row(db, stmt)) {
        if (count < max && read_delivery(stmt, &out_rows[count]) &&
            !is_busy(busy, busy_count, out_rows[count].key)) {
            count++;
        }
    }
    return count;
}

unsigned deliveries_read_more(struct db *db, int64_t now, const struct account_id *account,
                              const char *channel, unsigned max, struct delivery_row *out_rows)
{
    unsigned count = 0;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT " NOTICE_COLUMNS DELIVERY_COLUMNS
            " WHERE delivery.account = ?2 AND delivery.state = 'waiting' AND delivery.channel = ?3"
            " AND delivery.next <= ?1 ORDER BY delivery.key LIMIT ?4");
    db_bind_int(stmt, 1, now);
    db_bind_text(stmt, 2, account->text);
    db_bind_text(stmt, 3, channel);
    db_bind_int(stmt, 4, max);
    while (db_row(db, stmt)) {
        if (read_delivery(stmt, &out_rows[count])) { count++; }
    }
    return count;
}

/* The notice is done once none of its deliveries waits. */
static enum err end_notice(struct db *db, int64_t delivery)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "UPDATE notice SET state = 'done' WHERE key = (SELECT notice FROM delivery WHERE key ="
            " ?1) AND state = 'sending' AND NOT EXISTS (SELECT 1 FROM delivery WHERE"
            " delivery.notice = notice.key AND delivery.state = 'waiting')");
    db_bind_int(stmt, 1, delivery);
    return db_run(db, stmt);
}

enum err deliveries_end(struct db *db, int64_t key, const char *state, const char *error,
                        int64_t now)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE delivery SET state = ?2, error = ?3, ended = ?4, attempts ="
                       " attempts + (?2 <> 'stale') WHERE key = ?1 AND state = 'waiting'");
    db_bind_int(stmt, 1, key);
    db_bind_text(stmt, 2, state);
    db_bind_text(stmt, 3, error[0] == '\0' ? NULL : error);
    db_bind_int(stmt, 4, now);
    enum err err = db_run(db, stmt);
    return err != ERR_OK ? err : end_notice(db, key);
}

enum err deliveries_retry(struct db *db, int64_t key, const char *error, int64_t next)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "UPDATE delivery SET attempts = attempts + 1, error = ?2, next = ?3 WHERE key = ?1");
    db_bind_int(stmt, 1, key);
    db_bind_text(stmt, 2, error);
    db_bind_int(stmt, 3, next);
    return db_run(db, stmt);
}

/* --- addresses -------------------------------------------------------------------------------- */

void endpoints_read(struct db *db, const struct account_id *account, const char *channel,
                    const char *target, struct endpoint_row *out_row)
{
    memset(out_row, 0, sizeof *out_row);
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT coalesce(sent_at, 0), coalesce(failing_since, 0),"
                       " coalesce(disabled_at, 0) FROM endpoint WHERE account = ?1 AND channel ="
                       " ?2 AND target = ?3");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, channel);
    db_bind_text(stmt, 3, target);
    if (!db_row(db, stmt)) { return; }
    out_row->sent_at = db_int(stmt, 0);
    out_row->failing_since = db_int(stmt, 1);
    out_row->disabled_at = db_int(stmt, 2);
    db_end(stmt);
}

enum err endpoints_note_sent(struct db *db, const struct account_id *account, const char *channel,
                             const char *target, int64_t now)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "INSERT INTO endpoint (account, channel, target, sent_at) VALUES (?1, ?2, ?3, ?4) ON"
        " CONFLICT DO UPDATE SET sent_at = excluded.sent_at, failing_since = NULL, error = NULL");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, channel);
    db_bind_text(stmt, 3, target);
    db_bind_int(stmt, 4, now);
    return db_run(db, stmt);
}

enum err endpoints_note_failed(struct db *db, const struct account_id *account, const char *channel,
                               const char *target, const char *error, int64_t now, bool dead)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO endpoint (account, channel, target, failing_since, disabled_at, error)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET failing_since ="
            " coalesce(failing_since, excluded.failing_since), disabled_at = coalesce(disabled_at,"
            " excluded.disabled_at), error = excluded.error");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, channel);
    db_bind_text(stmt, 3, target);
    db_bind_int(stmt, 4, now);
    if (dead) {
        db_bind_int(stmt, 5, now);
    } else {
        db_bind_null(stmt, 5);
    }
    db_bind_text(stmt, 6, error);
    return db_run(db, stmt);
}

/* --- the rest --------------------------------------------------------------------------------- */

int64_t notices_read_next(struct db *db)
{
    return read_number(db, db_prepare(db, "SELECT min(due) FROM notice WHERE state = 'waiting'"),
                       INT64_MAX);
}

int64_t deliveries_read_next(struct db *db, const int64_t *busy, size_t busy_count)
{
    int64_t next = INT64_MAX;
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT key, next FROM delivery WHERE state = 'waiting' ORDER BY next LIMIT ?1");
    db_bind_int(stmt, 1, (int64_t)busy_count + 1);
    while (db_row(db, stmt)) {
        if (next == INT64_MAX && !is_busy(busy, busy_count, db_int(stmt, 0))) {
            next = db_int(stmt, 1);
        }
    }
    return next;
}

int64_t outbox_count(struct db *db)
{
    return read_number(db, db_prepare(db, "SELECT count(*) FROM delivery WHERE state = 'waiting'"),
                       0);
}

static enum err run_before(struct db *db, const char *sql, int64_t before)
{
    sqlite3_stmt *stmt = db_prepare(db, sql);
    db_bind_int(stmt, 1, before);
    return db_run(db, stmt);
}

enum err outbox_prune(struct db *db, int64_t before)
{
    enum err err = run_before(db, "DELETE FROM notice WHERE at < ?1", before);
    if (err != ERR_OK) { return err; }
    return run_before(db, "DELETE FROM unsubscribed WHERE at < ?1",
                      before - INT64_C(60) * 86400000);
}

static enum err delete_of(struct db *db, const char *sql, const struct account_id *account)
{
    sqlite3_stmt *stmt = db_prepare(db, sql);
    db_bind_text(stmt, 1, account->text);
    return db_run(db, stmt);
}

static void key_time(struct buf *out, const char *name, sqlite3_stmt *stmt, int column)
{
    if (!db_is_null(stmt, column)) { jw_key_int(out, name, db_int(stmt, column)); }
}

static void write_addresses(struct db *db, const struct account_id *account, struct buf *out)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT channel, target, sent_at, failing_since, disabled_at, error FROM endpoint WHERE"
            " account = ?1 ORDER BY channel, target");
    db_bind_text(stmt, 1, account->text);
    jw_key_array(out, "addresses");
    while (db_row(db, stmt)) {
        jw_object_begin(out);
        jw_key_str(out, "channel", db_text(stmt, 0));
        jw_key_str(out, "target", db_text(stmt, 1));
        key_time(out, "sent_at", stmt, 2);
        key_time(out, "failing_since", stmt, 3);
        key_time(out, "disabled_at", stmt, 4);
        if (!db_is_null(stmt, 5)) { jw_key_str(out, "error", db_text(stmt, 5)); }
        jw_object_end(out);
    }
    jw_array_end(out);
}

void outbox_write_deliveries(struct db *db, const struct account_id *account, unsigned limit,
                             struct buf *out)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT delivery.id, notice.kind, match.id, delivery.channel, delivery.target,"
            " delivery.state, delivery.attempts, notice.at, delivery.ended, delivery.next,"
            " delivery.error FROM delivery JOIN notice ON notice.key = delivery.notice LEFT JOIN"
            " match ON match.key = notice.match WHERE delivery.account = ?1 ORDER BY delivery.key"
            " DESC LIMIT ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, limit);
    jw_key_array(out, "deliveries");
    while (db_row(db, stmt)) {
        const bool waits = strcmp(db_text(stmt, 5), "waiting") == 0;
        jw_object_begin(out);
        jw_key_str(out, "id", db_text(stmt, 0));
        jw_key_str(out, "kind", db_text(stmt, 1));
        if (!db_is_null(stmt, 2)) { jw_key_str(out, "match", db_text(stmt, 2)); }
        jw_key_str(out, "channel", db_text(stmt, 3));
        jw_key_str(out, "target", db_text(stmt, 4));
        jw_key_str(out, "state", db_text(stmt, 5));
        jw_key_int(out, "attempts", db_int(stmt, 6));
        jw_key_int(out, "at", db_int(stmt, 7));
        key_time(out, "ended", stmt, 8);
        if (waits) { jw_key_int(out, "next", db_int(stmt, 9)); }
        if (!db_is_null(stmt, 10)) { jw_key_str(out, "error", db_text(stmt, 10)); }
        jw_object_end(out);
    }
    jw_array_end(out);
    write_addresses(db, account, out);
}

enum err unsubscribed_insert(struct db *db, const struct hash *hash, int64_t now)
{
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO unsubscribed (hash, at) VALUES (?1, ?2)");
    db_bind_blob(stmt, 1, hash->bytes, HASH_BYTES);
    db_bind_int(stmt, 2, now);
    return db_run(db, stmt);
}

/* --- calendars -------------------------------------------------------------------------------- */

enum err calendars_write(struct db *db, const struct account_id *account, const struct hash *hash,
                         int64_t now)
{
    if (hash == NULL) { return delete_of(db, "DELETE FROM calendar WHERE account = ?1", account); }
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO calendar (account, hash, at) VALUES (?1, ?2, ?3) ON CONFLICT"
                       " (account) DO UPDATE SET hash = excluded.hash, at = excluded.at");
    db_bind_text(stmt, 1, account->text);
    db_bind_blob(stmt, 2, hash->bytes, HASH_BYTES);
    db_bind_int(stmt, 3, now);
    return db_run(db, stmt);
}

enum err calendars_read(struct db *db, const struct hash *hash, struct account_id *out_account)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT account FROM calendar JOIN account ON account.id = calendar.account WHERE"
            " calendar.hash = ?1 AND account.disabled_at IS NULL");
    db_bind_blob(stmt, 1, hash->bytes, HASH_BYTES);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    (void)db_text_into(stmt, 0, out_account->text, sizeof out_account->text);
    db_end(stmt);
    return ERR_OK;
}

bool calendars_has(struct db *db, const struct account_id *account)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT count(*) FROM calendar WHERE account = ?1");
    db_bind_text(stmt, 1, account->text);
    return read_number(db, stmt, 0) != 0;
}

enum err calendars_each(struct db *db, const struct account_id *account, calendar_match_fn *match,
                        void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT match.id, seat.code, seat.seat, coalesce(sitting.number, 0), match.title,"
            " match.game, clock.told, coalesce(match.started_at, 0) FROM seat JOIN match ON "
            "match.key = seat.match JOIN clock ON"
            " clock.match = match.key LEFT JOIN sitting ON sitting.match = match.key AND"
            " sitting.seat = seat.seat WHERE seat.account = ?1 AND match.state = 'running'"
            " ORDER BY match.key LIMIT 1000");
    db_bind_text(stmt, 1, account->text);
    while (db_row(db, stmt)) {
        struct calendar_match row = {.seat = (unsigned)db_int(stmt, 2),
                                     .sitting = (uint64_t)db_int(stmt, 3),
                                     .began = db_int(stmt, 7),
                                     .title = db_text(stmt, 4),
                                     .game = db_text(stmt, 5),
                                     .told = db_text(stmt, 6)};
        (void)db_text_into(stmt, 0, row.id.text, sizeof row.id.text);
        (void)db_text_into(stmt, 1, row.code, sizeof row.code);
        if (match(ctx, &row)) { continue; }
        db_end(stmt);
        break;
    }
    return db_status(db, ERR_OK);
}
