/* server/store/talk.c: SQL of talk. */
#include "server/store/talk.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/store/db.h"
#include "server/store/late.h"

static const char *const channels[TALK_CHANNELS] = {"table", "side", "watchers"};

enum { ANSWER_BYTES_MAX = 1 << 16 };

const char *talk_channel_name(enum talk_channel channel)
{
    return channels[channel];
}

bool talk_channel_read(const char *name, enum talk_channel *out_channel)
{
    for (unsigned i = 0; i < TALK_CHANNELS; i++) {
        if (strcmp(channels[i], name) != 0) { continue; }
        *out_channel = (enum talk_channel)i;
        return true;
    }
    return false;
}

static void write_message(struct buf *out, const char *channel, int64_t n, int64_t at,
                          const char *from, const char *text)
{
    jw_object_begin(out);
    jw_key_str(out, "channel", channel);
    jw_key_int(out, "n", n);
    jw_key_int(out, "at", at);
    jw_key_str(out, "from", from);
    jw_key_str(out, "text", text);
    jw_object_end(out);
}

/* ---- saying ---- */

static enum err next_number(struct db *db, const struct talk_write *write, int64_t *out_n)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT coalesce(max(n), 0) + 1 FROM message WHERE match = ?1 AND channel = ?2");
    db_bind_int(stmt, 1, write->match);
    db_bind_text(stmt, 2, channels[write->channel]);
    if (!db_row(db, stmt)) { return ERR_STORAGE_FAILED; }
    *out_n = db_int(stmt, 0);
    db_end(stmt);
    return *out_n > TALK_CHANNEL_MESSAGES_MAX ? ERR_TOO_LARGE : ERR_OK;
}

static enum err insert_message(struct db *db, const struct talk_write *write, int64_t n)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO message (match, channel, n, at, account, text, seat)"
                       " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    db_bind_int(stmt, 1, write->match);
    db_bind_text(stmt, 2, channels[write->channel]);
    db_bind_int(stmt, 3, n);
    db_bind_int(stmt, 4, write->at);
    db_bind_text(stmt, 5, write->account.text);
    db_bind_text(stmt, 6, write->text);
    if (write->seat >= 0) {
        db_bind_int(stmt, 7, write->seat);
    } else {
        db_bind_null(stmt, 7);
    }
    return db_run(db, stmt);
}

static enum err keep_answer(struct db *db, struct talk_write *write)
{
    if (write->action_id == NULL) { return ERR_OK; }
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO answer (account, action_id, params, at, body)"
                                        " VALUES (?1, ?2, ?3, ?4, ?5)");
    db_bind_text(stmt, 1, write->account.text);
    db_bind_text(stmt, 2, write->action_id);
    db_bind_blob(stmt, 3, write->params.bytes, HASH_BYTES);
    db_bind_int(stmt, 4, write->at);
    db_bind_textn(stmt, 5, write->answer.data, write->answer.len);
    return db_run(db, stmt);
}

/* Who has muted the author in the match, or blocked him altogether. */
static enum err read_deaf(struct db *db, struct talk_write *write)
{
    free(write->deaf);
    write->deaf = NULL;
    write->deaf_count = 0;
    sqlite3_stmt *stmt = db_prepare(db, "SELECT account FROM mute WHERE muted = ?1 AND match = ?2"
                                        " UNION SELECT account FROM block WHERE blocked = ?1");
    db_bind_text(stmt, 1, write->account.text);
    db_bind_int(stmt, 2, write->match);
    bool good = true;
    while (db_row(db, stmt)) {
        struct account_id *deaf =
            realloc(write->deaf, (write->deaf_count + 1) * sizeof *write->deaf);
        good = good && deaf != NULL;
        if (!good) { continue; }
        write->deaf = deaf;
        (void)db_text_into(stmt, 0, deaf[write->deaf_count].text, sizeof deaf->text);
        write->deaf_count++;
    }
    return db_status(db, good ? ERR_OK : ERR_STORAGE_FAILED);
}

enum err talk_write_message(struct db *db, void *talk_write)
{
    struct talk_write *write = talk_write;
    int64_t n = 0;
    enum err err = next_number(db, write, &n);
    if (err == ERR_OK) { err = insert_message(db, write, n); }
    if (err != ERR_OK) { return err; }
    if (write->seat < 0) { accounts_read_name(db, write->account.text, write->from); }
    buf_finish(&write->answer);
    buf_init(&write->answer, ANSWER_BYTES_MAX);
    write_message(&write->answer, channels[write->channel], n, write->at, write->from, write->text);
    write->n = n;
    if (write->answer.failed) { return ERR_STORAGE_FAILED; }
    err = read_deaf(db, write);
    return err == ERR_OK ? keep_answer(db, write) : err;
}

