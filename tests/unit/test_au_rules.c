/* tests/unit/test_au_rules.c: rules of Austerlitz against the tables of the rules page and against
 * other, slower ways to the same answer, on random crowds of counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/austerlitz/au.h"

static uint64_t seed = 7;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % n;
}

/* All counters within a few hexes of each other, some gone, some ice broken, a bridge gone. */
static void make_crowd(struct state *s, unsigned spread)
{
    bool taken[AU_HEXES] = {false};
    memset(s, 0, sizeof *s);
    s->situation = (uint8_t)below(3);
    au_reset_state(s);
    s->turn = (uint8_t)(1 + below(12));
    s->side = (uint8_t)below(2);
    int column = 1 + (int)below(44 - spread), row = 1 + (int)below(34 - spread);
    for (unsigned i = 0; i < au_pond_count; i++) {
        bool ice = (au_hexes[au_ponds[i]].flags & AU_CAUSEWAY) == 0;
        if (ice && below(3) == 0) { s->broken |= UINT64_C(1) << i; }
    }
    s->destroyed = 1U << below(au_bridge_count);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        unsigned at = hex_at(&au_grid, column + (int)below(spread), row + (int)below(spread));
        if (taken[at] || au_is_broken(s, at) || below(12) == 0) {
            au_remove(s, u, AU_ASIDE);
            continue;
        }
        taken[at] = true;
        s->unit[u].hex = (uint16_t)at;
    }
}

static unsigned hex(const char *text)
{
    return hex_parse(&au_grid, text);
}

/* ---- tables ---- */

START_TEST(odds_favour_the_defender_6_5)
{
    static const char *const rows[] = {"1:5", "1:4", "1:3", "1:2", "1:1",
                                       "2:1", "3:1", "4:1", "5:1", "6:1"};
    for (unsigned a = 1; a <= 60; a++) {
        for (unsigned d = 1; d <= 60; d++) {
            unsigned n = 1;
            char text[8];
            if (a >= d) {
                while (n < 6 && (n + 1) * d <= a) {
                    n++;
                }
                snprintf(text, sizeof text, "%u:1", n);
            } else {
                while (n < 5 && n * a < d) {
                    n++;
                }
                snprintf(text, sizeof text, "1:%u", n);
            }
            ck_assert_str_eq(au_row_ids[au_odds_row(a, d)], text);
        }
    }
    for (unsigned i = 0; i < AU_ROWS; i++) {
        ck_assert_str_eq(au_row_ids[i], rows[i]);
    }
}
END_TEST

/* The table of 6.8, as printed on the page. */
START_TEST(the_results_table_is_that_of_the_page_6_8)
{
    static const char *const names[] = {"AE", "AR", "EX", "DR", "DE"};
    static const char *const page[AU_ROWS] = {
        "AE AE AE AR AR AR", "AE AE AR AR AR AR", "AE AR AR AR AR DR", "AE AR AR AR DR DR",
        "AR AR AR EX DR DR", "AR AR EX DR DR DR", "AR EX DR DR DR DE", "EX DR DR DR DE DE",
        "DR DR DR DE DE DE", "DR DR DE DE DE DE"};
    for (unsigned row = 0; row < AU_ROWS; row++) {
        for (unsigned die = 0; die < 6; die++) {
            ck_assert_int_eq(strncmp(page[row] + 3 * die, names[au_tables.crt[row][die]], 2), 0);
        }
    }
}
END_TEST

