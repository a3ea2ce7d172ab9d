/* server/lobby/summary.c: what a viewer may know of a match without a view of it. */
#include <string.h>

#include "common/base/jsonw.h"
#include "server/lobby/inside.h"

/* Join codes are for the creator to hand out; who holds one is told what it opens. */
static void write_seats(struct buf *out, const struct lobby_row *row, bool for_creator)
{
    jw_key_object(out, "seats");
    for (unsigned i = 0; i < row->seats; i++) {
        const struct lobby_seat *seat = &row->seat[i];
        bool taken = seat->account.text[0] != '\0';
        jw_key_object(out, seat->code);
        if (taken) { jw_key_str(out, "account", seat->name); }
        if (seat->bot) { jw_key_bool(out, "bot", true); }
        if (seat->vacant) { jw_key_bool(out, "vacant", true); }
        if (seat->until != 0) {
            jw_key_object(out, "lent");
            jw_key_str(out, "by", seat->owner_name);
            jw_key_int(out, "until", seat->until);
            jw_object_end(out);
        }
        if (seat->until == 0 && seat->owner.text[0] != '\0') {
            jw_key_str(out, "kept_for", seat->owner_name);
        }
        if ((for_creator || row->opened == (int)i) && !taken && seat->join_code[0] != '\0') {
            jw_key_str(out, "code", seat->join_code);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

int64_t lobby_expires_at(const struct lobby_row *row)
{
    return row->created_at + (int64_t)LOBBY_OPEN_DAYS * 86400000;
}

void summary_write(struct buf *out, const struct lobby_row *row, const struct account_id *asker)
{
    bool open = strcmp(row->state, "open") == 0;
    bool creator = !account_is_nobody(asker) && account_id_same(&row->creator, asker);
    int seat = lobby_seat_of(row, asker);
    jw_key_str(out, "match", row->id.text);
    jw_key_str(out, "game", row->game);
    jw_key_int(out, "rules", row->rules);
    if (row->title[0] != '\0') { jw_key_str(out, "title", row->title); }
    jw_key_str(out, "state", row->state);
    write_seats(out, row, creator && open);
    jw_key_array(out, "you");
    if (seat >= 0) { jw_str(out, row->seat[seat].code); }
    jw_array_end(out);
    if (row->invited && open) { jw_key_bool(out, "invited", true); }
    jw_key_raw(out, "options", row->options, strlen(row->options));
    jw_key_str(out, "access", row->access);
    jw_key_str(out, "spectators", row->spectators);
    if (row->delay > 0) {
        jw_key_int(out, "delay", row->delay);
        jw_key_array(out, "warnings");
        jw_str(out, "delayed_spectators");
        jw_array_end(out);
    }
    jw_key_str(out, "reveal", row->reveal);
    if (row->pace_s != 0) { jw_key_int(out, "pace", row->pace_s); }
    if (row->clock != NULL) { jw_key_raw(out, "clock_spec", row->clock, strlen(row->clock)); }
    jw_key_bool(out, "rated", false);
    if (row->by_hand && open) { jw_key_str(out, "start", "manual"); }
    jw_key_str(out, "creator", row->creator_name);
    jw_key_int(out, "created_at", row->created_at);
    if (open) { jw_key_int(out, "expires_at", lobby_expires_at(row)); }
    if (row->started_at != 0) { jw_key_int(out, "started_at", row->started_at); }
    if (row->ended_at != 0) { jw_key_int(out, "ended_at", row->ended_at); }
}

void summary_write_talk(struct buf *out, const struct lobby_row *row, const int *unread)
{
    jw_key_object(out, "talk");
    jw_key_bool(out, "watchers", row->talk && strcmp(row->spectators, "none") != 0);
    if (unread != NULL) {
        jw_key_object(out, "unread");
        for (unsigned i = 0; i < TALK_CHANNELS; i++) {
            if (unread[i] < 0) { continue; }
            jw_key_int(out, talk_channel_name((enum talk_channel)i), unread[i]);
        }
        jw_object_end(out);
    }
    jw_object_end(out);
}

static void write_bits(struct buf *out, const struct lobby_row *row, const char *name,
                       uint32_t bits)
{
    jw_key_array(out, name);
    for (unsigned i = 0; i < row->seats; i++) {
        if ((bits >> i & 1U) != 0) { jw_str(out, row->seat[i].code); }
    }
    jw_array_end(out);
}

void summary_write_tip(struct buf *out, const struct lobby_row *row, const struct account_id *asker)
{
    int seat = lobby_seat_of(row, asker);
    bool watched = strcmp(row->spectators, "public") == 0 && !row->shut;
    jw_key_b64(out, "commit", row->commit.bytes, HASH_BYTES);
    if (row->result != NULL) { jw_key_raw(out, "result", row->result, strlen(row->result)); }
    if (!row->begun || (seat < 0 && !watched)) { return; }
    const struct tip_viewer *tip = &row->tip[seat >= 0 ? seat : VIEWER_PUBLIC];
    jw_key_int(out, "seq", (int64_t)tip->seq);
    jw_key_b64(out, "chain", tip->head.bytes, HASH_BYTES);
    write_bits(out, row, "to_act", tip->to_act);
    write_bits(out, row, "waits_for", tip->waits_for);
    const char *clock = row->clock_told;
    if (clock != NULL) { jw_key_raw(out, "clock", clock, strlen(clock)); }
}
