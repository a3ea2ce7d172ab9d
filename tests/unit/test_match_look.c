/* tests/unit/test_match_look.c: a referee looks at the whole of a running match: the line first,
 * for everybody; then the answer, for a while. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/jsonr.h"
#include "server/base/log.h"
#include "server/match/live.h"
#include "server/match/look.h"
#include "server/store/accounts.h"
#include "server/store/store.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

/* A and B sit; D (3) is a referee, E (4) has no role. */
enum { A, B, C, D, E };

static struct match_kit kit;

struct person {
    struct account_row row;
    const char *name;
};

static enum err insert_person(struct db *db, void *data)
{
    const struct person *person = data;
    enum err err = accounts_insert(db, &person->row, person->name, person->name);
    return err == ERR_OK ? accounts_set_roles(db, &person->row.id, person->row.roles) : err;
}

static void on_stored(void *ctx, enum err err)
{
    ck_assert_int_eq(err, ERR_OK);
    (*(unsigned *)ctx)++;
}

/* A row in the table of accounts for who is to be a referee or is not. */
static void make_account(unsigned who, uint8_t roles)
{
    struct person person = {.name = who == D ? "referee" : "nobody"};
    unsigned stored = 0;
    person.row.id = account_of(who);
    person.row.roles = roles;
    snprintf(person.row.name, sizeof person.row.name, "%s", person.name);
    struct store_unit *unit = store_unit_create(NULL, 0);
    store_unit_add(unit, insert_person, &person, NULL);
    store_commit(kit.kit.store, unit, on_stored, &stored);
    kit_run_until(&kit.kit, &stored, 1);
}

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    match_kit_open(&kit);
    match_kit_begin(&kit, "{}", 2, true);
    make_account(D, ROLE_REFEREE);
    make_account(E, ROLE_ADMIN | ROLE_ORGANISER);
}

static void tear_down(void)
{
    match_kit_close(&kit);
}

static void look_begin(unsigned who, match_method_fn *method, const char *more, const char *reason,
                       struct result *result)
{
    char text[256];
    memset(result, 0, sizeof *result);
    snprintf(text, sizeof text, "{\"as\":\"all\",\"match\":\"%s\"%s}", kit.id.text, more);
    ck_assert_int_eq(json_parse(text, strlen(text), &result->params), ERR_OK);
    const struct match_call call = {.account = account_of(who),
                                    .client = &kit.clients[who % CLIENTS_MAX].client,
                                    .done = kit_on_done,
                                    .ctx = result};
    match_look(kit.matches, &call, result->params, reason, method);
}

static struct result *look(unsigned who, match_method_fn *method, const char *more,
                           const char *reason)
{
    static struct result result;
    result_free(&result);
    look_begin(who, method, more, reason, &result);
    call_wait(&kit, &result);
    settle(&kit);
    return &result;
}

/* How many lines of looks the public's history has. */
static unsigned looks_told(void)
{
    unsigned count = 0;
    const char *at = call(&kit, match_history, 9, "{}")->json;
    for (; (at = strstr(at, "\"ev\":\"looked\"")) != NULL; at++) {
        count++;
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

START_TEST(everybody_is_told_and_then_he_sees_what_is_hidden)
{
    ck_err(act(&kit, B, "{\"do\":\"hide\",\"number\":7}"), ERR_OK);
    ck_err(call(&kit, match_watch, A, "{}"), ERR_OK);
    ck_err(call(&kit, match_watch, B, "{}"), ERR_OK);
    settle(&kit);
    forget_pushes(&kit);
    const struct result *seen = look(D, match_view, "", "a dispute");
    ck_err(seen, ERR_OK);
    ck_has(seen->json, "\"as\":\"all\"");
    ck_has(seen->json, "7");
    for (unsigned seat = A; seat <= B; seat++) {
        ck_has(pushed(seat, PUSH_VIEW), "{\"ev\":\"looked\",\"reason\":\"a dispute\"}");
    }
    ck_assert_uint_eq(looks_told(), 1);
}
END_TEST

START_TEST(what_cannot_be_stored_is_not_shown)
{
    log_set_level(LOG_ERROR + 1);
    ck_err(act(&kit, B, "{\"do\":\"hide\",\"number\":7}"), ERR_OK);
    settle(&kit);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 4);
    ck_err(look(D, match_view, "", "a dispute"), ERR_STORAGE_FAILED);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
    log_set_level(LOG_INFO);
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_CONFLICT);
    ck_assert_uint_eq(looks_told(), 0);
    ck_err(look(D, match_view, "", "a dispute"), ERR_OK);
    ck_assert_uint_eq(looks_told(), 1);
}
END_TEST

