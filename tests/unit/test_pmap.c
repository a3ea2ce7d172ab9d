/* tests/unit/test_pmap.c: the maps of Waterloo as tables, against the data's own figures (W1.2 to
 * W1.4). */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/geometry/pmap.h"
#include "common/rules/waterloo/wl.h"

static const struct wl_board *board(int base)
{
    return &wl_boards[base];
}

static uint8_t town(int base, const char *id)
{
    uint8_t index = pmap_town(&board(base)->map, id);
    ck_assert_uint_ne(index, PMAP_NONE);
    return index;
}

START_TEST(index_order_is_id_order)
{
    const struct pmap *map = &board(_i)->map;
    for (unsigned i = 1; i < map->towns; i++) {
        ck_assert_int_lt(strcmp(map->town_ids[i - 1], map->town_ids[i]), 0);
    }
    for (unsigned i = 1; i < map->roads; i++) {
        ck_assert_int_lt(strcmp(map->road_ids[i - 1], map->road_ids[i]), 0);
    }
}
END_TEST

START_TEST(every_id_is_found_and_no_other)
{
    const struct pmap *map = &board(_i)->map;
    for (unsigned i = 0; i < map->towns; i++) {
        ck_assert_uint_eq(pmap_town(map, map->town_ids[i]), i);
    }
    for (unsigned i = 0; i < map->roads; i++) {
        ck_assert_uint_eq(pmap_road(map, map->road_ids[i]), i);
    }
    ck_assert_uint_eq(pmap_town(map, ""), PMAP_NONE);
    ck_assert_uint_eq(pmap_town(map, "zzz"), PMAP_NONE);
    ck_assert_uint_eq(pmap_road(map, "r"), PMAP_NONE);
}
END_TEST

START_TEST(links_agree_with_roads)
{
    const struct pmap *map = &board(_i)->map;
    unsigned ends = 0;
    for (unsigned t = 0; t < map->towns; t++) {
        uint64_t set = 0;
        for (unsigned i = 0; i < map->degree[t]; i++) {
            const struct pmap_link *link = &map->link[t][i];
            const struct pmap_road *road = &map->road[link->road];
            ck_assert((road->a == t && road->b == link->town) ||
                      (road->b == t && road->a == link->town));
            ck_assert_uint_eq(pmap_road_between(map, (uint8_t)t, link->town), link->road);
            if (i > 0) { ck_assert_uint_le(map->link[t][i - 1].town, link->town); }
            set |= UINT64_C(1) << link->town;
        }
        ck_assert_uint_eq(pmap_neighbours(map, (uint8_t)t), set);
        ends += map->degree[t];
    }
    ck_assert_uint_eq(ends, 2U * map->roads);
}
END_TEST

START_TEST(the_fixture_is_that_of_the_rules_page)
{
    const struct wl_board *f = board(WL_BASE_FIXTURE);
    static const struct {
        const char *id;
        unsigned capacity;
    } roads[] = {{"r13", 4}, {"r05", 3}, {"r11", 3}, {"r14", 3}, {"r19", 3},
                 {"r01", 8}, {"r04", 8}, {"r09", 8}, {"r10", 8}, {"r16", 8},
                 {"r20", 8}, {"r22", 8}, {"r06", 6}, {"r07", 6}, {"r12", 6}};
    ck_assert_uint_eq(f->map.towns, 13);
    ck_assert_uint_eq(f->map.roads, 22);
    ck_assert_uint_eq(f->slots, 12);
    for (size_t i = 0; i < sizeof roads / sizeof roads[0]; i++) {
        ck_assert_uint_eq(wl_road_capacity(f, pmap_road(&f->map, roads[i].id)), roads[i].capacity);
    }
    ck_assert_uint_eq(f->zone[town(WL_BASE_FIXTURE, "F2")], WL_ZONE_FRANCE);
    ck_assert_uint_eq(f->zone[town(WL_BASE_FIXTURE, "BR")], WL_ZONE_ANGLO);
    ck_assert_uint_eq(f->zone[town(WL_BASE_FIXTURE, "E3")], WL_ZONE_PRUSSIAN);
    ck_assert_uint_eq(f->supply[town(WL_BASE_FIXTURE, "BR")], 1U << WL_AD | 1U << WL_PR);
    ck_assert_uint_eq(f->supply[town(WL_BASE_FIXTURE, "GH")], 1U << WL_AD);
    ck_assert_uint_eq(f->supply[town(WL_BASE_FIXTURE, "LI")], 1U << WL_PR);
    /* Slots 3, 6, 9 and 12 are nights, French and Allied in turn. */
    for (unsigned i = 0; i < 12; i++) {
        ck_assert_uint_eq(f->slot[i].side, i % 2);
        ck_assert_uint_eq(f->slot[i].night, i % 3 == 2);
    }
    ck_assert_uint_eq(
        pmap_road_between(&f->map, town(WL_BASE_FIXTURE, "F2"), town(WL_BASE_FIXTURE, "W3")),
        PMAP_NONE);
}
END_TEST

