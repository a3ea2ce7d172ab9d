/* Written for libwebsockets 4.1 on a libuv loop: what it is told not to do (permessage-deflate, own
 * timers) it does badly there. */
#include "client-cli/net/conn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libwebsockets.h>
#include <sodium.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/words/words.h"

enum {
    FRAME_BYTES_MAX = 32 << 20, /* the record of the longest match */
    TRIES_MAX = 20,
    BACKOFF_MIN_MS = 250,
    BACKOFF_MAX_MS = 8000,
    CONNECT_MS = 25000, /* from the first packet to the greeting */
    GIVE_UP_MS = 15000
};

/* An open call. text: LWS_PRE free bytes, then the message. */
struct pending {
    struct pending *next;
    uint64_t id, due_ms; /* due_ms: not to be sent before (uv_now) */
    unsigned tries;
    bool sent, greeting;
    char *text;
    size_t len;
    conn_reply_fn *reply;
    void *ctx;
};

struct fetch {
    struct buf *body;
    bool done, ok;
    uintptr_t serial;   /* what is heard of an older one is not of this */
    conn_body_fn *told; /* NULL: whoever asked waits in the loop */
    void *ctx;
    struct buf own;
};

struct conn {
    uv_loop_t *loop;
    struct lws_context *context;
    struct lws *wsi;
    struct url url;
    struct conn_events events;
    struct pending *first;
    struct buf rx;
    uv_timer_t timer; /* the next try, or the next call that is due */
    char *token;
    uint64_t next_id, down_since_ms;
    unsigned tries;
    enum conn_state state;
    bool insecure, for_ever, was_up, leaving, timer_closed;
    char why[256];
    struct fetch *fetch;
    uintptr_t fetches;
};

static void open_socket(struct conn *conn);
static void plan_timer(struct conn *conn);
static void on_timer(uv_timer_t *timer);

static void set_state(struct conn *conn, enum conn_state state, uint64_t retry_ms)
{
    conn->state = state;
    if (conn->events.on_state != NULL) {
        conn->events.on_state(conn->events.ctx, state, retry_ms, conn->why);
    }
}

static void pending_free(struct pending *p)
{
    if (p == NULL) { return; }
    free(p->text);
    free(p);
}

static void add_pending(struct conn *conn, const char *method, const char *params, bool greeting,
                        conn_reply_fn *reply, void *ctx)
{
    struct pending *p = calloc(1, sizeof *p);
    struct buf text;
    buf_init(&text, FRAME_BYTES_MAX);
    uint64_t id = ++conn->next_id;
    jw_object_begin(&text);
    jw_key_str(&text, "jsonrpc", "2.0");
    jw_key_int(&text, "id", (int64_t)id);
    jw_key_str(&text, "method", method);
    if (params != NULL) { jw_key_raw(&text, "params", params, strlen(params)); }
    jw_object_end(&text);
    char *framed = text.failed ? NULL : malloc(LWS_PRE + text.len);
    if (p == NULL || framed == NULL) {
        fprintf(stderr, "vedette: out of memory\n");
        abort();
    }
    memcpy(framed + LWS_PRE, text.data, text.len);
    *p = (struct pending){.id = id,
                          .greeting = greeting,
                          .text = framed,
                          .len = text.len,
                          .reply = reply,
                          .ctx = ctx};
    buf_finish(&text);
    struct pending **at = &conn->first; /* greetings go before all else */
    while (*at != NULL && (!greeting || (*at)->greeting)) {
        at = &(*at)->next;
    }
    p->next = *at;
    *at = p;
}

/* ---- greeting: who we are, and who we are for ---- */

static void on_hello(void *ctx, const cJSON *result, const cJSON *error)
{
    (void)ctx;
    (void)result;
    (void)error;
}

static void come_up(struct conn *conn)
{
    conn->tries = 0;
    conn->was_up = true;
    set_state(conn, CONN_UP, 0);
    if (conn->wsi != NULL) { lws_callback_on_writable(conn->wsi); }
}

