/* tests/props/views.c: what each viewer sees, is offered and is answered, in positions of the small
 * board (rules page, section 22); expected values are those of W20 and of the worked examples. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "common/rules/waterloo/wl.h"

enum { FR, AL, AD = 1, PR = 2, TEXT_MAX = 1 << 20 };

/* A match in hand: its state, and what the last line told. */
static struct state now;
static struct events events;
static struct why why;
static const struct game *game;
static cJSON *made[64]; /* parsed texts of a test, freed at its end */
static unsigned made_n;

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    ck_assert_msg(json_parse(text, strlen(text), &json) == ERR_OK, "not JSON: %s", text);
    ck_assert_uint_lt(made_n, 64);
    made[made_n++] = json;
    return json;
}

static void setup(void)
{
    game = game_find("waterloo");
    events_init(&events);
}

static void teardown(void)
{
    while (made_n > 0) {
        cJSON_Delete(made[--made_n]);
    }
    events_finish(&events);
}

static void load(const char *options, const char *position)
{
    struct buf full;
    buf_init(&full, TEXT_MAX);
    why_clear(&why);
    ck_assert_int_eq(game->options(parse(options), &full, &why), ERR_OK);
    cJSON *in = parse(position);
    ck_assert_int_eq(json_normalise(in, &why), ERR_OK);
    memset(&now, 0, sizeof now);
    enum err err = game->position_read(parse(buf_str(&full)), in, &now, &why);
    ck_assert_msg(err == ERR_OK, "%s %s %s", why.rule, why.member, why.text);
    buf_finish(&full);
}

/* A line of a seat, with these faces of dice ("" for none); all of them must be used. */
static enum err try_line(unsigned seat, const char *action, const char *faces)
{
    uint8_t dies[64];
    size_t n = strlen(faces);
    struct dice dice;
    struct state next = now;
    for (size_t i = 0; i < n; i++) {
        dies[i] = (uint8_t)(faces[i] - '0');
    }
    dice_init_lists(&dice, dies, n, NULL, 0);
    cJSON *in = parse(action);
    why_clear(&why);
    events_reset(&events);
    enum err err = json_normalise(in, &why);
    if (err == ERR_OK) { err = game->apply(&next, seat, in, &dice, &events, &why); }
    if (err != ERR_OK) { return err; }
    ck_assert(!dice.exhausted);
    ck_assert_uint_eq(dice.die_at, n);
    ck_assert_ptr_null(game->check(&next));
    now = next;
    return ERR_OK;
}

static void line(unsigned seat, const char *action, const char *faces)
{
    enum err err = try_line(seat, action, faces);
    ck_assert_msg(err == ERR_OK, "%s refused: %s %s %s", action, why.rule, why.member, why.text);
}

static char *view_text(unsigned viewer)
{
    struct buf out;
    size_t n = 0;
    buf_init(&out, TEXT_MAX);
    jw_object_begin(&out);
    game->view(&now, viewer, &out);
    jw_object_end(&out);
    return buf_take(&out, &n);
}

static cJSON *view(unsigned viewer)
{
    char *text = view_text(viewer);
    cJSON *json = parse(text);
    free(text);
    return json;
}

/* The value at a path such as "board/towns/W3"; its text, "-" if there is none. */
static const char *at(const cJSON *json, const char *path)
{
    static char texts[8][4096];
    static unsigned turn;
    char *text = texts[turn++ % 8], copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *rest = copy, *name = strsep(&rest, "/"); name != NULL && json != NULL;
         name = strsep(&rest, "/")) {
        json = cJSON_GetObjectItemCaseSensitive(json, name);
    }
    if (json == NULL) { return "-"; }
    struct buf out;
    buf_init(&out, 4096);
    jw_value(&out, json);
    snprintf(text, sizeof texts[0], "%s", buf_str(&out));
    buf_finish(&out);
    return text;
}

static const char *ask(unsigned viewer, const char *question)
{
    static char text[8192];
    struct buf out;
    buf_init(&out, sizeof text - 1);
    why_clear(&why);
    cJSON *in = parse(question);
    enum err err = json_normalise(in, &why);
    if (err == ERR_OK) { err = game->ask(&now, viewer, in, &out, &why); }
    snprintf(text, sizeof text, "%s", err == ERR_OK ? buf_str(&out) : why.text);
    buf_finish(&out);
    return text;
}

