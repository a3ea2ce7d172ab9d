/* tests/unit/test_match_faults.c: live matches when memory, commits, rules or clients fail them. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "common/dice/dice.h"
#include "server/base/log.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

/* Every allocation of our own code goes through here (linked with --wrap): the one of that number
 * fails, on this thread, outside the kit. 0: none. */
static unsigned long fail_at, allocations;
static _Thread_local bool counted;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);

static bool fails(void)
{
    if (!counted || fail_at == 0 || kit_inside > 0) { return false; }
    return ++allocations == fail_at;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t n)
{
    return fails() ? NULL : __real_realloc(old, n);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
    return fails() ? NULL : __real_strndup(text, n);
}

/* A store that cannot even queue a read ends the daemon: not what is tried here. */
void __real_store_read(struct store *store, store_op_fn *read, void *take_data,
                       void (*free_data)(void *data), store_done_fn *done, void *ctx);
void __wrap_store_read(struct store *store, store_op_fn *read, void *take_data,
                       void (*free_data)(void *data), store_done_fn *done, void *ctx);
void __wrap_store_read(struct store *store, store_op_fn *read, void *take_data,
                       void (*free_data)(void *data), store_done_fn *done, void *ctx)
{
    kit_inside++;
    __real_store_read(store, read, take_data, free_data, done, ctx);
    kit_inside--;
}

static struct match_kit kit;

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    match_kit_open(&kit);
}

static void tear_down(void)
{
    match_kit_close(&kit);
}

/* Makes each allocation of the call fail in turn; whatever it answers, what is shown is what is
 * stored. */
static void starve(match_method_fn *method, unsigned seat, const char *params, bool with_seq)
{
    bool reached = true;
    unsigned refused = 0;
    for (unsigned long at = 1; reached; at++) {
        char text[512];
        struct result result;
        char *before = everything(&kit, seat);
        int64_t seq = seq_of(&kit, seat);
        if (with_seq) {
            snprintf(text, sizeof text, "{'seq':%lld,'action_id':'s%lu-%p',%s", (long long)seq, at,
                     (const void *)params, params);
        } else {
            snprintf(text, sizeof text, "{%s", params);
            match_kit_reopen(&kit); /* nothing cached, or there is little to allocate */
        }
        allocations = 0;
        fail_at = at;
        call_begin(&kit, method, seat, text, &result);
        call_wait(&kit, &result);
        settle(&kit);
        reached = allocations >= at;
        fail_at = 0;
        char *after = everything(&kit, seat);
        if (result.err != ERR_OK) {
            ck_assert_msg(result.err == ERR_INTERNAL || result.err == ERR_STORAGE_FAILED ||
                              result.err == ERR_TOO_LARGE,
                          "allocation %lu: %s", at, err_kind(result.err));
            ck_assert_str_eq(before, after);
            refused++;
        }
        match_kit_reopen(&kit);
        char *stored = everything(&kit, seat);
        ck_assert_str_eq(after, stored);
        result_free(&result);
        free(before);
        free(after);
        free(stored);
        forget_pushes(&kit);
    }
    ck_assert_uint_gt(refused, 3);
}

START_TEST(memory_that_fails_an_action_fails_nothing_else)
{
    match_kit_begin(&kit, "{}", 2, true);
    (void)call(&kit, match_watch, 0, "{'delta':true}");
    (void)call(&kit, match_watch, 1, "{}");
    starve(match_act, 0, "'action':{'do':'hide','number':3}}", true);
    starve(match_act, 0, "'actions':[{'do':'hide','number':4},{'do':'mask'},{'do':'roll'}]}", true);
}
END_TEST

