/* server/net/rates.c: GCRA, and a table of sets of four ways. */
#include "server/net/rates.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

enum { SETS = 4096, WAYS = 4 };

struct rates {
    uint8_t secret[crypto_shorthash_KEYBYTES];
    struct {
        uint64_t key;
        struct bucket bucket;
    } sets[SETS][WAYS];
};

struct rate rate_per_second(uint32_t per_s, uint32_t burst)
{
    struct rate rate = {per_s == 0 ? 0 : UINT64_C(1000000) / per_s, burst};
    return rate;
}

bool bucket_has(const struct bucket *bucket, const struct rate *rate, uint64_t now_us,
                int64_t *out_wait_ms)
{
    if (rate->interval_us == 0) { return true; }
    uint64_t from = bucket->full_at_us > now_us ? bucket->full_at_us : now_us;
    uint64_t ahead = from + rate->interval_us - now_us;
    uint64_t allowed = rate->interval_us * rate->burst;
    if (ahead <= allowed) { return true; }
    *out_wait_ms = (int64_t)((ahead - allowed) / 1000 + 1);
    return false;
}

bool bucket_take(struct bucket *bucket, const struct rate *rate, uint64_t now_us,
                 int64_t *out_wait_ms)
{
    if (!bucket_has(bucket, rate, now_us, out_wait_ms)) { return false; }
    bucket_owe(bucket, rate, now_us, 1);
    return true;
}

void bucket_owe(struct bucket *bucket, const struct rate *rate, uint64_t now_us, unsigned n)
{
    const uint64_t from = bucket->full_at_us > now_us ? bucket->full_at_us : now_us;
    bucket->full_at_us = from + n * rate->interval_us;
}

void bucket_give(struct bucket *bucket, const struct rate *rate)
{
    const uint64_t full_at_us = bucket->full_at_us;
    bucket->full_at_us = full_at_us > rate->interval_us ? full_at_us - rate->interval_us : 0;
}

struct rates *rates_create(void)
{
    struct rates *rates = calloc(1, sizeof *rates);
    if (rates != NULL) { crypto_shorthash_keygen(rates->secret); }
    return rates;
}

void rates_destroy(struct rates *take_rates)
{
    free(take_rates);
}

uint64_t rates_key(const struct rates *rates, char kind, const void *bytes, size_t n)
{
    uint8_t text[256] = {(uint8_t)kind};
    if (n > sizeof text - 1) { n = sizeof text - 1; }
    if (n > 0) { memcpy(text + 1, bytes, n); }
    uint64_t key = 0;
    crypto_shorthash((uint8_t *)&key, text, n + 1, rates->secret);
    return key;
}

struct bucket *rates_bucket(struct rates *rates, uint64_t key)
{
    unsigned set = (unsigned)(key % SETS), oldest = 0;
    for (unsigned way = 0; way < WAYS; way++) {
        if (rates->sets[set][way].key == key) { return &rates->sets[set][way].bucket; }
        if (rates->sets[set][way].bucket.full_at_us < rates->sets[set][oldest].bucket.full_at_us) {
            oldest = way;
        }
    }
    rates->sets[set][oldest].key = key;
    rates->sets[set][oldest].bucket.full_at_us = 0;
    return &rates->sets[set][oldest].bucket;
}
