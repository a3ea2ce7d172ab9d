/* tests/unit/test_match_offers.c: draw, abort, rewind: offered, answered, carried out, and what of
 * it who is told. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/record/verify.h"
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

static void set_up_three(void)
{
    memset(&kit, 0, sizeof kit);
    match_kit_open(&kit);
    match_kit_begin(&kit, "{\"players\":3}", 3, true);
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

static void ck_lacks(const char *text, const char *part)
{
    ck_assert_msg(text != NULL && strstr(text, part) == NULL, "%s in %s", part, text);
}

static void ck_in_everything(unsigned seat, const char *part, bool has)
{
    char *text = everything(&kit, seat);
    if (has) {
        ck_has(text, part);
    } else {
        ck_lacks(text, part);
    }
    free(text);
}

static void watch_all(unsigned seats)
{
    for (unsigned i = 0; i < seats; i++) {
        ck_err(call(&kit, match_watch, i, "{}"), ERR_OK);
    }
    ck_err(call(&kit, match_watch, 9, "{'as':'public'}"), ERR_OK);
    settle(&kit);
    forget_pushes(&kit);
}

/* Whether the push went to that seat, or with 9 to the public (which shares a client with B). */
static bool is_for(const struct pushed *push, unsigned who)
{
    return push->viewer == (who == 9 ? (unsigned)VIEWER_PUBLIC : who);
}

/* The newest match.changed that was sent since the pushes were forgotten; "": none. */
static const char *changed(unsigned who)
{
    const struct kit_client *to = &kit.clients[who % CLIENTS_MAX];
    for (size_t i = to->count; i-- > 0;) {
        if (to->pushes[i].kind == PUSH_CHANGED && is_for(&to->pushes[i], who)) {
            return to->pushes[i].text;
        }
    }
    return "";
}

static void ok(unsigned seat, const char *action)
{
    ck_err(act(&kit, seat, action), ERR_OK);
}

/* The rolls of the record are 1, 2, 3, ..: none comes twice. */
static unsigned check_rolls(const char *record)
{
    unsigned long next = 1;
    for (const char *at = record; (at = strstr(at, ",\"roll\":")) != NULL; at++) {
        ck_assert_uint_eq(strtoul(at + 8, NULL, 10), next);
        next++;
    }
    return (unsigned)next - 1;
}

static void check_record(unsigned *rewinds)
{
    struct result *result = call(&kit, match_record, 0, "{}");
    ck_err(result, ERR_OK);
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(result->json, strlen(result->json), &json), ERR_OK);
    const char *text = cJSON_GetObjectItem(json, "record")->valuestring;
    const struct verify_options options = {.games = lots_games};
    struct verdict verdict;
    ck_assert_int_eq(verify_record(text, strlen(text), &options, &verdict), ERR_OK);
    ck_assert_msg(verdict.good, "line %llu: %s", (unsigned long long)verdict.line, verdict.why);
    ck_assert(verdict.checked[VERIFY_RULES]);
    ck_assert_uint_eq(verdict.rolls, check_rolls(text));
    for (const char *at = text; (at = strstr(at, "\"host\":\"rewind\"")) != NULL; at++) {
        (*rewinds)++;
    }
    cJSON_Delete(json);
}

/* --- draw and abort ----------------------------------------------------------------------------
 */

START_TEST(a_draw_takes_both_and_ends_the_match_without_a_winner)
{
    watch_all(2);
    ok(0, "{'do':'add','n':4}");
    forget_pushes(&kit);
    struct result *offer = call(&kit, match_offer, 0, "{'what':'draw'}");
    ck_err(offer, ERR_OK);
    ck_has(offer->json, "{\"offer\":1,\"what\":\"draw\",\"seat\":\"A\",\"at\":");
    ck_has(offer->json, "\"accepted\":[],\"awaits\":[\"B\"]}");
    for (unsigned i = 0; i < 2; i++) {
        ck_has(changed(i), "\"method\":\"match.changed\"");
        ck_has(changed(i), "\"offers\":[{\"offer\":1,\"what\":\"draw\",\"seat\":\"A\"");
        ck_in_everything(i, "\"offers\":[{\"offer\":1,\"what\":\"draw\"", true);
    }
    ck_has(changed(9), "\"what\":\"draw\"");
    int64_t seq = seq_of(&kit, 1);
    struct result *answer = call(&kit, match_answer, 1, "{'offer':1,'accept':true}");
    ck_err(answer, ERR_OK);
    ck_has(answer->json, "\"outcome\":\"carried_out\"");
    ck_has(answer->json, "{\"ev\":\"match_ended\",\"how\":\"draw\",\"result\":{\"pot\":4,"
                         "\"winners\":[]}}");
    ck_assert_int_eq(result_int(answer, "seq"), seq + 1);
    ck_has(changed(0), "\"offers\":[]");
    ck_has(changed(0), "\"closed\":[{\"offer\":1,\"what\":\"draw\",\"seat\":\"A\","
                       "\"outcome\":\"carried_out\"}]");
    ck_err(act(&kit, 0, "{'do':'add','n':4}"), ERR_MATCH_OVER);
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_MATCH_OVER);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_MATCH_OVER);
    ck_in_everything(0, "\"over\":true", true);
    ck_in_everything(0, "\"offers\"", false);
    ck_err(call(&kit, match_record, 0, "{}"), ERR_OK);
}
END_TEST

