/* server/store/store.c: the loop's side of the store: queues, threads, answers. */
#include "server/store/store.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/base/log.h"
#include "server/store/inside.h"

/* ---- units and queues ---- */

void queue_init(struct item_queue *queue)
{
    queue->first = NULL;
    queue->last = &queue->first;
    queue->count = 0;
}

void queue_push(struct item_queue *queue, struct store_unit *unit)
{
    unit->next = NULL;
    *queue->last = unit;
    queue->last = &unit->next;
    queue->count++;
}

struct store_unit *queue_pop(struct item_queue *queue)
{
    struct store_unit *unit = queue->first;
    if (unit == NULL) { return NULL; }
    queue->first = unit->next;
    if (queue->first == NULL) { queue->last = &queue->first; }
    queue->count--;
    unit->next = NULL;
    return unit;
}

void queue_move(struct item_queue *to, struct item_queue *from)
{
    if (from->first == NULL) { return; }
    *to->last = from->first;
    to->last = from->last;
    to->count += from->count;
    queue_init(from);
}

struct op *unit_op(struct store_unit *unit, unsigned i)
{
    return i < OPS_INLINE ? &unit->ops[i] : &unit->more[i - OPS_INLINE];
}

struct store_unit *store_unit_create(const struct match_id *owner, unsigned flags)
{
    struct store_unit *unit = malloc(sizeof *unit);
    if (unit == NULL) { return NULL; }
    memset(unit, 0, offsetof(struct store_unit, ops));
    unit->kind = ITEM_UNIT;
    unit->flags = flags;
    if (owner != NULL) { unit->owner = *owner; }
    return unit;
}

/* Room for one more operation beyond those inside the unit. */
static bool grow(struct store_unit *unit)
{
    unsigned more = unit->op_count - OPS_INLINE;
    if (more < unit->op_room) { return true; }
    unsigned room = unit->op_room == 0 ? 8 : 2 * unit->op_room;
    struct op *list = realloc(unit->more, room * sizeof *list);
    if (list == NULL) { return false; }
    unit->more = list;
    unit->op_room = room;
    return true;
}

void store_unit_add(struct store_unit *unit, store_op_fn *run, void *take_data,
                    void (*free_data)(void *data))
{
    if (unit->op_count >= OPS_INLINE && !grow(unit)) {
        unit->doomed = true;
        if (free_data != NULL) { free_data(take_data); }
        return;
    }
    *unit_op(unit, unit->op_count++) = (struct op){run, take_data, free_data};
}

void store_unit_destroy(struct store_unit *take_unit)
{
    if (take_unit == NULL) { return; }
    for (unsigned i = 0; i < take_unit->op_count; i++) {
        struct op *op = unit_op(take_unit, i);
        if (op->free_data != NULL) { op->free_data(op->data); }
    }
    free(take_unit->more);
    free(take_unit);
}

/* ---- the threads ---- */

enum { COOL_AFTER_S = 5 };

/* Waits for work, the mutex held. A connection that had none for a while gives its cached pages
 * back to the system: ten thousand idle watchers should cost their own memory, not that of what was
 * written for them. warm: it may have pages. */
static void wait_for_work(struct store *store, pthread_cond_t *comes, struct db *db, bool *warm)
{
    if (!*warm) {
        (void)pthread_cond_wait(comes, &store->mutex);
        return;
    }
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += COOL_AFTER_S;
    if (pthread_cond_timedwait(comes, &store->mutex, &until) != ETIMEDOUT) { return; }
    *warm = false;
    (void)pthread_mutex_unlock(&store->mutex);
    (void)sqlite3_db_release_memory(db->sqlite);
    (void)malloc_trim(0);
    (void)pthread_mutex_lock(&store->mutex);
}

/* Takes the next batch; a marker ends it, or is it. False: closing, and all is written. */
static bool take_batch(struct store *store, struct item_queue *batch)
{
    bool warm = true;
    queue_init(batch);
    (void)pthread_mutex_lock(&store->mutex);
    while (store->writes.first == NULL && !store->closing) {
        wait_for_work(store, &store->writes_come, &store->write_db, &warm);
    }
    while (store->writes.first != NULL && batch->count < STORE_BATCH_MAX) {
        if (store->writes.first->kind == ITEM_GO_ON && batch->count > 0) { break; }
        queue_push(batch, queue_pop(&store->writes));
        if (batch->first->kind == ITEM_GO_ON) { break; }
    }
    (void)pthread_mutex_unlock(&store->mutex);
    return batch->first != NULL;
}

