/* tests/unit/test_match_clocks.c: clocks in play: what moves them, what follows when time is over,
 * what is offered about time; that each of it happens once, whatever fails. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <sqlite3.h>

#include "common/base/jsonr.h"
#include "common/record/verify.h"
#include "server/base/log.h"
#include "server/clock/spec.h"
#include "server/match/seats.h"
#include "server/match/wakes.h"
#include "server/store/desk.h"
#include "server/store/store.h"
#include "tests/unit/match_ck.h"
#include "tests/unit/match_kit.h"

#define LIVE "{\"kind\":\"live\",\"bank_s\":600,\"increment_s\":30}"
/* An hour a move, no bank, ten minutes of grace; a reminder ten minutes before. */
#define POST(then)                                                                                 \
    "{\"kind\":\"correspondence\",\"bank_s\":0,\"per_move_s\":3600,\"ladder\":{\"remind_s\":[600]" \
    ","                                                                                            \
    "\"grace_s\":600,\"then\":" then "}}"
enum { HOUR = 3600000, MINUTE = 60000, DAY = 86400000, STRANGER = 9 };

static struct match_kit kit;

static void open_with(const char *clock, const char *options, unsigned seats)
{
    memset(&kit, 0, sizeof kit);
    kit.clock = clock;
    kit.starts = true;
    match_kit_open(&kit);
    match_kit_begin(&kit, options, seats, true);
    match_kit_wait(&kit, 0);
}

static void open_two(const char *clock)
{
    open_with(clock, "{\"turns\":1}", 2);
}

static void on_fault(void *ctx, const char *text)
{
    (void)ctx;
    ck_abort_msg("%s", text);
}

/* Everything that is stored plays again, and the rows of the clock fit it. */
static void close_checked(void)
{
    uint64_t count = 0, faults = 0;
    match_kit_pause(&kit);
    ck_assert_int_eq(matches_check(kit.kit.path, lots_games, on_fault, NULL, &count, &faults),
                     ERR_OK);
    ck_assert_uint_eq(count, 1);
    match_kit_resume(&kit);
    match_kit_close(&kit);
}

static void ck_reason(const struct result *result, const char *reason)
{
    ck_err(result, ERR_CONFLICT);
    ck_assert_str_eq(result->why.reason, reason);
}

static const char *view(unsigned seat)
{
    return call(&kit, match_view, seat, "{}")->json;
}

/* How often a part stands in what the seat was told of so far. */
static unsigned told(unsigned seat, const char *part)
{
    const char *at = call(&kit, match_history, seat, "{}")->json;
    unsigned count = 0;
    while (at != NULL && (at = strstr(at, part)) != NULL) {
        count++;
        at += strlen(part);
    }
    return count;
}

/* Member `name` of the seat's clock as match.clock has it; -1: none. */
static double clock_number(const char *code, const char *name)
{
    cJSON *json = NULL;
    double value = -1;
    const char *text = call(&kit, match_clock, 0, "{}")->json;
    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(json_parse(text, strlen(text), &json), ERR_OK);
    const cJSON *seat = json_get(json_get(json, "seats"), code);
    const cJSON *item = json_get(seat, name);
    if (cJSON_IsNumber(item)) { value = item->valuedouble; }
    cJSON_Delete(json);
    return value;
}

static bool clock_has(const char *part)
{
    const char *text = call(&kit, match_clock, 0, "{}")->json;
    ck_assert_ptr_nonnull(text);
    return strstr(text, part) != NULL;
}

static void watch(unsigned seat)
{
    ck_err(call(&kit, match_watch, seat, "{}"), ERR_OK);
    match_kit_wait(&kit, 0);
    forget_pushes(&kit);
}

/* Pushes of match.changed with a clock that the client has had. */
static unsigned changed(unsigned client)
{
    unsigned count = 0;
    for (size_t i = 0; i < kit.clients[client].count; i++) {
        const struct pushed *push = &kit.clients[client].pushes[i];
        if (push->kind == PUSH_CHANGED && strstr(push->text, "\"clock\":") != NULL) { count++; }
    }
    return count;
}

static void pass(unsigned seat)
{
    ck_err(act(&kit, seat, "{'do':'pass'}"), ERR_OK);
}

/* The record is what a verifier accepts. */
static void ck_record(const char *as)
{
    cJSON *json = NULL;
    struct verdict verdict;
    const struct verify_options options = {.games = lots_games};
    const char *text = call(&kit, match_record, 0, "{}")->json;
    ck_assert_msg(text != NULL, "%s: no record", as);
    ck_assert_int_eq(json_parse(text, strlen(text), &json), ERR_OK);
    const char *record = json_get(json, "record")->valuestring;
    ck_assert_int_eq(verify_record(record, strlen(record), &options, &verdict), ERR_OK);
    ck_assert_msg(verdict.good, "%s: %s (line %llu)", as, verdict.why,
                  (unsigned long long)verdict.line);
    cJSON_Delete(json);
}

/* --- what moves a clock ------------------------------------------------------------------------
 */

