/* tests/client/client_test.c: orders, sentences, pictures and addresses of the terminal client. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "client-cli/bots/bot.h"
#include "client-cli/face/face.h"
#include "client-cli/net/url.h"
#include "client-cli/text.h"
#include "client-cli/waterloo/describe_view.h"
#include "client-cli/waterloo/draw.h"
#include "client-cli/waterloo/orders.h"
#include "client-cli/waterloo/ways.h"
#include "common/base/jsonr.h"
#include "common/protocol/patch.h"
#include "common/rules/game.h"
#include "common/words/board.h"
#include "common/words/words.h"
#include "tests/client/kit.h"

static struct board board;
static struct wv wv;
static struct buf out, why;

static void read_board(void)
{
    buf_init(&out, 8 << 20);
    buf_init(&why, 1 << 20);
    cJSON *json = kit_file(BOARD_PATH);
    ck_assert(board_read(json, &board));
    cJSON_Delete(json);
}

static void finish(void)
{
    buf_finish(&out);
    buf_finish(&why);
}

/* The view of a seat of a position in short form (waterloo-position 3), with the seat's forms. */
static cJSON *view_among(int players, const char *position, unsigned seat, const char *code)
{
    const struct game *game = game_find("waterloo");
    char options[128];
    snprintf(options, sizeof options,
             "{\"players\":%d,\"turns\":24,\"morale\":false,\"command_control\":false}", players);
    struct state *state = kit_state(game, options, position);
    cJSON *view = kit_view(game, state, seat, code);
    free(state);
    return view;
}

static cJSON *view_of(const char *position, unsigned seat, const char *code)
{
    return view_among(2, position, seat, code);
}

/* The action that the order makes must be this one. */
static void expect_order(const cJSON *view, const char *order, const char *action)
{
    buf_reset(&out);
    buf_reset(&why);
    ck_assert_msg(orders_parse(&board, view, order, &out, &why), "%s: %s", order, buf_str(&why));
    kit_expect_same(order, buf_str(&out), action);
}

static void expect_no_order(const cJSON *view, const char *order, const char *sentence)
{
    buf_reset(&out);
    buf_reset(&why);
    ck_assert_msg(!orders_parse(&board, view, order, &out, &why), "%s: taken as %s", order,
                  buf_str(&out));
    ck_assert_str_eq(buf_str(&why), sentence);
}

static const char march_position[] =
    "{\"slot\":1,\"at\":{\"beaumont\":\"FR-A FR-B FR-K FR-N\",\"maubeuge\":\"FR-C\"}}";

START_TEST(march_orders_become_marches)
{
    cJSON *view = view_of(march_position, 0, "FR");
    expect_order(
        view, "march FR-A FR-B beaumont thuin",
        "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"thuin\"],\"forced\":false},"
        "{\"unit\":\"FR-B\",\"path\":[\"thuin\"],\"forced\":false}]}");
    /* cavalry goes two towns (W4.4), by the shortest way where only the goal is named */
    expect_order(view, "march fr-k charleroi",
                 "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-K\",\"path\":[\"thuin\","
                 "\"charleroi\"],\"forced\":false}]}");
    expect_order(view, "march FR-A thuin charleroi forced",
                 "{\"do\":\"march\",\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"thuin\","
                 "\"charleroi\"],\"forced\":true}]}");
    expect_no_order(view, "march FR-A thuin charleroi",
                    "FR-A: that is a forced march, a die may cost 1 CV; add the word forced.");
    expect_no_order(view, "march FR-Z thuin", "There is no unit of yours called ‘FR-Z’.");
    expect_no_order(view, "march FR-A",
                    "Name the towns to march through: march UNIT... TOWN... [forced]");
    expect_no_order(view, "fire FR-A AD-A",
                    "‘fire’ has no place now. Type help for the orders of the moment.");
    expect_no_order(view, "dance FR-A", "I do not know the order ‘dance’. Type help.");
    expect_order(view, "end pursue none hal",
                 "{\"do\":\"end_movement\",\"pursuit\":{\"hal\":\"none\"}}");
    cJSON_Delete(view);
}
END_TEST

/* Who has a march must be taken back first (W4.10); the sentence tells how. */
START_TEST(a_second_march_of_a_unit_is_refused_W4_10)
{
    cJSON *view = view_of("{\"slot\":1,\"at\":{\"beaumont\":\"FR-A FR-B\"},"
                          "\"marches\":[{\"unit\":\"FR-A\",\"path\":[\"thuin\"]}]}",
                          0, "FR");
    expect_no_order(view, "march FR-B FR-A thuin",
                    "FR-A has a march already; unmarch FR-A takes it back.");
    expect_order(view, "unmarch FR-A", "{\"do\":\"unmarch\",\"units\":[\"FR-A\"]}");
    cJSON_Delete(view);
    /* an ally's block is seen, but not commanded (W18) */
    view = view_among(3, "{\"slot\":2,\"at\":{\"hal\":\"AD-A\",\"wavre\":\"PR-A\"}}", 1, "AD");
    expect_no_order(view, "march PR-A perwez", "There is no unit of yours called ‘PR-A’.");
    cJSON_Delete(view);
}
END_TEST

