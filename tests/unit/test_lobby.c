/* tests/unit/test_lobby.c: how matches come about, on a real store with the real live matches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <sodium.h>
#include <sqlite3.h>

#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"
#include "server/lobby/matches.h"
#include "server/match/match.h"
#include "server/store/accounts.h"
#include "server/store/db.h"
#include "server/store/lobby.h"
#include "tests/unit/store_kit.h"

enum { NOBODY = 9, PEOPLE = 4, MATCHES_MAX = 3 };
static const char *const people[PEOPLE] = {"anna", "bert", "carl", "dora"};

struct lobby_kit {
    struct kit kit;
    struct matches *matches;
    struct lobby *lobby;
    int64_t now;
};

struct answer {
    bool done;
    enum err err;
    struct why why;
    char *json;
    cJSON *parsed, *params;
};

static const struct game *const *hosted; /* NULL: the product's games */

static int64_t kit_now(void *ctx)
{
    struct lobby_kit *kit = ctx;
    return kit->now++;
}

static struct account_id person(unsigned i)
{
    struct account_id id = {""};
    if (i < PEOPLE) { memset(id.text, 'a' + (int)i, ACCOUNT_ID_CHARS); }
    return id;
}

static bool on_push(void *ctx, struct match_client *client, const struct match_id *match,
                    unsigned viewer, enum match_push kind, struct msg *msg)
{
    (void)ctx, (void)client, (void)match, (void)viewer, (void)kind, (void)msg;
    return true;
}

static void on_turn(void *ctx, const struct account_id *account, struct msg *msg)
{
    (void)ctx, (void)account, (void)msg;
}

static void on_changed(void *ctx, const struct match_id *match)
{
    (void)ctx, (void)match;
}

static void on_fatal(void *ctx, const char *what)
{
    (void)ctx;
    ck_abort_msg("%s", what);
}

static void start_parts(struct lobby_kit *kit)
{
    struct matches_config matches = {
        .loop = &kit->kit.loop,
        .store = kit->kit.store,
        .hooks = {kit, on_push, on_turn, on_changed, on_fatal},
        .games = hosted,
    };
    ck_assert_int_eq(matches_create(&matches, &kit->matches), ERR_OK);
    struct lobby_config lobby = {.store = kit->kit.store,
                                 .matches = kit->matches,
                                 .matches_per_account = MATCHES_MAX,
                                 .games = hosted,
                                 .now_ms = kit_now,
                                 .ctx = kit};
    ck_assert_int_eq(lobby_open(&lobby, &kit->lobby), ERR_OK);
}

static void on_shut(void *ctx)
{
    *(bool *)ctx = true;
}

static void stop_parts(struct lobby_kit *kit)
{
    bool shut = false;
    while (lobby_pending(kit->lobby) > 0) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
    lobby_close(kit->lobby);
    matches_close(kit->matches, on_shut, &shut);
    while (!shut) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
    matches_destroy(kit->matches);
    kit_close(&kit->kit);
}

static void on_stored(void *ctx, enum err err)
{
    ck_assert_int_eq(err, ERR_OK);
    (*(unsigned *)ctx)++;
}

static enum err op_people(struct db *db, void *data)
{
    (void)data;
    for (unsigned i = 0; i < PEOPLE; i++) {
        struct account_row row = {.id = person(i), .settings = NULL};
        memcpy(row.name, people[i], strlen(people[i]) + 1);
        enum err err = accounts_insert(db, &row, people[i], people[i]);
        if (err != ERR_OK) { return err; }
    }
    return ERR_OK;
}

static void open_lobby(struct lobby_kit *kit)
{
    unsigned stored = 0;
    memset(kit, 0, sizeof *kit);
    kit->now = 1000;
    kit_open(&kit->kit);
    start_parts(kit);
    struct store_unit *unit = store_unit_create(NULL, 0);
    store_unit_add(unit, op_people, NULL, NULL);
    store_commit(kit->kit.store, unit, on_stored, &stored);
    kit_run_until(&kit->kit, &stored, 1);
}

static void close_lobby(struct lobby_kit *kit)
{
    stop_parts(kit);
    kit_remove(&kit->kit);
}

/* ---- calls ---- */

static void on_answer(void *ctx, enum err err, const struct why *why, const char *json, size_t n)
{
    struct answer *answer = ctx;
    ck_assert(!answer->done);
    answer->done = true;
    answer->err = err;
    answer->why = *why;
    if (err != ERR_OK) { return; }
    ck_assert_int_eq(json_parse(json, n, &answer->parsed), ERR_OK);
    answer->json = strndup(json, n);
}

/* params: JSON with ' for ". */
static void post(struct lobby_kit *kit, lobby_method_fn *method, unsigned who, const char *params,
                 struct answer *answer)
{
    char text[1024];
    struct why why;
    ck_assert_uint_lt(strlen(params), sizeof text);
    memcpy(text, params, strlen(params) + 1);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    memset(answer, 0, sizeof *answer);
    ck_assert_msg(json_parse(text, strlen(text), &answer->params) == ERR_OK, "%s", text);
    ck_assert_int_eq(json_normalise(answer->params, &why), ERR_OK);
    struct lobby_call call = {
        .account = person(who), .params = answer->params, .done = on_answer, .ctx = answer};
    method(kit->lobby, &call);
}

