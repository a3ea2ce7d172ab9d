/* tests/unit/test_clock_away.c: the player of a live match who is gone while he is asked, what the
 * match becomes then, and that vacations are told. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "tests/unit/clock_kit.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define LIVE     "{'kind':'live','bank_s':3600,'increment_s':0,'away':{'after_s':120}}"

static const char *const codes[] = {"FR", "AL", "PR"};

/* A clock that began at ten, asks seat 0, and whose player went a minute later. */
static struct clock gone(const struct clock_spec *spec)
{
    struct clock clock = kit_clock(spec, 2, "2026-06-18T10:00:00Z", 1);
    ck_assert(clock_away(&clock, spec, 0, true, kit_ms("2026-06-18T10:01:00Z")));
    return clock;
}

START_TEST(who_is_gone_for_so_long_may_be_claimed_against_W_10)
{
    const struct clock_spec spec = kit_spec(LIVE, 2);
    struct clock clock = gone(&spec);
    assert_time(clock_gone_ms(&clock, &spec, 0), "2026-06-18T10:03:00Z");
    assert_time(clock_gone_ms(&clock, &spec, 1), "never");
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0), 0);
    ck_assert(!clock_away(&clock, &spec, 0, true, kit_ms("2026-06-18T10:02:00Z")));
    ck_assert(!clock_away(&clock, &spec, 1, true, kit_ms("2026-06-18T10:02:00Z"))); /* not asked */
    kit_expect_event(&clock, &spec, CLOCK_EV_AWAY, "2026-06-18T10:03:00Z");
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0),
                      CLOCK_CLAIM_WIN | CLOCK_CLAIM_ANNUL | CLOCK_CLAIM_CONVERT);
    /* Once; the clock has gone on all the time. */
    kit_expect_event(&clock, &spec, CLOCK_EV_MISS, "2026-06-18T11:00:00Z");
    ck_assert_int_eq(clock.seat[0].used_ms, HOUR);
    kit_expect_event(&clock, &spec, CLOCK_EV_STEP, "2026-06-18T11:00:00Z");
    ck_assert_uint_eq(clock_claims(&clock, &spec, 0), 15); /* by both */
}
END_TEST

/* What ends it, each a clock of its own; none gives time back. */
static void comes_back(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    ck_assert(clock_away(clock, spec, 0, false, now));
    ck_assert(!clock_away(clock, spec, 0, false, now));
}
static void hands_over(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    kit_turn(clock, spec, 2, "", now);
    kit_turn(clock, spec, 1, "", now);
}
static void all_pause(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    struct why why;
    ck_assert_int_eq(clock_pause(clock, spec, true, now, &why), ERR_OK);
    ck_assert(!clock_away(clock, spec, 0, true, now));
    ck_assert_int_eq(clock_resume(clock, spec, now, &why), ERR_OK);
}
static void it_freezes(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    ck_assert(clock_freeze(clock, spec, 0, true, now));
    ck_assert(!clock_away(clock, spec, 0, true, now));
    ck_assert(clock_freeze(clock, spec, 0, false, now));
}
static void daemon_is_gone(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    clock_outage(clock, spec, now - SECOND, now);
}
static void daemon_is_gone_no_time(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    clock_outage(clock, spec, now, now);
}
static void another_sits_down(struct clock *clock, const struct clock_spec *spec, int64_t now)
{
    clock_seat_new(clock, spec, 0, NULL, now);
}

