/* server/store/matches.c: SQL of lines, tips, answers, snapshots and messages. */
#include "server/store/matches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/db.h"
#include "server/store/people.h"

enum { FAULTS_MAX = 1000 }; /* that are kept: who finds one could fill the disk with it */

static void put_u64(uint8_t *out, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static void put_u32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint64_t get_u64(const uint8_t *in)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++) {
        value |= (uint64_t)in[i] << (8 * i);
    }
    return value;
}

static uint32_t get_u32(const uint8_t *in)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        value |= (uint32_t)in[i] << (8 * i);
    }
    return value;
}

void tip_write_viewers(const struct tip_viewer viewers[ROW_VIEWERS], uint8_t out[TIP_BYTES])
{
    for (unsigned i = 0; i < ROW_VIEWERS; i++) {
        const struct tip_viewer *viewer = &viewers[i];
        uint8_t *at = out + i * TIP_VIEWER_BYTES;
        put_u64(at, viewer->seq);
        put_u64(at + 8, viewer->n);
        put_u64(at + 16, (uint64_t)viewer->at);
        memcpy(at + 24, viewer->head.bytes, HASH_BYTES);
        put_u32(at + 56, viewer->to_act);
        put_u32(at + 60, viewer->waits_for);
        put_u32(at + 64, viewer->undo);
    }
}

bool tip_read_viewers(const void *bytes, size_t n, struct tip_viewer out_viewers[ROW_VIEWERS])
{
    if (n != TIP_BYTES || bytes == NULL) { return false; }
    for (unsigned i = 0; i < ROW_VIEWERS; i++) {
        struct tip_viewer *viewer = &out_viewers[i];
        const uint8_t *at = (const uint8_t *)bytes + i * TIP_VIEWER_BYTES;
        viewer->seq = get_u64(at);
        viewer->n = get_u64(at + 8);
        viewer->at = (int64_t)get_u64(at + 16);
        memcpy(viewer->head.bytes, at + 24, HASH_BYTES);
        viewer->to_act = get_u32(at + 56);
        viewer->waits_for = get_u32(at + 60);
        viewer->undo = get_u32(at + 64);
    }
    return true;
}

/* A blob of 32 bytes. */
static bool read_hash(sqlite3_stmt *stmt, int column, struct hash *out)
{
    size_t n = 0;
    const void *bytes = db_blob(stmt, column, &n);
    if (bytes == NULL || n != HASH_BYTES) { return false; }
    memcpy(out->bytes, bytes, HASH_BYTES);
    return true;
}

static enum err read_match(struct db *db, const struct match_id *id, bool texts,
                           struct match_row *row)
{
    sqlite3_stmt *stmt = db_prepare(
        db,
        "SELECT key, game, rules, access, spectators, reveal, state, secret, commitment, result, "
        "options, coalesce(reveal_at, 0) FROM match WHERE id = ?1");
    db_bind_text(stmt, 1, id->text);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    row->id = *id;
    row->key = db_int(stmt, 0);
    bool good = db_text_into(stmt, 1, row->game, sizeof row->game);
    row->rules = (uint32_t)db_int(stmt, 2);
    row->closed = strcmp(db_text(stmt, 3), "open") != 0;
    row->spectators_public = strcmp(db_text(stmt, 4), "public") == 0;
    row->reveal_seats = strcmp(db_text(stmt, 5), "end") != 0;
    row->over = strcmp(db_text(stmt, 6), "over") == 0 || strcmp(db_text(stmt, 6), "aborted") == 0;
    good = read_hash(stmt, 7, &row->secret) && good;
    good = read_hash(stmt, 8, &row->commit) && good;
    bool lacking = false;
    if (!db_is_null(stmt, 9)) {
        row->result = db_text_copy(stmt, 9);
        lacking = row->result == NULL;
    }
    row->reveal_at = db_int(stmt, 11);
    if (texts) {
        row->options = db_text_copy(stmt, 10);
        lacking = lacking || row->options == NULL;
    }
    db_end(stmt);
    if (lacking) { return ERR_STORAGE_FAILED; }
    return good ? ERR_OK : ERR_STORAGE_FAILED;
}

