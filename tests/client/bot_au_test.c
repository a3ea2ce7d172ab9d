/* tests/client/bot_au_test.c: what the Austerlitz bot reckons, against the rules page and the
 * rules, and what it decides in positions where a player would not hesitate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "client-cli/austerlitz/bot_au.h"
#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"
#include "tests/client/kit.h"

static const struct game *game;
static struct state *state;
static struct events events;
static struct dice dice;
static struct buf out;
static struct bau b;
static struct bot_mind mind, minds[2];

static void begin(void)
{
    game = game_find("austerlitz");
    ck_assert_ptr_nonnull(game);
    state = calloc(1, game->state_bytes);
    events_init(&events);
    buf_init(&out, 1 << 20);
    memset(&mind, 0, sizeof mind);
    memset(minds, 0, sizeof minds);
    bot_random_seed(&mind.random, 1);
    struct hash key, mask;
    hash_bytes("key", 3, &key);
    hash_bytes("mask", 4, &mask);
    dice_init(&dice, &key, &mask, 0, 0);
}

static void finish(void)
{
    free(state);
    events_finish(&events);
    buf_finish(&out);
}

static void stand(const char *options, const char *position)
{
    struct why why;
    struct buf full;
    cJSON *named = kit_json(options), *json = kit_json(position);
    buf_init(&full, 4096);
    why_clear(&why);
    ck_assert_int_eq(json_normalise(json, &why), ERR_OK);
    ck_assert_int_eq(game->options(named, &full, &why), ERR_OK);
    cJSON_Delete(named);
    named = kit_json(buf_str(&full));
    enum err err = game->position_read(named, json, state, &why);
    ck_assert_msg(err == ERR_OK, "position: %s %s %s", why.rule, why.member, why.text);
    cJSON_Delete(named);
    cJSON_Delete(json);
    buf_finish(&full);
}

/* A match from its start, dealt if the options say so. */
static void begin_match(const char *named)
{
    struct why why;
    struct buf full;
    buf_init(&full, 4096);
    why_clear(&why);
    cJSON *options = kit_json(named);
    ck_assert_int_eq(game->options(options, &full, &why), ERR_OK);
    cJSON_Delete(options);
    options = kit_json(buf_str(&full));
    memset(state, 0, game->state_bytes);
    ck_assert_int_eq(game->create(options, game->rules_now, &dice, state, &events, &why), ERR_OK);
    dice_next_line(&dice);
    cJSON_Delete(options);
    buf_finish(&full);
}

static cJSON *view_of(unsigned seat)
{
    return kit_view(game, state, seat, seat == 0 ? "FR" : "AL");
}

static void look(unsigned seat)
{
    cJSON *view = view_of(seat);
    ck_assert(bau_read(view, &mind, &b));
    bau_find_vienna(&b);
    cJSON_Delete(view);
}

static unsigned unit(const char *name)
{
    for (unsigned i = 0; i < b.units; i++) {
        if (strcmp(b.unit[i].name, name) == 0) { return i; }
    }
    ck_abort_msg("no unit %s", name);
}

static unsigned hex(const char *text)
{
    return hex_parse(&bau_grid, text);
}

/* The bot's next action, applied. */
static cJSON *act(unsigned seat)
{
    struct why why;
    cJSON *view = view_of(seat);
    buf_reset(&out);
    why_clear(&why);
    ck_assert(bot_austerlitz_act(NULL, view, 0, &mind, &out));
    cJSON_Delete(view);
    cJSON *action = kit_json(buf_str(&out));
    ck_assert_int_eq(json_normalise(action, &why), ERR_OK);
    events_reset(&events);
    enum err err = game->apply(state, seat, action, &dice, &events, &why);
    ck_assert_msg(err == ERR_OK, "%s: %s %s", buf_str(&out), why.rule, why.text);
    dice_next_line(&dice);
    return action;
}

static bool does(const cJSON *action, const char *what)
{
    return strcmp(json_get(action, "do")->valuestring, what) == 0;
}