START_TEST(what_ends_it)
{
    static void (*const ends[])(struct clock *, const struct clock_spec *, int64_t) = {
        comes_back,       hands_over, all_pause, it_freezes, daemon_is_gone, daemon_is_gone_no_time,
        another_sits_down};
    const struct clock_spec spec = kit_spec(LIVE, 2);
    for (size_t i = 0; i < COUNT(ends); i++) {
        for (unsigned open = 0; open < 2; open++) {
            struct clock clock = gone(&spec);
            if (open == 1) {
                kit_expect_event(&clock, &spec, CLOCK_EV_AWAY, "2026-06-18T10:03:00Z");
            }
            const int64_t now = kit_ms(open == 1 ? "2026-06-18T10:04:00Z" : "2026-06-18T10:02:00Z");
            const int64_t used = clock.seat[0].used_ms;
            ends[i](&clock, &spec, now);
            assert_time(clock_gone_ms(&clock, &spec, 0), "never");
            ck_assert_uint_eq(clock_claims(&clock, &spec, 0), 0);
            ck_assert_int_ne(kit_next(&clock, &spec).kind, CLOCK_EV_AWAY);
            ck_assert_int_ge(clock.seat[0].used_ms, used);
            /* And it may begin anew, from then on. */
            ck_assert(clock_away(&clock, &spec, 0, true, now + MINUTE));
            ck_assert_int_eq(clock_gone_ms(&clock, &spec, 0), now + MINUTE + 2 * MINUTE);
        }
    }
}
END_TEST

START_TEST(where_there_is_none_nobody_is_gone)
{
    const struct clock_spec spec = kit_spec("{'kind':'live','bank_s':3600}", 2);
    struct clock clock = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    ck_assert(!clock_may_be_away(&clock, &spec, 0));
    ck_assert(!clock_away(&clock, &spec, 0, true, clock.at_ms));
    const struct clock_spec with = kit_spec(LIVE, 2);
    struct clock over = kit_clock(&with, 2, "2026-06-18T10:00:00Z", 1);
    ck_assert(clock_may_be_away(&over, &with, 0));
    clock_stop(&over, &with, over.at_ms + SECOND);
    ck_assert(!clock_may_be_away(&over, &with, 0));
}
END_TEST

START_TEST(a_live_match_becomes_correspondence_and_no_time_is_lost_or_won)
{
    const struct clock_spec from = kit_spec(
        "{'kind':'live','bank_s':3600,'increment_s':30,'per_move_s':60,'pauses':{'policy':'none'},"
        "'ladder':{'grace_s':60,'misses':2,'then':'forfeit'},"
        "'away':{'after_s':60,'then':'convert','becomes':{'bank_s':86400,'per_move_s':172800}}}",
        2);
    struct clock_spec to;
    clock_spec_convert(&from, &to);
    struct clock clock = kit_clock(&from, 2, "2026-06-18T10:00:00Z", 1);
    kit_turn(&clock, &from, 2, "",
             kit_ms("2026-06-18T10:11:00Z")); /* 60 s of its own, 600 of the bank */
    ck_assert_int_eq(clock.seat[0].bank_ms, (3600 - 600 + 30) * SECOND);
    clock_convert(&clock, &from, &to, kit_ms("2026-06-18T10:11:40Z"));
    /* Who is asked has used forty seconds of what is two days from now on. */
    ck_assert_int_eq(clock.seat[1].used_ms, 40 * SECOND);
    assert_time(clock_span_end_ms(&clock, &to, 1), "2026-06-20T10:11:00Z");
    ck_assert_int_eq(clock.seat[1].bank_ms, (3600 + 86400) * SECOND);
    ck_assert_int_eq(clock.seat[0].bank_ms, (3600 - 600 + 30 + 86400) * SECOND);
    ck_assert_int_eq(clock.seat[0].used_ms, 660 * SECOND);
    assert_time(clock.seat[1].deadline_ms, "2026-06-21T11:11:00Z");
    /* The ladder is the match's own, with a day of grace: it was agreed on. */
    struct buf text;
    buf_init(&text, 4096);
    clock_spec_write(&to, &text);
    ck_assert_str_eq(
        buf_str(&text),
        "{\"kind\":\"correspondence\",\"bank_s\":86400,\"increment_s\":0,\"per_move_s\":172800,"
        "\"zone\":\"UTC\",\"sleep\":false,\"vacation_days\":0,\"pauses\":{\"policy\":\"none\"},"
        "\"ladder\":{\"remind_s\":[86400],\"grace_s\":86400,\"misses\":2,\"again_s\":172800,"
        "\"then\":[{\"do\":\"forfeit\"}],\"fresh_s\":86400,\"draft\":\"miss\"}}");
    struct clock_spec again;
    struct why why;
    ck_assert_int_eq(clock_spec_read(text.data, text.len, 2, &again, &why), ERR_OK);
    buf_finish(&text);
}
END_TEST