static void wait_for(struct lobby_kit *kit, struct answer *answer)
{
    while (!answer->done) {
        (void)uv_run(&kit->kit.loop, UV_RUN_ONCE);
    }
}

static void forget(struct answer *answer)
{
    cJSON_Delete(answer->parsed);
    cJSON_Delete(answer->params);
    free(answer->json);
    memset(answer, 0, sizeof *answer);
}

/* The answer, the caller's to forget. */
static struct answer ask(struct lobby_kit *kit, lobby_method_fn *method, unsigned who,
                         const char *params)
{
    struct answer answer;
    post(kit, method, who, params, &answer);
    wait_for(kit, &answer);
    /* Lives on in the copy: it is done. */
    return answer;
}

static void good(struct lobby_kit *kit, lobby_method_fn *method, unsigned who, const char *params)
{
    struct answer answer = ask(kit, method, who, params);
    ck_assert_msg(answer.err == ERR_OK, "%s: %s %s", params, err_kind(answer.err),
                  answer.why.member);
    forget(&answer);
}

/* Refused with that kind; mark is the reason of a conflict or the member, NULL: whatever. */
static void bad(struct lobby_kit *kit, lobby_method_fn *method, unsigned who, const char *params,
                enum err err, const char *mark)
{
    struct answer answer = ask(kit, method, who, params);
    ck_assert_msg(answer.err == err, "%s: %s", params, err_kind(answer.err));
    if (mark != NULL) {
        ck_assert_str_eq(err == ERR_CONFLICT ? answer.why.reason : answer.why.member, mark);
    }
    forget(&answer);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = json_get(object, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* A match made by anna: its id. */
static struct match_id made(struct lobby_kit *kit, const char *params)
{
    struct match_id id = {""};
    struct answer answer = ask(kit, lobby_create, 0, params);
    ck_assert_msg(answer.err == ERR_OK, "%s: %s %s", params, err_kind(answer.err),
                  answer.why.member);
    ck_assert(match_id_read(text_of(answer.parsed, "match"), &id));
    forget(&answer);
    return id;
}

/* params with the match put in for %s. */
static const char *with(const char *params, const struct match_id *id)
{
    static char text[512];
    const char *at = strstr(params, "%s");
    ck_assert_ptr_nonnull(at);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - params), params, id->text, at + 2);
    return text;
}

static void assert_state(struct lobby_kit *kit, const struct match_id *id, unsigned who,
                         const char *state)
{
    struct answer answer = ask(kit, lobby_get, who, with("{'match':'%s'}", id));
    ck_assert_int_eq(answer.err, ERR_OK);
    ck_assert_str_eq(text_of(answer.parsed, "state"), state);
    forget(&answer);
}

/* ---- nonces ---- */

/* The account gives the commitment to 32 such bytes. */
static void stock(struct lobby_kit *kit, unsigned who, unsigned byte)
{
    struct hash nonce;
    struct hash commit;
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *stmt = NULL;
    memset(nonce.bytes, (int)byte, sizeof nonce.bytes);
    dice_nonce_commitment(&nonce, &commit);
    ck_assert_int_eq(sqlite3_open(kit->kit.path, &sqlite), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_prepare_v2(sqlite, "INSERT INTO nonce_commit (account, commitment) VALUES (?1, ?2)",
                           -1, &stmt, NULL),
        SQLITE_OK);
    (void)sqlite3_bind_text(stmt, 1, person(who).text, -1, SQLITE_TRANSIENT);
    (void)sqlite3_bind_blob(stmt, 2, commit.bytes, HASH_BYTES, SQLITE_TRANSIENT);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_DONE);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(sqlite);
}

static void open_nonce(struct lobby_kit *kit, const struct match_id *id, unsigned who,
                       const char *how)
{
    struct answer answer = {.done = false};
    char text[256];
    (void)snprintf(text, sizeof text, "{\"match\":\"%s\",%s}", id->text, how);
    ck_assert_int_eq(json_parse(text, strlen(text), &answer.params), ERR_OK);
    ck_assert_int_eq(json_normalise(answer.params, &answer.why), ERR_OK);
    struct match_call call = {.account = person(who), .done = on_answer, .ctx = &answer};
    match_nonce(kit->matches, &call, answer.params);
    wait_for(kit, &answer);
    ck_assert_msg(answer.err == ERR_OK, "%s", answer.why.text);
    forget(&answer);
}

