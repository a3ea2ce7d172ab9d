/* tests/unit/test_clock.c: the transitions of a clock, its ladder, and what it says of itself. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "tests/unit/clock_kit.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define ONE      "{'kind':'live','bank_s':600,'increment_s':10}"

static const char *const codes[] = {"FR", "AD", "PR"};

/* --- banks, spans, increments ----------------------------------------------------------------- */

START_TEST(a_move_is_a_sitting_and_increments_come_with_it)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = kit_ms("2026-06-18T10:00:00Z");
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T10:10:00Z");
    /* A line that leaves the mask as it is, a quiet one or an undo, is no turn. */
    ck_assert(!clock_turn(&clock, &spec, &(struct clock_ask){.mask = 1}, t + 20 * SECOND));
    ck_assert_int_eq(clock.seat[0].used_ms, 0);
    kit_turn(&clock, &spec, 2, "", t + 90 * SECOND + 123);
    ck_assert_int_eq(clock.seat[0].used_ms, 90 * SECOND + 123);
    ck_assert_int_eq(clock.seat[0].bank_ms, 520 * SECOND - 123);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "stands");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "runs");
    assert_time(clock.seat[0].deadline_ms, "never");
    assert_time(clock.seat[1].deadline_ms, "2026-06-18T10:11:30.123Z");
    /* Both at once: each has its own sitting. */
    kit_turn(&clock, &spec, 3, "", t + 100 * SECOND);
    ck_assert_int_eq(clock_bank_at_ms(&clock, &spec, 1, t + 110 * SECOND), 580 * SECOND + 123);
    kit_turn(&clock, &spec, 0, "", t + 130 * SECOND);
    ck_assert_int_eq(clock.seat[0].used_ms, 120 * SECOND + 123);
    ck_assert_int_eq(clock.seat[1].bank_ms, 600 * SECOND - 40 * SECOND + 123 + 10 * SECOND);
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_NONE);
}
END_TEST

/* Two allies end a step in secret, and one of them never comes: the other does not pay for it. */
START_TEST(who_had_done_his_part_has_his_bank_again)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','bank_s':7200,'per_move_s':3600}", 3);
    struct clock clock = kit_clock(&spec, 3, "2026-06-18T10:00:00Z", 6), again;
    uint8_t bytes[CLOCK_PACK_BYTES_MAX];
    clock_grant(&clock, &spec, 1, 600 * SECOND, kit_ms("2026-06-18T11:30:00Z"));
    ck_assert_int_eq(clock.seat[1].bank_ms, (7200 + 600 - 1800) * SECOND);
    ck_assert_int_eq(clock_unpack(bytes, clock_pack(&clock, bytes), &spec, &again), ERR_OK);
    clock_excuse(&again, &spec, 2, kit_ms("2026-06-18T12:30:00Z"));
    ck_assert_int_eq(again.seat[1].bank_ms, (7200 + 600) * SECOND);
    ck_assert_int_eq(again.seat[2].bank_ms, (7200 - 5400) * SECOND);
    ck_assert_uint_eq(again.excused, 2);
    kit_turn(&again, &spec, 4, "", kit_ms("2026-06-18T12:30:00Z"));
    ck_assert_int_eq(again.seat[1].bank_ms, (7200 + 600) * SECOND);
    ck_assert_str_eq(clock_state_word(&again, &spec, 1), "stands");
    /* Who is not asked has paid nothing. */
    clock_excuse(&again, &spec, 1, kit_ms("2026-06-18T12:40:00Z"));
    ck_assert_int_eq(again.seat[0].bank_ms, 7200 * SECOND);
}
END_TEST

START_TEST(no_grant_lifts_a_bank_above_years)
{
    const struct clock_spec spec = kit_spec("{'kind':'live','bank_s':600}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1), again;
    uint8_t bytes[CLOCK_PACK_BYTES_MAX];
    for (unsigned i = 0; i < 400; i++) {
        clock_grant(&clock, &spec, 1, 366 * DAY, clock.at_ms);
    }
    ck_assert_int_eq(clock.seat[1].bank_ms, CLOCK_BANK_MS_MAX);
    ck_assert_int_eq(clock_unpack(bytes, clock_pack(&clock, bytes), &spec, &again), ERR_OK);
    ck_assert_int_eq(again.seat[1].bank_ms, 1830 * DAY);
}
END_TEST

START_TEST(no_increment_lifts_a_bank_above_its_bound)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'live','bank_s':600,'bank_max_s':605,'increment_s':10}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    kit_turn(&clock, &spec, 2, "", t + 2 * SECOND);
    ck_assert_int_eq(clock.seat[0].bank_ms, 605 * SECOND);
    clock_grant(&clock, &spec, 0, 60 * SECOND, t + 3 * SECOND); /* a grant may, and it stays */
    kit_turn(&clock, &spec, 1, "", t + 4 * SECOND);
    kit_turn(&clock, &spec, 2, "", t + 5 * SECOND);
    ck_assert_int_eq(clock.seat[0].bank_ms, 664 * SECOND);
}
END_TEST

START_TEST(the_span_goes_first_then_the_bank)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':7200,'per_move_s':3600,'ladder':{'remind_s':[]}}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    assert_time(clock_span_end_ms(&clock, &spec, 0), "2026-06-18T11:00:00Z");
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T13:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_BANK, "2026-06-18T11:00:00Z");
    kit_turn(&clock, &spec, 2, "", kit_ms("2026-06-18T11:30:00Z"));
    ck_assert_int_eq(clock.seat[0].bank_ms, 5400 * SECOND);
    ck_assert_int_eq(clock.seat[0].used_ms, 5400 * SECOND);
    kit_turn(&clock, &spec, 1, "", kit_ms("2026-06-18T12:00:00Z")); /* a new span, the old bank */
    assert_time(clock_span_end_ms(&clock, &spec, 0), "2026-06-18T13:00:00Z");
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T14:30:00Z");
}
END_TEST

START_TEST(a_sitting_has_the_longest_span_of_its_phases_W_07)
{
    const struct clock_spec spec = kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':3600,"
                                            "'phases':{'combat':7200,'move':86400},"
                                            "'ladder':{'remind_s':[]}}",
                                            2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:00:00Z");
    kit_turn(&clock, &spec, 1, "combat", t + 30 * MINUTE);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T12:00:00Z");
    for (int i = 0; i < 5; i++) { /* phases that come back give nothing again */
        kit_turn(&clock, &spec, 1, "supply", t + (31 + 2 * i) * MINUTE);
        kit_turn(&clock, &spec, 1, "combat", t + (32 + 2 * i) * MINUTE);
    }
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T12:00:00Z");
    kit_turn(&clock, &spec, 1, "move", t + 90 * MINUTE);
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T10:00:00Z");
    kit_turn(&clock, &spec, 2, "move", t + 2 * HOUR);
    assert_time(clock.seat[1].deadline_ms, "2026-06-19T12:00:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 2 * HOUR);
}
END_TEST

START_TEST(a_sitting_in_its_bank_that_comes_to_a_longer_phase_has_span_again)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'live','bank_s':600,'increment_s':0,'per_move_s':60,'phases':{'set_up':300}}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    kit_turn(&clock, &spec, 1, "set_up", t + 100 * SECOND); /* 40 s of the bank are gone */
    ck_assert_int_eq(clock.seat[0].bank_ms, 560 * SECOND);
    kit_turn(&clock, &spec, 0, "set_up", t + 350 * SECOND); /* 240 s more span, then 10 s of bank */
    ck_assert_int_eq(clock.seat[0].bank_ms, 550 * SECOND);
    ck_assert_int_eq(clock.seat[0].used_ms, 350 * SECOND);
}
END_TEST

