/* tests/oracle/daemon.c: see daemon.h. The functions of libwebsockets that a session needs are
 * defined here, in the executable, which comes before the library: what net writes arrives in a
 * buffer. */
#include "tests/oracle/daemon.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libwebsockets.h>
#include <sodium.h>
#include <uv.h>

#include "server/lobby/accounts.h"
#include "server/lobby/matches.h"
#include "server/match/match.h"
#include "server/net/inside.h"
#include "server/net/net.h"
#include "server/store/store.h"

enum { HEARD_BYTES_MAX = 64 << 20, CHAIN_CHARS = 43, SIGNATURE_CHARS = 86, TIME_DIGITS = 13 };

struct lws_context {
    void *user;
    bool going;
};

/* A client: what libwebsockets calls a connection. */
struct lws {
    struct world *world;
    void *user; /* the session of net */
    bool open, writeable, cut;
    int due; /* answers that are due */
    struct buf heard, last;
    int64_t seq;
};

struct world {
    unsigned number;
    uv_loop_t loop;
    struct store *store;
    struct accounts *accounts;
    struct matches *matches;
    struct lobby *lobby;
    struct net *net;
    struct lws clients[WORLD_CLIENTS];
    int64_t now;
    int pending; /* answers that are due */
    unsigned long sends, fails_at;
    enum send_fault fault;
    world_hear_fn *hear;
    char folder[64], path[96];
};

static void must(bool good, const char *what)
{
    if (good) { return; }
    fprintf(stderr, "the daemon within the test: %s\n", what);
    abort();
}

/* --- random numbers ----------------------------------------------------------------------------
 */

static pthread_mutex_t random_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t random_state[2];
static unsigned random_world;

static void random_bytes(void *out, const size_t n)
{
    uint8_t *bytes = out;
    (void)pthread_mutex_lock(&random_lock);
    for (size_t i = 0; i < n; i++) {
        uint64_t z = random_state[random_world] += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        bytes[i] = (uint8_t)(z >> 56);
    }
    (void)pthread_mutex_unlock(&random_lock);
}

static uint32_t random_word(void)
{
    uint32_t word = 0;
    random_bytes(&word, sizeof word);
    return word;
}

static const char *random_name(void)
{
    return "oracle";
}

static randombytes_implementation randoms = {
    .implementation_name = random_name, .random = random_word, .buf = random_bytes};

void world_set_random(struct world *world, uint64_t seed)
{
    random_state[world->number] = seed;
}

/* --- in place of libwebsockets ------------------------------------------------------------------
 */

struct lws_context *lws_create_context(const struct lws_context_creation_info *info)
{
    struct lws_context *context = calloc(1, sizeof *context);
    must(context != NULL, "memory");
    context->user = info->user;
    return context;
}

void lws_context_destroy(struct lws_context *context)
{
    if (context->going) {
        free(context);
    } else {
        context->going = true;
    }
}

void *lws_context_user(struct lws_context *context)
{
    return context->user;
}

struct lws_context *lws_get_context(const struct lws *wsi)
{
    return wsi->world->net->context;
}

void lws_set_log_level(int level, void (*func)(int level, const char *line))
{
    (void)level;
    (void)func;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
    (void)wsi;
    return -1;
}

const char *lws_get_peer_simple(struct lws *wsi, char *name, size_t size)
{
    (void)wsi;
    (void)snprintf(name, size, "127.0.0.1");
    return name;
}

int lws_callback_on_writable(struct lws *wsi)
{
    wsi->writeable = true;
    return 1;
}

int lws_frame_is_binary(struct lws *wsi)
{
    (void)wsi;
    return 0;
}

size_t lws_remaining_packet_payload(struct lws *wsi)
{
    (void)wsi;
    return 0;
}

int lws_is_final_fragment(struct lws *wsi)
{
    (void)wsi;
    return 1;
}

