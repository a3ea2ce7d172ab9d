/* tests/unit/test_clock_spec.c: the grammar of `clock`: what is refused and by which member, the
 * one normal form, and calendars of players. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "tests/unit/clock_kit.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define L        "'kind':'live'"
#define C        "'kind':'correspondence'"
#define Z        C ",'zone':'Europe/Brussels'"

static void unquote(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; text[n] != '\0' && n + 1 < size; n++) {
        out[n] = '"';
        if (text[n] != '\'') { out[n] = text[n]; }
    }
    out[n] = '\0';
}

static enum err read_spec(const char *text, unsigned seats, struct clock_spec *out, struct why *why)
{
    char json[4096];
    unquote(text, json, sizeof json);
    why_clear(why);
    return clock_spec_read(json, strlen(json), seats, out, why);
}

static void assert_normal(const char *text, const char *normal)
{
    struct clock_spec spec = kit_spec(text, 3);
    struct buf out;
    char want[4096];
    unquote(normal, want, sizeof want);
    buf_init(&out, 1 << 16);
    clock_spec_write(&spec, &out);
    ck_assert_str_eq(buf_str(&out), want);
    /* And the normal form is one. */
    struct clock_spec again = kit_spec(want, 3);
    ck_assert_mem_eq(&again, &spec, sizeof spec);
    buf_reset(&out);
    clock_spec_write(&again, &out);
    ck_assert_str_eq(buf_str(&out), want);
    buf_finish(&out);
}

#define LADDER_LIVE                                                                                \
    "'pauses':{'policy':'free'},'ladder':{'remind_s':[],'grace_s':0,'misses':0,'then':[{'do':"     \
    "'claim'}],'claims':['win','grant','annul'],'grant_s':3600,'fresh_s':3600,'draft':'miss'}}"
#define LADDER_SLOW                                                                                \
    "'ladder':{'remind_s':[86400],'grace_s':86400,'misses':0,'then':[{'do':'claim'}],'claims':["   \
    "'win','grant','annul'],'grant_s':864000,'fresh_s':864000,'draft':'miss'}}"

START_TEST(every_member_has_a_default_that_is_written_out)
{
    assert_normal("{" L "}", "{" L ",'bank_s':3600,'increment_s':30,'per_move_s':0," LADDER_LIVE);
    assert_normal("{" C "}",
                  "{" C ",'bank_s':864000,'increment_s':0,'per_move_s':259200,'zone':'UTC',"
                  "'sleep':false,'vacation_days':0,'pauses':{'policy':'free'}," LADDER_SLOW);
    assert_normal("{" Z ",'days':['fri','mon'],'hours':['08:00','23:00'],'sleep':true,"
                  "'vacation_days':21,'pauses':{'policy':'capped','cap_s':604800}}",
                  "{" C ",'bank_s':864000,'increment_s':0,'per_move_s':259200,'zone':"
                  "'Europe/Brussels','days':['mon','fri'],'hours':['08:00','23:00'],'sleep':true,"
                  "'vacation_days':21,'pauses':{'policy':'capped','cap_s':604800}," LADDER_SLOW);
}
END_TEST

START_TEST(the_whole_ladder_in_its_normal_form)
{
    assert_normal(
        "{" Z ",'at':'23:55','bank_s':0,'bank_max_s':86400,'increment_s':60,'per_move_s':3600,"
        "'phases':{'respond':86400,'move':172800},'ladder':{'draft':'play','remind_s':[60,86400,"
        "3600],'grace_s':600,'misses':2,'then':[{'do':'substitute','for_s':259200},{'for_s':172800,"
        "'do':'ally'},{'do':'claim','for_s':60},{'do':'caretaker'}],'claims':['annul','grant']}}",
        "{" C ",'bank_s':0,'bank_max_s':86400,'increment_s':60,'per_move_s':3600,'phases':{'move':"
        "172800,'respond':86400},'zone':'Europe/Brussels','at':'23:55','min_gap_s':0,'sleep':false,"
        "'vacation_days':0,'pauses':{'policy':'free'},'ladder':{'remind_s':[86400,3600,60],"
        "'grace_s':600,'misses':2,'again_s':3600,'then':[{'do':'substitute','for_s':259200},{'do':"
        "'ally','for_s':172800},{'do':'claim','for_s':60},{'do':'caretaker'}],'claims':['grant',"
        "'annul'],'grant_s':3600,'fresh_s':0,'draft':'play'}}");
    assert_normal("{" L ",'bank_s':60,'ladder':{'then':'forfeit','fresh_s':0}}",
                  "{" L ",'bank_s':60,'increment_s':30,'per_move_s':0,'pauses':{'policy':'free'},"
                  "'ladder':{'remind_s':[],'grace_s':0,'misses':0,'then':[{'do':'forfeit'}],"
                  "'fresh_s':0,'draft':'miss'}}");
}
END_TEST

