/* server/net/conn.c: WebSocket sessions: frames in, queue out, pings, closing. */
#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/net/inside.h"

enum {
    SEND_BUFFER_BYTES = 128 * 1024, /* else the kernel takes some MB for a reader that stalls */
    DRAIN_SECONDS_MAX = 3,
    FRAME_HEAD_MAX = 10,
    QUIET_SECONDS = 20, /* fewer than QUIET_CALLS in that time is a quiet time */
    QUIET_CALLS = 100,
    HARD_FACTOR = 4 /* answers may wait up to that many times the bound for pushes */
};

static void chain_leave(struct conn *conn);

static struct conn *conn_of_client(struct match_client *client)
{
    return (struct conn *)((char *)client - offsetof(struct conn, client));
}

static unsigned account_chain(const struct account_id *account)
{
    uint32_t h = 2166136261U;
    for (const char *p = account->text; *p != '\0'; p++) {
        h = (h ^ (uint8_t)*p) * 16777619U;
    }
    return h % ACCOUNT_CHAINS;
}

/* An answer longer than what may wait of pushes, the record of a long match: it does not count
 * there, so that nothing is dropped and nobody closed for it; one may wait at a time. */
static bool is_bulk(const struct conn *conn, size_t n)
{
    return n > conn->net->config.limits.queue_bytes_max;
}

bool conn_takes(const struct conn *conn, size_t n)
{
    return !is_bulk(conn, n) || conn->bulk_bytes == 0;
}

static void queue_count(struct conn *conn, const struct out *out)
{
    conn->out_count++;
    *(is_bulk(conn, out->msg->len) ? &conn->bulk_bytes : &conn->out_bytes) += out->msg->len;
}

static void queue_uncount(struct conn *conn, const struct out *out)
{
    conn->out_count--;
    *(is_bulk(conn, out->msg->len) ? &conn->bulk_bytes : &conn->out_bytes) -= out->msg->len;
}

static void out_free(struct out *take_out)
{
    msg_unref(take_out->msg);
    free(take_out);
}

static void queue_drop(struct conn *conn)
{
    while (conn->out_first != NULL) {
        struct out *out = conn->out_first;
        conn->out_first = out->next;
        out_free(out);
    }
    conn->out_last = NULL;
    conn->out_count = 0;
    conn->out_bytes = 0;
    conn->bulk_bytes = 0;
}

/* Drops what was pushed and not yet sent; answers stay. */
static void queue_drop_pushes(struct conn *conn)
{
    struct out *out = conn->out_first;
    conn->out_first = NULL;
    conn->out_last = NULL;
    conn->out_count = 0;
    conn->out_bytes = 0;
    conn->bulk_bytes = 0;
    while (out != NULL) {
        struct out *next = out->next;
        if (out->match.text[0] != '\0') {
            out_free(out);
        } else {
            out->next = NULL;
            if (conn->out_last != NULL) {
                conn->out_last->next = out;
            } else {
                conn->out_first = out;
            }
            conn->out_last = out;
            queue_count(conn, out);
        }
        out = next;
    }
}

/* Its queue is written before the loop waits again, see conn_flush. */
static void mark_dirty(struct conn *conn)
{
    if (conn->dirty) { return; }
    conn->dirty = true;
    conn->dirty_next = conn->net->dirty_first;
    conn->net->dirty_first = conn;
}

static struct out *queue_put(struct conn *conn, struct msg *msg)
{
    struct out *out = calloc(1, sizeof *out);
    if (out == NULL) { return NULL; }
    out->msg = msg_ref(msg);
    if (conn->out_last != NULL) {
        conn->out_last->next = out;
    } else {
        conn->out_first = out;
        mark_dirty(conn);
    }
    conn->out_last = out;
    queue_count(conn, out);
    return out;
}

