/* server/store/backup.c: VACUUM INTO from a connection of its own: one read transaction, which the
 * writer does not wait for. */
#include "server/store/backup.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

static enum err copy(sqlite3 *db, const char *to, char out_error[256])
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, "VACUUM INTO ?1", -1, &stmt, NULL);
    if (rc == SQLITE_OK) { rc = sqlite3_bind_text(stmt, 1, to, -1, SQLITE_STATIC); }
    if (rc == SQLITE_OK) { rc = sqlite3_step(stmt); }
    if (rc != SQLITE_DONE) { snprintf(out_error, 256, "cannot copy: %.200s", sqlite3_errmsg(db)); }
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? ERR_OK : ERR_STORAGE_FAILED;
}

enum err store_backup(const char *path, const char *to, char out_error[256])
{
    struct stat unused;
    if (stat(to, &unused) == 0) {
        snprintf(out_error, 256, "%.200s exists already", to);
        return ERR_CONFLICT;
    }
    sqlite3 *db = NULL;
    const mode_t mask = umask(077);
    enum err err = ERR_STORAGE_FAILED;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        snprintf(out_error, 256, "cannot open %.100s: %.100s", path, sqlite3_errmsg(db));
    } else {
        (void)sqlite3_busy_timeout(db, 10000);
        err = copy(db, to, out_error);
    }
    sqlite3_close(db);
    umask(mask);
    if (err != ERR_OK) { (void)unlink(to); }
    return err;
}
