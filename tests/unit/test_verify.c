/* tests/unit/test_verify.c: the verifier against FAIRNESS section 9, and records of a small game of
 * its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <sodium.h>

#include "common/base/b64.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/record/line.h"
#include "common/record/replay.h"
#include "common/record/verify.h"
#include "common/rules/game.h"

static const char vector[] =
    "{\"vedette\":\"record/1\",\"match\":\"k7mq2xw4ta\",\"game\":\"waterloo\",\"rules\":1,"
    "\"options\":{},\"seats\":[\"FR\",\"AL\"],\"commit\":"
    "\"zHURalFL4V6aIzp6hWOyqXkeM5O18o9CYKgU4HLcS8Q\",\"nonces\":{\"FR\":"
    "\"0AK1mVlGcug0K9p3soI3UjWOleP8h9T4iMk7UtJiiko\",\"AL\":"
    "\"ncunEGGez4cnFHv8teAEon07pCstJcIrhcxOQ8bQbF0\"},\"at\":1796000000000}\n"
    "{\"n\":1,\"at\":1796000001000,\"host\":\"begin\"}\n"
    "{\"n\":2,\"at\":1796000002000,\"seat\":\"AL\",\"nonce\":"
    "\"gIGCg4SFhoeIiYqLjI2Oj5CRkpOUlZaXmJmam5ydnp8\"}\n"
    "{\"n\":3,\"at\":1796000003000,\"seat\":\"AL\",\"do\":{\"do\":\"place\",\"placements\":"
    "[{\"town\":\"ghent\",\"unit\":\"AD-A\"}]}}\n"
    "{\"n\":4,\"at\":1796000004000,\"seat\":\"FR\",\"nonce\":"
    "\"QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl8\"}\n"
    "{\"n\":5,\"at\":1796000005000,\"seat\":\"FR\",\"do\":{\"do\":\"end_movement\"},\"roll\":1,"
    "\"dice\":[[6,[3,1,3]]]}\n"
    "{\"n\":6,\"at\":1796000006000,\"host\":\"end\",\"how\":\"resign\",\"seat\":\"AL\","
    "\"result\":{\"winners\":[\"FR\"]}}\n"
    "{\"key\":\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\",\"head\":"
    "\"WBsZ-Xy5LU8ajSeYbwrdIi4WKheFEwP-iZIiCdwdY5M\",\"marks\":"
    "\"33jtUHJPgE8i5jNOXKEBtTtBrLHDGAf9IIthMEttRQN1GhOWWBsZ-Xy5\"}\n";
enum { VECTOR_BYTES = 990, VECTOR_LINES = 7 };

static struct verdict verify(const char *text, size_t len, const struct verify_options *options)
{
    static const struct verify_options none = {0};
    struct verdict verdict;
    ck_assert_int_eq(verify_record(text, len, options == NULL ? &none : options, &verdict), ERR_OK);
    return verdict;
}

START_TEST(the_record_of_section_9_holds_in_steps_1_to_5)
{
    ck_assert_uint_eq(sizeof vector - 1, VECTOR_BYTES);
    struct verdict v = verify(vector, sizeof vector - 1, NULL);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    for (unsigned step = VERIFY_FORM; step <= VERIFY_DRAWS; step++) {
        ck_assert(v.checked[step]);
    }
    ck_assert(!v.checked[VERIFY_RULES] && !v.checked[VERIFY_RECEIPTS]);
    ck_assert_str_eq(v.match, "k7mq2xw4ta");
    ck_assert_uint_eq(v.lines, VECTOR_LINES);
    ck_assert_uint_eq(v.rolls, 1);
    ck_assert_uint_eq(v.draws, 3);
    ck_assert_uint_eq(v.seats, 2);
    ck_assert_str_eq(v.codes[1], "AL");
    ck_assert_int_eq(v.nonces[0], NONCE_OPENED);
    ck_assert_int_eq(v.nonces[1], NONCE_OPENED);
    ck_assert_str_eq(v.how, "resign");
}
END_TEST

/* Every byte is covered: whichever is changed, and to whatever, the record fails at its line. (A
 * fifth of all changes, another fifth for the next byte.) */
