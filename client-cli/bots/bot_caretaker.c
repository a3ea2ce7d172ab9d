/* client-cli/bots/bot_caretaker.c: looks after the seat of somebody who has vanished: holds what is
 * held, defends it by plain sense (its game's own bot answers), marches nobody anywhere. */
#include <string.h>

#include "client-cli/bots/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

/* Of a game that it does not know: ends what it may end. */
static bool end_something(const cJSON *view, struct buf *out_action)
{
    const cJSON *form = NULL;
    cJSON_ArrayForEach(form, json_get(view, "actions"))
    {
        const cJSON *name = json_get(form, "do");
        if (!cJSON_IsString(name) || cJSON_GetArraySize(form) != 1) { continue; }
        if (strncmp(name->valuestring, "end", 3) != 0 && strcmp(name->valuestring, "pass") != 0) {
            continue;
        }
        jw_value(out_action, form);
        return !out_action->failed;
    }
    return false;
}

bool bot_caretaker_act(const struct board *board, const cJSON *view, unsigned attempt,
                       struct bot_mind *mind, struct buf *out_action)
{
    const cJSON *game = json_get(view, "game"), *id = json_get(json_get(view, "prompt"), "id");
    const struct bot_kind *own = bot_kind_of_game(cJSON_IsString(game) ? game->valuestring : "");
    const bool moves = cJSON_IsString(id) && strcmp(id->valuestring, "move") == 0;
    if (attempt == 0 && (moves || own == NULL) && end_something(view, out_action)) { return true; }
    buf_reset(out_action);
    bot_policy_fn *act = own == NULL ? bot_random_act : own->act;
    return act(board, view, attempt, mind, out_action);
}

bool bot_caretaker_agrees(const char *what, bool is_lost)
{
    (void)is_lost;
    /* It gives away nothing of another's match, and stands in nobody's way. */
    return strcmp(what, "pause") == 0 || strcmp(what, "resume") == 0 || strcmp(what, "time") == 0;
}
