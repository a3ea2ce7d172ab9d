/* tests/unit/test_match_seats.c: seats that change hands: taken over, lent, given back; who sees
 * and does what from then on. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "common/record/verify.h"
#include "server/base/log.h"
#include "server/match/seats.h"
#include "server/store/db.h"
#include "server/store/people.h"
#include "server/store/store.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

/* A and B sit at the beginning; D (3) and E (4) come later. */
enum { A, B, C, D, E };

static struct match_kit kit;

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    match_kit_open(&kit);
    match_kit_begin(&kit, "{}", 2, true);
}

static void tear_down(void)
{
    match_kit_close(&kit);
}

static void ck_reason(const struct result *result, const char *reason)
{
    ck_err(result, ERR_CONFLICT);
    ck_assert_str_eq(result->why.reason, reason);
}

static void give_begin(unsigned seat, unsigned to, enum seat_how how, int64_t until_ms,
                       struct result *result)
{
    struct account_id account = account_of(to);
    memset(result, 0, sizeof *result);
    match_seat_give(kit.matches, &kit.id, seat, &account, how, until_ms, NULL, kit_on_done, result);
}

/* to 8: nobody. */
static struct result *give(unsigned seat, unsigned to, enum seat_how how, int64_t until_ms)
{
    static struct result result;
    free(result.json);
    give_begin(seat, to, how, until_ms, &result);
    call_wait(&kit, &result);
    settle(&kit);
    return &result;
}

static void watch(unsigned seat)
{
    ck_err(call(&kit, match_watch, seat, "{}"), ERR_OK);
    settle(&kit);
    forget_pushes(&kit);
}

static unsigned count_pushes(unsigned client, enum match_push kind)
{
    unsigned count = 0;
    for (size_t i = 0; i < kit.clients[client].count; i++) {
        count += kit.clients[client].pushes[i].kind == kind;
    }
    return count;
}

static const char *pushed(unsigned client, enum match_push kind)
{
    for (size_t i = kit.clients[client].count; i-- > 0;) {
        if (kit.clients[client].pushes[i].kind == kind) {
            return kit.clients[client].pushes[i].text;
        }
    }
    return "";
}

static void ck_acts(unsigned who, enum err err)
{
    ck_err(act(&kit, who, "{\"do\":\"add\",\"n\":1}"), err);
}

/* The match ends, and its record is a whole one. */
static void ck_record(unsigned who, unsigned reader, unsigned seat_lines)
{
    ck_err(act(&kit, who, "{\"do\":\"stop\"}"), ERR_OK);
    struct result *result = call(&kit, match_record, reader, "{}");
    ck_err(result, ERR_OK);
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(result->json, strlen(result->json), &json), ERR_OK);
    const char *text = cJSON_GetObjectItem(json, "record")->valuestring;
    const struct verify_options options = {.games = lots_games};
    struct verdict verdict;
    ck_assert_int_eq(verify_record(text, strlen(text), &options, &verdict), ERR_OK);
    ck_assert_msg(verdict.good, "line %llu: %s", (unsigned long long)verdict.line, verdict.why);
    unsigned lines = 0;
    for (const char *at = text; (at = strstr(at, "\"host\":\"seat\"")) != NULL; at++) {
        lines++;
    }
    ck_assert_uint_eq(lines, seat_lines);
    cJSON_Delete(json);
}