START_TEST(a_clock_runs_from_being_asked_to_the_hand_over)
{
    open_two(LIVE);
    watch(0);
    watch(1);
    match_kit_wait(&kit, 100000);
    pass(0);
    /* 600 s less 100, and 30 for the sitting; the bank of B runs now. */
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 530, 1.5);
    ck_has(view(0), "\"clock\":{\"kind\":\"live\",\"A\":{\"bank_s\":5");
    ck_has(view(0), "\"B\":{\"bank_s\":600,\"deadline\":\"");
    /* The same for all who look. */
    const char *at = strstr(view(0), "\"clock\":");
    char *mine = strndup(at, (size_t)(strstr(at, ",\"chain\"") - at));
    ck_has(view(1), mine);
    ck_has(view(STRANGER), mine);
    free(mine);
    ck_assert_uint_eq(changed(0), 1);
    ck_assert_uint_eq(changed(1), 1);
    close_checked();
}
END_TEST

START_TEST(a_quiet_line_moves_no_clock_and_tells_of_none)
{
    open_two(LIVE);
    watch(0);
    watch(1);
    char *before = strdup(view(1));
    match_kit_wait(&kit, 5000);
    ck_err(act(&kit, 0, "{'do':'hide','number':3}"), ERR_OK);
    ck_err(act(&kit, 0, "{'do':'hide','number':4}"), ERR_OK);
    ck_err(call(&kit, match_undo, 0, "{'seq':3}"), ERR_OK);
    match_kit_wait(&kit, 0);
    ck_assert_str_eq(view(1), before);
    ck_assert_uint_eq(changed(0), 0);
    ck_assert_uint_eq(kit.clients[1].count, 0);
    free(before);
    /* An open line that hands nothing over moves none either: time goes on. */
    ck_err(act(&kit, 0, "{'do':'add','n':1}"), ERR_OK);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(changed(0), 0);
    close_checked();
}
END_TEST

START_TEST(a_view_of_long_ago_shows_the_clock_as_it_was)
{
    open_two(LIVE);
    watch(1);
    char *views[4] = {NULL};
    for (unsigned i = 0; i < 4; i++) {
        match_kit_wait(&kit, 20000);
        pass(i % 2);
        views[i] = strdup(view(1));
    }
    match_kit_reopen(&kit);
    for (unsigned i = 0; i < 4; i++) {
        char text[64];
        snprintf(text, sizeof text, "{'seq':%u}", i + 2);
        const char *again = call(&kit, match_replay, 1, text)->json;
        const char *at = strstr(views[i], "\"clock\":");
        char *clock = strndup(at, (size_t)(strstr(at, ",\"chain\"") - at));
        ck_has(again, clock);
        free(clock);
    }
    ck_assert_str_eq(view(1), views[3]);
    /* The history says how they stood after each hand-over (W-40); the begin is one. */
    ck_assert_uint_eq(told(1, "\"clock\":{\"kind\":\"live\""), 5);
    for (unsigned i = 0; i < 4; i++) {
        free(views[i]);
    }
    close_checked();
}
END_TEST

START_TEST(undo_and_rewind_give_no_time_back)
{
    open_two(LIVE);
    match_kit_wait(&kit, 100000);
    pass(0);
    match_kit_wait(&kit, 50000);
    pass(1);
    double a = clock_number("A", "bank_s");
    double b = clock_number("B", "bank_s");
    /* Before B's hand-over: B is asked again, with what it had. */
    ck_err(call(&kit, match_offer, 0, "{'what':'rewind','to':2}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), a, 1.5);
    ck_assert_double_eq_tol(clock_number("B", "bank_s"), b, 1.5);
    ck_assert(clock_has("\"state\":\"runs\""));
    close_checked();
}
END_TEST

/* --- the ladder --------------------------------------------------------------------------------
 */

START_TEST(late_and_miss_are_told_once_to_all_and_then_it_may_be_claimed)
{
    open_two(POST("\"claim\""));
    watch(0);
    watch(1);
    match_kit_wait(&kit, 50 * MINUTE);
    ck_assert_uint_eq(told(1, "\"ev\":\"late\""), 0);
    ck_reason(call(&kit, match_claim, 1, "{'what':'win'}"), "claim");
    match_kit_wait(&kit, 10 * MINUTE);
    ck_assert_uint_eq(told(0, "{\"ev\":\"late\",\"seat\":\"A\"}"), 1);
    ck_assert_uint_eq(told(1, "{\"ev\":\"late\",\"seat\":\"A\"}"), 1);
    ck_assert(clock_has("\"state\":\"grace\""));
    ck_reason(call(&kit, match_claim, 1, "{'what':'win'}"), "claim");
    match_kit_wait(&kit, 10 * MINUTE);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "{\"ev\":\"missed\",\"seat\":\"A\"}"), 1);
    ck_assert(clock_has("\"state\":\"out\""));
    ck_assert(clock_has("\"claims\":[\"win\",\"grant\",\"annul\"]"));
    /* Not by who is late, nor by a stranger, nor what is no claim. */
    ck_reason(call(&kit, match_claim, 0, "{'what':'win'}"), "claim");
    ck_err(call(&kit, match_claim, STRANGER, "{'what':'win'}"), ERR_FORBIDDEN);
    ck_err(call(&kit, match_claim, 1, "{'what':'gold'}"), ERR_INVALID_PARAMS);
    ck_reason(call(&kit, match_claim, 1, "{'what':'ally'}"), "claim");
    struct result *won = call(&kit, match_claim, 1, "{'what':'win','action_id':'w'}");
    ck_err(won, ERR_OK);
    ck_has(won->json, "\"ev\":\"match_ended\",\"how\":\"time\",\"seat\":\"A\"");
    char *first = strdup(won->json);
    ck_assert_str_eq(call(&kit, match_claim, 1, "{'what':'win','action_id':'w'}")->json, first);
    free(first);
    ck_err(call(&kit, match_claim, 1, "{'what':'win'}"), ERR_MATCH_OVER);
    match_kit_wait(&kit, 100 * HOUR);
    ck_assert_uint_eq(told(1, "\"match_ended\""), 1);
    ck_record("won on time");
    close_checked();
}
END_TEST