static enum err read_seats(struct db *db, struct match_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT seat, code, account, nonce_commit IS NOT NULL, nonce IS NOT NULL, "
                       "nonce_lost, owner, coalesce(until, 0), vacant FROM seat WHERE match = ?1 "
                       "ORDER BY seat");
    db_bind_int(stmt, 1, row->key);
    while (db_row(db, stmt)) {
        int64_t seat = db_int(stmt, 0);
        if (seat < 0 || seat >= ROW_SEATS_MAX) { continue; }
        if (!db_text_into(stmt, 1, row->codes[seat], ROW_CODE_BYTES)) { continue; }
        (void)db_text_into(stmt, 2, row->accounts[seat].text, sizeof row->accounts[seat].text);
        row->nonces[seat] = db_int(stmt, 3) == 0   ? SEAT_NONCE_WAIVED
                            : db_int(stmt, 4) != 0 ? SEAT_NONCE_OPENED
                            : db_int(stmt, 5) != 0 ? SEAT_NONCE_LOST
                                                   : SEAT_NONCE_AWAITED;
        (void)db_text_into(stmt, 6, row->owners[seat].text, sizeof row->owners[seat].text);
        row->until[seat] = db_int(stmt, 7);
        if (db_int(stmt, 8) != 0) { row->vacant |= (uint8_t)(1U << seat); }
        if (row->seats <= (unsigned)seat) { row->seats = (unsigned)seat + 1; }
    }
    return db_status(db, ERR_OK);
}

static enum err read_tip(struct db *db, struct match_row *row)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT next_n, roll, mask, head, viewers, begun FROM tip WHERE match = ?1");
    db_bind_int(stmt, 1, row->key);
    if (!db_row(db, stmt)) { return db_status(db, ERR_OK); }
    row->next_n = (uint64_t)db_int(stmt, 0);
    row->roll = (uint64_t)db_int(stmt, 1);
    row->mask = (uint64_t)db_int(stmt, 2);
    bool good = read_hash(stmt, 3, &row->head);
    size_t n = 0;
    const void *bytes = db_blob(stmt, 4, &n);
    good = tip_read_viewers(bytes, n, row->tip) && good;
    row->begun = db_int(stmt, 5) != 0;
    db_end(stmt);
    return good ? ERR_OK : ERR_STORAGE_FAILED;
}

static enum err read_header(struct db *db, struct match_row *row)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT body FROM line WHERE match = ?1 AND n = 0");
    db_bind_int(stmt, 1, row->key);
    if (!db_row(db, stmt)) { return db_status(db, ERR_OK); }
    row->header = db_text_copy(stmt, 0);
    db_end(stmt);
    return row->header == NULL ? ERR_STORAGE_FAILED : ERR_OK;
}

enum err matches_read_row(struct db *db, const struct match_id *id, bool texts,
                          struct match_row *out_row)
{
    memset(out_row, 0, sizeof *out_row);
    enum err err = read_match(db, id, texts, out_row);
    if (err == ERR_OK) { err = read_seats(db, out_row); }
    if (err == ERR_OK) { err = read_tip(db, out_row); }
    if (err == ERR_OK && texts) { err = read_header(db, out_row); }
    if (err != ERR_OK) { match_row_finish(out_row); }
    return err;
}

void match_row_finish(struct match_row *row)
{
    free(row->options);
    free(row->result);
    free(row->header);
    row->options = NULL;
    row->result = NULL;
    row->header = NULL;
}

struct lines_write *lines_write_create(size_t line_count)
{
    struct lines_write *write =
        calloc(1, sizeof(struct lines_write) + line_count * sizeof(struct line_row));
    if (write != NULL) { write->line_count = line_count; }
    return write;
}