static void finish(struct store *store, struct item_queue *items)
{
    (void)pthread_mutex_lock(&store->mutex);
    queue_move(&store->finished, items);
    (void)pthread_mutex_unlock(&store->mutex);
    (void)uv_async_send(&store->async);
}

static void end_thread(struct store *store)
{
    (void)pthread_mutex_lock(&store->mutex);
    store->threads_alive--;
    /* Under the mutex: once the loop sees the last thread gone it closes the handle. */
    (void)uv_async_send(&store->async);
    (void)pthread_mutex_unlock(&store->mutex);
}

static void *writer_main(void *arg)
{
    struct store *store = arg;
    struct item_queue batch;
    (void)pthread_setname_np(pthread_self(), "store-writer");
    while (take_batch(store, &batch)) {
        if (batch.first->kind == ITEM_GO_ON) {
            writer_go_on(store, &batch.first->owner);
        } else {
            writer_run(store, &batch);
        }
        finish(store, &batch);
        checkpoint_step(store);
    }
    end_thread(store);
    return NULL;
}

static void *checkpointer_main(void *arg)
{
    (void)pthread_setname_np(pthread_self(), "store-fold");
    checkpoint_run(arg);
    end_thread(arg);
    return NULL;
}

static enum err run_read(struct db *db, struct store_unit *unit)
{
    db_forget(db);
    if (db_exec(db, "BEGIN") != SQLITE_OK) {
        log_event(LOG_ERROR, "store_read_failed", "text=\"%s\"", sqlite3_errmsg(db->sqlite));
        return ERR_STORAGE_FAILED;
    }
    enum err err = unit->ops[0].run(db, unit->ops[0].data);
    if (db_failed(db)) { err = ERR_STORAGE_FAILED; }
    if (db_exec(db, "COMMIT") != SQLITE_OK) {
        (void)db_exec(db, "ROLLBACK");
        err = ERR_STORAGE_FAILED;
    }
    return err;
}

struct reader_args {
    struct store *store;
    struct db *db;
};

static void *reader_main(void *arg)
{
    struct reader_args args = *(struct reader_args *)arg;
    struct store *store = args.store;
    free(arg);
    (void)pthread_setname_np(pthread_self(), "store-reader");
    for (;;) {
        bool warm = true;
        (void)pthread_mutex_lock(&store->mutex);
        while (store->reads.first == NULL && !store->closing) {
            wait_for_work(store, &store->reads_come, args.db, &warm);
        }
        struct store_unit *unit = queue_pop(&store->reads);
        store->stats.reads += unit != NULL;
        (void)pthread_mutex_unlock(&store->mutex);
        if (unit == NULL) { break; }
        unit->err = run_read(args.db, unit);
        struct item_queue one;
        queue_init(&one);
        queue_push(&one, unit);
        finish(store, &one);
    }
    end_thread(store);
    return NULL;
}

/* ---- answers, on the loop ---- */

static void on_handle_closed(uv_handle_t *handle)
{
    struct store *store = handle->data;
    void (*closed)(void *ctx) = store->closed;
    void *ctx = store->closed_ctx;
    free(store->stopped);
    free(store->seen);
    (void)pthread_mutex_destroy(&store->mutex);
    (void)pthread_cond_destroy(&store->writes_come);
    (void)pthread_cond_destroy(&store->reads_come);
    (void)pthread_cond_destroy(&store->checkpoint_comes);
    free(store);
    if (closed != NULL) { closed(ctx); }
}

/* All threads have ended and all are answered. */
static void shut(struct store *store)
{
    (void)pthread_join(store->writer, NULL);
    for (unsigned i = 0; i < store->reader_count; i++) {
        (void)pthread_join(store->readers[i], NULL);
        db_close(&store->read_db[i]);
    }
    (void)pthread_join(store->checkpointer, NULL);
    db_close(&store->checkpoint_db);
    db_close(&store->write_db); /* the last one: it folds the journal into the file */
    location_give_back(&store->location);
    uv_close((uv_handle_t *)&store->async, on_handle_closed);
}

