/* tests/unit/test_wl_rules.c: rules of Waterloo that cases cannot ask for: seats that leave,
 * hand-overs, what is sealed, who is told of what and when, refusals that leave the state alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/waterloo/wl.h"

enum { FR, AL, AD = 1, PR = 2, BIT_ALL = 1 << VIEWER_ALL, BIT_PUBLIC = 1 << VIEWER_PUBLIC };

static struct state state;
static struct events events;
static struct why why;
static struct dice dice;
static const uint8_t *faces;
static size_t face_count;

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    struct why own;
    why_clear(&own);
    ck_assert_msg(json_parse(text, strlen(text), &json) == ERR_OK, "%s", text);
    ck_assert_msg(json_normalise(json, &own) == ERR_OK, "%s", text);
    return json;
}

static void begin(const char *options, const char *position)
{
    cJSON *given = parse(options);
    cJSON *json = parse(position);
    why_clear(&why);
    memset(&state, 0, sizeof state);
    enum err err = wl_position_read(given, json, &state, &why);
    ck_assert_msg(err == ERR_OK, "%s: %s %s", position, why.member, why.text);
    cJSON_Delete(json);
    cJSON_Delete(given);
    faces = NULL;
    face_count = 0;
}

static void roll(const uint8_t *list, size_t n)
{
    faces = list;
    face_count = n;
}

static enum err act(unsigned seat, const char *text)
{
    cJSON *action = parse(text);
    events_reset(&events);
    why_clear(&why);
    dice_init_lists(&dice, faces, face_count, NULL, 0);
    struct state before;
    memcpy(&before, &state, sizeof before);
    enum err err = wl_apply(&state, seat, action, &dice, &events, &why);
    if (err != ERR_OK) {
        ck_assert_msg(memcmp(&before, &state, sizeof before) == 0, "%s changed the state", text);
        ck_assert_uint_eq(events.count, 0);
    } else {
        const char *broken = wl_check(&state);
        ck_assert_msg(broken == NULL, "after %s: %s", text, broken);
        ck_assert(!dice.exhausted);
        ck_assert(!events.failed);
    }
    cJSON_Delete(action);
    return err;
}

static void does(unsigned seat, const char *text)
{
    enum err err = act(seat, text);
    ck_assert_msg(err == ERR_OK, "%s refused: %s %s %s", text, why.rule, why.member, why.text);
}

static void refused(unsigned seat, const char *text, enum err with, const char *rule)
{
    enum err err = act(seat, text);
    ck_assert_msg(err == with, "%s: %s", text, err_kind(err));
    ck_assert_msg(strcmp(why.rule, rule) == 0, "%s: %s, not %s", text, why.rule, rule);
}

static void leaves(unsigned seat)
{
    events_reset(&events);
    dice_init_lists(&dice, NULL, 0, NULL, 0);
    ck_assert_int_eq(wl_leave(&state, seat, LEAVE_RESIGNED, &dice, &events), ERR_OK);
    const char *broken = wl_check(&state);
    ck_assert_msg(broken == NULL, "after leaving: %s", broken);
    ck_assert(events.sealed);
}

/* What a viewer was told, as text. */
static const char *told(unsigned viewer)
{
    static struct buf buf;
    buf_finish(&buf);
    buf_init(&buf, 1 << 20);
    events_write(&events, viewer, &buf);
    return buf_str(&buf);
}

static bool hears(unsigned viewer, const char *part)
{
    return strstr(told(viewer), part) != NULL;
}

static void position_is(const char *text)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    wl_position_write(&state, &buf);
    cJSON *whole = parse(buf_str(&buf));
    cJSON *part = parse(text);
    ck_assert_msg(json_matches(part, whole), "%s\nis not in\n%s", text, buf_str(&buf));
    cJSON_Delete(part);
    cJSON_Delete(whole);
    buf_finish(&buf);
}

/* ---- who is told, and when (W20) ---- */

#define ATTACK_W2                                                                                  \
    "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A FR-B FR-K\",\"W2\":\"AD-A AD-G PR-A\"}}"
#define MARCH_W2                                                                                   \
    "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\"]},"                        \
    "{\"unit\":\"FR-B\",\"path\":[\"W2\"]},{\"unit\":\"FR-K\",\"path\":[\"W2\"]}]}"

START_TEST(a_draft_is_told_to_nobody_but_its_side_W20_1)
{
    begin("{}", ATTACK_W2);
    does(FR, MARCH_W2);
    ck_assert_uint_eq(events.told, 1U << FR | BIT_ALL);
    ck_assert(!events.sealed);
    does(FR, "{\"do\":\"unmarch\",\"units\":[\"FR-K\"]}");
    ck_assert_uint_eq(events.told, 1U << FR | BIT_ALL);
    ck_assert(!events.sealed);
}
END_TEST

START_TEST(a_response_is_told_to_the_enemy_when_the_step_ends_W20_3)
{
    static const uint8_t list[] = {4, 2, 6, 1};
    begin("{}", ATTACK_W2);
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\"}");
    ck_assert(events.sealed);
    ck_assert_uint_eq(events.told, 1U << FR | 1U << AL | BIT_ALL | BIT_PUBLIC);
    roll(list, 1); /* stage A: FR-K alone, one die */
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-G\",\"path\":[\"W3\"]},"
             "{\"unit\":\"PR-A\",\"path\":[\"E1\"]}]}");
    ck_assert_uint_eq(events.told, 1U << AL | BIT_ALL);
    ck_assert(!hears(AL, "\"rolls\""));
    ck_assert(hears(VIEWER_ALL, "\"rolls\":{\"FR-K\":[4]}"));
    position_is(
        "{\"state\":\"PURSUIT_LOSS\",\"pursuit_loss\":{\"stage\":\"A\",\"hits\":{\"AL\":1}}}");
    does(AL, "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"AD-G\",\"cv\":1}]}");
    ck_assert_uint_eq(events.told, 1U << AL | BIT_ALL);
    does(AL, "{\"do\":\"end_response\"}");
    ck_assert(events.sealed);
    ck_assert(hears(FR, "{\"ev\":\"pursuit\",\"town\":\"W2\",\"side\":\"FR\",\"stage\":\"A\","
                        "\"dice\":[4],\"hits\":1,\"rolls\":{\"FR-K\":[4]}}"));
    ck_assert(hears(VIEWER_PUBLIC, "\"dice\":[4],\"hits\":1}"));
    ck_assert(hears(FR, "\"hidden\":[{\"nation\":\"AD\",\"from\":\"W2\",\"path\":[\"W3\"],"
                        "\"forced\":false,\"count\":2},{\"nation\":\"PR\""));
    ck_assert(!hears(FR, "AD-A") && !hears(FR, "AD-G") && !hears(FR, "PR-A"));
    ck_assert(!hears(FR, "allotted"));
}
END_TEST

