/* tests/unit/test_match_waterloo.c: live matches of Waterloo, two and three seats: nobody sees a
 * line that told him nothing, whatever rests, comes back or is taken back. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/protocol/forms.h"
#include "common/record/verify.h"
#include "server/base/log.h"
#include "tests/unit/match_kit.h"

static struct match_kit kit;
static uint64_t state;

static unsigned draw(void *ctx, unsigned below)
{
    (void)ctx;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % below);
}

static const struct forms_random random_source = {draw, NULL};

static void set_up(void)
{
    memset(&kit, 0, sizeof kit);
    kit.list = games;
    kit.game = "waterloo";
    kit.codes[0] = "FR";
    kit.snapshot_lines = 7;
    match_kit_open(&kit);
}

static void tear_down(void)
{
    match_kit_close(&kit);
}

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(text, strlen(text), &json), ERR_OK);
    return json;
}

/* A random action of the seat's forms as params of match.act, or "" when it has none. */
static void choose(unsigned seat, char *out, size_t size)
{
    cJSON *view = parse(call(&kit, match_view, seat, "{}")->json);
    const cJSON *forms = json_get(view, "actions");
    out[0] = '\0';
    if (forms != NULL) {
        int64_t seq = 0;
        ck_assert_int_eq(json_read_int(view, "!seq", 0, JSON_INT_MAX, &seq, NULL), ERR_OK);
        struct buf buf;
        buf_init(&buf, 65536);
        ck_assert_int_eq(forms_pick(forms, &random_source, &buf), ERR_OK);
        snprintf(out, size, "{'seq':%lld,'action':%s}", (long long)seq, buf_str(&buf));
        buf_finish(&buf);
    }
    cJSON_Delete(view);
}

struct seen {
    char *text[4]; /* view and forms of each seat, and the public's */
    int64_t seq[4];
};

static void look(struct seen *seen, unsigned seats)
{
    for (unsigned i = 0; i <= seats; i++) {
        struct result *view = call(&kit, match_view, i < seats ? i : 9, "{}");
        ck_assert_int_eq(view->err, ERR_OK);
        seen->text[i] = strdup(view->json);
        seen->seq[i] = result_int(view, "seq");
    }
}

static void forget(struct seen *seen)
{
    for (unsigned i = 0; i < 4; i++) {
        free(seen->text[i]);
        seen->text[i] = NULL;
    }
}

/* Whose seq did not rise sees the same bytes. Returns how many lines were quiet for somebody. */
static unsigned compare(const struct seen *before, const struct seen *after, unsigned seats)
{
    unsigned quiet = 0;
    for (unsigned i = 0; i <= seats; i++) {
        if (after->seq[i] == before->seq[i]) {
            ck_assert_str_eq(before->text[i], after->text[i]);
            quiet++;
        } else {
            ck_assert_int_gt(after->seq[i], before->seq[i]);
        }
    }
    return quiet;
}

static void play(unsigned seats, unsigned steps, unsigned seed)
{
    char params[8000];
    unsigned quiet = 0;
    unsigned undone = 0;
    unsigned done = 0;
    state = seed * UINT64_C(2654435761) + 1;
    for (unsigned step = 0; step < steps; step++) {
        struct seen before;
        struct seen after;
        look(&before, seats);
        unsigned seat = draw(NULL, seats);
        choose(seat, params, sizeof params);
        if (params[0] == '\0') {
            forget(&before);
            continue;
        }
        struct result *acted = call(&kit, match_act, seat, params);
        ck_assert_msg(acted->err == ERR_OK, "seed %u step %u: %s %s: %s", seed, step,
                      err_kind(acted->err), acted->why.text, params);
        done++;
        look(&after, seats);
        quiet += compare(&before, &after, seats);
        forget(&before);
        bool undo = strstr(after.text[seat], "\"undo\":true") != NULL && draw(NULL, 3) == 0;
        if (undo) {
            before = after;
            snprintf(params, sizeof params, "{'seq':%lld}", (long long)before.seq[seat]);
            ck_assert_int_eq(call(&kit, match_undo, seat, params)->err, ERR_OK);
            look(&after, seats);
            quiet += compare(&before, &after, seats);
            forget(&before);
            undone++;
        }
        if (draw(NULL, 10) == 0) {
            /* Rest, and all that anybody can get hold of is the same. */
            char *held[4];
            for (unsigned i = 0; i <= seats; i++) {
                held[i] = everything(&kit, i < seats ? i : 9);
            }
            match_kit_reopen(&kit);
            for (unsigned i = 0; i <= seats; i++) {
                char *now = everything(&kit, i < seats ? i : 9);
                ck_assert_str_eq(held[i], now);
                free(now);
                free(held[i]);
            }
        }
        bool over = strstr(after.text[0], "\"ev\":\"match_ended\"") != NULL;
        forget(&after);
        if (over) { break; }
    }
    ck_assert_uint_gt(done, 20);
    ck_assert_uint_gt(quiet, 5);
    ck_assert_uint_gt(undone, 0);
}

