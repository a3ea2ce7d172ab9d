/* client-cli/net/witness.c: one question after the other, each answered before the next. */
#include "client-cli/net/witness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

enum { PARAMS_MAX = 1 << 16, SEATS = 3, CODE_BYTES = 16 };

struct witness {
    struct conn *conn;
    struct keep keep;
    bool keeps;
    char match[64], as[CODE_BYTES];
    struct witness_events events;
    bool busy, alive, has_header, key_asked, give_up;
    int refs;                        /* calls on their way hold it */
    char viewer[CODE_BYTES];         /* as the server calls this viewer */
    char awaited[SEATS][CODE_BYTES]; /* own seats whose nonces are to be opened */
    char commits[SEATS][KEEP_B64];   /* and their commitments */
    int count;
    struct hash head;   /* of the header */
    int64_t opened_seq; /* newest step that a nonce of ours made; -1: none */
    int64_t asked_seq;  /* the step whose head is compared */
    char asked_chain[KEEP_B64];
    int64_t told_seq; /* newest step kept */
    char told_as[CODE_BYTES];
};

struct witness *witness_create(struct conn *conn, const struct keep *keep, const char *match,
                               const char *as, const struct witness_events *events)
{
    struct witness *w = calloc(1, sizeof *w);
    if (w == NULL) { return NULL; }
    w->conn = conn;
    w->keeps = keep != NULL;
    if (keep != NULL) { w->keep = *keep; }
    w->events = *events;
    w->alive = true;
    w->refs = 1;
    w->told_seq = -1;
    w->opened_seq = -1;
    (void)snprintf(w->match, sizeof w->match, "%s", match);
    (void)snprintf(w->as, sizeof w->as, "%s", as == NULL ? "" : as);
    return w;
}

static void release(struct witness *w)
{
    if (--w->refs == 0) { free(w); }
}

void witness_destroy(struct witness *take_witness)
{
    if (take_witness == NULL) { return; }
    take_witness->alive = false;
    release(take_witness);
}

bool witness_busy(const struct witness *witness)
{
    return witness->busy;
}

int64_t witness_opened_seq(const struct witness *witness)
{
    return witness->opened_seq;
}

bool witness_has_header(const struct witness *witness)
{
    return witness->has_header;
}

