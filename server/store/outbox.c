/* server/store/outbox.c: SQL of notices and sittings. */
#include "server/store/outbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"

static const char *const kinds[NOTICE_KINDS] = {"turn",  "reminder", "late",  "missed",
                                                "claim", "vacant",   "offer", "begun",
                                                "over",  "invited",  "away",  "converted",
                                                "mention", "dead",  "test"};

const char *notice_kind_name(enum notice_kind kind)
{
    return kinds[kind];
}

bool notice_kind_read(const char *name, enum notice_kind *out_kind)
{
    for (unsigned i = 0; i < NOTICE_KINDS; i++) {
        if (strcmp(kinds[i], name) == 0) {
            *out_kind = (enum notice_kind)i;
            return true;
        }
    }
    return false;
}

struct notices_write *notices_write_create(size_t step_count)
{
    struct notices_write *write = calloc(1, sizeof *write + step_count * sizeof write->steps[0]);
    if (write != NULL) { write->step_count = step_count; }
    return write;
}

void notices_write_free(void *notices_write)
{
    struct notices_write *write = notices_write;
    while (write != NULL && write->notes != NULL) {
        struct notice_note *note = write->notes;
        write->notes = note->next;
        free(note);
    }
    free(write);
}

/* --- rows of notices -------------------------------------------------------------------------- */

/* Nothing is written for whom there is no way to tell; told once is told. */
static enum err insert_notice(struct db *db, const char *account, const struct notice_add *add)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO notice (account, match, kind, seat, number, seq, at, due, data, state)"
            " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'waiting' FROM account WHERE id = ?1"
            " AND disabled_at IS NULL"
            " AND (email_confirmed_at IS NOT NULL OR settings LIKE '%\"notices\":%')"
            " ON CONFLICT DO NOTHING");
    db_bind_text(stmt, 1, account);
    if (add->match == 0) {
        db_bind_null(stmt, 2);
    } else {
        db_bind_int(stmt, 2, add->match);
    }
    db_bind_text(stmt, 3, kinds[add->kind]);
    db_bind_int(stmt, 4, add->seat);
    db_bind_int(stmt, 5, (int64_t)add->number);
    db_bind_int(stmt, 6, (int64_t)add->seq);
    db_bind_int(stmt, 7, add->at);
    db_bind_int(stmt, 8, add->due);
    db_bind_text(stmt, 9, add->data[0] == '\0' ? "{}" : add->data);
    return db_run(db, stmt);
}

enum err notice_add_run(struct db *db, void *notice_add)
{
    const struct notice_add *add = notice_add;
    return insert_notice(db, add->account.text, add);
}

/* Who holds the seat now; "": nobody. */
static void read_holder(struct db *db, int64_t match, unsigned seat, char out[ACCOUNT_ID_CHARS + 1])
{
    out[0] = '\0';
    sqlite3_stmt *stmt = db_prepare(db, "SELECT account FROM seat WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    if (!db_row(db, stmt)) { return; }
    (void)db_text_into(stmt, 0, out, ACCOUNT_ID_CHARS + 1);
    db_end(stmt);
}

static enum err tell_seat(struct db *db, const struct notices_write *write, enum notice_kind kind,
                          unsigned seat, uint64_t number, const char *data)
{
    struct notice_add add = {.match = write->match,
                             .kind = kind,
                             .seat = (int)seat,
                             .number = number,
                             .seq = write->seq[seat],
                             .at = write->at,
                             .due = write->due};
    strncpy(add.data, data, sizeof add.data - 1);
    read_holder(db, write->match, seat, add.account.text);
    return add.account.text[0] == '\0' ? db_status(db, ERR_OK)
                                       : insert_notice(db, add.account.text, &add);
}

/* What was told of a sitting is no news once it has ended. */
static enum err end_notices(struct db *db, int64_t match, unsigned seat)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE notice SET state = 'stale' WHERE match = ?1 AND seat = ?2 AND"
                       " state IN ('waiting', 'sending') AND kind IN ('turn', 'reminder', 'late')");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    return db_run(db, stmt);
}

/* --- sittings --------------------------------------------------------------------------------- */

struct sitting {
    uint64_t number, began, ended;
    bool runs, known, changed;
};

static enum err read_sittings(struct db *db, int64_t match, struct sitting out[ROW_SEATS_MAX],
                              bool *out_first)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seat, number, runs, began, ended FROM sitting WHERE match = ?1");
    *out_first = true;
    db_bind_int(stmt, 1, match);
    while (db_row(db, stmt)) {
        int64_t seat = db_int(stmt, 0);
        if (seat < 0 || seat >= ROW_SEATS_MAX) { continue; }
        *out_first = false;
        out[seat] = (struct sitting){.number = (uint64_t)db_int(stmt, 1),
                                     .runs = db_int(stmt, 2) != 0,
                                     .began = (uint64_t)db_int(stmt, 3),
                                     .ended = (uint64_t)db_int(stmt, 4),
                                     .known = true};
    }
    return db_status(db, ERR_OK);
}

