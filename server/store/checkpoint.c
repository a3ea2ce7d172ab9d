/* server/store/checkpoint.c: folding the journal into the file without making a commit wait for it.
 */
#include "server/base/log.h"
#include "server/store/inside.h"

static int on_commit(void *ctx, sqlite3 *sqlite, const char *name, int pages)
{
    struct store *store = ctx;
    (void)sqlite;
    (void)name;
    store->wal_pages = pages;
    return SQLITE_OK;
}

void checkpoint_watch(struct store *store)
{
    (void)sqlite3_wal_hook(store->write_db.sqlite, on_commit, store);
}

/* Passive: takes what no reader needs, waits for nobody. An error costs nothing but a longer
 * journal; one that matters shows at the next commit. */
static void fold(struct db *db)
{
    int code = sqlite3_wal_checkpoint_v2(db->sqlite, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY) {
        log_event(LOG_WARN, "checkpoint_failed", "code=%d", code);
    }
}

void checkpoint_step(struct store *store)
{
    if (store->wal_pages < CHECKPOINT_PAGES) { return; }
    (void)pthread_mutex_lock(&store->mutex);
    bool rest = store->checkpoint == CHECKPOINT_DONE;
    if (rest) { store->checkpoint = CHECKPOINT_NONE; }
    if (store->checkpoint == CHECKPOINT_NONE && !rest) {
        store->checkpoint = CHECKPOINT_WANTED;
        (void)pthread_cond_signal(&store->checkpoint_comes);
    }
    (void)pthread_mutex_unlock(&store->mutex);
    if (rest || store->wal_pages >= CHECKPOINT_PAGES_MAX) { fold(&store->write_db); }
}

void checkpoint_run(struct store *store)
{
    (void)pthread_mutex_lock(&store->mutex);
    while (!store->closing) {
        if (store->checkpoint != CHECKPOINT_WANTED) {
            (void)pthread_cond_wait(&store->checkpoint_comes, &store->mutex);
            continue;
        }
        store->checkpoint = CHECKPOINT_RUNNING;
        (void)pthread_mutex_unlock(&store->mutex);
        fold(&store->checkpoint_db);
        (void)pthread_mutex_lock(&store->mutex);
        store->checkpoint = CHECKPOINT_DONE;
    }
    (void)pthread_mutex_unlock(&store->mutex);
}