START_TEST(a_game_that_draws_early_shows_its_header_and_waits_for_nonces)
{
    static struct game early;
    static const struct game *const list[] = {&early, NULL};
    struct lobby_kit kit;
    early = *game_find("waterloo");
    early.early_draw = true;
    hosted = list;
    open_lobby(&kit);
    stock(&kit, 0, 0xaa);
    stock(&kit, 1, 0xbb);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR','spectators':'public'}");
    struct answer joined = ask(&kit, lobby_join, 1, with("{'match':'%s','seat':'AL'}", &id));
    ck_assert_int_eq(joined.err, ERR_OK);
    for (unsigned i = 0; i < 2; i++) {
        struct answer shown = ask(&kit, lobby_get, 3, with("{'match':'%s'}", &id));
        const struct answer *answer = i == 0 ? &joined : &shown;
        ck_assert_str_eq(text_of(answer->parsed, "state"), "running");
        ck_assert_uint_gt(strlen(text_of(answer->parsed, "header")), 200);
        ck_assert_str_eq(text_of(json_get(answer->parsed, "nonces"), "AL"), "awaited");
        ck_assert_ptr_null(json_get(answer->parsed, "seq"));
        ck_assert_ptr_null(json_get(answer->parsed, "to_act"));
        forget(&shown);
    }
    forget(&joined);
    /* Nobody goes or comes any more: the header names what each seat is committed to. */
    bad(&kit, lobby_leave, 1, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    bad(&kit, lobby_join, 2, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    bad(&kit, lobby_start, 0, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    open_nonce(&kit, &id, 0, "\"nonce\":\"qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo\"");
    open_nonce(&kit, &id, 1, "\"lost\":true");
    struct answer begun = ask(&kit, lobby_get, 1, with("{'match':'%s'}", &id));
    ck_assert_str_eq(text_of(json_get(begun.parsed, "nonces"), "FR"), "opened");
    ck_assert_str_eq(text_of(json_get(begun.parsed, "nonces"), "AL"), "lost");
    ck_assert_ptr_nonnull(json_get(begun.parsed, "to_act"));
    forget(&begun);
    close_lobby(&kit);
    hosted = NULL;
}
END_TEST

START_TEST(a_commitment_that_was_dealt_meanwhile_is_not_waited_for)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    stock(&kit, 0, 0xaa);
    stock(&kit, 1, 0xbb);
    stock(&kit, 1, 0xbc);
    struct match_id ids[3];
    struct answer answers[3];
    unsigned dealt[2] = {0, 0};
    char params[3][64];
    for (unsigned i = 0; i < 3; i++) {
        ids[i] = made(&kit, "{'game':'waterloo','seat':'FR'}");
    }
    for (unsigned i = 0; i < 3; i++) {
        (void)snprintf(params[i], sizeof params[i], "{'match':'%s'}", ids[i].text);
        post(&kit, lobby_join, 1, params[i], &answers[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        wait_for(&kit, &answers[i]);
        ck_assert_int_eq(answers[i].err, ERR_OK);
        const cJSON *nonces = json_get(answers[i].parsed, "nonces");
        dealt[0] += strcmp(text_of(nonces, "FR"), "awaited") == 0 ? 1 : 0;
        dealt[1] += strcmp(text_of(nonces, "AL"), "awaited") == 0 ? 1 : 0;
        forget(&answers[i]);
    }
    ck_assert_uint_eq(dealt[0], 1);
    ck_assert_uint_eq(dealt[1], 2);
    close_lobby(&kit);
}
END_TEST

/* ---- making ---- */

static void read_secret(struct lobby_kit *kit, const struct match_id *id, struct hash out[2])
{
    sqlite3 *sqlite = NULL;
    sqlite3_stmt *stmt = NULL;
    ck_assert_int_eq(sqlite3_open_v2(kit->kit.path, &sqlite, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(sqlite,
                                        "SELECT secret, commitment FROM match WHERE id = ?1", -1,
                                        &stmt, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(stmt, 1, id->text, -1, SQLITE_STATIC);
    ck_assert_int_eq(sqlite3_step(stmt), SQLITE_ROW);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(sqlite3_column_bytes(stmt, i), HASH_BYTES);
        memcpy(out[i].bytes, sqlite3_column_blob(stmt, i), HASH_BYTES);
    }
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(sqlite);
}

START_TEST(each_match_is_bound_to_a_secret_of_its_own)
{
    struct lobby_kit kit;
    struct hash one[2];
    struct hash two[2];
    struct hash commit;
    open_lobby(&kit);
    struct match_id first = made(&kit, "{'game':'waterloo'}");
    struct match_id second = made(&kit, "{'game':'waterloo'}");
    read_secret(&kit, &first, one);
    read_secret(&kit, &second, two);
    ck_assert_mem_ne(one[0].bytes, two[0].bytes, HASH_BYTES);
    dice_commitment(first.text, &one[0], &commit);
    ck_assert_mem_eq(commit.bytes, one[1].bytes, HASH_BYTES);
    close_lobby(&kit);
}
END_TEST

START_TEST(what_create_cannot_do_it_refuses_by_name)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    bad(&kit, lobby_create, NOBODY, "{'game':'waterloo'}", ERR_NOT_SIGNED_IN, NULL);
    bad(&kit, lobby_create, 0, "{}", ERR_INVALID_PARAMS, "game");
    bad(&kit, lobby_create, 0, "{'game':'chess'}", ERR_NOT_FOUND, "game");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','colour':'red'}", ERR_INVALID_PARAMS, "colour");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','seat':'XX'}", ERR_INVALID_PARAMS, "seat");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','seat':7}", ERR_INVALID_PARAMS, "seat");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','access':'all'}", ERR_INVALID_PARAMS, "access");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','rated':true}", ERR_INVALID_PARAMS, "rated");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','clock':{}}", ERR_INVALID_PARAMS, "clock.kind");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','spectators':'delayed'}", ERR_INVALID_PARAMS,
        "delay");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','title':'a\\nb'}", ERR_INVALID_PARAMS, "title");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','options':{'nope':1}}", ERR_INVALID_PARAMS,
        "nope");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','options':[]}", ERR_INVALID_PARAMS, "options");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','invite':['nemo']}", ERR_NOT_FOUND, "invite");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','invite':[7]}", ERR_INVALID_PARAMS, "invite");
    bad(&kit, lobby_create, 0, "{'game':'waterloo','action_id':''}", ERR_INVALID_PARAMS,
        "action_id");
    close_lobby(&kit);
}
END_TEST