/* A unit that pursuit fire kills is told to its side at once, to the enemy at the end of the step.
 */
START_TEST(a_death_in_the_response_step_waits_for_its_end_W20_3)
{
    static const uint8_t list[] = {5};
    begin("{}", "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A FR-B FR-K\",\"W2\":\"AD-I:1\"}}");
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\"}");
    roll(list, 1);
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\","
             "\"routes\":[{\"unit\":\"AD-I\",\"path\":[\"W3\"]}]}");
    ck_assert(hears(AL, "\"ev\":\"eliminated\",\"unit\":\"AD-I\""));
    ck_assert(hears(AL, "\"ev\":\"automatic\",\"seat\":\"AL\",\"do\":\"allot\""));
    ck_assert_uint_eq(events.told & (1U << FR | BIT_PUBLIC), 0);
    position_is("{\"state\":\"RESPOND\",\"units\":{\"AD-I\":{\"gone\":\"pursuit\"}}}");
    does(AL, "{\"do\":\"end_response\"}");
    ck_assert(hears(
        FR, "\"ev\":\"eliminated\",\"unit\":\"AD-I\",\"type\":\"cavalry\",\"why\":\"pursuit\""));
    ck_assert(!hears(FR, "\"ev\":\"retreated\""));
}
END_TEST

/* With no mounted attacker, or with none that fires, no die falls; that this is so is news. */
START_TEST(a_retreat_that_draws_no_fire_cannot_be_taken_back_W20_5)
{
    begin("{}", "{\"base\":\"fixture\",\"state\":\"RESPOND\","
                "\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-G\"},"
                "\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]}}}");
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-G\",\"path\":[\"W3\"]}]}");
    ck_assert(!hears(VIEWER_ALL, "\"ev\":\"pursuit\""));
    ck_assert(events.sealed);
    /* Nobody goes, so there is nothing to be seen. */
    begin("{}", "{\"base\":\"fixture\",\"state\":\"RESPOND\","
                "\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B AD-C\"},"
                "\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]}}}");
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"fight\"}");
    ck_assert(!events.sealed);
}
END_TEST

#define DEPLOY_TWO                                                                                 \
    "{\"base\":\"fixture\",\"state\":\"DEPLOY_DEF\",\"at\":{\"W2\":\"AD-A AD-B AD-C FR-A FR-B "    \
    "FR-C\",\"E2\":\"PR-A PR-B PR-C FR-D FR-E FR-F\"},\"battles\":{\"W2\":{\"attack_roads\":"      \
    "[\"r04\"]},\"E2\":{\"attack_roads\":[\"r06\"]}}}"

START_TEST(the_defence_is_told_when_all_battles_are_deployed_W6_3)
{
    begin("{}", DEPLOY_TWO);
    does(AL, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\"],\"2\":[\"AD-B\"],"
             "\"3\":[\"AD-C\"]}}");
    ck_assert_uint_eq(events.told, 1U << AL | BIT_ALL);
    ck_assert(!events.sealed);
    refused(AL, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{}}", ERR_ILLEGAL_ACTION, "W6.3");
    does(AL, "{\"do\":\"deploy\",\"battle\":\"E2\",\"columns\":{\"1\":[\"PR-A\"],\"2\":[\"PR-B\"],"
             "\"3\":[\"PR-C\"]}}");
    ck_assert(events.sealed);
    ck_assert(hears(FR, "\"battle\":\"E2\"") && hears(FR, "\"battle\":\"W2\""));
    ck_assert(!hears(FR, "AD-A") && !hears(FR, "PR-A"));
    /* The attacker's: nothing before all columns are turned up. */
    does(FR, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"FR-A\"],\"2\":[\"FR-B\"],"
             "\"3\":[\"FR-C\"]}}");
    ck_assert_uint_eq(events.told, 1U << FR | BIT_ALL);
    does(FR, "{\"do\":\"deploy\",\"battle\":\"E2\",\"columns\":{\"1\":[\"FR-D\"],\"2\":[\"FR-E\"],"
             "\"3\":[\"FR-F\"]}}");
    ck_assert(hears(VIEWER_PUBLIC, "\"ev\":\"revealed\"") && events.sealed);
    ck_assert_uint_eq(events.reveals & (1U << FR | 1U << AL | BIT_PUBLIC),
                      1U << FR | 1U << AL | BIT_PUBLIC);
}
END_TEST

#define COMBAT_W2                                                                                  \
    "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"att\",\"n\":2},\"battles\":{"   \
    "\"W2\":{\"attack_roads\":[\"r04\"],\"reserve\":\"FR-J FR-D AD-N\",\"lanes\":{\"1\":{\"att\":" \
    "\"FR-A FR-H\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-B\",\"def\":\"AD-B\"},\"3\":{\"att\":"    \
    "\"FR-N\",\"def\":\"AD-C\"}}}}}"

START_TEST(moves_seal_only_out_of_the_reserve_W20_5)
{
    begin("{}", COMBAT_W2);
    does(FR, "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-H\",\"kind\":\"to_reserve\"}");
    ck_assert(!events.sealed);
    ck_assert_uint_eq(events.reveals, 0);
    does(FR, "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-J\",\"kind\":\"from_reserve\","
             "\"to\":3}");
    ck_assert(events.sealed);
    ck_assert_uint_eq(events.reveals, 1U << AL | BIT_PUBLIC);
    does(FR, "{\"do\":\"retreat\",\"battle\":\"W2\",\"routes\":[{\"unit\":\"FR-D\",\"path\":["
             "\"F2\"]}]}");
    ck_assert(!events.sealed);
    ck_assert(hears(AL, "\"routes\":[],\"hidden\":[{\"nation\":\"FR\",\"from\":\"W2\""));
    does(FR, "{\"do\":\"end_combat_turn\"}");
    ck_assert(events.sealed);
}
END_TEST

