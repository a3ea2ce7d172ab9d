/* server/store/mention.c: names in what is said. */
#include "server/store/mention.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"
#include "server/store/outbox.h"

enum { HEARERS_MAX = 64 };
#define DAY_MS INT64_C(86400000)

/* --- names ------------------------------------------------------------------------------------ */

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_ascii_of_names(unsigned char c)
{
    return (c >= '0' && c <= '9') || (fold((char)c) >= 'a' && fold((char)c) <= 'z') || c == '_' ||
           c == '-';
}

/* Whether a name could go on with what begins there, or end with what ends before `at`: letters of
 * alphabets. Where words are written without blanks between them (Chinese, Japanese) a name may
 * stand right before other signs. */
static bool goes_on(const unsigned char *at)
{
    if (at[0] < 0x80) { return is_ascii_of_names(at[0]); }
    if (at[0] >= 0xc3 && at[0] <= 0xdf) { return true; }      /* U+00C0 .. U+07FF */
    return at[0] == 0xe1 || (at[0] == 0xe0 && at[1] >= 0xa0); /* U+0800 .. U+1FFF */
}

static bool ends_name(const char *text, const char *at)
{
    const unsigned char *before = (const unsigned char *)at;
    if (at == text) { return true; }
    do {
        before--;
    } while (before > (const unsigned char *)text && (*before & 0xc0) == 0x80);
    return !goes_on(before);
}

bool mention_calls(const char *text, const char *name)
{
    const size_t n = strlen(name);
    if (n == 0) { return false; }
    for (const char *at = strchr(text, '@'); at != NULL; at = strchr(at + 1, '@')) {
        size_t same = 0;
        while (same < n && fold(at[1 + same]) == fold(name[same])) {
            same++;
        }
        if (same < n || !ends_name(text, at)) { continue; }
        if (!goes_on((const unsigned char *)at + 1 + n)) { return true; }
    }
    return false;
}

/* --- who hears -------------------------------------------------------------------------------- */

struct hearer {
    struct account_id account;
    int seat; /* -1: he holds none, or has lent it */
};

static bool is_deaf(const struct talk_write *write, const struct account_id *account)
{
    for (size_t i = 0; i < write->deaf_count; i++) {
        if (account_id_same(&write->deaf[i], account)) { return true; }
    }
    return false;
}

/* Rows of account, name, code of the seat ("": none), seat (-1): those that are called. */
static unsigned read_called(struct db *db, sqlite3_stmt *stmt, const struct talk_write *write,
                            struct hearer out[HEARERS_MAX])
{
    unsigned count = 0;
    while (db_row(db, stmt)) {
        struct hearer one = {.seat = (int)db_int(stmt, 3)};
        if (count == HEARERS_MAX || !db_text_into(stmt, 0, one.account.text, sizeof one.account)) {
            continue;
        }
        const bool called = mention_calls(write->text, db_text(stmt, 1)) ||
                            mention_calls(write->text, db_text(stmt, 2));
        if (!called || account_id_same(&one.account, &write->account)) { continue; }
        if (!is_deaf(write, &one.account)) { out[count++] = one; }
    }
    return count;
}

/* At the table and on the side those who have a seat there, or have lent it. */
static unsigned read_seats(struct db *db, const struct talk_write *write,
                           struct hearer out[HEARERS_MAX])
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT a.id, a.name, s.code, iif(a.id = s.account, s.seat, -1) FROM seat s JOIN"
            " account a ON a.id = s.account OR a.id = s.owner WHERE s.match = ?1 AND"
            " (?2 >> s.seat & 1) = 1 ORDER BY s.seat");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, write->hearers);
    return read_called(db, stmt, write, out);
}

/* Of spectators those who have said something there: until the reveal none who has or had a seat,
 * for whom nothing is said there, and at no time who was shut out. */
static unsigned read_watchers(struct db *db, const struct talk_write *write,
                              struct hearer out[HEARERS_MAX])
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT DISTINCT a.id, a.name, '', -1 FROM message m JOIN account a ON a.id ="
            " m.account WHERE m.match = ?1 AND m.channel = ?2 AND m.seat IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM bar b WHERE b.match = ?1 AND b.account = a.id)"
            " AND ((SELECT revealed FROM match WHERE key = ?1) <> 0 OR NOT EXISTS"
            " (SELECT 1 FROM seat s WHERE s.match = ?1 AND (s.account = a.id OR s.owner = a.id)"
            " UNION ALL SELECT 1 FROM holder h WHERE h.match = ?1 AND h.account = a.id))");
    db_bind_int(stmt, 1, write->match);
    db_bind_text(stmt, 2, talk_channel_name(write->channel));
    return read_called(db, stmt, write, out);
}

/* --- told ------------------------------------------------------------------------------------- */

static bool is_told_enough(struct db *db, const struct talk_write *write,
                           const struct account_id *account)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*), coalesce(max(iif(match = ?3, at, 0)), 0) FROM notice"
                       " WHERE account = ?1 AND kind = 'mention' AND at > ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_int(stmt, 2, write->at - DAY_MS);
    db_bind_int(stmt, 3, write->match);
    if (!db_row(db, stmt)) { return true; }
    const bool enough =
        db_int(stmt, 0) >= MENTION_DAY_MAX || db_int(stmt, 1) > write->at - MENTION_EACH_MS;
    db_end(stmt);
    return enough;
}

static enum err tell(struct db *db, const struct talk_write *write, const struct hearer *hearer)
{
    struct notice_add add = {.account = hearer->account,
                             .match = write->match,
                             .kind = NOTICE_MENTION,
                             .seat = hearer->seat,
                             .number = (uint64_t)write->n * TALK_CHANNELS + write->channel,
                             .at = write->at,
                             .due = write->notice_due};
    (void)snprintf(add.data, sizeof add.data, "{\"channel\":\"%s\",\"n\":%lld}",
                   talk_channel_name(write->channel), (long long)write->n);
    return notice_add_run(db, &add);
}

enum err mention_write(struct db *db, void *talk_write)
{
    struct talk_write *write = talk_write;
    struct hearer called[HEARERS_MAX];
    write->mentions = 0;
    if (strchr(write->text, '@') == NULL) { return ERR_OK; }
    const bool apart = write->channel == TALK_WATCHERS;
    const unsigned count = apart ? read_watchers(db, write, called) : read_seats(db, write, called);
    enum err err = db_status(db, ERR_OK);
    for (unsigned i = 0; err == ERR_OK && i < count; i++) {
        if (is_told_enough(db, write, &called[i].account)) { continue; }
        err = tell(db, write, &called[i]);
        write->mentions++;
    }
    return err;
}