START_TEST(an_abort_ends_the_match_too)
{
    ck_err(call(&kit, match_offer, 1, "{'what':'abort'}"), ERR_OK);
    struct result *answer = call(&kit, match_answer, 0, "{'offer':1,'accept':true}");
    ck_err(answer, ERR_OK);
    ck_has(answer->json, "\"how\":\"abort\"");
    match_kit_reopen(&kit);
    ck_in_everything(0, "\"over\":true", true);
    ck_has(call(&kit, match_record, 0, "{}")->json, "\\\"how\\\":\\\"abort\\\"");
}
END_TEST

START_TEST(offers_are_declined_withdrawn_and_made_again)
{
    watch_all(2);
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_OK);
    ck_reason(call(&kit, match_offer, 0, "{'what':'draw'}"), "offered");
    ck_err(call(&kit, match_offer, 0, "{'what':'abort'}"), ERR_OK);
    ck_err(call(&kit, match_offer, 1, "{'what':'draw'}"), ERR_OK);
    ck_reason(call(&kit, match_answer, 0, "{'offer':1,'accept':true}"), "own");
    struct result *no = call(&kit, match_answer, 1, "{'offer':1,'accept':false}");
    ck_err(no, ERR_OK);
    ck_assert_str_eq(no->json, "{\"offer\":1,\"outcome\":\"declined\"}");
    ck_has(changed(0), "\"closed\":[{\"offer\":1,\"what\":\"draw\",\"seat\":\"A\","
                       "\"outcome\":\"declined\",\"by\":\"B\"}]");
    ck_has(changed(0), "\"offers\":[{\"offer\":2,");
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_NOT_FOUND);
    no = call(&kit, match_answer, 0, "{'offer':2,'accept':false}");
    ck_err(no, ERR_OK);
    ck_assert_str_eq(no->json, "{\"offer\":2,\"outcome\":\"withdrawn\"}");
    struct result *again = call(&kit, match_offer, 0, "{'what':'draw'}");
    ck_err(again, ERR_OK);
    ck_assert_int_eq(result_int(again, "offer"), 4);
    /* The match has seen no line of all this. */
    ck_assert_int_eq(seq_of(&kit, 0), 1);
}
END_TEST