START_TEST(an_account_has_so_many_matches_and_no_more)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo'}");
    for (unsigned i = 1; i < MATCHES_MAX; i++) {
        (void)made(&kit, "{'game':'waterloo'}");
    }
    bad(&kit, lobby_create, 0, "{'game':'waterloo'}", ERR_TOO_LARGE, NULL);
    /* One that was withdrawn counts no longer. */
    good(&kit, lobby_leave, 0, with("{'match':'%s'}", &id));
    assert_state(&kit, &id, 0, "aborted");
    (void)made(&kit, "{'game':'waterloo'}");
    close_lobby(&kit);
}
END_TEST

/* ---- joining ---- */

START_TEST(the_last_seat_begins_the_match)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR'}");
    bad(&kit, lobby_join, 0, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_joined");
    bad(&kit, lobby_join, 1, with("{'match':'%s','seat':'FR'}", &id), ERR_CONFLICT, "seat_taken");
    bad(&kit, lobby_join, 1, with("{'match':'%s','seat':'PR'}", &id), ERR_INVALID_PARAMS, "seat");
    struct answer answer = ask(&kit, lobby_join, 1, with("{'match':'%s'}", &id));
    ck_assert_int_eq(answer.err, ERR_OK);
    ck_assert_str_eq(text_of(answer.parsed, "state"), "running");
    ck_assert_str_eq(text_of(json_get(json_get(answer.parsed, "seats"), "AL"), "account"), "bert");
    ck_assert_int_eq((int)json_get(answer.parsed, "seq")->valuedouble, 1);
    forget(&answer);
    bad(&kit, lobby_join, 2, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    bad(&kit, lobby_leave, 1, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    /* Header and begin. */
    struct kit_log log = kit_read_log(&kit.kit, 0);
    ck_assert_int_eq(log.lines, 2);
    ck_assert_int_eq(log.next_n, 2);
    close_lobby(&kit);
}
END_TEST

START_TEST(of_two_who_want_the_last_seat_one_gets_it)
{
    struct lobby_kit kit;
    struct answer one;
    struct answer two;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'AL'}");
    post(&kit, lobby_join, 1, with("{'match':'%s'}", &id), &one);
    post(&kit, lobby_join, 2, with("{'match':'%s'}", &id), &two);
    wait_for(&kit, &one);
    wait_for(&kit, &two);
    ck_assert_int_eq(one.err, ERR_OK);
    ck_assert_int_eq(two.err, ERR_CONFLICT);
    ck_assert_str_eq(two.why.reason, "already_started");
    forget(&one);
    forget(&two);
    close_lobby(&kit);
}
END_TEST

START_TEST(a_closed_match_is_not_there_for_strangers)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id none = {"zzzzzzzzzz"};
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR','access':'private'}");
    lobby_method_fn *const methods[] = {lobby_get, lobby_join, lobby_leave, lobby_start};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct answer real = ask(&kit, methods[i], 1, with("{'match':'%s'}", &id));
        struct answer fake = ask(&kit, methods[i], 1, with("{'match':'%s'}", &none));
        ck_assert_int_eq(real.err, ERR_NOT_FOUND);
        ck_assert_int_eq(fake.err, ERR_NOT_FOUND);
        ck_assert_mem_eq(&real.why, &fake.why, sizeof real.why);
        forget(&real);
        forget(&fake);
    }
    bad(&kit, lobby_join, 1, with("{'match':'%s','code':'AAAAAAAAAAAAAAAAAAAAAA'}", &id),
        ERR_NOT_FOUND, NULL);
    struct answer list = ask(&kit, lobby_list, 1, "{'filter':'open'}");
    ck_assert_str_eq(list.json, "{\"matches\":[]}");
    forget(&list);
    assert_state(&kit, &id, 0, "open");
    close_lobby(&kit);
}
END_TEST

/* The code of a seat as its creator is shown it; "" if none. */
static void read_code(struct lobby_kit *kit, unsigned who, const struct match_id *id,
                      const char *seat, char out[32])
{
    struct answer answer = ask(kit, lobby_get, who, with("{'match':'%s'}", id));
    ck_assert_int_eq(answer.err, ERR_OK);
    (void)snprintf(out, 32, "%s",
                   text_of(json_get(json_get(answer.parsed, "seats"), seat), "code"));
    forget(&answer);
}

static const char *join_by(const struct match_id *id, const char *code, const char *seat)
{
    static char text[256];
    (void)snprintf(text, sizeof text, "{'match':'%s','code':'%s'%s%s%s}", id->text, code,
                   seat == NULL ? "" : ",'seat':'", seat == NULL ? "" : seat,
                   seat == NULL ? "" : "'");
    return text;
}