START_TEST(a_move_at_the_deadline_is_in_time_if_it_came_before_the_line)
{
    open_two(POST("\"forfeit\""));
    /* Past the deadline, but nobody has looked yet. */
    kit.now += 3600 * 1000 + 5;
    pass(0);
    match_kit_wait(&kit, 30 * MINUTE);
    ck_assert_uint_eq(told(0, "\"late\""), 0);
    ck_assert(clock_has("\"misses\":0"));
    close_checked();
}
END_TEST

START_TEST(a_late_seat_may_still_move_and_nothing_more_follows)
{
    open_two(POST("\"forfeit\""));
    match_kit_wait(&kit, HOUR + MINUTE);
    ck_assert_uint_eq(told(1, "\"late\""), 1);
    pass(0);
    match_kit_wait(&kit, 30 * MINUTE);
    ck_assert_uint_eq(told(1, "\"missed\""), 0);
    ck_assert_uint_eq(told(1, "\"match_ended\""), 0);
    close_checked();
}
END_TEST

START_TEST(what_was_agreed_to_follows_by_itself_forfeit)
{
    open_two(POST("\"forfeit\""));
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"ev\":\"match_ended\",\"how\":\"time\",\"seat\":\"A\""), 1);
    ck_err(act(&kit, 0, "{'do':'pass'}"), ERR_MATCH_OVER);
    close_checked();
}
END_TEST

START_TEST(what_was_agreed_to_follows_by_itself_annul)
{
    open_two(POST("\"annul\""));
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"ev\":\"match_ended\",\"how\":\"abort\",\"seat\":\"A\""), 1);
    ck_record("annulled");
    close_checked();
}
END_TEST

START_TEST(the_others_may_give_time_or_annul_instead_of_winning_W_05)
{
    open_two(POST("\"claim\""));
    match_kit_wait(&kit, 2 * HOUR);
    struct result *given = call(&kit, match_claim, 1, "{'what':'grant'}");
    ck_err(given, ERR_OK);
    ck_has(given->json, "{\"ev\":\"granted\",\"seat\":\"A\",\"by\":[\"B\"],\"s\":3600}");
    ck_assert(clock_has("\"state\":\"runs\""));
    match_kit_wait(&kit, 59 * MINUTE);
    ck_reason(call(&kit, match_claim, 1, "{'what':'win'}"), "claim");
    match_kit_wait(&kit, 12 * MINUTE);
    ck_assert_uint_eq(told(0, "\"missed\""), 2);
    ck_err(call(&kit, match_claim, 1, "{'what':'annul'}"), ERR_OK);
    ck_assert_uint_eq(told(0, "\"how\":\"abort\",\"seat\":\"A\""), 1);
    close_checked();
}
END_TEST

START_TEST(bots_claim_nothing_so_it_ends_by_itself_against_them_W_40)
{
    memset(&kit, 0, sizeof kit);
    kit.clock = POST("\"claim\"");
    kit.bots = 2;
    match_kit_open(&kit);
    match_kit_begin(&kit, "{\"turns\":1}", 2, true);
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(0, "\"how\":\"time\",\"seat\":\"A\""), 1);
    match_kit_close(&kit);
}
END_TEST

#define THREE                                                                                      \
    POST("[{\"do\":\"substitute\",\"for_s\":7200},{\"do\":\"ally\",\"for_s\":3600},"               \
         "{\"do\":\"caretaker\"}]")

START_TEST(a_vanished_third_player_is_replaced_step_by_step_W_08)
{
    open_with(THREE, "{\"players\":3,\"turns\":1}", 3);
    pass(0);
    match_kit_wait(&kit, HOUR + 11 * MINUTE);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(2, "{\"ev\":\"seat_changed\",\"how\":\"vacant\",\"seat\":\"B\"}"), 1);
    /* The enemy may claim nothing; the ally not yet. */
    ck_reason(call(&kit, match_claim, 0, "{'what':'win'}"), "claim");
    ck_reason(call(&kit, match_claim, 2, "{'what':'ally'}"), "claim");
    match_kit_wait(&kit, 2 * HOUR);
    ck_reason(call(&kit, match_claim, 0, "{'what':'ally'}"), "claim");
    match_kit_wait(&kit, HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_ge(kit.caretakers, 1);
    ck_assert_uint_eq(kit.caretaker_seat, 1);
    /* It is asked for until it comes. */
    unsigned asked = kit.caretakers;
    match_kit_wait(&kit, 2 * MINUTE);
    ck_assert_uint_gt(kit.caretakers, asked);
    struct account_id bot = account_of(4);
    struct result given;
    memset(&given, 0, sizeof given);
    match_seat_give(kit.matches, &kit.id, 1, &bot, SEAT_CARETAKER, 0, NULL, kit_on_done, &given);
    call_wait(&kit, &given);
    ck_err(&given, ERR_OK);
    result_free(&given);
    match_kit_wait(&kit, 0);
    asked = kit.caretakers;
    match_kit_wait(&kit, 5 * MINUTE);
    ck_assert_uint_eq(kit.caretakers, asked);
    ck_assert_uint_eq(told(2, "\"how\":\"caretaker\",\"seat\":\"B\""), 1);
    ck_assert(!clock_has("\"state\":\"out\""));
    close_checked();
}
END_TEST

