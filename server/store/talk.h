/* server/store/talk.h: SQL of what is said in matches: messages by channel, how far they were read,
 * who hears nothing of whom, what was reported. Run within a unit or a read. */
#ifndef VEDETTE_SERVER_STORE_TALK_H
#define VEDETTE_SERVER_STORE_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"
#include "server/store/accounts.h"

struct db;

enum talk_channel { TALK_TABLE, TALK_SIDE, TALK_WATCHERS, TALK_CHANNELS };
const char *talk_channel_name(enum talk_channel channel);
/* False: there is no channel of that name. */
bool talk_channel_read(const char *name, enum talk_channel *out_channel);

enum { TALK_CHANNEL_MESSAGES_MAX = 10000, TALK_UNREAD_MAX = 1000 };

/* What match.say writes. match is the key of its row, as everywhere here. */
struct talk_write {
    int64_t match, at;
    enum talk_channel channel;
    struct account_id account;
    int seat;                      /* -1: a spectator */
    char from[ACCOUNT_NAME_BYTES]; /* the seat's code; of a spectator his name, put in here */
    char *text;
    char *action_id; /* NULL: none */
    struct hash params;
    uint32_t hearers;   /* bit of each seat that hears the channel */
    int64_t notice_due; /* of whom it calls by name (mention.h) */
    /* out */
    int64_t n;
    unsigned mentions;       /* notices that it made */
    struct buf answer;       /* the message, a JSON object */
    struct account_id *deaf; /* who hears nothing of its author; malloc'ed */
    size_t deaf_count;
};
/* Operation of a unit that may refuse. CONFLICT: the account has used that action_id. TOO_LARGE:
 * the channel is full. */
enum err talk_write_message(struct db *db, void *talk_write) VD_CHECKED;
void talk_write_free(void *talk_write);

/* What an account may read of a channel, and from where to where. */
struct talk_read {
    int64_t match;
    enum talk_channel channel;
    struct account_id account; /* "": nobody; then no message is left out */
    uint64_t before;           /* below this number */
    uint32_t delay;            /* said no later than so many turns ago (late.h); 0: at any time */
    unsigned limit;
};
/* The newest of them, in order, as elements of a JSON array: without what the account has muted. Of
 * the side channel a seat's holder is given what was said since it has the seat. */
enum err talk_read_messages(struct db *db, const struct talk_read *read,
                            struct buf *out_json) VD_CHECKED;

/* How many messages of others the account has not read, to TALK_UNREAD_MAX and no further. before
 * and limit do not count. */
enum err talk_count_unread(struct db *db, const struct talk_read *read,
                           unsigned *out_count) VD_CHECKED;
/* Whether there is one of that number that the account may read (by at and number). */
enum err talk_find(struct db *db, const struct talk_read *read, uint64_t n,
                   bool *out_found) VD_CHECKED;

/* An account has read a channel to number n; never goes back. */
enum err talk_write_mark(struct db *db, int64_t match, const struct account_id *account,
                         enum talk_channel channel, uint64_t n) VD_CHECKED;
/* The account hears nothing of the other in the match, or hears him again. TOO_LARGE: of too many.
 */
enum { TALK_MUTES_MAX = 100 };
enum err talk_write_mute(struct db *db, int64_t match, const struct account_id *account,
                         const struct account_id *other, bool on) VD_CHECKED;

/* What an account reports to the host: a message of a channel (n), or with n 0 a person. NOT_FOUND:
 * no such message. TOO_LARGE: too many that the host has not looked at. */
enum { TALK_REPORTS_MAX = 20 };
struct talk_report {
    int64_t match, at;
    struct match_id id;
    struct account_id reporter, accused; /* accused: with a message, who said it */
    enum talk_channel channel;
    uint64_t n;
    const char *why;
};
enum err talk_write_report(struct db *db, const struct talk_report *report) VD_CHECKED;

/* One report for the host. Borrowed. accused_name as it is now. */
struct talk_report_row {
    int64_t key, at, closed;                                       /* closed 0: not yet */
    const char *match, *reporter, *accused, *channel, *said, *why; /* channel "": no message */
    uint64_t n;
};
/* Calls row for each report, the oldest first; all: those too that are closed. */
enum err talk_each_report(struct db *db, bool all,
                          void (*row)(void *ctx, const struct talk_report_row *row),
                          void *ctx) VD_CHECKED;
/* NOT_FOUND: none of that number is open. */
enum err talk_close_report(struct db *db, int64_t key, int64_t at) VD_CHECKED;

#endif