/* What says nothing is left out of the normal form. */
START_TEST(all_days_and_all_hours_are_none_at_all)
{
    assert_normal(
        "{" Z ",'days':['mon','tue','wed','thu','fri','sat','sun'],'hours':['00:00','24:00']}",
        "{" C ",'bank_s':864000,'increment_s':0,'per_move_s':259200,'zone':"
        "'Europe/"
        "Brussels','sleep':false,'vacation_days':0,'pauses':{'policy':'free'}," LADDER_SLOW);
    const struct clock_spec spec = kit_spec("{" Z ",'hours':['22:00','06:00']}", 2);
    ck_assert_int_eq(spec.hours.from_min, 1320);
    ck_assert_int_eq(spec.hours.to_min, 360);
}
END_TEST

static const struct wrong_row {
    const char *spec, *member;
} wrong_rows[] = {
    {"[]", "clock"},
    {"{}", "clock.kind"},
    {"{'kind':'blitz'}", "clock.kind"},
    {"{'kind':1}", "clock.kind"},
    {"{" L ",'kinds':1}", "clock.kinds"},
    {"{" L ",'bank_s':0}", "clock.bank_s"},
    {"{" L ",'bank_s':86401}", "clock.bank_s"},
    {"{" L ",'bank_s':-1}", "clock.bank_s"},
    {"{" L ",'bank_s':'3600'}", "clock.bank_s"},
    {"{" C ",'bank_s':31622401}", "clock.bank_s"},
    {"{" C ",'bank_s':0,'per_move_s':0}", "clock.bank_s"},
    {"{" L ",'bank_s':60,'bank_max_s':59}", "clock.bank_max_s"},
    {"{" C ",'bank_max_s':31622401}", "clock.bank_max_s"},
    {"{" C ",'bank_s':0,'bank_max_s':0}", "clock.bank_max_s"},
    {"{" L ",'increment_s':3601}", "clock.increment_s"},
    {"{" C ",'increment_s':2592001}", "clock.increment_s"},
    {"{" L ",'increment_s':-1}", "clock.increment_s"},
    {"{" L ",'per_move_s':86401}", "clock.per_move_s"},
    {"{" C ",'per_move_s':5184001}", "clock.per_move_s"},
    {"{" C ",'phases':{}}", "clock.phases"},
    {"{" C ",'phases':['move']}", "clock.phases"},
    {"{" C ",'phases':{'move':-1}}", "clock.phases.move"},
    {"{" L ",'phases':{'move':86401}}", "clock.phases.move"},
    {"{" C ",'phases':{'Move':60}}", "clock.phases.Move"},
    {"{" C ",'phases':{'':60}}", "clock.phases"},
    {"{" C ",'phases':{'aaaaaaaaaaaaaaaaaaaaaaaa':60}}", "clock.phases.aaaaaaaaaaaaaaaaaaaaaaaa"},
    {"{" C ",'phases':{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,'i':1}}", "clock.phases"},
    {"{" L ",'zone':'UTC'}", "clock.zone"},
    {"{" L ",'days':['mon']}", "clock.days"},
    {"{" L ",'hours':['08:00','23:00']}", "clock.hours"},
    {"{" L ",'at':'23:55'}", "clock.at"},
    {"{" L ",'min_gap_s':60}", "clock.min_gap_s"},
    {"{" L ",'sleep':true}", "clock.sleep"},
    {"{" L ",'vacation_days':0}", "clock.vacation_days"},
    {"{" C ",'zone':'Europe/Waterloo'}", "clock.zone"},
    {"{" C ",'zone':'CET-1CEST'}", "clock.zone"},
    {"{" C ",'zone':60}", "clock.zone"},
    {"{" C ",'days':['mon']}", "clock.zone"},
    {"{" C ",'hours':['08:00','23:00']}", "clock.zone"},
    {"{" C ",'at':'23:55'}", "clock.zone"},
    {"{" Z ",'days':[]}", "clock.days"},
    {"{" Z ",'days':['monday']}", "clock.days"},
    {"{" Z ",'days':['mon','mon']}", "clock.days"},
    {"{" Z ",'days':'mon'}", "clock.days"},
    {"{" Z ",'days':[1]}", "clock.days"},
    {"{" Z ",'hours':['08:00']}", "clock.hours"},
    {"{" Z ",'hours':['08:00','23:00','24:00']}", "clock.hours"},
    {"{" Z ",'hours':['8:00','23:00']}", "clock.hours"},
    {"{" Z ",'hours':['08:60','23:00']}", "clock.hours"},
    {"{" Z ",'hours':['24:00','23:00']}", "clock.hours"},
    {"{" Z ",'hours':['08:00','24:01']}", "clock.hours"},
    {"{" Z ",'hours':['08:00','08:00']}", "clock.hours"},
    {"{" Z ",'hours':['08:00','08:59']}", "clock.hours"},
    {"{" Z ",'hours':[480,1380]}", "clock.hours"},
    {"{" Z ",'hours':['08:00','19:59'],'sleep':true}", "clock.hours"},
    {"{" Z ",'at':'24:00'}", "clock.at"},
    {"{" Z ",'at':'2355'}", "clock.at"},
    {"{" Z ",'at':'23:5x'}", "clock.at"},
    {"{" Z ",'at':'23:55','hours':['08:00','23:59']}", "clock.at"},
    {"{" Z ",'at':'23:55','min_gap_s':2592001}", "clock.min_gap_s"},
    {"{" C ",'min_gap_s':60}", "clock.min_gap_s"},
    {"{" C ",'sleep':1}", "clock.sleep"},
    {"{" C ",'vacation_days':183}", "clock.vacation_days"},
    {"{" C ",'vacation_days':-1}", "clock.vacation_days"},
    {"{" Z ",'days':['sun'],'vacation_days':27}", "clock.vacation_days"},
    {"{" C ",'pauses':'none'}", "clock.pauses"},
    {"{" C ",'pauses':{}}", "clock.pauses.policy"},
    {"{" C ",'pauses':{'policy':'some'}}", "clock.pauses.policy"},
    {"{" C ",'pauses':{'policy':'free','cap':1}}", "clock.pauses.cap"},
    {"{" C ",'pauses':{'policy':'capped'}}", "clock.pauses.cap_s"},
    {"{" C ",'pauses':{'policy':'free','cap_s':60}}", "clock.pauses.cap_s"},
    {"{" C ",'pauses':{'policy':'capped','cap_s':59}}", "clock.pauses.cap_s"},
    {"{" C ",'pauses':{'policy':'capped','cap_s':31622401}}", "clock.pauses.cap_s"},
    {"{" C ",'ladder':[]}", "clock.ladder"},
    {"{" C ",'ladder':{'grace':1}}", "clock.ladder.grace"},
    {"{" C ",'ladder':{'remind_s':60}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'remind_s':[0]}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'remind_s':[2592001]}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'remind_s':[60,60]}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'remind_s':['60']}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'remind_s':[1,2,3,4,5]}}", "clock.ladder.remind_s"},
    {"{" C ",'ladder':{'grace_s':-1}}", "clock.ladder.grace_s"},
    {"{" C ",'ladder':{'grace_s':2592001}}", "clock.ladder.grace_s"},
    {"{" C ",'ladder':{'misses':21}}", "clock.ladder.misses"},
    {"{" C ",'ladder':{'misses':-1}}", "clock.ladder.misses"},
    {"{" C ",'ladder':{'again_s':60}}", "clock.ladder.again_s"},
    {"{" C ",'ladder':{'misses':1,'again_s':59}}", "clock.ladder.again_s"},
    {"{" C ",'ladder':{'misses':1,'again_s':5184001}}", "clock.ladder.again_s"},
    {"{" C ",'ladder':{'then':'resign'}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':1}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':['claim']}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'claim','for_s':60}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'claim'},{'do':'forfeit'}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'claim','for_s':59},{'do':'forfeit'}]}}",
     "clock.ladder.then.for_s"},
    {"{" C ",'ladder':{'then':[{'do':'claim','for_s':31622401},{'do':'forfeit'}]}}",
     "clock.ladder.then.for_s"},
    {"{" C ",'ladder':{'then':[{'do':'shoot'}]}}", "clock.ladder.then.do"},
    {"{" C ",'ladder':{'then':[{'do':'claim','or':1}]}}", "clock.ladder.then.or"},
    {"{" C ",'ladder':{'then':[{'do':'claim','for_s':60},{'do':'claim'}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'forfeit','for_s':60},{'do':'claim'}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'annul','for_s':60},{'do':'claim'}]}}", "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'caretaker','for_s':60},{'do':'claim'}]}}",
     "clock.ladder.then"},
    {"{" C ",'ladder':{'then':[{'do':'claim','for_s':60},{'do':'substitute','for_s':60},{'do':"
     "'ally','for_s':60},{'do':'caretaker','for_s':60},{'do':'forfeit'}]}}",
     "clock.ladder.then"},
    {"{" C ",'ladder':{'then':'forfeit','claims':['win']}}", "clock.ladder.claims"},
    {"{" C ",'ladder':{'claims':[]}}", "clock.ladder.claims"},
    {"{" C ",'ladder':{'claims':['lose']}}", "clock.ladder.claims"},
    {"{" C ",'ladder':{'claims':['win','win']}}", "clock.ladder.claims"},
    {"{" C ",'ladder':{'claims':['win'],'grant_s':60}}", "clock.ladder.grant_s"},
    {"{" C ",'ladder':{'grant_s':59}}", "clock.ladder.grant_s"},
    {"{" C ",'ladder':{'grant_s':31622401}}", "clock.ladder.grant_s"},
    {"{" C ",'ladder':{'fresh_s':-1}}", "clock.ladder.fresh_s"},
    {"{" C ",'ladder':{'fresh_s':31622401}}", "clock.ladder.fresh_s"},
    {"{" C ",'ladder':{'draft':'send'}}", "clock.ladder.draft"},
    /* An hour a week: it would take 366 x 168 hours a week each. */
    {"{" Z ",'bank_s':31622400,'days':['sun'],'hours':['08:00','09:00']}", "clock.bank_s"},
    {"{" C ",'bank_s':1.5}", "bank_s"},
    {"{" C ",'bank_s':1,'bank_s':2}", "bank_s"},
    {"{" C ",'bank_s':null}", "bank_s"},
    {"{" C, "clock"},
};