START_TEST(an_ally_takes_over_and_the_war_goes_on_W18_9)
{
    open_with(THREE, "{\"players\":3,\"turns\":1}", 3);
    pass(0);
    match_kit_wait(&kit, HOUR + 11 * MINUTE + 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_err(call(&kit, match_claim, 2, "{'what':'ally','seat':'B'}"), ERR_OK);
    ck_assert_uint_eq(told(0, "{\"ev\":\"left\",\"how\":\"time\",\"seat\":\"B\"}"), 1);
    ck_assert_uint_eq(told(0, "match_ended"), 0);
    ck_err(act(&kit, 2, "{'do':'pass'}"), ERR_OK);
    close_checked();
}
END_TEST

START_TEST(who_comes_back_before_a_substitute_keeps_the_seat)
{
    open_with(THREE, "{\"players\":3,\"turns\":1}", 3);
    pass(0);
    match_kit_wait(&kit, HOUR + 20 * MINUTE);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(0, "\"how\":\"vacant\""), 1);
    match_kit_reopen(&kit);
    ck_err(act(&kit, 1, "{'do':'pass'}"), ERR_OK);
    match_kit_wait(&kit, 0);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(0, "\"how\":\"back\""), 1);
    bool vacant = true;
    int64_t until = 0;
    ck_assert(match_seat_stands(kit.matches, &kit.id, 1, &vacant, &until));
    ck_assert(!vacant);
    close_checked();
}
END_TEST

struct draft_of {
    int64_t match;
    unsigned seat;
    const char *actions;
    bool done;
};

static enum err op_draft(struct db *db, void *data)
{
    const struct draft_of *of = data;
    const struct account_id account = account_of(of->seat);
    const struct desk_draft draft = {.version = 1, .seq = 1, .actions = of->actions};
    return desk_write_draft(db, 1, &account, &draft);
}

static void on_draft(void *ctx, enum err err)
{
    ck_assert_int_eq(err, ERR_OK);
    *(bool *)ctx = true;
}

static void save_draft(unsigned seat, const char *actions)
{
    static struct draft_of of;
    of = (struct draft_of){.seat = seat, .actions = actions};
    struct store_unit *unit = store_unit_create(NULL, 0);
    store_unit_add(unit, op_draft, &of, NULL);
    store_commit(kit.kit.store, unit, on_draft, &of.done);
    while (!of.done) {
        (void)uv_run(&kit.kit.loop, UV_RUN_ONCE);
    }
}

#define DRAFT(word)                                                                                \
    "{\"kind\":\"correspondence\",\"bank_s\":0,\"per_move_s\":3600,\"ladder\":{\"grace_s\":600,"   \
    "\"then\":\"forfeit\",\"draft\":\"" word "\"}}"

START_TEST(a_saved_draft_is_worth_what_the_match_says_BR_14)
{
    static const char whole[] = "[{\"do\":\"hide\",\"number\":4},{\"do\":\"pass\"}]";
    open_two(DRAFT("play"));
    save_draft(0, whole);
    match_kit_wait(&kit, HOUR + 9 * MINUTE);
    ck_assert_uint_eq(told(1, "\"passed\""), 0);
    match_kit_wait(&kit, 2 * MINUTE);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"passed\""), 1);
    ck_assert_uint_eq(told(1, "\"missed\""), 0);
    ck_has(view(0), "\"number\":4");
    close_checked();
    /* One that does not end the sitting, and one that is refused, are a miss. */
    open_two(DRAFT("play"));
    save_draft(0, "[{\"do\":\"add\",\"n\":200}]");
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"missed\""), 1);
    ck_assert_uint_eq(told(1, "\"match_ended\""), 1);
    close_checked();
    open_two(DRAFT("miss"));
    save_draft(0, whole);
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"passed\""), 0);
    ck_assert_uint_eq(told(1, "\"missed\""), 1);
    close_checked();
}
END_TEST

/* --- offers ------------------------------------------------------------------------------------
 */

