/* tests/unit/test_dice.c: keys and draws against the vectors of FAIRNESS section 9. */
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/dice/dice.h"

static const char match_id[] = "k7mq2xw4ta";
static const char key_hex[] = "8c9a3057ff9d180f82c9ff2c5f58cb18a94a28440ef9de85bd7d6a66e6f1e2d1";
static const char mask_hex[] = "115924a076f9016c5023d41b3061323c97cc085a2e2d346309bece377d2f66d2";

static struct hash counted_from(unsigned first)
{
    struct hash out;
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        out.bytes[i] = (uint8_t)(first + i);
    }
    return out;
}

static struct hash from_hex(const char *hex)
{
    struct hash out;
    size_t n = 0;
    ck_assert_int_eq(sodium_hex2bin(out.bytes, HASH_BYTES, hex, strlen(hex), NULL, &n, NULL), 0);
    ck_assert_uint_eq(n, HASH_BYTES);
    return out;
}

static void assert_hash(const struct hash *hash, const char *hex)
{
    char text[2 * HASH_BYTES + 1];
    ck_assert_str_eq(sodium_bin2hex(text, sizeof text, hash->bytes, HASH_BYTES), hex);
}

static struct dice at_roll(uint64_t roll, uint64_t mask)
{
    struct dice dice;
    struct hash key = from_hex(key_hex);
    struct hash mask_key = from_hex(mask_hex);
    dice_init(&dice, &key, &mask_key, roll, mask);
    return dice;
}

static void assert_stream(struct dice *dice, enum dice_lane lane, const char *hex)
{
    char text[33];
    uint8_t bytes[16];
    for (unsigned i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)dice_draw(dice, lane, 256);
    }
    ck_assert_str_eq(sodium_bin2hex(text, sizeof text, bytes, sizeof bytes), hex);
}

static void assert_dice(struct dice *dice, unsigned faces, const unsigned *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ck_assert_uint_eq(dice_die(dice, faces), expected[i]);
    }
}

START_TEST(keys_and_commitments_are_those_of_section_9)
{
    struct hash secret = counted_from(0x00);
    struct hash fr = counted_from(0x40);
    struct hash al = counted_from(0x80);
    struct hash out;
    dice_commitment(match_id, &secret, &out);
    assert_hash(&out, "cc75116a514be15e9a233a7a8563b2a9791e3393b5f28f4260a814e072dc4bc4");
    char text[44];
    b64_encode(text, out.bytes, HASH_BYTES);
    ck_assert_str_eq(text, "zHURalFL4V6aIzp6hWOyqXkeM5O18o9CYKgU4HLcS8Q");
    dice_nonce_commitment(&fr, &out);
    assert_hash(&out, "d002b599594672e8342bda77b2823752358e95e3fc87d4f888c93b52d2628a4a");
    dice_nonce_commitment(&al, &out);
    assert_hash(&out, "9dcba710619ecf8727147bfcb5e004a27d3ba42b2d25c22b85cc4e43c6d06c5d");
    const char *seats[] = {"FR", "AL"};
    const struct hash *both[] = {&fr, &al};
    dice_key(match_id, &secret, 2, seats, both, &out);
    assert_hash(&out, key_hex);
    const struct hash *waived[] = {&fr, NULL};
    dice_key(match_id, &secret, 2, seats, waived, &out);
    assert_hash(&out, "ffb7ba78848bd94a49c7bb2b504dad3f053510eae8d3279c9002557b6b6f4909");
    dice_mask_key(match_id, &secret, &out);
    assert_hash(&out, mask_hex);
}
END_TEST

START_TEST(a_byte_that_would_bias_is_taken_again)
{
    /* fe, the first byte of roll 1, is 254 >= 252: rejected for a d6. */
    static const unsigned expected[] = {3, 1, 3, 6, 2, 1, 6, 1, 1, 4, 5, 2};
    struct dice dice = at_roll(1, 1);
    assert_dice(&dice, 6, expected, 12);
    ck_assert_uint_eq(dice.at[LANE_DIE].used, 13);
    dice = at_roll(1, 1);
    assert_stream(&dice, LANE_DIE, "fe2c9020179d0c0bd25aed2243f5c192");
}
END_TEST

START_TEST(dice_of_different_faces_share_one_stream)
{
    static const unsigned d6[] = {3, 4, 6, 1, 6, 6, 6, 3, 6, 1, 4, 1};
    static const unsigned d10[] = {3, 10, 6, 3, 6, 10};
    static const unsigned then_d6[] = {6, 3, 6};
    struct dice dice = at_roll(2, 1);
    assert_dice(&dice, 6, d6, 12);
    dice = at_roll(2, 1);
    assert_dice(&dice, 10, d10, 6);
    assert_dice(&dice, 6, then_d6, 3);
    dice = at_roll(2, 1);
    assert_stream(&dice, LANE_DIE, "3ef923485f3b4de08f303990ea29441a");
}
END_TEST

START_TEST(the_stream_goes_on_past_a_block)
{
    static const unsigned late[] = {6, 4, 4, 3, 2, 4, 4, 6, 4, 6};
    struct dice dice = at_roll(7, 1);
    for (unsigned i = 0; i < 190; i++) {
        (void)dice_die(&dice, 6);
    }
    assert_dice(&dice, 6, late, 10);
    ck_assert_uint_eq(dice.at[LANE_DIE].used, 201);
}
END_TEST

