/* server/store/clocks.h: the rows of clocks, what views showed of them, the heartbeat of the
 * daemon. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_CLOCKS_H
#define VEDETTE_SERVER_STORE_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

struct db;

enum { CLOCK_STATE_BYTES_MAX = 2048, CLOCK_SHOWN_MAX = 256 };

/* One clock as its rows say. Texts are malloc'ed, for clock_row_finish. */
struct clock_row {
    char *spec;  /* match.clock: the normal form; NULL: the match has none */
    char *told;  /* `clock` of match.get; NULL: it has not begun */
    char *shown; /* `clock` of the newest views; NULL: none was */
    uint64_t n;
    int64_t due; /* 0: nothing */
    size_t state_len;
    uint8_t state[CLOCK_STATE_BYTES_MAX];
    uint32_t bots; /* bit of each seat that a bot holds */
};
/* A match without a clock: ERR_OK, all empty. */
enum err clocks_read(struct db *db, int64_t match, struct clock_row *out_row) VD_CHECKED;
void clock_row_finish(struct clock_row *row);
/* `clock` of views when line n was the newest that their viewer was told of. out_view: malloc'ed,
 * NULL: none. */
enum err clocks_read_shown(struct db *db, int64_t match, uint64_t n, char **out_view) VD_CHECKED;
/* What line n made it; NULL: nothing. */
enum err clocks_read_shown_at(struct db *db, int64_t match, uint64_t n, char **out_view) VD_CHECKED;
/* Calls shown for each row of what views showed, in order of n. */
typedef bool clock_shown_fn(void *ctx, uint64_t n, const char *view);
enum err clocks_each_shown(struct db *db, int64_t match, clock_shown_fn *shown,
                           void *ctx) VD_CHECKED;

/* What a change of a clock writes, as one operation of a unit; for clock_write_free. */
struct clock_write {
    int64_t match;
    uint64_t n;
    int64_t due;
    char *told;
    size_t state_len;
    uint8_t state[CLOCK_STATE_BYTES_MAX];
    unsigned shown_count;
    struct {
        uint64_t n;
        char *view;
    } shown[CLOCK_SHOWN_MAX];
};
enum err clocks_write(struct db *db, void *clock_write) VD_CHECKED;
void clock_write_free(void *clock_write);
/* The normal form of its spec, of a match that has none. */
enum err clocks_write_spec(struct db *db, int64_t match, const char *spec) VD_CHECKED;

/* Calls wake for every match whose clock may do something by itself: running with a clock, or over
 * and not yet opened (row NULL then but for reveal_at). */
struct clock_wake {
    struct match_id id;
    int64_t key;
    unsigned seats;
    char codes[ROW_SEATS_MAX][ROW_CODE_BYTES];
    int64_t due, reveal_at; /* 0: none */
    const struct clock_row *row;
};
typedef bool clock_wake_fn(void *ctx, const struct clock_wake *wake);
enum err clocks_each(struct db *db, clock_wake_fn *wake, void *ctx) VD_CHECKED;

/* The heartbeat; 0: there was none. Operation of a unit: data is an int64_t. */
enum err clocks_read_beat(struct db *db, int64_t *out_at) VD_CHECKED;
enum err clocks_write_beat(struct db *db, void *at) VD_CHECKED;

/* When the match is opened to everybody; 0: at once, or not yet over. Operation of a unit; data is
 * malloc'ed and freed by free. */
struct reveal_write {
    int64_t match, reveal_at;
    bool running; /* it goes on: state running again, no result */
};
enum err clocks_write_reveal(struct db *db, void *reveal_write) VD_CHECKED;

/* Settings of the account, JSON; malloc'ed. NOT_FOUND. */
enum err clocks_read_settings(struct db *db, const struct account_id *account,
                              char **out_settings) VD_CHECKED;
/* Calls match for each running match with a clock in which the account holds a seat. */
typedef bool clock_seat_fn(void *ctx, const struct match_id *id, unsigned seat);
enum err clocks_each_of(struct db *db, const struct account_id *account, clock_seat_fn *match,
                        void *ctx) VD_CHECKED;

#endif
