/* server/net/http.c: plain HTTP: who may upgrade, POST /rpc, pages, board data, health, metrics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/log.h"
#include "server/match/courier.h"
#include "server/net/boards.h"
#include "server/net/inside.h"
#include "server/net/web.h"

enum { HEAD_BYTES = 2048, METRICS_BYTES_MAX = 1 << 20 };

struct page {
    unsigned status;
    const char *type;
    const void *body;
    size_t n;
    const char *cache;  /* Cache-Control, NULL: no-store */
    const char *etag;   /* NULL: none */
    const char *origin; /* Access-Control-Allow-Origin, NULL or "": none */
    const char
        *coding; /* Content-Encoding, NULL: none; "": none here, but it depends on the asker */
    bool head_only, close, preflight;
};

static bool add(struct lws *wsi, const char *name, const char *value, unsigned char **p,
                unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), p,
                                       end) == 0;
}

/* Writes head and body of an answer and ends the transaction: what a callback has to return. */
static int write_page(struct lws *wsi, const struct page *page)
{
    unsigned char head[LWS_PRE + HEAD_BYTES], *start = head + LWS_PRE, *p = start,
                                              *end = head + sizeof head - 1;
    const bool bare = page->status == 204 || page->status == 304;
    bool good = lws_add_http_header_status(wsi, page->status, &p, end) == 0;
    if (!bare) {
        good = good && add(wsi, "content-type:", page->type, &p, end) &&
               lws_add_http_header_content_length(wsi, page->n, &p, end) == 0;
    }
    good =
        good && add(wsi, "cache-control:", page->cache == NULL ? "no-store" : page->cache, &p, end);
    if (page->etag != NULL) { good = good && add(wsi, "etag:", page->etag, &p, end); }
    if (page->origin != NULL && page->origin[0] != '\0') {
        good = good && add(wsi, "access-control-allow-origin:", page->origin, &p, end) &&
               add(wsi, "vary:", "origin", &p, end);
    }
    if (page->coding != NULL) {
        good = good && add(wsi, "vary:", "accept-encoding", &p, end);
        if (page->coding[0] != '\0') {
            good = good && add(wsi, "content-encoding:", page->coding, &p, end);
        }
    }
    if (page->preflight) {
        good = good && add(wsi, "access-control-allow-methods:", "POST", &p, end) &&
               add(wsi, "access-control-allow-headers:", "authorization, content-type", &p, end) &&
               add(wsi, "access-control-max-age:", "86400", &p, end);
    }
    if (page->status == 401) { good = good && add(wsi, "www-authenticate:", "Bearer", &p, end); }
    if (page->status == 429) { good = good && add(wsi, "retry-after:", "1", &p, end); }
    if (page->status == 405) { good = good && add(wsi, "allow:", "POST", &p, end); }
    if (page->close) { good = good && add(wsi, "connection:", "close", &p, end); }
    if (!good || lws_finalize_write_http_header(wsi, start, &p, end) != 0) { return -1; }
    if (!bare && !page->head_only && page->n > 0) {
        /* The body is copied: lws may keep what the socket did not take only from its own memory.
         */
        unsigned char *copy = malloc(LWS_PRE + page->n);
        if (copy == NULL) { return -1; }
        memcpy(copy + LWS_PRE, page->body, page->n);
        int n = lws_write(wsi, copy + LWS_PRE, page->n, LWS_WRITE_HTTP_FINAL);
        free(copy);
        if (n < 0) { return -1; }
    }
    return page->close || lws_http_transaction_completed(wsi) != 0 ? -1 : 0;
}

/* Whether the head alone is asked for: a body behind it would be taken for the next answer. */
static bool is_head(struct lws *wsi)
{
    return lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
}

static int write_text(struct lws *wsi, unsigned status, const char *text, bool close)
{
    const struct page page = {.status = status,
                              .type = "text/plain; charset=utf-8",
                              .body = text,
                              .n = strlen(text),
                              .head_only = is_head(wsi),
                              .close = close};
    return write_page(wsi, &page);
}

/* --- POST /rpc ---------------------------------------------------------------------------------
 */

static void post_free(struct post *take_post)
{
    struct post *post = take_post;
    rpc_forget(&post->sinks);
    if (post->net->parts.matches != NULL) {
        match_client_gone(post->net->parts.matches, &post->client);
    }
    msg_unref(post->answer);
    buf_finish(&post->body);
    sodium_memzero(post->token, sizeof post->token);
    *post->link = post->next;
    if (post->next != NULL) { post->next->link = post->link; }
    post->net->posts--;
    free(post);
}

