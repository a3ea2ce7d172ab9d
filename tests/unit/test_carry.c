/* tests/unit/test_carry.c: databases put back from an older copy, matches that move (FAIRNESS 4,
 * 8). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "common/base/buf.h"
#include "common/dice/dice.h"
#include "server/base/log.h"
#include "server/match/carry.h"
#include "server/store/backup.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

static struct match_kit kit;
static struct game early;
static const struct game *early_games[] = {&early, NULL};
static char copy[256], error[256], kept[512];

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    early = lots;
    match_kit_open(&kit);
    (void)snprintf(copy, sizeof copy, "%s.copy", kit.kit.path);
}

static void tear_down(void)
{
    match_kit_close(&kit);
    (void)unlink(copy);
    if (kept[0] != '\0') { (void)unlink(kept); }
    kept[0] = '\0';
}

static void sql(const char *text)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(kit.kit.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static int64_t number(const char *query)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    ck_assert_int_eq(sqlite3_open(kit.kit.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, query, -1, &stmt, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(stmt, 0);
    (void)sqlite3_finalize(stmt);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    return value;
}

/* The seat is dealt the commitment to a nonce of 32 such bytes. */
static void deal(struct match_begin *begin, unsigned seat, unsigned byte)
{
    struct hash nonce;
    char hex[65];
    char text[240];
    memset(nonce.bytes, (int)byte, sizeof nonce.bytes);
    dice_nonce_commitment(&nonce, &begin->nonces[seat].commit);
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        snprintf(hex + (size_t)2 * i, 3, "%02x", begin->nonces[seat].commit.bytes[i]);
    }
    snprintf(text, sizeof text,
             "INSERT INTO nonce_commit (key, account, commitment) VALUES (%u, '%s', x'%s')", byte,
             account_of(seat).text, hex);
    sql(text);
    begin->nonces[seat].key = byte;
}

static void begin(const struct match_begin *what)
{
    struct result result = {.done = false};
    match_begin(kit.matches, what, NULL, kit_on_done, &result);
    call_wait(&kit, &result);
    ck_err(&result, ERR_OK);
    result_free(&result);
}

static uint64_t count_faults(const struct game *const *list)
{
    uint64_t count = 0;
    uint64_t faults = 0;
    ck_assert_int_eq(matches_check(kit.kit.path, list, NULL, NULL, &count, &faults), ERR_OK);
    return faults;
}

/* With the daemon away: the copy takes the place of the database. */
static uint64_t restore(void)
{
    uint64_t count = 0;
    char unused[512];
    enum err err =
        carry_restore(copy, kit.kit.path, &count, kept[0] == '\0' ? kept : unused, error);
    ck_assert_msg(err == ERR_OK, "%s", error);
    return count;
}

START_TEST(restored_is_the_line_that_the_rules_would_have_written)
{
    kit.snapshot_lines = 2;
    match_kit_reopen(&kit);
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    deal(&what, 0, 0xaa);
    begin(&what);
    ck_err(call(&kit, match_nonce, 0, "{'lost':true}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'add','n':2}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'mask'}"), ERR_OK);
    /* One that is over stays as it is. */
    match_kit_begin(&kit, "{}", 2, false);
    ck_err(call(&kit, match_resign, 0, "{}"), ERR_OK);
    kit.id = what.id;
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    int64_t seq = seq_of(&kit, 0);
    int64_t other = seq_of(&kit, 1);
    match_kit_pause(&kit);
    ck_assert_uint_eq(restore(), 1);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    ck_assert_int_eq(number("SELECT roll FROM tip WHERE match = 1"), (INT64_C(1) << 32) + 2);
    ck_assert_int_eq(number("SELECT mask FROM tip WHERE match = 1"), (INT64_C(1) << 32) + 2);
    ck_assert_int_eq(number("SELECT roll FROM tip WHERE match = 2"), 1);
    match_kit_resume(&kit);
    ck_assert_int_eq(seq_of(&kit, 0), seq + 1);
    ck_assert_int_eq(seq_of(&kit, 1), other + 1);
    struct result *view = call(&kit, match_view, 9, "{}");
    ck_assert_ptr_nonnull(strstr(view->json, "\"events\":[{\"ev\":\"restored\"}]"));
    /* Nothing behind it is taken back. */
    ck_assert_ptr_nonnull(strstr(call(&kit, match_view, 0, "{}")->json, "\"undo\":false"));
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'stop'}"), ERR_OK);
    ck_err(call(&kit, match_record, 0, "{}"), ERR_OK);
}
END_TEST