void lines_write_free(void *lines_write)
{
    struct lines_write *write = lines_write;
    if (write == NULL) { return; }
    for (size_t i = 0; i < write->line_count; i++) {
        free(write->lines[i].body);
    }
    free(write->result);
    free(write->action_id);
    free(write->answer);
    free(write->snapshot);
    free(write);
}

/* The tip of a new match, or the next of a running one: it must stand where the first line goes on
 * (DESIGN 8: an owner that lost its lock cannot write). */
static enum err write_tip(struct db *db, const struct lines_write *write)
{
    uint64_t from = write->lines[0].n;
    uint64_t next = write->lines[write->line_count - 1].n + 1;
    sqlite3_stmt *stmt =
        write->first
            ? db_prepare(db, "INSERT INTO tip (match, next_n, roll, mask, head, viewers, begun) "
                             "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
            : db_prepare(db, "UPDATE tip SET next_n = ?2, roll = ?3, mask = ?4, head = ?5, "
                             "viewers = ?6, begun = ?7 WHERE match = ?1 AND next_n = ?8");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)next);
    db_bind_int(stmt, 3, (int64_t)write->roll);
    db_bind_int(stmt, 4, (int64_t)write->mask);
    db_bind_blob(stmt, 5, write->head.bytes, HASH_BYTES);
    db_bind_blob(stmt, 6, write->viewers, TIP_BYTES);
    db_bind_int(stmt, 7, write->begun ? 1 : 0);
    if (!write->first) { db_bind_int(stmt, 8, (int64_t)from); }
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    return write->first || db_changes(db) == 1 ? ERR_OK : ERR_CONFLICT;
}

static enum err write_line(struct db *db, int64_t match, const struct line_row *line)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO line (match, n, at, seat, told, sealed, body, answer) "
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)line->n);
    db_bind_int(stmt, 3, line->at);
    db_bind_int(stmt, 4, line->seat);
    db_bind_int(stmt, 5, line->told);
    db_bind_int(stmt, 6, line->sealed ? 1 : 0);
    db_bind_textn(stmt, 7, line->body, line->body_len);
    if (line->answer == 0) {
        db_bind_null(stmt, 8);
    } else {
        db_bind_int(stmt, 8, (int64_t)line->answer);
    }
    return db_run(db, stmt);
}

/* Whether what has the id was asked for by the same call. */
static enum err compare_asked(struct db *db, const char *account, const char *action_id,
                              const struct hash *params)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT params = ?3 FROM answer WHERE account = ?1 AND action_id = ?2");
    db_bind_text(stmt, 1, account);
    db_bind_text(stmt, 2, action_id);
    db_bind_blob(stmt, 3, params->bytes, HASH_BYTES);
    if (!db_row(db, stmt)) { return ERR_STORAGE_FAILED; }
    bool same = db_int(stmt, 0) != 0;
    db_end(stmt);
    return same ? ERR_CONFLICT : ERR_OK;
}

enum err matches_write_answer(struct db *db, const char *account, const char *action_id,
                              const struct hash *params, int64_t at, const char *body)
{
    sqlite3_stmt *stmt = db_prepare(db, "INSERT INTO answer (account, action_id, params, at, body) "
                                        "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING");
    db_bind_text(stmt, 1, account);
    db_bind_text(stmt, 2, action_id);
    db_bind_blob(stmt, 3, params->bytes, HASH_BYTES);
    db_bind_int(stmt, 4, at);
    db_bind_text(stmt, 5, body);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK || db_changes(db) > 0) { return err; }
    return compare_asked(db, account, action_id, params);
}

static enum err write_snapshot(struct db *db, const struct lines_write *write)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT OR REPLACE INTO snapshot (match, n, rules, state_bytes, build, blob) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, (int64_t)write->lines[write->line_count - 1].n);
    db_bind_int(stmt, 3, write->rules);
    db_bind_int(stmt, 4, (int64_t)write->state_bytes);
    db_bind_text(stmt, 5, write->build);
    db_bind_blob(stmt, 6, write->snapshot, write->snapshot_len);
    return db_run(db, stmt);
}

