/* tests/unit/test_base.c: strict JSON in, escaped JSON out, base64url, buffers with a ceiling,
 * refusals. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/base/why.h"

static bool parses_n(const char *text, size_t n)
{
    cJSON *json = NULL;
    enum err err = json_parse(text, n, &json);
    ck_assert(err == ERR_OK || err == ERR_PARSE);
    ck_assert_int_eq(err == ERR_OK, json != NULL);
    cJSON_Delete(json);
    return err == ERR_OK;
}

static bool parses(const char *text)
{
    return parses_n(text, strlen(text));
}

static enum err normalised(const char *text, struct why *why, char **out)
{
    cJSON *json = NULL;
    why_clear(why);
    ck_assert_int_eq(json_parse(text, strlen(text), &json), ERR_OK);
    enum err err = json_normalise(json, why);
    if (out != NULL) {
        struct buf buf;
        size_t n = 0;
        buf_init(&buf, 4096);
        jw_value(&buf, json);
        *out = buf_take(&buf, &n);
    }
    cJSON_Delete(json);
    return err;
}

START_TEST(json_of_every_kind_is_read_RFC8259)
{
    static const char *const good[] = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1",
        "-12.5e-3",
        "1E+2",
        "\"\"",
        " \t\r\n[1 , {\"a\" : [ ] } ] \n",
        "\"\\u0001\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\ud83d\\ude00\"",
        "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
        "{\"\":{\"\":[]}}",
        "\"\x7f\"",
        "\"\xf4\x8f\xbf\xbf\"",
        "\"\\uFFFF\"",
    };
    ck_assert_msg(parses(good[_i]), "%s", good[_i]);
}
END_TEST
enum { GOOD = 19 };

START_TEST(json_that_is_none_is_refused_RFC8259)
{
    static const char *const bad[] = {
        "",
        " ",
        "01",
        "-01",
        "00",
        "1.",
        ".5",
        "1.e2",
        "1e",
        "1e+",
        "+1",
        "-",
        "0x10",
        "NaN",
        "Infinity",
        "-Infinity",
        "tru",
        "truex",
        "nul",
        "True",
        "'a'",
        "\"",
        "\"a",
        "\"\\\"",
        "\"\\x41\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "{",
        "}",
        "[",
        "]",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{,}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "{\"a\" 1}",
        "[1]]",
        "1 2",
        "{} {}",
        "[1],",
        "// a\n1",
        "[1/* */]",
        "\"\t\"",
        "\"\n\"",
        "\"\x01\"",
        "[\"a\",\"b]",
        "\xef\xbb\xbf{}",
        "[1\v]",
        "{\"a\":1 \"b\":2}",
    };
    ck_assert_msg(!parses(bad[_i]), "%s", bad[_i]);
}
END_TEST
enum { BAD = 54 };

START_TEST(strings_hold_no_nul_and_no_lone_surrogate)
{
    ck_assert(!parses("\"\\u0000\""));
    ck_assert(!parses("\"a\\u0000b\""));
    ck_assert(!parses_n("\"a\0b\"", 5));
    ck_assert(!parses_n("1\0", 2));
    ck_assert(!parses("\"\\ud800\""));
    ck_assert(!parses("\"\\udc00\""));
    ck_assert(!parses("\"\\ud83dx\""));
    ck_assert(!parses("\"\\ud83d\\u0041\""));
    ck_assert(!parses("\"\\ud83d\\ud83d\""));
    ck_assert(!parses("\"\\ude00\\ud83d\""));
    ck_assert(!parses("{\"\\u0000\":1}"));
}
END_TEST

START_TEST(invalid_utf8_is_refused_RFC3629)
{
    static const char *const bad[] = {
        "\"\x80\"",
        "\"\xbf\"",
        "\"\xc0\x80\"",
        "\"\xc1\xbf\"",
        "\"\xc3\"",
        "\"\xc3(\"",
        "\"\xe2\x82\"",
        "\"\xe0\x80\x80\"",
        "\"\xe0\x9f\xbf\"",
        "\"\xed\xa0\x80\"",
        "\"\xed\xbf\xbf\"",
        "\"\xf0\x9f\x98\"",
        "\"\xf0\x80\x80\x80\"",
        "\"\xf0\x8f\xbf\xbf\"",
        "\"\xf4\x90\x80\x80\"",
        "\"\xf5\x80\x80\x80\"",
        "\"\xfe\"",
        "\"\xff\"",
    };
    ck_assert_msg(!parses(bad[_i]), "%d", _i);
}
END_TEST
enum { BAD_UTF8 = 18 };