void talk_write_free(void *talk_write)
{
    struct talk_write *write = talk_write;
    if (write == NULL) { return; }
    buf_finish(&write->answer);
    free(write->deaf);
    free(write->text);
    free(write->action_id);
    free(write);
}

/* ---- reading ---- */

/* ?1 match, ?2 channel, ?3 account, ?4 said no later. What stays out: what was said before the
 * account had its seat, and by whom it wants to hear nothing. */
#define READABLE                                                                                   \
    " m.match = ?1 AND m.channel = ?2 AND m.at <= ?4 AND (m.channel <> 'side' OR m.n >"            \
    " (SELECT iif(s.owner = ?3, s.owner_after, s.side_after) FROM seat s WHERE s.match = ?1"       \
    " AND (s.account = ?3 OR s.owner = ?3)))"                                                      \
    " AND NOT EXISTS (SELECT 1 FROM mute u WHERE u.match = ?1 AND u.account = ?3"                  \
    " AND u.muted = m.account)"                                                                    \
    " AND NOT EXISTS (SELECT 1 FROM block b WHERE b.account = ?3 AND b.blocked = m.account)"

static enum err bind_read(struct db *db, sqlite3_stmt *stmt, const struct talk_read *read)
{
    uint64_t n = 0;
    int64_t until = INT64_MAX;
    enum err err =
        read->delay == 0 ? ERR_OK : late_read_line(db, read->match, read->delay, &n, &until);
    db_bind_int(stmt, 1, read->match);
    db_bind_text(stmt, 2, channels[read->channel]);
    db_bind_text(stmt, 3, read->account.text);
    db_bind_int(stmt, 4, until);
    return err;
}

enum err talk_read_messages(struct db *db, const struct talk_read *read, struct buf *out_json)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT n, at, coalesce(code, name, 'deleted player'), text FROM"
            " (SELECT m.n AS n, m.at AS at, t.code AS code, a.name AS name, m.text AS text"
            " FROM message m LEFT JOIN seat t ON t.match = m.match AND t.seat = m.seat"
            " LEFT JOIN account a ON a.id = m.account WHERE" READABLE
            " AND m.n < ?5 ORDER BY m.n DESC LIMIT ?6) ORDER BY n");
    enum err err = bind_read(db, stmt, read);
    if (err != ERR_OK) { return err; }
    db_bind_int(stmt, 5, read->before > INT64_MAX ? INT64_MAX : (int64_t)read->before);
    db_bind_int(stmt, 6, read->limit);
    while (db_row(db, stmt)) {
        write_message(out_json, channels[read->channel], db_int(stmt, 0), db_int(stmt, 1),
                      db_text(stmt, 2), db_text(stmt, 3));
    }
    return db_status(db, ERR_OK);
}

enum err talk_count_unread(struct db *db, const struct talk_read *read, unsigned *out_count)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM (SELECT 1 FROM message m WHERE" READABLE
                       " AND m.account <> ?3 AND m.n > coalesce((SELECT r.n FROM read_mark r WHERE"
                       " r.match = ?1 AND r.account = ?3 AND r.channel = ?2), 0) LIMIT ?5)");
    enum err err = bind_read(db, stmt, read);
    if (err != ERR_OK) { return err; }
    db_bind_int(stmt, 5, TALK_UNREAD_MAX);
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    *out_count = (unsigned)db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

enum err talk_find(struct db *db, const struct talk_read *read, uint64_t n, bool *out_found)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM message m WHERE" READABLE " AND m.n = ?5");
    enum err err = bind_read(db, stmt, read);
    if (err != ERR_OK) { return err; }
    db_bind_int(stmt, 5, n > INT64_MAX ? INT64_MAX : (int64_t)n);
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    *out_found = db_int(stmt, 0) > 0;
    db_end(stmt);
    return ERR_OK;
}
#undef READABLE

/* ---- marks, mutes, reports ---- */

enum err talk_write_mark(struct db *db, int64_t match, const struct account_id *account,
                         enum talk_channel channel, uint64_t n)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO read_mark (match, account, channel, n) VALUES (?1, ?2, ?3, ?4)"
                       " ON CONFLICT DO UPDATE SET n = max(n, excluded.n)");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_text(stmt, 3, channels[channel]);
    db_bind_int(stmt, 4, (int64_t)n);
    return db_run(db, stmt);
}