/* A token that is refused leaves us a stranger: the next call is told so by the server. */
static void on_resume(void *ctx, const cJSON *result, const cJSON *error)
{
    if (result == NULL && error == NULL) { return; }
    come_up(ctx);
}

static void greet(struct conn *conn)
{
    struct buf params;
    buf_init(&params, 4096);
    jw_object_begin(&params);
    jw_key_str(&params, "client", "vedette");
    jw_key_str(&params, "version", VEDETTE_VERSION);
    jw_object_end(&params);
    add_pending(conn, "server.hello", buf_str(&params), true, on_hello, conn);
    if (conn->token != NULL) {
        buf_reset(&params);
        jw_object_begin(&params);
        jw_key_str(&params, "token", conn->token);
        jw_object_end(&params);
        add_pending(conn, "account.resume", buf_str(&params), true, on_resume, conn);
    }
    buf_finish(&params);
    if (conn->token == NULL) { come_up(conn); }
}

/* ---- going down and coming back ---- */

static void fail_all(struct conn *conn)
{
    while (conn->first != NULL) {
        struct pending *p = conn->first;
        conn->first = p->next;
        if (p->reply != NULL) { p->reply(p->ctx, NULL, NULL); }
        pending_free(p);
    }
}

static void drop_greetings(struct conn *conn)
{
    struct pending **at = &conn->first;
    while (*at != NULL) {
        struct pending *p = *at;
        p->sent = false;
        if (!p->greeting) {
            at = &p->next;
            continue;
        }
        *at = p->next;
        pending_free(p);
    }
}

static uint64_t backoff_ms(unsigned tries)
{
    uint64_t ms = BACKOFF_MIN_MS;
    for (unsigned i = 1; i < tries && ms < BACKOFF_MAX_MS; i++) {
        ms *= 2;
    }
    if (ms > BACKOFF_MAX_MS) { ms = BACKOFF_MAX_MS; }
    return ms / 2 + randombytes_uniform((uint32_t)(ms / 2 + 1));
}

/* What libwebsockets says of a failed try, or a message of the catalogue, for people. */
static const char *plain_why(const char *why)
{
    static const struct {
        const char *begins, *id;
    } table[] = {
        {"connect SSL err", "cli.why.certificate"},
        {"server's cert didn't look good", "cli.why.certificate"},
        {"closed before established", "cli.why.nobody"},
        {"HS: ws upgrade response not 101", "cli.why.not_vedette"},
        {"HS: ws upgrade unauthorized", "cli.why.refuses"},
        {"getaddrinfo failed", "cli.why.no_host"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strncmp(why, table[i].begins, strlen(table[i].begins)) == 0) {
            return words_text(table[i].id);
        }
    }
    const char *text = words_text(why);
    return text == NULL ? why : text;
}

static void went_down(struct conn *conn, const char *why)
{
    if (why != NULL && why[0] != '\0') {
        snprintf(conn->why, sizeof conn->why, "%s", plain_why(why));
    }
    conn->wsi = NULL;
    buf_reset(&conn->rx);
    drop_greetings(conn);
    uv_update_time(conn->loop);
    uint64_t now = uv_now(conn->loop);
    if (conn->tries == 0) { conn->down_since_ms = now; }
    conn->tries++;
    bool hopeless = !conn->was_up || (!conn->for_ever && now - conn->down_since_ms > GIVE_UP_MS);
    if (hopeless) {
        /* What bounded this try would hold up the next call's. */
        uv_timer_stop(&conn->timer);
        set_state(conn, CONN_GIVEN_UP, 0);
        fail_all(conn);
        return;
    }
    uint64_t ms = backoff_ms(conn->tries);
    set_state(conn, CONN_DOWN, ms);
    uv_timer_start(&conn->timer, on_timer, ms, 0);
}

/* ---- what comes in ---- */

