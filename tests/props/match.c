/* tests/props/match.c: see match.h. */
#include "tests/props/match.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

enum { FORMS_BYTES_MAX = 8192, WORDS_MAX = 20 };

static const struct match_game *game;
static unsigned matches = 100;
static uint64_t first_seed = 1;
/* Where the same matches are played elsewhere too (sanitizers): no property plays more than asked for, and they are taken from
 * here and there. */
static unsigned least = UINT_MAX, stride = 1;

unsigned match_count(struct match_share share)
{
    if (matches == 1) { return 1; } /* one seed is being looked at */
    unsigned min = share.min < least ? share.min : least;
    return matches / share.part > min ? matches / share.part : min;
}

uint64_t match_seed(unsigned i)
{
    return first_seed + (uint64_t)i * stride;
}

void match_begin(struct kit *kit, uint64_t seed)
{
    kit_begin(kit, game->name, game->options(seed), game->start(seed), seed);
}

bool match_is_over(const struct kit *kit)
{
    return kit->game->to_act(kit->now) == 0;
}

void match_must_end(const struct kit *kit)
{
    if (kit->count > game->lines_max) {
        kit_fail(kit, SEATS_MAX, NULL, "random play does not end", NULL);
    }
}

void match_must_accept(struct kit *kit, unsigned seat, const char *action)
{
    if (kit_try(kit, seat, action) != ERR_OK) {
        kit_fail(kit, seat, action, "an offered action was refused", NULL);
    }
    const char *broken = kit->game->check(kit->next);
    if (broken != NULL) { kit_fail(kit, seat, action, "an invariant is broken", broken); }
}

const char *match_pick(struct kit *kit, unsigned *out_seat)
{
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    if (cJSON_GetArraySize(forms) == 0) {
        kit_fail(kit, seat, NULL, "a seat that may act is offered nothing", NULL);
    }
    if (kit->forms.len > FORMS_BYTES_MAX) {
        kit_fail(kit, seat, NULL, "the forms are too large", buf_str(&kit->forms));
    }
    const char *action = kit_pick(kit, game->any_form(kit, forms));
    cJSON_Delete(forms);
    match_must_accept(kit, seat, action);
    *out_seat = seat;
    return action;
}

unsigned match_play_out(struct kit *kit, void (*each)(struct kit *kit))
{
    while (!match_is_over(kit)) {
        unsigned seat = 0;
        if (each != NULL) { each(kit); }
        const char *action = match_pick(kit, &seat);
        kit_commit(kit, seat, action);
        match_must_end(kit);
    }
    return kit->count;
}

double match_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool match_is_viewer(const struct kit *kit, unsigned viewer)
{
    return viewer < kit->seats || viewer == VIEWER_PUBLIC || viewer == VIEWER_ALL;
}

void match_look(const struct kit *kit, const struct state *s, unsigned viewer, struct buf *out)
{
    uint32_t to_act = 0, waits_for = 0;
    jw_object_begin(out);
    kit->game->view(s, viewer, out);
    if (viewer < kit->seats) {
        jw_key(out, "actions");
        kit->game->actions(s, viewer, out);
    }
    kit->game->shown(s, viewer, &to_act, &waits_for);
    jw_key_int(out, "shown_to_act", to_act);
    jw_key_int(out, "shown_waits_for", waits_for);
    jw_object_end(out);
}

void match_ask(const struct kit *kit, const struct state *s, unsigned viewer, const char *text,
               struct buf *out)
{
    cJSON *question = cJSON_Parse(text);
    struct why why;
    why_clear(&why);
    enum err err = kit->game->ask(s, viewer, question, out, &why);
    jw_int(out, err);
    jw_str(out, why.rule);
    jw_str(out, why.member);
    jw_str(out, why.text);
    cJSON_Delete(question);
}

/* ---- ends, replays ---- */

/* Lines played, by kind: a test of matches in which nobody ever fights would hold little. */
static void count_words(const char *line, unsigned counts[WORDS_MAX])
{
    for (unsigned w = 0; game->words[w] != NULL; w++) {
        counts[w] += game->is_word(line, game->words[w]);
    }
}

