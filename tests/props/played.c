/* tests/props/played.c: `played GAME FOLDER SEED COUNT OPTIONS` plays that many matches at random,
 * by the action forms and the rules alone, and writes each as the record that a host would have
 * made of it: FOLDER/SEED.jsonl, FOLDER/SEED+1.jsonl, .. tests/record/played.py runs it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "tests/props/kit.h"

enum { LINES_MOST = 20000, RECORD_BYTES_MAX = 64 << 20 };

/* A record that is being written. */
struct writer {
    struct kit kit;
    FILE *file;
    char match[16];
    struct hash secret, head, key, mask_key;
    struct hash nonces[SEATS_MAX], nonce_commits[SEATS_MAX];
    bool with_nonces;
    uint64_t n;
    int64_t at;
    struct buf line, marks, text;
    cJSON *forms; /* of forms_seat, picked from again so often */
    unsigned forms_seat, again;
};

static void fill(struct hash *hash, uint64_t *random)
{
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        hash->bytes[i] = (uint8_t)draw_next(random);
    }
}

/* The match's name, secret and nonces from its seed; every other match has none. */
static void make_secrets(struct writer *w)
{
    uint64_t random = w->kit.seed ^ UINT64_C(0x7ec07d);
    static const char letters[] = "abcdefghjkmnpqrstvwxyz23456789";
    for (unsigned i = 0; i < 10; i++) {
        w->match[i] = letters[draw_below(&random, sizeof letters - 1)];
    }
    const struct hash *nonces[SEATS_MAX] = {NULL};
    fill(&w->secret, &random);
    w->with_nonces = w->kit.seed % 2 != 0;
    for (unsigned i = 0; i < w->kit.seats; i++) {
        fill(&w->nonces[i], &random);
        dice_nonce_commitment(&w->nonces[i], &w->nonce_commits[i]);
        nonces[i] = w->with_nonces ? &w->nonces[i] : NULL;
    }
    dice_key(w->match, &w->secret, w->kit.seats, w->kit.codes, nonces, &w->key);
    dice_mask_key(w->match, &w->secret, &w->mask_key);
}

/* The line in hand joins the file and the chain. */
static void end_line(struct writer *w)
{
    struct hash before = w->head;
    ck_assert_msg(!w->line.failed && w->line.len <= LINE_BYTES_MAX, "a line is too long");
    line_head(w->match, &w->secret, w->n, &before, w->line.data, w->line.len, &w->head);
    line_append_mark(&w->marks, &w->head);
    buf_append_char(&w->line, '\n');
    ck_assert_msg(fwrite(w->line.data, 1, w->line.len, w->file) == w->line.len, "no room");
    buf_reset(&w->line);
    w->n++;
    w->at += 1000;
}

static void write_head(struct writer *w)
{
    struct line_header header = {.match = w->match,
                                 .game = w->kit.game->name,
                                 .rules = w->kit.game->rules_now,
                                 .seats = w->kit.seats,
                                 .at = w->at};
    struct hash commit;
    buf_reset(&w->text);
    jw_value(&w->text, w->kit.options);
    header.options = buf_str(&w->text);
    dice_commitment(w->match, &w->secret, &commit);
    header.commit = &commit;
    for (unsigned i = 0; i < w->kit.seats; i++) {
        header.codes[i] = w->kit.codes[i];
        if (w->with_nonces) { header.nonces[i] = &w->nonce_commits[i]; }
    }
    line_write_header(&w->line, &header);
    end_line(w);
    for (unsigned i = 0; w->with_nonces && i < w->kit.seats; i++) {
        line_write_nonce(&w->line, w->n, w->at, w->kit.codes[i], &w->nonces[i]);
        end_line(w);
    }
}

/* The game's create, with the draws of this match. */
static void write_begin(struct writer *w)
{
    struct kit *kit = &w->kit;
    dice_init(&kit->dice, &w->key, &w->mask_key, 1, 1);
    memset(kit->now, 0, kit->game->state_bytes);
    events_reset(&kit->events);
    ck_assert_msg(kit->game->create(kit->options, kit->game->rules_now, &kit->dice, kit->now,
                                    &kit->events, &kit->why) == ERR_OK,
                  "the match does not begin");
    line_write_begin(&w->line, w->n, w->at, &kit->dice);
    end_line(w);
    dice_next_line(&kit->dice);
}

/* Into w->text: the JSON in normal form. */
static void write_normal(struct writer *w, const char *text, size_t len)
{
    cJSON *json = NULL;
    buf_reset(&w->text);
    ck_assert_msg(json_parse(text, len, &json) == ERR_OK &&
                      json_normalise(json, &w->kit.why) == ERR_OK,
                  "no JSON");
    jw_value(&w->text, json);
    cJSON_Delete(json);
}

static void write_action(struct writer *w, unsigned seat, const char *action)
{
    write_normal(w, action, strlen(action));
    line_write_do(&w->line, w->n, w->at, w->kit.codes[seat], NULL, buf_str(&w->text), w->text.len,
                  &w->kit.dice_next);
    end_line(w);
}

