/* tests/oracle/known.h: what the oracle must know of a game beyond its functions: where its matches
 * begin, what is worth playing, what is hidden. One file a game, which alone sees its state. */
#ifndef VEDETTE_TESTS_ORACLE_KNOWN_H
#define VEDETTE_TESTS_ORACLE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/base/buf.h"
#include "common/rules/game.h"

struct known {
    const struct game *game;
    /* Options by seed, and a position in the field by seed, or NULL: as the game begins. Static. */
    const char *(*options)(uint64_t seed);
    const char *(*start)(uint64_t seed);
    const char *idle;   /* an action that is nearly never legal and says little */
    const char *absent; /* an action of a seat that is offered none */
    /* The step of the turn, from 0, for counts; its name; how many there are. */
    unsigned (*step)(const struct state *s);
    const char *(*step_id)(unsigned step);
    unsigned steps;
    /* Whether the end of a match in that step tells what was hidden. */
    bool (*end_tells)(unsigned step);
    /* Whether much is hidden now, for few lines. */
    bool (*is_rich)(const struct state *s);
    /* Whether a world may have to go on alone until it is out of this step. */
    bool (*goes_alone)(const struct state *s);
    /* How much a form leads to battle; how often of so many the best is taken. */
    unsigned (*taste)(const struct state *s, const cJSON *form);
    unsigned (*greed)(const struct state *s);
    const char *const *quiet;  /* actions that others are not told of, ended by NULL */
    const char *const *orders; /* lists of standing orders, ended by NULL */
    bool shuffles;             /* the order of lists in an action shows nothing */
    const char *(*word)(const struct state *s, uint64_t *random);
    void (*question)(const struct state *s, uint64_t *random, struct buf *out);
    /* Leaks: a number made of what is hidden from the viewer; something of the first hidden piece;
     * of all, in an order that they have in secret. */
    unsigned (*hidden_sum)(const struct state *s, unsigned viewer);
    void (*hint)(const struct state *s, unsigned viewer, struct buf *out_members);
    void (*pieces)(const struct state *s, unsigned viewer, struct buf *out_values);
};

extern const struct known known_waterloo, known_austerlitz;
/* All of them, ended by NULL; and the one that is played now. */
extern const struct known *const known_games[];
extern const struct known *known;

#endif
