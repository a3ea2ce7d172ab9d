/* tests/unit/test_match_paced.c: standing orders and answers that are shown later, when the store
 * fails: what was not stored was not said, and what was is said once. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/match_kit.h"

enum { FR, AL, D_MS = 600000 };
#define OPTIONS "{\"command_control\":false,\"morale\":false,\"players\":2,\"turns\":24}"
#define STAND   "[{'when':{'is':'attacked'},'do':{'do':'respond','choice':'fight','rest':'spread'}}]"

static struct match_kit kit;

static void ok(const struct result *result)
{
    ck_assert_msg(result->err == ERR_OK, "%s %s", err_kind(result->err), result->why.text);
}

/* {"do":"place"} of "TOWN UNIT UNIT ..", each. */
static void place(unsigned seat, const char *const *towns)
{
    char text[4096], copy[256];
    int n = snprintf(text, sizeof text, "{'do':'place','placements':[");
    for (; *towns != NULL; towns++) {
        (void)snprintf(copy, sizeof copy, "%s", *towns);
        char *rest = NULL;
        const char *town = strtok_r(copy, " ", &rest);
        for (char *unit = strtok_r(NULL, " ", &rest); unit != NULL;
             unit = strtok_r(NULL, " ", &rest)) {
            n += snprintf(text + n, sizeof text - (size_t)n, "%s{'town':'%s','unit':'%s'}",
                          text[n - 1] == '[' ? "" : ",", town, unit);
        }
    }
    (void)snprintf(text + n, sizeof text - (size_t)n, "]}");
    ok(act(&kit, seat, text));
    ok(act(&kit, seat, "{'do':'confirm_setup'}"));
}

/* A match in which the French may attack Thuin. */
static void open_war(int64_t pace_ms)
{
    static const char *const allied[] = {
        "thuin PR-E PR-F PR-G PR-H",  "charleroi PR-A PR-B PR-C PR-D",
        "fosses PR-I PR-J PR-K PR-L", "ligny PR-M PR-N PR-O PR-P",
        "mons AD-A AD-B AD-C",        "binche AD-D AD-E AD-F",
        "soignies AD-G AD-H AD-I",    "nivelles AD-J AD-K AD-L",
        "quatre-bras AD-M AD-N",      NULL};
    static const char *const french[] = {"beaumont FR-A FR-B FR-C FR-H FR-N FR-Q",
                                         "laneffe FR-D FR-E FR-F FR-I",
                                         "maubeuge FR-G FR-J FR-K FR-L FR-M FR-O FR-P FR-R", NULL};
    memset(&kit, 0, sizeof kit);
    kit.list = games;
    kit.game = "waterloo";
    kit.codes[FR] = "FR";
    kit.codes[AL] = "AL";
    kit.pace_ms = pace_ms;
    kit.snapshot_lines = 5;
    match_kit_open(&kit);
    match_kit_begin(&kit, OPTIONS, 2, true);
    place(AL, allied);
    place(FR, french);
}

static const char *const march =
    "{'do':'march','marches':[{'unit':'FR-A','path':['thuin']},{'unit':'FR-B','path':['thuin']},"
    "{'unit':'FR-C','path':['thuin']}]}";

static void attack(void)
{
    ok(act(&kit, FR, march));
    ok(act(&kit, FR, "{'do':'end_movement'}"));
}

/* The next so many commits fail. */
static void fail_commits(unsigned count)
{
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, count);
}

static bool state_is(unsigned seat, const char *state)
{
    char text[64];
    (void)snprintf(text, sizeof text, "\"state\":\"%s\"", state);
    return strstr(call(&kit, match_view, seat, "{}")->json, text) != NULL;
}

/* How often the seat was told of such an event. */
static unsigned told(unsigned seat, const char *event)
{
    char text[64];
    unsigned count = 0;
    (void)snprintf(text, sizeof text, "\"ev\":\"%s\"", event);
    const char *at = call(&kit, match_history, seat, "{'from':0,'limit':200}")->json;
    while ((at = strstr(at, text)) != NULL) {
        count++;
        at++;
    }
    return count;
}

static bool holds(const char *what)
{
    return strstr(call(&kit, match_held, AL, "{}")->json, what) != NULL;
}

/* The time comes; timers of the loop do not know the kit's. */
static void wait_for(int64_t ms)
{
    match_kit_wait(&kit, ms);
    match_pace_look(kit.matches);
    match_kit_wait(&kit, 0);
}

START_TEST(orders_that_are_not_stored_are_not_left)
{
    open_war(0);
    fail_commits(1);
    ck_assert_int_eq(call(&kit, match_standing, AL, "{'version':0,'orders':" STAND "}")->err,
                     ERR_STORAGE_FAILED);
    ck_assert_ptr_nonnull(
        strstr(call(&kit, match_standing, AL, "{}")->json, "\"version\":0,\"orders\":[]"));
    attack();
    ck_assert(state_is(FR, "RESPOND")); /* nobody answered */
    ok(call(&kit, match_standing, AL, "{'version':0,'orders':" STAND "}"));
    settle(&kit);
    ck_assert(state_is(FR, "DEPLOY_ATT"));
    match_kit_close(&kit);
}
END_TEST

