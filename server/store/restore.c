/* server/store/restore.c: copy, mark, sync, then one rename. */
#include "server/store/restore.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/store/backup.h"
#include "server/store/inside.h"

enum { ERROR_BYTES = 256, KEPT_TRIES = 1000 };

/* path with something behind it. */
static bool path_with(char out[PATH_MAX], const char *path, const char *more)
{
    int n = snprintf(out, PATH_MAX, "%s%s", path, more);
    return n > 0 && n < PATH_MAX;
}

static bool exists(const char *path)
{
    struct stat unused;
    return stat(path, &unused) == 0;
}

/* Bytes of the file; -1: there is none. */
static long long size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (long long)st.st_size : -1;
}

static bool sync_path(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0) { return false; }
    bool good = fsync(fd) == 0;
    (void)close(fd);
    return good;
}

static bool sync_folder_of(const char *path)
{
    char folder[PATH_MAX];
    if (!path_with(folder, path, "")) { return false; }
    char *slash = strrchr(folder, '/');
    if (slash == NULL) { return false; }
    slash[slash == folder ? 1 : 0] = '\0';
    return sync_path(folder, O_DIRECTORY);
}

static void remove_with_journals(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-lock"};
    char name[PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (path_with(name, path, endings[i])) { (void)unlink(name); }
    }
}

/* The journal of the old database belongs to it alone: it is folded into it, or, where that cannot
 * be, set aside under the name of what is kept. */
static enum err put_journal_away(const char *path, const char *kept, char out_error[ERROR_BYTES])
{
    sqlite3 *db = NULL;
    char from[PATH_MAX];
    char to[PATH_MAX];
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        (void)sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    }
    (void)sqlite3_close(db); /* the last one removes the journal */
    static const char *const endings[] = {"-wal", "-shm"};
    for (size_t i = 0; i < 2; i++) {
        if (!path_with(from, path, endings[i]) || !path_with(to, kept, endings[i])) {
            snprintf(out_error, ERROR_BYTES, "the path of the database is too long");
            return ERR_STORAGE_FAILED;
        }
        if (exists(from) && rename(from, to) != 0) {
            snprintf(out_error, ERROR_BYTES, "cannot set %.150s aside: %s", from, strerror(errno));
            return ERR_STORAGE_FAILED;
        }
    }
    return ERR_OK;
}

/* A second name for what is replaced, one that is free. */
static enum err keep_old(const char *path, char out_kept[512], char out_error[ERROR_BYTES])
{
    for (unsigned i = 1; i < KEPT_TRIES; i++) {
        int n = snprintf(out_kept, 512, "%s.replaced-%u", path, i);
        if (n < 0 || n >= 512) { break; }
        if (link(path, out_kept) == 0) { return ERR_OK; }
        if (errno != EEXIST) { break; }
    }
    snprintf(out_error, ERROR_BYTES, "cannot keep %.150s under another name: %s", path,
             strerror(errno));
    out_kept[0] = '\0';
    return ERR_STORAGE_FAILED;
}

static enum err replace(const char *path, const char *copy, char out_kept[512],
                        char out_error[ERROR_BYTES])
{
    enum err err = ERR_OK;
    out_kept[0] = '\0';
    if (size_of(path) > 0) {
        err = keep_old(path, out_kept, out_error);
        if (err == ERR_OK) { err = put_journal_away(path, out_kept, out_error); }
    }
    if (err != ERR_OK) { return err; }
    if (!sync_path(copy, 0) || rename(copy, path) != 0 || !sync_folder_of(path)) {
        snprintf(out_error, ERROR_BYTES, "cannot replace %.150s: %s", path, strerror(errno));
        return ERR_STORAGE_FAILED;
    }
    return ERR_OK;
}

/* An empty file that location_take made is not left behind. */
static void give_back(struct location *location, bool was_there)
{
    if (!was_there && size_of(location->path) == 0) { (void)unlink(location->path); }
    location_give_back(location);
}

