/* server/match/guests.c: the list of those whom a match knows beside its seats. */
#include "server/match/guests.h"

#include <stdlib.h>
#include <string.h>

#include "server/store/people.h"

struct guest {
    struct account_id account;
    enum guest_kind kind;
};

static bool add(struct guests *guests, const struct account_id *account, enum guest_kind kind)
{
    struct guest *list = realloc(guests->list, (guests->count + 1) * sizeof *list);
    if (list == NULL) { return false; }
    guests->list = list;
    list[guests->count].account = *account;
    list[guests->count].kind = kind;
    guests->count++;
    return true;
}

static bool on_guest(void *ctx, const struct account_id *account, int kind)
{
    return add(ctx, account, (enum guest_kind)kind);
}

enum err guests_read(struct db *db, int64_t match, struct guests *out_guests)
{
    struct people_house house;
    memset(out_guests, 0, sizeof *out_guests);
    enum err err = people_read_house(db, match, &house);
    if (err != ERR_OK) { return err; }
    out_guests->hidden = house.hidden;
    out_guests->talk = house.talk;
    out_guests->delay = house.delay;
    size_t count = 0;
    err = people_count_guests(db, match, &count);
    if (err == ERR_OK) { err = people_read_guests(db, match, on_guest, out_guests); }
    /* A list that is cut short would let in who is shut out. */
    if (err == ERR_OK && out_guests->count != count) { err = ERR_INTERNAL; }
    out_guests->known = err == ERR_OK;
    if (err != ERR_OK) { guests_finish(out_guests); }
    return err;
}

void guests_finish(struct guests *guests)
{
    free(guests->list);
    memset(guests, 0, sizeof *guests);
}

static bool has(const struct guests *guests, const struct account_id *account, enum guest_kind kind)
{
    if (account_is_nobody(account)) { return false; }
    for (size_t i = 0; i < guests->count; i++) {
        if (guests->list[i].kind == kind && account_id_same(&guests->list[i].account, account)) {
            return true;
        }
    }
    return false;
}

bool guests_shut_out(const struct guests *guests, const struct account_id *account)
{
    return has(guests, account, GUEST_SHUT);
}

bool guests_have(const struct guests *guests, const struct account_id *account)
{
    return has(guests, account, GUEST_ASKED);
}

bool guests_had_seat(const struct guests *guests, const struct account_id *account)
{
    return has(guests, account, GUEST_SAT);
}

bool guests_set(struct guests *guests, const struct account_id *account, enum guest_kind kind,
                bool on)
{
    if (on == has(guests, account, kind)) { return true; }
    if (on) { return add(guests, account, kind); }
    for (size_t i = guests->count; i-- > 0;) {
        struct guest *guest = &guests->list[i];
        if (guest->kind != kind || !account_id_same(&guest->account, account)) { continue; }
        *guest = guests->list[--guests->count];
    }
    return true;
}
