/* tests/fuzz/t_json.c: reading JSON: the parser, the normal form, and what is written of it again.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/patch.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* Written and read again it is the same, in the same bytes. */
static void must_come_back(const cJSON *json)
{
    struct buf first, second;
    struct why why;
    cJSON *again = NULL;
    buf_init(&first, 4 << 20);
    buf_init(&second, 4 << 20);
    why_clear(&why);
    jw_value(&first, json);
    FUZZ_MUST(!first.failed, "");
    FUZZ_MUST(json_parse(buf_str(&first), first.len, &again) == ERR_OK, buf_str(&first));
    FUZZ_MUST(json_equal(json, again), buf_str(&first));
    FUZZ_MUST(json_matches(again, json), buf_str(&first));
    FUZZ_MUST(json_normalise(again, &why) == ERR_OK, why.text);
    jw_value(&second, again);
    FUZZ_MUST(first.len == second.len && memcmp(first.data, second.data, first.len) == 0,
              buf_str(&second));
    cJSON_Delete(again);
    buf_finish(&first);
    buf_finish(&second);
}

static void read_members(const cJSON *json)
{
    static const char *const names[] = {"a", "b", "id", NULL};
    struct why why;
    const cJSON *part = NULL;
    const char *text = NULL;
    int64_t number = 0;
    bool truth = false;
    why_clear(&why);
    if (json_only(json, names, &why) == ERR_OK) { fuzz_feature(7); }
    for (const cJSON *i = json->child; i != NULL && i->string != NULL; i = i->next) {
        if (json_read_str(json, i->string, 64, &text, &why) == ERR_OK) {
            FUZZ_MUST(strlen(text) <= 64, text);
        }
        if (json_read_int(json, i->string, -5, 5, &number, &why) == ERR_OK) {
            FUZZ_MUST(number >= -5 && number <= 5, i->string);
        }
        if (json_read_bool(json, i->string, &truth, &why) == ERR_OK) { fuzz_feature(9); }
        if (json_read_object(json, i->string, &part, &why) == ERR_OK) {
            FUZZ_MUST(cJSON_IsObject(part), "");
        }
        if (json_read_array(json, i->string, 8, &part, &why) == ERR_OK) {
            FUZZ_MUST(cJSON_GetArraySize(part) <= 8, i->string);
        }
        FUZZ_MUST(strlen(why.member) < WHY_MEMBER_MAX, why.member);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* a second text in the same input is a patch of the first */
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    const size_t first = end != NULL ? (size_t)(end - data) : size;
    cJSON *json = NULL, *patch = NULL;
    struct why why;
    why_clear(&why);
    const enum err whole = json_parse((const char *)data, size, &json);
    fuzz_feature(100U + (unsigned)whole);
    if (whole != ERR_OK && json_parse((const char *)data, first, &json) != ERR_OK) { return 0; }
    const enum err err = json_normalise(json, &why);
    fuzz_feature_text((unsigned)err, why.text);
    if (err != ERR_OK) {
        FUZZ_MUST(err == ERR_INVALID_PARAMS, why.text);
    } else {
        must_come_back(json);
        read_members(json);
    }
    if (whole != ERR_OK && json_parse((const char *)end + 1, size - first - 1, &patch) == ERR_OK) {
        json = patch_merge(json, patch);
        FUZZ_MUST(json != NULL, "");
        if (cJSON_IsObject(patch) && json_normalise(json, &why) == ERR_OK) { must_come_back(json); }
        cJSON_Delete(patch);
    }
    cJSON_Delete(json);
    return 0;
}

void fuzz_seeds(fuzz_add_fn *add)
{
    static const char *const texts[] = {
        "{\"a\":1,\"b\":[true,false,\"\\u00e9\\ud83d\\ude00\\n\"],\"id\":-9007199254740991}",
        "[]",
        "\"x\"",
        "0",
        "{\"a\":{\"a\":{\"a\":[[[[]]]]}}}\n{\"a\":{\"a\":null,\"b\":2}}",
        "{\"a\":[1,2]}\n{\"a\":[3],\"b\":{\"c\":null}}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
        "{\"\":\"\",\"\\u0001\":1e2,\"\\\"\\\\\\/\":-0}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        add(texts[i], strlen(texts[i]));
    }
    seeds_folder(FUZZ_CASES, add);
}
