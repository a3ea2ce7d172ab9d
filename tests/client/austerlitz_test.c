/* tests/client/austerlitz_test.c: Austerlitz at the terminal: orders, ways, drafts, pictures and
 * answers, held against the worked examples of its rules (17). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "client-cli/austerlitz/austerlitz.h"
#include "client-cli/face/canvas.h"
#include "client-cli/face/face.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/rules/game.h"
#include "common/words/words.h"
#include "tests/client/kit.h"

static struct face *face;
static struct buf out, why;
static cJSON *view;
static struct state *state;

static void setup(void)
{
    buf_init(&out, 8 << 20);
    buf_init(&why, 1 << 20);
    cJSON *json = kit_file(BOARD_PATH);
    face = face_create("austerlitz", json);
    ck_assert_ptr_nonnull(face);
    cJSON_Delete(json);
}

static void finish(void)
{
    face_destroy(face);
    cJSON_Delete(view);
    free(state);
    buf_finish(&out);
    buf_finish(&why);
    view = NULL;
    state = NULL;
}

/* Reads the view of a seat of a position in short form. */
static void look(const char *options, const char *position, unsigned seat)
{
    const struct game *game = game_find("austerlitz");
    free(state);
    state = kit_state(game, options, position);
    cJSON_Delete(view);
    view = kit_view(game, state, seat, seat == 0 ? "FR" : seat == 1 ? "AL" : "public");
    ck_assert(face->game->read(face, view));
}

static void expect_order(const char *order, const char *action)
{
    buf_reset(&out);
    buf_reset(&why);
    ck_assert_msg(face->game->order(face, order, &out, &why), "%s: %s", order, buf_str(&why));
    kit_expect_same(order, buf_str(&out), action);
}

static void expect_no_order(const char *order, const char *sentence)
{
    buf_reset(&out);
    buf_reset(&why);
    ck_assert_msg(!face->game->order(face, order, &out, &why), "%s: taken as %s", order,
                  buf_str(&out));
    ck_assert_str_eq(buf_str(&why), sentence);
}

static enum face_heard hear(const char *word, const char *rest)
{
    buf_reset(&out);
    return face->game->hear(face, word, rest, &out);
}

/* What the rules answer to a question in words, in sentences. */
static void ask(const char *text)
{
    const struct game *game = game_find("austerlitz");
    struct buf question, answer;
    struct why reason;
    buf_init(&question, 1 << 16);
    buf_init(&answer, 1 << 20);
    buf_reset(&why);
    why_clear(&reason);
    ck_assert_msg(face->game->question(face, text, &question, &why), "%s: %s", text, buf_str(&why));
    cJSON *asked = kit_json(buf_str(&question));
    ck_assert_int_eq(json_normalise(asked, &reason), ERR_OK);
    unsigned seat = face->seat[0] == 'A' ? 1 : 0;
    enum err err = game->ask(state, seat, asked, &answer, &reason);
    ck_assert_msg(err == ERR_OK, "%s: %s %s", text, reason.rule, reason.text);
    cJSON *answered = kit_json(buf_str(&answer));
    buf_reset(&out);
    face->game->answered(face, asked, answered, NULL, &out);
    cJSON_Delete(asked);
    cJSON_Delete(answered);
    buf_finish(&question);
    buf_finish(&answer);
}

static void expect_text(const char *part)
{
    ck_assert_msg(strstr(buf_str(&out), part) != NULL, "%s is missing in:\n%s", part,
                  buf_str(&out));
}

/* ---- movement ---- */

static const char pratzen[] = "{\"others\":\"aside\",\"turn\":2,\"side\":\"french\",\"units\":{"
                              "\"104\":\"2218\",\"P1\":\"2319\",\"L1\":\"2420\"}}";

