/* tests/props/kit.h: plays a game at random, line by line, from a seed alone; used by the property
 * tests of all games. */
#ifndef VEDETTE_TESTS_PROPS_KIT_H
#define VEDETTE_TESTS_PROPS_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/base/why.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"
#include "tests/props/draw.h"

/* A line that was accepted: an action, or (text NULL) a seat that left. */
struct kit_line {
    unsigned seat;
    char *text;
    uint64_t after; /* hash of the state it made */
};

struct kit {
    const struct game *game;
    cJSON *options;  /* in full */
    cJSON *position; /* where it begins, or NULL: at the set-up */
    unsigned seats;
    const char *codes[SEATS_MAX];
    struct state *now, *next;
    struct dice dice, dice_next;
    struct events events;
    struct why why;
    struct buf forms, action, scratch;
    struct kit_line *lines;
    unsigned count, cap;
    uint64_t random, seed;
};

/* Begins a match of those options, at a position or (NULL) at its beginning; everything about it
 * follows from these and the seed. */
void kit_begin(struct kit *kit, const char *game, const char *options, const char *position,
               uint64_t seed);
void kit_end(struct kit *kit);
/* The same match before its first line, for replays. */
void kit_restart(struct kit *kit);

/* Judges an action of seat on a copy (kit->next, kit->dice_next, kit->events, kit->why). */
enum err kit_try(struct kit *kit, unsigned seat, const char *action);
/* The same on any state, with a copy of the dice. */
enum err kit_try_on(struct kit *kit, const struct state *from, unsigned seat, const char *action);
/* The seat gives up, on a copy. */
enum err kit_try_leave(struct kit *kit, unsigned seat);
/* Makes the copy the state of the match; action NULL: the seat left. */
void kit_commit(struct kit *kit, unsigned seat, const char *action);

/* Fills kit->forms with what seat is offered, and gives it parsed (for cJSON_Delete). */
cJSON *kit_forms(struct kit *kit, unsigned seat);
/* Picks an action of seat into kit->action from its forms (or from one of them). */
const char *kit_pick(struct kit *kit, const cJSON *forms);
/* A seat that may act, drawn at random. */
unsigned kit_any_seat(struct kit *kit);

uint64_t kit_hash(const struct kit *kit, const struct state *state);
/* Ends the test with seed and step, and what went wrong. */
_Noreturn void kit_fail(const struct kit *kit, unsigned seat, const char *action, const char *what,
                        const char *more);

#endif