START_TEST(refusals_of_a_target_say_the_same_W20_3)
{
    static const char *const targets[] = {"AD-N", "AD-L", "AD-Z", "AD-B", "FR-A", ""};
    char first[WHY_TEXT_MAX] = "";
    begin("{}", COMBAT_W2);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "{\"do\":\"fire\",\"battle\":\"W2\",\"unit\":\"FR-N\",\"target\":\"%s\"}",
                 targets[i]);
        refused(FR, text, ERR_ILLEGAL_ACTION, "W9.1");
        if (i == 0) { memcpy(first, why.text, sizeof first); }
        ck_assert_str_eq(first, why.text);
        ck_assert_str_eq(why.member, "");
    }
}
END_TEST

/* ---- hand-overs and whom the match waits for (W13.6, W19.1) ---- */

START_TEST(a_rout_is_not_waited_for_while_the_other_side_can_go_on_W13_6)
{
    static const uint8_t list[] = {6, 1, 1};
    begin(
        "{}",
        "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"battles\":{"
        "\"W2\":{\"attack_roads\":[\"r04\"],\"lanes\":{\"1\":{\"att\":\"FR-N\",\"def\":\"AD-D:1\"},"
        "\"2\":{\"att\":\"FR-A\",\"def\":\"AD-A\"},\"3\":{\"att\":\"FR-B\",\"def\":\"AD-B\"}}},"
        "\"E2\":{\"attack_roads\":[\"r06\"],\"lanes\":{\"1\":{\"att\":\"FR-O\",\"def\":\"PR-A\"},"
        "\"2\":{\"att\":\"FR-D\",\"def\":\"PR-B\"},\"3\":{\"att\":\"FR-E\",\"def\":\"PR-C\"}}}}}");
    roll(list, 3);
    does(FR, "{\"do\":\"fire\",\"battle\":\"W2\",\"unit\":\"FR-N\",\"target\":\"AD-D\"}");
    ck_assert_uint_eq(wl_to_act(&state), 1U << FR | 1U << AL);
    ck_assert_uint_eq(wl_waits_for(&state), 1U << FR);
    ck_assert_uint_eq(wl_interrupts(&state), 1U << AL);
    refused(AL, "{\"do\":\"fire\",\"battle\":\"E2\",\"unit\":\"PR-A\",\"target\":\"FR-O\"}",
            ERR_ILLEGAL_ACTION, "W7.1");
    does(FR, "{\"do\":\"end_combat_turn\"}");
    ck_assert_uint_eq(wl_to_act(&state), 1U << AL);
    ck_assert_uint_eq(wl_waits_for(&state), 1U << AL);
    does(AL, "{\"do\":\"rout_routes\",\"battle\":\"W2\",\"routes\":[{\"unit\":\"AD-A\",\"path\":["
             "\"W3\"]},"
             "{\"unit\":\"AD-B\",\"path\":[\"W3\"]}]}");
    /* W19.1: the routes open the sitting that goes on with the defender's combat turn. */
    ck_assert_uint_eq(wl_waits_for(&state), 1U << AL);
    ck_assert_uint_eq(wl_interrupts(&state), 0);
    position_is("{\"ct\":{\"side\":\"def\",\"n\":1}}");
}
END_TEST

/* W19.1: a turn without attack is one sitting; a retreat before combat needs no second of the
 * attacker. */
START_TEST(hand_overs_are_no_more_than_W19_1)
{
    begin("{}", ATTACK_W2);
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\",\"pursuit\":{\"W2\":\"none\"}}");
    ck_assert_uint_eq(wl_waits_for(&state), 1U << AL);
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"fight\"}");
    does(AL, "{\"do\":\"end_response\"}");
    ck_assert_uint_eq(wl_waits_for(&state), 1U << AL); /* DEPLOY_DEF: the same sitting */
    does(AL, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\"],\"2\":[\"AD-G\"],"
             "\"3\":[\"PR-A\"]}}");
    ck_assert_uint_eq(wl_waits_for(&state), 1U << FR);
    does(FR, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"FR-A\"],\"2\":[\"FR-B\"],"
             "\"3\":[\"FR-K\"]}}");
    ck_assert_uint_eq(wl_waits_for(&state), 1U << FR); /* COMBAT(att,1): the same sitting */
}
END_TEST

/* Who is asked amid the enemy's turn, and the step as everybody knows it (W20.3: hits to be
 * allotted are known to their side alone). */
START_TEST(interrupts_are_the_response_the_defence_routs_and_supply_W19_1)
{
    begin("{}", ATTACK_W2);
    ck_assert_str_eq(wl_phase(&state), "move");
    ck_assert_uint_eq(wl_interrupts(&state), 0);
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\"}");
    ck_assert_str_eq(wl_phase(&state), "respond");
    ck_assert_uint_eq(wl_interrupts(&state), 1U << AL);
    static const uint8_t hits[] = {5, 1}; /* FR-K fires alone (stage A); then FR-A, FR-B at foot */
    roll(hits, 1);
    does(
        AL,
        "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":[{\"unit\":\"AD-A\","
        "\"path\":[\"W3\"]},{\"unit\":\"AD-G\",\"path\":[\"W3\"]},{\"unit\":\"PR-A\",\"path\":"
        "[\"W3\"]}],\"stranded\":[]}");
    ck_assert_uint_eq(state.step, WL_PURSUIT_LOSS);
    ck_assert_str_eq(wl_phase(&state), "respond");
    ck_assert_uint_eq(wl_interrupts(&state), 1U << AL);
    begin("{}", ATTACK_W2);
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\"}");
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"fight\"}");
    does(AL, "{\"do\":\"end_response\"}");
    ck_assert_str_eq(wl_phase(&state), "deploy");
    ck_assert_uint_eq(wl_interrupts(&state), 1U << AL);
    does(AL, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\"],\"2\":[\"AD-G\"],"
             "\"3\":[\"PR-A\"]}}");
    ck_assert_str_eq(wl_phase(&state), "deploy");
    ck_assert_uint_eq(wl_interrupts(&state), 0); /* the attacker's own sitting */
    does(FR, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"FR-A\"],\"2\":[\"FR-B\"],"
             "\"3\":[\"FR-K\"]}}");
    ck_assert_str_eq(wl_phase(&state), "combat");
    ck_assert_uint_eq(wl_interrupts(&state), 0);
}
END_TEST