START_TEST(any_changed_byte_fails_at_its_line)
{
    static char text[sizeof vector];
    uint64_t line = 0;
    for (size_t i = 0; i < sizeof vector - 1; i++) {
        for (unsigned other = (unsigned)(i % 5); other < 256; other += 5) {
            if ((char)other == vector[i]) { continue; }
            memcpy(text, vector, sizeof vector);
            text[i] = (char)other;
            struct verdict v = verify(text, sizeof vector - 1, NULL);
            ck_assert(!v.good);
            ck_assert_msg(v.line == line, "byte %zu to %u: line %llu (%s), not %llu", i, other,
                          (unsigned long long)v.line, v.why, (unsigned long long)line);
        }
        line += vector[i] == '\n' ? 1 : 0;
    }
}
END_TEST

START_TEST(a_shortened_or_longer_record_fails)
{
    static char text[2 * sizeof vector];
    for (size_t len = 0; len < sizeof vector - 1; len++) {
        ck_assert(!verify(vector, len, NULL).good);
    }
    memcpy(text, vector, sizeof vector);
    memcpy(text + sizeof vector - 1, vector, sizeof vector);
    ck_assert(!verify(text, 2 * (sizeof vector - 1), NULL).good);
    text[sizeof vector - 1] = '\n';
    ck_assert(!verify(text, sizeof vector, NULL).good);
}
END_TEST

START_TEST(the_receipt_of_section_9_belongs_to_the_record)
{
    struct signed_receipt receipt = {
        .match = "k7mq2xw4ta", .viewer = "FR", .seq = 4, .at = INT64_C(1796000005000)};
    static const char head[] = "4503751a139655bdec3c0c5d0f232dbad22ad9c3a9a197a871b39e318c89de86";
    static const char key[] = "174553b456dddfc6908ecab1c101fe6ab21e2baa0617795b7d43a63482993fd5";
    static const char signature[] =
        "cfbe4e68ce74bfff45c9a869f8f00da5804adae6af67518e3ed04acfded33fe8"
        "22ed3c5b1eca5e1d432f87257aced8e3b6fe33475239d0906ffa1338d2452908";
    ck_assert_int_eq(sodium_hex2bin(receipt.head.bytes, 32, head, 64, NULL, NULL, NULL), 0);
    ck_assert_int_eq(sodium_hex2bin(receipt.key, 32, key, 64, NULL, NULL, NULL), 0);
    ck_assert_int_eq(sodium_hex2bin(receipt.signature, 64, signature, 128, NULL, NULL, NULL), 0);
    struct verify_options options = {.receipts = &receipt, .receipt_count = 1};
    struct verdict v = verify(vector, sizeof vector - 1, &options);
    ck_assert(v.good);
    ck_assert(v.checked[VERIFY_RECEIPTS]);
    receipt.seq++;
    v = verify(vector, sizeof vector - 1, &options);
    ck_assert(!v.good);
    ck_assert_int_eq(v.failed, VERIFY_RECEIPTS);
}
END_TEST

/* ---- a game: seats take turns to add to a sum or roll; who adds `stop` ends it ---- */

struct state {
    uint32_t sum, next, over, left;
};

static enum err toy_options(const struct cJSON *options, struct buf *out_json, struct why *why)
{
    (void)options;
    (void)why;
    buf_append_str(out_json, "{}");
    return ERR_OK;
}

static unsigned toy_seats(const struct cJSON *options, const char *out_codes[SEATS_MAX])
{
    (void)options;
    out_codes[0] = "A";
    out_codes[1] = "B";
    return 2;
}

static enum err toy_create(const struct cJSON *options, uint32_t rules, struct dice *dice,
                           struct state *out, struct events *events, struct why *why)
{
    (void)options;
    (void)rules;
    (void)dice;
    (void)events;
    (void)why;
    out->sum = 1;
    return ERR_OK;
}

