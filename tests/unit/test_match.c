/* tests/unit/test_match.c: live matches on a real store: hidden lines, exactly once, undo,
 * failures, rest. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sqlite3.h>

#include "common/base/jsonr.h"
#include "common/protocol/patch.h"
#include "server/base/log.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

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

START_TEST(a_match_begins_with_seq_1_and_tells_both_seats)
{
    struct result *view = call(&kit, match_view, 0, "{}");
    ck_err(view, ERR_OK);
    ck_assert_int_eq(result_int(view, "seq"), 1);
    ck_has(view->json, "\"as\":\"A\"");
    ck_has(view->json, "\"events\":[{\"ev\":\"dealt\"");
    ck_has(view->json, "\"undo\":false");
    ck_has(view->json, "\"actions\":[{");
    /* A spectator has no forms, no undo. */
    struct result *public = call(&kit, match_view, 9, "{}");
    ck_err(public, ERR_OK);
    ck_has(public->json, "\"as\":\"public\"");
    ck_assert_ptr_null(strstr(public->json, "actions"));
    ck_assert_ptr_null(strstr(public->json, "undo"));
    ck_assert_uint_eq(kit.turns, 2);
    ck_assert_uint_eq(kit.changes, 1);
}
END_TEST

START_TEST(header_and_begin_are_history_of_all)
{
    struct result *history = call(&kit, match_history, 9, "{'from':0}");
    ck_err(history, ERR_OK);
    ck_has(history->json, "{\"steps\":[{\"seq\":0,");
    ck_has(history->json, "{\"seq\":1,");
    ck_assert_ptr_null(strstr(history->json, "\"seq\":2"));
}
END_TEST

START_TEST(a_quiet_line_leaves_others_untouched_to_the_byte)
{
    struct result *watch = call(&kit, match_watch, 1, "{}");
    ck_err(watch, ERR_OK);
    (void)call(&kit, match_watch, 9, "{'as':'public'}");
    settle(&kit);
    forget_pushes(&kit);
    char *enemy = everything(&kit, 1);
    char *public = everything(&kit, 9);
    for (int i = 0; i < 100; i++) {
        ck_err(act(&kit, 0, "{'do':'hide','number':7}"), ERR_OK);
        char undo[64];
        snprintf(undo, sizeof undo, "{'seq':%lld}", (long long)seq_of(&kit, 0));
        ck_err(call(&kit, match_undo, 0, undo), ERR_OK);
    }
    ck_err(act(&kit, 0, "{'do':'hide','number':7}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'mask'}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'secret'}"), ERR_OK);
    ck_assert_int_eq(seq_of(&kit, 0), 204);
    ck_assert_int_eq(seq_of(&kit, 1), 1);
    ck_assert_uint_eq(kit.clients[1].count, 0);
    char *enemy_after = everything(&kit, 1);
    char *public_after = everything(&kit, 9);
    ck_assert_str_eq(enemy, enemy_after);
    ck_assert_str_eq(public, public_after);
    free(enemy_after);
    /* Nor after the match came back from the store. */
    match_kit_reopen(&kit);
    enemy_after = everything(&kit, 1);
    ck_assert_str_eq(enemy, enemy_after);
    free(enemy);
    free(enemy_after);
    free(public);
    free(public_after);
    /* The number is nowhere but with its owner. */
    char *own = everything(&kit, 0);
    ck_has(own, "\"number\":7");
    free(own);
}
END_TEST

START_TEST(a_stale_seq_is_told_the_current_one)
{
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    struct result *stale = call(&kit, match_act, 1, "{'seq':1,'action':{'do':'roll'}}");
    ck_err(stale, ERR_STALE_STATE);
    ck_assert_int_eq(stale->why.seq, 2);
    /* The other seat's quiet line makes nothing stale. */
    ck_err(act(&kit, 0, "{'do':'hide','number':1}"), ERR_OK);
    ck_err(call(&kit, match_act, 1, "{'seq':2,'action':{'do':'roll'}}"), ERR_OK);
}
END_TEST

