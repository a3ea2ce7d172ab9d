/* server/net/rpc.c: JSON-RPC 2.0: frames and batches in, checks, answers out. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/base/log.h"
#include "server/net/inside.h"

/* --- answers -----------------------------------------------------------------------------------
 */

static struct sink *sink_create(struct net *net, struct conn *conn, struct post *post, bool batch)
{
    struct sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) { return NULL; }
    struct sink **first = conn != NULL ? &conn->sinks : &post->sinks;
    sink->net = net;
    sink->conn = conn;
    sink->post = post;
    sink->batch = batch;
    sink->left = 1;
    sink->next = *first;
    if (*first != NULL) { (*first)->prev = sink; }
    *first = sink;
    buf_init(&sink->out, ANSWER_BYTES_MAX);
    return sink;
}

void rpc_forget(struct sink **sinks)
{
    while (*sinks != NULL) {
        struct sink *sink = *sinks;
        *sinks = sink->next;
        sink->conn = NULL;
        sink->post = NULL;
        sink->prev = NULL;
        sink->next = NULL;
    }
}

static void sink_unlink(struct sink *sink)
{
    if (sink->conn == NULL && sink->post == NULL) { return; }
    struct sink **first = sink->conn != NULL ? &sink->conn->sinks : &sink->post->sinks;
    if (sink->prev != NULL) {
        sink->prev->next = sink->next;
    } else {
        *first = sink->next;
    }
    if (sink->next != NULL) { sink->next->prev = sink->prev; }
}

/* A message is at hand: it goes out now, or waits for the others of its batch or POST. */
static void sink_take(struct sink *sink, struct msg *take_msg)
{
    if (take_msg == NULL) { return; }
    if (sink->conn != NULL && !sink->batch) {
        conn_send(sink->conn, take_msg);
    } else if (sink->conn != NULL || sink->post != NULL) {
        jw_raw(&sink->out, msg_text(take_msg), take_msg->len);
    }
    msg_unref(take_msg);
}

/* One call less to wait for; the last one sends a batch or ends a POST. */
static void sink_done(struct sink *sink)
{
    assert(sink->left > 0);
    if (--sink->left > 0) { return; }
    if (sink->batch && sink->out.len > 1) { buf_append_char(&sink->out, ']'); }
    const bool any = sink->out.len > 1;
    struct post *post = sink->post;
    if (sink->conn != NULL && sink->batch && any && !sink->out.failed) {
        struct msg *msg = msg_create(sink->out.data, sink->out.len);
        if (msg != NULL) { conn_send(sink->conn, msg); }
        msg_unref(msg);
    }
    if (post != NULL) {
        if (post->status == 0) { post->status = any ? 200 : 204; }
        if (sink->out.failed) { post->status = 500; }
        post->answer = msg_create(any ? sink->out.data : "", any ? sink->out.len : 0);
    }
    sink_unlink(sink);
    buf_finish(&sink->out);
    free(sink);
    if (post != NULL) { post_answer(post); }
}

/* {"jsonrpc":"2.0","id":ID,"result":JSON} without copying twice. */
static struct msg *result_message(const char *id, const char *json, size_t n)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":", middle[] = ",\"result\":";
    const size_t id_len = strlen(id);
    struct msg *msg = msg_reserve(sizeof head - 1 + id_len + sizeof middle - 1 + n + 1);
    if (msg == NULL) { return NULL; }
    char *p = msg_text(msg);
    p = mempcpy(p, head, sizeof head - 1);
    p = mempcpy(p, id, id_len);
    p = mempcpy(p, middle, sizeof middle - 1);
    p = mempcpy(p, json, n);
    *p = '}';
    return msg;
}