START_TEST(random_matches_end_and_replay_the_same)
{
    unsigned counts[WORDS_MAX] = {0}, longest = 0;
    uint64_t lines = 0;
    double played = 0;
    for (unsigned i = 0; i < matches; i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        double from = match_now_s();
        unsigned n = match_play_out(&kit, NULL);
        played += match_now_s() - from;
        lines += n;
        longest = n > longest ? n : longest;
        struct buf result;
        buf_init(&result, 1 << 12);
        kit.game->result(kit.now, &result);
        if (strstr(buf_str(&result), game->result) == NULL) {
            kit_fail(&kit, SEATS_MAX, NULL, "a result without what it must have", buf_str(&result));
        }
        buf_finish(&result);
        kit.count = 0; /* replayed from the options, the keys and the lines alone */
        kit_restart(&kit);
        for (unsigned k = 0; k < n; k++) {
            const struct kit_line line = kit.lines[k];
            match_must_accept(&kit, line.seat, line.text);
            if (kit_hash(&kit, kit.next) != line.after) {
                kit_fail(&kit, line.seat, line.text, "replay is not what was played", NULL);
            }
            struct state *old = kit.now;
            kit.now = kit.next;
            kit.next = old;
            kit.dice = kit.dice_next;
            dice_next_line(&kit.dice);
            count_words(line.text, counts);
        }
        ck_assert_uint_eq(kit.game->to_act(kit.now), 0);
        kit.count = n;
        kit_end(&kit);
    }
    for (unsigned w = 0; game->words[w] != NULL; w++) {
        printf("%s %u, ", game->words[w], counts[w]);
    }
    printf("\n%u matches, %llu lines, longest %u, %.0f lines/s with forms, pick, apply and check\n",
           matches, (unsigned long long)lines, longest, (double)lines / played);
}
END_TEST

/* Picks several times from every single form that every acting seat has. */
static void try_all_forms(struct kit *kit)
{
    if (draw_below(&kit->random, 4) != 0) { return; }
    for (unsigned seat = 0; seat < kit->seats; seat++) {
        if ((kit->game->to_act(kit->now) >> seat & 1U) == 0) { continue; }
        cJSON *forms = kit_forms(kit, seat);
        for (const cJSON *form = forms->child; form != NULL; form = form->next) {
            for (unsigned i = 0; i < game->picks; i++) {
                match_must_accept(kit, seat, kit_pick(kit, form));
            }
        }
        cJSON_Delete(forms);
    }
}

START_TEST(every_pick_from_every_form_is_accepted)
{
    for (unsigned i = 0; i < match_count(game->all_picks); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        match_play_out(&kit, try_all_forms);
        kit_end(&kit);
    }
}
END_TEST

/* ---- what a viewer is told ---- */

START_TEST(a_line_that_told_a_viewer_nothing_changes_nothing_for_it)
{
    unsigned quiet = 0, told = 0;
    for (unsigned i = 0; i < match_count(game->quiet); i++) {
        struct kit kit;
        struct buf before, after;
        match_begin(&kit, match_seed(i));
        buf_init(&before, MATCH_TEXT_MAX);
        buf_init(&after, MATCH_TEXT_MAX);
        while (!match_is_over(&kit)) {
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            for (unsigned v = 0; v < VIEWERS; v++) {
                if (!match_is_viewer(&kit, v)) { continue; }
                bool was_told = (kit.events.told >> v & 1U) != 0;
                *(was_told ? &told : &quiet) += 1;
                if (was_told) { continue; }
                buf_reset(&before);
                buf_reset(&after);
                match_look(&kit, kit.now, v, &before);
                match_look(&kit, kit.next, v, &after);
                if (strcmp(buf_str(&before), buf_str(&after)) != 0) {
                    printf("viewer %u\nbefore %s\nafter  %s\n", v, buf_str(&before),
                           buf_str(&after));
                    kit_fail(&kit, seat, action, "a view changed without an event", NULL);
                }
            }
            kit_commit(&kit, seat, action);
            match_must_end(&kit);
        }
        buf_finish(&before);
        buf_finish(&after);
        kit_end(&kit);
    }
    printf("%u lines told to a viewer, %u quiet for it\n", told, quiet);
    if (game->has_quiet_lines) { ck_assert_uint_gt(quiet, 0); }
}
END_TEST

/* ---- hostile actions ---- */

static unsigned mutants_refused, mutants_accepted;

/* Whether a refusal names the rule, or the member, that it is for. */
static bool is_cited(enum err err, const struct why *why)
{
    bool rule = why->rule[0] != '\0' && strchr(game->rules_begin, why->rule[0]) != NULL;
    if (err == ERR_NOT_YOUR_TURN) { return rule || !game->turn_is_cited; }
    return (err == ERR_ILLEGAL_ACTION && rule) ||
           (err == ERR_INVALID_PARAMS && why->member[0] != '\0');
}