/* Counts what is sent; whether it is the one that fails so. */
static bool send_fails(struct world *world, enum send_fault fault)
{
    return world->fault == fault && ++world->sends == world->fails_at;
}

int lws_send_pipe_choked(struct lws *wsi)
{
    return send_fails(wsi->world, SEND_CHOKED) ? 1 : 0;
}

void lws_close_reason(struct lws *wsi, enum lws_close_status status, unsigned char *text,
                      size_t len)
{
    char line[160];
    (void)snprintf(line, sizeof line, "closed %d %.*s\n", (int)status, (int)len, (char *)text);
    buf_append_str(&wsi->heard, line);
}

void lws_set_timeout(struct lws *wsi, enum pending_timeout reason, int seconds)
{
    (void)reason;
    if (seconds != LWS_TO_KILL_SYNC || !wsi->open) { return; }
    wsi->open = false;
    wsi->writeable = false;
    wsi->cut = false;
    wsi->world->pending -= wsi->due;
    wsi->due = 0;
    (void)conn_callback(wsi, LWS_CALLBACK_CLOSED, &wsi->user, NULL, 0);
}

/* How many characters at text + i rightly differ: the head of a chain, a signature over one, a time
 * of the system's clock. *io_i: moved on to them. */
static size_t find_blot(const char *text, size_t n, size_t *io_i)
{
    static const struct {
        const char *name;
        size_t chars;
    } blots[] = {{"\"chain\":\"", CHAIN_CHARS}, {"\"signature\":\"", SIGNATURE_CHARS}};
    const size_t i = *io_i;
    for (size_t k = 0; k < sizeof blots / sizeof blots[0]; k++) {
        size_t len = strlen(blots[k].name);
        if (i + len + blots[k].chars < n && memcmp(text + i, blots[k].name, len) == 0) {
            *io_i += len;
            return blots[k].chars;
        }
    }
    size_t digits = 0;
    if (i > 0 && text[i - 1] == ':' && i + TIME_DIGITS < n && text[i] == '1' &&
        text[i + 1] >= '7') {
        while (digits < TIME_DIGITS && isdigit((unsigned char)text[i + digits])) {
            digits++;
        }
    }
    return digits == TIME_DIGITS ? digits : 0;
}

static void append_blotted(struct buf *out, const char *text, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '"' && text[i] != '1') { continue; }
        size_t blot = find_blot(text, n, &i);
        if (blot == 0) { continue; }
        buf_append(out, text + from, i - from);
        buf_append_str(out, "*");
        i += blot - 1;
        from = i + 1;
    }
    buf_append(out, text + from, n - from);
    buf_append_char(out, '\n');
}

/* One message has arrived. */
static void hear(struct lws *wsi, const char *text, size_t len)
{
    static const char view[] = "{\"jsonrpc\":\"2.0\",\"method\":\"match.view\"";
    static const char wait[] = "\"id\":\"wait";
    static const char fence[] = "{\"jsonrpc\":\"2.0\",\"id\":\"fence\"";
    if (len > sizeof fence && memcmp(text, fence, sizeof fence - 1) == 0) {
        wsi->world->pending--;
        wsi->due--;
        return;
    }
    if (wsi->world->hear != NULL) {
        wsi->world->hear((unsigned)(wsi - wsi->world->clients), text, len);
    }
    append_blotted(&wsi->heard, text, len);
    buf_reset(&wsi->last);
    buf_append(&wsi->last, text, len);
    must(!wsi->heard.failed && !wsi->last.failed, "too much was said");
    const char *at = strstr(buf_str(&wsi->last), "\"seq\":");
    if (at != NULL && len > sizeof view && memcmp(text, view, sizeof view - 1) == 0) {
        wsi->seq = strtoll(at + 6, NULL, 10);
    }
    const char *id = strstr(buf_str(&wsi->last), "\"id\":");
    if (id != NULL && id < buf_str(&wsi->last) + 20 && strncmp(id, wait, sizeof wait - 1) != 0) {
        wsi->world->pending--;
        wsi->due--;
    }
}

