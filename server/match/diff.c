/* server/match/diff.c: merge patches straight from text: equal stretches are compared as bytes, not
 * parsed. */
#include "server/match/diff.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

/* One member: the key with its quotes, and its value. at NULL: there is none. */
struct member {
    const char *key, *value;
    size_t key_len, value_len;
};

/* A place behind a string that begins at p; NULL: it does not end. */
static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        if (*p == '\\') {
            p++;
        } else if (*p == '"') {
            return p + 1;
        }
    }
    return NULL;
}

/* A place behind the value that begins at p; NULL: it does not end. */
static const char *skip_value(const char *p, const char *end)
{
    unsigned depth = 0;
    while (p < end) {
        if (*p == '"') {
            p = skip_string(p, end);
            if (p == NULL) { return NULL; }
            if (depth == 0) { return p; }
            continue;
        }
        if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0) { return p; }
            if (--depth == 0) { return p + 1; }
        } else if (*p == ',' && depth == 0) {
            return p;
        }
        p++;
    }
    return depth == 0 ? p : NULL;
}

/* The member that begins at p ('}': none is left). Returns the place of the next one, NULL: no
 * object. */
static const char *read_member(const char *p, const char *end, struct member *out)
{
    out->key = NULL;
    if (p >= end) { return NULL; }
    if (*p == '}') { return p; }
    if (*p != '"') { return NULL; }
    const char *after = skip_string(p, end);
    if (after == NULL || after >= end || *after != ':') { return NULL; }
    out->key_len = (size_t)(after - p);
    out->value = after + 1;
    const char *next = skip_value(out->value, end);
    if (next == NULL || next >= end || next == out->value) { return NULL; }
    out->value_len = (size_t)(next - out->value);
    out->key = p;
    if (*next == ',') { return next + 1; }
    return *next == '}' ? next : NULL;
}

static bool same_key(const struct member *a, const struct member *b)
{
    return a->key_len == b->key_len && memcmp(a->key, b->key, a->key_len) == 0;
}

/* Looks for the key in the object that begins behind p, from `from` on and then from the start. */
static bool find_member(const char *start, const char *from, const char *end,
                        const struct member *like, struct member *out, const char **out_next)
{
    for (unsigned round = 0; round < 2; round++) {
        const char *p = round == 0 ? from : start;
        while (p != NULL) {
            if (round == 1 && p >= from) { break; }
            p = read_member(p, end, out);
            if (p == NULL || out->key == NULL) { break; }
            if (same_key(out, like)) {
                *out_next = p;
                return true;
            }
        }
    }
    return false;
}

static bool diff_object(const char *a, size_t a_len, const char *b, size_t b_len, unsigned depth,
                        struct buf *out);

/* A member of b: nothing if a has the same, a patch if both are objects, else the value. */
static bool diff_member(const struct member *from, const struct member *to, unsigned depth,
                        struct buf *out)
{
    if (from != NULL && from->value_len == to->value_len &&
        memcmp(from->value, to->value, to->value_len) == 0) {
        return true;
    }
    if (out->len > 0 && out->data[out->len - 1] != '{') { buf_append_char(out, ','); }
    buf_append(out, to->key, to->key_len);
    buf_append_char(out, ':');
    if (from != NULL && *from->value == '{' && *to->value == '{') {
        return diff_object(from->value, from->value_len, to->value, to->value_len, depth + 1, out);
    }
    buf_append(out, to->value, to->value_len);
    return true;
}

static bool diff_object(const char *a, size_t a_len, const char *b, size_t b_len, unsigned depth,
                        struct buf *out)
{
    if (depth > JSON_DEPTH_MAX || a_len < 2 || b_len < 2 || *a != '{' || *b != '{') {
        return false;
    }
    const char *a_end = a + a_len;
    const char *b_end = b + b_len;
    buf_append_char(out, '{');
    const char *hint = a + 1;
    size_t common = 0;
    struct member to;
    struct member from;
    for (const char *p = read_member(b + 1, b_end, &to);; p = read_member(p, b_end, &to)) {
        if (p == NULL) { return false; }
        if (to.key == NULL) { break; }
        bool found = find_member(a + 1, hint, a_end, &to, &from, &hint);
        common += found ? 1 : 0;
        if (!diff_member(found ? &from : NULL, &to, depth, out)) { return false; }
    }
    /* Members of a that b lacks: only looked for when there must be some. */
    size_t count = 0;
    for (const char *p = read_member(a + 1, a_end, &from); from.key != NULL;
         p = read_member(p, a_end, &from)) {
        if (p == NULL) { return false; }
        count++;
    }
    hint = b + 1;
    for (const char *p = read_member(a + 1, a_end, &from); count > common && from.key != NULL;
         p = read_member(p, a_end, &from)) {
        if (find_member(b + 1, hint, b_end, &from, &to, &hint)) { continue; }
        if (out->data[out->len - 1] != '{') { buf_append_char(out, ','); }
        buf_append(out, from.key, from.key_len);
        buf_append_str(out, ":null");
    }
    buf_append_char(out, '}');
    return true;
}

bool diff_write(const char *a, size_t a_len, const char *b, size_t b_len, struct buf *out)
{
    size_t start = out->len;
    bool good = diff_object(a, a_len, b, b_len, 0, out);
    if (!good && !out->failed) { buf_cut(out, start); }
    return good && !out->failed;
}