/* DESIGN 6: pace. Time used within it costs nothing. */
START_TEST(time_within_the_pace_of_an_interrupt_costs_nothing)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    const struct clock_ask ask = {.mask = 2, .pace = 2, .pace_ms = 5 * MINUTE};
    ck_assert(clock_turn(&clock, &spec, &ask, t + SECOND));
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "pace");
    assert_time(clock.seat[1].deadline_ms, "2026-06-18T10:15:01Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_EDGE, "2026-06-18T10:05:01Z");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "runs");
    kit_turn(&clock, &spec, 1, "", t + 5 * MINUTE + 31 * SECOND);
    ck_assert_int_eq(clock.seat[1].used_ms, 30 * SECOND);
    ck_assert_int_eq(clock.seat[1].bank_ms, 580 * SECOND); /* and the increment */
    /* Answered within: nothing at all. */
    ck_assert(clock_turn(&clock, &spec, &ask, t + 10 * MINUTE));
    kit_turn(&clock, &spec, 1, "", t + 15 * MINUTE);
    ck_assert_int_eq(clock.seat[1].used_ms, 30 * SECOND);
}
END_TEST

START_TEST(rewind_and_undo_give_no_time_back)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    kit_turn(&clock, &spec, 2, "", t + 60 * SECOND);
    const struct clock_ask back = {.mask = 1, .rewound = true};
    ck_assert(clock_turn(&clock, &spec, &back, t + 90 * SECOND));
    ck_assert_int_eq(clock.seat[0].bank_ms, 550 * SECOND); /* 60 used, 10 earned by the first */
    ck_assert_int_eq(clock.seat[1].bank_ms, 570 * SECOND); /* 30 used, nothing earned */
    kit_turn(&clock, &spec, 2, "", t + 100 * SECOND);
    ck_assert_int_eq(clock.seat[0].used_ms, 70 * SECOND);
    ck_assert_int_eq(clock.seat[1].used_ms, 30 * SECOND);
}
END_TEST

/* --- BR-12, BR-13 ----------------------------------------------------------------------------- */

/* 5 days a move, the weekend stands, nobody moves. Asked on a Wednesday at noon: until Friday
 * midnight 2.5 days, Monday and half of Tuesday.. in running days: Wed 12:00 + 5 = the next Wed. */
START_TEST(weekends_give_no_time_back_BR_12)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','zone':'UTC','days':['mon','tue','wed','thu','fri'],'bank_s':0,"
        "'per_move_s':432000,'ladder':{'remind_s':[],'grace_s':0}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-17T12:00:00Z", 1);
    assert_time(clock.seat[0].deadline_ms, "2026-06-24T12:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_EDGE, "2026-06-20T00:00:00Z");
    const int64_t before_ms = clock.seat[0].left_ms;
    ck_assert_int_eq(before_ms, 5 * DAY - 60 * HOUR);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "closed");
    kit_expect_event(&clock, &spec, CLOCK_EV_EDGE, "2026-06-22T00:00:00Z");
    ck_assert_int_eq(clock.seat[0].left_ms, before_ms);
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-24T12:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-24T12:00:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 5 * DAY);
}
END_TEST

/* The same as pauses: every Friday evening all agree, every Monday they go on. */
START_TEST(pauses_give_no_time_back_BR_12)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':432000,"
                 "'ladder':{'remind_s':[],'grace_s':0}}",
                 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-17T12:00:00Z", 1);
    ck_assert_int_eq(clock_pause(&clock, &spec, true, kit_ms("2026-06-19T18:00:00.250Z"), NULL),
                     ERR_OK);
    const int64_t before_ms = clock.seat[0].left_ms;
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "paused");
    assert_time(clock.seat[0].deadline_ms, "never");
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_NONE);
    ck_assert_int_eq(clock_resume(&clock, &spec, kit_ms("2026-06-22T08:00:00.750Z"), NULL), ERR_OK);
    ck_assert_int_eq(clock.seat[0].left_ms, before_ms);
    assert_time(clock.seat[0].deadline_ms, "2026-06-25T02:00:00.500Z"); /* 62 h and half a second */
    for (int i = 1; i <= 50; i++) { /* and fifty of a minute move it by fifty minutes */
        const int64_t t = kit_ms("2026-06-22T09:00:00Z") + i * 10 * MINUTE;
        ck_assert_int_eq(clock_pause(&clock, &spec, true, t, NULL), ERR_OK);
        ck_assert_int_eq(clock_resume(&clock, &spec, t + MINUTE, NULL), ERR_OK);
    }
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-25T02:50:00.500Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 5 * DAY);
}
END_TEST

/* "Sunday 23:55" of a zone, asked in February, and over the change in March or April. By hand:
 * Brussels 2026-04-05 is summer time (+02:00); New York 2026-04-05 too (-04:00); Auckland goes back
 * to +12:00 on that very day at 3 o'clock; Kathmandu is always +05:45. */
static const struct fixed_row {
    const char *zone, *asked, *at, *days, *deadline;
    int span_s;
} fixed_rows[] = {
    {"Europe/Brussels", "2026-02-20T12:00:00Z", "23:55", "sun", "2026-04-05T21:55:00Z", 3700000},
    {"America/New_York", "2026-02-20T12:00:00Z", "23:55", "sun", "2026-04-06T03:55:00Z", 3700000},
    {"Pacific/Auckland", "2026-02-20T12:00:00Z", "23:55", "sun", "2026-04-05T11:55:00Z", 3700000},
    {"Asia/Kathmandu", "2026-02-20T12:00:00Z", "23:55", "sun", "2026-04-05T18:10:00Z", 3700000},
    {"Europe/Brussels", "2026-02-20T12:00:00Z", "23:55", "sun", "2026-02-22T22:55:00Z", 3600},
    /* In the hour that is skipped: the instant after it. */
    {"Europe/Brussels", "2026-03-28T12:00:00Z", "02:30", "sun", "2026-03-29T01:00:00Z", 3600},
    {"America/New_York", "2026-03-07T12:00:00Z", "02:30", "sun", "2026-03-08T07:00:00Z", 3600},
    {"Pacific/Auckland", "2026-09-26T00:00:00Z", "02:30", "sun", "2026-09-26T14:00:00Z", 3600},
    /* In the one that is there twice: the second time. */
    {"Europe/Brussels", "2026-10-24T12:00:00Z", "02:30", "sun", "2026-10-25T01:30:00Z", 3600},
    {"America/New_York", "2026-10-31T12:00:00Z", "01:30", "sun", "2026-11-01T06:30:00Z", 3600},
    {"Pacific/Auckland", "2026-04-04T00:00:00Z", "02:30", "sun", "2026-04-04T14:30:00Z", 3600},
    {"Australia/Lord_Howe", "2026-04-04T00:00:00Z", "01:45", "sun", "2026-04-04T15:15:00Z", 3600},
};

START_TEST(fixed_times_are_of_the_zone_on_that_day_BR_13)
{
    for (size_t i = 0; i < COUNT(fixed_rows); i++) {
        const struct fixed_row *row = &fixed_rows[i];
        char text[512];
        snprintf(text, sizeof text,
                 "{'kind':'correspondence','bank_s':0,'per_move_s':%d,'zone':'%s','at':'%s','days':"
                 "['%s']}",
                 row->span_s, row->zone, row->at, row->days);
        const struct clock_spec spec = kit_spec(text, 2);
        const struct clock clock = kit_clock(&spec, 2, row->asked, 1);
        ck_assert_msg(clock.seat[0].deadline_ms == kit_ms(row->deadline), "%s asked %s: %s, not %s",
                      text, row->asked, kit_text(clock.seat[0].deadline_ms), row->deadline);
    }
}
END_TEST