START_TEST(a_code_opens_one_seat_once)
{
    struct lobby_kit kit;
    char al[32];
    char fr[32];
    char again[32];
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','access':'private'}");
    read_code(&kit, 0, &id, "AL", al);
    read_code(&kit, 0, &id, "FR", fr);
    ck_assert_uint_eq(strlen(al), 22);
    ck_assert_str_ne(al, fr);
    bad(&kit, lobby_join, 1, join_by(&id, al, "FR"), ERR_FORBIDDEN, NULL);
    good(&kit, lobby_join, 1, join_by(&id, al, NULL));
    read_code(&kit, 1, &id, "FR", again); /* who joined is shown no codes */
    ck_assert_str_eq(again, "");
    bad(&kit, lobby_join, 2, join_by(&id, al, NULL), ERR_NOT_FOUND, NULL);
    good(&kit, lobby_leave, 1, with("{'match':'%s'}", &id));
    read_code(&kit, 0, &id, "AL", again);
    ck_assert_str_ne(again, al);
    bad(&kit, lobby_join, 1, join_by(&id, al, NULL), ERR_NOT_FOUND, NULL);
    good(&kit, lobby_join, 1, join_by(&id, again, "AL"));
    close_lobby(&kit);
}
END_TEST

START_TEST(who_is_invited_needs_no_code)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','access':'invite','spectators':'public',"
                                    "'invite':['bert'],'seat':'FR'}");
    bad(&kit, lobby_join, 2, with("{'match':'%s'}", &id), ERR_FORBIDDEN, NULL);
    bad(&kit, lobby_join, 2, with("{'match':'%s','code':'AAAAAAAAAAAAAAAAAAAAAA'}", &id),
        ERR_FORBIDDEN, NULL);
    good(&kit, lobby_join, 1, with("{'match':'%s'}", &id));
    assert_state(&kit, &id, 2, "running"); /* spectators may know of it */
    close_lobby(&kit);
}
END_TEST

START_TEST(leaving_gives_the_seat_back)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo'}");
    bad(&kit, lobby_leave, 1, with("{'match':'%s'}", &id), ERR_CONFLICT, "not_joined");
    good(&kit, lobby_join, 1, with("{'match':'%s','seat':'AL'}", &id));
    bad(&kit, lobby_leave, 0, with("{'match':'%s'}", &id), ERR_CONFLICT, "not_joined");
    good(&kit, lobby_leave, 1, with("{'match':'%s'}", &id));
    assert_state(&kit, &id, 1, "open");
    good(&kit, lobby_join, 2, with("{'match':'%s','seat':'AL'}", &id));
    close_lobby(&kit);
}
END_TEST

START_TEST(a_match_that_is_started_by_hand_waits_for_its_creator)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR','start':'manual'}");
    bad(&kit, lobby_start, 0, with("{'match':'%s'}", &id), ERR_CONFLICT, "not_full");
    good(&kit, lobby_join, 1, with("{'match':'%s'}", &id));
    assert_state(&kit, &id, 1, "open");
    bad(&kit, lobby_join, 2, with("{'match':'%s'}", &id), ERR_CONFLICT, "full");
    bad(&kit, lobby_start, 1, with("{'match':'%s'}", &id), ERR_FORBIDDEN, NULL);
    good(&kit, lobby_start, 0, with("{'match':'%s'}", &id));
    assert_state(&kit, &id, 1, "running");
    bad(&kit, lobby_start, 0, with("{'match':'%s'}", &id), ERR_CONFLICT, "already_started");
    close_lobby(&kit);
}
END_TEST

/* ---- exactly once ---- */

START_TEST(a_repeat_gets_the_first_answer_also_in_flight_and_after_a_restart)
{
    struct lobby_kit kit;
    struct answer one;
    struct answer two;
    static const char create[] =
        "{'game':'waterloo','seat':'FR','access':'private','action_id':'a1'}";
    open_lobby(&kit);
    post(&kit, lobby_create, 0, create, &one);
    post(&kit, lobby_create, 0, create, &two);
    wait_for(&kit, &one);
    wait_for(&kit, &two);
    ck_assert_int_eq(one.err, ERR_OK);
    ck_assert_int_eq(two.err, ERR_OK);
    ck_assert_str_eq(one.json, two.json);
    forget(&two);
    /* Another account's id is another id; other params are a conflict. */
    struct answer list = ask(&kit, lobby_list, 0, "{'filter':'mine'}");
    ck_assert_int_eq(cJSON_GetArraySize(json_get(list.parsed, "matches")), 1);
    forget(&list);
    bad(&kit, lobby_create, 0, "{'game':'waterloo','seat':'AL','action_id':'a1'}", ERR_CONFLICT,
        "action_id");
    struct answer other = ask(&kit, lobby_create, 1, create);
    ck_assert_int_eq(other.err, ERR_OK);
    ck_assert_str_ne(text_of(other.parsed, "match"), text_of(one.parsed, "match"));
    forget(&other);
    stop_parts(&kit);
    ck_assert_ptr_null(kit_reopen(&kit.kit));
    start_parts(&kit);
    two = ask(&kit, lobby_create, 0, create);
    ck_assert_int_eq(two.err, ERR_OK);
    ck_assert_str_eq(one.json, two.json);
    forget(&one);
    forget(&two);
    close_lobby(&kit);
}
END_TEST