/* Plays the movement phase out; the declaration is returned, NULL: there was nothing to declare. */
static cJSON *move_and_declare(unsigned seat)
{
    for (;;) {
        cJSON *action = act(seat);
        bool ended = does(action, "end_move");
        cJSON_Delete(action);
        if (ended) { break; }
    }
    return (game->to_act(state) >> seat & 1U) != 0 ? act(seat) : NULL;
}

static const char informed[] = "{}";

/* ---- arithmetic: figures of the worked examples of the rules page ---- */

static void expect_odds(const char *position, const char *contact, const char *defender,
                        const char *row, unsigned ae, unsigned ar, unsigned ex, unsigned dr,
                        unsigned de)
{
    char one[8];
    struct bau_entry entry = {.ice = HEX_NONE};
    struct bau_odds odds;
    stand(informed, position);
    look(0);
    for (const char *p = contact; *p != '\0'; p += strcspn(p, " "), p += strspn(p, " ")) {
        snprintf(one, sizeof one, "%.*s", (int)strcspn(p, " "), p);
        entry.contact |= bau_bit(unit(one));
    }
    entry.defenders = bau_bit(unit(defender));
    bau_find_odds(&b, &entry, &odds);
    ck_assert_str_eq(bau_row_ids[odds.row], row);
    ck_assert_uint_eq(odds.count[BAU_AE], ae);
    ck_assert_uint_eq(odds.count[BAU_AR], ar);
    ck_assert_uint_eq(odds.count[BAU_EX], ex);
    ck_assert_uint_eq(odds.count[BAU_DR], dr);
    ck_assert_uint_eq(odds.count[BAU_DE], de);
}

START_TEST(odds_are_those_of_the_page)
{
    /* P08: 3:1, one less for the height */
    expect_odds("{\"others\":\"aside\",\"turn\":2,\"side\":\"french\",\"units\":{\"104\":\"2218\","
                "\"204\":\"2318\",\"P1\":\"2319\"}}",
                "104 204", "P1", "3:1", 0, 2, 1, 3, 0);
    /* P10: Legrand doubled in Telnitz, and no die for the village */
    expect_odds("{\"others\":\"aside\",\"turn\":2,\"units\":{\"D1\":\"1824\",\"K1\":\"1825\","
                "\"304\":\"1725\"}}",
                "D1 K1", "304", "1:2", 1, 3, 0, 2, 0);
    /* P13: over an escarped bank into a village, three less; guns do not help */
    expect_odds("{\"others\":\"aside\",\"turn\":2,\"units\":{\"K1\":\"2225\",\"DA\":\"2326\","
                "\"304\":\"2325\"}}",
                "K1 DA", "304", "1:2", 4, 2, 0, 0, 0);
    /* P14: in the fog the attacker's battery counts half, rounded down, the defender's half,
     * rounded up */
    expect_odds(
        "{\"others\":\"aside\",\"units\":{\"DA\":\"1823\",\"D2\":\"1824\",\"AG\":\"1924\"}}",
        "DA D2", "AG", "4:1", 0, 0, 1, 3, 2);
}
END_TEST

START_TEST(ways_out_are_those_of_the_page)
{
    /* P20, P22, and P54: two on opposite sides shut a unit in. */
    stand(informed, "{\"others\":\"aside\",\"turn\":2,\"units\":{\"P1\":\"2319\",\"104\":\"2218\","
                    "\"204\":\"2318\",\"L1\":\"2420\"}}");
    look(0);
    ck_assert(bau_has_way(&b, unit("P1")));
    stand(informed, "{\"others\":\"aside\",\"turn\":2,\"units\":{\"203\":\"0128\",\"K1\":\"0228\","
                    "\"K2\":\"0127\",\"D1\":\"0129\"}}");
    look(0);
    ck_assert(!bau_has_way(&b, unit("203")));
    stand(informed, "{\"others\":\"aside\",\"turn\":2,\"units\":{\"M1\":\"2816\",\"104\":\"2815\","
                    "\"204\":\"2817\",\"GA\":\"4207\"}}");
    look(0);
    ck_assert(!bau_has_way(&b, unit("M1")));
}
END_TEST

