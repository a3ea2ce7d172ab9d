/* server/store/store.h: the store seen from the loop: units of writing, reads, going on after a
 * failure (DESIGN 5, 8). */
#ifndef VEDETTE_SERVER_STORE_STORE_H
#define VEDETTE_SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct db; /* a connection with its statements; its functions are in db.h, for files of this folder
            */
struct store;
struct store_unit;
struct uv_loop_s;

enum {
    STORE_BATCH_MAX = 1024,  /* units in one transaction */
    STORE_QUEUE_MAX = 65536, /* units that may wait; one beyond fails as if its commit had failed */
    STORE_QUEUE_HIGH = 16384, /* store_is_busy from here on: refuse new work with rate_limited */
    STORE_READS_MAX = 65536,  /* reads that may wait */
    STORE_READERS = 2,
    STORE_SEED_BYTES = 32,
    STORE_HISTOGRAM = 24 /* bucket i counts commits that took less than 2^i * 16 us */
};

/* One operation of a unit, run on the writer thread within the transaction, or a read, on a reader
 * thread. data is the operation's own; what it found out it leaves there for done to read.
 * It may run twice when a batch is tried again, so it must not count on being the first.
 * Anything but ERR_OK takes the whole unit back. In a plain unit that is a failed commit, whatever
 * the error (the caller gets ERR_STORAGE_FAILED); in one that may refuse, an error other than
 * ERR_STORAGE_FAILED is a refusal: it is handed on as it is and harms nothing else. */
typedef enum err store_op_fn(struct db *db, void *data);
/* Runs on the loop thread, exactly once, never before the call it belongs to has returned. The data
 * of the operations lives until it returns. ERR_OK: durable. */
typedef void store_done_fn(void *ctx, enum err err);

enum { STORE_MAY_REFUSE = 1 }; /* runs in a savepoint of its own: dearer, so not for lines */

/* A unit of writing: all or nothing. owner: the match it writes to, NULL for none (accounts). A
 * unit never spans two matches. NULL: no memory. */
struct store_unit *store_unit_create(const struct match_id *owner, unsigned flags);
/* Adds an operation, run in the order of adding. free_data (NULL: nothing to free) is called on the
 * loop thread after done. No memory: noted, the commit will fail. */
void store_unit_add(struct store_unit *unit, store_op_fn *run, void *take_data,
                    void (*free_data)(void *data));
/* Frees a unit that is not to be committed, with its data. NULL is fine. */
void store_unit_destroy(struct store_unit *take_unit);

/* Queues the unit; units are run in the order of queueing. done may be NULL.
 * STORAGE_FAILED: it is not stored and never will be. After that every further unit of the same
 * owner fails too, unseen, until store_go_on. */
void store_commit(struct store *store, struct store_unit *take_unit, store_done_fn *done,
                  void *ctx);
/* Units of the match queued from now on are written again; those queued before still fail. */
void store_go_on(struct store *store, const struct match_id *match);
/* Runs read on a reader thread in a read transaction that sees all that was acknowledged. Reads are
 * not ordered among each other. free_data as above. err is what read returned, STORAGE_FAILED if
 * the database did not answer, RATE_LIMITED over STORE_READS_MAX. */
void store_read(struct store *store, store_op_fn *read, void *take_data,
                void (*free_data)(void *data), store_done_fn *done, void *ctx);
/* An action_id that is about to be stored with an answer. Loop thread. */
void store_note_answer(struct store *store, const struct account_id *account,
                       const char *action_id);
/* False: that account has used no such action_id (of the last three million), no need to look. */
bool store_may_have_answer(const struct store *store, const struct account_id *account,
                           const char *action_id);
/* True while so much is queued that new work should be refused. */
bool store_is_busy(const struct store *store);

struct store_options {
    const char *path;         /* the database file, made when missing */
    unsigned busy_timeout_ms; /* 0: 5000 */
    unsigned readers; /* threads that read, STORE_READERS at most; 0: as many. With one, reads end
                       * in the order they were asked for */
    /* What the process does when the disk does not even say what is stored; runs on the writer
     * thread, does not return. NULL: log and _exit(EXIT_FAILURE). */
    void (*on_fatal)(const char *what);
};

/* Opens, migrates and locks the database and starts the threads. out_error: a sentence for the
 * operator when it fails: held by another daemon, newer than this binary, no such folder, damaged.
 */
enum err store_open(struct uv_loop_s *loop, const struct store_options *options,
                    struct store **out_store, char out_error[256]) VD_CHECKED;
/* Takes nothing new; what is queued is still written and read, and answered on the loop. done when
 * the threads have ended and the file is closed; the store is freed by then. */
void store_close(struct store *take_store, void (*done)(void *ctx), void *ctx);

/* The seed of the Ed25519 key that signs receipts (FAIRNESS 6), STORE_SEED_BYTES of it: made when
 * the file was, kept in it, and told to nobody. Any thread. */
const uint8_t *store_receipt_seed(const struct store *store);

/* The same for what leaves by the outbox: links are signed and pushes are signed by keys of it. */
const uint8_t *store_notify_seed(const struct store *store);

/* For /metrics; loop thread, cheap. */
struct store_stats {
    uint64_t commits, units, units_failed, units_refused, retried_batches, disk_errors, reads;
    uint64_t batch_units_max, queue_units, queue_reads;
    uint64_t commit_us_sum;
    uint64_t commit_us[STORE_HISTOGRAM]; /* not cumulative */
};
void store_get_stats(const struct store *store, struct store_stats *out_stats);

/* Faults for tests, in the order of coming transactions; the environment variable
 * VEDETTE_STORE_FAULTS in builds with the option `faults` only, never reachable from the wire:
 * "commit:SKIP:COUNT" makes COUNT commits fail after SKIP good ones, "row:SKIP:COUNT" single lines
 * of matches, "disk:SKIP:COUNT" commits with an error of the disk, "fatal:..." the reading back
 * too. */
enum store_fault { STORE_FAULT_COMMIT, STORE_FAULT_ROW, STORE_FAULT_DISK, STORE_FAULT_FATAL };
void store_inject(struct store *store, enum store_fault fault, unsigned skip, unsigned count);

#endif