/* 4.3, in all 16 kinds of step, on hexes of the map. */
START_TEST(steps_cost_what_the_page_says_4_3)
{
    static const struct {
        const char *from, *to;
        unsigned cost[AU_TYPES];
    } rows[] = {
        {"2313", "2314", {1, 1, 1}},        /* clear */
        {"1415", "1416", {1, 1, 1}},        /* out of a wood */
        {"1416", "1415", {2, 3, AU_NEVER}}, /* forest */
        {"1331", "1330", {3, 4, AU_NEVER}}, /* over a stream into a marsh */
        {"2015", "2116", {2, 2, 3}},        /* a stream */
        {"2015", "2115", {1, 1, 1}},        /* a road over a bridge, into a village */
        {"2218", "2319", {2, 2, 2}},        /* uphill */
        {"2319", "2218", {1, 1, 1}},        /* downhill */
        {"1825", "1926", {2, 2, AU_NEVER}}, /* over a bank onto the ice */
        {"1926", "2026", {1, 1, AU_NEVER}}, /* on the ice */
        {"2125", "2126", {3, 4, AU_NEVER}}, /* over an escarpment onto the ice */
        {"1826", "1927", {1, 1, 1}},        /* the causeway */
        {"1822", "1923", {2, 2, 3}},        /* a stream out of Sokolnitz, no bridge */
        {"2219", "2319", {1, 1, 1}},        /* uphill by road */
    };
    struct state s;
    memset(&s, 0, sizeof s);
    au_reset_state(&s);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned side = au_side_to(hex(rows[i].from), hex(rows[i].to));
        ck_assert_msg(side != HEX_SIDES, "%s %s", rows[i].from, rows[i].to);
        for (unsigned type = 0; type < AU_TYPES; type++) {
            unsigned cost = au_step_cost(&s, type, hex(rows[i].from), side);
            ck_assert_msg(cost == rows[i].cost[type], "%s to %s, %s: %u", rows[i].from, rows[i].to,
                          au_type_ids[type], cost);
        }
    }
    s.broken = UINT64_C(1) << au_hexes[hex("1926")].pond; /* 10.3 */
    ck_assert_uint_eq(
        au_step_cost(&s, AU_INFANTRY, hex("1825"), au_side_to(hex("1825"), hex("1926"))), AU_NEVER);
}
END_TEST

/* What is made of board and tables at build time against the same worked out step by step: as
 * printed, and with all ice broken and no bridge left. */
START_TEST(tables_made_at_build_time_hold)
{
    struct state s;
    memset(&s, 0, sizeof s);
    au_reset_state(&s);
    for (unsigned changed = 0; changed < 2; changed++) {
        s.broken = changed != 0 ? UINT64_MAX : 0;
        s.destroyed = changed != 0 ? UINT32_MAX : 0;
        for (unsigned at = 0; at < AU_HEXES; at++) {
            char text[HEX_TEXT];
            hex_text(&au_grid, at, text);
            ck_assert_str_eq(au_hex_ids[at], text);
            for (unsigned d = 0; d < HEX_SIDES; d++) {
                for (unsigned type = 0; type < AU_TYPES; type++) {
                    unsigned cost = au_step_cost(&s, type, at, d);
                    ck_assert_msg(cost == au_price_step(&s, type, at, d), "%s %u", text, d);
                }
                unsigned to = au_next(at, d);
                bool goes = to != HEX_NONE && au_hexes[to].terrain != AU_FOREST &&
                            au_hexes[to].terrain != AU_VILLAGE &&
                            au_hexes[at].side[d] != AU_ESCARPMENT;
                ck_assert_msg((au_control_sides[at] >> d & 1U) == goes, "%s %u", text, d);
            }
        }
    }
}
END_TEST

/* ---- movement ---- */

/* The cheapest legal move to every hex, by trying all ways. */
static void try_ways(const struct state *s, const struct au_now *now, unsigned unit,
                     struct au_way *way, uint8_t best[AU_HEXES])
{
    unsigned at = way->len == 0 ? s->unit[unit].hex : way->hex[way->len - 1];
    for (unsigned d = 0; d < HEX_SIDES; d++) {
        unsigned to = au_next(at, d);
        struct au_costs costs;
        if (to == HEX_NONE) { continue; }
        way->hex[way->len++] = (uint16_t)to;
        const char *rule = au_forbid_move(s, now, unit, way, false, &costs);
        bool passes = rule != NULL && strcmp(rule, "4.4") == 0 && now->at[to] != AU_NONE &&
                      au_side(now->at[to]) == au_side(unit);
        if (rule == NULL && costs.total < best[to]) { best[to] = (uint8_t)costs.total; }
        if (rule == NULL || (passes && way->len < 8)) { try_ways(s, now, unit, way, best); }
        way->len--;
    }
}