void conn_send(struct conn *conn, struct msg *msg)
{
    const struct net_limits *limits = &conn->net->config.limits;
    if (conn->killing) { return; }
    if (conn->out_count >= limits->queue_messages_max * HARD_FACTOR ||
        !conn_takes(conn, msg->len) ||
        (conn->out_count > 0 && conn->out_bytes >= limits->queue_bytes_max * HARD_FACTOR)) {
        conn->net->counters.slow_closed++;
        conn_close(conn, CLOSE_SLOW, false);
        return;
    }
    if (queue_put(conn, msg) == NULL) { conn_close(conn, CLOSE_SLOW, false); }
}

static bool queue_is_full(const struct conn *conn)
{
    const struct net_limits *limits = &conn->net->config.limits;
    return conn->out_count >= limits->queue_messages_max ||
           conn->out_bytes >= limits->queue_bytes_max;
}

/* Takes an unsent view of that match and viewer out of the queue, unless a delta on it follows. */
static void queue_skip_view(struct conn *conn, const struct match_id *match, unsigned viewer)
{
    struct out *before = NULL, *found_before = NULL, *found = NULL;
    for (struct out *out = conn->out_first; out != NULL; before = out, out = out->next) {
        if (out->viewer != viewer || !match_id_same(&out->match, match)) { continue; }
        if (out->kind == PUSH_DELTA) { found = NULL; }
        if (out->kind != PUSH_VIEW) { continue; }
        found = out;
        found_before = before;
    }
    if (found == NULL) { return; }
    if (found_before != NULL) {
        found_before->next = found->next;
    } else {
        conn->out_first = found->next;
    }
    if (conn->out_last == found) { conn->out_last = found_before; }
    queue_uncount(conn, found);
    conn->net->counters.views_skipped++;
    out_free(found);
}

bool net_push(struct net *net, struct match_client *client, const struct match_id *match,
              unsigned viewer, enum match_push kind, struct msg *msg)
{
    struct conn *conn = conn_of_client(client);
    assert(conn->net == net);
    if (conn->killing) { return true; } /* it will hear no more */
    if (kind == PUSH_VIEW && conn->out_count > 1) { queue_skip_view(conn, match, viewer); }
    if (queue_is_full(conn)) {
        if (!conn->behind) { conn->behind_since_s = net->second; }
        conn->behind = true;
        return false;
    }
    struct out *out = queue_put(conn, msg);
    if (out == NULL) { return false; }
    out->match = *match;
    out->viewer = (uint8_t)viewer;
    out->kind = (uint8_t)(kind == PUSH_STEP ? PUSH_VIEW : kind);
    net->counters.pushes++;
    return true;
}

void net_push_account(struct net *net, const struct account_id *account, struct msg *msg)
{
    struct conn *next = NULL;
    for (struct conn *conn = net->by_account[account_chain(account)]; conn != NULL; conn = next) {
        next = conn->account_next;
        if (!account_id_same(&conn->session.account, account) || queue_is_full(conn)) { continue; }
        conn_send(conn, msg);
        net->counters.pushes++;
    }
}

bool net_is_here(const struct net *net, const struct account_id *account)
{
    const struct conn *conn = net->by_account[account_chain(account)];
    while (conn != NULL && (conn->killing || !account_id_same(&conn->session.account, account))) {
        conn = conn->account_next;
    }
    return conn != NULL;
}

void net_tell_shown(struct net *net, const struct account_id *account)
{
    const struct conn *conn = net->by_account[account_chain(account)];
    for (; conn != NULL && net->parts.matches != NULL; conn = conn->account_next) {
        if (!account_id_same(&conn->session.account, account)) { continue; }
        match_client_shown(net->parts.matches, &conn->client);
    }
}

