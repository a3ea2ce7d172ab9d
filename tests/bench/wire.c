/* tests/bench/wire.c: loads a running daemon over WebSocket and says how many durable actions a
 * second it takes and how soon they are acknowledged and seen by the opponent; or holds idle
 * watchers and says what each costs in memory.
 *
 *   bench-wire PORT --matches 64 --seconds 10 [--rate PER_SECOND] [--spares 600] [--pid
 * PID_OF_DAEMON] bench-wire PORT --idle 10000 --matches 5000 --pid PID_OF_DAEMON [--rest SECONDS]
 *
 * Raw sockets and epoll, so that the driver costs little beside the daemon. It is a load, not a
 * test: it fails only when the daemon refuses what its own forms offered. */
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "tests/bench/pick.h"

enum { SAMPLES_MAX = 4000000, FRAME_MAX = 1 << 20, MATCH_ID_MAX = 40 };

struct conn {
    int fd;
    bool open;   /* the handshake is over */
    bool acting; /* an action of ours is not answered yet */
    bool due;    /* a prompt waits for its turn in the offered rate */
    unsigned match;
    long seq;
    uint64_t sent_ns;
    char *forms; /* of the newest view */
    char *in;
    size_t in_len, in_cap;
};
struct match {
    char id[MATCH_ID_MAX];
    uint64_t acted_ns; /* the last action sent and not seen by the other side yet */
    unsigned actor;
    uint32_t next; /* when over: the match its seats went on to; UINT32_MAX: none was left */
    bool over;
};

static struct {
    uint64_t random, deadline_ns;
    unsigned matches, idle, rate, pid;
    unsigned rest_s; /* how long idle watchers are left alone before they are weighed */
    unsigned
        spares; /* matches made ahead, taken up by the same two accounts when theirs has ended */
    double seconds;
    struct match *match;
    struct conn *conn;
    unsigned conns;
    uint32_t *ack_us, *seen_us;
    size_t acks, seens, refusals;
    int epoll;
    uint16_t port;
} b;

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
    (void)fprintf(stderr, "bench-wire: %s (%s)\n", what, strerror(errno));
    exit(1);
}

static int dial(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(b.port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    int one = 1;
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) != 0) { die("cannot connect"); }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent < 0) { die("cannot send"); }
        at += sent;
        n -= (size_t)sent;
    }
}

/* One masked text frame; a mask of zeros is a mask. */
static void send_text(struct conn *c, const char *text, size_t n)
{
    unsigned char frame[16 + 65536];
    size_t head = 2;
    frame[0] = 0x81;
    if (n < 126) {
        frame[1] = (unsigned char)(0x80U | n);
    } else {
        frame[1] = 0x80U | 126U;
        frame[2] = (unsigned char)(n >> 8);
        frame[3] = (unsigned char)n;
        head = 4;
    }
    if (n > 65000) { die("an action is too long"); }
    memset(frame + head, 0, 4);
    memcpy(frame + head + 4, text, n);
    send_all(c->fd, frame, head + 4 + n);
}

static void shake_hands(struct conn *c)
{
    static const char request[] =
        "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Protocol: vedette.v1\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n";
    char answer[2048];
    size_t n = 0;
    send_all(c->fd, request, sizeof request - 1);
    while (n < sizeof answer - 1) {
        ssize_t got = recv(c->fd, answer + n, 1, 0);
        if (got <= 0) { die("no handshake"); }
        n += (size_t)got;
        answer[n] = '\0';
        if (n >= 4 && memcmp(answer + n - 4, "\r\n\r\n", 4) == 0) { break; }
    }
    if (strncmp(answer, "HTTP/1.1 101", 12) != 0) { die(answer); }
}

/* Cuts the next whole text frame out of the input; NULL: none yet. Pings are passed over (their
 * pong is not missed within a run of less than the daemon's patience). *out_next: where the rest
 * begins. */