/* The answer is whole; it goes out when the socket can take it. */
void post_answer(struct post *post)
{
    if (post->answer == NULL) { post->status = 500; }
    post->answered = true;
    if (post->wsi != NULL) { (void)lws_callback_on_writable(post->wsi); }
}

static void on_bearer(void *ctx, enum err err, const struct why *why, const struct session *session,
                      const char *json, size_t n)
{
    struct post *post = ctx;
    post->looking_up = false;
    if (post->wsi == NULL) {
        post_free(post);
        return;
    }
    if (err != ERR_OK) {
        static const char refused[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":12,"
                                      "\"message\":\"The token is not "
                                      "known.\",\"data\":{\"kind\":\"bad_credentials\"}}}";
        static const char failed[] =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":10,\"message\":\"The store "
            "failed; "
            "nothing happened, try again.\",\"data\":{\"kind\":\"storage_failed\"}}}";
        const char *text = err == ERR_BAD_CREDENTIALS ? refused : failed;
        post->status = err == ERR_BAD_CREDENTIALS ? 401 : 503;
        post->answer = msg_create(text, strlen(text));
        post_answer(post);
        return;
    }
    post->session = *session;
    bucket_give(rates_bucket(post->net->rates, post->address_key),
                &post->net->config.limits.address); /* its calls are counted each */
    rpc_frame(post->net, NULL, post, buf_str(&post->body), post->body.len);
}

/* Whether the address may ask the store now: for a token or the secret of a page, which no limit of
 * calls counts. */
static bool may_ask(struct net *net, uint64_t address_key)
{
    const struct rate *rate = &net->config.limits.address;
    int64_t wait_ms = 0;
    return bucket_take(rates_bucket(net->rates, address_key), rate, net_now_us(), &wait_ms);
}

static int refuse_asking(struct net *net, struct lws *wsi)
{
    counters_call(&net->counters, ERR_RATE_LIMITED, 0);
    return write_text(wsi, 429, "too many requests\n", true);
}

/* One more that waits for its answer. NULL: no memory. */
static struct post *post_create(struct net *net, struct lws *wsi, void *user)
{
    struct post *post = calloc(1, sizeof *post);
    if (post == NULL) { return NULL; }
    post->net = net;
    post->wsi = wsi;
    buf_init(&post->body, FRAME_BYTES_MAX);
    post->next = net->post_first;
    post->link = &net->post_first;
    if (post->next != NULL) { post->next->link = &post->next; }
    net->post_first = post;
    net->posts++;
    *(struct post **)user = post;
    return post;
}

/* secret: of /unsubscribe/SECRET; NULL: a call. */
static int begin_post(struct net *net, struct lws *wsi, void *user, const char *secret)
{
    char length[24], origin[128], authorization[256], peer[128];
    if (lws_hdr_copy(wsi, length, (int)sizeof length, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0) {
        return write_text(wsi, 411, "a Content-Length is needed\n", true);
    }
    char *end = NULL;
    unsigned long long n = strtoull(length, &end, 10);
    if (*end != '\0' || end == length || n > FRAME_BYTES_MAX) {
        return write_text(wsi, 413, "at most 64 KiB\n", true);
    }
    if (!net_origin_fits(net, wsi, origin, sizeof origin)) {
        net->counters.refused_origin++;
        return write_text(wsi, 403, "this origin may not\n", true);
    }
    if (net->conns + net->posts >= net->config.limits.connections_max) {
        net->counters.refused_full++;
        return write_text(wsi, 503, "too many connections\n", true);
    }
    net_peer(net, wsi, peer, sizeof peer);
    const uint64_t address_key = net_peer_key(net, peer);
    const bool asks = secret != NULL || lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_AUTHORIZATION) > 0;
    if (asks && !may_ask(net, address_key)) { return refuse_asking(net, wsi); }
    struct post *post = post_create(net, wsi, user);
    if (post == NULL) { return -1; }
    if (secret != NULL) { snprintf(post->secret, sizeof post->secret, "%s", secret); }
    memcpy(post->origin, origin, sizeof post->origin);
    post->address_key = address_key;
    net_peer_network(peer, post->network);
    if (lws_hdr_copy(wsi, authorization, (int)sizeof authorization, WSI_TOKEN_HTTP_AUTHORIZATION) >
        0) {
        post->has_token = true;
        if (strncasecmp(authorization, "Bearer ", 7) == 0 &&
            strlen(authorization + 7) < sizeof post->token) {
            memcpy(post->token, authorization + 7, strlen(authorization + 7) + 1);
        }
        sodium_memzero(authorization, sizeof authorization);
    }
    net->counters.connections_http++;
    return 0;
}

/* A page of the courier's is there. */
static void on_page(void *ctx, const struct courier_page *page)
{
    struct post *post = ctx;
    post->looking_up = false;
    if (post->wsi == NULL) {
        post_free(post);
        return;
    }
    const bool same = page->etag[0] != '\0' && web_etag_fits(post->have, page->etag);
    post->status = same ? 304 : page->status;
    post->type = page->type;
    snprintf(post->etag, sizeof post->etag, "%s", page->etag);
    post->answer = msg_create(page->body, page->n);
    post_answer(post);
}

static int on_body_complete(struct post *post)
{
    /* A client that sends ahead: lws would go round and round with what it sent until the answer is
     * there, and tell of this body again each time. Such a connection is closed. */
    if (post->dispatched) { return -1; }
    post->dispatched = true;
    lws_set_timeout(post->wsi, NO_PENDING_TIMEOUT, 0); /* match.wait takes its time */
    if (post->secret[0] != '\0') {
        post->looking_up = true;
        courier_unsubscribe(post->net->courier, post->secret, true, on_page, post);
        return 0;
    }
    if (post->has_token) {
        post->looking_up = true;
        accounts_bearer(post->net->parts.accounts, post->token, on_bearer, post);
    } else {
        rpc_frame(post->net, NULL, post, buf_str(&post->body), post->body.len);
    }
    return 0;
}

static int write_answer(struct lws *wsi, struct post *post, void *user)
{
    if (!post->answered) { return 0; }
    const struct page page = {.status = post->status,
                              .type = post->type == NULL ? "application/json" : post->type,
                              .etag = post->etag[0] == '\0' ? NULL : post->etag,
                              .head_only = post->head_only,
                              .body = post->answer == NULL ? "" : msg_text(post->answer),
                              .n = post->answer == NULL ? 0 : post->answer->len,
                              .origin = post->origin};
    struct net *net = post->net;
    net->counters.messages_out++;
    net->counters.bytes_out += page.n;
    *(struct post **)user = NULL;
    post->wsi = NULL;
    int result = write_page(wsi, &page);
    post_free(post);
    return result;
}

static void on_closed(struct post *post)
{
    post->wsi = NULL;
    if (!post->looking_up) { post_free(post); }
}

/* --- GET ---------------------------------------------------------------------------------------
 */

static int get_metrics(struct net *net, struct lws *wsi)
{
    char peer[128];
    (void)lws_get_peer_simple(wsi, peer, sizeof peer);
    const char *address = strncmp(peer, "::ffff:", 7) == 0 ? peer + 7 : peer;
    const bool loopback = strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
    /* What a proxy on this machine forwards is not from this machine. */
    const bool forwarded = lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0 ||
                           lws_hdr_custom_length(wsi, "forwarded:", 10) > 0;
    if (!net_word_in(net->config.metrics_from, address) && (!loopback || forwarded)) {
        return write_text(wsi, 404, "not found\n", false);
    }
    struct buf out;
    buf_init(&out, METRICS_BYTES_MAX);
    metrics_write(&net->counters, &net->parts, net->conns, net->config.metrics_work, &out);
    if (net->config.metrics_work && net->courier != NULL) {
        metrics_write_courier(net->courier, &out);
    }
    const struct page page = {.status = 200,
                              .type = "text/plain; version=0.0.4; charset=utf-8",
                              .body = buf_str(&out),
                              .n = out.len,
                              .head_only = is_head(wsi)};
    int result = write_page(wsi, &page);
    buf_finish(&out);
    return result;
}

static int get_board(struct lws *wsi, const char *uri, bool head_only)
{
    const struct board_file *file = boards_find_address(uri);
    const bool hashed = file != NULL;
    if (file == NULL) { file = boards_find_path(uri + strlen("/games/")); }
    if (file == NULL) { return write_text(wsi, 404, "not found\n", false); }
    char have[128] = "", accept[256] = "";
    (void)lws_hdr_copy(wsi, have, (int)sizeof have, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    (void)lws_hdr_copy(wsi, accept, (int)sizeof accept, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    const bool packed = web_takes(accept, "gzip");
    const char *etag = packed ? file->gzip_etag : file->etag;
    const struct page page = {
        .status = web_etag_fits(have, etag) ? 304 : 200,
        .type = file->type,
        .body = packed ? file->gzip : file->bytes,
        .n = packed ? file->gzip_n : file->n,
        .coding = packed ? "gzip" : "",
        .cache = hashed ? "public, max-age=31536000, immutable" : "no-cache",
        .etag = etag,
        .origin = "*",
        .head_only = head_only,
    };
    return write_page(wsi, &page);
}

/* A file of the browser client, in the coding that fits best. */
static int get_web(struct lws *wsi, const struct web_file *file, bool head_only)
{
    static const char *const codings[WEB_CODINGS] = {"", "gzip", "br"};
    char accept[256] = "", have[128] = "";
    (void)lws_hdr_copy(wsi, accept, (int)sizeof accept, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    (void)lws_hdr_copy(wsi, have, (int)sizeof have, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    enum web_coding coding = web_choose(file, accept);
    const struct web_body *body = &file->bodies[coding];
    const struct page page = {
        .status = web_etag_fits(have, body->etag) ? 304 : 200,
        .type = file->type,
        .body = body->bytes,
        .n = body->n,
        .cache = file->forever ? "public, max-age=31536000, immutable" : "no-cache",
        .etag = body->etag,
        .coding = codings[coding],
        .head_only = head_only,
    };
    return write_page(wsi, &page);
}

static int get(struct net *net, struct lws *wsi, const char *uri, bool head_only)
{
    const struct web_file *file = net->web == NULL ? NULL : web_find(net->web, uri);
    if (file != NULL) { return get_web(wsi, file, head_only); }
    if (strcmp(uri, "/") == 0 || strcmp(uri, "/index.html") == 0) {
        const struct page page = {.status = 200,
                                  .type = "text/html; charset=utf-8",
                                  .body = page_html,
                                  .n = strlen(page_html),
                                  .cache = "no-cache",
                                  .head_only = head_only};
        return write_page(wsi, &page);
    }
    if (strcmp(uri, "/healthz") == 0) {
        return net->refusing ? write_text(wsi, 503, "closing\n", false)
                             : write_text(wsi, 200, "ok\n", false);
    }
    if (strcmp(uri, "/metrics") == 0) { return get_metrics(net, wsi); }
    if (strncmp(uri, "/games/", 7) == 0) { return get_board(wsi, uri, head_only); }
    if (strcmp(uri, "/rpc") == 0) { return write_text(wsi, 405, "POST it\n", false); }
    if (strcmp(uri, "/ws") == 0) { return write_text(wsi, 426, "a WebSocket lives here\n", false); }
    return write_text(wsi, 404, "not found\n", false);
}

/* What stands between head and tail in an address: a secret of base64url. False: nothing such. */
static bool read_secret(const char *uri, const char *head, const char *tail, char *out, size_t size)
{
    const size_t n = strlen(uri), head_n = strlen(head), tail_n = strlen(tail);
    if (n <= head_n + tail_n || strncmp(uri, head, head_n) != 0 ||
        strcmp(uri + n - tail_n, tail) != 0 || n - head_n - tail_n >= size) {
        return false;
    }
    memcpy(out, uri + head_n, n - head_n - tail_n);
    out[n - head_n - tail_n] = '\0';
    return true;
}

/* Pages that only who knows a secret may have; the store is asked for them. -2: it is none. */
static int get_secret(struct net *net, struct lws *wsi, void *user, const char *uri, bool head_only)
{
    char secret[80], peer[128];
    const bool calendar = read_secret(uri, "/calendar/", ".ics", secret, sizeof secret);
    if (net->courier == NULL ||
        (!calendar && !read_secret(uri, "/unsubscribe/", "", secret, sizeof secret))) {
        return -2;
    }
    net_peer(net, wsi, peer, sizeof peer);
    if (!may_ask(net, net_peer_key(net, peer))) { return refuse_asking(net, wsi); }
    if (net->conns + net->posts >= net->config.limits.connections_max) {
        net->counters.refused_full++;
        return write_text(wsi, 503, "too many connections\n", true);
    }
    struct post *post = post_create(net, wsi, user);
    if (post == NULL) { return -1; }
    (void)lws_hdr_copy(wsi, post->have, (int)sizeof post->have, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    post->head_only = head_only;
    post->dispatched = true;
    post->looking_up = true;
    net->counters.connections_http++;
    lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0);
    if (calendar) {
        courier_read_calendar(net->courier, secret, on_page, post);
    } else {
        courier_unsubscribe(net->courier, secret, false, on_page, post);
    }
    return 0;
}

static int on_http(struct net *net, struct lws *wsi, void *user)
{
    char uri[256], origin[128], secret[80];
    /* lws reads no chunks: a proxy would know where they end, and we not (RFC 9112, 11.2). */
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) {
        return write_text(wsi, 411, "a Content-Length is needed\n", true);
    }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0) {
        if (lws_hdr_copy(wsi, uri, (int)sizeof uri, WSI_TOKEN_POST_URI) <= 0) { uri[0] = '\0'; }
        if (strcmp(uri, "/rpc") == 0) { return begin_post(net, wsi, user, NULL); }
        if (net->courier != NULL && !net->refusing &&
            read_secret(uri, "/unsubscribe/", "", secret, sizeof secret)) {
            return begin_post(net, wsi, user, secret);
        }
        return write_text(wsi, 404, "not found\n", true);
    }
    const bool is_get = lws_hdr_copy(wsi, uri, (int)sizeof uri, WSI_TOKEN_GET_URI) > 0;
    if (is_get || lws_hdr_copy(wsi, uri, (int)sizeof uri, WSI_TOKEN_HEAD_URI) > 0) {
        const int done = get_secret(net, wsi, user, uri, !is_get);
        return done != -2 ? done : get(net, wsi, uri, !is_get);
    }
    if (lws_hdr_copy(wsi, uri, (int)sizeof uri, WSI_TOKEN_OPTIONS_URI) > 0 &&
        strcmp(uri, "/rpc") == 0 && net_origin_fits(net, wsi, origin, sizeof origin)) {
        const struct page page = {.status = 204, .origin = origin, .preflight = true};
        return write_page(wsi, &page);
    }
    return write_text(wsi, 405, "not here\n", true);
}

/* A refusal with its status; said later it would only be a closed connection. */
static int refuse_upgrade(struct lws *wsi, unsigned status)
{
    (void)lws_return_http_status(wsi, status, NULL);
    return 1;
}

static int confirm_upgrade(struct net *net, struct lws *wsi)
{
    char uri[64];
    if (lws_hdr_copy(wsi, uri, (int)sizeof uri, WSI_TOKEN_GET_URI) <= 0 ||
        strcmp(uri, "/ws") != 0) {
        return refuse_upgrade(wsi, 404);
    }
    if (!net_origin_fits(net, wsi, NULL, 0)) {
        net->counters.refused_origin++;
        return refuse_upgrade(wsi, 403);
    }
    if (net->refusing || net->conns + net->posts >= net->config.limits.connections_max) {
        net->counters.refused_full++;
        return refuse_upgrade(wsi, 503);
    }
    return 0;
}

static int on_body(struct post *post, const void *in, size_t len)
{
    if (post == NULL) { return -1; }
    if (len > 0) { buf_append(&post->body, in, len); }
    return post->body.failed ? -1 : 0;
}

int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct net *net = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        net->counters.accepted++;
        return net->leaving ? -1 : 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(net, wsi);
    /* A client that names a sub-protocol that we do not speak comes here too. */
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0 ? 1 : 0;
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_RECEIVE_PONG:
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLOSED: return conn_callback(wsi, reason, user, in, len);
    case LWS_CALLBACK_HTTP: return on_http(net, wsi, user);
    case LWS_CALLBACK_HTTP_BODY: return on_body(*(struct post **)user, in, len);
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return *(struct post **)user == NULL ? -1 : on_body_complete(*(struct post **)user);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        if (user == NULL || *(struct post **)user == NULL) { return 0; }
        return write_answer(wsi, *(struct post **)user, user);
    case LWS_CALLBACK_CLOSED_HTTP:
        if (user != NULL && *(struct post **)user != NULL) {
            struct post *post = *(struct post **)user;
            *(struct post **)user = NULL;
            on_closed(post);
        }
        return 0;
    default: return 0;
    }
}