START_TEST(refusals_name_their_rule_and_change_nothing)
{
    ck_err(act(&kit, 0, "{'do':'add','n':90}"), ERR_OK);
    char *before = everything(&kit, 0);
    struct result *refused = act(&kit, 0, "{'do':'add','n':90}");
    ck_err(refused, ERR_ILLEGAL_ACTION);
    ck_assert_str_eq(refused->why.rule, "X2");
    ck_err(act(&kit, 0, "{'do':'no'}"), ERR_INVALID_PARAMS);
    ck_err(act(&kit, 0, "{'do':'break'}"), ERR_INTERNAL);
    ck_err(call(&kit, match_act, 9, "{'seq':1,'action':{'do':'roll'}}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_act, 8, "{'seq':1,'action':{'do':'roll'}}"), ERR_NOT_SIGNED_IN);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'},'x':1}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_act, 0, "{'action':{'do':'roll'}}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_act, 0, "{'seq':1}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'actions':[]}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_view, 0, "{'as':'B'}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_view, 0, "{'as':'all'}"), ERR_CONFLICT);
    ck_err(call(&kit, match_view, 0, "{'as':'Q'}"), ERR_INVALID_PARAMS);
    char *after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    struct matches_stats stats;
    matches_stats(kit.matches, &stats);
    ck_assert_uint_eq(stats.bad_states, 1);
    /* What reproduces it is kept once, however often somebody does it again. */
    ck_err(act(&kit, 0, "{'do':'break'}"), ERR_INTERNAL);
    match_kit_pause(&kit); /* all is written */
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    ck_assert_int_eq(sqlite3_open(kit.kit.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, "SELECT count(*) FROM fault", -1, &stmt, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int64(stmt, 0), 1);
    (void)sqlite3_finalize(stmt);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    match_kit_resume(&kit);
}
END_TEST

START_TEST(the_same_action_id_gets_the_first_answer)
{
    static const char first[] = "{'seq':1,'action':{'do':'roll'},'action_id':'one'}";
    struct result a;
    struct result b;
    struct result c;
    /* Twice in flight, and with other params. */
    call_begin(&kit, match_act, 0, first, &a);
    call_begin(&kit, match_act, 0, first, &b);
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'stop'},'action_id':'one'}", &c);
    ck_assert(!b.done && !c.done);
    call_wait(&kit, &a);
    call_wait(&kit, &b);
    call_wait(&kit, &c);
    ck_err(&a, ERR_OK);
    ck_err(&b, ERR_OK);
    ck_assert_str_eq(a.json, b.json);
    ck_err(&c, ERR_CONFLICT);
    ck_assert_str_eq(c.why.reason, "action_id");
    /* Later, after others, and after a restart. */
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    struct result *again = call(&kit, match_act, 0, first);
    ck_err(again, ERR_OK);
    ck_assert_str_eq(a.json, again->json);
    match_kit_reopen(&kit);
    again = call(&kit, match_act, 0, first);
    ck_err(again, ERR_OK);
    ck_assert_str_eq(a.json, again->json);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'stop'},'action_id':'one'}"),
           ERR_CONFLICT);
    ck_err(call(&kit, match_resign, 0, "{'action_id':'one'}"), ERR_CONFLICT);
    /* Another account's is another id. */
    ck_err(call(&kit, match_act, 1, "{'seq':3,'action':{'do':'roll'},'action_id':'one'}"), ERR_OK);
    result_free(&a);
    result_free(&b);
    result_free(&c);
}
END_TEST

START_TEST(a_refusal_is_not_remembered)
{
    ck_err(call(&kit, match_act, 0, "{'seq':9,'action':{'do':'roll'},'action_id':'one'}"),
           ERR_STALE_STATE);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'},'action_id':'one'}"), ERR_OK);
}
END_TEST

START_TEST(an_action_id_of_another_match_is_a_conflict)
{
    struct match_id first = kit.id;
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'},'action_id':'one'}"), ERR_OK);
    match_kit_begin(&kit, "{}", 2, false);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'},'action_id':'one'}"),
           ERR_CONFLICT);
    /* Nothing of it is left, and play goes on. */
    ck_assert_int_eq(seq_of(&kit, 0), 1);
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'},'action_id':'two'}"), ERR_OK);
    kit.id = first;
    ck_assert_int_eq(seq_of(&kit, 0), 2);
}
END_TEST

START_TEST(several_lines_may_be_in_flight)
{
    struct result results[20];
    for (unsigned i = 0; i < 20; i++) {
        char text[96];
        snprintf(text, sizeof text, "{'seq':%u,'action':{'do':'%s'}}", i + 1,
                 i % 2 == 0 ? "roll" : "double");
        call_begin(&kit, match_act, i % 2, text, &results[i]);
        ck_assert(!results[i].done);
    }
    struct result refused;
    struct result view;
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'}}", &refused);
    ck_assert(!refused.done); /* judged on lines that are not stored yet */
    call_begin(&kit, match_view, 0, "{}", &view);
    call_wait(&kit, &refused);
    ck_err(&refused, ERR_STALE_STATE);
    ck_assert_int_eq(refused.why.seq, 21);
    for (unsigned i = 0; i < 20; i++) {
        call_wait(&kit, &results[i]);
        ck_err(&results[i], ERR_OK);
        ck_assert_int_eq(result_int(&results[i], "seq"), i + 2);
        ck_assert_uint_lt(results[i].order, refused.order);
        result_free(&results[i]);
    }
    call_wait(&kit, &view);
    ck_err(&view, ERR_OK);
    result_free(&view);
}
END_TEST

/* Neither the time nor the fate of an answer tells that the other seat has a quiet line in flight.
 */
START_TEST(a_refusal_does_not_wait_for_lines_that_told_nothing)
{
    struct result quiet;
    struct result refused;
    struct result tried;
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 4);
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'hide','number':3}}", &quiet);
    call_begin(&kit, match_act, 1, "{'seq':9,'action':{'do':'roll'}}", &refused);
    call_begin(&kit, match_try, 1, "{'seq':1,'action':{'do':'roll'}}", &tried);
    ck_assert(!quiet.done);
    ck_assert(refused.done && tried.done);
    call_wait(&kit, &refused);
    call_wait(&kit, &tried);
    ck_err(&refused, ERR_STALE_STATE);
    ck_err(&tried, ERR_OK);
    call_wait(&kit, &quiet);
    ck_err(&quiet, ERR_STORAGE_FAILED);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
    result_free(&tried);
}
END_TEST

/* Three failed commits in a row with several lines in flight each time. (After an error of the disk
 * lines may be stored after all and are answered so: test_store.) */