START_TEST(a_way_without_room_is_not_proposed_W4_7)
{
    /* laneffe - charleroi is a major road over a river: 4 units (W4.6, W4.7) */
    cJSON *view =
        view_of("{\"slot\":1,\"at\":{\"laneffe\":\"FR-A FR-B FR-C FR-D FR-E\"}}", 0, "FR");
    int road = board_road_id(&board, "laneffe-charleroi");
    struct ways ways;
    struct way way;
    ck_assert(wv_read(&board, view, &wv));
    ways_init_march(&ways, &wv, false);
    ck_assert_int_eq(ways.room[road], 4);
    int from = board_town(&board, "laneffe");
    int to = board_town(&board, "charleroi");
    for (int i = 0; i < 4; i++) {
        ck_assert(ways_to(&ways, from, WV_INFANTRY, false, to, &way));
        ways_use(&ways, from, &way);
    }
    ck_assert(!ways_to(&ways, from, WV_INFANTRY, false, to, &way));
    cJSON_Delete(view);
}
END_TEST

static const char battle_position[] =
    "{\"slot\":1,\"state\":\"COMBAT\",\"at\":{\"charleroi\":\"\"},"
    "\"battles\":{\"quatre-bras\":{\"attack_roads\":[\"charleroi-quatre-bras\"],\"reserve\":\"FR-J "
    "AD-K\","
    "\"lanes\":{\"1\":{\"att\":\"FR-N "
    "FR-A\",\"def\":\"AD-A\"},\"2\":{\"att\":\"FR-B\",\"def\":\"AD-B\"},"
    "\"3\":{\"att\":\"FR-C FR-H\",\"def\":\"PR-A\"}}}}}";

START_TEST(combat_orders_become_actions)
{
    cJSON *view = view_of(battle_position, 0, "FR");
    expect_order(
        view, "fire FR-N ad-a",
        "{\"do\":\"fire\",\"battle\":\"quatre-bras\",\"unit\":\"FR-N\",\"target\":\"AD-A\"}");
    expect_order(
        view, "advance FR-A",
        "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-A\",\"kind\":\"advance\"}");
    expect_order(
        view, "advance FR-B FR-C",
        "[{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-B\",\"kind\":\"advance\"},"
        "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-C\",\"kind\":\"advance\"}]");
    expect_order(view, "redeploy FR-A 2",
                 "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-A\",\"kind\":"
                 "\"redeploy\",\"to\":2}");
    expect_order(view, "bring FR-J 1",
                 "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-J\",\"kind\":\"from_"
                 "reserve\",\"to\":1}");
    expect_order(
        view, "reserve FR-H",
        "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-H\",\"kind\":\"to_reserve\"}");
    expect_order(
        view, "square FR-B",
        "{\"do\":\"move\",\"battle\":\"quatre-bras\",\"unit\":\"FR-B\",\"kind\":\"form_square\"}");
    expect_order(view, "end reinforce quatre-bras FR-D FR-E",
                 "{\"do\":\"end_combat_turn\",\"reinforcements\":[{\"battle\":\"quatre-bras\","
                 "\"units\":[\"FR-D\",\"FR-E\"]}]}");
    expect_order(view, "retreat FR-B charleroi",
                 "{\"do\":\"retreat\",\"battle\":\"quatre-bras\",\"routes\":[{\"unit\":\"FR-B\","
                 "\"path\":[\"charleroi\"],\"forced\":false}]}");
    expect_no_order(view, "fire FR-N", "Name the target: fire UNIT TARGET");
    expect_no_order(view, "bring FR-J 7", "Name the lane, 1, 2 or 3: bring UNIT LANE");
    cJSON_Delete(view);
}
END_TEST