/* Answers all that has finished. Whatever finishes meanwhile sends again. */
static void on_async(uv_async_t *async)
{
    struct store *store = async->data;
    struct item_queue items;
    queue_init(&items);
    (void)pthread_mutex_lock(&store->mutex);
    queue_move(&items, &store->finished);
    (void)pthread_mutex_unlock(&store->mutex);
    for (struct store_unit *unit = NULL; (unit = queue_pop(&items)) != NULL;) {
        if (unit->kind == ITEM_UNIT) { atomic_fetch_sub(&store->waiting, 1); }
        if (unit->done != NULL) { unit->done(unit->ctx, unit->err); }
        store_unit_destroy(unit);
    }
    (void)pthread_mutex_lock(&store->mutex);
    bool over = store->closing && store->threads_alive == 0 && store->finished.first == NULL;
    (void)pthread_mutex_unlock(&store->mutex);
    if (over && !uv_is_closing((uv_handle_t *)async)) { shut(store); }
}

/* Queues unit for the writer or the readers; what they may not have is answered at once. */
static void enqueue(struct store *store, struct store_unit *unit)
{
    bool read = unit->kind == ITEM_READ;
    (void)pthread_mutex_lock(&store->mutex);
    if (store->closing) { unit->err = ERR_CLOSING; }
    if (read && store->reads.count >= STORE_READS_MAX) { unit->err = ERR_RATE_LIMITED; }
    if (unit->err != ERR_OK) {
        queue_push(&store->finished, unit);
        (void)uv_async_send(&store->async);
    } else if (read) {
        queue_push(&store->reads, unit);
        (void)pthread_cond_signal(&store->reads_come);
    } else {
        /* In its turn, since those before it may still be stored and those behind it must not. */
        if (store->writes.count >= STORE_QUEUE_MAX) { unit->doomed = true; }
        queue_push(&store->writes, unit);
        (void)pthread_cond_signal(&store->writes_come);
    }
    (void)pthread_mutex_unlock(&store->mutex);
}

void store_commit(struct store *store, struct store_unit *take_unit, store_done_fn *done, void *ctx)
{
    take_unit->done = done;
    take_unit->ctx = ctx;
    atomic_fetch_add(&store->waiting, 1);
    enqueue(store, take_unit);
}

void store_go_on(struct store *store, const struct match_id *match)
{
    struct store_unit *unit = store_unit_create(match, 0);
    if (unit == NULL) {
        log_event(LOG_ERROR, "store_go_on_failed", "match=%s", match->text);
        return; /* the match stays as it is until the next try or restart */
    }
    unit->kind = ITEM_GO_ON;
    enqueue(store, unit);
}

void store_read(struct store *store, store_op_fn *read, void *take_data,
                void (*free_data)(void *data), store_done_fn *done, void *ctx)
{
    struct store_unit *unit = store_unit_create(NULL, 0);
    assert(unit != NULL);
    unit->kind = ITEM_READ;
    unit->done = done;
    unit->ctx = ctx;
    store_unit_add(unit, read, take_data, free_data);
    enqueue(store, unit);
}

bool store_is_busy(const struct store *store)
{
    return atomic_load(&store->waiting) >= STORE_QUEUE_HIGH;
}

void store_get_stats(const struct store *store, struct store_stats *out_stats)
{
    struct store *unlocked = (struct store *)(uintptr_t)store;
    (void)pthread_mutex_lock(&unlocked->mutex);
    *out_stats = store->stats;
    out_stats->queue_reads = store->reads.count;
    (void)pthread_mutex_unlock(&unlocked->mutex);
    out_stats->queue_units = atomic_load(&store->waiting);
}

/* ---- faults ---- */

bool fault_is_due(struct store *store, enum store_fault fault)
{
    if (!atomic_load(&store->faults_planned)) { return false; }
    (void)pthread_mutex_lock(&store->mutex);
    struct fault_plan *plan = &store->faults[fault];
    bool due = plan->skip == 0 && plan->count > 0;
    if (due) { plan->count--; }
    if (!due && plan->count > 0) { plan->skip--; }
    (void)pthread_mutex_unlock(&store->mutex);
    return due;
}

void store_inject(struct store *store, enum store_fault fault, unsigned skip, unsigned count)
{
    (void)pthread_mutex_lock(&store->mutex);
    store->faults[fault] = (struct fault_plan){skip, count};
    atomic_store(&store->faults_planned, true);
    (void)pthread_mutex_unlock(&store->mutex);
}

#ifdef VEDETTE_FAULTS
static void read_faults(struct store *store)
{
    static const char *const names[] = {"commit", "row", "disk", "fatal"};
    const char *at = getenv("VEDETTE_STORE_FAULTS");
    while (at != NULL && *at != '\0') {
        char name[8];
        unsigned skip = 0;
        unsigned count = 0;
        if (sscanf(at, "%7[a-z]:%u:%u", name, &skip, &count) == 3) {
            for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
                if (strcmp(name, names[i]) == 0) { store_inject(store, i, skip, count); }
            }
        }
        at = strchr(at, ',');
        if (at != NULL) { at++; }
    }
}
#else
static void read_faults(struct store *store)
{
    (void)store;
}
#endif