/* Spoils the stored bytes with a connection of its own. */
static void spoil(const char *sql)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(kit.kit.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

/* Seat A is dealt a nonce of 32 bytes 0xaa. */
static void begin_with_nonce(void)
{
    struct match_begin begin = match_kit_make(&kit, "{}", 2, true);
    struct result result = {.done = false};
    struct hash nonce;
    memset(nonce.bytes, 0xaa, sizeof nonce.bytes);
    dice_nonce_commitment(&nonce, &begin.nonces[0].commit);
    char hex[65];
    char sql[200];
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        snprintf(hex + (size_t)2 * i, 3, "%02x", begin.nonces[0].commit.bytes[i]);
    }
    snprintf(sql, sizeof sql,
             "INSERT INTO nonce_commit (key, account, commitment) VALUES (7, 'aaaa', x'%s')", hex);
    spoil(sql);
    begin.nonces[0].key = 7;
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    call_wait(&kit, &result);
    ck_err(&result, ERR_OK);
    result_free(&result);
}

START_TEST(memory_that_fails_a_nonce_fails_nothing_else)
{
    begin_with_nonce();
    (void)call(&kit, match_watch, 0, "{'delta':true}");
    (void)call(&kit, match_watch, 1, "{}");
    ck_err(call(&kit, match_act, 0, "{'seq':1,'action':{'do':'hide','number':3}}"), ERR_CONFLICT);
    starve(match_nonce, 0, "'nonce':'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo'}", false);
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
}
END_TEST

START_TEST(memory_that_fails_an_undo_or_a_look_fails_nothing_else)
{
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'add','n':1}"), ERR_OK);
    starve(match_view, 0, "'actions':true}", false);
    starve(match_history, 0, "'from':0}", false);
    starve(match_talk, 0, "'channel':'table'}", false);
}
END_TEST

/* One call with that allocation failing. True: it was reached. What is refused has changed nothing;
 * what is shown is what is stored. */
static bool starve_once(match_method_fn *method, unsigned seat, const char *params,
                        unsigned long at, enum err *out_err)
{
    struct result result;
    match_kit_reopen(&kit);
    char *before = everything(&kit, seat);
    match_kit_reopen(&kit);
    allocations = 0;
    fail_at = at;
    call_begin(&kit, method, seat, params, &result);
    call_wait(&kit, &result);
    settle(&kit);
    bool reached = allocations >= at;
    fail_at = 0;
    char *after = everything(&kit, seat);
    if (result.err != ERR_OK) {
        ck_assert_msg(result.err == ERR_INTERNAL || result.err == ERR_STORAGE_FAILED,
                      "allocation %lu: %s", at, err_kind(result.err));
        ck_assert_str_eq(before, after);
    }
    match_kit_reopen(&kit);
    char *stored = everything(&kit, seat);
    ck_assert_str_eq(after, stored);
    *out_err = result.err;
    result_free(&result);
    free(before);
    free(after);
    free(stored);
    forget_pushes(&kit);
    return reached;
}

/* The number of the open offer, made anew where none is. */
static int64_t open_offer(const char *params)
{
    static const char open[] = "\"offers\":[{\"offer\":";
    char *text = everything(&kit, 1);
    const char *at = strstr(text, open);
    int64_t number = at == NULL ? 0 : atoll(at + strlen(open));
    free(text);
    if (number > 0) { return number; }
    struct result *offer = call(&kit, match_offer, 0, params);
    ck_err(offer, ERR_OK);
    return result_int(offer, "offer");
}

