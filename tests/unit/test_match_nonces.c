/* tests/unit/test_match_nonces.c: nonces of live matches: dealt, opened, lost, and what waits for
 * them (FAIRNESS 3). */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <sqlite3.h>

#include "common/base/b64.h"
#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/record/verify.h"
#include "server/base/log.h"
#include "server/store/nonces.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

static struct match_kit kit;
static struct game early;
static const struct game *early_games[] = {&early, NULL};

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    match_kit_open(&kit);
}

/* The same game, said to draw before every seat has acted. */
static void set_up_early(void)
{
    memset(&kit, 0, sizeof kit);
    early = lots;
    early.early_draw = true;
    kit.list = early_games;
    match_kit_open(&kit);
}

static void tear_down(void)
{
    match_kit_close(&kit);
}

static void ck_nonce(const struct result *result)
{
    ck_err(result, ERR_CONFLICT);
    ck_assert_str_eq(result->why.reason, "nonce");
}

/* --- stock ------------------------------------------------------------------------------------ */

static struct hash nonce_of(unsigned byte)
{
    struct hash nonce;
    memset(nonce.bytes, (int)byte, sizeof nonce.bytes);
    return nonce;
}

struct stocking {
    struct account_id account;
    struct hash commits[NONCES_AT_ONCE];
    unsigned count, stock;
    int64_t spread;
    struct nonce_pick pick;
    enum err err;
    bool done;
};

static enum err op_add(struct db *db, void *data)
{
    struct stocking *s = data;
    return nonces_add(db, &s->account, s->commits, s->count, &s->stock);
}

static enum err op_pick(struct db *db, void *data)
{
    struct stocking *s = data;
    return nonces_pick(db, &s->account, s->spread, &s->pick);
}

static void on_stocked(void *ctx, enum err err)
{
    struct stocking *s = ctx;
    s->err = err;
    s->done = true;
}

static enum err stock(struct stocking *s)
{
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    store_unit_add(unit, op_add, s, NULL);
    s->done = false;
    store_commit(kit.kit.store, unit, on_stocked, s);
    while (!s->done) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
    return s->err;
}

static void pick(struct stocking *s)
{
    s->done = false;
    store_read(kit.kit.store, op_pick, s, NULL, on_stocked, s);
    while (!s->done) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
    ck_assert_int_eq(s->err, ERR_OK);
}

/* The seat is dealt the commitment to a nonce of that byte. */
static void deal(struct match_begin *begin, unsigned seat, unsigned byte)
{
    struct stocking s = {.account = account_of(seat), .count = 1};
    struct hash nonce = nonce_of(byte);
    dice_nonce_commitment(&nonce, &s.commits[0]);
    ck_assert_int_eq(stock(&s), ERR_OK);
    pick(&s);
    begin->nonces[seat].key = s.pick.key;
    begin->nonces[seat].commit = s.pick.commit;
}

static struct result *begin(const struct match_begin *what)
{
    static struct result result;
    free(result.json);
    memset(&result, 0, sizeof result);
    struct store_unit *unit = store_unit_create(&what->id, STORE_MAY_REFUSE);
    match_begin(kit.matches, what, unit, kit_on_done, &result);
    call_wait(&kit, &result);
    return &result;
}

/* Two seats: A is dealt 0xaa, B 0xbb. */
static void begin_two(void)
{
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    deal(&what, 0, 0xaa);
    deal(&what, 1, 0xbb);
    ck_err(begin(&what), ERR_OK);
}

/* match.nonce of a nonce of that byte; more: further members. */
static struct result *open_nonce(unsigned seat, unsigned byte, const char *more)
{
    char text[160];
    char b64[44];
    struct hash nonce = nonce_of(byte);
    b64_encode(b64, nonce.bytes, sizeof nonce.bytes);
    snprintf(text, sizeof text, "{'nonce':'%s'%s}", b64, more);
    return call(&kit, match_nonce, seat, text);
}

/* --- stock ------------------------------------------------------------------------------------ */