START_TEST(depth_is_bounded)
{
    char text[200];
    for (int depth = 1; depth <= 60; depth++) {
        size_t at = 0;
        for (int i = 0; i < depth; i++) {
            text[at++] = '[';
        }
        for (int i = 0; i < depth; i++) {
            text[at++] = ']';
        }
        /* The outermost value has depth 0, so 33 brackets are the most. */
        ck_assert_int_eq(parses_n(text, at), depth <= JSON_DEPTH_MAX + 1);
    }
    char *deep = malloc(200000);
    memset(deep, '[', 200000);
    ck_assert(!parses_n(deep, 200000));
    free(deep);
}
END_TEST

START_TEST(text_need_not_be_terminated)
{
    static const char text[] = {'[', '1', ',', '2', ']', '3', '4'};
    ck_assert(parses_n(text, 5));
    ck_assert(!parses_n(text, 4));
    ck_assert(!parses_n(text, 6));
}
END_TEST

START_TEST(normal_form_sorts_members_at_every_depth)
{
    struct why why;
    char *out = NULL;
    ck_assert_int_eq(
        normalised("{\"b\":{\"z\":1,\"y\":[{\"q\":2,\"p\":1}]},\"a\":2,\"B\":3}", &why, &out),
        ERR_OK);
    ck_assert_str_eq(out, "{\"B\":3,\"a\":2,\"b\":{\"y\":[{\"p\":1,\"q\":2}],\"z\":1}}");
    free(out);
}
END_TEST

START_TEST(normal_form_sorts_many_members)
{
    struct why why;
    char *out = NULL;
    ck_assert_int_eq(normalised("{\"t\":1,\"s\":1,\"r\":1,\"q\":1,\"p\":1,\"o\":1,\"n\":1,\"m\":1,"
                                "\"l\":1,\"k\":1,\"j\":1,\"i\":1,\"h\":1,\"g\":1,\"f\":1,\"e\":1,"
                                "\"d\":1,\"c\":1,\"b\":1,\"a\":1}",
                                &why, &out),
                     ERR_OK);
    ck_assert_int_eq(strncmp(out, "{\"a\":1,\"b\":1,\"c\":1,", 18), 0);
    free(out);
}
END_TEST

START_TEST(normal_form_refuses_a_member_twice)
{
    struct why why;
    ck_assert_int_eq(normalised("{\"a\":1,\"b\":2,\"a\":3}", &why, NULL), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "a");
    ck_assert_int_eq(normalised("[{\"x\":{\"c\":1,\"c\":1}}]", &why, NULL), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "c");
    /* The same name, once escaped. */
    ck_assert_int_eq(normalised("{\"a\":1,\"\\u0061\":2}", &why, NULL), ERR_INVALID_PARAMS);
}
END_TEST

START_TEST(normal_form_holds_integers_only)
{
    static const struct {
        const char *text;
        enum err err;
    } rows[] = {
        {"{\"a\":1.5}", ERR_INVALID_PARAMS},
        {"{\"a\":1e400}", ERR_INVALID_PARAMS},
        {"{\"a\":9007199254740993}", ERR_INVALID_PARAMS},
        {"{\"a\":-9007199254740993}", ERR_INVALID_PARAMS},
        {"{\"a\":9007199254740991}", ERR_OK},
        {"{\"a\":-9007199254740991}", ERR_OK},
        {"{\"a\":1.0}", ERR_OK},
        {"{\"a\":1e2}", ERR_OK},
        {"{\"a\":null}", ERR_INVALID_PARAMS},
    };
    struct why why;
    ck_assert_int_eq(normalised(rows[_i].text, &why, NULL), rows[_i].err);
    ck_assert_str_eq(why.member, rows[_i].err == ERR_OK ? "" : "a");
}
END_TEST