START_TEST(memory_that_fails_an_offer_or_its_answer_fails_nothing_else)
{
    static const char *const offers[] = {"{'what':'rewind','to':2}", "{'what':'draw'}"};
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_err(act(&kit, 1, "{'do':'add','n':1}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    char answer[64];
    for (unsigned i = 0; i < 2; i++) {
        unsigned refused = 0;
        int64_t number = 0;
        enum err err = ERR_OK;
        for (unsigned long at = 1; starve_once(match_offer, 0, offers[i], at, &err); at++) {
            refused += err != ERR_OK ? 1 : 0;
            if (err != ERR_OK) { continue; }
            number = open_offer(offers[i]);
            snprintf(answer, sizeof answer, "{'offer':%lld,'accept':false}", (long long)number);
            ck_err(call(&kit, match_answer, 1, answer), ERR_OK);
        }
        for (unsigned long at = 1;; at++) {
            number = open_offer(offers[i]);
            snprintf(answer, sizeof answer, "{'offer':%lld,'accept':true}", (long long)number);
            bool reached = starve_once(match_answer, 1, answer, at, &err);
            refused += err != ERR_OK ? 1 : 0;
            if (!reached || (err == ERR_OK && i == 1)) { break; }
        }
        ck_err(&(struct result){.err = err}, ERR_OK);
        ck_assert_uint_gt(refused, 10);
    }
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_MATCH_OVER);
}
END_TEST

START_TEST(a_begin_whose_commit_fails_can_be_done_again)
{
    struct match_begin begin = match_kit_make(&kit, "{}", 2, false);
    (void)call(&kit, match_watch, 0, "{}");
    ck_err(call(&kit, match_view, 0, "{}"), ERR_CONFLICT);
    ck_err(call(&kit, match_act, 0, "{'seq':0,'action':{'do':'roll'}}"), ERR_CONFLICT);
    struct result result = {.done = false};
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    call_wait(&kit, &result);
    ck_err(&result, ERR_STORAGE_FAILED);
    ck_assert_uint_eq(kit.clients[0].count, 0);
    memset(&result, 0, sizeof result);
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    call_wait(&kit, &result);
    ck_err(&result, ERR_OK);
    result_free(&result);
    settle(&kit);
    /* Who watched before it began is shown the first view. */
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_has(kit.clients[0].pushes[0].text, "\"seq\":1,");
    memset(&result, 0, sizeof result);
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    call_wait(&kit, &result);
    ck_err(&result, ERR_CONFLICT);
    ck_assert_str_eq(result.why.reason, "already_started");
}
END_TEST

START_TEST(options_that_are_none_refuse_the_begin)
{
    struct match_begin begin = match_kit_make(&kit, "{}", 2, false);
    struct result result = {.done = false};
    begin.seats = 3;
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    ck_assert(result.done);
    ck_err(&result, ERR_INVALID_PARAMS);
    memset(&result, 0, sizeof result);
    begin.seats = 2;
    begin.game = "chess";
    match_begin(kit.matches, &begin, NULL, kit_on_done, &result);
    ck_err(&result, ERR_INVALID_PARAMS);
}
END_TEST

START_TEST(a_match_of_unknown_rules_is_frozen_and_says_so)
{
    static struct game later;
    static const struct game *list[2];
    kit.snapshot_lines = 3;
    match_kit_reopen(&kit);
    match_kit_begin(&kit, "{}", 2, false);
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'add','n':3}"), ERR_OK);
    later = lots;
    later.rules_first = 2;
    later.rules_now = 2;
    list[0] = &later;
    kit.list = list;
    match_kit_reopen(&kit);
    ck_err(call(&kit, match_act, 0, "{'seq':3,'action':{'do':'roll'}}"), ERR_CONFLICT);
    struct result *view = call(&kit, match_view, 0, "{}");
    ck_err(view, ERR_OK);
    ck_has(view->json, "\"frozen\":true");
    ck_has(view->json, "\"number\":3");
    view = call(&kit, match_view, 1, "{}");
    ck_assert_ptr_null(strstr(view->json, "number"));
    ck_err(call(&kit, match_history, 1, "{}"), ERR_CONFLICT);
    ck_err(call(&kit, match_watch, 1, "{}"), ERR_OK);
    kit.list = NULL;
    match_kit_reopen(&kit);
    ck_err(act(&kit, 0, "{'do':'add','n':3}"), ERR_OK);
}
END_TEST

static uint64_t count_faults(void)
{
    uint64_t count = 0;
    uint64_t faults = 0;
    match_kit_pause(&kit);
    ck_assert_int_eq(matches_check(kit.kit.path, lots_games, NULL, NULL, &count, &faults), ERR_OK);
    ck_assert_uint_eq(count, 1);
    match_kit_resume(&kit);
    return faults;
}

