#include "common/protocol/patch.h"

#include <stddef.h>

cJSON *patch_merge(cJSON *take_target, const cJSON *patch)
{
    if (!cJSON_IsObject(patch)) {
        cJSON_Delete(take_target);
        return cJSON_Duplicate(patch, true);
    }
    cJSON *target = take_target;
    if (!cJSON_IsObject(target)) {
        cJSON_Delete(target);
        target = cJSON_CreateObject();
        if (target == NULL) { return NULL; }
    }
    for (const cJSON *member = patch->child; member != NULL; member = member->next) {
        if (cJSON_IsNull(member)) {
            cJSON_DeleteItemFromObjectCaseSensitive(target, member->string);
            continue;
        }
        cJSON *old = cJSON_DetachItemFromObjectCaseSensitive(target, member->string);
        cJSON *merged = patch_merge(old, member);
        if (merged == NULL || !cJSON_AddItemToObject(target, member->string, merged)) {
            cJSON_Delete(merged);
            cJSON_Delete(target);
            return NULL;
        }
    }
    return target;
}
