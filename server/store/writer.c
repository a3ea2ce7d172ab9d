/* server/store/writer.c: what the writer thread does with a batch of units (DESIGN section 5).
 *
 * First all units in one transaction. If one fails, the batch is taken back and tried again with a
 * savepoint around each, so that only the match it belongs to suffers. If COMMIT itself fails, the
 * file is asked whether the transaction is in it (the number in table writer), and nobody is
 * answered before that is known. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/base/log.h"
#include "server/store/inside.h"

enum outcome {
    OUTCOME_STORED,
    OUTCOME_NOTHING, /* nothing of it is in the file */
    OUTCOME_SPOILT,  /* nothing, and one unit is the reason */
    OUTCOME_UNKNOWN  /* COMMIT failed */
};

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* ---- matches that stand still ---- */

static bool is_stopped(const struct store *store, const struct match_id *match)
{
    for (size_t i = 0; i < store->stopped_count; i++) {
        if (match_id_same(&store->stopped[i], match)) { return true; }
    }
    return false;
}

static void fatal(struct store *store, const char *what)
{
    log_event(LOG_ERROR, "store_fatal", "what=\"%s\"", what);
    if (store->on_fatal != NULL) { store->on_fatal(what); }
    _exit(EXIT_FAILURE);
}

static void stop(struct store *store, const struct match_id *match)
{
    if (match->text[0] == '\0' || is_stopped(store, match)) { return; }
    if (store->stopped_count == store->stopped_room) {
        size_t room = store->stopped_room == 0 ? 64 : 2 * store->stopped_room;
        struct match_id *list = realloc(store->stopped, room * sizeof *list);
        if (list == NULL) { fatal(store, "no memory to remember a match that failed"); }
        store->stopped = list;
        store->stopped_room = room;
    }
    store->stopped[store->stopped_count++] = *match;
}

void writer_go_on(struct store *store, const struct match_id *match)
{
    for (size_t i = 0; i < store->stopped_count; i++) {
        if (!match_id_same(&store->stopped[i], match)) { continue; }
        store->stopped[i] = store->stopped[--store->stopped_count];
        return;
    }
}

static void fail_unit(struct store *store, struct store_unit *unit)
{
    unit->err = ERR_STORAGE_FAILED;
    stop(store, &unit->owner);
}

/* ---- one transaction ---- */

static bool in_transaction(const struct store *store)
{
    return sqlite3_get_autocommit(store->write_db.sqlite) == 0;
}

static void roll_back(struct store *store)
{
    if (in_transaction(store)) { (void)db_exec(&store->write_db, "ROLLBACK"); }
}

/* Runs a prepared statement of the engine's own. */
static bool run_own(struct store *store, const char *sql)
{
    return db_run(&store->write_db, db_prepare(&store->write_db, sql)) == ERR_OK;
}

/* OK, a refusal (units that may refuse), or STORAGE_FAILED. */
static enum err run_ops(struct store *store, struct store_unit *unit)
{
    db_forget(&store->write_db);
    if (unit->fault) { return ERR_STORAGE_FAILED; }
    for (unsigned i = 0; i < unit->op_count; i++) {
        struct op *op = unit_op(unit, i);
        enum err err = op->run(&store->write_db, op->data);
        if (db_failed(&store->write_db)) { return ERR_STORAGE_FAILED; }
        if (err != ERR_OK) {
            return (unit->flags & STORE_MAY_REFUSE) != 0 ? err : ERR_STORAGE_FAILED;
        }
    }
    return ERR_OK;
}

/* Runs a unit so that it can be taken back alone. SPOILT: the transaction itself is gone. */
static enum outcome run_guarded(struct store *store, struct store_unit *unit)
{
    db_forget(&store->write_db);
    if (!run_own(store, "SAVEPOINT unit")) { return OUTCOME_SPOILT; }
    unit->err = run_ops(store, unit);
    db_forget(&store->write_db);
    if (!in_transaction(store)) { return OUTCOME_SPOILT; }
    if (unit->err != ERR_OK && !run_own(store, "ROLLBACK TO unit")) { return OUTCOME_SPOILT; }
    if (!run_own(store, "RELEASE unit")) { return OUTCOME_SPOILT; }
    if (unit->err == ERR_STORAGE_FAILED) { fail_unit(store, unit); }
    return OUTCOME_STORED;
}

static enum outcome run_units(struct store *store, struct item_queue *batch, bool careful)
{
    for (struct store_unit *unit = batch->first; unit != NULL; unit = unit->next) {
        if (unit->doomed || is_stopped(store, &unit->owner)) {
            fail_unit(store, unit);
        } else if (careful || (unit->flags & STORE_MAY_REFUSE) != 0) {
            if (run_guarded(store, unit) != OUTCOME_STORED) { return OUTCOME_SPOILT; }
        } else {
            unit->err = run_ops(store, unit);
            if (unit->err != ERR_OK) { return OUTCOME_SPOILT; }
        }
    }
    return OUTCOME_STORED;
}