START_TEST(a_fixed_time_keeps_its_gap_and_moves_with_pauses_W_07)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':600,'per_move_s':3600,'zone':'Europe/Brussels','at':"
        "'20:00','min_gap_s':86400,'ladder':{'remind_s':[],'grace_s':0}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-17T18:00:01Z", 1);
    assert_time(clock_span_end_ms(&clock, &spec, 0), "2026-06-19T18:00:00Z"); /* not on the 18th */
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T18:10:00Z");
    /* A pause of two hours moves what it falls back on by two hours: the same evening still. */
    ck_assert_int_eq(clock_pause(&clock, &spec, true, kit_ms("2026-06-18T08:00:00Z"), NULL),
                     ERR_OK);
    ck_assert_int_eq(clock_resume(&clock, &spec, kit_ms("2026-06-18T10:00:00Z"), NULL), ERR_OK);
    assert_time(clock_span_end_ms(&clock, &spec, 0), "2026-06-19T18:00:00Z");
    /* One of a day moves it by a day. */
    ck_assert_int_eq(clock_pause(&clock, &spec, true, kit_ms("2026-06-18T11:00:00Z"), NULL),
                     ERR_OK);
    ck_assert_int_eq(clock_resume(&clock, &spec, kit_ms("2026-06-19T11:00:00Z"), NULL), ERR_OK);
    assert_time(clock_span_end_ms(&clock, &spec, 0), "2026-06-20T18:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_BANK, "2026-06-20T18:00:00Z");
    /* Once the bank runs, a pause stops the bank and brings no fixed time back. */
    ck_assert_int_eq(clock_pause(&clock, &spec, true, kit_ms("2026-06-20T18:05:00Z"), NULL),
                     ERR_OK);
    ck_assert_int_eq(clock_resume(&clock, &spec, kit_ms("2026-06-25T18:00:00Z"), NULL), ERR_OK);
    assert_time(clock.seat[0].deadline_ms, "2026-06-25T18:05:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-25T18:05:00Z");
}
END_TEST

/* Sunday 23:55, the span long used up. A restart of ten seconds moves nothing; an outage or a pause
 * across the hour moves it to the next Sunday: who comes back has time. */
/* Noon in Auckland is midnight in Brussels: the fixed time is the instant at which the vacation
 * begins, and the next the one at which it ends. */
START_TEST(a_fixed_time_at_which_a_vacation_begins_is_none)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':600,'zone':'Pacific/Auckland',"
                 "'at':'12:00','vacation_days':9,'ladder':{'remind_s':[],'grace_s':0}}",
                 2);
    const struct clock_calendar own = kit_calendar("Europe/Brussels", "", "2026-03-17/2026-03-17");
    const struct clock_calendar calendars[2] = {own, own};
    struct clock clock;
    const int64_t start = kit_ms("2026-03-16T19:00:00Z");
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, start, &clock), ERR_OK);
    kit_turn(&clock, &spec, 1, "", start);
    assert_time(clock.seat[0].deadline_ms, "2026-03-18T23:00:00Z");
    (void)kit_fire(&clock, &spec, kit_ms("2026-03-18T22:59:59Z"), NULL);
    ck_assert_int_eq(clock.seat[0].misses, 0);
    ck_assert_int_eq(clock.seat[0].vacation_spent, 1);
}
END_TEST

START_TEST(a_fixed_time_that_comes_while_it_stands_is_none)
{
    const struct clock_spec spec = kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':3600,"
                                            "'zone':'Europe/Brussels','at':'23:55',"
                                            "'days':['sun'],'ladder':{'remind_s':[],'grace_s':0}}",
                                            2);
    const struct clock clock = kit_clock(&spec, 2, "2026-06-15T12:00:00Z", 1);
    assert_time(clock.seat[0].deadline_ms, "2026-06-21T21:55:00Z");
    struct clock other = clock;
    clock_outage(&other, &spec, kit_ms("2026-06-21T21:54:40Z"), kit_ms("2026-06-21T21:54:50Z"));
    assert_time(other.seat[0].deadline_ms, "2026-06-21T21:55:00Z");
    other = clock;
    clock_outage(&other, &spec, kit_ms("2026-06-21T21:54:50Z"), kit_ms("2026-06-21T21:55:00Z"));
    assert_time(other.seat[0].deadline_ms, "2026-06-28T21:55:00Z");
    other = clock;
    ck_assert_int_eq(clock_pause(&other, &spec, true, kit_ms("2026-06-21T20:00:00Z"), NULL),
                     ERR_OK);
    (void)kit_fire(&other, &spec, kit_ms("2026-06-22T07:00:00Z"), NULL);
    ck_assert_int_eq(clock_resume(&other, &spec, kit_ms("2026-06-22T07:00:00Z"), NULL), ERR_OK);
    assert_time(other.seat[0].deadline_ms, "2026-06-28T21:55:00Z");
    for (int i = 0; i < 50; i++) { /* and no row of pauses moves it further than they last */
        const int64_t t = kit_ms("2026-06-22T08:00:00Z") + i * HOUR;
        ck_assert_int_eq(clock_pause(&other, &spec, true, t, NULL), ERR_OK);
        ck_assert_int_eq(clock_resume(&other, &spec, t + MINUTE, NULL), ERR_OK);
    }
    assert_time(other.seat[0].deadline_ms, "2026-06-28T21:55:00Z");
}
END_TEST

/* --- the ladder ------------------------------------------------------------------------------- */

#define LADDER                                                                                     \
    "{'kind':'correspondence','bank_s':3600,'per_move_s':86400,'ladder':{'remind_s':[43200,3600]," \
    "'grace_s':7200,'misses':1,'again_s':86400,'then':[{'do':'substitute','for_s':259200},{'do':"  \
    "'ally','for_s':172800},{'do':'caretaker'}]}}"

START_TEST(the_ladder_step_by_step_W_03_W_08)
{
    const struct clock_spec spec = kit_spec(LADDER, 3);
    struct clock clock = kit_clock(&spec, 3, "2026-06-01T00:00:00Z", 4);
    assert_time(clock.seat[2].deadline_ms, "2026-06-02T01:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_REMIND, "2026-06-01T13:00:00Z");
    ck_assert_uint_eq(kit_next(&clock, &spec).seat, 2);
    kit_expect_event(&clock, &spec, CLOCK_EV_BANK, "2026-06-02T00:00:00Z");
    ck_assert_uint_eq(kit_next(&clock, &spec).index, 1);
    kit_expect_event(&clock, &spec, CLOCK_EV_REMIND, "2026-06-02T00:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_LATE, "2026-06-02T01:00:00Z");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 2), "grace");
    assert_time(clock.seat[2].deadline_ms, "2026-06-02T03:00:00Z");
    ck_assert(kit_next(&clock, &spec).forgiven);
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-02T03:00:00Z");
    ck_assert_int_eq(clock.seat[2].misses, 1);
    ck_assert_int_eq(clock.seat[2].stage, CLOCK_AGAIN);
    ck_assert_int_eq(clock_step_due(&clock, &spec, 2), CLOCK_DO_COUNT);
    ck_assert(!kit_next(&clock, &spec).forgiven);
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-03T03:00:00Z");
    ck_assert_int_eq(clock.seat[2].misses, 2);
    ck_assert_int_eq(kit_next(&clock, &spec).what, CLOCK_DO_SUBSTITUTE);
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-03T03:00:00Z");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 2), "out");
    ck_assert_int_eq(clock_step_due(&clock, &spec, 2), CLOCK_DO_SUBSTITUTE);
    assert_time(clock.seat[2].deadline_ms, "2026-06-06T03:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-06T03:00:00Z");
    ck_assert_int_eq(clock_step_due(&clock, &spec, 2), CLOCK_DO_ALLY);
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-08T03:00:00Z");
    ck_assert_int_eq(clock_step_due(&clock, &spec, 2), CLOCK_DO_CARETAKER);
    assert_time(clock.seat[2].deadline_ms, "never");
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_NONE);
    /* Somebody takes it: a fresh sitting, no misses. */
    clock_seat_new(&clock, &spec, 2, NULL, kit_ms("2026-06-08T04:00:00Z"));
    ck_assert_int_eq(clock.seat[2].misses, 0);
    ck_assert_int_eq(clock.seat[2].bank_ms, HOUR);
    assert_time(clock.seat[2].deadline_ms, "2026-06-09T05:00:00Z");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 2), "runs");
}
END_TEST

