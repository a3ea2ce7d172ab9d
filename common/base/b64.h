/* common/base/b64.h: base64url without padding (FAIRNESS section 2). */
#ifndef VEDETTE_COMMON_BASE_B64_H
#define VEDETTE_COMMON_BASE_B64_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Characters that n bytes take. */
size_t b64_length(size_t n);
void b64_append(struct buf *buf, const void *bytes, size_t n);
/* Writes the text of n bytes and a NUL into out[b64_length(n) + 1]. */
void b64_encode(char *out, const void *bytes, size_t n);
/* Reads exactly n bytes from text. False: another length, another alphabet, or spare bits set. */
bool b64_decode(const char *text, void *out_bytes, size_t n);

#endif