START_TEST(what_orders_answer_is_stored_with_what_asked_or_not_at_all)
{
    open_war(0);
    ok(call(&kit, match_standing, AL, "{'version':0,'orders':" STAND "}"));
    ok(act(&kit, FR, march));
    for (unsigned i = 0; i < 3; i++) {
        fail_commits(1);
        ck_assert_int_eq(act(&kit, FR, "{'do':'end_movement'}")->err, ERR_STORAGE_FAILED);
        ck_assert(state_is(FR, "MOVE") && state_is(AL, "MOVE"));
        ck_assert_ptr_nonnull(strstr(call(&kit, match_standing, AL, "{}")->json, "\"fired\":[]"));
    }
    ok(act(&kit, FR, "{'do':'end_movement'}"));
    settle(&kit);
    ck_assert(state_is(FR, "DEPLOY_ATT"));
    ck_assert_uint_eq(told(FR, "fight_chosen"), 1);
    ck_assert_uint_eq(told(FR, "deployed"), 1);
    ck_assert_uint_eq(told(AL, "ordered"), 3);
    match_kit_reopen(&kit); /* and so it is in the store */
    ck_assert(state_is(FR, "DEPLOY_ATT"));
    ck_assert_uint_eq(told(AL, "ordered"), 3);
    match_kit_close(&kit);
}
END_TEST

START_TEST(an_answer_that_is_not_stored_is_not_held)
{
    open_war(D_MS);
    attack();
    ok(act(&kit, AL, "{'do':'respond','town':'thuin','choice':'fight'}"));
    fail_commits(1);
    ck_assert_int_eq(act(&kit, AL, "{'do':'end_response'}")->err, ERR_STORAGE_FAILED);
    ck_assert(holds("\"given\":[]"));
    wait_for(D_MS + 1000); /* nothing is due */
    ck_assert(state_is(FR, "RESPOND"));
    ok(act(&kit, AL, "{'do':'end_response'}")); /* late by now: shown when it is made */
    settle(&kit);
    ck_assert(state_is(FR, "DEPLOY_DEF"));
    ck_assert_uint_eq(told(FR, "fight_chosen"), 1);
    match_kit_close(&kit);
}
END_TEST

START_TEST(what_is_held_is_shown_once_however_often_it_fails_to_be_stored)
{
    open_war(D_MS);
    attack();
    ok(act(&kit, AL, "{'do':'respond','town':'thuin','choice':'fight'}"));
    ok(act(&kit, AL, "{'do':'end_response'}"));
    ck_assert(holds("\"given\":[{\"do\":\"end_response\"}]"));
    wait_for(D_MS - 10000); /* the kit's clock goes on by itself a little */
    ck_assert(state_is(FR, "RESPOND"));
    fail_commits(1000); /* whatever it tries */
    for (unsigned i = 0; i < 3; i++) {
        wait_for(i == 0 ? 10000 : 2000);
        ck_assert(state_is(FR, "RESPOND"));
    }
    fail_commits(0);
    for (unsigned i = 0; i < 10 && !state_is(FR, "DEPLOY_DEF"); i++) {
        wait_for(2000);
    }
    ck_assert(state_is(FR, "DEPLOY_DEF"));
    ck_assert_uint_eq(told(FR, "fight_chosen"), 1);
    ck_assert(!holds("end_response"));
    match_kit_reopen(&kit);
    ck_assert(state_is(FR, "DEPLOY_DEF"));
    ck_assert_uint_eq(told(FR, "fight_chosen"), 1);
    match_kit_close(&kit);
}
END_TEST

START_TEST(what_orders_have_held_outlives_a_crash_and_a_unit_that_failed)
{
    open_war(D_MS);
    ok(call(&kit, match_standing, AL, "{'version':0,'orders':" STAND "}"));
    ok(act(&kit, FR, march));
    fail_commits(1);
    ck_assert_int_eq(act(&kit, FR, "{'do':'end_movement'}")->err, ERR_STORAGE_FAILED);
    ck_assert(!holds("\"given\"")); /* he is asked nothing */
    ok(act(&kit, FR, "{'do':'end_movement'}"));
    settle(&kit);
    ck_assert(holds("\"do\":\"deploy\""));
    match_kit_reopen(&kit);
    ck_assert(holds("\"do\":\"deploy\""));
    ck_assert(state_is(FR, "RESPOND"));
    wait_for(D_MS);
    for (unsigned i = 0; i < 10 && !state_is(FR, "DEPLOY_ATT"); i++) {
        wait_for(2000);
    }
    ck_assert(state_is(FR, "DEPLOY_ATT"));
    ck_assert_uint_eq(told(FR, "deployed"), 1);
    match_kit_close(&kit);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {orders_that_are_not_stored_are_not_left,
                                  what_orders_answer_is_stored_with_what_asked_or_not_at_all,
                                  an_answer_that_is_not_stored_is_not_held,
                                  what_is_held_is_shown_once_however_often_it_fails_to_be_stored,
                                  what_orders_have_held_outlives_a_crash_and_a_unit_that_failed};
    Suite *suite = suite_create("match_paced");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
