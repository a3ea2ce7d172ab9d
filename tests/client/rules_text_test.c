/* tests/client/rules_text_test.c: how to play and the rules as the terminal shows them, from the
 * files that the server serves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "client-cli/face/canvas.h"
#include "client-cli/face/rules_text.h"
#include "common/base/buf.h"
#include "common/words/words.h"

static const char *const languages[] = {"en", "fr", "ja", "ru", "zh"};
enum { LANGUAGES = sizeof languages / sizeof languages[0] };

/* schema/games/GAME/NAME; the caller's, for buf_finish(). */
static void read_file(const char *path, struct buf *out)
{
    char whole[512], chunk[4096];
    snprintf(whole, sizeof whole, "%s%s", SCHEMA_PATH, path);
    FILE *file = fopen(whole, "rb");
    ck_assert_msg(file != NULL, "%s", whole);
    buf_init(out, RULES_TEXT_MAX);
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;) {
        buf_append(out, chunk, n);
    }
    fclose(file);
}

static void say_rule(const char *path, const char *number, struct buf *out)
{
    struct buf file;
    read_file(path, &file);
    buf_init(out, RULES_TEXT_MAX);
    ck_assert_msg(rules_text_rule(buf_str(&file), number, out), "%s in %s", number, path);
    buf_finish(&file);
}

START_TEST(a_rule_ends_where_the_next_begins)
{
    struct buf text;
    say_rule("/games/austerlitz/rules.md", "4.4", &text);
    ck_assert_str_eq(buf_str(&text),
                     "4.4 A unit may pass through friends, never through an enemy. A move "
                     "must end on a hex free of any unit.\n");
    buf_finish(&text);
    /* A citation is left out, unless it is a word of its sentence. */
    say_rule("/games/austerlitz/rules.md", "5.5", &text);
    ck_assert_ptr_nonnull(
        strstr(buf_str(&text),
               "  1813       1 / 2                 0 / 1 (\"leave 1\" is N3 of the text)\n"));
    buf_finish(&text);
    /* Its table belongs to it, in columns: the row of 3:1 (6.8). */
    say_rule("/games/austerlitz/rules.md", "6.8", &text);
    ck_assert_ptr_nonnull(strstr(buf_str(&text), "  3:1   AR  EX  DR  DR  DR  DE\n"));
    ck_assert_ptr_null(strstr(buf_str(&text), "6.9"));
    buf_finish(&text);
    say_rule("/games/waterloo/rules.md", "W9.3", &text);
    ck_assert_int_eq(strncmp(buf_str(&text), "- W9.3 Dice: as many as the firer's current CV", 45),
                     0);
    ck_assert_ptr_null(strstr(buf_str(&text), "seed"));
    ck_assert_ptr_null(strstr(buf_str(&text), "W9.4"));
    buf_finish(&text);
}
END_TEST

START_TEST(sections_and_rulings_have_numbers_too)
{
    struct buf text;
    say_rule("/games/waterloo/rules.md", "W9", &text);
    ck_assert_int_eq(strncmp(buf_str(&text), "W9 Fire\n-------\n", 16), 0);
    ck_assert_ptr_nonnull(strstr(buf_str(&text), "W9.9"));
    ck_assert_ptr_null(strstr(buf_str(&text), "W10.1 "));
    buf_finish(&text);
    say_rule("/games/waterloo/rules.md", "R13", &text);
    ck_assert_ptr_nonnull(strstr(buf_str(&text), "\n(ii).\n"));
    buf_finish(&text);
    struct buf file, none;
    read_file("/games/waterloo/rules.md", &file);
    buf_init(&none, RULES_TEXT_MAX);
    ck_assert(!rules_text_rule(buf_str(&file), "W9.10", &none));
    ck_assert(!rules_text_rule(buf_str(&file), "W99", &none));
    ck_assert_uint_eq(none.len, 0);
    buf_finish(&none);
    buf_finish(&file);
}
END_TEST

START_TEST(numbers_are_read_as_they_are_typed)
{
    static const struct {
        const char *game, *typed, *number;
    } rows[] = {
        {"waterloo", "w7.4", "W7.4"},
        {"waterloo", "7.4", "W7.4"},
        {"waterloo", "r13", "R13"},
        {"waterloo", "W7", "W7"},
        {"austerlitz", "6.2", "6.2"},
        {"austerlitz", "R7", "R7"},
        {"austerlitz", "W6.2", NULL},
        {"waterloo", "seven", NULL},
        {"waterloo", "7.4x", NULL},
        {"waterloo", "", NULL},
        {"waterloo", "7.4444444444444444", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char number[RULES_NUMBER_BYTES];
        bool is = rules_text_number(rows[i].game, rows[i].typed, number);
        ck_assert_msg(is == (rows[i].number != NULL), "%s", rows[i].typed);
        if (is) { ck_assert_str_eq(number, rows[i].number); }
    }
    char path[64];
    rules_text_path("waterloo", false, "en", path, sizeof path);
    ck_assert_str_eq(path, "/games/waterloo/rules.md");
    rules_text_path("austerlitz", false, "ja", path, sizeof path);
    ck_assert_str_eq(path, "/games/austerlitz/rules.ja.md");
    rules_text_path("waterloo", true, "en", path, sizeof path);
    ck_assert_str_eq(path, "/games/waterloo/guide.en.md");
}
END_TEST

START_TEST(how_to_play_can_be_read_in_every_language_page_by_page)
{
    static const char *const games[] = {"waterloo", "austerlitz"};
    for (size_t i = 0; i < 2 * LANGUAGES; i++) {
        char path[128];
        struct buf file, text, shown;
        ck_assert(words_set_language(languages[i / 2]));
        snprintf(path, sizeof path, "/games/%s/guide.%s.md", games[i % 2], languages[i / 2]);
        read_file(path, &file);
        buf_init(&text, RULES_TEXT_MAX);
        rules_text_whole(buf_str(&file), &text);
        ck_assert_ptr_null(strpbrk(buf_str(&text), "*`#"));
        struct canvas canvas;
        ck_assert(canvas_init(&canvas, 80, 18, false));
        int last = -1, row = 0;
        for (; row != last; row += 17) { /* past the end it stays on the last page */
            last = row;
            canvas_clear(&canvas);
            row = draw_reading(&canvas, buf_str(&text), row);
            if (row < last) { break; }
            ck_assert_int_lt(row, 1000);
        }
        buf_init(&shown, RULES_TEXT_MAX);
        canvas_dump(&canvas, &shown);
        ck_assert_ptr_nonnull(strstr(buf_str(&shown), i % 2 == 0 ? "W7.4" : "6.2"));
        canvas_finish(&canvas);
        buf_finish(&shown);
        buf_finish(&text);
        buf_finish(&file);
    }
    words_set_language("en");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rules_text");
    TCase *tcase = tcase_create("rules_text");
    tcase_add_test(tcase, a_rule_ends_where_the_next_begins);
    tcase_add_test(tcase, sections_and_rulings_have_numbers_too);
    tcase_add_test(tcase, numbers_are_read_as_they_are_typed);
    tcase_add_test(tcase, how_to_play_can_be_read_in_every_language_page_by_page);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