/* A warning of the table, with a name and a value to fill in. */
static void warn(struct witness *w, const char *id, const char *name, const char *value)
{
    if (!w->alive || w->events.on_warning == NULL) { return; }
    struct buf text;
    buf_init(&text, 4096);
    words_say(&text, id, name, value, NULL);
    w->events.on_warning(w->events.ctx, buf_str(&text));
    buf_finish(&text);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void call(struct witness *w, const char *method, struct buf *params, conn_reply_fn *reply)
{
    jw_object_end(params);
    w->refs++;
    conn_call(w->conn, method, buf_str(params), reply, w);
    buf_finish(params);
}

static void begin_params(const struct witness *w, const char *as, struct buf *params)
{
    buf_init(params, PARAMS_MAX);
    jw_object_begin(params);
    jw_key_str(params, "match", w->match);
    if (as[0] != '\0') { jw_key_str(params, "as", as); }
}

static void finish(struct witness *w)
{
    w->busy = false;
    if (w->alive && w->events.on_done != NULL) { w->events.on_done(w->events.ctx); }
}

/* ---- opening ---- */

static void open_next(struct witness *w);

static void on_opened(void *ctx, const cJSON *result, const cJSON *error)
{
    struct witness *w = ctx;
    /* A conflict: another client of the same person was quicker. */
    bool refused =
        error != NULL && strcmp(text_of(json_get(error, "data"), "kind"), "conflict") != 0;
    if (refused) { warn(w, "cli.fair.not_opened", "why", text_of(error, "message")); }
    int64_t seq = json_int(json_get(result, "seq"), -1);
    if (seq > w->opened_seq) { w->opened_seq = seq; }
    if (result != NULL && w->keeps) { stock_fill(w->conn, &w->keep, NULL, NULL); }
    open_next(w);
    release(w);
}

/* Opens what it holds and never opened; of what it does not hold it says so. */
static void open_next(struct witness *w)
{
    if (!w->alive || w->count == 0) {
        finish(w);
        return;
    }
    const char *seat = w->awaited[--w->count];
    struct hash nonce;
    enum kept_nonce kept =
        keep_nonce_take(&w->keep, w->commits[w->count], w->match, &w->head, &nonce);
    if (kept == KEPT_UNREADABLE) {
        warn(w, "cli.fair.disk", "why", strerror(errno));
        open_next(w);
        return;
    }
    if (kept != KEPT_NONCE && !w->give_up) {
        open_next(w);
        return;
    }
    struct buf params;
    begin_params(w, seat, &params);
    if (kept == KEPT_NONCE) {
        jw_key_b64(&params, "nonce", nonce.bytes, sizeof nonce.bytes);
    } else {
        warn(w, kept == KEPT_ELSEWHERE ? "cli.fair.opened_before" : "cli.fair.lost", "seat", seat);
        jw_key_bool(&params, "lost", true);
    }
    conn_write_action_id(&params);
    call(w, "match.nonce", &params, on_opened);
}

/* ---- comparing ---- */

/* The step that was kept must be there, with the head it had. */
static void on_step(void *ctx, const cJSON *result, const cJSON *error)
{
    struct witness *w = ctx;
    (void)error;
    if (result != NULL && w->alive) {
        const cJSON *step = json_get(result, "steps");
        step = cJSON_IsArray(step) ? step->child : NULL;
        if (step == NULL || json_int(json_get(step, "seq"), -1) != w->asked_seq) {
            warn(w, "cli.fair.gone_back", "seq", words_int((long)w->asked_seq));
        } else if (strcmp(text_of(step, "chain"), w->asked_chain) != 0) {
            warn(w, "cli.fair.other_chain", "seq", words_int((long)w->asked_seq));
        }
    }
    open_next(w);
    release(w);
}

/* Asks for the newest step that is kept, or for the header's. */
static void compare_chain(struct witness *w, bool begun)
{
    struct kept_match kept;
    if (!begun || !keep_match_read(&w->keep, w->match, w->viewer, &kept)) {
        open_next(w);
        return;
    }
    struct buf params;
    begin_params(w, w->as, &params);
    w->asked_seq = kept.seq < 0 ? 0 : kept.seq;
    if (kept.seq < 0) {
        b64_encode(w->asked_chain, w->head.bytes, sizeof w->head.bytes);
    } else {
        memcpy(w->asked_chain, kept.chain, sizeof w->asked_chain);
    }
    jw_key_int(&params, "from", w->asked_seq);
    jw_key_int(&params, "limit", 1);
    kept_match_finish(&kept);
    call(w, "match.history", &params, on_step);
}

/* Own seats whose nonces are awaited, with the commitments that the header gives them. */
static void note_awaited(struct witness *w, const cJSON *summary, const cJSON *header)
{
    const cJSON *seat = NULL;
    w->count = 0;
    cJSON_ArrayForEach(seat, json_get(summary, "you"))
    {
        if (!cJSON_IsString(seat) || strlen(seat->valuestring) >= CODE_BYTES) { continue; }
        const char *state = text_of(json_get(summary, "nonces"), seat->valuestring);
        const char *commit = text_of(json_get(header, "nonces"), seat->valuestring);
        if (strcmp(state, "awaited") != 0 || strlen(commit) != KEEP_B64 - 1 || w->count == SEATS) {
            continue;
        }
        memcpy(w->awaited[w->count], seat->valuestring, strlen(seat->valuestring) + 1);
        memcpy(w->commits[w->count], commit, KEEP_B64);
        w->count++;
    }
}

/* The commitment and the header, against what was first shown; what is new is kept. False: nothing
 * may be opened on them. */
static bool compare_header(struct witness *w, const cJSON *summary, const cJSON *header)
{
    const char *commit = text_of(summary, "commit");
    const char *text = text_of(summary, "header");
    struct kept_match kept;
    bool good = strlen(commit) == KEEP_B64 - 1;
    if (!good || !keep_match_read(&w->keep, w->match, w->viewer, &kept)) {
        if (good) { warn(w, "cli.fair.disk", "why", strerror(errno)); }
        return false;
    }
    if (kept.commit[0] == '\0' && !keep_match_commit(&w->keep, w->match, commit)) {
        warn(w, "cli.fair.disk", "why", strerror(errno));
        good = false;
    }
    const char *first = kept.commit[0] == '\0' ? commit : kept.commit;
    bool same = strcmp(first, commit) == 0;
    if (header != NULL) {
        same = same && strcmp(text_of(header, "commit"), first) == 0 &&
               strcmp(text_of(header, "match"), w->match) == 0 &&
               (kept.header == NULL || strcmp(kept.header, text) == 0);
    }
    if (!same) {
        warn(w, "cli.fair.other_header", "match", w->match);
        good = false;
    } else if (good && header != NULL && kept.header == NULL &&
               !keep_match_header(&w->keep, w->match, text)) {
        warn(w, "cli.fair.disk", "why", strerror(errno));
        good = false;
    }
    if (w->told_seq < kept.seq) { w->told_seq = kept.seq; }
    (void)snprintf(w->told_as, sizeof w->told_as, "%s", w->viewer);
    kept_match_finish(&kept);
    return good && header != NULL;
}

static void on_summary(void *ctx, const cJSON *result, const cJSON *error)
{
    struct witness *w = ctx;
    cJSON *header = NULL;
    const char *text = text_of(result, "header");
    (void)error;
    if (text[0] != '\0' && json_parse(text, strlen(text), &header) != ERR_OK) { header = NULL; }
    w->has_header = header != NULL;
    (void)snprintf(w->viewer, sizeof w->viewer, "%s", text_of(result, "as"));
    if (w->as[0] != '\0') { (void)snprintf(w->viewer, sizeof w->viewer, "%s", w->as); }
    if (result != NULL && w->alive && compare_header(w, result, header)) {
        keep_header_head(text, &w->head);
        note_awaited(w, result, header);
        compare_chain(w, json_get(result, "seq") != NULL);
    } else {
        finish(w);
    }
    cJSON_Delete(header);
    release(w);
}

static void ask_summary(struct witness *w)
{
    struct buf params;
    begin_params(w, "", &params);
    call(w, "match.get", &params, on_summary);
}

static void on_hello(void *ctx, const cJSON *result, const cJSON *error)
{
    struct witness *w = ctx;
    const char *key = text_of(result, "receipt_key");
    (void)error;
    if (key[0] != '\0' && keep_server_key(&w->keep, key) == KEY_OTHER) {
        warn(w, "cli.fair.other_key", "server", w->keep.server);
    }
    ask_summary(w);
    release(w);
}

void witness_look(struct witness *witness, bool give_up)
{
    struct witness *w = witness;
    if (w->busy || !w->keeps) { return; }
    w->busy = true;
    w->give_up = give_up;
    if (w->key_asked) {
        ask_summary(w);
        return;
    }
    w->key_asked = true;
    struct buf params;
    buf_init(&params, PARAMS_MAX);
    jw_object_begin(&params);
    call(w, "server.hello", &params, on_hello);
}

void witness_step(struct witness *witness, const char *as, int64_t seq, const char *chain)
{
    struct witness *w = witness;
    if (!w->keeps || as[0] == '\0' || chain[0] == '\0' || strlen(as) >= CODE_BYTES) { return; }
    if (strcmp(w->told_as, as) != 0) {
        /* What was kept before is not written over: a server that was read back from an older copy
         * shows the same step with another head, and that is still to be compared. */
        struct kept_match kept;
        (void)snprintf(w->told_as, sizeof w->told_as, "%s", as);
        w->told_seq = -1;
        if (keep_match_read(&w->keep, w->match, as, &kept)) {
            w->told_seq = kept.seq;
            kept_match_finish(&kept);
        }
    }
    if (seq <= w->told_seq) { return; }
    w->told_seq = seq;
    (void)keep_match_step(&w->keep, w->match, as, seq, chain);
}

static void print_warning(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "vedette: %s\n", text);
}