START_TEST(what_cannot_be_offered_is_refused)
{
    static const char *const clocks[] = {"{'what':'pause'}", "{'what':'resume'}",
                                         "{'what':'time','seat':'A','s':60}", "{'what':'reopen'}"};
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        ck_reason(call(&kit, match_offer, 0, clocks[i]), "clock");
    }
    static const char *const bad[] = {"{'what':'peace'}",           "{}",
                                      "{'what':'draw','to':1}",     "{'what':'rewind'}",
                                      "{'what':'rewind','to':0}",   "{'what':'rewind','to':2}",
                                      "{'what':'rewind','to':'1'}", "{'what':'draw','x':1}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_err(call(&kit, match_offer, 0, bad[i]), ERR_INVALID_PARAMS);
    }
    ck_reason(call(&kit, match_offer, 0, "{'what':'rewind','to':1}"), "rewind");
    ck_err(call(&kit, match_offer, 9, "{'what':'draw'}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_offer, 8, "{'what':'draw'}"), ERR_NOT_SIGNED_IN);
    struct result *none = call(&kit, match_answer, 0, "{'offer':1,'accept':true}");
    ck_err(none, ERR_NOT_FOUND);
    ck_assert_str_eq(none->why.member, "offer");
    ck_err(call(&kit, match_answer, 0, "{'offer':1}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_answer, 0, "{'accept':true}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_answer, 0, "{'offer':0,'accept':true}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_answer, 9, "{'offer':1,'accept':true}"), ERR_FORBIDDEN);
}
END_TEST

START_TEST(an_offer_is_made_and_answered_exactly_once)
{
    const char *draw = "{'what':'draw','action_id':'one'}";
    struct result first, second;
    call_begin(&kit, match_offer, 0, draw, &first);
    call_begin(&kit, match_offer, 0, draw, &second);
    call_wait(&kit, &first);
    call_wait(&kit, &second);
    ck_err(&first, ERR_OK);
    ck_err(&second, ERR_OK);
    ck_assert_str_eq(first.json, second.json);
    ck_assert_str_eq(call(&kit, match_offer, 0, draw)->json, first.json);
    ck_reason(call(&kit, match_offer, 0, "{'what':'abort','action_id':'one'}"), "action_id");
    match_kit_reopen(&kit);
    ck_assert_str_eq(call(&kit, match_offer, 0, draw)->json, first.json);
    ck_in_everything(1, "\"offers\":[{\"offer\":1,\"what\":\"draw\"", true);
    ck_in_everything(1, "\"offer\":2", false);
    const char *no = "{'offer':1,'accept':false,'action_id':'two'}";
    ck_assert_str_eq(call(&kit, match_answer, 1, no)->json,
                     "{\"offer\":1,\"outcome\":\"declined\"}");
    match_kit_reopen(&kit);
    ck_assert_str_eq(call(&kit, match_answer, 1, no)->json,
                     "{\"offer\":1,\"outcome\":\"declined\"}");
    result_free(&first);
    result_free(&second);
    /* An answer that made a line. */
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_OK);
    const char *yes = "{'offer':2,'accept':true,'action_id':'three'}";
    char *answer = strdup(call(&kit, match_answer, 1, yes)->json);
    ck_has(answer, "carried_out");
    ck_assert_str_eq(call(&kit, match_answer, 1, yes)->json, answer);
    match_kit_reopen(&kit);
    ck_assert_str_eq(call(&kit, match_answer, 1, yes)->json, answer);
    free(answer);
}
END_TEST

START_TEST(offers_survive_rest_and_restart)
{
    ok(0, "{'do':'show'}");
    ok(1, "{'do':'roll'}");
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_offer, 1, "{'what':'abort'}"), ERR_OK);
    char *before[2] = {everything(&kit, 0), everything(&kit, 1)};
    for (int round = 0; round < 2; round++) {
        if (round == 0) {
            matches_rest(kit.matches);
        } else {
            match_kit_reopen(&kit);
        }
        for (unsigned i = 0; i < 2; i++) {
            char *after = everything(&kit, i);
            ck_assert_str_eq(before[i], after);
            free(after);
        }
    }
    free(before[0]);
    free(before[1]);
    struct result *yes = call(&kit, match_answer, 1, "{'offer':1,'accept':true}");
    ck_err(yes, ERR_OK);
    ck_has(yes->json, "\"ev\":\"rewound\"");
    /* The abort was not of that kind: it stands. */
    ck_in_everything(0, "\"offers\":[{\"offer\":2,\"what\":\"abort\"", true);
    ck_assert_int_eq(result_int(call(&kit, match_offer, 0, "{'what':'draw'}"), "offer"), 3);
}
END_TEST

START_TEST(three_must_all_agree_and_one_no_is_enough)
{
    watch_all(3);
    struct result *offer = call(&kit, match_offer, 1, "{'what':'draw'}");
    ck_err(offer, ERR_OK);
    ck_has(offer->json, "\"awaits\":[\"A\",\"C\"]");
    struct result *yes = call(&kit, match_answer, 0, "{'offer':1,'accept':true}");
    ck_assert_str_eq(yes->json, "{\"offer\":1,\"outcome\":\"waits\"}");
    ck_has(changed(2), "\"accepted\":[\"A\"],\"awaits\":[\"C\"]");
    yes = call(&kit, match_answer, 0, "{'offer':1,'accept':true}");
    ck_assert_str_eq(yes->json, "{\"offer\":1,\"outcome\":\"waits\"}");
    match_kit_reopen(&kit);
    ck_in_everything(2, "\"accepted\":[\"A\"],\"awaits\":[\"C\"]", true);
    ck_err(call(&kit, match_answer, 2, "{'offer':1,'accept':false}"), ERR_OK);
    ck_err(call(&kit, match_answer, 0, "{'offer':1,'accept':true}"), ERR_NOT_FOUND);
    ck_err(call(&kit, match_offer, 1, "{'what':'draw'}"), ERR_OK);
    ck_err(call(&kit, match_answer, 2, "{'offer':2,'accept':true}"), ERR_OK);
    ck_has(call(&kit, match_answer, 0, "{'offer':2,'accept':true}")->json, "carried_out");
}
END_TEST