START_TEST(answers_to_an_attack_name_every_unit_once_W5_3)
{
    cJSON *view =
        view_of("{\"slot\":1,\"state\":\"RESPOND\",\"at\":{\"quatre-bras\":\"FR-A FR-B FR-C AD-A "
                "AD-G AD-K\"},"
                "\"attacks\":{\"quatre-bras\":{\"attack_roads\":[\"charleroi-quatre-bras\"]}}}",
                1, "AL");
    static const char *const spellings[] = {"fight quatre", "fight Quatre Bras", "fight quatrebras",
                                            "fight QUATRE-BRAS"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        expect_order(view, spellings[i],
                     "{\"do\":\"respond\",\"town\":\"quatre-bras\",\"choice\":\"fight\"}");
    }
    expect_order(
        view, "retreat quatre-bras AD-A AD-K waterloo AD-G nivelles hal",
        "{\"do\":\"respond\",\"town\":\"quatre-bras\",\"choice\":\"retreat\",\"routes\":["
        "{\"unit\":\"AD-A\",\"path\":[\"waterloo\"],\"forced\":false},{\"unit\":\"AD-K\",\"path\":["
        "\"waterloo\"],\"forced\":false},"
        "{\"unit\":\"AD-G\",\"path\":[\"nivelles\",\"hal\"],\"forced\":false}],\"stranded\":[]}");
    buf_reset(&out);
    ck_assert(orders_parse(&board, view, "retreat quatre-bras", &out, &why));
    cJSON *action = kit_json(buf_str(&out));
    ck_assert_int_eq(cJSON_GetArraySize(json_get(action, "routes")), 3);
    ck_assert_ptr_null(strstr(buf_str(&out), "charleroi")); /* W12.7: not by the attack road */
    cJSON_Delete(action);
    cJSON_Delete(view);
}
END_TEST

START_TEST(proposed_set_up_is_legal_W2_3_W2_4)
{
    static const struct {
        const char *position, *code;
        int units;
    } seats[] = {
        {"{\"state\":\"SETUP_ALLIED\",\"slot\":0}", "AL", 30},
        {"{\"state\":\"SETUP_FRENCH\",\"slot\":0,\"confirmed\":[\"AL\"],\"at\":{\"waterloo\":\"AD-"
         "A AD-B AD-C\",\"hal\":\"AD-D AD-E AD-F\","
         "\"brussels\":\"AD-G AD-H AD-I\",\"mons\":\"AD-J AD-K AD-L\",\"ath\":\"AD-M "
         "AD-N\",\"namur\":\"PR-A PR-B PR-C PR-D\","
         "\"huy\":\"PR-E PR-F PR-G PR-H\",\"liege\":\"PR-I PR-J PR-K PR-L\",\"ciney\":\"PR-M PR-N "
         "PR-O PR-P\"}}",
         "FR", 18},
    };
    static const int most[WV_NATIONS] = {12, 3, 4};
    for (unsigned k = 0; k < 2; k++) {
        cJSON *view = view_of(seats[k].position, 1 - k, seats[k].code);
        int town[WV_UNITS_MAX], used[BOARD_TOWNS_MAX][WV_NATIONS] = {{0}};
        ck_assert(wv_read(&board, view, &wv));
        setup_propose(&wv, town);
        ck_assert_int_eq(wv.units, seats[k].units);
        for (int i = 0; i < wv.units; i++) {
            ck_assert_int_ne(town[i], BOARD_NONE);
            enum wv_nation n = wv.unit[i].nation;
            ck_assert_int_eq(board.town[town[i]].zone, n == WV_FR   ? ZONE_FRANCE
                                                       : n == WV_AD ? ZONE_ANGLO
                                                                    : ZONE_PRUSSIAN);
            ck_assert_int_le(++used[town[i]][n], most[n]);
        }
        cJSON_Delete(view);
    }
}
END_TEST

START_TEST(proposed_deployment_fills_three_columns_W6_2)
{
    cJSON *view = view_of(
        "{\"slot\":1,\"state\":\"DEPLOY_DEF\",\"at\":{\"quatre-bras\":\"FR-A FR-B FR-C AD-A AD-G "
        "AD-K AD-L PR-A\"},"
        "\"battles\":{\"quatre-bras\":{\"attack_roads\":[\"charleroi-quatre-bras\"],\"units\":{"
        "\"FR-A\":{\"place\":\"undeployed\"},\"FR-B\":{\"place\":\"undeployed\"},\"FR-C\":{"
        "\"place\":\"undeployed\"},"
        "\"AD-A\":{\"place\":\"undeployed\"},\"AD-G\":{\"place\":\"undeployed\"},\"AD-K\":{"
        "\"place\":\"undeployed\"},"
        "\"AD-L\":{\"place\":\"undeployed\"},\"PR-A\":{\"place\":\"undeployed\"}}}}}",
        1, "AL");
    int place[WV_UNITS_MAX], men[4] = {0};
    ck_assert(wv_read(&board, view, &wv));
    deploy_propose(&wv, board_town(&board, "quatre-bras"), false, place);
    for (int i = 0; i < wv.units; i++) {
        if (place[i] >= 0) { men[place[i]]++; }
    }
    ck_assert_int_eq(men[0] + men[1] + men[2] + men[3], 5);
    for (int lane = 1; lane <= 3; lane++) {
        ck_assert_int_ge(men[lane], 1);
    }
    expect_order(view, "deploy quatre-bras 1: AD-A 2: AD-G 3:PR-A reserve: AD-K AD-L",
                 "{\"do\":\"deploy\",\"battle\":\"quatre-bras\",\"columns\":{\"1\":[\"AD-A\"],"
                 "\"2\":[\"AD-G\"],\"3\":[\"PR-A\"],"
                 "\"reserve\":[\"AD-K\",\"AD-L\"]}}");
    cJSON_Delete(view);
}
END_TEST