/* Several messages at once, each in its frame (RFC 6455 section 5.2). */
static void hear_frames(struct lws *wsi, const unsigned char *bytes, size_t len)
{
    for (size_t at = 0; at < len;) {
        must(bytes[at] == 0x81 && at + 2 <= len, "no text frame");
        uint64_t n = bytes[at + 1];
        unsigned more = n == 126 ? 2 : n == 127 ? 8 : 0;
        at += 2;
        for (n = more == 0 ? n : 0; more > 0; more--) {
            n = n << 8 | bytes[at++];
        }
        must(n <= len - at, "half a frame");
        hear(wsi, (const char *)bytes + at, (size_t)n);
        at += (size_t)n;
    }
}

int lws_write(struct lws *wsi, unsigned char *buf, size_t len, enum lws_write_protocol protocol)
{
    if (send_fails(wsi->world, SEND_REFUSED)) { return -1; }
    if (send_fails(wsi->world, SEND_LOST)) { wsi->cut = true; }
    if (wsi->cut) { return (int)len; }
    if (protocol == LWS_WRITE_PING) {
        (void)conn_callback(wsi, LWS_CALLBACK_RECEIVE_PONG, &wsi->user, NULL, 0);
    } else if (protocol == LWS_WRITE_TEXT) {
        hear(wsi, (const char *)buf, len);
    } else {
        hear_frames(wsi, buf, len);
    }
    return (int)len;
}

/* --- hooks between the folders, as in main.c ----------------------------------------------------
 */

static bool on_push(void *ctx, struct match_client *client, const struct match_id *match,
                    unsigned viewer, enum match_push kind, struct msg *msg)
{
    struct world *world = ctx;
    return net_push(world->net, client, match, viewer, kind, msg);
}

static void on_turn(void *ctx, const struct account_id *account, struct msg *msg)
{
    struct world *world = ctx;
    net_push_account(world->net, account, msg);
}

static void on_changed(void *ctx, const struct match_id *match)
{
    struct world *world = ctx;
    lobby_tell(world->lobby, match);
}

static bool on_is_here(void *ctx, const struct account_id *account)
{
    struct world *world = ctx;
    return world->net != NULL && net_is_here(world->net, account);
}

static void on_present(void *ctx, const struct match_id *match)
{
    struct world *world = ctx;
    if (world->lobby != NULL) { lobby_tell_presence(world->lobby, match); }
}

static void on_fatal(void *ctx, const char *what)
{
    (void)ctx;
    must(false, what);
}

static void on_revoked(void *ctx, const struct account_id *account, const struct token_id *token)
{
    struct world *world = ctx;
    net_revoke(world->net, account, token);
}

static int64_t clock_now(void *ctx)
{
    const struct world *world = ctx;
    return world->now;
}

/* --- opening and closing ------------------------------------------------------------------------
 */