static void check_stored(void)
{
    uint64_t count = 0;
    uint64_t faults = 1;
    match_kit_pause(&kit);
    ck_assert_int_eq(matches_check(kit.kit.path, NULL, NULL, NULL, &count, &faults), ERR_OK);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(faults, 0);
    match_kit_resume(&kit);
}

START_TEST(two_seats)
{
    kit.codes[1] = "AL";
    kit.secret = (uint8_t)_i;
    match_kit_begin(&kit, "{\"command_control\":false,\"morale\":false,\"players\":2,\"turns\":24}",
                    2, true);
    play(2, 250, (unsigned)_i);
    check_stored();
}
END_TEST

START_TEST(three_seats)
{
    kit.codes[1] = "AD";
    kit.codes[2] = "PR";
    kit.secret = (uint8_t)_i;
    match_kit_begin(&kit, "{\"command_control\":true,\"morale\":true,\"players\":3,\"turns\":24}",
                    3, true);
    play(3, 250, (unsigned)_i + 100);
    check_stored();
}
END_TEST

START_TEST(an_ally_that_is_left_goes_on_as_AL_W18_9)
{
    kit.codes[1] = "AD";
    kit.codes[2] = "PR";
    match_kit_begin(&kit, "{\"command_control\":false,\"morale\":false,\"players\":3,\"turns\":24}",
                    3, true);
    ck_assert_int_eq(call(&kit, match_resign, 1, "{}")->err, ERR_OK);
    struct result *view = call(&kit, match_view, 2, "{}");
    ck_assert_ptr_nonnull(strstr(view->json, "\"as\":\"AL\""));
    ck_assert_ptr_nonnull(strstr(view->json, "\"to_act\":[\"AL\"]"));
    ck_assert_ptr_nonnull(strstr(view->json, "\"actions\":["));
    match_kit_reopen(&kit);
    play(3, 140, 7);
    ck_assert_int_eq(call(&kit, match_resign, 2, "{}")->err, ERR_OK);
    ck_assert_ptr_nonnull(
        strstr(call(&kit, match_view, 0, "{}")->json, "\"ev\":\"match_ended\",\"how\":\"resign\""));
    check_stored();
}
END_TEST

/* What a viewer sees, without what belongs to the step that brought it there. */
static char *bare(unsigned viewer, const char *params, match_method_fn *method)
{
    struct result *result = call(&kit, method, viewer, params);
    ck_assert_int_eq(result->err, ERR_OK);
    cJSON *view = parse(result->json);
    static const char *const of_the_step[] = {"seq", "events", "chain", "undo"};
    for (size_t i = 0; i < sizeof of_the_step / sizeof of_the_step[0]; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(view, of_the_step[i]);
    }
    char *text = cJSON_PrintUnformatted(view);
    cJSON_Delete(view);
    return text;
}

/* The newest seq of a viewer that the event of its newest step says it is back at; -1: none. */
static long long back_at(unsigned viewer)
{
    const char *at = strstr(call(&kit, match_view, viewer, "{}")->json, "\"ev\":\"rewound\",");
    return at == NULL ? -1 : atoll(at + strlen("\"ev\":\"rewound\",\"to\":"));
}

/* Offers to go back to any seq of any seat, all agree, and each viewer sees what it saw then.
 * False: there was nothing to go back on. */
static bool go_back(unsigned seats)
{
    char params[96];
    unsigned seat = draw(NULL, seats);
    int64_t seq = seq_of(&kit, seat);
    int64_t to = 1 + (int64_t)draw(NULL, (unsigned)seq);
    snprintf(params, sizeof params, "{'what':'rewind','to':%lld}", (long long)to);
    struct result *offer = call(&kit, match_offer, seat, params);
    if (offer->err == ERR_CONFLICT) { return false; }
    ck_assert_int_eq(offer->err, ERR_OK);
    int64_t number = result_int(offer, "offer");
    struct seen before;
    look(&before, seats);
    for (unsigned i = 0; i < seats; i++) {
        if (i == seat) { continue; }
        snprintf(params, sizeof params, "{'offer':%lld,'accept':true}", (long long)number);
        ck_assert_int_eq(call(&kit, match_answer, i, params)->err, ERR_OK);
    }
    for (unsigned i = 0; i <= seats; i++) {
        unsigned viewer = i < seats ? i : 9;
        long long then = back_at(viewer);
        ck_assert_int_ge(then, i == seat ? to : 1);
        ck_assert_int_eq(seq_of(&kit, viewer), before.seq[i] + 1);
        snprintf(params, sizeof params, "{'seq':%lld}", then);
        char *was = bare(viewer, params, match_replay);
        char *is = bare(viewer, "{'actions':false}", match_view);
        ck_assert_str_eq(was, is);
        free(was);
        free(is);
    }
    forget(&before);
    return true;
}

