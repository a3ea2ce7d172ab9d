/* server/bots/bots.h: the daemon's own players: practice bots that anybody may seat, and caretakers
 * for seats whose players have vanished. Each is an account, and a child process that is an
 * ordinary client (`vedette bot`): it knows what its seat knows and nothing else. It runs from the
 * moment that it is needed. Loop thread only. */
#ifndef VEDETTE_SERVER_BOTS_BOTS_H
#define VEDETTE_SERVER_BOTS_BOTS_H

#include <stdbool.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct accounts;
struct bots;
struct uv_loop_s;

enum { BOTS_CHILDREN_MAX = 16, BOTS_EACH_MAX = 8 };

/* The policy of the accounts that look after seats. */
#define BOTS_CARETAKER "caretaker"

struct bots_config {
    struct uv_loop_s *loop;
    struct accounts *accounts;
    const char *kinds;        /* "waterloo:2 caretaker:2", each policy once; "off" */
    const char *program;      /* vedette; NULL: looked for beside this program */
    const char *folder;       /* where each keeps its nonces, in a folder of its name */
    const char *const *games; /* of this server, NULL-ended */
    bool noisy;               /* what they say on standard error goes where ours does */
};

/* config's texts are borrowed for the life of bots. out_bots: for bots_destroy. INVALID_PARAMS:
 * kinds is not understood. */
enum err bots_create(const struct bots_config *config, struct bots **out_bots,
                     char out_error[256]) VD_CHECKED;
/* The server listens there ("http://127.0.0.1:1815"): accounts are made where they lack, and those
 * that have something to do begin. */
void bots_start(struct bots *bots, const char *url);
/* Whether the account is one of them, and may be counted on. */
bool bots_has(const struct bots *bots, const struct account_id *account);
/* There may be something to do for the account. Others' accounts are fine. */
void bots_wake(struct bots *bots, const struct account_id *account);
/* SIGTERM to all of them, SIGKILL after two seconds; then, and when nothing is under way, done.
 * Nothing starts any more. */
void bots_close(struct bots *bots, void (*done)(void *ctx), void *ctx);
/* After bots_close has called done, or when bots_start was never called. Handles on the loop close
 * in its next turns. NULL is fine. */
void bots_destroy(struct bots *take_bots);

#endif
