/* server/store/people.h: SQL of who has, had, lends and may take a seat, who has seen what, whom a
 * match shuts out. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_PEOPLE_H
#define VEDETTE_SERVER_STORE_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

struct db;

/* What an account has to do with a match, all of it. match is the key of its row. */
struct people_ties {
    bool sits;  /* has a seat, or has lent one */
    bool sat;   /* had a seat once and has it no more */
    bool late;  /* has looked at the whole of it, late, or as a referee */
    bool shut;  /* may not watch nor join it */
    bool asked; /* is invited */
};
enum err people_read_ties(struct db *db, int64_t match, const struct account_id *account,
                          struct people_ties *out_ties) VD_CHECKED;

/* Operation of a unit that may refuse: the seat's row, and who had it before. data is malloc'ed and
 * freed by free. CONFLICT: the seat is not as expected, or (knows) the account knows more of the
 * match than the public. */
struct people_seat_write {
    int64_t match, at;
    unsigned seat;
    char how[12];             /* the word of the line */
    struct account_id before; /* who has it now */
    struct account_id after;  /* who has it from now on; "": nothing changes but vacant */
    struct account_id owner;  /* who lends it; "": nobody */
    int64_t until;            /* lent: when it goes back; else 0 */
    bool vacant;
    bool knows; /* out: why it was refused */
};
enum err people_write_seat(struct db *db, void *people_seat_write) VD_CHECKED;
/* The match is over: what is lent goes back. Part of matches_write. */
enum err people_write_over(struct db *db, int64_t match, int64_t at) VD_CHECKED;

/* Notes that the account is about to see the whole of the match, late. Operation of a unit that may
 * refuse; data is malloc'ed, freed by free. CONFLICT: it has or had a seat. */
struct people_sight_write {
    int64_t match, at;
    struct account_id account;
};
enum err people_write_sight(struct db *db, void *people_sight_write) VD_CHECKED;

/* Shuts an account out of a match, or lets it in again. Operation of a unit that may refuse; data
 * is malloc'ed, freed by free. */
struct people_bar_write {
    int64_t match, at;
    struct account_id account;
    bool on;
};
enum err people_write_bar(struct db *db, void *people_bar_write) VD_CHECKED;

/* What a match lets spectators do. */
struct people_house {
    bool hidden;    /* access is private */
    bool talk;      /* they have a channel of their own */
    uint32_t delay; /* turns they lag behind; 0: not delayed */
};
enum err people_read_house(struct db *db, int64_t match, struct people_house *out_house) VD_CHECKED;
/* Whom a private match is shown to (kind 0: its creator and who is invited), who may not watch a
 * match (1), who had a seat in it (2). Calls each until it returns false. */
typedef bool people_guest_fn(void *ctx, const struct account_id *account, int kind);
enum err people_read_guests(struct db *db, int64_t match, people_guest_fn *each,
                            void *ctx) VD_CHECKED;
enum err people_count_guests(struct db *db, int64_t match, size_t *out_count) VD_CHECKED;

/* The seats that are lent till `until` or earlier: calls each in order of time. */
typedef bool people_lent_fn(void *ctx, const struct match_id *match, unsigned seat, int64_t until);
enum err people_read_lent(struct db *db, int64_t until, people_lent_fn *each, void *ctx) VD_CHECKED;
/* When the next loan ends; INT64_MAX: none is out. */
enum err people_read_next_until(struct db *db, int64_t *out_until) VD_CHECKED;

/* A seat of a running match that is not offered and whose account does not exist. */
struct people_departed {
    struct match_id match;
    unsigned seat;
    struct account_id account;
};
/* Up to max of them; returns how many. */
unsigned people_read_departed(struct db *db, struct people_departed *out, unsigned max);

#endif