static void verify_whole(unsigned rewinds)
{
    cJSON *json = parse(call(&kit, match_record, 0, "{}")->json);
    const char *text = json_get(json, "record")->valuestring;
    const struct verify_options options = {.games = games};
    struct verdict verdict;
    ck_assert_int_eq(verify_record(text, strlen(text), &options, &verdict), ERR_OK);
    ck_assert_msg(verdict.good, "line %llu: %s", (unsigned long long)verdict.line, verdict.why);
    ck_assert(verdict.checked[VERIFY_RULES] && verdict.result_follows);
    unsigned found = 0;
    unsigned long next = 1;
    for (const char *at = text; (at = strstr(at, "\"host\":\"rewind\"")) != NULL; at++) {
        found++;
    }
    for (const char *at = text; (at = strstr(at, ",\"roll\":")) != NULL; at++) {
        ck_assert_uint_eq(strtoul(at + 8, NULL, 10), next++);
    }
    ck_assert_uint_eq(found, rewinds);
    cJSON_Delete(json);
}

static void agree_on_a_draw(unsigned seats)
{
    char params[96];
    int64_t number = result_int(call(&kit, match_offer, 0, "{'what':'draw'}"), "offer");
    for (unsigned i = 1; i < seats; i++) {
        snprintf(params, sizeof params, "{'offer':%lld,'accept':true}", (long long)number);
        ck_assert_int_eq(call(&kit, match_answer, i, params)->err, ERR_OK);
    }
    const char *view = call(&kit, match_view, 0, "{}")->json;
    ck_assert_ptr_nonnull(strstr(view, "\"state\":\"GAME_OVER\""));
    ck_assert_ptr_nonnull(strstr(view, "\"result\":{\"why\":\"agreed\"}"));
}

START_TEST(rewinds_bring_back_what_each_viewer_saw)
{
    unsigned seats = 2 + (unsigned)_i % 2;
    unsigned rewinds = 0;
    bool over = false;
    char params[8000];
    kit.codes[1] = seats == 2 ? "AL" : "AD";
    kit.codes[2] = "PR";
    kit.secret = (uint8_t)(_i + 40);
    snprintf(params, sizeof params,
             "{\"command_control\":false,\"morale\":%s,\"players\":%u,\"turns\":24}",
             _i % 4 < 2 ? "false" : "true", seats);
    match_kit_begin(&kit, params, seats, true);
    state = (uint64_t)(_i + 1) * UINT64_C(2654435761);
    printf("match_waterloo: rewinds, seed %llu\n", (unsigned long long)state);
    for (unsigned step = 0; step < 260; step++) {
        struct seen before;
        struct seen after;
        unsigned seat = draw(NULL, seats);
        choose(seat, params, sizeof params);
        if (params[0] == '\0') { continue; }
        look(&before, seats);
        ck_assert_int_eq(call(&kit, match_act, seat, params)->err, ERR_OK);
        look(&after, seats);
        /* What the public is told of, everybody is told of. */
        for (unsigned i = 0; i < seats && after.seq[seats] > before.seq[seats]; i++) {
            ck_assert_int_gt(after.seq[i], before.seq[i]);
        }
        over = strstr(after.text[0], "\"ev\":\"match_ended\"") != NULL;
        forget(&before);
        forget(&after);
        if (over) { break; }
        if (draw(NULL, 12) == 0 && go_back(seats)) { rewinds++; }
        if (draw(NULL, 40) == 0) { match_kit_reopen(&kit); }
    }
    ck_assert_uint_gt(rewinds, 2);
    if (!over) { agree_on_a_draw(seats); }
    verify_whole(rewinds);
    check_stored();
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match_waterloo");
    TCase *played = tcase_create("play");
    tcase_add_checked_fixture(played, set_up, tear_down);
    tcase_set_timeout(played, 180);
    tcase_add_loop_test(played, two_seats, 0, 4);
    tcase_add_loop_test(played, three_seats, 0, 4);
    tcase_add_loop_test(played, rewinds_bring_back_what_each_viewer_saw, 0, 6);
    tcase_add_test(played, an_ally_that_is_left_goes_on_as_AL_W18_9);
    suite_add_tcase(suite, played);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
