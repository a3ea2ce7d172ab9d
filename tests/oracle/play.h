/* tests/oracle/play.h: where matches begin, what is played in them, and what is asked. */
#ifndef VEDETTE_TESTS_ORACLE_PLAY_H
#define VEDETTE_TESTS_ORACLE_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/dice/dice.h"
#include "common/rules/game.h"
#include "tests/props/draw.h"

/* A match that goes on by itself, for pairs to begin at. */
struct base {
    cJSON *options; /* in full */
    unsigned seats, lines;
    const char *codes[SEATS_MAX];
    struct state *now, *next;
    struct dice dice;
    struct events events;
    struct buf action;
    uint64_t random;
};
void base_begin(struct base *base, uint64_t seed);
void base_end(struct base *base);
/* So many lines more. False: it is over. */
bool base_go_on(struct base *base, unsigned lines);

/* Picks an action of seat from its forms in s, oftener one that leads to battle. False: none
 * offered. */
bool play_pick(const struct state *s, unsigned seat, uint64_t *random, struct buf *out);
/* The same, of a quiet kind that can be taken back (a draft). False: none offered. */
bool play_pick_draft(const struct state *s, unsigned seat, uint64_t *random, struct buf *out);
/* An action spoiled in one place, or not. */
void play_spoil(const struct state *s, uint64_t *random, struct buf *action);
/* The action under the names that a twin gives its pieces. */
void play_rename(const char *action, const cJSON *names, struct buf *out);
/* Lists in another order, where no forced march hangs on it (W20.3). */
void play_shuffle(uint64_t *random, struct buf *action);
/* Whether the rules take it, on a copy. */
enum err play_try(const struct state *s, unsigned seat, const char *action);

#endif
