/* server/store/audit.h: SQL of what happened to accounts, of the networks they sign in from, and of
 * what an administrator's command leaves for a daemon that serves the same file. Run within a unit
 * or a read of store.h. */
#ifndef VEDETTE_SERVER_STORE_AUDIT_H
#define VEDETTE_SERVER_STORE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct buf;
struct db;

enum {
    AUDIT_ROWS_MAX = 500, /* of one account; older ones go */
    AUDIT_DAYS = 400,     /* then they go too */
    NETWORK_BYTES = 16,
    NETWORKS_MAX = 50, /* of one account; the one not seen for longest goes */
    NETWORK_DAYS = 180
};

/* Who did it. Otherwise the id of an account. */
#define AUDIT_SELF   "self"
#define AUDIT_ADMIN  "admin"
#define AUDIT_SERVER "server"

/* Adds a row. what: a word as "signed_in" (schema/openrpc.json, audit_entry). detail: JSON, an
 * object; NULL: {}. */
enum err audit_add(struct db *db, const struct account_id *account, const char *what,
                   const char *by, const char *detail, int64_t at) VD_CHECKED;
/* The newest limit rows older than before (0: of all), newest first, as a JSON array of
 * {n, at, what, by, detail}; by is "self", "admin", "server" or the name of an account. out_next: n
 * of the last where there may be more, else 0. */
void audit_write(struct db *db, const struct account_id *account, int64_t before, unsigned limit,
                 struct buf *out, int64_t *out_next);
/* Each of them, oldest first. */
void audit_each(struct db *db, const struct account_id *account,
                void (*row)(void *ctx, int64_t at, const char *what, const char *by,
                            const char *detail),
                void *ctx);
/* Takes away what is too old: audits, networks, mailed tokens, sign-ins not used since
 * unused_since. */
enum err audit_sweep(struct db *db, int64_t now, int64_t unused_since) VD_CHECKED;
/* Notes the network. out_new: the account has others, and never signed in from this one. */
enum err audit_see_network(struct db *db, const struct account_id *account,
                           const uint8_t network[NETWORK_BYTES], int64_t at,
                           bool *out_new) VD_CHECKED;

/* Two persons who sit at one match and have signed in from one network. */
struct audit_shared {
    const char *match, *state, *code[2], *name[2]; /* borrowed */
    int64_t at; /* when both had been seen there */
};
/* Each of them in matches that are open or run, newest match first. A family, a school and a host of
 * mobile telephones look so too: it is for a person to judge, and nothing follows from it by itself. */
enum err audit_each_shared(struct db *db, void (*row)(void *ctx, const struct audit_shared *shared),
                           void *ctx) VD_CHECKED;

/* What a command did while a daemon may serve the file: "revoked", "renamed", "role" (its connections
 * close, and come back by themselves where they may), "deleted" (it leaves its running matches); of a
 * match, in the place of an account, "export" (carry.h). */
enum err audit_leave_notice(struct db *db, const struct account_id *account,
                            const char *what) VD_CHECKED;
struct account_notice {
    int64_t key;
    struct account_id account;
    char what[16];
};
/* The oldest of them up to max; returns how many. */
unsigned audit_read_notices(struct db *db, struct account_notice *out, unsigned max);
enum err audit_take_notices(struct db *db, int64_t up_to_key) VD_CHECKED;

#endif