START_TEST(failed_commits_leave_no_trace)
{
    (void)call(&kit, match_watch, 0, "{}");
    (void)call(&kit, match_watch, 1, "{'delta':true}");
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    settle(&kit);
    char *before = everything(&kit, 0);
    char *before_b = everything(&kit, 1);
    forget_pushes(&kit);
    struct result first;
    struct result lines[8];
    struct result late;
    struct result tried;
    for (unsigned round = 0; round < 3; round++) {
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 4);
        for (unsigned i = 0; i < 8; i++) {
            char text[96];
            snprintf(text, sizeof text, "{'seq':%u,'action':{'do':'roll'},'action_id':'r%u'}",
                     i + 2, i);
            call_begin(&kit, match_act, i % 2, text, &lines[i]);
        }
        call_begin(&kit, match_act, 0, "{'seq':99,'action':{'do':'roll'}}", &late);
        call_begin(&kit, match_try, 0, "{'seq':10,'action':{'do':'roll'}}", &tried);
        for (unsigned i = 0; i < 8; i++) {
            call_wait(&kit, &lines[i]);
            ck_err(&lines[i], ERR_STORAGE_FAILED);
        }
        call_wait(&kit, &late);
        call_wait(&kit, &tried);
        ck_err(&late, ERR_STORAGE_FAILED);
        ck_err(&tried, ERR_STORAGE_FAILED);
        ck_assert_uint_eq(kit.clients[0].count, 0);
        ck_assert_uint_eq(kit.clients[1].count, 0);
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
        char *after = everything(&kit, 0);
        char *after_b = everything(&kit, 1);
        ck_assert_str_eq(before, after);
        ck_assert_str_eq(before_b, after_b);
        free(after);
        free(after_b);
    }
    /* The same ids try again: the same die that nobody saw comes now. */
    call_begin(&kit, match_act, 0, "{'seq':2,'action':{'do':'roll'},'action_id':'r0'}", &first);
    call_wait(&kit, &first);
    ck_err(&first, ERR_OK);
    ck_assert_int_eq(result_int(&first, "seq"), 3);
    settle(&kit);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_assert_uint_eq(kit.clients[1].count, 1);
    ck_assert_int_eq(kit.clients[1].pushes[0].kind, PUSH_DELTA);
    result_free(&first);
    free(before);
    free(before_b);
}
END_TEST

START_TEST(one_bad_line_fails_with_all_that_follow_it)
{
    struct result lines[4];
    for (unsigned i = 0; i < 4; i++) {
        char text[96];
        /* The third can't be stored: it is the row fault's. */
        if (i == 0) { store_inject(kit.kit.store, STORE_FAULT_ROW, 2, 2); }
        snprintf(text, sizeof text, "{'seq':%u,'action':{'do':'roll'}}", i + 1);
        call_begin(&kit, match_act, i % 2, text, &lines[i]);
    }
    bool failed = false;
    unsigned stored = 0;
    for (unsigned i = 0; i < 4; i++) {
        call_wait(&kit, &lines[i]);
        if (lines[i].err != ERR_OK) {
            failed = true;
        } else {
            ck_assert(!failed); /* no line lands on a missing one */
            stored++;
        }
        result_free(&lines[i]);
    }
    store_inject(kit.kit.store, STORE_FAULT_ROW, 0, 0);
    ck_assert_int_eq(seq_of(&kit, 0), 1 + stored);
    char text[96];
    snprintf(text, sizeof text, "{'seq':%u,'action':{'do':'roll'}}", stored + 1);
    ck_err(call(&kit, match_act, 0, text), ERR_OK);
    match_kit_reopen(&kit);
    ck_assert_int_eq(seq_of(&kit, 0), 2 + stored);
}
END_TEST

START_TEST(undo_takes_back_the_own_last_action_and_is_a_new_line)
{
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"undo\":true");
    ck_has(call(&kit, match_view, 1, "{}")->json, "\"undo\":false");
    ck_err(act(&kit, 1, "{'do':'add','n':7}"), ERR_OK);
    struct result *undone = call(&kit, match_undo, 0, "{'seq':3}");
    ck_err(undone, ERR_OK);
    ck_assert_int_eq(result_int(undone, "seq"), 4);
    ck_has(undone->json, "{\"ev\":\"undone\",\"seat\":\"A\"}");
    struct result *view = call(&kit, match_view, 1, "{}");
    ck_has(view->json, "\"pot\":7");
    ck_assert_int_eq(result_int(view, "seq"), 4);
    /* Only its own, and what is undone stays in history. */
    ck_err(call(&kit, match_undo, 0, "{'seq':4}"), ERR_CONFLICT);
    ck_has(call(&kit, match_history, 1, "{}")->json, "\"ev\":\"added\",\"seat\":\"A\",\"n\":5");
    ck_err(call(&kit, match_undo, 1, "{'seq':4}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":0");
    match_kit_reopen(&kit);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":0");
    ck_assert_int_eq(seq_of(&kit, 0), 5);
}
END_TEST

START_TEST(undo_is_refused_where_what_followed_would_go_otherwise)
{
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'double'}"), ERR_OK);
    struct result *refused = call(&kit, match_undo, 0, "{'seq':3}");
    ck_err(refused, ERR_CONFLICT);
    ck_assert_str_eq(refused->why.reason, "undo");
    /* The other's own last action can be taken back, then this one too. */
    ck_err(call(&kit, match_undo, 1, "{'seq':3}"), ERR_OK);
    ck_err(call(&kit, match_undo, 0, "{'seq':4}"), ERR_OK);
}
END_TEST

START_TEST(undo_reaches_behind_no_draw_and_no_seal)
{
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"undo\":false");
    ck_err(call(&kit, match_undo, 0, "{'seq':3}"), ERR_CONFLICT);
    ck_err(call(&kit, match_undo, 1, "{'seq':3}"), ERR_CONFLICT);
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'add','n':5}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'show'}"), ERR_OK);
    ck_err(call(&kit, match_undo, 0, "{'seq':6}"), ERR_CONFLICT); /* sealed by its own */
    ck_err(call(&kit, match_undo, 1, "{'seq':6}"), ERR_OK);       /* that seal is not his */
}
END_TEST

