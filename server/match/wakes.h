/* server/match/wakes.h: when which match wants to be looked at: one time each, the earliest first.
 * Matches at rest too; some 60 bytes each. */
#ifndef VEDETTE_SERVER_MATCH_WAKES_H
#define VEDETTE_SERVER_MATCH_WAKES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/ids.h"

struct wake;
/* Zeroed at the start. */
struct wakes {
    struct wake **heap;
    struct wake **buckets;
    size_t count, heap_cap, bucket_count;
};
void wakes_finish(struct wakes *wakes);
/* The match is looked at then (ms since 1970), and at no other time; 0: not at all. False: no
 * memory, nothing changed. */
bool wakes_set(struct wakes *wakes, const struct match_id *id, int64_t at_ms);
/* When, 0: not at all. */
int64_t wakes_at(const struct wakes *wakes, const struct match_id *id);
/* The earliest. False: none. */
bool wakes_first(const struct wakes *wakes, struct match_id *out_id, int64_t *out_at_ms);

#endif