START_TEST(who_has_left_is_not_asked_and_leaving_ends_what_was_open)
{
    watch_all(3);
    ok(0, "{'do':'add','n':1}");
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    ck_err(call(&kit, match_resign, 2, "{}"), ERR_OK);
    ck_has(changed(0), "\"outcome\":\"void\"");
    ck_err(call(&kit, match_answer, 2, "{'offer':1,'accept':true}"), ERR_NOT_FOUND);
    ck_reason(call(&kit, match_offer, 2, "{'what':'draw'}"), "left");
    struct result *offer = call(&kit, match_offer, 0, "{'what':'draw'}");
    ck_has(offer->json, "\"awaits\":[\"B\"]");
    ck_reason(call(&kit, match_answer, 2, "{'offer':2,'accept':false}"), "left");
    /* To go back to when it was there takes its word, after it does not. */
    offer = call(&kit, match_offer, 0, "{'what':'rewind','to':1}");
    ck_has(offer->json, "\"awaits\":[\"B\",\"C\"]");
    ok(0, "{'do':'add','n':1}");
    ok(1, "{'do':'add','n':1}");
    char text[64];
    snprintf(text, sizeof text, "{'what':'rewind','to':%lld}", (long long)seq_of(&kit, 0) - 1);
    offer = call(&kit, match_offer, 0, text);
    ck_has(offer->json, "\"awaits\":[\"B\"]");
    ck_has(call(&kit, match_answer, 1, "{'offer':4,'accept':true}")->json, "rewound");
    snprintf(text, sizeof text, "{'what':'rewind','to':1}");
    ck_err(call(&kit, match_offer, 1, text), ERR_OK);
    ck_err(call(&kit, match_answer, 0, "{'offer':5,'accept':true}"), ERR_OK);
    ck_has(call(&kit, match_answer, 2, "{'offer':5,'accept':true}")->json, "rewound");
    ok(2, "{'do':'stop'}");
    unsigned rewinds = 0;
    check_record(&rewinds);
    ck_assert_uint_eq(rewinds, 2);
}
END_TEST

START_TEST(the_end_makes_what_is_open_void)
{
    watch_all(2);
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_OK);
    ok(1, "{'do':'stop'}");
    ck_has(changed(1), "\"offers\":[],\"closed\":[{\"offer\":1,\"what\":\"draw\",\"seat\":\"A\","
                       "\"outcome\":\"void\"}]");
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_MATCH_OVER);
}
END_TEST

/* --- rewind ------------------------------------------------------------------------------------
 */

/* A: hide (2), add (3); B: hide (its 3), roll (4; its 4). */
static void play_a_little(void)
{
    ok(0, "{'do':'hide','number':3}");
    ok(0, "{'do':'add','n':10}");
    ok(1, "{'do':'hide','number':5}");
    ok(1, "{'do':'roll'}");
}

START_TEST(a_rewind_brings_the_state_back_and_seq_goes_on)
{
    watch_all(2);
    play_a_little();
    char *then = strdup(call(&kit, match_replay, 0, "{'seq':3}")->json);
    struct result *offer = call(&kit, match_offer, 0, "{'what':'rewind','to':3}");
    ck_err(offer, ERR_OK);
    ck_has(offer->json, "\"lost\":{\"to\":3,\"steps\":1,\"learned\":[],\"shown\":[]}");
    /* B's hidden number, set before the roll, stays: it goes back to its own seq 3. */
    ck_has(changed(1), "\"lost\":{\"to\":3,\"steps\":1,");
    ck_has(changed(9), "\"lost\":{\"to\":2,\"steps\":1,");
    struct result *yes = call(&kit, match_answer, 1, "{'offer':1,'accept':true}");
    ck_err(yes, ERR_OK);
    ck_has(yes->json, "{\"ev\":\"rewound\",\"to\":3,\"by\":[\"A\",\"B\"]}");
    ck_assert_int_eq(seq_of(&kit, 0), 5);
    ck_assert_int_eq(seq_of(&kit, 1), 5);
    struct result *view = call(&kit, match_view, 0, "{}");
    ck_has(view->json, "\"board\":{\"pot\":10,\"A\":{\"number\":3},\"B\":{}}");
    ck_has(then, "\"board\":{\"pot\":10,\"A\":{\"number\":3},\"B\":{}}");
    ck_has(call(&kit, match_view, 1, "{}")->json,
           "\"board\":{\"pot\":10,\"A\":{},\"B\":{\"number\":5}}");
    /* The public's own count. */
    struct result *public = call(&kit, match_history, 9, "{'from':0}");
    ck_has(public->json, "{\"ev\":\"rewound\",\"to\":2,\"by\":[\"A\",\"B\"]}");
    ck_has(public->json, "\"ev\":\"rolled\"");
    ck_assert_int_eq(seq_of(&kit, 9), 4);
    /* What was seen stays in the history and can be looked at. */
    ck_has(call(&kit, match_history, 0, "{'from':4,'limit':1}")->json, "\"ev\":\"rolled\"");
    ck_err(call(&kit, match_replay, 0, "{'seq':4}"), ERR_OK);
    ck_has(call(&kit, match_replay, 0, "{'seq':5}")->json, "\"pot\":10");
    free(then);
    /* Nothing behind it is undone; what comes after can be. */
    ck_reason(call(&kit, match_undo, 0, "{'seq':5}"), "undo");
    ok(0, "{'do':'hide','number':8}");
    ck_err(call(&kit, match_undo, 0, "{'seq':6}"), ERR_OK);
    ck_reason(call(&kit, match_undo, 0, "{'seq':7}"), "undo");
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"A\":{\"number\":3}");
    match_kit_reopen(&kit);
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":10,\"A\":{\"number\":3}");
}
END_TEST

