/* tests/unit/test_match_diff.c: the patch from one text to another is RFC 7396's: applied to the
 * first it gives the second. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/patch.h"
#include "server/match/diff.h"

static void ck_patch(const char *a, const char *b, const char *wanted)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    ck_assert_msg(diff_write(a, strlen(a), b, strlen(b), &out), "%s -> %s", a, b);
    if (wanted != NULL) { ck_assert_str_eq(buf_str(&out), wanted); }
    cJSON *from = NULL;
    cJSON *to = NULL;
    cJSON *patch = NULL;
    ck_assert_int_eq(json_parse(a, strlen(a), &from), ERR_OK);
    ck_assert_int_eq(json_parse(b, strlen(b), &to), ERR_OK);
    ck_assert_int_eq(json_parse(out.data, out.len, &patch), ERR_OK);
    from = patch_merge(from, patch);
    ck_assert_msg(json_equal(from, to), "%s -> %s by %s", a, b, out.data);
    cJSON_Delete(from);
    cJSON_Delete(to);
    cJSON_Delete(patch);
    buf_finish(&out);
}

/* The figures of RFC 7396, appendix A, as far as they hold objects and no null of their own. */
START_TEST(patches_are_those_of_rfc_7396)
{
    ck_patch("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    ck_patch("{\"a\":\"b\"}", "{\"a\":\"b\",\"b\":\"c\"}", "{\"b\":\"c\"}");
    ck_patch("{\"a\":\"b\"}", "{}", "{\"a\":null}");
    ck_patch("{\"a\":\"b\",\"b\":\"c\"}", "{\"b\":\"c\"}", "{\"a\":null}");
    ck_patch("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}");
    ck_patch("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}");
    ck_patch("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\"}}", "{\"a\":{\"b\":\"d\"}}");
    ck_patch("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}");
    ck_patch("{\"a\":1}", "{\"a\":1}", "{}");
    ck_patch("{}", "{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":{}}}");
    ck_patch("{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"c\":2}}", "{\"a\":{\"b\":null}}");
    ck_patch("{\"a\":{\"b\":1}}", "{\"a\":3}", "{\"a\":3}");
    ck_patch("{\"x\":1,\"y\":2}", "{\"y\":2,\"x\":1}", "{}");
    ck_patch("{\"a\\\"}\":\"{,\\\\\"}", "{\"a\\\"}\":\"}]\\\"\"}", "{\"a\\\"}\":\"}]\\\"\"}");
}
END_TEST

START_TEST(what_is_no_object_is_refused)
{
    static const char *const bad[] = {"",           "[]",      "1",        "{",
                                      "{\"a\"",     "{\"a\":", "{\"a\":1", "{\"a\":\"b}",
                                      "{\"a\":[1}", "{a:1}",   "{\"a\":,}"};
    struct buf out;
    buf_init(&out, 1 << 16);
    buf_append_str(&out, "x:");
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!diff_write("{\"a\":1}", 7, bad[i], strlen(bad[i]), &out), "%s", bad[i]);
        ck_assert_str_eq(buf_str(&out), "x:");
    }
    buf_finish(&out);
}
END_TEST

static uint64_t random_state;

static unsigned draw(unsigned n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_state >> 33) % n);
}

static void write_random(struct buf *buf, unsigned depth)
{
    static const char *const texts[] = {"", "a", "\"", "\\", "{}", "[\"", "x,y:z}"};
    unsigned kind = draw(depth == 0 ? 3 : 6);
    if (kind < 2) {
        jw_int(buf, (int64_t)draw(4));
    } else if (kind == 2) {
        jw_str(buf, texts[draw(7)]);
    } else if (kind == 3) {
        jw_array_begin(buf);
        for (unsigned i = draw(4); i > 0; i--) {
            write_random(buf, depth - 1);
        }
        jw_array_end(buf);
    } else {
        jw_object_begin(buf);
        for (unsigned i = 0; i < 7; i++) {
            if (draw(2) == 0) { continue; }
            jw_key(buf, texts[i]);
            write_random(buf, depth - 1);
        }
        jw_object_end(buf);
    }
}

START_TEST(random_texts_are_patched_into_each_other)
{
    struct buf a;
    struct buf b;
    random_state = 1815;
    buf_init(&a, 1 << 16);
    buf_init(&b, 1 << 16);
    for (unsigned i = 0; i < 20000; i++) {
        buf_reset(&a);
        buf_reset(&b);
        do {
            buf_reset(&a);
            write_random(&a, 4);
        } while (a.data[0] != '{');
        do {
            buf_reset(&b);
            write_random(&b, 4);
        } while (b.data[0] != '{');
        ck_patch(a.data, b.data, NULL);
    }
    buf_finish(&a);
    buf_finish(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("match_diff");
    TCase *diff = tcase_create("diff");
    tcase_add_test(diff, patches_are_those_of_rfc_7396);
    tcase_add_test(diff, what_is_no_object_is_refused);
    tcase_add_test(diff, random_texts_are_patched_into_each_other);
    tcase_set_timeout(diff, 60);
    suite_add_tcase(suite, diff);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