START_TEST(who_moves_in_grace_has_missed_nothing)
{
    const struct clock_spec spec = kit_spec(LADDER, 3);
    struct clock clock = kit_clock(&spec, 3, "2026-06-01T00:00:00Z", 4);
    kit_turn(&clock, &spec, 1, "", kit_ms("2026-06-02T02:59:59.999Z"));
    ck_assert_int_eq(clock.seat[2].misses, 0);
    ck_assert_int_eq(clock.seat[2].bank_ms, 0);
    kit_turn(&clock, &spec, 4, "", kit_ms("2026-06-02T04:00:00Z")); /* a span, and no bank */
    assert_time(clock.seat[2].deadline_ms, "2026-06-03T04:00:00Z");
    struct clock_event last;
    ck_assert_uint_gt(kit_fire(&clock, &spec, kit_ms("2026-06-03T06:00:00Z"), &last), 0);
    ck_assert_int_eq(last.kind, CLOCK_EV_MISS);
    /* At the instant of the deadline it is a miss, a millisecond before it is none. */
    kit_turn(&clock, &spec, 1, "", kit_ms("2026-06-03T06:00:00Z"));
    ck_assert_int_eq(clock.seat[2].misses, 1);
}
END_TEST

START_TEST(what_is_due_fires_as_of_its_time_however_late_the_call)
{
    const struct clock_spec spec = kit_spec(LADDER, 3);
    struct clock prompt = kit_clock(&spec, 3, "2026-06-01T00:00:00Z", 4), late = prompt;
    for (int64_t t = prompt.at_ms; t <= kit_ms("2026-06-07T00:00:00Z"); t += 13 * MINUTE) {
        (void)kit_fire(&prompt, &spec, t, NULL);
    }
    (void)kit_fire(&prompt, &spec, kit_ms("2026-06-07T00:00:00Z"), NULL);
    (void)kit_fire(&late, &spec, kit_ms("2026-06-07T00:00:00Z"), NULL);
    uint8_t a[CLOCK_PACK_BYTES_MAX], b[CLOCK_PACK_BYTES_MAX];
    const size_t n = clock_pack(&prompt, a), m = clock_pack(&late, b);
    ck_assert_uint_eq(n, m);
    ck_assert_mem_eq(a, b, n);
}
END_TEST

START_TEST(out_of_time_without_grace_opens_claims_W_05)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0), 0);
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-18T10:10:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-18T10:10:00Z");
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0),
                      CLOCK_CLAIM_WIN | CLOCK_CLAIM_GRANT | CLOCK_CLAIM_ANNUL);
    ck_assert_uint_eq(clock_claims(&clock, &spec, 1), 0);
    /* The others give time instead: back to the bank; the miss stays. */
    clock_grant(&clock, &spec, 0, spec.grant_ms, kit_ms("2026-06-18T11:00:00Z"));
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0), 0);
    ck_assert_int_eq(clock.seat[0].misses, 1);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:10:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 10 * MINUTE);
}
END_TEST

START_TEST(a_tournament_forces_the_claim_W_05)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','ladder':{'then':'forfeit'}}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-01T00:00:00Z", 2);
    struct clock_event last;
    (void)kit_fire(&clock, &spec, kit_ms("2026-06-15T00:00:00Z"), &last);
    ck_assert_int_eq(last.kind, CLOCK_EV_STEP);
    ck_assert_int_eq(last.what, CLOCK_DO_FORFEIT);
    assert_time(last.at_ms, "2026-06-15T00:00:00Z"); /* three days, ten of bank, one of grace */
    ck_assert_uint_eq(clock_claims(&clock, &spec, 1), 0);
}
END_TEST

START_TEST(a_reminder_comes_once_and_again_for_a_deadline_that_moved_by_as_much)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':0,'per_move_s':172800,'ladder':{'remind_s':[86400]}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-01T00:00:00Z", 1);
    kit_expect_event(&clock, &spec, CLOCK_EV_REMIND, "2026-06-02T00:00:00Z");
    /* A pause of an hour: nobody is told twice. */
    ck_assert_int_eq(clock_pause(&clock, &spec, true, kit_ms("2026-06-02T00:00:00Z"), NULL),
                     ERR_OK);
    ck_assert_int_eq(clock_resume(&clock, &spec, kit_ms("2026-06-02T01:00:00Z"), NULL), ERR_OK);
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_LATE);
    /* A day and more: again. */
    clock_grant(&clock, &spec, 0, 2 * DAY, kit_ms("2026-06-02T02:00:00Z"));
    kit_expect_event(&clock, &spec, CLOCK_EV_BANK, "2026-06-03T01:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_REMIND, "2026-06-04T01:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_LATE, "2026-06-05T01:00:00Z");
    /* Asked with less time than that left: none. */
    kit_turn(&clock, &spec, 2, "", kit_ms("2026-06-05T01:00:00Z"));
    kit_turn(&clock, &spec, 1, "", kit_ms("2026-06-05T02:00:00Z"));
    kit_expect_event(&clock, &spec, CLOCK_EV_REMIND, "2026-06-06T02:00:00Z");
}
END_TEST

START_TEST(as_many_reminders_steps_and_misses_as_there_may_be)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':0,'per_move_s':3600,'ladder':{'remind_s':[1,2,3,4],"
        "'grace_s':0,'misses':20,'again_s':60,'then':[{'do':'claim','for_s':60},{'do':'substitute',"
        "'for_s':60},{'do':'ally','for_s':60},{'do':'annul'}]}}",
        3);
    struct clock clock = kit_clock(&spec, 3, "2026-06-01T00:00:00Z", 1);
    ck_assert_uint_eq(spec.reminders, CLOCK_REMINDERS_MAX);
    ck_assert_uint_eq(spec.steps, CLOCK_STEPS_MAX);
    unsigned reminders = 0, misses = 0, steps = 0;
    struct clock_event event = kit_next(&clock, &spec);
    while (event.kind != CLOCK_EV_NONE) {
        reminders += event.kind == CLOCK_EV_REMIND;
        misses += event.kind == CLOCK_EV_MISS;
        steps += event.kind == CLOCK_EV_STEP;
        clock_fire(&clock, &spec, &event);
        if (event.kind == CLOCK_EV_STEP) { assert_time(event.at_ms, kit_text(clock.at_ms)); }
        event = kit_next(&clock, &spec);
    }
    ck_assert_uint_eq(reminders, 4);
    ck_assert_uint_eq(misses, 21);
    ck_assert_uint_eq(steps, 4);
    assert_time(clock.at_ms, "2026-06-01T01:23:00Z"); /* twenty minutes of again, three of steps */
}
END_TEST