START_TEST(members_are_read_by_type_and_bounds)
{
    cJSON *json = NULL;
    struct why why;
    int64_t number = 7;
    const char *text = "as it was";
    bool flag = true;
    const cJSON *list = NULL;
    const char *in = "{\"i\":5,\"s\":\"abc\",\"b\":false,\"l\":[1,2],\"o\":{}}";
    ck_assert_int_eq(json_parse(in, strlen(in), &json), ERR_OK);
    why_clear(&why);
    ck_assert_int_eq(json_read_int(json, "missing", 0, 9, &number, &why), ERR_OK);
    ck_assert_int_eq(number, 7);
    ck_assert_int_eq(json_read_int(json, "!missing", 0, 9, &number, &why), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "missing");
    ck_assert_int_eq(json_read_int(json, "i", 0, 4, &number, &why), ERR_INVALID_PARAMS);
    ck_assert_int_eq(json_read_int(json, "s", 0, 4, &number, &why), ERR_INVALID_PARAMS);
    ck_assert_int_eq(json_read_int(json, "i", 5, 5, &number, &why), ERR_OK);
    ck_assert_int_eq(number, 5);
    ck_assert_int_eq(json_read_str(json, "s", 2, &text, &why), ERR_INVALID_PARAMS);
    ck_assert_str_eq(text, "as it was");
    ck_assert_int_eq(json_read_str(json, "s", 3, &text, &why), ERR_OK);
    ck_assert_str_eq(text, "abc");
    ck_assert_int_eq(json_read_bool(json, "i", &flag, &why), ERR_INVALID_PARAMS);
    ck_assert_int_eq(json_read_bool(json, "b", &flag, &why), ERR_OK);
    ck_assert(!flag);
    ck_assert_int_eq(json_read_array(json, "l", 1, &list, &why), ERR_TOO_LARGE);
    ck_assert_int_eq(json_read_array(json, "o", 1, &list, &why), ERR_INVALID_PARAMS);
    ck_assert_int_eq(json_read_object(json, "l", &list, &why), ERR_INVALID_PARAMS);
    ck_assert_int_eq(json_read_array(json, "l", 2, &list, &why), ERR_OK);
    ck_assert_ptr_nonnull(list);
    cJSON_Delete(json);
}
END_TEST

START_TEST(unknown_members_are_named)
{
    static const char *const names[] = {"a", "b", NULL};
    cJSON *json = NULL;
    struct why why;
    why_clear(&why);
    ck_assert_int_eq(json_parse("{\"a\":1,\"c\":2}", 13, &json), ERR_OK);
    ck_assert_int_eq(json_only(json, names, &why), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "c");
    cJSON_Delete(json);
    ck_assert_int_eq(json_parse("[1]", 3, &json), ERR_OK);
    ck_assert_int_eq(json_only(json, names, &why), ERR_INVALID_PARAMS);
    cJSON_Delete(json);
}
END_TEST

START_TEST(a_part_matches_a_whole)
{
    static const struct {
        const char *part, *whole;
        bool matches;
    } rows[] = {
        {"{}", "{\"a\":1}", true},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", true},
        {"{\"a\":1,\"b\":2}", "{\"a\":1}", false},
        {"[{\"a\":1}]", "[{\"a\":1,\"b\":2}]", true},
        {"[1]", "[1,2]", false},
        {"[2,1]", "[1,2]", false},
        {"{\"a\":[]}", "{\"a\":{}}", false},
        {"\"1\"", "1", false},
        {"true", "true", true},
    };
    cJSON *part = NULL;
    cJSON *whole = NULL;
    ck_assert_int_eq(json_parse(rows[_i].part, strlen(rows[_i].part), &part), ERR_OK);
    ck_assert_int_eq(json_parse(rows[_i].whole, strlen(rows[_i].whole), &whole), ERR_OK);
    ck_assert_int_eq(json_matches(part, whole), rows[_i].matches);
    cJSON_Delete(part);
    cJSON_Delete(whole);
}
END_TEST