static uint32_t toy_to_act(const struct state *s)
{
    return s->over != 0 ? 0 : 3;
}

static void tell(struct events *events, uint32_t viewers, int64_t value)
{
    struct buf *buf = events_begin(events, viewers);
    jw_object_begin(buf);
    jw_key_int(buf, "sum", value);
    jw_object_end(buf);
    events_end(events);
}

/* {"do":"add","n":N}: quiet; its seat is told the sum. {"do":"roll"}. {"do":"stop"}: the game ends.
 * {"do":"seal"}.
 * {"do":"mask"}: tells its seat a number from the mask lane. */
static enum err toy_apply(struct state *s, unsigned seat, const struct cJSON *action,
                          struct dice *dice, struct events *events, struct why *why)
{
    const char *what = "";
    int64_t n = 0;
    enum err err = json_read_str(action, "!do", 16, &what, why);
    if (err == ERR_OK) { err = json_read_int(action, "n", 1, 9, &n, why); }
    if (err != ERR_OK) { return err; }
    if (strcmp(what, "roll") == 0) {
        s->sum += dice_die(dice, 6) + dice_draw(dice, LANE_DEAL, 3);
        tell(events, 31, s->sum);
    } else if (strcmp(what, "stop") == 0) {
        s->over = 1;
        tell(events, 31, s->sum);
        events_seal(events);
    } else if (strcmp(what, "seal") == 0) {
        tell(events, UINT32_C(1) << seat, s->sum);
        events_seal(events);
    } else if (strcmp(what, "mask") == 0) {
        tell(events, UINT32_C(1) << seat, dice_draw(dice, LANE_MASK, 200));
    } else if (strcmp(what, "add") == 0) {
        s->sum += (uint32_t)n;
    } else {
        return why_rule(why, "T1.1", "There is no such action.");
    }
    return ERR_OK;
}

static enum err toy_leave(struct state *s, unsigned seat, enum leave how, struct dice *dice,
                          struct events *events)
{
    (void)how;
    (void)dice;
    (void)events;
    s->over = 1;
    s->left = seat + 1;
    return ERR_OK;
}

static void toy_result(const struct state *s, struct buf *out)
{
    jw_object_begin(out);
    jw_key_int(out, "sum", s->sum);
    jw_key_int(out, "left", s->left);
    jw_object_end(out);
}

static const char *toy_check(const struct state *s)
{
    return s->sum > 1000 ? "sum" : NULL;
}

static const struct game toy = {.name = "toy",
                                .rules_first = 1,
                                .rules_now = 2,
                                .state_bytes = sizeof(struct state),
                                .options = toy_options,
                                .seats = toy_seats,
                                .create = toy_create,
                                .to_act = toy_to_act,
                                .apply = toy_apply,
                                .leave = toy_leave,
                                .result = toy_result,
                                .check = toy_check};
static const struct game *const toys[] = {&toy, NULL};

/* Makes a record of lines that end before "roll", which is put in where `roll` stands: a forger's
 * tool. */
struct forger {
    struct hash secret, head, key, mask_key;
    struct buf text, marks;
    uint64_t n, roll;
};

static void add_line(struct forger *f, const char *body, unsigned dies, unsigned deals)
{
    struct buf line;
    buf_init(&line, LINE_BYTES_MAX);
    if (f->n > 0) {
        buf_append_str(&line, "{");
        jw_key_int(&line, "n", (int64_t)f->n);
        jw_key_int(&line, "at", 1796000000000 + (int64_t)f->n);
        buf_append_char(&line, ',');
    }
    buf_append_str(&line, body);
    if (f->n > 0) {
        if (dies + deals > 0) {
            struct dice dice;
            dice_init(&dice, &f->key, &f->mask_key, f->roll++, 1);
            for (unsigned i = 0; i < dies; i++) {
                (void)dice_die(&dice, 6);
            }
            for (unsigned i = 0; i < deals; i++) {
                (void)dice_draw(&dice, LANE_DEAL, 3);
            }
            dice_write_line(&dice, &line);
        }
        buf_append_char(&line, '}');
    }
    struct hash before = f->head;
    line_head("toymatch", &f->secret, f->n, &before, line.data, line.len, &f->head);
    line_append_mark(&f->marks, &f->head);
    buf_append(&f->text, line.data, line.len);
    buf_append_char(&f->text, '\n');
    f->n++;
    buf_finish(&line);
}