START_TEST(who_was_late_is_so_no_more_when_it_is_converted)
{
    const struct clock_spec from =
        kit_spec("{'kind':'live','bank_s':60,'ladder':{'grace_s':600},'away':{'after_s':60}}", 2);
    struct clock_spec to;
    clock_spec_convert(&from, &to);
    struct clock clock = kit_clock(&from, 2, "2026-06-18T10:00:00Z", 1);
    kit_expect_event(&clock, &from, CLOCK_EV_LATE, "2026-06-18T10:01:00Z");
    clock_convert(&clock, &from, &to, kit_ms("2026-06-18T10:05:00Z"));
    ck_assert_str_eq(clock_state_word(&clock, &to, 0), "runs");
    ck_assert_int_eq(clock.seat[0].used_ms, 5 * MINUTE);
    assert_time(clock_span_end_ms(&clock, &to, 0), "2026-06-21T10:05:00Z");
    /* Without a longer span: on with the bank. */
    const struct clock_spec bank =
        kit_spec("{'kind':'live','bank_s':60,'per_move_s':60,'ladder':{'grace_s':600},"
                 "'away':{'after_s':60,'becomes':{'bank_s':7200,'per_move_s':0}}}",
                 2);
    clock_spec_convert(&bank, &to);
    clock = kit_clock(&bank, 2, "2026-06-18T10:00:00Z", 1);
    (void)kit_fire(&clock, &bank, kit_ms("2026-06-18T10:02:00Z"), NULL);
    clock_convert(&clock, &bank, &to, kit_ms("2026-06-18T10:05:00Z"));
    assert_time(clock.seat[0].deadline_ms, "2026-06-18T12:05:00Z");
}
END_TEST

START_TEST(it_goes_to_bytes_and_back_and_what_is_shown_says_it)
{
    const struct clock_spec spec = kit_spec(LIVE, 2);
    struct clock clock = gone(&spec), back;
    uint8_t bytes[CLOCK_PACK_BYTES_MAX];
    clock.excused = 2;
    size_t n = clock_pack(&clock, bytes);
    ck_assert_int_eq(clock_unpack(bytes, n, &spec, &back), ERR_OK);
    ck_assert(back.seat[0].away_ms == clock.seat[0].away_ms && !back.seat[0].gone);
    ck_assert_uint_eq(back.excused, 2);
    struct buf text;
    buf_init(&text, 4096);
    clock_write_state(&clock, &spec, codes, &text);
    ck_assert_ptr_nonnull(strstr(buf_str(&text), "\"away\":{\"since\":\"2026-06-18T10:01:00Z\","
                                                 "\"until\":\"2026-06-18T10:03:00Z\"}"));
    kit_expect_event(&clock, &spec, CLOCK_EV_AWAY, "2026-06-18T10:03:00Z");
    n = clock_pack(&clock, bytes);
    ck_assert_int_eq(clock_unpack(bytes, n, &spec, &back), ERR_OK);
    ck_assert(back.seat[0].gone);
    buf_reset(&text);
    clock_write_why(&back, &spec, codes, kit_ms("2026-06-18T10:04:00Z"), &text);
    ck_assert_ptr_nonnull(strstr(buf_str(&text), "\"claims\":[\"win\",\"annul\",\"convert\"]"));
    buf_finish(&text);
}
END_TEST

