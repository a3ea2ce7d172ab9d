/* server/net/inside.h: what the files of this folder share: the network, its connections, calls and
 * their answers. */
#ifndef VEDETTE_SERVER_NET_INSIDE_H
#define VEDETTE_SERVER_NET_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <libwebsockets.h>
#include <sodium.h>
#include <uv.h>

#include "common/base/buf.h"
#include "common/base/why.h"
#include "server/base/ids.h"
#include "server/base/msg.h"
#include "server/lobby/accounts.h"
#include "server/match/match.h"
#include "server/net/metrics.h"
#include "server/net/net.h"
#include "server/net/rates.h"

enum {
    FRAME_BYTES_MAX = 65536, /* PROTOCOL section 1 */
    BATCH_MAX = 16,          /* PROTOCOL section 1 */
    BEHIND_SECONDS_MAX = 20, /* a reader that long behind is closed */
    PING_SLOTS = 30,         /* connections are spread over these, so that pings are too */
    FAREWELL_TICK_MS = 20,
    FAREWELL_TICKS_PATIENT = 100, /* 2 s for what is queued */
    FAREWELL_TICKS_CLOSED = 15,   /* 0.3 s for the answer to a close frame */
    FAREWELL_TICKS_MAX = 150,     /* 3 s for all */
    ACCOUNT_CHAINS = 4096,
    ANSWER_BYTES_MAX = 32 << 20, /* of a call, and of a whole batch */
    ANSWER_BYTES_SPARE = 1 << 16 /* of these, for the refusals of the other calls of a batch */,
    SCRATCH_BYTES = 64 * 1024 /* messages that leave together */
};

/* Close codes of ours (RFC 6455: 4000 to 4999 are private). */
enum { CLOSE_REVOKED = 4001, CLOSE_SLOW = 4008 };

/* A message that waits to be written. A whole view that was not yet sent makes room for a newer one
 * of the same match and viewer. */
struct out {
    struct out *next;
    struct msg *msg;
    struct match_id match; /* of a push; "" for all else */
    uint8_t viewer, kind;  /* enum match_push */
};

/* A WebSocket session. */
struct conn {
    struct net *net;
    struct lws *wsi;
    struct conn *slot_prev, *slot_next;       /* the connections pinged in the same second */
    struct conn *account_prev, *account_next; /* those in the same chain of net->by_account */
    struct conn *kill_next, *dirty_next;
    struct out *out_first, *out_last;
    uint32_t out_count, out_bytes,
        bulk_bytes;                      /* bulk: answers longer than the bound of the queue */
    struct sink *sinks;                  /* frames that are not fully answered */
    struct call *held_first, *held_last; /* calls that wait until a sign-in has ended */
    struct match_client client;          /* its watches and waits */
    struct buf rx;                       /* the frame that is coming in, if in pieces */
    struct session session;              /* account "" when not signed in */
    struct bucket bucket;
    uint64_t address_key;
    uint8_t network[NETWORK_PREFIX_BYTES];  /* of the peer's address (accounts_call) */
    char client_name[CLIENT_BYTES_MAX + 1]; /* server.hello's client; "" */
    uint32_t heard_s, drain_since_s, behind_since_s, pending;
    uint16_t close_code;
    uint8_t slot;
    bool want_ping, killing, draining, signing_in, dirty;
    bool behind; /* a push was not taken */
};

/* A POST /rpc, from its headers to its answer. */
struct post {
    struct net *net;
    struct post *next, **link; /* of all that are not yet answered and gone */
    struct lws *wsi;           /* NULL: the client has gone */
    struct sink *sinks;
    struct buf body;
    struct session session;
    struct match_client client; /* its waits */
    struct msg *answer;         /* NULL: none yet; an empty one is 204 */
    uint64_t address_key;
    uint8_t network[NETWORK_PREFIX_BYTES];
    unsigned status;  /* of the answer; 0: not yet known */
    char token[64];   /* the bearer token until it is looked up */
    char origin[128]; /* for Access-Control-Allow-Origin; "" none */
    char secret[80];  /* of /unsubscribe/SECRET; "": it is a call */
    const char *type; /* of the answer; NULL: JSON */
    char etag[40];    /* of the answer; "": none */
    char have[128];   /* If-None-Match */
    bool head_only;
    bool has_token, dispatched, looking_up, answered;
};

/* Where the answers of one frame or POST go. Lives until all its calls have ended, also when the
 * client has gone; then conn and post are NULL. */
struct sink {
    struct net *net;
    struct conn *conn;
    struct post *post;
    struct sink *prev, *next;
    unsigned left; /* calls not yet ended, and one while the frame is being read */
    bool batch;
    struct buf out; /* of a batch or POST: the answers so far */
};

struct method;

/* One request on its way. Ends by exactly one of call_reply, call_fail, or an error returned by its
 * method; that frees it. params live until then. */
struct call {
    struct net *net;
    struct sink *sink;
    const struct method *method;
    cJSON *params;
    struct call *held_next;
    struct session session; /* who asks, as of the beginning */
    uint64_t began_us;
    size_t frame_bytes;
    void *data; /* the method's own, freed with free() at the end */
    struct why why;
    bool silent;  /* a notification */
    char id[160]; /* JSON text */
};

