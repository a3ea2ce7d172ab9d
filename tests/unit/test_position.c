/* tests/unit/test_position.c: what a reader of positions refuses (section 4 of the position page),
 * sentence by sentence, what it takes, and that what is written is read back as the same. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/rules/waterloo/wl.h"

static struct state state;

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    struct why why;
    why_clear(&why);
    ck_assert_msg(json_parse(text, strlen(text), &json) == ERR_OK, "%s", text);
    ck_assert_msg(json_normalise(json, &why) == ERR_OK, "%s", text);
    return json;
}

static enum err read_with(const char *options, const char *text, struct why *why)
{
    cJSON *given = options == NULL ? NULL : parse(options);
    cJSON *json = parse(text);
    why_clear(why);
    memset(&state, 0, sizeof state);
    enum err err = wl_position_read(given, json, &state, why);
    cJSON_Delete(json);
    cJSON_Delete(given);
    return err;
}

static void takes_with(const char *options, const char *text)
{
    struct why why;
    enum err err = read_with(options, text, &why);
    ck_assert_msg(err == ERR_OK, "refused: %s (%s: %s)", text, why.member, why.text);
}

static void takes(const char *text)
{
    takes_with(NULL, text);
}

static void refuses_with(const char *options, const char *text, const char *member)
{
    struct why why;
    struct state zero;
    memset(&zero, 0, sizeof zero);
    enum err err = read_with(options, text, &why);
    ck_assert_msg(err == ERR_INVALID_PARAMS, "not refused: %s", text);
    ck_assert_msg(strcmp(why.member, member) == 0, "%s: names %s (%s)", text, why.member, why.text);
    ck_assert_msg(why.text[0] != '\0', "%s: no sentence", text);
    ck_assert_msg(memcmp(&state, &zero, sizeof zero) == 0, "%s: written all the same", text);
}

static void refuses(const char *text, const char *member)
{
    refuses_with(NULL, text, member);
}

#define F "{\"base\":\"fixture\""
/* A battle of one infantry unit a lane and side, up to the closing brackets of lane 3. */
#define LANES12                                                                                    \
    "\"1\":{\"att\":\"FR-G\",\"def\":\"AD-F\"},\"2\":{\"att\":\"FR-F\",\"def\":\"AD-E\"}"
#define LANE3 "\"3\":{\"att\":\"FR-E\",\"def\":\"AD-D\"}"
#define W2(lanes, more)                                                                            \
    "\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"],\"lanes\":{" lanes "}" more "}}}"
#define COMBAT      F ",\"state\":\"COMBAT\","
#define CT(side, n) "\"ct\":{\"side\":\"" side "\",\"n\":" n "},"
#define ATTACK      "\"attacks\":{\"W2\":{\"attack_roads\":[\"r04\"]"
#define AT_W2       "\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B AD-C AD-G\"},"
#define THREE       "{\"players\":3}"

START_TEST(defaults_are_those_of_the_page)
{
    takes("{}");
    ck_assert_uint_eq(state.base, WL_BASE_REAL);
    ck_assert_uint_eq(state.step, WL_MOVE);
    ck_assert_uint_eq(state.slot, 1);
    for (unsigned u = 0; u < WL_UNITS; u++) {
        static const char *const homes[] = {"avesnes", "ghent", "liege"};
        ck_assert_uint_eq(state.unit[u].cv, wl_unit_facts[u].cv);
        ck_assert_str_eq(wl_board(&state)->map.town_ids[state.unit[u].town], homes[wl_nation(u)]);
    }
    takes(F "}");
    ck_assert_str_eq(wl_board(&state)->map.town_ids[state.unit[wl_find_unit("PR-A")].town], "LI");
    ck_assert_uint_eq(state.turns, 12);
    takes(F ",\"state\":\"SETUP_ALLIED\"}");
    ck_assert_uint_eq(state.slot, 0);
    ck_assert_uint_eq(state.unit[0].town, WL_NONE);
}
END_TEST

START_TEST(short_and_long_forms_mix)
{
    takes(F ",\"slot\":2,\"others\":{\"AD\":\"BR\"},\"at\":{\"W3\":\"AD-A AD-B:3\",\"E1\":\"PR-A\","
            "\"W2\":\"FR-A FR-B FR-C:1\"},\"units\":{\"AD-B\":{\"marked_until\":2}},"
            "\"marches\":[{\"unit\":\"AD-A\",\"path\":[\"W2\"]}]}");
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-B")].cv, 3);
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-B")].marked_until, 2);
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-A")].route.len, 1);
    takes(F ",\"state\":\"COMBAT\",\"ct\":{\"side\":\"def\",\"n\":2},\"at\":{\"F2\":\"FR-K\"},"
            "\"battles\":{\"W2\":{\"attack_roads\":[\"r04\",\"r07\"],\"reserve\":\"FR-D AD-N:1\","
            "\"lanes\":{\"1\":{\"adv\":\"FR-H:2@1\",\"att\":\"FR-B\",\"def\":\"AD-A AD-K\"},"
            "\"2\":{\"att\":\"FR-N\",\"def\":\"AD-B\"},\"3\":{\"att\":\"FR-C\",\"def\":\"PR-A\"}},"
            "\"units\":{\"AD-A\":{\"square\":true}}}}}");
    const struct wl_fight *fight = &state.fight[pmap_town(&wl_board(&state)->map, "W2")];
    ck_assert_uint_eq(fight->lane[0].engaged_by, WL_ATT);
    ck_assert_uint_eq(fight->lane[0].engaged_ct, 1);
    ck_assert_uint_eq(fight->lane[1].engaged_by, WL_NOBODY);
    ck_assert_uint_eq(fight->fired_last_round, 1); /* true from round 2 on */
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-A")].square, 1);
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-N")].place, WL_RES);
    /* The same battle with one unit in the long form. */
    takes(COMBAT CT("att", "2")
              W2("\"1\":{\"def\":\"AD-F\"},\"2\":{\"att\":\"FR-F\",\"def\":\"AD-E\"}"
                 "," LANE3,
                 ",\"units\":{\"FR-H\":{\"place\":\"adv\",\"lane\":1,\"advanced_ct\":1}}"));
    takes(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-G\":{\"place\":\"col\",\"lane\":1}}"));
    takes(COMBAT "\"at\":{\"W2\":\"FR-G\"}," W2(LANES12 "," LANE3, ""));
}
END_TEST

START_TEST(what_is_not_an_object_is_refused)
{
    refuses("[]", "position");
    refuses("1", "position");
    refuses("\"MOVE\"", "position");
}
END_TEST

START_TEST(unknown_members_are_refused)
{
    refuses("{\"sloth\":1}", "sloth");
    refuses("{\"units\":{\"FR-A\":{\"strength\":2}}}", "strength");
    refuses("{\"others\":{\"AL\":\"ghent\"}}", "AL");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"weather\":\"fog\""), "weather");
    refuses(COMBAT W2(LANES12 "," LANE3 ",\"4\":{}", ""), "4");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-D\",\"mid\":\"\"}", ""),
            "mid");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"],\"speed\":1}]}", "speed");
    refuses(F ",\"state\":\"RESPOND\"," AT_W2 ATTACK ",\"since\":1}}}", "since");
}
END_TEST

