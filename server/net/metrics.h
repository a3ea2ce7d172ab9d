/* server/net/metrics.h: what net counts, and Prometheus text of all there is. No label per match or
 * account. */
#ifndef VEDETTE_SERVER_NET_METRICS_H
#define VEDETTE_SERVER_NET_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

struct buf;
struct net_parts;

enum { CALL_BUCKETS = 20 }; /* bucket i: answered in less than 2^i * 16 us */

struct counters {
    uint64_t accepted, refused_origin, refused_full, connections_http, connections_ws;
    uint64_t messages_in, messages_out, bytes_in, bytes_out, pushes, views_skipped, slow_closed;
    uint64_t calls, errors[ERR_COUNT];
    uint64_t call_us[CALL_BUCKETS], call_us_sum;
};

/* Notes one answered call. */
void counters_call(struct counters *counters, enum err err, uint64_t took_us);
/* The figures of the house: none of them moves when a player acts (DESIGN 4: no quiet action
 * shows). work: also those of the work done, from which who reads the page sees that somebody
 * moved. */
void metrics_write(const struct counters *counters, const struct net_parts *parts,
                   uint32_t connections, bool work, struct buf *out);
/* Those of notices; each tells that somebody acted. */
struct courier;
void metrics_write_courier(const struct courier *courier, struct buf *out);

#endif
