/* server/notify/push.h: Web Push: messages that only the browser can read (RFC 8291, 8188), and who
 * sends them (VAPID, RFC 8292). */
#ifndef VEDETTE_SERVER_NOTIFY_PUSH_H
#define VEDETTE_SERVER_NOTIFY_PUSH_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct buf;
struct push_key; /* a private key of P-256 */

enum {
    PUSH_PRIVATE_BYTES = 32,
    PUSH_PUBLIC_BYTES = 65, /* uncompressed point */
    PUSH_AUTH_BYTES = 16,
    PUSH_SALT_BYTES = 16,
    PUSH_TEXT_BYTES_MAX = 3500 /* what every push service takes, with what is around it */
};

/* INVALID_PARAMS: a number that is no private key. out_key: for push_key_destroy. */
enum err push_key_create(const uint8_t private_key[PUSH_PRIVATE_BYTES],
                         struct push_key **out_key) VD_CHECKED;
/* The key of that seed, always the same; uniform to within 2^-128. */
enum err push_key_derive(const uint8_t *seed, size_t n, struct push_key **out_key) VD_CHECKED;
/* A fresh one. */
enum err push_key_random(struct push_key **out_key) VD_CHECKED;
void push_key_destroy(struct push_key *take_key);
const uint8_t *push_key_public(const struct push_key *key); /* PUSH_PUBLIC_BYTES */

/* Appends the body of the message, content coding aes128gcm, in one record. as_key: of this message
 * alone; salt random. INVALID_PARAMS: p256dh is no point of the curve, or the text is too long. */
enum err push_encrypt(const struct push_key *as_key, const uint8_t salt[PUSH_SALT_BYTES],
                      const uint8_t p256dh[PUSH_PUBLIC_BYTES], const uint8_t auth[PUSH_AUTH_BYTES],
                      const char *text, size_t n, struct buf *out) VD_CHECKED;

/* Appends the value of Authorization for that endpoint: "vapid t=JWT, k=KEY", good until expires
 * (seconds since 1970). INVALID_PARAMS: an endpoint without an origin. */
enum err push_write_vapid(const struct push_key *key, const char *endpoint, const char *subject,
                          int64_t expires, struct buf *out) VD_CHECKED;

#endif