/* A POST that waits has nothing more to wait for. */
static void revoke_posts(struct net *net, const struct account_id *account,
                         const struct token_id *token)
{
    static const struct session nobody = {0};
    struct post *next = NULL;
    for (struct post *post = net->post_first; post != NULL; post = next) {
        next = post->next;
        if (post->looking_up || post->answered) { continue; }
        if (!account_id_same(&post->session.account, account)) { continue; }
        if (token != NULL && strcmp(post->session.token.text, token->text) != 0) { continue; }
        post->session = nobody;
        if (net->parts.matches != NULL) { match_client_gone(net->parts.matches, &post->client); }
    }
}

void net_revoke(struct net *net, const struct account_id *account, const struct token_id *token)
{
    static const struct session nobody = {0};
    struct conn *next = NULL;
    for (struct conn *conn = net->by_account[account_chain(account)]; conn != NULL; conn = next) {
        next = conn->account_next;
        if (!account_id_same(&conn->session.account, account)) { continue; }
        if (token != NULL && strcmp(conn->session.token.text, token->text) != 0) { continue; }
        queue_drop_pushes(conn); /* what only that account may see goes at once */
        conn_sign_in(conn, &nobody);
        conn_close(conn, CLOSE_REVOKED, true);
    }
    revoke_posts(net, account, token);
}

void conn_close(struct conn *conn, unsigned code, bool drain)
{
    if (conn->killing) { return; }
    if (conn->close_code == 0) { conn->close_code = (uint16_t)code; }
    if (drain && conn->out_first != NULL) {
        if (!conn->draining) { conn->drain_since_s = conn->net->second; }
        conn->draining = true;
        return;
    }
    conn->killing = true;
    conn->kill_next = conn->net->kill_first;
    conn->net->kill_first = conn;
    uv_async_send(&conn->net->kill_async);
}

void conn_close_all(struct net *net, bool drain)
{
    for (unsigned slot = 0; slot < PING_SLOTS; slot++) {
        for (struct conn *conn = net->slots[slot]; conn != NULL; conn = conn->slot_next) {
            conn_close(conn, LWS_CLOSE_STATUS_GOINGAWAY, drain);
        }
    }
}

bool conn_all_killed(const struct net *net)
{
    for (unsigned slot = 0; slot < PING_SLOTS; slot++) {
        for (struct conn *conn = net->slots[slot]; conn != NULL; conn = conn->slot_next) {
            if (!conn->killing) { return false; }
        }
    }
    return true;
}

void conn_cut_all(struct net *net)
{
    conn_kill_all_listed(net);
    for (unsigned slot = 0; slot < PING_SLOTS; slot++) {
        for (struct conn *conn = net->slots[slot], *next = NULL; conn != NULL; conn = next) {
            next = conn->slot_next;
            lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
        }
    }
}

/* From a callback of the loop: a close code set here does reach the peer, one given by return -1
 * from WRITEABLE does not. */
void conn_kill_all_listed(struct net *net)
{
    while (net->kill_first != NULL) {
        struct conn *conn = net->kill_first;
        net->kill_first = conn->kill_next;
        conn->kill_next = NULL;
        const char *reason = conn->close_code == CLOSE_REVOKED                ? "revoked"
                             : conn->close_code == CLOSE_SLOW                 ? "too slow"
                             : conn->close_code == LWS_CLOSE_STATUS_GOINGAWAY ? "restart"
                                                                              : "";
        lws_close_reason(conn->wsi, conn->close_code, (unsigned char *)(uintptr_t)reason,
                         strlen(reason));
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
    }
}

void conn_sign_in(struct conn *conn, const struct session *session)
{
    struct net *net = conn->net;
    if (net->parts.matches != NULL && !account_id_same(&conn->session.account, &session->account)) {
        match_client_gone(net->parts.matches, &conn->client);
    }
    chain_leave(conn);
    conn->session = *session;
    if (account_is_nobody(&session->account)) { return; }
    struct conn **first = &net->by_account[account_chain(&session->account)];
    conn->account_next = *first;
    conn->account_prev = NULL;
    if (*first != NULL) { (*first)->account_prev = conn; }
    *first = conn;
}