/* P24, P26: from controlled to controlled there is no direct step, so the way leads round. */
START_TEST(the_cheapest_way_heeds_control_5_4)
{
    look("{}", pratzen, 0);
    expect_order("move 104 2318",
                 "{\"do\":\"move\",\"unit\":\"104\",\"path\":[\"2217\",\"2318\"]}");
    ask("way 104 2318");
    expect_text("104: 2217 (2) → 2318 (1) costs 3 of 6.");
    look("{\"situation\":\"1809\"}", pratzen, 0); /* P25 */
    ask("way 104 2318");
    expect_text("costs 5 of 6.");
    expect_order("move 104 2217 2318",
                 "{\"do\":\"move\",\"unit\":\"104\",\"path\":[\"2217\",\"2318\"]}");
}
END_TEST

/* What the client counts is what the rules count, for every unit, hex by hex, in three situations
 * and in the fog. */
START_TEST(ways_cost_what_the_rules_say_4_5)
{
    static const char *const options[] = {"{}", "{\"situation\":\"1809\"}",
                                          "{\"situation\":\"1813\",\"guard_1805\":true}"};
    static const char *const positions[] = {
        "{}", "{\"turn\":2,\"side\":\"french\",\"state\":\"MOVE\"}",
        "{\"turn\":3,\"units\":{\"L1\":\"2318\",\"104\":\"2217\",\"204\":\"2316\",\"304\":\"1822\","
        "\"D1\":\"1923\",\"CG\":\"2016\",\"K2\":\"2117\"},\"destroyed_bridges\":[\"BR05\",\"BR08\"]"
        ",\"broken_ice\":[\"2026\",\"1926\"]}"};
    const struct game *game = game_find("austerlitz");
    struct av_map *map = malloc(sizeof *map);
    struct av_view *v = malloc(sizeof *v);
    struct av_ways *ways = malloc(sizeof *ways);
    struct buf answer;
    int compared = 0;
    buf_init(&answer, 1 << 20);
    for (size_t i = 0; i < 9; i++) {
        for (unsigned seat = 0; seat < 2; seat++) {
            look(options[i % 3], positions[i / 3], seat);
            *v = *aus_view(face);
            *map = *v->map;
            v->map = map;
            for (int u = 0; u < v->units; u++) {
                char question[64], text[HEX_TEXT];
                struct why reason;
                if (!v->unit[u].mine) { continue; }
                snprintf(question, sizeof question, "{\"ask\":\"reach\",\"unit\":\"%s\"}",
                         v->unit[u].id);
                cJSON *asked = kit_json(question);
                buf_reset(&answer);
                ck_assert_int_eq(game->ask(state, seat, asked, &answer, &reason), ERR_OK);
                cJSON *reach = kit_json(buf_str(&answer));
                v->unit[u].moved = false;
                av_find_ways(v, u, ways);
                for (unsigned hex = 0; hex < hex_count(&map->grid); hex++) {
                    hex_text(&map->grid, hex, text);
                    bool ends = ways->cost[hex] <= av_points(v, u) && v->at[hex] == AV_NONE;
                    int cost = (int)json_int(json_get(json_get(reach, "hexes"), text), 0);
                    ck_assert_msg(cost == (ends ? ways->cost[hex] : 0), "%s to %s: %d, not %d",
                                  v->unit[u].id, text, ways->cost[hex], cost);
                    compared += cost > 0;
                }
                cJSON_Delete(asked);
                cJSON_Delete(reach);
            }
        }
    }
    ck_assert_int_gt(compared, 10000);
    buf_finish(&answer);
    free(map);
    free(v);
    free(ways);
}
END_TEST