START_TEST(a_pause_takes_all_and_to_go_on_takes_all_or_a_day)
{
    open_two(LIVE);
    match_kit_wait(&kit, 100000);
    ck_reason(call(&kit, match_offer, 0, "{'what':'resume'}"), "running");
    ck_err(call(&kit, match_offer, 0, "{'what':'pause'}"), ERR_OK);
    ck_assert(!clock_has("\"paused\""));
    struct result *yes = call(&kit, match_answer, 1, "{'offer':1,'accept':true}");
    ck_err(yes, ERR_OK);
    ck_has(yes->json, "{\"ev\":\"paused\",\"how\":\"agreed\",\"by\":[\"A\",\"B\"]}");
    ck_assert(clock_has("\"paused\""));
    ck_reason(call(&kit, match_offer, 1, "{'what':'pause'}"), "paused");
    match_kit_wait(&kit, 30 * (int64_t)DAY);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 500, 1.5);
    /* Who wants to go on says so; nobody can decline that, and after a day it is so. */
    ck_err(call(&kit, match_offer, 1, "{'what':'resume'}"), ERR_OK);
    ck_reason(call(&kit, match_answer, 0, "{'offer':2,'accept':false}"), "resume");
    match_kit_wait(&kit, 23 * HOUR);
    ck_assert(clock_has("\"paused\""));
    match_kit_wait(&kit, HOUR + 1000);
    match_kit_wait(&kit, 0);
    ck_assert(!clock_has("\"paused\""));
    ck_assert_uint_eq(told(0, "\"ev\":\"resumed\""), 1);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 500, 2);
    /* Or at once. */
    ck_err(call(&kit, match_offer, 0, "{'what':'pause'}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':3,'accept':true}"), ERR_OK);
    /* Nothing else is forbidden meanwhile. */
    pass(0);
    ck_err(call(&kit, match_offer, 0, "{'what':'resume'}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':4,'accept':true}"), ERR_OK);
    ck_assert(!clock_has("\"paused\""));
    match_kit_wait(&kit, 10000);
    ck_assert_double_eq_tol(clock_number("B", "bank_s"), 590, 1.5);
    close_checked();
}
END_TEST

START_TEST(pauses_are_as_the_match_says_W_02)
{
    open_two("{\"kind\":\"live\",\"pauses\":{\"policy\":\"none\"}}");
    ck_reason(call(&kit, match_offer, 0, "{'what':'pause'}"), "pauses");
    match_kit_close(&kit);
    open_two("{\"kind\":\"live\",\"bank_s\":600,\"pauses\":{\"policy\":\"capped\",\"cap_s\":600}}");
    ck_err(call(&kit, match_offer, 0, "{'what':'pause'}"), ERR_OK);
    ck_err(call(&kit, match_answer, 1, "{'offer':1,'accept':true}"), ERR_OK);
    match_kit_wait(&kit, 11 * MINUTE);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "{\"ev\":\"resumed\",\"how\":\"cap\"}"), 1);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 600 - 60, 2);
    ck_reason(call(&kit, match_offer, 0, "{'what':'pause'}"), "pauses");
    close_checked();
}
END_TEST

START_TEST(time_is_given_by_opponents_alone)
{
    open_with(LIVE, "{\"players\":3,\"turns\":1}", 3);
    /* B and C stand together: A is the one opponent of each. */
    struct result *given = call(&kit, match_offer, 0, "{'what':'time','seat':'B','s':60}");
    ck_err(given, ERR_OK);
    ck_has(given->json, "{\"ev\":\"granted\",\"seat\":\"B\",\"by\":[\"A\"],\"s\":60}");
    ck_has(given->json, "\"outcome\":\"carried_out\"");
    ck_assert_double_eq_tol(clock_number("B", "bank_s"), 660, 1.5);
    /* C cannot give its ally anything, but ask for it. */
    ck_has(call(&kit, match_offer, 2, "{'what':'time','seat':'B','s':30}")->json,
           "\"awaits\":[\"A\"]");
    ck_err(call(&kit, match_answer, 0, "{'offer':1,'accept':true}"), ERR_OK);
    ck_assert_double_eq_tol(clock_number("B", "bank_s"), 690, 1.5);
    /* A asks: both must say yes. */
    ck_has(call(&kit, match_offer, 0, "{'what':'time','seat':'A','s':100}")->json,
           "\"awaits\":[\"B\",\"C\"]");
    ck_err(call(&kit, match_answer, 1, "{'offer':2,'accept':true}"), ERR_OK);
    ck_has(call(&kit, match_answer, 2, "{'offer':2,'accept':true}")->json,
           "\"by\":[\"A\",\"B\",\"C\"]");
    ck_err(call(&kit, match_offer, 0, "{'what':'time','seat':'X','s':5}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_offer, 0, "{'what':'time','seat':'B','s':0}"), ERR_INVALID_PARAMS);
    ck_err(call(&kit, match_offer, 0, "{'what':'pause','seat':'B'}"), ERR_INVALID_PARAMS);
    close_checked();
}
END_TEST

static void end_on_time(void)
{
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_assert_uint_eq(told(1, "\"how\":\"time\""), 1);
}

START_TEST(an_end_on_time_is_opened_two_days_later)
{
    open_two(POST("\"forfeit\""));
    ck_err(act(&kit, 1, "{'do':'hide','number':7}"), ERR_OK);
    end_on_time();
    ck_reason(call(&kit, match_view, 0, "{'as':'all'}"), "not_revealed");
    ck_reason(call(&kit, match_record, 0, "{}"), "not_revealed");
    ck_assert_ptr_null(strstr(view(0), "\"number\":7"));
    match_kit_reopen(&kit);
    match_kit_wait(&kit, 47 * HOUR);
    ck_reason(call(&kit, match_view, 0, "{'as':'all'}"), "not_revealed");
    match_kit_wait(&kit, 2 * HOUR);
    match_kit_wait(&kit, 0);
    ck_has(call(&kit, match_view, 0, "{'as':'all'}")->json, "\"number\":7");
    ck_record("opened later");
    ck_err(call(&kit, match_offer, 0, "{'what':'reopen'}"), ERR_MATCH_OVER);
    close_checked();
}
END_TEST

START_TEST(an_end_on_time_is_taken_back_by_all_until_it_is_opened_W_06)
{
    open_two(POST("\"forfeit\""));
    ck_reason(call(&kit, match_offer, 0, "{'what':'reopen'}"), "reopen");
    end_on_time();
    ck_err(call(&kit, match_offer, 0, "{'what':'draw'}"), ERR_MATCH_OVER);
    ck_err(call(&kit, match_offer, 0, "{'what':'reopen'}"), ERR_OK);
    match_kit_reopen(&kit);
    struct result *yes = call(&kit, match_answer, 1, "{'offer':1,'accept':true}");
    ck_err(yes, ERR_OK);
    ck_has(yes->json, "{\"ev\":\"reopened\",\"by\":[\"A\",\"B\"]}");
    match_kit_wait(&kit, 0);
    ck_has(view(0), "\"state\":\"play\"");
    ck_assert(clock_has("\"state\":\"runs\""));
    match_kit_reopen(&kit);
    pass(0);
    match_kit_wait(&kit, 10 * MINUTE);
    pass(1);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    match_kit_wait(&kit, 0);
    ck_record("reopened");
    close_checked();
}
END_TEST

START_TEST(what_ends_by_the_rules_is_opened_at_once_and_for_good)
{
    open_two(LIVE);
    ck_err(act(&kit, 0, "{'do':'stop'}"), ERR_OK);
    ck_record("stopped");
    ck_err(call(&kit, match_offer, 0, "{'what':'reopen'}"), ERR_MATCH_OVER);
    match_kit_wait(&kit, 10 * HOUR);
    close_checked();
}
END_TEST

/* --- whatever fails ----------------------------------------------------------------------------
 */

START_TEST(an_event_that_is_not_stored_comes_again_and_once)
{
    open_two(POST("\"forfeit\""));
    for (unsigned i = 0; i < 3; i++) {
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 2);
        match_kit_wait(&kit, i == 0 ? HOUR : 0);
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
        ck_assert_uint_eq(told(1, "\"late\""), 0);
        ck_assert(clock_has("\"misses\":0"));
        kit.now += 1;
    }
    match_kit_wait(&kit, 2000);
    ck_assert_uint_eq(told(1, "\"late\""), 1);
    close_checked();
}
END_TEST

START_TEST(a_hand_over_that_is_not_stored_leaves_the_clock_as_it_was)
{
    open_two(LIVE);
    match_kit_wait(&kit, 100000);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 2);
    ck_err(act(&kit, 0, "{'do':'pass'}"), ERR_STORAGE_FAILED);
    store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
    match_kit_wait(&kit, 50000);
    pass(0);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 600 - 150 + 30, 1.5);
    close_checked();
}
END_TEST