START_TEST(towns_do_not_overlap_at_any_size)
{
    static const int sizes[][2] = {{80, 13},  {80, 14},  {86, 30}, {100, 20},
                                   {120, 40}, {200, 60}, {80, 40}, {160, 12}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct layout l;
        ck_assert_msg(layout_make(&board, sizes[i][0], sizes[i][1], &l), "%d x %d", sizes[i][0],
                      sizes[i][1]);
        for (unsigned a = 0; a < board.towns; a++) {
            ck_assert_int_ge(l.x[a], 0);
            ck_assert_int_le(l.x[a] + l.box[a], sizes[i][0]);
            ck_assert(l.y[a] >= 0 && l.y[a] < sizes[i][1]);
            for (unsigned b = a + 1; b < board.towns; b++) {
                bool apart =
                    l.y[a] != l.y[b] || l.x[a] + l.box[a] < l.x[b] || l.x[b] + l.box[b] < l.x[a];
                ck_assert_msg(apart, "%s and %s at %d x %d", board.town[a].id, board.town[b].id,
                              sizes[i][0], sizes[i][1]);
            }
        }
    }
}
END_TEST

START_TEST(battle_board_shows_what_is_known)
{
    cJSON *view = view_of(battle_position, 0, "FR");
    struct canvas c;
    ck_assert(wv_read(&board, view, &wv));
    ck_assert_int_eq(wv.battles, 1);
    ck_assert(canvas_init(&c, 80, 14, false));
    draw_battle(&c, &wv, &wv.battle[0]);
    buf_reset(&out);
    canvas_dump(&c, &out);
    if (getenv("SHOW") != NULL) { puts(buf_str(&out)); }
    static const char *const shown[] = {"Quatre Bras", "we attack",   "FR-Nf3",
                                        "FR-Ai4",      "AD-Ai4",      "PR-Ai3",
                                        "FR-Jc3",      "1 AD hidden", "! fired"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        ck_assert_msg(strstr(buf_str(&out), shown[i]) != NULL, "%s is missing", shown[i]);
    }
    ck_assert_ptr_null(strstr(buf_str(&out), "AD-K")); /* W20.1: the enemy's reserve is a count */
    canvas_finish(&c);
    buf_reset(&out);
    describe_battle(&out, &wv, &wv.battle[0]);
    ck_assert_ptr_nonnull(strstr(
        buf_str(&out), "Lane 1: we FR-A (inf, CV 4), FR-N (art, CV 3); they AD-A (inf, CV 4)."));
    cJSON_Delete(view);
}
END_TEST

/* Of the page that out holds: every order that fits the state is there, whole. */
static void expect_help(const char *language, int state)
{
    for (const struct order_word *w = order_words; w->word != NULL; w++) {
        char usage[256];
        if (orders_usage(w)[0] == '\0') { continue; }
        snprintf(usage, sizeof usage, "%s: ", orders_usage(w));
        bool shown = strstr(buf_str(&out), usage) != NULL;
        bool whole = strstr(buf_str(&out), orders_help(w)) != NULL;
        ck_assert_msg(shown == orders_word_fits(w, &wv), "%s in state %d in %s", w->word, state,
                      language);
        ck_assert_msg(!shown || whole, "%s is cut in state %d in %s", w->word, state, language);
    }
}

