/* common/base/b64.c: base64url, both ways, by libsodium. */
#include "common/base/b64.h"

#include <string.h>

#include <sodium.h>

#include "common/base/buf.h"

size_t b64_length(size_t n)
{
    return n / 3 * 4 + (n % 3 == 0 ? 0 : n % 3 + 1);
}

void b64_encode(char *out, const void *bytes, size_t n)
{
    (void)sodium_bin2base64(out, b64_length(n) + 1, bytes, n,
                            sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

void b64_append(struct buf *buf, const void *bytes, size_t n)
{
    char text[64 * 4 / 3 + 4];
    const unsigned char *at = bytes;
    while (n > 0) {
        size_t part = n < 48 ? n : 48;
        b64_encode(text, at, part);
        buf_append(buf, text, b64_length(part));
        at += part;
        n -= part;
    }
}

bool b64_decode(const char *text, void *out_bytes, size_t n)
{
    size_t len = strlen(text);
    size_t got = 0;
    if (len != b64_length(n)) { return false; }
    return sodium_base642bin(out_bytes, n, text, len, NULL, &got, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           got == n;
}