#define FIELD                                                                                      \
    "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A FR-B FR-C FR-K FR-Q FR-H\",\"W3\":\"AD-A "        \
    "AD-B\"}}"

/* ---- movement ---- */

START_TEST(an_enemy_sees_counts_and_no_units_W20_1)
{
    load("{}", FIELD);
    cJSON *al = view(AL), *all = view(VIEWER_ALL), *public = view(VIEWER_PUBLIC);
    ck_assert_str_eq(at(al, "board/towns/F2"), "{\"units\":{\"FR\":6}}");
    ck_assert_str_eq(at(al, "board/units/FR-A"), "-");
    ck_assert_str_eq(at(al, "board/units/AD-B"),
                     "{\"type\":\"infantry\",\"cv\":4,\"town\":\"W3\"}");
    ck_assert_str_eq(at(al, "board/nations/PR"), "{\"left\":16,\"surrenders_at\":8}");
    ck_assert_str_eq(at(public, "board/units"), "{}");
    ck_assert_str_eq(at(public, "board/towns/W3"), "{\"units\":{\"AD\":2}}");
    ck_assert_str_eq(at(all, "board/units/FR-A/town"), "\"F2\"");
    ck_assert_str_eq(at(all, "board/units/PR-P/type"), "\"horse_artillery\"");
    ck_assert_str_eq(at(al, "prompt"), "-");
    ck_assert_str_eq(at(view(FR), "prompt"), "{\"id\":\"move\"}");
    ck_assert_str_eq(at(al, "turn"), "{\"slot\":1,\"of\":12,\"side\":\"FR\",\"night\":false}");
}
END_TEST

START_TEST(drafts_are_seen_by_their_own_side_alone_W4_10)
{
    load("{}", FIELD);
    char *before = view_text(AL), *before_public = view_text(VIEWER_PUBLIC);
    line(FR,
         "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\"]},"
         "{\"unit\":\"FR-K\",\"path\":[\"W2\",\"W3\"]}]}",
         "");
    char *after = view_text(AL), *after_public = view_text(VIEWER_PUBLIC);
    ck_assert_str_eq(before, after);
    ck_assert_str_eq(before_public, after_public);
    cJSON *fr = view(FR);
    ck_assert_str_eq(at(fr, "board/marches/FR-K"),
                     "{\"path\":[\"W2\",\"W3\"],\"forced\":false,\"order\":1}");
    ck_assert_str_eq(at(fr, "board/roads/r04"), "{\"used\":2,\"left\":6}");
    ck_assert_str_eq(at(fr, "board/roads/r10"), "{\"used\":1,\"left\":7}");
    ck_assert_str_eq(at(fr, "board/groups"), "{\"FR\":{\"used\":[\"F2\"],\"of\":2}}");
    ck_assert_str_eq(
        at(fr, "board/attacks/W3"),
        "{\"attackers\":{\"FR\":1},\"defenders\":{\"AD\":2},\"roads\":[\"r10\"],\"enough\":false}");
    free(before);
    free(before_public);
    free(after);
    free(after_public);
}
END_TEST

START_TEST(a_forced_march_shows_its_die_and_not_the_unit_E70)
{
    load("{}", "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A\"}}");
    line(FR,
         "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\",\"W3\"],\"forced\":"
         "true}]}",
         "");
    line(FR, "{\"do\":\"end_movement\"}", "3");
    char *text = view_text(AL);
    ck_assert_str_eq(at(view(AL), "board/towns/W3"), "{\"units\":{\"FR\":1}}");
    ck_assert_ptr_null(strstr(text, "FR-A"));
    struct buf told;
    buf_init(&told, TEXT_MAX);
    events_write(&events, AL, &told);
    ck_assert_ptr_null(strstr(buf_str(&told), "FR-A"));
    ck_assert_ptr_nonnull(strstr(buf_str(&told), "\"dice\":[3]"));
    ck_assert_str_eq(at(view(FR), "board/units/FR-A/cv"), "3");
    buf_finish(&told);
    free(text);
}
END_TEST