static void open_parts(struct world *world, const struct game *const *list)
{
    char error[256] = "it does not start";
    const struct store_options options = {.path = world->path, .readers = 1};
    must(store_open(&world->loop, &options, &world->store, error) == ERR_OK, error);
    const struct accounts_config accounts = {.loop = &world->loop,
                                             .store = world->store,
                                             .ctx = world,
                                             .revoked = on_revoked,
                                             .is_here = on_is_here};
    must(accounts_create(&accounts, &world->accounts) == ERR_OK, "accounts");
    const struct matches_config matches = {
        .loop = &world->loop,
        .store = world->store,
        .hooks = {world, on_push, on_turn, on_changed, on_fatal, on_present},
        .games = list,
        .now_ms = clock_now,
        .idle_ms = 3600000,
        .say_freely = true, /* that limit goes by real time */
        .memory_bytes_max = (size_t)4 << 30,
        .snapshot_lines = 16};
    must(matches_create(&matches, &world->matches) == ERR_OK, "matches");
    const struct lobby_config lobby = {.store = world->store,
                                       .matches = world->matches,
                                       .matches_per_account = 1000000,
                                       .games = list,
                                       .now_ms = clock_now,
                                       .ctx = world,
                                       .tell = on_turn,
                                       .tell_ctx = world};
    must(lobby_open(&lobby, &world->lobby) == ERR_OK, "lobby");
    struct net_config net = {.ping_s = 30, .back_in_s = 5};
    net_limits_default(&net.limits);
    const struct rate none = {0, 0};
    net.limits.connection = net.limits.account = net.limits.address = none;
    net.limits.register_address = none;
    net.limits.queue_messages_max = 4096;
    net.limits.queue_bytes_max = 64 << 20;
    const struct net_parts parts = {world->store, world->accounts, world->matches, world->lobby};
    must(net_create(&world->loop, &net, &parts, &world->net, error) == ERR_OK, error);
}

/* What goes round by real time (who has gone, who watches) would be told in one world before a step and in its twin after it:
 * here nothing does. */
static void stop_rounds(uv_handle_t *handle, void *arg)
{
    (void)arg;
    if (handle->type == UV_TIMER && uv_timer_get_repeat((uv_timer_t *)handle) != 0) {
        (void)uv_timer_stop((uv_timer_t *)handle);
    }
}

struct world *world_open(unsigned number, const struct game *const *list)
{
    struct world *world = calloc(1, sizeof *world);
    must(world != NULL, "memory");
    (void)randombytes_set_implementation(&randoms);
    must(sodium_init() >= 0, "sodium");
    world->number = number;
    world->now = INT64_C(1500000000000);
    random_world = number;
    random_state[number] = 1;
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    (void)snprintf(world->folder, sizeof world->folder, "%s/vedette-oracle-XXXXXX", base);
    must(mkdtemp(world->folder) != NULL, "no folder for the database");
    (void)snprintf(world->path, sizeof world->path, "%s/vedette.db", world->folder);
    must(uv_loop_init(&world->loop) == 0, "loop");
    for (unsigned i = 0; i < WORLD_CLIENTS; i++) {
        world->clients[i].world = world;
        buf_init(&world->clients[i].heard, HEARD_BYTES_MAX);
        buf_init(&world->clients[i].last, HEARD_BYTES_MAX);
    }
    open_parts(world, list);
    uv_walk(&world->loop, stop_rounds, NULL);
    return world;
}

static void on_closed(void *ctx)
{
    *(bool *)ctx = true;
}

uint64_t world_close(struct world *take_world)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-lock"};
    struct world *world = take_world;
    bool closed = false, stored = false;
    char path[128];
    random_world = world->number;
    world_settle(world);
    struct matches_stats stats;
    matches_stats(world->matches, &stats);
    for (unsigned i = 0; i < WORLD_CLIENTS; i++) {
        world_disconnect(world, i);
    }
    matches_close(world->matches, on_closed, &closed);
    while (!closed) {
        (void)uv_run(&world->loop, UV_RUN_ONCE);
    }
    accounts_close(world->accounts);
    while (accounts_pending(world->accounts) > 0 || lobby_pending(world->lobby) > 0) {
        (void)uv_run(&world->loop, UV_RUN_ONCE);
    }
    store_close(world->store, on_closed, &stored);
    while (!stored) {
        (void)uv_run(&world->loop, UV_RUN_ONCE);
    }
    lobby_close(world->lobby);
    matches_destroy(world->matches);
    net_destroy(world->net);
    (void)uv_run(&world->loop, UV_RUN_DEFAULT);
    accounts_destroy(world->accounts);
    must(uv_loop_close(&world->loop) == 0, "handles are left");
    for (unsigned i = 0; i < WORLD_CLIENTS; i++) {
        buf_finish(&world->clients[i].heard);
        buf_finish(&world->clients[i].last);
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", world->path, ends[i]);
        (void)unlink(path);
    }
    (void)rmdir(world->folder);
    free(world);
    return stats.loads;
}