START_TEST(a_join_that_begins_is_answered_once_and_a_refusal_is_not_remembered)
{
    struct lobby_kit kit;
    char join[256];
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR','start':'manual'}");
    (void)snprintf(join, sizeof join, "{'match':'%s','action_id':'s'}", id.text);
    bad(&kit, lobby_start, 0, join, ERR_CONFLICT, "not_full");
    good(&kit, lobby_join, 1, with("{'match':'%s','action_id':'j'}", &id));
    struct answer one = ask(&kit, lobby_start, 0, join);
    struct answer two = ask(&kit, lobby_start, 0, join);
    ck_assert_int_eq(one.err, ERR_OK);
    ck_assert_int_eq(two.err, ERR_OK);
    ck_assert_str_eq(one.json, two.json);
    forget(&one);
    forget(&two);
    close_lobby(&kit);
}
END_TEST

START_TEST(an_id_used_for_joining_is_a_conflict_in_play_and_harms_nobody)
{
    struct lobby_kit kit;
    struct store_stats stats;
    struct answer answer;
    struct why why;
    open_lobby(&kit);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR'}");
    good(&kit, lobby_join, 1, with("{'match':'%s','action_id':'j'}", &id));
    char text[256];
    (void)snprintf(text, sizeof text,
                   "{\"match\":\"%s\",\"seq\":1,\"action_id\":\"j\",\"action\":{\"do\":\"place\","
                   "\"placements\":[{\"town\":\"ghent\",\"unit\":\"AD-A\"}]}}",
                   id.text);
    memset(&answer, 0, sizeof answer);
    ck_assert_int_eq(json_parse(text, strlen(text), &answer.params), ERR_OK);
    ck_assert_int_eq(json_normalise(answer.params, &why), ERR_OK);
    struct match_call call = {.account = person(1), .done = on_answer, .ctx = &answer};
    match_act(kit.matches, &call, answer.params);
    wait_for(&kit, &answer);
    ck_assert_int_eq(answer.err, ERR_CONFLICT);
    ck_assert_str_eq(answer.why.reason, "action_id");
    forget(&answer);
    store_get_stats(kit.kit.store, &stats);
    ck_assert_uint_eq(stats.retried_batches, 0);
    close_lobby(&kit);
}
END_TEST

/* A call of live matches. params: JSON with ' for ". */
static void play(struct lobby_kit *kit, match_method_fn *method, unsigned who, const char *params,
                 struct answer *answer)
{
    char text[512];
    struct why why;
    (void)snprintf(text, sizeof text, "%s", params);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    memset(answer, 0, sizeof *answer);
    ck_assert_int_eq(json_parse(text, strlen(text), &answer->params), ERR_OK);
    ck_assert_int_eq(json_normalise(answer->params, &why), ERR_OK);
    const struct match_call call = {.account = person(who), .done = on_answer, .ctx = answer};
    method(kit->matches, &call, answer->params);
}

/* One id in two matches at the same instant: nothing that anybody else does is lost with it. */
START_TEST(an_id_used_in_two_matches_at_once_harms_nobody)
{
    static const char place[] = "{'match':'%s','seq':1,'action_id':'twice','action':{'do':'place',"
                                "'placements':[{'town':'ghent','unit':'AD-A'}]}}";
    struct lobby_kit kit;
    struct store_stats stats;
    struct answer answers[3];
    struct match_id ids[2];
    open_lobby(&kit);
    for (unsigned i = 0; i < 2; i++) {
        struct answer seen;
        ids[i] = made(&kit, "{'game':'waterloo','seat':'FR'}");
        good(&kit, lobby_join, 1, with("{'match':'%s'}", &ids[i]));
        play(&kit, match_view, 1, with("{'match':'%s'}", &ids[i]), &seen);
        wait_for(&kit, &seen);
        ck_assert_int_eq(seen.err, ERR_OK);
        forget(&seen);
    }
    play(&kit, match_act, 1, with(place, &ids[0]), &answers[0]);
    play(&kit, match_act, 1, with(place, &ids[1]), &answers[1]);
    play(&kit, match_offer, 0, with("{'match':'%s','what':'abort','action_id':'o'}", &ids[1]),
         &answers[2]);
    for (unsigned i = 0; i < 3; i++) {
        wait_for(&kit, &answers[i]);
    }
    ck_assert_int_eq(answers[0].err, ERR_OK);
    ck_assert_int_eq(answers[2].err, ERR_OK);
    for (unsigned i = 0; i < 3; i++) {
        forget(&answers[i]);
    }
    store_get_stats(kit.kit.store, &stats);
    ck_assert_uint_eq(stats.units_failed, 0);
    close_lobby(&kit);
}
END_TEST