/* What seats A and B put in: what they are committed to, and what makes the key; NULL: nothing. */
static void begin_nonces(struct forger *f, const struct hash *const commits[2],
                         const struct hash *const nonces[2])
{
    static const char *const codes[] = {"A", "B"};
    struct hash commit;
    struct buf header;
    memset(f, 0, sizeof *f);
    memset(f->secret.bytes, 7, sizeof f->secret.bytes);
    f->roll = 1;
    buf_init(&f->text, 1 << 20);
    buf_init(&f->marks, 1 << 20);
    buf_init(&header, 1 << 16);
    dice_commitment("toymatch", &f->secret, &commit);
    dice_key("toymatch", &f->secret, 2, codes, nonces, &f->key);
    dice_mask_key("toymatch", &f->secret, &f->mask_key);
    line_write_header(&header, &(struct line_header){.match = "toymatch",
                                                     .game = "toy",
                                                     .rules = 1,
                                                     .options = "{}",
                                                     .seats = 2,
                                                     .codes = {"A", "B"},
                                                     .commit = &commit,
                                                     .nonces = {commits[0], commits[1]},
                                                     .at = 1796000000000});
    add_line(f, buf_str(&header), 0, 0);
    buf_finish(&header);
    add_line(f, "\"host\":\"begin\"", 0, 0);
}

static void begin_record(struct forger *f)
{
    static const struct hash *const none[] = {NULL, NULL};
    begin_nonces(f, none, none);
}

/* The line by which a seat opens the nonce of that byte. */
static void add_nonce(struct forger *f, const char *seat, uint8_t byte)
{
    char text[128];
    char b64[44];
    uint8_t nonce[HASH_BYTES];
    memset(nonce, byte, sizeof nonce);
    b64_encode(b64, nonce, sizeof nonce);
    (void)snprintf(text, sizeof text, "\"seat\":\"%s\",\"nonce\":\"%s\"", seat, b64);
    add_line(f, text, 0, 0);
}

static struct verdict end_record(struct forger *f)
{
    const struct verify_options options = {.games = toys};
    line_write_key(&f->text, &f->secret, &f->head, buf_str(&f->marks));
    buf_append_char(&f->text, '\n');
    struct verdict verdict = verify(buf_str(&f->text), f->text.len, &options);
    buf_finish(&f->text);
    buf_finish(&f->marks);
    return verdict;
}

#define A(action) "\"seat\":\"A\",\"do\":{\"do\":\"" action "\"}"
#define B(action) "\"seat\":\"B\",\"do\":{\"do\":\"" action "\"}"
#define A_ADDS(n) "\"seat\":\"A\",\"do\":{\"do\":\"add\",\"n\":" #n "}"
#define B_ADDS(n) "\"seat\":\"B\",\"do\":{\"do\":\"add\",\"n\":" #n "}"
#define END(sum)  "\"host\":\"end\",\"how\":\"rules\",\"result\":{\"left\":0,\"sum\":" #sum "}"

static void assert_fails(const struct verdict *v, enum verify_step step, uint64_t line,
                         const char *why)
{
    ck_assert(!v->good);
    ck_assert_str_eq(verify_step_name(v->failed), verify_step_name(step));
    ck_assert_uint_eq(v->line, line);
    ck_assert_msg(strstr(v->why, why) != NULL, "%s", v->why);
}

START_TEST(undone_actions_do_not_count_and_others_are_played_again)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);                   /* 2 */
    add_line(&f, B_ADDS(3), 0, 0);                   /* 3 */
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0); /* 4 */
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(4), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good && v.checked[VERIFY_RULES] && v.result_follows);
    ck_assert_uint_eq(v.undone, 1);
}
END_TEST