START_TEST(members_out_of_their_states_are_refused)
{
    refuses(F ",\"battles\":{}}", "battles");
    refuses(F ",\"confirmed\":[]}", "confirmed");
    refuses(F ",\"ct\":{\"side\":\"att\",\"n\":1}}", "ct");
    refuses(F ",\"groups_used\":{}}", "groups_used");
    refuses(F ",\"ledger_move\":{}}", "ledger_move");
    refuses(F ",\"debt\":{}}", "debt");
    refuses(F ",\"result\":{\"winner\":\"FR\",\"why\":\"time\"}}", "result");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"gone\":\"\"}", "gone");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"others\":{}}", "others");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"surrendered\":[]}", "surrendered");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"slot\":1}", "slot");
    refuses(COMBAT "\"marches\":[]," W2(LANES12 "," LANE3, ""), "marches");
    refuses(COMBAT "\"pursuit\":{}," W2(LANES12 "," LANE3, ""), "pursuit");
    refuses(COMBAT "\"attacks\":{}," W2(LANES12 "," LANE3, ""), "attacks");
    refuses(F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":1},\"ledger_retreat\":{}}", "ledger_retreat");
}
END_TEST

START_TEST(wrong_types_are_refused)
{
    refuses("{\"slot\":\"1\"}", "slot");
    refuses("{\"base\":1}", "base");
    refuses("{\"base\":\"moon\"}", "base");
    refuses("{\"state\":\"PLAY\"}", "state");
    refuses("{\"slot\":0}", "slot");
    refuses("{\"slot\":25}", "slot");
    refuses(F ",\"slot\":13}", "slot");
    refuses("{\"units\":[]}", "units");
    refuses("{\"units\":{\"FR-A\":[]}}", "");
    refuses("{\"at\":{\"ghent\":[\"AD-A\"]}}", "at");
    refuses("{\"gone\":[\"AD-A\"]}", "gone");
    refuses("{\"ended\":\"FR\"}", "ended");
    refuses("{\"ended\":[1]}", "ended");
    refuses("{\"marches\":{}}", "marches");
    refuses("{\"units\":{\"FR-A\":{\"cv\":\"4\"}}}", "cv");
    refuses("{\"units\":{\"FR-A\":{\"cv\":true}}}", "cv");
    refuses(COMBAT "\"battles\":{\"W2\":1}}", "battles");
    refuses(COMBAT CT("left", "1") W2(LANES12 "," LANE3, ""), "side");
    refuses(COMBAT CT("att", "0") W2(LANES12 "," LANE3, ""), "n");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"idle_rounds\":5"), "idle_rounds");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"over\":1"), "over");
}
END_TEST

START_TEST(texts_of_units_have_one_form)
{
    static const char *const bad[] = {
        " FR-A",    "FR-A ",      "FR-A  FR-B",  "FR-A,FR-B",
        "FR-A:",    "FR-A:0",     "FR-A:04",     "FR-A:x",
        "FR-A:2:2", "fr-a",       "FR-S",        "FR",
        "FR-AA",    "FR-A@1",     "FR-A\\tFR-B", "FR-A:99999999999",
        "FR-A:-1",  "FR-A:+1",    "FR-A:2 ",     ":2",
        "@1",       "FR-A:2FR-B",
    };
    char text[200];
    (void)snprintf(text, sizeof text, F ",\"at\":{\"F2\":\"%s\"}}", bad[_i]);
    refuses(text, "at");
}
END_TEST
enum { BAD_TEXTS = 22 };

START_TEST(unknown_ids_are_refused)
{
    refuses("{\"units\":{\"FR-Z\":{}}}", "units");
    refuses("{\"at\":{\"atlantis\":\"FR-A\"}}", "at");
    refuses("{\"units\":{\"FR-A\":{\"town\":\"atlantis\"}}}", "town");
    refuses("{\"others\":{\"FR\":\"atlantis\"}}", "others");
    refuses("{\"ended\":[\"AD\"]}", "ended");
    refuses_with(THREE, "{\"slot\":2,\"ended\":[\"AL\"]}", "ended");
    refuses("{\"surrendered\":[\"XX\"]}", "surrendered");
    refuses(F ",\"units\":{\"FR-A\":{\"town\":\"ghent\"}}}", "town");
    refuses(COMBAT "\"ledger_move\":{\"r99\":1}," W2(LANES12 "," LANE3, ""), "ledger_move");
    refuses(COMBAT "\"groups_used\":{\"FR\":[\"X\"]}," W2(LANES12 "," LANE3, ""), "FR");
    refuses(COMBAT "\"marched\":[\"X\"]," W2(LANES12 "," LANE3, ""), "marched");
    refuses("{\"units\":{\"FR-A\":{\"gone\":\"lost\"}}}", "gone");
    refuses("{\"units\":{\"FR-A\":{\"gone\":\"\"}}}", "gone");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"X\"]}]}", "marches");
    refuses(COMBAT "\"battles\":{\"W2\":{\"attack_roads\":[\"r99\"],\"lanes\":{" LANES12 "," LANE3
                   "}}}}",
            "attack_roads");
}
END_TEST

START_TEST(a_unit_in_two_places_is_refused)
{
    refuses(F ",\"at\":{\"F1\":\"FR-A\",\"F2\":\"FR-A\"}}", "at");
    refuses(F ",\"at\":{\"F2\":\"FR-A\"},\"units\":{\"FR-A\":{\"town\":\"F1\"}}}", "town");
    refuses(F ",\"at\":{\"F2\":\"FR-A\"},\"gone\":\"FR-A\"}", "at");
    refuses(F ",\"gone\":\"FR-A\",\"units\":{\"FR-A\":{\"town\":\"F1\"}}}", "units");
    refuses(F ",\"gone\":\"FR-A\",\"units\":{\"FR-A\":{\"gone\":\"fire\"}}}", "gone");
    refuses(F ",\"at\":{\"F2\":\"FR-A\"},\"units\":{\"FR-A\":{\"gone\":\"fire\"}}}", "gone");
    refuses(COMBAT "\"at\":{\"F1\":\"FR-G\"}," W2(LANES12 "," LANE3, ""), "att");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"reserve\":\"FR-G\""), "reserve");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E FR-G\",\"def\":\"AD-D\"}", ""), "att");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-G\":{\"place\":\"res\"}}"), "units");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-G\":{\"lane\":2}}"), "units");
    refuses(COMBAT "\"gone\":\"FR-G\"," W2(LANES12 "," LANE3, ""), "att");
    refuses(COMBAT
            "\"battles\":{\"E2\":{\"attack_roads\":[\"r06\"],\"lanes\":{\"1\":{\"att\":\"FR-G\","
            "\"def\":\"PR-A\"},\"2\":{\"att\":\"FR-B\",\"def\":\"PR-B\"},\"3\":{\"att\":\"FR-C\","
            "\"def\":\"PR-C\"}}},\"W2\":{\"attack_roads\":[\"r04\"],\"lanes\":{" LANES12 "," LANE3
            "}}}}",
            "att");
}
END_TEST

