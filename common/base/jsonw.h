/* common/base/jsonw.h: the append-only JSON writer. Commas are put by looking at the last byte. */
#ifndef VEDETTE_COMMON_BASE_JSONW_H
#define VEDETTE_COMMON_BASE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct cJSON;

/* A value after '{', '[', ':', '\n' or at the start gets no comma before it; any other does.
 * Strings are escaped as JSON.stringify does. No white space. The caller balances begin and end. */
void jw_object_begin(struct buf *buf);
void jw_object_end(struct buf *buf);
void jw_array_begin(struct buf *buf);
void jw_array_end(struct buf *buf);
void jw_key(struct buf *buf, const char *name);
void jw_int(struct buf *buf, int64_t value);
void jw_bool(struct buf *buf, bool value);
void jw_null(struct buf *buf);
void jw_str(struct buf *buf, const char *text);
void jw_strn(struct buf *buf, const char *text, size_t n);
/* Text that is JSON already, put in as a value. */
void jw_raw(struct buf *buf, const char *json, size_t n);
/* Bytes as base64url without padding, as a string. */
void jw_b64(struct buf *buf, const void *bytes, size_t n);
/* A parsed value in normal form (integers only), members in the order they have. */
void jw_value(struct buf *buf, const struct cJSON *value);

/* Key and value in one. */
void jw_key_int(struct buf *buf, const char *name, int64_t value);
void jw_key_bool(struct buf *buf, const char *name, bool value);
void jw_key_str(struct buf *buf, const char *name, const char *text);
void jw_key_b64(struct buf *buf, const char *name, const void *bytes, size_t n);
void jw_key_raw(struct buf *buf, const char *name, const char *json, size_t n);
void jw_key_object(struct buf *buf, const char *name);
void jw_key_array(struct buf *buf, const char *name);

#endif
