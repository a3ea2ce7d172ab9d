/* server/net/net.c: listeners on the loop, who may talk to us, and the way out. */
#include "server/net/net.h"

#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "server/base/log.h"
#include "server/net/inside.h"
#include "server/net/web.h"

static_assert(MSG_HEAD >= LWS_PRE, "a message has room for the head of its frame");

/* PROTOCOL section 1: permessage-deflate is never accepted; a silent peer is ours to find. */
static const lws_retry_bo_t no_validity = {.secs_since_valid_ping = 0,
                                           .secs_since_valid_hangup = 0};

/* rx_buffer_size is allocated per connection; tx_packet_size, which costs nothing, is what one send
 * takes at most: left at 0 it is rx_buffer_size, and a view leaves in a dozen pieces. The first
 * protocol serves HTTP and the WebSocket clients that name no sub-protocol. */
enum { RECEIVE_BYTES = 256, SEND_BYTES = 256 * 1024 };
static const struct lws_protocols protocols[] = {
    {"http", http_callback, sizeof(void *), RECEIVE_BYTES, 0, NULL, SEND_BYTES},
    {"vedette.v1", conn_callback, sizeof(void *), RECEIVE_BYTES, 1, NULL, SEND_BYTES},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

#define HEADER(next, name, value)                                                                  \
    {                                                                                              \
        next, NULL, name, value                                                                    \
    }
static const struct lws_protocol_vhost_options headers[] = {
    HEADER(&headers[1], "content-security-policy:",
           "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
           "font-src 'self'; "
           "connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
           "form-action 'self'"),
    HEADER(&headers[2], "x-content-type-options:", "nosniff"),
    HEADER(&headers[3], "x-frame-options:", "DENY"),
    HEADER(&headers[4], "referrer-policy:", "no-referrer"),
    HEADER(NULL, "cross-origin-opener-policy:", "same-origin"),
};
#undef HEADER

uint64_t net_now_us(void)
{
    return uv_hrtime() / 1000;
}

void net_limits_default(struct net_limits *out_limits)
{
    *out_limits = (struct net_limits){
        .connections_max = 16384,
        .pending_max = 128,
        .queue_messages_max = 64,
        .queue_bytes_max = 256 * 1024,
        .connection = rate_per_second(500, 1000),
        .account = rate_per_second(1000, 2000),
        .address = rate_per_second(5000, 10000),
        .register_address = {.interval_us = 5000000, .burst = 300},
        .fail_name_address = {.interval_us = 30000000, .burst = 10},
        .fail_address = {.interval_us = 6000000, .burst = 100},
        .fail_name = {.interval_us = 10000000, .burst = 200},
        .fail_code = {.interval_us = 300000000, .burst = 5},
        .mail_name = {.interval_us = 600000000, .burst = 5},
        .mail_address = {.interval_us = 60000000, .burst = 30},
    };
}

static void emit_log(int level, const char *line)
{
    log_event((level & LLL_ERR) != 0 ? LOG_ERROR : LOG_WARN, "libwebsockets", "text=\"%s\"", line);
}

/* Whether word is one of words, which stand between blanks or commas. */
bool net_word_in(const char *words, const char *word)
{
    size_t n = strlen(word);
    if (words == NULL || n == 0) { return false; }
    for (const char *p = words; *p != '\0';) {
        size_t len = strcspn(p, " ,\t");
        if (len == n && strncmp(p, word, n) == 0) { return true; }
        p += len;
        p += strspn(p, " ,\t");
    }
    return false;
}

void net_peer(struct net *net, struct lws *wsi, char *out, size_t size)
{
    out[0] = '\0';
    (void)lws_get_peer_simple(wsi, out, size);
    const size_t len = strlen(out);
    if (len > 7 && strncmp(out, "::ffff:", 7) == 0) { memmove(out, out + 7, len - 6); }
    if (!net_word_in(net->config.proxies, out)) { return; }
    char told[256];
    if (lws_hdr_copy(wsi, told, (int)sizeof told, WSI_TOKEN_X_FORWARDED_FOR) <= 0) { return; }
    const char *last = strrchr(told, ',');
    last = last == NULL ? told : last + 1;
    last += strspn(last, " ");
    size_t n = strcspn(last, " ");
    if (n == 0 || n >= size) { return; }
    memcpy(out, last, n);
    out[n] = '\0';
}

/* An IPv6 customer holds a whole /64: that is what one address means. */
uint64_t net_peer_key(struct net *net, const char *address)
{
    struct sockaddr_in6 six;
    if (uv_ip6_addr(address, 0, &six) == 0) {
        return rates_key(net->rates, 'i', &six.sin6_addr, 8);
    }
    return rates_key(net->rates, 'i', address, strlen(address));
}

void net_peer_network(const char *address, uint8_t out[NETWORK_PREFIX_BYTES])
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    memset(out, 0, NETWORK_PREFIX_BYTES);
    if (uv_ip4_addr(address, 0, &four) == 0) {
        out[0] = 4;
        memcpy(out + 1, &four.sin_addr, 3);
    } else if (uv_ip6_addr(address, 0, &six) == 0) {
        out[0] = 6;
        memcpy(out + 1, &six.sin6_addr, 6);
    }
}