START_TEST(movement_is_typed_in_words)
{
    look("{}",
         "{\"others\":\"aside\",\"turn\":2,\"side\":\"french\",\"units\":{\"104\":\"2218\","
         "\"203\":\"0127\",\"C04\":\"1822\",\"P1\":\"2619\",\"L1\":\"2722\"}}",
         0);
    expect_order("Move 104 pratzen",
                 "{\"do\":\"move\",\"unit\":\"104\",\"path\":[\"2318\",\"2417\",\"2517\"]}");
    expect_order("exit 203 west",
                 "{\"do\":\"move\",\"unit\":\"203\",\"path\":[],\"exit_edge\":\"west\"}");
    expect_order("exit 203 0126 west",
                 "{\"do\":\"move\",\"unit\":\"203\",\"path\":[\"0126\"],\"exit_edge\":\"west\"}");
    expect_order("demolish br06",
                 "{\"do\":\"destroy_bridge\",\"unit\":\"C04\",\"bridge\":\"BR06\"}");
    expect_order("demolish C04",
                 "{\"do\":\"destroy_bridge\",\"unit\":\"C04\",\"bridge\":\"BR05\"}");
    expect_order("end", "{\"do\":\"end_move\"}");
    expect_no_order("move P1 2518", "There is no unit of yours called ‘P1’.");
    expect_no_order("move 104", "Name the hex to move to: move UNIT HEX...");
    expect_no_order("move 104 2217 2419", "2217 and 2419 are not next to each other.");
    expect_no_order("move 104 atlantis", "There is no hex or village called ‘atlantis’.");
    expect_no_order("demolish BR19", "No unit of yours stands at the bridge BR19.");
    expect_no_order("attack 104 on 2319",
                    "‘attack’ has no place now. Type help for the orders of the moment.");
    expect_no_order("dance 104", "I do not know the order ‘dance’. Type help.");
    look("{}", "{\"others\":\"aside\",\"turn\":2,\"units\":{\"104\":\"2218\",\"K2\":\"0130\"}}", 1);
    expect_order("vienna K2", "{\"do\":\"move\",\"unit\":\"K2\",\"path\":[],"
                              "\"exit_edge\":\"west\"}"); /* P37 */
}
END_TEST

/* ---- declaring ---- */

static const char contact[] =
    "{\"others\":\"aside\",\"turn\":2,\"side\":\"french\",\"state\":\"DECLARE\",\"units\":{"
    "\"104\":\"2218\",\"204\":\"2318\",\"A04\":\"2117\",\"P1\":\"2319\",\"L1\":\"2418\"}}";

/* P43 to P46: a draft is put together piece by piece; who is owed is told. */
START_TEST(combats_are_drafted_piece_by_piece_6_2)
{
    look("{\"information\":\"semi-blind\"}", contact, 0);
    buf_reset(&out);
    face->game->say_prompt(face, &out);
    expect_text("None is drafted.");
    expect_text("Must still fight: 104 (2218), inf (2319), 204 (2318), inf (2418).");
    ck_assert_int_eq(hear("attack", "104 on 2319"), FACE_QUESTION);
    kit_expect_same("attack", buf_str(&out),
                    "{\"ask\":\"odds\",\"contact\":[\"104\"],\"defenders\":[\"2319\"]}");
    ck_assert_int_eq(hear("bombard", "A04 on 2319"), FACE_QUESTION); /* joins it */
    kit_expect_same("bombard", buf_str(&out),
                    "{\"ask\":\"odds\",\"contact\":[\"104\"],\"bombard\":[\"A04\"],"
                    "\"defenders\":[\"2319\"]}");
    ck_assert_int_eq(hear("attack", "104 on 2418"), FACE_REFUSED);
    ck_assert_str_eq(buf_str(&out),
                     "104 is in combat 1 of the draft already; drop 1 takes it out.");
    buf_reset(&out);
    face->game->say_prompt(face, &out);
    expect_text("Must still fight: 204 (2318), inf (2418).");
    ck_assert_int_eq(hear("attack", "204 on 2418"), FACE_QUESTION);
    ck_assert_int_eq(hear("declare", ""), FACE_ACTION);
    kit_expect_same("declare", buf_str(&out),
                    "{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],\"bombard\":[\"A04\"],"
                    "\"defenders\":[\"2319\"]},{\"contact\":[\"204\"],\"defenders\":[\"2418\"]}]}");
    ck_assert_int_eq(hear("drop", "1"), FACE_SAID);
    ck_assert_int_eq(hear("drop", "7"), FACE_REFUSED);
    ck_assert_int_eq(hear("end", ""), FACE_ACTION);
    kit_expect_same(
        "end", buf_str(&out),
        "{\"do\":\"declare\",\"plan\":[{\"contact\":[\"204\"],\"defenders\":[\"2418\"]}]}");
}
END_TEST

