/* server/net/net.h: the daemon's face: listeners, sessions, dispatch, HTTP pages (PROTOCOL 1 to 4).
 */
#ifndef VEDETTE_SERVER_NET_NET_H
#define VEDETTE_SERVER_NET_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"
#include "server/match/match.h"
#include "server/net/rates.h"

struct accounts;
struct lobby;
struct msg;
struct net;
struct store;
struct uv_loop_s;

enum { NET_LISTENS_MAX = 8, NET_ADDRESS_MAX = 72 };

/* All limits with their defaults in net_limits_default. */
struct net_limits {
    uint32_t connections_max;    /* open connections, HTTP included */
    uint32_t pending_max;        /* calls of one connection that wait for their answer */
    uint32_t queue_messages_max; /* of a connection; from here on only the newest views wait */
    uint32_t queue_bytes_max;
    struct rate connection, account, address; /* calls */
    struct rate register_address;             /* new accounts from one address */
    struct rate fail_name_address;            /* failed sign-ins for one name from one address */
    struct rate fail_address;                 /* failed sign-ins from one address */
    struct rate fail_name;                    /* failed sign-ins for one name from everywhere */
    struct rate fail_code;    /* wrong codes of one account's second factor, the password right */
    struct rate mail_name;    /* mails that one account, or one name, asks for */
    struct rate mail_address; /* mails that are asked for from one address */
};

struct net_config {
    const char *listen[NET_LISTENS_MAX]; /* "127.0.0.1:1815", "[::1]:0" */
    size_t listens;
    const char *web;          /* folder of the built browser client; NULL: none is served */
    const char *origins;      /* allowed beside our own, separated by blanks; NULL: none */
    const char *metrics_from; /* addresses that may read /metrics beside loopback, by blanks */
    bool metrics_work;        /* /metrics tells of the work done too */
    const char *proxies;      /* addresses whose X-Forwarded-For is believed, by blanks */
    uint32_t back_in_s;       /* told with server.closing */
    uint32_t
        ping_s; /* 1 to 30: seconds between pings; a peer silent for 2.5 times that is closed */
    struct net_limits limits;
};

/* What net calls; matches and lobby may be NULL in tests of net alone. */
struct net_parts {
    struct store *store;
    struct accounts *accounts;
    struct matches *matches;
    struct lobby *lobby;
};

void net_limits_default(struct net_limits *out_limits);

/* Starts listening. config's texts are borrowed for the life of net. out_net is the caller's also
 * when it fails, for net_destroy. out_error: a sentence for the operator. */
enum err net_create(struct uv_loop_s *loop, const struct net_config *config,
                    const struct net_parts *parts, struct net **out_net,
                    char out_error[256]) VD_CHECKED;
/* What players are told by and ask of: after net_create, before the loop runs. */
struct courier;
struct notify;
void net_set_outward(struct net *net, struct notify *notify, struct courier *courier);
/* "http://127.0.0.1:43721" of listener i. */
void net_address(const struct net *net, size_t i, char out[NET_ADDRESS_MAX]);
/* Whether a listener at "ADDR:PORT" is reached over the loopback. */
bool net_is_within(const char *listen);
/* How a program of this host reaches us: over the loopback if there is a listener there, else at the
 * first address. */
void net_address_within(const struct net *net, char out[NET_ADDRESS_MAX]);

/* Shutdown in the order of DESIGN section 5. After net_refuse what changes something is answered
 * with `closing` and nobody new is let in. net_farewell sends server.closing and closes every
 * connection once its answers are out (3 s at most), then calls done. net_destroy needs the loop:
 * it runs it until everything of libwebsockets has gone. */
void net_refuse(struct net *net);
void net_farewell(struct net *net, void (*done)(void *ctx), void *ctx);
void net_destroy(struct net *take_net);

/* Hooks of match.h. A push to one connection; false: its queue is over its bound, not taken. */
bool net_push(struct net *net, struct match_client *client, const struct match_id *match,
              unsigned viewer, enum match_push kind, struct msg *msg);
/* Whether some connection is signed in as that account. */
bool net_is_here(const struct net *net, const struct account_id *account);
/* Sends msg to every connection of the account (borrowed; kept by reference). */
void net_push_account(struct net *net, const struct account_id *account, struct msg *msg);
/* Closes every connection that is signed in by that token, or, token NULL, by any of the account.
 */
void net_revoke(struct net *net, const struct account_id *account, const struct token_id *token);

#endif