START_TEST(nobody_is_charged_for_a_time_without_a_daemon)
{
    open_two(POST("\"forfeit\""));
    match_kit_wait(&kit, 50 * MINUTE);
    match_kit_pause(&kit);
    kit.now += 9 * (int64_t)DAY;
    match_kit_resume(&kit);
    match_kit_wait(&kit, 9 * MINUTE);
    ck_assert_uint_eq(told(1, "\"late\""), 0);
    match_kit_wait(&kit, 2 * MINUTE);
    ck_assert_uint_eq(told(1, "\"late\""), 1);
    /* Amid the grace as well. */
    match_kit_pause(&kit);
    kit.now += 9 * (int64_t)DAY;
    match_kit_resume(&kit);
    match_kit_wait(&kit, 8 * MINUTE);
    ck_assert_uint_eq(told(1, "\"missed\""), 0);
    match_kit_wait(&kit, 2 * MINUTE);
    ck_assert_uint_eq(told(1, "\"missed\""), 1);
    ck_assert(told(1, "\"match_ended\"") == 1);
    close_checked();
}
END_TEST

static void sql(const char *text)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(kit.kit.path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

/* A row that no version of ours wrote, and which is read before the good one. */
START_TEST(a_clock_that_cannot_be_read_keeps_no_other_from_running)
{
    open_two(POST("\"forfeit\""));
    match_kit_pause(&kit);
    sql("INSERT INTO match (key, id, game, rules, options, creator, access, spectators, reveal, "
        "created_at, state, secret, commitment, clock) SELECT key + 10, 'broken' || key, game, "
        "rules, options, creator, access, spectators, reveal, 0, state, secret, commitment, clock "
        "FROM match");
    sql("INSERT INTO clock (match, n, due, state, told) SELECT key, 1, 1, zeroblob(1000000), '{}' "
        "FROM match WHERE id LIKE 'broken%'");
    sql("UPDATE match SET key = 0 - key WHERE key > 10");
    sql("UPDATE clock SET match = 0 - match WHERE match > 10");
    kit.now += 9 * (int64_t)DAY;
    match_kit_resume(&kit);
    match_kit_wait(&kit, 59 * MINUTE);
    ck_assert_uint_eq(told(1, "\"late\""), 0);
    match_kit_wait(&kit, 2 * MINUTE);
    ck_assert_uint_eq(told(1, "\"late\""), 1);
    match_kit_close(&kit);
}
END_TEST

/* The disk fails the reader when the time of somebody runs out, and nobody else looks. */
START_TEST(what_is_due_while_the_match_cannot_be_read_comes_once_it_can)
{
    open_two(POST("\"forfeit\""));
    settle(&kit);
    matches_rest(kit.matches);
    sql("INSERT INTO setting (name, value) SELECT 'kept', viewers FROM tip");
    sql("UPDATE tip SET viewers = zeroblob(1)");
    match_kit_wait(&kit, 61 * MINUTE);
    settle(&kit);
    ck_assert_uint_eq(told(1, "\"late\""), 0);
    sql("UPDATE tip SET viewers = (SELECT value FROM setting WHERE name = 'kept')");
    match_kit_wait(&kit, 2 * MINUTE);
    settle(&kit);
    ck_assert_uint_eq(told(1, "\"late\""), 1);
    close_checked();
}
END_TEST

START_TEST(a_list_that_is_refused_moves_nothing)
{
    open_two(LIVE);
    watch(0);
    match_kit_wait(&kit, 100000);
    char text[160];
    snprintf(text, sizeof text, "{'seq':%d,'actions':[{'do':'add','n':1},{'do':'add','n':200}]}",
             (int)seq_of(&kit, 0));
    ck_err(call(&kit, match_act, 0, text), ERR_INVALID_PARAMS);
    ck_assert_uint_eq(changed(0), 0);
    ck_assert_double_eq_tol(clock_number("A", "bank_s"), 500, 1.5);
    close_checked();
}
END_TEST

START_TEST(a_match_without_a_clock_has_none)
{
    open_two(NULL);
    match_kit_wait(&kit, 1000 * (int64_t)HOUR);
    ck_reason(call(&kit, match_clock, 0, "{}"), "clock");
    ck_reason(call(&kit, match_claim, 0, "{'what':'win'}"), "clock");
    ck_assert_ptr_null(strstr(view(0), "\"clock\""));
    close_checked();
}
END_TEST

/* --- at random ---------------------------------------------------------------------------------
 */

static uint64_t seed;

static unsigned below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((seed >> 33) % n);
}

