/* server/match/proof.c: what proves a match: signed receipts while it runs, its record once it is
 * open to all. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "server/base/log.h"
#include "server/match/live.h"

enum { RECORD_BYTES_MAX = 20 << 20, RECORD_JSON_BYTES_MAX = 30 << 20 };

/* --- receipts ----------------------------------------------------------------------------------
 */

static void write_receipt(const struct matches *matches, const struct match *match, unsigned viewer,
                          struct buf *out)
{
    const struct tip_viewer *tip = &match->tip[viewer];
    const struct receipt receipt = {.match = match->id.text,
                                    .viewer = match_viewer_name(match, viewer),
                                    .seq = tip->seq,
                                    .head = tip->head,
                                    .at = matches_now(matches)};
    uint8_t signature[SIGNATURE_BYTES];
    uint8_t key[SIGN_PUBLIC_BYTES];
    receipt_sign(&receipt, store_receipt_seed(matches->config.store), signature);
    receipt_public_key(store_receipt_seed(matches->config.store), key);
    buf_reset(out);
    jw_object_begin(out);
    jw_key_str(out, "match", receipt.match);
    jw_key_str(out, "viewer", receipt.viewer);
    jw_key_int(out, "seq", (int64_t)receipt.seq);
    jw_key_b64(out, "chain", receipt.head.bytes, HASH_BYTES);
    jw_key_int(out, "time", receipt.at);
    jw_key_b64(out, "signature", signature, sizeof signature);
    jw_key_b64(out, "key", key, sizeof key);
    jw_object_end(out);
}

/* The durable seq and head of the viewer, signed (FAIRNESS 6). */
static bool run_receipt(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", NULL};
    struct why why;
    why_clear(&why);
    unsigned viewer = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) {
        err = match_viewer(match, &task->call.account, task->params, &viewer, &why);
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    write_receipt(matches, match, viewer, &matches->text);
    if (matches->text.failed) { return task_fail(task, ERR_INTERNAL, NULL); }
    done_ok(&task->call, matches->text.data, matches->text.len);
    return true;
}

void match_receipt(struct matches *matches, const struct match_call *call,
                   const struct cJSON *params)
{
    task_start(matches, call, params, run_receipt);
}

/* --- the record --------------------------------------------------------------------------------
 */

/* Written on a reader's thread. */
struct record_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct match_id id;
    /* on the way */
    struct match_row row;
    struct hash head;
    struct buf text, marks, out;
};

static void record_free(void *record_job)
{
    struct record_job *job = record_job;
    match_row_finish(&job->row);
    buf_finish(&job->text);
    buf_finish(&job->marks);
    buf_finish(&job->out);
    free(job);
}

static enum err record_line(void *ctx, uint64_t n, const char *body, size_t len, uint64_t answer)
{
    struct record_job *job = ctx;
    const struct hash before = job->head;
    (void)answer;
    line_head(job->id.text, &job->row.secret, n, &before, body, len, &job->head);
    line_append_mark(&job->marks, &job->head);
    buf_append(&job->text, body, len);
    buf_append_char(&job->text, '\n');
    return job->text.failed || job->marks.failed ? ERR_TOO_LARGE : ERR_OK;
}

/* Lines, then the key: FAIRNESS 7. Nothing is written that does not hold: the last head is the one
 * that every viewer was given. */
static enum err record_run(struct db *db, void *record_job)
{
    struct record_job *job = record_job;
    enum err err = matches_read_row(db, &job->id, true, &job->row);
    if (err != ERR_OK) { return err; }
    if (!job->row.over) { return ERR_CONFLICT; }
    err = matches_read_lines(db, job->row.key, 0, job->row.next_n - 1, record_line, job);
    if (err != ERR_OK) { return err; }
    if (memcmp(&job->head, &job->row.head, sizeof job->head) != 0) {
        log_event(LOG_ERROR, "record_differs", "match=%s", job->id.text);
        return ERR_STORAGE_FAILED;
    }
    line_write_key(&job->text, &job->row.secret, &job->head, buf_str(&job->marks));
    buf_append_char(&job->text, '\n');
    jw_object_begin(&job->out);
    jw_key(&job->out, "record");
    jw_strn(&job->out, buf_str(&job->text), job->text.len);
    jw_object_end(&job->out);
    return job->text.failed || job->out.failed ? ERR_TOO_LARGE : ERR_OK;
}

static void on_record(void *ctx, enum err err)
{
    struct record_job *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    if (err == ERR_OK) {
        done_ok(&job->call, job->out.data, job->out.len);
    } else {
        struct why why;
        why_clear(&why);
        if (err == ERR_CONFLICT) {
            err = why_conflict(&why, "not_revealed", "The match is not open yet.");
        }
        done_fail(&job->call, err, &why);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

/* Who may see everything of the match: the viewer `all`. */
static bool run_record(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", NULL};
    struct why why;
    why_clear(&why);
    unsigned viewer = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = match_viewer(match, &task->call.account, NULL, &viewer, &why); }
    bool seat = match_seat_of(match, &task->call.account) >= 0;
    if (err == ERR_OK && (!match_is_revealed(match) || (match->reveal_seats && !seat))) {
        err = why_conflict(&why, "not_revealed", "The match is not open yet.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    struct record_job *job = calloc(1, sizeof *job);
    if (job == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    job->matches = matches;
    job->match = match;
    job->call = task->call;
    job->id = match->id;
    buf_init(&job->text, RECORD_BYTES_MAX);
    buf_init(&job->marks, RECORD_BYTES_MAX);
    buf_init(&job->out, RECORD_JSON_BYTES_MAX);
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, record_run, job, record_free, on_record, job);
    return true;
}

void match_record(struct matches *matches, const struct match_call *call,
                  const struct cJSON *params)
{
    task_start(matches, call, params, run_record);
}