/* Which of them its reach holds is what match.ask says of it, for every unit, in whole matches. */
static void compare_reach(unsigned seat)
{
    struct bau_reach reach;
    struct why why;
    look(seat);
    for (uint64_t rest = b.army[seat]; rest != 0; rest &= rest - 1) {
        unsigned u = bau_first(rest), here = 0;
        if (b.unit[u].moved) { continue; }
        char text[64];
        snprintf(text, sizeof text, "{\"ask\":\"reach\",\"unit\":\"%s\"}", b.unit[u].name);
        cJSON *question = kit_json(text);
        buf_reset(&out);
        why_clear(&why);
        ck_assert_int_eq(game->ask(state, seat, question, &out, &why), ERR_OK);
        cJSON *answer = kit_json(buf_str(&out));
        bau_find_reach(&b, u, &reach);
        const cJSON *one = NULL, *hexes = json_get(answer, "hexes");
        cJSON_ArrayForEach(one, hexes)
        {
            unsigned to = hex(one->string);
            if (to == b.unit[u].hex) { continue; }
            here++;
            ck_assert_msg(reach.cost[to] == one->valueint, "%s to %s: %d, not %d", b.unit[u].name,
                          one->string, reach.cost[to], one->valueint);
        }
        for (unsigned i = 0; i < reach.count; i++) {
            unsigned to = reach.order[i];
            here -= b.at[to] == BAU_NONE ? 1 : 0;
        }
        ck_assert_msg(here == 0, "%s reaches %d hexes less than it may", b.unit[u].name, (int)here);
        cJSON_Delete(answer);
        cJSON_Delete(question);
    }
}

static void play_and_compare(const char *options, uint64_t seed)
{
    enum { STEPS = 400 };
    begin_match(options);
    bot_random_seed(&mind.random, seed);
    for (unsigned step = 0; step < STEPS && game->to_act(state) != 0; step++) {
        struct why why;
        unsigned seat = (unsigned)__builtin_ctz(game->to_act(state));
        cJSON *view = view_of(seat);
        bool moves = strcmp(json_get(view, "state")->valuestring, "MOVE") == 0;
        if (moves && step % 5 == 0) { compare_reach(seat); }
        buf_reset(&out);
        ck_assert(bot_random_act(NULL, view, 0, &mind, &out));
        cJSON_Delete(view);
        cJSON *action = kit_json(buf_str(&out));
        why_clear(&why);
        events_reset(&events);
        ck_assert_int_eq(json_normalise(action, &why), ERR_OK);
        ck_assert_int_eq(game->apply(state, seat, action, &dice, &events, &why), ERR_OK);
        dice_next_line(&dice);
        cJSON_Delete(action);
    }
}

START_TEST(its_reach_is_that_of_the_rules)
{
    play_and_compare("{\"situation\":\"1805\"}", 3);
    play_and_compare("{\"situation\":\"1809\",\"guard_1805\":true}", 4);
    play_and_compare(
        "{\"situation\":\"1813\",\"information\":\"semi-blind\",\"strengths\":\"dealt\"}", 5);
}
END_TEST

START_TEST(hidden_strengths_are_estimated_from_what_everybody_may_know)
{
    /* Printed: a counter where D1 begins is taken for D1 (R23); dealt: the average of Allied
     * infantry, 80 / 14. */
    stand("{\"information\":\"semi-blind\"}", "{}");
    look(0);
    ck_assert_uint_eq(b.unit[unit("2422")].potential, 9);
    ck_assert(!b.unit[unit("2422")].known);
    begin_match("{\"information\":\"semi-blind\",\"strengths\":\"dealt\"}");
    look(0);
    ck_assert_uint_eq(b.unit[unit("2422")].potential, 6);
}
END_TEST

/* ---- memory ---- */

static const char *const seats[2] = {"FR", "AL"};

/* Both seats hear what happened. */
static void hear_all(bool first)
{
    for (unsigned seat = 0; seat < 2; seat++) {
        buf_reset(&out);
        events_write(&events, seat, &out);
        cJSON *told = kit_json(buf_str(&out));
        bot_austerlitz_hears(&minds[seat], seats[seat], told, first);
        cJSON_Delete(told);
    }
}

