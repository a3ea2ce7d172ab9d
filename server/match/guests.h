/* server/match/guests.h: whom a match lets watch beside its seats: how far spectators lag behind,
 * whether they may talk, who is shut out, whom a private match is shown to. */
#ifndef VEDETTE_SERVER_MATCH_GUESTS_H
#define VEDETTE_SERVER_MATCH_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/base/ids.h"

struct db;
struct guest;

/* Asked: a private match is shown to it. Shut: it may not watch. Sat: it had a seat once. */
enum guest_kind { GUEST_ASKED, GUEST_SHUT, GUEST_SAT };

struct guests {
    bool known;     /* it was read */
    bool stale;     /* it changed while it was being read */
    bool hidden;    /* access is private: spectators are those who are on the list */
    bool talk;      /* spectators have a channel of their own */
    uint32_t delay; /* turns that spectators lag behind; 0: they see what all seats see, now */
    struct guest *list;
    size_t count;
};

/* Reads them; out_guests: for guests_finish. On a reader's thread. */
enum err guests_read(struct db *db, int64_t match, struct guests *out_guests) VD_CHECKED;
void guests_finish(struct guests *guests);
bool guests_shut_out(const struct guests *guests, const struct account_id *account);
/* Whether a private match is shown to the account: it made it, or is invited. */
bool guests_have(const struct guests *guests, const struct account_id *account);
/* Whether the account had a seat that another has now. */
bool guests_had_seat(const struct guests *guests, const struct account_id *account);
/* Adds to the list, or takes out of it. False: no memory. */
bool guests_set(struct guests *guests, const struct account_id *account, enum guest_kind kind,
                bool on);

#endif