START_TEST(the_next_roll_is_a_new_one)
{
    /* Rolls 1 and 2 of a match that is not rewound. */
    ok(0, "{'do':'roll'}");
    ok(0, "{'do':'roll'}");
    char *straight = strdup(call(&kit, match_history, 9, "{'from':2}")->json);
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(straight, strlen(straight), &json), ERR_OK);
    cJSON *steps = cJSON_GetObjectItem(json, "steps");
    int second =
        cJSON_GetObjectItem(
            cJSON_GetArrayItem(cJSON_GetObjectItem(cJSON_GetArrayItem(steps, 1), "events"), 0), "n")
            ->valueint;
    cJSON_Delete(json);
    free(straight);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':1}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    ok(1, "{'do':'roll'}");
    ok(0, "{'do':'stop'}");
    struct result *record = call(&kit, match_record, 0, "{}");
    ck_err(record, ERR_OK);
    ck_has(record->json, "\\\"roll\\\":1,");
    ck_has(record->json, "\\\"roll\\\":2,");
    ck_has(record->json, "\\\"roll\\\":3,");
    ck_has(record->json,
           "\\\"host\\\":\\\"rewind\\\",\\\"to\\\":1,\\\"by\\\":[\\\"A\\\",\\\"B\\\"]");
    ck_assert_int_ge(second, 1);
}
END_TEST

START_TEST(a_rewind_goes_behind_a_step_that_all_were_told_of_whatever_is_named)
{
    ok(0, "{'do':'hide','number':1}"); /* 2 */
    ok(0, "{'do':'hide','number':2}"); /* 3 */
    ok(1, "{'do':'add','n':7}");       /* 4, B's 2 */
    ok(0, "{'do':'hide','number':4}"); /* 5 */
    ok(0, "{'do':'add','n':1}");       /* 6, B's 3 */
    ok(0, "{'do':'hide','number':9}"); /* 7 */
    static const struct {
        const char *params;
        const char *lost;
    } cases[] = {
        {"{'what':'rewind','to':1}", "\"lost\":{\"to\":3,\"steps\":4,"},
        {"{'what':'rewind','to':2}", "\"lost\":{\"to\":3,\"steps\":4,"},
        {"{'what':'rewind','to':3}", "\"lost\":{\"to\":3,\"steps\":4,"},
        {"{'what':'rewind','to':4}", "\"lost\":{\"to\":5,\"steps\":2,"},
        {"{'what':'rewind','to':5}", "\"lost\":{\"to\":5,\"steps\":2,"},
    };
    char number[64];
    for (int i = 0; i < 5; i++) {
        struct result *offer = call(&kit, match_offer, 0, cases[i].params);
        ck_err(offer, ERR_OK);
        ck_has(offer->json, cases[i].lost);
        snprintf(number, sizeof number, "{'offer':%d,'accept':false}", i + 1);
        ck_err(call(&kit, match_answer, 0, number), ERR_OK);
    }
    ck_reason(call(&kit, match_offer, 0, "{'what':'rewind','to':6}"), "rewind");
    ck_reason(call(&kit, match_offer, 0, "{'what':'rewind','to':7}"), "rewind");
    /* The other seat names the same moments in its own count. */
    struct result *offer = call(&kit, match_offer, 1, "{'what':'rewind','to':2}");
    ck_has(offer->json, "\"lost\":{\"to\":2,\"steps\":1,");
    ck_in_everything(0, "\"lost\":{\"to\":5,\"steps\":2,", true);
    ck_has(call(&kit, match_answer, 0, "{'offer':6,'accept':true}")->json,
           "\"ev\":\"rewound\",\"to\":5,");
    ck_has(call(&kit, match_view, 0, "{}")->json, "\"pot\":7,\"A\":{\"number\":4}");
}
END_TEST