/* A piece that the rules refuse leaves the draft as it was. */
START_TEST(a_refused_piece_is_in_the_draft_no_longer)
{
    cJSON *error =
        kit_json("{\"code\":-32000,\"message\":\"no\",\"data\":{\"kind\":\"illegal_action\","
                 "\"rule\":\"6.3\"}}");
    look("{\"information\":\"semi-blind\"}", contact, 0);
    ck_assert_int_eq(hear("attack", "104 on 2319"), FACE_QUESTION);
    ck_assert_int_eq(hear("attack", "204 on 2319 2418"), FACE_QUESTION); /* 104 beside both? no */
    cJSON *asked = kit_json(buf_str(&out));
    buf_reset(&out);
    face->game->answered(face, asked, NULL, error, &out);
    expect_text("Not allowed, rule 6.3.");
    ck_assert_int_eq(hear("declare", ""), FACE_ACTION);
    kit_expect_same(
        "declare", buf_str(&out),
        "{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],\"defenders\":[\"2319\"]}]}");
    cJSON_Delete(asked);
    cJSON_Delete(error);
}
END_TEST

START_TEST(a_whole_plan_is_one_order)
{
    look("{}", contact, 0);
    expect_order("attack 104 on P1 with A04 and attack 204 on L1",
                 "{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],\"bombard\":[\"A04\"],"
                 "\"defenders\":[\"P1\"]},{\"contact\":[\"204\"],\"defenders\":[\"L1\"]}]}");
    expect_order("declare", "{\"do\":\"declare\",\"plan\":[]}");
    expect_no_order("attack 104 204", "Say: attack UNIT... on HEX... [with BATTERY...]");
    expect_no_order("attack 104 on 204", "No unit stands at ‘204’, or none is called so.");
    /* A draft of the server takes in one declaration after another. */
    cJSON *draft = kit_json("[{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],"
                            "\"defenders\":[\"P1\"]}]}]");
    cJSON *more = kit_json("{\"do\":\"declare\",\"plan\":[{\"contact\":[\"204\"],"
                           "\"defenders\":[\"L1\"]}]}");
    buf_reset(&out);
    face->game->draft_with(draft, more, &out);
    kit_expect_same("draft", buf_str(&out),
                    "[{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],\"defenders\":[\"P1\"]},"
                    "{\"contact\":[\"204\"],\"defenders\":[\"L1\"]}]}]");
    cJSON_Delete(draft);
    cJSON_Delete(more);
}
END_TEST

/* What another client, or this one before, has kept of a declaration stands again, on a position
 * that it fits. */
START_TEST(a_draft_that_was_kept_is_taken_over)
{
    static const char plan[] =
        "[{\"do\":\"declare\",\"plan\":[{\"bombard\":[\"A04\"],\"contact\":[\"104\",\"204\"],"
        "\"defenders\":[\"2319\"]},{\"artillery\":\"A04\",\"hex\":\"1926\"}]}]";
    static const char *const others[] = {
        "[]",
        "[{\"do\":\"end_move\"}]",
        "[{\"do\":\"declare\",\"plan\":[]}]",
        "[{\"do\":\"declare\",\"plan\":[{\"contact\":[\"104\"],\"defenders\":[\"0101\"]}]}]",
        "[{\"do\":\"declare\",\"plan\":[{\"contact\":[\"2319\"],\"defenders\":[\"2319\"]}]}]",
        "[{\"do\":\"declare\",\"plan\":[{\"artillery\":\"A04\",\"hex\":\"9999\"}]}]",
        "[{\"do\":\"declare\",\"plan\":[7]}]",
        "{\"do\":\"declare\"}",
    };
    cJSON *kept = kit_json(plan);
    look("{\"information\":\"semi-blind\"}", contact, 0);
    ck_assert(face->game->take_draft(face, kept));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) { /* what stands there stays */
        cJSON *other = kit_json(others[i]);
        ck_assert_msg(!face->game->take_draft(face, other), "%s", others[i]);
        cJSON_Delete(other);
    }
    buf_reset(&out);
    jw_array_begin(&out);
    ck_assert(face->game->draft(face, &out));
    jw_array_end(&out);
    kit_expect_same("draft", buf_str(&out), plan);
    look("{\"information\":\"semi-blind\"}", pratzen, 0); /* nothing is declared here */
    buf_reset(&out);
    ck_assert(!face->game->draft(face, &out));
    ck_assert_str_eq(buf_str(&out), "");
    cJSON_Delete(kept);
}
END_TEST

