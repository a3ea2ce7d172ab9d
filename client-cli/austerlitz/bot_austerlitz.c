/* client-cli/austerlitz/bot_austerlitz.c: plays Austerlitz by plain sense: which decision is asked,
 * and who has lost. */
#include <stdlib.h>
#include <string.h>

#include "client-cli/austerlitz/bot_au.h"
#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"

static bool decide(struct bau *b, const cJSON *view, unsigned attempt, struct bot_mind *mind,
                   struct buf *out_action)
{
    const cJSON *id = json_get(json_get(view, "prompt"), "id");
    const char *what = cJSON_IsString(id) ? id->valuestring : "";
    if (strcmp(what, "move") == 0) { return bau_act_move(b, attempt, mind, out_action); }
    if (attempt > 0) { return false; }
    bau_find_vienna(b);
    if (strcmp(what, "declare") == 0) { return bau_act_declare(b, view, out_action); }
    if (strcmp(what, "resolve") == 0) { return bau_act_resolve(b, view, out_action); }
    if (strcmp(what, "exchange") == 0) { return bau_act_exchange(b, view, out_action); }
    if (strcmp(what, "retreat") == 0) { return bau_act_retreat(b, view, out_action); }
    if (strcmp(what, "battery") == 0) { return bau_act_battery(b, view, out_action); }
    if (strcmp(what, "advance") == 0) { return bau_act_advance(b, view, out_action); }
    return false;
}

bool bot_austerlitz_act(const struct board *board, const cJSON *view, unsigned attempt,
                        struct bot_mind *mind, struct buf *out_action)
{
    enum { PATIENCE = 8 };
    struct bau *b = malloc(sizeof *b);
    bool ok = b != NULL && attempt < PATIENCE && bau_read(view, mind, b) &&
              decide(b, view, attempt, mind, out_action);
    free(b);
    if (ok && !out_action->failed) { return true; }
    buf_reset(out_action);
    return bot_random_act(board, view, attempt, mind, out_action);
}

/* Demoralised with the enemy far from it, or beaten on points late in the day. */
bool bot_austerlitz_is_lost(const struct board *board, const cJSON *view)
{
    struct bau *b = malloc(sizeof *b);
    bool lost = false;
    (void)board;
    if (b != NULL && bau_read(view, NULL, b)) {
        int ours = b->lost[b->me] + b->gone[b->me], theirs = b->lost[bau_other(b->me)];
        lost = b->demoralised == b->me && 2 * theirs < ours;
    }
    free(b);
    return lost;
}