/* --- pauses, freezes, outages ----------------------------------------------------------------- */

START_TEST(pauses_are_what_the_match_allows_W_02)
{
    struct why why;
    why_clear(&why);
    const struct clock_spec none = kit_spec("{'kind':'live','pauses':{'policy':'none'}}", 2);
    struct clock clock = kit_clock(&none, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    ck_assert_int_eq(clock_pause(&clock, &none, true, t, &why), ERR_CONFLICT);
    ck_assert_str_eq(why.reason, "pauses");
    ck_assert_int_eq(clock_resume(&clock, &none, t, &why), ERR_CONFLICT);
    ck_assert_str_eq(why.reason, "running");
    ck_assert_int_eq(clock_pause(&clock, &none, false, t, &why), ERR_OK); /* the host may */
    ck_assert_int_eq(clock_pause(&clock, &none, false, t, &why), ERR_CONFLICT);
    ck_assert_str_eq(why.reason, "paused");

    const struct clock_spec capped =
        kit_spec("{'kind':'live','pauses':{'policy':'capped','cap_s':600}}", 2);
    clock = kit_clock(&capped, 2, "2026-06-18T10:00:00Z", 1);
    ck_assert_int_eq(clock_pause(&clock, &capped, true, t + MINUTE, &why), ERR_OK);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:10:00Z"); /* it ends by itself */
    ck_assert_int_eq(clock_resume(&clock, &capped, t + 5 * MINUTE, &why), ERR_OK);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:04:00Z");
    ck_assert_int_eq(clock_pause(&clock, &capped, true, t + 10 * MINUTE, &why), ERR_OK);
    kit_expect_event(&clock, &capped, CLOCK_EV_RESUME, "2026-06-18T10:16:00Z");
    ck_assert_str_eq(clock_state_word(&clock, &capped, 0), "runs");
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:10:00Z");
    ck_assert_int_eq(clock_pause(&clock, &capped, true, t + 20 * MINUTE, &why), ERR_CONFLICT);
    ck_assert_str_eq(why.reason, "pauses");
    ck_assert_int_eq(clock_pause(&clock, &capped, false, t + 20 * MINUTE, &why), ERR_OK);
    ck_assert_int_eq(kit_next(&clock, &capped).kind, CLOCK_EV_NONE); /* the host's has no cap */
}
END_TEST

START_TEST(a_turn_in_a_pause_counts_from_its_end)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    ck_assert_int_eq(clock_pause(&clock, &spec, true, t + MINUTE, NULL), ERR_OK);
    kit_turn(&clock, &spec, 2, "", t + 2 * MINUTE); /* he moves all the same */
    ck_assert_int_eq(clock.seat[0].used_ms, MINUTE);
    ck_assert_int_eq(clock_resume(&clock, &spec, t + 30 * MINUTE, NULL), ERR_OK);
    assert_time(clock.seat[1].deadline_ms, "2026-06-18T10:40:00Z");
    kit_turn(&clock, &spec, 1, "", t + 31 * MINUTE);
    ck_assert_int_eq(clock.seat[1].used_ms, MINUTE);
}
END_TEST

START_TEST(one_seat_alone_may_stand)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 3);
    const int64_t t = clock.at_ms;
    ck_assert(clock_freeze(&clock, &spec, 1, true, t + MINUTE));
    ck_assert(!clock_freeze(&clock, &spec, 1, true, t + MINUTE));
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "paused");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "runs");
    ck_assert(clock_freeze(&clock, &spec, 1, false, t + 5 * MINUTE));
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T10:10:00Z");
    assert_time(clock.seat[1].deadline_ms, "2026-06-18T10:14:00Z");
}
END_TEST

START_TEST(an_outage_is_charged_to_nobody)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':600,'per_move_s':3600,'zone':'UTC','at':'20:00',"
        "'ladder':{'remind_s':[],'grace_s':600}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-17T18:00:00Z", 1), away = clock;
    assert_time(clock.seat[0].deadline_ms, "2026-06-17T20:10:00Z");
    /* From a quarter to seven, for ten hours: the evening after. */
    clock_outage(&away, &spec, kit_ms("2026-06-17T18:45:00Z"), kit_ms("2026-06-18T04:45:00Z"));
    ck_assert_int_eq(away.seat[0].used_ms, 45 * MINUTE);
    assert_time(away.seat[0].deadline_ms, "2026-06-18T20:10:00Z");
    kit_turn(&away, &spec, 2, "", kit_ms("2026-06-18T05:00:00Z"));
    ck_assert_int_eq(away.seat[0].used_ms, HOUR);
    ck_assert_int_eq(away.seat[0].bank_ms, 600 * SECOND);
    /* What was due by the last heartbeat was due: the host fires it first. */
    away = clock;
    struct clock_event last;
    (void)kit_fire(&away, &spec, kit_ms("2026-06-17T20:15:00Z"), &last);
    ck_assert_int_eq(last.kind, CLOCK_EV_LATE);
    clock_outage(&away, &spec, kit_ms("2026-06-17T20:15:00Z"), kit_ms("2026-06-19T00:00:00Z"));
    kit_expect_event(&away, &spec, CLOCK_EV_MISS,
                     "2026-06-19T00:05:00Z"); /* five of ten minutes left */
    /* What was due and not done yet comes when it is back, and what follows counts from then. */
    away = clock;
    clock_outage(&away, &spec, kit_ms("2026-06-17T20:10:01Z"), kit_ms("2026-06-19T00:00:01Z"));
    kit_expect_event(&away, &spec, CLOCK_EV_LATE, "2026-06-19T00:00:00Z");
    kit_expect_event(&away, &spec, CLOCK_EV_MISS, "2026-06-19T00:10:00Z");
    /* A heartbeat from before the last line counts from the line. */
    away = clock;
    clock_outage(&away, &spec, kit_ms("2026-06-17T17:00:00Z"), kit_ms("2026-06-17T19:00:00Z"));
    ck_assert_int_eq(away.seat[0].used_ms, 0);
    ck_assert_int_eq(away.seat[0].held_ms, HOUR);
}
END_TEST

START_TEST(an_outage_takes_nothing_from_pace_and_cap)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'live','bank_s':600,'pauses':{'policy':'capped','cap_s':600}}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    const struct clock_ask ask = {.mask = 2, .pace = 2, .pace_ms = HOUR};
    ck_assert(clock_turn(&clock, &spec, &ask, t));
    clock_outage(&clock, &spec, t + 10 * MINUTE, t + 50 * MINUTE);
    kit_expect_event(&clock, &spec, CLOCK_EV_EDGE, "2026-06-18T11:40:00Z");
    ck_assert_int_eq(clock_pause(&clock, &spec, true, t + 101 * MINUTE, NULL), ERR_OK);
    clock_outage(&clock, &spec, t + 102 * MINUTE, t + 202 * MINUTE);
    kit_expect_event(&clock, &spec, CLOCK_EV_RESUME, "2026-06-18T13:31:00Z");
    ck_assert_int_eq(clock.seat[1].used_ms, MINUTE);
}
END_TEST

/* --- vacation, nights ------------------------------------------------------------------------- */

