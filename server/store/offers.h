/* server/store/offers.h: the rows of offers, and the lines of the host that a log's rewinds are
 * among. */
#ifndef VEDETTE_SERVER_STORE_OFFERS_H
#define VEDETTE_SERVER_STORE_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

enum offer_what {
    OFFER_DRAW,
    OFFER_ABORT,
    OFFER_REWIND,
    OFFER_PAUSE,
    OFFER_RESUME,
    OFFER_TIME,
    OFFER_REOPEN,
    OFFER_WHATS
};
enum offer_state { OFFER_OPEN, OFFER_CARRIED_OUT, OFFER_DECLINED, OFFER_WITHDRAWN, OFFER_VOID };
const char *offer_what_name(enum offer_what what);
const char *offer_state_name(enum offer_state state);

/* One offer as its row says. */
struct offer_row {
    uint64_t number;
    enum offer_what what;
    unsigned seat;
    int64_t at;
    uint32_t asked, accepted; /* bit of each seat */
    uint64_t line;            /* rewind, reopen: the state after this line */
    int to_seat;              /* time: who is given it; -1: none */
    int64_t ms;               /* time: how much */
    int64_t until;            /* resume: it is carried out then by itself; 0: it is not */
    char *lost; /* rewind: a JSON object for each viewer, each ended by '\n'; malloc'ed, or NULL */
};

/* Calls offer for each open offer of the match in order of number; out_next: the number that the
 * next one has. lost is borrowed. */
typedef bool offer_fn(void *ctx, const struct offer_row *row);
enum err offers_read_open(struct db *db, int64_t match, offer_fn *offer, void *ctx,
                          uint64_t *out_next) VD_CHECKED;

/* What match.offer and match.answer write, as one operation of a unit: a new row, a yes, or the
 * end of some. */
enum { OFFER_CLOSES_MAX = 16 };
struct offer_write {
    int64_t match, at;
    bool is_new;          /* row is inserted */
    struct offer_row row; /* accepted counts for the row of that number if it is not new */
    bool accepts;
    unsigned close_count;
    struct {
        uint64_t number;
        enum offer_state state;
        int by; /* -1: nobody */
    } closes[OFFER_CLOSES_MAX];
    /* the answer, unless lines that are stored with it bring it; action_id NULL: none */
    char account[ACCOUNT_ID_CHARS + 1];
    char *action_id, *answer;
    struct hash params;
};
/* CONFLICT: no such open offer, or the account has used that action_id. */
enum err offers_write(struct db *db, void *offer_write) VD_CHECKED;
void offer_write_free(void *offer_write);

/* The lines of the host up to number `to`, in order (match_line_fn; answer is 0). */
enum err offers_read_host_lines(struct db *db, int64_t match, uint64_t to, match_line_fn *line,
                                void *ctx) VD_CHECKED;

#endif