START_TEST(an_enemy_sees_both_allies_as_acting_while_they_move_W20_3)
{
    load("{\"players\":3}",
         "{\"base\":\"fixture\",\"slot\":2,\"at\":{\"W3\":\"AD-A\",\"E1\":\"PR-A\"}}");
    char *before = view_text(FR);
    line(AD, "{\"do\":\"end_movement\"}", "");
    char *after = view_text(FR);
    ck_assert_str_eq(before, after);
    ck_assert_str_eq(at(view(FR), "to_act"), "[\"AD\",\"PR\"]");
    ck_assert_str_eq(at(view(VIEWER_PUBLIC), "waits_for"), "[\"AD\",\"PR\"]");
    ck_assert_str_eq(at(view(PR), "to_act"), "[\"PR\"]");
    ck_assert_str_eq(at(view(PR), "board/done"), "[\"AD\"]");
    ck_assert_str_eq(at(view(FR), "board/done"), "-");
    free(before);
    free(after);
}
END_TEST

/* ---- response ---- */

/* E20: FR-A, FR-B, FR-C have entered W2 by r04; AD-A and AD-B stand there. */
static void load_e20(void)
{
    load("{}",
         "{\"base\":\"fixture\",\"state\":\"RESPOND\",\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B\"},"
         "\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]}},\"marched\":[\"FR-A\",\"FR-B\",\"FR-"
         "C\"]}");
}

START_TEST(the_response_step_stays_unseen_until_it_ends_W20_3)
{
    load_e20();
    char *before = view_text(FR);
    ck_assert_str_eq(at(view(AL), "prompt"),
                     "{\"id\":\"respond\",\"towns\":[\"W2\"],\"must_retreat\":[\"W2\"]}");
    line(AL,
         "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
         "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-B\",\"path\":[\"W3\"]}]}",
         "416");
    ck_assert_str_eq(at(view(AL), "state"), "\"PURSUIT_LOSS\"");
    ck_assert_str_eq(at(view(AL), "board/pursuit_loss"),
                     "{\"town\":\"W2\",\"stage\":\"B\",\"hits\":{\"AL\":2}}");
    char *asked = view_text(FR);
    ck_assert_str_eq(before, asked);
    line(AL,
         "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"AD-A\",\"cv\":1},{\"unit\":"
         "\"AD-B\",\"cv\":1}]}",
         "");
    ck_assert_str_eq(at(view(AL), "board/units/AD-A"),
                     "{\"type\":\"infantry\",\"cv\":3,\"town\":\"W3\",\"marked_until\":2}");
    char *gone = view_text(FR);
    ck_assert_str_eq(before, gone);
    line(AL, "{\"do\":\"end_response\"}", "");
    ck_assert_str_eq(at(view(FR), "board/towns/W3"),
                     "{\"units\":{\"AD\":2},\"marked\":{\"AD\":2}}");
    ck_assert_str_eq(at(view(FR), "board/towns/W2"), "{\"units\":{\"FR\":3}}");
    free(before);
    free(asked);
    free(gone);
}
END_TEST

/* All that an enemy and the public are told of a response step, line by line, and see after each.
 */
static char *told_of_response(const char *position, const char *routes, const char *losses)
{
    struct buf all;
    size_t n = 0;
    const char *lines[] = {routes, losses, "{\"do\":\"end_response\"}"};
    buf_init(&all, TEXT_MAX);
    load("{}", position);
    for (unsigned i = 0; i < 3; i++) {
        bool asked = strcmp(at(view(AL), "state"), "\"PURSUIT_LOSS\"") == 0;
        ck_assert(asked == (lines[i] == losses)); /* by hand where it is wanted, and only there */
        line(AL, lines[i], i == 0 ? "4" : "");
        if (lines[i] != lines[2]) { ck_assert_uint_eq(events.told >> FR & 1U, 0); }
        if (lines[i] != lines[2]) { ck_assert_uint_eq(events.told >> VIEWER_PUBLIC & 1U, 0); }
    }
    for (unsigned viewer = FR; viewer <= VIEWER_PUBLIC; viewer += VIEWER_PUBLIC) {
        char *text = view_text(viewer);
        events_write(&events, viewer, &all);
        buf_append_str(&all, text);
        free(text);
    }
    return buf_take(&all, &n);
}