static void hear_word(unsigned seat, const char *text)
{
    cJSON *told = kit_json(text);
    bot_austerlitz_hears(&minds[seat], seats[seat], told, false);
    cJSON_Delete(told);
}

/* How many of the enemy's counters on the map the seat knows: each must be what it is. */
static unsigned count_known(unsigned seat)
{
    cJSON *view = view_of(seat), *truth = view_of(1 - seat);
    unsigned known = 0;
    ck_assert(bau_read(view, &minds[seat], &b));
    for (uint64_t rest = b.army[1 - seat]; rest != 0; rest &= rest - 1) {
        const struct bau_unit *u = &b.unit[bau_first(rest)];
        char text[HEX_TEXT];
        if (!u->known) { continue; }
        known++;
        hex_text(&bau_grid, u->hex, text);
        const cJSON *real = json_get(json_get(json_get(truth, "board"), "units"), text);
        ck_assert_int_eq(u->potential, json_int(json_get(real, "potential"), 0));
        ck_assert_str_eq(bau_unit_facts[u->fact].id, json_get(real, "id")->valuestring);
    }
    cJSON_Delete(view);
    cJSON_Delete(truth);
    return known;
}

static void apply(unsigned seat, const char *text)
{
    struct why why;
    cJSON *action = kit_json(text);
    why_clear(&why);
    ck_assert_int_eq(json_normalise(action, &why), ERR_OK);
    events_reset(&events);
    enum err err = game->apply(state, seat, action, &dice, &events, &why);
    ck_assert_msg(err == ERR_OK, "%s: %s %s", text, why.rule, why.text);
    dice_next_line(&dice);
    cJSON_Delete(action);
    hear_all(false);
}

/* A whole match of the bot against itself. Returns the most faces that the French ever knew; all:
 * every enemy must be known throughout. */
static unsigned play_with_memory(const char *options, bool all)
{
    unsigned most = 0;
    begin_match(options);
    hear_all(true);
    for (unsigned n = 0; n < 4000 && game->to_act(state) != 0; n++) {
        unsigned seat = (unsigned)__builtin_ctz(game->to_act(state));
        cJSON *view = view_of(seat);
        buf_reset(&out);
        ck_assert(bot_austerlitz_act(NULL, view, 0, &minds[seat], &out));
        cJSON_Delete(view);
        char *action = strdup(buf_str(&out));
        apply(seat, action);
        free(action);
        for (unsigned side = 0; side < 2 && n % 4 == 0; side++) {
            unsigned known = count_known(side);
            ck_assert(!all || known == bau_count(b.army[1 - side]));
            if (side == 0 && known > most) { most = known; }
        }
    }
    ck_assert_uint_eq(game->to_act(state), 0);
    return most;
}

START_TEST(faces_that_were_turned_up_are_followed_to_the_end_15_5)
{
    unsigned most =
        play_with_memory("{\"information\":\"semi-blind\",\"strengths\":\"dealt\"}", false);
    ck_assert_uint_ge(most, 5);
}
END_TEST

START_TEST(printed_counters_are_followed_from_the_set_up_R23)
{
    (void)play_with_memory("{\"information\":\"semi-blind\"}", true);
}
END_TEST

START_TEST(what_is_taken_back_stands_where_it_stood)
{
    struct state *before = malloc(game->state_bytes);
    begin_match("{\"information\":\"semi-blind\"}");
    hear_all(true);
    ck_assert_uint_eq(count_known(0), 29);
    memcpy(before, state, game->state_bytes);
    cJSON_Delete(act(1));
    hear_all(false);
    ck_assert_uint_eq(count_known(0), 29);
    cJSON_Delete(act(1));
    hear_all(false);
    ck_assert_uint_eq(count_known(0), 29);
    memcpy(state, before, game->state_bytes);
    hear_word(0, "[{\"ev\":\"undone\",\"seat\":\"AL\"}]");
    hear_word(0, "[{\"ev\":\"undone\",\"seat\":\"AL\"}]");
    ck_assert_uint_eq(count_known(0), 29);
    /* Another's word takes nothing back; a rewind leaves nothing that was followed. */
    hear_word(0, "[{\"ev\":\"undone\",\"seat\":\"FR\"}]");
    ck_assert_uint_eq(count_known(0), 29);
    hear_word(0, "[{\"ev\":\"rewound\",\"to\":1}]");
    ck_assert_uint_eq(count_known(0), 0);
    free(before);
}
END_TEST

