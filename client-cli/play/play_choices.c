/* client-cli/play/play_choices.c: the numbered choices: what may be done now, as orders one could
 * type.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-cli/play/play.h"
#include "common/base/jsonr.h"

static void add(void *ctx, const char *order)
{
    struct play *play = ctx;
    if (play->choices >= PLAY_CHOICES_MAX - (strcmp(order, "staff") == 0 ? 0 : 1)) { return; }
    for (int i = 0; i < play->choices; i++) {
        if (strcmp(play->choice[i], order) == 0) { return; }
    }
    char *copy = strdup(order);
    if (copy != NULL) { play->choice[play->choices++] = copy; }
}

void play_make_choices(struct play *play)
{
    for (int i = 0; i < play->choices; i++) {
        free(play->choice[i]);
    }
    play->choices = 0;
    play_offers_choices(play, add);
    if (!play->face->to_act) { return; }
    int offers = play->choices;
    play->face->game->choices(play->face, add, play);
    add(play, "staff");
    for (int i = play->choices - 1; i > offers + 1;
         i--) { /* it stands second, where it is always seen */
        char *other = play->choice[i - 1];
        play->choice[i - 1] = play->choice[i];
        play->choice[i] = other;
    }
}