/* Milliseconds after which a refused call is to be tried again; 0: it is not. */
static uint64_t retry_after(const cJSON *error, unsigned tries)
{
    if (error == NULL || tries >= TRIES_MAX) { return 0; }
    const cJSON *data = json_get(error, "data");
    const cJSON *kind = json_get(data, "kind");
    if (!cJSON_IsString(kind)) { return 0; }
    if (strcmp(kind->valuestring, "rate_limited") == 0) {
        const cJSON *ms = json_get(data, "retry_after_ms");
        double wait = cJSON_IsNumber(ms) ? ms->valuedouble : 1000;
        return wait < 50 ? 50 : wait > 60000 ? 60000 : (uint64_t)wait;
    }
    bool passing = strcmp(kind->valuestring, "closing") == 0 ||
                   strcmp(kind->valuestring, "storage_failed") == 0;
    return passing && tries < 5 ? 500U * (tries + 1) : 0;
}

static void on_reply(struct conn *conn, uint64_t id, const cJSON *result, const cJSON *error)
{
    struct pending **at = &conn->first;
    while (*at != NULL && (*at)->id != id) {
        at = &(*at)->next;
    }
    struct pending *p = *at;
    if (p == NULL) { return; }
    uint64_t wait = p->greeting ? 0 : retry_after(error, p->tries);
    if (wait > 0) {
        p->tries++;
        p->sent = false;
        uv_update_time(conn->loop);
        p->due_ms = uv_now(conn->loop) + wait;
        plan_timer(conn);
        return;
    }
    *at = p->next;
    if (p->reply != NULL) { p->reply(p->ctx, result, error); }
    pending_free(p);
}

static void take_message(struct conn *conn, const cJSON *message)
{
    const cJSON *method = json_get(message, "method");
    const cJSON *id = json_get(message, "id");
    if (cJSON_IsString(method)) {
        if (conn->events.on_push != NULL) {
            conn->events.on_push(conn->events.ctx, method->valuestring,
                                 json_get(message, "params"));
        }
        return;
    }
    const int64_t number = json_int(id, -1);
    if (number < 0) { return; }
    const cJSON *result = json_get(message, "result");
    const cJSON *error = json_get(message, "error");
    cJSON *nothing = result == NULL && error == NULL ? cJSON_CreateObject() : NULL;
    on_reply(conn, (uint64_t)number, nothing != NULL ? nothing : result, error);
    cJSON_Delete(nothing);
}

/* VEDETTE_TRACE set: every message goes to standard error, for those who write clients. Not the
 * greetings: they hold the token. */
static void trace(const char *way, const char *text, size_t n)
{
    static int on = -1;
    if (on < 0) { on = getenv("VEDETTE_TRACE") != NULL ? 1 : 0; }
    if (on == 1) { fprintf(stderr, "%s %.*s\n", way, (int)(n < 600 ? n : 600), text); }
}

static void take_frame(struct conn *conn)
{
    cJSON *json = NULL;
    trace("<", conn->rx.data, conn->rx.len);
    if (json_parse(conn->rx.data, conn->rx.len, &json) != ERR_OK) { return; }
    if (cJSON_IsArray(json)) {
        for (const cJSON *m = json->child; m != NULL; m = m->next) {
            take_message(conn, m);
        }
    } else {
        take_message(conn, json);
    }
    cJSON_Delete(json);
}

/* ---- what goes out ---- */

static struct pending *next_to_send(const struct conn *conn)
{
    uint64_t now = uv_now(conn->loop);
    for (struct pending *p = conn->first; p != NULL; p = p->next) {
        if (!p->sent && p->due_ms <= now && (p->greeting || conn->state == CONN_UP)) { return p; }
    }
    return NULL;
}

static int send_next(struct conn *conn)
{
    struct pending *p = next_to_send(conn);
    if (p == NULL) { return 0; }
    p->sent = true;
    if (!p->greeting) { trace(">", p->text + LWS_PRE, p->len); }
    /* lws masks a client's bytes where they stand; the call may have to be sent again. */
    unsigned char *copy = malloc(LWS_PRE + p->len);
    if (copy == NULL) { return -1; }
    memcpy(copy + LWS_PRE, p->text + LWS_PRE, p->len);
    int written = lws_write(conn->wsi, copy + LWS_PRE, p->len, LWS_WRITE_TEXT);
    free(copy);
    if (written < 0) { return -1; }
    if (next_to_send(conn) != NULL) { lws_callback_on_writable(conn->wsi); }
    return 0;
}