/* A form drawn at random. Where the first has no choice in it, as what ends a movement, there are
 * hasty matches, by their seed, and thorough ones. */
static const cJSON *any_form(struct kit *kit, const cJSON *forms)
{
    static const unsigned one_in[] = {3, 8, 8, 40};
    unsigned n = (unsigned)cJSON_GetArraySize(forms);
    if (n == 1 || cJSON_GetArraySize(forms->child) != 1) {
        return cJSON_GetArrayItem(forms, (int)draw_below(&kit->random, n));
    }
    if (draw_below(&kit->random, one_in[kit->seed / 2 % 4]) == 0) { return forms->child; }
    return cJSON_GetArrayItem(forms, (int)(1 + draw_below(&kit->random, n - 1)));
}

/* One action of whoever may act. Forms are dear beside the rest of a line: those of the last line
 * serve again, a few times, while what is picked from them is still legal. */
static void play_line(struct writer *w)
{
    enum { AGAIN_MOST = 8 };
    struct kit *kit = &w->kit;
    unsigned seat = kit_any_seat(kit);
    bool again = w->forms != NULL && w->forms_seat == seat && w->again < AGAIN_MOST;
    char *action = NULL;
    if (again) {
        action = strdup(kit_pick(kit, any_form(kit, w->forms)));
        again = kit_try(kit, seat, action) == ERR_OK;
        w->again++;
    }
    if (!again) {
        free(action);
        cJSON_Delete(w->forms);
        w->forms = kit_forms(kit, seat);
        w->forms_seat = seat;
        w->again = 0;
        action = strdup(kit_pick(kit, any_form(kit, w->forms)));
        if (kit_try(kit, seat, action) != ERR_OK) {
            kit_fail(kit, seat, action, "an offered action was refused", NULL);
        }
    }
    const char *broken = kit->game->check(kit->next);
    if (broken != NULL) { kit_fail(kit, seat, action, "an invariant is broken", broken); }
    write_action(w, seat, action);
    kit_commit(kit, seat, action);
    free(action);
}

static void write_end(struct writer *w)
{
    struct buf result;
    buf_init(&result, LINE_BYTES_MAX);
    w->kit.game->result(w->kit.now, &result);
    write_normal(w, buf_str(&result), result.len);
    buf_finish(&result);
    struct line_host end = {
        .host = "end", .how = "rules", .to = -1, .ms = -1, .result = buf_str(&w->text)};
    line_write_host(&w->line, w->n, w->at, &end);
    end_line(w);
    line_write_key(&w->line, &w->secret, &w->head, buf_str(&w->marks));
    buf_append_char(&w->line, '\n');
    ck_assert_msg(fwrite(w->line.data, 1, w->line.len, w->file) == w->line.len, "no room");
}

/* Lines of the log that a match of this seed comes to. */
static uint64_t write_match(const char *game, const char *folder, uint64_t seed,
                            const char *options)
{
    struct writer w;
    char path[4096];
    memset(&w, 0, sizeof w);
    kit_begin(&w.kit, game, options, NULL, seed);
    (void)snprintf(path, sizeof path, "%s/%" PRIu64 ".jsonl", folder, seed);
    w.file = fopen(path, "wb");
    ck_assert_msg(w.file != NULL, "the record cannot be written");
    w.at = INT64_C(1796000000000);
    buf_init(&w.line, LINE_BYTES_MAX + 2);
    buf_init(&w.marks, RECORD_BYTES_MAX);
    buf_init(&w.text, LINE_BYTES_MAX);
    make_secrets(&w);
    write_head(&w);
    write_begin(&w);
    while (w.kit.game->to_act(w.kit.now) != 0) {
        play_line(&w);
        if (w.n > LINES_MOST) {
            kit_fail(&w.kit, SEATS_MAX, NULL, "random play does not end", NULL);
        }
    }
    write_end(&w);
    cJSON_Delete(w.forms);
    ck_assert_msg(fclose(w.file) == 0, "no room");
    buf_finish(&w.line);
    buf_finish(&w.marks);
    buf_finish(&w.text);
    kit_end(&w.kit);
    return w.n;
}

static char **args; /* of the command line */

START_TEST(plays)
{
    uint64_t first = strtoull(args[3], NULL, 10), count = strtoull(args[4], NULL, 10), lines = 0;
    for (uint64_t i = 0; i < count; i++) {
        lines += write_match(args[1], args[2], first + i, args[5]);
    }
    printf("%" PRIu64 " lines\n", lines);
}
END_TEST

/* The kit of the property tests reports by Check alone. */
int main(int argc, char **argv)
{
    if (argc != 6) {
        fputs("usage: played GAME FOLDER SEED COUNT OPTIONS\n", stderr);
        return 2;
    }
    args = argv;
    Suite *suite = suite_create("played");
    TCase *tcase = tcase_create("played");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, plays);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