/* ---- opening and closing ---- */

static void configure_sqlite(void)
{
    /* Counting every allocation would take a lock that all threads share. */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Threads get no signals: those are the loop's. */
static enum err start_threads(struct store *store, char out_error[256])
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(&store->writer, NULL, writer_main, store) == 0 &&
                pthread_create(&store->checkpointer, NULL, checkpointer_main, store) == 0;
    for (unsigned i = 0; i < store->reader_count && good; i++) {
        struct reader_args *args = malloc(sizeof *args);
        if (args == NULL) {
            good = false;
            break;
        }
        *args = (struct reader_args){store, &store->read_db[i]};
        good = pthread_create(&store->readers[i], NULL, reader_main, args) == 0;
        if (!good) { free(args); }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (good) { return ERR_OK; }
    snprintf(out_error, 256, "the store cannot start its threads");
    return ERR_STORAGE_FAILED;
}

static enum err open_all(struct store *store, char out_error[256])
{
    enum err err = open_writer(&store->write_db, &store->location, out_error);
    if (err == ERR_OK) { err = migrate(&store->write_db, migrations, out_error); }
    if (err == ERR_OK) { err = open_writer(&store->checkpoint_db, &store->location, out_error); }
    for (unsigned i = 0; i < store->reader_count && err == ERR_OK; i++) {
        err = open_reader(&store->read_db[i], &store->location, out_error);
    }
    if (err != ERR_OK) { return err; }
    sqlite3_stmt *stmt = db_prepare(&store->write_db, "SELECT batch FROM writer WHERE key = 1");
    if (!db_row(&store->write_db, stmt)) {
        snprintf(out_error, 256, "the database is damaged: it does not say what was written last");
        return ERR_STORAGE_FAILED;
    }
    store->batch = db_int(stmt, 0);
    db_end(stmt);
    checkpoint_watch(store);
    store->seen = calloc(SEEN_BITS / 8, 1);
    if (store->seen == NULL) {
        snprintf(out_error, 256, "out of memory");
        return ERR_STORAGE_FAILED;
    }
    seen_load(store);
    return setting_load(store, out_error);
}

enum err store_open(struct uv_loop_s *loop, const struct store_options *options,
                    struct store **out_store, char out_error[256])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, configure_sqlite);
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        snprintf(out_error, 256, "out of memory");
        return ERR_STORAGE_FAILED;
    }
    queue_init(&store->writes);
    queue_init(&store->reads);
    queue_init(&store->finished);
    store->on_fatal = options->on_fatal;
    store->reader_count = options->readers == 0 ? STORE_READERS : options->readers;
    assert(store->reader_count <= STORE_READERS);
    enum err err = location_take(&store->location, options, out_error);
    if (err != ERR_OK) {
        free(store);
        return err;
    }
    err = open_all(store, out_error);
    if (err != ERR_OK) {
        for (unsigned i = 0; i < store->reader_count; i++) {
            db_close(&store->read_db[i]);
        }
        db_close(&store->checkpoint_db);
        db_close(&store->write_db);
        location_give_back(&store->location);
        free(store->seen);
        free(store);
        return err;
    }
    (void)pthread_mutex_init(&store->mutex, NULL);
    (void)pthread_cond_init(&store->writes_come, NULL);
    (void)pthread_cond_init(&store->reads_come, NULL);
    (void)pthread_cond_init(&store->checkpoint_comes, NULL);
    read_faults(store);
    int code = uv_async_init(loop, &store->async, on_async);
    assert(code == 0);
    store->async.data = store;
    store->threads_alive = 2 + store->reader_count;
    /* A daemon that cannot start a thread cannot serve: its caller ends. */
    err = start_threads(store, out_error);
    if (err == ERR_OK) { *out_store = store; }
    return err;
}

void store_close(struct store *take_store, void (*done)(void *ctx), void *ctx)
{
    take_store->closed = done;
    take_store->closed_ctx = ctx;
    (void)pthread_mutex_lock(&take_store->mutex);
    take_store->closing = true;
    (void)pthread_cond_broadcast(&take_store->writes_come);
    (void)pthread_cond_broadcast(&take_store->reads_come);
    (void)pthread_cond_broadcast(&take_store->checkpoint_comes);
    (void)pthread_mutex_unlock(&take_store->mutex);
}