START_TEST(a_unit_or_value_twice_in_a_list_is_refused)
{
    refuses(F ",\"at\":{\"F2\":\"FR-A FR-A\"}}", "at");
    refuses(F ",\"gone\":\"AD-A AD-A\"}", "gone");
    refuses(F ",\"at\":{\"F2\":\"FR-A:2\"},\"units\":{\"FR-A\":{\"cv\":2}}}", "cv");
    refuses(F ",\"at\":{\"F2\":\"FR-A:2\"},\"units\":{\"FR-A\":{\"cv\":3}}}", "cv");
    refuses(COMBAT "\"units\":{\"FR-G\":{\"cv\":2}}," W2(
                "\"1\":{\"att\":\"FR-G:2\",\"def\":\"AD-F\"},"
                "\"2\":{\"att\":\"FR-F\",\"def\":\"AD-E\"}," LANE3,
                ""),
            "att");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E FR-E\",\"def\":\"AD-D\"}", ""), "att");
    refuses(COMBAT "\"marched\":[\"FR-A\",\"FR-A\"]," W2(LANES12 "," LANE3, ""), "marched");
    refuses(COMBAT "\"groups_used\":{\"FR\":[\"F1\",\"F1\"]}," W2(LANES12 "," LANE3, ""), "FR");
    refuses_with(THREE, F ",\"slot\":2,\"ended\":[\"AD\",\"AD\"]}", "ended");
    refuses(F ",\"gone\":\"AD-A:2\"}", "gone");
}
END_TEST

START_TEST(a_combat_value_is_1_to_the_starting_one)
{
    refuses(F ",\"at\":{\"F2\":\"FR-E:4\"}}", "at");
    refuses(F ",\"at\":{\"F2\":\"FR-A:5\"}}", "at");
    refuses(F ",\"units\":{\"FR-K\":{\"cv\":3}}}", "cv");
    refuses(F ",\"units\":{\"FR-K\":{\"cv\":0}}}", "cv");
    refuses(F ",\"units\":{\"FR-K\":{\"cv\":-1}}}", "cv");
    takes(F ",\"at\":{\"F2\":\"FR-A:4 FR-E:1 FR-K:2\"}}");
}
END_TEST

START_TEST(a_mark_ends_with_this_slot_or_the_next_W12_11)
{
    refuses(F ",\"slot\":4,\"units\":{\"FR-A\":{\"marked_until\":3}}}", "marked_until");
    refuses(F ",\"slot\":4,\"units\":{\"FR-A\":{\"marked_until\":6}}}", "marked_until");
    refuses(F ",\"slot\":4,\"units\":{\"FR-A\":{\"marked_until\":-1}}}", "marked_until");
    takes(F ",\"slot\":4,\"units\":{\"FR-A\":{\"marked_until\":4},\"FR-B\":{\"marked_until\":5},"
            "\"FR-C\":{\"marked_until\":0}}}");
}
END_TEST

START_TEST(a_match_left_in_the_set_up_has_no_slot_W18_9)
{
    takes("{\"state\":\"GAME_OVER\",\"slot\":0,\"departed\":[\"FR\"],"
          "\"result\":{\"winner\":\"AL\",\"why\":\"departed\"}}");
    refuses("{\"state\":\"GAME_OVER\",\"slot\":0,\"result\":{\"winner\":\"AL\",\"why\":\"time\"}}",
            "slot");
    refuses("{\"state\":\"MOVE\",\"slot\":0}", "slot");
}
END_TEST

START_TEST(a_set_up_against_its_limits_is_refused_W2)
{
    takes(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"W2\":\"AD-A AD-B AD-C\",\"LI\":\"PR-A PR-B PR-C "
            "PR-D\"}}");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"W2\":\"AD-A AD-B AD-C AD-D\"}}", "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"LI\":\"PR-A PR-B PR-C PR-D PR-E\"}}", "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"F1\":\"AD-A\"}}", "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"E1\":\"AD-A\"}}", "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"W1\":\"PR-A\"}}", "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"confirmed\":[\"AL\"]}", "confirmed");
}
END_TEST

#define ALLIES_SET                                                                                 \
    "\"W1\":\"AD-A AD-B AD-C\",\"W2\":\"AD-D AD-E AD-F\",\"W3\":\"AD-G AD-H AD-I\","               \
    "\"W4\":\"AD-J AD-K AD-L\",\"GH\":\"AD-M AD-N\",\"E1\":\"PR-A PR-B PR-C PR-D\","               \
    "\"E2\":\"PR-E PR-F PR-G PR-H\",\"E3\":\"PR-I PR-J PR-K PR-L\",\"LI\":\"PR-M PR-N PR-O PR-P\""

START_TEST(the_french_set_up_comes_after_the_allied_one_W2)
{
    takes(F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET "}}");
    takes(F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET
            ",\"F1\":\"FR-A\"},\"confirmed\":[\"AL\"]}");
    refuses(F ",\"state\":\"SETUP_FRENCH\"}", "confirmed");
    refuses(F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET "},\"confirmed\":[]}", "confirmed");
    refuses(F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET
              "},\"units\":{\"FR-A\":{\"town\":\"BR\"}}}",
            "units");
    refuses(F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET
              ",\"F2\":\"FR-A FR-B FR-C FR-D FR-E "
              "FR-F FR-G FR-H FR-I FR-J FR-K FR-L FR-M\"}}",
            "units");
    refuses(F ",\"state\":\"SETUP_ALLIED\",\"at\":{\"F1\":\"FR-A\"}}", "units");
    takes_with(THREE,
               F ",\"state\":\"SETUP_ALLIED\",\"at\":{" ALLIES_SET "},\"confirmed\":[\"PR\"]}");
}
END_TEST