/* At 80 by 24 the page has 18 rows; nothing of any order may be cut or fall off. */
START_TEST(help_stands_whole_on_the_smallest_screen)
{
    cJSON *view = view_of(battle_position, 0, "FR");
    ck_assert(wv_read(&board, view, &wv));
    for (const struct words_table *t = words_tables; t->language != NULL; t++) {
        ck_assert(words_set_language(t->language));
        for (int state = WV_SETUP_ALLIED; state <= WV_GAME_OVER; state++) {
            struct canvas c;
            wv.state = (enum wv_state)state;
            ck_assert(canvas_init(&c, 80, 18, false));
            draw_help(&c, &(struct face){.game = &face_waterloo, .state = (unsigned)state});
            buf_reset(&out);
            canvas_dump(&c, &out);
            canvas_finish(&c);
            if (getenv("SHOW") != NULL) { puts(buf_str(&out)); }
            bool wide = strcmp(t->language, "ja") == 0 || strcmp(t->language, "zh") == 0;
            size_t n = 0;
            for (char *at = out.data; *at != '\0'; at++) { /* a row's end counts as a blank */
                if (*at == '\n' && wide) { continue; }
                out.data[n++] = (char)(*at == '\n' ? ' ' : *at);
            }
            out.data[n] = '\0';
            if (!wide) { expect_help(t->language, state); }
            ck_assert_msg(strstr(buf_str(&out), "PgDn") != NULL, "the keys in state %d in %s",
                          state, t->language); /* the last of all */
        }
    }
    words_set_language("en");
    cJSON_Delete(view);
}
END_TEST

static void expect_lines(const char *events, const char *lines)
{
    cJSON *json = kit_json(events);
    buf_reset(&out);
    describe_events(&out, json, &board);
    ck_assert_str_eq(buf_str(&out), lines);
    cJSON_Delete(json);
}

START_TEST(events_become_sentences)
{
    expect_lines("[{\"ev\":\"marched\",\"side\":\"FR\",\"marches\":[{\"nation\":\"FR\",\"from\":"
                 "\"charleroi\",\"path\":[\"quatre-bras\"],"
                 "\"forced\":false,\"count\":5}]}]",
                 "Five French units march from Charleroi to Quatre Bras.\n");
    expect_lines(
        "[{\"ev\":\"marched\",\"side\":\"FR\",\"marches\":[{\"unit\":\"FR-A\",\"from\":"
        "\"laneffe\",\"path\":[\"charleroi\",\"ligny\"],\"forced\":true},"
        "{\"unit\":\"FR-H\",\"from\":\"laneffe\",\"path\":[\"charleroi\",\"ligny\"],"
        "\"forced\":true}]}]",
        "I Corps (FR-A) and the Guard cavalry (FR-H) force their march from Laneffe through "
        "Charleroi to Ligny.\n");
    expect_lines("[{\"ev\":\"fired\",\"battle\":\"hal\",\"unit\":\"FR-N\",\"target\":\"AD-A\","
                 "\"dice\":[6,2,5],\"hit_on\":6,\"hits\":1,\"lost\":1}]",
                 "Hal: the Left Wing artillery (FR-N) fires at British I Corps (AD-A): (6, 2, 5) "
                 "one hit.\n");
    expect_lines("[{\"ev\":\"moved\",\"battle\":\"hal\",\"unit\":\"FR-J\",\"kind\":\"from_"
                 "reserve\",\"to\":2,\"type\":\"cavalry\",\"cv\":3}]",
                 "Hal: the Reserve Cavalry (FR-J) comes out of reserve in the centre, at strength "
                 "3.\n");
    expect_lines("[{\"ev\":\"pursuit\",\"town\":\"ligny\",\"side\":\"FR\",\"stage\":\"A\",\"dice\":"
                 "[2,4],\"hits\":1}]",
                 "Pursuit at Ligny: (2, 4) one hit on mounted units.\n");
    expect_lines(
        "[{\"ev\":\"eliminated\",\"unit\":\"AD-J\",\"type\":\"cavalry\",\"why\":\"supply\"}]",
        "The Dutch Cavalry (AD-J) is lost for want of supply.\n");
    expect_lines("[{\"ev\":\"match_ended\",\"how\":\"resign\",\"seat\":\"AL\",\"result\":{}}]",
                 "The Allies have resigned. The match is over.\n");
    expect_lines("[{\"ev\":\"turn\",\"slot\":3,\"side\":\"FR\",\"night\":true}]",
                 "15 June, night. Night falls: no attack, no forced march. The French move.\n");
    expect_lines(
        "[{\"ev\":\"battle_over\",\"battle\":\"hal\",\"winner\":\"FR\",\"survivors\":{\"FR\":3}}]",
        "The battle is over at Hal: the French hold the town with three French units.\n");
    expect_lines("[{\"ev\":\"deployed\",\"battle\":\"hal\",\"side\":\"AL\",\"columns\":{\"1\":{"
                 "\"AD\":2},\"2\":{\"AD\":1},\"3\":{\"PR\":1},\"reserve\":{}}}]",
                 "At Hal the Allies stand 2, 1, 1, with no reserve.\n");
}
END_TEST

