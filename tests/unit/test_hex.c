/* tests/unit/test_hex.c: hexes: numbers, neighbours, hexsides, distance, lines, trajectories,
 * bands; the map of Austerlitz and small grids of both kinds. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/geometry/hex.h"
#include "common/rules/austerlitz/au.h"

/* The map of the tests: 44 columns of 34, the even ones shifted south (2.1). */
static const struct hex_grid grid = {44, 34, 0}, odd_south = {10, 8, 1};

static unsigned hex(const char *text)
{
    unsigned found = hex_parse(&grid, text);
    ck_assert_msg(found != HEX_NONE, "%s", text);
    return found;
}

static const char *text_of(unsigned at)
{
    static char text[4][HEX_TEXT];
    static unsigned next;
    char *out = text[next++ % 4];
    if (at == HEX_NONE) { return "none"; }
    hex_text(&grid, at, out);
    return out;
}

START_TEST(numbers_are_read_as_printed_and_nothing_else)
{
    static const char *const wrong[] = {"",     "010",  "01011", "0001", "0100", "4501",
                                        "0135", "01 1", "-101",  "a101", "9999", "0x11"};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_uint_eq(hex_parse(&grid, wrong[i]), HEX_NONE);
    }
    char before[HEX_TEXT] = "";
    for (unsigned at = 0; at < hex_count(&grid); at++) {
        char text[HEX_TEXT];
        hex_text(&grid, at, text);
        ck_assert_uint_eq(hex_parse(&grid, text), at);
        ck_assert_int_lt(strcmp(before, text), 0); /* ascending hexes are ascending numbers */
        memcpy(before, text, sizeof text);
    }
    ck_assert_str_eq(text_of(hex_at(&grid, 1, 29)), "0129");
    ck_assert_uint_eq(hex_at(&grid, 0, 1), HEX_NONE);
    ck_assert_uint_eq(hex_at(&grid, 45, 1), HEX_NONE);
    ck_assert_uint_eq(hex_at(&grid, 1, 35), HEX_NONE);
}
END_TEST

/* board.json, grid: of an odd and of an even column, and at the corners. */
START_TEST(neighbours_are_those_of_the_data_file)
{
    static const struct {
        const char *from, *to[HEX_SIDES];
    } rows[] = {
        {"2319", {"2318", "2418", "2419", "2320", "2219", "2218"}},
        {"2218", {"2217", "2318", "2319", "2219", "2119", "2118"}},
        {"0101", {"none", "none", "0201", "0102", "none", "none"}},
        {"0134", {"0133", "0233", "0234", "none", "none", "none"}},
        {"4401", {"none", "none", "none", "4402", "4302", "4301"}},
        {"4434", {"4433", "none", "none", "none", "none", "4334"}},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            ck_assert_str_eq(text_of(hex_neighbour(&grid, hex(rows[i].from), d)), rows[i].to[d]);
        }
    }
}
END_TEST

static void check_sides(const struct hex_grid *g)
{
    bool seen[3 * 44 * 34] = {false};
    unsigned sides = 0;
    for (unsigned at = 0; at < hex_count(g); at++) {
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned to = hex_neighbour(g, at, d);
            if (to == HEX_NONE) { continue; }
            ck_assert_uint_eq(hex_neighbour(g, to, hex_opposite(d)), at);
            ck_assert_uint_eq(hex_side_to(g, at, to), d);
            ck_assert_uint_eq(hex_distance(g, at, to), 1);
            unsigned side = hex_hexside(g, at, to);
            ck_assert_uint_eq(side, hex_hexside(g, to, at));
            ck_assert_uint_lt(side, 3 * hex_count(g));
            sides += !seen[side];
            seen[side] = true;
        }
    }
    /* Columns of r hexes give r - 1 sides each; two neighbouring columns share 2 r - 1. */
    unsigned c = g->columns, r = g->rows;
    ck_assert_uint_eq(sides, c * (r - 1) + (c - 1) * (2 * r - 1));
    ck_assert_uint_eq(hex_hexside(g, 0, 2), HEX_NONE);
    ck_assert_uint_eq(hex_side_to(g, 0, 0), HEX_SIDES);
}

