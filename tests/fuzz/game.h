/* tests/fuzz/game.h: what must hold of a state of a game, and states of random matches. */
#ifndef VEDETTE_TESTS_FUZZ_GAME_H
#define VEDETTE_TESTS_FUZZ_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/rules/game.h"

/* A state of a random match. */
struct fuzz_state {
    const char *options; /* in full */
    unsigned seats;
    struct state *state;
};
enum { FUZZ_STATES_MAX = 1024 };
extern struct fuzz_state fuzz_states[FUZZ_STATES_MAX];
extern unsigned fuzz_state_count;

/* Buffers, and so many random matches of every variant, of which every so many-th state is kept. */
void game_open(unsigned matches, unsigned every);
/* JSON in normal form, NULL: it is none. For cJSON_Delete. */
cJSON *game_json(const char *text, size_t n);
/* All that holds of a good state: the invariants, the position comes back, all viewers' views and
 * forms are JSON in normal form, the twin of a viewer looks the same, questions are answered. */
void game_must_hold(const struct game *game, const cJSON *options, unsigned seats,
                    const struct state *state);
/* Judges an action on a copy, as a host does; state is changed if it was accepted. What is told of
 * it must be in order. Returns the answer. */
enum err game_apply(const struct game *game, struct state *state, unsigned seat,
                    const cJSON *action, uint64_t seed);
/* Plays so many picks of offered forms, all of which must be accepted; what holds of the end is
 * looked at for one seed in four. */
void game_play_on(const struct game *game, const cJSON *options, unsigned seats,
                  struct state *state, unsigned steps, uint64_t seed);

#endif
