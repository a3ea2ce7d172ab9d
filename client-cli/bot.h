/* client-cli/bot.h: policies: what a program would do, as a function of a view alone. */
#ifndef VEDETTE_CLIENT_CLI_BOT_H
#define VEDETTE_CLIENT_CLI_BOT_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "client-cli/wview.h"
#include "common/words/board.h"

struct buf;

/* A stream of numbers of our own, from a seed that is told: a bot's play can be repeated. */
struct bot_random {
    uint64_t state;
};
void bot_random_seed(struct bot_random *random, uint64_t seed);
unsigned bot_random_below(struct bot_random *random, unsigned n);

/* Writes the next action of the seat of view, which may act. attempt: how often the match refused
 * what was written for this very view; from 1 on a policy falls back on the view's forms, of which
 * every pick is legal. False: nothing to do (no forms). */
typedef bool bot_policy_fn(const struct board *board, const cJSON *view, unsigned attempt,
                           struct bot_random *random, struct buf *out_action);
bot_policy_fn bot_random_act, bot_waterloo_act, bot_caretaker_act;
/* The policy of that name, NULL: none. */
bot_policy_fn *bot_policy(const char *name);

/* Standing orders of the seat of view for the enemy's coming turn, as bot_waterloo_act would answer
 * then: a JSON array. False: that is no view of a seat of Waterloo. */
bool bot_waterloo_orders(const struct board *board, const cJSON *view, struct buf *out);

/* Whether the cause of view's seat is as good as lost: it is near surrender, and the enemy is far
 * from it. Such a bot agrees to a draw, or to go back. */
bool bot_waterloo_is_lost(const struct board *board, const cJSON *view);
/* Whether a bot agrees to an offer of that kind. */
bool bot_agrees(const char *what, bool is_lost);

/* Whether a caretaker does. */
bool bot_caretaker_agrees(const char *what);

/* Parts of bot_waterloo, in files of their own. Each writes an action or returns false. */
bool bot_waterloo_move(const struct wv *wv, struct bot_random *random, struct buf *out_action);
bool bot_waterloo_combat(const struct wv *wv, struct buf *out_action);
/* Whether the own units of the town, with friends who could come up, would stand against so much CV
 * (in tenths). */
bool bot_would_stand(const struct wv *wv, int town, int theirs);
/* CV that so many hidden units are worth, in tenths (average of what the nation has left). */
int bot_worth(const struct wv *wv, enum wv_nation nation, int count);

#endif
