/* tests/unit/test_chances.c: ten million dice of each kind against what chance allows (FAIRNESS 4).
 *
 * Keys, ids and all that is drawn follow from fixed numbers, so what it says is always the same. A
 * statistic is told as a normal deviate (Wilson and Hilferty); beyond 4 of them, too even or too
 * uneven, it fails. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/dice/dice.h"

enum { MATCHES = 10000, ROLLS = 100, DICE = 10, FACES_MAX = 100, DEVIATES_MAX = 4 };
static const char *const seats[2] = {"FR", "AL"};

/* How far the counts are from equal, in standard deviations. */
static double deviate(const uint32_t *counts, unsigned cells)
{
    double total = 0, chi = 0, df = cells - 1;
    for (unsigned i = 0; i < cells; i++) {
        total += counts[i];
    }
    for (unsigned i = 0; i < cells; i++) {
        double expected = total / cells, off = counts[i] - expected;
        chi += off * off / expected;
    }
    return (cbrt(chi / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
}

static void judge(const char *what, unsigned faces, const uint32_t *counts, unsigned cells)
{
    double z = deviate(counts, cells);
    printf("d%u, %s: %u cells, %+.2f\n", faces, what, cells, z);
    ck_assert_msg(fabs(z) < DEVIATES_MAX, "d%u, %s: %.1f", faces, what, z);
}

static void begin_match(unsigned i, struct hash *out_key, struct hash *out_mask)
{
    struct hash secret;
    char id[16];
    memset(&secret, 0x5a, sizeof secret);
    memcpy(secret.bytes, &i, sizeof i);
    snprintf(id, sizeof id, "match%05u", i);
    const struct hash *const nonces[2] = {NULL, NULL};
    dice_key(id, &secret, 2, seats, nonces, out_key);
    dice_mask_key(id, &secret, out_mask);
}

static uint32_t faces_of[FACES_MAX], pairs[FACES_MAX * FACES_MAX], firsts[FACES_MAX],
    openings[FACES_MAX], masks[FACES_MAX];

/* As in play: short rolls, many of them, many matches. */
static void roll_all(unsigned faces)
{
    memset(faces_of, 0, sizeof faces_of);
    memset(pairs, 0, sizeof pairs);
    memset(firsts, 0, sizeof firsts);
    memset(openings, 0, sizeof openings);
    memset(masks, 0, sizeof masks);
    for (unsigned i = 0; i < MATCHES; i++) {
        struct hash key, mask;
        static struct dice dice;
        begin_match(i, &key, &mask);
        dice_init(&dice, &key, &mask, 1, 1);
        for (unsigned roll = 0; roll < ROLLS; roll++) {
            unsigned last = 0;
            for (unsigned k = 0; k < DICE; k++) {
                unsigned die = dice_die(&dice, faces) - 1;
                faces_of[die]++;
                if (k == 0) { firsts[die]++; }
                if (k == 0 && roll == 0) { openings[die]++; }
                if (k % 2 == 1) { pairs[last * faces + die]++; }
                last = die;
            }
            masks[dice_draw(&dice, LANE_MASK, faces)]++;
            dice_next_line(&dice);
        }
    }
}

START_TEST(ten_million_dice_of_each_kind_fall_as_chance_has_it_F4)
{
    static const unsigned kinds[] = {2, 3, 4, 6, 8, 10, 12, 20, 100};
    const unsigned faces = kinds[_i];
    roll_all(faces);
    judge("faces", faces, faces_of, faces);
    judge("first of a roll", faces, firsts, faces);
    judge("first of a match", faces, openings, faces);
    judge("masks", faces, masks, faces);
    if (faces <= 20) { judge("pairs", faces, pairs, faces * faces); }
}
END_TEST

START_TEST(ten_million_cards_are_dealt_as_chance_has_it_F4)
{
    static uint32_t places[12 * 12];
    memset(places, 0, sizeof places);
    for (unsigned i = 0; i < MATCHES / 10; i++) {
        struct hash key, mask;
        static struct dice dice;
        begin_match(i, &key, &mask);
        dice_init(&dice, &key, &mask, 1, 1);
        for (unsigned roll = 0; roll < 833; roll++) {
            uint8_t list[12];
            for (uint8_t k = 0; k < 12; k++) {
                list[k] = k;
            }
            dice_shuffle(&dice, LANE_DEAL, list, 12);
            for (unsigned k = 0; k < 12; k++) {
                places[12 * k + list[k]]++;
            }
            dice_next_line(&dice);
        }
    }
    for (unsigned k = 0; k < 12; k++) {
        judge("place in a shuffle", 12, places + 12 * k, 12);
    }
}
END_TEST

/* The measure itself: the remainder of a byte, without the rejection of section 4, is no die. */
START_TEST(a_die_that_leans_is_found)
{
    uint32_t counts[6] = {0};
    for (unsigned i = 0; i < 10000000; i++) {
        counts[(i * 2654435761U >> 24) % 6]++;
    }
    ck_assert(deviate(counts, 6) > DEVIATES_MAX);
    for (unsigned i = 0; i < 6; i++) {
        counts[i] = 1666666 + (i & 1U); /* and one that is too even to be one */
    }
    ck_assert(deviate(counts, 6) < -DEVIATES_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chances");
    TCase *chances = tcase_create("chances");
    tcase_set_timeout(chances, 300);
    tcase_add_loop_test(chances, ten_million_dice_of_each_kind_fall_as_chance_has_it_F4, 0, 9);
    tcase_add_test(chances, ten_million_cards_are_dealt_as_chance_has_it_F4);
    tcase_add_test(chances, a_die_that_leans_is_found);
    suite_add_tcase(suite, chances);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