/* ERR_OK: it was answered or will be. Anything else, with call->why, is the answer. */
typedef enum err method_fn(struct call *call);

/* What a method asks of the caller. SCOPE_* of accounts.h for tokens; NEED_NOTHING: anyone. */
enum need { NEED_NOTHING, NEED_READ, NEED_PLAY, NEED_ORGANISE, NEED_FULL };
enum { CHANGES = 1, SIGNS_IN = 2 };

struct method {
    const char *name;
    method_fn *run;
    enum need need;
    unsigned flags; /* CHANGES: refused while closing. SIGNS_IN: later calls wait for its end */
    size_t bytes_max;
};

struct net {
    uv_loop_t *loop;
    struct net_config config;
    struct net_parts parts;
    struct courier *courier; /* NULL: none (net_set_outward) */
    struct notify *notify;
    struct lws_context *context;
    struct lws_vhost *vhosts[NET_LISTENS_MAX];
    char binds[NET_LISTENS_MAX][64], names[NET_LISTENS_MAX][16];
    int ports[NET_LISTENS_MAX];
    struct rates *rates;
    struct web *web; /* the browser client; NULL: not served */
    struct counters counters;
    struct conn *slots[PING_SLOTS];
    struct conn *by_account[ACCOUNT_CHAINS];
    struct conn *kill_first, *dirty_first;
    uv_async_t kill_async;
    uv_timer_t tick;
    uv_prepare_t flush;
    struct post *post_first;
    uint32_t conns, posts, second, next_slot, conns_trimmed;
    uint32_t farewell_ticks, closed_ticks;
    uint64_t calls_seen, calls_trimmed; /* of counters.calls, when the heap was looked after */
    unsigned char scratch[LWS_PRE + SCRATCH_BYTES];
    bool refusing, leaving;
    void (*left)(void *ctx);
    void *left_ctx;
};

/* net.c */
uint64_t net_now_us(void);
/* The address of a peer as text ("" unknown), as the proxies tell it, and the key of its bucket. */
void net_peer(struct net *net, struct lws *wsi, char *out, size_t size);
uint64_t net_peer_key(struct net *net, const char *address);
/* The network of that address: a family, then the first 24 bits of IPv4, 48 of IPv6. */
void net_peer_network(const char *address, uint8_t out[NETWORK_PREFIX_BYTES]);
bool net_word_in(const char *words, const char *word);
/* Whether an Origin header may talk to us; "" is no browser. */
bool net_origin_fits(struct net *net, struct lws *wsi, char *out_origin, size_t size);

/* conn.c */
int conn_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len);
/* Queues msg (borrowed) whatever is queued already: for answers, which the pending calls bound. */
void conn_send(struct conn *conn, struct msg *msg);
/* Whether an answer of n bytes may be queued: of those longer than the whole bound one at a time.
 */
bool conn_takes(const struct conn *conn, size_t n);
/* Closes it soon, from the loop, never inside the caller. drain: its queue goes out first. */
void conn_close(struct conn *conn, unsigned code, bool drain);
/* Signs the connection in, or out (account ""). */
void conn_sign_in(struct conn *conn, const struct session *session);
/* The account shows its presence from now on, or no more. */
void net_tell_shown(struct net *net, const struct account_id *account);
void conn_close_all(struct net *net, bool drain);
/* Whether every connection was sent its close frame; and the end of those that do not answer it.
 * From a callback of the loop. */
bool conn_all_killed(const struct net *net);
void conn_cut_all(struct net *net);
/* Once a second: pings, connections that are silent, behind, or drain too long. */
void conn_tick(struct net *net);
void conn_kill_all_listed(struct net *net);
void conn_flush(struct net *net);

/* http.c */
int http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                  size_t len);
void post_answer(struct post *post);

/* page.c: the page at /. */
extern const char page_html[];

/* rpc.c */
/* A whole frame or body. The sink answers when all its calls have ended. */
void rpc_frame(struct net *net, struct conn *conn, struct post *post, const char *text, size_t n);
void call_reply(struct call *take_call, const char *json, size_t n);
/* The same from a buffer; one that overflowed is answered with too_large. */
void call_reply_buf(struct call *take_call, const struct buf *json);
void call_fail(struct call *take_call, enum err err, const struct why *why);
/* Runs a call after its checks. */
void call_run(struct call *take_call);
/* The connection of a call, NULL when it has gone or came by POST. */
struct conn *call_conn(const struct call *call);
uint64_t call_address_key(const struct call *call);
/* Lets go of the sinks of a connection or POST that is no more. */
void rpc_forget(struct sink **sinks);
/* Runs the calls that waited for a sign-in. */
void rpc_run_held(struct conn *conn);
void rpc_drop_held(struct conn *conn);

/* dispatch.c */
const struct method *method_find(const char *name);
size_t method_count(void);
const struct method *method_at(size_t i);

#endif