static char *next_frame(struct conn *c, size_t *at, size_t *out_n)
{
    while (c->in_len - *at >= 2) {
        unsigned char *p = (unsigned char *)c->in + *at;
        size_t head = 2;
        uint64_t n = p[1] & 127U;
        size_t have = c->in_len - *at;
        if (n == 126) {
            if (have < 4) { return NULL; }
            n = (uint64_t)p[2] << 8 | p[3];
            head = 4;
        } else if (n == 127) {
            if (have < 10) { return NULL; }
            n = 0;
            for (unsigned i = 2; i < 10; i++) {
                n = n << 8 | p[i];
            }
            head = 10;
        }
        if (have < head + n) { return NULL; }
        *at += head + (size_t)n;
        unsigned op = p[0] & 15U;
        if (op == 8) { die("the daemon closed a connection"); }
        if (op == 1 || op == 0) {
            *out_n = (size_t)n;
            return (char *)p + head;
        }
        if (op == 9 && n < 126) {
            unsigned char pong[140] = {0x8A, (unsigned char)(0x80U | n)};
            memcpy(pong + 6, p + head, (size_t)n);
            send_all(c->fd, pong, 6 + (size_t)n);
        }
    }
    return NULL;
}

static bool fill(struct conn *c)
{
    if (c->in_cap - c->in_len < 65536) {
        c->in_cap = c->in_cap == 0 ? 131072 : c->in_cap * 2;
        c->in = realloc(c->in, c->in_cap);
        if (c->in == NULL) { die("out of memory"); }
    }
    ssize_t got = recv(c->fd, c->in + c->in_len, c->in_cap - c->in_len - 1, MSG_DONTWAIT);
    if (got == 0) { die("the daemon hung up"); }
    if (got < 0) { return false; }
    c->in_len += (size_t)got;
    return true;
}

/* A call that waits for its answer: for setting up. The answer's text lives until the next call. */
static const char *call(struct conn *c, const char *method, const char *params)
{
    static char answer[FRAME_MAX];
    char text[2048];
    int n =
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":%s}", method, params);
    send_text(c, text, (size_t)n);
    for (;;) {
        size_t at = 0;
        size_t length = 0;
        char *frame = NULL;
        while ((frame = next_frame(c, &at, &length)) != NULL) {
            memcpy(answer, frame, length);
            answer[length] = '\0';
            if (strstr(answer, "\"id\":7") != NULL) {
                memmove(c->in, c->in + at, c->in_len - at);
                c->in_len -= at;
                if (strstr(answer, "\"error\":{") != NULL) { die(answer); }
                return answer;
            }
        }
        memmove(c->in, c->in + at, c->in_len - at);
        c->in_len -= at;
        struct pollfd wait = {.fd = c->fd, .events = POLLIN};
        while (!fill(c)) {
            (void)poll(&wait, 1, -1);
        }
    }
}

static void take_string(const char *text, const char *key, char *out, size_t size)
{
    const char *at = strstr(text, key);
    if (at == NULL) { die(text); }
    at += strlen(key);
    size_t n = strcspn(at, "\"");
    if (n >= size) { die("a string is too long"); }
    memcpy(out, at, n);
    out[n] = '\0';
}

static void open_conn(struct conn *c)
{
    memset(c, 0, sizeof *c);
    c->fd = dial();
    shake_hands(c);
    c->open = true;
}

static void act(struct conn *c)
{
    static struct buf action;
    static struct buf text;
    char head[256];
    if (action.max == 0) {
        buf_init(&action, 1 << 16);
        buf_init(&text, 1 << 16);
    }
    buf_reset(&action);
    buf_reset(&text);
    pick_action(c->forms, &b.random, &action);
    struct match *m = &b.match[c->match];
    static uint64_t serial;
    int n = snprintf(
        head, sizeof head,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"match.act\",\"params\":{\"match\":\"%s\","
        "\"seq\":%ld,\"action_id\":\"b%u.%llx\",\"action\":",
        m->id, c->seq, b.pid, (unsigned long long)++serial + (unsigned long long)now_ns());
    buf_append(&text, head, (size_t)n);
    buf_append(&text, action.data, action.len);
    buf_append_str(&text, "}}");
    free(c->forms);
    c->forms = NULL;
    c->acting = true;
    c->due = false;
    c->sent_ns = now_ns();
    m->acted_ns = c->sent_ns;
    m->actor = (unsigned)(c - b.conn);
    send_text(c, text.data, text.len);
}