static void chain_leave(struct conn *conn)
{
    if (account_is_nobody(&conn->session.account)) { return; }
    if (conn->account_prev != NULL) {
        conn->account_prev->account_next = conn->account_next;
    } else {
        conn->net->by_account[account_chain(&conn->session.account)] = conn->account_next;
    }
    if (conn->account_next != NULL) { conn->account_next->account_prev = conn->account_prev; }
    conn->account_prev = NULL;
    conn->account_next = NULL;
}

static void tick_conn(struct conn *conn)
{
    struct net *net = conn->net;
    if (conn->session.expires_at != 0 && clock_now_ms() >= conn->session.expires_at) {
        static const struct session nobody = {0};
        conn_sign_in(conn, &nobody);
        conn_close(conn, CLOSE_REVOKED, true);
        return;
    }
    if (net->second - conn->heard_s > net->config.ping_s * 5 / 2) {
        conn_close(conn, LWS_CLOSE_STATUS_GOINGAWAY, false);
        return;
    }
    conn->want_ping = true;
    (void)lws_callback_on_writable(conn->wsi);
}

/* Gives the system back what the heap keeps: after a mass of connections closed, and once after
 * each busy time, when it is quiet (it takes some milliseconds, which then nobody feels). */
static void trim(struct net *net)
{
    if (net->conns > net->conns_trimmed) { net->conns_trimmed = net->conns; }
    const bool emptied = net->conns_trimmed >= 1000 && net->conns <= net->conns_trimmed / 2;
    bool quiet = false;
    if (net->second % QUIET_SECONDS == 0) {
        const uint64_t calls = net->counters.calls - net->calls_seen;
        quiet = calls < QUIET_CALLS && net->counters.calls != net->calls_trimmed;
        net->calls_seen = net->counters.calls;
    }
    if (!emptied && !quiet) { return; }
    net->conns_trimmed = net->conns;
    net->calls_trimmed = net->counters.calls;
    (void)malloc_trim(0);
}

void conn_tick(struct net *net)
{
    const unsigned ping_s = net->config.ping_s;
    for (unsigned slot = 0; slot < PING_SLOTS; slot++) {
        for (struct conn *conn = net->slots[slot]; conn != NULL; conn = conn->slot_next) {
            if (conn->draining && net->second - conn->drain_since_s > DRAIN_SECONDS_MAX) {
                conn_close(conn, conn->close_code, false);
            } else if (conn->behind && net->second - conn->behind_since_s > BEHIND_SECONDS_MAX) {
                net->counters.slow_closed++;
                conn_close(conn, CLOSE_SLOW, false);
            } else if (slot % ping_s == net->second % ping_s) {
                tick_conn(conn);
            }
        }
    }
    trim(net);
}

static int on_established(struct lws *wsi, void *user)
{
    struct net *net = lws_context_user(lws_get_context(wsi));
    struct conn *conn = calloc(1, sizeof *conn);
    if (conn == NULL) { return -1; }
    int bytes = SEND_BUFFER_BYTES;
    (void)setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    char peer[128];
    net_peer(net, wsi, peer, sizeof peer);
    conn->net = net;
    conn->wsi = wsi;
    conn->address_key = net_peer_key(net, peer);
    net_peer_network(peer, conn->network);
    conn->heard_s = net->second;
    conn->slot = (uint8_t)(net->next_slot++ % PING_SLOTS);
    buf_init(&conn->rx, FRAME_BYTES_MAX);
    conn->slot_next = net->slots[conn->slot];
    if (conn->slot_next != NULL) { conn->slot_next->slot_prev = conn; }
    net->slots[conn->slot] = conn;
    net->conns++;
    net->counters.connections_ws++;
    *(struct conn **)user = conn;
    if (net->leaving) { conn_close(conn, LWS_CLOSE_STATUS_GOINGAWAY, true); }
    return 0;
}