/* What A and B used and have, and what has been given to them, in ms by the kit's own count. */
struct account_of_time {
    int64_t used[2], given[2], at;
    unsigned turn, sittings[2];
    bool paused;
};

static void charge(struct account_of_time *time)
{
    if (!time->paused) { time->used[time->turn] += kit.now - time->at; }
    time->at = kit.now;
}

static void random_step(struct account_of_time *time)
{
    unsigned other = 1 - time->turn;
    char text[96];
    switch (below(8)) {
    case 0:
    case 1:
        pass(time->turn);
        charge(time);
        time->sittings[time->turn]++;
        time->turn = other;
        break;
    case 2: match_kit_wait(&kit, below(20000)); break;
    case 3: ck_err(act(&kit, below(2), "{'do':'hide','number':5}"), ERR_OK); break;
    case 4:
        /* A restart: the time without a daemon is nobody's. */
        charge(time);
        match_kit_pause(&kit);
        kit.now += below(5) * (int64_t)DAY;
        match_kit_resume(&kit);
        time->at = kit.now;
        break;
    case 5: {
        snprintf(text, sizeof text, "{'what':'%s'}", time->paused ? "resume" : "pause");
        struct result *made = call(&kit, match_offer, 0, text);
        ck_err(made, ERR_OK);
        snprintf(text, sizeof text, "{'offer':%d,'accept':true}", (int)result_int(made, "offer"));
        ck_err(call(&kit, match_answer, 1, text), ERR_OK);
        charge(time);
        time->paused = !time->paused;
        break;
    }
    case 6:
        snprintf(text, sizeof text, "{'what':'time','seat':'%c','s':40}", 'A' + (char)other);
        ck_err(call(&kit, match_offer, time->turn, text), ERR_OK);
        time->given[other] += 40000;
        break;
    default:
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 2);
        ck_err(act(&kit, time->turn, "{'do':'pass'}"), ERR_STORAGE_FAILED);
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
        match_kit_wait(&kit, 0);
        break;
    }
}

/* W-12: time that is not paused is neither lost nor won, whatever happens. */
START_TEST(time_is_conserved_over_random_pauses_gifts_faults_and_restarts)
{
    seed = (uint64_t)_i * 7919 + 1;
    open_two("{\"kind\":\"live\",\"bank_s\":86400,\"increment_s\":20}");
    struct account_of_time time = {.at = kit.now};
    for (unsigned i = 0; i < 16; i++) {
        random_step(&time);
    }
    charge(&time);
    for (unsigned i = 0; i < 2; i++) {
        const char code[2] = {(char)('A' + i), '\0'};
        double bank = clock_number(code, "bank_s") * 1000;
        double right =
            86400000 - (double)time.used[i] + (double)time.given[i] + 20000.0 * time.sittings[i];
        /* Each look at the time costs the kit a millisecond. */
        ck_assert_msg(bank > right - 2500 && bank < right + 2500, "round %d, %s: %.0f, not %.0f",
                      _i, code, bank, right);
    }
    if (_i % 16 == 0) {
        close_checked();
    } else {
        match_kit_close(&kit);
    }
}
END_TEST