/* Who stands in a town of three players' is not in the event: an ally is not told that it is he. */
START_TEST(an_attack_is_told_to_whom_it_may_concern)
{
    static const struct {
        const char *viewer, *line;
    } rows[] = {{"FR", "Your attack on Thuin: three French units by one road.\n"},
                {"AL", "You are attacked at Thuin: three French units by one road.\n"},
                {"AD", "Attack on Thuin: three French units by one road.\n"},
                {"PR", "Attack on Thuin: three French units by one road.\n"},
                {"public", "Attack on Thuin: three French units by one road.\n"},
                {NULL, "Attack on Thuin: three French units by one road.\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cJSON *json = kit_json("[{\"ev\":\"attacked\",\"town\":\"thuin\",\"side\":\"FR\","
                               "\"roads\":[\"beaumont-thuin\"],\"units\":{\"FR\":3}}]");
        buf_reset(&out);
        describe_events_to(&out, json, &board, rows[i].viewer);
        ck_assert_str_eq(buf_str(&out), rows[i].line);
        cJSON_Delete(json);
    }
}
END_TEST

static void expect_told(const char *language, const char *viewer, const char *line)
{
    cJSON *json = kit_json("[{\"ev\":\"marched\",\"side\":\"AL\",\"marches\":[{\"unit\":\"PR-A\","
                           "\"from\":\"ligny\",\"path\":[\"gembloux\"],\"forced\":false}]}]");
    ck_assert(words_set_language(language));
    buf_reset(&out);
    describe_events_to(&out, json, &board, viewer);
    ck_assert_str_eq(buf_str(&out), line);
    words_set_language("en");
    cJSON_Delete(json);
}

/* Own units are told as one's own, an ally's and the enemy's as theirs; in each language. */
START_TEST(events_are_told_to_a_viewer)
{
    expect_told("en", "AL", "Your Prussian I Corps (PR-A) marches from Ligny to Gembloux.\n");
    expect_told("en", "PR", "Your Prussian I Corps (PR-A) marches from Ligny to Gembloux.\n");
    expect_told("en", "AD", "Prussian I Corps (PR-A) marches from Ligny to Gembloux.\n");
    expect_told("en", "all", "Prussian I Corps (PR-A) marches from Ligny to Gembloux.\n");
    expect_told("fr", "AD", "Le Ier corps prussien (PR-A) marche de Ligny à Gembloux.\n");
    expect_told("ja", "AD", "プロシア第1軍団（PR-A）、リニーからジャンブルーへ行軍。\n");
    expect_told("ru", "PR", "Ваш 1-й прусский корпус (PR-A) идёт из Линьи в Жамблу.\n");
    expect_told("zh", "AD", "普鲁士第一军（PR-A）自利尼往让布卢行军。\n");
}
END_TEST

static void expect_refusal(const char *language, const char *error, const char *sentence)
{
    cJSON *json = kit_json(error);
    ck_assert(words_set_language(language));
    buf_reset(&out);
    words_error(&out, json);
    ck_assert_str_eq(buf_str(&out), sentence);
    words_set_language("en");
    cJSON_Delete(json);
}

START_TEST(refusals_cite_the_rule)
{
    static const char full[] = "{\"code\":6,\"message\":\"x\",\"data\":{\"kind\":"
                               "\"illegal_action\",\"rule\":\"W4.6\"}}";
    expect_refusal("en", full,
                   "Not allowed, rule W4.6. The road is full: eight units use a major road, six a "
                   "minor one.");
    expect_refusal("zh", full, "规则W4.6不允许。道路已满：主干道通过八个单位，次级道路六个。");
    static const char often[] = "{\"code\":8,\"message\":\"x\",\"data\":{\"kind\":\"rate_limited\","
                                "\"retry_after_ms\":1500}}";
    expect_refusal("en", often, "Too many requests. Wait 2 seconds.");
    expect_refusal("ru", often, "Слишком много запросов. Подождите 2 секунды.");
    expect_refusal("en",
                   "{\"code\":4,\"message\":\"x\",\"data\":{\"kind\":\"conflict\",\"reason\":"
                   "\"undo\"}}",
                   "There is nothing to take back.");
    expect_refusal("en", "{\"code\":77,\"message\":\"a later server\",\"data\":{}}",
                   "a later server");
}
END_TEST

static void expect_filled(const char *language, const char *message, const char *n,
                          const char *filled)
{
    const char *args[] = {"n", n, "side_t", "the French", "who", "anna", NULL};
    ck_assert(words_set_language(language));
    buf_reset(&out);
    words_format(&out, message, args, true);
    ck_assert_str_eq(buf_str(&out), filled);
    words_set_language("en");
}

/* The grammar of schema/words/README.md, where the browser's tests have the same examples. */
START_TEST(messages_choose_by_number_and_word)
{
    static const char plural[] =
        "{n, plural, =0 {none} one {# a} few {# b} many {# c} other {# d}}";
    expect_filled("en", plural, "0", "none");
    expect_filled("en", plural, "1", "1 a");
    expect_filled("en", plural, "2", "2 d");
    expect_filled("fr", "{n, plural, one {# a} other {# d}}", "0", "0 a");
    expect_filled("fr", "{n, plural, one {# a} other {# d}}", "1815", "1\u202f815 d");
    expect_filled("ja", plural, "1", "1 d");
    expect_filled("ru", plural, "21", "21 a");
    expect_filled("ru", plural, "11", "11 c");
    expect_filled("ru", plural, "3", "3 b");
    expect_filled("ru", plural, "12", "12 c");
    expect_filled("en", "{side_t} march. {side_t} and {who}. {who}", "1",
                  "The French march. The French and anna. anna");
    expect_filled("en", "{n, spellout} unit, {n} of {n, number}", "3", "Three unit, 3 of 3");
    expect_filled("en", "{n, spellout}", "64000", "64,000");
    expect_filled("fr", "{n, spellout, feminine} unité", "1", "Une unité");
    expect_filled("ru", "{n, spellout, feminine}", "2", "Две");
    expect_filled("en", "it''s '{'{n}'}' a' b <b>{who}</b>", "5", "it's {5} a' b anna");
    expect_filled("en", "{no_such, select, a {x} other {y}}{missing}", "1", "y");
    for (const struct words_table *t = words_tables; t->language != NULL; t++) {
        ck_assert_uint_gt(t->count, 300);
        for (size_t i = 1; i < t->count; i++) { /* it is searched by halves */
            ck_assert_int_lt(strcmp(t->word[i - 1].id, t->word[i].id), 0);
        }
    }
    ck_assert(!words_set_language("tlh"));
    ck_assert_str_eq(words_language(), "en");
    ck_assert(words_set_language("fr_FR.UTF-8"));
    ck_assert_str_eq(words_language(), "fr");
    words_set_language("en");
}
END_TEST

START_TEST(cells_are_counted_as_a_terminal_does)
{
    struct canvas c;
    ck_assert_int_eq(words_width("Ligny"), 5);
    ck_assert_int_eq(words_width("Линьи"), 5);
    ck_assert_int_eq(words_width("リニー"), 6);
    ck_assert_int_eq(words_width("第1军：e\u0301"), 8);
    ck_assert(canvas_init(&c, 6, 1, false));
    ck_assert_int_eq(canvas_text(&c, 0, 0, 5, STYLE_PLAIN, "リニー"), 4); /* no half character */
    ck_assert_int_eq(canvas_text(&c, 4, 0, 2, STYLE_PLAIN, "x"), 1);
    buf_reset(&out);
    canvas_dump(&c, &out);
    ck_assert_str_eq(buf_str(&out), "リニx\n");
    canvas_finish(&c);
}
END_TEST

START_TEST(rows_end_where_a_reader_would_end_them)
{
    ck_assert_uint_eq(canvas_row_bytes("one two", 5), strlen("one"));
    ck_assert_uint_eq(canvas_row_bytes("seventeen", 5), 5);
    ck_assert_uint_eq(canvas_row_bytes("宣戦布告", 5), strlen("宣戦"));
    /* No row begins with what closes, or ends with what opens. */
    ck_assert_uint_eq(canvas_row_bytes("1622、1722、1822", 11), strlen("1622、"));
    ck_assert_uint_eq(canvas_row_bytes("歩兵（14）：1622", 10), strlen("歩兵"));
    ck_assert_uint_eq(canvas_row_bytes("移動。終了", 5), strlen("移"));
    ck_assert_uint_eq(canvas_row_bytes("移動。終了", 6), strlen("移動。"));
    ck_assert_uint_eq(canvas_row_bytes("", 6), 0);
}
END_TEST

START_TEST(nothing_that_a_terminal_obeys_comes_through)
{
    /* ESC, CSI as one character (U+009B), DEL, a line's end, marks that turn the direction. */
    char text[] = "a\x1b[2J b\xc2\x9b"
                  "31m c\x7f"
                  "d\ne \xe2\x80\xae"
                  "f\xe2\x81\xa6"
                  "g é 戦";
    text_clean(text, false);
    ck_assert_str_eq(text, "a [2J b  31m c d e    f   g é 戦");
    char lines[] = "one\r\ntwo\a";
    text_clean(lines, true);
    ck_assert_str_eq(lines, "one \ntwo ");
    char cut[] = "\xe2\x80"; /* the end of the text stands where the last byte would */
    text_clean(cut, false);
    ck_assert_str_eq(cut, "\xe2\x80");
}
END_TEST

START_TEST(addresses_are_taken_apart)
{
    struct url url;
    ck_assert(url_parse("http://localhost:1815", &url));
    ck_assert_str_eq(url.host, "localhost");
    ck_assert_int_eq(url.port, 1815);
    ck_assert(url_parse("wss://play.example.org/vedette/", &url));
    ck_assert(url.tls);
    ck_assert_int_eq(url.port, 443);
    ck_assert_str_eq(url.path, "/vedette");
    ck_assert(url_parse("[::1]:99", &url));
    ck_assert_str_eq(url.host, "::1");
    ck_assert_int_eq(url.port, 99);
    ck_assert(url_parse("localhost", &url));
    ck_assert_int_eq(url.port, 1815);
    static const char *const bad[] = {
        "", "ftp://x", "http://", "http://x:0", "http://x:99999", "http://x:8a", "http://u@x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!url_parse(bad[i], &url), "%s", bad[i]);
    }
}
END_TEST

START_TEST(merge_patches_follow_RFC_7396)
{
    static const char *const cases[][3] = {
        {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
        {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
        {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
        {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
        {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *patch = cJSON_Parse(cases[i][1]);
        cJSON *merged = patch_merge(cJSON_Parse(cases[i][0]), patch);
        char *text = cJSON_PrintUnformatted(merged);
        ck_assert_str_eq(text, cases[i][2]);
        cJSON_free(text);
        cJSON_Delete(merged);
        cJSON_Delete(patch);
    }
}
END_TEST

START_TEST(words_are_completed)
{
    cJSON *view = view_of(march_position, 0, "FR");
    ck_assert(wv_read(&board, view, &wv));
    buf_reset(&out);
    ck_assert_uint_eq(orders_complete(&wv, "mar", &out), 3);
    ck_assert_str_eq(buf_str(&out), "march\n");
    buf_reset(&out);
    ck_assert_uint_eq(orders_complete(&wv, "march FR-A char", &out), 4);
    ck_assert_str_eq(buf_str(&out), "charleroi\n");
    cJSON_Delete(view);
}
END_TEST

START_TEST(every_policy_ends_a_choice_with_an_action)
{
    struct bot_mind mind = {.phase = 0};
    cJSON *view = view_of(battle_position, 0, "FR");
    bot_random_seed(&mind.random, 3);
    static const char *const names[] = {"random", "waterloo", "caretaker"};
    for (size_t i = 0; i < 3; i++) {
        buf_reset(&out);
        ck_assert(bot_kind(names[i])->act(&board, view, 0, &mind, &out));
        cJSON *action = kit_json(buf_str(&out));
        ck_assert(cJSON_IsString(json_get(action, "do")));
        cJSON_Delete(action);
    }
    ck_assert(bot_kind("napoleon") == NULL);
    cJSON_Delete(view);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("client");
    TCase *tcase = tcase_create("client");
    tcase_add_checked_fixture(tcase, read_board, finish);
    tcase_add_test(tcase, march_orders_become_marches);
    tcase_add_test(tcase, a_second_march_of_a_unit_is_refused_W4_10);
    tcase_add_test(tcase, a_way_without_room_is_not_proposed_W4_7);
    tcase_add_test(tcase, combat_orders_become_actions);
    tcase_add_test(tcase, answers_to_an_attack_name_every_unit_once_W5_3);
    tcase_add_test(tcase, proposed_set_up_is_legal_W2_3_W2_4);
    tcase_add_test(tcase, proposed_deployment_fills_three_columns_W6_2);
    tcase_add_test(tcase, towns_do_not_overlap_at_any_size);
    tcase_add_test(tcase, battle_board_shows_what_is_known);
    tcase_add_test(tcase, help_stands_whole_on_the_smallest_screen);
    tcase_add_test(tcase, events_become_sentences);
    tcase_add_test(tcase, an_attack_is_told_to_whom_it_may_concern);
    tcase_add_test(tcase, events_are_told_to_a_viewer);
    tcase_add_test(tcase, cells_are_counted_as_a_terminal_does);
    tcase_add_test(tcase, refusals_cite_the_rule);
    tcase_add_test(tcase, messages_choose_by_number_and_word);
    tcase_add_test(tcase, rows_end_where_a_reader_would_end_them);
    tcase_add_test(tcase, nothing_that_a_terminal_obeys_comes_through);
    tcase_add_test(tcase, addresses_are_taken_apart);
    tcase_add_test(tcase, merge_patches_follow_RFC_7396);
    tcase_add_test(tcase, words_are_completed);
    tcase_add_test(tcase, every_policy_ends_a_choice_with_an_action);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