START_TEST(equal_is_equal_whatever_the_order_of_members)
{
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"{\"a\":1,\"b\":[2,{}]}", "{\"b\":[2,{}],\"a\":1}", true},
        {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":1}", false},
        {"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
        {"{\"a\":1}", "{\"A\":1}", false},
        {"[1,2]", "[2,1]", false},
        {"[1,2]", "[1,2,3]", false},
        {"true", "false", false},
        {"\"1\"", "1", false},
        {"{}", "[]", false},
    };
    cJSON *a = NULL;
    cJSON *b = NULL;
    ck_assert_int_eq(json_parse(rows[_i].a, strlen(rows[_i].a), &a), ERR_OK);
    ck_assert_int_eq(json_parse(rows[_i].b, strlen(rows[_i].b), &b), ERR_OK);
    ck_assert_int_eq(json_equal(a, b), rows[_i].equal);
    ck_assert_int_eq(json_equal(b, a), rows[_i].equal);
    ck_assert(json_equal(a, a));
    cJSON_Delete(a);
    cJSON_Delete(b);
}
END_TEST

/* Each node is looked at once: with two looks at each, 32 levels would take an hour. */
START_TEST(deep_objects_are_compared_in_no_time)
{
    char text[8 * JSON_DEPTH_MAX];
    size_t n = 0;
    for (unsigned i = 0; i < JSON_DEPTH_MAX - 1; i++) {
        memcpy(text + n, "{\"a\":", 5);
        n += 5;
    }
    memcpy(text + n, "[]", 2);
    n += 2;
    memset(text + n, '}', JSON_DEPTH_MAX - 1);
    n += JSON_DEPTH_MAX - 1;
    cJSON *a = NULL;
    cJSON *b = NULL;
    ck_assert_int_eq(json_parse(text, n, &a), ERR_OK);
    ck_assert_int_eq(json_parse(text, n, &b), ERR_OK);
    ck_assert(json_equal(a, b));
    cJSON_Delete(a);
    cJSON_Delete(b);
}
END_TEST

/* A cast of a double that int64_t cannot hold is undefined. */
START_TEST(a_number_beyond_any_integer_is_none)
{
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse("[1e19,-1e300,-7.9,\"3\",1e15]", 27, &json), ERR_OK);
    ck_assert_int_eq(json_int(cJSON_GetArrayItem(json, 0), -1), -1);
    ck_assert_int_eq(json_int(cJSON_GetArrayItem(json, 1), -1), -1);
    ck_assert_int_eq(json_int(cJSON_GetArrayItem(json, 2), -1), -7);
    ck_assert_int_eq(json_int(cJSON_GetArrayItem(json, 3), -1), -1);
    ck_assert_int_eq(json_int(cJSON_GetArrayItem(json, 4), -1), INT64_C(1000000000000000));
    ck_assert_int_eq(json_int(NULL, 5), 5);
    cJSON_Delete(json);
}
END_TEST

START_TEST(what_is_written_has_commas_where_they_belong)
{
    struct buf buf;
    buf_init(&buf, 4096);
    jw_object_begin(&buf);
    jw_key_int(&buf, "a", -3);
    jw_key_bool(&buf, "b", true);
    jw_key_array(&buf, "c");
    jw_int(&buf, 0);
    jw_str(&buf, "x");
    jw_null(&buf);
    jw_array_begin(&buf);
    jw_array_end(&buf);
    jw_object_begin(&buf);
    jw_object_end(&buf);
    jw_array_end(&buf);
    jw_key_object(&buf, "d");
    jw_object_end(&buf);
    jw_key_str(&buf, "e", "");
    jw_key_raw(&buf, "f", "[1]", 3);
    jw_key_int(&buf, "g", INT64_MIN);
    jw_key_int(&buf, "h", INT64_MAX);
    jw_object_end(&buf);
    ck_assert_str_eq(
        buf_str(&buf),
        "{\"a\":-3,\"b\":true,\"c\":[0,\"x\",null,[],{}],\"d\":{},\"e\":\"\",\"f\":[1],"
        "\"g\":-9223372036854775808,\"h\":9223372036854775807}");
    buf_finish(&buf);
}
END_TEST