bool net_origin_fits(struct net *net, struct lws *wsi, char *out_origin, size_t size)
{
    char origin[256], host[256];
    if (size > 0) { out_origin[0] = '\0'; }
    int n = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN);
    if (n <= 0) { return true; }
    if (lws_hdr_copy(wsi, origin, (int)sizeof origin, WSI_TOKEN_ORIGIN) <= 0) { return false; }
    if (net_word_in(net->config.origins, origin)) {
        if (strlen(origin) < size) { memcpy(out_origin, origin, strlen(origin) + 1); }
        return true;
    }
    if (lws_hdr_copy(wsi, host, (int)sizeof host, WSI_TOKEN_HOST) <= 0) { return false; }
    /* Byte for byte: browsers write an origin in lower case (RFC 6454 section 6.2), nobody else has
     * one. */
    if (strncmp(origin, "http://", 7) == 0) { return strcmp(origin + 7, host) == 0; }
    if (strncmp(origin, "https://", 8) == 0) { return strcmp(origin + 8, host) == 0; }
    return false;
}

/* Splits "ADDR:PORT" or "[ADDR6]:PORT". */
static bool split_listen(const char *text, char *out_host, size_t size, int *out_port)
{
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text) { return false; }
    char *end = NULL;
    long port = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0' || port < 0 || port > 65535) { return false; }
    const char *from = text, *to = colon;
    if (*from == '[' && to[-1] == ']') {
        from++;
        to--;
    }
    size_t n = (size_t)(to - from);
    if (n == 0 || n >= size) { return false; }
    memcpy(out_host, from, n);
    out_host[n] = '\0';
    *out_port = (int)port;
    return true;
}

static enum err start_context(struct net *net, char out_error[256])
{
    void *loops[1] = {net->loop};
    struct lws_context_creation_info ci = {0};
    lws_set_log_level(LLL_ERR | LLL_WARN, emit_log);
    /* VALIDATE_UTF8 has effect in the context only. */
    ci.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                 LWS_SERVER_OPTION_VALIDATE_UTF8;
    ci.foreign_loops = loops;
    ci.port = CONTEXT_PORT_NO_LISTEN;
    ci.pt_serv_buf_size = 4096;
    ci.max_http_header_data = 8192;
    ci.fd_limit_per_thread = net->config.limits.connections_max + 64;
    ci.user = net;
    net->context = lws_create_context(&ci);
    if (net->context != NULL) { return ERR_OK; }
    snprintf(out_error, 256, "libwebsockets does not start (is its libuv plugin installed?)");
    return ERR_INTERNAL;
}

static enum err start_listener(struct net *net, size_t i, char out_error[256])
{
    int port = 0;
    if (!split_listen(net->config.listen[i], net->binds[i], sizeof net->binds[i], &port)) {
        snprintf(out_error, 256, "cannot read the address %.100s (ADDR:PORT, [ADDR6]:PORT)",
                 net->config.listen[i]);
        return ERR_INVALID_PARAMS;
    }
    snprintf(net->names[i], sizeof net->names[i], "listener%u",
             (unsigned)i & 15U); /* lws keeps the pointer */
    const bool six = strchr(net->binds[i], ':') != NULL;
    const bool any = strcmp(net->binds[i], "0.0.0.0") == 0 || strcmp(net->binds[i], "::") == 0;
    struct lws_context_creation_info vi = {0};
    vi.port = port;
    vi.iface = any ? NULL : net->binds[i];
    vi.vhost_name = net->names[i];
    vi.protocols = protocols;
    vi.headers = headers;
    vi.extensions = NULL; /* no permessage-deflate: it aborts the process in this version */
    vi.retry_and_idle_policy = &no_validity;
    vi.timeout_secs = 10;
    vi.keepalive_timeout = 30;
    vi.options =
        LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | (six ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6);
    vi.alpn = "http/1.1";
    net->vhosts[i] = lws_create_vhost(net->context, &vi);
    if (net->vhosts[i] == NULL || lws_get_vhost_listen_port(net->vhosts[i]) <= 0) {
        snprintf(out_error, 256, "cannot listen on %.100s", net->config.listen[i]);
        return ERR_INTERNAL;
    }
    net->ports[i] = lws_get_vhost_listen_port(net->vhosts[i]);
    return ERR_OK;
}

static void on_kill(uv_async_t *async)
{
    struct net *net = async->data;
    conn_kill_all_listed(net);
}

static void on_flush(uv_prepare_t *prepare)
{
    struct net *net = prepare->data;
    conn_flush(net);
}