START_TEST(what_comes_next_has_it_in_its_place)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'live','bank_s':90,'ladder':{'grace_s':60},'away':{'after_s':120}}", 2);
    struct clock clock = gone(&spec);
    struct clock_ahead ahead[CLOCK_AHEAD];
    ck_assert_uint_eq(clock_look_ahead(&clock, &spec, 0, kit_ms("2026-06-18T10:01:00Z"), ahead), 3);
    static const char *const want[] = {"late", "miss", "claim"}; /* the fourth has no room */
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_str_eq(ahead[i].what, want[i]);
    }
    struct clock slow = kit_clock(&spec, 2, "2026-06-18T10:00:00Z", 1);
    clock_grant(&slow, &spec, 0, HOUR, slow.at_ms);
    ck_assert(clock_away(&slow, &spec, 0, true, slow.at_ms));
    ck_assert_uint_eq(clock_look_ahead(&slow, &spec, 0, slow.at_ms, ahead), 3);
    ck_assert_str_eq(ahead[0].what, "away");
    assert_time(ahead[0].at_ms, "2026-06-18T10:02:00Z");
    ck_assert_str_eq(ahead[1].what, "late");
}
END_TEST

/* W-01: the opponents are told, also where who is asked is away already. */
START_TEST(that_a_vacation_holds_the_clock_is_told_once_a_sitting)
{
    const struct clock_spec spec =
        kit_spec("{'kind':'correspondence','bank_s':0,'per_move_s':86400,"
                 "'vacation_days':9,'ladder':{'remind_s':[]}}",
                 2);
    const struct clock_calendar own = kit_calendar("UTC", "", "2026-06-17/2026-06-19");
    const struct clock_calendar calendars[2] = {own, kit_calendar("UTC", "", "")};
    struct clock clock;
    const int64_t start = kit_ms("2026-06-18T10:00:00Z");
    ck_assert_int_eq(clock_begin(&spec, 2, calendars, start, &clock), ERR_OK);
    kit_turn(&clock, &spec, 1, "", start);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "vacation");
    kit_expect_event(&clock, &spec, CLOCK_EV_VACATION, "2026-06-18T10:00:00Z");
    ck_assert(clock.seat[0].vacation_told);
    /* He moves all the same, and is asked again: another sitting. */
    kit_turn(&clock, &spec, 2, "", start + HOUR);
    ck_assert(!clock.seat[0].vacation_told);
    kit_turn(&clock, &spec, 1, "", start + 2 * HOUR);
    kit_expect_event(&clock, &spec, CLOCK_EV_VACATION, "2026-06-18T12:00:00Z");
    /* A pause in it says nothing of the vacation, nor does its end. */
    struct why why;
    ck_assert_int_eq(clock_pause(&clock, &spec, true, start + 3 * HOUR, &why), ERR_OK);
    ck_assert_int_eq(kit_next(&clock, &spec).kind, CLOCK_EV_NONE);
    ck_assert_int_eq(clock_resume(&clock, &spec, start + 4 * HOUR, &why), ERR_OK);
    kit_expect_event(&clock, &spec, CLOCK_EV_VACATION, "2026-06-20T00:00:00Z");
    ck_assert(!clock.seat[0].vacation_told);
    ck_assert_str_eq(clock_state_word(&clock, &spec, 0), "runs");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {who_is_gone_for_so_long_may_be_claimed_against_W_10,
                                  what_ends_it,
                                  where_there_is_none_nobody_is_gone,
                                  a_live_match_becomes_correspondence_and_no_time_is_lost_or_won,
                                  who_was_late_is_so_no_more_when_it_is_converted,
                                  it_goes_to_bytes_and_back_and_what_is_shown_says_it,
                                  what_comes_next_has_it_in_its_place,
                                  that_a_vacation_holds_the_clock_is_told_once_a_sitting};
    Suite *suite = suite_create("clock_away");
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