START_TEST(whatever_is_wrong_is_named)
{
    for (size_t i = 0; i < COUNT(wrong_rows); i++) {
        struct clock_spec spec;
        struct why why;
        memset(&spec, 0x5a, sizeof spec);
        const struct clock_spec before = spec;
        const enum err err = read_spec(wrong_rows[i].spec, 3, &spec, &why);
        ck_assert_msg(err == ERR_INVALID_PARAMS, "%s is taken", wrong_rows[i].spec);
        ck_assert_msg(strcmp(why.member, wrong_rows[i].member) == 0, "%s: %s (%s), not %s",
                      wrong_rows[i].spec, why.member, why.text, wrong_rows[i].member);
        ck_assert(why.text[0] != '\0');
        ck_assert_mem_eq(&spec, &before, sizeof spec);
    }
}
END_TEST

/* Each bound of the grammar is good. */
START_TEST(bounds_are_good_themselves)
{
    static const char *const good[] = {
        "{" L ",'bank_s':1,'increment_s':0}",
        "{" L ",'bank_s':86400,'bank_max_s':31622400,'increment_s':3600,'per_move_s':86400}",
        "{" C ",'bank_s':31622400,'increment_s':2592000,'per_move_s':5184000}",
        "{" C ",'bank_s':0,'per_move_s':1}",
        "{" C
        ",'phases':{'a':0,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'aaaaaaaaaaaaaaaaaaaaaaa':5184000}}",
        "{" Z ",'days':['sun'],'hours':['23:00','24:00'],'bank_s':86400}",
        "{" Z ",'hours':['20:00','08:00'],'sleep':true}",
        "{" Z ",'at':'00:00','min_gap_s':2592000}",
        "{" C ",'vacation_days':182}",
        "{" Z ",'days':['sun'],'vacation_days':26}",
        "{" C ",'pauses':{'policy':'none'}}",
        "{" C ",'pauses':{'policy':'capped','cap_s':60}}",
        "{" C
        ",'ladder':{'remind_s':[1,2,3,2592000],'grace_s':2592000,'misses':20,'again_s':5184000,"
        "'grant_s':31622400,'fresh_s':31622400}}",
        "{" C
        ",'ladder':{'then':[{'do':'claim','for_s':31622400},{'do':'substitute','for_s':60},{'do':"
        "'ally','for_s':60},{'do':'annul'}]}}",
    };
    for (size_t i = 0; i < COUNT(good); i++) {
        (void)kit_spec(good[i], 3);
    }
}
END_TEST