/* On the way out the timer runs every FAREWELL_TICK_MS until everybody has gone. */
static void tick_farewell(struct net *net)
{
    net->farewell_ticks++;
    if (net->farewell_ticks == FAREWELL_TICKS_PATIENT) { conn_close_all(net, false); }
    /* Who was sent a close frame may answer it for a while, then the line is cut. */
    net->closed_ticks = conn_all_killed(net) ? net->closed_ticks + 1 : 0;
    if (net->closed_ticks == FAREWELL_TICKS_CLOSED) { conn_cut_all(net); }
    if (net->conns + net->posts > 0 && net->farewell_ticks < FAREWELL_TICKS_MAX) { return; }
    if (net->left == NULL) { return; }
    void (*left)(void *ctx) = net->left;
    net->left = NULL;
    left(net->left_ctx);
}

/* One timer for all connections: pings by slot, drains that take too long, the farewell. */
static void on_tick(uv_timer_t *timer)
{
    struct net *net = timer->data;
    if (net->leaving) {
        tick_farewell(net);
        return;
    }
    net->second++;
    conn_tick(net);
}

enum err net_create(struct uv_loop_s *loop, const struct net_config *config,
                    const struct net_parts *parts, struct net **out_net, char out_error[256])
{
    struct net *net = calloc(1, sizeof *net);
    if (net == NULL) { return ERR_INTERNAL; }
    net->loop = loop;
    net->config = *config;
    net->parts = *parts;
    net->rates = rates_create();
    uv_async_init(loop, &net->kill_async, on_kill);
    uv_timer_init(loop, &net->tick);
    uv_prepare_init(loop, &net->flush);
    net->flush.data = net;
    uv_prepare_start(&net->flush, on_flush);
    net->kill_async.data = net;
    net->tick.data = net;
    uv_timer_start(&net->tick, on_tick, 1000, 1000);
    enum err err = net->rates == NULL ? ERR_INTERNAL : start_context(net, out_error);
    if (err == ERR_OK && config->web != NULL) { err = web_load(config->web, &net->web, out_error); }
    for (size_t i = 0; err == ERR_OK && i < config->listens; i++) {
        err = start_listener(net, i, out_error);
    }
    *out_net = net;
    return err;
}

void net_set_outward(struct net *net, struct notify *notify, struct courier *courier)
{
    net->notify = notify;
    net->courier = courier;
}

void net_address(const struct net *net, size_t i, char out[NET_ADDRESS_MAX])
{
    const bool six = strchr(net->binds[i], ':') != NULL;
    snprintf(out, NET_ADDRESS_MAX, six ? "http://[%s]:%d" : "http://%s:%d", net->binds[i],
             net->ports[i]);
}

/* "127.0.0.1" for a bind address that takes in the loopback, as it is reached; NULL: it does not. */
static const char *within_of(const char *bind)
{
    if (strcmp(bind, "0.0.0.0") == 0) { return "127.0.0.1"; }
    if (strcmp(bind, "::") == 0 || strcmp(bind, "::1") == 0) { return "[::1]"; }
    return strncmp(bind, "127.", 4) == 0 || strcmp(bind, "localhost") == 0 ? bind : NULL;
}

bool net_is_within(const char *listen)
{
    char host[64];
    int port = 0;
    return split_listen(listen, host, sizeof host, &port) && within_of(host) != NULL;
}

void net_address_within(const struct net *net, char out[NET_ADDRESS_MAX])
{
    for (size_t i = 0; i < net->config.listens; i++) {
        const char *host = within_of(net->binds[i]);
        if (host == NULL) { continue; }
        snprintf(out, NET_ADDRESS_MAX, "http://%s:%d", host, net->ports[i]);
        return;
    }
    net_address(net, 0, out);
}

void net_refuse(struct net *net)
{
    net->refusing = true;
}

void net_farewell(struct net *net, void (*done)(void *ctx), void *ctx)
{
    char text[160];
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"server.closing\",\"params\":"
                     "{\"reason\":\"restart\",\"back_in_s\":%u}}",
                     net->config.back_in_s);
    struct msg *msg = msg_create(text, (size_t)n);
    net->refusing = true;
    net->leaving = true;
    net->left = done;
    net->left_ctx = ctx;
    for (unsigned slot = 0; msg != NULL && slot < PING_SLOTS; slot++) {
        for (struct conn *conn = net->slots[slot]; conn != NULL; conn = conn->slot_next) {
            conn_send(conn, msg);
        }
    }
    msg_unref(msg);
    conn_close_all(net, true);
    uv_timer_start(&net->tick, on_tick, net->conns + net->posts == 0 ? 0 : FAREWELL_TICK_MS,
                   FAREWELL_TICK_MS);
}

void net_destroy(struct net *take_net)
{
    struct net *net = take_net;
    if (net == NULL) { return; }
    uv_close((uv_handle_t *)&net->kill_async, NULL);
    uv_close((uv_handle_t *)&net->tick, NULL);
    uv_close((uv_handle_t *)&net->flush, NULL);
    if (net->context != NULL) {
        /* Twice, with the loop run after each: only then has all of it gone. */
        lws_context_destroy(net->context);
        uv_run(net->loop, UV_RUN_DEFAULT);
        lws_context_destroy(net->context);
    }
    uv_run(net->loop, UV_RUN_DEFAULT);
    rates_destroy(net->rates);
    web_destroy(net->web);
    free(net);
}