static void set_calendar(struct clock *clock, const struct clock_spec *spec, unsigned seat,
                         const char *zone, const char *sleep, const char *vacation, int64_t at_ms)
{
    const struct clock_calendar calendar = kit_calendar(zone, sleep, vacation);
    ck_assert_int_eq(clock_calendar_set(clock, spec, seat, &calendar, at_ms), ERR_OK);
}

START_TEST(vacation_stands_within_its_budget_W_01)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':864000,'per_move_s':0,'vacation_days':3,'ladder':{"
        "'remind_s':[]}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-01T06:00:00Z", 1);
    assert_time(clock.seat[0].deadline_ms, "2026-06-11T06:00:00Z");
    /* Five days declared ahead, in the zone of the player (two hours ahead); three are paid for. */
    set_calendar(&clock, &spec, 0, "Europe/Brussels", "", "2026-06-03/2026-06-07",
                 kit_ms("2026-06-01T12:00:00Z"));
    assert_time(clock.seat[0].deadline_ms, "2026-06-14T06:00:00Z");
    kit_expect_event(&clock, &spec, CLOCK_EV_VACATION,
                     "2026-06-03T00:00:00Z"); /* the zone of the sitting */
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "vacation");
    ck_assert(clock.seat[0].vacation_told);
    kit_expect_event(&clock, &spec, CLOCK_EV_VACATION, "2026-06-06T00:00:00Z");
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "runs");
    ck_assert(!clock.seat[0].vacation_told);
    ck_assert_int_eq(clock.seat[0].vacation_spent, 3);
    kit_expect_event(&clock, &spec, CLOCK_EV_LATE, "2026-06-14T06:00:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, 10 * DAY);
}
END_TEST

START_TEST(vacation_on_the_day_counts_from_then_and_costs_only_who_is_asked_W_01)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':864000,'per_move_s':0,'vacation_days':20,'ladder':{"
        "'remind_s':[]}}",
        2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-01T06:00:00Z", 1);
    set_calendar(&clock, &spec, 0, "UTC", "", "2026-06-02/2026-06-03",
                 kit_ms("2026-06-02T18:00:00Z"));
    set_calendar(&clock, &spec, 1, "UTC", "", "2026-06-01/2026-06-30",
                 kit_ms("2026-06-02T18:00:00Z"));
    ck_assert_int_eq(clock.seat[0].used_ms, 36 * HOUR);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "vacation");
    kit_turn(&clock, &spec, 2, "", kit_ms("2026-06-04T06:00:00Z"));
    ck_assert_int_eq(clock.seat[0].used_ms, 42 * HOUR);
    ck_assert_int_eq(clock.seat[0].vacation_spent, 2);
    ck_assert_int_eq(clock.seat[1].vacation_spent, 0);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "vacation");
    /* Back early: the day itself is spent, the rest is not. */
    set_calendar(&clock, &spec, 1, "UTC", "", "", kit_ms("2026-06-04T20:00:00Z"));
    ck_assert_str_eq(clock_state_word(&clock, &spec, 1), "runs");
    ck_assert_int_eq(clock.seat[1].vacation_spent, 1);
    ck_assert_int_eq(clock.seat[1].used_ms, 0);
}
END_TEST

START_TEST(the_budget_of_vacation_is_of_a_year_of_the_match_W_01)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','per_move_s':86400,'vacation_days':2}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-01T00:00:00Z", 1);
    set_calendar(&clock, &spec, 0, "UTC", "", "2026-06-01/2026-06-04", clock.at_ms);
    kit_turn(&clock, &spec, 2, "", kit_ms("2026-06-04T00:00:00Z"));
    ck_assert_int_eq(clock.seat[0].vacation_spent, 2);
    ck_assert_int_eq(clock.seat[0].used_ms, DAY);
    kit_turn(&clock, &spec, 0, "", kit_ms("2026-06-04T00:00:00Z"));
    set_calendar(&clock, &spec, 0, "UTC", "", "2027-06-01/2027-06-09", clock.at_ms);
    kit_turn(&clock, &spec, 1, "", kit_ms("2027-06-02T00:00:00Z")); /* 366 days after the start */
    kit_turn(&clock, &spec, 0, "", kit_ms("2027-06-05T00:00:00Z"));
    ck_assert_int_eq(clock.seat[0].vacation_spent, 2);
    ck_assert_int_eq(clock.seat[0].used_ms, 2 * DAY);
}
END_TEST

START_TEST(nobody_moves_his_night_about)
{
    const struct clock_spec spec = kit_spec("{'kind':'correspondence','bank_s':86400,'per_move_s':"
                                            "0,'sleep':true,'ladder':{'remind_s':[]}}",
                                            2);
    struct clock_calendar calendars[2] = {kit_calendar("Europe/Brussels", "23:00-07:00", ""),
                                          kit_calendar("UTC", "", "")};
    struct clock clock;
    const int64_t t = kit_ms("2026-06-18T10:00:00Z"); /* noon in Brussels */
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, t, &clock), ERR_OK);
    kit_turn(&clock, &spec, 1, "", t);
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T18:00:00Z");
    set_calendar(&clock, &spec, 0, "America/New_York", "08:00-18:00", "", t + HOUR);
    assert_time(clock.seat[0].deadline_ms, "2026-06-19T18:00:00Z"); /* not in this sitting */
    kit_turn(&clock, &spec, 2, "", t + 2 * HOUR);
    kit_turn(&clock, &spec, 1, "", t + 3 * HOUR); /* nine in New York: he sleeps until 22:00Z */
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "asleep");
    kit_expect_event(&clock, &spec, CLOCK_EV_EDGE, "2026-06-18T22:00:00Z");
    struct clock_calendar nowhere = kit_calendar("Europe/Waterloo", "", "");
    ck_assert_int_eq(clock_calendar_set(&clock, &spec, 0, &nowhere, t + 20 * HOUR),
                     ERR_INVALID_PARAMS);
}
END_TEST

/* --- the end, and after ----------------------------------------------------------------------- */

START_TEST(a_match_that_is_over_has_no_deadline_and_may_go_on_W_06)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    (void)kit_fire(&clock, &spec, t + 10 * MINUTE, NULL);
    clock_stop(&clock, &spec, t + 11 * MINUTE);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "over");
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_NONE);
    ck_assert_int_eq(clock.seat[0].bank_ms, 0); /* no increment for losing on time */
    ck_assert(!clock_turn(&clock, &spec, &(struct clock_ask){.mask = 1}, t + 12 * MINUTE));
    clock_reopen(&clock, &spec, t + HOUR);
    ck_assert(clock_turn(&clock, &spec, &(struct clock_ask){.mask = 1, .rewound = true}, t + HOUR));
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T11:10:00Z"); /* grant_s: 600 */
    ck_assert_int_eq(clock.seat[0].misses, 1);
    ck_assert_int_eq(clock.seat[1].bank_ms, 600 * SECOND);
}
END_TEST

START_TEST(a_time_that_goes_back_takes_and_gives_nothing)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    kit_turn(&clock, &spec, 2, "", t + MINUTE);
    kit_turn(&clock, &spec, 1, "", t - DAY);
    ck_assert_int_eq(clock.at_ms, t + MINUTE);
    ck_assert_int_eq(clock.seat[1].used_ms, 0);
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T10:10:10Z");
}
END_TEST

/* --- what it says of itself ------------------------------------------------------------------- */