static struct msg *error_message(const char *id, enum err err, const struct why *why)
{
    struct buf buf;
    buf_init(&buf, 8192);
    buf_append_str(&buf, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_append_str(&buf, id);
    jw_key_object(&buf, "error");
    jw_key_int(&buf, "code", err_code(err));
    jw_key_str(&buf, "message", why->text[0] != '\0' ? why->text : err_message(err));
    jw_key_object(&buf, "data");
    jw_key_str(&buf, "kind", err_kind(err));
    if (why->rule[0] != '\0') { jw_key_str(&buf, "rule", why->rule); }
    if (why->member[0] != '\0') { jw_key_str(&buf, "member", why->member); }
    if (why->reason[0] != '\0') { jw_key_str(&buf, "reason", why->reason); }
    if (why->opens[0] != '\0') { jw_key_raw(&buf, "opens", why->opens, strlen(why->opens)); }
    if (err == ERR_STALE_STATE && why->seq >= 0) { jw_key_int(&buf, "seq", why->seq); }
    if (err == ERR_RATE_LIMITED) {
        jw_key_int(&buf, "retry_after_ms", why->retry_after_ms > 0 ? why->retry_after_ms : 100);
    }
    jw_object_end(&buf);
    jw_object_end(&buf);
    jw_object_end(&buf);
    struct msg *msg = buf.failed ? NULL : msg_create(buf.data, buf.len);
    buf_finish(&buf);
    return msg;
}

/* --- calls -------------------------------------------------------------------------------------
 */

struct conn *call_conn(const struct call *call)
{
    return call->sink->conn;
}

uint64_t call_address_key(const struct call *call)
{
    if (call->sink->conn != NULL) { return call->sink->conn->address_key; }
    return call->sink->post != NULL ? call->sink->post->address_key : 0;
}

static void call_end(struct call *take_call, enum err err)
{
    struct call *call = take_call;
    struct sink *sink = call->sink;
    struct conn *conn = sink->conn;
    const bool signed_in = conn != NULL && call->method != NULL &&
                           (call->method->flags & SIGNS_IN) != 0 && conn->signing_in;
    counters_call(&call->net->counters, err, net_now_us() - call->began_us);
    if (conn != NULL) { conn->pending--; }
    cJSON_Delete(call->params);
    free(call->data);
    free(call);
    sink_done(sink);
    if (signed_in) {
        conn->signing_in = false;
        rpc_run_held(conn);
    }
}

/* Whether an answer of n bytes can be delivered; else take_call was refused. */
static bool answer_fits(struct call *take_call, size_t n)
{
    const struct sink *sink = take_call->sink;
    struct why why;
    why_clear(&why);
    if (take_call->silent) { return true; }
    if (sink->conn != NULL && !sink->batch && !conn_takes(sink->conn, n)) {
        why.retry_after_ms = 1000;
        call_fail(take_call, why_text(&why, ERR_RATE_LIMITED, "One long answer at a time."), &why);
        return false;
    }
    if (sink->batch && sink->out.len + n > ANSWER_BYTES_MAX - ANSWER_BYTES_SPARE) {
        call_fail(take_call,
                  why_text(&why, ERR_TOO_LARGE, "The answers of the batch are too long."), &why);
        return false;
    }
    return true;
}

void call_reply(struct call *take_call, const char *json, size_t n)
{
    if (!answer_fits(take_call, n)) { return; }
    if (!take_call->silent) { sink_take(take_call->sink, result_message(take_call->id, json, n)); }
    call_end(take_call, ERR_OK);
}

void call_reply_buf(struct call *take_call, const struct buf *json)
{
    if (json->failed) {
        struct why why;
        why_clear(&why);
        call_fail(take_call, ERR_TOO_LARGE, &why);
        return;
    }
    call_reply(take_call, buf_str(json), json->len);
}

/* Who reached for what is not his leaves a trace: the method and who it was, nothing of the match.
 */
static void note_forbidden(const struct call *call)
{
    const char *account = call->session.account.text;
    log_event(LOG_INFO, "forbidden", "method=%s account=%s", call->method->name,
              account[0] == '\0' ? "-" : account);
}

void call_fail(struct call *take_call, enum err err, const struct why *why)
{
    if (err == ERR_FORBIDDEN && take_call->method != NULL) { note_forbidden(take_call); }
    if (!take_call->silent) { sink_take(take_call->sink, error_message(take_call->id, err, why)); }
    call_end(take_call, err);
}

/* What a need means for a session. */
static enum err check_need(const struct call *call)
{
    static const uint8_t scopes[] = {[NEED_READ] = SCOPE_READ,
                                     [NEED_PLAY] = SCOPE_PLAY,
                                     [NEED_ORGANISE] = SCOPE_ORGANISE,
                                     [NEED_FULL] = SCOPE_FULL};
    if (call->method->need == NEED_NOTHING) { return ERR_OK; }
    if (account_is_nobody(&call->session.account)) { return ERR_NOT_SIGNED_IN; }
    return call->session.scope >= scopes[call->method->need] ? ERR_OK : ERR_FORBIDDEN;
}

/* What a call counts for, one by one: its connection, its account, its address. NULL: not that. */
enum { BUCKETS = 3, LIST_SHARE = 4 };
static struct bucket *bucket_of(const struct call *call, unsigned i, const struct rate **out_rate)
{
    struct net *net = call->net;
    const struct net_limits *limits = &net->config.limits;
    const struct account_id *account = &call->session.account;
    struct conn *conn = call->sink->conn;
    const struct rate *const rates[BUCKETS] = {&limits->connection, &limits->account,
                                               &limits->address};
    *out_rate = rates[i];
    if (i == 0) { return conn == NULL ? NULL : &conn->bucket; }
    if (rates[i]->interval_us == 0) { return NULL; }
    if (i == 2) { return rates_bucket(net->rates, call_address_key(call)); }
    if (account_is_nobody(account)) { return NULL; }
    const uint64_t key = rates_key(net->rates, 'a', account->text, sizeof account->text);
    return rates_bucket(net->rates, key);
}

static enum err check_rates(struct call *call)
{
    const uint64_t now = net_now_us();
    for (unsigned i = 0; i < BUCKETS; i++) {
        const struct rate *rate = NULL;
        struct bucket *bucket = bucket_of(call, i, &rate);
        if (bucket != NULL && !bucket_take(bucket, rate, now, &call->why.retry_after_ms)) {
            return ERR_RATE_LIMITED;
        }
    }
    return ERR_OK;
}

/* A call with lists of actions or questions is worth several: it may do what a batch does. */
static void count_lists(const struct call *call)
{
    const int items = cJSON_GetArraySize(json_get(call->params, "actions")) +
                      cJSON_GetArraySize(json_get(call->params, "questions"));
    const uint64_t now = net_now_us();
    for (unsigned i = 0; i < BUCKETS && items >= LIST_SHARE; i++) {
        const struct rate *rate = NULL;
        struct bucket *bucket = bucket_of(call, i, &rate);
        if (bucket != NULL) { bucket_owe(bucket, rate, now, (unsigned)items / LIST_SHARE); }
    }
}

void call_run(struct call *take_call)
{
    struct call *call = take_call;
    const struct method *method = call->method;
    struct conn *conn = call->sink->conn;
    if (conn != NULL) { call->session = conn->session; }
    if (conn == NULL && call->sink->post != NULL) { call->session = call->sink->post->session; }
    enum err err = check_need(call);
    if (err == ERR_OK && call->net->refusing && (method->flags & CHANGES) != 0) {
        err = ERR_CLOSING;
    }
    if (err == ERR_OK && conn != NULL && (method->flags & SIGNS_IN) != 0) {
        conn->signing_in = true;
    }
    if (err == ERR_OK) { err = method->run(call); }
    if (err != ERR_OK) { call_fail(call, err, &call->why); }
}

/* After a sign-in what came behind it runs in its order, until the next sign-in. */
void rpc_run_held(struct conn *conn)
{
    while (conn->held_first != NULL && !conn->signing_in && !conn->killing) {
        struct call *call = conn->held_first;
        conn->held_first = call->held_next;
        if (conn->held_first == NULL) { conn->held_last = NULL; }
        call_run(call);
    }
}

void rpc_drop_held(struct conn *conn)
{
    while (conn->held_first != NULL) {
        struct call *call = conn->held_first;
        conn->held_first = call->held_next;
        call_fail(call, ERR_CLOSING, &call->why);
    }
    conn->held_last = NULL;
}

/* --- frames ------------------------------------------------------------------------------------
 */

/* An id we can give back: a string of at most 120 bytes, an integer, or null. */
static bool read_id(const cJSON *id, char *out, size_t size)
{
    struct buf buf;
    buf_init(&buf, size - 1);
    if (cJSON_IsString(id) && strlen(id->valuestring) <= 120) {
        jw_str(&buf, id->valuestring);
    } else if (cJSON_IsNumber(id) && id->valuedouble >= -(double)JSON_INT_MAX &&
               id->valuedouble <= (double)JSON_INT_MAX &&
               id->valuedouble == (double)(int64_t)id->valuedouble) {
        jw_int(&buf, (int64_t)id->valuedouble);
    } else if (cJSON_IsNull(id)) {
        jw_null(&buf);
    }
    const bool fits = buf.len > 0 && !buf.failed;
    if (fits) { memcpy(out, buf.data, buf.len + 1); }
    buf_finish(&buf);
    return fits;
}

/* The members of a request, each at most once. What is wrong in it is INVALID_REQUEST. */
static enum err read_request(struct call *call, cJSON *request, const char **out_method)
{
    bool version = false, has_id = false, has_params = false;
    if (!cJSON_IsObject(request)) { return ERR_INVALID_REQUEST; }
    enum err err = ERR_OK;
    for (cJSON *i = request->child, *next = NULL; i != NULL; i = next) {
        next = i->next;
        bool good = false;
        if (strcmp(i->string, "jsonrpc") == 0) {
            good = !version && cJSON_IsString(i) && strcmp(i->valuestring, "2.0") == 0;
            version = true;
        } else if (strcmp(i->string, "method") == 0) {
            good = *out_method == NULL && cJSON_IsString(i);
            if (good) { *out_method = i->valuestring; }
        } else if (strcmp(i->string, "id") == 0) {
            good = !has_id && read_id(i, call->id, sizeof call->id);
            has_id = true;
        } else if (strcmp(i->string, "params") == 0) {
            good = !has_params;
            has_params = true;
        }
        if (!good && err == ERR_OK) {
            (void)why_member(&call->why, i->string, "This member of the request is wrong.");
            err = ERR_INVALID_REQUEST;
        }
    }
    if (err != ERR_OK) { return err; }
    if (!version || *out_method == NULL) {
        (void)why_member(&call->why, version ? "method" : "jsonrpc", "This member is missing.");
        return ERR_INVALID_REQUEST;
    }
    call->silent = !has_id;
    return ERR_OK;
}

static enum err take_params(struct call *call, cJSON *request)
{
    call->params = cJSON_DetachItemFromObjectCaseSensitive(request, "params");
    if (call->params == NULL) { call->params = cJSON_CreateObject(); }
    if (call->params == NULL) { return ERR_INTERNAL; }
    if (!cJSON_IsObject(call->params)) {
        return why_member(&call->why, "params", "Parameters go by name, in an object.");
    }
    return json_normalise(call->params, &call->why);
}

/* Everything about a call that can be said before it runs. */
static enum err prepare_call(struct call *call, cJSON *request)
{
    const char *name = NULL;
    enum err err = read_request(call, request, &name);
    if (err != ERR_OK) { return err; }
    call->method = method_find(name);
    err = check_rates(call);
    if (err != ERR_OK) { return err; }
    if (call->method == NULL) { return ERR_UNKNOWN_METHOD; }
    if (call->frame_bytes > call->method->bytes_max) {
        return why_text(&call->why, ERR_TOO_LARGE, "The request is larger than this method takes.");
    }
    struct conn *conn = call->sink->conn;
    if (conn != NULL && conn->pending > call->net->config.limits.pending_max) {
        call->why.retry_after_ms = 100;
        return why_text(&call->why, ERR_RATE_LIMITED, "Too many calls wait for their answer.");
    }
    err = take_params(call, request);
    if (err == ERR_OK) { count_lists(call); }
    return err;
}

/* One request (borrowed, its params are taken out of it). */
static void handle_request(struct sink *sink, cJSON *request, size_t frame_bytes)
{
    struct call *call = calloc(1, sizeof *call);
    if (call == NULL) { return; }
    call->net = sink->net;
    call->sink = sink;
    call->began_us = net_now_us();
    call->frame_bytes = frame_bytes;
    memcpy(call->id, "null", 5);
    why_clear(&call->why);
    sink->left++;
    struct conn *conn = sink->conn;
    if (conn != NULL) {
        conn->pending++;
        call->session = conn->session;
    } else {
        call->session = sink->post->session;
    }
    enum err err = prepare_call(call, request);
    if (err != ERR_OK) {
        call->method = NULL; /* it never began to sign in */
        call_fail(call, err, &call->why);
    } else if (conn != NULL && conn->signing_in) {
        if (conn->held_last != NULL) {
            conn->held_last->held_next = call;
        } else {
            conn->held_first = call;
        }
        conn->held_last = call;
    } else {
        call_run(call);
    }
}

static void answer_frame(struct sink *sink, enum err err, const char *text)
{
    struct why why;
    why_clear(&why);
    if (text != NULL) { (void)why_text(&why, err, text); }
    counters_call(&sink->net->counters, err, 0);
    sink_take(sink, error_message("null", err, &why));
}

void rpc_frame(struct net *net, struct conn *conn, struct post *post, const char *text, size_t n)
{
    cJSON *json = NULL;
    net->counters.messages_in++;
    enum err err = json_parse(text, n, &json);
    const bool list = err == ERR_OK && cJSON_IsArray(json);
    const int count = list ? cJSON_GetArraySize(json) : 0;
    const bool batch = list && count >= 1 && count <= BATCH_MAX;
    struct sink *sink = sink_create(net, conn, post, batch);
    if (sink == NULL) {
        cJSON_Delete(json);
        return;
    }
    if (batch) { buf_append_char(&sink->out, '['); }
    if (err != ERR_OK) {
        answer_frame(sink, ERR_PARSE, NULL);
    } else if (list && count == 0) {
        answer_frame(sink, ERR_INVALID_REQUEST, "A batch holds at least one request.");
    } else if (list && !batch) {
        answer_frame(sink, ERR_TOO_LARGE, "A batch holds at most 16 requests.");
    } else if (batch) {
        for (cJSON *i = json->child; i != NULL; i = i->next) {
            handle_request(sink, i, n);
        }
    } else {
        handle_request(sink, json, n);
    }
    cJSON_Delete(json);
    sink_done(sink);
}
