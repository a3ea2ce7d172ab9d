/* server/match/read.c: what only looks: views, questions, history, replay, the live part of a
 * summary. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/late.h"
#include "server/match/live.h"
#include "server/match/load.h"
#include "server/match/talk.h"
#include "server/store/late.h"

/* --- view --------------------------------------------------------------------------------------
 */

static bool view_frozen(const struct match *match, struct task *task, unsigned viewer)
{
    const char *view = match->frozen_views[viewer];
    if (view == NULL) {
        struct why why;
        why_clear(&why);
        return task_fail(task, why_conflict(&why, "frozen", "This server lacks the match's rules."),
                         &why);
    }
    /* Shown as it was at the last snapshot, and says so (DESIGN 3). */
    size_t len = strlen(view);
    char *text = malloc(len + 24);
    if (text == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    memcpy(text, view, len - 1);
    (void)strcpy(text + len - 1, ",\"frozen\":true}");
    done_ok(&task->call, text, strlen(text));
    free(text);
    return true;
}

static bool run_view(struct matches *matches, struct match *match, struct task *task)
{
    if (late_is(match, &task->call.account, task->params)) {
        return late_view(matches, match, task);
    }
    static const char *const names[] = {"match", "as", "actions", NULL};
    struct why why;
    why_clear(&why);
    unsigned viewer = 0;
    bool forms = true;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_bool(task->params, "actions", &forms, &why); }
    if (err == ERR_OK) {
        err = match_viewer(match, &task->call.account, task->params, &viewer, &why);
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (match->frozen) { return view_frozen(match, task, viewer); }
    const struct view_msg *view = view_current(matches, match, viewer, forms ? FORMS : PLAIN);
    if (view == NULL && view_possible(match, viewer)) {
        return task_fail(task, ERR_INTERNAL, NULL); /* no memory */
    }
    if (view == NULL) { return false; }
    size_t len = 0;
    struct msg *msg = msg_ref(view->msg);
    const char *text = view_text(view, &len);
    match_touch(matches, match);
    done_ok(&task->call, text, len);
    msg_unref(msg);
    return true;
}

void match_view(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_view);
}

/* --- ask ---------------------------------------------------------------------------------------
 */

static bool run_ask(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", "seq", "question", NULL};
    struct why why;
    why_clear(&why);
    unsigned viewer = 0;
    int64_t seq = -1;
    const cJSON *question = NULL;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_int(task->params, "seq", 0, JSON_INT_MAX, &seq, &why); }
    if (err == ERR_OK) { err = json_read_object(task->params, "!question", &question, &why); }
    if (err == ERR_OK) {
        err = match_viewer(match, &task->call.account, task->params, &viewer, &why);
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err == ERR_OK && match->frozen) {
        err = why_conflict(&why, "frozen", "This server does not know the rules of this match.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    if (match->core == NULL || match->failing || match->spoilt || !match->core->begun) {
        match_want_core(matches, match);
        return false;
    }
    const struct core *core = match->core;
    struct buf *out = &matches->text;
    buf_reset(out);
    jw_object_begin(out);
    jw_key_int(out, "seq", (int64_t)core->tip[viewer].seq);
    jw_key(out, "answer");
    if (seq >= 0 && (uint64_t)seq != core->tip[viewer].seq) {
        err = why_text(&why, ERR_STALE_STATE, "The match has gone on.");
        why.seq = (int64_t)core->tip[viewer].seq;
    } else {
        err = core->game->ask(core->state, viewer, question, out, &why);
    }
    jw_object_end(out);
    if (err == ERR_OK && out->failed) { err = ERR_TOO_LARGE; }
    match_touch(matches, match);
    done_later(match, viewer, &task->call, err, &why, err == ERR_OK ? out->data : NULL, out->len);
    return true;
}

void match_ask(struct matches *matches, const struct match_call *call, const struct cJSON *params)
{
    task_start(matches, call, params, run_ask);
}

