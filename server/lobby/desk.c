/* server/lobby/desk.c: what lies on the desk of who sits in a match: the notebook and the draft.
 * Both are for that account alone, in play and after it; nothing of them goes into the log. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/inside.h"
#include "server/store/desk.h"
#include "server/store/store.h"

enum { DESK_BYTES_MAX = 1 << 17 };

/* One call. All that reads or writes happens in one operation of the store. */
struct desk {
    struct lobby *lobby;
    struct lobby_call call;
    struct why why;
    struct buf out; /* the answer */
    struct match_id match;
    const char *as, *action_id;
    struct hash params;
    int64_t now;
    /* What is to be written; NULL: it is read. */
    const char *note;
    struct buf actions; /* "": it is read */
    int64_t version;
    enum err (*work)(struct db *db, struct desk *desk, int64_t match, int64_t seq);
};

static void desk_end(struct desk *desk, enum err err)
{
    if (err == ERR_OK && desk->out.failed) { err = ERR_INTERNAL; }
    desk->call.done(desk->call.ctx, err, &desk->why, err == ERR_OK ? buf_str(&desk->out) : NULL,
                    err == ERR_OK ? desk->out.len : 0);
    desk->lobby->pending--;
    buf_finish(&desk->actions);
    buf_finish(&desk->out);
    free(desk);
}

static void on_desk_done(void *ctx, enum err err)
{
    desk_end(ctx, err);
}

/* The seat that the account holds in the match: FORBIDDEN for others that may know of it, NOT_FOUND
 * for all else. */
static enum err find_seat(struct db *db, struct desk *desk, int64_t *out_key, int64_t *out_seq)
{
    struct lobby_row row;
    const struct account_id *account = &desk->call.account;
    enum err err = lobby_read_row(db, &desk->match, account, &row);
    if (err != ERR_OK) { return err; }
    int seat = lobby_seat_of(&row, account);
    bool meant = seat >= 0 && (desk->as == NULL || strcmp(desk->as, row.seat[seat].code) == 0);
    if (!meant && !lobby_may_know(&row, account)) { err = ERR_NOT_FOUND; }
    if (!meant && err == ERR_OK) {
        err = why_text(&desk->why, ERR_FORBIDDEN, "That is for who sits there.");
    }
    if (err == ERR_OK) {
        *out_key = row.key;
        *out_seq = row.begun ? (int64_t)row.tip[seat].seq : 0;
    }
    lobby_row_finish(&row);
    return err;
}

/* The answer that the action_id has already. NOT_FOUND: none. */
static enum err repeat(struct db *db, struct desk *desk)
{
    struct hash params;
    char *body = NULL;
    if (desk->action_id == NULL) { return ERR_NOT_FOUND; }
    enum err err = matches_read_answer(db, &desk->call.account, desk->action_id, &params, &body);
    if (err != ERR_OK) { return err; }
    if (memcmp(&params, &desk->params, sizeof params) == 0) {
        buf_reset(&desk->out);
        buf_append_str(&desk->out, body);
    } else {
        err = why_conflict(&desk->why, "action_id", "This action_id was used for something else.");
    }
    free(body);
    return err;
}

static enum err keep_answer(struct db *db, struct desk *desk)
{
    if (desk->action_id == NULL) { return ERR_OK; }
    struct lobby_answer_write note = {.account = desk->call.account,
                                      .match = desk->match,
                                      .params = desk->params,
                                      .at = desk->now};
    memcpy(note.action_id, desk->action_id, strlen(desk->action_id) + 1);
    enum err err = lobby_write_answer(db, &note);
    struct lobby_answer_fill *fill = err == ERR_OK ? malloc(sizeof *fill + desk->out.len) : NULL;
    if (fill == NULL) { return err != ERR_OK ? err : ERR_INTERNAL; }
    fill->account = desk->call.account;
    memcpy(fill->action_id, desk->action_id, strlen(desk->action_id) + 1);
    fill->len = desk->out.len;
    memcpy(fill->body, desk->out.data, desk->out.len);
    err = lobby_fill_answer(db, fill);
    free(fill);
    return err;
}