START_TEST(quiet_undo_is_quiet)
{
    ck_err(act(&kit, 0, "{'do':'hide','number':4}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'add','n':4}"), ERR_OK);
    char *before = everything(&kit, 1);
    ck_err(call(&kit, match_undo, 0, "{'seq':3}"), ERR_OK);
    char *after = everything(&kit, 1);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    ck_assert_ptr_null(strstr(call(&kit, match_view, 0, "{}")->json, "number\":4"));
}
END_TEST

START_TEST(a_list_is_all_or_nothing)
{
    char *before = everything(&kit, 0);
    struct result *refused = call(
        &kit, match_act, 0,
        "{'seq':1,'actions':[{'do':'add','n':60},{'do':'hide','number':3},{'do':'add','n':60}]}");
    ck_err(refused, ERR_ILLEGAL_ACTION);
    char *after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(after);
    /* Only the last may draw or be sealed. */
    refused = call(&kit, match_act, 0, "{'seq':1,'actions':[{'do':'roll'},{'do':'add','n':1}]}");
    ck_err(refused, ERR_CONFLICT);
    ck_assert_str_eq(refused->why.reason, "list");
    refused = call(&kit, match_act, 0, "{'seq':1,'actions':[{'do':'show'},{'do':'add','n':1}]}");
    ck_err(refused, ERR_CONFLICT);
    after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(after);
    free(before);
    struct result *good =
        call(&kit, match_act, 0,
             "{'seq':1,'actions':[{'do':'add','n':6},{'do':'hide','number':3},{'do':'roll'}]}");
    ck_err(good, ERR_OK);
    ck_assert_int_eq(result_int(good, "seq"), 4);
    ck_has(good->json, "\"ev\":\"added\"");
    ck_has(good->json, "\"ev\":\"hid\"");
    ck_has(good->json, "\"ev\":\"rolled\"");
    ck_assert_int_eq(seq_of(&kit, 1), 3);
    char list[4096] = "{'seq':4,'actions':[{'do':'add','n':1}";
    for (unsigned i = 0; i < 64; i++) {
        strcat(list, ",{'do':'add','n':1}");
    }
    strcat(list, "]}");
    ck_err(call(&kit, match_act, 0, list), ERR_TOO_LARGE);
}
END_TEST

