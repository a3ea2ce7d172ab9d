/* common/base/hash.h: the hashes of FAIRNESS section 2: H, MAC, and parts joined by T. */
#ifndef VEDETTE_COMMON_BASE_HASH_H
#define VEDETTE_COMMON_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 32 };
struct hash {
    uint8_t bytes[HASH_BYTES];
};

/* T(label, ...) is fed part by part: begin, a part each, end. key NULL: H, else MAC(key, ...). */
struct hasher {
    _Alignas(64) uint8_t opaque[384]; /* crypto_generichash_state */
};
void hasher_begin(struct hasher *hasher, const struct hash *key, const char *label);
void hasher_part(struct hasher *hasher, const void *bytes, size_t n);
void hasher_part_str(struct hasher *hasher, const char *text);
void hasher_part_u64(struct hasher *hasher, uint64_t value);
void hasher_end(struct hasher *hasher, struct hash *out);

/* H(x) of plain bytes. */
void hash_bytes(const void *bytes, size_t n, struct hash *out);

#endif
