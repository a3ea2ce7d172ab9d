/* server/match/standing.h: what seats have left for decisions that come to them in the turns of
 * others (PROTOCOL 8), and what they are asked so.
 *
 * Orders are looked at after every unit of lines, in the same unit: so a restart can neither lose
 * nor repeat what they answer. They answer what they can. What is left is asked of the seat, and
 * once it has answered anything of a sitting by hand, the rest of that sitting is its own. Quiet
 * answers tell nobody else anything, by orders as by hand. */
#ifndef VEDETTE_SERVER_MATCH_STANDING_H
#define VEDETTE_SERVER_MATCH_STANDING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/rules/game.h"
#include "server/store/orders.h"

struct buf;
struct cJSON;
struct core_step;
struct db;
struct flight;
struct held;
struct lines_write;
struct match;
struct matches;
struct store_unit;

enum {
    STANDING_LINES_MAX = 128,     /* that follow in one unit */
    STANDING_BYTES_MAX = 1 << 14, /* of one list, whatever the game allows */
    STANDING_FIRED_MAX = 32       /* told by match.standing */
};

/* What a match has of it: the newest, as its core. */
struct standing {
    struct {
        int64_t version; /* 0: never any */
        struct cJSON *orders;
    } seat[SEATS_MAX];
    struct asked_row asked[SEATS_MAX];
    int64_t pace_ms;     /* 0: none */
    uint32_t hand_overs; /* durable or on the way */
    /* pace.c: answers that are given and not yet lines, in order; and the match as it will be with
     * them, NULL without any. blind: it was drawn for, so that nothing can be judged on it. */
    struct held *held;
    struct held *releasing; /* due: they become lines one after the other */
    uint64_t next_held;
    struct state *ahead;
    bool blind;
};

/* Reads all of it but `ahead`. STORAGE_FAILED. out_standing: for standing_free. */
enum err standing_read(struct db *db, int64_t match, struct standing *out_standing) VD_CHECKED;
void standing_free(struct standing *standing);

/* The seat itself does something: the rest of what it is asked is its own. */
void standing_by_hand(struct flight *flight, unsigned seat);
/* A line was taken: who is asked what now. */
enum err standing_follow(struct flight *flight, const struct core_step *step) VD_CHECKED;
/* What follows a flight in its unit, each line a flight of its own, for others are told of it as of
 * a call by hand: what was held and is due (pace_release), then what orders answer. */
void standing_run(struct matches *matches, struct match *match, struct flight *flight,
                  struct store_unit *unit);
/* The seat has another holder for good: what it had left goes. */
enum err standing_give_up(struct flight *flight, unsigned seat) VD_CHECKED;

/* Adds to the unit what the flight changes of all this. */
void standing_send(struct matches *matches, struct match *match, struct flight *flight,
                   struct store_unit *unit);
void standing_landed(struct matches *matches, struct match *match, struct flight *flight);
void standing_forget(struct flight *flight);
/* A line that orders made. */
enum err standing_note_fired(struct flight *flight, const struct fired_row *row) VD_CHECKED;
/* What the flight writes of it; made when it is needed. NULL: memory. */
struct orders_write *standing_write(struct flight *flight);

/* Where a list of actions began: what it takes back when one is refused. */
struct standing_mark {
    struct asked_row asked[SEATS_MAX];
    uint64_t next_held;
};
void standing_mark(const struct match *match, struct standing_mark *out_mark);
void standing_rollback(struct matches *matches, struct match *match,
                       const struct standing_mark *mark);

#endif