/* The ladder to its end with crashes at every step: each thing is told once. */
START_TEST(each_step_of_the_ladder_is_told_once_across_crashes)
{
    seed = (uint64_t)_i * 104729 + 3;
    open_two("{\"kind\":\"correspondence\",\"bank_s\":60,\"per_move_s\":3600,\"ladder\":"
             "{\"remind_s\":[600],\"grace_s\":600,\"misses\":1,\"again_s\":3600,"
             "\"then\":\"forfeit\"}}");
    for (unsigned i = 0; i < 60; i++) {
        unsigned what = below(4);
        if (what == 0) { store_inject(kit.kit.store, STORE_FAULT_COMMIT, below(2), 2); }
        match_kit_wait(&kit, 7 * MINUTE);
        store_inject(kit.kit.store, STORE_FAULT_COMMIT, 0, 0);
        if (what == 1) { match_kit_reopen(&kit); }
        if (what == 2) { matches_rest(kit.matches); }
        match_kit_wait(&kit, 1500);
    }
    ck_assert_uint_eq(told(1, "\"ev\":\"late\""), 1);
    ck_assert_uint_eq(told(1, "\"ev\":\"missed\""), 2);
    ck_assert_uint_eq(told(1, "\"ev\":\"match_ended\""), 1);
    close_checked();
}
END_TEST

START_TEST(the_earliest_is_woken_first)
{
    struct wakes wakes = {.count = 0};
    int64_t at[500];
    seed = 4;
    for (unsigned round = 0; round < 4000; round++) {
        unsigned i = below(500);
        struct match_id id = {"aaaaaaaaaa"};
        id.text[0] = (char)('a' + i % 26);
        id.text[1] = (char)('a' + i / 26);
        at[i] = below(5) == 0 ? 0 : 1 + below(100000);
        ck_assert(wakes_set(&wakes, &id, at[i]));
        ck_assert_int_eq(wakes_at(&wakes, &id), at[i]);
    }
    struct match_id id;
    int64_t before = 0, first = 0;
    while (wakes_first(&wakes, &id, &first)) {
        ck_assert_int_ge(first, before);
        before = first;
        ck_assert(wakes_set(&wakes, &id, 0));
    }
    wakes_finish(&wakes);
}
END_TEST

int main(void)
{
    log_set_level(LOG_ERROR);
    Suite *suite = suite_create("match_clocks");
    TCase *tcase = tcase_create("match_clocks");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_clock_runs_from_being_asked_to_the_hand_over);
    tcase_add_test(tcase, a_quiet_line_moves_no_clock_and_tells_of_none);
    tcase_add_test(tcase, a_view_of_long_ago_shows_the_clock_as_it_was);
    tcase_add_test(tcase, undo_and_rewind_give_no_time_back);
    tcase_add_test(tcase, late_and_miss_are_told_once_to_all_and_then_it_may_be_claimed);
    tcase_add_test(tcase, a_move_at_the_deadline_is_in_time_if_it_came_before_the_line);
    tcase_add_test(tcase, a_late_seat_may_still_move_and_nothing_more_follows);
    tcase_add_test(tcase, what_was_agreed_to_follows_by_itself_forfeit);
    tcase_add_test(tcase, what_was_agreed_to_follows_by_itself_annul);
    tcase_add_test(tcase, the_others_may_give_time_or_annul_instead_of_winning_W_05);
    tcase_add_test(tcase, bots_claim_nothing_so_it_ends_by_itself_against_them_W_40);
    tcase_add_test(tcase, a_vanished_third_player_is_replaced_step_by_step_W_08);
    tcase_add_test(tcase, an_ally_takes_over_and_the_war_goes_on_W18_9);
    tcase_add_test(tcase, who_comes_back_before_a_substitute_keeps_the_seat);
    tcase_add_test(tcase, a_saved_draft_is_worth_what_the_match_says_BR_14);
    tcase_add_test(tcase, a_pause_takes_all_and_to_go_on_takes_all_or_a_day);
    tcase_add_test(tcase, pauses_are_as_the_match_says_W_02);
    tcase_add_test(tcase, time_is_given_by_opponents_alone);
    tcase_add_test(tcase, an_end_on_time_is_opened_two_days_later);
    tcase_add_test(tcase, an_end_on_time_is_taken_back_by_all_until_it_is_opened_W_06);
    tcase_add_test(tcase, what_ends_by_the_rules_is_opened_at_once_and_for_good);
    tcase_add_test(tcase, an_event_that_is_not_stored_comes_again_and_once);
    tcase_add_test(tcase, a_hand_over_that_is_not_stored_leaves_the_clock_as_it_was);
    tcase_add_test(tcase, nobody_is_charged_for_a_time_without_a_daemon);
    tcase_add_test(tcase, a_list_that_is_refused_moves_nothing);
    tcase_add_test(tcase, a_match_without_a_clock_has_none);
    tcase_add_loop_test(tcase, time_is_conserved_over_random_pauses_gifts_faults_and_restarts, 0,
                        200);
    tcase_add_loop_test(tcase, each_step_of_the_ladder_is_told_once_across_crashes, 0, 8);
    tcase_add_test(tcase, the_earliest_is_woken_first);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("unreadable");
    tcase_add_test(tcase, a_clock_that_cannot_be_read_keeps_no_other_from_running);
    tcase_add_test(tcase, what_is_due_while_the_match_cannot_be_read_comes_once_it_can);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