START_TEST(a_result_that_is_not_the_games_fails_at_the_end)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(4), 0, 0);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "result");
}
END_TEST

START_TEST(an_undo_may_cross_no_draw)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("roll"), 1, 1);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "crosses a draw");
}
END_TEST

START_TEST(an_undo_takes_back_nothing_sealed_and_only_the_last_own_action)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A("seal"), 0, 0);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 3, "told its seat");
    begin_record(&f);
    add_line(&f, A_ADDS(1), 0, 0);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "own last action");
    begin_record(&f);
    add_line(&f, A_ADDS(1), 0, 0);
    add_line(&f, "\"seat\":\"B\",\"undo\":2", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 3, "own last action");
}
END_TEST

START_TEST(what_stands_on_an_undone_action_must_go_as_it_went)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("seal"), 0, 0); /* B was told the sum with A's 2 in it */
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "as it went");
}
END_TEST

START_TEST(masks_are_drawn_from_their_own_numbers_again)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("mask"), 0, 0);
    add_line(&f, B("mask"), 0, 0);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    add_line(&f, "\"seat\":\"B\",\"undo\":4", 0, 0);
    add_line(&f, A("stop"), 0, 0);
    add_line(&f, END(1), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
}
END_TEST

START_TEST(a_line_may_not_draw_what_the_game_did_not_ask_for)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A("roll"), 2, 1);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "asks for");
    begin_record(&f);
    add_line(&f, A("roll"), 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "asks for");
}
END_TEST

START_TEST(a_roll_that_is_not_the_next_fails_and_a_restore_skips)
{
    struct forger f;
    begin_record(&f);
    f.roll = 2;
    add_line(&f, A("roll"), 1, 1);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_ROLLS, 2, "next");
    begin_record(&f);
    add_line(&f, A("roll"), 1, 1);
    add_line(&f, "\"host\":\"restored\"", 0, 0);
    f.roll += UINT64_C(1) << 32;
    add_line(&f, A("roll"), 1, 1);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\"", 0, 0);
    v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    ck_assert(!v.result_follows);
    ck_assert_uint_eq(v.rolls, 2);
}
END_TEST

START_TEST(a_rewind_goes_back_to_the_state_of_its_line_and_keeps_r)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("roll"), 1, 1);
    add_line(&f, "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]", 0, 0);
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(3), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    begin_record(&f);
    add_line(&f, "\"host\":\"rewind\",\"to\":7,\"by\":[\"A\",\"B\"]", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "no such line");
}
END_TEST

/* By consent of all, and to the line before one that everybody was told of (section 4). */
START_TEST(a_rewind_takes_all_seats_and_goes_behind_an_open_line)
{
    static const char *const bad[] = {
        "\"host\":\"rewind\",\"to\":3,\"by\":[\"A\"]",
        "\"host\":\"rewind\",\"to\":3,\"by\":[\"B\",\"A\"]",
        "\"host\":\"rewind\",\"to\":3,\"by\":[\"A\",\"A\"]",
        "\"host\":\"rewind\",\"to\":3,\"by\":[\"A\",\"X\"]",
        "\"host\":\"rewind\",\"to\":3",
        "\"host\":\"rewind\",\"by\":[\"A\",\"B\"]",
        "\"host\":\"rewind\",\"to\":1,\"by\":[\"A\",\"B\"]", /* before a quiet line */
        "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]",
        "\"host\":\"rewind\",\"to\":4,\"by\":[\"A\",\"B\"]", /* nothing after it */
        "\"host\":\"rewind\",\"to\":0,\"by\":[\"A\",\"B\"]", /* before the begin */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct forger f;
        begin_record(&f);
        add_line(&f, A_ADDS(2), 0, 0);
        add_line(&f, A_ADDS(3), 0, 0);
        add_line(&f, B("roll"), 1, 1);
        add_line(&f, bad[i], 0, 0);
        struct verdict v = end_record(&f);
        ck_assert(!v.good);
        ck_assert_int_eq(v.failed, VERIFY_RULES);
        ck_assert_uint_eq(v.line, 5);
    }
}
END_TEST

