/* server/lobby/totp.c: one-time codes. */
#include "server/lobby/totp.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sodium.h>

#include "common/base/buf.h"

static const char base32_signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static_assert(TOTP_SEALED_BYTES ==
                  crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + TOTP_SECRET_BYTES,
              "as the header says");

bool hotp_code(const uint8_t *secret, size_t n, uint64_t counter, unsigned digits,
               uint32_t *out_code)
{
    static const uint32_t powers[] = {1000000, 10000000, 100000000, 1000000000};
    uint8_t message[8], mac[EVP_MAX_MD_SIZE];
    unsigned mac_len = 0;
    assert(digits >= 6 && digits <= 9);
    for (unsigned i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)(counter >> (56 - 8 * i));
    }
    if (HMAC(EVP_sha1(), secret, (int)n, message, sizeof message, mac, &mac_len) == NULL ||
        mac_len != 20) {
        return false;
    }
    const unsigned at = mac[19] & 15U; /* RFC 4226 section 5.3 */
    const uint32_t value = (uint32_t)(mac[at] & 127U) << 24 | (uint32_t)mac[at + 1] << 16 |
                           (uint32_t)mac[at + 2] << 8 | mac[at + 3];
    *out_code = value % powers[digits - 6];
    sodium_memzero(mac, sizeof mac);
    return true;
}

/* The six digits of text as such. */
static bool read_digits(const char *text, char out[TOTP_DIGITS + 1])
{
    size_t n = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == ' ') { continue; }
        if (*p < '0' || *p > '9' || n == TOTP_DIGITS) { return false; }
        out[n++] = *p;
    }
    out[n] = '\0';
    return n == TOTP_DIGITS;
}

bool totp_check(const uint8_t secret[TOTP_SECRET_BYTES], const char *text, int64_t at_s,
                int64_t after_step, int64_t *out_step)
{
    char given[TOTP_DIGITS + 1], right[16];
    bool found = false;
    if (!read_digits(text, given)) { return false; }
    const int64_t now = at_s / TOTP_STEP_S;
    for (int64_t step = now - TOTP_WINDOW; step <= now + TOTP_WINDOW; step++) {
        uint32_t code = 0;
        if (step < 0 || !hotp_code(secret, TOTP_SECRET_BYTES, (uint64_t)step, TOTP_DIGITS, &code)) {
            continue;
        }
        snprintf(right, sizeof right, "%06u", code);
        if (sodium_memcmp(right, given, TOTP_DIGITS) == 0 && step > after_step && !found) {
            found = true;
            *out_step = step;
        }
    }
    return found;
}

void base32_append(struct buf *out, const uint8_t *bytes, size_t n)
{
    uint32_t bits = 0;
    unsigned have = 0;
    for (size_t i = 0; i < n; i++) {
        bits = (bits << 8 | bytes[i]) & 0xfffU;
        for (have += 8; have >= 5; have -= 5) {
            buf_append_char(out, base32_signs[bits >> (have - 5) & 31U]);
        }
    }
    if (have > 0) { buf_append_char(out, base32_signs[bits << (5 - have) & 31U]); }
}

void totp_uri(struct buf *out, const char *name, const uint8_t secret[TOTP_SECRET_BYTES])
{
    static const char plain[] =
        "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    buf_append_str(out, "otpauth://totp/Vedette:");
    for (const char *p = name; *p != '\0'; p++) {
        char code[4];
        if (strchr(plain, *p) != NULL) {
            buf_append_char(out, *p);
            continue;
        }
        snprintf(code, sizeof code, "%%%02X", (unsigned)(uint8_t)*p);
        buf_append_str(out, code);
    }
    buf_append_str(out, "?secret=");
    base32_append(out, secret, TOTP_SECRET_BYTES);
    buf_append_str(out, "&issuer=Vedette&algorithm=SHA1&digits=6&period=30");
}

void totp_seal(const struct hash *key, const uint8_t secret[TOTP_SECRET_BYTES],
               uint8_t out_sealed[TOTP_SEALED_BYTES])
{
    static_assert(sizeof key->bytes == crypto_secretbox_KEYBYTES, "a hash is a key");
    randombytes_buf(out_sealed, crypto_secretbox_NONCEBYTES);
    (void)crypto_secretbox_easy(out_sealed + crypto_secretbox_NONCEBYTES, secret, TOTP_SECRET_BYTES,
                                out_sealed, key->bytes);
}

bool totp_open(const struct hash *key, const uint8_t *sealed, size_t n,
               uint8_t out_secret[TOTP_SECRET_BYTES])
{
    return n == TOTP_SEALED_BYTES &&
           crypto_secretbox_open_easy(out_secret, sealed + crypto_secretbox_NONCEBYTES,
                                      n - crypto_secretbox_NONCEBYTES, sealed, key->bytes) == 0;
}

void recovery_make(char out[RECOVERY_CHARS + 4])
{
    size_t n = 0;
    for (unsigned i = 0; i < RECOVERY_CHARS; i++) {
        if (i > 0 && i % 4 == 0) { out[n++] = '-'; }
        out[n++] = base32_signs[randombytes_uniform(32)];
    }
    out[n] = '\0';
}

bool recovery_hash(const char *text, const char *account_id, struct hash *out)
{
    char code[RECOVERY_CHARS + 1];
    size_t n = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '-' || *p == ' ') { continue; }
        const char c = *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
        if (n == RECOVERY_CHARS || strchr(base32_signs, c) == NULL) { return false; }
        code[n++] = c;
    }
    if (n != RECOVERY_CHARS) { return false; }
    code[n] = '\0';
    struct hasher hasher;
    hasher_begin(&hasher, NULL, "vedette1 recovery");
    hasher_part_str(&hasher, account_id);
    hasher_part_str(&hasher, code);
    hasher_end(&hasher, out);
    sodium_memzero(code, sizeof code);
    return true;
}
