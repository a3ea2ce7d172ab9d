/* server/match/talk.c: the table's chat: written by seats, read by whoever may see the match. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/live.h"

static const char table[] = "table";

/* The members of a message but its number, which stands between the two texts. */
static void write_before(struct buf *out)
{
    jw_object_begin(out);
    jw_key_str(out, "channel", table);
    jw_key(out, "n");
}

static void write_after(struct buf *out, int64_t at, const char *from, const char *text)
{
    /* Follows a number, so the comma comes by itself only where there is one. */
    jw_key_int(out, "at", at);
    if (from != NULL) { jw_key_str(out, "from", from); }
    jw_key_str(out, "text", text);
    jw_object_end(out);
}

/* A message on its way. */
struct saying {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct message_write *write;
    char *action_id;
    struct hash params;
    unsigned seat;
};

static void saying_destroy(struct saying *saying)
{
    free(saying->action_id);
    free(saying);
}

/* The push, for all that watch. */
static void push_said(struct matches *matches, struct match *match, const char *message, size_t len)
{
    struct buf *out = &matches->patch;
    buf_reset(out);
    buf_append_str(out, "{\"jsonrpc\":\"2.0\",\"method\":\"match.said\",\"params\":{\"match\":\"");
    buf_append_str(out, match->id.text);
    buf_append_str(out, "\",");
    buf_append(out, message + 1, len - 1);
    buf_append_str(out, "}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg == NULL) { return; }
    const struct match_hooks *hooks = &matches->config.hooks;
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (!match->begun && watch_is_stranger(match, watch)) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_SAID, msg);
    }
    msg_unref(msg);
}

static void on_said(void *ctx, enum err err)
{
    struct saying *saying = ctx;
    struct matches *matches = saying->matches;
    struct match *match = saying->match;
    if (err == ERR_OK) {
        struct buf *out = &matches->text;
        buf_reset(out);
        buf_append_str(out, saying->write->answer_before);
        jw_int(out, (int64_t)saying->write->n);
        buf_append_str(out, saying->write->answer_after);
        if (out->failed) {
            done_fail(&saying->call, ERR_INTERNAL, NULL);
        } else {
            done_ok(&saying->call, out->data, out->len);
            push_said(matches, match, out->data, out->len);
        }
    } else if (err == ERR_CONFLICT && saying->action_id != NULL) {
        answer_lookup(matches, match, &saying->call, saying->action_id, &saying->params, NULL,
                      ERR_STORAGE_FAILED);
    } else {
        done_fail(&saying->call, ERR_STORAGE_FAILED, NULL);
    }
    saying_destroy(saying);
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* What is written. NULL: memory. */
static struct message_write *make_write(struct matches *matches, const struct match *match,
                                        const struct saying *saying, const char *text)
{
    struct message_write *write = calloc(1, sizeof *write);
    if (write == NULL) { return NULL; }
    write->match = match->key;
    write->channel = table;
    write->at = matches_now(matches);
    memcpy(write->account, saying->call.account.text, sizeof write->account);
    write->text = strdup(text);
    write->params = saying->params;
    if (saying->action_id != NULL) {
        write->action_id = strdup(saying->action_id);
        store_note_answer(matches->config.store, &saying->call.account, saying->action_id);
    }
    struct buf *out = &matches->text;
    buf_reset(out);
    write_before(out);
    if (!out->failed) { write->answer_before = strndup(out->data, out->len); }
    buf_reset(out);
    /* The digits come before it: begin with one, and leave it out. */
    buf_append_char(out, '0');
    write_after(out, write->at, match->codes[saying->seat], text);
    if (!out->failed) { write->answer_after = strndup(out->data + 1, out->len - 1); }
    if (write->text == NULL || write->answer_before == NULL || write->answer_after == NULL ||
        (saying->action_id != NULL && write->action_id == NULL)) {
        message_write_free(write);
        return NULL;
    }
    return write;
}

static enum err read_channel(const struct cJSON *params, struct why *why)
{
    const char *channel = NULL;
    enum err err = json_read_str(params, "!channel", 16, &channel, why);
    if (err != ERR_OK) { return err; }
    if (strcmp(channel, table) != 0) {
        return why_member(why, "channel", "the only channel is table");
    }
    return ERR_OK;
}

/* Something else than blanks, and not too much. */
static enum err check_text(const char *text, struct why *why)
{
    if (strlen(text) > MATCH_SAY_BYTES_MAX) {
        (void)why_member(why, "text", "a message has up to 2000 bytes");
        return ERR_TOO_LARGE;
    }
    if (strspn(text, " \t\r\n") == strlen(text)) {
        return why_member(why, "text", "the message is empty");
    }
    return ERR_OK;
}

static bool run_say(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "channel", "text", "action_id", NULL};
    struct why why;
    why_clear(&why);
    const char *text = NULL;
    const char *action_id = NULL;
    unsigned seat = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = read_channel(task->params, &why); }
    if (err == ERR_OK) { err = json_read_str(task->params, "!text", 65536, &text, &why); }
    if (err == ERR_OK) {
        err = json_read_str(task->params, "action_id", ACTION_ID_BYTES_MAX, &action_id, &why);
    }
    if (err == ERR_OK) { err = check_text(text, &why); }
    if (err == ERR_OK) {
        err = match_actor(matches, match, &task->call.account, NULL, &seat, &why);
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct saying *saying = calloc(1, sizeof *saying);
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (saying == NULL || unit == NULL) { goto memory; }
    saying->matches = matches;
    saying->match = match;
    saying->call = task->call;
    saying->seat = seat;
    if (action_id != NULL) {
        saying->action_id = strdup(action_id);
        if (saying->action_id == NULL) { goto memory; }
        params_hash("match.say", task->params, &matches->text, &saying->params);
    }
    saying->write = make_write(matches, match, saying, text);
    if (saying->write == NULL) { goto memory; }
    store_unit_add(unit, matches_write_message, saying->write, message_write_free);
    match->holds++;
    matches->pending++;
    store_commit(matches->config.store, unit, on_said, saying);
    return true;
memory:
    store_unit_destroy(unit);
    if (saying != NULL) { saying_destroy(saying); }
    return task_fail(task, ERR_INTERNAL, NULL);
}

