/* server/net/m_server.c: server.hello and game.*. */
#include <string.h>

#include "common/base/jsonr.h"
#include "common/base/jsonw.h"
#include "common/record/line.h"
#include "common/rules/game.h"
#include "server/base/clock.h"
#include "server/lobby/matches.h"
#include "server/net/boards.h"
#include "server/net/methods.h"
#include "server/notify/notify.h"
#include "server/store/store.h"

#ifndef VEDETTE_VERSION
#define VEDETTE_VERSION "0"
#endif

static void write_limits(const struct net_limits *limits, struct buf *out)
{
    jw_key_object(out, "limits");
    jw_key_int(out, "frame_bytes", FRAME_BYTES_MAX);
    jw_key_int(out, "batch", BATCH_MAX);
    jw_key_int(out, "depth", JSON_DEPTH_MAX);
    jw_key_int(out, "actions", MATCH_LIST_MAX);
    jw_key_int(out, "pending", limits->pending_max);
    jw_key_int(out, "watches", MATCH_CLIENT_WATCHES_MAX);
    jw_key_int(out, "waits", MATCH_CLIENT_WAITS_MAX);
    jw_key_int(out, "text_bytes", MATCH_SAY_BYTES_MAX);
    if (limits->connection.interval_us != 0) {
        jw_key_int(out, "calls_per_s", (int64_t)(1000000 / limits->connection.interval_us));
        jw_key_int(out, "calls_at_once", limits->connection.burst);
    }
    jw_object_end(out);
}

/* The public part of the key that signs receipts (FAIRNESS 6). */
static void write_receipt_key(const struct net *net, struct buf *out)
{
    uint8_t key[SIGN_PUBLIC_BYTES];
    if (net->parts.store == NULL) { return; }
    receipt_public_key(store_receipt_seed(net->parts.store), key);
    jw_key_b64(out, "receipt_key", key, sizeof key);
}

/* By which channels players can be told of things here. */
static void write_notices(const struct net *net, struct buf *out)
{
    if (net->notify == NULL) { return; }
    jw_key_object(out, "notices");
    jw_key_bool(out, "mail", notify_has_mail(net->notify));
    jw_key_str(out, "push_key", notify_push_key(net->notify));
    jw_object_end(out);
}

enum err rpc_server_hello(struct call *call)
{
    static const char *const names[] = {"client", "version", NULL};
    const char *text = NULL;
    enum err err = json_only(call->params, names, &call->why);
    if (err == ERR_OK) {
        err = json_read_str(call->params, "client", CLIENT_BYTES_MAX, &text, &call->why);
    }
    struct conn *conn = call_conn(call);
    if (err == ERR_OK && text != NULL && conn != NULL) {
        memcpy(conn->client_name, text, strlen(text) + 1);
    }
    if (err == ERR_OK) { err = json_read_str(call->params, "version", 64, &text, &call->why); }
    if (err != ERR_OK) { return err; }
    struct buf out;
    buf_init(&out, FRAME_BYTES_MAX);
    jw_object_begin(&out);
    jw_key_str(&out, "name", "Vedette");
    jw_key_str(&out, "version", VEDETTE_VERSION);
    jw_key_str(&out, "protocol", "vedette.v1");
    jw_key_array(&out, "games");
    for (size_t i = 0; games[i] != NULL; i++) {
        jw_str(&out, games[i]->name);
    }
    jw_array_end(&out);
    write_limits(&call->net->config.limits, &out);
    jw_key(&out, "matches");
    lobby_write_choices(&out);
    jw_key_int(&out, "time", clock_now_ms());
    write_receipt_key(call->net, &out);
    write_notices(call->net, &out);
    jw_object_end(&out);
    call_reply_buf(call, &out);
    buf_finish(&out);
    return ERR_OK;
}

/* What the game says of itself, its files by their addresses. */
static void write_game(const struct game *game, struct buf *out)
{
    cJSON *about = NULL;
    jw_object_begin(out);
    jw_key_str(out, "game", game->name);
    jw_key_int(out, "rules_version", game->rules_now);
    if (json_parse(game->about, strlen(game->about), &about) == ERR_OK) {
        for (const cJSON *i = about->child; i != NULL; i = i->next) {
            const struct board_file *file =
                cJSON_IsString(i) ? boards_find_path(i->valuestring) : NULL;
            const bool is_file = cJSON_IsString(i) &&
                                 strncmp(i->valuestring, game->name, strlen(game->name)) == 0 &&
                                 i->valuestring[strlen(game->name)] == '/';
            if (is_file && file == NULL) { continue; } /* not in this build */
            jw_key(out, i->string);
            if (file != NULL) {
                jw_str(out, file->address);
            } else {
                jw_value(out, i);
            }
        }
    }
    cJSON_Delete(about);
    jw_object_end(out);
}

enum err rpc_game_list(struct call *call)
{
    static const char *const names[] = {NULL};
    enum err err = json_only(call->params, names, &call->why);
    if (err != ERR_OK) { return err; }
    struct buf out;
    buf_init(&out, ANSWER_BYTES_MAX);
    jw_object_begin(&out);
    jw_key_array(&out, "games");
    for (size_t i = 0; games[i] != NULL; i++) {
        write_game(games[i], &out);
    }
    jw_array_end(&out);
    jw_object_end(&out);
    call_reply_buf(call, &out);
    buf_finish(&out);
    return ERR_OK;
}

enum err rpc_game_get(struct call *call)
{
    static const char *const names[] = {"game", NULL};
    const char *name = NULL;
    enum err err = json_only(call->params, names, &call->why);
    if (err == ERR_OK) { err = json_read_str(call->params, "!game", 32, &name, &call->why); }
    if (err != ERR_OK) { return err; }
    const struct game *game = game_find(name);
    if (game == NULL) { return ERR_NOT_FOUND; }
    struct buf out;
    buf_init(&out, ANSWER_BYTES_MAX);
    write_game(game, &out);
    call_reply_buf(call, &out);
    buf_finish(&out);
    return ERR_OK;
}