START_TEST(a_substitute_has_the_seat_and_who_had_it_sees_it_no_more)
{
    watch(A);
    watch(B);
    ck_err(act(&kit, B, "{\"do\":\"hide\",\"number\":7}"), ERR_OK);
    settle(&kit);
    forget_pushes(&kit);
    struct result *given = give(1, D, SEAT_SUBSTITUTE, 0);
    ck_err(given, ERR_OK);
    ck_has(given->json, "\"seat\":\"B\",\"how\":\"substitute\"");
    /* The others are told that the seat changed hands; who lost it that he watches no more. */
    ck_has(pushed(A, PUSH_VIEW), "{\"ev\":\"seat_changed\",\"how\":\"substitute\",\"seat\":\"B\"}");
    ck_assert_uint_eq(count_pushes(B, PUSH_VIEW), 0);
    ck_has(pushed(B, PUSH_CHANGED), "\"unwatched\":\"B\"");
    ck_assert_uint_eq(kit.changes, 2); /* begun, changed hands */
    /* D is B now and finds what was hidden; the old holder is a stranger. */
    ck_has(call(&kit, match_view, D, "{}")->json, "\"number\":7");
    ck_has(call(&kit, match_view, D, "{}")->json, "\"as\":\"B\"");
    ck_acts(D, ERR_OK);
    ck_err(call(&kit, match_view, B, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_has(call(&kit, match_view, B, "{}")->json, "\"as\":\"public\"");
    ck_err(call(&kit, match_act, B, "{'seq':3,'action':{'do':'add','n':1}}"), ERR_FORBIDDEN);
    match_kit_reopen(&kit);
    ck_acts(D, ERR_OK);
    ck_err(call(&kit, match_view, B, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_record(D, A, 1);
}
END_TEST

START_TEST(a_lent_seat_is_acted_by_the_borrower_and_seen_by_the_lender_W_09)
{
    int64_t until = kit.now + 86400000;
    watch(B);
    ck_err(give(1, D, SEAT_LENT, until), ERR_OK);
    /* The lender's watch goes on. */
    ck_has(pushed(B, PUSH_VIEW), "\"how\":\"lent\"");
    ck_err(act(&kit, D, "{\"do\":\"hide\",\"number\":5}"), ERR_OK);
    settle(&kit);
    ck_has(call(&kit, match_view, B, "{}")->json, "\"number\":5");
    ck_reason(call(&kit, match_act, B, "{'seq':3,'action':{'do':'add','n':1}}"), "lent");
    ck_reason(call(&kit, match_resign, B, "{}"), "lent");
    bool vacant = true;
    int64_t stands = 0;
    ck_assert(match_seat_stands(kit.matches, &kit.id, 1, &vacant, &stands));
    ck_assert(!vacant);
    ck_assert_int_eq(stands, until);
    /* Not before its time; then by itself, also when the server was away meanwhile. */
    kit.now = until - 1;
    match_seats_look(kit.matches);
    settle(&kit);
    ck_acts(D, ERR_OK);
    match_kit_reopen(&kit);
    kit.now = until;
    for (unsigned turns = 0; turns < 100000 && stands != 0; turns++) {
        match_seats_look(kit.matches);
        (void)uv_run(&kit.kit.loop, UV_RUN_NOWAIT);
        (void)match_seat_stands(kit.matches, &kit.id, 1, &vacant, &stands);
    }
    ck_assert_int_eq(stands, 0);
    ck_acts(B, ERR_OK);
    ck_err(call(&kit, match_act, D, "{'seq':3,'action':{'do':'add','n':1}}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_view, D, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_record(B, A, 2);
}
END_TEST

START_TEST(a_lent_seat_is_recalled_and_goes_back_at_the_end)
{
    ck_err(give(1, D, SEAT_LENT, kit.now + 1000), ERR_OK);
    ck_err(give(1, 8, SEAT_BACK, 0), ERR_OK);
    ck_acts(B, ERR_OK);
    /* Who has had a seat knows too much to have one again. */
    ck_reason(give(1, D, SEAT_LENT, kit.now + 1000), "knows");
    ck_reason(give(0, D, SEAT_SUBSTITUTE, 0), "knows");
    ck_acts(B, ERR_OK);
    ck_err(give(1, E, SEAT_LENT, kit.now + 1000), ERR_OK);
    ck_record(E, A, 3);
    ck_has(call(&kit, match_history, B, "{}")->json, "\"steps\"");
    match_kit_reopen(&kit);
    /* The lender has it again, and so what is for seats alone. */
    ck_err(call(&kit, match_say, B, "{'channel':'table','text':'thanks'}"), ERR_OK);
    ck_err(call(&kit, match_say, E, "{'channel':'table','text':'thanks'}"), ERR_FORBIDDEN);
}
END_TEST

START_TEST(a_seat_goes_to_nobody_who_has_one_or_knows_more)
{
    ck_reason(give(1, A, SEAT_SUBSTITUTE, 0), "seat");
    ck_reason(give(1, B, SEAT_LENT, kit.now + 1), "seat");
    ck_reason(give(1, 8, SEAT_SUBSTITUTE, 0), "seat");
    ck_reason(give(1, 8, SEAT_BACK, 0), "seat");
    ck_reason(give(2, D, SEAT_SUBSTITUTE, 0), "seat");
    ck_err(give(1, D, SEAT_LENT, kit.now + 1000), ERR_OK);
    ck_reason(give(0, B, SEAT_SUBSTITUTE, 0), "seat");
    ck_reason(give(0, D, SEAT_SUBSTITUTE, 0), "seat");
    ck_reason(give(1, E, SEAT_LENT, kit.now + 1000), "seat");
    /* A lent seat may be taken for good: then who lent it loses it as well. */
    ck_err(give(1, E, SEAT_SUBSTITUTE, 0), ERR_OK);
    ck_err(call(&kit, match_view, B, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_view, D, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_acts(E, ERR_OK);
    ck_record(A, E, 2);
    ck_err(give(1, C, SEAT_SUBSTITUTE, 0), ERR_MATCH_OVER);
}
END_TEST

START_TEST(a_caretaker_keeps_a_seat_until_its_holder_takes_it_back)
{
    ck_err(act(&kit, B, "{\"do\":\"hide\",\"number\":7}"), ERR_OK);
    ck_err(give(1, D, SEAT_LENT, kit.now + 1000), ERR_OK);
    ck_err(give(1, E, SEAT_CARETAKER, 0), ERR_OK);
    /* Whose it is looks on; who had it for a time is a stranger. */
    ck_has(call(&kit, match_view, B, "{'as':'B'}")->json, "\"number\":7");
    ck_reason(act(&kit, B, "{\"do\":\"add\",\"n\":1}"), "lent");
    ck_err(call(&kit, match_view, D, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_acts(E, ERR_OK);
    match_kit_reopen(&kit);
    ck_has(call(&kit, match_view, B, "{'as':'B'}")->json, "\"number\":7");
    ck_acts(E, ERR_OK);
    ck_err(give(1, 8, SEAT_BACK, 0), ERR_OK);
    ck_acts(B, ERR_OK);
    ck_err(call(&kit, match_view, E, "{'as':'B'}"), ERR_FORBIDDEN);
    /* It was not the last time, and in the end it is his whatever happens. */
    ck_reason(give(1, E, SEAT_CARETAKER, 0), "knows");
    ck_err(give(1, C, SEAT_CARETAKER, 0), ERR_OK);
    ck_record(A, B, 4);
}
END_TEST

START_TEST(an_offered_seat_is_its_holders_until_it_is_taken)
{
    bool vacant = false;
    int64_t until = 0;
    ck_err(give(1, 8, SEAT_VACANT, 0), ERR_OK);
    ck_assert(match_seat_stands(kit.matches, &kit.id, 1, &vacant, &until));
    ck_assert(vacant);
    ck_reason(give(1, 8, SEAT_VACANT, 0), "seat");
    ck_acts(B, ERR_OK);
    match_kit_reopen(&kit);
    ck_err(give(1, 8, SEAT_BACK, 0), ERR_OK);
    ck_assert(match_seat_stands(kit.matches, &kit.id, 1, &vacant, &until));
    ck_assert(!vacant);
    ck_err(give(1, 8, SEAT_VACANT, 0), ERR_OK);
    ck_err(give(1, D, SEAT_SUBSTITUTE, 0), ERR_OK);
    ck_assert(match_seat_stands(kit.matches, &kit.id, 1, &vacant, &until));
    ck_assert(!vacant);
    ck_record(D, A, 4);
}
END_TEST

START_TEST(while_a_seat_changes_hands_nobody_acts_in_it)
{
    struct result changing;
    struct result again;
    give_begin(1, D, SEAT_SUBSTITUTE, 0, &changing);
    ck_assert(!changing.done);
    struct result *acted = call(&kit, match_act, B, "{'seq':1,'action':{'do':'add','n':1}}");
    ck_err(acted, ERR_RATE_LIMITED);
    ck_assert_int_gt(acted->why.retry_after_ms, 0);
    give_begin(0, E, SEAT_SUBSTITUTE, 0, &again);
    call_wait(&kit, &again);
    if (!changing.done) { ck_reason(&again, "seat_changes"); }
    call_wait(&kit, &changing);
    ck_err(&changing, ERR_OK);
    result_free(&changing);
    result_free(&again);
}
END_TEST

START_TEST(a_change_that_is_not_stored_changes_nothing)
{
    watch(B);
    ck_acts(A, ERR_OK);
    store_inject(kit.kit.store, STORE_FAULT_ROW, 0, 1);
    ck_err(give(1, D, SEAT_SUBSTITUTE, 0), ERR_STORAGE_FAILED);
    ck_assert_uint_eq(count_pushes(B, PUSH_CHANGED), 0);
    ck_acts(B, ERR_OK);
    ck_err(call(&kit, match_view, D, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_err(give(1, D, SEAT_SUBSTITUTE, 0), ERR_OK);
    ck_acts(D, ERR_OK);
    ck_record(D, A, 1);
}
END_TEST

/* ---- what is written down ---- */

static enum err op_sight(struct db *db, void *data)
{
    return people_write_sight(db, data);
}

static void on_written(void *ctx, enum err err)
{
    *(int *)ctx = (int)err;
}

static enum err look_late(unsigned who)
{
    struct people_sight_write write = {.match = 1, .at = kit.now, .account = account_of(who)};
    int err = -1;
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    store_unit_add(unit, op_sight, &write, NULL);
    store_commit(kit.kit.store, unit, on_written, &err);
    while (err < 0) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
    return (enum err)err;
}

START_TEST(who_has_looked_late_gets_no_seat_and_who_has_a_seat_no_late_look)
{
    ck_assert_int_eq(look_late(D), ERR_OK);
    ck_assert_int_eq(look_late(D), ERR_OK);
    ck_assert_int_eq(look_late(B), ERR_CONFLICT);
    ck_reason(give(1, D, SEAT_SUBSTITUTE, 0), "knows");
    ck_reason(give(1, D, SEAT_LENT, kit.now + 1000), "knows");
    ck_err(give(1, E, SEAT_SUBSTITUTE, 0), ERR_OK);
    ck_assert_int_eq(look_late(B), ERR_CONFLICT);
    ck_acts(E, ERR_OK);
    ck_record(E, A, 1);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("seats");
    TCase *tcase = tcase_create("seats");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_substitute_has_the_seat_and_who_had_it_sees_it_no_more);
    tcase_add_test(tcase, a_lent_seat_is_acted_by_the_borrower_and_seen_by_the_lender_W_09);
    tcase_add_test(tcase, a_lent_seat_is_recalled_and_goes_back_at_the_end);
    tcase_add_test(tcase, a_seat_goes_to_nobody_who_has_one_or_knows_more);
    tcase_add_test(tcase, a_caretaker_keeps_a_seat_until_its_holder_takes_it_back);
    tcase_add_test(tcase, an_offered_seat_is_its_holders_until_it_is_taken);
    tcase_add_test(tcase, while_a_seat_changes_hands_nobody_acts_in_it);
    tcase_add_test(tcase, a_change_that_is_not_stored_changes_nothing);
    tcase_add_test(tcase, who_has_looked_late_gets_no_seat_and_who_has_a_seat_no_late_look);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
