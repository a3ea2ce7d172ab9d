/* server/store/once.c: one operation of a command. */
#include "server/store/once.h"

#include <stdio.h>

#include "server/store/inside.h"

static enum err run(struct db *db, store_op_fn *op, void *data, char out_error[256])
{
    int code = db_exec(db, "BEGIN IMMEDIATE");
    if (code != SQLITE_OK) {
        snprintf(out_error, 256, "the database cannot be written: %.150s",
                 sqlite3_errmsg(db->sqlite));
        return ERR_STORAGE_FAILED;
    }
    enum err err = op(db, data);
    if (db_failed(db)) { err = ERR_STORAGE_FAILED; }
    if (err == ERR_OK && db_exec(db, "COMMIT") == SQLITE_OK) { return ERR_OK; }
    if (err == ERR_OK || err == ERR_STORAGE_FAILED) {
        snprintf(out_error, 256, "the database cannot be written: %.150s",
                 sqlite3_errmsg(db->sqlite));
        err = ERR_STORAGE_FAILED;
    }
    (void)db_exec(db, "ROLLBACK");
    return err;
}

enum err store_once(const char *path, store_op_fn *op, void *data, bool *out_served,
                    char out_error[256])
{
    struct location location;
    struct db db;
    const struct store_options options = {.path = path};
    enum err err = location_share(&location, &options, out_served, out_error);
    if (err != ERR_OK) { return err; }
    out_error[0] = '\0';
    err = open_writer(&db, &location, out_error);
    if (err == ERR_OK) {
        err = *out_served ? check_served(&db, migrations, out_error)
                          : migrate(&db, migrations, out_error);
        if (err == ERR_OK) { err = run(&db, op, data, out_error); }
        db_close(&db);
    }
    location_give_back(&location);
    return err;
}
