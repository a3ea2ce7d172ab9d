/* common/base/jsonr.h: reading JSON that is hostile: strict parse, one normal form, checked
 * members. */
#ifndef VEDETTE_COMMON_BASE_JSONR_H
#define VEDETTE_COMMON_BASE_JSONR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/base/err.h"
#include "common/base/why.h"

enum { JSON_DEPTH_MAX = 32 };
#define JSON_INT_MAX INT64_C(9007199254740991) /* 2^53 - 1: what a double holds exactly */

/* Parses text[0..n-1] by RFC 8259, nothing after it but white space, at most JSON_DEPTH_MAX deep,
 * no NUL byte or \u0000, no lone surrogate, valid UTF-8. text need not be terminated. PARSE: it is
 * not that. out_json: the caller's, for cJSON_Delete. */
enum err json_parse(const char *text, size_t n, cJSON **out_json) VD_CHECKED;

/* Brings json to normal form in place: members sorted by name (bytes) at every depth, integers only
 * (|x| <= JSON_INT_MAX). INVALID_PARAMS with why->member: a member twice, a fraction, a number too
 * large, a null (nothing is ever null on our wire). */
enum err json_normalise(cJSON *json, struct why *why) VD_CHECKED;

/* The member of that exact name, or NULL. */
const cJSON *json_get(const cJSON *object, const char *name);
/* INVALID_PARAMS unless object is an object with no member but those of the NULL-ended list names.
 */
enum err json_only(const cJSON *object, const char *const *names, struct why *why) VD_CHECKED;

/* The whole part of a number of somebody's; otherwise where item is none, or none that an int64_t
 * holds (a cast of such a double is undefined). */
int64_t json_int(const cJSON *item, int64_t otherwise);

/* Members of object by type. A missing one leaves *out as it is and is no error, unless name is
 * prefixed by '!' ("!match": must be there). INVALID_PARAMS, why->member: wrong type or out of
 * bounds. Strings are borrowed; length in bytes. */
enum err json_read_str(const cJSON *object, const char *name, size_t bytes_max, const char **out,
                       struct why *why) VD_CHECKED;
enum err json_read_int(const cJSON *object, const char *name, int64_t min, int64_t max,
                       int64_t *out, struct why *why) VD_CHECKED;
enum err json_read_bool(const cJSON *object, const char *name, bool *out,
                        struct why *why) VD_CHECKED;
enum err json_read_object(const cJSON *object, const char *name, const cJSON **out,
                          struct why *why) VD_CHECKED;
enum err json_read_array(const cJSON *object, const char *name, size_t items_max, const cJSON **out,
                         struct why *why) VD_CHECKED;

/* True when both are equal; no member may be there twice. Members in the same order make it fast.
 */
bool json_equal(const cJSON *a, const cJSON *b);
/* True when part matches whole as DESIGN section 9: objects by the members named, arrays element by
 * element and in length, all else when equal. */
bool json_matches(const cJSON *part, const cJSON *whole);

#endif