/* --- history and replay ------------------------------------------------------------------------
 */

/* Played again on a reader's thread, up to the line that is durable now. */
struct past_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct match_id id;
    const struct game *const *games;
    unsigned viewer;
    uint64_t from, to_n; /* seq to begin with; last line */
    struct db *db;
    int64_t key;
    unsigned limit;
    bool late;   /* for who lags behind: no further than to_n, which is set */
    bool replay; /* one view at seq `from` instead of steps */
    /* on the way */
    unsigned count;
    bool more, found;
    struct buf out;
};

static void past_free(void *past_job)
{
    struct past_job *job = past_job;
    buf_finish(&job->out);
    free(job);
}

/* A snapshot does if all that is asked for happened after it; for a replay also if it stands there.
 * What VIEWER_ALL was told is in no snapshot. */
static bool past_fit(void *ctx, const struct core *core)
{
    const struct past_job *job = ctx;
    uint64_t seq = core->tip[job->viewer].seq;
    return job->replay && job->viewer != VIEWER_ALL ? seq <= job->from : seq < job->from;
}

/* clock: of the views from this step on, where it is another than before; NULL: it is not. */
static void write_step(const struct core *core, const struct core_step *step, unsigned viewer,
                       const char *clock, struct buf *out)
{
    const struct tip_viewer *tip = &core->tip[viewer];
    const struct msg *said = core->said[viewer];
    jw_object_begin(out);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    jw_key_int(out, "at", step->at);
    jw_key(out, "events");
    jw_raw(out, said == NULL ? "[]" : msg_text((struct msg *)(uintptr_t)said),
           said == NULL ? 2 : said->len);
    if (clock != NULL) { jw_key_raw(out, "clock", clock, strlen(clock)); }
    jw_object_end(out);
}

static bool past_step(void *ctx, struct core *core, struct scratch *scratch,
                      const struct core_step *step)
{
    struct past_job *job = ctx;
    (void)scratch;
    const struct tip_viewer *tip = &core->tip[job->viewer];
    if (job->replay) {
        /* A quiet line leaves the view as it is: the first state at that seq will do. */
        if (!core->begun || tip->seq != job->from) { return true; }
        free(core->clock);
        if (clocks_read_shown(job->db, job->key, tip->n, &core->clock) != ERR_OK) { return false; }
        core_view(core, job->viewer, false, &job->out, NULL);
        job->found = true;
        return false;
    }
    if (step == NULL || (step->told >> job->viewer & 1U) == 0 || tip->seq < job->from) {
        return true;
    }
    if (job->count == job->limit) {
        job->more = true;
        return false;
    }
    char *clock = NULL;
    if (clocks_read_shown_at(job->db, job->key, step->n, &clock) != ERR_OK) {
        job->out.failed = true;
    }
    write_step(core, step, job->viewer, clock, &job->out);
    free(clock);
    job->count++;
    job->found = true;
    return !job->out.failed;
}

static enum err past_run(struct db *db, void *past_job)
{
    struct past_job *job = past_job;
    job->db = db;
    buf_reset(&job->out);
    if (!job->replay) { buf_append_str(&job->out, "{\"steps\":["); }
    struct match_row row;
    enum err err = matches_read_row(db, &job->id, true, &row);
    if (err != ERR_OK) { return err; }
    const struct game *game = load_find_game(job->games, row.game);
    if (game == NULL || row.rules < game->rules_first || row.rules > game->rules_now) {
        match_row_finish(&row);
        return ERR_CONFLICT;
    }
    struct load_play play = {.game = game,
                             .row = &row,
                             .to = job->to_n,
                             .all = job->viewer == VIEWER_ALL,
                             .fit = past_fit,
                             .step = past_step,
                             .ctx = job};
    struct core *core = NULL;
    job->key = row.key;
    err = load_play(db, &play, &core);
    core_destroy(core);
    match_row_finish(&row);
    if (err != ERR_OK) { return err == ERR_INTERNAL ? ERR_STORAGE_FAILED : err; }
    if (job->replay) { return job->found ? ERR_OK : ERR_NOT_FOUND; }
    jw_array_end(&job->out);
    if (job->more) { jw_key_int(&job->out, "next", (int64_t)(job->from + job->limit)); }
    jw_object_end(&job->out);
    return ERR_OK;
}

