/* client-cli/bots/bot.h: policies: what a program would do, as a function of a view alone. */
#ifndef VEDETTE_CLIENT_CLI_BOTS_BOT_H
#define VEDETTE_CLIENT_CLI_BOTS_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "common/words/board.h"

struct buf;

/* A stream of numbers of our own, from a seed that is told: a bot's play can be repeated. */
struct bot_random {
    uint64_t state;
};
void bot_random_seed(struct bot_random *random, uint64_t seed);
unsigned bot_random_below(struct bot_random *random, unsigned n);

/* What a bot keeps of one match between two views: its numbers, what it means to do in a phase that
 * it has thought out, and what it has seen of hidden counters. All of it follows from views and
 * events; it may be lost at any time. Begins as zeros. */
enum { BOT_INTENTS_MAX = 64, BOT_FACES_MAX = 32, BOT_STEPS_MAX = 64 };
struct bot_intent {
    uint8_t unit;
    uint16_t from, to;
    bool leaves; /* the map, there */
};
/* A counter of the enemy that shows its type alone, and what is known of it; potential 0: that of
 * the order of battle, where strengths are as printed. */
struct bot_face {
    uint16_t hex;
    uint8_t fact, potential;
};
/* A step of the enemy that he may take back: who went where, or (left) who left the map. */
struct bot_step {
    uint16_t from, to;
    bool left;
    struct bot_face face;
};
struct bot_mind {
    struct bot_random random;
    uint64_t phase; /* for which the intents are, as the game's bot counts them */
    unsigned intents;
    struct bot_intent intent[BOT_INTENTS_MAX];
    unsigned faces, steps;
    struct bot_face face[BOT_FACES_MAX];
    struct bot_step step[BOT_STEPS_MAX];
};

/* Writes the next action of the seat of view, which may act. board: of the match's game, where
 * common/words has it, else empty. attempt: how often the match refused what was written for this
 * very view; later ones fall back on the view's forms, of which every pick is legal. False: nothing
 * to do (no forms). */
typedef bool bot_policy_fn(const struct board *board, const cJSON *view, unsigned attempt,
                           struct bot_mind *mind, struct buf *out_action);
bot_policy_fn bot_random_act, bot_waterloo_act, bot_austerlitz_act, bot_caretaker_act;

/* A way to play: `random` and `caretaker` play every game, a game's own plays that one by plain
 * sense and is called as the game is. */
struct bot_kind {
    const char *name;
    const char *game; /* NULL: every game */
    bot_policy_fn *act;
    /* Standing orders of the seat of view for the enemy's coming turn, as act would answer then: a
     * JSON array. False: it is no view of a seat. NULL: it leaves none. */
    bool (*orders)(const struct board *board, const cJSON *view, struct buf *out);
    /* Whether the cause of view's seat is as good as lost: such a bot agrees to a draw, or to go
     * back. NULL: it never is. */
    bool (*is_lost)(const struct board *board, const cJSON *view);
    bool (*agrees)(const char *what, bool is_lost); /* to an offer of that kind */
    /* Notes the events of a step as the seat was told them, each step once, in order. first: they
     * are the first of the match. NULL: it remembers nothing. */
    void (*hears)(struct bot_mind *mind, const char *seat, const cJSON *events, bool first);
};
/* The kind of that name; NULL: none. */
const struct bot_kind *bot_kind(const char *name);
/* The game's own; NULL: it has none. */
const struct bot_kind *bot_kind_of_game(const char *game);
/* Whether the kind plays that game. */
bool bot_kind_plays(const struct bot_kind *kind, const char *game);
/* The games that have a kind of their own, ended by NULL. */
extern const char *const bot_games[];
/* The kinds that play the game (NULL: all kinds), "austerlitz, random, caretaker"; out of bytes. */
void bot_kind_list(const char *game, char *out, size_t bytes);

/* What a game has of its own, in its folder. */
bool bot_waterloo_orders(const struct board *board, const cJSON *view, struct buf *out);
bool bot_waterloo_is_lost(const struct board *board, const cJSON *view);
bool bot_austerlitz_is_lost(const struct board *board, const cJSON *view);
void bot_austerlitz_hears(struct bot_mind *mind, const char *seat, const cJSON *events, bool first);
/* Whether a bot agrees to an offer of that kind. */
bool bot_agrees(const char *what, bool is_lost);
/* Whether a caretaker does. */
bool bot_caretaker_agrees(const char *what, bool is_lost);

#endif
