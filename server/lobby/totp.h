/* server/lobby/totp.h: one-time codes by RFC 4226 (HOTP) and RFC 6238 (TOTP): HMAC-SHA-1, six
 * digits, steps of 30 s, as every authenticator has them. Pure: the time is an argument. */
#ifndef VEDETTE_SERVER_LOBBY_TOTP_H
#define VEDETTE_SERVER_LOBBY_TOTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/hash.h"

struct buf;

enum {
    TOTP_SECRET_BYTES = 20, /* RFC 4226 section 4, R6: 160 bits */
    TOTP_DIGITS = 6,
    TOTP_STEP_S = 30,
    TOTP_WINDOW = 1, /* steps before and after that count too (RFC 6238 section 5.2) */
    TOTP_SEALED_BYTES = 24 + 16 + TOTP_SECRET_BYTES,
    RECOVERY_CODES = 10,
    RECOVERY_CHARS = 16 /* without the hyphens between four and four: 80 bits */
};

/* HOTP of the counter, digits (6 to 9) long. Out of memory is not told apart from a code: false. */
bool hotp_code(const uint8_t *secret, size_t n, uint64_t counter, unsigned digits,
               uint32_t *out_code);
/* Whether text is the code of a step within the window around at_s (s since 1970) and later than
 * after_step; blanks in it do not count. out_step: which. */
bool totp_check(const uint8_t secret[TOTP_SECRET_BYTES], const char *text, int64_t at_s,
                int64_t after_step, int64_t *out_step);
/* RFC 4648 base 32 in capitals, without padding. */
void base32_append(struct buf *out, const uint8_t *bytes, size_t n);
/* otpauth://totp/... for the account of that name, as authenticators read it. */
void totp_uri(struct buf *out, const char *name, const uint8_t secret[TOTP_SECRET_BYTES]);

/* Seals the secret by key (XSalsa20-Poly1305), bound to nothing else. */
void totp_seal(const struct hash *key, const uint8_t secret[TOTP_SECRET_BYTES],
               uint8_t out_sealed[TOTP_SEALED_BYTES]);
/* False: not sealed by that key. */
bool totp_open(const struct hash *key, const uint8_t *sealed, size_t n,
               uint8_t out_secret[TOTP_SECRET_BYTES]);

/* A new recovery code as it is shown: four groups of four. */
void recovery_make(char out[RECOVERY_CHARS + 4]);
/* The hash under which it is stored: case, hyphens and blanks do not count. False: it cannot be
 * one. */
bool recovery_hash(const char *text, const char *account_id, struct hash *out);

#endif
