/* server/lobby/admin.c: `vedetted account`: accounts by hand, on a database that no daemon holds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <uv.h>

#include "server/base/clock.h"
#include "server/lobby/accounts.h"
#include "server/lobby/names.h"
#include "server/lobby/password.h"
#include "server/store/accounts.h"
#include "server/store/store.h"

struct admin {
    struct store *store;
    uv_loop_t loop;
    struct account_row account;
    char folded[NAME_KEY_BYTES_MAX], skeleton[NAME_KEY_BYTES_MAX];
    void (*write)(void *ctx, const char *line);
    void *ctx;
    enum err err;
    bool done, closed;
};

static void on_done(void *ctx, enum err err)
{
    struct admin *admin = ctx;
    admin->err = err;
    admin->done = true;
}

static void on_closed(void *ctx)
{
    struct admin *admin = ctx;
    admin->closed = true;
}

static enum err run_op(struct admin *admin, store_op_fn *op, bool write)
{
    admin->done = false;
    if (write) {
        struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
        if (unit == NULL) { return ERR_STORAGE_FAILED; }
        store_unit_add(unit, op, admin, NULL);
        store_commit(admin->store, unit, on_done, admin);
    } else {
        store_read(admin->store, op, admin, NULL, on_done, admin);
    }
    while (!admin->done) {
        uv_run(&admin->loop, UV_RUN_ONCE);
    }
    return admin->err;
}

static void write_row(void *ctx, const struct account_row *row)
{
    struct admin *admin = ctx;
    struct tm tm;
    char line[256], day[32];
    const time_t at = (time_t)(row->created_at / 1000);
    gmtime_r(&at, &tm);
    strftime(day, sizeof day, "%Y-%m-%d", &tm);
    snprintf(line, sizeof line, "%s  %s  %s  %s", row->id.text, day, row->bot ? "bot   " : "person",
             row->name);
    admin->write(admin->ctx, line);
}

static enum err op_list(struct db *db, void *data)
{
    accounts_each(db, write_row, data);
    return ERR_OK;
}

static enum err op_create(struct db *db, void *data)
{
    struct admin *admin = data;
    return accounts_insert(db, &admin->account, admin->folded, admin->skeleton);
}

/* The id of the account that is named, the rest as it was. */
static enum err find(struct admin *admin, struct db *db, struct account_id *out_id)
{
    struct account_row row;
    enum err err = accounts_read_by_folded(db, admin->folded, &row);
    if (err != ERR_OK) { return err; }
    *out_id = row.id;
    free(row.settings);
    return ERR_OK;
}

/* A new password takes back all tokens. */
static enum err op_password(struct db *db, void *data)
{
    struct admin *admin = data;
    struct account_id id;
    enum err err = find(admin, db, &id);
    if (err == ERR_OK) { err = accounts_update_password(db, &id, admin->account.password); }
    return err == ERR_OK ? accounts_delete_token(db, &id, NULL) : err;
}

static enum err op_delete(struct db *db, void *data)
{
    struct account_id id;
    enum err err = find(data, db, &id);
    return err == ERR_OK ? accounts_delete_row(db, &id) : err;
}

static const char *sentence(enum err err)
{
    switch (err) {
    case ERR_CONFLICT: return "that name is taken";
    case ERR_NOT_FOUND: return "there is no account of that name";
    default: return err_message(err);
    }
}

/* Checks the words of the command before the database is touched. */
static const char *prepare(struct admin *admin, const char *verb, const char *name,
                           const char *password)
{
    struct why why;
    why_clear(&why);
    if (strcmp(verb, "list") == 0) { return NULL; }
    if (name == NULL) { return "the name of an account is missing"; }
    if (name_read(name, admin->account.name, sizeof admin->account.name, &why) != ERR_OK ||
        name_fold(admin->account.name, admin->folded) != ERR_OK ||
        name_skeleton(admin->account.name, admin->skeleton) != ERR_OK) {
        return "a name is 2 to 24 letters, digits, _ or -, letters of one script";
    }
    if (strcmp(verb, "delete") == 0) { return NULL; }
    if (password == NULL || strlen(password) < PASSWORD_BYTES_MIN ||
        strlen(password) > PASSWORD_BYTES_MAX) {
        return "a password has 8 to 256 bytes (it is read from standard input)";
    }
    return password_hash_now(password, admin->account.password) ? NULL : "out of memory";
}

static enum err run_verb(struct admin *admin, const char *verb)
{
    account_id_make(&admin->account.id);
    admin->account.created_at = clock_now_ms();
    if (strcmp(verb, "list") == 0) { return run_op(admin, op_list, false); }
    if (strcmp(verb, "create") == 0) { return run_op(admin, op_create, true); }
    if (strcmp(verb, "password") == 0) { return run_op(admin, op_password, true); }
    return run_op(admin, op_delete, true);
}

bool accounts_admin_needs_password(const char *verb)
{
    return strcmp(verb, "create") == 0 || strcmp(verb, "password") == 0;
}

enum err accounts_admin(const char *database, const char *verb, const char *name,
                        const char *password, void (*write)(void *ctx, const char *line), void *ctx,
                        char out_error[256])
{
    struct admin admin = {.write = write, .ctx = ctx};
    const struct store_options options = {.path = database};
    if (strcmp(verb, "list") != 0 && strcmp(verb, "delete") != 0 &&
        !accounts_admin_needs_password(verb)) {
        snprintf(out_error, 256, "account list, create NAME, password NAME or delete NAME");
        return ERR_INVALID_PARAMS;
    }
    const char *problem = prepare(&admin, verb, name, password);
    if (problem != NULL) {
        snprintf(out_error, 256, "%s", problem);
        return ERR_INVALID_PARAMS;
    }
    uv_loop_init(&admin.loop);
    enum err err = store_open(&admin.loop, &options, &admin.store, out_error);
    if (err == ERR_OK) {
        err = run_verb(&admin, verb);
        if (err != ERR_OK) { snprintf(out_error, 256, "%s", sentence(err)); }
        store_close(admin.store, on_closed, &admin);
        while (!admin.closed) {
            uv_run(&admin.loop, UV_RUN_ONCE);
        }
    }
    uv_run(&admin.loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&admin.loop);
    return err;
}
