/* common/base/buf.h: bytes that grow up to a ceiling; an overflow sticks and is asked for once, at
 * the end. */
#ifndef VEDETTE_COMMON_BASE_BUF_H
#define VEDETTE_COMMON_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

/* data is always NUL-terminated at data[len] once anything was appended. When max or memory is
 * exceeded failed is set, the append is dropped whole, and so are all later ones. */
struct buf {
    char *data;
    size_t len, cap, max;
    bool failed;
};

/* An empty buffer that may grow to max bytes. Allocates nothing yet. */
void buf_init(struct buf *buf, size_t max);
/* Frees the bytes; the buffer may be initialised again. */
void buf_finish(struct buf *buf);
/* Empties it, keeps the memory, clears failed. */
void buf_reset(struct buf *buf);
void buf_append(struct buf *buf, const void *bytes, size_t n);
/* n more bytes for the caller to fill, counted already. NULL: no room, failed is set. */
char *buf_extend(struct buf *buf, size_t n);
void buf_append_str(struct buf *buf, const char *text);
void buf_append_char(struct buf *buf, char c);
/* The bytes as a C string, "" if empty; borrowed until the next append. */
const char *buf_str(const struct buf *buf);
/* Cuts back to len bytes (len <= buf->len). */
void buf_cut(struct buf *buf, size_t len);
/* Hands the bytes to the caller (for free()), NULL if empty; the buffer is empty afterwards. */
char *buf_take(struct buf *buf, size_t *out_len);

#endif