START_TEST(an_offer_says_what_was_learned)
{
    watch_all(2);
    ok(0, "{'do':'hide','number':6}");
    ok(1, "{'do':'add','n':1}");
    ok(0, "{'do':'show'}");
    ok(1, "{'do':'add','n':1}");
    struct result *offer = call(&kit, match_offer, 0, "{'what':'rewind','to':2}");
    ck_err(offer, ERR_OK);
    /* A showed its number in its step 4: all know it now, A knew it. */
    ck_has(offer->json, "\"lost\":{\"to\":2,\"steps\":3,\"learned\":[],\"shown\":[4]}");
    ck_has(changed(1), "\"lost\":{\"to\":1,\"steps\":3,\"learned\":[3],\"shown\":[3]}");
    ck_has(changed(9), "\"lost\":{\"to\":1,\"steps\":3,\"learned\":[3],\"shown\":[3]}");
}
END_TEST

START_TEST(going_on_makes_an_offer_of_rewind_void_but_not_quietly)
{
    watch_all(2);
    play_a_little();
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_OK);
    forget_pushes(&kit);
    ok(0, "{'do':'hide','number':2}");
    ok(1, "{'do':'secret'}");
    ck_assert_str_eq(changed(0), "");
    ck_assert_str_eq(changed(1), "");
    ck_in_everything(1, "\"what\":\"rewind\"", true);
    ok(1, "{'do':'add','n':1}");
    for (unsigned i = 0; i < 2; i++) {
        ck_has(changed(i), "\"closed\":[{\"offer\":1,\"what\":\"rewind\",\"seat\":\"A\","
                           "\"outcome\":\"void\"}]");
        ck_has(changed(i), "\"offers\":[{\"offer\":2,\"what\":\"draw\"");
    }
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_NOT_FOUND);
    match_kit_reopen(&kit);
    ck_in_everything(1, "\"what\":\"rewind\"", false);
}
END_TEST

START_TEST(a_rewind_can_be_gone_back_on)
{
    ok(0, "{'do':'add','n':10}"); /* 2 */
    ok(1, "{'do':'add','n':20}"); /* 3 */
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK); /* 4 */
    ck_has(call(&kit, match_view, 1, "{}")->json, "\"pot\":10");
    ck_err(call(&kit, match_offer, 1, "{'what':'rewind','to':3}"), ERR_OK);
    struct result *yes = call(&kit, match_answer, 0, "{'offer':2,'accept':true}"); /* 5 */
    ck_has(yes->json, "\"ev\":\"rewound\",\"to\":3,");
    ck_has(call(&kit, match_view, 1, "{}")->json, "\"pot\":30");
    ck_assert_int_eq(seq_of(&kit, 1), 5);
    ck_err(call(&kit, match_offer, 1, "{'what':'rewind','to':1}"), ERR_OK);
    ck_err(call(&kit, match_answer, 0, "{'offer':3,'accept':true}"), ERR_OK);
    ck_has(call(&kit, match_view, 1, "{}")->json, "\"pot\":0");
    ck_assert_int_eq(seq_of(&kit, 1), 6);
    match_kit_reopen(&kit);
    ck_has(call(&kit, match_view, 1, "{}")->json, "\"pot\":0");
    ck_has(call(&kit, match_replay, 1, "{'seq':5}")->json, "\"pot\":30");
}
END_TEST

/* Everything that B and the public get must be the same whatever A did quietly: before the step
 * that the rewind takes back, after it, and while the offer is open. */