START_TEST(drafts_that_march_would_refuse_are_refused)
{
    /* W4.6: r04 takes eight. */
    refuses(F ",\"others\":{\"FR\":\"F2\"},\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W2\"]},"
              "{\"unit\":\"FR-B\",\"path\":[\"W2\"]},{\"unit\":\"FR-C\",\"path\":[\"W2\"]},"
              "{\"unit\":\"FR-D\",\"path\":[\"W2\"]},{\"unit\":\"FR-E\",\"path\":[\"W2\"]},"
              "{\"unit\":\"FR-F\",\"path\":[\"W2\"]},{\"unit\":\"FR-G\",\"path\":[\"W2\"]},"
              "{\"unit\":\"FR-H\",\"path\":[\"W2\"]},{\"unit\":\"FR-I\",\"path\":[\"W2\"]}]}",
            "marches");
    /* W4.2: a third group; W4.5 twice, and forced without need; W4.4 too long; W4.13 marked. */
    refuses(F ",\"at\":{\"F2\":\"FR-B\",\"F3\":\"FR-C\"},\"marches\":[{\"unit\":\"FR-A\",\"path\":["
              "\"W1\"]},"
              "{\"unit\":\"FR-B\",\"path\":[\"W2\"]},{\"unit\":\"FR-C\",\"path\":[\"E2\"]}]}",
            "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"]},{\"unit\":\"FR-A\",\"path\":["
              "\"F2\"]}]}",
            "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"],\"forced\":true}]}", "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\",\"W2\"]}]}", "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\",\"W2\",\"W3\"],\"forced\":true}]}",
            "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-K\",\"path\":[\"W1\",\"F1\"]}]}", "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[]}]}", "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"GH\"]}]}", "marches");
    refuses(F ",\"marches\":[{\"unit\":\"AD-A\",\"path\":[\"BR\"]}]}", "marches");
    refuses(F ",\"units\":{\"FR-A\":{\"marked_until\":1}},\"marches\":[{\"unit\":\"FR-A\",\"path\":"
              "[\"W1\"]}]}",
            "marches");
    refuses(F ",\"gone\":\"FR-A\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"]}]}", "marches");
    refuses(
        F ",\"slot\":3,\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\",\"W2\"],\"forced\":true}]}",
        "marches");
    refuses(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"],\"roads\":[\"r01\"]}]}", "roads");
    takes(F ",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"W1\"]},{\"unit\":\"FR-K\",\"path\":["
            "\"W1\",\"W2\"]},"
            "{\"unit\":\"FR-B\",\"path\":[\"F2\",\"W2\"],\"forced\":true}]}");
}
END_TEST

START_TEST(a_road_above_its_capacity_is_refused_W4_6_W4_7)
{
    refuses(COMBAT "\"ledger_move\":{\"r04\":9}," W2(LANES12 "," LANE3, ""), "ledger_move");
    refuses(COMBAT "\"ledger_move\":{\"r07\":7}," W2(LANES12 "," LANE3, ""), "ledger_move");
    refuses(COMBAT "\"ledger_move\":{\"r13\":5}," W2(LANES12 "," LANE3, ""), "ledger_move");
    refuses(COMBAT "\"ledger_move\":{\"r05\":4}," W2(LANES12 "," LANE3, ""), "ledger_move");
    refuses(COMBAT "\"ledger_retreat\":{\"AL\":{\"r05\":4}}," W2(LANES12 "," LANE3, ""), "AL");
    refuses(COMBAT "\"ledger_move\":{\"r04\":-1}," W2(LANES12 "," LANE3, ""), "ledger_move");
    takes(COMBAT "\"ledger_move\":{\"r04\":8,\"r07\":6,\"r13\":4,\"r05\":3},\"ledger_retreat\":"
                 "{\"FR\":{\"r05\":3}}," W2(LANES12 "," LANE3, ""));
}
END_TEST

START_TEST(both_sides_in_a_peaceful_town_are_refused)
{
    refuses(F ",\"at\":{\"W2\":\"FR-A AD-A\"}}", "units");
    refuses(COMBAT "\"at\":{\"W4\":\"FR-A AD-A\"}," W2(LANES12 "," LANE3, ""), "units");
    refuses(F ",\"state\":\"RESPOND\",\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A\",\"W4\":\"FR-D "
              "AD-B\"}," ATTACK "}}}",
            "units");
}
END_TEST

START_TEST(an_attack_has_attackers_and_roads)
{
    takes(F ",\"state\":\"RESPOND\"," AT_W2 ATTACK "}}}");
    refuses(F ",\"state\":\"RESPOND\",\"at\":{\"W2\":\"AD-A AD-B\"}," ATTACK "}}}", "attacks");
    refuses(F ",\"state\":\"RESPOND\"," AT_W2 "\"attacks\":{\"W2\":{\"attack_roads\":[]}}}",
            "attack_roads");
    refuses(F ",\"state\":\"RESPOND\"," AT_W2 "\"attacks\":{\"W2\":{}}}", "attack_roads");
    refuses(F ",\"state\":\"RESPOND\"," AT_W2 "\"attacks\":{\"W2\":{\"attack_roads\":[\"r01\"]}}}",
            "attack_roads");
    refuses(F ",\"state\":\"RESPOND\",\"at\":{\"W2\":\"FR-A FR-B FR-C\"}," ATTACK "}}}", "attacks");
}
END_TEST

#define ANSWER(text) F ",\"state\":\"RESPOND\"," AT_W2 ATTACK ",\"answers\":[" text "]}}}"

START_TEST(answers_name_each_unit_once_W5_3)
{
    takes(ANSWER("{\"seat\":\"AL\",\"choice\":\"fight\"}"));
    refuses(ANSWER("{\"seat\":\"FR\",\"choice\":\"fight\"}"), "seat");
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"wait\"}"), "choice");
    refuses(ANSWER("{\"choice\":\"fight\"}"), "seat");
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"fight\"},{\"seat\":\"AL\",\"choice\":\"fight\"}"),
            "seat");
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"fight\",\"stranded\":[\"AD-A\"]}"), "routes");
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"retreat\",\"stranded\":[\"AD-A\"]}"), "routes");
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"retreat\",\"stranded\":[\"AD-A\",\"AD-B\",\"AD-"
                   "C\",\"AD-G\","
                   "\"AD-D\"]}"),
            "stranded");
    /* All have answered, so nobody waits and the routes would be walked. */
    refuses(ANSWER("{\"seat\":\"AL\",\"choice\":\"retreat\",\"routes\":[{\"unit\":\"AD-A\","
                   "\"path\":[\"W3\"]}],"
                   "\"stranded\":[\"AD-B\",\"AD-C\",\"AD-G\"]}"),
            "routes");
}
END_TEST

#define LOSS(hits)                                                                                 \
    F ",\"state\":\"PURSUIT_LOSS\",\"at\":{\"W2\":\"FR-A FR-K FR-L AD-A AD-G:2 AD-H:1\"},"         \
      "\"ledger_retreat\":{\"AL\":{\"r10\":3}}," ATTACK ",\"answers\":[{\"seat\":\"AL\","          \
      "\"choice\":\"retreat\",\"routes\":[{\"unit\":\"AD-A\",\"path\":[\"W3\"]},{\"unit\":\"AD-"   \
      "G\","                                                                                       \
      "\"path\":[\"W3\"]},{\"unit\":\"AD-H\",\"path\":[\"W3\"]}]}]}},\"pursuit_loss\":" hits "}"