START_TEST(a_commit_that_fails_leaves_things_as_they_were_and_the_same_id_may_try_again)
{
    struct lobby_kit kit;
    struct answer before;
    struct answer after;
    open_lobby(&kit);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    bad(&kit, lobby_create, 0, "{'game':'waterloo','seat':'FR','action_id':'c'}",
        ERR_STORAGE_FAILED, NULL);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR','action_id':'c'}");
    before = ask(&kit, lobby_get, 1, with("{'match':'%s'}", &id));
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    bad(&kit, lobby_join, 1, with("{'match':'%s','action_id':'j'}", &id), ERR_STORAGE_FAILED, NULL);
    after = ask(&kit, lobby_get, 1, with("{'match':'%s'}", &id));
    ck_assert_str_eq(before.json, after.json);
    forget(&before);
    forget(&after);
    good(&kit, lobby_join, 1, with("{'match':'%s','action_id':'j'}", &id));
    assert_state(&kit, &id, 1, "running");
    struct kit_log log = kit_read_log(&kit.kit, 0);
    ck_assert_int_eq(log.lines, 2);
    close_lobby(&kit);
}
END_TEST

START_TEST(an_answer_that_was_not_kept_is_made_again)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    /* The commit of the match is good, that of its answer fails: the caller is told all the same.
     */
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 1, 1);
    struct answer one = ask(&kit, lobby_create, 0, "{'game':'waterloo','action_id':'c'}");
    struct answer two = ask(&kit, lobby_create, 0, "{'game':'waterloo','action_id':'c'}");
    ck_assert_int_eq(one.err, ERR_OK);
    ck_assert_int_eq(two.err, ERR_OK);
    ck_assert_str_eq(one.json, two.json);
    forget(&one);
    forget(&two);
    close_lobby(&kit);
}
END_TEST

/* ---- lists ---- */

static void assert_list(struct lobby_kit *kit, unsigned who, const char *params, int count)
{
    struct answer answer = ask(kit, lobby_list, who, params);
    ck_assert_int_eq(answer.err, ERR_OK);
    ck_assert_msg(cJSON_GetArraySize(json_get(answer.parsed, "matches")) == count, "%s: %s", params,
                  answer.json);
    forget(&answer);
}

START_TEST(lists_show_each_account_what_it_may_know)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    struct match_id open = made(&kit, "{'game':'waterloo','seat':'FR'}");
    struct match_id closed =
        made(&kit, "{'game':'waterloo','seat':'FR','access':'invite','invite':['carl']}");
    assert_list(&kit, NOBODY, "{'filter':'open'}", 1);
    assert_list(&kit, 1, "{'filter':'open'}", 1);
    assert_list(&kit, 2, "{'filter':'open'}", 2);
    assert_list(&kit, 0, "{'filter':'open','game':'eylau'}", 0);
    assert_list(&kit, 0, "{'filter':'mine'}", 2);
    assert_list(&kit, 2, "{'filter':'mine'}", 1); /* invited */
    assert_list(&kit, 1, "{'filter':'mine'}", 0);
    good(&kit, lobby_join, 2, with("{'match':'%s'}", &closed));
    assert_list(&kit, 2, "{'filter':'running'}", 1);
    assert_list(&kit, 1, "{'filter':'running'}", 0);
    assert_list(&kit, NOBODY, "{'filter':'running'}", 0);
    good(&kit, lobby_join, 1, with("{'match':'%s'}", &open));
    assert_list(&kit, NOBODY, "{'filter':'running'}", 1);
    assert_list(&kit, NOBODY, "{'filter':'running','player':'Bert'}", 1);
    assert_list(&kit, NOBODY, "{'filter':'running','player':'carl'}", 0);
    assert_list(&kit, NOBODY, "{'filter':'running','player':'nemo'}", 0);
    assert_list(&kit, NOBODY, "{'filter':'finished'}", 0);
    bad(&kit, lobby_list, NOBODY, "{'filter':'mine'}", ERR_NOT_SIGNED_IN, NULL);
    bad(&kit, lobby_list, 0, "{'filter':'all'}", ERR_INVALID_PARAMS, "filter");
    bad(&kit, lobby_list, 0, "{}", ERR_INVALID_PARAMS, "filter");
    bad(&kit, lobby_list, 0, "{'filter':'open','limit':0}", ERR_INVALID_PARAMS, "limit");
    bad(&kit, lobby_list, 0, "{'filter':'open','limit':101}", ERR_INVALID_PARAMS, "limit");
    bad(&kit, lobby_list, 0, "{'filter':'open','before':'zzzzzzzzzz'}", ERR_INVALID_PARAMS,
        "before");
    bad(&kit, lobby_list, 0, "{'filter':'open','before':'?'}", ERR_INVALID_PARAMS, "before");
    close_lobby(&kit);
}
END_TEST

/* How many steps SQLite takes for the list. */
struct listing {
    enum lobby_filter filter;
    struct account_id player;
    unsigned count, steps;
};

static enum err op_listing(struct db *db, void *data)
{
    static struct lobby_row rows[20];
    static const struct account_id nobody = {""};
    struct listing *listing = data;
    enum err err = lobby_read_list(db, listing->filter, &nobody, NULL, &listing->player, NULL, 20,
                                   rows, &listing->count);
    for (unsigned i = 0; err == ERR_OK && i < listing->count; i++) {
        lobby_row_finish(&rows[i]);
    }
    sqlite3_stmt *stmt = NULL;
    while ((stmt = sqlite3_next_stmt(db_handle(db), stmt)) != NULL) {
        listing->steps += (unsigned)sqlite3_stmt_status(stmt, SQLITE_STMTSTATUS_VM_STEP, 1);
    }
    return err;
}