START_TEST(the_real_board_has_its_bases_and_its_time_record)
{
    const struct wl_board *r = board(WL_BASE_REAL);
    ck_assert_uint_eq(r->map.towns, 47);
    ck_assert_uint_eq(r->map.roads, 91);
    ck_assert_uint_eq(r->slots, 24);
    for (unsigned i = 0; i < 24; i++) {
        ck_assert_uint_eq(r->slot[i].side, i % 2);       /* W3.1 */
        ck_assert_uint_eq(r->slot[i].night, i % 3 == 2); /* R46 */
    }
    ck_assert_str_eq(r->slot[0].date, "1815-06-15");
    ck_assert_str_eq(r->slot[23].date, "1815-06-22");
    unsigned bases = 0;
    for (unsigned t = 0; t < r->map.towns; t++) {
        bases += r->supply[t] != 0;
    }
    ck_assert_uint_eq(bases, 3); /* W15.1 */
    ck_assert_uint_eq(r->supply[town(WL_BASE_REAL, "brussels")], 1U << WL_AD | 1U << WL_PR);
    ck_assert_uint_eq(r->supply[town(WL_BASE_REAL, "ghent")], 1U << WL_AD);
    ck_assert_uint_eq(r->supply[town(WL_BASE_REAL, "liege")], 1U << WL_PR);
    /* W1.3: Brussels lies on the east bank, so the road to Alost crosses the river. */
    uint8_t road = pmap_road(&r->map, "brussels-alost");
    ck_assert_uint_eq(r->map.road[road].flags & WL_ROAD_RIVER, WL_ROAD_RIVER);
    ck_assert_uint_eq(wl_road_capacity(r, road), 4);
}
END_TEST

START_TEST(units_are_those_of_the_order_of_battle_W1_6)
{
    static const struct {
        unsigned nation, units, cv;
    } armies[] = {{WL_FR, 18, 52}, {WL_AD, 14, 39}, {WL_PR, 16, 39}};
    for (size_t i = 0; i < 3; i++) {
        unsigned units = 0;
        unsigned cv = 0;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            if (wl_nation(u) != armies[i].nation) { continue; }
            units++;
            cv += wl_unit_facts[u].cv;
        }
        ck_assert_uint_eq(units, armies[i].units);
        ck_assert_uint_eq(cv, armies[i].cv);
    }
    ck_assert_str_eq(wl_unit_facts[0].id, "FR-A");
    ck_assert_str_eq(wl_unit_facts[18].id, "AD-A");
    ck_assert_str_eq(wl_unit_facts[32].id, "PR-A");
    ck_assert_uint_eq(wl_type(wl_find_unit("PR-P")), WL_HORSE_ARTILLERY); /* R52 */
    ck_assert_uint_eq(wl_type(wl_find_unit("AD-K")), WL_FOOT_ARTILLERY);
    ck_assert(wl_is_mounted(wl_find_unit("FR-Q")) && wl_is_artillery(wl_find_unit("FR-Q")));
    ck_assert_uint_eq(wl_find_unit("FR-S"), WL_NONE);
    ck_assert_uint_eq(wl_find_unit(""), WL_NONE);
    for (unsigned i = 0; i < WL_UNITS; i++) {
        unsigned u = wl_unit_by_id_order[i];
        ck_assert_uint_eq(wl_find_unit(wl_unit_facts[u].id), u);
        if (i == 0) { continue; }
        ck_assert_int_lt(strcmp(wl_unit_facts[wl_unit_by_id_order[i - 1]].id, wl_unit_facts[u].id),
                         0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pmap");
    TCase *tc = tcase_create("pmap");
    tcase_add_loop_test(tc, index_order_is_id_order, 0, WL_BASES);
    tcase_add_loop_test(tc, every_id_is_found_and_no_other, 0, WL_BASES);
    tcase_add_loop_test(tc, links_agree_with_roads, 0, WL_BASES);
    tcase_add_test(tc, the_fixture_is_that_of_the_rules_page);
    tcase_add_test(tc, the_real_board_has_its_bases_and_its_time_record);
    tcase_add_test(tc, units_are_those_of_the_order_of_battle_W1_6);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