static void plan_timer(struct conn *conn)
{
    if (conn->state != CONN_UP) { return; }
    uint64_t now = uv_now(conn->loop), soonest = UINT64_MAX;
    for (const struct pending *p = conn->first; p != NULL; p = p->next) {
        if (!p->sent && p->due_ms > now && p->due_ms < soonest) { soonest = p->due_ms; }
    }
    if (soonest == UINT64_MAX) { return; }
    uv_timer_start(&conn->timer, on_timer, soonest - now, 0);
}

static void on_timer(uv_timer_t *timer)
{
    struct conn *conn = timer->data;
    if (conn->state == CONN_UP) {
        if (conn->wsi != NULL) { lws_callback_on_writable(conn->wsi); }
        plan_timer(conn);
    } else if (conn->state == CONN_CONNECTING) {
        /* The library has its own timeouts before this one: what is left of it is gone. */
        went_down(conn, "cli.why.none");
    } else {
        open_socket(conn);
    }
}

/* ---- libwebsockets ---- */

static int on_ws(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                 size_t len)
{
    (void)user;
    struct conn *conn = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        greet(conn);
        lws_callback_on_writable(wsi);
        break;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        if (lws_is_first_fragment(wsi)) { buf_reset(&conn->rx); }
        if (len > 0) { buf_append(&conn->rx, in, len); }
        if (conn->rx.failed) { return -1; }
        if (lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0 &&
            conn->rx.len > 0) {
            take_frame(conn);
            buf_reset(&conn->rx);
        }
        if (conn->wsi == wsi && next_to_send(conn) != NULL) { lws_callback_on_writable(wsi); }
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE: return send_next(conn);
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        went_down(conn, in == NULL ? "cli.why.none" : (const char *)in);
        break;
    case LWS_CALLBACK_CLIENT_CLOSED: went_down(conn, "cli.why.closed"); break;
    case LWS_CALLBACK_WSI_DESTROY:
        /* Cut off while it shook hands: no other word comes. */
        if (!conn->leaving && conn->wsi == wsi && conn->state == CONN_CONNECTING) {
            went_down(conn, "cli.why.closed");
        }
        break;
    default: break;
    }
    return 0;
}

static void end_fetch(struct conn *conn, bool ok)
{
    struct fetch *fetch = conn->fetch;
    if (fetch == NULL || fetch->done) { return; }
    fetch->done = true;
    fetch->ok = ok;
    if (fetch->told == NULL) { return; }
    conn->fetch = NULL; /* the next may be asked for at once */
    fetch->told(fetch->ctx, ok ? buf_str(&fetch->own) : NULL);
    buf_finish(&fetch->own);
    free(fetch);
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t len)
{
    (void)user;
    struct conn *conn = lws_context_user(lws_get_context(wsi));
    if (conn == NULL) { return 0; }
    if (conn->fetch == NULL || conn->fetch->serial != (uintptr_t)lws_get_opaque_user_data(wsi)) {
        return reason == LWS_CALLBACK_RECEIVE_CLIENT_HTTP ? -1 : 0; /* nobody reads it any more */
    }
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
        if (lws_http_client_http_response(wsi) != 200) { end_fetch(conn, false); }
        break;
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: {
        char chunk[LWS_PRE + 4096];
        char *at = chunk + LWS_PRE;
        int room = (int)(sizeof chunk - LWS_PRE);
        return lws_http_client_read(wsi, &at, &room) < 0 ? -1 : 0;
    }
    case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
        if (!conn->fetch->done) { buf_append(conn->fetch->body, in, len); }
        return 0;
    case LWS_CALLBACK_COMPLETED_CLIENT_HTTP: end_fetch(conn, !conn->fetch->body->failed); break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    case LWS_CALLBACK_CLOSED_CLIENT_HTTP: end_fetch(conn, false); break;
    default: break;
    }
    return 0;
}