START_TEST(strings_are_escaped_as_JSON_stringify_does)
{
    struct buf buf;
    buf_init(&buf, 4096);
    jw_str(&buf, "\"\\/\b\f\n\r\t\x01\x1f\x7f<é😀,{[:");
    ck_assert_str_eq(buf_str(&buf), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f<é😀,{[:\"");
    jw_str(&buf, "ends in [");
    jw_str(&buf, "next");
    const char *tail = ",\"ends in [\",\"next\"";
    ck_assert_str_eq(buf_str(&buf) + buf.len - strlen(tail), tail);
    buf_finish(&buf);
}
END_TEST

START_TEST(what_is_written_is_read_back)
{
    struct buf buf;
    cJSON *json = NULL;
    char text[256];
    for (int i = 1; i < 128; i++) {
        text[i - 1] = (char)i;
    }
    text[127] = '\0';
    buf_init(&buf, 4096);
    jw_str(&buf, text);
    ck_assert_int_eq(json_parse(buf_str(&buf), buf.len, &json), ERR_OK);
    ck_assert_str_eq(json->valuestring, text);
    cJSON_Delete(json);
    buf_finish(&buf);
}
END_TEST

START_TEST(base64url_both_ways_RFC4648)
{
    static const struct {
        const char *plain, *text;
    } rows[] = {
        {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
        {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xfe", "-__-"}};
    char text[32];
    char plain[32] = {0};
    size_t n = strlen(rows[_i].plain);
    ck_assert_uint_eq(b64_length(n), strlen(rows[_i].text));
    b64_encode(text, rows[_i].plain, n);
    ck_assert_str_eq(text, rows[_i].text);
    ck_assert(b64_decode(text, plain, n));
    ck_assert_int_eq(memcmp(plain, rows[_i].plain, n), 0);
    ck_assert(!b64_decode(text, plain, n + 1));
    struct buf buf;
    buf_init(&buf, 64);
    b64_append(&buf, rows[_i].plain, n);
    ck_assert_str_eq(buf_str(&buf), rows[_i].text);
    buf_finish(&buf);
}
END_TEST

START_TEST(base64url_of_other_shapes_is_refused)
{
    char out[8];
    ck_assert(!b64_decode("Zm9v=", out, 3));
    ck_assert(!b64_decode("Zg==", out, 1));
    ck_assert(!b64_decode("Zh", out, 1));   /* spare bits set */
    ck_assert(!b64_decode("+//+", out, 3)); /* the other alphabet */
    ck_assert(!b64_decode("Zm 9", out, 3));
    ck_assert(!b64_decode("Zm9", out, 3));
}
END_TEST

START_TEST(long_bytes_are_one_base64url)
{
    unsigned char bytes[500];
    char text[700];
    struct buf buf;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 7);
    }
    b64_encode(text, bytes, sizeof bytes);
    buf_init(&buf, 1000);
    b64_append(&buf, bytes, sizeof bytes);
    ck_assert_str_eq(buf_str(&buf), text);
    buf_finish(&buf);
}
END_TEST

START_TEST(a_buffer_grows_to_its_ceiling_and_no_further)
{
    struct buf buf;
    buf_init(&buf, 1000);
    for (int i = 0; i < 1000; i++) {
        buf_append_char(&buf, 'x');
    }
    ck_assert(!buf.failed);
    ck_assert_uint_eq(buf.len, 1000);
    buf_append_char(&buf, 'y');
    ck_assert(buf.failed);
    ck_assert_uint_eq(buf.len, 1000);
    buf_finish(&buf);
}
END_TEST

START_TEST(an_append_that_does_not_fit_is_dropped_whole_and_sticks)
{
    struct buf buf;
    buf_init(&buf, 10);
    buf_append_str(&buf, "12345678");
    buf_append_str(&buf, "9ab");
    ck_assert(buf.failed);
    ck_assert_str_eq(buf_str(&buf), "12345678");
    buf_append_str(&buf, "9"); /* it would fit, but the text is broken already */
    ck_assert_str_eq(buf_str(&buf), "12345678");
    buf_reset(&buf);
    ck_assert(!buf.failed);
    ck_assert_str_eq(buf_str(&buf), "");
    buf_append(&buf, "x", SIZE_MAX);
    ck_assert(buf.failed);
    buf_finish(&buf);
}
END_TEST

START_TEST(bytes_are_cut_and_taken)
{
    struct buf buf;
    size_t n = 9;
    buf_init(&buf, 100);
    ck_assert_str_eq(buf_str(&buf), "");
    ck_assert_ptr_null(buf_take(&buf, &n));
    ck_assert_uint_eq(n, 0);
    buf_append_str(&buf, "hello");
    buf_cut(&buf, 2);
    char *data = buf_take(&buf, &n);
    ck_assert_str_eq(data, "he");
    ck_assert_uint_eq(n, 2);
    ck_assert_uint_eq(buf.len, 0);
    free(data);
    buf_finish(&buf);
}
END_TEST

START_TEST(a_refusal_keeps_what_fits_and_cuts_between_characters)
{
    struct why why;
    char name[200];
    why_clear(&why);
    ck_assert_int_eq(why.seq, -1);
    memset(name, 'a', sizeof name);
    memcpy(name + WHY_MEMBER_MAX - 2, "\xe2\x82\xac", 3); /* a character across the bound */
    name[199] = '\0';
    ck_assert_int_eq(why_member(&why, name, "text"), ERR_INVALID_PARAMS);
    ck_assert_uint_eq(strlen(why.member), WHY_MEMBER_MAX - 2);
    ck_assert_int_eq(why_rule(&why, "W4.6", "A road is full."), ERR_ILLEGAL_ACTION);
    ck_assert_str_eq(why.rule, "W4.6");
    ck_assert_int_eq(why_rule(NULL, "W4.6", "x"), ERR_ILLEGAL_ACTION);
    ck_assert_int_eq(why_conflict(&why, "nonce", "x"), ERR_CONFLICT);
    ck_assert_str_eq(why.reason, "nonce");
}
END_TEST

START_TEST(errors_have_the_codes_of_the_wire)
{
    ck_assert_int_eq(err_code(ERR_PARSE), -32700);
    ck_assert_int_eq(err_code(ERR_INVALID_PARAMS), -32602);
    ck_assert_int_eq(err_code(ERR_ILLEGAL_ACTION), 6);
    ck_assert_int_eq(err_code(ERR_NOT_YOUR_TURN), 7);
    ck_assert_int_eq(err_code(ERR_CLOSING), 13);
    ck_assert_str_eq(err_kind(ERR_STALE_STATE), "stale_state");
    for (int i = 0; i < ERR_COUNT; i++) {
        ck_assert_uint_gt(strlen(err_message(i)), 0);
    }
}
END_TEST

static Suite *base_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *tc = tcase_create("base");
    tcase_add_loop_test(tc, json_of_every_kind_is_read_RFC8259, 0, GOOD);
    tcase_add_loop_test(tc, json_that_is_none_is_refused_RFC8259, 0, BAD);
    tcase_add_test(tc, strings_hold_no_nul_and_no_lone_surrogate);
    tcase_add_loop_test(tc, invalid_utf8_is_refused_RFC3629, 0, BAD_UTF8);
    tcase_add_test(tc, depth_is_bounded);
    tcase_add_test(tc, text_need_not_be_terminated);
    tcase_add_test(tc, normal_form_sorts_members_at_every_depth);
    tcase_add_test(tc, normal_form_sorts_many_members);
    tcase_add_test(tc, normal_form_refuses_a_member_twice);
    tcase_add_loop_test(tc, normal_form_holds_integers_only, 0, 9);
    tcase_add_test(tc, members_are_read_by_type_and_bounds);
    tcase_add_test(tc, unknown_members_are_named);
    tcase_add_loop_test(tc, a_part_matches_a_whole, 0, 9);
    tcase_add_loop_test(tc, equal_is_equal_whatever_the_order_of_members, 0, 10);
    tcase_add_test(tc, deep_objects_are_compared_in_no_time);
    tcase_add_test(tc, a_number_beyond_any_integer_is_none);
    tcase_add_test(tc, what_is_written_has_commas_where_they_belong);
    tcase_add_test(tc, strings_are_escaped_as_JSON_stringify_does);
    tcase_add_test(tc, what_is_written_is_read_back);
    tcase_add_loop_test(tc, base64url_both_ways_RFC4648, 0, 8);
    tcase_add_test(tc, base64url_of_other_shapes_is_refused);
    tcase_add_test(tc, long_bytes_are_one_base64url);
    tcase_add_test(tc, a_buffer_grows_to_its_ceiling_and_no_further);
    tcase_add_test(tc, an_append_that_does_not_fit_is_dropped_whole_and_sticks);
    tcase_add_test(tc, bytes_are_cut_and_taken);
    tcase_add_test(tc, a_refusal_keeps_what_fits_and_cuts_between_characters);
    tcase_add_test(tc, errors_have_the_codes_of_the_wire);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(base_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
