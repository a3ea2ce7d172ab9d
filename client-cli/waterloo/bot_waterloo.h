/* client-cli/waterloo/bot_waterloo.h: the parts of the Waterloo bot, in files of their own. */
#ifndef VEDETTE_CLIENT_CLI_WATERLOO_BOT_WATERLOO_H
#define VEDETTE_CLIENT_CLI_WATERLOO_BOT_WATERLOO_H

#include <stdbool.h>

#include "client-cli/waterloo/wview.h"

struct bot_random;
struct buf;

/* Each writes an action or returns false. */
bool bot_waterloo_move(const struct wv *wv, struct bot_random *random, struct buf *out_action);
bool bot_waterloo_combat(const struct wv *wv, struct buf *out_action);
/* Whether the own units of the town, with friends who could come up, would stand against so much CV
 * (in tenths). */
bool bot_would_stand(const struct wv *wv, int town, int theirs);
/* CV that so many hidden units are worth, in tenths (average of what the nation has left). */
int bot_worth(const struct wv *wv, enum wv_nation nation, int count);

#endif