START_TEST(what_the_match_has_not_is_refused)
{
    static const char *const phases[] = {"move", "combat", NULL};
    struct clock_spec spec;
    struct why why;
    ck_assert_int_eq(read_spec("{" C ",'ladder':{'then':'ally'}}", 2, &spec, &why),
                     ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "clock.ladder.then");
    (void)kit_spec("{" C ",'ladder':{'then':'ally'}}", 3);
    cJSON *json = NULL;
    static const char text[] = "{\"kind\":\"live\",\"phases\":{\"bluff\":60}}";
    ck_assert_int_eq(json_parse(text, sizeof text - 1, &json), ERR_OK);
    ck_assert_int_eq(clock_spec_parse(json, 2, phases, &spec, &why), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "clock.phases.bluff");
    cJSON_Delete(json);
    ck_assert_uint_eq(clock_claim_bit("grant"), CLOCK_CLAIM_GRANT);
    ck_assert_uint_eq(clock_claim_bit("lose"), 0);
    ck_assert_str_eq(clock_do_name(CLOCK_DO_CARETAKER), "caretaker");
}
END_TEST

/* --- calendars -------------------------------------------------------------------------------- */

static enum err read_calendar(const char *zone, const char *sleep, const char *vacation,
                              struct clock_calendar *out, struct why *why)
{
    char text[4096];
    cJSON *night = NULL, *away = NULL;
    why_clear(why);
    if (sleep != NULL) {
        unquote(sleep, text, sizeof text);
        ck_assert_int_eq(json_parse(text, strlen(text), &night), ERR_OK);
    }
    if (vacation != NULL) {
        unquote(vacation, text, sizeof text);
        ck_assert_int_eq(json_parse(text, strlen(text), &away), ERR_OK);
    }
    const enum err err = clock_calendar_parse(zone, night, away, out, why);
    cJSON_Delete(night);
    cJSON_Delete(away);
    return err;
}

