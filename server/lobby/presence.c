/* server/lobby/presence.c: who of a match's seats is here, and how many look on: looks at the match
 * now, and lets it be known. What a seat does is no matter of it. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"

enum { PUSH_BYTES_MAX = 1024 };

/* What is shown now. Whoever is here may have been answering (DESIGN 6, pace). */
static struct match_crowd look_at(struct lobby *lobby, const struct lobby_row *row)
{
    struct match_crowd crowd = {0, 0, 0};
    for (unsigned i = 0; i < row->seats && row->pace_s == 0; i++) {
        const bool shown = row->seat[i].account.text[0] != '\0' && !row->seat[i].hidden;
        if (shown) { crowd.shown |= UINT32_C(1) << i; }
    }
    crowd.here = match_present(lobby->config.matches, &row->id) & crowd.shown;
    if (strcmp(row->spectators, "none") != 0) {
        crowd.watching = match_watching(lobby->config.matches, &row->id);
    }
    return crowd;
}

static void write_presence(struct lobby *lobby, struct buf *out, const struct lobby_row *row)
{
    const struct match_crowd crowd = look_at(lobby, row);
    if (row->pace_s != 0) { return; }
    jw_key_object(out, "presence");
    for (unsigned i = 0; i < row->seats; i++) {
        if ((crowd.shown >> i & 1U) == 0) { continue; }
        jw_key_str(out, row->seat[i].code, (crowd.here >> i & 1U) != 0 ? "here" : "away");
    }
    jw_object_end(out);
}

void presence_write(struct lobby *lobby, struct buf *out, const struct lobby_row *row,
                    const struct account_id *asker)
{
    bool seen = lobby_seat_of(row, asker) >= 0 || strcmp(row->spectators, "none") != 0;
    if (!row->begun || !seen || row->shut) { return; }
    bool late = strcmp(row->spectators, "delayed") == 0 && lobby_seat_of(row, asker) < 0;
    if (!late) { write_presence(lobby, out, row); }
    uint32_t watching = match_watching(lobby->config.matches, &row->id);
    if (strcmp(row->spectators, "none") != 0) { jw_key_int(out, "watching", watching); }
}

struct told {
    struct lobby *lobby;
    struct match_id match;
    struct lobby_row row;
};

static enum err op_read_told(struct db *db, void *data)
{
    static const struct account_id nobody = {""};
    struct told *told = data;
    return lobby_read_row(db, &told->match, &nobody, &told->row);
}

/* match.changed: of those two what is asked for. NULL: memory. */
static struct msg *make_told(struct lobby *lobby, const struct told *told, bool presence,
                             bool watching)
{
    struct buf text;
    buf_init(&text, PUSH_BYTES_MAX);
    jw_object_begin(&text);
    jw_key_str(&text, "jsonrpc", "2.0");
    jw_key_str(&text, "method", "match.changed");
    jw_key_object(&text, "params");
    jw_key_str(&text, "match", told->match.text);
    if (presence) { write_presence(lobby, &text, &told->row); }
    if (watching) {
        jw_key_int(&text, "watching", match_watching(lobby->config.matches, &told->match));
    }
    jw_object_end(&text);
    jw_object_end(&text);
    struct msg *msg = text.failed ? NULL : msg_create(text.data, text.len);
    buf_finish(&text);
    return msg;
}

/* Only what is other than it was shown to be: that somebody came or went who does not show it, or
 * in a match with pace, is nobody's to hear. */
static void tell_crowd(struct lobby *lobby, const struct told *told)
{
    struct matches *matches = lobby->config.matches;
    const struct match_crowd crowd = look_at(lobby, &told->row);
    const struct match_crowd before = match_crowd_show(matches, &told->match, &crowd);
    const bool presence = crowd.shown != before.shown || crowd.here != before.here;
    const bool watching = crowd.watching != before.watching;
    struct msg *msg = presence || watching ? make_told(lobby, told, presence, watching) : NULL;
    if (msg != NULL) { match_tell(matches, &told->match, msg); }
    msg_unref(msg);
    msg = watching ? make_told(lobby, told, false, true) : NULL;
    if (msg != NULL) { match_tell_late(matches, &told->match, msg); }
    msg_unref(msg);
}

static void on_told_read(void *ctx, enum err err)
{
    struct told *told = ctx;
    struct lobby *lobby = told->lobby;
    if (err == ERR_OK) {
        tell_crowd(lobby, told);
        lobby_row_finish(&told->row);
    }
    lobby->pending--;
    free(told);
}

void lobby_tell_presence(struct lobby *lobby, const struct match_id *match)
{
    struct told *told = calloc(1, sizeof *told);
    if (told == NULL) { return; }
    told->lobby = lobby;
    told->match = *match;
    lobby->pending++;
    store_read(lobby->config.store, op_read_told, told, NULL, on_told_read, told);
}