/* The commitment is dealt for good, here alone; the header holds it. */
static enum err write_dealt(struct db *db, int64_t match, unsigned seat,
                            const struct nonce_write *nonce)
{
    sqlite3_stmt *stmt = db_prepare(db, "UPDATE nonce_commit SET dealt = 1, match = ?1 "
                                        "WHERE key = ?2 AND dealt = 0 AND commitment = ?3");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, nonce->dealt);
    db_bind_blob(stmt, 3, nonce->commit.bytes, HASH_BYTES);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    if (db_changes(db) != 1) { return ERR_CONFLICT; }
    stmt = db_prepare(db, "UPDATE seat SET nonce_commit = ?3 WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    db_bind_blob(stmt, 3, nonce->commit.bytes, HASH_BYTES);
    return db_run(db, stmt);
}

static enum err write_nonce(struct db *db, int64_t match, unsigned seat,
                            const struct nonce_write *nonce)
{
    if (nonce->dealt != 0) {
        enum err err = write_dealt(db, match, seat, nonce);
        if (err != ERR_OK) { return err; }
    }
    if (!nonce->opened && !nonce->lost) { return ERR_OK; }
    sqlite3_stmt *stmt = db_prepare(
        db, "UPDATE seat SET nonce = ?3, nonce_lost = ?4 WHERE match = ?1 AND seat = ?2");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, seat);
    if (nonce->opened) {
        db_bind_blob(stmt, 3, nonce->nonce.bytes, HASH_BYTES);
    } else {
        db_bind_null(stmt, 3);
    }
    db_bind_int(stmt, 4, nonce->lost ? 1 : 0);
    return db_run(db, stmt);
}

/* The match's own row: it runs, or it is over and, with its reveal, open. */
static enum err write_state(struct db *db, const struct lines_write *write)
{
    sqlite3_stmt *stmt =
        write->ended
            ? db_prepare(db, "UPDATE match SET state = iif(?4, 'aborted', 'over'), ended_at = ?2, "
                             "result = ?3, revealed = ?5 IS NULL, reveal_at = ?5 WHERE key = ?1")
            : db_prepare(db, "UPDATE match SET state = 'running', started_at = ?2 "
                             "WHERE key = ?1 AND state IN ('open', 'running')");
    db_bind_int(stmt, 1, write->match);
    db_bind_int(stmt, 2, write->at);
    if (write->ended) {
        db_bind_text(stmt, 3, write->result);
        db_bind_int(stmt, 4, write->aborted ? 1 : 0);
        if (write->reveal_at > 0) {
            db_bind_int(stmt, 5, write->reveal_at);
        } else {
            db_bind_null(stmt, 5);
        }
    }
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    return db_changes(db) == 1 ? ERR_OK : ERR_CONFLICT;
}

enum err matches_write(struct db *db, void *lines_write)
{
    const struct lines_write *write = lines_write;
    enum err err = write_tip(db, write);
    for (size_t i = 0; err == ERR_OK && i < write->line_count; i++) {
        err = write_line(db, write->match, &write->lines[i]);
    }
    for (unsigned i = 0; err == ERR_OK && i < ROW_SEATS_MAX; i++) {
        err = write_nonce(db, write->match, i, &write->nonces[i]);
    }
    if (err == ERR_OK && write->action_id != NULL) {
        err = matches_write_answer(db, write->account, write->action_id, &write->params, write->at,
                                   write->answer);
    }
    if (err == ERR_OK && write->snapshot != NULL) { err = write_snapshot(db, write); }
    if (err == ERR_OK && (write->first || write->ended)) { err = write_state(db, write); }
    if (err == ERR_OK && write->ended) { err = people_write_over(db, write->match, write->at); }
    return err;
}

enum err matches_read_answer(struct db *db, const struct account_id *account, const char *action_id,
                             struct hash *out_params, char **out_body)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT params, body FROM answer WHERE account = ?1 AND action_id = ?2");
    db_bind_text(stmt, 1, account->text);
    db_bind_text(stmt, 2, action_id);
    if (!db_row(db, stmt)) { return db_status(db, ERR_NOT_FOUND); }
    bool good = read_hash(stmt, 0, out_params);
    char *body = good ? db_text_copy(stmt, 1) : NULL;
    db_end(stmt);
    if (body == NULL) { return ERR_STORAGE_FAILED; }
    *out_body = body;
    return ERR_OK;
}

