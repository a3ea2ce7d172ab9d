/* client-cli/bots/bot_kinds.c: the ways to play that `vedette bot` knows, by game. The next game
 * adds a line. */
#include <stdio.h>
#include <string.h>

#include "client-cli/bots/bot.h"

static const struct bot_kind kinds[] = {
    {"waterloo", "waterloo", bot_waterloo_act, bot_waterloo_orders, bot_waterloo_is_lost,
     bot_agrees, NULL},
    {"austerlitz", "austerlitz", bot_austerlitz_act, NULL, bot_austerlitz_is_lost, bot_agrees,
     bot_austerlitz_hears},
    {"random", NULL, bot_random_act, NULL, NULL, bot_agrees, NULL},
    {"caretaker", NULL, bot_caretaker_act, NULL, NULL, bot_caretaker_agrees, NULL},
};
const char *const bot_games[] = {"waterloo", "austerlitz", NULL};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const struct bot_kind *bot_kind(const char *name)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) { return &kinds[i]; }
    }
    return NULL;
}

const struct bot_kind *bot_kind_of_game(const char *game)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (kinds[i].game != NULL && strcmp(kinds[i].game, game) == 0) { return &kinds[i]; }
    }
    return NULL;
}

bool bot_kind_plays(const struct bot_kind *kind, const char *game)
{
    return kind->game == NULL || strcmp(kind->game, game) == 0;
}

void bot_kind_list(const char *game, char *out, size_t bytes)
{
    size_t n = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < KINDS && n < bytes; i++) {
        if (game != NULL && !bot_kind_plays(&kinds[i], game)) { continue; }
        int added = snprintf(out + n, bytes - n, "%s%s", n == 0 ? "" : ", ", kinds[i].name);
        n += added > 0 ? (size_t)added : 0;
    }
}