static void opens(const char *expected)
{
    struct buf buf;
    buf_init(&buf, 1024);
    bool any = wl_next_talk(&state, AD, PR, &buf);
    ck_assert_str_eq(any ? buf_str(&buf) : "never", expected);
    buf_finish(&buf);
}

/* The allies speak in their set-up and their night turns; the fixture has those in slots 6 and 12.
 */
START_TEST(allies_talk_only_in_their_set_up_and_their_nights_W18_2)
{
    begin("{\"players\":3}", "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\"}");
    ck_assert(wl_may_talk(&state, AD, PR));
    ck_assert(wl_may_talk(&state, PR, AD));
    ck_assert(!wl_may_talk(&state, FR, PR));
    ck_assert(!wl_may_talk(&state, AD, FR));
    opens("{\"slot\":6,\"side\":\"AL\",\"night\":true}");
    for (unsigned slot = 1; slot <= 12; slot++) {
        char text[128];
        (void)snprintf(text, sizeof text,
                       "{\"base\":\"fixture\",\"slot\":%u,\"at\":{\"W3\":\"AD-A PR-A\",\"F2\":"
                       "\"FR-A\"}}",
                       slot);
        begin("{\"players\":3}", text);
        ck_assert_msg(wl_may_talk(&state, AD, PR) == (slot == 6 || slot == 12), "slot %u", slot);
        opens(slot < 6    ? "{\"slot\":6,\"side\":\"AL\",\"night\":true}"
              : slot < 12 ? "{\"slot\":12,\"side\":\"AL\",\"night\":true}"
                          : "never");
    }
    begin("{\"players\":3}", ATTACK_W2);
    events_reset(&events);
    ck_assert(wl_leave(&state, PR, LEAVE_RESIGNED, &dice, &events) == ERR_OK);
    ck_assert(!wl_may_talk(&state, AD, PR));
    opens("never");
    begin("{}", "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\"}");
    ck_assert(!wl_may_talk(&state, FR, AL));
}
END_TEST

START_TEST(who_is_not_to_act_is_told_so_W2_6_W19)
{
    begin("{}", "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\"}");
    refused(FR, "{\"do\":\"confirm_setup\"}", ERR_NOT_YOUR_TURN, "W2.6");
    begin("{}", ATTACK_W2);
    refused(AL, "{\"do\":\"end_movement\"}", ERR_NOT_YOUR_TURN, "W19");
    refused(FR, "{\"do\":\"fire\",\"battle\":\"W2\",\"unit\":\"FR-A\",\"target\":\"AD-A\"}",
            ERR_ILLEGAL_ACTION, "W19");
    refused(FR, "{\"do\":\"dance\"}", ERR_INVALID_PARAMS, "");
    ck_assert_str_eq(why.member, "do");
    refused(FR, "{\"do\":\"end_movement\",\"extra\":1}", ERR_INVALID_PARAMS, "");
    ck_assert_str_eq(why.member, "extra");
    refused(FR, "{\"do\":\"march\"}", ERR_INVALID_PARAMS, "");
    ck_assert_str_eq(why.member, "marches");
    refused(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"AD-A\",\"path\":[\"W3\"]}]}",
            ERR_ILLEGAL_ACTION, "W18.1");
    refused(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-Z\",\"path\":[\"W3\"]}]}",
            ERR_ILLEGAL_ACTION, "W19");
}
END_TEST

START_TEST(a_list_of_ten_thousand_marches_is_refused)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    buf_append_str(&buf, "{\"do\":\"march\",\"marches\":[");
    for (unsigned i = 0; i < 10000; i++) {
        if (i > 0) { buf_append_char(&buf, ','); }
        buf_append_str(&buf, "{\"unit\":\"FR-A\",\"path\":[\"W2\"]}");
    }
    buf_append_str(&buf, "]}");
    begin("{}", "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A\"}}");
    refused(FR, buf_str(&buf), ERR_ILLEGAL_ACTION, "W19");
    buf_finish(&buf);
}
END_TEST

/* ---- a seat that leaves (W18.9) ---- */

START_TEST(a_commander_of_two_who_leaves_loses_W18_9)
{
    begin("{}", ATTACK_W2);
    does(FR, MARCH_W2);
    leaves(FR);
    position_is("{\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AL\",\"why\":\"departed\"},"
                "\"departed\":[\"FR\"]}");
    ck_assert_uint_eq(wl_to_act(&state), 0);
    ck_assert(hears(VIEWER_PUBLIC, "\"ev\":\"game_over\",\"winner\":\"AL\",\"why\":\"departed\""));
    begin("{}", COMBAT_W2);
    leaves(AL);
    position_is("{\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"FR\",\"why\":\"departed\"}}");
    begin("{}", "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\"}");
    leaves(AL);
    position_is("{\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"FR\",\"why\":\"departed\"}}");
}
END_TEST

/* What the response step held back is told before the end: losses are open (R50), and the board of
 * the end shows them. FR-K, mounted, fires at AD-G alone (W5.8 A): one hit, AD-G at CV 1 is lost.
 */
START_TEST(an_end_amid_the_response_tells_what_the_step_held_back_W18_9)
{
    static const uint8_t rolls[] = {6, 1, 1};
    begin("{}", "{\"base\":\"fixture\",\"at\":{\"F2\":\"FR-A FR-B FR-K\",\"W2\":\"AD-A AD-G:1\"}}");
    does(FR, MARCH_W2);
    does(FR, "{\"do\":\"end_movement\"}");
    roll(rolls, sizeof rolls);
    does(AL, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-G\",\"path\":[\"W3\"]}]}");
    ck_assert(!hears(FR, "AD-G") && !hears(VIEWER_PUBLIC, "AD-G"));
    leaves(FR);
    ck_assert(hears(VIEWER_PUBLIC, "{\"ev\":\"eliminated\",\"unit\":\"AD-G\""));
    ck_assert(hears(FR, "\"ev\":\"pursuit\",\"town\":\"W2\""));
    ck_assert(hears(FR, "\"ev\":\"retreated\",\"town\":\"W2\""));
    ck_assert(!hears(FR, "AD-A"));
    ck_assert((events.reveals & (BIT_PUBLIC | 1U << FR)) == (BIT_PUBLIC | 1U << FR));
}
END_TEST