/* The seat's match is over: it goes on with the spare one that its opponent goes to as well. */
static void move_on(struct conn *c)
{
    struct match *m = &b.match[c->match];
    char text[256];
    free(c->forms);
    c->forms = NULL;
    if (!m->over) {
        m->over = true;
        m->next = c->match + b.matches < b.matches + b.spares ? c->match + b.matches : UINT32_MAX;
    }
    if (m->next == UINT32_MAX) { return; }
    c->match = m->next;
    c->seq = 0;
    int n = snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"match.unwatch\",\"params\":{\"match\":\"%s\"}}",
        m->id);
    send_text(c, text, (size_t)n);
    n = snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"match.watch\",\"params\":{\"match\":\"%s\"}}",
        b.match[c->match].id);
    send_text(c, text, (size_t)n);
}

static void on_view(struct conn *c, const char *frame)
{
    struct match *m = &b.match[c->match];
    if (strstr(frame, m->id) == NULL) { return; } /* of the match it has left */
    const char *seq = strstr(frame, "\"seq\":");
    if (seq != NULL) { c->seq = strtol(seq + 6, NULL, 10); }
    if (m->acted_ns != 0 && m->actor != (unsigned)(c - b.conn)) {
        if (b.seens < SAMPLES_MAX) {
            b.seen_us[b.seens++] = (uint32_t)((now_ns() - m->acted_ns) / 1000);
        }
        m->acted_ns = 0;
    }
    if (strstr(frame, "\"state\":\"GAME_OVER\"") != NULL) {
        move_on(c);
        return;
    }
    const char *forms = strstr(frame, "\"actions\":[");
    free(c->forms);
    c->forms = NULL;
    if (forms != NULL) {
        forms += strlen("\"actions\":");
        c->forms = strndup(forms, (size_t)(skip_value(forms) - forms));
    }
}

static void on_frame(struct conn *c, const char *frame)
{
    if (strstr(frame, "\"method\":\"match.view\"") != NULL) {
        on_view(c, frame);
    } else if (strstr(frame, "\"id\":1") != NULL && c->acting) {
        c->acting = false;
        if (b.acks < SAMPLES_MAX) {
            b.ack_us[b.acks++] = (uint32_t)((now_ns() - c->sent_ns) / 1000);
        }
        /* Where both seats may act (a rout's routes) one of them can be late. */
        if (strstr(frame, "\"error\":{") != NULL && strstr(frame, "\"stale_state\"") == NULL) {
            if (b.refusals++ < 3) { (void)fprintf(stderr, "refused: %.400s\n", frame); }
        }
    }
    if (c->forms != NULL && !c->acting) {
        if (b.rate == 0) {
            act(c);
        } else {
            c->due = true;
        }
    }
}

/* Handles every whole frame that is in; what is left waits for the rest. */
static void handle_frames(struct conn *c)
{
    static char text[FRAME_MAX];
    size_t at = 0;
    size_t n = 0;
    char *frame = NULL;
    while ((frame = next_frame(c, &at, &n)) != NULL) {
        memcpy(text, frame, n);
        text[n] = '\0';
        on_frame(c, text);
    }
    memmove(c->in, c->in + at, c->in_len - at);
    c->in_len -= at;
}

static void drain(struct conn *c)
{
    do {
        handle_frames(c);
    } while (fill(c));
}

static int compare(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x;
    uint32_t c = *(const uint32_t *)y;
    return a < c ? -1 : a > c;
}

static void report(const char *what, uint32_t *us, size_t n)
{
    if (n == 0) { return; }
    qsort(us, n, sizeof *us, compare);
    (void)printf("%s: n %zu, p50 %.2f ms, p90 %.2f ms, p99 %.2f ms, max %.2f ms\n", what, n,
                 us[n / 2] / 1e3, us[n * 9 / 10] / 1e3, us[n * 99 / 100] / 1e3, us[n - 1] / 1e3);
}

/* Two new accounts sign in on two connections; their tokens serve others. */
static void sign_in(struct conn two[2], char tokens[2][128], unsigned serial)
{
    for (unsigned i = 0; i < 2; i++) {
        char params[128];
        open_conn(&two[i]);
        (void)snprintf(params, sizeof params,
                       "{\"name\":\"b%c-%u-%u\",\"password\":\"a long password\"}", "ab"[i],
                       (unsigned)getpid(), serial);
        take_string(call(&two[i], "account.register", params), "\"token\":\"", tokens[i], 128);
    }
}

