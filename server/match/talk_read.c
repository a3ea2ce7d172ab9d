/* server/match/talk_read.c: what was said, how far it was read, what is still unread. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/match/talk.h"

/* --- match.talk ------------------------------------------------------------------------------- */

struct talk_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct talk_read read;
    struct buf out;
};

static void talk_free(void *talk_job)
{
    struct talk_job *job = talk_job;
    buf_finish(&job->out);
    free(job);
}

static enum err talk_run(struct db *db, void *talk_job)
{
    struct talk_job *job = talk_job;
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_array(&job->out, "messages");
    enum err err = talk_read_messages(db, &job->read, &job->out);
    jw_array_end(&job->out);
    jw_object_end(&job->out);
    return err;
}

static void on_talk(void *ctx, enum err err)
{
    struct talk_job *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    if (err == ERR_OK && job->out.failed) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK) {
        done_ok(&job->call, job->out.data, job->out.len);
    } else {
        done_fail(&job->call, err, NULL);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static void fill_read(const struct match *match, const struct account_id *account,
                      const struct talk_place *place, struct talk_read *read)
{
    read->match = match->key;
    read->channel = place->channel;
    read->account = *account;
    read->delay = place->delay;
}

static bool run_talk(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "channel", "before", "limit", NULL};
    struct why why;
    why_clear(&why);
    int64_t before = JSON_INT_MAX;
    int64_t limit = 50;
    enum talk_channel channel = TALK_TABLE;
    struct talk_place place;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = talk_read_channel(task->params, &channel, &why); }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "before", 1, JSON_INT_MAX, &before, &why);
    }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "limit", 1, MATCH_TALK_MESSAGES_MAX, &limit, &why);
    }
    if (err == ERR_OK) {
        err = talk_judge(matches, match, &task->call.account, channel, &place, &why);
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct talk_job *job = calloc(1, sizeof *job);
    if (job == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    job->matches = matches;
    job->match = match;
    job->call = task->call;
    fill_read(match, &task->call.account, &place, &job->read);
    job->read.before = (uint64_t)before;
    job->read.limit = (unsigned)limit;
    buf_init(&job->out, 8U << 20);
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, talk_run, job, talk_free, on_talk, job);
    return true;
}

void match_talk(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_talk);
}

/* --- match.read ------------------------------------------------------------------------------- */

struct mark_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct talk_read read;
    uint64_t n;
    unsigned unread;
};

static enum err mark_run(struct db *db, void *mark_job)
{
    struct mark_job *job = mark_job;
    bool found = false;
    enum err err = talk_find(db, &job->read, job->n, &found);
    if (err == ERR_OK && !found) { err = ERR_NOT_FOUND; }
    if (err == ERR_OK) {
        err = talk_write_mark(db, job->read.match, &job->read.account, job->read.channel, job->n);
    }
    return err == ERR_OK ? talk_count_unread(db, &job->read, &job->unread) : err;
}

static void on_marked(void *ctx, enum err err)
{
    struct mark_job *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    struct why why;
    why_clear(&why);
    struct buf *out = &matches->text;
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "channel", talk_channel_name(job->read.channel));
    jw_key_int(out, "n", (int64_t)job->n);
    jw_key_int(out, "unread", job->unread);
    jw_object_end(out);
    if (err == ERR_OK && out->failed) { err = ERR_INTERNAL; }
    if (err == ERR_NOT_FOUND) { (void)why_member(&why, "n", "There is no such message."); }
    if (err == ERR_OK) {
        done_ok(&job->call, out->data, out->len);
    } else {
        done_fail(&job->call, err, &why);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static bool run_read(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "channel", "n", "action_id", NULL};
    struct why why;
    why_clear(&why);
    int64_t n = 0;
    const char *action_id = NULL; /* the mark never goes back: a repeat does no harm */
    enum talk_channel channel = TALK_TABLE;
    struct talk_place place;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = talk_read_channel(task->params, &channel, &why); }
    if (err == ERR_OK) { err = json_read_int(task->params, "!n", 1, JSON_INT_MAX, &n, &why); }
    if (err == ERR_OK) {
        err = json_read_str(task->params, "action_id", ACTION_ID_BYTES_MAX, &action_id, &why);
    }
    if (err == ERR_OK && account_is_nobody(&task->call.account)) {
        err = why_text(&why, ERR_NOT_SIGNED_IN, "Sign in first.");
    }
    if (err == ERR_OK && matches->closing) { err = ERR_CLOSING; }
    if (err == ERR_OK) {
        err = talk_judge(matches, match, &task->call.account, channel, &place, &why);
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct mark_job *job = calloc(1, sizeof *job);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (job == NULL || unit == NULL) {
        free(job);
        store_unit_destroy(unit);
        return task_fail(task, ERR_INTERNAL, NULL);
    }
    job->matches = matches;
    job->match = match;
    job->call = task->call;
    job->n = (uint64_t)n;
    fill_read(match, &task->call.account, &place, &job->read);
    store_unit_add(unit, mark_run, job, free);
    match->holds++;
    matches->pending++;
    store_commit(matches->config.store, unit, on_marked, job);
    return true;
}

void match_read(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_read);
}

/* --- of the summary --------------------------------------------------------------------------- */

void talk_plan(const struct matches *matches, const struct match *match,
               const struct account_id *account, struct talk_summary *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < TALK_CHANNELS && !account_is_nobody(account); i++) {
        struct talk_place place;
        struct why why;
        why_clear(&why);
        out->may[i] =
            talk_judge(matches, match, account, (enum talk_channel)i, &place, &why) == ERR_OK;
        if (out->may[i]) { fill_read(match, account, &place, &out->read[i]); }
    }
}

enum err talk_summary_read(struct db *db, struct talk_summary *summary)
{
    enum err err = ERR_OK;
    for (unsigned i = 0; i < TALK_CHANNELS && err == ERR_OK; i++) {
        if (!summary->may[i]) { continue; }
        err = talk_count_unread(db, &summary->read[i], &summary->unread[i]);
    }
    return err;
}

void talk_summary_write(const struct match *match, const struct talk_summary *summary,
                        struct buf *out)
{
    bool watched = match->spectators_public || match->guests.delay > 0;
    jw_key_object(out, "talk");
    const char *side = summary->may[TALK_SIDE] ? side_state(match) : NULL;
    if (side != NULL) { jw_key_raw(out, "side", side, strlen(side)); }
    jw_key_bool(out, "watchers", watched && match->guests.talk);
    jw_key_object(out, "unread");
    for (unsigned i = 0; i < TALK_CHANNELS; i++) {
        if (!summary->may[i]) { continue; }
        jw_key_int(out, talk_channel_name((enum talk_channel)i), summary->unread[i]);
    }
    jw_object_end(out);
    jw_object_end(out);
}