START_TEST(a_calendar_is_read_sorted_and_written)
{
    struct clock_calendar calendar;
    struct why why;
    struct buf out;
    char want[512];
    ck_assert_int_eq(read_calendar("Asia/Kathmandu", "{'from':'23:00','to':'07:00'}",
                                   "[{'from':'2026-12-24','to':'2027-01-02'},{'from':'2026-07-01',"
                                   "'to':'2026-07-01'}]",
                                   &calendar, &why),
                     ERR_OK);
    buf_init(&out, 4096);
    clock_calendar_write(&calendar, &out);
    unquote("'timezone':'Asia/Kathmandu','sleep':{'from':'23:00','to':'07:00'},'vacation':[{'from':"
            "'2026-07-01','to':'2026-07-01'},{'from':'2026-12-24','to':'2027-01-02'}]",
            want, sizeof want);
    ck_assert_str_eq(buf_str(&out), want);
    ck_assert_int_eq(read_calendar(NULL, NULL, NULL, &calendar, &why), ERR_OK);
    buf_reset(&out);
    clock_calendar_write(&calendar, &out);
    ck_assert_str_eq(buf_str(&out), "\"timezone\":\"UTC\",\"vacation\":[]");
    buf_finish(&out);
}
END_TEST

static const struct calendar_row {
    const char *zone, *sleep, *vacation, *member;
} calendar_rows[] = {
    {"Europe/Waterloo", NULL, NULL, "timezone"},
    {"", NULL, NULL, "timezone"},
    {NULL, "'23:00-07:00'", NULL, "sleep"},
    {NULL, "{'from':'23:00'}", NULL, "sleep.to"},
    {NULL, "{'to':'23:00'}", NULL, "sleep.from"},
    {NULL, "{'from':'23:00','to':'7:00'}", NULL, "sleep.to"},
    {NULL, "{'from':'24:00','to':'07:00'}", NULL, "sleep.from"},
    {NULL, "{'from':'23:00','to':'23:00'}", NULL, "sleep.to"},
    {NULL, "{'from':'21:00','to':'07:01'}", NULL, "sleep.to"},
    {NULL, "{'from':'23:00','to':'07:00','zone':'UTC'}", NULL, "sleep.zone"},
    {NULL, NULL, "{}", "vacation"},
    {NULL, NULL, "['2026-07-01']", "vacation"},
    {NULL, NULL, "[{'from':'2026-07-01'}]", "vacation.to"},
    {NULL, NULL, "[{'from':'2026-02-29','to':'2026-03-01'}]", "vacation.from"},
    {NULL, NULL, "[{'from':'2026-07-01','to':'2026-13-01'}]", "vacation.to"},
    {NULL, NULL, "[{'from':'2026-07-02','to':'2026-07-01'}]", "vacation.to"},
    {NULL, NULL, "[{'from':'2026-01-01','to':'2027-01-02'}]", "vacation.to"},
    {NULL, NULL,
     "[{'from':'2026-07-01','to':'2026-07-09'},{'from':'2026-07-09','to':'2026-07-10'}]",
     "vacation"},
    {NULL, NULL, "[{'from':'2026-07-01','to':'2026-07-02','days':2}]", "vacation.days"},
};

