/* server/lobby/list.c: match.list. */
#include <stdlib.h>
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "server/lobby/inside.h"
#include "server/lobby/names.h"
#include "server/store/store.h"

enum { LIST_BYTES_MAX = 1 << 20 };

/* One call; the text is made on a reader's thread, which has the rows. */
struct list {
    struct lobby *lobby;
    struct lobby_call call;
    struct why why;
    struct buf text;
    enum lobby_filter filter;
    const char *game, *player;
    char folded[NAME_KEY_BYTES_MAX];
    bool from_before;
    struct match_id before;
    int64_t limit;
};

static void list_end(struct list *list, enum err err)
{
    if (err == ERR_OK && list->text.failed) { err = ERR_INTERNAL; }
    list->call.done(list->call.ctx, err, &list->why, err == ERR_OK ? buf_str(&list->text) : NULL,
                    err == ERR_OK ? list->text.len : 0);
    list->lobby->pending--;
    buf_finish(&list->text);
    free(list);
}

static enum err read_filter(struct list *list, const cJSON *params)
{
    static const struct {
        const char *name;
        enum lobby_filter filter;
    } filters[] = {{"open", LOBBY_OPEN},
                   {"mine", LOBBY_MINE},
                   {"running", LOBBY_RUNNING},
                   {"finished", LOBBY_FINISHED},
                   {"vacant", LOBBY_VACANT}};
    const char *name = NULL;
    enum err err = json_read_str(params, "!filter", 16, &name, &list->why);
    if (err != ERR_OK) { return err; }
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (strcmp(filters[i].name, name) != 0) { continue; }
        list->filter = filters[i].filter;
        if (list->filter == LOBBY_MINE && account_is_nobody(&list->call.account)) {
            return ERR_NOT_SIGNED_IN;
        }
        return ERR_OK;
    }
    return why_member(&list->why, "filter", "A filter is open, mine, running, finished or vacant.");
}

static enum err read_params(struct list *list)
{
    static const char *const names[] = {"filter", "game", "player", "before", "limit", NULL};
    const cJSON *params = list->call.params;
    const char *before = NULL;
    char name[ACCOUNT_NAME_BYTES];
    list->limit = LOBBY_LIST_DEFAULT;
    enum err err = json_only(params, names, &list->why);
    if (err == ERR_OK) { err = read_filter(list, params); }
    if (err == ERR_OK) { err = json_read_str(params, "game", 32, &list->game, &list->why); }
    if (err == ERR_OK) { err = json_read_str(params, "player", 256, &list->player, &list->why); }
    if (err == ERR_OK) { err = json_read_str(params, "before", 64, &before, &list->why); }
    if (err == ERR_OK) {
        err = json_read_int(params, "limit", 1, LOBBY_LIST_MAX, &list->limit, &list->why);
    }
    if (err == ERR_OK && before != NULL) {
        list->from_before = true;
        if (!match_id_read(before, &list->before)) {
            err = why_member(&list->why, "before", "This is not where a list went on.");
        }
    }
    if (err == ERR_OK && list->player != NULL) {
        err = name_read(list->player, name, sizeof name, &list->why);
        if (err == ERR_OK) { err = name_fold(name, list->folded); }
        if (err == ERR_INVALID_PARAMS) { err = why_member(&list->why, "player", list->why.text); }
    }
    return err;
}

static enum err find_player(struct db *db, const struct list *list, struct account_id *out_player)
{
    struct account_row *row = calloc(1, sizeof *row);
    if (row == NULL) { return ERR_INTERNAL; }
    enum err err = accounts_read_by_folded(db, list->folded, row);
    if (err == ERR_OK) {
        *out_player = row->id;
        free(row->settings);
    }
    free(row);
    return err;
}

static enum err write_list(struct db *db, struct list *list, const struct lobby_row *rows,
                           unsigned count)
{
    unsigned shown = count > (unsigned)list->limit ? (unsigned)list->limit : count;
    enum err err = ERR_OK;
    jw_object_begin(&list->text);
    jw_key_array(&list->text, "matches");
    for (unsigned i = 0; i < shown && err == ERR_OK; i++) {
        int unread[TALK_CHANNELS];
        jw_object_begin(&list->text);
        summary_write(&list->text, &rows[i], &list->call.account);
        summary_write_tip(&list->text, &rows[i], &list->call.account);
        if (list->filter == LOBBY_MINE) {
            err = manners_unread(db, list->lobby, &rows[i], &list->call.account, unread);
            summary_write_talk(&list->text, &rows[i], unread);
        }
        jw_object_end(&list->text);
    }
    jw_array_end(&list->text);
    if (count > shown) { jw_key_str(&list->text, "next", rows[shown - 1].id.text); }
    jw_object_end(&list->text);
    return err;
}

static enum err op_list(struct db *db, void *data)
{
    struct list *list = data;
    struct account_id player = {""};
    unsigned count = 0;
    enum err err = list->player == NULL ? ERR_OK : find_player(db, list, &player);
    if (err == ERR_NOT_FOUND) {
        return write_list(db, list, NULL, 0); /* nobody of that name plays anything */
    }
    if (err != ERR_OK) { return err; }
    struct lobby_row *rows = calloc((size_t)list->limit + 1, sizeof *rows);
    if (rows == NULL) { return ERR_INTERNAL; }
    err = lobby_read_list(
        db, list->filter, &list->call.account, list->game, list->player == NULL ? NULL : &player,
        list->from_before ? &list->before : NULL, (unsigned)list->limit + 1, rows, &count);
    if (err == ERR_OK) { err = write_list(db, list, rows, count); }
    for (unsigned i = 0; i < count; i++) {
        lobby_row_finish(&rows[i]);
    }
    free(rows);
    return err;
}

static void on_listed(void *ctx, enum err err)
{
    struct list *list = ctx;
    if (err == ERR_INVALID_PARAMS) {
        (void)why_member(&list->why, "before", "This is not where a list went on.");
    }
    list_end(list, err);
}

void lobby_list(struct lobby *lobby, const struct lobby_call *call)
{
    struct list *list = calloc(1, sizeof *list);
    if (list == NULL) {
        struct why why;
        why_clear(&why);
        call->done(call->ctx, ERR_INTERNAL, &why, NULL, 0);
        return;
    }
    list->lobby = lobby;
    list->call = *call;
    why_clear(&list->why);
    buf_init(&list->text, LIST_BYTES_MAX);
    lobby->pending++;
    enum err err = read_params(list);
    if (err != ERR_OK) {
        list_end(list, err);
        return;
    }
    store_read(lobby->config.store, op_list, list, NULL, on_listed, list);
}