START_TEST(reach_is_what_all_ways_together_reach_4_and_5)
{
    for (unsigned round = 0; round < 40; round++) {
        struct state s;
        struct au_now now;
        make_crowd(&s, 8 + below(8));
        au_see(&s, &now);
        unsigned unit = below(AU_UNITS);
        while (!au_on_map(&s, unit) || au_type(unit) == AU_CAVALRY) {
            unit = below(AU_UNITS);
        }
        uint8_t best[AU_HEXES];
        struct au_way way = {.len = 0, .edge = AU_EDGES};
        struct au_reach reach;
        memset(best, AU_NEVER, sizeof best);
        try_ways(&s, &now, unit, &way, best);
        au_find_reach(&s, &now, unit, false, &reach);
        for (unsigned at = 0; at < AU_HEXES; at++) {
            if (at == s.unit[unit].hex || now.at[at] != AU_NONE) { continue; }
            ck_assert_uint_eq(reach.cost[at], best[at]);
        }
    }
}
END_TEST

/* R22 forwards, unit by unit. */
static bool gets_out(const struct state *s, const struct au_now *now, unsigned unit)
{
    bool seen[AU_HEXES] = {false};
    uint16_t queue[AU_HEXES];
    unsigned head = 0, tail = 0, side = au_side(unit);
    queue[tail++] = s->unit[unit].hex;
    seen[s->unit[unit].hex] = true;
    while (head < tail) {
        unsigned at = queue[head++];
        unsigned c = hex_column(&au_grid, at), r = hex_row(&au_grid, at);
        bool vienna = c == 1 && r >= 29 && r <= 32;
        if (side == AU_FRENCH ? c == 1 : (c == 44 || r == 1 || r == 34 || vienna)) { return true; }
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned to = au_next(at, d);
            if (to == HEX_NONE || seen[to] || au_step_cost(s, au_type(unit), at, d) == AU_NEVER) {
                continue;
            }
            bool enemy = now->at[to] != AU_NONE && au_side(now->at[to]) != side;
            if (enemy || (now->control[to] >> au_other(side) & 1U) != 0) { continue; }
            seen[to] = true;
            queue[tail++] = (uint16_t)to;
        }
    }
    return false;
}

START_TEST(encircled_is_who_cannot_get_out_13_3)
{
    unsigned found = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct state s;
        struct au_now now;
        make_crowd(&s, 5 + below(8));
        au_see(&s, &now);
        for (unsigned side = 0; side < AU_SIDES; side++) {
            uint64_t encircled = au_encircled(&s, &now, side);
            for (unsigned u = 0; u < AU_UNITS; u++) {
                bool is = (encircled >> u & 1U) != 0;
                bool here = au_on_map(&s, u) && au_side(u) == side;
                ck_assert(is == (here && !gets_out(&s, &now, u)));
                found += is;
            }
        }
    }
    ck_assert_uint_gt(found, 100);
}
END_TEST

/* ---- combat ---- */

/* 5.1, 5.2 once more, from the words of the page. */
static bool controls(const struct state *s, unsigned unit, unsigned to)
{
    unsigned from = s->unit[unit].hex, side = hex_side_to(&au_grid, from, to);
    if (side == HEX_SIDES) { return false; }
    unsigned here = au_hexes[from].terrain, there = au_hexes[to].terrain;
    bool gun = au_type(unit) == AU_ARTILLERY;
    if (gun && (here == AU_FOREST || here == AU_MARSH || here == AU_VILLAGE)) { return false; }
    if (there == AU_FOREST || there == AU_VILLAGE || au_is_broken(s, to)) { return false; }
    return au_hexes[from].side[side] != AU_ESCARPMENT;
}

