/* server/lobby/account_others.c: what accounts see and say of each other: profiles, blocks, bots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/account_inside.h"
#include "server/lobby/names.h"
#include "server/store/accounts.h"
#include "server/store/desk.h"
#include "server/store/lobby.h"
#include "server/store/nonces.h"
#include "server/store/store.h"

static enum err read_name_of_other(struct account_job *job)
{
    const char *name = NULL;
    enum err err = json_read_str(job->params, "!name", 1024, &name, &job->why);
    if (err != ERR_OK) { return err; }
    struct why unused;
    if (name_read(name, job->account.name, sizeof job->account.name, &unused) != ERR_OK ||
        name_fold(job->account.name, job->folded) != ERR_OK) {
        return ERR_NOT_FOUND;
    }
    return ERR_OK;
}

static enum err op_profile(struct db *db, void *data)
{
    struct account_job *job = data;
    struct account_row row;
    enum err err = accounts_read_by_folded(db, job->folded, &row);
    if (err != ERR_OK) { return err; }
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_str(&job->out, "name", row.name);
    jw_key_int(&job->out, "created_at", row.created_at);
    if (row.bot) { jw_key_bool(&job->out, "bot", true); }
    if (!account_is_nobody(&job->session.account) &&
        accounts_have_blocked(db, job->session.account.text, row.id.text)) {
        jw_key_bool(&job->out, "blocked", true);
    }
    jw_key_int(&job->out, "finished", accounts_count_finished(db, &row.id));
    jw_key_object(&job->out, "ratings");
    jw_object_end(&job->out);
    jw_object_end(&job->out);
    free(row.settings);
    return ERR_OK;
}

enum err account_start_profile(struct account_job *job)
{
    static const char *const names[] = {"name", NULL};
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = read_name_of_other(job); }
    if (err == ERR_OK) { account_job_read(job, op_profile, account_job_answered); }
    return err;
}

static enum err op_block(struct db *db, void *data)
{
    struct account_job *job = data;
    struct account_row row;
    enum err err = accounts_read_by_folded(db, job->folded, &row);
    if (err != ERR_OK) { return err; }
    free(row.settings);
    if (account_id_same(&row.id, &job->session.account)) {
        return why_member(&job->why, "name", "That is you.");
    }
    return accounts_set_block(db, &job->session.account, &row.id, job->on, BLOCKS_MAX, job->now);
}

enum err account_start_block(struct account_job *job)
{
    static const char *const names[] = {"name", "on", NULL};
    enum err err = json_only(job->params, names, &job->why);
    if (err == ERR_OK) { err = json_read_bool(job->params, "!on", &job->on, &job->why); }
    if (err == ERR_OK) { err = read_name_of_other(job); }
    if (err == ERR_OK) { account_job_write(job, op_block, account_job_written); }
    return err;
}

/* --- bots --------------------------------------------------------------------------------------
 */

static enum err op_bots(struct db *db, void *data)
{
    struct account_job *job = data;
    job->bot_count = accounts_read_bots(db, job->bots, BOTS_MAX);
    return ERR_OK;
}

/* {name, games} of a bot that says which it plays. */
static void write_bot(const struct account_row *row, struct buf *out)
{
    cJSON *settings = NULL;
    if (row->settings == NULL ||
        json_parse(row->settings, strlen(row->settings), &settings) != ERR_OK) {
        return;
    }
    const cJSON *plays = json_get(settings, "plays");
    if (plays != NULL) {
        jw_object_begin(out);
        jw_key_str(out, "name", row->name);
        if (row->house[0] != '\0') {
            jw_key(out, "level");
            jw_strn(out, row->house, strcspn(row->house, "/"));
        }
        jw_key(out, "games");
        jw_value(out, plays);
        jw_object_end(out);
    }
    cJSON_Delete(settings);
}

/* Who is here is known on the loop alone. */
static void on_bots_read(void *ctx, enum err err)
{
    struct account_job *job = ctx;
    const struct accounts_config *config = &job->accounts->config;
    jw_object_begin(&job->out);
    jw_key_array(&job->out, "bots");
    for (unsigned i = 0; i < job->bot_count && config->is_here != NULL; i++) {
        if (config->is_here(config->ctx, &job->bots[i].id)) { write_bot(&job->bots[i], &job->out); }
    }
    jw_array_end(&job->out);
    jw_object_end(&job->out);
    account_job_end(job, err);
}

enum err account_start_bots(struct account_job *job)
{
    enum err err = account_job_no_params(job);
    if (err != ERR_OK) { return err; }
    job->bots = calloc(BOTS_MAX, sizeof *job->bots);
    if (job->bots == NULL) { return ERR_INTERNAL; }
    account_job_read(job, op_bots, on_bots_read);
    return ERR_OK;
}
