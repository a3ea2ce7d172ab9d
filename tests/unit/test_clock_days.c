/* tests/unit/test_clock_days.c: zones and calendars against tables that were worked out otherwise.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/clock_golden.h"
#include "tests/unit/clock_kit.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct zone *zone_of(const char *name)
{
    const struct zone *zone = NULL;
    ck_assert_msg(zone_find(name, &zone) == ERR_OK, "%s", name);
    return zone;
}

static void check_walls(void)
{
    for (size_t i = 0; i < COUNT(wall_rows); i++) {
        const struct wall_row *row = &wall_rows[i];
        const struct zone *zone = zone_of(row->zone);
        const int64_t day = kit_day(row->day);
        const char *first = kit_text(zone_instant_ms(zone, day, row->minute, ZONE_FIRST));
        const char *last = kit_text(zone_instant_ms(zone, day, row->minute, ZONE_LAST));
        ck_assert_msg(strcmp(first, row->first) == 0, "%s %s %d first: %s, not %s", row->zone,
                      row->day, row->minute, first, row->first);
        ck_assert_msg(strcmp(last, row->last) == 0, "%s %s %d last: %s, not %s", row->zone,
                      row->day, row->minute, last, row->last);
    }
}

START_TEST(walls_and_instants_over_the_changes_of_fifteen_zones)
{
    check_walls();
    for (size_t i = 0; i < COUNT(offset_rows); i++) {
        const struct offset_row *row = &offset_rows[i];
        int64_t until_ms = 0;
        const int64_t at_ms = kit_ms(row->at);
        ck_assert_int_eq(zone_offset_s(zone_of(row->zone), at_ms, &until_ms), row->offset_s);
        ck_assert_int_gt(until_ms, at_ms);
    }
}
END_TEST

/* BR-13: the host's own zone changes nothing. */
START_TEST(zone_of_the_host_does_not_matter_BR_13)
{
    static const char *const hosts[] = {"Asia/Tokyo", "America/Los_Angeles", "XYZ-14"};
    for (size_t i = 0; i < COUNT(hosts); i++) {
        setenv("TZ", hosts[i], 1);
        tzset();
        check_walls();
    }
}
END_TEST

START_TEST(a_skipped_hour_is_the_instant_after_and_a_doubled_one_is_two)
{
    const struct zone *brussels = zone_of("Europe/Brussels"),
                      *kathmandu = zone_of("Asia/Kathmandu");
    char offset[8];
    assert_time(zone_instant_ms(brussels, kit_day("2026-03-29"), 150, ZONE_FIRST),
                "2026-03-29T01:00:00Z");
    assert_time(zone_instant_ms(brussels, kit_day("2026-03-29"), 150, ZONE_LAST),
                "2026-03-29T01:00:00Z");
    assert_time(zone_instant_ms(brussels, kit_day("2026-10-25"), 150, ZONE_FIRST),
                "2026-10-25T00:30:00Z");
    assert_time(zone_instant_ms(brussels, kit_day("2026-10-25"), 150, ZONE_LAST),
                "2026-10-25T01:30:00Z");
    int32_t minute = 0;
    ck_assert_int_eq(zone_day(kathmandu, kit_ms("2026-03-28T18:20:00Z"), &minute),
                     kit_day("2026-03-29")); /* five and three quarter hours ahead */
    ck_assert_int_eq(minute, 5);
    zone_write_offset(zone_offset_s(kathmandu, kit_ms("2026-03-28T18:20:00Z"), NULL), offset);
    ck_assert_str_eq(offset, "+05:45");
    zone_write_offset(
        zone_offset_s(zone_of("America/St_Johns"), kit_ms("2026-01-01T00:00:00Z"), NULL), offset);
    ck_assert_str_eq(offset, "-03:30");
}
END_TEST