START_TEST(the_least_plan_meets_the_obligation_and_no_more_R7)
{
    unsigned combats = 0;
    for (unsigned round = 0; round < 400; round++) {
        struct state s;
        struct au_now now;
        struct au_entry plan[AU_PLAN_MAX];
        make_crowd(&s, 5 + below(8));
        s.step = AU_DECLARE;
        au_see(&s, &now);
        unsigned n = au_least_plan(&s, &now, s.side, plan);
        ck_assert_ptr_null(au_forbid_plan(&s, &now, s.side, plan, n));
        uint64_t fights = 0, owes = 0;
        for (unsigned i = 0; i < n; i++) {
            ck_assert_uint_eq(fights & (plan[i].contact | plan[i].defenders), 0);
            fights |= plan[i].contact | plan[i].defenders;
        }
        for (unsigned a = 0; a < AU_UNITS; a++) {
            for (unsigned d = 0; d < AU_UNITS; d++) {
                bool pair = au_on_map(&s, a) && au_on_map(&s, d) && au_side(a) == s.side &&
                            au_side(d) != s.side && controls(&s, a, s.unit[d].hex) &&
                            controls(&s, d, s.unit[a].hex);
                if (pair) { owes |= au_bit(a) | au_bit(d); }
                if (au_on_map(&s, a) && au_on_map(&s, d) && au_side(a) != au_side(d)) {
                    ck_assert(au_mutual(&s, a, d) ==
                              (controls(&s, a, s.unit[d].hex) && controls(&s, d, s.unit[a].hex)));
                }
            }
        }
        ck_assert_uint_eq(fights, owes);
        if (n > 0) { /* without any one of its combats it is refused */
            ck_assert_str_eq(au_forbid_plan(&s, &now, s.side, plan, n - 1), "6.2");
        }
        combats += n;
    }
    ck_assert_uint_gt(combats, 1000);
}
END_TEST

/* 7.2, 7.3 by trying all chains of up to three hexes: the ways found are those that are allowed. */
START_TEST(ways_of_retreat_are_those_the_rules_allow_7_3)
{
    static struct au_chain ways[512];
    unsigned chains = 0, none = 0;
    for (unsigned round = 0; round < 300; round++) {
        struct state s;
        struct au_now now;
        make_crowd(&s, 5 + below(4));
        au_see(&s, &now);
        for (unsigned u = 0; u < AU_UNITS; u += 5) {
            if (!au_on_map(&s, u)) { continue; }
            unsigned n = au_list_ways(&s, &now, u, ways, 512), allowed = 0, shorter = 0;
            ck_assert_uint_eq(au_count_ways(&s, &now, u, 512), n);
            for (unsigned i = 0; i < n; i++) {
                ck_assert_ptr_null(au_forbid_retreat(&s, &now, u, &ways[i]));
                shorter += ways[i].len <= 3;
                chains += ways[i].len > 1;
            }
            struct au_chain none_at_all = {.len = 0};
            const char *stays = au_forbid_retreat(&s, &now, u, &none_at_all);
            ck_assert((stays == NULL) == (n == 0)); /* 7.4 */
            none += n == 0;
            for (unsigned a = 0; a < 6; a++) {
                for (unsigned b = 0; b < 7; b++) {
                    for (unsigned c = 0; c < 7; c++) {
                        if (b == 6 && c < 6) { continue; }
                        struct au_chain chain = {.len = 1};
                        unsigned first = au_next(s.unit[u].hex, a), second = HEX_NONE;
                        if (first == HEX_NONE) { continue; }
                        chain.hex[0] = (uint16_t)first;
                        if (b < 6) {
                            second = au_next(first, b);
                            if (second == HEX_NONE) { continue; }
                            chain.hex[chain.len++] = (uint16_t)second;
                        }
                        if (b < 6 && c < 6) {
                            unsigned third = au_next(second, c);
                            if (third == HEX_NONE) { continue; }
                            chain.hex[chain.len++] = (uint16_t)third;
                        }
                        allowed += au_forbid_retreat(&s, &now, u, &chain) == NULL;
                    }
                }
            }
            if (n < 512) { ck_assert_uint_eq(allowed, shorter); }
        }
    }
    ck_assert_uint_gt(chains, 20);
    ck_assert_uint_gt(none, 20);
}
END_TEST