START_TEST(an_end_amid_the_set_up_shows_no_draft_W2_6)
{
    begin("{}", "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\"}");
    does(AL, "{\"do\":\"place\",\"placements\":[{\"unit\":\"AD-A\",\"town\":\"W2\"}]}");
    leaves(FR);
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        struct buf view;
        if (viewer == 2) { continue; }
        bool own = viewer == AL || viewer == VIEWER_ALL;
        buf_init(&view, 1 << 20);
        wl_view(&state, viewer, &view);
        ck_assert_msg((strstr(buf_str(&view), "\"W2\"") != NULL) == own, "%s", buf_str(&view));
        buf_finish(&view);
    }
}
END_TEST

START_TEST(the_ally_goes_on_as_AL_and_the_war_is_lost_by_both_W18_9)
{
    begin("{\"players\":3}",
          "{\"base\":\"fixture\",\"slot\":2,\"at\":{\"W3\":\"AD-A\",\"E1\":\"PR-A\"}}");
    does(AD, "{\"do\":\"march\",\"marches\":[{\"unit\":\"AD-A\",\"path\":[\"BR\"]}]}");
    does(AD, "{\"do\":\"end_movement\"}");
    ck_assert_uint_eq(wl_to_act(&state), 1U << PR);
    leaves(PR);
    /* The plan is made anew: nothing has been carried out yet. */
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD);
    ck_assert_str_eq(wl_seat_id(&state, AD), "AL");
    ck_assert(hears(AD, "\"ev\":\"end_withdrawn\",\"seat\":\"AL\""));
    does(AD, "{\"do\":\"march\",\"marches\":[{\"unit\":\"PR-A\",\"path\":[\"E3\"]}]}");
    does(AD, "{\"do\":\"end_movement\"}");
    position_is("{\"slot\":3,\"state\":\"MOVE\",\"departed\":[\"PR\"],\"units\":{\"PR-A\":{"
                "\"town\":\"E3\"},"
                "\"AD-A\":{\"town\":\"BR\"}}}");
    leaves(AD);
    position_is("{\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"FR\",\"why\":\"departed\"}}");
}
END_TEST

START_TEST(a_set_up_is_confirmed_by_the_one_who_stays_W18_9)
{
    begin("{\"players\":3}",
          "{\"base\":\"fixture\",\"state\":\"SETUP_ALLIED\",\"confirmed\":[\"PR\"],"
          "\"at\":{\"E1\":\"PR-A PR-B PR-C PR-D\",\"E2\":\"PR-E PR-F PR-G PR-H\","
          "\"E3\":\"PR-I PR-J PR-K PR-L\",\"LI\":\"PR-M PR-N PR-O PR-P\"}}");
    leaves(PR);
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD);
    does(AD, "{\"do\":\"place\",\"placements\":[{\"unit\":\"PR-A\",\"town\":\"E1\"}]}");
    refused(AD, "{\"do\":\"confirm_setup\"}", ERR_ILLEGAL_ACTION, "W2.1");
}
END_TEST

#define MIXED_W2                                                                                   \
    "\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B PR-A PR-B\"},\"groups_used\":{\"FR\":[\"F2\"]},"    \
    "\"ledger_move\":{\"r04\":3},\"marched\":[\"FR-A\",\"FR-B\",\"FR-C\"]"
#define RESPOND_MIXED                                                                              \
    "{\"base\":\"fixture\",\"state\":\"RESPOND\"," MIXED_W2                                        \
    ",\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]}}}"

START_TEST(an_open_answer_is_given_anew_for_the_whole_force_W18_9)
{
    begin("{\"players\":3}", RESPOND_MIXED);
    does(AD, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-B\",\"path\":[\"W3\"]}]}");
    ck_assert_uint_eq(events.told, 1U << AD | 1U << PR | BIT_ALL);
    position_is("{\"ledger_retreat\":{\"AL\":{\"r10\":2}}}");
    leaves(AD);
    ck_assert_uint_eq(wl_to_act(&state), 1U << PR);
    position_is("{\"ledger_retreat\":{\"AL\":{}},\"attacks\":{\"W2\":{\"answers\":[]}}}");
    does(PR, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"fight\"}");
    does(PR, "{\"do\":\"end_response\"}");
    does(PR, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\"],\"2\":[\"AD-B\"],"
             "\"3\":[\"PR-A\"],\"reserve\":[\"PR-B\"]}}");
    position_is("{\"state\":\"DEPLOY_ATT\"}");
}
END_TEST

START_TEST(hits_still_to_be_allotted_pass_to_the_one_who_stays_W18_9)
{
    static const uint8_t list[] = {4, 4, 4};
    begin("{\"players\":3}", RESPOND_MIXED);
    does(PR, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"PR-A\",\"path\":[\"E1\"]},{\"unit\":\"PR-B\",\"path\":[\"E1\"]}]}");
    roll(list, 3);
    does(AD, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-B\",\"path\":[\"W3\"]}]}");
    /* W18.5: a tie, so AD takes the first and the third. */
    position_is("{\"state\":\"PURSUIT_LOSS\",\"pursuit_loss\":{\"stage\":\"B\",\"hits\":{\"AD\":2,"
                "\"PR\":1}}}");
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD | 1U << PR);
    leaves(AD);
    position_is("{\"pursuit_loss\":{\"hits\":{\"AL\":3}}}");
    does(PR, "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"AD-A\",\"cv\":2},"
             "{\"unit\":\"PR-A\",\"cv\":1}]}");
    position_is("{\"state\":\"RESPOND\",\"units\":{\"AD-A\":{\"town\":\"W3\",\"cv\":2},"
                "\"PR-A\":{\"town\":\"E1\",\"cv\":2},\"PR-B\":{\"town\":\"E1\",\"cv\":3}}}");
}
END_TEST