static char *told_of_two(const char *a, unsigned cv_a, const char *b, unsigned cv_b,
                         const char *loss)
{
    char position[512], routes[256], losses[256];
    snprintf(position, sizeof position,
             "{\"base\":\"fixture\",\"state\":\"RESPOND\",\"at\":{\"W2\":\"FR-A FR-B FR-H\"},"
             "\"units\":{\"%s\":{\"town\":\"W2\",\"cv\":%u},\"%s\":{\"town\":\"W2\",\"cv\":%u}},"
             "\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]}},"
             "\"marched\":[\"FR-A\",\"FR-B\",\"FR-H\"]}",
             a, cv_a, b, cv_b);
    snprintf(routes, sizeof routes,
             "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"%s\",\"path\":[\"W3\"]},{\"unit\":\"%s\",\"path\":[\"W3\"]}]}",
             a, b);
    snprintf(losses, sizeof losses,
             "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"%s\",\"cv\":1}]}", loss);
    return told_of_response(position, routes, losses);
}

/* Stage A of pursuit, one hit: a lone mounted unit that must take it, against two that could. */
START_TEST(a_hit_on_a_lone_mounted_unit_looks_like_a_hit_on_one_of_two_W19_2)
{
    /* Either owner is asked, since two units retreat; whose hit it was is nobody else's to know. */
    char *lone = told_of_two("AD-G", 3, "AD-A", 4, "AD-G");
    char *one = told_of_two("AD-G", 3, "AD-H", 3, "AD-G");
    char *other = told_of_two("AD-G", 3, "AD-H", 3, "AD-H");
    ck_assert_str_eq(lone, one);
    ck_assert_str_eq(lone, other);
    ck_assert_ptr_nonnull(strstr(lone, "\"hits\":1"));
    free(lone);
    free(one);
    free(other);
}
END_TEST

/* ---- battle ---- */

START_TEST(a_deployment_is_seen_as_counts_and_then_turned_up_E30)
{
    load("{}", "{\"base\":\"fixture\",\"state\":\"DEPLOY_DEF\",\"at\":{\"W2\":\"FR-A FR-B FR-C "
               "FR-D AD-A AD-B AD-K AD-D\"},"
               "\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"]}}}");
    ck_assert_str_eq(at(view(AL), "prompt"),
                     "{\"id\":\"deploy_defence\",\"battle\":\"W2\",\"battles\":[\"W2\"]}");
    ck_assert_str_eq(at(view(FR), "board/battles/W2/undeployed/def"), "{\"hidden\":{\"AD\":4}}");
    line(AL,
         "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\",\"AD-K\"],\"2\":[\"AD-"
         "B\"],\"3\":[\"AD-D\"]}}",
         "");
    cJSON *fr = view(FR);
    ck_assert_str_eq(at(fr, "board/battles/W2/lanes/1/def"), "{\"hidden\":{\"AD\":2}}");
    ck_assert_str_eq(at(fr, "board/battles/W2/lanes/3/def"), "{\"hidden\":{\"AD\":1}}");
    ck_assert_str_eq(at(fr, "board/battles/W2/reserve"), "-");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/undeployed/att"), "{\"hidden\":{\"FR\":4}}");
    line(FR,
         "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"FR-A\"],\"2\":[\"FR-B\"],"
         "\"3\":[\"FR-C\"],"
         "\"reserve\":[\"FR-D\"]}}",
         "");
    ck_assert_str_eq(at(view(FR), "board/battles/W2/lanes/2/def"),
                     "{\"units\":{\"AD-B\":{\"type\":\"infantry\",\"cv\":4}}}");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/lanes/3/att"),
                     "{\"units\":{\"FR-C\":{\"type\":\"infantry\",\"cv\":4}}}");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/reserve/att"), "{\"hidden\":{\"FR\":1}}");
    ck_assert_str_eq(at(view(FR), "board/battles/W2/reserve/att"),
                     "{\"units\":{\"FR-D\":{\"type\":\"infantry\",\"cv\":4}}}");
    ck_assert_str_eq(at(view(FR), "board/ct"), "{\"side\":\"att\",\"n\":1,\"of\":\"FR\"}");
}
END_TEST