START_TEST(a_stock_is_bounded_and_takes_nothing_twice)
{
    struct stocking s = {.account = account_of(0), .count = NONCES_AT_ONCE};
    for (unsigned round = 0; round < NONCES_STOCK_MAX / NONCES_AT_ONCE; round++) {
        for (unsigned i = 0; i < NONCES_AT_ONCE; i++) {
            s.commits[i] = nonce_of(round * NONCES_AT_ONCE + i);
        }
        ck_assert_int_eq(stock(&s), ERR_OK);
        ck_assert_uint_eq(s.stock, (round + 1) * NONCES_AT_ONCE);
    }
    s.count = 1;
    s.commits[0] = nonce_of(200);
    ck_assert_int_eq(stock(&s), ERR_TOO_LARGE);
    /* Another account has its own; twice the same is refused whole. */
    struct stocking other = {.account = account_of(1), .count = 3};
    other.commits[0] = nonce_of(1);
    other.commits[1] = nonce_of(2);
    other.commits[2] = nonce_of(1);
    ck_assert_int_eq(stock(&other), ERR_CONFLICT);
    other.count = 2;
    ck_assert_int_eq(stock(&other), ERR_OK);
    ck_assert_uint_eq(other.stock, 2);
    other.count = 1;
    ck_assert_int_eq(stock(&other), ERR_CONFLICT);
    pick(&other);
    ck_assert(memcmp(&other.pick.commit, &other.commits[0], 32) == 0);
    other.spread = 5;
    pick(&other);
    ck_assert(memcmp(&other.pick.commit, &other.commits[1], 32) == 0);
    struct stocking none = {.account = account_of(2)};
    pick(&none);
    ck_assert_int_eq(none.pick.key, 0);
}
END_TEST

START_TEST(what_was_dealt_is_never_dealt_again)
{
    struct match_begin first = match_kit_make(&kit, "{}", 2, false);
    deal(&first, 0, 0xaa);
    struct match_begin second = match_kit_make(&kit, "{}", 2, false);
    second.nonces[0].key = first.nonces[0].key;
    second.nonces[0].commit = first.nonces[0].commit;
    kit.id = first.id;
    ck_err(begin(&first), ERR_OK);
    kit.id = second.id;
    struct result *refused = begin(&second);
    ck_err(refused, ERR_CONFLICT);
    ck_assert_str_eq(refused->why.reason, "");
    /* And may begin with another, or none. */
    second.nonces[0].key = 0;
    ck_err(begin(&second), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'add','n':3}"), ERR_OK);
    struct stocking s = {.account = account_of(0)};
    pick(&s);
    ck_assert_int_eq(s.pick.key, 0);
    /* Nor taken into stock again. */
    struct hash nonce = nonce_of(0xaa);
    s.count = 1;
    dice_nonce_commitment(&nonce, &s.commits[0]);
    ck_assert_int_eq(stock(&s), ERR_CONFLICT);
}
END_TEST

/* --- a game whose seats all act before the first die ------------------------------------------ */

START_TEST(a_seat_acts_when_its_nonce_is_open)
{
    begin_two();
    ck_assert_int_eq(seq_of(&kit, 0), 1);
    char *before = everything(&kit, 0);
    ck_has(before, "\"nonces\":{\"A\":\"awaited\",\"B\":\"awaited\"}");
    ck_has(before, "\\\"nonces\\\":{\\\"A\\\":\\\"");
    ck_nonce(act(&kit, 0, "{'do':'hide','number':3}"));
    ck_nonce(call(&kit, match_try, 0, "{'seq':1,'action':{'do':'hide','number':3}}"));
    ck_nonce(call(&kit, match_act, 0, "{'seq':1,'actions':[{'do':'hide','number':3}]}"));
    ck_err(call(&kit, match_undo, 0, "{'seq':1}"), ERR_CONFLICT);
    char *after = everything(&kit, 0);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    /* What does not fit, or is not a nonce, or says both or nothing. */
    ck_err(open_nonce(0, 0xbb, ""), ERR_INVALID_PARAMS);
    ck_err(open_nonce(0, 0xaa, ",'lost':true"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_nonce, 0, "{}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_nonce, 0, "{'lost':false}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_nonce, 0, "{'nonce':'abc'}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_nonce, 9, "{'lost':true}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_nonce, 8, "{'lost':true}"), ERR_NOT_SIGNED_IN);
    ck_assert_int_eq(seq_of(&kit, 0), 1);
    struct result *opened = open_nonce(0, 0xaa, "");
    ck_err(opened, ERR_OK);
    ck_assert_int_eq(result_int(opened, "seq"), 2);
    ck_has(opened->json, "{\"events\":[{\"ev\":\"nonce\",\"seat\":\"A\",\"nonce\":\"qqqq");
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_nonce(act(&kit, 1, "{'do':'hide','number':3}"));
}
END_TEST