/* A unit may be run again with others after it failed with them: it begins afresh. */
static enum err op_desk_write(struct db *db, void *data)
{
    struct desk *desk = data;
    int64_t key = 0, seq = 0;
    buf_reset(&desk->out);
    enum err err = repeat(db, desk);
    if (err != ERR_NOT_FOUND) { return err; }
    err = find_seat(db, desk, &key, &seq);
    if (err == ERR_OK) { err = desk->work(db, desk, key, seq); }
    return err == ERR_OK ? keep_answer(db, desk) : err;
}

static enum err op_desk_read(struct db *db, void *data)
{
    struct desk *desk = data;
    int64_t key = 0, seq = 0;
    buf_reset(&desk->out);
    enum err err = find_seat(db, desk, &key, &seq);
    return err == ERR_OK ? desk->work(db, desk, key, seq) : err;
}

/* ---- the notebook ---- */

static void write_note(struct buf *out, const char *text, int64_t at)
{
    jw_object_begin(out);
    jw_key_str(out, "text", text);
    if (at != 0) { jw_key_int(out, "at", at); }
    jw_object_end(out);
}

static enum err work_note(struct db *db, struct desk *desk, int64_t match, int64_t seq)
{
    const struct account_id *account = &desk->call.account;
    (void)seq;
    if (desk->note != NULL) {
        enum err err = desk_write_note(db, match, account, desk->note, desk->now);
        if (err == ERR_OK) { write_note(&desk->out, desk->note, desk->now); }
        return err;
    }
    char *text = NULL;
    int64_t at = 0;
    enum err err = desk_read_note(db, match, account, &text, &at);
    if (err == ERR_OK || err == ERR_NOT_FOUND) {
        write_note(&desk->out, text == NULL ? "" : text, at);
        err = ERR_OK;
    }
    free(text);
    return err;
}

static enum err read_note(struct desk *desk)
{
    const cJSON *text = json_get(desk->call.params, "text");
    if (text == NULL) { return ERR_OK; }
    if (!cJSON_IsString(text)) { return why_member(&desk->why, "text", "It must be a string."); }
    if (strlen(text->valuestring) > LOBBY_NOTE_BYTES_MAX) {
        return why_text(&desk->why, ERR_TOO_LARGE, "A notebook has up to 16000 bytes.");
    }
    desk->note = text->valuestring;
    return ERR_OK;
}

/* ---- the draft ---- */

static void write_draft(struct buf *out, const struct desk_draft *draft)
{
    const char *actions = draft->actions == NULL ? "[]" : draft->actions;
    jw_object_begin(out);
    jw_key_int(out, "version", draft->version);
    jw_key_raw(out, "actions", actions, strlen(actions));
    if (draft->version != 0) { jw_key_int(out, "seq", draft->seq); }
    jw_object_end(out);
}

static enum err work_draft(struct db *db, struct desk *desk, int64_t match, int64_t seq)
{
    struct desk_draft draft;
    char *actions = NULL;
    const struct account_id *account = &desk->call.account;
    enum err err = desk_read_draft(db, match, account, &draft, &actions);
    if (err == ERR_NOT_FOUND) { err = ERR_OK; }
    if (err == ERR_OK && desk->actions.len == 0) { write_draft(&desk->out, &draft); }
    if (err == ERR_OK && desk->actions.len != 0 && desk->version != draft.version) {
        err = why_conflict(&desk->why, "version", "The draft was changed elsewhere: look again.");
    } else if (err == ERR_OK && desk->actions.len != 0) {
        struct desk_draft next = {draft.version + 1, seq, buf_str(&desk->actions)};
        err = desk_write_draft(db, match, account, &next);
        if (err == ERR_OK) { write_draft(&desk->out, &next); }
    }
    free(actions);
    return err;
}