/* P32, P36: a shot at an empty hex is one at the ice where there is ice. */
START_TEST(range_tells_ice_from_dry_land_8_3_10_2)
{
    look("{}",
         "{\"others\":\"aside\",\"turn\":2,\"side\":\"french\",\"units\":{\"A04\":\"2218\",\"P1\":"
         "\"4002\"}}",
         0);
    ask("range A04 2419");
    ck_assert_str_eq(buf_str(&out), "A04 may bombard 2419 from 2 hexes away.\n");
    ask("range A04 2219");
    expect_text("Not allowed, rule 8.3.");
    look("{}",
         "{\"others\":\"aside\",\"turn\":9,\"side\":\"french\",\"units\":{\"A04\":\"1825\",\"P1\":"
         "\"4002\"}}",
         0);
    ask("range A04 1926");
    ck_assert_str_eq(buf_str(&out), "A04 may break the ice of 1926 from 1 hex away.\n");
}
END_TEST

/* P08; and the same with mute counters: the own side, and a row for each strength. */
START_TEST(odds_are_told_in_full_or_for_every_strength_6_5)
{
    look("{}", contact, 0);
    ask("odds 104 204 on P1");
    ck_assert_str_eq(buf_str(&out),
                     "19 against 6: 3:1, die modifier -1. 3:1: 1–2 AR, 3 EX, 4–6 DR\n");
    look("{\"information\":\"semi-blind\"}", contact, 0);
    ask("odds 104 204 on 2319");
    expect_text("You attack with 19, die modifier -1; their strength shows when it is rolled.");
    expect_text("  if they count 3, 6:1: 1–3 DR, 4–6 DE\n"); /* 19:3 = 6:1 */
    expect_text("  if they count 5–6, 3:1: 1–2 AR, 3 EX, 4–6 DR\n");
    expect_text("  if they count 10, 1:1: 1–4 AR, 5 EX, 6 DR\n");
    ask("row 17 8"); /* P01 */
    expect_text("2:1: ");
}
END_TEST

/* ---- after the die ---- */

START_TEST(units_are_pushed_and_advance_7)
{
    /* P21: the only way leads through a friend, who makes room. */
    look("{\"information\":\"semi-blind\"}",
         "{\"others\":\"aside\",\"turn\":4,\"state\":\"RETREAT\",\"side\":\"french\",\"units\":{"
         "\"104\":\"2218\",\"204\":\"2318\",\"101\":\"2219\",\"P1\":\"2319\",\"L1\":\"2419\","
         "\"LA\":\"2320\",\"D1\":\"2418\"},\"plan\":{\"1\":{\"contact\":[\"101\",\"104\",\"204\"],"
         "\"defenders\":[\"P1\"]}},\"hand\":{\"index\":1,\"result\":\"DR\",\"contact\":[\"101\","
         "\"104\",\"204\"],\"defenders\":[\"P1\"],\"to_retreat\":[\"P1\"]}}",
         0);
    expect_order("retreat 2319 2419 2519", "{\"do\":\"retreat\",\"unit\":\"2319\",\"to\":\"2419\","
                                           "\"chain\":[\"2519\"]}");
    expect_no_order("retreat 2319", "2319: several ways are open, name the hex.");
    ask("retreats 2319");
    ck_assert_str_eq(buf_str(&out), "P1 (2319) could be pushed to 2419 (→ 2420, 2519, 2520).\n");
    /* P51: one hex a unit, one unit a hex. */
    look("{}",
         "{\"others\":\"aside\",\"turn\":4,\"state\":\"ADVANCE\",\"side\":\"french\",\"units\":{"
         "\"204\":\"2318\",\"P1\":\"2520\",\"L1\":\"2517\"},\"plan\":{\"1\":{\"contact\":[\"204\"],"
         "\"defenders\":[\"P1\",\"L1\"]}},\"hand\":{\"index\":1,\"result\":\"DR\",\"contact\":"
         "[\"204\"],\"defenders\":[\"L1\",\"P1\"],\"vacated\":[\"2319\",\"2418\"]}}",
         0);
    expect_order("advance 204 2418", "{\"do\":\"advance\",\"moves\":{\"204\":\"2418\"}}");
    expect_order("hold", "{\"do\":\"advance\",\"moves\":{}}");
    expect_order("end", "{\"do\":\"advance\",\"moves\":{}}");
}
END_TEST