START_TEST(a_nonce_is_told_to_all_alike)
{
    begin_two();
    for (unsigned seat = 0; seat < 2; seat++) {
        ck_err(call(&kit, match_watch, seat, "{'actions':false}"), ERR_OK);
    }
    ck_err(call(&kit, match_watch, 2, "{'as':'public'}"), ERR_OK);
    settle(&kit);
    forget_pushes(&kit);
    ck_err(open_nonce(1, 0xbb, ""), ERR_OK);
    settle(&kit);
    for (unsigned client = 0; client < 3; client++) {
        ck_assert_uint_eq(kit.clients[client].count, 1);
        const char *text = kit.clients[client].pushes[0].text;
        ck_has(text, "\"events\":[{\"ev\":\"nonce\",\"seat\":\"B\",\"nonce\":\"u7u7");
        ck_has(text, "\"seq\":2,");
    }
    char *enemy = everything(&kit, 0);
    ck_has(enemy, "\"nonces\":{\"A\":\"awaited\",\"B\":\"opened\"}");
    free(enemy);
}
END_TEST

START_TEST(the_same_again_is_no_line)
{
    begin_two();
    ck_err(open_nonce(0, 0xaa, ",'action_id':'n1'"), ERR_OK);
    struct result *again = open_nonce(0, 0xaa, ",'action_id':'n1'");
    ck_err(again, ERR_OK);
    ck_has(again->json, "\"ev\":\"nonce\"");
    again = open_nonce(0, 0xaa, "");
    ck_err(again, ERR_OK);
    ck_has(again->json, "{\"events\":[],\"seq\":2,");
    ck_nonce(call(&kit, match_nonce, 0, "{'lost':true}"));
    ck_nonce(open_nonce(0, 0xbb, ""));
    ck_err(call(&kit, match_nonce, 1, "{'lost':true}"), ERR_OK);
    ck_err(call(&kit, match_nonce, 1, "{'lost':true}"), ERR_OK);
    ck_nonce(open_nonce(1, 0xbb, ""));
    ck_assert_int_eq(seq_of(&kit, 0), 3);
    /* A seat that waived is asked for none. */
    match_kit_begin(&kit, "{}", 2, false);
    ck_nonce(open_nonce(0, 0xaa, ""));
    ck_nonce(call(&kit, match_nonce, 0, "{'lost':true}"));
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
}
END_TEST

START_TEST(nothing_is_drawn_while_a_nonce_is_awaited)
{
    begin_two();
    ck_err(open_nonce(0, 0xaa, ""), ERR_OK);
    /* The game says that it does not draw so early; one that does all the same gets no die. */
    log_set_level(LOG_ERROR);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_INTERNAL);
    ck_err(act(&kit, 0, "{'do':'secret'}"), ERR_INTERNAL);
    ck_err(act(&kit, 0, "{'do':'mask'}"), ERR_OK);
    ck_err(open_nonce(1, 0xbb, ""), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
}
END_TEST

/* --- what it comes to ------------------------------------------------------------------------- */

static char *record_of(void)
{
    struct result *result = call(&kit, match_record, 0, "{}");
    ck_err(result, ERR_OK);
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(result->json, strlen(result->json), &json), ERR_OK);
    char *text = strdup(json_get(json, "record")->valuestring);
    cJSON_Delete(json);
    return text;
}

static struct verdict verify(const char *text)
{
    struct verdict verdict;
    const struct verify_options options = {.games = kit.list == NULL ? lots_games : kit.list};
    ck_assert_int_eq(verify_record(text, strlen(text), &options, &verdict), ERR_OK);
    return verdict;
}

static uint64_t count_faults(void)
{
    uint64_t count = 0;
    uint64_t faults = 0;
    match_kit_pause(&kit);
    ck_assert_int_eq(matches_check(kit.kit.path, kit.list == NULL ? lots_games : kit.list, NULL,
                                   NULL, &count, &faults),
                     ERR_OK);
    match_kit_resume(&kit);
    return faults;
}

/* Dice of a match of the same id and secret hang on the nonces alone. */
static void play_rolls(char out[64])
{
    char *at = out;
    for (unsigned i = 0; i < 8; i++) {
        struct result *rolled = act(&kit, i % 2, "{'do':'roll'}");
        ck_err(rolled, ERR_OK);
        const char *n = strstr(rolled->json, "\"n\":");
        ck_assert_ptr_nonnull(n);
        *at++ = n[4];
    }
    *at = '\0';
}