/* ---- decisions ---- */

START_TEST(two_divisions_shut_in_what_they_attack)
{
    stand(informed, "{\"others\":\"aside\",\"turn\":3,\"side\":\"french\",\"units\":{\"104\":"
                    "\"2215\",\"204\":\"2122\",\"P2\":\"2219\",\"203\":\"0129\",\"4D\":\"0131\","
                    "\"C04\":\"0132\","
                    "\"GA\":\"4207\"}}");
    cJSON *plan = move_and_declare(0);
    look(0);
    ck_assert(!bau_has_way(&b, unit("P2")));
    ck_assert_int_eq(cJSON_GetArraySize(json_get(plan, "plan")), 1);
    cJSON_Delete(plan);
}
END_TEST

START_TEST(a_few_horsemen_leave_a_division_in_its_village_alone)
{
    stand(informed, "{\"others\":\"aside\",\"turn\":3,\"side\":\"french\",\"units\":{\"C04\":"
                    "\"1622\",\"D1\":\"1725\",\"AG\":\"0409\"}}");
    cJSON *plan = move_and_declare(0);
    ck_assert(plan == NULL || cJSON_GetArraySize(json_get(plan, "plan")) == 0);
    cJSON_Delete(plan);
}
END_TEST

START_TEST(allied_horse_leaves_by_the_open_road_to_vienna)
{
    stand(informed, "{\"others\":\"aside\",\"turn\":4,\"units\":{\"K2\":\"0530\",\"GA\":\"4207\","
                    "\"104\":\"2214\"}}");
    cJSON *action = act(1);
    ck_assert(does(action, "move"));
    ck_assert_str_eq(json_get(action, "unit")->valuestring, "K2");
    ck_assert_str_eq(json_get(action, "exit_edge")->valuestring, "west");
    cJSON_Delete(action);
}
END_TEST

START_TEST(the_french_shut_the_road_to_vienna)
{
    stand(informed, "{\"others\":\"aside\",\"turn\":4,\"side\":\"french\",\"units\":{\"203\":"
                    "\"0324\",\"4D\":\"0225\",\"C04\":\"0526\","
                    "\"K2\":\"0632\",\"K3\":\"0731\",\"GA\":\"4207\"}}");
    cJSON *plan = move_and_declare(0);
    cJSON_Delete(plan);
    unsigned at = 0;
    look(0);
    for (uint64_t rest = b.army[BAU_ALLIED]; rest != 0; rest &= rest - 1) {
        ck_assert_msg(!bau_finds_exit(&b, bau_first(rest), &at), "%s gets off",
                      b.unit[bau_first(rest)].name);
    }
}
END_TEST

START_TEST(an_exchange_costs_as_little_as_it_can)
{
    /* P17: 8, 7 and 3 against 9: of the three sets the two of 7 and 3. */
    stand(informed, "{\"others\":\"aside\",\"turn\":4,\"side\":\"french\",\"state\":\"EXCHANGE\","
                    "\"units\":{\"101\":\"2218\",\"201\":\"2318\","
                    "\"C01\":\"2219\",\"D1\":\"2319\",\"GA\":\"4207\"},\"plan\":{\"1\":{"
                    "\"contact\":[\"101\",\"201\",\"C01\"],"
                    "\"defenders\":[\"D1\"]}},\"hand\":{\"index\":1,\"result\":\"EX\",\"contact\":["
                    "\"101\",\"201\",\"C01\"],"
                    "\"defenders\":[\"D1\"]}}");
    cJSON *action = act(0), *losses = cJSON_DetachItemFromObject(action, "losses");
    ck_assert_int_eq(cJSON_GetArraySize(losses), 2);
    ck_assert_str_ne(losses->child->valuestring, "101");
    ck_assert_str_ne(losses->child->next->valuestring, "101");
    cJSON_Delete(losses);
    cJSON_Delete(action);
}
END_TEST

