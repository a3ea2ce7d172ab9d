/* tests/unit/store_kit.c: see store_kit.h. */
#include "tests/unit/store_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/store/db.h"

/* Not Check's own: the bench has no suite. */
static void must(bool good)
{
    if (!good) { abort(); }
}

void kit_open(struct kit *kit)
{
    memset(kit, 0, sizeof *kit);
    const char *base = getenv("TMPDIR");
    if (base == NULL || strlen(base) > 40) { base = "/tmp"; }
    snprintf(kit->folder, sizeof kit->folder, "%s/vedette-store-XXXXXX", base);
    must(mkdtemp(kit->folder) != NULL);
    snprintf(kit->path, sizeof kit->path, "%s/vedette.db", kit->folder);
    const char *error = kit_reopen(kit);
    if (error != NULL) { fprintf(stderr, "%s\n", error); }
    must(error == NULL);
}

const char *kit_reopen(struct kit *kit)
{
    static char error[256];
    struct store_options options = {.path = kit->path};
    must(uv_loop_init(&kit->loop) == 0);
    kit->closed = false;
    if (store_open(&kit->loop, &options, &kit->store, error) == ERR_OK) { return NULL; }
    must(uv_loop_close(&kit->loop) == 0);
    return error;
}

static void on_closed(void *ctx)
{
    struct kit *kit = ctx;
    kit->closed = true;
}

void kit_close(struct kit *kit)
{
    store_close(kit->store, on_closed, kit);
    must(uv_run(&kit->loop, UV_RUN_DEFAULT) == 0);
    must(kit->closed);
    must(uv_loop_close(&kit->loop) == 0);
}

void kit_remove(struct kit *kit)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    char path[128];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(path, sizeof path, "%s%s", kit->path, ends[i]);
        (void)unlink(path);
    }
    (void)rmdir(kit->folder);
}

struct match_id kit_match(unsigned i)
{
    struct match_id id;
    snprintf(id.text, sizeof id.text, "match%05u", i % 100000);
    return id;
}

static enum err op_make(struct db *db, void *data)
{
    struct match_id *id = data;
    uint8_t zeros[32] = {0};
    sqlite3_stmt *stmt = db_prepare(
        db, "INSERT INTO match (id, game, rules, options, creator, access, spectators, reveal,"
            " created_at, state, secret, commitment) VALUES"
            " (?1, 'waterloo', 1, '{}', 'a', 'open', 'none', 'end', 0, 'running', ?2, ?2)");
    db_bind_text(stmt, 1, id->text);
    db_bind_blob(stmt, 2, zeros, sizeof zeros);
    enum err err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "INSERT INTO tip (match, next_n, roll, mask, head, viewers) VALUES"
                          " (?1, 0, 1, 1, ?2, ?2)");
    db_bind_int(stmt, 1, db_last_rowid(db));
    db_bind_blob(stmt, 2, zeros, sizeof zeros);
    return db_run(db, stmt);
}

void kit_make_match(struct kit *kit, unsigned i, store_done_fn *done, void *ctx)
{
    struct match_id *id = malloc(sizeof *id);
    must(id != NULL);
    *id = kit_match(i);
    struct store_unit *unit = store_unit_create(id, 0);
    store_unit_add(unit, op_make, id, free);
    store_commit(kit->store, unit, done, ctx);
}

struct line_row {
    struct match_id id;
    unsigned i, n;
};

static enum err op_line(struct db *db, void *data)
{
    static const char body[] =
        "{\"n\":12,\"at\":1796000005000,\"seat\":\"FR\",\"do\":{\"do\":\"march\","
        "\"to\":\"charleroi\",\"units\":[\"FR-A\",\"FR-B\"]},\"roll\":1,"
        "\"dice\":[[6,[3,1,3]]]}";
    struct line_row *row = data;
    uint8_t viewers[200] = {(uint8_t)row->n};
    char action_id[32];
    snprintf(action_id, sizeof action_id, "%u-%u", row->i, row->n);
    sqlite3_stmt *stmt =
        db_prepare(db, "UPDATE tip SET next_n = ?2 + 1, roll = ?2, head = ?3, viewers = ?4"
                       " WHERE match = ?1 AND next_n = ?2");
    db_bind_int(stmt, 1, (int64_t)row->i + 1);
    db_bind_int(stmt, 2, row->n);
    db_bind_blob(stmt, 3, viewers, 32);
    db_bind_blob(stmt, 4, viewers, sizeof viewers);
    enum err err = db_run(db, stmt);
    if (err == ERR_OK && db_changes(db) != 1) { err = ERR_CONFLICT; }
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "INSERT INTO line (match, n, at, seat, told, sealed, body) VALUES"
                          " (?1, ?2, 1796000005000, 0, 7, 0, ?3)");
    db_bind_int(stmt, 1, (int64_t)row->i + 1);
    db_bind_int(stmt, 2, row->n);
    db_bind_textn(stmt, 3, body, sizeof body - 1);
    err = db_run(db, stmt);
    if (err != ERR_OK) { return err; }
    stmt = db_prepare(db, "INSERT INTO answer (account, action_id, params, at, body) VALUES"
                          " ('accountaaaaa', ?1, ?2, 0, ?3)");
    db_bind_text(stmt, 1, action_id);
    db_bind_blob(stmt, 2, viewers, 32);
    db_bind_textn(stmt, 3, body, sizeof body - 1);
    return db_run(db, stmt);
}

struct store_unit *kit_line_unit(unsigned i, unsigned n)
{
    struct line_row *row = malloc(sizeof *row);
    must(row != NULL);
    *row = (struct line_row){kit_match(i), i, n};
    struct store_unit *unit = store_unit_create(&row->id, 0);
    must(unit != NULL);
    store_unit_add(unit, op_line, row, free);
    return unit;
}

void kit_run_until(struct kit *kit, const unsigned *count, unsigned wanted)
{
    while (*count < wanted) {
        (void)uv_run(&kit->loop, UV_RUN_ONCE);
    }
}

struct log_read {
    int64_t key;
    struct kit_log log;
    unsigned done;
};

static enum err op_read_log(struct db *db, void *data)
{
    struct log_read *read = data;
    sqlite3_stmt *stmt =
        db_prepare(db, "SELECT count(*), coalesce(max(n), -1) FROM line WHERE match = ?1");
    db_bind_int(stmt, 1, read->key);
    while (db_row(db, stmt)) {
        read->log.lines = db_int(stmt, 0);
        read->log.last_n = db_int(stmt, 1);
    }
    stmt = db_prepare(db, "SELECT next_n FROM tip WHERE match = ?1");
    db_bind_int(stmt, 1, read->key);
    while (db_row(db, stmt)) {
        read->log.next_n = db_int(stmt, 0);
    }
    return db_status(db, ERR_OK);
}

static void on_log_read(void *ctx, enum err err)
{
    struct log_read *read = ctx;
    must(err == ERR_OK);
    read->done++;
}

struct kit_log kit_read_log(struct kit *kit, unsigned i)
{
    struct log_read read = {.key = (int64_t)i + 1};
    store_read(kit->store, op_read_log, &read, NULL, on_log_read, &read);
    kit_run_until(kit, &read.done, 1);
    return read.log;
}
