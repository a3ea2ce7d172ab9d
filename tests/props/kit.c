/* tests/props/kit.c: random play. */
#include "tests/props/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/base/jsonr.h"
#include "common/protocol/forms.h"

_Noreturn void kit_fail(const struct kit *kit, unsigned seat, const char *action, const char *what,
                        const char *more)
{
    struct buf position;
    buf_init(&position, 1 << 20);
    kit->game->position_write(kit->now, &position);
    char *options = cJSON_PrintUnformatted(kit->options);
    fprintf(stderr,
            "seed %llu line %u seat %s: %s\naction: %s\nmore: %s\nrule %s member %s: %s\n"
            "options: %s\nposition: %s\n",
            (unsigned long long)kit->seed, kit->count, seat < kit->seats ? kit->codes[seat] : "-",
            what, action == NULL ? "-" : action, more == NULL ? "-" : more, kit->why.rule,
            kit->why.member, kit->why.text, options, buf_str(&position));
    free(options);
    buf_finish(&position);
    ck_abort_msg("seed %llu line %u: %s", (unsigned long long)kit->seed, kit->count, what);
    abort();
}

/* Keys for the dice, made from the seed. */
static void make_keys(uint64_t seed, struct hash *key, struct hash *mask_key)
{
    uint64_t state = seed ^ UINT64_C(0x5eed);
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        key->bytes[i] = (uint8_t)draw_next(&state);
        mask_key->bytes[i] = (uint8_t)draw_next(&state);
    }
}

void kit_restart(struct kit *kit)
{
    struct hash key, mask_key;
    make_keys(kit->seed, &key, &mask_key);
    dice_init(&kit->dice, &key, &mask_key, 0, 0);
    memset(kit->now, 0, kit->game->state_bytes);
    events_reset(&kit->events);
    why_clear(&kit->why);
    enum err err = ERR_OK;
    if (kit->position != NULL) {
        err = kit->game->position_read(kit->options, kit->position, kit->now, &kit->why);
        ck_assert_msg(err == ERR_OK, "seed %llu: the start was refused: %s %s",
                      (unsigned long long)kit->seed, kit->why.rule, kit->why.text);
    } else {
        err = kit->game->create(kit->options, kit->game->rules_now, &kit->dice, kit->now,
                                &kit->events, &kit->why);
        ck_assert_int_eq(err, ERR_OK);
    }
    dice_next_line(&kit->dice);
}

void kit_begin(struct kit *kit, const char *game, const char *options, const char *position,
               uint64_t seed)
{
    memset(kit, 0, sizeof *kit);
    kit->game = game_find(game);
    ck_assert_ptr_nonnull(kit->game);
    kit->seed = seed;
    kit->random = seed;
    struct buf full;
    cJSON *given = NULL;
    buf_init(&full, 1 << 16);
    buf_init(&kit->forms, 1 << 20);
    buf_init(&kit->action, 1 << 16);
    buf_init(&kit->scratch, 1 << 20);
    ck_assert_int_eq(json_parse(options, strlen(options), &given), ERR_OK);
    ck_assert_int_eq(kit->game->options(given, &full, &kit->why), ERR_OK);
    ck_assert_int_eq(json_parse(full.data, full.len, &kit->options), ERR_OK);
    ck_assert_int_eq(json_normalise(kit->options, &kit->why), ERR_OK);
    cJSON_Delete(given);
    buf_finish(&full);
    if (position != NULL) {
        ck_assert_int_eq(json_parse(position, strlen(position), &kit->position), ERR_OK);
        ck_assert_int_eq(json_normalise(kit->position, &kit->why), ERR_OK);
    }
    kit->seats = kit->game->seats(kit->options, kit->codes);
    kit->now = calloc(1, kit->game->state_bytes);
    kit->next = calloc(1, kit->game->state_bytes);
    ck_assert(kit->now != NULL && kit->next != NULL);
    events_init(&kit->events);
    kit_restart(kit);
}