START_TEST(check_finds_what_was_changed_behind_our_back)
{
    kit.snapshot_lines = 4;
    match_kit_reopen(&kit);
    match_kit_begin(&kit, "{}", 2, false);
    for (unsigned i = 0; i < 9; i++) {
        ck_err(act(&kit, i % 2, i % 2 == 0 ? "{'do':'add','n':3}" : "{'do':'roll'}"), ERR_OK);
    }
    ck_assert_uint_eq(count_faults(), 0);
    spoil("UPDATE tip SET roll = roll + 1");
    ck_assert_uint_eq(count_faults(), 1);
    /* Such a match cannot be loaded; the daemon says so and lives. */
    ck_err(call(&kit, match_view, 0, "{}"), ERR_STORAGE_FAILED);
    spoil("UPDATE tip SET roll = roll - 1");
    ck_err(call(&kit, match_view, 0, "{}"), ERR_OK);
    spoil("UPDATE line SET body = replace(body, '\"n\":3}', '\"n\":4}') WHERE n = 4");
    ck_assert_uint_ge(count_faults(), 1);
    spoil("UPDATE line SET body = replace(body, '\"n\":4}', '\"n\":3}') WHERE n = 4");
    ck_assert_uint_eq(count_faults(), 0);
    /* A snapshot is a cache: one that is damaged is found, and without any the log suffices. */
    char *before = everything(&kit, 0);
    spoil("UPDATE snapshot SET blob = zeroblob(100)");
    ck_assert_uint_ge(count_faults(), 1);
    char *after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(after);
    spoil("DELETE FROM snapshot");
    ck_assert_uint_eq(count_faults(), 0);
    after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(after);
    free(before);
    spoil("DELETE FROM line WHERE n = 5");
    ck_assert_uint_ge(count_faults(), 1);
    ck_err(call(&kit, match_view, 0, "{}"), ERR_STORAGE_FAILED);
}
END_TEST

/* A line that another hand added, as if a commit that was reported lost had landed: it counts. */
START_TEST(what_is_stored_beyond_what_was_known_counts)
{
    kit.idle_ms = 1;
    match_kit_reopen(&kit);
    match_kit_begin(&kit, "{}", 2, false);
    (void)call(&kit, match_watch, 1, "{}");
    ck_err(act(&kit, 0, "{'do':'add','n':3}"), ERR_OK);
    struct matches_stats stats;
    do {
        (void)uv_run(&kit.kit.loop, UV_RUN_NOWAIT);
        matches_stats(kit.matches, &stats);
    } while (stats.loaded > 0);
    /* A second set of matches on the same store, as if it were another life of the daemon. */
    struct matches *first = kit.matches;
    struct matches_config config = {.loop = &kit.kit.loop,
                                    .store = kit.kit.store,
                                    .hooks = {.ctx = &kit, .push = kit_on_push},
                                    .games = lots_games};
    ck_assert_int_eq(matches_create(&config, &kit.matches), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'add','n':4}"), ERR_OK);
    matches_destroy(kit.matches);
    kit.matches = first;
    forget_pushes(&kit);
    /* The first finds it when it next loads the match. */
    ck_err(call(&kit, match_act, 0, "{'seq':2,'action':{'do':'add','n':5}}"), ERR_STALE_STATE);
    ck_assert_int_eq(seq_of(&kit, 0), 3);
    ck_assert_uint_eq(kit.clients[1].count, 1);
    ck_has(kit.clients[1].pushes[0].text, "\"pot\":7");
    ck_err(act(&kit, 0, "{'do':'add','n':5}"), ERR_OK);
}
END_TEST

START_TEST(too_many_lines_in_flight_are_refused)
{
    static struct result results[MATCH_IN_FLIGHT_MAX + 1];
    match_kit_begin(&kit, "{}", 2, false);
    for (unsigned i = 0; i <= MATCH_IN_FLIGHT_MAX; i++) {
        char text[96];
        snprintf(text, sizeof text, "{'seq':%u,'action':{'do':'hide','number':3}}", i + 1);
        call_begin(&kit, match_act, 0, text, &results[i]);
    }
    for (unsigned i = 0; i <= MATCH_IN_FLIGHT_MAX; i++) {
        call_wait(&kit, &results[i]);
        ck_err(&results[i], i < MATCH_IN_FLIGHT_MAX ? ERR_OK : ERR_RATE_LIMITED);
        result_free(&results[i]);
    }
    ck_assert_int_gt(results[MATCH_IN_FLIGHT_MAX].why.retry_after_ms, 0);
}
END_TEST

