/* client-cli/net/conn.h: a connection to a server that mends itself: calls, replies and pushes over
 * WebSocket (PROTOCOL 1). */
#ifndef VEDETTE_CLIENT_CLI_NET_CONN_H
#define VEDETTE_CLIENT_CLI_NET_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <uv.h>

#include "client-cli/net/url.h"
#include "common/base/buf.h"

struct conn;
enum conn_state { CONN_DOWN, CONN_CONNECTING, CONN_UP, CONN_GIVEN_UP };

/* What the owner is told; all run inside uv_run. Any may be NULL. */
struct conn_events {
    void *ctx;
    /* The state has changed; retry_ms: until the next try, with CONN_DOWN. With CONN_UP the account
     * is signed in again and all open calls are on their way: a watcher asks to watch again. */
    void (*on_state)(void *ctx, enum conn_state state, uint64_t retry_ms, const char *why);
    void (*on_push)(void *ctx, const char *method, const cJSON *params);
};

/* A reply: result or error (the error object of JSON-RPC), the other is NULL; both NULL: the
 * connection was given up before an answer came. Borrowed until it returns. */
typedef void conn_reply_fn(void *ctx, const cJSON *result, const cJSON *error);

/* Nothing is sent yet. insecure: accept any certificate. NULL: out of memory, or no libuv support.
 */
struct conn *conn_create(uv_loop_t *loop, const struct url *url, bool insecure,
                         const struct conn_events *events);
void conn_destroy(struct conn *conn);
/* The token to sign in with on this and every later connection; NULL: none. */
void conn_set_token(struct conn *conn, const char *token);
/* for_ever false: a server that cannot be reached at the first try is given up at once, and after
 * 15 s later. True: once it has been reached it is never given up. */
void conn_set_patience(struct conn *conn, bool for_ever);
enum conn_state conn_state(const struct conn *conn);
/* Why the last try failed, a static sentence part, never NULL. */
const char *conn_why(const struct conn *conn);

/* Sends a call; connects where needed. params: a JSON object as text, or NULL. A call lives through
 * reconnects and is sent again after one, so whatever changes something must carry an action_id; a
 * refusal as rate_limited, closing or storage_failed is waited out and tried again (PROTOCOL 2, 7).
 */
void conn_call(struct conn *conn, const char *method, const char *params, conn_reply_fn *reply,
               void *ctx);
/* The same, and runs the loop until the answer is there. out_result, out_error: the caller's; both
 * NULL: given up. */
void conn_call_wait(struct conn *conn, const char *method, const char *params, cJSON **out_result,
                    cJSON **out_error);
/* Fetches a page of the server by GET, path beginning with a slash. False: not there. */
bool conn_fetch_wait(struct conn *conn, const char *path, struct buf *out_body);
/* What was fetched, as text; NULL: it is not there, or too long, or another is on its way. Borrowed
 * until it returns. */
typedef void conn_body_fn(void *ctx, const char *text);
/* The same without waiting; one at a time. */
void conn_fetch(struct conn *conn, const char *path, size_t bytes_max, conn_body_fn *told,
                void *ctx);

/* Adds "action_id" with a fresh random id to an object being written. */
void conn_write_action_id(struct buf *params);

#endif