static enum err read_draft(struct desk *desk)
{
    const cJSON *params = desk->call.params, *actions = NULL;
    enum err err = json_read_int(params, "version", 0, JSON_INT_MAX, &desk->version, &desk->why);
    if (err == ERR_OK) {
        err = json_read_array(params, "actions", MATCH_LIST_MAX, &actions, &desk->why);
    }
    if (err != ERR_OK) { return err; }
    if ((actions == NULL) != (json_get(params, "version") == NULL)) {
        return why_member(&desk->why, actions == NULL ? "actions" : "version",
                          "A draft is kept by its actions and the version that was edited.");
    }
    if (actions == NULL) { return ERR_OK; }
    for (const cJSON *i = actions->child; i != NULL; i = i->next) {
        const cJSON *what = json_get(i, "do");
        if (!cJSON_IsObject(i) || !cJSON_IsString(what) || what->valuestring[0] == '\0') {
            return why_member(&desk->why, "actions", "Actions are objects.");
        }
    }
    jw_value(&desk->actions, actions);
    if (desk->actions.failed || desk->actions.len > LOBBY_DRAFT_BYTES_MAX) {
        return why_text(&desk->why, ERR_TOO_LARGE, "A draft has up to 32768 bytes.");
    }
    return ERR_OK;
}

/* ---- the doors ---- */

static enum err read_common(struct desk *desk, const char *const *names)
{
    const cJSON *params = desk->call.params;
    const char *match = NULL;
    if (account_is_nobody(&desk->call.account)) { return ERR_NOT_SIGNED_IN; }
    enum err err = json_only(params, names, &desk->why);
    if (err == ERR_OK) { err = json_read_str(params, "!match", 64, &match, &desk->why); }
    if (err == ERR_OK) { err = json_read_str(params, "as", 16, &desk->as, &desk->why); }
    if (err == ERR_OK) {
        err = json_read_str(params, "action_id", LOBBY_ACTION_ID_BYTES_MAX, &desk->action_id,
                            &desk->why);
    }
    if (err == ERR_OK && desk->action_id != NULL && desk->action_id[0] == '\0') {
        err = why_member(&desk->why, "action_id", "An action_id may not be empty.");
    }
    if (err == ERR_OK && !match_id_read(match, &desk->match)) { err = ERR_NOT_FOUND; }
    return err;
}

static struct desk *desk_create(struct lobby *lobby, const struct lobby_call *call,
                                const char *method)
{
    struct desk *desk = calloc(1, sizeof *desk);
    if (desk == NULL) {
        struct why why;
        why_clear(&why);
        call->done(call->ctx, ERR_INTERNAL, &why, NULL, 0);
        return NULL;
    }
    desk->lobby = lobby;
    desk->call = *call;
    why_clear(&desk->why);
    buf_init(&desk->out, DESK_BYTES_MAX);
    buf_init(&desk->actions, DESK_BYTES_MAX);
    desk->now = job_now_ms(lobby);
    job_hash_params(method, call->params, &desk->params);
    lobby->pending++;
    return desk;
}

static void desk_go(struct desk *desk, enum err err, bool writes)
{
    struct store *store = desk->lobby->config.store;
    if (err != ERR_OK) {
        desk_end(desk, err);
        return;
    }
    if (!writes) {
        store_read(store, op_desk_read, desk, NULL, on_desk_done, desk);
        return;
    }
    struct store_unit *unit = store_unit_create(NULL, STORE_MAY_REFUSE);
    if (unit == NULL) {
        desk_end(desk, ERR_INTERNAL);
        return;
    }
    if (desk->action_id != NULL) { store_note_answer(store, &desk->call.account, desk->action_id); }
    store_unit_add(unit, op_desk_write, desk, NULL);
    store_commit(store, unit, on_desk_done, desk);
}

void lobby_note(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "as", "text", "action_id", NULL};
    struct desk *desk = desk_create(lobby, call, "match.note");
    if (desk == NULL) { return; }
    desk->work = work_note;
    enum err err = read_common(desk, names);
    if (err == ERR_OK) { err = read_note(desk); }
    desk_go(desk, err, desk->note != NULL);
}

void lobby_draft(struct lobby *lobby, const struct lobby_call *call)
{
    static const char *const names[] = {"match", "as", "version", "actions", "action_id", NULL};
    struct desk *desk = desk_create(lobby, call, "match.draft");
    if (desk == NULL) { return; }
    desk->work = work_draft;
    enum err err = read_common(desk, names);
    if (err == ERR_OK) { err = read_draft(desk); }
    desk_go(desk, err, desk->actions.len != 0);
}