START_TEST(more_hits_than_a_seat_can_take_are_refused_W5_9)
{
    takes(LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{\"AL\":2}}"));
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{\"AL\":4}}"), "hits");
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{\"AL\":-1}}"), "hits");
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"B\",\"hits\":{\"AL\":8}}"), "hits");
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{\"FR\":1}}"), "hits");
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"C\",\"hits\":{\"AL\":1}}"), "stage");
    refuses(LOSS("{\"town\":\"W3\",\"stage\":\"A\",\"hits\":{\"AL\":1}}"), "routes");
    refuses(LOSS("{\"stage\":\"A\",\"hits\":{\"AL\":1}}"), "routes");
    /* Nobody is asked. */
    refuses(LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{}}"), "state");
}
END_TEST

START_TEST(in_combat_every_unit_has_a_place)
{
    takes(COMBAT W2(LANES12 "," LANE3, ""));
    refuses(COMBAT "\"at\":{\"W2\":\"FR-K\"}," W2(LANES12 "," LANE3, ""), "battles");
    refuses(COMBAT "\"at\":{\"W2\":\"AD-K\"}," W2(LANES12 "," LANE3, ""), "battles");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-K\":{}}"), "battles");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-K\":{\"place\":\"undeployed\"}}"),
            "battles");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-K\":{\"place\":\"col\"}}"), "lane");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-K\":{\"place\":\"res\",\"lane\":1}}"),
            "lane");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-K\":{\"place\":\"nowhere\"}}"), "place");
    refuses(COMBAT W2("\"1\":{\"att\":\"AD-G\",\"def\":\"AD-F\"}," LANE3, ""), "att");
}
END_TEST

START_TEST(an_empty_column_is_refused_W13_1)
{
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E\"}", ""), "battles");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"def\":\"AD-D\"}", ""), "battles");
    refuses(COMBAT W2(LANES12, ",\"reserve\":\"FR-E AD-D\""), "battles");
    /* An advanced unit holds its column (W7.6). */
    takes(COMBAT CT("def", "1") W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\"}", ""));
    /* Three players: the test may wait (W18.7). */
    takes_with(THREE, COMBAT CT("def", "2") W2(LANES12 ",\"3\":{\"att\":\"FR-E\"}",
                                               ",\"reserve\":\"PR-A\",\"test_due\":true"));
    refuses(COMBAT CT("def", "2") W2(LANES12 ",\"3\":{\"att\":\"FR-E\"}", ",\"test_due\":true"),
            "test_due");
}
END_TEST

START_TEST(both_sides_advanced_in_a_lane_are_refused_W7_5)
{
    refuses(COMBAT CT("att", "2") W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-D\","
                                             "\"adv\":\"FR-C AD-G\"}",
                                     ""),
            "lanes");
}
END_TEST

START_TEST(an_engaged_by_that_the_units_belie_is_refused)
{
    refuses(
        COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-D\",\"engaged_by\":\"att\"}", ""),
        "engaged_by");
    refuses(
        COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\",\"engaged_by\":\"none\"}", ""),
        "engaged_by");
    refuses(
        COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\",\"engaged_by\":\"def\"}", ""),
        "engaged_by");
    refuses(
        COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\",\"engaged_by\":\"us\"}", ""),
        "engaged_by");
    takes(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\",\"engaged_by\":\"att\","
                            "\"engaged_ct\":1}",
                    ""));
}
END_TEST

START_TEST(advanced_artillery_is_refused_W8_2)
{
    refuses(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-N\",\"def\":\"AD-D\"}", ""), "lanes");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-Q\",\"def\":\"AD-D\"}", ""), "lanes");
}
END_TEST

START_TEST(a_square_that_is_not_infantry_in_a_column_is_refused_W10_1)
{
    takes(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"FR-G\":{\"square\":true}}"));
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-H\",\"def\":\"AD-D\"}",
                      ",\"units\":{\"FR-H\":{\"square\":true}}"),
            "square");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\"}",
                      ",\"units\":{\"FR-E\":{\"square\":true}}"),
            "square");
    refuses(COMBAT W2(LANES12 "," LANE3,
                      ",\"reserve\":\"FR-A\",\"units\":{\"FR-A\":{\"square\":true}}"),
            "square");
}
END_TEST

START_TEST(an_advance_later_than_the_combat_turn_is_refused)
{
    refuses(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E@2\",\"def\":\"AD-D\"}", ""), "advanced_ct");
    /* In the attacker's CT 2 the defender's last one was 1. */
    refuses(COMBAT CT("att", "2")
                W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-C\",\"adv\":\"AD-D@2\"}", ""),
            "advanced_ct");
    takes(COMBAT CT("att", "2")
              W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-C\",\"adv\":\"AD-D@1\"}", ""));
    refuses(COMBAT W2(LANES12 ",\"3\":{\"adv\":\"FR-E\",\"def\":\"AD-D\",\"engaged_ct\":2}", ""),
            "engaged_ct");
    refuses(COMBAT W2(LANES12 ",\"3\":{\"att\":\"FR-E\",\"def\":\"AD-D\",\"engaged_ct\":1}", ""),
            "engaged_ct");
    refuses(COMBAT "\"won_at\":{\"FR-A\":{\"side\":\"att\",\"n\":2}}," W2(LANES12 "," LANE3, ""),
            "won_at");
    refuses(COMBAT "\"won_at\":{\"FR-G\":{\"side\":\"att\",\"n\":1}}," W2(LANES12 "," LANE3, ""),
            "won_at");
}
END_TEST

START_TEST(who_is_not_in_its_combat_turn_has_not_acted)
{
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"AD-D\":{\"fired\":true}}"), "units");
    refuses(COMBAT W2(LANES12 "," LANE3, ",\"units\":{\"AD-D\":{\"moves\":1}}"), "units");
    refuses(COMBAT CT("def", "1") W2(LANES12 "," LANE3, ",\"units\":{\"FR-G\":{\"moves\":1}}"),
            "units");
    refuses(COMBAT CT("def", "1") W2(LANES12 "," LANE3, ",\"attacker_acted\":true"),
            "attacker_acted");
    takes(COMBAT W2(LANES12 "," LANE3,
                    ",\"attacker_acted\":true,\"units\":{\"FR-G\":{\"moves\":1}}"));
}
END_TEST

#define DEPLOY(state, battle)                                                                      \
    F ",\"state\":\"" state "\"," AT_W2 "\"battles\":{\"W2\":{\"attack_roads\":[\"r04\"]," battle  \
      "}}}"
#define DEFENCE "\"1\":{\"def\":\"AD-A\"},\"2\":{\"def\":\"AD-B\"},\"3\":{\"def\":\"AD-C AD-G\"}"