static void make_match(struct conn two[2], struct match *m)
{
    char params[128];
    take_string(call(&two[0], "match.create",
                     "{\"game\":\"waterloo\",\"seat\":\"FR\",\"spectators\":\"none\"}"),
                "\"match\":\"", m->id, sizeof m->id);
    (void)snprintf(params, sizeof params, "{\"match\":\"%s\",\"seat\":\"AL\"}", m->id);
    (void)call(&two[1], "match.join", params);
}

static void watch(struct conn *c, const char *token, const char *id)
{
    char params[256];
    (void)snprintf(params, sizeof params, "{\"token\":\"%s\"}", token);
    (void)call(c, "account.resume", params);
    (void)snprintf(params, sizeof params, "{\"match\":\"%s\"}", id);
    (void)call(c, "match.watch", params);
}

static long resident_kb(unsigned pid)
{
    char path[64];
    char line[256];
    long kb = -1;
    (void)snprintf(path, sizeof path, "/proc/%u/status", pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) { return -1; }
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) { kb = strtol(line + 6, NULL, 10); }
    }
    (void)fclose(file);
    return kb;
}

/* Prints the CPU time of each thread of the daemon since the last call, per action. */
static void report_threads(size_t actions)
{
    static struct {
        unsigned tid;
        unsigned long ticks;
    } known[64];
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%u/task", b.pid);
    DIR *dir = b.pid == 0 ? NULL : opendir(path);
    if (dir == NULL) { return; }
    double tick_us = 1e6 / (double)sysconf(_SC_CLK_TCK);
    unsigned n = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL && n < 64; entry = readdir(dir)) {
        unsigned tid = (unsigned)strtoul(entry->d_name, NULL, 10);
        char line[512] = "";
        unsigned long user = 0;
        unsigned long kernel = 0;
        char file_path[96];
        if (tid == 0) { continue; }
        (void)snprintf(file_path, sizeof file_path, "/proc/%u/task/%u/stat", b.pid, tid);
        FILE *file = fopen(file_path, "r");
        if (file == NULL) { continue; }
        (void)!fgets(line, sizeof line, file);
        (void)fclose(file);
        char *at = strrchr(line, ')');
        if (at == NULL || sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                                 &user, &kernel) != 2) {
            continue;
        }
        unsigned long spent = user + kernel - (known[n].tid == tid ? known[n].ticks : 0);
        known[n].tid = tid;
        known[n++].ticks = user + kernel;
        if (actions > 0 && spent > 0) {
            (void)printf("daemon's thread %u%s: %.1f us of CPU an action\n", tid,
                         tid == b.pid ? " (loop)" : "", (double)spent * tick_us / (double)actions);
        }
    }
    (void)closedir(dir);
}

static void run_idle(struct conn two[2], char tokens[2][128])
{
    for (unsigned i = 0; i < b.matches; i++) {
        make_match(two, &b.match[i]);
    }
    long before = resident_kb(b.pid);
    for (unsigned i = 0; i < b.idle; i++) {
        open_conn(&b.conn[i]);
        watch(&b.conn[i], tokens[i % 2], b.match[i / 2 % b.matches].id);
        free(b.conn[i].in);
        b.conn[i].in = NULL;
        b.conn[i].in_cap = 0;
        b.conn[i].in_len = 0;
    }
    /* Matches go to rest by themselves, and what they held goes back to the system. */
    (void)sleep(b.rest_s);
    long after = resident_kb(b.pid);
    (void)printf("idle: %u connections on %u matches, resident %ld KB before and %ld KB after: "
                 "%.2f KB each, "
                 "%.2f KB each with all that was there before\n",
                 b.idle, b.matches, before, after, (double)(after - before) / b.idle,
                 (double)after / b.idle);
}