START_TEST(dice_come_from_all_nonces_and_the_record_proves_it)
{
    for (unsigned i = 0; i < 4; i++) {
        begin_two();
        if (i == 1) { match_kit_reopen(&kit); }
        struct result *a =
            i == 2 ? call(&kit, match_nonce, 0, "{'lost':true}") : open_nonce(0, 0xaa, "");
        ck_err(a, ERR_OK);
        if (i == 1) { match_kit_reopen(&kit); }
        struct result *b =
            i >= 2 ? call(&kit, match_nonce, 1, "{'lost':true}") : open_nonce(1, 0xbb, "");
        ck_err(b, ERR_OK);
        ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
        ck_err(act(&kit, 1, "{'do':'hide','number':4}"), ERR_OK);
        char dice[64];
        play_rolls(dice);
        ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
        char *record = record_of();
        struct verdict v = verify(record);
        ck_assert_msg(v.good, "line %llu: %s", (unsigned long long)v.line, v.why);
        ck_assert(v.checked[VERIFY_NONCES] && v.checked[VERIFY_RULES]);
        ck_assert_uint_eq(v.rolls, 8);
        ck_assert_int_eq(v.nonces[0], i == 2 ? NONCE_LOST : NONCE_OPENED);
        ck_assert_int_eq(v.nonces[1], i >= 2 ? NONCE_LOST : NONCE_OPENED);
        free(record);
        /* New accounts have new stocks: the next round deals the same bytes again. */
        match_kit_close(&kit);
        match_kit_open(&kit);
    }
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

START_TEST(nonces_outlive_rest_and_restart_with_and_without_snapshots)
{
    for (unsigned lines = 1; lines <= 4; lines++) {
        kit.snapshot_lines = lines;
        match_kit_reopen(&kit);
        begin_two();
        for (unsigned step = 0; step < 3; step++) {
            char *before = everything(&kit, 0);
            char *public = everything(&kit, 9);
            match_kit_reopen(&kit);
            char *after = everything(&kit, 0);
            char *public_after = everything(&kit, 9);
            ck_assert_str_eq(before, after);
            ck_assert_str_eq(public, public_after);
            free(before);
            free(after);
            free(public);
            free(public_after);
            if (step == 0) { ck_err(open_nonce(0, 0xaa, ""), ERR_OK); }
            if (step == 1) { ck_err(call(&kit, match_nonce, 1, "{'lost':true}"), ERR_OK); }
        }
        ck_nonce(open_nonce(1, 0xbb, ""));
        ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
        ck_assert_uint_eq(count_faults(), 0);
        if (lines == 4) {
            spoil("UPDATE seat SET nonce_lost = 0 WHERE seat = 1");
            ck_assert_uint_eq(count_faults(), 1);
            spoil("UPDATE seat SET nonce_lost = 1 WHERE seat = 1");
        }
        ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
        char *record = record_of();
        ck_assert(verify(record).good);
        free(record);
        match_kit_close(&kit);
        match_kit_open(&kit);
    }
}
END_TEST

START_TEST(a_nonce_whose_commit_fails_was_never_opened)
{
    begin_two();
    char *before = everything(&kit, 1);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    ck_err(open_nonce(0, 0xaa, ",'action_id':'x'"), ERR_STORAGE_FAILED);
    char *after = everything(&kit, 1);
    ck_assert_str_eq(before, after);
    free(before);
    free(after);
    ck_nonce(act(&kit, 0, "{'do':'hide','number':3}"));
    /* What was judged on it fails with it. */
    struct result nonce, acted;
    char text[160];
    char b64[44];
    struct hash bytes = nonce_of(0xaa);
    b64_encode(b64, bytes.bytes, sizeof bytes.bytes);
    snprintf(text, sizeof text, "{'nonce':'%s'}", b64);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    call_begin(&kit, match_nonce, 0, text, &nonce);
    call_begin(&kit, match_act, 0, "{'seq':2,'action':{'do':'hide','number':3}}", &acted);
    call_wait(&kit, &nonce);
    call_wait(&kit, &acted);
    ck_err(&nonce, ERR_STORAGE_FAILED);
    ck_err(&acted, ERR_STORAGE_FAILED);
    settle(&kit);
    ck_assert_int_eq(seq_of(&kit, 0), 1);
    ck_err(open_nonce(0, 0xaa, ",'action_id':'x'"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_assert_uint_eq(count_faults(), 0);
}
END_TEST

START_TEST(a_begin_that_fails_deals_nothing)
{
    struct match_begin what = match_kit_make(&kit, "{}", 2, false);
    deal(&what, 0, 0xaa);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    ck_err(begin(&what), ERR_STORAGE_FAILED);
    struct stocking s = {.account = account_of(0)};
    pick(&s);
    ck_assert_int_eq(s.pick.key, what.nonces[0].key);
    ck_err(begin(&what), ERR_OK);
    pick(&s);
    ck_assert_int_eq(s.pick.key, 0);
}
END_TEST

START_TEST(a_seat_that_leaves_its_ally_behind_has_lost_its_nonce)
{
    struct match_begin what = match_kit_make(&kit, "{\"players\":3}", 3, true);
    deal(&what, 0, 0xaa);
    deal(&what, 2, 0xcc);
    ck_err(begin(&what), ERR_OK);
    ck_err(open_nonce(0, 0xaa, ""), ERR_OK);
    struct result *left = call(&kit, match_resign, 2, "{}");
    ck_err(left, ERR_OK);
    ck_has(left->json, "{\"ev\":\"nonce\",\"seat\":\"C\",\"lost\":true}");
    ck_has(left->json, "\"ev\":\"left\"");
    ck_assert_int_eq(seq_of(&kit, 0), 4);
    match_kit_reopen(&kit);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    char *record = record_of();
    struct verdict v = verify(record);
    ck_assert_msg(v.good, "line %llu: %s", (unsigned long long)v.line, v.why);
    ck_assert_int_eq(v.nonces[0], NONCE_OPENED);
    ck_assert_int_eq(v.nonces[1], NONCE_WAIVED);
    ck_assert_int_eq(v.nonces[2], NONCE_LOST);
    free(record);
    ck_assert_uint_eq(count_faults(), 0);
}
END_TEST

START_TEST(a_match_that_ends_before_a_nonce_is_open_says_so)
{
    begin_two();
    ck_err(call(&kit, match_resign, 0, "{}"), ERR_OK);
    char *record = record_of();
    struct verdict v = verify(record);
    ck_assert(v.good);
    ck_assert_int_eq(v.nonces[0], NONCE_KEPT);
    ck_assert_int_eq(v.nonces[1], NONCE_KEPT);
    free(record);
    ck_err(open_nonce(1, 0xbb, ""), ERR_MATCH_OVER);
}
END_TEST

START_TEST(a_rewind_behind_the_nonces_keeps_them_and_the_rolls)
{
    begin_two();
    ck_err(open_nonce(0, 0xaa, ""), ERR_OK);
    ck_err(call(&kit, match_nonce, 1, "{'lost':true}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':1}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    match_kit_reopen(&kit);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":0");
    char *all = everything(&kit, 1);
    ck_has(all, "\"nonces\":{\"A\":\"opened\",\"B\":\"lost\"}");
    free(all);
    ck_nonce(open_nonce(1, 0xbb, ""));
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_assert_uint_eq(count_faults(), 0);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    char *record = record_of();
    ck_has(record, "\"roll\":2,");
    struct verdict v = verify(record);
    ck_assert_msg(v.good, "line %llu: %s", (unsigned long long)v.line, v.why);
    ck_assert_uint_eq(v.rolls, 2);
    free(record);
}
END_TEST

START_TEST(an_action_is_taken_back_though_a_nonce_came_after_it)
{
    begin_two();
    ck_err(open_nonce(0, 0xaa, ""), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'add','n':4}"), ERR_OK);
    ck_err(open_nonce(1, 0xbb, ""), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"undo\":true");
    ck_err(act(&kit, 1, "{'do':'hide','number':2}"), ERR_OK);
    match_kit_reopen(&kit);
    ck_err(call(&kit, match_undo, 0, "{'seq':4}"), ERR_OK);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":0");
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    char *record = record_of();
    struct verdict v = verify(record);
    ck_assert_msg(v.good, "line %llu: %s", (unsigned long long)v.line, v.why);
    free(record);
}
END_TEST

/* --- a game that may draw at once ------------------------------------------------------------- */

START_TEST(a_game_that_draws_early_begins_with_the_last_nonce)
{
    struct match_begin what = match_kit_make(&kit, "{}", 2, true);
    deal(&what, 0, 0xaa);
    deal(&what, 1, 0xbb);
    ck_err(call(&kit, match_watch, 0, "{}"), ERR_OK);
    struct result *made = begin(&what);
    ck_err(made, ERR_OK);
    ck_assert_int_eq(result_int(made, "seq"), 0);
    settle(&kit);
    forget_pushes(&kit);
    for (unsigned i = 0; i < 2; i++) {
        ck_err(call(&kit, match_view, 0, "{}"), ERR_CONFLICT);
        ck_err(call(&kit, match_history, 0, "{}"), ERR_CONFLICT);
        struct result *refused = call(&kit, match_act, 0, "{'seq':0,'action':{'do':'roll'}}");
        ck_err(refused, ERR_CONFLICT);
        ck_assert_str_eq(refused->why.reason, "not_started");
        ck_err(call(&kit, match_resign, 0, "{}"), ERR_CONFLICT);
        ck_err(begin(&what), ERR_CONFLICT);
        match_kit_reopen(&kit);
    }
    ck_err(call(&kit, match_watch, 0, "{}"), ERR_OK);
    ck_err(open_nonce(0, 0xaa, ""), ERR_OK);
    settle(&kit);
    ck_assert_uint_eq(kit.clients[0].count, 0);
    ck_err(call(&kit, match_view, 0, "{}"), ERR_CONFLICT);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    ck_err(open_nonce(1, 0xbb, ""), ERR_STORAGE_FAILED);
    ck_err(call(&kit, match_view, 0, "{}"), ERR_CONFLICT);
    struct result *last = open_nonce(1, 0xbb, "");
    ck_err(last, ERR_OK);
    ck_has(last->json, "\"ev\":\"nonce\"");
    ck_has(last->json, "\"ev\":\"dealt\"");
    settle(&kit);
    ck_assert_uint_eq(kit.clients[0].count, 1);
    ck_has(kit.clients[0].pushes[0].text, "\"ev\":\"dealt\"");
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
    match_kit_reopen(&kit);
    ck_err(act(&kit, 1, "{'do':'roll'}"), ERR_OK);
    ck_assert_uint_eq(count_faults(), 0);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    char *record = record_of();
    struct verdict v = verify(record);
    ck_assert_msg(v.good, "line %llu: %s", (unsigned long long)v.line, v.why);
    ck_assert_int_eq(v.nonces[1], NONCE_OPENED);
    free(record);
}
END_TEST

START_TEST(a_game_that_draws_early_begins_at_once_where_all_waive)
{
    match_kit_begin(&kit, "{}", 2, true);
    ck_err(act(&kit, 0, "{'do':'roll'}"), ERR_OK);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match_nonces");
    TCase *play = tcase_create("play");
    tcase_add_checked_fixture(play, set_up, tear_down);
    tcase_set_timeout(play, 120);
    tcase_add_test(play, a_stock_is_bounded_and_takes_nothing_twice);
    tcase_add_test(play, what_was_dealt_is_never_dealt_again);
    tcase_add_test(play, a_seat_acts_when_its_nonce_is_open);
    tcase_add_test(play, a_nonce_is_told_to_all_alike);
    tcase_add_test(play, the_same_again_is_no_line);
    tcase_add_test(play, nothing_is_drawn_while_a_nonce_is_awaited);
    tcase_add_test(play, dice_come_from_all_nonces_and_the_record_proves_it);
    tcase_add_test(play, nonces_outlive_rest_and_restart_with_and_without_snapshots);
    tcase_add_test(play, a_nonce_whose_commit_fails_was_never_opened);
    tcase_add_test(play, a_begin_that_fails_deals_nothing);
    tcase_add_test(play, a_seat_that_leaves_its_ally_behind_has_lost_its_nonce);
    tcase_add_test(play, a_match_that_ends_before_a_nonce_is_open_says_so);
    tcase_add_test(play, a_rewind_behind_the_nonces_keeps_them_and_the_rolls);
    tcase_add_test(play, an_action_is_taken_back_though_a_nonce_came_after_it);
    suite_add_tcase(suite, play);
    TCase *drawing = tcase_create("early");
    tcase_add_checked_fixture(drawing, set_up_early, tear_down);
    tcase_set_timeout(drawing, 60);
    tcase_add_test(drawing, a_game_that_draws_early_begins_with_the_last_nonce);
    tcase_add_test(drawing, a_game_that_draws_early_begins_at_once_where_all_waive);
    suite_add_tcase(suite, drawing);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