START_TEST(a_half_deployment_is_made_anew_W18_9)
{
    begin("{\"players\":3}", "{\"base\":\"fixture\",\"state\":\"DEPLOY_DEF\"," MIXED_W2
                             ",\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"]}}}");
    /* W18.6: a tie, the Prussians first; they leave no more columns empty than AD has units. */
    refused(AD,
            "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"AD-A\"],\"2\":[\"AD-B\"]}}",
            ERR_NOT_YOUR_TURN, "W19");
    refused(PR,
            "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"reserve\":[\"PR-A\",\"PR-B\"]}}",
            ERR_ILLEGAL_ACTION, "W18.6");
    does(PR,
         "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"PR-A\"],\"2\":[\"PR-B\"]}}");
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD);
    leaves(PR);
    refused(AD, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"3\":[\"AD-A\",\"AD-B\"]}}",
            ERR_ILLEGAL_ACTION, "W6.2");
    does(AD, "{\"do\":\"deploy\",\"battle\":\"W2\",\"columns\":{\"1\":[\"PR-A\"],\"2\":[\"PR-B\"],"
             "\"3\":[\"AD-A\"],\"reserve\":[\"AD-B\"]}}");
    position_is("{\"state\":\"DEPLOY_ATT\"}");
}
END_TEST

#define COMBAT_MIXED                                                                               \
    "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"def\",\"n\":2},\"at\":{\"W3\":" \
    "\"AD-K AD-L\",\"E1\":\"PR-M "                                                                 \
    "PR-N\"},\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"],\"lanes\":{"                          \
    "\"1\":{\"att\":\"FR-G\",\"def\":\"AD-A AD-B\"},\"2\":{\"att\":\"FR-F\",\"def\":\"PR-A\"},"    \
    "\"3\":{\"att\":\"FR-E\",\"def\":\"PR-B\"}}}}}"

START_TEST(a_combat_turn_that_had_ended_is_not_opened_again_W18_9)
{
    begin("{\"players\":3}", COMBAT_MIXED);
    does(AD, "{\"do\":\"end_combat_turn\",\"reinforcements\":[{\"battle\":\"W2\",\"units\":[\"AD-"
             "K\"]}]}");
    leaves(PR);
    position_is("{\"ct\":{\"side\":\"att\",\"n\":3}}");
    begin("{\"players\":3}", COMBAT_MIXED);
    does(PR, "{\"do\":\"end_combat_turn\",\"reinforcements\":[{\"battle\":\"W2\",\"units\":[\"PR-"
             "M\"]}]}");
    leaves(PR);
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD);
    does(AD, "{\"do\":\"end_combat_turn\",\"reinforcements\":[{\"battle\":\"W2\",\"units\":[\"AD-"
             "K\"]}]}");
    position_is("{\"ct\":{\"side\":\"att\",\"n\":3}}");
}
END_TEST

START_TEST(routes_and_debts_pass_to_the_one_who_stays_W18_9)
{
    begin("{\"players\":3}", "{\"base\":\"fixture\",\"state\":\"SUPPLY\",\"debt\":{\"AD\":1,\"PR\":"
                             "1},\"at\":{\"BR\":\"FR-A\"}}");
    ck_assert_str_eq(wl_phase(&state), "supply");
    ck_assert_uint_eq(wl_interrupts(&state), 1U << AD | 1U << PR);
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD | 1U << PR);
    leaves(AD);
    ck_assert_uint_eq(wl_to_act(&state), 1U << PR);
    refused(PR, "{\"do\":\"remove\",\"units\":[\"PR-A\"]}", ERR_ILLEGAL_ACTION, "W15.2");
    does(PR, "{\"do\":\"remove\",\"units\":[\"PR-A\",\"AD-A\"]}");
    ck_assert(events.sealed);
    position_is("{\"state\":\"MOVE\",\"slot\":2}");
}
END_TEST

/* ---- the record of time (W3.1, W16.4) ---- */

START_TEST(a_shorter_match_ends_with_its_last_slot_W16_4)
{
    begin("{\"turns\":2}", "{\"base\":\"fixture\"}");
    does(FR, "{\"do\":\"end_movement\"}");
    position_is("{\"slot\":2}");
    does(AL, "{\"do\":\"end_movement\"}");
    position_is("{\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AL\",\"why\":\"time\"}}");
    ck_assert_uint_eq(wl_to_act(&state), 0);
    refused(FR, "{\"do\":\"end_movement\"}", ERR_NOT_YOUR_TURN, "W19");
}
END_TEST

/* W7.7: five full rounds without fire: the attacker routs at the end of the fifth, in the
 * defender's turn. */
START_TEST(five_idle_rounds_rout_the_attacker_W7_7)
{
    begin(
        "{}",
        "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"def\",\"n\":5},\"battles\":{"
        "\"W2\":{\"attack_roads\":[\"r04\"],\"fired_last_round\":false,\"idle_rounds\":4,\"lanes\":"
        "{"
        "\"1\":{\"att\":\"FR-A\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-B\",\"def\":\"AD-B\"},"
        "\"3\":{\"att\":\"FR-N\",\"def\":\"AD-C\"}}}}}");
    does(AL, "{\"do\":\"end_combat_turn\"}");
    ck_assert(hears(FR,
                    "\"ev\":\"routed\",\"battle\":\"W2\",\"side\":\"FR\",\"attrition\":{\"FR-A\":1,"
                    "\"FR-B\":1,\"FR-N\":2}"));
    position_is("{\"ct\":{\"side\":\"def\",\"n\":5,\"round_over\":true}}");
    ck_assert_uint_eq(wl_waits_for(&state), 1U << FR);
    does(FR, "{\"do\":\"rout_routes\",\"battle\":\"W2\",\"routes\":[{\"unit\":\"FR-A\",\"path\":["
             "\"F2\"]},"
             "{\"unit\":\"FR-B\",\"path\":[\"F2\"]},{\"unit\":\"FR-N\",\"path\":[\"F2\"]}]}");
    position_is(
        "{\"slot\":2,\"state\":\"MOVE\",\"units\":{\"FR-A\":{\"marked_until\":2,\"cv\":3}}}");
}
END_TEST

/* W18.5: the contingent with more retreating units takes the first hit; a single unit its share
 * unasked. */
