/* tests/fuzz/game.c: see game.h. */
#include "tests/fuzz/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/dice/dice.h"
#include "common/protocol/forms.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_state fuzz_states[FUZZ_STATES_MAX];
unsigned fuzz_state_count;

static struct events events;
static struct buf text, other, action_text;
static struct state *copy;
static struct dice dice;

/* All options of Waterloo that change the rules, few turns. */
/* Options of the matches, by game. */
static const char *const of_waterloo[] = {
    "{\"players\":2}",
    "{\"players\":2,\"turns\":4,\"morale\":true,\"command_control\":true}",
    "{\"players\":3,\"turns\":6,\"command_control\":true}",
    "{\"players\":3,\"morale\":true}",
    NULL,
};
static const char *const of_austerlitz[] = {
    "{}",
    "{\"information\":\"semi-blind\",\"situation\":\"1809\"}",
    "{\"information\":\"semi-blind\",\"strengths\":\"dealt\"}",
    "{\"situation\":\"1813\",\"guard_1805\":true}",
    NULL,
};
enum { VARIANTS_MAX = 8 };

cJSON *game_json(const char *json_text, size_t n)
{
    cJSON *json = NULL;
    struct why why;
    why_clear(&why);
    if (json_parse(json_text, n, &json) != ERR_OK) { return NULL; }
    if (json_normalise(json, &why) != ERR_OK) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}

static void begin_dice(uint64_t seed)
{
    struct hash key = {{0}}, mask = {{1}};
    memcpy(key.bytes, &seed, sizeof seed);
    dice_init(&dice, &key, &mask, 1, 1);
}

static unsigned below(void *random, unsigned n)
{
    return mutate_below(random, n);
}

static void must_be_json(const struct buf *buf, const char *what)
{
    FUZZ_MUST(!buf->failed, what);
    cJSON *json = game_json(buf_str(buf), buf->len);
    FUZZ_MUST(json != NULL, buf_str(buf));
    cJSON_Delete(json);
}

static void write_view(const struct game *game, const struct state *state, unsigned viewer,
                       struct buf *out)
{
    buf_reset(out);
    jw_object_begin(out);
    game->view(state, viewer, out);
    if (viewer < SEATS_MAX) {
        jw_key(out, "actions");
        game->actions(state, viewer, out);
    }
    jw_object_end(out);
}

/* What copy is written as must be what it was read from. (In the answers to marches the state keeps
 * more than positions tell: what the enemy saw when they began.) */
static void must_be_written_the_same(const struct game *game, const cJSON *position)
{
    buf_reset(&other);
    game->position_write(copy, &other);
    cJSON *again = game_json(buf_str(&other), other.len);
    FUZZ_MUST(again != NULL && json_equal(again, position), buf_str(&other));
    cJSON_Delete(again);
}

void game_must_hold(const struct game *game, const cJSON *options, unsigned seats,
                    const struct state *state)
{
    struct why why;
    why_clear(&why);
    FUZZ_MUST(game->check(state) == NULL, game->check(state));
    const uint32_t to_act = game->to_act(state), waits = game->waits_for(state);
    FUZZ_MUST((to_act >> seats) == 0 && (waits & ~to_act) == 0, "who is to act");
    fuzz_feature(to_act);
    buf_reset(&text);
    game->position_write(state, &text);
    FUZZ_MUST(!text.failed, "the position");
    cJSON *position = game_json(buf_str(&text), text.len);
    FUZZ_MUST(position != NULL, buf_str(&text));
    memset(copy, 0, game->state_bytes);
    enum err err = game->position_read(options, position, copy, &why);
    FUZZ_MUST(err == ERR_OK, buf_str(&text));
    must_be_written_the_same(game, position);
    cJSON_Delete(position);
    const unsigned chosen = (unsigned)text.len % VIEWERS;
    for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
        if (viewer >= seats && viewer < SEATS_MAX) { continue; }
        begin_dice(7);
        write_view(game, state, viewer, &text);
        must_be_json(&text, "a view");
        if (viewer != chosen) { continue; } /* twins cost much */
        memset(copy, 0, game->state_bytes);
        buf_reset(&other);
        game->twin(state, viewer, &dice, copy, &other);
        must_be_json(&other, "names of a twin");
        FUZZ_MUST(game->check(copy) == NULL, game->check(copy));
        write_view(game, copy, viewer, &other);
        FUZZ_MUST(text.len == other.len && memcmp(text.data, other.data, text.len) == 0,
                  buf_str(&text));
    }
    if (to_act == 0) {
        buf_reset(&text);
        game->result(state, &text);
        must_be_json(&text, "the result");
    }
}