static void on_past(void *ctx, enum err err)
{
    struct past_job *job = ctx;
    struct matches *matches = job->matches;
    struct match *match = job->match;
    struct why why;
    why_clear(&why);
    if (err == ERR_OK && job->out.failed) { err = ERR_TOO_LARGE; }
    if (err == ERR_OK) {
        done_ok(&job->call, job->out.data, job->out.len);
    } else {
        if (err == ERR_CONFLICT) { (void)why_conflict(&why, "frozen", "Rules not known here."); }
        if (err == ERR_NOT_FOUND) { (void)why_member(&why, "seq", "There is no such seq."); }
        done_fail(&job->call, err, &why);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static bool past_start(struct matches *matches, struct match *match, struct task *task,
                       const struct past_job *like)
{
    struct past_job *job = malloc(sizeof *job);
    if (job == NULL) { return task_fail(task, ERR_INTERNAL, NULL); }
    *job = *like;
    job->matches = matches;
    job->match = match;
    job->call = task->call;
    job->id = match->id;
    job->games = matches->config.games;
    if (!job->late) { job->to_n = match->next_n - 1; }
    buf_init(&job->out, 8U << 20);
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, past_run, job, past_free, on_past, job);
    return true;
}

static bool run_history(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", "from", "limit", NULL};
    struct past_job job = {.replay = false};
    struct why why;
    why_clear(&why);
    int64_t from = -1;
    int64_t limit = MATCH_HISTORY_STEPS_MAX;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_int(task->params, "from", 0, JSON_INT_MAX, &from, &why); }
    if (err == ERR_OK) {
        err = json_read_int(task->params, "limit", 1, MATCH_HISTORY_STEPS_MAX, &limit, &why);
    }
    bool late = late_is(match, &task->call.account, task->params);
    bool done = false;
    if (err == ERR_OK && !late) {
        err = match_viewer(match, &task->call.account, task->params, &job.viewer, &why);
    }
    if (err == ERR_OK && late) {
        if (!late_ready(matches, match, task, false, &done)) { return done; }
        job.viewer = VIEWER_ALL;
        job.late = true;
        job.to_n = match->late->n;
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    uint64_t seq = late ? job.to_n : match->tip[job.viewer].seq;
    job.limit = (unsigned)limit;
    job.from = from >= 0 ? (uint64_t)from : (seq + 1 > job.limit ? seq + 1 - job.limit : 0);
    if (job.from > seq || (late && seq == 0)) {
        static const char none[] = "{\"steps\":[]}";
        done_ok(&task->call, none, sizeof none - 1);
        return true;
    }
    return past_start(matches, match, task, &job);
}

void match_history(struct matches *matches, const struct match_call *call,
                   const struct cJSON *params)
{
    task_start(matches, call, params, run_history);
}

static bool run_replay(struct matches *matches, struct match *match, struct task *task)
{
    static const char *const names[] = {"match", "as", "seq", NULL};
    struct past_job job = {.replay = true, .limit = 1};
    struct why why;
    why_clear(&why);
    int64_t seq = 0;
    enum err err = json_only(task->params, names, &why);
    if (err == ERR_OK) { err = json_read_int(task->params, "!seq", 0, JSON_INT_MAX, &seq, &why); }
    bool late = late_is(match, &task->call.account, task->params);
    bool done = false;
    if (err == ERR_OK && !late) {
        err = match_viewer(match, &task->call.account, task->params, &job.viewer, &why);
    }
    if (err == ERR_OK && late) {
        if (!late_ready(matches, match, task, false, &done)) { return done; }
        job.viewer = VIEWER_ALL;
        job.late = true;
        job.to_n = match->late->n;
    }
    if (err == ERR_OK && !match->begun) {
        err = why_conflict(&why, "not_started", "The match has not begun.");
    }
    uint64_t last = late ? job.to_n : match->tip[job.viewer].seq;
    if (err == ERR_OK && (seq == 0 || (uint64_t)seq > last)) {
        (void)why_member(&why, "seq", "There is no such seq.");
        err = ERR_NOT_FOUND;
    }
    if (err != ERR_OK) { return task_fail(task, err, &why); }
    job.from = (uint64_t)seq;
    return past_start(matches, match, task, &job);
}

void match_replay(struct matches *matches, const struct match_call *call,
                  const struct cJSON *params)
{
    task_start(matches, call, params, run_replay);
}

/* --- the live part of a summary ----------------------------------------------------------------
 */

struct live_job {
    struct matches *matches;
    struct match *match;
    struct match_call call;
    struct match_id id;
    uint64_t offers_landed;
    struct match_row row;
    struct offer_list offers;
    struct clock_row clock;
    struct talk_summary talk;
    uint32_t delay;  /* of who lags behind; 0: the asker does not */
    uint64_t late_n; /* the last line that he is shown */
};

static void live_free(void *live_job)
{
    struct live_job *job = live_job;
    match_row_finish(&job->row);
    offers_free(&job->offers);
    clock_row_finish(&job->clock);
    free(job);
}

static enum err live_run(struct db *db, void *live_job)
{
    struct live_job *job = live_job;
    enum err err = matches_read_row(db, &job->id, true, &job->row);
    if (err == ERR_OK) { err = talk_summary_read(db, &job->talk); }
    if (err == ERR_OK && job->delay > 0) {
        err = late_read_line(db, job->row.key, job->delay, &job->late_n, NULL);
    }
    if (err == ERR_OK) { err = clocks_read(db, job->row.key, &job->clock); }
    if (err != ERR_OK || (job->row.over && job->row.reveal_at == 0)) { return err; }
    return offers_read_open(db, job->row.key, offers_add, &job->offers, &job->offers.next);
}

/* What the viewer may know of a match that has begun. The loop's tips count: what is stored but not
 * yet told to this viewer's watchers comes with the next answer. */
static void write_live(const struct match *match, const struct live_job *job, unsigned viewer,
                       struct buf *out)
{
    static const char *const nonces[] = {[SEAT_NONCE_WAIVED] = "waived",
                                         [SEAT_NONCE_AWAITED] = "awaited",
                                         [SEAT_NONCE_OPENED] = "opened",
                                         [SEAT_NONCE_LOST] = "lost"};
    const struct match_row *row = &job->row;
    const struct tip_viewer *tip = &match->tip[viewer];
    const char *codes[SEATS_MAX];
    for (unsigned i = 0; i < SEATS_MAX; i++) {
        codes[i] = row->codes[i];
    }
    jw_key_str(out, "as", match_viewer_name(match, viewer));
    if (match->begun) {
        jw_key_int(out, "seq", (int64_t)tip->seq);
        jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
        core_write_seats(codes, row->seats, "to_act", tip->to_act, out);
        core_write_seats(codes, row->seats, "waits_for", tip->waits_for, out);
        bool closed = match->over && match->reveal_at == 0;
        if (!closed) { offers_write_list(&job->offers, codes, row->seats, viewer, out); }
        const char *clock = job->clock.told;
        if (clock != NULL) { jw_key_raw(out, "clock", clock, strlen(clock)); }
        if (match->over && match->reveal_at > 0) { jw_key_int(out, "reveal_at", match->reveal_at); }
    }
    jw_key_object(out, "nonces");
    for (unsigned i = 0; i < row->seats; i++) {
        jw_key_str(out, row->codes[i], nonces[row->nonces[i]]);
    }
    jw_object_end(out);
    /* As text: head 0 is over these very bytes (FAIRNESS 5). */
    if (row->header != NULL) { jw_key_str(out, "header", row->header); }
}

/* What who lags behind may know of a match that runs. */
static void write_late(const struct live_job *job, struct buf *out)
{
    jw_key_str(out, "as", "all");
    if (job->late_n > 0) { jw_key_int(out, "seq", (int64_t)job->late_n); }
    if (job->row.header != NULL) { jw_key_str(out, "header", job->row.header); }
}

static void live_start(struct matches *matches, struct match *match, const struct match_call *call);

static void on_live(void *ctx, enum err err)
{
    struct live_job *job = ctx;
    struct match *match = job->match;
    struct matches *matches = job->matches;
    const struct match_row *row = &job->row;
    struct buf *out = &matches->text;
    buf_reset(out);
    /* What was told of offers since it was read must not be taken back by an older answer. */
    bool stale = err == ERR_OK && job->offers_landed != match->offers_landed;
    if (err == ERR_OK && !stale) {
        struct why why;
        unsigned viewer = VIEWER_PUBLIC;
        why_clear(&why);
        jw_key_b64(out, "commit", row->commit.bytes, HASH_BYTES);
        bool may = match_viewer(match, &job->call.account, NULL, &viewer, &why) == ERR_OK;
        if (row->header != NULL && may) { write_live(match, job, viewer, out); }
        if (job->delay > 0) { write_late(job, out); }
        if (may || job->delay > 0) { talk_summary_write(match, &job->talk, out); }
        jw_key_bool(out, "over", match->over);
        bool own = match_seat_of(match, &job->call.account) >= 0;
        jw_key_bool(out, "revealed", match_is_revealed(match) && (own || !match->reveal_seats));
        if (match->over && row->result != NULL) {
            jw_key_raw(out, "result", row->result, strlen(row->result));
        }
        /* S, from the reveal on (FAIRNESS 7). */
        bool seat = match_seat_of(match, &job->call.account) >= 0;
        if (may && match->begun && match_is_revealed(match) && (seat || !match->reveal_seats)) {
            jw_key_b64(out, "key", row->secret.bytes, HASH_BYTES);
        }
        if (match->frozen) { jw_key_bool(out, "frozen", true); }
        if (out->failed) { err = ERR_INTERNAL; }
    }
    if (stale) {
        live_start(matches, match, &job->call);
    } else if (err == ERR_OK) {
        done_ok(&job->call, out->data, out->len);
    } else {
        done_fail(&job->call, err, NULL);
    }
    match->holds--;
    match_step(matches, match);
    matches_settled(matches);
}

static void live_start(struct matches *matches, struct match *match, const struct match_call *call)
{
    struct live_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        done_fail(call, ERR_INTERNAL, NULL);
        return;
    }
    job->matches = matches;
    job->match = match;
    job->call = *call;
    job->id = match->id;
    job->offers_landed = match->offers_landed;
    talk_plan(matches, match, &call->account, &job->talk);
    struct why why;
    why_clear(&why);
    bool late = late_is(match, &call->account, NULL);
    if (late && late_judge(match, &call->account, &why) == ERR_OK) {
        job->delay = match->guests.delay;
    }
    match->holds++;
    matches->pending++;
    store_read(matches->config.store, live_run, job, live_free, on_live, job);
}

static bool run_live(struct matches *matches, struct match *match, struct task *task)
{
    /* Whether the channel of allies is open is read from the match itself. */
    int seat = match_seat_of(match, &task->call.account);
    bool ally = seat >= 0 && (side_seats(match) >> (unsigned)seat & 1U) != 0;
    if (ally && match->begun && !match->frozen && match->side == NULL && match->core == NULL) {
        match_want_core(matches, match);
        return false;
    }
    live_start(matches, match, &task->call);
    return true;
}

void match_live(struct matches *matches, const struct match_call *call, const struct match_id *id)
{
    task_start_id(matches, call, id, NULL, run_live);
}