static const struct lws_protocols protocols[] = {
    {"vedette.v1", on_ws, 0, 65536, 0, NULL, 0},
    {"http-get", on_http, 0, 4096, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

/* A peer that says nothing for 40 s is pinged, for 60 s given up: a dead line shows within a
 * minute. */
static const lws_retry_bo_t validity = {.secs_since_valid_ping = 40, .secs_since_valid_hangup = 60};

static void fill_info(struct conn *conn, struct lws_client_connect_info *info, const char *path)
{
    info->context = conn->context;
    info->address = conn->url.host;
    info->host = conn->url.host;
    info->port = conn->url.port;
    info->path = path;
    info->origin = NULL; /* we are no browser */
    info->ssl_connection = conn->url.tls ? LCCSCF_USE_SSL : 0;
    if (conn->url.tls && conn->insecure) {
        info->ssl_connection |= LCCSCF_ALLOW_SELFSIGNED | LCCSCF_ALLOW_INSECURE |
                                LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED;
    }
}

static void open_socket(struct conn *conn)
{
    char path[URL_PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/ws", conn->url.path);
    struct lws_client_connect_info info = {0};
    fill_info(conn, &info, path);
    info.protocol = protocols[0].name;
    info.local_protocol_name = protocols[0].name;
    info.retry_and_idle_policy = &validity;
    info.pwsi = &conn->wsi;
    set_state(conn, CONN_CONNECTING, 0);
    uv_timer_start(&conn->timer, on_timer, CONNECT_MS, 0);
    if (lws_client_connect_via_info(&info) == NULL && conn->state == CONN_CONNECTING) {
        went_down(conn, "cli.why.none");
    }
}

/* Sends for what conn->fetch is to hold. */
static void begin_fetch(struct conn *conn, const char *path)
{
    char whole[2 * URL_PATH_MAX];
    int n = snprintf(whole, sizeof whole, "%s%s", conn->url.path, path);
    conn->fetch->serial = ++conn->fetches;
    struct lws_client_connect_info info = {0};
    fill_info(conn, &info, whole);
    info.method = "GET";
    info.local_protocol_name = protocols[1].name;
    info.opaque_user_data = (void *)conn->fetch->serial;
    if (n < 0 || (size_t)n >= sizeof whole || lws_client_connect_via_info(&info) == NULL) {
        end_fetch(conn, false);
    }
}

void conn_fetch(struct conn *conn, const char *path, size_t bytes_max, conn_body_fn *told,
                void *ctx)
{
    struct fetch *fetch = conn->fetch == NULL ? calloc(1, sizeof *fetch) : NULL;
    if (fetch == NULL) {
        told(ctx, NULL);
        return;
    }
    buf_init(&fetch->own, bytes_max);
    fetch->body = &fetch->own;
    fetch->told = told;
    fetch->ctx = ctx;
    conn->fetch = fetch;
    begin_fetch(conn, path);
}

bool conn_fetch_wait(struct conn *conn, const char *path, struct buf *out_body)
{
    if (conn->fetch != NULL) { return false; }
    struct fetch fetch = {.body = out_body};
    conn->fetch = &fetch;
    begin_fetch(conn, path);
    while (!fetch.done) {
        uv_run(conn->loop, UV_RUN_ONCE);
    }
    conn->fetch = NULL;
    return fetch.ok;
}

/* ---- public ---- */

struct conn *conn_create(uv_loop_t *loop, const struct url *url, bool insecure,
                         const struct conn_events *events)
{
    struct conn *conn = calloc(1, sizeof *conn);
    if (conn == NULL || sodium_init() < 0) {
        free(conn);
        return NULL;
    }
    conn->loop = loop;
    conn->url = *url;
    conn->insecure = insecure;
    if (events != NULL) { conn->events = *events; }
    snprintf(conn->why, sizeof conn->why, "%s", plain_why("cli.why.none"));
    buf_init(&conn->rx, FRAME_BYTES_MAX);
    lws_set_log_level(getenv("VEDETTE_LWS_LOG") != NULL ? LLL_ERR | LLL_WARN | LLL_NOTICE : 0,
                      NULL);

    void *loops[1] = {loop};
    struct lws_context_creation_info info = {0};
    info.options = LWS_SERVER_OPTION_LIBUV | (url->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0);
    info.foreign_loops = loops;
    info.port = CONTEXT_PORT_NO_LISTEN;
    info.protocols = protocols;
    info.extensions = NULL;
    info.user = conn;
    info.pt_serv_buf_size = 16384;
    info.fd_limit_per_thread = 64;
    conn->context = lws_create_context(&info);
    if (conn->context == NULL) {
        buf_finish(&conn->rx);
        free(conn);
        return NULL;
    }
    uv_timer_init(loop, &conn->timer);
    conn->timer.data = conn;
    return conn;
}

static void on_timer_closed(uv_handle_t *handle)
{
    struct conn *conn = handle->data;
    conn->timer_closed = true;
}

void conn_destroy(struct conn *conn)
{
    if (conn == NULL) { return; }
    conn->events = (struct conn_events){0};
    conn->leaving = true;
    conn->was_up = false; /* what ends now is not tried again */
    if (conn->wsi != NULL && conn->state == CONN_UP) {
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
    }
    fail_all(conn);
    end_fetch(conn, false);
    buf_finish(&conn->rx);
    free(conn->token);
    conn->token = NULL;
    struct lws_context *context = conn->context;
    uv_loop_t *loop = conn->loop;
    uv_close((uv_handle_t *)&conn->timer, on_timer_closed);
    lws_context_destroy(
        context); /* twice, the loop run between: lws on a foreign loop wants it so */
    for (int i = 0; i < 4; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
    }
    lws_context_destroy(context);
    /* The last words of the library come here: conn is there until they are said. */
    for (int i = 0; i < 4 || !conn->timer_closed; i++) {
        uv_run(loop, UV_RUN_NOWAIT);
    }
    free(conn);
}

void conn_set_token(struct conn *conn, const char *token)
{
    free(conn->token);
    conn->token = token == NULL ? NULL : strdup(token);
}

void conn_set_patience(struct conn *conn, bool for_ever)
{
    conn->for_ever = for_ever;
}

enum conn_state conn_state(const struct conn *conn)
{
    return conn->state;
}

const char *conn_why(const struct conn *conn)
{
    return conn->why;
}

void conn_call(struct conn *conn, const char *method, const char *params, conn_reply_fn *reply,
               void *ctx)
{
    add_pending(conn, method, params, false, reply, ctx);
    if (conn->state == CONN_UP && conn->wsi != NULL) {
        lws_callback_on_writable(conn->wsi);
    } else if (conn->wsi == NULL && !uv_is_active((uv_handle_t *)&conn->timer)) {
        uv_timer_start(&conn->timer, on_timer, 0, 0);
    }
}

struct waiting {
    cJSON *result, *error;
    bool done;
};

static void on_waited(void *ctx, const cJSON *result, const cJSON *error)
{
    struct waiting *w = ctx;
    w->done = true;
    w->result = result == NULL ? NULL : cJSON_Duplicate(result, true);
    w->error = error == NULL ? NULL : cJSON_Duplicate(error, true);
}

void conn_call_wait(struct conn *conn, const char *method, const char *params, cJSON **out_result,
                    cJSON **out_error)
{
    struct waiting w = {0};
    conn_call(conn, method, params, on_waited, &w);
    while (!w.done) {
        uv_run(conn->loop, UV_RUN_ONCE);
    }
    *out_result = w.result;
    *out_error = w.error;
}

void conn_write_action_id(struct buf *params)
{
    unsigned char id[16];
    randombytes_buf(id, sizeof id);
    jw_key_b64(params, "action_id", id, sizeof id);
}
