/* server/store/outbox.h: the rows of notices: what is to be told to whom, how it fares, and the
 * sittings that it is told of. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_OUTBOX_H
#define VEDETTE_SERVER_STORE_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"
#include "server/store/matches.h"

struct db;

/* What there is to tell. All of it rests on what everybody is shown (server/match/notices.h).
 * number, by which a thing is told once: */
enum notice_kind {
    NOTICE_TURN,     /* the match waits for the seat; the sitting */
    NOTICE_REMINDER, /* it has waited long; the ladder's own count */
    NOTICE_LATE,     /* the seat's time is out, grace runs; the sitting */
    NOTICE_MISSED,   /* the seat has a recorded miss; the count of them */
    NOTICE_CLAIM,    /* another seat is out of time: what may be claimed; the ladder's own count */
    NOTICE_VACANT,   /* the seat is offered to others; the ladder's own count */
    NOTICE_OFFER,    /* another seat offers something; the offer */
    NOTICE_BEGUN,    /* the match has begun, and waits for others; 0 */
    NOTICE_OVER,     /* the match has ended; the public's seq */
    NOTICE_INVITED,  /* somebody asks the account to a match; 0 */
    NOTICE_AWAY,      /* the seat's player is gone from a live match; when it was asked, in s */
    NOTICE_CONVERTED, /* a live match goes on by correspondence; the line */
    NOTICE_MENTION,   /* somebody names the account in talk; the message */
    NOTICE_DEAD,     /* an address of the account takes nothing any more; when, in ms */
    NOTICE_TEST,     /* the account asked for it; when, in ms */
    NOTICE_KINDS
};
const char *notice_kind_name(enum notice_kind kind);
bool notice_kind_read(const char *name, enum notice_kind *out_kind);

/* --- what a line causes, as one operation of its unit --------------------------------------- */

struct notice_note {
    struct notice_note *next;
    enum notice_kind kind;
    unsigned seat;   /* whom it is told: whoever holds that seat */
    uint64_t number; /* as above */
    uint64_t seq;    /* the seat's own with the unit */
    char data[160];  /* JSON in normal form */
};

/* malloc'ed by notices_write_create, for notices_write_free. */
struct notices_write {
    int64_t match; /* key */
    int64_t at, due;
    bool over;      /* the match has ended with it */
    uint32_t moved; /* seats that have another holder with it */
    uint64_t seq[ROW_SEATS_MAX];
    unsigned seats;
    struct notice_note *notes; /* malloc'ed each */
    size_t step_count;
    struct {
        uint64_t seq;       /* of the public */
        uint32_t waits_for; /* as the public is shown it */
    } steps[];              /* those that the public was told of */
};
/* NULL: memory. Zeroed. */
struct notices_write *notices_write_create(size_t step_count);
/* Operation of a unit: follows the sittings, makes what they and the notes tell, and takes back
 * what has become stale. An account that has nowhere to be told gets no row. */
enum err notices_write_run(struct db *db, void *notices_write) VD_CHECKED;
void notices_write_free(void *notices_write);

/* One notice of another's making (an invitation, a test), as one operation; data is one of these,
 * malloc'ed, freed by free. */
struct notice_add {
    struct account_id account;
    int64_t match; /* key; 0: none */
    enum notice_kind kind;
    int seat; /* -1: none */
    uint64_t number, seq;
    int64_t at, due;
    char data[160]; /* JSON in normal form, "": {} */
};
enum err notice_add_run(struct db *db, void *notice_add) VD_CHECKED;

/* --- what a player has seen, and wants ---------------------------------------------------------
 */

/* data is one of these, malloc'ed, freed by free: the holder of the seat has seen that much. */
struct seen_write {
    int64_t match;
    struct account_id account;
    unsigned seat;
    uint64_t seq;
    int64_t at;
};
enum err seen_write_run(struct db *db, void *seen_write) VD_CHECKED;

/* out_settings: malloc'ed JSON, the caller's. NOT_FOUND: as the account's. */
enum err outbox_read_override(struct db *db, int64_t match, const struct account_id *account,
                              char **out_settings) VD_CHECKED;
/* How the account's addresses have been doing counts no more. */
enum err outbox_forget_endpoints(struct db *db, const struct account_id *account) VD_CHECKED;
/* settings NULL: as the account's from now on. */
enum err outbox_write_override(struct db *db, int64_t match, const struct account_id *account,
                               const char *settings) VD_CHECKED;

#endif