START_TEST(what_is_no_zone_is_refused)
{
    static const char *const names[] = {"",
                                        "Europe/Waterloo",
                                        "europe/brussels",
                                        "CET-1CEST",
                                        "EST5EDT,M3.2.0,M11.1.0",
                                        "+01:00",
                                        "/usr/share/zoneinfo/Europe/Brussels",
                                        "../zoneinfo/Europe/Brussels",
                                        "Europe/../Europe/Brussels",
                                        "Europe",
                                        "posix/Europe/Brussels",
                                        "localtime",
                                        "Europe/Brussels ",
                                        "An/Endless/Name/That/No/Zone/Has/For/Ever/And/Ever"};
    const struct zone *zone = NULL;
    for (size_t i = 0; i < COUNT(names); i++) {
        ck_assert_msg(zone_find(names[i], &zone) == ERR_INVALID_PARAMS, "%s", names[i]);
    }
    ck_assert_ptr_null(zone);
    ck_assert_ptr_eq(zone_of("UTC"), zone_utc());
    ck_assert_ptr_eq(zone_of("Europe/Brussels"), zone_of("Europe/Brussels"));
    ck_assert_str_eq(zone_name(zone_of("America/New_York")), "America/New_York");
}
END_TEST

START_TEST(dates_go_there_and_back)
{
    ck_assert_int_eq(zone_day_of_date(1970, 1, 1), 0);
    ck_assert_int_eq(zone_day_of_date(2000, 3, 1), 11017); /* date +%s -d 2000-03-01 / 86400 */
    ck_assert_int_eq(zone_day_of_date(2026, 11, 30), 20787);
    ck_assert_uint_eq(zone_weekday(zone_day_of_date(2026, 11, 30)), 0); /* a Monday */
    ck_assert_uint_eq(zone_weekday(zone_day_of_date(1815, 6, 18)), 6);  /* a Sunday */
    for (int64_t day = -150000; day < 150000; day += 7) {
        int64_t year = 0;
        unsigned month = 0, of_month = 0;
        zone_date_of_day(day, &year, &month, &of_month);
        ck_assert_int_eq(zone_day_of_date(year, month, of_month), day);
    }
    ck_assert_str_eq(kit_text(kit_ms("2026-12-02T18:00:00Z")), "2026-12-02T18:00:00Z");
    ck_assert_str_eq(kit_text(kit_ms("2026-12-02T18:00:00.045Z")), "2026-12-02T18:00:00.045Z");
}
END_TEST

START_TEST(deadlines_over_the_changes_of_fifteen_zones)
{
    for (size_t i = 0; i < COUNT(deadline_rows); i++) {
        const struct deadline_row *row = &deadline_rows[i];
        const struct clock_spec spec = kit_spec(row->spec, 2);
        const struct clock_calendar player = kit_calendar(row->zone, row->sleep, row->vacation);
        const struct clock_calendar calendars[2] = {player, player};
        struct clock clock;
        ck_assert_int_eq(clock_begin(&spec, 2, calendars, kit_ms(row->asked), &clock), ERR_OK);
        kit_turn(&clock, &spec, 1, "", kit_ms(row->asked));
        const char *deadline = kit_text(clock.seat[0].deadline_ms);
        ck_assert_msg(strcmp(deadline, row->deadline) == 0, "row %zu: %s by %s %s %s, not %s", i,
                      row->spec, row->zone, row->sleep, deadline, row->deadline);
        /* What is shown is what fires, however often it is settled before. */
        struct clock_event event = {.kind = CLOCK_EV_NONE};
        while (event.kind != CLOCK_EV_LATE) {
            clock_next(&clock, &spec, &event);
            ck_assert_int_ne(event.kind, CLOCK_EV_NONE);
            ck_assert_int_eq(event.kind == CLOCK_EV_LATE, event.at_ms == kit_ms(row->deadline));
            clock_fire(&clock, &spec, &event);
        }
    }
}
END_TEST

static void *look_up(void *arg)
{
    static const char *const names[] = {"Europe/Paris",   "Asia/Tokyo",      "America/Denver",
                                        "Africa/Nairobi", "Australia/Perth", "Europe/Kyiv"};
    for (unsigned i = 0; i < 3000; i++) {
        const struct zone *zone = NULL;
        if (zone_find(names[i % COUNT(names)], &zone) != ERR_OK) { return arg; }
        if (zone_day(zone, kit_ms("2026-06-18T12:00:00Z"), NULL) != kit_day("2026-06-18")) {
            return arg;
        }
    }
    return NULL;
}