START_TEST(a_list_after_an_undoable_action_can_be_taken_back_step_by_step)
{
    ck_err(act(&kit, 0, "{'do':'add','n':1}"), ERR_OK);
    ck_err(call(&kit, match_act, 0, "{'seq':2,'actions':[{'do':'add','n':2},{'do':'add','n':3}]}"),
           ERR_OK);
    /* 1 + 2 + 3 + 5 + 90 = 101 */
    ck_err(call(&kit, match_act, 0, "{'seq':4,'actions':[{'do':'add','n':5},{'do':'add','n':90}]}"),
           ERR_ILLEGAL_ACTION);
    ck_err(call(&kit, match_undo, 0, "{'seq':4}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":3");
    ck_err(call(&kit, match_undo, 0, "{'seq':5}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":1");
    ck_err(call(&kit, match_undo, 0, "{'seq':6}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":0");
}
END_TEST

START_TEST(try_answers_and_changes_nothing)
{
    char *before = everything(&kit, 0);
    struct result *good = call(&kit, match_try, 0, "{'seq':1,'action':{'do':'roll'}}");
    ck_err(good, ERR_OK);
    ck_assert_str_eq(good->json, "{\"accepted\":true}");
    ck_err(
        call(&kit, match_try, 0, "{'seq':1,'actions':[{'do':'add','n':60},{'do':'add','n':60}]}"),
        ERR_ILLEGAL_ACTION);
    ck_err(call(&kit, match_try, 0,
                "{'seq':1,'actions':[{'do':'add','n':60},{'do':'hide','number':2},{'do':'roll'}]}"),
           ERR_OK);
    ck_err(call(&kit, match_try, 0, "{'seq':1,'actions':[{'do':'roll'},{'do':'roll'}]}"),
           ERR_CONFLICT);
    char *after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    struct result *asked = call(&kit, match_ask, 0, "{'question':{}}");
    ck_err(asked, ERR_OK);
    ck_assert_str_eq(asked->json, "{\"seq\":1,\"answer\":100}");
}
END_TEST

/* Plays a while, then compares each step of history and each replayed view with what was shown. */
START_TEST(history_and_replay_are_what_was_shown)
{
    char *views[2][64] = {{NULL}};
    uint64_t seqs[2] = {1, 1};
    static const char *const actions[] = {
        "{'do':'hide','number':3}", "{'do':'add','n':2}", "{'do':'mask'}",     "{'do':'roll'}",
        "{'do':'secret'}",          "{'do':'show'}",      "{'do':'add','n':1}"};
    for (unsigned seat = 0; seat < 2; seat++) {
        views[seat][1] = strdup(call(&kit, match_view, seat, "{'actions':false}")->json);
    }
    for (unsigned i = 0; i < 28; i++) {
        unsigned seat = i * 5 % 3 == 0 ? 1 : 0;
        ck_err(act(&kit, seat, actions[i % 7]), ERR_OK);
        for (unsigned other = 0; other < 2; other++) {
            seqs[other] = (uint64_t)seq_of(&kit, other);
            char **view = &views[other][seqs[other]];
            free(*view);
            *view = strdup(call(&kit, match_view, other, "{'actions':false}")->json);
        }
    }
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned seat = 0; seat < 2; seat++) {
            ck_assert_uint_gt(seqs[seat], 10);
            struct result *history = call(&kit, match_history, seat, "{'from':0}");
            cJSON *json = NULL;
            ck_assert_int_eq(json_parse(history->json, strlen(history->json), &json), ERR_OK);
            const cJSON *steps = json_get(json, "steps");
            ck_assert_uint_eq((uint64_t)cJSON_GetArraySize(steps), seqs[seat] + 1);
            for (uint64_t seq = 1; seq <= seqs[seat]; seq++) {
                char text[64];
                snprintf(text, sizeof text, "{'seq':%llu}", (unsigned long long)seq);
                struct result *replay = call(&kit, match_replay, seat, text);
                ck_err(replay, ERR_OK);
                ck_assert_str_eq(replay->json, views[seat][seq]);
                cJSON *view = NULL;
                ck_assert_int_eq(json_parse(replay->json, strlen(replay->json), &view), ERR_OK);
                const cJSON *step = cJSON_GetArrayItem(steps, (int)seq);
                ck_assert(json_equal(json_get(step, "chain"), json_get(view, "chain")));
                ck_assert(json_equal(json_get(step, "events"), json_get(view, "events")));
                cJSON_Delete(view);
            }
            cJSON_Delete(json);
        }
        match_kit_reopen(&kit);
    }
    ck_err(call(&kit, match_replay, 0, "{'seq':99}"), ERR_NOT_FOUND);
    struct result *part = call(&kit, match_history, 0, "{'from':2,'limit':3}");
    ck_has(part->json, "\"next\":5");
    for (unsigned seat = 0; seat < 2; seat++) {
        for (unsigned i = 0; i < 64; i++) {
            free(views[seat][i]);
        }
    }
}
END_TEST

static void small_snapshots(void)
{
    memset(&kit, 0, sizeof kit);
    kit.snapshot_lines = 3;
    match_kit_open(&kit);
    match_kit_begin(&kit, "{}", 2, true);
}

/* After each action the match is read again from its snapshot: same bytes, same undo. */
START_TEST(a_match_that_rested_is_the_same)
{
    static const char *const actions[] = {"{'do':'hide','number':3}", "{'do':'add','n':2}",
                                          "{'do':'mask'}", "{'do':'add','n':1}", "{'do':'show'}"};
    for (unsigned i = 0; i < 30; i++) {
        ck_err(act(&kit, i * 7 % 5 % 2, actions[i % 5]), ERR_OK);
        char *before = everything(&kit, 0);
        char *before_b = everything(&kit, 1);
        match_kit_reopen(&kit);
        char *after = everything(&kit, 0);
        char *after_b = everything(&kit, 1);
        ck_assert_str_eq(before, after);
        ck_assert_str_eq(before_b, after_b);
        free(before);
        free(before_b);
        free(after);
        free(after_b);
        if (i % 6 == 3 && i % 5 != 4) { /* not what is sealed */
            char undo[64];
            unsigned seat = i * 7 % 5 % 2;
            snprintf(undo, sizeof undo, "{'seq':%lld}", (long long)seq_of(&kit, seat));
            ck_err(call(&kit, match_undo, seat, undo), ERR_OK);
        }
    }
}
END_TEST

START_TEST(check_finds_a_stored_match_whole)
{
    for (unsigned i = 0; i < 40; i++) {
        ck_err(act(&kit, i % 2, i % 3 == 0 ? "{'do':'roll'}" : "{'do':'hide','number':2}"), ERR_OK);
    }
    ck_err(call(&kit, match_resign, 1, "{'action_id':'bye'}"), ERR_OK);
    match_kit_reopen(&kit);
    match_kit_pause(&kit);
    uint64_t count = 0;
    uint64_t faults = 1;
    ck_assert_int_eq(matches_check(kit.kit.path, lots_games, NULL, NULL, &count, &faults), ERR_OK);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(faults, 0);
    match_kit_resume(&kit);
}
END_TEST

START_TEST(deltas_give_the_next_view)
{
    (void)call(&kit, match_watch, 0, "{'delta':true}");
    (void)call(&kit, match_watch, 1, "{'delta':true,'actions':false}");
    (void)call(&kit, match_watch, 9, "{'as':'public','delta':true}");
    settle(&kit);
    static const char *const actions[] = {"{'do':'hide','number':3}", "{'do':'add','n':2}",
                                          "{'do':'roll'}", "{'do':'show'}", "{'do':'stop'}"};
    unsigned deltas = 0;
    cJSON *held[2] = {NULL, NULL};
    for (unsigned i = 0; i < 9; i++) {
        ck_err(act(&kit, i % 2, actions[i == 8 ? 4 : i % 4]), ERR_OK);
        settle(&kit);
    }
    for (unsigned seat = 0; seat < 2; seat++) {
        for (size_t k = 0; k < kit.clients[seat].count; k++) {
            const struct pushed *pushed = &kit.clients[seat].pushes[k];
            cJSON *json = NULL;
            if (pushed->viewer == VIEWER_PUBLIC) { continue; }
            ck_assert_int_eq(json_parse(pushed->text, strlen(pushed->text), &json), ERR_OK);
            cJSON *params = cJSON_GetObjectItemCaseSensitive(json, "params");
            if (pushed->kind == PUSH_VIEW) {
                cJSON_Delete(held[seat]);
                held[seat] = cJSON_DetachItemFromObjectCaseSensitive(params, "view");
            } else {
                ck_assert_int_eq(pushed->kind, PUSH_DELTA);
                ck_assert(json_equal(json_get(params, "from"), json_get(held[seat], "seq")));
                held[seat] = patch_merge(held[seat], json_get(params, "patch"));
                deltas++;
            }
            cJSON_Delete(json);
        }
        struct result *view = call(&kit, match_view, seat, seat == 1 ? "{'actions':false}" : "{}");
        cJSON *now = NULL;
        ck_assert_int_eq(json_parse(view->json, strlen(view->json), &now), ERR_OK);
        ck_assert(json_equal(now, held[seat]));
        cJSON_Delete(now);
        cJSON_Delete(held[seat]);
    }
    ck_assert_uint_gt(deltas, 10);
}
END_TEST

/* Whether the match was at rest before it, and who looked at it since, is told by no push. */
START_TEST(deltas_do_not_tell_whether_it_was_at_rest)
{
    kit.idle_ms = 1;
    match_kit_reopen(&kit);
    (void)call(&kit, match_watch, 0, "{'delta':true}");
    while (kit.clients[0].count == 0) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
    forget_pushes(&kit);
    matches_rest(kit.matches);
    ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_assert_int_eq(kit.clients[0].pushes[0].kind, PUSH_DELTA);
    /* One that comes back with what it has, whether the match is at rest then or is not. */
    for (unsigned i = 0; i < 2; i++) {
        ck_err(call(&kit, match_unwatch, 0, "{}"), ERR_OK);
        if (i == 1) { ck_err(call(&kit, match_view, 1, "{}"), ERR_OK); }
        if (i == 0) { matches_rest(kit.matches); }
        ck_err(call(&kit, match_watch, 0,
                    i == 0 ? "{'seq':2,'delta':true}" : "{'seq':3,'delta':true}"),
               ERR_OK);
        forget_pushes(&kit);
        ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
        ck_assert_uint_eq(kit.clients[0].count, 1);
        ck_assert_int_eq(kit.clients[0].pushes[0].kind, PUSH_DELTA);
    }
    /* And one that lacks something old gets the whole, though the match was not left alone since.
     */
    const uint64_t begin = uv_now(&kit.kit.loop);
    while (uv_now(&kit.kit.loop) <= begin + 1) {
        uv_update_time(&kit.kit.loop);
    }
    ck_err(call(&kit, match_view, 1, "{}"), ERR_OK);
    forget_pushes(&kit);
    (void)call(&kit, match_watch, 0, "{'seq':3,'delta':true}");
    settle(&kit);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_assert_int_eq(kit.clients[0].pushes[0].kind, PUSH_VIEW);
}
END_TEST

START_TEST(a_watcher_that_is_current_costs_no_load)
{
    ck_err(act(&kit, 0, "{'do':'add','n':2}"), ERR_OK);
    match_kit_reopen(&kit);
    struct result *watch = call(&kit, match_watch, 0, "{'seq':2}");
    ck_err(watch, ERR_OK);
    ck_has(watch->json, "\"unchanged\":true");
    struct matches_stats stats;
    matches_stats(kit.matches, &stats);
    ck_assert_uint_eq(stats.loads, 0);
    ck_assert_uint_eq(stats.loaded, 0);
    settle(&kit);
    ck_assert_uint_eq(kit.clients[0].count, 0);
    /* One that is not gets the view; one beyond is told so. */
    (void)call(&kit, match_watch, 1, "{'seq':1,'delta':true}");
    ck_err(call(&kit, match_watch, 9, "{'seq':3}"), ERR_STALE_STATE);
    while (kit.clients[1].count == 0) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
    ck_assert_int_eq(kit.clients[1].pushes[0].kind, PUSH_VIEW);
    /* The next line reaches both. */
    ck_err(act(&kit, 0, "{'do':'add','n':2}"), ERR_OK);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_assert_uint_eq(kit.clients[1].count, 2);
    ck_assert_int_eq(kit.clients[1].pushes[1].kind, PUSH_DELTA);
}
END_TEST

START_TEST(a_connection_that_lags_gets_the_newest_when_it_is_ready)
{
    (void)call(&kit, match_watch, 0, "{}");
    settle(&kit);
    forget_pushes(&kit);
    kit.clients[0].refuses = true;
    for (unsigned i = 0; i < 5; i++) {
        ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    }
    kit.clients[0].refuses = false;
    ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    ck_assert_uint_eq(kit.clients[0].count, 0);
    match_client_ready(kit.matches, &kit.clients[0].client);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_has(kit.clients[0].pushes[0].text, "\"seq\":7,");
    ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    ck_assert_uint_eq(kit.clients[0].count, 2);
}
END_TEST

START_TEST(the_reply_comes_before_the_pushes)
{
    (void)call(&kit, match_watch, 0, "{}");
    settle(&kit);
    forget_pushes(&kit);
    struct result result;
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'}}", &result);
    while (kit.clients[0].count == 0) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
        ck_assert(kit.clients[0].count == 0 || result.done);
    }
    call_wait(&kit, &result);
    result_free(&result);
}
END_TEST

START_TEST(wait_ends_with_the_view_or_unchanged)
{
    struct result waits[3];
    call_begin(&kit, match_wait, 0, "{'after':1,'timeout_s':60}", &waits[0]);
    call_begin(&kit, match_wait, 1, "{'after':1,'timeout_s':60}", &waits[1]);
    call_begin(&kit, match_wait, 1, "{'after':0}", &waits[2]);
    ck_assert(!waits[0].done);
    call_wait(&kit, &waits[2]);
    ck_assert_int_eq(result_int(&waits[2], "seq"), 1);
    ck_err(act(&kit, 0, "{'do':'hide','number':2}"), ERR_OK);
    call_wait(&kit, &waits[0]);
    ck_assert_int_eq(result_int(&waits[0], "seq"), 2);
    ck_has(waits[0].json, "\"board\"");
    ck_assert(!waits[1].done);
    match_client_gone(kit.matches, &kit.clients[1].client);
    ck_assert(waits[1].done);
    ck_assert_int_ne(waits[1].err, ERR_OK);
    call_wait(&kit, &waits[1]);
    struct result *now = call(&kit, match_wait, 1, "{'after':1,'timeout_s':0}");
    ck_has(now->json, "\"unchanged\":true");
    ck_err(call(&kit, match_wait, 1, "{'after':5}"), ERR_STALE_STATE);
    for (unsigned i = 0; i < 3; i++) {
        result_free(&waits[i]);
    }
}
END_TEST

START_TEST(the_end_opens_the_match)
{
    ck_err(act(&kit, 0, "{'do':'hide','number':7}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'stop'}"), ERR_OK);
    struct result *view = call(&kit, match_view, 0, "{}");
    ck_assert_int_eq(result_int(view, "seq"), 4);
    ck_has(view->json,
           "{\"ev\":\"match_ended\",\"how\":\"rules\",\"result\":{\"pot\":0,\"winners\":[]}}");
    ck_assert_ptr_null(strstr(view->json, "actions"));
    ck_has(call(&kit, match_view, 9, "{'as':'all'}")->json, "\"number\":7");
    ck_has(call(&kit, match_view, 1, "{'as':'A'}")->json, "\"number\":7");
    struct result *history = call(&kit, match_history, 9, "{'as':'all','from':0}");
    ck_has(history->json, "\"ev\":\"hid\",\"seat\":\"A\",\"n\":7");
    ck_has(history->json, "\"seq\":4");
    ck_has(call(&kit, match_replay, 9, "{'as':'all','seq':2}")->json, "\"number\":7");
    ck_has(call(&kit, match_replay, 9, "{'as':'A','seq':2}")->json, "\"number\":7");
    ck_err(call(&kit, match_act, 0, "{'seq':4,'action':{'do':'roll'}}"), ERR_MATCH_OVER);
    ck_err(call(&kit, match_undo, 0, "{'seq':4}"), ERR_MATCH_OVER);
    ck_err(call(&kit, match_resign, 0, "{}"), ERR_MATCH_OVER);
    match_kit_reopen(&kit);
    ck_err(call(&kit, match_act, 0, "{'seq':4,'action':{'do':'roll'}}"), ERR_MATCH_OVER);
    ck_has(call(&kit, match_view, 9, "{'as':'all'}")->json, "\"number\":7");
}
END_TEST

START_TEST(one_of_two_allies_may_leave_W18_9)
{
    match_kit_begin(&kit, "{\"players\":3}", 3, false);
    ck_err(call(&kit, match_view, 9, "{}"), ERR_FORBIDDEN);
    struct result *left = call(&kit, match_resign, 2, "{}");
    ck_err(left, ERR_OK);
    ck_has(left->json, "{\"ev\":\"left\",\"how\":\"resign\",\"seat\":\"C\"}");
    ck_err(call(&kit, match_resign, 2, "{}"), ERR_CONFLICT);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    match_kit_reopen(&kit);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    struct result *end = call(&kit, match_resign, 1, "{}");
    ck_err(end, ERR_OK);
    ck_has(end->json, "\"ev\":\"match_ended\",\"how\":\"resign\",\"seat\":\"B\"");
    ck_err(call(&kit, match_view, 9, "{'as':'all'}"), ERR_OK);
}
END_TEST

START_TEST(chat_is_numbered_and_told_to_watchers)
{
    (void)call(&kit, match_watch, 1, "{}");
    settle(&kit);
    forget_pushes(&kit);
    struct result *said =
        call(&kit, match_say, 0, "{'channel':'table','text':'hello','action_id':'h'}");
    ck_err(said, ERR_OK);
    ck_assert_int_eq(result_int(said, "n"), 1);
    ck_assert_uint_eq(kit.clients[1].count, 1);
    ck_assert_int_eq(kit.clients[1].pushes[0].kind, PUSH_SAID);
    ck_has(kit.clients[1].pushes[0].text, "\"from\":\"A\",\"text\":\"hello\"");
    char *first = strdup(said->json);
    said = call(&kit, match_say, 0, "{'channel':'table','text':'hello','action_id':'h'}");
    ck_assert_str_eq(first, said->json);
    ck_assert_uint_eq(kit.clients[1].count, 1);
    ck_err(call(&kit, match_say, 0, "{'channel':'table','text':'other','action_id':'h'}"),
           ERR_CONFLICT);
    said = call(&kit, match_say, 1, "{'channel':'table','text':'hi'}");
    ck_assert_int_eq(result_int(said, "n"), 2);
    struct result *talk = call(&kit, match_talk, 9, "{'channel':'table'}");
    ck_has(talk->json, "{\"messages\":[{\"channel\":\"table\",\"n\":1,\"at\":");
    ck_has(talk->json, "\"from\":\"B\",\"text\":\"hi\"}]}");
    talk = call(&kit, match_talk, 9, "{'channel':'table','before':2}");
    ck_assert_ptr_null(strstr(talk->json, "\"n\":2"));
    ck_err(call(&kit, match_say, 9, "{'channel':'table','text':'hi'}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_say, 0, "{'channel':'side','text':'hi'}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_say, 0, "{'channel':'table','text':'  '}"), ERR_INVALID_PARAMS);
    char text[2200] = "{'channel':'table','text':'";
    memset(text + strlen(text), 'x', 2001);
    strcat(text, "'}");
    ck_err(call(&kit, match_say, 0, text), ERR_TOO_LARGE);
    ck_assert_int_eq(seq_of(&kit, 0), 1);
    free(first);
}
END_TEST

START_TEST(matches_at_rest_are_dropped_and_still_watched)
{
    match_kit_close(&kit);
    memset(&kit, 0, sizeof kit);
    kit.idle_ms = 1;
    match_kit_open(&kit);
    match_kit_begin(&kit, "{}", 2, true);
    (void)call(&kit, match_watch, 0, "{}");
    ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    struct matches_stats stats;
    do {
        (void)uv_run(&kit.kit.loop, UV_RUN_NOWAIT);
        matches_stats(kit.matches, &stats);
    } while (stats.loaded > 0);
    ck_assert_uint_eq(stats.watches, 1);
    ck_assert_uint_eq(stats.memory_bytes, 0);
    forget_pushes(&kit);
    ck_err(act(&kit, 1, "{'do':'add','n':2}"), ERR_OK);
    ck_assert_uint_eq(kit.clients[0].count, 1);
}
END_TEST

START_TEST(closing_refuses_and_drains)
{
    struct result act_result;
    struct result wait_result;
    call_begin(&kit, match_wait, 1, "{'after':1,'timeout_s':60}", &wait_result);
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'hide','number':2}}", &act_result);
    matches_close(kit.matches, NULL, NULL);
    ck_assert(wait_result.done);
    ck_has(wait_result.json, "unchanged");
    ck_err(call(&kit, match_act, 0, "{'seq':2,'action':{'do':'roll'}}"), ERR_CLOSING);
    call_wait(&kit, &act_result);
    ck_err(&act_result, ERR_OK);
    call_wait(&kit, &wait_result);
    result_free(&act_result);
    result_free(&wait_result);
}
END_TEST

START_TEST(there_is_no_such_match)
{
    memcpy(kit.id.text, "aaaaaaaaaa", 10);
    ck_err(call(&kit, match_view, 0, "{}"), ERR_NOT_FOUND);
    ck_err(call(&kit, match_watch, 0, "{}"), ERR_NOT_FOUND);
    struct matches_stats stats;
    matches_stats(kit.matches, &stats);
    ck_assert_uint_eq(stats.known, 1);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match");
    TCase *play = tcase_create("play");
    tcase_add_checked_fixture(play, set_up, tear_down);
    tcase_set_timeout(play, 60);
    tcase_add_test(play, a_match_begins_with_seq_1_and_tells_both_seats);
    tcase_add_test(play, header_and_begin_are_history_of_all);
    tcase_add_test(play, a_quiet_line_leaves_others_untouched_to_the_byte);
    tcase_add_test(play, a_stale_seq_is_told_the_current_one);
    tcase_add_test(play, refusals_name_their_rule_and_change_nothing);
    tcase_add_test(play, the_same_action_id_gets_the_first_answer);
    tcase_add_test(play, a_refusal_is_not_remembered);
    tcase_add_test(play, an_action_id_of_another_match_is_a_conflict);
    tcase_add_test(play, several_lines_may_be_in_flight);
    tcase_add_test(play, a_refusal_does_not_wait_for_lines_that_told_nothing);
    tcase_add_test(play, failed_commits_leave_no_trace);
    tcase_add_test(play, one_bad_line_fails_with_all_that_follow_it);
    tcase_add_test(play, undo_takes_back_the_own_last_action_and_is_a_new_line);
    tcase_add_test(play, undo_is_refused_where_what_followed_would_go_otherwise);
    tcase_add_test(play, undo_reaches_behind_no_draw_and_no_seal);
    tcase_add_test(play, quiet_undo_is_quiet);
    tcase_add_test(play, a_list_is_all_or_nothing);
    tcase_add_test(play, a_list_after_an_undoable_action_can_be_taken_back_step_by_step);
    tcase_add_test(play, try_answers_and_changes_nothing);
    tcase_add_test(play, history_and_replay_are_what_was_shown);
    tcase_add_test(play, deltas_give_the_next_view);
    tcase_add_test(play, deltas_do_not_tell_whether_it_was_at_rest);
    tcase_add_test(play, a_watcher_that_is_current_costs_no_load);
    tcase_add_test(play, a_connection_that_lags_gets_the_newest_when_it_is_ready);
    tcase_add_test(play, the_reply_comes_before_the_pushes);
    tcase_add_test(play, wait_ends_with_the_view_or_unchanged);
    tcase_add_test(play, the_end_opens_the_match);
    tcase_add_test(play, one_of_two_allies_may_leave_W18_9);
    tcase_add_test(play, chat_is_numbered_and_told_to_watchers);
    tcase_add_test(play, matches_at_rest_are_dropped_and_still_watched);
    tcase_add_test(play, closing_refuses_and_drains);
    tcase_add_test(play, there_is_no_such_match);
    suite_add_tcase(suite, play);
    TCase *stored = tcase_create("stored");
    tcase_add_checked_fixture(stored, small_snapshots, tear_down);
    tcase_set_timeout(stored, 60);
    tcase_add_test(stored, a_match_that_rested_is_the_same);
    tcase_add_test(stored, check_finds_a_stored_match_whole);
    suite_add_tcase(suite, stored);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
