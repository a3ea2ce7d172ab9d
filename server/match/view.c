/* server/match/view.c: a view as it goes out: what the game shows, and what the host adds (PROTOCOL
 * 5). */
#include <assert.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/match/core.h"

const char *core_viewer_name(const struct core *core, unsigned viewer)
{
    if (viewer < core->seats) { return core->codes[viewer]; }
    return viewer == VIEWER_ALL ? "all" : "public";
}

/* A seat as the game calls it now: one whose ally left goes on under another code (W18.9). */
static const char *name_now(const struct core *core, unsigned viewer)
{
    if (viewer < core->seats && core->game->seat_code != NULL) {
        return core->game->seat_code(core->state, viewer);
    }
    return core_viewer_name(core, viewer);
}

void core_write_seats(const char *const *codes, unsigned seats, const char *name, uint32_t set,
                      struct buf *out)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < seats; i++) {
        if ((set >> i & 1U) != 0) { jw_str(out, codes[i]); }
    }
    jw_array_end(out);
}

void core_view(const struct core *core, unsigned viewer, bool forms, struct buf *out,
               struct view_forms *out_forms)
{
    assert(viewer < VIEWERS && core->begun);
    const struct tip_viewer *tip = &core->tip[viewer];
    jw_object_begin(out);
    jw_key_str(out, "match", core->id.text);
    jw_key_str(out, "game", core->game->name);
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_str(out, "as", name_now(core, viewer));
    core->game->view(core->state, viewer, out);
    bool acts = viewer < core->seats && !core->over &&
                (core->game->to_act(core->state) >> viewer & 1U) != 0;
    struct view_forms cut = {out->len, 0};
    if (acts && forms) {
        jw_key(out, "actions");
        core->game->actions(core->state, viewer, out);
        cut.len = out->len - cut.at;
    }
    if (acts) { jw_key_bool(out, "undo", tip->undo != 0); }
    const struct msg *said = core->said[viewer];
    jw_key(out, "events");
    if (said == NULL) {
        jw_raw(out, "[]", 2);
    } else {
        jw_raw(out, msg_text((struct msg *)(uintptr_t)said), said->len);
    }
    if (core->clock != NULL) { jw_key_raw(out, "clock", core->clock, strlen(core->clock)); }
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    jw_key_b64(out, "commit", core->commit.bytes, HASH_BYTES);
    jw_object_end(out);
    if (out_forms != NULL) { *out_forms = cut; }
}
