/* server/net/rates.h: how often something may be done: token buckets, one by one or by key in a
 * bounded table. */
#ifndef VEDETTE_SERVER_NET_RATES_H
#define VEDETTE_SERVER_NET_RATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* burst at once, then one every interval_us. interval_us 0: no limit. */
struct rate {
    uint64_t interval_us;
    uint32_t burst;
};

/* The rate of per_s a second with that burst; per_s 0: no limit. */
struct rate rate_per_second(uint32_t per_s, uint32_t burst);

/* A bucket is the time at which it is full again (GCRA). 0: full. */
struct bucket {
    uint64_t full_at_us;
};

/* Takes one if there is one. False: none; *out_wait_ms says when there will be. */
bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_us,
                 int64_t *out_wait_ms);
/* The same without taking. */
bool bucket_has(const struct bucket *bucket, const struct rate *rate, uint64_t now_us,
                int64_t *out_wait_ms);

/* Takes n whether they are there or not: what comes next waits the longer. */
void bucket_owe(struct bucket *bucket, const struct rate *rate, uint64_t now_us, unsigned n);
/* Gives back one that was taken. */
void bucket_give(struct bucket *bucket, const struct rate *rate);

/* Buckets by key in a table of fixed size: what was used longest ago makes room, so a flood of keys
 * costs no memory. */
struct rates;
struct rates *rates_create(void);
void rates_destroy(struct rates *take_rates);
/* A key of kind and bytes, unforeseeable from outside. */
uint64_t rates_key(const struct rates *rates, char kind, const void *bytes, size_t n);
/* The bucket of key; borrowed until the next call. */
struct bucket *rates_bucket(struct rates *rates, uint64_t key);

#endif