START_TEST(a_unit_that_goes_to_the_reserve_is_one_of_a_number_again_E71)
{
    load("{}",
         "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"at\":{\"F2\":\"FR-P\"},\"battles\":{\"W2\":{"
         "\"attack_roads\":[\"r04\"],\"reserve\":\"FR-D FR-E\",\"lanes\":{"
         "\"1\":{\"att\":\"FR-A\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-J FR-B\",\"def\":\"AD-B\"},"
         "\"3\":{\"att\":\"FR-C\",\"def\":\"AD-C\"}}}}}");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/reserve/att"), "{\"hidden\":{\"FR\":2}}");
    line(FR, "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-J\",\"kind\":\"to_reserve\"}", "");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/reserve/att"), "{\"hidden\":{\"FR\":3}}");
    char *text = view_text(AL);
    ck_assert_ptr_null(strstr(text, "FR-J"));
    free(text);
    line(FR,
         "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-J\",\"kind\":\"from_reserve\",\"to\":1}",
         "");
    ck_assert_str_eq(at(view(AL), "board/battles/W2/lanes/1/att/units/FR-J"),
                     "{\"type\":\"cavalry\",\"cv\":3,\"moves\":2}");
}
END_TEST

/* ---- questions ---- */

START_TEST(odds_count_the_throws_W9)
{
    /* A2: FR-N; A1+: FR-H since CT 1; AD-A in square in lane 3 (E31, E35, E40, E42). */
    load("{}",
         "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"att\",\"n\":2},\"battles\":"
         "{\"W2\":{"
         "\"attack_roads\":[\"r04\"],\"reserve\":\"AD-K "
         "FR-I\",\"units\":{\"AD-C\":{\"square\":true}},\"lanes\":{"
         "\"1\":{\"adv\":\"FR-H@1\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-N\",\"def\":\"AD-B\"},"
         "\"3\":{\"att\":\"FR-O FR-C\",\"def\":\"AD-C\"}}}}}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"FR-N\",\"target\":\"AD-B\"}"),
        "{\"dice\":3,\"hit_on\":6,\"cv\":4,\"ways\":[125,75,15,1],\"ok\":true}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"FR-H\",\"target\":\"AD-A\"}"),
        "{\"dice\":3,\"hit_on\":5,\"cv\":4,\"ways\":[64,96,48,8],\"ok\":true}");
    ck_assert_str_eq(
        ask(AL, "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"FR-O\",\"target\":\"AD-C\"}"),
        "{\"dice\":3,\"hit_on\":5,\"cv\":4,\"ways\":[64,96,48,8],\"ok\":true}");
    ck_assert_str_eq(
        ask(AL, "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"AD-A\",\"target\":\"FR-H\"}"),
        "{\"dice\":4,\"hit_on\":6,\"cv\":3,\"ways\":[625,500,150,20,1],\"ok\":false,\"rule\":\"W7."
        "1\"}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"FR-C\",\"target\":\"AD-C\"}"),
        "{\"dice\":4,\"hit_on\":6,\"cv\":4,\"ways\":[625,500,150,20,1],\"ok\":false,\"rule\":\"W9."
        "2\"}");
}
END_TEST

START_TEST(hidden_and_unknown_units_are_refused_alike_W20_3)
{
    load("{}",
         "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"at\":{\"W3\":\"AD-L\"},\"battles\":{\"W2\":{"
         "\"attack_roads\":[\"r04\"],\"reserve\":\"AD-K\",\"lanes\":{"
         "\"1\":{\"att\":\"FR-N\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-B\",\"def\":\"AD-B\"},"
         "\"3\":{\"att\":\"FR-C\",\"def\":\"AD-C\"}}}}}");
    static const char *const targets[] = {"AD-K", "AD-L", "AD-B", "AD-Z", "x"};
    char first[2][256];
    for (unsigned i = 0; i < 5; i++) {
        char question[2][160];
        snprintf(question[0], sizeof question[0],
                 "{\"ask\":\"odds\",\"battle\":\"W2\",\"unit\":\"FR-N\",\"target\":\"%s\"}",
                 targets[i]);
        snprintf(question[1], sizeof question[1], "{\"ask\":\"reach\",\"unit\":\"%s\"}",
                 targets[i]);
        for (unsigned q = 0; q < 2; q++) {
            const char *answer = ask(FR, question[q]);
            if (i == 0) { snprintf(first[q], sizeof first[q], "%s", answer); }
            ck_assert_str_eq(answer, first[q]);
            ck_assert_ptr_null(strchr(answer, '{'));
        }
    }
}
END_TEST