START_TEST(half_a_deployment_is_refused_W6_3)
{
    takes(DEPLOY("DEPLOY_DEF", "\"lanes\":{}"));
    takes(DEPLOY("DEPLOY_ATT", "\"lanes\":{" DEFENCE "}"));
    refuses(DEPLOY("DEPLOY_DEF", "\"lanes\":{\"1\":{\"def\":\"AD-A\"}}"), "battles");
    refuses(DEPLOY("DEPLOY_DEF", "\"lanes\":{\"1\":{\"att\":\"FR-A\"},\"2\":{\"att\":\"FR-B\"},"
                                 "\"3\":{\"att\":\"FR-C\"}}"),
            "battles");
    refuses(DEPLOY("DEPLOY_ATT", "\"lanes\":{}"), "battles");
    refuses(DEPLOY("DEPLOY_ATT",
                   "\"lanes\":{\"1\":{\"def\":\"AD-A AD-B\"},\"3\":{\"def\":\"AD-C AD-G\"}}"),
            "battles");
    refuses(DEPLOY("DEPLOY_ATT", "\"lanes\":{" DEFENCE "},\"units\":{\"AD-A\":{\"square\":true}}"),
            "square");
    refuses(DEPLOY("DEPLOY_ATT", "\"lanes\":{" DEFENCE "},\"over\":true"), "lanes");
    /* All are deployed: the server would turn them up. */
    refuses(DEPLOY("DEPLOY_DEF", "\"lanes\":{" DEFENCE "}"), "state");
}
END_TEST

START_TEST(no_fighting_at_night_W3_4)
{
    refuses(F ",\"slot\":3,\"state\":\"RESPOND\"," AT_W2 ATTACK "}}}", "state");
    refuses(F ",\"slot\":3,\"state\":\"COMBAT\"," W2(LANES12 "," LANE3, ""), "state");
    refuses(F ",\"slot\":6,\"state\":\"DEPLOY_DEF\"," AT_W2 "\"battles\":{\"W2\":{\"attack_roads\":"
              "[\"r04\"]}}}",
            "state");
    takes(F ",\"slot\":3}");
}
END_TEST

START_TEST(supply_follows_french_turns_only_W15_2)
{
    takes(F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":1}}");
    takes(F ",\"slot\":3,\"state\":\"SUPPLY\",\"debt\":{\"AD\":1,\"PR\":2}}");
    refuses(F ",\"slot\":2,\"state\":\"SUPPLY\",\"debt\":{\"AD\":1}}", "state");
    refuses(F ",\"state\":\"SUPPLY\"}", "state");
    refuses(F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":0}}", "AD");
    refuses(F ",\"state\":\"SUPPLY\",\"debt\":{\"FR\":1}}", "FR");
    refuses(F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":3}}", "AD");
}
END_TEST

START_TEST(a_unit_of_a_nation_that_surrendered_is_refused)
{
    refuses(F ",\"surrendered\":[\"AD\"]}", "surrendered");
    refuses(F ",\"surrendered\":[\"FR\"]}", "surrendered");
    takes(F
          ",\"surrendered\":[\"AD\"],\"gone\":\"AD-A AD-B AD-C AD-D AD-E AD-F AD-G AD-H AD-I AD-J "
          "AD-K AD-L AD-M AD-N\"}");
}
END_TEST

START_TEST(a_position_without_anyone_to_act_is_refused)
{
    refuses(F ",\"state\":\"RESPOND\"}", "state");
    refuses(F ",\"state\":\"DEPLOY_DEF\"}", "state");
    refuses(F ",\"state\":\"COMBAT\"}", "state");
    refuses(F ",\"ended\":[\"FR\"]}", "state");
    refuses(F ",\"state\":\"GAME_OVER\"}", "result");
    takes(F ",\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AL\",\"why\":\"time\"}}");
    refuses(F ",\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AL\"}}", "result");
    refuses(F ",\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AD\",\"why\":\"time\"}}",
            "winner");
}
END_TEST

START_TEST(a_position_in_which_the_server_would_act_is_refused_W19_2)
{
    /* All French units are marked or gone: the server ends their movement. */
    refuses(
        F ",\"gone\":\"FR-B FR-C FR-D FR-E FR-F FR-G FR-H FR-I FR-J FR-K FR-L FR-M FR-N FR-O FR-P "
          "FR-Q FR-R\",\"units\":{\"FR-A\":{\"marked_until\":1}}}",
        "state");
    /* A debt of all the units that are left. */
    refuses(F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":1},\"gone\":\"AD-B AD-C AD-D AD-E AD-F AD-G "
              "AD-H AD-I "
              "AD-J AD-K AD-L AD-M AD-N\"}",
            "state");
    /* Two units in a town without a way out: stranded by the server. */
    refuses(F ",\"state\":\"RESPOND\",\"at\":{\"LI\":\"FR-A FR-B FR-C PR-A "
              "PR-B\"},\"others\":{\"PR\":\"E2\"},"
              "\"attacks\":{\"LI\":{\"attack_roads\":[\"r22\"]}}}",
            "state");
    /* Three players: a seat without any unit has ended. */
    refuses_with(THREE,
                 F ",\"slot\":2,\"surrendered\":[\"PR\"],\"gone\":\"PR-A PR-B PR-C PR-D PR-E PR-F "
                   "PR-G PR-H PR-I PR-J PR-K PR-L PR-M PR-N PR-O PR-P\"}",
                 "state");
    takes_with(THREE, F
               ",\"slot\":2,\"ended\":[\"PR\"],\"surrendered\":[\"PR\"],\"gone\":\"PR-A PR-B PR-C "
               "PR-D PR-E PR-F PR-G PR-H PR-I PR-J PR-K PR-L PR-M PR-N PR-O PR-P\"}");
}
END_TEST

START_TEST(who_has_left_is_called_as_the_page_says_W18_9)
{
    takes_with(THREE, F ",\"slot\":2,\"departed\":[\"AD\"]}");
    ck_assert_str_eq(wl_seat_id(&state, 2), "AL");
    refuses_with(THREE, F ",\"slot\":2,\"departed\":[\"AD\",\"PR\"]}", "departed");
    refuses_with(THREE, F ",\"departed\":[\"FR\"]}", "departed");
    refuses(F ",\"departed\":[\"AL\"]}", "departed");
    refuses_with(THREE, F ",\"departed\":[\"AL\"]}", "departed");
    takes(F ",\"state\":\"GAME_OVER\",\"departed\":[\"AL\"],\"result\":{\"winner\":\"FR\",\"why\":"
            "\"departed\"}}");
    refuses_with(THREE, F ",\"slot\":2,\"departed\":[\"AD\"],\"ended\":[\"PR\"]}", "ended");
}
END_TEST

START_TEST(pursuit_is_stated_by_attackers_that_have_ended_W4_15)
{
    takes(F ",\"state\":\"RESPOND\",\"pursuit\":{\"W2\":{\"FR\":\"none\"}}," AT_W2 ATTACK "}}}");
    refuses(F ",\"state\":\"RESPOND\",\"pursuit\":{\"W2\":{\"AL\":\"none\"}}," AT_W2 ATTACK "}}}",
            "pursuit");
    refuses(F ",\"state\":\"RESPOND\",\"pursuit\":{\"W3\":{\"FR\":\"none\"}}," AT_W2 ATTACK "}}}",
            "pursuit");
    refuses(F ",\"state\":\"RESPOND\",\"pursuit\":{\"W2\":{\"FR\":\"some\"}}," AT_W2 ATTACK "}}}",
            "pursuit");
    refuses(F ",\"state\":\"RESPOND\",\"pursuit\":{\"W2\":\"none\"}," AT_W2 ATTACK "}}}",
            "pursuit");
    refuses(F ",\"pursuit\":{\"W2\":{\"FR\":\"none\"}}}", "pursuit");
}
END_TEST