/* An act of the host that names no seat, or none that there is, where it is about one: a fault of
 * the log, wherever it came from. */
START_TEST(an_act_about_no_seat_is_a_fault_of_the_log)
{
    static const char *const acts[] = {
        "\"seat\",\"how\":\"substitute\"",
        "\"seat\",\"how\":\"caretaker\",\"seat\":\"Z\"",
        "\"late\",\"how\":\"time\"",
        "\"resume\",\"how\":\"agreed\",\"by\":[\"A\",\"Z\"]",
    };
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    sql("DELETE FROM snapshot");
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        char update[256];
        snprintf(update, sizeof update,
                 "UPDATE line SET seat = -1, body = '{\"n\":2,\"at\":' || at || ',\"host\":%s}' "
                 "WHERE n = 2",
                 acts[i]);
        sql(update);
        ck_assert_uint_eq(count_faults(lots_games), 1);
    }
    match_kit_resume(&kit);
}
END_TEST

START_TEST(a_match_of_unknown_rules_is_marked_as_well)
{
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    sql("UPDATE match SET game = 'later'");
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(restore(), 1);
    sql("UPDATE match SET game = 'lots'");
    ck_assert_uint_eq(count_faults(lots_games), 0);
    match_kit_resume(&kit);
    ck_assert_int_eq(seq_of(&kit, 1), 3);
}
END_TEST

START_TEST(a_match_that_waits_for_nonces_is_marked_before_it_begins)
{
    early.early_draw = true;
    kit.list = early_games;
    match_kit_reopen(&kit);
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    deal(&what, 0, 0xaa);
    begin(&what);
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(restore(), 1);
    ck_assert_uint_eq(count_faults(early_games), 0);
    match_kit_resume(&kit);
    ck_err(call(&kit, match_view, 0, "{}"), ERR_CONFLICT);
    ck_err(call(&kit, match_nonce, 0, "{'nonce':'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo'}"),
           ERR_OK);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(count_faults(early_games), 0);
    ck_assert_int_eq(number("SELECT roll FROM tip"), (INT64_C(1) << 32) + 2);
    match_kit_resume(&kit);
}
END_TEST

START_TEST(stocks_are_empty_and_open_matches_noted_after_a_restore)
{
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    deal(&what, 0, 0xaa);
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(restore(), 0);
    ck_assert_int_eq(number("SELECT count(*) FROM nonce_commit WHERE dealt = 0"), 0);
    ck_assert_int_eq(number("SELECT restored FROM match"), 1);
    match_kit_resume(&kit);
    what.nonces[0].key = 0;
    what.restored = 1;
    begin(&what);
    ck_assert_int_eq(seq_of(&kit, 0), 2);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_int_eq(number("SELECT roll FROM tip"), (INT64_C(1) << 32) + 2);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    match_kit_resume(&kit);
}
END_TEST