static void on_closed(struct conn *conn)
{
    struct net *net = conn->net;
    if (conn->slot_prev != NULL) {
        conn->slot_prev->slot_next = conn->slot_next;
    } else {
        net->slots[conn->slot] = conn->slot_next;
    }
    if (conn->slot_next != NULL) { conn->slot_next->slot_prev = conn->slot_prev; }
    for (struct conn **p = &net->kill_first; conn->killing && *p != NULL; p = &(*p)->kill_next) {
        if (*p != conn) { continue; }
        *p = conn->kill_next;
        break;
    }
    for (struct conn **p = &net->dirty_first; conn->dirty && *p != NULL; p = &(*p)->dirty_next) {
        if (*p != conn) { continue; }
        *p = conn->dirty_next;
        break;
    }
    net->conns--;
    conn->killing = true;
    rpc_forget(&conn->sinks);
    rpc_drop_held(conn);
    if (net->parts.matches != NULL) { match_client_gone(net->parts.matches, &conn->client); }
    chain_leave(conn);
    queue_drop(conn);
    buf_finish(&conn->rx);
    free(conn);
}

/* From RECEIVE, what is returned. lws writes the close frame, and nothing of ours may follow it. */
static int close_from_receive(struct conn *conn, unsigned code, const char *reason)
{
    conn->killing = true;
    lws_close_reason(conn->wsi, code, (unsigned char *)(uintptr_t)reason, strlen(reason));
    return -1;
}

/* A chunk of a frame. It is not terminated: what follows may be the head of the next frame. */
static int on_receive(struct conn *conn, const char *in, size_t len)
{
    struct net *net = conn->net;
    struct lws *wsi = conn->wsi;
    conn->heard_s = net->second;
    if (conn->killing || conn->draining) { return 0; }
    if (lws_frame_is_binary(wsi)) {
        return close_from_receive(conn, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "text only");
    }
    if (conn->rx.len + len + lws_remaining_packet_payload(wsi) > FRAME_BYTES_MAX) {
        return close_from_receive(conn, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "64 KiB");
    }
    const bool whole = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
    net->counters.bytes_in += len;
    if (whole && conn->rx.len == 0) {
        rpc_frame(net, conn, NULL, len == 0 ? "" : in, len);
        return 0;
    }
    buf_append(&conn->rx, in, len);
    if (conn->rx.failed) {
        return close_from_receive(conn, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "");
    }
    if (!whole) { return 0; }
    struct buf frame = conn->rx;
    buf_init(&conn->rx, FRAME_BYTES_MAX); /* an idle connection keeps no buffer */
    rpc_frame(net, conn, NULL, frame.data, frame.len);
    buf_finish(&frame);
    return 0;
}

static int write_ping(struct conn *conn)
{
    /* With a payload: an empty pong is not reported. In ASCII: the payload of a pong is checked as
     * if it were text, and anything else would close the connection with 1007. */
    char ping[LWS_PRE + 16] = {0};
    const int n = snprintf(ping + LWS_PRE, 16, "%08x", (unsigned)(net_now_us() / 1000));
    conn->want_ping = false;
    return lws_write(conn->wsi, (unsigned char *)ping + LWS_PRE, (size_t)n, LWS_WRITE_PING) < 0 ? -1
                                                                                                : 0;
}

/* Takes the first message out of the queue: the caller's. */
static struct out *queue_take(struct conn *conn)
{
    struct out *out = conn->out_first;
    conn->out_first = out->next;
    if (conn->out_first == NULL) { conn->out_last = NULL; }
    queue_uncount(conn, out);
    conn->net->counters.messages_out++;
    conn->net->counters.bytes_out += out->msg->len;
    return out;
}

