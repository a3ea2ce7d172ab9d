/* server/match/draft.c: a draft is read, played, and spent in the unit of its lines. */
#include "server/match/draft.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "server/match/live.h"
#include "server/store/desk.h"

bool draft_is_named(const struct cJSON *params)
{
    return json_get(params, "draft") != NULL;
}

/* ---- read ---- */

struct reading {
    struct matches *matches;
    struct match *match;
    struct task *again;
    int64_t key, version;
    struct desk_draft draft;
    char *actions;
};

static void reading_free(void *data)
{
    struct reading *reading = data;
    free(reading->actions);
    free(reading);
}

static enum err reading_run(struct db *db, void *data)
{
    struct reading *reading = data;
    return desk_read_draft(db, reading->key, &reading->again->call.account, &reading->draft,
                           &reading->actions);
}

/* The task goes on with what was read, or is answered. */
static enum err take_draft(struct reading *reading, struct why *why)
{
    struct task *task = reading->again;
    if (reading->draft.version != reading->version) {
        return why_conflict(why, "version", "The draft was changed elsewhere: look again.");
    }
    if (json_parse(reading->actions, strlen(reading->actions), &task->draft) != ERR_OK) {
        return ERR_STORAGE_FAILED;
    }
    if (task->draft->child != NULL) { return ERR_OK; }
    cJSON_Delete(task->draft);
    task->draft = NULL;
    return why_member(why, "draft", "The draft is empty.");
}

static void on_read(void *ctx, enum err err)
{
    struct reading *reading = ctx;
    struct matches *matches = reading->matches;
    struct match *match = reading->match;
    struct task *task = reading->again;
    struct why why;
    why_clear(&why);
    if (err == ERR_NOT_FOUND) { err = ERR_OK; } /* version 0 */
    if (err == ERR_OK) { err = take_draft(reading, &why); }
    if (err == ERR_OK) {
        task_keep(matches, match, task);
    } else {
        done_fail(&task->call, err, &why);
        free(task);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

bool draft_is_there(struct making *making, const struct cJSON **out_first, unsigned *out_count)
{
    struct matches *matches = making->matches;
    struct match *match = making->match;
    struct task *task = making->task;
    if (task->draft != NULL) {
        *out_first = task->draft->child;
        *out_count = (unsigned)cJSON_GetArraySize(task->draft);
        return true;
    }
    struct reading *reading = calloc(1, sizeof *reading);
    struct task *again = malloc(sizeof *again);
    if (reading == NULL || again == NULL) {
        free(reading);
        free(again);
        (void)task_fail(task, ERR_INTERNAL, NULL);
        return false;
    }
    *again = *task;
    *reading = (struct reading){.matches = matches,
                                .match = match,
                                .again = again,
                                .key = match->key,
                                .version = json_int(json_get(task->params, "draft"), 0)};
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, reading_run, reading, reading_free, on_read, reading);
    return false;
}

/* ---- spent ---- */

struct spending {
    int64_t match, version;
    struct account_id account;
};

static enum err spend_run(struct db *db, void *data)
{
    const struct spending *spending = data;
    return desk_spend_draft(db, spending->match, &spending->account, spending->version);
}

enum err draft_spend(struct making *making)
{
    struct spending *spending = calloc(1, sizeof *spending);
    if (spending == NULL) { return ERR_INTERNAL; }
    spending->match = making->match->key;
    spending->version = json_int(json_get(making->task->params, "draft"), 0);
    spending->account = making->task->call.account;
    store_unit_add(making->unit, spend_run, spending, free);
    return ERR_OK;
}
