/* client-cli/bot_caretaker.c: looks after the seat of somebody who has vanished: holds what is
 * held, defends it by plain sense, marches nobody anywhere. */
#include <string.h>

#include "client-cli/bot.h"
#include "common/base/buf.h"
#include "common/base/jsonr.h"
#include "common/base/jsonw.h"

bool bot_caretaker_act(const struct board *board, const cJSON *view, unsigned attempt,
                       struct bot_random *random, struct buf *out_action)
{
    const cJSON *id = json_get(json_get(view, "prompt"), "id");
    if (attempt == 0 && cJSON_IsString(id) && strcmp(id->valuestring, "move") == 0) {
        jw_object_begin(out_action);
        jw_key_str(out_action, "do", "end_movement");
        jw_object_end(out_action);
        return !out_action->failed;
    }
    return bot_waterloo_act(board, view, attempt, random, out_action);
}

bool bot_caretaker_agrees(const char *what)
{
    /* It gives away nothing of another's match, and stands in nobody's way. */
    return strcmp(what, "pause") == 0 || strcmp(what, "resume") == 0 || strcmp(what, "time") == 0;
}