START_TEST(guns_drown_who_stands_on_the_ice)
{
    stand(informed, "{\"others\":\"aside\",\"turn\":4,\"side\":\"french\",\"state\":\"DECLARE\","
                    "\"units\":{\"A04\":\"1825\",\"D1\":\"1926\","
                    "\"GA\":\"4207\"}}");
    cJSON *action = act(0);
    const cJSON *entry = json_get(action, "plan")->child;
    ck_assert_ptr_nonnull(entry);
    ck_assert_str_eq(json_get(entry, "artillery")->valuestring, "A04");
    ck_assert_str_eq(json_get(entry, "hex")->valuestring, "1926");
    cJSON_Delete(action);
}
END_TEST

START_TEST(a_view_of_anything_else_is_no_matter)
{
    static const char *const views[] = {
        "{}", "{\"game\":\"waterloo\",\"as\":\"FR\"}",
        "{\"game\":\"austerlitz\",\"as\":\"public\",\"board\":{\"units\":{}}}",
        "{\"game\":\"austerlitz\",\"as\":\"FR\",\"turn\":{\"turn\":1,\"side\":\"french\"},"
        "\"prompt\":{\"id\":\"move\"},\"board\":{\"units\":{\"9999\":{}}},\"actions\":[]}"};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        cJSON *view = kit_json(views[i]);
        buf_reset(&out);
        ck_assert(!bot_austerlitz_act(NULL, view, 0, &mind, &out));
        ck_assert(!bot_austerlitz_is_lost(NULL, view));
        cJSON_Delete(view);
    }
}
END_TEST

START_TEST(every_game_has_its_own_kind_and_no_other_plays_it)
{
    char text[128];
    for (unsigned i = 0; bot_games[i] != NULL; i++) {
        const struct bot_kind *own = bot_kind_of_game(bot_games[i]);
        ck_assert_ptr_nonnull(own);
        ck_assert_str_eq(own->name, bot_games[i]);
        ck_assert(bot_kind_plays(bot_kind("random"), bot_games[i]));
        ck_assert(bot_kind_plays(bot_kind("caretaker"), bot_games[i]));
    }
    ck_assert(!bot_kind_plays(bot_kind("waterloo"), "austerlitz"));
    ck_assert(!bot_kind_plays(bot_kind("austerlitz"), "waterloo"));
    ck_assert_ptr_null(bot_kind("napoleon"));
    ck_assert_ptr_null(bot_kind_of_game("eylau"));
    bot_kind_list("austerlitz", text, sizeof text);
    ck_assert_str_eq(text, "austerlitz, random, caretaker");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bot_au");
    TCase *tcase = tcase_create("bot_au");
    tcase_add_checked_fixture(tcase, begin, finish);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, odds_are_those_of_the_page);
    tcase_add_test(tcase, ways_out_are_those_of_the_page);
    tcase_add_test(tcase, its_reach_is_that_of_the_rules);
    tcase_add_test(tcase, hidden_strengths_are_estimated_from_what_everybody_may_know);
    tcase_add_test(tcase, faces_that_were_turned_up_are_followed_to_the_end_15_5);
    tcase_add_test(tcase, printed_counters_are_followed_from_the_set_up_R23);
    tcase_add_test(tcase, what_is_taken_back_stands_where_it_stood);
    tcase_add_test(tcase, two_divisions_shut_in_what_they_attack);
    tcase_add_test(tcase, a_few_horsemen_leave_a_division_in_its_village_alone);
    tcase_add_test(tcase, allied_horse_leaves_by_the_open_road_to_vienna);
    tcase_add_test(tcase, the_french_shut_the_road_to_vienna);
    tcase_add_test(tcase, an_exchange_costs_as_little_as_it_can);
    tcase_add_test(tcase, guns_drown_who_stands_on_the_ice);
    tcase_add_test(tcase, a_view_of_anything_else_is_no_matter);
    tcase_add_test(tcase, every_game_has_its_own_kind_and_no_other_plays_it);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
