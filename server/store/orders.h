/* server/store/orders.h: the rows of standing orders, of what seats are asked amid the turns of
 * others, and of answers that are shown later. */
#ifndef VEDETTE_SERVER_STORE_ORDERS_H
#define VEDETTE_SERVER_STORE_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

/* The orders that a seat has left. orders: JSON in normal form; "" in a write: the row goes. */
struct standing_row {
    unsigned seat;
    int64_t version, at;
    char *orders; /* malloc'ed, or borrowed while it is read */
};
/* What the seat is asked amid the turn of another (the game's bits), since when, and whether it has
 * answered any of it by hand. */
struct asked_row {
    uint64_t what; /* 0: nothing, the row goes */
    int64_t at;
    bool by_hand;
};
/* An answer that becomes a line when it is due. */
struct held_row {
    uint64_t number;
    unsigned seat;
    int64_t at, due;
    int64_t version; /* of the orders that gave it; 0: by hand */
    unsigned entry;
    char *action; /* JSON; malloc'ed, or borrowed while it is read */
};
/* A line that orders made. */
struct fired_row {
    uint64_t n, seq;
    unsigned seat, entry;
    int64_t version;
};

/* What a match has of all this, row by row, and how it is paced. False: memory. */
struct orders_reader {
    bool (*standing)(void *ctx, const struct standing_row *row);
    bool (*asked)(void *ctx, unsigned seat, const struct asked_row *row);
    bool (*held)(void *ctx, const struct held_row *row); /* in order */
    void *ctx;
};
enum err orders_read(struct db *db, int64_t match, const struct orders_reader *reader,
                     int64_t *out_pace_ms, uint32_t *out_hand_overs) VD_CHECKED;

/* The newest limit lines of the seat that orders made, the newest first. */
typedef bool fired_fn(void *ctx, const struct fired_row *row);
enum err orders_read_fired(struct db *db, int64_t match, unsigned seat, unsigned limit,
                           fired_fn *fired, void *ctx) VD_CHECKED;

/* Running matches with answers to be shown, and when the first of each is. */
typedef bool held_due_fn(void *ctx, const struct match_id *id, int64_t due);
enum err orders_read_due(struct db *db, held_due_fn *due, void *ctx) VD_CHECKED;

/* One operation of a unit. Lists are malloc'ed, as is what they point at. */
struct orders_write {
    int64_t match, at;
    size_t standing_count;
    struct standing_row standing[ROW_SEATS_MAX];
    uint32_t asked_changed; /* bit of each seat whose row is written */
    struct asked_row asked[ROW_SEATS_MAX];
    bool held_cleared; /* all rows go, before those below are added */
    size_t held_count, held_room;
    struct held_row *held;
    size_t fired_count, fired_room;
    struct fired_row *fired;
    bool hands_over;
    bool carries; /* the match comes from elsewhere: with these, */
    int64_t pace_ms;
    uint32_t hand_overs;
    /* the answer, unless lines that are stored with it bring it; action_id NULL: none */
    char account[ACCOUNT_ID_CHARS + 1];
    char *action_id, *answer;
    struct hash params;
};
/* CONFLICT: the account has used that action_id. */
enum err orders_write_run(struct db *db, void *orders_write) VD_CHECKED;
void orders_write_free(void *orders_write);

#endif