START_TEST(zones_may_be_asked_from_any_thread)
{
    pthread_t threads[4];
    int wrong = 0;
    for (size_t i = 0; i < COUNT(threads); i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, look_up, &wrong), 0);
    }
    for (unsigned i = 0; i < 20; i++) {
        (void)zones_refresh(kit_ms("2026-06-18T12:00:00Z"));
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        void *result = NULL;
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_null(result);
    }
}
END_TEST

static void copy_file(const char *from, const char *to)
{
    char bytes[65536];
    FILE *in = fopen(from, "rb");
    ck_assert_ptr_nonnull(in);
    const size_t n = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    FILE *out = fopen(to, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
    ck_assert_int_eq(fclose(out), 0);
}

/* BR-13: a database that is brought up to date moves deadlines ahead, and nothing that was. */
START_TEST(an_update_of_the_database_moves_only_what_is_ahead_BR_13)
{
    char folder[] = "/tmp/vedette-zones-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/Realm", folder);
    copy_file("/usr/share/zoneinfo/Europe/Brussels", path);
    setenv("TZDIR", folder, 1);
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':0,'per_move_s':3600,'zone':'Realm','at':'23:55'}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T21:55:00Z");
    const int64_t noon = kit_ms("2026-06-18T12:00:00Z");
    ck_assert_uint_eq(zones_refresh(noon), 0);
    ck_assert(!clock_refresh(&clock, &spec, clock.at_ms));
    (void)kit_fire(&clock, &spec, noon, NULL);
    const struct clock_seat before = clock.seat[0];
    copy_file("/usr/share/zoneinfo/Africa/Algiers", path); /* the realm gives up summer time */
    ck_assert_uint_eq(zones_refresh(noon), 1);
    ck_assert(zone_is_new(spec.zone) && clock_zones_new(&clock, &spec));
    ck_assert(clock_refresh(&clock, &spec, noon));
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T22:55:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 2 * HOUR); /* what ran until then */
    ck_assert_int_eq(clock.seat[0].bank_ms, before.bank_ms);
    ck_assert_int_eq(unlink(path), 0); /* and one that is gone goes on as it was known */
    ck_assert_uint_eq(zones_refresh(noon + HOUR), 0);
    ck_assert(zone_is_new(spec.zone)); /* still of the last that changed any */
    ck_assert(!clock_refresh(&clock, &spec, noon + HOUR));
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* What ran by the old rules stays charged by them, however long ago it was settled; from the moment
 * of the update on the new ones count. Worked out by hand: the player sleeps from 23:00 to 7:00 of
 * his realm, which was UTC+2 until the update and is UTC+1 from then on. */
