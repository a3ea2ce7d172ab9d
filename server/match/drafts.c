/* server/match/drafts.c: a draft as a match.act of whoever holds the seat: all of it or nothing, by
 * the same rules; then the draft is empty. */
#include "server/match/drafts.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "server/base/log.h"
#include "server/match/ladder.h"
#include "server/match/live.h"
#include "server/store/desk.h"

struct drafting {
    struct matches *matches;
    struct match_id id;
    struct account_id account;
    int64_t key;
    unsigned seat;
    struct desk_draft draft;
    char *actions;
    cJSON *params; /* of match.act */
};

static void drafting_free(struct drafting *job)
{
    cJSON_Delete(job->params);
    free(job->actions);
    free(job);
}

/* Whatever came of it: the match is looked at again. */
static void drafting_end(struct drafting *job)
{
    struct matches *matches = job->matches;
    if (!matches->closing) { ladder_look(matches, &job->id); }
    drafting_free(job);
    matches_settled(matches);
}

static enum err empty_draft(struct db *db, void *drafting)
{
    const struct drafting *job = drafting;
    return desk_spend_draft(db, job->key, &job->account, job->draft.version);
}

static void on_emptied(void *ctx, enum err err)
{
    (void)err; /* then it stays: its actions are played and fit no more, or it is another by now */
    drafting_end(ctx);
}

static void on_played(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct drafting *job = ctx;
    (void)json;
    (void)n;
    log_event(LOG_DEBUG, "draft_played", "match=%s kind=%s rule=%s", job->id.text, err_kind(err),
              why == NULL ? "" : why->rule);
    struct store_unit *unit = err == ERR_OK ? store_unit_create(NULL, 0) : NULL;
    if (unit == NULL) {
        drafting_end(job);
        return;
    }
    store_unit_add(unit, empty_draft, job, NULL);
    store_commit(job->matches->config.store, unit, on_emptied, job);
}

static bool run_draft(struct matches *matches, struct match *match, struct task *task)
{
    struct drafting *job = task->call.ctx;
    const bool idle = match->frozen || matches->closing || match->next_n == 0 || match->over;
    if (!idle && (match->core == NULL || match->failing || match->spoilt)) {
        match_want_core(matches, match);
        return false;
    }
    if (idle || match->core->over) {
        on_played(job, ERR_MATCH_OVER, NULL, NULL, 0);
        return true;
    }
    const int64_t seq = (int64_t)match->core->tip[job->seat].seq;
    cJSON_DeleteItemFromObjectCaseSensitive(job->params, "seq");
    (void)cJSON_AddNumberToObject(job->params, "seq", (double)seq);
    return match_run_act(matches, match, task);
}

/* The draft as params of match.act; NULL: there is none, or memory is short. */
static cJSON *make_params(const struct drafting *job, const char *code)
{
    cJSON *actions = NULL;
    if (job->actions == NULL ||
        json_parse(job->actions, strlen(job->actions), &actions) != ERR_OK) {
        return NULL;
    }
    cJSON *params = cJSON_GetArraySize(actions) > 0 ? cJSON_CreateObject() : NULL;
    if (params == NULL || !cJSON_AddItemToObject(params, "actions", actions)) {
        cJSON_Delete(actions);
        cJSON_Delete(params);
        return NULL;
    }
    (void)cJSON_AddStringToObject(params, "as", code);
    (void)cJSON_AddStringToObject(params, "match", job->id.text);
    return params;
}

static enum err drafting_read(struct db *db, void *drafting)
{
    struct drafting *job = drafting;
    free(job->actions);
    job->actions = NULL;
    const enum err err = desk_read_draft(db, job->key, &job->account, &job->draft, &job->actions);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

static void on_read(void *ctx, enum err err)
{
    struct drafting *job = ctx;
    struct match *match = match_find(job->matches, &job->id);
    if (err == ERR_OK && match != NULL) { job->params = make_params(job, match->codes[job->seat]); }
    if (job->params == NULL || job->matches->closing) {
        drafting_end(job);
        return;
    }
    const struct match_call call = {.account = job->account, .done = on_played, .ctx = job};
    task_start_id(job->matches, &call, &job->id, job->params, run_draft);
}

bool drafts_try(struct matches *matches, struct match *match, const struct clock_event *event)
{
    const unsigned seat = event->seat;
    if (match->draft_tried_ms[seat] == event->at_ms || account_is_nobody(&match->accounts[seat])) {
        return false;
    }
    struct drafting *job = calloc(1, sizeof *job);
    if (job == NULL) { return false; }
    job->matches = matches;
    job->id = match->id;
    job->account = match->accounts[seat];
    job->key = match->key;
    job->seat = seat;
    match->draft_tried_ms[seat] = event->at_ms;
    matches->pending++;
    store_read(matches->config.store, drafting_read, job, NULL, on_read, job);
    return true;
}