struct checked {
    int orders;
};

static void check_choice(void *ctx, const char *order)
{
    struct checked *checked = ctx;
    struct buf action;
    buf_init(&action, 1 << 16);
    buf_reset(&why);
    ck_assert_msg(face->game->order(face, order, &action, &why), "%s: %s", order, buf_str(&why));
    checked->orders++;
    buf_finish(&action);
}

START_TEST(batteries_choose_and_exchanges_are_paid_7_6_8_8)
{
    look("{}",
         "{\"others\":\"aside\",\"turn\":2,\"state\":\"BATTERY\",\"side\":\"french\",\"units\":{"
         "\"D1\":\"2825\",\"A04\":\"2823\",\"AG\":\"2624\",\"4D\":\"0225\",\"GA\":\"4207\"},"
         "\"plan\":{\"1\":{\"bombard\":[\"A04\",\"AG\"],\"defenders\":[\"D1\"]}},\"hand\":{"
         "\"index\":1,\"result\":\"AR\",\"bombard\":[\"A04\",\"AG\"],\"defenders\":[\"D1\"],"
         "\"to_choose\":[\"A04\",\"AG\"]}}",
         0);
    buf_reset(&out);
    face->game->say_prompt(face, &out);
    expect_text("AG (2624)");
    expect_order("battery a04 stay", "{\"do\":\"battery\",\"unit\":\"A04\",\"stay\":true}");
    expect_order("battery A04 2722", "{\"do\":\"battery\",\"unit\":\"A04\",\"to\":\"2722\"}");
    expect_no_order("battery D1 stay", "There is no unit of yours called ‘D1’.");
    /* P17: D1 prints 9; each set that reaches it without a unit to spare is offered. */
    look(
        "{}",
        "{\"others\":\"aside\",\"turn\":2,\"state\":\"EXCHANGE\",\"side\":\"french\",\"units\":{"
        "\"101\":\"2218\",\"201\":\"2318\",\"C01\":\"2219\",\"D1\":\"2319\",\"GA\":\"4207\"},"
        "\"plan\":{\"1\":{\"contact\":[\"101\",\"201\",\"C01\"],\"defenders\":[\"D1\"]}},\"hand\":{"
        "\"index\":1,\"result\":\"EX\",\"contact\":[\"101\",\"201\",\"C01\"],\"defenders\":"
        "[\"D1\"]}}",
        0);
    buf_reset(&out);
    face->game->say_prompt(face, &out);
    expect_text("Exchange: lose attackers of 9 potential or more");
    expect_order("lose 201 c01", "{\"do\":\"exchange\",\"losses\":[\"201\",\"C01\"]}");
    struct checked checked = {0};
    face->game->choices(face, check_choice, &checked);
    ck_assert_int_eq(checked.orders, 3);
}
END_TEST

/* ---- what is shown ---- */

/* 15.3: no id, name or potential of the other side stands in any text or picture, whatever is
 * typed. */