START_TEST(a_restore_that_cannot_be_leaves_all_as_it_was)
{
    uint64_t count = 0;
    match_kit_begin(&kit, "{}", 2, true);
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    /* The daemon is there. */
    ck_assert_int_ne(carry_restore(copy, kit.kit.path, &count, kept, error), ERR_OK);
    ck_assert_ptr_nonnull(strstr(error, "in use"));
    match_kit_pause(&kit);
    /* No copy, no database, a damaged one. */
    ck_assert_int_ne(carry_restore("/nowhere", kit.kit.path, &count, kept, error), ERR_OK);
    FILE *file = fopen(copy, "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_SET), 0);
    for (unsigned i = 0; i < 2000; i++) {
        ck_assert_int_ne(fputc('x', file), EOF);
    }
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_ne(carry_restore(copy, kit.kit.path, &count, kept, error), ERR_OK);
    ck_assert_str_eq(kept, "");
    ck_assert_int_eq(number("SELECT count(*) FROM line"), 2);
    char beside[300];
    struct stat unused;
    (void)snprintf(beside, sizeof beside, "%s.restoring", kit.kit.path);
    ck_assert_int_ne(stat(beside, &unused), 0);
    match_kit_resume(&kit);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
}
END_TEST

/* ---- moving ---- */

START_TEST(an_exported_match_is_taken_whole_or_not_at_all)
{
    static struct carried carried;
    struct buf text;
    buf_init(&text, CARRY_BYTES_MAX);
    struct match_begin what = match_kit_make(&kit, "{\"players\":3}", 3, true);
    deal(&what, 0, 0xaa);
    deal(&what, 1, 0xbb);
    begin(&what);
    ck_err(call(&kit, match_nonce, 0, "{'nonce':'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo'}"),
           ERR_OK);
    ck_err(act(&kit, 0, "{'do':'hide','number':7}"), ERR_OK);
    ck_err(act(&kit, 2, "{'do':'mask'}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_int_eq(carry_export(kit.kit.path, kit.id.text, &text, error), ERR_OK);
    ck_assert_uint_eq(count_faults(lots_games), 0); /* all were told of it, by a line */
    ck_assert_int_eq(number("SELECT count(*) FROM line"), 6);
    /* It is there already. */
    ck_assert_int_eq(carry_import(kit.kit.path, text.data, text.len, lots_games, &carried, error),
                     ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(error, "already"));
    sql("PRAGMA foreign_keys = ON; DELETE FROM match");
    ck_assert_int_eq(number("SELECT count(*) FROM line"), 0);
    /* Cut anywhere, or without its rules. */
    for (size_t len = 0; len < text.len; len += 37) {
        ck_assert_int_ne(carry_import(kit.kit.path, text.data, len, lots_games, &carried, error),
                         ERR_OK);
    }
    ck_assert_int_ne(carry_import(kit.kit.path, text.data, text.len, NULL, &carried, error),
                     ERR_OK);
    ck_assert_int_eq(number("SELECT count(*) FROM match"), 0);
    ck_assert_int_eq(carry_import(kit.kit.path, text.data, text.len, lots_games, &carried, error),
                     ERR_OK);
    ck_assert_uint_eq(carried.seats, 3);
    ck_assert_uint_eq(strlen(carried.join_codes[2]), CARRY_CODE_CHARS);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    ck_assert_int_eq(number("SELECT count(*) FROM line"), 7);
    ck_assert_int_eq(number("SELECT count(*) FROM seat WHERE account IS NULL"), 3);
    buf_finish(&text);
    match_kit_resume(&kit);
    /* Nobody sits there; whoever takes a seat goes on with what its first holder did. */
    ck_err(call(&kit, match_view, 0, "{'as':'A'}"), ERR_FORBIDDEN);
    for (unsigned i = 0; i < 3; i++) {
        struct account_id account = account_of(i);
        char update[160];
        snprintf(update, sizeof update, "UPDATE seat SET account = '%s' WHERE seat = %u",
                 account.text, i);
        sql(update);
        match_seat_taken(kit.matches, &kit.id, i, &account);
    }
    struct result *view = call(&kit, match_view, 0, "{}");
    ck_err(view, ERR_OK);
    ck_assert_ptr_nonnull(strstr(view->json, "\"number\":7"));
    ck_assert_ptr_nonnull(strstr(view->json, "{\"ev\":\"restored\"}"));
    ck_err(act(&kit, 1, "{'do':'mask'}"), ERR_CONFLICT);
    ck_err(call(&kit, match_nonce, 1, "{'nonce':'u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7u7s'}"),
           ERR_OK);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    ck_err(call(&kit, match_record, 2, "{}"), ERR_OK);
}
END_TEST

/* A log that went back, restored and carried to another server: the offer of a rewind does not
 * outlive the restore, since it would take back something else; one of a draw does. */
START_TEST(a_match_that_went_back_is_restored_and_carried)
{
    static struct carried carried;
    struct buf text;
    buf_init(&text, CARRY_BYTES_MAX);
    kit.snapshot_lines = 3;
    match_kit_reopen(&kit);
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'add','n':2}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'hide','number':4}"), ERR_OK);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_offer, 1, "{'what':'draw'}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_int_eq(carry_export(kit.kit.path, kit.id.text, &text, error), ERR_OK);
    ck_assert_int_eq(store_backup(kit.kit.path, copy, error), ERR_OK);
    ck_assert_uint_eq(restore(), 1);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    match_kit_resume(&kit);
    ck_err(call(&kit, match_answer, 1, "{'offer':2,'accept':true}"), ERR_NOT_FOUND);
    ck_err(call(&kit, match_offer, 1, "{'what':'rewind','to':1}"), ERR_OK);
    ck_err(call(&kit, match_answer, 0, "{'offer':4,'accept':true}"), ERR_OK);
    ck_err(call(&kit, match_answer, 0, "{'offer':3,'accept':true}"), ERR_OK);
    ck_err(call(&kit, match_record, 0, "{}"), ERR_OK);
    match_kit_pause(&kit);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    sql("PRAGMA foreign_keys = ON; DELETE FROM match");
    ck_assert_int_eq(number("SELECT count(*) FROM offer"), 0);
    ck_assert_int_eq(carry_import(kit.kit.path, text.data, text.len, lots_games, &carried, error),
                     ERR_OK);
    ck_assert_uint_eq(count_faults(lots_games), 0);
    match_kit_resume(&kit);
    buf_finish(&text);
}
END_TEST

START_TEST(what_does_not_run_is_not_exported)
{
    struct buf text;
    buf_init(&text, CARRY_BYTES_MAX);
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    ck_assert_int_eq(carry_export(kit.kit.path, kit.id.text, &text, error), ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(error, "has not begun"));
    begin(&what);
    ck_err(call(&kit, match_resign, 0, "{}"), ERR_OK);
    ck_assert_int_eq(carry_export(kit.kit.path, kit.id.text, &text, error), ERR_CONFLICT);
    ck_assert_ptr_nonnull(strstr(error, "is over"));
    ck_assert_int_eq(carry_export(kit.kit.path, "aaaaaaaaaa", &text, error), ERR_NOT_FOUND);
    ck_assert_int_ne(carry_export("/nowhere/x.db", kit.id.text, &text, error), ERR_OK);
    ck_assert_uint_eq(text.len, 0);
    buf_finish(&text);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("carry");
    TCase *carry = tcase_create("carry");
    tcase_add_checked_fixture(carry, set_up, tear_down);
    tcase_set_timeout(carry, 120);
    tcase_add_test(carry, restored_is_the_line_that_the_rules_would_have_written);
    tcase_add_test(carry, an_act_about_no_seat_is_a_fault_of_the_log);
    tcase_add_test(carry, a_match_of_unknown_rules_is_marked_as_well);
    tcase_add_test(carry, a_match_that_waits_for_nonces_is_marked_before_it_begins);
    tcase_add_test(carry, stocks_are_empty_and_open_matches_noted_after_a_restore);
    tcase_add_test(carry, a_restore_that_cannot_be_leaves_all_as_it_was);
    tcase_add_test(carry, an_exported_match_is_taken_whole_or_not_at_all);
    tcase_add_test(carry, a_match_that_went_back_is_restored_and_carried);
    tcase_add_test(carry, what_does_not_run_is_not_exported);
    suite_add_tcase(suite, carry);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
