/* common/base/hash.c: BLAKE2b-256 by libsodium, with the joining of FAIRNESS section 2. */
#include "common/base/hash.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

static_assert(sizeof(crypto_generichash_state) <= sizeof(struct hasher), "the state must fit");

static crypto_generichash_state *state_of(struct hasher *hasher)
{
    return (crypto_generichash_state *)(void *)hasher->opaque;
}

void hasher_begin(struct hasher *hasher, const struct hash *key, const char *label)
{
    (void)crypto_generichash_init(state_of(hasher), key == NULL ? NULL : key->bytes,
                                  key == NULL ? 0 : HASH_BYTES, HASH_BYTES);
    (void)crypto_generichash_update(state_of(hasher), (const unsigned char *)label,
                                    strlen(label) + 1);
}

void hasher_part(struct hasher *hasher, const void *bytes, size_t n)
{
    uint8_t length[4] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24)};
    (void)crypto_generichash_update(state_of(hasher), length, sizeof length);
    if (n > 0) { (void)crypto_generichash_update(state_of(hasher), bytes, n); }
}

void hasher_part_str(struct hasher *hasher, const char *text)
{
    hasher_part(hasher, text, strlen(text));
}

void hasher_part_u64(struct hasher *hasher, uint64_t value)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    hasher_part(hasher, bytes, sizeof bytes);
}

void hasher_end(struct hasher *hasher, struct hash *out)
{
    (void)crypto_generichash_final(state_of(hasher), out->bytes, HASH_BYTES);
}

void hash_bytes(const void *bytes, size_t n, struct hash *out)
{
    (void)crypto_generichash(out->bytes, HASH_BYTES, bytes, n, NULL, 0);
}