static void on_waited(void *ctx)
{
    *(bool *)ctx = true;
}

void witness_open_wait(struct conn *conn, const struct keep *keep, const char *match,
                       uv_loop_t *loop)
{
    bool done = false;
    const struct witness_events told = {&done, print_warning, on_waited};
    struct witness *w = witness_create(conn, keep, match, NULL, &told);
    if (w == NULL) { return; }
    witness_look(w, true);
    while (!done) {
        (void)uv_run(loop, UV_RUN_ONCE);
    }
    witness_destroy(w);
}

/* ---- the stock ---- */

struct stock {
    struct conn *conn;
    struct keep keep;
    void (*done)(void *ctx);
    void *ctx;
};

static void stock_end(struct stock *take_stock)
{
    if (take_stock->done != NULL) { take_stock->done(take_stock->ctx); }
    free(take_stock);
}

static void on_stocked(void *ctx, const cJSON *result, const cJSON *error)
{
    (void)result;
    (void)error;
    stock_end(ctx);
}

/* First the nonces are safe on the disk, then the server hears of their commitments. */
static void on_counted(void *ctx, const cJSON *result, const cJSON *error)
{
    struct stock *stock = ctx;
    char commits[KEEP_NONCES_MAX][KEEP_B64];
    int64_t have = json_int(json_get(result, "stock"), -1);
    (void)error;
    unsigned lacking = have >= 0 && have < KEEP_NONCES_MAX ? KEEP_NONCES_MAX - (unsigned)have : 0;
    if (lacking > 0 && !keep_nonces_make(&stock->keep, lacking, commits)) {
        fprintf(stderr,
                "vedette: nonces cannot be kept, so this machine puts none into the dice: %s\n",
                strerror(errno));
        lacking = 0;
    }
    if (lacking == 0) {
        stock_end(stock);
        return;
    }
    struct buf params;
    buf_init(&params, PARAMS_MAX);
    jw_object_begin(&params);
    jw_key_array(&params, "commits");
    for (unsigned i = 0; i < lacking; i++) {
        jw_str(&params, commits[i]);
    }
    jw_array_end(&params);
    conn_write_action_id(&params);
    jw_object_end(&params);
    conn_call(stock->conn, "account.nonces", buf_str(&params), on_stocked, stock);
    buf_finish(&params);
}

void stock_fill(struct conn *conn, const struct keep *keep, void (*done)(void *ctx), void *ctx)
{
    struct stock *stock = calloc(1, sizeof *stock);
    if (stock == NULL) {
        if (done != NULL) { done(ctx); }
        return;
    }
    *stock = (struct stock){conn, *keep, done, ctx};
    conn_call(conn, "account.nonces", "{}", on_counted, stock);
}

void stock_fill_wait(struct conn *conn, const struct keep *keep, uv_loop_t *loop)
{
    bool done = false;
    stock_fill(conn, keep, on_waited, &done);
    while (!done) {
        (void)uv_run(loop, UV_RUN_ONCE);
    }
}