START_TEST(each_hexside_has_one_number_from_both_sides)
{
    check_sides(&grid);
    check_sides(&odd_south);
}
END_TEST

START_TEST(odd_columns_south_is_the_other_kind_of_map)
{
    unsigned at = hex_at(&odd_south, 3, 4);
    ck_assert_uint_eq(hex_neighbour(&odd_south, at, HEX_NE), hex_at(&odd_south, 4, 4));
    ck_assert_uint_eq(hex_neighbour(&odd_south, at, HEX_SE), hex_at(&odd_south, 4, 5));
    at = hex_at(&odd_south, 4, 4);
    ck_assert_uint_eq(hex_neighbour(&odd_south, at, HEX_NE), hex_at(&odd_south, 5, 3));
    ck_assert_uint_eq(hex_neighbour(&odd_south, at, HEX_SW), hex_at(&odd_south, 3, 4));
}
END_TEST

/* Distance by walking: rings of neighbours around a hex. */
static void check_distances(const struct hex_grid *g, unsigned from)
{
    unsigned far[44 * 34], queue[44 * 34], head = 0, tail = 0;
    memset(far, 0xff, sizeof far);
    far[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        unsigned at = queue[head++];
        ck_assert_uint_eq(hex_distance(g, from, at), far[at]);
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned to = hex_neighbour(g, at, d);
            if (to == HEX_NONE || far[to] != UINT32_MAX) { continue; }
            far[to] = far[at] + 1;
            queue[tail++] = to;
        }
    }
    ck_assert_uint_eq(tail, hex_count(g));
    struct hex_set band;
    memset(&band, 0, sizeof band);
    hex_band(g, from, 2, 3, &band);
    for (unsigned at = 0; at < hex_count(g); at++) {
        ck_assert(hex_set_has(&band, at) == (far[at] == 2 || far[at] == 3));
    }
}

START_TEST(distance_is_the_number_of_steps_and_bands_are_rings)
{
    static const char *const from[] = {"0101", "2319", "2218", "4434", "0134"};
    for (unsigned i = 0; i < sizeof from / sizeof from[0]; i++) {
        check_distances(&grid, hex(from[i]));
    }
    for (unsigned at = 0; at < hex_count(&odd_south); at++) {
        check_distances(&odd_south, at);
    }
    ck_assert_uint_eq(hex_distance(&grid, hex("2220"), hex("2519")), 3); /* P53 */
}
END_TEST

/* P31, P32, P33, P50 of the rules page. */
START_TEST(trajectories_are_all_shortest_chains_in_order)
{
    static const struct {
        const char *a, *b;
        unsigned n;
        const char *path[2][4];
    } rows[] = {
        {"1922", "1722", 2, {{"1922", "1821", "1722"}, {"1922", "1822", "1722"}}},
        {"2218", "2419", 1, {{"2218", "2319", "2419"}}},
        {"2322", "2023", 1, {{"2322", "2222", "2123", "2023"}}},
        {"2014", "2214", 2, {{"2014", "2114", "2214"}, {"2014", "2115", "2214"}}},
        {"2014", "2014", 0, {{NULL}}},
        {"0101", "4401", 0, {{NULL}}},
    };
    struct hex_path path[8];
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned n = hex_trajectories(&grid, hex(rows[i].a), hex(rows[i].b), path, 8);
        ck_assert_uint_eq(n, rows[i].n);
        for (unsigned k = 0; k < n; k++) {
            for (unsigned j = 0; j < path[k].len; j++) {
                ck_assert_str_eq(text_of(path[k].hex[j]), rows[i].path[k][j]);
            }
        }
    }
    /* Two steps of one kind and one of another: 3 chains; told all, written as many as asked for. */
    ck_assert_uint_eq(hex_trajectories(&grid, hex("2014"), hex("2314"), path, 2), 3);
}
END_TEST

