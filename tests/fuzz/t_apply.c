/* tests/fuzz/t_apply.c: actions, questions and standing orders of a hostile seat in states of
 * random matches. An input is a line {"state":N,"seat":N} and lines that are actions; a line
 * {"ask":..} is a question,
 * {"obey":..} an order (true: the caretaker's), {"leave":N} lets a seat leave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/game.h"

static const struct game *game;
static struct buf text;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    game = game_find(FUZZ_GAME);
    buf_init(&text, 4 << 20);
    game_open(2, 7);
    return 0;
}

static void ask(const struct state *state, unsigned viewer, const cJSON *question)
{
    struct why why;
    why_clear(&why);
    buf_reset(&text);
    const enum err err = game->ask(state, viewer, question, &text, &why);
    fuzz_feature_text(300U + (unsigned)err, why.text);
    if (err == ERR_OK) {
        cJSON *answer = game_json(buf_str(&text), text.len);
        FUZZ_MUST(answer != NULL && !text.failed, buf_str(&text));
        cJSON_Delete(answer);
    }
}

/* What orders make must be accepted. */
static void obey(struct state *state, unsigned seat, const cJSON *orders)
{
    buf_reset(&text);
    const enum err err = game->obey(state, seat, cJSON_IsTrue(orders) ? NULL : orders, &text);
    fuzz_feature(400U + (unsigned)err);
    if (err != ERR_OK) { return; }
    cJSON *action = game_json(buf_str(&text), text.len);
    FUZZ_MUST(action != NULL && !text.failed, buf_str(&text));
    char *said = cJSON_PrintUnformatted(action);
    FUZZ_MUST(game_apply(game, state, seat, action, 5) == ERR_OK, said);
    free(said);
    cJSON_Delete(action);
}

static void leave(struct state *state, unsigned seat, enum leave how)
{
    static struct events events;
    static struct dice dice;
    const struct hash key = {{3}};
    if (events.text.max == 0) { events_init(&events); }
    events_reset(&events);
    dice_init(&dice, &key, &key, 1, 1);
    struct state *work = malloc(game->state_bytes);
    FUZZ_MUST(work != NULL, "memory");
    memcpy(work, state, game->state_bytes);
    const enum err err = game->leave(work, seat, how, &dice, &events);
    fuzz_feature(500U + (unsigned)err);
    if (err == ERR_OK) {
        FUZZ_MUST(!events.failed && !dice.exhausted, "bounds of one line");
        memcpy(state, work, game->state_bytes);
    }
    free(work);
}

static unsigned number(const cJSON *json, const char *name, unsigned below)
{
    const cJSON *item = json_get(json, name);
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 1e9) { return 0; }
    return (unsigned)item->valuedouble % below;
}

static void play_line(struct state *state, unsigned seats, unsigned seat, const cJSON *json)
{
    if (json_get(json, "ask") != NULL) {
        for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
            if (viewer < seats || viewer >= SEATS_MAX) {
                ask(state, viewer, json_get(json, "ask"));
            }
        }
    } else if (json_get(json, "obey") != NULL) {
        obey(state, seat, json_get(json, "obey"));
    } else if (json_get(json, "leave") != NULL) {
        leave(state, number(json, "leave", seats), (enum leave)number(json, "how", 3));
    } else {
        (void)game_apply(game, state, seat, json, 11);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data, *end = at + size;
    const struct fuzz_state *from = &fuzz_states[0];
    struct state *state = malloc(game->state_bytes);
    unsigned seat = 0, lines = 0;
    FUZZ_MUST(state != NULL, "memory");
    memcpy(state, from->state, game->state_bytes);
    while (at < end && lines < 16) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) { stop = end; }
        cJSON *json = game_json(at, (size_t)(stop - at));
        if (json != NULL && lines == 0) {
            from = &fuzz_states[number(json, "state", fuzz_state_count)];
            seat = number(json, "seat", from->seats);
            memcpy(state, from->state, game->state_bytes);
        } else if (json != NULL) {
            play_line(state, from->seats, seat, json);
        }
        cJSON_Delete(json);
        lines++;
        at = stop + 1;
    }
    if (memcmp(state, from->state, game->state_bytes) != 0) {
        cJSON *options = game_json(from->options, strlen(from->options));
        FUZZ_MUST(game->check(state) == NULL, game->check(state));
        if (size % 4 == 0) { game_must_hold(game, options, from->seats, state); }
        game_play_on(game, options, from->seats, state, 2, size);
        cJSON_Delete(options);
    }
    free(state);
    return 0;
}

static unsigned below(void *random, unsigned n)
{
    return mutate_below(random, n);
}

void fuzz_seeds(fuzz_add_fn *add)
{
    static const char *const questions[] = {
        "{\"ask\":{\"ask\":\"reach\",\"unit\":\"FR-A\"}}",
        "{\"ask\":{\"ask\":\"capacity\",\"side\":\"AL\"}}",
        "{\"ask\":{\"ask\":\"path\",\"unit\":\"AD-A\",\"path\":[\"ghent\",\"brussels\"],\"forced\":"
        "true}}",
        "{\"ask\":{\"ask\":\"odds\",\"battle\":\"ligny\",\"unit\":\"FR-N\",\"target\":\"PR-A\"}}",
        "{\"ask\":{\"ask\":\"retreats\",\"unit\":\"P1\"}}",
        "{\"ask\":{\"ask\":\"odds\",\"contact\":[\"104\"],\"bombard\":[\"A04\"],"
        "\"defenders\":[\"2319\"]}}",
        "{\"ask\":{\"ask\":\"move\",\"unit\":\"K2\",\"path\":[\"2126\"],\"exit_edge\":\"west\"}}",
        "{\"obey\":true}",
        "{\"obey\":{\"do\":\"end_movement\"}}",
        "{\"leave\":0}",
        "{\"leave\":1,\"how\":1}"};
    uint64_t random = 1;
    struct buf line, forms;
    buf_init(&line, 1 << 20);
    buf_init(&forms, 1 << 20);
    for (unsigned i = 0; i < fuzz_state_count; i++) {
        const struct fuzz_state *from = &fuzz_states[i];
        for (unsigned seat = 0; seat < from->seats; seat++) {
            const struct forms_random source = {below, &random};
            buf_reset(&line);
            jw_object_begin(&line);
            jw_key_int(&line, "state", i);
            jw_key_int(&line, "seat", seat);
            jw_object_end(&line);
            buf_append_char(&line, '\n');
            buf_reset(&forms);
            game->actions(from->state, seat, &forms);
            cJSON *json = game_json(buf_str(&forms), forms.len);
            for (unsigned k = 0; k < 2; k++) {
                if (json != NULL && forms_pick(json, &source, &line) == ERR_OK) {
                    buf_append_char(&line, '\n');
                }
            }
            cJSON_Delete(json);
            if (mutate_below(&random, 3) == 0) {
                buf_append_str(
                    &line,
                    questions[mutate_below(&random, sizeof questions / sizeof questions[0])]);
                buf_append_char(&line, '\n');
            }
            add(buf_str(&line), line.len);
        }
    }
    buf_finish(&line);
    buf_finish(&forms);
}