START_TEST(the_number_of_a_roll_has_64_bits)
{
    struct dice dice = at_roll((UINT64_C(1) << 32) + 1, 1);
    assert_stream(&dice, LANE_DIE, "ce772b1cc0c0b9390c74d0b4c0023842");
}
END_TEST

START_TEST(deals_and_masks_are_other_lanes)
{
    static const uint8_t expected[] = {5, 3, 10, 2, 7, 6, 8, 12, 1, 11, 4, 9};
    uint8_t list[12];
    for (unsigned i = 0; i < 12; i++) {
        list[i] = (uint8_t)(i + 1);
    }
    struct dice dice = at_roll(1, 5);
    dice_shuffle(&dice, LANE_DEAL, list, 12);
    ck_assert_mem_eq(list, expected, 12);
    dice = at_roll(1, 5);
    assert_stream(&dice, LANE_DEAL, "8c7c99e100cb0bfa119d43d3ffda3f68");
    assert_stream(&dice, LANE_MASK, "edf180135b4da787ede4b74bea765121");
}
END_TEST

START_TEST(numbers_rise_only_for_what_was_drawn)
{
    struct dice dice = at_roll(1, 1);
    dice_next_line(&dice);
    ck_assert_uint_eq(dice.roll, 1);
    ck_assert_uint_eq(dice.mask, 1);
    (void)dice_draw(&dice, LANE_MASK, 6);
    ck_assert(!dice_was_drawn(&dice));
    dice_next_line(&dice);
    ck_assert_uint_eq(dice.roll, 1);
    ck_assert_uint_eq(dice.mask, 2);
    (void)dice_draw(&dice, LANE_DEAL, 6);
    ck_assert(dice_was_drawn(&dice));
    dice_next_line(&dice);
    ck_assert_uint_eq(dice.roll, 2);
    ck_assert_uint_eq(dice.mask, 2);
    assert_stream(&dice, LANE_DIE, "3ef923485f3b4de08f303990ea29441a");
}
END_TEST

START_TEST(a_line_lists_its_draws_in_runs)
{
    static const uint8_t dies[] = {3, 1, 3, 10};
    static const uint8_t deals[] = {7, 0};
    struct dice dice;
    struct buf buf;
    buf_init(&buf, 1024);
    dice_init_lists(&dice, dies, 4, deals, 2);
    dice_write_line(&dice, &buf);
    ck_assert_str_eq(buf_str(&buf), "");
    ck_assert_uint_eq(dice_die(&dice, 6), 3);
    ck_assert_uint_eq(dice_draw(&dice, LANE_DEAL, 12), 7);
    ck_assert_uint_eq(dice_die(&dice, 6), 1);
    ck_assert_uint_eq(dice_draw(&dice, LANE_DEAL, 12), 0);
    ck_assert_uint_eq(dice_die(&dice, 10), 3);
    ck_assert_uint_eq(dice_die(&dice, 10), 10);
    ck_assert(!dice.exhausted);
    dice_write_line(&dice, &buf);
    ck_assert_str_eq(buf_str(&buf),
                     "\"roll\":1,\"dice\":[[6,[3,1]],[10,[3,10]]],\"deal\":[[12,[7,0]]]");
    buf_finish(&buf);
}
END_TEST

START_TEST(a_list_that_runs_out_or_does_not_fit_is_noticed)
{
    static const uint8_t dies[] = {6, 7, 0};
    struct dice dice;
    dice_init_lists(&dice, dies, 1, NULL, 0);
    ck_assert_uint_eq(dice_die(&dice, 6), 6);
    ck_assert(!dice.exhausted);
    ck_assert_uint_eq(dice_die(&dice, 6), 1);
    ck_assert(dice.exhausted);
    for (size_t bad = 1; bad < 3; bad++) {
        dice_init_lists(&dice, dies + bad, 1, NULL, 0);
        (void)dice_die(&dice, 6);
        ck_assert(dice.exhausted);
        dice_next_line(&dice);
        ck_assert(dice.exhausted);
    }
}
END_TEST

START_TEST(more_draws_than_a_line_holds_are_noticed)
{
    struct dice dice = at_roll(1, 1);
    for (unsigned i = 0; i < DICE_DRAWS_MAX; i++) {
        (void)dice_die(&dice, 6);
    }
    ck_assert(!dice.exhausted);
    (void)dice_die(&dice, 6);
    ck_assert(dice.exhausted);
    ck_assert_uint_eq(dice.drawn_count, DICE_DRAWS_MAX);
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("dice");
    TCase *tcase = tcase_create("vectors");
    tcase_add_test(tcase, keys_and_commitments_are_those_of_section_9);
    tcase_add_test(tcase, a_byte_that_would_bias_is_taken_again);
    tcase_add_test(tcase, dice_of_different_faces_share_one_stream);
    tcase_add_test(tcase, the_stream_goes_on_past_a_block);
    tcase_add_test(tcase, the_number_of_a_roll_has_64_bits);
    tcase_add_test(tcase, deals_and_masks_are_other_lanes);
    tcase_add_test(tcase, numbers_rise_only_for_what_was_drawn);
    tcase_add_test(tcase, a_line_lists_its_draws_in_runs);
    tcase_add_test(tcase, a_list_that_runs_out_or_does_not_fit_is_noticed);
    tcase_add_test(tcase, more_draws_than_a_line_holds_are_noticed);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