START_TEST(hits_go_in_turn_to_the_larger_contingent_first_W18_5)
{
    static const uint8_t list[] = {4, 4, 4};
    static const char position[] =
        "{\"base\":\"fixture\",\"state\":\"RESPOND\",\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B "
        "PR-A "
        "PR-B "
        "PR-C\"},\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"],\"answers\":[{\"seat\":\"AD\","
        "\"choice\":\"retreat\",\"routes\":[{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-"
        "B\","
        "\"path\":[\"W3\"]}]}]}}}";
    begin("{\"players\":3}", position);
    roll(list, 3);
    does(PR, "{\"do\":\"respond\",\"town\":\"W2\",\"choice\":\"retreat\",\"routes\":["
             "{\"unit\":\"PR-A\",\"path\":[\"E1\"]},{\"unit\":\"PR-B\",\"path\":[\"E1\"]},"
             "{\"unit\":\"PR-C\",\"path\":[\"E1\"]}]}");
    position_is("{\"pursuit_loss\":{\"stage\":\"B\",\"hits\":{\"AD\":1,\"PR\":2}}}");
    does(PR, "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"PR-C\",\"cv\":2}]}");
    refused(PR, "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[]}", ERR_NOT_YOUR_TURN, "W19");
    does(AD, "{\"do\":\"allot\",\"town\":\"W2\",\"losses\":[{\"unit\":\"AD-B\",\"cv\":1}]}");
    position_is("{\"state\":\"RESPOND\",\"units\":{\"PR-C\":{\"cv\":1,\"town\":\"E1\"},"
                "\"AD-B\":{\"cv\":3,\"town\":\"W3\"}}}");
}
END_TEST

/* W7.7: with every unit advanced and the way back barred, fire is the act that is left. */
START_TEST(an_idle_attacker_who_can_only_fire_must_W7_7)
{
    static const uint8_t list[] = {1, 1, 1, 1};
    begin("{}", "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"att\",\"n\":3},"
                "\"at\":{\"F2\":\"AD-K\"},\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"],"
                "\"fired_last_round\":false,\"lanes\":{\"1\":{\"adv\":\"FR-A@2\",\"def\":\"AD-A\"},"
                "\"2\":{\"adv\":\"FR-B@2\",\"def\":\"AD-B\"},\"3\":{\"adv\":\"FR-C@2\",\"def\":"
                "\"AD-C\"}}}}}");
    refused(FR, "{\"do\":\"end_combat_turn\"}", ERR_ILLEGAL_ACTION, "W7.7");
    roll(list, 4);
    does(FR, "{\"do\":\"fire\",\"battle\":\"W2\",\"unit\":\"FR-A\",\"target\":\"AD-A\"}");
    roll(NULL, 0);
    does(FR, "{\"do\":\"end_combat_turn\"}");
    /* Cavalry that faces squares alone and has no way out can do nothing, so it may end. */
    begin("{}", "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"att\",\"n\":3},"
                "\"at\":{\"F2\":\"AD-K\"},\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"],"
                "\"fired_last_round\":false,\"lanes\":{\"1\":{\"adv\":\"FR-H@2\",\"def\":\"AD-A\"},"
                "\"2\":{\"adv\":\"FR-I@2\",\"def\":\"AD-B\"},\"3\":{\"adv\":\"FR-J@2\",\"def\":"
                "\"AD-C\"}},\"units\":{\"AD-A\":{\"square\":true},\"AD-B\":{\"square\":true},"
                "\"AD-C\":{\"square\":true}}}}}");
    does(FR, "{\"do\":\"end_combat_turn\"}");
}
END_TEST

/* What is not of the right shape is refused by the member. */
START_TEST(actions_of_a_wrong_shape_name_the_member)
{
    static const struct {
        const char *action, *member;
    } wrong[] = {
        {"[]", "action"},
        {"{}", "do"},
        {"{\"do\":1}", "do"},
        {"{\"do\":\"march\",\"marches\":{}}", "marches"},
        {"{\"do\":\"march\",\"marches\":[1]}", "marches"},
        {"{\"do\":\"march\",\"marches\":[{\"path\":[\"W2\"]}]}", "unit"},
        {"{\"do\":\"march\",\"marches\":[{\"unit\":1,\"path\":[\"W2\"]}]}", "unit"},
        {"{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":\"W2\"}]}", "path"},
        {"{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[2]}]}", "path"},
        {"{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\"],\"forced\":1}]}",
         "forced"},
        {"{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\"],\"roads\":[\"r04\"]}]"
         "}",
         "roads"},
        {"{\"do\":\"unmarch\",\"units\":[true]}", "units"},
        {"{\"do\":\"end_movement\",\"pursuit\":{\"W2\":\"some\"}}", "pursuit"},
        {"{\"do\":\"end_movement\",\"pursuit\":[]}", "pursuit"},
    };
    begin("{}", ATTACK_W2);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        refused(FR, wrong[i].action, ERR_INVALID_PARAMS, "");
        ck_assert_msg(strcmp(why.member, wrong[i].member) == 0, "%s: %s", wrong[i].action,
                      why.member);
    }
    refused(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[]}]}",
            ERR_ILLEGAL_ACTION, "W4.4");
    refused(FR, "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"Paris\"]}]}",
            ERR_ILLEGAL_ACTION, "W19");
    begin("{}", COMBAT_W2);
    refused(FR,
            "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-H\",\"kind\":\"redeploy\",\"to\":-1}",
            ERR_INVALID_PARAMS, "");
    refused(FR, "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-H\",\"kind\":\"redeploy\"}",
            ERR_INVALID_PARAMS, "");
    refused(FR,
            "{\"do\":\"move\",\"battle\":\"W2\",\"unit\":\"FR-H\",\"kind\":\"advance\",\"to\":2}",
            ERR_INVALID_PARAMS, "");
    refused(FR, "{\"do\":\"fire\",\"battle\":2,\"unit\":\"FR-N\",\"target\":\"AD-C\"}",
            ERR_INVALID_PARAMS, "");
}
END_TEST