START_TEST(nothing_hidden_is_shown_15_3)
{
    static const char *const own[2] = {"104", "D1"}, *const theirs[2] = {"D1", "104"};
    static const char *const pages[] = {"map", "combats", "armies", "forms", "legend"};
    for (unsigned seat = 0; seat <= 2; seat++) {
        struct canvas c;
        look("{\"information\":\"semi-blind\",\"strengths\":\"printed\"}", "{}", seat);
        for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
            ck_assert_int_eq(hear(pages[i], ""), FACE_TURNED);
            ck_assert(canvas_init(&c, 280, 80, i % 2 == 0));
            face->game->draw(face, &c);
            buf_reset(&out);
            canvas_dump(&c, &out);
            canvas_finish(&c);
            face->game->say_position(face, &out);
            face->game->say_prompt(face, &out);
            bool map = i == 0;
            char text[16];
            for (unsigned side = 0; side < 2; side++) {
                bool knows = seat == side;
                snprintf(text, sizeof text, map ? "%s i" : " %s inf ", side == 0 ? "104" : "D1");
                ck_assert_msg((strstr(buf_str(&out), side == 0 ? " 104 inf" : " D1 inf") != NULL) ==
                                  knows,
                              "seat %u, page %s", seat, pages[i]);
                if (!knows && i != 4) {
                    const char *bracket = side == 0 ? "[104" : "(D1 ";
                    ck_assert_msg(strstr(buf_str(&out), bracket) == NULL, "seat %u sees %s on %s",
                                  seat, bracket, pages[i]);
                }
            }
            if (map) { ck_assert_ptr_nonnull(strstr(buf_str(&out), seat == 0 ? "(inf" : "[inf")); }
        }
        buf_reset(&out);
        (void)face->game->complete(face, "move ", &out);
        if (seat < 2) { ck_assert_ptr_nonnull(strstr(buf_str(&out), own[seat])); }
        if (seat < 2) { ck_assert_ptr_null(strstr(buf_str(&out), theirs[seat])); }
    }
}
END_TEST

START_TEST(the_map_is_read_in_a_small_window)
{
    struct canvas c;
    look("{\"information\":\"semi-blind\"}", "{}", 0);
    ck_assert_int_eq(hear("map", "telnitz"), FACE_TURNED);
    for (int ascii = 0; ascii < 2; ascii++) {
        ck_assert(canvas_init(&c, 80, 14, ascii == 1));
        face->game->draw(face, &c);
        buf_reset(&out);
        canvas_dump(&c, &out);
        canvas_finish(&c);
        expect_text("[304]"); /* Legrand in Telnitz, 9-6, at 1725 */
        expect_text("i9-6");
        expect_text("[C04]");
        expect_text("Sokol"); /* 1822, fortified, with its bridges */
        expect_text("=@@@=");
        expect_text("ooo");   /* the ponds */
        expect_text("17 ");   /* the column */
        expect_text("\n25 "); /* and row of Telnitz */
    }
    ck_assert_int_eq(hear("hex", "sokolnitz"), FACE_SAID);
    expect_text("1822 Sokolnitz: village, fortified, ");
    expect_text("NE stream (bridge BR06)");
    ck_assert_int_eq(hear("map", "all"), FACE_TURNED);
    ck_assert(canvas_init(&c, 80, 35, true));
    face->game->draw(face, &c);
    buf_reset(&out);
    canvas_dump(&c, &out);
    canvas_finish(&c);
    expect_text("\n34 "); /* all of it */
}
END_TEST

