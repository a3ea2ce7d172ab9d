/* tests/unit/test_mention.c: which texts call which name. */
#include <check.h>
#include <stdlib.h>

#include "server/store/mention.h"

static const struct {
    const char *text, *name;
    bool calls;
} rows[] = {
    {"@Anna", "Anna", true},
    {"well, @anna?", "Anna", true},
    {"@ANNA, your move", "anna", true},
    {"@Anna-Marie", "Anna", false},
    {"@Anna-Marie", "Anna-Marie", true},
    {"@Annabel", "Anna", false},
    {"@Anna_", "Anna", false},
    {"mail me@Anna", "Anna", false},
    {"mail me@Anna or @Anna", "Anna", true},
    {"Anna", "Anna", false},
    {"@", "Anna", false},
    {"@@Anna", "Anna", true},
    {"", "Anna", false},
    {"@Anna", "", false},
    {"@7", "7", true},
    {"@77", "7", false},
    {"@Иван, ход ваш", "Иван", true},
    {"@Иванов", "Иван", false},
    {"Да@Иван", "Иван", false},
    {"@Ήλιος", "Ήλιος", true},
    {"@Éric", "É", false},
    {"@Éric!", "Éric", true},
    {"@太郎さん、どうぞ", "太郎", true},
    {"次は@太郎", "太郎", true},
    {"@太郎", "太", true}, /* where words touch, a name may end anywhere */
    {"@Anna、どうぞ", "Anna", true},
    {"@ვანო", "ვან", false},
};

START_TEST(names_in_what_is_said)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(mention_calls(rows[i].text, rows[i].name) == rows[i].calls, "%s in %s",
                      rows[i].name, rows[i].text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mention");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, names_in_what_is_said);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