enum err matches_read_lines(struct db *db, int64_t match, uint64_t from, uint64_t to,
                            match_line_fn *line, void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT n, body, answer FROM line "
                                        "WHERE match = ?1 AND n >= ?2 AND n <= ?3 ORDER BY n");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, (int64_t)from);
    db_bind_int(stmt, 3, to > INT64_MAX ? INT64_MAX : (int64_t)to);
    uint64_t due = from;
    while (db_row(db, stmt)) {
        size_t len = 0;
        const char *body = db_blob(stmt, 1, &len);
        uint64_t n = (uint64_t)db_int(stmt, 0);
        uint64_t answer = db_is_null(stmt, 2) ? 0 : (uint64_t)db_int(stmt, 2);
        enum err err =
            n == due && body != NULL ? line(ctx, n, body, len, answer) : ERR_STORAGE_FAILED;
        if (err != ERR_OK) {
            db_end(stmt);
            return err;
        }
        due++;
    }
    return db_status(db, ERR_OK);
}

enum err matches_read_snapshots(struct db *db, int64_t match, uint64_t most, uint32_t rules,
                                size_t state_bytes, const char *build, match_snapshot_fn *snapshot,
                                void *ctx)
{
    sqlite3_stmt *stmt = db_prepare(
        db, "SELECT n, blob FROM snapshot WHERE match = ?1 AND n <= ?2 AND (?5 IS NULL OR "
            "(rules = ?3 AND state_bytes = ?4 AND build = ?5)) ORDER BY n DESC");
    db_bind_int(stmt, 1, match);
    db_bind_int(stmt, 2, most > INT64_MAX ? INT64_MAX : (int64_t)most);
    db_bind_int(stmt, 3, rules);
    db_bind_int(stmt, 4, (int64_t)state_bytes);
    db_bind_text(stmt, 5, build);
    while (db_row(db, stmt)) {
        size_t len = 0;
        const void *bytes = db_blob(stmt, 1, &len);
        if (bytes == NULL) { continue; }
        if (snapshot(ctx, (uint64_t)db_int(stmt, 0), bytes, len)) {
            db_end(stmt);
            break;
        }
    }
    return db_status(db, ERR_OK);
}

enum err matches_write_fault(struct db *db, void *fault_write)
{
    const struct fault_write *write = fault_write;
    sqlite3_stmt *stmt =
        db_prepare(db, "INSERT INTO fault (at, match, n, what, data) SELECT ?1, ?2, ?3, ?4, ?5 "
                       "WHERE NOT EXISTS (SELECT 1 FROM fault WHERE match = ?2 AND n = ?3) "
                       "AND (SELECT count(*) FROM fault) < ?6");
    db_bind_int(stmt, 6, FAULTS_MAX);
    db_bind_int(stmt, 1, write->at);
    db_bind_int(stmt, 2, write->match);
    db_bind_int(stmt, 3, (int64_t)write->n);
    db_bind_text(stmt, 4, write->what);
    db_bind_blob(stmt, 5, write->data, write->data_len);
    return db_run(db, stmt);
}

void fault_write_free(void *fault_write)
{
    struct fault_write *write = fault_write;
    if (write == NULL) { return; }
    free(write->what);
    free(write->data);
    free(write);
}

enum err matches_each(struct db *db, match_each_fn *match, void *ctx)
{
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT id FROM match JOIN tip ON tip.match = match.key ORDER BY match.key");
    while (db_row(db, stmt)) {
        struct match_id id;
        if (!db_text_into(stmt, 0, id.text, sizeof id.text)) { continue; }
        if (!match(ctx, &id)) {
            db_end(stmt);
            break;
        }
    }
    return db_status(db, ERR_OK);
}
