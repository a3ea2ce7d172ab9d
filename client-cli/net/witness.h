/* client-cli/net/witness.h: holds a server to its word about one match, and puts this machine's nonces
 * into its dice (FAIRNESS 3, 6). */
#ifndef VEDETTE_CLIENT_CLI_NET_WITNESS_H
#define VEDETTE_CLIENT_CLI_NET_WITNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "client-cli/net/conn.h"
#include "client-cli/net/keep.h"

struct witness;

/* Told within uv_run. Any may be NULL. */
struct witness_events {
    void *ctx;
    /* Something is not as this machine was shown it before, or a nonce was lost. A sentence. */
    void (*on_warning)(void *ctx, const char *text);
    /* It has looked: what is to be opened is open. */
    void (*on_done)(void *ctx);
};

/* match, as (NULL: the account's seats) are copied; keep NULL: nothing is kept, nothing opened. The
 * connection is borrowed. NULL: no memory. */
struct witness *witness_create(struct conn *conn, const struct keep *keep, const char *match,
                               const char *as, const struct witness_events *events);
/* Calls under way still end, and tell nobody. */
void witness_destroy(struct witness *take_witness);

/* Looks at the match: compares its commitment, header and newest head with what is kept, keeps what
 * is new, and then opens the nonces that are awaited from the account's own seats: those that it
 * holds and never opened. give_up: of the others it says that they are lost, since the person wants
 * to act here and now; else another machine may still open them. Once at a time; again on every
 * connection. */
void witness_look(struct witness *witness, bool give_up);
/* It is looking: an action would come too early. */
bool witness_busy(const struct witness *witness);
/* The newest step that opening or losing a nonce made; -1: none. */
int64_t witness_opened_seq(const struct witness *witness);
/* The match had a header when it looked last. */
bool witness_has_header(const struct witness *witness);
/* A step that the viewer was shown. */
void witness_step(struct witness *witness, const char *as, int64_t seq, const char *chain);

/* Fills the account's stock of commitments on the server up to KEEP_NONCES_MAX; done (may be NULL)
 * when it is full, or cannot be. */
void stock_fill(struct conn *conn, const struct keep *keep, void (*done)(void *ctx), void *ctx);
/* The same, and waits. Says nothing: a server that knows no nonces, or nobody signed in, is fine.
 */
void stock_fill_wait(struct conn *conn, const struct keep *keep, uv_loop_t *loop);

/* Opens what is awaited from the account's seats in that match, as witness_look with give_up does,
 * and waits. Warnings go to standard error. */
void witness_open_wait(struct conn *conn, const struct keep *keep, const char *match,
                       uv_loop_t *loop);

#endif