START_TEST(an_update_of_the_database_takes_no_time_back_BR_13)
{
    char folder[] = "/tmp/vedette-zones-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/Ruritania", folder);
    copy_file("/usr/share/zoneinfo/Europe/Brussels", path);
    setenv("TZDIR", folder, 1);
    const struct clock_spec spec = kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':"
                                            "86400,'sleep':true,'ladder':{'remind_s':[]}}",
                                            2);
    const struct clock_calendar own = kit_calendar("Ruritania", "23:00-07:00", "");
    const struct clock_calendar calendars[2] = {own, own};
    struct clock clock;
    const int64_t start = kit_ms("2026-06-18T10:00:00Z");
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, start, &clock), ERR_OK);
    kit_turn(&clock, &spec, 1, "", start);
    /* 11 h to 21:00 UTC (23:00), a night to 5:00, 13 h to 18:00 on the 19th. */
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T18:00:00Z");
    /* At 2:00 UTC, in the night, the realm becomes UTC+1: it is 3:00 there, four hours to sleep. */
    copy_file("/usr/share/zoneinfo/Africa/Algiers", path);
    const int64_t now = kit_ms("2026-06-19T02:00:00Z");
    ck_assert_uint_eq(zones_refresh(now), 1);
    /* Nothing was settled since the start: the eleven hours are eleven all the same. */
    struct clock later = clock;
    ck_assert(clock_refresh(&later, &spec, now));
    ck_assert_int_eq(later.seat[0].used_ms, 11 * HOUR);
    assert_time(later.seat[0].deadline_ms, "2026-06-19T19:00:00Z");
    /* And by a walk from the start, before it was settled, the same comes out. */
    ck_assert(clock_refresh(&clock, &spec, clock.at_ms));
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T19:00:00Z");
    /* The database goes back: what was told of the hours between stays told. */
    copy_file("/usr/share/zoneinfo/Europe/Brussels", path);
    const int64_t noon = kit_ms("2026-06-19T12:00:00Z");
    ck_assert_uint_eq(zones_refresh(noon), 1);
    ck_assert_uint_eq(zones_refresh(noon + 1), 0);
    ck_assert(!clock_refresh(&later, &spec, noon));
    ck_assert_int_eq(later.seat[0].used_ms, 17 * HOUR); /* awake since 6:00 UTC */
    const struct zone *zone = later.seat[0].zone;
    ck_assert_int_eq(zone_offset_s(zone, now - 1, NULL), 7200);
    ck_assert_int_eq(zone_offset_s(zone, now, NULL), 3600);
    ck_assert_int_eq(zone_offset_s(zone, noon - 1, NULL), 3600);
    ck_assert_int_eq(zone_offset_s(zone, noon, NULL), 7200);
    ck_assert_int_eq(zone_offset_s(zone, kit_ms("2026-12-01T12:00:00Z"), NULL), 3600);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(the_version_of_the_database_is_that_of_its_folder)
{
    char folder[] = "/tmp/vedette-zones-XXXXXX", path[64], version[16];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TZDIR", folder, 1);
    zones_version(version);
    ck_assert_str_eq(version, "unknown");
    const uint64_t none = zones_mark();
    ck_assert_uint_eq(zones_mark(), none);
    snprintf(path, sizeof path, "%s/+VERSION", folder);
    FILE *file = fopen(path, "w");
    ck_assert_int_gt(fprintf(file, "2031c\n"), 0);
    ck_assert_int_eq(fclose(file), 0);
    zones_version(version);
    ck_assert_str_eq(version, "2031c");
    ck_assert_uint_ne(zones_mark(), none);
    snprintf(path, sizeof path, "%s/tzdata.zi", folder);
    file = fopen(path, "w");
    ck_assert_int_gt(fprintf(file, "# version 2032a\n"), 0);
    ck_assert_int_eq(fclose(file), 0);
    zones_version(version);
    ck_assert_str_eq(version, "2032a");
    ck_assert_int_eq(unlink(path), 0);
    snprintf(path, sizeof path, "%s/+VERSION", folder);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(so_many_zones_and_no_more_ZONES_MAX)
{
    char folder[] = "/tmp/vedette-zones-XXXXXX", path[64], name[16];
    const struct zone *zone = NULL;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TZDIR", folder, 1);
    unsigned made = 0;
    enum err err = ERR_OK;
    for (; err == ERR_OK && made <= ZONES_MAX; made++) {
        snprintf(name, sizeof name, "Z%u", made);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        copy_file("/usr/share/zoneinfo/Asia/Tokyo", path);
        err = zone_find(name, &zone);
        unlink(path);
    }
    ck_assert_int_eq(err, ERR_TOO_LARGE);
    ck_assert_uint_eq(made, ZONES_MAX + 1);
    ck_assert_int_eq(zone_find("Z7", &zone), ERR_OK);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock_days");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, walls_and_instants_over_the_changes_of_fifteen_zones);
    tcase_add_test(tcase, zone_of_the_host_does_not_matter_BR_13);
    tcase_add_test(tcase, a_skipped_hour_is_the_instant_after_and_a_doubled_one_is_two);
    tcase_add_test(tcase, what_is_no_zone_is_refused);
    tcase_add_test(tcase, dates_go_there_and_back);
    tcase_add_test(tcase, deadlines_over_the_changes_of_fifteen_zones);
    tcase_add_test(tcase, zones_may_be_asked_from_any_thread);
    tcase_add_test(tcase, an_update_of_the_database_moves_only_what_is_ahead_BR_13);
    tcase_add_test(tcase, an_update_of_the_database_takes_no_time_back_BR_13);
    tcase_add_test(tcase, the_version_of_the_database_is_that_of_its_folder);
    tcase_add_test(tcase, so_many_zones_and_no_more_ZONES_MAX);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