START_TEST(a_calendar_that_is_wrong_is_refused_by_its_member)
{
    struct clock_calendar calendar;
    struct why why;
    for (size_t i = 0; i < COUNT(calendar_rows); i++) {
        const struct calendar_row *row = &calendar_rows[i];
        ck_assert_int_eq(read_calendar(row->zone, row->sleep, row->vacation, &calendar, &why),
                         ERR_INVALID_PARAMS);
        ck_assert_str_eq(why.member, row->member);
    }
    char many[4096] = "[";
    for (unsigned i = 0; i <= CLOCK_VACATIONS_MAX; i++) {
        const size_t n = strlen(many);
        snprintf(many + n, sizeof many - n, "%s{'from':'2026-07-%02u','to':'2026-07-%02u'}",
                 i > 0 ? "," : "", i + 1, i + 1);
        if (i + 1 == CLOCK_VACATIONS_MAX) {
            many[strlen(many) + 1] = '\0';
            many[strlen(many)] = ']';
            ck_assert_int_eq(read_calendar(NULL, NULL, many, &calendar, &why), ERR_OK);
            many[strlen(many) - 1] = '\0';
        }
    }
    strcat(many, "]");
    ck_assert_int_eq(read_calendar(NULL, NULL, many, &calendar, &why), ERR_INVALID_PARAMS);
    ck_assert_str_eq(why.member, "vacation");
    ck_assert_int_eq(read_calendar(NULL, "{'from':'21:00','to':'07:00'}",
                                   "[{'from':'2028-01-01','to':'2028-12-31'}]", &calendar, &why),
                     ERR_OK); /* ten hours, a leap year */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock_spec");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, every_member_has_a_default_that_is_written_out);
    tcase_add_test(tcase, the_whole_ladder_in_its_normal_form);
    tcase_add_test(tcase, all_days_and_all_hours_are_none_at_all);
    tcase_add_test(tcase, whatever_is_wrong_is_named);
    tcase_add_test(tcase, bounds_are_good_themselves);
    tcase_add_test(tcase, what_the_match_has_not_is_refused);
    tcase_add_test(tcase, a_calendar_is_read_sorted_and_written);
    tcase_add_test(tcase, a_calendar_that_is_wrong_is_refused_by_its_member);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