void match_say(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_say);
}

/* --- reading -----------------------------------------------------------------------------------
 */

struct talk_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    int64_t key;
    uint64_t before;
    unsigned limit, seats;
    struct account_id accounts[SEATS_MAX];
    char codes[SEATS_MAX][ROW_CODE_BYTES];
    struct buf out;
};

static void talk_free(void *talk_job)
{
    struct talk_job *job = talk_job;
    buf_finish(&job->out);
    free(job);
}

static bool on_message(void *ctx, uint64_t n, int64_t at, const char *account, const char *text)
{
    struct talk_job *job = ctx;
    const char *from = NULL;
    for (unsigned i = 0; i < job->seats; i++) {
        if (strcmp(job->accounts[i].text, account) == 0) { from = job->codes[i]; }
    }
    write_before(&job->out);
    jw_int(&job->out, (int64_t)n);
    write_after(&job->out, at, from, text);
    return !job->out.failed;
}

static enum err talk_run(struct db *db, void *talk_job)
{
    struct talk_job *job = talk_job;
    buf_reset(&job->out);
    jw_object_begin(&job->out);
    jw_key_array(&job->out, "messages");
    enum err err =
        matches_read_messages(db, job->key, table, job->before, job->limit, on_message, job);
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

static bool run_talk(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "channel", "before", "limit", NULL};
    struct why why;
    why_clear(&why);
    int64_t before = JSON_INT_MAX;
    int64_t limit = 50;
    unsigned viewer = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = read_channel(task->params, &why); }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "before", 1, JSON_INT_MAX, &before, &why);
    }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "limit", 1, MATCH_TALK_MESSAGES_MAX, &limit, &why);
    }
    if (err == ERR_OK) { err = match_viewer(match, &task->call.account, NULL, &viewer, &why); }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct talk_job *job = calloc(1, sizeof *job);
    if (job == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    job->matches = matches;
    job->match = match;
    job->call = task->call;
    job->key = match->key;
    job->before = (uint64_t)before;
    job->limit = (unsigned)limit;
    job->seats = match->seats;
    memcpy(job->accounts, match->accounts, sizeof job->accounts);
    memcpy(job->codes, match->codes, sizeof job->codes);
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
