/* common/rules/registry.c: the games of this build, a line each. */
#include <string.h>

#include "common/rules/game.h"

extern const struct game game_austerlitz, game_waterloo;

const struct game *const games[] = {
    &game_waterloo,
    &game_austerlitz,
    NULL,
};

const struct game *game_find(const char *name)
{
    for (size_t i = 0; games[i] != NULL; i++) {
        if (strcmp(games[i]->name, name) == 0) { return games[i]; }
    }
    return NULL;
}
