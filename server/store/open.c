/* server/store/open.c: one daemon a file, connections, migrations. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/log.h"
#include "server/store/inside.h"

enum { APPLICATION_ID = 0x56656454, ERROR_BYTES = 256 }; /* "VedT" */

/* The lock lies beside the file, never on it: closing any descriptor of a database drops SQLite's
 * own locks in the whole process. */
static enum err take_lock(struct location *location, char out_error[ERROR_BYTES])
{
    char lock_path[PATH_MAX];
    int n = snprintf(lock_path, sizeof lock_path, "%s-lock", location->path);
    if (n < 0 || (size_t)n >= sizeof lock_path) {
        snprintf(out_error, ERROR_BYTES, "the path of the database is too long");
        return ERR_STORAGE_FAILED;
    }
    int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        snprintf(out_error, ERROR_BYTES, "cannot open %.150s: %s", lock_path, strerror(errno));
        return ERR_STORAGE_FAILED;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        snprintf(out_error, ERROR_BYTES, "the database %.150s is in use by another daemon",
                 location->path);
        (void)close(fd);
        return ERR_CONFLICT;
    }
    location->lock_fd = fd;
    return ERR_OK;
}

enum err location_share(struct location *location, const struct store_options *options,
                        bool *out_served, char out_error[ERROR_BYTES])
{
    memset(location, 0, sizeof *location);
    location->lock_fd = -1;
    location->busy_timeout_ms = options->busy_timeout_ms == 0 ? 5000 : options->busy_timeout_ms;
    /* The file holds secrets of matches: nobody else may read it, nor the journals made like it. */
    int fd = open(options->path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, 0600);
    if (fd >= 0) { (void)close(fd); }
    location->path = realpath(options->path, NULL);
    if (location->path == NULL) {
        snprintf(out_error, ERROR_BYTES, "cannot open the database %.150s: %s", options->path,
                 strerror(errno));
        return ERR_STORAGE_FAILED;
    }
    enum err err = take_lock(location, out_error);
    *out_served = err == ERR_CONFLICT;
    if (err == ERR_CONFLICT) { err = ERR_OK; } /* out_error says who has it */
    if (err != ERR_OK) { location_give_back(location); }
    return err;
}

enum err location_take(struct location *location, const struct store_options *options,
                       char out_error[ERROR_BYTES])
{
    bool served = false;
    enum err err = location_share(location, options, &served, out_error);
    if (err != ERR_OK || !served) { return err; }
    location_give_back(location);
    return ERR_STORAGE_FAILED;
}

void location_give_back(struct location *location)
{
    if (location->lock_fd >= 0) { (void)close(location->lock_fd); }
    free(location->path);
    memset(location, 0, sizeof *location);
    location->lock_fd = -1;
}

static enum err open_db(struct db *db, const struct location *location, int flags,
                        const char *pragmas, char out_error[ERROR_BYTES])
{
    memset(db, 0, sizeof *db);
    int code = sqlite3_open_v2(location->path, &db->sqlite,
                               flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) {
        (void)sqlite3_busy_timeout(db->sqlite, (int)location->busy_timeout_ms);
        (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        (void)sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        code = db_exec(db, pragmas);
    }
    if (code == SQLITE_OK) { return ERR_OK; }
    snprintf(out_error, ERROR_BYTES, "cannot open the database %.150s: %s", location->path,
             db->sqlite == NULL ? "out of memory" : sqlite3_errmsg(db->sqlite));
    db_close(db);
    return ERR_STORAGE_FAILED;
}

enum err open_writer(struct db *db, const struct location *location, char out_error[ERROR_BYTES])
{
    return open_db(
        db, location, SQLITE_OPEN_READWRITE,
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
        "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = 0;"
        "PRAGMA journal_size_limit = 67108864;",
        out_error);
}

enum err open_reader(struct db *db, const struct location *location, char out_error[ERROR_BYTES])
{
    return open_db(db, location, SQLITE_OPEN_READONLY,
                   "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4096;", out_error);
}

static int64_t pragma_value(struct db *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    int64_t value = -1;
    if (sqlite3_prepare_v2(db->sqlite, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW) {
        value = sqlite3_column_int64(stmt, 0);
    }
    (void)sqlite3_finalize(stmt);
    return value;
}

/* One numbered step, all or nothing. */
static int run_migration(struct db *db, const struct migration *step)
{
    char version[64];
    snprintf(version, sizeof version, "PRAGMA user_version = %u", step->number);
    int code = db_exec(db, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK) { code = db_exec(db, step->sql); }
    if (code == SQLITE_OK) { code = db_exec(db, version); }
    if (code == SQLITE_OK) { code = db_exec(db, "COMMIT"); }
    return code;
}

enum err check_served(struct db *db, const struct migration *list, char out_error[ERROR_BYTES])
{
    unsigned newest = 0;
    for (const struct migration *i = list; i->sql != NULL; i++) {
        newest = i->number;
    }
    if (pragma_value(db, "PRAGMA user_version") == (int64_t)newest) { return ERR_OK; }
    snprintf(out_error, ERROR_BYTES,
             "the daemon that serves the database is of another version: stop it first");
    return ERR_STORAGE_FAILED;
}

enum err migrate(struct db *db, const struct migration *list, char out_error[ERROR_BYTES])
{
    char application[64];
    unsigned newest = 0;
    for (const struct migration *i = list; i->sql != NULL; i++) {
        newest = i->number;
    }
    int64_t version = pragma_value(db, "PRAGMA user_version");
    int64_t made_by = pragma_value(db, "PRAGMA application_id");
    int64_t tables = pragma_value(db, "SELECT count(*) FROM sqlite_schema");
    if (version < 0 || made_by < 0 || tables < 0) {
        snprintf(out_error, ERROR_BYTES, "the database cannot be read: %.150s",
                 sqlite3_errmsg(db->sqlite));
        return ERR_STORAGE_FAILED;
    }
    if (tables > 0 && made_by != APPLICATION_ID) {
        snprintf(out_error, ERROR_BYTES, "the file is a database of another program");
        return ERR_STORAGE_FAILED;
    }
    if (version > (int64_t)newest) {
        snprintf(out_error, ERROR_BYTES,
                 "the database is newer than this program: its version is %d, the newest known "
                 "here is %u; start a newer vedetted on it",
                 (int)version, newest);
        return ERR_STORAGE_FAILED;
    }
    snprintf(application, sizeof application, "PRAGMA application_id = %d", APPLICATION_ID);
    /* Only now: a file that was refused is left as it was. */
    if (db_exec(db, "PRAGMA journal_mode = WAL") != SQLITE_OK ||
        (tables == 0 && db_exec(db, application) != SQLITE_OK)) {
        snprintf(out_error, ERROR_BYTES, "the database cannot be written: %.150s",
                 sqlite3_errmsg(db->sqlite));
        return ERR_STORAGE_FAILED;
    }
    for (const struct migration *i = list; i->sql != NULL; i++) {
        if ((int64_t)i->number <= version) { continue; }
        if (run_migration(db, i) != SQLITE_OK) {
            snprintf(out_error, ERROR_BYTES, "migration %s failed: %.150s", i->name,
                     sqlite3_errmsg(db->sqlite));
            (void)db_exec(db, "ROLLBACK");
            return ERR_STORAGE_FAILED;
        }
        log_event(LOG_INFO, "migrated", "step=%s", i->name);
    }
    return ERR_OK;
}
