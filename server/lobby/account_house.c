/* server/lobby/account_house.c: accounts that the daemon makes for itself and plays with. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/names.h"

enum { NAME_TRIES = 20 };

struct house_job {
    struct account_job *job;
    char house[ACCOUNT_HOUSE_BYTES], name[NAME_BYTES_MAX + 1];
    const char *const *plays;
    bool exists, busy;
    accounts_house_done_fn *done;
    void *ctx;
};

static void house_end(struct house_job *take_house, enum err err)
{
    struct house_job *house = take_house;
    struct account_job *job = house->job;
    house->done(house->ctx, err, &job->account.id, job->account.name, job->token_text, house->busy);
    account_job_drop(job);
    free(house);
}

static enum err op_read_house(struct db *db, void *data)
{
    struct house_job *house = data;
    struct account_row *row = &house->job->account;
    free(row->settings);
    row->settings = NULL;
    enum err err = accounts_read_house(db, house->house, row);
    house->exists = err == ERR_OK;
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

/* Where somebody has the name already it gets a number behind it. */
static enum err insert_house(struct db *db, struct house_job *house)
{
    struct account_row *row = &house->job->account;
    struct why why;
    char text[NAME_BYTES_MAX + 1];
    enum err err = ERR_CONFLICT;
    for (unsigned i = 1; err == ERR_CONFLICT && i < NAME_TRIES; i++) {
        if (i == 1) {
            snprintf(text, sizeof text, "%s", house->name);
        } else {
            snprintf(text, sizeof text, "%.80s-%u", house->name, i);
        }
        if (name_read(text, row->name, sizeof row->name, &why) != ERR_OK ||
            name_fold(row->name, house->job->folded) != ERR_OK ||
            name_skeleton(row->name, house->job->skeleton) != ERR_OK) {
            return ERR_INVALID_PARAMS;
        }
        err = accounts_insert(db, row, house->job->folded, house->job->skeleton);
    }
    return err;
}

/* The account, the games that it plays, and a new token in place of older ones. */
static enum err op_write_house(struct db *db, void *data)
{
    struct house_job *house = data;
    struct account_job *job = house->job;
    unsigned count = 0;
    struct buf settings;
    enum err err = house->exists ? ERR_OK : insert_house(db, house);
    buf_init(&settings, SETTINGS_BYTES_MAX);
    jw_object_begin(&settings);
    if (house->plays != NULL) {
        jw_key_array(&settings, "plays");
        for (unsigned i = 0; house->plays[i] != NULL; i++) {
            jw_str(&settings, house->plays[i]);
        }
        jw_array_end(&settings);
    }
    jw_object_end(&settings);
    if (err == ERR_OK) { err = accounts_update_settings(db, &job->account.id, buf_str(&settings)); }
    buf_finish(&settings);
    if (err == ERR_OK) {
        err = accounts_delete_other_tokens(db, &job->account.id, NULL, job->ended, TOKENS_MAX,
                                           &count);
    }
    if (err == ERR_OK) { err = account_op_insert_token(db, job); }
    house->busy = err == ERR_OK && accounts_is_busy(db, &job->account.id);
    return err;
}

static void on_house_written(void *ctx, enum err err)
{
    house_end(ctx, err);
}

static void write_house(struct house_job *house)
{
    account_token_make(house->job, SCOPE_PLAY, "server", 0);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) {
        house_end(house, ERR_INTERNAL);
        return;
    }
    store_unit_add(unit, op_write_house, house, NULL);
    store_commit(house->job->accounts->config.store, unit, on_house_written, house);
}

/* A password that nobody knows. */
static enum err after_house_hash(struct account_job *job)
{
    struct house_job *house = job->house;
    if (!job->matches) {
        house_end(house, ERR_INTERNAL);
        return ERR_OK;
    }
    account_id_make(&job->account.id);
    job->account.created_at = job->now;
    job->account.bot = true;
    memcpy(job->account.house, house->house, sizeof job->account.house);
    write_house(house);
    return ERR_OK;
}

static void on_house_read(void *ctx, enum err err)
{
    struct house_job *house = ctx;
    if (err == ERR_OK && house->exists) {
        write_house(house);
        return;
    }
    if (err == ERR_OK) {
        uint8_t bytes[TOKEN_BYTES];
        char secret[TOKEN_TEXT + 1];
        randombytes_buf(bytes, sizeof bytes);
        b64_encode(secret, bytes, sizeof bytes);
        err = account_job_hash(house->job, secret, NULL, after_house_hash);
        sodium_memzero(secret, sizeof secret);
    }
    if (err != ERR_OK) { house_end(house, err); }
}

void accounts_house(struct accounts *accounts, const char *house, const char *name,
                    const char *const *plays, accounts_house_done_fn *done, void *ctx)
{
    struct house_job *self = calloc(1, sizeof *self);
    struct account_job *job = self == NULL ? NULL : account_job_begin(accounts);
    if (job == NULL) {
        free(self);
        done(ctx, ERR_INTERNAL, NULL, NULL, NULL, false);
        return;
    }
    job->house = self;
    self->job = job;
    self->plays = plays;
    self->done = done;
    self->ctx = ctx;
    snprintf(self->house, sizeof self->house, "%s", house);
    snprintf(self->name, sizeof self->name, "%s", name);
    store_read(accounts->config.store, op_read_house, self, NULL, on_house_read, self);
}