START_TEST(watches_and_waits_have_bounds)
{
    static struct result waits[MATCH_CLIENT_WAITS_MAX];
    match_kit_begin(&kit, "{}", 2, true);
    for (unsigned i = 0; i < MATCH_CLIENT_WAITS_MAX; i++) {
        call_begin(&kit, match_wait, 0, "{'after':1}", &waits[i]);
        ck_assert(!waits[i].done);
    }
    ck_err(call(&kit, match_wait, 0, "{'after':1}"), ERR_TOO_LARGE);
    /* The same watch again replaces the first. */
    for (unsigned i = 0; i < 200; i++) {
        ck_err(call(&kit, match_watch, 0, "{}"), ERR_OK);
    }
    struct matches_stats stats;
    matches_stats(kit.matches, &stats);
    ck_assert_uint_eq(stats.watches, 1);
    ck_err(call(&kit, match_unwatch, 0, "{}"), ERR_OK);
    matches_stats(kit.matches, &stats);
    ck_assert_uint_eq(stats.watches, 0);
    match_client_gone(kit.matches, &kit.clients[0].client);
    for (unsigned i = 0; i < MATCH_CLIENT_WAITS_MAX; i++) {
        call_wait(&kit, &waits[i]);
        ck_assert_int_ne(waits[i].err, ERR_OK);
    }
}
END_TEST

START_TEST(a_client_that_goes_while_its_match_loads_harms_nobody)
{
    match_kit_begin(&kit, "{}", 2, true);
    match_kit_reopen(&kit);
    struct result watch;
    struct result wait;
    struct result acted;
    call_begin(&kit, match_watch, 0, "{}", &watch);
    call_begin(&kit, match_wait, 0, "{'after':0}", &wait);
    call_begin(&kit, match_act, 0, "{'seq':1,'action':{'do':'roll'}}", &acted);
    match_client_gone(kit.matches, &kit.clients[0].client);
    call_wait(&kit, &watch);
    call_wait(&kit, &wait);
    call_wait(&kit, &acted);
    ck_err(&watch, ERR_FORBIDDEN);
    ck_err(&wait, ERR_FORBIDDEN);
    ck_err(&acted, ERR_OK);
    result_free(&acted);
}
END_TEST

int main(void)
{
    counted = true;
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match_faults");
    TCase *faults = tcase_create("faults");
    tcase_add_checked_fixture(faults, set_up, tear_down);
    tcase_set_timeout(faults, 120);
    tcase_add_test(faults, memory_that_fails_an_offer_or_its_answer_fails_nothing_else);
    tcase_add_test(faults, memory_that_fails_an_action_fails_nothing_else);
    tcase_add_test(faults, memory_that_fails_an_undo_or_a_look_fails_nothing_else);
    tcase_add_test(faults, memory_that_fails_a_nonce_fails_nothing_else);
    tcase_add_test(faults, a_begin_whose_commit_fails_can_be_done_again);
    tcase_add_test(faults, options_that_are_none_refuse_the_begin);
    tcase_add_test(faults, a_match_of_unknown_rules_is_frozen_and_says_so);
    tcase_add_test(faults, check_finds_what_was_changed_behind_our_back);
    tcase_add_test(faults, what_is_stored_beyond_what_was_known_counts);
    tcase_add_test(faults, too_many_lines_in_flight_are_refused);
    tcase_add_test(faults, watches_and_waits_have_bounds);
    tcase_add_test(faults, a_client_that_goes_while_its_match_loads_harms_nobody);
    suite_add_tcase(suite, faults);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
