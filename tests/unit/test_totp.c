/* tests/unit/test_totp.c: one-time codes against the vectors of RFC 4226 and RFC 6238. */
#include <check.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "server/lobby/totp.h"

static const uint8_t secret[TOTP_SECRET_BYTES + 1] = "12345678901234567890";

START_TEST(the_ten_values_of_RFC_4226_appendix_D)
{
    static const uint32_t right[] = {755224, 287082, 359152, 969429, 338314,
                                     254676, 287922, 162583, 399871, 520489};
    for (unsigned i = 0; i < 10; i++) {
        uint32_t code = 0;
        ck_assert(hotp_code(secret, TOTP_SECRET_BYTES, i, 6, &code));
        ck_assert_uint_eq(code, right[i]);
    }
}
END_TEST

START_TEST(the_values_of_RFC_6238_appendix_B_for_SHA1)
{
    static const struct {
        int64_t at_s;
        uint32_t code;
    } rows[] = {{59, 94287082},         {1111111109, 7081804},  {1111111111, 14050471},
                {1234567890, 89005924}, {2000000000, 69279037}, {20000000000, 65353130}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t code = 0;
        ck_assert(hotp_code(secret, TOTP_SECRET_BYTES, (uint64_t)rows[i].at_s / 30, 8, &code));
        ck_assert_uint_eq(code, rows[i].code);
    }
}
END_TEST

/* 2000000000 is in step 66666666; its code is 279037 (the last six digits of the vector). */
START_TEST(a_code_counts_one_step_before_and_after_and_no_further)
{
    int64_t step = 0;
    ck_assert(totp_check(secret, "279037", 2000000000, 0, &step));
    ck_assert_int_eq(step, 66666666);
    ck_assert(totp_check(secret, "279 037", 2000000000, 0, &step));
    ck_assert(totp_check(secret, "279037", 2000000000 + 30, 0, &step));
    ck_assert_int_eq(step, 66666666);
    ck_assert(totp_check(secret, "279037", 2000000000 - 30, 0, &step));
    ck_assert(!totp_check(secret, "279037", 2000000000 + 60, 0, &step));
    ck_assert(!totp_check(secret, "279037", 2000000000 - 60, 0, &step));
}
END_TEST

START_TEST(a_code_counts_once)
{
    int64_t step = 0;
    ck_assert(totp_check(secret, "279037", 2000000000, 66666665, &step));
    ck_assert(!totp_check(secret, "279037", 2000000000, step, &step));
}
END_TEST

START_TEST(what_is_not_six_digits_is_no_code)
{
    static const char *const bad[] = {"", "27903", "2790370", "27903a", "-79037", "279037 1", NULL};
    int64_t step = 0;
    for (unsigned i = 0; bad[i] != NULL; i++) {
        ck_assert_msg(!totp_check(secret, bad[i], 2000000000, 0, &step), "%s", bad[i]);
    }
}
END_TEST

/* RFC 4648 section 10, without the padding. */
START_TEST(base_32_of_RFC_4648)
{
    static const char *const rows[][2] = {{"", ""},
                                          {"f", "MY"},
                                          {"fo", "MZXQ"},
                                          {"foo", "MZXW6"},
                                          {"foob", "MZXW6YQ"},
                                          {"fooba", "MZXW6YTB"},
                                          {"foobar", "MZXW6YTBOI"}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf out;
        buf_init(&out, 100);
        base32_append(&out, (const uint8_t *)rows[i][0], strlen(rows[i][0]));
        ck_assert_str_eq(buf_str(&out), rows[i][1]);
        buf_finish(&out);
    }
}
END_TEST

START_TEST(an_authenticator_reads_the_address)
{
    struct buf out;
    buf_init(&out, 1000);
    totp_uri(&out,
             "Bl\xc3\xbc"
             "cher",
             secret);
    ck_assert_str_eq(buf_str(&out),
                     "otpauth://totp/Vedette:Bl%C3%BCcher?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                     "&issuer=Vedette&algorithm=SHA1&digits=6&period=30");
    buf_finish(&out);
}
END_TEST

START_TEST(a_sealed_secret_opens_by_its_key_alone)
{
    struct hash key = {{1, 2, 3}}, other = {{3, 2, 1}};
    uint8_t sealed[TOTP_SEALED_BYTES], opened[TOTP_SECRET_BYTES];
    totp_seal(&key, secret, sealed);
    ck_assert(memmem(sealed, sizeof sealed, secret, 8) == NULL);
    ck_assert(totp_open(&key, sealed, sizeof sealed, opened));
    ck_assert_mem_eq(opened, secret, TOTP_SECRET_BYTES);
    ck_assert(!totp_open(&other, sealed, sizeof sealed, opened));
    sealed[30] ^= 1;
    ck_assert(!totp_open(&key, sealed, sizeof sealed, opened));
    ck_assert(!totp_open(&key, sealed, sizeof sealed - 1, opened));
}
END_TEST

START_TEST(a_recovery_code_is_the_same_however_it_is_typed)
{
    char code[RECOVERY_CHARS + 4];
    struct hash a, b, other;
    recovery_make(code);
    ck_assert_uint_eq(strlen(code), 19);
    ck_assert(recovery_hash(code, "abc", &a));
    ck_assert(recovery_hash("ABCD-EFGH-2345-WXYZ", "abc", &b));
    ck_assert(recovery_hash("abcdefgh 2345wxyz", "abc", &other));
    ck_assert_mem_eq(&b, &other, sizeof b);
    ck_assert(recovery_hash("ABCD-EFGH-2345-WXYZ", "abd", &other));
    ck_assert_mem_ne(&b, &other, sizeof b);
    ck_assert_mem_ne(&a, &b, sizeof a);
    ck_assert(!recovery_hash("ABCD-EFGH-2345-WXY", "abc", &b));
    ck_assert(!recovery_hash("ABCD-EFGH-2345-WXY1", "abc", &b));
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("totp");
    TCase *tc = tcase_create("codes");
    tcase_add_test(tc, the_ten_values_of_RFC_4226_appendix_D);
    tcase_add_test(tc, the_values_of_RFC_6238_appendix_B_for_SHA1);
    tcase_add_test(tc, a_code_counts_one_step_before_and_after_and_no_further);
    tcase_add_test(tc, a_code_counts_once);
    tcase_add_test(tc, what_is_not_six_digits_is_no_code);
    tcase_add_test(tc, base_32_of_RFC_4648);
    tcase_add_test(tc, an_authenticator_reads_the_address);
    tcase_add_test(tc, a_sealed_secret_opens_by_its_key_alone);
    tcase_add_test(tc, a_recovery_code_is_the_same_however_it_is_typed);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
