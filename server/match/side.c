/* server/match/side.c: when the channel of two allies is open. It follows from what everybody may
 * know of the step; the two are told when it opens and closes, others not even that there is one.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/talk.h"

enum { SIDE_BYTES_MAX = 512 };

static uint32_t seats_of(const struct game *game, unsigned seats)
{
    uint32_t set = 0;
    for (unsigned i = 0; game != NULL && game->allies != NULL && i < seats; i++) {
        set |= game->allies(seats, i);
    }
    return set;
}

uint32_t side_seats(const struct match *match)
{
    return seats_of(match->game, match->seats);
}

const char *side_state(const struct match *match)
{
    return match->side;
}

bool side_is_open(const char *state)
{
    return state != NULL && strncmp(state, "{\"open\":true", 12) == 0;
}

char *side_make(const struct core *core)
{
    uint32_t set = seats_of(core->game, core->seats);
    if (set == 0 || !core->begun) { return NULL; }
    unsigned pair[2] = {0, 0};
    unsigned count = 0;
    for (unsigned i = 0; i < core->seats && count < 2; i++) {
        if ((set >> i & 1U) != 0) { pair[count++] = i; }
    }
    struct buf out;
    buf_init(&out, SIDE_BYTES_MAX);
    const struct game *game = core->game;
    bool open = game->may_talk == NULL || game->may_talk(core->state, pair[0], pair[1]);
    jw_object_begin(&out);
    jw_key_bool(&out, "open", open);
    if (!open && game->next_talk != NULL) {
        struct buf next;
        buf_init(&next, SIDE_BYTES_MAX);
        if (game->next_talk(core->state, pair[0], pair[1], &next)) {
            jw_key_raw(&out, "opens", next.data, next.len);
        }
        out.failed = out.failed || next.failed;
        buf_finish(&next);
    }
    jw_object_end(&out);
    size_t n = 0;
    char *text = out.failed ? NULL : buf_take(&out, &n);
    buf_finish(&out);
    return text;
}

void side_loaded(struct match *match)
{
    free(match->side);
    match->side = match->core == NULL ? NULL : side_make(match->core);
}

void side_landed(struct matches *matches, struct match *match, struct flight_step *step)
{
    if (step->side == NULL || (match->side != NULL && strcmp(match->side, step->side) == 0)) {
        return;
    }
    free(match->side);
    match->side = step->side;
    step->side = NULL;
    struct buf *out = &matches->patch;
    buf_reset(out);
    buf_append_str(out,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"match.changed\",\"params\":{\"match\":\"");
    buf_append_str(out, match->id.text);
    buf_append_str(out, "\",\"talk\":{\"side\":");
    buf_append_str(out, match->side);
    buf_append_str(out, "}}}");
    struct msg *msg = out->failed ? NULL : msg_create(out->data, out->len);
    if (msg == NULL) { return; }
    const struct match_hooks *hooks = &matches->config.hooks;
    uint32_t set = side_seats(match);
    for (struct watch *watch = match->watches; watch != NULL; watch = watch->next) {
        if (watch->viewer >= match->seats || (set >> watch->viewer & 1U) == 0) { continue; }
        if (watch_is_stranger(match, watch)) { continue; }
        (void)hooks->push(hooks->ctx, watch->client, &match->id, watch->viewer, PUSH_CHANGED, msg);
    }
    msg_unref(msg);
}