/* The only number that the statement gives. */
static enum err read_count(struct db *db, sqlite3_stmt *stmt, int64_t *out_count)
{
    if (!db_row(db, stmt)) { return db_status(db, ERR_STORAGE_FAILED); }
    *out_count = db_int(stmt, 0);
    db_end(stmt);
    return ERR_OK;
}

enum err talk_write_mute(struct db *db, int64_t match, const struct account_id *account,
                         const struct account_id *other, bool on)
{
    int64_t count = 0;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM mute WHERE match = ?1 AND account = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    enum err err = read_count(db, stmt, &count);
    if (err != ERR_OK) { return err; }
    if (on && count >= TALK_MUTES_MAX) { return ERR_TOO_LARGE; }
    stmt = on ? db_prepare(db, "INSERT INTO mute (match, account, muted) VALUES (?1, ?2, ?3)"
                               " ON CONFLICT DO NOTHING")
              : db_prepare(db, "DELETE FROM mute WHERE match = ?1 AND account = ?2 AND muted = ?3");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    db_bind_text(stmt, 3, other->text);
    return db_run(db, stmt);
}

/* The words of the message that is reported, and whose they are. */
static enum err read_reported(struct db *db, const struct talk_report *report,
                              struct account_id *out_accused, char **out_said)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT account, text FROM message WHERE match = ?1"
                                        " AND channel = ?2 AND n = ?3");
    db_bind_int(stmt, 1, report->match);
    db_bind_text(stmt, 2, channels[report->channel]);
    db_bind_int(stmt, 3, (int64_t)report->n);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    (void)db_text_into(stmt, 0, out_accused->text, sizeof out_accused->text);
    *out_said = db_text_copy(stmt, 1);
    db_end(stmt);
    return *out_said == NULL ? ERR_STORAGE_FAILED : ERR_OK;
}

enum err talk_write_report(struct db *db, const struct talk_report *report)
{
    int64_t open = 0;
    char *said = NULL;
    struct account_id accused = report->accused;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*) FROM report WHERE closed IS NULL AND reporter = ?1");
    db_bind_text(stmt, 1, report->reporter.text);
    enum err err = read_count(db, stmt, &open);
    if (err == ERR_OK && open >= TALK_REPORTS_MAX) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK && report->n != 0) { err = read_reported(db, report, &accused, &said); }
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "INSERT INTO report (at, match, reporter, accused, channel, n, said, why)"
                          " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    db_bind_int(stmt, 1, report->at);
    db_bind_text(stmt, 2, report->id.text);
    db_bind_text(stmt, 3, report->reporter.text);
    db_bind_text(stmt, 4, accused.text);
    db_bind_text(stmt, 5, report->n == 0 ? NULL : channels[report->channel]);
    if (report->n == 0) {
        db_bind_null(stmt, 6);
    } else {
        db_bind_int(stmt, 6, (int64_t)report->n);
    }
    db_bind_text(stmt, 7, said);
    db_bind_text(stmt, 8, report->why);
    err = db_run(db, stmt);
    free(said);
    return err;
}

enum err talk_each_report(struct db *db, bool all,
                          void (*row)(void *ctx, const struct talk_report_row *row), void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT r.key, r.at, coalesce(r.closed, 0), r.match,"
                       " coalesce(a.name, 'deleted player'), coalesce(b.name, 'deleted player'),"
                       " coalesce(r.channel, ''), coalesce(r.n, 0), coalesce(r.said, ''), r.why"
                       " FROM report r LEFT JOIN account a ON a.id = r.reporter"
                       " LEFT JOIN account b ON b.id = r.accused"
                       " WHERE ?1 OR r.closed IS NULL ORDER BY r.key");
    db_bind_int(stmt, 1, all ? 1 : 0);
    while (db_row(db, stmt)) {
        const struct talk_report_row found = {
            .key = db_int(stmt, 0),
            .at = db_int(stmt, 1),
            .closed = db_int(stmt, 2),
            .match = db_text(stmt, 3),
            .reporter = db_text(stmt, 4),
            .accused = db_text(stmt, 5),
            .channel = db_text(stmt, 6),
            .n = (uint64_t)db_int(stmt, 7),
            .said = db_text(stmt, 8),
            .why = db_text(stmt, 9),
        };
        row(ctx, &found);
    }
    return db_status(db, ERR_OK);
}

enum err talk_close_report(struct db *db, int64_t key, int64_t at)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE report SET closed = ?2 WHERE key = ?1 AND closed IS NULL");
    db_bind_int(stmt, 1, key);
    db_bind_int(stmt, 2, at);
    enum err err = db_run(db, stmt);
    return err == ERR_OK && db_changes(db) == 0 ? ERR_NOT_FOUND : err;
}