START_TEST(reach_and_path_are_those_of_the_rules_E10_E13_E14)
{
    load("{}", FIELD);
    cJSON *reach = parse(ask(FR, "{\"ask\":\"reach\",\"unit\":\"FR-K\"}"));
    ck_assert_str_eq(at(reach, "towns/W3"),
                     "{\"path\":[\"E1\",\"W3\"],\"forced\":false,\"attack\":true}");
    ck_assert_str_eq(at(reach, "towns/W2"), "{\"path\":[\"W2\"],\"forced\":false}");
    ck_assert_str_eq(at(reach, "towns/BR/forced"), "true"); /* three towns, round by E3 or W4 */
    ck_assert_str_eq(ask(FR, "{\"ask\":\"path\",\"unit\":\"FR-A\",\"path\":[\"W2\",\"W3\"]}"),
                     "{\"ok\":true,\"forced\":true}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"path\",\"unit\":\"FR-H\",\"path\":[\"W2\",\"W3\",\"BR\"]}"),
        "{\"ok\":false,\"forced\":true,\"rule\":\"W4.8\"}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"path\",\"unit\":\"FR-A\",\"path\":[\"W2\",\"W4\",\"BR\"]}"),
        "{\"ok\":false,\"forced\":true,\"rule\":\"W4.4\"}");
    ck_assert_str_eq(
        ask(FR, "{\"ask\":\"path\",\"unit\":\"FR-H\",\"path\":[\"W2\",\"W4\",\"BR\"]}"),
        "{\"ok\":true,\"forced\":true}");
    line(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-K\",\"path\":[\"W2\"]}]}", "");
    reach = parse(ask(FR, "{\"ask\":\"reach\",\"unit\":\"FR-K\"}")); /* as if it had no draft */
    ck_assert_str_eq(at(reach, "towns/W2"), "{\"path\":[\"W2\"],\"forced\":false}");
    ck_assert_str_eq(at(parse(ask(AL, "{\"ask\":\"reach\",\"unit\":\"AD-A\"}")), "rule"),
                     "\"W19\"");
}
END_TEST

START_TEST(capacity_is_that_of_the_board_W4_6_W4_7)
{
    load("{}", FIELD);
    cJSON *roads = parse(ask(VIEWER_PUBLIC, "{\"ask\":\"capacity\"}"));
    static const char *const rivers_minor[] = {"r05", "r11", "r14", "r19"};
    for (unsigned i = 0; i < 4; i++) {
        char path[16];
        snprintf(path, sizeof path, "roads/%s", rivers_minor[i]);
        ck_assert_str_eq(at(roads, path), "{\"of\":3,\"left\":3}");
    }
    ck_assert_str_eq(at(roads, "roads/r13"), "{\"of\":4,\"left\":4}");
    ck_assert_str_eq(at(roads, "roads/r04"), "{\"of\":8,\"left\":8}");
    ck_assert_str_eq(at(roads, "roads/r07"), "{\"of\":6,\"left\":6}");
    line(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"E1\"]}]}", "");
    ck_assert_str_eq(at(parse(ask(FR, "{\"ask\":\"capacity\"}")), "roads/r05"),
                     "{\"of\":3,\"left\":2}");
    ck_assert_str_eq(at(parse(ask(AL, "{\"ask\":\"capacity\",\"side\":\"FR\"}")), "roads/r05"),
                     "{\"of\":3,\"left\":3}");
}
END_TEST

