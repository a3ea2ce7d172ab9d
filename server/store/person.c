/* server/store/person.c: a person's data. */
#include "server/store/person.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonw.h"
#include "server/store/db.h"

/* ?1: the account's id. Each gives one text, a JSON array. */
#define OF_MATCH " JOIN match m ON m.key = t.match WHERE t.account = ?1"
static const struct part {
    const char *member, *sql;
} parts[] = {
    {"drafts", "SELECT json_group_array(json_object('match', m.id, 'version', t.version, 'seq', "
               "t.seq, 'actions', json(t.actions))) FROM draft t" OF_MATCH},
    {"standing", "SELECT json_group_array(json_object('match', m.id, 'seat', s.code, 'version', "
                 "t.version, 'at', t.at, 'orders', json(t.orders))) FROM standing t "
                 "JOIN seat s ON s.match = t.match AND s.seat = t.seat "
                 "JOIN match m ON m.key = t.match WHERE s.account = ?1"},
    {"held", "SELECT json_group_array(json_object('match', m.id, 'seat', s.code, 'at', t.at, "
             "'due', t.due, 'action', json(t.action))) FROM held t "
             "JOIN seat s ON s.match = t.match AND s.seat = t.seat "
             "JOIN match m ON m.key = t.match WHERE s.account = ?1"},
    {"made", "SELECT json_group_array(json_object('match', m.id, 'title', m.title, 'at', "
             "m.created_at)) FROM match m WHERE m.creator = ?1"},
    {"lent", "SELECT json_group_array(json_object('match', m.id, 'seat', t.code, 'until', "
             "t.until)) FROM seat t JOIN match m ON m.key = t.match WHERE t.owner = ?1"},
    {"held_before", "SELECT json_group_array(json_object('match', m.id, 'seat', s.code, 'since', "
                    "t.since, 'until', t.until, 'how', t.how)) FROM holder t "
                    "JOIN seat s ON s.match = t.match AND s.seat = t.seat" OF_MATCH},
    {"invitations", "SELECT json_group_array(m.id) FROM invite t" OF_MATCH},
    {"seen_whole", "SELECT json_group_array(json_object('match', m.id, 'at', t.at)) "
                   "FROM sight t" OF_MATCH},
    {"shut_out_of", "SELECT json_group_array(json_object('match', m.id, 'at', t.at)) "
                    "FROM bar t" OF_MATCH},
    {"muted", "SELECT json_group_array(json_object('match', m.id, 'name', coalesce(a.name, "
              "'deleted player'))) FROM mute t LEFT JOIN account a ON a.id = t.muted" OF_MATCH},
    {"read", "SELECT json_group_array(json_object('match', m.id, 'channel', t.channel, 'n', t.n)) "
             "FROM read_mark t" OF_MATCH},
    {"seen", "SELECT json_group_array(json_object('match', m.id, 'seq', t.seq)) "
             "FROM seen t" OF_MATCH},
    {"match_notices", "SELECT json_group_array(json_object('match', m.id, 'settings', "
                      "json(t.settings))) FROM match_notices t" OF_MATCH},
    {"notices", "SELECT json_group_array(json_object('match', m.id, 'kind', t.kind, 'at', t.at, "
                "'state', t.state)) FROM notice t LEFT JOIN match m ON m.key = t.match "
                "WHERE t.account = ?1"},
    {"deliveries", "SELECT json_group_array(json_object('channel', t.channel, 'state', t.state, "
                   "'attempts', t.attempts)) FROM delivery t WHERE t.account = ?1"},
    {"endpoints", "SELECT json_group_array(json_object('channel', t.channel, 'working', "
                  "json(iif(t.disabled_at IS NULL, 'true', 'false')))) FROM endpoint t "
                  "WHERE t.account = ?1"},
    {"calendar", "SELECT json_group_array(json_object('at', t.at)) FROM calendar t "
                 "WHERE t.account = ?1"},
    {"reports", "SELECT json_group_array(json_object('match', t.match, 'at', t.at, 'accused', "
                "coalesce(a.name, 'deleted player'), 'why', t.why)) FROM report t "
                "LEFT JOIN account a ON a.id = t.accused WHERE t.reporter = ?1"},
    {"looks", "SELECT json_group_array(json_object('match', m.id, 'at', t.at, 'reason', t.reason)) "
              "FROM look t" OF_MATCH},
    {"networks", "SELECT json_group_array(json_object('at', t.at)) FROM seen_network t "
                 "WHERE t.account = ?1"},
    {"recovery_codes", "SELECT json_group_array(json_object('used', json(iif(t.used_at IS NULL, "
                       "'false', 'true')))) FROM recovery_code t WHERE t.account = ?1"},
    {"mailed", "SELECT json_group_array(json_object('kind', t.kind, 'address', t.address, 'at', "
               "t.made_at, 'expires', t.expires_at)) FROM mailed_token t WHERE t.account = ?1"},
    {"action_ids", "SELECT json_group_array(json_object('action_id', t.action_id, 'at', t.at)) "
                   "FROM answer t WHERE t.account = ?1"},
};
#undef OF_MATCH

void person_write(struct db *db, const struct account_id *account, struct buf *out)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        sqlite3_stmt *stmt = db_prepare(db, parts[i].sql);
        db_bind_text(stmt, 1, account->text);
        if (!db_row(db, stmt)) { continue; }
        const char *json = db_text(stmt, 0);
        jw_key_raw(out, parts[i].member, json, strlen(json));
        db_end(stmt);
    }
}

/* Tables that go with the row of the account by themselves (token, block, recovery_code,
 * mailed_token, seen_network) are not among them. */
static const char *const erasures[] = {
    "UPDATE message SET text = '' WHERE account = ?1",
    "UPDATE match SET title = '' WHERE creator = ?1",
    "DELETE FROM note WHERE account = ?1",
    "DELETE FROM draft WHERE account = ?1",
    "DELETE FROM standing WHERE EXISTS (SELECT 1 FROM seat s WHERE s.match = standing.match AND "
    "s.seat = standing.seat AND s.account = ?1)",
    "DELETE FROM invite WHERE account = ?1",
    "DELETE FROM bar WHERE account = ?1",
    "DELETE FROM mute WHERE account = ?1 OR muted = ?1",
    "DELETE FROM read_mark WHERE account = ?1",
    "DELETE FROM seen WHERE account = ?1",
    "DELETE FROM match_notices WHERE account = ?1",
    "DELETE FROM delivery WHERE account = ?1",
    "DELETE FROM notice WHERE account = ?1",
    "DELETE FROM endpoint WHERE account = ?1",
    "DELETE FROM calendar WHERE account = ?1",
    "UPDATE report SET why = '' WHERE reporter = ?1",
    "UPDATE look SET reason = '' WHERE account = ?1",
    "DELETE FROM audit WHERE account = ?1",
    "UPDATE audit SET by = 'deleted player' WHERE by = ?1",
    "DELETE FROM answer WHERE account = ?1",
    "DELETE FROM nonce_commit WHERE account = ?1 AND dealt = 0",
    "DELETE FROM account_notice WHERE account = ?1 AND what <> 'deleted'",
};

enum err person_erase(struct db *db, const struct account_id *account)
{
    enum err err = ERR_OK;
    for (size_t i = 0; err == ERR_OK && i < sizeof erasures / sizeof erasures[0]; i++) {
        sqlite3_stmt *stmt = db_prepare(db, erasures[i]);
        db_bind_text(stmt, 1, account->text);
        err = db_run(db, stmt);
    }
    return err;
}