START_TEST(an_explanation_goes_from_now_to_the_deadline_without_a_hole)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':86400,'per_move_s':36000,'zone':'Europe/"
        "Brussels','days':["
        "'mon','tue','wed','thu','fri'],'hours':['08:00','23:00'],'sleep':true,'vacation_days':5}",
        2);
    struct clock_calendar calendars[2] = {
        kit_calendar("America/New_York", "23:00-07:00", "2026-03-09/2026-03-10"),
        kit_calendar("UTC", "", "")};
    struct clock clock;
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, kit_ms("2026-03-05T12:00:00Z"), &clock),
                     ERR_OK);
    kit_turn(&clock, &spec, 1, "", kit_ms("2026-03-05T12:00:00Z"));
    struct clock_span spans[CLOCK_SPANS_MAX];
    bool cut = true;
    const unsigned n = clock_explain(&clock, &spec, 0, kit_ms("2026-03-05T13:00:00Z"), spans,
                                     CLOCK_SPANS_MAX, &cut);
    ck_assert(!cut);
    ck_assert_uint_gt(n, 10);
    int64_t runs_ms = 0;
    unsigned seen = 0;
    for (unsigned i = 0; i < n; i++) {
        assert_time(spans[i].from_ms,
                    kit_text(i == 0 ? kit_ms("2026-03-05T13:00:00Z") : spans[i - 1].to_ms));
        ck_assert_int_gt(spans[i].to_ms, spans[i].from_ms);
        if (spans[i].kind == CLOCK_RUNS) { runs_ms += spans[i].to_ms - spans[i].from_ms; }
        seen |= 1U << spans[i].kind;
    }
    assert_time(spans[n - 1].to_ms, kit_text(clock.seat[0].deadline_ms));
    ck_assert_int_eq(runs_ms, 36000 * SECOND + DAY - HOUR);
    ck_assert_uint_eq(seen, 1U << CLOCK_RUNS | 1U << CLOCK_DAY | 1U << CLOCK_VACATION |
                                1U << CLOCK_HOURS | 1U << CLOCK_SLEEP);
    ck_assert_uint_eq(clock_explain(&clock, &spec, 0, clock.at_ms, spans, 3, &cut), 3);
    ck_assert(cut);
    ck_assert_uint_eq(clock_explain(&clock, &spec, 1, clock.at_ms, spans, 3, &cut), 0);
}
END_TEST

START_TEST(the_next_three_deadlines_are_those_that_come)
{
    const struct clock_spec spec = kit_spec(LADDER, 3);
    struct clock clock = kit_clock(&spec, 3, "2026-06-01T00:00:00Z", 4);
    struct clock_ahead ahead[CLOCK_AHEAD];
    ck_assert_uint_eq(clock_look_ahead(&clock, &spec, 2, clock.at_ms, ahead), 3);
    ck_assert_str_eq(ahead[0].what, "bank");
    assert_time(ahead[0].at_ms, "2026-06-02T00:00:00Z");
    ck_assert_str_eq(ahead[1].what, "late");
    assert_time(ahead[1].at_ms, "2026-06-02T01:00:00Z");
    ck_assert_str_eq(ahead[2].what, "miss");
    assert_time(ahead[2].at_ms, "2026-06-02T03:00:00Z");
    (void)kit_fire(&clock, &spec, kit_ms("2026-06-02T03:00:00Z"), NULL);
    ck_assert_uint_eq(clock_look_ahead(&clock, &spec, 2, clock.at_ms, ahead), 3);
    ck_assert_str_eq(ahead[0].what, "miss");
    assert_time(ahead[1].at_ms, "2026-06-03T03:00:00Z");
    ck_assert_str_eq(ahead[1].what, "substitute");
    ck_assert_str_eq(ahead[2].what, "ally");
    assert_time(ahead[2].at_ms, "2026-06-06T03:00:00Z");
    /* Who is not asked: what it would be, today, tomorrow, the day after. */
    ck_assert_uint_eq(clock_look_ahead(&clock, &spec, 0, clock.at_ms, ahead), 3);
    ck_assert_str_eq(ahead[2].what, "asked");
    assert_time(ahead[2].from_ms, "2026-06-04T03:00:00Z");
    assert_time(ahead[2].at_ms, "2026-06-05T04:00:00Z");
}
END_TEST

static void assert_json(struct buf *out, const char *want)
{
    char text[2048];
    size_t n = 0;
    for (; want[n] != '\0' && n + 1 < sizeof text; n++) {
        text[n] = '"';
        if (want[n] != '\'') { text[n] = want[n]; }
    }
    text[n] = '\0';
    ck_assert_str_eq(buf_str(out), text);
    buf_reset(out);
}

START_TEST(what_is_shown_of_a_clock_as_JSON)
{
    const struct clock_spec spec = kit_spec(
        "{'kind':'correspondence','bank_s':7200,'per_move_s':3600,'sleep':true,'vacation_days':4}",
        2);
    struct clock_calendar calendars[2] = {kit_calendar("Europe/Brussels", "23:00-07:00", ""),
                                          kit_calendar("UTC", "", "")};
    struct clock clock;
    struct buf out;
    const int64_t t = kit_ms("2026-06-18T20:30:00Z");
    buf_init(&out, 1 << 16);
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, t, &clock), ERR_OK);
    kit_turn(&clock, &spec, 1, "", t);
    clock_write_state(&clock, &spec, codes, &out);
    assert_json(&out,
                "{'kind':'correspondence','at':'2026-06-18T20:30:00Z','seats':{'FR':{'bank_s':7200,"
                "'state':'runs','span_end':'2026-06-19T05:30:00Z','deadline':"
                "'2026-06-19T07:30:00Z','misses':0},'AD':{'bank_s':7200,'state':'stands',"
                "'misses':0}}}");
    clock_write_view(&clock, &spec, codes, &out);
    assert_json(&out,
                "{'kind':'correspondence','FR':{'bank_s':7200,'deadline':'2026-06-19T07:30:00Z'},"
                "'AD':{'bank_s':7200}}");
    ck_assert_int_eq(clock_pause(&clock, &spec, true, t + MINUTE, NULL), ERR_OK);
    ck_assert_int_eq(clock_resume(&clock, &spec, t + 2 * MINUTE, NULL), ERR_OK);
    clock_write_why(&clock, &spec, codes, t + 5 * MINUTE, &out);
    const char *seats = strstr(buf_str(&out), "\"seats\"");
    ck_assert_ptr_nonnull(seats);
    struct buf part;
    buf_init(&part, 1 << 16);
    buf_append_str(&part, seats);
    assert_json(
        &part,
        "'seats':{'FR':{'bank_s':7200,'used_s':240,'state':'runs','misses':0,'asked':"
        "'2026-06-18T20:30:00Z','span_end':'2026-06-19T05:31:00Z','deadline':"
        "'2026-06-19T07:31:00Z','vacation_days_left':4,'timezone':'Europe/Brussels','why':["
        "{'from':'2026-06-18T20:35:00Z','to':'2026-06-18T21:00:00Z','kind':'runs'},{'from':"
        "'2026-06-18T21:00:00Z','to':'2026-06-19T05:00:00Z','kind':'sleep','zone':"
        "'Europe/Brussels','offset':'+02:00'},{'from':'2026-06-19T05:00:00Z','to':"
        "'2026-06-19T07:31:00Z','kind':'runs'}],'next':[{'if':'bank','at':"
        "'2026-06-19T05:31:00Z'},{'if':'late','at':'2026-06-19T07:31:00Z'},{'if':'miss','at':"
        "'2026-06-20T15:31:00Z'}],'claims':[]},'AD':{'bank_s':7200,'used_s':0,'state':"
        "'stands','misses':0,'vacation_days_left':4,'timezone':'UTC','why':[],'next':[{'if':"
        "'asked','from':'2026-06-18T20:35:00Z','at':'2026-06-18T23:35:00Z'},{'if':'asked',"
        "'from':'2026-06-19T20:35:00Z','at':'2026-06-19T23:35:00Z'},{'if':'asked','from':"
        "'2026-06-20T20:35:00Z','at':'2026-06-20T23:35:00Z'}],'claims':[]}},'held':[{'from':"
        "'2026-06-18T20:31:00Z','to':'2026-06-18T20:32:00Z','kind':'pause'}]");
    buf_finish(&part);
    buf_finish(&out);
}
END_TEST