static void begin_play(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    b.conns = b.matches * 2;
    /* Two accounts for each match: a hand-over tells every connection of an account. */
    char(*all)[2][128] = calloc(b.matches, sizeof *all);
    for (unsigned i = 0; i < b.matches; i++) {
        struct conn pair[2];
        sign_in(pair, all[i], i);
        for (unsigned j = i; j < b.matches + b.spares; j += b.matches) {
            make_match(pair, &b.match[j]);
        }
        for (unsigned j = 0; j < 2; j++) {
            (void)close(pair[j].fd);
        }
    }
    for (unsigned i = 0; i < b.conns; i++) {
        open_conn(&b.conn[i]);
        b.conn[i].match = i / 2;
        event.data.u32 = i;
        (void)epoll_ctl(b.epoll, EPOLL_CTL_ADD, b.conn[i].fd, &event);
    }
    for (unsigned i = 0; i < b.conns; i++) {
        watch(&b.conn[i], all[i / 2][i % 2], b.match[i / 2].id);
        /* The view may have come with the answer. */
        drain(&b.conn[i]);
    }
    free(all);
}

static void run_play(void)
{
    struct epoll_event events[256];
    uint64_t start = now_ns();
    uint64_t end = start + (uint64_t)(b.seconds * 1e9);
    uint64_t offered = 0;
    size_t first = b.acks;
    report_threads(0);
    unsigned at = 0;
    while (now_ns() < end) {
        int n = epoll_wait(b.epoll, events, 256, b.rate == 0 ? 50 : 0);
        for (int i = 0; i < n; i++) {
            drain(&b.conn[events[i].data.u32]);
        }
        if (b.rate == 0) { continue; }
        uint64_t want = (now_ns() - start) * b.rate / UINT64_C(1000000000);
        for (unsigned tries = 0; offered < want && tries < b.conns; tries++) {
            struct conn *c = &b.conn[at++ % b.conns];
            if (c->due && c->forms != NULL) {
                act(c);
                offered++;
            }
        }
    }
    double seconds = (double)(now_ns() - start) / 1e9;
    unsigned over = 0;
    for (unsigned i = 0; i < b.matches + b.spares; i++) {
        over += b.match[i].over ? 1 : 0;
    }
    (void)printf("%u matches, %.1f s: %.0f durable actions/s, %zu refused, %u matches ended\n",
                 b.matches, seconds, (double)(b.acks - first) / seconds, b.refusals, over);
    report_threads(b.acks - first);
    report("sent to acknowledged", b.ack_us, b.acks);
    report("sent to the opponent's view", b.seen_us, b.seens);
}

int main(int argc, char **argv)
{
    struct conn two[2];
    char tokens[2][128];
    if (argc < 2) {
        die("usage: bench-wire PORT [--matches N] [--seconds S] [--rate R] [--idle N --pid P]");
    }
    b.port = (uint16_t)atoi(argv[1]);
    b.matches = 64;
    b.seconds = 10;
    b.spares = 600;
    b.rest_s = 20;
    b.random = 1815;
    for (int i = 2; i + 1 < argc; i += 2) {
        unsigned value = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--matches") == 0) { b.matches = value; }
        if (strcmp(argv[i], "--spares") == 0) { b.spares = value; }
        if (strcmp(argv[i], "--rest") == 0) { b.rest_s = value; }
        if (strcmp(argv[i], "--seconds") == 0) { b.seconds = atof(argv[i + 1]); }
        if (strcmp(argv[i], "--rate") == 0) { b.rate = value; }
        if (strcmp(argv[i], "--idle") == 0) { b.idle = value; }
        if (strcmp(argv[i], "--pid") == 0) { b.pid = value; }
        if (strcmp(argv[i], "--seed") == 0) { b.random = value; }
    }
    unsigned conns = b.idle > b.matches * 2 ? b.idle : b.matches * 2;
    if (b.idle > 0) { b.spares = 0; }
    b.match = calloc(b.matches + b.spares, sizeof *b.match);
    b.conn = calloc(conns, sizeof *b.conn);
    b.ack_us = malloc(SAMPLES_MAX * sizeof *b.ack_us);
    b.seen_us = malloc(SAMPLES_MAX * sizeof *b.seen_us);
    b.epoll = epoll_create1(0);
    if (b.idle > 0) {
        sign_in(two, tokens, 0);
        run_idle(two, tokens);
    } else {
        begin_play();
        run_play();
    }
    return b.refusals == 0 ? 0 : 1;
}