/* At 80 by 24 the page has 18 rows; nothing of any order may be cut or fall off. */
START_TEST(help_stands_whole_on_the_smallest_screen)
{
    look("{}", "{}", 0);
    for (const struct words_table *t = words_tables; t->language != NULL; t++) {
        ck_assert(words_set_language(t->language));
        for (unsigned at = AV_MOVE; at <= AV_OVER; at++) {
            struct canvas c;
            face->state = at;
            ck_assert(canvas_init(&c, 80, 18, false));
            draw_help(&c, face);
            buf_reset(&out);
            canvas_dump(&c, &out);
            canvas_finish(&c);
            if (getenv("SHOW") != NULL) { puts(buf_str(&out)); }
            for (char *byte = out.data; *byte != '\0'; byte++) {
                if (*byte == '\n') { *byte = ' '; }
            }
            for (const struct order_word *w = face->game->words; w->word != NULL; w++) {
                const char *usage = face_usage(face, w);
                if (usage[0] == '\0' || !face_word_fits(face, w)) { continue; }
                ck_assert_msg(strstr(buf_str(&out), usage) != NULL, "%s in state %u in %s", w->word,
                              at, t->language);
            }
            const char *keys = face_text(face, "cli.ui.keys");
            ck_assert_msg(strstr(buf_str(&out), strrchr(keys, ' ') + 1) != NULL,
                          "the keys fall off in state %u in %s", at, t->language);
        }
    }
    ck_assert(words_set_language("en"));
}
END_TEST

/* Every word that has more said of it finds it, and every one has a line. */
START_TEST(every_word_has_its_help)
{
    look("{}", "{}", 0);
    for (const struct order_word *w = face->game->words; w->word != NULL; w++) {
        if (face_usage(face, w)[0] == '\0') { continue; }
        ck_assert_msg(face_help(face, w)[0] != '\0', "%s", w->word);
    }
    ck_assert_ptr_nonnull(strstr(face_page(face, face_word_find(face, "attack")), "6.2"));
}
END_TEST

START_TEST(words_are_completed)
{
    look("{}", pratzen, 0);
    buf_reset(&out);
    ck_assert_uint_eq(face->game->complete(face, "mov", &out), 3);
    ck_assert_str_eq(buf_str(&out), "move\n");
    buf_reset(&out);
    ck_assert_uint_eq(face->game->complete(face, "move 104 sok", &out), 3);
    ck_assert_str_eq(buf_str(&out), "Sokolnitz\n");
    buf_reset(&out);
    (void)face->game->complete(face, "exit 104 w", &out);
    expect_text("west\n");
}
END_TEST

START_TEST(choices_are_orders)
{
    struct checked checked = {0};
    look("{}", contact, 0);
    face->game->choices(face, check_choice, &checked);
    look("{\"information\":\"semi-blind\"}", contact, 0);
    face->game->choices(face, check_choice, &checked);
    look("{}", "{\"turn\":2,\"side\":\"french\",\"state\":\"MOVE\"}", 0);
    face->game->choices(face, check_choice, &checked);
    ck_assert_int_ge(checked.orders, 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("austerlitz at the terminal");
    TCase *all = tcase_create("all");
    tcase_add_checked_fixture(all, setup, finish);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, the_cheapest_way_heeds_control_5_4);
    tcase_add_test(all, ways_cost_what_the_rules_say_4_5);
    tcase_add_test(all, movement_is_typed_in_words);
    tcase_add_test(all, combats_are_drafted_piece_by_piece_6_2);
    tcase_add_test(all, a_refused_piece_is_in_the_draft_no_longer);
    tcase_add_test(all, a_whole_plan_is_one_order);
    tcase_add_test(all, a_draft_that_was_kept_is_taken_over);
    tcase_add_test(all, range_tells_ice_from_dry_land_8_3_10_2);
    tcase_add_test(all, odds_are_told_in_full_or_for_every_strength_6_5);
    tcase_add_test(all, units_are_pushed_and_advance_7);
    tcase_add_test(all, batteries_choose_and_exchanges_are_paid_7_6_8_8);
    tcase_add_test(all, nothing_hidden_is_shown_15_3);
    tcase_add_test(all, the_map_is_read_in_a_small_window);
    tcase_add_test(all, help_stands_whole_on_the_smallest_screen);
    tcase_add_test(all, every_word_has_its_help);
    tcase_add_test(all, words_are_completed);
    tcase_add_test(all, choices_are_orders);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
