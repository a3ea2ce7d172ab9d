/* client-cli/net/session.h: one match as a viewer follows it: always the newest view, nothing missed,
 * through reconnects. */
#ifndef VEDETTE_CLIENT_CLI_NET_SESSION_H
#define VEDETTE_CLIENT_CLI_NET_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "client-cli/net/conn.h"
#include "client-cli/net/keep.h"

struct session;

/* What its owner is told. Any may be NULL. */
struct session_events {
    void *ctx;
    /* A newer view stands in session_view. */
    void (*on_view)(void *ctx);
    /* The first view is there: how many steps before it are to be told as history. NULL: what
     * session_set_backlog says. */
    int (*backlog)(void *ctx, const cJSON *view);
    /* Events of a step (session_told says which), each step once, in order, also those missed while
     * away. fresh: of now. */
    void (*on_events)(void *ctx, const cJSON *events, bool fresh);
    void (*on_said)(void *ctx, const char *who, const char *text);
    /* Open offers changed: `offers` of the object is all of them, `closed` what is no longer open.
     * Asked for anew whenever the watch begins. */
    void (*on_offers)(void *ctx, const cJSON *told);
    /* The clocks of the match were told: `clock` of match.get or match.changed. */
    void (*on_clock)(void *ctx, const cJSON *clock);
    void (*on_closing)(void *ctx);
    /* The server is not held to what this machine was shown before, or a nonce is lost. */
    void (*on_warning)(void *ctx, const char *text);
    /* The match has not begun: its first view comes when it does. */
    void (*on_waiting)(void *ctx);
    /* An act or undo was answered; error NULL: accepted. */
    void (*on_acted)(void *ctx, const cJSON *error);
    /* What was answered is not shown yet: `held` of match.act. */
    void (*on_held)(void *ctx, const cJSON *held);
    /* The match cannot be watched; the error of JSON-RPC, or NULL: no connection. */
    void (*on_failed)(void *ctx, const cJSON *error);
};

/* match, as (NULL: the account's seat) are copied; keep (NULL: nothing is kept and no nonce opened)
 * too. The connection is borrowed; its owner hands
 * state changes and pushes on to the two functions below. */
struct session *session_create(struct conn *conn, const struct keep *keep, const char *match,
                               const char *as, const struct session_events *events);
void session_destroy(struct session *session);
/* How many steps before the first view are told as history (default 0). */
void session_set_backlog(struct session *session, int steps);
/* Begins to watch; to be called again whenever the connection has come up. */
void session_watch(struct session *session);
/* True: the push was about this match. */
bool session_push(struct session *session, const char *method, const cJSON *params);

/* The events of every step up to the view have been told. */
bool session_caught_up(const struct session *session);
/* The seq of the last step whose events were told, or are being told. */
int64_t session_told(const struct session *session);
const char *session_match(const struct session *session);
/* The seat's code as offers name it (an ally that was left goes by another in its view, W18.9); ""
 * for a watcher, or before anything is known. */
const char *session_seat(const struct session *session);
/* The newest view, NULL before the first. Borrowed until the next on_view. */
const cJSON *session_view(const struct session *session);
int64_t session_seq(const struct session *session);
/* Sends an action (object) or several (array) for the current seq. One at a time: false while one
 * is on its way. */
bool session_act(struct session *session, const char *action);
bool session_undo(struct session *session);
/* An act is on its way, or the view that it makes, or the seat's nonce is not open yet. */
bool session_busy(const struct session *session);
/* The nonce alone is what is waited for: on_view comes when that is over. */
bool session_opening(const struct session *session);
/* channel: table or side. */
void session_say(struct session *session, const char *channel, const char *text);
/* The person has seen the newest view: no notice of it need be sent. */
void session_seen(struct session *session);
void session_resign(struct session *session);
/* what: draw, abort, rewind (to: a seq of the seat; else -1). A refusal comes by on_acted. */
void session_offer(struct session *session, const char *what, int64_t to);
/* More time for a seat, in seconds. */
void session_offer_time(struct session *session, const char *seat, int64_t seconds);
void session_answer(struct session *session, int64_t offer, bool accept);
/* Up to 200 steps from seq `from` on (-1: the last ones); reply gets match.history's result. The
 * session must live until then. */
void session_read_steps(struct session *session, int64_t from, conn_reply_fn *reply, void *ctx);

#endif
