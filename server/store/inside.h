/* server/store/inside.h: what the parts of the engine know of each other; nobody else includes it.
 */
#ifndef VEDETTE_SERVER_STORE_INSIDE_H
#define VEDETTE_SERVER_STORE_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include <uv.h>

#include "server/store/db.h"
#include "server/store/store.h"

/* ---- db.c ---- */

enum {
    DB_STATEMENTS = 512
}; /* a power of two; a build has fewer texts than three quarters of it */

struct db {
    sqlite3 *sqlite;
    bool failed; /* since the operation began */
    int code;    /* SQLite's extended code of the first failure */
    unsigned statement_count;
    struct {
        const char *sql;
        sqlite3_stmt *stmt;
    } statements[DB_STATEMENTS];
};

/* Runs statements that give nothing back; the extended code of SQLite. */
int db_exec(struct db *db, const char *sql);
/* Clears what sticks before an operation. */
void db_forget(struct db *db);
/* Finalizes all statements and closes. */
void db_close(struct db *db);

/* ---- open.c ---- */

struct migration {
    unsigned number;
    const char *name, *sql;
};
extern const struct migration migrations[]; /* made from schema/migrations; ends with sql NULL */

struct location {
    char *path;
    unsigned busy_timeout_ms;
    int lock_fd;
};
/* Resolves the path, takes the lock on it and makes the file. */
enum err location_take(struct location *location, const struct store_options *options,
                       char out_error[256]) VD_CHECKED;
/* The same where a daemon may hold it (out_served): then without the lock. */
enum err location_share(struct location *location, const struct store_options *options,
                        bool *out_served, char out_error[256]) VD_CHECKED;
void location_give_back(struct location *location);
enum err open_writer(struct db *db, const struct location *location,
                     char out_error[256]) VD_CHECKED;
enum err open_reader(struct db *db, const struct location *location,
                     char out_error[256]) VD_CHECKED;
/* STORAGE_FAILED unless the file has the version of this binary. */
enum err check_served(struct db *db, const struct migration *list,
                       char out_error[256]) VD_CHECKED;
/* Brings the file to the version of this binary, or refuses it. */
enum err migrate(struct db *db, const struct migration *list, char out_error[256]) VD_CHECKED;

/* ---- units and reads in the queues ---- */

enum { OPS_INLINE = 4 };

struct op {
    store_op_fn *run;
    void *data;
    void (*free_data)(void *data);
};

enum item_kind { ITEM_UNIT, ITEM_GO_ON, ITEM_READ };

/* A unit of writing, a marker in the writer's queue, or a read (one operation). */
struct store_unit {
    struct store_unit *next;
    enum item_kind kind;
    unsigned flags;
    struct match_id owner; /* "": none */
    bool doomed;           /* fails without being tried: no memory, or beyond the queue's bound */
    bool fault;            /* a test makes it fail */
    enum err err;
    store_done_fn *done;
    void *ctx;
    unsigned op_count, op_room;
    struct op *more; /* beyond OPS_INLINE, NULL if none */
    struct op ops[OPS_INLINE];
};

struct item_queue {
    struct store_unit *first, **last;
    size_t count;
};
void queue_init(struct item_queue *queue);
void queue_push(struct item_queue *queue, struct store_unit *unit);
struct store_unit *queue_pop(struct item_queue *queue);
/* Moves all of from behind to. */
void queue_move(struct item_queue *to, struct item_queue *from);
struct op *unit_op(struct store_unit *unit, unsigned i);

struct fault_plan {
    unsigned skip, count;
};

/* The journal is folded into the file beside the writing: the bulk of it by a thread of its own,
 * which stops nobody, and the few pages that came meanwhile by the writer, so that it can begin
 * anew. */
enum {
    CHECKPOINT_PAGES = 4000,     /* from here on */
    CHECKPOINT_PAGES_MAX = 40000 /* from here on the writer does it all, and waits for it */
};
enum checkpoint { CHECKPOINT_NONE, CHECKPOINT_WANTED, CHECKPOINT_RUNNING, CHECKPOINT_DONE };

enum { SEEN_BITS = 1 << 24 };

struct store {
    uv_async_t async;
    struct location location;
    void (*on_fatal)(const char *what);

    pthread_mutex_t mutex; /* guards all down to faults */
    pthread_cond_t writes_come, reads_come, checkpoint_comes;
    enum checkpoint checkpoint;
    struct item_queue writes, reads, finished;
    bool closing;
    unsigned threads_alive, reader_count;
    struct store_stats stats;
    struct fault_plan faults[STORE_FAULT_FATAL + 1];

    atomic_size_t waiting; /* units queued or under way */
    atomic_bool faults_planned;

    pthread_t writer, checkpointer, readers[STORE_READERS];
    struct db write_db, checkpoint_db, read_db[STORE_READERS];

    /* The writer thread's own. */
    struct match_id *stopped; /* matches that may not be written until they go on */
    size_t stopped_count, stopped_room;
    int64_t batch; /* number of the last transaction stored */
    int wal_pages; /* in the journal after the last commit */

    void (*closed)(void *ctx);
    void *closed_ctx;

    /* The loop's own: action ids that may have an answer. */
    uint8_t seen_key[16];
    uint8_t *seen;

    uint8_t receipt_seed[STORE_SEED_BYTES]; /* never changes once the store is open */
    uint8_t notify_seed[STORE_SEED_BYTES];  /* neither does this */
};

/* ---- seen.c ---- */
/* Fills the filter from the table of answers. */
void seen_load(struct store *store);

/* ---- setting.c ---- */
/* Reads the seeds of the daemon's keys, at the first start makes them. */
enum err setting_load(struct store *store, char out_error[256]) VD_CHECKED;

/* ---- checkpoint.c ---- */
/* Lets the connection say how long the journal is. */
void checkpoint_watch(struct store *store);
/* On the writer thread, after a batch was answered. */
void checkpoint_step(struct store *store);
/* The checkpointer's thread, until the store closes. */
void checkpoint_run(struct store *store);

/* ---- writer.c: runs on the writer thread ---- */
void writer_run(struct store *store, struct item_queue *batch);
void writer_go_on(struct store *store, const struct match_id *match);
/* True when the coming one of that kind is to fail. */
bool fault_is_due(struct store *store, enum store_fault fault);

#endif