static enum err write_sitting(struct db *db, int64_t match, unsigned seat,
                              const struct sitting *sitting)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO sitting (match, seat, number, runs, began, ended) VALUES (?1, ?2, ?3, ?4,"
            " ?5, ?6) ON CONFLICT DO UPDATE SET number = excluded.number, runs = excluded.runs,"
            " began = excluded.began, ended = excluded.ended");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    db_bind_int(stmt, 3, (int64_t)sitting->number);
    db_bind_int(stmt, 4, sitting->runs ? 1 : 0);
    db_bind_int(stmt, 5, (int64_t)sitting->began);
    db_bind_int(stmt, 6, (int64_t)sitting->ended);
    return db_run(db, stmt);
}

/* One seat through all steps. */
static void follow(const struct notices_write *write, unsigned seat, struct sitting *sitting)
{
    for (size_t i = 0; i < write->step_count; i++) {
        bool runs = (write->steps[i].waits_for >> seat & 1U) != 0;
        if (runs == sitting->runs) { continue; }
        sitting->runs = runs;
        sitting->changed = true;
        if (runs) {
            sitting->number++;
            sitting->began = write->steps[i].seq;
        } else {
            sitting->ended = write->steps[i].seq;
        }
    }
}

static enum err tell_since(struct db *db, const struct notices_write *write, enum notice_kind kind,
                           unsigned seat, uint64_t number, uint64_t since)
{
    char data[48];
    snprintf(data, sizeof data, "{\"since\":%llu}", (unsigned long long)since);
    return tell_seat(db, write, kind, seat, number, data);
}

/* What everybody was shown last. */
static uint64_t newest_seq(const struct notices_write *write)
{
    return write->step_count == 0 ? 0 : write->steps[write->step_count - 1].seq;
}

static enum err write_seat(struct db *db, const struct notices_write *write, unsigned seat,
                           struct sitting *sitting, bool first)
{
    enum err err = ERR_OK;
    const uint64_t since = sitting->ended;
    follow(write, seat, sitting);
    if (sitting->changed || first) { err = write_sitting(db, write->match, seat, sitting); }
    if (err == ERR_OK && sitting->changed && !first) { err = end_notices(db, write->match, seat); }
    if (err != ERR_OK) { return err; }
    if (write->over) { return tell_since(db, write, NOTICE_OVER, seat, newest_seq(write), since); }
    bool moved = (write->moved >> seat & 1U) != 0;
    if (sitting->runs && (sitting->changed || moved)) {
        return tell_since(db, write, NOTICE_TURN, seat, sitting->number, sitting->ended);
    }
    /* A match may have begun before there were notices. */
    const bool begins = first && write->steps[0].seq <= 1;
    return begins ? tell_seat(db, write, NOTICE_BEGUN, seat, 0, "{}") : ERR_OK;
}

enum err notices_write_run(struct db *db, void *notices_write)
{
    const struct notices_write *write = notices_write;
    struct sitting sittings[ROW_SEATS_MAX] = {0};
    bool first = false;
    enum err err = read_sittings(db, write->match, sittings, &first);
    for (unsigned seat = 0; err == ERR_OK && seat < write->seats; seat++) {
        if (write->step_count == 0 && !write->over) { break; }
        err = write_seat(db, write, seat, &sittings[seat], first);
    }
    for (const struct notice_note *note = write->notes; err == ERR_OK && note != NULL;
         note = note->next) {
        err = tell_seat(db, write, note->kind, note->seat, note->number, note->data);
    }
    return err;
}

/* --- what a player has seen, and wants -------------------------------------------------------- */

enum err seen_write_run(struct db *db, void *seen_write)
{
    const struct seen_write *write = seen_write;
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO seen (match, account, seat, seq, at) VALUES (?1, ?2, ?3, ?4,"
                       " ?5) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq), at ="
                       " excluded.at");
    db_bind_int(stmt, 1, write->match);
    db_bind_text(stmt, 2, write->account.text);
    db_bind_int(stmt, 3, write->seat);
    db_bind_int(stmt, 4, (int64_t)write->seq);
    db_bind_int(stmt, 5, write->at);
    return db_run(db, stmt);
}

enum err outbox_read_override(struct db *db, int64_t match, const struct account_id *account,
                              char **out_settings)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT settings FROM match_notices WHERE match = ?1 AND account = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    *out_settings = db_text_copy(stmt, 0);
    db_end(stmt);
    return *out_settings != NULL ? ERR_OK : ERR_INTERNAL;
}

enum err outbox_forget_endpoints(struct db *db, const struct account_id *account)
{
    sqlite3_stmt *stmt = db_prepare(db, "DELETE FROM endpoint WHERE account = ?1");
    db_bind_text(stmt, 1, account->text);
    return db_run(db, stmt);
}

enum err outbox_write_override(struct db *db, int64_t match, const struct account_id *account,
                               const char *settings)
{
    sqlite3_stmt *stmt = db_prepare(
        db, settings == NULL
                ? "DELETE FROM match_notices WHERE match = ?1 AND account = ?2"
                : "INSERT INTO match_notices (match, account, settings) VALUES (?1, ?2, ?3) ON"
                  " CONFLICT DO UPDATE SET settings = excluded.settings");
    db_bind_int(stmt, 1, match);
    db_bind_text(stmt, 2, account->text);
    if (settings != NULL) { db_bind_text(stmt, 3, settings); }
    return db_run(db, stmt);
}