/* What a rewind took back can be gone back to as well: the sum is 1, 3, then rolled. */
START_TEST(rewinds_follow_each_other_and_nothing_is_undone_behind_them)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);                                           /* 2: 3 */
    add_line(&f, B("roll"), 1, 1);                                           /* 3 */
    add_line(&f, "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]", 0, 0); /* 4: 3 */
    add_line(&f, A_ADDS(5), 0, 0);                                           /* 5: 8 */
    add_line(&f, B("roll"), 1, 1);                                           /* 6 */
    add_line(&f, "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]", 0, 0); /* 7: 3 */
    add_line(&f, "\"host\":\"rewind\",\"to\":5,\"by\":[\"A\",\"B\"]", 0, 0); /* 8: 8 */
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(8), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    ck_assert_uint_eq(v.rolls, 2);
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B("roll"), 1, 1);
    add_line(&f, "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]", 0, 0);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 5, "undo");
}
END_TEST

START_TEST(the_rules_refuse_and_are_cited)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A("fly"), 0, 0);
    struct verdict v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "T1.1");
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "not over");
    begin_record(&f);
    add_line(&f, "\"host\":\"end\",\"how\":\"rules\",\"result\":{\"left\":0,\"sum\":1}", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 2, "do not end");
}
END_TEST

/* A is committed to 0xaa.., B to 0xbb..; who holds S makes the chain anew as he likes. */
START_TEST(a_forged_nonce_fails_at_its_line_though_the_chain_be_made_anew)
{
    struct forger f;
    struct hash nonces[2];
    struct hash commits[2];
    for (unsigned i = 0; i < 2; i++) {
        memset(nonces[i].bytes, i == 0 ? 0xaa : 0xbb, sizeof nonces[i].bytes);
        dice_nonce_commitment(&nonces[i], &commits[i]);
    }
    const struct hash *const both[2] = {&commits[0], &commits[1]};
    const struct hash *const opened[2] = {&nonces[0], &nonces[1]};
    const struct hash *const first[2] = {&nonces[0], NULL};
    begin_nonces(&f, both, opened);
    add_nonce(&f, "A", 0xaa);
    add_line(&f, A_ADDS(2), 0, 0);
    add_nonce(&f, "B", 0xbb);
    add_line(&f, B("roll"), 1, 1);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\"", 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    ck_assert_int_eq(v.nonces[1], NONCE_OPENED);
    /* Another nonce. */
    begin_nonces(&f, both, opened);
    add_nonce(&f, "A", 0xaa);
    add_nonce(&f, "B", 0xbc);
    v = end_record(&f);
    assert_fails(&v, VERIFY_NONCES, 3, "committed to");
    /* The other seat's; twice; one that has waived. */
    begin_nonces(&f, both, opened);
    add_nonce(&f, "A", 0xbb);
    v = end_record(&f);
    assert_fails(&v, VERIFY_NONCES, 2, "committed to");
    begin_nonces(&f, both, opened);
    add_nonce(&f, "A", 0xaa);
    add_nonce(&f, "A", 0xaa);
    v = end_record(&f);
    assert_fails(&v, VERIFY_NONCES, 3, "no nonce to open");
    begin_record(&f);
    add_line(&f, "\"seat\":\"A\",\"lost\":true", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_NONCES, 2, "no nonce to open");
    /* A draw before all are settled; a nonce that is lost to please is seen, and its dice differ.
     */
    begin_nonces(&f, both, first);
    add_nonce(&f, "A", 0xaa);
    add_line(&f, A("roll"), 1, 1);
    v = end_record(&f);
    assert_fails(&v, VERIFY_NONCES, 3, "before every seat");
    begin_nonces(&f, both, first);
    add_nonce(&f, "A", 0xaa);
    add_line(&f, "\"seat\":\"B\",\"lost\":true", 0, 0);
    add_line(&f, A("roll"), 1, 1);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\"", 0, 0);
    v = end_record(&f);
    ck_assert(v.good);
    ck_assert_int_eq(v.nonces[1], NONCE_LOST);
    begin_nonces(&f, both, opened);
    add_nonce(&f, "A", 0xaa);
    add_line(&f, "\"seat\":\"B\",\"lost\":true", 0, 0);
    add_line(&f, A("roll"), 9, 9);
    v = end_record(&f);
    assert_fails(&v, VERIFY_DRAWS, 4, "stream");
}
END_TEST