/* The head of an unmasked text frame (RFC 6455 section 5.2); its length. */
static size_t frame_head(unsigned char *out, size_t len)
{
    out[0] = 0x81;
    if (len < 126) {
        out[1] = (unsigned char)len;
        return 2;
    }
    if (len < 65536) {
        out[1] = 126;
        out[2] = (unsigned char)(len >> 8);
        out[3] = (unsigned char)len;
        return 4;
    }
    out[1] = 127;
    for (unsigned i = 0; i < 8; i++) {
        out[2 + i] = (unsigned char)((uint64_t)len >> (56 - 8 * i));
    }
    return 10;
}

/* Writes the first message as it lies in memory, or, where several wait that are small enough
 * together, all of them by one call of the system: an answer and the view it led to leave together.
 */
static int write_some(struct conn *conn)
{
    unsigned char *scratch = conn->net->scratch + LWS_PRE;
    const struct out *second = conn->out_first->next;
    int n = 0;
    if (second == NULL ||
        conn->out_first->msg->len + second->msg->len + 2 * FRAME_HEAD_MAX > SCRATCH_BYTES) {
        struct out *out = queue_take(conn);
        n = lws_write(conn->wsi, (unsigned char *)msg_text(out->msg), out->msg->len,
                      LWS_WRITE_TEXT);
        out_free(out);
        return n;
    }
    size_t len = 0;
    while (conn->out_first != NULL &&
           len + conn->out_first->msg->len + FRAME_HEAD_MAX <= SCRATCH_BYTES) {
        struct out *out = queue_take(conn);
        len += frame_head(scratch + len, out->msg->len);
        memcpy(scratch + len, msg_text(out->msg), out->msg->len);
        len += out->msg->len;
        out_free(out);
    }
    return lws_write(conn->wsi, scratch, len, LWS_WRITE_HTTP); /* as it is: the frames are ours */
}

static int on_writeable(struct conn *conn)
{
    struct net *net = conn->net;
    if (conn->killing) { return 0; }
    if (conn->want_ping && write_ping(conn) != 0) { return -1; }
    while (conn->out_first != NULL && !lws_send_pipe_choked(conn->wsi)) {
        if (write_some(conn) < 0) { return -1; }
    }
    if (conn->out_first != NULL) {
        (void)lws_callback_on_writable(conn->wsi);
    } else if (conn->draining) {
        conn_close(conn, conn->close_code, false);
        return 0;
    }
    if (conn->behind && conn->out_count < net->config.limits.queue_messages_max / 2 &&
        conn->out_bytes < net->config.limits.queue_bytes_max / 2) {
        conn->behind = false;
        if (net->parts.matches != NULL) { match_client_ready(net->parts.matches, &conn->client); }
    }
    return 0;
}

/* Once a turn of the loop, outside of all callbacks of libwebsockets: writes what the turn queued,
 * where the socket takes it at once. To ask for a writable callback each time costs four epoll_ctl
 * and a turn of the loop. */
void conn_flush(struct net *net)
{
    while (net->dirty_first != NULL) {
        struct conn *conn = net->dirty_first;
        net->dirty_first = conn->dirty_next;
        conn->dirty_next = NULL;
        conn->dirty = false;
        if (!conn->killing && on_writeable(conn) != 0) {
            conn_close(conn, LWS_CLOSE_STATUS_ABNORMAL_CLOSE, false);
        }
    }
}

int conn_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len)
{
    struct conn *conn = user == NULL ? NULL : *(struct conn **)user;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED: return on_established(wsi, user);
    case LWS_CALLBACK_RECEIVE: return conn == NULL ? -1 : on_receive(conn, in, len);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (conn != NULL) { conn->killing = true; } /* it hears no more of us; lws ends it */
        return 0;
    case LWS_CALLBACK_RECEIVE_PONG:
        if (conn != NULL) { conn->heard_s = conn->net->second; }
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return conn == NULL ? -1 : on_writeable(conn);
    case LWS_CALLBACK_CLOSED:
        if (conn == NULL) { return 0; }
        *(struct conn **)user = NULL;
        on_closed(conn);
        return 0;
    default: return 0;
    }
}