/* COMMIT, or what a test wants instead. */
static enum outcome commit(struct store *store)
{
    if (fault_is_due(store, STORE_FAULT_COMMIT)) {
        roll_back(store);
        return OUTCOME_NOTHING;
    }
    if (fault_is_due(store, STORE_FAULT_DISK)) {
        /* Either may have happened when the disk reports an error. */
        if (store->batch % 2 == 0) { (void)run_own(store, "COMMIT"); }
        roll_back(store);
        return OUTCOME_UNKNOWN;
    }
    if (run_own(store, "COMMIT")) { return OUTCOME_STORED; }
    /* A full disk and a lock are told before anything counts as committed. */
    int code = store->write_db.code & 0xFF;
    roll_back(store);
    return code == SQLITE_FULL || code == SQLITE_BUSY ? OUTCOME_NOTHING : OUTCOME_UNKNOWN;
}

static enum outcome try_batch(struct store *store, struct item_queue *batch, bool careful)
{
    struct db *db = &store->write_db;
    db_forget(db);
    if (!run_own(store, "BEGIN IMMEDIATE")) { return OUTCOME_NOTHING; }
    enum outcome outcome = run_units(store, batch, careful);
    db_forget(db);
    if (outcome == OUTCOME_STORED) {
        sqlite3_stmt *stmt = db_prepare(db, "UPDATE writer SET batch = ?1 WHERE key = 1");
        db_bind_int(stmt, 1, store->batch + 1);
        if (db_run(db, stmt) != ERR_OK) { outcome = OUTCOME_NOTHING; }
    }
    if (outcome != OUTCOME_STORED) {
        roll_back(store);
        return outcome;
    }
    outcome = commit(store);
    if (outcome == OUTCOME_STORED) { store->batch++; }
    return outcome;
}

/* ---- after an error of the disk ---- */

static int64_t stored_batch(struct db *db)
{
    int64_t batch = -1;
    db_forget(db);
    sqlite3_stmt *stmt = db_prepare(db, "SELECT batch FROM writer WHERE key = 1");
    if (db_row(db, stmt)) {
        batch = db_int(stmt, 0);
        db_end(stmt);
    }
    return batch;
}

/* Opens the file anew and reads whether the last transaction is in it; then writes one that is, so
 * that no remains of a failed one can come back after a crash. */
static enum outcome read_back(struct store *store)
{
    char error[256];
    db_close(&store->write_db);
    if (fault_is_due(store, STORE_FAULT_FATAL)) { fatal(store, "the database does not answer"); }
    if (open_writer(&store->write_db, &store->location, error) != ERR_OK) { fatal(store, error); }
    checkpoint_watch(store);
    int64_t batch = stored_batch(&store->write_db);
    if (batch != store->batch && batch != store->batch + 1) {
        fatal(store, "the database does not say what is stored");
    }
    enum outcome outcome = batch == store->batch ? OUTCOME_NOTHING : OUTCOME_STORED;
    db_forget(&store->write_db);
    sqlite3_stmt *stmt = db_prepare(&store->write_db, "UPDATE writer SET batch = ?1 WHERE key = 1");
    db_bind_int(stmt, 1, batch + 1);
    if (db_run(&store->write_db, stmt) != ERR_OK) {
        fatal(store, "the database cannot be written");
    }
    store->batch = batch + 1;
    log_event(LOG_WARN, "store_read_back", "stored=%d", outcome == OUTCOME_STORED);
    return outcome;
}

/* ---- a batch ---- */

static void note_batch(struct store *store, const struct item_queue *batch, uint64_t us,
                       bool retried, bool disk_error)
{
    uint64_t failed = 0;
    uint64_t refused = 0;
    for (const struct store_unit *unit = batch->first; unit != NULL; unit = unit->next) {
        failed += unit->err == ERR_STORAGE_FAILED;
        refused += unit->err != ERR_OK && unit->err != ERR_STORAGE_FAILED;
    }
    unsigned bucket = 0;
    while (bucket + 1 < STORE_HISTOGRAM && us >= (UINT64_C(16) << bucket)) {
        bucket++;
    }
    (void)pthread_mutex_lock(&store->mutex);
    struct store_stats *stats = &store->stats;
    stats->commits++;
    stats->units += batch->count;
    stats->units_failed += failed;
    stats->units_refused += refused;
    stats->retried_batches += retried;
    stats->disk_errors += disk_error;
    if (batch->count > stats->batch_units_max) { stats->batch_units_max = batch->count; }
    stats->commit_us_sum += us;
    stats->commit_us[bucket]++;
    (void)pthread_mutex_unlock(&store->mutex);
}

void writer_run(struct store *store, struct item_queue *batch)
{
    uint64_t start = now_us();
    for (struct store_unit *unit = batch->first; unit != NULL; unit = unit->next) {
        if (unit->owner.text[0] != '\0' && fault_is_due(store, STORE_FAULT_ROW)) {
            unit->fault = true;
        }
    }
    enum outcome outcome = try_batch(store, batch, false);
    bool retried = outcome == OUTCOME_SPOILT;
    if (retried) { outcome = try_batch(store, batch, true); }
    bool disk_error = outcome == OUTCOME_UNKNOWN;
    if (disk_error) { outcome = read_back(store); }
    if (outcome != OUTCOME_STORED) {
        for (struct store_unit *unit = batch->first; unit != NULL; unit = unit->next) {
            fail_unit(store, unit);
        }
    }
    db_forget(&store->write_db);
    note_batch(store, batch, now_us() - start, retried, disk_error);
}