START_TEST(a_restore_may_come_before_the_begin)
{
    struct forger f;
    begin_record(&f);
    buf_reset(&f.text);
    buf_reset(&f.marks);
    struct forger g;
    begin_record(&g);
    /* The header, then "restored", then "begin": lines 0, 1, 2. */
    size_t header = (size_t)(strchr(buf_str(&g.text), '\n') - buf_str(&g.text)) + 1;
    buf_append(&f.text, g.text.data, header);
    buf_append(&f.marks, g.marks.data, MARK_CHARS);
    struct hash zero = {{0}};
    line_head("toymatch", &f.secret, 0, &zero, g.text.data, header - 1, &f.head);
    f.n = 1;
    buf_finish(&g.text);
    buf_finish(&g.marks);
    add_line(&f, "\"host\":\"restored\"", 0, 0);
    f.roll += UINT64_C(1) << 32;
    add_line(&f, "\"host\":\"begin\"", 0, 0);
    add_line(&f, A("roll"), 1, 1);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\"", 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    ck_assert_uint_eq(v.rolls, 1);
}
END_TEST

START_TEST(a_seat_that_leaves_ends_it_with_the_games_result)
{
    struct forger f;
    begin_record(&f);
    add_line(&f,
             "\"host\":\"end\",\"how\":\"resign\",\"seat\":\"B\",\"result\":{\"left\":2,\"sum\":1}",
             0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    ck_assert_int_eq(v.nonces[0], NONCE_WAIVED);
}
END_TEST

/* FAIRNESS 5: what touches clocks and holders is told, leaves the game alone and ends no undo. */
START_TEST(what_only_tells_leaves_the_game_and_undo_alone)
{
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0); /* 2 */
    add_line(&f, "\"host\":\"pause\",\"how\":\"agreed\",\"by\":[\"A\",\"B\"]", 0, 0);
    add_line(&f, "\"host\":\"resume\",\"how\":\"agreed\",\"by\":[\"A\",\"B\"]", 0, 0);
    add_line(&f, "\"host\":\"pause\",\"how\":\"vacation\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"resume\",\"how\":\"vacation\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"grant\",\"seat\":\"B\",\"by\":[\"A\"],\"ms\":60000", 0, 0);
    add_line(&f, "\"host\":\"late\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"miss\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"seat\",\"how\":\"vacant\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"seat\",\"how\":\"caretaker\",\"seat\":\"B\"", 0, 0);
    add_line(&f, "\"host\":\"look\",\"reason\":\"\u00c0 l'aide\"", 0, 0);
    add_line(&f, "\"seat\":\"A\",\"undo\":2", 0, 0);
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(1), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good);
    static const char *const bad[] = {
        "\"host\":\"pause\"",
        "\"host\":\"pause\",\"how\":\"vacation\",\"seat\":\"C\"",
        "\"host\":\"resume\",\"how\":\"agreed\",\"by\":[\"A\",\"C\"]",
        "\"host\":\"grant\",\"seat\":\"B\"",
        "\"host\":\"grant\",\"ms\":5",
        "\"host\":\"late\"",
        "\"host\":\"miss\"",
        "\"host\":\"seat\",\"how\":\"lent\"",
        "\"host\":\"look\"",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        begin_record(&f);
        add_line(&f, bad[i], 0, 0);
        v = end_record(&f);
        assert_fails(&v, VERIFY_RULES, 2, "whom it is about");
    }
}
END_TEST

