/* tests/words/words_test.c: what the programs in C say of Austerlitz, in five languages: each kind
 * of event whole, for every reader, whether a unit is known or not; turns, seats, refusals. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/words/describe.h"
#include "common/words/words.h"

enum { OUT_MAX = 1 << 20 };

static const char *const languages[] = {"en", "fr", "ja", "ru", "zh"};
static const char *const viewers[] = {NULL, "FR", "AL", "public", "all"};
static struct buf out;

static cJSON *parse(const char *text)
{
    cJSON *json = NULL;
    ck_assert_int_eq(json_parse(text, strlen(text), &json), ERR_OK);
    return json;
}

static cJSON *read_samples(void)
{
    static char text[1 << 16];
    FILE *file = fopen(EVENTS_PATH, "rb");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return parse(text);
}

static void tell(const char *language, const char *viewer, const cJSON *events)
{
    ck_assert(words_set_language(language));
    buf_reset(&out);
    describe_events_of(&out, events, "austerlitz", NULL, viewer);
    words_set_language("en");
}

static void expect(const char *language, const char *viewer, const char *event, const char *lines)
{
    char list[4096];
    snprintf(list, sizeof list, "[%s]", event);
    cJSON *events = parse(list);
    tell(language, viewer, events);
    ck_assert_str_eq(buf_str(&out), lines);
    cJSON_Delete(events);
}

/* Keys, braces, holes: what no reader may see. English words in what is not English neither. */
static void expect_whole(const char *language, const char *text)
{
    static const char *const never[] = {"event.a", "unit.a", "place.a", "{",
                                        "}",       "<b>",    "  ",      "(null)"};
    static const char *const english[] = {"the ",    "The ",      " and ",  "French",
                                          "Allied",  "combat 1:", "from ",  " moves",
                                          "bridge ", "lost ",     "unit at"};
    ck_assert_str_ne(text, "");
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        ck_assert_msg(strstr(text, never[i]) == NULL, "%s: %s", never[i], text);
    }
    for (size_t i = 0; strcmp(language, "en") != 0 && i < sizeof english / sizeof english[0]; i++) {
        ck_assert_msg(strstr(text, english[i]) == NULL, "%s: %s", english[i], text);
    }
}

START_TEST(every_event_reads_whole_in_every_language_for_every_reader)
{
    cJSON *samples = read_samples();
    ck_assert_int_gt(cJSON_GetArraySize(samples), 30);
    for (size_t l = 0; l < sizeof languages / sizeof languages[0]; l++) {
        for (size_t v = 0; v < sizeof viewers / sizeof viewers[0]; v++) {
            tell(languages[l], viewers[v], samples);
            expect_whole(languages[l], buf_str(&out));
        }
    }
    cJSON_Delete(samples);
}
END_TEST

START_TEST(a_unit_is_told_by_name_or_by_type_and_hex)
{
    const char *known = "{\"ev\":\"moved\",\"unit\":\"104\",\"from\":\"1725\",\"path\":[\"1824\","
                        "\"2319\"]}";
    const char *mute = "{\"ev\":\"displaced\",\"unit\":{\"side\":\"allied\",\"type\":\"infantry\","
                       "\"hex\":\"2319\"},\"from\":\"2319\",\"to\":\"2517\"}";
    const char *gone = "{\"ev\":\"eliminated\",\"side\":\"allied\",\"units\":[{\"side\":\"allied\","
                       "\"type\":\"cavalry\",\"hex\":\"2319\"},{\"side\":\"allied\",\"type\":"
                       "\"artillery\",\"hex\":\"2517\"}],\"P\":29}";
    expect("en", "FR", known,
           "Your 1st Division of IV Corps (104) moves from Telnitz (1725) to 2319.\n");
    expect("en", "AL", known,
           "The 1st Division of IV Corps (104) moves from Telnitz (1725) to 2319.\n");
    expect("en", "FR", mute, "An Allied infantry unit falls back from 2319 to Pratzen (2517).\n");
    expect("en", "FR", gone,
           "An Allied cavalry unit at 2319 and an Allied battery at Pratzen (2517) are "
           "eliminated.\nThe Allies have lost 29 in all.\n");
    expect("fr", "FR", known,
           "Votre 1re division du IVe corps (104) va de Telnitz (1725) en 2319.\n");
    expect("ja", "AL", known, "第4軍団第1師団（104）、テルニッツ（1725）から2319へ移動。\n");
    expect("ru", "public", mute, "Союзная пехотная часть отходит с 2319 в Працен (2517).\n");
    expect("zh", "FR", mute, "俄奥联军的步兵自2319往普拉岑（2517）后退。\n");
}
END_TEST

