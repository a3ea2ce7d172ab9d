/* server/match/offers.h: the open offers of a match, as they stand in memory. */
#ifndef VEDETTE_SERVER_MATCH_OFFERS_H
#define VEDETTE_SERVER_MATCH_OFFERS_H

#include <stdbool.h>

#include "server/store/offers.h"

struct buf;

struct offer {
    struct offer *next;
    struct offer_row row; /* lost is owned */
};
struct offer_list {
    struct offer *first; /* the oldest */
    uint64_t next;       /* number of the next one that is made; 0: 1 */
};

/* offer_fn for offers_read_open: adds a copy to ctx, a struct offer_list. False: memory. */
bool offers_add(void *ctx, const struct offer_row *row);
void offers_free(struct offer_list *list);
/* Member `offers`: an array, as that viewer may know them. */
void offers_write_list(const struct offer_list *list, const char *const *codes, unsigned seats,
                       unsigned viewer, struct buf *out);

#endif