START_TEST(a_question_that_is_none_names_its_member)
{
    load("{}", FIELD);
    static const struct {
        const char *question, *member;
    } rows[] = {
        {"{}", "ask"},
        {"{\"ask\":\"weather\"}", "ask"},
        {"{\"ask\":\"reach\"}", "unit"},
        {"{\"ask\":\"reach\",\"unit\":3}", "unit"},
        {"{\"ask\":\"reach\",\"unit\":\"FR-A\",\"x\":1}", "x"},
        {"{\"ask\":\"path\",\"unit\":\"FR-A\",\"path\":[1]}", "path"},
        {"{\"ask\":\"path\",\"unit\":\"FR-A\",\"path\":[\"nowhere\"]}", "path"},
        {"{\"ask\":\"capacity\",\"side\":\"PR\"}", "side"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf out;
        buf_init(&out, 8192);
        why_clear(&why);
        cJSON *in = parse(rows[i].question);
        ck_assert_int_eq(game->ask(&now, FR, in, &out, &why), ERR_INVALID_PARAMS);
        ck_assert_str_eq(why.member, rows[i].member);
        buf_finish(&out);
    }
}
END_TEST

/* ---- forms at the edge ---- */

static unsigned below(void *state, unsigned n)
{
    uint32_t *x = state;
    *x = *x * 1664525U + 1013904223U;
    return (*x >> 8) % n;
}

/* All forms of the seat fit their bytes, and what is picked from them is accepted. */
static unsigned check_forms(unsigned seat, unsigned rounds)
{
    struct buf out, action;
    uint32_t random = 1815;
    struct forms_random source = {below, &random};
    buf_init(&out, TEXT_MAX);
    buf_init(&action, TEXT_MAX);
    game->actions(&now, seat, &out);
    ck_assert_uint_le(out.len, 8192);
    cJSON *forms = parse(buf_str(&out));
    const struct state kept = now;
    unsigned n = 0;
    for (const cJSON *form = forms->child; form != NULL; form = form->next, n++) {
        for (unsigned i = 0; i < rounds; i++) {
            struct dice dice;
            struct hash key = {{(uint8_t)i}};
            cJSON *in = NULL;
            struct state next = kept;
            buf_reset(&action);
            ck_assert_int_eq(forms_pick(form, &source, &action), ERR_OK);
            ck_assert_int_eq(json_parse(buf_str(&action), action.len, &in), ERR_OK);
            ck_assert_int_eq(json_normalise(in, &why), ERR_OK);
            dice_init(&dice, &key, &key, 0, 0);
            events_reset(&events);
            enum err err = game->apply(&next, seat, in, &dice, &events, &why);
            ck_assert_msg(err == ERR_OK, "%s: %s %s", buf_str(&action), why.rule, why.text);
            ck_assert_ptr_null(game->check(&next));
            cJSON_Delete(in);
        }
    }
    buf_finish(&out);
    buf_finish(&action);
    return n;
}

START_TEST(five_who_can_leave_by_one_small_road_E25)
{
    load("{}", "{\"base\":\"fixture\",\"state\":\"RESPOND\",\"at\":{\"E2\":\"FR-A FR-B FR-C PR-A "
               "PR-B PR-C PR-D PR-E\","
               "\"E1\":\"FR-D\"},\"attacks\":{\"E2\":{\"attack_roads\":[\"r06\",\"r12\"]}}}");
    /* Fight; or three go and two are stranded, the strong first or the weak. */
    ck_assert_uint_eq(check_forms(AL, 20), 3);
}
END_TEST

START_TEST(whole_armies_in_one_town_fit_their_bytes)
{
    static const char *const allies = "AD-A AD-B AD-C AD-D AD-E AD-F AD-G AD-H AD-I AD-J AD-K AD-L "
                                      "AD-M AD-N PR-A PR-B PR-C PR-D PR-E "
                                      "PR-F PR-G PR-H PR-I PR-J PR-K PR-L PR-M PR-N PR-O PR-P";
    static const char *const french =
        "FR-A FR-B FR-C FR-D FR-E FR-F FR-G FR-H FR-I FR-J FR-K FR-L FR-M FR-N FR-O FR-P FR-Q FR-R";
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"state\":\"RESPOND\",\"at\":{\"quatre-bras\":\"%s %s\"},"
        "\"attacks\":{\"quatre-bras\":{\"attack_roads\":[\"%s\"]}}}",
        french, allies,
        wl_boards[WL_BASE_REAL]
            .map.road_ids[wl_boards[WL_BASE_REAL]
                              .map.link[pmap_town(&wl_boards[WL_BASE_REAL].map, "quatre-bras")][0]
                              .road]);
    load("{}", text);
    ck_assert_uint_ge(check_forms(AL, 3), 2);
    snprintf(text, sizeof text, "{\"slot\":2,\"at\":{\"brussels\":\"%s\",\"hal\":\"%s\"}}", allies,
             french);
    load("{}", text);
    ck_assert_uint_ge(check_forms(AL, 20), 4);
    snprintf(text, sizeof text, "{\"at\":{\"brussels\":\"%s\",\"hal\":\"%s\"}}", allies, french);
    load("{}", text);
    ck_assert_uint_ge(check_forms(FR, 20), 4);
}
END_TEST