/* A spoilt action is refused for a rule or a member, or it is a legal one by chance. */
static void try_mutants(struct kit *kit)
{
    if (draw_below(&kit->random, 2) != 0) { return; }
    unsigned seat = kit_any_seat(kit);
    cJSON *forms = kit_forms(kit, seat);
    uint64_t before = kit_hash(kit, kit->now);
    for (unsigned i = 0; i < game->mutants; i++) {
        const cJSON *of = game->mutant_form == NULL ? forms : game->mutant_form(kit, forms);
        cJSON *action = cJSON_Parse(kit_pick(kit, of));
        for (unsigned n = 1 + draw_below(&kit->random, 3); n > 0; n--) {
            game->mutate(kit, action);
        }
        char *text = cJSON_PrintUnformatted(action);
        unsigned as =
            draw_below(&kit->random, 8) == 0 ? draw_below(&kit->random, kit->seats) : seat;
        enum err err = kit_try(kit, as, text);
        const char *broken = err == ERR_OK ? kit->game->check(kit->next) : NULL;
        if (broken != NULL) {
            kit_fail(kit, as, text, "a spoilt action broke an invariant", broken);
        }
        if (err != ERR_OK && !is_cited(err, &kit->why)) {
            kit_fail(kit, as, text, "a refusal cites nothing", err_kind(err));
        }
        *(err == ERR_OK ? &mutants_accepted : &mutants_refused) += 1;
        free(text);
        cJSON_Delete(action);
    }
    ck_assert_uint_eq(before, kit_hash(kit, kit->now));
    cJSON_Delete(forms);
}

START_TEST(a_spoilt_action_is_refused_with_its_rule_or_legal)
{
    for (unsigned i = 0; i < match_count(game->spoilt); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        match_play_out(&kit, try_mutants);
        kit_end(&kit);
    }
    printf("%u spoilt actions refused, %u legal by chance\n", mutants_refused, mutants_accepted);
    ck_assert_uint_gt(mutants_refused, 100);
}
END_TEST

/* ---- twins ---- */

struct pair {
    struct state *twin;
    cJSON *names;
    unsigned viewer;
    struct buf here, there, renamed;
};

/* The action with the ids that its seat's pieces have in the twin. */
static void rename_units(const char *action, const cJSON *names, struct buf *out)
{
    buf_reset(out);
    for (const char *at = action; *at != '\0';) {
        const char *end = *at == '"' ? strchr(at + 1, '"') : NULL;
        if (end == NULL) {
            buf_append_char(out, *at++);
            continue;
        }
        char id[64];
        snprintf(id, sizeof id, "%.*s", (int)(end - at - 1), at + 1);
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(names, id);
        buf_append_char(out, '"');
        buf_append_str(out, name == NULL ? id : name->valuestring);
        buf_append_char(out, '"');
        at = end + 1;
    }
}

static void pair_begin(struct kit *kit, unsigned viewer, struct pair *pair)
{
    struct dice dice = kit->dice;
    memset(pair, 0, sizeof *pair);
    pair->viewer = viewer;
    pair->twin = calloc(1, kit->game->state_bytes);
    buf_init(&pair->here, MATCH_TEXT_MAX);
    buf_init(&pair->there, MATCH_TEXT_MAX);
    buf_init(&pair->renamed, MATCH_TEXT_MAX);
    dice.mask = draw_next(&kit->random) >> 8;
    kit->game->twin(kit->now, viewer, &dice, pair->twin, &pair->renamed);
    ck_assert_int_eq(json_parse(buf_str(&pair->renamed), pair->renamed.len, &pair->names), ERR_OK);
    const char *broken = kit->game->check(pair->twin);
    if (broken != NULL) { kit_fail(kit, viewer, NULL, "a twin breaks an invariant", broken); }
}

static void pair_end(struct pair *pair)
{
    free(pair->twin);
    cJSON_Delete(pair->names);
    buf_finish(&pair->here);
    buf_finish(&pair->there);
    buf_finish(&pair->renamed);
}

