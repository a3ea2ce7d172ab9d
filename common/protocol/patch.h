/* common/protocol/patch.h: JSON Merge Patch (RFC 7396): how deltas change a view. */
#ifndef VEDETTE_COMMON_PROTOCOL_PATCH_H
#define VEDETTE_COMMON_PROTOCOL_PATCH_H

#include <stdbool.h>

#include <cjson/cJSON.h>

/* The value that patch makes of take_target (may be NULL). patch is only read; null in it removes a
 * member. The caller owns the result. NULL: out of memory, take_target is gone. */
cJSON *patch_merge(cJSON *take_target, const cJSON *patch);

#endif