/* 7.6 over all subsets. */
START_TEST(exchanges_have_no_unit_to_spare_7_6)
{
    for (unsigned round = 0; round < 300; round++) {
        struct state s;
        uint64_t sets[AU_SETS_MAX], all = 0;
        unsigned list[6], n = 1 + below(6), due = 0, total = 0, good = 0;
        memset(&s, 0, sizeof s);
        au_reset_state(&s);
        s.hand.defenders = au_bit(AU_FRENCH_UNITS + below(29));
        due = s.unit[au_first(s.hand.defenders)].potential;
        for (unsigned i = 0; i < n; i++) {
            do {
                list[i] = below(AU_FRENCH_UNITS);
            } while ((all >> list[i] & 1U) != 0);
            all |= au_bit(list[i]);
            total += s.unit[list[i]].potential;
        }
        s.hand.contact = all;
        unsigned found = au_exchange_sets(&s, sets);
        if (total <= due) {
            ck_assert_uint_eq(found, 1);
            ck_assert_uint_eq(sets[0], all);
            continue;
        }
        for (unsigned mask = 1; mask < 1U << n; mask++) {
            unsigned sum = 0, least = 100;
            uint64_t set = 0;
            for (unsigned i = 0; i < n; i++) {
                if ((mask >> i & 1U) == 0) { continue; }
                set |= au_bit(list[i]);
                sum += s.unit[list[i]].potential;
                if (s.unit[list[i]].potential < least) { least = s.unit[list[i]].potential; }
            }
            if (sum < due || sum - least >= due) { continue; }
            unsigned i = 0;
            while (i < found && sets[i] != set) {
                i++;
            }
            ck_assert_uint_lt(i, found);
            good++;
        }
        ck_assert_uint_eq(good, found);
    }
}
END_TEST

/* ---- the deal ---- */

static void create(const char *options, uint64_t key, struct state *out, uint32_t *out_draws)
{
    struct hash keys[2];
    struct dice dice;
    struct events events;
    struct why why;
    cJSON *json = cJSON_Parse(options);
    memset(keys, (int)key, sizeof keys);
    dice_init(&dice, &keys[0], &keys[1], 0, 0);
    events_init(&events);
    ck_assert_int_eq(au_create(json, 1, &dice, out, &events, &why), ERR_OK);
    ck_assert_ptr_null(au_check(out));
    *out_draws = dice.drawn_count;
    events_finish(&events);
    cJSON_Delete(json);
}

START_TEST(strengths_are_dealt_within_army_and_type_R36)
{
    struct state printed, one, two;
    uint32_t draws = 0;
    unsigned differ = 0, apart = 0;
    create("{}", 1, &printed, &draws);
    ck_assert_uint_eq(draws, 0);
    create("{\"strengths\":\"dealt\",\"information\":\"semi-blind\"}", 1, &one, &draws);
    /* A shuffle of k draws k - 1 times: french 10, 9, 4 counters, allied 13, 9, 7. */
    unsigned count[AU_SIDES][AU_TYPES] = {{0}}, expected = 0;
    for (unsigned u = 0; u < AU_UNITS; u++) {
        count[au_side(u)][au_type(u)]++;
    }
    for (unsigned i = 0; i < AU_SIDES * AU_TYPES; i++) {
        expected += count[i / AU_TYPES][i % AU_TYPES] - 1;
    }
    ck_assert_uint_eq(draws, expected);
    create("{\"strengths\":\"dealt\"}", 2, &two, &draws);
    for (unsigned u = 0; u < AU_UNITS; u++) {
        differ += one.unit[u].potential != printed.unit[u].potential;
        apart += one.unit[u].potential != two.unit[u].potential;
    }
    ck_assert_uint_gt(differ, 10);
    ck_assert_uint_gt(apart, 10);
    ck_assert_uint_eq(au_sum_of(&one, AU_FRENCH, AU_ON_MAP), 123); /* 1.1 */
    ck_assert_uint_eq(au_sum_of(&one, AU_ALLIED, AU_ON_MAP), 132);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("au_rules");
    TCase *tests = tcase_create("au_rules");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, odds_favour_the_defender_6_5);
    tcase_add_test(tests, the_results_table_is_that_of_the_page_6_8);
    tcase_add_test(tests, steps_cost_what_the_page_says_4_3);
    tcase_add_test(tests, tables_made_at_build_time_hold);
    tcase_add_test(tests, reach_is_what_all_ways_together_reach_4_and_5);
    tcase_add_test(tests, encircled_is_who_cannot_get_out_13_3);
    tcase_add_test(tests, the_least_plan_meets_the_obligation_and_no_more_R7);
    tcase_add_test(tests, ways_of_retreat_are_those_the_rules_allow_7_3);
    tcase_add_test(tests, exchanges_have_no_unit_to_spare_7_6);
    tcase_add_test(tests, strengths_are_dealt_within_army_and_type_R36);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