START_TEST(a_match_is_created_in_the_set_up_W2_1)
{
    cJSON *options = parse("{\"command_control\":true,\"morale\":false,\"players\":3,\"turns\":6}");
    memset(&state, 0, sizeof state);
    dice_init_lists(&dice, NULL, 0, NULL, 0);
    events_reset(&events);
    ck_assert_int_eq(wl_create(options, 1, &dice, &state, &events, &why), ERR_OK);
    cJSON_Delete(options);
    ck_assert_uint_eq(wl_to_act(&state), 1U << AD | 1U << PR);
    ck_assert_uint_eq(wl_waits_for(&state), 1U << AD | 1U << PR);
    ck_assert_uint_eq(events.count, 0);
    ck_assert_uint_eq(state.turns, 6);
    position_is("{\"base\":\"real\",\"slot\":0,\"state\":\"SETUP_ALLIED\",\"confirmed\":[]}");
    ck_assert(wl_check(&state) == NULL);
}
END_TEST

/* What a viewer is answered, as text. */
static const char *answered(unsigned viewer, const char *question)
{
    static struct buf buf;
    cJSON *json = parse(question);
    buf_finish(&buf);
    buf_init(&buf, 1 << 20);
    why_clear(&why);
    enum err err = wl_ask(&state, viewer, json, &buf, &why);
    ck_assert_msg(err == ERR_OK, "%s refused: %s %s", question, why.member, why.text);
    cJSON_Delete(json);
    return buf_str(&buf);
}

START_TEST(a_retreat_tells_what_it_would_cost_W12_4)
{
    /* The French have advanced in lane 1 with infantry, in lane 2 with cavalry. */
    begin("{}", "{\"base\":\"fixture\",\"state\":\"COMBAT\",\"ct\":{\"side\":\"def\",\"n\":2},"
                "\"battles\":{\"W2\":{"
                "\"attack_roads\":[\"r04\"],\"lanes\":{"
                "\"1\":{\"att\":\"FR-B\",\"adv\":\"FR-A@1\",\"def\":\"AD-A AD-G AD-K\"},"
                "\"2\":{\"att\":\"FR-C\",\"adv\":\"FR-H@1\",\"def\":\"AD-B AD-H\"},"
                "\"3\":{\"att\":\"FR-D\",\"def\":\"AD-C\"}}}}}");
    static const struct {
        const char *unit;
        unsigned loss;
    } cost[] = {
        {"AD-A", 1}, /* infantry engaged with infantry (W13.3) */
        {"AD-G", 0}, /* cavalry engaged with infantry */
        {"AD-K", 2}, /* foot artillery */
        {"AD-B", 1}, /* infantry engaged with cavalry */
        {"AD-H", 1}, /* cavalry engaged with cavalry */
        {"AD-C", 0}, /* not engaged */
    };
    for (size_t i = 0; i < sizeof cost / sizeof *cost; i++) {
        char question[64], loss[16];
        snprintf(question, sizeof question, "{\"ask\":\"reach\",\"unit\":\"%s\"}", cost[i].unit);
        snprintf(loss, sizeof loss, "\"loss\":%u", cost[i].loss);
        const char *text = answered(AL, question);
        bool told_loss = strstr(text, cost[i].loss == 0 ? "\"loss\"" : loss) != NULL;
        ck_assert_msg(told_loss == (cost[i].loss != 0), "%s: %s", cost[i].unit, text);
        ck_assert_msg(strstr(text, "\"path\"") != NULL, "%s has no way: %s", cost[i].unit, text);
    }
}
END_TEST

int main(void)
{
    events_init(&events);
    Suite *suite = suite_create("wl_rules");
    TCase *tests = tcase_create("rules");
    tcase_add_test(tests, a_draft_is_told_to_nobody_but_its_side_W20_1);
    tcase_add_test(tests, a_response_is_told_to_the_enemy_when_the_step_ends_W20_3);
    tcase_add_test(tests, a_death_in_the_response_step_waits_for_its_end_W20_3);
    tcase_add_test(tests, a_retreat_that_draws_no_fire_cannot_be_taken_back_W20_5);
    tcase_add_test(tests, the_defence_is_told_when_all_battles_are_deployed_W6_3);
    tcase_add_test(tests, moves_seal_only_out_of_the_reserve_W20_5);
    tcase_add_test(tests, refusals_of_a_target_say_the_same_W20_3);
    tcase_add_test(tests, a_rout_is_not_waited_for_while_the_other_side_can_go_on_W13_6);
    tcase_add_test(tests, hand_overs_are_no_more_than_W19_1);
    tcase_add_test(tests, interrupts_are_the_response_the_defence_routs_and_supply_W19_1);
    tcase_add_test(tests, allies_talk_only_in_their_set_up_and_their_nights_W18_2);
    tcase_add_test(tests, who_is_not_to_act_is_told_so_W2_6_W19);
    tcase_add_test(tests, a_list_of_ten_thousand_marches_is_refused);
    tcase_add_test(tests, a_commander_of_two_who_leaves_loses_W18_9);
    tcase_add_test(tests, an_end_amid_the_set_up_shows_no_draft_W2_6);
    tcase_add_test(tests, an_end_amid_the_response_tells_what_the_step_held_back_W18_9);
    tcase_add_test(tests, the_ally_goes_on_as_AL_and_the_war_is_lost_by_both_W18_9);
    tcase_add_test(tests, a_set_up_is_confirmed_by_the_one_who_stays_W18_9);
    tcase_add_test(tests, an_open_answer_is_given_anew_for_the_whole_force_W18_9);
    tcase_add_test(tests, hits_still_to_be_allotted_pass_to_the_one_who_stays_W18_9);
    tcase_add_test(tests, a_half_deployment_is_made_anew_W18_9);
    tcase_add_test(tests, a_combat_turn_that_had_ended_is_not_opened_again_W18_9);
    tcase_add_test(tests, routes_and_debts_pass_to_the_one_who_stays_W18_9);
    tcase_add_test(tests, a_shorter_match_ends_with_its_last_slot_W16_4);
    tcase_add_test(tests, five_idle_rounds_rout_the_attacker_W7_7);
    tcase_add_test(tests, hits_go_in_turn_to_the_larger_contingent_first_W18_5);
    tcase_add_test(tests, an_idle_attacker_who_can_only_fire_must_W7_7);
    tcase_add_test(tests, actions_of_a_wrong_shape_name_the_member);
    tcase_add_test(tests, a_match_is_created_in_the_set_up_W2_1);
    tcase_add_test(tests, a_retreat_tells_what_it_would_cost_W12_4);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    events_finish(&events);
    return failed == 0 ? 0 : 1;
}