START_TEST(lines_go_straight_and_turn_aside_as_told)
{
    uint16_t line[HEX_LINE_MAX];
    /* Along a hexside: between 1821 and 1822, to the south the one on the left when going west. */
    ck_assert_uint_eq(hex_line(&grid, hex("1922"), hex("1722"), false, line), 3);
    ck_assert_str_eq(text_of(line[1]), "1821");
    hex_line(&grid, hex("1922"), hex("1722"), true, line);
    ck_assert_str_eq(text_of(line[1]), "1822");
    hex_line(&grid, hex("1722"), hex("1922"), true, line);
    ck_assert_str_eq(text_of(line[1]), "1821");
    /* Off the map is no choice. */
    hex_line(&grid, hex("0101"), hex("0301"), true, line);
    ck_assert_str_eq(text_of(line[1]), "0201");
    ck_assert_uint_eq(hex_line(&grid, hex("0101"), hex("0101"), true, line), 1);
    /* Every line is a chain of neighbours of the right length. */
    for (unsigned a = 0; a < hex_count(&grid); a += 37) {
        for (unsigned b = 0; b < hex_count(&grid); b += 41) {
            unsigned n = hex_line(&grid, a, b, (a + b) % 2 == 0, line);
            ck_assert_uint_eq(n, hex_distance(&grid, a, b) + 1);
            ck_assert_uint_eq(line[0], a);
            ck_assert_uint_eq(line[n - 1], b);
            for (unsigned i = 1; i < n; i++) {
                ck_assert_uint_ne(hex_side_to(&grid, line[i - 1], line[i]), HEX_SIDES);
            }
        }
    }
}
END_TEST

/* The tables made from the data file are the geometry once more. */
START_TEST(the_board_of_austerlitz_agrees_with_the_geometry)
{
    ck_assert_uint_eq(au_grid.columns, 44);
    ck_assert_uint_eq(au_grid.rows, 34);
    for (unsigned at = 0; at < AU_HEXES; at++) {
        const struct au_hex *here = &au_hexes[at];
        for (unsigned d = 0; d < HEX_SIDES; d++) {
            unsigned to = hex_neighbour(&au_grid, at, d);
            ck_assert_uint_eq(here->next[d], to);
            if (to == HEX_NONE) { continue; }
            unsigned back = hex_opposite(d);
            ck_assert_uint_eq(here->side[d], au_hexes[to].side[back]);
            ck_assert_uint_eq(here->bridge[d], au_hexes[to].bridge[back]);
            ck_assert_uint_eq(here->roads >> d & 1U, au_hexes[to].roads >> back & 1U);
        }
    }
    for (unsigned b = 0; b < au_bridge_count; b++) { /* 2.3: over a stream, and a road over it */
        unsigned d = hex_side_to(&au_grid, au_bridges[b].a, au_bridges[b].b);
        ck_assert_uint_ne(d, HEX_SIDES);
        ck_assert_uint_eq(au_hexes[au_bridges[b].a].side[d], AU_STREAM);
        ck_assert_uint_eq(au_hexes[au_bridges[b].a].bridge[d], b);
        ck_assert_uint_eq(au_hexes[au_bridges[b].a].roads >> d & 1U, 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hex");
    TCase *tests = tcase_create("hex");
    tcase_add_test(tests, numbers_are_read_as_printed_and_nothing_else);
    tcase_add_test(tests, neighbours_are_those_of_the_data_file);
    tcase_add_test(tests, each_hexside_has_one_number_from_both_sides);
    tcase_add_test(tests, odd_columns_south_is_the_other_kind_of_map);
    tcase_add_test(tests, distance_is_the_number_of_steps_and_bands_are_rings);
    tcase_add_test(tests, trajectories_are_all_shortest_chains_in_order);
    tcase_add_test(tests, lines_go_straight_and_turn_aside_as_told);
    tcase_add_test(tests, the_board_of_austerlitz_agrees_with_the_geometry);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
