/* server/lobby/tell.c: match.changed for the accounts of a match: who sits in it, made it, or is
 * asked to it. It names the match and nothing else: who wants to know asks. */
#include <stdlib.h>

#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"

struct tell {
    struct lobby *lobby;
    struct match_id match;
    struct account_id account[LOBBY_CONCERNED_MAX];
    unsigned count;
};

static enum err op_concerned(struct db *db, void *data)
{
    struct tell *tell = data;
    return lobby_read_concerned(db, &tell->match, tell->account, &tell->count);
}

static void on_concerned(void *ctx, enum err err)
{
    struct tell *tell = ctx;
    const struct lobby_config *config = &tell->lobby->config;
    struct buf text;
    buf_init(&text, 256);
    jw_object_begin(&text);
    jw_key_str(&text, "jsonrpc", "2.0");
    jw_key_str(&text, "method", "match.changed");
    jw_key_object(&text, "params");
    jw_key_str(&text, "match", tell->match.text);
    jw_object_end(&text);
    jw_object_end(&text);
    struct msg *msg = err == ERR_OK && !text.failed ? msg_create(text.data, text.len) : NULL;
    for (unsigned i = 0; i < tell->count && msg != NULL; i++) {
        config->tell(config->tell_ctx, &tell->account[i], msg);
    }
    msg_unref(msg);
    buf_finish(&text);
    tell->lobby->pending--;
    free(tell);
}

void lobby_tell(struct lobby *lobby, const struct match_id *match)
{
    struct tell *tell = lobby->config.tell == NULL ? NULL : calloc(1, sizeof *tell);
    if (tell == NULL) { return; }
    tell->lobby = lobby;
    tell->match = *match;
    lobby->pending++;
    store_read(lobby->config.store, op_concerned, tell, NULL, on_concerned, tell);
}
