/* server/store/delivery.h: what the courier reads and writes of the outbox (outbox.h): notices that
 * are due, how they fare by each channel, how addresses have been doing. Run within a unit or a
 * read. */
#ifndef VEDETTE_SERVER_STORE_DELIVERY_H
#define VEDETTE_SERVER_STORE_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/hash.h"
#include "server/base/ids.h"
#include "server/store/accounts.h"
#include "server/store/outbox.h"

struct buf;
struct db;

enum { DELIVERY_ID_BYTES = 24, DELIVERY_TARGET_BYTES = 33, DELIVERY_ERROR_BYTES = 160 };

struct notice_row {
    int64_t key;
    struct account_id account;
    int64_t match;      /* key; 0: none */
    struct match_id id; /* of the match; "": none */
    enum notice_kind kind;
    int seat; /* -1: none */
    uint64_t number, seq;
    int64_t at, due;
    char data[160];
};

/* Notices that wait and are due, oldest first, at most max. */
unsigned notices_read_due(struct db *db, int64_t now, unsigned max, struct notice_row *out_rows);
/* Where the notice stands: the state in table notice. */
enum err notices_set_state(struct db *db, int64_t key, const char *state) VD_CHECKED;
/* Whether what it tells is no more so: the sitting ended, the offer is closed, the seat is
 * another's, the match began or ended meanwhile. */
bool notice_is_stale(struct db *db, const struct notice_row *row);
/* Whether the account was told of that kind since. */
bool notices_has_since(struct db *db, const struct account_id *account, enum notice_kind kind,
                       int64_t since);
/* Whether the account has seen, in a client, what the notice tells. */
bool notice_was_seen(struct db *db, const struct notice_row *row);
/* The public's seq with which the seat's last sitting before the one that is told of ended. */
uint64_t notice_since(struct db *db, const struct notice_row *row);

/* Whether the match has the option pace. */
bool outbox_is_paced(struct db *db, int64_t match);
/* The title of the match, "" if it has none; the name of who made it. */
void outbox_read_title(struct db *db, int64_t match, char *out, size_t size);
void outbox_read_creator(struct db *db, int64_t match, char out[ACCOUNT_NAME_BYTES]);
/* Takes a subscription of web push out of the settings of the account. */
enum err outbox_drop_push(struct db *db, const struct account_id *account,
                          const char *endpoint) VD_CHECKED;

/* What of an account matters to notices. */
struct notice_account {
    char *settings; /* JSON; malloc'ed, the caller's */
    bool confirmed; /* its address of mail is */
    bool disabled;
};
/* NOT_FOUND. */
enum err notices_read_account(struct db *db, const struct account_id *account,
                              struct notice_account *out_account) VD_CHECKED;

/* --- deliveries --- */

struct delivery_row {
    int64_t key;
    char id[DELIVERY_ID_BYTES];
    char channel[8]; /* mail, webhook, push */
    char target[DELIVERY_TARGET_BYTES];
    unsigned attempts;
    bool dropped; /* its notice is stale by now */
    struct notice_row notice;
};
/* A new one, for row->notice.key and row->notice.account. */
enum err deliveries_insert(struct db *db, const struct delivery_row *row, int64_t next) VD_CHECKED;
/* Those that wait and are due, but for the keys of busy; at most max. */
unsigned deliveries_read_due(struct db *db, int64_t now, const int64_t *busy, size_t busy_count,
                             unsigned max, struct delivery_row *out_rows);
/* Of one account and channel, those that wait and are due. */
unsigned deliveries_read_more(struct db *db, int64_t now, const struct account_id *account,
                              const char *channel, unsigned max, struct delivery_row *out_rows);
/* "sent", "failed" or "stale". */
enum err deliveries_end(struct db *db, int64_t key, const char *state, const char *error,
                        int64_t now) VD_CHECKED;
enum err deliveries_retry(struct db *db, int64_t key, const char *error, int64_t next) VD_CHECKED;

/* --- addresses --- */

struct endpoint_row {
    int64_t sent_at, failing_since, disabled_at; /* 0: never, not, not */
};
/* All 0 when there is no row. */
void endpoints_read(struct db *db, const struct account_id *account, const char *channel,
                    const char *target, struct endpoint_row *out_row);
enum err endpoints_note_sent(struct db *db, const struct account_id *account, const char *channel,
                             const char *target, int64_t now) VD_CHECKED;
/* dead: nothing is sent there any more. */
enum err endpoints_note_failed(struct db *db, const struct account_id *account, const char *channel,
                               const char *target, const char *error, int64_t now,
                               bool dead) VD_CHECKED;

/* --- the rest --- */

/* When a notice, and when a delivery but for those of busy, is due next; INT64_MAX: none waits. */
int64_t notices_read_next(struct db *db);
int64_t deliveries_read_next(struct db *db, const int64_t *busy, size_t busy_count);
/* What is older goes, ended or not. */
enum err outbox_prune(struct db *db, int64_t before) VD_CHECKED;
/* How many wait for an attempt, for /metrics. */
int64_t outbox_count(struct db *db);
/* Members of an object, without braces: `deliveries`, newest first, and `addresses`. */
void outbox_write_deliveries(struct db *db, const struct account_id *account, unsigned limit,
                             struct buf *out);

/* CONFLICT: that link was used before. */
enum err unsubscribed_insert(struct db *db, const struct hash *hash, int64_t now) VD_CHECKED;

/* The secret of a calendar by its hash. NULL: the account has none any more. */
enum err calendars_write(struct db *db, const struct account_id *account, const struct hash *hash,
                         int64_t now) VD_CHECKED;
/* NOT_FOUND. */
enum err calendars_read(struct db *db, const struct hash *hash,
                        struct account_id *out_account) VD_CHECKED;
bool calendars_has(struct db *db, const struct account_id *account);

/* Running matches of the account whose clock says something: told is `clock` of match.get. False of
 * match: enough. */
struct calendar_match {
    struct match_id id;
    char code[ROW_CODE_BYTES];
    unsigned seat;
    uint64_t sitting;
    int64_t began; /* the match, ms */
    const char *title, *game, *told;
};
typedef bool calendar_match_fn(void *ctx, const struct calendar_match *match);
enum err calendars_each(struct db *db, const struct account_id *account, calendar_match_fn *match,
                        void *ctx) VD_CHECKED;

#endif