void kit_end(struct kit *kit)
{
    for (unsigned i = 0; i < kit->count; i++) {
        free(kit->lines[i].text);
    }
    free(kit->lines);
    free(kit->now);
    free(kit->next);
    cJSON_Delete(kit->options);
    cJSON_Delete(kit->position);
    buf_finish(&kit->forms);
    buf_finish(&kit->action);
    buf_finish(&kit->scratch);
    events_finish(&kit->events);
}

enum err kit_try_on(struct kit *kit, const struct state *from, unsigned seat, const char *action)
{
    cJSON *parsed = NULL;
    why_clear(&kit->why);
    events_reset(&kit->events);
    enum err err = json_parse(action, strlen(action), &parsed);
    if (err == ERR_OK) { err = json_normalise(parsed, &kit->why); }
    if (err == ERR_OK) {
        memcpy(kit->next, from, kit->game->state_bytes);
        kit->dice_next = kit->dice;
        err = kit->game->apply(kit->next, seat, parsed, &kit->dice_next, &kit->events, &kit->why);
        if (err == ERR_OK && (kit->events.failed || kit->dice_next.exhausted)) {
            err = ERR_INTERNAL;
        }
    }
    cJSON_Delete(parsed);
    return err;
}

enum err kit_try(struct kit *kit, unsigned seat, const char *action)
{
    return kit_try_on(kit, kit->now, seat, action);
}

enum err kit_try_leave(struct kit *kit, unsigned seat)
{
    why_clear(&kit->why);
    events_reset(&kit->events);
    memcpy(kit->next, kit->now, kit->game->state_bytes);
    kit->dice_next = kit->dice;
    return kit->game->leave(kit->next, seat, LEAVE_RESIGNED, &kit->dice_next, &kit->events);
}

uint64_t kit_hash(const struct kit *kit, const struct state *state)
{
    const unsigned char *bytes = (const unsigned char *)state;
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word = 0;
    for (size_t i = 0; i < kit->game->state_bytes; i += sizeof word) {
        size_t left = kit->game->state_bytes - i;
        memcpy(&word, bytes + i, left < sizeof word ? left : sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}

void kit_commit(struct kit *kit, unsigned seat, const char *action)
{
    if (kit->count == kit->cap) {
        kit->cap = kit->cap == 0 ? 256 : kit->cap * 2;
        kit->lines = realloc(kit->lines, kit->cap * sizeof *kit->lines);
        ck_assert_ptr_nonnull(kit->lines);
    }
    struct state *old = kit->now;
    kit->now = kit->next;
    kit->next = old;
    kit->dice = kit->dice_next;
    dice_next_line(&kit->dice);
    kit->lines[kit->count++] =
        (struct kit_line){seat, action == NULL ? NULL : strdup(action), kit_hash(kit, kit->now)};
}

cJSON *kit_forms(struct kit *kit, unsigned seat)
{
    cJSON *forms = NULL;
    buf_reset(&kit->forms);
    kit->game->actions(kit->now, seat, &kit->forms);
    if (json_parse(buf_str(&kit->forms), kit->forms.len, &forms) != ERR_OK) {
        kit_fail(kit, seat, NULL, "the forms are not JSON", buf_str(&kit->forms));
    }
    return forms;
}

const char *kit_pick(struct kit *kit, const cJSON *forms)
{
    struct forms_random random = {draw_below, &kit->random};
    buf_reset(&kit->action);
    if (forms_pick(forms, &random, &kit->action) != ERR_OK) {
        char *text = cJSON_PrintUnformatted(forms);
        kit_fail(kit, SEATS_MAX, NULL, "nothing can be picked from a form", text);
    }
    return buf_str(&kit->action);
}

unsigned kit_any_seat(struct kit *kit)
{
    uint32_t to_act = kit->game->to_act(kit->now);
    unsigned seats[SEATS_MAX], n = 0;
    for (unsigned i = 0; i < kit->seats; i++) {
        if ((to_act >> i & 1U) != 0) { seats[n++] = i; }
    }
    if (n == 0) { kit_fail(kit, SEATS_MAX, NULL, "nobody is to act", NULL); }
    return seats[draw_below(&kit->random, n)];
}