START_TEST(a_rewind_tells_nothing_of_quiet_lines)
{
    char *told[2][2] = {{NULL}};
    for (int world = 0; world < 2; world++) {
        if (world == 1) {
            match_kit_close(&kit);
            set_up();
        }
        watch_all(2);
        int quiet = world == 0 ? 1 : 7;
        for (int i = 0; i < quiet; i++) {
            ok(0, "{'do':'hide','number':3}");
        }
        ok(1, "{'do':'hide','number':2}");
        for (int i = 0; i < 4 * world; i++) {
            ok(0, "{'do':'hide','number':9}");
        }
        ok(1, "{'do':'add','n':5}");
        for (int i = 0; i < quiet; i++) {
            ok(0, "{'do':'mask'}");
        }
        ok(1, "{'do':'add','n':6}");
        char text[64];
        /* The last quiet step before B's first sum: before B's own quiet one, or after it. */
        snprintf(text, sizeof text, "{'what':'rewind','to':%d}", world == 0 ? 2 : 1 + 7 + 4);
        ck_err(call(&kit, match_offer, 0, text), ERR_OK);
        for (int i = 0; i < quiet; i++) {
            ok(0, "{'do':'hide','number':4}");
        }
        ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
        for (unsigned who = 0; who < 2; who++) {
            unsigned client = who == 0 ? 1 : 9;
            struct buf all;
            buf_init(&all, 1 << 20);
            const struct kit_client *to = &kit.clients[client % CLIENTS_MAX];
            for (size_t i = 0; i < to->count; i++) {
                if (is_for(&to->pushes[i], client)) { buf_append_str(&all, to->pushes[i].text); }
            }
            char *rest = everything(&kit, client);
            buf_append_str(&all, rest);
            free(rest);
            told[world][who] = buf_take(&all, &(size_t){0});
        }
    }
    /* Ids, times and heads are another match's. */
    for (int who = 0; who < 2; who++) {
        for (int world = 0; world < 2; world++) {
            static const char *const marks[] = {"\"at\":", "\"chain\":\"", "\"commit\":\"",
                                                "\"match\":\"", "\\\"match\\\":\\\""};
            for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
                char *at = told[world][who];
                while ((at = strstr(at, marks[i])) != NULL) {
                    at += strlen(marks[i]);
                    for (; *at != '"' && *at != ',' && *at != '}' && *at != '\\'; at++) {
                        *at = 'x';
                    }
                }
            }
            char *header = strstr(told[world][who], "\"header\":");
            if (header != NULL) { *header = '\0'; }
        }
        size_t at = 0;
        while (told[0][who][at] != '\0' && told[0][who][at] == told[1][who][at]) {
            at++;
        }
        ck_assert_msg(told[0][who][at] == told[1][who][at], "here %.200s, there %.200s",
                      told[0][who] + at, told[1][who] + at);
        ck_has(told[0][who], "rewound");
        free(told[0][who]);
        free(told[1][who]);
    }
}
END_TEST

/* --- failures ----------------------------------------------------------------------------------
 */

START_TEST(what_is_not_stored_was_not_offered)
{
    watch_all(2);
    play_a_little();
    forget_pushes(&kit);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2,'action_id':'x'}"),
           ERR_STORAGE_FAILED);
    ck_assert_str_eq(changed(1), "");
    ck_in_everything(1, "\"offers\":[]", true);
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2,'action_id':'x'}"), ERR_OK);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 1);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_STORAGE_FAILED);
    ck_in_everything(1, "\"offers\":[{\"offer\":1,", true);
    ck_in_everything(1, "rewound", false);
    ck_has(call(&kit, match_answer, 1, "{'offer':1,'accept':true}")->json, "rewound");
    ck_in_everything(1, "\"offers\":[]", true);
}
END_TEST

/* --- at random ---------------------------------------------------------------------------------
 */

static uint64_t dice;

static unsigned below(unsigned n)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (unsigned)(dice >> 11) % n;
}

/* One of the open offers, as match.get has them; 0: none. */
static int an_offer(void)
{
    char *text = everything(&kit, 0);
    const char *at = strstr(text, "\"offers\":[");
    int numbers[16];
    unsigned count = 0;
    while (at != NULL && count < 16 && (at = strstr(at, "{\"offer\":")) != NULL) {
        numbers[count++] = atoi(at + 9);
        at++;
    }
    free(text);
    return count == 0 ? 0 : numbers[below(count)];
}

static void random_step(unsigned seats)
{
    static const char *const actions[] = {"{'do':'hide','number':4}",
                                          "{'do':'hide','number':7}",
                                          "{'do':'add','n':3}",
                                          "{'do':'roll'}",
                                          "{'do':'secret'}",
                                          "{'do':'mask'}",
                                          "{'do':'show'}",
                                          "{'do':'double'}"};
    unsigned seat = below(seats);
    char text[96];
    unsigned kind = below(20);
    if (kind < 11) {
        (void)act(&kit, seat, actions[below(8)]);
    } else if (kind < 13) {
        snprintf(text, sizeof text, "{'seq':%lld}", (long long)seq_of(&kit, seat));
        (void)call(&kit, match_undo, seat, text);
    } else if (kind < 16) {
        snprintf(text, sizeof text, "{'what':'rewind','to':%u}",
                 1 + below((unsigned)seq_of(&kit, seat)));
        (void)call(&kit, match_offer, seat, text);
    } else {
        int offer = an_offer();
        if (offer == 0) { return; }
        bool yes = below(6) > 0;
        for (unsigned i = 0; i < (yes ? seats : 1); i++) {
            snprintf(text, sizeof text, "{'offer':%d,'accept':%s}", offer, yes ? "true" : "false");
            (void)call(&kit, match_answer, yes ? i : seat, text);
        }
    }
}