START_TEST(a_die_tells_row_modifier_and_result)
{
    const char *rolled =
        "{\"ev\":\"rolled\",\"index\":1,\"attack\":8,\"defence\":5,\"odds\":\"1:1\","
        "\"row\":\"2:1\",\"die\":3,\"modifier\":-2,\"final_die\":1,\"result\":\"AR\"}";
    const char *plain =
        "{\"ev\":\"rolled\",\"index\":2,\"attack\":23,\"defence\":6,\"odds\":\"3:1\","
        "\"row\":\"3:1\",\"die\":4,\"modifier\":0,\"final_die\":4,\"result\":\"DR\"}";
    expect("en", "FR", rolled,
           "Combat 1: 8 against 5 is 1:1, 2:1 by demoralisation. (3) (−2, so 1): the attacker "
           "retreats.\n");
    expect("en", NULL, plain, "Combat 2: 23 against 6 is 3:1. (4): the defender retreats.\n");
}
END_TEST

START_TEST(a_score_is_told_only_where_it_decided)
{
    const char *won = "{\"ev\":\"over\",\"french\":{\"losses\":11,\"points\":3},\"allied\":{"
                      "\"losses\":113,\"points\":0},\"winner\":\"french\",\"degree\":"
                      "\"decisive victory\",\"encircled\":[]}";
    const char *left = "{\"ev\":\"over\",\"french\":{\"losses\":11,\"points\":0},\"allied\":{"
                       "\"losses\":3,\"points\":0},\"winner\":\"allied\",\"degree\":"
                       "\"decisive victory\",\"encircled\":[],\"resigned\":\"french\"}";
    expect(
        "en", "FR", won,
        "The French win: decisive victory.\nThe French lost 11 and have three points.\nThe Allies "
        "lost 113 and have no point.\n");
    expect("en", "FR", left, "The Allies win: decisive victory.\n");
}
END_TEST

START_TEST(what_the_host_does_names_the_seats_of_this_game)
{
    expect("fr", "FR", "{\"ev\":\"undone\",\"seat\":\"AL\"}",
           "Les Austro-Russes reprennent un coup.\n");
    expect("en", "AL", "{\"ev\":\"undone\",\"seat\":\"AL\"}", "You take back one step.\n");
    expect("en", "AL", "{\"ev\":\"no_such\"}",
           "Something happened that this client has no words for: no_such.\n");
}
END_TEST

static void expect_turn(const char *language, const char *when)
{
    cJSON *view = parse("{\"turn\":{\"turn\":3,\"hours\":\"9-10\",\"side\":\"french\"}}");
    ck_assert(words_set_language(language));
    buf_reset(&out);
    describe_turn(&out, "austerlitz", view);
    ck_assert_str_eq(buf_str(&out), when);
    words_set_language("en");
    cJSON_Delete(view);
}

START_TEST(a_turn_is_told_by_its_hour)
{
    expect_turn("en", "Turn 3, 09:00 to 10:00");
    expect_turn("fr", "Tour 3, de 9 h à 10 h");
    expect_turn("ja", "第3ターン、9時〜10時");
    expect_turn("ru", "Ход 3, с 9 до 10 ч");
    expect_turn("zh", "第3回合，9时至10时");
}
END_TEST

START_TEST(a_refusal_has_the_reason_of_its_game)
{
    cJSON *error = parse("{\"code\":-32005,\"message\":\"\",\"data\":{\"kind\":\"illegal_action\","
                         "\"rule\":\"6.2\"}}");
    buf_reset(&out);
    words_refusal(&out, error, "austerlitz");
    ck_assert_ptr_nonnull(strstr(buf_str(&out), "Units in mutual control must fight"));
    ck_assert_ptr_nonnull(strstr(buf_str(&out), "6.2"));
    buf_reset(&out);
    words_error(&out, error);
    ck_assert_ptr_nonnull(strstr(buf_str(&out), "The rules do not allow it."));
    cJSON_Delete(error);
}
END_TEST

int main(void)
{
    buf_init(&out, OUT_MAX);
    Suite *suite = suite_create("words");
    TCase *tests = tcase_create("austerlitz");
    tcase_add_test(tests, every_event_reads_whole_in_every_language_for_every_reader);
    tcase_add_test(tests, a_unit_is_told_by_name_or_by_type_and_hex);
    tcase_add_test(tests, a_die_tells_row_modifier_and_result);
    tcase_add_test(tests, a_score_is_told_only_where_it_decided);
    tcase_add_test(tests, what_the_host_does_names_the_seats_of_this_game);
    tcase_add_test(tests, a_turn_is_told_by_its_hour);
    tcase_add_test(tests, a_refusal_has_the_reason_of_its_game);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    buf_finish(&out);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