START_TEST(every_unit_in_a_town_of_its_own_fits_its_bytes)
{
    const struct pmap *map = &wl_boards[WL_BASE_REAL].map;
    for (unsigned side = 0; side < 2; side++) {
        char text[8192];
        size_t n =
            (size_t)snprintf(text, sizeof text, "{\"slot\":%u,\"units\":{", side == 0 ? 2U : 1U);
        unsigned first = side == 0 ? 18 : 0, count = side == 0 ? 30 : 18;
        for (unsigned u = 0; u < WL_UNITS; u++) {
            bool spread = u >= first && u < first + count;
            unsigned town = spread ? u - first : 46 - (u % 5);
            n += (size_t)snprintf(text + n, sizeof text - n, "%s\"%s\":{\"town\":\"%s\"}",
                                  u == 0 ? "" : ",", wl_unit_facts[u].id, map->town_ids[town]);
        }
        snprintf(text + n, sizeof text - n, "}}");
        load("{}", text);
        ck_assert_uint_ge(check_forms(side == 0 ? AL : FR, 10), count / 2);
    }
}
END_TEST

START_TEST(the_result_names_winners_and_points)
{
    load("{\"players\":3}",
         "{\"base\":\"fixture\",\"slot\":12,\"state\":\"GAME_OVER\",\"surrendered\":[\"AD\"],"
         "\"result\":{\"winner\":\"AL\",\"why\":\"time\"},\"gone\":\"AD-A AD-B AD-C AD-D AD-E AD-F "
         "AD-G AD-H AD-I AD-J AD-K AD-L AD-M AD-N\"}");
    struct buf out;
    buf_init(&out, 4096);
    game->result(&now, &out);
    ck_assert_str_eq(buf_str(&out),
                     "{\"winner\":\"AL\",\"why\":\"time\",\"winners\":[\"AD\",\"PR\"],"
                     "\"points\":{\"FR\":0,\"AD\":1,\"PR\":1}}"); /* W18.8 */
    buf_finish(&out);
    ck_assert_str_eq(at(view(FR), "board/result"), "{\"winner\":\"AL\",\"why\":\"time\"}");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("views of waterloo");
    TCase *tests = tcase_create("views");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_enemy_sees_counts_and_no_units_W20_1);
    tcase_add_test(tests, drafts_are_seen_by_their_own_side_alone_W4_10);
    tcase_add_test(tests, a_forced_march_shows_its_die_and_not_the_unit_E70);
    tcase_add_test(tests, an_enemy_sees_both_allies_as_acting_while_they_move_W20_3);
    tcase_add_test(tests, the_response_step_stays_unseen_until_it_ends_W20_3);
    tcase_add_test(tests, a_hit_on_a_lone_mounted_unit_looks_like_a_hit_on_one_of_two_W19_2);
    tcase_add_test(tests, a_deployment_is_seen_as_counts_and_then_turned_up_E30);
    tcase_add_test(tests, a_unit_that_goes_to_the_reserve_is_one_of_a_number_again_E71);
    tcase_add_test(tests, odds_count_the_throws_W9);
    tcase_add_test(tests, hidden_and_unknown_units_are_refused_alike_W20_3);
    tcase_add_test(tests, reach_and_path_are_those_of_the_rules_E10_E13_E14);
    tcase_add_test(tests, capacity_is_that_of_the_board_W4_6_W4_7);
    tcase_add_test(tests, a_question_that_is_none_names_its_member);
    tcase_add_test(tests, five_who_can_leave_by_one_small_road_E25);
    tcase_add_test(tests, whole_armies_in_one_town_fit_their_bytes);
    tcase_add_test(tests, every_unit_in_a_town_of_its_own_fits_its_bytes);
    tcase_add_test(tests, the_result_names_winners_and_points);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