enum err game_apply(const struct game *game, struct state *state, unsigned seat,
                    const cJSON *action, uint64_t seed)
{
    struct why why;
    why_clear(&why);
    events_reset(&events);
    begin_dice(seed);
    struct state *work = malloc(game->state_bytes); /* in a block of its own size */
    FUZZ_MUST(work != NULL, "memory");
    memcpy(work, state, game->state_bytes);
    const enum err err = game->apply(work, seat, action, &dice, &events, &why);
    fuzz_feature_text((unsigned)err, why.rule);
    fuzz_feature_text((unsigned)err, why.text);
    if (err == ERR_ILLEGAL_ACTION) {
        FUZZ_MUST(why.rule[0] != '\0' && why.text[0] != '\0', why.text);
    } else if (err == ERR_INVALID_PARAMS) {
        FUZZ_MUST(why.member[0] != '\0' || why.text[0] != '\0', "a refusal without a word");
    } else if (err == ERR_OK) {
        FUZZ_MUST(!events.failed && !dice.exhausted, "bounds of one line");
        for (unsigned viewer = 0; viewer < VIEWERS; viewer++) {
            buf_reset(&text);
            events_write(&events, viewer, &text);
            must_be_json(&text, "events");
        }
        memcpy(state, work, game->state_bytes);
    } else {
        FUZZ_MUST(err == ERR_NOT_YOUR_TURN || err == ERR_MATCH_OVER, err_kind(err));
    }
    free(work);
    return err;
}

/* What seat picks of its forms, in normal form. */
static cJSON *pick(const struct game *game, const struct state *state, unsigned seat,
                   uint64_t *random)
{
    const struct forms_random source = {below, random};
    buf_reset(&text);
    buf_reset(&action_text);
    game->actions(state, seat, &text);
    cJSON *forms = game_json(buf_str(&text), text.len);
    FUZZ_MUST(cJSON_IsArray(forms) && forms->child != NULL, buf_str(&text));
    FUZZ_MUST(forms_pick(forms, &source, &action_text) == ERR_OK, buf_str(&text));
    cJSON_Delete(forms);
    cJSON *action = game_json(buf_str(&action_text), action_text.len);
    FUZZ_MUST(action != NULL, buf_str(&action_text));
    return action;
}

/* One pick; false: the match is over. */
static bool play_once(const struct game *game, unsigned seats, struct state *state,
                      uint64_t *random)
{
    const uint32_t to_act = game->to_act(state);
    unsigned seat = mutate_below(random, seats);
    if (to_act == 0) { return false; }
    while ((to_act >> seat & 1U) == 0) {
        seat = (seat + 1) % seats;
    }
    cJSON *action = pick(game, state, seat, random);
    const enum err err = game_apply(game, state, seat, action, mutate_random(random));
    if (err != ERR_OK) {
        buf_reset(&text);
        game->position_write(state, &text);
        fprintf(stderr, "position: %s\n", buf_str(&text));
        fuzz_fail("what is offered is accepted", buf_str(&action_text));
    }
    cJSON_Delete(action);
    return true;
}

void game_play_on(const struct game *game, const cJSON *options, unsigned seats,
                  struct state *state, unsigned steps, uint64_t seed)
{
    uint64_t random = seed;
    for (unsigned i = 0; i < steps && play_once(game, seats, state, &random); i++) {
        const char *broken = game->check(state);
        FUZZ_MUST(broken == NULL, broken);
    }
    if (seed % 4 == 1) { game_must_hold(game, options, seats, state); }
}

static void play_match(const struct game *game, const char *options_text, unsigned every,
                       uint64_t seed)
{
    const char *codes[SEATS_MAX];
    struct why why;
    uint64_t random = seed;
    why_clear(&why);
    cJSON *options = game_json(options_text, strlen(options_text));
    const unsigned seats = game->seats(options, codes);
    struct state *state = calloc(1, game->state_bytes);
    FUZZ_MUST(state != NULL && options != NULL, "memory");
    begin_dice(seed);
    events_reset(&events);
    FUZZ_MUST(game->create(options, game->rules_now, &dice, state, &events, &why) == ERR_OK,
              why.text);
    unsigned lines = 0;
    do {
        if (lines++ % every != 0 || fuzz_state_count == FUZZ_STATES_MAX) { continue; }
        struct state *kept = malloc(game->state_bytes);
        FUZZ_MUST(kept != NULL, "memory");
        memcpy(kept, state, game->state_bytes);
        fuzz_states[fuzz_state_count++] = (struct fuzz_state){options_text, seats, kept};
    } while (play_once(game, seats, state, &random));
    cJSON_Delete(options);
    free(state);
}

void game_open(unsigned matches, unsigned every)
{
    const struct game *game = game_find(FUZZ_GAME);
    const char *const *variants =
        strcmp(FUZZ_GAME, "austerlitz") == 0 ? of_austerlitz : of_waterloo;
    static char *full[VARIANTS_MAX];
    struct why why;
    why_clear(&why);
    events_init(&events);
    buf_init(&text, 4 << 20);
    buf_init(&other, 4 << 20);
    buf_init(&action_text, 1 << 20);
    copy = calloc(1, game->state_bytes);
    FUZZ_MUST(copy != NULL, "memory");
    for (size_t i = 0; i < VARIANTS_MAX && variants[i] != NULL; i++) {
        cJSON *given = game_json(variants[i], strlen(variants[i]));
        buf_reset(&text);
        FUZZ_MUST(game->options(given, &text, &why) == ERR_OK, why.text);
        cJSON_Delete(given);
        full[i] = strdup(buf_str(&text));
        for (unsigned k = 0; k < matches; k++) {
            play_match(game, full[i], every, 1000 * i + k);
        }
    }
}