enum err store_restore(const char *backup, const char *database,
                       enum err (*mark)(void *ctx, const char *copy, char error[256]), void *ctx,
                       char out_kept[512], char out_error[256])
{
    struct location location;
    const struct store_options options = {.path = database};
    char copy[PATH_MAX];
    bool was_there = exists(database);
    if (size_of(backup) <= 0) {
        snprintf(out_error, ERROR_BYTES, "%.150s is no database", backup);
        return ERR_NOT_FOUND;
    }
    enum err err = location_take(&location, &options, out_error);
    if (err != ERR_OK) { return err; }
    if (!path_with(copy, location.path, ".restoring")) {
        snprintf(out_error, ERROR_BYTES, "the path of the database is too long");
        err = ERR_STORAGE_FAILED;
    }
    if (err == ERR_OK) {
        remove_with_journals(copy); /* of a restore that did not come to its end */
        err = store_backup(backup, copy, out_error);
    }
    if (err == ERR_OK) { err = mark(ctx, copy, out_error); }
    if (err == ERR_OK) { err = replace(location.path, copy, out_kept, out_error); }
    remove_with_journals(copy);
    give_back(&location, was_there);
    return err;
}

static unsigned newest_version(void)
{
    unsigned newest = 0;
    for (const struct migration *i = migrations; i->sql != NULL; i++) {
        newest = i->number;
    }
    return newest;
}

static enum err check_version(struct db *db, const char *path, char out_error[ERROR_BYTES])
{
    sqlite3_stmt *stmt = NULL;
    int64_t version = -1;
    if (sqlite3_prepare_v2(db->sqlite, "PRAGMA user_version", -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW) {
        version = sqlite3_column_int64(stmt, 0);
    }
    (void)sqlite3_finalize(stmt);
    if (version == (int64_t)newest_version()) { return ERR_OK; }
    snprintf(out_error, ERROR_BYTES, "%.150s is no database of this version of the program", path);
    return ERR_CONFLICT;
}

/* Runs the operation on the file, beside a daemon that may have it open. */
static enum err run_beside(const char *path, store_op_fn *op, void *data, bool writes,
                           char out_error[256])
{
    struct db db;
    memset(&db, 0, sizeof db);
    /* Not read-only: a journal that a crash left must be played back to see what is stored. */
    int code =
        sqlite3_open_v2(path, &db.sqlite,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK) {
        snprintf(out_error, ERROR_BYTES, "cannot open the database %.120s: %.80s", path,
                 sqlite3_errmsg(db.sqlite));
        db_close(&db);
        return ERR_STORAGE_FAILED;
    }
    (void)sqlite3_busy_timeout(db.sqlite, 10000);
    enum err err = check_version(&db, path, out_error);
    if (err == ERR_OK && db_exec(&db, writes ? "BEGIN IMMEDIATE" : "BEGIN") != SQLITE_OK) {
        err = ERR_STORAGE_FAILED;
    }
    if (err == ERR_OK) {
        err = op(&db, data);
        if (db_failed(&db)) { err = ERR_STORAGE_FAILED; }
        bool keeps = writes && err == ERR_OK;
        int ended = db_exec(&db, keeps ? "COMMIT" : "ROLLBACK");
        if (keeps && ended != SQLITE_OK) { err = ERR_STORAGE_FAILED; }
    }
    if (err == ERR_STORAGE_FAILED) {
        snprintf(out_error, ERROR_BYTES, "cannot %s the database %.150s", writes ? "write" : "read",
                 path);
    }
    db_close(&db);
    return err;
}

enum err store_peek(const char *path, store_op_fn *read, void *data, char out_error[256])
{
    return run_beside(path, read, data, false, out_error);
}

enum err store_alter(const char *path, store_op_fn *write, void *data, bool *out_served,
                     char out_error[256])
{
    const struct store_options options = {.path = path};
    struct location location;
    enum err err = location_share(&location, &options, out_served, out_error);
    if (err != ERR_OK) { return err; }
    if (!*out_served) { err = run_beside(path, write, data, true, out_error); }
    location_give_back(&location);
    return err;
}

enum err store_poke(const char *path, store_op_fn *write, void *data, char out_error[256])
{
    return run_beside(path, write, data, true, out_error);
}