static void must_look_alike(struct kit *kit, struct pair *pair, const char *action)
{
    buf_reset(&pair->here);
    buf_reset(&pair->there);
    match_look(kit, kit->now, pair->viewer, &pair->here);
    match_look(kit, pair->twin, pair->viewer, &pair->there);
    game->ask(kit, kit->now, pair->viewer, &pair->here);
    game->ask(kit, pair->twin, pair->viewer, &pair->there);
    if (strcmp(buf_str(&pair->here), buf_str(&pair->there)) != 0) {
        printf("here  %s\nthere %s\n", buf_str(&pair->here), buf_str(&pair->there));
        kit_fail(kit, pair->viewer, action, "a viewer can tell twins apart", NULL);
    }
}

/* Whether an action is refused, and in what words, never depends on what its seat may not know. */
static void must_refuse_alike(struct kit *kit, struct pair *pair)
{
    unsigned seat = pair->viewer;
    if (seat >= kit->seats || (kit->game->to_act(kit->now) >> seat & 1U) == 0) { return; }
    cJSON *forms = kit_forms(kit, seat);
    for (unsigned i = 0; i < 8; i++) {
        cJSON *action = cJSON_Parse(kit_pick(kit, forms));
        for (unsigned n = draw_below(&kit->random, 3); n > 0; n--) {
            game->mutate(kit, action);
        }
        char *text = cJSON_PrintUnformatted(action);
        enum err here = kit_try(kit, seat, text);
        struct why why = kit->why;
        bool sealed = kit->events.sealed || dice_was_drawn(&kit->dice_next);
        enum err there = kit_try_on(kit, pair->twin, seat, text);
        if (here != there || memcmp(&why, &kit->why, sizeof why) != 0) {
            kit_fail(kit, seat, text, "a refusal tells twins apart", why.text);
        }
        /* A list that goes on after a sealed action is refused, and a try says so (PROTOCOL 4). */
        if (sealed != (kit->events.sealed || dice_was_drawn(&kit->dice_next))) {
            kit_fail(kit, seat, text, "what seals tells twins apart", NULL);
        }
        free(text);
        cJSON_Delete(action);
    }
    cJSON_Delete(forms);
}

START_TEST(twins_look_alike_and_refuse_alike)
{
    unsigned twins = 0, moved = 0;
    for (unsigned i = 0; i < match_count(game->twins); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        while (!match_is_over(&kit)) {
            for (unsigned v = 0; v <= VIEWER_PUBLIC; v++) {
                if (!match_is_viewer(&kit, v) || draw_below(&kit.random, 16) != 0) { continue; }
                struct pair pair;
                pair_begin(&kit, v, &pair);
                must_look_alike(&kit, &pair, NULL);
                must_refuse_alike(&kit, &pair);
                twins++;
                moved += (unsigned)cJSON_GetArraySize(pair.names);
                pair_end(&pair);
            }
            unsigned seat = 0;
            const char *action = match_pick(&kit, &seat);
            kit_commit(&kit, seat, action);
            match_must_end(&kit);
        }
        kit_end(&kit);
    }
    printf("%u twins, %u pieces under other names\n", twins, moved);
    ck_assert_uint_gt(moved, twins);
}
END_TEST

/* Plays the match and its twin side by side: true while the viewer must not tell them apart. */
static bool pair_line(struct kit *kit, struct pair *pair, struct state *scratch)
{
    unsigned seat = 0;
    const char *action = match_pick(kit, &seat);
    bool told = (kit->events.told >> pair->viewer & 1U) != 0;
    bool reveals = (kit->events.reveals >> pair->viewer & 1U) != 0;
    buf_reset(&pair->here);
    events_write(&kit->events, pair->viewer, &pair->here);
    memcpy(scratch, kit->next, kit->game->state_bytes);
    struct dice dice = kit->dice_next;
    rename_units(action, pair->names, &pair->renamed);
    if (game->rewrite != NULL) { game->rewrite(kit, pair->viewer, seat, &pair->renamed); }
    if (kit_try_on(kit, pair->twin, seat, buf_str(&pair->renamed)) != ERR_OK) {
        /* Impossible there: the pair ends, the match goes on without it. */
        match_must_accept(kit, seat, action);
        kit_commit(kit, seat, action);
        return false;
    }
    memcpy(pair->twin, kit->next, kit->game->state_bytes);
    reveals = reveals || (kit->events.reveals >> pair->viewer & 1U) != 0;
    bool told_there = (kit->events.told >> pair->viewer & 1U) != 0;
    buf_reset(&pair->there);
    events_write(&kit->events, pair->viewer, &pair->there);
    bool same = strcmp(buf_str(&pair->here), buf_str(&pair->there)) == 0 && told == told_there;
    if (!reveals && !same) {
        printf("here  %s\nthere %s\n", buf_str(&pair->here), buf_str(&pair->there));
        kit_fail(kit, pair->viewer, action, "twins tell their viewer different things", NULL);
    }
    memcpy(kit->next, scratch, kit->game->state_bytes);
    kit->dice_next = dice;
    kit_commit(kit, seat, action);
    if (reveals) { return false; }
    must_look_alike(kit, pair, action);
    return true;
}