#define ROUT(text)                                                                                 \
    COMBAT CT("def", "1") "\"at\":{\"W2\":\"FR-A FR-B FR-C AD-A AD-B\"},\"battles\":{"             \
                          "\"E2\":{\"attack_roads\":[\"r06\"],\"lanes\":{\"1\":{\"att\":\"FR-D\"," \
                          "\"def\":\"PR-A\"},\"2\":"                                               \
                          "{\"att\":\"FR-E\",\"def\":\"PR-B\"},\"3\":{\"att\":\"FR-F\",\"def\":"   \
                          "\"PR-C\"}}},\"W2\":" text "}}"

START_TEST(a_rout_names_all_units_of_its_side)
{
    takes(ROUT("{\"over\":true,\"attack_roads\":[\"r04\"],\"rout\":{\"side\":\"def\",\"units\":{"
               "\"AD-A\":{},"
               "\"AD-B\":{\"revealed\":false}}}}"));
    const struct wl_fight *fight = &state.fight[pmap_town(&wl_board(&state)->map, "W2")];
    const struct pmap *map = &wl_board(&state)->map;
    uint64_t closed = 0;
    static const char *const towns[] = {"E2", "F1", "W2"}; /* where the French stand */
    for (size_t i = 0; i < 3; i++) {
        closed |= UINT64_C(1) << pmap_town(map, towns[i]);
    }
    ck_assert_uint_eq(fight->enemy_towns, closed);
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-A")].revealed, 1);
    ck_assert_uint_eq(state.unit[wl_find_unit("AD-B")].revealed, 0);
    refuses(ROUT("{\"over\":true,\"attack_roads\":[\"r04\"],\"rout\":{\"side\":\"def\",\"units\":{"
                 "\"AD-A\":{}}}}"),
            "rout");
    refuses(ROUT("{\"over\":true,\"attack_roads\":[\"r04\"],\"rout\":{\"side\":\"att\",\"units\":{"
                 "\"AD-A\":{},"
                 "\"AD-B\":{}}}}"),
            "rout");
    refuses(
        ROUT("{\"over\":true,\"attack_roads\":[\"r04\"],\"rout\":{\"side\":\"def\",\"units\":{}}}"),
        "rout");
    refuses(ROUT("{\"over\":true}"), "units");
    refuses(ROUT("{\"over\":true,\"attack_roads\":[\"r04\"]}"), "attack_roads");
    refuses(ROUT("{\"over\":true,\"idle_rounds\":1}"), "idle_rounds");
}
END_TEST

START_TEST(options_out_of_bounds_are_refused)
{
    refuses_with("{\"players\":4}", "{}", "players");
    refuses_with("{\"players\":1}", "{}", "players");
    refuses_with("{\"turns\":1}", "{}", "turns");
    refuses_with("{\"turns\":25}", "{}", "turns");
    refuses_with("{\"morale\":1}", "{}", "morale");
    refuses_with("{\"fog\":true}", "{}", "fog");
    refuses_with("{\"turns\":6}", "{\"slot\":7}", "slot");
    takes_with("{\"turns\":6}", "{\"slot\":6}");
}
END_TEST

/* ---- what is written is read back ---- */

static char *written(const struct state *s)
{
    struct buf buf;
    size_t n = 0;
    buf_init(&buf, 1 << 20);
    wl_position_write(s, &buf);
    ck_assert(!buf.failed);
    return buf_take(&buf, &n);
}

static void goes_round(const char *options, const char *position, const char *name)
{
    struct why why;
    ck_assert_msg(read_with(options, position, &why) == ERR_OK, "%s: %s: %s", name, why.member,
                  why.text);
    char *once = written(&state);
    struct state first = state;
    ck_assert_msg(read_with(options, once, &why) == ERR_OK, "%s, full form: %s: %s\n%s", name,
                  why.member, why.text, once);
    char *twice = written(&state);
    ck_assert_str_eq(once, twice);
    ck_assert_msg(memcmp(&first, &state, sizeof first) == 0, "%s: another state", name);
    free(once);
    free(twice);
}

static char *file_text(const char *path)
{
    struct buf buf;
    size_t n = 0;
    char part[4096];
    buf_init(&buf, 4 << 20);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    while ((n = fread(part, 1, sizeof part, file)) > 0) {
        buf_append(&buf, part, n);
    }
    (void)fclose(file);
    return buf_take(&buf, &n);
}

static void case_goes_round(const cJSON *one)
{
    const cJSON *options = json_get(one, "options");
    char *position = cJSON_PrintUnformatted(json_get(one, "position"));
    char *given = options == NULL ? NULL : cJSON_PrintUnformatted(options);
    goes_round(given, position, json_get(one, "case")->valuestring);
    cJSON_free(position);
    cJSON_free(given);
}

START_TEST(positions_of_all_cases_go_round)
{
    DIR *dir = opendir(CASES_DIR);
    unsigned count = 0;
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strstr(entry->d_name, ".json") == NULL) { continue; }
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", CASES_DIR, entry->d_name);
        char *text = file_text(path);
        cJSON *json = parse(text);
        free(text);
        if (cJSON_IsArray(json)) {
            for (const cJSON *i = json->child; i != NULL; i = i->next, count++) {
                case_goes_round(i);
            }
        } else {
            case_goes_round(json);
            count++;
        }
        cJSON_Delete(json);
    }
    (void)closedir(dir);
    ck_assert_uint_ge(count, 91);
}
END_TEST

START_TEST(full_forms_of_every_state_go_round)
{
    goes_round(NULL, F ",\"state\":\"SETUP_FRENCH\",\"at\":{" ALLIES_SET ",\"F1\":\"FR-A\"}}",
               "set-up");
    goes_round(NULL, LOSS("{\"town\":\"W2\",\"stage\":\"A\",\"hits\":{\"AL\":2}}"), "losses");
    goes_round(NULL, DEPLOY("DEPLOY_ATT", "\"lanes\":{" DEFENCE "}"), "deployment");
    goes_round(
        NULL,
        ROUT("{\"over\":true,\"attack_roads\":[\"r04\"],\"rout\":{\"side\":\"def\",\"units\":"
             "{\"AD-A\":{},\"AD-B\":{\"revealed\":false}}}}"),
        "rout");
    goes_round(
        NULL,
        F ",\"state\":\"SUPPLY\",\"debt\":{\"AD\":1,\"PR\":2},\"groups_used\":{\"FR\":[\"F2\"]},"
          "\"marched\":[\"FR-A\"],\"ledger_move\":{\"r04\":1}}",
        "supply");
    goes_round(NULL, F ",\"state\":\"GAME_OVER\",\"result\":{\"winner\":\"AL\",\"why\":\"time\"}}",
               "over");
    goes_round(THREE, F ",\"slot\":2,\"departed\":[\"PR\"]}", "departed");
    goes_round(NULL, ANSWER("{\"seat\":\"AL\",\"choice\":\"fight\"}"), "answer");
}
END_TEST

