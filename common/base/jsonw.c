/* common/base/jsonw.c: writing JSON by appending. */
#include "common/base/jsonw.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"

/* A new value or key needs a comma before it. */
static bool needs_comma(const struct buf *buf)
{
    if (buf->len == 0) { return false; }
    char last = buf->data[buf->len - 1];
    return last != '{' && last != '[' && last != ':' && last != '\n';
}

static void jw_comma(struct buf *buf)
{
    if (needs_comma(buf)) { buf_append_char(buf, ','); }
}

/* Puts a bracket that begins something. */
static void jw_open(struct buf *buf, char bracket)
{
    bool comma = needs_comma(buf);
    char *room = buf_extend(buf, comma ? 2 : 1);
    if (room == NULL) { return; }
    if (comma) { *room++ = ','; }
    *room = bracket;
}

void jw_object_begin(struct buf *buf)
{
    jw_open(buf, '{');
}

void jw_object_end(struct buf *buf)
{
    buf_append_char(buf, '}');
}

void jw_array_begin(struct buf *buf)
{
    jw_open(buf, '[');
}

void jw_array_end(struct buf *buf)
{
    buf_append_char(buf, ']');
}

/* Escapes as JSON.stringify does: the short escapes, \u00xx below 0x20, all else as it is. */
static void append_escaped(struct buf *buf, const char *text, size_t n)
{
    static const char hex[] = "0123456789abcdef";
    buf_append_char(buf, '"');
    size_t done = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\') { continue; }
        buf_append(buf, text + done, i - done);
        done = i + 1;
        char esc[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15U]};
        switch (c) {
        case '"': buf_append(buf, "\\\"", 2); break;
        case '\\': buf_append(buf, "\\\\", 2); break;
        case '\b': buf_append(buf, "\\b", 2); break;
        case '\f': buf_append(buf, "\\f", 2); break;
        case '\n': buf_append(buf, "\\n", 2); break;
        case '\r': buf_append(buf, "\\r", 2); break;
        case '\t': buf_append(buf, "\\t", 2); break;
        default: buf_append(buf, esc, sizeof esc); break;
        }
    }
    buf_append(buf, text + done, n - done);
    buf_append_char(buf, '"');
}

/* True when no byte of the text needs an escape: almost all of what we write. Eight bytes at a
 * time: (x - c) & ~x has the top bit of a byte set if the byte is less than c (or, after a byte
 * that is, perhaps for nothing: then the slow way is taken). */
static bool is_plain(const char *text, size_t n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    size_t i = 0;
    for (; n - i >= sizeof ones; i += sizeof ones) {
        uint64_t x = 0;
        memcpy(&x, text + i, sizeof x);
        uint64_t quote = x ^ ones * '"', slash = x ^ ones * '\\';
        uint64_t escape = (x - ones * 0x20) & ~x;
        escape |= (quote - ones) & ~quote;
        escape |= (slash - ones) & ~slash;
        if ((escape & tops) != 0) { return false; }
    }
    for (; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == '"' || c == '\\') { return false; }
    }
    return true;
}

/* A string with its comma, and after a key its colon; plain ones in one go. */
static void put_string(struct buf *buf, const char *text, size_t n, bool key)
{
    if (!is_plain(text, n)) {
        jw_comma(buf);
        append_escaped(buf, text, n);
        if (key) { buf_append_char(buf, ':'); }
        return;
    }
    bool comma = needs_comma(buf);
    char *room = buf_extend(buf, n + 2 + (comma ? 1 : 0) + (key ? 1 : 0));
    if (room == NULL) { return; }
    if (comma) { *room++ = ','; }
    *room++ = '"';
    memcpy(room, text, n);
    room[n] = '"';
    if (key) { room[n + 1] = ':'; }
}

void jw_key(struct buf *buf, const char *name)
{
    put_string(buf, name, strlen(name), true);
}

void jw_int(struct buf *buf, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (value < 0) { digits[--at] = '-'; }
    jw_comma(buf);
    buf_append(buf, digits + at, sizeof digits - at);
}

void jw_bool(struct buf *buf, bool value)
{
    jw_comma(buf);
    buf_append_str(buf, value ? "true" : "false");
}

void jw_null(struct buf *buf)
{
    jw_comma(buf);
    buf_append_str(buf, "null");
}

void jw_strn(struct buf *buf, const char *text, size_t n)
{
    put_string(buf, text, n, false);
}

void jw_str(struct buf *buf, const char *text)
{
    jw_strn(buf, text, strlen(text));
}

void jw_raw(struct buf *buf, const char *json, size_t n)
{
    jw_comma(buf);
    buf_append(buf, json, n);
}

void jw_b64(struct buf *buf, const void *bytes, size_t n)
{
    jw_comma(buf);
    buf_append_char(buf, '"');
    b64_append(buf, bytes, n);
    buf_append_char(buf, '"');
}

void jw_value(struct buf *buf, const struct cJSON *value)
{
    if (cJSON_IsString(value)) {
        jw_str(buf, value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        jw_int(buf, json_int(value, 0));
    } else if (cJSON_IsBool(value)) {
        jw_bool(buf, cJSON_IsTrue(value));
    } else if (cJSON_IsArray(value)) {
        jw_array_begin(buf);
        for (const cJSON *i = value->child; i != NULL; i = i->next) {
            jw_value(buf, i);
        }
        jw_array_end(buf);
    } else if (cJSON_IsObject(value)) {
        jw_object_begin(buf);
        for (const cJSON *i = value->child; i != NULL; i = i->next) {
            jw_key(buf, i->string);
            jw_value(buf, i);
        }
        jw_object_end(buf);
    } else {
        jw_null(buf);
    }
}

void jw_key_int(struct buf *buf, const char *name, int64_t value)
{
    jw_key(buf, name);
    jw_int(buf, value);
}

void jw_key_bool(struct buf *buf, const char *name, bool value)
{
    jw_key(buf, name);
    jw_bool(buf, value);
}

void jw_key_str(struct buf *buf, const char *name, const char *text)
{
    jw_key(buf, name);
    jw_str(buf, text);
}

void jw_key_b64(struct buf *buf, const char *name, const void *bytes, size_t n)
{
    jw_key(buf, name);
    jw_b64(buf, bytes, n);
}

void jw_key_raw(struct buf *buf, const char *name, const char *json, size_t n)
{
    jw_key(buf, name);
    jw_raw(buf, json, n);
}

void jw_key_object(struct buf *buf, const char *name)
{
    jw_key(buf, name);
    jw_object_begin(buf);
}

void jw_key_array(struct buf *buf, const char *name)
{
    jw_key(buf, name);
    jw_array_begin(buf);
}
