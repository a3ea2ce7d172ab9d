/* tests/oracle/games.h: a game as the oracle hosts it: matches that begin from a given state,
 * watched from inside, and builds of it that leak on purpose. */
#ifndef VEDETTE_TESTS_ORACLE_GAMES_H
#define VEDETTE_TESTS_ORACLE_GAMES_H

#include <stdint.h>

#include "common/rules/game.h"

/* What the planted leaks do. */
enum leak {
    LEAK_NONE,
    LEAK_ID,     /* a view names a hidden piece of the enemy */
    LEAK_ORDER,  /* towns' hidden pieces in order of their types */
    LEAK_SEQ,    /* a quiet action is told to all, as an event without content */
    LEAK_EMPTY,  /* the same, but the enemy is told nothing at all: only his seq moves */
    LEAK_ERROR,  /* a refusal is one byte longer where a hidden piece is worn */
    LEAK_FORMS,  /* one action form more where the enemy's pieces are many and mounted */
    LEAK_TO_ACT, /* who is to act shows whether drafts are there */
    LEAK_ASK,    /* an answer that rests on a hidden fact */
    LEAK_SEAL,   /* whether an own action can be undone hangs on a hidden fact */
    LEAK_ORDERS, /* that standing orders answered is told to all */
    LEAKS
};
const char *leak_name(enum leak leak);

/* The game of one of the two worlds, in a list ended by NULL. */
const struct game *const *hosted_games(unsigned world);
void hosted_set_leak(enum leak leak);
/* Copies a state for matches of that world with the option "start": number, which is returned. */
unsigned hosted_add_start(unsigned world, const struct state *start);
void hosted_forget_starts(void);
/* The newest state that the host has taken, and who was told something hidden since hosted_listen.
 */
const struct state *hosted_state(unsigned world);
uint32_t hosted_reveals(unsigned world);
/* The number of its next roll. */
uint64_t hosted_roll(unsigned world);
void hosted_listen(unsigned world);
/* The call was refused: the state is as it was at hosted_listen (the beginning of a list may have
 * been played). */
void hosted_take_back(unsigned world);
/* What standing orders of seats have answered since hosted_listen, as they did; count and texts. */
unsigned hosted_obeyed(unsigned world, const char *const **out_actions);
/* Nothing is noted between this and hosted_listen: other threads and calls that change nothing. */
void hosted_deafen(unsigned world);

#endif