static void on_fault(void *ctx, const char *text)
{
    (void)ctx;
    ck_abort_msg("%s", text);
}

/* All viewers' bytes before and after it came back from the store. */
static void compare_after(bool reopen, unsigned seats)
{
    static const unsigned viewers[] = {0, 1, 2, 9};
    char *before[4] = {NULL};
    for (unsigned i = 0; i < 4; i++) {
        if (viewers[i] == 2 && seats == 2) { continue; }
        before[i] = everything(&kit, viewers[i]);
    }
    if (reopen) {
        match_kit_reopen(&kit);
    } else {
        matches_rest(kit.matches);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (before[i] == NULL) { continue; }
        char *after = everything(&kit, viewers[i]);
        ck_assert_str_eq(before[i], after);
        free(after);
        free(before[i]);
    }
}

START_TEST(random_play_with_rewinds_comes_back_as_it_was_and_is_proven)
{
    unsigned rewinds = 0;
    for (unsigned round = 0; round < 12; round++) {
        unsigned seats = 2 + round % 2;
        dice = UINT64_C(0x9E3779B97F4A7C15) * (round + 1);
        printf("offers: round %u, seed %llu\n", round, (unsigned long long)dice);
        memset(&kit, 0, sizeof kit);
        kit.snapshot_lines = 5 + round;
        match_kit_open(&kit);
        match_kit_begin(&kit, seats == 2 ? "{}" : "{\"players\":3}", seats, true);
        for (unsigned i = 0; i < 120; i++) {
            random_step(seats);
            if (i % 10 == 9) { compare_after(i % 20 == 19, seats); }
        }
        ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
        check_record(&rewinds);
        match_kit_pause(&kit);
        uint64_t count = 0;
        uint64_t faults = 0;
        ck_assert_int_eq(matches_check(kit.kit.path, lots_games, on_fault, NULL, &count, &faults),
                         ERR_OK);
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(faults, 0);
        match_kit_resume(&kit);
        match_kit_close(&kit);
    }
    printf("offers: %u rewinds\n", rewinds);
    ck_assert_uint_gt(rewinds, 40);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match_offers");
    TCase *two = tcase_create("two");
    tcase_set_timeout(two, 120);
    tcase_add_checked_fixture(two, set_up, tear_down);
    tcase_add_test(two, a_draw_takes_both_and_ends_the_match_without_a_winner);
    tcase_add_test(two, an_abort_ends_the_match_too);
    tcase_add_test(two, offers_are_declined_withdrawn_and_made_again);
    tcase_add_test(two, what_cannot_be_offered_is_refused);
    tcase_add_test(two, an_offer_is_made_and_answered_exactly_once);
    tcase_add_test(two, offers_survive_rest_and_restart);
    tcase_add_test(two, the_end_makes_what_is_open_void);
    tcase_add_test(two, a_rewind_brings_the_state_back_and_seq_goes_on);
    tcase_add_test(two, the_next_roll_is_a_new_one);
    tcase_add_test(two, a_rewind_goes_behind_a_step_that_all_were_told_of_whatever_is_named);
    tcase_add_test(two, an_offer_says_what_was_learned);
    tcase_add_test(two, going_on_makes_an_offer_of_rewind_void_but_not_quietly);
    tcase_add_test(two, a_rewind_can_be_gone_back_on);
    tcase_add_test(two, a_rewind_tells_nothing_of_quiet_lines);
    tcase_add_test(two, what_is_not_stored_was_not_offered);
    suite_add_tcase(suite, two);
    TCase *three = tcase_create("three");
    tcase_set_timeout(three, 120);
    tcase_add_checked_fixture(three, set_up_three, tear_down);
    tcase_add_test(three, three_must_all_agree_and_one_no_is_enough);
    tcase_add_test(three, who_has_left_is_not_asked_and_leaving_ends_what_was_open);
    suite_add_tcase(suite, three);
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 300);
    tcase_add_test(random, random_play_with_rewinds_comes_back_as_it_was_and_is_proven);
    suite_add_tcase(suite, random);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