/* An end on time is taken back by the next line and all seats, or never. */
START_TEST(only_an_end_on_time_is_taken_back_and_only_by_the_next_line)
{
#define B_TIME "\"host\":\"end\",\"how\":\"time\",\"seat\":\"B\",\"result\":{\"left\":2,\"sum\":3}"
#define B_AWAY "\"host\":\"end\",\"how\":\"away\",\"seat\":\"B\",\"result\":{\"left\":2,\"sum\":3}"
#define BACK   "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\",\"B\"]"
    struct forger f;
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0); /* 2 */
    add_line(&f, B_TIME, 0, 0);    /* 3 */
    add_line(&f, BACK, 0, 0);      /* 4 */
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(3), 0, 0);
    struct verdict v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good && v.result_follows);
    begin_record(&f); /* the player had gone: an end on time as well */
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B_AWAY, 0, 0);
    add_line(&f, BACK, 0, 0);
    add_line(&f, B("stop"), 0, 0);
    add_line(&f, END(3), 0, 0);
    v = end_record(&f);
    ck_assert_str_eq(v.why, "");
    ck_assert(v.good && v.result_follows);
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B_TIME, 0, 0);
    add_line(&f, "\"host\":\"rewind\",\"to\":2,\"by\":[\"A\"]", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "Not all seats");
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, B_TIME, 0, 0);
    add_line(&f, "\"host\":\"rewind\",\"to\":1,\"by\":[\"A\",\"B\"]", 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "over");
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\",\"seat\":\"B\"", 0, 0);
    v = end_record(&f);
    ck_assert(v.good && !v.result_follows);
    begin_record(&f);
    add_line(&f, A_ADDS(2), 0, 0);
    add_line(&f, "\"host\":\"end\",\"how\":\"abort\",\"seat\":\"B\"", 0, 0);
    add_line(&f, BACK, 0, 0);
    v = end_record(&f);
    assert_fails(&v, VERIFY_RULES, 4, "over");
#undef B_TIME
#undef B_AWAY
#undef BACK
}
END_TEST

int main(void)
{
    if (sodium_init() < 0) { return EXIT_FAILURE; }
    Suite *suite = suite_create("verify");
    TCase *tcase = tcase_create("verify");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, the_record_of_section_9_holds_in_steps_1_to_5);
    tcase_add_test(tcase, any_changed_byte_fails_at_its_line);
    tcase_add_test(tcase, a_shortened_or_longer_record_fails);
    tcase_add_test(tcase, the_receipt_of_section_9_belongs_to_the_record);
    tcase_add_test(tcase, undone_actions_do_not_count_and_others_are_played_again);
    tcase_add_test(tcase, a_result_that_is_not_the_games_fails_at_the_end);
    tcase_add_test(tcase, an_undo_may_cross_no_draw);
    tcase_add_test(tcase, an_undo_takes_back_nothing_sealed_and_only_the_last_own_action);
    tcase_add_test(tcase, what_stands_on_an_undone_action_must_go_as_it_went);
    tcase_add_test(tcase, masks_are_drawn_from_their_own_numbers_again);
    tcase_add_test(tcase, a_line_may_not_draw_what_the_game_did_not_ask_for);
    tcase_add_test(tcase, a_roll_that_is_not_the_next_fails_and_a_restore_skips);
    tcase_add_test(tcase, a_rewind_goes_back_to_the_state_of_its_line_and_keeps_r);
    tcase_add_test(tcase, a_rewind_takes_all_seats_and_goes_behind_an_open_line);
    tcase_add_test(tcase, rewinds_follow_each_other_and_nothing_is_undone_behind_them);
    tcase_add_test(tcase, the_rules_refuse_and_are_cited);
    tcase_add_test(tcase, a_forged_nonce_fails_at_its_line_though_the_chain_be_made_anew);
    tcase_add_test(tcase, a_restore_may_come_before_the_begin);
    tcase_add_test(tcase, a_seat_that_leaves_ends_it_with_the_games_result);
    tcase_add_test(tcase, what_only_tells_leaves_the_game_and_undo_alone);
    tcase_add_test(tcase, only_an_end_on_time_is_taken_back_and_only_by_the_next_line);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
