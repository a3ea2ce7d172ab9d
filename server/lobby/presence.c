/* server/lobby/presence.c: who of a match's seats is here: looks at the match now, and lets it be
 * known. What a seat does is no matter of it. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonw.h"
#include "server/base/msg.h"
#include "server/lobby/inside.h"
#include "server/store/store.h"

enum { PUSH_BYTES_MAX = 1024 };

static void write_presence(struct lobby *lobby, struct buf *out, const struct lobby_row *row)
{
    /* Whoever is here may have been answering (DESIGN 6, pace). */
    if (row->pace_s != 0) { return; }
    uint32_t here = match_present(lobby->config.matches, &row->id);
    jw_key_object(out, "presence");
    for (unsigned i = 0; i < row->seats; i++) {
        if (row->seat[i].account.text[0] == '\0' || row->seat[i].hidden) { continue; }
        jw_key_str(out, row->seat[i].code, (here >> i & 1U) != 0 ? "here" : "away");
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

static void on_told_read(void *ctx, enum err err)
{
    struct told *told = ctx;
    struct lobby *lobby = told->lobby;
    struct buf text;
    buf_init(&text, PUSH_BYTES_MAX);
    if (err == ERR_OK) {
        jw_object_begin(&text);
        jw_key_str(&text, "jsonrpc", "2.0");
        jw_key_str(&text, "method", "match.changed");
        jw_key_object(&text, "params");
        jw_key_str(&text, "match", told->match.text);
        write_presence(lobby, &text, &told->row);
        jw_object_end(&text);
        jw_object_end(&text);
        lobby_row_finish(&told->row);
    }
    if (err == ERR_OK && told->row.pace_s != 0) { err = ERR_NOT_FOUND; } /* nobody is told */
    struct msg *msg = err == ERR_OK && !text.failed ? msg_create(text.data, text.len) : NULL;
    if (msg != NULL) { match_tell(lobby->config.matches, &told->match, msg); }
    msg_unref(msg);
    buf_finish(&text);
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