START_TEST(the_newest_pauses_and_outages_are_kept_HELD_MAX)
{
    const struct clock_spec spec = kit_spec(ONE, 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    const int64_t t = clock.at_ms;
    for (int i = 0; i < CLOCK_HELD_MAX + 3; i++) {
        clock_outage(&clock, &spec, t + i * MINUTE, t + i * MINUTE + SECOND);
    }
    ck_assert_uint_eq(clock.held_count, CLOCK_HELD_MAX);
    ck_assert_int_eq(clock.held[0].from_ms, t + 3 * MINUTE);
    ck_assert_int_eq(clock.held[CLOCK_HELD_MAX - 1].to_ms, t + 10 * MINUTE + SECOND);
}
END_TEST

/* --- bytes ------------------------------------------------------------------------------------ */

static struct clock full_clock(struct clock_spec *out_spec)
{
    *out_spec = kit_spec("{'kind':'correspondence','sleep':true,'vacation_days':182}", 3);
    struct clock_calendar calendar =
        kit_calendar("America/Argentina/ComodRivadavia", "21:00-07:00", "");
    calendar.vacations = CLOCK_VACATIONS_MAX;
    for (unsigned i = 0; i < CLOCK_VACATIONS_MAX; i++) {
        calendar.vacation[i].first_day = calendar.vacation[i].last_day = (int32_t)(20700 + 2 * i);
    }
    const struct clock_calendar calendars[3] = {calendar, calendar, calendar};
    struct clock clock;
    const int64_t t = kit_ms("2026-06-18T10:00:00Z");
    ck_assert_int_eq(clock_begin(out_spec, 3, calendars, t, &clock), ERR_OK);
    kit_turn(&clock, out_spec, 7, "deploy_in_a_long_phase_", t);
    for (int i = 0; i < CLOCK_HELD_MAX; i++) {
        clock_outage(&clock, out_spec, t + i * MINUTE, t + i * MINUTE + SECOND);
    }
    return clock;
}

START_TEST(a_clock_goes_to_bytes_and_back_PACK_BYTES_MAX)
{
    struct clock_spec spec;
    const struct clock clock = full_clock(&spec);
    uint8_t bytes[CLOCK_PACK_BYTES_MAX], again[CLOCK_PACK_BYTES_MAX];
    const size_t n = clock_pack(&clock, bytes);
    ck_assert_uint_le(n, CLOCK_PACK_BYTES_MAX);
    struct clock back;
    ck_assert_int_eq(clock_unpack(bytes, n, &spec, &back), ERR_OK);
    ck_assert_uint_eq(clock_pack(&back, again), n);
    ck_assert_mem_eq(bytes, again, n);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(back.seat[i].deadline_ms, clock.seat[i].deadline_ms);
        ck_assert_ptr_eq(back.seat[i].zone, clock.seat[i].zone);
    }
}
END_TEST

START_TEST(bytes_that_are_no_clock_are_refused)
{
    struct clock_spec spec;
    const struct clock clock = full_clock(&spec);
    uint8_t bytes[CLOCK_PACK_BYTES_MAX + 1], bad[CLOCK_PACK_BYTES_MAX + 1];
    const size_t n = clock_pack(&clock, bytes);
    struct clock back;
    bytes[n] = 0;
    for (size_t i = 0; i <= n + 1; i++) {
        if (i != n) { ck_assert_int_eq(clock_unpack(bytes, i, &spec, &back), ERR_INVALID_PARAMS); }
    }
    memcpy(bad, bytes, n);
    bad[0] = CLOCK_PACK_VERSION + 1;
    ck_assert_int_eq(clock_unpack(bad, n, &spec, &back), ERR_INVALID_PARAMS);
    /* Whatever one byte is, it is refused or a clock that can be driven. */
    for (size_t i = 0; i < n; i++) {
        for (unsigned bit = (unsigned)i % 4; bit < 8; bit += 4) {
            memcpy(bad, bytes, n);
            bad[i] = (uint8_t)(bad[i] ^ 1U << bit);
            if (clock_unpack(bad, n, &spec, &back) != ERR_OK) { continue; }
            struct clock_event event;
            clock_next(&back, &spec, &event);
            clock_fire(&back, &spec, &event);
            (void)clock_turn(&back, &spec, &(struct clock_ask){.mask = 1}, back.at_ms + DAY);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_move_is_a_sitting_and_increments_come_with_it,
        who_had_done_his_part_has_his_bank_again,
        no_grant_lifts_a_bank_above_years,
        no_increment_lifts_a_bank_above_its_bound,
        the_span_goes_first_then_the_bank,
        a_sitting_has_the_longest_span_of_its_phases_W_07,
        a_sitting_in_its_bank_that_comes_to_a_longer_phase_has_span_again,
        time_within_the_pace_of_an_interrupt_costs_nothing,
        rewind_and_undo_give_no_time_back,
        weekends_give_no_time_back_BR_12,
        pauses_give_no_time_back_BR_12,
        fixed_times_are_of_the_zone_on_that_day_BR_13,
        a_fixed_time_keeps_its_gap_and_moves_with_pauses_W_07,
        a_fixed_time_at_which_a_vacation_begins_is_none,
        a_fixed_time_that_comes_while_it_stands_is_none,
        the_ladder_step_by_step_W_03_W_08,
        who_moves_in_grace_has_missed_nothing,
        what_is_due_fires_as_of_its_time_however_late_the_call,
        out_of_time_without_grace_opens_claims_W_05,
        a_tournament_forces_the_claim_W_05,
        a_reminder_comes_once_and_again_for_a_deadline_that_moved_by_as_much,
        as_many_reminders_steps_and_misses_as_there_may_be,
        pauses_are_what_the_match_allows_W_02,
        a_turn_in_a_pause_counts_from_its_end,
        one_seat_alone_may_stand,
        an_outage_is_charged_to_nobody,
        an_outage_takes_nothing_from_pace_and_cap,
        vacation_stands_within_its_budget_W_01,
        vacation_on_the_day_counts_from_then_and_costs_only_who_is_asked_W_01,
        the_budget_of_vacation_is_of_a_year_of_the_match_W_01,
        nobody_moves_his_night_about,
        a_match_that_is_over_has_no_deadline_and_may_go_on_W_06,
        a_time_that_goes_back_takes_and_gives_nothing,
        an_explanation_goes_from_now_to_the_deadline_without_a_hole,
        the_next_three_deadlines_are_those_that_come,
        what_is_shown_of_a_clock_as_JSON,
        the_newest_pauses_and_outages_are_kept_HELD_MAX,
        a_clock_goes_to_bytes_and_back_PACK_BYTES_MAX,
        bytes_that_are_no_clock_are_refused};
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("all");
    for (size_t i = 0; i < COUNT(tests); i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