START_TEST(the_full_form_has_every_member_of_its_state)
{
    static const char *const members[] = {
        "\"base\":\"fixture\"",    "\"slot\":1",           "\"units\":{\"AD-A\":{",
        "\"marked_until\":0",      "\"ended\":[]",         "\"groups_used\":{",
        "\"ledger_move\":{}",      "\"marched\":[]",       "\"ledger_retreat\":{",
        "\"engaged_by\":\"none\"", "\"fired\":false",      "\"moves\":0",
        "\"square\":false",        "\"round_over\":false", "\"won_at\":{}",
        "\"surrendered\":[]",      "\"departed\":[]",      "\"over\":false",
        "\"idle_rounds\":0",       "\"test_due\":false",   "\"fired_last_round\":false"};
    takes(COMBAT W2(LANES12 "," LANE3, ""));
    char *text = written(&state);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        ck_assert_msg(strstr(text, members[i]) != NULL, "no %s in %s", members[i], text);
    }
    ck_assert_ptr_null(strstr(text, "null"));
    ck_assert_ptr_null(strstr(text, "reserve"));
    free(text);
}
END_TEST

/* Every member of a good position, replaced by values that fit nowhere: no crash, and a name. */
START_TEST(hostile_values_in_every_member)
{
    static const char *const values[] = {"-1",
                                         "9007199254740991",
                                         "[]",
                                         "{}",
                                         "\"\"",
                                         "true",
                                         "[[[[]]]]",
                                         "{\"\":{}}",
                                         "[\"\"]",
                                         "[{}]",
                                         "\"FR-A FR-A FR-A\"",
                                         "{\"W2\":[]}",
                                         "{\"W2\":{\"W2\":1}}",
                                         "[{\"unit\":\"FR-A\",\"path\":[1]}]"};
    static const char *const names[] = {
        "at",          "attacks",     "base",           "battles", "confirmed",
        "ct",          "debt",        "departed",       "ended",   "gone",
        "groups_used", "ledger_move", "ledger_retreat", "marched", "marches",
        "others",      "pursuit",     "pursuit_loss",   "result",  "slot",
        "state",       "surrendered", "units",          "won_at"};
    for (unsigned step = 0; step < WL_STEPS; step++) {
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                char text[256];
                struct why why;
                bool twice = strcmp(names[n], "state") == 0 || strcmp(names[n], "base") == 0;
                (void)snprintf(text, sizeof text,
                               twice ? "{\"%s\":%s}"
                                     : "{\"%s\":%s,\"base\":"
                                       "\"fixture\",\"state\":\"%s\"}",
                               names[n], values[v], wl_step_id(step));
                enum err err = read_with(THREE, text, &why);
                ck_assert_msg(err == ERR_OK || err == ERR_INVALID_PARAMS, "%s: %d", text, err);
            }
        }
    }
}
END_TEST

static Suite *position_suite(void)
{
    Suite *suite = suite_create("position");
    TCase *tc = tcase_create("position");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, defaults_are_those_of_the_page);
    tcase_add_test(tc, short_and_long_forms_mix);
    tcase_add_test(tc, what_is_not_an_object_is_refused);
    tcase_add_test(tc, unknown_members_are_refused);
    tcase_add_test(tc, members_out_of_their_states_are_refused);
    tcase_add_test(tc, wrong_types_are_refused);
    tcase_add_loop_test(tc, texts_of_units_have_one_form, 0, BAD_TEXTS);
    tcase_add_test(tc, unknown_ids_are_refused);
    tcase_add_test(tc, a_unit_in_two_places_is_refused);
    tcase_add_test(tc, a_unit_or_value_twice_in_a_list_is_refused);
    tcase_add_test(tc, a_combat_value_is_1_to_the_starting_one);
    tcase_add_test(tc, a_mark_ends_with_this_slot_or_the_next_W12_11);
    tcase_add_test(tc, a_match_left_in_the_set_up_has_no_slot_W18_9);
    tcase_add_test(tc, a_set_up_against_its_limits_is_refused_W2);
    tcase_add_test(tc, the_french_set_up_comes_after_the_allied_one_W2);
    tcase_add_test(tc, drafts_that_march_would_refuse_are_refused);
    tcase_add_test(tc, a_road_above_its_capacity_is_refused_W4_6_W4_7);
    tcase_add_test(tc, both_sides_in_a_peaceful_town_are_refused);
    tcase_add_test(tc, an_attack_has_attackers_and_roads);
    tcase_add_test(tc, answers_name_each_unit_once_W5_3);
    tcase_add_test(tc, more_hits_than_a_seat_can_take_are_refused_W5_9);
    tcase_add_test(tc, in_combat_every_unit_has_a_place);
    tcase_add_test(tc, an_empty_column_is_refused_W13_1);
    tcase_add_test(tc, both_sides_advanced_in_a_lane_are_refused_W7_5);
    tcase_add_test(tc, an_engaged_by_that_the_units_belie_is_refused);
    tcase_add_test(tc, advanced_artillery_is_refused_W8_2);
    tcase_add_test(tc, a_square_that_is_not_infantry_in_a_column_is_refused_W10_1);
    tcase_add_test(tc, an_advance_later_than_the_combat_turn_is_refused);
    tcase_add_test(tc, who_is_not_in_its_combat_turn_has_not_acted);
    tcase_add_test(tc, half_a_deployment_is_refused_W6_3);
    tcase_add_test(tc, no_fighting_at_night_W3_4);
    tcase_add_test(tc, supply_follows_french_turns_only_W15_2);
    tcase_add_test(tc, a_unit_of_a_nation_that_surrendered_is_refused);
    tcase_add_test(tc, a_position_without_anyone_to_act_is_refused);
    tcase_add_test(tc, a_position_in_which_the_server_would_act_is_refused_W19_2);
    tcase_add_test(tc, who_has_left_is_called_as_the_page_says_W18_9);
    tcase_add_test(tc, pursuit_is_stated_by_attackers_that_have_ended_W4_15);
    tcase_add_test(tc, a_rout_names_all_units_of_its_side);
    tcase_add_test(tc, options_out_of_bounds_are_refused);
    tcase_add_test(tc, positions_of_all_cases_go_round);
    tcase_add_test(tc, full_forms_of_every_state_go_round);
    tcase_add_test(tc, the_full_form_has_every_member_of_its_state);
    tcase_add_test(tc, hostile_values_in_every_member);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(position_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