/* --- clients ------------------------------------------------------------------------------------
 */

void world_connect(struct world *world, unsigned client)
{
    struct lws *wsi = &world->clients[client];
    random_world = world->number;
    must(!wsi->open, "connected twice");
    wsi->open = true;
    wsi->seq = 0;
    must(conn_callback(wsi, LWS_CALLBACK_ESTABLISHED, &wsi->user, NULL, 0) == 0, "no session");
}

void world_disconnect(struct world *world, unsigned client)
{
    random_world = world->number;
    lws_set_timeout(&world->clients[client], PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

void world_send(struct world *world, unsigned client, const char *frame, bool waits)
{
    struct lws *wsi = &world->clients[client];
    must(wsi->open, "sent by nobody");
    random_world = world->number;
    if (!waits) {
        world->pending++;
        wsi->due++;
    }
    char *copy = strdup(frame);
    must(copy != NULL, "memory");
    int done = conn_callback(wsi, LWS_CALLBACK_RECEIVE, &wsi->user, copy, strlen(copy));
    must(done == 0, "a frame was not taken");
    free(copy);
}

static bool write_all(struct world *world)
{
    bool any = world->net->dirty_first != NULL;
    conn_flush(world->net);
    for (unsigned i = 0; i < WORLD_CLIENTS; i++) {
        struct lws *wsi = &world->clients[i];
        while (wsi->open && wsi->writeable) {
            wsi->writeable = false;
            any = true;
            int done = conn_callback(wsi, LWS_CALLBACK_SERVER_WRITEABLE, &wsi->user, NULL, 0);
            if (done != 0) { world_disconnect(world, i); }
        }
        if (wsi->open && wsi->cut) { world_disconnect(world, i); }
    }
    return any;
}

static bool is_busy(const struct world *world)
{
    struct matches_stats stats;
    matches_stats(world->matches, &stats);
    return world->pending > 0 || stats.lines_in_flight > 0 || lobby_pending(world->lobby) > 0 ||
           accounts_pending(world->accounts) > 0;
}

void world_settle(struct world *world)
{
    random_world = world->number;
    (void)write_all(world);
    while (is_busy(world)) {
        (void)uv_run(&world->loop, UV_RUN_ONCE);
        (void)write_all(world);
    }
    do {
        (void)uv_run(&world->loop, UV_RUN_NOWAIT);
    } while (write_all(world) || is_busy(world));
    must(world->pending == 0, "more answers than questions");
}

void world_fail_send(struct world *world, enum send_fault fault, unsigned long at)
{
    world->fault = fault;
    world->fails_at = at;
    world->sends = 0;
}

unsigned long world_sends(const struct world *world)
{
    return world->sends;
}

bool world_is_open(const struct world *world, unsigned client)
{
    return world->clients[client].open;
}

void world_on_hear(struct world *world, world_hear_fn *told)
{
    world->hear = told;
}

const char *world_path(const struct world *world)
{
    return world->path;
}

void world_rest(struct world *world)
{
    matches_rest(world->matches);
}

void world_set_clock(struct world *world, int64_t now)
{
    world->now = now;
}

const char *world_heard(const struct world *world, unsigned client)
{
    return buf_str(&world->clients[client].heard);
}

void world_forget(struct world *world)
{
    for (unsigned i = 0; i < WORLD_CLIENTS; i++) {
        buf_reset(&world->clients[i].heard);
        buf_reset(&world->clients[i].last);
    }
}

const char *world_last(const struct world *world, unsigned client)
{
    return buf_str(&world->clients[client].last);
}

int64_t world_seq(const struct world *world, unsigned client)
{
    return world->clients[client].seq;
}