static enum err op_old_matches(struct db *db, void *data)
{
    (void)data;
    return sqlite3_exec(db_handle(db),
                        "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                        "INSERT INTO match (id, game, rules, options, creator, access, spectators, "
                        "reveal, created_at, state, secret, commitment) SELECT 'old' || i, "
                        "'waterloo', 1, '{}', 'x', 'open', 'public', 'end', 0, 'over', "
                        "zeroblob(32), zeroblob(32) FROM n",
                        NULL, NULL, NULL) == SQLITE_OK
               ? ERR_OK
               : ERR_STORAGE_FAILED;
}

static void store_op(struct lobby_kit *kit, store_op_fn *op, void *data)
{
    unsigned stored = 0;
    struct store_unit *unit = store_unit_create(NULL, 0);
    store_unit_add(unit, op, data, NULL);
    store_commit(kit->kit.store, unit, on_stored, &stored);
    kit_run_until(&kit->kit, &stored, 1);
}

START_TEST(what_one_player_has_played_is_found_without_a_look_at_all_that_was_ever_played)
{
    struct lobby_kit kit;
    open_lobby(&kit);
    store_op(&kit, op_old_matches, NULL);
    struct match_id id = made(&kit, "{'game':'waterloo','seat':'FR'}");
    good(&kit, lobby_join, 1, with("{'match':'%s'}", &id));
    static const enum lobby_filter filters[] = {LOBBY_OPEN, LOBBY_RUNNING, LOBBY_FINISHED};
    for (unsigned i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        struct listing listing = {.filter = filters[i], .player = person(1)};
        store_op(&kit, op_listing, &listing);
        listing.steps = 0; /* without what was done before */
        store_op(&kit, op_listing, &listing);
        ck_assert_uint_eq(listing.count, filters[i] == LOBBY_RUNNING ? 1 : 0);
        ck_assert_uint_lt(listing.steps, 2000);
    }
    close_lobby(&kit);
}
END_TEST

START_TEST(a_list_goes_on_where_it_ended)
{
    struct lobby_kit kit;
    char params[128];
    open_lobby(&kit);
    struct match_id ids[MATCHES_MAX];
    for (unsigned i = 0; i < MATCHES_MAX; i++) {
        ids[i] = made(&kit, "{'game':'waterloo'}");
    }
    (void)snprintf(params, sizeof params, "{'filter':'open','limit':1}");
    for (unsigned i = MATCHES_MAX; i-- > 0;) {
        struct answer answer = ask(&kit, lobby_list, NOBODY, params);
        ck_assert_int_eq(answer.err, ERR_OK);
        const cJSON *list = json_get(answer.parsed, "matches");
        ck_assert_int_eq(cJSON_GetArraySize(list), 1);
        ck_assert_str_eq(text_of(list->child, "match"), ids[i].text); /* newest first */
        ck_assert_int_eq(json_get(answer.parsed, "next") != NULL, i > 0);
        (void)snprintf(params, sizeof params, "{'filter':'open','limit':1,'before':'%s'}",
                       text_of(answer.parsed, "next"));
        forget(&answer);
    }
    close_lobby(&kit);
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("lobby");
    TCase *tcase = tcase_create("matches");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, each_match_is_bound_to_a_secret_of_its_own);
    tcase_add_test(tcase, what_create_cannot_do_it_refuses_by_name);
    tcase_add_test(tcase, an_account_has_so_many_matches_and_no_more);
    tcase_add_test(tcase, the_last_seat_begins_the_match);
    tcase_add_test(tcase, of_two_who_want_the_last_seat_one_gets_it);
    tcase_add_test(tcase, a_closed_match_is_not_there_for_strangers);
    tcase_add_test(tcase, a_code_opens_one_seat_once);
    tcase_add_test(tcase, who_is_invited_needs_no_code);
    tcase_add_test(tcase, leaving_gives_the_seat_back);
    tcase_add_test(tcase, a_match_that_is_started_by_hand_waits_for_its_creator);
    tcase_add_test(tcase, a_repeat_gets_the_first_answer_also_in_flight_and_after_a_restart);
    tcase_add_test(tcase, a_join_that_begins_is_answered_once_and_a_refusal_is_not_remembered);
    tcase_add_test(tcase, an_id_used_for_joining_is_a_conflict_in_play_and_harms_nobody);
    tcase_add_test(tcase, an_id_used_in_two_matches_at_once_harms_nobody);
    tcase_add_test(tcase,
                   a_commit_that_fails_leaves_things_as_they_were_and_the_same_id_may_try_again);
    tcase_add_test(tcase, an_answer_that_was_not_kept_is_made_again);
    tcase_add_test(tcase, lists_show_each_account_what_it_may_know);
    tcase_add_test(tcase,
                   what_one_player_has_played_is_found_without_a_look_at_all_that_was_ever_played);
    tcase_add_test(tcase, a_list_goes_on_where_it_ended);
    tcase_add_test(tcase, a_game_that_draws_early_shows_its_header_and_waits_for_nonces);
    tcase_add_test(tcase, a_commitment_that_was_dealt_meanwhile_is_not_waited_for);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
