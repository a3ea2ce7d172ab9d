/* tests/fuzz/t_position.c: positions read; what was accepted must be a state in order, and
 * playable. An input is a case: {"options","position","steps":[{"seat","action"}]}; other members
 * are passed over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/game.h"

static const struct game *game;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    game = game_find(FUZZ_GAME);
    game_open(1, 40);
    return 0;
}

/* The options in full, NULL: refused. */
static cJSON *full_options(const cJSON *given)
{
    struct buf full;
    struct why why;
    cJSON *none = cJSON_CreateObject(), *options = NULL;
    buf_init(&full, 1 << 16);
    why_clear(&why);
    const enum err err = game->options(given != NULL ? given : none, &full, &why);
    fuzz_feature_text((unsigned)err, why.text);
    if (err == ERR_OK) {
        options = game_json(buf_str(&full), full.len);
        FUZZ_MUST(options != NULL, buf_str(&full));
    }
    cJSON_Delete(none);
    buf_finish(&full);
    return options;
}

static void play_steps(const cJSON *steps, const char *const *codes, unsigned seats,
                       struct state *state)
{
    unsigned count = 0;
    const cJSON *step = NULL;
    cJSON_ArrayForEach(step, steps)
    {
        const cJSON *seat = json_get(step, "seat"), *action = json_get(step, "action");
        for (unsigned i = 0; i < seats && action != NULL && cJSON_IsString(seat); i++) {
            if (strcmp(codes[i], seat->valuestring) == 0) {
                (void)game_apply(game, state, i, action, count);
            }
        }
        if (++count == 12) { break; }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *json = game_json((const char *)data, size);
    if (json == NULL) { return 0; }
    cJSON *options = full_options(json_get(json, "options"));
    const cJSON *position = json_get(json, "position");
    const char *codes[SEATS_MAX];
    struct why why;
    why_clear(&why);
    if (options != NULL && position != NULL) {
        const unsigned seats = game->seats(options, codes);
        struct state *state = calloc(1, game->state_bytes);
        const enum err err = game->position_read(options, position, state, &why);
        fuzz_feature_text(100U + (unsigned)err, why.text);
        fuzz_feature_text(200U + (unsigned)err, why.member);
        if (err == ERR_OK) {
            game_must_hold(game, options, seats, state);
            play_steps(json_get(json, "steps"), codes, seats, state);
            game_play_on(game, options, seats, state, 4, size);
        } else {
            FUZZ_MUST(err == ERR_INVALID_PARAMS || err == ERR_ILLEGAL_ACTION, err_kind(err));
        }
        free(state);
    }
    cJSON_Delete(options);
    cJSON_Delete(json);
    return 0;
}

void fuzz_seeds(fuzz_add_fn *add)
{
    struct buf text;
    buf_init(&text, 1 << 20);
    seeds_folder(FUZZ_CASES, add);
    for (unsigned i = 0; i < fuzz_state_count; i++) {
        buf_reset(&text);
        jw_object_begin(&text);
        jw_key_raw(&text, "options", fuzz_states[i].options, strlen(fuzz_states[i].options));
        jw_key(&text, "position");
        game->position_write(fuzz_states[i].state, &text);
        jw_object_end(&text);
        add(buf_str(&text), text.len);
    }
    buf_finish(&text);
}