START_TEST(twins_play_alike_until_something_is_revealed)
{
    unsigned pairs = 0, lines = 0;
    for (unsigned i = 0; i < match_count(game->twins); i++) {
        struct kit kit;
        match_begin(&kit, match_seed(i));
        struct state *scratch = calloc(1, kit.game->state_bytes);
        while (!match_is_over(&kit)) {
            unsigned viewer = draw_below(&kit.random, kit.seats + 1);
            struct pair pair;
            pair_begin(&kit, viewer == kit.seats ? VIEWER_PUBLIC : viewer, &pair);
            pairs++;
            for (unsigned n = 0; n < 60 && !match_is_over(&kit); n++) {
                lines++;
                if (!pair_line(&kit, &pair, scratch)) { break; }
            }
            pair_end(&pair);
            match_must_end(&kit);
        }
        free(scratch);
        kit_end(&kit);
    }
    printf("%u pairs of twins, %u lines side by side\n", pairs, lines);
}
END_TEST

/* ---- caretakers ---- */

/* The caretaker plays some seats, or takes the place of one for a line now and then, chance plays
 * the rest: always legal, and the match ends. */
START_TEST(a_caretaker_always_has_a_legal_action)
{
    for (unsigned i = 0; i < match_count(game->kept); i++) {
        struct kit kit;
        struct buf action;
        buf_init(&action, 1 << 16);
        match_begin(&kit, match_seed(i));
        unsigned kept = draw_below(&kit.random, 1U << kit.seats);
        while (!match_is_over(&kit)) {
            unsigned seat = kit_any_seat(&kit);
            if ((kept >> seat & 1U) != 0 || draw_below(&kit.random, 4) == 0) {
                buf_reset(&action);
                enum err err = kit.game->obey(kit.now, seat, NULL, &action);
                if (err != ERR_OK) {
                    kit_fail(&kit, seat, NULL, "a caretaker knows nothing to do", err_kind(err));
                }
                match_must_accept(&kit, seat, buf_str(&action));
                kit_commit(&kit, seat, buf_str(&action));
            } else {
                const char *picked = match_pick(&kit, &seat);
                kit_commit(&kit, seat, picked);
            }
            match_must_end(&kit);
        }
        buf_finish(&action);
        kit_end(&kit);
    }
}
END_TEST

static TCase *shared_tests(void)
{
    TCase *tests = tcase_create(game->name);
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, random_matches_end_and_replay_the_same);
    tcase_add_test(tests, every_pick_from_every_form_is_accepted);
    tcase_add_test(tests, a_line_that_told_a_viewer_nothing_changes_nothing_for_it);
    tcase_add_test(tests, a_spoilt_action_is_refused_with_its_rule_or_legal);
    tcase_add_test(tests, twins_look_alike_and_refuse_alike);
    tcase_add_test(tests, twins_play_alike_until_something_is_revealed);
    tcase_add_test(tests, a_caretaker_always_has_a_legal_action);
    return tests;
}

int match_main(const struct match_game *of)
{
    game = of;
    const char *env = getenv("VEDETTE_MATCHES");
    if (env != NULL) { matches = (unsigned)strtoul(env, NULL, 10); }
    if (matches == 0) { matches = 1; }
    env = getenv("VEDETTE_SEED");
    if (env != NULL) { first_seed = strtoull(env, NULL, 10); }
    env = getenv("VEDETTE_LEAST");
    if (env != NULL) {
        least = (unsigned)strtoul(env, NULL, 10);
        stride = 7; /* prime to the number of sets of options and to that of beginnings */
    }
    printf("seed %llu, %u matches\n", (unsigned long long)first_seed, matches);
    fflush(stdout);
    char name[64];
    snprintf(name, sizeof name, "random matches of %s", game->name);
    Suite *suite = suite_create(name);
    TCase *tests = shared_tests();
    game->add(tests);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