START_TEST(a_look_ends_after_a_quarter_of_an_hour)
{
    ck_err(look(D, match_watch, "", "a dispute"), ERR_OK);
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_OK);
    kit.now += (int64_t)(LOOK_MINUTES - 1) * 60000;
    looks_sweep(kit.matches);
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_OK);
    forget_pushes(&kit);
    ck_err(act(&kit, A, "{\"do\":\"hide\",\"number\":3}"), ERR_OK);
    settle(&kit);
    ck_has(pushed(D, PUSH_VIEW), "\"as\":\"all\"");
    forget_pushes(&kit);
    kit.now += 60000;
    looks_sweep(kit.matches);
    ck_has(pushed(D, PUSH_CHANGED), "\"unwatched\":\"all\"");
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_CONFLICT);
    forget_pushes(&kit);
    ck_err(act(&kit, A, "{\"do\":\"hide\",\"number\":4}"), ERR_OK);
    settle(&kit);
    ck_assert_uint_eq(kit.clients[D].count, 0);
    ck_assert_uint_eq(looks_told(), 1);
    ck_err(look(D, match_view, "", "once more"), ERR_OK);
    ck_assert_uint_eq(looks_told(), 2);
}
END_TEST

START_TEST(a_wait_ends_with_the_look)
{
    struct result waits;
    ck_err(look(D, match_view, "", "a dispute"), ERR_OK);
    char after[64];
    snprintf(after, sizeof after, ",\"after\":%d,\"timeout_s\":60",
             (int)result_int(call(&kit, match_view, D, "{'as':'all'}"), "seq"));
    look_begin(D, match_wait, after, "a dispute", &waits);
    ck_assert(!waits.done);
    kit.now += (int64_t)LOOK_MINUTES * 60000;
    looks_sweep(kit.matches);
    call_wait(&kit, &waits);
    ck_err(&waits, ERR_FORBIDDEN);
    result_free(&waits);
}
END_TEST

START_TEST(a_look_lasts_over_a_restart)
{
    ck_err(look(D, match_view, "", "a dispute"), ERR_OK);
    match_kit_reopen(&kit);
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_CONFLICT);
    ck_err(look(D, match_view, "", "the same"), ERR_OK);
    ck_assert_uint_eq(looks_told(), 1);
    match_kit_reopen(&kit);
    kit.now += (int64_t)LOOK_MINUTES * 60000;
    ck_err(look(D, match_view, "", "another"), ERR_OK);
    ck_assert_uint_eq(looks_told(), 2);
}
END_TEST

START_TEST(others_are_answered_as_ever_and_nothing_is_told)
{
    ck_err(look(E, match_view, "", "an administrator"), ERR_CONFLICT);
    ck_err(look(9, match_view, "", "a stranger"), ERR_CONFLICT);
    ck_err(look(A, match_view, "", "a player"), ERR_CONFLICT);
    ck_assert_uint_eq(looks_told(), 0);
    ck_err(look(D, match_view, "", "a referee"), ERR_OK);
    ck_err(call(&kit, match_view, E, "{'as':'all'}"), ERR_CONFLICT);
}
END_TEST

START_TEST(the_account_is_no_referee_any_more)
{
    ck_err(look(D, match_watch, "", "a dispute"), ERR_OK);
    const struct account_id referee = account_of(D);
    forget_pushes(&kit);
    match_looks_forget(kit.matches, &referee);
    ck_has(pushed(D, PUSH_CHANGED), "\"unwatched\":\"all\"");
    ck_err(call(&kit, match_view, D, "{'as':'all'}"), ERR_CONFLICT);
}
END_TEST

START_TEST(two_calls_at_once_are_two_lines_at_most_and_both_are_answered)
{
    struct result first, second;
    look_begin(D, match_view, "", "one", &first);
    look_begin(D, match_view, "", "two", &second);
    call_wait(&kit, &first);
    call_wait(&kit, &second);
    ck_err(&first, ERR_OK);
    ck_err(&second, ERR_OK);
    ck_assert_uint_le(looks_told(), 2);
    ck_assert_uint_ge(looks_told(), 1);
    result_free(&first);
    result_free(&second);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("match_look");
    TCase *tc = tcase_create("looks");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, everybody_is_told_and_then_he_sees_what_is_hidden);
    tcase_add_test(tc, what_cannot_be_stored_is_not_shown);
    tcase_add_test(tc, a_look_ends_after_a_quarter_of_an_hour);
    tcase_add_test(tc, a_wait_ends_with_the_look);
    tcase_add_test(tc, a_look_lasts_over_a_restart);
    tcase_add_test(tc, others_are_answered_as_ever_and_nothing_is_told);
    tcase_add_test(tc, the_account_is_no_referee_any_more);
    tcase_add_test(tc, two_calls_at_once_are_two_lines_at_most_and_both_are_answered);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
