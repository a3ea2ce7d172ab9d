/* server/match/look.h: a referee looks at the whole of a running match (DESIGN 4): with a reason,
 * which is a line that all seats are told at once, and durable, before he is shown anything. Nobody
 * sees the whole of a match before its reveal but by look_stands. */
#ifndef VEDETTE_SERVER_MATCH_LOOK_H
#define VEDETTE_SERVER_MATCH_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "server/match/match.h"

struct match;

enum {
    LOOK_MINUTES = 15, /* how long a look lasts: one line for all that is asked for meanwhile */
    LOOKS_MAX = 4      /* at once, of one match; the one that ends first makes room */
};

/* The looks at a match that are under way, in memory. */
struct looks {
    struct {
        struct account_id account; /* "": free */
        int64_t until;
    } look[LOOKS_MAX];
};

/* Whether the account has a look at the match under way. What is over is swept away within seconds.
 */
bool look_stands(const struct looks *looks, const struct account_id *account);
bool looks_any(const struct looks *looks);

/* A call of method with `as: "all"` in its params and a reason for it (which is none of them any
 * more). What is open to the account without is answered as method does, and so is whatever it may
 * not: to who is no referee nothing of this shows. FORBIDDEN: a referee who has or had a seat
 * there. INVALID_PARAMS, why->member "reason": empty or over 500 bytes. */
void match_look(struct matches *matches, const struct match_call *call, const struct cJSON *params,
                const char *reason, match_method_fn *method);

/* The account is no referee any more: its looks end, and its watches of whole matches. */
void match_looks_forget(struct matches *matches, const struct account_id *account);

#endif
