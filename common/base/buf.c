/* common/base/buf.c: growing bytes. */
#include "common/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void buf_init(struct buf *buf, size_t max)
{
    memset(buf, 0, sizeof *buf);
    buf->max = max;
}

void buf_finish(struct buf *buf)
{
    free(buf->data);
    buf_init(buf, buf->max);
}

void buf_reset(struct buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->data != NULL) { buf->data[0] = '\0'; }
}

/* Makes room for n more bytes and the closing NUL. */
static bool buf_reserve(struct buf *buf, size_t n)
{
    if (buf->failed) { return false; }
    if (n > buf->max || buf->len > buf->max - n) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->len + n + 1;
    if (need <= buf->cap) { return true; }
    size_t cap = buf->cap < 256 ? 256 : buf->cap;
    while (cap < need) {
        cap *= 2;
    }
    char *data = realloc(buf->data, cap);
    if (data == NULL) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void buf_append(struct buf *buf, const void *bytes, size_t n)
{
    if (n == 0 || !buf_reserve(buf, n)) { return; }
    memcpy(buf->data + buf->len, bytes, n);
    buf->len += n;
    buf->data[buf->len] = '\0';
}

char *buf_extend(struct buf *buf, size_t n)
{
    if (!buf_reserve(buf, n)) { return NULL; }
    char *room = buf->data + buf->len;
    buf->len += n;
    buf->data[buf->len] = '\0';
    return room;
}

void buf_append_str(struct buf *buf, const char *text)
{
    buf_append(buf, text, strlen(text));
}

void buf_append_char(struct buf *buf, char c)
{
    if (!buf_reserve(buf, 1)) { return; }
    buf->data[buf->len++] = c;
    buf->data[buf->len] = '\0';
}

const char *buf_str(const struct buf *buf)
{
    return buf->data == NULL ? "" : buf->data;
}

void buf_cut(struct buf *buf, size_t len)
{
    assert(len <= buf->len);
    buf->len = len;
    if (buf->data != NULL) { buf->data[len] = '\0'; }
}

char *buf_take(struct buf *buf, size_t *out_len)
{
    char *data = buf->data;
    *out_len = buf->len;
    buf->data = NULL;
    buf->len = 0;
    buf->cap = 0;
    return data;
}
